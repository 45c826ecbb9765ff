"""The plugin that QGIS loads: Processing provider, dock, menu and options page."""

from __future__ import annotations

from typing import Any, Callable

from qgis.core import QgsApplication, QgsProject
from qgis.gui import QgsOptionsWidgetFactory
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QAction, QMenu, QWidget

from randcrowns.layers import language, libraries
from randcrowns.layers.expressions import register_functions, withdraw_functions
from randcrowns.layers.guide import FIRST_PAGE
from randcrowns.layers.installation import libraries_message
from randcrowns.layers.localization import tr
from randcrowns.ui.services.layer_watch import (
    Connections,
    ignore_qt_errors,
    single_shot_timer,
)
from randcrowns.ui.services.libraries_dialog import offer_libraries
from randcrowns.ui.services.message_bar import MessageBar, add_sample_plot
from randcrowns.ui.services.settings import preference, set_preference
from randcrowns.ui.widgets.colours import load_icon
from randcrowns.ui.widgets.wheel_guard import WheelGuard

__all__ = ["RandCrownsPlugin"]

#: Name of the submenu and of the options page.
_MENU = "RandCrowns"
#: Name of the preference whether the dock is open: "yes", "no", or "" before the first start.
_IS_OPEN = "panel_is_open"
#: Time for which clicks on the icon are ignored after the dock has opened, ms: clicks during the
#: seconds of loading arrive only then, and would close the dock.
_CLICK_PAUSE = 200
#: Object name of QGIS's menu View > Panels.
_PANELS_MENU = "mPanelMenu"
#: Maximum time that QGIS waits for background work when it quits, s.
_MAX_WAIT = 10.0


class _Options(QgsOptionsWidgetFactory):
    """Factory of the page in Settings > Options, which is imported when that dialog opens."""

    def __init__(self) -> None:
        super().__init__(_MENU, load_icon("randcrowns"))

    def createWidget(self, parent: QWidget | None = None) -> QWidget:  # noqa: N802 - QGIS's name
        """Return the options page."""
        from randcrowns.ui.options.page import OptionsPage

        return OptionsPage(parent)


