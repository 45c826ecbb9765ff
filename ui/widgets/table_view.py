"""A table that can be copied, saved and walked with the arrow keys."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    pyqtSignal,
)
from qgis.PyQt.QtGui import QGuiApplication, QKeySequence, QResizeEvent
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QAction,
    QHBoxLayout,
    QHeaderView,
    QStyle,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from randcrowns.layers.files.export import LAYER_FORMATS, has_driver, write_frame_to
from randcrowns.layers.quoting import Cells, quoted_table
from randcrowns.layers.words import local, shown, tr
from randcrowns.ui.services.saving import ask_and_save
from randcrowns.ui.widgets.colours import WARN
from randcrowns.ui.widgets.parts import (
    copy_actions,
    copy_button,
    fill,
    shown_cells,
    tell,
    tool_button,
    wrapped,
)
from randcrowns.ui.widgets.table_model import FrameModel, TableColumn

_XLSX = LAYER_FORMATS["xlsx"]
#: Of a table with a row per plot.
TO_CROWNS = tr("A double click on a row, or Enter, goes to its crowns.")
_WIDEST = 320
#: Least width of words that break, pixels.
_LEAST_WORDS = 96
_ROWS_MEASURED = 60
#: A title is never so high, pixels.
_HIGHEST = 1000


class _Titles(QHeaderView):
    """Titles of columns that break between their words, so that no narrow column is wide for its title alone."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)

    def least(self, section: int) -> int:
        """Pixels that a title needs on two lines, with the arrow where the rows are sorted by it."""
        metrics, style, words = self.fontMetrics(), self.style(), self._title(section).split()
        halves = ((" ".join(words[:place]), " ".join(words[place:])) for place in range(len(words)))
        longest = min((max(map(metrics.horizontalAdvance, lines)) for lines in halves), default=0)
        around = metrics.horizontalAdvance("n") + 2 * style.pixelMetric(
            QStyle.PixelMetric.PM_HeaderMargin
        )
        return int(longest + around + self._arrow(section))

    def _arrow(self, section: int) -> int:
        """Pixels that Qt's styles take from the title of this column for the arrow."""
        around = 2 * self.style().pixelMetric(QStyle.PixelMetric.PM_HeaderMargin)
        return self.height() // 2 + around if section == self.sortIndicatorSection() else 0

    def sectionSizeFromContents(self, section: int) -> QSize:  # noqa: N802 - Qt's name
        """As high as the title is in the width that the column has."""
        size = super().sectionSizeFromContents(section)
        around = 2 * self.style().pixelMetric(QStyle.PixelMetric.PM_HeaderMargin)
        room = QRect(0, 0, self.sectionSize(section) - around - self._arrow(section), _HIGHEST)
        words = self.fontMetrics().boundingRect(
            room, Qt.TextFlag.TextWordWrap, self._title(section)
        )
        return QSize(size.width(), max(size.height(), words.height() + around))

    def _title(self, section: int) -> str:
        return str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")


