from __future__ import annotations

import pytest
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext, QgsRectangle
from support.errors import raises
from support.layers import EAST, NORTH, layer_of

from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.vector.geometry import FeatureIssue
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot, read_crowns
from randcrowns.layers.vector.study_site import build_extent, clip_to_extent, select_in_extent

CONTEXT = QgsCoordinateTransformContext()
NO_CRS = QgsCoordinateReferenceSystem()


def box(xmin, ymin, xmax, ymax):
    return shapely.box(EAST + xmin, NORTH + ymin, EAST + xmax, NORTH + ymax)


def rectangle(xmin, ymin, xmax, ymax):
    return QgsRectangle(EAST + xmin, NORTH + ymin, EAST + xmax, NORTH + ymax)


@pytest.fixture
def crowns(qgis_app):
    """Inside, across the edge, touching it from outside, outside."""
    boxes = [box(2, 2, 4, 4), box(8, 2, 12, 4), box(10, 6, 12, 8), box(20, 2, 24, 4)]
    return read_crowns(
        LayerRequest(LayerSnapshot.from_layer(layer_of("drawn", boxes, kind="Polygon"))), CONTEXT
    )


def test_delineations_are_cut_and_those_outside_left_out(crowns):
    extent = build_extent(rectangle(0, 0, 10, 10), NO_CRS, None, crowns.working_crs)
    kept = clip_to_extent(crowns, extent)
    assert kept.crowns.ids.tolist() == [1, 2]
    assert shapely.area(kept.crowns.geometry) == pytest.approx([4.0, 8.0])
    assert shapely.area(kept.clipped) == pytest.approx([4.0, 4.0])
    assert kept.report.feature_ids(FeatureIssue.CUT) == [2]
    assert kept.report.feature_ids(FeatureIssue.OUTSIDE) == [3, 4]
    assert kept.feature_rows.tolist() == [0, 1]
    assert "1 crown partly outside the extent is clipped to it (feature 2)" in " ".join(
        map(str, kept.report.messages())
    )


def test_targets_stay_whole_and_those_outside_are_left_out(crowns):
    extent = build_extent(rectangle(0, 0, 10, 10), NO_CRS, None, crowns.working_crs)
    inside = select_in_extent(crowns, extent)
    assert inside.crowns.ids.tolist() == [1, 2]
    assert shapely.area(inside.crowns.geometry) == pytest.approx([4.0, 8.0])
    assert inside.report.feature_ids(FeatureIssue.OUTSIDE) == [3, 4]


def test_no_extent_changes_nothing(crowns):
    assert build_extent(None, NO_CRS, None, crowns.working_crs) is None
    assert clip_to_extent(crowns, None) is crowns
    assert select_in_extent(crowns, None) is crowns


def test_a_rectangle_in_degrees_lands_where_it_should(crowns):
    place = rectangle(0, 0, 10, 10)
    from qgis.core import QgsCoordinateTransform

    degrees = QgsCoordinateReferenceSystem("EPSG:4326")
    there = QgsCoordinateTransform(crowns.working_crs.crs, degrees, CONTEXT).transformBoundingBox(
        place
    )
    extent = build_extent(there, degrees, None, crowns.working_crs)
    assert extent.area == pytest.approx(100.0, rel=0.01)
    assert extent.intersection(box(0, 0, 10, 10)).area == pytest.approx(100.0, rel=0.01)


@pytest.mark.parametrize(
    ("wide", "tall", "points"), [(0.02, 0.01, 61), (0.01, 0.02, 61), (0.01, 0.01, 81)]
)
def test_the_sides_of_a_rectangle_in_degrees_are_bent(crowns, wide, tall, points):
    from qgis.core import QgsCoordinateTransform

    degrees = QgsCoordinateReferenceSystem("EPSG:4326")
    at = QgsCoordinateTransform(crowns.working_crs.crs, degrees, CONTEXT).transform(
        EAST + 10.0, NORTH + 5.0
    )
    there = QgsRectangle(at.x() - wide / 2, at.y() - tall / 2, at.x() + wide / 2, at.y() + tall / 2)
    assert (
        shapely.get_num_coordinates(build_extent(there, degrees, None, crowns.working_crs))
        == points
    )