class RandCrownsPlugin:
    """The plugin in a QGIS window, or in ``qgis_process``.

    Args:
        iface: The interface of the QGIS window; None without a window.
    """

    def __init__(self, iface: Any) -> None:
        self.iface = iface
        #: The Processing provider; None before it is added.
        self.provider: Any = None
        #: The dock; None before it is first shown.
        self.dock: Any = None
        #: Actions in the menu; the first one shows the dock and is in the toolbar, too.
        self._actions: list[QAction] = []
        self._options: _Options | None = None
        #: The dialog that installs libraries; None if it is not needed.
        self.libraries_dialog: Any = None
        self._connections = Connections()

    def initProcessing(self) -> None:  # noqa: N802 - QGIS's name
        """Add the algorithms to Processing; ``qgis_process`` calls only this method.

        In a window the libraries (shapely, pandas, scipy) are imported and checked when an
        algorithm is first used, so that QGIS starts fast. Without a window they are checked
        here, and no algorithm is added if one of them cannot be used.
        """
        has_window = bool(self.iface)
        problem = "" if has_window else libraries_message()
        if problem:
            MessageBar(None).error(problem)
            return
        from randcrowns.algorithms.provider import RandCrownsProvider

        if has_window:
            self.provider = RandCrownsProvider(libraries_message, WheelGuard)
        else:
            self.provider = RandCrownsProvider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self) -> None:  # noqa: N802 - QGIS's name
        """Add the algorithms, expression functions, menu, toolbar icon and options page.

        A message offers to install missing libraries.
        """
        self.initProcessing()
        refused_functions = register_functions()
        self._connections.connect(QgsProject.instance(), "readProject", self._check_broken_runs)
        self._connections.connect(QgsApplication.instance(), "aboutToQuit", self._end_runs)

        panel_action = self._add_action(tr("RandCrowns panel"), "randcrowns", self.toggle_panel)
        panel_action.setCheckable(True)
        panel_action.setToolTip(tr("Score tree crown delineations against target crowns"))
        self._add_action(tr("Load sample data"), "sample", self.load_sample_data)
        self._add_action(tr("Import crowns…"), "import", self.import_crowns)
        self._add_action(tr("Export crowns…"), "export", self.export_crowns)
        self._add_action(tr("Help"), "help", self.show_help)
        self.iface.addToolBarIcon(panel_action)
        self._options = _Options()
        self.iface.registerOptionsWidgetFactory(self._options)
        self.iface.registerMainWindowAction(panel_action, "")

        if refused_functions:
            MessageBar(self.iface).warning(
                tr(
                    "Another plugin has functions with the names {names}. Expressions cannot use "
                    "the functions of RandCrowns with these names.",
                    names=", ".join(refused_functions),
                )
            )
        missing = ", ".join(problem.library.name for problem in libraries.missing_libraries())
        if missing:
            text = tr(
                "RandCrowns requires Python libraries that are not installed: {names}.",
                names=missing,
            )
            MessageBar(self.iface).warn_with_button(text, tr("Install…"), self._install_libraries)
        elif preference(_IS_OPEN, "") != "no":
            self._open_when_window_is_ready()

    def unload(self) -> None:
        """Remove everything that the plugin has added; parts that are already gone are skipped.

        Expression functions stay registered and give an evaluation error, see
        :mod:`~randcrowns.layers.persistent_functions`.
        """
        self._connections.close()
        self._end_runs()
        withdraw_functions()
        if self._options is not None:
            ignore_qt_errors(self.iface.unregisterOptionsWidgetFactory, self._options)
            self._options = None
        if self.dock is not None:
            # The dock that is removed is hidden, but it opens again with the plugin.
            dock, self.dock = self.dock, None
            ignore_qt_errors(self.iface.removeDockWidget, dock)
            ignore_qt_errors(dock.deleteLater)
        if self.libraries_dialog is not None:
            ignore_qt_errors(self.libraries_dialog.close)
            ignore_qt_errors(self.libraries_dialog.deleteLater)
            self.libraries_dialog = None
        if self._actions:
            panel_action = self._actions[0]
            ignore_qt_errors(self.iface.unregisterMainWindowAction, panel_action)
            ignore_qt_errors(self.iface.removeToolBarIcon, panel_action)
        for action in self._actions:
            ignore_qt_errors(self.iface.removePluginMenu, _MENU, action)
            ignore_qt_errors(action.deleteLater)
        self._actions = []
        if self.provider is not None:
            ignore_qt_errors(QgsApplication.processingRegistry().removeProvider, self.provider)
            self.provider = None
        language.remove_translation()

    def toggle_panel(self, shown: bool = True) -> None:
        """Show or hide the dock, which is created when it is first shown."""
        if self.dock is not None:
            self.dock.setUserVisible(shown)
        elif shown:
            # Until the dock exists; it does not if the user does not install missing libraries.
            self._actions[0].setChecked(False)
            self._when_usable(self._open_dock)

    def load_sample_data(self) -> None:
        """Add the simulated plot to the project and show the dock."""

        def load() -> None:
            if add_sample_plot(self.iface):
                self.toggle_panel()

        self._when_usable(load)

    def import_crowns(self) -> None:
        """Open the dialog that imports crowns from files."""

        def open_dialog() -> None:
            from randcrowns.ui.shell.import_dialog import open_import_dialog

            open_import_dialog(self.iface, self._show_page)

        self._when_usable(open_dialog)

    def _show_page(self, key: str, values: dict[str, Any]) -> None:
        """Show a page of the dock with values of its parameters."""
        self.toggle_panel()
        if self.dock is not None:
            self.dock.show_page(key).show_parameters(values)

    def export_crowns(self) -> None:
        """Open the dialog that exports crowns."""
        self._when_usable(lambda: self._show_dialog("EXPORT_CROWNS"))

    def show_help(self) -> None:
        """Open the guide in the browser."""
        MessageBar(self.iface).show_guide(FIRST_PAGE)

    def _when_usable(self, action: Callable[[], object]) -> None:
        """Call a function when the libraries can be used, after installing missing ones."""
        self.libraries_dialog = offer_libraries(libraries.REQUIRED, self.iface.mainWindow(), action)

    def _install_libraries(self) -> None:
        """Open the dialog that installs missing libraries."""
        self._when_usable(lambda: None)

    def _end_runs(self) -> None:
        """Stop all runs and wait for their threads.

        QGIS crashes if a thread still uses an object that QGIS deletes when it quits.
        """
        from randcrowns.core.progress import wait_for_background_work

        if self.dock is not None:
            ignore_qt_errors(self.dock.close_down)
        wait_for_background_work(_MAX_WAIT)

    def _check_broken_runs(self, *_: object) -> None:
        """Show a message if interrupted runs have left files in the folders of the project."""
        from randcrowns.ui.services.interrupted_runs import offer_recovery

        offer_recovery(MessageBar(self.iface))

    def _show_dialog(self, entry_name: str) -> None:
        """Open the dialog of an algorithm.

        Args:
            entry_name: Name of the algorithm's entry in the module
                ``algorithms.algorithm_catalogue``.
        """
        from randcrowns.algorithms import algorithm_catalogue
        from randcrowns.ui.shell.import_export import open_algorithm_dialog

        open_algorithm_dialog(self.iface, getattr(algorithm_catalogue, entry_name))

    def _open_dock(self) -> None:
        """Show the dock, which is created if it does not exist."""
        if self.dock is None:
            self._create_dock()
        self.dock.setUserVisible(True)

    def _create_dock(self) -> None:
        """Create the dock where it was in the last session; ignore clicks on the icon meanwhile."""
        from randcrowns.ui.services.waiting import busy_cursor

        panel_action = self._actions[0]
        panel_action.setEnabled(False)
        messages = MessageBar(self.iface)
        text = tr("Opening the panel…")
        messages.announce(text)
        try:
            with busy_cursor():  # the first import of the libraries takes seconds
                from randcrowns.ui.shell.dock import RandCrownsDock

                self.dock = RandCrownsDock(self.iface, self.iface.mainWindow())
            self.dock.visibilityChanged.connect(self._note_visibility)
            self._place_dock()
        finally:
            messages.clear(text)
            single_shot_timer(_CLICK_PAUSE, self._accept_clicks, panel_action).start()

    def _place_dock(self) -> None:
        """Dock the dock where the window had it in the last session, else at the right side."""
        window = self.iface.mainWindow()
        if not window.restoreDockWidget(self.dock):
            from randcrowns.ui.shell.dock_width import CommonWidth

            self.iface.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
            CommonWidth(self.dock, window)
            return
        # QGIS adds a dock to the menu only together with a place in the window.
        panels_menu = window.findChild(QMenu, _PANELS_MENU)
        if panels_menu is not None:
            panels_menu.addAction(self.dock.toggleViewAction())

    def _accept_clicks(self) -> None:
        """Enable the icon after the dock has opened."""
        if self._actions:
            self._actions[0].setEnabled(True)

    def _note_visibility(self, is_visible: bool) -> None:
        """Show in the icon whether the dock is visible, and store whether it is open.

        The docks of a window that is closed are not visible, but open in the next session.
        """
        if self._actions and self.dock is not None:
            self._actions[0].setChecked(is_visible)
            if self.iface.mainWindow().isVisible():
                set_preference(_IS_OPEN, "no" if self.dock.isHidden() else "yes")

    def _open_when_window_is_ready(self) -> None:
        """Show the dock as soon as the window of QGIS is complete.

        While QGIS starts, the window restores its docks after the plugins were loaded.
        """
        timer = single_shot_timer(0, self._open_at_start, self._actions[0])
        window_is_ready = getattr(self.iface, "initializationCompleted", None)
        if window_is_ready is None or self.iface.mainWindow().isVisible():
            timer.start()
        else:
            self._connections.connect(self.iface, "initializationCompleted", timer.start)

    def _open_at_start(self) -> None:
        """Show the dock unless the user has shown it, or unloaded the plugin, in the meantime."""
        if self.dock is None and self._actions:
            self.toggle_panel()

    def _add_action(self, text: str, icon_name: str, slot: Callable[..., None]) -> QAction:
        """Add an action to the plugin's menu and return it."""
        action = QAction(load_icon(icon_name), text, self.iface.mainWindow())
        action.setObjectName(f"randcrowns_{icon_name}")
        action.triggered.connect(slot)
        self.iface.addPluginToMenu(_MENU, action)
        self._actions.append(action)
        return action
