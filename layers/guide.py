"""User's guide: HTML pages in the plugin's zip file, built from docs/ by ``make guide``."""

from __future__ import annotations

from pathlib import Path

from qgis.PyQt.QtCore import QUrl
from qgis.PyQt.QtGui import QDesktopServices

from randcrowns.layers.localization import tr

#: Folder with the pages.
GUIDE_FOLDER = Path(__file__).resolve().parents[1] / "resources" / "guide"
#: Key of the first page.
FIRST_PAGE = "index"


def guide_page(page: str) -> Path:
    """Return the file of a page, which may be missing.

    Args:
        page: key of a page of the dock, of a topic of algorithms, or :data:`FIRST_PAGE`.
    """
    return GUIDE_FOLDER / f"{page}.html"


def guide_url(page: str, section: str = "") -> str:
    """Return the URL of a page for a browser.

    Args:
        page: key of the page, see :func:`guide_page`.
        section: id of a heading on the page; "" for the top of the page.
    """
    url = QUrl.fromLocalFile(str(guide_page(page)))
    if section:
        url.setFragment(section)
    return str(url.toString())


def open_guide(page: str, section: str = "") -> str:
    """Open a page in the user's browser.

    Args:
        page: key of the page, see :func:`guide_page`.
        section: id of a heading on the page; "" for the top of the page.

    Returns:
        The reason why the page cannot be opened; empty if it was opened.
    """
    file = guide_page(page)
    if not file.is_file():
        return tr(
            "The guide is missing in this copy of the plugin ({file} does not exist). Install the "
            "plugin's zip file, which contains it.",
            file=file,
        )
    if not QDesktopServices.openUrl(QUrl(guide_url(page, section))):
        return tr("No browser can be opened. The guide is in {file}.", file=file)
    return ""
