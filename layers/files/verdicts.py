"""The verdicts of reviewers in the GeoPackage with the results: one row each, kept at once, never changed."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import shapely
from qgis.core import QgsExpression, QgsFeatureRequest, QgsGeometry, QgsVectorLayer

from randcrowns.core.errors import InputError
from randcrowns.core.review.verdicts import (
    LAYERS,
    STATE,
    VERDICT_COLUMNS,
    Side,
    merged,
    outline_hashes,
)
from randcrowns.layers.databases import database_error, is_sqlite, reading
from randcrowns.layers.files.staged import write_layer
from randcrowns.layers.vector.tables import FeatureTable

TABLE = "randcrowns_verdicts"
#: What earlier tables do not have.
_LATER = {*LAYERS["layer"][:2], *LAYERS["delineations"], "side", STATE[1]}
_KINDS = {"feature_id": "integer", "score": "real"}
#: How a time begins.
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
#: How long a lock is waited for, seconds: QGIS's window stands still meanwhile.
_WAIT = 0.5
_SELECT, _WIDEN = (
    "SELECT * FROM {table} ORDER BY rowid",
    "ALTER TABLE {table} ADD COLUMN {name} TEXT",
)
_INSERT = "INSERT INTO {table} ({names}) VALUES ({marks})"


class VerdictFile:
    """The table :data:`TABLE` of a GeoPackage, made with the first verdict.

    Every verdict is a transaction of its own: what ends QGIS loses none that was given.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> pd.DataFrame:
        """All verdicts, in the order they were given, without what cannot be one; none where there is no table yet.

        Raises:
            InputError: if the table is not one of verdicts.
        """
        names, rows = self._rows()
        missing = sorted(set(VERDICT_COLUMNS) - _LATER - set(names))
        if names and missing:
            said = (
                "Table {table} of {path} has no column '{missing}', so it holds no verdicts; rename it, or choose "
                "another file."
            )
            raise InputError(said, table=TABLE, path=self.path, missing=missing[0])
        given, absent = dict(zip(names, zip(*rows))), [None] * len(rows)
        meant = {name: _meant(name, given.get(name, absent)) for name in VERDICT_COLUMNS}
        found = pd.DataFrame(meant, dtype=object).dropna(subset=["layer", "feature_id", "reviewer"])
        found = found.fillna({"side": Side.TARGET.value, "verdict": "", "comment": "", "time": ""})
        return found.astype({"feature_id": np.int64, "score": np.float64}).reset_index(drop=True)

    def add(self, verdict: Mapping[str, Any]) -> None:
        """Keep a verdict, with a value for each of VERDICT_COLUMNS.

        Raises:
            InputError: if it cannot be written; nothing is changed then.
        """
        self._append(pd.DataFrame([verdict], columns=VERDICT_COLUMNS))

    def merge(self, other: Path) -> int:
        """Take in the verdicts of another file; how many were new.

        Raises:
            InputError: if the other file holds none, or this one cannot be written.
        """
        theirs = VerdictFile(other).read()
        if theirs.empty:
            said = "{other} holds no verdicts (no table {table}); choose a file that a review was kept in."
            raise InputError(said, other=other, table=TABLE)
        mine = self.read()
        new = merged([mine, theirs]).iloc[len(merged([mine])) :] if len(mine) else merged([theirs])
        if len(new):
            self._append(new)
        return len(new)

    def _append(self, rows: pd.DataFrame) -> None:
        try:
            if not self._has_table():
                nothing = FeatureTable()
                for name in VERDICT_COLUMNS:
                    nothing.add(name, [], kind=_KINDS.get(name, "text"))
                write_layer(
                    nothing.in_memory(TABLE), self.path, TABLE, "Verdicts of reviewers on crowns"
                )
            with self._writing() as database:
                there = {name.lower() for name in _columns(database)}
                for name in VERDICT_COLUMNS:
                    if name not in there:
                        database.execute(_WIDEN.format(table=TABLE, name=name))
                names, marks = ", ".join(VERDICT_COLUMNS), ", ".join("?" * len(VERDICT_COLUMNS))
                insert = _INSERT.format(table=TABLE, names=names, marks=marks)
                database.executemany(
                    insert, zip(*(_meant(name, rows[name]) for name in VERDICT_COLUMNS))
                )
        except (sqlite3.Error, OSError) as error:
            raise InputError(
                "The verdict was not kept: {why}", why=database_error(error, self.path)
            ) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """The file, which nobody else uses meanwhile: all of what is written stays, or nothing.

        Raises:
            sqlite3.Error: if it is in use, or cannot be written to.
        """
        with closing(sqlite3.connect(self.path, timeout=_WAIT, isolation_level=None)) as database:
            database.execute("BEGIN EXCLUSIVE")
            yield database
            database.execute("COMMIT")

    def _has_table(self) -> bool:
        if not self.path.exists():
            return False
        with self._writing() as database:
            return bool(_columns(database))

    def _rows(self) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The names of the table's columns, none where there is no table, and its rows."""
        try:
            if not is_sqlite(self.path):
                return [], []
            with reading(self.path) as database:
                if not _columns(database):
                    return [], []
                database.text_factory = partial(str, encoding="utf-8", errors="replace")
                found = database.execute(_SELECT.format(table=TABLE))
                return [about[0] for about in found.description], found.fetchall()
        except (sqlite3.Error, OSError) as error:
            raise database_error(error, self.path) from error


