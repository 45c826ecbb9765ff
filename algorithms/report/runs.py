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
    QgsFeatureRequest,
    QgsMapLayer,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
    QgsVectorLayerFeatureSource,
)

from randcrowns.algorithms.crown_algorithm import CrownAlgorithm
from randcrowns.algorithms.output_types import length_unit
from randcrowns.algorithms.parameter_types import Parameter, RunParameters
from randcrowns.algorithms.provenance import Provenance, read_output_id, read_provenance
from randcrowns.algorithms.report.schema.parameters import IMAGE, RUNS
from randcrowns.algorithms.report_content import ReportContent, ReportTable
from randcrowns.algorithms.run_history import Run, read_runs
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.files import LAYER_SEPARATOR
from randcrowns.layers.databases import are_same_table
from randcrowns.layers.files.destinations import layer_location
from randcrowns.layers.files.project_results import project_geopackage
from randcrowns.layers.files.verdict_file import VerdictFile
from randcrowns.layers.localization import format_date, tr
from randcrowns.layers.raster.image_names import (
    image_field,
    is_image_in_pixels,
    names_of_image,
    read_image_names,
)
from randcrowns.layers.styles.colouring import low_score_legend
from randcrowns.layers.styles.image_filter import draw_only, named_images_condition
from randcrowns.layers.styles.pictures import LegendEntry, MapLayers, legend_entries
from randcrowns.layers.styles.tree import combined_extent
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
    #: Image alone by the plot of crowns in pixels, whose images lie on one another; empty for
    #: other crowns.
    image_by_plot: Mapping[str, MapLayers] = field(default_factory=dict)
    #: Name of the only image in :attr:`image`, if the crowns lie on several images in pixels.
    one_of_several_images: str = ""

    def image_of(self, plot: str) -> MapLayers:
        """Return the image below the crowns of a plot; no layers if it is not in the project."""
        if not self.image_by_plot:
            return self.image
        nothing = MapLayers((), self.image.transform_context, self.image.unit)
        return self.image_by_plot.get(plot, nothing)


@dataclass(frozen=True)
class _RequestedRun:
    """Run that was requested, with the layers by which it was requested."""

    run: Run  #: the run.
    layers: Mapping[str, QgsMapLayer]  #: selected layers by the id of the output.

    def layer(self, output: str, project: QgsProject) -> QgsMapLayer | None:
        """Return the layer of an output: the selected one, the project's, or a reopened one."""
        return self.layers.get(output) or self.run.layer(output, project)


def collect_runs(run_parameters: RunParameters) -> list[ReportedRun]:
    """Return the selected runs; without a selection, the last run of the project.

    Raises:
        InputError: if no run is known, or a selected layer belongs to none.
    """
    project = run_parameters.context.project() or QgsProject.instance()
    requested_runs = _find_runs(run_parameters[RUNS], project)
    return [_report_run(requested, run_parameters, project) for requested in requested_runs]


def _find_runs(layers: Sequence[QgsMapLayer], project: QgsProject) -> list[_RequestedRun]:
    """Return the runs of the selected layers, each run once.

    Args:
        layers: selected layers; without any, the last run of the project is returned.
        project: project that lists its runs.

    Raises:
        InputError: if no run is known, or a selected layer belongs to none.
    """
    files: set[str] = set()
    for layer in layers:
        location = layer_location(layer)
        if location is not None and location.file is not None:
            files.add(str(location.file))
    known_runs = read_runs(project, files)
    if not layers:
        if not known_runs:
            raise InputError(
                "report.no_run",
                "No run of RandCrowns is known here. Run an algorithm first, or choose a layer "
                "that a run made.",
            )
        return [_RequestedRun(known_runs[0], {})]

    runs_by_key: dict[str, _RequestedRun] = {}
    for layer in layers:
        known_run = next((run for run in known_runs if _is_result_of(run, layer)), None)
        if known_run is not None:
            key = _run_key(known_run.record)
            if key not in runs_by_key:
                runs_by_key[key] = _RequestedRun(known_run, {})
            continue
        record = _read_own_provenance(layer)
        key = _run_key(record)
        run_layers: dict[str, QgsMapLayer] = {}
        if key in runs_by_key:
            # Several layers of one run are requested together.
            run_layers.update(runs_by_key[key].layers)
        run_layers[read_output_id(layer)] = layer
        own_run = Run(record, layers={}, stored_sources=record.files)
        runs_by_key[key] = _RequestedRun(own_run, run_layers)
    return list(runs_by_key.values())


def _read_own_provenance(layer: QgsMapLayer) -> Provenance:
    """Return the provenance that a layer itself stores, as the project does not list its run.

    Raises:
        InputError: if the layer stores none.
    """
    record = read_provenance(layer)
    if record is None:
        text = (
            "Layer '{layer}' does not say by which run it was made. "
            "Choose a layer or table that a run made."
        )
        raise InputError("report.layer_without_run", text, layer=layer.name())
    return record


def _run_key(record: Provenance) -> str:
    """Return the id of a run; its title if an older version stored none."""
    return record.id or record.title


