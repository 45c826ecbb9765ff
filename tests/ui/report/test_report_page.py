"""Page Report: from a run three clicks to the file; a preview, what is remembered, and a link to where it went."""

from __future__ import annotations

from pathlib import Path

import pytest
from qgis.core import Qgis, QgsProject
from qgis.PyQt.QtGui import QDesktopServices, QGuiApplication
from qgis.PyQt.QtWidgets import QFileDialog
from support.qt import spin, wait_until

from randcrowns.algorithms.report.choices import HTML, PARTS, PDF, TITLE
from randcrowns.ui.shell.dock import PAGES

RUNNING = [entry.key for entry in PAGES if entry.key not in ("review", "report")]


@pytest.fixture
def save_as(monkeypatch):
    """Answers the dialog, which waits for a person."""

    def answer(path):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))

    return answer


def done(report):
    wait_until(lambda: report.runs.shown is None)
    spin()


def previewed(report):
    wait_until(lambda: "References" in report.preview.toPlainText())


def test_from_the_score_three_clicks_to_the_file(page, dock, run, save_as, tmp_path):
    run(page)
    save_as(tmp_path / "told.html")
    page.quotes.report.click()
    report = dock.page
    assert report.key == "report"
    assert [run.title for run in report.list.chosen()] == [page.history.shown.title]
    report.buttons[HTML].click()
    done(report)
    assert page.history.shown.answer in (tmp_path / "told.html").read_text(encoding="utf-8")
    assert "told.html</a> in " in report.went.text()


def test_pdf_and_html_go_where_they_are_asked_to_and_the_link_opens_them(
    page, dock, run, save_as, tmp_path, monkeypatch
):
    run(page)
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    report = dock.show_page("report")
    save_as(tmp_path / "a <b>&.pdf")
    report.buttons[PDF].click()
    done(report)
    assert (tmp_path / "a <b>&.pdf").read_bytes().startswith(b"%PDF")
    assert "a &lt;b&gt;&amp;.pdf</a>" in report.went.text()
    link = report.went.text().split('href="')[1].split('"')[0]
    report.went.linkActivated.emit(link.replace("&amp;", "&"))
    assert opened == [str(tmp_path / "a <b>&.pdf")]


def test_the_preview_follows_runs_and_parts(page, dock, run):
    run(page)
    run(page)
    report = dock.show_page("report")
    assert report.list.count() == 2
    assert len(report.list.value()) == 1
    previewed(report)
    assert "All choices" in report.preview.toPlainText()
    report.form.choose(PARTS, ("methods",))
    wait_until(lambda: "All choices" not in report.preview.toPlainText())
    report.list.show_value([report.list.item(row).data(0x0100) for row in range(2)])
    wait_until(lambda: report.preview.toPlainText().count("Methods") == 2)


def test_opened_by_its_icon_it_ticks_the_run_of_the_page_that_one_comes_from(page, dock, run):
    run(page)
    page.quotes.report.click()
    first = dock.page.list.value()
    dock.show_page("score")
    run(page)
    report = dock.show_page("report")
    assert report.list.count() == 2
    assert report.list.value() == (page.history.shown.id,) != first
    both = [report.list.item(row).data(0x0100) for row in range(2)]
    report.list.show_value(both)
    dock.show_page("score")
    assert len(dock.show_page("report").list.value()) == 2  # what was ticked by hand stays
    dock.show_page("score")
    page.history.show(page.history.runs()[1])
    assert dock.show_page("report").list.value() == first
    dock.show_page("detectors")
    assert dock.show_page("report").list.value() != first  # the last run, where the page shows none


def test_the_name_of_the_file_says_layers_and_day(page, dock, run, monkeypatch):
    run(page)
    page.quotes.report.click()
    offered = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *given: (offered.append(given[2]), ("", ""))[1])
    dock.page.buttons[HTML].click()
    day = page.history.shown.words_of("time")[:10]
    assert Path(offered[0]).name.startswith("crowns_vs_drawn_Image_boxes")
    assert Path(offered[0]).stem.endswith(f"_{day}")


def test_long_names_of_runs_are_whole(two_layers, dock, run):
    two_layers[1].setName("annotator_" * 12)
    page = dock.show_page("score")
    run(page)
    report = dock.show_page("report")
    spin()
    item = report.list.item(0)
    lines = report.list.visualItemRect(item).height() // report.list.fontMetrics().lineSpacing()
    width = report.list.fontMetrics().horizontalAdvance(item.text())
    assert lines * report.list.viewport().width() > width
    assert report.list.height() >= report.list.visualItemRect(item).height()
    assert dock.minimumSizeHint().width() <= 360
    assert dock.minimumSizeHint().height() <= 300


def test_choices_are_remembered_in_the_project(page, dock, run):
    run(page)
    report = dock.show_page("report")
    report.form.choose(TITLE, "Plot 7")
    report.form.choose(PARTS, ("tables",))
    report.keep()
    report.form.choose(TITLE, "")
    report.restore()
    assert (report.form.settings()[TITLE], report.form.settings()[PARTS]) == ("Plot 7", ("tables",))


def test_without_a_run_it_says_what_to_do(project, dock):
    report = dock.show_page("report")
    assert not report.none.isHidden()
    assert not any(button.isEnabled() for button in report.buttons.values())


def test_a_run_whose_layers_go_goes_from_the_list(page, dock, run):
    run(page)
    report = dock.show_page("report")
    assert report.list.count() == 1
    QgsProject.instance().clear()
    spin()
    wait_until(lambda: report.list.count() == 0)
    assert not report.buttons[HTML].isEnabled()


@pytest.mark.parametrize("every", [False, True])
def test_a_report_is_asked_for_after_layers_of_the_run_were_removed(page, dock, run, every):
    before = set(QgsProject.instance().mapLayers())
    run(page)
    made = [key for key in QgsProject.instance().mapLayers() if key not in before]
    gone = made if every else [key for key in made if key.startswith("Scored_targets")]
    assert gone
    QgsProject.instance().removeMapLayers(gone)
    spin()
    page.quotes.report.click()
    assert dock.page.key == "report"
    assert dock.page.list.count() == (0 if every else 1)


def test_what_cannot_be_made_is_told_and_the_preview_stays(page, dock, run, save_as, tmp_path, qgis_iface):
    run(page)
    report = dock.show_page("report")
    previewed(report)
    save_as(tmp_path / "gone" / "told.html")
    report.buttons[HTML].click()
    done(report)
    (told,) = qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Critical)
    assert "The folder" in told
    assert report.went.isHidden()
    assert "References" in report.preview.toPlainText()


def test_the_answer_is_copied_in_every_form(page, run):
    run(page)
    said = page.history.shown.answer
    actions = {action.text(): action for action in page.quotes.copy.menu().actions()}
    actions["Copy as text"].trigger()
    assert QGuiApplication.clipboard().text() == said
    actions["Copy as LaTeX"].trigger()
    assert QGuiApplication.clipboard().text() == said.replace("–", "--").replace("_", r"\_")


def test_a_search_that_is_in_no_layer_of_the_project_can_be_told(searched, dock):
    searched.quotes.report.click()
    report = dock.page
    assert [run.title for run in report.list.chosen()] == [searched.history.shown.title]
    previewed(report)
    assert "Recommended" in report.preview.toPlainText()


@pytest.mark.parametrize("key", RUNNING)
def test_every_page_that_runs_offers_a_report(dock, key):
    page = dock.show_page(key)
    assert page.quotes.report.text() == "Report…"
    assert page.results.layout().itemAt(page.results.layout().count() - 1).widget() is page.quotes
