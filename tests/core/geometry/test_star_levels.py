"""Levels of outlines that are seen whole from one centre: compared with overlays."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from randcrowns.core.geometry.star_levels import star_levels

ORIGIN = np.array([500_000, 4_000_000])
ANGLE = np.linspace(0, 2 * np.pi, 25)[:-1]
UNIT = np.stack([np.cos(ANGLE), np.sin(ANGLE)], axis=1)


def overlaid(outlines: np.ndarray, count: int) -> shapely.Geometry:
    """Return the area by the faces of all outlines."""
    lines = shapely.union_all(shapely.boundary(outlines))
    faces = shapely.get_parts(shapely.polygonize([lines]))
    points = shapely.point_on_surface(faces)
    n_covers = shapely.contains(outlines[:, None], points).sum(axis=0)
    return shapely.union_all(faces[n_covers >= count])


def assert_levels(outlines: np.ndarray) -> None:
    for count in range(1, outlines.shape[1] + 1):
        levels = star_levels(outlines, count)
        assert shapely.is_valid(levels.areas[levels.is_star_shaped]).all()
        for row in np.flatnonzero(levels.is_star_shaped):
            expected = overlaid(outlines[row], count)
            difference = shapely.symmetric_difference(levels.areas[row], expected).area
            assert difference == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("n_members", [1, 2, 3, 5, 8])
def test_uneven_outlines_of_either_direction(n_members: int) -> None:
    rng = np.random.default_rng(n_members)
    outlines = np.empty((8, n_members), dtype=object)
    for place in np.ndindex(outlines.shape):
        radius = 3 * rng.lognormal(0, 0.1, (len(UNIT), 1))
        points = ORIGIN + rng.normal(0, 0.3, 2) + radius * UNIT
        outlines[place] = shapely.Polygon(points[:: rng.choice([-1, 1])])
    assert star_levels(outlines, 1).is_star_shaped.all()
    assert_levels(outlines)


@pytest.mark.parametrize("seed", range(20))
def test_boxes_with_common_edges_and_copies(seed: int) -> None:
    rng = np.random.default_rng(seed)
    lower = rng.integers(0, 3, (12, 4, 2))
    upper = lower + rng.integers(3, 7, (12, 4, 2))
    outlines = shapely.box(*np.moveaxis(lower, 2, 0), *np.moveaxis(upper, 2, 0))
    outlines[:, 1] = outlines[:, 0]
    assert_levels(outlines)


def test_only_corners_of_the_border_are_kept() -> None:
    half_sides = np.array([2, 3, 4])
    outlines = shapely.box(-half_sides, -half_sides, half_sides, half_sides)[None]
    (area,) = star_levels(outlines, 2).areas
    assert shapely.get_num_coordinates(area) == 5
    assert area.bounds == (-3, -3, 3, 3)


@pytest.mark.parametrize(
    "outline",
    [
        shapely.box(0, 0, 9, 9) - shapely.box(3, 3, 6, 9),
        shapely.box(0, 0, 9, 9) - shapely.box(3, 3, 6, 6),
        shapely.MultiPolygon([shapely.box(0, 0, 3, 9), shapely.box(6, 0, 9, 9)]),
        shapely.box(8, 8, 9, 9),
    ],
)
def test_other_outlines_are_left_to_the_caller(outline: shapely.Geometry) -> None:
    outlines = np.array([[outline, shapely.box(0, 0, 9, 9)]], dtype=object)
    levels = star_levels(outlines, 1)
    assert levels.is_star_shaped.tolist() == [False]
    assert levels.areas.tolist() == [None]
