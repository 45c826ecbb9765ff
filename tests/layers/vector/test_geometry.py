"""Geometries of the core on their way to QGIS."""

import numpy as np
import pytest
import shapely
from osgeo import gdal, ogr
from qgis.analysis import QgsNativeAlgorithms
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsFeature,
    QgsGeometry,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsRectangle,
)
from support.layers import EAST, NORTH

from randcrowns.core.errors import Cancelled
from randcrowns.core.progress import no_progress
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.vector.geometry import (
    FeatureIssue,
    ReadReport,
    features_to_polygons,
    repair_polygons,
    to_qgs_multipolygon,
)

FEET = 0.3048


def mapped(polygons, progress=no_progress):
    crs = QgsCoordinateReferenceSystem("EPSG:32617")
    return to_qgs_multipolygon(
        WorkingCrs(crs, FEET, None, QgsCoordinateTransformContext()), crs, polygons, progress
    )


def test_a_multipolygon_has_the_polygons_where_they_lie_on_the_map(qgis_app):
    ring = shapely.box(0, 0, 4, 4).difference(shapely.box(1, 1, 2, 2))
    polygons = shapely.transform(
        np.array([ring, shapely.box(9, 0, 11, 1)]), lambda xy: np.add(xy, [EAST, NORTH])
    )
    before = shapely.get_coordinates(polygons)
    whole = shapely.transform(shapely.multipolygons(polygons), lambda xy: xy / FEET)
    assert shapely.equals_exact(shapely.from_wkb(mapped(polygons).asWkb().data()), whole)
    assert (shapely.get_coordinates(polygons) == before).all()
    assert mapped(polygons[:0]).isNull()


def test_cancel_is_heard_while_one_multipolygon_of_many_polygons_is_made(qgis_app):
    told = []

    def cancel(fraction):
        told.append(fraction)
        if fraction > 0.2:
            raise Cancelled

    low = 2.0 * np.arange(20_000) + EAST
    with pytest.raises(Cancelled):
        mapped(shapely.box(low, NORTH, low + 1, NORTH + 1), cancel)
    assert told == pytest.approx([0.1, 0.2, 0.3])


def test_reading_never_holds_up_the_window_for_a_whole_layer(qgis_app, monkeypatch):
    """Shapely holds Python's global lock while it parses WKB and gets or sets coordinates."""
    features, at_once = [], []
    for number in range(5001):
        features.append(QgsFeature(number))
        features[-1].setGeometry(QgsGeometry.fromRect(QgsRectangle(number, 0, number + 1, 1)))

    def told(work):
        def wrapped(shapes, *args, **options):
            at_once.append(len(shapes))
            return work(shapes, *args, **options)

        return wrapped

    for name in ("from_wkb", "get_coordinates", "set_coordinates"):
        monkeypatch.setattr(shapely, name, told(getattr(shapely, name)))
    ids, report = np.arange(len(features)), ReadReport("layer")
    read = features_to_polygons(features, ids, report)
    found = repair_polygons(read, ids, report, lambda xy: xy + 1)
    assert max(at_once) == 2000
    assert shapely.bounds(found).tolist() == [[n + 1, 1, n + 2, 2] for n in range(len(features))]


#: Cells of a raster: two crowns that touch in a corner, one with a hole; 0 is ground.
CELLS = np.array(
    [
        [0, 1, 1, 1, 0, 0, 0, 0],
        [1, 1, 1, 1, 1, 0, 2, 0],
        [1, 1, 0, 1, 1, 2, 2, 2],
        [1, 1, 1, 1, 1, 2, 2, 2],
        [0, 1, 1, 1, 0, 2, 2, 2],
        [0, 0, 1, 0, 0, 0, 2, 0],
    ]
)


def raster_of_cells(size, origin, path):
    driver = gdal.GetDriverByName("GTiff")
    dataset = driver.Create(str(path), CELLS.shape[1], CELLS.shape[0], 1, gdal.GDT_Byte)
    dataset.SetGeoTransform((origin[0], size, 0, origin[1], 0, -size))
    dataset.SetProjection(QgsCoordinateReferenceSystem("EPSG:32617").toWkt())
    dataset.GetRasterBand(1).WriteArray(CELLS)
    return dataset


def cells_of_qgis(size, origin, folder):
    """Squares of pixels from QGIS's Raster pixels to polygons, by the value of the pixel."""
    raster_of_cells(size, origin, folder / "cells.tif").FlushCache()
    native = QgsNativeAlgorithms()
    native.refreshAlgorithms()
    algorithm = native.algorithm("pixelstopolygons").create()
    parameters = {
        "INPUT_RASTER": str(folder / "cells.tif"),
        "RASTER_BAND": 1,
        "FIELD_NAME": "value",
        "OUTPUT": "memory:",
    }
    context, feedback = QgsProcessingContext(), QgsProcessingFeedback()
    results, ok = algorithm.run(parameters, context, feedback)
    assert ok
    layer = context.takeResultLayer(results["OUTPUT"])
    return {
        value: [f.geometry() for f in layer.getFeatures() if int(f["value"]) == value]
        for value in (1, 2)
    }


