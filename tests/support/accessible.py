"""Widgets without a name for screen readers."""

from __future__ import annotations

from collections.abc import Iterator

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QFrame,
    QGroupBox,
    QLabel,
    QScrollArea,
    QTabBar,
    QWidget,
)

__all__ = ["nameless"]


def _read_out(widget: QWidget, labels: dict[QWidget, str]) -> str:
    """Return the name of a widget that Qt passes to screen readers."""
    own = widget.accessibleName() or labels.get(widget, "")
    if isinstance(widget, QAbstractButton):
        return own or widget.text()
    return own or (widget.title() if isinstance(widget, QGroupBox) else "")


def nameless(window: QWidget) -> Iterator[str]:
    """Yield descriptions of the widgets that take the focus and have no name."""
    labels = {
        label.buddy(): label.text()
        for label in window.findChildren(QLabel)
        if label.buddy() is not None
    }
    for widget in window.findChildren(QWidget):
        around = widget.parentWidget()
        part = isinstance(around, (QAbstractScrollArea, QFrame)) or widget.focusProxy() is not None
        itself = isinstance(
            widget, (QLabel, QScrollArea, QTabBar)
        )  # screen readers read their content
        if (
            widget.focusPolicy() == Qt.FocusPolicy.NoFocus
            or part
            or itself
            or widget.objectName().startswith("qt_")
        ):
            continue
        if not any(map(str.isalpha, _read_out(widget, labels))):
            place = [
                type(one).__name__
                for one in (widget, around, around.parentWidget())
                if one is not None
            ]
            yield f"{' in '.join(place)}: {widget.objectName() or widget.toolTip()}"
