"""Projects saved with the dock's choices in them: making them, and opening them as a user does."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from qgis.core import QgsProject, QgsRectangle, QgsSettings, QgsVectorLayer
from support.frozen_choices import LAYER_KEYS, PAGES, PROJECTS, UNSAVED, Choices
from support.frozen_plot import open_plot, write_plot_files
from support.frozen_seam import SCOPE, hand_over, new_dock
from support.frozen_values import FROZEN
from support.layers import EAST, NORTH
from support.qt import spin

__all__ = ["FOLDER", "NAMES", "entries", "handed_over", "make_projects", "shown_dock"]

FOLDER = FROZEN / "projects"
#: All projects, those first that the dock saved.
NAMES = (*PROJECTS, *UNSAVED)
#: Their grids are large, or their numbers make no sense.
_NOT_FOLLOWED = {
    *((name, "parameters") for name in ("defaults", *UNSAVED)),
    *((name, "annotators") for name in ("lowest", "highest", "rounded", "rounded_below_1")),
}
_ANONYMOUS = "core/projects/anonymize_saved_projects"
_VIEW = QgsRectangle(EAST - 10, NORTH - 10, EAST + 40, NORTH + 40)


def make_projects(iface: Any, folder: Path) -> None:
    """Save every project through the dock, and those that no dock of today would write.

    Raises:
        ValueError: for a choice that the dock did not take.
    """
    write_plot_files(folder)
    QgsSettings().setValue(_ANONYMOUS, True)
    for name, wanted in {**PROJECTS, **UNSAVED}.items():
        project = QgsProject.instance()
        project.clear()
        project.setFileName(str(folder / f"{name}.qgz"))
        layers = open_plot(folder)
        project.addMapLayers(layers)
        project.setCrs(layers[0].crs())
        ids = {layer.name(): layer.id() for layer in layers}
        if name in UNSAVED:
            for page, choices in wanted.items():
                _write_entry(page, _with_ids(choices, ids))
        else:
            with shown_dock(iface) as dock:
                for page in PAGES:
                    _choose(dock.show_page(page), _with_ids(wanted.get(page, {}), ids))
                assert project.write(), project.error()
                continue
        assert project.write(), project.error()
    QgsProject.instance().clear()
    for statistics in folder.glob("*.aux.xml"):
        statistics.unlink()


def handed_over(name: str, dock: Any, iface: Any, folder: Path) -> dict[str, Any]:
    """Open a copy of a project, and press Run on every page with choices of its own: what each
    hands over.

    Args:
        name: of the project.
        dock: in which projects before it may have been opened.
        iface: QGIS's window.
        folder: an empty one, for the copy and for what is made.
    """
    shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
    project, canvas, chosen = (
        QgsProject.instance(),
        iface.mapCanvas(),
        {**PROJECTS, **UNSAVED}[name],
    )
    pages = [dock.show_page(page) for page in PAGES if page in chosen or not chosen]
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
    """What the open project keeps for each page."""
    project = QgsProject.instance()
    return {page: json.loads(project.readEntry(SCOPE, page, "{}")[0]) for page in PAGES}


@contextmanager
def shown_dock(iface: Any) -> Iterator[Any]:
    """The dock at a common size, to the end of its life."""
    dock = new_dock(iface)
    dock.resize(400, 900)
    dock.show()
    try:
        yield dock
    finally:
        dock.close_down()
        dock.close()
        dock.deleteLater()
        spin()


def _choose(page: Any, choices: Choices) -> None:
    """Show the choices in the page's widgets, and keep what the widgets then say."""
    page.keep()
    _write_entry(page.key, {**entries()[page.key], **choices})
    page.restore()
    page.keep()
    kept = entries()[page.key]
    lost = {key: (value, kept.get(key)) for key, value in choices.items() if kept.get(key) != value}
    if lost:
        raise ValueError(f"page {page.key} did not take {lost}")


def _with_ids(choices: Choices, ids: dict[str, str]) -> Choices:
    found: Choices = {}
    for key, value in choices.items():
        if key in LAYER_KEYS:
            value = (
                [ids.get(one, one) for one in value]
                if isinstance(value, list)
                else ids.get(value, value)
            )
        found[key] = value
    return found


def _write_entry(page: str, choices: Choices) -> None:
    QgsProject.instance().writeEntry(SCOPE, page, json.dumps(choices, sort_keys=True))
