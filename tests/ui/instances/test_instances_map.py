"""Page Instances and the map: selections, what is drawn, and ways in."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.core import Qgis, QgsField, QgsProject, QgsRectangle
from qgis.PyQt.QtCore import QVariant
from qgis.PyQt.QtWidgets import QFileDialog
from support.boxes import TARGET_BOXES
from support.clouds import labelled_cloud, write_cloud

from randcrowns.algorithms.instances import choices
from randcrowns.ui.instances.form import KIND
from randcrowns.ui.instances.results import PREDICTIONS, TARGETS


@pytest.fixture
def page(two_layers, dock):
    for layer in two_layers:
        layer.dataProvider().addAttributes([QgsField("plot", QVariant.String), QgsField("tall", QVariant.Double)])
        layer.updateFields()
        layer.dataProvider().changeAttributeValues({fid: {0: "A", 1: 5.0} for fid in layer.allFeatureIds()})
    made = dock.show_page("instances")
    made.form.field(choices.TARGETS).pick(two_layers[0].id())
    made.form.field(choices.PREDICTIONS).pick(two_layers[1].id())
    return made


@pytest.fixture
def matched(page, run):
    run(page)
    assert page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical) == []
    return page


def layer_of(page, side):
    return QgsProject.instance().mapLayer(page.results.results.made[side])


def test_one_count_after_another_leaves_one_selection(matched):
    page = matched
    page.results.targets.choose(0)
    assert page.link.highlight.bands
    page.results.headline.count_clicked.emit(f"{TARGETS}/true_positive")
    assert page.link.highlight.bands == []
    assert layer_of(page, TARGETS).selectedFeatureCount() == len(TARGET_BOXES) - 1
    page.results.headline.count_clicked.emit(f"{PREDICTIONS}/true_positive")
    assert layer_of(page, TARGETS).selectedFeatureCount() == 0
    assert page.results.targets.view.selected_rows() == []
    assert len(page.results.predictions.view.selected_rows()) == len(TARGET_BOXES) - 1
    page.leave()
    assert layer_of(page, PREDICTIONS).selectedFeatureCount() == 0


def test_one_crown_selected_on_the_map_opens_its_tab_and_is_drawn(matched):
    page = matched
    assert page.results.tabs.currentWidget() is page.results.targets
    layer = layer_of(page, PREDICTIONS)
    layer.selectByIds([sorted(layer.allFeatureIds())[2]])
    assert page.results.tabs.currentWidget() is page.results.predictions
    assert page.results.predictions.view.selected_rows() == [2]
    assert len(page.link.highlight.bands) == 3
    layer_of(page, TARGETS).selectByIds(sorted(layer_of(page, TARGETS).allFeatureIds())[:2])
    assert layer.selectedFeatureCount() == 0
    assert page.link.highlight.bands == []
    assert page.results.targets.view.selected_rows() == [0, 1]


@pytest.mark.parametrize("side", [TARGETS, PREDICTIONS])
def test_selecting_in_the_layers_read_selects_rows(matched, two_layers, side):
    page, layer = matched, two_layers[side == PREDICTIONS]
    wanted = sorted(layer.allFeatureIds())[1]
    layer.selectByIds([wanted])
    crowns = page.results.crowns(side)
    (row,) = crowns.view.selected_rows()
    assert (
        crowns.model.frame.iloc[crowns.model.frame_row(row), :][f"{'target' if side == TARGETS else 'prediction'}_id"]
        == wanted
    )
    assert page.link.highlight.bands


def test_a_row_can_be_chosen_again_after_leaving(matched):
    matched.results.targets.choose(0)
    matched.leave()
    assert matched.link.highlight.bands == []
    matched.results.targets.choose(0)
    assert matched.link.highlight.bands


@pytest.mark.parametrize(("which", "field"), [(0, "plot"), (0, "tall"), (1, "plot")])
def test_every_field_that_was_read_is_watched(page, run, two_layers, which, field):
    page.form.field(choices.HEIGHT_FIELD).setField("tall")
    page.form.field(choices.PLOT_FIELD).setField("plot")
    run(page)
    layer = two_layers[which]
    layer.startEditing()
    first = layer.allFeatureIds()[0]
    layer.changeAttributeValue(first, layer.fields().lookupField(field), "7")
    assert page.results.is_stale
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


def test_the_message_says_how_many_were_found(matched):
    (said,) = matched.iface.messageBar().get_messages(Qgis.MessageLevel.Success)[-1:]
    targets = len(TARGET_BOXES)
    assert f"{targets - 1} of {targets} targets found, 1 of {targets} predictions unmatched" in said


def test_a_plot_is_listed_once(page, run):
    page.form.field(choices.PLOT_FIELD).setField("plot")
    run(page)
    for crowns in (page.results.targets, page.results.predictions):
        assert [column.title for column in crowns.model.columns].count("Plot") == 1


def test_plots_that_do_not_meet_are_a_warning(page, run, two_layers):
    layer = two_layers[1]
    place = layer.fields().lookupField("plot")
    layer.dataProvider().changeAttributeValues({fid: {place: "a"} for fid in layer.allFeatureIds()})
    page.form.field(choices.PLOT_FIELD).setField("plot")
    run(page)
    assert "1 warning" in page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)[-1]
    assert "No plot is on both sides" in page.results.notes.text()


def test_an_empty_project_takes_a_cloud(dock, project, tmp_path, monkeypatch, run):
    xyz, target, prediction = labelled_cloud()
    path = write_cloud(tmp_path / "plot.laz", xyz, {"tree_id": target, "predicted_id": prediction})
    page = dock.show_page("instances")
    assert page.stack.currentWidget() is page.empty
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    page.cloud_button.click()
    assert page.stack.currentWidget() is page.splitter
    assert page.form.settings()[choices.CLOUD] == str(path)
    run(page)
    assert np.array_equal(page.results.results.targets["target_id"], np.unique(target[target >= 0]))


def test_why_run_cannot_be_pressed_stands_below_it(page, run):
    bar = page.run_bar
    assert bar.why_not.isHidden()
    page.form.field(choices.PREDICTIONS).pick(page.form.field(choices.TARGETS).layer_id())
    assert not bar.why_not.isHidden()
    assert "same layer" in bar.why_not.text()


def test_the_sample_cloud_says_that_its_trees_are_others(dock, project, run):
    page = dock.show_page("instances")
    page.empty.button.click()
    assert "offers its point cloud" in page.iface.messageBar().get_messages(Qgis.MessageLevel.Info)[-1]
    page.form.choose(KIND, "cloud")
    assert "other trees than the sample image" in page.form.cloud.badge.text()
    canvas = page.iface.mapCanvas()
    image = next(layer for layer in project.mapLayers().values() if layer.name() == "image")
    canvas.setExtent(image.extent())
    run(page)
    made = layer_of(page, TARGETS).extent()
    assert not made.intersects(image.extent())
    assert canvas.extent().intersects(made)


def test_a_map_that_has_no_place_for_the_results_is_told(page, run, elsewhere):
    run(page)
    said = page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)
    assert "has no place on a map in" in said[-1]
    assert len(page.results.results.targets) == len(TARGET_BOXES)
    page.results.targets.choose(0)
    assert page.link.highlight.bands == []


def test_the_trees_of_a_cloud_are_guessed_in_a_project_that_is_opened(dock, project):
    page = dock.show_page("instances")
    page.empty.button.click()
    page.form.choose(KIND, "cloud")
    page.restore()
    page.form.choose(KIND, "cloud")
    assert page.why_not() == ""
