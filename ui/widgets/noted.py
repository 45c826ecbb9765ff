"""A table or plot with the sentences that must be known beside it."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from qgis.PyQt.QtWidgets import QHBoxLayout, QHeaderView, QLabel, QToolButton, QVBoxLayout, QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.colours import WARN
from randcrowns.ui.tables import Column, FrameModel
from randcrowns.ui.widgets.table_view import TableView

__all__ = ["Noted", "TableWithExport"]


class Noted(QWidget):
    """Shows a widget, and below it the sentences."""

    def __init__(self, inside: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.inside = inside
        self.sentences = QLabel()
        self.sentences.setWordWrap(True)
        self.sentences.setStyleSheet(f"color: {WARN};")
        self.sentences.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.addWidget(inside, 1)
        column.addWidget(self.sentences)

    def tell(self, sentences: Sequence[str]) -> None:
        """Show these sentences, or none."""
        self.sentences.setText("\n".join(sentences))
        self.sentences.setVisible(bool(sentences))


class TableWithExport(QWidget):
    """A table with the button that saves it as CSV.

    Args:
        file_name: of the CSV file, without its ending.
        wrapped: break the words of the first column, so that all columns fit into a narrow dock.
    """

    def __init__(self, file_name: str, parent: QWidget | None = None, wrapped: bool = False) -> None:
        super().__init__(parent)
        self._wrapped = wrapped
        self.model = FrameModel([], self)
        self.view = TableView(self.model, file_name)
        self.export = QToolButton()
        self.export.setText(tr("CSV…"))
        self.export.setToolTip(tr("Save the table as a CSV file (Ctrl+C copies the rows selected)."))
        self.export.clicked.connect(self.view.ask_and_export)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view, 1)
        self.row = QHBoxLayout()
        self.row.addStretch(1)
        self.row.addWidget(self.export)
        column.addLayout(self.row)

    def show_frame(self, frame: pd.DataFrame, columns: Sequence[Column]) -> None:
        """Show these rows."""
        self.model.set_frame(frame, columns)
        self.view.fit_columns()
        if self._wrapped:
            self._wrap()

    def _wrap(self) -> None:
        self.view.setWordWrap(True)
        header = self.view.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
