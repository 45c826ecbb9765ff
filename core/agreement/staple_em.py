"""STAPLE: joint estimation of the truth and of each annotator's sensitivity and specificity.

Warfield, Zou and Wells 2004: expectation maximisation, here on the patterns of a vote table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import scipy

from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, as_float_array
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, info, note
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress
from randcrowns.core.statistics import ratio
from randcrowns.core.thresholds import reaches
from randcrowns.core.validation import validate_arguments

#: Named priors: the share of the area that at least one annotator marked (Lampert et al. 2016), and
#: the mean decision.
PRIORS = ("any", "mean")
# Number of the priors that are compared by default, and the logit of the largest one, 0.999.
_N_PRIORS = 15
_MAX_PRIOR_LOGIT = 6.9
# The estimates have converged when none of them changes by more than this.
_TOLERANCE = 1e-7


@dataclass(frozen=True, eq=False)
class StapleResult:
    """Ground truth and performance of the annotators estimated by STAPLE.

    Attributes:
        probability: (M,) probability that each pattern is marked in truth.
        sensitivity: (K,) sensitivity p of each annotator.
        specificity: (K,) specificity q of each annotator.
        n_rounds: number of rounds done.
        prior: prior probability g that a unit is marked in truth.
        converged: True if p and q stopped changing before the maximum number of rounds.
        log_likelihood: (rounds,) log-likelihood of the decisions after each round; it never falls.
        messages: messages for the user.
    """

    probability: Floats
    sensitivity: Floats
    specificity: Floats
    n_rounds: int
    prior: float
    converged: bool
    log_likelihood: Floats
    messages: tuple[Message, ...]

    @property
    def marked(self) -> Bools:
        """(M,) ground truth: patterns with a probability of at least 1/2."""
        return np.asarray(reaches(self.probability, 0.5))


@validate_arguments
def staple(
    votes: VoteTable,
    prior: str | float = "any",
    *,
    assign_consensus: bool = False,
    max_iterations: int = 1000,
    progress: Progress = no_progress,
) -> StapleResult:
    """Estimate the truth and the performance of the annotators with STAPLE.

    Args:
        votes: vote table of K annotators and M patterns.
        prior: ``"any"`` (share of the area that at least one annotator marked), ``"mean"`` (mean
            decision), or a number between 0 and 1.
        assign_consensus: True to fix the probability of units on which all annotators agree at 0 or
            1, and to estimate from the other units only. The named priors still describe the whole
            study area.
        max_iterations: maximum number of rounds.
        progress: called with the fraction of the rounds done.

    A missing rating has no part in the estimation. The mean decision is then that of the ratings at
    hand.

    Returns:
        The estimates. If nothing or everything is marked, there is nothing to estimate: the
        probability is then the share of yes votes, and p and q are 1.

    Raises:
        InputError: if the prior is neither a name nor a number between 0 and 1.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> votes.on_map(staple(votes).marked).tolist()
    [True, True, True, False]
    >>> votes.on_map(staple(votes, "mean").marked).tolist()
    [True, True, False, False]
    """
    prior_probability = _prior_probability(votes, prior)
    is_disputed = (votes.n_yes > 0) & (votes.n_yes < votes.n_rated)
    weights = votes.weights
    if assign_consensus:
        weights = np.where(is_disputed, votes.weights, 0.0)
    if not _has_both_answers(votes, weights):
        return _unestimated_result(votes, prior_probability)

    performance = _Performance.perfect(votes.n_annotators)
    probability = votes.yes_share
    log_likelihoods: list[float] = []
    converged = False
    while not converged and len(log_likelihoods) < max_iterations:
        progress(len(log_likelihoods) / max_iterations)
        last_performance = performance
        performance = _maximisation(votes, weights, probability, last_performance)
        # In the first round the change is that from the starting values.
        is_first_round = not log_likelihoods
        change = performance.largest_change(last_performance)
        converged = not is_first_round and change <= _TOLERANCE

        probability, pattern_log_likelihood = _expectation(votes, prior_probability, performance)
        # A pattern without weight can have a likelihood of 0, and 0 · -inf would be NaN.
        counted_log_likelihood = np.where(weights > 0, pattern_log_likelihood, 0.0)
        log_likelihoods.append(float(weights @ counted_log_likelihood))

    if assign_consensus:
        probability = np.where(is_disputed, probability, votes.yes_share)
    return StapleResult(
        probability=probability,
        sensitivity=performance.sensitivity,
        specificity=performance.specificity,
        n_rounds=len(log_likelihoods),
        prior=prior_probability,
        converged=converged,
        log_likelihood=np.array(log_likelihoods),
        messages=_notes(votes, performance, converged),
    )


class _Performance(NamedTuple):
    """Performance of K annotators."""

    sensitivity: Floats  #: (K,) sensitivity p of each annotator.
    specificity: Floats  #: (K,) specificity q of each annotator.

    @classmethod
    def perfect(cls, n_annotators: int) -> _Performance:
        """Return the performance of annotators who make no errors."""
        return cls(sensitivity=np.ones(n_annotators), specificity=np.ones(n_annotators))

    def largest_change(self, last: _Performance) -> float:
        """Return the largest absolute change of a sensitivity or specificity since the last."""
        sensitivity_change = np.abs(self.sensitivity - last.sensitivity).max()
        specificity_change = np.abs(self.specificity - last.specificity).max()
        return float(max(sensitivity_change, specificity_change))


def _has_both_answers(votes: VoteTable, weights: Floats) -> bool:
    """Return True if the ratings in patterns with weight contain both a yes and a no.

    Args:
        votes: vote table of K annotators and M patterns.
        weights: (M,) weight of each pattern.
    """
    yes_weight = float(weights @ votes.n_yes)
    if votes.is_complete:
        rated_weight = votes.n_annotators * weights.sum()
    else:
        rated_weight = float(weights @ votes.n_rated)
    return bool(0 < yes_weight < rated_weight)


def _unestimated_result(votes: VoteTable, prior: float) -> StapleResult:
    """Return the result for votes from which nothing can be estimated: all of them yes or no.

    Args:
        votes: vote table of the annotators.
        prior: prior probability that a unit is marked in truth.
    """
    performance = _Performance.perfect(votes.n_annotators)
    messages: tuple[Message, ...] = (AgreementMessage.STAPLE_NOTHING_TO_ESTIMATE,)
    if votes.total_weight:
        messages += _notes(votes, performance, converged=True)
    return StapleResult(
        probability=votes.yes_share,
        sensitivity=performance.sensitivity,
        specificity=performance.specificity,
        n_rounds=0,
        prior=prior,
        converged=True,
        log_likelihood=np.empty(0),
        messages=messages,
    )


def _maximisation(
    votes: VoteTable, weights: Floats, probability: Floats, last: _Performance
) -> _Performance:
    """Compute the performance of the annotators, given the probability of the truth.

    Args:
        votes: vote table of K annotators and M patterns.
        weights: (M,) weight of each pattern.
        probability: (M,) probability that each pattern is marked in truth.
        last: last performance. It remains where there is nothing to compute it from.
    """
    foreground = weights * probability
    background = weights - foreground
    sensitivity = _yes_shares(votes, foreground)
    specificity = 1 - _yes_shares(votes, background)
    return _Performance(
        sensitivity=np.where(np.isnan(sensitivity), last.sensitivity, sensitivity),
        specificity=np.where(np.isnan(specificity), last.specificity, specificity),
    )


def _yes_shares(votes: VoteTable, weights: Floats) -> Floats:
    """Return the (K,) share of the rated weight that each annotator marked.

    Args:
        votes: vote table of K annotators and M patterns.
        weights: (M,) weight of each pattern.

    Returns:
        Shares from 0 to 1; NaN for annotators who rated no weight.
    """
    rated_weight = weights.sum() if votes.is_complete else votes.ratings.yes_sums(weights)
    share = ratio(votes.yes_sums(weights), rated_weight)
    return cast("Floats", np.clip(share, 0.0, 1.0))


@validate_arguments
def staple_priors(
    votes: VoteTable,
    priors: Sequence[float] | None = None,
    *,
    assign_consensus: bool = False,
    used_prior: str | float | None = None,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Tabulate how the area that STAPLE marks changes with the prior.

    Args:
        votes: vote table of the annotators.
        priors: numbers between 0 and 1; by default 15 from 0.001 to 0.999, evenly spaced in the
            logit.
        assign_consensus: as for :func:`staple`.
        used_prior: prior of a consensus, as for :func:`staple`, which gets a row of its own; None
            for no further row.
        progress: called with the fraction of the priors done.

    Returns:
        A row per prior, in ascending order with ``used_prior``: ``prior``, ``marked`` (weight),
        ``share`` (of the study area) and ``iterations``.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> staple_priors(votes, [0.1, 0.9])["marked"].tolist()
    [1.0, 3.0]
    """
    if priors is None:
        values = scipy.special.expit(np.linspace(-_MAX_PRIOR_LOGIT, _MAX_PRIOR_LOGIT, _N_PRIORS))
    else:
        values = as_float_array(priors, "The list of priors")
    requested: list[str | float] = [*values.tolist()]
    if used_prior is not None:
        requested.append(used_prior)
    rows = []
    for prior, prior_progress in iterate_with_progress(requested, progress):
        result = staple(votes, prior, assign_consensus=assign_consensus, progress=prior_progress)
        row = {
            "prior": result.prior,
            "marked": _marked_weight(votes, result),
            "share": _marked_share(votes, result),
            "iterations": result.n_rounds,
        }
        rows.append(row)
    columns = ["prior", "marked", "share", "iterations"]
    table = pd.DataFrame(rows, columns=columns)
    if used_prior is not None:
        table = table.drop_duplicates("prior").sort_values("prior", ignore_index=True)
    return cast("pd.DataFrame", table)


