"""A point cloud of 10,000,000 points through page Instances: time, memory, how long the window waits, cancel.

Run it directly; a number of points may follow. The cloud is simulated, 500 trees, and read from a LAZ file.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import MagicMock

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from qgis.core import QgsApplication
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QTimer
from table import Row, Time, memory, show, timed

import randcrowns.core  # noqa: F401 - before shapely
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.layers.sample import write_sample_cloud
from randcrowns.ui.instances.form import KIND
from randcrowns.ui.instances.page import InstancesPage

POINTS, TREES = 10_000_000, 500
CANCEL_AT = (5, 35, 50, 80)


class Clock:
    """Looks often how long the window waited since the last look.

    Attributes:
        longest, busy: seconds between two looks at most: gone by, and of the window's thread on a processor.
    """

    def __init__(self) -> None:
        self.longest, self.busy = 0.0, 0.0
        self._last, self._used = time.perf_counter(), time.thread_time()
        self.timer = QTimer()
        self.timer.setInterval(10)
        self.timer.timeout.connect(self.look)
        self.timer.start()

    def look(self) -> None:
        """Take the time."""
        now, used = time.perf_counter(), time.thread_time()
        self.longest, self._last = max(self.longest, now - self._last), now
        self.busy, self._used = max(self.busy, used - self._used), used


def rows(n_points: int) -> Iterator[Row]:
    """Run, then cancel at several places."""
    application = QgsApplication([], True)
    application.initQgis()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    iface = MagicMock()
    iface.mapCanvas.return_value = QgsMapCanvas()
    page = InstancesPage(iface)
    page.show()

    def run_until(percent: float) -> None:
        page.start()
        under_way = page.run
        while page.run is under_way and page.run_bar.progress.value() < percent:
            application.processEvents()
            time.sleep(0.002)

    with tempfile.TemporaryDirectory() as folder:
        path = write_sample_cloud(Path(folder) / "cloud.laz", n_points=n_points, n_trees=TREES)
        page.form.choose(KIND, "cloud")
        page.form.cloud.file.setFilePath(str(path))
        took: list[tuple[Time, float]] = []

        def whole() -> None:
            clock = Clock()
            took.append((timed(lambda: run_until(1000)), clock.longest))

        peak = memory(whole)
        (ours, longest), late = took[0], []
        for percent in CANCEL_AT:
            run_until(percent)
            start, under_way = time.perf_counter(), page.run
            page.runs.cancel()
            while under_way is not None and page.run is under_way:
                application.processEvents()
            late.append(time.perf_counter() - start)
    yield Row(
        "point cloud through page Instances",
        ours,
        memory=peak,
        conditions=f"{n_points:,} points, {TREES} trees, LAZ; window held up for at most {longest:.2f} s; ended within "
        f"{max(late):.2f} s of Cancel at {len(late)} moments",
    )


if __name__ == "__main__":
    show(rows(int(sys.argv[1]) if len(sys.argv) > 1 else POINTS))
    sys.stdout.flush()
    os._exit(0)  # QGIS's own end is not measured
