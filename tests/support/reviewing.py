"""A project with runs of page Score, made once; each test opens a copy of its files, and may do
what it likes.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
from qgis.core import QgsGeometry, QgsProject, QgsVectorLayer
from support.panel import empty_project, opened_dock, run_page
from support.qt import spin

from randcrowns.layers.files.staging import save_as_table
from randcrowns.layers.files.verdict_file import VERDICT_TABLE, VerdictFile

__all__ = [
    "RESULTS",
    "forget_verdicts",
    "ids",
    "is_drawn",
    "layer_named",
    "make_runs",
    "move",
    "newest",
    "of_targets",
    "open_copy",
    "outline",
    "press",
]

_PROJECT = "plot.qgz"
#: The GeoPackage beside the project: what the runs made, and the verdicts.
RESULTS = "plot_randcrowns.gpkg"


def make_runs(
    iface: Any, folder: Path, layers: Sequence[QgsVectorLayer], runs: int = 1, **choices: Any
) -> Path:
    """The folder of a project: the first layer has the targets of so many runs, the others the
    delineations.
    """
    with empty_project() as project:
        kept = [save_as_table(layer, folder / "crowns.gpkg", layer.name()) for layer in layers]
        for layer, before in zip(kept, layers):
            layer.setRenderer(before.renderer().clone())
            layer.setDisplayExpression(before.displayExpression())
        project.addMapLayers(kept)
        project.setCrs(kept[0].crs())
        project.setFileName(str(folder / _PROJECT))
        with opened_dock(iface) as dock:
            page = dock.show_page("score")
            page.form.target_picker.select_layer(kept[0].id())
            page.form.delineation_list.check_layers(tuple(layer.id() for layer in kept[1:]))
            for choice, value in choices.items():
                page.form.set_settings(
                    page.settings_of({**page.settings().to_kept(), choice: value})
                )
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


def forget_verdicts(file: Path, after: int = 0) -> None:
    """Take all verdicts but the first out of a file of results."""
    if len(VerdictFile(file).read()) > after:
        with closing(sqlite3.connect(file)) as database:
            database.execute(f"DELETE FROM {VERDICT_TABLE} WHERE fid > {after}")
            database.commit()


def press(page: Any, name: str) -> None:
    """The key that is QGIS's for it."""
    page.verdict_bar.actions_by_name[name].trigger()
    spin()


def ids(page: Any) -> list[int]:
    """The crowns of page Review's list, in its order."""
    return page.crown_table.model.frame["feature_id"].tolist()


def of_targets(page: Any) -> pd.DataFrame:
    """The targets of page Review by their number."""
    crowns = page.session.crowns
    return crowns[crowns["side"] == "target"].set_index("feature_id")


def outline(page: Any) -> QgsGeometry:
    """The crown at hand, as the map has it."""
    return page.session.scored_layer.layer.getFeature(
        int(page.session.current_crown["feature"])
    ).geometry()


def is_drawn(page: Any) -> bool:
    """Whether the crown at hand is drawn, and in the middle of the map with room around."""
    shown = page.iface.mapCanvas().extent()
    box = outline(page).boundingBox()
    middle = box.center().distance(shown.center()) < box.width()
    drawn = [band.asGeometry() for band in page.highlight.bands]
    return (
        bool(drawn)
        and drawn[-1].isGeosEqual(outline(page))
        and middle
        and shown.width() > 1.5 * box.width()
    )


def move(layer: QgsVectorLayer, number: int, by: float) -> None:
    """A crown of a layer to elsewhere, saved."""
    assert layer.startEditing()
    geometry = layer.getFeature(number).geometry()
    geometry.translate(by, by)
    layer.changeGeometry(number, geometry)
    assert layer.commitChanges()


def newest(page: Any) -> Any:
    """Page Review, with the last run picked: the first that is offered."""
    page.queue_form.layer_box.set_value(page.queue_form.layer_box.options[0].key)
    return page
