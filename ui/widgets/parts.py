"""What widgets are put together from: rows and columns, labels, buttons, the frame of results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QBoxLayout, QLabel, QLayout, QTabWidget, QToolButton, QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.widgets.colours import STALE, WARN

L = TypeVar("L", bound=QBoxLayout)


def fill(
    layout: L,
    *items: QWidget | QLayout | int,
    margins: tuple[int, int, int, int] = (0, 0, 0, 0),
    spacing: int = -1,
    wide: QWidget | None = None,
) -> L:
    """Put items into a row or column; a number is a stretch, ``wide`` is the widget that takes the room left."""
    layout.setContentsMargins(*margins)
    if spacing >= 0:
        layout.setSpacing(spacing)
    for item in items:
        if isinstance(item, int):
            layout.addStretch(item)
        elif isinstance(item, QLayout):
            layout.addLayout(item)
        else:
            layout.addWidget(item, int(item is wide))
    return layout


def wrapped(text: str = "", colour: str = "", form: Qt.TextFormat = Qt.TextFormat.AutoText) -> QLabel:
    """A label whose words break; the plain form is for sentences with names of layers in them."""
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(form)
    if colour:
        label.setStyleSheet(f"color: {colour};")
    return label


def tool_button(text: str, tooltip: str, clicked: Callable[..., Any] | None = None) -> QToolButton:
    """A small button."""
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tooltip)
    if clicked is not None:
        button.clicked.connect(clicked)
    return button


class StaleLabel(QLabel):
    """Hidden while the results are fresh."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)  # a layer's name stands in it
        self.setStyleSheet(
            f"QLabel {{ background: {STALE}; color: {WARN}; padding: 3px 6px; border: 1px solid {WARN}; }}"
        )
        self.hide()

    def tell(self, why: str) -> None:
        """Show the reason; an empty one hides the line."""
        self.setText(tr("These results are out of date: {why} Run again.").format(why=why) if why else "")
        self.setVisible(bool(why))


class TabbedResults(QWidget):
    """The lower half of a page: whether the results are out of date, the answer, and tabs."""

    #: What is shown, None before a run.
    results: Any = None

    def __init__(self, parent: QWidget | None = None, tabs: QTabWidget | None = None) -> None:
        super().__init__(parent)
        self.results: Any = None
        self.stale = StaleLabel()
        self.tabs = tabs or QTabWidget()
        self.tabs.setDocumentMode(True)

    def set_stale(self, why: str) -> None:
        """Mark the results as old, with the reason; an empty reason takes the mark away."""
        self.stale.tell(why)

    @property
    def is_stale(self) -> bool:
        """Whether the results are marked as old."""
        return not self.stale.isHidden()

    def add_tab(self, page: QWidget, title: str, tooltip: str = "") -> None:
        """Add a tab behind the others."""
        self.tabs.setTabToolTip(self.tabs.addTab(page, title), tooltip)
