"""Roles and presets that pages Score and Instances guess, without changing the user's choices."""

from __future__ import annotations

import pytest
from qgis.core import Qgis, QgsCoordinateReferenceSystem, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtTest import QTest
from support.data import real_data
from support.layers import TARGET_BOXES, box_layer, layer_of
from support.panel import opened_dock
from support.qt import is_folded, spin, wait_until
from support.shown import shows
from support.slots import slots_told

from randcrowns.algorithms import common_parameters as shared
from randcrowns.algorithms.instances.schema import parameters as instances
from randcrowns.algorithms.scoring.schema import parameters as scoring
from randcrowns.layers.vector.guesses import LayerRole, set_imported_role
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.services.settings import set_preference

#: Key of the page -> parameters: targets, compared layers, plot field, all crowns were drawn.
PAGES = {
    "score": (shared.TARGETS, scoring.DELINEATIONS, scoring.PLOT_FIELD, scoring.ALL_DRAWN),
    "instances": (
        instances.TARGETS,
        instances.PREDICTIONS,
        instances.PLOT_FIELD,
        instances.ALL_DRAWN,
    ),
}
BOXES = [f"POLYGON(({x} {y}, {r} {y}, {r} {t}, {x} {t}, {x} {y}))" for x, y, r, t in TARGET_BOXES]


def crowns(name, boxes=BOXES, plots=None, score=None):
    fields = ("&field=plotID:string" if plots else "") + ("&field=score:double" if score else "")
    rows = [
        [*([plots[i % len(plots)]] if plots else []), *([score] if score else [])]
        for i in range(len(boxes))
    ]
    layer = layer_of(name, boxes, fields=fields, rows=rows)
    QgsProject.instance().addMapLayer(layer)
    return layer


@pytest.fixture(scope="module", params=list(PAGES))
def key(request):
    return request.param


@pytest.fixture(scope="module")
def dock_of_one(key, qgis_iface):
    """A dock that has no other page, which would follow every layer too."""
    set_preference("page", key)
    with slots_told(), opened_dock(qgis_iface) as made:
        yield made


@pytest.fixture
def page(project, key, dock_of_one):
    return dock_of_one.show_page(key)


def roles(page):
    """Names of the targets and of what is compared with them."""
    settings = page.form.settings()
    targets, others, *_ = PAGES[page.key]
    other = settings[others] if isinstance(settings[others], str) else "".join(settings[others])
    layers = QgsProject.instance().mapLayers()
    return tuple(layers[layer_id].name() for layer_id in (settings[targets], other))


def plot_and_drawn(page):
    settings = page.form.settings()
    return tuple(settings[choice] for choice in PAGES[page.key][2:])


def made_by_a_run(name, boxes=BOXES):
    layer = layer_of(name, boxes)
    layer.setCustomProperty(RESULT_PROPERTY, "CONSENSUS")
    return QgsProject.instance().addMapLayer(layer)


def test_what_a_run_made_is_picked_by_hand_but_never_preset(key, page):
    targets, others, *_ = PAGES[key]
    consensus = made_by_a_run("a consensus", BOXES[:2])
    spin()
    assert not page.form.settings()[targets]
    field, found = crowns("field crowns", BOXES[:3]), crowns("found", score=0.7)
    wait_until(lambda: roles(page) == ("field crowns", "found"))
    for choice, role in ((targets, 0), (others, 1)):
        value = (
            consensus.id() if isinstance(page.form.settings()[choice], str) else (consensus.id(),)
        )
        show = page.form.field(choice)
        (show.select_layer if isinstance(value, str) else show.check_layers)(value)
        wait_until(lambda role=role: roles(page)[role] == "a consensus")
        made_by_a_run("another")
        spin()
        assert roles(page)[role] == "a consensus"
        page.form.set_roles(field.id(), found.id())
    QgsProject.instance().removeMapLayer(field.id())
    wait_until(lambda: page.form.settings()[targets] == found.id())


