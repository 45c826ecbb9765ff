from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.errors import raises
from support.examples import examples

from randcrowns.core.instances import overlap as label_counts
from randcrowns.core.instances import partitions
from randcrowns.core.instances import pointtree as point_cloud
from randcrowns.core.instances.overlap import count_pairs
from randcrowns.core.instances.partitions import (
    PartitionCounts,
    instance_heights,
    partition_counts,
    partition_tables,
)


def quantile(ordered: np.ndarray, level: float) -> float:
    place = (len(ordered) - 1) * level
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    found = ordered[below] * (1 - (place - below)) + ordered[above] * (place - below)
    assert found == pytest.approx(np.quantile(ordered, level))
    return float(found)


def counted_slowly(
    xyz: np.ndarray,
    target: np.ndarray,
    prediction: np.ndarray,
    matched: list[int],
    axis: str,
    n: int,
    reach: float,
) -> PartitionCounts:
    ids, names = sorted(set(target.tolist()) - {-1}), sorted(set(prediction.tolist()) - {-1})
    tables = np.zeros((3, len(ids), n), dtype=int)
    for t, own in enumerate(ids):
        mine = target == own
        match = (
            (prediction == names[matched[t]])
            if matched[t] >= 0
            else np.zeros(len(target), dtype=bool)
        )
        base = xyz[mine, 2].min()
        low = mine & (xyz[:, 2] <= base + 0.30)
        trunk = np.add.accumulate(xyz[low, :2])[-1] / low.sum()
        across, up = (xyz[:, :2] - trunk).T
        distance = xyz[:, 2] - base if axis == "z" else np.sqrt(across * across + up * up)
        end = quantile(np.sort(distance[mine]), reach)
        for i in np.flatnonzero(mine | match):
            share = distance[i] / end if end else np.nan
            if 0 <= share < 1 or (share == 1 and reach == 1):
                place = int(np.floor(share / (1 / n)))
                if place >= n and reach < 1:
                    continue
                place = min(place, n - 1)
                tables[:, t, place] += mine[i], match[i], mine[i] and match[i]
    return PartitionCounts(*tables)


def counted(
    xyz: np.ndarray,
    target: np.ndarray,
    prediction: np.ndarray,
    matched: list[int],
    axis: str,
    n: int,
    reach: float,
) -> PartitionCounts:
    pairs = count_pairs(target, prediction, -1)
    found = partition_counts(
        xyz, pairs.targets, pairs.predictions, np.array(matched), (axis,), n, reach_quantile=reach
    )
    return found[axis]


@settings(max_examples=examples(50), deadline=None)
@given(
    seed=st.integers(0, 2**32),
    axis=st.sampled_from(["xy", "z"]),
    n=st.integers(1, 12),
    reach=st.sampled_from([0.95, 1.0, 0.5]),
    chunk=st.sampled_from([7, 1 << 17]),
    many=st.sampled_from([2, 3, 12]),
    shared=st.booleans(),
    order=st.sampled_from(["C", "F"]),
)
def test_counts_against_masks_per_tree(
    seed: int, axis: str, n: int, reach: float, chunk: int, many: int, shared: bool, order: str
) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 80))
    target, prediction = rng.integers(-1, 5, size), rng.integers(-1, 1 if shared else 5, size)
    if (target < 0).all() or (prediction < 0).all():
        target[0] = prediction[0] = 0
    xyz = np.asarray(rng.normal(0, 2, (size, 3)), order=order)
    n_targets = len(set(target.tolist()) - {-1})
    n_predictions = len(set(prediction.tolist()) - {-1})
    matched = rng.integers(-1, n_predictions, n_targets).tolist()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partitions, "POINTS_PER_CHUNK", chunk)
        patch.setattr(partitions, "POINTS_PER_CHUNK", 2 * chunk)
        patch.setattr(partitions, "_PIECE", chunk)
        patch.setattr(partitions, "_MANY", many)
        found = counted(xyz, target, prediction, matched, axis, n, reach)
    for one, other in zip(found, counted_slowly(xyz, target, prediction, matched, axis, n, reach)):
        np.testing.assert_array_equal(one, other)


