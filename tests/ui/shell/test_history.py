"""Runs are listed and shown again, also in a reopened project, and never break a page."""

from __future__ import annotations

import json
import threading

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from qgis.core import Qgis, QgsProject, QgsVectorLayer
from qgis.PyQt.QtWidgets import QInputDialog
from support.examples import examples
from support.layers import TARGET_BOXES, box_layer, shifted
from support.qt import spin, wait_until
from support.searching import finish, show_table, three_layers
from support.shown import shows

from randcrowns.algorithms.agreement.schema.parameters import ANNOTATORS
from randcrowns.algorithms.common_parameters import OWN, PRESET
from randcrowns.algorithms.detectors.schema.parameters import BOOTSTRAP_SAMPLES, DETECTORS
from randcrowns.algorithms.provenance import read_output_id
from randcrowns.algorithms.scoring.schema.parameters import PLOT_FIELD
from randcrowns.algorithms.tuning.schema.parameters import ALPHAS, OMEGAS
from randcrowns.layers.files.staging import save_as_table
from randcrowns.layers.vector.tables import read_attributes
from randcrowns.ui.scoring.form import DESTINATION, FIELDS, NEW_LAYERS
from randcrowns.ui.services import background, run_outcome

_CALM = settings(
    max_examples=examples(15),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def crowns_and_drawn():
    """Two layers; the first crown was drawn less well than the others."""
    boxes = [*shifted(TARGET_BOXES[:1], 2.0), *shifted(TARGET_BOXES[1:-1], 0.5), (60, 60, 64, 64)]
    scores = [(0.9 - 0.05 * number,) for number in range(len(boxes))]
    drawn = box_layer("drawn", boxes, fields="&field=score:double", rows=scores)
    return [box_layer("crowns", TARGET_BOXES), drawn]


def added(project, layers):
    project.addMapLayers(layers)
    project.setCrs(layers[0].crs())
    return layers


@pytest.fixture
def drawn_layers(project):
    """They, in a project that was not saved."""
    return added(project, crowns_and_drawn())


@pytest.fixture
def kept(project, tmp_path):
    """They in a GeoPackage, in a project that has a file."""
    files = added(
        project,
        [save_as_table(one, tmp_path / "input.gpkg", one.name()) for one in crowns_and_drawn()],
    )
    assert project.write(str(tmp_path / "work.qgz"))
    return files


def reopened(project):
    path = project.fileName()
    assert project.write()
    project.clear()
    spin()
    assert project.read(path)
    spin()


def warnings(page):
    return page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)


def entries(page):
    page.history.menu.aboutToShow.emit()
    return [action for action in page.history.menu.actions() if action.isCheckable()]


def test_the_scores_are_there_again_in_a_project_that_is_opened_again(dock, kept, project, run):
    page = dock.show_page("score")
    run(page)
    title, made = page.history.shown_record.title, list(page.results.results.layer_ids.values())
    before = (
        page.results.displayed_scores().crowns,
        page.results.answer_view.answer.text(),
        page.results.answer_view.counts.text(),
    )
    tree = [node.name() for node in project.layerTreeRoot().findLayers()]
    page.iface.messageBar().clear_messages()
    reopened(project)
    assert page.run is None
    assert page.results.isVisible()
    pd.testing.assert_frame_equal(page.results.displayed_scores().crowns, before[0])
    assert (
        page.results.answer_view.answer.text(),
        page.results.answer_view.counts.text(),
    ) == before[1:]
    assert not page.results.is_stale, page.results.stale.text()
    assert "These are the results of" in page.results.notes.text()
    assert warnings(page) == []
    assert [node.name() for node in project.layerTreeRoot().findLayers()] == tree
    page.results.crown_table.choose_frame_row(0)
    assert page.highlight.bands
    check_that_edits_make_them_stale(page, project)
    check_that_layers_are_added_where_the_project_has_none(page, project, title, made)
    check_that_they_are_shown_without_the_inputs(page, project, before[0])


