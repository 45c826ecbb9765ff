"""A run is in the file with all its tables, or the file is as it was: full disks, locks, kills,
two runs at a time.
"""

from __future__ import annotations

import signal
import sqlite3
import time
from contextlib import closing

import numpy as np
import pytest
from qgis.core import QgsField, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QVariant
from support.full_disk import filled, mounted, room
from support.layers import crowns_at, layer_of, save
from support.own_process import begin
from support.processing import run_algorithm
from support.readers import FILE_SPELLINGS, READERS, TABLE_SPELLINGS
from support.shown import shows
from support.writing import Locking, complete, rows_of, score, users_file, users_table

import randcrowns.layers.files.geopackage as geopackage
from randcrowns.layers.files.recovery import find_interrupted_runs, recover

pytestmark = pytest.mark.usefixtures("run")

_DISK = 32 * 2**20
_BESIDE = {".gpkg", ".gpkg-wal", ".gpkg-shm"}
_WRITTEN = ("SCORED_TARGETS", "SCORED_DELINEATIONS", "PAIRS", "REGIONS")
_300 = "300 crowns into 4 tables of a GeoPackage that has others"
_VIEW = """
CREATE VIEW visited AS SELECT trees.fid AS OGC_FID, trees.geom FROM trees JOIN visits ON visits.tree = trees.fid;
INSERT INTO gpkg_contents (table_name, identifier, data_type, srs_id) VALUES ('visited', 'visited', 'features', 32617);
INSERT INTO gpkg_geometry_columns VALUES ('visited', 'geom', 'POLYGON', 32617, 0, 0);
"""


