"""Texts that a page and the legends of the map display."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qgis.core import QgsLayerTreeModel, QgsProject
from qgis.PyQt.QtCore import QAbstractTableModel, Qt
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QGroupBox,
    QLabel,
    QTabWidget,
    QWidget,
)

__all__ = ["displayed_texts", "ids_in", "legend_texts"]

#: Names of parameters, columns and values of programs, such as "panoptic_segmentation".
_ID = re.compile(r"\b[A-Za-z]+(?:_[A-Za-z0-9]+)+\b")


def ids_in(texts: Iterator[str]) -> set[str]:
    """Return the texts that contain an id of a program."""
    return {text for text in texts if _ID.search(re.sub("<[^>]*>", "", text))}


def displayed_texts(page: QWidget) -> Iterator[str]:
    """Yield the texts of all labels, buttons, options, tabs, headings and cells of a page."""
    for widget in page.findChildren(QWidget):
        if isinstance(widget, (QLabel, QAbstractButton)):
            yield widget.text()
        elif isinstance(widget, QGroupBox):
            yield widget.title()
        elif isinstance(widget, QComboBox):
            yield from (widget.itemText(number) for number in range(widget.count()))
        elif isinstance(widget, QTabWidget):
            yield from (widget.tabText(number) for number in range(widget.count()))
        elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from _view_texts(widget)


def _view_texts(view: QAbstractItemView) -> Iterator[str]:
    """Yield the headings and the cells of the first rows of a table or list."""
    model = view.model()
    is_table = isinstance(model, QAbstractTableModel)
    for column in range(model.columnCount() if is_table else 1):
        if is_table:
            yield str(model.headerData(column, Qt.Orientation.Horizontal) or "")
        for row in range(min(model.rowCount(), 50)):
            yield str(model.data(model.index(row, column)) or "")


def legend_texts() -> Iterator[str]:
    """Yield the texts of the legends of all layers of the project, with the layers' names."""
    root = QgsProject.instance().layerTreeRoot()
    model = QgsLayerTreeModel(root)
    for node in root.findLayers():
        yield node.name()
        yield from (
            str(one.data(Qt.ItemDataRole.DisplayRole)) for one in model.layerLegendNodes(node)
        )
