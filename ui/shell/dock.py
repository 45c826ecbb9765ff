"""The RandCrowns dock: a row of page buttons, and the selected page below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from qgis.core import QgsProject
from qgis.gui import QgsDockWidget
from qgis.PyQt.QtCore import QEvent, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QFont,
    QFontMetrics,
    QKeySequence,
    QResizeEvent,
)
from qgis.PyQt.QtWidgets import (
    QAbstractScrollArea,
    QAction,
    QApplication,
    QButtonGroup,
    QFocusFrame,
    QFrame,
    QGridLayout,
    QSizePolicy,
    QStyle,
    QStyleOptionToolButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.instances.schema.parameters import CLOUD
from randcrowns.core.exchange.image_search import is_file
from randcrowns.layers.cloud.header import CLOUD_EXTENSIONS
from randcrowns.layers.files.project_results import project_geopackage
from randcrowns.layers.guide import FIRST_PAGE
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.tree import prepare_saving
from randcrowns.ui.services.interrupted_runs import offer_recovery
from randcrowns.ui.services.kept_layers import has_temporary_layers, store_temporary_layers
from randcrowns.ui.services.layer_watch import Connections, single_shot_timer
from randcrowns.ui.services.message_bar import MessageBar
from randcrowns.ui.services.overlapping_images import ImageFollower
from randcrowns.ui.services.settings import preference, set_preference
from randcrowns.ui.services.shortcuts import Shortcuts
from randcrowns.ui.services.waiting import busy_cursor, show_busy_until_idle
from randcrowns.ui.shell.import_dialog import open_import_dialog
from randcrowns.ui.shell.import_export import FileImporter
from randcrowns.ui.shell.page import DockPage
from randcrowns.ui.shell.running_page import RunningPage
from randcrowns.ui.widgets.colours import check_box_sheet, load_icon, tool_button_sheet
from randcrowns.ui.widgets.parts import fill_layout, guide_section_of, make_scrollable
from randcrowns.ui.widgets.stack_layout import StackLayout
from randcrowns.ui.widgets.wheel_guard import WheelGuard

#: Width of the dock when it is first shown, pixels.
COMMON_WIDTH = 440
#: Minimum width of the content, pixels.
MIN_WIDTH = 300


def opening_width(window_width: int) -> int:
    """Return the width at which the dock opens: the common width or a third of the window.

    Args:
        window_width: Width of the window of QGIS, pixels.
    """
    return max(MIN_WIDTH, min(COMMON_WIDTH, window_width // 3))


class _Arrangement(NamedTuple):
    """Rows of the page buttons, and how they show the names of the pages."""

    row_count: int  #: Number of rows.
    font_scale: float  #: Size of the names, relative to the default font.
    style: Qt.ToolButtonStyle  #: Position of the names.


@dataclass(frozen=True)
class PageEntry:
    """A page of the dock."""

    key: str  #: Name of the icon, and of the stored parameters in the project.
    package: str  #: Package below ``ui`` that contains the page.
    title: str  #: Name on the button.

    def load(self) -> type:
        """Import and return the class of the page.

        ``__import__`` is used because QGIS overrides it to register the modules of a plugin.
        Other modules would stay in memory when the plugin is reloaded.
        """
        class_name = f"{self.key.capitalize()}Page"
        module = __import__(f"randcrowns.ui.{self.package}.page", fromlist=[class_name])
        return getattr(module, class_name)


#: The pages in the order of their buttons.
PAGES = (
    PageEntry("start", "start", tr("Start")),
    PageEntry("score", "scoring", tr("Score")),
    PageEntry("annotators", "agreement", tr("Annotators")),
    PageEntry("detectors", "detectors", tr("Detectors")),
    PageEntry("instances", "instances", tr("Instances")),
    PageEntry("parameters", "tuning", tr("Parameters")),
    PageEntry("review", "review", tr("Review")),
    PageEntry("report", "report", tr("Report")),
)


#: Font sizes for page names in one row, relative to the default font, in the order they are tried.
_ONE_ROW_SCALES = (0.9, 0.85, 0.8)
#: The same for page names in two rows.
_TWO_ROW_SCALES = (0.9, 0.85, 0.8, 0.75, 0.7)
#: Width from which the names stand below the icons in two rows if one row is too narrow, pixels.
_MIN_NAMES_WIDTH = 340
#: Height of the dock below which the names in two rows stand beside the icons, pixels.
_LOW_HEIGHT = 600
#: Space between an icon and a name beside it, with the margins of the button, pixels.
_NAME_SPACING = 8
#: Sizes of the icons in one row and in two rows, pixels.
_ICON_SIZE = 22
_SMALL_ICON_SIZE = 16
#: Height of the dock when it is first shown, pixels.
_COMMON_HEIGHT = 700
#: Part of a button's own padding that it can do without, pixels.
_DISPENSABLE_PADDING = 4
#: Style of the buttons if the theme is a style sheet, such as a dark theme: with the padding of
#: Qt's own style.
_COMPACT_STYLE_SHEET = "QToolButton { padding: 0px 2px 0px 1px; margin: 0px; }"


class PageButtons(QFrame):
    """The page buttons and the help button.

    The buttons show the names of the pages below their icons, in one row if all names fit into
    it in a legible font, else in two rows, which have the names beside the icons in a low dock. If
    the dock is too narrow for that, one row shows only the icons.

    Args:
        buttons: The page buttons.
        help_button: The help button, at the right end.
    """

    #: Emitted when the names are shown or hidden.
    names_shown_changed = pyqtSignal()

    def __init__(self, buttons: Sequence[QToolButton], help_button: QToolButton) -> None:
        super().__init__()
        self._page_buttons = list(buttons)
        self._help_button = help_button
        self._default_font = self.font()
        #: True if the buttons show the names of the pages.
        self.has_names = False
        self._is_low = False
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(2, 2, 2, 2)
        self._grid.setSpacing(0)
        self._place_buttons(1)
        # The names must not widen the dock.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Adapt the names to the new width."""
        super().resizeEvent(event)
        self._update_buttons()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Adapt the names to another theme, whose buttons have another padding."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.PaletteChange):
            self._update_buttons()

    def set_low(self, is_low: bool) -> None:
        """Adapt the buttons to the height of the dock.

        Args:
            is_low: True if the dock is low.
        """
        if is_low != self._is_low:
            self._is_low = is_low
            self._update_buttons()

    def _update_buttons(self) -> None:
        """Set the rows, font, minimum width and style of the page buttons."""
        style_sheet = _COMPACT_STYLE_SHEET if QApplication.instance().styleSheet() else ""
        if style_sheet != self.styleSheet():
            self.setStyleSheet(style_sheet)  # emits a StyleChange event, which calls this again
            return
        arrangement = self._find_arrangement()
        self._place_buttons(arrangement.row_count)
        icon_size = _ICON_SIZE if arrangement.row_count == 1 else _SMALL_ICON_SIZE
        has_names = arrangement.style != Qt.ToolButtonStyle.ToolButtonIconOnly
        font = self._scaled_font(arrangement.font_scale) if has_names else self._default_font
        for button in self._page_buttons:
            button.setIconSize(QSize(icon_size, icon_size))
            button.setFont(font)
            button.setMinimumWidth(self._name_width(button, arrangement) if has_names else 0)
            button.setToolButtonStyle(arrangement.style)
        if self.has_names != has_names:
            self.has_names = has_names
            self.names_shown_changed.emit()

    def _find_arrangement(self) -> _Arrangement:
        """Return the first arrangement in which all names fit; only icons if there is none."""
        under_icon = Qt.ToolButtonStyle.ToolButtonTextUnderIcon
        right_of_icon = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        arrangements = [_Arrangement(1, scale, under_icon) for scale in _ONE_ROW_SCALES]
        if self.width() >= _MIN_NAMES_WIDTH:
            if self._is_low:
                arrangements += [_Arrangement(2, scale, right_of_icon) for scale in _TWO_ROW_SCALES]
            arrangements += [_Arrangement(2, scale, under_icon) for scale in _TWO_ROW_SCALES]
        for arrangement in arrangements:
            if self._fits(arrangement):
                return arrangement
        return _Arrangement(1, 1.0, Qt.ToolButtonStyle.ToolButtonIconOnly)

    def _rows(self, row_count: int) -> list[list[QToolButton]]:
        """Return the page buttons in rows of equal length; the last row may be shorter."""
        row_length = math.ceil(len(self._page_buttons) / row_count)
        starts = range(0, len(self._page_buttons), row_length)
        return [self._page_buttons[start : start + row_length] for start in starts]

    def _place_buttons(self, row_count: int) -> None:
        """Place the page buttons in rows, and the help button at the right end of the first."""
        for row_number, row in enumerate(self._rows(row_count)):
            for column, button in enumerate(row):
                self._grid.addWidget(button, row_number, column)
        # The same columns for any number of rows: an empty one separates the help button.
        empty_column = len(self._page_buttons)
        self._grid.setColumnStretch(empty_column, 1)
        self._grid.addWidget(self._help_button, 0, empty_column + 1)

    def _button_padding(self) -> int:
        """Return the horizontal padding of a page button with the frame of its style, pixels."""
        button = self._page_buttons[0]
        content_size = QSize(100, 40)  # any size larger than the minimum of a style
        option = QStyleOptionToolButton()
        option.initFrom(button)
        button_size = button.style().sizeFromContents(
            QStyle.ContentsType.CT_ToolButton, option, content_size, button
        )
        return int(button_size.width()) - content_size.width() - _DISPENSABLE_PADDING

    def _scaled_font(self, scale: float) -> QFont:
        """Return the default font of the buttons with a size relative to the current one."""
        font = QFont(self._default_font)
        font.setPointSizeF(scale * self.fontInfo().pointSizeF())
        return font

    def _name_width(self, button: QToolButton, arrangement: _Arrangement) -> int:
        """Return the width of a page button with its name, pixels."""
        metrics = QFontMetrics(self._scaled_font(arrangement.font_scale))
        width = metrics.horizontalAdvance(button.text()) + self._button_padding()
        if arrangement.style == Qt.ToolButtonStyle.ToolButtonTextBesideIcon:
            width += _SMALL_ICON_SIZE + _NAME_SPACING
        return int(width)

    def _fits(self, arrangement: _Arrangement) -> bool:
        """Return True if all names fit into the rows of an arrangement."""
        # A column is as wide as its widest name; the last row may lack columns.
        column_widths: dict[int, int] = {}
        for row in self._rows(arrangement.row_count):
            for column, button in enumerate(row):
                name_width = self._name_width(button, arrangement)
                column_widths[column] = max(name_width, column_widths.get(column, 0))
        margins = self.layout().contentsMargins()
        help_width = self._help_button.sizeHint().width()
        available_width = self.width() - margins.left() - margins.right() - help_width
        return sum(column_widths.values()) <= available_width


