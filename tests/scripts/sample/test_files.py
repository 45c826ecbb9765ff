"""The shipped files of the sample plot are those that the generator writes."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import laspy
import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import QgsRasterLayer, QgsVectorLayer
from sample import SamplePlot, simulate_plot
from sample.files import write_cloud, write_sample

from randcrowns.core.sample import DELINEATIONS, SAMPLE_SEED, SampleFiles
from randcrowns.layers.sample import copy_plot

MODULES = ("cloud", "files", "image", "plot", "trees")


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory, qgis_app: object) -> SampleFiles:
    """Files that the generator writes today."""
    return write_sample(tmp_path_factory.mktemp("plot"))


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> SampleFiles:
    """A copy of the shipped files, because QGIS writes beside the files that it opens."""
    return copy_plot(tmp_path_factory.mktemp("shipped"))


@pytest.fixture(scope="module")
def plot() -> SamplePlot:
    return simulate_plot()


def _layer(files: SampleFiles, name: str) -> QgsVectorLayer:
    layer = QgsVectorLayer(f"{files.crowns}|layername={name}", name, "ogr")
    assert layer.isValid()
    return layer


def _geometry(layer: QgsVectorLayer) -> np.ndarray:
    return shapely.from_wkb([bytes(crown.geometry().asWkb()) for crown in layer.getFeatures()])


@pytest.mark.parametrize("name", ["crowns", *DELINEATIONS])
def test_shipped_crowns_and_attributes_are_those_of_the_generator(
    shipped: SampleFiles, generated: SampleFiles, name: str
) -> None:
    then, today = _layer(shipped, name), _layer(generated, name)
    assert then.crs() == today.crs()
    assert [field.name() for field in then.fields()] == [field.name() for field in today.fields()]
    assert [crown.attributes() for crown in then.getFeatures()] == [
        crown.attributes() for crown in today.getFeatures()
    ]
    # Versions of GEOS begin a ring at different vertices.
    same = shapely.equals_exact(
        shapely.normalize(_geometry(then)), shapely.normalize(_geometry(today)), tolerance=0
    )
    assert same.all()


def test_shipped_pixels_are_those_of_the_generator(
    shipped: SampleFiles, generated: SampleFiles
) -> None:
    then, today = gdal.Open(str(shipped.image)), gdal.Open(str(generated.image))
    assert then.GetGeoTransform() == today.GetGeoTransform()
    assert then.GetProjection() == today.GetProjection()
    difference = np.abs(then.ReadAsArray().astype(int) - today.ReadAsArray())
    # Versions of scipy differ in the last bit, which can round a colour up or down.
    assert difference.max() <= 1
    assert (difference > 0).mean() < 1e-4


def test_shipped_points_are_those_of_the_generator(
    shipped: SampleFiles, generated: SampleFiles
) -> None:
    then, today = laspy.read(shipped.cloud), laspy.read(generated.cloud)
    assert [record.record_data_bytes() for record in then.header.vlrs] == [
        record.record_data_bytes() for record in today.header.vlrs
    ]
    assert len(then.points) == 120_000
    for name in then.point_format.dimension_names:
        np.testing.assert_array_equal(then[name], today[name], err_msg=name)


def test_every_geometry_reaches_the_file_to_the_last_bit(
    generated: SampleFiles, plot: SamplePlot
) -> None:
    expected = {
        "crowns": plot.crowns,
        **{name: drawing.geometry for name, drawing in plot.drawings.items()},
    }
    for name, geometry in expected.items():
        written = _geometry(_layer(generated, name))
        assert shapely.equals_exact(written, geometry, tolerance=0).all()


def test_fields(generated: SampleFiles, plot: SamplePlot) -> None:
    fields = {
        name: [field.name() for field in _layer(generated, name).fields()]
        for name in ("crowns", *DELINEATIONS)
    }
    assert fields["crowns"] == ["fid", "plot", "height", "species"]
    assert fields["annotator_3"] == fields["field_polygons"] == ["fid", "plot", "annotator"]
    assert fields["detector"] == ["fid", "plot", "score", "species"]
    detector = list(_layer(generated, "detector").getFeatures())
    assert {crown["plot"] for crown in detector} == {f"simulated_{SAMPLE_SEED}"}
    assert [crown["score"] for crown in detector] == plot.drawings["detector"].score.tolist()


def test_one_detector_takes_conifers_as_broadleaves(shipped: SampleFiles) -> None:
    trees = [*_layer(shipped, "crowns").getFeatures()]
    shares = {}
    for detector in ("detector", "detector_2"):
        found = [*_layer(shipped, detector).getFeatures()]
        taken = []
        for tree in trees:
            shared = [crown.geometry().intersection(tree.geometry()).area() for crown in found]
            if tree["species"].endswith("conifer") and max(shared) > 0:
                taken.append(found[int(np.argmax(shared))]["species"])
        shares[detector] = np.mean([name.endswith("broadleaf") for name in taken])
    assert shares["detector"] < 0.3 < shares["detector_2"]


def test_the_image_lies_under_the_crowns(generated: SampleFiles, plot: SamplePlot) -> None:
    image = QgsRasterLayer(str(generated.image), "image")
    assert image.isValid()
    assert image.bandCount() == 3
    assert image.crs().authid() == "EPSG:32617"
    assert image.rasterUnitsPerPixelX() == pytest.approx(0.1)
    assert image.extent().width() == pytest.approx(40)
    assert image.extent().contains(_layer(generated, "crowns").extent())
    pixels = np.moveaxis(gdal.Open(str(generated.image)).ReadAsArray(), 0, -1)
    assert np.array_equal(pixels, plot.image)


def test_files_say_that_they_are_simulated(shipped: SampleFiles) -> None:
    about = f"Simulated by RandCrowns from seed {SAMPLE_SEED}"
    assert about in gdal.Open(str(shipped.image)).GetMetadata()["TIFFTAG_IMAGEDESCRIPTION"]
    package = gdal.OpenEx(str(shipped.crowns))
    for name in ("crowns", *DELINEATIONS):
        assert about in package.GetLayerByName(name).GetMetadata()["DESCRIPTION"]
    header = laspy.open(str(shipped.cloud)).header
    assert header.system_identifier == f"Simulated, seed {SAMPLE_SEED}"


def test_files_of_a_seed_are_the_same_on_every_day(tmp_path: Path, qgis_app: object) -> None:
    bytes_of = [
        write_cloud(tmp_path / f"{n}.laz", 4, n_points=2000, n_trees=5).read_bytes()
        for n in range(2)
    ]
    assert bytes_of[0] == bytes_of[1]
    header = laspy.open(str(tmp_path / "0.laz")).header
    assert header.system_identifier == "Simulated, seed 4"
    assert header.creation_date.isoformat() == "2026-01-01"


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"sample.{name}")).failed == 0
