"""Numbers of trees in the attributes of point clouds: values that mean no tree, and rounding."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from randcrowns.core.arrays import Array, Floats, split_range
from randcrowns.core.errors import InputError
from randcrowns.core.instances.no_tree_values import (
    DEFAULT_NO_TREE,
    NoTreeValues,
    find_no_tree_points,
)
from randcrowns.core.messages import Message, note, warning

#: Number of points that are converted at a time.
_CHUNK_SIZE = 1_000_000
#: Maximum label of an instance.
_MAX_LABEL = int(np.iinfo(np.int64).max)
#: Ratio of the points with 0 and those of the largest tree above which 0 is taken for the ground.
_GROUND_RATIO = 3
#: Difference from an integer that is rounding: relative, and at most.
_ROUNDING = 1e-6
_MAX_ROUNDING = 1e-3
#: Largest numbers of the floating point types, which some programs write for "no data".
_LARGEST_FLOATS = (float(np.finfo(np.float32).max), float(np.finfo(np.float64).max))


class Labels(NamedTuple):
    """Labels of n points from one attribute."""

    #: (n,) integer labels.
    labels: Array
    #: Number of points with 0 in the attribute that belong to no instance.
    n_zeros: int
    #: Messages about unusual labels.
    messages: list[Message]


class Column(NamedTuple):
    """Values of n points in one attribute."""

    #: (n,) values; NaN for no value where the type allows it.
    values: Array
    #: (n,) True where the value is the one that the file declares to mean "no data"; None if no
    #: point has it.
    is_missing: Array | None

    def select(self, rows: Array) -> Column:
        """Return the values of some points, a mask (n,)."""
        missing = None if self.is_missing is None else self.is_missing[rows]
        return Column(self.values[rows], missing)

    def numbers(self) -> Array:
        """Return the values (n,) with NaN for "no data"."""
        if self.is_missing is None:
            return self.values
        return np.where(self.is_missing, np.nan, self.values)


def clean_numbers(values: Array, is_missing: Array | None) -> Array:
    """Return floating point values (n,) without rounding and without numbers that mean "no data".

    Values that differ from an integer by rounding become that integer. The largest number of the
    type, which some programs write for "no data", becomes NaN.

    Args:
        values: (n,) values, which may be changed.
        is_missing: (n,) True for values that mean "no data"; None for none.
    """
    nearest = np.rint(values)
    with np.errstate(invalid="ignore"):
        tolerance = np.minimum(_ROUNDING * np.maximum(np.abs(values), 1.0), _MAX_ROUNDING)
        is_rounded = np.abs(values - nearest) <= tolerance
        is_none = np.isin(np.abs(values), _LARGEST_FLOATS)
    values[is_rounded] = nearest[is_rounded]
    if is_missing is not None:
        is_none = is_none | is_missing
    values[is_none] = np.nan
    return values


def labels_of(file: str, name: str, column: Column, no_tree: NoTreeValues, xy: Floats) -> Labels:
    """Return the labels in an attribute.

    Args:
        file: name of the file, for messages.
        name: name of the attribute.
        column: values of the attribute.
        no_tree: values of points that belong to no instance; the first replaces the others.
        xy: (n, 2) coordinates of the points, metres.

    Raises:
        InputError: if a label does not fit into a signed 64-bit integer.
    """
    values = column.values
    invalid_id = no_tree.replacement
    is_invalid = np.zeros(len(values), dtype=bool)
    messages = []
    if column.is_missing is not None:
        is_invalid |= column.is_missing
        messages.append(_no_data_message(file, name, values, column.is_missing))
    is_extreme = _find_extremes(values, invalid_id, is_invalid)
    if is_extreme.any():
        is_invalid |= is_extreme
        messages.append(_extreme_message(file, name, values, is_extreme))
    is_invalid |= np.isin(values, no_tree.values[1:])
    if no_tree.finds_further:
        no_tree_points = find_no_tree_points(file, name, values, is_invalid, xy, invalid_id)
        is_invalid |= no_tree_points.mask
        messages += no_tree_points.messages
    if not is_invalid.any():
        all_labels = _labels_of_values(file, name, values, invalid_id)
        return all_labels._replace(messages=[*messages, *all_labels.messages])

    valid_values = values[~is_invalid]
    declares_no_tree = column.is_missing is not None and invalid_id == DEFAULT_NO_TREE
    is_unsigned = valid_values.dtype.kind == "u"
    if declares_no_tree and is_unsigned:
        fits_label = int(valid_values.max(initial=0)) <= _MAX_LABEL
        if fits_label and not _is_zero_ground(valid_values, -1):
            # The file has a value for no tree, so that 0 is a tree, as in a signed type.
            valid_values = valid_values.astype(np.int64)
    valid_labels = _labels_of_values(file, name, valid_values, invalid_id)
    labels = np.full(len(values), invalid_id, dtype=np.int64)
    labels[~is_invalid] = valid_labels.labels
    return Labels(labels, valid_labels.n_zeros, [*messages, *valid_labels.messages])


def _find_extremes(values: Array, invalid_id: int, is_invalid: Array) -> Array:
    """Return a mask (n,) of the values that are the largest or smallest number of a signed type.

    Such a number is no label unless the number next to it occurs too.

    Args:
        values: (n,) values of an attribute.
        invalid_id: label of points that belong to no instance.
        is_invalid: (n,) mask of the values that are no labels for another reason.
    """
    is_extreme = np.zeros(len(values), dtype=bool)
    if not np.issubdtype(values.dtype, np.signedinteger):
        return is_extreme
    limits = np.iinfo(values.dtype)
    for extreme, neighbour in ((limits.max, limits.max - 1), (limits.min, limits.min + 1)):
        is_value = (values == extreme) & ~is_invalid
        if extreme != invalid_id and is_value.any() and not (values == neighbour).any():
            is_extreme |= is_value
    return is_extreme


def _no_data_message(file: str, name: str, values: Array, is_missing: Array) -> Message:
    """Return the message that points have the value for "no data" of an attribute.

    Args:
        file: name of the file.
        name: name of the attribute.
        values: (n,) values of the attribute.
        is_missing: (n,) mask of the points.
    """
    return note(
        "cloud.no_data",
        "{file}: {count:,} points have {number} in attribute '{name}', which the file declares to "
        "mean no data; they belong to no instance.",
        one="{file}: 1 point has {number} in attribute '{name}', which the file declares to mean "
        "no data; it belongs to no instance.",
        file=file,
        name=name,
        count=int(is_missing.sum()),
        number=int(values[is_missing][0]),
    )


def _extreme_message(file: str, name: str, values: Array, is_extreme: Array) -> Message:
    """Return the message that points have the largest or smallest number of the type.

    Args:
        file: name of the file.
        name: name of the attribute.
        values: (n,) values of the attribute.
        is_extreme: (n,) mask of the points.
    """
    return note(
        "cloud.largest_number",
        "{file}: {count:,} points have {number} in attribute '{name}', the largest or smallest "
        "number of its type; they are taken to belong to no instance.",
        one="{file}: 1 point has {number} in attribute '{name}', the largest or smallest number of "
        "its type; it is taken to belong to no instance.",
        file=file,
        name=name,
        count=int(is_extreme.sum()),
        number=int(values[is_extreme][0]),
    )


def _labels_of_values(file: str, name: str, values: Array, invalid_id: int) -> Labels:
    """Return the labels of values of any type; arguments and errors as in :func:`labels_of`."""
    if np.issubdtype(values.dtype, np.unsignedinteger):
        return _unsigned_labels(file, name, values, invalid_id)
    if np.issubdtype(values.dtype, np.integer):
        n_zeros = int(np.count_nonzero(values == 0)) if invalid_id == 0 else 0
        return Labels(values, n_zeros, messages=[])
    return _float_labels(file, name, values, invalid_id)


def _unsigned_labels(file: str, name: str, values: Array, invalid_id: int) -> Labels:
    """Return the labels in an attribute of an unsigned type, which cannot hold -1.

    If the largest number of the type occurs and the number before it does not, it is a stored -1.
    Otherwise 0 stands for no instance if ``invalid_id`` is -1. Both are replaced by ``invalid_id``.

    Args:
        file: name of the file, for messages.
        name: name of the attribute.
        values: (n,) values of the attribute, of an unsigned integer type.
        invalid_id: label of points that belong to no instance.

    Raises:
        InputError: if a label does not fit into a signed 64-bit integer.
    """
    largest = int(np.iinfo(values.dtype).max)
    is_largest = values == largest
    is_zero = values == 0
    has_largest_alone = bool(is_largest.any()) and not (values == largest - 1).any()
    is_largest_negative = has_largest_alone and invalid_id != largest
    is_zero_invalid = False
    if invalid_id == DEFAULT_NO_TREE:
        is_zero_invalid = not is_largest_negative or _is_zero_ground(values, largest)

    is_replaced = np.zeros(len(values), dtype=bool)
    if is_largest_negative:
        is_replaced |= is_largest
    if is_zero_invalid:
        is_replaced |= is_zero
    _check_largest_label(file, name, values[~is_replaced])

    has_zeros_without_instance = is_zero_invalid or invalid_id == 0
    n_zeros = int(np.count_nonzero(is_zero)) if has_zeros_without_instance else 0
    if not is_replaced.any():
        return Labels(values, n_zeros, messages=[])

    signed_labels = values.astype(np.int64)
    signed_labels[is_replaced] = invalid_id
    messages = []
    if is_largest_negative:
        n_largest = int(np.count_nonzero(is_largest))
        messages.append(_stored_negative_message(file, name, n_largest, largest))
    if is_zero_invalid and n_zeros:
        messages.append(_unsigned_zero_message(file, name, n_zeros))
    return Labels(signed_labels, n_zeros, messages)


def _check_largest_label(file: str, name: str, labels: Array) -> None:
    """Raise an InputError if one of the labels (n,) does not fit into a signed 64-bit integer.

    Args:
        file: name of the file, for the error.
        name: name of the attribute.
        labels: (n,) labels of instances, of an unsigned integer type.
    """
    highest = int(labels.max(initial=0))
    if highest > _MAX_LABEL:
        raise InputError(
            "cloud.number_too_large",
            "Attribute '{name}' of {file} has the number {highest}; numbers of trees can be at "
            "most {largest}. Number them from 1 on, or choose another attribute.",
            name=name,
            file=file,
            highest=highest,
            largest=_MAX_LABEL,
        )


def _stored_negative_message(file: str, name: str, count: int, largest: int) -> Message:
    """Return a note that the largest number of an unsigned type was taken for a stored -1.

    Args:
        file: name of the file.
        name: name of the attribute.
        count: number of points that have the largest number.
        largest: largest number of the type.
    """
    return note(
        "cloud.unsigned",
        "{file}: {count:,} points have {number} in attribute '{name}', which is -1 where "
        "numbers cannot be negative; they are taken to belong to no instance.",
        one="{file}: 1 point has {number} in attribute '{name}', which is -1 where numbers "
        "cannot be negative; it is taken to belong to no instance.",
        file=file,
        name=name,
        count=count,
        number=largest,
    )


def _unsigned_zero_message(file: str, name: str, count: int) -> Message:
    """Return a note that 0 in an attribute of an unsigned type was taken for no instance.

    Args:
        file: name of the file.
        name: name of the attribute.
        count: number of points that have 0.
    """
    return note(
        "cloud.unsigned",
        "{file}: {count:,} points have {number} in attribute '{name}', where numbers cannot be "
        "negative; they are taken to belong to no instance.",
        one="{file}: 1 point has {number} in attribute '{name}', where numbers cannot be "
        "negative; it is taken to belong to no instance.",
        file=file,
        name=name,
        count=count,
        number=0,
    )


def _is_zero_ground(values: Array, largest: int) -> bool:
    """Return True if many more points have 0 than any tree, so that 0 means no tree too.

    Args:
        values: (n,) labels of an unsigned type.
        largest: largest number of the type, which some points have for no tree.
    """
    labels, counts = np.unique(values, return_counts=True)
    n_zeros = int(counts[labels == 0].sum())
    n_largest = int(counts[labels == largest].sum())
    n_of_trees = counts[(labels != 0) & (labels != largest)]
    n_largest_tree = int(n_of_trees.max(initial=0))
    return n_zeros > max(n_largest, _GROUND_RATIO * n_largest_tree)


def check_integers(file: str, name: str, values: Array) -> None:
    """Raise InputError if values have decimals or do not fit into a signed 64-bit integer.

    NaN is accepted.

    Args:
        file: name of the file, for the error.
        name: name of the attribute, for the error.
        values: (n,) values of the attribute.
    """
    if np.issubdtype(values.dtype, np.integer):
        return
    has_decimals = (values != np.floor(values)) & ~np.isnan(values)
    invalid_values = values[has_decimals | (np.abs(values) >= 2.0**63)]
    if len(invalid_values):
        raise InputError(
            "cloud.not_whole",
            "Attribute '{name}' of {file} must hold the number of an instance, a whole number, but "
            "it holds {value:g}; choose another attribute.",
            name=name,
            file=file,
            value=invalid_values[0],
        )


def _float_labels(file: str, name: str, values: Array, invalid_id: int) -> Labels:
    """Return the labels in an attribute of a floating point type, checked by check_integers.

    NaN becomes ``invalid_id``. A message warns of labels above which the type cannot hold all
    integers.

    Args:
        file: name of the file, for messages.
        name: name of the attribute.
        values: (n,) values of the attribute: integers or NaN.
        invalid_id: label of points that belong to no instance.
    """
    labels = np.empty(len(values), dtype=np.int64)
    n_missing = 0
    first_inexact = 0
    # From here on, a float with nmant bits after the first one skips integers.
    inexact_limit = 2.0 ** (np.finfo(values.dtype).nmant + 1)
    for rows in split_range(len(values), _CHUNK_SIZE):
        is_missing = np.isnan(values[rows])
        numbers = np.where(is_missing, invalid_id, values[rows])
        n_missing += int(is_missing.sum())
        if not first_inexact:
            sizes = np.abs(numbers)
            inexact_sizes = sizes[~is_missing & (sizes >= inexact_limit)]
            first_inexact = int(inexact_sizes[0]) if len(inexact_sizes) else 0
        labels[rows] = numbers

    messages = _float_messages(file, name, invalid_id, n_missing, first_inexact)
    # Points without a number became 0, too, if 0 is the label of no instance.
    n_zeros = int(np.count_nonzero(labels == 0)) - n_missing if invalid_id == 0 else 0
    return Labels(labels, n_zeros, messages)


def _float_messages(
    file: str, name: str, invalid_id: int, n_missing: int, first_inexact: int
) -> list[Message]:
    """Return messages about labels that are stored as floating point numbers.

    Args:
        file: name of the file.
        name: name of the attribute.
        invalid_id: label of points without an instance.
        n_missing: number of points without a number (NaN).
        first_inexact: first number that is too large for the type to be exact; 0 without any.
    """
    messages = []
    if n_missing:
        messages.append(
            note(
                "cloud.no_number",
                "{file}: {count:,} points have no number in attribute '{name}'; they belong to no "
                "instance ({number}).",
                one="{file}: 1 point has no number in attribute '{name}'; it belongs to no "
                "instance ({number}).",
                file=file,
                name=name,
                count=n_missing,
                number=invalid_id,
            )
        )
    if first_inexact:
        messages.append(
            warning(
                "cloud.blurred",
                "{file}: different trees may have the same number, because attribute '{name}' "
                "cannot tell {number} from the next number. Store whole numbers, or number "
                "the trees from 1 on.",
                number=first_inexact,
                file=file,
                name=name,
            )
        )
    return messages
