"""Exported crowns are imported unchanged, for any crowns, labels, images and systems."""

from __future__ import annotations

import contextlib
import math
import sqlite3
import tempfile
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from osgeo import gdal, ogr, osr
from qgis.core import QgsFeature, QgsGeometry, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtCore import QDate
from shapely.affinity import translate
from support.examples import examples
from support.layers import layer_of
from support.processing import run_algorithm
from support.shown import shows

from randcrowns.algorithms.exchange.schema.parameters import EXPORT_FORMAT
from randcrowns.layers.crs import create_transform, transform_coordinates

OUTPUTS = ("CROWNS", "POINTS", "IGNORED", "SUMMARY")
WIDTH, HEIGHT = 400, 300
PIXEL = 0.1


def image_in(folder: Path, turned: float, down: bool, metres: bool) -> QgsRasterLayer:
    """Return an image of 40 x 30 m, rotated by degrees, with rows downwards or upwards."""
    cos, sin = math.cos(math.radians(turned)) * PIXEL, math.sin(math.radians(turned)) * PIXEL
    made = gdal.GetDriverByName("GTiff").Create(
        str(folder / "plot.tif"), WIDTH, HEIGHT, 1, gdal.GDT_Byte
    )
    if metres:
        made.SetGeoTransform((500000.0, cos, sin, 4100000.0, sin, -cos if down else cos))
        system = osr.SpatialReference()
        system.ImportFromEPSG(32611)
        made.SetProjection(system.ExportToWkt())
    made.FlushCache()
    del made
    return QgsRasterLayer(str(folder / "plot.tif"), "plot")


def on_map(place: tuple[float, ...], pixels: np.ndarray) -> np.ndarray:
    g0, g1, g2, g3, g4, g5 = place
    x, y = pixels.T
    return np.stack([g0 + x * g1 + y * g2, g3 + x * g4 + y * g5], axis=1)


def in_pixels(place: tuple[float, ...], xy: np.ndarray) -> np.ndarray:
    g0, g1, g2, g3, g4, g5 = place
    return (xy - (g0, g3)) @ np.linalg.inv(np.array([[g1, g2], [g4, g5]])).T


@st.composite
def crowns(draw, boxes: bool) -> list[shapely.Geometry]:
    """Boxes, triangles, discs and pairs of these in pixels of the image, over its edge as well."""
    found = []
    for _ in range(draw(st.integers(1, 6))):
        x, y = draw(st.floats(1, WIDTH - 70)), draw(st.floats(1, HEIGHT - 1))
        width, height = draw(st.floats(0.01, 60)), draw(st.floats(0.01, 60))
        box = shapely.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        kind = "box" if boxes else draw(st.sampled_from(["box", "triangle", "disc", "pair"]))
        if kind == "triangle":
            x1, y1, x2, y2 = box.bounds
            box = shapely.Polygon([(x1, y1), (x2, y1), (x1, y2)])
        elif kind == "disc":
            box = shapely.Point(x, y).buffer(width / 2, quad_segs=draw(st.integers(1, 16)))
        elif kind == "pair":
            beside = shapely.transform(box, lambda xy, by=width: xy + np.array([2 * by, 0.0]))
            box = shapely.multipolygons([box, beside])
        found.append(box)
    return found


#: Labels; texts of numbers stay as they are.
words = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=12).filter(
    lambda text: text == text.strip() and text.isprintable()
) | st.sampled_from(["0.0", "007", "-1", "1e5", "True", "nan", "None"])


