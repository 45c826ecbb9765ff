"""All pages give their results the room that the form does not need, and every widget of them a
name.
"""

from __future__ import annotations

import gc
import re

import pytest
from qgis.core import Qgis
from qgis.PyQt.QtCore import QPoint, Qt
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QAbstractButton, QLabel, QScrollArea, QTableView, QToolButton
from qgis.PyQt.QtXml import QDomDocument
from support.accessible import nameless
from support.displayed import displayed_texts, ids_in, legend_texts
from support.layers import TARGET_BOXES, box_layer
from support.overlaps import overlaps
from support.pages import running_pages
from support.qt import is_folded, spin, wait_until
from support.searching import three_layers

from randcrowns.algorithms.detectors.schema.parameters import BOOTSTRAP_SAMPLES
from randcrowns.algorithms.scoring.schema.parameters import DELINEATIONS
from randcrowns.algorithms.scoring.score_crowns import ScoreCrowns
from randcrowns.algorithms.tuning.schema.parameters import ALPHAS, OMEGAS
from randcrowns.core.messages import note
from randcrowns.ui.shell.dock import PAGES, PageButtons
from randcrowns.ui.shell.page import DockPage
from randcrowns.ui.widgets.folded_text import _MessageText

#: Keys of the pages that run an algorithm.
RUNNING = running_pages()


@pytest.fixture
def few(three_people, project):
    """Crowns of three people and of a detector: each page can run, sooner than on the sample
    plot.
    """
    project.addMapLayer(found_boxes())


def found_boxes():
    """Of a detector."""
    rows = [(0.9 - 0.05 * number,) for number in range(len(TARGET_BOXES))]
    return box_layer("boxes", TARGET_BOXES, fields="&field=score:double", rows=rows)


@pytest.mark.parametrize("key", RUNNING)
def test_the_form_folds_after_the_first_run_and_gives_its_room_to_the_results(few, dock, run, key):
    page = dock.show_page(key)
    if key == "parameters":
        page.form.field(ALPHAS).set_value((0.3, 0.9, 0.3))
        page.form.field(OMEGAS).set_value((0.5, 1.5, 0.5))
    if key == "detectors":
        page.form.set_value(BOOTSTRAP_SAMPLES, 10)
    run(page)
    wait_until(lambda: not page.runs.side_run_keys)
    spin(50)
    levels = Qgis.MessageLevel.Success, Qgis.MessageLevel.Warning
    (said,) = (one for level in levels for one in page.iface.messageBar().get_messages(level))
    counted = map(int, re.findall(r"(\d+) (?:warning|note)", said))
    assert sum(counted) == len(page.results.notes.text().splitlines())
    assert is_folded(page)
    form, results = page.splitter.sizes()
    assert form < 0.25 * (form + results)
    assert (
        page.form.height() <= page.run_bar.mapTo(page, page.run_bar.rect().topLeft()).y() + 1
    )  # nothing is scrolled
    assert all(box.title() for box in page.form.group_boxes)
    assert page.form.group_boxes[-1].title().startswith("Output: ")
    page.form.group_boxes[0].setCollapsed(False)
    spin()
    assert form < page.splitter.sizes()[0] <= 2 * page.splitter.height() / 3 + 1
    assert page.form_scroll_area.verticalScrollBar().value() <= page.form.group_boxes[0].y()
    # The groups stay after one was collapsed, so that the Run button is not below the mouse.
    opened_form = page.splitter.sizes()[0]
    page.form.group_boxes[0].setCollapsed(True)
    spin()
    assert form <= page.splitter.sizes()[0] < opened_form
    assert page.form.group_boxes[0].isVisible()
    page.form.collapse()
    spin()
    assert page.splitter.sizes()[0] == pytest.approx(form, abs=2)
    page.window().resize(300, 900)
    for part in page.form.group_boxes:
        part.setCollapsed(False)
    spin()
    results = page.results
    words = [
        label for label in results.findChildren(QLabel) if label.isVisible() and label.wordWrap()
    ]
    words = [
        label
        for label in words
        if not (results.tabs.isAncestorOf(label) or results.notes.isAncestorOf(label))
    ]
    assert words
    for label in words:
        assert label.height() >= label.heightForWidth(label.width()), label.text()
    check_names(dock, page)
    assert ids_in(displayed_texts(page)) == set()
    assert ids_in(legend_texts()) == set()


