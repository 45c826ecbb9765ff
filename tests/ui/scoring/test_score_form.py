"""The form of page Score: pickers that follow the project, presets, what is remembered."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsProject, QgsRasterLayer, QgsVectorLayer
from support.boxes import TARGET_BOXES, box_layer
from support.qt import wait_until
from support.rasters import write_raster

from randcrowns.ui.scoring.form import ScoreForm
from randcrowns.ui.scoring.settings import FIELDS, ScoreSettings
from randcrowns.ui.services.layer_facts import RESULT_PROPERTY, LayerFacts
from randcrowns.ui.services.layer_watch import ProjectLayers


@pytest.fixture
def form(two_layers):
    made = ScoreForm()
    layers = ProjectLayers(made)
    layers.changed.connect(made.follow_project)
    yield made
    layers.close()
    made.check.close()
    made.deleteLater()


def names(form):
    tree = form.delineations
    return [tree.topLevelItem(row).text(0) for row in range(tree.topLevelItemCount())]


def test_two_layers_are_enough(form, two_layers):
    targets, drawn = two_layers
    settings = form.settings()
    assert (settings.target, settings.delineations) == (targets.id(), (drawn.id(),))
    assert form.why_not() == ""


def test_only_polygon_layers_are_offered(form, project):
    project.addMapLayer(QgsVectorLayer("Point?crs=EPSG:32617", "points", "memory"))
    assert names(form) == ["drawn"]
    assert form.target.combo.count() == 2


def test_the_list_follows_layers_that_come_go_and_are_renamed(form, project, two_layers):
    other = box_layer("another", TARGET_BOXES)
    project.addMapLayer(other)
    assert names(form) == ["another", "drawn"]
    other.setName("zzz")
    wait_until(lambda: names(form) == ["drawn", "zzz"])
    project.removeMapLayer(two_layers[1].id())
    assert names(form) == ["zzz"]
    assert form.settings().delineations == (other.id(),)


def test_the_target_is_not_its_own_delineation(form, two_layers):
    form.target.pick(two_layers[1].id())
    assert names(form) == ["crowns"]


def test_results_of_a_run_are_not_offered(form, project):
    made = box_layer("scored", TARGET_BOXES)
    made.setCustomProperty(RESULT_PROPERTY, "SCORED_TARGETS")
    project.addMapLayer(made)
    assert names(form) == ["drawn"]
    assert form.target.combo.count() == 2


def test_one_layer_alone_says_what_is_missing(form, project, two_layers):
    project.removeMapLayer(two_layers[1].id())
    assert "second polygon layer" in form.why_not()


def test_badge_tells_number_system_and_what_is_odd(project):
    layer = box_layer("crowns", TARGET_BOXES)
    assert LayerFacts.of(layer).text == "8 crowns · EPSG:32617"
    layer.setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    assert "degrees" in LayerFacts.of(layer).tooltip
    layer.setCrs(QgsCoordinateReferenceSystem())
    assert "⚠" in LayerFacts.of(layer).short
    layer.setCrs(QgsCoordinateReferenceSystem("EPSG:2236"))
    assert "feet" in LayerFacts.of(layer).tooltip


def test_presets_set_the_numbers_and_numbers_leave_the_preset(form):
    parameters = form.parameters
    parameters.preset.setCurrentIndex(parameters.preset.findData("field_polygons"))
    assert parameters.values() == ("field_polygons", 0.6, 3.0, 3.0)
    parameters.omega.setValue(2.0)
    assert parameters.values() == ("own", 0.6, 2.0, 3.0)
    parameters.preset.setCurrentIndex(parameters.preset.findData("idtrees"))
    assert not parameters.alpha.isEnabled()
    assert not form.more.pairing.isEnabled()


def test_the_drawing_follows_and_says_when_nothing_is_left(form):
    form.parameters.alpha.setValue(9.0)
    assert "too small" in form.parameters.drawing.toolTip()
    form.parameters.alpha.setValue(0.2)
    assert "too small" not in form.parameters.drawing.toolTip()
    assert not form.parameters.drawing.grab().isNull()


def test_choices_come_back_as_they_were(form, two_layers):
    form.parameters.alpha.setValue(0.4)
    form.more.pairing.setCurrentIndex(2)
    form.more.search_radius.setValue(7.5)
    form.to_fields.setChecked(True)
    settings = form.settings()
    assert settings.destination == FIELDS
    other = ScoreForm()
    other.show_settings(ScoreSettings.from_choices(settings.to_choices()))
    assert other.settings() == settings
    other.deleteLater()


def test_choices_about_layers_that_are_gone_do_no_harm(form, two_layers):
    before = form.settings()
    form.show_settings(ScoreSettings(target="gone", delineations=("gone too",), extent_layer="gone", group_field="g"))
    assert form.settings().target == before.target
    assert form.settings().delineations == before.delineations
    assert form.settings().group_field == ""


@pytest.mark.parametrize(
    "choices", [{"alpha": "x"}, {"delineations": 3}, {"unknown": 1}, {"selected_only": "yes"}, {"alpha": None}]
)
def test_spoilt_choices_fall_back_to_defaults(choices):
    assert ScoreSettings.from_choices(choices) == ScoreSettings()


def test_fields_of_the_target_are_offered_for_groups(form, project):
    layer = box_layer("plots", TARGET_BOXES, fields="&field=plot:string", rows=[("p",)] * 8)
    project.addMapLayer(layer)
    form.target.pick(layer.id())
    form.more.group_field.setField("plot")
    assert form.settings().group_field == "plot"
    form.target.pick(QgsProject.instance().mapLayersByName("crowns")[0].id())
    assert form.settings().group_field == ""


def test_a_target_layer_without_crowns_is_refused_with_the_reason(form, project):
    empty = box_layer("empty", [])
    project.addMapLayer(empty)
    form.target.pick(empty.id())
    assert form.why_not() == "Layer empty has no crowns; pick another target layer."


def test_the_competitions_preset_says_that_it_needs_an_extent(form):
    form.parameters.preset.setCurrentIndex(form.parameters.preset.findData("idtrees"))
    assert "Image extent" in form.why_not()
    form.more.extent.setCurrentIndex(form.more.extent.findData("canvas"))
    assert form.why_not() == ""


def test_an_image_says_where_the_image_ends(form, project, tmp_path):
    form.more.extent.setCurrentIndex(form.more.extent.findData("image"))
    assert "no raster layer" in form.why_not()
    image = QgsRasterLayer(str(write_raster(tmp_path / "image.tif", np.zeros((20, 20)), west=500000, north=3000020)))
    project.addMapLayer(image)
    wait_until(lambda: form.why_not() == "")
    settings = form.settings()
    assert settings.extent_image == image.id()
    extent = settings.to_parameters()["EXTENT"]
    assert (extent.xMaximum(), extent.crs().authid()) == (500020, "EPSG:32617")


def test_without_a_file_of_the_project_the_layers_are_said_to_be_temporary(form, project, tmp_path):
    assert not form.kept_in.temporary.isHidden()
    assert form.settings().to_parameters()["SUMMARY"] == "TEMPORARY_OUTPUT"
    form.to_fields.setChecked(True)
    assert form.kept_in.temporary.isHidden()
    form.to_new_layers.setChecked(True)
    project.write(str(tmp_path / "plots.qgz"))
    form.follow_project()
    assert form.kept_in.temporary.isHidden()
    assert form.kept_in.file.lineEdit().placeholderText() == "plots_randcrowns.gpkg"
    assert str(tmp_path / "plots_randcrowns.gpkg") in form.settings().to_parameters()["SUMMARY"]


def test_selected_only_needs_a_selection(form, two_layers):
    form.more.selected_only.setChecked(True)
    assert "No crown is selected" in form.why_not()
    two_layers[0].selectByIds([1, 2])
    assert form.why_not() == ""


def test_badges_say_what_a_look_at_the_crowns_found(form, project):
    from qgis.core import QgsFeature, QgsGeometry

    layer = box_layer("odd", TARGET_BOXES)
    bow = QgsFeature()
    bow.setGeometry(
        QgsGeometry.fromWkt("POLYGON((500100 3000000,500110 3000010,500110 3000000,500100 3000010,500100 3000000))")
    )
    layer.dataProvider().addFeatures([bow, QgsFeature()])
    project.addMapLayer(layer)
    form.target.pick(layer.id())
    wait_until(lambda: not form.check.busy)
    assert "1 with an invalid geometry, repaired" in form.target.badge.toolTip()
    assert "1 without geometry, skipped" in form.target.badge.toolTip()
    assert "⚠" in form.target.badge.text()
    form.target.resize(900, 50)
    form.target.refresh()
    assert "1 without geometry, skipped" in form.target.badge.text()
    form.target.resize(230, 50)
    form.target.refresh()
    assert "…" in form.target.badge.text()


def test_a_layer_is_not_looked_through_again_for_every_crown_drawn(form, two_layers):
    from qgis.core import QgsFeature

    wait_until(lambda: not form.check.busy)
    targets = two_layers[0]
    targets.startEditing()
    targets.addFeature(QgsFeature(targets.fields()))
    form.follow_project()
    assert not form.check.busy
    targets.commitChanges()
    form.follow_project()
    assert form.check.busy
    wait_until(lambda: not form.check.busy)
    assert "without geometry" in form.target.badge.toolTip()
