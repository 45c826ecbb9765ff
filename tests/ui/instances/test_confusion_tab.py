"""The confusion matrix of page Instances: preset, heatmap, click on a cell, stepping, strata."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.PyQt.QtCore import QRect, Qt
from support.layers import TARGET_BOXES, box_layer, layer_of
from support.panel import errors
from support.qt import spin

from randcrowns.algorithms.instances.schema import parameters
from randcrowns.core.classes.evaluation import ClassResult
from randcrowns.ui.instances.results import FEATURE_COLUMN, PREDICTIONS, TARGETS
from randcrowns.ui.services.layer_info import vector_layer
from randcrowns.ui.widgets.colours import contrast

SPECIES = ["oak", "oak", "ash", "ash", "oak", "ash", "pine", "pine"]
FOUND_SPECIES = ["oak", "ash", "ash", "oak", "ash", "ash", "pine", "pine"]


def species_layer(name, boxes, classes, field="species"):
    shapes = [feature.geometry().asWkt() for feature in box_layer("boxes", boxes).getFeatures()]
    return layer_of(
        name, shapes, fields=f"&field={field}:string", rows=[[kind] for kind in classes]
    )


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def page(project, dock):
    layers = (
        species_layer("trees", TARGET_BOXES, SPECIES),
        species_layer("found", [*TARGET_BOXES[:7], (90, 0, 94, 4)], FOUND_SPECIES),
    )
    project.addMapLayers(layers)
    made = dock.show_page("instances")
    made.form.field(parameters.TARGETS).select_layer(layers[0].id())
    made.form.field(parameters.PREDICTIONS).select_layer(layers[1].id())
    return made


def cell(view, reference, predicted):
    """Row and column of the cell of two headings."""
    rows = [view.verticalHeaderItem(number).text() for number in range(view.rowCount())]
    columns = [view.horizontalHeaderItem(number).text() for number in range(view.columnCount())]
    return rows.index(reference), columns.index(predicted)


def test_the_class_field_is_preset_and_cleared_with_other_layers(page, project):
    assert page.form.settings()[parameters.CLASSES.class_field] == "species"
    other = species_layer("label", TARGET_BOXES, SPECIES, field="kind")
    project.addMapLayer(other)
    page.form.field(parameters.PREDICTIONS).select_layer(other.id())
    assert page.form.settings()[parameters.CLASSES.class_field] == ""


def test_a_click_on_a_cell_selects_its_crowns_and_steps_through_them(page, run):
    run(page)
    assert errors(page) == []
    panel = page.results
    tab = panel.class_tab
    assert panel.tabs.isTabEnabled(panel.tabs.indexOf(tab))
    panel.tabs.setCurrentWidget(tab)
    view = tab.matrix_view
    row, column = cell(view, "oak", "ash")
    assert view.item(row, column).text() == "2"
    # The most confused classes come first.
    assert row < cell(view, "pine", "pine")[0]
    view.cellClicked.emit(row, column)
    layer = vector_layer(page.results.results.layer_ids[TARGETS])
    frame = panel.target_table.model.frame
    confused = frame[(frame["crown_class"] == "oak") & (frame["matched_class"] == "ash")]
    assert sorted(layer.selectedFeatureIds()) == sorted(confused[FEATURE_COLUMN])
    assert "1 of 2" in tab.cell_label.text()
    assert panel.tabs.currentWidget() is tab
    shown = []
    panel.row_chosen.connect(lambda side, number: shown.append((side, number)))
    tab.next_button.click()
    tab.next_button.click()
    assert shown == [(TARGETS, int(confused.index[1])), (TARGETS, int(confused.index[0]))]


def test_predictions_without_a_target_are_selected_in_their_layer(page, run):
    run(page)
    tab = page.results.class_tab
    tab.matrix_view.cellClicked.emit(*cell(tab.matrix_view, "false detection", "pine"))
    assert len(vector_layer(page.results.results.layer_ids[PREDICTIONS]).selectedFeatureIds()) == 1
    blank = cell(tab.matrix_view, "false detection", "oak")
    assert tab.matrix_view.crowns_at(*blank) is None


def test_shades_follow_the_share_of_the_row_and_the_text_is_readable(page, run):
    run(page)
    view = page.results.class_tab.matrix_view
    matrix = view.matrix
    for row, column in np.argwhere(matrix.counts > 0):
        item = view.item(int(row), int(column))
        assert contrast(item.foreground().color(), item.background().color()) >= 4.5
    right = view.item(*cell(view, "oak", "oak")).background().color()
    wrong = view.item(*cell(view, "oak", "ash")).background().color()
    assert right.blue() > right.red()
    assert wrong.red() > wrong.blue()
    assert matrix.result_at(*cell(view, "pine", "not detected")) is ClassResult.NOT_FOUND


def test_few_classes_have_level_headings(page, run):
    run(page)
    header = page.results.class_tab.matrix_view.horizontalHeader()
    assert header.sizeHint().height() < 3 * header.fontMetrics().height()


def test_without_classes_the_tabs_are_disabled(page, run):
    page.form.set_value(parameters.CLASSES.class_field, "")
    run(page)
    tabs = page.results.tabs
    assert not tabs.isTabEnabled(tabs.indexOf(page.results.class_tab))
    assert not tabs.isTabEnabled(tabs.indexOf(page.results.strata_tab))


def test_strata_are_shown_and_plotted(page, run, tmp_path):
    page.form.set_value(parameters.CLASSES.summarise_by, "attribute")
    page.form.set_value(parameters.CLASSES.strata_field, "species")
    run(page)
    assert errors(page) == []
    tab = page.results.strata_tab
    assert page.results.tabs.isTabEnabled(page.results.tabs.indexOf(tab))
    assert tab.table.model.frame["stratum"].tolist()[:3] == ["ash", "oak", "pine"]
    tab.plot.save(str(tmp_path / "strata.svg"))
    assert "oak (3)" in (tmp_path / "strata.svg").read_text()


def run_with_fifty_classes(project, dock, run, name):
    """Return page Instances after a run in which each of 50 classes is taken for the next one."""
    names = [f"{name} {number}" for number in range(50)]
    boxes = [(10.0 * number, 0, 10.0 * number + 4, 4) for number in range(50)]
    layers = (
        species_layer("trees", boxes, names),
        species_layer("found", boxes, [*names[1:], names[0]]),
    )
    project.addMapLayers(layers)
    page = dock.show_page("instances")
    page.form.field(parameters.TARGETS).select_layer(layers[0].id())
    page.form.field(parameters.PREDICTIONS).select_layer(layers[1].id())
    run(page)
    return page


def test_fifty_classes_are_all_in_a_matrix_that_scrolls(project, dock, run):
    page = run_with_fifty_classes(project, dock, run, "species")
    page.results.tabs.setCurrentWidget(page.results.class_tab)
    view = page.results.class_tab.matrix_view
    assert (view.rowCount(), view.columnCount()) == (50, 50)
    assert view.horizontalScrollBar().maximum() > 0


def test_many_classes_have_headings_upwards_so_that_columns_are_narrow(project, dock, run):
    page = run_with_fifty_classes(project, dock, run, "Quercus species")
    view = page.results.class_tab.matrix_view
    header = view.horizontalHeader()
    line = view.fontMetrics().height()
    assert header.sizeHint().height() > 3 * line
    assert max(view.columnWidth(column) for column in range(50)) < 3 * line
    assert view.minimumHeight() >= header.sizeHint().height() + 6 * view.rowHeight(0)
    # The headings are drawn, and differ from a header without texts.
    header.resize(2000, header.sizeHint().height())
    drawn = header.grab().toImage()
    view.setHorizontalHeaderLabels([""] * 50)
    header.resize(2000, drawn.height())
    assert header.grab().toImage() != drawn


def test_headings_of_long_classes_are_whole(project, dock, run):
    classes = [f"simulated broadleaf {kind}" if kind == "oak" else kind for kind in SPECIES]
    layers = [species_layer(name, TARGET_BOXES, classes) for name in ("trees", "found")]
    project.addMapLayers(layers)
    page = dock.show_page("instances")
    page.form.field(parameters.TARGETS).select_layer(layers[0].id())
    page.form.field(parameters.PREDICTIONS).select_layer(layers[1].id())
    run(page)
    page.results.tabs.setCurrentWidget(page.results.class_tab)
    spin(50)
    view = page.results.class_tab.matrix_view
    header = view.horizontalHeader()
    wrapped = int(Qt.TextFlag.TextWordWrap)
    for column in range(view.columnCount()):
        room = QRect(0, 0, header.sectionSize(column), 1000)
        text = view.horizontalHeaderItem(column).text()
        needed = header.fontMetrics().boundingRect(room, wrapped, text)
        assert needed.width() <= room.width(), text
        assert needed.height() <= header.height(), text
