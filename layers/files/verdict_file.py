"""Verdicts of reviewers, stored as a table of the GeoPackage with the results.

A verdict is a row that is written at once and never changed.
"""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import shapely
from qgis.core import (
    QgsFeatureRequest,
    QgsGeometry,
    QgsVectorLayer,
    QgsVectorLayerFeatureSource,
)

from randcrowns.core.errors import InputError
from randcrowns.core.review.verdict_exchange import read_verdict_text
from randcrowns.core.review.verdicts import (
    LAYER_COLUMNS,
    STATE_COLUMNS,
    VERDICT_COLUMNS,
    Side,
    merge_verdicts,
    outline_hashes,
)
from randcrowns.layers.databases import database_error, is_sqlite, open_read_only
from randcrowns.layers.files.destinations import layer_location
from randcrowns.layers.files.project_results import project_geopackage
from randcrowns.layers.files.staging import write_layer
from randcrowns.layers.localization import tr
from randcrowns.layers.vector.features import iterate_features
from randcrowns.layers.vector.tables import FeatureTable

#: Name of the table.
VERDICT_TABLE = "randcrowns_verdicts"
#: Columns that tables of earlier versions do not have.
_OPTIONAL_COLUMNS = {
    *LAYER_COLUMNS["layer"][:2],
    *LAYER_COLUMNS["delineations"],
    "side",
    STATE_COLUMNS[1],
    "right_class",
}
#: Types of columns that are no text.
_COLUMN_TYPES = {"feature_id": "integer", "score": "real"}
#: Date at the beginning of a time.
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
#: Maximum wait for a lock, seconds; the window of QGIS does not respond meanwhile.
_LOCK_TIMEOUT = 0.5
#: Maximum number of features that are read one by one; some formats search each of them from the
#: beginning of the file.
_MAX_SINGLE_READS = 1000
#: Rows after a row id; the first column of the result is the row id.
_SELECT = "SELECT rowid, * FROM {table} WHERE rowid > ? ORDER BY rowid"
_SELECT_LAST = "SELECT coalesce(max(rowid), 0) FROM {table}"
#: Row id before the first row of a table.
_BEFORE_ALL_ROWS = -(2**63)
_ADD_COLUMN = "ALTER TABLE {table} ADD COLUMN {name} TEXT"
_INSERT = "INSERT INTO {table} ({names}) VALUES ({marks})"


def verdict_file_path(layer: QgsVectorLayer) -> Path | None:
    """Return the GeoPackage for the verdicts on a layer of results; None if there is none.

    This is the GeoPackage of the layer or, for layers in other formats, that of the project.
    """
    location = layer_location(layer)
    layer_file = None if location is None else location.file
    if layer_file is not None and layer_file.suffix.lower() == ".gpkg":
        return layer_file
    return Path(project_geopackage()) if project_geopackage() else None


def storage_problem() -> str:
    """Return the reason why verdicts cannot be saved without a project file."""
    return tr(
        "Save the project first: verdicts are stored in the GeoPackage next to the project file."
    )


