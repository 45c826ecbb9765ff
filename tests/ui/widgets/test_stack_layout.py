"""A stack is as high as its current widget needs, whatever the hidden ones need."""

from __future__ import annotations

from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtWidgets import QLabel, QVBoxLayout, QWidget

from randcrowns.ui.widgets.stack_layout import StackLayout


def test_an_empty_stack_needs_no_room(qgis_app):
    parent = QWidget()
    stack = StackLayout(parent)
    assert not stack.hasHeightForWidth()
    assert stack.minimumSize() == QSize()
    assert parent.sizeHint() == QSize()


def test_hidden_widgets_take_no_room(qgis_app):
    low, high = QWidget(), QWidget()
    low.setMinimumSize(40, 30)
    high.setMinimumSize(60, 500)
    wrapped = QLabel("word " * 50)
    wrapped.setWordWrap(True)
    parent = QWidget()
    stack = StackLayout(parent)
    for widget in (high, low, wrapped):
        stack.addWidget(widget)
    assert parent.minimumSizeHint() == QSize(60, 500)
    stack.setCurrentWidget(low)
    assert parent.minimumSizeHint() == QSize(40, 30)
    assert not parent.hasHeightForWidth()
    stack.setCurrentWidget(wrapped)
    assert parent.hasHeightForWidth()
    assert parent.heightForWidth(200) == wrapped.heightForWidth(200) < 500


def test_a_widget_around_a_stack_that_changes_while_hidden_takes_the_new_size(qgis_app):
    low, high, other = QWidget(), QWidget(), QWidget()
    low.setMinimumHeight(30)
    high.setMinimumHeight(500)
    page = QWidget()
    stack = StackLayout(page)
    stack.addWidget(high)
    stack.addWidget(low)
    window = QWidget()
    column = QVBoxLayout(window)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(page)
    column.addWidget(other)
    window.show()
    assert window.minimumSizeHint().height() >= 500
    page.hide()
    stack.setCurrentWidget(low)
    page.show()
    assert window.minimumSizeHint().height() < 100
