"""What QGIS loads. Only wires things together: the Processing provider, the dock, the menu."""

from __future__ import annotations

from typing import Any, Callable

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QAction

from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_watch import safely
from randcrowns.ui.services.messages import (
    HelpWindow,
    Messages,
    load_sample_plot,
    missing_libraries,
    shapely_trouble,
    what_to_install,
)
from randcrowns.ui.widgets.colours import icon

__all__ = ["RandCrownsPlugin"]

_MENU = "RandCrowns"


class RandCrownsPlugin:
    """One plugin in one QGIS window; ``iface`` is None when QGIS runs without a window."""

    def __init__(self, iface: Any) -> None:
        self.iface = iface
        self.provider: Any = None
        self.dock: Any = None
        self._actions: list[QAction] = []
        self.help_window: Any = None

    def initProcessing(self) -> None:  # noqa: N802 - QGIS's name
        """Add the algorithms to Processing (also called alone, by ``qgis_process``)."""
        missing = missing_libraries()
        wrong = what_to_install(missing) if missing else shapely_trouble()
        if wrong:
            Messages(self.iface).error(wrong)
            return
        from randcrowns.algorithms.provider import RandCrownsProvider

        self.provider = RandCrownsProvider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self) -> None:  # noqa: N802 - QGIS's name
        """Add menu, toolbar icon and algorithms to the window."""
        self.initProcessing()
        usable = self.provider is not None
        panel = self._add_action(tr("RandCrowns panel"), "randcrowns", self.toggle_panel)
        panel.setCheckable(True)
        panel.setToolTip(tr("Score tree crown delineations against target crowns"))
        sample = self._add_action(tr("Load sample data"), "sample", self.load_sample_data)
        self._add_action(tr("Help"), "help", self.show_help)
        panel.setEnabled(usable)
        sample.setEnabled(usable)
        self.iface.addToolBarIcon(panel)

    def unload(self) -> None:
        """Take everything back, whatever is left of it."""
        if self.dock is not None:
            safely(self.dock.close_down)
            safely(self.iface.removeDockWidget, self.dock)
            safely(self.dock.deleteLater)
            self.dock = None
        if self.help_window is not None:
            safely(self.help_window.deleteLater)
            self.help_window = None
        for number, action in enumerate(self._actions):
            safely(self.iface.removePluginMenu, _MENU, action)
            if number == 0:
                safely(self.iface.removeToolBarIcon, action)
            safely(action.deleteLater)
        self._actions = []
        if self.provider is not None:
            safely(QgsApplication.processingRegistry().removeProvider, self.provider)
            self.provider = None

    def toggle_panel(self, shown: bool = True) -> None:
        """Show or hide the dock; it is made when first shown."""
        if self.dock is None:
            if not shown:
                return
            self.dock = self._make_dock()
        self.dock.setUserVisible(shown)

    def load_sample_data(self) -> None:
        """Add the simulated plot to the project."""
        load_sample_plot(self.iface)

    def show_help(self) -> None:
        """Open the help window."""
        if self.help_window is None:
            self.help_window = HelpWindow(self.iface.mainWindow())
        self.help_window.show()
        self.help_window.raise_()

    def _make_dock(self) -> Any:
        from randcrowns.ui.shell.dock import RandCrownsDock

        dock = RandCrownsDock(self.iface, self.iface.mainWindow())
        self.iface.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
        dock.visibilityChanged.connect(self._actions[0].setChecked)
        return dock

    def _add_action(self, text: str, icon_name: str, slot: Callable[..., None]) -> QAction:
        action = QAction(icon(icon_name), text, self.iface.mainWindow())
        action.setObjectName(f"randcrowns_{icon_name}")
        action.triggered.connect(slot)
        self.iface.addPluginToMenu(_MENU, action)
        self._actions.append(action)
        return action
