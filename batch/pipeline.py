"""Common steps of scoring, evaluation and comparison: from the input files to the summary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Callable, NamedTuple, Union

import pandas as pd
import pyogrio
import pyproj

from randcrowns.batch.claims import claim_of_folder, hold_claim
from randcrowns.batch.partition import holds_annotations, partition, read_frame
from randcrowns.batch.paths import checked_path, gdal_path
from randcrowns.batch.progress import ProgressCallback
from randcrowns.batch.results import (
    WORK_FOLDER,
    ResultsDirectory,
    check_destination,
    check_folder,
    checksum,
    delete_unfinished_start,
)
from randcrowns.batch.running import Runner, Scheduler, connect
from randcrowns.batch.source import (
    Source,
    changed_input_error,
    check_same_crs,
    check_unchanged,
    is_partitioned,
    open_source,
    read_crs,
    require_column,
)
from randcrowns.batch.summary import summary, write_problems
from randcrowns.batch.tiles import plan_tiles
from randcrowns.core.crowns import extent_polygon, unique_name
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.files import LAYER_SEPARATOR
from randcrowns.core.messages import note
from randcrowns.jobs.vector_files import PARQUET_SUFFIXES, crown_layer, local_file

PathLike = Union[str, Path]

# Folder within the folder ``WORK_FOLDER`` for partitioned copies of layers.
_COPIES = "layers"
# Suffixes of the files that belong to a shapefile.
_SHAPEFILE_SUFFIXES = (".shp", ".dbf", ".shx", ".prj")
# Ending of the file in which SQLite keeps changes that a GeoPackage does not contain yet.
_WRITE_AHEAD_LOG = "-wal"


@dataclass(frozen=True)
class ExecutionOptions:
    """Options that do not influence the results; see :func:`randcrowns.batch.score`.

    Attributes:
        tile: side of a tile, metres, or None.
        maximum_crowns: maximum number of crowns in a tile.
        resume: True to continue an interrupted run.
        scheduler: a Dask client, the address of a scheduler, or None.
        workers: number of processes of a cluster on this machine, or None.
        report_progress: callback with the progress.
    """

    tile: float | None
    maximum_crowns: int
    resume: bool
    scheduler: Scheduler
    workers: int | None
    report_progress: ProgressCallback


#: Function of a client, the results directory and the layers. It runs the stages of a run, writes
#: its summary, and returns the summary.
RunStages = Callable[[Runner, ResultsDirectory, "list[Source]"], pd.DataFrame]


def run_batch(
    kind: str,
    paths: Sequence[PathLike],
    out: PathLike,
    choices: Mapping[str, Any],
    execution: ExecutionOptions,
    run_stages: RunStages,
    id_column: str = "",
    columns: Sequence[str] = (),
    prepare: Callable[[list[Source]], None] | None = None,
) -> pd.DataFrame:
    """Carry out a run, new or resumed, and return its summary.

    Args:
        kind: ``score``, ``agree`` or ``evaluate``.
        paths: files or folders of the layers.
        out: the results directory.
        choices: all parameters that determine the results, apart from the size of tiles.
        execution: options that do not influence the results.
        run_stages: runs the stages and writes the summary.
        id_column: column with the ids of crowns; empty for the row.
        columns: names of columns that the first layer must have; empty names are ignored.
        prepare: checks the layers before anything is written; None for no further check.

    Raises:
        InputError: if layers or parameters cannot be used, another run writes to the directory or
            it contains other results, no cluster can be used, or a layer changes during the run.
    """
    folder = checked_path(out)
    parameters = {**choices, "tile": execution.tile, "most_crowns": execution.maximum_crowns}
    with _claimed(folder):
        sources = _open_layers(paths, folder, id_column, columns, execution.resume)
        _check_extent_crs(sources, choices.get("extent"))
        if prepare is not None:
            prepare(sources)
        results = ResultsDirectory.create_or_resume(
            folder,
            kind,
            parameters,
            sources,
            lambda: plan_tiles(sources, execution.tile, execution.maximum_crowns),
        )
        if results.manifest["finished"]:
            results.finish()
            return summary(folder)
        with connect(execution.scheduler, execution.workers) as client:
            # A directory has a manifest only after a cluster has answered.
            results.save(at_once=True)
            try:
                table = run_stages(client, results, sources)
            finally:
                _discard_if_changed(results, sources)
                results.save(at_once=True)
        write_problems(results)
        results.finish()
    return table


def _discard_if_changed(results: ResultsDirectory, sources: Sequence[Source]) -> None:
    """Discard all results if a file of a layer has changed since it was opened.

    Raises:
        InputError: if a file has changed; this is also the cause of any error that is being raised.
    """
    try:
        check_unchanged(sources)
    except InputError:
        results.discard_all()
        raise


@contextmanager
def _claimed(folder: Path) -> Iterator[None]:
    """Claim a results directory during a run, and clean up if it fails before it has a manifest.

    Raises:
        InputError: if the path is a file, the directory contains other files, or another run
            writes to it.
    """
    check_folder(folder)
    is_new_folder = not folder.exists()
    try:
        with hold_claim(claim_of_folder(folder), folder) as is_new_claim:
            if not is_new_claim:
                delete_unfinished_start(folder)
            try:
                yield
            finally:
                delete_unfinished_start(folder)
    finally:
        if is_new_folder:
            with suppress(OSError):
                folder.rmdir()  # The folder of a run that wrote nothing is empty.


def _check_extent_crs(sources: Sequence[Source], extent: Any) -> None:
    """Raise an error if an extent is given in the coordinates of a layer that was transformed."""
    for source in sources:
        if extent is not None and source.original_crs:
            raise InputError(
                "batch.extent_in_other_crs",
                "The extent is in the coordinates of {name}, in which a metre on the map is not a "
                "metre on the ground. Write a copy of the layers in {crs} (randcrowns partition "
                "FILE OUT.parquet --crs {crs}), and give the extent in its coordinates.",
                name=source.name,
                crs=source.row_groups.crs.to_string(),
            )


def parse_extent(extent: Sequence[float] | None) -> tuple[float, ...] | None:
    """Return an extent as (xmin, ymin, xmax, ymax) of floats; None for None.

    Raises:
        InputError: if it is not a box, or has no area.
    """
    extent_polygon(extent)
    if extent is None:
        return None
    return tuple(float(side) for side in extent)


class _Input(NamedTuple):
    """Input layer before it is opened.

    Attributes:
        path: path as the user gave it.
        file: path of the file or folder.
        layer: name of the layer within the file; empty for the only one.
        original: checksum of the file if a copy must be partitioned; else empty.
        note: sentence that says which layer of the file was taken; empty if there is no choice.
    """

    path: PathLike
    file: Path
    layer: str
    original: str
    note: str = ""


def _open_layers(
    paths: Sequence[PathLike], folder: Path, id_column: str, columns: Sequence[str], resume: bool
) -> list[Source]:
    """Open the layers of a run.

    Layers whose files do not allow reading the crowns in a box are partitioned first. The copies
    are in ``work/layers`` of the results directory; a resumed run uses those that exist.

    Args:
        paths: ``file`` or ``file|layername=name`` of each layer.
        folder: the results directory.
        id_column: column with the ids of crowns; empty for the row.
        columns: names of columns that the first layer must have; empty names are ignored.
        resume: True to continue a run in the directory.

    Returns:
        The layers, with distinct names.

    Raises:
        InputError: if files are missing or cannot be used, or the directory cannot be used.
    """
    for path in paths:
        file, _ = _split_path(path)
        if not checked_path(file).exists():
            raise InputError("file.missing", "There is no file {file}.", file=file)
    inputs = [_inspect_input(path) for path in paths]
    check_destination(folder, [layer.original for layer in inputs], resume)
    sources: list[Source] = []
    for layer in inputs:
        names_in_use = {source.name for source in sources}
        name = unique_name(layer.layer or layer.file.stem, names_in_use.__contains__)
        common_crs = sources[0].row_groups.crs if sources else None
        sources.append(_open_layer(layer, name, folder, id_column, common_crs))
    check_same_crs(sources)
    for column in filter(None, columns):
        require_column(sources[0], column)
    return sources


def _open_layer(
    layer: _Input, name: str, folder: Path, id_column: str, common_crs: pyproj.CRS | None
) -> Source:
    """Open a layer of a run, or a partitioned copy of it if its file cannot be read by boxes.

    A copy of a layer in which a metre on the map is not a metre on the ground, as in Web Mercator,
    is transformed.

    Args:
        layer: the layer.
        name: name of the layer in the results, distinct from those of the run's other layers.
        folder: the results directory, in which the copy is made unless it exists.
        id_column: column with the ids of crowns; empty for the row.
        common_crs: CRS of the layers that are open already, to which the copy is transformed; None
            for the UTM zone of the layer's centre.

    Raises:
        InputError: if the file cannot be used.
    """
    file = layer.file
    needs_copy = bool(layer.original)
    if needs_copy:
        file = folder / WORK_FOLDER / _COPIES / f"{name}.parquet"
        if not file.exists():
            crs = None if common_crs is None else common_crs.to_string()
            partition(layer.path, file, reproject=False, crs=crs)
            if checksum_of_layer(layer.file) != layer.original:
                file.unlink()
                raise changed_input_error(layer.file)
    source = open_source(file, name, id_column)
    notes = [layer.note] if layer.note else []
    original_crs = ""
    if needs_copy:
        crs_of_input = _read_crs(layer)
        crs_of_copy = source.row_groups.crs
        if crs_of_input is not None and not crs_of_input.equals(
            crs_of_copy, ignore_axis_order=True
        ):
            original_crs = crs_of_input.name
            message = note(
                "input.transformed",
                "Layer '{layer}' is in {crs}, where a metre on the map is not a metre on the "
                "ground. Its lengths and areas are computed in {zone}.",
                layer=name,
                crs=original_crs,
                zone=crs_of_copy.to_string(),
            )
            notes.append(str(message))
    return replace(
        source,
        original_checksum=layer.original,
        original_crs=original_crs,
        notes=tuple(notes),
    )


def _read_crs(layer: _Input) -> pyproj.CRS | None:
    """Return the CRS that the file of a layer names; None if it names none."""
    if layer.file.suffix.lower() in PARQUET_SUFFIXES:
        return read_crs(layer.file)
    if holds_annotations(layer.file):
        return read_frame(str(layer.path)).crs
    with local_file(layer.file):
        stated = pyogrio.read_info(gdal_path(layer.file), layer=layer.layer or None)["crs"]
    return None if stated is None else pyproj.CRS.from_user_input(stated)


def _split_path(path: PathLike) -> tuple[Path, str]:
    """Return the file of ``file|layername=name``, and the name of the layer, empty without one."""
    file, _, layer = str(path).partition(LAYER_SEPARATOR)
    return Path(file), layer


def _inspect_input(path: PathLike) -> _Input:
    """Return file and layer of a path, and a checksum if the file must be copied.

    Raises:
        InputError: if several layers of the file may hold crowns and the path names none.
    """
    file, layer = _split_path(path)
    must_copy = bool(layer) or not is_partitioned(file)
    original = checksum_of_layer(file) if must_copy else ""
    if not must_copy or layer or file.is_dir() or file.suffix.lower() in PARQUET_SUFFIXES:
        return _Input(path, file, layer, original)

    try:
        with local_file(file):
            n_layers = len(pyogrio.list_layers(gdal_path(file)))
        layer = crown_layer(file) if n_layers > 1 else ""
    except (OSError, ValueError, RuntimeError):
        return _Input(path, file, layer, original)  # The reader says what is wrong with the file.
    if not layer:
        return _Input(path, file, layer, original)
    message = note(
        "input.layer_taken",
        "Layer '{layer}' of {file} was taken: no other layer of the file holds polygons.",
        layer=layer,
        file=file.name,
    )
    return _Input(
        path=f"{file}|layername={layer}",
        file=file,
        layer=layer,
        original=original,
        note=str(message),
    )


def checksum_of_layer(path: Path) -> str:
    """Return the checksum of all files that a layer consists of.

    These are the files in a folder; or a file, the other files of a shapefile, and the write-ahead
    log of a GeoPackage.
    """
    if path.is_dir():
        candidates = set(path.rglob("*"))
    else:
        candidates = {path, path.with_name(path.name + _WRITE_AHEAD_LOG)}
        candidates.update(path.with_suffix(suffix) for suffix in _SHAPEFILE_SUFFIXES)
    files = sorted(candidate for candidate in candidates if candidate.is_file())
    return checksum(*files)
