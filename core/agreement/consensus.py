"""Ground truths from many annotators' decisions: voting, and the estimation methods.

STAPLE has a module of its own, and so has LSML, which needs the pixel grid and takes the stack instead of the table.
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
    """(M,) what at least ``share`` of the annotators marked, h >= K·l (Eq. 5); ties are marked, 0 means anybody.

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
    # 0.28 · 25 is 7.000000000000001 in floating point.
    needed = max(np.ceil(votes.n_annotators * share - 1e-9), 1)
    return np.asarray(votes.yes_votes >= needed)


def half(votes: VoteTable) -> Bools:
    """0.5-GT: (M,) what half of the annotators or more marked."""
    return level(votes, 0.5)


#: A ground truth from a vote table: yes or no per pattern (M,).
Rule = Callable[[VoteTable], Bools]

#: Consensus methods that are functions of the vote table, by name; excl-0.5 is 0.5 without the outliers.
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
    """How STAPLE, SIMPLE and LSML estimate."""

    #: prior, assign_consensus: of :func:`randcrowns.core.agreement.staple_em.staple`.
    prior: str | float = "any"
    assign_consensus: bool = False
    #: a, rule: of :func:`simple`.
    a: float = 1.0
    rule: str = "deviation"
    #: clipped, rounds, curvature: of :func:`randcrowns.core.agreement.lsml.level_set`.
    clipped: bool = True
    rounds: int = 1000
    curvature: float = 0.0

    def staple(self, votes: VoteTable, progress: Progress = no_progress) -> Staple:
        """STAPLE of a vote table."""
        return staple(votes, self.prior, assign_consensus=self.assign_consensus, progress=progress)

    def told_staple(self, votes: VoteTable, progress: Progress = no_progress) -> Staple:
        """The same with a remark on what the prior does."""
        found = self.staple(votes, progress)
        effect = prior_effect(votes, self.prior, found, assign_consensus=self.assign_consensus)
        return replace(found, notes=(effect, *found.notes))

    def simple(self, votes: VoteTable) -> SimpleVote:
        """SIMPLE of a vote table."""
        return simple(votes, self.a, self.rule)

    def level_set(
        self,
        votes: VoteTable,
        stack: ArrayLike,
        mask: ArrayLike | None = None,
        progress: Progress = no_progress,
    ) -> LevelSet:
        """LSML of decisions on a grid and their vote table, with a remark on what clipping does.

        >>> marks = np.zeros((3, 6, 6), dtype=bool)
        >>> marks[:, 1:4, 1:4] = True
        >>> int(Estimation().level_set(VoteTable.from_stack(marks), marks).marked.sum())
        9
        """
        options = {"clipped": self.clipped, "rounds": self.rounds, "curvature": self.curvature}
        found = level_set(stack, mask, **options, progress=progress)  # type: ignore[arg-type]
        beyond = (found.phi <= 0) & votes.on_map(votes.yes_votes == 0)
        said = "As published, LSML also marks {pixels:,} pixels that nobody marked, here clipped; {of:,} are marked."
        if not self.clipped:
            said = "LSML is as published, not clipped: of {of:,} pixels marked nobody marked {pixels:,}."
        key = "lsml.clipped" if self.clipped else "lsml.published"
        told = note(key, said, pixels=int(beyond.sum()), of=int(found.marked.sum()))
        return replace(found, notes=(told, *found.notes))


@as_declared
def leave_one_out(votes: VoteTable, method: Rule = half) -> Bools:
    """(K, M) the consensus of all but one annotator, so that nobody is compared with their own drawing.

    Args:
        votes: the vote table of at least two annotators.
        method: a consensus of a vote table, for example one of ``METHODS``.

    Raises:
        InputError: for one annotator.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> votes.on_map(leave_one_out(votes)[0]).tolist()
    [True, True, True, False]
    """
    if votes.n_annotators < 2:
        raise InputError("Leaving one annotator out needs at least two annotators.")
    return np.stack([method(votes.without(k)) for k in range(votes.n_annotators)])


