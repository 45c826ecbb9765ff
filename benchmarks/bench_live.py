"""Measure scoring while drawing, in an edit session on page Score.

A time is that from the layer's signal to the updated headline and table. The scenes have 10,000 or
50,000 targets and as many delineations in GeoPackages, drawn ones of 32 vertices, or along pixels,
of about 500. Each edit changes another crown, whose offsets are not known yet. Drawing the map is
not measured::

    QT_QPA_PLATFORM=offscreen python benchmarks/bench_live.py
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from unittest.mock import MagicMock

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import shapely
from bench_cloud_page import EventLoopMonitor
from bench_qgis import write_geopackage
from qgis.core import QgsApplication, QgsFeature, QgsGeometry, QgsProject, QgsVectorLayer
from qgis.gui import QgsMapCanvas
from scenes import Scene, pixel_outlines_in_place, tiled_scene
from table import Row, Time, measure_time, report_rows

import randcrowns.core  # noqa: F401 - must be imported before shapely
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.core.arrays import Objects
from randcrowns.ui.scoring.page import ScorePage

N_CROWNS = 10_000
N_MANY_CROWNS = 50_000
N_EDITS = 60
#: Size of a pixel, m; crowns have about 500 vertices.
PIXEL = 0.035


def rows() -> Iterator[Row]:
    """Yield one row for each kind of outline and of edit."""
    application = QgsApplication([], True)
    application.initQgis()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    shapes: list[tuple[str, int, Callable[[Objects], Objects]]] = [
        ("drawn", N_CROWNS, lambda crowns: crowns),
        ("drawn", N_MANY_CROWNS, lambda crowns: crowns),
        ("along pixels", N_CROWNS, partial(pixel_outlines_in_place, pixel=PIXEL)),
    ]
    for name, n_crowns, shape in shapes:
        with tempfile.TemporaryDirectory() as folder:
            scene = tiled_scene(shape, n_crowns, side=5)
            yield from _edit_rows(name, scene, Path(folder), application)


def open_score_page(scene: Scene, folder: Path) -> tuple[ScorePage, list[QgsVectorLayer]]:
    """Show page Score with the layers of a scene.

    Args:
        scene: the crowns.
        folder: folder for the layers and for the results of runs.

    Returns:
        The page, and the layers of the targets and of the delineations.
    """
    layers = []
    for name, crowns in (("targets", scene.targets), ("drawn", scene.delineations)):
        write_geopackage(crowns, folder / f"{name}.gpkg")
        layers.append(QgsVectorLayer(str(folder / f"{name}.gpkg"), name, "ogr"))
    QgsProject.instance().addMapLayers(layers)
    iface = MagicMock()  # The page requires only the map of the window.
    iface.mapCanvas.return_value = QgsMapCanvas()
    page = ScorePage(iface)
    page.form.target_picker.select_layer(layers[0].id())
    page.form.delineation_list.check_layers((layers[1].id(),))
    # In memory the results would take gigabytes.
    page.form.result_file_field.set_path(str(folder / "results.gpkg"))
    page.resize(420, 900)
    page.show()
    return page, layers


def _edit_rows(name: str, scene: Scene, folder: Path, application: QgsApplication) -> Iterator[Row]:
    """Yield the row of the start, and one row for each kind of edit.

    Args:
        name: name of the outlines.
        scene: targets and delineations.
        folder: an empty folder.
        application: the running application.
    """
    n_crowns = len(scene.targets)
    n_vertices = int(np.median(shapely.get_num_coordinates(scene.targets)))
    page, layers = open_score_page(scene, folder)

    def wait_until(is_done: Callable[[], bool]) -> None:
        while not is_done():
            application.processEvents()

    page.start()
    run = page.run
    wait_until(lambda: page.run is not run)

    def switch_on() -> None:
        page.results.live_switch.setChecked(True)
        wait_until(lambda: page.live_scoring.is_ready)

    monitor = EventLoopMonitor()
    start_time = measure_time(switch_on)
    monitor.measure()
    monitor.timer.stop()
    yield Row(
        f"scoring while drawing switched on, {name}",
        start_time,
        conditions=f"2 x {n_crowns:,} crowns of {n_vertices} vertices; longest wait of the window "
        f"{monitor.longest_wait:.2f} s",
    )

    #: Last time of the events "begin" and "end".
    last: dict[str, Time] = {}

    def record(event: str) -> Callable[..., None]:
        """Return a slot that records the time of an event."""

        def slot(*_: object) -> None:
            last[event] = Time(time.perf_counter(), time.process_time())

        return slot

    page.live_scoring.edits_scored.connect(record("end"))
    for layer in layers:
        for signal in ("geometryChanged", "featureAdded", "featureDeleted"):
            getattr(layer, signal).connect(record("begin"))
        layer.startEditing()

    targets, delineations = layers
    rng = np.random.default_rng(1)
    for description, layer, edit in (
        ("delineation changed", delineations, _move),
        ("target changed", targets, _move),
        ("delineation added", delineations, _add),
        ("delineation deleted", delineations, _delete),
        ("undo", delineations, _undo),
        ("redo", delineations, _redo),
    ):
        times = []
        for number in rng.permutation(n_crowns // 2)[:N_EDITS]:
            crown = next(layer.getFeatures([int(number) + 1]), QgsFeature())
            last.clear()
            edit(layer, crown, rng)
            wait_until(lambda: "end" in last)
            times.append([end - begin for begin, end in zip(last["begin"], last["end"])])
            application.processEvents()
        wall, processor = np.quantile(times, 0.95, axis=0)
        yield Row(
            f"scored while drawing, {name}: {description}",
            Time(*np.median(times, axis=0)),
            conditions=f"{N_EDITS} edits among 2 x {n_crowns:,} crowns of {n_vertices} vertices; "
            f"95 % within {1000 * wall:.0f} ms ({1000 * processor:.0f} ms)",
        )
    page.close_down()
    QgsProject.instance().clear()


def _move(layer: QgsVectorLayer, crown: QgsFeature, rng: np.random.Generator) -> None:
    """Move a crown by about 0.3 m."""
    geometry = QgsGeometry(crown.geometry())
    geometry.translate(*rng.normal(0, 0.3, 2))
    layer.changeGeometry(crown.id(), geometry)


def _add(layer: QgsVectorLayer, crown: QgsFeature, rng: np.random.Generator) -> None:
    """Add a copy of a crown that is moved by about 0.3 m."""
    copy = QgsFeature(layer.fields())
    geometry = QgsGeometry(crown.geometry())
    geometry.translate(*rng.normal(0, 0.3, 2))
    copy.setGeometry(geometry)
    layer.addFeature(copy)


def _delete(layer: QgsVectorLayer, crown: QgsFeature, _rng: np.random.Generator) -> None:
    """Delete a crown."""
    layer.deleteFeature(crown.id())


def _undo(layer: QgsVectorLayer, _crown: QgsFeature, _rng: np.random.Generator) -> None:
    """Undo the last edit of a layer."""
    layer.undoStack().undo()


def _redo(layer: QgsVectorLayer, _crown: QgsFeature, _rng: np.random.Generator) -> None:
    """Redo the last undone edit of a layer."""
    layer.undoStack().redo()


if __name__ == "__main__":
    report_rows(rows())
    sys.stdout.flush()
    os._exit(0)  # The end of QGIS is not measured.
