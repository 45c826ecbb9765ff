"""Problems of crowns: one problem per crown, with a sentence about its cause."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects, VisibleNumber
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import unless_too_many_pairs
from randcrowns.core.instances.crowded_overlap import KEPT_OVERLAPS, largest_overlaps
from randcrowns.core.instances.overlap import OverlapTable, overlap_without_ranks, pair_overlap
from randcrowns.core.messages import Message, Translate, format_english, note
from randcrowns.core.progress import Progress, no_progress, run_in_thread
from randcrowns.core.review.coverage import (
    Coverage,
    Match,
    Merged,
    ScoredPairs,
    count_parts,
    find_coverage,
    find_duplicates,
    find_merged,
    find_moved,
    find_owner,
    find_split,
)
from randcrowns.core.scoring.layer import RANDCROWNS_THRESHOLD, Columns, CrownScores
from randcrowns.core.status import Status, TextEnum
from randcrowns.core.thresholds import exceeds, falls_below, reaches

#: IoU of a pair from which a target has no problem, whatever else touches it.
EXACT_IOU = 0.9
#: IoU of a pair below which the overlap is low.
LOW_IOU = 0.5


class Problem(TextEnum):
    """Problem of a target or of an unmatched delineation: the first that applies, in this order.

    A target whose pair has an IoU of at least :data:`EXACT_IOU` has no problem. The delineation of
    a target is defined by :class:`randcrowns.core.review.coverage.Coverage`.
    """

    #: No delineation reaches the certain part of the target.
    MISSING = "missing"
    #: The delineation has no target, and all crowns were drawn as targets.
    EXTRA = "extra"
    #: The delineation has no target, but only some crowns were drawn as targets.
    NOT_JUDGED = "not judged"
    #: The delineation covers another target, too, which has no other delineation of its own.
    MERGED = "merged"
    #: Several delineations lie next to each other in the target.
    SPLIT = "split"
    #: The delineation is about as large as the target, but at another position.
    SHIFTED = "shifted"
    #: The delineation is larger than the target.
    TOO_LARGE = "too large"
    #: The delineation is smaller than the target.
    TOO_SMALL = "too small"
    #: The score or the IoU is below its limit, for none of the reasons above; or the delineation
    #: covers little of the target and fits another target.
    LOW_OVERLAP = "low overlap"
    NONE = "none"


#: Problems that a target can have, in the order of legends and tables.
TARGET_PROBLEMS = (
    Problem.MISSING,
    Problem.MERGED,
    Problem.SPLIT,
    Problem.SHIFTED,
    Problem.TOO_LARGE,
    Problem.TOO_SMALL,
    Problem.LOW_OVERLAP,
)


# Range of each limit that has other bounds than 0 and infinity.
_LIMIT_RANGES = {
    "covered": (0, 1),
    "inside": (0, 1),
    "larger": (1, np.inf),
    "smaller": (0, 1),
    "score": (0, 1),
}


@dataclass(frozen=True)
class ProblemLimits:
    """Limits beyond which something is a problem.

    Attributes:
        covered: minimum share of each of its targets that a merged delineation covers, 0 to 1.
        inside: minimum share of a delineation that lies in a split target, 0 to 1.
        shift: maximum distance between the centroids, over the square root of the target's area.
        larger: maximum area of the delineation over that of the target, at least 1.
        smaller: minimum area of the delineation over that of the target, 0 to 1.
        score: minimum RandCrowns score, 0 to 1.

    Raises:
        InputError: if a limit is not finite or out of its range.
    """

    covered: float = 0.5
    inside: float = 0.5
    shift: float = 0.25
    larger: float = 1.5
    smaller: float = 0.67
    score: float = RANDCROWNS_THRESHOLD

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            minimum, maximum = _LIMIT_RANGES.get(name, (0, np.inf))
            if not minimum <= value <= maximum or not np.isfinite(value):
                raise InputError(
                    "review.invalid_limit",
                    "The limit '{name}' must be a number from {least} to {most}.",
                    name=name,
                    least=minimum,
                    most=maximum,
                )


class Problems(NamedTuple):
    """Problems of all targets and delineations, see :func:`find_problems`.

    Attributes:
        targets: a row per target with the columns of :func:`problem_columns`.
        delineations: a row per delineation with the columns ``problem`` (None for delineations that
            are matched with a target) and ``duplicate_of`` (id of the target that has another
            delineation of its own; missing without one).
    """

    targets: pd.DataFrame
    delineations: pd.DataFrame
    #: False if only the largest overlaps of each crown were compared.
    compares_all_overlaps: bool = True
    #: Overlaps that were compared; None if unknown.
    overlap: OverlapTable | None = None
    #: Plot of a delineation that lies on a target without one; missing if there is none. Crowns are
    #: compared within a plot only, so it is not the delineation of the target.
    other_plots: Objects | None = None

    def cause_columns(self) -> pd.DataFrame:
        """Return the columns of the targets from which :func:`describe_causes` writes sentences."""
        if self.other_plots is None:
            return self.targets
        columns: pd.DataFrame = self.targets.assign(other_plot=self.other_plots)
        return columns

    def overlap_messages(self, layer: str) -> list[Message]:
        """Return a message if not all overlaps were compared.

        Args:
            layer: name of the layer of delineations.
        """
        if self.compares_all_overlaps:
            return []
        return [
            note(
                "problems.largest_overlaps",
                "Many crowns of layer '{layer}' lie in one spot. The scores are not affected, but "
                "problems were found from the {count:,} largest overlaps of each crown only. Check "
                "the layers for duplicates.",
                layer=layer,
                count=KEPT_OVERLAPS,
            )
        ]


def find_problems(
    targets: Crowns,
    delineations: Crowns,
    scores: CrownScores,
    limits: ProblemLimits = ProblemLimits(),
    progress: Progress = no_progress,
    *,
    needs_all_overlaps: bool = True,
) -> Problems:
    """Find the problem of every target, and of every delineation without a target.

    Args:
        targets: the scored targets, in metres.
        delineations: the scored delineations, in metres.
        scores: result of :func:`randcrowns.core.scoring.layer.score_crowns` for these crowns.
        limits: limits beyond which something is a problem.
        progress: called with the fraction of the overlaps done.
        needs_all_overlaps: False to compare the largest overlaps of each crown only, if all of
            them do not fit into memory because many crowns lie in one spot.

    Returns:
        Tables of the problems of the targets and of the delineations.

    Raises:
        InputError: if all overlaps are needed, but do not fit into memory.

    >>> import shapely
    >>> from randcrowns.core.scoring.layer import score_crowns
    >>> from randcrowns.core.scoring.parameters import RandCrownsParameters
    >>> trees, drawn = Crowns([shapely.box(0, 0, 5, 5)]), Crowns([shapely.box(0, 0, 9, 9)])
    >>> scores = score_crowns(trees, drawn, RandCrownsParameters(0.7, 1.2, 3))
    >>> problems = find_problems(trees, drawn, scores)
    >>> problems.targets["problem"].tolist(), describe_causes(problems.targets)
    (['too large'], ['Delineation 3.2 times the crown, 42.6 m² beyond the tolerance: too large'])
    """
    find = partial(_find_problems, targets, delineations, scores, limits, needs_all_overlaps)
    return run_in_thread(find, progress)


def _find_problems(
    targets: Crowns,
    delineations: Crowns,
    scores: CrownScores,
    limits: ProblemLimits,
    needs_all_overlaps: bool,
    progress: Progress,
) -> Problems:
    """Find the problems of crowns, see :func:`find_problems`, in a thread of its own."""
    match_row = _find_rows(scores.targets["delineation_id"], delineations.ids)
    overlap = unless_too_many_pairs(
        partial(overlap_without_ranks, targets, delineations, progress),
        is_needed=needs_all_overlaps,
    )
    compares_all = overlap is not None
    if overlap is None:
        overlap = _main_overlaps(targets, delineations, match_row, progress)
    score_columns = {name: scores.targets[name].to_numpy() for name in REQUIRED_SCORES}
    match = match_of_scores(
        match_row,
        scores.delineations["target_id"].array,
        score_columns,
        overlap,
    )
    coverage = find_coverage(
        targets,
        delineations,
        overlap,
        match,
        scored=_scored_pairs(scores.pairs),
        parameters=scores.parameters,
        covered=limits.covered,
    )
    columns = problem_columns(coverage, score_columns, limits)
    lone = delineation_columns(coverage, scores.delineations["status"])
    other_plots = _find_other_plots(targets, delineations, columns["problem"], progress)
    return Problems(
        pd.DataFrame(columns), pd.DataFrame(lone), compares_all, overlap, other_plots=other_plots
    )


def _find_other_plots(
    targets: Crowns, delineations: Crowns, problem: Array, progress: Progress
) -> Objects | None:
    """Return the plot of a delineation on each target that has no delineation in its own plot.

    Args:
        targets: T targets.
        delineations: D delineations.
        problem: (T,) problems of the targets.
        progress: called with the fraction done; may raise to cancel.

    Returns:
        (T,) plots of the delineation that shares the largest area; None for none. None if the
        crowns have no plots, or no CRS: images in pixel coordinates lie on one another.
    """
    if targets.plots is None or delineations.plots is None:
        return None
    if not targets.crs or not len(delineations):
        return None
    other_plots: Objects = np.full(len(targets), None, dtype=object)
    missing_rows = np.flatnonzero(problem == Problem.MISSING.value)
    if not len(missing_rows):
        return other_plots
    pairs = shapely.STRtree(delineations.geometry).query(targets.geometry[missing_rows])
    target_rows = missing_rows[pairs[0]]
    plots = delineations.plots[pairs[1]]
    is_of_other = (plots != targets.plots[target_rows]) & ~pd.isna(plots)
    overlap = pair_overlap(
        targets, delineations, target_rows[is_of_other], pairs[1][is_of_other], progress
    )
    # The largest shared area is assigned last.
    order = np.argsort(overlap.shared, kind="stable")
    other_plots[overlap.target[order]] = delineations.plots[overlap.prediction[order]]
    return other_plots


def _main_overlaps(
    targets: Crowns, delineations: Crowns, row: Ints, progress: Progress
) -> OverlapTable:
    """Return the overlap table of the largest overlaps of each crown and of the assigned pairs.

    Args:
        targets: T targets.
        delineations: D delineations.
        row: (T,) row of each target's delineation; -1 without one.
        progress: called with the fraction done.
    """
    # A pair is identified by one number.
    n_delineations = len(delineations)
    largest = largest_overlaps(targets, delineations, progress=progress)
    largest_keys = largest.target * n_delineations + largest.prediction
    matched_targets = np.flatnonzero(row >= 0)
    assigned_keys = matched_targets * n_delineations + row[matched_targets]
    keys = np.union1d(largest_keys, assigned_keys)
    return pair_overlap(targets, delineations, keys // n_delineations, keys % n_delineations)


#: Columns of :attr:`randcrowns.core.scoring.layer.CrownScores.targets` that the problems depend on.
REQUIRED_SCORES = ("randcrowns", "a", "b", "c", "d", "status", "best_iou")


def match_of_scores(row: Ints, served: Any, scores: Columns, overlap: OverlapTable) -> Match:
    """Return the pairs that a pairing method has assigned.

    Args:
        row: (T,) row of each target's delineation; -1 without one.
        served: (D,) id of the target of each delineation, a pandas IntegerArray.
        scores: (T,) columns ``REQUIRED_SCORES`` of the targets' scores.
        overlap: overlap table of the targets and delineations.
    """
    is_reached = (row >= 0) & (scores["status"] != Status.MISSED.value)
    # A target without a certain part is reached by the delineations that overlap it.
    is_too_small = np.flatnonzero(is_reached & (scores["status"] == Status.TARGET_TOO_SMALL.value))
    if len(is_too_small):
        overlapping = overlap.prediction == row[overlap.target]
        is_overlapped = np.zeros(len(row), dtype=bool)
        is_overlapped[overlap.target[overlapping]] = True
        is_reached[is_too_small] = is_overlapped[is_too_small]
    return Match(row, is_reached, served)


def _scored_pairs(pairs: pd.DataFrame) -> ScoredPairs:
    """Return the candidate pairs of scores with their status."""
    is_missed = pairs["status"].to_numpy() == Status.MISSED.value
    return ScoredPairs(pairs["target"].to_numpy(), pairs["delineation"].to_numpy(), is_missed)


def problem_columns(
    coverage: Coverage, scores: Columns, limits: ProblemLimits, is_requested: Bools | None = None
) -> dict[str, Any]:
    """Return the problems of targets, with the measures that they follow from.

    Args:
        coverage: T targets with their delineations.
        scores: (T,) columns ``REQUIRED_SCORES`` of the targets' scores.
        limits: limits beyond which something is a problem.
        is_requested: (T,) targets whose values are needed; None for all.

    Returns:
        (T,) columns: ``problem`` (a :class:`Problem` as text), ``score`` (RandCrowns, 0 to 1),
        ``iou``, ``shift`` (m between the centroids), ``size_ratio`` (area of the delineation over
        that of the target), ``share`` (share of the target that the delineation covers), ``tp``,
        ``tn``, ``fp``, ``fn`` (m², the square roots of the terms a, b, c, d of RandCrowns),
        ``other`` (id of the other target of the delineation; missing without one), ``covered``
        (covered share of that target), ``parts`` (number of delineations that lie in the target),
        ``unpaired`` (id of the delineation, if the target has no pair that reaches its certain
        part; otherwise missing).
    """
    delineation_rows = coverage.delineation
    # Values of the delineations, followed by the value for targets without one, whose row is -1.
    sizes = np.append(coverage.overlap.prediction_size, np.nan)
    ids = np.append(coverage.delineations.ids, 0)
    centroids = np.append(coverage.delineations.centroids, [[np.nan, np.nan]], axis=0)
    # From the centroid of the delineation to that of the target.
    way = coverage.targets.centroids - centroids[delineation_rows]
    columns: dict[str, Any] = {
        "score": scores["randcrowns"].astype(float),
        "iou": scores["best_iou"].astype(float),
        "shift": np.hypot(way[:, 0], way[:, 1]),
        "size_ratio": sizes[delineation_rows] / coverage.overlap.target_size,
        "share": coverage.at_pair(coverage.target_share),
    }
    # The terms of RandCrowns are squares of areas.
    for area_name, term in (("tp", "a"), ("tn", "b"), ("fp", "c"), ("fn", "d")):
        columns[area_name] = np.sqrt(scores[term].astype(float))

    merged = find_merged(coverage, limits.covered)
    conditions = _Conditions(
        coverage=coverage, columns=columns, limits=limits, merged=merged, is_requested=is_requested
    )
    problem = conditions.first_problem(way)
    is_unpaired = (delineation_rows >= 0) & ~coverage.match.is_reached
    delineation_ids = ids[delineation_rows].astype(np.int64)
    return {
        "problem": problem,
        **columns,
        **_other_columns(coverage, merged, conditions.owner),
        "parts": count_parts(coverage, limits.inside),
        "unpaired": pd.arrays.IntegerArray(delineation_ids, mask=~is_unpaired),
    }


def _other_columns(coverage: Coverage, merged: Merged, owner: Merged) -> dict[str, Any]:
    """Return the columns ``other`` and ``covered`` of :func:`problem_columns`.

    Args:
        coverage: T targets with their delineations.
        merged: targets that share a delineation.
        owner: targets whose delineation fits another target.
    """
    other = np.where(merged.is_merged, merged.other, owner.other)
    share = np.where(merged.is_merged, merged.share, owner.share)
    is_known = other >= 0
    ids = coverage.targets.ids[other].astype(np.int64)
    # The target of the delineation is the other one if it is not covered enough.
    unmeasured_rows = np.flatnonzero(merged.is_merged & ~is_known)
    ids[unmeasured_rows] = coverage.match.served[coverage.delineation[unmeasured_rows]].to_numpy(
        dtype=np.int64
    )
    is_known[unmeasured_rows] = True
    return {"other": pd.arrays.IntegerArray(ids, mask=~is_known), "covered": share}


def delineation_columns(coverage: Coverage, status: ArrayLike) -> dict[str, Any]:
    """Return the columns of :attr:`Problems.delineations`.

    Args:
        coverage: overlaps with D delineations.
        status: (D,) :class:`randcrowns.core.status.Status` of each delineation, as text.

    Returns:
        The columns ``problem`` and ``duplicate_of``, of D values each.
    """
    problem = delineation_problems(status)
    target = find_duplicates(coverage)
    is_duplicate = (problem == Problem.EXTRA.value) & (target >= 0)
    ids = np.append(coverage.targets.ids, 0)[target].astype(np.int64)
    return {"problem": problem, "duplicate_of": pd.arrays.IntegerArray(ids, mask=~is_duplicate)}


def delineation_problems(status: ArrayLike) -> Array:
    """Return the problems of delineations from their status.

    Args:
        status: (D,) :class:`randcrowns.core.status.Status` of each delineation, as text.

    Returns:
        (D,) :class:`Problem` as text; None for delineations that are matched with a target.

    >>> delineation_problems(["unmatched", "matched"]).tolist()
    ['extra', None]
    """
    status_array = np.asarray(status)
    problems = np.full(np.shape(status), None, dtype=object)
    problems[status_array == Status.UNMATCHED.value] = Problem.EXTRA.value
    problems[status_array == Status.NOT_JUDGED.value] = Problem.NOT_JUDGED.value
    return problems


#: Values that are not shown as 0 unless they are 0; areas in m² have one decimal.
_VISIBLE = frozenset({"size_ratio", "share", "covered", "shift", "score", "iou"})
#: Number below which a value with one decimal is shown as 0.0.
_SHOWN_AS_ZERO = 0.05


class _Sentence(NamedTuple):
    """Sentence about the cause of a problem, and the values without which it is not used."""

    template: str
    required: tuple[str, ...] = ()  #: Values that must be known.
    nonzero: str = ""  #: Value with one decimal that must not be shown as 0; "" for none.


#: Problem -> its sentences; the first that has its required values is used. Pairs of IDTReeS 2020
#: and targets without a pair have no terms (``fp``, ``fn``).
_SENTENCES = {
    Problem.MISSING: [
        _Sentence(
            "The delineation that lies here is of another plot, {other_plot}: no delineation",
            ("other_plot",),
        ),
        _Sentence("No delineation reaches the certain part of the crown: no delineation"),
    ],
    Problem.EXTRA: [
        _Sentence(
            "Target {duplicate_of} has another delineation: false detection, duplicate",
            ("duplicate_of",),
        ),
        _Sentence("No target for this delineation: false detection"),
    ],
    Problem.NOT_JUDGED: [
        _Sentence("No target for this delineation, where only some crowns were drawn: not judged"),
    ],
    Problem.MERGED: [
        _Sentence(
            "Delineation {unpaired}, which is not its pair, covers {share:.0%} of the crown and "
            "{covered:.0%} of target {other}: merged",
            ("unpaired", "covered"),
        ),
        _Sentence(
            "Delineation {unpaired} of target {other} covers {share:.0%} of the crown: merged",
            ("unpaired",),
        ),
        _Sentence(
            "Delineation {size_ratio:.1f} times the crown covers {covered:.0%} of target {other} "
            "too: merged",
        ),
    ],
    Problem.SPLIT: [_Sentence("{parts} delineations lie in the crown: split")],
    Problem.SHIFTED: [
        _Sentence(
            "Delineation {unpaired}, which is not its pair, is of the crown's size {shift:.1f} m "
            "away from its centre: shifted",
            ("unpaired",),
        ),
        _Sentence("Delineation of the crown's size {shift:.1f} m away from its centre: shifted"),
    ],
    Problem.TOO_LARGE: [
        _Sentence(
            "Delineation {unpaired}, which is not its pair, is {size_ratio:.1f} times the crown: "
            "too large",
            ("unpaired",),
        ),
        _Sentence(
            "Delineation {size_ratio:.1f} times the crown, {fp:,.1f} m² beyond the tolerance: too "
            "large",
            ("fp",),
            nonzero="fp",
        ),
        _Sentence("Delineation {size_ratio:.1f} times the crown: too large"),
    ],
    Problem.TOO_SMALL: [
        _Sentence(
            "Delineation {unpaired}, which is not its pair, is {size_ratio:.1f} times the crown: "
            "too small",
            ("unpaired",),
        ),
        _Sentence(
            "Delineation {size_ratio:.1f} times the crown, {fn:,.1f} m² of the certain part not "
            "covered: too small",
            ("fn",),
            nonzero="fn",
        ),
        _Sentence("Delineation {size_ratio:.1f} times the crown: too small"),
    ],
    Problem.LOW_OVERLAP: [
        _Sentence(
            "Delineation {unpaired} covers {share:.0%} of the crown, but is not its pair: low "
            "overlap",
            ("unpaired",),
        ),
        _Sentence(
            "The delineation covers {share:.0%} of the crown, but {covered:.0%} of target "
            "{other}: low overlap",
            ("other",),
        ),
        _Sentence(
            "RandCrowns {score:.2f}, IoU {iou:.2f}, {fp:,.1f} m² beyond the tolerance, {fn:,.1f} "
            "m² of the certain part not covered: low overlap",
            ("fp",),
        ),
        _Sentence("RandCrowns {score:.2f}, IoU {iou:.2f}: low overlap"),
    ],
}


#: Sentence after that of the problem, where a high RandCrowns hides that the crown may have no
#: delineation of its own, but that of a neighbour.
_DOUBT = _Sentence(
    "RandCrowns is {score:.2f}, but the delineation covers only {share:.0%} of the crown (IoU "
    "{iou:.2f}): it may be that of another tree",
    ("score", "iou", "share"),
)
#: RandCrowns from which a pair of a low IoU is doubtful.
_DOUBT_MIN_SCORE = 0.5
#: IoU, and shares of the crown and of the delineation in both, below which a pair is doubtful.
_DOUBT_MAX_IOU = 0.25
_DOUBT_MAX_SHARE = 0.5


def describe_causes(table: Any, translate: Translate = format_english) -> list[str]:
    """Describe the cause of each problem in a sentence.

    Args:
        table: table of the targets or delineations of :class:`Problems`, or its columns by name.
        translate: translates the template of a sentence and fills in its values.

    Returns:
        (n,) sentences; empty where there is no problem.

    >>> describe_causes(pd.DataFrame({"problem": ["split", "none"], "parts": [3, 1]}))
    ['3 delineations lie in the crown: split', '']
    """
    sentences = np.full(len(table["problem"]), "", dtype=object)
    columns = {str(name): np.asarray(table[name], dtype=object) for name in table}
    is_missing = {name: pd.isna(values) for name, values in columns.items()}
    for problem, alternatives in _SENTENCES.items():
        is_open = columns["problem"] == problem.value
        if not is_open.any():
            continue
        for template, required, nonzero in alternatives:
            if not all(name in columns for name in required):
                continue
            is_described = is_open.copy()
            for name in required:
                is_described &= ~is_missing[name]
            if nonzero in columns:
                is_described &= ~(np.abs(_to_numbers(table[nonzero])) < _SHOWN_AS_ZERO)
            # Placeholders look like {name} or {name:.2f}.
            value_names = [name for name in columns if f"{{{name}" in template]
            for row in np.flatnonzero(is_described):
                values = {name: _to_visible(name, columns[name][row]) for name in value_names}
                sentences[row] = translate(template, **values)
            is_open &= ~is_described
    for row in np.flatnonzero(_doubtful_pairs(table)):
        values = {name: _to_visible(name, columns[name][row]) for name in _DOUBT.required}
        sentences[row] = f"{sentences[row]}. {translate(_DOUBT.template, **values)}"
    return cast("list[str]", sentences.tolist())


def _to_numbers(values: Any) -> Floats:
    """Return the values (n,) of a column as numbers; NaN for values that are no numbers."""
    array = np.asarray(values)
    if array.dtype.kind != "f":
        series = pd.Series(array, dtype=object)
        array = pd.to_numeric(series, errors="coerce").to_numpy(float)
    return cast("Floats", array)


def _doubtful_pairs(table: Any) -> Bools:
    """Return which pairs have a high RandCrowns although most of both lies apart.

    Args:
        table: table of :func:`describe_causes`, or its columns by name.

    Returns:
        (n,) mask, only of crowns with a problem; all False if a column is missing.
    """
    has_problem = ~np.isin(np.asarray(table["problem"]).astype(str), ("none", "None", ""))
    names = (*_DOUBT.required, "size_ratio")
    if not has_problem.any() or any(name not in table for name in names):
        return np.zeros(len(has_problem), dtype=bool)
    numbers = [_to_numbers(table[name]) for name in names]
    score, iou, share, size_ratio = numbers
    # The part of the delineation inside the crown is share / size_ratio.
    is_apart = (share < _DOUBT_MAX_SHARE) & (share < _DOUBT_MAX_SHARE * size_ratio)
    is_contradictory = (iou < _DOUBT_MAX_IOU) & (score >= _DOUBT_MIN_SCORE)
    return has_problem & is_apart & is_contradictory


def _to_visible(name: str, value: Any) -> Any:
    """Return a value of a sentence, of :data:`_VISIBLE` in the form that is not shown as 0."""
    return VisibleNumber(value) if name in _VISIBLE else value


def _find_rows(ids: pd.Series, among: Ints) -> Ints:
    """Return the row of each id in ``among``; -1 for missing ids.

    Args:
        ids: (n,) ids, of which some can be missing; the others are in ``among``.
        among: (m,) distinct ids, in any order.
    """
    order = np.argsort(among)
    is_known = ids.notna().to_numpy()
    known_ids = ids[is_known].to_numpy(dtype=np.int64)
    rows = np.full(len(ids), -1, dtype=np.int64)
    rows[is_known] = order[np.searchsorted(among, known_ids, sorter=order)]
    return rows


class _Conditions:
    """Rules of the problems, in the order in which they apply.

    Args:
        coverage: T targets with their delineations.
        columns: measures of :func:`problem_columns`.
        limits: limits beyond which something is a problem.
        merged: targets that share a delineation.
        is_requested: (T,) targets whose problem is needed; None for all.

    Attributes:
        owner: other target that the delineation of a target fits, where this is its problem.
    """

    def __init__(
        self,
        coverage: Coverage,
        columns: Columns,
        limits: ProblemLimits,
        merged: Merged,
        is_requested: Bools | None,
    ) -> None:
        self._coverage = coverage
        self._columns = columns
        self._limits = limits
        self._merged = merged
        self._is_open = np.ones(len(coverage.pair), dtype=bool)
        if is_requested is not None:
            self._is_open = is_requested.copy()
        self._problem = np.full(len(coverage.pair), Problem.NONE.value, dtype=object)
        self.owner = Merged.none(len(coverage.pair))

    def first_problem(self, way: Floats) -> Array:
        """Return the (T,) first problem that applies to each target, as text.

        Args:
            way: (T, 2) way from the centroid of the target's delineation to that of the target,
                metres; NaN without a delineation.
        """
        coverage = self._coverage
        columns = self._columns
        limits = self._limits
        is_paired = coverage.match.is_reached
        ratio = columns["size_ratio"]
        is_too_large = exceeds(ratio, limits.larger)
        is_too_small = falls_below(ratio, limits.smaller)

        self._assign(Problem.MISSING, coverage.delineation < 0)
        self._assign(Problem.NONE, is_paired & reaches(columns["iou"], EXACT_IOU))
        self._assign(Problem.MERGED, self._merged.is_merged)
        self._assign(Problem.SPLIT, find_split(coverage, limits.inside, self._open_rows()))
        is_little = falls_below(columns["share"], limits.covered)
        self.owner = find_owner(coverage, self._open_rows(is_little))
        self._assign(Problem.LOW_OVERLAP, self.owner.is_merged)
        is_far = exceeds(columns["shift"] / np.sqrt(coverage.overlap.target_size), limits.shift)
        rows = self._open_rows(is_far & ~is_too_large & ~is_too_small)
        self._assign(Problem.SHIFTED, find_moved(coverage, way, rows))
        self._assign(Problem.TOO_LARGE, is_too_large)
        self._assign(Problem.TOO_SMALL, is_too_small)
        is_low = falls_below(columns["score"], limits.score) | falls_below(columns["iou"], LOW_IOU)
        self._assign(Problem.LOW_OVERLAP, is_low | ~is_paired)
        return self._problem

    def _open_rows(self, condition: Bools | bool = True) -> Ints:
        """Return the rows without a problem so far that meet a condition (T,)."""
        return cast("Ints", np.flatnonzero(self._is_open & condition))

    def _assign(self, problem: Problem, condition: Bools) -> None:
        """Assign a problem to the open targets that meet a condition (T,)."""
        rows = self._open_rows(condition)
        self._problem[rows] = problem.value
        self._is_open[rows] = False