def _marked_weight(votes: VoteTable, result: StapleResult) -> float:
    """Return the weight of the patterns that STAPLE marks."""
    return float(votes.weights[result.marked].sum())


def _marked_share(votes: VoteTable, result: StapleResult) -> float:
    """Return the share of the study area that STAPLE marks; NaN without a study area."""
    if not votes.total_weight:
        return np.nan
    return _marked_weight(votes, result) / votes.total_weight


def prior_message(
    votes: VoteTable, prior: str | float, result: StapleResult, *, assign_consensus: bool = False
) -> Message:
    """Return a message on how much STAPLE marks with its prior and with another named prior.

    Args:
        votes: vote table of the annotators.
        prior: prior of the result, as for :func:`staple`.
        result: result of :func:`staple` with this prior.
        assign_consensus: as for :func:`staple`.

    Returns:
        Message ``staple.prior``, or ``staple.prior_minor`` if the two marked areas differ by at
        most 1 % of the larger one. Its values are the description (``prior``), the number
        (``value``) and the share of the study area that is marked (``share``) of the prior, and
        ``other``, ``other_value`` and ``other_share`` of the other prior. The other prior is
        ``"mean"`` beside ``"any"``, otherwise ``"any"``.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> round(prior_message(votes, "any", staple(votes)).values["other_value"], 3)
    0.5
    """
    other_prior = "mean" if prior == "any" else "any"
    other = staple(votes, other_prior, assign_consensus=assign_consensus)
    share = _marked_share(votes, result)
    other_share = _marked_share(votes, other)
    values: dict[str, Any] = {
        "prior": _PRIOR_NAMES.get(prior, _NUMBER_NAME),
        "value": result.prior,
        "share": share,
        "other": _PRIOR_NAMES[other_prior],
        "other_value": other.prior,
        "other_share": other_share,
    }
    if abs(share - other_share) <= _MINOR_DIFFERENCE * max(share, other_share):
        return note(
            "staple.prior_minor",
            "The prior hardly changes how much is marked: with {value:.3g} ({prior}) {share:.2%} "
            "of the study area, with {other_value:.3g} ({other}) {other_share:.2%}.",
            **values,
        )
    return note(
        "staple.prior",
        "How much is marked depends on the prior: with {value:.3g} ({prior}) {share:.2%} of the "
        "study area, with {other_value:.3g} ({other}) {other_share:.2%}.",
        **values,
    )


