"""Local files are opened with the drivers of their format, and nothing is fetched from a server."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from osgeo import gdal, ogr
from support.errors import raises
from support.hostile_files import RecordingServer, geojson, raster_vrt, recording_server, vector_vrt
from support.rasters import write_raster

from randcrowns.core.progress import no_progress
from randcrowns.layers.files.label_raster import read_label_raster
from randcrowns.layers.files.vector_files import read_vector_file
from randcrowns.layers.local_files import offline_gdal, open_image
from randcrowns.layers.raster.images import AnnotatedImage, ImageFinder, Window, write_crop


@pytest.fixture
def server() -> Iterator[RecordingServer]:
    """A running server."""
    with recording_server() as running:
        yield running


@pytest.mark.parametrize("name", ["crowns.gpkg", "crowns.geojson", "crowns.shp", "crowns.fgb"])
def test_a_virtual_dataset_under_another_name_is_refused(qgis_app, tmp_path, server, name) -> None:
    (tmp_path / "other.geojson").write_text(geojson())
    path = tmp_path / name
    for source in (f"/vsicurl/{server.address}/other.geojson", str(tmp_path / "other.geojson")):
        path.write_text(vector_vrt(source))
        with raises("file.other_format", path=name):
            read_vector_file(path, no_progress)
    assert server.requests == []


@pytest.mark.parametrize("kind", ["link", "url"])
def test_a_crs_that_is_an_address_is_not_fetched(qgis_app, tmp_path, server, kind) -> None:
    path = tmp_path / "crowns.geojson"
    address = {"type": kind, "properties": {"href": server.address, "url": server.address}}
    path.write_text(geojson(address))
    with raises("file.crs_address", path="crowns.geojson"):
        read_vector_file(path, no_progress)
    # Behind the beginning of the file, and with letters as JSON escapes them.
    begin = '{"type": "FeatureCollection", "name": "' + 70_000 * "a" + '",'
    text = geojson().replace("{", begin, 1)[:-1] + ', "crs": ' + json.dumps(address) + "}"
    path.write_text(text.replace(f'"{kind}"', f'"\\u{ord(kind[0]):04x}{kind[1:]}"'))
    assert len(read_vector_file(path, no_progress).annotations) == 1
    assert server.requests == []


def test_a_table_of_a_geopackage_that_reads_an_address_is_not_fetched(
    qgis_app, tmp_path, server
) -> None:
    path = tmp_path / "crowns.gpkg"
    dataset = gdal.GetDriverByName("GPKG").Create(str(path), 0, 0, 0, gdal.GDT_Unknown)
    dataset.CreateLayer("crowns", None, ogr.wkbPolygon)
    del dataset
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA writable_schema = 1")
        table = f"CREATE VIRTUAL TABLE v USING VirtualOGR('/vsicurl/{server.address}/v.geojson')"
        database.execute("INSERT INTO sqlite_master VALUES ('table', 'v', 'v', 0, ?)", [table])
        contents = "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('v', 'attributes')"
        database.execute(contents)
        database.commit()
    assert len(read_vector_file(path, no_progress).annotations) == 0
    assert server.requests == []


def test_an_image_that_is_virtual_under_another_name_is_unreadable(
    qgis_app, tmp_path, server
) -> None:
    write_raster(tmp_path / "other.tif", np.ones((4, 4)), 0.5)
    for source in (f"/vsicurl/{server.address}/a.tif", str(tmp_path / "other.tif")):
        (tmp_path / "a.tif").write_text(raster_vrt(source))
        assert AnnotatedImage.from_file("a", tmp_path / "a.tif").is_unreadable
        with raises("file.damaged_raster", path="a.tif"):
            read_label_raster(tmp_path / "a.tif")
    assert server.requests == []


def test_a_virtual_image_reads_local_rasters_alone(qgis_app, tmp_path, server) -> None:
    write_raster(tmp_path / "tile.tif", np.ones((4, 4)), 0.5)
    path = tmp_path / "a.vrt"
    path.write_text(raster_vrt("tile.tif", 1))
    assert AnnotatedImage.from_file("a", path).width == 4
    (tmp_path / "nested.vrt").write_text(raster_vrt("a.vrt", 1))
    assert AnnotatedImage.from_file("nested", tmp_path / "nested.vrt").width == 4
    (tmp_path / "renamed.tif").write_text(raster_vrt("tile.tif", 1))
    (tmp_path / "itself.vrt").write_text(raster_vrt("itself.vrt", 1))
    sources = [
        f"/vsicurl/{server.address}/a.tif",
        f"{server.address}/a.tif",
        "PG:host=127.0.0.1 dbname=a table=b",
        raster_vrt("tile.tif").replace("<", "&lt;"),
        "renamed.tif",
        "itself.vrt",
        "absent.tif",
    ]
    for source in sources:
        path.write_text(raster_vrt(source, 1))
        assert AnnotatedImage.from_file("a", path).is_unreadable, source
    assert server.requests == []


@pytest.mark.parametrize("ending", [".msk", ".ovr"])
def test_a_virtual_mask_beside_an_image_makes_it_unreadable(
    qgis_app, tmp_path, server, ending
) -> None:
    path = write_raster(tmp_path / "a.tif", np.ones((4, 4)), 0.5)
    (tmp_path / f"a.tif{ending}").write_text(raster_vrt(f"/vsicurl/{server.address}/a.tif"))
    assert AnnotatedImage.from_file("a", path).is_unreadable
    assert server.requests == []


def test_overviews_at_an_address_are_not_fetched(qgis_app, tmp_path, server) -> None:
    path = write_raster(tmp_path / "a.tif", np.ones((4, 4)), 0.5)
    overview = f'<MDI key="OVERVIEW_FILE">/vsicurl/{server.address}/a.tif</MDI>'
    side_file = f'<PAMDataset><Metadata domain="OVERVIEWS">{overview}</Metadata></PAMDataset>'
    (tmp_path / "a.tif.aux.xml").write_text(side_file)
    image = AnnotatedImage.from_file("a", path)
    write_crop(image, Window(0, 0, 2, 2), tmp_path / "part.tif")
    with offline_gdal():
        dataset = open_image(path)
        assert dataset is not None
        assert dataset.GetRasterBand(1).GetOverviewCount() == 0
    assert server.requests == []


def test_options_of_the_thread_are_as_before(qgis_app) -> None:
    gdal.SetThreadLocalConfigOption("GDAL_HTTP_PROXY", "http://proxy.example:8080")
    try:
        with offline_gdal():
            assert gdal.GetThreadLocalConfigOption("GDAL_HTTP_PROXY") == "http://127.0.0.1:9"
        assert gdal.GetThreadLocalConfigOption("GDAL_HTTP_PROXY") == "http://proxy.example:8080"
        assert gdal.GetThreadLocalConfigOption("GDAL_VRT_ENABLE_PYTHON") is None
    finally:
        gdal.SetThreadLocalConfigOption("GDAL_HTTP_PROXY", None)


def test_an_image_on_a_server_that_an_annotation_names_is_not_opened(
    qgis_app, tmp_path, monkeypatch
) -> None:
    tried: list[str] = []
    monkeypatch.setattr(
        "randcrowns.core.exchange.image_search.is_file",
        lambda path: tried.append(str(path)) or False,
    )
    for name in ("\\\\example.org\\share\\a.tif", "//example.org/share/a.tif"):
        ImageFinder(None).find(name, tmp_path / "a.json", name)
    assert tried
    assert not [path for path in tried if path.startswith(("//", "\\\\"))]


@pytest.mark.parametrize("name", ["a" * 300 + ".tif", "a\0.tif", "\ud800.tif", "a/" * 3000 + "a"])
def test_an_image_whose_name_no_file_can_have_is_not_found(qgis_app, tmp_path, name) -> None:
    for folder in (None, tmp_path):
        image = ImageFinder(folder).find(name, tmp_path / "a.json", name)
        assert image.path is None
        assert not image.is_unreadable
