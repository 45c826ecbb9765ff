"""Page Review while layers and runs come and go, and before there are any."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from qgis.core import Qgis, QgsProject, QgsSettings
from support.layers import TARGET_BOXES, box_layer, shifted
from support.qt import spin, wait_until
from support.reviewing import ids, layer_named, move, newest, open_copy, press
from support.shown import shows

from randcrowns.layers.files.verdict_file import VerdictFile
from randcrowns.ui.review import page as review_page
from randcrowns.ui.services import background
from randcrowns.ui.services.save_dialog import remember_folder, save_new_project


@pytest.fixture
def dock(project, one_dock):
    return one_dock


@pytest.fixture
def project_file(project, one_run, tmp_path):
    return open_copy(one_run, tmp_path)


@pytest.fixture
def scored(project_file, dock):
    """Page Review after a run of page Score into the project's GeoPackage."""
    page = dock.show_page("review")
    spin()
    return page


def test_without_scores_the_page_says_what_to_do_and_crowns_can_be_imported(
    two_layers, dock, monkeypatch
):
    page, asked = dock.show_page("review"), []
    assert page.empty_state.isVisible()
    assert not page.body.isVisible()
    monkeypatch.setattr(
        review_page, "open_import_dialog", lambda _iface, show_page: asked.append(show_page)
    )
    page.empty_state.import_button.click()
    assert len(asked) == 1
    page.score_button.click()
    assert dock.page.key == "score"


def test_the_first_verdict_saves_the_project(two_layers, dock, run, tmp_path, monkeypatch):
    run(dock.show_page("score"))
    page = dock.show_page("review")
    assert "Save the project first" in page.storage_problem_label.text()
    titles = []
    answers = [lambda: False, lambda: QgsProject.instance().write(str(tmp_path / "saved.qgz"))]

    def save():
        # QGIS suggests the title as the name of the file.
        titles.append(QgsProject.instance().title())
        answers.pop(0)()

    action = SimpleNamespace(trigger=save)
    monkeypatch.setattr(page.iface, "actionSaveProject", lambda: action, raising=False)
    at = page.session.current_crown["feature_id"]
    # QGIS's dialog opens in the folder of the files of this project, not of the last one.
    settings = QgsSettings()
    settings.setValue("UI/lastProjectDir", str(tmp_path.parent))
    remember_folder(str(tmp_path))
    remember_folder(str(tmp_path.parent), replaces=False)  # further files from elsewhere

    press(page, "accepted")  # the user cancels the dialog
    assert settings.value("UI/lastProjectDir") == str(tmp_path)
    assert page.session.current_crown["feature_id"] == at
    assert not page.session.can_save
    assert titles == [tmp_path.name]
    assert QgsProject.instance().title() == ""

    press(page, "accepted")
    (sentence,) = page.iface.messageBar().get_messages(Qgis.MessageLevel.Success)[-1:]
    assert "saved_randcrowns.gpkg" in sentence
    assert page.storage_problem_label.text() == ""
    judged = page.session.crowns.iloc[page.session.row_of(at)]
    assert judged["verdict"] == "accepted"
    assert page.session.current_row != page.session.row_of(at)


@pytest.mark.parametrize("read_at_once", [5000, 0], ids=["small layers", "large layers"])
def test_the_first_verdict_is_there_after_the_project_was_saved(
    two_layers, dock, run, tmp_path, monkeypatch, read_at_once
):
    """Saving makes the page read large layers again in the background: the verdict was lost."""
    run(dock.show_page("score"))
    page = dock.show_page("review")
    monkeypatch.setattr(background, "_MAX_ROWS_AT_ONCE", read_at_once)
    action = SimpleNamespace(
        trigger=lambda: QgsProject.instance().write(str(tmp_path / "saved.qgz"))
    )
    monkeypatch.setattr(page.iface, "actionSaveProject", lambda: action, raising=False)
    judged, following = ids(page)[2:4]
    page.go_to(page.session.row_of(judged))
    page.verdict_bar.comment_field.setText("no tree")
    press(page, "rejected")
    wait_until(lambda: page.session.scored_layer is not None)
    assert page.progress_label.text().startswith("1 of ")
    kept = VerdictFile(tmp_path / "saved_randcrowns.gpkg").read()
    assert kept[["feature_id", "verdict", "comment"]].to_numpy().tolist() == [
        [judged, "rejected", "no tree"]
    ]
    assert page.session.current_crown["feature_id"] == following
    assert page.verdict_bar.comment_field.text() == ""


