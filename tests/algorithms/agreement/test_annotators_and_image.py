"""randcrowns:compareannotators with the image that was drawn on."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import QgsMultiBandColorRenderer, QgsRasterLayer, QgsSingleBandGrayRenderer
from support.layers import EAST, NORTH, layer_of
from support.processing import run_algorithm
from support.rasters import write_raster
from support.shown import shows


def square(x, y, side=10.0):
    return shapely.box(EAST + x, NORTH + y, EAST + x + side, NORTH + y + side)


@pytest.fixture
def compare(algorithms, qgis_new_project):
    def run_it(**parameters):
        return run_algorithm(
            "compareannotators",
            {"BOOTSTRAP_SAMPLES": 2, **parameters},
            outputs=("AGREEMENT", "SUMMARY"),
        )

    return run_it


def test_image_gives_the_study_area_and_correlations(compare, tmp_path):
    bright = np.zeros((20, 20))
    bright[:, :10] = 200.0
    file = write_raster(tmp_path / "image.tif", bright, west=EAST, north=NORTH + 20)
    image = QgsRasterLayer(str(file), "image")
    drawn = [layer_of("ann", [square(0, 0)]), layer_of("bob", [square(0, 5)])]
    done = compare(ANNOTATORS=drawn, IMAGE=image, IMAGE_TABLE="TEMPORARY_OUTPUT")
    assert done.ok, done.error
    assert done.table("SUMMARY").set_index("statistic").loc["study_area", "value"] == pytest.approx(
        400
    )
    found = done.table("IMAGE_TABLE").set_index("property")["correlation"]
    h = np.zeros((20, 20))
    h[10:, :10] += 1
    h[5:15, :10] += 1
    assert found["intensity"] == pytest.approx(np.corrcoef(h.ravel(), bright.ravel())[0, 1])
    assert shows(done.warnings, "input.image_extent")


@pytest.fixture
def colour_image(tmp_path):
    """Four bands of 20 x 20 m: three of noise, the last bright where the first annotator drew."""
    bands = np.random.default_rng(3).uniform(1, 200, (4, 20, 20))
    bands[3] = 10.0
    bands[3, 10:, :10] = 200.0
    file = write_raster(tmp_path / "image.tif", bands, west=EAST, north=NORTH + 20)
    return QgsRasterLayer(str(file), "image"), bands


def correlation_with(bands, rgb):
    brightness = (
        0.2989 * bands[rgb[0] - 1] + 0.5870 * bands[rgb[1] - 1] + 0.1140 * bands[rgb[2] - 1]
    )
    h = np.zeros(brightness.shape)
    h[10:, :10] += 1
    h[5:15, :10] += 1
    return np.corrcoef(h.ravel(), brightness.ravel())[0, 1]


def test_bands_of_the_image_are_chosen(compare, colour_image):
    image, bands = colour_image
    drawn = [layer_of("ann", [square(0, 0)]), layer_of("bob", [square(0, 5)])]

    def intensity(**colours):
        done = compare(ANNOTATORS=drawn, IMAGE=image, IMAGE_TABLE="TEMPORARY_OUTPUT", **colours)
        assert done.ok, done.error
        return done.table("IMAGE_TABLE").set_index("property").loc["intensity", "correlation"]

    assert intensity() == pytest.approx(correlation_with(bands, (1, 2, 3)))
    assert intensity(RED=4, GREEN=3, BLUE=2) == pytest.approx(correlation_with(bands, (4, 3, 2)))
    image.setRenderer(QgsMultiBandColorRenderer(image.dataProvider(), 2, 4, 1))
    assert intensity() == pytest.approx(correlation_with(bands, (2, 4, 1)))
    assert intensity(BLUE=3) == pytest.approx(correlation_with(bands, (2, 4, 3)))
    image.setRenderer(QgsSingleBandGrayRenderer(image.dataProvider(), 4))
    assert intensity() == pytest.approx(correlation_with(bands, (1, 2, 3)))
    refused = compare(ANNOTATORS=drawn, IMAGE=image, GREEN=5).refused
    assert shows(refused, "image.no_band", band=5, bands=4)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (np.full((60, 60), 7.0), "the image is the same everywhere"),
        (np.full((60, 60), np.nan), "no pixel in the study area has data"),
    ],
)
def test_why_there_is_no_correlation_is_told(compare, tmp_path, values, reason):
    image = str(write_raster(tmp_path / "image.tif", values, 1.0, EAST, NORTH + 60))
    drawn = [layer_of("ann", [square(0, 0)]), layer_of("bob", [square(0, 5)])]
    done = compare(ANNOTATORS=drawn, IMAGE=image, IMAGE_TABLE="TEMPORARY_OUTPUT")
    assert done.ok, done.error
    table = done.table("IMAGE_TABLE")
    assert table["correlation"].isna().all()
    assert table["reason"].str.startswith(reason).all()
    assert (
        f"Image 'image': no correlation with intensity, band 1, contrast: {reason}" in done.warnings
    )


@pytest.mark.parametrize(("n_crowns", "told"), [(6, True), (60, False)])
def test_the_p_value_that_a_perfect_image_would_have_is_told(compare, tmp_path, n_crowns, told):
    rng = np.random.default_rng(4)
    corners = rng.permutation([(x, y) for x in range(1, 100, 12) for y in range(1, 100, 12)])[
        :n_crowns
    ]
    drawn = [layer_of(name, [square(x, y, 9) for x, y in corners]) for name in ("ann", "bob")]
    y, x = np.mgrid[99:-1:-1, :100] + 0.5
    votes = sum(
        ((x > left) & (x < left + 9) & (y > low) & (y < low + 9)) * 2.0 for left, low in corners
    )
    image = write_raster(
        tmp_path / "image.tif", votes + rng.random(votes.shape), 1.0, EAST, NORTH + 100
    )
    done = compare(ANNOTATORS=drawn, IMAGE=str(image), IMAGE_TABLE="TEMPORARY_OUTPUT")
    assert done.ok, done.error
    row = done.table("IMAGE_TABLE").set_index("property").loc["band 1"]
    assert row["correlation"] > 0.8
    assert row["p_value"] == pytest.approx(row["min_p_value"], rel=0.25)
    assert 0 < row["p_value"] < (0.05 if told else 0.01)
    assert (f"would have p = {row['min_p_value']:.2f} here" in done.warnings) == told


@pytest.mark.parametrize(
    ("columns", "missing", "told"),
    [(60, 0, ""), (60, 40, "in 33 %"), (15, 0, "in 25 %"), (60, 59.5, "in less than 1 %")],
)
def test_an_image_with_data_in_a_part_of_the_study_area_is_told(
    compare, tmp_path, columns, missing, told
):
    values = np.random.default_rng(0).random((120, 2 * columns))
    values[:, : round(2 * missing)] = -9999
    image = str(write_raster(tmp_path / "image.tif", values, 0.5, EAST, NORTH + 60, nodata=-9999))
    drawn = [layer_of("ann", [square(0, 0)]), layer_of("bob", [square(0, 5)])]
    area = layer_of("area", [square(0, 0, 60)])
    done = compare(ANNOTATORS=drawn, IMAGE=image, EXTENT_LAYER=area, IMAGE_TABLE="TEMPORARY_OUTPUT")
    assert done.ok, done.error
    for said in (done.warnings, done.said("image")):
        assert (shows(said, "image.part")) == bool(told)
        assert told in said


def test_one_infinite_pixel_is_left_out(compare, tmp_path):
    values = np.random.default_rng(0).random((60, 60))
    values[3, 3] = np.inf
    image = str(write_raster(tmp_path / "image.tif", values, 1.0, EAST, NORTH + 60))
    drawn = [layer_of("ann", [square(0, 0)]), layer_of("bob", [square(0, 5)])]
    table = compare(ANNOTATORS=drawn, IMAGE=image, IMAGE_TABLE="TEMPORARY_OUTPUT").table(
        "IMAGE_TABLE"
    )
    assert table["correlation"].notna().all()
    assert table["reason"].str.contains("varies in too few blocks").all()


def test_an_image_of_colour_numbers_is_refused(compare, tmp_path):
    path = tmp_path / "classes.tif"
    made = gdal.GetDriverByName("GTiff").Create(str(path), 60, 60, 1, gdal.GDT_Byte)
    made.SetGeoTransform((EAST, 1, 0, NORTH + 60, 0, -1))
    made.SetProjection(layer_of("a", []).crs().toWkt())
    colours = gdal.ColorTable()
    colours.SetColorEntry(0, (255, 255, 255, 255))
    made.GetRasterBand(1).SetColorTable(colours)
    del made
    drawn = [layer_of("ann", [square(0, 0)]), layer_of("bob", [square(0, 5)])]
    assert shows(compare(ANNOTATORS=drawn, IMAGE=str(path)).refused, "image.colour_table")


def test_an_image_of_the_world_is_told(compare, tmp_path):
    path = str(write_raster(tmp_path / "world.tif", np.zeros((90, 180)), 2.0, -180, 90, epsg=4326))
    drawn = [layer_of("ann", [square(0, 0)]), layer_of("bob", [square(0, 5)])]
    assert shows(compare(ANNOTATORS=drawn, IMAGE=path).error, "raster.too_wide")
