"""The study area: one box of modes and layers, in which a layer that is one by its name is
chosen beforehand.
"""

from __future__ import annotations

import pytest
from qgis.core import QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtTest import QTest
from support.data import real_data
from support.layers import TARGET_BOXES, box_layer, shifted
from support.qt import spin
from support.shown import shows

from randcrowns.algorithms.agreement.schema.parameters import STUDY_AREA
from randcrowns.algorithms.detectors.schema.parameters import STUDY_AREA as DETECTORS_AREA
from randcrowns.algorithms.layer_parameters import AreaValue

AROUND = (-20.0, -20.0, 80.0, 80.0)


@pytest.fixture
def dock(project, one_dock):
    return one_dock


def add(name, boxes=(AROUND,), fields="", rows=None):
    layer = box_layer(name, list(boxes), fields=fields, rows=rows)
    QgsProject.instance().addMapLayer(layer)
    spin()
    return layer


@pytest.fixture
def page(project, dock):
    for name, by in (("ann", 0), ("bob", 0.5)):
        add(name, shifted(TARGET_BOXES, by))
    return dock.show_page("annotators")


def entries(page):
    box = page.form.field(STUDY_AREA)
    return [box.itemText(number) for number in range(box.count())]


def chosen(page):
    return page.form.field(STUDY_AREA).currentText()


def test_one_box_lists_the_layers_beside_the_two_modes(page):
    add("Peel_AOI_2500")
    assert entries(page) == ["Marked area", "Map as shown", "Peel_AOI_2500", "ann", "bob"]


def test_a_layer_that_is_a_study_area_by_its_name_is_chosen(page):
    for name in ("Peel_AOI_2500", "study area", "Study_Site 2", "plots", "Area", "roi", "extent"):
        assert chosen(page) == "Marked area", name
        area = add(name)
        assert page.form.settings()[STUDY_AREA] == AreaValue("layer", area.id()), name
        assert page.form.annotator_list.checked_ids() == tuple(
            QgsProject.instance().mapLayersByName(one)[0].id() for one in ("ann", "bob")
        )
        QgsProject.instance().removeMapLayer(area.id())
        spin()
    assert chosen(page) == "Marked area"


def test_none_is_chosen_where_several_could_be_or_it_lies_elsewhere(page):
    add("AOI far away", [(5000.0, 5000.0, 5100.0, 5100.0)])
    assert chosen(page) == "Marked area"
    add("plots")
    assert chosen(page) == "plots"
    add("AOI here")
    assert chosen(page) == "AOI here"
    add("AOI too")
    assert chosen(page) == "Marked area"


def test_crowns_of_a_plot_are_no_study_area(page):
    add("plot crowns", TARGET_BOXES)
    assert chosen(page) == "Marked area"


def test_what_the_user_chose_stays(page):
    box = page.form.field(STUDY_AREA)
    add("AOI")
    QTest.keyClick(box, Qt.Key.Key_Home)
    add("carl", shifted(TARGET_BOXES, 1))
    assert chosen(page) == "Marked area"
    page.store_parameters()
    page.load_parameters()
    assert chosen(page) == "Marked area"


def test_page_detectors_takes_the_same_area(page, dock):
    area = add("AOI")
    add("detector", TARGET_BOXES, "&field=score:double", [(0.5,)] * len(TARGET_BOXES))
    form = dock.show_page("detectors").form
    assert form.settings()[DETECTORS_AREA] == AreaValue("layer", area.id())
    assert area.id() not in form.annotator_list.checked_ids()


def test_twelve_experts_are_compared_in_the_study_area_with_nothing_but_layers_loaded(
    project, dock, run
):
    folder = real_data("rts_peel")
    files = [*sorted(folder.glob("annotator_*.shp")), folder / "Peel_AOI_2500.geojson"]
    project.addMapLayers([QgsVectorLayer(str(file), file.stem, "ogr") for file in files])
    page = dock.show_page("annotators")
    run(page)
    results = page.results.results
    assert results.value("smyth_bound") == pytest.approx(0.0205, abs=5e-5)
    assert results.value("fleiss_kappa") == pytest.approx(0.719, abs=5e-4)
    assert shows(page.results.answer_label.text(), "study_area.is", layer="Peel_AOI_2500")
