"""Page Report: three clicks from a run to the file; the preview, and the link to the file."""

from __future__ import annotations

import html
from pathlib import Path

import pytest
from qgis.core import Qgis
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QDesktopServices, QGuiApplication
from qgis.PyQt.QtWidgets import QFileDialog
from support.panel import add_two_layers, empty_project, opened_dock, run_page
from support.qt import spin, wait_until
from support.shown import shows

from randcrowns.algorithms.report.schema.parameters import HTML, PARTS, PDF, TITLE
from randcrowns.ui.report.run_list import RunList
from randcrowns.ui.services import save_dialog
from randcrowns.ui.services.settings import write_parameters


@pytest.fixture(scope="module")
def after_runs(qgis_iface):
    """A dock with two runs of page Score."""
    with empty_project() as project, opened_dock(qgis_iface) as made:
        add_two_layers(project)
        for _ in range(2):
            run_page(made.show_page("score"))
        yield made


@pytest.fixture
def dock(after_runs):
    """Page Report as it is at first, and page Score on show."""
    write_parameters("report", {})
    report = after_runs.show_page("report")
    report.load_parameters()
    report.preview.clear()
    return after_runs


@pytest.fixture
def page(dock):
    return dock.show_page("score")


@pytest.fixture
def save_as(monkeypatch):
    """Answers the dialog, which waits for a person."""

    def answer(path):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))

    return answer


def done(report):
    wait_until(lambda: report.runs.main_run is None)
    spin()


def previewed(report):
    wait_until(lambda: "References" in report.preview.toPlainText())


def test_from_the_score_three_clicks_to_the_file(page, dock, save_as, tmp_path):
    save_as(tmp_path / "told.html")
    page.quote_row.report.click()
    report = dock.page
    assert report.key == "report"
    assert [run.title for run in report.run_list.checked_runs()] == [
        page.history.shown_record.title
    ]
    report.save_buttons[HTML].click()
    done(report)
    text = (tmp_path / "told.html").read_text(encoding="utf-8")
    (counts,) = (
        str(message)
        for message in page.history.shown_record.headline
        if message.key == "headline.counts"
    )
    assert counts in html.unescape(text)
    assert "told.html</a> in " in report.saved_label.text()


def test_pdf_and_html_go_where_they_are_asked_to_and_the_link_opens_them(
    page, dock, save_as, tmp_path, monkeypatch
):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    report = dock.show_page("report")
    save_as(tmp_path / "a <b>&.pdf")
    report.save_buttons[PDF].click()
    assert report.runs.main_run is not None
    done(report)
    assert report.iface.messageBar().get_messages(Qgis.MessageLevel.Critical) == []
    assert (tmp_path / "a <b>&.pdf").read_bytes().startswith(b"%PDF")
    assert "a &lt;b&gt;&amp;.pdf</a>" in report.saved_label.text()
    link = report.saved_label.text().split('href="')[1].split('"')[0]
    report.saved_label.linkActivated.emit(link.replace("&amp;", "&"))
    assert opened == [str(tmp_path / "a <b>&.pdf")]


def test_a_second_report_gets_a_name_of_its_own_and_no_link_to_the_first(
    page, dock, tmp_path, monkeypatch
):
    report = dock.show_page("report")
    suggested = []

    def answer(_parent, _title, path, _filters):
        assert report.saved_label.isHidden()
        suggested.append(Path(path).name)
        return str(tmp_path / Path(path).name), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    for _ in range(2):
        report.save_buttons[HTML].click()
        done(report)
        assert report.saved_label.isVisible()
    first, second = suggested
    assert second == first.replace(".html", "_2.html")


def test_the_preview_follows_runs_and_parts(page, dock):
    report = dock.show_page("report")
    assert report.run_list.count() == 2
    assert len(report.run_list.checked_keys()) == 1
    wait_until(lambda: report.preview.viewport().cursor().shape() == Qt.CursorShape.BusyCursor)
    assert report.preview.placeholderText() == "The preview of the report is being made…"
    previewed(report)
    assert report.preview.viewport().cursor().shape() != Qt.CursorShape.BusyCursor
    assert "being made" not in report.preview.placeholderText()
    assert "All parameters" in report.preview.toPlainText()
    title = report.preview.document().begin()
    assert title.text().startswith("Score crowns")
    normal_size = report.preview.document().defaultFont().pointSizeF()
    assert title.begin().fragment().charFormat().font().pointSizeF() < 1.5 * normal_size
    report.form.set_value(PARTS, ("methods",))
    wait_until(lambda: "All parameters" not in report.preview.toPlainText())
    report.run_list.check_keys([report.run_list.item(row).data(0x0100) for row in range(2)])
    wait_until(lambda: report.preview.toPlainText().count("Methods") == 2)