@as_declared
def marked_polygons(votes: VoteTable, marked: Bools, progress: Progress = no_progress) -> Objects:
    """The polygons of a consensus, faces that adjoin joined.

    Args:
        votes: a vote table from polygons.
        marked: (M,) marked patterns.

    Raises:
        InputError: when the vote table has no faces.

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


#: Every annotator's own drawing; one ground truth per level of agreement.
EACH, LEVELS = "each", "levels"
#: Names of the ground truths that all annotators make together, as the source calls them.
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
    """Ground truths by name."""

    truths: dict[str, Bools]  #: yes or no per unit, in the shape of the vote table's index.
    reasons: dict[str, Remark]  #: why a requested one could not be made, by its name.
    notes: dict[str, tuple[Remark, ...]]  #: what to tell the user, by name.

    def add(self, method: str, truth: Bools, notes: tuple[Remark, ...] = ()) -> None:
        """Add the ground truth of a method of all annotators."""
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
    """Make the ground truths requested.

    Args:
        votes: vote table with its index.
        methods: any of ``EACH``, ``LEVELS`` and the keys of ``TITLES``, in the order wanted.
        stack: K x rows x columns decisions, which LSML needs.
        mask: (rows, columns) pixels excluded from them (True).
        how: STAPLE, SIMPLE and LSML estimate.

    Raises:
        InputError: for a method that is not known, a vote table without a map, or an annotator who is called like
            a ground truth.
    """
    taken = (
        sorted(set(votes.names) & set(joint_names(votes.n_annotators))) if EACH in methods else []
    )
    if taken:
        raise InputError(
            "Annotator '{name}' has the name of a ground truth; give it another one.", name=taken[0]
        )
    found, how = GroundTruths({}, {}, {}), how or Estimation()
    for method, share in steps(methods, progress):
        if method == EACH:
            for k, name in enumerate(votes.names):
                found.truths[name] = votes.on_map(votes.patterns[:, k])
        elif method == LEVELS:
            found.truths.update(
                agreement_levels(votes.on_map(votes.yes_votes, outside=0), votes.n_annotators)
            )
        elif method not in TITLES:
            raise InputError(
                "There is no ground truth '{method}'; choose of {methods}.",
                method=method,
                methods=", ".join([EACH, LEVELS, *TITLES]),
            )
        elif votes.n_annotators == 1:
            said = "With one annotator it would be that annotator's own drawing."
            found.reasons[TITLES[method]] = info("reason.one_annotator", said)
        elif method == "lsml" and stack is not None:
            contour = how.level_set(votes, stack, mask, share)
            found.add(method, contour.marked, contour.notes)
        elif method == "lsml":
            said = "It moves a contour over pixels: give a pixel size to have it."
            found.reasons[TITLES[method]] = info("reason.needs_pixels", said)
        elif method == "staple":
            estimate = how.told_staple(votes, share)
            found.add(method, votes.on_map(estimate.marked), estimate.notes)
        elif method == "simple":
            vote = how.simple(votes)
            found.add(method, votes.on_map(vote.marked), vote.notes)
        else:
            found.add(method, votes.on_map(METHODS[method](votes)))
    return found


def joint_names(annotators: int) -> list[str]:
    """Names of everything that so many annotators can make together, which none of them may have."""
    return [*TITLES.values(), *level_names(annotators)]


def consensus_rule(method: str, how: Estimation | None = None) -> Rule:
    """The rule that makes this ground truth from any vote table, for drawing annotators again.

    Raises:
        InputError: for LSML, which needs the pixels, and for what is no rule of all annotators.
    """
    chosen = how or Estimation()
    if method in ("staple", "simple"):
        estimate: Callable[[VoteTable], Staple | SimpleVote] = getattr(chosen, method)
        return lambda votes: estimate(votes).marked
    if method not in METHODS:
        said = "The ground truth '{method}' cannot be made again for drawn annotators; choose of {methods}."
        raise InputError(said, method=method, methods=", ".join(METHODS))
    return METHODS[method]


def agreement_levels(votes: ArrayLike, annotators: int) -> dict[str, Bools]:
    """The ground truth of every agreement level: marked by at least 1, 2, ... up to all annotators."""
    counts = np.asarray(votes)
    return {name: counts >= k for k, name in enumerate(level_names(annotators), start=1)}


def level_names(annotators: int) -> list[str]:
    """Names of the ground truths of :func:`agreement_levels`, the lowest level first."""
    return [f"at least {k} of {annotators}" for k in range(1, annotators + 1)]


#: How annotators are discarded: below mean - a·sd of the kept ones' overlap, or below a·mean.
RULES = ("deviation", "share")
_MOST_ROUNDS = 100


@dataclass(frozen=True, eq=False)
class SimpleVote:
    """What SIMPLE found.

    Attributes:
        marked: (M,) the ground truth.
        kept: (K,) whose decisions still count.
        performance: (K,) Dice overlap with the outcome before the last vote, of everybody.
        rounds: number of votes.
        converged: whether the outcome and the kept annotators stood still.
        notes: what to tell the user.
    """

    marked: Bools
    kept: Bools
    performance: Floats
    rounds: int
    converged: bool
    notes: tuple[Remark, ...]


@as_declared
def simple(votes: VoteTable, a: float = 1.0, rule: str = "deviation") -> SimpleVote:
    """Weighted majority of the annotators who overlap enough with it.

    Args:
        a: how strictly annotators are discarded.
        rule: who is discarded: ``"deviation"``, below mean - a·sd (n - 1) of the kept annotators' Dice overlap, or
            ``"share"``, below a·mean of it. The best two are always kept.

    Raises:
        InputError: for an unknown rule, or an ``a`` that is negative or not a number.

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
    sizes = votes.yes_sums(votes.weights)
    kept = np.ones(k, dtype=bool)
    marked = _majority(votes, np.ones(k))
    rounds, converged = 1, False
    performance = np.ones(k)
    while not converged and rounds < _MOST_ROUNDS:
        outcome = np.where(marked, votes.weights, 0.0)
        performance = dice(votes.yes_sums(outcome), sizes, outcome.sum())
        new_kept = kept & ~_too_low(performance, kept, a, rule)
        voted = _majority(votes, np.where(new_kept, performance, 0.0))
        converged = bool((voted == marked).all() and (new_kept == kept).all())
        marked, kept = voted, new_kept
        rounds += 1
    applies = {
        Note.SIMPLE_RULE: True,
        Note.ONE_ANNOTATOR: k == 1,
        Note.SIMPLE_TWO_ANNOTATORS: k == 2,
        Note.NOTHING_MARKED: not sizes.any(),
        Note.NOT_CONVERGED: not converged,
    }
    notes = tuple(note for note, applying in applies.items() if applying)
    return SimpleVote(marked, kept, performance, rounds, converged, notes)


def _majority(votes: VoteTable, weights: Floats) -> Bools:
    """(M,) patterns with half of the weight or more; nothing when nobody has weight."""
    half = weights.sum() / 2
    # Equal weights that add up in another order must still tie.
    return cast("Bools", (votes.pattern_sums(weights) >= half * (1 - 1e-12)) & (half > 0))


def _too_low(performance: Floats, kept: Bools, a: float, rule: str) -> Bools:
    """(K,) who of the kept annotators is to be discarded."""
    if kept.sum() <= 2:
        return np.zeros_like(kept)
    values = performance[kept]
    limit = values.mean() - a * values.std(ddof=1) if rule == "deviation" else a * values.mean()
    low = kept & (performance < limit - 1e-12)
    best_two = np.argsort(np.where(kept, -performance, np.inf), kind="stable")[:2]
    low[best_two] = False
    return cast("Bools", low)
