"""Measure what a person waits for in the window of QGIS with 100,000 scored crowns.

The crowns are scored on page Score. Then the scored targets are redrawn next to the plain layer
that they come from, and page Review is opened. In fresh processes, the dock and page Parameters are
opened for the first time::

    QT_QPA_PLATFORM=offscreen python benchmarks/bench_window.py [crowns]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from bench_cloud_page import EventLoopMonitor
from bench_live import open_score_page
from qgis.core import (
    QgsApplication,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsMapRendererSequentialJob,
    QgsMapSettings,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QSize
from scenes import tiled_scene
from table import Row, Time, measure_alternating, measure_time, median_time, report_rows

import randcrowns.core  # noqa: F401 - must be imported before shapely
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.algorithms.scoring.schema.outputs import SCORED_TARGETS
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.review.page import ReviewPage

N_CROWNS = 100_000
REPEATS = 3
#: Size of the picture of the map, pixels.
MAP_SIZE = (1200, 900)
#: Width and height of the detail of the map, m.
DETAIL = (300, 200)
#: Script that prints elapsed and processor time of the dock's and of the page's first opening.
_OPEN_DOCK = """
import time
from unittest.mock import MagicMock
from qgis.core import QgsApplication
application = QgsApplication([], True)
application.initQgis()
import qgis.gui, qgis.utils
from qgis.PyQt.QtWidgets import QMainWindow
iface = MagicMock()
window = QMainWindow()
iface.mainWindow.return_value = window
canvas = qgis.gui.QgsMapCanvas()
iface.mapCanvas.return_value = canvas
qgis.utils.iface = iface
import randcrowns
plugin = randcrowns.classFactory(iface)
plugin.initGui()
application.processEvents()
times = [(time.perf_counter(), time.process_time())]

def shown():
    for _ in range(5):
        application.processEvents()
    times.append((time.perf_counter(), time.process_time()))

from randcrowns.ui.services.settings import set_preference
from randcrowns.ui.shell.dock import RandCrownsDock
set_preference("page", "start")
dock = RandCrownsDock(iface, window)
dock.show()
window.show()
shown()
dock.show_page("parameters")
shown()
print(*(b - a for first, second in zip(times, times[1:]) for a, b in zip(first, second)))
import sys, os
sys.stdout.flush()
os._exit(0)
"""


def dock_rows() -> Iterator[Row]:
    """Yield the rows of the first opening of the dock and of page Parameters."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    dock_times = []
    page_times = []
    for _ in range(REPEATS):
        command = [sys.executable, "-c", _OPEN_DOCK]
        process = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        )
        values = [float(value) for value in process.stdout.split()[-4:]]
        dock_times.append(Time(*values[:2]))
        page_times.append(Time(*values[2:]))
    conditions = "fresh processes, files in the cache, the window's thread"
    yield Row("first opening of the dock", median_time(dock_times), conditions=conditions)
    yield Row("first opening of page Parameters", median_time(page_times), conditions=conditions)


def window_rows(application: QgsApplication, n_crowns: int, folder: Path) -> Iterator[Row]:
    """Yield the rows of the map and of page Review.

    Args:
        application: the running application.
        n_crowns: number of targets, and of delineations.
        folder: an empty folder for layers and results.
    """
    scene = tiled_scene(lambda crowns: crowns, n_crowns)
    page, layers = open_score_page(scene, folder)
    before = page.results.results
    page.start()
    while page.results.results is before:
        application.processEvents()
    scored = next(
        layer
        for layer in QgsProject.instance().mapLayers().values()
        if layer.customProperty(RESULT_PROPERTY) == SCORED_TARGETS.id
    )
    plain = QgsVectorLayer(layers[0].source(), "plain", "ogr")
    yield from _map_rows(scored, plain)
    yield _review_row(application, n_crowns)


def _map_rows(scored: QgsVectorLayer, plain: QgsVectorLayer) -> Iterator[Row]:
    """Yield the rows of the scored targets redrawn, next to the plain layer of the same crowns."""
    whole = plain.extent()
    centre = whole.center()
    half_width, half_height = (side / 2 for side in DETAIL)
    detail = QgsRectangle(
        centre.x() - half_width,
        centre.y() - half_height,
        centre.x() + half_width,
        centre.y() + half_height,
    )
    for name, extent in (
        ("the whole layer", whole),
        (f"{DETAIL[0]} m wide, with labels", detail),
    ):
        ours, theirs = measure_alternating(
            partial(_draw, scored, extent), partial(_draw, plain, extent), repeats=REPEATS
        )
        yield Row(
            "scored targets redrawn",
            ours,
            "the plain layer of the targets",
            theirs,
            conditions=f"{plain.featureCount():,} crowns, {name}; {MAP_SIZE[0]} x {MAP_SIZE[1]} px",
        )


def _draw(layer: QgsVectorLayer, extent: QgsRectangle) -> None:
    """Draw a layer in an extent of its coordinates."""
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setOutputSize(QSize(*MAP_SIZE))
    settings.setExtent(extent)
    settings.setDestinationCrs(layer.crs())
    context = QgsExpressionContext()  # as in the window
    context.appendScope(QgsExpressionContextUtils.globalScope())
    context.appendScope(QgsExpressionContextUtils.mapSettingsScope(settings))
    settings.setExpressionContext(context)
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()


def _review_row(application: QgsApplication, n_crowns: int) -> Row:
    """Return the row of page Review, from its construction to its list."""
    iface = MagicMock()  # The page requires only the map of the window.
    iface.mapCanvas.return_value = QgsMapCanvas()
    monitors: list[EventLoopMonitor] = []
    pages: list[Any] = []

    def open_page() -> None:
        monitors.append(EventLoopMonitor())
        review = ReviewPage(iface)
        pages.append(review)
        review.resize(420, 900)
        review.show()
        while len(review.session.listed_rows) == 0:
            application.processEvents()
            time.sleep(0.002)  # the thread that reads needs Python's lock
        monitors[0].measure()
        monitors[0].timer.stop()

    own_time = measure_time(open_page)
    n_listed = len(pages[0].session.listed_rows)
    return Row(
        "page Review opened",
        own_time,
        conditions=f"{n_crowns:,} targets, {n_listed:,} crowns in the list; longest wait of the "
        f"window {monitors[0].longest_wait:.2f} s",
    )


if __name__ == "__main__":
    report_rows(dock_rows())
    application = QgsApplication([], True)
    application.initQgis()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    with tempfile.TemporaryDirectory() as temporary:
        n_crowns = int(sys.argv[1]) if len(sys.argv) > 1 else N_CROWNS
        report_rows(window_rows(application, n_crowns, Path(temporary)))
    sys.stdout.flush()
    os._exit(0)  # The end of QGIS is not measured.
