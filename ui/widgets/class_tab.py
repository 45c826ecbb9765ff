"""Tab with the confusion matrix as a heatmap, and with the numbers per class."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import QRect, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QBrush, QColor, QPainter, QPalette, QResizeEvent
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QStyle,
    QStyleOptionHeader,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.classes.outputs import (
    CLASS_METRICS,
    CLASS_RESULT_TEXTS,
    CLASS_SUMMARY,
    METRIC_LABELS,
)
from randcrowns.core.classes.evaluation import ClassResult
from randcrowns.core.classes.matrix import (
    UNMATCHED_RESULTS,
    ArrangedMatrix,
    MatrixSide,
    arrange_matrix,
)
from randcrowns.layers.localization import (
    escape_rich_text,
    format_interval,
    format_value,
    insert_line_breaks,
    tr,
)
from randcrowns.ui.widgets.colours import (
    SECONDARY_TONE,
    WARNING_TONE,
    background_of,
    contrast,
    mix_colours,
)
from randcrowns.ui.widgets.parts import (
    FREE_SPACE,
    fill_layout,
    make_scrollable,
    make_tool_button,
    make_wrapped_label,
    set_accessible_name,
    set_text_or_hide,
)
from randcrowns.ui.widgets.table_model import ALIGN_TITLE, table_columns
from randcrowns.ui.widgets.table_view import TableWithExport, WrappedTitles

#: Colour of cells with right classes, and of cells with wrong classes, at a share of 1.
_RIGHT_COLOUR = QColor("#0072b2")
_WRONG_COLOUR = QColor("#d55e00")
#: Colour of cells with crowns that have no class or no match.
_OTHER_COLOUR = QColor("#808080")
#: Share of the colour in a cell with few crowns, so that no cell with a crown is blank.
_MINIMUM_SHADE = 0.15
#: Maximum width of a column of the matrix, pixels.
_MAX_COLUMN_WIDTH = 90
#: Maximum number of columns whose headings are not turned.
_MAX_UPRIGHT_COLUMNS = 8
#: Maximum length of a heading of the matrix, pixels. Longer ones are shortened in the middle, or
#: wrap if they stand above a column and are not turned.
_MAX_HEADING = 130
#: Share of the width of the matrix that the headings of rows may have if that is more.
_MAX_HEADING_SHARE = 0.35
#: Space before and after a heading, pixels.
_HEADING_MARGIN = 6
#: Minimum height of the matrix, pixels, and number of rows that it shows at least.
_MIN_HEIGHT = 140
_MIN_SHOWN_ROWS = 6
#: Maximum height of the table of classes, pixels; the matrix takes the rest.
_MAX_TABLE_HEIGHT = 190
#: Metrics of the summary that the line above the matrix contains.
_SHOWN_METRICS = ("accuracy", "f1_macro", "cohen_kappa", "map")


class CellCrowns(NamedTuple):
    """Crowns of one cell of the confusion matrix."""

    reference: str  #: class of the targets; "" without one.
    predicted: str  #: class of the predictions; "" without one.
    result: ClassResult  #: result of the comparison.

    @property
    def are_predictions(self) -> bool:
        """True if the crowns are predictions without a target, False if they are targets."""
        return self.result in UNMATCHED_RESULTS

    def describe(self) -> str:
        """Return a description of the crowns, such as "oak taken as ash"."""
        no_class = tr("no class")
        reference = self.reference or no_class
        predicted = self.predicted or no_class
        if self.are_predictions:
            return tr("{predicted} without a target", predicted=predicted)
        if self.result is ClassResult.NOT_FOUND:
            return tr("{reference} not detected", reference=reference)
        if self.result is ClassResult.RIGHT:
            return tr("{reference} with the right class", reference=reference)
        return tr("{reference} taken as {predicted}", reference=reference, predicted=predicted)

    def rows_of(self, crowns: pd.DataFrame) -> list[int]:
        """Return the rows of the cell's crowns in a table of targets, or of predictions.

        Args:
            crowns: table with the columns ``crown_class``, ``matched_class`` and
                ``class_result``.
        """
        crown_class = self.reference
        matched_class = self.predicted
        if self.are_predictions:
            # Predictions of a cell have no match.
            crown_class = self.predicted
            matched_class = ""
        has_class = crowns["crown_class"].fillna("") == crown_class
        has_matched_class = crowns["matched_class"].fillna("") == matched_class
        has_result = crowns["class_result"] == self.result.value
        return np.flatnonzero(has_class & has_matched_class & has_result).tolist()


class TurnedHeader(WrappedTitles):
    """Header of columns whose texts wrap, or are written upwards if there are many columns."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        #: True if the texts are written upwards.
        self.is_turned = False

    def sectionSizeFromContents(self, logicalIndex: int) -> QSize:  # noqa: N802
        """Return the size that a heading needs."""
        if not self.is_turned:
            return super().sectionSizeFromContents(logicalIndex)
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self._title(logicalIndex)) + 2 * _HEADING_MARGIN
        return QSize(metrics.height() + _HEADING_MARGIN, min(width, _MAX_HEADING))

    def paintSection(  # noqa: N802
        self,
        painter: QPainter,
        rect: QRect,
        logicalIndex: int,
    ) -> None:
        """Draw a heading."""
        if not self.is_turned:
            super().paintSection(painter, rect, logicalIndex)
            return
        option = QStyleOptionHeader()
        self.initStyleOption(option)
        option.rect = rect
        option.section = logicalIndex
        self.style().drawControl(QStyle.ControlElement.CE_HeaderSection, option, painter, self)
        painter.save()
        painter.setPen(self.palette().color(QPalette.ColorRole.ButtonText))
        painter.translate(rect.left(), rect.bottom())
        painter.rotate(-90)
        length = rect.height() - 2 * _HEADING_MARGIN
        text = self.fontMetrics().elidedText(
            self._title(logicalIndex), Qt.TextElideMode.ElideMiddle, length
        )
        alignment = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRect(_HEADING_MARGIN, 0, length, rect.width()), int(alignment), text)
        painter.restore()