#: Largest difference of two marked areas, relative to the larger one, that counts as minor.
_MINOR_DIFFERENCE = 0.01
#: Description of a prior that is a number.
_NUMBER_NAME = info("staple.prior_given", "as given")
#: Descriptions of the named priors.
_PRIOR_NAMES: dict[str | float, Message] = {
    "any": info("staple.prior_any", "the share that anybody marked"),
    "mean": info("staple.prior_mean", "the mean decision"),
}


def _prior_probability(votes: VoteTable, prior: str | float) -> float:
    """Return the prior as a number; NaN for a named prior without a study area.

    Raises:
        InputError: if the prior is neither a name nor a number between 0 and 1.
    """
    if isinstance(prior, str):
        if prior not in PRIORS:
            raise InputError(
                "staple.unknown_prior",
                "The prior must be 'any', 'mean' or a number between 0 and 1, not '{prior}'.",
                prior=prior,
            )
        return _named_prior(votes, prior)
    if not 0 < prior < 1:
        raise InputError(
            "staple.prior_out_of_range",
            "The prior must lie between 0 and 1, both excluded, not {prior:g}.",
            prior=prior,
        )
    return float(prior)


def _named_prior(votes: VoteTable, name: str) -> float:
    """Return the probability of the prior ``"any"`` or ``"mean"``; NaN without a study area."""
    if votes.total_weight == 0:
        return np.nan
    if name == "any":
        return float(votes.weights @ (votes.n_yes > 0) / votes.total_weight)
    if votes.is_complete:
        return float(votes.weights @ votes.yes_share / votes.total_weight)
    # Missing ratings are no part of the mean decision.
    return float(votes.weights @ votes.n_yes / (votes.weights @ votes.n_rated))