def check_names(dock, page):
    """Every widget of the results that takes the focus, and of the review that follows a run,
    has a name.
    """
    for number in range(page.results.tabs.count()):
        page.results.tabs.setCurrentIndex(number)
        spin(20)
    assert set(nameless(dock)) == set()
    if page.key == "score":
        dock.show_page("review")
        assert set(nameless(dock)) == set()


def test_the_next_project_begins_with_unfolded_forms_on_pages_out_of_sight_too(few, project, dock):
    for shown, hidden in (
        ("score", [key for key in RUNNING if key != "score"]),
        ("instances", ["score"]),
    ):
        for key in hidden:
            dock.show_page(key).form.collapse()
        other = dock.show_page(shown)
        project.clear()
        project.addMapLayers([*three_layers(), found_boxes()])
        assert other.isVisible()
        for key in hidden:
            page = dock.show_page(key)
            spin()
            assert any(
                label.isVisible() for label in page.form.group_boxes[0].findChildren(QLabel)
            ), key


@pytest.mark.parametrize("key", ["annotators", "parameters"])
def test_a_list_has_twelve_rows_and_as_many_more_as_there_is_room_for(project, dock, key):
    def add(first, last):
        project.addMapLayers(
            [box_layer(f"annotator_{n:02}", TARGET_BOXES) for n in range(first, last + 1)]
        )

    def rows():
        return shown.viewport().height() // shown.sizeHintForRow(0)

    add(1, 12)
    page = dock.show_page(key)
    shown = page.form.annotator_list
    spin(50)
    assert rows() == 12
    dock.resize(400, 1200)
    add(13, 40)
    spin(50)
    wait_until(lambda: rows() > 12)
    most = rows()
    assert most < 40
    assert not page.form_scroll_area.verticalScrollBar().isVisible()
    for height, wanted in ((700, 12), (1200, most)):
        dock.resize(400, height)
        wait_until(lambda wanted=wanted: rows() == wanted)


def test_a_page_that_nobody_sees_follows_the_project_once_it_is_shown_or_keeps_its_choices(
    few, project, dock
):
    score, told = dock.show_page("score"), []
    dock.show_page("annotators")
    score.form.changed.connect(lambda: told.append(score.form.delineation_list.topLevelItemCount()))
    before = score.form.delineation_list.topLevelItemCount()
    later, last = (box_layer(name, TARGET_BOXES) for name in ("later", "last"))
    project.addMapLayer(later)
    later.setName("renamed")
    spin(200)
    assert not told
    dock.show_page("score")
    assert set(told) == {before + 1}
    dock.show_page("annotators")
    project.addMapLayer(last)
    assert set(told) == {before + 1}
    project.writeProject.emit(QDomDocument())
    assert told[-1] == before + 2


def test_a_page_asks_its_algorithm_what_it_would_refuse_without_making_it_anew(
    few, dock, monkeypatch
):
    page, made, asked = dock.show_page("score"), [], []
    monkeypatch.setattr(ScoreCrowns, "initAlgorithm", lambda *_: made.append(page))
    monkeypatch.setattr(ScoreCrowns, "validate", lambda _, given: asked.append(given[DELINEATIONS]))
    page.load_parameters()
    assert [[layer.id() for layer in given] for given in asked] == [
        list(page.form.settings()[DELINEATIONS])
    ]
    assert not made


