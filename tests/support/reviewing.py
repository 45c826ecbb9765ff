"""A project with runs of page Score, made once; each test opens a copy of its files, and may do what it likes."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from qgis.core import QgsProject, QgsVectorLayer
from support.panel import empty_project, opened_dock, run_page
from support.qt import spin

from randcrowns.layers.files.staged import keep_in_file

__all__ = ["RESULTS", "layer_named", "make_runs", "open_copy"]

_PROJECT = "plot.qgz"
#: The GeoPackage beside the project: what the runs made, and the verdicts.
RESULTS = "plot_randcrowns.gpkg"


def make_runs(iface: Any, folder: Path, layers: Sequence[QgsVectorLayer], runs: int = 1, **choices: Any) -> Path:
    """The folder of a project: the first layer has the targets of so many runs, the others the delineations."""
    with empty_project() as project:
        kept = [keep_in_file(layer, folder / "crowns.gpkg", layer.name()) for layer in layers]
        for layer, before in zip(kept, layers):
            layer.setRenderer(before.renderer().clone())
            layer.setDisplayExpression(before.displayExpression())
        project.addMapLayers(kept)
        project.setCrs(kept[0].crs())
        project.setFileName(str(folder / _PROJECT))
        with opened_dock(iface) as dock:
            page = dock.show_page("score")
            page.form.target.pick(kept[0].id())
            page.form.delineations.check(tuple(layer.id() for layer in kept[1:]))
            for choice, value in choices.items():
                page.form.show_settings(page.settings_of({**page.settings().to_kept(), choice: value}))
            for _ in range(runs):
                run_page(page)
            assert project.write()
    return folder


def open_copy(made: Path, folder: Path) -> Path:
    """A copy of the project, opened; its file of results."""
    shutil.copytree(made, folder, dirs_exist_ok=True)
    assert QgsProject.instance().read(str(folder / _PROJECT))
    spin()
    return folder / RESULTS


def layer_named(name: str) -> QgsVectorLayer:
    """The project's layer of that name."""
    (found,) = QgsProject.instance().mapLayersByName(name)
    return found
