"""Sums over units drawn with replacement, for bootstrap intervals of many units (Efron and Tibshirani 1993, ch. 6)."""

from __future__ import annotations

import numpy as np

from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress

__all__ = ["check_seed", "drawn_sums"]


#: A hundredth of a second's work, and eight megabytes.
_DRAWN_AT_ONCE = 1 << 20


def check_seed(seed: int) -> None:
    """Refuse what random numbers cannot start from.

    Raises:
        InputError: for a seed that is no whole number of at least 0.
    """
    if not isinstance(seed, (int, np.integer)) or seed < 0:
        raise InputError(f"The seed must be a whole number of at least 0, but it is {seed!r}.")


def drawn_sums(
    units: Floats,
    resamples: int,
    rng: np.random.Generator,
    number: Ints | None = None,
    progress: Progress = no_progress,
) -> Floats:
    """(resamples, k) sums over as many units as there are, drawn with replacement.

    Args:
        units: (n, k) what each unit adds to the sums.
        resamples: how often as many units as there are get drawn.
        rng: what draws them.
        number: (n,) how many units there are like each; one of each where not given.
        progress: told the fraction done.
    """
    n = len(units)
    at_once = max(1, _DRAWN_AT_ONCE // max(n, 1))
    sums = np.empty((resamples, units.shape[1]))
    for first in range(0, resamples, at_once):
        last = min(first + at_once, resamples)
        times = _times_drawn(n, last - first, rng) if number is None else _kinds_drawn(number, last - first, rng)
        sums[first:last] = times.astype(np.float64) @ units
        progress(last / resamples)
    return sums


def _times_drawn(n: int, draws: int, rng: np.random.Generator) -> Ints:
    """(draws, n) how often each of n units is drawn in n times."""
    drawn = rng.integers(n, size=(draws, n))
    drawn += n * np.arange(draws)[:, None]
    return np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)


def _kinds_drawn(number: Ints, draws: int, rng: np.random.Generator) -> Ints:
    """(draws, k) how often each kind of unit is drawn in as many times as there are units."""
    total = number.sum()
    return rng.multinomial(total, number / total, draws)