def test_the_room_of_the_form_has_no_gap_and_is_the_share_that_the_user_gave_it_until_it_is_folded(
    few, project, dock, run
):
    page = dock.show_page("score")
    run(page)
    for width, height in ((600, 1000), (330, 500), (600, 1000)):
        dock.resize(width, height)
        spin(50)
        lowest = page.form.group_boxes[-1]
        if height == 500:  # one line instead of the groups
            lowest = page.form.summary_line
        below = lowest.mapTo(page, lowest.rect().bottomLeft()).y()
        button = page.run_bar.mapTo(page, page.run_bar.rect().topLeft()).y()
        assert button - below < 20
    dock.resize(
        620, 1000
    )  # followed once all within has its size, which is after the user moved the line
    page.splitter.setSizes([300, 500])
    page.splitter.splitterMoved.emit(300, 1)

    def check():
        spin(50)
        assert page.splitter.sizes()[0] > 250

    check()
    dock.resize(500, 900)
    check()
    project.addMapLayer(box_layer("another", TARGET_BOXES))
    check()
    run(page)
    check()
    for part in page.form.group_boxes:
        part.setCollapsed(False)
    page.form.collapse()
    wait_until(lambda: page.splitter.sizes()[0] < 250)


def test_names_of_the_pages_are_whole_or_stand_in_tooltips(dock):
    strip = dock.findChild(PageButtons)
    buttons = strip.findChildren(QToolButton)
    *named, _ = buttons
    assert [button.toolTip() for button in named] == [entry.title for entry in PAGES]
    for width in (300, 330, 360, 480, 800):
        dock.resize(width, 700)
        spin(20)
        assert dock.width() == width
        for button in buttons:
            if button.toolButtonStyle() != Qt.ToolButtonStyle.ToolButtonIconOnly:
                assert button.fontMetrics().horizontalAdvance(button.text()) < button.width()
            assert strip.rect().contains(button.geometry())
            others = [other for other in buttons if other is not button]
            assert not any(button.geometry().intersects(other.geometry()) for other in others)
        if width >= 480:
            assert {button.toolButtonStyle() for button in named} == {
                Qt.ToolButtonStyle.ToolButtonTextUnderIcon
            }


def test_pages_are_seen_from_their_top_however_low_the_dock(few, project, dock):
    """QGIS's boxes scroll to themselves when they unfold, also when nobody clicked."""
    dock.resize(300, 420)

    def seen_from_the_top(key):
        page = dock.show_page(key)
        spin(50)
        assert page.form_scroll_area.verticalScrollBar().value() == 0, key
        return page

    dock.show_page("review")
    for key in RUNNING:
        assert seen_from_the_top(key).form_scroll_area.verticalScrollBar().maximum() > 0, key
    project.addMapLayer(box_layer("another", TARGET_BOXES))
    for key in RUNNING:
        dock.show_page("review")
        page = seen_from_the_top(key)
        page.form.collapse()
        page.form.restore_collapsed()
        seen_from_the_top(key)


def test_a_run_of_a_narrow_dock_cuts_off_no_word_of_the_bar_and_ends_behind_another_page(
    few, project, dock
):
    project.addMapLayers([found_boxes(), found_boxes()])
    dock.resize(300, 900)
    page = dock.show_page("detectors")
    page.form.set_value(BOOTSTRAP_SAMPLES, 10)
    page.start()
    page.run_bar.runs_button.show()
    spin(50)
    bar = page.run_bar
    for button in (bar.run_button, bar.cancel_button, bar.runs_button):
        assert button.width() >= button.minimumSizeHint().width(), button.text()
    page.run_bar.cancel_button.click()
    wait_until(lambda: page.run is None)
    assert "3" in bar.run_button.text()
    dock.resize(300, 1100)
    spin(50)
    page.start()
    dock.show_page("review")
    wait_until(
        lambda: page.run is None and not page.runs.side_run_keys and not page.results.isHidden()
    )
    spin(50)
    dock.show_page("detectors")
    wait_until(lambda: 0 < page.splitter.sizes()[0] < 0.25 * sum(page.splitter.sizes()))


@pytest.fixture
def low_dock(few, dock, low_font):
    """The dock of a window of 1366 x 768 pixels, with the font of a common desktop."""
    dock.resize(440, 637)
    return dock


def is_shown(widget, dock):
    """True if a widget is visible as a whole."""
    return widget.isVisible() and widget.visibleRegion().boundingRect() == widget.rect()


