"""Measure point clouds of 3,000,000 and 10,000,000 points, in the toolbox and on page Instances.

The rows contain time and memory of a run, the maximum wait of the window, and how fast a run ends
after Cancel. The clouds are simulated, with 500 trees, and read from a LAZ file. The peer is laspy,
which only reads the file::

    python benchmarks/bench_cloud_page.py [points]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from unittest.mock import MagicMock

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import laspy
from qgis.core import QgsApplication, QgsProcessingContext, QgsProcessingFeedback
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QTimer
from table import (
    Row,
    Time,
    measure_alternating,
    measure_memory,
    measure_time,
    report_rows,
)

# The generator of the cloud is in the folder of the scripts.
sys.path.append(str(Path(__file__).resolve().parents[1] / "scripts"))

from sample.files import write_cloud

import randcrowns.core  # noqa: F401 - must be imported before shapely
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.ui.instances.form import INPUT_KIND
from randcrowns.ui.instances.page import InstancesPage

N_POINTS = (3_000_000, 10_000_000)
N_TREES = 500
#: Progress at which runs are cancelled, percent.
CANCEL_AT = (5, 35, 50, 80)
#: More than the progress bar ever shows.
_NEVER = 1000


class EventLoopMonitor:
    """A timer of the window's event loop that measures the gaps between its events.

    Attributes:
        longest: maximum elapsed time between two events, s.
        busy: maximum processor time of the window's thread between two events, s.
    """

    def __init__(self) -> None:
        self.longest_wait = 0.0
        self.longest_busy = 0.0
        self._last_time = time.perf_counter()
        self._last_thread_time = time.thread_time()
        self.timer = QTimer()
        self.timer.setInterval(10)
        self.timer.timeout.connect(self.measure)
        self.timer.start()

    def measure(self) -> None:
        """Update the maxima with the gap since the last event."""
        now = time.perf_counter()
        thread_time = time.thread_time()
        self.longest_wait = max(self.longest_wait, now - self._last_time)
        self.longest_busy = max(self.longest_busy, thread_time - self._last_thread_time)
        self._last_time = now
        self._last_thread_time = thread_time


def rows(application: QgsApplication, n_points: int) -> Iterator[Row]:
    """Yield the row of one full run and several cancelled runs.

    Args:
        application: the running application.
        n_points: number of points.
    """
    iface = MagicMock()
    iface.mapCanvas.return_value = QgsMapCanvas()
    page = InstancesPage(iface)
    page.show()

    def run_until(percent: float) -> None:
        """Start a run and wait until it ends or has reached a progress."""
        page.start()
        run = page.run
        while page.run is run and page.run_bar.progress.value() < percent:
            application.processEvents()
            time.sleep(0.002)

    def cancel() -> float:
        """Cancel the run and return the seconds until it has ended."""
        start = time.perf_counter()
        run = page.run
        page.runs.cancel()
        while run is not None and page.run is run:
            application.processEvents()
        return time.perf_counter() - start

    with tempfile.TemporaryDirectory() as folder:
        path = write_cloud(Path(folder) / "cloud.laz", n_points=n_points, n_trees=N_TREES)
        page.form.set_value(INPUT_KIND, "cloud")
        page.form.cloud_picker.file_field.setFilePath(str(path))
        times: list[Time] = []
        clocks: list[EventLoopMonitor] = []

        def run_whole() -> None:
            clocks.append(EventLoopMonitor())
            times.append(measure_time(lambda: run_until(_NEVER)))

        peak = measure_memory(run_whole)
        longest_wait = clocks[0].longest_wait
        peer_time = measure_time(lambda: laspy.read(path).xyz)
        cancel_seconds = []
        for percent in CANCEL_AT:
            run_until(percent)
            cancel_seconds.append(cancel())
    yield Row(
        "point cloud through page Instances",
        times[0],
        "laspy, reading alone",
        peer_time,
        memory=peak,
        conditions=f"{n_points:,} points, {N_TREES} trees, LAZ; longest wait of the window "
        f"{longest_wait:.2f} s; ended at most {max(cancel_seconds):.2f} s after Cancel "
        f"at {len(cancel_seconds)} moments",
    )


def toolbox_row(n_points: int, repeats: int = 3) -> Row:
    """Return the row of a cloud evaluated through the toolbox, with all outputs in GeoPackages.

    Args:
        n_points: number of points.
        repeats: number of runs.

    Raises:
        SystemExit: if a run fails.
    """
    registry = QgsApplication.processingRegistry()
    algorithm = registry.createAlgorithmById("randcrowns:evaluatepointcloud")
    outputs = [
        output.name()
        for output in algorithm.parameterDefinitions()
        if output.isDestination() and output.type() != "fileDestination"
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = write_cloud(folder / "cloud.laz", n_points=n_points, n_trees=N_TREES)
        number = count()

        def evaluate() -> None:
            run_number = next(number)
            files = {output: str(folder / f"{output}_{run_number}.gpkg") for output in outputs}
            feedback = QgsProcessingFeedback(False)
            context = QgsProcessingContext()
            if not algorithm.create().run({"INPUT": str(path), **files}, context, feedback)[1]:
                sys.exit(feedback.textLog())

        own_time, peer_time = measure_alternating(
            evaluate, lambda: laspy.read(path).xyz, repeats=repeats
        )
    return Row(
        "point cloud through the toolbox",
        own_time,
        "laspy, reading alone",
        peer_time,
        conditions=f"{n_points:,} points, {N_TREES} trees, LAZ; {len(outputs)} outputs, with the "
        "outlines of the trees",
    )


if __name__ == "__main__":
    application = QgsApplication([], True)
    application.initQgis()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    report_rows([toolbox_row(N_POINTS[0])])
    for n_points in [int(sys.argv[1])] if len(sys.argv) > 1 else N_POINTS:
        report_rows(rows(application, n_points))
    sys.stdout.flush()
    os._exit(0)  # The end of QGIS is not measured.
