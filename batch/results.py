"""Results directories: the files of tiles, and a manifest of parameters and finished stages."""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
import uuid
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import lru_cache
from pathlib import Path
from time import monotonic, thread_time
from typing import Any, Callable

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyproj
import shapely

from randcrowns.batch.claims import CLAIM_FILE
from randcrowns.batch.manifest import FORMAT_VERSION, is_complete_manifest
from randcrowns.batch.progress import ProgressCallback
from randcrowns.batch.running import Runner, run_tiles
from randcrowns.batch.source import Source, fingerprint
from randcrowns.batch.tiles import Grid, Tile, TilePlan
from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.old_names import BATCH_COLUMNS

MANIFEST = "manifest.json"
#: Folder in the results directory for files that only later stages of the run read.
WORK_FOLDER = "work"
#: Number of rows in a row group of the files that are written.
ROW_GROUP = 20_000
# Minimum time between two writes of the manifest, seconds.
_MINIMUM_PAUSE = 1.0
# A pause before the next write of the manifest is this many times the processor time of the last.
_PAUSE_FACTOR = 50
# Bytes that are read from a file at a time to compute its checksum.
_CHUNK_BYTES = 1 << 20
_SIDES = ("xmin", "ymin", "xmax", "ymax")
# Entries of a fingerprint that must be equal for two layers to be the same.
_IDENTIFYING_ENTRIES = ("name", "rows", "checksum", "id_column", "original")
_OTHER_LAYERS = "the layers differ or have changed"
_LIBRARIES = ("numpy", "pandas", "shapely", "scipy", "pyarrow", "geopandas", "distributed")


