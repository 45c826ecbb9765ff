"""Runs that write 300 scored crowns into PostgreSQL, disturbed at a moment, and what is there then."""

from __future__ import annotations

import os
import signal
from threading import Timer
from typing import Any, Callable

from support.layers import crowns_at, layer_of
from support.own_process import PLACES, Begun
from support.postgres import execute, table
from support.processing import Listener, Ran, run_algorithm

from randcrowns.layers.databases import quote_name

__all__ = [
    "OUTPUTS",
    "Disturbed",
    "begin_and_kill",
    "earlier_tables",
    "rows",
    "score_into",
    "tables",
]

#: Percentage from which on a run writes.
_WRITING = 85.0
#: Number of rows of each output.
OUTPUTS = {"SCORED_TARGETS": 300, "REGIONS": 1200, "PAIRS": 300, "SUMMARY": 1}


class Disturbed(Listener):
    """Calls a function once in a thread of its own, some seconds after the run begins to write."""

    def __init__(self, act: Callable[[Listener], object], seconds: float) -> None:
        super().__init__()
        self._timer = Timer(seconds, act, [self])
        self.is_started = False

    def isCanceled(self) -> bool:  # noqa: N802 - QGIS's name
        if not self.is_started and self.percents and self.percents[-1] >= _WRITING:
            self.is_started = True
            self._timer.start()
        return bool(super().isCanceled())

    def stop(self) -> None:
        """Wait until the function has ended, or see to it that it is not called any more."""
        if self.is_started:
            self._timer.cancel()
            self._timer.join()


def tables(port: int, ending: str = "") -> dict[str, str]:
    """Return the destinations of the outputs; a summary has no geometry."""
    return {
        name: "postgres://"
        + table(port, name.lower() + ending, "" if name == "SUMMARY" else "geom").uri(False)
        for name in OUTPUTS
    }


def score_into(port: int, listener: Any = None, ending: str = "", **more: Any) -> Ran:
    """Score 300 crowns into four tables of the database."""
    layers = {
        "TARGETS": layer_of("targets", crowns_at(PLACES), kind="Polygon"),
        "DELINEATIONS": [layer_of("drawn", crowns_at(PLACES, seed=2), kind="Polygon")],
    }
    return run_algorithm("scorecrowns", {**layers, **tables(port, ending), **more}, listener)


def earlier_tables(port: int, ending: str = "") -> None:
    """Drop all tables of earlier tries, and make one of the outputs with 7 rows."""
    names = [name for (name,) in _names(port)]
    drop = "".join(f"DROP TABLE {quote_name(name)} CASCADE; " for name in names)
    new = f'"scored_targets{ending}"'
    execute(
        port,
        f"{drop} CREATE TABLE {new} (id serial PRIMARY KEY, mine text); "
        f"INSERT INTO {new} (mine) SELECT 'earlier' FROM generate_series(1, 7)",
    )


def rows(port: int) -> dict[str, int]:
    """Return the number of rows of each table in schema ``public``."""
    return {
        name: execute(port, f"SELECT count(*) FROM {quote_name(name)}")[0][0]
        for (name,) in _names(port)
    }


def begin_and_kill(port: int, seconds: float) -> Begun:
    """Begin to score in a process of its own, which is killed some seconds after it began to write."""
    return Begun(_score_and_kill, port, float(seconds))


def _score_and_kill(port: int, seconds: float) -> bool:
    done = score_into(port, Disturbed(lambda _: os.kill(os.getpid(), signal.SIGKILL), seconds))
    print(done.refused, done.error)
    return done.ok


def _names(port: int) -> list[list[Any]]:
    return execute(
        port,
        "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' "
        "AND tablename <> 'spatial_ref_sys' ORDER BY 1",
    )
