"""The line that says that results are out of date, and why."""

from __future__ import annotations

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QLabel, QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.colours import STALE, WARN

__all__ = ["StaleLabel"]


class StaleLabel(QLabel):
    """Hidden while the results are fresh."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)  # a layer's name stands in it
        self.setStyleSheet(
            f"QLabel {{ background: {STALE}; color: {WARN}; padding: 3px 6px; border: 1px solid {WARN}; }}"
        )
        self.hide()

    def tell(self, why: str) -> None:
        """Show the reason; an empty one hides the line."""
        self.setText(tr("These results are out of date: {why} Run again.").format(why=why) if why else "")
        self.setVisible(bool(why))
