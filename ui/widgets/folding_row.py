"""Row of widgets that becomes a column where it is too narrow for its texts."""

from __future__ import annotations

from qgis.PyQt.QtCore import QEvent, QSize
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import QBoxLayout, QLayout, QLayoutItem, QSizePolicy, QWidget


class FoldingRow(QWidget):
    """Row whose parts stand below one another if they do not fit beside one another.

    In a language with long words, no button then has a text that is cut off.

    Args:
        parts: widgets and rows of widgets from the beginning of the row to its end.
        stretched: index of the part that takes the remaining width.
        margins: left, top, right and bottom margin in pixels.
        spacing: space between parts in pixels; -1 for the default of the style.
    """

    def __init__(
        self,
        *parts: QWidget | QLayout,
        stretched: int = 0,
        margins: tuple[int, int, int, int] = (0, 0, 0, 0),
        spacing: int = -1,
    ) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(*margins)
        if spacing >= 0:
            self._row.setSpacing(spacing)
        for number, part in enumerate(parts):
            if isinstance(part, QLayout):
                self._row.addLayout(part, int(number == stretched))
            else:
                self._row.addWidget(part, int(number == stretched))

    @property
    def is_folded(self) -> bool:
        """True if the parts stand below one another."""
        return self._row.direction() == QBoxLayout.Direction.TopToBottom

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the size of the widest part, which a scrolled form must not exceed."""
        margins = self._row.contentsMargins()
        widths = [item.minimumSize().width() for item in self._shown_items()]
        width = max(widths, default=0) + margins.left() + margins.right()
        return QSize(width, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fold or unfold the row for the new width."""
        super().resizeEvent(event)
        self._update_direction()

    def event(self, event: QEvent) -> bool:
        """Fold or unfold the row for a new text of a part."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._update_direction()
        return bool(super().event(event))

    def _shown_items(self) -> list[QLayoutItem]:
        """Return the items of the layout whose parts are visible."""
        items = [self._row.itemAt(number) for number in range(self._row.count())]
        return [item for item in items if not item.isEmpty()]

    def _update_direction(self) -> None:
        """Fold the row if its parts do not fit beside one another, else unfold it."""
        items = self._shown_items()
        gap_count = max(len(items) - 1, 0)
        gaps_width = gap_count * max(self._row.spacing(), 0)
        needed_width = sum(item.minimumSize().width() for item in items) + gaps_width
        margins = self._row.contentsMargins()
        available_width = self.width() - margins.left() - margins.right()
        direction = QBoxLayout.Direction.LeftToRight
        if needed_width > available_width:
            direction = QBoxLayout.Direction.TopToBottom
        if direction != self._row.direction():
            self._row.setDirection(direction)
            self.updateGeometry()
