"""Page Report and the runs of the other pages: which are listed, and which of them is ticked."""

from __future__ import annotations

from qgis.core import QgsProject
from qgis.PyQt.QtCore import QPoint, Qt
from support.pages import running_pages
from support.qt import spin, wait_until
from support.searching import finish

from randcrowns.algorithms.report.schema.parameters import HTML
from randcrowns.algorithms.tuning.schema.parameters import ALPHAS, OMEGAS


def test_opened_by_its_icon_it_ticks_the_run_of_the_page_that_one_comes_from(page, dock, run):
    run(page)
    page.quote_row.report.click()
    first = dock.page.run_list.checked_keys()
    dock.show_page("score")
    run(page)
    report = dock.show_page("report")
    assert report.run_list.count() == 2
    assert report.run_list.checked_keys() == (page.history.shown_record.id,) != first
    both = [report.run_list.item(row).data(0x0100) for row in range(2)]
    report.run_list.check_keys(both)
    dock.show_page("score")
    assert (
        len(dock.show_page("report").run_list.checked_keys()) == 2
    )  # what was ticked by hand stays
    dock.show_page("score")
    page.history.show(page.history.runs()[1])
    assert dock.show_page("report").run_list.checked_keys() == first
    dock.show_page("detectors")
    assert (
        dock.show_page("report").run_list.checked_keys() != first
    )  # the last run, where the page shows none


def test_the_run_ticked_is_in_sight_however_far_down_it_stands(page, dock, run):
    for _ in range(9):
        run(page)
    for number in (8, 0):
        page.history.show(page.history.runs()[number])
        shown = dock.show_page("report").run_list
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
    item = report.run_list.item(0)
    lines = (
        report.run_list.visualItemRect(item).height() // report.run_list.fontMetrics().lineSpacing()
    )
    width = report.run_list.fontMetrics().horizontalAdvance(item.text())
    assert lines * report.run_list.viewport().width() > width
    assert report.run_list.height() >= report.run_list.visualItemRect(item).height()
    assert dock.minimumSizeHint().width() <= 360
    assert dock.minimumSizeHint().height() <= 300


def test_without_a_run_it_says_what_to_do(project, dock):
    report = dock.show_page("report")
    assert not report.no_runs_label.isHidden()
    assert not any(button.isEnabled() for button in report.save_buttons.values())


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
        page.quote_row.report.click()
        assert dock.page.key == "report"
        assert dock.page.run_list.count() == left
    assert not dock.page.save_buttons[HTML].isEnabled()


def test_a_run_whose_project_goes_goes_from_the_list_on_show(page, dock, run):
    run(page)
    report = dock.show_page("report")
    assert report.run_list.count() == 1
    QgsProject.instance().clear()
    wait_until(lambda: report.run_list.count() == 0)
    assert not report.save_buttons[HTML].isEnabled()


def test_a_search_that_is_in_no_layer_of_the_project_can_be_told(parameters_page, dock, run):
    searched = parameters_page
    searched.form.field(ALPHAS).set_value((0.3, 0.5, 0.2))
    searched.form.field(OMEGAS).set_value((0.5, 1.3, 0.4))
    run(searched)
    finish(searched)
    searched.quote_row.report.click()
    report = dock.page
    assert [run.title for run in report.run_list.checked_runs()] == [
        searched.history.shown_record.title
    ]
    wait_until(lambda: "References" in report.preview.toPlainText())
    assert "Recommended" in report.preview.toPlainText()


def test_every_page_that_runs_offers_a_report(dock):
    for key in running_pages():
        page = dock.show_page(key)
        assert page.quote_row.report.text() == "Report…"
        assert (
            page.results.layout().itemAt(page.results.layout().count() - 1).widget()
            is page.quote_row
        ), key


def test_the_buttons_keep_their_place_on_every_visit(two_layers, dock, run):
    dock.resize(350, 640)
    page = dock.show_page("score")
    run(page)
    report = dock.show_page("report")
    button = report.save_buttons[HTML]

    def look():
        """The place of a button, the width of the texts, and the scroll position of the form."""
        spin(50)
        return (
            button.mapTo(report, QPoint(0, 0)).y(),
            report.run_list.viewport().width(),
            report.form_area.verticalScrollBar().value(),
        )

    first = look()
    for _ in range(3):
        dock.show_page("score")
        run(page)
        dock.show_page("report")
        assert look() == first
        report.form_area.verticalScrollBar().setValue(20)
