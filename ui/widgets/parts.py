"""What widgets are put together from: rows and columns, labels, buttons, the frame of results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from qgis.PyQt.QtCore import QSignalBlocker, Qt
from qgis.PyQt.QtWidgets import QBoxLayout, QComboBox, QLabel, QLayout, QTabWidget, QToolButton, QWidget

from randcrowns.algorithms.choice import Option
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.colours import STALE, STALE_WORDS

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


def tell(label: QLabel, text: str) -> None:
    """Show this text; a label without any is hidden."""
    label.setText(text)
    label.setVisible(bool(text))


class OptionBox(QComboBox):
    """Offers options, one of which is chosen; narrow enough for a narrow dock."""

    def __init__(self, options: Iterable[Option] = ()) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.offered: tuple[Option, ...] = ()
        self.offer(options)

    @property
    def changed(self) -> Any:
        """Signal: another option is chosen."""
        return self.currentIndexChanged

    def value(self) -> str:
        """Key of the option chosen; empty for none."""
        return str(self.currentData() or "")

    def show_value(self, key: str) -> None:
        """Choose an option; the first where this one is not offered."""
        self.setCurrentIndex(max(0, self.findData(key)))

    def offer(self, options: Iterable[Option], choose: Callable[[Any], str | None] = lambda before: before) -> None:
        """Offer other options, silently.

        Args:
            options: from top to bottom; with those that are offered already nothing changes.
            choose: which to choose, by the key of the one chosen before, None where there was none; that same one
                by default, and the first where it is not offered.
        """
        before, self.offered = self.offered, tuple(options)
        if self.offered == before:
            return
        chosen = choose(self.currentData())
        with QSignalBlocker(self):
            self.clear()
            for place, option in enumerate(self.offered):
                self.addItem(option.label, option.key)
                self.setItemData(place, option.help, Qt.ItemDataRole.ToolTipRole)
            self.setCurrentIndex(max(0, self.findData(chosen)))


def tool_button(text: str, tooltip: str, clicked: Callable[..., Any] | None = None) -> QToolButton:
    """A small button."""
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tooltip)
    if clicked is not None:
        button.clicked.connect(clicked)
    return button


class TabbedResults(QWidget):
    """The lower half of a page: whether the results are out of date, the answer, and tabs."""

    #: What is shown, None before a run.
    results: Any = None

    def __init__(self, tabs: QTabWidget | None = None) -> None:
        super().__init__()
        self.stale = wrapped(form=Qt.TextFormat.PlainText)  # a layer's name stands in it
        self.stale.setStyleSheet(
            f"QLabel {{ background: {STALE}; color: {STALE_WORDS}; padding: 3px 6px; border: 1px solid; }}"
        )
        self.stale.hide()
        self.tabs = QTabWidget() if tabs is None else tabs  # an empty one counts as false
        self.tabs.setDocumentMode(True)

    def set_stale(self, why: str) -> None:
        """Mark the results as old, with the reason; an empty reason takes the mark away."""
        tell(self.stale, tr("These results are out of date: {why} Run again.", why=why) if why else "")

    def forget_choice(self) -> None:
        """Nothing is chosen any more that would be drawn on the map."""
        raise NotImplementedError

    @property
    def is_stale(self) -> bool:
        """Whether the results are marked as old."""
        return not self.stale.isHidden()

    def enable_tab(self, page: QWidget, enabled: bool) -> None:
        """Whether a tab can be gone to."""
        self.tabs.setTabEnabled(self.tabs.indexOf(page), enabled)

    def add_tab(self, page: QWidget, title: str, tooltip: str = "") -> None:
        """Add a tab behind the others."""
        self.tabs.setTabToolTip(self.tabs.addTab(page, title), tooltip)
