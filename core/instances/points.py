"""A labelled point cloud: its instances, the metrics of their parts, and the checks of what is given for them."""

from __future__ import annotations

import operator
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Floats, Ints, plain_array
from randcrowns.core.errors import InputError
from randcrowns.core.instances.matching import NONE, Matching, Method, match
from randcrowns.core.instances.overlap import Instances, OverlapTable, count_pairs, label_array
from randcrowns.core.instances.partitions import REACH, heights, partition_counts, partition_tables
from randcrowns.core.progress import Progress, no_progress

_NAMED = 5
_MOST_PARTITIONS = 10_000


class LabelledPoints(NamedTuple):
    """A cloud of N points with the instances of two label arrays."""

    #: targets, predictions: the instances.
    targets: Instances
    predictions: Instances
    table: OverlapTable  #: what they share.
    invalid_id: int  #: label of points of no target.
    prediction_invalid_id: int  #: label of points of no prediction.

    @classmethod
    def of(
        cls,
        target: ArrayLike,
        prediction: ArrayLike,
        invalid_id: int = -1,
        progress: Progress = no_progress,
        prediction_invalid_id: int | None = None,
    ) -> LabelledPoints:
        """Count the instances of N points; the arguments are those of :func:`count_pairs`, labels of any integers."""
        one, other = label_array(target, "target"), label_array(prediction, "prediction")
        no_prediction = invalid_id if prediction_invalid_id is None else prediction_invalid_id
        counts = count_pairs(one, other, invalid_id, progress, no_prediction)
        return cls(
            counts.targets,
            counts.predictions,
            OverlapTable.from_counts(counts),
            invalid_id,
            no_prediction,
        )

    @property
    def empty(self) -> bool:
        """Whether there is nothing to match."""
        return len(self.targets.ids) == 0 or len(self.predictions.ids) == 0

    def check_start(self) -> None:
        """Raise InputError unless the lowest ids of targets and predictions are the same (or one side has none)."""
        if not self.empty and self.targets.ids[0] != self.predictions.ids[0]:
            said = (
                "The lowest ids must be the same, but targets start with {targets} and predictions with "
                "{predictions}; number both from the same id on."
            )
            raise InputError(said, targets=self.targets.ids[0], predictions=self.predictions.ids[0])

    def check_consecutive(self) -> None:
        """Raise InputError for ids with gaps, or an invalid id that isn't below them."""
        for name, instances in (("target", self.targets), ("predicted", self.predictions)):
            ids = instances.ids
            n_missing = int(ids[-1]) - int(ids[0]) + 1 - len(ids)
            if n_missing:
                raise InputError(
                    "The {name} ids must follow one another without gaps; {n_missing} between {first} and {last} "
                    "are missing ({missing}).",
                    name=name,
                    n_missing=n_missing,
                    first=ids[0],
                    last=ids[-1],
                    missing=_first_missing(ids),
                )
        if self.invalid_id >= self.targets.ids[0]:
            said = "The id of points without an instance ({invalid_id}) must be below the lowest instance id ({lowest})."
            raise InputError(said, invalid_id=self.invalid_id, lowest=self.targets.ids[0])

    def match(self, method: Method | str, xyz: Floats) -> Matching:
        """Match the instances; ids must be consecutive."""
        if self.empty:
            return match(self.table, Method.PANOPTIC_SEGMENTATION)
        self.check_start()
        self.check_consecutive()
        method = Method.named(method, "matching method")
        return match(
            self.table, method, heights(xyz[:, 2], self.targets) if method.by_height else None
        )

    def target_ids(self, matching: Matching) -> Ints:
        """(P,) id of each prediction's target, the invalid id without one."""
        return np.append(self.targets.ids, self.invalid_id)[matching.target]

    def prediction_ids(self, matching: Matching) -> Ints:
        """(T,) id of each target's prediction, the invalid id without one."""
        return np.append(self.predictions.ids, self.prediction_invalid_id)[matching.prediction]


def points_array(xyz: ArrayLike, n_points: int) -> Floats:
    """The coordinates as an (N, 3) array of float32 or float64; InputError for another shape or number of points."""
    points = plain_array(xyz, "The table of coordinates")
    if points.ndim != 2 or points.shape[1] != 3:
        said = "The coordinates must have three columns (x, y, z); their shape is {shape}."
        raise InputError(said, shape=str(points.shape))
    if len(points) != n_points:
        said = "There are {points} points but {n_points} labels; each point needs one."
        raise InputError(said, points=len(points), n_points=n_points)
    if points.dtype not in (np.float32, np.float64):
        if not np.issubdtype(points.dtype, np.number) or np.issubdtype(
            points.dtype, np.complexfloating
        ):
            raise InputError("The coordinates must be numbers, not {dtype}.", dtype=points.dtype)
        return points.astype(np.float64)
    return points


