"""The quick table model: sorting, filter, CSV."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from qgis.core import QgsVectorLayer
from qgis.PyQt.QtCore import QEvent, QModelIndex, QPoint, QRect, Qt
from qgis.PyQt.QtGui import QFocusEvent, QGuiApplication
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QApplication, QStyle, QStyleOptionHeader
from support.qt import spin

from randcrowns.core.arrays import number_with_interval_text
from randcrowns.layers import language
from randcrowns.layers.markup import Markup, format_table
from randcrowns.layers.spreadsheets import set_escapes_formulas
from randcrowns.ui.scoring.live_update import EditableFrameModel
from randcrowns.ui.widgets.crown_list import CrownTable, RegionLegend
from randcrowns.ui.widgets.table_model import (
    FrameModel,
    NumberFormat,
    TableColumn,
    format_integer,
    format_text,
)
from randcrowns.ui.widgets.table_view import TableView, TableWithExport

COLUMNS = [
    TableColumn("id", "id", "", format_text),
    TableColumn("score", "RC", "score", NumberFormat(2)),
    TableColumn("word", "status"),
]


@pytest.fixture
def model(qgis_app):
    made = FrameModel()
    words = ["ok", "small", "ok", "missed"]
    made.set_frame(
        pd.DataFrame({"id": [4, 2, 9, 7], "score": [0.5, np.nan, 1.0, 0.25], "word": words}),
        COLUMNS,
    )
    return made


def shown(model, column=0):
    return [model.index(row, column).data() for row in range(model.rowCount())]


def test_a_table_without_a_column_leaves_the_model_as_it_was(model):
    """A view asks for cells again before anybody handles the error."""
    frame = model.frame.drop(columns="word").iloc[:2]
    with pytest.raises(KeyError):
        model.set_frame(frame, COLUMNS)
    assert shown(model) == ["4", "2", "9", "7"]
    assert shown(model, 2) == ["ok", "small", "ok", "missed"]


def test_the_widest_of_many_sentences_is_found_among_the_longest(qgis_app):
    """Formatting the sentences of 100,000 crowns delayed the window."""
    formatted = []

    def format_and_record(value):
        formatted.append(value)
        return f"{value}."

    sentences = [f"{'x' * (number % 97)} {number}" for number in range(5_000)]
    model = FrameModel()
    model.set_frame(
        pd.DataFrame({"cause": sentences, "kind": ["a", "bb"] * 2_500}),
        [TableColumn("cause", "Cause", "", format_and_record), TableColumn("kind", "Kind")],
    )
    widest = f"{max(sentences, key=len)}."
    assert len(model.widest_texts(0)[0]) == len(widest) == 102
    assert len(formatted) <= 500
    assert model.widest_texts(1) == ["bb"]


def test_a_shown_frame_is_shared_and_stays_as_it_is(qgis_app):
    frame = pd.DataFrame({"id": [4, 2], "score": [0.5, 1.0], "word": "ok"}, index=[7, 3])
    model = FrameModel()
    model.set_frame(frame, COLUMNS)
    assert shown(model) == ["4", "2"]
    assert model.frame.index.tolist() == [0, 1]
    assert np.shares_memory(model.frame["score"], frame["score"])
    assert frame.index.tolist() == [7, 3]
    editable = EditableFrameModel()
    editable.set_frame(frame, COLUMNS)
    editable.update_rows("id", {"id": [2], "score": [0.25], "word": ["small"]})
    assert shown(editable, 1) == ["0.50", "0.25"]
    assert frame["score"].tolist() == [0.5, 1.0]


def test_numbers_are_written_short_and_missing_ones_as_na(model):
    assert shown(model, 1) == ["0.50", "n/a", "1.00", "0.25"]


@pytest.mark.parametrize(
    ("order", "ids"),
    [
        (Qt.SortOrder.AscendingOrder, ["7", "4", "9", "2"]),
        (Qt.SortOrder.DescendingOrder, ["9", "4", "7", "2"]),
    ],
)
def test_sorting_goes_by_value_and_leaves_what_is_missing_last(model, order, ids):
    model.sort(1, order)
    assert shown(model) == ids
    assert model.frame_row(3) == 1


def test_filter_wants_every_word_and_keeps_the_order(model):
    model.sort(0, Qt.SortOrder.DescendingOrder)
    model.set_filter("OK")
    assert shown(model) == ["9", "4"]
    model.set_filter("ok 0.5")
    assert shown(model) == ["4"]
    model.set_filter("")
    assert shown(model) == ["9", "7", "4", "2"]


@pytest.mark.parametrize(
    "ids", [[-70, 822, 45], pd.array([-70, pd.NA, 45], dtype="Int64"), [-70.0, math.nan, 45.0]]
)
def test_whole_numbers_are_found_as_they_are_written(qgis_app, ids):
    model = FrameModel()
    model.set_frame(pd.DataFrame({"id": ids}), [TableColumn("id", "id", "", format_integer)])
    found = {}
    for word in ("-7", "0", "1", "5", "a", "."):
        model.set_filter(word)
        found[word] = shown(model)
    assert found == {"-7": ["-70"], "0": ["-70"], "1": [], "5": ["45"], "a": [], ".": []}


def test_rows_shown_are_found_and_hidden_ones_left_out(model):
    model.set_filter("ok")
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
    model.set_filter("missed")
    assert model.to_csv() == "id,RC,status\n7,0.25,missed\n"


def test_copy_takes_the_rows_selected(model, qgis_app):
    view = TableView(model, "x")
    view.select_frame_rows([0, 3])
    view.copy()
    assert QGuiApplication.clipboard().text() == "id\tRC\tstatus\n4\t0.5\tok\n7\t0.25\tmissed\n"
    model.set_filter("nowhere")
    view.copy()
    assert QGuiApplication.clipboard().text() == "id\tRC\tstatus\n"


def test_rows_are_as_high_as_a_new_font(model):
    view = TableView(model, "x")
    row_height = view.rowHeight(0)
    before = view.fontMetrics().height()
    font = view.font()
    font.setPointSize(2 * font.pointSize())
    view.setFont(font)
    assert view.rowHeight(0) - row_height == view.fontMetrics().height() - before > 0


def test_names_that_look_like_formulas_stay_texts_in_what_is_copied_and_in_csv(qgis_app, tmp_path):
    names = ["=1+1", "-0.5", "@oak"]
    frame = pd.DataFrame({"name": names, "score": [-1.0, 2.0, 3.0]})
    columns = [TableColumn("name", "Name"), TableColumn("score", "Score")]
    made = FrameModel()
    made.set_frame(frame, columns)
    view = TableView(made, "x")
    view.copy()
    assert QGuiApplication.clipboard().text() == (
        "Name\tScore\n'=1+1\t-1.0\n-0.5\t2.0\n'@oak\t3.0\n"
    )
    view.export(str(tmp_path / "t.csv"))
    assert (tmp_path / "t.csv").read_text(encoding="utf-8-sig") == (
        "Name,Score\n'=1+1,-1.0\n-0.5,2.0\n'@oak,3.0\n"
    )
    view.export(str(tmp_path / "t.xlsx"))
    written = QgsVectorLayer(str(tmp_path / "t.xlsx"), "t", "ogr")
    assert [feature["Name"] for feature in written.getFeatures()] == names
    set_escapes_formulas(False)
    try:
        view.copy()
    finally:
        set_escapes_formulas(True)
    assert QGuiApplication.clipboard().text().startswith("Name\tScore\n=1+1\t")


def test_export_writes_the_rows_shown(model, qgis_app, tmp_path):
    view = TableView(model, "x")
    model.set_filter("small")
    view.export(str(tmp_path / "t.csv"))
    assert (tmp_path / "t.csv").read_text(encoding="utf-8-sig") == "id,RC,status\n2,,small\n"


def test_what_people_read_is_in_their_language_and_files_are_not(qgis_app, monkeypatch, tmp_path):
    monkeypatch.setitem(language.SEPARATORS, ord("."), ",")
    model = FrameModel()
    ends = [
        number_with_interval_text(0.5, 0.25, 0.75),
        number_with_interval_text(1234.5, math.nan, math.nan),
    ]
    columns = [COLUMNS[1], TableColumn("ends", "mean", "", format_text)]
    model.set_frame(pd.DataFrame({"score": [0.5, 0.25], "ends": ends}), columns)
    assert (shown(model), shown(model, 1)) == (["0,50", "0,25"], ["0,50 (0,25–0,75)", "1234,50"])
    model.set_filter("0,25–")
    view = TableView(model, "x")
    view.copy()
    assert QGuiApplication.clipboard().text() == "RC\tmean\n0,5\t0,50 (0,25–0,75)\n"
    assert (
        format_table(view.cells(), Markup.MARKDOWN).splitlines()[-1]
        == "| 0,50 | 0,50 (0,25–0,75) |"
    )
    view.export(str(tmp_path / "t.csv"))
    assert (tmp_path / "t.csv").read_text(encoding="utf-8-sig") == "RC,mean\n0.5,0.50 (0.25–0.75)\n"


def test_selecting_rows_from_outside_chooses_none(model, qgis_app):
    view = TableView(model, "x")
    chosen = []
    view.row_chosen.connect(chosen.append)
    view.select_frame_rows([1, 2])
    assert chosen == []
    assert view.selected_rows() == [1, 2]
    view.go_to_frame_row(3)
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
    columns = [
        TableColumn("id", "id", format_value=format_integer),
        TableColumn("score", "Score", format_value=NumberFormat()),
    ]
    table.show_frame(frame, columns)
    table.view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    assert shown(table.model) == ["2", "1", "3"]
    table.show_frame(frame, list(reversed(columns)))
    assert shown(table.model, 1) == ["2", "1", "3"]
    assert arrow(table) == (0, Qt.SortOrder.DescendingOrder)
    other = pd.DataFrame({"id": [3, 1, 2], "iou": [0.5, 0.9, 0.1]})
    table.show_frame(other, [columns[0], TableColumn("iou", "IoU", format_value=NumberFormat())])
    assert shown(table.model) == ["3", "1", "2"]
    assert arrow(table)[0] not in (0, 1)
    table.view.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert shown(table.model) == ["1", "2", "3"]


def test_the_arrow_has_room_beside_the_title(qgis_app):
    table = TableWithExport("rows")
    table.resize(300, 200)
    table.show()
    frame = pd.DataFrame({"a": ["x", "x"], "b": ["", "y"], "c": ["z", ""]})
    titles = [
        TableColumn("a", "Annotator"),
        TableColumn("b", "Outlier"),
        TableColumn("c", "Recall at RandCrowns 0.5"),
    ]
    table.show_frame(frame, [*titles, TableColumn("a", "Last")])
    header, style, part = table.view.titles, table.view.style(), QStyle.SubElement.SE_HeaderLabel
    for number in (1, 2):
        table.view.sortByColumn(number, Qt.SortOrder.AscendingOrder)
        spin()
        option = QStyleOptionHeader()
        header.initStyleOption(option)
        option.rect = QRect(0, 0, header.sectionSize(number), header.height())
        option.sortIndicator = QStyleOptionHeader.SortIndicator.SortUp
        room, title = style.subElementRect(part, option, header), frame_title(table, number)
        needed = header.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, title)
        assert needed.width() <= room.width(), title
        assert needed.height() <= room.height(), title


def frame_title(table, number):
    return str(table.model.headerData(number, Qt.Orientation.Horizontal))


def test_titles_break_between_words_and_no_word_is_cut(qgis_app):
    table = TableWithExport("none")
    table.resize(300, 200)
    table.show()
    frame = pd.DataFrame({"a": ["1"], "b": [2.0]})
    table.show_frame(frame, [TableColumn("a", "Recall at RandCrowns 0.5"), TableColumn("b", "Id")])
    header = table.view.horizontalHeader()
    metrics = header.fontMetrics()
    assert (
        metrics.horizontalAdvance("RandCrowns")
        < header.sectionSize(0)
        < metrics.horizontalAdvance("Recall at RandCrowns")
    )
    assert header.height() > 2 * metrics.lineSpacing()
    table.show_frame(frame, [TableColumn("a", "Id"), TableColumn("b", "Id")])
    assert header.height() < 2 * metrics.lineSpacing()


def test_the_filter_asks_for_what_stands_in_a_column():
    model = FrameModel()
    model.set_frame(
        pd.DataFrame({"a": ["A 1", "A 10", "b"], "n": [1, 2, 1]}),
        [TableColumn("a", "Plot"), TableColumn("n", "Id")],
    )
    for words, rows in (
        ('plot="a 1"', [0]),
        ('Plot="A 10"', [1]),
        ('Id="1"', [0, 2]),
        ('Id="1" b', [2]),
        ('X="1"', []),
        ('"', []),
    ):
        model.set_filter(words)
        assert [model.frame_row(row) for row in range(model.rowCount())] == rows


def test_a_plot_with_a_quotation_mark_in_its_name_is_filtered(qgis_app):
    table = CrownTable("crowns")
    names = ['a "1"', "a", '"', "b"]
    table.show_frame(pd.DataFrame({"id": range(4), "plot": names}), [TableColumn("id", "Id")])
    for row, name in enumerate(names):
        table.filter_plot(name)
        model = table.model
        assert [model.frame_row(shown) for shown in range(model.rowCount())] == [row]
    table.filter_plot("unknown")
    assert table.model.rowCount() == 4


def test_a_filter_finds_what_is_shown_whatever_the_numbers(qgis_app):
    """Every row is searched as one text, slowly, on numbers at the edge of rounding, missing
    and negative ones.
    """
    rng = np.random.default_rng(3)
    number = np.concatenate(
        [np.arange(-60, 260) / 200, rng.normal(0, 2, 300), [np.nan, 0.0, -0.0, 1e9, 2.675, 1.005]]
    )
    frame = pd.DataFrame(
        {"id": pd.array(range(len(number)), dtype="Int64"), "x": number, "big": number * 1e5}
    )
    frame["words"] = rng.choice(["One crown", "TWO", ""], len(frame))
    frame.loc[5, "id"] = pd.NA
    columns = [
        TableColumn("id", "Id", format_value=format_integer),
        TableColumn("x", "X", format_value=NumberFormat(2)),
        TableColumn("big", "Big", format_value=NumberFormat(0)),
        TableColumn("x", "Short", format_value=NumberFormat(-2)),
        TableColumn("words", "Words", format_value=format_text),
    ]
    model = FrameModel()
    model.set_frame(frame, columns)
    rows = [
        " ".join(one.format_value(frame[one.name].tolist()[row]) for one in columns)
        for row in range(len(frame))
    ]
    for word in ("7", "0.0", "-0.00", "1.0", "1,", "n/a", "two", "crown", "e+", "0.67"):
        model.set_filter(word)
        shown = [model.frame_row(row) for row in range(model.rowCount())]
        assert shown == [row for row, text in enumerate(rows) if word in text.casefold()], word
    model.sort(1)
    model.set_filter('x="0.50"')
    shown = [model.frame_row(row) for row in range(model.rowCount())]
    assert sorted(shown) == [
        row for row in range(len(frame)) if NumberFormat(2)(number[row]) == "0.50"
    ]


def test_rows_are_copied_as_they_are_shown_in_every_form(model):
    table = TableWithExport("numbers")
    frame = model.frame.assign(word=["ok", "a|b", "ok", "<b>"])
    table.show_frame(frame, [*COLUMNS, TableColumn("id", "", "", format_text)])
    actions = {action.text(): action for action in table.copy_button.menu().actions()}
    assert list(actions) == ["Copy as text", "Copy as Markdown", "Copy as LaTeX"]
    assert set(actions.values()) <= set(table.view.actions())
    actions["Copy as Markdown"].trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[:3] == ["| id | RC | status |", "| ---: | ---: | ---: |", "| 4 | 0.50 | ok |"]
    assert lines[3] == r"| 2 | n/a | a\|b |"
    table.view.selectRow(3)
    actions["Copy as LaTeX"].trigger()
    (row,) = (
        line for line in QGuiApplication.clipboard().text().splitlines() if line.startswith("7")
    )
    assert row == r"7 & 0.25 & \textless{}b\textgreater{} \\"
    actions["Copy as text"].trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines == ["id    RC  status", "--  ----  ------", " 7  0.25     <b>"]


def test_the_row_at_hand_stays_in_view_when_something_appears_below_the_table(qgis_app):
    model = FrameModel()
    model.set_frame(pd.DataFrame({"id": range(60), "score": 0.5, "word": "ok"}), COLUMNS)
    view = TableView(model, "table")
    view.resize(300, 300)
    view.show()
    spin()
    last = view.rowAt(view.viewport().height() - view.rowHeight(0))
    view.select_frame_rows([last])
    view.resize(300, 200)
    spin()
    assert 0 <= view.visualRect(model.index(last, 0)).bottom() <= view.viewport().height()
    view.verticalScrollBar().setValue(30)
    view.resize(300, 150)
    spin()
    assert view.rowAt(0) == 30, "where the user looks elsewhere, nothing moves"
    view.close()


def test_legend_and_message_of_a_crown_need_less_room_in_a_wider_table(qgis_app):
    table = CrownTable("crowns", RegionLegend(compact=True), sentence="cause")
    frame = pd.DataFrame({"target_id": [1], "cause": ["Words in several lines. " * 4]})
    table.show_frame(frame, [TableColumn("target_id", "Id")])
    table.show()
    table.choose_frame_row(0)
    heights = {}
    for width in (200, 700, 200):
        table.resize(width, 400)
        spin(20)
        heights[width] = table.legend.height(), table.message_label.height()
    assert all(wide < narrow for wide, narrow in zip(heights[700], heights[200]))
    table.deleteLater()


def test_sorting_shows_the_top_of_the_table_unless_a_row_is_selected(qgis_app):
    table = TableWithExport("rows")
    columns = [TableColumn("id", "id", format_value=format_integer)]
    table.show_frame(pd.DataFrame({"id": range(200)}), columns)
    table.resize(200, 300)
    table.show()
    table.view.verticalScrollBar().setValue(1)
    QTest.mouseClick(table.view.titles.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    assert table.view.rowAt(0) == 0
    table.view.select_frame_rows([150])
    table.view.scrollToTop()
    table.view.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    selected = table.view.selectionModel().selectedRows()[0]
    assert selected.row() == table.view.selected_rows()[0]
    assert table.view.viewport().rect().contains(table.view.visualRect(selected).center())
    table.close()


@pytest.fixture
def crown_table(model):
    """A table of crowns without selection, and the rows that it has emitted."""
    table = CrownTable("crowns", sentence="word")
    table.resize(400, 500)
    table.show()
    table.show_frame(model.frame, COLUMNS)
    chosen = []
    table.row_chosen.connect(chosen.append)
    spin(20)
    return table, chosen


def click_row(table, row, modifier=Qt.KeyboardModifier.NoModifier):
    view = table.view
    position = view.visualRect(view.frame_model.index(row, 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifier, position)
    spin(20)


def test_a_table_that_takes_the_focus_shows_no_crown_without_a_selected_row(crown_table):
    table, chosen = crown_table
    event = QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.OtherFocusReason)
    QApplication.sendEvent(table.view, event)
    assert (chosen, table.view.selected_rows()) == ([], [])
    assert table.message_label.isHidden()
    click_row(table, 0)
    assert (chosen, table.view.selected_rows()) == ([0], [0])
    assert table.message_label.text() == "ok"


def test_a_row_that_is_deselected_is_no_longer_shown(crown_table):
    table, chosen = crown_table
    ctrl = Qt.KeyboardModifier.ControlModifier
    click_row(table, 1)
    click_row(table, 1, ctrl)
    assert (chosen, table.view.selected_rows()) == ([1, -1], [])
    assert table.message_label.isHidden()
    click_row(table, 1)
    QTest.mouseClick(
        table.view.viewport(),
        Qt.MouseButton.LeftButton,
        pos=table.view.viewport().rect().bottomRight() - QPoint(5, 5),
    )
    spin(20)
    assert (chosen[2:], table.view.selected_rows()) == ([1, -1], [])
    click_row(table, 1)
    click_row(table, 3, ctrl)
    click_row(table, 3, ctrl)
    assert (chosen[4:], table.view.selected_rows()) == ([1, 3, 1], [1])
    assert table.message_label.text() == "small"