@dataclass
class ResultsDirectory:
    """Results directory of a run.

    Attributes:
        folder: path of the directory.
        manifest: contents of its manifest.
    """

    folder: Path
    manifest: dict[str, Any]
    #: Earliest time of the next write of the manifest, seconds of the monotonic clock.
    _next_save: float = field(default=-np.inf, repr=False)

    @classmethod
    def create_or_resume(
        cls,
        folder: Path,
        kind: str,
        parameters: Mapping[str, Any],
        sources: Sequence[Source],
        make_plan: Callable[[], TilePlan],
    ) -> ResultsDirectory:
        """Return a new results directory, or open that of an interrupted run.

        :func:`check_destination` must have checked the directory. Nothing is written: a new
        directory has its manifest from the first :meth:`save` on. Stages whose files are missing or
        have changed are marked as not done.

        Args:
            folder: path of the directory.
            kind: ``score``, ``agree`` or ``evaluate``.
            parameters: all parameters that determine the results.
            sources: the layers.
            make_plan: divides the map; called for a new directory only.

        Raises:
            InputError: if the directory was made with other parameters or layers.
        """
        identity = {
            "kind": kind,
            "choices": _to_json_values(parameters),
            "inputs": [fingerprint(source) for source in sources],
        }
        if (folder / MANIFEST).exists():
            results = cls.read(folder)
            _check_same_run(results.manifest, identity, folder)
            results.discard_damaged()
            return results
        plan = make_plan()
        tiles = {}
        for tile in plan.tiles:
            stored_tile = [tile.column, tile.row, tile.size, tile.n_crowns]
            tiles[tile.key] = {"tile": stored_tile, "stages": {}}
        manifest = {
            "format": FORMAT_VERSION,
            **identity,
            "versions": library_versions(),
            "started": _now(),
            "finished": None,
            "grid": [plan.grid.x0, plan.grid.y0, plan.grid.cell],
            "diagonals": list(plan.diagonals),
            "bounds": plan.bounds.tolist(),
            "rows": list(plan.n_crowns),
            "without_place": plan.problems.table().to_dict("records"),
            "tiles": tiles,
        }
        return cls(folder, manifest)

    @classmethod
    def read(cls, folder: Path) -> ResultsDirectory:
        """Open an existing results directory.

        Raises:
            InputError: if the directory has no manifest, or it cannot be read or has another
                format.
        """
        try:
            manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise InputError(
                "batch.no_results",
                "{folder} holds no results: there is no {manifest} in it.",
                folder=folder,
                manifest=MANIFEST,
            ) from error
        except (OSError, ValueError) as error:
            raise InputError(
                "file.unreadable",
                "{path} cannot be read: {why}",
                path=folder / MANIFEST,
                why=error,
            ) from error
        except RecursionError as error:
            raise _damaged_manifest_error(folder) from error
        if isinstance(manifest, dict) and manifest.get("format", FORMAT_VERSION) != FORMAT_VERSION:
            raise InputError(
                "batch.other_version",
                "{folder} was made by another version of randcrowns. Run it again in a new folder.",
                folder=folder,
            )
        if not is_complete_manifest(manifest):
            raise _damaged_manifest_error(folder)
        return cls(folder, manifest)

    @property
    def grid(self) -> Grid:
        """Grid of the tiles."""
        return Grid(*self.manifest["grid"])

    def tiles(self, unfinished_stage: str | None = None) -> list[Tile]:
        """Return all tiles, or those that have not finished a stage."""
        return [
            Tile(*entry["tile"])
            for entry in self.manifest["tiles"].values()
            if unfinished_stage is None or unfinished_stage not in entry["stages"]
        ]

    def stage_reports(self, stage: str) -> dict[str, dict[str, Any]]:
        """Return the reports of a stage by the key of the tile, in the order of the tiles.

        A report is what the function that processed the tile returned, such as the ``files`` that
        it wrote. Tiles that have not finished the stage are absent.
        """
        tiles = self.manifest["tiles"]
        return {key: tiles[key]["stages"][stage] for key in tiles if stage in tiles[key]["stages"]}

    def run_stage(
        self,
        client: Runner,
        stage: str,
        process_tile: Callable[..., Any],
        arguments: Callable[[Tile], Sequence[Any]],
        label: str,
        report_progress: ProgressCallback,
    ) -> None:
        """Run a stage for the tiles that have not finished it, and record each finished tile.

        Args:
            client: client of the cluster.
            stage: name of the stage in the manifest.
            process_tile: processes one tile on a worker and returns its report.
            arguments: returns the arguments of ``process_tile`` for a tile.
            label: name of the stage for the progress.
            report_progress: callback with the progress.

        Raises:
            InputError: see :func:`randcrowns.batch.running.run_tiles`.
        """
        run_tiles(
            client,
            process_tile,
            self.tiles(stage),
            lambda tile, report: self._record(tile, stage, report),
            arguments,
            label,
            report_progress,
        )

    def _record(self, tile: Tile, stage: str, report: Mapping[str, Any]) -> None:
        """Record that a tile has finished a stage."""
        self.manifest["tiles"][tile.key]["stages"][stage] = _to_json_values(report)
        self.save()

    def save(self, at_once: bool = False) -> None:
        """Write the manifest.

        Unless ``at_once`` is True, most calls do nothing, so that writing takes a small share of
        the running time however large the manifest is.
        """
        if not at_once and monotonic() < self._next_save:
            return
        began = thread_time()
        text = json.dumps(self.manifest, indent=1, default=str)
        write_file(self.folder / MANIFEST, text.encode("utf-8"))
        pause = max(_MINIMUM_PAUSE, _PAUSE_FACTOR * (thread_time() - began))
        self._next_save = monotonic() + pause

    def finish(self) -> None:
        """Record the end of the run and delete the files that only its stages needed."""
        self.manifest["finished"] = self.manifest["finished"] or _now()
        self.save(at_once=True)
        shutil.rmtree(self.folder / WORK_FOLDER, ignore_errors=True)

    def files(self, kind: str) -> list[Path]:
        """Return the files of a kind, in the order of the tiles.

        Args:
            kind: folder of the files: ``targets``, ``delineations``, ``pairs``, ``sums`` and so on.
        """
        prefix = f"{kind}/"
        paths = []
        for tile in self.manifest["tiles"].values():
            for report in tile["stages"].values():
                names = report.get("files", {})
                paths += [self.folder / name for name in names if name.startswith(prefix)]
        return paths

    def discard_damaged(self) -> None:
        """Mark stages as not done if their files are missing or have changed."""
        if not (self.folder / "summary.csv").exists():
            self.manifest["finished"] = None
        for key, stage in self._damaged_stages(with_work=not self.manifest["finished"]):
            del self.manifest["tiles"][key]["stages"][stage]
            self.manifest["finished"] = None
        if not self.manifest["finished"]:
            # A finished run has deleted its work files; the stages to repeat need them again.
            for key, stage in self._damaged_stages(with_work=True):
                del self.manifest["tiles"][key]["stages"][stage]

    def discard_all(self) -> None:
        """Mark all stages as not done, and delete the summary."""
        for tile in self.manifest["tiles"].values():
            tile["stages"] = {}
        self.manifest["finished"] = None
        for name in ("summary.csv", "summary.json"):
            (self.folder / name).unlink(missing_ok=True)

    def check_files(self) -> None:
        """Check that every file of the results is as it was written.

        Raises:
            InputError: if files are missing or have changed; the message names their tiles.
        """
        tiles = sorted({key for key, _ in self._damaged_stages(with_work=False)})
        if tiles:
            raise InputError(
                "batch.tile_files_missing",
                "{folder}: files of {count:,} tiles are missing or have changed since they "
                "were written ({tiles}). Run the same command with --resume.",
                folder=self.folder,
                count=len(tiles),
                tiles=[*tiles[:5]],
            )

    def _damaged_stages(self, with_work: bool) -> list[tuple[str, str]]:
        """Return the stages of tiles of which files are missing or have changed.

        Args:
            with_work: True to check the work files too, which a finished run deletes.

        Returns:
            Key of the tile and name of the stage, for each damaged stage.
        """
        stages: list[tuple[str, str]] = []
        files_of_stages: list[dict[str, Any]] = []
        for key, tile in self.manifest["tiles"].items():
            for stage, report in tile["stages"].items():
                files = report["files"]
                if not with_work:
                    files = {name: entry for name, entry in files.items() if not _is_work(name)}
                stages.append((key, stage))
                files_of_stages.append(files)

        # Most of the time is spent on reading the files for their checksums.
        with ThreadPoolExecutor() as threads:
            is_intact = list(threads.map(self._is_intact, files_of_stages))
        return [stage for stage, intact in zip(stages, is_intact) if not intact]

    def _is_intact(self, files: Mapping[str, Any]) -> bool:
        """Return True if all files have the recorded size and checksum.

        Args:
            files: entries of the manifest (``bytes`` and ``sha256``) by the path of the file in the
                results directory.
        """
        for name, entry in files.items():
            path = self.folder / name
            # The checksum is the slowest check and comes last.
            if not path.is_file():
                return False
            if path.stat().st_size != entry["bytes"]:
                return False
            if checksum(path) != entry["sha256"]:
                return False
        return True


