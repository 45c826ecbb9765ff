"""Tables of a GeoPackage brought back one by one; what others saved in the file meanwhile stays."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing

import pytest
from qgis.core import QgsFeatureRequest, QgsRectangle, QgsVectorLayer, edit
from support.layers import EAST, NORTH, crowns_at, layer_of, save
from support.processing import attributes

import randcrowns.layers.files.geopackage as geopackage
from randcrowns.core.errors import Cancelled, InputError
from randcrowns.layers.files.places import FileGuard, OutputPlace

PLACES = [(0, 0), (20, 0), (40, 0)]


def table(path, name):
    return QgsVectorLayer(f"{path}|layername={name}", name, "ogr")


def listed(path):
    with closing(sqlite3.connect(path)) as database:
        return sorted(database.execute("SELECT type, name, sql FROM sqlite_master").fetchall(), key=str)


@pytest.fixture
def path(qgis_app, tmp_path):
    rows = [["old"]] * 3
    for name in ("trees", "scored"):
        save(layer_of(name, crowns_at(PLACES), fields="&field=a:string", rows=rows), tmp_path / "d.gpkg", name=name)
    return tmp_path / "d.gpkg"


def spoil(path):
    """A run replaces one table and makes another; the user saves an edit in a third."""
    save(layer_of("scored", crowns_at(PLACES[:1]), fields="&field=b:int", rows=[[1]]), path, name="scored")
    save(layer_of("made", crowns_at(PLACES)), path, name="made")
    trees = table(path, "trees")
    with edit(trees):
        trees.changeAttributeValue(1, 1, "saved meanwhile")
    raise ValueError("stop")


def test_only_the_tables_of_the_run_are_brought_back(path):
    before = listed(path)
    with pytest.raises(ValueError, match="stop"), FileGuard([OutputPlace(path, "scored"), OutputPlace(path, "made")]):
        spoil(path)
    assert listed(path) == before
    assert attributes(table(path, "trees"))["a"].tolist() == ["saved meanwhile", "old", "old"]
    scored = table(path, "scored")
    assert attributes(scored)["a"].tolist() == ["old"] * 3
    assert not table(path, "made").isValid()
    near = QgsFeatureRequest().setFilterRect(QgsRectangle(EAST - 4, NORTH - 4, EAST + 4, NORTH + 4))
    assert len(list(scored.getFeatures(near))) == 1
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        contents = database.execute("SELECT table_name FROM gpkg_contents ORDER BY 1").fetchall()
    assert contents == [("scored",), ("trees",)]


def test_a_table_brought_back_can_be_edited(path):
    with pytest.raises(ValueError, match="stop"), FileGuard([OutputPlace(path, "scored"), OutputPlace(path, "made")]):
        spoil(path)
    scored = table(path, "scored")
    with edit(scored):
        scored.deleteFeature(2)
    assert scored.featureCount() == 2


def test_new_tables_need_no_copy_of_a_large_file(path, monkeypatch):
    monkeypatch.setattr("randcrowns.layers.files.places.MOST_BYTES", 10)
    with FileGuard([OutputPlace(path, "new")]) as guard:
        assert guard.holds
    with FileGuard([OutputPlace(path, "scored")]) as guard:
        assert not guard.holds


def test_a_file_in_use_is_told_and_cancel_is_heeded(path, monkeypatch):
    monkeypatch.setattr(geopackage, "LONGEST_WAIT", 0.5)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(InputError, match="in use"), FileGuard([OutputPlace(path, "new")]):
            pass

        def cancelled():
            raise Cancelled("Cancelled.")

        with pytest.raises(Cancelled), FileGuard([OutputPlace(path, "new")], cancelled):
            pass
        other.execute("ROLLBACK")


def test_a_copy_of_a_locked_file_ends(path, monkeypatch, tmp_path):
    monkeypatch.setattr(geopackage, "LONGEST_WAIT", 0.5)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        with pytest.raises(InputError, match="in use"):
            geopackage.copy_database(path, tmp_path / "copy.gpkg", lambda: None)
        assert time.monotonic() - began < 60  # it used to wait for ever
        other.execute("ROLLBACK")


def test_a_folder_is_no_file(qgis_app, tmp_path):
    (tmp_path / "x.gpkg").mkdir()
    with pytest.raises(InputError, match="is a folder"), FileGuard([OutputPlace(tmp_path / "x.gpkg")]):
        pass
