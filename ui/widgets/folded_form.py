"""Rarely needed choices, folded away."""

from __future__ import annotations

from typing import Any

from qgis.gui import QgsCollapsibleGroupBox, QgsFieldComboBox, QgsMapLayerComboBox
from qgis.PyQt.QtCore import QObject, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QListWidget,
    QVBoxLayout,
    QWidget,
)

from randcrowns.ui.widgets.form_rows import add_row, form_in

__all__ = ["FoldedForm"]

#: How a field says that it changed; the first that it is counts.
_SIGNALS: tuple[tuple[type[QObject], str], ...] = (
    (QgsFieldComboBox, "fieldChanged"),
    (QgsMapLayerComboBox, "layerChanged"),
    (QComboBox, "currentIndexChanged"),
    (QAbstractButton, "toggled"),
    (QAbstractSpinBox, "valueChanged"),
    (QListWidget, "itemChanged"),
    (QObject, "changed"),
)


class FoldedForm(QgsCollapsibleGroupBox):
    """Emits :attr:`changed` whenever one of the fields it follows changed."""

    changed = pyqtSignal()

    def __init__(self, title: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.setObjectName(name)
        self.setSaveCollapsedState(False)
        inside = QWidget()  # unfolding shows every direct child, also those meant to stay hidden
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 2, 6, 4)
        column.addWidget(inside)
        self.rows = form_in(inside)

    def show_what_matters(self) -> None:
        """Hide or disable what does not matter with the choices made."""

    def add_rows(self, *rows: tuple[str, QWidget]) -> None:
        """Add fields after their words."""
        for words, widget in rows:
            add_row(self.rows, words, widget)

    def follow(self, *fields: Any) -> None:
        """Tell changes of these."""
        for field in fields:
            name = next(name for kind, name in _SIGNALS if isinstance(field, kind))
            getattr(field, name).connect(self._tell)

    def _tell(self, *_: object) -> None:
        self.show_what_matters()
        self.changed.emit()
