"""What is wrong with each crown: one problem, and its cause in words."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats, Ints
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.remarks import Translate, english
from randcrowns.core.scoring.layer import RANDCROWNS_THRESHOLD, Columns, CrownScores
from randcrowns.core.scoring.pairing import by_age
from randcrowns.core.status import Status, Term


class Problem(Term):
    """The first of these that applies to a target or to an unmatched delineation, from top to bottom."""

    #: No delineation, or none that reaches the certain part.
    MISSING = "missing"
    #: A delineation without a target, where all crowns were drawn.
    EXTRA = "extra"
    #: A delineation without a target, where only some crowns were drawn.
    NOT_JUDGED = "not judged"
    #: The delineation covers another target too.
    MERGED = "merged"
    #: Several delineations lie in the target.
    SPLIT = "split"
    #: About as large as the target, but elsewhere.
    SHIFTED = "shifted"
    TOO_LARGE = "too large"
    TOO_SMALL = "too small"
    #: Scores below the threshold, for none of the reasons above.
    LOW_OVERLAP = "low overlap"
    NONE = "none"


@dataclass(frozen=True)
class ProblemLimits:
    """From where on something is a problem; all above 0.

    Raises:
        InputError: naming the limit that is not a number, or is out of its range.
    """

    covered: float = 0.5  #: share of another target that a delineation covers to have merged it.
    inside: float = 0.5  #: share of a delineation that lies in a target to be a part of it.
    shift: float = (
        0.25  #: distance between the centroids over the square root of the target's area.
    )
    #: larger, smaller: area of the delineation over that of the target.
    larger: float = 1.5
    smaller: float = 0.67
    score: float = RANDCROWNS_THRESHOLD  #: least RandCrowns.

    def __post_init__(self) -> None:
        ranges = {
            "covered": (0, 1),
            "inside": (0, 1),
            "larger": (1, np.inf),
            "smaller": (0, 1),
            "score": (0, 1),
        }
        for name in (field.name for field in fields(self)):
            least, most = ranges.get(name, (0, np.inf))
            if not least <= getattr(self, name) <= most or not np.isfinite(getattr(self, name)):
                said = "The limit '{name}' must be a number from {least} to {most}."
                raise InputError(said, name=name, least=least, most=most)


class Problems(NamedTuple):
    """What :func:`find_problems` finds."""

    #: A row per target: ``problem`` (a :class:`Problem` as text), ``score`` (RandCrowns, 0 to 1), ``shift`` (m between
    #: the centroids), ``size_ratio`` (area of the delineation over that of the target), ``tp``, ``tn``, ``fp``, ``fn``
    #: (m²: the square roots of the terms a, b, c, d), ``other`` (id of the other target that the delineation covers
    #: most of, missing where there is none), ``covered`` (share of that one), ``parts`` (delineations that lie in
    #: the target).
    targets: pd.DataFrame
    delineations: (
        pd.DataFrame
    )  #: a row per delineation: ``problem``, None for those that serve a target.


def find_problems(
    targets: Crowns,
    delineations: Crowns,
    scores: CrownScores,
    limits: ProblemLimits = ProblemLimits(),
    progress: Progress = no_progress,
) -> Problems:
    """The problem of every target, and of every delineation without a target.

    Args:
        targets, delineations: the crowns that were scored, in metres.
        scores: what :func:`randcrowns.core.scoring.layer.score_crowns` made of them.
        limits: from where on something is a problem.

    >>> from randcrowns.core.scoring.layer import score_crowns
    >>> from randcrowns.core.scoring.parameters import RandCrownsParameters
    >>> trees, drawn = Crowns([shapely.box(0, 0, 5, 5)]), Crowns([shapely.box(0, 0, 9, 9)])
    >>> scores = score_crowns(trees, drawn, RandCrownsParameters(0.7, 1.2, 3))
    >>> found = find_problems(trees, drawn, scores)
    >>> found.targets["problem"].tolist(), causes(found.targets)
    (['too large'], ['Delineation 42.6 m² beyond the tolerance (3.2 times the crown): too large'])
    """
    overlap = polygon_overlap(targets, delineations, progress)
    row = _rows_of(scores.targets["delineation_id"], delineations.ids)
    columns = {name: scores.targets[name].to_numpy() for name in SCORED}
    found = problem_columns(targets, delineations, overlap, row, columns, limits)
    return Problems(
        pd.DataFrame(found), pd.DataFrame({"problem": lone_problems(scores.delineations["status"])})
    )


#: What the problems are told from besides: columns of :attr:`randcrowns.core.scoring.layer.CrownScores.targets`.
SCORED = ("randcrowns", "a", "b", "c", "d", "status")


def problem_columns(
    targets: Crowns,
    delineations: Crowns,
    overlap: OverlapTable,
    row: Ints,
    scores: Columns,
    limits: ProblemLimits,
) -> dict[str, Any]:
    """The columns of :attr:`Problems.targets`.

    Args:
        overlap: of the targets and delineations.
        row: (T,) of each target's delineation; -1 without any.
        scores: columns of the targets' scores.
    """
    paired = row >= 0
    size, drawn_size = overlap.target_size, np.append(overlap.prediction_size, np.nan)[row]
    middles = np.append(shapely.centroid(delineations.geometry), [shapely.Point()])[row]
    other, covered = _other_covered(overlap, targets.ids, row, limits.covered)
    terms = np.sqrt(np.stack([scores[name].astype(float) for name in "abcd"]))
    table: dict[str, Any] = {
        "score": scores["randcrowns"].astype(float),
        "shift": shapely.distance(shapely.centroid(targets.geometry), middles),
        "size_ratio": drawn_size / size,
        **dict(zip(("tp", "tn", "fp", "fn"), terms)),
        "other": pd.arrays.IntegerArray(targets.ids[other].astype(np.int64), other < 0),
        "covered": covered,
        "parts": _parts_inside(overlap, limits.inside),
    }
    missing = ~paired | (scores["status"] == Status.MISSED.value)
    return {"problem": _first_problem(table, other >= 0, missing, np.sqrt(size), limits), **table}


def lone_problems(status: ArrayLike) -> Array:
    """(D,) the problem of delineations of that status; None for those that serve a target."""
    found = np.full(np.shape(status), None, dtype=object)
    for kind, problem in (
        (Status.UNMATCHED, Problem.EXTRA),
        (Status.NOT_JUDGED, Problem.NOT_JUDGED),
    ):
        found[np.asarray(status) == kind.value] = problem.value
    return found


#: Problem -> its sentence, and that for scores without terms (IDTReeS 2020).
_SENTENCES = {
    Problem.MISSING: ("No delineation reaches the certain part of the crown: missing", ""),
    Problem.EXTRA: ("No target for this delineation: extra", ""),
    Problem.NOT_JUDGED: (
        "No target for this delineation, where only some crowns were drawn: not judged",
        "",
    ),
    Problem.MERGED: (
        "The delineation covers {covered:.0%} of target {other} ({size_ratio:.1f} times the crown): merged",
        "",
    ),
    Problem.SPLIT: ("{parts} delineations lie in the crown: split", ""),
    Problem.SHIFTED: (
        "Delineation of the crown's size {shift:.1f} m away from its centre: shifted",
        "",
    ),
    Problem.TOO_LARGE: (
        "Delineation {fp:,.1f} m² beyond the tolerance ({size_ratio:.1f} times the crown): too large",
        "Delineation {size_ratio:.1f} times the crown: too large",
    ),
    Problem.TOO_SMALL: (
        "{fn:,.1f} m² of the certain part not covered ({size_ratio:.1f} times the crown): too small",
        "Delineation {size_ratio:.1f} times the crown: too small",
    ),
    Problem.LOW_OVERLAP: (
        "RandCrowns {score:.2f}, {fp:,.1f} m² beyond the tolerance, {fn:,.1f} m² of the certain part not covered: "
        "low overlap",
        "RandCrowns {score:.2f}: low overlap",
    ),
}


def causes(table: Any, translate: Translate = english) -> list[str]:
    """The cause of each problem in a sentence; empty where there is no problem.

    Args:
        table: that of the targets or of the delineations, see :class:`Problems`, or columns by name.
        translate: gives the sentence of a template in the user's language.

    >>> causes(pd.DataFrame({"problem": ["split", "none"], "parts": [3, 1]}))
    ['3 delineations lie in the crown: split', '']
    """
    found = np.full(len(table["problem"]), "", dtype=object)
    values = {str(name): np.asarray(table[name], dtype=object) for name in table}
    terms = ~pd.isna(values["fp"]) if "fp" in values else np.ones(len(found), dtype=bool)
    for problem, (with_terms, without) in _SENTENCES.items():
        has_it = values["problem"] == problem.value
        for template, rows in (
            (with_terms, has_it & terms),
            (without or with_terms, has_it & ~terms),
        ):
            named = {name: of for name, of in values.items() if f"{{{name}" in template}
            found[rows] = [
                translate(template, **{name: of[row] for name, of in named.items()})
                for row in np.flatnonzero(rows)
            ]
    return cast("list[str]", found.tolist())


def _rows_of(ids: pd.Series, among: Ints) -> Ints:
    """(n,) the row of each id, -1 where it is missing."""
    order = np.argsort(among)
    known = ids.notna().to_numpy()
    rows = np.full(len(ids), -1, dtype=np.int64)
    rows[known] = order[np.searchsorted(among, ids[known].to_numpy(dtype=np.int64), sorter=order)]
    return rows


def _other_covered(
    overlap: OverlapTable, ids: Ints, row: Ints, covered: float
) -> tuple[Ints, Floats]:
    """(T,) the other target that each one's delineation covers most of, of those equal to nine decimals that of
    the lowest id, and the share covered; -1 and NaN where it covers none enough."""
    share = overlap.shared / overlap.target_size[overlap.target]
    well = share >= covered
    target, prediction, share = overlap.target[well], overlap.prediction[well], share[well]
    order = np.lexsort((by_age(ids)[target], -np.round(share, 9), prediction))
    target, prediction, share = target[order], prediction[order], share[order]
    first = np.searchsorted(prediction, row)
    best = np.append(target, [-1, -1])
    # Of the two that it covers best one may be the target itself.
    found, shares = np.full(len(row), -1, dtype=np.int64), np.full(len(row), np.nan)
    for place in (first + 1, first):
        held = place < len(prediction)
        held[held] &= prediction[place[held]] == row[held]
        is_other = held & (best[np.minimum(place, len(target))] != np.arange(len(row)))
        found[is_other], shares[is_other] = best[place[is_other]], share[place[is_other]]
    return found, shares


def _parts_inside(overlap: OverlapTable, inside: float) -> Ints:
    """(T,) how many delineations have at least that share of their own area in each target."""
    well = overlap.shared >= inside * overlap.prediction_size[overlap.prediction]
    return np.bincount(overlap.target[well], minlength=len(overlap.target_size))


def _first_problem(
    table: Columns, merged: Bools, missing: Bools, width: Floats, limits: ProblemLimits
) -> Array:
    ratio = table["size_ratio"]
    alike = (ratio >= limits.smaller) & (ratio <= limits.larger)
    rules = {
        Problem.MISSING: missing,
        Problem.MERGED: merged,
        Problem.SPLIT: table["parts"] >= 2,
        Problem.SHIFTED: alike & (table["shift"] > limits.shift * width),
        Problem.TOO_LARGE: ratio > limits.larger,
        Problem.TOO_SMALL: ratio < limits.smaller,
        Problem.LOW_OVERLAP: table["score"] < limits.score,
    }
    return np.select(
        [np.asarray(rule, dtype=bool) for rule in rules.values()],
        [one.value for one in rules],
        Problem.NONE.value,
    )