def scroll_bars_around(dock, widget):
    """The visible vertical scroll bars of the areas that contain a widget."""
    areas = [area for area in dock.findChildren(QScrollArea) if area.isAncestorOf(widget)]
    return [area for area in areas if area.verticalScrollBar().isVisible()]


@pytest.mark.parametrize("key", ["score", "annotators", "instances"])
def test_at_768_pixels_answer_five_rows_copy_and_report_are_seen_without_scrolling(
    low_dock, run, key
):
    page = low_dock.show_page(key)
    run(page)
    spin(100)
    table = next(view for view in page.results.tabs.currentWidget().findChildren(QTableView))
    row_count = min(table.model().rowCount(), 5)
    last = table.visualRect(table.model().index(row_count - 1, 0))
    assert row_count > 2
    assert table.viewport().rect().contains(last)
    assert is_shown(page.quote_row.copy, low_dock)
    assert is_shown(page.quote_row.report, low_dock)
    assert not scroll_bars_around(low_dock, page.run_bar)
    assert not scroll_bars_around(low_dock, table), "a scroll bar around another"


def test_at_768_pixels_annotators_are_not_scrolled_in_a_narrow_dock_either(low_dock, run):
    page = low_dock.show_page("annotators")
    run(page)
    low_dock.resize(360, 637)
    spin(100)
    assert not scroll_bars_around(low_dock, page.results.tabs)
    table = page.results.annotator_table.view
    last = table.visualRect(table.model().index(table.model().rowCount() - 1, 0))
    assert table.viewport().rect().contains(last)


@pytest.mark.parametrize("key", ["score", "annotators", "review"])
def test_a_window_of_720_pixels_scrolls_no_page(low_dock, run, key):
    """That is 1920 x 1080 at 150 %: the dock has 440 x 574 pixels."""
    low_dock.resize(440, 574)
    page = low_dock.show_page("annotators" if key == "annotators" else "score")
    run(page)
    if key == "score":
        page.results.crown_table.choose_frame_row(0)
    page = low_dock.show_page(key)
    spin(100)
    assert not scroll_bars_around(low_dock, page)
    assert not scroll_bars_around(low_dock, page.quote_row)
    assert is_shown(page.quote_row.report, low_dock)


@pytest.mark.parametrize("key", ["score", "instances"])
def test_at_768_pixels_five_rows_are_seen_below_the_answer_while_a_crown_is_chosen(
    low_dock, project, run, key
):
    page = low_dock.show_page(key)
    if key == "score":
        others = set(project.mapLayers()) - {page.form.target_picker.layer_id()}
        page.form.delineation_list.check_layers(tuple(sorted(others)[:3]))
    run(page)
    spin(100)
    crowns = page.results.crown_table if key == "score" else page.results.target_table
    assert key != "score" or page.results.layer_table.rowCount() == 3
    crowns.choose_frame_row(0)
    table = crowns.view
    assert table.model().rowCount() >= 5

    def shows_five_rows():
        rows = [table.visualRect(table.model().index(row, 0)) for row in range(5)]
        return all(table.viewport().rect().contains(row) for row in rows)

    wait_until(shows_five_rows, 10)  # the layout takes several rounds of the event loop
    assert is_shown(page.quote_row.copy, low_dock)
    assert is_shown(page.quote_row.report, low_dock)


def test_at_768_pixels_a_folded_form_has_one_line_until_a_click_on_it(low_dock, run):
    page = low_dock.show_page("score")
    form = page.form
    assert form.summary_line.isHidden()
    run(page)
    spin(100)
    assert form.summary_line.isVisible()
    assert not any(box.isVisible() for box in form.group_boxes)
    titles = [box.full_title for box in form.group_boxes if box.summary]
    assert len(titles) > 1
    assert form.summary_line.accessibleName() == " · ".join(titles)

    low_dock.activateWindow()
    spin(20)
    form.summary_line.setFocus(Qt.FocusReason.TabFocusReason)
    form.summary_line.click()
    spin(50)
    assert form.summary_line.isHidden()
    assert all(box.isVisible() for box in form.group_boxes)
    assert form.group_boxes[0].hasFocus()
    form.group_boxes[0].setCollapsed(False)
    spin(50)
    assert form.target_picker.isVisible()

    # Until the next run, the groups stay: the Run button must not move to the mouse.
    form.group_boxes[0].setCollapsed(True)
    spin(50)
    assert form.summary_line.isHidden()
    form.collapse()
    spin(50)
    assert form.summary_line.isVisible()
    form.group_boxes[1].setCollapsed(False)
    spin(50)
    assert form.summary_line.isHidden()
    assert form.lengths_field.isVisible()
    form.collapse()
    low_dock.resize(440, 1000)
    spin(100)
    assert form.summary_line.isHidden()
    assert all(box.isVisible() for box in form.group_boxes)


