"""The array aliases of the product, checked plain arrays, distinct values, and numbers as text."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from randcrowns.core.errors import InputError
from randcrowns.core.remarks import Said

#: float64, or the float32 of a point cloud's coordinates.
Floats = NDArray[np.floating[Any]]
#: int64; packed votes, labels and images have the integer type their docstrings name.
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
#: Polygons (shapely, or None), or names.
Objects = NDArray[np.object_]
#: Of any type.
Array = NDArray[Any]

_FIGURES = 2


def as_words(value: float, digits: int = 2, form: str = "") -> Said:
    """The number with so many decimals, or significant digits where negative; ``n/a`` for NaN.

    ``form`` is ``,`` to group thousands, ``+`` to write the sign of a number above 0, too.

    >>> as_words(0.125), as_words(0.0312, -1), as_words(float("nan"))
    ('0.12', '0.03', 'n/a')
    """
    if math.isnan(value):
        return Said("n/a")
    return Said(f"{{value:{form}.{abs(digits)}{'f' if digits >= 0 else 'g'}}}", value=value)


def with_interval(value: float, low: float, high: float, digits: int = 2) -> Said:
    """The number with so many decimals and, where it has one, its interval.

    >>> with_interval(0.5, 0.25, 0.75), with_interval(0.5, math.nan, math.nan)
    ('0.50 (0.25–0.75)', '0.50')
    """
    number, ends = as_words(value, digits), between(low, high, digits)
    return (
        number
        if math.isnan(low + high)
        else Said("{value} ({between})", value=number, between=ends)
    )


def between(low: float, high: float, digits: int = 2) -> Said:
    """An interval, ``0.25–0.75``; ``n/a`` where an end is NaN."""
    if math.isnan(low + high):
        return Said("n/a")
    return Said("{low}–{high}", low=as_words(low, digits), high=as_words(high, digits))


def in_decimals(value: float, sign: str = "") -> Said:
    """The finite number with three decimals, and more where two significant digits need them: 0.036, 0.0012, 0.00047.

    ``sign`` is ``+`` to write that of a number above 0, too; 0 has none.
    """
    if value == 0:
        return as_words(0.0, 3)
    return as_words(value, max(3, _FIGURES - 1 - math.floor(math.log10(abs(value)))), f"{sign},")


def numbers_in(values: Any) -> Floats:
    """(n,) the values as numbers, text as Python reads it; NaN for anything else.

    pandas' own conversion of text brings the process down at an exponent of 2^31.

    >>> numbers_in(["0.5", "1e2147483648", "five", None, 2]).tolist()
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


def plain_array(values: ArrayLike, name: str) -> Array:
    """The values as an array, any shape and kind; what is masked is uncovered.

    Raises:
        InputError: when rows differ in length.
    """
    try:
        return np.asarray(values)
    except ValueError as error:
        raise InputError(
            "{name} has rows of different length: give one number per unit.", name=name
        ) from error


def plain_numbers(values: ArrayLike, name: str) -> Array:
    """The values as an array of booleans, whole numbers or floats, any shape; what is masked is uncovered.

    Raises:
        InputError: when they are something else (texts, None, complex numbers), or rows differ in length.
    """
    found = plain_array(values, name)
    if found.dtype.kind not in "buif":
        said = "{name} holds {dtype} values where plain numbers are needed: pick a numeric field."
        raise InputError(said, name=name, dtype=found.dtype)
    return found


def float_array(values: ArrayLike, name: str) -> NDArray[np.float64]:
    """The values as an array of float64, any shape; the errors are those of :func:`plain_numbers`."""
    return plain_numbers(values, name).astype(np.float64, copy=False)


def generator(seed: int) -> np.random.Generator:
    """Random numbers from a seed; InputError for one below 0."""
    if seed < 0:
        raise InputError("The seed of random numbers must be 0 or more, not {seed}.", seed=seed)
    return np.random.default_rng(seed)


def slices(n: int, most: int) -> Iterator[slice]:
    """The rows from 0 to ``n`` in slices of at most so many.

    >>> list(slices(5, 3))
    [slice(0, 3, None), slice(3, 5, None)]
    """
    return (slice(start, min(start + most, n)) for start in range(0, n, most))


