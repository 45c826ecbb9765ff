from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from randcrowns.core.agreement.consensus import (
    consensus_at_level,
    majority_consensus,
    marked_polygons,
)
from randcrowns.core.agreement.disagreement import differences
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.geometry.overlay import assign_slivers, rounding_width

UTM = np.array([404_000.0, 3_285_000.0])


def crowns(rng: np.random.Generator, n: int) -> np.ndarray:
    angle = np.sort(rng.uniform(0, 2 * np.pi, (n, 24)), axis=1)
    radius = 3 * rng.uniform(0.8, 1.2, (n, 24))
    xy = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
    drawn = shapely.polygons(xy + UTM + rng.uniform(0, 60, (n, 1, 2)))
    return drawn[shapely.is_valid(drawn)]


def rounded(rng: np.random.Generator, polygons: np.ndarray, size: float) -> np.ndarray:
    """The same polygons after each coordinate was rounded otherwise."""

    def moved(coordinates: np.ndarray) -> np.ndarray:
        number = np.unique(coordinates.round(3), axis=0, return_inverse=True)[1].ravel()
        return coordinates + size * rng.integers(-3, 4, (number.max() + 1, 2))[number]

    return shapely.transform(polygons, moved)


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1e-10, 1e-9, 3e-9]))
def test_the_same_drawings_but_for_rounding_are_the_same(seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    anna = crowns(rng, 12)
    votes = VoteTable.from_polygons([anna, rounded(rng, anna, size), shapely.segmentize(anna, 0.7)])
    assert votes.patterns.tolist() == [[True, True, True]]
    assert votes.total_weight == pytest.approx(shapely.union_all(anna).area, rel=1e-6)
    assert len(differences(votes, 0, 1)) == 0


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1e-10, 1e-9, 3e-9]))
def test_consensus_and_differences_have_the_area_that_was_counted(seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    anna, cleo = crowns(rng, 12), crowns(rng, 12)
    votes = VoteTable.from_polygons([anna, rounded(rng, anna, size), cleo])
    for marked in (consensus_at_level(votes, 0), majority_consensus(votes)):
        area = shapely.area(marked_polygons(votes, marked)).sum()
        assert area == pytest.approx(votes.weights[marked].sum(), rel=1e-9)
    apart = votes.weights[votes.patterns[:, 0] != votes.patterns[:, 2]].sum()
    assert differences(votes, 0, 2)["geometry"].map(shapely.area).sum() == pytest.approx(
        apart, rel=1e-9
    )


def test_a_sliver_belongs_to_the_neighbour_it_follows_longest() -> None:
    thin = shapely.Polygon([(1, 0), (1, 1), (1, 2), (1 + 1e-9, 2), (1 + 1e-9, 0)])
    left = shapely.Polygon([(0, 0), (0, 1), (1, 1), (1, 0)])
    upper = shapely.Polygon([(0, 1), (0, 3), (1, 3), (1, 2), (1, 1)])
    right = shapely.Polygon([(1 + 1e-9, 0), (1 + 1e-9, 2), (2, 2), (2, 0)])
    assert assign_slivers(np.array([left, thin, upper, right]), 1e-6).tolist() == [0, 3, 2, 3]


def test_slivers_beside_slivers_find_a_host_and_lonely_ones_stay() -> None:
    first = shapely.box(1, 0, 1 + 1e-9, 1)
    second = shapely.box(1 + 1e-9, 0, 1 + 2e-9, 1)
    far = shapely.box(9, 9, 9 + 1e-9, 10)
    faces = np.array([second, shapely.box(0, 0, 1, 1), first, far])
    assert assign_slivers(faces, 1e-6).tolist() == [1, 1, 1, 3]


def test_the_width_follows_the_size_of_the_coordinates() -> None:
    assert rounding_width(np.array([3e6, -4e5])) == 2.0**-22
    assert rounding_width(np.array([3e-6])) == 2.0**-62
    assert rounding_width(np.empty((0, 4))) == 0
