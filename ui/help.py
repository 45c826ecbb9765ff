"""The help window: what the scores mean and how the panel is used."""

from __future__ import annotations

from pathlib import Path

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QDialog, QTextBrowser, QVBoxLayout, QWidget

from randcrowns.layers.words import tr

__all__ = ["HelpWindow"]

_TEXT = Path(__file__).resolve().parent.parent / "resources" / "help.md"


class HelpWindow(QDialog):
    """Shows resources/help.md."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(tr("RandCrowns help"))
        self.browser = QTextBrowser()
        self.browser.setOpenExternalLinks(True)
        self.browser.document().setDocumentMargin(14)
        self.browser.setMarkdown(_TEXT.read_text(encoding="utf-8"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.browser)
        self.resize(680, 620)
