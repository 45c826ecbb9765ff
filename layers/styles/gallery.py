"""A sheet of small maps: pairs of crowns over the image, with both scores (Stewart et al. 2021, Figs. 4 to 8)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.tuning.gallery import Pick
from randcrowns.layers.raster.grid import Grid, RasterSnapshot, read_band
from randcrowns.layers.styles.figures import new_figure, picture_of
from randcrowns.layers.vector.crs import WorkingCrs
from randcrowns.layers.vector.names import short_names

_TARGET, _DELINEATION = "#d7191c", "#000000"
_COLOURS = "red: target, black: delineation, RC: RandCrowns"
_MOST_PIXELS = 160
#: Pixels across a crown, to see whether an image covers any of it.
_FEW_PIXELS = 16
_ROOM = 1.25
_INCHES = 1.9
_TITLES = {
    Pick.FORGIVEN_LARGER: "High RandCrowns, low IoU: larger than the target",
    Pick.FORGIVEN_SMALLER: "High RandCrowns, low IoU: smaller than the target",
    Pick.BOTH_HIGH: "Both scores high",
    Pick.BOTH_LOW: "Both scores low",
    Pick.RANDCROWNS_LOWER: "RandCrowns below IoU",
}


def gallery_picture(
    picks: pd.DataFrame,
    targets: Objects,
    drawn: Objects,
    working: WorkingCrs,
    image: RasterSnapshot | None,
    kind: str,
    progress: Progress = no_progress,
    title: str = "",
) -> bytes:
    """The sheet as ``png`` or ``svg``: a line of maps per kind of pair.

    Args:
        picks: the pairs, as :func:`randcrowns.core.tuning.gallery.gallery_picks` gives them.
        targets: (n,) the target of each, working coordinates.
        drawn: (n,) its delineation.
        working: where the coordinates are.
        image: drawn behind, or None.
        kind: png or svg.
        progress: told the fraction done.
        title: what the scores were made with; the colours are explained beside it.

    Raises:
        InputError: without matplotlib, or when the image cannot be read.
    """
    lines = [pick for pick in Pick if (picks["pick"] == pick.value).any()]
    columns = int(picks.groupby("pick").size().max()) if len(picks) else 1
    figure = new_figure(_INCHES * max(columns, 2), 0.45 + (_INCHES + 0.6) * max(len(lines), 1))
    if not lines:
        figure.text(0.5, 0.5, "No pair has a score.", ha="center")
        return picture_of(figure, kind)
    names = short_names([*picks["target_annotator"], *picks["delineation_annotator"]])
    figure.suptitle(" · ".join(filter(None, [title, _COLOURS])), fontsize=8)
    parts = np.atleast_1d(figure.subfigures(len(lines), 1))
    done = 0
    for part, pick in zip(parts, lines):
        rows = np.flatnonzero((picks["pick"] == pick.value).to_numpy())
        part.suptitle(_TITLES[pick], fontsize=9, x=0.02, ha="left")
        panels = part.subplots(1, max(columns, 2), squeeze=False)[0]
        for panel in panels[len(rows) :]:
            panel.set_axis_off()
        for panel, row in zip(panels, rows):
            _draw_pair(panel, picks.iloc[row], targets[row], drawn[row], working, image, names)
            done += 1
            progress(0.8 * done / len(picks))
    found = picture_of(figure, kind)
    progress(1.0)
    return found


def covers_some(image: RasterSnapshot, crowns: Objects, working: WorkingCrs) -> bool:
    """Whether the image has data within the bounds of any of the crowns.

    Args:
        image: a raster in any coordinate system.
        crowns: polygons, working coordinates.
        working: where the coordinates are.

    Raises:
        InputError: when the image cannot be read.
    """
    for bounds in shapely.bounds(crowns):
        pixel = max(bounds[2:] - bounds[:2]) / _FEW_PIXELS
        if np.isfinite(read_band(image, 1, Grid.covering(tuple(bounds), pixel, working))).any():
            return True
    return False


def _draw_pair(
    axes: Any,
    pair: pd.Series,
    target: Any,
    drawn: Any,
    working: WorkingCrs,
    image: RasterSnapshot | None,
    names: dict[str, str],
) -> None:
    left, bottom, right, top = shapely.bounds(shapely.GeometryCollection([target, drawn]))
    half = max(right - left, top - bottom) / 2 * _ROOM
    x, y = (left + right) / 2, (bottom + top) / 2
    bounds = (x - half, y - half, x + half, y + half)
    if image is not None:
        grid = Grid.covering(bounds, 2 * half / _MOST_PIXELS, working)
        shown = grid.bounds[0] - x, grid.bounds[2] - x, grid.bounds[1] - y, grid.bounds[3] - y
        axes.imshow(_colours(image, grid), extent=shown, interpolation="bilinear")
    for shape, colour, style in ((target, _TARGET, "-"), (drawn, _DELINEATION, "-")):
        for ring in shapely.get_rings(shapely.get_parts(shape)):
            line = shapely.get_coordinates(ring) - (x, y)
            axes.plot(line[:, 0], line[:, 1], color="#ffffff", linewidth=2.4, alpha=0.7)
            axes.plot(line[:, 0], line[:, 1], color=colour, linewidth=1.4, linestyle=style)
    _scale_bar(axes, half)
    axes.set(xlim=(-half, half), ylim=(-half, half), aspect="equal", xticks=[], yticks=[])
    axes.set_title(f"RC {pair['randcrowns']:.2f}   IoU {pair['iou']:.2f}", fontsize=8, pad=3)
    axes.set_xlabel(
        f"{names[pair['target_annotator']]} {pair['target_id']} /\n"
        f"{names[pair['delineation_annotator']]} {pair['delineation_id']}",
        fontsize=5.5,
        labelpad=2,
    )


def _scale_bar(axes: Any, half: float) -> None:
    """A bar of 1, 2 or 5 times a power of ten metres, about a quarter of the map."""
    about = half / 2
    power = 10.0 ** math.floor(math.log10(about))
    length = max(step * power for step in (1, 2, 5) if step * power <= about)
    start, height = -0.9 * half, -0.86 * half
    for colour, width in (("#ffffff", 4.0), ("#000000", 1.6)):
        axes.plot([start, start + length], [height, height], color=colour, linewidth=width, solid_capstyle="butt")
    axes.text(
        start + length / 2,
        height + 0.05 * half,
        f"{length:g} m",
        fontsize=6,
        ha="center",
        va="bottom",
        bbox={"facecolor": "#ffffff", "alpha": 0.6, "linewidth": 0, "pad": 0.8},
    )


def _colours(image: RasterSnapshot, grid: Grid) -> Floats:
    """(rows, columns, 3) 0 to 1; white where the image has no data. Bytes as they are, other numbers stretched."""
    bands = [1, 2, 3] if image.bands >= 3 else [1, 1, 1]
    values = {band: read_band(image, band, grid) for band in set(bands)}
    stack = np.stack([values[band] for band in bands], axis=-1)
    missing = np.isnan(stack).any(axis=-1)
    known = stack[~missing]
    if len(known):
        low, high = 0.0, 255.0
        if known.min() < 0 or known.max() > 255 or known.max() <= 1:
            low, high = np.quantile(known, [0.02, 0.98])
        stack = np.clip((stack - low) / max(high - low, 1e-12), 0, 1)
    stack[missing] = 1.0
    return stack
