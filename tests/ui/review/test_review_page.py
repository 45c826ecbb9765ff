"""Page Review in the real dock: crowns judged by key, kept in the GeoPackage, there again after reopening."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from qgis.core import Qgis, QgsProject
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QLabel
from support.boxes import TARGET_BOXES
from support.qt import spin, wait_until
from support.reviewing import open_copy

from randcrowns.algorithms.report.choices import HTML, PARTS
from randcrowns.layers.files.verdicts import VerdictFile
from randcrowns.ui.services.settings import REVIEWER, set_preference


@pytest.fixture
def project_file(project, one_run, tmp_path) -> Path:
    return open_copy(one_run, tmp_path)


@pytest.fixture
def scored(project_file, dock):
    """Page Review after a run of page Score into the project's GeoPackage."""
    page = dock.show_page("review")
    spin()
    return page


@pytest.fixture
def project_of_two(project, run_of_two, tmp_path) -> Path:
    return open_copy(run_of_two, tmp_path)


@pytest.fixture
def two_scored(project_of_two, dock):
    """Page Review after a run with two delineation layers."""
    page = dock.show_page("review")
    spin()
    return page


#: Targets, and the one delineation that is a false positive.
CROWNS = len(TARGET_BOXES) + 1


def press(page, name: str) -> None:
    """The key that is QGIS's for it."""
    page.bar.actions_by_name[name].trigger()
    spin()


def ids(page) -> list[int]:
    return page.list.model.frame["feature_id"].tolist()


def of_targets(page) -> pd.DataFrame:
    crowns = page.session.crowns
    return crowns[crowns["side"] == "target"].set_index("feature_id")


def test_without_scores_the_page_says_what_to_do(dock, two_layers):
    page = dock.show_page("review")
    assert page.empty.isVisible()
    assert not page.body.isVisible()


def test_the_worst_crown_stands_first_and_each_key_goes_on_to_the_next(scored, project_file):
    crowns = scored.session.crowns
    assert ids(scored) == crowns.sort_values(["score", "feature_id"])["feature_id"].tolist()
    assert len(crowns) == CROWNS
    first, second, third = ids(scored)[:3]
    press(scored, "next")
    assert scored.session.crown["feature_id"] == first
    assert "missing" in scored.sentence.text()
    scored.bar.comment.setText("no tree <b>here</b>")
    press(scored, "rejected")
    assert scored.session.crown["feature_id"] == second
    assert scored.bar.comment.text() == ""
    press(scored, "accepted")
    assert scored.session.crown["feature_id"] == third
    kept = VerdictFile(project_file).read()
    assert kept[["feature_id", "verdict", "comment"]].to_numpy().tolist() == [
        [first, "rejected", "no tree <b>here</b>"],
        [second, "accepted", ""],
    ]
    assert kept["layer"].unique().tolist() == ["crowns"]
    assert scored.progress.text() == f"2 of {CROWNS} reviewed, 1 accepted, 1 rejected"
    press(scored, "previous")
    assert scored.session.crown["feature_id"] == second


def test_page_score_goes_to_the_crown_chosen_in_its_table(project_file, dock, run):
    score = dock.show_page("score")
    run(score)
    score.results.rows.sort(2)
    score.results.crowns.choose(5)
    score.results.review_button.click()
    spin()
    assert dock.page.key == "review"
    assert dock.page.session.scored.layer.id() == score.results.results.made["SCORED_TARGETS"]
    assert dock.page.session.crown["feature_id"] == score.results.scores().crowns["target_id"].iloc[5]
    press(dock.page, "accepted")
    assert VerdictFile(project_file).read()["verdict"].tolist() == ["accepted"]


def test_the_map_shows_the_reference_dotted_and_the_match(scored):
    scored.list.choose(len(ids(scored)) - 1)
    bands = scored.highlight.bands
    lines = [band.asGeometry().boundingBox() for band in bands]
    assert [band.width() for band in bands] == [1, 1, 0, 2, 3]  # what is near, a veil, the match, the crown
    assert bands[-1].strokeColor() != bands[-2].strokeColor()
    assert scored.iface.mapCanvas().extent().contains(lines[-1])
    scored.leave()
    assert scored.highlight.bands == []


