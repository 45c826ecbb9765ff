"""The list of annotators: who is checked without being asked, and in which colours."""

from __future__ import annotations

import pytest
from qgis.core import QgsFillSymbol, QgsProject, QgsSingleSymbolRenderer
from qgis.PyQt.QtCore import Qt
from support.layers import TARGET_BOXES, box_layer, load_sample, shifted
from support.qt import spin

from randcrowns.algorithms.agreement.schema.parameters import EXCLUDED, STUDY_AREA
from randcrowns.algorithms.common_parameters import ANNOTATOR_FIELD
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.ui.services.settings import read_parameters, write_parameters
from randcrowns.ui.widgets.colours import annotator_colours


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def page(project, dock):
    return dock.show_page("annotators")


def add(name, by=0.0, **options):
    layer = box_layer(name, shifted(TARGET_BOXES, by), **options)
    QgsProject.instance().addMapLayer(layer)
    spin()
    return layer


def add_all(*names, **options):
    """Several at once, each a metre further to the east."""
    layers = [
        box_layer(name, shifted(TARGET_BOXES, by), **options) for by, name in enumerate(names)
    ]
    QgsProject.instance().addMapLayers(layers)
    spin()
    return layers


def checked(page):
    checked_ids = page.form.annotator_list.checked_ids()
    return {QgsProject.instance().mapLayer(layer).name() for layer in checked_ids}


def swatch(page, name):
    """The colour beside the layer, None where there is none."""
    (item,) = [item for item in page.form.annotator_list.layer_items() if item.text(0) == name]
    colour = item.icon(0).pixmap(12, 12).toImage().pixelColor(6, 6)
    return colour.name() if colour.alpha() else None


def test_layers_that_come_one_by_one_join_in_until_somebody_chooses(page):
    add("ann")
    add("bob", 1)
    add("study area")
    assert checked(page) == {"ann", "bob"}
    page.form.annotator_list.layer_items()[0].setCheckState(0, Qt.CheckState.Unchecked)
    assert checked(page) == {"bob"}
    add("cleo", 2)
    assert checked(page) == {"bob"}
    page.form.annotator_list.check_all()
    assert checked(page) == {"ann", "bob", "cleo", "study area"}
    page.form.annotator_list.check_all(False)
    assert checked(page) == set()
    QgsProject.instance().removeAllMapLayers()
    spin()
    add("dan")
    assert checked(page) == {"dan"}  # another beginning


def test_pages_detectors_and_parameters_take_up_layers_as_well(project, dock):
    parameters = dock.show_page("parameters")
    for name, by in (("annotator_a", 0), ("annotator_b", 1), ("annotator_c", 2)):
        add(name, by, fields="&field=annotator:string", rows=[(name,)] * len(TARGET_BOXES))
    assert len(parameters.form.annotator_list.checked_ids()) >= 2


@pytest.mark.parametrize("key", ["annotators", "parameters", "detectors"])
@pytest.mark.parametrize("named", ["&field=annotator:string", ""])
def test_detectors_and_what_was_measured_in_the_field_are_no_annotators(project, dock, key, named):
    page = dock.show_page(key)
    row = ("x",) if named else ()
    people = ("ann", "bob", "field_crowns", "plots in the field", "annotator_9 field", "cornfield")
    add_all(*people, fields=named, rows=[row] * len(TARGET_BOXES))
    add_all(
        "a_boxes",
        "found",
        fields=f"{named}&field=score:double",
        rows=[(*row, 0.7)] * len(TARGET_BOXES),
    )
    assert checked(page) == {"ann", "bob", "annotator_9 field", "cornfield"}


def test_what_was_measured_in_the_field_is_taken_where_there_is_no_other(project, dock):
    add("boxes", fields="&field=score:double", rows=[(0.7,)] * len(TARGET_BOXES))
    add("field_crowns", 1)
    page = dock.show_page("detectors")
    assert checked(page) == {"field_crowns"}
    add("ann", 2)
    assert checked(page) == {"ann"}


def test_all_pages_take_the_samples_people_who_have_the_colours_of_the_map(page, dock):
    for key in ("detectors", "parameters"):
        dock.show_page(key)
    load_sample(QgsProject.instance())
    spin()
    people = {f"annotator_{number}" for number in (1, 2, 3, 4)}
    for key in ("annotators", "detectors", "parameters"):
        assert checked(dock.show_page(key)) == people  # and not what was measured in the field
    for name in people:
        (layer,) = QgsProject.instance().mapLayersByName(name)
        assert swatch(page, name) == layer.renderer().symbol().symbolLayer(0).strokeColor().name()
        assert annotator_colours([name])[name] == swatch(page, name)


def test_a_colour_of_the_map_that_is_taken_or_not_ours_is_not_taken_up(page):
    for name, colour in (("ann", "#d55e00"), ("bob", "#d55e00"), ("cleo", "#123456")):
        layer = box_layer(name, TARGET_BOXES)
        layer.setRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple({"color": colour})))
        QgsProject.instance().addMapLayer(layer)
        spin()
    colours = [swatch(page, name) for name in ("ann", "bob", "cleo")]
    assert colours[0] == "#d55e00"
    assert len(set(colours)) == 3
    assert "#123456" not in colours


def test_swatches_are_there_after_choices_are_restored(page):
    layers = [add(name, by) for by, name in enumerate(("ann", "bob", "cleo", "dan"))]
    page.form.annotator_list.check_layers(tuple(layer.id() for layer in layers[1:]))
    page.store_parameters()
    page.load_parameters()
    assert checked(page) == {"bob", "cleo", "dan"}
    assert swatch(page, "ann") is None
    assert None not in {swatch(page, name) for name in ("bob", "cleo", "dan")}