def cells_of_gdal(size, origin, folder):
    """Polygons of GDAL's Polygonize, by the value of the pixel."""
    dataset = raster_of_cells(size, origin, folder / "cells.tif")
    source = (ogr.GetDriverByName("MEM") or ogr.GetDriverByName("Memory")).CreateDataSource("p")
    layer = source.CreateLayer("polygons", None, ogr.wkbPolygon)
    layer.CreateField(ogr.FieldDefn("value", ogr.OFTInteger))
    band = dataset.GetRasterBand(1)
    gdal.Polygonize(band, band, layer, 0)
    found = {1: [], 2: []}
    for feature in layer:
        geometry = QgsGeometry()
        geometry.fromWkb(bytes(feature.GetGeometryRef().ExportToWkb()))
        found[feature.GetField(0)].append(geometry)
    return found


def outline_of_cells(value, size, origin):
    """The outline of a value, computed in whole cells and then put on the map."""
    row, column = np.nonzero(value == CELLS)
    cells = shapely.union_all(shapely.box(column, -row - 1, column + 1, -row))
    return shapely.transform(cells, lambda xy: xy * size + origin)


def read(geometries):
    features = []
    for geometry in geometries:
        features.append(QgsFeature())
        features[-1].setGeometry(geometry)
    ids = np.arange(len(features))
    report = ReadReport("cells")
    shapes = features_to_polygons(features, ids, report)
    return repair_polygons(shapes, ids, report, lambda xy: xy), report


@pytest.mark.parametrize("make", [cells_of_qgis, cells_of_gdal])
@pytest.mark.parametrize("size", [0.03, 0.07, 0.1, 0.3, 0.6, 1.0])
def test_dissolved_pixels_are_the_crowns_that_they_cover(qgis_app, tmp_path, make, size):
    for origin in ((EAST, NORTH), (EAST + 0.005, NORTH + 0.015), (431234.5678, 5123456.789)):
        found = make(size, origin, tmp_path)
        dissolved = [QgsGeometry.unaryUnion(found[value]) for value in (1, 2)]
        collected = [QgsGeometry.collectGeometry(found[value]) for value in (1, 2)]
        for geometries in (dissolved, collected):
            polygons, _ = read(geometries)
            for value, polygon in zip((1, 2), polygons):
                exact = outline_of_cells(value, size, origin)
                assert polygon.length == pytest.approx(exact.length, abs=1e-4)
                assert polygon.symmetric_difference(exact).area < 1e-4 * exact.area
                for distance in (-1.2 * size, 2.0 * size):
                    literal = exact.buffer(distance).area
                    assert polygon.buffer(distance).area == pytest.approx(literal, rel=1e-4)


def test_repairs_are_told_with_the_crowns_whose_area_they_change(qgis_app):
    outlines = {
        "overlap": "MULTIPOLYGON(((0 0,4 0,4 4,0 4,0 0)),((2 1,6 1,6 5,2 5,2 1)))",
        "touch": "POLYGON((0 0,9 0,9 9,4 9,4.001 9.001,4.002 8.999,0 9,0 0))",
        "crack": "MULTIPOLYGON(((0 0,4 0,4 4,0 4,0 0)),((4.00000001 0,8 0,8 4,4.00000001 4,4.00000001 0)))",
        "fine": "POLYGON((0 0,4 0,4 4,0 4,0 0))",
    }
    polygons, report = read([QgsGeometry.fromWkt(text) for text in outlines.values()])
    assert report.issues == {
        FeatureIssue.REPAIRED: [0, 1],
        FeatureIssue.AREA_CHANGED: [0],
        FeatureIssue.CLOSED: [2],
        FeatureIssue.MULTIPART: [1],
    }
    assert shapely.area(polygons) == pytest.approx([26, 81, 32, 16], abs=1e-2)


def test_an_outline_that_crosses_itself_too_often_is_skipped_with_a_sentence(qgis_app):
    y = np.random.default_rng(0).permutation(np.linspace(0, 10, 2000))
    zigzag = shapely.Polygon(np.column_stack([10.0 * (np.arange(2000) % 2), y]))
    geometry = QgsGeometry.fromWkt(zigzag.wkt)
    polygons, report = read([geometry, QgsGeometry.fromWkt("POLYGON((0 0,4 0,4 4,0 4,0 0))")])
    assert report.issues == {FeatureIssue.TOO_COMPLEX: [0]}
    assert polygons[0] is None
    assert [message.key for message in report.messages()] == ["input.too_complex"]
