from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from randcrowns.core.errors import Cancelled
from randcrowns.core.instances.labelled_points import LabelledPoints, partition_metrics
from randcrowns.core.instances.overlap import count_pairs
from randcrowns.core.instances.partitions import AXES, PartitionCounts, partition_counts
from randcrowns.core.progress import Progress, no_progress

N = 300_000


def one_for_all(n_targets: int, progress: Progress = no_progress) -> float:
    """Return the memory per point, in bytes, to evaluate one prediction with all targets in it."""
    rng = np.random.default_rng(0)
    target, xyz = rng.integers(0, n_targets, N), rng.uniform(0, 50, (N, 3))
    prediction = np.zeros(N, dtype=np.int64)
    tracemalloc.start()
    try:
        points = LabelledPoints.from_labels(target, prediction)
        partition_metrics(
            points, xyz, np.zeros(n_targets, dtype=np.int64), AXES, True, 10, progress=progress
        )
        return tracemalloc.get_traced_memory()[1] / N
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("n_targets", [1, 2, 11, 12, 40])
def test_memory_does_not_grow_with_the_targets_of_a_prediction(n_targets: int) -> None:
    assert one_for_all(n_targets) <= 65


def test_a_cancel_is_heard_while_one_prediction_is_counted_for_many_targets() -> None:
    told: list[float] = []

    def cancel(fraction: float) -> None:
        told.append(fraction)
        if fraction > 0.9:
            raise Cancelled

    with pytest.raises(Cancelled):
        one_for_all(40, cancel)
    assert told == sorted(told)
    assert 0.9 < told[-1] < 0.99


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("reach", [0.95, 1.0])
def test_many_targets_of_one_prediction_are_counted_as_one_by_one(kind: type, reach: float) -> None:
    rng = np.random.default_rng(5)
    n, n_targets = 3_000, 30
    centre = rng.uniform(0, 40, (n_targets, 3))
    target = rng.integers(0, n_targets, n)
    prediction = np.where(rng.random(n) < 0.8, 0, -1)
    centre += (500_000, 4_200_000, 0)
    xyz = np.round(centre[target] + rng.normal(0, 3, (n, 3)), 1).astype(kind)
    pairs = count_pairs(target, prediction, -1)

    def counted(matched: np.ndarray, n_bins: int = 10) -> dict[str, PartitionCounts]:
        return partition_counts(
            xyz,
            pairs.targets,
            pairs.predictions,
            matched,
            ("xy", "z"),
            n_bins,
            reach_quantile=reach,
        )

    together = counted(np.zeros(n_targets, dtype=np.int64))
    assert together["xy"].prediction.sum() > 2 * together["xy"].target.sum()
    for i in range(n_targets):
        alone = counted(np.where(np.arange(n_targets) == i, 0, -1))
        for axis in ("xy", "z"):
            for one, all_ in zip(alone[axis], together[axis]):
                np.testing.assert_array_equal(one[i], all_[i])
