"""Page Annotators end to end: real layers, the real algorithms, the real map."""

from __future__ import annotations

import pytest
from qgis.core import Qgis, QgsProject, QgsVectorLayer
from support.data import real_data
from support.layers import TARGET_BOXES, box_layer, shifted
from support.panel import errors
from support.qt import spin, wait_until

from randcrowns.algorithms.agreement.schema.parameters import MIN_AREA, STUDY_AREA
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.ui.widgets.colours import annotator_colours


@pytest.fixture
def layers(project):
    """Three people of whom the last drew elsewhere, and a study area."""
    people = {
        name: box_layer(name, shifted(TARGET_BOXES, by))
        for name, by in (("ann", 0), ("bob", 0.5), ("cleo", 3))
    }
    area = box_layer("study area", [(-20.0, -20.0, 80.0, 80.0)])
    found = {**people, "area": area}
    project.addMapLayers(list(found.values()))
    project.setCrs(area.crs())
    return found


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def page(layers, dock):
    return dock.show_page("annotators")


def test_the_people_are_checked_and_the_area_is_not(page, layers):
    assert set(page.form.annotator_list.checked_ids()) == {
        layers[name].id() for name in ("ann", "bob", "cleo")
    }
    assert page.run_bar.run_button.text() == "Compare 3 annotators"
    assert page.run_bar.run_button.isEnabled()


def test_outliers_and_warnings_stand_where_the_numbers_are(page, layers, run):
    page.form.field(STUDY_AREA).set_area(AreaValue())
    run(page)
    assert str(AgreementMessage.NO_STUDY_AREA) in page.results.notes.text()
    assert not any(
        str(AgreementMessage.NO_STUDY_AREA) in one.notes_label.text()
        for one in page.results.tabs_by_key.values()
    )
    page.form.annotator_list.check_layers((layers["ann"].id(), layers["bob"].id()))
    assert page.results.is_stale
    run(page)
    assert str(AgreementMessage.TWO_ANNOTATORS_BOUND) in page.results.notes.text()
    assert (
        str(AgreementMessage.TWO_ANNOTATORS_PPV)
        in page.results.tabs_by_key["annotators"].notes_label.text()
    )
    assert (
        str(AgreementMessage.TOO_FEW_FOR_OUTLIERS)
        in page.results.tabs_by_key["dendrogram"].notes_label.text()
    )


def test_one_layer_with_a_field(project, dock, run):
    rows = [(name,) for name in ("ann", "bob") for _ in TARGET_BOXES]
    boxes = [*TARGET_BOXES, *shifted(TARGET_BOXES, 0.5)]
    layer = box_layer("all", boxes, fields="&field=annotator:string", rows=rows)
    project.addMapLayer(layer)
    project.setCrs(layer.crs())
    page = dock.show_page("annotators")
    assert page.form.annotator_box.currentData() == "annotator"  # it names several people
    page.form.annotator_box.set_value("")
    page.form.reload_layers()
    assert not page.form.annotator_box.value()  # chosen
    other = box_layer("other", boxes, fields="&field=labeler:string", rows=rows)
    project.addMapLayer(other)
    page.form.annotator_list.check_layers((other.id(),))
    assert page.form.annotator_box.currentData() == "labeler"
    page.form.annotator_list.check_layers((layer.id(),))
    assert page.form.annotator_box.currentData() == "annotator"
    project.removeMapLayer(other)
    assert "annotator" in page.run_bar.run_button.text()
    run(page)
    assert page.results.results.names == ["ann", "bob"]


def test_choices_and_colours_are_kept(page, layers):
    colours = annotator_colours(["ann", "bob", "cleo"])
    page.form.field(STUDY_AREA).set_area(AreaValue("layer", layers["area"].id()))
    page.form.field(MIN_AREA).setValue(2.0)
    page.store_parameters()
    page.form.field(MIN_AREA).setValue(0.0)
    page.form.field(STUDY_AREA).set_area(AreaValue())
    page.load_parameters()
    assert page.form.field(MIN_AREA).value() == 2.0
    assert page.form.field(STUDY_AREA).area().layer == layers["area"].id()
    assert annotator_colours(["dan", "cleo", "bob", "ann"]) == {
        **colours,
        "dan": annotator_colours(["dan"])["dan"],
    }


def test_a_layer_without_a_system_is_told_before_the_run(page, layers):
    from qgis.core import QgsCoordinateReferenceSystem

    layers["bob"].setCrs(QgsCoordinateReferenceSystem())
    page.start()
    assert page.run is None
    assert "'bob'" in page.run_bar.problem_label.text()


def test_cancel_leaves_nothing(page):
    before = set(QgsProject.instance().mapLayers())
    page.start()
    page.runs.cancel()
    wait_until(lambda: page.run is None)
    spin()
    assert set(QgsProject.instance().mapLayers()) == before
    assert page.results.isHidden()


def test_twelve_experts_through_the_dock(project, dock, run):
    folder = real_data("rts_peel")
    files = [*sorted(folder.glob("annotator_*.shp")), folder / "Peel_AOI_2500.geojson"]
    found = [
        QgsVectorLayer(str(file), "area" if file.suffix == ".geojson" else file.stem[-2:], "ogr")
        for file in files
    ]
    project.addMapLayers(found)
    page = dock.show_page("annotators")
    page.form.field(STUDY_AREA).set_area(AreaValue("layer", found[-1].id()))
    run(page)
    assert errors(page) == []
    assert "mean F1 by area <b>0.740</b> (pairs 0.508 to 0.871)" in page.results.answer_label.text()
    assert "0.0205" in page.results.bound_label.text()
    table = page.results.annotator_table.model.frame
    assert list(table.loc[table["outlier"] == 1, "annotator"]) == ["05", "08"]
    assert (
        str(AgreementMessage.OUTLIER_MEANING)
        in page.results.tabs_by_key["annotators"].notes_label.text()
    )


def test_layers_that_are_gone_are_told(page, run):
    run(page)
    QgsProject.instance().removeMapLayers(list(page.results.results.layer_ids.values()))
    page.iface.messageBar().clear_messages()
    page.results.pair_chosen.emit(0, 1)
    page.results.disagreement_chosen.emit(1)
    warned = page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)
    assert len(warned) == 2
    assert page.highlight.bands == []
