"""A run in a QGIS process of its own: it may be killed at any moment.

Run as ``python own_process.py FILE ENDING [PERCENT [LOOKS]]``: scores 300 crowns into tables of the GeoPackage whose
names end so; at the percentage, after so many more looks at Cancel, the process is killed as by ``kill -9``.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

__all__ = ["PLACES", "TABLES", "begin", "places"]

TABLES = {"SCORED_TARGETS": " (geom)", "REGIONS": " (geom)", "PAIRS": " (geom)", "SUMMARY": ""}
PLACES = [(9 * column, 9 * row) for row in range(15) for column in range(20)]


def begin(*arguments: object) -> subprocess.Popen[str]:
    """Start such a process."""
    command = [sys.executable, __file__, *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def places(file: Path | str, ending: str = "") -> dict[str, str]:
    """Where the run's outputs go."""
    return {name: f"ogr:dbname='{file}' table=\"{name.lower()}{ending}\"{kind}" for name, kind in TABLES.items()}


def _main(file: str, ending: str, percent: float = 1000.0, looks: float = 0) -> int:
    from qgis.core import QgsApplication
    from qgis.testing import start_app

    application = start_app()
    from support.layers import crowns_at, layer_of
    from support.processing import Listener, run_algorithm

    import randcrowns.core  # noqa: F401 - before shapely
    from randcrowns.algorithms.provider import RandCrownsProvider

    class Killer(Listener):
        left = looks

        def isCanceled(self) -> bool:  # noqa: N802 - QGIS's name
            if self.percents and self.percents[-1] >= percent:
                self.left -= 1
                if self.left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)
            return False

    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    layers = {
        "TARGETS": layer_of("targets", crowns_at(PLACES), kind="Polygon"),
        "DELINEATIONS": [layer_of("drawn", crowns_at(PLACES, seed=2), kind="Polygon")],
    }
    done = run_algorithm("scorecrowns", {**layers, **places(file, ending)}, Killer())
    print(done.refused, done.error, done.warnings, flush=True)
    del application
    os._exit(0 if done.ok else 1)


if __name__ == "__main__":
    _main(sys.argv[1], sys.argv[2], *map(float, sys.argv[3:]))