def check_that_edits_make_them_stale(page, project):
    layer = project.mapLayersByName("drawn")[0]
    layer.startEditing()
    layer.deleteFeature(1)
    assert "drawn was edited" in page.results.stale_label.text()
    layer.rollBack()


def check_that_layers_are_added_where_the_project_has_none(page, project, title, made):
    project.removeMapLayers(made)
    project.layerTreeRoot().removeChildNode(project.layerTreeRoot().findGroup(title))
    reopened(project)
    assert page.results.isHidden()
    (entry,) = entries(page)
    entry.trigger()
    assert page.results.isVisible()
    group = project.layerTreeRoot().findGroup(title)
    assert len(group.findLayers()) == len(made)
    assert page.results.results.layer_ids["SCORED_TARGETS"] in {
        node.layerId() for node in group.findLayers()
    }


def check_that_they_are_shown_without_the_inputs(page, project, crowns):
    tables = [project.mapLayer(one).source() for one in page.results.results.layer_ids.values()]
    project.clear()
    spin()
    project.addMapLayers(
        [QgsVectorLayer(source, f"layer {number}", "ogr") for number, source in enumerate(tables)]
    )
    (entry,) = entries(page)
    entry.trigger()
    pd.testing.assert_frame_equal(page.results.displayed_scores().crowns, crowns)
    assert shows(page.results.notes.text(), "run.absent", layers="crowns, drawn")
    page.results.crown_table.choose_frame_row(0)
    assert page.highlight.bands == []


@pytest.mark.parametrize("key", ["score", "instances"])
def test_many_rows_are_read_beside_the_window(dock, two_layers, project, run, monkeypatch, key):
    page, read_by_window = dock.show_page(key), []

    def noted(*asked, **options):
        read_by_window.append(threading.current_thread() is threading.main_thread())
        return read_attributes(*asked, **options)

    run(page)
    before = (
        page.results.answer_view.answer.text(),
        page.results.summary_table.model.frame.iloc[:, :10],
    )
    (shown,) = page.history.runs()
    monkeypatch.setattr(background, "_MAX_ROWS_AT_ONCE", 0)
    monkeypatch.setattr(run_outcome, "read_attributes", noted)
    page.history.show(shown)
    run(page)  # which is shown, not what was read
    assert page.history.shown_record.id != shown.record.id
    assert not page.results.is_stale, page.results.stale.text()
    later, earlier = page.history.runs()
    for one in (earlier, later):
        last = page.results.results
        page.history.show(one)
        assert page.results.results is last
        wait_until(lambda last=last: page.results.results is not last)
        assert page.results.answer_view.answer.text() == before[0]
        pd.testing.assert_frame_equal(
            page.results.summary_table.model.frame.iloc[:, :10], before[1]
        )
    page.history.compare(earlier)
    assert page.results.tabs.indexOf(page.results.changes_tab) < 0
    wait_until(lambda: page.results.tabs.indexOf(page.results.changes_tab) >= 0)
    assert read_by_window
    assert not any(read_by_window)
    last = page.results.results
    page.history.show(earlier)
    page.history.show(later)
    wait_until(lambda: page.results.results is not last)
    spin(200)
    assert page.history.shown_record.id == later.record.id
    check_what_goes_while_rows_are_read(page, project, earlier, later)


def check_what_goes_while_rows_are_read(page, project, earlier, later):
    """A layer of the run, and then the project."""
    last = page.results.results
    page.iface.messageBar().clear_messages()
    page.history.show(earlier)
    project.removeMapLayer(earlier.layers[page.required_outputs[0].id])
    wait_until(lambda: page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical))
    assert page.results.results is last
    (said,) = page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)
    assert page.required_outputs[0].label in said
    assert "temporary, removed or emptied" in said
    page.history.show(later)
    project.clear()
    spin(200)
    assert page.results.results is None