def test_a_run_again_after_an_edit_lists_the_crown_again(scored, dock, run, targets):
    scored.list.choose(len(ids(scored)) - 1)
    number = int(scored.session.crown["feature_id"])
    press(scored, "accepted")
    targets.startEditing()
    feature = targets.getFeature(number)
    moved = feature.geometry()
    moved.translate(0.25, 0)
    targets.changeGeometry(number, moved)
    targets.commitChanges()
    run(dock.show_page("score"))
    page = dock.show_page("review")
    newest(page)
    crowns = of_targets(page)
    assert crowns["changed"].to_dict() == {one: one == number for one in crowns.index}
    assert "1 changed since" in page.progress.text()
    page.choosing.unreviewed.setChecked(True)
    assert number in ids(page)


def newest(page):
    """Page Review, with the last run picked: the first that is offered."""
    page.choosing.layer.show_value(page.choosing.layer.offered[0].key)
    return page


def move(layer, number: int, by: float) -> None:
    assert layer.startEditing()
    geometry = layer.getFeature(number).geometry()
    geometry.translate(by, by)
    layer.changeGeometry(number, geometry)
    assert layer.commitChanges()


def test_another_delineation_since_lists_the_crown_again(scored, dock, run, drawn, project_file):
    crowns = scored.session.crowns
    row = int(crowns["delineation_id"].notna().to_numpy().argmax())
    number = int(crowns["feature_id"].iloc[row])
    scored.list.choose(ids(scored).index(number))
    press(scored, "accepted")
    move(drawn, int(crowns["delineation_id"].iloc[row]), 0.1)
    run(dock.show_page("score"))
    page = newest(dock.show_page("review"))
    assert of_targets(page).loc[number, "changed"]
    assert page.progress.text() == f"0 of {len(crowns)} reviewed, 1 changed since"
    page.choosing.unreviewed.setChecked(True)
    assert number in ids(page)
    row = ids(page).index(number)
    column = [one.title for one in page.list.model.columns].index("Verdict")
    assert page.list.model.index(row, column).data() == "changed since accepted"
    page.list.choose(row)
    assert "Changed since your verdict: accepted." in page.sentence.text()
    assert VerdictFile(project_file).read()["verdict"].tolist() == ["accepted"]


def test_layers_are_known_whatever_they_are_called(scored, dock, run, targets, drawn):
    press(scored, "next")
    number = int(scored.session.crown["feature_id"])
    press(scored, "fixed")
    for layer in (targets, drawn):
        layer.setName(f"{layer.name()} of 2026")
    run(dock.show_page("score"))
    page = newest(dock.show_page("review"))
    assert of_targets(page).loc[number, "verdict"] == "fixed"
    (earlier,) = page.choosing.earlier.offered[1:]
    page.choosing.earlier.show_value(earlier.key)
    assert page.progress.text().endswith(f", {len(TARGET_BOXES)} as before")
    page.choosing.layer.show_value(earlier.key)
    assert [one.key for one in page.choosing.earlier.offered] == [""], "a later run is no earlier one"


def test_false_positives_are_listed_judged_and_kept(scored, project_file, drawn):
    number, page = len(TARGET_BOXES), scored
    page.choosing.problem.show_value("extra")
    assert ids(page) == [number]
    press(page, "next")
    assert page.sentence.text() == f"Delineation {number} of drawn.\nNo target for this delineation: extra"
    shape = page.highlight.bands[-1]
    middle = drawn.getFeature(number).geometry().boundingBox().center()
    assert shape.asGeometry().boundingBox().center().distance(middle) < 1e-6
    press(page, "rejected")
    assert page.progress.text() == "1 of 1 reviewed, 1 rejected"
    (kept,) = VerdictFile(project_file).read().to_dict("records")
    assert (kept["side"], kept["feature_id"], kept["problem"]) == ("delineation", number, "extra")
    page.keep()
    page.session.at = -1
    page.restore()
    assert (page.session.crown["side"], page.session.crown["verdict"]) == ("delineation", "rejected")


@pytest.fixture
def reviewer_kept():
    yield
    set_preference(REVIEWER, "")


def test_each_reviewer_has_a_queue_of_their_own_and_sees_the_others_named(scored, project_file, reviewer_kept):
    scored.reviewer.setText("Ann")
    press(scored, "next")
    first, ann = int(scored.session.crown["feature_id"]), "Ann"
    scored.bar.comment.setText("Ann's comment")
    press(scored, "rejected")
    scored.reviewer.setText("Ben")
    scored.reviewer.editingFinished.emit()
    assert scored.progress.text() == f"0 of {CROWNS} reviewed"
    scored.list.choose(ids(scored).index(first))
    assert scored.bar.comment.text() == ""
    assert f"Others: {ann}: rejected." in scored.sentence.text()
    press(scored, "accepted")
    told = of_targets(scored).loc[first]
    assert (told["verdict"], told["others"]) == ("accepted", ((ann, "rejected", False),))
    assert VerdictFile(project_file).read()["reviewer"].tolist() == [ann, "Ben"]