class VerdictFile:
    """The table :data:`VERDICT_TABLE` of a GeoPackage, which is created with the first verdict.

    This class is the only writer of the table. Each verdict is a separate transaction, so that a
    crash of QGIS loses none. Several programs may append rows to the same table.

    Args:
        path: the GeoPackage, which may be missing.

    Attributes:
        path: the GeoPackage.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        # Id of the last row that was read or written; later rows are new.
        self._last_row = _BEFORE_ALL_ROWS

    def read(self) -> pd.DataFrame:
        """Return all verdicts in the order of their rows.

        Returns:
            Frame with the columns ``VERDICT_COLUMNS``: ``feature_id`` int64, ``score`` float64, the
            others objects (text, None where unknown). Rows without a layer, a crown or a reviewer
            are excluded. The frame is empty if there is no table.

        Raises:
            InputError: if the file cannot be read, or if the table is not one of verdicts.
        """
        names, rows = self._read_rows()
        self._last_row = max((row[0] for row in rows), default=_BEFORE_ALL_ROWS)
        return self._parse_rows(names, rows)

    def _parse_rows(self, names: list[str], rows: Sequence[tuple[Any, ...]]) -> pd.DataFrame:
        """Return rows of the table as verdicts, see :meth:`read`.

        Args:
            names: names of the columns of the rows; empty without a table.
            rows: values of the columns.

        Raises:
            InputError: if a column is missing that a table of verdicts must have.
        """
        required_columns = set(VERDICT_COLUMNS) - _OPTIONAL_COLUMNS
        missing_columns = sorted(required_columns - set(names))
        if names and missing_columns:
            raise InputError(
                "verdicts.no_column",
                "Table {table} of {path} has no column '{missing}', so it holds no verdicts; "
                "rename it, or choose another file.",
                table=VERDICT_TABLE,
                path=self.path,
                missing=missing_columns[0],
            )

        columns = {}
        for name in VERDICT_COLUMNS:
            values: list[Any] = [None] * len(rows)
            if name in names:  # Tables of older versions lack some of the columns.
                position = names.index(name)
                values = [row[position] for row in rows]
            columns[name] = _coerce_column(name, values)
        defaults = {
            "side": Side.TARGET.value,
            "verdict": "",
            "comment": "",
            "time": "",
            "right_class": "",
        }
        return (
            pd.DataFrame(columns, dtype=object)
            .dropna(subset=["layer", "feature_id", "reviewer"])
            .fillna(defaults)
            .astype({"feature_id": np.int64, "score": np.float64})
            .reset_index(drop=True)
        )

    def add(self, verdict: Mapping[str, Any]) -> pd.DataFrame:
        """Write a verdict as a new row.

        Args:
            verdict: a value for each of ``VERDICT_COLUMNS``.

        Returns:
            The verdicts that are new since this object last read or wrote the table: those that
            other programs have appended, and this one. See :meth:`read` for the columns.

        Raises:
            InputError: if the verdict cannot be written; the file stays unchanged then.
        """
        return self._append(pd.DataFrame([verdict], columns=VERDICT_COLUMNS))

    def merge(self, other: Path) -> int:
        """Append the verdicts of another file that this file lacks.

        Args:
            other: a GeoPackage with verdicts, or the file (JSON) of a page to explore.

        Returns:
            The number of verdicts that were appended.

        Raises:
            InputError: if the other file has no verdicts, or this file cannot be written.
        """
        is_saved_by_page = other.suffix.lower() == ".json"
        other_verdicts = _read_saved(other) if is_saved_by_page else VerdictFile(other).read()
        if other_verdicts.empty:
            raise InputError(
                "verdicts.no_table",
                "{other} holds no verdicts (no table {table}); choose a file with the verdicts of "
                "a review.",
                other=other,
                table=VERDICT_TABLE,
            )
        own_verdicts = self.read()
        if own_verdicts.empty:
            new_verdicts = merge_verdicts([other_verdicts])
        else:
            n_own = len(merge_verdicts([own_verdicts]))
            new_verdicts = merge_verdicts([own_verdicts, other_verdicts]).iloc[n_own:]
        if len(new_verdicts):
            self._append(new_verdicts)
        return len(new_verdicts)

    def _append(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Append rows in one transaction; create the table and missing columns if necessary.

        Args:
            rows: verdicts with the columns ``VERDICT_COLUMNS``.

        Returns:
            The new verdicts, see :meth:`add`.

        Raises:
            InputError: if the rows cannot be written.
        """
        try:
            if not self._has_table():
                self._create_table()
            with self._write_transaction() as database:
                _add_missing_columns(database)
                query = _SELECT_LAST.format(table=VERDICT_TABLE)
                last_stored_row = database.execute(query).fetchone()[0]
                # The ids of a table that was created again begin at 1.
                last_known_row = min(self._last_row, last_stored_row)
                _insert_rows(database, rows)
                names, new_rows = _select_rows(database, last_known_row)
        except (sqlite3.Error, OSError) as error:
            raise InputError(
                "verdicts.not_saved",
                "The verdict was not saved: {why}",
                why=database_error(error, self.path),
            ) from error
        self._last_row = new_rows[-1][0]
        return self._parse_rows(names, new_rows)

    def _create_table(self) -> None:
        empty = FeatureTable()
        for name in VERDICT_COLUMNS:
            empty.add_column(name, [], kind=_COLUMN_TYPES.get(name, "text"))
        layer = empty.to_memory_layer(VERDICT_TABLE)
        write_layer(layer, self.path, VERDICT_TABLE, "Verdicts of reviewers on crowns")

    @contextmanager
    def _write_transaction(self) -> Iterator[sqlite3.Connection]:
        """Lock the file for other programs, and commit at the end if no exception is raised.

        Raises:
            sqlite3.Error: if the file is locked, or cannot be written.
        """
        connection = sqlite3.connect(self.path, timeout=_LOCK_TIMEOUT, isolation_level=None)
        with closing(connection) as database:
            database.execute("BEGIN EXCLUSIVE")
            yield database
            database.execute("COMMIT")

    def _has_table(self) -> bool:
        if not self.path.exists():
            return False
        with self._write_transaction() as database:
            return bool(_list_columns(database))

    def _read_rows(self) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the names of the table's columns and its rows; both empty without a table.

        The first column is the row id.

        Raises:
            InputError: if the file cannot be read.
        """
        try:
            if not is_sqlite(self.path):
                return [], []
            with open_read_only(self.path) as database:
                if not _list_columns(database):
                    return [], []
                return _select_rows(database, _BEFORE_ALL_ROWS)
        except (sqlite3.Error, OSError) as error:
            raise database_error(error, self.path) from error


def _read_saved(path: Path) -> pd.DataFrame:
    """Return the verdicts that a page to explore has saved, with the columns ``VERDICT_COLUMNS``.

    Raises:
        InputError: if the file cannot be read, or is not such a file.
    """
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise InputError(
            "verdicts.unreadable_file",
            "{file} cannot be read: {why}",
            file=path,
            why=error.strerror or str(error),
        ) from error
    verdicts = read_verdict_text(text, path.name)
    columns = {name: _coerce_column(name, verdicts[name]) for name in VERDICT_COLUMNS}
    frame = pd.DataFrame(columns, dtype=object)
    return frame.astype({"feature_id": np.int64, "score": np.float64})


def _list_columns(database: sqlite3.Connection) -> list[str]:
    """Return the names of the table's columns; empty if there is no table."""
    rows = database.execute(
        "SELECT info.name FROM sqlite_master AS item, pragma_table_info(item.name) AS info "
        "WHERE item.type = 'table' AND item.name = ? COLLATE NOCASE",
        (VERDICT_TABLE,),
    )
    return [name for (name,) in rows]


