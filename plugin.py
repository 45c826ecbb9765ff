"""What QGIS loads. Only wires things together: the Processing provider, the dock, the menu."""

from __future__ import annotations

from typing import Any, Callable

from qgis.core import QgsApplication, QgsProject
from qgis.gui import QgsOptionsWidgetFactory
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QAction, QWidget

from randcrowns.layers import language, libraries
from randcrowns.layers.expressions import CrownFunction, register, unregister
from randcrowns.layers.guide import INDEX
from randcrowns.layers.installing import trouble
from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_watch import Connections, safely
from randcrowns.ui.services.libraries import offer
from randcrowns.ui.services.messages import Messages, load_sample_plot
from randcrowns.ui.widgets.colours import icon
from randcrowns.ui.widgets.wheel import WheelGuard

__all__ = ["RandCrownsPlugin"]

_MENU = "RandCrowns"
#: How long QGIS waits at its end for runs that still write, seconds.
_PATIENCE = 10.0


class _Options(QgsOptionsWidgetFactory):
    """The page in QGIS's Settings > Options; it is imported when that dialog opens."""

    def __init__(self) -> None:
        super().__init__(_MENU, icon("randcrowns"))

    def createWidget(self, parent: QWidget | None = None) -> QWidget:  # noqa: N802 - QGIS's name
        from randcrowns.ui.options.page import OptionsPage

        return OptionsPage(parent)


class RandCrownsPlugin:
    """One plugin in one QGIS window; ``iface`` is None when QGIS runs without a window."""

    def __init__(self, iface: Any) -> None:
        self.iface = iface
        self.provider: Any = None
        self.dock: Any = None
        self._actions: list[QAction] = []
        self._functions: list[CrownFunction] = []
        self._options: _Options | None = None
        self.libraries_dialog: Any = None
        self._connections = Connections()

    def initProcessing(self) -> None:  # noqa: N802 - QGIS's name
        """Add the algorithms to Processing (also called alone, by ``qgis_process``).

        A window starts without shapely, pandas and scipy: they are imported when something is used, and looked at then.
        """
        wrong = "" if self.iface else trouble()
        if wrong:
            Messages(None).error(wrong)
            return
        from randcrowns.algorithms.provider import RandCrownsProvider

        self.provider = (
            RandCrownsProvider(trouble, WheelGuard) if self.iface else RandCrownsProvider()
        )
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self) -> None:  # noqa: N802 - QGIS's name
        """Add menu, toolbar icon, algorithms and the functions of expressions to the window."""
        self.initProcessing()
        self._functions = register()
        self._connections.connect(QgsProject.instance(), "readProject", self._look_for_broken_runs)
        self._connections.connect(QgsApplication.instance(), "aboutToQuit", self._end_runs)
        panel = self._add_action(tr("RandCrowns panel"), "randcrowns", self.toggle_panel)
        panel.setCheckable(True)
        panel.setToolTip(tr("Score tree crown delineations against target crowns"))
        self._add_action(tr("Load sample data"), "sample", self.load_sample_data)
        self._add_action(tr("Import crowns…"), "import", self.import_crowns)
        self._add_action(tr("Export crowns…"), "export", self.export_crowns)
        self._add_action(tr("Help"), "help", self.show_help)
        self.iface.addToolBarIcon(panel)
        self._options = _Options()
        self.iface.registerOptionsWidgetFactory(self._options)
        self.iface.registerMainWindowAction(panel, "")
        missing = ", ".join(one.library.name for one in libraries.absent())
        if missing:
            said = tr(
                "RandCrowns requires Python libraries that are not installed: {names}.",
                names=missing,
            )
            Messages(self.iface).offer(
                said, tr("Install…"), lambda: self._when_usable(lambda: None)
            )

    def unload(self) -> None:
        """Take everything back, whatever is left of it."""
        self._connections.close()
        self._end_runs()
        unregister(self._functions)
        self._functions = []
        if self._options is not None:
            safely(self.iface.unregisterOptionsWidgetFactory, self._options)
            self._options = None
        if self.dock is not None:
            safely(self.iface.removeDockWidget, self.dock)
            safely(self.dock.deleteLater)
            self.dock = None
        if self.libraries_dialog is not None:
            safely(self.libraries_dialog.close)
            safely(self.libraries_dialog.deleteLater)
            self.libraries_dialog = None
        for number, action in enumerate(self._actions):
            safely(self.iface.removePluginMenu, _MENU, action)
            if number == 0:
                safely(self.iface.unregisterMainWindowAction, action)
                safely(self.iface.removeToolBarIcon, action)
            safely(action.deleteLater)
        self._actions = []
        if self.provider is not None:
            safely(QgsApplication.processingRegistry().removeProvider, self.provider)
            self.provider = None
        language.remove()

    def toggle_panel(self, shown: bool = True) -> None:
        """Show or hide the dock; it is made when first shown."""
        if self.dock is not None:
            self.dock.setUserVisible(shown)
        elif shown:
            self._actions[0].setChecked(False)
            self._when_usable(self._open_dock)

    def load_sample_data(self) -> None:
        """Add the simulated plot to the project, and open the dock on it."""

        def load() -> None:
            if load_sample_plot(self.iface):
                self.toggle_panel()

        self._when_usable(load)

    def import_crowns(self) -> None:
        """Open the dialog that imports crowns from files."""
        self._when_usable(lambda: self._show_dialog("IMPORT_CROWNS"))

    def export_crowns(self) -> None:
        """Open the dialog that exports crowns."""
        self._when_usable(lambda: self._show_dialog("EXPORT_CROWNS"))

    def show_help(self) -> None:
        """Open the guide."""
        Messages(self.iface).show_guide(INDEX)

    def _when_usable(self, then: Callable[[], object]) -> None:
        """Go on once the libraries can be used: at once, or when the user has installed them."""
        self.libraries_dialog = offer(libraries.NEEDED, self.iface.mainWindow(), then)

    def _end_runs(self) -> None:
        """Stop the runs, and wait for their work: QGIS crashes where what they write or draw with ends before."""
        from randcrowns.core.progress import wait_for_work

        if self.dock is not None:
            safely(self.dock.close_down)
        wait_for_work(_PATIENCE)

    def _look_for_broken_runs(self, *_: object) -> None:
        from randcrowns.ui.services.broken_runs import tell_broken_runs

        tell_broken_runs(Messages(self.iface))

    def _show_dialog(self, algorithm: str) -> None:
        from randcrowns.algorithms import catalogue
        from randcrowns.ui.shell.importing import show_dialog

        show_dialog(self.iface, getattr(catalogue, algorithm))

    def _open_dock(self) -> None:
        from randcrowns.ui.shell.dock import RandCrownsDock

        if self.dock is None:
            self.dock = RandCrownsDock(self.iface, self.iface.mainWindow())
            self.iface.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
            self.dock.visibilityChanged.connect(self._actions[0].setChecked)
        self.dock.setUserVisible(True)

    def _add_action(self, text: str, icon_name: str, slot: Callable[..., None]) -> QAction:
        action = QAction(icon(icon_name), text, self.iface.mainWindow())
        action.setObjectName(f"randcrowns_{icon_name}")
        action.triggered.connect(slot)
        self.iface.addPluginToMenu(_MENU, action)
        self._actions.append(action)
        return action