def test_full_disk(promise, folders):
    def attempt(rng):
        folder = next(folders)
        with mounted(folder, _DISK) as real:
            path = users_file(folder)
            with closing(sqlite3.connect(path)) as database:
                database.execute(f"PRAGMA journal_mode = {rng.choice(['DELETE', 'WAL'])}")
            before, free = rows_of(path), int(10 ** rng.uniform(3, 7))
            with filled(folder, free) if real else room(path.stat().st_size + free // 2):
                done = score(path)
            if done.ok:
                return complete(path)
            assert shows(done.error, "disk.full")
            assert rows_of(path) == before
            assert {file.suffix for file in folder.iterdir()} <= _BESIDE

    promise.keep(
        "a disk that becomes full leaves all tables of a run or none, and the sentence says so",
        attempt,
        few=2,
        seconds=90,
        conditions=f"{_300}; 1 kB to 10 MB left; with a journal and with a write-ahead log",
    )


def test_lock(promise, folders, monkeypatch):
    longest = geopackage.MAX_LOCK_WAIT if promise.thoroughly else 1.0
    monkeypatch.setattr(geopackage, "MAX_LOCK_WAIT", longest)

    class Timed(Locking):
        last = 0.0

        def _look(self, reached):
            super()._look(reached)
            self.last = time.monotonic()

    def attempt(rng):
        folder = next(folders)
        folder.mkdir()
        path = users_file(folder)
        before, locking = (
            rows_of(path),
            Timed(path, rng.choice([rng.uniform(0, 85), rng.uniform(85, 99.4)])),
        )
        done = score(path, locking)
        waited = time.monotonic() - locking.last
        locking.let_go()
        assert shows(done.error, "file.in_use")
        assert rows_of(path) == before
        assert list(folder.iterdir()) == [path]
        assert waited < longest + 5
        return waited

    promise.keep(
        "a lock of another program is waited for at most 10 s, then a sentence, and all is as before",
        attempt,
        seconds=1400,
        worst="{:.1f} s",
        conditions=f"{_300}; locked at any moment; from the last progress to the end of the run",
    )


def test_kill(promise, folders):
    def attempt(rng):
        folder = next(folders)
        folder.mkdir()
        path = users_file(folder)
        before, began = rows_of(path), time.monotonic()
        process = begin(path, "", rng.choice([rng.uniform(84, 99), 99.2]), rng.integers(0, 12))
        said = process.communicate(timeout=600)[0]
        if process.returncode == 0:
            return complete(path)
        assert process.returncode == -signal.SIGKILL, said
        for left in find_interrupted_runs([folder]):
            assert left.destinations == (path,)
            assert recover(left) == []
        assert list(folder.iterdir()) == [path], began
        if rows_of(path) == before:  # else it was killed with its work done
            assert score(path).ok
        complete(path)

    promise.keep(
        "kill -9 while a run writes loses nothing; what is left is found and recovered, and the next run is whole",
        attempt,
        seconds=180,
        conditions=f"{_300}, in a QGIS process of its own, killed while it writes and while it moves",
    )


def test_two_runs(promise, folders):
    def attempt(rng):
        folder = next(folders)
        folder.mkdir()
        new = bool(rng.integers(2))
        path = folder / "plot.gpkg" if new else users_file(folder)
        running = []
        for number in range(2):
            running.append(begin(path, f"_{number}"))
            time.sleep(rng.uniform(0, 0.5))
        said = [process.communicate(timeout=600)[0] for process in running]
        if new:
            users_table(path, "trees")
        ended = [process.returncode for process in running]
        assert 0 in ended, said
        for number, code in enumerate(ended):
            if code == 0:
                complete(path, f"_{number}")
            else:
                assert "is in use" in said[number]

    promise.keep(
        "two QGIS that write into one file at a time both complete, or one says that the file is in use",
        attempt,
        seconds=400,
        conditions=f"{_300}; begun up to 0.5 s apart, into a new file or one that is there",
    )


def test_formats(promise, folders):
    letters = np.array([*"aZ_9é木 :<&.-'\"%;"])
    known = ("kml", "gml", "tab", "sqlite", "fgb", "csv", "geojson", "xlsx", "ods", "shp", "gpkg")

    def attempt(rng):
        folder = next(folders)
        folder.mkdir()
        targets = layer_of("targets", crowns_at([(0, 0), (20, 0), (40, 0)]), kind="Polygon")
        names = {
            "".join(rng.choice(letters, rng.integers(1, rng.choice([4, 12, 70])))) for _ in range(5)
        }
        fields = [
            QgsField(name, QVariant.String)
            for name in sorted({name.strip().lower() for name in names} - {""})
        ]
        targets.dataProvider().addAttributes(fields)
        targets.updateFields()
        drawn = layer_of(str(names), crowns_at([(0, 0), (20, 0)], seed=2), kind="Polygon")
        output, ending = str(rng.choice(_WRITTEN)), str(rng.choice([*known, "parquet", "zzz"]))
        path = folder / f"made.{ending}"
        given = {"TARGETS": targets, "DELINEATIONS": [drawn], output: str(path)}
        done = run_algorithm("scorecrowns", given, outputs=("SCORED_TARGETS",))
        if ending in known:
            assert done.ok, (done.refused, done.error, names)
            assert QgsVectorLayer(done.results[output], "made", "ogr").featureCount() > 0
        else:
            assert shows(done.refused, "output.unknown_format", asked=f".{ending}")
            assert list(folder.iterdir()) == []

    promise.keep(
        "fields of any name reach every format, under a name that it can hold; a format that is not here is refused",
        attempt,
        few=2,
        seconds=60,
        conditions="1 to 5 fields of 1 to 69 odd letters; scored crowns, pairs, regions; 11 formats, 2 unknown ones",
    )


def test_repeated_ids(promise, folders):
    def attempt(rng):
        folder = next(folders)
        folder.mkdir()
        path, crowns = folder / "plot.gpkg", crowns_at([(20 * number, 0) for number in range(6)])
        save(layer_of("trees", crowns, kind="Polygon"), path, name="trees")
        visits = rng.integers(1, 7, rng.integers(7, 30)).tolist()
        with closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE visits (tree INTEGER)")
            database.executemany("INSERT INTO visits VALUES (?)", [(tree,) for tree in visits])
            database.executescript(_VIEW)
        view = QgsVectorLayer(f"{path}|layername=visited", "visited", "ogr")
        other = layer_of("other", crowns, kind="Polygon")
        turned = bool(rng.integers(2))
        sides = (
            {"TARGETS": other, "DELINEATIONS": [view]}
            if turned
            else {"TARGETS": view, "DELINEATIONS": [other]}
        )
        done = run_algorithm("scorecrowns", {**sides, "PAIRING": 1})
        assert done.ok, done.error
        assert "input.repeated_ids" in done.keys
        found = done.table("SCORED_DELINEATIONS" if turned else "SCORED_TARGETS")
        assert sorted(found["delineation_id" if turned else "target_id"]) == list(
            range(1, len(visits) + 1)
        )

    promise.keep(
        "layers that give several crowns one id are worked on by their rows",
        attempt,
        seconds=30,
        conditions="views of a GeoPackage that join 6 crowns to 7 to 29 visits, as targets and as delineations",
    )


def test_names_of_tables(promise, folders):
    letters = np.array([*"aZ_9 éÉßẞİıΣσςÜüÄäǅЖж木Ωω"])

    def attempt(rng):
        folder = next(folders)
        folder.mkdir()
        path = users_file(folder)
        name = "".join(rng.choice(letters, rng.integers(1, 20))).strip() or "É"
        place = f"ogr:dbname='{path}' table=\"{name}\" (geom)"
        for count in rng.permutation([1, 2, 3]).tolist():
            crowns = crowns_at([(20 * number, 0) for number in range(count)])
            targets = layer_of("targets", crowns, kind="Polygon")
            done = run_algorithm("targetregions", {"TARGETS": targets, "REGIONS": place})
            assert done.ok, (done.error, name)
            assert len(rows_of(path)[name]) == 4 * count
        assert len(rows_of(path)["trees"]) == 3

    promise.keep(
        "a table of any name is replaced by the next run, whole, and no other table is",
        attempt,
        seconds=150,
        conditions="1 to 19 letters of Latin, Greek, Cyrillic and Chinese; 3 runs each into a GeoPackage that has others",
    )


def test_spellings_of_inputs(promise, folders, spatialite):
    def attempt(rng):
        folder = next(folders) / "in"
        folder.mkdir(parents=True)
        (folder.parent / "link").symlink_to(folder)
        for name in ("trees", "drawn", "area"):
            made = layer_of(name, crowns_at([(0, 0), (20, 0), (40, 0)]), kind="Polygon")
            save(made, folder / "all.gpkg", name=name)
        reader = str(rng.choice([*READERS]))
        layer = READERS[reader](folder)
        spellings = [one for one in (*FILE_SPELLINGS, *TABLE_SPELLINGS) if "{folder}" in one]
        spelling = str(rng.choice(spellings))
        place = spelling.format(folder=folder, name="in", file="all.gpkg")
        before = rows_of(folder / "all.gpkg")
        drawn = layer_of("drawn", crowns_at([(0, 0), (20, 0)], seed=2), kind="Polygon")
        output = str(rng.choice(["PAIRS", "REGIONS", "SCORED_TARGETS"]))
        done = run_algorithm(
            "scorecrowns", {"TARGETS": layer, "DELINEATIONS": [drawn], output: place}
        )
        assert shows(done.refused, "output.overwrites_input"), (reader, spelling)
        assert rows_of(folder / "all.gpkg") == before
        QgsProject.instance().clear()

    promise.keep(
        "no output replaces an input, whatever reads it and whatever spelling names it",
        attempt,
        few=2,
        seconds=60,
        conditions=f"{len(READERS)} readers of a table (queries, views, virtual layers, joins, aggregates); {len(FILE_SPELLINGS) + len(TABLE_SPELLINGS) - 1} spellings",
    )
