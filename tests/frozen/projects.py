"""Saved projects in tests/data/frozen/projects: opening them and running their pages as a user does."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from frozen.page_runs import SCOPE, hand_over
from frozen.values import FROZEN, load
from qgis.core import QgsProject, QgsRectangle, QgsVectorLayer
from support.layers import EAST, NORTH
from support.qt import spin

from randcrowns.ui.shell.dock import RandCrownsDock

__all__ = ["NAMES", "PAGES", "SAVED_BY_DOCK", "entries", "handed_over", "shown_dock"]

PAGES = ("score", "annotators", "detectors", "instances", "parameters")
_FOLDER = FROZEN / "projects"
#: Projects that a dock saved, and all projects. The entries of the others are incomplete, invalid
#: or out of range.
SAVED_BY_DOCK = ("defaults", *(f"choices_{number}" for number in range(1, 11)))
NAMES = (
    *SAVED_BY_DOCK,
    *sorted({path.stem for path in _FOLDER.glob("*.qgz")} - set(SAVED_BY_DOCK)),
)
_NO_GRID = ("defaults", *NAMES[len(SAVED_BY_DOCK) :])
#: (project, page) whose grids are large, or whose numbers make no sense: a run is not completed.
_NOT_FOLLOWED = {
    *((name, "parameters") for name in _NO_GRID),
    *((name, "annotators") for name in ("lowest", "highest", "rounded", "rounded_below_1")),
}
_VIEW = QgsRectangle(EAST - 10, NORTH - 10, EAST + 40, NORTH + 40)


def handed_over(name: str, dock: Any, iface: Any, folder: Path) -> dict[str, Any]:
    """Open a copy of a project and press Run on every page with entries of its own.

    Args:
        name: name of the project.
        dock: a dock; earlier projects may have been opened in it.
        iface: QGIS's window.
        folder: an empty folder for the copy and for outputs.

    Returns:
        What each page passes to its algorithms; see :func:`frozen.page_runs.hand_over`.
    """
    shutil.copytree(_FOLDER, folder, dirs_exist_ok=True)
    project, canvas = QgsProject.instance(), iface.mapCanvas()
    keys = load(f"projects/{name}.json")["handed over"].keys()
    pages = [dock.show_page(page) for page in PAGES if page in keys]
    assert project.read(str(folder / f"{name}.qgz")), project.error()
    for layer in project.mapLayers().values():
        if isinstance(layer, QgsVectorLayer):
            layer.select(next(layer.getFeatures()).id())
    canvas.setDestinationCrs(project.crs())
    canvas.setExtent(_VIEW)
    spin()
    found = {}
    for page in pages:
        dock.show_page(page.key)
        found[page.key] = hand_over(page, folder, follow=(name, page.key) not in _NOT_FOLLOWED)
    project.clear()
    return found


def entries() -> dict[str, dict[str, Any]]:
    """Return what the open project stores for each page."""
    project = QgsProject.instance()
    return {page: json.loads(project.readEntry(SCOPE, page, "{}")[0]) for page in PAGES}


@contextmanager
def shown_dock(iface: Any) -> Iterator[Any]:
    """Show a dock of common size; delete it at the end."""
    dock = RandCrownsDock(iface)
    dock.resize(400, 900)
    dock.show()
    try:
        yield dock
    finally:
        dock.close_down()
        dock.close()
        dock.deleteLater()
        spin()
