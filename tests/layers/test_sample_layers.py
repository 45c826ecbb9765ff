"""The sample plot as files, as layers of a project, and as a project of its own."""

from __future__ import annotations

import contextlib
import functools
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import shapely
from make_sample import write_project
from osgeo import gdal
from qgis.core import QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtGui import QColor, QImage, QPainter
from support.errors import raises

from randcrowns.core.sample import DEFAULT_SEED, SamplePlot, read_parameters, simulate_plot
from randcrowns.layers import sample
from randcrowns.layers.sample import load_plot, write_plot

PEOPLE = ("annotator_1", "annotator_2", "annotator_3", "annotator_4", "field_polygons")
DRAWINGS = (*PEOPLE, "detector", "detector_2", "detector_3")
COARSE = read_parameters({"pixel": 0.5})


@functools.cache
def coarse_plot(seed: int, _parameters: object = None) -> SamplePlot:
    """A plot is made once: nothing changes one."""
    return simulate_plot(seed, COARSE)


@pytest.fixture(autouse=True)
def coarse_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Painting the image takes most of the time that the plot takes."""
    monkeypatch.setattr(sample, "simulate_plot", coarse_plot)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, qgis_app: object) -> Path:
    """A plot on disk, with the seed that load_plot takes by default but coarse pixels."""
    folder = tmp_path_factory.mktemp("plot")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sample, "simulate_plot", coarse_plot)
        write_plot(folder)
    return folder


def _layer(folder: Path, name: str) -> QgsVectorLayer:
    layer = QgsVectorLayer(f"{folder / 'crowns.gpkg'}|layername={name}", name, "ogr")
    assert layer.isValid()
    return layer


def test_every_geometry_reaches_the_file_to_the_last_bit(written: Path) -> None:
    plot = coarse_plot(DEFAULT_SEED)
    expected = {
        "crowns": plot.crowns,
        **{name: drawing.geometry for name, drawing in plot.drawings.items()},
    }
    for name, geometry in expected.items():
        features = list(_layer(written, name).getFeatures())
        read = shapely.from_wkb([bytes(feature.geometry().asWkb()) for feature in features])
        assert shapely.equals_exact(read, geometry, tolerance=0).all()


def test_fields(written: Path) -> None:
    fields = {
        name: [f.name() for f in _layer(written, name).fields()] for name in ("crowns", *DRAWINGS)
    }
    assert fields["crowns"] == ["fid", "plot", "height", "species"]
    assert fields["annotator_3"] == fields["field_polygons"] == ["fid", "plot", "annotator"]
    assert fields["detector"] == ["fid", "plot", "score"]
    detector = list(_layer(written, "detector").getFeatures())
    assert {feature["plot"] for feature in detector} == {f"simulated_{DEFAULT_SEED}"}
    assert [feature["score"] for feature in detector] == coarse_plot(DEFAULT_SEED).drawings[
        "detector"
    ].score.tolist()


def test_the_image_lies_under_the_crowns(written: Path) -> None:
    image = QgsRasterLayer(str(written / "image.tif"), "image")
    assert image.isValid()
    assert image.bandCount() == 3
    assert image.crs().authid() == "EPSG:32617"
    assert image.rasterUnitsPerPixelX() == pytest.approx(0.5)
    assert image.extent().width() == pytest.approx(40)
    assert image.extent().contains(_layer(written, "crowns").extent())
    pixels = np.moveaxis(gdal.Open(str(written / "image.tif")).ReadAsArray(), 0, -1)
    assert np.array_equal(pixels, coarse_plot(DEFAULT_SEED).image)


def test_files_say_that_they_are_simulated(written: Path) -> None:
    about = f"Simulated by RandCrowns from seed {DEFAULT_SEED}"
    assert about in gdal.Open(str(written / "image.tif")).GetMetadata()["TIFFTAG_IMAGEDESCRIPTION"]
    package = gdal.OpenEx(str(written / "crowns.gpkg"))
    for name in ("crowns", *DRAWINGS):
        assert about in package.GetLayerByName(name).GetMetadata()["DESCRIPTION"]


def test_loading_adds_one_group_once(written: Path) -> None:
    project = QgsProject()
    project.layerTreeRoot().addGroup("what the user has")
    group = load_plot(project, written)
    assert [node.name() for node in project.layerTreeRoot().children()] == [
        group.name(),
        "what the user has",
    ]
    assert "simulated" in group.name()
    assert str(DEFAULT_SEED) in group.name()
    assert [node.name() for node in group.findLayers()] == ["crowns", *DRAWINGS, "image"]
    assert project.crs().authid() == "EPSG:32617"
    shown = [node.name() for node in group.findLayers() if node.itemVisibilityChecked()]
    assert shown == ["crowns", *DRAWINGS[:4], "image"]
    again = load_plot(project, written)
    assert again.name() == group.name()
    assert len(project.mapLayers()) == 10
    for layer in project.mapLayers().values():
        assert "no tree here is real" in layer.metadata().abstract()


def test_every_layer_is_an_outline_in_its_own_colour(written: Path) -> None:
    project = QgsProject()
    load_plot(project, written)
    colours, styles = {}, {}
    for layer in project.mapLayers().values():
        if isinstance(layer, QgsVectorLayer):
            symbol = layer.renderer().symbol().symbolLayers()[-1]
            assert symbol.properties()["style"] == "no"
            colours[layer.name()] = symbol.strokeColor().name()
            styles[layer.name()] = symbol.properties()["outline_style"]
    assert len(set(colours.values())) == 9
    assert styles.pop("crowns") == "dot"
    assert set(styles.values()) == {"solid"}


@pytest.mark.parametrize("behind", ["#ffffff", "#232629"])
def test_every_layer_is_seen_in_the_layer_tree(written: Path, behind: str) -> None:
    project = QgsProject()
    load_plot(project, written)
    for layer in project.mapLayers().values():
        if isinstance(layer, QgsVectorLayer):
            swatch = QImage(16, 16, QImage.Format.Format_RGB32)
            swatch.fill(QColor(behind))
            layer.renderer().symbol().drawPreviewIcon(painter := QPainter(swatch), swatch.size())
            painter.end()
            lightness = [swatch.pixelColor(x, y).lightness() for x in range(16) for y in range(16)]
            assert max(lightness) - min(lightness) > 40, layer.name()


def test_loading_keeps_what_the_project_has(written: Path) -> None:
    project = QgsProject()
    own = QgsVectorLayer("Polygon?crs=EPSG:4326", "mine", "memory")
    project.addMapLayer(own)
    crs = project.crs().authid()
    load_plot(project, written)
    assert project.mapLayersByName("mine") == [own]
    assert project.crs().authid() == crs


def _say_undefined(package: Path) -> None:
    """Make a GeoPackage say that its layers have the undefined geographic system."""
    with contextlib.closing(sqlite3.connect(package)) as database, database:
        database.execute("UPDATE gpkg_contents SET srs_id = 0")
        database.execute("UPDATE gpkg_geometry_columns SET srs_id = 0")


def _empty(package: Path) -> None:
    gdal.OpenEx(str(package), gdal.OF_VECTOR | gdal.OF_UPDATE).ExecuteSQL("DELETE FROM detector")


@pytest.mark.parametrize(
    "damage",
    [_say_undefined, _empty, lambda package: package.write_bytes(b"no package")],
    ids=["undefined system", "empty layer", "no file of its kind"],
)
def test_a_damaged_plot_is_written_anew(
    written: Path, tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    shutil.copytree(written, tmp_path / "plot")
    damage(tmp_path / "plot" / "crowns.gpkg")
    project = QgsProject()
    load_plot(project, tmp_path / "plot")
    layers = [layer for layer in project.mapLayers().values() if isinstance(layer, QgsVectorLayer)]
    assert {layer.crs().authid() for layer in layers} == {"EPSG:32617"}
    assert all(layer.featureCount() > 0 for layer in layers)
    assert len(layers) == 9


def test_a_damaged_plot_that_cannot_be_written_anew_is_reported(
    written: Path, tmp_path: Path
) -> None:
    (tmp_path / "image.tif").write_bytes((written / "image.tif").read_bytes())
    (tmp_path / "crowns.gpkg").mkdir()
    (tmp_path / "crowns.gpkg" / "crowns.gpkg").mkdir()
    project = QgsProject()
    with raises("sample.not_written"):
        load_plot(project, tmp_path)
    assert not project.mapLayers()


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with raises("sample.not_written"):
        write_plot(tmp_path / "file" / "below")


def test_the_project_opens_with_the_plot_on_any_machine(tmp_path: Path, qgis_app: object) -> None:
    path = write_project(tmp_path / "made here")
    moved = tmp_path / "moved there"
    (tmp_path / "made here").rename(moved)
    project = QgsProject()
    assert project.read(str(moved / path.name))
    assert "simulated" in project.title()
    assert len(project.mapLayers()) == 10
    assert all(layer.isValid() for layer in project.mapLayers().values())
    assert project.viewSettings().defaultViewExtent().width() == pytest.approx(40)
