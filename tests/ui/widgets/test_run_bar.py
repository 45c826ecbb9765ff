"""The bar with the button that runs, progress and Cancel."""

from __future__ import annotations

from qgis.PyQt.QtCore import Qt
from support.qt import wait_until

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
