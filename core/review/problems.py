"""Problems of crowns: one problem per crown, with a sentence about its cause."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats, Ints
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.messages import Translate, format_english
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.scoring.layer import RANDCROWNS_THRESHOLD, Columns, CrownScores
from randcrowns.core.scoring.pairing import tie_break_keys
from randcrowns.core.status import Status, TextEnum


class Problem(TextEnum):
    """Problem of a target or of an unmatched delineation: the first that applies, in this order."""

    #: The target has the status "unmatched" (no delineation) or "missed" (none that reaches its
    #: certain part).
    MISSING = "missing"
    #: The delineation has no target, and all crowns were drawn as targets.
    EXTRA = "extra"
    #: The delineation has no target, but only some crowns were drawn as targets.
    NOT_JUDGED = "not judged"
    #: The delineation covers another target, too.
    MERGED = "merged"
    #: Several delineations lie in the target.
    SPLIT = "split"
    #: The delineation is about as large as the target, but at another position.
    SHIFTED = "shifted"
    #: The delineation is larger than the target.
    TOO_LARGE = "too large"
    #: The delineation is smaller than the target.
    TOO_SMALL = "too small"
    #: The score is below the limit, for none of the reasons above.
    LOW_OVERLAP = "low overlap"
    NONE = "none"


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
        covered: minimum share of another target that a merged delineation covers, 0 to 1.
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
        delineations: a row per delineation with the column ``problem``; None for delineations that
            are matched with a target.
    """

    targets: pd.DataFrame
    delineations: pd.DataFrame


def find_problems(
    targets: Crowns,
    delineations: Crowns,
    scores: CrownScores,
    limits: ProblemLimits = ProblemLimits(),
    progress: Progress = no_progress,
) -> Problems:
    """Find the problem of every target, and of every delineation without a target.

    Args:
        targets: the scored targets, in metres.
        delineations: the scored delineations, in metres.
        scores: result of :func:`randcrowns.core.scoring.layer.score_crowns` for these crowns.
        limits: limits beyond which something is a problem.
        progress: called with the fraction of the overlaps done.

    Returns:
        Tables of the problems of the targets and of the delineations.

    >>> from randcrowns.core.scoring.layer import score_crowns
    >>> from randcrowns.core.scoring.parameters import RandCrownsParameters
    >>> trees, drawn = Crowns([shapely.box(0, 0, 5, 5)]), Crowns([shapely.box(0, 0, 9, 9)])
    >>> scores = score_crowns(trees, drawn, RandCrownsParameters(0.7, 1.2, 3))
    >>> problems = find_problems(trees, drawn, scores)
    >>> problems.targets["problem"].tolist(), describe_causes(problems.targets)
    (['too large'], ['Delineation 42.6 m² beyond the tolerance (3.2 times the crown): too large'])
    """
    overlap = polygon_overlap(targets, delineations, progress)
    match = _rows_of(scores.targets["delineation_id"], delineations.ids)
    score_columns = {name: scores.targets[name].to_numpy() for name in REQUIRED_SCORES}
    columns = problem_columns(targets, delineations, overlap, match, score_columns, limits)
    lone = delineation_problems(scores.delineations["status"])
    return Problems(pd.DataFrame(columns), pd.DataFrame({"problem": lone}))


#: Columns of :attr:`randcrowns.core.scoring.layer.CrownScores.targets` that the problems depend on.
REQUIRED_SCORES = ("randcrowns", "a", "b", "c", "d", "status")


