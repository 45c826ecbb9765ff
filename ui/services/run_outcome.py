"""Outcomes of runs, and the GeoPackage in which their results are saved."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Union

import pandas as pd
from qgis.core import (
    QgsMapLayer,
    QgsProcessing,
    QgsProject,
    QgsVectorLayer,
    QgsVectorLayerFeatureSource,
)

from randcrowns.algorithms.output_types import IMAGES_READ, IMPORT_GROUP_TITLE, Output
from randcrowns.algorithms.provenance import PROVENANCE, Provenance
from randcrowns.core.messages import Message
from randcrowns.layers.compat import path_exists
from randcrowns.layers.databases import is_sqlite
from randcrowns.layers.files.destinations import table_destination_text
from randcrowns.layers.files.project_results import project_geopackage
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.tree import add_run_group
from randcrowns.layers.vector.tables import read_attributes
from randcrowns.ui.services.replaced_layers import watch_changes


@dataclass(frozen=True)
class Succeeded:
    """The outcome of a run that succeeded."""

    outputs: dict[str, Any]  #: Outputs of the algorithm by id.
    layers: dict[str, QgsMapLayer]  #: Result layers and tables by id of the output.
    log: str  #: Log of the algorithm.
    messages: tuple[Message, ...] = ()  #: Messages of the run.
    #: True if layers are to be added to the project that it does not have.
    add_to_project: bool = True
    #: Result of the page's reading function (see ``runner.MakeReader``), or the exception it
    #: raised.
    page_data: Any = None
    #: What the page continues with after the run; None for nothing and for earlier runs.
    kept_results: Any = None

    @property
    def row_count(self) -> int:
        """Total number of rows of all layers and tables."""
        return sum(Provenance.from_json(self.outputs[PROVENANCE.id]).rows.values())

    def for_worker_thread(self) -> Succeeded:
        """Return a copy that can be read in a worker thread.

        Vector layers are replaced by feature sources with their current features, including
        unsaved edits. Other layers are left out.
        """
        sources = {
            name: QgsVectorLayerFeatureSource(layer)
            for name, layer in self.layers.items()
            if isinstance(layer, QgsVectorLayer)
        }
        return replace(self, layers=sources)

    def messages_of(self, *topics: str) -> tuple[Message, ...]:
        """Return the messages of some topics."""
        return tuple(message for message in self.messages if message.topic in topics)

    def table(self, output: Output) -> pd.DataFrame:
        """Return the attributes of an output, an empty frame if the run did not produce it."""
        layer = self.layers.get(output.id)
        if layer is None:
            return pd.DataFrame()
        return read_attributes(layer, output=output.id)


@dataclass(frozen=True)
class Failed:
    """The outcome of a run that failed."""

    message: str  #: Why it failed, a sentence.
    log: str  #: Log of the algorithm.


@dataclass(frozen=True)
class WasCancelled:
    """The outcome of a run that was cancelled on the page or in QGIS's task manager."""


Outcome = Union[Succeeded, Failed, WasCancelled]


def file_problem(path: str) -> str:
    """Return why results cannot be saved in a file, a sentence; "" if they can.

    Args:
        path: Path of a GeoPackage that exists or is to be created.
    """
    try:
        return _find_file_problem(Path(path))
    # The path contains a name that no file can have, or a folder cannot be accessed.
    except (OSError, ValueError) as error:
        return tr(
            "Results cannot be saved in {file} ({why}). Choose another file.", file=path, why=error
        )


def temporary_destinations(outputs: Iterable[Output]) -> dict[str, str]:
    """Return the Processing destinations of temporary results, by id of the output.

    Pictures have no temporary destination and are left out.
    """
    return {
        output.id: str(QgsProcessing.TEMPORARY_OUTPUT)
        for output in outputs
        if output.kind != "picture"
    }


def destinations(outputs: Iterable[Output], file: str) -> dict[str, str]:
    """Return the Processing destinations of the results of a run, by id of the output.

    Layers and tables become new tables of a GeoPackage; a raster becomes a GeoTIFF next to it.

    Args:
        outputs: Outputs of the algorithm.
        file: Path of the GeoPackage; "" for that of the project. Without either, the results are
            temporary.
    """
    path = file or project_geopackage()
    if not path:
        return temporary_destinations(outputs)
    return {output.id: _destination(output, path) for output in outputs}


def _destination(output: Output, path: str) -> str:
    """Return the Processing destination of an output: a new table or a GeoTIFF."""
    name = table_name(output.id)
    if output.kind == "raster":
        return str(Path(path).with_name(f"{Path(path).stem}_{name}.tif"))
    return table_destination_text(path, name, "geom" if output.has_geometry else "")


def table_name(output: str) -> str:
    """Return a new table name with the current time, so that no earlier table is overwritten.

    Args:
        output: Id of the output.
    """
    return f"{output.lower()}_{datetime.now():%Y%m%d_%H%M%S_%f}"


