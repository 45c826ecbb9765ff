from __future__ import annotations

import numpy as np
import pytest
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsFeature,
    QgsGeometry,
    QgsRectangle,
    QgsVectorLayer,
)
from support.errors import find_message, raises
from support.layers import EAST, NORTH, layer_of

from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.vector import tables
from randcrowns.layers.vector.geometry import FeatureIssue
from randcrowns.layers.vector.read import ExtentTreatment, LayerRequest, LayerSnapshot
from randcrowns.layers.vector.study_site import ExtentRequest, read_study_site

CONTEXT = QgsCoordinateTransformContext()
NO_CRS = QgsCoordinateReferenceSystem()


def box(xmin, ymin, xmax, ymax):
    return shapely.box(EAST + xmin, NORTH + ymin, EAST + xmax, NORTH + ymax)


def rectangle(xmin, ymin, xmax, ymax):
    return ExtentRequest(
        QgsRectangle(EAST + xmin, NORTH + ymin, EAST + xmax, NORTH + ymax), NO_CRS, None
    )


def request(name, shapes, crs="EPSG:32617", fields="", rows=None, **options):
    layer = layer_of(name, shapes, crs=crs, kind="Polygon", fields=fields, rows=rows)
    return LayerRequest(LayerSnapshot.from_layer(layer), **options)


def keys(place):
    return [message.key for message in place.messages]


def test_the_first_layer_with_crowns_decides_on_the_system_and_an_empty_one_joins_it(qgis_app):
    empty = request("empty", [], crs="EPSG:4326")
    degrees = request("degrees", [shapely.box(-81, 27, -80.9999, 27.0001)], crs="EPSG:4326")
    metres = request("metres", [box(0, 0, 4, 4)])
    place = read_study_site([empty, metres, degrees], CONTEXT)
    assert place.working_crs.name == "EPSG:32617"
    assert {layer.crowns.crs for layer in place.layers} == {"EPSG:32617"}
    assert {layer.working_crs.name for layer in place.layers} == {"EPSG:32617"}
    assert {"input.none", "input.brought"} <= set(keys(place))
    assert read_study_site([empty], CONTEXT).working_crs.name == "EPSG:32631"


@pytest.mark.parametrize(
    ("source", "is_assumed"),
    [
        ("Polygon", True),
        ("Polygon?field=score:double&uid={1}", True),
        ("Polygon?crs=EPSG:4326&field=score:double", False),
        ("Polygon?crs=EPSG:32617", False),
    ],
)
def test_a_system_that_qgis_assumes_for_a_layer_in_memory_is_reported(qgis_app, source, is_assumed):
    layer = QgsVectorLayer(source, "scratch", "memory")
    is_in_degrees = layer.crs().authid() == "EPSG:4326"
    feature = QgsFeature()
    west, south = (-81.0, 27.0) if is_in_degrees else (EAST, NORTH)
    feature.setGeometry(QgsGeometry.fromRect(QgsRectangle(west, south, west + 1e-4, south + 1e-4)))
    layer.dataProvider().addFeature(feature)
    place = read_study_site([LayerRequest(LayerSnapshot.from_layer(layer))], CONTEXT)
    assert ("crs.assumed" in keys(place)) == is_assumed
    if is_assumed:
        find_message(place.messages, "crs.assumed", layer="scratch", crs="EPSG:4326")
    if is_in_degrees:
        # A system that somebody has set is not assumed.
        layer.setCrs(QgsCoordinateReferenceSystem("EPSG:4258"))
        place = read_study_site([LayerRequest(LayerSnapshot.from_layer(layer))], CONTEXT)
        assert "crs.assumed" not in keys(place)


def test_a_grid_decides_before_all_layers(qgis_app):
    working = WorkingCrs(QgsCoordinateReferenceSystem("EPSG:32618"), 1.0, None, CONTEXT)
    grid = Grid.from_bounds([0, 0, 10, 10], 1.0, working)
    place = read_study_site([request("metres", [box(0, 0, 4, 4)])], grid)
    assert (place.grid, place.working_crs.name) == (grid, "EPSG:32618")
    assert keys(place) == ["input.brought"]


@pytest.mark.parametrize(
    ("at_extent", "areas", "cut", "oddities"),
    [
        (ExtentTreatment.KEEP, [4, 8, 8], None, set()),
        (ExtentTreatment.SELECT, [4, 8], None, {FeatureIssue.OUTSIDE}),
        (ExtentTreatment.CLIP, [4, 8], [4, 4], {FeatureIssue.OUTSIDE, FeatureIssue.CUT}),
    ],
)
def test_layers_are_cut_to_the_study_area_as_they_ask(qgis_app, at_extent, areas, cut, oddities):
    shapes = [box(2, 2, 4, 4), box(8, 2, 12, 4), box(20, 2, 24, 4)]
    place = read_study_site(
        [request("drawn", shapes, extent_treatment=at_extent)], CONTEXT, rectangle(0, 0, 10, 10)
    )
    (layer,) = place.layers
    assert shapely.area(layer.crowns.geometry).tolist() == areas
    assert (None if layer.clipped is None else shapely.area(layer.clipped).tolist()) == cut
    assert set(layer.report.issues) == oddities
    assert place.study_area.area == 100
    outside = read_study_site(
        [request("drawn", shapes[2:], extent_treatment=at_extent)], CONTEXT, rectangle(0, 0, 10, 10)
    )
    assert len(outside.layers[0].crowns) == (at_extent is ExtentTreatment.KEEP)