def test_a_page_is_scrolled_for_its_own_height_and_not_for_that_of_the_highest_page(low_dock, run):
    low_dock.show_page("review")
    for key in RUNNING:
        low_dock.show_page(key)
    low_dock.show_page("start")
    low_dock.resize(440, 480)
    spin(50)
    stack = low_dock.page.parentWidget()
    assert stack.minimumSizeHint().height() == low_dock.page.minimumSizeHint().height()
    highest = max(page.minimumSizeHint().height() for page in low_dock.findChildren(DockPage))
    assert stack.minimumSizeHint().height() < highest


@pytest.mark.parametrize("key", ["score", "annotators", "detectors", "instances"])
def test_the_banner_that_results_are_out_of_date_moves_no_button(low_dock, run, key, monkeypatch):
    page = low_dock.show_page(key)
    if key == "detectors":
        page.form.set_value(BOOTSTRAP_SAMPLES, 10)
    run(page)
    spin(100)

    def places():
        buttons = page.findChildren(QAbstractButton)
        return {
            button: button.mapTo(low_dock, button.rect().topLeft())
            for button in buttons
            if button.isVisible() and not page.results.tabs.isAncestorOf(button)
        }

    before = places()
    assert len(before) > 5
    reason = property(lambda _: "layer 'x' changed.")
    monkeypatch.setattr(type(page.watch), "reason", reason)
    page.show_staleness()
    spin(100)
    assert page.results.stale_label.isVisible()
    assert places() == before


def test_notes_take_one_line_until_they_are_unfolded(low_dock, run):
    page = low_dock.show_page("score")
    run(page)
    notes = page.results.notes
    long_note = note("a.long", "A long note that takes several lines in a narrow dock. " * 6)
    notes.show_messages([long_note])
    spin(20)
    assert notes.height() < 2 * notes.fontMetrics().lineSpacing()
    # A tooltip as wide as the note would cover the arrow; a click shows the note.
    assert notes.summary_label.toolTip() == ""
    QTest.mouseClick(notes.summary_label, Qt.MouseButton.LeftButton)
    spin(20)
    assert notes.height() > 3 * notes.fontMetrics().lineSpacing()
    notes.show_messages([note("a.short", "A short note.")])
    spin(20)
    assert notes.fold_button.isHidden()
    assert notes.summary_label.isVisible()
    notes.show_messages([])
    assert notes.isHidden()


@pytest.mark.parametrize("key", ["score", "annotators", "instances"])
def test_unfolded_notes_are_shown_to_their_end(low_dock, run, key):
    """The tabs give their height to the notes; Qt cut off the text of a few long notes."""
    page = low_dock.show_page(key)
    run(page)
    notes = page.results.notes
    (text,) = notes.findChildren(_MessageText)
    for count in (2, 4, 6, 9, 12):
        sentence = f"Of {count} long notes, this one takes several lines in a narrow dock. " * 3
        notes.show_messages([note(f"a.note{row}", sentence) for row in range(count)])
        notes.fold_button.setChecked(True)
        wait_until(lambda: text.height() >= text.heightForWidth(text.width()))
        assert page.results.tabs.height() >= 80


