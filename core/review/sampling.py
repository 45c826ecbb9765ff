"""Random samples of crowns to review, and the share of accepted crowns that follows from them."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Floats, Ints, as_array, random_generator
from randcrowns.core.errors import InputError
from randcrowns.core.statistics import CONFIDENCE_LEVEL
from randcrowns.core.thresholds import SCORE_TOLERANCE

#: Limits between the score classes by which samples are stratified, as in the map styles.
SCORE_CLASSES = (0.25, 0.5, 0.75, 0.9)
#: Quantile of the standard normal distribution for intervals with the confidence level LEVEL.
_Z = float(scipy.special.ndtri((1 + CONFIDENCE_LEVEL) / 2))
# Part of a crown by which a count may exceed a whole number, so that rounding errors add no crown.
_ROUNDING = 1e-9


def score_classes(scores: ArrayLike) -> Ints:
    """Return the class of each score by the limits of :data:`SCORE_CLASSES`.

    Args:
        scores: (n,) scores from 0 to 1, or NaN.

    Returns:
        (n,) classes from 0 to 4; -1 for NaN.

    >>> score_classes([0.1, 0.25, 0.95, np.nan]).tolist()
    [0, 1, 4, -1]
    """
    values = np.asarray(scores, dtype=float)
    lowest_limits = np.array(SCORE_CLASSES) - SCORE_TOLERANCE
    return np.where(np.isnan(values), -1, np.searchsorted(lowest_limits, values, side="right"))


def random_sample(strata: ArrayLike, size: int, seed: int = 0) -> Ints:
    """Draw a stratified random sample of crowns without replacement.

    The sample is divided in proportion to the sizes of the strata; each stratum has at least one
    crown in it.

    Args:
        strata: (n,) stratum of each crown, of any type; equal values for a simple sample.
        size: number of crowns; all crowns are returned if there are fewer.
        seed: seed of the random numbers, 0 or more.

    Returns:
        Rows of the sample, ascending.

    Raises:
        InputError: if the size is below 1, or below the number of strata.

    >>> random_sample(["a"] * 8 + ["b"] * 2, 5).shape
    (5,)
    """
    stratum, names = pd.factorize(as_array(strata, "strata"), use_na_sentinel=False)
    if size < max(1, len(names)):
        raise InputError(
            "review.sample_too_small",
            "A sample of {size} crowns is too small: it needs at least one crown of each of "
            "{parts} score classes or plots.",
            size=size,
            parts=len(names),
        )
    n_crowns = len(stratum)
    stratum_sizes = np.bincount(stratum, minlength=len(names))
    sample_sizes = _allocate(stratum_sizes, min(size, n_crowns))
    # Crowns by stratum, and at random within each stratum, because the sort is stable.
    shuffled = random_generator(seed).permutation(n_crowns)
    order = shuffled[np.argsort(stratum[shuffled], kind="stable")]
    # The first crowns of each stratum are drawn.
    first_positions = np.cumsum(stratum_sizes) - stratum_sizes
    rank_in_stratum = np.arange(n_crowns) - np.repeat(first_positions, stratum_sizes)
    is_drawn = rank_in_stratum < np.repeat(sample_sizes, stratum_sizes)
    return np.sort(order[is_drawn])


class AcceptedShare(NamedTuple):
    """Share of the crowns of a whole layer that would be accepted, estimated from a sample."""

    share: float  #: estimate from 0 to 1; NaN if a stratum has no verdict.
    low: float  #: lower end of the 95 % interval; NaN likewise.
    high: float  #: upper end of the 95 % interval; NaN likewise.
    reviewed: int  #: number of crowns with a verdict.


def estimate_accepted_share(
    strata: ArrayLike, reviewed: ArrayLike, accepted: ArrayLike
) -> AcceptedShare:
    """Estimate the share of accepted crowns in a layer from the verdicts on a sample.

    The shares of the strata are weighted by their numbers of crowns. The interval is that of Wilson
    (1927) for one stratum, and its stratified form for several (Yan and Su 2010, Stat. Biopharm.
    Res. 2(3)). The variances of the shares are those of Agresti and Coull (1998), which are above 0
    even if all or no crowns are accepted.

    The sample is drawn without replacement, so all variances have the finite population correction
    (N - n)/(N - 1) for n of N crowns (Cochran 1977, ch. 2; O'Neill 2021 for Wilson's interval). The
    ends are rounded outwards to whole crowns, within what the verdicts leave possible.

    Args:
        strata: (n,) stratum of each crown of the layer, of any type.
        reviewed: (n,) True for crowns with a verdict.
        accepted: (n,) True for crowns that are accepted; ignored for crowns without a verdict.

    Returns:
        The share with its interval; NaN if a stratum has no verdict.

    Raises:
        InputError: if the lengths differ.

    >>> reviewed, accepted = [True] * 20 + [False] * 30, [True] * 18 + [False] * 32
    >>> [round(float(value), 3) for value in estimate_accepted_share([0] * 50, reviewed, accepted)]
    [0.9, 0.74, 0.96, 20.0]
    """
    stratum, names = pd.factorize(as_array(strata, "strata"), use_na_sentinel=False)
    is_reviewed: Bools = np.asarray(reviewed, dtype=bool)
    is_accepted: Bools = np.asarray(accepted, dtype=bool) & is_reviewed
    if not len(stratum) == len(is_reviewed) == len(is_accepted):
        raise InputError(
            "review.wrong_count", "Strata, reviewed and accepted need one value per crown."
        )
    n_reviewed = np.bincount(stratum[is_reviewed], minlength=len(names)).astype(float)
    n_accepted = np.bincount(stratum[is_accepted], minlength=len(names)).astype(float)
    if len(names) == 0 or (n_reviewed == 0).any():
        return AcceptedShare(share=np.nan, low=np.nan, high=np.nan, reviewed=int(n_reviewed.sum()))

    # From here on an array has a value per stratum.
    n_crowns = np.bincount(stratum).astype(float)
    n_total = len(stratum)
    weights = n_crowns / n_total
    shares = n_accepted / n_reviewed
    # 1/n with the finite population correction; 0 if all crowns of a stratum are reviewed.
    inverse_sizes = (n_crowns - n_reviewed) / (n_reviewed * np.maximum(n_crowns - 1, 1))
    z = _stratified_quantile(weights, shares, inverse_sizes)
    low_shares, high_shares = _wilson_interval(shares, inverse_sizes, z)
    # Numbers of crowns at the ends of the interval, rounded outwards.
    min_accepted = np.floor(n_total * (weights @ low_shares) + _ROUNDING)
    max_accepted = np.ceil(n_total * (weights @ high_shares) - _ROUNDING)
    # What the verdicts leave possible.
    n_known_accepted = n_accepted.sum()
    n_known_rejected = n_reviewed.sum() - n_known_accepted
    min_accepted = max(min_accepted, n_known_accepted)
    max_accepted = min(max_accepted, n_total - n_known_rejected)
    return AcceptedShare(
        share=float(weights @ shares),
        low=float(min_accepted / n_total),
        high=float(max_accepted / n_total),
        reviewed=int(n_reviewed.sum()),
    )


def _stratified_quantile(weights: Floats, shares: Floats, inverse_sizes: Floats) -> float:
    """Return the quantile with which the intervals of the strata add up to one of their mean.

    The errors of the strata are independent, so that the error of the mean is smaller than the sum
    of their errors (Yan and Su 2010).

    Args:
        weights: (s,) shares of the strata in the layer.
        shares: (s,) shares of accepted crowns in the samples.
        inverse_sizes: (s,) 1/n of each sample, with the finite population correction.
    """
    shrunk_shares = _shrink_share(shares, inverse_sizes, _Z)
    variances = shrunk_shares * (1 - shrunk_shares) * inverse_sizes / (1 + _Z**2 * inverse_sizes)
    weighted_errors = weights * np.sqrt(variances)
    if not weighted_errors.any():
        return _Z
    error_of_mean = np.sqrt(np.square(weighted_errors).sum())
    return _Z * float(error_of_mean / weighted_errors.sum())


def _shrink_share(share: Floats, inverse_size: Floats, z: float) -> Floats:
    """Return the middle of Wilson's interval, which lies nearer to 1/2 than the share.

    Args:
        share: (s,) shares of accepted crowns in the samples.
        inverse_size: (s,) 1/n of each sample, with the finite population correction.
        z: quantile of the standard normal distribution.
    """
    return cast("Floats", (share + z**2 * inverse_size / 2) / (1 + z**2 * inverse_size))


def _wilson_interval(share: Floats, inverse_size: Floats, z: float) -> tuple[Floats, Floats]:
    """Return the lower and upper ends of Wilson's interval of shares (1927).

    Args:
        share: (s,) shares of accepted crowns in the samples.
        inverse_size: (s,) 1/n of each sample, with the finite population correction.
        z: quantile of the standard normal distribution.
    """
    middle = _shrink_share(share, inverse_size, z)
    variance = share * (1 - share) * inverse_size + (z * inverse_size) ** 2 / 4
    half_width = z / (1 + z**2 * inverse_size) * np.sqrt(variance)
    return np.maximum(middle - half_width, 0.0), np.minimum(middle + half_width, 1.0)


def _allocate(counts: Ints, size: int) -> Ints:
    """Divide a sample among strata in proportion to their (s,) counts.

    Each stratum gets at least one crown and at most all of its crowns. The shares are rounded down;
    the rest goes to the strata that lost most by the rounding.

    Args:
        counts: (s,) number of crowns of each stratum.
        size: number of crowns of the sample, at least s and at most all.

    Returns:
        (s,) number of crowns of the sample in each stratum.
    """
    exact = counts * size / counts.sum()
    allocated = np.clip(np.floor(exact), 1, counts).astype(np.int64)
    # Strata that are too small, or that got a crown in spite of a share below 1, change the sum.
    while allocated.sum() < size:
        missing = np.where(allocated < counts, exact - allocated, -np.inf)
        allocated[np.argmax(missing)] += 1
    while allocated.sum() > size:
        excess = np.where(allocated > 1, allocated - exact, -np.inf)
        allocated[np.argmax(excess)] -= 1
    return cast("Ints", allocated)