def _is_result_of(run: Run, layer: QgsMapLayer) -> bool:
    """Return True if a layer is a result of a run, by its id or by its file and table."""
    if layer.id() in run.layers.values():
        return True
    location = layer_location(layer)
    if location is None or location.file is None:
        return False
    layer_file = location.file.resolve()
    for source in run.stored_sources.values():
        file, _, table = source.partition(LAYER_SEPARATOR)
        if Path(file).resolve() == layer_file and are_same_table(table, location.table):
            return True
    return False


class _Declarations(NamedTuple):
    """Declarations of the algorithm of a run."""

    report_content: ReportContent  #: report content; at least the summary tables.
    parameters: tuple[Parameter[Any], ...]  #: parameters; empty for an unknown algorithm.


def _find_declarations(run: Run) -> _Declarations:
    """Return the declarations of a run's algorithm; empty if it is no longer available."""
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(run.algorithm)
    if not isinstance(algorithm, CrownAlgorithm):
        return _Declarations(ReportContent(), ())
    report_content = algorithm.report_content
    if not report_content.tables:
        summaries = tuple(
            ReportTable(output) for output in algorithm.outputs if output.has_provenance_columns
        )
        report_content = ReportContent(tables=summaries)
    return _Declarations(report_content, algorithm.declared_parameters)


def _report_run(
    requested: _RequestedRun, run_parameters: RunParameters, project: QgsProject
) -> ReportedRun:
    """Return a run with copies of its layers; layers that are not in the project get a style.

    Args:
        requested: the run and the layers by which it was requested.
        run_parameters: parameters of the report.
        project: project that is searched for the other layers of the run.
    """
    run = requested.run
    report_content, declared_parameters = _find_declarations(run)
    tables = {}
    for output in report_content.required_outputs:
        layer = requested.layer(output.id, project)
        if isinstance(layer, QgsVectorLayer) and layer.isValid():
            tables[output.id] = QgsVectorLayerFeatureSource(layer)

    context = run_parameters.context.transformContext()
    unit = length_unit(run.record.results)
    images = _find_image_layers(run_parameters, project)
    mapped_results = [requested.layer(output.id, project) for output in report_content.map]
    plot_images = _find_plot_images(mapped_results, run_parameters, project)
    shown_image = next((image for image in images if image in plot_images.values()), None)
    if shown_image is not None:
        # The other images would be below it, with crowns of their own.
        images = [
            image for image in images if image is shown_image or not is_image_in_pixels(image)
        ]
    run_map = _copy_map_layers(requested, report_content, project, shown_image)
    image_copies = {
        image.id(): MapLayers.copy_of([image], context, unit) for image in plot_images.values()
    }
    return ReportedRun(
        run=run,
        report_content=report_content,
        tables=tables,
        map=MapLayers.copy_of([*run_map.layers, *images], context, unit),
        image=MapLayers.copy_of(images, context, unit),
        legend=run_map.legend,
        extent=run_map.extent,
        verdicts=_read_verdicts(mapped_results),
        parameters=declared_parameters,
        image_by_plot={plot: image_copies[image.id()] for plot, image in plot_images.items()},
        one_of_several_images=_name_one_of_several(shown_image, mapped_results),
    )


def _name_one_of_several(
    shown_image: QgsMapLayer | None, results: Sequence[QgsMapLayer | None]
) -> str:
    """Return the name of the shown image in pixels if the crowns lie on further images, else "".

    Args:
        shown_image: image below the crowns; None for crowns on a map.
        results: results of the run with outlines.
    """
    if shown_image is None:
        return ""
    other_names = _read_names_of_images(results) - names_of_image(shown_image)
    return str(shown_image.name()) if other_names else ""


def _read_names_of_images(results: Sequence[QgsMapLayer | None]) -> set[str]:
    """Return the names of the images of crowns in pixels; empty for other crowns."""
    names: set[str] = set()
    for layer in results:
        if isinstance(layer, QgsVectorLayer) and layer.isValid():
            names |= read_image_names(layer)
    return names


class _RunMap(NamedTuple):
    """Results of a run on a map."""

    layers: list[QgsMapLayer]  #: copies of the layers in the style of reports, the upper first.
    legend: list[LegendEntry]  #: entries of all layers.
    extent: QgsRectangle  #: extent of the first layer that is not empty.


