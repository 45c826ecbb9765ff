"""What became of a run, and the GeoPackage that keeps its results."""

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

from randcrowns.algorithms.output import IMAGES_READ, Output
from randcrowns.algorithms.record import RECORD, Record
from randcrowns.core.remarks import Remark
from randcrowns.layers.compat import is_there
from randcrowns.layers.databases import is_sqlite
from randcrowns.layers.files.places import project_file
from randcrowns.layers.styles.tree import add_run_group
from randcrowns.layers.vector.tables import table_of
from randcrowns.layers.words import tr
from randcrowns.ui.services.replacing import follow_touches


@dataclass(frozen=True)
class Succeeded:
    """The algorithm's outputs; layers by output name, those the project lacks are ``added`` unless shown again."""

    outputs: dict[str, Any]
    layers: dict[str, QgsMapLayer]
    log: str
    remarks: tuple[Remark, ...] = ()
    added: bool = True
    #: What the page read of it, or the exception that this raised.
    read: Any = None

    @property
    def rows(self) -> int:
        """Rows of all layers and tables."""
        return sum(Record.from_json(self.outputs[RECORD.id]).rows.values())

    def sources(self) -> Succeeded:
        """The same for another thread: in place of its layers is what they hold now."""
        vector = [
            (name, layer)
            for name, layer in self.layers.items()
            if isinstance(layer, QgsVectorLayer)
        ]
        return replace(
            self, layers={name: QgsVectorLayerFeatureSource(layer) for name, layer in vector}
        )

    def said(self, *topics: str) -> tuple[Remark, ...]:
        """The remarks of these topics."""
        return tuple(remark for remark in self.remarks if remark.topic in topics)

    def table(self, output: Output) -> pd.DataFrame:
        """The rows of a layer or table that was made; none where it was not."""
        return table_of(self.layers[output.id]) if output.id in self.layers else pd.DataFrame()


@dataclass(frozen=True)
class Failed:
    """The sentence that says why."""

    message: str
    log: str


@dataclass(frozen=True)
class WasCancelled:
    """The user stopped it, here or among the tasks of QGIS."""


Outcome = Union[Succeeded, Failed, WasCancelled]


def file_problem(path: str) -> str:
    """Why results cannot be kept in this file, in a sentence; empty when they can."""
    try:
        return _problem(Path(path))
    except (
        OSError,
        ValueError,
    ) as error:  # a name that no file can have, a folder that may not be looked into
        return tr(
            "No results can be kept in {file} ({why}); choose another file.", file=path, why=error
        )


def in_memory(outputs: Iterable[Output]) -> dict[str, str]:
    """Temporary places of the layers and tables among the outputs, by id."""
    return {
        output.id: str(QgsProcessing.TEMPORARY_OUTPUT)
        for output in outputs
        if output.kind != "picture"
    }


def places_of(outputs: Iterable[Output], file: str) -> dict[str, str]:
    """Where each output goes, by id: into the file, or the project's when that is empty; else into memory.

    It is a new table of the file; for a raster a GeoTIFF beside it.
    """
    file = file or project_file()
    return (
        {output.id: _place_of(output, file) for output in outputs} if file else in_memory(outputs)
    )


def _place_of(output: Output, file: str) -> str:
    if output.kind == "raster":
        return str(Path(file).with_name(f"{Path(file).stem}_{table_name(output.id)}.tif"))
    geometry = " (geom)" if output.has_geometry else ""
    return f"ogr:dbname='{file}' table=\"{table_name(output.id)}\"{geometry}"


def table_name(output: str) -> str:
    """Name of a new table: it carries the time, so that no run writes over an earlier one's."""
    return f"{output.lower()}_{datetime.now():%Y%m%d_%H%M%S_%f}"


def _problem(file: Path) -> str:
    there = is_there(file)
    folder = file if file.is_dir() else file.parent
    named: dict[str, Any] = {"file": file, "name": file.name, "folder": folder}
    if "'" in str(file):
        return tr("The file's path must not have an apostrophe (') in it.")
    if not file.is_absolute():
        return tr(
            "{file} does not say in which folder; choose the results' file with the button beside it.",
            **named,
        )
    if not folder.is_dir():
        return tr(
            "There is no folder {folder} for the results; make it, or choose another file.", **named
        )
    if file.is_dir() or file.name.lower() == ".gpkg":
        return tr("{folder} is a folder; add the name of a file for the results.", **named)
    if there and not is_sqlite(file):
        return tr(
            "{name} is there already and is no GeoPackage; choose another file for the results.",
            **named,
        )
    facts = folder.stat()
    identity = facts.st_dev, facts.st_ino, facts.st_mode, facts.st_uid
    if (there and not os.access(file, os.W_OK)) or not _takes_files(str(folder), *identity):
        return tr(
            "{name} cannot be written in {folder}; choose a file for the results in a folder of yours.",
            **named,
        )
    return ""


@lru_cache(maxsize=32)
def _takes_files(folder: str, *_identity: int) -> bool:
    """Whether a file can be made in the folder; its rights alone do not tell, and it is asked often."""
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def add_result_layers(
    outcome: Succeeded,
    outputs: Iterable[Output],
    others: Mapping[str, Any] | None = None,
    names: Mapping[Output, str] | None = None,
) -> dict[str, str]:
    """Add the layers, and tables with rows, to the project as one group; the layers' ids by output.

    Args:
        others: for the styles, beside the run's own outputs.
        names: of layers that are not called as their output.
    """
    record, imported = (
        Record.from_json(outcome.outputs[RECORD.id]),
        IMAGES_READ.id in outcome.outputs,
    )
    project = QgsProject.instance()
    named = [output for output in outputs if output.id in outcome.layers]
    ids = {output.id: outcome.layers[output.id].id() for output in named}
    made = [
        output for output in named if outcome.added and project.mapLayer(ids[output.id]) is None
    ]
    made = [output for output in made if _holds_something(outcome.layers[output.id])]
    if not made:
        return ids
    layers = [outcome.layers[output.id] for output in made]
    for output, layer in zip(made, layers):
        layer.setName((names or {}).get(output, output.label))
        output.dress(
            layer, {**outcome.outputs, **(others or {})}, mark=not (imported and output.reusable)
        )
        record.describe(layer, output.id)
    group = add_run_group(project, record.title, layers, imported)
    follow_touches(layers)
    for output, node in zip(made, group.findLayers()):
        node.setItemVisibilityChecked(output.shown)
        node.setExpanded(output.unfolded)
    return ids


def _holds_something(layer: QgsMapLayer) -> bool:
    """False of a table without rows, as of the pairs of a single annotator; a layer without any is an answer."""
    return not isinstance(layer, QgsVectorLayer) or layer.isSpatial() or layer.featureCount() != 0
