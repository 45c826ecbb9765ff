"""What widgets are put together from: rows and columns, labels, buttons, the frame of results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from qgis.gui import QgsCollapsibleGroupBox
from qgis.PyQt.QtCore import QAbstractItemModel, QSize, Qt
from qgis.PyQt.QtGui import QGuiApplication, QResizeEvent
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QAction,
    QBoxLayout,
    QFrame,
    QLabel,
    QLayout,
    QMenu,
    QScrollArea,
    QTabWidget,
    QToolButton,
    QWidget,
)

from randcrowns.core.remarks import Remark
from randcrowns.layers.quoting import Cells, Form
from randcrowns.layers.words import sentences, tr
from randcrowns.ui.widgets.colours import STALE, STALE_WORDS, WARN, Tone, Words

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


def wrapped(
    text: str = "", tone: Tone | None = None, form: Qt.TextFormat = Qt.TextFormat.PlainText
) -> Words:
    """A label whose words break, as they are; in rich text every name must be escaped, for it is somebody else's."""
    label = Words(text, tone)
    label.setWordWrap(True)
    label.setTextFormat(form)
    return label


def tell(label: QLabel, text: str) -> None:
    """Show this text; a label without any is hidden."""
    label.setText(text)
    label.setVisible(bool(text))


def read_out_as(field: QWidget, words: str) -> None:
    """What a screen reader calls a field, and all in it that takes the focus and has no words of its own."""
    for part in (field, *field.findChildren(QWidget)):
        own = part.accessibleName() or (part.text() if isinstance(part, QAbstractButton) else "")
        if part.focusPolicy() != Qt.FocusPolicy.NoFocus and not any(map(str.isalpha, own)):
            part.setAccessibleName(words)


def tool_button(text: str, tooltip: str, clicked: Callable[..., Any] | None = None) -> QToolButton:
    """A small button."""
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tooltip)
    read_out_as(button, tooltip)  # where its text is a sign
    if clicked is not None:
        button.clicked.connect(clicked)
    return button


def set_folded(box: QgsCollapsibleGroupBox, folded: bool) -> None:
    """Fold or unfold without scrolling to what is unfolded, as QGIS does after a click: nobody clicked."""
    box.setScrollOnExpand(False)
    box.setCollapsed(folded)
    box.setScrollOnExpand(True)


def in_scroll_area(inside: QWidget, area: QScrollArea | None = None) -> QScrollArea:
    """A widget that is scrolled up and down where there is not enough room."""
    area = QScrollArea() if area is None else area
    area.setWidget(inside)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area


#: Lines of warnings and notes that stand beside an answer, at least: a high window has room for more, the rest scrolls.
_MOST_LINES = 6


class Notes(QScrollArea):
    """The warnings and notes of a run, the same on every page: as high as its sentences, up to some lines."""

    def __init__(self) -> None:
        super().__init__()
        self._label = wrapped(tone=WARN)  # names of layers stand in them
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        in_scroll_area(self._label, self)
        self.hide()

    def text(self) -> str:
        """The sentences, a line each."""
        return self._label.text()

    def tell(self, remarks: Iterable[Remark]) -> None:
        """Show what these say, warnings first and what was put right in the input last; without any it is hidden."""
        told = sorted(remarks, key=lambda remark: (not remark.is_warning, remark.topic == "input"))
        tell(self._label, "\n".join(sentences(told)))
        self.setVisible(bool(self.text()))
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        frame = 2 * self.frameWidth()  # which some themes draw
        most = max(_MOST_LINES * self.fontMetrics().lineSpacing(), self.window().height() // 8)
        return min(self._label.heightForWidth(width - frame) + frame, most)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, self.heightForWidth(self.width()))

    minimumSizeHint = sizeHint  # noqa: N815 - Qt's name

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


