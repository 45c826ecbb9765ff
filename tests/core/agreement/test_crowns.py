from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import shapely
from support.errors import raises

from randcrowns.core.agreement.measures import PAIR_COLUMNS, annotator_instances
from randcrowns.core.instances.metrics import count_merges, count_splits, panoptic_quality
from randcrowns.core.instances.overlap import OverlapTable


def overlaps(
    pairs: list[tuple[int, int, float]], targets: list[float], predictions: list[float]
) -> OverlapTable:
    target, prediction, shared = (
        (np.array(column) for column in zip(*pairs)) if pairs else (np.empty(0, int),) * 3
    )
    return OverlapTable(
        target, prediction, shared.astype(float), np.array(targets), np.array(predictions)
    )


def test_panoptic_quality_by_hand() -> None:
    # IoUs 8/10, 6/10 and 5/15; one target and two predictions are left over.
    table = overlaps([(0, 0, 8), (1, 1, 6), (2, 2, 5)], [9.0, 8.0, 10.0], [9.0, 8.0, 10.0, 3.0])
    found = panoptic_quality(table)
    assert found.sq == pytest.approx((8 / 10 + 6 / 10) / 2)
    assert found.rq == pytest.approx(2 / (2 + 0.5 * (1 + 2)))
    assert found.pq == pytest.approx(found.sq * found.rq)
    assert (found.n_matched, found.n_unmatched_targets, found.n_unmatched_predictions) == (2, 1, 2)


def test_an_iou_of_one_half_is_no_match() -> None:
    found = panoptic_quality(overlaps([(0, 0, 1)], [1.0], [2.0]))
    assert (found.n_matched, found.pq) == (0, 0)
    assert np.isnan(found.sq)


def test_without_instances_there_is_no_quality() -> None:
    found = panoptic_quality(overlaps([], [], []))
    assert np.isnan([found.pq, found.sq, found.rq]).all()
    assert panoptic_quality(overlaps([], [4.0], [])).pq == 0


def test_splits_and_merges_by_hand() -> None:
    table = overlaps(
        [(0, 0, 4), (0, 1, 5), (0, 2, 1), (1, 2, 4), (2, 2, 3)], [10.0, 5.0, 4.0], [4.0, 6.0, 8.0]
    )
    np.testing.assert_array_equal(count_splits(table), [2, 0, 0])
    np.testing.assert_array_equal(count_merges(table), [0, 0, 2])
    np.testing.assert_array_equal(count_splits(table, min_share=0), [3, 1, 1])
    np.testing.assert_array_equal(count_splits(overlaps([(0, 0, 1)], [4.0], [2.0])), [0])
    for share in (-0.1, 1, np.nan):
        with raises("metrics.invalid_share"):
            count_splits(table, share)
        with raises("metrics.invalid_share"):
            count_merges(table, share)


def test_annotators_crown_by_crown() -> None:
    layers = {
        "ann": [shapely.box(0, 0, 10, 10), shapely.box(20, 0, 30, 10)],
        "bob": [shapely.box(0, 0, 5, 10), shapely.box(5, 0, 10, 10), shapely.box(20, 0, 29, 10)],
        "eve": [shapely.box(0, 0, 30, 10)],
    }
    told: list[float] = []
    table = annotator_instances(layers, progress=told.append)
    assert tuple(table.columns) == PAIR_COLUMNS
    pairs = table.set_index(["first", "second"])
    ann_bob = pairs.loc[("ann", "bob")]
    assert ann_bob.matched == 1
    assert ann_bob.sq == pytest.approx(0.9)
    assert (
        ann_bob.only_first,
        ann_bob.only_second,
        ann_bob.splits,
        ann_bob.merges,
    ) == (1, 2, 1, 0)
    assert pairs.loc[("ann", "eve")].merges == 1
    assert pairs.loc[("bob", "eve"), "merges"] == 1
    assert told[-1] == 1


def test_the_study_area_cuts_crowns() -> None:
    layers = {
        "a": [shapely.box(0, 0, 10, 10), shapely.box(50, 50, 60, 60)],
        "b": [shapely.box(0, 0, 4, 10)],
    }
    row = annotator_instances(layers, shapely.box(0, 0, 5, 10)).iloc[0]
    assert (row["first"], row.matched, row.only_first) == ("a", 1, 0)
    assert row.sq == pytest.approx(0.8)


def test_empty_identical_and_single_annotators() -> None:
    box = shapely.box(0, 0, 1, 1)
    assert annotator_instances([[box], [box]]).pq.tolist() == [1]
    assert np.isnan(annotator_instances([[], [None]]).pq[0])
    assert annotator_instances([[box], []]).pq.tolist() == [0]
    assert annotator_instances([[box], [shapely.box(5, 5, 6, 6)]]).pq.tolist() == [0]
    assert len(annotator_instances([[box]])) == 0


def test_what_is_no_crown_is_refused() -> None:
    with raises("crowns.not_geometry"):
        annotator_instances([["tree"], []])


def test_cut_and_repaired_crowns_keep_their_polygons() -> None:
    # The study area only touches one side of the crown's arm: a line, which is no crown.
    crown = shapely.Polygon([(0, 0), (4, 0), (4, 2), (2, 2), (2, 6), (0, 6)])
    area = [shapely.box(0, 0, 4, 1), shapely.box(2, 3, 5, 6)]
    row = annotator_instances([[crown], [shapely.box(0, 0, 4, 1)]], area).iloc[0]
    assert (row.matched, row.pq) == (1, pytest.approx(1))
    bow_tie = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    assert annotator_instances([[bow_tie], [bow_tie]]).pq.tolist() == pytest.approx([1])


@pytest.mark.parametrize("seed", range(3))
def test_a_pair_is_compared_where_both_have_reviewed(seed) -> None:
    # For two annotators, this is a study area.
    rng = np.random.default_rng(seed)
    corner = rng.uniform(0, 90, (40, 2))
    layers = {}
    for name in ("ann", "ben", "eve"):
        moved = corner + rng.normal(0, 0.5, corner.shape)
        layers[name] = shapely.box(*moved.T, *(moved + 5).T)[rng.random(40) < 0.8]
    area = shapely.box(10, 0, 95, 95)
    reviewed = {"ann": shapely.box(0, 0, 70, 95), "ben": shapely.box(0, 20, 95, 95)}
    table = annotator_instances(layers, area, reviewed=reviewed)
    for row in range(3):
        names = table.loc[row, ["first", "second"]].tolist()
        own = [area, *(reviewed[name] for name in names if name in reviewed)]
        common = shapely.intersection_all(own)
        expected = annotator_instances({name: layers[name] for name in names}, common)
        found = table.loc[[row]].reset_index(drop=True)
        pd.testing.assert_frame_equal(found, expected, atol=1e-12, rtol=0)
    assert not table.equals(annotator_instances(layers, area))
