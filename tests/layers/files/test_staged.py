"""Files and tables made beside their places: all take them, or all is as before; what a kill
leaves is put right.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from threading import Event

import pytest
from osgeo import gdal
from qgis.core import QgsVectorLayer
from support.errors import raises
from support.full_disk import filled, mounted, room
from support.layers import crowns_at, layer_of, save
from support.processing import attributes

import randcrowns.layers.files.staging as staged_module
from randcrowns.core.errors import Cancelled, InputError
from randcrowns.core.progress import no_progress, wait_for_background_work
from randcrowns.layers.files.recovery import InterruptedRun, find_interrupted_runs, recover
from randcrowns.layers.files.staging import StagedFiles, save_as_table, write_layer

PLACES = [(0, 0), (20, 0), (40, 0)]


def texts(folder):
    return {file.name: file.read_text() for file in folder.iterdir() if file.is_file()}


def make(staged, folder, names=("a.shp", "new.csv")):
    for name in names:
        made = staged.stage_file(folder / name)
        made.write_text("made")
        if made.suffix == ".shp":
            made.with_suffix(".dbf").write_text("made")


def with_files(folder):
    for name in ("a.shp", "a.dbf", "a.qix", "a.txt"):
        (folder / name).write_text("old")
    return folder


@pytest.fixture
def folder(tmp_path):
    return with_files(tmp_path)


def test_all_files_take_their_places_with_their_parts(folder):
    with StagedFiles() as staged:
        make(staged, folder)
        assert texts(folder) == dict.fromkeys(("a.shp", "a.dbf", "a.qix", "a.txt"), "old")
        staged.publish()
    assert texts(folder) == {"a.shp": "made", "a.dbf": "made", "a.txt": "old", "new.csv": "made"}
    assert find_interrupted_runs([folder]) == []


def test_what_is_not_moved_is_gone(folder):
    before = sorted(folder.iterdir())
    with StagedFiles() as staged:
        make(staged, folder)
    assert sorted(folder.iterdir()) == before

    def look():
        raise Cancelled

    with StagedFiles(look) as staged:
        make(staged, folder)
        with pytest.raises(Cancelled):
            staged.publish()
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("failing", range(8))
def test_where_one_file_cannot_take_its_place_all_are_as_before(folder, monkeypatch, failing):
    """Each step of the moving fails once, as where another program has a file open."""
    before, steps = texts(folder), []
    replace, link = os.replace, os.link

    def step(action):
        def fails(*places):
            steps.append(places)
            if len(steps) == failing + 1:
                raise PermissionError(errno.EACCES, "in use")
            action(*places)

        return fails

    with StagedFiles() as staged:
        make(staged, folder)
        monkeypatch.setattr(os, "replace", step(replace))
        monkeypatch.setattr(os, "link", step(link))
        if failing in (0, 1):  # without a link the file is moved instead
            staged.publish()
            assert texts(folder)["a.shp"] == "made"
            return
        if failing == 6:
            staged.publish()
            assert len(steps) == 6
            return
        if failing == 7:
            return
        with raises("file.not_replaced"):
            staged.publish()
    assert texts(folder) == before
    assert find_interrupted_runs([folder]) == []


def test_what_cannot_be_put_back_is_kept_and_named(folder, monkeypatch):
    replace = os.replace

    def fails(one, other):
        if Path(other).parent == folder:
            raise OSError(errno.EIO, "the disk is gone")
        replace(one, other)

    monkeypatch.setattr(os, "link", fails)
    with StagedFiles() as staged:
        make(staged, folder, ["a.shp"])
        monkeypatch.setattr(os, "replace", fails)
        with raises("file.not_restored"):
            staged.publish()
    monkeypatch.undo()
    (left,) = find_interrupted_runs([folder])
    assert recover(left) == []
    assert texts(folder) == dict.fromkeys(("a.shp", "a.dbf", "a.qix", "a.txt"), "old")


KILLED = """
import os, signal, sys
from pathlib import Path
import randcrowns.core
from randcrowns.layers.files.staging import StagedFiles
def run(folder, last):
    replace, done = os.replace, []
    def dying(*places):
        done.append(places)
        if len(done) > last:
            os.kill(os.getpid(), signal.SIGKILL)
        replace(*places)
    with StagedFiles() as staged:
        made = staged.stage_file(folder / "a.shp")
        made.write_text("made")
        made.with_suffix(".dbf").write_text("made")
        made.with_suffix(".prj").write_text("made")
        os.replace = dying
        staged.publish()
