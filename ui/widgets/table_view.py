"""Table view of a data frame, with buttons to copy and to save the table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    pyqtSignal,
)
from qgis.PyQt.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
)
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QAction,
    QHBoxLayout,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from randcrowns.layers.files.export import LAYER_FORMATS, has_driver, write_frame
from randcrowns.layers.localization import display_value, localize_number, tr
from randcrowns.layers.markup import format_table
from randcrowns.layers.spreadsheets import frame_for_csv
from randcrowns.report.content import TableContent
from randcrowns.ui.services.layer_watch import single_shot_timer
from randcrowns.ui.services.save_dialog import save_with_dialog
from randcrowns.ui.widgets.folded_text import FoldedText
from randcrowns.ui.widgets.parts import (
    FREE_SPACE,
    fill_layout,
    make_copy_actions,
    make_copy_button,
    make_tool_button,
    read_cells,
)
from randcrowns.ui.widgets.table_model import FrameModel, TableColumn

_XLSX = LAYER_FORMATS["xlsx"]
#: Tooltip of a table with a row per plot.
TO_CROWNS_TOOLTIP = tr("Double-click a row or press Enter to show its crowns.")
#: Default maximum width of a column, pixels.
_MAX_COLUMN_WIDTH = 320
#: Minimum width of a column whose text wraps, pixels.
_MIN_WRAPPED_WIDTH = 96
#: Number of rows whose width is measured when a column is fitted.
_ROWS_MEASURED = 60
#: Space above and below the text of a row together, pixels.
_ROW_PADDING = 3
#: Height that no title reaches, pixels.
_UNLIMITED_HEIGHT = 1000
#: Letters whose widths are the space beside a text: in wrapped tables and titles, and elsewhere.
_NARROW_PADDING, _WIDE_PADDING = "n", "m"
#: Further space of a column of a table that is not wrapped, pixels.
_SPARE_WIDTH = 4


class WrappedTitles(QHeaderView):
    """Column titles that wrap, so that a long title does not widen a narrow column.

    Args:
        parent: parent in Qt.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)

    def two_line_width(self, section: int) -> int:
        """Return the width in pixels at which a title fits on two lines.

        The width includes the sort indicator if the rows are sorted by the column.

        Args:
            section: number of the column.
        """
        text_width = self.fontMetrics().horizontalAdvance
        words = self._title(section).split()
        widths = []
        for break_position in range(len(words)):
            first_line = " ".join(words[:break_position])
            second_line = " ".join(words[break_position:])
            widths.append(max(text_width(first_line), text_width(second_line)))
        padding = text_width(_NARROW_PADDING) + self._margins()
        return int(min(widths, default=0) + padding + self._indicator_width(section))

    def sectionSizeFromContents(self, section: int) -> QSize:  # noqa: N802 - Qt's name
        """Return a size with the height of the wrapped title at the current width."""
        size = super().sectionSizeFromContents(section)
        margins = self._margins()
        text_width = self.sectionSize(section) - margins - self._indicator_width(section)
        text_rectangle = self.fontMetrics().boundingRect(
            QRect(0, 0, text_width, _UNLIMITED_HEIGHT),
            Qt.TextFlag.TextWordWrap,
            self._title(section),
        )
        return QSize(size.width(), max(size.height(), text_rectangle.height() + margins))

    def _margins(self) -> int:
        """Return the sum of the left and the right margin of a title, pixels."""
        return 2 * self.style().pixelMetric(QStyle.PixelMetric.PM_HeaderMargin)

    def _indicator_width(self, section: int) -> int:
        """Return the width that Qt's styles reserve for the sort indicator in a title, pixels."""
        if section != self.sortIndicatorSection():
            return 0
        return self.height() // 2 + self._margins()

    def _title(self, section: int) -> str:
        """Return the title of a column."""
        return str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")


