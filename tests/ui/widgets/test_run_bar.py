"""The bar with the button that runs, progress and Cancel."""

from __future__ import annotations

from qgis.PyQt.QtCore import Qt
from support.qt import wait_until

from randcrowns.ui.services.waiting import RemainingTime
from randcrowns.ui.widgets.progress import RunProgressBar
from randcrowns.ui.widgets.run_widgets import RunBar


def test_a_click_on_cancel_that_comes_when_the_run_has_ended_starts_no_other(qgis_app):
    bar, asked = RunBar(), []
    bar.set_run_state("Score")
    bar.run_requested.connect(lambda: asked.append("run"))
    bar.start()
    bar.cancel_button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    bar.stop()
    bar.run_button.click()
    assert asked == []

    def clicked():
        bar.run_button.click()
        return asked

    wait_until(clicked)


def test_the_next_run_begins_at_once_where_nobody_is_about_to_cancel(qgis_app):
    bar, asked = RunBar(), []
    bar.run_requested.connect(lambda: asked.append("run"))
    bar.start()
    bar.stop()
    bar.run_button.click()
    assert asked == ["run"]


def test_a_narrow_progress_bar_shows_the_remaining_time_as_its_tooltip(qgis_app):
    bar = RunProgressBar()
    times = iter([0.0])
    bar.remaining_time = RemainingTime(lambda: next(times, 10.0))
    bar.resize(300, 24)
    bar.setRange(0, 100)
    bar.show_percent(50)
    assert bar.text() == "50 % · about 10 s left"
    bar.show()
    for width, text in ((60, "50 %"), (300, "50 % · about 10 s left")):
        bar.resize(width, 24)
        assert bar.text() == text
        assert bar.fontMetrics().horizontalAdvance(text) < width
        assert bar.toolTip() == "about 10 s left"
