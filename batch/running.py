"""Processing of tiles on a Dask cluster, or one after the other in this process.

Dask is imported only for a cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Callable

from randcrowns.batch.progress import ProgressCallback, StageProgress, ignore_progress
from randcrowns.batch.runners import Runner, Scheduler, ThisProcess
from randcrowns.batch.tiles import Tile
from randcrowns.core.errors import MissingLibraryError

__all__ = ["Runner", "Scheduler", "ThisProcess", "connect", "run_tiles"]


@contextmanager
def connect(scheduler: Scheduler = None, workers: int | None = None) -> Iterator[Runner]:
    """Provide what processes the tiles; see :func:`randcrowns.batch.cluster.connect`.

    Args:
        scheduler: see :data:`Scheduler`.
        workers: number of processes of a new cluster; by default one per processor.

    Yields:
        The client of a cluster, or ``scheduler`` if it is a :class:`ThisProcess`.

    Raises:
        MissingLibraryError: if a cluster is required and Dask is not installed.
    """
    if isinstance(scheduler, ThisProcess):
        yield scheduler
        return
    try:
        from randcrowns.batch import cluster
    except ModuleNotFoundError as error:
        raise MissingLibraryError(
            "batch.no_dask",
            "Tiles are distributed by {library}, which is not installed. Install it: pip install "
            "'randcrowns[batch]'",
            library=error.name,
        ) from error
    with cluster.connect(scheduler, workers) as client:
        yield client


def run_tiles(
    runner: Runner,
    process_tile: Callable[..., Any],
    tiles: Sequence[Tile],
    on_result: Callable[[Tile, Any], None],
    arguments: Callable[[Tile], Sequence[Any]],
    stage: str,
    report_progress: ProgressCallback = ignore_progress,
) -> None:
    """Run a stage for all tiles; see :func:`randcrowns.batch.cluster.run_tiles`.

    Args:
        runner: client of a cluster, or this process.
        process_tile: processes one tile.
        tiles: tiles in the order in which they are started.
        on_result: called with each tile and the result of ``process_tile``.
        arguments: returns the arguments of ``process_tile`` for a tile.
        stage: name of the stage for the progress.
        report_progress: callback with the progress.
    """
    if not isinstance(runner, ThisProcess):
        from randcrowns.batch import cluster

        cluster.run_tiles(runner, process_tile, tiles, on_result, arguments, stage, report_progress)
        return
    report = StageProgress(stage, len(tiles), sum(tile.n_crowns for tile in tiles))
    report_progress(report)
    for tile in tiles:
        on_result(tile, process_tile(*arguments(tile)))
        report.finish_tile(tile.n_crowns)
        report_progress(report)
