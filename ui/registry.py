"""The pages the dock can show. A page is a file of its own; a page whose file is not there is not shown."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import util

__all__ = ["PAGES", "PageEntry", "available_pages"]


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


#: In the order of the strip. To add a page, write ui/pages/<key>.py and its icon; keep the class name here.
PAGES: tuple[PageEntry, ...] = tuple(
    PageEntry(key, title, f"randcrowns.ui.pages.{key}", f"{title}Page")
    for key, title in (
        ("score", "Score"),
        ("annotators", "Annotators"),
        ("detectors", "Detectors"),
        ("instances", "Instances"),
        ("parameters", "Parameters"),
    )
)


def available_pages() -> list[PageEntry]:
    """The pages whose file exists."""
    return [entry for entry in PAGES if util.find_spec(entry.module) is not None]
