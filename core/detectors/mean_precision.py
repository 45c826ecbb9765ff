"""P̄: precision averaged over a range of class balances.

Precision depends on how rare the object is. Write pi for the fraction of positives, t for the true
positive rate and f for the false positive rate; precision is then ``pi·t / (pi·t + (1 - pi)·f)``, and P̄ is
its mean over pi from ``low`` to ``high`` (Lampert and Gançarski 2014; Lampert, Stumpf and Gançarski 2016, Eq. 7).
"""

from __future__ import annotations

from numbers import Real
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Floats, float_array
from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared

#: From nine times as many negatives as positives ...
DEFAULT_LOW = 0.1
#: ... to a balanced scene.
DEFAULT_HIGH = 0.5

# 1/3, 1/5, 1/7 ...: atanh(y)/y = 1 + y²·(1/3 + y²/5 + y⁴/7 + ...). Where the series is used y² <= 1/49, and
# what the twelve terms omit is below 1e-21.
_ATANH_TERMS = [1.0 / (2 * k + 3) for k in range(12)]
_SERIES_LIMIT = 0.25


def check_skew_limits(low: float, high: float) -> None:
    """Raise InputError unless the two limits of the fraction of positives are numbers and 0 <= low < high <= 1."""
    if not (isinstance(low, Real) and isinstance(high, Real) and 0.0 <= low < high <= 1.0):
        said = (
            "The skew limits {low} and {high} cannot be used: the fraction of positives must rise from the lower to "
            "the upper limit, both between 0 and 1. Try 0.1 and 0.5."
        )
        raise InputError(said, low=low, high=high)


@as_declared
def skew_limits(fractions: ArrayLike) -> tuple[float, float]:
    """Limits from the ground truths at hand: mean minus and plus one standard deviation of their skew.

    Args:
        fractions: fraction of positives of each ground truth, 0 to 1. NaN and 0 (nothing marked) are excluded.

    Returns:
        (low, high), kept within 0 and 1. The deviation has n - 1 in the denominator.

    Raises:
        InputError: when no ground truth has a positive, or all have the same skew.

    >>> tuple(round(limit, 3) for limit in skew_limits([0.1, 0.2, 0.3]))
    (0.1, 0.3)
    """
    skew = float_array(fractions, "The list of skews").ravel()
    skew = skew[skew > 0]
    if skew.size == 0:
        raise InputError(
            "No ground truth marks anything, so the skew limits cannot be found: type them instead."
        )
    if skew.min() == skew.max():
        raise InputError(
            "The ground truths all mark the same share of the area ({skew:.3g}), so the skew limits cannot be found: "
            "type them instead.",
            skew=skew[0],
        )
    mean, deviation = float(skew.mean()), float(skew.std(ddof=1))
    return max(mean - deviation, 0.0), min(mean + deviation, 1.0)


@as_declared
def p_bar(
    t: ArrayLike, f: ArrayLike, low: float = DEFAULT_LOW, high: float = DEFAULT_HIGH
) -> float | Floats:
    """Mean precision while the fraction of positives runs evenly from ``low`` to ``high``.

    With a = t - f, d = high - low and w(pi) = pi·t + (1 - pi)·f the closed form is
    ``(t/a)·[1 - (f/(a·d))·ln(w(high)/w(low))]``. Where w changes by less than a quarter (t close to f, or the
    limits close to each other) a series in ``x = d·a/w(low)`` takes over, so that nothing cancels. Both agree
    with quadrature to better than 1e-12.

    Args:
        t: true positive rate, 0 to 1; any shape that broadcasts with ``f``.
        f: false positive rate, 0 to 1.
        low, high: limits of the fraction of positives.

    Returns:
        P̄, 0 to 1, a float for two numbers and an array otherwise. 0 where t is 0; 1 where f is 0 and t is
        not; NaN where t or f is NaN or masked.

    Raises:
        InputError: a rate that is no number or outside 0 to 1, shapes that do not broadcast, or limits that cannot
            be used.

    >>> p_bar(1.0, 0.0)
    1.0
    >>> round(p_bar(0.3, 0.3, 0.1, 0.5), 12)
    0.3
    """
    check_skew_limits(low, high)
    true_rate, false_rate = _rates(t, "true"), _rates(f, "false")
    try:
        true_rate, false_rate = np.broadcast_arrays(true_rate, false_rate)
    except ValueError as error:
        said = "The true positive rates have shape {shape}, the false positive rates {other_shape}: give one of each."
        raise InputError(
            said, shape=str(true_rate.shape), other_shape=str(false_rate.shape)
        ) from error
    for rate, name in ((true_rate, "true"), (false_rate, "false")):
        if ((rate < 0) | (rate > 1)).any():
            said = "A {name} positive rate is outside 0 to 1: rates are fractions, not percentages."
            raise InputError(said, name=name)
    result = np.where(true_rate == 0, 0.0, np.where(false_rate == 0, 1.0, np.nan))
    result[np.isnan(true_rate) | np.isnan(false_rate)] = np.nan
    inside = (true_rate > 0) & (false_rate > 0)
    result[inside] = positive_rates_p_bar(true_rate[inside], false_rate[inside], low, high)
    return float(result) if result.ndim == 0 else result


def positive_rates_p_bar(t: Floats, f: Floats, low: float, high: float) -> Floats:
    """:func:`p_bar` of two 1-D arrays of rates that are all above zero, without any check."""
    width = high - low
    weight = low * t + (1.0 - low) * f
    gain = width * (t - f)
    near = np.abs(gain) <= _SERIES_LIMIT * weight
    some_near = near.any()
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = (high * t + (1.0 - high) * f) / weight
        log_ratio = np.log(np.minimum(ratio, np.finfo(float).max, out=ratio), out=ratio)
        result = (log_ratio * low + width) - log_ratio * weight / (t - f)
        result *= t
        result /= gain
    if some_near:
        result[near] = _series(t[near], weight[near], gain[near], low, width)
    return cast("Floats", np.minimum(result, 1.0, out=result))


def _rates(values: ArrayLike, name: str) -> Floats:
    """The rates as floats; NaN where masked."""
    rates = float_array(values, f"The {name} positive rate")
    return (
        np.where(np.ma.getmaskarray(values), np.nan, rates)
        if np.ma.isMaskedArray(values)
        else rates
    )


def _series(t: Floats, weight: Floats, gain: Floats, low: float, width: float) -> Floats:
    """P̄ = (t/w(low))·[low·L + d·M] with L = ln(1 + x)/x and M = (1 - L)/x, for small x = gain/w(low).

    ln(1 + x) = 2·atanh(y) with y = x/(2 + x); both L and M are then free of cancellation at x = 0.
    """
    x = gain / weight
    y = x / (2.0 + x)
    tail = np.polynomial.polynomial.polyval(y * y, _ATANH_TERMS)
    log_over_x = 2.0 * (1.0 + y * y * tail) / (2.0 + x)
    remainder = (1.0 - 2.0 * x * tail / (2.0 + x) ** 2) / (2.0 + x)
    return cast("Floats", (low * log_over_x + width * remainder) * t / weight)
