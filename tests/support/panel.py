"""A project and a dock for tests of the user interface: for one test, or for all of a file that
only looks.

The fixtures of one test are in tests/ui/conftest.py. A file whose tests leave everything as they
found it makes its own for all of them::

    @pytest.fixture(scope="module")
    def scored(qgis_iface):
        with empty_project() as project, opened_dock(qgis_iface) as dock:
            ...
            run_page(page)
            yield page

No other test of such a file uses the fixtures of one test: they clear the project.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from qgis.core import QgsProject, QgsVectorLayer
from support.boxes import TARGET_BOXES, box_layer, shifted
from support.provider import provider
from support.qt import spin, wait_until
from support.slots import slots_told

from randcrowns.ui.shell.dock import RandCrownsDock

__all__ = ["add_two_layers", "empty_project", "opened_dock", "run_page"]


@contextmanager
def empty_project() -> Iterator[QgsProject]:
    """The project without a layer, before and after."""
    project = QgsProject.instance()
    project.clear()
    try:
        with slots_told():
            yield project
    finally:
        project.clear()


def add_two_layers(project: QgsProject) -> tuple[QgsVectorLayer, QgsVectorLayer]:
    """Target crowns; delineations that fit, leave one crown out, and have one extra."""
    targets = box_layer("crowns", TARGET_BOXES)
    delineations = box_layer("drawn", [*shifted(TARGET_BOXES[:-1], 0.5), (60.0, 60.0, 64.0, 64.0)])
    project.addMapLayers([targets, delineations])
    project.setCrs(targets.crs())
    return targets, delineations


@contextmanager
def opened_dock(iface: Any) -> Iterator[RandCrownsDock]:
    """The dock at a common size, to the end of its life; nothing was told before."""
    iface.messageBar().clear_messages()
    provider()
    made = RandCrownsDock(iface)
    made.resize(400, 900)
    made.show()
    try:
        yield made
    finally:
        made.close_down()
        made.close()
        made.deleteLater()
        spin()


def run_page(page: Any) -> None:
    """Run a page and wait for its end."""
    page.start()
    under_way = page.run
    assert under_way is not None, page.why_not()
    wait_until(lambda: page.run is not under_way)
    spin()
