"""How SQLite is told of files."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import PurePosixPath, PureWindowsPath

import pytest

from randcrowns.layers.databases import (
    are_same_table,
    is_sqlite,
    open_read_only,
    select_rows,
    sqlite_uri,
    tables_read,
)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (PureWindowsPath("//lab/crowns 1/a.gpkg"), "file:////lab/crowns%201/a.gpkg?mode=ro"),
        (PureWindowsPath("C:/crowns/a#1.gpkg"), "file:///C:/crowns/a%231.gpkg?mode=ro"),
        (PurePosixPath("/srv/100 %/why?.gpkg"), "file:///srv/100%20%25/why%3F.gpkg?mode=ro"),
    ],
)
def test_addresses(path, expected):
    assert sqlite_uri(path, "ro") == expected


def test_a_path_that_begins_as_one_of_another_computer_is_opened(tmp_path):
    path = tmp_path / "why? 100 %#.gpkg"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE kept (a)")
    assert is_sqlite(path)
    with open_read_only(path) as database:
        assert database.execute("SELECT count(*) FROM kept").fetchone() == (0,)
    address = sqlite_uri(PureWindowsPath(f"/{path.as_posix()}"))
    assert address.startswith("file:////")
    with closing(sqlite3.connect(address, uri=True)) as database:
        assert database.execute("SELECT count(*) FROM kept").fetchone() == (0,)


@pytest.mark.parametrize("name", ["Trees", "Übersicht", "İ", "ß", "Σ", "木"])
def test_names_are_the_same_where_sqlite_finds_one_table_by_both(tmp_path, name):
    with closing(sqlite3.connect(tmp_path / "a.db")) as database:
        database.execute(f'CREATE TABLE "{name}" (a)')
        for other in (name.lower(), name.upper(), name.casefold(), name):
            try:
                database.execute(f'SELECT * FROM "{other}"')
                is_found = True
            except sqlite3.OperationalError:
                is_found = False
            assert are_same_table(name, other) == is_found


@pytest.mark.parametrize(
    ("query", "names"),
    [
        (select_rows("trees"), {"trees"}),
        (select_rows("Trees", "id IN (SELECT tree FROM visits)"), {"trees", "visits"}),
        (select_rows("seen"), {"seen", "trees", "visits"}),
        ("WITH v AS (SELECT * FROM visits) SELECT count(*) FROM v", {"visits"}),
        ("SELECT ST_Area(id) FROM trees", None),
        ("SELECT * FROM missing", None),
    ],
)
def test_the_tables_of_a_query_are_those_that_sqlite_reads(tmp_path, query, names):
    with closing(sqlite3.connect(tmp_path / "a.db")) as database:
        database.executescript(
            "CREATE TABLE trees (id); CREATE TABLE visits (tree); CREATE TABLE others (id);"
            "CREATE VIEW seen AS SELECT * FROM trees JOIN visits ON tree = id;"
        )
    assert tables_read(tmp_path / "a.db", query) == names


def test_an_error_that_repeats_damaged_letters_is_one_of_sqlite(tmp_path):
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE kept (a)")
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE kept (a)", b"CREATE\xff TABLE k (a)"))
    with pytest.raises(sqlite3.DatabaseError, match="malformed"):
        open_read_only(path).__enter__()