for last, folder in enumerate(sys.argv[1:]):
    if not (child := os.fork()):
        run(Path(folder), last)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
"""


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """Folders in which a run was killed after so many files; one process begins all of them."""
    folders = [with_files(tmp_path_factory.mktemp("killed")) for _ in range(4)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    subprocess.run([sys.executable, "-c", KILLED, *map(str, folders)], check=True, env=environment)
    return folders


@pytest.mark.parametrize("last", range(4))
def test_a_run_killed_between_two_files_is_found_and_put_right(killed, folder, last):
    before, folder = texts(folder), killed[last]
    (left,) = find_interrupted_runs([folder])
    assert left.destinations == (folder / "a.shp",)
    assert recover(left) == []
    assert texts(folder) == before
    assert find_interrupted_runs([folder]) == []


def test_a_run_under_way_is_none_that_was_killed(folder):
    with StagedFiles() as staged:
        make(staged, folder)
        assert find_interrupted_runs([folder]) == []


def test_what_is_written_to_after_a_cancel_goes_when_that_has_ended(folder):
    before, begun, released, written = sorted(folder.iterdir()), Event(), Event(), []

    def write(path, told):
        with path.open("w") as file:
            begun.set()
            released.wait(300)
            file.write("late")
            written.append(path.exists())
            told(0.5)
        written.append("after a cancel it goes on")

    def cancel(_fraction):
        if begun.is_set():
            raise Cancelled

    def run():
        with StagedFiles() as staged:
            make(staged, folder)
            staged.run_in_thread(partial(write, staged.stage_file(folder / "long.csv")), cancel)

    with pytest.raises(Cancelled):
        run()
    assert len(list(folder.iterdir())) == len(before) + 1
    assert find_interrupted_runs([folder]) == []  # it is under way
    released.set()
    until = time.monotonic() + 300
    while sorted(folder.iterdir()) != before and time.monotonic() < until:
        time.sleep(0.01)
    assert sorted(folder.iterdir()) == before
    assert written == [True]


def test_no_thread_of_gdals_writes_beside_ours(folder):
    """GDAL 3.6 ends QGIS where it closes a table while such a thread waits, as after an error
    of another table.
    """
    name = "OGR_GPKG_ALLOW_THREADED_RTREE"
    with StagedFiles() as staged:
        assert (
            staged.run_in_thread(lambda _told: gdal.GetConfigOption(name), lambda _fraction: None)
            == "NO"
        )
        assert staged.run_in_thread(lambda _told: gdal.GetConfigOption(name), no_progress) == "NO"
    assert gdal.GetConfigOption(name) is None


def test_a_crafted_folder_reaches_no_file_outside_and_none_of_the_users(folder):
    (folder / "sub").mkdir()
    crafted = folder / "sub" / ".randcrowns_x"
    (crafted / "before").mkdir(parents=True)
    (crafted / "busy.db").touch()
    (crafted / "places.json").write_text(json.dumps(["../a.txt", 5, "mine.txt"]))
    (folder / "sub" / "mine.txt").write_text("mine")
    new = {"../a.txt": "1 3", str(folder / "a.shp"): "1 3", "mine.txt": "1 4", "..": "", "": ""}
    (crafted / "moves.json").write_text(
        json.dumps({"new": new, "old": ["../a.txt", 5, None, "mine.txt"]})
    )
    (crafted / "before" / "mine.txt").write_text("theirs")
    (left,) = find_interrupted_runs([folder / "sub"])
    assert left == InterruptedRun(crafted, (folder / "sub" / "mine.txt",))
    assert recover(left) == ["mine.txt"]
    assert texts(folder) == dict.fromkeys(("a.shp", "a.dbf", "a.qix", "a.txt"), "old")
    assert texts(folder / "sub") == {"mine.txt": "mine"}


@pytest.mark.parametrize("moves", ["{", "[]", '{"new": 5, "old": 5}', "[" * 100_000])
def test_a_damaged_folder_is_removed_unless_a_file_is_in_it(folder, moves):
    left = folder / ".randcrowns_x"
    left.mkdir()
    (left / "busy.db").touch()
    (left / "moves.json").write_text(moves)
    before = texts(folder)
    (left / "before").mkdir()
    (left / "before" / "a.shp").write_text("older")
    assert recover(find_interrupted_runs([folder])[0]) == ["a.shp"]
    (left / "before" / "a.shp").unlink()
    assert recover(find_interrupted_runs([folder])[0]) == []
    assert texts(folder) == before
    assert find_interrupted_runs([folder]) == []


def test_a_table_goes_into_a_file_that_is_no_geopackage_beside_its_others(qgis_app, tmp_path):
    path = tmp_path / "book.xlsx"
    save(layer_of("one", crowns_at(PLACES)), path, "XLSX", "one")
    with StagedFiles() as staged:
        made = staged.stage_table(path)
        save(layer_of("two", crowns_at(PLACES)), made, "XLSX", "two")
        staged.publish()
    assert all(
        QgsVectorLayer(f"{path}|layername={name}", name, "ogr").isValid() for name in ("one", "two")
    )
    with StagedFiles() as staged:
        staged.stage_table(path)
        path.write_bytes(path.read_bytes() + b" ")
        with raises("file.in_use"):
            staged.publish()


@pytest.mark.parametrize("name", ["new.csv", "new.gpkg"])
def test_what_another_program_writes_meanwhile_where_nothing_was_stays(qgis_app, tmp_path, name):
    path = tmp_path / name
    with StagedFiles() as staged:
        made = staged.stage_file(path)
        save(
            layer_of("ours", crowns_at(PLACES)), made
        ) if path.suffix == ".gpkg" else made.write_text("ours")
        if path.suffix == ".gpkg":
            save(layer_of("theirs", crowns_at(PLACES)), path, name="theirs")
        else:
            path.write_text("theirs")
        with raises("file.in_use"):
            staged.publish()
    assert (
        QgsVectorLayer(f"{path}|layername=theirs", "x", "ogr").isValid()
        or path.read_text() == "theirs"
    )
    assert find_interrupted_runs([tmp_path]) == []


@pytest.mark.parametrize(
    ("name", "others"), [("a.shp", ["a.dbf", "a.prj"]), ("a.csv", ["a.csvt"]), ("a.tab", ["a.dat"])]
)
def test_files_of_the_users_that_only_share_a_name_with_an_output_stay(tmp_path, name, others):
    for other in others:
        (tmp_path / other).write_text("mine")
    with (
        StagedFiles() as staged,
        raises("file.would_belong_to_other", files=", ".join(others), file=name),
    ):
        staged.stage_file(tmp_path / name)
    assert texts(tmp_path) == dict.fromkeys(others, "mine")


def with_tables(folder):
    """Two GeoPackages of a user's, into which a run is going to put a table each."""
    paths = [folder / "a.gpkg", folder / "b.gpkg"]
    for path in paths:
        save(layer_of("mine", crowns_at(PLACES)), path, name="mine")
    return paths


