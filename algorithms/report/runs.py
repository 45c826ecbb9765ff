"""Runs to report: found from their layers, with copies of the layers that a report shows.

Everything here runs on the main thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from qgis.core import (
    QgsApplication,
    QgsMapLayer,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
    QgsVectorLayerFeatureSource,
)

from randcrowns.algorithms.crown_algorithm import CrownAlgorithm
from randcrowns.algorithms.output_types import UNIT
from randcrowns.algorithms.parameter_types import Parameter, RunParameters
from randcrowns.algorithms.provenance import Provenance, read_output_id, read_provenance
from randcrowns.algorithms.report.schema.parameters import IMAGE, RUNS
from randcrowns.algorithms.report_content import ReportContent, ReportTable
from randcrowns.algorithms.run_history import Run, read_runs
from randcrowns.core.errors import InputError
from randcrowns.layers.files.destinations import layer_location, project_geopackage
from randcrowns.layers.files.verdict_file import VerdictFile
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.pictures import LegendEntry, MapLayers, legend_entries
from randcrowns.layers.vector.write import RESULT_PROPERTY


@dataclass(frozen=True)
class ReportedRun:
    """Run with everything that a report reads of it."""

    run: Run  #: the run.
    report_content: ReportContent  #: report content of its algorithm.
    tables: Mapping[str, QgsVectorLayerFeatureSource]  #: features by the id of the output.
    map: MapLayers  #: layers on the map, with the image below.
    image: MapLayers  #: the image alone.
    #: Legend of the layers on the map.
    legend: list[LegendEntry] = field(default_factory=list)
    #: Extent of the uppermost layer on the map, in its own CRS; empty without one.
    extent: QgsRectangle = field(default_factory=QgsRectangle)
    #: Verdicts of reviewers.
    verdicts: pd.DataFrame = field(default_factory=pd.DataFrame)
    #: Parameters that its algorithm declares.
    parameters: Sequence[Any] = ()


@dataclass(frozen=True)
class _RequestedRun:
    """Run that was requested, with the layers by which it was requested."""

    run: Run  #: the run.
    layers: Mapping[str, QgsMapLayer]  #: selected layers by the id of the output.

    def layer(self, output: str, project: QgsProject) -> QgsMapLayer | None:
        """Return the layer of an output: the selected one, the project's, or a reopened one."""
        return self.layers.get(output) or self.run.layer(output, project)


def collect_runs(given: RunParameters) -> list[ReportedRun]:
    """Return the selected runs; without a selection, the last run of the project.

    Raises:
        InputError: if no run is known, or a selected layer belongs to none.
    """
    project = given.context.project() or QgsProject.instance()
    return [_take_run(requested, given, project) for requested in _find_runs(given, project)]


def _find_runs(given: RunParameters, project: QgsProject) -> list[_RequestedRun]:
    """Return the runs of the selected layers, each once; see :func:`collect_runs`."""
    layers = given[RUNS]
    places = [layer_location(layer) for layer in layers]
    files = {str(place.file) for place in places if place is not None and place.file is not None}
    known_runs = read_runs(project, files)
    if not layers:
        if not known_runs:
            raise InputError(
                "No run of RandCrowns is known here. Run an algorithm first, or choose a layer "
                "that a run made."
            )
        return [_RequestedRun(known_runs[0], {})]

    requested: dict[str, _RequestedRun] = {}
    for layer in layers:
        run = next((run for run in known_runs if _is_result_of(run, layer)), None)
        if run is not None:
            requested.setdefault(_run_key(run.record), _RequestedRun(run, {}))
            continue
        record = read_provenance(layer)
        if record is None:
            text = (
                "Layer '{layer}' does not say by which run it was made. "
                "Choose a layer or table that a run made."
            )
            raise InputError(text, layer=layer.name())
        # The project does not list the run, but the layer itself stores its provenance.
        key = _run_key(record)
        other_layers = requested[key].layers if key in requested else {}
        requested[key] = _RequestedRun(
            Run(record, {}, record.files), {**other_layers, read_output_id(layer): layer}
        )
    return list(requested.values())


def _run_key(record: Provenance) -> str:
    """Return the id of a run; its title if an older version stored none."""
    return record.id or record.title


def _is_result_of(run: Run, layer: QgsMapLayer) -> bool:
    """Return True if a layer is a result of a run, by its id or by its file and table."""
    if layer.id() in run.layers.values():
        return True
    place = layer_location(layer)
    if place is None or place.file is None:
        return False
    results = (source.partition("|layername=") for source in run.stored_sources.values())
    return any(
        Path(file).resolve() == place.file.resolve()
        and table.lower() == (place.table or "").lower()
        for file, _, table in results
    )