class SwatchDelegate(QStyledItemDelegate):
    """Delegate that draws a cell in its own colour also while its row is selected."""

    def initStyleOption(  # noqa: N802 - Qt's name
        self, option: QStyleOptionViewItem, index: QModelIndex
    ) -> None:
        """Set the style of a cell, which never looks selected."""
        super().initStyleOption(option, index)
        option.state &= ~QStyle.StateFlag.State_Selected


class TableView(QTableView):
    """View of a :class:`FrameModel`, whose rows can be selected, sorted, copied and saved.

    Args:
        model: model of the rows.
        file_name: default name of the saved table, without extension.
        wrapped: True to wrap the text of the first column, so that all columns fit into the view.
    """

    #: Emitted with the frame row that the user went to, or -1 if there is none any more.
    row_chosen = pyqtSignal(int)

    def __init__(self, model: FrameModel, file_name: str, wrapped: bool = False) -> None:
        super().__init__()
        self.frame_model = model
        self._file_name = file_name
        self._is_wrapped = wrapped
        #: True while rows are selected without emitting :attr:`row_chosen`.
        self._is_quiet = False
        #: True while a mouse button is pressed on a row.
        self._is_pressed = False
        #: True if another row became current since the mouse button was pressed.
        self._has_pending_row = False
        #: Provenance of the rows, a column of the saved table; "" for no such column.
        self.provenance = ""
        self._set_up_columns()
        self._set_up_rows()
        self._add_actions()
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        # The selection of a click changes before the current row does.
        self._leaving_timer = single_shot_timer(0, self._leave_deselected_row, self)
        self.selectionModel().selectionChanged.connect(lambda *_: self._leaving_timer.start())

    def _set_up_columns(self) -> None:
        """Set the titles and the model, and let the user sort by a column."""
        self.titles = WrappedTitles()
        self.setHorizontalHeader(self.titles)
        self.setModel(self.frame_model)
        self._show_sort_indicator()
        self.setSortingEnabled(True)
        self.frame_model.modelReset.connect(self._show_sort_indicator)
        self.titles.setResizeContentsPrecision(_ROWS_MEASURED)
        self.titles.sortIndicatorChanged.connect(self._fit_sorted_title)
        self.titles.sortIndicatorChanged.connect(self._show_sorted_rows)

    def _add_actions(self) -> None:
        """Fill the context menu with the actions that copy and save the table."""
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        copy_keys = QKeySequence(QKeySequence.StandardKey.Copy)
        self.copy_action = self._add_action(tr("Copy"), self.copy, copy_keys)
        #: Actions that copy the table as text, Markdown and LaTeX.
        self.quote_actions = make_copy_actions(self, lambda form: format_table(self.cells(), form))
        self.addActions(self.quote_actions)
        self.export_action = self._add_action(tr("Save table…"), self.ask_and_export)

    def _set_up_rows(self) -> None:
        """Set the selection of whole rows and the height of rows."""
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setAlternatingRowColors(True)
        self.setWordWrap(self._is_wrapped)
        self.setTabKeyNavigation(False)
        self.verticalHeader().setVisible(False)
        modes = QHeaderView.ResizeMode
        self.verticalHeader().setSectionResizeMode(
            modes.ResizeToContents if self._is_wrapped else modes.Fixed
        )
        self._fit_row_height()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Fit the height of the rows to a new font, such as another size in QGIS's options."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_row_height()

    def _fit_row_height(self) -> None:
        """Give the rows the height of the font."""
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + _ROW_PADDING)

    def select_one_row_at_a_time(self) -> None:
        """Allow only one selected row, which is the current one."""
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)

    def selectionCommand(  # noqa: N802 - Qt's name
        self, index: QModelIndex, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        """Return how a click or key changes the selection; a single row is never deselected."""
        if self.selectionMode() == QAbstractItemView.SelectionMode.SingleSelection:
            flags = QItemSelectionModel.SelectionFlag
            return flags.ClearAndSelect | flags.Rows if index.isValid() else flags.NoUpdate
        return super().selectionCommand(index, event)

    def _show_sort_indicator(self) -> None:
        """Show the sort indicator in the title of the sorted column, or in none."""
        column, is_ascending = self.frame_model.sorting or (-1, True)
        orders = Qt.SortOrder
        order = orders.AscendingOrder if is_ascending else orders.DescendingOrder
        with QSignalBlocker(self.horizontalHeader()):
            self.horizontalHeader().setSortIndicator(column, order)

    def fit_columns(self, max_width: int = _MAX_COLUMN_WIDTH) -> None:
        """Fit the widths of the columns to their content; the last one takes the remaining width.

        Args:
            max_width: maximum width of columns without a maximum of their own, pixels.
        """
        for number, column in enumerate(self.frame_model.columns):
            limited_width = min(self._content_width(number), column.max_width or max_width)
            self.setColumnWidth(number, max(limited_width, self.titles.two_line_width(number)))
        self.horizontalHeader().setStretchLastSection(not self._is_wrapped)
        self._fit_wrapped_column()
        self.fit_titles()
        self._fit_sorted_title(self.titles.sortIndicatorSection())

    def _content_width(self, column_number: int) -> int:
        """Return the width that the texts of a column need, pixels."""
        text_width = self.fontMetrics().horizontalAdvance
        spare_width = 0 if self._is_wrapped else _SPARE_WIDTH
        padding = text_width(_NARROW_PADDING if self._is_wrapped else _WIDE_PADDING)
        measured_width = self.sizeHintForColumn(column_number) + spare_width
        texts = self.frame_model.widest_texts(column_number)
        widest_text = max(map(text_width, texts), default=0)
        return int(max(measured_width, widest_text + padding))

    def _show_sorted_rows(self, *_: object) -> None:
        """Show the top of the sorted rows, or the first selected row if there is one."""
        selected_rows = self.selected_rows()
        if selected_rows:
            self.scrollTo(self.frame_model.index(selected_rows[0], 0))
        else:
            self.scrollToTop()

    def _fit_sorted_title(self, section: int, *_: object) -> None:
        """Widen the sorted column if its title and the sort indicator need more room."""
        if 0 <= section < self.frame_model.columnCount():
            width = max(self.columnWidth(section), self.titles.two_line_width(section))
            self.setColumnWidth(section, width)
            self.fit_titles()

    def fit_titles(self) -> None:
        """Update the height of the titles for the widths of the columns."""
        last_column = max(0, self.frame_model.columnCount() - 1)
        self.titles.headerDataChanged(Qt.Orientation.Horizontal, 0, last_column)
        self.updateGeometries()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Keep the current row in view if the table becomes lower, as above a new legend."""
        row_rectangle = self.visualRect(self.currentIndex())
        super().resizeEvent(event)
        self._fit_wrapped_column()
        was_visible = row_rectangle.top() >= 0 and row_rectangle.bottom() < event.oldSize().height()
        if was_visible and self.viewport().height() < row_rectangle.bottom():
            self.scrollTo(self.currentIndex())

    def _fit_wrapped_column(self) -> None:
        """Give the remaining width to the first column if its text wraps."""
        if self._is_wrapped:
            other_columns = range(1, self.frame_model.columnCount())
            other_width = sum(self.columnWidth(number) for number in other_columns)
            self.setColumnWidth(0, max(_MIN_WRAPPED_WIDTH, self.viewport().width() - other_width))

    def select_frame_rows(self, rows: list[int]) -> None:
        """Select frame rows without emitting :attr:`row_chosen`, so that the map stays as it is."""
        shown_rows = self.frame_model.shown_rows(rows)
        selection = self._row_selection(shown_rows)
        first_index = QModelIndex()
        if shown_rows:
            first_index = self.frame_model.index(shown_rows[0], 0)
        current_index = first_index if len(shown_rows) == 1 else QModelIndex()

        self._is_quiet = True
        flags = QItemSelectionModel.SelectionFlag
        self._set_current_index(current_index)
        self.selectionModel().select(selection, flags.ClearAndSelect)
        if shown_rows:
            self.scrollTo(first_index)
        self._is_quiet = False

    def _row_selection(self, rows: list[int]) -> QItemSelection:
        """Return the selection of whole rows of the view, which are in ascending order."""
        last_column = self.frame_model.columnCount() - 1
        selection = QItemSelection()
        for first_row, last_row in _row_ranges(rows):
            top_left = self.frame_model.index(first_row, 0)
            bottom_right = self.frame_model.index(last_row, last_column)
            selection.select(top_left, bottom_right)
        return selection

    def go_to_frame_row(self, row: int) -> None:
        """Select a frame row as if the user had clicked it; ignore a row that is filtered out."""
        shown_rows = self.frame_model.shown_rows([row])
        if shown_rows:
            # QTableView.selectRow deselects a selected row while Ctrl is pressed.
            flags = QItemSelectionModel.SelectionFlag
            index = self.frame_model.index(shown_rows[0], 0)
            self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    def selected_rows(self) -> list[int]:
        """Return the selected rows of the view in ascending order."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def copy(self) -> None:
        """Copy the selected rows, or all if none is selected, to the clipboard.

        The format is tab-separated with the decimal separator of the user's language, as
        spreadsheets expect.
        """

        def display_column(column: pd.Series) -> pd.Series:
            """Return a column with texts instead of objects."""
            return column.map(display_value) if column.dtype == object else column

        table = self.frame_model.to_frame(self.selected_rows() or None)
        displayed_table = frame_for_csv(table.apply(display_column))
        text = displayed_table.to_csv(
            index=False, sep="\t", decimal=localize_number("."), lineterminator="\n"
        )
        QGuiApplication.clipboard().setText(text)

    def cells(self) -> TableContent:
        """Return the texts of the selected rows, or of all rows if none is selected."""
        return read_cells(self.frame_model, self.selected_rows() or None)

    def export(self, path: str) -> None:
        """Save the visible rows.

        Args:
            path: path of the file, which is written as XLSX if it ends so, and else as CSV.
        """
        if Path(path).suffix.lower() == _XLSX.suffix:
            table = self.frame_model.to_frame(provenance=self.provenance)
            write_frame(Path(path), _XLSX, self._file_name, table)
        else:
            text = self.frame_model.to_csv(provenance=self.provenance)
            Path(path).write_text(text, encoding="utf-8-sig")

    def ask_and_export(self) -> None:
        """Ask the user for a file and save the visible rows."""
        kinds = {".csv": tr("Table")}
        if has_driver(_XLSX):
            kinds[_XLSX.suffix] = tr("Spreadsheet")
        message = tr("Table saved as {file}.")
        save_with_dialog(self, tr("Save table"), self._file_name, kinds, self.export, message)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Select a row; :attr:`row_chosen` is emitted when the mouse button is released.

        Texts that follow the row would otherwise move the table under the mouse.
        """
        self._is_pressed = True
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Emit :attr:`row_chosen` if another row became current since the button was pressed."""
        super().mouseReleaseEvent(event)
        self.finish_press()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Keep the table without a current row if it has none; Qt makes the first row current."""
        had_current_row = self.currentIndex().isValid()
        was_quiet, self._is_quiet = self._is_quiet, True
        super().focusInEvent(event)
        if not had_current_row:
            self._set_current_index(QModelIndex())
        self._is_quiet = was_quiet

    def _leave_deselected_row(self) -> None:
        """Make the selected row current if the current one was deselected, or none if several are.

        A click below the rows, or with Ctrl on a selected row, deselects it, but it stays current.
        """
        rows = self.selected_rows()
        if self._is_pressed or not self.currentIndex().isValid():
            return
        if self.currentIndex().row() not in rows:
            is_one = len(rows) == 1
            self._set_current_index(self.frame_model.index(rows[0], 0) if is_one else QModelIndex())

    def _set_current_index(self, index: QModelIndex) -> None:
        """Set the current index and leave the selection as it is."""
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)

    def finish_press(self) -> None:
        """Emit :attr:`row_chosen` for the row under a mouse button that is still pressed."""
        self._is_pressed = False
        if self._has_pending_row:
            self._on_current_row_changed(self.currentIndex())
        self._leaving_timer.start()

    def _on_current_row_changed(self, current: QModelIndex) -> None:
        """Emit :attr:`row_chosen` with the frame row of an index, after the mouse is released."""
        self._has_pending_row = self._is_pressed and not self._is_quiet
        if self._is_quiet or self._is_pressed:
            return
        row = current.row()
        self.row_chosen.emit(self.frame_model.frame_row(row) if row >= 0 else -1)

    def _add_action(self, text: str, slot: object, keys: QKeySequence | None = None) -> QAction:
        """Add an action to the context menu.

        Args:
            text: label of the action.
            slot: function to call when the action is triggered.
            keys: shortcut while the view has the focus; None for none.
        """
        action = QAction(text, self)
        if keys is not None:
            action.setShortcut(keys)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(slot)
        self.addAction(action)
        return action


def _row_ranges(rows: list[int]) -> list[tuple[int, int]]:
    """Return the first and last row of each range of consecutive rows; rows are ascending."""
    if not rows:
        return []
    range_starts = np.flatnonzero(np.diff(rows) > 1) + 1
    ranges = np.split(rows, range_starts)
    return [(int(range_rows[0]), int(range_rows[-1])) for range_rows in ranges]


class WidgetWithNotes(QWidget):
    """Widget with notes below it.

    Args:
        inside: widget above the notes.
    """

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.content = inside
        #: Notes, hidden if there are none.
        self.notes_label = FoldedText()
        fill_layout(
            QVBoxLayout(self), inside, self.notes_label, margins=(0, 4, 0, 0), stretched=inside
        )

    def show_notes(self, sentences: Sequence[str]) -> None:
        """Show notes, folded, or hide them if there are none."""
        self.notes_label.show_texts(sentences)


class TableWithExport(QWidget):
    """Table with buttons to copy and to save it.

    Args:
        file_name: default name of the saved table, without extension.
        wrapped: True to wrap the text of the first column, so that all columns fit into the view.
        above: widget above the table, to the left of the buttons; None to place the buttons below
            the table.
        model: model of the rows; None for a new :class:`FrameModel`.
    """

    #: Emitted with a frame row that the user double-clicked, or on which Enter was pressed.
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
        self.save_button = make_tool_button(
            tr("Save…"),
            tr("Save the table as CSV or XLSX (Ctrl+C copies the selected rows)."),
            self.view.ask_and_export,
        )
        self.copy_button = make_copy_button(
            tr("Copy the selected rows, or all rows, as they are shown."), self.view.quote_actions
        )
        left_part = FREE_SPACE if above is None else above
        #: Row of the buttons.
        self.button_row = fill_layout(
            QHBoxLayout(), left_part, self.copy_button, self.save_button, stretched=above
        )
        # A widget above the table takes the buttons with it.
        if above is None:
            fill_layout(QVBoxLayout(self), self.view, self.button_row, stretched=self.view)
        else:
            fill_layout(QVBoxLayout(self), self.button_row, self.view, stretched=self.view)
        self.view.activated.connect(self._on_activated)

    def show_frame(self, frame: pd.DataFrame, columns: Sequence[TableColumn]) -> None:
        """Show a data frame and fit the widths of the columns.

        Args:
            frame: data frame with the names of the columns and of their shades.
            columns: columns to show from left to right.
        """
        self.model.set_frame(frame, columns)
        self.view.fit_columns()

    def _on_activated(self, index: QModelIndex) -> None:
        """Emit :attr:`row_activated` with the frame row of an index."""
        self.row_activated.emit(self.model.frame_row(index.row()))
