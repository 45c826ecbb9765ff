"""Point clouds whose file names a coordinate system, or does not."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.core import QgsCoordinateReferenceSystem
from support.clouds import labelled_cloud, write_cloud


@pytest.fixture
def nameless(tmp_path):
    """A cloud in local coordinates."""
    xyz, target, prediction = labelled_cloud()
    columns = {"tree": target, "found": prediction}
    return write_cloud(tmp_path / "local.laz", xyz, columns, wkt="", corner=(0.0, 0.0, 0.0))


def test_without_a_system_the_run_is_refused(evaluate, nameless):
    done = evaluate(nameless)
    assert not done.ok
    assert "local.laz does not say its coordinate system; choose" in done.refused
    assert "any system in metres will do" in done.refused


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
    assert "is in feet" in scaled.warnings or "worked on in metres" in scaled.warnings
    heights = [done.table("MATCHED_TARGETS")["height"] for done in (plain, scaled)]
    np.testing.assert_allclose(heights[1], 0.3048006 * heights[0], rtol=1e-5)
