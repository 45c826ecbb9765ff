"""Verdicts in real GeoPackages: kept one by one, beside everything else, whoever ends QGIS."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from qgis.core import QgsFeatureRequest, QgsVectorLayer
from support.errors import raises
from support.full_disk import filled, mounted, room
from support.layers import TARGET_BOXES, box_layer
from support.shown import shows
from support.writing import held, let_go, rows_of

from randcrowns.core.errors import InputError
from randcrowns.core.review.queue import add_verdicts
from randcrowns.core.review.verdicts import (
    CROWN_COLUMNS,
    STATE_COLUMNS,
    VERDICT_COLUMNS,
    reviewer_agreement,
)
from randcrowns.layers.databases import MAX_LOCK_WAIT
from randcrowns.layers.files.staging import write_layer
from randcrowns.layers.files.verdict_file import VERDICT_TABLE, VerdictFile, layer_outline_hashes


def verdict(
    crown: int = 1, said: str = "accepted", who: str = "Ann", time: str = "2026-01-01T00:00:00Z"
) -> dict:
    layers = ("id1", "crowns.gpkg", "crowns", "id2", "drawn.gpkg", "drawn")
    values = (
        *layers,
        "target",
        crown,
        "ab12",
        None,
        0.25,
        "too large",
        said,
        "<b>'q\" & {{ }}",
        who,
        time,
        "",
    )
    return dict(zip(VERDICT_COLUMNS, values))


@pytest.fixture
def package(qgis_app, tmp_path) -> Path:
    path = tmp_path / "results.gpkg"
    write_layer(box_layer("crowns", TARGET_BOXES), path, "scored")
    return path


def test_verdicts_of_a_page_to_explore_are_added_once(package, tmp_path) -> None:
    file = VerdictFile(package)
    file.add(verdict(1))
    saved = tmp_path / "ben.json"
    records = [{**verdict(crown, who="Ben"), "feature_id": str(crown)} for crown in (1, 2)]
    content = {"format": "randcrowns verdicts", "version": 1, "verdicts": records}
    saved.write_text(json.dumps(content), encoding="utf-8")
    assert file.merge(saved) == 2
    assert file.merge(saved) == 0
    assert file.read()["reviewer"].tolist() == ["Ann", "Ben", "Ben"]
    assert reviewer_agreement(file.read())["agreement"].tolist() == [1.0]


def test_a_damaged_file_of_verdicts_adds_nothing(package, tmp_path) -> None:
    file = VerdictFile(package)
    saved = tmp_path / "ben.json"
    records = [verdict(1), {**verdict(2), "side": "elsewhere"}]
    content = {"format": "randcrowns verdicts", "version": 1, "verdicts": records}
    saved.write_text(json.dumps(content), encoding="utf-8")
    with raises("verdicts.unknown_verdict", number=2):
        file.merge(saved)
    with raises("verdicts.unreadable_file"):
        file.merge(tmp_path / "missing.json")
    assert file.read().empty


def test_what_is_kept_is_read_again_beside_the_other_tables(package) -> None:
    file = VerdictFile(package)
    assert file.read().empty
    file.add(verdict())
    file.add(verdict(2, "rejected"))
    assert VerdictFile(package).read().to_dict("records") == [verdict(), verdict(2, "rejected")]
    assert QgsVectorLayer(f"{package}|layername=scored").featureCount() == len(TARGET_BOXES)


def test_a_file_that_is_not_there_yet_is_made(qgis_app, tmp_path) -> None:
    VerdictFile(tmp_path / "new.gpkg").add(verdict())
    assert len(VerdictFile(tmp_path / "new.gpkg").read()) == 1


def test_another_reviewers_file_is_taken_in_once(package, tmp_path) -> None:
    mine, theirs = VerdictFile(package), VerdictFile(tmp_path / "ben.gpkg")
    mine.add(verdict())
    theirs.add(verdict())
    theirs.add(verdict(2, who="Ben"))
    assert mine.merge(theirs.path) == 1
    assert mine.merge(theirs.path) == 0
    assert mine.read()["reviewer"].tolist() == ["Ann", "Ben"]
    assert len(theirs.read()) == 2


def test_a_file_without_verdicts_is_refused(package, tmp_path) -> None:
    with raises("verdicts.no_table"):
        VerdictFile(tmp_path / "mine.gpkg").merge(package)
    assert not (tmp_path / "mine.gpkg").exists()


def test_a_table_that_only_has_the_name(package) -> None:
    write_layer(box_layer("other", TARGET_BOXES), package, VERDICT_TABLE)
    with raises("verdicts.no_column"):
        VerdictFile(package).read()


def test_a_table_of_an_earlier_version_is_read_and_goes_on(package) -> None:
    names = [
        "layer",
        "feature_id",
        "outline",
        "score",
        "problem",
        "verdict",
        "comment",
        "reviewer",
        "time",
    ]
    with closing(sqlite3.connect(package)) as database, database:
        kinds = {"feature_id": "INTEGER", "score": "REAL"}
        columns = ", ".join(f"{name} {kinds.get(name, 'TEXT')}" for name in names)
        database.execute(f"CREATE TABLE {VERDICT_TABLE} (fid INTEGER PRIMARY KEY, {columns})")
        about = "INSERT INTO gpkg_contents (table_name, data_type, identifier) VALUES (?, 'attributes', ?)"
        database.execute(about, (VERDICT_TABLE, VERDICT_TABLE))
        values = [verdict()[name] for name in names]
        database.execute(
            f"INSERT INTO {VERDICT_TABLE} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
            values,
        )
    file = VerdictFile(package)
    (before,) = file.read().to_dict("records")
    assert (before["side"], before["verdict"], before["feature_id"]) == ("target", "accepted", 1)
    assert pd.isna(before["layer_id"])
    file.add(verdict(2))
    assert file.read().to_dict("records")[1] == verdict(2)
    with closing(sqlite3.connect(package)) as database, database:
        database.execute(f"ALTER TABLE {VERDICT_TABLE} RENAME COLUMN layer TO other")
    with raises("verdicts.no_column", missing="layer"):
        file.read()


READ = """
import os, sys
sys.path[:0] = {path!r}
from pathlib import Path
import pandas
from qgis.core import QgsApplication, QgsProject
app = QgsApplication([], False)
app.initQgis()
from randcrowns.algorithms.run_history import read_runs
from randcrowns.core.errors import InputError
from randcrowns.layers.files.verdict_file import VerdictFile
if os.geteuid() == 0:  # once all is imported: nobody may not look into root's folders
    os.setuid(65534)