class _Declarations(NamedTuple):
    """Declarations of the algorithm of a run."""

    showing: ReportContent  #: report content; at least the summary tables.
    choices: tuple[Parameter[Any], ...]  #: parameters; empty for an unknown algorithm.


def _declarations_of(run: Run) -> _Declarations:
    """Return what the algorithm of a run declares; nothing if it is no longer available."""
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(run.algorithm)
    if not isinstance(algorithm, CrownAlgorithm):
        return _Declarations(ReportContent(), ())
    showing = algorithm.report_content
    if not showing.tables:
        summaries = tuple(
            ReportTable(output) for output in algorithm.outputs if output.has_provenance_columns
        )
        showing = ReportContent(tables=summaries)
    return _Declarations(showing, algorithm.declared_parameters)


def _take_run(requested: _RequestedRun, given: RunParameters, project: QgsProject) -> ReportedRun:
    """Return a run with copies of its layers; layers that are not in the project get a style."""
    run = requested.run
    showing, choices = _declarations_of(run)
    tables = {}
    for output in showing.required_outputs:
        layer = requested.layer(output.id, project)
        if isinstance(layer, QgsVectorLayer) and layer.isValid():
            tables[output.id] = QgsVectorLayerFeatureSource(layer)

    map_layers = []
    legend = []
    extent = QgsRectangle()
    for output in showing.map:
        layer = requested.layer(output.id, project)
        if layer is None or not _can_be_mapped(layer):
            continue
        if project.mapLayer(layer.id()) is None:
            output.style_layer(layer, run.record.results)
        map_layers.append(layer)
        legend += legend_entries(layer, output.label)
        if extent.isEmpty():
            extent = layer.extent()

    context = given.context.transformContext()
    unit = str(run.record.results.get(UNIT.id) or "m")
    images = _image_layers(given, project)
    return ReportedRun(
        run,
        showing,
        tables,
        MapLayers.copy_of([*map_layers, *images], context, unit),
        MapLayers.copy_of(images, context, unit),
        legend,
        extent,
        _read_verdicts([requested.layer(output.id, project) for output in showing.map]),
        choices,
    )


def _can_be_mapped(layer: QgsMapLayer) -> bool:
    """Return True if a layer is valid and has an extent."""
    return bool(layer.isValid() and layer.isSpatial() and not layer.extent().isEmpty())


def _read_verdicts(layers: list[QgsMapLayer | None]) -> pd.DataFrame:
    """Return the verdicts of reviewers; an empty frame if there are none.

    They are in the GeoPackage of the first of the layers, or, if that is no GeoPackage, in the
    file of the project.
    """
    place = next((layer_location(layer) for layer in layers if layer is not None), None)
    file = project_geopackage()
    if place is not None and place.file is not None:
        layer_file = str(place.file)
        if layer_file.lower().endswith(".gpkg"):
            file = layer_file
    if not file:
        return pd.DataFrame()
    try:
        return VerdictFile(Path(file)).read()
    except InputError:
        # Another program made a table of this name; page Review reports it.
        return pd.DataFrame()


def _image_layers(given: RunParameters, project: QgsProject) -> list[QgsMapLayer]:
    """Return the selected image; by default the visible rasters that are no results of runs."""
    selected = given[IMAGE]
    if selected is not None:
        return [selected]
    root = project.layerTreeRoot()
    visible_ids = {node.layerId() for node in root.findLayers() if node.isVisible()}
    return [
        layer
        for layer in root.layerOrder()
        if isinstance(layer, QgsRasterLayer)
        and layer.id() in visible_ids
        and not layer.customProperty(RESULT_PROPERTY)
    ]


def default_title(runs: list[ReportedRun]) -> str:
    """Return the default title of a report: algorithm, layers and day of each run."""
    run_titles = [_run_title(taken.run) for taken in runs]
    *others, title = run_titles or [""]
    for other in reversed(others):
        title = tr("{first} and {other}", first=other, other=title)
    return title


def _run_title(run: Run) -> str:
    """Return algorithm, layers and day of a run."""
    algorithm = run.record.display_text_of("algorithm")
    # The description ends with the name of algorithms that need it to be distinguished.
    layers = run.title_without_time.removesuffix(f", {algorithm}")
    return tr("{algorithm}: {about}, {day}", algorithm=algorithm, about=layers, day=run.date)
