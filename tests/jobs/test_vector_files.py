"""Vector files are read as the format that their name says, and nothing is fetched."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import geopandas
import pytest
import shapely
from support.errors import raises
from support.hostile_files import recording_server

import randcrowns as rc
from randcrowns.batch import partition
from randcrowns.jobs.vector_files import crown_layer, local_file, read_vector_layer

_CRS = "EPSG:32617"


@pytest.fixture
def requests() -> Iterator[tuple[str, list[str]]]:
    """The address of a running server, and the paths that are requested from it."""
    with recording_server() as server:
        yield server.address, server.requests


@pytest.fixture
def crowns(tmp_path: Path) -> Path:
    """A GeoPackage with a crown."""
    path = tmp_path / "other.gpkg"
    geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 5, 5)], crs=_CRS).to_file(path)
    return path


def _virtual(source: str) -> str:
    return (
        '<OGRVRTDataSource><OGRVRTLayer name="other">'
        f"<SrcDataSource>{source}</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>"
    )


@pytest.mark.parametrize(
    "name", ["crowns.gpkg", "crowns.shp", "crowns.fgb", "crowns.geojson", "crowns.txt"]
)
def test_a_virtual_dataset_under_another_name_is_not_followed(
    name: str, tmp_path: Path, crowns: Path, requests: tuple[str, list[str]]
) -> None:
    address, requested = requests
    path = tmp_path / name
    for source in (str(crowns), f"/vsicurl/{address}/other.gpkg"):
        path.write_text(" " * 500 + _virtual(source))
        for read in (read_vector_layer, crown_layer):
            with raises("file.other_format", path=name, format="VRT"):
                read(path)
        if path.suffix != ".txt":  # a text is no layer for the command
            with raises("file.other_format", path=name, format="VRT"):
                partition(path, tmp_path / "out.parquet")
    assert requested == []


def test_a_file_without_a_driver_is_named_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "crowns.las"
    path.write_bytes(b"LASF" + bytes(400))
    with raises("file.unreadable", path=str(path)) as refused:
        read_vector_layer(path)
    assert str(refused.value).endswith("randcrowns import.")


def test_a_virtual_dataset_by_its_own_name_reads_files_and_fetches_nothing(
    tmp_path: Path, crowns: Path, requests: tuple[str, list[str]]
) -> None:
    address, requested = requests
    path = tmp_path / "crowns.vrt"
    path.write_text(_virtual(str(crowns)))
    assert rc.score(path, crowns).summary["iou_mean"].tolist() == [1.0]
    path.write_text(_virtual(f"/vsicurl/{address}/other.gpkg"))
    with raises("file.unreadable"):
        read_vector_layer(path)
    assert requested == []


def test_a_file_of_another_format_than_its_name_says_is_refused(
    tmp_path: Path, crowns: Path
) -> None:
    content = {"type": "FeatureCollection", "features": []}
    (tmp_path / "crowns.shp").write_bytes(crowns.read_bytes())
    (tmp_path / "crowns.gpkg").write_text(json.dumps(content))
    with raises("file.other_format", path="crowns.shp", format="GeoPackage"):
        read_vector_layer(tmp_path / "crowns.shp")
    with raises("file.other_format", path="crowns.gpkg", format="GeoJSON"):
        read_vector_layer(tmp_path / "crowns.gpkg")


def test_options_of_gdal_are_as_before_a_file_was_read(crowns: Path) -> None:
    import pyogrio

    with local_file(crowns):
        assert pyogrio.get_gdal_config_option("GDAL_HTTP_PROXY") == "http://127.0.0.1:9"
    assert pyogrio.get_gdal_config_option("GDAL_HTTP_PROXY") is None