@pytest.mark.parametrize("key", ["coco", "deepforest", "voc"])
@given(data=st.data())
@settings(max_examples=examples(8), deadline=None, suppress_health_check=list(HealthCheck))
def test_crowns_come_back_to_a_millionth_of_a_pixel(key, qgis_new_project, algorithms, data):
    turned = 0.0 if key == "voc" else data.draw(st.sampled_from([0.0, 0.0, 30.0, -91.5]), "turned")
    metres, down = data.draw(st.booleans(), "metres"), data.draw(st.booleans(), "down")
    shapes = np.array(data.draw(crowns(key == "voc"), "crowns"), dtype=object)
    labels = data.draw(st.lists(words, min_size=len(shapes), max_size=len(shapes)), "labels")
    degrees = metres and key != "voc" and data.draw(st.booleans(), "degrees")
    cut = data.draw(st.booleans(), "cut")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        image = image_in(folder, turned, down, metres)
        place = (
            gdal.Open(str(folder / "plot.tif")).GetGeoTransform()
            if metres
            else (0.0, 1.0, 0.0, 0.0, 0.0, -1.0)
        )
        crs = "EPSG:4326" if degrees else "EPSG:32611" if metres else ""
        layer = QgsVectorLayer(
            f"MultiPolygon?crs={crs or 'EPSG:32611'}&field=label:string", "drawn", "memory"
        )
        if not crs:
            layer.setCrs(type(layer.crs())())
        drawn = shapely.transform(shapes, lambda xy: on_map(place, xy))
        if degrees:
            there = create_transform(image.crs(), layer.crs())
            drawn = shapely.transform(drawn, lambda xy: transform_coordinates(xy, there))
        features = []
        for shape, label in zip(drawn, labels):
            feature = QgsFeature(layer.fields())
            feature.setAttributes([label])
            geometry = QgsGeometry()
            geometry.fromWkb(shapely.to_wkb(shape))
            feature.setGeometry(geometry)
            features.append(feature)
        layer.dataProvider().addFeatures(features)
        QgsProject.instance().addMapLayers([image, layer])
        given_ = {
            "TARGETS": layer,
            "IMAGE": [image],
            "FORMAT": EXPORT_FORMAT.keys.index(key),
            "CUT_OUT_IMAGES": cut,
        }
        done = run_algorithm("exportcrowns", {**given_, "FOLDER": str(folder / "out")})
        assert done.ok, done.refused or done.error
        assert done.results["EXPORTED"] == len(shapes)
        back = run_algorithm(
            "importcrowns", {"INPUT": str(folder / "out"), "IMAGES": str(folder)}, outputs=OUTPUTS
        )
        assert back.ok, back.refused or back.error
        assert back.results["SKIPPED"] == 0
        made = back.layer("CROWNS")
        again = shapely.from_wkb([bytes(one.geometry().asWkb()) for one in made.getFeatures()])
        found = shapely.transform(again, lambda xy: in_pixels(place, xy))
        assert len(found) == len(shapes)
        rows = back.table("CROWNS").sort_values("row").index.to_numpy()
        for shape, label, row in zip(shapes, labels, rows):
            assert shapely.hausdorff_distance(shape, found[row]) < (1e-4 if degrees else 1e-6)
            assert back.table("CROWNS")["label"][row] == label
        QgsProject.instance().removeAllMapLayers()


def test_a_crown_over_the_edge_of_a_turned_image_is_on_it(qgis_new_project, algorithms, tmp_path):
    """The centre of its box in pixels is on the image; that of its box on the map is not."""
    image = image_in(tmp_path, 30.0, False, True)
    place = gdal.Open(str(tmp_path / "plot.tif")).GetGeoTransform()
    crown = shapely.transform(
        shapely.Polygon([(0, -1), (2, -1), (0, 3)]), lambda xy: on_map(place, xy)
    )
    asked = {
        "TARGETS": layer_of("drawn", [crown], crs="EPSG:32611"),
        "IMAGE": [image],
        "FOLDER": str(tmp_path / "out"),
    }
    done = run_algorithm("exportcrowns", {**asked, "FORMAT": EXPORT_FORMAT.keys.index("coco")})
    assert done.ok, done.refused or done.error
    assert done.results["EXPORTED"] == 1


