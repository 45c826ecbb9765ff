"""Keys of the pages of the dock, by what the pages do."""

from __future__ import annotations

from randcrowns.ui.shell.dock import PAGES
from randcrowns.ui.shell.page import DockPage
from randcrowns.ui.shell.running_page import RunningPage

__all__ = ["pages_with_settings", "running_pages"]


def running_pages() -> list[str]:
    """Return the keys of the pages that run an algorithm and show its results, in order."""
    return [entry.key for entry in PAGES if issubclass(entry.load(), RunningPage)]


def pages_with_settings() -> list[str]:
    """Return the keys of the pages whose parameters the project stores, in order."""
    return [entry.key for entry in PAGES if _has_settings(entry.load())]


def _has_settings(page_class: type[DockPage]) -> bool:
    """Return True if a page has parameters."""
    return page_class.settings is not DockPage.settings
