"""Answer, figures and tables of a run that scored crowns, from its tables and without QGIS."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pandas as pd

from randcrowns.core.arrays import Floats
from randcrowns.core.classes.best_layer import compare_layers
from randcrowns.core.messages import Message
from randcrowns.core.review.example_crowns import worst_crowns
from randcrowns.core.review.problems import Problem, ProblemLimits
from randcrowns.core.scoring.answer import COUNTS_KEY
from randcrowns.core.scoring.layer import SCORE_NAMES, SCORES
from randcrowns.core.statistics import MIN_PLOTS, MIN_UNITS
from randcrowns.core.status import (
    ALL_PLOTS,
    FOUND_STATUSES,
    NOT_FOUND_STATUSES,
    TARGET_STATUSES,
    Status,
)
from randcrowns.report.class_content import class_sentences
from randcrowns.report.content import Answer, Figure, Panel, Table, TableContent
from randcrowns.report.interval_notes import plot_interval_note
from randcrowns.report.language import format_value, tr
from randcrowns.report.names import display_names
from randcrowns.report.problems import problem_label, problem_meanings
from randcrowns.report.score_figures import (
    AXIS_HEIGHT,
    BAR_HEIGHT,
    MAX_PLOTS,
    PANEL_WIDTH,
    SCORE_DIGITS,
    MeanOfLayer,
    draw_distributions,
    draw_problems,
    draw_scatter,
    drawing,
    means_height,
    sort_means,
)
from randcrowns.report.score_panels import (
    add_number_of_plots,
    describe_means,
    describe_quartiles,
    distribution_caption,
    means_panel,
    missing_interval_note,
    plot_means_panel,
    read_means,
    read_score_means,
)
from randcrowns.report.words import (
    SCORE_ABBREVIATIONS,
    detected_meaning,
    false_detection_meaning,
    not_detected_meaning,
    not_judged_meaning,
    score_meanings,
    status_meanings,
)

#: Maximum number of layers that have a diagram each.
MAX_LAYERS = 12
#: Columns of the summary of scores with counts of targets and delineations.
SUMMARY_COUNTS = (
    "targets",
    "delineations",
    "matched",
    "missed",
    "unmatched_targets",
    "not_judged",
    "unmatched_delineations",
    "too_small",
)
#: Maximum number of plots in a diagram if several layers have a diagram each.
_MAX_PLOTS_OF_SEVERAL = 15
#: Number of the worst crowns that are named in a scatter plot.
_NAMED_CROWNS = 3
#: Maximum number of names in a sentence.
_MAX_NAMES = 5
#: Number of plots below which layers without a proven difference may well differ.
_ENOUGH_PLOTS = 10
#: Share of the targets above which those in plots without delineations are stated with the mean.
_MANY_IN_EMPTY_PLOTS = 0.05
#: Height of a square diagram with its title, inches.
_SQUARE_HEIGHT = 3.3
#: Counts of the table of the answer: columns of the summary.
_COUNTS = (
    "targets",
    "matched",
    "missed",
    "unmatched_targets",
    "too_small",
    "delineations",
    "not_judged",
    "unmatched_delineations",
)
#: Counts of the targets that the means are over: columns of the summary.
_SCORED_COUNTS = tuple(
    dict.fromkeys(
        definition.summary_count for definition in TARGET_STATUSES.values() if definition.has_score
    )
)
#: Counts of the targets that were not detected: columns of the summary.
_NOT_DETECTED_COUNTS = tuple(TARGET_STATUSES[status].summary_count for status in NOT_FOUND_STATUSES)


@dataclass(frozen=True)
class ScoredLayers:
    """Tables of a run that scored one or several delineation layers."""

    #: Summary with a row per layer and plot and a row per layer for all plots; see
    #: :func:`randcrowns.core.scoring.layer.summarise`.
    summary: pd.DataFrame
    #: Scored targets by name of the layer: ``target_id``, the scores, ``status``, ``rc_problem``,
    #: ``area``, and, with several plots, ``plot``. Without
    #: scored targets, the figures of crowns are absent.
    crowns: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    limits: ProblemLimits = field(
        default_factory=ProblemLimits
    )  #: limits beyond which a crown has a problem.

    @property
    def overall(self) -> pd.DataFrame:
        """Rows of the summary for all plots together, one per layer, with the layer as index."""
        rows = self.summary[self.summary["plot"] == ALL_PLOTS]
        return rows.drop_duplicates("layer").set_index("layer")

    @property
    def display_names(self) -> dict[str, str]:
        """Name that sentences, tables and diagrams show, by name of the layer."""
        return display_names(dict.fromkeys([*map(str, self.summary["layer"]), *self.crowns]))

    @property
    def ranked_layers(self) -> list[str]:
        """Names of the layers, the highest mean first as in the table of the answer."""
        return [row.name for row in sort_means(_means(self.overall, "randcrowns"))]

    @property
    def plots(self) -> pd.DataFrame:
        """Rows of the summary for single plots; empty if no layer has several plots."""
        rows = self.summary[self.summary["plot"] != ALL_PLOTS]
        has_several = rows.groupby("layer")["plot"].transform("size") > 1
        return rows[has_several]


class _Comparison(NamedTuple):
    """Test of the layer with the highest mean RandCrowns against each other layer."""

    best: str  #: name of the layer with the highest mean.
    #: Layers with a significantly lower mean, the highest mean first.
    better_than: list[str]
    #: Layers whose difference to the best one is not significant, likewise.
    not_separable: list[str]
    is_tested: bool  #: False if there are too few crowns or plots for a test.
    are_plots: bool  #: True if the units of the test are plots, False for crowns.


def score_run_answer(run: ScoredLayers, headline: Sequence[Message]) -> Answer:
    """Return the answer of a run, with a table; the same on all pages that report it.

    A single layer has a sentence with its mean RandCrowns, and that of its conclusion with the
    numbers of crowns. If only some crowns were drawn, its recall comes first. Of several layers the
    sentences say which one is the best. The table contains all means with their intervals.

    Args:
        run: tables of the run.
        headline: conclusion of the run, which the dock shows too. That of an earlier version has
            no message with the numbers of crowns; for a single layer, all of it is the answer.
    """
    counts = [message.sentence(tr) for message in headline if message.key == COUNTS_KEY]
    if len(run.overall) > 1:
        sentences = [*answer_sentences(run), *class_sentences(headline)]
    elif headline and not counts:
        sentences = [message.sentence(tr) for message in headline]
    else:
        sentences = [
            *_recall_sentences(run),
            *_single_layer_sentences(run),
            *counts,
            *class_sentences(headline),
        ]
    problem = problem_sentence(run)
    return Answer([*sentences, problem] if problem else sentences, answer_table(run))


def answer_sentences(run: ScoredLayers) -> list[str]:
    """Return which of several layers is the best, or that none is.

    Without two layers with a mean score the list is empty.
    """
    comparison = _compare_layers(run)
    if comparison is None:
        return []
    means = run.overall["randcrowns_mean"].astype(float)
    values = {
        "best": run.display_names[comparison.best],
        "mean": format_value(means[comparison.best], SCORE_DIGITS),
    }
    if not comparison.is_tested:
        reason = tr(
            "Whether it is better than the others cannot be tested: a test requires at least "
            "{crowns} crowns or, with plots, {plots} plots.",
            crowns=MIN_UNITS,
            plots=MIN_PLOTS,
        )
        if not set(run.overall.index) <= set(run.crowns):
            reason = tr(
                "Whether it is better than the others cannot be tested: these results do not "
                "contain the scores of the crowns."
            )
        return [tr("{best} has the highest mean RandCrowns, {mean}.", **values), reason]
    n_weak_plots = _count_weak_plots(run, comparison)
    test = "These statements are paired tests over the crowns at 5 %, adjusted for all pairs."
    if comparison.are_plots:
        test = "These statements are paired tests over the plots at 5 %, adjusted for all pairs."
    if comparison.better_than:
        sentences = _better_sentences(_with_short_names(comparison, run.display_names), values)
    else:
        worst = comparison.not_separable[-1]
        extremes = tr(
            "{best} has the highest mean RandCrowns, {mean}; {worst} has the lowest, {lowest}.",
            worst=run.display_names[worst],
            lowest=format_value(means[worst], SCORE_DIGITS),
            **values,
        )
        sentences = [_none_better_sentence(comparison, n_weak_plots), extremes]
    sentences.append(tr(test))
    if n_weak_plots:
        weak = tr(
            "Tests of {plots} plots find only large differences that are alike in all plots. Each "
            "interval is for one layer alone: it does not compare layers.",
            plots=n_weak_plots,
        )
        sentences.append(weak)
    return sentences


def _count_weak_plots(run: ScoredLayers, comparison: _Comparison) -> int:
    """Return the number of plots of the tests if equal layers may differ, because it is low.

    Returns:
        The number of plots; 0 if there are enough, or without tests over plots of equal layers.
    """
    if not comparison.are_plots or not comparison.not_separable:
        return 0
    n_plots = int(run.plots.groupby("layer").size().max())
    return n_plots if n_plots < _ENOUGH_PLOTS else 0


def _recall_sentences(run: ScoredLayers) -> list[str]:
    """Return the recall of a single layer if only some crowns were drawn; [] otherwise."""
    overall = run.overall
    column = _recall_column(overall)
    if not column or not _is_not_judged(_read_counts(overall)).all():
        return []
    recall = _recall_texts(overall, column)[0]
    return [
        tr(
            "{layer} has a recall of {recall}: the share of the targets with a RandCrowns of at "
            "least {threshold}.",
            layer=run.display_names[str(overall.index[0])],
            recall=recall,
            threshold=_recall_threshold(column),
        )
    ]


def _is_not_judged(counts: pd.DataFrame) -> pd.Series:
    """Return a mask of the layers whose delineations without a target were not judged.

    Args:
        counts: counts of each layer, see :func:`_read_counts`.
    """
    return counts["not_judged"].notna()


def _recall_column(overall: pd.DataFrame) -> str:
    """Return the column of the recall at a minimum of RandCrowns; "" if it is missing."""
    prefix, ends = "recall_randcrowns_", ("_low", "_high")
    names = [str(name) for name in overall if str(name).startswith(prefix)]
    return next((name for name in names if not name.endswith(ends)), "")


def _recall_threshold(column: str) -> str:
    """Return the minimum of RandCrowns in the name of a column of a recall.

    >>> _recall_threshold("recall_randcrowns_0_5")
    '0.5'
    """
    number = column.rpartition("randcrowns_")[2].replace("_", ".")
    return format_value(float(number), len(number.partition(".")[2]))


def _recall_texts(overall: pd.DataFrame, column: str) -> list[str]:
    """Return the recall of each layer with its interval.

    Args:
        overall: rows of the summary.
        column: column of the recall.
    """
    names = (column, f"{column}_low", f"{column}_high")
    rows = overall.reindex(columns=names)
    return [row.text for row in read_means(rows, rows.index, names)]


def _single_layer_sentences(run: ScoredLayers) -> list[str]:
    """Return the mean RandCrowns of a layer, and over how many targets it is; [] without a row."""
    if not len(run.overall):
        return []
    layer = str(run.overall.index[0])
    name = run.display_names[layer]
    mean = float(run.overall["randcrowns_mean"].astype(float).iloc[0])
    if math.isnan(mean):
        return [tr("No target has a score with {layer}.", layer=name)]
    counts = _read_counts(run.overall).iloc[0]
    n_scored = sum(counts[name] for name in _SCORED_COUNTS)
    number = format_value(mean, SCORE_DIGITS)
    if math.isnan(n_scored) or math.isnan(counts["targets"]):
        return [tr("{layer} has a mean RandCrowns of {mean}.", layer=name, mean=number)]
    n_targets = int(counts["targets"])
    empty = _count_empty_plots(run, layer)
    if empty.n_targets <= _MANY_IN_EMPTY_PLOTS * n_targets:
        template = (
            "{layer} has a mean RandCrowns of {mean}, over {scored:,} of {targets:,} targets."
        )
        return [tr(template, layer=name, mean=number, scored=int(n_scored), targets=n_targets)]
    return [
        tr(
            "{layer} has a mean RandCrowns of {mean}, over {scored:,} of {targets:,} targets; "
            "{count:,} targets are in plots without any delineation ({plots:,}) and lower it, "
            "because each counts as 0.",
            layer=name,
            mean=number,
            scored=int(n_scored),
            targets=n_targets,
            count=empty.n_targets,
            plots=empty.n_plots,
        )
    ]


class _EmptyPlots(NamedTuple):
    """Plots with targets, but without delineations of a layer."""

    n_plots: int  #: number of plots.
    n_targets: int  #: number of their targets.


def _count_empty_plots(run: ScoredLayers, layer: str) -> _EmptyPlots:
    """Count the plots of a layer with targets, but without delineations, and their targets."""
    plots = run.plots
    if not len(plots) or "delineations" not in plots:
        return _EmptyPlots(0, 0)
    is_empty = (plots["layer"] == layer) & (plots["delineations"] == 0) & (plots["targets"] > 0)
    return _EmptyPlots(int(is_empty.sum()), int(plots.loc[is_empty, "targets"].sum()))


def _empty_plots_note(run: ScoredLayers) -> str:
    """Return the numbers of targets in plots without delineations of several layers; or ""."""
    if len(run.overall) < 2:
        return ""
    texts = []
    for layer in map(str, run.overall.index):
        n_targets = _count_empty_plots(run, layer).n_targets
        if n_targets > _MANY_IN_EMPTY_PLOTS * float(run.overall["targets"][layer]):
            texts.append(tr("{layer}: {count:,}", layer=run.display_names[layer], count=n_targets))
    if not texts:
        return ""
    return tr(
        "Targets in plots without any delineation of a layer count as 0: {numbers}.",
        numbers=tuple(texts),
    )


def _with_short_names(comparison: _Comparison, short_names: Mapping[str, str]) -> _Comparison:
    """Return a comparison with the names that a report shows."""
    return comparison._replace(
        best=short_names[comparison.best],
        better_than=[short_names[layer] for layer in comparison.better_than],
        not_separable=[short_names[layer] for layer in comparison.not_separable],
    )


def _none_better_sentence(comparison: _Comparison, n_weak_plots: int) -> str:
    """Return that no layer can be called better, and why if there are few plots.

    Args:
        comparison: result of the tests.
        n_weak_plots: see :func:`_count_weak_plots`.
    """
    if not n_weak_plots:
        return tr("No layer can be called better than the others.")
    n_layers = 1 + len(comparison.not_separable)
    return tr(
        "{plots} plots are too few to compare {count} pairs of layers: no layer can be called "
        "better than the others, but they may differ.",
        one="{plots} plots are too few to compare two layers: neither can be called better, but "
        "they may differ.",
        plots=n_weak_plots,
        count=n_layers * (n_layers - 1) // 2,
    )


def _name_layers(names: Sequence[str]) -> tuple[str, ...] | str:
    """Return the names of layers for a sentence; of many, the first ones and the last one.

    Args:
        names: names of the layers, the highest mean first.

    >>> _name_layers(["a", "b", "c", "d", "e", "f", "g", "h"])
    'a, b, c, d, e and 3 more down to h'
    """
    if len(names) <= _MAX_NAMES:
        return tuple(names)
    return tr(
        "{shown} and {rest:,} more down to {last}",
        shown=tuple(names[:_MAX_NAMES]),
        rest=len(names) - _MAX_NAMES,
        last=names[-1],
    )


def _better_sentences(comparison: _Comparison, values: Mapping[str, str]) -> list[str]:
    """Return which layers the best one is better than.

    Args:
        comparison: result of the tests, with at least one layer that the best is better than.
        values: ``best``, the name of the layer, and ``mean``, its mean RandCrowns.
    """
    better_than = _name_layers(comparison.better_than)
    if not comparison.not_separable:
        template = (
            "{best} is better than all others: it has the highest mean RandCrowns, {mean}, and "
            "differs from {others}."
        )
        return [tr(template, others=better_than, **values)]
    template = "It is better than {others}, but cannot be told apart from {equals}."
    return [
        tr("{best} has the highest mean RandCrowns, {mean}.", **values),
        tr(template, others=better_than, equals=_name_layers(comparison.not_separable)),
    ]


def _compare_layers(run: ScoredLayers) -> _Comparison | None:
    """Test whether the layer with the highest mean RandCrowns is better than each other layer.

    Returns:
        The comparison; None for fewer than two layers with a mean.
    """
    means = run.overall["randcrowns_mean"].astype(float).dropna()
    if len(means) < 2:
        return None
    names = [str(name) for name in means.index]
    tables = [run.crowns[name] for name in names if name in run.crowns]
    comparison = compare_layers(tables) if len(tables) == len(names) else None
    ranked = run.ranked_layers
    if comparison is None:
        best = str(means.idxmax())
        return _Comparison(
            best=best,
            better_than=[],
            not_separable=[name for name in names if name != best],
            is_tested=False,
            are_plots=False,
        )
    return _Comparison(
        best=names[comparison.best],
        better_than=sorted([names[row] for row in comparison.better_than], key=ranked.index),
        not_separable=sorted([names[row] for row in comparison.not_separable], key=ranked.index),
        is_tested=comparison.is_tested,
        are_plots=comparison.are_plots,
    )


def answer_table(run: ScoredLayers) -> Table | None:
    """Return a table with means, intervals and counts per layer; None without a layer."""
    overall = run.overall
    if not len(overall):
        return None
    order = sort_means(_means(overall, "randcrowns"))
    counts = _read_counts(overall)
    shown_counts = _shown_counts(counts)
    count_titles = _count_titles()
    means = {
        SCORE_NAMES[score]: {row.name: row.text for row in _means(overall, score)}
        for score in SCORES
    }
    recall_column = _recall_column(overall)
    if recall_column and _is_not_judged(counts).any():
        recalls = dict(zip(map(str, overall.index), _recall_texts(overall, recall_column)))
        means = {tr("Recall"): recalls, **means}
    titles = [tr("Layer"), *means, *(count_titles[name] for name in shown_counts)]
    rows = []
    for layer in (row.name for row in order):
        numbers = [texts_of_layers[layer] for texts_of_layers in means.values()]
        texts = [_count_text(counts.loc[layer], name) for name in shown_counts]
        rows.append([run.display_names[str(layer)], *numbers, *texts])
    is_number = [False, *(True for _ in titles[1:])]
    # The pictures and the tables of plots have the short names.
    meanings = [
        (SCORE_ABBREVIATIONS[score], meaning) for score, meaning in score_meanings().items()
    ]
    count_meanings = _count_meanings()
    meanings += [(count_titles[name], count_meanings[name]) for name in shown_counts]
    note = tr("Means of the targets.")
    if _has_intervals(overall):
        note = tr("Means of the targets; in brackets: 95 % interval.")
        note = " ".join([note, *_missing_interval_sentences(overall)])
    elif len(run.plots):
        n_plots = int(run.plots.groupby("layer").size().max())
        note = " ".join(filter(None, [note, missing_interval_note(n_plots)]))
    if _has_shared_pairs(run):
        shared = tr("A delineation can be the pair of several targets: each counts as detected.")
        note = f"{note} {shared}"
    note = " ".join(filter(None, [note, _empty_plots_note(run)]))
    title = tr("Layers compared") if len(overall) > 1 else tr("Scores")
    return Table(title, TableContent(titles, is_number, rows, meanings), note)


def _has_intervals(overall: pd.DataFrame) -> bool:
    """Return True if the mean of any layer has an interval."""
    return any(row.has_interval for score in SCORES for row in _means(overall, score))


def _missing_interval_sentences(overall: pd.DataFrame) -> list[str]:
    """Return the reasons why means in a table with intervals have none; [] if all have one."""
    means = [row for score in SCORES for row in _means(overall, score)]
    missing = [row.mean for row in means if not row.has_interval and not math.isnan(row.mean)]
    are_extreme = [math.isclose(mean, 0, abs_tol=1e-9) or math.isclose(mean, 1) for mean in missing]
    sentences = []
    if any(are_extreme):
        sentences.append(
            tr("A mean of exactly 0 or 1 has no interval, because all its scores are equal.")
        )
    if not all(are_extreme):
        sentences.append(
            tr(
                "Means of fewer than {crowns} targets or, with plots, {plots} plots have no "
                "interval.",
                crowns=MIN_UNITS,
                plots=MIN_PLOTS,
            )
        )
    return sentences


def _has_shared_pairs(run: ScoredLayers) -> bool:
    """Return True if a delineation is known to be the pair of several detected targets."""
    counts = _read_counts(run.overall)
    n_without_target = counts["unmatched_delineations"].fillna(counts["not_judged"])
    n_paired = counts["delineations"] - n_without_target
    if (counts["matched"] > n_paired).any():
        return True
    for crowns in run.crowns.values():
        if {"delineation_id", "status"} <= set(crowns):
            is_detected = crowns["status"].isin([status.value for status in FOUND_STATUSES])
            if crowns.loc[is_detected, "delineation_id"].dropna().duplicated().any():
                return True
    return False


def _read_counts(overall: pd.DataFrame) -> pd.DataFrame:
    """Return the counts of each layer; a count that the summary lacks is NaN.

    The column ``not_detected`` is the sum of the counts of the targets that were not detected.
    """
    counts = overall.reindex(columns=[*_COUNTS]).astype(float)
    return counts.assign(not_detected=counts[[*_NOT_DETECTED_COUNTS]].sum(axis="columns"))


def _shown_counts(counts: pd.DataFrame) -> list[str]:
    """Return the columns of the counts in the table of the answer; rare ones only if they occur.

    Args:
        counts: counts of each layer, see :func:`_read_counts`.
    """
    is_not_judged = _is_not_judged(counts)
    names = ["matched", "not_detected"]
    names += ["not_judged"] if is_not_judged.any() else []
    names += [] if is_not_judged.all() else ["unmatched_delineations"]
    return [*names, "too_small"] if (counts["too_small"] > 0).any() else names


def _count_titles() -> dict[str, str]:
    """Return the titles of the counts in the table of the answer, by column of the summary."""
    return {
        "matched": tr("Detected"),
        "not_detected": tr("Not detected"),
        "not_judged": tr("Not judged"),
        "unmatched_delineations": tr("False detections"),
        "too_small": tr("Too small"),
    }


def _count_meanings() -> dict[str, str]:
    """Return the meanings of the counts; see :func:`_count_titles`."""
    statuses = status_meanings()
    return {
        "matched": detected_meaning(),
        "not_detected": not_detected_meaning(),
        "not_judged": not_judged_meaning(),
        "unmatched_delineations": false_detection_meaning(),
        "too_small": statuses[Status.TARGET_TOO_SMALL],
    }


def _count_text(counts: pd.Series, name: str) -> str:
    """Return a count of a layer as text, with the number that it is a part of if it has one."""
    totals = {
        "matched": "targets",
        "not_judged": "delineations",
        "unmatched_delineations": "delineations",
    }
    if name in totals:
        return _part_text(counts[name], counts[totals[name]])
    return format_value(counts[name], 0)


def _part_text(part: float, total: float) -> str:
    """Return a number and the number that it is a part of; without the total if that is NaN."""
    text = format_value(part, 0)
    if part != part or total != total:  # NaN
        return text
    return tr("{number} of {all}", number=text, all=format_value(total, 0))


def _means(rows: pd.DataFrame, score: str, name: str = "") -> list[MeanOfLayer]:
    """Return the means of a score in rows of the summary.

    Args:
        rows: rows of the summary.
        score: column of the score.
        name: column with the names of the rows; empty for the index.
    """
    names = rows[name] if name else rows.index
    return read_score_means(rows, names, score)


def score_figures(run: ScoredLayers) -> list[Figure]:
    """Return the figures of a run: means, distributions, RandCrowns against IoU, and plots.

    The means of a single layer are in the table of the answer only.
    """
    figures = [_means_figure(run)] if len(run.overall) > 1 else []
    if run.crowns:
        figures += [_distribution_figure(run), _scatter_figure(run)]
    if len(run.plots):
        plots_figure = _plots_figure(run)
        figures += [] if plots_figure is None else [plots_figure]
    return figures


def _means_figure(run: ScoredLayers) -> Figure:
    """Return the means and intervals of all layers, with a diagram per score."""
    panels = []
    for score in SCORES:
        means = sort_means(_means(run.overall, score))
        name = SCORE_NAMES[score]
        panels.append(means_panel(means, name, describe_means(name, means)))
    numbers = run.overall["targets"]
    templates = {
        (True, True): (
            "Points: means of {n:,} targets. Bars: 95 % intervals. The highest mean is on top."
        ),
        (False, True): (
            "Points: means of up to {n:,} targets. Bars: 95 % intervals. The highest mean is on "
            "top."
        ),
        (True, False): "Points: means of {n:,} targets. The highest mean is on top.",
        (False, False): "Points: means of up to {n:,} targets. The highest mean is on top.",
    }
    are_equal = bool(numbers.min() == numbers.max())
    template = templates[are_equal, _has_intervals(run.overall)]
    caption = tr(template, n=int(numbers.max()))
    return Figure(tr("Mean scores"), panels, caption)


def _ranked_crowns(run: ScoredLayers) -> list[str]:
    """Return the layers with crowns, in the order of the table of the answer."""
    return [layer for layer in run.ranked_layers if layer in run.crowns]


def _distribution_figure(run: ScoredLayers) -> Figure:
    """Return the distributions of the scores of all layers, with a diagram per score."""
    layers = _ranked_crowns(run)
    panels = []
    for score in SCORES:
        values = {layer: _known_values(run.crowns[layer][score]) for layer in layers}
        panels.append(
            Panel(
                drawing(draw_distributions, values, SCORE_NAMES[score]),
                PANEL_WIDTH,
                means_height(len(layers)),
                _describe_distributions(SCORE_NAMES[score], values),
            )
        )
    caption = distribution_caption([len(frame) for frame in run.crowns.values()])
    return Figure(tr("Distribution of the scores"), panels, caption)


def _known_values(values: pd.Series) -> Floats:
    """Return the values of a column without missing ones."""
    return values.dropna().to_numpy(dtype=float)


def _describe_distributions(score: str, values: Mapping[str, Floats]) -> str:
    """Return the description of a diagram of distributions, with quartiles."""
    texts = tuple(
        describe_quartiles(layer, scores) for layer, scores in values.items() if len(scores)
    )
    return tr("Distribution of {score}. {numbers}", score=score, numbers=texts)


def _scatter_figure(run: ScoredLayers) -> Figure:
    """Return RandCrowns against IoU, with a diagram per layer and its worst crowns named."""
    panels = []
    for layer in _ranked_crowns(run)[:MAX_LAYERS]:
        crowns = run.crowns[layer]
        scored = crowns[crowns["randcrowns"].notna() & crowns["iou"].notna()]
        worst = worst_crowns(scored, SCORES[0], _NAMED_CROWNS, "target_id")
        # A perfect score is not the worst, even if there are few targets with a lower one.
        names = {
            int(row): str(scored["target_id"].iloc[row])
            for row in worst
            if scored[SCORES[0]].iloc[row] < 1 - 0.5 * 10**-SCORE_DIGITS
        }
        title = run.display_names[layer] if len(run.crowns) > 1 else ""
        count = tr("{count:,} targets", one="{count:,} target", count=len(scored))
        description = tr("RandCrowns against IoU of {layer}, {targets}", layer=layer, targets=count)
        if names:
            description = tr(
                "RandCrowns against IoU of {layer}, {targets}; the worst targets: {names}",
                layer=layer,
                targets=count,
                names=tuple(names.values()),
            )
        panels.append(
            Panel(
                drawing(draw_scatter, scored, title, -1, names),
                PANEL_WIDTH,
                _SQUARE_HEIGHT,
                description,
            )
        )
    caption = tr(
        "Each point is a target. Numbers: ids of the worst targets, where there is room. On the "
        "dotted line both scores are equal."
    )
    return Figure(tr("RandCrowns and IoU of every target"), panels, caption)


def _plots_figure(run: ScoredLayers) -> Figure | None:
    """Return the mean RandCrowns per plot, the worst plot on top, with a diagram per layer.

    Plots with the highest score are not listed, because nothing is worse there. None if no layer
    has other plots.
    """
    rows_by_layer = dict(iter(run.plots.groupby("layer", sort=False)))
    ranked = [layer for layer in run.ranked_layers if layer in rows_by_layer][:MAX_LAYERS]
    maximum = MAX_PLOTS if len(ranked) == 1 else _MAX_PLOTS_OF_SEVERAL
    panels = []
    sentences = []
    n_listed = 0
    for layer in ranked:
        means = sort_means(_means(rows_by_layer[layer], "randcrowns", "plot"), lowest_first=True)
        name = run.display_names[layer]
        worse = [row for row in means if not row.mean >= 1 - 0.5 * 10**-SCORE_DIGITS]
        if not worse:
            sentences.append(tr("{layer}: every plot has a mean of 1.", layer=name))
            continue
        if len(worse) < len(means):
            sentences.append(
                tr(
                    "{layer}: {count:,} plots with a mean of 1 are not shown.",
                    one="{layer}: {count:,} plot with a mean of 1 is not shown.",
                    layer=name,
                    count=len(means) - len(worse),
                )
            )
        lowest = format_value(worse[0].mean, SCORE_DIGITS)
        n_lowest = sum(format_value(row.mean, SCORE_DIGITS) == lowest for row in worse)
        shown = worse[:maximum]
        if n_lowest > maximum:
            # Equal dots say nothing, so the plots with the next means are shown.
            template = "{layer}: {count:,} plots have the lowest mean, {mean}."
            if n_lowest < len(worse):
                shown = worse[n_lowest:][:maximum]
                template = (
                    "{layer}: {count:,} plots have the lowest mean, {mean}, and are not shown; the "
                    "plots after them are."
                )
            sentences.append(tr(template, layer=name, count=n_lowest, mean=lowest))
        n_listed = max(n_listed, len(worse) if shown[0] is worse[0] else 0)
        label = f"{name}: RandCrowns" if len(ranked) > 1 else "RandCrowns"
        panels.append(plot_means_panel(shown, label, describe_means(f"RandCrowns, {layer}", shown)))
    if not panels:
        return None
    n_plots = int(run.plots.groupby("layer").size().max())
    caption = tr("Points: means of the targets of a plot. Bars: 95 % intervals, if there are any.")
    caption = f"{caption} {plot_interval_note()}"
    if n_listed > maximum:
        caption = add_number_of_plots(caption, maximum, n_plots)
    return Figure(tr("Plots, the worst first"), panels, " ".join([caption, *sentences]))


def problem_figures(run: ScoredLayers) -> list[Figure]:
    """Return the numbers of crowns with each problem, with a diagram per layer; or nothing."""
    counts = {
        layer: _problem_counts(frame, run.overall, layer) for layer, frame in run.crowns.items()
    }
    layers = [layer for layer in _ranked_crowns(run) if sum(counts[layer].values())]
    if not layers:
        return []
    maximum = max(max(counts[layer].values()) for layer in layers)
    kinds = []
    for problem in Problem:
        has_problem = any(counts[layer].get(problem, 0) for layer in layers)
        if has_problem:
            kinds.append(problem)
    panels = []
    has_parts = False
    for layer in layers[:MAX_LAYERS]:
        numbers = {problem_label(kind): counts[layer].get(kind, 0) for kind in kinds}
        ordered = dict(sorted(numbers.items(), key=lambda item: -item[1]))
        parts = _not_detected_parts(run.crowns[layer])
        has_parts = has_parts or bool(parts)
        texts = tuple(f"{label} {format_value(count, 0)}" for label, count in ordered.items())
        title = run.display_names[layer] if len(layers) > 1 else ""
        panels.append(
            Panel(
                drawing(draw_problems, ordered, maximum, title, parts),
                PANEL_WIDTH,
                AXIS_HEIGHT + 0.15 + BAR_HEIGHT * len(ordered),
                tr("Problems of {layer}: {numbers}", layer=layer, numbers=texts),
            )
        )
    meanings = problem_meanings(run.limits)
    sentences = [tr("Number of crowns by the first problem that applies to them.")]
    if has_parts:
        sentences.append(
            tr(
                "Dark parts of the bars: targets that were not detected; their sum is the number "
                "in the first table."
            )
        )
    caption = " ".join(
        [
            *sentences,
            *(meanings[kind] for kind in kinds if kind in meanings),
        ]
    )
    return [Figure(tr("Problems by kind"), panels, caption)]


def _problem_counts(crowns: pd.DataFrame, overall: pd.DataFrame, layer: str) -> dict[Problem, int]:
    """Return the numbers of crowns of a layer by problem; unmatched delineations are extra."""
    kinds = crowns.get("rc_problem", pd.Series(dtype=object)).value_counts()
    counts: dict[Problem, int] = {
        problem: int(kinds.get(problem.value, 0))
        for problem in Problem
        if problem is not Problem.NONE
    }
    if layer in overall.index and "unmatched_delineations" in overall:
        n_extra = overall["unmatched_delineations"].astype(float).fillna(0.0)[layer]
        counts[Problem.EXTRA] += int(n_extra)
    return counts


def _not_detected_parts(crowns: pd.DataFrame) -> dict[str, int]:
    """Return the numbers of targets that were not detected by the label of their problem."""
    if "status" not in crowns or "rc_problem" not in crowns:
        return {}
    is_not_detected = crowns["status"].isin([status.value for status in NOT_FOUND_STATUSES])
    numbers = crowns.loc[is_not_detected, "rc_problem"].value_counts()
    return {
        problem_label(problem): int(numbers[problem.value])
        for problem in Problem
        if numbers.get(problem.value, 0)
    }


def problem_sentence(run: ScoredLayers) -> str:
    """Return the most frequent problem of a single layer; "" without a problem."""
    if len(run.crowns) != 1:
        return ""
    layer, crowns = next(iter(run.crowns.items()))
    counts = _problem_counts(crowns, run.overall, layer)
    problem = max(counts, key=lambda kind: counts[kind])
    if not counts[problem]:
        return ""
    return tr(
        "The most frequent problem is '{problem}' ({count:,} crowns).",
        one="The most frequent problem is '{problem}' ({count:,} crown).",
        problem=problem_label(problem),
        count=counts[problem],
    )