def _damaged_manifest_error(folder: Path) -> InputError:
    """Return the error that a manifest does not contain what a run writes."""
    return InputError(
        "batch.damaged_manifest",
        "{path} is damaged: entries of a run are missing in it or have other types. Run the "
        "command again in a new folder.",
        path=folder / MANIFEST,
    )


def check_folder(folder: Path) -> None:
    """Check that a directory can hold results: it is new, empty, or made by this command.

    Raises:
        InputError: if the path is a file, or the directory contains other files.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(
            "folder.is_file",
            "{folder} is a file; name a folder for the results.",
            folder=folder,
        )
    if not folder.is_dir() or (folder / MANIFEST).exists():
        return
    own_names = {CLAIM_FILE}
    if (folder / CLAIM_FILE).exists():
        # A run that was killed before it had a manifest leaves copies of layers.
        own_names.add(WORK_FOLDER)
    others = {path.name for path in folder.iterdir()} - own_names
    if any(not _is_partial_manifest(name) for name in others):
        raise InputError(
            "batch.foreign_files",
            "{folder} holds other files; name an empty or new folder.",
            folder=folder,
        )


def delete_unfinished_start(folder: Path) -> None:
    """Delete the files of a run that ended before it had a manifest; with a manifest, do nothing.

    The caller must hold the claim of the directory.
    """
    if (folder / MANIFEST).exists() or not folder.is_dir():
        return
    shutil.rmtree(folder / WORK_FOLDER, ignore_errors=True)
    for path in folder.iterdir():
        if _is_partial_manifest(path.name):
            path.unlink(missing_ok=True)


def _is_partial_manifest(name: str) -> bool:
    """Return True if a file of this name is a manifest that :func:`write_file` did not finish."""
    return name.startswith(f"{MANIFEST}.") and name.endswith(".partial")


def check_destination(folder: Path, originals: Sequence[str], resume: bool) -> None:
    """Check that a run may write its results to a directory; nothing is written.

    Args:
        folder: the directory, see :func:`check_folder`.
        originals: for each layer the checksum of the file that is copied, or empty.
        resume: True to continue a run in the directory.

    Raises:
        InputError: if the directory contains other files, results that are not to be resumed, or
            results of other layers.
    """
    check_folder(folder)
    if not (folder / MANIFEST).exists():
        return
    if not resume:
        raise InputError(
            "batch.results_exist",
            "{folder} holds results already. Continue with them (--resume), or name "
            "another folder.",
            folder=folder,
        )
    inputs = ResultsDirectory.read(folder).manifest["inputs"]
    if [entry.get("original") for entry in inputs] != list(originals):
        raise _other_run_error(folder, [_OTHER_LAYERS])


def write_table(
    folder: Path,
    name: str,
    table: pd.DataFrame,
    shapes: tuple[Any, Floats] | None = None,
    crs: str = "",
) -> dict[str, Any]:
    """Write a table as Parquet, or as GeoParquet 1.1 if it has geometries.

    The file appears under its name only when it is complete.

    Args:
        folder: the results directory.
        name: path of the file within the directory.
        table: the columns.
        shapes: well-known binary (n,) and bounds (n, 4) of the geometries, or None.
        crs: their coordinate reference system.

    Returns:
        An entry for the manifest: a dictionary with ``rows``, ``bytes`` and ``sha256`` by ``name``.

    Raises:
        InputError: if the file cannot be written, for example because the disk is full.
    """
    arrow_table = _to_arrow(table)
    columns_with_statistics: list[str] = []
    if shapes is not None:
        wkb, bounds = shapes
        arrow_table = _with_geometry(arrow_table, wkb, bounds, crs)
        columns_with_statistics = [f"bbox.{side}" for side in _SIDES]
    sink = pa.BufferOutputStream()
    pq.write_table(
        arrow_table,
        sink,
        row_group_size=ROW_GROUP,
        use_dictionary=_text_columns(table),
        write_statistics=columns_with_statistics,
    )
    content = memoryview(sink.getvalue())
    write_file(folder / name, content)
    return {
        name: {
            "rows": len(table),
            "bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }
    }


def _text_columns(table: pd.DataFrame) -> list[str]:
    """Return the names of the columns with texts."""
    return [str(name) for name, values in table.items() if values.dtype == object]


def _to_arrow(table: pd.DataFrame) -> pa.Table:
    """Return a table of pandas as one of Arrow, with the metadata that restores its types."""
    text_columns = _text_columns(table)
    arrays = []
    for name, values in table.items():
        # A text column without any value in this tile must have the type of other tiles.
        column_type = pa.string() if name in text_columns else None
        arrays.append(pa.array(values.array, column_type, from_pandas=True))
    metadata = _pandas_metadata(tuple(table.dtypes.items()))
    return pa.table(arrays, list(table.columns)).replace_schema_metadata(metadata)


def write_file(path: Path, content: Any) -> None:
    """Write bytes to a temporary file and rename it, so that no incomplete file has the name.

    Raises:
        InputError: if the file cannot be written.
    """
    partial = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise InputError(
            "batch.disk_full",
            "{path} cannot be written ({why}). Finished tiles are kept. Free space, "
            "then run the same command with --resume.",
            path=path,
            why=error.strerror,
        ) from error


def checksum(*paths: Path) -> str:
    """Return the SHA-256 of the contents of files, one after the other."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK_BYTES):
                digest.update(chunk)
    return digest.hexdigest()


