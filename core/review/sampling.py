"""A random sample of crowns to review, and what its verdicts say of the whole layer."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import ndtri

from randcrowns.core.arrays import Bools, Floats, Ints, generator, plain_array
from randcrowns.core.errors import InputError
from randcrowns.core.statistics import LEVEL

#: Ends of the classes of a score that a sample is stratified by; the styles of the map have the same.
SCORE_CLASSES = (0.25, 0.5, 0.75, 0.9)
#: Point of the normal distribution for intervals at LEVEL.
_POINT = float(ndtri((1 + LEVEL) / 2))


def score_classes(scores: ArrayLike) -> Ints:
    """(n,) class of each score, 0 to 4, by :data:`SCORE_CLASSES`; -1 for NaN.

    >>> score_classes([0.1, 0.25, 0.95, np.nan]).tolist()
    [0, 1, 4, -1]
    """
    values = np.asarray(scores, dtype=float)
    return np.where(np.isnan(values), -1, np.searchsorted(SCORE_CLASSES, values, side="right"))


def random_sample(strata: ArrayLike, size: int, seed: int = 0) -> Ints:
    """Rows of a sample without replacement, rising; every stratum has its share of it, and one crown at least.

    Args:
        strata: (n,) stratum of each crown, of any kind; equal values for a simple sample.
        size: how many crowns; all where there are fewer.
        seed: the same seed gives the same sample.

    Raises:
        InputError: for a size below 1, or below the number of strata.

    >>> random_sample(["a"] * 8 + ["b"] * 2, 5).shape
    (5,)
    """
    code, names = pd.factorize(plain_array(strata, "strata"), use_na_sentinel=False)
    if size < max(1, len(names)):
        said = "A sample of {size} crowns is too small: it needs one of each of {parts} score classes or plots."
        raise InputError(said, size=size, parts=len(names))
    counts = np.bincount(code, minlength=len(names))
    number = _shares(counts, min(size, len(code)))
    order = generator(seed).permutation(len(code))
    order = order[np.argsort(code[order], kind="stable")]
    place = np.arange(len(code)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.sort(order[place < np.repeat(number, counts)])


class AcceptedShare(NamedTuple):
    """The share of the whole layer that would be accepted, with its 95 % interval; NaN without any verdict."""

    share: float
    low: float
    high: float
    reviewed: int


def accepted_share(strata: ArrayLike, reviewed: ArrayLike, accepted: ArrayLike) -> AcceptedShare:
    """What the verdicts on a sample say of the layer it was drawn from.

    Shares of the strata are weighted by how many crowns each has. The interval is Wilson's (1927) for one stratum, and
    its stratified form for several (Yan and Su 2010, Stat. Biopharm. Res. 2(3)), with the variances of shares that are
    kept off 0 and 1 as in Agresti and Coull (1998). Strata without a verdict are unknown, and leave the result NaN.

    Args:
        strata: (n,) stratum of each crown of the layer.
        reviewed: (n,) whether it has a verdict.
        accepted: (n,) whether that is to accept it.

    >>> judged, accepted = [True] * 20 + [False] * 30, [True] * 18 + [False] * 32
    >>> [round(float(value), 3) for value in accepted_share([0] * 50, judged, accepted)]
    [0.9, 0.699, 0.972, 20.0]
    """
    code, names = pd.factorize(plain_array(strata, "strata"), use_na_sentinel=False)
    judged: Bools = np.asarray(reviewed, dtype=bool)
    good: Bools = np.asarray(accepted, dtype=bool) & judged
    if not len(code) == len(judged) == len(good):
        raise InputError("Strata, reviewed and accepted need one value per crown.")
    number, right = (
        np.bincount(code[some], minlength=len(names)).astype(float) for some in (judged, good)
    )
    if len(names) == 0 or (number == 0).any():
        return AcceptedShare(np.nan, np.nan, np.nan, int(number.sum()))
    weight = np.bincount(code) / len(code)
    near = (right + _POINT**2 / 2) / (number + _POINT**2)
    spread = np.sqrt(near * (1 - near) / (number + _POINT**2))
    point = _POINT * np.sqrt(np.sum((weight * spread) ** 2)) / np.sum(weight * spread)
    low, high = (float(weight @ end) for end in _wilson(right, number, point))
    return AcceptedShare(float(weight @ (right / number)), low, high, int(number.sum()))


def _wilson(right: Floats, number: Floats, point: float) -> tuple[Floats, Floats]:
    """Ends of Wilson's interval of right/number."""
    middle = (right + point**2 / 2) / (number + point**2)
    share = right / number
    half = point / (number + point**2) * np.sqrt(number * share * (1 - share) + point**2 / 4)
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)


def _shares(counts: Ints, size: int) -> Ints:
    """How many of each stratum: in proportion, at least one, at most all; those cut most get what is left."""
    exact = counts * size / counts.sum()
    number = np.clip(np.floor(exact), 1, counts).astype(np.int64)
    while number.sum() != size:
        step = 1 if number.sum() < size else -1
        may = number < counts if step > 0 else number > 1
        lack = np.where(may, step * (exact - number), -np.inf)
        number[np.argmax(lack)] += step
    return cast("Ints", number)