def test_a_detector_is_compared_with_the_targets_whatever_comes_first(page):
    crowns("a boxes", score=0.7)
    crowns("b", BOXES[:-1])
    assert roles(page) == ("b", "a boxes")
    crowns("annotator")
    assert roles(page) == ("annotator", "a boxes")
    crowns("0 study area", BOXES[:1])
    assert roles(page) == ("annotator", "a boxes")


def test_layers_picked_by_hand_stay(page):
    crowns("a")
    crowns("b")
    targets = page.form.field(PAGES[page.key][0])
    targets.combo.setFocus()
    QTest.keyClick(targets.combo, Qt.Key.Key_Down)
    assert roles(page) == ("b", "a")
    crowns("ground truth")
    assert roles(page)[0] == "b"


def test_crowns_drawn_meanwhile_change_no_role(page):
    one = crowns("a")
    crowns("b")
    assert roles(page) == ("a", "b")
    one.startEditing()
    one.addFeature(next(one.getFeatures()))
    one.commitChanges()
    page.form.reload_layers()
    assert roles(page) == ("a", "b")


def test_swap_and_back(page):
    crowns("truth")
    crowns("model")
    for expected in (("model", "truth"), ("truth", "model")):
        page.form.swap_button.click()
        assert roles(page) == expected
        assert page.form.run_problem() == ""
    crowns("reference")
    assert roles(page) == ("truth", "model")


def test_two_layers_cannot_be_swapped_with_one(dock):
    page = dock.show_page("score")
    for name in ("truth", "one", "other"):
        crowns(name)
    page.form.delineation_list.check_all()
    assert not page.form.swap_button.isEnabled()
    page.form.swap_layers()
    assert page.form.target_picker.layer().name() == "truth"


def test_the_plot_is_preset_and_what_is_chosen_instead_stays(page):
    crowns("truth", plots="AB")
    crowns("model", plots="BC")
    assert plot_and_drawn(page) == ("plotID", True)
    plot = PAGES[page.key][2]
    page.form.field(plot).setField("")
    page.form.reload_layers()
    assert plot_and_drawn(page) == ("", True)
    page.form.field(plot).setField("plotID")
    crowns("reference", plots="XY")
    page.form.field(PAGES[page.key][0]).select_layer(crowns("other", plots="XY").id())
    assert plot_and_drawn(page)[0] == ""


def test_the_plot_is_found_again_after_targets_without_one(page):
    crowns("truth", plots="AB")
    crowns("model", plots="AB")
    targets, without = page.form.field(PAGES[page.key][0]), crowns("without")
    targets.select_layer(without.id())
    assert plot_and_drawn(page)[0] == ""
    targets.select_layer(QgsProject.instance().mapLayersByName("truth")[0].id())
    assert plot_and_drawn(page)[0] == "plotID"


def test_plot_and_all_drawn_stand_outside_more(page):
    crowns("truth")
    crowns("model")
    what = page.form.group_boxes[0]
    for choice in PAGES[page.key][2:]:
        assert what.isAncestorOf(page.form.field(choice))
        assert page.form.field(choice).isVisible()
    assert page.form.label(PAGES[page.key][2]).text() == "Plot"


def test_field_work_is_not_taken_as_complete(page, run):
    crowns("truth", BOXES[:1])
    crowns("model", BOXES[:6])
    assert plot_and_drawn(page) == ("", False)
    assert (
        page.form.partial_notice.text()
        == "The layer compared with the targets has 6 times as many crowns."
    )
    assert page.form.partial_notice.isVisible()
    run(page)
    told = page.results.answer_view.settings_label.text()
    assert "targets: truth" in told
    assert page.results.notes.text().startswith(
        "The layer compared with the targets has 6 times as many crowns; 'All "
    )
    assert "only some crowns were drawn: precision, F1" in told
    page.form.field(PAGES[page.key][3]).setChecked(True)
    assert page.results.is_stale
    page.form.reload_layers()
    assert plot_and_drawn(page) == ("", True)


def test_other_targets_leave_what_is_compared_with_them_alone(page):
    crowns("annotator_01")
    second, new = crowns("annotator_02"), crowns("new")
    assert roles(page) == ("annotator_01", "new")
    targets = page.form.field(PAGES[page.key][0])
    page.form.set_roles(targets.layer_id(), second.id())
    for layer, expected in (
        (new, ("new", "annotator_02")),
        (second, ("annotator_02", "annotator_01")),
    ):
        targets.combo.set_value(layer.id())
        assert roles(page)[0] == expected[0]
        if layer is new:
            assert roles(page) == expected