class TabbedResults(QWidget):
    """The lower half of a page: whether the results are out of date, the answer, what a run noted, and tabs."""

    #: What is shown, None before a run.
    results: Any = None
    #: What the run said.
    remarks: tuple[Remark, ...] = ()

    def __init__(self, tabs: QTabWidget | None = None) -> None:
        super().__init__()
        self.stale = wrapped(form=Qt.TextFormat.PlainText)  # a layer's name stands in it
        self.stale.setStyleSheet(
            f"QLabel {{ background: {STALE}; color: {STALE_WORDS}; padding: 3px 6px; border: 1px solid; }}"
        )
        self.stale.hide()
        self.notes = Notes()
        self.tabs = QTabWidget() if tabs is None else tabs  # an empty one counts as false
        self.tabs.setDocumentMode(True)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As high as its sentences are at this width; tabs and notes hold hundreds of widgets, and Qt asks often."""
        parts = {*self.tabs.parentWidget().children()} - {self.tabs, self.notes}
        there = [part for part in parts if isinstance(part, QWidget) and part.isVisibleTo(self)]
        labels = [
            one
            for part in there
            for one in ([part] if isinstance(part, QLabel) else part.findChildren(QLabel))
        ]
        cut = (
            x.heightForWidth(x.width()) - x.minimumSizeHint().height()
            for x in labels
            if x.isVisibleTo(self)
        )
        return super().minimumSizeHint() + QSize(0, sum(max(0, missing) for missing in cut))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def set_stale(self, why: str) -> None:
        """Mark the results as old, with the reason; an empty reason takes the mark away."""
        tell(
            self.stale,
            tr("These results are out of date: {why} Run again.", why=why) if why else "",
        )

    def tell_remarks(self, remarks: Iterable[Remark]) -> None:
        """Show what a run said of its input and its numbers."""
        self.remarks = tuple(remarks)
        self.show_notes()

    @property
    def beside(self) -> list[Remark]:
        """What stands beside the answer now."""
        return list(filter(self.stands_beside, self.remarks))

    def show_notes(self) -> None:
        """Show beside the answer what stands there now."""
        self.notes.tell(self.beside)

    def stands_beside(self, remark: Remark) -> bool:
        """Whether it stands beside the answer: warnings and notes, where a page has no other place for them."""
        return remark.is_odd

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
        read_out_as(page, title)
        self.tabs.setTabToolTip(self.tabs.addTab(page, title), tooltip)


#: What is copied, in a form.
Quote = Callable[[Form], str]


def shown_cells(model: QAbstractItemModel, rows: Sequence[int] | None = None) -> Cells:
    """The cells of a table as they are shown; of some rows only, where these are named. Columns need a title."""
    roles, across = Qt.ItemDataRole, Qt.Orientation.Horizontal
    titles = [str(model.headerData(column, across) or "") for column in range(model.columnCount())]
    columns = [column for column, title in enumerate(titles) if title]
    wanted = range(model.rowCount()) if rows is None else rows
    cells = [[str(model.data(model.index(row, column))) for column in columns] for row in wanted]
    first = [model.data(model.index(0, column), roles.TextAlignmentRole) for column in columns]
    right = [one is not None and bool(one & Qt.AlignmentFlag.AlignRight) for one in first]
    return Cells([titles[column] for column in columns], right, cells)


_COPY_AS = dict(zip(Form, (tr("Copy as text"), tr("Copy as Markdown"), tr("Copy as LaTeX"))))


def copy_actions(parent: QWidget, quote: Quote) -> list[QAction]:
    """An action for each form, which copies what is quoted then."""
    made = []
    for form in Form:
        action = QAction(_COPY_AS[form], parent)
        action.triggered.connect(
            lambda *_, form=form: QGuiApplication.clipboard().setText(quote(form))
        )
        made.append(action)
    return made


def copy_button(tooltip: str, actions: Sequence[QAction]) -> QToolButton:
    """A small button with a menu of these."""
    button = tool_button(tr("Copy"), tooltip)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    menu = QMenu(button)
    menu.addActions(list(actions))
    button.setMenu(menu)
    return button
