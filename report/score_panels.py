"""Diagrams and captions that reports on scores, on instances and on strata share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.statistics import MIN_PLOTS, too_few_plots_message
from randcrowns.report.content import Panel
from randcrowns.report.language import format_value, tr
from randcrowns.report.score_figures import (
    AXIS_HEIGHT,
    COMPACT_ROW_HEIGHT,
    MAX_DOTS,
    PANEL_WIDTH,
    MeanOfLayer,
    draw_means,
    draw_plot_means,
    drawing,
    means_height,
)


def read_means(
    rows: pd.DataFrame, names: Iterable[Any], columns: tuple[str, str, str]
) -> list[MeanOfLayer]:
    """Return the means in rows of a table with their intervals.

    Args:
        rows: (n,) rows of the table.
        names: (n,) names of the rows.
        columns: columns of the mean and of the lower and upper end of its interval.

    >>> table = pd.DataFrame({"f1": [0.5], "f1_low": [0.4], "f1_high": [0.6]})
    >>> read_means(table, ["north"], ("f1", "f1_low", "f1_high"))
    [MeanOfLayer(name='north', mean=0.5, low=0.4, high=0.6)]
    """
    values = rows[list(columns)].astype(float).to_numpy().tolist()
    return [MeanOfLayer(str(name), *numbers) for name, numbers in zip(names, values)]


def read_score_means(rows: pd.DataFrame, names: Iterable[Any], score: str) -> list[MeanOfLayer]:
    """Return the means of a score in rows of a summary or of strata.

    Args:
        rows: (n,) rows with the columns ``_mean``, ``_low`` and ``_high`` of the score.
        names: (n,) names of the rows.
        score: name of the score, such as ``iou``.
    """
    return read_means(rows, names, (f"{score}_mean", f"{score}_low", f"{score}_high"))


def mean_texts(means: Iterable[MeanOfLayer]) -> tuple[str, ...]:
    """Return the name and the numbers of each mean as a text."""
    return tuple(f"{row.name} {row.text}" for row in means)


def describe_means(score: str, means: Iterable[MeanOfLayer]) -> str:
    """Return the description of a diagram of means, with all its numbers."""
    return tr("Mean {score}: {numbers}", score=score, numbers=mean_texts(means))


def means_panel(means: Sequence[MeanOfLayer], label: str, description: str) -> Panel:
    """Return a diagram of means with a row per mean.

    Args:
        means: means from the uppermost row to the lowest.
        label: label of the axis, the name of the score.
        description: description for readers who cannot see the diagram.
    """
    draw = drawing(draw_means, means, label)
    return Panel(draw, PANEL_WIDTH, means_height(len(means)), description)


def plot_means_panel(means: Sequence[MeanOfLayer], label: str, description: str) -> Panel:
    """Return a diagram of the means of plots with a compact row per plot.

    Args:
        means: means from the uppermost row to the lowest.
        label: label of the axis, the name of the score.
        description: description for readers who cannot see the diagram.
    """
    height = AXIS_HEIGHT + COMPACT_ROW_HEIGHT * len(means)
    return Panel(drawing(draw_plot_means, means, label), PANEL_WIDTH, height, description)


def add_number_of_plots(caption: str, n_shown: int, n_plots: int) -> str:
    """Return the caption of a diagram of plots; it states if plots are not shown.

    Args:
        caption: the caption without the number of plots.
        n_shown: maximum number of plots in the diagram.
        n_plots: number of all plots.
    """
    if n_plots <= n_shown:
        return caption
    rest_of_plots = tr(
        "The {shown} worst of {all:,} plots; the table of the run contains the others.",
        shown=n_shown,
        all=n_plots,
    )
    return f"{caption} {rest_of_plots}"


def missing_interval_note(n_plots: int) -> str:
    """Return the reason why the numbers of all plots have no intervals; "" if it is another one.

    >>> missing_interval_note(4)
    'There are no intervals for all plots together: 4 plots are fewer than 5.'
    """
    if not 1 < n_plots < MIN_PLOTS:
        return ""
    return too_few_plots_message(n_plots).sentence(tr)


def distribution_caption(counts: Sequence[int]) -> str:
    """Return the caption of a diagram of distributions.

    Args:
        counts: number of crowns of each layer.

    >>> distribution_caption([400])
    'The height of a shape is the share of the targets at this score. Vertical lines: medians.'
    """
    if max(counts) <= MAX_DOTS:
        return tr("Each dot is a target. Vertical lines: medians.")
    if min(counts) > MAX_DOTS:
        return tr(
            "The height of a shape is the share of the targets at this score. Vertical lines: "
            "medians."
        )
    return tr(
        "The height of a shape is the share of the targets at this score; layers of up to "
        "{maximum} targets have a dot per target. Vertical lines: medians.",
        maximum=MAX_DOTS,
    )


def describe_quartiles(name: str, values: ArrayLike) -> str:
    """Return the median and the quartiles of values as a text.

    Args:
        name: name of the layer or of the score.
        values: (n,) at least one value, without NaN.

    >>> describe_quartiles("boxes", [0.2, 0.4, 0.6])
    'boxes: median 0.40, quartiles 0.30 and 0.50'
    """
    low, median, high = (
        format_value(q, 2) for q in np.quantile(np.asarray(values, dtype=float), (0.25, 0.5, 0.75))
    )
    return tr(
        "{layer}: median {median}, quartiles {low} and {high}",
        layer=name,
        median=median,
        low=low,
        high=high,
    )
