"""Stands for the user's browser."""

from __future__ import annotations

from pathlib import Path

from qgis.PyQt.QtCore import QObject, QUrl, pyqtSlot
from qgis.PyQt.QtGui import QDesktopServices

__all__ = ["Browser"]


class Browser(QObject):
    """Takes the files that Qt would hand to the browser while it is entered.

    Attributes:
        shown: these files.
    """

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[Path] = []

    def __enter__(self) -> Browser:
        QDesktopServices.setUrlHandler("file", self, "show")
        return self

    def __exit__(self, *_: object) -> None:
        QDesktopServices.unsetUrlHandler("file")

    @pyqtSlot(QUrl)
    def show(self, url: QUrl) -> None:
        """Called by Qt."""
        self.shown.append(Path(url.toLocalFile()))
