"""Building blocks of the pages: layouts, labels, buttons, and the base class of results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
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
    QProxyStyle,
    QScrollArea,
    QStyle,
    QStyleOption,
    QTabWidget,
    QToolButton,
    QWidget,
)

from randcrowns.core.messages import Message
from randcrowns.layers.localization import tr
from randcrowns.layers.markup import Markup
from randcrowns.report.content import TableContent
from randcrowns.ui.widgets.colours import (
    STALE_BACKGROUND,
    STALE_TEXT,
    ThemedLabel,
    Tone,
)
from randcrowns.ui.widgets.folded_text import MessageArea

L = TypeVar("L", bound=QBoxLayout)


#: Item of :func:`fill_layout`: empty space that takes what the widgets leave free.
FREE_SPACE = 1


def fill_layout(
    layout: L,
    *items: QWidget | QLayout | int,
    margins: tuple[int, int, int, int] = (0, 0, 0, 0),
    spacing: int = -1,
    stretched: QWidget | None = None,
) -> L:
    """Add items to a row or column.

    Args:
        layout: layout to fill.
        items: widgets, layouts, and stretch factors of empty space.
        margins: left, top, right and bottom margin in pixels.
        spacing: space between items in pixels; -1 for the default of the style.
        stretched: widget among the items that takes the remaining space.

    Returns:
        The layout.
    """
    layout.setContentsMargins(*margins)
    if spacing >= 0:
        layout.setSpacing(spacing)
    for item in items:
        if isinstance(item, int):
            layout.addStretch(item)
        elif isinstance(item, QLayout):
            layout.addLayout(item)
        else:
            layout.addWidget(item, int(item is stretched))
    return layout


def make_wrapped_label(
    text: str = "", tone: Tone | None = None, text_format: Qt.TextFormat = Qt.TextFormat.PlainText
) -> ThemedLabel:
    """Return a label that wraps.

    Args:
        text: text of the label. Names in rich text must be escaped.
        tone: colour of the text; None for the colour of the theme.
        text_format: format of the text.
    """
    label = ThemedLabel(text, tone)
    label.setWordWrap(True)
    label.setTextFormat(text_format)
    return label


def set_text_or_hide(label: QLabel, text: str) -> None:
    """Set the text of a label; hide the label if the text is empty."""
    label.setText(text)
    label.setVisible(bool(text))


def retain_size_when_hidden(widget: QWidget) -> None:
    """Let a layout reserve room for a widget also while it is hidden."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


def hold_height(label: QLabel) -> None:
    """Make sure that a label with wrapped text does not become lower with a shorter text."""
    needed_height = label.heightForWidth(label.width())
    label.setMinimumHeight(max(label.minimumHeight(), needed_height))


#: Dynamic property of a widget with the heading of its page in the guide, see
#: :func:`set_guide_section`.
_GUIDE_PROPERTY = "randcrowns_guide_section"


def set_guide_section(section: str, *widgets: QWidget) -> None:
    """Let F1 in widgets, and in all widgets in them, open a section of the page's guide.

    Args:
        section: id of the heading, such as ``what-comes-out``.
        widgets: the widgets.
    """
    for widget in widgets:
        widget.setProperty(_GUIDE_PROPERTY, section)


def guide_section_of(widget: QWidget | None) -> str:
    """Return the section of the guide about a widget, see :func:`set_guide_section`; "" if none."""
    while widget is not None:
        section = widget.property(_GUIDE_PROPERTY)
        if section:
            return str(section)
        widget = widget.parentWidget()
    return ""


def set_accessible_name(field: QWidget, name: str) -> None:
    """Set the name that screen readers use for a field.

    The name also applies to all widgets in the field that can have the focus, except those with an
    accessible name or a button text of their own that contains a letter.

    Args:
        field: widget to name.
        name: accessible name.
    """
    for widget in (field, *field.findChildren(QWidget)):
        own_name = widget.accessibleName()
        if not own_name and isinstance(widget, QAbstractButton):
            own_name = widget.text()
        can_have_focus = widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        if can_have_focus and not any(character.isalpha() for character in own_name):
            widget.setAccessibleName(name)


def make_tool_button(
    text: str, tooltip: str, clicked: Callable[..., Any] | None = None
) -> QToolButton:
    """Return a small button.

    Args:
        text: text of the button. If it has no letters, screen readers use the tooltip.
        tooltip: tooltip of the button.
        clicked: function to call when the button is clicked; None for none.
    """
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tooltip)
    set_accessible_name(button, tooltip)
    if clicked is not None:
        button.clicked.connect(clicked)
    return button


