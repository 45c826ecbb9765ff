"""Tells when a file changes, goes, or appears."""

from __future__ import annotations

from pathlib import Path

from qgis.PyQt.QtCore import QFileSystemWatcher, QObject, QTimer, pyqtSignal

__all__ = ["FileWatch"]

#: Milliseconds after which a file that changed is told: it is written in many pieces.
_SETTLED = 500


class FileWatch(QObject):
    """Watches one file or, while that is not there, the folder in which it may appear. Emits :attr:`changed`."""

    changed = pyqtSignal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(_SETTLED)
        self._watcher.fileChanged.connect(lambda _: self._settled.start())
        self._watcher.directoryChanged.connect(lambda _: self._settled.start())
        self._settled.timeout.connect(self.changed)

    def follow(self, path: str) -> None:
        """Watch this file from now on; a file that was replaced must be followed anew. Empty: none."""
        place = _nearest(path)
        if self.watched() != [place]:
            if self.watched():
                self._watcher.removePaths(self.watched())
            if place:
                self._watcher.addPath(place)

    def watched(self) -> list[str]:
        """The file or folder watched now."""
        return [*self._watcher.files(), *self._watcher.directories()]


def _nearest(path: str) -> str:
    """The path, or the nearest folder on the way to it that exists; empty for none."""
    if not path:
        return ""
    try:
        return next((str(place) for place in (Path(path), *Path(path).parents) if place.exists()), "")
    except (OSError, ValueError):  # a name that no file can have
        return ""
