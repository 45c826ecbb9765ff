"""Page Report and the runs of the other pages: which are listed, and which of them is ticked."""

from __future__ import annotations

from qgis.core import QgsProject
from qgis.PyQt.QtCore import Qt
from support.qt import spin, wait_until
from support.searching import finish

from randcrowns.algorithms.report.schema.parameters import HTML
from randcrowns.algorithms.tuning.schema.parameters import ALPHAS, OMEGAS
from randcrowns.ui.shell.dock import PAGES

RUNNING = [entry.key for entry in PAGES if entry.key not in ("review", "report")]


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


def test_the_run_ticked_is_in_sight_however_far_down_it_stands(page, dock, run):
    for _ in range(9):
        run(page)
    for number in (8, 0):
        page.history.show(page.history.runs()[number])
        shown = dock.show_page("report").list
        spin(50)
        (row,) = [row for row in range(9) if shown.item(row).checkState() == Qt.CheckState.Checked]
        assert shown.viewport().rect().contains(shown.visualItemRect(shown.item(row)))
        dock.show_page("score")
    assert shown.verticalScrollBar().maximum() > 0


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


def test_without_a_run_it_says_what_to_do(project, dock):
    report = dock.show_page("report")
    assert not report.none.isHidden()
    assert not any(button.isEnabled() for button in report.buttons.values())


def test_a_report_is_asked_for_after_layers_of_the_run_were_removed_until_it_goes_from_the_list(
    page, dock, run
):
    before = set(QgsProject.instance().mapLayers())
    run(page)
    made = [key for key in QgsProject.instance().mapLayers() if key not in before]
    gone = [key for key in made if key.startswith("Scored_targets")]
    assert gone
    for layers, left in ((gone, 1), (made, 0)):
        dock.show_page("score")
        QgsProject.instance().removeMapLayers(layers)
        spin()
        page.quotes.report.click()
        assert dock.page.key == "report"
        assert dock.page.list.count() == left
    assert not dock.page.buttons[HTML].isEnabled()


def test_a_run_whose_project_goes_goes_from_the_list_on_show(page, dock, run):
    run(page)
    report = dock.show_page("report")
    assert report.list.count() == 1
    QgsProject.instance().clear()
    wait_until(lambda: report.list.count() == 0)
    assert not report.buttons[HTML].isEnabled()


def test_a_search_that_is_in_no_layer_of_the_project_can_be_told(parameters_page, dock, run):
    searched = parameters_page
    searched.form.field(ALPHAS).show_value((0.3, 0.5, 0.2))
    searched.form.field(OMEGAS).show_value((0.5, 1.3, 0.4))
    run(searched)
    finish(searched)
    searched.quotes.report.click()
    report = dock.page
    assert [run.title for run in report.list.chosen()] == [searched.history.shown.title]
    wait_until(lambda: "References" in report.preview.toPlainText())
    assert "Recommended" in report.preview.toPlainText()


def test_every_page_that_runs_offers_a_report(dock):
    assert len(RUNNING) == 5
    for key in RUNNING:
        page = dock.show_page(key)
        assert page.quotes.report.text() == "Report…"
        assert (
            page.results.layout().itemAt(page.results.layout().count() - 1).widget() is page.quotes
        ), key