def tables_in(path):
    with closing(sqlite3.connect(path, timeout=0)) as database:
        return {name for (name,) in database.execute("SELECT table_name FROM gpkg_contents")}


def test_a_cancel_after_the_first_of_two_files_has_its_tables_comes_too_late(qgis_app, tmp_path):
    paths = with_tables(tmp_path)

    def look():
        with suppress(sqlite3.OperationalError):  # it is locked till then
            if "ours" in tables_in(paths[0]):
                raise Cancelled

    with StagedFiles(look) as staged:
        for path in paths:
            save(layer_of("ours", crowns_at(PLACES)), staged.stage_table(path), name="ours")
        staged.publish()
    assert [tables_in(path) for path in paths] == [{"mine", "ours"}] * 2


def test_a_disk_that_is_full_leaves_tables_in_both_files_or_in_none(qgis_app, tmp_path):
    with mounted(tmp_path / "disk", 24 * 2**20) as real:
        if not real:
            pytest.skip("this user may mount no disk")
        paths, ended = with_tables(tmp_path / "disk"), set()
        layer = layer_of(
            "ours", crowns_at([(x, y) for x in range(0, 400, 10) for y in range(0, 300, 10)])
        )
        for free in (600, 900, 1400, 2000, 3000, 4500, 6000):
            with filled(tmp_path / "disk", free * 1024), StagedFiles() as staged:
                try:
                    for path in paths:
                        save(layer, staged.stage_table(path), name="ours")
                    staged.publish()
                except (InputError, AssertionError):
                    assert [tables_in(path) for path in paths] == [{"mine"}] * 2
                    ended.add("refused")
                else:
                    assert [tables_in(path) for path in paths] == [{"mine", "ours"}] * 2
                    ended.add("written")
                    break
    assert ended == {"refused", "written"}