def test_a_rectangle_and_plots_leave_what_both_share_and_it_is_told(qgis_app):
    plots = LayerSnapshot.from_layer(layer_of("plots", [box(5, 0, 15, 10), None], kind="Polygon"))
    extent = ExtentRequest(rectangle(0, 0, 10, 10).rectangle, NO_CRS, plots)
    place = read_study_site([request("drawn", [box(2, 2, 4, 4)])], CONTEXT, extent)
    assert place.study_area.area == 50
    assert len(place.extent_layer.crowns) == 1
    assert keys(place) == ["input.null", "input.two_extents"]


@pytest.mark.parametrize("area", [None, (0, 0, 10, 10)])
def test_what_is_excluded_is_taken_out_of_the_region(qgis_app, area):
    mask = LayerSnapshot.from_layer(layer_of("clouds", [box(0, 0, 10, 2)], kind="Polygon"))
    extent = None if area is None else rectangle(*area)
    place = read_study_site([request("drawn", [box(0, 0, 4, 4)])], CONTEXT, extent, mask)
    assert place.remaining_area.area == (8 if area is None else 80)
    assert place.bounds == (
        (EAST, NORTH, EAST + 4, NORTH + 4) if area is None else place.study_area.bounds
    )
    everything = LayerSnapshot.from_layer(layer_of("clouds", [box(-1, -1, 99, 99)], kind="Polygon"))
    covered = read_study_site([request("drawn", [box(0, 0, 4, 4)])], CONTEXT, extent, everything)
    with raises("study_area.nothing_left"):
        _ = covered.remaining_area
    empty = read_study_site(
        [request("drawn", [box(0, 0, 4, 4)])],
        CONTEXT,
        extent,
        LayerSnapshot.from_layer(layer_of("none", [])),
    )
    assert empty.excluded_area is None
    assert keys(empty) == ["input.none"]


def test_a_part_of_the_study_area_is_of_the_plot_whose_crowns_it_holds(qgis_app):
    def areas(*parts, rows=(["a"], ["b"], [None])):
        given = {"fields": "&field=plot:string", "rows": list(rows), "site_field": "plot"}
        crowns = request("drawn", [box(1, 1, 4, 4), box(21, 1, 24, 4), box(26, 1, 29, 4)], **given)
        extent = ExtentRequest(
            None, NO_CRS, LayerSnapshot.from_layer(layer_of("areas", parts, kind="Polygon"))
        )
        found = read_study_site([crowns], CONTEXT, extent, plot_field="plot").plot_areas()
        return None if found is None else {name: area.area for name, area in found.items()}

    assert areas(box(0, 0, 10, 10), box(20, 0, 30, 5)) == {"a": 100, "b": 50}
    assert areas(
        box(0, 0, 10, 10), box(20, 0, 25, 5), box(25, 0, 30, 5), rows=(["a"], ["b"], ["b"])
    ) == {
        "a": 100,
        "b": 50,
    }
    assert areas(box(0, 0, 30, 10)) is None  # one part with crowns of both


def test_polygons_that_name_nobody_are_left_out_where_that_is_asked(qgis_app):
    given = {
        "fields": "&field=who:string",
        "rows": [["ann"], [None], [" "], ["bob"]],
        "group_field": "who",
    }
    shapes = [box(0, 0, 4, 4), box(10, 0, 14, 4), box(20, 0, 24, 4), None]
    (kept,) = read_study_site([request("all", shapes, **given)], CONTEXT).layers
    assert kept.crowns.plots.tolist() == ["ann", None, None]
    (named,) = read_study_site(
        [request("all", shapes, **given, exclude_ungrouped=True)], CONTEXT
    ).layers
    assert named.crowns.plots.tolist() == ["ann"]
    assert named.report.feature_ids(FeatureIssue.NO_NAME) == [2, 3]
    assert named.report.feature_ids(FeatureIssue.NULL) == [4]
    assert named.plot_names == kept.plot_names == {"ann", "bob"}


def test_fields_are_read_for_the_crowns_that_are_left(qgis_app):
    given = {
        "fields": "&field=tall:double",
        "rows": [[3.0], [7.0], [None]],
        "read_all_attributes": True,
    }
    shapes = [box(0, 0, 4, 4), None, box(20, 0, 24, 4)]
    (layer,) = read_study_site([request("trees", shapes, **given)], CONTEXT).layers
    assert layer.field_values("tall") == [3.0, None]
    np.testing.assert_array_equal(layer.field_numbers("tall"), [3.0, np.nan])


@pytest.mark.parametrize("needed", [True, False])
def test_a_layer_without_crowns_is_a_warning_where_nothing_can_be_said_without_it(qgis_app, needed):
    (message,) = read_study_site([request("none", [], is_required=needed)], CONTEXT).messages
    assert (message.key, message.is_warning) == ("input.none", needed)


def test_progress_grows_over_the_layers(qgis_app, monkeypatch):
    monkeypatch.setattr(tables, "_BLOCK", 1)
    told = []
    requests = [request(name, [box(0, 0, 4, 4)] * 9) for name in ("one", "two", "three")]
    read_study_site(requests, CONTEXT, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
