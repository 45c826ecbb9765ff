"""Spellings of files and tables, and layers that read table ``trees`` of ``all.gpkg`` in many ways."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from urllib.parse import quote

from qgis.core import QgsField, QgsProject, QgsVectorLayer, QgsVectorLayerJoinInfo
from qgis.PyQt.QtCore import QVariant
from support.layers import crowns_at, layer_of

__all__ = ["DRIVERS", "FILE_SPELLINGS", "READERS", "TABLE_SPELLINGS"]


def opened(folder, name):
    return QgsVectorLayer(f"{folder}/all.gpkg|layername={name}", name, "ogr")


def other():
    return layer_of("other", crowns_at([(0, 0), (20, 0), (40, 0)], seed=2), kind="Polygon")


#: Files of one layer by suffix, with GDAL's driver.
DRIVERS = {".shp": "ESRI Shapefile", ".geojson": "GeoJSON", ".fgb": "FlatGeobuf", ".csv": "CSV"}
#: Spellings of a whole file, with values ``folder``, ``name`` of the folder, and ``file``.
FILE_SPELLINGS = (
    "{folder}/{file}",
    "{folder}/../{name}/{file}",
    "{folder}/../link/{file}",
    "{file}",
    "ogr:{folder}/{file}",
    "ogr://{folder}/{file}",
    "ogr:dbname='{folder}/{file}'",
)
#: Spellings of table ``trees`` in a database file.
TABLE_SPELLINGS = (
    "{folder}/{file}|layername=trees",
    "{folder}/../link/{file}|layername=TREES",
    "ogr:dbname='{folder}/{file}' table=\"trees\" (geom)",
    "ogr://dbname='{folder}/{file}' table=\"trees\" (geom)",
    "spatialite:dbname='{folder}/{file}' table=\"trees\" (geom)",
    "spatialite://dbname='{folder}/../link/{file}' table=\"Trees\" (geom)",
    "SPATIALITE://dbname='{folder}/{file}' table=\"trees\" (geom)",
)
VIEW = """
CREATE VIEW seen AS SELECT fid AS OGC_FID, geom FROM trees;
INSERT INTO gpkg_contents (table_name, identifier, data_type, srs_id)
VALUES ('seen', 'seen', 'features', 32617);
INSERT INTO gpkg_geometry_columns VALUES ('seen', 'geom', 'POLYGON', 32617, 0, 0);
"""


def in_project(layer):
    assert layer.isValid()
    QgsProject.instance().addMapLayer(layer)
    return layer


def joined(folder):
    layer = other()
    join = QgsVectorLayerJoinInfo()
    join.setJoinLayer(in_project(opened(folder, "trees")))
    join.setJoinFieldName("fid")
    join.setTargetFieldName("a")
    layer.dataProvider().addAttributes([QgsField("a", QVariant.Int)])
    layer.updateFields()
    assert layer.addJoin(join)
    return layer


def with_aggregate(folder):
    in_project(opened(folder, "trees"))
    layer = other()
    layer.addExpressionField("aggregate('trees', 'count', fid)", QgsField("n", QVariant.Int))
    return layer


def with_view(folder):
    with closing(sqlite3.connect(folder / "all.gpkg")) as database:
        database.executescript(VIEW)
    return opened(folder, "seen")


def filtered(folder):
    layer = opened(folder, "drawn")
    assert layer.setSubsetString("fid IN (SELECT fid FROM trees)")
    return layer


def virtual(folder):
    source = quote(f"{folder}/all.gpkg|layername=trees", safe="")
    return QgsVectorLayer(f"?layer=ogr:{source}:x:UTF-8&query=select * from x", "v", "virtual")


def of_project(folder):
    in_project(opened(folder, "trees"))
    return QgsVectorLayer("?query=select * from trees", "v", "virtual")


def nested(folder):
    in_project(of_project(folder)).setName("inner")
    return QgsVectorLayer("?query=select * from inner", "v", "virtual")


#: Layers that read table ``trees`` of ``all.gpkg``.
READERS = {
    "table": lambda folder: opened(folder, "trees"),
    "number": lambda folder: QgsVectorLayer(f"{folder}/all.gpkg|layerid=0", "x", "ogr"),
    "query": lambda folder: QgsVectorLayer(
        f"{folder}/all.gpkg|subset=SELECT t.* FROM trees AS t JOIN drawn ON t.fid = drawn.fid",
        "x",
        "ogr",
    ),
    "query of GDAL": lambda folder: QgsVectorLayer(
        f"{folder}/all.gpkg|subset=SELECT fid, ST_Buffer(geom, 1) AS geom FROM trees", "x", "ogr"
    ),
    "condition": filtered,
    "driver": lambda folder: QgsVectorLayer(f"GPKG:{folder}/all.gpkg:trees", "x", "ogr"),
    "view": with_view,
    "virtual": virtual,
    "virtual of the project": of_project,
    "virtual of a virtual": nested,
    "join": joined,
    "aggregate": with_aggregate,
}