def test_a_verdict_that_cannot_be_saved_is_reported(two_layers, dock, run, tmp_path, monkeypatch):
    run(dock.show_page("score"))
    page = dock.show_page("review")
    answers = [lambda: False, lambda: QgsProject.instance().write(str(tmp_path / "saved.qgz"))]
    action = SimpleNamespace(trigger=lambda: answers.pop(0)())
    monkeypatch.setattr(page.iface, "actionSaveProject", lambda: action, raising=False)
    told = page.iface.messageBar()
    press(page, "rejected")  # the user cancels the dialog
    assert told.get_messages(Qgis.MessageLevel.Info)[-1].startswith(
        "RandCrowns:The verdict was not"
    )
    told.clear_messages()
    monkeypatch.setattr(background, "_MAX_ROWS_AT_ONCE", 0)
    page.verdict_bar.actions_by_name["rejected"].trigger()
    QgsProject.instance().clear()  # before the layers are read again
    spin()
    assert told.get_messages(Qgis.MessageLevel.Info)[-1].startswith(
        "RandCrowns:The verdict was not"
    )


def test_an_unsaved_project_takes_no_folder_of_the_one_before(project, dock, tmp_path):
    action = SimpleNamespace(trigger=lambda: None)
    iface = SimpleNamespace(actionSaveProject=lambda: action)
    settings = QgsSettings()
    remember_folder(str(tmp_path))
    project.clear()
    settings.setValue("UI/lastProjectDir", str(tmp_path.parent))
    save_new_project(iface)
    assert settings.value("UI/lastProjectDir") == str(tmp_path.parent)
    settings.remove("UI/lastProjectDir")  # QGIS knows no folder yet
    save_new_project(iface)
    assert settings.value("UI/lastProjectDir") == str(tmp_path)


@pytest.mark.parametrize("is_cancelled", [True, False])
def test_the_suggested_name_of_a_project_does_not_become_its_title(project, tmp_path, is_cancelled):
    suggested = []

    def save():
        """Do what QGIS does: set the name of the file after its dialog, and write the project."""
        suggested.append(project.title())
        if not is_cancelled:
            project.setFileName(str(tmp_path / "other.qgz"))
            assert project.write()

    iface = SimpleNamespace(actionSaveProject=lambda: SimpleNamespace(trigger=save))
    remember_folder(str(tmp_path))
    assert save_new_project(iface) is not is_cancelled
    assert suggested == [tmp_path.name]
    assert project.title() == ""
    if not is_cancelled:
        stored = QgsProject()
        assert stored.read(project.fileName())
        assert stored.title() == ""
        project.setTitle("kept")
        project.setFileName(str(tmp_path / "third.qgz"))
        assert project.title() == "kept"


@pytest.mark.parametrize("ending", ["rc", "iou", "target_id"])
def test_scores_without_one_of_their_fields_are_told_in_a_sentence(
    ending, project, project_file, dock
):
    made = project.mapLayers().values()
    (targets,) = [
        one for one in made if one.customProperty("randcrowns/output") == "SCORED_TARGETS"
    ]
    (field,) = [
        name for name in targets.fields().names() if name == ending or name.endswith(f"_{ending}")
    ]
    assert targets.dataProvider().deleteAttributes([targets.fields().lookupField(field)])
    assert project.read(project.fileName())
    page = dock.show_page("review")
    spin()
    (said,) = {
        *page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)
    }  # the bar shows one text once
    assert shows(said, "results.field_lost", field=field)
    assert page.session.current_crown is None


