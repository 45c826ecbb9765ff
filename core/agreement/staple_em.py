"""STAPLE: the truth and every annotator's sensitivity and specificity, estimated together.

Warfield, Zou and Wells 2004, expectation maximisation on the patterns of a vote table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd
from scipy.special import expit

from randcrowns.core.agreement.notes import Note
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, float_array
from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared
from randcrowns.core.progress import Progress, no_progress, steps
from randcrowns.core.remarks import Remark, info, note

#: Priors with a name: the fraction of the area that anybody marked, as in Lampert et al. 2016, and the mean decision.
PRIORS = ("any", "mean")
# Estimates of which none changes by more have converged.
_TOLERANCE = 1e-7


@dataclass(frozen=True, eq=False)
class Staple:
    """What STAPLE found.

    Attributes:
        probability: (M,) probability that a pattern is marked in truth.
        sensitivity, specificity: (K,) of each annotator (p and q).
        rounds: number of rounds done.
        prior: g, the probability that a unit is marked in truth before anybody looked.
        converged: whether p and q stood still before the largest number of rounds.
        log_likelihood: one value per round; it never falls.
        notes: what to tell the user.
    """

    probability: Floats
    sensitivity: Floats
    specificity: Floats
    rounds: int
    prior: float
    converged: bool
    log_likelihood: Floats
    notes: tuple[Remark, ...]

    @property
    def marked(self) -> Bools:
        """(M,) the ground truth: a probability of at least 1/2."""
        return self.probability >= 0.5


@as_declared
def staple(
    votes: VoteTable,
    prior: str | float = "any",
    *,
    assign_consensus: bool = False,
    max_rounds: int = 1000,
    progress: Progress = no_progress,
) -> Staple:
    """Estimate the truth and the annotators' performance.

    Args:
        prior: ``"any"`` (fraction that anybody marked), ``"mean"`` (mean decision), or a number between 0 and 1.
        assign_consensus: give units on which all agree their probability of 0 or 1 beforehand and estimate from the
            others alone. The named priors still describe the whole study area.
        max_rounds: stop at the latest after so many rounds.

    Raises:
        InputError: for a prior that is no such name or number.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> votes.on_map(staple(votes).marked).tolist()
    [True, True, True, False]
    >>> votes.on_map(staple(votes, "mean").marked).tolist()
    [True, True, False, False]
    """
    k, total = votes.n_annotators, votes.total
    share = votes.yes_votes / k
    g = _prior(votes, prior)
    undecided = (votes.yes_votes > 0) & (votes.yes_votes < k)
    weights = np.where(undecided, votes.weights, 0.0) if assign_consensus else votes.weights
    yes_weight = float(weights @ votes.yes_votes)
    if not 0 < yes_weight < k * weights.sum():
        ones = np.ones(k)
        notes = _notes(votes, ones, ones, True) if total else ()
        return Staple(
            share,
            ones,
            ones.copy(),
            0,
            g,
            True,
            np.empty(0),
            (Note.STAPLE_NOTHING_TO_ESTIMATE, *notes),
        )

    probability = share
    p, q = np.ones(k), np.ones(k)
    likelihood: list[float] = []
    converged = False
    while not converged and len(likelihood) < max_rounds:
        progress(len(likelihood) / max_rounds)
        in_truth = weights * probability
        outside = weights - in_truth
        truth, background = in_truth.sum(), outside.sum()
        new_p = np.clip(votes.yes_sums(in_truth) / truth, 0.0, 1.0) if truth > 0 else p
        new_q = np.clip(1 - votes.yes_sums(outside) / background, 0.0, 1.0) if background > 0 else q
        change = max(np.abs(new_p - p).max(), np.abs(new_q - q).max())
        converged = bool(likelihood) and change <= _TOLERANCE
        p, q = new_p, new_q
        probability, log_sum = _expectation(votes, g, p, q)
        likelihood.append(float(weights @ np.where(weights > 0, log_sum, 0.0)))
    if assign_consensus:
        probability = np.where(undecided, probability, share)
    notes = _notes(votes, p, q, converged)
    return Staple(probability, p, q, len(likelihood), g, converged, np.array(likelihood), notes)


@as_declared
def staple_priors(
    votes: VoteTable,
    priors: Sequence[float] | None = None,
    *,
    assign_consensus: bool = False,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """How the marked area changes with the prior.

    Args:
        priors: numbers between 0 and 1; by default 15 from 0.001 to 0.999, evenly spaced in the logit.
        assign_consensus: as for :func:`staple`.

    Returns:
        Columns ``prior``, ``marked`` (weight), ``share`` (of the study area) and ``rounds``.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> staple_priors(votes, [0.1, 0.9])["marked"].tolist()
    [1.0, 3.0]
    """
    values = (
        expit(np.linspace(-6.9, 6.9, 15))
        if priors is None
        else float_array(priors, "The list of priors")
    )
    rows = []
    for prior, share in steps(values.tolist(), progress):
        result = staple(votes, prior, assign_consensus=assign_consensus, progress=share)
        marked = float(votes.weights[result.marked].sum())
        rows.append((prior, marked, marked / votes.total if votes.total else np.nan, result.rounds))
    return cast("pd.DataFrame", pd.DataFrame(rows, columns=["prior", "marked", "share", "rounds"]))


def prior_effect(
    votes: VoteTable, prior: str | float, found: Staple, *, assign_consensus: bool = False
) -> Remark:
    """A remark on how much STAPLE marks with its prior, and with the named one that was not chosen.

    Args:
        prior: as for :func:`staple`.
        found: what it gave.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> round(prior_effect(votes, "any", staple(votes)).values["other_value"], 3)
    0.5
    """
    other = PRIORS[prior == PRIORS[0]]
    beside = staple(votes, other, assign_consensus=assign_consensus)
    marked = [float(votes.weights[one.marked].sum()) for one in (found, beside)]
    shares = [part / votes.total if votes.total else np.nan for part in marked]
    values: dict[str, Any] = {
        "prior": _NAMED.get(prior, _GIVEN),
        "value": found.prior,
        "share": shares[0],
    }
    values |= {"other": _NAMED[other], "other_value": beside.prior, "other_share": shares[1]}
    said = (
        "The prior decides how much is marked: with {value:.3g} ({prior}) {share:.2%} of the study area, with "
        "{other_value:.3g} ({other}) {other_share:.2%}."
    )
    return note("staple.prior", said, **values)


_GIVEN = info("staple.prior_given", "as given")
_NAMED: dict[str | float, Remark] = {
    "any": info("staple.prior_any", "the share that anybody marked"),
    "mean": info("staple.prior_mean", "the mean decision"),
}


def _prior(votes: VoteTable, prior: str | float) -> float:
    if isinstance(prior, str):
        if prior not in PRIORS:
            raise InputError(
                "The prior must be 'any', 'mean' or a number between 0 and 1, not '{prior}'.",
                prior=prior,
            )
        if votes.total == 0:
            return np.nan
        chance = votes.yes_votes / votes.n_annotators if prior == "mean" else votes.yes_votes > 0
        return float(votes.weights @ chance / votes.total)
    if not 0 < prior < 1:
        raise InputError(
            "The prior must lie between 0 and 1, both excluded, not {prior:g}.", prior=prior
        )
    return float(prior)


def _expectation(votes: VoteTable, g: float, p: Floats, q: Floats) -> tuple[Floats, Floats]:
    """(M,) probability of the truth given each pattern, and the logarithm of each pattern's likelihood.

    Works on logarithms, since 64 factors may be too small for a float; log 0 is -inf and stays so.
    """
    if_true = _log_chance(votes, p, 1 - p, np.log(g))
    if_false = _log_chance(votes, 1 - q, q, np.log1p(-g) if g < 1 else -np.inf)
    log_sum = np.logaddexp(if_true, if_false)
    impossible = np.isneginf(log_sum)
    # Only a pattern without weight can be impossible either way.
    share = votes.yes_votes / votes.n_annotators
    return np.where(
        impossible, share, np.exp(if_true - np.where(impossible, 0.0, log_sum))
    ), log_sum


def _log_chance(votes: VoteTable, of_yes: Floats, of_no: Floats, start: float) -> Floats:
    """(M,) start + sum over annotators of log(of_yes) where they said yes and log(of_no) where they said no."""
    possible = (of_yes > 0) & (of_no > 0)
    log_yes = np.log(of_yes, out=np.zeros_like(of_yes), where=of_yes > 0)
    log_no = np.log(of_no, out=np.zeros_like(of_no), where=of_no > 0)
    total = votes.pattern_sums(log_yes - log_no) + (log_no.sum() + start)
    if not possible.all():
        never = ((of_yes == 0) & votes.patterns) | ((of_no == 0) & ~votes.patterns)
        total[never.any(axis=1)] = -np.inf
    return cast("Floats", total)


def _notes(votes: VoteTable, p: Floats, q: Floats, converged: bool) -> tuple[Remark, ...]:
    applies = {
        Note.ONE_ANNOTATOR: votes.n_annotators == 1,
        Note.STAPLE_TWO_ANNOTATORS: votes.n_annotators == 2,
        Note.STAPLE_SWAPPED: bool((p + q < 1).any()),
        Note.STAPLE_NOTHING_SHARED: votes.n_annotators > 1
        and bool(votes.yes_votes.max(initial=0) == 1),
        Note.NOT_CONVERGED: not converged,
    }
    return tuple(note for note, applying in applies.items() if applying)