def problem_columns(
    targets: Crowns,
    delineations: Crowns,
    overlap: OverlapTable,
    match: Ints,
    scores: Columns,
    limits: ProblemLimits,
) -> dict[str, Any]:
    """Return the problems of targets, with the measures that they follow from.

    Args:
        targets: T targets, in metres.
        delineations: D delineations, in metres.
        overlap: overlap table of the targets and delineations.
        match: (T,) row of each target's delineation; -1 without one.
        scores: (T,) columns ``REQUIRED_SCORES`` of the targets' scores.
        limits: limits beyond which something is a problem.

    Returns:
        (T,) columns: ``problem`` (a :class:`Problem` as text), ``score`` (RandCrowns, 0 to 1),
        ``shift`` (m between the centroids), ``size_ratio`` (area of the delineation over that of
        the target), ``tp``, ``tn``, ``fp``, ``fn`` (m², the square roots of the terms a, b, c, d of
        RandCrowns), ``other`` (id of the other target that the delineation covers most of; missing
        if it covers none enough), ``covered`` (covered share of that target), ``parts`` (number of
        delineations that lie in the target).

    >>> from randcrowns.core.scoring.layer import score_crowns
    >>> from randcrowns.core.scoring.parameters import RandCrownsParameters
    >>> trees, drawn = Crowns([shapely.box(0, 0, 5, 5)]), Crowns([shapely.box(0, 0, 9, 9)])
    >>> scores = score_crowns(trees, drawn, RandCrownsParameters(0.7, 1.2, 3)).targets
    >>> scores = {name: scores[name].to_numpy() for name in REQUIRED_SCORES}
    >>> overlap = polygon_overlap(trees, drawn)
    >>> columns = problem_columns(trees, drawn, overlap, np.array([0]), scores, ProblemLimits())
    >>> columns["problem"].tolist(), columns["size_ratio"].tolist()
    (['too large'], [3.24])
    """
    # The appended values serve targets without a delineation, whose row is -1.
    target_size = overlap.target_size
    delineation_size = np.append(overlap.prediction_size, np.nan)[match]
    delineation_centroids = np.append(shapely.centroid(delineations.geometry), [shapely.Point()])[
        match
    ]
    target_centroids = shapely.centroid(targets.geometry)
    merged = _find_merged(overlap, targets.ids, match, limits.covered)
    is_merged = merged.target >= 0
    columns: dict[str, Any] = {
        "score": scores["randcrowns"].astype(float),
        "shift": shapely.distance(target_centroids, delineation_centroids),
        "size_ratio": delineation_size / target_size,
        "tp": np.sqrt(scores["a"].astype(float)),
        "tn": np.sqrt(scores["b"].astype(float)),
        "fp": np.sqrt(scores["c"].astype(float)),
        "fn": np.sqrt(scores["d"].astype(float)),
        "other": pd.arrays.IntegerArray(
            targets.ids[merged.target].astype(np.int64), mask=~is_merged
        ),
        "covered": merged.share,
        "parts": _count_parts(overlap, limits.inside),
    }
    is_missing = (match < 0) | (scores["status"] == Status.MISSED.value)
    problem = _first_problem(columns, is_merged, is_missing, np.sqrt(target_size), limits)
    return {"problem": problem, **columns}


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


#: Problem -> its sentence, and the sentence for scores without terms (IDTReeS 2020), if it differs.
_SENTENCES = {
    Problem.MISSING: ("No delineation reaches the certain part of the crown: missing", ""),
    Problem.EXTRA: ("No target for this delineation: extra", ""),
    Problem.NOT_JUDGED: (
        "No target for this delineation, where only some crowns were drawn: not judged",
        "",
    ),
    Problem.MERGED: (
        "The delineation covers {covered:.0%} of target {other} ({size_ratio:.1f} times the "
        "crown): merged",
        "",
    ),
    Problem.SPLIT: ("{parts} delineations lie in the crown: split", ""),
    Problem.SHIFTED: (
        "Delineation of the crown's size {shift:.1f} m away from its centre: shifted",
        "",
    ),
    Problem.TOO_LARGE: (
        "Delineation {fp:,.1f} m² beyond the tolerance ({size_ratio:.1f} times the crown): too "
        "large",
        "Delineation {size_ratio:.1f} times the crown: too large",
    ),
    Problem.TOO_SMALL: (
        "{fn:,.1f} m² of the certain part not covered ({size_ratio:.1f} times the crown): too "
        "small",
        "Delineation {size_ratio:.1f} times the crown: too small",
    ),
    Problem.LOW_OVERLAP: (
        "RandCrowns {score:.2f}, {fp:,.1f} m² beyond the tolerance, {fn:,.1f} m² of the certain "
        "part not covered: low overlap",
        "RandCrowns {score:.2f}: low overlap",
    ),
}


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
    has_terms = np.ones(len(sentences), dtype=bool)
    if "fp" in columns:
        has_terms = ~pd.isna(columns["fp"])

    def describe(template: str, is_described: Bools) -> None:
        """Write the sentences of the rows in a mask (n,)."""
        value_names = [name for name in columns if f"{{{name}" in template]
        for row in np.flatnonzero(is_described):
            values = {name: columns[name][row] for name in value_names}
            sentences[row] = translate(template, **values)

    for problem, (with_terms, without_terms) in _SENTENCES.items():
        has_problem = columns["problem"] == problem.value
        describe(with_terms, has_problem & has_terms)
        describe(without_terms or with_terms, has_problem & ~has_terms)
    return cast("list[str]", sentences.tolist())


