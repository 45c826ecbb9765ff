"""Notes of ours on the tables of a GeoPackage, among its metadata: they are copied and dropped with their tables."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from randcrowns.layers.databases import LOOK_WAIT, is_sqlite, reading

#: What tells the notes apart from the metadata of others.
_STANDARD = "urn:randcrowns:run"
#: The lists of the extension "Metadata" of GeoPackages (OGC 12-128r18, F.8), which QGIS makes when it keeps some.
_LISTS = {"gpkg_metadata", "gpkg_metadata_reference", "gpkg_contents"}


def add_note(file: Path, table: str, text: str) -> None:
    """Keep a note on a table of a GeoPackage that has lists of metadata; without them nothing is kept.

    The file is one that is being made: whoever puts it in its place sees to it that it is on the disk.

    Raises:
        sqlite3.Error: if it cannot be written.
    """
    with closing(sqlite3.connect(file, timeout=LOOK_WAIT)) as database, database:
        if not _has_lists(database):
            return
        database.execute("PRAGMA synchronous = OFF")
        about = "INSERT INTO gpkg_metadata (md_scope, md_standard_uri, mime_type, metadata) VALUES (?, ?, ?, ?)"
        number = database.execute(about, ("dataset", _STANDARD, "application/json", text)).lastrowid
        refer = "INSERT INTO gpkg_metadata_reference (reference_scope, table_name, md_file_id) VALUES (?, ?, ?)"
        database.execute(refer, ("table", table, number))


def notes_in(file: Path) -> list[tuple[str, str]]:
    """Table and text of each note, the last one first; none in a file that is no GeoPackage.

    Raises:
        sqlite3.Error, OSError: if the file cannot be read now.
    """
    if not is_sqlite(file):
        return []
    with reading(file) as database:
        if not _has_lists(database):
            return []
        found = database.execute(
            "SELECT contents.table_name, told.metadata FROM gpkg_metadata AS told "
            "JOIN gpkg_metadata_reference AS refers ON refers.md_file_id = told.id "
            "JOIN gpkg_contents AS contents ON lower(contents.table_name) = lower(refers.table_name) "
            "WHERE told.md_standard_uri = ? ORDER BY told.id DESC",
            (_STANDARD,),
        )
        return [(str(table), str(text)) for table, text in found]


def _has_lists(database: sqlite3.Connection) -> bool:
    found = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {str(name) for (name,) in found} >= _LISTS
