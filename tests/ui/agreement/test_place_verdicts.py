"""A reviewer judges the places where annotators differ, with a click or a key each."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from qgis.core import Qgis, QgsProject
from qgis.PyQt.QtCore import QPoint, Qt
from qgis.PyQt.QtTest import QTest
from support.layers import TARGET_BOXES, box_layer, shifted
from support.panel import errors
from support.qt import spin, wait_until
from support.shown import shows

from randcrowns.algorithms.agreement.schema.parameters import STUDY_AREA
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.algorithms.report.schema.parameters import HTML
from randcrowns.core.review.verdicts import Side, Verdict
from randcrowns.layers.files.verdict_file import VerdictFile


@pytest.fixture
def page(project, dock):
    people = [
        box_layer(name, shifted(TARGET_BOXES, by)) for name, by in (("ann", 0.0), ("bob", 0.5))
    ]
    project.addMapLayers(people)
    project.setCrs(people[0].crs())
    page = dock.show_page("annotators")
    page.form.field(STUDY_AREA).set_area(AreaValue())
    return page


@pytest.fixture
def saved(page, tmp_path):
    """The file of the verdicts."""
    QgsProject.instance().setFileName(str(tmp_path / "plot.qgz"))
    return tmp_path / "plot_randcrowns.gpkg"


def disagreement_layer(page):
    return QgsProject.instance().mapLayer(page.results.results.layer_ids["DISAGREEMENTS"])


def verdicts(table):
    column = [one.name for one in table.table.model.columns].index("verdict")
    model = table.table.model
    return [model.data(model.index(row, column)) for row in range(model.rowCount())]


def test_a_verdict_is_saved_and_the_next_place_follows(page, run, saved):
    run(page)
    table = page.results.disagreement_table
    page.results.tabs.setCurrentWidget(page.results.tabs_by_key["disagreements"])
    assert not any(button.isEnabled() for button in table.verdict_buttons.values())
    n_places = table.table.model.rowCount()
    assert n_places > 3
    table.select_frame_row(0)
    table.verdict_buttons[Verdict.ACCEPTED].click()
    assert table.description_label.text().startswith("2 of ")
    table.table.view.setFocus()
    spin()
    QTest.keyClick(table.table.view, Qt.Key.Key_2)
    assert table.description_label.text().startswith("3 of ")
    assert verdicts(table)[:3] == ["Crown", "No crown", ""]

    rows = VerdictFile(saved).read()
    assert rows["side"].tolist() == [Side.DISAGREEMENT.value] * 2
    assert rows["feature_id"].tolist() == [1, 2]
    assert rows["verdict"].tolist() == [Verdict.ACCEPTED.value, Verdict.REJECTED.value]
    frame = page.results.results.disagreements
    assert rows["score"].tolist() == pytest.approx(frame["area"].tolist()[:2])
    assert rows["layer"].tolist() == ["ann, bob"] * 2


def test_the_button_review_opens_the_largest_place_without_a_verdict(page, run, saved):
    run(page)
    table = page.results.disagreement_table
    page.results.review_button.click()
    assert page.results.tabs.currentWidget() is page.results.tabs_by_key["disagreements"]
    assert table.description_label.text().startswith("1 of ")
    table.verdict_buttons[Verdict.ACCEPTED].click()
    table.select_frame_row(0)
    page.results.tabs.setCurrentIndex(0)
    page.results.review_button.click()
    assert table.description_label.text().startswith("2 of ")


def test_without_a_disagreement_there_is_no_button_review(project, page, run):
    same = [box_layer(name, TARGET_BOXES) for name in ("eve", "joe")]
    project.removeAllMapLayers()
    project.addMapLayers(same)
    run(page)
    assert page.results.review_button.isHidden()


def test_the_first_verdict_saves_the_project(page, run, tmp_path, monkeypatch):
    run(page)
    answers = [lambda: False, lambda: QgsProject.instance().write(str(tmp_path / "saved.qgz"))]
    action = SimpleNamespace(trigger=lambda: answers.pop(0)())
    monkeypatch.setattr(page.iface, "actionSaveProject", lambda: action, raising=False)
    table = page.results.disagreement_table
    table.select_frame_row(0)
    table.verdict_buttons[Verdict.ACCEPTED].click()  # the user cancels the dialog
    assert len(errors(page)) == 1
    assert verdicts(table)[0] == ""
    table.verdict_buttons[Verdict.ACCEPTED].click()
    assert len(errors(page)) == 1
    assert verdicts(table)[:2] == ["Crown", ""]
    sentence = page.iface.messageBar().get_messages(Qgis.MessageLevel.Success)[-1]
    assert "saved_randcrowns.gpkg" in sentence
    assert len(VerdictFile(tmp_path / "saved_randcrowns.gpkg").read()) == 1


def test_the_tab_says_that_a_project_file_is_needed_before_the_first_verdict(page, run, tmp_path):
    run(page)
    table = page.results.disagreement_table
    page.results.tabs.setCurrentWidget(page.results.tabs_by_key["disagreements"])
    spin()
    assert table.problem_label.isVisible()
    assert table.problem_label.text().startswith("Save the project first: verdicts are stored")
    assert QgsProject.instance().write(str(tmp_path / "plot.qgz"))
    assert table.problem_label.isHidden()
    run(page)
    assert table.problem_label.isHidden()


def test_the_buttons_of_the_verdicts_stay_where_they_are(page, run):
    run(page)
    page.results.tabs.setCurrentWidget(page.results.tabs_by_key["disagreements"])
    spin()
    table = page.results.disagreement_table
    button = table.verdict_buttons[Verdict.ACCEPTED]
    before = button.mapTo(table, QPoint(0, 0))
    table.select_frame_row(0)
    spin()
    assert table.description_label.height() > 2 * table.fontMetrics().lineSpacing()
    assert button.mapTo(table, QPoint(0, 0)) == before


def test_verdicts_remain_after_a_new_run_and_can_be_changed(page, run, saved):
    run(page)
    table = page.results.disagreement_table
    table.select_frame_row(1)
    table.verdict_buttons[Verdict.UNSURE].click()
    run(page)
    assert verdicts(table)[:3] == ["", "Unsure", ""]
    table.select_frame_row(1)
    table.verdict_buttons[Verdict.REJECTED].click()
    run(page)
    assert verdicts(table)[:3] == ["", "No crown", ""]
    assert len(VerdictFile(saved).read()) == 2


def test_verdicts_belong_to_outlines_and_not_to_numbers(page, run, saved):
    run(page)
    table = page.results.disagreement_table
    outlines = {
        feature["rank"]: feature.geometry().asWkt(6)
        for feature in disagreement_layer(page).getFeatures()
    }
    table.select_frame_row(2)
    table.verdict_buttons[Verdict.ACCEPTED].click()
    judged = outlines[3]
    ann = QgsProject.instance().mapLayersByName("ann")[0]
    ann.startEditing()
    # Another crown of one annotator alone is the largest place.
    extra = box_layer("extra", [(70.0, 70.0, 90.0, 90.0)])
    (feature,) = extra.getFeatures()
    ann.addFeature(feature)
    assert ann.commitChanges()
    run(page)
    after = {
        feature.geometry().asWkt(6): feature["rank"]
        for feature in disagreement_layer(page).getFeatures()
    }
    assert after[judged] == 4
    shown = verdicts(table)
    assert [number + 1 for number, text in enumerate(shown) if text] == [4]


def test_without_a_project_file_the_reason_is_shown(page, run):
    run(page)
    table = page.results.disagreement_table
    table.select_frame_row(0)
    table.verdict_buttons[Verdict.ACCEPTED].click()
    assert any("Save the project first" in text for text in errors(page))
    assert verdicts(table)[0] == ""


def test_a_layer_that_was_removed_is_named(page, run, saved):
    run(page)
    table = page.results.disagreement_table
    table.select_frame_row(0)
    layer = disagreement_layer(page)
    QgsProject.instance().removeMapLayer(layer.id())
    table.verdict_buttons[Verdict.ACCEPTED].click()
    assert shows(errors(page)[-1], "results.no_disagreements")


def test_the_answer_says_that_kappa_is_that_of_the_marked_area(project, page, run):
    run(page)
    assert "Fleiss' kappa in the marked area " in page.results.answer_label.text()
    area = project.addMapLayer(box_layer("study area", [(-5.0, -5.0, 60.0, 30.0)]))
    page.form.field(STUDY_AREA).set_area(AreaValue("layer", area.id()))
    run(page)
    assert "Fleiss' kappa " in page.results.answer_label.text()
    assert "in the marked area" not in page.results.answer_label.text()


def test_page_review_leads_to_the_disagreements(page, dock, run):
    run(page)
    assert page.results.tabs.currentWidget() is not page.results.tabs_by_key["disagreements"]
    review = dock.show_page("review")
    assert review.empty_state.isVisible()
    QTest.mouseClick(review.disagreements_button, Qt.MouseButton.LeftButton)
    assert dock.page is page
    assert page.results.tabs.currentWidget() is page.results.tabs_by_key["disagreements"]


def test_the_report_says_the_verdicts_on_disagreements(page, dock, run, saved, tmp_path):
    run(page)
    table = page.results.disagreement_table
    table.select_frame_row(0)
    table.verdict_buttons[Verdict.REJECTED].click()
    table.verdict_buttons[Verdict.ACCEPTED].click()
    table.verdict_buttons[Verdict.REJECTED].click()
    count = table.table.model.rowCount()
    report = dock.show_page("report")
    path = tmp_path / "report.html"
    report.save(HTML, str(path))
    wait_until(lambda: report.runs.main_run is None and report.saved_label.text())
    text = path.read_text(encoding="utf-8")
    verdicts = f"3 of {count} reviewed, Crown: 1, No crown: 2"
    assert f"Reviewers&#39; verdicts on disagreements: {verdicts}." in text
    # The largest disagreements are shown with their verdicts.
    sheets = re.sub(r"<[^>]*>", " ", text)
    assert sheets.count("verdict No crown") == 2
    assert sheets.count("verdict Crown") == 1
