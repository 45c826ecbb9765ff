from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import affinity
from support.crowns import random_pairs
from support.examples import examples

from randcrowns.core.crowns import Crowns
from randcrowns.core.geometry import areas
from randcrowns.core.geometry.areas import (
    box_edges,
    intersecting_pairs,
    iterate_intersecting_pairs,
    pair_edges,
    polygon_edges,
    shared_areas,
)


def shared(first, second) -> np.ndarray:
    first, second = np.asarray(first, dtype=object), np.asarray(second, dtype=object)
    rows = np.arange(len(first))
    paired = pair_edges(polygon_edges(second), len(second), rows, rows, shapely.bounds(first))
    return shared_areas(polygon_edges(first), paired, len(first))


#: One of each kind.
PAIRS = list(random_pairs(4, 100))


def test_agrees_with_overlays_for_every_kind_of_pair() -> None:
    _, targets, drawn = zip(*random_pairs(1, 500))
    targets, drawn = np.array(targets), np.array(drawn)
    np.testing.assert_allclose(
        shared(targets, drawn), shapely.area(shapely.intersection(targets, drawn)), atol=1e-11
    )


@pytest.mark.parametrize(
    ("second", "area"),
    [
        (shapely.box(0, 0, 2, 2), 4.0),
        (shapely.box(2, 0, 4, 2), 0.0),
        (shapely.box(2, 2, 4, 4), 0.0),
        (shapely.box(0, 0, 1, 2), 2.0),
        (shapely.box(0.5, 0.5, 1.5, 1.5), 1.0),
        (shapely.box(-1, -1, 3, 3), 4.0),
        (shapely.Polygon([(0, 0), (2, 0), (2, 2)]), 2.0),
        (shapely.Polygon([(1, -1), (3, 1), (1, 3), (-1, 1)]), 4.0),
        (shapely.box(-1, -1, 3, 3).difference(shapely.box(0.5, 0, 2, 2)), 1.0),
        (shapely.Polygon(), 0.0),
    ],
)
def test_known_areas_with_a_square_of_side_two(second, area: float) -> None:
    assert shared([shapely.box(0, 0, 2, 2)], [second])[0] == pytest.approx(area, abs=1e-14)


@pytest.mark.parametrize("side", [1, -1])
def test_edges_beyond_a_region_are_left_out(side: int) -> None:
    region, row = shapely.box(0, -1, 2, 1), np.zeros(1, dtype=int)
    tall = affinity.scale(
        shapely.Polygon([(0.5, 0.5), (1, 0.8), (1.5, 0.5), (1.5, 9), (0.5, 8)]),
        1,
        side,
        origin=(0, 0),
    )
    paired = pair_edges(polygon_edges(np.array([tall])), 1, row, row, shapely.bounds([region]))
    assert len(paired.pair) == 2
    assert shared([region], [tall])[0] == pytest.approx(region.intersection(tall).area, rel=1e-14)


def test_orientation_of_rings_does_not_matter() -> None:
    ring = shapely.box(0, 0, 10, 10).difference(shapely.box(2, 2, 8, 8))
    square = shapely.box(1, 1, 5, 9)
    turned = shapely.Polygon(
        ring.exterior.coords[::-1], [hole.coords[::-1] for hole in ring.interiors]
    )
    half = shapely.Polygon(ring.exterior.coords, [hole.coords[::-1] for hole in ring.interiors])
    expected = ring.intersection(square).area
    for other in (turned, half):
        assert shared([other], [square])[0] == pytest.approx(expected, rel=1e-14)
        assert shared([square], [other])[0] == pytest.approx(expected, rel=1e-14)


def test_many_pairs_of_one_target_and_targets_without_pairs() -> None:
    _, targets, drawn = zip(*random_pairs(2, 60))
    targets, drawn = np.array(targets), np.array(drawn)
    rng = np.random.default_rng(0)
    target, drawn_row = rng.integers(0, 20, 300), rng.integers(0, 60, 300)
    paired = pair_edges(polygon_edges(drawn), 60, drawn_row, target)
    expected = shapely.area(shapely.intersection(targets[target], drawn[drawn_row]))
    np.testing.assert_allclose(
        shared_areas(polygon_edges(targets), paired, 60), expected, atol=1e-11
    )
    some = expected > np.median(expected)
    np.testing.assert_allclose(
        shared_areas(polygon_edges(targets), paired.select_pairs(some), 60),
        np.where(some, expected, 0),
        atol=1e-11,
    )


def test_boxes_turned_inside_out_have_no_edges() -> None:
    bounds = np.array([[0.0, 0, 1, 1], [2, 0, 1, 1], [0, 0, 0, 1]])
    assert set(box_edges(bounds).polygon) == {0}


def test_polygons_narrower_than_rounding_share_nothing() -> None:
    narrow = shapely.box(1e6, 0, np.nextafter(1e6, 2e6), 1)
    assert narrow.is_valid
    assert narrow.area > 0
    assert shared([narrow], [shapely.box(0, 0, 2e6, 1)])[0] == 0
    assert shared([shapely.box(0, 0, 2e6, 1)], [narrow])[0] == 0


