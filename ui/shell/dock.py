"""The RandCrowns dock: a strip of page icons with names, and the chosen page below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qgis.core import QgsProject
from qgis.gui import QgsDockWidget
from qgis.PyQt.QtCore import QEvent, QSize, Qt
from qgis.PyQt.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QFont,
    QFontMetrics,
    QKeySequence,
    QResizeEvent,
)
from qgis.PyQt.QtWidgets import (
    QAction,
    QApplication,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QStackedWidget,
    QStyle,
    QStyleOptionToolButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.instances.choices import CLOUD
from randcrowns.layers.cloud.head import CLOUD_ENDINGS
from randcrowns.layers.guide import INDEX
from randcrowns.layers.words import tr
from randcrowns.ui.services.broken_runs import tell_broken_runs
from randcrowns.ui.services.layer_watch import Connections, after
from randcrowns.ui.services.messages import Messages
from randcrowns.ui.services.settings import preference, set_preference
from randcrowns.ui.services.shortcuts import Shortcuts
from randcrowns.ui.shell.importing import FileImporter
from randcrowns.ui.shell.page import DockPage
from randcrowns.ui.widgets.colours import icon
from randcrowns.ui.widgets.parts import fill, in_scroll_area
from randcrowns.ui.widgets.wheel import WheelGuard


@dataclass(frozen=True)
class PageEntry:
    """A page of the dock: its key (of the icon and of what a project keeps), its folder below ui, its name."""

    key: str
    topic: str
    title: str

    def load(self) -> type:
        """The page's class.

        Imported the way QGIS watches: reloading the plugin must not find this module as it was.
        """
        name = f"{self.key.capitalize()}Page"
        return getattr(__import__(f"randcrowns.ui.{self.topic}.page", fromlist=[name]), name)


#: In the order of the strip.
PAGES = (
    PageEntry("score", "scoring", tr("Score")),
    PageEntry("annotators", "agreement", tr("Annotators")),
    PageEntry("detectors", "detectors", tr("Detectors")),
    PageEntry("instances", "instances", tr("Instances")),
    PageEntry("parameters", "tuning", tr("Parameters")),
    PageEntry("review", "review", tr("Review")),
    PageEntry("report", "report", tr("Report")),
)


#: Sizes of the pages' names to try, as shares of other words'; where none fits, the icons stand alone.
_SIZES = (0.9, 0.85, 0.8, 0.75, 0.7)
#: Pixels beside a name that its button need not have.
_SPARE = 4
#: Where a theme is a style sheet, as dark ones are: as much room around a name as in Qt's own style.
_OWN_SHEET = "QToolButton { padding: 0px 2px 0px 1px; margin: 0px; }"


class PageStrip(QFrame):
    """The buttons of the pages, and one of help; all names are whole, or none is shown, as the width allows."""

    def __init__(self, buttons: Sequence[QToolButton], help_button: QToolButton) -> None:
        super().__init__()
        self._named, self._help = list(buttons), help_button
        self._usual = self.font()
        fill(QHBoxLayout(self), *buttons, 1, help_button, margins=(2, 2, 2, 2), spacing=0)
        self.setSizePolicy(
            QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed
        )  # names widen no dock

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._name_buttons()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Another theme needs other room around a name."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._name_buttons()

    def _name_buttons(self) -> None:
        style, own = Qt.ToolButtonStyle, _OWN_SHEET if QApplication.instance().styleSheet() else ""
        if own != self.styleSheet():
            self.setStyleSheet(own)  # which is an event again
            return
        fitting = next(filter(self._fits, map(self._font, _SIZES)), None)
        for button in self._named:
            button.setFont(fitting or self._usual)
            width = QFontMetrics(button.font()).horizontalAdvance(button.text()) + self._beside()
            button.setMinimumWidth(width if fitting else 0)
            button.setToolButtonStyle(
                style.ToolButtonTextUnderIcon if fitting else style.ToolButtonIconOnly
            )

    def _beside(self) -> int:
        """Pixels beside a name in its button: frame and padding, which a theme may have more of."""
        button, inside = self._named[0], QSize(100, 40)
        option = QStyleOptionToolButton()
        option.initFrom(button)
        kind = QStyle.ContentsType.CT_ToolButton
        return (
            int(button.style().sizeFromContents(kind, option, inside, button).width())
            - inside.width()
            - _SPARE
        )

    def _font(self, size: float) -> QFont:
        font = QFont(self._usual)
        font.setPointSizeF(size * self.fontInfo().pointSizeF())
        return font

    def _fits(self, font: QFont) -> bool:
        metrics = QFontMetrics(font)
        margins = self.layout().contentsMargins()
        room = self.width() - margins.left() - margins.right() - self._help.sizeHint().width()
        return (
            sum(metrics.horizontalAdvance(one.text()) + self._beside() for one in self._named)
            <= room
        )


class RandCrownsDock(QgsDockWidget):
    """Shows the pages that exist. A page is made when it is first looked at."""

    def __init__(self, iface: Any, parent: QWidget | None = None) -> None:
        super().__init__(tr("RandCrowns"), parent)
        self.setObjectName("RandCrownsDock")
        self.setAllowedAreas(
            Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea
        )
        self._iface = iface
        self._pages: dict[str, DockPage] = {}
        self._buttons = QButtonGroup(self)
        self._stack = QStackedWidget()
        self._importer = FileImporter(iface, self)
        self._shortcuts = Shortcuts(iface)
        self.setAcceptDrops(True)
        self._build()
        WheelGuard(self)
        self._connections = Connections()
        project = QgsProject.instance()
        self._connections.connect(project, "readProject", self._restore)
        self._connections.connect(project, "cleared", self._restore)
        self._connections.connect(project, "writeProject", self._keep)
        soon = after(0, self._look_away, self)
        self._connections.connect(self, "visibilityChanged", lambda *_: soon.start())
        last = preference("page", "")
        self.show_page(last if last in {entry.key for entry in PAGES} else PAGES[0].key)
        tell_broken_runs(Messages(iface))

    @property
    def page(self) -> DockPage | None:
        """The page on show."""
        shown = self._stack.currentWidget()
        return shown if isinstance(shown, DockPage) else None

    def show_page(self, key: str) -> DockPage:
        """Show the page of that key, made now if it was not yet."""
        number, entry = next((n, entry) for n, entry in enumerate(PAGES) if entry.key == key)
        before = self.page
        if before is not None and before.key != key:
            before.leave()
        if key not in self._pages:
            self._pages[key] = entry.load()(self._iface)
            self._pages[key].page_asked.connect(
                lambda key, choices: self.show_page(key).take_over(choices)
            )
            self._stack.addWidget(self._pages[key])
        self._stack.setCurrentWidget(self._pages[key])
        self._pages[key].project_layers.catch_up()  # shown or, in a closed dock, to be shown
        self._buttons.button(number).setChecked(True)
        set_preference("page", key)
        if before is not None and before.key != key:
            self._pages[key].come_from(before)
        return self._pages[key]

    def _press_run(self, *_: object) -> None:
        if self.page is not None:
            self.page.press_run()

    def show_help(self, *_: object) -> None:
        """Open the guide's page on the page on show."""
        Messages(self._iface).show_guide(INDEX if self.page is None else self.page.key)

    def event(self, event: QEvent) -> bool:
        """F1 within the dock is its own: QGIS has a shortcut for that key, which is asked after this."""
        asked = event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
        if asked and event.matches(QKeySequence.StandardKey.HelpContents):
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                self.show_help()
            return True
        return bool(super().event(event))

    def close_down(self) -> None:
        """Stop all work and leave no connection and no drawing behind."""
        self._shortcuts.close()
        self._importer.close()
        self._connections.close()
        for page in self._pages.values():
            page.close_down()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Files of annotations may be dropped."""
        if self._importer.files_in(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        """Import the files that are dropped; a point cloud is chosen on page Instances."""
        files = self._importer.files_in(event.mimeData())
        if files:
            event.acceptProposedAction()
            if files[0].lower().endswith(CLOUD_ENDINGS):
                self.show_page("instances").take_over({CLOUD.name: files[0]})
            else:
                self._importer.begin(files)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Wide enough to be pleasant, never more than a third of a small screen."""
        return QSize(420, 700)

    def _build(self) -> None:
        self._buttons.setExclusive(True)
        help_button = self._bare_button(tr("Help"), "help")
        help_button.setToolTip(tr("Help: the guide's page on this page (F1)"))
        help_button.clicked.connect(self.show_help)
        strip = PageStrip(
            [self._button(number, entry) for number, entry in enumerate(PAGES)], help_button
        )
        run = QAction(tr("RandCrowns: run the page on show"), self)
        self._shortcuts.add(run, "Ctrl+Return", self._press_run, within=self)
        self._shortcuts.add(
            QAction(tr("RandCrowns: help on the page on show"), self), "", self.show_help
        )
        line = QFrame()
        line.setFrameShape(QFrame.Shape.HLine)
        line.setFrameShadow(QFrame.Shadow.Sunken)
        inside = QWidget()
        pages = in_scroll_area(
            self._stack
        )  # however much a page has to say, the window does not grow
        self._stack.setMinimumWidth(1)  # as wide as the dock
        fill(QVBoxLayout(inside), strip, line, pages, spacing=0, wide=pages)
        inside.setMinimumWidth(300)
        self.setWidget(inside)

    @staticmethod
    def _bare_button(words: str, icon_name: str) -> QToolButton:
        button = QToolButton()
        button.setText(words)
        button.setToolTip(words)
        button.setIcon(icon(icon_name))
        button.setIconSize(QSize(22, 22))
        button.setAutoRaise(True)
        return button

    def _button(self, number: int, entry: PageEntry) -> QToolButton:
        button = self._bare_button(entry.title, entry.key)
        button.setCheckable(True)
        button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self.show_page(entry.key))
        self._buttons.addButton(button, number)
        return button

    def _restore(self, *_: object) -> None:
        for page in self._pages.values():
            page.restore()

    def _keep(self, *_: object) -> None:
        for page in self._pages.values():
            page.project_layers.catch_up()
            page.keep()

    def _look_away(self) -> None:
        """A dock that is closed leaves no trace on the map; one that comes off the window is on show again at once."""
        if self.page is not None and not self.isVisible():
            self.page.leave()
