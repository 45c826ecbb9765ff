"""Labelled point clouds: their instances, metrics of parts of trees, and validation of input."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Floats, Ints, as_array, split_range
from randcrowns.core.errors import InputError
from randcrowns.core.instances.matching import NO_MATCH, Matching, MatchingMethod, match_instances
from randcrowns.core.instances.matching_inputs import MatchingInputs
from randcrowns.core.instances.overlap import Instances, OverlapTable, count_pairs, validate_labels
from randcrowns.core.instances.partitions import (
    REACH_QUANTILE,
    instance_heights,
    partition_counts,
    partition_tables,
)
from randcrowns.core.progress import Progress, no_progress

#: Maximum number of ids that a message lists.
_MAX_LISTED = 5
#: Number of points whose neighbours are searched at a time.
_NEIGHBOURS_PER_CHUNK = 200_000
#: Error of a distance by rounding, metres.
_DISTANCE_ROUNDING = 1e-9
#: Maximum number of partitions of a tree along one axis.
_MAX_PARTITIONS = 10_000


class LabelledPoints(NamedTuple):
    """The T target and P predicted instances of a cloud of N points.

    >>> points = LabelledPoints.from_labels([0, 0, 1, -1], [0, 0, 1, 1])
    >>> points.targets.ids.tolist(), points.table.shared.tolist()
    ([0, 1], [2.0, 1.0])
    """

    targets: Instances  #: target instances.
    predictions: Instances  #: predicted instances.
    table: OverlapTable  #: numbers of points that they share.
    invalid_id: int  #: label of the points of no target.
    prediction_invalid_id: int  #: label of the points of no prediction.

    @classmethod
    def from_labels(
        cls,
        target: ArrayLike,
        prediction: ArrayLike,
        invalid_id: int = -1,
        progress: Progress = no_progress,
        prediction_invalid_id: int | None = None,
    ) -> LabelledPoints:
        """Return the instances of two label arrays.

        Args:
            target: (N,) integer label of each point in the reference.
            prediction: (N,) integer label of each point in the prediction.
            invalid_id: label of points of no instance, in both arrays.
            progress: receives the fraction done; may raise to cancel.
            prediction_invalid_id: label of points of no instance in ``prediction``, if it differs.

        Raises:
            InputError: if the labels are not integers or the arrays differ in length.
        """
        target_labels = validate_labels(target, "target")
        predicted_labels = validate_labels(prediction, "prediction")
        no_prediction = invalid_id if prediction_invalid_id is None else prediction_invalid_id
        counts = count_pairs(target_labels, predicted_labels, invalid_id, progress, no_prediction)
        return cls(
            targets=counts.targets,
            predictions=counts.predictions,
            table=OverlapTable.from_counts(counts),
            invalid_id=invalid_id,
            prediction_invalid_id=no_prediction,
        )

    @property
    def is_empty(self) -> bool:
        """True if there are no targets or no predictions."""
        return len(self.targets.ids) == 0 or len(self.predictions.ids) == 0

    def check_same_start(self) -> None:
        """Raise InputError if targets and predictions exist and their lowest ids differ."""
        if not self.is_empty and self.targets.ids[0] != self.predictions.ids[0]:
            raise InputError(
                "ids.different_start",
                "The lowest ids must be the same, but targets start with {targets} and "
                "predictions with {predictions}; number both from the same id on.",
                targets=self.targets.ids[0],
                predictions=self.predictions.ids[0],
            )

    def check_consecutive(self) -> None:
        """Raise InputError if ids have gaps or the invalid id is not below them."""
        target_ids = self.targets.ids
        n_missing_targets = _count_missing(target_ids)
        if n_missing_targets:
            raise InputError(
                "ids.target_gaps",
                "The target ids must follow one another without gaps; {n_missing} between "
                "{first} and {last} are missing ({missing}).",
                n_missing=n_missing_targets,
                first=target_ids[0],
                last=target_ids[-1],
                missing=_list_missing(target_ids),
            )
        predicted_ids = self.predictions.ids
        n_missing_predictions = _count_missing(predicted_ids)
        if n_missing_predictions:
            raise InputError(
                "ids.predicted_gaps",
                "The predicted ids must follow one another without gaps; {n_missing} between "
                "{first} and {last} are missing ({missing}).",
                n_missing=n_missing_predictions,
                first=predicted_ids[0],
                last=predicted_ids[-1],
                missing=_list_missing(predicted_ids),
            )
        if self.invalid_id >= target_ids[0]:
            raise InputError(
                "ids.no_instance_too_high",
                "The id of points without an instance ({invalid_id}) must be below the lowest "
                "instance id ({lowest}).",
                invalid_id=self.invalid_id,
                lowest=target_ids[0],
            )

    def match(self, method: MatchingMethod | str, xyz: Floats) -> Matching:
        """Match targets with predictions.

        Args:
            method: a :class:`~randcrowns.core.instances.matching.MatchingMethod` or its name.
            xyz: (N, 3) coordinates, metres; methods that need heights use z.

        Returns:
            The matching; without targets or predictions one in which nothing is matched.

        Raises:
            InputError: if the method is unknown, the ids have gaps or start differently, or a
                required height is not finite.
        """
        if self.is_empty:
            return match_instances(self.table, MatchingMethod.PANOPTIC_SEGMENTATION)
        self.check_same_start()
        self.check_consecutive()
        return match_instances(self.table, method, self.matching_inputs(xyz, [method]))

    def matching_inputs(
        self, xyz: Floats, methods: Iterable[MatchingMethod | str]
    ) -> MatchingInputs:
        """Return the measures of the instances that matching methods require.

        Args:
            xyz: (N, 3) coordinates, metres.
            methods: methods, or their names.

        Raises:
            InputError: if a method is unknown, or a required height is not finite.
        """
        heights = None
        if any(MatchingMethod.from_value(name, "matching method").uses_heights for name in methods):
            heights = instance_heights(xyz[:, 2], self.targets)
        return MatchingInputs(heights=heights)

    def target_ids(self, matching: Matching) -> Ints:
        """Return the (P,) id of each prediction's target; the invalid id without one."""
        return np.append(self.targets.ids, self.invalid_id)[matching.target]

    def prediction_ids(self, matching: Matching) -> Ints:
        """Return the (T,) id of each target's prediction; the invalid id without one."""
        return np.append(self.predictions.ids, self.prediction_invalid_id)[matching.prediction]


