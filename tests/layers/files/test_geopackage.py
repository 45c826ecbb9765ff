"""Tables moved from one GeoPackage into another: with all that is said of them, in one
transaction.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeatureRequest,
    QgsRectangle,
    QgsVectorLayer,
    edit,
)
from support.errors import raises
from support.layers import EAST, NORTH, crowns_at, layer_of, save
from support.processing import attributes

import randcrowns.layers.files.geopackage as geopackage
from randcrowns.core.errors import Cancelled
from randcrowns.layers.compat import save_style
from randcrowns.layers.databases import are_same_table, is_sqlite, write_failure
from randcrowns.layers.files.geopackage import copied_tables, is_geopackage, recover_database
from randcrowns.layers.files.staging import StagedFiles

PLACES = [(0, 0), (20, 0), (40, 0)]
OWN = "PROJ:+proj=tmerc +lat_0=0 +lon_0={} +k=1 +x_0=500000 +y_0=0 +ellps=GRS80 +units=m +no_defs"


def table(path, name):
    return QgsVectorLayer(f"{path}|layername={name}", name, "ogr")


def asked(path, sql):
    with closing(sqlite3.connect(path)) as database:
        return database.execute(sql).fetchall()


@pytest.fixture
def path(qgis_app, tmp_path):
    rows = [["old"]] * 3
    for name in ("trees", "scored"):
        save(
            layer_of(name, crowns_at(PLACES), fields="&field=a:string", rows=rows),
            tmp_path / "d.gpkg",
            name=name,
        )
    return tmp_path / "d.gpkg"


def write(path, *layers, alone=False):
    with StagedFiles() as staged:
        for name, layer in layers:
            made = staged.stage_file(path) if alone else staged.stage_table(path)
            saved = save(layer, made, name=name)
            metadata = saved.metadata()
            metadata.setAbstract(f"about {name}")
            saved.setMetadata(metadata)
            assert saved.saveDefaultMetadata()[1]
            del saved
        staged.publish()


def test_tables_come_with_index_count_metadata_and_system(path):
    new = layer_of("new", crowns_at(PLACES), fields="&field=b:int", rows=[[1]] * 3)
    write(path, ("scored", new), ("made", new))
    for name in ("scored", "made"):
        layer = table(path, name)
        near = QgsFeatureRequest().setFilterRect(
            QgsRectangle(EAST - 4, NORTH - 4, EAST + 4, NORTH + 4)
        )
        assert len(list(layer.getFeatures(near))) == 1
        assert layer.metadata().abstract() == f"about {name}"
        assert layer.crs().authid() == "EPSG:32617"
        with edit(layer):
            layer.deleteFeature(2)
        assert table(path, name).featureCount() == 2
    assert attributes(table(path, "trees"))["a"].tolist() == ["old"] * 3
    assert asked(path, "PRAGMA integrity_check") == [("ok",)]
    assert asked(path, "SELECT table_name FROM gpkg_contents ORDER BY 1") == [
        ("made",),
        ("scored",),
        ("trees",),
    ]
    assert asked(
        path, "SELECT count(*) FROM gpkg_extensions WHERE extension_name = 'gpkg_rtree_index'"
    ) == [(3,)]


#: Names whose letters Python and SQLite write in small letters in different ways, among others.
NAMES = ("Übersicht", "ÉTÉ", "İstanbul", "Ärger é", "Straße", "ΣΊΣΥΦΟΣ", "Crowns", "CROWNS 2", "木")


@given(name=st.one_of(st.sampled_from(NAMES), st.text("aAÄäßſİıΣς木é_ 9", min_size=1)))
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@example(name="Übersicht")
def test_a_table_of_any_name_is_replaced_by_the_run_and_by_no_other(path, name):
    name = name.strip() or "x"
    stored = "trees" if are_same_table(name, "trees") else name
    for count in (1, 2):
        write(path, (name, layer_of("new", crowns_at(PLACES[:count]))))
        with closing(sqlite3.connect(path)) as database:
            query = "SELECT count(*) FROM {}".format('"' + stored.replace('"', '""') + '"')
            assert database.execute(query).fetchall() == [(count,)]
        assert asked(path, "PRAGMA integrity_check") == [("ok",)]
    assert len(asked(path, "SELECT 1 FROM gpkg_contents WHERE table_name = 'trees'")) == 1


def test_names_that_differ_in_a_letter_beyond_ascii_are_two_tables(path):
    write(path, ("Übersicht", layer_of("new", crowns_at(PLACES))))
    write(path, ("übersicht", layer_of("new", crowns_at(PLACES[:1]))))
    assert [table(path, name).featureCount() for name in ("Übersicht", "übersicht")] == [3, 1]


def test_rows_that_do_not_arrive_are_an_error_and_nothing_is_written(path, monkeypatch):
    copy = geopackage._copy_table

    def lose_rows(database, name, target):
        copy(database, name, target)
        database.execute(f'DELETE FROM main."{name}" WHERE fid > 1')

    monkeypatch.setattr(geopackage, "_copy_table", lose_rows)
    with raises("file.rows_missing", table="scored", found=1, expected=2):
        write(path, ("scored", layer_of("new", crowns_at(PLACES[:2]))))
    assert table(path, "scored").featureCount() == 3


def test_the_record_of_another_run_is_an_error_and_nothing_is_written(path, monkeypatch):
    copy = geopackage._copy_table

    def change_record(database, name, target):
        copy(database, name, target)
        database.execute("UPDATE main.gpkg_metadata SET metadata = 'of another run'")

    monkeypatch.setattr(geopackage, "_copy_table", change_record)
    with raises("file.rows_missing", table="scored"):
        write(path, ("scored", layer_of("new", crowns_at(PLACES))))
    assert attributes(table(path, "scored"))["a"].tolist() == ["old"] * 3


def test_metadata_of_two_moves_stay_apart(path):
    for name in ("one", "two"):
        write(path, (name, layer_of(name, crowns_at(PLACES))))
    assert [table(path, name).metadata().abstract() for name in ("one", "two")] == [
        "about one",
        "about two",
    ]


def test_coordinate_systems_of_ones_own_keep_their_numbers(path):
    for middle in (7, 8, 9):
        layer = layer_of(f"at {middle}", crowns_at(PLACES))
        layer.setCrs(QgsCoordinateReferenceSystem(OWN.format(middle)))
        write(path, (f"at_{middle}", layer))
    for middle in (7, 8, 9):
        assert f"+lon_0={middle}" in table(path, f"at_{middle}").crs().toProj()
    numbers = [
        number
        for (number,) in asked(
            path, "SELECT srs_id FROM gpkg_geometry_columns WHERE table_name LIKE 'at%'"
        )
    ]
    assert len(set(numbers)) == 3


def test_two_runs_that_number_different_systems_alike_are_not_mixed_up(path):
    with StagedFiles() as one, StagedFiles() as other:
        for middle, staged in ((7, one), (8, other)):
            layer = layer_of("x", crowns_at(PLACES))
            layer.setCrs(QgsCoordinateReferenceSystem(OWN.format(middle)))
            save(layer, staged.stage_table(path), name=f"at_{middle}")
        one.publish()
        with raises("file.changed"):
            other.publish()
    assert "+lon_0=7" in table(path, "at_7").crs().toProj()
    assert not table(path, "at_8").isValid()


def test_a_style_that_the_user_saved_stays_with_a_table_that_is_replaced(path):
    layer = table(path, "scored")
    save_style(layer, "mine")
    write(path, ("scored", layer_of("x", crowns_at(PLACES[:1]))))
    assert asked(path, "SELECT f_table_name, styleName FROM layer_styles") == [("scored", "mine")]


def test_styles_of_a_table_are_found_in_a_file_that_had_none(path):
    with StagedFiles() as staged:
        layer = save(layer_of("styled", crowns_at(PLACES)), staged.stage_table(path), name="styled")
        save_style(layer, "ours")
        del layer
        staged.publish()
    assert asked(path, "SELECT f_table_name, styleName FROM layer_styles") == [("styled", "ours")]
    assert asked(path, "SELECT data_type FROM gpkg_contents WHERE table_name = 'layer_styles'") == [
        ("attributes",)
    ]
    assert table(path, "layer_styles").isValid()


def test_a_whole_file_takes_the_place_of_all_tables_while_others_have_it_open(path):
    open_elsewhere = table(path, "trees")
    assert len(list(open_elsewhere.getFeatures())) == 3
    write(path, ("d", layer_of("d", crowns_at(PLACES[:2]))), alone=True)
    assert asked(path, "SELECT table_name FROM gpkg_contents") == [("d",)]
    assert table(path, "d").featureCount() == 2


def test_an_edit_saved_while_the_run_writes_stays(path):
    with StagedFiles() as staged:
        save(layer_of("new", crowns_at(PLACES)), staged.stage_table(path), name="new")
        trees = table(path, "trees")
        with edit(trees):
            trees.changeAttributeValue(1, 1, "saved meanwhile")
        staged.publish()
    assert attributes(table(path, "trees"))["a"].tolist() == ["saved meanwhile", "old", "old"]
    assert table(path, "new").featureCount() == 3


def test_nobody_sees_tables_that_are_not_committed(path, tmp_path):
    other = tmp_path / "other.gpkg"
    save(layer_of("new", crowns_at(PLACES)), other, name="new")
    before = asked(path, "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2")
    with copied_tables(other, path, False, lambda: None):
        pass
    assert asked(path, "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2") == before


def test_a_cancel_is_heard_while_rows_are_moved(path, tmp_path, monkeypatch):
    monkeypatch.setattr(geopackage, "_CHECK_INTERVAL", 100)
    other, looks = tmp_path / "other.gpkg", []
    save(layer_of("new", crowns_at([(9 * n, 0) for n in range(500)])), other, name="new")

    def look():
        looks.append(1)
        if len(looks) > 3:
            raise Cancelled

    with pytest.raises(Cancelled), copied_tables(other, path, False, look):
        pass
    assert len(looks) == 4
    assert not table(path, "new").isValid()


def test_what_only_begins_like_a_database_is_none(tmp_path):
    (tmp_path / "x.gpkg").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    assert not is_geopackage(tmp_path / "x.gpkg", lambda: None)
    (tmp_path / "y.gpkg").write_bytes(b"SQL")
    recover_database(tmp_path / "y.gpkg")
    assert (tmp_path / "y.gpkg").read_bytes() == b"SQL"


@pytest.mark.parametrize(
    ("error", "key"),
    [
        ("failed: database or disk is full", "disk.full"),
        ("database is locked", "file.in_use"),
        ("database disk image is malformed", "file.damaged"),
        ("attempt to write a readonly database", "file.not_writable"),
    ],
)
def test_an_error_of_sqlite_is_told_by_its_cause(tmp_path, error, key):
    found = write_failure(error, tmp_path / "d.gpkg")
    assert found.key == key
    assert found.values["file"] == str(tmp_path / "d.gpkg")


def test_an_error_without_a_known_cause_has_no_message(tmp_path):
    assert write_failure("no such column: x", tmp_path / "d.gpkg") is None


@pytest.mark.parametrize(
    "name", ["permission", "Corrupt scans", "disk is full", "readonly", "no such file"]
)
def test_no_cause_is_read_off_the_names_of_folder_and_file(tmp_path, name):
    file = tmp_path / name / f"{name}.gpkg"
    file.parent.mkdir()
    (tmp_path / "link").symlink_to(file.parent)
    said = f"Could not create layer {file.parent}/.randcrowns_x/new/{file.name}: field blob in '{name}'"
    for place in (file, tmp_path / "link" / file.name):
        assert write_failure(said, place) is None
        assert write_failure(f"{said}: database is locked", place).key == "file.in_use"


def test_a_folder_that_is_gone_is_the_cause_whatever_a_driver_says(tmp_path):
    (tmp_path / "link.gpkg").symlink_to(tmp_path / "gone" / "x.gpkg")
    for error in (
        "",
        "unable to open database file",
        "disk i/o error",
        FileNotFoundError(2, "No such file"),
    ):
        for file in (tmp_path / "gone" / "x.gpkg", tmp_path / "link.gpkg"):
            found = write_failure(error, file)
            assert found.key == "folder.not_writable"
            assert found.values["folder"] == str(tmp_path / "gone")
    denied = write_failure(PermissionError(13, "Permission denied"), tmp_path / "gone" / "x.gpkg")
    assert denied.key == "file.not_writable"
    table = Path('postgis:host="x/y" table="trees"')
    assert write_failure("relation trees exists", table) is None


def test_a_look_lets_go_of_no_lock_of_this_process(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        assert is_sqlite(path)
        asked = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
        other = subprocess.run(
            [sys.executable, "-c", asked, str(path)], capture_output=True, text=True, check=False
        )
    assert "database is locked" in other.stderr
