"""What the figures of a variance experiment look like: drawn on matplotlib's axes, in a window or into a file."""

from __future__ import annotations

import functools
import io
import math
import textwrap
import threading
from typing import Any

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.errors import MissingLibraryError
from randcrowns.core.progress import Progress, aside, no_progress, part_of
from randcrowns.core.tuning.search import SetVerdict
from randcrowns.core.tuning.variance import Pick
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.installing import trouble
from randcrowns.layers.libraries import PLOTS
from randcrowns.layers.raster.grid import Grid, RasterSnapshot, read_band
from randcrowns.layers.styles import DELINEATION, TARGET
from randcrowns.layers.vector.names import short_names
from randcrowns.layers.words import filled, local, tr, written

#: Colours that people with any colour vision tell apart (Okabe and Ito), dark ones first.
_SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_MARKERS = ("o", "^", "s", "D")
_CHOSEN = "#d55e00"
#: Stands between the two names of a series.
_BETWEEN = " – "
#: Inches: height of a name, tick labels and label of an axis.
_LINE, _UNDER_AXES = 0.13, 0.45
_LOWEST = 1e-9
#: Letters of a name that an inch holds, and as many as its marker takes.
_NAME_LETTERS, _MARKER = 19, 8
#: How sets are hatched that are refused.
_HATCHES = {
    (SetVerdict.WRONG_PAIRS_TOO_HIGH.value, SetVerdict.DEGENERATE.value): "////",
    (SetVerdict.RIGHT_PAIRS_TOO_LOW.value,): "\\\\\\\\",
    (SetVerdict.TOO_MANY_LEFT_OUT.value,): "xx",
}
_MOST_TICKS = 8
_GRID = "#e6e6e6"
#: Part of the ink that colours take on a dark ground.
_LIGHTER = 0.5
#: Size of the words below a saved figure, points, and how many letters of them an inch holds.
_SMALL, _LETTERS = 5.5, 24
#: A picture shows so many values of gamma at most.
MOST_PANELS = 24
#: matplotlib's settings belong to the process: two runs that set and restore them by turns would leave theirs behind.
_SETTING = threading.Lock()


def new_figure(width: float, height: float) -> Any:
    """An empty figure, inches, that belongs to no window; a $ in a name stays what it is, and starts no formula."""
    if trouble(PLOTS):
        raise MissingLibraryError(trouble(PLOTS))
    return _plain_figure()(figsize=(width, height), layout="constrained")


@functools.cache
def _plain_figure() -> Any:
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.text import Text
    from matplotlib.ticker import LogFormatter, ScalarFormatter

    class LocalNumbers(ScalarFormatter):  # type: ignore[misc,unused-ignore]
        """matplotlib's own take their signs from the process, which QGIS keeps at those of C."""

        @staticmethod
        def fix_minus(text: str) -> str:
            return local(ScalarFormatter.fix_minus(text))

    class PlainFigure(Figure):  # type: ignore[misc,unused-ignore]
        """Only the ticks of logarithmic axes are formulas; numbers at the others are in the user's language."""

        def draw(self, renderer: Any) -> None:
            formulas: set[Any] = set()
            for axis in self.findobj(Axis):
                if isinstance(axis.get_major_formatter(), LogFormatter):
                    formulas.update(axis.get_ticklabels(which="both"))
                elif type(axis.get_major_formatter()) is ScalarFormatter:
                    axis.set_major_formatter(LocalNumbers())
            for text in self.findobj(Text):
                text.set_parse_math(text in formulas)
            super().draw(renderer)

    return PlainFigure


def picture_of(figure: Any, kind: str, made: str = "") -> bytes:
    """The figure as ``png`` or ``svg``; below it, and in the file's description, how it was ``made``."""
    from matplotlib import rc_context

    found = io.BytesIO()
    with _SETTING, rc_context({"svg.fonttype": "none"}):
        save_signed(figure, found, made, kind)
    return found.getvalue()


