"""Clusters of crowns: other packages, a literal implementation, and the constraint."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import shapely
from support.errors import raises

from randcrowns.core.agreement import crown_clusters
from randcrowns.core.agreement.crown_clusters import CrownPairs, cluster_crowns, cluster_pairs
from randcrowns.core.errors import Cancelled

PACKAGES = json.loads(
    (Path(__file__).parent / "data" / "consensus_packages.json").read_text(encoding="utf-8")
)


def iou(first: shapely.Geometry, second: shapely.Geometry) -> float:
    shared = first.intersection(second).area
    return shared / (first.area + second.area - shared)


def literal_clusters(crowns, annotator, threshold: float) -> set[frozenset[int]]:
    """Average linkage with all pairs of clusters compared after every join."""
    clusters = [frozenset([row]) for row in range(len(crowns))]
    while True:
        best = None
        for first, second in combinations(sorted(clusters, key=min), 2):
            owners = [annotator[row] for row in first | second]
            if len(set(owners)) < len(owners):
                continue
            mean = np.mean([iou(crowns[i], crowns[j]) for i in first for j in second])
            if mean >= threshold - 1e-8 and (best is None or mean > best[0] + 1e-8):
                best = (mean, first, second)
        if best is None:
            return set(clusters)
        clusters = [one for one in clusters if one not in best[1:]] + [best[1] | best[2]]


def as_sets(cluster: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(cluster == number).tolist()) for number in np.unique(cluster)}


@pytest.mark.parametrize("number", range(len(PACKAGES["scenes"])))
def test_boxes_have_the_clusters_of_weighted_boxes_fusion(number: int) -> None:
    scene = PACKAGES["scenes"][number]
    boxes = np.array([box for layer in scene["layers"] for box in layer])
    annotator = np.repeat(np.arange(len(scene["layers"])), [*map(len, scene["layers"])])
    clusters = cluster_crowns(shapely.box(*boxes.T), annotator, PACKAGES["threshold"])
    means = np.stack(
        [np.bincount(clusters.cluster, side) / clusters.sizes for side in boxes.T], axis=1
    )
    found = sorted((*mean.round(4), size) for mean, size in zip(means, clusters.sizes))
    fused = np.round(scene["fused"], 4)
    expected = sorted((*box, size) for box, size in zip(fused, scene["members"]))
    assert len(found) == len(expected)
    # The package computes with single precision.
    np.testing.assert_allclose(found, expected, atol=1.5e-4)


@pytest.mark.parametrize("seed", range(30))
def test_average_linkage_is_the_literal_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 24
    corner = rng.uniform(0, 8, (n, 2))
    size = rng.uniform(2, 5, (n, 2))
    crowns = shapely.box(*corner.T, *(corner + size).T)
    annotator = rng.integers(0, 4, n)
    threshold = rng.choice([0.1, 0.2, 0.3, 0.5])
    found = cluster_crowns(crowns, annotator, threshold)
    expected = literal_clusters(crowns, annotator, threshold)
    assert as_sets(found.cluster) == expected
    # The pairs that share an area suffice.
    rows = [
        (i, j, iou(crowns[i], crowns[j]))
        for i, j in combinations(range(n), 2)
        if annotator[i] != annotator[j] and crowns[i].intersection(crowns[j]).area > 0
    ]
    first, second, ious = map(np.array, zip(*rows))
    from_pairs = cluster_pairs(CrownPairs(first, second, ious), annotator, threshold)
    assert as_sets(from_pairs.cluster) == expected


def test_two_crowns_of_one_annotator_stay_apart() -> None:
    crowns = shapely.box([0, 0, 0.1], 0, [4, 4, 4], 4)
    clusters = cluster_crowns(crowns, np.array([0, 0, 1]))
    # The first of the equal crowns is joined.
    assert clusters.cluster.tolist() == [0, 1, 0]


def test_a_chain_is_cut_where_the_mean_is_too_small() -> None:
    # IoU of neighbours 3/5, of the ends 1/3: their mean with the third, 7/15, is below one half.
    crowns = shapely.box([0, 1, 2], 0, [4, 5, 6], 1)
    assert cluster_crowns(crowns, np.arange(3)).cluster.tolist() == [0, 0, 1]
    assert cluster_crowns(crowns, np.arange(3), 0.46).cluster.tolist() == [0, 0, 0]


def test_similarity_is_the_mean_iou_with_the_others() -> None:
    crowns = shapely.box([0, 0, 0, 20], 0, [4, 5, 4, 24], 1)
    clusters = cluster_crowns(crowns, np.array([0, 1, 2, 0]))
    assert clusters.similarity().tolist() == pytest.approx([0.9, 0.8, 0.9, 1.0])


def test_no_crown_gives_no_cluster() -> None:
    clusters = cluster_crowns(np.empty(0, dtype=object), np.empty(0, dtype=np.int64))
    assert clusters.n_clusters == 0


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.5, float("nan")])
def test_an_impossible_threshold_is_refused(threshold: float) -> None:
    with raises("consensus.invalid_match_iou", threshold=threshold):
        cluster_crowns(shapely.box([0], 0, [1], 1), np.array([0]), threshold)


@pytest.mark.parametrize("seed", range(5))
def test_components_are_clustered_alike_in_blocks(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Five groups of crowns that share nothing, in random order, each in a block of its own."""
    rng = np.random.default_rng(seed)
    corner = rng.uniform(0, 3, (40, 2)) + 100 * rng.integers(0, 5, (40, 1))
    crowns = shapely.box(*corner.T, *(corner + rng.uniform(2, 5, (40, 2))).T)
    annotator = rng.integers(0, 4, 40)
    for name, value in (("_OPEN_PAIRS_PER_BLOCK", 1), ("_PAIRS_PER_BLOCK", 7), ("_BATCH", 3)):
        monkeypatch.setattr(crown_clusters, name, value)
    found = cluster_crowns(crowns, annotator, 0.2)
    assert as_sets(found.cluster) == literal_clusters(crowns, annotator, 0.2)


