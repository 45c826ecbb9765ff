"""SIMPLE: vote, discard those who overlap least with the outcome, vote again weighted by overlap.

Langerak et al. 2010. The published threshold differs between sources; the default here is the mean minus one standard
deviation of the kept annotators' overlap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from randcrowns.core.agreement.notes import Note
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats
from randcrowns.core.errors import InputError
from randcrowns.core.rates import dice
from randcrowns.core.remarks import Remark

#: How annotators are discarded: below mean - a·sd of the kept ones' overlap, or below a·mean.
RULES = ("deviation", "share")


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


def simple(votes: VoteTable, a: float = 1.0, rule: str = "deviation", max_rounds: int = 100) -> SimpleVote:
    """Weighted majority of the annotators who overlap enough with it.

    Args:
        votes: the vote table.
        a: how strictly annotators are discarded.
        rule: who is discarded: ``"deviation"``, below mean - a·sd (n - 1) of the kept annotators' Dice overlap, or
            ``"share"``, below a·mean of it. The best two are always kept.
        max_rounds: stop at the latest after so many votes.

    Raises:
        InputError: for an unknown rule, or an ``a`` that is negative or not a number.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> votes.on_map(simple(votes).marked).tolist()
    [True, True, False, False]
    """
    if rule not in RULES:
        raise InputError(f"The rule must be one of {', '.join(RULES)}, not '{rule}'.")
    if not (np.isfinite(a) and a >= 0):
        raise InputError(f"The factor a must be 0 or more, not {a:g}.")
    k = votes.n_annotators
    sizes = votes.yes_sums(votes.weights)
    kept = np.ones(k, dtype=bool)
    marked = _majority(votes, np.ones(k))
    rounds, converged = 1, False
    performance = np.ones(k)
    while not converged and rounds < max_rounds:
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
    return (votes.pattern_sums(weights) >= half * (1 - 1e-12)) & (half > 0)


def _too_low(performance: Floats, kept: Bools, a: float, rule: str) -> Bools:
    """(K,) who of the kept annotators is to be discarded."""
    if kept.sum() <= 2:
        return np.zeros_like(kept)
    values = performance[kept]
    limit = values.mean() - a * values.std(ddof=1) if rule == "deviation" else a * values.mean()
    low = kept & (performance < limit - 1e-12)
    best_two = np.argsort(np.where(kept, -performance, np.inf), kind="stable")[:2]
    low[best_two] = False
    return low
