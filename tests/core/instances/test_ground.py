from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from scipy.ndimage import map_coordinates

from randcrowns.core.errors import Cancelled, InputError
from randcrowns.core.instances import cloth
from randcrowns.core.instances import ground as terrain
from randcrowns.core.sample.cloud import sample_cloud

needs_filter = pytest.mark.skipif(not cloth.has_filter(), reason="the cloth simulation filter is not installed")


@needs_filter
def test_the_ground_of_a_cloud_gives_heights() -> None:
    cloud = sample_cloud(40_000, 9)
    height = terrain.height_above_terrain(cloud.xyz, np.flatnonzero(cloud.classification == 2))
    assert np.abs(height).mean() < 0.5


@needs_filter
@pytest.mark.parametrize("away", [(30.0, 0.0), (60.0, 130.0), (1000.0, 1000.0), (3e6, -2e6)])
def test_points_far_away_neither_matter_nor_take_long(away: tuple[float, float]) -> None:
    cloud = sample_cloud(20_000, 4)
    rows = np.arange(len(cloud.xyz))
    alone = terrain.height_above_terrain(cloud.xyz, rows)
    start = time.monotonic()
    height = terrain.height_above_terrain(np.append(cloud.xyz, [[*away, 0.0]], axis=0), rows)
    assert time.monotonic() - start < 20
    np.testing.assert_array_equal(height, alone)


@needs_filter
def test_a_tree_with_a_stray_point_takes_no_longer_than_its_extent_asks() -> None:
    cloud = sample_cloud(20_000, 4)
    xyz = np.append(cloud.xyz, [[130.0, 130.0, 5.0]], axis=0)
    start = time.monotonic()
    height = terrain.height_above_terrain(xyz, np.arange(len(xyz)))
    assert time.monotonic() - start < 20
    assert np.abs(height[:-1][cloud.classification == 2]).mean() < 0.5
    xyz[-1] = 3e6
    with pytest.raises(InputError, match=r"lie up to 3,000.* km apart, too far .* from 20,\d{3} points"):
        terrain.height_above_terrain(xyz, np.arange(len(xyz)))


def test_heights_between_the_nodes_are_those_of_the_whole_grid() -> None:
    rng = np.random.default_rng(2)
    ground = rng.uniform([100, -20, 0], [104, -17, 5], (600, 3))
    places = rng.uniform([99, -21], [105, -16], (300, 2))
    low, high = (np.floor(edge(ground[:, :2], axis=0) / terrain.GRID) for edge in (np.min, np.max))
    x, y = np.meshgrid(*(np.arange(a, b + 1) * terrain.GRID for a, b in zip(low, high)))
    nodes = terrain.terrain_at(ground, np.stack([x.ravel(), y.ravel()], axis=1)).reshape(x.shape)
    row, column = (places / terrain.GRID - low).T[::-1]
    expected = map_coordinates(nodes, [row, column], order=1, mode="nearest")
    np.testing.assert_allclose(terrain.terrain_at(ground, places), expected, atol=1e-9)


@needs_filter
def test_the_filter_beside_gives_the_ground_of_the_library_and_the_same_every_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cloud = sample_cloud(20_000, 4)
    told: list[float] = []
    beside = terrain.ground_points(cloud.xyz, told.append)
    assert told == sorted(told)
    assert 0 <= told[0] <= told[-1] <= 1
    np.testing.assert_array_equal(terrain.ground_points(cloud.xyz), beside)
    monkeypatch.setattr(cloth, "python_program", lambda: None)
    assert np.mean(terrain.ground_points(cloud.xyz) != beside) < 0.01
    assert 0.05 < beside.mean() < 0.95


@needs_filter
def test_the_filter_is_cancelled_at_once_and_its_process_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def noted(*arguments: object, **options: object) -> subprocess.Popen[bytes]:
        started.append(start(*arguments, **options))  # type: ignore[call-overload]
        return started[-1]

    monkeypatch.setattr(cloth.subprocess, "Popen", noted)
    cloud = sample_cloud(400_000, 49)
    asked: list[float] = []

    def cancel(fraction: float) -> None:
        if started:
            assert started[0].poll() is None
            asked.append(time.monotonic())
            raise Cancelled

    with pytest.raises(Cancelled):
        terrain.ground_points(cloud.xyz, cancel)
    assert time.monotonic() - asked[0] < 1
    assert started[0].poll() is not None


def test_the_grid_is_cancelled_between_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terrain, "_NODES_AT_ONCE", 16)
    points = np.random.default_rng(0).uniform(0, 10, (500, 3))
    told: list[float] = []

    def cancel(fraction: float) -> None:
        told.append(fraction)
        if len(told) == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        terrain.terrain_at(points, points[:, :2], cancel)
    assert told == sorted(told)


@needs_filter
def test_the_program_of_the_filter_needs_nothing_of_ours(tmp_path: Path) -> None:
    xyz = sample_cloud(5_000, 3).xyz
    points, ground = tmp_path / "points.npy", tmp_path / "ground.npy"
    np.save(points, xyz)
    alone = (
        "import runpy, sys; sys.modules['randcrowns'] = None; sys.argv = sys.argv[1:]; "
        "runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    subprocess.run([sys.executable, "-c", alone, cloth.__file__, str(points), str(ground)], check=True)
    assert np.mean(np.load(ground) != terrain.ground_points(xyz)) < 0.01


@needs_filter
def test_a_filter_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cloth, "__file__", "no such program")
    with pytest.raises(InputError, match=r"could not find the ground .*no such program"):
        terrain.ground_points(np.zeros((3, 3)))


def test_the_python_that_runs_this_is_known() -> None:
    program = cloth.python_program()
    assert program is not None
    said = subprocess.run([program, "-c", "import sys; print(sys.version)"], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == sys.version
