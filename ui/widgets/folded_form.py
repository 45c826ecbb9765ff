"""Parts of forms that can be folded away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qgis.gui import QgsCollapsibleGroupBox, QgsFieldComboBox, QgsMapLayerComboBox
from qgis.PyQt.QtCore import QObject, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLayout,
    QListWidget,
    QVBoxLayout,
    QWidget,
)

from randcrowns.ui.widgets.form_rows import add_row, form_in

__all__ = ["FoldedForm", "FoldingForm", "folding_box"]

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


def folding_box(title: str, layout: QLayout, folded: bool = False) -> QgsCollapsibleGroupBox:
    """A part of a form that can be folded away."""
    box = QgsCollapsibleGroupBox(title)
    box.setSaveCollapsedState(False)
    layout.setContentsMargins(0, 0, 0, 0)
    _inside(box, (6, 4, 6, 6)).setLayout(layout)
    box.setCollapsed(folded)
    return box


def _inside(box: QgsCollapsibleGroupBox, margins: tuple[int, int, int, int]) -> QWidget:
    """Room in the box. It shows and hides every direct child when it is folded, whatever that was meant to be."""
    inside = QWidget()
    around = QVBoxLayout(box)
    around.setContentsMargins(*margins)
    around.addWidget(inside)
    return inside


class FoldingForm(QWidget):
    """A form of parts, each of which can be folded away."""

    _boxes: Sequence[QgsCollapsibleGroupBox] = ()

    def fold(self) -> None:
        """Fold every part away: what comes of a run needs the room."""
        for box in self._boxes:
            box.setCollapsed(True)

    @property
    def is_folded(self) -> bool:
        """Whether nothing but the headings is shown."""
        return all(box.isCollapsed() for box in self._boxes)


class FoldedForm(QgsCollapsibleGroupBox):
    """Rarely needed choices, folded away at first. Emits :attr:`changed` whenever a field that it follows changed."""

    changed = pyqtSignal()

    def __init__(self, title: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.setObjectName(name)
        self.setSaveCollapsedState(False)
        self.rows = form_in(_inside(self, (6, 2, 6, 4)))

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
