"""The width at which the dock opens, and the names of its pages at every width."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QLabel, QToolButton
from support.qt import spin

from randcrowns.ui.shell.dock import PAGES, PageButtons, RandCrownsDock, opening_width

_NAMED = Qt.ToolButtonStyle.ToolButtonTextUnderIcon
_BESIDE = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
_ICONS = Qt.ToolButtonStyle.ToolButtonIconOnly


@pytest.mark.parametrize(
    ("window", "dock_width"), [(1920, 440), (1366, 440), (1320, 440), (1200, 400), (640, 300)]
)
def test_the_dock_opens_at_440_pixels_or_a_third_of_the_window(window, dock_width):
    assert opening_width(window) == dock_width


@pytest.fixture
def small_font(qgis_app):
    """The font of a common desktop, 9 points, which the screen of the tests does not have."""
    before = qgis_app.font()
    font = qgis_app.font()
    font.setPointSizeF(9)
    qgis_app.setFont(font)
    yield
    qgis_app.setFont(before)


@pytest.fixture
def strip(small_font, dock):
    dock.show_page("start")
    return dock.findChild(PageButtons)


def page_buttons(strip: PageButtons) -> list[QToolButton]:
    return [button for button in strip.findChildren(QToolButton) if button.isCheckable()]


@pytest.mark.parametrize(("width", "row_count"), [(360, 2), (440, 1), (700, 1)])
def test_names_stand_below_the_icons_from_360_pixels(strip, dock, width, row_count):
    dock.resize(width, 700)
    spin(20)
    buttons = page_buttons(strip)
    assert len(buttons) == len(PAGES)
    assert {button.toolButtonStyle() for button in buttons} == {_NAMED}
    assert len({button.y() for button in buttons}) == row_count
    for button in buttons:
        assert button.fontMetrics().horizontalAdvance(button.text()) < button.width()
        assert button.geometry().right() < strip.width()
    assert dock.windowTitle() == "RandCrowns"


def test_every_text_has_the_size_of_a_font_that_is_chosen_while_the_dock_is_open(
    qgis_app, dock, request
):
    page = dock.show_page("score")
    tuning = dock.show_page("parameters")
    dock.show_page("score")
    before = qgis_app.font().pointSizeF()
    request.getfixturevalue("small_font")
    spin(20)
    assert before != 9
    for label in (*page.findChildren(QLabel), tuning.results.tabs.tabBar()):
        assert label.font().pointSizeF() == 9, label


def test_names_in_two_rows_stand_beside_the_icons_in_a_low_dock(strip, dock, low_font):
    """A window of 1280 x 720 pixels, as 1920 x 1080 at 150 %, leaves 540 pixels for the dock."""
    buttons = page_buttons(strip)
    for button in buttons:
        button.setText(f"{button.text()} page")  # as long as in other languages
    heights = {}
    width = 60 * len(buttons)
    for height, style in ((700, _NAMED), (540, _BESIDE), (700, _NAMED)):
        dock.resize(width, height)
        spin(20)
        assert {button.toolButtonStyle() for button in buttons} == {style}
        assert len({button.y() for button in buttons}) == 2
        heights[height] = strip.height()
        for button in buttons:
            icon_width = button.iconSize().width() if style == _BESIDE else 0
            name_width = button.fontMetrics().horizontalAdvance(button.text())
            assert name_width + icon_width < button.width()
            assert button.geometry().right() < strip.width()
    assert heights[540] < heights[700] - 25


def test_in_a_narrower_dock_the_title_has_the_name_of_the_page(strip, dock):
    dock.resize(310, 700)
    spin(20)
    assert {button.toolButtonStyle() for button in page_buttons(strip)} == {_ICONS}
    assert dock.windowTitle() == "RandCrowns: Start"
    dock.show_page("annotators")
    assert dock.windowTitle() == "RandCrowns: Annotators"
    dock.resize(440, 700)
    spin(20)
    assert dock.windowTitle() == "RandCrowns"


def test_a_dock_that_was_never_used_shows_page_start(project, qgis_iface, algorithms):
    from qgis.core import QgsSettings

    QgsSettings().remove("RandCrowns/page")
    made = RandCrownsDock(qgis_iface)
    assert made.page.key == "start"
    made.close_down()
    made.deleteLater()
    spin()
