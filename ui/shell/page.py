"""What every page of the dock can do."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import util
from typing import Any

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QWidget

from randcrowns.ui.services.messages import Messages


class Page(QWidget):
    """A page of the dock. ``iface`` is QGIS's window as plugins see it."""

    #: Key of a page to be shown, and choices that it takes over.
    page_asked = pyqtSignal(str, dict)
    #: Key of the page in the registry, and of its choices in the project.
    key = ""

    def __init__(self, iface: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.iface = iface
        self.messages = Messages(iface)

    def restore(self) -> None:
        """Take up the choices kept in the project (one was opened)."""

    def keep(self) -> None:
        """Keep the choices in the project (it is about to be saved)."""

    def take_over(self, choices: dict[str, Any]) -> None:
        """Take up choices that another page made."""

    def leave(self) -> None:
        """The page is no longer looked at: take what it drew off the map."""

    def close_down(self) -> None:
        """The plugin is unloaded: stop work, take back connections and drawings."""


@dataclass(frozen=True)
class PageEntry:
    """A page of the dock: its key (also of its icon), its name, and the class that makes it."""

    key: str
    title: str
    module: str
    class_name: str

    def load(self) -> type:
        """The page's class.

        Imported the way QGIS watches: reloading the plugin must not find this module as it was.
        """
        return getattr(__import__(self.module, fromlist=[self.class_name]), self.class_name)


#: In the order of the strip: key (of the icon and of what a project keeps), topic (the folder below ui), name.
PAGES: tuple[PageEntry, ...] = tuple(
    PageEntry(key, title, f"randcrowns.ui.{topic}.page", f"{title}Page")
    for key, topic, title in (
        ("score", "scoring", "Score"),
        ("annotators", "agreement", "Annotators"),
        ("detectors", "detectors", "Detectors"),
        ("instances", "instances", "Instances"),
        ("parameters", "tuning", "Parameters"),
    )
)


def available_pages() -> list[PageEntry]:
    """The pages whose file exists."""
    return [entry for entry in PAGES if util.find_spec(entry.module.rpartition(".")[0]) is not None]
