"""P̄: precision averaged over a range of class balances.

Precision depends on how rare the object is. Write pi for the fraction of positives (the skew), t
for the true positive rate and f for the false positive rate. Precision is then
``pi·t / (pi·t + (1 - pi)·f)``, and P̄ is its mean over pi from ``min_skew`` to ``max_skew``
(Lampert and Gançarski 2014; Lampert, Stumpf and Gançarski 2016, Eq. 7).
"""

from __future__ import annotations

from numbers import Real
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Floats, as_float_array
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note
from randcrowns.core.thresholds import exceeds, falls_below
from randcrowns.core.validation import validate_arguments

#: Default lower limit of the fraction of positives: nine negatives per positive.
DEFAULT_MIN_SKEW = 0.1
#: Default upper limit of the fraction of positives: a balanced scene.
DEFAULT_MAX_SKEW = 0.5

# Coefficients 1/3, 1/5, 1/7, ... of atanh(y)/y = 1 + y²·(1/3 + y²/5 + y⁴/7 + ...). The series is
# used for y² <= 1/49 only, where the terms beyond the twelfth add less than 1e-21.
_ATANH_COEFFICIENTS = [1.0 / (2 * k + 3) for k in range(12)]
# Relative change of w(pi) between the two limits up to which the series replaces the closed form.
_SERIES_LIMIT = 0.25


def check_skew_limits(min_skew: float, max_skew: float) -> None:
    """Raise an error unless the limits of the fraction of positives can be used.

    Args:
        min_skew: lower limit of the fraction of positives.
        max_skew: upper limit of the fraction of positives.

    Raises:
        InputError: if the limits are not numbers with 0 <= min_skew < max_skew <= 1.

    >>> check_skew_limits(0.1, 0.5)
    """
    are_numbers = isinstance(min_skew, Real) and isinstance(max_skew, Real)
    if not are_numbers or not 0.0 <= min_skew < max_skew <= 1.0:
        message = (
            "The skew limits {low} and {high} cannot be used. The fraction of positives must rise "
            "from the lower to the upper limit, both between 0 and 1. Try 0.1 and 0.5."
        )
        raise InputError("skew.invalid_limits", message, low=min_skew, high=max_skew)


def skew_messages(skews: ArrayLike, limits: tuple[float, float]) -> list[Message]:
    """Return a note if ground truths cover shares of the area beyond the skew limits.

    Args:
        skews: fraction of positives of each ground truth, 0 to 1; NaN if it is unknown.
        limits: lower and upper skew limit.

    >>> print(*skew_messages([0.2, 0.3], (0.1, 0.5)))
    <BLANKLINE>
    >>> print(*skew_messages([0.2, 0.9], (0.1, 0.5)))  # doctest: +ELLIPSIS
    The AUCR averages precision over scenes of which crowns cover 10.0 to 50.0 %, but ...
    """
    known = as_float_array(skews, "The list of skews").ravel()
    known = known[~np.isnan(known)]
    low, high = limits
    if not known.size or not (exceeds(known.max(), high) or falls_below(known.min(), low)):
        return []
    return [
        note(
            "ranking.beyond_skew_limits",
            "The AUCR averages precision over scenes of which crowns cover {low:.1f} to {high:.1f} "
            "%, but the ground truths cover {lowest:.1f} to {highest:.1f} %. So it describes other "
            "scenes than these. Choose skew limits that contain them.",
            low=100 * low,
            high=100 * high,
            lowest=100 * float(known.min()),
            highest=100 * float(known.max()),
        )
    ]


@validate_arguments
def estimate_skew_limits(fractions: ArrayLike) -> tuple[float, float]:
    """Return skew limits from ground truths: the mean of their skew ± one standard deviation.

    Args:
        fractions: fraction of positives of each ground truth, 0 to 1, any shape. NaN and 0 (nothing
            marked) are excluded.

    Returns:
        (min_skew, max_skew), clipped to 0 and 1. The standard deviation has n - 1 in the
        denominator.

    Raises:
        InputError: if no ground truth has a positive, or all have the same skew.

    >>> tuple(round(limit, 3) for limit in estimate_skew_limits([0.1, 0.2, 0.3]))
    (0.1, 0.3)
    """
    skew = as_float_array(fractions, "The list of skews").ravel()
    skew = skew[skew > 0]
    if skew.size == 0:
        raise InputError(
            "skew.no_positives",
            "The skew limits cannot be computed because no ground truth marks anything. "
            "Type the limits instead.",
        )
    if skew.min() == skew.max():
        raise InputError(
            "skew.equal_limits",
            "The skew limits cannot be computed because all ground truths mark the same share of "
            "the area ({skew:.3g}). Type the limits instead.",
            skew=skew[0],
        )
    mean = float(skew.mean())
    deviation = float(skew.std(ddof=1))
    return max(mean - deviation, 0.0), min(mean + deviation, 1.0)