def test_other_pages_show_their_last_run_again(dock, kept, project, run):
    before = {}
    for key in ("annotators", "detectors", "instances"):
        page = dock.show_page(key)
        if key == "detectors":
            page.form.field(DETECTORS).check_layers([kept[1].id()])
            page.form.field(BOOTSTRAP_SAMPLES).setValue(0)
        if key == "annotators":
            page.form.field(ANNOTATORS).check_layers([layer.id() for layer in kept])
        spin()
        assert page.run_problem() == ""
        run(page)
        assert page.results.isVisible()
        before[key] = page.results.results
    reopened(project)
    for key, results in before.items():
        page = dock.show_page(key)
        spin()
        assert page.results.isVisible(), warnings(page)
        assert page.results.results is not results
        tables = {
            name: value for name, value in vars(results).items() if isinstance(value, pd.DataFrame)
        }
        assert tables
        for name, table in tables.items():
            pd.testing.assert_frame_equal(
                getattr(page.results.results, name), table, check_dtype=False
            )
        assert not page.results.is_stale, page.results.stale.text()


def test_an_earlier_run_is_shown_with_its_choices(dock, two_layers, project, run):
    page = dock.show_page("score")
    page.form.set_value(PRESET, OWN)
    run(page)
    first = page.results.displayed_scores().crowns
    page.form.set_value(PRESET, "boxes")
    page.form.set_value(PLOT_FIELD, "")
    run(page)
    groups = len(project.layerTreeRoot().findGroups())
    assert [action.isChecked() for action in entries(page)] == [True, False]
    entries(page)[1].trigger()
    assert page.form.settings()[PRESET] == OWN
    pd.testing.assert_frame_equal(page.results.displayed_scores().crowns, first)
    assert not page.results.is_stale, page.results.stale.text()
    assert [action.isChecked() for action in entries(page)] == [False, True]
    assert len(project.layerTreeRoot().findGroups()) == groups
    shown = [group.itemVisibilityChecked() for group in project.layerTreeRoot().findGroups()]
    assert shown == [False, True]


def test_results_that_were_emptied_are_told_once(dock, two_layers, project, run, tmp_path):
    page = dock.show_page("score")
    run(page)
    for layer in project.mapLayers().values():
        if read_output_id(layer):
            assert layer.dataProvider().truncate()
    assert project.write(str(tmp_path / "work.qgz"))
    page.iface.messageBar().clear_messages()
    reopened(project)
    assert page.results.isHidden()
    (said,) = warnings(page)
    assert shows(said, "runs.tables_gone")


@pytest.fixture
def in_fields(dock, kept, project, run):
    """Page Score after a run into the fields of the targets, which are saved."""
    page = dock.show_page("score")
    page.form.set_value(DESTINATION, FIELDS)
    run(page)
    assert kept[0].commitChanges()
    return page


def test_a_run_into_fields_is_shown_again_from_them(in_fields, project):
    page = in_fields
    before = (
        page.results.displayed_scores(),
        page.results.answer_view.answer.text(),
        page.results.answer_view.counts.text(),
    )
    (entry,) = entries(page)
    assert "RandCrowns" in entry.toolTip()
    page.iface.messageBar().clear_messages()
    reopened(project)
    assert page.results.isVisible(), warnings(page)
    after = page.results.displayed_scores()
    pd.testing.assert_frame_equal(after.crowns, before[0].crowns, check_dtype=False)
    pd.testing.assert_series_equal(
        after.overall.fillna(""), before[0].overall.fillna(""), check_dtype=False
    )
    assert after.unmatched_ids == before[0].unmatched_ids
    assert (
        page.results.answer_view.answer.text(),
        page.results.answer_view.counts.text(),
    ) == before[1:]
    assert not page.results.is_stale, page.results.stale.text()
    targets = project.mapLayersByName("crowns")[0]
    assert not targets.isEditable()
    page.results.crown_table.choose_frame_row(0)
    assert page.highlight.bands
    page.results.review_button.click()
    spin()
    assert page.window().page.session.scored_layer.layer is targets
    press = page.window().page.verdict_bar.actions_by_name
    page.window().page.crown_table.choose_frame_row(3)
    drawn = [band.width() for band in page.window().page.highlight.bands]
    assert drawn == [1, 1, 0, 2, 3]  # what is near, a veil, the match, the crown
    assert press["accepted"].isEnabled()


