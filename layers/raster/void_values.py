"""Values of rasters that stand for no data without being declared, by one rule for all readers."""

from __future__ import annotations

import numpy as np

from randcrowns.core.arrays import Array, Floats
from randcrowns.core.instances.no_tree_values import PLACEHOLDERS
from randcrowns.core.messages import Message, note

#: Range of values, both ends included.
ValueRange = tuple[float, float]

#: Values that programs write for no data, also among numbers with decimals.
_NODATA_VALUES = (-9999.0, -99999.0, -32768.0, -2147483648.0)
#: Absolute value beyond which scores stand for no data, such as -3.4e38.
_SCORE_BEYOND = 1e30
#: Absolute value beyond which numbers of instances and classes stand for no data.
_NUMBER_BEYOND = 1e18


def find_void_numbers(distinct: Array, dtype: np.dtype) -> tuple[ValueRange, ...]:
    """Return the values that stand for no data among numbers of instances, classes or masks.

    Among whole numbers, these are negative numbers, numbers beyond 1e18, and the largest number of
    an integer type beside small numbers: VOC marks the edges of objects with 255, and a stored -1
    is the largest number of an unsigned type. A placeholder such as 255 or 9999 in a larger type
    counts only beside the numbers 1, 2, 3 ... without a gap. A mask of 0 and 255 has no such
    value, nor has a raster with numbers over half of the largest one. Numbers with decimals follow
    the rule for scores.

    Args:
        distinct: (n,) distinct values with data, ascending, without NaN.
        dtype: type of the stored values.

    >>> find_void_numbers(np.array([-1, 0, 1, 2, 255]), np.dtype(np.uint8))
    ((-1.0, -1.0), (255.0, 255.0))
    """
    is_integer = distinct.dtype.kind in "iu"
    numbers = distinct[distinct != 0]
    is_beyond = (numbers > _NUMBER_BEYOND) | (numbers < -_NUMBER_BEYOND)
    remaining = numbers[~is_beyond]
    if not is_integer and not (remaining == np.round(remaining)).all():
        return find_void_scores(distinct)
    ranges = [
        _find_range(numbers[is_beyond & (numbers < 0)]),
        _find_range(remaining[remaining < 0]),
        _find_range(_find_void_highest(remaining[remaining > 0], dtype)),
        _find_range(numbers[is_beyond & (numbers > 0)]),
    ]
    return tuple(value_range for value_range in ranges if value_range is not None)


def find_void_scores(distinct: Array) -> tuple[ValueRange, ...]:
    """Return the values that stand for no data among scores.

    These are -9999 and the like as the lowest value, and numbers beyond 1e30. Beside probabilities,
    so are any other negative whole number and placeholders such as 255.

    Args:
        distinct: distinct values with data, ascending, without NaN; the two lowest and the two
            highest suffice.

    >>> find_void_scores(np.array([-1.0, 0.2, 0.7, 1.0]))
    ((-1.0, -1.0),)
    """
    low_voids = distinct[distinct < -_SCORE_BEYOND]
    high_voids = distinct[distinct > _SCORE_BEYOND]
    n_scores = len(distinct) - len(low_voids) - len(high_voids)
    first_score = len(low_voids)
    scores = np.asarray(distinct[first_score : first_score + n_scores], dtype=float)
    if not len(low_voids) and len(scores) and scores[0] in _NODATA_VALUES:
        low_voids = scores[:1]
        scores = scores[1:]
    # The other values decide whether the lowest and the highest one can be scores.
    has_negative_integer = len(scores) > 1 and scores[0] < 0 and scores[0].is_integer()
    if has_negative_integer and _are_probabilities(scores[1:]):
        low_voids = scores[:1]
        scores = scores[1:]
    has_placeholder = len(scores) > 1 and scores[-1] in PLACEHOLDERS
    if has_placeholder and _are_probabilities(scores[:-1]):
        high_voids = scores[-1:]
    ranges = [_find_range(low_voids), _find_range(high_voids)]
    return tuple(value_range for value_range in ranges if value_range is not None)


def two_at_each_end(values: Array) -> Floats:
    """Return the two lowest and the two highest distinct values of an array, ascending.

    >>> two_at_each_end(np.array([3.0, 1.0, 5.0, 1.0, 4.0, 2.0]))
    array([1., 2., 4., 5.])
    """
    ends = []
    for extreme in (np.min, np.max):
        remaining = values
        for _ in range(2):
            if remaining.size:
                ends.append(float(extreme(remaining)))
                remaining = remaining[remaining != ends[-1]]
    return np.unique(np.array(ends, dtype=float))


def exclude_value(ranges: tuple[ValueRange, ...], value: float) -> tuple[ValueRange, ...]:
    """Return ranges of whole numbers without one number.

    >>> exclude_value(((-5.0, -1.0), (255.0, 255.0)), -2.0)
    ((-5.0, -3.0), (-1.0, -1.0), (255.0, 255.0))
    """
    parts = []
    for low, high in ranges:
        if low <= value <= high:
            parts += [(low, value - 1), (value + 1, high)]
        else:
            parts.append((low, high))
    return tuple((low, high) for low, high in parts if low <= high)


def void_messages(name: str, ranges: tuple[ValueRange, ...]) -> list[Message]:
    """Return the messages that values of a raster are taken for no data.

    Args:
        name: name of the raster.
        ranges: the values.
    """
    messages = []
    for low, high in ranges:
        if low == high:
            message = note(
                "marks.undeclared_nodata",
                "Raster '{name}' holds {value:g} without declaring it as a value for no data. "
                "These pixels are taken as pixels without data.",
                name=name,
                value=low,
            )
        else:
            message = note(
                "marks.undeclared_range",
                "Raster '{name}' holds values from {low:g} to {high:g} without declaring them as "
                "values for no data. These pixels are taken as pixels without data.",
                name=name,
                low=low,
                high=high,
            )
        messages.append(message)
    return messages


def _find_range(values: Array) -> ValueRange | None:
    """Return the lowest and the highest of ascending values; None without any."""
    return (float(values[0]), float(values[-1])) if len(values) else None


def _find_void_highest(numbers: Array, dtype: np.dtype) -> Array:
    """Return the highest number if it stands for no data, otherwise an empty array.

    Args:
        numbers: (n,) distinct positive numbers, ascending.
        dtype: type of the stored values.
    """
    no_number = numbers[:0]
    others = numbers[:-1]
    if not len(others):
        return no_number
    highest = int(numbers[-1])
    next_highest = int(others[-1])
    is_largest_of_type = dtype.kind in "iu" and highest == np.iinfo(dtype).max
    is_candidate = is_largest_of_type or highest in PLACEHOLDERS
    if not is_candidate or next_highest > highest // 2:
        return no_number
    # The other numbers are 1, 2, … without a gap, as those of instances or classes.
    is_without_gap = next_highest == len(others)
    is_void = is_without_gap or (is_largest_of_type and len(others) > 1)
    return numbers[-1:] if is_void else no_number


def _are_probabilities(values: Floats) -> bool:
    """Return True if ascending values are between 0 and 1, and not all of them whole numbers."""
    if values[0] < 0 or values[-1] > 1:
        return False
    return bool((values != np.round(values)).any())
