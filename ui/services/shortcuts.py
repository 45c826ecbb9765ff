"""Actions with keys that QGIS's dialog Settings > Keyboard Shortcuts lists and changes."""

from __future__ import annotations

from typing import Any, Callable

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QKeySequence
from qgis.PyQt.QtWidgets import QAction, QWidget

from randcrowns.ui.services.layer_watch import safely


class Shortcuts:
    """The actions of a part of the window; :meth:`close` gives their keys back."""

    def __init__(self, iface: Any) -> None:
        self._iface = iface
        self._added: list[tuple[QAction, QWidget]] = []

    def add(
        self, action: QAction, key: str, slot: Callable[..., object], within: QWidget | None = None
    ) -> QAction:
        """Have a key trigger an action.

        Args:
            action: its text is its name in the dialog, which keeps the user's own key under it.
            key: the key at first; empty for none.
            slot: called when it is triggered.
            within: the key works while this or what it holds has the focus; without it, in the whole window.
        """
        place = self._iface.mainWindow() if within is None else within
        if within is not None:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(slot)
        if (
            self._iface.registerMainWindowAction(action, key) is not True
        ):  # by an iface that knows no shortcuts
            action.setShortcut(QKeySequence(key))
        place.addAction(action)
        self._added.append((action, place))
        return action

    def close(self) -> None:
        """Take all that were added off the dialog and the window."""
        for action, place in self._added:
            safely(self._iface.unregisterMainWindowAction, action)
            safely(place.removeAction, action)
        self._added = []
