"""What the plots of tables look like: drawn on matplotlib's axes, on a page, in a file or in a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Floats
from randcrowns.layers.styles import SERIES
from randcrowns.layers.styles.figures import legend_beside, set_up
from randcrowns.layers.vector.names import short_names
from randcrowns.layers.words import local, tr, written

#: Kinds of curves of a detector.
P_BAR, PRECISION, ROC = "p_bar", "precision", "roc"
_LINES = ("-", "--", "-.", ":")
_MOST_NAMES = 40
#: Least side of a cell with a number, and least height of a row with a name, pixels.
_LEAST_CELL, _LEAST_ROW = 15, 9
_LONGEST_NAME = 16
_PRIORS = (0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999)
#: How far the axis of areas goes, of what anybody marked.
_HEADROOM = 1.15
_USED = "#444444"
_SMALL: dict[str, Any] = {"fontsize": 8, "va": "bottom"}
#: Mean of a partition -> its colour and marker, which people with any colour vision and print tell apart.
_MEANS = {
    "mean_iou": ("#0072b2", "o"),
    "mean_precision": ("#d55e00", "s"),
    "mean_recall": ("#009e73", "^"),
}


def _axis_names(names: Sequence[str]) -> list[str]:
    """The names for the narrow space beside a plot."""
    return list(short_names(names, fits=0, longest=_LONGEST_NAME).values())


def _room(axes: Any) -> float:
    """What is left of the plot's shorter side beside titles and names, pixels, roughly."""
    return float(0.65 * min(axes.figure.get_size_inches()) * axes.figure.dpi)


def matrix_of_pairs(values: ArrayLike, count: int, diagonal: float) -> Floats:
    """(K, K) a value for every two of K annotators, in the order (0, 1), (0, 2), … (1, 2), …; one for each alone.

    >>> matrix_of_pairs([0.1, 0.2, 0.3], 3, 1.0).tolist()
    [[1.0, 0.1, 0.2], [0.1, 1.0, 0.3], [0.2, 0.3, 1.0]]
    """
    found = np.full((count, count), diagonal)
    upper = np.triu_indices(count, 1)
    found[upper] = values
    found.T[upper] = found[upper]
    return found


def draw_pairs(axes: Any, f1: Floats, names: Sequence[str]) -> None:
    """F1 (K, K) of every two annotators: cells from dark (0) to bright (1)."""
    axes.imshow(f1, vmin=0, vmax=1, cmap="viridis", interpolation="nearest")
    axes.set_title(tr("pairwise F1, dark 0 to bright 1"), fontsize=10)
    short = _axis_names(names)
    if len(names) <= _MOST_NAMES:
        upright = max(map(len, short)) <= 3
        axes.set_xticks(range(len(names)), short, rotation=0 if upright else 90, fontsize=7)
        axes.set_yticks(range(len(names)), short, fontsize=7)
    if _room(axes) / len(names) >= _LEAST_CELL:
        for row, column in np.ndindex(*f1.shape):
            ink = "black" if f1[row, column] > 0.6 else "white"
            text = written(f1[row, column], 2).lstrip("0")
            axes.text(column, row, text, ha="center", va="center", fontsize=6, color=ink)


def draw_dendrogram(
    axes: Any, links: pd.DataFrame, names: Sequence[str], colours: Mapping[str, str], outlier: Bools
) -> None:
    """Ward's clustering of annotators: a bracket per step; the leaves in their colours, outliers with a star."""
    axes.set_xlabel(tr("Ward's distance on 1 - F1"))
    axes.set_title(tr("clusters of annotators"), fontsize=10)
    if links.empty:
        axes.text(
            0.5,
            0.5,
            tr("requires at least three annotators"),
            ha="center",
            transform=axes.transAxes,
        )
        axes.set_yticks([])
        return
    place = np.zeros(len(names))
    for _, step in links.iterrows():
        x = [step["first_height"], step["distance"], step["distance"], step["second_height"]]
        y = [step["first_place"]] * 2 + [step["second_place"]] * 2
        axes.plot(x, y, color="#444444", linewidth=1.2)
        for side in ("first", "second"):
            if step[side] < len(names):
                place[int(step[side])] = step[f"{side}_place"]
    axes.scatter(np.zeros(len(names)), place, c=[colours[name] for name in names], s=30, zorder=3)
    labels = [f"{name} *" if odd else name for name, odd in zip(_axis_names(names), outlier)]
    readable = _room(axes) / len(names) >= _LEAST_ROW
    axes.set_yticks(place, labels if readable else [""] * len(names), fontsize=8)
    if outlier.any():
        axes.set_title(tr("clusters of annotators (* outlier)"), fontsize=10)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def draw_ratio(axes: Any, ratio: pd.DataFrame) -> None:
    """Share of the area marked by anybody that so many annotators marked, a point per number of annotators."""
    axes.plot(ratio["annotators"], ratio["ratio"], marker="o", color=SERIES[0], markersize=4)
    x, y = tr("at least so many annotators"), tr("share of the marked area")
    set_up(axes, tr("agreement ratio (Eq. 3)"), xlabel=x, ylabel=y, ylim=(-0.02, 1.02))
    axes.xaxis.get_major_locator().set_params(integer=True)
    if ratio["ratio"].isna().all():
        axes.text(0.5, 0.5, tr("nobody marked anything"), ha="center", transform=axes.transAxes)


