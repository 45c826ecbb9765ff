"""A language made of English letter by letter: what people see in plain letters was not translated.

It writes 1,200.5 as 1٬200٫5: a number with a comma or a point was not written in the language.

As a plugin of pytest (``-p language.pseudo``) it is spoken before anything of ours is imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Callable

import translations
from qgis.PyQt.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QCoreApplication,
    QLocale,
    QModelIndex,
    Qt,
    QTranslator,
)
from qgis.PyQt.QtGui import QTextDocument
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QProgressBar,
    QTableView,
    QTabWidget,
    QTextEdit,
    QTreeView,
    QWidget,
)

from randcrowns.layers import language

_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OTHER = "àƀćđéƒĝĥíĵķĺɱñóþɋŕśţúṽŵẋýžÀƁĆĐÉƑĜĤÍĴĶĹṀÑÓÞɊŔŚŢÚṼŴẊÝŽ"
_TABLE = str.maketrans(_PLAIN, _OTHER)
#: Letters of Arabic for a text from right to left.
_ARABIC = "ابتدهفغحيجكلمنوبقرسطعوثخيزابتدهفغحيجكلمنوبقرسطعوثخيز"
_ARABIC_TABLE = str.maketrans(_PLAIN, _ARABIC)
_SIGNS = str.maketrans({",": "٬", ".": "٫"})
_SIGN = re.compile(r"(?<=\d)[.,](?=\d)")
#: What stays: values, tags, entities, Qt's own values.
_KEPT = re.compile(r"(\{[^{}]*\}|</?[a-zA-Z][^<>]*>|&\w+;|%L?\d+|%L?n)")
_ROWS = 40


def pseudo(text: str, table: Mapping[int, int] = MappingProxyType(_TABLE)) -> str:
    """The text in the language whose letters are in ``table``."""
    parts = _KEPT.split(text)
    return "".join(
        one if _KEPT.fullmatch(one) else _SIGN.sub(_sign, one.translate(table)) for one in parts
    )


def _sign(found: re.Match[str]) -> str:
    return found[0].translate(_SIGNS)


class Pseudo(QTranslator):
    """Translates what the catalogues have, and all that is QGIS's and Qt's own."""

    def __init__(self, table: Mapping[int, int] = MappingProxyType(_TABLE)) -> None:
        super().__init__()
        self.table = table
        self.texts = {
            message.text
            for message in translations.read_catalogue(translations.catalogue_path("de"))
        }

    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1
    ) -> str:
        return (
            source
            if context == translations.CONTEXT and source not in self.texts
            else pseudo(source, self.table)
        )

    def isEmpty(self) -> bool:  # noqa: N802 - Qt's name
        return False


_spoken: list[Pseudo] = []


def pytest_sessionstart() -> None:
    """Speak it from now on; QGIS runs already."""
    _speak(Pseudo())


def speak_arabic() -> None:
    """Speak pseudo-text in Arabic letters from now on: to try a layout from right to left."""
    _speak(Pseudo(_ARABIC_TABLE))


def _speak(translator: Pseudo) -> None:
    _spoken.append(translator)
    QCoreApplication.installTranslator(_spoken[0])
    language.SEPARATORS.update(_SIGNS)
    for change in (
        "install_translation",
        "remove_translation",
    ):  # the plugin, loaded and unloaded, stays in this language
        setattr(language, change, lambda: None)
    setattr(language, "locale", lambda: QLocale("fa"))  # noqa: B010 - has these signs: numbers of QGIS's expressions


def plain(text: str) -> str:
    """What rich text shows."""
    if not Qt.mightBeRichText(text):
        return text
    document = QTextDocument()
    document.setHtml(text)
    return document.toPlainText()


def texts_of(widget: QWidget) -> Iterator[tuple[str, str]]:
    """What a widget, and all within, says to people, and where."""
    for one in [widget, *widget.findChildren(QWidget)]:
        where = f"{type(one).__name__} {one.objectName()}".strip()
        for text in _own_texts(one):
            if text:
                yield where, plain(str(text))


def _own_texts(one: QWidget) -> Iterator[str]:
    yield from (
        one.toolTip(),
        one.statusTip(),
        one.whatsThis(),
        one.accessibleName(),
        one.accessibleDescription(),
    )
    for kind, told in _TOLD.items():
        if isinstance(one, kind):
            yield from told(one)
    for action in one.actions():
        yield from (action.text(), action.toolTip())
    figure = getattr(one, "figure", None)
    if figure is not None and hasattr(figure, "findobj"):
        yield from (
            text.get_text() for text in figure.findobj(lambda part: hasattr(part, "get_text"))
        )


def _of_spin_box(one: QAbstractSpinBox) -> Iterator[str]:
    yield one.specialValueText()
    yield from (getattr(one, name)() for name in ("prefix", "suffix") if hasattr(one, name))


def _of_tabs(one: QTabWidget) -> Iterator[str]:
    for number in range(one.count()):
        yield from (one.tabText(number), one.tabToolTip(number))


def _of_view(one: QAbstractItemView) -> Iterator[str]:
    return (
        of_model(one.model(), isinstance(one, (QTableView, QTreeView)))
        if one.model() is not None
        else iter(())
    )


#: Kind of widget -> what it says, beside tooltips.
_TOLD: dict[Any, Callable[[Any], Iterable[str]]] = {
    QLabel: lambda one: [one.text()],
    QAbstractButton: lambda one: [one.text()],
    QGroupBox: lambda one: [one.title()],
    QMenu: lambda one: [one.title()],
    QLineEdit: lambda one: [one.placeholderText()],
    QProgressBar: lambda one: [one.format()],
    QTextEdit: lambda one: [one.toPlainText()],
    QPlainTextEdit: lambda one: [one.toPlainText()],
    QDialog: lambda one: [one.windowTitle()],
    QComboBox: lambda one: of_model(one.model()),
    QAbstractSpinBox: _of_spin_box,
    QTabWidget: _of_tabs,
    QAbstractItemView: _of_view,
}


def of_model(model: QAbstractItemModel, headed: bool = False) -> Iterator[str]:
    """Heads, cells and tooltips of the first rows."""
    shown = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole
    # A list's own number of columns is hidden from Python.
    for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount()):
        for role in shown:
            if headed:
                yield _text(model.headerData(column, Qt.Orientation.Horizontal, role))
            for row in range(min(model.rowCount(), _ROWS)):
                yield _text(model.data(model.index(row, column, QModelIndex()), role))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