def test_a_preset_layer_stays_when_other_targets_are_picked(page):
    for name in ("annotator_01", "annotator_02", "expert_new"):
        crowns(name)
    page.form.field(PAGES[page.key][0]).combo.set_value(
        QgsProject.instance().mapLayersByName("annotator_01")[0].id()
    )
    before = roles(page)[1]
    other = next(name for name in ("annotator_02", "expert_new") if name != before)
    page.form.field(PAGES[page.key][0]).combo.set_value(
        QgsProject.instance().mapLayersByName(other)[0].id()
    )
    assert roles(page) == (other, before)


def test_warnings_and_notes_of_a_run_stand_beside_the_answer_and_are_counted_in_the_bar(page, run):
    crowns("truth", plots="AB")
    crowns("model", plots="BA")
    page.form.set_value(PAGES[page.key][2], "")
    run(page)
    (warning,) = page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)
    assert warning.endswith(" 1 warning.")
    assert page.results.notes.isVisible()
    assert shows(page.results.notes.text(), "plots.unused")
    page.form.set_value(PAGES[page.key][2], "plotID")
    page.form.set_value(PAGES[page.key][3], False)
    run(page)
    assert shows(page.results.notes.text(), "drawn.some")
    assert "of two plots" not in page.results.notes.text()


def test_a_layer_whose_system_is_undefined_is_refused_in_whole_before_the_run(page):
    crowns("truth")
    model = crowns("model")
    assert page.run_bar.run_button.isEnabled()
    model.setCrs(QgsCoordinateReferenceSystem())
    wait_until(lambda: not page.run_bar.run_button.isEnabled())
    assert "model" in page.run_bar.problem_label.text()
    assert shows(page.run_bar.problem_label.text(), "crs.pixel_coordinates")
    assert page.run_bar.problem_label.height() >= page.run_bar.problem_label.heightForWidth(
        page.run_bar.problem_label.width()
    )


def test_field_crowns_and_boxes_with_only_the_layers_loaded(page, run):
    """The figures of docs/score.md and docs/instances.md."""
    folder = real_data("field_osbs")
    for name in ("deepforest_boxes", "field_crowns"):
        QgsProject.instance().addMapLayer(QgsVectorLayer(str(folder / f"{name}.gpkg"), name, "ogr"))
    assert roles(page) == ("field_crowns", "deepforest_boxes")
    assert plot_and_drawn(page) == ("plotID", False)
    run(page)
    assert (
        "plots: plotID · only some crowns were drawn"
        in page.results.answer_view.settings_label.text()
    )
    if page.key == "instances":
        row = page.results.results.summary.iloc[0]
        assert (row["tp"], row["not_judged"], row["recall"].round(3)) == (159, 10235, 0.347)
        assert "Recall <b>0.35</b></span>" in page.results.answer_view.answer.text()
        assert "Precision <b>n/\u2060a</b></span>" in page.results.answer_view.answer.text()
        assert "10,235&nbsp;not&nbsp;judged" in page.results.answer_view.counts.text()
        assert "Precision n/a. " in page.results.answer_view.answer.toolTip()
    else:
        scores = page.results.displayed_scores()
        assert page.form.settings()[shared.PRESET] == "field_polygons"
        assert (
            "preset: Field polygons (0.6 m, 3 m, 3)"
            in page.results.answer_view.settings_label.text()
        )
        assert round(float(scores.overall["iou_mean"]), 3) == 0.319
        assert scores.overall[["matched", "missed"]].tolist() == [296, 1]
        assert round(float(scores.overall["randcrowns_mean"]), 3) == 0.635
        assert len(scores.unmatched_ids) == scores.overall["not_judged"]
        assert (
            f"{len(scores.unmatched_ids):,}&nbsp;delineations&nbsp;not&nbsp;judged"
            in page.results.answer_view.counts.text()
        )