def crowns_in_one_spot(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return crowns of two annotators that all overlap by more than half, and the annotators."""
    west = np.linspace(0, 1, 2 * number)
    return shapely.box(west, 0, west + 5, 5), np.arange(2 * number) % 2


def test_too_many_pairs_of_one_component_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    crowns, annotator = crowns_in_one_spot(10)
    monkeypatch.setattr(crown_clusters, "_MAX_OPEN_PAIRS", 100)
    assert cluster_crowns(crowns, annotator).n_clusters == 10
    monkeypatch.setattr(crown_clusters, "_MAX_OPEN_PAIRS", 99)
    with raises("crowns.too_many_pairs", limit=99):
        cluster_crowns(crowns, annotator)


def test_pairs_are_limited_by_the_number_of_crowns(monkeypatch: pytest.MonkeyPatch) -> None:
    """20 crowns with 100 pairs: 5 a crown. Large layers may have more pairs than small ones."""
    crowns, annotator = crowns_in_one_spot(10)
    monkeypatch.setattr(crown_clusters, "MAX_PAIRS", 10)
    monkeypatch.setattr(crown_clusters, "MAX_PAIRS_PER_POLYGON", 5)
    assert cluster_crowns(crowns, annotator).n_clusters == 10
    monkeypatch.setattr(crown_clusters, "MAX_PAIRS_PER_POLYGON", 4)
    with raises("crowns.too_many_pairs", limit=80):
        cluster_crowns(crowns, annotator)


@pytest.mark.parametrize("step", ["add_link", "_join"])
def test_cancel_is_noticed_while_clusters_are_joined(
    monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Cancel comes with the first link or join; few of 10,000 links and 100 joins follow it."""
    crowns, annotator = crowns_in_one_spot(100)
    monkeypatch.setattr(crown_clusters, "_STEPS_PER_REPORT", 1)
    n_calls = 0
    work = getattr(crown_clusters._OpenClusters, step)

    def counted(clusters, *arguments):
        nonlocal n_calls
        n_calls += 1
        return work(clusters, *arguments)

    def progress(_fraction: float) -> None:
        if n_calls:
            raise Cancelled

    monkeypatch.setattr(crown_clusters._OpenClusters, step, counted)
    with pytest.raises(Cancelled):
        cluster_crowns(crowns, annotator, progress=progress)
    assert n_calls <= {"add_link": 1000, "_join": 1}[step]
