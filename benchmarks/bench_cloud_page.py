"""A point cloud of 10,000,000 points through page Instances: time, memory, how long the window waits, cancel.

Run it directly; a number of points may follow. The cloud is simulated, 500 trees, and read from a LAZ file.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import MagicMock

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from qgis.core import QgsApplication
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QTimer

import randcrowns.core  # noqa: F401 - before shapely
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.layers.sample import write_sample_cloud
from randcrowns.ui.instances.form import KIND
from randcrowns.ui.instances.page import InstancesPage

POINTS, TREES = 10_000_000, 500
CANCEL_AT = (5, 20, 35, 42, 46, 50, 60, 70, 80)


def resident() -> float:
    """Memory held now, MB."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


class Clock:
    """Looks often how long the window waited since the last look, and at the memory."""

    def __init__(self) -> None:
        self.longest, self.peak, self._last = 0.0, resident(), time.perf_counter()
        self.timer = QTimer()
        self.timer.setInterval(10)
        self.timer.timeout.connect(self.look)
        self.timer.start()

    def look(self) -> None:
        """Take the time."""
        now = time.perf_counter()
        self.longest, self._last = max(self.longest, now - self._last), now
        self.peak = max(self.peak, resident())


def main(n_points: int) -> None:
    """Run, then cancel at several places; print what was measured."""
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
        print(f"{n_points:,} points, {TREES} trees, {path.stat().st_size / 1e6:.0f} MB")
        page.form.choose(KIND, "cloud")
        page.form.cloud.file.setFilePath(str(path))
        before, clock, start = resident(), Clock(), time.perf_counter()
        run_until(1000)
        print(f"run {time.perf_counter() - start:.1f} s, peak {clock.peak - before:.0f} MB above the empty page")
        print(f"longest wait of the window {clock.longest:.2f} s")
        print(page.results.results.performance.round(2).to_string(index=False))
        for percent in CANCEL_AT:
            run_until(percent)
            start, under_way = time.perf_counter(), page.run
            page.runs.cancel()
            while under_way is not None and page.run is under_way:
                application.processEvents()
            print(f"cancelled at {percent} %: {time.perf_counter() - start:.2f} s")
    sys.stdout.flush()
    os._exit(0)  # QGIS's own end is not measured


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else POINTS)