def save_signed(figure: Any, where: Any, made: str, kind: str | None = None) -> None:
    """Save a figure with how it was ``made`` below it, broken to its width; the figure is left as it was.

    ``where`` is an open file, or the path, whose ending says as what unless ``kind`` does: png or svg.
    """
    if not made:
        figure.savefig(where, format=kind, dpi=200)
        return
    broken = "\n".join(textwrap.wrap(made, max(20, int(figure.get_figwidth() * _LETTERS))))
    note = figure.supxlabel(broken, x=0.01, ha="left", fontsize=_SMALL, color="#444444")
    figure.savefig(where, format=kind, dpi=200, metadata={"Description": made})
    note.set_text("")


def set_up(axes: Any, title: str = "", size: float = 10, **properties: Any) -> None:
    """Give axes a title, their properties, and a light grid behind all that is drawn."""
    axes.set(title=title, **properties)
    axes.title.set_fontsize(size)
    axes.grid(True, color=_GRID, linewidth=0.6)
    axes.set_axisbelow(True)


def put_on(figure: Any, ground: str, ink: str) -> None:
    """Have a figure that was drawn for white paper stand on another ground: its greys go from the ink to the ground.

    On a dark ground colours are lighter. What lies on cells of colours stays as it is.
    """
    from matplotlib.collections import PathCollection, QuadMesh
    from matplotlib.colors import to_rgb

    dark, light = np.array(to_rgb(ink)), np.array(to_rgb(ground))
    lighter = _LIGHTER * (dark.mean() > light.mean())

    def turned(colour: Any) -> Any:
        rgb = np.array(to_rgb(colour))
        return dark + rgb * (light - dark) if np.ptp(rgb) == 0 else rgb + lighter * (dark - rgb)

    figure.set_facecolor(ground)
    for axes in figure.axes:
        axes.set_facecolor(ground)
        axes.tick_params(which="both", colors=ink, grid_color=turned(_GRID))
        legend, shaded = (
            axes.get_legend(),
            any(isinstance(one, QuadMesh) for one in axes.collections),
        )
        for text in (
            axes.title,
            axes.xaxis.label,
            axes.yaxis.label,
            *(legend.get_texts() if legend else ()),
        ):
            text.set_color(ink)
        for spine in axes.spines.values():
            spine.set_edgecolor(ink)
        if axes.images or shaded:
            continue
        for one in (*axes.lines, *axes.texts, *(legend.get_lines() if legend else ())):
            one.set_color(turned(one.get_color()))
        for points in (*axes.collections, *(legend.findobj(PathCollection) if legend else ())):
            points.set_facecolor([(*turned(rgba[:3]), rgba[3]) for rgba in points.get_facecolor()])


def draw_scatter(axes: Any, frame: pd.DataFrame, title: str = "", chosen: int = -1) -> None:
    """RandCrowns against IoU, one point per row (Fig. 2); one series per value of the column ``series``, if any."""
    set_up(
        axes,
        title,
        8,
        xlim=(-0.02, 1.02),
        ylim=(-0.02, 1.02),
        xlabel="IoU",
        ylabel="RandCrowns",
        aspect="equal",
    )
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8, linestyle=":")
    several = "series" in frame and len(frame["series"].unique()) > 1
    groups = frame.groupby("series", sort=True) if several else [("", frame)]
    of_series = _names_of_series(frame) if several else {"": ("",)}
    written = short_names(name for names in of_series.values() for name in names)
    for number, (name, rows) in enumerate(groups):
        axes.scatter(
            rows["iou"],
            rows["randcrowns"],
            s=14,
            color=_SERIES[number % len(_SERIES)],
            marker=_MARKERS[number // len(_SERIES) % len(_MARKERS)],
            alpha=0.6,
            linewidths=0,
            label=_BETWEEN.join(written[part] for part in of_series[str(name)]),
        )
    if several:
        legend_beside(axes)
    if 0 <= chosen < len(frame):
        row = frame.iloc[chosen]
        axes.plot(
            row["iou"], row["randcrowns"], "o", color="#000000", ms=8.4, mew=2, fillstyle="none"
        )


def _names_of_series(frame: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    """For each series the two who drew its pairs, in the order of the run; its own name where that is not told."""
    both = [name for name in ("target_annotator", "delineation_annotator") if name in frame]
    if not both:
        return {str(series): (str(series),) for series in frame["series"].unique()}
    order = list(dict.fromkeys(frame[both].to_numpy().ravel()))
    first = frame.drop_duplicates("series")
    pairs = first[both].itertuples(index=False, name=None)
    return {
        str(series): tuple(sorted(pair, key=order.index))
        for series, pair in zip(first["series"], pairs)
    }


def legend_beside(axes: Any) -> None:
    """A legend that covers no point: right of the axes in a wide figure, below in a narrow one; none without room."""
    from matplotlib.transforms import ScaledTranslation

    width, height = axes.figure.get_size_inches()
    words = {"fontsize": 7, "frameon": False, "markerscale": 1.4, "borderaxespad": 0.0}
    _, labels = axes.get_legend_handles_labels()
    longest = max(map(len, labels))
    fits = (longest + _MARKER) / _NAME_LETTERS <= width / 3 and len(labels) * _LINE <= height
    if width > 1.4 * height and fits:
        axes.legend(loc="center left", bbox_to_anchor=(1.04, 0.5), **words)
        return
    columns = min(2, int(0.9 * width * _NAME_LETTERS / (longest + _MARKER)))
    if len(labels) * _LINE <= columns * height / 2:
        below = axes.transAxes + ScaledTranslation(0, -_UNDER_AXES, axes.figure.dpi_scale_trans)
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0), "bbox_transform": below}
        axes.legend(**place, ncol=columns, columnspacing=1.0, **words)
        axes.set_anchor(
            "N"
        )  # axes that are no wider than high leave their room below, to the legend
        axes.figure.draw_without_rendering()  # the axes follow the legend, and the legend the axes


