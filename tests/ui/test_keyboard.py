"""Every page can be used by the keyboard alone, and the focus is visible at each stop."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtCore import QPoint, QRect, Qt
from qgis.PyQt.QtGui import QImage
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QApplication, QWidget
from support.panel import run_page
from support.qt import spin, wait_until

from randcrowns.core.messages import note
from randcrowns.ui.shell.dock import PAGES

#: Maximum number of stops of a page.
_MAX_STOPS = 120
#: Pixels around a widget in which its focus may be drawn.
_MARGIN = 4


@pytest.fixture
def window(dock):
    """The dock in an active window, in which the keyboard moves the focus."""
    dock.resize(440, 1000)
    dock.activateWindow()
    spin(20)
    return dock


def press(key, modifier=Qt.KeyboardModifier.NoModifier):
    """Press a key where the focus is."""
    QTest.keyClick(QApplication.focusWidget(), key, modifier)
    spin()


def tab_to(wanted: QWidget) -> None:
    """Press Tab until a widget has the focus."""
    for _ in range(_MAX_STOPS):
        if QApplication.focusWidget() is wanted:
            return
        press(Qt.Key.Key_Tab)
    raise AssertionError(f"Tab does not reach {wanted}")


def picture_of(widget: QWidget) -> QImage:
    """The picture of a widget with its surroundings in the window."""
    top = widget.window()
    corner = widget.mapTo(top, QPoint(0, 0))
    area = QRect(corner, widget.size()).adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)
    return top.grab(area).toImage()


@pytest.mark.parametrize("key", [entry.key for entry in PAGES])
def test_the_focus_is_visible_at_every_stop(two_layers, window, key):
    page = window.show_page(key)
    first = next(
        widget
        for widget in page.findChildren(QWidget)
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    )
    first.setFocus(Qt.FocusReason.TabFocusReason)
    spin()
    stops = []
    while len(stops) < _MAX_STOPS:
        widget = QApplication.focusWidget()
        if widget in stops:
            break
        stops.append(widget)
        with_focus = picture_of(widget)
        press(Qt.Key.Key_Tab)
        # Styles mark the focus once Tab was pressed for the first time.
        if page.isAncestorOf(widget) and len(stops) > 1:
            assert picture_of(widget) != with_focus, widget
    assert len(stops) > 2


def test_from_the_start_page_to_a_verdict_and_a_report(
    two_layers, window, project, tmp_path, algorithms
):
    """The journey of an annotator: score, worst crown, sort, copy, verdict, report."""
    assert project.write(str(tmp_path / "plot.qgz"))
    start = window.show_page("start")
    first_job = start.job_rows[0].button
    first_job.setFocus(Qt.FocusReason.TabFocusReason)
    press(Qt.Key.Key_Space)
    page = window.page
    assert page.key == "score"

    page.form.target_picker.combo.setFocus(Qt.FocusReason.TabFocusReason)
    tab_to(page.run_bar.run_button)
    press(Qt.Key.Key_Space)
    wait_until(lambda: page.run is None and not page.results.isHidden())
    spin(50)

    tab_to(page.results.crown_table.view)
    press(Qt.Key.Key_Down)
    assert len(page.results.crown_table.view.selected_rows()) == 1
    tab_to(page.quote_row.copy)
    tab_to(page.quote_row.report)

    page.results.crown_table.view.setFocus(Qt.FocusReason.BacktabFocusReason)
    page.results.review_button.setFocus(Qt.FocusReason.TabFocusReason)
    press(Qt.Key.Key_Space)
    review = window.page
    assert review.key == "review"
    before = review.progress_label.text()
    review.crown_table.view.setFocus(Qt.FocusReason.TabFocusReason)
    # The keys belong to the main window, which the window of this test is not.
    for key, name in (("N", "next"), ("1", "accepted")):
        action = review.verdict_bar.actions_by_name[name]
        assert action.shortcut().toString() == key
        action.trigger()
    assert review.progress_label.text() != before

    page = window.show_page("score")
    page.quote_row.report.setFocus(Qt.FocusReason.TabFocusReason)
    press(Qt.Key.Key_Space)
    assert window.page.key == "report"


@pytest.mark.parametrize("key", ["score", "annotators", "instances"])
def test_ctrl_return_runs_and_tab_leads_from_the_form_to_the_results(two_layers, window, key):
    page = window.show_page(key)
    run_page(page)
    page.run_bar.run_button.setFocus(Qt.FocusReason.TabFocusReason)
    tab_to(page.quote_row.report)
    press(Qt.Key.Key_Backtab)
    assert QApplication.focusWidget() is page.quote_row.copy


def test_notes_unfold_by_the_space_bar(two_layers, window):
    page = window.show_page("score")
    run_page(page)
    notes = page.results.notes
    notes.show_messages([note("a.first", "First note."), note("a.second", "Second note.")])
    assert notes.summary_label.text() == "2 notes: First note."
    notes.fold_button.setFocus(Qt.FocusReason.TabFocusReason)
    spin(20)
    height = notes.height()
    press(Qt.Key.Key_Space)
    spin(20)
    assert notes.height() > height
    assert notes.text() == "First note.\nSecond note."
    press(Qt.Key.Key_Space)
    spin(20)
    assert notes.height() == height
