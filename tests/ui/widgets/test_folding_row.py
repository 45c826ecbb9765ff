"""A row of widgets folds into a column where its texts do not fit."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QWidget
from support.qt import spin

from randcrowns.ui.widgets.folding_row import FoldingRow


@pytest.fixture
def buttons(qgis_app):
    return [QPushButton(text) for text in ("Compare four annotators", "Earlier runs", "Help")]


@pytest.fixture
def row(buttons):
    end = QHBoxLayout()
    end.addWidget(buttons[1])
    end.addWidget(buttons[2])
    window, made = QWidget(), FoldingRow(buttons[0], end)
    made.setParent(window)
    window.resize(2000, 300)
    window.show()
    yield made
    window.deleteLater()


def is_cut(button):
    return button.width() < button.sizeHint().width()


def test_the_parts_fold_where_they_do_not_fit_and_unfold_where_they_do(row, buttons):
    needed = sum(button.sizeHint().width() for button in buttons) + 2 * row.layout().spacing()
    for width, is_folded in ((needed + 20, False), (needed - 20, True), (needed + 20, False)):
        row.resize(width, 80)
        spin()
        assert row.is_folded == is_folded
        assert (buttons[1].y() > buttons[0].y()) == is_folded
        assert not any(map(is_cut, buttons))


def test_a_longer_text_folds_the_row_and_a_hidden_part_needs_no_room(row, buttons):
    row.resize(sum(button.sizeHint().width() for button in buttons) + 40, 80)
    spin()
    assert not row.is_folded
    buttons[0].setText("Compare four annotators and more")
    spin()
    assert row.is_folded
    buttons[1].hide()
    buttons[2].hide()
    spin()
    assert not row.is_folded


def test_a_scrolled_form_is_not_wider_for_the_row(row, buttons):
    area = QScrollArea(row.window())
    area.setWidgetResizable(True)
    area.setWidget(row)
    area.resize(buttons[0].sizeHint().width() + 60, 200)
    area.show()
    spin()
    assert row.is_folded
    assert row.width() == area.viewport().width()
