"""Verdicts in real GeoPackages: kept one by one, beside everything else, whoever ends QGIS."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest
from qgis.core import QgsVectorLayer
from support.boxes import TARGET_BOXES, box_layer

from randcrowns.core.errors import InputError
from randcrowns.core.review.verdicts import VERDICT_COLUMNS
from randcrowns.layers.files.staged import write_layer
from randcrowns.layers.files.verdicts import TABLE, VerdictFile, outlines_of


def verdict(crown: int = 1, said: str = "accepted", who: str = "Ann", time: str = "2026-01-01T00:00:00Z") -> dict:
    layers = ("id1", "crowns.gpkg", "crowns", "id2", "drawn.gpkg", "drawn")
    values = (*layers, "target", crown, "ab12", None, 0.25, "too large", said, "<b>'q\" & {{ }}", who, time)
    return dict(zip(VERDICT_COLUMNS, values))


@pytest.fixture
def package(qgis_app, tmp_path) -> Path:
    path = tmp_path / "results.gpkg"
    write_layer(box_layer("crowns", TARGET_BOXES), path, "scored")
    return path


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
    with pytest.raises(InputError, match="holds no verdicts"):
        VerdictFile(tmp_path / "mine.gpkg").merge(package)
    assert not (tmp_path / "mine.gpkg").exists()


def test_a_table_that_only_has_the_name(package) -> None:
    write_layer(box_layer("other", TARGET_BOXES), package, TABLE)
    with pytest.raises(InputError, match="so it holds no verdicts"):
        VerdictFile(package).read()


def test_a_table_of_an_earlier_version_is_read_and_goes_on(package) -> None:
    names = ["layer", "feature_id", "outline", "score", "problem", "verdict", "comment", "reviewer", "time"]
    with closing(sqlite3.connect(package)) as database, database:
        kinds = {"feature_id": "INTEGER", "score": "REAL"}
        columns = ", ".join(f"{name} {kinds.get(name, 'TEXT')}" for name in names)
        database.execute(f"CREATE TABLE {TABLE} (fid INTEGER PRIMARY KEY, {columns})")
        about = "INSERT INTO gpkg_contents (table_name, data_type, identifier) VALUES (?, 'attributes', ?)"
        database.execute(about, (TABLE, TABLE))
        values = [verdict()[name] for name in names]
        database.execute(f"INSERT INTO {TABLE} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})", values)
    file = VerdictFile(package)
    (before,) = file.read().to_dict("records")
    assert (before["side"], before["verdict"], before["feature_id"]) == ("target", "accepted", 1)
    assert pd.isna(before["layer_id"])
    file.add(verdict(2))
    assert file.read().to_dict("records")[1] == verdict(2)
    with closing(sqlite3.connect(package)) as database, database:
        database.execute(f"ALTER TABLE {TABLE} RENAME COLUMN layer TO other")
    with pytest.raises(InputError, match="no column 'layer'"):
        file.read()


READ = """
import os, sys
sys.path[:0] = {path!r}
from pathlib import Path
import pandas
from qgis.core import QgsApplication, QgsProject
app = QgsApplication([], False)
app.initQgis()
from randcrowns.algorithms.runs import runs_of
from randcrowns.core.errors import InputError
from randcrowns.layers.files.verdicts import VerdictFile
if os.geteuid() == 0:  # once all is imported: nobody may not look into root's folders
    os.setuid(65534)
for file in {files!r}:
    problems = []
    runs_of(QgsProject.instance(), [file], problems)
    print(problems)
    try:
        print(VerdictFile(Path(file)).read()["reviewer"].tolist())
    except InputError as error:
        print(error)
"""


def test_a_file_with_a_log_in_a_folder_that_takes_nothing(qgis_app) -> None:
    """Without a log it is read as it is; with one only SQLite could tell what counts, which is said."""
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
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
        assert "Traceback" not in done.stderr
        *alone, problems, kept = done.stdout.splitlines()[-4:]
        assert alone == ["[]", "['Ann']"]
        assert "results.gpkg" in problems
        assert "cannot be read now" in kept
    finally:
        for folder in folders:
            folder.chmod(0o755)
            shutil.rmtree(folder)


def test_a_locked_file_is_said_and_keeps_what_it_had(package) -> None:
    file = VerdictFile(package)
    file.add(verdict())
    with closing(sqlite3.connect(package, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(InputError, match="close what else uses it"):
            file.add(verdict(2))
        other.execute("ROLLBACK")
    assert len(file.read()) == 1


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
        from randcrowns.layers.files.verdicts import VerdictFile
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
    found = outlines_of(layer)
    assert found["feature"].tolist() == [1, 2]
    assert found["outline"].nunique() == 2
    again = outlines_of(box_layer("copy", TARGET_BOXES[:2]))
    pd.testing.assert_series_equal(found["outline"], again["outline"])