def test_a_comment_without_a_verdict_is_kept(scored, project_file, dock):
    press(scored, "next")
    first, second, third = ids(scored)[:3]
    scored.bar.comment.setText("which tree?")
    press(scored, "next")
    scored.bar.comment.setText("and this?")
    scored.list.choose(2)
    scored.bar.comment.setText("left open")
    scored.choosing.below.setValue(0.99)
    dock.show_page("score")
    kept = VerdictFile(project_file).read()
    assert kept[["feature_id", "verdict", "comment"]].to_numpy().tolist() == [
        [first, "", "which tree?"],
        [second, "", "and this?"],
        [third, "", "left open"],
    ]
    assert scored.progress.text().startswith("0 of")
    dock.show_page("review")
    scored.list.choose(ids(scored).index(first))
    assert scored.bar.comment.text() == "which tree?"
    press(scored, "accepted")
    assert VerdictFile(project_file).read().iloc[-1][["verdict", "comment"]].tolist() == ["accepted", "which tree?"]


def test_a_run_under_review_that_goes_is_told_and_confuses_nothing(scored, dock, run, targets, project_file, project):
    """The last of the other runs takes its place, with the crown at hand."""
    page = dock.show_page("score")
    run(page)
    expected = page.history.shown.title
    move(targets, 3, 0.5)
    run(page)
    page = newest(dock.show_page("review"))
    page.choosing.below.setValue(0.99)
    press(page, "next")
    first, title = int(page.session.crown["feature_id"]), page.session.title
    page.bar.comment.setText("typed before it went")
    project.removeMapLayer(page.choosing.scored().layer.id())
    spin()
    said = page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)[-1]
    assert f"'{title}' is no longer in the project" in said
    assert page.session.title in said
    assert page.session.title == expected
    assert page.session.crown["feature_id"] == first
    kept = VerdictFile(project_file).read()
    assert kept[["feature_id", "comment"]].to_numpy().tolist() == [[first, "typed before it went"]]
    assert page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical) == []


def test_what_was_judged_is_there_in_another_session(scored, project_file, qgis_iface):
    press(scored, "next")
    press(scored, "unsure")
    at = scored.session.crown["feature_id"]
    scored.keep()
    scored.session.at = -1
    scored.restore()
    assert scored.session.crown["feature_id"] == at
    assert scored.progress.text().endswith("1 unsure")


def test_filters(scored):
    scored.choosing.problem.show_value("missing")
    assert scored.list.model.frame["problem"].unique().tolist() == ["missing"]
    scored.choosing.problem.show_value("")
    scored.choosing.below.setValue(0.5)
    assert (scored.list.model.frame["score"] < 0.5).all()


def test_a_sample_tells_the_share_of_the_layer(scored):
    scored.choosing.order.show_value("sample")
    scored.choosing.size.setValue(5)
    assert len(ids(scored)) == 5
    press(scored, "next")
    for verdict in ("accepted", "accepted", "accepted", "rejected", "accepted"):
        press(scored, verdict)
    assert "Of the whole layer 80% would be accepted (95 % interval 38% to 96%; " in scored.progress.text()


def test_crowns_judged_for_another_reason_than_chance_tell_nothing_of_the_layer(scored):
    scored.choosing.order.show_value("sample")
    scored.choosing.size.setValue(5)
    for place, verdict in ((4, "accepted"), (2, "accepted"), (0, "rejected")):
        scored.list.choose(place)
        press(scored, verdict)
    assert "Of the whole layer 0% would be accepted" in scored.progress.text()
    scored.list.choose(1)
    press(scored, "rejected")
    assert "Of the whole layer 33% would be accepted" in scored.progress.text()


def test_another_reviewers_verdicts_and_kappa(scored, tmp_path, project_file):
    press(scored, "next")
    press(scored, "accepted")
    press(scored, "rejected")
    theirs = VerdictFile(tmp_path / "ben.gpkg")
    for verdict in VerdictFile(project_file).read().assign(reviewer="Ben").to_dict("records"):
        theirs.add(verdict)
    scored.merge(theirs.path)
    assert "2 crowns, 100% alike, kappa 1.00" in scored.agreement.text()
    scored.merge(project_file.with_name("no.gpkg"))
    assert "holds no verdicts" in scored.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)[-1]