LINE = np.stack([np.zeros(21), np.zeros(21), np.arange(21.0)], axis=1)
ALL = np.zeros(21, dtype=int)


def test_points_at_or_beyond_the_quantile_drop_out() -> None:
    found = counted(LINE, ALL, ALL, [0], "z", 19, 0.95)
    assert found.target.tolist() == [[1] * 19]
    assert found.both.sum() == 19


@pytest.mark.parametrize(("kind", "edge"), [(np.float64, 2), (np.float32, 3)])
def test_on_the_edge_of_a_bin_rounding_decides_as_in_the_reference(kind: type, edge: int) -> None:
    xyz = np.zeros((5, 3), dtype=kind)
    xyz[:, 2] = 0, 3, 10, 10, 10
    found = counted(xyz, np.zeros(5, dtype=int), np.zeros(5, dtype=int), [0], "z", 10, 1.0)
    assert np.flatnonzero(found.target[0]).tolist() == [0, edge, 9]


def test_the_quantile_is_rounded_as_in_the_reference() -> None:
    xyz = np.zeros((6, 3))
    xyz[:, 2] = 0.0, 0.7, 0.9, 1.0, 1.9, 2.7
    found = counted(xyz, np.zeros(6, dtype=int), np.zeros(6, dtype=int), [0], "z", 10, 0.95)
    assert np.flatnonzero(found.target[0]).tolist() == [0, 2, 3, 7]


# The sum of 1.6 and 0.30 is rounded up in single precision, the sum of 191.09 and 0.30 is rounded
# down in double precision.
@pytest.mark.parametrize(
    ("base", "top", "in_trunk"), [(1.6, 1.9000001, False), (191.09, 191.39, True)]
)
def test_the_top_of_the_trunk_is_added_in_double_precision_and_then_rounded(
    base: float, top: float, in_trunk: bool
) -> None:
    xyz = np.array([[0, 0, base], [2, 0, top], [8, 0, base + 9]], dtype=np.float32)
    found = counted(xyz, np.zeros(3, dtype=int), np.zeros(3, dtype=int), [0], "xy", 8, 1.0)
    assert np.flatnonzero(found.target[0]).tolist() == ([1, 7] if in_trunk else [0, 2, 7])