for file in {files!r}:
    problems = []
    read_runs(QgsProject.instance(), [file], problems)
    print(problems)
    try:
        print(VerdictFile(Path(file)).read()["reviewer"].tolist())
    except InputError as error:
        print(error)
"""


def test_a_file_with_a_log_in_a_folder_that_takes_nothing(qgis_app) -> None:
    """Without a log it is read as it is; with one only SQLite could tell what counts, which is
    said.
    """
    folders = [Path(tempfile.mkdtemp(dir="/tmp")) for _ in range(2)]
    packages = [folder / "results.gpkg" for folder in folders]
    try:
        for package in packages:
            VerdictFile(package).add(verdict())
            with closing(sqlite3.connect(package)) as database:
                database.execute("PRAGMA journal_mode=WAL")
                database.execute("CREATE TABLE more (one)")
                database.commit()
                log = Path(f"{package}-wal").read_bytes()
            assert not Path(f"{package}-wal").exists()
        Path(f"{packages[1]}-wal").write_bytes(log)
        for folder in folders:
            for file in folder.iterdir():
                file.chmod(0o444)
            folder.chmod(0o555)
        script = READ.format(path=sys.path, files=[str(package) for package in packages])
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": "/nonexistent"}
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, env=environment
        )
        assert "Traceback" not in done.stderr
        *alone, problems, kept = done.stdout.splitlines()[-4:]
        assert alone == ["[]", "['Ann']"]
        assert "results.gpkg" in problems
        assert shows(kept, "file.not_writable")
    finally:
        for folder in folders:
            folder.chmod(0o755)
            shutil.rmtree(folder)


def refused(file: VerdictFile, crown: int = 2) -> str:
    """Why a verdict is not kept, in plain words; the file stays as it is."""
    with raises("verdicts.not_saved") as error:
        file.add(verdict(crown))
    said = str(error.value)
    assert str(file.path) in said
    assert not [
        word for word in ("database", "sql", "OGR", "insert", "transaction") if word in said
    ]
    return said


@pytest.mark.parametrize("kept", [0, 1], ids=["first verdict", "second"])
@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE", "shared"])
def test_a_locked_file_is_said_at_once_and_keeps_what_it_had(package, lock, kept) -> None:
    file = VerdictFile(package)
    for crown in range(kept):
        file.add(verdict(crown))
    before = rows_of(package)
    with closing(sqlite3.connect(package, isolation_level=None)) as other:
        other.execute("BEGIN" if lock == "shared" else f"BEGIN {lock}")
        other.execute("SELECT * FROM gpkg_contents").fetchone()
        began = time.monotonic()
        assert shows(refused(file), "file.in_use")
        assert time.monotonic() - began < MAX_LOCK_WAIT
        other.execute("ROLLBACK")
    assert rows_of(package) == before
    file.add(verdict(2))
    assert file.read()["feature_id"].tolist() == [*range(kept), 2]


def test_a_lock_of_another_program(package) -> None:
    file = VerdictFile(package)
    file.add(verdict())
    other = held(package)
    assert shows(refused(file), "file.in_use")
    let_go(other)
    assert len(file.read()) == 1


def test_a_full_disk_is_said_and_loses_no_verdict(qgis_app, tmp_path) -> None:
    with mounted(tmp_path / "disk", 2**20) as real:
        file = VerdictFile(tmp_path / "disk" / "results.gpkg")
        file.add(verdict())
        with filled(tmp_path / "disk", 0) if real else room(file.path.stat().st_size):
            kept = 1
            while kept < 100:
                try:
                    file.add({**verdict(kept), "comment": "long " * 1000})
                except InputError:
                    break
                kept += 1
            assert shows(refused(file, kept), "disk.full")
        file.add(verdict(kept))
        assert len(file.read()) == kept + 1
        assert rows_of(file.path)


def test_a_file_that_cannot_be_written_to(qgis_app, tmp_path) -> None:
    with mounted(tmp_path / "disk", 2**20) as real:
        if not real:
            pytest.skip("this user may mount no disk")
        file = VerdictFile(tmp_path / "disk" / "results.gpkg")
        file.add(verdict())
        subprocess.run(["mount", "-o", "remount,ro", str(file.path.parent)], check=True)
        assert shows(refused(file), "file.not_writable")
        assert len(file.read()) == 1


ODD = (
    None,
    "",
    "inf",
    1e999,
    -1e999,
    2.0**70,
    0.5,
    b"\x00\xff",
    "x" * 10_000,
    "\x00",
    "<b>",
    "\N{DECIDUOUS TREE}",
)
#: Columns without which a verdict is none, and the odd values that they can have.
NEEDED = {
    "layer": [one for one in ODD if one is not None and not isinstance(one, bytes)],
    "reviewer": [one for one in ODD if one is not None and not isinstance(one, bytes)],
    "feature_id": [],
}


def put(package: Path, rows: list[dict[str, Any]]) -> None:
    marks = ", ".join("?" * len(VERDICT_COLUMNS))
    with closing(sqlite3.connect(package)) as database, database:
        insert = f"INSERT INTO {VERDICT_TABLE} ({', '.join(VERDICT_COLUMNS)}) VALUES ({marks})"
        database.executemany(insert, [[row[name] for name in VERDICT_COLUMNS] for row in rows])


def check_types(found: pd.DataFrame) -> None:
    texts = {name: {type(value) for value in found[name]} for name in VERDICT_COLUMNS}
    assert texts.pop("feature_id") == {int}
    assert texts.pop("score") == {float}
    assert not np.isinf(found["score"]).any()
    for name in ("layer", "side", "verdict", "comment", "reviewer", "time"):
        assert texts.pop(name) == {str}
    assert set().union(*texts.values()) <= {str, type(None)}


@pytest.mark.parametrize("typed", [True, False], ids=["columns with types", "columns without"])
@pytest.mark.parametrize("column", VERDICT_COLUMNS)
def test_odd_values_are_left_out_or_made_what_they_should_be(
    package, tmp_path, column, typed
) -> None:
    file, other = VerdictFile(package), VerdictFile(tmp_path / "other.gpkg")
    file.add(verdict())
    if not typed:
        with closing(sqlite3.connect(package)) as database, database:
            database.execute(f"DROP TABLE {VERDICT_TABLE}")
            database.execute(
                f"CREATE TABLE {VERDICT_TABLE} (fid INTEGER PRIMARY KEY, {', '.join(VERDICT_COLUMNS)})"
            )
        put(package, [verdict()])
    put(
        package,
        [
            {**verdict(2, time=f"2026-01-02T00:00:{n:02}Z"), column: odd}
            for n, odd in enumerate(ODD)
        ],
    )
    put(package, [verdict(3, who="Ben"), verdict(2**63 - 1), verdict(-(2**63))])
    found = file.read()
    check_types(found)
    assert found["time"].max() < "2027"
    assert len(found) == 4 + len(NEEDED.get(column, ODD))
    assert found.iloc[[0, -3]].to_dict("records") == [verdict(), verdict(3, who="Ben")]
    assert found["feature_id"].tolist()[-2:] == [2**63 - 1, -(2**63)]
    reviewer_agreement(found)
    add_verdicts(
        found.drop_duplicates(CROWN_COLUMNS)[[*CROWN_COLUMNS, *STATE_COLUMNS]], found, "Ann"
    )
    new = other.merge(package)
    assert new <= len(found)
    assert other.merge(package) == 0
    check_types(other.read())


def test_numbers_in_texts_are_numbers_and_letters_that_are_none_are_marked(package) -> None:
    file = VerdictFile(package)
    file.add({**verdict(), "comment": "half a pair \ud83c"})
    with closing(sqlite3.connect(package)) as database, database:
        database.execute(f"ALTER TABLE {VERDICT_TABLE} RENAME TO before")
        database.execute(
            f"CREATE TABLE {VERDICT_TABLE} (fid INTEGER PRIMARY KEY, {', '.join(VERDICT_COLUMNS)})"
        )
        database.execute(f"INSERT INTO {VERDICT_TABLE} SELECT * FROM before")
    put(package, [{**verdict(), "feature_id": "12", "score": "0.5"}])
    with closing(sqlite3.connect(package)) as database, database:
        database.execute(
            f"UPDATE {VERDICT_TABLE} SET comment = CAST(x'61ff' AS TEXT) WHERE feature_id = '12'"
        )
    found = file.read()
    assert found["comment"].tolist() == ["half a pair ?", "a\N{REPLACEMENT CHARACTER}"]
    assert (found["feature_id"][1], found["score"][1]) == (12, 0.5)


def test_a_kill_loses_no_verdict_that_was_given(package) -> None:
    """Another process gives verdicts until it is killed; all but perhaps the last are there."""
    script = textwrap.dedent(
        f"""
        import sys
        sys.path[:0] = {sys.path!r}
        from pathlib import Path
        from qgis.core import QgsApplication
        app = QgsApplication([], False)
        app.initQgis()
        from randcrowns.layers.files.verdict_file import VerdictFile
        file, first = VerdictFile(Path({str(package)!r})), {verdict()!r}
        for crown in range(10_000):
            file.add({{**first, "feature_id": crown}})
            print(crown, flush=True)
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    assert process.stdout is not None
    told = [int(process.stdout.readline()) for _ in range(5)][-1]
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = VerdictFile(package).read()["feature_id"].tolist()
    assert kept[: told + 1] == list(range(told + 1))


