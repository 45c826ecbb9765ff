"""A project and a dock for tests of the user interface.

Fixtures for one test are in tests/ui/conftest.py. If no test of a file changes anything, the file
uses one project and dock for all tests::

    @pytest.fixture(scope="module")
    def scored(qgis_iface):
        with empty_project() as project, opened_dock(qgis_iface) as dock:
            ...
            run_page(page)
            yield page

No test of such a file uses the fixtures for one test, which clear the project.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from qgis.core import Qgis, QgsProject, QgsVectorLayer
from support.layers import TARGET_BOXES, box_layer, shifted
from support.provider import provider
from support.qt import RUN_SECONDS, spin, wait_until
from support.slots import slots_told

from randcrowns.ui.shell.dock import RandCrownsDock

__all__ = ["add_two_layers", "empty_project", "errors", "opened_dock", "run_page"]


@contextmanager
def empty_project() -> Iterator[QgsProject]:
    """Clear the project before and after."""
    project = QgsProject.instance()
    project.clear()
    try:
        with slots_told():
            yield project
    finally:
        project.clear()


def add_two_layers(project: QgsProject) -> tuple[QgsVectorLayer, QgsVectorLayer]:
    """Add target crowns, and delineations of which one is missing and one is extra."""
    targets = box_layer("crowns", TARGET_BOXES)
    delineations = box_layer("drawn", [*shifted(TARGET_BOXES[:-1], 0.5), (60.0, 60.0, 64.0, 64.0)])
    project.addMapLayers([targets, delineations])
    project.setCrs(targets.crs())
    return targets, delineations


@contextmanager
def opened_dock(iface: Any) -> Iterator[RandCrownsDock]:
    """Show a dock of common size without messages; delete it at the end."""
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
    assert under_way is not None, page.run_problem()
    wait_until(lambda: page.run is not under_way, RUN_SECONDS)
    spin()


def errors(page: Any) -> list[str]:
    """Return the errors in QGIS's message bar."""
    found: list[str] = page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)
    return found