def none_for_missing(values: pd.Series) -> Objects:
    """Return values of a column (n,) with None for those that are missing."""
    objects: Objects = values.to_numpy(dtype=object, copy=True)
    objects[pd.isna(objects)] = None
    return objects


def read_table(
    paths: Sequence[Path], columns: Sequence[str], *, exact_integers: bool = False
) -> pd.DataFrame:
    """Return columns of Parquet files, with the rows of all files one below the other.

    Args:
        paths: the files.
        columns: names of the columns.
        exact_integers: True for integers also where values are missing, instead of floats.
    """
    if not paths:
        return pd.DataFrame(columns=list(columns))
    tables = [read_columns(path, columns) for path in paths]
    types = {pa.int64(): pd.Int64Dtype()} if exact_integers else {}
    return pa.concat_tables(tables).to_pandas(ignore_metadata=True, types_mapper=types.get)


def read_columns(path: Path, columns: Sequence[str], **options: Any) -> pa.Table:
    """Return columns of a Parquet file, which may contain them under their old names.

    Args:
        path: the file.
        columns: current names of the columns.
        **options: further arguments of :func:`pyarrow.parquet.read_table`.
    """
    names_in_file = pq.read_schema(path).names
    old_names = {new: old for old, new in BATCH_COLUMNS.items() if old in names_in_file}
    stored_names = []
    for name in columns:
        is_current = name in names_in_file
        stored_names.append(name if is_current else old_names.get(name, name))
    # Without partitioning=None, folders such as "plot=1" in the path would add columns.
    table = pq.read_table(path, columns=stored_names, partitioning=None, **options)
    # The file's order of columns may be another one.
    return table.select(stored_names).rename_columns(list(columns))


