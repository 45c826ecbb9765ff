"""Bootstrap intervals: units resampled with replacement, percentiles of the statistic (Efron and Tibshirani 1993)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress

#: Share of the resamples inside an interval, unless the user chooses another.
LEVEL = 0.95
#: Resamples behind an interval whose number the user does not choose.
RESAMPLES = 2000

# A hundredth of a second's work, and eight megabytes.
_AT_ONCE = 1 << 20


def check_seed(seed: int) -> None:
    """Refuse what random numbers cannot start from.

    Raises:
        InputError: for a seed that is no whole number of at least 0.
    """
    if not isinstance(seed, (int, np.integer)) or seed < 0:
        raise InputError(f"The seed must be a whole number of at least 0, but it is {seed!r}.")


def resampled_counts(
    kinds: int | Ints, resamples: int, rng: np.random.Generator, at_once: int | None = None
) -> Iterator[Floats]:
    """How often each unit is in a resample, (r, n) for a few resamples at a time.

    Args:
        kinds: number n of units, drawn one by one; or (n,) how many units there are of each kind, drawn together
            (multinomial).
        resamples: number of resamples.
        rng: random numbers; how many resamples come at a time does not change them.
        at_once: most resamples at a time.
    """
    n = kinds if isinstance(kinds, int) else len(kinds)
    at_once = max(1, _AT_ONCE // max(n, 1) if at_once is None else at_once)
    for first in range(0, resamples, at_once):
        some = min(at_once, resamples - first)
        if isinstance(kinds, int):
            unit = rng.integers(n, size=(some, n))
            unit += n * np.arange(some)[:, None]
            times = np.bincount(unit.ravel(), minlength=unit.size).reshape(unit.shape)
        else:
            times = rng.multinomial(kinds.sum(), kinds / kinds.sum(), some)
        yield times.astype(np.float64)


def resampled_sums(
    units: Floats,
    resamples: int,
    rng: np.random.Generator,
    number: Ints | None = None,
    progress: Progress = no_progress,
) -> Floats:
    """(resamples, k) sums over as many units as there are, drawn with replacement.

    Args:
        units: (n, k) what each unit adds to the sums.
        resamples: number of resamples.
        rng: random numbers.
        number: (n,) how many units there are like each; one of each by default.
        progress: receives the fraction done.
    """
    sums = np.empty((resamples, units.shape[1]))
    done = 0
    for times in resampled_counts(len(units) if number is None else number, resamples, rng):
        sums[done : done + len(times)] = times @ units
        done += len(times)
        progress(done / resamples)
    return sums


def percentile_interval(values: Floats, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Ends of the percentile interval, (1 - level) / 2 and (1 + level) / 2, of (resamples, …) statistics.

    Resamples without a value (NaN) are excluded; NaN where none has one.

    >>> low, high = percentile_interval(np.arange(41.0))
    >>> round(float(low), 9), round(float(high), 9)
    (1.0, 39.0)
    """
    ends = np.full((2, *values.shape[1:]), np.nan)
    known = ~np.isnan(values).all(axis=0)
    if known.any():
        ends[:, known] = np.nanquantile(values[:, known], [(1 - level) / 2, (1 + level) / 2], axis=0)
    return ends[0], ends[1]


def mean_interval(values: Floats, seed: int = 0) -> tuple[float, float]:
    """Percentile interval of the mean at :data:`LEVEL`, whatever the order of the values; NaN for fewer than two.

    >>> mean_interval(np.full(5, 0.25))
    (0.25, 0.25)
    """
    if len(values) < 2:
        return np.nan, np.nan
    sums = resampled_sums(np.sort(values)[:, None], RESAMPLES, np.random.default_rng(seed))
    low, high = percentile_interval(sums[:, 0] / len(values))
    return float(low), float(high)