def test_runs_into_fields_that_hold_other_values_and_one_into_layers(in_fields, kept, project, run):
    page, targets = in_fields, kept[0]
    (place,) = (
        number for number, name in enumerate(targets.fields().names()) if name.endswith("_rc")
    )
    (run_of_fields,) = page.history.runs()
    assert targets.startEditing()
    assert targets.changeAttributeValue(next(targets.getFeatures()).id(), place, 0.123)
    page.history.show(run_of_fields)
    assert shows(warnings(page)[-1], "runs.fields_gone")
    assert targets.rollBack()
    count = len(warnings(page))
    page.history.show(run_of_fields)
    assert len(warnings(page)) == count
    page.form.set_value(DESTINATION, NEW_LAYERS)
    run(page)
    into_layers, earlier = page.history.runs()
    page.history.compare(earlier)
    assert "8 as before" in page.results.changes_tab.summary_label.text()
    page.form.set_value(DESTINATION, FIELDS)
    page.form.set_value(PRESET, OWN)
    run(page)
    assert kept[0].commitChanges()
    later, _, earlier = page.history.runs()
    page.iface.messageBar().clear_messages()
    page.history.show(earlier)
    assert shows(warnings(page)[-1], "runs.fields_gone")
    assert page.history.shown_record.id == later.record.id
    assert earlier.conclusion
    assert targets.startEditing()
    assert targets.deleteAttribute(place)
    page.history.show(later)
    assert shows(warnings(page)[-1], "runs.fields_gone")
    assert targets.rollBack()
    damaged = [{"record": 3}, [], {"record": "{}", "fields": {"a": ["b", "c", []]}}]
    targets.setCustomProperty("randcrowns/runs", json.dumps(damaged))
    assert [one.record.id for one in page.history.runs()] == [into_layers.record.id]


def test_searches_of_parameters_are_shown_again_held_by_the_page_or_kept_in_the_file(
    dock, project, run, tmp_path
):
    added(
        project,
        [save_as_table(layer, tmp_path / "input.gpkg", layer.name()) for layer in three_layers()],
    )
    page = dock.show_page("parameters")
    page.form.field(ALPHAS).set_value((0.3, 0.9, 0.3))
    page.form.field(OMEGAS).set_value((0.1, 1.1, 0.5))
    show_table(page)
    tree = [node.name() for node in project.layerTreeRoot().findLayers()]

    def searched():
        run(page)
        finish(page)
        return page.results.search, page.results.search.headline

    def check(before, headline):
        finish(page)
        assert page.results.search is not before
        pd.testing.assert_frame_equal(page.results.search.grid, before.grid, check_dtype=False)
        assert page.results.search.headline == headline
        assert page.results.search.recommended == before.recommended
        assert not page.results.is_stale, page.results.stale.text()
        assert [node.name() for node in project.layerTreeRoot().findLayers()] == tree
        assert sum(action.isChecked() for action in entries(page)) == 1

    held = searched()
    assert project.write(str(tmp_path / "work.qgz"))
    in_file = searched()
    assert [action.isChecked() for action in entries(page)] == [True, False]
    entries(page)[1].trigger()
    check(*held)
    reopened(project)
    check(*in_file)


def test_a_damaged_results_file_is_told_in_the_menu(dock, kept, project, tmp_path):
    page = dock.show_page("score")
    (tmp_path / "work_randcrowns.gpkg").write_bytes(b"SQLite format 3\0" + b"\xff" * 3000)
    assert entries(page) == []
    assert any(shows(action.text(), "file.damaged") for action in page.history.menu.actions())


