"""Page Review in a window of 768 pixels: nothing is cut off, covered or scrolled."""

from __future__ import annotations

import pytest
from qgis.core import QgsProject
from qgis.PyQt.QtCore import QPoint, QRect
from qgis.PyQt.QtWidgets import QWidget
from support.layers import TARGET_BOXES, box_layer, shifted
from support.panel import run_page
from support.qt import spin

#: Height of the dock in a window of 768 pixels.
_HEIGHT = 617
#: Characters of a name that the field of the reviewer shows.
_NAME_LENGTH = 10


@pytest.fixture
def page(dock, project, low_font, tmp_path):
    """Page Review with a false detection and a target without delineation, before saving."""
    drawn = [*shifted(TARGET_BOXES[:-1], 0.5), (60.0, 60.0, 64.0, 64.0)]
    layers = [box_layer("OSBS_029", TARGET_BOXES), box_layer("predictions", drawn)]
    project.addMapLayers(layers)
    project.setCrs(layers[0].crs())
    run_page(dock.show_page("score"))
    return dock.show_page("review")


def covered(page):
    """The widgets of the page that a widget below covers."""
    content = page.body.widget()
    children = content.findChildren(QWidget)
    parts = sorted(
        (part for part in children if part.parent() is content and part.isVisible()),
        key=lambda part: part.y(),
    )
    return [
        upper
        for upper, lower in zip(parts, parts[1:])
        if upper.y() + max(upper.height(), upper.minimumSizeHint().height()) > lower.y()
    ]


@pytest.mark.parametrize("width", [344, 440, 455])
def test_all_widgets_of_the_review_are_seen_before_and_after_the_first_verdict(
    page, dock, tmp_path, width
):
    dock.resize(width, _HEIGHT)
    spin(50)
    assert page.storage_problem_label.isVisible()
    for is_saved in (False, True):
        if is_saved:
            assert QgsProject.instance().write(str(tmp_path / "review.qgz"))
            page.save_verdict("rejected")
            page.go_to(page.session.current_row - 1)
        spin(100)
        assert page.body.verticalScrollBar().maximum() == 0
        assert covered(page) == []
        field = page.reviewer_field
        assert field.fontMetrics().averageCharWidth() * _NAME_LENGTH < field.width()
        for button in (page.quote_row.copy, page.quote_row.report, page.merge_button):
            assert button.visibleRegion().boundingRect() == button.rect()
            assert button.width() >= button.minimumSizeHint().width()
    assert "rejected" in page.crown_label.text()


@pytest.mark.parametrize("width", [344, 600])
def test_steps_are_apart_from_the_verdicts(page, dock, width):
    """A click that just misses Unsure must not go to another crown."""
    dock.resize(width, _HEIGHT)
    spin(50)
    bar = page.verdict_bar
    step_names = ("previous", "next")
    steps = [bar.buttons[name] for name in step_names]
    verdicts = [button for name, button in bar.buttons.items() if name not in step_names]
    assert bar.button_row.is_folded == (width < 400)
    for step in steps:
        place = QRect(step.mapTo(bar, QPoint(0, 0)), step.size()).adjusted(-10, 0, 0, 0)
        for verdict in verdicts:
            if verdict.isVisible():
                other = QRect(verdict.mapTo(bar, QPoint(0, 0)), verdict.size())
                assert not place.intersects(other), verdict.text()
