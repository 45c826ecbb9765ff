"""Installation of the plugin's translation into QGIS's language, from ``i18n/``."""

from __future__ import annotations

import re
from pathlib import Path

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QCoreApplication, QLocale, QTranslator

_FOLDER = Path(__file__).resolve().parents[1] / "i18n"
#: The installed translator, or nothing. Qt does not keep a reference to it.
_installed: list[QTranslator] = []
#: Mapping of the separators of a formatted number (``,`` and ``.``) to those of the language in
#: use, for ``str.translate``; empty for English.
SEPARATORS: dict[int, str] = {}
#: The separator of thousands in a number of four digits.
_SINGLE_THOUSANDS = re.compile(r"(?<![\d,])(\d),(?=\d{3}(?![\d,]))")


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
    language = QLocale(language_code())
    if not translator.load(language, "randcrowns", "_", str(folder)):
        return False
    _installed.append(translator)
    users_locale = locale()
    separators = {",": users_locale.groupSeparator(), ".": users_locale.decimalPoint()}
    SEPARATORS.update(str.maketrans(separators))
    return QCoreApplication.installTranslator(translator)


def localize_separators(number: str) -> str:
    """Convert the separators of a number formatted by Python to those of the language in use.

    In some languages, as in Spanish with Qt 6, a number of four digits has no separator.
    """
    if SEPARATORS and not _separates_four_digits():
        number = _SINGLE_THOUSANDS.sub(r"\1", number)
    return number.translate(SEPARATORS)


def _separates_four_digits() -> bool:
    """Return True if Qt, and with it QGIS, separates the thousands of 1,234."""
    return locale().groupSeparator() in locale().toString(1234)


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