def test_the_page_of_a_cloud_shows_nothing_of_polygons(dock):
    page = dock.show_page("instances")
    crowns("truth", BOXES[:1])
    crowns("model", BOXES[:6])
    wait_until(lambda: page.form.partial_notice.isVisible())
    page.form.field(page.form.parameters[0]).set_value("cloud")
    for widget in (
        page.form.partial_notice,
        page.form.swap_button,
        page.form.field(instances.ALL_DRAWN),
    ):
        assert not widget.isVisible()


@pytest.mark.parametrize("chosen", [False, True])
def test_what_is_compared_becomes_the_targets_and_the_two_change_places(page, chosen):
    first, second = crowns("annotator_01"), crowns("annotator_02")
    crowns("annotator_00")
    targets = page.form.field(PAGES[page.key][0])
    page.form.set_roles(first.id(), second.id())
    assert not page.form.role_notice.isVisible()
    if not chosen:
        page.form.set_settings(page.form.settings(), reset_defaults=True)
    targets.combo.set_value(second.id())
    assert roles(page) == ("annotator_02", "annotator_01")
    assert page.form.role_notice.isVisible()
    assert "'annotator_01' is now compared with the targets" in page.form.role_notice.text()
    page.form.reload_layers()
    assert page.form.role_notice.isVisible()
    targets.combo.set_value(QgsProject.instance().mapLayersByName("annotator_00")[0].id())
    assert roles(page) == ("annotator_00", "annotator_01")
    assert not page.form.role_notice.isVisible()
    targets.combo.set_value(second.id())
    assert page.form.role_notice.isVisible()
    page.form.set_settings(page.form.settings())  # as those of an earlier run
    page.form.reload_layers()
    assert not page.form.role_notice.isVisible()
    targets.combo.set_value(first.id())
    targets.combo.set_value(second.id())
    assert page.form.role_notice.isVisible()
    crowns("annotator_03")
    assert not page.form.role_notice.isVisible()


def offered(box):
    """Texts of the entries; a line between them is "---"."""
    kinds = [
        box.itemData(place, Qt.ItemDataRole.AccessibleDescriptionRole)
        for place in range(box.count())
    ]
    return [
        "---" if kind == "separator" else box.itemText(place) for place, kind in enumerate(kinds)
    ]


def test_what_runs_made_is_offered_after_the_users_own_layers(page):
    made_by_a_run("0 a consensus")
    targets = page.form.field(PAGES[page.key][0])
    assert offered(targets.combo)[1:] == ["---", "0 a consensus"]
    assert targets.layer_id() == ""
    for name in ("truth", "model"):
        crowns(name)
    assert offered(targets.combo) == ["model", "truth", "---", "0 a consensus"]
    assert targets.layer().name() == "truth"


def test_a_run_by_plots_is_headed_and_listed_by_them_and_goes_with_its_project(page, run):
    crowns("truth", plots=["A 1", "A 10"])
    crowns("model", plots=["A 1", "A 10"])
    run(page)
    how = {
        "score": "delineations: model · plots: plotID · all crowns were drawn as targets · "
        "preset: Image boxes (0.7 m, 1.2 m, 3) · pairing: Nearest centroid (recommended)",
        "instances": "predictions: model · plots: plotID · all crowns were drawn as targets · "
        "matching: Panoptic (best, IoU above 0.5) (detection), "
        "ForAINet coverage (best, any overlap) (segmentation) · "
        "AP is n/a: the predictions have no field with a score.",
    }
    assert page.results.answer_view.settings_label.text() == f"targets: truth · {how[page.key]}"
    check_a_row_of_the_summary_goes_to_its_crowns(page)
    assert is_folded(page)
    QgsProject.instance().clear()
    assert [box.isCollapsed() for box in page.form.group_boxes] == [
        box.title().startswith("Advanced") for box in page.form.group_boxes
    ]


