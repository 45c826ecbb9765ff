"""Tables of results: a quick model over a pandas table, with its own sorting and filter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Callable

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import QAbstractTableModel, QModelIndex, Qt
from qgis.PyQt.QtGui import QBrush, QColor

from randcrowns.algorithms.output import Column, Output
from randcrowns.core.arrays import Ints
from randcrowns.layers.vector.names import short_names
from randcrowns.layers.words import plain, shown, tr, written


def _as_variant(flags: Any) -> Any:
    """Alignment as Qt 5 takes it from a model (a number) or as Qt 6 does (the flags themselves)."""
    try:
        return int(flags)
    except TypeError:
        return flags


def _number_of(flag: Any) -> int:
    return int(getattr(flag, "value", flag))


_RIGHT = _as_variant(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
#: What a filter is made of: a column's title with what stands in it, or a word.
_WORDS = re.compile(r'([^\s"=][^"=]*)="([^"]*)"|(\S+)')
#: Numbers so far from what they are rounded at are rounded as their decimals are.
_SURE = 1e6
#: Readable on any shade, whatever the window's own colours.
_INK = "#000000"
_LEFT = _as_variant(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_DISPLAY, _ALIGNED = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.TextAlignmentRole
_TOOLTIP, _BACKGROUND = Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.BackgroundRole
_ANSWERED = frozenset({_DISPLAY, _ALIGNED, _TOOLTIP, _BACKGROUND, Qt.ItemDataRole.ForegroundRole})
#: Words of a title break; no alignment of Qt 6 has that flag, but its number is read.
_TITLE = _number_of(Qt.AlignmentFlag.AlignCenter) | _number_of(Qt.TextFlag.TextWordWrap)


@dataclass(frozen=True)
class TableColumn:
    """A column shown: its name in the table, its title, what it means, and how a value is written.

    ``shade`` names a column of the table with colours (``#rrggbb`` or empty) to lay under the values; ``csv`` is the
    title in files, unless empty. A column with a ``widest``, pixels, is no wider; its tooltip has the ``whole`` value.
    """

    name: str
    title: str
    tooltip: str = ""
    text: Callable[[Any], str] = str
    right: bool = True
    shade: str = ""
    csv: str = ""
    widest: int = 0
    whole: Callable[[Any], str] = lambda value: as_text(value)


def _is_missing(value: Any) -> bool:
    """Whether there is no value; pandas takes ten times as long to say so of a plain number or text."""
    kind = type(value)
    return (
        bool(value != value)
        if kind is float
        else kind is not int and kind is not str and bool(pd.isna(value))
    )


@dataclass(frozen=True)
class as_number:  # noqa: N801 - used as a function
    """Writes a number with that many decimal places, or significant digits where negative; n/a where there is none."""

    digits: int | None = 2

    def __call__(self, value: Any) -> str:
        return tr("n/a") if _is_missing(value) else written(value, self.digits)

    def alike(self, values: pd.Series) -> pd.Series:
        """The numbers, with one in place of all that are written alike where that is sure."""
        if self.digits is None or self.digits < 0 or not pd.api.types.is_float_dtype(values):
            return values
        number = values.to_numpy(dtype=float, na_value=np.nan)
        scaled = number * 10.0**self.digits
        whole = np.rint(scaled)
        sure = (
            (np.abs(scaled) < _SURE)
            & (np.abs(np.abs(scaled - whole) - 0.5) > 1 / _SURE)
            & (whole > 0)
        )
        return pd.Series(np.where(sure, whole / 10.0**self.digits, number))


def as_text(value: Any) -> str:
    """Writes a value; what is missing stays empty."""
    return "" if _is_missing(value) else str(shown(value))


def as_whole(value: Any) -> str:
    """Writes a whole number without separators, as of an id; what is missing stays empty."""
    return "" if _is_missing(value) else str(int(value))


def column_of(declared: Column, **extras: Any) -> TableColumn:
    """The column that shows a field of an output; ``extras`` are attributes of :class:`TableColumn` that differ."""
    usual: dict[str, Any] = {
        "text": as_number(declared.digits if declared.kind == "real" else 0),
        "whole": as_text,
    }
    if declared.is_words:
        usual = {
            "text": (words := lambda value: declared.shown(as_text(value))),
            "whole": words,
            "right": False,
        }
    return TableColumn(
        declared.name, **{"title": declared.alias, "tooltip": declared.help, **usual, **extras}
    )


def columns_of(output: Output, *names: str, **extras: Mapping[str, Any]) -> list[TableColumn]:
    """The columns that show these fields of an output, with the extras of each; undeclared ones have none."""
    declared = {column.name: column for column in output.columns_of(names)}
    return [column_of(declared[name], **extras.get(name, {})) for name in names if name in declared]


#: Names of so many characters stay as they are in a table, longer ones are written with so many; pixels of the column.
SHORT, LONG, WIDEST_NAMES = 8, 24, 220


def names_column(output: Output, name: str, names: Iterable[str]) -> TableColumn:
    """The column of names of layers, without what all of them share; its tooltip has the whole name."""
    written, (declared,) = short_names(names, SHORT, LONG), output.columns_of((name,))
    written = {**written, **declared.words}
    return column_of(
        declared, text=lambda name: written.get(name, as_text(name)), widest=WIDEST_NAMES
    )


class FrameModel(QAbstractTableModel):
    """Rows of a pandas table, in an order and a choice of rows kept as numbers: 10,000 rows sort at once."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: tuple[TableColumn, ...] = ()
        self._frame = pd.DataFrame()
        self._values: list[list[Any]] = []
        self._shades: list[list[str] | None] = []
        self._texts: dict[int, tuple[Ints, list[str]]] = {}
        self._order: Ints | None = None
        self._shown: Ints = np.array([], dtype=np.intp)
        self._sorting: tuple[int, bool] | None = None
        self._words = ""

    @property
    def frame(self) -> pd.DataFrame:
        """The whole table, in its own order."""
        return self._frame

    @property
    def sorting(self) -> tuple[int, bool] | None:
        """Number of the column that the rows are sorted by, and whether they ascend; None in the table's own order."""
        return self._sorting

    def set_frame(self, frame: pd.DataFrame, columns: Sequence[TableColumn]) -> None:
        """Show these columns of a table; it stays sorted by a column that is there again."""
        self.beginResetModel()
        if self._sorting is not None:
            by, titles = self.columns[self._sorting[0]].title, [column.title for column in columns]
            self._sorting = (titles.index(by), self._sorting[1]) if by in titles else None
        self.columns = tuple(columns)
        self._frame = frame.reset_index(drop=True)
        self._values = [self._frame[column.name].tolist() for column in self.columns]
        self._shades = [
            self._frame[column.shade].tolist() if column.shade else None for column in self.columns
        ]
        self._texts, self._order = {}, None
        self._arrange()
        self.endResetModel()

    def filter_words(self, words: str) -> None:
        """Show only rows in which every one of the words stands; ``Plot="a 1"``: with just that in a column."""
        self._words = words
        self.beginResetModel()
        self._arrange()
        self.endResetModel()

    def frame_row(self, row: int) -> int:
        """The row of the table that is shown in this row."""
        return int(self._shown[row])

    def shown_rows(self, frame_rows: Sequence[int] | Ints) -> list[int]:
        """Where these rows of the table are shown; those filtered away are left out."""
        return [int(row) for row in np.flatnonzero(np.isin(self._shown, frame_rows))]

    def widest(self, column: int) -> list[str]:
        """Texts of a column among which is its widest: of the least and greatest number, or the longest words."""
        described = self.columns[column]
        values = self._frame[described.name]
        if pd.api.types.is_numeric_dtype(values):
            return [
                described.text(value)
                for value in (values.min(), values.max())
                if not pd.isna(value)
            ]
        return sorted(map(described.text, set(self._values[column])), key=len)[-1:]

    def as_csv(self, made: str = "") -> str:
        """What :meth:`to_save` says, titles first."""
        return str(self.to_save(made=made).to_csv(index=False, lineterminator="\n"))

    def to_save(self, rows: Sequence[int] | None = None, made: str = "") -> pd.DataFrame:
        """The rows shown (or only these of them) by titles, numbers in full; how they were ``made`` stands last."""
        chosen = self._shown if rows is None else self._shown[list(rows)]
        saved = [column for column in self.columns if column.title]
        table = self._frame.loc[chosen, [column.name for column in saved]]
        table.columns = pd.Index([column.csv or column.title for column in saved])
        return table.assign(**{tr("How it was made"): made}) if made else table

    # What Qt asks

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: N802, B008 - Qt's own form
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: N802, B008 - Qt's own form
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Qt asks eight roles of each cell that it measures or paints, most of which have nothing to say."""
        if role not in _ANSWERED or not index.isValid():
            return None
        number = index.column()
        column = self.columns[number]
        if role == _DISPLAY:
            return column.text(self._values[number][self._shown[index.row()]])
        if role == _ALIGNED:
            return _RIGHT if column.right else _LEFT
        if role == _TOOLTIP:
            whole = column.whole(self._values[number][self._shown[index.row()]])
            return plain(f"{whole}\n{column.tooltip}" if column.widest else column.tooltip)
        shades = self._shades[number]
        colour = "" if shades is None else shades[self._shown[index.row()]]
        return QBrush(QColor(colour if role == _BACKGROUND else _INK)) if colour else None

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _TITLE
        return plain(column.tooltip) if role == Qt.ItemDataRole.ToolTipRole else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; what cannot be computed stands last either way."""
        self.layoutAboutToBeChanged.emit()
        kept = [(index, self.frame_row(index.row())) for index in self.persistentIndexList()]
        known = 0 <= column < len(self.columns)
        self._sorting = (column, order == Qt.SortOrder.AscendingOrder) if known else None
        self._order = None
        self._arrange()
        place = {row: number for number, row in enumerate(self._shown.tolist())}
        for index, row in kept:
            self.changePersistentIndex(index, self.index(place[row], index.column()))
        self.layoutChanged.emit()

    def _arrange(self) -> None:
        if self._order is None:
            self._order = self._ordered()
        keep = np.ones(len(self._frame), dtype=bool)
        for title, cell, word in _WORDS.findall(self._words.casefold()):
            keep &= self._equal(title, cell) if title else self._holding(word)
        self._shown = self._order[keep[self._order]]

    def _ordered(self) -> Ints:
        if self._sorting is None:
            return np.arange(len(self._frame))
        column, ascending = self._sorting
        values = self._frame[self.columns[column].name]
        ordered = values.sort_values(ascending=ascending, kind="stable", na_position="last")
        return ordered.index.to_numpy(dtype=np.intp)

    def _equal(self, title: str, cell: str) -> np.ndarray:
        """(n,) whether a row has that in the column of that title."""
        found = np.zeros(len(self._frame), dtype=bool)
        for number, column in enumerate(self.columns):
            if column.title.casefold() == title:
                which, texts = self._written(number)
                found |= np.array([text == cell for text in texts], dtype=bool)[which]
        return found

    def _holding(self, word: str) -> np.ndarray:
        """(n,) whether the word stands in one of a row's columns."""
        found = np.zeros(len(self._frame), dtype=bool)
        for number in range(len(self.columns)):
            which, texts = self._written(number)
            found |= np.array([word in text for text in texts], dtype=bool)[which]
        return found

    def _written(self, number: int) -> tuple[Ints, list[str]]:
        """The different texts of a column and which of them a row has; made once."""
        if number not in self._texts:
            text, values = self.columns[number].text, self._frame[self.columns[number].name]
            own = text.alike(values) if isinstance(text, as_number) else values
            which, different = pd.factorize(own, use_na_sentinel=False)
            plainly = (
                text is as_whole and different.to_numpy().dtype.kind == "i"
            )  # a call for each of many ids is slow
            write = str if plainly else lambda value: text(value).casefold()
            self._texts[number] = which, list(map(write, different.tolist()))
        return self._texts[number]
