"""randcrowns:importcrowns: real files lie on their images; invalid files give messages."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import geopandas
import numpy as np
import pytest
import shapely
from osgeo import gdal, ogr, osr
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsFeature,
    QgsGeometry,
    QgsRasterLayer,
    QgsVectorFileWriter,
    QgsVectorLayer,
)
from support.data import real_data
from support.shown import shows

from randcrowns.algorithms.provenance import Provenance

OUTPUTS = ("CROWNS", "POINTS", "IGNORED", "SUMMARY")


@pytest.fixture
def bring_in(run):
    def import_crowns(path, **parameters):
        return run("importcrowns", {"INPUT": str(path), **parameters}, outputs=OUTPUTS)

    return import_crowns


def shapes_of(layer: QgsVectorLayer) -> np.ndarray:
    return shapely.from_wkb([bytes(feature.geometry().asWkb()) for feature in layer.getFeatures()])


def make_image(
    path: Path, place=(500000.0, 0.5, 0.0, 4100000.0, 0.0, -0.5), epsg=32611, size=(40, 30)
) -> Path:
    driver = gdal.GetDriverByName("GTiff")
    made = driver.Create(str(path), *size, 1, gdal.GDT_Byte)
    if place is not None:
        made.SetGeoTransform(place)
    if epsg:
        system = osr.SpatialReference()
        system.ImportFromEPSG(epsg)
        made.SetProjection(system.ExportToWkt())
    made.FlushCache()
    return path


def pixels_back(layer: QgsVectorLayer, image: Path) -> np.ndarray:
    """Bounds in pixels of the image, from the map; by GDAL alone."""
    inverse = gdal.InvGeoTransform(gdal.Open(str(image)).GetGeoTransform())
    bounds = []
    for shape in shapes_of(layer):
        xy = np.array(
            [gdal.ApplyGeoTransform(inverse, *point) for point in shapely.get_coordinates(shape)]
        )
        bounds.append([*xy.min(axis=0), *xy.max(axis=0)])
    return np.array(bounds)


def test_real_boxes_of_deepforest_lie_where_their_image_does(bring_in):
    folder = real_data("deepforest")
    ran = bring_in(folder / "2018_SJER_3_252000_4107000_image_477.csv")
    assert ran.ok, ran.error
    layer = ran.layer("CROWNS")
    assert layer.crs().authid() == "EPSG:32611"
    with (folder / "2018_SJER_3_252000_4107000_image_477.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    expected = [[float(row[side]) for side in ("xmin", "ymin", "xmax", "ymax")] for row in rows]
    found = pixels_back(layer, folder / "2018_SJER_3_252000_4107000_image_477.tif")
    assert found == pytest.approx(np.array(expected), abs=1e-6)
    table = ran.table("CROWNS")
    assert table["score"].tolist() == [float(row["scores"]) for row in rows]
    assert set(table["source"]) == {"2018_SJER_3_252000_4107000_image_477.csv"}
    assert table["row"].tolist() == list(range(2, len(rows) + 2))
    summary = ran.table("SUMMARY").iloc[0]
    assert summary["format"] == "DeepForest"
    assert (summary["read"], summary["crowns"], summary["skipped"]) == (len(rows), len(rows), 0)
    assert (ran.results["READ"], ran.results["IMPORTED"], ran.results["SKIPPED"]) == (
        len(rows),
        len(rows),
        0,
    )
    assert "POINTS" not in ran.results
    assert "IGNORED" not in ran.results


@pytest.mark.parametrize("name", ["OSBS_029", "SJER_052"])
def test_real_files_of_voc_lie_where_their_image_does(bring_in, name):
    folder = real_data("neon")
    ran = bring_in(folder / f"{name}.xml")
    assert ran.ok, ran.error
    found = pixels_back(ran.layer("CROWNS"), folder / f"{name}.tif")
    assert np.abs(found - np.round(found)).max() < 1e-6
    shifted = bring_in(folder / f"{name}.xml", FIRST_PIXEL=1)
    back = pixels_back(shifted.layer("CROWNS"), folder / f"{name}.tif")
    assert back - found == pytest.approx(np.tile([-1.0, -1.0, 0.0, 0.0], (len(found), 1)), abs=1e-6)


def test_an_image_without_a_georeference_gives_pixels_that_lie_on_it_as_qgis_shows_it(bring_in):
    folder = real_data("deepforest")
    for kind, output in (("bbox", "CROWNS"), ("polygon", "CROWNS"), ("keypoints", "POINTS")):
        ran = bring_in(folder / f"2019_BLAN_3_751000_4330000_image_crop_{kind}.csv")
        assert ran.ok, ran.error
        layer = ran.layer(output)
        shown = QgsRasterLayer(
            str(folder / "2019_BLAN_3_751000_4330000_image_crop.jpg"), "image"
        ).extent()
        assert layer.featureCount() == 4
        assert shown.contains(layer.extent())
        assert not layer.crs().isValid()
        assert "2019_BLAN" in ran.said("exchange.no_georeference")
        assert "pixels" in ran.said("exchange.in_pixels")
    first = shapely.get_coordinates(shapes_of(layer)[0])[0]
    assert first.tolist() == pytest.approx([775.6542532340259, -674.0537044296354], abs=1e-6)
    assert ran.layer("CROWNS").featureCount() == 0


def test_images_that_are_missing_are_named_and_their_crowns_are_in_pixels(bring_in):
    folder = real_data("deepforest")
    ran = bring_in(folder / "testfile_multi.csv")
    assert ran.ok, ran.error
    assert "SOAP_061.png" in ran.said("exchange.missing_image")
    assert ran.layer("CROWNS").featureCount() == ran.results["READ"]
    coco = bring_in(folder / "coco_sample_file.json")
    with (folder / "coco_sample_file.json").open(encoding="utf-8") as file:
        held = json.load(file)
    assert "5dded5bc0140b80006d2e565_23.tif" in coco.said("exchange.missing_image")
    found = shapes_of(coco.layer("CROWNS"))
    for shape, one in zip(found, held["annotations"]):
        drawn = np.reshape(one["segmentation"][0], (-1, 2)) * [1, -1]
        assert shapely.hausdorff_distance(shape, shapely.Polygon(drawn)) < 1e-6


def test_an_image_without_crowns_is_counted(bring_in):
    ran = bring_in(real_data("deepforest") / "blank_annotations.csv")
    assert ran.ok, ran.error
    assert ran.table("SUMMARY").iloc[0]["empty_images"] == 1
    assert "OSBS_029.tif" in ran.said("exchange.empty_image")
    assert ran.layer("CROWNS").featureCount() == 0
    assert shows(ran.said("exchange.nothing"), "exchange.nothing")


def test_a_folder_of_many_kinds_comes_to_one_layer(bring_in, tmp_path):
    make_image(tmp_path / "a.tif")
    make_image(tmp_path / "b.tif", (-117.0, 1e-5, 0, 37.0, 0, -1e-5), 4326)
    (tmp_path / "images").mkdir()
    (tmp_path / "labels").mkdir()
    make_image(tmp_path / "images" / "y.tif", (500100.0, 0.5, 0.1, 4100000.0, 0.1, -0.5))
    (tmp_path / "labels" / "y.txt").write_text("0 0.5 0.5 0.5 0.5\n3 0 0 0.5 0 0.5 0.5 0.25\n")
    (tmp_path / "labels" / "remarks.txt").write_text("Tree\nDead\n")
    (tmp_path / "data.yaml").write_text("names: [Alive]\n")
    (tmp_path / "a.csv").write_text(
        "image_path,xmin,ymin,xmax,ymax,label\na.tif,0,0,10,20,Tree\nb.tif,1,1,3,3,Tree\n"
    )
    shape = {"label": "oak", "points": [[0, 0], [4, 0], [4, 4]], "shape_type": "polygon"}
    (tmp_path / "a.json").write_text(json.dumps({"shapes": [shape], "imagePath": "a.tif"}))
    mask = {"size": [30, 40], "counts": [0, 3, 27, 1, 1, 1, 27, 3, 1137]}
    truth = {
        "images": [{"id": 1, "file_name": "a.tif"}],
        "categories": [{"id": 1, "name": "oak"}],
        "annotations": [
            {"image_id": 1, "category_id": 1, "segmentation": mask},
            {"image_id": 1, "category_id": 1, "bbox": [5, 5, 10, 10], "iscrowd": 1},
        ],
    }
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    result = {"image_id": 1, "category_id": 1, "bbox": [0, 0, 2, 2], "score": 0.3}
    (tmp_path / "results").mkdir()
    results = tmp_path / "results" / "results.json"
    results.write_text(json.dumps([result, {**result, "score": 0.05}]))
    refused = bring_in(tmp_path)
    assert shows(refused.error, "coco.truth_and_results", results="results.json")
    alone = bring_in(results, SCORE_THRESHOLD=0.1, IMAGES_OF=str(tmp_path / "truth.json"))
    assert alone.table("SUMMARY")["skipped"].tolist() == [1]
    results.unlink()
    ran = bring_in(tmp_path, SCORE_THRESHOLD=0.1)
    assert ran.ok, ran.error
    layer, summary = ran.layer("CROWNS"), ran.table("SUMMARY").set_index("file")
    assert layer.crs().authid() == "EPSG:32611"
    assert summary["format"].to_dict() == {
        "a.csv": "DeepForest",
        "a.json": "LabelMe",
        "remarks.txt": "not recognised",
        "truth.json": "COCO",
        "y.txt": "YOLO",
    }
    assert (
        summary["read"] == summary[["crowns", "points", "ignored", "skipped"]].sum(axis=1)
    ).all()
    assert "remarks.txt" in ran.said("exchange.not_recognised")
    table = ran.table("CROWNS").set_index(["source", "row"])
    shapes = dict(zip(table.index, shapes_of(layer)))
    assert shapes["a.csv", 2].equals(shapely.box(500000, 4099990, 500005, 4100000))
    there = shapely.bounds(shapes["a.csv", 3])  # from degrees to the zone of the first image
    assert abs(there[0] - 500000) < 5
    with_hole = shapes["truth.json", 1]
    assert with_hole.area == pytest.approx(8 * 0.25)
    assert len(shapely.get_parts(with_hole)[0].interiors) == 1
    x, y = 10.0, 7.5
    corner = (500100 + x * 0.5 + y * 0.1, 4100000 + x * 0.1 - y * 0.5)
    assert shapely.Point(*corner).distance(shapes["y.txt", 1].boundary) < 1e-6
    assert table.loc[("y.txt", 1), "label"] == "Alive"
    assert table.loc[("y.txt", 2), "score"] == 0.25
    assert ran.layer("IGNORED").featureCount() == 1
    assert shapes_of(ran.layer("IGNORED"))[0].area == pytest.approx(25.0)


def test_an_image_is_found_in_the_folder_that_is_picked_and_with_a_world_file(bring_in, tmp_path):
    deep = tmp_path / "pictures" / "2019"
    deep.mkdir(parents=True)
    image = make_image(deep / "a.png.tif", None, 0)
    gdal.Translate(str(deep / "a.png"), str(image), format="PNG")
    (deep / "a.pgw").write_text("0.5\n0\n0\n-0.5\n1000.25\n1999.75\n")
    (tmp_path / "a.csv").write_text(
        "image_path,xmin,ymin,xmax,ymax,label\nsomewhere/else/a.png,2,4,10,20,Tree\n"
    )
    picked = str(tmp_path / "pictures")
    ran = bring_in(tmp_path / "a.csv", IMAGES=picked, CRS="EPSG:32617")
    assert ran.ok, ran.error
    assert ran.layer("CROWNS").crs().authid() == "EPSG:32617"
    assert shapes_of(ran.layer("CROWNS"))[0].bounds == pytest.approx(
        (1001.0, 1990.0, 1005.0, 1998.0)
    )
    without = bring_in(tmp_path / "a.csv", IMAGES=picked)
    assert without.said("exchange.no_system")
    assert shows(
        bring_in(tmp_path / "a.csv", IMAGES=str(tmp_path / "absent")).refused,
        "import.no_image_folder",
    )


def test_outlines_in_map_coordinates_are_told_from_pixels(bring_in, tmp_path):
    make_image(tmp_path / "a.tif")
    on_map = shapely.box(500001, 4099990, 500004, 4099995).wkt
    (tmp_path / "map.csv").write_text(
        f'image_path,geometry,label,score\na.tif,"{on_map}",Tree,0.5\n'
    )
    ran = bring_in(tmp_path / "map.csv")
    assert ran.ok, ran.error
    assert shapes_of(ran.layer("CROWNS"))[0].bounds == (500001, 4099990, 500004, 4099995)
    assert shows(ran.said("exchange.in_map"), "exchange.in_map")
    assert ran.layer("CROWNS").crs().authid() == "EPSG:32611"


def test_layers_are_taken_over_with_their_score(bring_in, tmp_path):
    layer = QgsVectorLayer(
        "Polygon?crs=EPSG:32617&field=Confidence_score:double&field=id:integer", "x", "memory"
    )
    feature = QgsFeature(layer.fields())
    feature.setAttributes([0.75, 3])
    feature.setGeometry(QgsGeometry.fromWkt("POLYGON((0 0, 2 0, 2 2, 0 0))"))
    layer.dataProvider().addFeature(feature)
    options = QgsVectorFileWriter.SaveVectorOptions()
    QgsVectorFileWriter.writeAsVectorFormatV2(
        layer, str(tmp_path / "d.gpkg"), QgsCoordinateTransformContext(), options
    )
    ran = bring_in(tmp_path / "d.gpkg")
    assert ran.ok, ran.error
    assert ran.layer("CROWNS").crs().authid() == "EPSG:32617"
    assert ran.table("CROWNS")["score"].tolist() == [0.75]


def test_a_folder_of_another_program_is_refused_with_its_name(bring_in, tmp_path):
    (tmp_path / "a.txt").write_text("Tree 0.00 0 -1.57 1 2 3 4 1 2 3 4 5 6 7\n")
    assert shows(bring_in(tmp_path).refused, "import.other_program", file="a.txt", program="KITTI")


def test_points_and_lines_of_collections_in_layers_are_counted(bring_in, tmp_path):
    tree = shapely.box(400_000, 6_650_000, 400_005, 6_650_005)
    nested = shapely.GeometryCollection([shapely.GeometryCollection([tree, tree.exterior])])
    shapes = [tree, nested, shapely.GeometryCollection([tree]), tree.exterior]
    path = tmp_path / "site.gpkg"
    geopandas.GeoDataFrame(geometry=shapes, crs="EPSG:32632").to_file(path)
    ran = bring_in(path)
    assert shapely.area(shapes_of(ran.layer("CROWNS"))).tolist() == [25, 25, 25]
    counted = {message.key: message.values for message in ran.messages if "rows" in message.values}
    assert {key: values["rows"] for key, values in counted.items()} == {
        "exchange.only_polygons": (2,),
        "exchange.no_crown": (4,),
    }


def test_of_several_polygon_layers_of_a_file_one_is_named(bring_in, tmp_path):
    path = tmp_path / "site.gpkg"
    tree = shapely.box(400_000, 6_650_000, 400_005, 6_650_005)
    for name, shape in (("plots", tree.buffer(30)), ("crowns", tree), ("stems", tree.centroid)):
        geopandas.GeoDataFrame(geometry=[shape], crs="EPSG:32632").to_file(path, layer=name)
    refused = bring_in(path)
    assert shows(refused.error, "import.several_layers", layers=["plots", "crowns"])
    ran = bring_in(f"{path}|layername=crowns")
    (shape,) = shapes_of(ran.layer("CROWNS"))
    assert shapely.area(shape) == 25
    both = bring_in(f"{path}|layername=crowns;{path}|layername=stems")
    assert (both.results["IMPORTED"], len(both.table("POINTS"))) == (1, 1)
    missing = bring_in(f"{path}|layername=trees")
    assert shows(missing.error, "import.no_such_layer", name="trees")


def test_outlines_of_a_layer_without_a_system_lie_on_the_images_that_they_name(bring_in, tmp_path):
    for name, left in (("a.tif", 500000.0), ("b.tif", 500100.0)):
        make_image(tmp_path / name, (left, 0.5, 0.0, 4100000.0, 0.0, -0.5))
    made = ogr.GetDriverByName("ESRI Shapefile").CreateDataSource(str(tmp_path / "drawn.shp"))
    layer = made.CreateLayer("drawn", geom_type=ogr.wkbPolygon)
    layer.CreateField(ogr.FieldDefn("image_path", ogr.OFTString))
    for name in ("b.tif", "a.tif"):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetField("image_path", name)
        feature.SetGeometry(ogr.CreateGeometryFromWkt(shapely.box(2, 4, 10, 20).wkt))
        layer.CreateFeature(feature)
    del feature, layer, made
    ran = bring_in(tmp_path / "drawn.shp")
    assert ran.ok, ran.error
    bounds = [shape.bounds for shape in shapes_of(ran.layer("CROWNS"))]
    assert bounds == [(left, 4099990.0, left + 4, 4099998.0) for left in (500101.0, 500001.0)]


def test_a_crown_of_a_missing_image_is_skipped_where_others_are_on_the_map(bring_in, tmp_path):
    make_image(tmp_path / "a.tif")
    make_image(tmp_path / "c.tif", None, 0)
    rows = "a.tif,0,0,1,1,T\nb.tif,0,0,1,1,T\nc.tif,0,0,1,1,T\n"
    (tmp_path / "a.csv").write_text("image_path,xmin,ymin,xmax,ymax,label\n" + rows)
    ran = bring_in(tmp_path / "a.csv")
    assert ran.ok, ran.error
    summary = ran.table("SUMMARY").iloc[0]
    assert (summary["read"], summary["crowns"], summary["skipped"]) == (3, 1, 2)
    assert "(row 3)" in ran.said("exchange.missing_image")
    assert "b.tif" in ran.said("exchange.missing_image")
    assert "(row 4)" in ran.said("exchange.off_the_map")


BROKEN = {
    "truncated.json": '{"images": [{"id": 1, "file_na',
    "results.json": '[{"image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1], "score": 1}]',
    "truncated.xml": "<annotation><object><name>Tree</na",
    "ragged.csv": "image_path,xmin,ymin,xmax,ymax\na.tif,0,0,1,1\na.tif,0,0,1,1,2,3,4\n",
    "broken.txt": "0 0.5 0.5 0.2 0.4\n0 hello\n",
    "broken.gpkg": "this is no database",
}


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_a_broken_file_stops_the_whole_import_with_its_name(bring_in, tmp_path, name):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "good.csv").write_text("image_path,xmin,ymin,xmax,ymax,label\na.tif,0,0,1,1,Tree\n")
    (folder / name).write_text(BROKEN[name])
    ran = bring_in(folder, CROWNS=str(tmp_path / "out.gpkg"))
    assert not ran.ok
    assert name in ran.error
    assert "should not have" not in ran.error
    assert not (tmp_path / "out.gpkg").exists()


#: Invalid rows of each format: the file, and the reason why its second annotation is skipped.
_COCO = (
    '{"images": [{"id": 1, "file_name": "a.tif"}], '
    '"annotations": [{"image_id": 1, "bbox": [0, 0, 1, 1]}, %s]}'
)
_SHAPES = '{"imagePath": "a.tif", "shapes": [{"points": [[0, 0], [1, 0], [1, 1]]}, %s]}'
_VOC = "<annotation><filename>a.tif</filename>%s%s</annotation>"
_BOX = (
    "<object><bndbox><xmin>{}</xmin><ymin>{}</ymin><xmax>{}</xmax><ymax>{}</ymax></bndbox></object>"
)
_TABLE = "image_path,xmin,ymin,xmax,ymax,geometry\na.tif,0,0,1,1,\n%s\n"
_NUMBERS, _SIZE, _FEW = "missing or is no number", "no width or no height", "fewer than 3 points"
_COUNTS = "do not sum to the size of its mask"
BROKEN_ROWS = [
    ("a.json", _COCO % '{"image_id": 1, "bbox": [NaN, 0, 1, 1]}', _NUMBERS),
    ("a.json", _COCO % '{"image_id": 1, "bbox": [5, 0, 0, 1]}', _SIZE),
    ("a.json", _COCO % '{"image_id": 1, "bbox": [5, 0, -3, 1]}', _SIZE),
    ("a.json", _COCO % '{"image_id": 1, "segmentation": [[0, 0, 1, 1]]}', _FEW),
    (
        "a.json",
        _COCO % '{"image_id": 1, "segmentation": {"size": [3, 4], "counts": [4, 1]}}',
        _COUNTS,
    ),
    (
        "a.json",
        _COCO % '{"image_id": 1, "segmentation": {"size": [3, 4], "counts": "0000"}}',
        _COUNTS,
    ),
    ("a.json", _SHAPES % '{"points": [[0, 0], [1, 1]]}', _FEW),
    ("a.json", _SHAPES % '{"points": [[0, 0], [NaN, 1], [1, 1]]}', _NUMBERS),
    ("a.json", _SHAPES % '{"points": [[2, 2], [2, 5]], "shape_type": "rectangle"}', _SIZE),
    ("a.xml", _VOC % (_BOX.format(0, 0, 1, 1), _BOX.format("nan", 0, 1, 1)), _NUMBERS),
    ("a.xml", _VOC % (_BOX.format(0, 0, 1, 1), _BOX.format(4, 0, 4, 1)), _SIZE),
    ("a.txt", "0 0.5 0.5 0.2 0.2\n0 nan 0.5 0.2 0.2\n", _NUMBERS),
    ("a.txt", "0 0.5 0.5 0.2 0.2\n0 0.5 0.5 -0.2 0.2\n", _SIZE),
    ("a.txt", "0 0.5 0.5 0.2 0.2\n0 0.5 0.5 0.5 0.5 0.6 0.6\n", _FEW),
    ("a.csv", _TABLE % "a.tif,nan,0,1,1,", _NUMBERS),
    ("a.csv", _TABLE % "a.tif,5,0,5,1,", _SIZE),
    ("a.csv", _TABLE % "a.tif,5,0,2,1,", _SIZE),
    ("a.csv", _TABLE % 'a.tif,,,,,"POLYGON((0 0, 1 1))"', "its geometry cannot be read"),
    ("a.csv", _TABLE % 'a.tif,,,,,"POLYGON((0 0, 1 1, 1 1, 0 0))"', _FEW),
    (
        "a.csv",
        _TABLE % 'a.tif,,,,,"POLYGON((0 0, nan 1, 1 1, 0 0))"',
        "its geometry cannot be read",
    ),
]


@pytest.mark.parametrize(("name", "text", "said"), BROKEN_ROWS)
def test_a_broken_annotation_is_told_with_file_and_row_and_others_are_imported(
    bring_in, tmp_path, name, text, said
):
    make_image(tmp_path / "a.tif")
    (tmp_path / name).write_text(text)
    ran = bring_in(tmp_path / name)
    assert ran.ok, ran.refused or ran.error
    (summary,) = ran.table("SUMMARY").to_dict("records")
    assert (summary["read"], summary["crowns"], summary["skipped"]) == (2, 1, 1)
    assert summary["reason"].startswith(f"{name}: 1 annotation was skipped: ")
    assert said in summary["reason"]
    assert f"(row {3 if name == 'a.csv' else 2})" in summary["reason"]


def test_what_is_no_file_of_annotations_is_refused_before_the_run(bring_in, tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    assert shows(
        bring_in(tmp_path / "a.csv").refused, "import.unknown_columns", file="a.csv", line="a,b"
    )
    assert shows(bring_in(tmp_path).refused, "import.no_annotation_file")
    assert shows(bring_in(tmp_path / "absent.csv").refused, "import.no_match")
    assert shows(bring_in(tmp_path / "*.json").refused, "import.no_match")
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    forced = bring_in(tmp_path / "a.csv", FORMAT=1)
    assert shows(forced.error, "deepforest.not_deepforest", path="a.csv")


def test_several_files_and_patterns(bring_in, tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.csv").write_text(
            f"image_path,xmin,ymin,xmax,ymax\n{name}.tif,0,0,1,1\n"
        )
    both = bring_in(f"{tmp_path / 'a.csv'};{tmp_path / 'b.csv'}")
    assert both.results["IMPORTED"] == 2
    assert bring_in(tmp_path / "[ab].csv").results["IMPORTED"] == 2
    shutil.copy(tmp_path / "a.csv", tmp_path / "odd;name.csv")
    assert bring_in(tmp_path / "odd;name.csv").results["IMPORTED"] == 1


def test_an_empty_file_among_those_of_yolo_is_an_image_without_crowns(bring_in, tmp_path):
    for name, held in {"a.txt": "0 0.5 0.5 0.5 0.5\n", "b.txt": "", "c.txt": "\n"}.items():
        make_image(tmp_path / name.replace("txt", "tif"))
        (tmp_path / name).write_text(held)
    (tmp_path / "d.csv").write_text("")
    ran = bring_in(tmp_path)
    assert ran.ok, ran.error
    summary = ran.table("SUMMARY").set_index("file")
    assert summary["format"].tolist() == ["YOLO"] * 3 + ["not recognised"]
    assert summary["empty_images"].tolist() == [0, 1, 1, 0]
    assert ran.results["IMPORTED"] == 1


@pytest.mark.parametrize(
    "system", ["EPSG:32611", "+proj=tmerc +lon_0=-117.3 +k=0.9999 +x_0=500000 +datum=WGS84"]
)
def test_crowns_in_a_geopackage_keep_the_coordinate_system_of_their_image(
    bring_in, tmp_path, system
):
    made, known = (
        gdal.Open(str(make_image(tmp_path / "a.tif")), gdal.GA_Update),
        osr.SpatialReference(),
    )
    known.SetFromUserInput(system)
    made.SetProjection(known.ExportToWkt())
    del made
    (tmp_path / "a.txt").write_text("0 0.5 0.5 0.5 0.5\n")
    ran = bring_in(tmp_path / "a.txt", CROWNS=str(tmp_path / "out.gpkg"))
    assert ran.ok, ran.error
    found, wanted = (
        QgsVectorLayer(str(tmp_path / "out.gpkg"), "again", "ogr").crs(),
        QgsCoordinateReferenceSystem(),
    )
    wanted.createFromUserInput(system)
    assert (found.isValid(), found.toProj()) == (True, wanted.toProj())


def test_what_lies_outside_its_image_is_told_and_masks_of_another_size_are_skipped(
    bring_in, tmp_path
):
    make_image(tmp_path / "a.tif")
    masks = [
        {"size": size, "counts": [3, 2, size[0] * size[1] - 5]} for size in ([30, 40], [60, 80])
    ]
    truth = {
        "images": [{"id": 1, "file_name": "a.tif", "width": 80, "height": 60}],
        "annotations": [
            *({"image_id": 1, "segmentation": mask} for mask in masks),
            *({"image_id": 1, "bbox": [left, 2, 5, 5]} for left in (38, 41, -6, 4000)),
        ],
    }
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    ran = bring_in(tmp_path / "truth.json")
    assert ran.ok, ran.error
    assert "(row 2)" in ran.said("exchange.other_size")
    assert "(rows 4, 5, 6)" in ran.said("exchange.outside")
    assert "(row 3)" in ran.said("exchange.beyond")
    (summary,) = ran.table("SUMMARY").to_dict("records")
    assert (summary["read"], summary["crowns"], summary["skipped"]) == (6, 5, 1)
    assert "another size" in summary["reason"]
    assert "outside its image" in summary["reason"]
    assert "a.tif" in ran.said("exchange.size_of_image")


def test_shares_of_an_image_beyond_1_lie_outside_it(bring_in, tmp_path):
    make_image(tmp_path / "a.tif")
    lines = [
        f"0 {x} {y} 0.1 0.1"
        for x, y in ((0.5, 0.5), (1.2, 0.5), (0.5, 1.9), (1.04, 0.5), (-0.3, 0.5))
    ]
    (tmp_path / "a.txt").write_text("\n".join(lines))
    ran = bring_in(tmp_path / "a.txt")
    assert "(rows 2, 3, 5)" in ran.said("exchange.outside")
    assert "(row 4)" in ran.said("exchange.beyond")


def test_less_than_a_pixel_beyond_an_image_is_rounding(bring_in, tmp_path):
    """Label Studio writes heights such as 1.0004; the image has 40 x 30 pixels."""
    make_image(tmp_path / "a.tif")
    heights = (1.0004, 1 + 1.9 / 30, 1 + 2.1 / 30)  # half of what exceeds 1 is at each side
    lines = [f"0 0.5 0.5 0.1 {height}" for height in heights]
    (tmp_path / "a.txt").write_text("\n".join(lines))
    assert "(row 3)" in bring_in(tmp_path / "a.txt").said("exchange.beyond")


def test_an_image_that_is_none_is_told_as_such(bring_in, tmp_path):
    (tmp_path / "a.tif").write_text("no image")
    (tmp_path / "a.csv").write_text("image_path,xmin,ymin,xmax,ymax\na.tif,0,0,1,1\n")
    ran = bring_in(tmp_path / "a.csv")
    assert ran.ok, ran.error
    assert "a.tif" in ran.said("exchange.broken_image")
    assert not ran.said("exchange.missing_image")
    assert (
        Provenance.from_json(ran.results["PROVENANCE"]).conclusion == "1 crown imported, 0 skipped."
    )


def test_several_coordinate_systems_are_brought_to_one_and_told(bring_in, tmp_path):
    make_image(tmp_path / "a.tif")
    make_image(tmp_path / "b.tif", (-117.0, 1e-5, 0, 37.0, 0, -1e-5), 4326)
    (tmp_path / "a.csv").write_text(
        "image_path,xmin,ymin,xmax,ymax\na.tif,0,0,1,1\nb.tif,0,0,1,1\n"
    )
    ran = bring_in(tmp_path / "a.csv")
    assert ran.ok, ran.error
    said = ran.said("exchange.several_systems")
    assert "EPSG:32611, EPSG:4326" in said
    assert said in ran.warnings


def test_images_without_a_georeference_lie_on_one_another_which_is_told(bring_in, tmp_path):
    for name in "ab":
        make_image(tmp_path / f"{name}.tif", None, 0)
    (tmp_path / "a.csv").write_text(
        "image_path,xmin,ymin,xmax,ymax\na.tif,0,0,1,1\nb.tif,0,0,1,1\n"
    )
    ran = bring_in(tmp_path / "a.csv")
    assert shows(ran.said("exchange.several_images"), "exchange.several_images", count=2)
    assert ran.results["IMAGES_READ"].splitlines() == [
        str(tmp_path / f"{name}.tif") for name in "ab"
    ]
    (tmp_path / "a.csv").write_text(
        "image_path,xmin,ymin,xmax,ymax\na.tif,0,0,1,1\na.tif,0,0,1,1\n"
    )
    assert not bring_in(tmp_path / "a.csv").said("exchange.several_images")


def test_an_empty_file_is_told_as_such(bring_in, tmp_path):
    for name in ("a.csv", "a.json", "a.xml", "a.txt"):
        (tmp_path / name).write_text("")
        assert bring_in(tmp_path / name).refused == f"{name} is empty; choose another file."


def test_results_beside_a_broken_ground_truth_are_told_of_both(bring_in, tmp_path):
    (tmp_path / "results.json").write_text("[]")
    (tmp_path / "broken.json").write_text('{"images": [{"id": 1')
    ran = bring_in(tmp_path / "results.json")
    assert shows(ran.error, "coco.unusable_ground_truth", path="results.json")
    assert shows(ran.error, "json.incomplete")
    (tmp_path / "truth.json").write_text(
        json.dumps({"images": [{"id": 1, "file_name": "a.tif"}], "annotations": []})
    )
    assert bring_in(tmp_path / "results.json").ok
