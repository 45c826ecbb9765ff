"""Plots of result tables, drawn on matplotlib's axes for pages, files and reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Floats
from randcrowns.core.detectors.crown_ranking import best_precision
from randcrowns.report.colours import SERIES_COLOURS
from randcrowns.report.language import format_value, localize_number, tr
from randcrowns.report.names import abbreviate_names
from randcrowns.report.theme import (
    DARK_FIXED_INK,
    LIGHT_FIXED_INK,
    add_legend,
    set_up_axes,
)

#: Kinds of curves of a detector: P̄ over recall, precision over recall, and recall over the false
#: positive rate (receiver operating characteristic).
P_BAR_CURVE = "p_bar"
PRECISION_CURVE = "precision"
ROC_CURVE = "roc"
#: Line styles of detectors; the next one is used when all colours are used.
_LINE_STYLES = ("-", "--", "-.", ":")
#: Colour of the medians of the other detectors.
_OTHER_COLOUR = "#999999"
#: Maximum number of names along the matrix of F1.
_MAX_MATRIX_NAMES = 40
#: Minimum side of a matrix cell that contains its number, pixels.
_MIN_CELL_SIZE = 15
#: Smallest and largest size of the numbers in a matrix, points.
_MATRIX_FONT_SIZES = (6.0, 9.0)
#: F1 above which a matrix cell is so bright that its number is black.
_BRIGHT_CELL = 0.6
#: Minimum height of a row of the dendrogram that has a name, pixels.
_MIN_ROW_HEIGHT = 9
#: Share of the figure's shorter side that is left next to titles and names, roughly.
_DATA_SHARE = 0.65
#: Maximum number of letters of a name along an axis.
_MAX_NAME_LETTERS = 16
#: Number of names up to which there is room next to an axis for names that share a beginning.
_FEW_NAMES = 4
#: Ticks of the axis of priors.
_PRIOR_TICKS = (0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999)
#: Lowest prior, and distance of the highest prior from 1, that the axis of priors shows.
_PRIOR_LIMIT = 1e-6
#: Upper limit of the axis of areas, relative to the area that at least one annotator marked.
_AREA_AXIS_LIMIT = 1.15
#: Colour of the line of the prior that was used.
_PRIOR_COLOUR = "#444444"
_LINE_LABEL_STYLE: dict[str, Any] = {"fontsize": 8, "va": "bottom"}
#: Colours and markers of the means of partitions by column, distinguishable in print and with any
#: colour vision.
_MEAN_STYLES = {
    "mean_iou": ("#0072b2", "o"),
    "mean_precision": ("#d55e00", "s"),
    "mean_recall": ("#009e73", "^"),
}


def _axis_names(names: Sequence[str], are_whole: bool) -> list[str]:
    """Return display names that fit next to an axis; a few short names stay unchanged.

    Args:
        names: names of annotators.
        are_whole: True to return the names unchanged.
    """
    if are_whole:
        return list(names)
    unchanged_length = _MAX_NAME_LETTERS if len(names) <= _FEW_NAMES else 0
    return list(abbreviate_names(names, unchanged_length, _MAX_NAME_LETTERS).values())


def _data_side(axes: Any) -> float:
    """Return the approximate length of the shorter side of the data area, pixels."""
    return float(_DATA_SHARE * min(axes.figure.get_size_inches()) * axes.figure.dpi)


def pairwise_matrix(values: ArrayLike, count: int, diagonal: float) -> Floats:
    """Return the symmetric matrix of values of pairs of annotators.

    Args:
        values: (K (K - 1) / 2,) values of the pairs (0, 1), (0, 2), …, (1, 2), ….
        count: number of annotators, K.
        diagonal: value on the diagonal.

    Returns:
        (K, K) matrix.

    >>> pairwise_matrix([0.1, 0.2, 0.3], 3, 1.0).tolist()
    [[1.0, 0.1, 0.2], [0.1, 1.0, 0.3], [0.2, 0.3, 1.0]]
    """
    matrix = np.full((count, count), diagonal)
    upper = np.triu_indices(count, 1)
    matrix[upper] = values
    matrix.T[upper] = matrix[upper]
    return matrix


def draw_pairwise_f1(
    axes: Any, f1: Floats, names: Sequence[str], has_whole_names: bool = False
) -> None:
    """Draw the F1 of all pairs of annotators as a matrix of cells, from dark (0) to bright (1).

    Names and numbers are omitted where there is not enough room for them.

    Args:
        axes: matplotlib axes to draw on.
        f1: (K, K) F1 of each pair.
        names: (K,) names of the annotators.
        has_whole_names: True to show the names unchanged, False to shorten them.
    """
    axes.imshow(f1, vmin=0, vmax=1, cmap="viridis", interpolation="nearest")
    axes.set_title(tr("pairwise F1, dark 0 to bright 1"), fontsize=10)
    display_names = _axis_names(names, has_whole_names)
    cell_size = _data_side(axes) / len(names)
    # A number of four letters takes two thirds of its cell.
    points = 72 / axes.figure.dpi * cell_size * 0.3
    font_size = min(max(points, _MATRIX_FONT_SIZES[0]), _MATRIX_FONT_SIZES[1])
    if len(names) <= _MAX_MATRIX_NAMES:
        is_short = max(map(len, display_names)) <= 3
        rotation = 0 if is_short else 90
        name_size = max(font_size, 7.0)
        axes.set_xticks(range(len(names)), display_names, rotation=rotation, fontsize=name_size)
        axes.set_yticks(range(len(names)), display_names, fontsize=name_size)
    if cell_size >= _MIN_CELL_SIZE:
        for row, column in np.ndindex(*f1.shape):
            colour = DARK_FIXED_INK if f1[row, column] > _BRIGHT_CELL else LIGHT_FIXED_INK
            number = format_value(f1[row, column], 2)
            axes.text(
                column, row, number, ha="center", va="center", fontsize=font_size, color=colour
            )


def draw_dendrogram(
    axes: Any,
    links: pd.DataFrame,
    names: Sequence[str],
    colours: Mapping[str, str],
    unlike_mask: Bools,
    has_whole_names: bool = False,
) -> None:
    """Draw Ward's clustering of annotators as a dendrogram with its leaves on the left.

    Args:
        axes: matplotlib axes to draw on.
        links: a row per merge with the columns ``first`` and ``second`` (numbers of the merged
            clusters; below K an annotator), ``first_height`` and ``second_height`` (their own
            distances), ``first_position`` and ``second_position`` (their positions along
            the y axis) and ``distance``. Empty with fewer than three annotators.
        names: (K,) names of the annotators.
        colours: colours (``#rrggbb``) of the leaves by name.
        unlike_mask: (K,) True for annotators who are unlike the others beyond chance, whose names
            get a star.
        has_whole_names: True to show the names unchanged, False to shorten them.
    """
    axes.set_xlabel(tr("Ward's distance on 1 - F1"))
    title = tr("clusters of annotators")
    axes.set_title(title, fontsize=10)
    if links.empty:
        message = tr("requires at least three annotators")
        axes.text(0.5, 0.5, message, ha="center", transform=axes.transAxes)
        axes.set_yticks([])
        return

    for link in links.itertuples():
        bracket_x = [link.first_height, link.distance, link.distance, link.second_height]
        bracket_y = [link.first_position] * 2 + [link.second_position] * 2
        axes.plot(bracket_x, bracket_y, color="#444444", linewidth=1.2)

    leaf_positions = _leaf_positions(links, len(names))
    leaf_colours = [colours[name] for name in names]
    axes.scatter(np.zeros(len(names)), leaf_positions, c=leaf_colours, s=30, zorder=3)

    labels = [
        f"{name} *" if is_unlike else name
        for name, is_unlike in zip(_axis_names(names, has_whole_names), unlike_mask)
    ]
    if _data_side(axes) / len(names) < _MIN_ROW_HEIGHT:
        labels = [""] * len(names)
    axes.set_yticks(leaf_positions, labels, fontsize=8)
    if unlike_mask.any():
        # One line of both would be wider than a diagram in a narrow dock.
        axes.set_title(f"{title}\n{tr('* unlike the others')}", fontsize=10)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def _leaf_positions(links: pd.DataFrame, n_leaves: int) -> Floats:
    """Return the positions (n_leaves,) of the leaves of a dendrogram along its y axis.

    Args:
        links: a row per merge; see :func:`draw_dendrogram`.
        n_leaves: number of leaves, which have the lowest numbers of clusters.
    """
    clusters = np.concatenate([links["first"], links["second"]]).astype(int)
    positions = np.concatenate([links["first_position"], links["second_position"]])
    is_leaf = clusters < n_leaves
    leaf_positions = np.zeros(n_leaves)
    leaf_positions[clusters[is_leaf]] = positions[is_leaf]
    return leaf_positions


def draw_agreement_ratio(axes: Any, ratio: pd.DataFrame) -> None:
    """Draw the agreement ratio over the number of annotators (Lampert et al. 2016, Eq. 3).

    Args:
        axes: matplotlib axes to draw on.
        ratio: table with the columns ``annotators`` (minimum number of annotators) and ``ratio``
            (share of the marked area that at least this number marked; NaN without marked area).
    """
    axes.plot(
        ratio["annotators"], 100 * ratio["ratio"], marker="o", color=SERIES_COLOURS[0], markersize=4
    )
    set_up_axes(
        axes,
        tr("agreement ratio (Eq. 3)"),
        xlabel=tr("minimum number of annotators"),
        ylabel=tr("share of the marked area (%)"),
        ylim=(-2, 102),
    )
    axes.xaxis.get_major_locator().set_params(integer=True)
    if ratio["ratio"].isna().all():
        axes.text(0.5, 0.5, tr("nobody marked anything"), ha="center", transform=axes.transAxes)


def is_on_prior_axis(prior: float) -> bool:
    """Return True if the axis of priors can show a prior; False for NaN.

    >>> is_on_prior_axis(0.99), is_on_prior_axis(1.0)
    (True, False)
    """
    return _PRIOR_LIMIT <= prior <= 1 - _PRIOR_LIMIT


def draw_prior_effect(
    axes: Any, priors: pd.DataFrame, used_prior: float, marked_area: float, unit: str
) -> None:
    """Draw the area that STAPLE marks over its prior, on a logit axis.

    Args:
        axes: matplotlib axes to draw on.
        priors: table with the columns ``prior`` (0 to 1) and ``marked`` (area that STAPLE marks).
        used_prior: prior of the consensus, drawn as a line; NaN if unknown.
        marked_area: area that at least one annotator marked, drawn as a line; NaN if unknown.
        unit: unit of lengths; areas are in its square.
    """
    axes.set_xscale("logit")
    # Priors beyond the limits, such as 1, have no place on a logit axis.
    priors = priors[[is_on_prior_axis(prior) for prior in priors["prior"]]]
    axes.plot(priors["prior"], priors["marked"], marker="o", color=SERIES_COLOURS[0], markersize=4)
    set_up_axes(
        axes,
        tr("effect of STAPLE's prior"),
        xlabel=tr("prior (expected share)"),
        ylabel=tr("marked ({unit}²)", unit=unit),
    )
    axes.set_ylim(bottom=0)
    if marked_area > 0:
        axes.axhline(marked_area, color=SERIES_COLOURS[1], linewidth=1, linestyle="--")
        # Above this line STAPLE marks what no annotator marked, often the whole study area. On an
        # axis up to there the rest of the curve would look flat.
        axes.set_ylim(top=_AREA_AXIS_LIMIT * marked_area)
        axes.text(
            0.02,
            1.01 / _AREA_AXIS_LIMIT,
            tr("marked by anybody"),
            color=SERIES_COLOURS[1],
            transform=axes.transAxes,
            **_LINE_LABEL_STYLE,
        )
    if is_on_prior_axis(used_prior):
        axes.axvline(used_prior, color=_PRIOR_COLOUR, linewidth=1, linestyle=":")
        axes.text(
            used_prior,
            0.04,
            tr("prior used "),
            color=_PRIOR_COLOUR,
            rotation=90,
            ha="right",
            transform=axes.get_xaxis_transform(),
            **_LINE_LABEL_STYLE,
        )
    axes.set_xticks(
        _PRIOR_TICKS, [localize_number(f"{prior:g}") for prior in _PRIOR_TICKS], fontsize=7
    )
    axes.minorticks_off()


def draw_curves(
    axes: Any,
    curves: pd.DataFrame,
    detectors: Sequence[str],
    kind: str,
    truth: str,
    has_whole_names: bool = False,
) -> None:
    """Draw the curves of detectors under one ground truth or under all.

    Under all ground truths, each detector has a band from its lowest to its highest value, with the
    median as a line; see :func:`_spread_of_curves`.

    Args:
        axes: matplotlib axes to draw on.
        curves: table with the columns ``detector``, ``truth``, ``recall``, and the column of the
            kind of curve (``p_bar``, ``precision``, or ``false_positive_rate`` for
            :data:`ROC_CURVE`). Curves of crowns have a column ``threshold`` with values.
        detectors: names of the detectors, which determine the order of the colours.
        kind: :data:`P_BAR_CURVE`, :data:`PRECISION_CURVE` or :data:`ROC_CURVE`.
        truth: name of a ground truth; empty for all.
        has_whole_names: True to show the names unchanged, False to shorten them.
    """
    title = abbreviate_names([truth])[truth] or tr("all: band and median")
    _set_up_curve_axes(axes, kind, title)

    x_column, y_column = _curve_columns(kind)
    display_names = abbreviate_names(detectors)
    if has_whole_names:
        display_names = {detector: detector for detector in detectors}
    for number, detector in enumerate(detectors):
        name = display_names[detector]
        detector_curves = curves[curves["detector"] == detector]
        style = _curve_style(number)
        if truth:
            curve = detector_curves[detector_curves["truth"] == truth]
            axes.plot(curve[x_column], curve[y_column], label=name, linewidth=1.6, **style)
        else:
            _draw_band(axes, _spread_of_curves(detector_curves, kind), kind, name, style)
    if detectors:
        add_legend(axes)


def draw_curve_spread(
    axes: Any, curves: pd.DataFrame, detectors: Sequence[str], kind: str, shown: str
) -> None:
    """Draw the band and the median of one detector, and the medians of the others in grey.

    Args:
        axes: matplotlib axes to draw on.
        curves: curves of all detectors; see :func:`draw_curves`.
        detectors: names of the detectors, which determine the colours.
        kind: kind of the curves; see :func:`draw_curves`.
        shown: name of the detector with the band, which is the title.
    """
    _set_up_curve_axes(axes, kind, shown)
    for detector in detectors:
        if detector != shown:
            spread = _spread_of_curves(curves[curves["detector"] == detector], kind)
            style = {"color": _OTHER_COLOUR, "linewidth": 0.9}
            _draw_median(axes, spread, kind, "", style)
    spread = _spread_of_curves(curves[curves["detector"] == shown], kind)
    colour = SERIES_COLOURS[detectors.index(shown) % len(SERIES_COLOURS)]
    _draw_band(axes, spread, kind, shown, {"color": colour, "linestyle": "-"})


def _curve_style(number: int) -> dict[str, Any]:
    """Return the colour and the line style of a detector by its number, from 0."""
    return {
        "color": SERIES_COLOURS[number % len(SERIES_COLOURS)],
        "linestyle": _LINE_STYLES[number // len(SERIES_COLOURS) % len(_LINE_STYLES)],
    }


def _curve_columns(kind: str) -> tuple[str, str]:
    """Return the columns with the x and the y of a kind of curve."""
    if kind == ROC_CURVE:
        return "false_positive_rate", "recall"
    return "recall", kind


def _set_up_curve_axes(axes: Any, kind: str, title: str) -> None:
    """Set the title, labels and limits of axes for a kind of curve.

    Args:
        axes: matplotlib axes, which are changed. Those of :data:`ROC_CURVE` get the diagonal.
        kind: :data:`P_BAR_CURVE`, :data:`PRECISION_CURVE` or :data:`ROC_CURVE`.
        title: title of the axes.
    """
    labels = {
        P_BAR_CURVE: tr("P̄"),
        PRECISION_CURVE: tr("precision"),
        "recall": tr("recall"),
        "false_positive_rate": tr("false positive rate"),
    }
    x_column, y_column = _curve_columns(kind)
    limits = (-0.02, 1.02)  # room for lines at 0 and 1
    set_up_axes(
        axes,
        title,
        xlim=limits,
        ylim=limits,
        xlabel=labels[x_column],
        ylabel=labels[y_column],
    )
    if kind == ROC_CURVE:
        axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8, linestyle=":")


def _spread_of_curves(curves: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Return the range of a detector's curves over all ground truths at each recall.

    Curves of crowns have a row per score. Their precision at a recall is the best at this recall or
    a higher one, and 0 beyond the end of a curve, as in the average precision.

    Args:
        curves: curves of the detector; see :func:`draw_curves`.
        kind: kind of the curves.

    Returns:
        Rows by recall, ascending, with the columns ``min``, ``median`` and ``max``, up to the end
        of the longest curve. The median is NaN where it is 0 because curves have ended.
    """
    if not _are_of_crowns(curves):
        column = "false_positive_rate" if kind == ROC_CURVE else kind
        return curves.groupby("recall")[column].agg(["min", "median", "max"])
    recalls = np.unique([0.0, *curves["recall"].astype(float)])
    values = np.array(
        [
            best_precision(curve[PRECISION_CURVE], curve["recall"].astype(float), recalls[1:])
            for _, curve in curves.groupby("truth", sort=False)
        ]
    )
    spread = {"min": values.min(0), "median": np.median(values, 0), "max": values.max(0)}
    # The precision is constant between two recalls: each step has a row at both of its ends.
    steps = pd.DataFrame({name: np.repeat(column, 2) for name, column in spread.items()})
    steps.index = np.repeat(recalls, 2)[1:-1]
    steps["median"] = steps["median"].replace(0.0, np.nan)
    return steps[steps["max"] > 0]


def _are_of_crowns(curves: pd.DataFrame) -> bool:
    """Return True for curves of crowns, which have a row per score, False for curves of areas."""
    return "threshold" in curves and bool(curves["threshold"].notna().any())


def _draw_band(
    axes: Any, spread: pd.DataFrame, kind: str, label: str, style: dict[str, Any]
) -> None:
    """Draw the range of a detector's curves over all ground truths, with their median as a line.

    Args:
        axes: matplotlib axes to draw on.
        spread: range of the curves; see :func:`_spread_of_curves`.
        kind: kind of the curves.
        label: name of the detector in the legend.
        style: ``color`` and ``linestyle`` of the detector.
    """
    recall = spread.index.to_numpy(dtype=float)
    band_style = {"color": style["color"], "alpha": 0.15, "linewidth": 0}
    if kind == ROC_CURVE:
        axes.fill_betweenx(recall, spread["min"], spread["max"], **band_style)
    else:
        axes.fill_between(recall, spread["min"], spread["max"], **band_style)
    _draw_median(axes, spread, kind, label, {"linewidth": 1.8, **style})


def _draw_median(
    axes: Any, spread: pd.DataFrame, kind: str, label: str, style: dict[str, Any]
) -> None:
    """Draw the median of a detector's curves as a line; see :func:`_draw_band`."""
    recall = spread.index.to_numpy(dtype=float)
    if kind == ROC_CURVE:
        axes.plot(spread["median"], recall, label=label, **style)
    else:
        axes.plot(recall, spread["median"], label=label, **style)


def draw_partitions(
    axes: Any, partitions: pd.DataFrame, axis: str, labels: Mapping[str, str]
) -> None:
    """Draw the mean IoU, precision and recall of the targets over the partitions of the trees.

    Args:
        axes: matplotlib axes to draw on.
        partitions: table with the columns ``axis``, ``begin`` and ``end`` (limits of a partition
            as shares) and ``mean_iou``, ``mean_precision`` and ``mean_recall``; a NaN makes a gap.
        axis: ``xy`` for partitions of the radius, ``z`` for those of the height.
        labels: legend labels by the column of the mean.
    """
    rows = partitions[partitions["axis"] == axis]
    is_radial = axis == "xy"
    x_label = tr("share of the tree's radius") if is_radial else tr("share of the tree's height")
    set_up_axes(
        axes, xlim=(0, 1), ylim=(-0.02, 1.02), xlabel=x_label, ylabel=tr("mean of the targets")
    )
    centres = (rows["begin"] + rows["end"]) / 2
    for column, (colour, marker) in _MEAN_STYLES.items():
        axes.plot(
            centres, rows[column], color=colour, marker=marker, markersize=4, label=labels[column]
        )
    axes.legend(loc="lower left", fontsize=8, frameon=False)
