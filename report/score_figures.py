"""Figures of scores, drawn on matplotlib's axes: means, distributions, problems and plots."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Floats
from randcrowns.report.colours import (
    GRID_COLOUR,
    INK,
    QUIET_COLOUR,
    SERIES_COLOURS,
)
from randcrowns.report.language import format_interval, format_value, tr
from randcrowns.report.names import abbreviate_names, display_names
from randcrowns.report.theme import MAX_VECTOR_MARKS, SERIES_MARKERS, add_legend, set_up_axes

#: Separator of the two annotators in the name of a series.
_NAME_SEPARATOR = " – "
#: Font size of texts in figures, points.
TEXT = 8.0
#: Font size of texts of secondary importance, points.
SMALL_TEXT = 7.0
#: Number of decimals of scores in figures, as in the tables.
SCORE_DIGITS = 3
#: Height of a row with a text above its mark, inches.
ROW_HEIGHT = 0.36
#: Height of a row with a text left of its mark, inches.
COMPACT_ROW_HEIGHT = 0.17
#: Colour of the part of a bar that :func:`draw_problems` distinguishes.
_DARK_PART_COLOUR = "#6b2f00"
#: Height of a bar of :func:`draw_problems`, inches.
BAR_HEIGHT = 0.24
#: Height of the axis below the rows, inches.
AXIS_HEIGHT = 0.42
#: Width of a diagram with further diagrams next to it, inches.
PANEL_WIDTH = 3.4
#: Maximum number of plots in a diagram; the number of further plots is stated.
MAX_PLOTS = 40
#: Maximum number of crowns that have a dot each; of more crowns, a shape shows the distribution.
MAX_DOTS = 200
#: Number of classes of a score in a distribution.
_CLASSES = 50
#: Height of the text above a row, and of the mark in a row; a row has the height 1.
_TEXT_POSITION = 0.72
_MARK_POSITION = 0.28
#: Half of the height of a distribution in a row.
_HALF_SHAPE = 0.26
#: Height of the name of a point and width of its letters, as shares of the axes.
_NAME_HEIGHT = 0.065
_LETTER_WIDTH = 0.027
#: Horizontal distances of a name from its point, and number of vertical steps in each direction,
#: of half the height of a name.
_NAME_DISTANCES = (0.09, 0.05, 0.03, 0.15, 0.22, 0.3)
_NAME_STEPS = 8
#: Distance around a name without points, so that it is not read as the name of another point.
_NAME_CLEARANCE = 1 / 40
#: Maximum length of a name left of a compact row, letters.
_MAX_COMPACT_NAME = 16


def drawing(draw: Callable[..., Any], *arguments: Any) -> Callable[[Any], object]:
    """Return a function that draws on axes with arguments."""
    return lambda axes: draw(axes, *arguments)


class MeanOfLayer(NamedTuple):
    """Mean score of a layer or plot, with its interval."""

    name: str  #: name of the layer or plot.
    mean: float  #: mean score, 0 to 1.
    low: float  #: lower end of the interval; NaN without one.
    high: float  #: upper end of the interval; NaN without one.

    @property
    def text(self) -> str:
        """Mean with its interval in brackets."""
        return format_interval(self.mean, self.low, self.high, SCORE_DIGITS)

    @property
    def has_interval(self) -> bool:
        """True if both ends of the interval are known."""
        return not (math.isnan(self.low) or math.isnan(self.high))


def sort_means(means: Sequence[MeanOfLayer], lowest_first: bool = False) -> list[MeanOfLayer]:
    """Return means from the highest to the lowest, or from the lowest; missing ones last."""
    sign = 1.0 if lowest_first else -1.0
    return sorted(means, key=lambda row: (row.mean != row.mean, sign * row.mean))


def means_height(n_rows: int) -> float:
    """Return the height of a figure of :func:`draw_means` or :func:`draw_distributions`, inches."""
    return AXIS_HEIGHT + ROW_HEIGHT * n_rows


def draw_means(axes: Any, means: Sequence[MeanOfLayer], label: str) -> None:
    """Draw means as points and their intervals as bars, in one row per layer.

    Above each row stand the name and the numbers.

    Args:
        axes: matplotlib axes to draw on.
        means: means from the uppermost row to the lowest.
        label: label of the axis, the name of the score.
    """
    _set_up_rows(axes, len(means), label)
    names = display_names(row.name for row in means)
    for number, row in enumerate(means):
        bottom = len(means) - 1 - number
        _label_row(axes, bottom, names[row.name], row.text)
        bar_style = {"linewidth": 2.2, "solid_capstyle": "butt"}
        _draw_mean(axes, row, bottom + _MARK_POSITION, 5, bar_style)


def _draw_mean(
    axes: Any, row: MeanOfLayer, height: float, point_size: float, bar_style: Mapping[str, Any]
) -> None:
    """Draw a mean as a point and its interval as a bar; a value that is NaN is not drawn.

    Args:
        axes: matplotlib axes to draw on.
        row: the mean.
        height: position on the y axis.
        point_size: size of the point, points.
        bar_style: matplotlib properties of the bar.
    """
    if row.low == row.low and row.high == row.high:
        axes.plot([row.low, row.high], [height, height], color=SERIES_COLOURS[0], **bar_style)
    if row.mean == row.mean:
        axes.plot(row.mean, height, "o", color=SERIES_COLOURS[0], markersize=point_size)


def draw_distributions(axes: Any, scores: Mapping[str, Floats], label: str) -> None:
    """Draw the distribution of a score in one row per layer, with a line at the median.

    Up to :data:`MAX_DOTS` crowns have a dot each. The dots of equal scores are stacked. Of more
    crowns, the height of a shape is the share of the crowns in a class of the score.

    Args:
        axes: matplotlib axes to draw on.
        scores: scores of the crowns of each layer, without NaN, from the uppermost row to the
            lowest.
        label: label of the axis, the name of the score.
    """
    _set_up_rows(axes, len(scores), label)
    names = display_names(scores)
    has_equal_counts = len(scores) > 1 and len({len(values) for values in scores.values()}) == 1
    for number, (layer, values) in enumerate(scores.items()):
        bottom = len(scores) - 1 - number
        n_crowns = tr("{count:,} crowns", one="{count:,} crown", count=len(values))
        if has_equal_counts:
            n_crowns = tr("{count:,} crowns each", count=len(values)) if number == 0 else ""
        _label_row(axes, bottom, names[layer], n_crowns)
        if not len(values):
            continue
        height = bottom + _MARK_POSITION
        if len(values) <= MAX_DOTS:
            _draw_dots(axes, values, height)
        else:
            _draw_shape(axes, values, height)
        median = float(np.median(values))
        axes.plot(
            [median, median],
            [height - _HALF_SHAPE, height + _HALF_SHAPE],
            color=INK,
            linewidth=1.2,
        )


def _set_up_rows(axes: Any, n_rows: int, label: str) -> None:
    """Prepare axes for rows of height 1 with a score from 0 to 1 along the x axis."""
    set_up_axes(axes, title="", size=TEXT, xlim=(-0.02, 1.02), ylim=(0, n_rows), xlabel=label)
    axes.grid(False, axis="y")
    axes.set_yticks([])
    axes.tick_params(labelsize=SMALL_TEXT, color=QUIET_COLOUR)
    axes.xaxis.label.set_fontsize(TEXT)
    _show_bottom_spine_only(axes)
    axes.spines["bottom"].set_color(QUIET_COLOUR)
    for boundary in range(1, n_rows):
        axes.axhline(boundary, color=GRID_COLOUR, linewidth=0.6)


def _show_bottom_spine_only(axes: Any) -> None:
    """Hide the lines at the top, left and right of a diagram."""
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def _label_row(axes: Any, bottom: int, name: str, numbers: str) -> None:
    """Write a name at the left end of a row and its numbers at the right end."""
    height = bottom + _TEXT_POSITION
    axes.text(-0.01, height, name, fontsize=TEXT, va="center", ha="left")
    axes.text(1.01, height, numbers, fontsize=TEXT, va="center", ha="right")


def _draw_dots(axes: Any, values: Floats, height: float) -> None:
    """Draw a dot per value around a height; values in one class are stacked symmetrically."""
    classes = np.round(values * _CLASSES).astype(int)
    order = np.argsort(classes, kind="stable")
    _, first, counts = np.unique(classes[order], return_index=True, return_counts=True)
    place = np.arange(len(values)) - np.repeat(first, counts)
    offset = np.empty(len(values))
    offset[order] = place - (np.repeat(counts, counts) - 1) / 2
    # Stacks that would be higher than the row are compressed.
    step = min(0.09, 2 * _HALF_SHAPE / max(int(counts.max()), 1))
    axes.plot(
        values,
        height + step * offset,
        "o",
        color=SERIES_COLOURS[0],
        markersize=2.6,
        markeredgewidth=0,
        alpha=0.75,
    )


def _draw_shape(axes: Any, values: Floats, height: float) -> None:
    """Draw the share of values per class as a symmetrical shape around a height."""
    counts, edges = np.histogram(values, bins=_CLASSES, range=(0.0, 1.0))
    half = _HALF_SHAPE * counts / max(int(counts.max()), 1)
    axes.fill_between(
        edges,
        height - np.append(half, half[-1]),
        height + np.append(half, half[-1]),
        step="post",
        color=SERIES_COLOURS[0],
        alpha=0.75,
        linewidth=0,
    )


def draw_problems(
    axes: Any,
    counts: Mapping[str, int],
    maximum: int,
    title: str = "",
    parts: Mapping[str, int] | None = None,
) -> None:
    """Draw the number of crowns with each problem as bars.

    Args:
        axes: matplotlib axes to draw on.
        counts: numbers of crowns by the label of the problem, from the uppermost bar to the lowest.
        maximum: highest number on the axis, the same for all layers.
        title: title of the axes.
        parts: numbers of crowns by label that are the dark part of a bar; None for none.
    """
    set_up_axes(
        axes,
        title,
        TEXT,
        xlim=(0, max(maximum, 1) * 1.16),
        ylim=(len(counts) - 0.5, -0.5),
        xlabel=tr("number of crowns"),
    )
    axes.grid(False, axis="y")
    axes.xaxis.label.set_fontsize(TEXT)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.tick_params(labelsize=TEXT, color=QUIET_COLOUR)
    axes.set_yticks(range(len(counts)), list(counts))
    axes.tick_params(axis="y", length=0)
    _show_bottom_spine_only(axes)
    axes.barh(range(len(counts)), list(counts.values()), color=SERIES_COLOURS[1], height=0.62)
    if parts:
        dark = [parts.get(label, 0) for label in counts]
        axes.barh(range(len(counts)), dark, color=_DARK_PART_COLOUR, height=0.62)
    for row, count in enumerate(counts.values()):
        number = format_value(count, 0)
        axes.text(count + 0.015 * max(maximum, 1), row, number, fontsize=TEXT, va="center")


def draw_plot_means(axes: Any, means: Sequence[MeanOfLayer], label: str) -> None:
    """Draw the means of plots as points and their intervals as bars, in one compact row per plot.

    Args:
        axes: matplotlib axes to draw on.
        means: means from the uppermost row to the lowest.
        label: label of the axis, the name of the score.
    """
    set_up_axes(
        axes, title="", size=TEXT, xlim=(-0.02, 1.3), ylim=(len(means) - 0.5, -0.5), xlabel=label
    )
    names = abbreviate_names([row.name for row in means], _MAX_COMPACT_NAME, _MAX_COMPACT_NAME)
    axes.set_yticks(range(len(means)), [names[row.name] for row in means], fontsize=SMALL_TEXT)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    axes.tick_params(labelsize=SMALL_TEXT, color=QUIET_COLOUR)
    axes.xaxis.label.set_fontsize(TEXT)
    _show_bottom_spine_only(axes)
    for number, row in enumerate(means):
        _draw_mean(axes, row, number, 3.6, {"linewidth": 1.6})
        numbers = format_value(row.mean, SCORE_DIGITS)
        axes.text(1.29, number, numbers, fontsize=SMALL_TEXT, va="center", ha="right")


def draw_scatter(
    axes: Any,
    frame: pd.DataFrame,
    title: str = "",
    selected_row: int = -1,
    names: Mapping[int, str] | None = None,
) -> None:
    """Draw RandCrowns against IoU with one point per pair (Stewart et al. 2021, Fig. 2).

    Args:
        axes: matplotlib axes to draw on.
        frame: pairs with the columns ``iou`` and ``randcrowns``. If there is a column ``series``
            with several values, each has its own colour or marker and an entry in the legend. The
            entry shows the columns ``target_annotator`` and ``delineation_annotator`` if present.
        title: title of the axes.
        selected_row: position of the row whose point gets a ring; -1 for none.
        names: names of some points by the position of the row.
    """
    set_up_axes(
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

    _draw_series(axes, frame)
    if names:
        _name_points(axes, frame, names)
    if 0 <= selected_row < len(frame):
        row = frame.iloc[selected_row]
        axes.plot(
            row["iou"], row["randcrowns"], "o", color="#000000", ms=8.4, mew=2, fillstyle="none"
        )


def _draw_series(axes: Any, frame: pd.DataFrame) -> None:
    """Draw the points of a scatter plot, and a legend if there are several series.

    Args:
        axes: axes of :func:`draw_scatter`.
        frame: pairs; see :func:`draw_scatter`.
    """
    labels = series_labels(frame)
    series = frame.groupby("series", sort=True) if labels else [("", frame)]
    for number, (series_name, rows) in enumerate(series):
        axes.scatter(
            rows["iou"],
            rows["randcrowns"],
            s=14,
            color=SERIES_COLOURS[number % len(SERIES_COLOURS)],
            marker=SERIES_MARKERS[number // len(SERIES_COLOURS) % len(SERIES_MARKERS)],
            alpha=0.6,
            linewidths=0,
            label=labels.get(str(series_name), ""),
            rasterized=len(frame) > MAX_VECTOR_MARKS,
        )
    if labels:
        add_legend(axes)


def series_labels(frame: pd.DataFrame) -> dict[str, str]:
    """Return the name of each series in the legend of a scatter plot; empty for a single series.

    Args:
        frame: pairs; see :func:`draw_scatter`.
    """
    if "series" not in frame or frame["series"].nunique() < 2:
        return {}
    series_names = _names_of_series(frame)
    shown_names = display_names(name for pair in series_names.values() for name in pair)
    return {
        series: _NAME_SEPARATOR.join(shown_names[name] for name in annotators)
        for series, annotators in series_names.items()
    }


def _name_points(axes: Any, frame: pd.DataFrame, names: Mapping[int, str]) -> None:
    """Write names next to points, where neither points nor other names are; each has a line.

    A name without such a place is omitted.

    Args:
        axes: axes of :func:`draw_scatter`.
        frame: pairs with the columns ``iou`` and ``randcrowns``.
        names: names by the position of the row.
    """
    points = frame[["iou", "randcrowns"]].to_numpy(dtype=float)
    boxes: list[_NameBox] = []
    for row, name in names.items():
        box = _free_box(points[row], len(name), points, boxes)
        if box is None:
            continue
        boxes.append(box)
        axes.annotate(
            name,
            tuple(points[row]),
            (box.right if box.is_left_of_point else box.left, (box.bottom + box.top) / 2),
            fontsize=SMALL_TEXT,
            ha="right" if box.is_left_of_point else "left",
            va="center",
            arrowprops={"arrowstyle": "-", "color": QUIET_COLOUR, "linewidth": 0.6},
        )


class _NameBox(NamedTuple):
    """Box of the name of a point, in shares of the axes."""

    left: float
    bottom: float
    right: float
    top: float
    is_left_of_point: bool  #: True for a name left of its point.

    def is_clear_of(self, points: Floats) -> bool:
        """Return True if no point (n, 2) is in the box or nearer to it than the clearance."""
        x, y = points.T
        gap = _NAME_CLEARANCE
        is_near_x = (x > self.left - gap) & (x < self.right + gap)
        is_near_y = (y > self.bottom - gap) & (y < self.top + gap)
        return not (is_near_x & is_near_y).any()

    def is_nearest_to(self, point: Floats, points: Floats) -> bool:
        """Return True if no other point (n, 2) is as near to the box as the named point (2,)."""
        distance = self._distance(point[None, :])[0]
        others = points[(points != point).any(axis=1)]
        return not (self._distance(others) <= distance).any()

    def _distance(self, points: Floats) -> Floats:
        """Return the distance (n,) of points (n, 2) from the box; NaN for a missing point."""
        x, y = points.T
        across = np.maximum(np.maximum(self.left - x, x - self.right), 0.0)
        upwards = np.maximum(np.maximum(self.bottom - y, y - self.top), 0.0)
        return np.hypot(across, upwards)

    def overlaps(self, other: _NameBox) -> bool:
        """Return True if another box covers a part of the box."""
        is_beside = self.right <= other.left or other.right <= self.left
        is_above_or_below = self.top <= other.bottom or other.top <= self.bottom
        return not (is_beside or is_above_or_below)


def _free_box(
    point: Floats, n_letters: int, points: Floats, other_boxes: Sequence[_NameBox]
) -> _NameBox | None:
    """Return the nearest box of a name that is clear of points and of other names.

    A box that is nearer to its point than to any other point comes first.

    Args:
        point: (2,) point with the name.
        n_letters: number of letters of the name.
        points: (n, 2) all points.
        other_boxes: boxes of other names.

    Returns:
        The box; None if there is none.

    >>> points = np.array([[0.0, 0.0], [0.1, 0.0]])
    >>> _free_box(points[0], 2, points, []).is_clear_of(points)
    True
    """
    x, y = (float(coordinate) for coordinate in point)
    half_height = _NAME_HEIGHT / 2
    width = _LETTER_WIDTH * n_letters
    best_box = None
    lowest_cost = (True, math.inf)
    for step, distance, is_left in itertools.product(
        range(-_NAME_STEPS, _NAME_STEPS + 1), _NAME_DISTANCES, (x > 0.5, x <= 0.5)
    ):
        middle = y + step * half_height
        left = x - distance - width if is_left else x + distance
        box = _NameBox(left, middle - half_height, left + width, middle + half_height, is_left)
        if box.left < 0 or box.right > 1 or box.bottom < 0 or box.top > 1:
            continue
        length = math.hypot(distance, middle - y)
        cost = (not box.is_nearest_to(point, points), length)
        if cost >= lowest_cost or any(map(box.overlaps, other_boxes)):
            continue
        if box.is_clear_of(points):
            best_box, lowest_cost = box, cost
    return best_box


def _names_of_series(frame: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    """Return the two annotators of each series, in the order of the run.

    A series has its own name instead if the frame contains no annotators.
    """
    annotator_columns = [
        name for name in ("target_annotator", "delineation_annotator") if name in frame
    ]
    if not annotator_columns:
        return {str(series): (str(series),) for series in frame["series"].unique()}
    order = list(dict.fromkeys(frame[annotator_columns].to_numpy().ravel()))
    first_rows = frame.drop_duplicates("series")
    pairs = first_rows[annotator_columns].itertuples(index=False, name=None)
    return {
        str(series): tuple(sorted(pair, key=order.index))
        for series, pair in zip(first_rows["series"], pairs)
    }