def test_results_that_were_changed_since_are_told_of_as_such(dock, kept, project, run):
    page = dock.show_page("score")
    run(page)
    layer = project.mapLayer(page.results.results.layer_ids["SCORED_TARGETS"])
    assert layer.startEditing()
    assert layer.renameAttribute(layer.fields().lookupField("drawn_status"), "state")
    assert layer.commitChanges()
    page.iface.messageBar().clear_messages()
    reopened(project)
    (said,) = page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)
    assert shows(said, "results.field_lost", field="drawn_status")
    assert page.results.isHidden()


_LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.just(10**400), st.floats(), st.text(max_size=9)
)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)


def test_a_page_opens_whatever_the_record_of_its_layers_holds(dock, two_layers, project, run):
    page = dock.show_page("score")
    run(page)
    layers = [project.mapLayer(one) for one in page.results.results.layer_ids.values()]
    told = layers[0].customProperty("randcrowns/made")

    @_CALM
    @given(st.dictionaries(st.sampled_from(sorted(json.loads(told))), _VALUES, min_size=1))
    def opens(changed):
        text = json.dumps({**json.loads(told), **changed})
        for layer in layers:
            layer.setCustomProperty("randcrowns/made", text)
        page.iface.messageBar().clear_messages()
        page.load_parameters()
        spin()
        entries(page)
        assert (
            len(page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical) + warnings(page))
            <= 1
        )

    opens()


def test_layers_of_runs_from_the_toolbox_are_shown_too(dock, two_layers, project, qgis_processing):
    import processing

    page = dock.show_page("score")
    outputs = dict.fromkeys(
        ("SCORED_TARGETS", "SCORED_DELINEATIONS", "SUMMARY"), "TEMPORARY_OUTPUT"
    )
    given_now = {
        "TARGETS": two_layers[0].id(),
        "DELINEATIONS": [two_layers[1].id()],
        "ALPHA": 0.4,
        "PRESET": 3,
        **outputs,
    }
    made = processing.run("randcrowns:scorecrowns", given_now)
    project.addMapLayers([made[name] for name in outputs])
    (entry,) = entries(page)
    entry.trigger()
    assert len(page.results.displayed_scores().crowns) == len(TARGET_BOXES)
    assert page.form.settings()[PRESET] == OWN
    assert isinstance(
        QgsProject.instance().mapLayer(page.results.results.layer_ids["SCORED_TARGETS"]),
        QgsVectorLayer,
    )


def test_a_run_of_the_toolbox_brings_its_choices_to_a_page_that_nobody_chose_on(
    dock, two_layers, project, qgis_processing
):
    import processing

    outputs = dict.fromkeys(
        ("SCORED_TARGETS", "SCORED_DELINEATIONS", "SUMMARY"), "TEMPORARY_OUTPUT"
    )
    layers = {"TARGETS": two_layers[0].id(), "DELINEATIONS": [two_layers[1].id()]}
    made = processing.run(
        "randcrowns:scorecrowns", {**layers, "ALPHA": 0.4, "PRESET": 3, **outputs}
    )
    project.addMapLayers([made[name] for name in outputs])
    page = dock.show_page("score")
    page.history.reset()
    wait_until(lambda: not page.results.isHidden(), 20)
    assert page.form.settings()[PRESET] == OWN
    assert not page.results.is_stale
    page.form.set_value(PRESET, "field_polygons")
    page.store_parameters()
    page.history.reset()
    wait_until(lambda: page.history.shown_record is not None, 20)
    assert page.form.settings()[PRESET] == "field_polygons"
    assert page.results.is_stale


