"""Layers as a run is given them: files of any kind, turned into pieces with bounds where they are not yet."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Union

from randcrowns.batch.partition import partition
from randcrowns.batch.results import MANIFEST, WORK
from randcrowns.batch.source import Source, check_alike, is_ready, open_source
from randcrowns.core.crowns import first_free
from randcrowns.core.errors import InputError

PathLike = Union[str, Path]

#: Folder within the results directory for copies of layers that had to be partitioned.
COPIES = "layers"


@contextmanager
def layers_of(
    paths: Sequence[PathLike], folder: Path, id_column: str, plot_field: str, resume: bool
) -> Iterator[list[Source]]:
    """The layers of a run, opened; those that cannot be read by boxes are partitioned first, into ``work/layers``.

    Args:
        paths: ``file`` or ``file|layername=name``.
        folder: the results directory.
        id_column, plot_field: columns, empty for none. The first layer must have the plots.
        resume: take the copies of the run that is resumed.

    Raises:
        InputError: for files that are missing or cannot be used.
    """
    names: list[str] = []
    sources = []
    copies = folder / WORK / COPIES
    fresh = not folder.exists()
    try:
        for path in paths:
            file, _, layer = str(path).partition("|layername=")
            if not Path(file).exists():
                raise InputError(f"There is no file {file}.")
            name = first_free(layer or Path(file).stem, names.__contains__)
            names.append(name)
            ready = Path(file)
            if layer or not is_ready(ready):
                ready = copies / f"{name}.parquet"
                if not (resume and ready.exists()):
                    partition(path, ready, reproject=False, overwrite=True)
            sources.append(open_source(ready, name, id_column))
        check_alike(sources)
        if plot_field and plot_field not in sources[0].pieces.columns:
            raise InputError(f"{sources[0].name} has no column '{plot_field}' with plots.")
        yield sources
    except BaseException:
        if fresh and not (folder / MANIFEST).exists():
            shutil.rmtree(folder, ignore_errors=True)
        raise
