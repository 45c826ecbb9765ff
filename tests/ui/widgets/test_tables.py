"""The quick table model: sorting, filter, CSV."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from qgis.PyQt.QtCore import QModelIndex, Qt
from qgis.PyQt.QtGui import QGuiApplication

from randcrowns.ui.widgets.table_model import FrameModel, TableColumn, as_number, as_text, as_whole
from randcrowns.ui.widgets.table_view import TableView, TableWithExport

COLUMNS = [
    TableColumn("id", "id", "", as_text),
    TableColumn("score", "RC", "score", as_number(2)),
    TableColumn("word", "status"),
]


@pytest.fixture
def model(qgis_app):
    made = FrameModel()
    words = ["ok", "small", "ok", "missed"]
    made.set_frame(pd.DataFrame({"id": [4, 2, 9, 7], "score": [0.5, np.nan, 1.0, 0.25], "word": words}), COLUMNS)
    return made


def shown(model, column=0):
    return [model.index(row, column).data() for row in range(model.rowCount())]


def test_numbers_are_written_short_and_missing_ones_as_na(model):
    assert shown(model, 1) == ["0.50", "n/a", "1.00", "0.25"]


@pytest.mark.parametrize(
    ("order", "ids"),
    [(Qt.SortOrder.AscendingOrder, ["7", "4", "9", "2"]), (Qt.SortOrder.DescendingOrder, ["9", "4", "7", "2"])],
)
def test_sorting_goes_by_value_and_leaves_what_is_missing_last(model, order, ids):
    model.sort(1, order)
    assert shown(model) == ids
    assert model.frame_row(3) == 1


def test_filter_wants_every_word_and_keeps_the_order(model):
    model.sort(0, Qt.SortOrder.DescendingOrder)
    model.filter_words("OK")
    assert shown(model) == ["9", "4"]
    model.filter_words("ok 0.5")
    assert shown(model) == ["4"]
    model.filter_words("")
    assert shown(model) == ["9", "7", "4", "2"]


def test_rows_shown_are_found_and_hidden_ones_left_out(model):
    model.filter_words("ok")
    assert model.shown_rows([0, 1, 2]) == [0, 1]


def test_persistent_indexes_follow_the_sorting(model):
    from qgis.PyQt.QtCore import QPersistentModelIndex

    index = QPersistentModelIndex(model.index(0, 0))
    model.sort(0, Qt.SortOrder.DescendingOrder)
    assert index.row() == 2
    assert index.data() == "4"


def test_an_empty_table_has_no_rows(qgis_app):
    model = FrameModel()
    model.set_frame(pd.DataFrame({"id": [], "score": [], "word": []}), COLUMNS)
    model.sort(1, Qt.SortOrder.AscendingOrder)
    assert model.rowCount() == 0
    assert model.rowCount(QModelIndex()) == 0


def test_csv_has_titles_and_full_numbers(model):
    model.filter_words("missed")
    assert model.as_csv() == "id,RC,status\n7,0.25,missed\n"


def test_copy_takes_the_rows_selected(model, qgis_app):
    view = TableView(model, "x")
    view.select_frame_rows([0, 3])
    view.copy()
    assert QGuiApplication.clipboard().text() == "id\tRC\tstatus\n4\t0.5\tok\n7\t0.25\tmissed\n"


def test_export_writes_the_rows_shown(model, qgis_app, tmp_path):
    view = TableView(model, "x")
    model.filter_words("small")
    view.export(str(tmp_path / "t.csv"))
    assert (tmp_path / "t.csv").read_text(encoding="utf-8-sig") == "id,RC,status\n2,,small\n"


def test_selecting_rows_from_outside_chooses_none(model, qgis_app):
    view = TableView(model, "x")
    chosen = []
    view.row_chosen.connect(chosen.append)
    view.select_frame_rows([1, 2])
    assert chosen == []
    assert view.selected_rows() == [1, 2]
    view.choose_frame_row(3)
    assert chosen == [3]


def test_ten_thousand_rows_keep_their_order_when_equal(qgis_app):
    model = FrameModel()
    number = np.arange(10_000)
    model.set_frame(pd.DataFrame({"id": number, "score": number % 7 / 7, "word": "ok"}), COLUMNS)
    model.sort(1, Qt.SortOrder.AscendingOrder)
    assert [model.frame_row(row) for row in range(3)] == [0, 7, 14]


def arrow(table):
    header = table.view.horizontalHeader()
    return header.sortIndicatorSection(), header.sortIndicatorOrder()


def test_the_arrow_stands_over_the_column_that_the_rows_are_sorted_by(qgis_app):
    table = TableWithExport("rows")
    frame = pd.DataFrame({"id": [1, 2, 3], "score": [0.5, 0.9, 0.1]})
    columns = [TableColumn("id", "id", text=as_whole), TableColumn("score", "Score", text=as_number())]
    table.show_frame(frame, columns)
    table.view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    assert shown(table.model) == ["2", "1", "3"]
    table.show_frame(frame, list(reversed(columns)))
    assert shown(table.model, 1) == ["2", "1", "3"]
    assert arrow(table) == (0, Qt.SortOrder.DescendingOrder)
    other = pd.DataFrame({"id": [3, 1, 2], "iou": [0.5, 0.9, 0.1]})
    table.show_frame(other, [columns[0], TableColumn("iou", "IoU", text=as_number())])
    assert shown(table.model) == ["3", "1", "2"]
    assert arrow(table)[0] not in (0, 1)
    table.view.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert shown(table.model) == ["1", "2", "3"]
