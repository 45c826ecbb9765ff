"""Test the messages of page Annotators, and what the map shows."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pandas as pd
import pytest
from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsGeometry,
    QgsProject,
    QgsRectangle,
)
from support.boxes import TARGET_BOXES, box_layer, shifted
from support.consensus import consensus_layers
from support.qt import is_folded, spin, wait_until

from randcrowns.algorithms.agreement.schema.parameters import (
    BOOTSTRAP_SAMPLES,
    LEAVE_ONE_OUT,
    METHOD,
    STUDY_AREA,
)
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.ui.agreement.results_panel import DisagreementTable
from randcrowns.ui.widgets.colours import MISSED, SHARED, annotator_colours

SHIFTS = {"ann": 0, "bob": 0.5, "cleo": 3}


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def prepared(project, dock):
    def prepare(shifts=SHIFTS):
        people = [box_layer(name, shifted(TARGET_BOXES, by)) for name, by in shifts.items()]
        place = box_layer("study area", [(-20.0, -20.0, 80.0, 80.0)])
        project.addMapLayers([*people, place])
        project.setCrs(place.crs())
        page = dock.show_page("annotators")
        page.form.field(STUDY_AREA).set_area(AreaValue("layer", place.id()))
        page.form.field(BOOTSTRAP_SAMPLES).setValue(50)
        return page

    return prepare


@pytest.fixture
def compared(prepared, run):
    def compare(shifts=SHIFTS):
        page = prepared(shifts)
        run(page)
        assert page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical) == []
        return page

    return compare


def make_consensus(page, method):
    bar = page.results.consensus_form
    bar.field(METHOD).setCurrentIndex(bar.field(METHOD).findData(method))
    page.make_consensus()
    assert page.run is not None
    wait_until(lambda: page.run is None)


def test_a_row_shows_the_annotator_against_the_consensus_of_the_others(prepared, run):
    page = prepared()
    page.form.field(LEAVE_ONE_OUT).setChecked(True)
    run(page)
    table = page.results.annotator_table
    table.view.selectRow(2)
    assert table.model.frame["annotator"].iloc[2] == "cleo"
    bands = {band.fillColor().name(): band.asGeometry().area() for band in page.highlight.bands}
    # Boxes 4 m wide, shifted by 0, 0.5 and 3: half of ann and bob is one of them.
    both, only, missed = 1.5, 2.5, 3
    expected = {SHARED: both, annotator_colours(["cleo"])["cleo"]: only, MISSED: missed}
    assert bands == pytest.approx({colour: 8 * 4 * width for colour, width in expected.items()})
    assert table.model.frame["sensitivity"].iloc[2] == pytest.approx(both / (both + missed))
    assert "cleo" in page.results.legend_label.text()


def test_names_with_commas_are_not_taken_apart(qgis_app):
    names = ["Muster, Max", "ann", "bob", "cleo", "dan", "eve"]
    row = {
        "rank": 1,
        "area": 2.0,
        "n_yes": 5,
        "n_no": 1,
        "yes": "all but one",
        "no": "bob",
        "votes": "110111",
    }
    steps = DisagreementTable()
    steps.show_frame(pd.DataFrame([row]), names, "m")
    steps.next_button.click()
    assert "5 yes: Muster, Max, ann, cleo, dan, …\n1 no: bob" in steps.description_label.text()


def test_no_consensus_of_results_that_are_out_of_date(compared, run):
    page = compared()
    make_consensus(page, "0.5")
    assert page.results.consensus_form.description_label.text()
    bob = QgsProject.instance().mapLayersByName("bob")[0]
    QgsProject.instance().removeMapLayer(bob.id())
    spin()
    bar = page.results.consensus_form
    assert not bar.make_button.isEnabled()
    assert "layer bob was removed." in bar.problem_label.text()
    assert "Run again" in bar.problem_label.text()
    page.make_consensus()
    assert page.run is None
    assert len(consensus_layers()) == 1
    run(page)
    assert bar.make_button.isEnabled()
    assert not bar.description_label.text()


def test_the_map_as_shown_is_no_larger_where_its_system_is_turned(prepared, run):
    page = prepared()
    canvas, turned = page.iface.mapCanvas(), QgsCoordinateReferenceSystem("EPSG:3031")
    before = canvas.mapSettings().destinationCrs(), canvas.extent()
    to_turned = QgsCoordinateTransform(QgsProject.instance().crs(), turned, QgsProject.instance())
    QgsProject.instance().setCrs(turned)
    canvas.setDestinationCrs(turned)
    canvas.setExtent(to_turned.transformBoundingBox(QgsRectangle(499900, 2999900, 500200, 3000200)))
    page.form.field(STUDY_AREA).set_area(AreaValue("canvas"))
    shown = QgsGeometry.fromRect(canvas.extent()).densifyByCount(20)
    run(page)
    canvas.setDestinationCrs(before[0])
    canvas.setExtent(before[1])
    shown.transform(
        QgsCoordinateTransform(
            turned, QgsCoordinateReferenceSystem("EPSG:32617"), QgsProject.instance()
        )
    )
    assert page.results.results.value("study_area") == pytest.approx(shown.area(), rel=1e-4)
    assert shown.area() < 0.7 * shown.boundingBox().area()


def test_after_a_run_results_have_the_room_and_the_map_shows_them(prepared, run):
    page = prepared()
    canvas = page.iface.mapCanvas()
    canvas.setExtent(QgsRectangle(0, 0, 100, 100))
    run(page)
    assert canvas.extent().contains(QgsRectangle(500000, 3000000, 500030, 3000015))
    page.window().resize(360, 700)
    spin(30)
    assert is_folded(page)
    form, results = page.splitter.sizes()
    assert results > 2 * form
    page.form.group_boxes[1].setCollapsed(False)
    spin(20)
    assert page.splitter.sizes()[0] > form
    canvas.setExtent(QgsRectangle(500000, 3000000, 500010, 3000010))
    beside = canvas.extent()
    run(page)
    assert canvas.extent() == beside  # where something of them is seen the map stays
    assert not is_folded(page)  # whoever unfolded it wants to see it
    page.form.group_boxes[1].setCollapsed(True)
    spin(20)
    assert page.splitter.sizes()[0] == pytest.approx(form, abs=40)


def test_long_names_one_of_whom_drew_elsewhere(compared):
    """Who did is named, and the heatmap stands still under the mouse."""
    page = compared(
        shifts={
            "somebody_with_quite_a_long_name": 0,
            "another_with_quite_a_long_name": 1,
            "far": 200,
        }
    )
    assert "far: all 8 polygons lie outside" in page.results.notes.text()
    assert "far: all 8 polygons" in page.results.tabs_by_key["pairs"].notes_label.text()
    assert "name:" not in page.results.notes.text()
    heatmap = page.results.heatmap
    page.results.tabs.setCurrentWidget(page.results.tabs_by_key["pairs"])
    page.window().resize(360, 800)
    spin(50)
    sizes = set()
    for row, column in itertools.product(range(3), repeat=2):
        heatmap.show_cell_description(SimpleNamespace(inaxes=heatmap.axes, xdata=column, ydata=row))
        spin(10)
        assert (
            heatmap.cell_label.heightForWidth(heatmap.cell_label.width())
            <= heatmap.cell_label.height()
        )
        sizes.add((heatmap.canvas.width(), heatmap.canvas.height(), heatmap.cell_label.height()))
    assert len(sizes) == 1
