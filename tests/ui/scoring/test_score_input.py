"""Unusual and invalid layers on page Score: a sentence or a note, no crash and no silent loss."""

from __future__ import annotations

import pytest
from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsFeature,
    QgsGeometry,
    QgsProject,
    QgsVectorLayer,
)
from support.layers import TARGET_BOXES, box_layer, shifted
from support.qt import wait_until
from support.shown import shows

from randcrowns.algorithms.common_parameters import CORNER_STYLE, IMAGE_EXTENT, PRESET
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.core.status import Status


@pytest.fixture
def dock(project, one_dock):
    return one_dock


def messages(page, level):
    return page.iface.messageBar().get_messages(level)


def reprojected(layer: QgsVectorLayer, crs: str) -> QgsVectorLayer:
    """A copy of the layer in another coordinate system."""
    wanted = QgsCoordinateReferenceSystem(crs)
    move = QgsCoordinateTransform(layer.crs(), wanted, QgsProject.instance())
    copy = QgsVectorLayer(f"Polygon?crs={crs}", f"{layer.name()} in {crs}", "memory")
    features = []
    for feature in layer.getFeatures():
        moved = QgsFeature()
        geometry = feature.geometry()
        geometry.transform(move)
        moved.setGeometry(geometry)
        features.append(moved)
    copy.dataProvider().addFeatures(features)
    return copy


def pick(page, target, *delineations):
    QgsProject.instance().addMapLayers(
        [
            layer
            for layer in (target, *delineations)
            if QgsProject.instance().mapLayer(layer.id()) is None
        ]
    )
    page.form.target_picker.select_layer(target.id())
    page.form.delineation_list.check_layers(tuple(layer.id() for layer in delineations))


def test_degrees_feet_and_unlike_systems_score_as_metres_do(page, run, two_layers):
    run(page)
    expected = page.results.displayed_scores().crowns
    page.form.field(CORNER_STYLE).setCurrentIndex(page.form.field(CORNER_STYLE).findData("mitre"))
    for systems in (("EPSG:4326",) * 2, ("EPSG:32617", "EPSG:4326"), ("EPSG:2236",) * 2):
        pick(page, *map(reprojected, two_layers, systems))
        run(page)
        assert messages(page, Qgis.MessageLevel.Critical) == []
        found = page.results.displayed_scores().crowns
        assert found is not expected
        assert found["status"].tolist() == expected["status"].tolist(), systems
        assert found["iou"].tolist() == pytest.approx(expected["iou"].tolist(), abs=2e-3), systems
        page.results.crown_table.view.go_to_frame_row(0)
        assert len(page.map_link.highlight.bands) >= 4


def test_invalid_empty_and_tiny_crowns_are_counted(page, run, two_layers):
    targets = box_layer("odd", [*TARGET_BOXES, (50, 0, 51, 1)])
    bow = QgsFeature()
    bow.setGeometry(
        QgsGeometry.fromWkt(
            "POLYGON((500100 3000000,500110 3000010,500110 3000000,500100 3000010,500100 3000000))"
        )
    )
    targets.dataProvider().addFeatures([bow, QgsFeature()])
    pick(page, targets, two_layers[1])
    run(page)
    (said,) = messages(page, Qgis.MessageLevel.Success)
    assert "note" in said
    scores = page.results.displayed_scores()
    assert len(scores.crowns) == 11
    assert scores.ids_of(Status.TARGET_TOO_SMALL) == [9]
    assert scores.ids_of(Status.NO_GEOMETRY) == [11]
    assert "1&nbsp;too&nbsp;small" in page.results.answer_view.counts.text()
    too_small = scores.crowns["target_id"].tolist().index(9)
    page.results.crown_table.view.go_to_frame_row(too_small)
    assert (
        page.results.crown_table.model.index(
            page.results.crown_table.view.selected_rows()[0], 2
        ).data()
        == "n/a"
    )
    without = scores.crowns["target_id"].tolist().index(11)
    page.results.crown_table.view.go_to_frame_row(without)
    assert page.map_link.highlight.bands == []


def test_a_delineation_layer_without_crowns_leaves_every_target_unmatched(page, run, two_layers):
    pick(page, two_layers[0], box_layer("empty", []))
    run(page)
    assert messages(page, Qgis.MessageLevel.Critical) == []
    assert set(page.results.displayed_scores().crowns["status"]) == {Status.UNMATCHED.value}


