"""What a run leaves on disk: files of tiles, and the manifest that says what is done and with which choices."""

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
from distributed import Client

from randcrowns.batch.cluster import Watch, run_tiles
from randcrowns.batch.source import Source, fingerprint
from randcrowns.batch.tiles import Grid, Plan, Tile
from randcrowns.core.arrays import Floats
from randcrowns.core.errors import InputError

MANIFEST = "manifest.json"
#: What a results directory holds; other versions of the program may hold something else in it.
FORMAT = 2
#: Where a run keeps what only its later stages read.
WORK = "work"
#: Rows of a row group of what is written.
ROW_GROUP = 20_000
# Least seconds between two times that the manifest is written.
_PAUSE = 1.0
_SIDES = ("xmin", "ymin", "xmax", "ymax")
# What tells that layers are the same, and what is said where they are not.
_OF_LAYERS = ("name", "rows", "checksum", "id_column", "original")
_OTHERS = "the layers are others, or have changed"
_LIBRARIES = ("numpy", "pandas", "shapely", "scipy", "pyarrow", "geopandas", "distributed")


@dataclass
class Results:
    """A results directory.

    Attributes:
        folder: where it is.
        manifest: what its manifest says.
    """

    folder: Path
    manifest: dict[str, Any]
    _next: float = field(default=-np.inf, repr=False)

    @classmethod
    def started(
        cls,
        folder: Path,
        kind: str,
        choices: Mapping[str, Any],
        sources: Sequence[Source],
        make_plan: Any,
    ) -> Results:
        """A new directory, or that of a run that was stopped.

        Args:
            kind: score, agree or evaluate.
            choices: all that decides the results.
            sources: the layers.
            make_plan: gives the :class:`Plan` of a new run.

        :func:`look_into` has looked at the directory before.

        Raises:
            InputError: where the directory was made with other choices or layers.
        """
        wanted = {
            "kind": kind,
            "choices": _plain(choices),
            "inputs": [fingerprint(source) for source in sources],
        }
        path = folder / MANIFEST
        if path.exists():
            found = cls.opened(folder)
            _refuse_unlike(found.manifest, wanted, folder)
            found.forget_damaged()
            return found
        plan: Plan = make_plan()
        folder.mkdir(parents=True, exist_ok=True)
        manifest = {
            "format": FORMAT,
            **wanted,
            "versions": versions(),
            "started": _now(),
            "finished": None,
            "grid": [plan.grid.x0, plan.grid.y0, plan.grid.cell],
            "diagonals": list(plan.diagonals),
            "bounds": plan.bounds.tolist(),
            "rows": list(plan.rows),
            "without_place": plan.problems.table().to_dict("records"),
            "tiles": {
                tile.key: {"tile": [tile.column, tile.row, tile.size, tile.crowns], "stages": {}}
                for tile in plan.tiles
            },
        }
        results = cls(folder, manifest)
        results.save(at_once=True)
        return results

    @classmethod
    def opened(cls, folder: Path) -> Results:
        """The results in a directory.

        Raises:
            InputError: where there are none, or the manifest cannot be read.
        """
        try:
            manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise InputError(f"{folder} holds no results: there is no {MANIFEST} in it.") from error
        except (OSError, ValueError) as error:
            raise InputError(f"{folder / MANIFEST} cannot be read: {error}") from error
        if manifest.get("format") != FORMAT:
            raise InputError(
                f"{folder} was made by another version of randcrowns; run it again, in a new folder."
            )
        return cls(folder, manifest)

    @property
    def grid(self) -> Grid:
        """The cells that tiles are made of."""
        return Grid(*self.manifest["grid"])

    def tiles(self, stage: str | None = None) -> list[Tile]:
        """All tiles, or those that still want a stage."""
        return [
            Tile(*one["tile"])
            for one in self.manifest["tiles"].values()
            if stage is None or stage not in one["stages"]
        ]

    def stage(self, stage: str) -> dict[str, dict[str, Any]]:
        """What each tile that has done a stage said about it, in the order of the tiles."""
        tiles = self.manifest["tiles"]
        return {key: tiles[key]["stages"][stage] for key in tiles if stage in tiles[key]["stages"]}

    def run(
        self,
        client: Client,
        stage: str,
        work: Callable[..., Any],
        arguments: Callable[[Tile], Sequence[Any]],
        words: str,
        watch: Watch,
    ) -> None:
        """Do a stage of the tiles that lack it, and note each that is done; see :func:`run_tiles`."""
        run_tiles(
            client,
            work,
            self.tiles(stage),
            lambda tile, said: self.done(tile, stage, said),
            arguments,
            words,
            watch,
        )

    def done(self, tile: Tile, stage: str, said: Mapping[str, Any]) -> None:
        """Note that a tile has done a stage, and what it said."""
        self.manifest["tiles"][tile.key]["stages"][stage] = _plain(said)
        self.save()

    def save(self, at_once: bool = False) -> None:
        """Write the manifest, seldom enough to cost little unless it has to be at once."""
        if not at_once and monotonic() < self._next:
            return
        began = thread_time()
        text = json.dumps(self.manifest, indent=1, default=str)
        write_file(self.folder / MANIFEST, text.encode("utf-8"))
        self._next = monotonic() + max(_PAUSE, 50 * (thread_time() - began))

    def finish(self) -> None:
        """Note the end, and drop what only the stages needed."""
        self.manifest["finished"] = self.manifest["finished"] or _now()
        self.save(at_once=True)
        shutil.rmtree(self.folder / WORK, ignore_errors=True)

    def files(self, kind: str) -> list[Path]:
        """The files of one kind (targets, delineations, pairs, …), in the order of the tiles."""
        return [
            self.folder / name
            for tile in self.manifest["tiles"].values()
            for said in tile["stages"].values()
            for name in said.get("files", {})
            if name.startswith(f"{kind}/")
        ]

    def forget_damaged(self) -> None:
        """Do again what was noted as done but whose files are gone or changed."""
        if not (self.folder / "summary.csv").exists():
            self.manifest["finished"] = None
        for key, stage in self._damaged(work=not self.manifest["finished"]):
            del self.manifest["tiles"][key]["stages"][stage]
            self.manifest["finished"] = None
        if not self.manifest["finished"]:
            # What only the later stages read went at the end, and is wanted again.
            for key, stage in self._damaged(work=True):
                del self.manifest["tiles"][key]["stages"][stage]

    def check(self) -> None:
        """See that every file is as it was written.

        Raises:
            InputError: naming the tiles whose files are not.
        """
        tiles = sorted({key for key, _ in self._damaged(work=False)})
        if tiles:
            raise InputError(
                f"{self.folder}: files of {len(tiles):,} tiles are gone or have changed since they were written "
                f"({', '.join(tiles[:5])}); run the same command with --resume."
            )

    def _damaged(self, work: bool) -> list[tuple[str, str]]:
        """Tiles and stages with files that are not as noted; in ``work``, too, or only elsewhere."""
        noted = [
            (
                key,
                stage,
                {name: file for name, file in said["files"].items() if work or not _is_work(name)},
            )
            for key, tile in self.manifest["tiles"].items()
            for stage, said in tile["stages"].items()
        ]
        with ThreadPoolExecutor() as threads:
            sound = list(threads.map(lambda one: self._is_sound(one[2]), noted))
        return [(key, stage) for (key, stage, _), good in zip(noted, sound) if not good]

    def _is_sound(self, files: Mapping[str, Any]) -> bool:
        for name, stated in files.items():
            path = self.folder / name
            if (
                not path.is_file()
                or path.stat().st_size != stated["bytes"]
                or checksum(path) != stated["sha256"]
            ):
                return False
        return True


