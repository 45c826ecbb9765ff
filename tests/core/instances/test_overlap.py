from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.errors import ExpectedError, raises
from support.examples import examples

from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap


def test_iou_is_shared_over_union() -> None:
    table = OverlapTable(
        target=np.array([0, 1]),
        prediction=np.array([0, 0]),
        shared=np.array([2.0, 1.0]),
        target_size=np.array([4.0, 1.0]),
        prediction_size=np.array([3.0]),
    )
    np.testing.assert_array_equal(table.iou, [2 / 5, 1 / 3])
    assert table.iou_for_threshold.dtype == np.float64


def test_whole_instances_count_even_where_the_other_side_has_none() -> None:
    table = OverlapTable.from_labels([0, 0, 0, -1, 1], [0, 0, -1, 0, 1])
    assert table.target_size.tolist() == [3, 1]
    assert table.prediction_size.tolist() == [3, 1]
    assert list(zip(table.target, table.prediction, table.shared)) == [(0, 0, 2), (1, 1, 1)]
    assert table.counts_points
    assert table.iou_for_threshold.dtype == np.float32


@settings(max_examples=examples(60), deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(0, 60),
    spread=st.sampled_from([3, 12, 10**5, 2**40]),
    dtype=st.sampled_from([np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64, np.uint64]),
    invalid=st.sampled_from([-1, 0, 5]),
)
def test_from_labels_counts_as_comparing_every_pair_does(
    seed: int, n: int, spread: int, dtype: type, invalid: int
) -> None:
    rng = np.random.default_rng(seed)
    low, high = max(np.iinfo(dtype).min, -3), min(np.iinfo(dtype).max, spread)
    some = rng.integers(low, high, 7, dtype=dtype)
    target, prediction = rng.choice(some, n), rng.choice(some, n)
    every_other = np.repeat(prediction, 2)[::2]
    every_other.flags.writeable = False
    table = OverlapTable.from_labels(target, every_other, invalid)
    targets = sorted(set(target.tolist()) - {invalid})
    predictions = sorted(set(prediction.tolist()) - {invalid})
    assert table.target_size.tolist() == [(target == i).sum() for i in targets]
    assert table.prediction_size.tolist() == [(prediction == j).sum() for j in predictions]
    pairs = [
        (i, j, ((target == one) & (prediction == other)).sum())
        for i, one in enumerate(targets)
        for j, other in enumerate(predictions)
        if ((target == one) & (prediction == other)).any()
    ]
    assert list(zip(table.target, table.prediction, table.shared)) == pairs


def test_many_instances_are_counted_the_same_as_few() -> None:
    rng = np.random.default_rng(1)
    target, prediction = rng.integers(-1, 3000, 20_000), rng.integers(-1, 3000, 20_000)
    table = OverlapTable.from_labels(target, prediction)
    targets, predictions = np.unique(target)[1:], np.unique(prediction)[1:]
    real = (target >= 0) & (prediction >= 0)
    key, number = np.unique(target[real] * 10_000 + prediction[real], return_counts=True)
    np.testing.assert_array_equal(
        targets[table.target] * 10_000 + predictions[table.prediction], key
    )
    np.testing.assert_array_equal(table.shared, number)
    np.testing.assert_array_equal(table.target_size, np.bincount(target + 1)[1:][targets])


@pytest.mark.parametrize(
    ("target", "prediction", "expected"),
    [
        ([0, 1], [0], raises("labels.different_count", targets=2, predictions=1)),
        ([0.0, 1.0], [0, 1], raises("labels.not_integers")),
        ([[0, 1]], [[0, 1]], raises("labels.wrong_shape")),
        (np.array([2**63], dtype=np.uint64), [0], raises("labels.too_large")),
    ],
)
def test_labels_that_cannot_be_counted(
    target: object, prediction: object, expected: ExpectedError
) -> None:
    with expected:
        OverlapTable.from_labels(target, prediction)  # type: ignore[arg-type]


def test_the_count_can_be_cancelled() -> None:
    class Stop(Exception):
        pass

    def cancel(fraction: float) -> None:
        raise Stop

    with pytest.raises(Stop):
        OverlapTable.from_labels([0, 1], [0, 1], progress=cancel)


def test_rectangles_and_other_outlines_in_one_layer_share_what_shapely_says():
    rng = np.random.default_rng(0)
    places = rng.uniform(0, 30, (60, 2)) + 4e5
    both = []
    for movement in (0.0, 0.7):
        boxes_there = shapely.box(*(places + movement).T, *(places + movement + 4).T)
        both.append(np.where(np.arange(60) % 3 == 0, shapely.buffer(boxes_there, 0.5), boxes_there))
    table = polygon_overlap(*map(Crowns, both))
    shared = np.zeros((60, 60))
    shared[table.target, table.prediction] = table.shared
    assert (shared > 0).sum() > 60
    assert shared == pytest.approx(
        shapely.area(shapely.intersection(both[0][:, None], both[1])), abs=1e-7
    )
