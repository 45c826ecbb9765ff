"""A language made of English letter by letter: what people see in plain letters was not translated.

As a plugin of pytest (``-p support.pseudo``) it is spoken before anything of ours is imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Callable

import translations
from qgis.PyQt.QtCore import QAbstractItemModel, QAbstractListModel, QCoreApplication, QModelIndex, Qt, QTranslator
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

_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OTHER = "àƀćđéƒĝĥíĵķĺɱñóþɋŕśţúṽŵẋýžÀƁĆĐÉƑĜĤÍĴĶĹṀÑÓÞɊŔŚŢÚṼŴẊÝŽ"
_TABLE = str.maketrans(_PLAIN, _OTHER)
#: What stays: values, tags, entities, Qt's own values.
_KEPT = re.compile(r"(\{[^{}]*\}|</?[a-zA-Z][^<>]*>|&\w+;|%L?\d+|%L?n)")
_ROWS = 40


def pseudo(text: str) -> str:
    """The text in the language."""
    return "".join(part if _KEPT.fullmatch(part) else part.translate(_TABLE) for part in _KEPT.split(text))


class Pseudo(QTranslator):
    """Translates what the catalogues have, and all that is QGIS's and Qt's own."""

    def __init__(self) -> None:
        super().__init__()
        self.texts = {message.text for message in translations.read(translations.catalogue_of("de"))}

    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str:
        return "" if context == translations.CONTEXT and source not in self.texts else pseudo(source)

    def isEmpty(self) -> bool:  # noqa: N802 - Qt's name
        return False


_spoken: list[Pseudo] = []


def pytest_sessionstart() -> None:
    """Speak it from now on; QGIS runs already."""
    _spoken.append(Pseudo())
    QCoreApplication.installTranslator(_spoken[0])


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
    yield from (one.toolTip(), one.statusTip(), one.whatsThis(), one.accessibleName(), one.accessibleDescription())
    for kind, told in _TOLD.items():
        if isinstance(one, kind):
            yield from told(one)
    for action in one.actions():
        yield from (action.text(), action.toolTip())
    figure = getattr(one, "figure", None)
    if figure is not None and hasattr(figure, "findobj"):
        yield from (text.get_text() for text in figure.findobj(lambda part: hasattr(part, "get_text")))


def _of_spin_box(one: QAbstractSpinBox) -> Iterator[str]:
    yield one.specialValueText()
    yield from (getattr(one, name)() for name in ("prefix", "suffix") if hasattr(one, name))


def _of_tabs(one: QTabWidget) -> Iterator[str]:
    for number in range(one.count()):
        yield from (one.tabText(number), one.tabToolTip(number))


def _of_view(one: QAbstractItemView) -> Iterator[str]:
    return of_model(one.model(), isinstance(one, (QTableView, QTreeView))) if one.model() is not None else iter(())


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
