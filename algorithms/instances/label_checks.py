"""Remarks on the ids of the trees of a point cloud."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from randcrowns.core.arrays import Ints
from randcrowns.core.errors import InputError
from randcrowns.core.instances.overlap import Instances
from randcrowns.core.instances.points import LabelledPoints
from randcrowns.core.remarks import Remark, note, warning
from randcrowns.layers.words import tr

_IDS_NAMED = 3
#: No point has it, and nothing else is taken for it.
_SURELY_NO_TREE = -2
#: A tree this many times as large as the next one may be the ground.
_TOO_LARGE = 3.0


def check_labels(
    file: str, points: LabelledPoints, attributes: tuple[str, str], invalid_ids: tuple[int, int], zeros: tuple[int, int]
) -> list[Remark]:
    """Remarks on the ids of the trees in a file.

    Args:
        file: its name.
        points: its points, with both ids.
        attributes: names of the target and the predicted attribute.
        invalid_ids: id for no tree in each.
        zeros: number of points that belong to no tree because they have 0, in each.

    Raises:
        InputError: for an id for no tree that is not below those of the trees.
    """
    sides = zip(attributes, invalid_ids, (points.targets, points.predictions), zeros)
    remarks = [remark for side in sides for remark in _check_ids(file, *side)]
    if len(points.targets.labels) == 0:
        remarks.append(warning("cloud.no_points", "{file} has no points.", file=file))
    elif not points.empty and len(points.table.shared) == 0:
        said = "{file}: no target and prediction overlap, for no point has both; are these the right attributes?"
        remarks.append(warning("cloud.no_overlap", said, file=file))
    return remarks


def _check_ids(file: str, attribute: str, invalid_id: int, instances: Instances, zeros: int) -> Iterator[Remark]:
    """Remarks on the ids in one attribute."""
    ids, size, n_points = instances.ids, instances.size, len(instances.labels)
    named = {"file": file, "name": attribute, "invalid": invalid_id}
    if n_points == 0:
        return
    if len(ids) == 0:
        said = "{file}: attribute '{name}' has no tree: no point has the id of a tree."
        yield warning("cloud.no_tree", said, file=file, name=attribute)
        return
    if ids[0] < invalid_id:
        raise InputError(
            tr(
                "Attribute '{name}' of {file} has trees with id {first}, below the id for no tree ({invalid}); change "
                "that id, it seems to be {first}. Each attribute may have its own."
            ).format(first=ids[0], **named)
        )
    largest, times = int(ids[size.argmax()]), _times_the_next(size)
    counted = {"common": largest, "share": size.max() / n_points, **named}
    if size.sum() == n_points:
        said = (
            "{file}: every point has a tree in attribute '{name}'; is {invalid} its id for no tree? "
            "Most points have {common} ({share:.0%})."
        )
        if largest != 0 and ids[0] == 0:
            said, counted = f"{said} {{of_zero:.0%}} have 0.", {**counted, "of_zero": size[0] / n_points}
        yield (warning if ids[0] == 0 or times > _TOO_LARGE else note)("cloud.all_in_trees", said, **counted)
    elif largest == 0 and times > _TOO_LARGE:
        yield warning(
            "cloud.large_zero",
            "{file}: {common} is read as the id of a tree in attribute '{name}', and {share:.0%} of all points "
            "have it, many more than any other tree; if they have no tree, change the id for no tree from "
            "{invalid} to {common}, and give the points with {invalid} that id too.",
            **counted,
        )
    if len(ids) > 1 and size.min() <= zeros <= size.max():
        yield warning(
            "cloud.zero_no_tree",
            "{file}: 0 is read as no tree in attribute '{name}', but its {points:,} points are as many as a tree "
            "has ({least:,} to {most:,}); if 0 is a tree, change the id for no tree to {other}.",
            **{**named, "points": zeros, "least": size.min(), "most": size.max(), "other": _SURELY_NO_TREE},
        )
    missing = int(ids[-1]) - int(ids[0]) + 1 - len(ids)
    if missing:
        said = "{file}: the ids in attribute '{name}' have gaps ({missing:,} missing, as {examples})."
        yield note("cloud.gaps", said, file=file, name=attribute, missing=missing, examples=_missing(ids))


def _times_the_next(size: Ints) -> float:
    """How many times as large as the next the largest is; 1 without any other."""
    if len(size) < 2:
        return 1.0
    next_one, largest = np.partition(size, -2)[-2:]
    return float(largest / next_one)


def _missing(ids: Ints) -> list[int]:
    """The first few ids that are missing."""
    found: list[int] = []
    for before, after in zip(ids[:-1].tolist(), ids[1:].tolist()):
        found += range(before + 1, min(after, before + 1 + _IDS_NAMED))
        if len(found) >= _IDS_NAMED:
            break
    return found[:_IDS_NAMED]
