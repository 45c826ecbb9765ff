"""Overlap tables with the largest overlaps of each crown."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from randcrowns.core.crowns import Crowns
from randcrowns.core.instances import crowded_overlap
from randcrowns.core.instances.crowded_overlap import largest_overlaps
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap


def squares(seed: int, n: int) -> Crowns:
    """Return squares around one point, each twice."""
    rng = np.random.default_rng(seed)
    corner, side = rng.uniform(-3, 0, (n, 2)), rng.uniform(2, 5, n)
    boxes = shapely.box(*corner.T, *(corner + side[:, None]).T)
    return Crowns(np.concatenate([boxes, boxes]))


def rows(table: OverlapTable) -> list[tuple[int, int, float]]:
    """Return the pairs of a table with their shared areas."""
    columns = (table.target.tolist(), table.prediction.tolist(), table.shared.tolist())
    return list(zip(*columns))


def best_by_hand(table: OverlapTable, n_kept: int) -> set[tuple[int, int]]:
    """Return the pairs of the highest IoU of each target and of each prediction."""
    pairs = list(zip(table.target.tolist(), table.prediction.tolist(), table.iou.tolist()))
    kept: set[tuple[int, int]] = set()
    for target in range(len(table.target_size)):
        own = sorted((-iou, other) for one, other, iou in pairs if one == target)
        kept |= {(target, other) for _, other in own[:n_kept]}
    for prediction in range(len(table.prediction_size)):
        own = sorted((-iou, one) for one, other, iou in pairs if other == prediction)
        kept |= {(one, prediction) for _, one in own[:n_kept]}
    return kept


@pytest.mark.parametrize("n_kept", [1, 3, 100])
@pytest.mark.parametrize("n_collected", [10, 1000])
def test_the_largest_overlaps_of_each_crown_are_kept(
    monkeypatch: pytest.MonkeyPatch, n_kept: int, n_collected: int
) -> None:
    monkeypatch.setattr(crowded_overlap, "_BLOCK_PAIRS", 50)
    monkeypatch.setattr(crowded_overlap, "_MAX_COLLECTED", n_collected)
    targets, predictions = squares(1, 8), squares(2, 7)
    whole = polygon_overlap(targets, predictions)
    expected = best_by_hand(whole, n_kept)
    table = largest_overlaps(targets, predictions, n_kept)
    assert rows(table) == [row for row in rows(whole) if row[:2] in expected]
    assert table.target_size.tolist() == whole.target_size.tolist()
    assert table.prediction_size.tolist() == whole.prediction_size.tolist()


def test_layers_without_crowns_have_no_overlaps() -> None:
    nothing = squares(1, 0)
    assert rows(largest_overlaps(nothing, squares(2, 3))) == []
    assert rows(largest_overlaps(squares(2, 3), nothing)) == []