def test_the_name_of_the_file_says_layers_and_day(page, dock, monkeypatch, tmp_path):
    # In the folder of an earlier report, the name would get a number.
    monkeypatch.setattr(save_dialog, "_suggested_folder", lambda: tmp_path)
    page.quote_row.report.click()
    offered = []
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *given: (offered.append(given[2]), ("", ""))[1]
    )
    dock.page.save_buttons[HTML].click()
    day = page.history.shown_record.display_text_of("time")[:10]
    assert Path(offered[0]).name.startswith("crowns_vs_drawn")
    assert Path(offered[0]).stem.endswith(f"_{day}")
    # A long title is cut between two words, and within a word only if it is the first.
    for title, name in (
        (
            "reference labels vs segmentation, Score crowns",
            "reference_labels_vs_segmentation_Score",
        ),
        ("w" * 50, "w" * 40),
    ):
        dock.page.form.set_value(TITLE, title)
        dock.page.save_buttons[HTML].click()
        assert Path(offered[-1]).stem == f"{name}_{day}"


def test_choices_are_remembered_in_the_project(page, dock):
    report = dock.show_page("report")
    report.form.set_value(TITLE, "Plot 7")
    report.form.set_value(PARTS, ("tables",))
    report.store_parameters()
    report.form.set_value(TITLE, "")
    report.load_parameters()
    assert (report.form.settings()[TITLE], report.form.settings()[PARTS]) == ("Plot 7", ("tables",))


def test_pictures_of_crowns_are_not_wider_than_the_preview(page, dock):
    """Four of them side by side had a width in per cent, which Qt rounds up."""
    report = dock.show_page("report")
    dock.resize(699, 900)
    previewed(report)
    viewport = report.preview.viewport()
    assert (viewport.width() - 8) % 4, "the page cannot be divided by four"
    wait_until(lambda: not report.runs.side_run_keys)
    assert "Worst crowns" in report.preview.toPlainText()
    assert report.preview.document().size().width() <= viewport.width()


def test_what_cannot_be_made_is_told_and_the_preview_stays(
    page, dock, save_as, tmp_path, qgis_iface
):
    report = dock.show_page("report")
    previewed(report)
    save_as(tmp_path / "gone" / "told.html")
    report.save_buttons[HTML].click()
    done(report)
    (told,) = qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Critical)
    assert shows(told, "output.no_folder")
    assert report.saved_label.isHidden()
    assert "References" in report.preview.toPlainText()


def test_where_no_preview_can_be_made_it_says_why_in_place_of_the_earlier_one(
    page, dock, monkeypatch, qgis_iface
):
    report = dock.show_page("report")
    previewed(report)
    monkeypatch.setattr("randcrowns.ui.report.page._PREVIEW_TEMPLATE", "{{% for {width} %}}")
    report.form.set_value(PARTS, ("methods",))
    wait_until(lambda: "References" not in report.preview.toPlainText())
    (told,) = qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Critical)
    assert report.preview.toPlainText() == told.partition(":")[2]


def test_the_answer_is_copied_in_every_form(page):
    said = page.history.shown_record.conclusion
    actions = {action.text(): action for action in page.quote_row.copy.menu().actions()}
    actions["Copy as text"].trigger()
    assert QGuiApplication.clipboard().text() == said
    actions["Copy as LaTeX"].trigger()
    assert QGuiApplication.clipboard().text() == said.replace("–", "--").replace("_", r"\_")


def test_the_form_has_the_room_that_it_needs_until_the_user_moves_the_line(page, dock):
    report = dock.show_page("report")
    for width in (700, 360):
        dock.resize(width, 900)
        spin(50)
        form_height, preview_height = report.splitter.sizes()
        assert form_height == pytest.approx(report.form.sizeHint().height(), abs=10)
        assert preview_height > form_height
    report.splitter.setSizes([400, 300])
    report.splitter.splitterMoved.emit(400, 1)
    user_sizes = report.splitter.sizes()
    report.run_list.refresh()
    spin(50)
    assert report.splitter.sizes() == user_sizes
    parts = report.form.group_boxes[1]
    parts.setCollapsed(not parts.isCollapsed())
    spin(50)
    assert report.splitter.sizes() != user_sizes
    parts.setCollapsed(not parts.isCollapsed())
    dock.resize(400, 900)


def test_a_scrolled_list_of_runs_has_no_empty_room_below_the_last_run(qgis_app):
    runs = RunList()
    for number in range(1, 8):
        runs.addItem(f"23 Nov · run {number} " + "of several layers " * (number % 3))
    runs.resize(220, 100)
    runs.show()
    spin()
    runs.scrollToBottom()
    last = runs.visualItemRect(runs.item(runs.count() - 1))
    assert runs.verticalScrollBar().maximum() > 0
    assert runs.viewport().height() - last.bottom() <= 2
    runs.deleteLater()


def test_another_project_empties_the_preview_at_once_and_says_that_it_is_being_made(dock, page):
    report = dock.show_page("report")
    previewed(report)
    report.load_parameters()
    assert report.preview.toPlainText() == ""
    assert report.run_list.checked_keys()
    assert "is being made" in report.preview.placeholderText()
    assert report.preview.viewport().cursor().shape() == Qt.CursorShape.BusyCursor
    previewed(report)
    assert report.preview.viewport().cursor().shape() != Qt.CursorShape.BusyCursor
