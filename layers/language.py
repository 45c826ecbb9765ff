"""Installation of the plugin's translation into QGIS's language, from ``i18n/``."""

from __future__ import annotations

from pathlib import Path

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QCoreApplication, QLocale, QTranslator

_FOLDER = Path(__file__).resolve().parents[1] / "i18n"
#: The installed translator, or nothing. Qt does not keep a reference to it.
_installed: list[QTranslator] = []
#: Mapping of the separators of a formatted number (``,`` and ``.``) to those of the language in
#: use, for ``str.translate``; empty for English.
SEPARATORS: dict[int, str] = {}


def install_translation(folder: Path = _FOLDER) -> bool:
    """Translate the plugin's texts into QGIS's language from now on.

    Texts that modules have translated during their import stay in English.

    Args:
        folder: folder with the compiled catalogues, ``randcrowns_*.qm``.

    Returns:
        True if a catalogue was installed; False if the texts stay in English.
    """
    remove_translation()
    translator = QTranslator()
    if not translator.load(QLocale(language_code()), "randcrowns", "_", str(folder)):
        return False
    _installed.append(translator)
    SEPARATORS.update(str.maketrans({",": locale().groupSeparator(), ".": locale().decimalPoint()}))
    return QCoreApplication.installTranslator(translator)


def language_code() -> str:
    """Return the code of the language that QGIS is shown in, such as ``de`` or ``pt_BR``.

    It is the language that QGIS was started with (``--lang``), else that of its settings or of the
    system.
    """
    application = QgsApplication.instance()
    started_with = application.translation() if isinstance(application, QgsApplication) else ""
    return started_with or QgsApplication.locale()


def locale() -> QLocale:
    """Return the locale that formats numbers and dates in the plugin's texts."""
    return QLocale(language_code() if _installed else "en")


def remove_translation() -> None:
    """Remove the installed translation; the texts are in English again."""
    SEPARATORS.clear()
    while _installed:
        QCoreApplication.removeTranslator(_installed.pop())