def test_a_new_database_is_noted_before_it_takes_its_place(qgis_app, tmp_path, monkeypatch):
    """A run that is killed before its other files take theirs leaves none of it."""
    there, killed, put = tmp_path / "there", tmp_path / "killed", staged_module._move_files
    there.mkdir()

    def killed_then(*given):
        shutil.copytree(there, killed)
        put(*given)

    monkeypatch.setattr(staged_module, "_move_files", killed_then)
    with StagedFiles() as staged:
        save(layer_of("ours", crowns_at(PLACES)), staged.stage_table(there / "a.gpkg"), name="ours")
        staged.stage_file(there / "b.csv").write_text("made")
        staged.publish()
    assert (killed / "a.gpkg").exists()
    (left,) = find_interrupted_runs([killed])
    assert recover(left) == []
    assert list(killed.iterdir()) == []
    assert sorted(path.name for path in there.iterdir()) == ["a.gpkg", "b.csv"]


def test_a_layer_is_kept_beside_one_of_its_name(qgis_app, tmp_path):
    file = tmp_path / "kept ä'.gpkg"
    kept = [save_as_table(layer_of("x", crowns_at(PLACES[:n])), file, "crowns") for n in (1, 2, 3)]
    assert [layer.featureCount() for layer in kept] == [1, 2, 3]
    assert attributes(kept[0]).shape[0] == 1
    assert kept[2].source().endswith("layername=crowns_3")


@pytest.mark.parametrize("patience", [0.0, 10.0])
def test_what_was_cancelled_and_still_writes_is_waited_for_no_longer_than_told(folder, patience):
    before, written = sorted(folder.iterdir()), []

    def cancel(_fraction):
        raise Cancelled

    def write(_told):
        time.sleep(1)
        written.append(True)

    with StagedFiles() as staged, pytest.raises(Cancelled):
        staged.run_in_thread(write, lambda _fraction: cancel(staged.stage_file(folder / "new.csv")))
    wait_for_background_work(patience)
    assert bool(written) == bool(patience)
    wait_for_background_work(10)
    assert sorted(folder.iterdir()) == before
    begun = time.monotonic()
    wait_for_background_work(10)
    assert time.monotonic() - begun < 1


def test_what_is_told_to_stop_begins_no_writer(folder):
    def look():
        raise Cancelled

    with StagedFiles(look) as staged, pytest.raises(Cancelled):
        staged.run_in_thread(lambda _told: pytest.fail("it writes"), no_progress)


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / "x.gpkg").mkdir()
    with StagedFiles() as staged, raises("file.is_folder"):
        staged.stage_file(tmp_path / "x.gpkg")


def test_a_disk_without_links_takes_a_new_geopackage(qgis_app, tmp_path, monkeypatch):
    def no_link(*places):
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(staged_module.os, "link", no_link)
    assert (
        save_as_table(layer_of("x", crowns_at(PLACES)), tmp_path / "d.gpkg", "x").featureCount()
        == 3
    )


@pytest.mark.parametrize("now", ["half", "folder"])
def test_what_another_program_puts_in_the_place_of_a_geopackage_meanwhile_stays(
    qgis_app, tmp_path, now
):
    path = tmp_path / "plot.gpkg"
    save(layer_of("trees", crowns_at(PLACES), kind="Polygon"), path, name="trees")
    with StagedFiles() as staged:
        save(
            layer_of("ours", crowns_at(PLACES), kind="Polygon"),
            staged.stage_table(path),
            name="ours",
        )
        path.unlink()
        if now == "folder":
            path.mkdir()
            (path / "mine").write_text("mine")
        else:
            path.write_bytes(b"SQLi")
        with raises("file.in_use"):
            staged.publish()
    assert (
        (path / "mine").read_text() == "mine" if now == "folder" else path.read_bytes() == b"SQLi"
    )
    assert find_interrupted_runs([tmp_path]) == []


def test_a_layer_that_the_disk_has_no_room_for_is_not_kept_by_halves(folder):
    many = layer_of("crowns", crowns_at([(10 * place, 0) for place in range(5000)]), kind="Polygon")
    before = sorted(folder.iterdir())
    with room(400_000), raises("layer.not_saved", layer="crowns"):
        write_layer(many, folder / "kept.gpkg", "crowns")
    assert sorted(folder.iterdir()) == before