class MatrixView(QTableWidget):
    """Confusion matrix as a heatmap; it scrolls if it has many classes."""

    #: Emitted with the :class:`CellCrowns` of a cell that the user chose.
    cell_chosen = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        self.matrix: ArrangedMatrix | None = None
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._column_header = TurnedHeader(self)
        self.setHorizontalHeader(self._column_header)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.verticalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.verticalHeader().setMinimumSectionSize(1)
        self.setMinimumHeight(_MIN_HEIGHT)
        set_accessible_name(self, tr("Confusion matrix"))
        self.cellClicked.connect(self._choose_cell)
        self.cellActivated.connect(self._choose_cell)

    def show_matrix(self, matrix: ArrangedMatrix) -> None:
        """Show a matrix: a row per class of the targets, a column per predicted class."""
        self.matrix = matrix
        self.clear()
        self.setRowCount(len(matrix.rows))
        self.setColumnCount(len(matrix.columns))
        self._column_header.is_turned = len(matrix.columns) > _MAX_UPRIGHT_COLUMNS
        self.setVerticalHeaderLabels([_side_text(side) for side in matrix.rows])
        # A word that is wider than its column is broken, too.
        self.setHorizontalHeaderLabels(
            [insert_line_breaks(_side_text(side)) for side in matrix.columns]
        )
        for column in range(len(matrix.columns)):
            item = self.horizontalHeaderItem(column)
            item.setData(Qt.ItemDataRole.TextAlignmentRole, ALIGN_TITLE)
        for row in range(len(matrix.rows)):
            for column in range(len(matrix.columns)):
                self.setItem(row, column, self._make_item(matrix, row, column))
        self._set_header_tooltips(matrix)
        self._fit_columns()
        self._show_several_rows()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Give the headings of the rows a share of the width."""
        super().resizeEvent(event)
        max_width = max(_MAX_HEADING, int(_MAX_HEADING_SHARE * self.width()))
        self.verticalHeader().setMaximumWidth(max_width)

    def _fit_columns(self) -> None:
        """Make each column wide enough for its numbers and its wrapped heading."""
        self.resizeColumnsToContents()
        for column in range(self.columnCount()):
            width = min(self.columnWidth(column), _MAX_COLUMN_WIDTH)
            if not self._column_header.is_turned:
                heading_width = min(self._column_header.two_line_width(column), _MAX_HEADING)
                width = max(width, heading_width)
            self.setColumnWidth(column, width)
        # The height of wrapped headings depends on the widths.
        self._column_header.headerDataChanged(
            Qt.Orientation.Horizontal, 0, max(0, self.columnCount() - 1)
        )
        self.updateGeometries()

    def _show_several_rows(self) -> None:
        """Make rows low, and the matrix high enough for several of them."""
        row_height = self.fontMetrics().height() + _HEADING_MARGIN
        self.verticalHeader().setDefaultSectionSize(row_height)
        visible_count = min(self.rowCount(), _MIN_SHOWN_ROWS)
        heading_height = self.horizontalHeader().sizeHint().height()
        scroll_bar_height = self.horizontalScrollBar().sizeHint().height()
        frame_height = 2 * self.frameWidth()
        needed_height = (
            heading_height + visible_count * row_height + scroll_bar_height + frame_height
        )
        self.setMinimumHeight(max(needed_height, _MIN_HEIGHT))

    def crowns_at(self, row: int, column: int) -> CellCrowns | None:
        """Return the crowns of a cell; None for a cell without a crown."""
        if self.matrix is None or not self.matrix.counts[row, column]:
            return None
        return CellCrowns(
            reference=self.matrix.rows[row].label,
            predicted=self.matrix.columns[column].label,
            result=self.matrix.result_at(row, column),
        )

    def _choose_cell(self, row: int, column: int) -> None:
        """Emit :attr:`cell_chosen` for a cell with crowns."""
        crowns = self.crowns_at(row, column)
        if crowns is not None:
            self.cell_chosen.emit(crowns)

    def _make_item(self, matrix: ArrangedMatrix, row: int, column: int) -> QTableWidgetItem:
        """Return the coloured cell with its number and tooltip."""
        count = int(matrix.counts[row, column])
        item = QTableWidgetItem(format_value(count, 0) if count else "")
        item.setTextAlignment(int(Qt.AlignmentFlag.AlignCenter))
        crowns = self.crowns_at(row, column)
        if crowns is None:
            return item
        share = float(matrix.shares[row, column])
        background = _cell_colour(crowns.result, share, background_of(self))
        item.setBackground(QBrush(background))
        item.setForeground(QBrush(_text_colour(background)))
        tooltip = tr(
            "{what}: {count:,} crowns, {share} % of the row. Click to select them.",
            one="{what}: 1 crown, {share} % of the row. Click to select it.",
            what=crowns.describe(),
            count=count,
            share=format_value(100 * share, 0),
        )
        item.setToolTip(escape_rich_text(tooltip))
        return item

    def _set_header_tooltips(self, matrix: ArrangedMatrix) -> None:
        """Set tooltips with the whole names of the rows and columns."""
        for number, side in enumerate(matrix.rows):
            text = tr("Targets: {name}", name=_side_text(side))
            self.verticalHeaderItem(number).setToolTip(escape_rich_text(text))
        for number, side in enumerate(matrix.columns):
            text = tr("Predicted: {name}", name=_side_text(side))
            self.horizontalHeaderItem(number).setToolTip(escape_rich_text(text))


class ClassTab(QWidget):
    """Tab with the confusion matrix, the crowns of the chosen cell, and the table of classes.

    Args:
        file_name: default name of the saved table of classes, without extension.
    """

    #: Emitted with the :class:`CellCrowns` of a cell that the user chose.
    cell_chosen = pyqtSignal(object)
    #: Emitted with the position of a crown among those of the chosen cell.
    crown_chosen = pyqtSignal(int)

    def __init__(self, file_name: str) -> None:
        super().__init__()
        #: Crowns of the chosen cell; None for no cell.
        self._crowns: CellCrowns | None = None
        #: Number of these crowns.
        self._n_crowns = 0
        #: Position of the shown crown among them, from 0.
        self._position = 0
        #: Most important numbers of all classes.
        self.summary_label = make_wrapped_label(text_format=Qt.TextFormat.PlainText)
        #: Note that crowns were drawn since the classes were compared.
        self.outdated_label = make_wrapped_label(tone=WARNING_TONE)
        self.matrix_view = MatrixView()
        self.matrix_view.cell_chosen.connect(self.cell_chosen)
        #: Crowns of the chosen cell, and the position of the shown one.
        self.cell_label = QLabel()
        self.cell_label.setTextFormat(Qt.TextFormat.PlainText)
        self.previous_button = make_tool_button(
            "◀", tr("Previous crown of the cell"), lambda: self.step(-1)
        )
        self.next_button = make_tool_button("▶", tr("Next crown of the cell"), lambda: self.step(1))
        self.class_table = TableWithExport(file_name)
        self.class_table.setMaximumHeight(_MAX_TABLE_HEIGHT)
        self._arrange_widgets()
        self.show_crowns(None, 0)

    def _arrange_widgets(self) -> None:
        """Arrange the widgets; the tab scrolls in a low dock, so that the page need not."""
        axes_label = make_wrapped_label(
            tr("Rows: class of the targets. Columns: class of their matches. Click a number."),
            SECONDARY_TONE,
        )
        button_row = fill_layout(
            QHBoxLayout(), self.cell_label, FREE_SPACE, self.previous_button, self.next_button
        )
        content = QWidget()
        fill_layout(
            QVBoxLayout(content),
            self.outdated_label,
            self.summary_label,
            axes_label,
            self.matrix_view,
            button_row,
            self.class_table,
            margins=(0, 4, 0, 0),
            spacing=3,
            stretched=self.matrix_view,
        )
        fill_layout(QVBoxLayout(self), make_scrollable(content))

    def show_classes(
        self, cells: pd.DataFrame, classes: pd.DataFrame, summary: pd.DataFrame
    ) -> None:
        """Show the classes of one layer.

        Args:
            cells: cells of the confusion matrix.
            classes: numbers per class.
            summary: numbers of all classes.
        """
        self.show_outdated(is_outdated=False)
        set_text_or_hide(self.summary_label, " · ".join(_metric_texts(summary)))
        self.matrix_view.show_matrix(arrange_matrix(cells))
        shown_names = [
            name for name in CLASS_METRICS.field_names if name in classes and name != "layer"
        ]
        filled_names = [name for name in shown_names if classes[name].notna().any()]
        self.class_table.show_frame(classes, table_columns(CLASS_METRICS, *filled_names))
        self.show_crowns(None, 0)

    def show_outdated(self, is_outdated: bool) -> None:
        """Show or hide a note that crowns were drawn since the classes were compared."""
        text = tr("Crowns were changed since. Run again to compare their classes.")
        set_text_or_hide(self.outdated_label, text if is_outdated else "")

    def show_crowns(self, crowns: CellCrowns | None, n_crowns: int) -> None:
        """Name the crowns of the chosen cell, and let the user step through them.

        Args:
            crowns: the crowns; None for no cell.
            n_crowns: number of crowns that can be shown.
        """
        self._crowns = crowns
        self._n_crowns = n_crowns
        self._position = 0
        self._update_buttons()

    def step(self, offset: int) -> None:
        """Go to another crown of the chosen cell; after the last one comes the first."""
        if self._n_crowns:
            self._position = (self._position + offset) % self._n_crowns
            self._update_buttons()
            self.crown_chosen.emit(self._position)

    def _update_buttons(self) -> None:
        """Update the label and the buttons of the chosen cell."""
        text = ""
        if self._crowns is not None:
            text = tr(
                "{what}: {number:,} of {count:,}",
                what=self._crowns.describe(),
                number=min(self._position + 1, self._n_crowns),
                count=self._n_crowns,
            )
        self.cell_label.setText(text)
        for button in (self.previous_button, self.next_button):
            button.setEnabled(self._n_crowns > 1)


def _side_text(side: MatrixSide) -> str:
    """Return the heading of a row or column."""
    return side.label if side.result is None else CLASS_RESULT_TEXTS[side.result.value]


def _metric_texts(summary: pd.DataFrame) -> list[str]:
    """Return the most important numbers of all classes with their intervals, as texts."""
    texts = []
    for _, row in summary.iterrows():
        if row["metric"] in _SHOWN_METRICS and pd.notna(row["value"]):
            number = format_interval(row["value"], row["low"], row["high"], 2)
            texts.append(f"{METRIC_LABELS[row['metric']]} {number}")
    return texts or [f"{CLASS_SUMMARY.label}: {tr('n/a')}"]


def _cell_colour(result: ClassResult, share: float, background: QColor) -> QColor:
    """Return the colour of a cell: the more crowns of the row, the stronger.

    Args:
        result: result of the crowns in the cell.
        share: share of the row's crowns, 0 to 1.
        background: colour of a blank cell.
    """
    colours = {ClassResult.RIGHT: _RIGHT_COLOUR, ClassResult.WRONG: _WRONG_COLOUR}
    full_colour = colours.get(result, _OTHER_COLOUR)
    weight = _MINIMUM_SHADE + (1 - _MINIMUM_SHADE) * share
    return mix_colours(background, full_colour, weight)


def _text_colour(background: QColor) -> QColor:
    """Return black or white, whichever has the higher contrast with a background."""
    return max((QColor("#000000"), QColor("#ffffff")), key=lambda ink: contrast(ink, background))
