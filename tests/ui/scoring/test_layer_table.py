"""The answer for several layers is a small sorted table with intervals."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QFont, QFontMetricsF
from qgis.PyQt.QtWidgets import QStyle
from support.layers import box_layer, shifted
from support.qt import spin
from support.score_tables import crowns_of, run_of

from randcrowns.core.scoring.answer import MeanScore
from randcrowns.core.scoring.layer import SCORES
from randcrowns.report.score_content import answer_sentences
from randcrowns.ui.scoring.layer_table import BEST_SIGN, LayerTable

#: Twelve targets, so that there are intervals.
TARGETS = [(14.0 * n, 0.0, 14.0 * n + 8.0, 8.0 + 0.2 * n) for n in range(12)]


def moved_right(start):
    """The targets, moved by 2.5, 2.8 and 3.1 m in turn, from an element of that order on."""
    moves = [2.5 + 0.3 * ((number + start) % 3) for number in range(len(TARGETS))]
    return [(x0 + m, y0, x1 + m, y1) for m, (x0, y0, x1, y1) in zip(moves, TARGETS)]


@pytest.fixture
def scored(project, dock, run):
    """Four layers against twelve targets: one exact, two alike, one with half of the crowns."""
    layers = [
        box_layer("targets", TARGETS),
        box_layer("a_half", moved_right(0)[:6]),
        box_layer("b_exact", shifted(TARGETS, 0.05)),
        box_layer("c_moved", moved_right(0)),
        box_layer("d_moved", moved_right(1)),
    ]
    project.addMapLayers(layers)
    project.setCrs(layers[0].crs())
    page = dock.show_page("score")
    page.form.target_picker.select_layer(layers[0].id())
    page.form.delineation_list.check_layers(tuple(layer.id() for layer in layers[1:]))
    run(page)
    return page


def column(page, number):
    table = page.results.layer_table
    return [table.item(row, number).text() for row in range(table.rowCount())]


def test_layers_are_sorted_by_their_mean_and_have_intervals(scored, dock):
    names = [name.removeprefix(f"{BEST_SIGN} ") for name in column(scored, 0)]
    assert names[0] == "b_exact"
    assert set(names[1:3]) == {"c_moved", "d_moved"}
    assert names[3] == "a_half"
    summary = scored.results.results.summary.set_index("layer")
    row = summary.loc[names[1]]
    dock.resize(1000, 900)
    spin(20)
    expected = f"{row['iou_mean']:.2f} ({row['iou_low']:.2f}–{row['iou_high']:.2f})"
    assert column(scored, 2)[1] == expected
    assert column(scored, 4) == ["0", "0", "0", "6"]


def test_the_best_layer_has_a_sign_only_if_it_can_be_called_better(scored, project, run):
    assert column(scored, 0)[0] == f"{BEST_SIGN} b_exact"
    table = scored.results.layer_table
    assert "can be called better" in table.item(0, 0).toolTip()
    by_name = {layer.name(): layer.id() for layer in project.mapLayers().values()}
    scored.form.delineation_list.check_layers((by_name["c_moved"], by_name["d_moved"]))
    run(scored)
    assert not any(BEST_SIGN in name for name in column(scored, 0))


def _layer(name, crowns):
    """Scores of a layer as the table reads them."""
    mean = MeanScore(crowns["randcrowns"].mean(), np.nan, np.nan)
    answer = SimpleNamespace(
        means=dict.fromkeys(SCORES, mean),
        n_scored=len(crowns),
        target_counts=Counter(),
        n_targets=len(crowns),
    )
    return SimpleNamespace(name=name, crowns=crowns, answer=answer)


@pytest.mark.parametrize(("n_layers", "lead"), [(3, 0.05), (4, 0.06)])
def test_the_sign_and_the_report_are_one_rule(n_layers, lead):
    rng = np.random.default_rng(5)
    table = LayerTable()
    signs = []
    for _ in range(20):
        scores = rng.beta(5, 2, 60) + rng.normal(0, 0.12, (n_layers, 60))
        scores[0] += lead
        layers = {f"layer {number}": crowns_of(row) for number, row in enumerate(scores)}
        table.show_layers([_layer(*layer) for layer in layers.items()], 0)
        first = answer_sentences(run_of(layers))[0]
        has_sign = table.item(0, 0).text().startswith(BEST_SIGN)
        assert has_sign == ("is better than all others" in first)
        signs.append(has_sign)
    assert set(signs) == {False, True}


def test_each_number_is_explained_in_a_sentence(scored):
    table = scored.results.layer_table
    sentence = table.item(0, 1).toolTip()
    assert sentence.startswith("b_exact: mean RC of 12 crowns ")
    assert "95 % interval" in sentence
    assert table.item(3, 4).toolTip() == "a_half: 6 of 12 targets have no delineation."


def test_a_row_selects_the_layer_of_the_crowns_and_follows_it(scored):
    results = scored.results
    table = results.layer_table
    table.setCurrentCell(0, 0)
    assert results.displayed_scores().name == "b_exact"
    table.setCurrentCell(3, 0)
    assert results.displayed_scores().name == "a_half"
    results.layer_box.setCurrentIndex(2)
    assert table.item(table.currentRow(), 0).text() == "c_moved"


def test_one_layer_needs_no_table(page, run):
    run(page)
    assert page.results.layer_table.isHidden()


def test_the_table_is_as_high_as_its_rows(scored):
    table = scored.results.layer_table
    assert not table.verticalScrollBar().isVisible()
    assert table.height() == table.sizeHint().height()


def test_a_narrow_table_keeps_the_interval_of_the_first_score_only_or_none(scored, dock, low_font):
    dock.resize(1000, 900)
    spin(20)
    assert all("–" in text for text in (column(scored, 2)[1], column(scored, 3)[1]))
    table = scored.results.layer_table
    header = table.horizontalHeader()
    has_interval = {}
    for width in (440, 360):
        dock.resize(width, 900)
        spin(20)
        assert "–" not in column(scored, 2)[1]
        has_interval[width] = "–" in column(scored, 1)[1]
        metrics = table.fontMetrics()
        assert header.sectionSize(0) > metrics.horizontalAdvance(f"{BEST_SIGN} b_exact"), width
    assert has_interval[440]
    layers = scored.results.results.layers
    second = layers[scored.results.layer_table.layer_order[1]]
    assert column(scored, 2)[1] == f"{second.overall['iou_mean']:.2f}"
    assert "95 % interval" in scored.results.layer_table.item(1, 2).toolTip()


@pytest.mark.parametrize("width", [360, 440, 1000])
def test_titles_above_a_selected_row_are_whole(scored, dock, low_font, width):
    """The title of the last column is cut at 440 pixels, where the first score has its interval."""
    dock.resize(width, 900)
    spin(20)
    table = scored.results.layer_table
    header = table.horizontalHeader()
    font = QFont(header.font())
    font.setBold(True)  # Qt draws the titles above a selected row in bold
    padding = 2 * header.style().pixelMetric(QStyle.PixelMetric.PM_HeaderMargin)
    for number in range(1, table.columnCount() - (width == 440)):
        title = table.horizontalHeaderItem(number).text()
        title_width = QFontMetricsF(font).horizontalAdvance(title)
        assert header.sectionSize(number) >= title_width + padding + 1, title


def test_a_row_is_selected_in_a_layout_from_right_to_left(qgis_app):
    table = LayerTable()
    table.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    table.resize(400, 200)
    scores = np.linspace(0.5, 0.9, 12)
    layers = [_layer(name, crowns_of(scores - 0.1 * n)) for n, name in enumerate("abc")]
    table.show_layers(layers, 1)
    spin(20)
    assert {index.row() for index in table.selectedIndexes()} == {1}
    table.select_layer(2)
    assert {index.row() for index in table.selectedIndexes()} == {2}
    table.deleteLater()


def test_a_long_title_of_the_names_is_whole(scored, dock, low_font):
    table = scored.results.layer_table
    table.horizontalHeaderItem(0).setText("Delineations of crowns")
    dock.resize(440, 900)
    spin(20)
    assert table.columnWidth(0) >= table.horizontalHeader().sectionSizeHint(0)


def test_a_cut_title_gets_the_width_that_no_name_needs(scored, dock, low_font):
    table = scored.results.layer_table
    header = table.horizontalHeader()
    last_column = table.columnCount() - 1
    title = table.horizontalHeaderItem(last_column).text()
    table.horizontalHeaderItem(last_column).setText("Not detected by anybody")
    dock.resize(441, 900)
    spin(20)
    is_cut = header.sectionSize(last_column) < header.sectionSizeHint(last_column)
    table.horizontalHeaderItem(last_column).setText(title)
    assert is_cut
    needed_width = max(90, header.sectionSizeHint(0), table.sizeHintForColumn(0))
    assert abs(table.columnWidth(0) - needed_width) <= 3
