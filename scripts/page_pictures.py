"""Make pictures of pages of the dock without a window: ``make pictures PAGES="score review"``.

Each page is drawn with the sample plot at three widths, light and dark, into ``build/pictures``. By
default, all pages are drawn. With ``RUN=1``, pages that run an algorithm are drawn after a run.
With ``SPEAK=fr``, the texts are French; with ``SPEAK=ar``, they are pseudo-text in Arabic letters,
from right to left. The screenshots of the guide are made by ``docs/screenshots.py``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from qgis.core import QgsApplication, QgsProject
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QLocale, Qt
from qgis.PyQt.QtGui import QPalette
from qgis.PyQt.QtWidgets import QApplication, QMainWindow

sys.path.append(str(Path(__file__).parents[1] / "tests"))
#: Language of the texts; "" for English.
LANGUAGE = os.environ.get("SPEAK", "")
# Module constants are translated on import, so the language must be set before.
APPLICATION = QgsApplication([], True)
if LANGUAGE == "ar":
    from language.pseudo import speak_arabic

    speak_arabic()
    APPLICATION.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
elif LANGUAGE:
    from randcrowns.layers import language

    APPLICATION.setTranslation(LANGUAGE)
    QLocale.setDefault(QLocale(LANGUAGE))
    if not language.install_translation():
        sys.exit(f"There is no translation into {LANGUAGE}.")

from pytest_qgis.mock_qgis_classes import MockMessageBar
from pytest_qgis.qgis_interface import QgisInterface
from support.layers import load_sample
from support.panel import empty_project, opened_dock, run_page
from support.qt import spin
from support.themes import DARK, desktop_palette

from randcrowns.ui.shell.dock import PAGES, RandCrownsDock
from randcrowns.ui.shell.running_page import RunningPage

#: Folder of the pictures unless the variable OUTPUT names another one.
FOLDER = Path(__file__).parents[1] / "build" / "pictures"
#: Widths of the dock, and its height, pixels.
WIDTHS = (300, 360, 600)
HEIGHT = 1000
#: Time in which a page gets its data in the background, ms.
_PAUSE = 500
#: Time in which a page gets its layout, ms.
_LAYOUT_PAUSE = 100


def main() -> None:
    """Make the pictures of the pages that the variable PAGES names, else of all pages."""
    APPLICATION.initQgis()
    known_keys = [entry.key for entry in PAGES]
    keys = os.environ.get("PAGES", "").split() or known_keys
    unknown_keys = sorted(set(keys) - set(known_keys))
    if unknown_keys:
        sys.exit(f"There is no page {', '.join(unknown_keys)}. Pages: {', '.join(known_keys)}")
    folder = Path(os.environ.get("OUTPUT") or FOLDER)
    folder.mkdir(parents=True, exist_ok=True)

    light = QPalette(QApplication.palette())
    for look, palette in (("light", light), ("dark", desktop_palette(*DARK))):
        QApplication.setPalette(palette)
        with empty_project(), opened_dock(_make_interface()) as dock:
            load_sample(QgsProject.instance())
            dock.setFloating(True)
            for key in keys:
                _draw_page(dock, key, folder / f"{key}_{look}")
    print(f"Pictures: {folder}")
    sys.stdout.flush()
    os._exit(0)  # QGIS sometimes crashes when Python ends.


def _make_interface() -> Any:
    """Return an interface of QGIS with a map and a message bar, as tests use it."""
    window = QMainWindow()
    return QgisInterface(QgsMapCanvas(window), MockMessageBar(), window)


def _draw_page(dock: RandCrownsDock, key: str, path: Path) -> None:
    """Show a page, optionally run it, and save a picture for each width.

    Args:
        dock: The dock.
        key: Key of the page.
        path: Path of the pictures, without width and extension.
    """
    page = dock.show_page(key)
    spin(_PAUSE)
    if os.environ.get("RUN") and isinstance(page, RunningPage):
        run_page(page)
        spin(_PAUSE)
    for width in WIDTHS:
        dock.resize(width, HEIGHT)
        spin(_LAYOUT_PAUSE)
        dock.grab().save(f"{path}_{width}.png")


if __name__ == "__main__":
    main()
