"""Event filter that keeps the mouse wheel from changing values while a page is scrolled."""

from __future__ import annotations

from qgis.PyQt.QtCore import QChildEvent, QEvent, QObject, Qt
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QScrollBar,
    QTabBar,
    QWidget,
)

#: Widgets whose value the wheel changes.
_VALUE_WIDGETS = (QAbstractSpinBox, QComboBox, QAbstractSlider, QTabBar)
#: Widgets without fields in them. Most widgets of a page are of these kinds, and a filter costs
#: time for each of their events.
_UNWATCHED_WIDGETS = (QLabel, QAbstractButton)


class WheelGuard(QObject):
    """Event filter by which the mouse wheel changes a value only in a field with the focus.

    It watches a window and all widgets in it, including those that are added later.

    Args:
        window: dock or dialog to watch, also the parent in Qt.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._watch(window)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Watch new widgets, and pass wheel events over a field without focus to its parent.

        Returns:
            True if the field must not handle the event.
        """
        event_type = event.type()
        if event_type == QEvent.Type.ChildPolished and isinstance(event, QChildEvent):
            child = event.child()
            if isinstance(child, QWidget):
                self._watch(child)
            return False
        if event_type != QEvent.Type.Wheel:
            return False

        is_field_without_focus = _has_value(watched) and not watched.hasFocus()
        if is_field_without_focus:
            event.ignore()
        return is_field_without_focus

    def _watch(self, root: QWidget) -> None:
        """Install the filter on a widget and all widgets in it.

        Fields that the wheel would give the focus no longer take it from the wheel.
        """
        for widget in (root, *root.findChildren(QWidget)):
            if isinstance(widget, _UNWATCHED_WIDGETS):
                continue
            widget.installEventFilter(self)
            if _has_value(widget) and widget.focusPolicy() == Qt.FocusPolicy.WheelFocus:
                widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


def _has_value(widget: QObject) -> bool:
    """Return True if the wheel changes the value of a widget; scroll bars do not count."""
    return isinstance(widget, _VALUE_WIDGETS) and not isinstance(widget, QScrollBar)