def test_a_run_under_review_that_goes_is_told_and_confuses_nothing(
    scored, dock, run, project_file, project
):
    """The last of the other runs takes its place, with the crown at hand."""
    page = dock.show_page("score")
    run(page)
    expected = page.history.shown_record.title
    move(layer_named("crowns"), 3, 0.5)
    run(page)
    page = newest(dock.show_page("review"))
    page.queue_form.max_score_box.setValue(0.99)
    press(page, "next")
    first, title = int(page.session.current_crown["feature_id"]), page.session.title
    page.verdict_bar.comment_field.setText("typed before it went")
    project.removeMapLayer(page.queue_form.selected_layer().layer.id())
    spin()
    said = page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)[-1]
    assert f"'{title}' is no longer in the project" in said
    assert page.session.title in said
    assert page.session.title == expected
    assert page.session.current_crown["feature_id"] == first
    kept = VerdictFile(project_file).read()
    assert kept[["feature_id", "comment"]].to_numpy().tolist() == [[first, "typed before it went"]]
    assert page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical) == []


def test_another_project_starts_with_its_own_crown(scored, project_file, project):
    first = scored.session.current_row
    press(scored, "next")
    assert scored.session.current_row != first
    path = project.fileName()
    project.clear()
    spin()
    assert project.read(path)
    spin()
    assert scored.session.current_row == first


def test_matches_and_then_the_crowns_that_go_lose_no_verdict_and_leave_an_empty_page(
    scored, project_file, project
):
    first = scored.session.current_crown["feature_id"]
    press(scored, "accepted")
    order = ids(scored)
    made = project.mapLayers().values()
    drawn = [
        one for one in made if one.customProperty("randcrowns/output") == "SCORED_DELINEATIONS"
    ]
    assert drawn
    project.removeMapLayers([one.id() for one in drawn])
    spin()
    press(scored, "rejected")
    press(scored, "next")
    press(scored, "previous")
    press(scored, "unsure")
    kept = VerdictFile(project_file).read()
    assert kept["verdict"].tolist() == ["accepted", "rejected", "unsure"]
    assert kept["feature_id"].tolist() == [first, order[1], order[2]]
    assert kept["layer"].unique().tolist() == ["crowns"]
    assert ids(scored) == order
    assert scored.iface.messageBar().get_messages(Qgis.MessageLevel.Critical) == []
    scored.load_parameters()
    assert scored.progress_label.text().startswith(f"3 of {len(order)} reviewed")
    scored.show_side_by_side()
    assert scored.side_by_side.isVisible()
    project.removeMapLayer(scored.queue_form.selected_layer().layer.id())
    spin()
    assert scored.empty_state.isVisible()
    assert scored.highlight.bands == []
    assert not scored.side_by_side.isVisible(), "no crown is at hand"
    press(scored, "next")


def test_page_score_opens_the_layer_with_the_worst_crown(project, dock, run):
    layers = [
        box_layer(name, shifted(TARGET_BOXES, by))
        for name, by in (("crowns", 0.0), ("a good", 0.1), ("b bad", 2.5))
    ]
    project.addMapLayers(layers)
    project.setCrs(layers[0].crs())
    score = dock.show_page("score")
    score.form.target_picker.select_layer(layers[0].id())
    score.form.delineation_list.check_layers(tuple(layer.id() for layer in layers[1:]))
    run(score)
    assert score.results.displayed_scores().name == "a good"
    score.results.review_button.click()
    spin()
    page = dock.page
    assert page.key == "review"
    wait_until(lambda: page.session.current_crown is not None)
    assert page.session.delineation_name == "b bad"
    assert page.progress_label.text().startswith("Crowns of 'b bad', 1 of 2 layers.")
    assert page.session.current_crown["score"] == pytest.approx(page.session.crowns["score"].min())