def library_versions() -> dict[str, str]:
    """Return the versions of Python, GEOS and the libraries that influence results, by name."""
    from importlib.metadata import PackageNotFoundError, version

    versions = {"python": platform.python_version(), "geos": shapely.geos_version_string}
    for name in ("randcrowns", *_LIBRARIES):
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            # An optional library, or the plugin's folder without an installed package.
            continue
    return versions


@lru_cache(maxsize=32)
def _pandas_metadata(columns: tuple[tuple[str, Any], ...]) -> dict[bytes, bytes]:
    """Return the metadata from which pandas restores the types of columns (name, dtype)."""
    table = pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in columns})
    return dict(pa.Schema.from_pandas(table, preserve_index=False).metadata)


@lru_cache(maxsize=8)
def _projjson(crs: str) -> Any:
    """Return a CRS as the PROJJSON object that GeoParquet requires; None for an empty text."""
    return pyproj.CRS.from_user_input(crs).to_json_dict() if crs else None


def _with_geometry(table: pa.Table, wkb: Any, bounds: Floats, crs: str) -> pa.Table:
    """Return a table as GeoParquet 1.1: with geometries, the bounds of each, and metadata.

    Args:
        table: (n rows) the other columns.
        wkb: (n,) geometries as well-known binary, an array of bytes or a chunked array.
        bounds: (n, 4) their bounds.
        crs: their coordinate reference system.
    """
    geometry = wkb if isinstance(wkb, pa.ChunkedArray) else pa.array(wkb, type=pa.binary())
    side_arrays = [pa.array(side_values) for side_values in bounds.T]
    bbox = pa.StructArray.from_arrays(side_arrays, names=list(_SIDES))
    geometry_description = {
        "encoding": "WKB",
        "geometry_types": [],  # not stated
        "crs": _projjson(crs),
        "covering": {"bbox": {side: ["bbox", side] for side in _SIDES}},
    }
    geo = {
        "version": "1.1.0",
        "primary_column": "geometry",
        "columns": {"geometry": geometry_description},
    }
    spatial_table = table.append_column("geometry", geometry).append_column("bbox", bbox)
    metadata = dict(spatial_table.schema.metadata or {})
    metadata[b"geo"] = json.dumps(geo).encode("utf-8")
    return spatial_table.replace_schema_metadata(metadata)


def _identifying_values(layer: Mapping[str, Any]) -> list[Any]:
    """Return the values of a layer's entry in the manifest that identify its content."""
    return [layer.get(name) for name in _IDENTIFYING_ENTRIES]


def _check_same_run(manifest: Mapping[str, Any], identity: Mapping[str, Any], folder: Path) -> None:
    """Check that a manifest belongs to a run with the same kind, parameters and layers.

    Args:
        manifest: manifest of the directory.
        identity: ``kind``, ``choices`` and ``inputs`` of the run.
        folder: the results directory, for the message.

    Raises:
        InputError: if anything differs; the message names the differences.
    """
    differences = []
    old_kind = manifest.get("kind")
    if old_kind != identity["kind"]:
        differences.append(f"it was made by {old_kind}")
    old_choices = manifest.get("choices", {})
    new_choices = identity["choices"]
    for name in sorted(set(old_choices) | set(new_choices)):
        old_value = old_choices.get(name)
        new_value = new_choices.get(name)
        if old_value != new_value:
            differences.append(f"{name} was {old_value} and is {new_value}")
    old_layers = [_identifying_values(entry) for entry in manifest.get("inputs", [])]
    new_layers = [_identifying_values(entry) for entry in identity["inputs"]]
    if old_layers != new_layers:
        differences.append(_OTHER_LAYERS)
    if differences:
        raise _other_run_error(folder, differences)


def _other_run_error(folder: Path, differences: Sequence[str]) -> InputError:
    """Return the error that a directory contains the results of another run."""
    return InputError(
        "batch.other_run",
        "{folder} holds results of another run: {differences}. "
        "Name another folder, or use the same parameters and layers.",
        folder=folder,
        differences="; ".join(differences),
    )


def _is_work(name: str) -> bool:
    """Return True if a file, named by its path within the directory, serves later stages only."""
    return name.startswith(f"{WORK_FOLDER}/")


def _to_json_values(value: Any) -> Any:
    """Return a value as it is after writing it as JSON and reading it again."""

    def convert(item: Any) -> Any:
        return item.item() if isinstance(item, np.generic) else str(item)

    return json.loads(json.dumps(value, default=convert))


def _now() -> str:
    """Return the time in UTC as text, to the second."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
