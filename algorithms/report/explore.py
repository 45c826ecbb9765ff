"""randcrowns:explore: a run as one HTML file to explore in a browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import NamedTuple

import numpy as np
import shapely
from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsProcessingContext,
    QgsRasterLayer,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QImage

from randcrowns.algorithms.algorithm_catalogue import EXPLORE
from randcrowns.algorithms.common_parameters import LENGTHS, OWN, PRESET, read_lengths
from randcrowns.algorithms.crown_algorithm import CrownAlgorithm, RunResults
from randcrowns.algorithms.explore_content import PageCoordinates, output_views, small_table
from randcrowns.algorithms.output_types import length_unit
from randcrowns.algorithms.parameter_types import OptionParameter, RunParameters, RunSettings
from randcrowns.algorithms.provenance import software_versions
from randcrowns.algorithms.report.content import answer_of_run, read_tables
from randcrowns.algorithms.report.runs import ReportedRun, collect_runs, default_title
from randcrowns.algorithms.report.schema.explore_parameters import (
    EXPLORE_PARAMETERS,
    EXPLORER,
    RESOLUTION,
    RUN,
)
from randcrowns.algorithms.report.schema.parameters import TITLE
from randcrowns.algorithms.report_content import ReportContent, RunOutputs
from randcrowns.core.arrays import Array, Bools, Objects, number_text
from randcrowns.core.errors import InputError
from randcrowns.core.messages import info
from randcrowns.core.progress import Progress, subprogress
from randcrowns.core.scoring.parameters import PRESETS
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.pictures import MapLayers, encode_image
from randcrowns.report.explore.content import ExploredRun, ImagePyramid, PairTable, Regions
from randcrowns.report.explore.outlines import find_bounds
from randcrowns.report.explore.outputs import ExploreParts
from randcrowns.report.explore.page import render_explorer
from randcrowns.report.explore.tiles import (
    IMAGE_MARGIN,
    Extent,
    TileLimits,
    choose_pixel_size,
    cut_tiles,
)
from randcrowns.report.words import made_sentence


@dataclass(frozen=True)
class ExploreSettings(RunSettings):
    """Settings of a page to explore, read on the main thread."""

    runs: list[ReportedRun] = field(default_factory=list)  #: the run, as the only item.
    regions: Regions | None = None  #: lengths of the run; None if it has none.
    #: Size of a pixel of the image on the ground, metres; None if it is unknown.
    native_pixel_size: float | None = None

    @property
    def run(self) -> ReportedRun:
        """The run to explore."""
        return self.runs[0]


class _FoundContent(NamedTuple):
    """Content of a page and the coordinates of its outlines."""

    parts: ExploreParts
    coordinates: PageCoordinates


class MakeExplorer(CrownAlgorithm):
    """Algorithm that writes a run as a page to explore."""

    entry = EXPLORE
    help = (
        tr(
            "Writes a run as one HTML file: a map with the image and all outlines, a table with "
            "filters, each crown with its scores and problem. Whoever opens it in a browser can "
            "give verdicts and save them as a file, which page Review adds."
        ),
        *EXPLORE_PARAMETERS,
    )
    title_layers = (RUN,)
    declared_parameters = EXPLORE_PARAMETERS
    outputs = (EXPLORER,)
    progress_shares = (0.2, 0.7)

    def read_settings(self, run_parameters: RunParameters) -> ExploreSettings:
        """Return the settings with copies of the layers of the run.

        Raises:
            InputError: if layers of several runs are selected.
        """
        runs = collect_runs(run_parameters)
        if len(runs) > 1:
            raise InputError(
                "explore.several_runs",
                "The layers are results of {count} runs. Choose one run for a page to explore.",
                count=len(runs),
            )
        return ExploreSettings.from_parameters(
            run_parameters,
            runs=runs,
            regions=_read_regions(runs[0], run_parameters.context),
            native_pixel_size=_compute_native_pixel_size(runs[0].image),
        )

    def read_layers(self, settings: ExploreSettings, progress: Progress) -> RunOutputs:
        """Read the tables and outlines of the run.

        Args:
            settings: settings of the run.
            progress: called with the fraction done.
        """
        return read_tables(settings.run, progress)

    def compute(
        self, settings: ExploreSettings, inputs: RunOutputs, progress: Progress
    ) -> ExploredRun:
        """Return the content of the page.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            progress: called with the fraction done.

        Raises:
            InputError: if the run has nothing to explore.
        """
        content = _find_content(settings, inputs)
        parts = content.parts
        if not (parts.views or parts.curves or parts.tables):
            raise InputError(
                "explore.nothing",
                "The run '{title}' has no outlines or tables to explore, or its layers were "
                "removed.",
                title=settings.run.run.title,
            )
        progress(0.2)
        image = _cut_image(settings, content, subprogress(progress, 0.2, 1.0))
        record = settings.run.run.record
        answer = answer_of_run(settings.run, inputs.with_short_names())
        return ExploredRun(
            id=record.id or record.title,
            title=settings[TITLE] or default_title(settings.runs),
            provenance=made_sentence(datetime.now(timezone.utc), software_versions()),
            answer=answer.sentences,
            unit=length_unit(inputs.record.results),
            layers=parts.layers,
            views=parts.views,
            origin=content.coordinates.origin,
            regions=settings.regions if parts.has_regions else None,
            image=image,
            curves=parts.curves,
            tables=parts.tables,
            warnings=[
                *answer.caveats,
                *_image_warnings(settings.run),
                *settings.run.run.warnings,
            ],
        )

    def build_results(
        self,
        settings: ExploreSettings,
        inputs: RunOutputs,
        findings: ExploredRun,
        progress: Progress,
    ) -> RunResults:
        """Return the page; there are no tables.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            findings: result of :meth:`compute`.
            progress: called with the fraction done.
        """
        page = render_explorer(findings).encode("utf-8", "replace")
        headline = info(
            "headline.explore",
            "{title}: {size} MB.",
            title=findings.title,
            size=number_text(len(page) / 1e6, 1),
        )
        return RunResults({}, files={EXPLORER: page}, headline=[headline])


def _read_regions(run: ReportedRun, context: QgsProcessingContext) -> Regions | None:
    """Return the lengths that a run used; None if it used none. On the main thread only."""
    record = run.run.record
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(record.algorithm)
    if not isinstance(algorithm, CrownAlgorithm):
        return None
    declared_parameters = algorithm.declared_parameters
    if not all(length in declared_parameters for length in LENGTHS):
        return None
    # Algorithms declare the parameter with different presets.
    option_parameters = [
        parameter for parameter in declared_parameters if isinstance(parameter, OptionParameter)
    ]
    preset_parameter = next(
        (parameter for parameter in option_parameters if parameter.name == PRESET.name), None
    )
    if preset_parameter is None:
        return None
    run_parameters = RunParameters(algorithm, dict(record.parameters), context)
    preset, lengths = read_lengths(run_parameters, preset_parameter)
    # Any other preset, such as that of IDTReeS, scores without these regions.
    has_regions = preset == OWN or preset in PRESETS
    return Regions.from_parameters(lengths) if has_regions else None


def _image_warnings(run: ReportedRun) -> list[str]:
    """Return the warning that crowns of several images in pixels lie on one image, or nothing."""
    image = run.one_of_several_images
    if not image:
        return []
    text = tr(
        "The page shows image {image}. The crowns of the other images lie on it, too: filter the "
        "table by plot to see those of one image.",
        image=image,
    )
    return [text]


def _find_content(settings: ExploreSettings, inputs: RunOutputs) -> _FoundContent:
    """Return the outlines, views and tables of a run.

    Args:
        settings: settings of the page.
        inputs: outputs of the run.
    """
    coordinates = PageCoordinates.for_outlines(
        inputs.geometries, inputs.crs_by_output, settings.transform_context
    )
    shapes: dict[str, Objects] = {}
    for output_id, outlines in inputs.geometries.items():
        converted = coordinates.convert(outlines, _find_crs(inputs, output_id))
        if _has_polygons(converted):
            shapes[output_id] = converted
    content = settings.run.report_content
    if content.explore is not None:
        parts = content.explore(inputs, shapes)
        # A run without targets, or without anything to compare them with, has other outlines.
        if parts.views or parts.curves or parts.tables:
            return _FoundContent(parts, coordinates)
    return _FoundContent(_default_parts(content, inputs, shapes), coordinates)


def _find_crs(inputs: RunOutputs, output_id: str) -> QgsCoordinateReferenceSystem:
    """Return the CRS of the outlines of an output."""
    return inputs.crs_by_output.get(output_id, QgsCoordinateReferenceSystem())


def _has_polygons(shapes: Objects) -> bool:
    """Return True if any outline is a polygon or a multipolygon."""
    polygon_types = (shapely.GeometryType.POLYGON, shapely.GeometryType.MULTIPOLYGON)
    return bool(np.isin(shapely.get_type_id(shapes), polygon_types).any())


def _default_parts(
    content: ReportContent, inputs: RunOutputs, shapes: Mapping[str, Objects]
) -> ExploreParts:
    """Return a view for each output with outlines, or the tables of a run without outlines.

    Args:
        content: report content of the run's algorithm.
        inputs: outputs of the run.
        shapes: outlines in coordinates of the page by the id of their output.
    """
    outputs = {output.id: output for output in (*content.map, *content.required_outputs)}
    unit = length_unit(inputs.record.results)
    parts = output_views(outputs.values(), inputs.frames, shapes, unit)
    if parts.views:
        return parts
    return replace(parts, tables=_report_tables(content, inputs, unit))


def _report_tables(content: ReportContent, inputs: RunOutputs, unit: str) -> list[PairTable]:
    """Return the tables of a run's report that have rows.

    Args:
        content: report content of the run's algorithm.
        inputs: outputs of the run.
        unit: unit of lengths, ``m`` or ``px``.
    """
    tables = []
    for table in content.tables:
        rows = inputs.table(table.output)
        if table.select_rows is not None and len(rows):
            rows = table.select_rows(rows)
        if len(rows):
            columns = [
                column
                for column in table.output.columns
                if not table.columns or column.name in table.columns
            ]
            title = table.title or table.output.label
            tables.append(small_table(title, columns, rows, unit))
    return tables


def _compute_native_pixel_size(image: MapLayers) -> float | None:
    """Return the smallest size of a pixel of the image layers in metres; None if it is unknown."""
    sizes = [
        layer.rasterUnitsPerPixelX()
        for layer in image.layers
        if isinstance(layer, QgsRasterLayer) and not layer.crs().isGeographic()
    ]
    usable_sizes = [size for size in sizes if np.isfinite(size) and size > 0]
    return min(usable_sizes, default=None)


def _cut_image(
    settings: ExploreSettings, content: _FoundContent, progress: Progress
) -> ImagePyramid | None:
    """Return the image of the run's surroundings as tiles; None without an image.

    Args:
        settings: settings of the page.
        content: outlines of the page and their coordinates.
        progress: receives the fraction done.
    """
    image = settings.run.image
    all_shapes = [shape for layer in content.parts.layers for shape in layer.shapes]
    bounds = find_bounds(np.array(all_shapes, dtype=object))
    if not image.layers or bounds is None:
        return None
    extent = Extent(*bounds).with_margin(IMAGE_MARGIN)
    coordinates = content.coordinates

    def read_part(part: Extent, width: int, height: int) -> tuple[Array, Bools]:
        """Return the pixels (height, width, 4) of a part of the image, and where it has any."""
        map_extent = coordinates.map_extent(*part)
        size = QSize(width, height)
        rendered = image.render(
            map_extent, coordinates.working.crs, size, progress, is_transparent=True
        )
        pixels = _copy_pixels(rendered)
        opacity = pixels[:, :, 3:].copy()
        # Colours are premultiplied, so that the white ground is added to them.
        pixels += 255 - opacity
        return pixels, opacity[:, :, 0] > 0

    limits = TileLimits(_choose_pixel_size(settings, extent))
    # The format of the tiles depends on the installation, so an image is encoded to find it.
    sample_image = QImage(1, 1, QImage.Format.Format_RGB32)
    mime_type = encode_image(sample_image, description="").mime_type
    return cut_tiles(read_part, _encode_pixels, mime_type, extent, limits, progress)


def _choose_pixel_size(settings: ExploreSettings, extent: Extent) -> float | None:
    """Return the requested size of a pixel, or that of the image if it is not finer than needed."""
    if settings[RESOLUTION] > 0:
        return float(settings[RESOLUTION])
    return choose_pixel_size(extent, settings.native_pixel_size)


def _copy_pixels(image: QImage) -> Array:
    """Return a copy of the pixels of an image with 32 bits per pixel, (height, width, 4)."""
    bits = image.constBits()
    bits.setsize(image.sizeInBytes())
    pixels = np.frombuffer(bits, dtype=np.uint8).reshape(image.height(), image.width(), 4)
    return pixels.copy()


def _encode_pixels(pixels: Array) -> bytes:
    """Return pixels (height, width, 4) as the content of an image file."""
    height, width, bytes_per_pixel = pixels.shape
    content = np.ascontiguousarray(pixels).tobytes()
    image = QImage(content, width, height, bytes_per_pixel * width, QImage.Format.Format_RGB32)
    return encode_image(image, description="").data
