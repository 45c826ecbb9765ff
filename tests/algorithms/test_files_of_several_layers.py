"""Files of several layers whose path is given in the toolbox."""

from __future__ import annotations

import geopandas
import shapely
from osgeo import ogr, osr
from support.errors import assert_message

SQUARE = shapely.box(400_000, 6_650_000, 400_005, 6_650_005)


def _write(path, shape, layer):
    geopandas.GeoDataFrame(geometry=[shape], crs="EPSG:32632").to_file(path, layer=layer)


def test_the_only_layer_of_polygons_is_taken_and_others_are_asked_for(run, tmp_path):
    path = tmp_path / "site.gpkg"
    _write(path, SQUARE.centroid, "stems")
    _write(path, SQUARE, "crowns")
    done = run("scorecrowns", {"TARGETS": str(path), "DELINEATIONS": [str(path)]})
    assert done.ok, done.error
    table = done.table("SCORED_TARGETS")
    iou = next(name for name in table if name.endswith("iou"))
    assert table[iou].tolist() == [1.0]
    taken = [message for message in done.messages if message.key == "layer.taken_from_file"]
    assert [message.values["label"] for message in taken] == ["Target crowns", "Delineations"]
    for message in taken:
        assert_message(
            message,
            "layer.taken_from_file",
            layer="crowns",
            file="site.gpkg",
            kind="Polygon",
            count=1,
            others=["stems (Point, 1)"],
        )

    _write(path, SQUARE.buffer(30), "plots")
    named = f"{path}|layername=crowns"
    for choices in (
        {"TARGETS": str(path), "DELINEATIONS": [named]},
        {"TARGETS": named, "DELINEATIONS": [str(path)]},
    ):
        refused = run("scorecrowns", choices)
        assert not refused.ok
        assert "crowns, plots" in refused.error + refused.refused


def test_lines_in_front_of_the_polygons_of_a_geojson_are_counted(run, tmp_path):
    path = tmp_path / "site.geojson"
    shapes = [SQUARE.exterior, SQUARE.exterior, SQUARE]
    geopandas.GeoDataFrame(geometry=shapes, crs="EPSG:32632").to_crs("EPSG:4326").to_file(path)
    done = run("scorecrowns", {"TARGETS": str(path), "DELINEATIONS": [str(path)]})
    assert done.ok, done.refused or done.error
    assert len(done.table("SCORED_TARGETS")) == 1
    assert "(LineString, 2)" in done.said("layer.taken_from_file")


def test_layers_without_a_geometry_type_are_asked_for_too(run, tmp_path):
    path = tmp_path / "site.gpkg"
    driver = ogr.GetDriverByName("GPKG")
    source = driver.CreateDataSource(str(path))
    system = osr.SpatialReference()
    system.ImportFromEPSG(32632)
    for name, shape in (("stems", SQUARE.centroid), ("plots", SQUARE.buffer(30))):
        layer = source.CreateLayer(name, system, ogr.wkbUnknown)
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetGeometry(ogr.CreateGeometryFromWkb(shape.wkb))
        layer.CreateFeature(feature)
    del feature, layer, source
    _write(tmp_path / "drawn.gpkg", SQUARE, "drawn")
    drawn = [str(tmp_path / "drawn.gpkg")]
    done = run("scorecrowns", {"TARGETS": str(path), "DELINEATIONS": drawn})
    assert "'plots'" in done.said("layer.taken_from_file")
    _write(path, SQUARE, "crowns")
    refused = run("scorecrowns", {"TARGETS": str(path), "DELINEATIONS": drawn})
    assert not refused.ok
    assert "plots" in refused.error
    assert "crowns" in refused.error
