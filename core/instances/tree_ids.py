"""Messages about unusual ids of trees in the attributes of a labelled point cloud."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from randcrowns.core.arrays import Ints
from randcrowns.core.errors import InputError
from randcrowns.core.instances.labelled_points import LabelledPoints
from randcrowns.core.instances.overlap import Instances
from randcrowns.core.messages import Message, note, warning

#: Number of missing ids that a message lists.
_MAX_LISTED_IDS = 3
#: Id that a message proposes as the id for no tree: no point has it, and it is never remapped.
_UNUSED_ID = -2
#: Ratio of the sizes of the largest and the second largest tree above which the largest may be the
#: ground.
_MAX_SIZE_RATIO = 3.0


class _TreeIds(NamedTuple):
    """Ids of trees in an attribute of the points."""

    file: str  #: name of the file.
    attribute: str  #: name of the attribute.
    invalid_id: int  #: id for no tree.
    instances: Instances  #: trees of the points.
    n_zeros: int  #: number of points that have no tree because their value is 0.


def check_tree_ids(
    files: tuple[str, str],
    points: LabelledPoints,
    attributes: tuple[str, str],
    invalid_ids: tuple[int, int],
    zeros: tuple[int, int],
) -> list[Message]:
    """Return messages about unusual ids of trees.

    The tuples have a value for the targets and one for the predictions.

    Args:
        files: names of the files, which may be the same.
        points: target and predicted trees of the points.
        attributes: names of the attributes.
        invalid_ids: ids for no tree.
        zeros: numbers of points that have no tree because their value is 0.

    Raises:
        InputError: if an id for no tree is not below the ids of the trees.
    """
    sides = (points.targets, points.predictions)
    messages: list[Message] = []
    for tree_ids in map(_TreeIds, files, attributes, invalid_ids, sides, zeros):
        messages += _check_ids(tree_ids)
    if len(points.targets.labels) == 0:
        messages.append(warning("cloud.no_points", "{file} has no points.", file=files[0]))
    elif not points.is_empty and len(points.table.shared) == 0:
        messages.append(
            warning(
                "cloud.no_overlap",
                "{file}: no target and prediction overlap, because no point has both. Check the "
                "two attributes.",
                file=files[0],
            )
        )
    return messages


def _check_ids(tree_ids: _TreeIds) -> Iterator[Message]:
    """Yield messages about the ids in one attribute.

    Raises:
        InputError: if the id for no tree is not below the ids of the trees.
    """
    ids = tree_ids.instances.ids
    n_points = len(tree_ids.instances.labels)
    if n_points == 0:
        return
    if len(ids) == 0:
        yield warning(
            "cloud.no_tree",
            "{file}: attribute '{name}' has no tree: no point has the id of a tree.",
            file=tree_ids.file,
            name=tree_ids.attribute,
        )
        return
    # A value above all ids, such as 9999, is right if points have it.
    has_points_without_tree = tree_ids.instances.n_points.sum() < n_points
    is_above_all = ids[0] >= 0 and tree_ids.invalid_id > ids[-1] and has_points_without_tree
    if ids[0] < tree_ids.invalid_id and not is_above_all:
        raise InputError(
            "cloud.id_below_no_tree",
            "Attribute '{name}' of {file} has trees with id {first}, below the id for no tree "
            "({invalid}); change that id, it seems to be {first}. Each attribute may have its own.",
            name=tree_ids.attribute,
            file=tree_ids.file,
            first=ids[0],
            invalid=tree_ids.invalid_id,
        )
    if tree_ids.instances.n_points.sum() == n_points:
        yield _all_in_trees_message(tree_ids)
    yield from _zero_messages(tree_ids)
    yield from _gap_messages(tree_ids)


def _all_in_trees_message(tree_ids: _TreeIds) -> Message:
    """Return the message that all points have a tree.

    It is a warning if a tree may be the ground: if its id is 0, or if it is much larger than the
    others.
    """
    ids = tree_ids.instances.ids
    size = tree_ids.instances.n_points
    n_points = len(tree_ids.instances.labels)
    largest_id = int(ids[size.argmax()])
    values = {
        "file": tree_ids.file,
        "name": tree_ids.attribute,
        "invalid": tree_ids.invalid_id,
        "common": largest_id,
        "share": size.max() / n_points,
    }
    text = (
        "{file}: every point has a tree in attribute '{name}'. Check that {invalid} is its id for "
        "no tree. Most points have {common} ({share:.0%})."
    )
    if largest_id != 0 and ids[0] == 0:
        values["of_zero"] = size[0] / n_points
        text = (
            "{file}: every point has a tree in attribute '{name}'. Check that {invalid} is its id "
            "for no tree. Most points have {common} ({share:.0%}). {of_zero:.0%} have 0."
        )
    if ids[0] == 0 or _size_ratio(size) > _MAX_SIZE_RATIO:
        return warning("cloud.all_in_trees", text, **values)
    return note("cloud.all_in_trees", text, **values)


def _zero_messages(tree_ids: _TreeIds) -> list[Message]:
    """Return a warning if the points with 0, which have no tree, are as many as a tree has."""
    size = tree_ids.instances.n_points
    if len(size) < 2 or not size.min() <= tree_ids.n_zeros <= size.max():
        return []
    return [
        warning(
            "cloud.zero_no_tree",
            "{file}: 0 is read as no tree in attribute '{name}', but its {points:,} points are as "
            "many as a tree has ({least:,} to {most:,}). If 0 is a tree, change the id for no tree "
            "to {other}.",
            file=tree_ids.file,
            name=tree_ids.attribute,
            points=tree_ids.n_zeros,
            least=size.min(),
            most=size.max(),
            other=_UNUSED_ID,
        )
    ]


def _gap_messages(tree_ids: _TreeIds) -> list[Message]:
    """Return a message if ids between the lowest and the highest id do not occur."""
    ids = tree_ids.instances.ids
    n_missing = int(ids[-1]) - int(ids[0]) + 1 - len(ids)
    if not n_missing:
        return []
    return [
        note(
            "cloud.gaps",
            "{file}: the ids in attribute '{name}' have gaps ({missing:,} missing, as {examples}).",
            file=tree_ids.file,
            name=tree_ids.attribute,
            missing=n_missing,
            examples=_missing_ids(ids),
        )
    ]


def _size_ratio(size: Ints) -> float:
    """Return the ratio of the largest and the second largest size (n,); 1 for a single size."""
    if len(size) < 2:
        return 1.0
    second_largest, largest = np.partition(size, -2)[-2:]
    return float(largest / second_largest)


def _missing_ids(ids: Ints) -> list[int]:
    """Return the first ids that are missing between ascending ids (n,)."""
    missing: list[int] = []
    for before, after in zip(ids[:-1].tolist(), ids[1:].tolist()):
        missing += range(before + 1, min(after, before + 1 + _MAX_LISTED_IDS))
        if len(missing) >= _MAX_LISTED_IDS:
            break
    return missing[:_MAX_LISTED_IDS]
