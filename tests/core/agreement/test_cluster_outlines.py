"""Outlines of clusters: the majority of crowd-kit, distances, STAPLE and the medoid."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import shapely
from support.errors import raises

from randcrowns.core.agreement.cluster_outlines import (
    cluster_outlines,
    covered_at_least,
    majority_areas,
    median_areas,
    medoids,
    staple_areas,
)
from randcrowns.core.agreement.consensus import EstimationOptions
from randcrowns.core.agreement.crown_clusters import cluster_crowns
from randcrowns.core.agreement.votes import VoteTable

PACKAGES = json.loads(
    (Path(__file__).parent / "data" / "consensus_packages.json").read_text(encoding="utf-8")
)


#: Corner of a UTM zone, m.
ORIGIN = np.array([500_000, 4_000_000])


def read_mask(rows: list[str]) -> np.ndarray:
    return np.array([[digit == "1" for digit in row] for row in rows])


def outline_of(mask: np.ndarray) -> shapely.Geometry:
    """Return the area of the marked pixels, of a side of 1."""
    y, x = np.nonzero(mask)
    return shapely.union_all(shapely.box(x, y, x + 1, y + 1))


def rasterise(area: shapely.Geometry, shape: tuple[int, ...]) -> np.ndarray:
    y, x = np.mgrid[: shape[0], : shape[1]] + 0.5
    return np.asarray(shapely.contains_xy(area, x, y))


def random_crowns(rng: np.random.Generator, n_clusters: int, n_members: int) -> np.ndarray:
    angle = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    radius = 3 * rng.lognormal(0, 0.15, (n_clusters, n_members, 20))
    centre = rng.normal(0, 0.5, (n_clusters, n_members, 1, 2)) + ORIGIN
    direction = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return shapely.polygons(centre + radius[..., None] * direction)


@pytest.mark.parametrize("number", range(len(PACKAGES["masks"])))
def test_majority_is_that_of_crowd_kit(number: int) -> None:
    record = PACKAGES["masks"][number]
    masks = [read_mask(rows) for rows in record["masks"]]
    members = np.array([[outline_of(mask) for mask in masks]], dtype=object)
    expected = read_mask(record["majority"])
    area = majority_areas(members)[0]
    assert (rasterise(area, expected.shape) == expected).all()
    assert area.area == pytest.approx(expected.sum())


@pytest.mark.parametrize("n_members", [1, 2, 3, 4, 7, 12])
def test_levels_are_counts_of_crowns(n_members: int) -> None:
    rng = np.random.default_rng(n_members)
    members = random_crowns(rng, 3, n_members)
    points = rng.uniform(-4, 4, (500, 2)) + ORIGIN
    for count in range(1, n_members + 1):
        areas = covered_at_least(members, count)
        assert shapely.is_valid(areas).all()
        for crowns, area in zip(members, areas):
            covers = shapely.contains_xy(crowns[:, None], points[:, 0], points[:, 1])
            inside = shapely.contains_xy(area, points[:, 0], points[:, 1])
            assert (inside == (covers.sum(axis=0) >= count)).all()


def test_outlines_that_no_centre_sees_whole_have_the_same_levels() -> None:
    # A horseshoe, a ring, and crowns in two parts.
    shoe = shapely.box(0, 0, 9, 9) - shapely.box(3, 3, 6, 9)
    ring = shapely.box(0, 0, 9, 9) - shapely.box(3, 3, 6, 6)
    parts = shapely.MultiPolygon([shapely.box(0, 0, 3, 9), shapely.box(6, 0, 9, 9)])
    (area,) = covered_at_least(np.array([[shoe, ring, parts]], dtype=object), 2)
    assert area.equals(shoe | (ring & shoe))


def test_median_of_an_odd_number_is_the_majority() -> None:
    members = random_crowns(np.random.default_rng(5), 4, 5)
    difference = shapely.symmetric_difference(median_areas(members), majority_areas(members))
    assert shapely.area(difference) == pytest.approx(0, abs=1e-9)


def test_median_of_two_runs_in_the_middle() -> None:
    small, large = shapely.Point(0, 0).buffer([2, 4], quad_segs=64)
    area = median_areas(np.array([[small, large]], dtype=object))[0]
    distance = shapely.distance(shapely.Point(0, 0), shapely.points(area.exterior.coords))
    # The grid has cells of 1/8 m.
    np.testing.assert_allclose(distance, 3, atol=0.01)


def test_median_of_four_leaves_the_ends_out() -> None:
    circles = shapely.Point(0, 0).buffer([1, 2, 4, 9], quad_segs=64)
    area = median_areas(np.array([circles], dtype=object))[0]
    assert area.area == pytest.approx(np.pi * 3**2, rel=0.01)


def test_median_of_a_ring_keeps_its_hole() -> None:
    rings = np.array([shapely.box(0, 0, 9, 9) - shapely.box(3, 3, 6, 6)] * 2, dtype=object)
    area = median_areas(rings[None])[0]
    assert len(area.interiors) == 1
    assert area.area == pytest.approx(72, rel=0.01)


@pytest.mark.parametrize("prior", ["any", "mean", 0.3])
def test_staple_is_that_of_the_pixels_in_the_bounding_box(prior: str | float) -> None:
    rng = np.random.default_rng(3)
    masks = np.zeros((4, 12, 12), dtype=bool)
    for mask in masks:
        top, left = rng.integers(0, 4, 2)
        mask[top : top + rng.integers(5, 9), left : left + rng.integers(5, 9)] = True
    rows = np.flatnonzero(masks.any(axis=(0, 2)))
    columns = np.flatnonzero(masks.any(axis=(0, 1)))
    box = np.s_[:, rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    options = EstimationOptions(prior=prior)
    votes = VoteTable.from_stack(masks[box])
    marked = votes.on_map(options.staple(votes).marked & (votes.n_yes > 0))
    members = np.array([[outline_of(mask) for mask in masks]], dtype=object)
    assert staple_areas(members, options)[0].area == pytest.approx(marked.sum())


def test_medoid_is_a_crown_as_it_was_drawn() -> None:
    crowns = shapely.box([0, 0, 0, 20, 20], 0, [4, 5, 6, 24, 25], 4)
    clusters = cluster_crowns(crowns, np.array([0, 1, 2, 0, 1]))
    # Of two crowns, whose IoU is the same, the larger one is taken.
    assert medoids(crowns, clusters).tolist() == [1, 4]
    assert cluster_outlines(crowns, clusters, "medoid").tolist() == [crowns[1], crowns[4]]


@pytest.mark.parametrize("method", ["majority", "median", "staple", "medoid"])
def test_a_single_crown_is_its_outline(method: str) -> None:
    crowns = shapely.box([0, 9], 0, [4, 12], 4)
    clusters = cluster_crowns(crowns, np.array([0, 0]))
    assert cluster_outlines(crowns, clusters, method).tolist() == crowns.tolist()


def test_an_unknown_method_is_refused() -> None:
    crowns = shapely.box([0], 0, [4], 4)
    clusters = cluster_crowns(crowns, np.array([0]))
    with raises("key.unknown", name="mean"):
        cluster_outlines(crowns, clusters, "mean")
