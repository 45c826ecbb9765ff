"""A dock that is closed down leaves nothing behind: no run, no listener."""

from __future__ import annotations

from qgis.core import QgsProject
from support.qt import spin, wait_until


def test_closing_down_during_a_run_does_no_harm(page, dock):
    page.start()
    dock.close_down()
    spin(500)
    assert page.run is None


def test_closing_down_takes_every_listener_away(two_layers, algorithms, qgis_iface):
    from randcrowns.ui.shell.dock import RandCrownsDock

    project = QgsProject.instance()
    watched = [
        (project, name)
        for name in ("readProject", "cleared", "writeProject", "layersAdded", "layersRemoved", "layersWillBeRemoved")
    ]
    watched += [
        (two_layers[0], name) for name in ("nameChanged", "selectionChanged", "featureAdded", "geometryChanged")
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
