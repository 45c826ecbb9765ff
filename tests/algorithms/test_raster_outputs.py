"""Rasters beside tables: right, whole, or not there at all."""

from __future__ import annotations

import os

import numpy as np
import pytest
import shapely
from osgeo import gdal
from support.full_disk import room
from support.layers import EAST, NORTH, layer_of
from support.processing import Listener
from support.shown import shows

AREA = shapely.box(EAST, NORTH, EAST + 100, NORTH + 100)


@pytest.fixture
def compare(run):
    def run_it(feedback=None, **parameters):
        corners = np.random.default_rng(0).uniform(0, 90, (60, 2)) + np.array([EAST, NORTH])
        drawn = [shapely.box(x, y, x + 9, y + 9) for x, y in corners]
        layers = [layer_of("a", drawn[:40]), layer_of("b", drawn[20:])]
        given = {
            "ANNOTATORS": layers,
            "EXTENT_LAYER": layer_of("area", [AREA]),
            "RESOLUTION": 0.1,
            **parameters,
        }
        return run("compareannotators", given, feedback, outputs=("AGREEMENT",))

    return run_it


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.sdat", "a.nc", "a.xyz", "a.bil", "a"])
def test_formats_that_change_values_are_refused(compare, tmp_path, name):
    assert shows(compare(AGREEMENT_RASTER=str(tmp_path / name)).refused, "output.wrong_ending")


def test_a_folder_is_refused(compare, tmp_path):
    (tmp_path / "a.tif").mkdir()
    assert shows(compare(AGREEMENT_RASTER=str(tmp_path / "a.tif")).refused, "output.is_folder")


def test_a_full_disk_leaves_the_raster_and_the_tables_as_they_were(compare, tmp_path):
    path, table = tmp_path / "a.tif", tmp_path / "a.gpkg"
    assert compare(AGREEMENT_RASTER=str(path), RESOLUTION=1).ok
    before = path.read_bytes()
    with room(10_000):
        done = compare(AGREEMENT_RASTER=str(path), AGREEMENT=str(table))
    assert shows(done.error, "raster.not_written")
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.tif"]


def test_a_raster_that_cannot_take_its_place_takes_the_tables_with_it(
    compare, tmp_path, monkeypatch
):
    def fail(made, place):
        raise PermissionError(place)

    monkeypatch.setattr(os, "replace", fail)
    done = compare(AGREEMENT_RASTER=str(tmp_path / "a.tif"), AGREEMENT=str(tmp_path / "a.gpkg"))
    assert shows(done.error, "file.not_replaced")
    assert list(tmp_path.iterdir()) == []


def test_it_is_a_file_like_the_others_and_old_side_files_go(compare, tmp_path):
    path = tmp_path / "a.TIF"
    for ending in (".aux.xml", ".ovr"):
        (tmp_path / f"a.TIF{ending}").write_text("of the raster before")
    done = compare(AGREEMENT_RASTER=str(path))
    assert done.ok, done.error
    (tmp_path / "plain").touch()
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.TIF", "plain"]
    assert os.path.getsize(path) < 1_000_000
    assert set(np.unique(gdal.Open(str(path)).ReadAsArray())) == {0, 1, 2}


def test_a_temporary_raster_is_a_geotiff_too(compare):
    done = compare(AGREEMENT_RASTER="TEMPORARY_OUTPUT", RESOLUTION=1)
    assert done.results["AGREEMENT_RASTER"].endswith(".tif")
    assert gdal.Open(done.results["AGREEMENT_RASTER"]).GetDriver().ShortName == "GTiff"


def test_a_cancel_while_it_is_written_leaves_nothing(compare, tmp_path):
    listener = Listener(cancel_at=86.0)
    assert compare(listener, AGREEMENT_RASTER=str(tmp_path / "a.tif")).results == {}
    assert listener.isCanceled()
    assert list(tmp_path.iterdir()) == []
