"""Scoring while drawing, in a real edit session on page Score: from a layer's signal to the headline and the table.

10,000 targets and 10,000 delineations in GeoPackages, drawn ones of 32 vertices, or along pixels, of about 500.
Each edit is of another crown: its offsets are not known yet. Then the crown is also drawn on the map, which is not
measured here. Processor time stands beside the time gone by.

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
from bench_qgis import save
from qgis.core import QgsApplication, QgsFeature, QgsGeometry, QgsProject, QgsVectorLayer
from qgis.gui import QgsMapCanvas
from scenes import Scene, many, pixel_edged
from table import Row, Time, show

import randcrowns.core  # noqa: F401 - before shapely
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.core.arrays import Objects
from randcrowns.ui.scoring.page import ScorePage

CROWNS, EDITS = 10_000, 60
#: Metres of a pixel: about 500 vertices.
PIXEL = 0.035


def rows() -> Iterator[Row]:
    """Each kind of outline and of edit."""
    application = QgsApplication([], True)
    application.initQgis()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    kinds = (("drawn", lambda crowns: crowns), ("along pixels", partial(pixel_edged, pixel=PIXEL)))
    for name, shape in kinds:
        with tempfile.TemporaryDirectory() as folder:
            yield from _outlines(name, shape, Path(folder), application)


def score_page(scene: Scene, folder: Path) -> tuple[ScorePage, list[QgsVectorLayer]]:
    """Page Score with the layers of a scene, saved in the folder as its results will be, and these layers."""
    layers = []
    for called, crowns in (("targets", scene.targets), ("drawn", scene.delineations)):
        save(crowns, folder / f"{called}.gpkg")
        layers.append(QgsVectorLayer(str(folder / f"{called}.gpkg"), called, "ogr"))
    QgsProject.instance().addMapLayers(layers)
    iface = MagicMock()  # of the window only its map is needed
    iface.mapCanvas.return_value = QgsMapCanvas()
    page = ScorePage(iface)
    page.form.target.pick(layers[0].id())
    page.form.delineations.check((layers[1].id(),))
    page.form.kept_in.set_path(str(folder / "results.gpkg"))  # in memory the results take gigabytes
    page.resize(420, 900)
    page.show()
    return page, layers


def _outlines(
    name: str, shape: Callable[[Objects], Objects], folder: Path, application: QgsApplication
) -> Iterator[Row]:
    scene = many(shape, CROWNS, side=5)
    vertices = int(np.median(shapely.get_num_coordinates(scene.targets)))
    page, layers = score_page(scene, folder)

    def until(done: Callable[[], bool]) -> None:
        while not done():
            application.processEvents()

    page.start()
    under_way = page.run
    until(lambda: page.run is not under_way)
    page.results.live_switch.setChecked(True)
    until(lambda: page.live.is_ready)
    rng = np.random.default_rng(1)
    clock: dict[str, Time] = {}

    def noted(which: str) -> Callable[..., None]:
        return lambda *_: clock.__setitem__(which, Time(time.perf_counter(), time.process_time()))

    page.live.scored.connect(noted("end"))
    for layer in layers:
        for signal in ("geometryChanged", "featureAdded", "featureDeleted"):
            getattr(layer, signal).connect(noted("begin"))
        layer.startEditing()
    for what, layer, edit in (
        ("delineation changed", layers[1], _moved),
        ("target changed", layers[0], _moved),
        ("delineation added", layers[1], _added),
        ("delineation deleted", layers[1], _deleted),
        ("undo", layers[1], lambda layer, *_: layer.undoStack().undo()),
        ("redo", layers[1], lambda layer, *_: layer.undoStack().redo()),
    ):
        times = []
        for number in rng.permutation(CROWNS // 2)[:EDITS]:
            crown = next(layer.getFeatures([int(number) + 1]), QgsFeature())
            clock.clear()
            edit(layer, crown, rng)
            until(lambda: "end" in clock)
            times.append([end - begin for begin, end in zip(clock["begin"], clock["end"])])
            application.processEvents()
        median, late = np.median(times, axis=0), np.quantile(times, 0.95, axis=0)
        within = f"95 % within {1000 * late[0]:.0f} ms ({1000 * late[1]:.0f} ms)"
        told = f"{EDITS} edits among 2 x {CROWNS:,} crowns of {vertices} vertices; {within}"
        yield Row(f"scored while drawing, {name}: {what}", Time(*median), conditions=told)
    page.close_down()
    QgsProject.instance().clear()


def _moved(layer: QgsVectorLayer, crown: QgsFeature, rng: np.random.Generator) -> None:
    shape = QgsGeometry(crown.geometry())
    shape.translate(*rng.normal(0, 0.3, 2))
    layer.changeGeometry(crown.id(), shape)


def _added(layer: QgsVectorLayer, crown: QgsFeature, rng: np.random.Generator) -> None:
    added = QgsFeature(layer.fields())
    shape = QgsGeometry(crown.geometry())
    shape.translate(*rng.normal(0, 0.3, 2))
    added.setGeometry(shape)
    layer.addFeature(added)


def _deleted(layer: QgsVectorLayer, crown: QgsFeature, _rng: np.random.Generator) -> None:
    layer.deleteFeature(crown.id())


if __name__ == "__main__":
    show(rows())
    sys.stdout.flush()
    os._exit(0)  # QGIS's own end is not measured
