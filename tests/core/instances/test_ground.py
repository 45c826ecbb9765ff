from __future__ import annotations

from time import process_time

import numpy as np
import pytest
from sample import simulate_cloud
from scipy.ndimage import map_coordinates
from support.errors import raises

from randcrowns.core.errors import Cancelled
from randcrowns.core.instances import ground as terrain


def test_the_ground_of_a_cloud_gives_heights() -> None:
    cloud = simulate_cloud(40_000, 9)
    height = terrain.height_above_terrain(cloud.xyz, np.flatnonzero(cloud.classification == 2))
    assert np.abs(height).mean() < 0.5


@pytest.fixture(scope="module")
def few_trees() -> tuple[np.ndarray, np.ndarray]:
    """Return a small cloud and its heights above the terrain."""
    xyz = simulate_cloud(20_000, 4).xyz
    return xyz, terrain.height_above_terrain(xyz, np.arange(len(xyz)))


@pytest.mark.parametrize("away", [(30.0, 0.0), (60.0, 130.0), (1000.0, 1000.0), (3e6, -2e6)])
def test_points_far_away_neither_matter_nor_take_long(
    few_trees: tuple[np.ndarray, np.ndarray], away: tuple[float, float]
) -> None:
    xyz, alone = few_trees
    start = process_time()
    height = terrain.height_above_terrain(
        np.append(xyz, [[*away, 0.0]], axis=0), np.arange(len(xyz))
    )
    assert process_time() - start < 20
    np.testing.assert_array_equal(height, alone)


def test_a_tree_with_a_stray_point_takes_no_longer_than_its_extent_asks() -> None:
    cloud = simulate_cloud(20_000, 4)
    xyz = np.append(cloud.xyz, [[130.0, 130.0, 5.0]], axis=0)
    start = process_time()
    height = terrain.height_above_terrain(xyz, np.arange(len(xyz)))
    assert process_time() - start < 20
    assert np.abs(height[:-1][cloud.classification == 2]).mean() < 0.5
    xyz[-1] = 3e6
    with raises("terrain.too_wide"):
        terrain.height_above_terrain(xyz, np.arange(len(xyz)))


def test_heights_between_the_nodes_are_those_of_the_whole_grid() -> None:
    rng = np.random.default_rng(2)
    ground = rng.uniform([100, -20, 0], [104, -17, 5], (600, 3))
    places = rng.uniform([99, -21], [105, -16], (300, 2))
    low, high = (
        np.floor(edge(ground[:, :2], axis=0) / terrain.GRID_SPACING) for edge in (np.min, np.max)
    )
    x, y = np.meshgrid(*(np.arange(a, b + 1) * terrain.GRID_SPACING for a, b in zip(low, high)))
    nodes = terrain.interpolate_terrain(ground, np.stack([x.ravel(), y.ravel()], axis=1)).reshape(
        x.shape
    )
    row, column = (places / terrain.GRID_SPACING - low).T[::-1]
    expected = map_coordinates(nodes, [row, column], order=1, mode="nearest")
    np.testing.assert_allclose(terrain.interpolate_terrain(ground, places), expected, atol=1e-9)


def test_the_grid_is_cancelled_between_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terrain, "_NODES_AT_ONCE", 16)
    points = np.random.default_rng(0).uniform(0, 10, (500, 3))
    told: list[float] = []

    def cancel(fraction: float) -> None:
        told.append(fraction)
        if len(told) == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        terrain.interpolate_terrain(points, points[:, :2], cancel)
    assert told == sorted(told)
