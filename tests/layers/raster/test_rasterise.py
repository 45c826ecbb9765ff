"""Polygons drawn onto a grid."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext
from support.errors import raises
from support.rasters import NORTH, WEST

import randcrowns.layers.raster.grid as rasterise
from randcrowns.core.errors import Cancelled
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.raster.grid import Grid, rasterise_mask, rasterise_maximum


def metres(crs="EPSG:32617"):
    return WorkingCrs(QgsCoordinateReferenceSystem(crs), 1.0, "", QgsCoordinateTransformContext())


def test_the_highest_of_overlapping_polygons_counts(qgis_app):
    grid = Grid.from_bounds((WEST, NORTH - 4, WEST + 4, NORTH), 1.0, metres())
    boxes = [
        shapely.box(WEST, NORTH - 2, WEST + 3, NORTH),
        shapely.box(WEST + 1, NORTH - 4, WEST + 4, NORTH),
        None,
    ]
    found = rasterise_maximum([*boxes, boxes[0]], [0.9, 0.4, 1.0, math.nan], grid)
    rows, columns = np.mgrid[:4, :4]
    expected = np.where(columns >= 1, 0.4, -np.inf)
    expected[(rows < 2) & (columns < 3)] = 0.9
    assert np.array_equal(found, expected)


def test_a_large_grid_is_passed_over_a_few_times_only(qgis_app, monkeypatch):
    grid = Grid.from_bounds((WEST, NORTH - 40, WEST + 40, NORTH), 0.5, metres())
    rng = np.random.default_rng(0)
    centres = shapely.points(WEST + 40 * rng.random(1200), NORTH - 40 * rng.random(1200))
    crowns, scores = shapely.buffer(centres, 1.0), rng.random(1200)
    told = {}
    found = {}
    for pixels in (rasterise._MOST_PIXELS_PASSED, 6400):
        monkeypatch.setattr(rasterise, "_MOST_PIXELS_PASSED", pixels)
        told[pixels] = []
        found[pixels] = rasterise_maximum(crowns, scores, grid, told[pixels].append)
    small, large = told.values()
    assert (len(small), len(large)) == (3, 1)
    assert small[-1] == large[-1] == 1.0
    np.testing.assert_array_equal(*found.values())


def test_more_pixels_than_fit_into_memory_are_refused(qgis_app):
    """Decisions, whose tiles are read one by one, fit where numbers do not."""
    grid = Grid(metres(), WEST, NORTH, 1.0, 1.0, 20_000, 20_000)
    with raises("raster.too_many_pixels", rows=20000, columns=20000, most=100000000):
        rasterise_mask([shapely.box(*grid.bounds)], grid)
    with raises("raster.too_many_pixels", rows=30000, columns=30000, most=500000000):
        Grid(metres(), WEST, NORTH, 1.0, 1.0, 30_000, 30_000)


def test_drawing_can_be_cancelled(qgis_app):
    grid = Grid.from_bounds((WEST, NORTH - 4, WEST + 4, NORTH), 1.0, metres())

    def stop(_fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        rasterise_mask([shapely.box(*grid.bounds)], grid, stop)


def test_pixels_of_a_mask_are_those_whose_centres_lie_in_a_polygon(qgis_app):
    grid = Grid.from_bounds((WEST, NORTH - 12, WEST + 15, NORTH), 0.5, metres())
    rng = np.random.default_rng(3)
    centres = shapely.points(WEST + 15 * rng.random(9), NORTH - 12 * rng.random(9))
    crowns = [*shapely.buffer(centres, 1.3), None, shapely.Polygon()]
    columns, rows = np.meshgrid(np.arange(grid.columns), np.arange(grid.rows))
    x, y = WEST + (columns + 0.5) * 0.5, NORTH - (rows + 0.5) * 0.5
    expected = shapely.contains_xy(shapely.union_all(crowns), x, y)
    assert 0 < expected.sum() < expected.size
    assert np.array_equal(rasterise_mask(crowns, grid), expected)


def test_nothing_is_drawn_if_a_polygon_covers_the_grid(qgis_app, monkeypatch):
    grid = Grid.from_bounds((WEST, NORTH - 4, WEST + 4, NORTH), 1.0, metres())
    area = shapely.box(*grid.bounds)
    hole = shapely.box(WEST + 1, NORTH - 2, WEST + 2, NORTH - 1)
    with_hole = rasterise_mask([area.difference(hole)], grid)
    assert not with_hole[1, 1]
    assert with_hole.sum() == 15
    monkeypatch.setattr(rasterise, "_draw_polygons", None)
    assert rasterise_mask([hole, None, area], grid).all()
