"""Work in a separate QGIS process, which may be killed at any moment.

The processes are forked from one that has imported all modules and not started QGIS, because
importing takes longer than a run.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from multiprocessing import forkserver, get_context
from pathlib import Path
from typing import Any, Callable

import pytest
from qgis.core import QgsApplication
from qgis.testing import start_app
from support.layers import crowns_at, layer_of
from support.processing import Listener, run_algorithm

import randcrowns.core  # noqa: F401 - before shapely
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.algorithms.scoring import score_crowns  # noqa: F401 - before the fork

__all__ = ["PLACES", "TABLES", "Begun", "begin", "places"]

TABLES = {"SCORED_TARGETS": " (geom)", "REGIONS": " (geom)", "PAIRS": " (geom)", "SUMMARY": ""}
PLACES = [(9 * column, 9 * row) for row in range(15) for column in range(20)]


class Begun:
    """A process that starts QGIS and calls ``work``, whose result is its exit status."""

    def __init__(self, work: Callable[..., bool], *arguments: Any) -> None:
        context = get_context("forkserver")
        context.set_forkserver_preload([__name__])
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
            forkserver.ensure_running()
        handle, self._said = tempfile.mkstemp()
        os.close(handle)
        self._process = context.Process(target=_do, args=(self._said, work, *arguments))
        self._process.start()

    def communicate(self, timeout: float | None = None) -> tuple[str]:
        """Wait for the end and return the output."""
        self._process.join(timeout)
        assert self._process.exitcode is not None, "the process has not ended"
        said = Path(self._said)
        text = said.read_text(encoding="utf-8")
        said.unlink()
        return (text,)

    @property
    def returncode(self) -> int | None:
        """Exit status; a negative number is the signal that ended the process."""
        return self._process.exitcode


def begin(file: Path, ending: str, percent: float = 1000.0, looks: int = 0) -> Begun:
    """Begin to score 300 crowns into tables of a GeoPackage whose names end with ``ending``.

    At ``percent`` of the progress, after ``looks`` more checks for Cancel, the process is killed.
    """
    return Begun(_score, str(file), ending, float(percent), int(looks))


def places(file: Path | str, ending: str = "") -> dict[str, str]:
    """Return the destination of each output."""
    return {
        name: f"ogr:dbname='{file}' table=\"{name.lower()}{ending}\"{kind}"
        for name, kind in TABLES.items()
    }


def _do(said: str, work: Callable[..., bool], *arguments: Any) -> None:
    with open(said, "w", encoding="utf-8") as output:
        for stream in (1, 2):
            os.dup2(output.fileno(), stream)
    kept = (
        start_app(),
        RandCrownsProvider(lambda: ""),
    )  # imports an algorithm when it is used, as in QGIS
    QgsApplication.processingRegistry().addProvider(kept[1])
    done = work(*arguments)
    sys.stdout.flush()
    os._exit(0 if done else 1)


def _score(file: str, ending: str, percent: float, looks: int) -> bool:
    class Killer(Listener):
        left = looks

        def isCanceled(self) -> bool:  # noqa: N802 - QGIS's name
            if self.percents and self.percents[-1] >= percent:
                self.left -= 1
                if self.left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)
            return False

    layers = {
        "TARGETS": layer_of("targets", crowns_at(PLACES), kind="Polygon"),
        "DELINEATIONS": [layer_of("drawn", crowns_at(PLACES, seed=2), kind="Polygon")],
    }
    done = run_algorithm("scorecrowns", {**layers, **places(file, ending)}, Killer())
    print(done.refused, done.error, done.warnings)
    return done.ok