class _Expectation(NamedTuple):
    """Result of the expectation step."""

    probability: Floats  #: (M,) probability that each pattern is marked in truth.
    log_likelihood: Floats  #: (M,) logarithm of the likelihood of each pattern.


def _expectation(votes: VoteTable, prior: float, performance: _Performance) -> _Expectation:
    """Compute the probability of the truth for each pattern.

    The computation uses logarithms, since the product of 64 factors can be too small for a float;
    log 0 is -inf.

    Args:
        votes: vote table of K annotators and M patterns.
        prior: prior probability that a unit is marked in truth.
        performance: sensitivity and specificity of each annotator.

    Returns:
        Probability that each pattern is marked in truth, and the logarithm of its likelihood.
    """
    sensitivity, specificity = performance
    log_prior_of_false = np.log1p(-prior) if prior < 1 else -np.inf
    if_true = _log_probability(votes, sensitivity, 1 - sensitivity, np.log(prior))
    if_false = _log_probability(votes, 1 - specificity, specificity, log_prior_of_false)
    log_likelihood = np.logaddexp(if_true, if_false)
    # Only a pattern without weight can be impossible with both truths.
    is_impossible = np.isneginf(log_likelihood)
    posterior = np.exp(if_true - np.where(is_impossible, 0.0, log_likelihood))
    probability = np.where(is_impossible, votes.yes_share, posterior)
    return _Expectation(probability, log_likelihood)


def _log_probability(
    votes: VoteTable, yes_probability: Floats, no_probability: Floats, log_prior: float
) -> Floats:
    """Return the (M,) logarithm of the joint probability of the prior and each pattern.

    Args:
        votes: vote table of K annotators and M patterns.
        yes_probability: (K,) probability that each annotator says yes.
        no_probability: (K,) probability that each annotator says no.
        log_prior: logarithm of the prior.
    """
    is_yes_possible = yes_probability > 0
    is_no_possible = no_probability > 0
    # The logarithms of impossible answers stay 0; patterns with such answers are set to -inf below.
    log_yes = np.log(yes_probability, out=np.zeros_like(yes_probability), where=is_yes_possible)
    log_no = np.log(no_probability, out=np.zeros_like(no_probability), where=is_no_possible)
    if votes.is_complete:
        total = votes.pattern_sums(log_yes - log_no) + (log_no.sum() + log_prior)
    else:
        # A missing rating has no factor.
        total = votes.pattern_sums(log_yes) + votes.inverted().pattern_sums(log_no) + log_prior
    if not (is_yes_possible & is_no_possible).all():
        is_yes = votes.patterns
        is_no = ~is_yes if votes.is_rated is None else ~is_yes & votes.is_rated
        is_impossible_yes = (yes_probability == 0) & is_yes
        is_impossible_no = (no_probability == 0) & is_no
        is_impossible = (is_impossible_yes | is_impossible_no).any(axis=1)
        total[is_impossible] = -np.inf
    return cast("Floats", total)


def _notes(votes: VoteTable, performance: _Performance, converged: bool) -> tuple[Message, ...]:
    """Return the messages about an estimate.

    Args:
        votes: vote table of the annotators.
        performance: estimated sensitivity and specificity of each annotator.
        converged: True if the estimation converged.
    """
    nothing_shared = votes.n_annotators > 1 and bool(votes.n_yes.max(initial=0) == 1)
    is_swapped = performance.sensitivity + performance.specificity < 1
    conditions = {
        AgreementMessage.ONE_ANNOTATOR: votes.n_annotators == 1,
        AgreementMessage.STAPLE_TWO_ANNOTATORS: votes.n_annotators == 2,
        AgreementMessage.STAPLE_SWAPPED: bool(is_swapped.any()),
        AgreementMessage.STAPLE_NOTHING_SHARED: nothing_shared,
        AgreementMessage.NOT_CONVERGED: not converged,
    }
    return tuple(message for message, applies in conditions.items() if applies)