class TableView(QTableView):
    """Shows a :class:`FrameModel`. :attr:`row_chosen` tells the row of the table the user went to, or -1."""

    row_chosen = pyqtSignal(int)

    def __init__(self, model: FrameModel, file_name: str, wrapped: bool = False) -> None:
        super().__init__()
        self.frame_model = model
        self._file_name = file_name
        self._wrapped = wrapped
        self._quiet = False
        #: How the rows were made, a column of a saved table.
        self.made = ""
        self.titles = _Titles()
        self.setHorizontalHeader(self.titles)
        self.setModel(model)
        self._show_sorting()
        self.setSortingEnabled(True)
        model.modelReset.connect(self._show_sorting)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setAlternatingRowColors(True)
        self.setWordWrap(wrapped)
        self.setTabKeyNavigation(False)
        self.verticalHeader().setVisible(False)
        modes = QHeaderView.ResizeMode
        self.verticalHeader().setSectionResizeMode(
            modes.ResizeToContents if wrapped else modes.Fixed
        )
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        self.titles.setResizeContentsPrecision(_ROWS_MEASURED)
        self.titles.sortIndicatorChanged.connect(self._fit_arrow)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.copy_action = self._action(
            tr("Copy"), self.copy, QKeySequence(QKeySequence.StandardKey.Copy)
        )
        self.quote_actions = copy_actions(self, lambda form: quoted_table(self.cells(), form))
        self.addActions(self.quote_actions)
        self.export_action = self._action(tr("Save table…"), self.ask_and_export)
        self.selectionModel().currentRowChanged.connect(self._tell_current)

    def _show_sorting(self) -> None:
        """The arrow stands over the column that the rows are sorted by, or over none."""
        column, ascending = self.frame_model.sorting or (-1, True)
        orders = Qt.SortOrder
        with QSignalBlocker(self.horizontalHeader()):
            self.horizontalHeader().setSortIndicator(
                column, orders.AscendingOrder if ascending else orders.DescendingOrder
            )

    def fit_columns(self, widest: int = _WIDEST) -> None:
        """Make the columns as wide as their content, up to a width, the last one taking what is left."""
        spare = 0 if self._wrapped else 4
        around = self.fontMetrics().horizontalAdvance("n" if self._wrapped else "m")
        for number, column in enumerate(self.frame_model.columns):
            texts = map(self.fontMetrics().horizontalAdvance, self.frame_model.widest(number))
            written = max(texts, default=0) + around
            wanted = min(
                max(self.sizeHintForColumn(number) + spare, written), column.widest or widest
            )
            self.setColumnWidth(number, max(wanted, self.titles.least(number)))
        self.horizontalHeader().setStretchLastSection(not self._wrapped)
        self._give_the_rest()
        self.fit_titles()
        self._fit_arrow(self.titles.sortIndicatorSection())

    def _fit_arrow(self, sorted_by: int, *_: object) -> None:
        """The title that the arrow stands beside is not cut."""
        if 0 <= sorted_by < self.frame_model.columnCount():
            self.setColumnWidth(
                sorted_by, max(self.columnWidth(sorted_by), self.titles.least(sorted_by))
            )
            self.fit_titles()

    def fit_titles(self) -> None:
        """Make the row of titles as high as the columns' widths make them."""
        self.titles.headerDataChanged(
            Qt.Orientation.Horizontal, 0, max(0, self.frame_model.columnCount() - 1)
        )
        self.updateGeometries()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """The current row stays in view, as where a legend appears below the table."""
        row = self.visualRect(self.currentIndex())
        super().resizeEvent(event)
        self._give_the_rest()
        if row.top() >= 0 and self.viewport().height() < row.bottom() < event.oldSize().height():
            self.scrollTo(self.currentIndex())

    def _give_the_rest(self) -> None:
        if self._wrapped:
            others = sum(
                self.columnWidth(number) for number in range(1, self.frame_model.columnCount())
            )
            self.setColumnWidth(0, max(_LEAST_WORDS, self.viewport().width() - others))

    def select_frame_rows(self, rows: list[int]) -> None:
        """Select these rows of the table without choosing any (the map stays where it is)."""
        shown = self.frame_model.shown_rows(rows)
        last_column = self.frame_model.columnCount() - 1
        selection = QItemSelection()
        unbroken = np.split(shown, np.flatnonzero(np.diff(shown) > 1) + 1) if shown else []
        for stretch in unbroken:
            first, last = int(stretch[0]), int(stretch[-1])
            selection.select(
                self.frame_model.index(first, 0), self.frame_model.index(last, last_column)
            )
        self._quiet = True
        current = self.frame_model.index(shown[0], 0) if len(shown) == 1 else QModelIndex()
        self.selectionModel().setCurrentIndex(current, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if shown:
            self.scrollTo(self.frame_model.index(shown[0], 0))
        self._quiet = False

    def choose_frame_row(self, row: int) -> None:
        """Go to this row of the table, as if the user had clicked it."""
        shown = self.frame_model.shown_rows([row])
        if shown:
            # Not the view's own way, which takes a row off again while Ctrl is held.
            how = (
                QItemSelectionModel.SelectionFlag.ClearAndSelect
                | QItemSelectionModel.SelectionFlag.Rows
            )
            self.selectionModel().setCurrentIndex(self.frame_model.index(shown[0], 0), how)

    def selected_rows(self) -> list[int]:
        """The rows selected, as numbers of rows shown."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def copy(self) -> None:
        """Copy the rows selected (all when none is) to the clipboard, for a spreadsheet in the user's language."""
        rows = self.frame_model.to_save(self.selected_rows() or None)
        rows = rows.apply(lambda column: column.map(shown) if column.dtype == object else column)
        copied = rows.to_csv(index=False, sep="\t", decimal=local("."), lineterminator="\n")
        QGuiApplication.clipboard().setText(copied)

    def cells(self) -> Cells:
        """The rows selected (all when none is) as they are shown."""
        return shown_cells(self.frame_model, self.selected_rows() or None)

    def export(self, path: str) -> None:
        """Save the rows shown, by the ending of the path: as CSV, or as XLSX."""
        if Path(path).suffix.lower() == _XLSX.ending:
            write_frame_to(
                Path(path), _XLSX, self._file_name, self.frame_model.to_save(made=self.made)
            )
        else:
            Path(path).write_text(self.frame_model.as_csv(made=self.made), encoding="utf-8-sig")

    def ask_and_export(self) -> None:
        """Ask where, then save."""
        told = tr("Table saved as {file}.")
        kinds = {
            ".csv": tr("Table"),
            **({_XLSX.ending: tr("Spreadsheet")} if has_driver(_XLSX) else {}),
        }
        ask_and_save(self, tr("Save table"), self._file_name, kinds, self.export, told)

    def _tell_current(self, current: object) -> None:
        if self._quiet:
            return
        row = current.row()  # type: ignore[attr-defined]
        self.row_chosen.emit(self.frame_model.frame_row(row) if row >= 0 else -1)

    def _action(self, text: str, slot: object, keys: QKeySequence | None = None) -> QAction:
        action = QAction(text, self)
        if keys is not None:
            action.setShortcut(keys)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(slot)
        self.addAction(action)
        return action


class Noted(QWidget):
    """Shows a widget, and below it the sentences."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.inside = inside
        self.sentences = wrapped(tone=WARN)
        self.sentences.hide()
        fill(QVBoxLayout(self), inside, self.sentences, margins=(0, 4, 0, 0), wide=inside)

    def tell(self, sentences: Sequence[str]) -> None:
        """Show these sentences, or none."""
        tell(self.sentences, "\n".join(sentences))


class TableWithExport(QWidget):
    """A table with buttons that copy it and save it.

    Args:
        file_name: of the file that it is saved in, without its ending.
        wrapped: break the words of the first column, so that all columns fit into a narrow dock.
        above: stands above the table, with the button beside it, which else stands below.
        model: of the rows, where it is more than a plain one.
    """

    #: A row of the table was clicked twice, or Enter pressed on it.
    row_activated = pyqtSignal(int)

    def __init__(
        self,
        file_name: str,
        wrapped: bool = False,
        above: QWidget | None = None,
        model: FrameModel | None = None,
    ) -> None:
        super().__init__()
        self.model = FrameModel() if model is None else model
        self.view = TableView(self.model, file_name, wrapped=wrapped)
        told = tr("Save the table as CSV or XLSX (Ctrl+C copies the rows selected).")
        self.export = tool_button(tr("Save…"), told, self.view.ask_and_export)
        self.copy = copy_button(
            tr("Copy the rows selected, or all, as they are shown."), self.view.quote_actions
        )
        self.row = fill(
            QHBoxLayout(), 1 if above is None else above, self.copy, self.export, wide=above
        )
        parts = (self.view, self.row) if above is None else (self.row, self.view)
        fill(QVBoxLayout(self), *parts, wide=self.view)
        self.view.activated.connect(
            lambda index: self.row_activated.emit(self.model.frame_row(index.row()))
        )

    def show_frame(self, frame: pd.DataFrame, columns: Sequence[TableColumn]) -> None:
        """Show these rows."""
        self.model.set_frame(frame, columns)
        self.view.fit_columns()
