"""How SQLite is told of files."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import PurePosixPath, PureWindowsPath

import pytest

from randcrowns.layers.databases import is_sqlite, open_read_only, sqlite_uri


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