@pytest.mark.parametrize("key", ["geojson", "gpkg"])
@given(data=st.data())
@settings(max_examples=examples(15), deadline=None, suppress_health_check=list(HealthCheck))
def test_layers_come_back_with_holes_classes_and_ids_of_64_bits(
    key, qgis_new_project, algorithms, data
):
    crs = "EPSG:4326" if key == "geojson" else data.draw(st.sampled_from(["EPSG:32611", ""]), "crs")
    first_y = data.draw(st.sampled_from([1.0, -3.0]), "first y")
    rows = data.draw(
        st.lists(
            st.tuples(
                st.integers(-(2**63) + 1, 2**63 - 1), words, st.booleans(), st.floats(0.001, 1)
            ),
            min_size=1,
            max_size=5,
        ),
        "rows",
    )
    layer = QgsVectorLayer(
        f"MultiPolygon?crs={crs}&field=label:string&field=number:int8&field=image:string",
        "drawn",
        "memory",
    )
    shapes = []
    for place, (number, label, has_hole, size) in enumerate(rows):
        shape = shapely.box(0, 0, size, size)
        if has_hole:
            shape = shape.difference(shapely.box(size / 4, size / 4, size / 2, size / 2))
        shape = translate(shape, 2 * place, first_y)
        shapes.append(shapely.multipolygons([shape]))
        feature = QgsFeature(layer.fields())
        feature.setAttributes([label, number, "plot.tif"])
        geometry = QgsGeometry()
        geometry.fromWkb(shapely.to_wkb(shapes[-1]))
        feature.setGeometry(geometry)
        layer.dataProvider().addFeatures([feature])
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        done = run_algorithm(
            "exportcrowns",
            {
                "TARGETS": layer,
                "FORMAT": EXPORT_FORMAT.keys.index(key),
                "FOLDER": str(folder / "out"),
            },
        )
        assert done.ok, done.refused or done.error
        path = folder / "out" / ("targets.geojson" if key == "geojson" else "crowns.gpkg")
        opened = QgsVectorLayer(str(path), "opened", "ogr")
        features = list(opened.getFeatures())
        assert [one["number"] for one in features] == [row[0] for row in rows]
        assert [one["label"] for one in features] == [row[1] for row in rows]
        back = run_algorithm("importcrowns", {"INPUT": str(path)}, outputs=OUTPUTS)
        assert back.ok, back.refused or back.error
        assert back.table("CROWNS")["label"].tolist() == [row[1] for row in rows]
        assert back.layer("CROWNS").crs().authid() == crs
        again = [
            shapely.from_wkb(bytes(one.geometry().asWkb()))
            for one in back.layer("CROWNS").getFeatures()
        ]
        for shape, own in zip(shapes, again):
            assert shape.symmetric_difference(own).area < 1e-9
            assert len(shapely.get_parts(own)[0].interiors) == len(shape.geoms[0].interiors)
        del opened


BOX = shapely.box(1, 2, 4, 8)


def file_without_crs(path: Path, image: str = "") -> Path:
    """Write BOX with GDAL, as other programs do, without a CRS and the record of an export."""
    source = ogr.GetDriverByName("GPKG" if path.suffix == ".gpkg" else "ESRI Shapefile")
    dataset = source.CreateDataSource(str(path))
    layer = dataset.CreateLayer("crowns", None, ogr.wkbPolygon)
    if image:
        layer.CreateField(ogr.FieldDefn("image_path", ogr.OFTString))
    feature = ogr.Feature(layer.GetLayerDefn())
    if image:
        feature.SetField("image_path", image)
    feature.SetGeometry(ogr.CreateGeometryFromWkb(shapely.to_wkb(BOX)))
    layer.CreateFeature(feature)
    return path


def shape_in(layer: QgsVectorLayer) -> shapely.Geometry:
    (feature,) = layer.getFeatures()
    return shapely.from_wkb(bytes(feature.geometry().asWkb()))


