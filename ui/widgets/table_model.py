"""Model of a pandas table for Qt's table views, with sorting, a filter and formatted values."""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Callable, NamedTuple

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import QAbstractTableModel, QModelIndex, Qt
from qgis.PyQt.QtGui import QBrush, QColor

from randcrowns.algorithms.output_types import Column, Output
from randcrowns.core.arrays import Ints
from randcrowns.layers.localization import display_value, escape_rich_text, format_value, tr
from randcrowns.layers.spreadsheets import frame_for_csv
from randcrowns.report.names import abbreviate_names


def _as_variant(flags: Any) -> Any:
    """Return alignment flags as a model must return them: as int in Qt 5, unchanged in Qt 6."""
    try:
        return int(flags)
    except TypeError:
        return flags


def _number_of(flag: Any) -> int:
    """Return the integer value of a flag of Qt 5 or Qt 6."""
    return int(getattr(flag, "value", flag))


_ALIGN_LEFT = _as_variant(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_ALIGN_RIGHT = _as_variant(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
#: Alignment of titles, which wrap. In Qt 6 no alignment has that flag, but its number is accepted.
ALIGN_TITLE = _number_of(Qt.AlignmentFlag.AlignCenter) | _number_of(Qt.TextFlag.TextWordWrap)
#: Term of a filter: the title and the exact value of a column, or a word.
_FILTER_TERM = re.compile(r'([^\s"=][^"=]*)="((?:[^"]|"")*)"|(\S+)')
#: Quotation mark within the quoted value of a filter term, where it is doubled.
_DOUBLED_QUOTATION_MARK = re.compile('""')
#: Limit for rounding in floating point: up to this number, and at least its inverse away from a
#: tie, a scaled number is rounded like its decimal representation.
_SAFE_ROUNDING = 1e6
#: Maximum number of values that are formatted to find the widest text of a column.
_MAX_MEASURED_TEXTS = 500
#: Number of values of a column from which it is seen if most values are different.
_N_FIRST_VALUES = 1000
#: Text colour on shaded cells, readable on every shade in all themes.
_SHADED_TEXT = "#000000"
_DISPLAY_ROLE = Qt.ItemDataRole.DisplayRole
_ALIGNMENT_ROLE = Qt.ItemDataRole.TextAlignmentRole
_TOOLTIP_ROLE = Qt.ItemDataRole.ToolTipRole
_BACKGROUND_ROLE = Qt.ItemDataRole.BackgroundRole
#: Roles for which the model has data.
_SUPPORTED_ROLES = frozenset(
    {
        _DISPLAY_ROLE,
        _ALIGNMENT_ROLE,
        _TOOLTIP_ROLE,
        _BACKGROUND_ROLE,
        Qt.ItemDataRole.ForegroundRole,
    }
)


@dataclass(frozen=True)
class TableColumn:
    """Column of a table view."""

    #: Name of the column in the data frame.
    name: str
    #: Title in the table.
    title: str
    #: Tooltip of the title and of the cells.
    tooltip: str = ""
    #: Function that formats a value.
    format_value: Callable[[Any], str] = str
    #: True to align values right, False to align them left.
    align_right: bool = True
    #: Name of the column in the data frame with the background of each cell, ``#rrggbb`` or "";
    #: "" for no such column.
    shade_column: str = ""
    #: Title in saved tables; "" for the title in the table.
    saved_title: str = ""
    #: Maximum width in pixels; 0 for the default. Cells of a limited column have their full value
    #: in the tooltip.
    max_width: int = 0
    #: Function that formats a value for the tooltip.
    format_full: Callable[[Any], str] = lambda value: format_text(value)


def _length(value: Any) -> int:
    """Return the length of a value as text."""
    return len(value) if type(value) is str else len(str(value))


def _is_missing(value: Any) -> bool:
    """Return True if a value is missing.

    Plain numbers and texts are treated apart, because :func:`pandas.isna` takes ten times as long.
    """
    value_type = type(value)
    if value_type is float:
        return math.isnan(value)
    if value_type is int or value_type is str:
        return False
    return bool(pd.isna(value))


def format_feature_id(value: Any) -> str:
    """Return a feature id as text; "new" for a feature that its layer has not saved yet.

    QGIS gives such features negative ids.
    """
    is_unsaved = not _is_missing(value) and not isinstance(value, str) and value < 0
    return tr("new") if is_unsaved else format_text(value)


@dataclass(frozen=True)
class NumberFormat:
    """Function that formats a number in the user's language, and a missing value as "n/a"."""

    #: Number of decimal places, or of significant digits if negative; None for as many as the size
    #: of the number requires.
    digits: int | None = 2
    #: Factor by which the number is multiplied: 100 for shares, which are shown in percent.
    scale: float = 1.0

    def __call__(self, value: Any) -> str:
        """Format a number."""
        return tr("n/a") if _is_missing(value) else format_value(self.scale * value, self.digits)

    def round_safely(self, values: pd.Series) -> pd.Series:
        """Round numbers so that numbers with the same text become equal.

        A filter then formats fewer different values. Numbers are left unchanged if rounding in
        floating point could give another text than formatting.

        Args:
            values: numbers.

        Returns:
            The numbers, rounded to :attr:`digits` where this is safe. Columns that are not of a
            floating point type are returned as they are.
        """
        if self.digits is None or self.digits < 0 or self.scale != 1.0:
            return values
        if not pd.api.types.is_float_dtype(values):
            return values
        numbers = values.to_numpy(dtype=float, na_value=np.nan)
        scaled = numbers * 10.0**self.digits
        rounded = np.rint(scaled)
        distance_from_tie = np.abs(np.abs(scaled - rounded) - 0.5)
        is_safe = (
            (np.abs(scaled) < _SAFE_ROUNDING)
            & (distance_from_tie > 1 / _SAFE_ROUNDING)
            & (rounded > 0)
        )
        return pd.Series(np.where(is_safe, rounded / 10.0**self.digits, numbers))


def format_text(value: Any) -> str:
    """Format a value as text in the user's language; a missing value gives ""."""
    return "" if _is_missing(value) else str(display_value(value))


def format_integer(value: Any) -> str:
    """Format an integer such as an id without thousands separators; a missing value gives ""."""
    return "" if _is_missing(value) else str(int(value))


def find_table_column(declared: Column, **extras: Any) -> TableColumn:
    """Return the table column that shows a field of an output.

    Args:
        declared: declaration of the field.
        extras: attributes of :class:`TableColumn` that differ from the declaration.
    """
    defaults: dict[str, Any]
    if declared.is_text:

        def label_of_key(value: Any) -> str:
            """Return the display text of a key."""
            return declared.display_text(format_text(value))

        defaults = {"format_value": label_of_key, "format_full": label_of_key, "align_right": False}
    else:
        digits = declared.digits if declared.kind == "real" else 0
        format_full = NumberFormat(None, declared.scale) if declared.is_share else format_text
        number_format = NumberFormat(digits, declared.scale)
        defaults = {"format_value": number_format, "format_full": format_full}
    attributes = {"title": declared.heading, "tooltip": declared.help, **defaults, **extras}
    return TableColumn(declared.name, **attributes)


def table_columns(output: Output, *names: str, **extras: Mapping[str, Any]) -> list[TableColumn]:
    """Return the table columns that show fields of an output.

    Args:
        output: declaration of the output.
        names: names of the fields; names that the output does not declare are skipped.
        extras: attributes of :class:`TableColumn` that differ, by name of the field.
    """
    declared = {column.name: column for column in output.select_columns(names)}
    return [
        find_table_column(declared[name], **extras.get(name, {}))
        for name in names
        if name in declared
    ]


#: Length up to which all names of layers are shown in full, characters.
MAX_FULL_NAME_LENGTH = 8
#: Maximum length of a shortened name, characters.
MAX_NAME_LENGTH = 24
#: Maximum width of a column of names, pixels.
MAX_NAME_WIDTH = 220


def name_column(output: Output, name: str, names: Iterable[str]) -> TableColumn:
    """Return a table column of layer names without their common words.

    Args:
        output: declaration of the output.
        name: name of the field with the names.
        names: all names in the column.

    Returns:
        The column, whose tooltip has the full name.
    """
    declared = output.select_columns((name,))[0]
    labels = {
        **abbreviate_names(names, MAX_FULL_NAME_LENGTH, MAX_NAME_LENGTH),
        **declared.display_texts,
    }

    def label_of_name(name: Any) -> str:
        """Return the display name of a cell."""
        return labels.get(name, format_text(name))

    return find_table_column(declared, format_value=label_of_name, max_width=MAX_NAME_WIDTH)


class _ColumnTexts(NamedTuple):
    """Different texts of a column in lower case."""

    #: (n,) index of each row's text.
    codes: Ints
    #: Different texts; a text may occur more than once.
    texts: list[str]


class FrameModel(QAbstractTableModel):
    """Model of a data frame that is sorted and filtered by row numbers.

    The data frame itself is never reordered, so that tables of 10,000 rows are sorted at once.
    "Frame row" is the position of a row in the data frame, "row" its position in the view.
    """

    def __init__(self) -> None:
        super().__init__()
        #: Columns of the view from left to right.
        self.columns: tuple[TableColumn, ...] = ()
        #: Complete data frame in its own order.
        self._frame = pd.DataFrame()
        #: Values of each column by frame row.
        self._values: list[list[Any]] = []
        #: Backgrounds of each column by frame row, ``#rrggbb`` or ""; None for no shades.
        self._shades: list[list[str] | None] = []
        #: Texts of each column that was filtered, by number of the column.
        self._texts: dict[int, _ColumnTexts] = {}
        #: (n,) all frame rows in sorted order; None if they must be sorted again.
        self._sorted_order: Ints | None = None
        #: (rows,) frame row of each row.
        self._visible_frame_rows: Ints = np.array([], dtype=np.intp)
        #: Number of the column that rows are sorted by, and True if ascending; None if not sorted.
        self._sorting: tuple[int, bool] | None = None
        #: Filter as :meth:`set_filter` takes it; "" for all rows.
        self._filter_text = ""

    @property
    def frame(self) -> pd.DataFrame:
        """Complete data frame in its own order."""
        return self._frame

    @property
    def sorting(self) -> tuple[int, bool] | None:
        """Column number that rows are sorted by, and True if ascending; None if not sorted."""
        return self._sorting

    def set_frame(self, frame: pd.DataFrame, columns: Sequence[TableColumn]) -> None:
        """Show a data frame.

        The table stays sorted if it has a column with the title of the sorted column.

        Args:
            frame: data frame with the names of the columns and of their shades.
            columns: columns to show from left to right.

        Raises:
            KeyError: if the data frame lacks a column; the table then stays as it was.
        """
        new_values = [frame[column.name].tolist() for column in columns]
        new_shades = [
            frame[column.shade_column].tolist() if column.shade_column else None
            for column in columns
        ]
        self.beginResetModel()
        if self._sorting is not None:
            sorted_column, is_ascending = self._sorting
            sorted_title = self.columns[sorted_column].title
            titles = [column.title for column in columns]
            self._sorting = None
            if sorted_title in titles:
                self._sorting = (titles.index(sorted_title), is_ascending)
        self.columns = tuple(columns)
        # The columns are shared: copies of those of a large layer would delay the window.
        self._frame = frame.copy(deep=False)
        self._frame.index = pd.RangeIndex(len(frame))
        self._values = new_values
        self._shades = new_shades
        self._texts = {}
        self._sorted_order = None
        self._update_rows()
        self.endResetModel()

    def set_filter(self, words: str) -> None:
        """Show only the rows that match all terms of a filter, regardless of case.

        Args:
            words: terms separated by spaces: a word, which any column must contain, or
                ``Plot="a 1"``, which requires exactly this text in the column of this title. A
                quotation mark in the text is doubled.
        """
        self._filter_text = words
        self.beginResetModel()
        self._update_rows()
        self.endResetModel()

    def frame_row(self, row: int) -> int:
        """Return the frame row of a row."""
        return int(self._visible_frame_rows[row])

    def shown_rows(self, frame_rows: Sequence[int] | Ints) -> list[int]:
        """Return the rows of frame rows in ascending order, without those that are filtered out."""
        return [int(row) for row in np.flatnonzero(np.isin(self._visible_frame_rows, frame_rows))]

    def widest_texts(self, column: int) -> list[str]:
        """Return texts of a column that may be its widest one.

        Args:
            column: number of the column.

        Returns:
            The texts of the minimum and maximum of a numeric column, else the longest text; empty
            if there are no values.
        """
        table_column = self.columns[column]
        values = self._frame[table_column.name]
        if pd.api.types.is_numeric_dtype(values):
            extremes = [value for value in (values.min(), values.max()) if not pd.isna(value)]
            return [table_column.format_value(value) for value in extremes]
        all_values = self._values[column]
        distinct_values = set(all_values[:_N_FIRST_VALUES])
        if 2 * len(distinct_values) > _N_FIRST_VALUES:
            # Formatting every sentence of a large layer would delay the window.
            distinct_values = set(heapq.nlargest(_MAX_MEASURED_TEXTS, all_values, key=_length))
        else:
            distinct_values.update(all_values)
        texts = [table_column.format_value(value) for value in distinct_values]
        if not texts:
            return []
        return [max(texts, key=len)]

    def to_csv(self, provenance: str = "") -> str:
        """Return the visible rows as CSV with titles, see :meth:`to_frame`."""
        table = frame_for_csv(self.to_frame(provenance=provenance))
        return str(table.to_csv(index=False, lineterminator="\n"))

    def to_frame(self, rows: Sequence[int] | None = None, provenance: str = "") -> pd.DataFrame:
        """Return rows with unformatted values.

        Args:
            rows: rows to return; None for all visible ones.
            provenance: provenance of the table, repeated in a last column; "" for no such column.

        Returns:
            A data frame with the titles as names; columns without a title are skipped.
        """
        frame_rows = self._visible_frame_rows
        if rows is not None:
            frame_rows = frame_rows[list(rows)]
        names = []
        titles = []
        for column in self.columns:
            if column.title:
                names.append(column.name)
                titles.append(column.saved_title or column.title)
        table = self._frame.loc[frame_rows, names]
        table.columns = pd.Index(titles)
        if provenance:
            table = table.assign(**{tr("How it was made"): provenance})
        return table

    # Methods of QAbstractTableModel

    def rowCount(  # noqa: N802 - Qt's name
        self,
        parent: QModelIndex = QModelIndex(),  # noqa: B008 - Qt's signature
    ) -> int:
        """Return the number of visible rows."""
        return 0 if parent.isValid() else len(self._visible_frame_rows)

    def columnCount(  # noqa: N802 - Qt's name
        self,
        parent: QModelIndex = QModelIndex(),  # noqa: B008 - Qt's signature
    ) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell for a role, or None.

        Qt requests eight roles for every cell that it measures or paints. Unsupported roles are
        therefore rejected first.

        Args:
            index: Cell.
            role: Qt's name for what it needs of the cell: the displayed text, the alignment, the
                tooltip, the background or the text colour.
        """
        if role not in _SUPPORTED_ROLES or not index.isValid():
            return None
        number = index.column()
        column = self.columns[number]
        if role == _ALIGNMENT_ROLE:
            return _ALIGN_RIGHT if column.align_right else _ALIGN_LEFT

        frame_row = self._visible_frame_rows[index.row()]
        if role == _DISPLAY_ROLE:
            return column.format_value(self._values[number][frame_row])
        if role == _TOOLTIP_ROLE:
            return self._cell_tooltip(column, self._values[number][frame_row])

        # The remaining roles are the colours of the background and of the text.
        shades = self._shades[number]
        shade = None if shades is None else shades[frame_row]
        if not shade:
            return None
        colour = shade if role == _BACKGROUND_ROLE else _SHADED_TEXT
        return QBrush(QColor(colour))

    @staticmethod
    def _cell_tooltip(column: TableColumn, value: Any) -> str:
        """Return the tooltip of a cell: that of its column, after the full text of a cut value."""
        if not column.max_width:
            return escape_rich_text(column.tooltip)
        return escape_rich_text(f"{column.format_full(value)}\n{column.tooltip}")

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the title, the tooltip or the alignment of a column, or None."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        if role == _DISPLAY_ROLE:
            return column.title
        if role == _ALIGNMENT_ROLE:
            return ALIGN_TITLE
        if role == _TOOLTIP_ROLE:
            return escape_rich_text(column.tooltip)
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the rows by a column; missing values come last in both directions.

        Args:
            column: number of the column; an invalid one restores the order of the data frame.
            order: direction.
        """
        self.layoutAboutToBeChanged.emit()
        # Qt's persistent indexes, such as the selection, must follow their rows.
        persistent_indexes = self.persistentIndexList()
        persistent_frame_rows = [self.frame_row(index.row()) for index in persistent_indexes]
        self._sorting = None
        if 0 <= column < len(self.columns):
            self._sorting = (column, order == Qt.SortOrder.AscendingOrder)
        self._sorted_order = None
        self._update_rows()

        visible_frame_rows = self._visible_frame_rows.tolist()
        row_of_frame_row = {frame_row: row for row, frame_row in enumerate(visible_frame_rows)}
        for index, frame_row in zip(persistent_indexes, persistent_frame_rows):
            new_index = self.index(row_of_frame_row[frame_row], index.column())
            self.changePersistentIndex(index, new_index)
        self.layoutChanged.emit()

    def _update_rows(self) -> None:
        """Update the visible rows after the data frame, the sorting or the filter changed.

        A row is visible if it fulfils every term of the filter: a word that any column contains,
        or a title with the text that the column of this title must equal.
        """
        if self._sorted_order is None:
            self._sorted_order = self._sorted_frame_rows()
        is_visible = np.ones(len(self._frame), dtype=bool)
        for title, text, word in _FILTER_TERM.findall(self._filter_text.casefold()):
            if title:
                is_visible &= self._rows_equal(title, _DOUBLED_QUOTATION_MARK.sub('"', text))
            else:
                is_visible &= self._rows_containing(word)
        self._visible_frame_rows = self._sorted_order[is_visible[self._sorted_order]]

    def _sorted_frame_rows(self) -> Ints:
        """Return all frame rows (n,) in sorted order."""
        if self._sorting is None:
            return np.arange(len(self._frame))
        column, is_ascending = self._sorting
        values = self._frame[self.columns[column].name]
        ordered = values.sort_values(ascending=is_ascending, kind="stable", na_position="last")
        return ordered.index.to_numpy(dtype=np.intp)

    def _rows_equal(self, title: str, text: str) -> np.ndarray:
        """Return a mask (n,) of frame rows with a text in a column of a title, both lower case."""
        mask = np.zeros(len(self._frame), dtype=bool)
        for number, column in enumerate(self.columns):
            if column.title.casefold() == title:
                column_texts = self._column_texts(number)
                is_equal = [candidate == text for candidate in column_texts.texts]
                mask |= np.array(is_equal, dtype=bool)[column_texts.codes]
        return mask

    def _rows_containing(self, word: str) -> np.ndarray:
        """Return a mask (n,) of frame rows with a word in any column; the word is lower case."""
        mask = np.zeros(len(self._frame), dtype=bool)
        for number in range(len(self.columns)):
            column_texts = self._column_texts(number)
            has_word = [word in text for text in column_texts.texts]
            mask |= np.array(has_word, dtype=bool)[column_texts.codes]
        return mask

    def _column_texts(self, number: int) -> _ColumnTexts:
        """Return the texts of a column, which are formatted when they are first needed.

        Args:
            number: Number of the column.

        Returns:
            The distinct texts in lower case, and the index of the text of each frame row (n,).
        """
        if number in self._texts:
            return self._texts[number]

        column = self.columns[number]
        values = self._frame[column.name]
        if isinstance(column.format_value, NumberFormat):
            values = column.format_value.round_safely(values)
        # Each distinct value is formatted only once.
        codes, distinct_values = pd.factorize(values, use_na_sentinel=False)
        has_integers = distinct_values.to_numpy().dtype.kind == "i"
        if has_integers and column.format_value is format_integer:
            # A call of format_integer for each of many ids would be slow.
            texts = [str(value) for value in distinct_values.tolist()]
        else:
            texts = [column.format_value(value).casefold() for value in distinct_values.tolist()]
        self._texts[number] = _ColumnTexts(codes, texts)
        return self._texts[number]