def look_into(folder: Path, originals: Sequence[str], resume: bool) -> None:
    """See, before anything is written, that a directory may take the results.

    Args:
        originals: what tells each layer that has to be copied from others; empty for the rest.
        resume: go on with what the directory holds.

    Raises:
        InputError: where it holds anything but results to be resumed, made from the same originals.
    """
    if (folder / MANIFEST).exists():
        if not resume:
            raise InputError(
                f"{folder} holds results already; go on with them (--resume), or name another folder."
            )
        before = [one.get("original") for one in Results.opened(folder).manifest.get("inputs", [])]
        if before != list(originals):
            raise InputError(_of_another_run(folder, [_OTHERS]))
    elif folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; name a folder for the results.")
    elif folder.is_dir() and any(folder.iterdir()):
        raise InputError(f"{folder} holds other files; name a folder of its own for the results.")


def write_table(
    folder: Path,
    name: str,
    table: pd.DataFrame,
    shapes: tuple[Any, Floats] | None = None,
    crs: str = "",
) -> dict[str, Any]:
    """Write a table as Parquet, whole or not at all; GeoParquet where it has geometries.

    Args:
        folder: the results directory.
        name: path of the file within it.
        table: its columns.
        shapes: geometry of each row, as well-known binary, and their (n, 4) bounds.
        crs: their coordinate system.

    Returns:
        ``rows``, ``bytes`` and ``sha256`` by the file's name, for the manifest.

    Raises:
        InputError: when the disk is full, or cannot be written to.
    """
    columns = dict(table.items())
    text = [name for name, column in columns.items() if column.dtype == object]
    # A column of one tile that holds nothing must still have the type of the others.
    arrays = [
        pa.array(column.array, pa.string() if name in text else None, from_pandas=True)
        for name, column in columns.items()
    ]
    arrow = pa.table(arrays, list(columns)).replace_schema_metadata(
        _as_pandas(tuple(table.dtypes.items()))
    )
    if shapes is not None:
        arrow = _with_geometry(arrow, *shapes, crs)
    sink = pa.BufferOutputStream()
    bounds = [f"bbox.{side}" for side in _SIDES] if shapes is not None else []
    pq.write_table(
        arrow, sink, row_group_size=ROW_GROUP, use_dictionary=text, write_statistics=bounds
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


def write_file(path: Path, content: Any) -> None:
    """Write a file whole or not at all.

    Raises:
        InputError: when it cannot be written.
    """
    partial = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise InputError(
            f"{path} cannot be written ({error.strerror}). What is done is kept: make room, then run the same command "
            "with --resume."
        ) from error


def checksum(*paths: Path) -> str:
    """SHA-256 of files, one after the other."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def read_table(paths: Sequence[Path], columns: Sequence[str]) -> pd.DataFrame:
    """Columns of several Parquet files, one below the other."""
    tables = [pq.ParquetFile(path).read(list(columns)) for path in paths]
    return (
        pa.concat_tables(tables).to_pandas(ignore_metadata=True)
        if tables
        else pd.DataFrame(columns=list(columns))
    )


def versions() -> dict[str, str]:
    """Versions of Python and of the libraries that decide results."""
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version(), "geos": shapely.geos_version_string}
    for name in ("randcrowns", *_LIBRARIES):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


@lru_cache(maxsize=32)
def _as_pandas(columns: tuple[tuple[str, Any], ...]) -> dict[bytes, bytes]:
    """What pandas wants to know of the columns (name, type) of a table that it reads again."""
    table = pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in columns})
    return dict(pa.Schema.from_pandas(table, preserve_index=False).metadata)


@lru_cache(maxsize=8)
def _as_json(crs: str) -> Any:
    """A coordinate system as GeoParquet has it."""
    return pyproj.CRS.from_user_input(crs).to_json_dict() if crs else None


def _with_geometry(table: pa.Table, wkb: Any, bounds: Floats, crs: str) -> pa.Table:
    """The table as GeoParquet 1.1: the geometries, the bounds of each, and the coordinate system."""
    stored = wkb if isinstance(wkb, pa.ChunkedArray) else pa.array(wkb, type=pa.binary())
    box = pa.StructArray.from_arrays([pa.array(side) for side in bounds.T], names=list(_SIDES))
    geo = {
        "version": "1.1.0",
        "primary_column": "geometry",
        "columns": {
            "geometry": {
                "encoding": "WKB",
                "geometry_types": [],
                "crs": _as_json(crs),
                "covering": {"bbox": {side: ["bbox", side] for side in _SIDES}},
            }
        },
    }
    table = table.append_column("geometry", stored).append_column("bbox", box)
    return table.replace_schema_metadata(
        {**(table.schema.metadata or {}), b"geo": json.dumps(geo).encode("utf-8")}
    )


def _refuse_unlike(found: Mapping[str, Any], wanted: Mapping[str, Any], folder: Path) -> None:
    unlike = [] if found.get("kind") == wanted["kind"] else [f"it was made by {found.get('kind')}"]
    before, now = found.get("choices", {}), wanted["choices"]
    unlike += [
        f"{name} was {before.get(name)} and is {now.get(name)}"
        for name in sorted({*before, *now})
        if before.get(name) != now.get(name)
    ]
    layers = [[one.get(name) for name in _OF_LAYERS] for one in found.get("inputs", [])]
    if layers != [[one[name] for name in _OF_LAYERS] for one in wanted["inputs"]]:
        unlike.append(_OTHERS)
    if unlike:
        raise InputError(_of_another_run(folder, unlike))


def _of_another_run(folder: Path, unlike: Sequence[str]) -> str:
    return f"{folder} holds results of another run: {'; '.join(unlike)}. Name another folder, or the same choices."


def _is_work(name: str) -> bool:
    return name.startswith(f"{WORK}/")


def _plain(value: Any) -> Any:
    """The value as JSON gives it back."""
    return json.loads(
        json.dumps(
            value, default=lambda item: item.item() if isinstance(item, np.generic) else str(item)
        )
    )


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