class RandCrownsDock(QgsDockWidget):
    """The dock with the pages, each of which is created when it is first shown.

    Args:
        iface: The interface of the QGIS window.
        parent: Parent widget.
    """

    def __init__(self, iface: Any, parent: QWidget | None = None) -> None:
        super().__init__(tr("RandCrowns"), parent)
        self.setObjectName("RandCrownsDock")
        self.setAllowedAreas(
            Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea
        )
        self._iface = iface
        #: Key of a page -> page, for those that were shown.
        self._pages: dict[str, DockPage] = {}
        self._buttons = QButtonGroup(self)
        self._stack = StackLayout(QWidget())
        self._importer = FileImporter(iface, self)
        self._image_follower = ImageFollower(self)
        self._shortcuts = Shortcuts(iface)
        self.setAcceptDrops(True)
        self._focus_frame = QFocusFrame(self)
        self._button_timer = single_shot_timer(0, self._update_button_colours, self)
        # Qt 5 sometimes crashes if a style sheet is set while it sends the events of a new font.
        self._font_timer = single_shot_timer(0, self._update_fonts, self)
        self._buttons.setExclusive(True)
        self._page_buttons = self._create_page_buttons()
        self._add_shortcuts()
        self._create_content()
        WheelGuard(self)
        self._connections = Connections()
        self._connect()
        last_page = preference("page", "")
        known_keys = [entry.key for entry in PAGES]
        self.show_page(last_page if last_page in known_keys else known_keys[0])
        offer_recovery(MessageBar(iface))

    def _connect(self) -> None:
        """Connect the signals of the project, of the keyboard focus and of the dock itself."""
        project = QgsProject.instance()
        self._connections.connect(project, "readProject", self._restore_pages)
        self._connections.connect(project, "cleared", self._restore_pages)
        self._connections.connect(project, "writeProject", self._store_with_project)
        self._connections.connect(QApplication.instance(), "focusChanged", self._mark_focus)
        # A dock that is docked or undocked is hidden for a moment only.
        hide_timer = single_shot_timer(0, self._leave_hidden_page, self)
        self._connections.connect(self, "visibilityChanged", lambda *_: hide_timer.start())

    @property
    def page(self) -> DockPage | None:
        """The current page."""
        widget = self._stack.currentWidget()
        return widget if isinstance(widget, DockPage) else None

    def show_page(self, key: str) -> DockPage:
        """Show a page, which is created if it was not shown before.

        Args:
            key: Key of the page, one of :data:`PAGES`.

        Returns:
            The page.
        """
        index = [entry.key for entry in PAGES].index(key)
        previous_page = self.page
        is_other_page = previous_page is not None and previous_page.key != key
        if previous_page is not None and is_other_page:
            previous_page.leave()
        if key not in self._pages:
            with busy_cursor():
                self._pages[key] = self._create_page(PAGES[index])
        page = self._pages[key]
        self._stack.setCurrentWidget(page)
        # The page is not visible while the dock is closed, but must be up to date when it opens.
        page.project_layers.report_missed_change()
        self._buttons.button(index).setChecked(True)
        set_preference("page", key)
        self._update_title()
        if previous_page is not None and is_other_page:
            page.adapt_to_previous(previous_page)
        return page

    def show_help(self, *_: object) -> None:
        """Open the guide at the section about the widget with the focus, else at the page."""
        messages = MessageBar(self._iface)
        if self.page is None:
            messages.show_guide(FIRST_PAGE)
            return
        focused = QApplication.focusWidget()
        is_on_page = focused is not None and self.page.isAncestorOf(focused)
        messages.show_guide(self.page.key, guide_section_of(focused) if is_on_page else "")

    def close_down(self) -> None:
        """Stop all work, and remove all shortcuts, signal connections and drawings."""
        self._shortcuts.close()
        self._importer.close()
        self._image_follower.close()
        self._connections.close()
        for page in self._pages.values():
            page.close_down()

    def event(self, event: QEvent) -> bool:
        """Open the guide on F1.

        QGIS has its own shortcut for F1. Accepting the ``ShortcutOverride`` event gives the key
        to the dock while it has the focus.
        """
        is_key_event = event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
        if is_key_event and event.matches(QKeySequence.StandardKey.HelpContents):
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                self.show_help()
            return True
        return bool(super().event(event))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Adapt the page buttons to the new height."""
        super().resizeEvent(event)
        self._page_buttons.set_low(self.height() < _LOW_HEIGHT)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Adapt the text of the buttons to another theme, and all text to another font."""
        super().changeEvent(event)
        if self.widget() is None:
            return
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.PaletteChange):
            self._button_timer.start()
        elif event.type() == QEvent.Type.FontChange:
            self._font_timer.start()

    def _update_fonts(self) -> None:
        """Give the current font to widgets with a style sheet.

        Qt gives them that of the time when the style sheet was set.
        """
        for widget in self.findChildren(QWidget):
            sheet = widget.styleSheet()
            if sheet:
                widget.setStyleSheet("")
                widget.setStyleSheet(sheet)

    def _mark_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Draw a frame around a list, table or text with the focus; styles do not mark these."""
        is_marked = isinstance(new, QAbstractScrollArea) and self.isAncestorOf(new)
        self._focus_frame.setWidget(new if is_marked else None)

    def _update_button_colours(self) -> None:
        """Make tool buttons and check boxes readable in themes with too little contrast."""
        sheet = f"{tool_button_sheet(self)} {check_box_sheet(self.palette())}".strip()
        if sheet != self.widget().styleSheet():
            self.widget().setStyleSheet(sheet)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Accept annotation files and point clouds."""
        if self._importer.importable_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        """Import an annotation file; select a point cloud on page Instances.

        Several files or a folder may hold targets and predictions, which belong into layers of
        their own. The dialog shows what each file is before the import.
        """
        files = self._importer.importable_files(event.mimeData())
        if not files:
            return
        event.acceptProposedAction()
        if files[0].lower().endswith(CLOUD_EXTENSIONS):
            self.show_page("instances").show_parameters({CLOUD.name: files[0]})
        elif len(files) == 1 and is_file(Path(files[0])):
            self._importer.start(files)
        else:
            page_key = "" if self.page is None else self.page.key
            open_import_dialog(self._iface, self._show_requested_page, files, page_key)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return a size that suits the pages."""
        return QSize(COMMON_WIDTH, _COMMON_HEIGHT)

    def _create_page_buttons(self) -> PageButtons:
        """Return the row of page buttons with the help button."""
        buttons = [self._make_page_button(number, entry) for number, entry in enumerate(PAGES)]
        help_button = self._make_button(tr("Help"), "help")
        help_button.setToolTip(tr("Help: open the guide for this page (F1)"))
        help_button.clicked.connect(self.show_help)
        page_buttons = PageButtons(buttons, help_button)
        page_buttons.names_shown_changed.connect(self._update_title)
        return page_buttons

    def _add_shortcuts(self) -> None:
        """Add the actions that run the current page and open its guide, with their shortcuts."""
        run_action = QAction(tr("RandCrowns: run the current page"), self)
        self._shortcuts.add(run_action, "Ctrl+Return", self._press_run, scope=self)
        help_action = QAction(tr("RandCrowns: help on the current page"), self)
        self._shortcuts.add(help_action, "", self.show_help)

    def _create_content(self) -> None:
        """Set the content of the dock: the page buttons, a line, and the pages."""
        separator = QFrame()
        separator.setFrameShape(QFrame.Shape.HLine)
        separator.setFrameShadow(QFrame.Shadow.Sunken)
        # A page with many messages must not enlarge the window.
        scroll_area = make_scrollable(self._stack.parentWidget())
        self._stack.parentWidget().setMinimumWidth(1)  # the pages take the width of the dock
        content = QWidget()
        fill_layout(
            QVBoxLayout(content),
            self._page_buttons,
            separator,
            scroll_area,
            spacing=0,
            stretched=scroll_area,
        )
        content.setMinimumWidth(MIN_WIDTH)
        self.setWidget(content)
        self._update_button_colours()

    @staticmethod
    def _make_button(text: str, icon_name: str) -> QToolButton:
        """Return a flat button with an icon and a text, which is also its tooltip."""
        button = QToolButton()
        button.setText(text)
        button.setToolTip(text)
        button.setIcon(load_icon(icon_name))
        button.setIconSize(QSize(_ICON_SIZE, _ICON_SIZE))
        button.setAutoRaise(True)
        return button

    def _make_page_button(self, index: int, entry: PageEntry) -> QToolButton:
        """Return the button that shows a page, with its index in :data:`PAGES` as its id."""
        button = self._make_button(entry.title, entry.key)
        button.setCheckable(True)
        button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self.show_page(entry.key))
        self._buttons.addButton(button, index)
        return button

    def _create_page(self, entry: PageEntry) -> DockPage:
        """Create a page, add it to the stack of pages, and return it."""
        page_class = entry.load()
        page: DockPage = page_class(self._iface)
        page.page_requested.connect(self._show_requested_page)
        self._stack.addWidget(page)
        return page

    def _show_requested_page(self, key: str, stored_values: dict[str, Any]) -> None:
        """Show a page that another page requests, with the parameters that it sends, if any."""
        page = self.show_page(key)
        if stored_values:
            page.show_parameters(stored_values)

    def _update_title(self) -> None:
        """Show the name of the page in the title while the buttons show only icons."""
        page = self.page
        if page is None or self._page_buttons.has_names:
            self.setWindowTitle(tr("RandCrowns"))
            return
        names = {entry.key: entry.title for entry in PAGES}
        self.setWindowTitle(tr("RandCrowns: {page}", page=names[page.key]))

    def _press_run(self, *_: object) -> None:
        """Run the current page, as its Run button does."""
        if self.page is not None:
            self.page.run_from_shortcut()

    def _restore_pages(self, *_: object) -> None:
        """Show the parameters of the project that was opened."""
        for page in self._pages.values():
            page.load_parameters()

    def _store_with_project(self, *_: object) -> None:
        """Store temporary layers and the parameters of all pages before the project is saved.

        A message and the busy cursor are shown first, because the window does not respond until
        QGIS has saved the project.
        """
        show_busy_until_idle()
        if has_temporary_layers():
            MessageBar(self._iface).announce(tr("Saving the project and its temporary layers…"))
        with MessageBar(self._iface).show_errors():
            self._store_temporary_layers()
        prepare_saving(QgsProject.instance())
        for page in self._pages.values():
            page.project_layers.report_missed_change()
            page.store_parameters()

    def _store_temporary_layers(self) -> None:
        """Store the plugin's temporary layers; fields that the pages have selected stay selected.

        Raises:
            InputError: if the layers cannot be stored.
        """
        # A list of fields loses its selection when the layer gets the field of its feature ids.
        settings_by_page = {
            page: page.form.settings()
            for page in self._pages.values()
            if isinstance(page, RunningPage)
        }
        stored_count = store_temporary_layers()
        if not stored_count:
            return
        for page, settings in settings_by_page.items():
            page.form.set_settings(settings)
        text = tr(
            "{count} temporary layers were saved as tables.",
            one="1 temporary layer was saved as a table.",
            count=stored_count,
        )
        MessageBar(self._iface).info(text, tr("File: {file}", file=project_geopackage()))

    def _leave_hidden_page(self) -> None:
        """Remove the drawings from the map if the dock is closed."""
        if self.page is not None and not self.isVisible():
            self.page.leave()