def draw_priors(axes: Any, priors: pd.DataFrame, used: float, anybody: float, unit: str) -> None:
    """Area that STAPLE marks along its prior, whose axis is stretched towards 0 and 1.

    With the prior that was ``used`` and the area that ``anybody`` marked, where they are known; NaN otherwise.
    """
    axes.set_xscale("logit")
    axes.plot(priors["prior"], priors["marked"], marker="o", color=SERIES[0], markersize=4)
    x, y = tr("prior (expected share)"), tr("marked ({unit}²)", unit=unit)
    set_up(axes, tr("effect of STAPLE's prior"), xlabel=x, ylabel=y)
    axes.set_ylim(bottom=0)
    if anybody > 0:
        # Above the line STAPLE marks what nobody did, often the whole study area: that flattens the rest.
        axes.axhline(anybody, color=SERIES[1], linewidth=1, linestyle="--")
        axes.set_ylim(top=_HEADROOM * anybody)
        axes.text(
            0.02,
            1.01 / _HEADROOM,
            tr("marked by anybody"),
            color=SERIES[1],
            transform=axes.transAxes,
            **_SMALL,
        )
    if 0 < used < 1:
        axes.axvline(used, color=_USED, linewidth=1, linestyle=":")
        beside = axes.get_xaxis_transform()
        axes.text(
            used,
            0.04,
            tr("prior used "),
            color=_USED,
            rotation=90,
            ha="right",
            transform=beside,
            **_SMALL,
        )
    axes.set_xticks(_PRIORS, [local(f"{prior:g}") for prior in _PRIORS], fontsize=7)
    axes.minorticks_off()


def draw_curves(
    axes: Any, curves: pd.DataFrame, detectors: Sequence[str], kind: str, truth: str
) -> None:
    """Curves of one ``kind``, detector by detector: under one ``truth``, or under all a band with its median."""
    # Curves of crowns have a row per score, so that no band can be drawn.
    of_crowns = "threshold" in curves and bool(curves["threshold"].notna().any())
    x, y = ("false_positive_rate", "recall") if kind == ROC else ("recall", kind)
    words = {
        P_BAR: tr("P̄"),
        PRECISION: tr("precision"),
        "recall": tr("recall"),
        "false_positive_rate": tr("false positive rate"),
    }
    all_truths = tr("a line per annotator") if of_crowns else tr("all: band and median")
    title = short_names([truth])[truth] or all_truths
    set_up(axes, title, xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=words[x], ylabel=words[y])
    if kind == ROC:
        axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8, linestyle=":")
    written = short_names(detectors)
    for number, detector in enumerate(detectors):
        name = written[detector]
        mine = curves[curves["detector"] == detector]
        look = {
            "color": SERIES[number % len(SERIES)],
            "linestyle": _LINES[number // len(SERIES) % len(_LINES)],
        }
        if truth:
            some = mine[mine["truth"] == truth]
            axes.plot(some[x], some[y], label=name, linewidth=1.6, **look)
        elif of_crowns:
            for place, (_, curve) in enumerate(mine.groupby("truth", sort=False)):
                label = name if place == 0 else None
                axes.plot(curve[x], curve[y], label=label, linewidth=1.6, alpha=0.5, **look)
        else:
            _draw_band(axes, mine, kind, name, look)
    if detectors:
        legend_beside(axes)


def _draw_band(
    axes: Any, curves: pd.DataFrame, kind: str, label: str, look: dict[str, Any]
) -> None:
    """From the least to the greatest value at each recall, with the median."""
    value = "false_positive_rate" if kind == ROC else kind
    spread = curves.groupby("recall")[value].agg(["min", "median", "max"])
    recall = spread.index.to_numpy(dtype=float)
    fill = axes.fill_betweenx if kind == ROC else axes.fill_between
    fill(recall, spread["min"], spread["max"], color=look["color"], alpha=0.15, linewidth=0)
    line = (spread["median"], recall) if kind == ROC else (recall, spread["median"])
    axes.plot(*line, label=label, linewidth=1.8, **look)


def draw_partitions(
    axes: Any, partitions: pd.DataFrame, axis: str, labels: Mapping[str, str]
) -> None:
    """A line per mean over the partitions along ``xy`` or ``z``, gaps where undefined; ``labels`` by their column."""
    frame = partitions[partitions["axis"] == axis]
    along = tr("share of the tree's radius") if axis == "xy" else tr("share of the tree's height")
    set_up(axes, xlim=(0, 1), ylim=(-0.02, 1.02), xlabel=along, ylabel=tr("mean of the targets"))
    middle = (frame["begin"] + frame["end"]) / 2
    for mean, (colour, marker) in _MEANS.items():
        axes.plot(
            middle, frame[mean], color=colour, marker=marker, markersize=4, label=labels[mean]
        )
    axes.legend(loc="lower left", fontsize=8, frameon=False)