@validate_arguments
def p_bar(
    t: ArrayLike,
    f: ArrayLike,
    min_skew: float = DEFAULT_MIN_SKEW,
    max_skew: float = DEFAULT_MAX_SKEW,
) -> float | Floats:
    """Compute P̄, the mean precision over fractions of positives from ``min_skew`` to ``max_skew``.

    With a = t - f, d = max_skew - min_skew and w(pi) = pi·t + (1 - pi)·f the closed form is
    ``(t/a)·[1 - (f/(a·d))·ln(w(max_skew)/w(min_skew))]``. It loses digits by cancellation where w
    changes by less than a quarter (t is close to f, or the limits are close). There a series in
    ``x = d·a/w(min_skew)`` is used instead. Both agree with quadrature to better than 1e-12.

    Args:
        t: true positive rate, 0 to 1; any shape that broadcasts with ``f``.
        f: false positive rate, 0 to 1.
        min_skew: lower limit of the fraction of positives.
        max_skew: upper limit of the fraction of positives.

    Returns:
        P̄, 0 to 1: a float for two numbers, otherwise an array of the broadcast shape. 0 where t is
        0, 1 where f is 0 and t is not, NaN where t or f is NaN or masked.

    Raises:
        InputError: if a rate is not a number or outside 0 to 1, the shapes do not broadcast, or the
            limits cannot be used.

    >>> p_bar(1.0, 0.0)
    1.0
    >>> round(p_bar(0.3, 0.3, 0.1, 0.5), 12)
    0.3
    """
    check_skew_limits(min_skew, max_skew)
    true_rate = _rate_array(t, "true")
    false_rate = _rate_array(f, "false")
    try:
        true_rate, false_rate = np.broadcast_arrays(true_rate, false_rate)
    except ValueError as error:
        message = (
            "The true positive rates have shape {shape}, the false positive rates {other_shape}. "
            "Give one of each."
        )
        raise InputError(
            "ranking.different_rate_shapes",
            message,
            shape=str(true_rate.shape),
            other_shape=str(false_rate.shape),
        ) from error
    _check_rates(true_rate, "true")
    _check_rates(false_rate, "false")

    result = np.full(true_rate.shape, np.nan)
    result[false_rate == 0] = 1.0
    result[true_rate == 0] = 0.0
    result[np.isnan(true_rate) | np.isnan(false_rate)] = np.nan
    are_positive = (true_rate > 0) & (false_rate > 0)
    result[are_positive] = p_bar_of_positive_rates(
        true_rate[are_positive], false_rate[are_positive], min_skew, max_skew
    )
    return float(result) if result.ndim == 0 else result


def _check_rates(rates: Floats, name: str) -> None:
    """Raise an InputError if a rate is below 0 or above 1.

    Args:
        rates: rates, any shape; NaN is allowed.
        name: "true" or "false", for the error.
    """
    if ((rates < 0) | (rates > 1)).any():
        raise InputError(
            "ranking.invalid_rate",
            "A {name} positive rate is outside 0 to 1. Rates are fractions, not percentages.",
            name=name,
        )


def p_bar_of_positive_rates(t: Floats, f: Floats, min_skew: float, max_skew: float) -> Floats:
    """Compute :func:`p_bar` for rates that are all above 0, without any validation.

    Args:
        t: (n,) true positive rates, above 0.
        f: (n,) false positive rates, above 0.
        min_skew: lower limit of the fraction of positives.
        max_skew: upper limit of the fraction of positives.

    Returns:
        (n,) P̄.

    >>> p_bar_of_positive_rates(np.array([0.3]), np.array([0.3]), 0.1, 0.5).round(12).tolist()
    [0.3]
    """
    width = max_skew - min_skew
    w_low = min_skew * t + (1.0 - min_skew) * f
    gain = width * (t - f)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # The arrays are large: intermediate results are written in place.
        ratio = (max_skew * t + (1.0 - max_skew) * f) / w_low
        np.minimum(ratio, np.finfo(float).max, out=ratio)
        log_ratio = np.log(ratio, out=ratio)
        result = (log_ratio * min_skew + width) - log_ratio * w_low / (t - f)
        result *= t
        result /= gain
    needs_series = np.abs(gain) <= _SERIES_LIMIT * w_low
    if needs_series.any():
        result[needs_series] = _series_p_bar(
            t[needs_series], w_low[needs_series], gain[needs_series], min_skew, width
        )
    return cast("Floats", np.minimum(result, 1.0, out=result))


def _rate_array(values: ArrayLike, name: str) -> Floats:
    """Return rates as a float array, NaN where they are masked.

    Args:
        values: rates, any shape.
        name: "true" or "false", for error messages.
    """
    rates = as_float_array(values, f"The {name} positive rate")
    if np.ma.isMaskedArray(values):
        return np.where(np.ma.getmaskarray(values), np.nan, rates)
    return rates


def _series_p_bar(t: Floats, w_low: Floats, gain: Floats, min_skew: float, width: float) -> Floats:
    """Compute P̄ by a series where w(pi) hardly changes between the limits.

    P̄ = (t/w(min_skew))·[min_skew·L + d·M] with L = ln(1 + x)/x, M = (1 - L)/x and
    x = gain/w(min_skew). Since ln(1 + x) = 2·atanh(y) with y = x/(2 + x), both L and M can be
    computed without cancellation, even at x = 0.

    Args:
        t: (n,) true positive rates.
        w_low: (n,) w(min_skew) = min_skew·t + (1 - min_skew)·f.
        gain: (n,) d·(t - f), the change of w from the lower to the upper limit.
        min_skew: lower limit of the fraction of positives.
        width: d, the distance between the limits.

    Returns:
        (n,) P̄.
    """
    x = gain / w_low
    y = x / (2.0 + x)
    tail = np.polynomial.polynomial.polyval(y * y, _ATANH_COEFFICIENTS)
    log_over_x = 2.0 * (1.0 + y * y * tail) / (2.0 + x)
    remainder = (1.0 - 2.0 * x * tail / (2.0 + x) ** 2) / (2.0 + x)
    return cast("Floats", (min_skew * log_over_x + width * remainder) * t / w_low)
