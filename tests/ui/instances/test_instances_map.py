"""Page Instances and the map: selections, what is drawn, and ways in."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.core import Qgis, QgsField, QgsFillSymbol, QgsProject, QgsRectangle
from qgis.PyQt.QtCore import QVariant
from qgis.PyQt.QtGui import QTextDocumentFragment
from qgis.PyQt.QtWidgets import QFileDialog
from support.clouds import labelled_cloud, write_cloud
from support.layers import TARGET_BOXES
from support.shown import shows

from randcrowns.algorithms.instances.schema import parameters
from randcrowns.layers.styles import TARGET_COLOUR
from randcrowns.ui.instances.form import INPUT_KIND
from randcrowns.ui.instances.results import TARGETS


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def page(two_layers, dock):
    for layer in two_layers:
        layer.dataProvider().addAttributes(
            [QgsField("plot", QVariant.String), QgsField("tall", QVariant.Double)]
        )
        layer.updateFields()
        layer.dataProvider().changeAttributeValues(
            {fid: {0: "A", 1: 5.0} for fid in layer.allFeatureIds()}
        )
    made = dock.show_page("instances")
    made.form.field(parameters.TARGETS).select_layer(two_layers[0].id())
    made.form.field(parameters.PREDICTIONS).select_layer(two_layers[1].id())
    return made


def layer_of(page, side):
    return QgsProject.instance().mapLayer(page.results.results.layer_ids[side])


def test_a_plot_is_listed_once_and_every_field_that_was_read_is_watched(page, run, two_layers):
    page.form.field(parameters.HEIGHT_FIELD).setField("tall")
    page.form.field(parameters.PLOT_FIELD).setField("plot")
    run(page)
    for crowns in (page.results.target_table, page.results.prediction_table):
        assert [column.title for column in crowns.model.columns].count("Plot") == 1
    for layer, field in ((two_layers[0], "plot"), (two_layers[0], "tall"), (two_layers[1], "plot")):
        assert not page.results.is_stale
        layer.startEditing()
        first = layer.allFeatureIds()[0]
        layer.changeAttributeValue(first, layer.fields().lookupField(field), "7")
        assert page.results.is_stale, field
        layer.rollBack()


def test_the_map_goes_to_results_that_are_out_of_sight(page, run):
    canvas = page.iface.mapCanvas()
    canvas.setExtent(QgsRectangle(0, 0, 10, 10))
    run(page)
    assert canvas.extent().contains(layer_of(page, TARGETS).extent())
    near = QgsRectangle(layer_of(page, TARGETS).extent())
    near.scale(0.3)
    canvas.setExtent(near)
    before = canvas.extent()
    run(page)
    assert canvas.extent() == before


def test_plots_that_do_not_meet_are_a_warning(page, run, two_layers):
    layer = two_layers[1]
    place = layer.fields().lookupField("plot")
    layer.dataProvider().changeAttributeValues({fid: {place: "a"} for fid in layer.allFeatureIds()})
    page.form.field(parameters.PLOT_FIELD).setField("plot")
    run(page)
    assert "1 warning" in page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)[-1]
    assert shows(page.results.notes.text(), "plots.none_shared")


def test_an_empty_project_takes_a_cloud(dock, project, tmp_path, monkeypatch, run):
    xyz, target, prediction = labelled_cloud()
    path = write_cloud(tmp_path / "plot.laz", xyz, {"tree_id": target, "predicted_id": prediction})
    page = dock.show_page("instances")
    assert page.stack.currentWidget() is page.empty_state
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    page.cloud_file_button.click()
    assert page.stack.currentWidget() is page.splitter
    assert page.form.settings()[parameters.CLOUD] == str(path)
    run(page)
    assert np.array_equal(page.results.results.targets["target_id"], np.unique(target[target >= 0]))


def test_why_run_cannot_be_pressed_stands_below_it(page, run):
    bar = page.run_bar
    assert bar.problem_label.isHidden()
    page.form.field(parameters.PREDICTIONS).select_layer(
        page.form.field(parameters.TARGETS).layer_id()
    )
    assert not bar.problem_label.isHidden()
    assert "same layer" in bar.problem_label.text()


def test_a_map_that_has_no_place_for_the_results_is_told(page, run, elsewhere):
    run(page)
    said = page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)
    assert shows(said[-1], "crs.no_place_on_map")
    assert len(page.results.results.targets) == len(TARGET_BOXES)
    page.results.target_table.choose_frame_row(0)
    assert page.map_link.highlight.bands == []


def test_the_trees_of_a_cloud_are_guessed_in_a_project_that_is_opened(dock, project):
    page = dock.show_page("instances")
    page.empty_state.sample_button.click()
    assert (
        "offers its point cloud" in page.iface.messageBar().get_messages(Qgis.MessageLevel.Info)[-1]
    )
    page.form.set_value(INPUT_KIND, "cloud")
    page.load_parameters()
    page.form.set_value(INPUT_KIND, "cloud")
    assert page.run_problem() == ""


def test_a_selected_crown_has_a_legend_with_the_colour_of_its_prediction(page, run, two_layers):
    symbol = QgsFillSymbol.createSimple({"color": "#1f5fbf", "outline_color": "#1f5fbf"})
    two_layers[1].renderer().setSymbol(symbol)
    run(page)
    for table in (page.results.target_table, page.results.prediction_table):
        assert table.legend.isHidden()
        table.choose_frame_row(0)
        assert not table.legend.isHidden()
        words = QTextDocumentFragment.fromHtml(table.legend.text()).toPlainText()
        assert words.replace("\u00a0", " ") == "▬ target ▬ prediction"
        drawn = {band.strokeColor().name() for band in page.map_link.highlight.bands}
        assert "#1f5fbf" in drawn
        assert all(colour in table.legend.text() for colour in (TARGET_COLOUR, "#1f5fbf"))
        table.clear_selection()
        assert table.legend.isHidden()