def test_two_layers_of_one_name_are_two_people(page, run):
    add("ann")
    add("ann", 1)
    assert swatch(page, "ann") != swatch(page, "ann (2)")
    run(page)
    table = page.results.annotator_table.model.frame
    assert list(table["annotator"]) == ["ann", "ann (2)"]
    assert list(table["colour"]) == [swatch(page, "ann"), swatch(page, "ann (2)")]


def test_a_study_area_is_known_by_a_word_of_its_name(page):
    people = ("ann", "bob", "maoi", "aoife", "heroic", "studying_ann")  # only whole words make one
    areas = (
        "Peel_AOI_2500",
        "aoi",
        "my study area",
        "Study-Site 3",
        "plot extent",
        "north_area_of_interest",
        "ROI",
    )
    add_all(*people, *areas, "plots")
    assert checked(page) == set(people)


def test_a_layer_of_several_people_is_not_one_of_them(page):
    fields, count = "&field=annotator:string", len(TARGET_BOXES)
    for by, person in enumerate(("ann", "bob")):
        add(person, by, fields=fields, rows=[(person,)] * count)
    both = [("ann",)] * (count - 2) + [("bob",)] * 2
    everybody = add("everybody", fields=fields, rows=both)
    assert checked(page) == {"ann", "bob"}
    page.form.annotator_list.check_layers((everybody.id(),))
    assert page.form.annotator_box.currentData() == "annotator"


def test_a_layer_of_several_people_alone_is_taken_by_its_field(page):
    rows = [("ann",)] * 4 + [("bob",)] * (len(TARGET_BOXES) - 4)
    add("everybody", fields="&field=annotator:string", rows=rows)
    add("somebody", 1)
    assert checked(page) == {"everybody"}
    assert page.form.annotator_box.currentData() == "annotator"


def test_a_layer_of_another_name_keeps_its_colour(page):
    layer = add("ann")
    add("bob", 1)
    colour = swatch(page, "ann")
    layer.setName("anna")
    page.form.reload_layers()
    assert swatch(page, "anna") == colour
    assert annotator_colours(["anna"])["anna"] == colour


def test_colours_kept_by_the_project_stay(page):
    write_parameters("annotator_colours", {"ann": "#117733"})
    add("ann")
    assert swatch(page, "ann") == "#117733"
    assert read_parameters("annotator_colours")["ann"] == "#117733"


@pytest.mark.parametrize(
    ("people", "field"), [(1, ""), (2, "Annotator"), (64, "Annotator"), (65, "")]
)
def test_the_field_that_names_several_people_is_preset(page, people, field):
    boxes = [(float(x), 0.0, x + 1.0, 1.0) for x in range(people)]
    rows = [("plot", f"person {number}") for number in range(people)]
    layer = box_layer("all", boxes, fields="&field=plot:string&field=Annotator:string", rows=rows)
    QgsProject.instance().addMapLayer(layer)
    spin()
    assert (page.form.annotator_box.currentData() or "") == field


def test_what_need_not_be_crowns_is_called_polygons(page):
    add("ann")
    area = box_layer("study area", [(0.0, 0.0, 9.0, 9.0)])
    QgsProject.instance().addMapLayer(area)
    spin()
    box = page.form.field(STUDY_AREA)
    assert "\n1 polygon " in box.itemData(box.findText("study area"), Qt.ItemDataRole.ToolTipRole)
    tooltips = [item.toolTip(1) for item in page.form.annotator_list.layer_items()]
    assert tooltips[0].startswith("8 polygons")


def test_the_layer_of_the_study_area_is_nobody(page):
    for name, by in (("ann", 0), ("bob", 1)):
        add(name, by)
    place, clouds = add("Peel_2500"), add("clouds", 5)
    assert checked(page) == {"ann", "bob", "clouds", "Peel_2500"}
    page.form.field(STUDY_AREA).set_area(AreaValue("layer", place.id()))
    assert checked(page) == {"ann", "bob", "clouds"}
    page.form.field(EXCLUDED).select_layer(clouds.id())
    assert checked(page) == {"ann", "bob"}
    assert page.run_bar.run_button.text() == "Compare 2 annotators"
    assert not page.form.run_problem()
    page.form.field(STUDY_AREA).set_area(AreaValue("none"))
    assert checked(page) == {"ann", "bob", "Peel_2500"}


@pytest.mark.parametrize("role", ["Study area", "Excluded areas"])
def test_a_layer_that_somebody_gave_two_roles_is_told(page, role):
    for name, by in (("ann", 0), ("bob", 1)):
        add(name, by)
    place = add("place")
    page.form.annotator_list.check_all()
    if role == "Study area":
        page.form.field(STUDY_AREA).set_area(AreaValue("layer", place.id()))
    else:
        page.form.field(EXCLUDED).select_layer(place.id())
    assert "place" in checked(page)  # what somebody checked stays checked
    problem = page.run_bar.problem_label.text()
    assert "'place'" in problem
    assert f"'{role}'" in problem
    assert not page.run_bar.run_button.isEnabled()


def test_what_is_folded_away_stays_away_when_there_is_more_to_choose(page):
    dan = add("dan", fields="&field=annotator:string", rows=[("dan",)] * len(TARGET_BOXES))
    add("ann", 1)
    form = page.form
    page.window().show()
    form.annotator_list.check_all()
    form.collapse()
    spin(50)
    form.annotator_list.check_layers((dan.id(),))
    spin(50)
    for field in (form.annotator_box, form.label(ANNOTATOR_FIELD), form.field(STUDY_AREA)):
        assert not field.isHidden()
        assert not field.isVisible()
    for box in form.group_boxes:
        box.setCollapsed(False)
    spin(50)
    assert form.annotator_box.isVisible()
    assert form.field(STUDY_AREA).isVisible()
