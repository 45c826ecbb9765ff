"""randcrowns:importcrowns: fields of layers, folders of other tools, and geometry collections."""

from __future__ import annotations

import json

import pytest
import shapely
from osgeo import gdal, ogr, osr

OUTPUTS = ("CROWNS", "POINTS", "IGNORED", "SUMMARY")
SYSTEM = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32633"}}
LINE = {"type": "LineString", "coordinates": [[500014, 5000000], [500016, 5000000]]}


@pytest.fixture
def bring_in(run):
    return lambda path, **parameters: run(
        "importcrowns", {"INPUT": str(path), **parameters}, outputs=OUTPUTS
    )


def polygon(x):
    return shapely.geometry.mapping(shapely.box(500000 + x, 5000000, 500004 + x, 5000004))


def collection(*geometries):
    return {"type": "GeometryCollection", "geometries": list(geometries)}


def write_geojson(path, geometries):
    features = [
        {"type": "Feature", "properties": {"n": number}, "geometry": geometry}
        for number, geometry in enumerate(geometries)
    ]
    content = {"type": "FeatureCollection", "crs": SYSTEM, "features": features}
    path.write_text(json.dumps(content))
    return path


def test_all_fields_of_a_layer_are_kept(bring_in, tmp_path):
    path = tmp_path / "crowns.gpkg"
    source = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    system = osr.SpatialReference()
    system.ImportFromEPSG(32633)
    layer = source.CreateLayer("crowns", system, ogr.wkbPolygon)
    kinds = {
        "treeID": ogr.OFTString,
        "count": ogr.OFTInteger64,
        "height": ogr.OFTReal,
        "row": ogr.OFTInteger,
        "label": ogr.OFTString,
        "Confidence_score": ogr.OFTReal,
        "nothing": ogr.OFTString,
    }
    for name, kind in kinds.items():
        layer.CreateField(ogr.FieldDefn(name, kind))
    big = (1 << 60) + 1
    values = [
        ["a-1", big, 12.5, 7, "Oak", 0.9, None],
        ["a-2", None, None, 8, "Ash", None, None],
    ]
    for number, row in enumerate(values):
        feature = ogr.Feature(layer.GetLayerDefn())
        for name, value in zip(kinds, row):
            if value is not None:
                feature.SetField(name, value)
        box = shapely.box(500000 + 9 * number, 5000000, 500004 + 9 * number, 5000004)
        feature.SetGeometry(ogr.CreateGeometryFromWkb(box.wkb))
        layer.CreateFeature(feature)
    layer = source = feature = None  # written when closed
    ran = bring_in(path)
    assert ran.ok, ran.error
    table = ran.table("CROWNS")
    assert table["treeID"].tolist() == ["a-1", "a-2"]
    assert table["count"][0] == big
    assert table["height"][0] == 12.5
    assert table["Confidence_score"][0] == 0.9
    assert table["label"].tolist() == ["Oak", "Ash"]
    assert table["row"].tolist() == [1, 2]  # numbers of the features
    assert table["row_2"].tolist() == [7, 8]  # the field of the layer
    assert "nothing" in table


@pytest.mark.parametrize(
    ("geometries", "area", "n_skipped"),
    [
        ([polygon(0), collection(polygon(10), LINE)], [16, 16], 0),
        ([collection(polygon(10), polygon(20), LINE), polygon(0)], [32, 16], 0),
        ([polygon(0), collection(collection(polygon(10)), LINE)], [16, 16], 0),
        ([polygon(0), LINE, collection(LINE)], [16], 2),
    ],
)
def test_polygons_of_collections_are_imported(bring_in, geometries, area, n_skipped, tmp_path):
    ran = bring_in(write_geojson(tmp_path / "c.geojson", geometries))
    assert ran.ok, ran.error
    found = [feature.geometry().area() for feature in ran.layer("CROWNS").getFeatures()]
    assert found == area  # boxes of 4 by 4
    assert ran.results["SKIPPED"] == n_skipped


@pytest.mark.parametrize(
    ("algorithm", "others", "output"),
    [
        ("scorecrowns", "DELINEATIONS", "SCORED_TARGETS"),
        ("evaluateinstances", "PREDICTIONS", "MATCHED_TARGETS"),
    ],
)
@pytest.mark.parametrize(
    ("geometries", "areas"),
    [
        ([polygon(0), collection(polygon(10), LINE)], [16, 16]),
        ([collection(polygon(10), polygon(20), LINE), polygon(0)], [32, 16]),
        ([polygon(0), LINE, {"type": "MultiPoint", "coordinates": [[500001, 5000001]]}], [16]),
    ],
)
def test_a_layer_of_mixed_geometries_runs(
    run, algorithm, others, output, geometries, areas, tmp_path
):
    path = str(write_geojson(tmp_path / "c.geojson", geometries))
    ran = run(algorithm, {"TARGETS": path, others: path}, outputs=(output, "SUMMARY"))
    assert ran.ok, ran.error
    found = [feature.geometry() for feature in ran.layer(output).getFeatures()]
    assert len(found) == len(geometries)
    assert [geometry.area() for geometry in found if not geometry.isNull()] == areas


