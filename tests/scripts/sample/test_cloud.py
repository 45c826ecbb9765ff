from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample.cloud import GROUND, TREE, UNDERSTOREY, simulate_cloud
from support.errors import raises
from support.examples import examples

from randcrowns.core.instances.matching import match_instances
from randcrowns.core.instances.overlap import OverlapTable
from randcrowns.core.instances.summary import summarise_instances


def test_the_seed_decides_everything() -> None:
    one, same, other = (
        simulate_cloud(5000, 9),
        simulate_cloud(5000, 9),
        simulate_cloud(5000, 9, seed=1),
    )
    for a, b in zip(one, same):
        np.testing.assert_array_equal(a, b)
    assert not np.array_equal(one.xyz, other.xyz)


def test_the_cloud_of_a_seed_is_the_one_that_was_shipped() -> None:
    cloud = simulate_cloud(5000, 9)
    assert cloud.xyz.mean(axis=0) == pytest.approx([8.2067, 7.9464, 9.4573], abs=1e-3)
    assert cloud.xyz.std(axis=0) == pytest.approx([4.6680, 4.3692, 7.0966], abs=1e-3)
    assert np.bincount(cloud.classification).tolist() == [0, 0, 750, 650, 0, 3600]
    assert np.bincount(cloud.prediction + 1).tolist() == [
        1696,
        326,
        338,
        297,
        342,
        708,
        450,
        583,
        138,
        122,
    ]
    assert cloud.scores.sum() == pytest.approx(4.8620, abs=1e-3)


@settings(max_examples=examples(20), deadline=None)
@given(n_trees=st.integers(1, 60), per_tree=st.integers(10, 100), seed=st.integers(0, 2**32))
def test_every_tree_is_there_and_ids_have_no_gaps(n_trees: int, per_tree: int, seed: int) -> None:
    n = n_trees * per_tree
    cloud = simulate_cloud(n, n_trees, seed=seed)
    assert cloud.xyz.shape == (n, 3)
    assert np.isfinite(cloud.xyz).all()
    assert np.unique(cloud.target[cloud.target >= 0]).tolist() == list(range(n_trees))
    assert np.unique(cloud.prediction[cloud.prediction >= 0]).tolist() == list(
        range(len(cloud.scores))
    )
    assert ((cloud.target >= 0) == (cloud.classification == TREE)).all()
    assert set(np.unique(cloud.classification)) <= {GROUND, UNDERSTOREY, TREE}


def test_the_prediction_has_splits_merges_misses_and_inventions() -> None:
    cloud = simulate_cloud(60_000, 60)
    table = OverlapTable.from_labels(cloud.target, cloud.prediction)
    found, cut = (
        match_instances(table, "panoptic_segmentation"),
        match_instances(table, "for_ai_net_coverage"),
    )
    row = summarise_instances(table, found, cut).iloc[0]
    assert row["splits"] >= 3
    assert row["merges"] >= 3
    assert row["fn"] >= 3
    assert row["fp"] >= 3
    assert row["tp"] > 40
    trunks = cloud.xyz[(cloud.target >= 0)]
    assert trunks[:, 2].max() > 15


@pytest.mark.parametrize(("points", "trees"), [(100, 0), (99, 10)])
def test_refuses(points: int, trees: int) -> None:
    with raises("sample.too_few_points"):
        simulate_cloud(points, trees)