@pytest.mark.parametrize("srs_id", [0, -1, 99999])
def test_a_missing_crs_alone_does_not_mean_pixels(srs_id, algorithms, tmp_path):
    """GDAL writes a missing CRS as srs_id 0 up to 3.8, and as 99999 since; -1 is Cartesian."""
    path = file_without_crs(tmp_path / "crowns.gpkg")
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "INSERT OR IGNORE INTO gpkg_spatial_ref_sys VALUES "
            "('Undefined SRS', 99999, 'NONE', 99999, 'undefined', 'undefined')"
        )
        database.execute("UPDATE gpkg_contents SET srs_id = ?", (srs_id,))
        database.execute("UPDATE gpkg_geometry_columns SET srs_id = ?", (srs_id,))
    back = run_algorithm("importcrowns", {"INPUT": str(path)}, outputs=OUTPUTS)
    assert back.ok, back.refused or back.error
    assert shape_in(back.layer("CROWNS")).equals(BOX)
    assert not back.layer("CROWNS").crs().isValid()
    assert shows(back.said("exchange.no_system"), "exchange.no_system")


def test_a_file_that_names_images_may_be_in_pixels(algorithms, tmp_path):
    path = file_without_crs(tmp_path / "crowns.shp", "plot.tif")
    back = run_algorithm("importcrowns", {"INPUT": str(path)}, outputs=OUTPUTS)
    assert shape_in(back.layer("CROWNS")).equals(shapely.box(1, -8, 4, -2))
    assert "pixels" in back.said("exchange.in_pixels")


def test_results_in_pixels_record_it_in_their_geopackage(algorithms, tmp_path):
    """Crowns on an image without a georeference, imported into a file, are imported unchanged."""
    source = file_without_crs(tmp_path / "crowns.shp", "plot.tif")
    imported = tmp_path / "imported.gpkg"
    run_algorithm("importcrowns", {"INPUT": str(source), "CROWNS": str(imported)}, outputs=OUTPUTS)
    with contextlib.closing(sqlite3.connect(imported)) as database:
        tables = database.execute("SELECT table_name FROM gpkg_contents").fetchall()
    assert ("imported",) in tables
    layer = QgsVectorLayer(str(imported), "imported", "ogr")
    assert layer.startEditing()
    (feature,) = layer.getFeatures()
    moved = translate(shape_in(layer), 0, 20)  # all coordinates are above 0, as pixels are
    geometry = QgsGeometry()
    geometry.fromWkb(shapely.to_wkb(moved))
    layer.changeGeometry(feature.id(), geometry)
    assert layer.commitChanges()
    del layer
    back = run_algorithm("importcrowns", {"INPUT": str(imported)}, outputs=OUTPUTS)
    assert shape_in(back.layer("CROWNS")).equals(moved)


@pytest.mark.parametrize("cut", [False, True])
def test_fields_come_back_from_an_export_as_deepforest(qgis_new_project, algorithms, tmp_path, cut):
    image = image_in(tmp_path, 0.0, True, True)
    layer = QgsVectorLayer(
        "Polygon?crs=EPSG:32611&field=species:string&field=dbh:int&field=day:date",
        "drawn",
        "memory",
    )
    for place, (species, dbh) in enumerate([("oak", 31), ("ash", 28)]):
        feature = QgsFeature(layer.fields())
        feature.setAttributes([species, dbh, QDate(2024, 5, 1)])
        box = shapely.box(500001 + 5 * place, 4099980, 500004 + 5 * place, 4099984)
        feature.setGeometry(QgsGeometry.fromWkt(box.wkt))
        layer.dataProvider().addFeatures([feature])
    QgsProject.instance().addMapLayers([image, layer])
    parameters = {
        "TARGETS": layer,
        "IMAGE": [image],
        "FORMAT": EXPORT_FORMAT.keys.index("deepforest"),
        "CUT_OUT_IMAGES": cut,
        "FOLDER": str(tmp_path / "out"),
    }
    done = run_algorithm("exportcrowns", parameters)
    assert done.ok, done.refused or done.error
    back = run_algorithm(
        "importcrowns",
        {"INPUT": str(tmp_path / "out" / "targets.csv"), "IMAGES": str(tmp_path)},
        outputs=OUTPUTS,
    )
    table = back.table("CROWNS").sort_values("dbh")
    assert table["species"].tolist() == ["ash", "oak"] == table["label"].tolist()
    assert table["dbh"].tolist() == [28, 31]
    assert table["day"].tolist() == ["2024-05-01"] * 2