def test_coordinates_of_utm_size_keep_their_digits() -> None:
    _, targets, drawn = zip(*random_pairs(3, 200))
    near = shared(targets, drawn)
    far = np.array([444_000.0, 3_285_000.0])
    moved = [shapely.transform(np.array(side), lambda xy: xy + far) for side in (targets, drawn)]
    rows = np.arange(200)
    paired = pair_edges(polygon_edges(moved[1], far), 200, rows, rows)
    np.testing.assert_allclose(
        shared_areas(polygon_edges(moved[0], far), paired, 200), near, atol=1e-7
    )


@settings(max_examples=examples(60), deadline=None)
@given(
    x=st.floats(-3, 3),
    y=st.floats(-3, 3),
    angle=st.floats(0, 360),
    kind=st.integers(0, 99),
)
def test_shared_area_is_symmetric_and_never_more_than_either(
    x: float, y: float, angle: float, kind: int
) -> None:
    _, first, second = PAIRS[kind]
    second = affinity.translate(affinity.rotate(second, angle), x, y)
    area = shared([first], [second])[0]
    assert area == pytest.approx(shared([second], [first])[0], abs=1e-11)
    assert -1e-12 <= area <= min(first.area, second.area) + 1e-11


def test_centroids_of_rectangles_are_those_of_polygons() -> None:
    rng = np.random.default_rng(1)
    corners = rng.uniform(0, 100, (40, 2)) + np.array([471_234.56, 7_548_765.43])
    boxes = shapely.box(*corners.T, *(corners + rng.uniform(1, 9, (40, 2))).T)
    some = np.where(rng.random(40) < 0.5, boxes, shapely.buffer(boxes, 1.0))
    for crowns in (boxes, some, some[:0]):
        expected = shapely.get_coordinates(shapely.centroid(crowns))
        np.testing.assert_allclose(
            Crowns(crowns).centroids, expected.reshape(-1, 2), rtol=0, atol=1e-8
        )


@pytest.mark.parametrize("has_other_shape", [False, True])
def test_pairs_of_boxes_are_those_that_shapely_finds(has_other_shape: bool) -> None:
    rng = np.random.default_rng(2)
    # Whole numbers, so that many boxes only touch.
    corner = rng.integers(0, 30, (2, 60, 2))
    upper = corner + np.array([2, 3])
    left, right = shapely.box(*corner.transpose(2, 0, 1), *upper.transpose(2, 0, 1))
    if has_other_shape:
        right[0] = shapely.Point(15, 15).buffer(6)
    expected = np.argwhere(shapely.intersects(left[:, None], right[None, :])).T
    assert np.array_equal(intersecting_pairs(left, right), expected)


def test_pairs_of_many_batches_are_found_in_few_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    left, right = (shapely.buffer(shapely.points(rng.uniform(0, 9, (n, 2))), 1) for n in (40, 30))
    monkeypatch.setattr(areas, "_PAIR_BATCH", 3)
    monkeypatch.setattr(areas, "_GROUP", 4)
    n_tasks = []

    def counted(work: Any, items: Any, progress: Any) -> Any:
        n_tasks.append(len(items))
        return map(work, items)

    monkeypatch.setattr(areas, "map_in_threads", counted)
    plots = np.arange(40) % 2, np.arange(30) % 2
    expected = shapely.intersects(left[:, None], right[None, :])
    assert np.array_equal(intersecting_pairs(left, right), np.argwhere(expected).T)
    expected &= plots[0][:, None] == plots[1][None, :]
    assert np.array_equal(intersecting_pairs(left, right, plots=plots), np.argwhere(expected).T)
    # 14 batches of 3 in groups of 1 + 14 // 4.
    assert n_tasks == [4, 4]


@pytest.mark.parametrize("block_pairs", [0, 7, 10_000])
def test_pairs_in_blocks_are_all_pairs(monkeypatch: pytest.MonkeyPatch, block_pairs: int) -> None:
    rng = np.random.default_rng(5)
    left, right = (shapely.buffer(shapely.points(rng.uniform(0, 9, (n, 2))), 1) for n in (40, 30))
    monkeypatch.setattr(areas, "_BLOCK_PAIRS", block_pairs)
    monkeypatch.setattr(areas, "_PAIR_BATCH", 3)
    monkeypatch.setattr(areas, "_GROUP", 2)
    blocks = list(iterate_intersecting_pairs(left, right))
    assert (len(blocks) > 1) == (block_pairs < 10_000)
    found = np.concatenate([np.stack(block, axis=1) for block in blocks])
    expected = np.stack(intersecting_pairs(left, right), axis=1)
    assert np.array_equal(found[np.lexsort(found.T[::-1])], expected)


def test_blocks_of_pairs_stay_small_where_all_polygons_lie_in_one_spot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each of 60 boxes meets all 60, so that a group of 16 batches has 60 x 48 pairs."""
    boxes = shapely.box(np.arange(60) / 100, 0, 5, 5)
    plots = np.arange(60) % 2
    monkeypatch.setattr(areas, "_BLOCK_PAIRS", 120)
    monkeypatch.setattr(areas, "_PAIR_BATCH", 3)
    blocks = list(iterate_intersecting_pairs(boxes, boxes))
    assert sum(len(left) for left, _ in blocks) == 60 * 60
    assert max(len(left) for left, _ in blocks) <= 180
    in_plots = list(iterate_intersecting_pairs(boxes, boxes, plots=(plots, plots)))
    assert sum(len(left) for left, _ in in_plots) == 2 * 30 * 30
    assert all((plots[left] == plots[right]).all() for left, right in in_plots)