def test_without_a_file_nothing_can_be_judged_until_the_project_is_saved(two_layers, dock, run, tmp_path):
    run(dock.show_page("score"))
    page = dock.show_page("review")
    press(page, "next")
    assert "Save the project first" in page.why_not.text()
    assert not page.bar.buttons["accepted"].isEnabled()
    assert not page.bar.actions_by_name["accepted"].isEnabled()
    at = page.session.crown["feature_id"]
    assert QgsProject.instance().write(str(tmp_path / "saved.qgz"))
    assert page.why_not.text() == ""
    assert page.session.crown["feature_id"] == at
    assert page.bar.buttons["accepted"].isEnabled()


def test_keys_are_left_to_qgis_while_another_page_is_on_show(scored, dock):
    press(scored, "next")
    assert scored.bar.actions_by_name["accepted"].isEnabled()
    dock.show_page("score")
    assert not any(action.isEnabled() for action in scored.bar.actions_by_name.values())


def test_a_key_typed_into_the_comment_is_a_letter(scored):
    press(scored, "next")
    scored.bar.comment.setFocus()
    QTest.keyClicks(scored.bar.comment, "1 n")
    assert scored.bar.comment.text() == "1 n"
    assert scored.progress.text().startswith("0 of")


def test_several_delineation_layers(two_scored):
    page = two_scored
    assert [one.key for one in page.choosing.delineations.offered] == ["drawn", "second"]
    page.choosing.order.show_value("spread")
    assert page.list.model.frame["spread"].dropna().is_monotonic_decreasing
    press(page, "next")
    page.list.choose(ids(page).index(3))
    spin()
    assert [band.width() for band in page.highlight.bands] == [1, 1, 1, 0, 2, 2, 3]


def test_a_layer_that_goes_leaves_an_empty_page(scored, project):
    press(scored, "next")
    project.removeMapLayer(scored.choosing.scored().layer.id())
    spin()
    assert scored.empty.isVisible()
    assert scored.highlight.bands == []
    press(scored, "next")


def _filter(page):
    assert page.choosing.scored().layer.setSubsetString("fid < 0")


def _delete(page):
    layer = page.choosing.scored().layer
    assert layer.startEditing()
    assert layer.deleteFeatures(layer.allFeatureIds())


def _remove_matches(page):
    made = QgsProject.instance().mapLayers().values()
    drawn = [one for one in made if one.customProperty("randcrowns/output") == "SCORED_DELINEATIONS"]
    QgsProject.instance().removeMapLayers([one.id() for one in drawn])


@pytest.mark.parametrize(
    ("change", "back"),
    [
        (lambda page: page.choosing.scored().layer.setName("renamed"), lambda page: None),
        (_filter, lambda page: page.choosing.scored().layer.setSubsetString("")),
        (_delete, lambda page: page.choosing.scored().layer.rollBack()),
        (_remove_matches, lambda page: None),
        (lambda page: QgsProject.instance().write(), lambda page: None),
    ],
    ids=["renamed", "filtered", "emptied and rolled back", "matches removed", "saved"],
)
def test_what_becomes_of_layers_meanwhile_loses_no_verdict(scored, project_file, change, back):
    press(scored, "next")
    first = scored.session.crown["feature_id"]
    press(scored, "accepted")
    order = ids(scored)
    change(scored)
    spin()
    press(scored, "rejected")
    press(scored, "next")
    press(scored, "previous")
    back(scored)
    spin()
    press(scored, "unsure")
    kept = VerdictFile(project_file).read()
    assert kept["verdict"].tolist() == ["accepted", "rejected", "unsure"]
    assert kept["feature_id"].tolist() == [first, order[1], order[2]]
    assert kept["layer"].unique().tolist() == ["crowns"]
    assert ids(scored) == order
    told = set(scored.iface.messageBar().get_messages(Qgis.MessageLevel.Critical))
    assert told <= {"RandCrowns:This crown is no longer in its layer."}
    scored.restore()
    assert scored.progress.text().startswith(f"3 of {len(order)} reviewed")


def test_the_keyboard_alone(scored):
    """Enter in the comment keeps it with the verdict; the arrow keys walk the list."""
    press(scored, "next")
    first = scored.session.crown["feature_id"]
    press(scored, "fixed")
    press(scored, "previous")
    assert scored.session.crown["feature_id"] == first
    scored.bar.comment.setText("corner")
    QTest.keyClick(scored.bar.comment, Qt.Key.Key_Return)
    assert of_targets(scored)["comment"][first] == "corner"
    assert scored.session.crown["verdict"] == "fixed"


