"""The sample plot as a copy of its files, as layers of a project, and as a project of its own."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from osgeo import gdal
from qgis.core import QgsProject, QgsVectorLayer
from qgis.PyQt.QtGui import QColor, QImage, QPainter
from sample_project import write_project
from support.errors import raises

from randcrowns.core.sample import DELINEATIONS, SAMPLE_SEED, sample_files
from randcrowns.layers import sample
from randcrowns.layers.sample import copy_plot, load_plot, sample_clouds


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, qgis_app: object) -> Path:
    """A copy of the plot."""
    folder = tmp_path_factory.mktemp("plot")
    copy_plot(folder)
    return folder


def _layer(folder: Path, name: str) -> QgsVectorLayer:
    layer = QgsVectorLayer(f"{folder / 'crowns.gpkg'}|layername={name}", name, "ogr")
    assert layer.isValid()
    return layer


def test_a_copy_has_the_bytes_of_the_shipped_files(tmp_path: Path) -> None:
    copies = copy_plot(tmp_path / "plot")
    names = sorted(path.name for path in (tmp_path / "plot").iterdir())
    assert names == ["cloud.laz", "crowns.gpkg", "image.tif"]
    for source, copy in zip(sample_files(), copies):
        assert copy.read_bytes() == source.read_bytes()


def test_a_copy_can_be_edited_where_the_shipped_files_are_protected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    protected = shutil.copytree(sample_files().image.parent, tmp_path / "protected")
    for file in protected.iterdir():
        file.chmod(0o444)
    monkeypatch.setattr("randcrowns.core.sample._SHIPPED_FOLDER", protected)
    copy_plot(tmp_path / "copy")
    assert all(path.stat().st_mode & 0o200 for path in sample_files(tmp_path / "copy"))


def test_loading_adds_one_group_once(written: Path) -> None:
    project = QgsProject()
    project.layerTreeRoot().addGroup("what the user has")
    group = load_plot(project, written)
    assert [node.name() for node in project.layerTreeRoot().children()] == [
        group.name(),
        "what the user has",
    ]
    assert "simulated" in group.name()
    assert str(SAMPLE_SEED) in group.name()
    assert [node.name() for node in group.findLayers()] == ["crowns", *DELINEATIONS, "image"]
    assert project.crs().authid() == "EPSG:32617"
    shown = [node.name() for node in group.findLayers() if node.itemVisibilityChecked()]
    assert shown == ["crowns", *DELINEATIONS[:4], "image"]
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


def test_a_journal_of_a_damaged_file_does_not_change_its_replacement(
    written: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(written, tmp_path / "plot")
    # A process that ends in a transaction leaves the database with a journal of other pages.
    database = sqlite3.connect(folder / "crowns.gpkg")
    database.execute("PRAGMA journal_mode = wal")
    database.execute("DELETE FROM detector")
    database.commit()
    shutil.copyfile(folder / "crowns.gpkg-wal", tmp_path / "journal")
    database.close()
    shutil.copyfile(tmp_path / "journal", folder / "crowns.gpkg-wal")
    copy_plot(folder)
    assert _layer(folder, "detector").featureCount() == 37


def test_a_missing_cloud_is_copied_and_changed_crowns_stay(written: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(written, tmp_path / "plot")
    (folder / "cloud.laz").unlink()
    package = gdal.OpenEx(str(folder / "crowns.gpkg"), gdal.OF_VECTOR | gdal.OF_UPDATE)
    package.ExecuteSQL("UPDATE annotator_1 SET annotator = 'Anna'")
    del package
    project = QgsProject()
    load_plot(project, folder)
    assert sample_clouds(project) == [folder / "cloud.laz"]
    assert {crown["annotator"] for crown in _layer(folder, "annotator_1").getFeatures()} == {"Anna"}


def test_a_damaged_plot_that_cannot_be_written_again_is_reported(
    written: Path, tmp_path: Path
) -> None:
    (tmp_path / "image.tif").write_bytes((written / "image.tif").read_bytes())
    (tmp_path / "crowns.gpkg").mkdir()
    project = QgsProject()
    with raises("sample.not_written"):
        load_plot(project, tmp_path)
    assert not project.mapLayers()


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with raises("sample.not_written"):
        copy_plot(tmp_path / "file" / "below")


def test_an_incomplete_installation_is_reported_and_nothing_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = shutil.copytree(sample_files().image.parent, tmp_path / "shipped")
    (shipped / "cloud.laz").unlink()
    monkeypatch.setattr("randcrowns.core.sample._SHIPPED_FOLDER", shipped)
    with raises("sample.incomplete", file=shipped / "cloud.laz"):
        copy_plot(tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_every_layer_of_the_plot_has_a_colour() -> None:
    assert set(sample._COLOURS) == set(DELINEATIONS)


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
