"""Vector files that Python and the command import, like the toolbox."""

from __future__ import annotations

from pathlib import Path

import geopandas
import pandas as pd
import pytest
import shapely
from PIL import Image
from support.errors import find_message, raises

import randcrowns as rc

SITE = shapely.box(500_000, 4_000_000, 500_004, 4_000_002)


def frame_of(crs: str | None = "EPSG:32617", **fields: list) -> geopandas.GeoDataFrame:
    shapes = [SITE, shapely.affinity.translate(SITE, 10)]
    return geopandas.GeoDataFrame(fields, geometry=shapes, crs=crs)


@pytest.mark.parametrize("ending", [".gpkg", ".geojson", ".shp", ".parquet"])
def test_a_layer_is_imported_unchanged_with_all_fields(tmp_path: Path, ending: str) -> None:
    frame = frame_of(species=["oak", None], conf=[0.9, 0.5], dbh=[31, 28], code=["007", "8"])
    path = tmp_path / f"crowns{ending}"
    if ending == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_file(path)
    for source in (path, str(tmp_path / f"*{ending}")):
        result = rc.read_annotations(source)
        crowns = result.crowns
        assert crowns.crs == "EPSG:32617"
        assert shapely.equals(crowns.geometry.array, frame.geometry.array).all()
        assert crowns["score"].tolist() == [0.9, 0.5]
        assert crowns["species"].tolist() == ["oak", None]
        assert crowns["dbh"].tolist() == [31, 28]
        assert crowns["code"].tolist() == ["007", "8"]
        assert result.summary[["file", "format", "read", "crowns"]].to_numpy().tolist() == [
            [path.name, "layer", 2, 2]
        ]
        assert [message.key for message in result.messages] == ["exchange.taken_for"]


def test_only_polygons_of_collections_are_imported(tmp_path: Path) -> None:
    point, line = SITE.centroid, shapely.LineString([(0, 0), (1, 1)])
    shapes = [shapely.GeometryCollection([SITE, point]), line, point, None, SITE]
    path = tmp_path / "crowns.gpkg"
    geopandas.GeoDataFrame(geometry=shapes, crs="EPSG:32617").to_file(path)
    result = rc.read_annotations(path)
    # By hand: two boxes of 4 by 2 m, a point, and a line and an empty feature that are skipped.
    assert result.crowns.area.tolist() == [8, 8]
    assert len(result.points) == 1
    assert result.summary.loc[0, ["read", "skipped"]].tolist() == [5, 2]
    find_message(result.messages, "exchange.only_polygons")


def test_several_layers_of_polygons_are_refused_unless_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "site.gpkg"
    frame_of(label=["a", "b"]).to_file(path, layer="field")
    frame_of(label=["c", "d"]).to_file(path, layer="found")
    with raises("batch.several_layers", layers=["field", "found"]):
        rc.read_annotations(path)
    assert rc.read_annotations(f"{path}|layername=found").crowns["label"].tolist() == ["c", "d"]


def test_layers_in_several_systems_are_transformed_and_reported(tmp_path: Path) -> None:
    frame_of().to_file(tmp_path / "a.gpkg")
    frame_of().to_crs("EPSG:4326").to_file(tmp_path / "b.gpkg")
    result = rc.read_annotations(tmp_path)
    find_message(result.messages, "exchange.several_systems")
    assert result.crowns.crs == "EPSG:32617"
    assert result.crowns.area.tolist() == pytest.approx([8] * 4, rel=1e-6)


def test_a_layer_without_a_system_keeps_its_coordinates(tmp_path: Path) -> None:
    path = tmp_path / "crowns.gpkg"
    frame_of(None).to_file(path)
    result = rc.read_annotations(path)
    assert result.crowns.crs is None
    assert result.crowns.total_bounds.tolist() == [500_000, 4_000_000, 500_014, 4_000_002]
    find_message(result.messages, "exchange.no_system")
    assert rc.read_annotations(path, crs="EPSG:32617").crowns.crs == "EPSG:32617"


def test_metres_in_a_file_of_degrees_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "crowns.geojson"
    frame_of("EPSG:4326").to_file(path)
    find_message(rc.read_annotations(path).messages, "exchange.no_degrees", crs="EPSG:4326")


def test_crowns_in_pixels_with_names_of_images(tmp_path: Path) -> None:
    box = shapely.box(2, 3, 6, 5)
    path = tmp_path / "crowns.gpkg"
    geopandas.GeoDataFrame({"image": ["a.png"]}, geometry=[box]).to_file(path)
    result = rc.read_annotations(path)
    # By hand: pixels count downwards, coordinates upwards.
    assert result.crowns.total_bounds.tolist() == [2, -5, 6, -3]
    find_message(result.messages, "jobs.in_pixels")


def test_a_layer_beside_annotations_is_imported_with_them(tmp_path: Path) -> None:
    frame_of(label=["a", "b"]).to_file(tmp_path / "crowns.gpkg")
    (tmp_path / "plot.tfw").write_text("1\n0\n0\n-1\n500000.5\n4000001.5\n")
    boxes = {"image_path": ["plot.tif"], "xmin": [0], "ymin": [0], "xmax": [4], "ymax": [2]}
    pd.DataFrame(boxes).to_csv(tmp_path / "boxes.csv", index=False)
    Image.new("L", (20, 10)).save(tmp_path / "plot.tif")
    result = rc.read_annotations(tmp_path, crs="EPSG:32617")
    # By hand: the upper left corner of the image is at 500000, 4000002.
    assert sorted(result.crowns.bounds.minx) == [500_000, 500_000, 500_010]
    assert result.crowns.area.tolist() == [8, 8, 8]


def test_a_number_of_an_image_in_a_layer_does_not_make_pixels(tmp_path: Path) -> None:
    path = tmp_path / "crowns.gpkg"
    frame_of(None, image_id=[7, 7]).to_file(path)
    crowns = rc.read_annotations(path).crowns
    assert crowns.total_bounds.tolist() == [500_000, 4_000_000, 500_014, 4_000_002]
    assert crowns["image_id"].tolist() == [7, 7]


@pytest.mark.parametrize("key", ["gpkg", "parquet"])
@pytest.mark.parametrize("has_image", [True, False])
def test_exported_crowns_in_pixels_are_imported_unchanged(
    tmp_path: Path, key: str, has_image: bool
) -> None:
    if has_image:
        Image.new("L", (20, 10)).save(tmp_path / "a.png")
    (tmp_path / "a.csv").write_text("image_path,xmin,ymin,xmax,ymax\na.png,2,3,6,5\n")
    crowns = rc.read_annotations(tmp_path / "a.csv").crowns
    rc.export_crowns(crowns, tmp_path / "out", format=key)
    result = rc.read_annotations(tmp_path / "out", images=tmp_path)
    # By hand: pixels count downwards, coordinates upwards.
    assert result.crowns.total_bounds.tolist() == [2, -5, 6, -3]
    keys = [message.key for message in result.messages]
    assert "exchange.outside" not in keys
    assert ("exchange.no_system" in keys) is not has_image
