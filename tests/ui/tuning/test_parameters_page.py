"""Page Parameters end to end: real layers, the real algorithms, the real map."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from qgis.core import Qgis, QgsProject, QgsRasterLayer
from support.layers import EAST, NORTH, TARGET_BOXES, box_layer, crowns_at, layer_of, shifted
from support.panel import errors, opened_dock
from support.qt import is_folded, spin, wait_until
from support.rasters import write_raster
from support.searching import (
    finish,
    image_of,
    offered_images,
    open_gallery,
    show_small_grid,
    show_table,
)
from support.shown import shows

from randcrowns.algorithms.common_parameters import IMAGE_EXTENT
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.algorithms.tuning.schema.parameters import ALPHAS, EXTENT, WRONG_PAIR_THRESHOLD
from randcrowns.core.tuning.search import SetAssessment
from randcrowns.ui.services.settings import Settings, read_parameters, write_parameters

_SIDES = ("xMinimum", "yMinimum", "xMaximum", "yMaximum")


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def page(parameters_page):
    show_table(parameters_page)
    return parameters_page


@pytest.fixture
def own_search(page, run):
    run(page)
    finish(page)
    return page


def some_cell(page, assessment):
    grid = page.results.search.grid
    row = grid[grid["assessment"] == assessment].iloc[0]
    return float(row["alpha"]), float(row["omega"]), float(row["gamma"])


# Running


def test_the_defaults_work_and_the_button_says_what_it_does(page, three_people):
    assert page.form.annotator_list.checked_ids() == tuple(layer.id() for layer in three_people)
    assert page.run_bar.run_button.text() == "Search 112 sets"
    assert page.run_bar.run_button.isEnabled()


def test_after_a_first_run_the_map_is_drawn_at_one_size_and_no_crown(
    three_people, qgis_iface, run, monkeypatch
):
    from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg

    drawn, draw = set(), FigureCanvasQTAgg.draw

    def noted(canvas):
        drawn.add((canvas.width(), canvas.height()))
        draw(canvas)

    monkeypatch.setattr(FigureCanvasQTAgg, "draw", noted)
    with opened_dock(qgis_iface) as own:
        page = own.show_page("parameters")
        show_small_grid(page)
        run(page)
        finish(page)
        assert len(drawn) == 1
        assert errors(page) == []
        assert page.results.variance_map.selected_set == page.results.search.recommended
        assert page.highlight.bands == []


def test_cancel_leaves_everything_as_it_was(page, run):
    page.start()
    page.runs.cancel()
    wait_until(lambda: page.run is None)
    assert page.results.search is None
    assert errors(page) == []
    assert page.run_bar.run_button.isEnabled()


# Choosing a set


def test_use_these_hands_over_the_image_that_the_set_was_found_with(
    page, run, dock, project, tmp_path
):
    everywhere = {"west": EAST - 100, "north": NORTH + 140}
    image = QgsRasterLayer(
        str(write_raster(tmp_path / "image.tif", np.ones((240, 240)), **everywhere)), "image"
    )
    project.addMapLayer(image)
    page.form.field(EXTENT).set_area(AreaValue("image", image=image.id()))
    run(page)
    finish(page)
    page.results.variance_map.use_button.click()
    assert dock.page.form.settings()[IMAGE_EXTENT] == AreaValue("image", image=image.id())


def test_nothing_to_offer_is_said_and_warned_of(page, run):
    page.form.field(WRONG_PAIR_THRESHOLD).setValue(0.01)
    run(page)
    finish(page)
    assert shows(page.results.headline_label.text(), "finding.wrong_pairs_too_high")
    (told,) = page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)
    assert shows(told, "finding.wrong_pairs_too_high")
    assert page.iface.messageBar().get_messages(Qgis.MessageLevel.Success) == []
    assert page.results.experiment is None
    assert not page.results.variance_map.use_button.isEnabled()


# Odd input


def test_a_single_layer_is_warped(page, run, three_people):
    page.form.annotator_list.check_layers((three_people[0].id(),))
    assert not page.form.single_layer_notice.isHidden()
    run(page)
    finish(page)
    assert errors(page) == []
    assert len(page.results.experiment.variances) == 5
    page.results.variance_map.select_set(*page.results.search.recommended)
    finish(page)
    assert page.highlight.bands


def test_two_layers_need_targets(page, run, three_people):
    page.form.annotator_list.check_layers(tuple(layer.id() for layer in three_people[:2]))
    assert "at least three annotators" in page.form.run_problem()
    assert not page.run_bar.run_button.isEnabled()
    page.form.field_target_picker.select_layer(three_people[2].id())
    assert page.form.run_problem() == ""
    run(page)
    finish(page)
    assert errors(page) == []
    assert page.results.variance_table.model.frame["target_annotator"].tolist() == [
        "person 3",
        "all",
    ]


def test_a_grid_that_leads_nowhere(page):
    page.form.field(ALPHAS).boxes[1].setValue(0.1)
    assert "last alpha is below" in page.form.run_problem()


def test_annotators_with_nothing_in_common_get_a_sentence(page, run, project, three_people):
    far = layer_of("person 4", crowns_at([(900, 900)], seed=4))
    project.addMapLayer(far)
    page.form.annotator_list.check_layers((*page.form.annotator_list.checked_ids(), far.id()))
    run(page)
    (said,) = errors(page)
    assert shows(said, "tuning.no_shared_crowns")
    assert page.results.search is None


def test_a_layer_removed_after_the_run(own_search, project, three_people):
    project.removeMapLayer(three_people[0].id())
    own_search.results.examples_table.view.go_to_frame_row(1)
    assert own_search.highlight.bands
    assert own_search.results.is_stale
    own_search.results.variance_map.select_set(*some_cell(own_search, SetAssessment.OFFERED.value))
    finish(own_search)
    assert own_search.results.experiment is None
    assert "no longer in the project" in own_search.results.examples_label.text()
    assert errors(own_search) == []


def test_excluded_crowns_are_listed_and_shown_beside_what_the_others_drew_there(
    page, run, three_people
):
    three_people[0].dataProvider().deleteFeatures([1])
    run(page)
    finish(page)
    left = page.results.excluded_table.model.frame
    assert left["annotator"].tolist() == ["person 2", "person 3"]
    assert "2 delineations excluded" in page.results.variance_label.text()
    outlines = {n: next(three_people[n - 1].getFeatures([1])).geometry() for n in (2, 3)}
    page.results.excluded_table.view.go_to_frame_row(1)
    assert page.highlight.bands[-1].asGeometry().symDifference(outlines[3]).area() < 1e-6
    page.results.excluded_table.view.go_to_frame_row(0)
    assert page.results.description_label.text().startswith("Red: person 2 1, excluded: ")
    assert page.results.description_label.text().endswith("each of the others: person 3 1.")
    assert page.results.legend.isHidden()
    _veil, black, red = page.highlight.bands
    assert red.asGeometry().symDifference(outlines[2]).area() < 1e-6
    assert black.asGeometry().symDifference(outlines[3]).area() < 1e-6


# Memory


def test_an_image_extent_is_read_by_the_grid_and_by_the_crowns_and_handed_over(
    page, run, dock, project, three_people
):
    whole = three_people[0].extent()
    whole.scale(0.95)
    assert page.form.field_target_picker.combo.currentText() == "none: each annotator in turn"
    assert page.form.field(EXTENT).area().kind == "none"
    image = layer_of("image", [shapely.box(*(getattr(whole, side)() for side in _SIDES))])
    project.addMapLayer(image)
    page.form.field(EXTENT).set_area(AreaValue("layer", image.id()))
    run(page)
    finish(page)
    assert page.parameters(page.results.search.settings)["EXTENT_LAYER"] == image.id()
    best = page.results.search.grid.sort_values("rank").iloc[0]
    direct = page.results.experiment.variances.iloc[-1]
    assert best["variance"] == pytest.approx(direct["randcrowns_variance"], abs=1e-5)
    page.results.variance_map.use_button.click()
    assert dock.page.form.settings()[IMAGE_EXTENT] == AreaValue("layer", image.id())


def test_an_image_is_an_extent(page, project, tmp_path):
    picture = QgsRasterLayer(str(write_raster(tmp_path / "image.tif", np.ones((40, 40)))), "image")
    project.addMapLayer(picture)
    extent = page.form.field(EXTENT)
    extent.set_area(AreaValue("image", image=picture.id()))
    given = page.parameters(page.form.settings())
    assert "EXTENT_LAYER" not in given
    assert (given["EXTENT"].xMaximum(), given["EXTENT"].crs()) == (
        picture.extent().xMaximum(),
        picture.crs(),
    )
    project.removeMapLayer(picture.id())
    spin()
    assert extent.area() == AreaValue()
    assert extent.currentText() == "None"


@pytest.mark.parametrize("kind", ["layer", "image"])
def test_the_one_layer_that_earlier_projects_kept_for_the_extent_is_taken_up(
    page, project, tmp_path, kind
):
    file = write_raster(tmp_path / "image.tif", np.ones((40, 40)))
    layer = (
        QgsRasterLayer(str(file), "image")
        if kind == "image"
        else layer_of("image", crowns_at([(0, 0)]))
    )
    project.addMapLayer(layer)
    for kept, found in ((layer.id(), AreaValue(kind, **{kind: layer.id()})), ("gone", AreaValue())):
        write_parameters("parameters", {"extent_layer": kept})
        page.load_parameters()
        assert page.form.settings()[EXTENT] == found


def test_choices_are_kept_in_the_project(page, run):
    page.form.field(WRONG_PAIR_THRESHOLD).setValue(0.45)
    page.store_parameters()
    kept = Settings.from_stored(page.form.parameters, read_parameters("parameters"))
    assert kept[WRONG_PAIR_THRESHOLD] == 0.45
    assert kept == page.form.settings()
    page.form.field(WRONG_PAIR_THRESHOLD).setValue(0.9)
    page.load_parameters()
    assert page.form.settings() == kept


def test_an_empty_project_offers_the_sample(project, dock):
    page = dock.show_page("parameters")
    assert page.stack.currentWidget() is page.empty_state


def test_closing_leaves_no_trace(three_people, qgis_iface, run):
    with opened_dock(qgis_iface) as own:
        page = own.show_page("parameters")
        show_small_grid(page)
        show_table(page)
        run(page)
        finish(page)
        page.results.variance_map.select_set(*page.results.search.recommended)
        page.close_down()
        spin(50)
        assert not page.runs.side_run_keys
    assert QgsProject.instance().mapLayersByName("Crowns") == []


def test_images_that_come_are_offered_and_those_that_go_are_not(page, run, project, tmp_path):
    first = image_of(tmp_path, "first")
    run(page)
    finish(page)
    sheet = open_gallery(page)
    assert sheet.image_id() == first.id()
    drawn = sheet.pixmap.toImage()
    image_of(tmp_path, "second")
    assert offered_images(page) == ["first", "second", "no image"]
    assert sheet.image_id() == first.id()
    assert sheet.pixmap.toImage() == drawn
    project.removeMapLayer(first.id())
    assert offered_images(page) == ["second", "no image"]
    assert sheet.image_box.currentText() == "no image"
    finish(page)
    assert sheet.is_shown
    assert sheet.pixmap.toImage() != drawn


def test_the_gallery_of_the_next_project_has_its_image(page, project, tmp_path):
    gallery = page.results.gallery
    gallery.reload_images()  # as after a search
    assert offered_images(page) == ["no image"]
    project.clear()
    image_of(tmp_path, "photo")
    gallery.reload_images()
    assert gallery.image_box.currentText() == "photo"


# Room and messages


def test_the_form_is_folded_after_the_first_run_and_takes_room_when_unfolded(page, run):
    assert not is_folded(page)
    run(page)
    finish(page)
    assert is_folded(page)
    before = page.splitter.sizes()
    assert before[0] < before[1]
    page.form.group_boxes[0].setCollapsed(False)
    spin()
    assert page.splitter.sizes()[0] > before[0]
    run(page)
    finish(page)
    assert not is_folded(page)


def test_the_hint_on_one_layer_is_folded_away_with_its_part(page, run, three_people):
    """Also when a choice below changes while the part is folded."""
    who = page.form.group_boxes[0]
    who.setCollapsed(True)
    page.form.annotator_list.check_layers((three_people[0].id(),))
    page.form.field(WRONG_PAIR_THRESHOLD).setValue(0.45)
    spin()
    assert not page.form.single_layer_notice.isVisible()
    who.setCollapsed(False)
    spin()
    assert page.form.single_layer_notice.isVisible()
    page.form.annotator_list.check_layers(tuple(layer.id() for layer in three_people))
    for folded in (True, False):
        who.setCollapsed(folded)
        spin()
        assert not page.form.single_layer_notice.isVisible()


def test_it_is_said_what_the_targets_and_the_plots_were(page, run, project):
    plots = "&field=plotID:string"
    project.clear()
    layers = [
        box_layer(f"p{n}", shifted(TARGET_BOXES, n / 9), fields=plots, rows=[["A"]] * 8)
        for n in range(3)
    ]
    field = box_layer("field polygons", TARGET_BOXES, fields=plots, rows=[["A"]] * 8)
    project.addMapLayers([*layers, field])
    page.form.field_target_picker.select_layer(field.id())
    run(page)
    finish(page)
    assert page.results.settings_label.text() == "targets: field polygons · plots: plotID"
    assert page.results.settings_label.isVisible()


def test_one_layer_of_several_plots_has_its_intervals_over_them(page, run, project):
    project.clear()
    rows = [[f"plot {n % 2}"] for n in range(len(TARGET_BOXES))]
    drawn = box_layer("field crowns", TARGET_BOXES, fields="&field=plotID:string", rows=rows)
    project.addMapLayers([drawn])
    run(page)
    finish(page)
    assert page.results.settings_label.text() == "targets: each annotator in turn · plots: plotID"