def validate_coordinates(xyz: ArrayLike, n_labels: int) -> Floats:
    """Validate the coordinates of points and return them as an array.

    Args:
        xyz: (N, 3) coordinates.
        n_labels: required number of points N.

    Returns:
        (N, 3) float32 or float64 array; other types of numbers become float64.

    Raises:
        InputError: for another shape, another number of points, or values that are not numbers.

    >>> validate_coordinates([[0, 0, 1], [2, 0, 1]], 2).dtype
    dtype('float64')
    """
    points = as_array(xyz, "The table of coordinates")
    if points.ndim != 2 or points.shape[1] != 3:
        raise InputError(
            "points.wrong_columns",
            "The coordinates must have three columns (x, y, z); their shape is {shape}.",
            shape=str(points.shape),
        )
    if len(points) != n_labels:
        raise InputError(
            "labels.wrong_count",
            "There are {points} points but {n_points} labels; each point needs one.",
            points=len(points),
            n_points=n_labels,
        )
    if points.dtype in (np.float32, np.float64):
        return points
    is_real = np.issubdtype(points.dtype, np.number)
    is_real = is_real and not np.issubdtype(points.dtype, np.complexfloating)
    if not is_real:
        raise InputError(
            "points.not_numeric",
            "The coordinates must be numbers, not {dtype}.",
            dtype=points.dtype,
        )
    return points.astype(np.float64)


