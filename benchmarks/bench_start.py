"""How much later QGIS starts with the plugin switched on, beside importing every algorithm at start; fresh processes.

QT_QPA_PLATFORM=offscreen python benchmarks/bench_start.py
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from statistics import median

from table import Row, Time, show

REPEATS = 5
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
    from randcrowns.algorithms.catalogue import ALGORITHMS
    made = [entry.make() for entry in ALGORITHMS]
print(time.perf_counter() - wall, time.process_time() - processor)
sys.stdout.flush()
import os
os._exit(0)
"""


def rows() -> Iterator[Row]:
    turns = [(_started("later"), _started("all")) for _ in range(REPEATS)]
    ours, theirs = (Time(*(median(values) for values in zip(*times))) for times in zip(*turns))
    yield Row(
        "start of QGIS with the plugin",
        ours,
        "every algorithm imported at start",
        theirs,
        conditions="added to the start of QGIS; fresh processes, files in the cache",
    )


def _started(what: str) -> Time:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", _START, what]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return Time(*map(float, done.stdout.split()[-2:]))


if __name__ == "__main__":
    show(rows())
