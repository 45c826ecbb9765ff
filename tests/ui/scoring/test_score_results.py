"""Results of one run on page Score: tables, the plot, the map and selections."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.core import Qgis, QgsApplication, QgsProject, QgsRasterLayer, QgsRectangle
from qgis.gui import QgsRubberBand
from qgis.PyQt.QtCore import QPoint, Qt
from qgis.PyQt.QtTest import QTest
from support.layers import TARGET_BOXES
from support.panel import add_two_layers, empty_project, opened_dock, run_page
from support.qt import spin, wait_until
from support.rasters import write_raster

from randcrowns.algorithms.common_parameters import ALPHA, PRESET
from randcrowns.core.scoring.parameters import PRESETS
from randcrowns.core.scoring.score import score_pairs
from randcrowns.core.status import Status
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.scoring.form import FIELDS
from randcrowns.ui.scoring.panel import UNMATCHED_DELINEATIONS


@pytest.fixture(scope="module")
def after_run(qgis_iface):
    """The page after one run, the layers it read and the choices it had."""
    with empty_project() as project, opened_dock(qgis_iface) as dock:
        layers = add_two_layers(project)
        page = dock.show_page("score")
        run_page(page)
        assert page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical) == []
        yield page, layers, page.settings().to_stored()


@pytest.fixture
def two_layers(after_run):
    return after_run[1]


@pytest.fixture
def scored(after_run):
    """The page as its run left it: choices, order and size, and nothing chosen."""
    page, _, choices = after_run
    page.window().show()
    if page.settings().to_stored() != choices:
        page.form.set_settings(page.settings_of(choices))
    for layer in QgsProject.instance().mapLayers().values():
        if hasattr(layer, "removeSelection"):
            layer.removeSelection()
    page.results.tabs.setCurrentIndex(0)
    page.results.crown_table.filter.clear()
    page.results.crown_table.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    page.leave()
    spin()
    assert not page.results.is_stale
    return page


def bands(page):
    """What is drawn for the row chosen."""
    return page.map_link.highlight.bands


def all_bands(page):
    """Everything drawn on the map, a flash that still fades included."""
    return [
        item for item in page.iface.mapCanvas().scene().items() if isinstance(item, QgsRubberBand)
    ]


def crowns(page):
    return page.results.displayed_scores().crowns


def test_the_default_run_scores_every_crown(scored):
    import shapely

    frame = crowns(scored)
    assert len(frame) == len(TARGET_BOXES)
    (expected,) = score_pairs(
        [shapely.box(0, 0, 4, 4)], [shapely.box(0.5, 0, 4.5, 4)], PRESETS["image_boxes"]
    ).to_dict("records")
    assert frame["randcrowns"].iloc[0] == pytest.approx(expected["randcrowns"], abs=1e-6)
    assert frame["iou"].iloc[0] == pytest.approx(expected["iou"], abs=1e-6)
    assert frame["iou_crowns"].iloc[0] == pytest.approx(expected["iou_crowns"], abs=1e-6)
    assert frame["status"].tolist() == [Status.SCORED.value] * 7 + [Status.UNMATCHED.value]
    assert "<b>8 crowns</b>" in scored.results.answer_view.answer.text()
    assert "95 % interval" in scored.results.answer_view.answer.toolTip()
    assert (
        "95 % intervals over crowns; none for fewer than 10"
        in scored.results.answer_view.answer.toolTip()
    )
    assert not scored.results.isHidden()


def test_results_are_styled_layers_in_a_group_of_their_own(scored):
    (group,) = QgsProject.instance().layerTreeRoot().findGroups()
    layers = [node.layer() for node in group.findLayers()]
    assert {layer.customProperty(RESULT_PROPERTY) for layer in layers} >= {
        "SCORED_TARGETS",
        "REGIONS",
    }
    made = next(
        layer for layer in layers if layer.customProperty(RESULT_PROPERTY) == "SCORED_TARGETS"
    )
    assert made.featureCount() == len(TARGET_BOXES)
    assert "drawn_rc" in made.fields().names()
    assert made.renderer().type() != "singleSymbol"


def test_other_parameters_make_results_stale_until_they_are_back(scored):
    assert not scored.results.is_stale
    scored.form.field(ALPHA).setValue(0.3)
    assert scored.results.is_stale
    scored.form.field(PRESET).setCurrentIndex(0)
    assert not scored.results.is_stale
    scored.form.destination_field.set_value(FIELDS)
    assert not scored.results.is_stale


def test_a_row_shows_its_crown_on_the_image_alone(scored, two_layers, tmp_path):
    file = write_raster(tmp_path / "image.tif", np.ones((60, 60)), west=500000, north=3000050)
    image = QgsRasterLayer(str(file), "image")
    canvas, shown = scored.iface.mapCanvas(), [*two_layers, image]
    before = canvas.layers()
    QgsProject.instance().addMapLayer(image)
    canvas.setLayers(shown)
    scored.results.crown_table.view.go_to_frame_row(0)
    assert canvas.layers() == [image]
    assert len(bands(scored)) == 4  # no veil on the image
    scored.leave()
    assert canvas.layers() == shown
    two_layers[0].selectByIds([2])  # on the map: the others are there to be selected next
    assert canvas.layers() == shown
    QgsProject.instance().removeMapLayer(image)
    canvas.setLayers(before)


def test_a_row_shows_its_crown_and_leaving_leaves_no_trace(scored):
    scored.results.crown_table.view.go_to_frame_row(0)
    assert len(bands(scored)) == 5
    assert not scored.results.crown_table.legend.isHidden()
    box = scored.iface.mapCanvas().extent()
    assert box.contains(QgsRectangle(500000, 3000000, 500004, 3000004))
    scored.results.crown_table.view.go_to_frame_row(7)
    assert len(bands(scored)) == 4
    scored.leave()
    assert bands(scored) == []
    wait_until(lambda: all_bands(scored) == [])
    scored.results.crown_table.view.go_to_frame_row(1)
    assert len(bands(scored)) == 5
    scored.window().close()
    wait_until(lambda: bands(scored) == [])
    wait_until(lambda: all_bands(scored) == [])


def test_a_row_brings_its_crown_to_a_size_that_can_be_judged(scored):
    canvas = scored.iface.mapCanvas()
    for far in (2.0, 3000.0):
        canvas.setExtent(QgsRectangle(500000, 3000000, 500000 + far, 3000000 + far))
        scored.results.crown_table.view.go_to_frame_row(0)
        shown = canvas.extent()
        assert shown.contains(QgsRectangle(500000, 3000000, 500004, 3000004))
        assert 0.3 < 4 / min(shown.width(), shown.height()) < 0.5
        scored.results.crown_table.view.go_to_frame_row(6)
        assert canvas.extent().width() == pytest.approx(shown.width())
        assert canvas.extent().contains(QgsRectangle(500020, 3000010, 500024, 3000014))


def test_up_and_down_walk_the_table_and_the_map_follows(scored):
    view = scored.results.crown_table.view
    view.go_to_frame_row(0)
    before = scored.map_link.highlight.bands
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.selected_rows() == [1]
    assert scored.map_link.highlight.bands != before
    assert len(bands(scored)) == 5


def test_a_selection_on_the_map_selects_rows(scored, two_layers):
    two_layers[0].selectByIds([2, 5])
    assert scored.results.crown_table.view.selected_rows() == [1, 4]
    assert bands(scored) == []
    shown = scored.iface.mapCanvas().extent()
    two_layers[1].selectByIds([4])
    assert scored.results.crown_table.view.selected_rows() == [3]
    assert len(bands(scored)) == 5
    assert not scored.results.crown_table.legend.isHidden()
    assert scored.iface.mapCanvas().extent() == shown
    two_layers[0].selectByIds([2, 5])
    assert bands(scored) == []
    assert scored.results.crown_table.legend.isHidden()
    scored.results.crown_table.view.go_to_frame_row(3)
    assert len(bands(scored)) == 5
    two_layers[0].selectByIds([2])
    scored.results.crown_table.view.go_to_frame_row(3)
    assert (
        scored.iface.mapCanvas().extent().contains(QgsRectangle(500030, 3000000, 500034, 3000004))
    )
    scored.results.crown_table.view.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    two_layers[0].selectByIds([8])
    assert scored.results.crown_table.view.selected_rows() == [0]


def test_a_selection_in_the_new_layers_selects_rows(scored):
    made = scored.results.results.layer_ids
    project = QgsProject.instance()
    project.mapLayer(made["SCORED_TARGETS"]).selectByExpression("target_id in (3, 8)")
    assert scored.results.crown_table.view.selected_rows() == [2, 7]
    project.mapLayer(made["SCORED_DELINEATIONS"]).selectByExpression("delineation_id = 5")
    assert scored.results.crown_table.view.selected_rows() == [4]


def test_counts_select_their_crowns(scored, two_layers):
    assert "1&nbsp;not&nbsp;detected" in scored.results.answer_view.counts.text()
    assert "1&nbsp;false&nbsp;detection" in scored.results.answer_view.counts.text()
    scored.results.count_clicked.emit(Status.UNMATCHED.value)
    assert two_layers[0].selectedFeatureIds() == [8]
    assert scored.results.crown_table.view.selected_rows() == [7]
    scored.results.count_clicked.emit(UNMATCHED_DELINEATIONS)
    assert two_layers[1].selectedFeatureIds() == [8]
    # The user may have hidden that layer; the false detections of the results are on the map.
    made = scored.results.results.layer_ids["SCORED_DELINEATIONS"]
    (selected,) = QgsProject.instance().mapLayer(made).selectedFeatures()
    assert (selected["delineation_id"], selected["status"]) == (8, "unmatched")


def test_the_plot_and_the_table_are_linked(scored):
    scored.results.tabs.setCurrentWidget(scored.results.plot)
    spin(50)
    scored.results.plot.row_chosen.emit(2)
    assert scored.results.crown_table.view.selected_rows() == [2]
    assert len(bands(scored)) == 5


def test_a_click_on_a_point_goes_to_its_crown(scored):
    plot = scored.results.plot
    scored.results.tabs.setCurrentWidget(plot)
    spin(50)
    canvas, axes = plot.canvas, plot.axes
    frame = crowns(scored)
    x, y = axes.transData.transform((frame["iou"].iloc[7], frame["randcrowns"].iloc[7]))
    scale = canvas.devicePixelRatioF()
    place = QPoint(round(x / scale), round(canvas.height() - y / scale))
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert scored.results.crown_table.view.selected_rows() == [7]
    assert len(bands(scored)) == 4


def test_the_plot_opens_in_a_window_of_its_own_and_stays_linked(scored):
    plot = scored.results.plot
    plot.open_window()
    spin(100)
    plot.window_plot.row_chosen.emit(3)
    assert scored.results.crown_table.view.selected_rows() == [3]
    assert plot.window_plot.marked_row == 3
    plot.close_window()
    assert not plot.separate_window.isVisible()


def test_the_plot_is_saved(scored, tmp_path):
    scored.results.plot.save(str(tmp_path / "plot.svg"))
    scored.results.plot.save(str(tmp_path / "plot.png"))
    assert (tmp_path / "plot.svg").read_text(encoding="utf-8").lstrip().startswith("<?xml")
    assert (tmp_path / "plot.png").stat().st_size > 1000


def test_attribute_tables_show_labels_and_three_digits(scored):
    layer = scored.results.results.layer_ids["SCORED_TARGETS"]
    layer = QgsProject.instance().mapLayer(layer)
    place = layer.fields().lookupField("drawn_iou")
    assert layer.attributeAlias(place) == "drawn: IoU"
    setup = layer.editorWidgetSetup(place)
    shown = QgsApplication.fieldFormatterRegistry().fieldFormatter(setup.type())
    assert shown.representValue(layer, place, setup.config(), None, 0.123456789) == "0.123"