def nearest_points(
    xyz: Floats, other_xyz: Floats, max_distance: float, progress: Progress = no_progress
) -> Ints:
    """Return the nearest point of another cloud for each point.

    So predictions of a thinned, voxelised or sorted cloud are compared with the points of the
    reference, as TreeLearn does (Henrich et al. 2024).

    Args:
        xyz: (N, 3) coordinates, metres.
        other_xyz: (M, 3) coordinates of the other cloud, metres.
        max_distance: maximum distance of a partner, metres; a point at this distance is one, also
            if rounding puts it up to 1 nm farther.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        (N,) index of the nearest point of the other cloud, M if none is near enough. Of several
        points at the same distance, any.

    >>> nearest_points(np.zeros((1, 3)), np.array([[3.0, 0, 0], [0, 1, 0]]), 2.0).tolist()
    [1]
    """
    partner = np.full(len(xyz), len(other_xyz), dtype=np.int64)
    if len(xyz) == 0 or len(other_xyz) == 0:
        return partner
    tree = scipy.spatial.cKDTree(other_xyz, balanced_tree=False, compact_nodes=False)
    # The search leaves out points at exactly the maximum distance; coordinates are rounded.
    limit = max_distance + _DISTANCE_ROUNDING
    for rows in split_range(len(xyz), _NEIGHBOURS_PER_CHUNK):
        _, partner[rows] = tree.query(xyz[rows], distance_upper_bound=limit, workers=-1)
        progress(rows.stop / len(xyz))
    return partner


def partition_metrics(
    points: LabelledPoints,
    xyz: Floats,
    matched: Ints,
    axes: tuple[str, ...],
    include_unmatched: bool,
    n_partitions: int,
    reach_quantile: float = REACH_QUANTILE,
    progress: Progress = no_progress,
) -> dict[str, tuple[pd.DataFrame, pd.DataFrame]]:
    """Compute segmentation metrics of parts of the trees along one or both axes.

    Args:
        points: the instances of N points, with T targets.
        xyz: (N, 3) coordinates, metres.
        matched: (T,) index of each target's prediction, -1 for none.
        axes: axes of the partition, see :data:`randcrowns.core.instances.partitions.AXES`.
        include_unmatched: True to include targets without a prediction.
        n_partitions: number of parts along each axis.
        reach_quantile: quantile of the target's own distances at which the last part ends.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        By axis: the metrics per part averaged over targets, and those of each target, as
        :func:`randcrowns.core.instances.partitions.partition_tables` returns them.

    Raises:
        InputError: if the number of parts is out of range or a coordinate is not finite.

    >>> points = LabelledPoints.from_labels([0, 0, 0, 0], [0, 0, 0, 0])
    >>> xyz = np.stack([np.zeros(4), np.zeros(4), np.arange(4.0)], axis=1)
    >>> means, _ = partition_metrics(points, xyz, np.array([0]), ("z",), True, 2)["z"]
    >>> means["MeanIoU"].tolist()
    [1.0, 1.0]
    """
    if not 1 <= to_integer(n_partitions, "The number of partitions") <= _MAX_PARTITIONS:
        raise InputError(
            "partitions.wrong_number",
            "There must be at least one partition and at most {most:,}, not {n_partitions}.",
            most=_MAX_PARTITIONS,
            n_partitions=n_partitions,
        )
    _check_finite(xyz)
    counts = partition_counts(
        xyz,
        points.targets,
        predictions=points.predictions,
        matched=matched,
        axes=axes,
        n_bins=n_partitions,
        reach_quantile=reach_quantile,
        progress=progress,
    )
    prediction_ids = np.append(points.predictions.ids, points.prediction_invalid_id)[matched]
    is_included = np.ones(len(matched), dtype=bool) if include_unmatched else matched != NO_MATCH
    return {
        axis: partition_tables(counts[axis], points.targets.ids, prediction_ids, is_included)
        for axis in axes
    }


def _check_finite(xyz: Floats) -> None:
    """Raise InputError if a coordinate of (N, 3) points is not finite."""
    # A sum is finite only if all values are; it needs no mask of the size of the cloud.
    with np.errstate(invalid="ignore", over="ignore"):
        total = xyz.sum(dtype=np.float64)
    if np.isfinite(total):
        return
    # The sum of finite values may still overflow.
    invalid = np.flatnonzero(~np.isfinite(xyz).all(axis=1))
    if len(invalid):
        raise InputError(
            "points.not_finite",
            "Every point needs finite coordinates; {number} points have none, "
            "the first is number {first}.",
            number=len(invalid),
            first=invalid[0] + 1,
        )


def _count_missing(ids: Ints) -> int:
    """Return how many ids between the lowest and the highest one are missing."""
    return int(ids[-1]) - int(ids[0]) + 1 - len(ids)


