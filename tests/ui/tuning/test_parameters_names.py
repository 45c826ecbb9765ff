"""Page Parameters with layers whose names are long or look like HTML."""

from __future__ import annotations

import html

import pytest
from qgis.PyQt.QtCore import Qt
from support.qt import spin
from support.searching import put_back, searched_page, three_layers

from randcrowns.algorithms.tuning.schema.parameters import WRONG_PAIR_THRESHOLD

NAMES = [
    f"Plot OSBS_024 crowns drawn by {who}, April 2021"
    for who in ("Maria da Silva", "Ben <b>Okonkwo", "Jo & Co")
]


@pytest.fixture(scope="module")
def shared(qgis_iface):
    layers = three_layers()
    for layer, name in zip(layers, NAMES):
        layer.setName(name)
    layers[0].dataProvider().deleteFeatures([1])
    with searched_page(qgis_iface, layers) as page:
        yield page


@pytest.fixture
def named(shared):
    put_back(shared)
    return shared


def test_the_scatter_keeps_legend_and_axes(named):
    results = named.results
    results.tabs.setCurrentWidget(results.plot)
    for width in (360, 600):
        named.window().resize(width, 900)
        spin()
        axes = results.plot.axes
        axes.figure.canvas.draw()
        legend = axes.get_legend()
        assert "Ben <b>Okonkwo – Maria da Silva" in [text.get_text() for text in legend.get_texts()]
        for part in (legend, axes.yaxis.label, axes.xaxis.label):
            box = part.get_window_extent()
            assert axes.figure.bbox.x0 <= box.x0 < box.x1 <= axes.figure.bbox.x1
            assert axes.figure.bbox.y0 <= box.y0 < box.y1 <= axes.figure.bbox.y1
        assert axes.get_window_extent().width > 120


def test_ids_and_reasons_stay_in_sight(named):
    results = named.results
    for tab, table, column, width in (
        (2, results.examples_table.view, "target_id", 460),
        (3, results.excluded_table.view, "reason", 360),
    ):
        named.window().resize(width, 900)  # letters are wider here than in a window
        results.tabs.setCurrentIndex(tab)
        spin()
        names = [shown.name for shown in table.frame_model.columns]
        place = names.index(column)
        assert 0 <= table.columnViewportPosition(place) < table.viewport().width()
        name = names.index("annotator" if "annotator" in names else "target_annotator")
        assert table.columnWidth(name) <= max(90, table.titles.two_line_width(name))
        index = table.frame_model.index(0, name)
        whole = table.frame_model.frame.iloc[0][names[name]]
        assert (
            table.frame_model.data(index)
            == whole[len("Plot OSBS_024 crowns drawn by ") : -len(", April 2021")]
        )
        if column == "reason":
            reason = table.frame_model.frame["reason"].iloc[0]
            (named_there,) = [one for one in NAMES if one in reason]
            short = named_there[len("Plot OSBS_024 crowns drawn by ") : -len(", April 2021")]
            assert table.frame_model.data(table.frame_model.index(0, place)) == reason.replace(
                named_there, short
            )
        assert html.escape(whole) in table.frame_model.data(index, Qt.ItemDataRole.ToolTipRole)


def test_names_are_not_read_as_html(named):
    results = named.results
    results.plot.row_chosen.emit(0)
    assert NAMES[1] in results.description_label.text()
    named.form.field(WRONG_PAIR_THRESHOLD).setValue(0.4)
    for label in (
        results.description_label,
        results.headline_label,
        results.examples_label,
        results.variance_label,
        results.stale_label,
    ):
        assert label.textFormat() == Qt.TextFormat.PlainText