def partition_metrics(
    points: LabelledPoints,
    xyz: Floats,
    matched: Ints,
    axes: tuple[str, ...],
    include_unmatched: bool,
    n_partitions: int,
    reach: float = REACH,
    progress: Progress = no_progress,
) -> dict[str, tuple[pd.DataFrame, pd.DataFrame]]:
    """Per axis, the metrics per partition averaged and of each target, with or without targets that have no prediction.

    The other arguments are those of :func:`randcrowns.core.instances.partitions.partition_counts`.
    """
    if not 1 <= whole_number(n_partitions, "The number of partitions") <= _MOST_PARTITIONS:
        said = "There must be at least one partition and at most {most:,}, not {n_partitions}."
        raise InputError(said, most=_MOST_PARTITIONS, n_partitions=n_partitions)
    _check_finite(xyz)
    counts = partition_counts(
        xyz,
        points.targets,
        points.predictions,
        matched,
        axes,
        n_partitions,
        reach=reach,
        progress=progress,
    )
    names = np.append(points.predictions.ids, points.prediction_invalid_id)[matched]
    kept = np.ones(len(matched), dtype=bool) if include_unmatched else matched != NONE
    return {axis: partition_tables(counts[axis], points.targets.ids, names, kept) for axis in axes}


def _check_finite(xyz: Floats) -> None:
    with np.errstate(invalid="ignore", over="ignore"):
        total = xyz.sum(dtype=np.float64)
    if np.isfinite(total):
        return
    wrong = np.flatnonzero(~np.isfinite(xyz).all(axis=1))
    if len(wrong):
        said = "Every point needs finite coordinates; {number} points have none, the first is number {first}."
        raise InputError(said, number=len(wrong), first=wrong[0] + 1)


def _first_missing(ids: Ints) -> str:
    """The first few ids missing in a row of ascending ones."""
    ends = ids.tolist()
    missing = chain.from_iterable(
        range(before + 1, after) for before, after in zip(ends[:-1], ends[1:])
    )
    found = [str(number) for number in islice(missing, _NAMED + 1)]
    return ", ".join(found[:_NAMED]) + (", …" if len(found) > _NAMED else "")


def whole_number(value: Any, name: str) -> int:
    """The value as a number of Python; InputError, naming it, unless it is an integer of 64 bits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(
            "{name} must be a whole number, not {value}.", name=name, value=repr(value)
        ) from None
    if not -(2**63) <= number < 2**63:
        raise InputError(
            "{name} must be a whole number of 64 bits, not {value}.", name=name, value=value
        )
    return number


def real_number(value: float, name: str) -> float:
    """The value as a number of Python; InputError, naming it, for anything else and NaN."""
    if not isinstance(value, (int, float, np.integer, np.floating)) or not abs(value) < np.inf:
        raise InputError("{name} must be a number, not {value}.", name=name, value=repr(value))
    return float(value)


def check_uncertain(uncertain_id: int, invalid_id: int) -> None:
    """Raise InputError for an id of uncertain predictions above that of points without an instance."""
    if whole_number(uncertain_id, "uncertain_instance_id") > invalid_id:
        said = (
            "The id of uncertain predictions ({uncertain_id}) must not be above the id of points without an instance "
            "({invalid_id})."
        )
        raise InputError(said, uncertain_id=uncertain_id, invalid_id=invalid_id)


def checked_matches(matches: ArrayLike, number: int, name: str, side: str) -> Ints:
    """The ids of matches; InputError unless there is a whole number per instance of that side."""
    ids = plain_array(matches, name)
    if ids.shape != (number,):
        said = "{name} must have one id per {side} instance ({number}); it has {ids}."
        raise InputError(said, name=name, side=side, number=number, ids=ids.size)
    if number and not np.issubdtype(ids.dtype, np.integer):
        raise InputError("{name} must be whole numbers, not {dtype}.", name=name, dtype=ids.dtype)
    return ids.astype(np.int64)


def check_known(matches: Ints, ids: Ints, no_match: tuple[int, ...], side: str, of: str) -> None:
    """Raise InputError for a match that is neither an instance nor stands for none."""
    unknown = matches[~np.isin(matches, ids) & ~np.isin(matches, no_match)]
    if len(unknown):
        said = "There is no {side} instance {id}, but {of} is matched with it."
        raise InputError(said, side=side, id=unknown[0], of=of)
