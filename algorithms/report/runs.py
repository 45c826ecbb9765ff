"""The runs that a report is about, found by their layers and taken on the main thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.algorithms.choice import Choice, Given
from randcrowns.algorithms.output import UNIT, Output
from randcrowns.algorithms.record import output_of, record_of
from randcrowns.algorithms.report.choices import IMAGE, RUNS
from randcrowns.algorithms.runs import Run, runs_of
from randcrowns.algorithms.showing import Showing, ShownTable
from randcrowns.core.errors import InputError
from randcrowns.layers.files.places import layer_place, project_file
from randcrowns.layers.files.verdicts import VerdictFile
from randcrowns.layers.styles.pictures import LegendEntry, MapLayers, legend_of
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.layers.words import tr


@dataclass(frozen=True)
class TakenRun:
    """A run with all that a report needs of it."""

    run: Run  #: the run.
    showing: Showing  #: what is shown of it.
    tables: Mapping[str, QgsVectorLayerFeatureSource]  #: its layers and tables, by output.
    map: MapLayers  #: the layers drawn on its map, the image below.
    image: MapLayers  #: the image alone.
    legend: list[LegendEntry] = field(default_factory=list)  #: of the layers on the map.
    extent: QgsRectangle = field(
        default_factory=QgsRectangle
    )  #: of the upper one, in its own system.
    verdicts: pd.DataFrame = field(default_factory=pd.DataFrame)  #: of reviewers.
    choices: Sequence[Any] = ()  #: that its algorithm declares.


@dataclass(frozen=True)
class _Found:
    run: Run
    layers: Mapping[str, QgsMapLayer]

    def layer(self, output: str, project: QgsProject) -> QgsMapLayer | None:
        """The layer of an output: one that was given, else the project's, else one opened."""
        return self.layers.get(output) or self.run.layer(output, project)


def take_runs(given: Given) -> list[TakenRun]:
    """The runs that were chosen; without any the last of the project."""
    project = given.context.project() or QgsProject.instance()
    return [_taken(found, given, project) for found in _found(given, project)]


def _found(given: Given, project: QgsProject) -> list[_Found]:
    layers = given[RUNS]
    places = [
        place for place in map(layer_place, layers) if place is not None and place.file is not None
    ]
    known = runs_of(project, {str(place.file) for place in places})
    if not layers:
        if not known:
            raise InputError(
                "No run of RandCrowns is known here; run something first, or choose a layer that a run made."
            )
        return [_Found(known[0], {})]
    found: dict[str, _Found] = {}
    for layer in layers:
        run = next((one for one in known if _made(one, layer)), None)
        record, output = (None, "") if run else (record_of(layer), output_of(layer))
        if run is not None:
            found.setdefault(run.record.id or run.title, _Found(run, {}))
        elif record is not None:
            before = found.get(record.id or record.title)
            own = {} if before is None else before.layers
            found[record.id or record.title] = _Found(
                Run(record, {}, record.files), {**own, output: layer}
            )
        else:
            said = "Layer '{layer}' does not say by which run it was made; choose a layer or table that a run made."
            raise InputError(said, layer=layer.name())
    return list(found.values())


def _made(run: Run, layer: QgsMapLayer) -> bool:
    """Whether a layer is among those of a run."""
    if layer.id() in run.layers.values():
        return True
    place = layer_place(layer)
    if place is None or place.file is None:
        return False
    kept = (source.partition("|layername=") for source in run.places.values())
    return any(
        Path(file).resolve() == place.file.resolve()
        and table.lower() == (place.table or "").lower()
        for file, _, table in kept
    )


def _taken(found: _Found, given: Given, project: QgsProject) -> TakenRun:
    run = found.run
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(run.algorithm)
    showing = Showing()
    declared: tuple[Output, ...] = ()
    choices: tuple[Choice[Any], ...] = ()
    if isinstance(algorithm, CrownAlgorithm):
        showing, declared, choices = algorithm.showing, algorithm.outputs, algorithm.choices
    if not showing.tables:
        showing = Showing(tables=tuple(ShownTable(output) for output in declared if output.summary))
    tables, unit = {}, str(run.record.results.get(UNIT.id) or "m")
    for output in showing.needed:
        layer = found.layer(output.id, project)
        if isinstance(layer, QgsVectorLayer) and layer.isValid():
            tables[output.id] = QgsVectorLayerFeatureSource(layer)
    shown, legend, extent = [], [], QgsRectangle()
    for output in showing.map:
        layer = found.layer(output.id, project)
        if (
            layer is None
            or not layer.isValid()
            or not layer.isSpatial()
            or layer.extent().isEmpty()
        ):
            continue
        if project.mapLayer(layer.id()) is None:
            output.dress(layer, run.record.results)
        shown.append(layer)
        legend += legend_of(layer, output.label)
        extent = layer.extent() if extent.isEmpty() else extent
    context = given.context.transformContext()
    images = _images(given, project)
    return TakenRun(
        run,
        showing,
        tables,
        MapLayers.of([*shown, *images], context, unit),
        MapLayers.of(images, context, unit),
        legend,
        extent,
        _verdicts([found.layer(output.id, project) for output in showing.map]),
        choices,
    )


def _verdicts(layers: list[QgsMapLayer | None]) -> pd.DataFrame:
    """Those in the GeoPackage of the first layer, where it has one, else in that of the project; none without any."""
    place = next((layer_place(layer) for layer in layers if layer is not None), None)
    kept = None if place is None or place.file is None else str(place.file)
    file = kept if kept and kept.lower().endswith(".gpkg") else project_file()
    try:
        return VerdictFile(Path(file)).read() if file else pd.DataFrame()
    except InputError:  # a table of somebody else's: page Review tells
        return pd.DataFrame()


def _images(given: Given, project: QgsProject) -> list[QgsMapLayer]:
    """The image that was chosen; else the rasters that the map shows, but for those that runs made."""
    chosen = given[IMAGE]
    if chosen is not None:
        return [chosen]
    shown = project.layerTreeRoot().layerOrder()
    visible = {node.layerId() for node in project.layerTreeRoot().findLayers() if node.isVisible()}
    return [
        layer
        for layer in shown
        if isinstance(layer, QgsRasterLayer)
        and layer.id() in visible
        and not layer.customProperty(RESULT_PROPERTY)
    ]


def titles(runs: list[TakenRun]) -> str:
    """What a report is called: what was done with which layers, on which day."""
    named = [
        tr(
            "{algorithm}: {about}, {day}",
            algorithm=done,
            about=run.about.removesuffix(f", {done}"),
            day=run.day,
        )
        for run in (one.run for one in runs)
        for done in [run.record.words_of("algorithm")]  # which some are told apart by
    ]
    *before, last = named or [""]
    for title in reversed(before):
        last = tr("{first} and {other}", first=title, other=last)
    return last
