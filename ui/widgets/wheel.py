"""The mouse wheel scrolls a page; it changes a value only in a field that has the focus."""

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

#: What the wheel would change.
_VALUES = (QAbstractSpinBox, QComboBox, QAbstractSlider, QTabBar)
#: Most of what a page is made of; they hold no fields, and each event of what is watched costs time.
_HOLD_NONE = (QLabel, QAbstractButton)
_CHILD, _WHEEL = QEvent.Type.ChildPolished, QEvent.Type.Wheel


class WheelGuard(QObject):
    """Watches a window and everything in it, also what is added later, for as long as the window lives.

    Args:
        window: a dock, or a dialog.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._watch(window)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Leave the wheel over a field without focus to what the field stands in."""
        kind = event.type()
        if kind == _CHILD and isinstance(event, QChildEvent):
            child = event.child()
            if isinstance(child, QWidget):
                self._watch(child)
        elif kind == _WHEEL and _holds_value(watched) and not watched.hasFocus():
            event.ignore()
            return True
        return False

    def _watch(self, widget: QWidget) -> None:
        for one in (widget, *widget.findChildren(QWidget)):
            if isinstance(one, _HOLD_NONE):
                continue
            one.installEventFilter(self)
            if _holds_value(one) and one.focusPolicy() == Qt.FocusPolicy.WheelFocus:
                one.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


def _holds_value(one: QObject) -> bool:
    return isinstance(one, _VALUES) and not isinstance(one, QScrollBar)
