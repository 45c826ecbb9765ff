"""A project with runs of page Score. Each test opens a copy of its files, which it may change."""

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
#: GeoPackage with the results of the runs, and the verdicts.
RESULTS = "plot_randcrowns.gpkg"


def make_runs(
    iface: Any, folder: Path, layers: Sequence[QgsVectorLayer], runs: int = 1, **choices: Any
) -> Path:
    """Run page Score ``runs`` times on targets (first layer) and delineations; return the folder."""
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
                    page.settings_of({**page.form.settings().to_stored(), choice: value})
                )
            for _ in range(runs):
                run_page(page)
            assert project.write()
    return folder


def open_copy(made: Path, folder: Path) -> Path:
    """Open a copy of the project; return its file of results."""
    shutil.copytree(made, folder, dirs_exist_ok=True)
    assert QgsProject.instance().read(str(folder / _PROJECT))
    spin()
    return folder / RESULTS


def layer_named(name: str) -> QgsVectorLayer:
    """Return the project's layer of a name."""
    (found,) = QgsProject.instance().mapLayersByName(name)
    return found


def forget_verdicts(file: Path, after: int = 0) -> None:
    """Delete all but the first ``after`` verdicts of a file of results."""
    if len(VerdictFile(file).read()) > after:
        with closing(sqlite3.connect(file)) as database:
            database.execute(f"DELETE FROM {VERDICT_TABLE} WHERE fid > {after}")
            database.commit()


def press(page: Any, name: str) -> None:
    """Trigger an action of the verdict bar."""
    page.verdict_bar.actions_by_name[name].trigger()
    spin()


def ids(page: Any) -> list[int]:
    """Return the ids of the listed crowns of page Review, in their order."""
    return page.crown_table.model.frame["feature_id"].tolist()


def of_targets(page: Any) -> pd.DataFrame:
    """Return the targets of page Review by their id."""
    crowns = page.session.crowns
    return crowns[crowns["side"] == "target"].set_index("feature_id")


def outline(page: Any) -> QgsGeometry:
    """Return the outline of the current crown on the map."""
    return page.session.scored_layer.layer.getFeature(
        int(page.session.current_crown["feature"])
    ).geometry()


def is_drawn(page: Any) -> bool:
    """Return True if the current crown is highlighted in the middle of the map, with a margin."""
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
    """Move a crown of a layer and save it."""
    assert layer.startEditing()
    geometry = layer.getFeature(number).geometry()
    geometry.translate(by, by)
    layer.changeGeometry(number, geometry)
    assert layer.commitChanges()


def newest(page: Any) -> Any:
    """Select the last run on page Review, the first that is offered."""
    page.queue_form.layer_box.set_value(page.queue_form.layer_box.options[0].key)
    return page
