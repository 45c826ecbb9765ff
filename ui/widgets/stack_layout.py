"""Layout that shows one of its widgets and is as high as this widget needs."""

from __future__ import annotations

from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtWidgets import QLayoutItem, QStackedLayout, QWidget


class StackLayout(QStackedLayout):
    """Layout that shows one of its widgets and is as high as this widget needs.

    Qt's own layout is as high as the highest widget, so that a low window scrolls for hidden ones.

    Args:
        parent: widget that the layout fills.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        # Qt keeps the size of a hidden widget although its layout changes.
        self.currentChanged.connect(lambda *_: parent.updateGeometry())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the preferred size of the current widget."""
        item = self._current_item()
        return QSize() if item is None else item.sizeHint()

    def minimumSize(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the minimum size of the current widget."""
        item = self._current_item()
        return QSize() if item is None else item.minimumSize()

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        """Return True if the height of the current widget depends on its width."""
        item = self._current_item()
        return item is not None and bool(item.hasHeightForWidth())

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        """Return the height that the current widget needs at a width, or -1 if it needs any.

        Args:
            width: width of the layout, pixels.
        """
        item = self._current_item()
        return -1 if item is None else int(item.heightForWidth(width))

    def _current_item(self) -> QLayoutItem | None:
        """Return the item of the current widget; None if the layout is empty."""
        return self.itemAt(self.currentIndex())
