"""Results of submissions to a benchmark side by side, with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.classes.best_layer import compare_layer_scores
from randcrowns.core.messages import Message, info
from randcrowns.core.statistics import interval_messages, plot_codes, ratio_interval


class Estimate(NamedTuple):
    """A metric of a submission, with what its interval is computed from."""

    #: Name of the metric.
    name: str
    #: Value that the authors of the benchmark print.
    value: float
    #: (n,) contributions of the units to the numerator.
    parts: Floats
    #: (n,) contributions of the units to the denominator.
    wholes: Floats
    #: (n,) number of each unit's plot; None if each unit is independent of the others.
    plots: Ints | None

    @classmethod
    def of_mean(cls, name: str, values: Floats, plots: Ints | None = None) -> Estimate:
        """Return the estimate of a mean of values (n,) between 0 and 1."""
        value = float(values.mean()) if len(values) else float("nan")
        return cls(name, value, values, np.ones(len(values)), plots)

    def interval(self) -> tuple[float, float]:
        """Return the ends of the 95 % interval; NaN if there are too few units."""
        if not len(self.parts):
            return float("nan"), float("nan")
        low, high = ratio_interval(self.parts, self.wholes, self.plots)
        return float(low), float(high)


@dataclass(frozen=True)
class SubmissionResult:
    """Results of one submission.

    Attributes:
        table: table that the authors of the benchmark print.
        counts: numbers of plots, crowns and so on, by name.
        estimates: metrics with their intervals.
        unit_scores: score between 0 and 1 of each unit by its name, by which submissions are
            compared.
        unit_plots: plot of each unit, likewise; None if each unit is a plot or stands for itself.
        messages: messages about the input.
    """

    table: pd.DataFrame
    counts: Mapping[str, int]
    estimates: tuple[Estimate, ...]
    unit_scores: pd.Series
    unit_plots: pd.Series | None = None
    messages: tuple[Message, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """Submissions side by side.

    Attributes:
        summary: a row per submission: counts, metrics, and the ends of their 95 % intervals.
        better: name of the submission that can be called better than all others; "" for none.
        messages: messages about the intervals.
    """

    summary: pd.DataFrame
    better: str = ""
    messages: tuple[Message, ...] = field(default=())


def compare_submissions(
    results: Mapping[str, SubmissionResult], units_are_plots: bool = False
) -> Comparison:
    """Compare submissions unit by unit.

    A unit that a submission has no score for counts as 0: nothing was found there.

    Args:
        results: results by name of the submission, at least one.
        units_are_plots: True if each unit is a plot.

    Returns:
        The comparison. One submission alone cannot be called better.
    """
    names = list(results)
    summary = pd.DataFrame([_summary_row(name, result) for name, result in results.items()])
    # A row per unit and a column per submission.
    scores = pd.concat([result.unit_scores for result in results.values()], axis=1).fillna(0.0)
    plots = _plots_of_units(results, scores.index, units_are_plots)
    comparison = compare_layer_scores(scores.to_numpy(dtype=float).T, plots)
    better = ""
    if comparison is not None and comparison.better_than_all is not None:
        better = names[comparison.better_than_all]
    # The first submission stands for all: they have the same units.
    scores_of_first = scores.iloc[:, 0].to_numpy(dtype=float)
    messages = interval_messages(scores_of_first, plots)[:1]
    return Comparison(summary, better, messages)


def conclude_comparison(comparison: Comparison, score: str) -> Message:
    """Return the sentence with the answer.

    Args:
        comparison: the compared submissions.
        score: name of the score by which they are compared.
    """
    names = comparison.summary["submission"].tolist()
    if len(names) == 1:
        return info("benchmark.one", "One submission: {name}.", name=names[0])
    if comparison.better:
        return info(
            "benchmark.better",
            "'{name}' can be called better than all other submissions: its {score} is higher, with "
            "a confidence of 95 %.",
            name=comparison.better,
            score=score,
        )
    return info(
        "benchmark.none_better",
        "No submission can be called better than all others by its {score}: the differences may "
        "be chance.",
        score=score,
    )


def _summary_row(name: str, result: SubmissionResult) -> dict[str, Any]:
    """Return the row of a submission in the summary."""
    row: dict[str, Any] = {"submission": name, **result.counts}
    for estimate in result.estimates:
        row[estimate.name] = estimate.value
    for estimate in result.estimates:
        row[f"{estimate.name}_low"], row[f"{estimate.name}_high"] = estimate.interval()
    return row


def _plots_of_units(
    results: Mapping[str, SubmissionResult], units: pd.Index, units_are_plots: bool
) -> Ints | None:
    """Return the number (n,) of each unit's plot; None if each unit stands for itself.

    Args:
        results: results of the submissions by name.
        units: (n,) names of the units.
        units_are_plots: True if each unit is a plot.
    """
    if units_are_plots:
        return np.arange(len(units))
    known_plots = [
        result.unit_plots for result in results.values() if result.unit_plots is not None
    ]
    if not known_plots:
        return None
    all_plots = pd.concat(known_plots)
    is_repeated = all_plots.index.duplicated()
    plot_of_unit = all_plots[~is_repeated].reindex(units)
    return plot_codes(plot_of_unit.to_numpy(dtype=object))
