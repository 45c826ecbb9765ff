"""Agreement statistics of annotators, computed from the vote table.

Smyth's bound, agreement ratio, pairwise F1, dendrogram, outliers and the comparison with the
consensus follow Lampert, Stumpf and Gançarski 2016 (Eqs. 1 to 6). The chance-corrected coefficients
are Fleiss 1971, Krippendorff 2011 (nominal) and Gwet 2008. Undefined statistics are NaN;
:func:`agreement_messages` explains why.

In all functions K is the number of annotators, M the number of distinct patterns of their
decisions, c the weight of a pattern, and h the number of annotators who marked it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, repeat
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import scipy
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.agreement.reviewed_areas import ReviewedAreas
from randcrowns.core.agreement.votes import VoteTable, layers_by_name
from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects, as_array
from randcrowns.core.crowns import Crowns
from randcrowns.core.crs import geometry_array
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import clip_geometries, extract_polygons
from randcrowns.core.geometry.overlay import split_into_polygons
from randcrowns.core.instances.metrics import count_merges, count_splits, panoptic_quality
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.messages import Message, note
from randcrowns.core.outlines import repair_outlines
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress
from randcrowns.core.statistics import dice_coefficient, ratio
from randcrowns.core.validation import validate_arguments

# Distances that differ by less than this are equal except for rounding.
_ROUNDING = 1e-12
# Shares of yes votes below and above which kappa misleads, since nearly all decisions are alike.
_SPARSE_SHARE = 0.1
_DENSE_SHARE = 0.9


class AgreementCoefficients(NamedTuple):
    """Agreement of all annotators, raw and corrected for chance; show them together.

    Attributes:
        raw_agreement: probability that two annotators decide alike at a random unit.
        fleiss_kappa: Fleiss' kappa; 1 is full agreement, 0 is agreement by chance.
        krippendorff_alpha: Krippendorff's alpha for nominal data, on the same scale.
        gwet_ac1: Gwet's AC1, on the same scale.
    """

    raw_agreement: float
    fleiss_kappa: float
    krippendorff_alpha: float
    gwet_ac1: float


_UNDEFINED_COEFFICIENTS = AgreementCoefficients(
    raw_agreement=np.nan, fleiss_kappa=np.nan, krippendorff_alpha=np.nan, gwet_ac1=np.nan
)


def rating_histogram(votes: VoteTable) -> Floats:
    """Return the (K + 1, K + 1) weight of the units at which r annotators looked and h marked.

    The row is r, the column h. Without missing ratings only row K has weights.

    >>> votes = VoteTable.from_stack([[1, 1], [1, 0]], missing=[[0, 0], [0, 1]])
    >>> rating_histogram(votes).tolist()
    [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    side = votes.n_annotators + 1
    cells = votes.n_rated * side + votes.n_yes
    weights = np.bincount(cells, votes.weights, side**2).astype(float)
    return weights.reshape(side, side)


def counts_histogram(votes: VoteTable) -> Floats:
    """Return :func:`vote_histogram`, or :func:`rating_histogram` if ratings are missing."""
    return vote_histogram(votes) if votes.is_complete else rating_histogram(votes)


def vote_histogram(votes: VoteTable) -> Floats:
    """Return the (K + 1,) weight of the units that 0, 1, … K annotators marked.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> vote_histogram(votes).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    return np.bincount(votes.n_yes, votes.weights, votes.n_annotators + 1).astype(float)


@validate_arguments
def smyth_bound(votes: VoteTable) -> float:
    """Compute Smyth's lower bound on the mean error rate of the annotators (Smyth 1996; Eq. 1).

    The bound is sum c·min(h, K - h) / (K · sum c). It is at most 1/2 for an even number of
    annotators and (K - 1)/(2K) for an odd number. With missing ratings the number of those who
    looked takes the place of K, over the units at which at least two looked.

    Args:
        votes: vote table of K annotators.

    Returns:
        The bound; NaN for one annotator or without a study area.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> round(smyth_bound(votes), 3)
    0.167
    """
    return smyth_bound_from_histogram(counts_histogram(votes))


def smyth_bound_from_histogram(histogram: Floats) -> float:
    """Compute Smyth's bound, see :func:`smyth_bound`, from the weights of the vote counts.

    Args:
        histogram: (K + 1,) weight of the units with 0 to K votes, or with missing ratings
            :func:`rating_histogram`.

    >>> round(smyth_bound_from_histogram(np.array([1.0, 1.0, 1.0, 1.0])), 3)
    0.167
    """
    k = len(histogram) - 1
    if k < 2:
        return np.nan
    if histogram.ndim == 2:
        cells = _pairable_cells(histogram)
        minority = np.minimum(cells.n_yes, cells.n_rated - cells.n_yes)
        n_minority_votes = float(cells.weight @ minority)
        n_votes = float(cells.weight @ cells.n_rated)
    else:
        h = np.arange(k + 1)
        n_minority_votes = float(histogram @ np.minimum(h, k - h))
        n_votes = k * histogram.sum()
    return cast("float", ratio(n_minority_votes, n_votes))


@validate_arguments
def agreement_ratio(votes: VoteTable) -> Floats:
    """Compute the share of the marked area that at least 1, 2, … K annotators marked (Eq. 3).

    Args:
        votes: vote table of K annotators.

    Returns:
        (K,) weight of h >= k over the weight of h > 0, for k = 1 … K; NaN if nothing is marked.
        With missing ratings, both are over the units at which at least k annotators looked.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> agreement_ratio(votes).round(3).tolist()
    [1.0, 0.667, 0.333]
    """
    marked_by_at_least = _sums_from_each(vote_histogram(votes))
    if votes.is_complete:
        return cast("Floats", ratio(marked_by_at_least, marked_by_at_least[0]))

    marked_weights = np.where(votes.n_yes > 0, votes.weights, 0.0)
    marked_by_n_rated = np.bincount(votes.n_rated, marked_weights, votes.n_annotators + 1)
    return cast("Floats", ratio(marked_by_at_least, _sums_from_each(marked_by_n_rated)))


def _sums_from_each(histogram: Array) -> Floats:
    """Return the (K,) sums of the values k, k + 1, … K of a histogram, for k = 1 … K.

    Args:
        histogram: (K + 1,) values for 0, 1, … K.
    """
    sums_of_last = np.cumsum(np.flip(histogram))  # of the last value, the last two, … all
    return cast("Floats", np.flip(sums_of_last)[1:])


@validate_arguments
def pairwise_f1(votes: VoteTable) -> Floats:
    """Compute the F1 of every pair of annotators, 2·w(a∧b) / (w(a) + w(b)) (Eq. 6).

    w(a) is the weight that annotator a marked, and w(a∧b) the weight that both marked. With
    missing ratings, w(a) counts what a marked where b looked.

    Args:
        votes: vote table of K annotators.

    Returns:
        (K, K) symmetric F1; 1 where both annotators marked nothing, 0 where one of them did. NaN
        for two annotators who looked at no common place.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> pairwise_f1(votes).round(3).tolist()
    [[1.0, 0.667, 0.8], [0.667, 1.0, 0.5], [0.8, 0.5, 1.0]]
    """
    if votes.is_complete:
        return pairwise_f1_from_shared(votes.shared_weights)
    f1 = pairwise_f1_from_shared(votes.shared_weights, votes.compared_weights)
    is_unknown = ~votes.has_common_area
    np.fill_diagonal(is_unknown, False)
    f1[is_unknown] = np.nan
    return f1


def pairwise_f1_from_shared(shared: Floats, compared: Floats | None = None) -> Floats:
    """Compute the pairwise F1, see :func:`pairwise_f1`, from the shared weights.

    Args:
        shared: (K, K) weight that both annotators marked; on the diagonal that of each annotator.
        compared: (K, K) weight that the annotator of the row marked where that of the column
            looked; by default everybody looked everywhere.

    Returns:
        (K, K) symmetric F1.

    >>> pairwise_f1_from_shared(np.array([[2.0, 1.0], [1.0, 2.0]])).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    marked = np.diagonal(shared)
    if compared is None:
        f1 = dice_coefficient(shared, marked[:, None], marked)
    else:
        f1 = dice_coefficient(shared, compared, compared.T)
    np.fill_diagonal(f1, 1.0)
    return np.minimum(f1, 1.0)


@validate_arguments
def dendrogram(votes: VoteTable) -> Floats:
    """Cluster the annotators by Ward linkage on the distances 1 - F1.

    Args:
        votes: vote table of K annotators.

    Returns:
        (K - 1, 4) linkage matrix as of :func:`scipy.cluster.hierarchy.linkage`; (0, 4) for fewer
        than three annotators, and if two of them looked at no common place.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> dendrogram(votes)[:, 3].tolist()
    [2.0, 3.0]
    """
    return link_annotators(pairwise_f1(votes))


def link_annotators(f1: Floats) -> Floats:
    """Return the linkage matrix of :func:`dendrogram` for the F1 (K, K) of every two annotators.

    >>> link_annotators(np.array([[1, 0.8, 0.5], [0.8, 1, 0.5], [0.5, 0.5, 1]]))[:, :2].tolist()
    [[0.0, 1.0], [2.0, 3.0]]
    """
    if len(f1) < 3 or np.isnan(f1).any():
        return np.empty((0, 4))
    return np.asarray(
        scipy.cluster.hierarchy.linkage(
            scipy.spatial.distance.squareform(1 - f1, checks=False), method="ward"
        )
    )


def mean_distances(votes: VoteTable) -> Floats:
    """Return the (K,) mean distance 1 - F1 of each annotator to the others; NaN for K = 1.

    With missing ratings it is the mean over those who looked at a common place; NaN without any.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> mean_distances(votes).round(3).tolist()
    [0.267, 0.417, 0.35]
    """
    k = votes.n_annotators
    if k < 2:
        return np.full(1, np.nan)
    distance = 1 - pairwise_f1(votes)
    if votes.is_complete:
        return cast("Floats", distance.sum(axis=1) / (k - 1))
    n_others = np.isfinite(distance).sum(axis=1) - 1
    return cast("Floats", ratio(np.nansum(distance, axis=1), n_others.astype(float)))


def outlier_limit(votes: VoteTable) -> float:
    """Return the mean distance above which an annotator is an outlier.

    The limit is the mean plus one standard deviation (n - 1) of :func:`mean_distances`; NaN for
    fewer than three annotators.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> round(outlier_limit(votes), 3)
    0.42
    """
    distances = mean_distances(votes)
    if np.isfinite(distances).sum() < 3:
        return np.nan
    return float(_limit_of_distances(distances))


def exceed_limit(distances: Floats) -> Bools:
    """Return which mean distances (…, K) are above the limit of their K annotators.

    Args:
        distances: mean distances; NaN for annotators who have none. At least three are numbers.

    >>> exceed_limit(np.array([0.1, 0.1, 0.2, 0.6])).tolist()
    [False, False, False, True]
    """
    limit = np.expand_dims(_limit_of_distances(distances), -1)
    return np.asarray(distances > limit + _ROUNDING)


def _limit_of_distances(distances: Floats) -> Floats:
    """Return the limit (…) of mean distances (…, K), see :func:`outlier_limit`."""
    mean = np.nanmean(distances, axis=-1)
    return cast("Floats", mean + np.nanstd(distances, axis=-1, ddof=1))


@validate_arguments
def outliers(votes: VoteTable) -> Bools:
    """Return a mask (K,) of annotators whose mean distance to the others is above the limit.

    There are no outliers among fewer than three annotators. See :func:`outlier_limit`.

    Args:
        votes: vote table of K annotators.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 1, 1]])
    >>> outliers(votes).tolist()
    [False, False, False, True]
    """
    distances = mean_distances(votes)
    if np.isfinite(distances).sum() < 3:
        return np.zeros(votes.n_annotators, dtype=bool)
    return exceed_limit(distances)


class _Confusion(NamedTuple):
    """Weights (K,) of the four cells of each annotator's confusion matrix."""

    true_positive: Floats  #: marked by the annotator and by the consensus.
    false_positive: Floats  #: marked by the annotator only.
    false_negative: Floats  #: marked by the consensus only.
    true_negative: Floats  #: marked by neither.


@validate_arguments
def annotator_statistics(votes: VoteTable, consensus: Bools | None = None) -> pd.DataFrame:
    """Compare each annotator with a consensus and with the other annotators.

    Args:
        votes: vote table of K annotators and M patterns.
        consensus: (M,) marked patterns; by default those that at least half of the annotators
            marked. A matrix (K, M) holds a separate consensus for each annotator, for example one
            without the annotator's own drawing.

    Returns:
        A row per annotator (index ``annotator``): ``marked`` (weight), ``share`` (of the study
        area), ``sensitivity``, ``specificity``, ``ppv``, ``npv``, ``kappa`` (Cohen 1960),
        ``mean_f1`` and ``mean_distance`` (1 - F1) to the others, and ``outlier`` (bool). 0/0 is
        NaN. The statistics against the default consensus are NaN for a single annotator, whose own
        drawing it is. With missing ratings the share is of the area at which the annotator looked,
        and the comparison is over the part of it at which somebody else looked too.

    Raises:
        InputError: if the consensus is not boolean or does not match the table.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> annotator_statistics(votes)["sensitivity"].tolist()
    [1.0, 0.5, 1.0]
    """
    truth = votes.is_half_marked if consensus is None else _check_consensus(votes, consensus)
    compared = votes if votes.is_complete else _where_others_looked(votes, truth)
    confusion = _confusion(compared, truth) if truth.ndim == 1 else _own_confusion(compared, truth)
    marked: Floats
    looked: Floats | float
    compared_weight: Floats | float
    if votes.is_complete:
        marked = confusion.true_positive + confusion.false_positive
        looked = votes.total_weight
        compared_weight = votes.total_weight
    else:
        marked = votes.yes_sums(votes.weights)
        looked = votes.ratings.yes_sums(votes.weights)
        compared_weight = np.sum(confusion, axis=0)
    distance = mean_distances(votes)
    columns = {
        "marked": marked,
        "share": ratio(marked, looked),
        **_confusion_statistics(confusion, compared_weight),
        "mean_f1": 1 - distance,
        "mean_distance": distance,
        "outlier": outliers(votes),
    }
    statistics = pd.DataFrame(columns, index=pd.Index(votes.names, name="annotator"))
    if votes.n_annotators == 1 and consensus is None:
        statistics[["sensitivity", "specificity", "ppv", "npv", "kappa"]] = np.nan
    return cast("pd.DataFrame", statistics)


def _confusion_statistics(confusion: _Confusion, total: Floats | float) -> dict[str, Floats]:
    """Return the (K,) statistics of annotators against a consensus, by name.

    Args:
        confusion: (K,) weights of the confusion matrices.
        total: (K,) sums of their four weights, or one sum for all annotators.
    """
    # Row and column sums of the confusion matrices.
    marked = confusion.true_positive + confusion.false_positive
    unmarked = confusion.false_negative + confusion.true_negative
    positive = confusion.true_positive + confusion.false_negative
    negative = confusion.false_positive + confusion.true_negative
    agreeing = confusion.true_positive + confusion.true_negative
    # Cohen's kappa with numerator and denominator multiplied by total².
    by_chance = marked * positive + unmarked * negative
    return {
        "sensitivity": ratio(confusion.true_positive, positive),
        "specificity": ratio(confusion.true_negative, negative),
        "ppv": ratio(confusion.true_positive, marked),
        "npv": ratio(confusion.true_negative, unmarked),
        "kappa": ratio(total * agreeing - by_chance, total**2 - by_chance),
    }


def _check_consensus(votes: VoteTable, consensus: ArrayLike) -> Bools:
    """Return a consensus of (M,) patterns, or one for each annotator (K, M), as an array.

    Raises:
        InputError: if the consensus is not boolean or does not match the table.
    """
    truth = as_array(consensus, "The consensus")
    if truth.dtype != bool:
        raise InputError(
            "consensus.not_boolean",
            "The consensus must be True or False for each pattern, not {dtype}; compare "
            "probabilities with a threshold first, such as >= 0.5.",
            dtype=truth.dtype,
        )
    n_patterns = len(votes.patterns)
    if truth.shape not in {(n_patterns,), (votes.n_annotators, n_patterns)}:
        raise InputError(
            "consensus.wrong_shape",
            "The consensus has the shape {shape}; expected one value for each of {patterns} "
            "patterns.",
            shape=str(truth.shape),
            patterns=n_patterns,
        )
    return truth


@validate_arguments
def agreement_coefficients(votes: VoteTable) -> AgreementCoefficients:
    """Compute raw and chance-corrected agreement from the histogram of the votes h.

    Raw agreement is Pa = sum c[h(h-1) + (K-h)(K-h-1)] / (N K (K-1)), where N = sum c is the size of
    the study area. Kappa and AC1 are (Pa - pe)/(1 - pe) with pe = p² + (1-p)² (Fleiss) or 2p(1-p)
    (Gwet's AC1), where p is the share of yes votes. Alpha is 1 - Do/De with
    Do = sum c·2h(K-h)/((K-1) N K) and De = 2 n1 n0/(N K (N K - 1)), where n1 and n0 are the numbers
    of yes and no votes.

    With missing ratings r annotators looked at a unit in place of K. Units with a single rating are
    left out of Pa, and p is the mean of h/r (Gwet 2014, as the package irrCAC). Alpha leaves units
    with a single rating out of Do and De (Krippendorff 2011).

    Args:
        votes: vote table of K annotators.

    Returns:
        The four coefficients; all NaN for one annotator or without a study area.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]])
    >>> round(agreement_coefficients(votes).fleiss_kappa, 3)
    0.333
    """
    return coefficients_from_histogram(counts_histogram(votes), votes.unit_weight)


def coefficients_from_histogram(histogram: Floats, unit_weight: float) -> AgreementCoefficients:
    """Compute :func:`agreement_coefficients` from the weights of the vote counts.

    Args:
        histogram: (K + 1,) weight of the units with 0 to K votes, or with missing ratings
            :func:`rating_histogram`.
        unit_weight: weight of one unit, which is the 1 in the formula of alpha; 0 for an exact
            overlay.

    >>> histogram = np.array([1.0, 1.0, 1.0, 1.0])
    >>> round(coefficients_from_histogram(histogram, unit_weight=1.0).fleiss_kappa, 3)
    0.333
    """
    if histogram.ndim == 2:
        return _coefficients_with_missing(histogram, unit_weight)
    k = len(histogram) - 1
    n_votes = k * float(histogram.sum())
    if k < 2 or n_votes == 0:
        return _UNDEFINED_COEFFICIENTS
    h = np.arange(k + 1)
    yes = float(histogram @ h)
    no = float(histogram @ (k - h))
    disagreement = 2 * float(histogram @ (h * (k - h))) / (n_votes * (k - 1))
    raw_agreement = 1 - disagreement
    chance = 2 * (yes / n_votes) * (no / n_votes)
    # The disagreement that alpha expects by chance.
    expected = np.nan
    if n_votes > unit_weight:
        expected = ratio(2 * yes * no, n_votes * (n_votes - unit_weight))
    return AgreementCoefficients(
        raw_agreement=raw_agreement,
        fleiss_kappa=1 - ratio(disagreement, chance),
        krippendorff_alpha=1 - ratio(disagreement, expected),
        gwet_ac1=1 - disagreement / (1 - chance),
    )


class _Cells(NamedTuple):
    """Cells of a rating histogram with a weight."""

    n_rated: Ints  #: (n,) number r of annotators who looked.
    n_yes: Ints  #: (n,) number h of annotators who marked.
    weight: Floats  #: (n,) weight of the units.


def _pairable_cells(histogram: Floats, min_rated: int = 2) -> _Cells:
    """Return the cells of :func:`rating_histogram` at which enough annotators looked.

    Args:
        histogram: (K + 1, K + 1) weights.
        min_rated: minimum number of annotators who looked; 2 for units on which two can agree.
    """
    n_rated, n_yes = np.nonzero(histogram)
    weight = histogram[n_rated, n_yes]
    is_used = n_rated >= min_rated
    return _Cells(n_rated=n_rated[is_used], n_yes=n_yes[is_used], weight=weight[is_used])


def _coefficients_with_missing(histogram: Floats, unit_weight: float) -> AgreementCoefficients:
    """Compute :func:`agreement_coefficients` with missing ratings.

    Args:
        histogram: (K + 1, K + 1) weights of :func:`rating_histogram`.
        unit_weight: weight of one unit; 0 for an exact overlay.
    """
    pairable = _pairable_cells(histogram)
    total_weight = pairable.weight.sum()
    if not total_weight > 0:
        return _UNDEFINED_COEFFICIENTS
    n_no = pairable.n_rated - pairable.n_yes
    # Ratings that differ from another one at the same unit, among all pairs with a rating.
    differing = pairable.weight * 2 * pairable.n_yes * n_no / (pairable.n_rated - 1)
    disagreement = float((differing / pairable.n_rated).sum() / total_weight)

    rated = _pairable_cells(histogram, min_rated=1)
    yes_shares = rated.n_yes / rated.n_rated
    mean_yes_share = float(rated.weight @ yes_shares / rated.weight.sum())
    chance = 2 * mean_yes_share * (1 - mean_yes_share)

    yes = float(pairable.weight @ pairable.n_yes)
    no = float(pairable.weight @ n_no)
    n_votes = yes + no
    # The differing ratings that alpha expects by chance.
    expected = np.nan
    if n_votes > unit_weight:
        expected = 2 * yes * no / (n_votes - unit_weight)
    return AgreementCoefficients(
        raw_agreement=1 - disagreement,
        fleiss_kappa=1 - ratio(disagreement, chance),
        krippendorff_alpha=1 - ratio(float(differing.sum()), expected),
        gwet_ac1=1 - disagreement / (1 - chance),
    )


def agreement_messages(votes: VoteTable) -> tuple[Message, ...]:
    """Return messages that explain the agreement statistics of a vote table.

    Args:
        votes: vote table of K annotators.

    Returns:
        The messages of the table, and those about undefined or misleading statistics.

    >>> votes = VoteTable.from_stack([[1, 1, 0, 0], [1, 0, 0, 0]])
    >>> [message.key for message in agreement_messages(votes)]
    ['agreement.two_annotators_bound', 'agreement.too_few_for_outliers']
    """
    k = votes.n_annotators
    total = votes.total_weight
    weight_by_votes = vote_histogram(votes)
    n_votes = float(weight_by_votes @ np.arange(k + 1))
    n_ratings = k * total
    if not votes.is_complete:
        n_ratings = float(votes.weights @ votes.n_rated)
    marked_share = ratio(n_votes, n_ratings)
    marked = votes.yes_sums(votes.weights)
    has_empty_annotator = bool((marked == 0).any() and (marked > 0).any())
    has_no_vote_against = not (votes.weights @ votes.n_no) > 0
    conditions = {
        AgreementMessage.ONE_ANNOTATOR: k == 1,
        AgreementMessage.TWO_ANNOTATORS_BOUND: k == 2,
        AgreementMessage.TOO_FEW_FOR_OUTLIERS: k < 3,
        AgreementMessage.OUTLIER_MEANING: bool(outliers(votes).any()),
        AgreementMessage.NOTHING_MARKED: weight_by_votes[1:].sum() == 0,
        AgreementMessage.EVERYTHING_MARKED: total > 0 and has_no_vote_against,
        AgreementMessage.EMPTY_ANNOTATOR: has_empty_annotator,
        AgreementMessage.SPARSE: 0 < marked_share < _SPARSE_SHARE,
        AgreementMessage.MOSTLY_MARKED: _DENSE_SHARE < marked_share < 1,
    }
    notes = [message for message, applies in conditions.items() if applies]
    return (*votes.messages, *missing_messages(votes), *notes)


def missing_messages(votes: VoteTable) -> tuple[Message, ...]:
    """Return a message about the ratings that are missing; none if everybody looked everywhere.

    Args:
        votes: vote table of K annotators.

    Returns:
        One message, or none.

    >>> votes = VoteTable.from_stack([[1, 1], [1, 0]], missing=[[0, 0], [0, 1]])
    >>> [message.key for message in missing_messages(votes)]
    ['agreement.missing_ratings']
    """
    total = votes.total_weight
    if votes.is_complete or not total > 0:
        return ()
    looked = votes.ratings.yes_sums(votes.weights)
    looked_at_part = looked < total * (1 - _ROUNDING)
    names = [name for name, is_partial in zip(votes.names, looked_at_part) if is_partial]
    is_by_all = votes.n_rated == votes.n_annotators
    is_by_one = votes.n_rated == 1
    message = note(
        "agreement.missing_ratings",
        "Not everybody looked everywhere: {names} did not look at a part of the study area, "
        "which counts neither as yes nor as no. All annotators looked at {all:.1%} of the "
        "study area. A single annotator looked at {single:.1%} of it, where there is no "
        "agreement to count.",
        names=names,
        all=float(votes.weights[is_by_all].sum()) / total,
        single=float(votes.weights[is_by_one].sum()) / total,
    )
    return (message,)


def _where_others_looked(votes: VoteTable, truth: Bools) -> VoteTable:
    """Return the table in which a rating is missing too where nobody else looked.

    Without another annotator, a consensus is only the annotator's own decision.

    Args:
        votes: vote table of K annotators with missing ratings.
        truth: (M,) or (K, M) consensus, which is not changed.
    """
    has_others = votes.n_rated > 1
    if votes.is_rated is None or not truth.size:
        return votes
    return replace(
        votes,
        patterns=votes.patterns & has_others[:, None],
        is_rated=votes.is_rated & has_others[:, None],
    )


def _confusion(votes: VoteTable, truth: Bools) -> _Confusion:
    """Return the confusion weights of all annotators against one consensus.

    Args:
        votes: vote table of K annotators and M patterns.
        truth: (M,) marked patterns of the consensus.
    """
    opposite = votes.inverted()
    positive_weights = np.where(truth, votes.weights, 0.0)
    negative_weights = np.where(~truth, votes.weights, 0.0)
    return _Confusion(
        true_positive=votes.yes_sums(positive_weights),
        false_positive=votes.yes_sums(negative_weights),
        false_negative=opposite.yes_sums(positive_weights),
        true_negative=opposite.yes_sums(negative_weights),
    )


def _own_confusion(votes: VoteTable, truths: Bools) -> _Confusion:
    """Return the confusion weights of each annotator against a consensus of their own.

    Args:
        votes: vote table of K annotators and M patterns.
        truths: (K, M) marked patterns of the consensus for each annotator.
    """
    is_yes = votes.patterns.T  # (K, M)
    is_no = ~is_yes
    if votes.is_rated is not None:
        is_no &= votes.is_rated.T

    def weight_where(condition: Bools) -> Floats:
        """Return the (K,) weight of the patterns in a mask (K, M)."""
        weights = np.where(condition, votes.weights, 0.0)
        return cast("Floats", weights.sum(axis=1))

    return _Confusion(
        true_positive=weight_where(is_yes & truths),
        false_positive=weight_where(is_yes & ~truths),
        false_negative=weight_where(is_no & truths),
        true_negative=weight_where(is_no & ~truths),
    )


#: Columns of the table of annotator pairs.
PAIR_COLUMNS = (
    "first",
    "second",
    "pq",
    "sq",
    "rq",
    "matched",
    "only_first",
    "only_second",
    "splits",
    "merges",
)


@validate_arguments
def annotator_instances(
    layers: Sequence[Any] | Mapping[str, Any],
    area: Any = None,
    *,
    reviewed: Mapping[str, Any] | None = None,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Compare the crowns of every pair of annotators as instances.

    Args:
        layers: crowns of each annotator as for
            :meth:`randcrowns.core.agreement.votes.VoteTable.from_polygons`; each geometry is one
            crown here.
        area: study area, one polygon or several. Crowns are clipped to it, and crowns outside are
            excluded.
        reviewed: polygon that an annotator has reviewed, by name; everywhere by default. A pair is
            compared where both have reviewed, as if it were their study area.
        progress: called with the fraction of the pairs done.

    Returns:
        A row per pair: names ``first`` and ``second``, panoptic, segmentation and recognition
        quality ``pq``, ``sq`` and ``rq``, numbers of crowns ``matched``, ``only_first`` and
        ``only_second``, ``count_splits`` (crowns of the first that contain several crowns of the
        second) and ``count_merges`` (crowns of the second that contain several crowns of the
        first).

    Raises:
        InputError: if geometries are not polygons or coordinate systems differ.

    >>> layers = {"ann": [shapely.box(0, 0, 2, 2)], "ben": [shapely.box(0, 0, 2, 1.5)]}
    >>> annotator_instances(layers)[["pq", "matched"]].to_numpy().tolist()
    [[0.75, 1.0]]
    """
    return crown_instances((layers, area), reviewed=[reviewed or {}], progress=progress)


def crown_instances(
    *images: tuple[Any, Any],
    reviewed: Sequence[Mapping[str, Any]] = (),
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Compare the crowns of every pair of annotators over several images or plots.

    Args:
        images: pairs of the layers of the same annotators and the study area (or None), each as for
            :func:`annotator_instances`. Crowns of different images are never compared.
        reviewed: areas that the annotators have reviewed, for each image; see there.
        progress: called with the fraction of the pairs done.

    Returns:
        Table as of :func:`annotator_instances`.

    Raises:
        InputError: if a reviewed area is of no annotator.

    >>> image = {"ann": [shapely.box(0, 0, 2, 2)], "ben": [shapely.box(0, 0, 2, 1.5)]}
    >>> crown_instances((image, None), (image, None))[["pq", "matched"]].to_numpy().tolist()
    [[0.75, 2.0]]
    """
    # For each annotator, the crowns in each image.
    crowns_by_name: dict[str, list[Crowns]] = {}
    # For each annotator, the reviewed area in each image; None for an image as a whole.
    areas_by_name: dict[str, list[Any]] = {}
    for (layers, area), reviewed_areas in zip(images, reviewed or repeat({})):
        study_area = None
        if area is not None:
            study_polygons, *_ = split_into_polygons(area, "The study area")
            study_area = shapely.union_all(study_polygons)
        named_layers = layers_by_name(layers)
        reviews = ReviewedAreas.from_layers(list(named_layers), reviewed_areas)
        for (name, layer), number in zip(named_layers.items(), reviews.area_of_annotator.tolist()):
            own_area = None if number < 0 else reviews.areas[number]
            crowns = _clip_crowns(_read_crowns(layer, name, study_area), own_area)
            crowns_by_name.setdefault(name, []).append(crowns)
            areas_by_name.setdefault(name, []).append(own_area)

    all_crowns = {name: _join_images(parts) for name, parts in crowns_by_name.items()}

    def crowns_reviewed_by(reviewer: str, name: str) -> Crowns:
        """Return the crowns of an annotator where another one has reviewed."""
        areas = areas_by_name[reviewer]
        if all(area is None for area in areas):
            return all_crowns[name]
        parts = crowns_by_name[name]
        return _join_images([_clip_crowns(part, area) for part, area in zip(parts, areas)])

    def overlap(first: str, second: str) -> OverlapTable:
        """Return the overlap of the crowns of two annotators where both have reviewed."""
        return polygon_overlap(crowns_reviewed_by(second, first), crowns_reviewed_by(first, second))

    return _compare_pairs(list(all_crowns), overlap, progress)


def _join_images(parts: Sequence[Crowns]) -> Crowns:
    """Return the crowns of several images, with the number of the image as the plot."""
    image_numbers = np.array([str(number) for number in range(len(parts))], dtype=object)
    crown_counts = [len(part) for part in parts]
    return Crowns(
        np.concatenate([part.geometry for part in parts]),
        plots=np.repeat(image_numbers, crown_counts),
        name=parts[0].name,
    )


def annotator_pairs(votes: VoteTable, instances: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return a row per pair of annotators: agreement by area and crown by crown.

    Args:
        votes: votes of K annotators.
        instances: table of :func:`annotator_instances` or another of its kind; None without crowns.

    Returns:
        The columns ``first``, ``second``, ``f1``, ``shared``, ``only_first``, ``only_second``
        (areas), and with crowns the further columns of ``instances``, in which the numbers of
        crowns that only one annotator drew are ``crowns_first`` and ``crowns_second``.

    >>> votes = VoteTable.from_stack([[1, 1, 0], [1, 0, 0]], names=("ann", "ben"))
    >>> annotator_pairs(votes)[["first", "second", "only_first"]].to_numpy().tolist()
    [['ann', 'ben', 1.0]]
    """
    # Every pair once: the rows and columns above the diagonal of a (K, K) matrix.
    rows, columns = np.triu_indices(votes.n_annotators, k=1)
    names = np.array(votes.names, dtype=object)
    shared = votes.shared_weights[rows, columns]
    # What an annotator of a pair marked where the other one looked.
    compared = votes.compared_weights
    by_area = pd.DataFrame(
        {
            "first": names[rows],
            "second": names[columns],
            "f1": pairwise_f1(votes)[rows, columns],
            "shared": shared,
            "only_first": compared[rows, columns] - shared,
            "only_second": compared[columns, rows] - shared,
        }
    )
    if instances is None:
        return cast("pd.DataFrame", by_area)
    by_crown = instances.rename(
        columns={"only_first": "crowns_first", "only_second": "crowns_second"}
    )
    new_columns = by_crown.columns.difference(by_area.columns, sort=False)
    return cast("pd.DataFrame", by_area.join(by_crown[new_columns].reset_index(drop=True)))


def pixel_instances(
    *images: VoteTable,
    labels: Sequence[Mapping[str, Ints]] = (),
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Compare the instances of every pair of annotators on pixel grids.

    An instance is a set of marked pixels that are connected side to side, or all marked pixels of
    one number. With missing ratings, a pair is compared where both annotators looked.

    Args:
        images: vote tables of the same annotators, each with a map of rows and columns.
        labels: for each image, the (rows, columns) numbers of the instances of annotators who
            numbered them, by name; 0 for the background. The others' instances are connected.
        progress: called with the fraction of the pairs done.

    Returns:
        Table as of :func:`annotator_instances`.

    >>> votes = VoteTable.from_stack([[[1, 1, 0, 1]], [[1, 1, 0, 0]]], names=("ann", "ben"))
    >>> pixel_instances(votes)[["pq", "matched", "only_first"]].to_numpy().round(3).tolist()
    [[0.667, 1.0, 1.0]]
    """
    # Numbers and ratings at the pixels that any annotator marked, one image after the other.
    labels_by_name: dict[str, list[Ints]] = {name: [] for name in images[0].names}
    looked_by_name: dict[str, list[Bools]] = {name: [] for name in images[0].names}
    for number, votes in enumerate(images):
        is_marked = votes.on_map(votes.n_yes > 0)
        own_labels = labels[number] if labels else {}
        for k, name in enumerate(votes.names):
            has_looked = votes.on_map(votes.ratings.patterns[:, k])
            instances = _number_instances(votes.decision_map(k), own_labels.get(name))
            looked_by_name[name].append(has_looked[is_marked])
            labels_by_name[name].append(instances[is_marked])
    all_labels = {name: _join_labels(parts) for name, parts in labels_by_name.items()}
    all_looked = {name: np.concatenate(parts) for name, parts in looked_by_name.items()}

    def overlap(first: str, second: str) -> OverlapTable:
        """Return the overlap of the instances of two annotators where both looked."""
        have_both_looked = all_looked[first] & all_looked[second]
        first_labels = all_labels[first][have_both_looked]
        second_labels = all_labels[second][have_both_looked]
        return OverlapTable.from_labels(first_labels, second_labels, 0)

    return _compare_pairs(list(all_labels), overlap, progress)


def _join_labels(parts: Sequence[Ints]) -> Ints:
    """Return the numbers of the instances of several images, those of later images higher.

    Args:
        parts: for each image, the (n,) number of the instance of each pixel; 0 for the background.
    """
    joined = []
    highest = 0
    for labels in parts:
        distinct_labels = np.where(labels > 0, labels + highest, 0)
        joined.append(distinct_labels)
        highest = max(highest, int(distinct_labels.max(initial=0)))
    return np.concatenate(joined)


def _number_instances(is_marked: Bools, own_labels: Ints | None) -> Ints:
    """Return the (rows, columns) number of the instance at each pixel; 0 for the background.

    Args:
        is_marked: (rows, columns) pixels that an annotator marked.
        own_labels: (rows, columns) numbers of the annotator; None to number the sets of marked
            pixels that are connected side to side.
    """
    if own_labels is None:
        components, _ = scipy.ndimage.label(is_marked)
    else:
        components = np.where(is_marked, own_labels, 0)
    return cast("Ints", components.astype(np.int64))


def _compare_pairs(
    names: Sequence[str], overlap: Callable[[str, str], OverlapTable], progress: Progress
) -> pd.DataFrame:
    """Return the table of :func:`annotator_instances`.

    Args:
        names: names of the annotators.
        overlap: computes the overlap table of the instances of two annotators.
        progress: called with the fraction of the pairs done.
    """
    rows = []
    pairs = list(combinations(names, 2))
    for (first, second), _ in iterate_with_progress(pairs, progress):
        table = overlap(first, second)
        quality = panoptic_quality(table)
        has_splits = count_splits(table) > 1
        has_merges = count_merges(table) > 1
        rows.append((first, second, *quality, int(has_splits.sum()), int(has_merges.sum())))
    return cast("pd.DataFrame", pd.DataFrame(rows, columns=list(PAIR_COLUMNS)))


def _read_crowns(layer: Any, name: str, area: Any) -> Crowns:
    """Return the valid polygons of a layer that have an area, clipped to the study area."""
    geometries = geometry_array(layer, f"Annotator {name}")
    known_geometries = geometries[~shapely.is_missing(geometries)]
    valid_polygons = repair_outlines(known_geometries)
    return Crowns(_clip_polygons(valid_polygons, area), name=f"Annotator {name}")


def _clip_crowns(crowns: Crowns, area: Any) -> Crowns:
    """Return crowns clipped to an area; None for everywhere."""
    if area is None:
        return crowns
    return Crowns(_clip_polygons(crowns.geometry, area), name=crowns.name)


def _clip_polygons(polygons: Objects, area: Any) -> Objects:
    """Return the parts of polygons in an area, without those that have none."""
    clipped = extract_polygons(clip_geometries(area, polygons))
    parts: Objects = clipped[shapely.area(clipped) > 0]
    return parts