def set_collapsed(box: QgsCollapsibleGroupBox, collapsed: bool) -> None:
    """Collapse or expand a group box without scrolling to it.

    QGIS scrolls to a group box that is expanded, which is right only after a click on it.
    """
    box.setScrollOnExpand(False)
    box.setCollapsed(collapsed)
    box.setScrollOnExpand(True)


def make_scrollable(content: QWidget, area: QScrollArea | None = None) -> QScrollArea:
    """Put a widget into an area that scrolls vertically.

    Args:
        content: widget to scroll.
        area: scroll area to use; None for a new one.

    Returns:
        The scroll area.
    """
    scroll_area = QScrollArea() if area is None else area
    scroll_area.setWidget(content)
    scroll_area.setWidgetResizable(True)
    scroll_area.setFrameShape(QFrame.Shape.NoFrame)
    scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return scroll_area


class _NarrowTabStyle(QProxyStyle):
    """Style whose tabs have less space beside their titles, so that six fit into 360 pixels.

    A style sheet could do this, too. But Qt draws tabs with a style sheet unlike all others.
    """

    def pixelMetric(  # noqa: N802 - Qt's name
        self,
        metric: QStyle.PixelMetric,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> int:
        """Return a measure of the current style, in pixels."""
        if metric == QStyle.PixelMetric.PM_TabBarTabHSpace:
            return _TAB_SPACE
        return int(super().pixelMetric(metric, option, widget))


#: Space beside the title of a tab, left and right together, pixels.
_TAB_SPACE = 12


#: Height of the tabs of results that is left to them if texts need room, pixels.
_MIN_TABS_HEIGHT = 80
#: Common number of lines of the message that results are out of date, and its padding with the
#: border above and below, pixels.
_BANNER_LINES = 2
_BANNER_PADDING = 10


class ResultsPanel(QWidget):
    """Base class of a page's results: a message if they are out of date, messages, and tabs.

    A subclass adds :attr:`stale_label`, :attr:`notes` and :attr:`tabs` to its layout.

    Args:
        tabs: tab widget to use; None for a new one.
    """

    #: Results that are shown; None before a run.
    results: Any = None
    #: Messages of the run.
    messages: tuple[Message, ...] = ()

    def __init__(self, tabs: QTabWidget | None = None) -> None:
        super().__init__()
        #: Message that the results are out of date, as plain text because it names layers.
        self.stale_label = make_wrapped_label(text_format=Qt.TextFormat.PlainText)
        self.stale_label.setStyleSheet(
            f"QLabel {{ background: {STALE_BACKGROUND}; color: {STALE_TEXT}; "
            "padding: 3px 6px; border: 1px solid; }"
        )
        self.stale_label.hide()
        #: Warnings and notes of the run.
        self.notes = MessageArea()
        #: Texts of the Run button, which the page shows in this panel.
        self.run_texts: tuple[QWidget, ...] = ()
        # An empty tab widget counts as False.
        self.tabs = QTabWidget() if tabs is None else tabs
        self.tabs.setDocumentMode(True)
        self.tabs.setUsesScrollButtons(True)
        # PyQt would delete a style that only the tab bar refers to.
        self._tab_style = _NarrowTabStyle()
        self._tab_style.setParent(self)
        self.tabs.tabBar().setStyle(self._tab_style)
        # Without it, Qt would cut off the texts instead of lowering the tabs.
        self.tabs.setMinimumHeight(_MIN_TABS_HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return a size at which no label outside the tabs and messages is cut off.

        Qt's minimum does not count the lines of wrapped labels. Tabs and messages are excluded,
        because Qt calls this often and they contain hundreds of widgets.
        """
        missing_height = 0
        for label in self._labels_outside_tabs():
            needed_height = label.heightForWidth(label.width())
            # Qt counts the minimum that a label was given.
            counted_height = max(label.minimumSizeHint().height(), label.minimumHeight())
            missing_height += max(0, needed_height - counted_height)
        # Qt counts the minimum height that the tabs were given.
        missing_height += max(0, self.tabs.minimumSizeHint().height() - _MIN_TABS_HEIGHT)
        return super().minimumSizeHint() + QSize(0, missing_height)

    def height_for_banner(self) -> int:
        """Return the height that :attr:`stale_label` will need; 0 while it is visible."""
        if self.is_stale:
            return 0
        lines = _BANNER_LINES * self.stale_label.fontMetrics().lineSpacing()
        return int(lines) + _BANNER_PADDING + int(self.layout().spacing())

    def _labels_outside_tabs(self) -> list[QLabel]:
        """Return the visible labels of the panel except those in the tabs and in the messages."""
        labels: list[QLabel] = []
        for child in self.tabs.parentWidget().children():
            is_searched = isinstance(child, QWidget) and child not in (self.tabs, self.notes)
            if not is_searched or not child.isVisibleTo(self):
                continue
            if isinstance(child, QLabel):
                labels.append(child)
            else:
                labels += child.findChildren(QLabel)
        return [label for label in labels if label.isVisibleTo(self)]

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Update the minimum height after the width changed."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def set_stale(self, why: str) -> None:
        """Mark the results as out of date, or as current if the reason is empty.

        Args:
            why: what changed since the run, as a sentence.
        """
        message = tr("These results are out of date: {why} Run again.", why=why) if why else ""
        set_text_or_hide(self.stale_label, message)

    def show_messages(self, messages: Iterable[Message]) -> None:
        """Store the messages of a run and show those that belong next to the answer."""
        self.messages = tuple(messages)
        self.update_notes()

    @property
    def visible_messages(self) -> list[Message]:
        """Messages that are shown next to the answer."""
        return [message for message in self.messages if self.is_shown_beside_answer(message)]

    def update_notes(self) -> None:
        """Update the messages next to the answer."""
        self.notes.show_messages(self.visible_messages)

    def is_shown_beside_answer(self, message: Message) -> bool:
        """Return True if a message is shown next to the answer: by default warnings and notes.

        A subclass that shows a message elsewhere overrides this.
        """
        return message.is_notice

    def clear_selection(self) -> None:
        """Clear the selection that the map shows."""
        raise NotImplementedError

    @property
    def is_stale(self) -> bool:
        """True if the results are marked as out of date."""
        return not self.stale_label.isHidden()

    def enable_tab(self, page: QWidget, enabled: bool) -> None:
        """Enable or disable a tab.

        Args:
            page: content of the tab.
            enabled: True to enable the tab.
        """
        self.tabs.setTabEnabled(self.tabs.indexOf(page), enabled)

    def add_tab(self, page: QWidget, title: str, tooltip: str = "") -> None:
        """Append a tab.

        Args:
            page: content of the tab.
            title: title of the tab, which also names the content for screen readers.
            tooltip: tooltip of the title.
        """
        set_accessible_name(page, title)
        self.tabs.setTabToolTip(self.tabs.addTab(page, title), tooltip)


#: Function that returns the text to copy in a format.
FormatText = Callable[[Markup], str]


def read_cells(model: QAbstractItemModel, rows: Sequence[int] | None = None) -> TableContent:
    """Return the cells of a table as texts; columns without a title are skipped.

    Args:
        model: model of the table.
        rows: rows to return; None for all.

    Returns:
        The titles, whether each column is aligned right (as in the model's first row), and the
        text of each cell.
    """
    # Number of a column with a title -> its title.
    titles = {}
    for column in range(model.columnCount()):
        title = model.headerData(column, Qt.Orientation.Horizontal)
        if title:
            titles[column] = str(title)
    row_numbers = range(model.rowCount()) if rows is None else rows
    cells = []
    for row in row_numbers:
        texts = [str(model.data(model.index(row, column))) for column in titles]
        cells.append(texts)
    is_right_aligned = [_is_right_aligned(model, column) for column in titles]
    return TableContent(list(titles.values()), is_right_aligned, cells)


def _is_right_aligned(model: QAbstractItemModel, column: int) -> bool:
    """Return True if the first cell of a column is aligned right."""
    alignment = model.data(model.index(0, column), Qt.ItemDataRole.TextAlignmentRole)
    return alignment is not None and bool(alignment & Qt.AlignmentFlag.AlignRight)


_COPY_LABELS = {
    Markup.TEXT: tr("Copy as text"),
    Markup.MARKDOWN: tr("Copy as Markdown"),
    Markup.LATEX: tr("Copy as LaTeX"),
}


def make_copy_actions(parent: QWidget, quote: FormatText) -> list[QAction]:
    """Return an action per format that copies a text to the clipboard.

    Args:
        parent: parent of the actions in Qt.
        quote: function that returns the text in a format, called when an action is triggered.
    """

    def copy_quote(markup: Markup, *_: object) -> None:
        """Copy the text in one of the formats to the clipboard."""
        QGuiApplication.clipboard().setText(quote(markup))

    actions = []
    for markup in Markup:
        action = QAction(_COPY_LABELS[markup], parent)
        action.triggered.connect(partial(copy_quote, markup))
        actions.append(action)
    return actions


def make_copy_button(tooltip: str, actions: Sequence[QAction]) -> QToolButton:
    """Return a small button that opens a menu of copy actions."""
    button = make_tool_button(tr("Copy"), tooltip)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    menu = QMenu(button)
    menu.addActions(list(actions))
    button.setMenu(menu)
    return button
