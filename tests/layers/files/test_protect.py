from __future__ import annotations

import sqlite3
import subprocess
import sys

import pytest
from support.layers import crowns_at, layer_of, save

from randcrowns.layers.files.places import FileGuard, OutputPlace, left_behind


def fail_after(path, action):
    with FileGuard([OutputPlace(path)]):
        action()
        raise ValueError("stop")


def test_a_new_file_is_removed_when_the_run_fails(tmp_path):
    path = tmp_path / "new.shp"

    def write():
        for ending in (".shp", ".dbf", ".shx", ".prj"):
            path.with_suffix(ending).write_text("half")

    with pytest.raises(ValueError, match="stop"):
        fail_after(path, write)
    assert list(tmp_path.iterdir()) == []


def test_an_old_file_is_brought_back(tmp_path):
    path = tmp_path / "old.shp"
    path.write_text("old")
    path.with_suffix(".dbf").write_text("old too")

    def write():
        path.write_text("half")
        path.with_suffix(".dbf").unlink()
        path.with_suffix(".prj").write_text("new")

    with pytest.raises(ValueError, match="stop"):
        fail_after(path, write)
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"old.shp": "old", "old.dbf": "old too"}


def test_what_went_well_stays(tmp_path):
    path = tmp_path / "new.gpkg"
    with FileGuard([OutputPlace(path)]) as guard:
        assert guard.holds
        path.write_text("new")
    assert path.read_text() == "new"


def test_a_database_that_others_have_open_is_brought_back(qgis_app, tmp_path):
    layer = save(layer_of("old", crowns_at([(0, 0), (20, 0)]), kind="Polygon"), tmp_path / "d.gpkg")
    assert len(list(layer.getFeatures())) == 2
    path = tmp_path / "d.gpkg"

    def write():
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE half (a)")
        database.close()

    with pytest.raises(ValueError, match="stop"):
        fail_after(path, write)
    with sqlite3.connect(path) as database:
        tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
    database.close()
    assert "old" in tables or "d" in tables
    assert "half" not in tables
    assert len(list(layer.getFeatures())) == 2


KILLED = """
import os, sys
from pathlib import Path
from qgis.core import QgsApplication
from randcrowns.layers.files.places import FileGuard, OutputPlace
application = QgsApplication([], False)
path = Path(sys.argv[1])
with FileGuard([OutputPlace(path)]):
    path.write_text("half")
    os._exit(9)
"""


def test_a_run_that_is_killed_leaves_what_was_there_beside_the_file(tmp_path):
    path = tmp_path / "old [1].csv"
    path.write_text("old")
    subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False, capture_output=True)
    assert path.read_text() == "half"
    (folder,) = left_behind(path)
    assert (folder / path.name).read_text() == "old"
    with FileGuard([OutputPlace(path)]):
        path.write_text("new")
    assert left_behind(path) == [folder]
    assert left_behind(tmp_path / "other.csv") == []
