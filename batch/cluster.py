"""Handing tiles to a Dask cluster, and hearing how far it is."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Callable

import dask
from distributed import Client, KilledWorker, LocalCluster, as_completed

from randcrowns.batch.tiles import Tile
from randcrowns.core.errors import InputError

#: A running cluster, the address of its scheduler, or None for one over this machine's processors.
Scheduler = Any


@dataclass
class Report:
    """How far a stage is.

    Attributes:
        stage: what is being done.
        tiles, of_tiles: done, and all.
        crowns, of_crowns: done, and all.
        since: when it began, seconds of a monotonic clock.
    """

    stage: str
    of_tiles: int
    of_crowns: int
    tiles: int = 0
    crowns: int = 0
    since: float = field(default_factory=monotonic)

    @property
    def per_second(self) -> float:
        """Crowns per second so far."""
        return self.crowns / max(monotonic() - self.since, 1e-9)

    @property
    def seconds_left(self) -> float:
        """About how long it still takes; infinite before the first tile."""
        return (self.of_crowns - self.crowns) / self.per_second if self.crowns else float("inf")


# Ctrl-C reaches every process of a terminal; the one that runs the command ends the workers.
_DEAF = """
import signal

def dask_setup(worker):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
"""

#: Nobody looks at the workers' profiles, nor at how quickly processes answer: to take that a hundred times a second
#: costs.
UNSEEN = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
}
# Nor is memory given back to the system after every array: getting it anew costs a fifth of the time.
_MEMORY = "distributed.nanny.pre-spawn-environ.MALLOC"
_WORKERS = {
    **UNSEEN,
    "distributed.worker.preload": [_DEAF],
    f"{_MEMORY}_TRIM_THRESHOLD_": 1 << 28,
    f"{_MEMORY}_MMAP_THRESHOLD_": 1 << 25,
}

#: Called after every tile.
Watch = Callable[[Report], None]


def unwatched(report: Report) -> None:
    """Nobody looks at the progress."""


@contextmanager
def connected(scheduler: Scheduler = None, workers: int | None = None) -> Iterator[Client]:
    """A client of the cluster; a cluster made here ends here.

    Args:
        scheduler: a ``distributed.Client``, a scheduler's address, or None for a new cluster over this machine.
        workers: processes of a new cluster; by default one for each processor.

    Raises:
        InputError: when nobody answers at the address.
    """
    if isinstance(scheduler, Client):
        yield scheduler
        return
    if scheduler is not None:
        try:
            client = Client(scheduler)
        except (OSError, ValueError, TypeError) as error:
            raise InputError(f"No scheduler answers at {scheduler}: {error}") from error
        with client:
            yield client
        return
    if workers is not None and workers < 1:
        raise InputError(f"The number of workers must be at least 1, not {workers}.")
    count = workers or _processors()
    with dask.config.set(_WORKERS):
        made = LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
            silence_logs=50,
        )
    with made, Client(made) as client:
        yield client


def run_tiles(
    client: Client,
    work: Callable[..., Any],
    tiles: Sequence[Tile],
    done: Callable[[Tile, Any], None],
    arguments: Callable[[Tile], Sequence[Any]],
    stage: str,
    watch: Watch = unwatched,
) -> None:
    """Do a stage of all tiles on the cluster, each as soon as a worker is free.

    Args:
        client: of the cluster.
        work: does one tile, on a worker.
        tiles: in the order in which they are begun.
        done: told of each tile with what its work gave, in the order in which they end.
        arguments: of ``work`` for a tile.
        stage: for the progress.
        watch: told of it.

    Raises:
        InputError: as the work raised it, or when a tile has brought down several workers.
    """
    report = Report(stage, len(tiles), sum(tile.crowns for tile in tiles))
    watch(report)
    waiting = iter(tiles)
    tile_of: dict[Any, Tile] = {}
    running = as_completed(with_results=False)

    def begin(most: int) -> None:
        for _ in range(most):
            tile = next(waiting, None)
            if tile is None:
                return
            future = client.submit(
                work, *arguments(tile), pure=False, key=f"{stage}-{tile.key}-{id(report)}"
            )
            tile_of[future] = tile
            running.add(future)

    try:
        # A few more than there are workers, so that none waits, and a stop has little to undo.
        begin(3 * max(1, len(client.scheduler_info()["workers"])))
        while tile_of:
            future = next(running)
            tile = tile_of.pop(future)
            try:
                found = future.result()
            except KilledWorker as error:
                raise InputError(
                    f"Tile {tile.key} with {tile.crowns:,} crowns has ended several workers, most likely for want of "
                    "memory; give smaller tiles (--tile), or fewer crowns to a tile (--most-crowns)."
                ) from error
            done(tile, found)
            report.tiles += 1
            report.crowns += tile.crowns
            watch(report)
            begin(1)
    finally:
        client.cancel(list(tile_of))


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


__all__ = ["UNSEEN", "Report", "Scheduler", "Watch", "connected", "run_tiles", "unwatched"]
