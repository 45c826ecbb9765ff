"""Page Annotators says what it shows: who drew outside, what is out of date, who is which colour, what a method did."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsGeometry,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
)
from qgis.PyQt.QtCore import Qt
from support.boxes import TARGET_BOXES, box_layer, shifted
from support.qt import is_folded, spin, wait_until
from support.rasters import write_raster

from randcrowns.algorithms.agreement.choices import EACH_LEFT_OUT, LEAVE_ONE_OUT, METHOD, STUDY_AREA
from randcrowns.algorithms.estimation import PRIOR, PRIOR_VALUE
from randcrowns.algorithms.layer_choice import AreaValue
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.agreement.panel import DisagreementSteps
from randcrowns.ui.widgets.colours import MISSED, SHARED, annotator_colours, coloured

SHIFTS = {"ann": 0, "bob": 0.5, "cleo": 3}


@pytest.fixture
def compared(project, dock, run):
    def compare(area=(-20.0, -20.0, 80.0, 80.0), shifts=SHIFTS, leave_one_out=False):
        people = [box_layer(name, shifted(TARGET_BOXES, by)) for name, by in shifts.items()]
        place = box_layer("study area", [area])
        project.addMapLayers([*people, place])
        project.setCrs(place.crs())
        page = dock.show_page("annotators")
        page.form.field(STUDY_AREA).show_area(AreaValue("layer", place.id()))
        page.form.field(LEAVE_ONE_OUT).setChecked(leave_one_out)
        run(page)
        assert page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical) == []
        return page

    return compare


def make_consensus(page, method, **choices):
    bar = page.results.consensus
    bar.field(METHOD).setCurrentIndex(bar.field(METHOD).findData(method))
    page.make_consensus()
    assert page.run is not None
    wait_until(lambda: page.run is None)


def consensus_layers():
    layers = QgsProject.instance().mapLayers().values()
    return [layer for layer in layers if layer.customProperty(RESULT_PROPERTY) == "CONSENSUS"]


def test_one_who_drew_elsewhere_is_named(compared):
    page = compared(shifts={"ann": 0, "bob": 1, "far": 200})
    assert "far: all 8 polygons lie outside" in page.results.notes.text()
    assert "far: all 8 polygons" in page.results.pages["pairs"].sentences.text()
    assert "ann:" not in page.results.notes.text()


def test_intervals_are_told_on_hover(compared):
    page = compared(area=(-2.0, -2.0, 40.0, 20.0))  # small enough for ten blocks with marks
    table = page.results.results.summary.set_index("statistic")
    for statistic in ("mean_f1", "fleiss_kappa"):
        assert (
            f"{table.loc[statistic, 'low']:.3f} to {table.loc[statistic, 'high']:.3f}" in page.results.answer.toolTip()
        )
    low, high = (page.results.results.value(name) for name in ("min_f1", "max_f1"))
    assert f"(pairs {low:.3f} to {high:.3f})" in page.results.answer.text()


def test_the_heatmap_stands_still_under_the_mouse(compared):
    page = compared(shifts={"somebody_with_quite_a_long_name": 0, "another_with_quite_a_long_name": 1, "cleo": 2})
    heatmap = page.results.heatmap
    page.results.tabs.setCurrentWidget(page.results.pages["pairs"])
    page.window().resize(360, 800)
    spin(50)
    sizes = set()
    for row, column in itertools.product(range(3), repeat=2):
        heatmap.point_at(SimpleNamespace(inaxes=heatmap.axes, xdata=column, ydata=row))
        spin(10)
        assert heatmap.told.heightForWidth(heatmap.told.width()) <= heatmap.told.height()
        sizes.add((heatmap.canvas.width(), heatmap.canvas.height(), heatmap.told.height()))
    assert len(sizes) == 1


def test_the_words_say_who_is_which_colour(compared):
    page = compared()
    colours = annotator_colours(SHIFTS)
    words = page.results.heatmap.words(0, 2)
    for name, colour in (("ann", colours["ann"]), ("cleo", colours["cleo"]), ("both", SHARED)):
        assert coloured(name, colour) in words


def test_a_pair_hides_what_the_others_drew_and_keeps_the_image(compared, tmp_path):
    page = compared()
    canvas, project = page.iface.mapCanvas(), QgsProject.instance()
    file = write_raster(tmp_path / "image.tif", np.ones((60, 60)), west=500000, north=3000050)
    image = QgsRasterLayer(str(file), "image")
    project.addMapLayer(image)
    shown = [*project.mapLayersByName("ann"), *project.mapLayersByName("Agreement map"), image]
    canvas.setLayers(shown)
    page.results.pair_chosen.emit(0, 1)
    assert canvas.layers() == [image]
    assert page.highlight.bands[0].fillColor().name() == SHARED
    assert {band.fillColor().alpha() for band in page.highlight.bands} <= set(range(1, 200))  # it shows through
    page.results.pair_chosen.emit(0, 2)
    assert canvas.layers() == [image]
    page.leave()
    assert canvas.layers() == shown


def test_results_outside_of_the_map_are_gone_to(compared, run):
    page = compared()
    canvas = page.iface.mapCanvas()
    canvas.setExtent(QgsRectangle(0, 0, 100, 100))
    run(page)
    assert canvas.extent().contains(QgsRectangle(500000, 3000000, 500030, 3000015))
    beside = QgsRectangle(500000, 3000000, 500010, 3000010)
    canvas.setExtent(beside)
    beside = canvas.extent()
    run(page)
    assert canvas.extent() == beside  # where something of them is seen the map stays


@pytest.mark.parametrize("of_others", [False, True])
def test_a_row_shows_the_annotator_against_the_consensus(compared, of_others):
    page = compared(leave_one_out=of_others)
    table = page.results.annotators
    table.view.selectRow(2)
    name = table.model.frame["annotator"].iloc[2]
    assert name == "cleo"
    bands = {band.fillColor().name(): band.asGeometry().area() for band in page.highlight.bands}
    # Boxes 4 m wide, shifted by 0, 0.5 and 3: half of three is two of them, half of ann and bob one of them.
    both, only, missed = (1.5, 2.5, 3) if of_others else (1.5, 2.5, 2.5)
    expected = {SHARED: both, annotator_colours(["cleo"])["cleo"]: only, MISSED: missed}
    assert bands == pytest.approx({colour: 8 * 4 * width for colour, width in expected.items()})
    sensitivity = table.model.frame["sensitivity"].iloc[2]
    assert sensitivity == pytest.approx(both / (both + missed))
    assert "cleo" in page.results.drawn.text()
    page.results.tabs.setCurrentIndex(1)
    assert page.highlight.bands == []
    page.results.tabs.setCurrentIndex(0)
    table.view.selectRow(2)
    assert len(page.highlight.bands) == 3
    table.view.clearSelection()
    assert page.highlight.bands == []


def test_the_steps_follow_the_order_shown(compared):
    page = compared()
    steps = page.results.disagreements
    area = [column.name for column in steps.table.model.columns].index("area")
    steps.table.view.sortByColumn(area, Qt.SortOrder.AscendingOrder)
    shown = [steps.table.model.frame_row(row) + 1 for row in range(2)]
    assert shown[0] != 1
    steps.next.click()
    assert steps.told.text().startswith(f"{shown[0]} of ")
    assert not steps.previous.isEnabled()
    steps.next.click()
    assert steps.told.text().startswith(f"{shown[1]} of ")
    assert steps.table.view.currentIndex().row() == 1
    steps.previous.click()
    assert steps.told.text().startswith(f"{shown[0]} of ")
    steps.go_to(steps.table.model.frame_row(steps.table.model.rowCount() - 1))
    assert not steps.next.isEnabled()
    steps.table.view.sortByColumn(area, Qt.SortOrder.DescendingOrder)
    assert steps.next.isEnabled()


def test_names_with_commas_are_not_taken_apart(qgis_app):
    names = ["Muster, Max", "ann", "bob", "cleo", "dan", "eve"]
    row = {"rank": 1, "area": 2.0, "n_yes": 5, "n_no": 1, "yes": "all but one", "no": "bob", "votes": "110111"}
    steps = DisagreementSteps()
    steps.show_frame(pd.DataFrame([row]), names, "m")
    steps.next.click()
    assert "5 yes: Muster, Max, ann, cleo, dan, …\n1 no: bob" in steps.told.text()


def test_no_consensus_of_results_that_are_out_of_date(compared, run):
    page = compared()
    make_consensus(page, "0.5")
    assert page.results.consensus.said.text()
    bob = QgsProject.instance().mapLayersByName("bob")[0]
    QgsProject.instance().removeMapLayer(bob.id())
    spin()
    bar = page.results.consensus
    assert not bar.button.isEnabled()
    assert "layer bob was removed." in bar.missing.text()
    assert "Run again" in bar.missing.text()
    page.make_consensus()
    assert page.run is None
    assert len(consensus_layers()) == 1
    run(page)
    assert bar.button.isEnabled()
    assert not bar.said.text()


def test_one_thing_at_a_time(compared):
    page = compared()
    bar = page.results.consensus
    make_consensus(page, "any")
    assert bar.said.text()
    page.make_consensus()
    assert not bar.said.text()
    page.runs.cancel()
    wait_until(lambda: page.run is None)
    page.start()
    assert not bar.button.isEnabled()
    page.runs.cancel()
    wait_until(lambda: page.run is None)
    spin()
    assert bar.button.isEnabled()


def test_staple_says_what_nobody_marked_and_marks_the_prior(compared):
    page = compared()
    bar = page.results.consensus
    bar.field(PRIOR).setCurrentIndex(bar.field(PRIOR).findData("number"))
    bar.field(PRIOR_VALUE).setValue(0.999)
    make_consensus(page, "staple")
    marked = sum(feature["area"] for feature in consensus_layers()[0].getFeatures())
    anybody = page.results.results.value("marked_by_any")
    assert marked > anybody
    assert f"{marked - anybody:,.1f} m² of it were marked by nobody." in bar.said.text()
    spin(20)
    plot = page.results.prior
    assert plot.data[1:3] == pytest.approx((0.999, anybody))
    assert plot.axes.get_ylim()[1] < 1.3 * anybody
    assert {text.get_text().strip() for text in plot.axes.texts} == {"marked by anybody", "prior used"}
    assert [label.get_text() for label in plot.axes.get_xticklabels()][:3] == ["0.001", "0.01", "0.1"]


def test_consensuses_without_each_annotator_have_their_colours(compared):
    page = compared()
    page.results.consensus.field(EACH_LEFT_OUT).setChecked(True)
    make_consensus(page, "0.5")
    (layer,) = consensus_layers()
    assert layer.name() == "Consensus: Half or more (0.5-GT), without each annotator"
    found = {one.value(): one.symbol().symbolLayer(0).strokeColor().name() for one in layer.renderer().categories()}
    assert found == annotator_colours(SHIFTS)


def test_results_have_the_room_after_a_run(compared, run):
    page = compared()
    page.window().resize(360, 700)
    spin(30)
    assert is_folded(page)
    form, results = page.splitter.sizes()
    assert results > 2 * form
    page.form.boxes[1].setCollapsed(False)
    spin(20)
    assert page.splitter.sizes()[0] > form
    run(page)
    assert not is_folded(page)  # whoever unfolded it wants to see it
    page.form.boxes[1].setCollapsed(True)
    spin(20)
    assert page.splitter.sizes()[0] == pytest.approx(form, abs=40)


def test_a_map_without_a_system_is_blamed_itself(compared):
    page = compared()
    page.form.field(STUDY_AREA).show_area(AreaValue("canvas"))
    assert page.run_bar.run_button.isEnabled()
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem())
    assert "The map has no coordinate system" in page.run_bar.why_not.text()
    assert not page.run_bar.run_button.isEnabled()
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:32617"))
    assert page.run_bar.run_button.isEnabled()


def test_the_map_as_shown_is_no_larger_where_its_system_is_turned(compared, run):
    page = compared()
    canvas, turned = page.iface.mapCanvas(), QgsCoordinateReferenceSystem("EPSG:3031")
    before = canvas.mapSettings().destinationCrs(), canvas.extent()
    to_turned = QgsCoordinateTransform(QgsProject.instance().crs(), turned, QgsProject.instance())
    QgsProject.instance().setCrs(turned)
    canvas.setDestinationCrs(turned)
    canvas.setExtent(to_turned.transformBoundingBox(QgsRectangle(499900, 2999900, 500200, 3000200)))
    page.form.field(STUDY_AREA).show_area(AreaValue("canvas"))
    shown = QgsGeometry.fromRect(canvas.extent()).densifyByCount(20)
    run(page)
    canvas.setDestinationCrs(before[0])
    canvas.setExtent(before[1])
    shown.transform(QgsCoordinateTransform(turned, QgsCoordinateReferenceSystem("EPSG:32617"), QgsProject.instance()))
    assert page.results.results.value("study_area") == pytest.approx(shown.area(), rel=1e-4)
    assert shown.area() < 0.7 * shown.boundingBox().area()


def test_the_hint_below_the_table_has_the_width_of_the_dock(compared):
    page = compared()
    page.window().resize(360, 900)
    page.results.tabs.setCurrentIndex(0)
    spin(30)
    hint = page.results.drawn
    assert hint.isVisible()
    assert hint.height() <= 2.5 * hint.fontMetrics().height()
