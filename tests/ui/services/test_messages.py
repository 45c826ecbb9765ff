from __future__ import annotations

import pytest
from qgis.core import Qgis, QgsCoordinateReferenceSystem, QgsRectangle
from qgis.gui import QgsMessageBar, QgsMessageLogViewer, QgsMessageViewer
from qgis.PyQt.QtWidgets import QPlainTextEdit, QPushButton, QTextBrowser, QTextEdit
from support.layers import TARGET_BOXES, box_layer
from support.qt import spin, wait_until

from randcrowns.core.errors import InputError
from randcrowns.core.messages import info, note, warning
from randcrowns.ui.services.message_bar import MessageBar, add_sample_plot


@pytest.fixture
def bar(qgis_app):
    made = QgsMessageBar()
    yield made
    made.clearWidgets()
    made.deleteLater()


class Window:
    """A window with a real message bar."""

    def __init__(self, bar):
        self._bar = bar

    def mainWindow(self):  # noqa: N802 - QGIS's name
        return self._bar

    def messageBar(self):  # noqa: N802 - QGIS's name
        return self._bar


def test_the_same_words_are_said_again(bar):
    messages = MessageBar(Window(bar))
    messages.info("Cancelled.")
    first = bar.currentItem()
    messages.info("Cancelled.")
    assert [item.text() for item in bar.items()] == ["Cancelled."]
    assert bar.currentItem() is not first


def test_what_is_longer_than_a_line_is_shown_whole_by_a_button(bar):
    bar.resize(1200, 46)
    bar.show()
    messages, long = (
        MessageBar(Window(bar)),
        "The results' file <a&b> was changed by somebody else. " * 4,
    )
    messages.error("It is short.")
    assert bar.currentItem().findChildren(QPushButton) == []
    for _ in range(2):
        messages.error(long, "what led\nto it")
    item, _ = bar.items()
    assert item.level() == Qgis.MessageLevel.Critical
    spin()
    (words,) = item.findChildren(QTextBrowser)
    margin = words.document().documentMargin()
    assert words.document().size().height() < 2 * (words.fontMetrics().lineSpacing() + margin)
    item.findChild(QPushButton).click()
    (viewer,) = bar.findChildren(QgsMessageViewer)
    assert viewer.isVisible()
    assert viewer.findChild(QTextEdit).toPlainText() == f"{long}\n\nwhat led\nto it"
    viewer.close()


@pytest.mark.parametrize("width", [735, 1100])
def test_a_message_has_one_line_at_every_width_of_the_bar(bar, width):
    bar.resize(width, 46)
    bar.show()
    spin()
    messages = MessageBar(Window(bar))
    text = (
        "34 of 38 targets detected, 0 of 34 predictions without a target; see the layer tree. "
        "2 notes."
    )
    messages.warning("An earlier one.")
    messages.success(text)
    spin()
    item = bar.currentItem()
    (words,) = item.findChildren(QTextBrowser)
    margin = words.document().documentMargin()
    assert words.document().size().height() < 2 * (words.fontMetrics().lineSpacing() + margin)
    assert bool(item.findChildren(QPushButton)) == (item.text() != text)
    assert item.text().startswith("34 of 38 targets")


def test_a_run_fits_into_the_bar_of_a_small_screen_with_its_details_behind_a_button(low_font, bar):
    """The bar over a map in a window of 1366 pixels."""
    bar.resize(735, 46)
    bar.show()
    spin()
    messages = MessageBar(Window(bar))
    found = [warning("bad", "Nothing overlaps."), note("a", "One."), note("b", "Two.")]
    for count in (458, 10_394):
        messages.show_run_messages(f"Scored {count:,} crowns.", found, found)
        text = f"Scored {count:,} crowns. 1 warning, 2 notes."
        assert [item.text() for item in bar.items()] == [text]
    item = bar.currentItem()
    assert item.duration() == 0  # a warning stays until it is closed
    item.findChild(QPushButton).click()
    (viewer,) = bar.findChildren(QgsMessageViewer)
    shown = viewer.findChild(QTextEdit).toPlainText()
    viewer.close()
    assert shown == f"{text}\n\nNothing overlaps.\nOne.\nTwo."
    messages.success("12 temporary layers were saved as tables.", "File: a.gpkg")
    assert {item.text() for item in bar.items()} == {
        text,
        "12 temporary layers were saved as tables.",
    }
    assert bar.currentItem().duration() > 0


@pytest.mark.parametrize("with_button", [False, True])
def test_a_message_alone_in_the_bar_uses_the_room_of_the_number_of_others(
    low_font, bar, with_button
):
    """The bar is as wide as the map in a window of 1366 pixels with the widest dock."""
    bar.resize(620, 46)
    bar.show()
    spin()
    messages = MessageBar(Window(bar))
    bar.pushInfo("Task complete", "Executing “Import crowns”")  # disappears by itself
    if with_button:
        messages.success("Verdict saved in 5_randcrowns.gpkg.", "It is next to the new project.")
        assert bar.currentItem().text() == "Verdict saved in 5_randcrowns.gpkg."
    else:
        found = [warning("bad", "Nothing overlaps."), note("a", "One."), note("b", "Two.")]
        messages.show_run_messages("Scored 458 crowns.", found, found)
        assert bar.currentItem().text() == "Scored 458 crowns. 1 warning, 2 notes."
    bar.popWidget(bar.items()[-1])
    spin()
    (words,) = bar.currentItem().findChildren(QTextBrowser)
    margin = words.document().documentMargin()
    assert words.document().size().height() < 2 * (words.fontMetrics().lineSpacing() + margin)


