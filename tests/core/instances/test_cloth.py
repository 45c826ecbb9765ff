from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample import simulate_cloud
from support.examples import examples

from randcrowns.core.errors import Cancelled
from randcrowns.core.instances import cloth_simulation

#: The order in which the published program ties a node to those around it.
AROUND = ((-1, -1), (0, -1), (1, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (1, 1))


def settled_slowly(floor: np.ndarray, nodes: Sequence[tuple[int, int]]) -> np.ndarray:
    """Simulate the published cloth (rigidness 2) node by node, in the order of ``nodes``."""
    high, wide = floor.shape
    now = np.full(floor.shape, floor.max() + 0.05)
    before, free = now.copy(), np.ones(floor.shape, dtype=bool)
    ties = [(far * dy, far * dx) for far in (1, 2) for dy, dx in AROUND]
    for _ in range(100):
        fallen = np.where(free, now + 0.99 * (now - before) - 0.2, now)
        before, now = now.copy(), fallen
        for y, x in nodes:
            for dy, dx in ties:
                v, u = y + dy, x + dx
                if not (0 <= v < high and 0 <= u < wide):
                    continue
                apart = now[v, u] - now[y, x]
                if free[y, x]:
                    now[y, x] += apart * (0.42 if free[v, u] else 0.51)
                if free[v, u]:
                    now[v, u] -= apart * (0.42 if free[y, x] else 0.51)
        still = np.abs(now - before)[free].max(initial=0)
        held = free & (now < floor)
        now[held], free[held] = floor[held], False
        if 0 < still < 0.005:
            break
    return now


def in_rows(shape: tuple[int, int]) -> list[tuple[int, int]]:
    return [(y, x) for y in range(shape[0]) for x in range(shape[1])]


def by_fives(shape: tuple[int, int]) -> list[tuple[int, int]]:
    """Order the nodes by their position in blocks of five by five."""
    return sorted(in_rows(shape), key=lambda node: (node[0] % 5, node[1] % 5))


@settings(max_examples=examples(8), deadline=None)
@given(
    st.tuples(st.integers(1, 13), st.integers(1, 13)),
    st.integers(0, 1000),
    st.sampled_from([0.1, 3.0, 30.0]),
)
def test_the_cloth_lies_where_one_moved_node_by_node_lies(
    shape: tuple[int, int], seed: int, steep: float
) -> None:
    floor = np.random.default_rng(seed).uniform(-steep, steep, shape)
    np.testing.assert_allclose(
        cloth_simulation.simulate_cloth(floor), settled_slowly(floor, by_fives(shape)), atol=1e-9
    )


def test_a_cloth_on_a_flat_floor_lies_on_it() -> None:
    np.testing.assert_array_equal(
        cloth_simulation.simulate_cloth(np.full((7, 11), -2.5)), np.full((7, 11), -2.5)
    )


def test_a_cloth_bridges_a_narrow_pit_and_follows_a_wide_valley() -> None:
    floor = np.zeros((60, 60))
    floor[10, 10], floor[:, 25:55] = -4.0, -0.8
    lies = cloth_simulation.simulate_cloth(floor)
    assert lies[10, 10] > -0.3
    assert lies[30, 40] == -0.8


def filtered_by_the_library(xyz: np.ndarray) -> np.ndarray:
    csf = pytest.importorskip(
        "CSF", reason="the cloth simulation filter of its authors is not installed"
    )
    peer = csf.CSF()
    peer.params.cloth_resolution, peer.params.class_threshold, peer.params.rigidness = 0.5, 0.5, 2
    peer.params.bSloopSmooth, peer.params.interations, peer.params.time_step = False, 100, 1
    found, rest = csf.VecInt(), csf.VecInt()
    peer.setPointCloud(np.ascontiguousarray(xyz, dtype=np.float64))
    peer.do_filtering(found, rest, False)
    ground = np.zeros(len(xyz), dtype=bool)
    ground[np.array(found, dtype=np.int64)] = True
    return ground


@pytest.mark.parametrize(("seed", "steep", "differ"), [(9, 0.0, 0.01), (3, 0.3, 0.06)])
def test_the_ground_is_that_of_the_authors_own_program(
    seed: int, steep: float, differ: float
) -> None:
    """The published program moves its nodes in an order that changes with its threads."""
    xyz = simulate_cloud(20_000, seed).xyz.copy()
    xyz[:, 2] += steep * xyz[:, 1] + 10 * steep * np.sin(xyz[:, 0] / 6)
    ground = cloth_simulation.classify_ground(xyz)
    assert 0.05 < ground.mean() < 0.95
    assert np.mean(ground != filtered_by_the_library(xyz)) < differ


def test_the_ground_is_the_same_every_time_and_in_any_order_of_the_points() -> None:
    xyz = simulate_cloud(20_000, 4).xyz
    order = np.random.default_rng(1).permutation(len(xyz))
    ground = cloth_simulation.classify_ground(xyz)
    np.testing.assert_array_equal(cloth_simulation.classify_ground(xyz), ground)
    np.testing.assert_array_equal(cloth_simulation.classify_ground(xyz[order]), ground[order])


def test_ground_reaches_half_a_metre_up() -> None:
    x, y = np.meshgrid(np.arange(0, 8, 0.25), np.arange(0, 8, 0.25))
    floor = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    above = np.array([[4.1, 4.1, 0.45], [2.1, 2.1, 0.55], [6.1, 2.1, 0.45], [2.1, 6.1, 0.55]])
    found = cloth_simulation.classify_ground(np.vstack([floor, above]))
    assert found[: len(floor)].all()
    assert found[len(floor) :].tolist() == [True, False, True, False]


def test_one_point_and_points_in_a_row_are_ground() -> None:
    assert cloth_simulation.classify_ground(np.array([[5.0, 3.0, 9.0]])).tolist() == [True]
    assert cloth_simulation.classify_ground(
        np.array([[0.5 * x, 0.0, 0.1 * x] for x in range(20)])
    ).all()


def test_places_without_points_get_the_height_of_the_next_in_their_row_first_eastwards() -> None:
    none = np.nan
    heights = np.array([[none, 1.0, none, none, 2.0], [none] * 5, [3.0, none, none, none, none]])
    expected = [[1.0, 1.0, 2.0, 2.0, 2.0], [1.0, 1.0, 1.0, 2.0, 2.0], [3.0] * 5]
    found = cloth_simulation.fill_gaps(heights)
    np.testing.assert_array_equal(found[[0, 2]], [expected[0], expected[2]])
    assert found[1].tolist()[:2] == [3.0, 1.0]


def test_the_filter_tells_how_far_it_is_and_is_cancelled_within_a_round() -> None:
    xyz = simulate_cloud(400_000, 49).xyz
    told: list[float] = []

    def cancel(fraction: float) -> None:
        told.append(fraction)
        if fraction > 0.1:
            raise Cancelled

    with pytest.raises(Cancelled):
        cloth_simulation.classify_ground(xyz, cancel)
    assert told == sorted(told)
    assert 0.1 < told[-1] < 0.9


def test_other_threads_go_on_while_the_cloth_falls() -> None:
    """The window must stay responsive: another thread runs about 400 times on an idle machine."""
    floor = np.random.default_rng(0).uniform(0, 3, (600, 600))
    turns, stop = [0], threading.Event()

    def look() -> None:
        while not stop.is_set():
            time.sleep(0.001)
            turns[0] += 1

    beside = threading.Thread(target=look)
    beside.start()
    cloth_simulation.simulate_cloth(floor)
    stop.set()
    beside.join()
    assert turns[0] > 10
