"""Layers in which a metre on the map is not a metre on the ground, and plots of unlike types."""

from __future__ import annotations

from dataclasses import replace

import geopandas
import numpy as np
import pyproj
import pytest
import shapely
import shapely.affinity
from support.errors import find_message, raises

from randcrowns.core import Crowns, RandCrownsParameters, score_crowns, score_pairs, target_regions
from randcrowns.core.class_names import check_spelling
from randcrowns.core.comparison import (
    check_annotator_spelling,
    check_plot_counts,
    check_plot_spelling,
    check_plots,
    check_score_range,
)
from randcrowns.core.crs import (
    common_crs_code,
    ground_ratios,
    has_ground_metres,
    utm_zone_code,
)
from randcrowns.core.tuning.experiment import name_layers

LENGTHS = RandCrownsParameters(0.7, 1.2, 3)
#: A square of 5 m and a copy 2.5 m further east, in UTM zone 32 north at 60 degrees.
SQUARE = shapely.box(400_000, 6_650_000, 400_005, 6_650_005)
SHIFTED = shapely.box(400_002.5, 6_650_000, 400_007.5, 6_650_005)
#: Web Mercator, World Mercator, and Robinson.
WORLD_MAPS = ["EPSG:3857", "EPSG:3395", "ESRI:54030"]


def world_map(shape, crs):
    return geopandas.GeoDataFrame(geometry=[shape], crs="EPSG:32632").to_crs(crs)


@pytest.mark.parametrize("crs", WORLD_MAPS)
def test_lengths_are_metres_on_the_ground(crs: str) -> None:
    # By hand: 5 m * 5 m; the centroids are 2.5 m apart; IoU is 12.5 / 37.5.
    scored = score_crowns(world_map(SQUARE, crs), world_map(SHIFTED, crs), LENGTHS)
    row = scored.targets.iloc[0]
    assert row["area"] == pytest.approx(25, rel=1e-6)
    assert row["distance"] == pytest.approx(2.5, rel=1e-6)
    assert row["iou"] == pytest.approx(1 / 3, rel=1e-6)
    in_metres = score_crowns([SQUARE], [SHIFTED], LENGTHS).targets.iloc[0]
    assert row["randcrowns"] == pytest.approx(in_metres["randcrowns"], rel=1e-6)

    pairs = score_pairs(world_map(SQUARE, crs), world_map(SHIFTED, crs), LENGTHS)
    assert pairs["randcrowns"][0] == pytest.approx(in_metres["randcrowns"], rel=1e-6)


def test_what_returns_places_refuses_a_world_map() -> None:
    with raises("crs.distorted", zone="'EPSG:32632'"):
        target_regions(world_map(SQUARE, "EPSG:3857"), LENGTHS)


def test_the_suggested_zone_is_that_of_the_layer() -> None:
    degrees = world_map(SQUARE, "EPSG:4326")
    with raises("crs.not_metres", zone="'EPSG:32632'"):
        Crowns(degrees)


