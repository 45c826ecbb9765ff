"""Ground truths from the decisions of many annotators: voting, STAPLE, SIMPLE and LSML.

This module contains the voting rules and SIMPLE. STAPLE is in
:mod:`randcrowns.core.agreement.staple_em`. LSML is in :mod:`randcrowns.core.agreement.lsml`; it
needs the decisions on a pixel grid instead of the vote table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Callable, cast

import numpy as np
from numpy.typing import ArrayLike

from randcrowns.core.agreement.lsml import LevelSet, level_set
from randcrowns.core.agreement.measures import outliers
from randcrowns.core.agreement.notes import Note
from randcrowns.core.agreement.staple_em import Staple, prior_effect, staple
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.overlay import dissolved
from randcrowns.core.given import as_declared
from randcrowns.core.progress import Progress, no_progress, steps
from randcrowns.core.remarks import Remark, info, note
from randcrowns.core.statistics import dice


@as_declared
def level(votes: VoteTable, share: float) -> Bools:
    """Mark the patterns that at least a share of the annotators marked: h >= K·l (Eq. 5).

    Here h is the number of annotators who marked a pattern, K their total number and l the share.

    Args:
        votes: vote table of K annotators and M patterns.
        share: share l from 0 to 1. Exact ties are marked; 0 marks what at least one annotator
            marked.

    Returns:
        (M,) marked patterns.

    Raises:
        InputError: unless 0 <= share <= 1.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> votes.on_map(level(votes, 0.5)).tolist()
    [True, True, False, False]
    """
    if not 0 <= share <= 1:
        raise InputError(
            "The level of agreement must lie between 0 and 1, not {share:g}.", share=share
        )
    # The tolerance absorbs rounding: 0.28 · 25 is 7.000000000000001 in floating point.
    needed = max(np.ceil(votes.n_annotators * share - 1e-9), 1)
    return np.asarray(votes.yes_votes >= needed)


def half(votes: VoteTable) -> Bools:
    """Return the (M,) patterns that at least half of the annotators marked (0.5-GT).

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0]])
    >>> votes.on_map(half(votes)).tolist()
    [True, True, False, False]
    """
    return level(votes, 0.5)


#: A method that computes a ground truth, (M,) marked patterns, from a vote table.
Rule = Callable[[VoteTable], Bools]

#: Ground truths that are functions of the vote table, by name; excl-0.5 is 0.5 without outliers.
METHODS: dict[str, Rule] = {
    "any": lambda votes: level(votes, 0.0),
    "0.5": half,
    "0.75": lambda votes: level(votes, 0.75),
    "unanimous": lambda votes: level(votes, 1.0),
    "excl-0.5": lambda votes: half(votes.without(np.flatnonzero(outliers(votes)))),
    "staple": lambda votes: Estimation().staple(votes).marked,
    "simple": lambda votes: Estimation().simple(votes).marked,
}


@dataclass(frozen=True)
class Estimation:
    """Options of STAPLE, SIMPLE and LSML.

    Attributes:
        prior: prior of STAPLE, see :func:`randcrowns.core.agreement.staple_em.staple`.
        assign_consensus: option of STAPLE, see there.
        a: factor of SIMPLE, see :func:`simple`.
        rule: rule by which SIMPLE discards annotators, see there.
        clipped: option of LSML, see :func:`randcrowns.core.agreement.lsml.level_set`.
        rounds: maximum number of rounds of LSML.
        curvature: weight of the curvature in LSML.
    """

    prior: str | float = "any"
    assign_consensus: bool = False
    a: float = 1.0
    rule: str = "deviation"
    clipped: bool = True
    rounds: int = 1000
    curvature: float = 0.0

    def staple(self, votes: VoteTable, progress: Progress = no_progress) -> Staple:
        """Estimate the ground truth of a vote table with STAPLE.

        >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
        >>> votes.on_map(Estimation(prior="mean").staple(votes).marked).tolist()
        [True, True, False, False]
        """
        return staple(votes, self.prior, assign_consensus=self.assign_consensus, progress=progress)

    def told_staple(self, votes: VoteTable, progress: Progress = no_progress) -> Staple:
        """Estimate with STAPLE and add a message about the effect of the prior.

        >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
        >>> Estimation().told_staple(votes).notes[0].key
        'staple.prior'
        """
        result = self.staple(votes, progress)
        message = prior_effect(votes, self.prior, result, assign_consensus=self.assign_consensus)
        return replace(result, notes=(message, *result.notes))

    def simple(self, votes: VoteTable) -> SimpleVote:
        """Estimate the ground truth of a vote table with SIMPLE.

        >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
        >>> votes.on_map(Estimation().simple(votes).marked).tolist()
        [True, True, False, False]
        """
        return simple(votes, self.a, self.rule)

    def level_set(
        self,
        votes: VoteTable,
        stack: ArrayLike,
        mask: ArrayLike | None = None,
        progress: Progress = no_progress,
    ) -> LevelSet:
        """Estimate the ground truth with LSML and add a message about the effect of clipping.

        Args:
            votes: vote table of the stack and the mask, with its map.
            stack: (K, rows, columns) decisions.
            mask: (rows, columns) pixels to exclude (True).
            progress: called with the fraction of the rounds done.

        Returns:
            The result of LSML; its first message counts the marked pixels that no annotator
            marked.

        >>> marks = np.zeros((3, 6, 6), dtype=bool)
        >>> marks[:, 1:4, 1:4] = True
        >>> int(Estimation().level_set(VoteTable.from_stack(marks), marks).marked.sum())
        9
        """
        result = level_set(
            stack,
            mask,
            clipped=self.clipped,
            rounds=self.rounds,
            curvature=self.curvature,
            progress=progress,
        )
        is_beyond = (result.phi <= 0) & votes.on_map(votes.yes_votes == 0)
        n_beyond = int(is_beyond.sum())
        n_marked = int(result.marked.sum())
        if self.clipped:
            message = note(
                "lsml.clipped",
                "As published, LSML also marks {pixels:,} pixels that nobody marked. They are "
                "clipped here, which leaves {of:,} marked pixels.",
                pixels=n_beyond,
                of=n_marked,
            )
        else:
            message = note(
                "lsml.published",
                "LSML is used as published, without clipping. It marks {of:,} pixels, of which "
                "nobody marked {pixels:,}.",
                pixels=n_beyond,
                of=n_marked,
            )
        return replace(result, notes=(message, *result.notes))


@as_declared
def leave_one_out(votes: VoteTable, method: Rule = half) -> Bools:
    """Compute the consensus of all annotators but one, for each annotator.

    Annotators can then be compared with a consensus that does not depend on their own drawing.

    Args:
        votes: vote table of K annotators, at least two, and M patterns.
        method: method that computes a consensus of a vote table, for example one of ``METHODS``.

    Returns:
        (K, M) marked patterns of the consensus without each annotator.

    Raises:
        InputError: if there is only one annotator.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> votes.on_map(leave_one_out(votes)[0]).tolist()
    [True, True, True, False]
    """
    if votes.n_annotators < 2:
        raise InputError("Leaving one annotator out needs at least two annotators.")
    return np.stack([method(votes.without(k)) for k in range(votes.n_annotators)])


@as_declared
def marked_polygons(votes: VoteTable, marked: Bools, progress: Progress = no_progress) -> Objects:
    """Return the polygons of a consensus, with adjacent faces merged.

    Args:
        votes: vote table from polygons, with its faces.
        marked: (M,) marked patterns.
        progress: called with the fraction of the work done.

    Returns:
        (n,) shapely polygons that do not overlap.

    Raises:
        InputError: if the vote table has no faces.

    >>> import shapely
    >>> votes = VoteTable.from_polygons([[shapely.box(0, 0, 2, 1)], [shapely.box(1, 0, 3, 1)]])
    >>> shapely.area(marked_polygons(votes, level(votes, 1))).tolist()
    [1.0]
    """
    if votes.faces is None:
        raise InputError(
            "A consensus of pixels has no faces to join; turn its raster into polygons instead."
        )
    return dissolved(votes.faces, progress, votes.on_map(marked))


#: Name of the method that uses each annotator's own drawing as a ground truth.
EACH = "each"
#: Name of the method that makes a ground truth of each agreement level.
LEVELS = "levels"
#: Display names of the ground truths from all annotators, as in Lampert et al. 2016.
TITLES = {
    "any": "Any-GT",
    "0.5": "0.5-GT",
    "0.75": "0.75-GT",
    "excl-0.5": "Excl-0.5-GT",
    "staple": "STAPLE",
    "simple": "SIMPLE",
    "lsml": "LSML",
}


@dataclass(frozen=True, eq=False)
class GroundTruths:
    """Ground truths with their messages, by display name.

    Attributes:
        truths: display name -> marked units, in the shape of the vote table's index.
        reasons: display name of a ground truth that could not be computed -> the reason.
        notes: display name -> messages for the user.
    """

    truths: dict[str, Bools]
    reasons: dict[str, Remark]
    notes: dict[str, tuple[Remark, ...]]

    def add(self, method: str, truth: Bools, notes: tuple[Remark, ...] = ()) -> None:
        """Add the ground truth of a method that combines all annotators.

        Args:
            method: key of ``TITLES``.
            truth: marked units.
            notes: messages for the user.
        """
        self.truths[TITLES[method]] = truth
        if notes:
            self.notes[TITLES[method]] = notes


def ground_truths(
    votes: VoteTable,
    methods: Sequence[str],
    stack: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    *,
    how: Estimation | None = None,
    progress: Progress = no_progress,
) -> GroundTruths:
    """Compute the requested ground truths.

    Args:
        votes: vote table with its index.
        methods: any of ``EACH``, ``LEVELS`` and the keys of ``TITLES``; the results are in this
            order.
        stack: (K, rows, columns) decisions, which LSML needs.
        mask: (rows, columns) pixels excluded from the decisions (True).
        how: options of STAPLE, SIMPLE and LSML.
        progress: called with the fraction of the work done.

    Returns:
        The ground truths, and the reasons why others could not be computed.

    Raises:
        InputError: if a method is unknown, the vote table has no map, or an annotator has the name
            of a ground truth.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> result = ground_truths(votes, ["0.5", "lsml"])
    >>> result.truths["0.5-GT"].tolist(), [*result.reasons]
    ([True, True, False, False], ['LSML'])
    """
    if EACH in methods:
        clashes = sorted(set(votes.names) & set(joint_names(votes.n_annotators)))
        if clashes:
            raise InputError(
                "Annotator '{name}' has the name of a ground truth; give it another one.",
                name=clashes[0],
            )
    result = GroundTruths({}, {}, {})
    estimation = how or Estimation()
    for method, share in steps(methods, progress):
        if method == EACH:
            for k, name in enumerate(votes.names):
                result.truths[name] = votes.on_map(votes.patterns[:, k])
        elif method == LEVELS:
            vote_map = votes.on_map(votes.yes_votes, outside=0)
            result.truths.update(agreement_levels(vote_map, votes.n_annotators))
        elif method in TITLES:
            _add_joint_truth(result, method, votes, stack, mask, estimation, share)
        else:
            raise InputError(
                "There is no ground truth '{method}'; choose one of {methods}.",
                method=method,
                methods=", ".join([EACH, LEVELS, *TITLES]),
            )
    return result


def _add_joint_truth(
    result: GroundTruths,
    method: str,
    votes: VoteTable,
    stack: ArrayLike | None,
    mask: ArrayLike | None,
    estimation: Estimation,
    progress: Progress,
) -> None:
    """Add the ground truth of a method of ``TITLES``, or the reason why it cannot be computed."""
    if votes.n_annotators == 1:
        result.reasons[TITLES[method]] = info(
            "reason.one_annotator",
            "With one annotator this ground truth would be that annotator's own drawing.",
        )
    elif method == "lsml":
        if stack is None:
            result.reasons[TITLES[method]] = info(
                "reason.needs_pixels",
                "LSML moves a contour over pixels. Set a pixel size to compute it.",
            )
        else:
            contour = estimation.level_set(votes, stack, mask, progress)
            result.add(method, contour.marked, contour.notes)
    elif method == "staple":
        estimate = estimation.told_staple(votes, progress)
        result.add(method, votes.on_map(estimate.marked), estimate.notes)
    elif method == "simple":
        vote = estimation.simple(votes)
        result.add(method, votes.on_map(vote.marked), vote.notes)
    else:
        result.add(method, votes.on_map(METHODS[method](votes)))


def joint_names(annotators: int) -> list[str]:
    """Return the display names of all ground truths that combine several annotators.

    Annotators must not have any of these names.

    Args:
        annotators: number of annotators.

    >>> joint_names(2)[-3:]
    ['LSML', 'at least 1 of 2', 'at least 2 of 2']
    """
    return [*TITLES.values(), *level_names(annotators)]


def consensus_rule(method: str, how: Estimation | None = None) -> Rule:
    """Return the function that computes a ground truth of any vote table.

    It recomputes the ground truth for resampled annotators.

    Args:
        method: key of ``METHODS``.
        how: options of STAPLE and SIMPLE.

    Raises:
        InputError: for LSML, which needs the pixels, and for methods that do not combine
            annotators.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> votes.on_map(consensus_rule("0.5")(votes)).tolist()
    [True, True, False, False]
    """
    estimation = how or Estimation()
    if method == "staple":
        return lambda votes: estimation.staple(votes).marked
    if method == "simple":
        return lambda votes: estimation.simple(votes).marked
    if method not in METHODS:
        raise InputError(
            "The ground truth '{method}' cannot be computed for resampled annotators; choose one "
            "of {methods}.",
            method=method,
            methods=", ".join(METHODS),
        )
    return METHODS[method]


def agreement_levels(votes: ArrayLike, annotators: int) -> dict[str, Bools]:
    """Return the ground truth of each agreement level.

    Args:
        votes: number of annotators who marked each unit, any shape.
        annotators: number of annotators.

    Returns:
        Display name -> units that at least 1, 2, … all annotators marked, in the shape of
        ``votes``.

    >>> {name: truth.tolist() for name, truth in agreement_levels([0, 1, 2], 2).items()}
    {'at least 1 of 2': [False, True, True], 'at least 2 of 2': [False, False, True]}
    """
    counts = np.asarray(votes)
    return {name: counts >= k for k, name in enumerate(level_names(annotators), start=1)}


def level_names(annotators: int) -> list[str]:
    """Return the display names of the agreement levels, the lowest level first.

    Args:
        annotators: number of annotators.

    >>> level_names(2)
    ['at least 1 of 2', 'at least 2 of 2']
    """
    return [f"at least {k} of {annotators}" for k in range(1, annotators + 1)]


#: Rules by which SIMPLE discards annotators, see :func:`simple`.
RULES = ("deviation", "share")
_MAX_ROUNDS = 100
# Allowance for rounding when overlaps or sums of weights are compared.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class SimpleVote:
    """Ground truth estimated by SIMPLE.

    Attributes:
        marked: (M,) marked patterns.
        kept: (K,) True for annotators who are not discarded.
        performance: (K,) Dice overlap of all annotators with the outcome before the last vote.
        rounds: number of votes.
        converged: True if the outcome and the discarded annotators stopped changing.
        notes: messages for the user.
    """

    marked: Bools
    kept: Bools
    performance: Floats
    rounds: int
    converged: bool
    notes: tuple[Remark, ...]


@as_declared
def simple(votes: VoteTable, a: float = 1.0, rule: str = "deviation") -> SimpleVote:
    """Estimate the ground truth with SIMPLE (Langerak et al. 2010).

    Each round takes the majority of the annotators, weighted by their Dice overlap with the outcome
    of the round before, and discards annotators whose overlap is below a limit. The best two
    annotators are never discarded.

    Args:
        votes: vote table of K annotators and M patterns.
        a: factor of the limit, 0 or more.
        rule: ``"deviation"`` for the limit mean - a·sd of the overlap of the annotators that are
            not discarded, with n - 1 in the standard deviation, or ``"share"`` for a·mean.

    Returns:
        The ground truth, and the overlap of each annotator with it.

    Raises:
        InputError: if the rule is unknown, or if ``a`` is negative or not finite.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> votes.on_map(simple(votes).marked).tolist()
    [True, True, False, False]
    """
    if rule not in RULES:
        raise InputError(
            "The rule must be one of {rules}, not '{rule}'.", rules=", ".join(RULES), rule=rule
        )
    if not (np.isfinite(a) and a >= 0):
        raise InputError("The factor a must be 0 or more, not {a:g}.", a=a)

    k = votes.n_annotators
    marked_weight = votes.yes_sums(votes.weights)
    kept = np.ones(k, dtype=bool)
    performance = np.ones(k)
    outcome = _weighted_majority(votes, np.ones(k))
    rounds = 1
    converged = False
    while not converged and rounds < _MAX_ROUNDS:
        outcome_weights = np.where(outcome, votes.weights, 0.0)
        performance = dice(votes.yes_sums(outcome_weights), marked_weight, outcome_weights.sum())
        new_kept = kept & ~_is_too_low(performance, kept, a, rule)
        new_outcome = _weighted_majority(votes, np.where(new_kept, performance, 0.0))
        converged = bool((new_outcome == outcome).all() and (new_kept == kept).all())
        outcome = new_outcome
        kept = new_kept
        rounds += 1

    conditions = {
        Note.SIMPLE_RULE: True,
        Note.ONE_ANNOTATOR: k == 1,
        Note.SIMPLE_TWO_ANNOTATORS: k == 2,
        Note.NOTHING_MARKED: not marked_weight.any(),
        Note.NOT_CONVERGED: not converged,
    }
    notes = tuple(message for message, applies in conditions.items() if applies)
    return SimpleVote(outcome, kept, performance, rounds, converged, notes)


def _weighted_majority(votes: VoteTable, weights: Floats) -> Bools:
    """Return the (M,) patterns with at least half of the annotators' weights (K,).

    No pattern is marked if all weights are 0.
    """
    half_weight = weights.sum() / 2
    # Equal weights that are added up in another order must still tie.
    is_majority = votes.pattern_sums(weights) >= half_weight * (1 - _ROUNDING)
    return cast("Bools", is_majority & (half_weight > 0))


def _is_too_low(performance: Floats, kept: Bools, a: float, rule: str) -> Bools:
    """Return a mask (K,) of the annotators to discard.

    Args:
        performance: (K,) Dice overlap of each annotator with the outcome.
        kept: (K,) annotators that are not discarded yet.
        a: factor of the limit.
        rule: one of ``RULES``.
    """
    if kept.sum() <= 2:
        return np.zeros_like(kept)
    values = performance[kept]
    limit = values.mean() - a * values.std(ddof=1) if rule == "deviation" else a * values.mean()
    is_low = kept & (performance < limit - _ROUNDING)
    best_two = np.argsort(np.where(kept, -performance, np.inf), kind="stable")[:2]
    is_low[best_two] = False
    return cast("Bools", is_low)
