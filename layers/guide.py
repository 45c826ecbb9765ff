"""The user's guide: pages of HTML that the plugin's zip holds, made of docs/ by ``make guide``."""

from __future__ import annotations

from pathlib import Path

from qgis.PyQt.QtCore import QUrl
from qgis.PyQt.QtGui import QDesktopServices

from randcrowns.layers.words import tr

#: Where the pages are.
GUIDE = Path(__file__).resolve().parents[1] / "resources" / "guide"
#: Its first page.
INDEX = "index"


def guide_page(page: str) -> Path:
    """The file of a page: of the key of a page of the dock, of a topic of algorithms, or of :data:`INDEX`."""
    return GUIDE / f"{page}.html"


def guide_url(page: str) -> str:
    """The address of a page, for a browser."""
    return str(QUrl.fromLocalFile(str(guide_page(page))).toString())


def open_guide(page: str) -> str:
    """Have the browser show a page.

    Returns:
        Why it cannot be shown; empty where it can.
    """
    file = guide_page(page)
    if not file.is_file():
        return tr(
            "The guide is not in this copy of the plugin ({file} is missing). Install the plugin's zip, which has it.",
            file=file,
        )
    if not QDesktopServices.openUrl(QUrl(guide_url(page))):
        return tr("No browser could be opened; the guide is in {file}.", file=file)
    return ""
