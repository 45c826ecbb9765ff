from __future__ import annotations

import numpy as np
import pytest
import shapely

from randcrowns.core.geometry.parallel_outlines import change_areas

HOLED = shapely.Polygon(
    [(0, 0), (9, 0), (9, 6), (5, 6), (5, 3), (4, 3), (4, 6), (0, 6)],
    [[(1, 1), (2, 1), (2, 2), (1, 2)]],
)
PARTS = shapely.MultiPolygon([HOLED, shapely.box(20, 0, 22, 3)])


@pytest.mark.parametrize("polygon", [HOLED, shapely.reverse(HOLED), PARTS])
@pytest.mark.parametrize("distance", [0.02, -0.02])
def test_edges_move_as_in_a_buffer_with_square_corners(polygon, distance: float) -> None:
    expected = polygon.buffer(distance, join_style="mitre", mitre_limit=10)
    change = np.array([expected.area - polygon.area])
    moved = change_areas(np.array([polygon]), change)
    assert moved.is_right.tolist() == [True]
    assert moved.distance[0] == pytest.approx(distance, rel=1e-9)
    assert moved.polygons[0].area == pytest.approx(expected.area, rel=1e-12)
    assert moved.polygons[0].symmetric_difference(expected).area < 1e-9
    assert moved.polygons[0].geom_type == polygon.geom_type


def test_a_circle_turns_once() -> None:
    circle = shapely.Point(0, 0).buffer(3, quad_segs=16)
    moved = change_areas(np.array([circle]), np.array([0.01]))
    # 64 corners of 2 pi / 64: the sum of 2 tan(angle / 2) is 1.0008 full turns.
    assert moved.convex_turns[0] == pytest.approx(64 * np.tan(np.pi / 64) / np.pi)


@pytest.mark.parametrize(
    ("polygon", "change"),
    [
        (HOLED, 25.0),  # the notch of 1 m between two arms closes: edges meet
        (shapely.Polygon([(0, 0), (9, 0), (9, 0.1)]), 0.001),  # a sharp corner
        (shapely.box(0, 0, 1, 1), -0.9),  # edges lose more than half of their length
    ],
)
def test_moves_that_are_not_right_are_marked(polygon, change: float) -> None:
    both = change_areas(np.array([polygon, HOLED]), np.array([change, 0.1]))
    assert both.is_right.tolist() == [False, True]
    assert both.polygons[1].area == pytest.approx(HOLED.area + 0.1, rel=1e-12)


def test_an_outline_moves_alike_alone_and_among_others() -> None:
    circle = shapely.Point(1e5, 2e5).buffer(3.3)
    alone = change_areas(np.array([circle]), np.array([0.1])).polygons[0]
    among = change_areas(np.array([PARTS, circle]), np.array([0.2, 0.1])).polygons[1]
    assert alone.equals_exact(among, 0)