def test_many_notes_scroll_with_their_page_and_not_within_it(low_dock, run):
    page = low_dock.show_page("score")
    run(page)
    notes = page.results.notes
    notes.show_messages([note(f"a.note{row}", f"Note {row} about layers.") for row in range(40)])
    QTest.mouseClick(notes.summary_label, Qt.MouseButton.LeftButton)
    spin(100)
    assert notes.height() > 30 * notes.fontMetrics().lineSpacing()
    assert not notes.findChildren(QScrollArea)
    assert len(scroll_bars_around(low_dock, notes)) == 1
    QTest.mouseClick(notes, Qt.MouseButton.LeftButton, pos=QPoint(notes.width() // 2, 4))
    spin(100)
    assert notes.summary_label.isVisible()
    assert not scroll_bars_around(low_dock, notes)


#: Keys of the pages whose crown tables explain the selected row.
_WITH_CROWN_TABLES = ["score", "instances"]


@pytest.mark.parametrize("key", RUNNING)
def test_at_768_pixels_nothing_is_drawn_over_another_part_whatever_is_opened(low_dock, run, key):
    """Table, legend, sentence and banner of a page give way to a group that was opened."""
    page = low_dock.show_page(key)
    if key == "detectors":
        page.form.set_value(BOOTSTRAP_SAMPLES, 10)
    if key == "parameters":
        page.form.field(ALPHAS).set_value((0.3, 0.9, 0.3))
        page.form.field(OMEGAS).set_value((0.5, 1.5, 0.5))
    run(page)
    wait_until(lambda: not page.runs.side_run_keys)
    spin(100)
    notes = [note(f"a.note{row}", f"Note {row} about layers.") for row in range(2)]
    page.results.show_messages([*page.results.messages, *notes])
    spin(50)
    if key in _WITH_CROWN_TABLES:
        table = page.results.crown_table if key == "score" else page.results.target_table
        table.choose_frame_row(0)
    found = {}
    for box in page.form.group_boxes:
        page.form.collapse()
        spin(20)
        box.setCollapsed(False)
        for why in ("", "the parameters above changed."):
            page.results.set_stale(why)
            for tab in range(page.results.tabs.count()):
                if page.results.tabs.isTabEnabled(tab):
                    page.results.tabs.setCurrentIndex(tab)
                    for _ in range(10):  # a plot that is drawn first needs its minimum height
                        spin(30)
                        over = overlaps(low_dock)
                        if not over:
                            break
                    found[box.full_title, why, page.results.tabs.tabText(tab)] = over
        page.results.tabs.setCurrentIndex(0)
    assert {name: list_ for name, list_ in found.items() if list_} == {}


def test_the_tabs_of_all_pages_are_narrow_and_drawn_as_others(few, dock):
    """Qt draws tabs with a style sheet of their own unlike all others."""
    for key in RUNNING:
        page = dock.show_page(key)
        page.results.show()
        spin(20)
        bar = page.results.tabs.tabBar()
        gc.collect()
        assert bar.styleSheet() == ""
        for number in range(bar.count()):
            text_width = bar.fontMetrics().horizontalAdvance(bar.tabText(number))
            assert bar.tabRect(number).width() - text_width < 20, (key, bar.tabText(number))


@pytest.mark.parametrize("key", ["score", "annotators"])
@pytest.mark.parametrize("is_hidden", [False, True])
def test_an_empty_page_is_not_scrolled_for_hidden_results(low_dock, project, run, key, is_hidden):
    other = low_dock.show_page("parameters")
    other.results.show()
    spin(100)
    page = low_dock.show_page(key)
    run(page)
    low_dock.resize(440, 360)
    wait_until(lambda: scroll_bars_around(low_dock, page.run_bar) != [])
    if is_hidden:
        low_dock.show_page("start")
    project.removeAllMapLayers()
    spin(100)
    low_dock.show_page(key)
    wait_until(page.empty_state.isVisible)
    wait_until(lambda: not scroll_bars_around(low_dock, page), 10)


def test_the_scatter_plot_does_not_heighten_the_other_tabs(low_dock, run):
    page = low_dock.show_page("score")
    run(page)
    height_before = page.results.minimumSizeHint().height()
    page.results.tabs.setCurrentWidget(page.results.plot)
    wait_until(lambda: page.results.plot.canvas is not None)
    page.results.tabs.setCurrentIndex(0)
    spin(50)
    assert page.results.minimumSizeHint().height() <= height_before
