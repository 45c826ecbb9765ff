"""Values that mean no tree in an attribute of a point cloud, found from its points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Array, Bools, Floats
from randcrowns.core.messages import Message, note, warning

#: Value for no tree if none is set.
DEFAULT_NO_TREE = -1
#: Numbers that programs write for no tree, also in rasters, beside 0 and negative numbers.
PLACEHOLDERS = (255, 999, 9999, 65535, 99999, 999999, 9999999, 99999999, 999999999)
#: Ratio of the widths of the points with a value and of the widest tree above which the value means
#: no tree.
_CLEAR_WIDTH_RATIO = 3.0
#: The same if no other value means no tree, together with ``_CLEAR_SIZE_RATIO``; a value below the
#: first ratio and above this one is doubtful.
_DOUBTFUL_WIDTH_RATIO = 1.5
#: Ratio of the numbers of points of a value and of the largest tree that the second rule requires.
_CLEAR_SIZE_RATIO = 2.0
#: Ratio of the numbers of points above which a value is doubtful, however wide it is.
_DOUBTFUL_SIZE_RATIO = 3.0
#: Share of the trees among the points of a value above which the value is doubtful. A few misplaced
#: points make a tree as wide as the ground, but place no trees among most of its points.
_DOUBTFUL_COVERED_SHARE = 0.5
#: Share of the points on each side, along x and y, that is not used to find the trees among the
#: points of a value.
_MISPLACED_SHARE = 0.05
#: Number of trees from which the covered share is computed; of fewer trees it says nothing.
_MIN_COVERED_TREES = 3
#: Number of points of which widths are measured.
_MAX_MEASURED_POINTS = 200_000
#: Number of values that a message lists.
_MAX_LISTED = 5


class NoTreeValues(NamedTuple):
    """Values of points that belong to no tree, in one attribute.

    >>> NoTreeValues((-1, 9999)).replacement
    -1
    """

    values: tuple[int, ...]  #: values in ascending order.
    #: True if further values are found from the points, because none are listed.
    finds_further: bool = False

    @property
    def replacement(self) -> int:
        """Value that replaces the others."""
        return self.values[0]


class NoTreePoints(NamedTuple):
    """Points of a cloud of n points whose value was found to mean no tree."""

    mask: Bools  #: (n,) True for these points.
    messages: list[Message]  #: messages about the values, and about doubtful ones.


class _Spread(NamedTuple):
    """Size and width of the points with a value, compared with trees."""

    value: int  #: the value.
    share: float  #: share of all points.
    width: float  #: longer side of the bounding box of the points, metres.
    widest: float  #: the same of the widest tree, metres.
    size_ratio: float  #: ratio of the numbers of points of the value and of the largest tree.
    #: Share of the trees whose median point is in the bounding box of most of the points.
    covered_share: float

    @property
    def width_ratio(self) -> float:
        """Ratio of the widths of the points and of the widest tree."""
        return self.width / self.widest if self.widest > 0 else np.inf

    def is_clear(self, has_other_value: bool) -> bool:
        """Return True if the value means no tree.

        Args:
            has_other_value: True if another value means no tree.
        """
        return self.width_ratio > _CLEAR_WIDTH_RATIO or (
            not has_other_value
            and self.width_ratio > _DOUBTFUL_WIDTH_RATIO
            and self.size_ratio > _CLEAR_SIZE_RATIO
        )

    @property
    def is_wide(self) -> bool:
        """True if the points spread so much more widely than a tree that the value is doubtful."""
        return self.width_ratio > _DOUBTFUL_WIDTH_RATIO

    @property
    def is_large(self) -> bool:
        """True if the points are far more than those of a tree; the value is then doubtful."""
        return self.size_ratio > _DOUBTFUL_SIZE_RATIO

    @property
    def is_among_trees(self) -> bool:
        """True if many trees stand among the points; the value is then doubtful."""
        return self.covered_share > _DOUBTFUL_COVERED_SHARE


def find_no_tree_points(
    file: str, name: str, values: Array, is_invalid: Bools, xy: Floats, no_tree: int
) -> NoTreePoints:
    """Return the points whose value means no tree although it was not listed.

    Negative numbers always mean no tree. 0, or a number such as 9999 above all trees, means no tree
    if its points spread more than three times as wide as those of the widest tree. If no other
    value means no tree, one and a half times as wide and twice as many points suffice. Values
    between these limits remain trees, with a warning.

    Args:
        file: name of the file, for messages.
        name: name of the attribute.
        values: (n,) integers of any type, or NaN.
        is_invalid: (n,) True for points that are known to belong to no tree.
        xy: (n, 2) coordinates, metres.
        no_tree: value that means no tree.
    """
    mask = np.zeros(len(values), dtype=bool)
    messages: list[Message] = []
    is_tree_value = ~is_invalid & (values != no_tree) & ~np.isnan(values)
    if not is_tree_value.any():
        return NoTreePoints(mask, messages)
    if no_tree <= 0 or no_tree > values[is_tree_value].max():
        mask = is_tree_value & (values < 0)
        if mask.any():
            messages.append(_negative_message(file, name, values, mask))
            is_tree_value &= ~mask
    is_unsigned = np.issubdtype(values.dtype, np.unsignedinteger)
    if is_unsigned:
        is_tree_value &= ~_mask_stored_negative(values, is_tree_value)
    has_other_value = not is_tree_value.all()
    for spread in _measure_candidates(values, is_tree_value, xy, no_tree):
        if spread.is_clear(has_other_value):
            mask |= is_tree_value & (values == spread.value)
            messages.append(_further_value_message(file, name, spread))
        elif not (is_unsigned and spread.value == 0):
            messages += _doubtful_value_messages(file, name, spread, no_tree)
    return NoTreePoints(mask, messages)


def _measure_candidates(
    values: Array, is_tree_value: Bools, xy: Floats, no_tree: int
) -> Iterator[_Spread]:
    """Yield the spread of each value that may mean no tree.

    Widths are measured on at most about 200,000 points.

    Args:
        values: (n,) integers.
        is_tree_value: (n,) True for points that may belong to a tree.
        xy: (n, 2) coordinates, metres.
        no_tree: value that means no tree.
    """
    candidates = list(_find_candidates(values, is_tree_value, no_tree))
    if not candidates:
        return
    # Every step-th point is measured.
    step = max(len(values) // _MAX_MEASURED_POINTS, 1)
    measured_rows = np.flatnonzero(is_tree_value[::step]) * step
    points_by_value = pd.DataFrame(xy[measured_rows]).groupby(values[measured_rows])
    # Tables with a row per value: corners of the bounding boxes, longer sides, numbers of points.
    lows = points_by_value.min()
    highs = points_by_value.max()
    widths = (highs - lows).max(axis=1)
    sizes = points_by_value.size()
    is_tree = ~widths.index.isin(candidates)
    if not is_tree.any():
        return
    tree_centres = points_by_value.median()[is_tree]
    largest_width = float(widths[is_tree].max())
    largest_size = sizes[is_tree].max()
    for value in candidates:
        if value not in widths.index:
            continue
        # Share of the trees that lie in the bounding box of the value.
        covered_share = 0.0
        if len(tree_centres) >= _MIN_COVERED_TREES:
            ends = [_MISPLACED_SHARE, 1 - _MISPLACED_SHARE]
            low, high = points_by_value.get_group(value).quantile(ends).to_numpy()
            is_above_low = (tree_centres >= low).all(axis=1)
            is_below_high = (tree_centres <= high).all(axis=1)
            covered_share = float((is_above_low & is_below_high).mean())
        n_points = np.count_nonzero(is_tree_value & (values == value))
        yield _Spread(
            value=value,
            share=n_points / len(values),
            width=float(widths[value]),
            widest=largest_width,
            size_ratio=float(sizes[value] / largest_size),
            covered_share=covered_share,
        )


def _find_candidates(values: Array, is_tree_value: Bools, no_tree: int) -> Iterator[int]:
    """Yield the values that may mean no tree: 0, and a placeholder above all trees.

    0 is a candidate only with the default: another value for no tree keeps tree 0. In an unsigned
    type, 0 means no tree anyway, unless the largest number of the type does.

    Args:
        values: (n,) integers.
        is_tree_value: (n,) True for points that may belong to a tree.
        no_tree: value that means no tree.
    """
    is_unsigned = np.issubdtype(values.dtype, np.unsignedinteger)
    zero_may_be_tree = not is_unsigned or bool((values == np.iinfo(values.dtype).max).any())
    if no_tree == DEFAULT_NO_TREE and zero_may_be_tree and (is_tree_value & (values == 0)).any():
        yield 0
    tree_values = values[is_tree_value]
    highest = int(tree_values.max(initial=0))
    is_largest = is_unsigned and highest == np.iinfo(values.dtype).max
    has_previous_number = bool((tree_values == highest - 1).any())
    if highest in PLACEHOLDERS and not is_largest and not has_previous_number:
        yield highest


def _mask_stored_negative(values: Array, is_tree_value: Bools) -> Bools:
    """Return a mask of the points whose value is -1 stored in a type without negative numbers.

    Such a -1 becomes the largest number of the type, as 255 for 8 bits. If the number before it
    occurs too, the trees are numbered up to the largest number, which then is a tree.

    Args:
        values: (n,) unsigned integers.
        is_tree_value: (n,) True for points that may belong to a tree.

    Returns:
        (n,) mask, a part of ``is_tree_value``.
    """
    largest = np.iinfo(values.dtype).max
    has_previous_number = (is_tree_value & (values == largest - 1)).any()
    if has_previous_number:
        return np.zeros(len(values), dtype=bool)
    return np.asarray(is_tree_value & (values == largest))


def _negative_message(file: str, name: str, values: Array, is_negative: Bools) -> Message:
    """Return the note that points with negative numbers have no tree.

    Args:
        file: name of the file.
        name: name of the attribute.
        values: (n,) values of the attribute.
        is_negative: (n,) mask of the points.
    """
    numbers = [str(int(value)) for value in np.unique(values[is_negative])]
    listed_numbers = numbers[:_MAX_LISTED]
    if len(numbers) > _MAX_LISTED:
        listed_numbers.append("…")
    return note(
        "cloud.negative_numbers",
        "{file}: {count:,} points have a negative number in attribute '{name}' ({numbers}); they "
        "belong to no tree.",
        one="{file}: 1 point has a negative number in attribute '{name}' ({numbers}); it belongs "
        "to no tree.",
        file=file,
        name=name,
        count=int(is_negative.sum()),
        numbers=", ".join(listed_numbers),
    )


def _further_value_message(file: str, name: str, spread: _Spread) -> Message:
    """Return the note that a further value means no tree."""
    return note(
        "cloud.further_no_tree",
        "{file}: {number} means no tree in attribute '{name}'. {share:.0%} of the points have it "
        "and spread over {width:.0f} m, any tree over at most {most:.0f} m. If it is a tree, "
        "write -1 into 'Further values that mean no tree'.",
        file=file,
        name=name,
        number=spread.value,
        share=spread.share,
        width=spread.width,
        most=spread.widest,
    )


def _doubtful_value_messages(
    file: str, name: str, spread: _Spread, no_tree: int
) -> Iterator[Message]:
    """Yield the warning that a value may mean no tree, with the reason; nothing without a reason.

    Args:
        file: name of the file.
        name: name of the attribute.
        spread: size and width of the points with the value.
        no_tree: value that means no tree.
    """
    if spread.is_wide:
        yield warning(
            "cloud.doubtful_no_tree",
            "{file}: {number} is read as a tree in attribute '{name}', but may mean no tree. "
            "{share:.0%} of the points have it and spread over {width:.0f} m, any other tree over "
            "at most {most:.0f} m. If it means no tree, write {number} into 'Further values that "
            "mean no tree'; otherwise write {no_tree}.",
            file=file,
            name=name,
            number=spread.value,
            share=spread.share,
            width=spread.width,
            most=spread.widest,
            no_tree=no_tree,
        )
    elif spread.is_large:
        yield warning(
            "cloud.doubtful_size",
            "{file}: {number} is read as a tree in attribute '{name}', but may mean no tree. "
            "{share:.0%} of the points have it, {ratio:.1f} times as many as any other tree has. "
            "If it means no tree, write {number} into 'Further values that mean no tree'; "
            "otherwise write {no_tree}.",
            file=file,
            name=name,
            number=spread.value,
            share=spread.share,
            ratio=spread.size_ratio,
            no_tree=no_tree,
        )
    elif spread.is_among_trees:
        yield warning(
            "cloud.doubtful_place",
            "{file}: {number} is read as a tree in attribute '{name}', but may mean no tree. "
            "{share:.0%} of the points have it, and {covered:.0%} of the other trees stand among "
            "them. If it means no tree, write {number} into 'Further values that mean no tree'; "
            "otherwise write {no_tree}.",
            file=file,
            name=name,
            number=spread.value,
            share=spread.share,
            covered=spread.covered_share,
            no_tree=no_tree,
        )
