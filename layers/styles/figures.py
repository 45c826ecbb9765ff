"""Figures of annotator experiments, drawn on matplotlib's axes for windows and files."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.errors import MissingLibraryError
from randcrowns.core.progress import Progress, no_progress, run_in_thread, subprogress
from randcrowns.core.tuning.variance import PairKind
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.installation import libraries_message
from randcrowns.layers.libraries import PLOTS
from randcrowns.layers.localization import fill_template, format_value, tr
from randcrowns.layers.raster.grid import Grid, RasterSnapshot, read_band
from randcrowns.layers.styles import DELINEATION_COLOUR, TARGET_COLOUR
from randcrowns.report import theme
from randcrowns.report.names import abbreviate_names
from randcrowns.report.score_figures import draw_scatter
from randcrowns.report.theme import encode_figure
from randcrowns.report.tuning_figures import draw_variances

#: Maximum number of values of gamma in a figure of variances.
MAX_PANELS = 24
#: Explanation of the colours of the gallery.
_GALLERY_COLOURS = tr("red: target, black: delineation, RC: RandCrowns")
#: Maximum number of pixels across a map of the gallery.
_MAX_MAP_PIXELS = 160
#: Number of pixels across a crown with which an image is checked for data.
_CHECKED_PIXELS = 16
#: Side of a map of the gallery, relative to its pair.
_MAP_SCALE = 1.25
#: Side of a map of the gallery, inches.
_MAP_INCHES = 1.9
#: Height of the title of a gallery, and of the texts above and below a map, inches.
_GALLERY_TITLE_INCHES = 0.45
_MAP_LABEL_INCHES = 0.6
#: Minimum number of maps side by side in a gallery, which its title needs.
_MIN_GALLERY_COLUMNS = 2
#: Number of panels side by side in a figure of variances.
_PANELS_PER_ROW = 4
#: Titles of the rows of the gallery by the reason why their pairs are selected.
PICK_TITLES = {
    PairKind.FORGIVEN_LARGER: tr("High RandCrowns, low IoU: larger than the target"),
    PairKind.FORGIVEN_SMALLER: tr("High RandCrowns, low IoU: smaller than the target"),
    PairKind.BOTH_HIGH: tr("Both scores high"),
    PairKind.BOTH_LOW: tr("Both scores low"),
    PairKind.RANDCROWNS_LOWER: tr("RandCrowns below IoU"),
}


def new_figure(width: float, height: float) -> Any:
    """Return an empty matplotlib figure without a window; see :func:`theme.new_figure`.

    Args:
        width: width, inches.
        height: height, inches.

    Raises:
        MissingLibraryError: if matplotlib cannot be used; the text says how to install it.
    """
    if libraries_message(PLOTS):
        raise MissingLibraryError("libraries.unusable", libraries_message(PLOTS))
    return theme.new_figure(width, height)


def render_variances(
    grid: pd.DataFrame, kind: str, progress: Progress = no_progress, provenance: str = ""
) -> bytes:
    """Return an image of the variances of a whole grid, with one panel per gamma.

    Args:
        grid: table of a grid search, see :func:`draw_variances`. Of more than :data:`MAX_PANELS`
            values of gamma, evenly distributed ones are shown, and the title says so.
        kind: ``png`` or ``svg``.
        progress: callback that receives the completed fraction.
        provenance: how the figure was made, written below it; empty for none.

    Raises:
        Cancelled: if ``progress`` raises it.
        MissingLibraryError: if matplotlib cannot be used.
    """
    gammas = np.unique(grid["gamma"].to_numpy(dtype=float))
    n_panels = min(len(gammas), MAX_PANELS)
    positions = np.linspace(0, len(gammas) - 1, n_panels).round().astype(int)
    shown_gammas = gammas[np.unique(positions)]
    n_columns = min(_PANELS_PER_ROW, len(shown_gammas))
    n_rows = math.ceil(len(shown_gammas) / n_columns)
    figure = new_figure(3.4 * n_columns, 2.9 * n_rows)  # inches
    for number, gamma in enumerate(shown_gammas, start=1):
        panel = figure.add_subplot(n_rows, n_columns, number)
        draw_variances(panel, grid, float(gamma))
        progress(0.4 * number / len(shown_gammas))

    title = tr(
        "Refused sets are hatched: / wrong pairs score too high, \\ right pairs too low, "
        "x too many crowns too small"
    )
    if len(shown_gammas) < len(gammas):
        selection = tr(
            "{shown} of {all} values of gamma.", shown=len(shown_gammas), all=len(gammas)
        )
        title = f"{selection} {title}"
    figure.suptitle(title, fontsize=9)
    return run_in_thread(
        lambda _: encode_figure(figure, kind, provenance), subprogress(progress, 0.4, 1.0)
    )


def render_scatter(
    scores: pd.DataFrame, kind: str, progress: Progress = no_progress, provenance: str = ""
) -> bytes:
    """Return an image of RandCrowns against IoU, with one series per pair of annotators.

    Args:
        scores: pairs, see :func:`draw_scatter`.
        kind: ``png`` or ``svg``.
        progress: callback that receives the completed fraction.
        provenance: how the figure was made, written below it; empty for none.

    Raises:
        Cancelled: if ``progress`` raises it.
        MissingLibraryError: if matplotlib cannot be used.
    """
    figure = new_figure(6.0, 6.0)
    draw_scatter(figure.add_subplot(), scores)
    return run_in_thread(lambda _: encode_figure(figure, kind, provenance), progress)


def render_gallery(
    picks: pd.DataFrame,
    targets: Objects,
    delineations: Objects,
    working: WorkingCrs,
    image: RasterSnapshot | None,
    kind: str,
    progress: Progress = no_progress,
    title: str = "",
    provenance: str = "",
) -> bytes:
    """Return an image with small maps of selected pairs, one row per reason of selection.

    Args:
        picks: (n rows) pairs from :func:`randcrowns.core.tuning.variance.select_pairs`.
        targets: (n,) polygons of the targets, working coordinates.
        delineations: (n,) polygons of the delineations, working coordinates.
        working: working CRS.
        image: raster behind the outlines, or None.
        kind: ``png`` or ``svg``.
        progress: callback that receives the completed fraction.
        title: parameters of the scores; an explanation of the colours follows it.
        provenance: how the figure was made, written below it; empty for none.

    Raises:
        Cancelled: if ``progress`` raises it.
        MissingLibraryError: if matplotlib cannot be used.
    """
    rows_by_kind = _group_picks(picks)
    n_columns = max([_MIN_GALLERY_COLUMNS, *(len(rows) for rows in rows_by_kind.values())])
    map_height = _MAP_INCHES + _MAP_LABEL_INCHES
    height = _GALLERY_TITLE_INCHES + map_height * max(len(rows_by_kind), 1)
    figure = new_figure(_MAP_INCHES * n_columns, height)
    if not rows_by_kind:
        figure.text(0.5, 0.5, tr("No pair has a score."), ha="center")
        return encode_figure(figure, kind, provenance)

    display_names = abbreviate_names([*picks["target_annotator"], *picks["delineation_annotator"]])
    subtitle = f"{title} · {_GALLERY_COLOURS}" if title else _GALLERY_COLOURS
    figure.suptitle(subtitle, fontsize=8, x=0.02, ha="left")
    subfigures = np.atleast_1d(figure.subfigures(len(rows_by_kind), 1))
    n_drawn = 0
    for subfigure, (pair_kind, pick_rows) in zip(subfigures, rows_by_kind.items()):
        subfigure.suptitle(PICK_TITLES[pair_kind], fontsize=9, x=0.02, ha="left")
        panels = subfigure.subplots(1, n_columns, squeeze=False)[0]
        for empty_panel in panels[len(pick_rows) :]:
            empty_panel.set_axis_off()
        for panel, row in zip(panels, pick_rows):
            _draw_pair_map(panel, targets[row], delineations[row], working, image)
            _label_pair(panel, picks.iloc[row], display_names)
            n_drawn += 1
            progress(0.8 * n_drawn / len(picks))
    content = encode_figure(figure, kind, provenance)
    progress(1.0)
    return content


def _group_picks(picks: pd.DataFrame) -> dict[PairKind, Ints]:
    """Return the positions of the selected pairs by their kind, without kinds that have none.

    Args:
        picks: (n rows) pairs with the column ``kind``.
    """
    rows_by_kind = {}
    for pair_kind in PairKind:
        is_of_kind = (picks["kind"] == pair_kind.value).to_numpy()
        if is_of_kind.any():
            rows_by_kind[pair_kind] = np.flatnonzero(is_of_kind)
    return rows_by_kind


def image_covers_any(image: RasterSnapshot, crowns: Objects, working: WorkingCrs) -> bool:
    """Return True if an image has data within the bounds of at least one crown.

    Args:
        image: raster whose first band is read.
        crowns: (n,) polygons, working coordinates.
        working: working CRS.
    """
    for bounds in shapely.bounds(crowns):
        pixel_size = max(bounds[2:] - bounds[:2]) / _CHECKED_PIXELS
        values = read_band(image, 1, Grid.from_bounds(tuple(bounds), pixel_size, working))
        if np.isfinite(values).any():
            return True
    return False


def _draw_pair_map(
    axes: Any, target: Any, delineation: Any, working: WorkingCrs, image: RasterSnapshot | None
) -> None:
    """Draw a square map of a pair with a scale bar; its origin is the centre of the pair.

    Args:
        axes: axes to draw on.
        target: polygon of the target, working coordinates.
        delineation: polygon of the delineation, working coordinates.
        working: working CRS.
        image: raster behind the outlines, or None.
    """
    left, bottom, right, top = shapely.bounds(shapely.GeometryCollection([target, delineation]))
    half_side = max(right - left, top - bottom) / 2 * _MAP_SCALE
    centre_x = (left + right) / 2
    centre_y = (bottom + top) / 2

    if image is not None:
        map_bounds = (
            centre_x - half_side,
            centre_y - half_side,
            centre_x + half_side,
            centre_y + half_side,
        )
        grid = Grid.from_bounds(map_bounds, 2 * half_side / _MAX_MAP_PIXELS, working)
        x_min, y_min, x_max, y_max = grid.bounds
        image_extent = (x_min - centre_x, x_max - centre_x, y_min - centre_y, y_max - centre_y)
        axes.imshow(_read_colours(image, grid), extent=image_extent, interpolation="bilinear")

    _draw_outline(axes, target, TARGET_COLOUR, centre_x, centre_y)
    _draw_outline(axes, delineation, DELINEATION_COLOUR, centre_x, centre_y)
    _draw_scale_bar(axes, half_side)
    axes.set(
        xlim=(-half_side, half_side),
        ylim=(-half_side, half_side),
        aspect="equal",
        xticks=[],
        yticks=[],
    )


def _label_pair(axes: Any, pair: pd.Series, display_names: dict[str, str]) -> None:
    """Write the scores of a pair above its map, and its annotators and ids below.

    Args:
        axes: axes of the map.
        pair: row of the selected pairs.
        display_names: short names by annotator.
    """
    scores = f"RC {format_value(pair['randcrowns'], 2)}   IoU {format_value(pair['iou'], 2)}"
    axes.set_title(scores, fontsize=8, pad=3)
    target = f"{display_names[pair['target_annotator']]} {pair['target_id']}"
    delineation = f"{display_names[pair['delineation_annotator']]} {pair['delineation_id']}"
    axes.set_xlabel(f"{target} /\n{delineation}", fontsize=5.5, labelpad=2)


def _draw_outline(axes: Any, polygon: Any, colour: str, centre_x: float, centre_y: float) -> None:
    """Draw the rings of a polygon or multipolygon with a light edge.

    Args:
        axes: axes to draw on.
        polygon: the polygon, working coordinates.
        colour: colour of the line.
        centre_x: x of the origin of the axes, working coordinates.
        centre_y: y of the origin of the axes.
    """
    for ring in shapely.get_rings(shapely.get_parts(polygon)):
        x, y = (shapely.get_coordinates(ring) - (centre_x, centre_y)).T
        # A light line below the outline makes it visible on any image.
        axes.plot(x, y, color="#ffffff", linewidth=2.4, alpha=0.7)
        axes.plot(x, y, color=colour, linewidth=1.4, linestyle="-")


def _draw_scale_bar(axes: Any, half_side: float) -> None:
    """Draw a scale bar with its length at the bottom left of a square map.

    Its length is 1, 2 or 5 times a power of ten metres, and at most a quarter of the map.

    Args:
        axes: axes of a map with its origin in the centre.
        half_side: half of the side of the map, metres.
    """
    length = _round_length_down(half_side / 2)
    # The map extends from -half_side to half_side in both directions.
    left = -0.9 * half_side
    bottom = -0.86 * half_side
    white_edge = ("#ffffff", 4.0)
    black_line = ("#000000", 1.6)
    for colour, width in (white_edge, black_line):
        axes.plot(
            [left, left + length],
            [bottom, bottom],
            color=colour,
            linewidth=width,
            solid_capstyle="butt",
        )
    axes.text(
        left + length / 2,
        bottom + 0.05 * half_side,
        fill_template("{length:g} m", length=length),
        fontsize=6,
        ha="center",
        va="bottom",
        bbox={"facecolor": "#ffffff", "alpha": 0.6, "linewidth": 0, "pad": 0.8},
    )


def _round_length_down(length: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten that is not above a length."""
    power = 10.0 ** math.floor(math.log10(length))
    return max(step * power for step in (1, 2, 5) if step * power <= length)


def _read_colours(image: RasterSnapshot, grid: Grid) -> Floats:
    """Read the colours of an image on a grid.

    Args:
        image: raster; the first three bands are red, green and blue. With fewer bands the first
            one is grey.
        grid: grid of the colours.

    Returns:
        (rows, columns, 3) colours from 0 to 1; white where the image has no data. Values from 0
        to 255 with a maximum above 1 are divided by 255; other values are stretched between their
        2 % and 98 % quantiles.
    """
    if image.n_bands >= 3:
        bands = [read_band(image, band, grid) for band in (1, 2, 3)]
    else:
        bands = [read_band(image, 1, grid)] * 3
    colours = np.stack(bands, axis=-1)
    is_missing = np.isnan(colours).any(axis=-1)
    values = colours[~is_missing]
    if len(values):
        low, high = 0.0, 255.0
        has_bytes = values.min() >= 0 and 1 < values.max() <= 255
        if not has_bytes:
            low, high = np.quantile(values, [0.02, 0.98])
        # The smallest divisor prevents a division by 0 in an image of one value.
        colours = np.clip((colours - low) / max(high - low, 1e-12), 0, 1)
    colours[is_missing] = 1.0  # white
    return colours
