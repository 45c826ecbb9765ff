"""Answer for several delineation layers: a row per layer with intervals, the best first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from qgis.PyQt.QtCore import QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
)

from randcrowns.algorithms.scoring.answer import MeanScore
from randcrowns.algorithms.scoring.schema.outputs import PAIRS
from randcrowns.core.arrays import number_with_interval_text
from randcrowns.core.classes.best_layer import compare_layers
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.status import NOT_FOUND_STATUSES
from randcrowns.layers.localization import escape_rich_text, tr
from randcrowns.ui.scoring.results import LayerScores
from randcrowns.ui.widgets.parts import set_accessible_name
from randcrowns.ui.widgets.table_model import (
    NumberFormat,
    TableColumn,
    format_text,
    table_columns,
)

#: Maximum number of rows that are visible without scrolling.
_MAX_ROWS = 5
#: Space above and below the text of a row together, pixels.
_ROW_PADDING = 3
#: Minimum width of the table, pixels.
_MIN_WIDTH = 200
#: Minimum width of the names, pixels.
_MIN_NAME_WIDTH = 90
#: Minimum width of the last column if its title is cut, pixels.
_MIN_CUT_TITLE_WIDTH = 70
#: Width that a title needs in addition to the width that Qt computes from rounded texts, pixels.
_TITLE_PADDING = 2


class _ColumnFit(NamedTuple):
    """A way to fit the columns into the table."""

    #: First column of scores without intervals.
    first_short_column: int
    #: True if the title of the last column is cut.
    is_title_cut: bool


#: Ways to fit the columns, from wide to narrow.
_COLUMN_FITS = (
    _ColumnFit(len(SCORES) + 1, is_title_cut=False),
    _ColumnFit(2, is_title_cut=False),
    _ColumnFit(2, is_title_cut=True),
    _ColumnFit(1, is_title_cut=False),
    _ColumnFit(1, is_title_cut=True),
)
#: Sign before the name of a layer that can be called better than all others.
BEST_SIGN = "★"


class _MeanTexts(NamedTuple):
    """Texts of a cell with a mean score."""

    #: The mean with its interval.
    long: str
    #: The mean alone.
    short: str


class LayerTable(QTableWidget):
    """Mean scores of several delineation layers, sorted by RandCrowns."""

    #: Emitted with the index of the layer, in the order of the results, that the user selects.
    layer_selected = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        #: Index of the layer of each row, in the order of the results.
        self._layer_of_row: list[int] = []
        #: Row and column of a cell with a mean score -> its texts.
        self._mean_texts: dict[tuple[int, int], _MeanTexts] = {}
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(1)
        self.horizontalHeader().setMinimumSectionSize(30)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setWordWrap(False)
        set_accessible_name(self, tr("Mean scores of the delineation layers"))
        self.currentCellChanged.connect(self._on_row_changed)
        self.hide()

    @property
    def layer_order(self) -> list[int]:
        """Indices of the layers in the order of the rows."""
        return list(self._layer_of_row)

    def show_layers(self, layers: Sequence[LayerScores], displayed: int) -> None:
        """Show the layers, and select the displayed one; hide the table if there is only one.

        Args:
            layers: scores of the delineation layers of a run.
            displayed: index of the layer whose crowns are displayed.
        """
        self.setVisible(len(layers) > 1)
        if len(layers) < 2:
            return

        def sort_key(index: int) -> tuple[bool, float]:
            """Return a key by which the layers are sorted by their mean score."""
            return _sort_key(layers[index].answer.means["randcrowns"].mean)

        self._layer_of_row = sorted(range(len(layers)), key=sort_key)
        comparison = compare_layers([layer.crowns for layer in layers])
        best_index = None if comparison is None else comparison.better_than_all

        is_blocked = self.blockSignals(True)
        self._mean_texts.clear()
        self._set_headers()
        self.setRowCount(len(layers))
        for row, index in enumerate(self._layer_of_row):
            self._fill_row(row, layers[index], is_best=index == best_index)
        self._select_row(self._layer_of_row.index(displayed))
        self.blockSignals(is_blocked)
        self._fit_columns()
        self.updateGeometry()

    def select_layer(self, index: int) -> None:
        """Select the row of a layer without emitting :attr:`layer_selected`."""
        if index in self._layer_of_row:
            is_blocked = self.blockSignals(True)
            self._select_row(self._layer_of_row.index(index))
            self.blockSignals(is_blocked)

    def _select_row(self, row: int) -> None:
        """Select a row; Qt's ``selectRow`` selects nothing in a layout from right to left."""
        self.setCurrentCell(row, 0)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return a size with all rows, up to a maximum number."""
        visible_count = min(self.rowCount(), _MAX_ROWS)
        rows_height = sum(self.rowHeight(row) for row in range(visible_count))
        header_height = self.horizontalHeader().sizeHint().height()
        frame_height = 2 * self.frameWidth()
        return QSize(_MIN_WIDTH, header_height + rows_height + frame_height)

    minimumSizeHint = sizeHint  # noqa: N815 - Qt's name

    def _set_headers(self) -> None:
        """Set the titles of the columns, with their meaning as tooltips."""
        headers = [(tr("Delineations"), tr("Delineation layer; select a row to see its crowns."))]
        headers += [(score.title, score.tooltip) for score in _score_columns()]
        headers.append((tr("Not detected"), tr("Number of targets without a delineation.")))
        self.setColumnCount(len(headers))
        for column, (title, tooltip) in enumerate(headers):
            item = QTableWidgetItem(title)
            item.setToolTip(escape_rich_text(tooltip))
            self.setHorizontalHeaderItem(column, item)

    def _fill_row(self, row: int, layer: LayerScores, is_best: bool) -> None:
        """Show the name, the mean scores and the number of missing crowns of a layer.

        Args:
            row: Row of the table.
            layer: Scores of the layer.
            is_best: True if the layer can be called better than all others.
        """
        answer = layer.answer
        name = f"{BEST_SIGN} {layer.name}" if is_best else layer.name
        self._set_cell(row, 0, name, _name_sentence(layer.name, is_best))
        for column, score in enumerate(_score_columns(), start=1):
            mean = answer.means[score.name]
            interval_text = number_with_interval_text(mean.mean, mean.low, mean.high)
            texts = _MeanTexts(long=format_text(interval_text), short=NumberFormat(2)(mean.mean))
            self._mean_texts[row, column] = texts
            mean_sentence = _mean_sentence(layer.name, score, mean, answer.n_scored)
            self._set_cell(row, column, texts.long, mean_sentence)
        missing_count = sum(answer.target_counts[status] for status in NOT_FOUND_STATUSES)
        missing_sentence = tr(
            "{layer}: {count:,} of {targets:,} targets have no delineation.",
            layer=layer.name,
            count=missing_count,
            targets=answer.n_targets,
        )
        last_column = len(SCORES) + 1
        self._set_cell(row, last_column, NumberFormat(0)(missing_count), missing_sentence)

    def _set_cell(self, row: int, column: int, text: str, sentence: str) -> None:
        """Set the text of a cell, and a sentence that explains it."""
        item = QTableWidgetItem(text)
        item.setToolTip(escape_rich_text(sentence))
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, sentence)
        if column:
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            item.setTextAlignment(int(right))
        self.setItem(row, column, item)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fit the columns into the new width."""
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Give the numbers the width that they need, and the rest to the names.

        In a narrow table only the first score has its interval, or none, and the title of the last
        column is cut; tooltips have all.
        """
        for row in range(self.rowCount()):
            self.setRowHeight(row, self.fontMetrics().height() + _ROW_PADDING)
        min_name_width = max(
            _MIN_NAME_WIDTH, self.horizontalHeader().sectionSizeHint(0) + _TITLE_PADDING
        )
        last_column = self.columnCount() - 1
        for fit in _COLUMN_FITS:
            self._show_intervals_before(fit.first_short_column)
            self.resizeColumnsToContents()
            for column in range(1, self.columnCount()):
                self.setColumnWidth(column, self.columnWidth(column) + _TITLE_PADDING)
            number_widths = [self.columnWidth(column) for column in range(1, self.columnCount())]
            if fit.is_title_cut and number_widths:
                # The title gets the width that the names do not need.
                name_width = max(min_name_width, self.sizeHintForColumn(0) + _TITLE_PADDING)
                free_width = self.viewport().width() - name_width - sum(number_widths[:-1])
                cut_width = max(free_width, _MIN_CUT_TITLE_WIDTH)
                number_widths[-1] = min(number_widths[-1], cut_width)
                self.setColumnWidth(last_column, number_widths[-1])
            if sum(number_widths) + min_name_width <= self.viewport().width():
                break
        if self.columnCount():
            self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def _show_intervals_before(self, first_short_column: int) -> None:
        """Show the intervals of the mean scores only in the columns before one."""
        for (row, column), texts in self._mean_texts.items():
            item = self.item(row, column)
            if item is not None:
                item.setText(texts.long if column < first_short_column else texts.short)

    def _on_row_changed(self, row: int, *_: int) -> None:
        """Emit :attr:`layer_selected` with the layer of a row; nothing for an invalid row."""
        if 0 <= row < len(self._layer_of_row):
            self.layer_selected.emit(self._layer_of_row[row])


def _sort_key(mean: float) -> tuple[bool, float]:
    """Return a key that sorts high means first, and layers without a mean last."""
    return bool(np.isnan(mean)), -mean


def _score_columns() -> list[TableColumn]:
    """Return titles and meanings of the scores."""
    return table_columns(PAIRS, *SCORES)


def _name_sentence(name: str, is_best: bool) -> str:
    """Return what the sign before a name means; the name alone without a sign."""
    if not is_best:
        return name
    return tr(
        "{layer} can be called better than all others: paired tests of RandCrowns at 5 %, "
        "adjusted for all pairs of layers.",
        layer=name,
    )


def _mean_sentence(name: str, score: TableColumn, mean: MeanScore, n_crowns: int) -> str:
    """Return a sentence about the mean score of a layer."""
    format_number = NumberFormat(3)
    return tr(
        "{layer}: mean {score} of {count:,} crowns {mean}, 95 % interval {low} to {high}. {help}",
        layer=name,
        score=score.title,
        count=n_crowns,
        mean=format_number(mean.mean),
        low=format_number(mean.low),
        high=format_number(mean.high),
        help=score.tooltip,
    )
