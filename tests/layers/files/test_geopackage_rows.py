"""Rows inserted into a GeoPackage are those that QGIS and GDAL write."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFeatureRequest,
    QgsGeometry,
    QgsRectangle,
    QgsVectorLayer,
    QgsWkbTypes,
)

from randcrowns.core.errors import Cancelled
from randcrowns.layers.files import geopackage_rows
from randcrowns.layers.files.destinations import Destination, create_table_sink
from randcrowns.layers.files.geopackage import store_row_count
from randcrowns.layers.files.geopackage_rows import can_insert_rows, insert_rows
from randcrowns.layers.vector.geometry import to_qgs_geometries
from randcrowns.layers.vector.tables import FeatureTable

pytestmark = pytest.mark.usefixtures("qgis_app")

_BOXES = [shapely.box(3, 4, 5, 8), None, shapely.box(-2, 1, 0, 2), shapely.Polygon()]
_TWO_PARTS = shapely.MultiPolygon([shapely.box(10, 0, 11, 1), shapely.box(12, 0, 13, 1)])
#: Statements whose results must be the same in both files.
_CONTENTS = (
    "SELECT * FROM regions ORDER BY fid",
    "SELECT * FROM rtree_regions_geom ORDER BY id",
    "SELECT * FROM gpkg_ogr_contents",
    "SELECT type, name, sql FROM sqlite_master ORDER BY type, name",
    "SELECT table_name, data_type, min_x, min_y, max_x, max_y, srs_id FROM gpkg_contents",
    "PRAGMA integrity_check",
)


def _table(shapes) -> FeatureTable:
    geometries = to_qgs_geometries(np.array(shapes, dtype=object))
    crs = QgsCoordinateReferenceSystem("EPSG:32617")
    table = FeatureTable(crs, QgsWkbTypes.Type.MultiPolygon, geometries)
    table.add_column("target_id", np.arange(len(shapes)))
    table.add_column("tau", np.where(np.arange(len(shapes)) == 1, np.nan, 0.5))
    table.add_column("status", [None, *["o'k \u00e4"] * (len(shapes) - 1)])
    return table


def _create(file: Path, table: FeatureTable) -> list:
    sink, _ = create_table_sink(
        Destination(file, "regions"), table.fields, table.wkb_type, table.crs
    )
    return [sink]


def _contents(file: Path) -> list:
    with closing(sqlite3.connect(file)) as database:
        return [database.execute(statement).fetchall() for statement in _CONTENTS]


@pytest.mark.parametrize("shapes", [[*_BOXES, _TWO_PARTS], [], [None]])
def test_a_table_is_that_which_gdal_writes(tmp_path, monkeypatch, shapes):
    monkeypatch.setattr(geopackage_rows, "_BLOCK", 2)
    written, inserted = tmp_path / "written.gpkg", tmp_path / "inserted.gpkg"
    sinks = _create(written, _table(shapes))
    for block in _table(shapes).iterate_blocks():
        assert sinks[0].addFeatures(block)
    sinks.clear()
    store_row_count(written, "regions")
    table = _table(shapes)
    assert can_insert_rows(inserted, table)
    _create(inserted, table).clear()
    fractions = []
    insert_rows(inserted, "regions", table, fractions.append)
    assert _contents(inserted) == _contents(written)
    assert fractions == sorted(fractions)
    assert fractions[-1:] == [1.0] * bool(shapes)


def test_gdal_edits_and_finds_the_rows(tmp_path):
    file = tmp_path / "rows.gpkg"
    table = _table([*_BOXES, _TWO_PARTS])
    _create(file, table).clear()
    insert_rows(file, "regions", table, lambda _: None)
    layer = QgsVectorLayer(f"{file}|layername=regions", "regions", "ogr")
    assert layer.featureCount() == 5
    found = layer.getFeatures(QgsFeatureRequest(QgsRectangle(4, 5, 4.5, 6)))
    assert [feature["target_id"] for feature in found] == [0]
    new = QgsFeature(layer.fields())
    new.setGeometry(QgsGeometry.fromWkt("MultiPolygon (((50 50, 51 50, 51 51, 50 50)))"))
    assert layer.dataProvider().addFeatures([new])[0]
    assert layer.featureCount() == 6
    found = layer.getFeatures(QgsFeatureRequest(QgsRectangle(49, 49, 52, 52)))
    assert [feature.id() for feature in found] == [6]


def test_a_cancelled_insertion_leaves_the_table_empty(tmp_path, monkeypatch):
    monkeypatch.setattr(geopackage_rows, "_BLOCK", 2)
    file = tmp_path / "rows.gpkg"
    table = _table([*_BOXES, _TWO_PARTS])
    _create(file, table).clear()
    before = _contents(file)

    def cancel(fraction: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        insert_rows(file, "regions", table, cancel)
    assert _contents(file) == before


def test_other_tables_are_written_by_gdal(tmp_path):
    table = _table(_BOXES)
    assert not can_insert_rows(tmp_path / "rows.shp", table)
    table.geometries = list(table.geometries)
    assert not can_insert_rows(tmp_path / "rows.gpkg", table)
    layer = QgsVectorLayer("Polygon?field=seen:date", "dates", "memory")
    dated = _table(_BOXES)
    dated.add_field(layer.fields().at(0), [None] * len(_BOXES))
    assert not can_insert_rows(tmp_path / "rows.gpkg", dated)
    assert gdal.GetLastErrorType() < gdal.CE_Failure
