"""The mouse wheel scrolls pages and dialogs; it changes no value but in a field that has the
focus.
"""

from __future__ import annotations

import pytest
from qgis.core import QgsProject
from qgis.PyQt.QtCore import QCoreApplication, QPoint, QPointF, Qt
from qgis.PyQt.QtGui import QImage, QWheelEvent
from qgis.PyQt.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QScrollArea,
    QScrollBar,
    QSpinBox,
    QTabBar,
    QTextEdit,
    QWidget,
)
from support.layers import load_sample
from support.processing import without_window
from support.qt import spin, wait_until
from support.shown import shows

from randcrowns.algorithms.common_parameters import ALPHA, OWN, PRESET
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.ui.shell.dock import PAGES
from randcrowns.ui.widgets.wheel_guard import WheelGuard

FIELDS = (QAbstractSpinBox, QComboBox, QAbstractSlider, QTabBar)


def turn(widget: QWidget, clicks: int) -> None:
    """Turn the wheel over the middle of a widget, as Qt tells it."""
    place = widget.rect().center()
    event = QWheelEvent(
        QPointF(place),
        QPointF(widget.mapToGlobal(place)),
        QPoint(0, 0),
        QPoint(0, 120 * clicks),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def fields_in(window: QWidget) -> list[QWidget]:
    return [
        one
        for kind in FIELDS
        for one in window.findChildren(kind)
        if not isinstance(one, QScrollBar)
    ]


def values(window: QWidget) -> list[object]:
    """What each field shows."""
    return [
        one.currentIndex()
        if isinstance(one, (QComboBox, QTabBar))
        else getattr(one, "text", one.value)()
        for one in fields_in(window)
    ]


def turn_over_all(window: QWidget) -> None:
    """Turn the wheel both ways over every field, and over what a field is made of."""
    for field in fields_in(window):
        for part in (field, *field.findChildren(QWidget)):
            for clicks in (1, -1, -1):
                turn(part, clicks)
    spin()


@pytest.fixture
def sample(project):
    load_sample(project)


def test_scrolling_a_page_changes_no_value_and_gives_no_field_the_focus(sample, dock):
    for entry in PAGES:
        page = dock.show_page(entry.key)
        if entry.key == "start":  # it has no fields
            continue
        form = getattr(page, "form", page)
        for box in getattr(form, "group_boxes", ()):
            box.setCollapsed(False)
        if PRESET in getattr(form, "parameters", ()):
            form.set_value(PRESET, OWN)
        spin()
        page.setFocus()
        kept = form.settings if hasattr(form, "settings") else page.queue_form.to_stored
        before, settings = values(dock), kept()
        assert len(before) > 8
        assert values(page)
        turn_over_all(page)
        assert values(dock) == before, entry.key
        assert kept() == settings, entry.key
        assert [
            one for one in fields_in(dock) if one.focusPolicy() == Qt.FocusPolicy.WheelFocus
        ] == []


def test_what_a_run_brings_is_watched_too(page, run, dock):
    """Its results, fields that come later, and the window of a plot."""
    run(page)
    page.setFocus()
    before = values(page.results)
    assert before
    turn_over_all(page.results)
    assert values(page.results) == before
    late = QSpinBox()
    page.results.layout().addWidget(late)
    spin()
    QCoreApplication.sendPostedEvents()
    turn(late, 3)
    assert late.value() == 0
    plot = page.results.plot
    plot.open_window()
    late = QSpinBox(plot.separate_window)
    late.show()
    spin()
    turn(late, 3)
    assert late.value() == 0
    plot.close_window()


def test_the_page_is_scrolled_instead(page, dock):
    dock.resize(360, 420)
    for box in page.form.group_boxes:
        box.setCollapsed(False)
    spin(50)
    area = next(one for one in page.findChildren(QScrollArea) if one.widget() is page.form)
    assert area.verticalScrollBar().maximum() > 0
    page.setFocus()
    turn(page.form.field(ALPHA), -1)
    assert area.verticalScrollBar().value() > 0


def test_a_field_with_the_focus_is_changed(page, dock):
    page.form.set_value(PRESET, OWN)
    dock.activateWindow()
    field = page.form.field(ALPHA)
    field.setFocus()
    spin()
    assert field.hasFocus()
    before = field.value()
    turn(field, 1)
    assert field.value() > before


@pytest.fixture
def toolbox(project, monkeypatch):
    """Processing with our algorithms, as QGIS's window has them."""
    without_window(monkeypatch)
    provider = RandCrownsProvider(lambda: "", WheelGuard)
    provider.refreshAlgorithms()
    return provider


@pytest.mark.parametrize("name", ["scorecrowns", "evaluatepointcloud", "rankdetectors"])
def test_processings_own_dialogs_of_our_algorithms_are_watched_as_well(toolbox, sample, name):
    dialog = toolbox.algorithm(name).create().createCustomParametersWidget()
    dialog.show()
    spin()
    (tabs,) = dialog.findChildren(QTabBar)
    tabs.clearFocus()  # Processing gives it the focus, in which the wheel turns the pages
    before = values(dialog)
    assert len(before) > 10
    turn_over_all(dialog)
    assert values(dialog) == before
    dialog.close()


def test_processings_own_dialog_shows_the_image_below_the_crowns_and_no_json(
    toolbox, sample, tmp_path
):
    image = QImage(40, 30, QImage.Format.Format_RGB32)
    assert image.save(str(tmp_path / "a.png"))
    before = QgsProject.instance().layerTreeRoot().children()
    path = tmp_path / "a.csv"
    path.write_text("image_path,xmin,ymin,xmax,ymax\na.png,0,0,4,4\n")
    dialog = toolbox.algorithm("importcrowns").create().createCustomParametersWidget()
    dialog.setParameters({"INPUT": str(path)})
    dialog.show()
    dialog.runAlgorithm()
    wait_until(dialog.wasExecuted)
    log = dialog.findChild(QTextEdit, "txtLog").toPlainText()
    assert shows(log, "headline.import")
    assert "severity" not in log
    assert "entries" not in log
    group, below, *rest = QgsProject.instance().layerTreeRoot().children()
    assert group.name() == "Imported crowns"
    (image_node,) = below.findLayers()
    assert (below.name(), image_node.name(), rest) == ("Images", "a", before)
    assert all(node.itemVisibilityChecked() for node in (group, below, image_node, *rest))
    dialog.close()