def _rows_of(ids: pd.Series, among: Ints) -> Ints:
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


class _MergedTargets(NamedTuple):
    """Other target that the delineation of each of T targets covers most of."""

    target: Ints  #: (T,) row of the other target; -1 if the delineation covers none enough.
    share: Floats  #: (T,) covered share of the other target's area; NaN likewise.


def _find_merged(overlap: OverlapTable, ids: Ints, row: Ints, covered: float) -> _MergedTargets:
    """Find the other target that each target's delineation covers most of.

    Of several targets with equal shares, to nine decimals, the one with the lowest id is returned.

    Args:
        overlap: overlap table of T targets and D delineations.
        ids: (T,) ids of the targets.
        row: (T,) row of each target's delineation; -1 without one.
        covered: minimum share of the other target's area.
    """
    share = overlap.shared / overlap.target_size[overlap.target]
    is_covered = share >= covered
    target = overlap.target[is_covered]
    delineation = overlap.prediction[is_covered]
    share = share[is_covered]
    order = np.lexsort((tie_break_keys(ids)[target], -np.round(share, 9), delineation))
    target = target[order]
    delineation = delineation[order]
    share = share[order]

    # Pairs are sorted by delineation, the best first. The best or the second best of a delineation
    # is another target than its own; the second is tried before, so that the best replaces it.
    best_pair = np.searchsorted(delineation, row)
    merged_target = np.full(len(row), -1, dtype=np.int64)
    merged_share = np.full(len(row), np.nan)
    for pair in (best_pair + 1, best_pair):
        # Targets whose delineation has this pair.
        exists = np.flatnonzero(pair < len(delineation))
        with_pair = exists[delineation[pair[exists]] == row[exists]]
        # The pair must be with another target.
        merging = with_pair[target[pair[with_pair]] != with_pair]
        merged_target[merging] = target[pair[merging]]
        merged_share[merging] = share[pair[merging]]
    return _MergedTargets(merged_target, merged_share)


def _count_parts(overlap: OverlapTable, inside: float) -> Ints:
    """Return the (T,) number of delineations with at least this share of their area in a target."""
    is_part = overlap.shared >= inside * overlap.prediction_size[overlap.prediction]
    return np.bincount(overlap.target[is_part], minlength=len(overlap.target_size))


def _first_problem(
    columns: Columns, is_merged: Bools, is_missing: Bools, width: Floats, limits: ProblemLimits
) -> Array:
    """Return the (T,) first problem that applies to each target, as text.

    Args:
        columns: columns of :func:`problem_columns` except the problem.
        is_merged: (T,) targets whose delineation covers another target, too.
        is_missing: (T,) targets that no delineation reaches.
        width: (T,) square root of the target's area, m.
        limits: limits beyond which something is a problem.
    """
    ratio = columns["size_ratio"]
    is_similar_size = (ratio >= limits.smaller) & (ratio <= limits.larger)
    conditions = {
        Problem.MISSING: is_missing,
        Problem.MERGED: is_merged,
        Problem.SPLIT: columns["parts"] >= 2,
        Problem.SHIFTED: is_similar_size & (columns["shift"] > limits.shift * width),
        Problem.TOO_LARGE: ratio > limits.larger,
        Problem.TOO_SMALL: ratio < limits.smaller,
        Problem.LOW_OVERLAP: columns["score"] < limits.score,
    }
    return np.select(
        [np.asarray(condition, dtype=bool) for condition in conditions.values()],
        [problem.value for problem in conditions],
        Problem.NONE.value,
    )
