"""A run from its files to its summary: what scoring, evaluating and comparing annotators have in common."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Callable, Union

import pandas as pd
from distributed import Client

from randcrowns.batch.cluster import Scheduler, Watch, connected
from randcrowns.batch.partition import partition
from randcrowns.batch.results import MANIFEST, WORK, Results, checksum, look_into
from randcrowns.batch.source import Source, check_alike, is_ready, open_source
from randcrowns.batch.summary import summary, write_problems
from randcrowns.batch.tiles import plan_tiles
from randcrowns.core.crowns import extent_polygon, first_free
from randcrowns.core.errors import InputError

PathLike = Union[str, Path]

#: Folder within the results directory for copies of layers that had to be partitioned.
COPIES = "layers"
# What belongs to a shapefile, and what SQLite has yet to write into a GeoPackage.
_OF_SHAPEFILE, _OF_GEOPACKAGE = (".shp", ".dbf", ".shx", ".prj"), "-wal"


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
        results = Results.started(
            folder, kind, every, sources, lambda: plan_tiles(sources, how.tile, how.most_crowns)
        )
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


@contextmanager
def layers_of(
    paths: Sequence[PathLike], folder: Path, id_column: str, columns: Sequence[str], resume: bool
) -> Iterator[list[Source]]:
    """The layers of a run, opened; those that cannot be read by boxes are partitioned first, into ``work/layers``.

    Args:
        paths: ``file`` or ``file|layername=name``.
        folder: the results directory.
        id_column: column with ids; empty for the row.
        columns: what the first layer must have; empty names for none.
        resume: take the copies of the run that is resumed.

    Raises:
        InputError: for files that are missing or cannot be used, or a directory that may not take the results.
    """
    names: list[str] = []
    sources = []
    files = [str(path).partition("|layername=") for path in paths]
    for file, _, _ in files:
        if not Path(file).exists():
            raise InputError(f"There is no file {file}.")
    originals = [
        "" if not layer and is_ready(Path(file)) else told_by(Path(file))
        for file, _, layer in files
    ]
    look_into(folder, originals, resume)
    fresh = not folder.exists()
    try:
        for path, (file, _, layer), original in zip(paths, files, originals):
            name = first_free(layer or Path(file).stem, names.__contains__)
            names.append(name)
            ready = Path(file)
            if original:
                ready = folder / WORK / COPIES / f"{name}.parquet"
                if not ready.exists():
                    partition(path, ready, reproject=False)
            sources.append(replace(open_source(ready, name, id_column), original=original))
        check_alike(sources)
        for column in filter(None, columns):
            if column not in sources[0].pieces.columns:
                raise InputError(f"{sources[0].name} has no column '{column}'.")
        yield sources
    except BaseException:
        if not (folder / MANIFEST).exists():
            shutil.rmtree(folder if fresh else folder / WORK, ignore_errors=True)
        raise


def told_by(path: Path) -> str:
    """Checksum of all that a layer is made of: a file, those beside it that belong to it, or those of a folder."""
    beside = {
        path.with_name(path.name + _OF_GEOPACKAGE),
        *(path.with_suffix(ending) for ending in _OF_SHAPEFILE),
    }
    found = path.rglob("*") if path.is_dir() else {path, *beside}
    return checksum(*sorted(one for one in found if one.is_file()))
