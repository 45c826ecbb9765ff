"""Figures and sentences of reports on the variance and on the choice of parameters."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from randcrowns.core.messages import needs_powers
from randcrowns.core.scoring.layer import SCORE_NAMES
from randcrowns.core.tuning.conclusion import hidden_error_messages
from randcrowns.core.tuning.search import SAME_VARIANCE, SetAssessment
from randcrowns.core.tuning.wrong_pairs import WRONG_KINDS
from randcrowns.report import colours
from randcrowns.report.content import Figure, single_figure
from randcrowns.report.language import format_value, tr
from randcrowns.report.score_figures import draw_scatter, series_labels
from randcrowns.report.theme import SERIES_MARKERS, legend_height
from randcrowns.report.tuning_figures import draw_variances

#: Maximum number of pairs of annotators that colours and markers distinguish; if there are more,
#: they distinguish the annotators of the delineations, up to the number of different points.
_MAX_PAIRS = 20
_MAX_ANNOTATORS = len(colours.SERIES_COLOURS) * len(SERIES_MARKERS)
#: Size of the plot of two scores, whose axes have the same length, inches.
_SQUARE_INCHES = (4.8, 4.8)
#: Height of a legend for which this size has room, inches.
_SHORT_LEGEND_INCHES = 0.45


def wrong_pair_labels() -> dict[str, str]:
    """Return the labels of the kinds of wrong pairs, by kind.

    >>> wrong_pair_labels()["shrunk"]
    'Shrunk'
    """
    labels = (tr("Neighbours"), tr("Shifted"), tr("Shrunk"), tr("Grown"))
    return dict(zip(WRONG_KINDS, labels))


def sets_note(_sets: pd.DataFrame) -> str:
    """Return how recommended sets are ordered, below the table of the sets.

    >>> sets_note(pd.DataFrame())[:35]
    'The order is that of the common var'
    """
    return tr(
        "The order is that of the common variance. Variances that differ by at most {difference} "
        "are ties: the set with the lowest score of wrong pairs comes first.",
        difference=format_value(SAME_VARIANCE, -1),
    )


def hidden_errors(sets: pd.DataFrame) -> list[str]:
    """Return which errors the best set does not reveal, as sentences; nothing if it reveals all.

    Args:
        sets: recommended sets; see
            :func:`randcrowns.core.tuning.conclusion.hidden_error_messages`.

    >>> hidden_errors(pd.DataFrame({"mean": [0.9], "wrong_shrunk": [0.8]}))
    []
    """
    return [message.sentence(tr) for message in hidden_error_messages(sets)]


def variance_sentences(summary: pd.DataFrame) -> list[str]:
    """Return the typical difference between two annotators' scores; nothing without variances.

    The root mean square of the difference of two scores is the root of twice their variance.

    Args:
        summary: variances with the columns ``<score>_variance``; the last row is that of all.

    >>> variance_sentences(pd.DataFrame({"iou_variance": [0.02]}))
    ["Two annotators' scores of the same crown typically differ by: IoU 0.200."]
    """
    if not len(summary):
        return []
    columns = [f"{score}_variance" for score in SCORE_NAMES]
    variances = summary.reindex(columns=columns).iloc[-1].astype(float)
    differences = tuple(
        f"{name} {format_value(math.sqrt(2 * variance), 3)}"
        for name, variance in zip(SCORE_NAMES.values(), variances)
        if not math.isnan(variance)
    )
    if not differences:
        return []
    text = "Two annotators' scores of the same crown typically differ by: {differences}."
    return [tr(text, differences=differences)]


def variance_figures(pairs: pd.DataFrame) -> list[Figure]:
    """Return the plot of RandCrowns over IoU of a variance; none without pairs.

    Args:
        pairs: a row per pair of a target and a delineation with ``randcrowns`` and ``iou``, and
            with the names of both annotators in ``series``, ``target_annotator`` and
            ``delineation_annotator``. Results of earlier versions have no ``series``.
    """
    if not len(pairs):
        return []
    points = _split_into_series(pairs)
    n_series = points["series"].nunique() if "series" in points else 0
    is_by_pair = points is pairs

    def draw(axes: Any) -> None:
        draw_scatter(axes, points)

    medians = []
    for score in ("randcrowns", "iou"):
        median = float(pairs[score].median())
        medians.append(f"{SCORE_NAMES[score]} {format_value(median, 2)}")
    title = tr("RandCrowns and IoU of every pair")
    description = tr("RandCrowns against IoU; medians: {numbers}", numbers=tuple(medians))
    caption = _scatter_caption(len(pairs), n_series, is_by_pair)
    width, height = _SQUARE_INCHES
    # A long legend leaves the axes their size.
    labels = list(series_labels(points).values())
    height += max(0.0, legend_height(labels, width) - _SHORT_LEGEND_INCHES)
    return [single_figure(title, draw, caption, description, (width, height))]


def _split_into_series(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return pairs with a series per pair of annotators, or per annotator if there are many pairs.

    Without series, all points have one colour and one marker.

    Args:
        pairs: pairs; see :func:`variance_figures`.
    """
    if "series" not in pairs or pairs["series"].nunique() <= _MAX_PAIRS:
        return pairs
    annotators = pairs.get("delineation_annotator", pd.Series(dtype=str))
    if 1 < annotators.nunique() <= _MAX_ANNOTATORS:
        by_annotator = pairs.drop(columns="target_annotator")
        return by_annotator.assign(series=annotators)
    return pairs.drop(columns="series")