def test_a_rectangle_in_feet_is_metres(qgis_app):
    feet = QgsCoordinateReferenceSystem("EPSG:2236")
    working = WorkingCrs.for_layer("crowns", feet, (780_000, 1_500_000), CONTEXT)
    extent = build_extent(QgsRectangle(780_000, 1_500_000, 780_100, 1_500_200), feet, None, working)
    foot = 1200 / 3937
    assert extent.bounds == pytest.approx(
        (780_000 * foot, 1_500_000 * foot, 780_100 * foot, 1_500_200 * foot), rel=1e-12
    )


def test_several_plots_are_one_extent_and_a_rectangle_cuts_them(crowns):
    layer = layer_of("plots", [box(0, 0, 10, 10), box(30, 0, 40, 10)], kind="Polygon")
    plots = read_crowns(LayerRequest(LayerSnapshot.from_layer(layer)), crowns.working_crs)
    assert build_extent(None, NO_CRS, plots, crowns.working_crs).area == pytest.approx(200.0)
    assert build_extent(
        rectangle(5, 0, 35, 10), NO_CRS, plots, crowns.working_crs
    ).area == pytest.approx(100.0)
    with raises("extent.nothing_in_common"):
        build_extent(rectangle(12, 0, 20, 10), NO_CRS, plots, crowns.working_crs)


@pytest.mark.parametrize(
    ("corners", "key"),
    [((0, 0, 0, 10), "extent.no_area"), ((float("nan"), 0, 1, 1), "extent.not_finite")],
)
def test_an_extent_without_area_is_refused(crowns, corners, key):
    with raises(key):
        build_extent(rectangle(*corners), NO_CRS, None, crowns.working_crs)


def test_an_empty_plot_layer_is_refused(crowns):
    plots = read_crowns(
        LayerRequest(LayerSnapshot.from_layer(layer_of("plots", [], kind="Polygon"))),
        crowns.working_crs,
    )
    with raises("extent.no_usable_polygons", layer="plots"):
        build_extent(None, NO_CRS, plots, crowns.working_crs)


WIDE = {
    "the world in degrees": ("EPSG:4326", (-180, -90, 180, 90)),
    "nearly the world": ("EPSG:4326", (-180, -80, 180, 80)),
    "the world in Web Mercator": ("EPSG:3857", (-20037508, -20037508, 20037508, 20037508)),
    "more than the world": ("EPSG:3857", (-4e7, -4e7, 4e7, 4e7)),
    "a continent": ("EPSG:4326", (-130, 10, -60, 60)),
}


@pytest.mark.parametrize("wide", WIDE)
def test_a_rectangle_far_larger_than_the_crowns_holds_them_all(crowns, wide):
    name, corners = WIDE[wide]
    rectangle = QgsRectangle(*corners)
    geometry = crowns.crowns.geometry
    extent = build_extent(
        rectangle, QgsCoordinateReferenceSystem(name), None, crowns.working_crs, geometry
    )
    assert extent.is_valid
    assert shapely.covers(extent, geometry).all()
    assert len(select_in_extent(crowns, extent).crowns) == 4


@pytest.mark.parametrize(
    ("name", "corners", "key"),
    [
        ("EPSG:4326", (-180, -90, 180, 90), "extent.not_transformed"),
        ("", (0, 0, 1e308, 1e308), "extent.too_large"),
        ("", (-1e300, 0, 1e300, 1), "extent.too_large"),
    ],
)
def test_an_extent_that_no_map_holds_is_told_as_the_extent(crowns, name, corners, key):
    with raises(key):
        build_extent(
            QgsRectangle(*corners), QgsCoordinateReferenceSystem(name), None, crowns.working_crs
        )
