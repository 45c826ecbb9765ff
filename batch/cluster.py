"""Running the tiles of a stage on a Dask cluster and reporting progress."""

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

#: A ``distributed.Client``, the address of a scheduler, or None for a new cluster on this machine.
Scheduler = Any


@dataclass
class Report:
    """Progress of a stage.

    Attributes:
        stage: name of the stage.
        of_tiles: number of tiles in the stage.
        of_crowns: number of crowns in these tiles.
        tiles: number of finished tiles.
        crowns: number of crowns in the finished tiles.
        since: start of the stage, seconds of the monotonic clock.
    """

    stage: str
    of_tiles: int
    of_crowns: int
    tiles: int = 0
    crowns: int = 0
    since: float = field(default_factory=monotonic)

    @property
    def per_second(self) -> float:
        """Mean number of crowns per second since the start."""
        return self.crowns / max(monotonic() - self.since, 1e-9)

    @property
    def seconds_left(self) -> float:
        """Estimated remaining time, seconds; infinite before the first tile is finished."""
        return (self.of_crowns - self.crowns) / self.per_second if self.crowns else float("inf")


# Ctrl-C reaches every process of a terminal, but only the command itself may end the workers.
_IGNORE_INTERRUPT = """
import signal

def dask_setup(worker):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
"""

#: Dask settings that switch off profiles and slow down monitors. Nothing reads them, and taking
#: them a hundred times a second costs time.
UNSEEN = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
}
# Workers keep freed memory: to return it after every array and request it again takes a fifth of
# the running time.
_MALLOC = "distributed.nanny.pre-spawn-environ.MALLOC"
_WORKER_SETTINGS = {
    **UNSEEN,
    "distributed.worker.preload": [_IGNORE_INTERRUPT],
    f"{_MALLOC}_TRIM_THRESHOLD_": 1 << 28,
    f"{_MALLOC}_MMAP_THRESHOLD_": 1 << 25,
}
# Tiles that are submitted per worker at a time: enough that no worker waits, and few enough that an
# interruption loses little.
_TILES_PER_WORKER = 3

#: Callback with the progress, called at the start of a stage and after every tile.
Watch = Callable[[Report], None]


def unwatched(report: Report) -> None:
    """Ignore the progress."""


@contextmanager
def connected(scheduler: Scheduler = None, workers: int | None = None) -> Iterator[Client]:
    """Provide a client of a cluster; a cluster that is started here is stopped at the end.

    Args:
        scheduler: a ``distributed.Client``, the address of a scheduler, or None for a new cluster
            on this machine.
        workers: number of processes of a new cluster; by default one per processor.

    Yields:
        The client.

    Raises:
        InputError: if no scheduler answers at the address, or ``workers`` is less than 1.
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
    with dask.config.set(_WORKER_SETTINGS):
        cluster = LocalCluster(
            n_workers=workers or _count_processors(),
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
            silence_logs=50,
        )
    with cluster, Client(cluster) as client:
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
    """Run a stage for all tiles on the cluster, each tile as soon as a worker is free.

    Args:
        client: client of the cluster.
        work: processes one tile; runs on a worker.
        tiles: tiles in the order in which they are started.
        done: called here with each tile and the result of ``work``, in the order of completion.
        arguments: returns the arguments of ``work`` for a tile.
        stage: name of the stage for the progress.
        watch: callback with the progress.

    Raises:
        InputError: if ``work`` raises it, or if several workers died while they processed a tile.
    """
    report = Report(stage, len(tiles), sum(tile.crowns for tile in tiles))
    watch(report)
    waiting_tiles = iter(tiles)
    tile_of_future: dict[Any, Tile] = {}
    running = as_completed(with_results=False)

    def submit(maximum: int) -> None:
        """Submit at most ``maximum`` of the waiting tiles."""
        for _ in range(maximum):
            tile = next(waiting_tiles, None)
            if tile is None:
                return
            future = client.submit(
                work, *arguments(tile), pure=False, key=f"{stage}-{tile.key}-{id(report)}"
            )
            tile_of_future[future] = tile
            running.add(future)

    try:
        submit(_TILES_PER_WORKER * max(1, len(client.scheduler_info()["workers"])))
        while tile_of_future:
            future = next(running)
            tile = tile_of_future.pop(future)
            try:
                result = future.result()
            except KilledWorker as error:
                raise InputError(
                    f"Tile {tile.key} with {tile.crowns:,} crowns has ended several workers, most "
                    "likely for lack of memory. Choose smaller tiles (--tile), or fewer crowns in "
                    "a tile (--most-crowns)."
                ) from error
            done(tile, result)
            report.tiles += 1
            report.crowns += tile.crowns
            watch(report)
            submit(1)
    finally:
        client.cancel(list(tile_of_future))


def _count_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


__all__ = ["UNSEEN", "Report", "Scheduler", "Watch", "connected", "run_tiles", "unwatched"]
