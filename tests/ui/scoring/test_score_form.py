"""The form of page Score: pickers that follow the project, presets, what is remembered."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtCore import QPoint
from support.layers import TARGET_BOXES, box_layer, layer_of
from support.qt import spin, wait_until
from support.rasters import write_raster

from randcrowns.algorithms.common_parameters import (
    ALPHA,
    GAMMA,
    IDTREES,
    IMAGE_EXTENT,
    OMEGA,
    PRESET,
    TARGETS,
)
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.algorithms.scoring.schema.parameters import (
    DELINEATIONS,
    PAIRING,
    PLOT_FIELD,
    SEARCH_RADIUS,
)
from randcrowns.layers.sample import load_plot
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.scoring.form import DESTINATION, FIELDS, NEW_LAYERS, SELECTED_ONLY, ScoreForm
from randcrowns.ui.services.layer_info import LayerFacts
from randcrowns.ui.services.layer_watch import ProjectLayersWatch
from randcrowns.ui.services.settings import Settings


@pytest.fixture
def form(two_layers):
    made = ScoreForm()
    made.reload_layers()
    layers = ProjectLayersWatch(made)
    layers.changed.connect(made.reload_layers)
    yield made
    layers.close()
    made.check.close()
    made.deleteLater()


def names(form):
    tree = form.delineation_list
    return [tree.topLevelItem(row).text(0) for row in range(tree.topLevelItemCount())]


def test_two_layers_are_enough(form, two_layers):
    targets, drawn = two_layers
    settings = form.settings()
    assert (settings[TARGETS], settings[DELINEATIONS]) == (targets.id(), (drawn.id(),))
    assert form.run_problem() == ""


def test_layers_that_look_alike_are_ticked_together_until_the_user_chooses(form, project):
    second = box_layer("drawn by ben", TARGET_BOXES)
    project.addMapLayer(second)
    wait_until(lambda: len(form.settings()[DELINEATIONS]) == 2)
    form.delineation_list.check_layers((second.id(),))
    project.addMapLayer(box_layer("drawn by cleo", TARGET_BOXES))
    wait_until(lambda: len(names(form)) == 3)
    assert form.settings()[DELINEATIONS] == (second.id(),)


def test_only_polygon_layers_are_offered(form, project):
    project.addMapLayer(QgsVectorLayer("Point?crs=EPSG:32617", "points", "memory"))
    assert names(form) == ["drawn"]
    assert form.target_picker.combo.count() == 2


def test_the_list_follows_layers_that_come_go_and_are_renamed(form, project, two_layers):
    other = box_layer("another", TARGET_BOXES)
    project.addMapLayer(other)
    assert names(form) == ["another", "drawn"]
    other.setName("zzz")
    wait_until(lambda: names(form) == ["drawn", "zzz"])
    project.removeMapLayer(two_layers[1].id())
    assert names(form) == ["zzz"]
    assert form.settings()[DELINEATIONS] == (other.id(),)


def test_the_target_is_not_its_own_delineation(form, two_layers):
    form.target_picker.select_layer(two_layers[1].id())
    assert names(form) == ["crowns"]


def test_results_are_never_preset_and_only_consensuses_are_offered(form, project):
    before = form.settings()
    for name, output in (("agreed", "CONSENSUS"), ("scored", "SCORED_TARGETS"), ("a", "REGIONS")):
        made = box_layer(name, TARGET_BOXES)
        made.setCustomProperty(RESULT_PROPERTY, output)
        project.addMapLayer(made)
    assert names(form) == ["drawn", "agreed"]
    targets = form.target_picker.combo
    offered = {targets.itemText(row) for row in range(targets.count())} - {""}
    assert offered == {"crowns", "drawn", "agreed"}
    assert form.settings() == before


def test_one_layer_alone_says_what_is_missing(form, project, two_layers):
    project.removeMapLayer(two_layers[1].id())
    assert "second polygon layer" in form.run_problem()


def test_badge_tells_number_system_and_what_is_odd(project):
    layer = box_layer("crowns", TARGET_BOXES)
    assert LayerFacts.of_layer(layer).text == "8 crowns · EPSG:32617"
    layer.setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    assert "degrees" in LayerFacts.of_layer(layer).tooltip
    layer.setCrs(QgsCoordinateReferenceSystem())
    assert "⚠" in LayerFacts.of_layer(layer).short
    layer.setCrs(QgsCoordinateReferenceSystem("EPSG:2236"))
    assert "feet" in LayerFacts.of_layer(layer).tooltip


def test_badge_of_features_in_pixels_says_so_and_calls_it_nothing_odd(project):
    facts = LayerFacts.of_layer(layer_of("crowns", ["POLYGON((2 3, 9 3, 9 11, 2 3))"], crs=""))
    assert facts.text == "1 crown · pixels, no georeference"
    assert facts.notices == ()


def lengths(form):
    settings = form.settings()
    return tuple(settings[choice] for choice in (PRESET, ALPHA, OMEGA, GAMMA))


def choose(form, choice, key):
    box = form.field(choice)
    box.setCurrentIndex(box.findData(key))


def test_crowns_drawn_in_the_field_have_the_lengths_of_field_polygons_unless_others_are_chosen(
    form, project
):
    field = layer_of(
        "field crowns",
        ["POLYGON((500000 3000000, 500006 3000000, 500003 3000005, 500000 3000000))"],
    )
    project.addMapLayer(field)
    assert form.settings()[TARGETS] == field.id()
    assert lengths(form) == ("field_polygons", 0.6, 3.0, 3.0)
    form.target_picker.select_layer(project.mapLayersByName("crowns")[0].id())
    assert lengths(form)[0] == "image_boxes"
    form.target_picker.select_layer(field.id())
    assert lengths(form)[0] == "field_polygons"
    choose(form, PRESET, "image_boxes")
    form.reload_layers()
    assert lengths(form) == ("image_boxes", 0.7, 1.2, 3.0)
    form.set_settings(
        Settings.from_stored(form.parameters, {"target": field.id(), "preset": "image_boxes"})
    )
    assert lengths(form)[0] == "image_boxes"


def test_the_sample_plot_is_preset_as_docs_tour_says(project):
    load_plot(project)
    form = ScoreForm()
    form.reload_layers()
    layers = project.mapLayers()
    settings = form.settings()
    assert len(layers) == 10  # nine layers and the image
    assert layers[settings[TARGETS]].name() == "field_polygons"
    drawn = sorted(layers[layer_id].name() for layer_id in settings[DELINEATIONS])
    assert drawn == ["detector", "detector_2", "detector_3"]
    assert lengths(form)[0] == "field_polygons"
    form.target_picker.select_layer(project.mapLayersByName("annotator_1")[0].id())
    assert lengths(form)[0] == "image_boxes"
    form.check.close()
    form.deleteLater()


def test_presets_set_the_numbers_and_numbers_leave_the_preset(form):
    choose(form, PRESET, "field_polygons")
    assert lengths(form) == ("field_polygons", 0.6, 3.0, 3.0)
    form.field(OMEGA).setValue(2.0)
    assert lengths(form) == ("own", 0.6, 2.0, 3.0)
    choose(form, PRESET, "idtrees")
    assert not form.field(ALPHA).isEnabled()
    assert not form.field(PAIRING).isEnabled()
    assert lengths(form) == ("idtrees", 0.6, 2.0, 3.0)


def test_the_drawing_follows_and_says_when_nothing_is_left(form):
    form.field(ALPHA).setValue(9.0)
    assert "too small" in form.lengths_field.drawing.toolTip()
    form.field(ALPHA).setValue(0.2)
    assert "too small" not in form.lengths_field.drawing.toolTip()
    assert not form.lengths_field.drawing.grab().isNull()


def test_choices_come_back_as_they_were(form, two_layers):
    form.field(ALPHA).setValue(0.4)
    form.field(PAIRING).setCurrentIndex(2)
    form.field(SEARCH_RADIUS).setValue(7.5)
    form.destination_field.set_value(FIELDS)
    settings = form.settings()
    assert settings[DESTINATION] == FIELDS
    other = ScoreForm()
    other.reload_layers()
    other.set_settings(Settings.from_stored(other.parameters, settings.to_stored()))
    assert other.settings() == settings
    other.deleteLater()


def test_a_kept_preset_counts_more_than_the_lengths_kept_beside_it(form):
    form.set_settings(form.settings().with_values({PRESET: "image_boxes", ALPHA: 0.4}))
    assert lengths(form) == ("image_boxes", 0.7, 1.2, 3.0)
    form.set_settings(Settings.from_stored(form.parameters, {"preset": "field_polygons"}))
    assert form.settings()[PRESET] == "field_polygons"
    form.field(ALPHA).setValue(0.4)
    assert form.settings()[PRESET] == "own"


def test_choices_about_layers_that_are_gone_do_no_harm(form, two_layers):
    before = form.settings()
    gone = {
        TARGETS: "gone",
        DELINEATIONS: ("gone too",),
        IMAGE_EXTENT: AreaValue(layer="gone"),
        PLOT_FIELD: "g",
    }
    form.set_settings(Settings(gone))
    assert form.settings()[TARGETS] == before[TARGETS]
    assert form.settings()[DELINEATIONS] == before[DELINEATIONS]
    assert form.settings()[PLOT_FIELD] == ""


@pytest.mark.parametrize(
    "choices",
    [
        {"alpha": "x"},
        {"delineations": 3},
        {"unknown": 1},
        {"selected_only": "yes"},
        {"alpha": None},
    ],
)
def test_spoilt_choices_fall_back_to_defaults(form, choices):
    assert Settings.from_stored(form.parameters, choices) == Settings.from_stored(form.parameters)


def test_fields_of_the_target_are_offered_for_groups(form, project):
    layer = box_layer("plots", TARGET_BOXES, fields="&field=plot:string", rows=[("p",)] * 8)
    project.addMapLayer(layer)
    form.target_picker.select_layer(layer.id())
    form.field(PLOT_FIELD).setField("plot")
    assert form.settings()[PLOT_FIELD] == "plot"
    form.target_picker.select_layer(QgsProject.instance().mapLayersByName("crowns")[0].id())
    assert form.settings()[PLOT_FIELD] == ""


def test_the_competitions_preset_says_that_it_needs_an_extent(form):
    choose(form, PRESET, "idtrees")
    assert "Image extent" in form.run_problem()
    form.field(IMAGE_EXTENT).set_area(AreaValue("canvas"))
    assert form.run_problem() == ""


def test_an_image_says_where_the_image_ends(form, project, tmp_path):
    box = form.field(IMAGE_EXTENT)
    assert [box.itemText(entry) for entry in range(2)] == ["None", "Map as shown"]
    file = write_raster(tmp_path / "image.tif", np.zeros((20, 20)), west=500000, north=3000020)
    image = QgsRasterLayer(str(file), "image")
    project.addMapLayer(image)
    form.reload_layers()
    box.setCurrentIndex(box.findText("image"))
    assert form.run_problem() == ""
    settings = form.settings()
    assert settings[IMAGE_EXTENT].image == image.id()
    extent = settings.to_parameters([IMAGE_EXTENT])["EXTENT"]
    assert (extent.xMaximum(), extent.crs().authid()) == (500020, "EPSG:32617")


def test_without_a_file_of_the_project_the_layers_are_said_to_be_temporary(form, project, tmp_path):
    assert not form.result_file_field.isHidden()
    assert not form.result_file_field.temporary_warning.isHidden()
    form.destination_field.buttons[FIELDS].click()
    assert form.result_file_field.isHidden()
    form.destination_field.buttons[NEW_LAYERS].click()
    assert not form.result_file_field.isHidden()
    project.write(str(tmp_path / "plots.qgz"))
    form.reload_layers()
    assert form.result_file_field.temporary_warning.isHidden()
    assert form.result_file_field.file.lineEdit().placeholderText() == "plots_randcrowns.gpkg"


def test_selected_only_needs_a_selection(form, two_layers):
    form.field(SELECTED_ONLY).setChecked(True)
    assert "No crown is selected" in form.run_problem()
    two_layers[0].selectByIds([1, 2])
    assert form.run_problem() == ""


def test_badges_say_what_a_look_at_the_crowns_found(form, project):
    from qgis.core import QgsFeature, QgsGeometry

    layer = box_layer("odd", TARGET_BOXES)
    bow = QgsFeature()
    bow.setGeometry(
        QgsGeometry.fromWkt(
            "POLYGON((500100 3000000,500110 3000010,500110 3000000,500100 3000010,500100 3000000))"
        )
    )
    layer.dataProvider().addFeatures([bow, QgsFeature()])
    project.addMapLayer(layer)
    form.resize(300, 700)
    form.show()
    spin(20)
    place = form.delineation_list.mapTo(form, QPoint())
    form.target_picker.select_layer(layer.id())
    wait_until(lambda: not form.check.is_busy)
    spin(20)
    assert "1 crown with an invalid geometry is repaired" in form.target_picker.badge.toolTip()
    assert "1 crown without geometry is skipped" in form.target_picker.badge.toolTip()
    assert "⚠ 1" in form.target_picker.badge.text()
    assert (
        form.delineation_list.mapTo(form, QPoint()) == place
    )  # a click meets the layer that was aimed at
    form.resize(900, 700)
    spin(20)
    assert "1 crown without geometry is skipped" in form.target_picker.badge.text()
    form.resize(150, 700)
    spin(20)
    assert "⚠" in form.target_picker.badge.text()
    assert form.width() < 300


def test_a_look_that_finds_nothing_new_is_not_told(form, project, two_layers):
    from qgis.core import QgsFeature

    told = []
    form.check.problems_changed.connect(lambda: told.append(1))
    form.reload_layers()
    wait_until(lambda: not form.check.is_busy)
    assert told == []
    drawn = two_layers[1]
    for _ in range(2):
        drawn.dataProvider().addFeatures([QgsFeature()])
        form.reload_layers()
        wait_until(lambda: not form.check.is_busy)
    assert "2 crowns without geometry are skipped" in form.delineation_list.topLevelItem(0).toolTip(
        1
    )
    assert len(told) == 2


def test_a_layer_is_not_looked_through_again_for_every_crown_drawn(form, two_layers):
    from qgis.core import QgsFeature

    wait_until(lambda: not form.check.is_busy)
    targets = two_layers[0]
    targets.startEditing()
    targets.addFeature(QgsFeature(targets.fields()))
    form.reload_layers()
    assert not form.check.is_busy
    targets.commitChanges()
    form.reload_layers()
    assert form.check.is_busy
    wait_until(lambda: not form.check.is_busy)
    assert "without geometry" in form.target_picker.badge.toolTip()


def test_lengths_shorter_than_a_pixel_of_the_image_are_noticed(project, two_layers, dock, tmp_path):
    form = dock.show_page("score").form
    spin()
    assert form.lengths_notice.isHidden()
    assert form.lengths_button.isHidden()
    path = write_raster(tmp_path / "coarse.tif", np.zeros((3, 40, 40)), 10.0, 499900.0, 3000200.0)
    project.addMapLayer(QgsRasterLayer(str(path), "coarse"))
    spin()
    assert form.lengths_notice.text().startswith(
        "A pixel of image 'coarse' is 10.00 m wide, more than omega (1.20 m): "
    )
    assert form.lengths_button.isVisibleTo(form)
    form.field(OMEGA).setValue(10.0)
    assert form.lengths_notice.isHidden()
    form.field(OMEGA).setValue(9.0)
    form.lengths_button.click()
    assert dock.page.key == "parameters"


def test_the_size_of_the_lengths_in_comparison_with_the_targets_stands_below_the_preset(
    project, dock
):
    # Squares of 50 x 50 m have the area of circles of 56.4 m.
    large = [shapely.box(x, 3000000, x + 50, 3000050) for x in (500000, 500100)]
    project.addMapLayers(
        [layer_of(name, large, "EPSG:32617") for name in ("ground truth", "detected")]
    )
    form = dock.show_page("score").form
    spin()
    assert form.size_label.text() == (
        "Alpha is 1.2\u00a0% and omega 2.1\u00a0% of the mean diameter of the targets (56.4 m)."
    )
    assert form.lengths_notice.isHidden()
    form.field(ALPHA).setValue(0.3)
    form.field(OMEGA).setValue(0.5)
    assert form.lengths_notice.text().startswith(
        "Alpha (0.3 m) and omega (0.5 m) are below 1\u00a0%"
    )
    assert form.lengths_button.isVisibleTo(form)
    form.field(ALPHA).setValue(20.0)
    assert form.lengths_notice.text().startswith(
        "Alpha (20 m) is above 25\u00a0% of the mean diameter"
    )
    form.field(PRESET).setCurrentIndex(form.field(PRESET).findData(IDTREES))
    assert form.size_label.isHidden()
    assert form.lengths_notice.isHidden()


def test_the_size_of_the_lengths_is_unknown_without_a_layer_in_metres(project, dock):
    degrees = [shapely.box(x, 45, x + 0.0001, 45.0001) for x in (8.0, 8.1)]
    project.addMapLayers(
        [layer_of(name, degrees, "EPSG:4326") for name in ("ground truth", "detected")]
    )
    form = dock.show_page("score").form
    spin()
    assert form.size_label.isHidden()
