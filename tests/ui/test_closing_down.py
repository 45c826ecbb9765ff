"""A dock that is closed down leaves nothing behind: no run, no listener."""

from __future__ import annotations

import weakref

import pytest
from qgis.core import QgsProject
from qgis.PyQt.QtCore import QObject, QTimer
from support.qt import spin, wait_until

from randcrowns.ui.services import background


def test_closing_down_during_a_run_does_no_harm(page, dock):
    page.start()
    dock.close_down()
    spin(500)
    assert page.run is None


def test_a_page_that_closes_while_rows_are_read(page, run, monkeypatch):
    run(page)
    monkeypatch.setattr(background, "_MAX_ROWS_AT_ONCE", 0)
    page.history.show(page.history.runs()[0])
    page.start()
    page.close_down()
    spin(500)
    assert page.results.results is None


def test_closing_down_takes_every_listener_away(two_layers, algorithms, qgis_iface):
    from randcrowns.ui.shell.dock import RandCrownsDock

    project = QgsProject.instance()
    watched = [
        (project, name)
        for name in (
            "readProject",
            "cleared",
            "writeProject",
            "layersAdded",
            "layersRemoved",
            "layersWillBeRemoved",
        )
    ]
    watched += [
        (two_layers[0], name)
        for name in ("nameChanged", "selectionChanged", "featureAdded", "geometryChanged")
    ]

    def listeners():
        return [sender.receivers(getattr(sender, name)) for sender, name in watched]

    before = listeners()
    made = RandCrownsDock(qgis_iface)
    made.show_page("score").start()
    wait_until(lambda: made.page.run is None)
    assert listeners() != before
    made.close_down()
    made.deleteLater()
    spin(50)
    for layer in list(project.mapLayers().values()):
        if layer not in two_layers:
            project.removeMapLayer(layer.id())
    assert listeners() == before


class Late(QObject):
    """Does something later."""

    def act(self) -> None:
        raise AssertionError("the method put in was asked for")


@pytest.fixture
def afterwards():
    """What was put in is still there when all is put back, and a slot that waits can be called."""
    late, made = Late(), []
    yield late, made
    assert made[0]() is not None
    spin()
    assert made[1:] == ["called"]


def test_a_slot_that_waits_outlives_the_patch_that_it_came_from(afterwards, monkeypatch):
    late, made = afterwards
    monkeypatch.setattr(Late, "act", lambda self: made.append("called"))
    made.append(weakref.ref(Late.act))
    QTimer.singleShot(0, late.act)
