"""Layers as a run is given them: files of any kind, turned into pieces with bounds where they are not yet."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Union

from randcrowns.batch.partition import partition
from randcrowns.batch.results import MANIFEST, WORK, checksum, look_into
from randcrowns.batch.source import Source, check_alike, is_ready, open_source
from randcrowns.core.crowns import first_free
from randcrowns.core.errors import InputError

PathLike = Union[str, Path]

#: Folder within the results directory for copies of layers that had to be partitioned.
COPIES = "layers"
# What belongs to a shapefile, and what SQLite has yet to write into a GeoPackage.
_OF_SHAPEFILE, _OF_GEOPACKAGE = (".shp", ".dbf", ".shx", ".prj"), "-wal"


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
    originals = ["" if not layer and is_ready(Path(file)) else told_by(Path(file)) for file, _, layer in files]
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
    beside = {path.with_name(path.name + _OF_GEOPACKAGE), *(path.with_suffix(ending) for ending in _OF_SHAPEFILE)}
    found = path.rglob("*") if path.is_dir() else {path, *beside}
    return checksum(*sorted(one for one in found if one.is_file()))