@pytest.mark.parametrize("latitude", [-79.0, -33.0, 0.5, 48.0, 70.0, 83.5])
@pytest.mark.parametrize("longitude", [-179.9, -61.0, 9.0, 177.0])
def test_the_zone_is_that_of_geopandas(longitude: float, latitude: float) -> None:
    frame = geopandas.GeoSeries([shapely.Point(longitude, latitude)], crs="EPSG:4326")
    code = utm_zone_code(frame.crs, frame.total_bounds)
    zone = int((longitude + 180) // 6) + 1
    assert code == f"EPSG:{(32600 if latitude >= 0 else 32700) + zone}"
    # The scale of a UTM zone is between 0.9996 and 1.001.
    in_zone = frame.to_crs(code)
    assert has_ground_metres(pyproj.CRS(code), in_zone.total_bounds)
    ratios = ground_ratios(pyproj.CRS(code), (in_zone.x[0], in_zone.y[0]))
    assert ratios == pytest.approx((1, 1), abs=1.1e-3)


def test_plots_are_trimmed_and_typed_alike() -> None:
    boxes = shapely.box([0, 10, 20, 30], 0, [5, 15, 25, 35], 5)
    targets = Crowns(boxes, plots=[1, 1.0, np.int64(2), None], name="targets")
    drawn = Crowns(boxes, plots=["1", " 1", "2 ", "  "], name="drawn")
    assert targets.plots.tolist() == drawn.plots.tolist() == ["1", "1", "2", None]
    assert check_plots([targets], [drawn]) == []
    scores = score_crowns(targets, drawn, LENGTHS)
    assert scores.targets["iou"].tolist() == [1.0] * 4


@pytest.mark.parametrize("other", ["north 1", "North1", "No\u0308rth 1", "NO\u0308RTH1"])
def test_names_that_differ_in_spelling_only_are_noted_and_stay_apart(other: str) -> None:
    # "o" with a diaeresis is U+00F6, or "o" and U+0308; case, spaces and encoding do not matter.
    own = "N\u00f6rth 1" if "\u0308" in other else "North 1"
    names = sorted([own, other])
    find_message(check_plot_spelling([own, other, None]), "plots.spelling", names=names)
    find_message(check_annotator_spelling([own, other]), "annotators.spelling", names=names)
    find_message(check_spelling([own, other, None]), "classes.spelling", names=names)
    assert check_plot_spelling(["Nord", "N\u00f6rd", "North 1"]) == []
    assert Crowns([shapely.box(0, 0, 1, 1)] * 2, plots=[own, other]).plots.tolist() == [own, other]


def test_names_that_differ_in_case_are_noted() -> None:
    boxes = shapely.box([0, 10], 0, [5, 15], 5)
    messages = check_plots(
        [Crowns(boxes, plots=["North", "b"])], [Crowns(boxes, plots=["north", "b"])]
    )
    find_message(messages, "plots.spelling", names=["North", "north"])
    counts = check_plot_counts(
        "t", "d", np.array(["A", "a", "b"]), np.array([1, 0, 2]), np.array([0, 1, 2])
    )
    assert {message.key for message in counts} == {"plots.spelling", "plots.some_apart"}
    find_message(check_annotator_spelling(["Anna", "Ben", "anna"]), "annotators.spelling")
    assert check_annotator_spelling(["Anna", "Ben", "Anna"]) == []


@pytest.mark.parametrize(
    ("scores", "is_noted"),
    [([0.0, 1.0], False), ([35.0, 99.0], True), ([-2.3, 0.5], True), ([0.2, 1.2], True)],
)
def test_scores_that_are_no_shares_are_noted(scores: list[float], is_noted: bool) -> None:
    messages = check_score_range("trees", "score", np.array([*scores, np.nan]))
    assert [message.key for message in messages] == ["scores.no_shares"] * is_noted


#: Two squares of 5 m, 500 m apart, on either side of the border of UTM zones 31 and 32 (6° E).
WEST = shapely.box(667_850, 5_320_000, 667_855, 5_320_005)


def across_the_border() -> tuple[geopandas.GeoDataFrame, geopandas.GeoDataFrame]:
    """Return layers with the same crown, and in the second a further crown in the next zone."""
    east = shapely.affinity.translate(WEST, 500 + 120_000, 0)
    west_layer = geopandas.GeoDataFrame(geometry=[WEST], crs="EPSG:32631").to_crs("EPSG:3857")
    both = geopandas.GeoDataFrame(geometry=[WEST, east], crs="EPSG:32631").to_crs("EPSG:3857")
    return west_layer, both


def test_layers_whose_zones_differ_are_compared_in_that_of_their_joint_extent() -> None:
    west_layer, both = across_the_border()
    zones = [utm_zone_code(layer.crs, layer.total_bounds) for layer in (west_layer, both)]
    assert zones == ["EPSG:32631", "EPSG:32632"]
    for layers in ((west_layer, both), (both, west_layer)):
        assert common_crs_code(layers) == "EPSG:32632"
        scored = score_crowns(*layers, LENGTHS).targets.iloc[0]
        assert scored["iou"] == pytest.approx(1, abs=1e-9)
        assert scored["area"] == pytest.approx(25, rel=2e-3)  # scale of a zone at its border
    assert {layer.crs for layer in name_layers([west_layer, both])} == {"EPSG:32632"}
    pairs = score_pairs(west_layer, both.iloc[:1], LENGTHS)
    assert pairs["iou"][0] == pytest.approx(1, abs=1e-9)


def test_a_world_map_is_compared_in_the_system_of_the_other_layer() -> None:
    west_layer, both = across_the_border()
    in_zone_31 = west_layer.to_crs("EPSG:32631")
    assert common_crs_code([both, in_zone_31]) == "EPSG:32631"
    assert score_crowns(in_zone_31, both, LENGTHS).targets["iou"][0] == pytest.approx(1, abs=1e-9)


def test_a_system_given_as_text_is_checked_like_that_of_a_layer() -> None:
    frame = world_map(SQUARE, "EPSG:3857")
    shapes = frame.geometry.to_numpy()
    from_text, from_frame = Crowns(shapes, crs="EPSG:3857"), Crowns(frame)
    assert from_text.crs == from_frame.crs == "EPSG:32632"
    assert from_text.areas[0] == pytest.approx(25, rel=1e-6)  # by hand: 5 m * 5 m
    assert from_text.geometry[0].equals(from_frame.geometry[0])
    with raises("crs.not_metres", zone="'EPSG:32632'"):
        Crowns(frame.to_crs("EPSG:4326").geometry.to_numpy(), crs="EPSG:4326")
    with raises("crs.unknown_text", crs="EPSG:1"):
        Crowns([SQUARE], crs="EPSG:1")
    with raises("crs.contradicting_text", own_crs="WGS 84 / Pseudo-Mercator", crs="EPSG:32632"):
        Crowns(frame, crs="EPSG:32632")
    in_metres = Crowns([SQUARE], crs="EPSG:32632")
    assert replace(in_metres, name="again").crs == "EPSG:32632"