def draw_variances(
    axes: Any,
    grid: pd.DataFrame,
    gamma: float,
    chosen: tuple[float, float] | None = None,
    bar: Any = None,
) -> tuple[Floats, Floats]:
    """The variance over alpha and omega for one gamma, on a scale that all gammas share.

    Sets that wrong pairs score too high with are hatched with strokes, those that right pairs score too low with with
    strokes the other way, those that leave too many crowns out with crosses; dots mark the recommended ones of the
    grid, a frame the set that is ``chosen``.

    Args:
        axes: where to draw.
        grid: the table of a grid search.
        gamma: one of its values.
        chosen: alpha, omega.
        bar: axes of an earlier bar that explained the colours, to be drawn on again.

    Returns:
        The alphas (rows) and omegas (columns) of the cells, which are one unit wide and high from 0.
    """
    from matplotlib.colors import LogNorm
    from matplotlib.ticker import FixedLocator, FuncFormatter

    class Ticks(FixedLocator):
        """As many as have room."""

        def tick_values(self, vmin: float, vmax: float) -> Any:
            self.nbins = min(_MOST_TICKS, max(2, self.axis.get_tick_space()))
            return super().tick_values(vmin, vmax)

    known = grid["variance"].to_numpy(dtype=float)
    known = known[np.isfinite(known) & (known > 0)]
    low, high = (
        (max(known.min(), _LOWEST), max(known.max(), 2 * _LOWEST)) if len(known) else (_LOWEST, 1.0)
    )
    rows = grid[grid["gamma"] == gamma].sort_values(["alpha", "omega"])
    alphas, omegas = (np.unique(rows[name].to_numpy(dtype=float)) for name in ("alpha", "omega"))
    shape = len(alphas), len(omegas)
    verdict = rows["verdict"].to_numpy().reshape(shape)
    values = np.ma.masked_invalid(
        np.maximum(rows["variance"].to_numpy(dtype=float).reshape(shape), low)
    )
    across, up = np.arange(len(omegas) + 1), np.arange(len(alphas) + 1)
    mesh = axes.pcolormesh(
        across, up, values, norm=LogNorm(low, max(high, low * 1.01)), cmap="viridis"
    )
    for refused, hatch in _HATCHES.items():
        wanted = np.isin(verdict, refused)
        if wanted.any():
            masked: Any = np.ma.masked_array(np.zeros(verdict.shape), ~wanted)
            axes.pcolor(
                across, up, masked, hatch=hatch, alpha=0.0, edgecolors="#ffffff", linewidth=0.0
            )
            axes.collections[-1].set(alpha=None, facecolor="none", edgecolor="#ffffff")
    best = rows[rows["rank"].notna() & (rows["rank"].astype("Float64") <= 10)]
    for some, marker, size in ((best["rank"] == 1, "*", 9), (best["rank"] > 1, ".", 5)):
        column, row = (
            np.searchsorted(omegas, best["omega"][some]),
            np.searchsorted(alphas, best["alpha"][some]),
        )
        axes.plot(column + 0.5, row + 0.5, marker, color="#ffffff", markersize=size)
    if chosen is not None:
        corner = (
            np.flatnonzero(np.isclose(omegas, chosen[1])),
            np.flatnonzero(np.isclose(alphas, chosen[0])),
        )
        if len(corner[0]) and len(corner[1]):
            x, y = corner[0][0], corner[1][0]
            axes.plot(
                [x, x + 1, x + 1, x, x], [y, y, y + 1, y + 1, y], color=_CHOSEN, linewidth=2.5
            )
    axes.tick_params(labelsize=8)
    axes.set(
        xlabel=tr("omega (m)"), ylabel=tr("alpha (m)"), title=tr("gamma {gamma:g}", gamma=gamma)
    )
    axes.title.set_fontsize(8)
    for axis, values_there in ((axes.xaxis, omegas), (axes.yaxis, alphas)):
        axis.set_major_locator(Ticks(np.arange(len(values_there)) + 0.5))
        axis.set_major_formatter(
            FuncFormatter(
                lambda at, _, values=values_there: local(f"{values[int(at) % len(values)]:g}")
            )
        )
    if bar is not None:
        bar.clear()
    bar = axes.figure.colorbar(
        mesh, cax=bar, ax=axes, shrink=0.9, label=tr("variance of RandCrowns")
    )
    if (
        high >= 100 * low
    ):  # there are two ticks at least, and the dozens between take longer to draw than all the rest
        bar.minorticks_off()
    return alphas, omegas