@pytest.mark.parametrize(
    ("kind", "far"), [(np.float32, 1e30), (np.float64, 1e200), (np.float64, 1.7e308)]
)
def test_distances_too_large_to_compute_leave_only_the_trunks(kind: type, far: float) -> None:
    xyz = np.array([[0, 0, 0], [far, far, 0], [far, 0, 1], [0, 0, 2]], dtype=kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one = point_cloud.evaluate_instance_segmentation(xyz, *np.zeros((2, 4), dtype=int))
        two = point_cloud.evaluate_instance_segmentation(
            xyz, np.array([0, 1, 0, 1]), np.zeros(4, dtype=int)
        )
    assert one[2] is not None
    assert one[2]["MeanIoU"].isna().all()
    assert two[3] is not None
    assert two[3]["Recall"].dropna().tolist() == [1.0, 1.0]


def test_with_the_documented_maximum_the_farthest_point_counts() -> None:
    assert counted(LINE, ALL, ALL, [0], "z", 4, 1.0).target.tolist() == [[5, 5, 5, 6]]


def test_points_of_the_prediction_below_the_base_drop_out() -> None:
    xyz = np.vstack([LINE, [[0, 0, -1.0], [0, 0, 3.0]]])
    target = np.append(ALL, [-1, -1])
    found = counted(xyz, target, np.zeros(23, dtype=int), [0], "z", 19, 0.95)
    assert found.prediction.sum() == 20
    assert found.prediction[0, 3] == 2


def test_the_trunk_is_where_the_lowest_thirty_centimetres_are() -> None:
    xyz = np.array([[0.0, 0, 0], [2.0, 0, 0.25], [40.0, 0, 0.35], [1.0, 4.0, 1.0], [1.0, 3.0, 1.0]])
    found = counted(xyz, np.zeros(5, dtype=int), np.zeros(5, dtype=int), [0], "xy", 4, 1.0)
    assert found.target.tolist() == [[4, 0, 0, 1]]


def test_a_point_exactly_thirty_centimetres_up_belongs_to_the_trunk() -> None:
    xyz = np.array([[0.0, 0, 0], [2.0, 0, 0.30], [1.0, 4.0, 1.0], [1.0, 3.0, 1.0]])
    found = counted(xyz, np.zeros(4, dtype=int), np.zeros(4, dtype=int), [0], "xy", 4, 1.0)
    assert found.target.tolist() == [[0, 2, 0, 2]]


def test_one_prediction_of_two_targets_is_in_the_bins_of_both() -> None:
    xyz = np.array([[0.0, 0, 0], [0.0, 0, 1], [0.0, 0, 2]] * 2)
    target = np.array([0, 0, 0, 1, 1, 1])
    found = counted(xyz, target, np.zeros(6, dtype=int), [0, 0], "z", 1, 1.0)
    assert found.prediction.tolist() == [[6], [6]]
    assert found.both.tolist() == [[3], [3]]


def test_a_tree_without_extent_has_nan() -> None:
    xyz = np.zeros((3, 3))
    found = counted(xyz, np.zeros(3, dtype=int), np.zeros(3, dtype=int), [0], "z", 2, 0.95)
    means, each = partition_tables(found, np.array([4]), np.array([7]), np.array([True]))
    assert list(means.columns) == ["Partition", "MeanIoU", "MeanPrecision", "MeanRecall"]
    assert list(each.columns) == [
        "TargetID",
        "PredictionID",
        "Partition",
        "IoU",
        "Precision",
        "Recall",
    ]
    assert means[["MeanIoU", "MeanPrecision", "MeanRecall"]].isna().to_numpy().all()
    assert each["IoU"].isna().all()
    assert each["TargetID"].tolist() == [4, 4]


def test_means_skip_what_cannot_be_computed() -> None:
    counts = PartitionCounts(
        np.array([[2, 0], [4, 0]]), np.array([[0, 0], [2, 1]]), np.array([[0, 0], [2, 0]])
    )
    means, each = partition_tables(
        counts, np.array([0, 1]), np.array([-1, 0]), np.array([True, True])
    )
    np.testing.assert_array_equal(means["MeanIoU"], [0.25, 0.0])
    np.testing.assert_array_equal(means["MeanPrecision"], [1.0, 0.0])
    np.testing.assert_array_equal(means["MeanRecall"], [0.25, np.nan])
    assert each["Partition"].tolist() == [0, 1, 0, 1]
    only = partition_tables(counts, np.array([0, 1]), np.array([-1, 0]), np.array([False, True]))
    assert only[1]["TargetID"].tolist() == [1, 1]
    np.testing.assert_array_equal(only[0]["MeanIoU"], [0.5, 0.0])


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("chunk", [5, 1 << 17])
def test_heights(kind: type, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "POINTS_PER_CHUNK", chunk)
    rng = np.random.default_rng(0)
    target = rng.integers(-1, 6, 60)
    z = rng.normal(size=60).astype(kind)
    found = instance_heights(z, count_pairs(target, target, -1).targets)
    assert found.dtype == kind
    np.testing.assert_array_equal(found, [np.ptp(z[target == i]) for i in range(6)])
    z[target == 3] = np.nan
    with raises("partitions.no_height", target=3):
        instance_heights(z, count_pairs(target, target, -1).targets)


def test_grouping_keeps_the_order_within_a_group() -> None:
    values, ends = label_counts.group_by_instance(
        np.array([10, 11, 12, 13]), np.array([1, 0, 1, 0], dtype=np.int32), 3
    )
    assert values.tolist() == [11, 13, 10, 12]
    assert ends.tolist() == [0, 2, 4, 4]