def parts_of(rows: Array, most: int) -> list[Array]:
    """The rows in parts of at most so many.

    >>> [part.tolist() for part in parts_of(np.arange(5), 2)]
    [[0, 1], [2, 3], [4]]
    """
    return [rows[some] for some in slices(len(rows), most)]


def let_go(*arrays: Objects) -> None:
    """Empty arrays of objects a part at a time: freed all at once, a million hold Python's lock for seconds."""
    for array in arrays:
        for some in slices(len(array), _FREED_AT_ONCE):
            array[some] = None


def first_of_each(*keys: Array) -> Ints:
    """Row of the first of each value of the last key, in the order of the keys before it (as in numpy's lexsort).

    >>> first_of_each(np.array([0.4, 0.1, 0.3]), np.array([7, 7, 9])).tolist()
    [1, 2]
    """
    order = np.lexsort(keys)
    return cast("Ints", order[np.diff(keys[-1][order], prepend=-1) != 0])


def distinct_objects(values: Objects) -> tuple[Objects, Ints]:
    """The distinct objects, and which of them stands in each row.

    >>> one, other = "one", "other"
    >>> distinct_objects(np.array([one, other, one], dtype=object))[1].tolist() in ([0, 1, 0], [1, 0, 1])
    True
    """
    identity = np.fromiter((id(value) for value in values), dtype=np.int64, count=len(values))
    _, first, row = np.unique(identity, return_index=True, return_inverse=True)
    return values[first], row


# Fewer values are not worth the two passes, and where more of them share a key these were no help.
_LEAST_KEYED, _MOST_TIED = 4096, 0.25
# Nor have values so near to one another any: no number scales them.
_NARROWEST = 1e-290


def rising_order(values: Floats) -> Ints:
    """(n,) what puts values without NaN in rising order, equal ones anyhow; in half of numpy's time for many.

    Two passes sort by a whole number of 32 bits that rises with the values; the few that share one are compared.

    >>> rising_order(np.array([0.4, 0.1, np.inf, 0.3])).tolist()
    [1, 3, 0, 2]
    """
    finite = values[np.isfinite(values)] if values.size >= _LEAST_KEYED else values[:0]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    if not _NARROWEST < high - low < np.inf:
        return np.argsort(values)
    scaled = values.astype(np.float64)
    np.clip(scaled, low, high, out=scaled)
    scaled -= low
    scaled *= np.iinfo(np.uint32).max / (high - low)
    key = scaled.astype(np.uint32)
    order = np.argsort(key.astype(np.uint16), kind="stable")
    order = order[np.argsort((key >> np.uint32(16)).astype(np.uint16)[order], kind="stable")]
    rising = values[order]
    if (rising[1:] < rising[:-1]).any():
        key = key[order]
        tied = np.zeros(values.size, dtype=bool)
        tied[1:] = key[1:] == key[:-1]
        tied[:-1] |= tied[1:]
        rows = np.flatnonzero(tied)
        if rows.size > _MOST_TIED * values.size:
            return np.argsort(values)
        order[rows] = order[rows[np.lexsort((rising[rows], key[rows]))]]
    return order


# Values moved between two chances to hear of a cancel.
_AT_ONCE = 1 << 20
_FREED_AT_ONCE = 1 << 10


class Distinct(NamedTuple):
    """The distinct values, rising."""

    values: Array  #: (d,) each once.
    place: Ints  #: (n,) the place of each value given among them.
    order: Ints  #: (n,) what puts the values given in order.
    first: Ints  #: (d,) where in that order each distinct one begins.


def distinct_values(values: Array) -> Distinct:
    """(n,) values without NaN."""
    order = np.argsort(values)
    rising = values[order]
    new = np.append(True, rising[1:] != rising[:-1])[: values.size]
    place = np.empty(values.size, dtype=np.int64)
    before = -1
    for some in slices(values.size, _AT_ONCE):
        rank = before + np.cumsum(new[some])
        place[order[some]] = rank
        before = rank[-1]
    return Distinct(rising[new], place, order, np.flatnonzero(new))
