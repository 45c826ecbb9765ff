"""Array type aliases, validation of arrays, distinct values, and formatted numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from randcrowns.core.errors import InputError
from randcrowns.core.messages import TranslatableText

#: float64, or the float32 of a point cloud's coordinates.
Floats = NDArray[np.floating[Any]]
#: int64. Packed votes, labels and images have the integer type that their docstrings name.
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
#: shapely polygons or None; or names.
Objects = NDArray[np.object_]
#: Array of any dtype.
Array = NDArray[Any]

#: First version of pandas that reads numbers exactly by default, and warns of the option for it.
_EXACT_BY_DEFAULT = (3, 1)
#: Options of ``pandas.read_csv`` with which each number is the nearest float to its text.
EXACT_NUMBERS: dict[str, Any] = (
    {}
    if tuple(int(part) for part in pd.__version__.split(".")[:2]) >= _EXACT_BY_DEFAULT
    else {"float_precision": "round_trip"}
)
#: Significant digits that a number written with decimals keeps at least.
_SIGNIFICANT_DIGITS = 2
#: Number from which a :class:`VisibleNumber` is shown; that of :mod:`randcrowns.core.thresholds`.
_SHOWN_PRECISION = 1e-8


def number_text(value: float, digits: int = 2, form: str = "") -> TranslatableText:
    """Return a number as translatable text; ``n/a`` for NaN.

    Args:
        value: the number.
        digits: number of decimal places; if negative, number of significant digits.
        form: format flags: ``,`` groups thousands, ``+`` writes the sign of positive numbers.

    >>> number_text(0.125), number_text(0.0312, -1), number_text(float("nan"))
    ('0.12', '0.03', 'n/a')
    """
    if math.isnan(value):
        return TranslatableText("n/a")
    number_type = "f" if digits >= 0 else "g"
    format_spec = f"{form}.{abs(digits)}{number_type}"
    return TranslatableText("{value:" + format_spec + "}", value=value)


def number_with_interval_text(
    value: float, low: float, high: float, digits: int = 2
) -> TranslatableText:
    """Return a number with its interval as translatable text; without it if an end is NaN.

    Args:
        value: the number.
        low: lower end of the interval.
        high: upper end of the interval.
        digits: number of decimal places.

    >>> text = number_with_interval_text
    >>> text(0.5, 0.25, 0.75), text(0.5, math.nan, math.nan)
    ('0.50 (0.25–0.75)', '0.50')
    """
    number = number_text(value, digits)
    # The sum is NaN if an end is.
    if math.isnan(low + high):
        return number
    interval = interval_text(low, high, digits)
    return TranslatableText("{value} ({between})", value=number, between=interval)


def interval_text(low: float, high: float, digits: int = 2) -> TranslatableText:
    """Return an interval as translatable text; ``n/a`` if an end is NaN.

    Args:
        low: lower end.
        high: upper end.
        digits: as in :func:`number_text`.

    >>> interval_text(0.25, 0.75)
    '0.25–0.75'
    """
    if math.isnan(low + high):
        return TranslatableText("n/a")
    return TranslatableText(
        "{low}–{high}", low=number_text(low, digits), high=number_text(high, digits)
    )


def decimal_text(value: float, sign: str = "") -> TranslatableText:
    """Return a finite number with three decimals, or more to keep two significant digits.

    Args:
        value: the number; 0 is written without a sign.
        sign: ``+`` writes the sign of positive numbers.

    >>> decimal_text(0.036), decimal_text(0.0012), decimal_text(0.5, sign="+")
    ('0.036', '0.0012', '+0.500')
    """
    if value == 0:
        return number_text(0.0, 3)
    # 0.00999 is rounded to 0.010, which has two significant digits in three decimals.
    magnitude = math.floor(math.log10(abs(value)))
    rounded = round(value, _SIGNIFICANT_DIGITS - 1 - magnitude)
    magnitude = math.floor(math.log10(abs(rounded)))
    decimals = max(3, _SIGNIFICANT_DIGITS - 1 - magnitude)
    return number_text(value, decimals, f"{sign},")


class VisibleNumber(float):
    """Ratio or length that a template does not show as 0 unless it is 0.

    A number that the decimals of a template would show as 0 has one significant digit instead.
    Numbers below 1e-8, the precision of measures in a plot far from the origin, stay 0.

    >>> "{:.1f} {:.1f} {:.0%}".format(*map(VisibleNumber, (0.34, 0.004, 0.0031)))
    '0.3 0.004 0.3%'
    """

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        text = super().__format__(spec)
        is_positive = _SHOWN_PRECISION <= abs(self) < math.inf
        if not is_positive or any(digit in text for digit in "123456789"):
            return text
        number = abs(self) * 100 if spec.endswith("%") else abs(self)
        decimals = -int(f"{number:.0e}".partition("e")[2])
        return super().__format__(re.sub(r"\.\d+", f".{decimals}", spec))


def to_numbers(values: Any) -> Floats:
    """Return values converted to float64, (n,); NaN for values that are no numbers.

    Text is converted by Python, because pandas crashes on text with an exponent of 2^31.

    >>> to_numbers(["0.5", "1e2147483648", "five", None, 2]).tolist()
    [0.5, inf, nan, nan, 2.0]
    """
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        return values.astype(np.float64)
    series = pd.Series(values)
    if series.dtype.kind in "iuf":
        return np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan))
    return np.array([_number(value) for value in series], dtype=np.float64)


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def as_array(values: ArrayLike, name: str) -> Array:
    """Return values as an array of any shape and dtype; masks of masked arrays are dropped.

    Args:
        values: the values.
        name: what the values are called in errors.

    Raises:
        InputError: if rows differ in length.

    >>> as_array([1, 2], "ids")
    array([1, 2])
    """
    try:
        return np.asarray(values)
    except ValueError as error:
        raise InputError(
            "array.ragged",
            "{name} has rows of different length: give one number per unit.",
            name=name,
        ) from error


def as_numeric_array(values: ArrayLike, name: str) -> Array:
    """Return values as an array of booleans, integers or floats, of any shape.

    Masks of masked arrays are dropped.

    Args:
        values: the values.
        name: what the values are called in errors.

    Raises:
        InputError: if the values are text, None or complex numbers, or rows differ in length.

    >>> as_numeric_array([[1, 2], [3, 4]], "scores").shape
    (2, 2)
    """
    array = as_array(values, name)
    if array.dtype.kind not in "buif":
        raise InputError(
            "array.not_numeric",
            "{name} contains values of type {dtype}, but numbers are required. Select a numeric "
            "field.",
            name=name,
            dtype=array.dtype,
        )
    return array


def as_float_array(values: ArrayLike, name: str) -> NDArray[np.float64]:
    """Return values as an array of float64 of any shape.

    Args:
        values: numbers, as an array or nested sequences.
        name: name of the values in messages.

    Raises:
        InputError: see :func:`as_numeric_array`.

    >>> as_float_array([1, 2], "scores")
    array([1., 2.])
    """
    return as_numeric_array(values, name).astype(np.float64, copy=False)


def random_generator(seed: int) -> np.random.Generator:
    """Return a random number generator.

    Raises:
        InputError: if the seed is negative.

    >>> int(random_generator(1).integers(10)) == int(random_generator(1).integers(10))
    True
    """
    if seed < 0:
        raise InputError(
            "seed.negative", "The seed of random numbers must be 0 or more, not {seed}.", seed=seed
        )
    return np.random.default_rng(seed)


def split_range(n: int, max_rows: int) -> Iterator[slice]:
    """Yield consecutive slices that cover ``range(n)``, each of at most ``max_rows`` rows.

    Args:
        n: number of rows.
        max_rows: maximum number of rows of a slice.

    >>> list(split_range(5, 3))
    [slice(0, 3, None), slice(3, 5, None)]
    """
    return (slice(start, min(start + max_rows, n)) for start in range(0, n, max_rows))


def split_array(rows: Array, max_rows: int) -> list[Array]:
    """Split an array into consecutive parts of at most ``max_rows`` rows.

    Args:
        rows: array to split along its first axis.
        max_rows: maximum number of rows of a part.

    >>> [part.tolist() for part in split_array(np.arange(5), 2)]
    [[0, 1], [2, 3], [4]]
    """
    return [rows[part] for part in split_range(len(rows), max_rows)]


def free_objects(*arrays: Objects) -> None:
    """Set all items of object arrays to None, in small parts.

    Freeing a million objects at once would hold the interpreter lock (GIL) for seconds.

    >>> values = np.array(["a", "b"], dtype=object)
    >>> free_objects(values)
    >>> values.tolist()
    [None, None]
    """
    for array in arrays:
        for part in split_range(len(array), _FREED_AT_ONCE):
            array[part] = None


def first_rows(*keys: Array) -> Ints:
    """Return, for each value of the last key, the row that comes first in the order of the keys.

    Args:
        keys: arrays (n,); the last is the primary key, as in :func:`numpy.lexsort`.

    Returns:
        (d,) row indices, one per distinct value of the last key, in rising order of that value.

    >>> first_rows(np.array([0.4, 0.1, 0.3]), np.array([7, 7, 9])).tolist()
    [1, 2]
    """
    order = np.lexsort(keys)
    sorted_values = keys[-1][order]
    is_first = np.diff(sorted_values, prepend=-1) != 0
    return cast("Ints", order[is_first])


def distinct_objects(values: Objects) -> tuple[Objects, Ints]:
    """Return the distinct objects by identity, and the index of each row's object among them.

    Args:
        values: (n,) objects.

    Returns:
        (d,) distinct objects and (n,) indices into them.

    >>> oak, ash = "oak", "ash"
    >>> objects, row = distinct_objects(np.array([oak, ash, oak], dtype=object))
    >>> objects[row].tolist()
    ['oak', 'ash', 'oak']
    """
    n_values = len(values)
    identities = np.fromiter((id(value) for value in values), dtype=np.int64, count=n_values)
    _, first_rows_of_objects, object_of_row = np.unique(
        identities, return_index=True, return_inverse=True
    )
    return values[first_rows_of_objects], object_of_row


#: Smallest array that is sorted by keys: two passes over fewer values do not pay off.
_MIN_KEYED_SIZE = 4096
#: Largest share of values with equal keys; above it numpy's own sort is used.
_MAX_TIED_SHARE = 0.25
#: Smallest range of values that can be scaled to 32-bit keys without overflow.
_MIN_RANGE = 1e-290


def sort_order(values: Floats) -> Ints:
    """Return the indices (n,) that sort values; equal values are in no particular order.

    Large arrays are sorted in half the time of :func:`numpy.argsort`: two passes sort by a 32-bit
    integer key that rises with the value, and only values with equal keys are compared.

    Args:
        values: (n,) numbers without NaN.

    >>> sort_order(np.array([0.4, 0.1, np.inf, 0.3])).tolist()
    [1, 3, 0, 2]
    """
    if values.size < _MIN_KEYED_SIZE:
        return np.argsort(values)
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return np.argsort(values)
    low = float(finite.min())
    high = float(finite.max())
    if not _MIN_RANGE < high - low < np.inf:
        return np.argsort(values)

    key = _integer_keys(values, low, high)
    # Radix sort: by the lower 16 bits, then stably by the upper 16 bits.
    lower_half = key.astype(np.uint16)
    upper_half = (key >> np.uint32(16)).astype(np.uint16)
    by_lower_half = np.argsort(lower_half, kind="stable")
    order = by_lower_half[np.argsort(upper_half[by_lower_half], kind="stable")]

    sorted_values = values[order]
    if (sorted_values[1:] < sorted_values[:-1]).any():
        # Values with equal keys are still out of order: sort them by key and value.
        sorted_key = key[order]
        is_tied = np.zeros(values.size, dtype=bool)
        is_tied[1:] = sorted_key[1:] == sorted_key[:-1]
        is_tied[:-1] |= is_tied[1:]
        tied = np.flatnonzero(is_tied)
        if tied.size > _MAX_TIED_SHARE * values.size:
            return np.argsort(values)
        order_of_tied = np.lexsort((sorted_values[tied], sorted_key[tied]))
        order[tied] = order[tied[order_of_tied]]
    return order


def _integer_keys(values: Floats, low: float, high: float) -> Ints:
    """Return 32-bit integers (n,) that rise with the values.

    Args:
        values: (n,) numbers without NaN.
        low: lowest finite value, whose key is 0.
        high: highest finite value, whose key is the largest integer.
    """
    # In place, because the arrays are large.
    scaled = values.astype(np.float64)
    np.clip(scaled, low, high, out=scaled)
    scaled -= low
    scaled *= np.iinfo(np.uint32).max / (high - low)
    return scaled.astype(np.uint32)


#: Values that are processed without releasing the interpreter lock.
_AT_ONCE = 1 << 20
#: Objects that are freed without releasing the interpreter lock.
_FREED_AT_ONCE = 1 << 10


class Distinct(NamedTuple):
    """Distinct values of an array, with the indices that relate them to it."""

    values: Array  #: (d,) distinct values in rising order.
    inverse: Ints  #: (n,) index of each input value among the distinct values.
    order: Ints  #: (n,) indices that sort the input.
    first: Ints  #: (d,) index in ``order`` at which each distinct value begins.


def distinct_values(values: Array) -> Distinct:
    """Return the distinct values of an array.

    Args:
        values: (n,) values without NaN.

    >>> distinct_values(np.array([7, 5, 7])).inverse.tolist()
    [1, 0, 1]
    """
    order = np.argsort(values)
    sorted_values = values[order]
    # True where a sorted value differs from the one before it.
    is_first = np.ones(values.size, dtype=bool)
    is_first[1:] = sorted_values[1:] != sorted_values[:-1]
    inverse = np.empty(values.size, dtype=np.int64)
    last_index = -1
    for part in split_range(values.size, _AT_ONCE):
        index = last_index + np.cumsum(is_first[part])
        inverse[order[part]] = index
        last_index = index[-1]
    return Distinct(
        values=sorted_values[is_first],
        inverse=inverse,
        order=order,
        first=np.flatnonzero(is_first),
    )