def variance_picture(
    grid: pd.DataFrame, kind: str, progress: Progress = no_progress, made: str = ""
) -> bytes:
    """The whole grid, one panel per gamma, as ``png`` or ``svg``; of many gammas some, and it says so."""
    gammas = np.unique(grid["gamma"].to_numpy(dtype=float))
    shown = gammas[
        np.unique(
            np.linspace(0, len(gammas) - 1, min(len(gammas), MOST_PANELS)).round().astype(int)
        )
    ]
    columns = min(4, len(shown))
    lines = -(-len(shown) // columns)
    figure = new_figure(3.4 * columns, 2.9 * lines)
    for number, gamma in enumerate(shown):
        draw_variances(figure.add_subplot(lines, columns, number + 1), grid, float(gamma))
        progress(0.4 * (number + 1) / len(shown))
    said = tr(
        "Refused sets are hatched: / wrong pairs score too high, \\ right pairs too low, x too many crowns too small"
    )
    if len(shown) < len(gammas):
        some = tr("{shown} of {all} values of gamma.", shown=len(shown), all=len(gammas))
        said = f"{some} {said}"
    figure.suptitle(said, fontsize=9)
    return aside(lambda _: picture_of(figure, kind, made), part_of(progress, 0.4, 1.0))


def scatter_picture(
    scores: pd.DataFrame, kind: str, progress: Progress = no_progress, made: str = ""
) -> bytes:
    """RandCrowns against IoU, one series per pair of annotators, as ``png`` or ``svg``."""
    figure = new_figure(6.0, 6.0)
    draw_scatter(figure.add_subplot(), scores)
    return aside(lambda _: picture_of(figure, kind, made), progress)


_COLOURS = tr("red: target, black: delineation, RC: RandCrowns")
_MOST_PIXELS = 160
#: Pixels across a crown, to see whether an image covers any of it.
_FEW_PIXELS = 16
_ROOM = 1.25
_INCHES = 1.9
#: Kind of a pair in the gallery -> its title.
PICKS = {
    Pick.FORGIVEN_LARGER: tr("High RandCrowns, low IoU: larger than the target"),
    Pick.FORGIVEN_SMALLER: tr("High RandCrowns, low IoU: smaller than the target"),
    Pick.BOTH_HIGH: tr("Both scores high"),
    Pick.BOTH_LOW: tr("Both scores low"),
    Pick.RANDCROWNS_LOWER: tr("RandCrowns below IoU"),
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
    made: str = "",
) -> bytes:
    """The sheet as ``png`` or ``svg``: a line of maps per kind of pair.

    Args:
        picks: the pairs, as :func:`randcrowns.core.tuning.variance.gallery_picks` gives them.
        targets, drawn: (n,) the target of each and its delineation, working coordinates.
        image: drawn behind, or None.
        title: what the scores were made with; the colours are explained beside it.
        made: how, written below.
    """
    lines = [pick for pick in Pick if (picks["pick"] == pick.value).any()]
    columns = int(picks.groupby("pick").size().max()) if len(picks) else 1
    figure = new_figure(_INCHES * max(columns, 2), 0.45 + (_INCHES + 0.6) * max(len(lines), 1))
    if not lines:
        figure.text(0.5, 0.5, tr("No pair has a score."), ha="center")
        return picture_of(figure, kind, made)
    names = short_names([*picks["target_annotator"], *picks["delineation_annotator"]])
    figure.suptitle(" · ".join(filter(None, [title, _COLOURS])), fontsize=8, x=0.02, ha="left")
    parts = np.atleast_1d(figure.subfigures(len(lines), 1))
    done = 0
    for part, pick in zip(parts, lines):
        rows = np.flatnonzero((picks["pick"] == pick.value).to_numpy())
        part.suptitle(PICKS[pick], fontsize=9, x=0.02, ha="left")
        panels = part.subplots(1, max(columns, 2), squeeze=False)[0]
        for panel in panels[len(rows) :]:
            panel.set_axis_off()
        for panel, row in zip(panels, rows):
            _draw_pair(panel, picks.iloc[row], targets[row], drawn[row], working, image, names)
            done += 1
            progress(0.8 * done / len(picks))
    found = picture_of(figure, kind, made)
    progress(1.0)
    return found


def covers_some(image: RasterSnapshot, crowns: Objects, working: WorkingCrs) -> bool:
    """Whether the image has data within the bounds of any of the crowns, working coordinates."""
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
    for shape, colour, style in ((target, TARGET, "-"), (drawn, DELINEATION, "-")):
        for ring in shapely.get_rings(shapely.get_parts(shape)):
            line = shapely.get_coordinates(ring) - (x, y)
            axes.plot(line[:, 0], line[:, 1], color="#ffffff", linewidth=2.4, alpha=0.7)
            axes.plot(line[:, 0], line[:, 1], color=colour, linewidth=1.4, linestyle=style)
    _scale_bar(axes, half)
    axes.set(xlim=(-half, half), ylim=(-half, half), aspect="equal", xticks=[], yticks=[])
    axes.set_title(
        f"RC {written(pair['randcrowns'], 2)}   IoU {written(pair['iou'], 2)}", fontsize=8, pad=3
    )
    both = [
        f"{names[pair[f'{side}_annotator']]} {pair[f'{side}_id']}"
        for side in ("target", "delineation")
    ]
    axes.set_xlabel(" /\n".join(both), fontsize=5.5, labelpad=2)


def _scale_bar(axes: Any, half: float) -> None:
    """A bar of 1, 2 or 5 times a power of ten metres, about a quarter of the map."""
    about = half / 2
    power = 10.0 ** math.floor(math.log10(about))
    length = max(step * power for step in (1, 2, 5) if step * power <= about)
    start, height = -0.9 * half, -0.86 * half
    for colour, width in (("#ffffff", 4.0), ("#000000", 1.6)):
        axes.plot(
            [start, start + length],
            [height, height],
            color=colour,
            linewidth=width,
            solid_capstyle="butt",
        )
    x, y, told = start + length / 2, height + 0.05 * half, filled("{length:g} m", length=length)
    box = {"facecolor": "#ffffff", "alpha": 0.6, "linewidth": 0, "pad": 0.8}
    axes.text(x, y, told, fontsize=6, ha="center", va="bottom", bbox=box)


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
