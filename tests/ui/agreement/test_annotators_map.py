"""Test what the map shows of page Annotators, and the room that the page has."""

from __future__ import annotations

import math

import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsGeometry,
    QgsProject,
    QgsRectangle,
)
from support.layers import TARGET_BOXES, box_layer, shifted
from support.qt import is_folded, spin

from randcrowns.algorithms.agreement.schema.parameters import (
    BOOTSTRAP_SAMPLES,
    LEAVE_ONE_OUT,
    STUDY_AREA,
)
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.ui.widgets.colours import MISSED, SHARED, annotator_colours


@pytest.fixture
def page(project, same_dock):
    shifts = {"ann": 0, "bob": 0.5, "cleo": 3}
    people = [box_layer(name, shifted(TARGET_BOXES, by)) for name, by in shifts.items()]
    place = box_layer("study area", [(-20.0, -20.0, 80.0, 80.0)])
    project.addMapLayers([*people, place])
    project.setCrs(place.crs())
    found = same_dock.show_page("annotators")
    found.form.field(STUDY_AREA).set_area(AreaValue("layer", place.id()))
    found.form.field(BOOTSTRAP_SAMPLES).setValue(50)
    return found


def test_a_row_shows_the_annotator_against_the_consensus_of_the_others(page, run):
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


def test_the_map_as_shown_is_no_larger_where_its_system_is_turned(page, run):
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
    # At 81 degrees west, the axes of both systems differ by 9 degrees modulo a right angle. A square
    # turned by t fills 1 / (1 + sin 2t) of its bounding box, and other rectangles fill less.
    largest_share = 1 / (1 + math.sin(math.radians(18)))
    assert shown.area() < 1.01 * largest_share * shown.boundingBox().area()


def test_after_a_run_results_have_the_room_and_the_map_shows_them(page, run):
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
    page.form.collapse()
    spin(20)
    assert page.splitter.sizes()[0] == pytest.approx(form, abs=40)