def test_two_runs_compared_crown_by_crown(scored, dock, run, targets, drawn):
    """One crown moves away from its target, one target goes: worse, gone, all else as before."""
    scored.choosing.order.show_value("randcrowns")
    before = of_targets(scored)["score"]
    moved = int(before.idxmax())
    geometry = drawn.getFeature(moved).geometry()
    geometry.translate(1.5, 1.5)
    drawn.startEditing()
    drawn.changeGeometry(moved, geometry)
    drawn.commitChanges()
    targets.startEditing()
    gone = len(TARGET_BOXES)
    targets.deleteFeature(gone)
    targets.commitChanges()
    run(dock.show_page("score"))
    page = dock.show_page("review")
    newest(page)
    (earlier,) = page.choosing.earlier.offered[1:]
    page.choosing.earlier.show_value(earlier.key)
    page.choosing.order.show_value("change")
    assert ids(page)[0] == moved
    assert page.progress.text().endswith(f"1 worse, {len(TARGET_BOXES) - 2} as before, 1 gone")
    shown = of_targets(page)
    assert shown.loc[moved, "difference"] == pytest.approx(shown.loc[moved, "score"] - before[moved])


def test_side_by_side_each_delineation_has_a_map_and_they_move_together(two_scored, dock):
    page = two_scored
    page.list.choose(ids(page).index(3))
    page.beside_button.click()
    spin()
    maps = page.beside.canvases
    assert len(maps) == 2
    middle = page.iface.mapCanvas().extent().center()
    assert [one.extent().center().compare(middle, 1e-6) for one in maps] == [True, True]
    place = maps[0].extent()
    place.scale(0.5)
    maps[0].setExtent(place)
    spin()
    assert maps[1].extent().center().compare(maps[0].extent().center(), 1e-6)
    assert maps[1].extent().width() == pytest.approx(maps[0].extent().width(), rel=0.5)
    press(page, "next")
    middle = page.iface.mapCanvas().extent().center()
    assert [one.extent().center().compare(middle, 1e-6) for one in maps] == [True, True]
    dock.show_page("score")
    assert not page.beside.isVisible()
    dock.show_page("review")
    page.beside_button.click()
    assert page.beside.isVisible()
    QgsProject.instance().clear()
    spin()
    assert not page.beside.isVisible(), "no crown is at hand"


def test_side_by_side_says_who_has_no_match(two_scored):
    page = two_scored
    page.list.choose(ids(page).index(7))
    page.beside_button.click()
    spin()
    assert [canvas.parentWidget().isVisible() for canvas in page.beside.canvases] == [True, True]
    titles = [canvas.parentWidget().findChild(QLabel).text() for canvas in page.beside.canvases]
    assert "second (no match)" in titles[1]


def test_the_report_of_a_reviewed_run_tells_its_verdicts_and_the_answer_is_copied(scored, dock, tmp_path):
    press(scored, "next")
    press(scored, "rejected")
    press(scored, "accepted")
    assert scored.quotes.isVisible()
    actions = {action.text(): action for action in scored.quotes.copy.menu().actions()}
    actions["Copy as text"].trigger()
    said = f"2 of {CROWNS} reviewed, 1 accepted, 1 rejected"
    assert QGuiApplication.clipboard().text() == said
    scored.quotes.report.click()
    report = dock.page
    assert (report.key, len(report.list.value())) == ("report", 1)
    path = tmp_path / "told.html"
    report.save(HTML, str(path))
    wait_until(lambda: path.exists() and report.runs.shown is None)
    assert f"Reviewers&#39; verdicts: {said}." in path.read_text(encoding="utf-8")
    report.form.choose(PARTS, ("methods",))
    path.unlink()
    report.save(HTML, str(path))
    wait_until(lambda: path.exists() and report.runs.shown is None)
    assert said not in path.read_text(encoding="utf-8")


def test_a_layer_that_tells_no_run_has_no_report(scored, dock, project):
    own = scored.session.scored.layer.clone()
    for key in own.customPropertyKeys():
        own.removeCustomProperty(key)
    project.addMapLayer(own)
    spin()
    scored.choosing.layer.show_value(own.id())
    scored.choosing.layer_changed.emit()
    assert scored.session.scored.layer.id() == own.id()
    assert not scored.quotes.isVisible()
