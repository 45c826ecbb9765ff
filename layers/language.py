"""The plugin in QGIS's language: the compiled catalogue of it, where there is one in ``i18n/``."""

from __future__ import annotations

from pathlib import Path

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QCoreApplication, QLocale, QTranslator

_FOLDER = Path(__file__).resolve().parents[1] / "i18n"
_installed: list[QTranslator] = []


def install(folder: Path = _FOLDER) -> bool:
    """Have :func:`randcrowns.layers.words.tr` speak QGIS's language; False where it stays English.

    Modules that are imported before keep their texts in English.
    """
    remove()
    translator = QTranslator()
    if not translator.load(QLocale(spoken()), "randcrowns", "_", str(folder)):
        return False
    _installed.append(translator)  # Qt does not keep it alive
    return QCoreApplication.installTranslator(translator)


def spoken() -> str:
    """The code of the language that QGIS is shown in: of its start (``--lang``), else of its settings or the system."""
    application = QgsApplication.instance()
    return (application.translation() if isinstance(application, QgsApplication) else "") or QgsApplication.locale()


def remove() -> None:
    """Speak English again."""
    while _installed:
        QCoreApplication.removeTranslator(_installed.pop())