def _scatter_caption(count: int, n_series: int, is_by_pair: bool) -> str:
    """Return the caption of the plot of two scores, which states what the figure distinguishes.

    Args:
        count: number of points.
        n_series: number of series. Up to the number of colours, all points are dots.
        is_by_pair: True if a series is a pair of annotators, False if it is the annotator of the
            delineation.
    """
    if n_series > 1 and not is_by_pair:
        return tr(
            "Each of the {count:,} points is a pair of a target and a delineation. Colours and "
            "markers show who drew the delineation. On the dotted line both scores are equal.",
            count=count,
        )
    if 1 < n_series <= len(colours.SERIES_COLOURS):
        return tr(
            "Each of the {number:,} points is a pair of a target and a delineation. Colours show "
            "by whom they were drawn. On the dotted line both scores are equal.",
            number=count,
        )
    if n_series > 1:
        return tr(
            "Each of the {count:,} points is a pair of a target and a delineation. Colours and "
            "markers show by whom they were drawn. On the dotted line both scores are equal.",
            count=count,
        )
    return tr(
        "Each of the {number:,} points is a pair of a target and a delineation. On the dotted "
        "line both scores are equal.",
        number=count,
    )


def assessment_labels() -> dict[str, str]:
    """Return the labels of the assessments of a set of parameters, by assessment."""
    return {
        SetAssessment.OFFERED.value: tr("can be chosen"),
        SetAssessment.WRONG_PAIRS_TOO_HIGH.value: tr("wrong pairs score too high"),
        SetAssessment.DEGENERATE.value: tr(
            "right and wrong pairs all score alike, so that the variance is low"
        ),
        SetAssessment.RIGHT_PAIRS_TOO_LOW.value: tr("right pairs score too low"),
        SetAssessment.TOO_MANY_EXCLUDED.value: tr("too many crowns are too small"),
    }


def _refusals(grid: pd.DataFrame) -> str:
    """Return how many sets of a grid cannot be chosen for each reason; "" if all can.

    Args:
        grid: a row per set of parameters with its ``assessment``, which may be absent.
    """
    counts = grid.get("assessment", pd.Series(dtype=object)).value_counts()
    refused = tuple(
        f"{label}: {format_value(int(counts[assessment]), 0)}"
        for assessment, label in assessment_labels().items()
        if assessment in counts and assessment != SetAssessment.OFFERED.value
    )
    if not refused:
        return ""
    return tr("Sets of the whole grid that cannot be chosen: {reasons}.", reasons=refused)


def grid_figures(grid: pd.DataFrame, sets: pd.DataFrame) -> list[Figure]:
    """Return the plot of the variance over alpha and omega, at the gamma of the best set.

    If no set can be chosen, the gamma of the first set is taken and no set is marked. There is no
    plot without a grid.

    Args:
        grid: a row per set of parameters; see
            :func:`randcrowns.report.tuning_figures.draw_variances`.
        sets: the recommended sets with ``alpha``, ``omega`` and ``gamma``, the best one first.
    """
    if not len(grid):
        return []
    marked_set = None  # alpha and omega
    if len(sets):
        best_set = sets.iloc[0]
        marked_set = float(best_set["alpha"]), float(best_set["omega"])
        gamma = float(best_set["gamma"])
    else:
        gamma = float(grid.iloc[0]["gamma"])

    def draw(axes: Any) -> None:
        draw_variances(axes, grid, gamma, marked_set)

    caption = tr(
        "Gamma {gamma:g}; {count:,} sets of alpha and omega. Colour: variance of RandCrowns. Star: "
        "recommended set. Dots: the next best sets. Hatched: sets that cannot be chosen.",
        gamma=gamma,
        count=int((grid["gamma"] == gamma).sum()),
    )
    caption = " ".join(filter(None, [caption, _refusals(grid)]))
    ends = float(grid["variance"].min()), float(grid["variance"].max())
    low, high = (format_value(end, -3, needs_powers(ends)) for end in ends)
    description = tr("Variance of RandCrowns from {low} to {high}", low=low, high=high)
    title = tr("Variance of RandCrowns at the gamma of the best set")
    return [single_figure(title, draw, caption, description)]
