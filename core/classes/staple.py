"""STAPLE for several classes: the true class and a confusion matrix per annotator.

Warfield, Zou and Wells 2004, Section III: expectation maximisation, here on the patterns of a table
of ratings. A missing rating has no factor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
import scipy
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Floats, Objects, as_float_array
from randcrowns.core.classes.agreement import ClassRatings
from randcrowns.core.classes.values import NO_CLASS
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.statistics import ratio
from randcrowns.core.thresholds import reaches
from randcrowns.core.validation import validate_arguments

#: The estimates have converged when no entry of a confusion matrix changes by more than this.
_TOLERANCE = 1e-7


@dataclass(frozen=True, eq=False)
class ClassStaple:
    """Estimated classes and confusion matrices of STAPLE.

    Attributes:
        labels: (K,) names of the classes.
        probability: (M, K) probability of each true class of each pattern; NaN without a rating.
        confusion: (R, K, K) probability that an annotator gives the class of the column to a unit
            of the true class of the row; rows without units are NaN.
        prior: (K,) prior probability of each class.
        n_rounds: number of rounds done.
        converged: True if the confusion matrices stopped changing.
        log_likelihood: (rounds,) log-likelihood of the ratings after each round; it never falls.
    """

    labels: tuple[str, ...]
    probability: Floats
    confusion: Floats
    prior: Floats
    n_rounds: int
    converged: bool
    log_likelihood: Floats

    @property
    def classes(self) -> Objects:
        """(M,) most probable class; None without a rating, and where two are equally probable."""
        classes = np.full(len(self.probability), None, dtype=object)
        if not self.labels:
            return classes
        highest = self.probability.max(axis=1)
        is_highest = reaches(self.probability, highest[:, np.newaxis])
        is_single = is_highest.sum(axis=1) == 1
        best_codes = is_highest.argmax(axis=1)
        labels = np.array(self.labels, dtype=object)
        classes[is_single] = labels[best_codes[is_single]]
        return classes


@validate_arguments
def staple_classes(
    ratings: ClassRatings,
    prior: ArrayLike | None = None,
    *,
    max_iterations: int = 1000,
    progress: Progress = no_progress,
) -> ClassStaple:
    """Estimate the true classes and the annotators' confusion matrices with STAPLE.

    The first estimate of the true classes is the share of the votes.

    Args:
        ratings: ratings of R annotators with K classes.
        prior: (K,) prior probabilities in the order of the labels; by default the shares of the
            classes among all ratings.
        max_iterations: maximum number of rounds.
        progress: called with the fraction of the rounds done.

    Returns:
        The estimates.

    Raises:
        InputError: if the prior has another length than there are classes, a probability is not
            above 0, or they do not add up to 1.

    >>> rows = [["a", "a", "a"]] * 5 + [["b", "b", "a"]] * 4 + [["c", "c", "c"]] * 3
    >>> result = staple_classes(ClassRatings.from_ratings(rows))
    >>> result.classes.tolist(), result.confusion[2].round(2).tolist()
    (['a', 'b', 'c'], [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    """
    class_prior = _validated_prior(ratings, prior)
    is_rated = ratings.n_rated > 0
    is_used = is_rated & (ratings.weights > 0)
    weights = np.where(is_used, ratings.weights, 0.0)
    vote_share = ratio(ratings.counts, ratings.n_rated[:, np.newaxis])
    probability = np.where(is_used[:, np.newaxis], vote_share, 0.0)
    confusion = _maximise(ratings, weights, probability)
    log_likelihoods: list[float] = []
    converged = False
    while not converged and len(log_likelihoods) < max_iterations and is_used.any():
        progress(len(log_likelihoods) / max_iterations)
        log_joint = _log_joint_probability(ratings, confusion, class_prior)
        log_pattern = scipy.special.logsumexp(log_joint, axis=1)
        probability = np.exp(log_joint - log_pattern[:, np.newaxis]) * is_used[:, np.newaxis]
        log_likelihoods.append(float(weights[is_used] @ log_pattern[is_used]))
        previous_confusion = confusion
        confusion = _maximise(ratings, weights, probability)
        largest_change = np.abs(confusion - previous_confusion).max()
        converged = bool(largest_change <= _TOLERANCE)

    has_units = (weights @ probability) > 0
    return ClassStaple(
        labels=ratings.labels,
        probability=np.where(is_rated[:, np.newaxis], probability, np.nan),
        confusion=np.where(has_units[:, np.newaxis], confusion, np.nan),
        prior=class_prior,
        n_rounds=len(log_likelihoods),
        converged=converged,
        log_likelihood=np.array(log_likelihoods),
    )


def _validated_prior(ratings: ClassRatings, prior: ArrayLike | None) -> Floats:
    """Return the prior (K,); raise InputError if it is no probability distribution."""
    n_classes = len(ratings.labels)
    if prior is None:
        given_ratings = ratings.weights @ ratings.counts
        shares: Floats = ratio(given_ratings, float(given_ratings.sum()))
        return shares
    values = as_float_array(prior, "The list of prior probabilities")
    if values.shape != (n_classes,) or not (values > 0).all() or abs(values.sum() - 1) > 1e-6:
        raise InputError(
            "staple.invalid_prior",
            "The prior needs a probability above 0 for each of the {count} classes, and they must "
            "add up to 1.",
            count=n_classes,
        )
    return values


def _maximise(ratings: ClassRatings, weights: Floats, probability: Floats) -> Floats:
    """Return the confusion matrices (R, K, K) that fit the probabilities of the true classes.

    Args:
        ratings: ratings of R annotators with K classes.
        weights: (M,) weights of the patterns.
        probability: (M, K) probability of each true class.

    Returns:
        Conditional probabilities; rows of a true class that an annotator rated nowhere are 0.
    """
    n_classes = len(ratings.labels)
    confusion = np.zeros((ratings.n_annotators, n_classes, n_classes))
    weighted_probability = weights[:, np.newaxis] * probability
    for annotator in range(ratings.n_annotators):
        codes = ratings.codes[:, annotator]
        for code in range(n_classes):
            is_given = codes == code
            confusion[annotator, :, code] = weighted_probability[is_given].sum(axis=0)
    totals = confusion.sum(axis=2, keepdims=True)
    return cast("Floats", np.nan_to_num(ratio(confusion, totals)))


def _log_joint_probability(ratings: ClassRatings, confusion: Floats, prior: Floats) -> Floats:
    """Return the logarithms (M, K) of the joint probability of a true class and a pattern.

    Args:
        ratings: M patterns of ratings by R annotators.
        confusion: (R, K, K) probability with which an annotator gives a class (last axis), by true
            class.
        prior: (K,) probability of each true class.
    """
    # The logarithm of 0 is -inf: the class is impossible.
    with np.errstate(divide="ignore"):
        log_confusion = np.log(confusion)
        log_prior = np.log(prior)
    log_joint = np.tile(log_prior, (len(ratings.codes), 1))
    for annotator in range(ratings.n_annotators):
        codes = ratings.codes[:, annotator]
        is_rated = codes != NO_CLASS
        given_codes = codes[is_rated]
        log_joint[is_rated] += log_confusion[annotator][:, given_codes].T
    return log_joint