def test_a_sentence_that_is_too_long_is_cut_between_its_clauses(low_font, bar):
    bar.resize(620, 46)
    bar.show()
    spin()
    messages = MessageBar(Window(bar))
    text = "34 of 38 targets detected, 0 of 34 predictions without a target; see the layer tree."
    messages.success(text, "2 predictions share their score.")
    assert bar.currentItem().text() == "34 of 38 targets detected…"
    messages.success(
        "Cannot: there is a word after a short one which is longer than all the room of the bar."
    )
    assert bar.currentItem().text().startswith("Cannot: there is a word")


def test_a_long_message_is_cut_between_its_sentences(low_font, bar):
    bar.resize(735, 46)
    bar.show()
    spin()
    messages = MessageBar(Window(bar))
    messages.warning("Draw crowns in layer 'a 1.5 m'. It is temporary. " + "Save the project. " * 9)
    assert bar.currentItem().text() == "Draw crowns in layer 'a 1.5 m'. It is temporary."


def test_the_end_of_an_action_replaces_that_of_the_previous_one(bar):
    bar.resize(1200, 46)
    bar.show()
    messages = MessageBar(Window(bar))
    messages.show_widget("Running.", QPushButton())
    messages.success("38 crowns imported.")
    messages.warning("One crown was skipped.")
    messages.success("34 crowns imported.")
    messages.success("34 of 38 targets detected.")
    shown = {item.text() for item in bar.items()}
    assert shown == {"Running.", "One crown was skipped.", "34 of 38 targets detected."}


def test_only_our_own_words_are_taken_back(bar):
    messages = MessageBar(Window(bar))
    bar.pushMessage("QGIS", "saved")
    messages.warning("two")
    messages.info("one")
    messages.clear()
    assert [item.text() for item in bar.items()] == ["saved"]


def test_without_a_window_only_the_log_hears(qgis_app):
    messages = MessageBar(None)
    messages.info("one")
    messages.clear()


def test_what_goes_wrong_while_results_are_shown_is_said(bar, qgis_app):
    logged = []
    qgis_app.messageLog().messageReceived.connect(lambda text, *_: logged.append(text))
    messages = MessageBar(Window(bar))
    with messages.show_errors("the run's log"):
        raise InputError("outline.empty", "The outline is empty.")
    assert [item.text() for item in bar.items()] == ["The outline is empty."]
    messages.clear()
    with messages.show_errors("the run's log"):
        raise KeyError("SUMMARY")
    (said,) = [item.text() for item in bar.items()]
    assert "cannot be shown (KeyError: 'SUMMARY')" in said
    (details,) = [text for text in logged if "Traceback" in text]
    assert "the run's log" in details


def test_the_log_tab_shows_names_letter_by_letter(bar, qgis_app):
    viewer = QgsMessageLogViewer()
    messages = MessageBar(Window(bar))
    messages.warning("Layer <b>bob</b> & <img src=x> is empty.", "a < b\nand > c")
    shown = "".join(page.toPlainText() for page in viewer.findChildren(QPlainTextEdit))
    assert "Layer <b>bob</b> & <img src=x> is empty." in shown
    assert "a < b\n" in shown
    assert "and > c" in shown


def test_the_bar_counts_remarks_which_stand_beside_the_answer_and_in_the_log(bar):
    bar_messages = MessageBar(Window(bar))
    messages = [
        note("input.null", "Layer '{layer}': a crown was skipped.", layer="two\nlines"),
        info("good", "All is well."),
        warning("bad", "Nothing overlaps."),
    ]
    bar_messages.show_run_messages("Done.", messages, [messages[0], messages[2]])
    assert bar.currentItem().text() == "Done. 1 warning, 1 note."
    assert bar.currentItem().level() == Qgis.MessageLevel.Warning
    bar_messages.clear()
    bar_messages.show_run_messages(
        "Done.", messages, messages[:1]
    )  # the warning stands elsewhere on the page
    assert bar.currentItem().text() == "Done. 1 note."
    assert bar.currentItem().level() == Qgis.MessageLevel.Warning
    bar_messages.clear()
    bar_messages.show_run_messages("Done.", messages[:2], messages[:1])
    assert bar.currentItem().text() == "Done. 1 note."
    assert bar.currentItem().level() == Qgis.MessageLevel.Success
    bar_messages.clear()
    bar_messages.show_run_messages("Done.", messages[1:2], [])
    assert bar.currentItem().text() == "Done."


def test_what_qgis_says_of_our_tasks_does_not_cover_our_own_words(bar):
    messages = MessageBar(Window(bar))
    messages.success("Scored 3 crowns.")
    messages.remove_task_message(
        "Executing “Score crowns”"
    )  # the task has ended, and QGIS says so next
    for text in ("Executing “Score crowns”", "Executing “Buffer”"):
        bar.pushInfo("Task complete", text)
    wait_until(lambda: len(bar.items()) == 2)
    assert {item.text() for item in bar.items()} == {"Scored 3 crowns.", "Executing “Buffer”"}


def test_the_sample_plot_is_shown_whatever_the_map_showed(project, qgis_iface):
    project.addMapLayer(box_layer("elsewhere", TARGET_BOXES))
    canvas = qgis_iface.mapCanvas()
    canvas.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:32617"))
    canvas.setExtent(QgsRectangle(0, 0, 50, 50))
    assert add_sample_plot(qgis_iface)
    (image,) = project.mapLayersByName("image")
    assert canvas.extent().intersects(image.extent())
    assert canvas.extent().width() < 5 * image.extent().width()