def _copy_map_layers(
    requested: _RequestedRun,
    report_content: ReportContent,
    project: QgsProject,
    shown_image: QgsMapLayer | None,
) -> _RunMap:
    """Copy the layers that a report shows on its map, and style the copies.

    A layer that is not in the project gets the style of its output.

    Args:
        requested: the run and the layers by which it was requested.
        report_content: outputs to show, and how to style and name them.
        project: project that is searched for the other layers of the run.
        shown_image: image in pixels whose crowns are drawn alone; None to draw all crowns.
    """
    run = requested.run
    copies = []
    legend = []
    extent = QgsRectangle()
    for output in report_content.map:
        layer = requested.layer(output.id, project)
        if layer is None or not _can_be_mapped(layer):
            continue
        # A layer of the project already has its style.
        if project.mapLayer(layer.id()) is None:
            output.style_layer(layer, run.record.results)
        layer_copy = layer.clone()
        copies.append(layer_copy)
        if isinstance(layer_copy, QgsVectorLayer):
            report_content.style_map(layer_copy, output, run.record)
            condition = _image_condition(layer_copy, shown_image)
            draw_only(layer_copy, condition)
        name = report_content.name_map(run.record) or output.label
        legend += legend_entries(layer_copy, name)
        if isinstance(layer_copy, QgsVectorLayer):
            legend += low_score_legend(layer_copy)
        if extent.isEmpty():
            extent = _compute_drawn_extent(layer, shown_image)
    return _RunMap(copies, legend, extent)


def _image_condition(layer: QgsVectorLayer, image: QgsMapLayer | None) -> str:
    """Return the expression that selects the crowns on an image in pixels; "" for all crowns."""
    names = set() if image is None else read_image_names(layer) & names_of_image(image)
    return named_images_condition(image_field(layer), names) if names else ""


def _compute_drawn_extent(layer: QgsMapLayer, image: QgsMapLayer | None) -> QgsRectangle:
    """Return the extent of the features that a map with an image in pixels draws.

    Args:
        layer: layer of the map.
        image: image whose crowns are drawn alone; None for all features.
    """
    condition = _image_condition(layer, image) if isinstance(layer, QgsVectorLayer) else ""
    if not condition:
        return layer.extent()
    request = QgsFeatureRequest().setFilterExpression(condition)
    return combined_extent(feature.geometry() for feature in layer.getFeatures(request))


def _can_be_mapped(layer: QgsMapLayer) -> bool:
    """Return True if a layer is valid and has an extent."""
    return bool(layer.isValid() and layer.isSpatial() and not layer.extent().isEmpty())


def _read_verdicts(layers: list[QgsMapLayer | None]) -> pd.DataFrame:
    """Return the verdicts of reviewers; an empty frame if there are none.

    They are in the GeoPackage of the first of the layers, or, if that is no GeoPackage, in the
    file of the project.
    """
    location = next((layer_location(layer) for layer in layers if layer is not None), None)
    file = project_geopackage()
    if location is not None and location.file is not None:
        layer_file = str(location.file)
        if layer_file.lower().endswith(".gpkg"):
            file = layer_file
    if not file:
        return pd.DataFrame()
    try:
        return VerdictFile(Path(file)).read()
    except InputError:
        # Another program made a table of this name; page Review reports it.
        return pd.DataFrame()


def _find_image_layers(run_parameters: RunParameters, project: QgsProject) -> list[QgsMapLayer]:
    """Return the selected image; by default the visible rasters that are no results of runs."""
    selected_image = run_parameters[IMAGE]
    if selected_image is not None:
        return [selected_image]
    root = project.layerTreeRoot()
    visible_ids = {node.layerId() for node in root.findLayers() if node.isVisible()}
    images = []
    for layer in root.layerOrder():
        is_visible_raster = isinstance(layer, QgsRasterLayer) and layer.id() in visible_ids
        is_result = layer.customProperty(RESULT_PROPERTY)
        if is_visible_raster and not is_result:
            images.append(layer)
    return images


def _find_plot_images(
    results: Sequence[QgsMapLayer | None], run_parameters: RunParameters, project: QgsProject
) -> dict[str, QgsMapLayer]:
    """Return the images of crowns in pixels by the name of their plot.

    Args:
        results: results of the run with outlines.
        run_parameters: parameters of the report.
        project: project that contains the images.

    Returns:
        The selected image, or those of the project, visible or not; empty for other crowns.
    """
    names = _read_names_of_images(results)
    if not names:
        return {}
    selected_image = run_parameters[IMAGE]
    candidates = [selected_image]
    if selected_image is None:
        candidates = list(project.mapLayers().values())
    images = {}
    for image in filter(is_image_in_pixels, candidates):
        for name in names & names_of_image(image):
            images[name] = image
    return images


def default_title(runs: list[ReportedRun]) -> str:
    """Return the default title of a report: algorithm, layers and day of each run."""
    run_titles = [_run_title(reported_run.run) for reported_run in runs]
    if not run_titles:
        return ""
    title = run_titles[-1]
    for earlier_title in reversed(run_titles[:-1]):
        title = tr("{first} and {other}", first=earlier_title, other=title)
    return title


def _run_title(run: Run) -> str:
    """Return algorithm, layers and day of a run."""
    algorithm = run.record.display_text_of("algorithm")
    # The description ends with the name of algorithms that need it to be distinguished.
    layers = run.title_without_time.removesuffix(f", {algorithm}")
    # The day stays on one line.
    day = format_date(run.time).replace(" ", "\N{NO-BREAK SPACE}")
    return tr("{algorithm}: {about}, {day}", algorithm=algorithm, about=layers, day=day)
