"""What the dock asks of a page."""

from __future__ import annotations

from typing import Any

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QWidget


class DockPage(QWidget):
    """A page of the dock. It is made when it is first looked at, and lives as long as the dock."""

    #: Key of a page to be shown, and choices that it takes over.
    page_asked = pyqtSignal(str, dict)
    #: Key of this page among those of the dock, and of its choices in the project.
    key = ""

    def restore(self) -> None:
        """Take up the choices kept in the project, defaults where it kept none; what is another project's goes."""
        raise NotImplementedError

    def keep(self, *_: object) -> None:
        """Keep the choices in the project."""
        raise NotImplementedError

    def take_over(self, choices: dict[str, Any]) -> None:
        """Take up choices that another page made."""
        raise NotImplementedError

    def come_from(self, page: DockPage) -> None:
        """Follow what the page showed that was on show before."""

    def press_run(self) -> None:
        """Run, where the page runs something: the key for it was pressed."""

    def leave(self) -> None:
        """Take the drawings off the map."""
        raise NotImplementedError

    def close_down(self) -> None:
        """Stop all work, take back connections and drawings."""
        raise NotImplementedError