def test_a_yolo_folder_of_label_studio(bring_in, tmp_path):
    for folder in ("images", "labels"):
        (tmp_path / folder).mkdir()
    gdal.GetDriverByName("PNG").CreateCopy(
        str(tmp_path / "images" / "a.png"), gdal.GetDriverByName("MEM").Create("", 100, 80, 1)
    )
    (tmp_path / "labels" / "a.txt").write_text("1 0.2 0.25 0.2 0.25\n")
    (tmp_path / "classes.txt").write_text("Oak\nPine\n")
    categories = [{"id": 0, "name": "Oak"}, {"id": 1, "name": "Pine"}]
    (tmp_path / "notes.json").write_text(json.dumps({"categories": categories}))
    ran = bring_in(tmp_path)
    assert ran.ok, ran.error
    assert ran.table("CROWNS")["label"].tolist() == ["Pine"]
    assert ran.table("SUMMARY")["file"].tolist() == ["a.txt"]
    # Centre 20, 20 and size 20, 20 in pixels; QGIS shows y from the upper edge upwards.
    extent = ran.layer("CROWNS").extent()
    assert (extent.xMinimum(), extent.yMinimum()) == pytest.approx((10, -30))
    refused = bring_in(tmp_path / "notes.json")
    assert not refused.ok
    assert "notes.json" in (refused.error or refused.refused)


def test_numbers_of_objects_become_a_field(bring_in, tmp_path):
    gdal.GetDriverByName("PNG").CreateCopy(
        str(tmp_path / "a.png"), gdal.GetDriverByName("MEM").Create("", 100, 80, 1)
    )
    (tmp_path / "a.txt").write_text("0 0.5 0.5 0.2 0.25 0.91 1\n0 0.2 0.2 0.2 0.25 0.85 2\n")
    ran = bring_in(tmp_path / "a.txt")
    assert ran.ok, ran.error
    table = ran.table("CROWNS")
    assert (table["object_id"].tolist(), table["score"].tolist()) == ([1, 2], [0.91, 0.85])
    assert ran.said("yolo.ids")


def test_further_columns_of_a_table_are_fields(bring_in, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(
        "image_path,xmin,ymin,xmax,ymax,label,dbh,height,code,row\n"
        "a.tif,0,0,4,4,oak,31,4.5,007,5\na.tif,8,0,12,4,ash,,12,x,6\n"
    )
    ran = bring_in(path)
    assert ran.ok, ran.error
    layer = ran.layer("CROWNS")
    names = ["dbh", "height", "code", "row_2"]
    is_numeric = [layer.fields().field(name).isNumeric() for name in names]
    assert is_numeric == [True, True, False, True]
    rows = [[feature[name] or None for name in names] for feature in layer.getFeatures()]
    assert rows == [[31, 4.5, "007", 5], [None, 12.0, "x", 6]]
    assert isinstance(rows[0][0], int)
    assert "row_2" in ran.said("exchange.fields_renamed")


def test_files_of_other_programs_are_refused_by_name(bring_in, tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"objects": [{"classTitle": "Tree"}], "size": {}}')
    ran = bring_in(path)
    assert not ran.ok
    assert "Supervisely" in (ran.error or ran.refused)


def test_labels_that_differ_in_case_only_are_noted(bring_in, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("image_path,xmin,ymin,xmax,ymax,label\na.tif,0,0,4,4,Oak\na.tif,8,0,12,4,oak\n")
    ran = bring_in(path)
    assert ran.ok, ran.error
    assert "Oak, oak" in ran.said("classes.spelling")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le", "utf-8-sig", "utf-32"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "image_path,xmin,ymin,xmax,ymax,label\na.png,2,3,6,5,\u00c9rable\n"),
        ("a.txt", "0 4 4 4 2\n0 8 4 4 2\n"),
        (
            "a.json",
            json.dumps(
                {
                    "imagePath": "a.png",
                    "shapes": [
                        {
                            "label": "\u00c9rable",
                            "points": [[2, 3], [6, 5]],
                            "shape_type": "rectangle",
                        }
                    ],
                },
                ensure_ascii=False,
            ),
        ),
    ],
)
def test_text_in_utf_16_with_its_mark_is_read(bring_in, tmp_path, name, text, encoding):
    mark = b"" if encoding in ("utf-16", "utf-8-sig", "utf-32") else "\ufeff".encode(encoding)
    path = tmp_path / name
    path.write_bytes(mark + text.encode(encoding))
    ran = bring_in(path)
    assert ran.ok, ran.refused or ran.error
    table = ran.table("CROWNS")
    assert ran.results["SKIPPED"] == 0
    areas = [feature.geometry().area() for feature in ran.layer("CROWNS").getFeatures()]
    assert areas == pytest.approx([8.0] * len(areas))  # boxes of 4 by 2 px
    if name != "a.txt":
        assert table["label"].tolist() == ["\u00c9rable"]


def test_geojson_in_utf_16_is_read(bring_in, tmp_path):
    path = write_geojson(tmp_path / "c.geojson", [LINE, polygon(0)])
    path.write_bytes(path.read_text().encode("utf-16"))
    ran = bring_in(path)
    assert ran.ok, ran.refused or ran.error
    assert [f.geometry().area() for f in ran.layer("CROWNS").getFeatures()] == [16]
    assert ran.results["SKIPPED"] == 1