def _select_rows(
    database: sqlite3.Connection, after: int
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return the names of the columns, the first being the row id, and the rows after a row id."""
    database.text_factory = partial(str, encoding="utf-8", errors="replace")
    cursor = database.execute(_SELECT.format(table=VERDICT_TABLE), (after,))
    names = [description[0] for description in cursor.description]
    return names, cursor.fetchall()


def _add_missing_columns(database: sqlite3.Connection) -> None:
    """Add the columns that a table of an older version lacks, within a transaction."""
    existing_names = {name.lower() for name in _list_columns(database)}
    for name in VERDICT_COLUMNS:
        if name not in existing_names:
            database.execute(_ADD_COLUMN.format(table=VERDICT_TABLE, name=name))


def _insert_rows(database: sqlite3.Connection, rows: pd.DataFrame) -> None:
    """Insert verdicts with the columns ``VERDICT_COLUMNS``, within a transaction."""
    statement = _INSERT.format(
        table=VERDICT_TABLE,
        names=", ".join(VERDICT_COLUMNS),
        marks=", ".join("?" * len(VERDICT_COLUMNS)),
    )
    columns = [_coerce_column(name, rows[name]) for name in VERDICT_COLUMNS]
    database.executemany(statement, zip(*columns))


def _coerce_column(column: str, values: Iterable[Any]) -> list[Any]:
    """Return values converted to the type of a column; None for a value that does not fit."""
    converters = {"feature_id": _to_integer, "score": _to_number, "time": _to_time}
    convert = converters.get(column, _to_text)
    return [convert(value) for value in values]


def _to_text(value: Any) -> str | None:
    """Return a text or a number as text, with characters that UTF-8 cannot encode replaced."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode(errors="replace").decode()
    return str(value) if isinstance(value, Real) and not math.isnan(value) else None


def _to_time(value: Any) -> str | None:
    """Return a text that begins with a date; any other text might be sorted after all times."""
    text = _to_text(value)
    return text if text and _DATE.match(text) else None


def _to_number(value: Any) -> float | None:
    """Return a finite number, also from a text."""
    try:
        number = float(value) if isinstance(value, (Real, str)) else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _to_integer(value: Any) -> int | None:
    """Return an integer within the range of int64, also from a float or a text."""
    if not isinstance(value, Integral):
        number = _to_number(value)
        value = int(number) if number is not None and number.is_integer() else None
    return int(value) if value is not None and -(2**63) <= value < 2**63 else None


def layer_outline_hashes(
    layer: QgsVectorLayer | QgsVectorLayerFeatureSource, feature_ids: Collection[int] | None = None
) -> pd.DataFrame:
    """Return the hashes of a layer's outlines.

    Args:
        layer: the layer, or a snapshot of its features, which can be read on any thread.
        feature_ids: ids of the features to read; None for all. Ids without a feature are ignored.

    Returns:
        A row per feature: ``feature`` (id in the layer), ``outline`` (see :func:`geometry_hashes`).
    """
    request = QgsFeatureRequest()
    request.setNoAttributes()  # reading them takes as long as hashing the outlines
    requested = None if feature_ids is None else set(feature_ids)
    if requested is not None and len(requested) <= _MAX_SINGLE_READS:
        request.setFilterFids(list(requested))
    ids = []
    shapes = []
    for feature in iterate_features(layer, request):
        if requested is None or feature.id() in requested:
            ids.append(feature.id())
            shapes.append(feature.geometry())
    return pd.DataFrame({"feature": ids, "outline": geometry_hashes(shapes)})


def geometry_hashes(shapes: Sequence[QgsGeometry]) -> list[str]:
    """Return a hash of each outline, see :func:`~randcrowns.core.review.verdicts.outline_hashes`.

    Args:
        shapes: (n,) geometries.

    Returns:
        (n,) hashes; empty for a null geometry.
    """
    wkb = [bytes(shape.asWkb()) or None for shape in shapes]
    return outline_hashes(shapely.from_wkb(np.array(wkb, dtype=object), on_invalid="ignore"))