def _columns(database: sqlite3.Connection) -> list[str]:
    """The names of the table's columns; none where there is no such table."""
    found = database.execute(
        "SELECT about.name FROM sqlite_master AS kept, pragma_table_info(kept.name) AS about "
        "WHERE kept.type = 'table' AND kept.name = ? COLLATE NOCASE",
        (TABLE,),
    )
    return [name for (name,) in found]


def _meant(column: str, values: Iterable[Any]) -> list[Any]:
    """Values as the column is meant to hold them; None for one that cannot be used."""
    return [
        *map({"feature_id": _whole, "score": _number, "time": _time}.get(column, _text), values)
    ]


def _text(value: Any) -> str | None:
    """Text that UTF-8 can say, also of a number."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode(errors="replace").decode()
    return str(value) if isinstance(value, Real) and not math.isnan(value) else None


def _time(value: Any) -> str | None:
    """A time that sorts among others: what is none might stand after all of them."""
    text = _text(value)
    return text if text and _DATE.match(text) else None


def _number(value: Any) -> float | None:
    """A finite number, also one in a text."""
    try:
        number = float(value) if isinstance(value, (Real, str)) else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _whole(value: Any) -> int | None:
    """A whole number that int64 holds, also one in a text."""
    if not isinstance(value, Integral):
        number = _number(value)
        value = int(number) if number is not None and number.is_integer() else None
    return int(value) if value is not None and -(2**63) <= value < 2**63 else None


def outlines_of(layer: QgsVectorLayer, where: str = "") -> pd.DataFrame:
    """``feature`` (id in this layer) and ``outline`` (see :func:`outline_hashes`) of features for which it holds."""
    request = QgsFeatureRequest(QgsExpression(where)) if where else QgsFeatureRequest()
    features = list(layer.getFeatures(request))
    hashes = hashes_of([feature.geometry() for feature in features])
    return pd.DataFrame({"feature": [feature.id() for feature in features], "outline": hashes})


def hashes_of(shapes: Sequence[QgsGeometry]) -> list[str]:
    """(n,) see :func:`outline_hashes`; empty for a feature without an outline."""
    wkb = [bytes(shape.asWkb()) or None for shape in shapes]
    return outline_hashes(shapely.from_wkb(np.array(wkb, dtype=object), on_invalid="ignore"))
