"""Rows inserted into an empty table of a GeoPackage without a QGIS feature for each of them.

QGIS and GDAL create a Python object, a geometry of QGIS and one of GDAL per row, which takes
several times as long as storing its values.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from randcrowns.core.arrays import Floats, split_range
from randcrowns.core.progress import Progress
from randcrowns.layers.compat import field_type_number
from randcrowns.layers.databases import MAX_LOCK_WAIT, quote_name
from randcrowns.layers.vector.geometry import EncodedShapes, ShapeSequence
from randcrowns.layers.vector.tables import FeatureTable

#: Numbers of Qt's types of fields whose values SQLite stores as they are: int, long, double, text.
_STORED_TYPES = frozenset((2, 4, 6, 10))
#: Number of rows that are inserted at a time.
_BLOCK = 2000
#: Header of a geometry in a GeoPackage: magic number, version, flags (little-endian, with an
#: envelope of two dimensions), number of the CRS, and the envelope: minimum and maximum of x, of y.
_HEADER = np.dtype(
    [("magic", "S2"), ("version", "u1"), ("flags", "u1"), ("crs", "<i4"), ("envelope", "<f8", 4)]
)
_FLAGS = 0b11


def can_insert_rows(file: Path, table: FeatureTable) -> bool:
    """Return True if the rows of a table can be inserted by :func:`insert_rows`.

    Args:
        file: file of the table.
        table: the rows.
    """
    types = {field_type_number(field) for field in table.fields}
    return (
        file.suffix.lower() == ".gpkg"
        and isinstance(table.geometries, ShapeSequence)
        and types <= _STORED_TYPES
    )


def insert_rows(file: Path, name: str, table: FeatureTable, progress: Progress) -> None:
    """Insert rows into an empty table of a temporary GeoPackage, with its spatial index.

    Args:
        file: the GeoPackage. It need not survive a power failure.
        name: name of the table, which GDAL has created.
        table: the rows; see :func:`can_insert_rows`.
        progress: called with the fraction of the rows that are inserted; may raise to cancel.

    Raises:
        sqlite3.Error: if the rows cannot be written.
    """
    with closing(sqlite3.connect(file, timeout=MAX_LOCK_WAIT, isolation_level=None)) as database:
        database.execute("PRAGMA synchronous = OFF")
        database.execute("BEGIN IMMEDIATE")
        # Triggers of GDAL call functions that only GDAL has, and count the rows one by one.
        triggers = database.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' "
            "AND tbl_name = ? COLLATE NOCASE",
            (name,),
        ).fetchall()
        for trigger, _ in triggers:
            database.execute(f"DROP TRIGGER {quote_name(trigger)}")
        bounds = _insert_blocks(database, name, table, progress)
        for _, statement in triggers:
            database.execute(statement)
        _store_summary(database, name, len(table), bounds)
        database.execute("COMMIT")


def _insert_blocks(
    database: sqlite3.Connection, name: str, table: FeatureTable, progress: Progress
) -> Floats:
    """Insert the rows and their bounds block by block, and return the bounds (4,) of all.

    For the arguments see :func:`insert_rows`.
    """
    geometry_column, crs_number = database.execute(
        "SELECT column_name, srs_id FROM gpkg_geometry_columns WHERE table_name = ? COLLATE NOCASE",
        (name,),
    ).fetchone()
    columns = database.execute(f"PRAGMA table_info({quote_name(name)})").fetchall()
    (key,) = (column for _, column, _, _, _, key_position in columns if key_position)
    insert_row = _insertion(name, [key, geometry_column, *table.fields.names()])
    index = f"rtree_{name}_{geometry_column}"
    insert_bounds = _insertion(index, ["id", "minx", "maxx", "miny", "maxy"])
    total_bounds = np.array([np.inf, np.inf, -np.inf, -np.inf])
    geometries = table.geometries
    if not isinstance(geometries, ShapeSequence):
        raise TypeError("insert_rows() requires a ShapeSequence")
    for block in split_range(len(table), _BLOCK):
        shapes = geometries.encode(block)
        values = [column[block] for column in table.columns]
        keys = range(block.start + 1, block.stop + 1)
        database.executemany(insert_row, zip(keys, _to_blobs(shapes, crs_number), *values))
        has_shape = ~np.isnan(shapes.bounds[:, 0])
        known_bounds = shapes.bounds[has_shape]
        known_keys = np.flatnonzero(has_shape) + keys.start
        database.executemany(
            insert_bounds, zip(known_keys.tolist(), *known_bounds[:, [0, 2, 1, 3]].T.tolist())
        )
        if len(known_bounds):
            total_bounds[:2] = np.minimum(total_bounds[:2], known_bounds[:, :2].min(axis=0))
            total_bounds[2:] = np.maximum(total_bounds[2:], known_bounds[:, 2:].max(axis=0))
        progress(block.stop / len(table))
    return total_bounds


def _to_blobs(shapes: EncodedShapes, crs_number: int) -> Iterator[bytes | None]:
    """Yield each geometry as a GeoPackage stores it; None without a geometry.

    Args:
        shapes: the geometries.
        crs_number: number of the CRS in the GeoPackage.
    """
    headers = np.empty(len(shapes.wkb), dtype=_HEADER)
    headers["magic"] = b"GP"
    headers["version"] = 0
    headers["flags"] = _FLAGS
    headers["crs"] = crs_number
    headers["envelope"] = shapes.bounds[:, [0, 2, 1, 3]]
    all_headers = headers.tobytes()
    size = _HEADER.itemsize
    for row, wkb in enumerate(shapes.wkb):
        yield None if wkb is None else all_headers[row * size : (row + 1) * size] + wkb


def _store_summary(database: sqlite3.Connection, name: str, n_rows: int, bounds: Floats) -> None:
    """Store the number of rows and their bounds where GDAL reads them.

    Args:
        database: connection to the GeoPackage.
        name: name of the table.
        n_rows: number of rows.
        bounds: (4,) bounds of all geometries; not finite without one.
    """
    if np.isfinite(bounds).all():
        database.execute(
            "UPDATE gpkg_contents SET min_x = ?, min_y = ?, max_x = ?, max_y = ? "
            "WHERE table_name = ? COLLATE NOCASE",
            (*bounds.tolist(), name),
        )
    database.execute(
        "UPDATE gpkg_ogr_contents SET feature_count = ? WHERE table_name = ? COLLATE NOCASE",
        (n_rows, name),
    )


def _insertion(table: str, columns: list[Any]) -> str:
    """Return the SQL statement that inserts a row with values of some columns."""
    names = ", ".join(quote_name(column) for column in columns)
    marks = ", ".join("?" * len(columns))
    return " ".join(["INSERT INTO", quote_name(table), f"({names})", f"VALUES ({marks})"])