def test_two_runs_on_the_same_targets_are_compared_crown_by_crown(dock, drawn_layers, run):
    page = dock.show_page("score")
    run(page)
    targets, drawn = drawn_layers
    first = page.results.displayed_scores().crowns.set_index("target_id")["randcrowns"]
    assert drawn.startEditing()
    (one,) = [crown for crown in drawn.getFeatures() if crown["score"] == 0.9]
    assert drawn.changeGeometry(one.id(), next(targets.getFeatures()).geometry())
    (other,) = [crown for crown in drawn.getFeatures() if abs(crown["score"] - 0.85) < 1e-9]
    assert drawn.deleteFeature(other.id())
    assert drawn.commitChanges()
    run(page)
    page.history.menu.aboutToShow.emit()
    (inner,) = [
        action.menu() for action in page.history.menu.actions() if action.menu() is not None
    ]
    (entry,) = inner.actions()
    entry.trigger()
    changes, tabs = page.results.changes_tab, page.results.tabs
    assert tabs.currentWidget() is changes
    assert "1 better, 1 worse, 6 as before" in changes.summary_label.text()
    frame = changes.model.frame.set_index("feature_id")
    now = page.results.displayed_scores().crowns.set_index("target_id")["randcrowns"]
    pd.testing.assert_series_equal(
        frame["before"].sort_index(), first.sort_index(), check_names=False
    )
    pd.testing.assert_series_equal(frame["after"].sort_index(), now.sort_index(), check_names=False)
    assert set(frame["change"].iloc[:2]) == {"better", "worse"}
    changes.choose_frame_row(0)
    assert page.highlight.bands
    crown = int(changes.model.frame["feature_id"].iloc[2])
    targets.selectByIds([crown])
    assert changes.view.selected_rows() == [2]
    entries(page)[1].trigger()
    assert tabs.indexOf(changes) < 0
    page.form.swap_layers()
    run(page)
    page.history.compare(page.history.runs()[1])
    (said,) = page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)
    assert shows(said, "runs.different_targets")
    assert shows(said, "runs.different_targets", other="drawn")
    assert shows(said, "runs.different_targets", first="crowns")
    assert tabs.indexOf(changes) < 0


def test_instances_of_two_runs_are_compared(dock, two_layers, project, run):
    page = dock.show_page("instances")
    run(page)
    targets = two_layers[0]
    assert targets.startEditing()
    ids = sorted(crown.id() for crown in targets.getFeatures())
    assert targets.deleteFeature(ids[0])
    assert targets.commitChanges()
    run(page)
    _, earlier = page.history.runs()
    page.history.compare(earlier)
    told = page.results.changes_tab.summary_label.text()
    assert "7 as before, 1 gone" in told
    page.results.changes_tab.choose_frame_row(0)
    assert page.highlight.bands == []
    assert "does not have this crown" in warnings(page)[-1]
    page.results.changes_tab.choose_frame_row(1)
    assert page.highlight.bands


def test_the_user_renames_the_run_on_show(page, run, monkeypatch):
    run(page)
    asked = []

    def answer(parent, title, label, text):
        asked.append(text)
        return "First look", True

    monkeypatch.setattr(QInputDialog, "getText", answer)
    page.history.menu.aboutToShow.emit()
    (rename,) = (one for one in page.history.menu.actions() if one.text().startswith("Rename"))
    rename.trigger()
    assert asked == ["crowns vs drawn, Score crowns"]
    page.history.menu.aboutToShow.emit()
    assert " · First look, " in page.history.menu.actions()[0].text()
    assert page.history.menu.actions()[0].isChecked()
    groups = [group.name() for group in QgsProject.instance().layerTreeRoot().findGroups()]
    assert any(name.startswith("First look, ") for name in groups)


def test_a_dialog_that_is_cancelled_leaves_the_name(page, run, monkeypatch):
    run(page)
    before = page.history.shown_record
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("x", False))
    page.history.menu.aboutToShow.emit()
    (rename,) = (one for one in page.history.menu.actions() if one.text().startswith("Rename"))
    rename.trigger()
    assert page.history.shown_record is before