def test_a_target_layer_without_crowns_is_refused_with_the_reason(page, two_layers):
    pick(page, box_layer("empty", []), two_layers[1])
    assert page.form.run_problem().startswith("Layer empty has no crowns")
    assert "has no crowns" in page.run_bar.run_button.toolTip()
    assert not page.run_bar.run_button.isEnabled()


def test_two_layers_of_the_same_name_stay_apart(page, run, two_layers):
    pick(page, two_layers[0], two_layers[1], box_layer("drawn", TARGET_BOXES))
    run(page)
    assert messages(page, Qgis.MessageLevel.Critical) == []
    names = [scores.name for scores in page.results.results.layers]
    assert len(set(names)) == 2
    by_id = {scores.layer_id: scores for scores in page.results.results.layers}
    assert by_id[two_layers[1].id()].crowns["iou"].iloc[0] < 1
    assert [
        s.crowns["iou"].iloc[0] for key, s in by_id.items() if key != two_layers[1].id()
    ] == pytest.approx([1.0])


def test_a_layer_named_with_braces_and_marks_does_no_harm(page, run, project):
    targets = box_layer("{crowns} <b>50 %</b>", TARGET_BOXES)
    drawn = box_layer("drawn & {0} 'x'", shifted(TARGET_BOXES, 0.4))
    pick(page, targets, drawn)
    run(page)
    assert messages(page, Qgis.MessageLevel.Critical) == []
    drawn.startEditing()
    drawn.deleteFeature(1)
    assert page.results.is_stale
    drawn.rollBack()


def test_the_competitions_preset_asks_for_the_plots(page):
    page.form.field(PRESET).setCurrentIndex(page.form.field(PRESET).findData("idtrees"))
    assert "plot" in page.run_bar.run_button.toolTip()
    assert not page.run_bar.run_button.isEnabled()


def test_the_competitions_preset_scores_a_plot_and_draws_outlines(page, run, project):
    plot = box_layer("plot", [(-1, -1, 19, 19)])
    project.addMapLayer(plot)
    page.form.field(PRESET).setCurrentIndex(page.form.field(PRESET).findData("idtrees"))
    page.form.field(IMAGE_EXTENT).set_area(AreaValue("layer", plot.id()))
    targets, drawn = (project.mapLayersByName(name)[0] for name in ("crowns", "drawn"))
    pick(page, targets, drawn)
    run(page)
    assert messages(page, Qgis.MessageLevel.Critical) == []
    statuses = set(page.results.displayed_scores().crowns["status"])
    assert "outside_extent" in statuses
    page.results.crown_table.view.go_to_frame_row(0)
    assert len(page.map_link.highlight.bands) == 3


def thin_outlines(page):
    bands = [band for band in page.map_link.highlight.bands if band.width() == 1]
    return {band.asGeometry().boundingBox().toString(0) for band in bands}


def test_the_row_of_a_target_without_a_pair_shows_the_delineations_that_overlap_it(page, run):
    """The sentence below the table names the delineation, which is the pair of the other target."""
    targets = box_layer("trees", [(0, 0, 6, 6), (6, 0, 12, 6)])
    drawn = box_layer("found", [(4, 0, 12, 6), (20, 0, 26, 6)])
    pick(page, targets, drawn)
    run(page)
    page.results.crown_table.view.go_to_frame_row(0)
    crown = page.results.displayed_scores().crowns.iloc[0]
    assert crown["status"] == Status.UNMATCHED.value
    outline = "500004,3000000 : 500012,3000006"
    assert outline in thin_outlines(page)
    page.results.crown_table.view.go_to_frame_row(1)  # a target with a pair
    assert outline not in thin_outlines(page)


def test_a_row_whose_crown_was_deleted_says_so(page, run, two_layers):
    run(page)
    two_layers[0].startEditing()
    two_layers[0].deleteFeature(1)
    page.results.crown_table.view.go_to_frame_row(0)
    assert page.map_link.highlight.bands == []
    assert shows(messages(page, Qgis.MessageLevel.Warning)[0], "review.crown_removed")
    two_layers[0].rollBack()


def test_sample_data_fills_an_empty_project(project, dock):
    page = dock.show_page("score")
    page.empty_state.sample_button.click()
    wait_until(lambda: page.stack.currentWidget() is page.splitter)
    assert page.form.run_problem() == ""