def _list_missing(ids: Ints) -> str:
    """Return the first few numbers that are missing in ascending ids, as text.

    >>> _list_missing(np.array([0, 2, 10]))
    '1, 3, 4, 5, 6, …'
    """
    values = ids.tolist()
    gaps = (range(before + 1, after) for before, after in zip(values[:-1], values[1:]))
    first_missing = [str(number) for number in islice(chain.from_iterable(gaps), _MAX_LISTED + 1)]
    ellipsis = ", …" if len(first_missing) > _MAX_LISTED else ""
    return ", ".join(first_missing[:_MAX_LISTED]) + ellipsis


def to_integer(value: Any, name: str) -> int:
    """Return a value as a Python integer.

    Args:
        value: the value.
        name: name of the value in messages.

    Raises:
        InputError: unless the value is an integer of at most 64 bits.

    >>> to_integer(np.int32(5), "n")
    5
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(
            "number.not_integer",
            "{name} must be a whole number, not {value}.",
            name=name,
            value=repr(value),
        ) from None
    if not -(2**63) <= number < 2**63:
        raise InputError(
            "number.not_64_bits",
            "{name} must be a whole number of 64 bits, not {value}.",
            name=name,
            value=value,
        )
    return number


def to_float(value: float, name: str) -> float:
    """Return a value as a Python float.

    Args:
        value: the value.
        name: name of the value in messages.

    Raises:
        InputError: unless the value is a finite number.

    >>> to_float(np.float32(0.5), "share")
    0.5
    """
    if not isinstance(value, (int, float, np.integer, np.floating)) or not abs(value) < np.inf:
        raise InputError(
            "number.not_a_number",
            "{name} must be a number, not {value}.",
            name=name,
            value=repr(value),
        )
    return float(value)


def check_uncertain_id(uncertain_id: int, invalid_id: int) -> None:
    """Raise InputError if the id of uncertain predictions is above the invalid id.

    Args:
        uncertain_id: id that stands for the target of an uncertain prediction.
        invalid_id: id of points without an instance.

    >>> check_uncertain_id(-2, -1)
    """
    if to_integer(uncertain_id, "uncertain_instance_id") > invalid_id:
        raise InputError(
            "ids.uncertain_above_no_instance",
            "The id of uncertain predictions ({uncertain_id}) must not be above the id of points "
            "without an instance ({invalid_id}).",
            uncertain_id=uncertain_id,
            invalid_id=invalid_id,
        )


def validate_matches(matches: ArrayLike, n_instances: int, name: str, side: str) -> Ints:
    """Validate the ids of matched instances and return them as an array.

    Args:
        matches: id of the match of each instance.
        n_instances: required number of ids n.
        name: name of the argument in messages.
        side: kind of the matched instances in messages, ``"target"`` or ``"predicted"``.

    Returns:
        (n,) int64 ids.

    Raises:
        InputError: for another number of ids, or ids that are not integers.

    >>> validate_matches([3, -1], 2, "matched_target_ids", "predicted").tolist()
    [3, -1]
    """
    ids = as_array(matches, name)
    if ids.shape != (n_instances,):
        raise InputError(
            "ids.wrong_count",
            "{name} must have one id per {side} instance ({number}); it has {ids}.",
            name=name,
            side=side,
            number=n_instances,
            ids=ids.size,
        )
    if n_instances and not np.issubdtype(ids.dtype, np.integer):
        raise InputError(
            "ids.not_integers",
            "{name} must be whole numbers, not {dtype}.",
            name=name,
            dtype=ids.dtype,
        )
    return ids.astype(np.int64)


def check_matches_exist(
    matches: Ints, ids: Ints, no_match: tuple[int, ...], side: str, matched_side: str
) -> None:
    """Raise InputError if a match is neither an existing instance nor an id for no match.

    Args:
        matches: (n,) ids of matched instances.
        ids: ids of the existing instances.
        no_match: ids that stand for no match.
        side: kind of the instances in ``ids`` for messages, ``"target"`` or ``"predicted"``.
        matched_side: what is matched with them, for messages: ``"a target"`` or ``"a prediction"``.

    >>> check_matches_exist(np.array([0, -1]), np.array([0, 1]), (-1,), "predicted", "a target")
    """
    unknown = matches[~np.isin(matches, ids) & ~np.isin(matches, no_match)]
    if len(unknown):
        raise InputError(
            "matching.unknown_instance",
            "There is no {side} instance {id}, but {of} is matched with it.",
            side=side,
            id=unknown[0],
            of=matched_side,
        )
