"""Runs that write 300 scored crowns into a user's GeoPackage, and checks of its content."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from qgis.core import QgsVectorLayer
from support.layers import crowns_at, layer_of, save
from support.own_process import PLACES, TABLES, places
from support.processing import Listener, Ran, run_algorithm

__all__ = ["Locking", "complete", "held", "let_go", "rows_of", "score", "users_file", "users_table"]

_ROWS = {"SUMMARY": 1, "REGIONS": 1200}
_HELD = """
import sqlite3, sys, time
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.read()
database.execute("ROLLBACK")
"""


def rows_of(path: Path) -> dict[str, Any]:
    """Return the rows of all tables of a GeoPackage but those of SQLite."""
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        names = [
            name
            for (name,) in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1"
            )
        ]
        names = [name for name in names if not name.startswith(("rtree_", "sqlite_"))]
        return {name: database.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}


def users_table(path: Path, name: str) -> None:
    """Write a user's table into a GeoPackage."""
    made = layer_of(name, crowns_at(PLACES[:3]), fields="&field=a:string", rows=[["kept"]] * 3)
    save(made, path, name=name)


def users_file(folder: Path) -> Path:
    """Write a GeoPackage with a user's table and one with results that a run replaces."""
    path = folder / "plot.gpkg"
    for name in ("trees", "scored_targets"):
        users_table(path, name)
    return path


def score(path: Path, listener: Any = None, ending: str = "") -> Ran:
    """Score crowns into a file; requires the fixture ``run``."""
    targets = layer_of("targets", crowns_at(PLACES), kind="Polygon")
    drawn = layer_of("drawn", crowns_at(PLACES, seed=2), kind="Polygon")
    return run_algorithm(
        "scorecrowns",
        {"TARGETS": targets, "DELINEATIONS": [drawn], **places(path, ending)},
        listener,
    )


def complete(path: Path, ending: str = "") -> None:
    """Assert that a file holds all tables and the user's own, and that no other file was left."""
    counts = dict(rows_of(path)["gpkg_ogr_contents"])
    for name in TABLES:
        layer = QgsVectorLayer(f"{path}|layername={name.lower()}{ending}", name, "ogr")
        assert layer.isValid()
        assert layer.featureCount() == len(list(layer.getFeatures())) == _ROWS.get(name, 300)
        assert counts[f"{name.lower()}{ending}"] == layer.featureCount()
    trees = QgsVectorLayer(f"{path}|layername=trees", "trees", "ogr")
    assert [feature["a"] for feature in trees.getFeatures()] == ["kept"] * 3
    assert sorted(
        file.name for file in path.parent.glob("*") if file.suffix not in (".gpkg-wal", ".gpkg-shm")
    ) == [path.name]


def held(path: Path) -> subprocess.Popen[str]:
    """Start a program that locks a database until its input ends."""
    command = [sys.executable, "-c", _HELD, str(path)]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    assert other.stdout.readline() == "locked\n"
    return other


def let_go(other: subprocess.Popen[str]) -> None:
    """End the lock; assert that it lasted until now."""
    assert other.poll() is None, f"the lock ended before, with {other.returncode}"
    other.communicate()


class Locking(Listener):
    """Feedback that lets another program lock a file when the progress reaches a percentage."""

    def __init__(self, path: Path, percent: float) -> None:
        super().__init__()
        self._path, self._percent, self._others = path, percent, list[subprocess.Popen[str]]()

    def _look(self, reached: float) -> None:
        super()._look(reached)
        if reached >= self._percent and not self._others:
            self._others.append(held(self._path))

    def let_go(self) -> None:
        """End the lock."""
        (other,) = self._others
        let_go(other)