def test_outlines_of_features(qgis_app) -> None:
    layer = box_layer("crowns", TARGET_BOXES[:2])
    found = layer_outline_hashes(layer)
    assert found["feature"].tolist() == [1, 2]
    assert found["outline"].nunique() == 2
    again = layer_outline_hashes(box_layer("copy", TARGET_BOXES[:2]))
    pd.testing.assert_series_equal(found["outline"], again["outline"])


def test_outlines_are_read_without_the_attributes(qgis_app, monkeypatch) -> None:
    """Attributes that no hash uses took as long to read as the outlines."""
    layer = box_layer("crowns", TARGET_BOXES[:2])
    requests = []

    def read_features(request):
        requests.append(request)
        return QgsVectorLayer.getFeatures(layer, request)

    monkeypatch.setattr(layer, "getFeatures", read_features)
    everything = layer_outline_hashes(layer)
    selected = layer_outline_hashes(layer, [2, 7])
    for request in requests:
        assert list(request.subsetOfAttributes()) == []
        assert request.flags() & QgsFeatureRequest.Flag.SubsetOfAttributes
    assert set(requests[1].filterFids()) == {2, 7}
    assert selected.to_dict("list") == {
        "feature": [2],
        "outline": everything["outline"].tolist()[1:],
    }


def test_a_writer_returns_the_rows_of_other_programs_too(package):
    own, other = VerdictFile(package), VerdictFile(package)
    assert own.add(verdict()).to_dict("records") == [verdict()]
    other.add(verdict(2, "rejected"))
    third = verdict(3, "fixed")
    assert own.add(third).to_dict("records") == [verdict(2, "rejected"), third]
    assert own.read().to_dict("records") == [verdict(), verdict(2, "rejected"), third]
    with closing(sqlite3.connect(package)) as database, database:
        database.execute(f"DELETE FROM {VERDICT_TABLE}")
        database.execute("DELETE FROM sqlite_sequence")
    assert own.add(third).to_dict("records") == [third]
