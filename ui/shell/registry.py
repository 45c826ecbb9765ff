"""The pages that the dock shows: one folder below ui each. A page whose folder is not there is not shown."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import util


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
