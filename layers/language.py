"""The plugin in QGIS's language: the compiled catalogue of it, where there is one in ``i18n/``."""

from __future__ import annotations

from pathlib import Path

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QCoreApplication, QLocale, QTranslator

_FOLDER = Path(__file__).resolve().parents[1] / "i18n"
_installed: list[QTranslator] = []
#: Sign in a number as Python writes it -> that of the language spoken, for ``str.translate``; nothing for English.
SIGNS: dict[int, str] = {}


def install(folder: Path = _FOLDER) -> bool:
    """Have :func:`randcrowns.layers.words.tr` speak QGIS's language; False where it stays English.

    Modules that are imported before keep their texts in English.
    """
    remove()
    translator = QTranslator()
    if not translator.load(QLocale(spoken()), "randcrowns", "_", str(folder)):
        return False
    _installed.append(translator)  # Qt does not keep it alive
    SIGNS.update(str.maketrans({",": locale().groupSeparator(), ".": locale().decimalPoint()}))
    return QCoreApplication.installTranslator(translator)


def spoken() -> str:
    """The code of the language that QGIS is shown in: of its start (``--lang``), else of its settings or the system."""
    application = QgsApplication.instance()
    return (
        application.translation() if isinstance(application, QgsApplication) else ""
    ) or QgsApplication.locale()


def locale() -> QLocale:
    """How the language of the texts writes numbers and dates."""
    return QLocale(spoken() if _installed else "en")


def remove() -> None:
    """Speak English again."""
    SIGNS.clear()
    while _installed:
        QCoreApplication.removeTranslator(_installed.pop())
