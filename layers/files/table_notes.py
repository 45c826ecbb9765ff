"""Notes of RandCrowns on tables of a GeoPackage, stored in its metadata tables.

They are copied and dropped together with their tables.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from randcrowns.core.exchange.own_results import METADATA_STANDARD
from randcrowns.layers.databases import MAX_READ_WAIT, is_sqlite, open_read_only

#: Tables of the extension "Metadata" of GeoPackages (OGC 12-128r18, F.8). QGIS creates them when it
#: writes metadata.
_METADATA_TABLES = {"gpkg_metadata", "gpkg_metadata_reference", "gpkg_contents"}


def add_note(file: Path, table: str, text: str) -> None:
    """Store a note on a table of a GeoPackage; do nothing if the file has no metadata tables.

    The file must be a temporary one: SQLite does not wait until the note is on the disk.

    Args:
        file: the GeoPackage.
        table: name of the table.
        text: the note, as JSON.

    Raises:
        sqlite3.Error: if the note cannot be written.
    """
    with closing(sqlite3.connect(file, timeout=MAX_READ_WAIT)) as database, database:
        if not _has_metadata(database):
            return
        database.execute("PRAGMA synchronous = OFF")
        metadata_id = database.execute(
            "INSERT INTO gpkg_metadata (md_scope, md_standard_uri, mime_type, metadata) "
            "VALUES (?, ?, ?, ?)",
            ("dataset", METADATA_STANDARD, "application/json", text),
        ).lastrowid
        database.execute(
            "INSERT INTO gpkg_metadata_reference (reference_scope, table_name, md_file_id) "
            "VALUES (?, ?, ?)",
            ("table", table, metadata_id),
        )


def read_notes(file: Path) -> list[tuple[str, str]]:
    """Return the notes of RandCrowns in a GeoPackage, the latest one first.

    Returns:
        Name of the table and text of each note; empty for a file that is no GeoPackage.

    Raises:
        sqlite3.Error: if the file cannot be read now.
        OSError: if the file cannot be read now.
    """
    if not is_sqlite(file):
        return []
    with open_read_only(file) as database:
        if not _has_metadata(database):
            return []
        rows = database.execute(
            "SELECT contents.table_name, note.metadata FROM gpkg_metadata AS note "
            "JOIN gpkg_metadata_reference AS reference ON reference.md_file_id = note.id "
            "JOIN gpkg_contents AS contents "
            "ON contents.table_name = reference.table_name COLLATE NOCASE "
            "WHERE note.md_standard_uri = ? ORDER BY note.id DESC",
            (METADATA_STANDARD,),
        )
        return [(str(table), str(text)) for table, text in rows]


def _has_metadata(database: sqlite3.Connection) -> bool:
    """Return True if a database has the metadata tables of a GeoPackage."""
    rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {str(name) for (name,) in rows} >= _METADATA_TABLES
