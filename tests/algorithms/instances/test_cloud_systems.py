"""Point clouds whose file names a coordinate system, or does not."""

from __future__ import annotations

import numpy as np
import pytest
from osgeo import osr
from qgis.core import QgsCoordinateReferenceSystem
from support.clouds import labelled_cloud, write_cloud
from support.shown import shows


@pytest.fixture
def nameless(tmp_path):
    """A cloud in local coordinates."""
    xyz, target, prediction = labelled_cloud()
    columns = {"tree": target, "found": prediction}
    return write_cloud(tmp_path / "local.laz", xyz, columns, wkt="", corner=(0.0, 0.0, 0.0))


def test_without_a_system_the_run_is_refused(evaluate, nameless):
    done = evaluate(nameless)
    assert not done.ok
    assert shows(done.refused, "cloud.no_crs", file="local.laz")
    assert shows(done.refused, "cloud.no_crs")


def test_a_system_that_does_not_exist_is_told(evaluate, nameless):
    assert shows(evaluate(nameless, CRS="nonsense").refused, "crs.unknown", name="nonsense")


@pytest.mark.parametrize("system", ["EPSG:32617", "EPSG:3035", "EPSG:3857"])
def test_any_metric_system_does_for_local_coordinates(evaluate, nameless, system):
    done = evaluate(nameless, CRS=system)
    assert done.ok, done.error
    targets = done.table("MATCHED_TARGETS")
    assert done.layer("MATCHED_TARGETS").crs().authid() == system
    assert targets["iou"].tolist() == [1.0, 0.5, 0.0]
    assert targets["area"].max() <= 9.2


def test_the_system_that_the_file_names_counts(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    path = write_cloud(tmp_path / "plot.laz", xyz, {"tree": target, "found": prediction})
    done = evaluate(path, CRS="EPSG:2236")
    assert done.layer("MATCHED_TARGETS").crs().authid() == "EPSG:32617"


def test_feet_become_metres(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    feet = QgsCoordinateReferenceSystem("EPSG:2236")
    path = write_cloud(tmp_path / "feet.laz", xyz, {"tree": target, "found": prediction}, wkt="")
    plain, scaled = evaluate(path, CRS="EPSG:32617"), evaluate(path, CRS=feet)
    assert shows(scaled.warnings, "input.units", layer="feet.laz", unit=0.3048)
    heights = [done.table("MATCHED_TARGETS")["height"] for done in (plain, scaled)]
    np.testing.assert_allclose(heights[1], 0.3048006 * heights[0], rtol=1e-5)


SURVEY_FOOT = 1200 / 3937


FLORIDA, UTM, DEGREES = (1000000.0, 2000000.0, 0.0), (500000.0, 3000000.0, 0.0), (-81.0, 27.0, 0.0)
VERTICAL = [
    ("EPSG:32617+6360", 1.0, SURVEY_FOOT, UTM, "in units of 0.3048 m"),
    ("EPSG:2236+5703", SURVEY_FOOT, 1.0, FLORIDA, ""),
    ("EPSG:2236+6360", SURVEY_FOOT, SURVEY_FOOT, FLORIDA, "in units of 0.3048 m"),
    ("EPSG:4326+6360", 111320.0, SURVEY_FOOT, DEGREES, "in units of 0.3048 m"),
    ("EPSG:2236", SURVEY_FOOT, SURVEY_FOOT, FLORIDA, "taken to be in units of 0.3048 m"),
    ("EPSG:4326", 111320.0, 1.0, DEGREES, "taken to be in metres"),
]
# QGIS keeps no vertical part of a chosen system whose horizontal part it knows by number.
CHOSEN = [case for case in VERTICAL if not case[0].endswith("+6360")]


@pytest.mark.parametrize(
    ("by_file", "system", "across", "up", "corner", "told"),
    [(True, *case) for case in VERTICAL] + [(False, *case) for case in CHOSEN],
)
def test_heights_are_metres_whatever_the_unit_of_the_vertical_axis(
    evaluate, tmp_path, by_file, system, across, up, corner, told
):
    xyz, target, prediction = labelled_cloud()
    expected = [np.ptp(xyz[target == tree, 2]) for tree in range(3)]
    known = osr.SpatialReference()
    known.SetFromUserInput(system)
    text = known.ExportToWkt(["FORMAT=WKT2_2018"])
    path = write_cloud(
        tmp_path / "plot.laz",
        xyz / [across, across, up],
        {"tree": target, "found": prediction},
        wkt=text if by_file else "",
        corner=corner,
        scale=1e-7 if across > 1 else 1e-4,
    )
    done = evaluate(
        path, **({} if by_file else {"CRS": QgsCoordinateReferenceSystem.fromWkt(text)})
    )
    assert done.ok, done.error
    np.testing.assert_allclose(done.table("MATCHED_TARGETS")["height"], expected, atol=0.001)
    assert told in done.warnings
    assert ("heights" in done.warnings) == bool(told)
    assert ("does not say the unit of z" in done.said("height")) == ("taken" in told)


@pytest.mark.parametrize("bounds", [0.0, np.nan, np.inf, 1e300, "another zone"])
@pytest.mark.parametrize("ending", ["las", "laz"])
def test_degrees_are_worked_on_where_the_points_are_whatever_the_header_says(
    evaluate, tmp_path, bounds, ending
):
    xyz, target, prediction = labelled_cloud()
    path = write_cloud(
        tmp_path / f"plot.{ending}",
        xyz / [95000.0, 111000.0, 1.0],
        {"tree": target, "found": prediction},
        wkt=QgsCoordinateReferenceSystem("EPSG:4326").toWkt(),
        corner=(13.0, 31.0, 0.0),
        scale=1e-8,
    )
    areas = [evaluate(path).table("MATCHED_TARGETS")["area"]]
    numbers = [80.0, 79.0, 60.0, 59.0, 9.0, 0.0] if bounds == "another zone" else [bounds] * 6
    header = bytearray(path.read_bytes())
    header[179:227] = np.array(numbers).tobytes()
    path.write_bytes(bytes(header))
    done = evaluate(path)
    assert done.ok, done.error
    np.testing.assert_array_equal(done.table("MATCHED_TARGETS")["area"], areas[0])
    assert shows(done.warnings, "input.degrees", zone="EPSG:32633")


@pytest.mark.parametrize("scale", [1e12, 1e150, 1e300])
def test_coordinates_that_are_no_place_are_refused(evaluate, tmp_path, scale):
    xyz, target, prediction = labelled_cloud()
    columns = {"tree": target, "found": prediction}
    path = write_cloud(
        tmp_path / "scale.las", xyz * scale, columns, corner=(0.0, 0.0, 0.0), scale=scale
    )
    done = evaluate(path)
    assert not done.ok
    assert shows(done.error, "cloud.beyond_earth")


def test_metres_are_taken_where_nothing_else_is_told(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    done = evaluate(write_cloud(tmp_path / "plot.laz", xyz, {"tree": target, "found": prediction}))
    assert shows(done.said("height"), "height.points", unit="metres")
    assert done.results["INPUT_PROBLEMS"] == ""
