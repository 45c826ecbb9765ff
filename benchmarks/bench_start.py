"""Measure how much the plugin delays the start of QGIS, in fresh processes.

The peer imports every algorithm at the start::

    QT_QPA_PLATFORM=offscreen python benchmarks/bench_start.py
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

from table import Row, Time, median_time, report_rows

REPEATS = 5
#: Script that prints the elapsed and the processor time of the plugin's start.
_START = """
import sys, time
from unittest.mock import MagicMock
from qgis.core import QgsApplication
application = QgsApplication([], True)
application.initQgis()
import qgis.gui, qgis.utils
from qgis.PyQt.QtWidgets import QMainWindow
iface = MagicMock()
iface.mainWindow.return_value = QMainWindow()
wall, processor = time.perf_counter(), time.process_time()
import randcrowns
plugin = randcrowns.classFactory(iface)
plugin.initGui()
if sys.argv[1] == "all":
    from randcrowns.algorithms.algorithm_catalogue import ALGORITHMS
    made = [entry.create_algorithm() for entry in ALGORITHMS]
print(time.perf_counter() - wall, time.process_time() - processor)
sys.stdout.flush()
import os
os._exit(0)
"""


def rows() -> Iterator[Row]:
    """Yield the row of the plugin's start."""
    own_times = []
    peer_times = []
    for _ in range(REPEATS):
        own_times.append(_start_time("later"))
        peer_times.append(_start_time("all"))
    yield Row(
        "start of QGIS with the plugin",
        median_time(own_times),
        "every algorithm imported at start",
        median_time(peer_times),
        conditions="added to the start of QGIS; fresh processes, files in the cache",
    )


def _start_time(algorithms: str) -> Time:
    """Return the time of the plugin's start in a new process; "all" imports every algorithm."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", _START, algorithms]
    process = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    wall, processor = process.stdout.split()[-2:]
    return Time(float(wall), float(processor))


if __name__ == "__main__":
    report_rows(rows())