def _find_file_problem(file: Path) -> str:
    """Return why results cannot be saved in a file, see :func:`file_problem`.

    Raises:
        OSError: if the file or its folder cannot be accessed.
        ValueError: if the path is invalid.
    """
    folder = file if file.is_dir() else file.parent
    if not file.is_absolute():
        return tr(
            "{file} does not say in which folder it is. Choose the results file with the button "
            "next to it.",
            file=file,
        )
    if not folder.is_dir():
        return tr(
            "There is no folder {folder} for the results. Create it, or choose another file.",
            folder=folder,
        )
    if file.is_dir() or file.name.lower() == ".gpkg":
        return tr("{folder} is a folder; add the name of a file for the results.", folder=folder)
    if path_exists(file) and not is_sqlite(file):
        return tr(
            "{name} already exists and is not a GeoPackage. Choose another file for the results.",
            name=file.name,
        )
    if not _can_write(file, folder):
        return tr(
            "{name} cannot be written in {folder}. Choose a folder for which you have write "
            "permission.",
            name=file.name,
            folder=folder,
        )
    return ""


def _can_write(file: Path, folder: Path) -> bool:
    """Return True if the file can be written, and files can be created in its folder."""
    if path_exists(file) and not os.access(file, os.W_OK):
        return False
    status = folder.stat()
    identity = (status.st_dev, status.st_ino, status.st_mode, status.st_uid)
    return _can_create_files(str(folder), *identity)


@lru_cache(maxsize=32)
def _can_create_files(folder: str, *_identity: int) -> bool:
    """Return True if a temporary file can be created in a folder.

    Its permissions alone do not tell whether files can be created. The result is cached because
    it is needed after each change of a form.

    Args:
        folder: Path of the folder.
        *_identity: Device, inode, mode and owner of the folder, by which a changed folder is
            tested again.
    """
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def add_result_layers(
    outcome: Succeeded,
    outputs: Iterable[Output],
    extra_values: Mapping[str, Any] | None = None,
    names: Mapping[Output, str] | None = None,
) -> dict[str, str]:
    """Add the result layers of a run, and its tables with rows, to the project as one group.

    The layers are named and styled, and the record of the run is stored in their metadata.
    Layers that the project already has are not changed.

    Args:
        outcome: The outcome of the run.
        outputs: Outputs in the order of the layer tree.
        extra_values: Further values by name that the styles use besides the run's outputs.
        names: Output -> name of its layer, if that is not the label of the output.

    Returns:
        Id of an output -> id of its layer, for all outputs that the run produced.
    """
    project = QgsProject.instance()
    layer_ids = {}
    new_layers = {}
    for output in outputs:
        layer = outcome.layers.get(output.id)
        if layer is None:
            continue  # not produced by this run
        layer_ids[output.id] = layer.id()
        if outcome.add_to_project and _is_added(output, outcome, project):
            new_layers[output] = layer
    if not new_layers:
        return layer_ids
    record = Provenance.from_json(outcome.outputs[PROVENANCE.id])
    is_import = _is_import(outcome)
    style_values = {**outcome.outputs, **(extra_values or {})}
    layer_names = names or {}
    for output, layer in new_layers.items():
        layer.setName(layer_names.get(output, output.label))
        # Imported crowns are input of later runs, and are therefore not marked as a result.
        is_result = not (is_import and output.is_reusable)
        output.style_layer(layer, style_values, mark=is_result)
        record.write_to_layer(layer, output.id)
    title = IMPORT_GROUP_TITLE if is_import else record.title
    _add_group(project, title, new_layers, is_import)
    return layer_ids


def _add_group(
    project: QgsProject, title: str, layers: Mapping[Output, QgsMapLayer], is_import: bool
) -> None:
    """Add the new layers of a run to a project as one group, and mark later changes of them.

    Args:
        project: The project.
        title: Title of the group.
        layers: Output -> its layer, from top to bottom.
        is_import: True if the layers were imported.
    """
    group = add_run_group(project, title, list(layers.values()), is_import)
    watch_changes(list(layers.values()))
    for output, layer in layers.items():
        node = group.findLayer(layer.id())
        node.setItemVisibilityChecked(output.is_visible)
        node.setExpanded(output.is_expanded)


def _is_import(outcome: Succeeded) -> bool:
    """Return True for the outcome of the algorithm that imports crowns."""
    return IMAGES_READ.id in outcome.outputs


def _is_added(output: Output, outcome: Succeeded, project: QgsProject) -> bool:
    """Return True if the layer of an output is added to the project.

    It is not added if the project has it already, or if it is a table without rows, or with nothing
    but a report of a complete import.
    """
    layer = outcome.layers[output.id]
    if project.mapLayer(layer.id()) is not None:
        return False
    return not _is_empty_table(layer) and not _reports_complete_import(output, outcome)


def _reports_complete_import(output: Output, outcome: Succeeded) -> bool:
    """Return True for the summary of an import that skipped nothing: a message says as much."""
    is_import_table = _is_import(outcome) and not output.has_geometry
    return is_import_table and not outcome.outputs.get("SKIPPED")


def _is_empty_table(layer: QgsMapLayer) -> bool:
    """Return True for a table without geometries and rows, such as pairs of a single annotator.

    A layer with geometries is a result even if it has no features.
    """
    return isinstance(layer, QgsVectorLayer) and not layer.isSpatial() and layer.featureCount() == 0
