"""A run from its files to its summary: what scoring, evaluating and comparing annotators have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import pandas as pd
from distributed import Client

from randcrowns.batch.cluster import Scheduler, Watch, connected
from randcrowns.batch.inputs import PathLike, layers_of
from randcrowns.batch.results import Results
from randcrowns.batch.source import Source
from randcrowns.batch.summary import summary, write_problems
from randcrowns.batch.tiles import plan_tiles
from randcrowns.core.scoring.score import extent_polygon


@dataclass(frozen=True)
class How:
    """How a run is carried out; see :func:`randcrowns.batch.score`."""

    tile: float | None
    most_crowns: int
    resume: bool
    scheduler: Scheduler
    workers: int | None
    watch: Watch


#: Does the stages of a run and writes its summary.
Work = Callable[[Client, Results, "list[Source]"], pd.DataFrame]


def carried_out(
    kind: str,
    paths: Sequence[PathLike],
    out: PathLike,
    choices: Mapping[str, Any],
    how: How,
    work: Work,
    id_column: str = "",
    columns: Sequence[str] = (),
) -> pd.DataFrame:
    """The summary of a run, new or resumed.

    Args:
        kind: score, agree or evaluate.
        paths: the layers, the first of which must have the ``columns`` (empty names for none).
        out: the results directory.
        choices: all that decides the results beside the size of the tiles.
        how: and all that does not.
        work: does the stages.
        id_column: column with ids; empty for the row.

    Raises:
        InputError: for layers or choices that cannot be used, or a directory with other results.
    """
    folder = Path(out)
    every = {**choices, "tile": how.tile, "most_crowns": how.most_crowns}
    with layers_of(paths, folder, id_column, columns, how.resume) as sources:
        results = Results.started(folder, kind, every, sources, lambda: plan_tiles(sources, how.tile, how.most_crowns))
        if results.manifest["finished"]:
            results.finish()
            return summary(folder)
        try:
            with connected(how.scheduler, how.workers) as client:
                table = work(client, results, sources)
        finally:
            results.save(at_once=True)
        write_problems(results)
        results.finish()
    return table


def as_box(extent: Sequence[float] | None) -> tuple[float, ...] | None:
    """The extent as xmin, ymin, xmax, ymax, or None.

    Raises:
        InputError: where it is none, or has no area.
    """
    extent_polygon(extent)
    return None if extent is None else tuple(map(float, extent))