def check_a_row_of_the_summary_goes_to_its_crowns(page):
    summary, tables = page.results.summary_table, page.results
    assert summary.model.frame["plot"].tolist() == ["all", "A 1", "A 10"]
    table = tables.crown_table if page.key == "score" else tables.target_table
    page.results.tabs.setCurrentWidget(summary)
    summary.view.activated.emit(summary.model.index(1, 0))
    assert page.results.tabs.currentWidget() is table
    shown = [table.model.frame_row(row) for row in range(table.model.rowCount())]
    assert table.model.frame["plot"][shown].tolist() == ["A 1"] * (len(BOXES) // 2)
    summary.view.activated.emit(summary.model.index(0, 0))
    assert table.model.rowCount() == len(BOXES)


IMPORT_FIELDS = "".join(
    f"&field={name}:{kind}"
    for name, kind in (
        ("label", "string"),
        ("score", "double"),
        ("image", "string"),
        ("source", "string"),
        ("row", "integer"),
    )
)


def imported(name, score=None):
    """Crowns as the import makes them; without a score they are a reference."""
    rows = [["Tree", score, "a.tif", f"{name}.csv", i] for i in range(len(BOXES))]
    return QgsProject.instance().addMapLayer(layer_of(name, BOXES, fields=IMPORT_FIELDS, rows=rows))


@pytest.mark.parametrize("own_layers", [(), ("zz_truth",), ("zz_truth", "m1", "m2")])
def test_an_imported_prediction_is_no_target_at_the_first_look(
    project, key, dock_of_one, own_layers
):
    dock_of_one.show_page("report")
    imported("a_pred", 0.7)
    reference = "truth"
    if own_layers:
        for name in own_layers:
            crowns(name)
    else:
        imported(reference)
    page = dock_of_one.show_page(key)
    spin()
    target, other = roles(page)
    assert other == "a_pred"
    assert target in (reference, *own_layers)


def test_a_reference_imported_after_its_prediction_takes_its_place(page):
    imported("a_pred", 0.7)
    crowns("b_pred", score=0.5)
    assert roles(page)[0] in ("a_pred", "b_pred")
    imported("truth")
    assert roles(page)[0] == "truth"


def test_a_prediction_imported_later_leaves_plausible_roles(page):
    crowns("a")
    crowns("b")
    imported("c", 0.7)
    assert roles(page) == ("a", "b")


def test_a_page_asks_before_it_scores_a_detector_as_targets(page):
    truth, found = crowns("truth"), crowns("found", score=0.7)
    page.form.set_roles(found.id(), truth.id())
    question = page.run_question
    assert not question.isVisible()

    page.run_bar.run_button.click()
    assert page.run is None
    assert question.isVisible()
    assert shows(question.label.text(), "roles.scores", layer="found")
    assert [button.text() for button in question.buttons] == ["Swap and run", "Run as selected"]

    question.buttons[0].click()
    assert roles(page) == ("truth", "found")
    assert not question.isVisible()
    wait_until(lambda: page.run is None)


def test_a_question_is_withdrawn_with_its_cause_and_asked_once(page):
    truth, found = crowns("truth"), crowns("found", score=0.7)
    page.form.set_roles(found.id(), truth.id())
    page.run_bar.run_button.click()
    page.form.swap_button.click()
    assert not page.run_question.isVisible()
    page.form.swap_button.click()
    page.run_bar.run_button.click()
    page.run_question.buttons[1].click()
    wait_until(lambda: page.run is None)
    assert roles(page) == ("found", "truth")
    page.run_bar.run_button.click()
    assert not page.run_question.isVisible()
    wait_until(lambda: page.run is None)


def test_nobody_is_asked_about_roles_while_drawing(project, dock):
    """A person has drawn one crown of twenty."""
    boxes = [(20.0 * number, 0.0, 20.0 * number + 8.0, 8.0) for number in range(20)]
    targets, own = box_layer("targets", boxes), box_layer("own", boxes[:1])
    project.addMapLayers([targets, own])
    project.setCrs(targets.crs())
    page = dock.show_page("score")
    page.form.set_roles(targets.id(), own.id())
    spin()
    assert page.form.run_question() is not None
    assert own.startEditing()
    assert page.form.run_question() is None
    assert own.rollBack()
    assert page.form.run_question() is not None
    set_imported_role(own, LayerRole.ANNOTATOR)
    assert page.form.run_question() is None
