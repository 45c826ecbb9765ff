"""Actions with keyboard shortcuts that users can change in QGIS."""

from __future__ import annotations

from typing import Any, Callable

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QKeySequence
from qgis.PyQt.QtWidgets import QAction, QWidget

from randcrowns.ui.services.layer_watch import ignore_qt_errors


class Shortcuts:
    """The actions of a part of the window, listed in Settings > Keyboard Shortcuts.

    Args:
        iface: The interface of the QGIS window.
    """

    def __init__(self, iface: Any) -> None:
        self._iface = iface
        #: Each action with the widget that it was added to.
        self._added: list[tuple[QAction, QWidget]] = []

    def add(
        self, action: QAction, key: str, slot: Callable[..., object], scope: QWidget | None = None
    ) -> QAction:
        """Register an action with a keyboard shortcut.

        Args:
            action: The action. Its text is its name in the shortcut dialog, which stores the
                user's own key under that name.
            key: Default key, such as ``Ctrl+Return``; "" for none.
            slot: Called when the action is triggered.
            scope: The key works while this widget or one of its children has the focus; None
                for the whole window.

        Returns:
            The same action.
        """
        if scope is None:
            owner = self._iface.mainWindow()
        else:
            owner = scope
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(slot)

        # An iface without shortcuts, as in tests, does not return True.
        if self._iface.registerMainWindowAction(action, key) is not True:
            action.setShortcut(QKeySequence(key))
        owner.addAction(action)
        self._added.append((action, owner))
        return action

    def close(self) -> None:
        """Remove all added actions from the shortcut dialog and from the window."""
        for action, owner in self._added:
            ignore_qt_errors(self._iface.unregisterMainWindowAction, action)
            ignore_qt_errors(owner.removeAction, action)
        self._added = []
