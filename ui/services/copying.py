"""Copies sentences and tables to the clipboard: as text, Markdown or LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Callable

from qgis.PyQt.QtCore import QAbstractItemModel, Qt
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtWidgets import QAction, QMenu, QToolButton, QWidget

from randcrowns.layers.quoting import Cells, Form
from randcrowns.layers.words import tr

#: What is copied, in a form.
Quote = Callable[[Form], str]


def shown_cells(model: QAbstractItemModel, rows: Sequence[int] | None = None) -> Cells:
    """The cells of a table as they are shown; of some rows only, where these are named. Columns need a title."""
    roles, across = Qt.ItemDataRole, Qt.Orientation.Horizontal
    titles = [str(model.headerData(column, across) or "") for column in range(model.columnCount())]
    columns = [column for column, title in enumerate(titles) if title]
    wanted = range(model.rowCount()) if rows is None else rows
    cells = [[str(model.data(model.index(row, column))) for column in columns] for row in wanted]
    first = [model.data(model.index(0, column), roles.TextAlignmentRole) for column in columns]
    right = [one is not None and bool(one & Qt.AlignmentFlag.AlignRight) for one in first]
    return Cells([titles[column] for column in columns], right, cells)


def copy_actions(parent: QWidget, quote: Quote) -> list[QAction]:
    """An action for each form, which copies what is quoted then."""
    made = []
    for form in Form:
        action = QAction(tr("Copy as {form}", form=form.value), parent)
        action.triggered.connect(lambda *_, form=form: QGuiApplication.clipboard().setText(quote(form)))
        made.append(action)
    return made


def copy_button(tooltip: str, actions: Sequence[QAction]) -> QToolButton:
    """A small button with a menu of these."""
    button = QToolButton()
    button.setText(tr("Copy"))
    button.setToolTip(tooltip)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    menu = QMenu(button)
    menu.addActions(list(actions))
    button.setMenu(menu)
    return button
