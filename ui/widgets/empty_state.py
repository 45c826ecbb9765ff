"""What a page shows when the project has nothing to work on: what is missing, and a way to try it."""

from __future__ import annotations

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.icons import icon

__all__ = ["EmptyState"]


class EmptyState(QWidget):
    """A sentence and a button that loads the sample data."""

    sample_asked = pyqtSignal()

    def __init__(self, sentence: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        picture = QLabel()
        picture.setPixmap(icon("randcrowns").pixmap(64, 64))
        picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        words = QLabel(sentence)
        words.setWordWrap(True)
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = QPushButton(icon("sample"), tr("Load sample data"))
        self.button.setToolTip(tr("Adds a simulated plot: an image, its crowns drawn by several people, a detector."))
        self.button.clicked.connect(self.sample_asked)
        self._buttons = QVBoxLayout()
        self._buttons.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.addStretch(1)
        column.addWidget(picture)
        column.addSpacing(8)
        column.addWidget(words)
        column.addSpacing(8)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addLayout(self._buttons)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(2)

    def add_button(self, words: str, tooltip: str) -> QPushButton:
        """Another way in, above the sample data."""
        button = QPushButton(words)
        button.setToolTip(tooltip)
        self._buttons.insertWidget(0, button)
        return button
