"""Visible widgets that are drawn over one another or beyond their parent."""

from __future__ import annotations

from itertools import combinations

from qgis.PyQt.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QFocusFrame,
    QLineEdit,
    QSplitterHandle,
    QTabBar,
    QTabWidget,
    QWidget,
)

__all__ = ["overlaps"]

#: Widgets whose parts Qt or QGIS arranges.
_WHOLE = (QAbstractSpinBox, QComboBox, QLineEdit, QTabBar)
#: Parts that Qt draws over others on purpose.
_DRAWN_OVER = (QFocusFrame, QSplitterHandle)


def _name(widget: QWidget) -> str:
    """Return the class and a text of a widget."""
    words = getattr(widget, "text", None) or getattr(widget, "title", None)
    text = words() if callable(words) else widget.accessibleName()
    box = widget.geometry()
    place = f"{box.x()},{box.y()} {box.width()}x{box.height()}"
    return f"{type(widget).__name__} {str(text)[:40]!r} [{place}]"


def overlaps(window: QWidget) -> list[str]:
    """Return a description of each pair of visible siblings that overlap within a widget.

    A widget in a layout that ends below its parent counts, too: it is drawn cut off.
    """
    found = []
    for parent in (window, *window.findChildren(QWidget)):
        if not parent.isVisible() or isinstance(parent, _WHOLE):
            continue
        children = [
            child
            for child in parent.children()
            if isinstance(child, QWidget)
            and child.isVisible()
            and not child.isWindow()
            and not isinstance(child, _DRAWN_OVER)
            and not child.geometry().isEmpty()
        ]
        for one, other in combinations(children, 2):
            if one.geometry().intersects(other.geometry()):
                found.append(f"{_name(one)} over {_name(other)} in {_name(parent)}")
        if isinstance(parent, (QAbstractScrollArea, QTabWidget)) or parent.layout() is None:
            continue
        for child in children:
            is_laid_out = parent.layout().indexOf(child) >= 0
            if is_laid_out and child.geometry().bottom() > parent.rect().bottom():
                found.append(f"{_name(child)} below the end of {_name(parent)}")
    return found
