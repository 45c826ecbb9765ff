"""Files of crowns on disk: GeoParquet in pieces with bounds, of which a box of the map can be read alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import get_ident
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyproj
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.crowns import Crowns, is_box
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import polygonal
from randcrowns.core.systems import in_metres

#: Column of a partitioned file with the row that a crown had in its own file.
ROW = "crown_row"
#: Endings of Parquet files.
SUFFIXES = (".parquet", ".geoparquet")
_SIDES = ("xmin", "ymin", "xmax", "ymax")
_POLYGONAL = (
    shapely.GeometryType.POLYGON,
    shapely.GeometryType.MULTIPOLYGON,
    shapely.GeometryType.GEOMETRYCOLLECTION,
)
#: Coordinates beyond this, metres, are on no map: more than twice around the Earth.
LARGEST = 1e8


@dataclass(frozen=True)
class Source:
    """One layer of crowns: one GeoParquet file, or the files of a folder, each with the bounds of every crown.

    Attributes:
        name: the layer's name.
        paths: its files.
        id_column: column with whole numbers that name the crowns; empty for the row in the file they came from.
        changed: when each file was changed last, nanoseconds: what is remembered of a file holds no longer.
        original: checksum of what it was copied from; empty where the files are the layer's own.
    """

    name: str
    paths: tuple[str, ...]
    id_column: str = ""
    changed: tuple[int, ...] = ()
    original: str = ""

    @property
    def pieces(self) -> Pieces:
        """The layer's row groups."""
        return _pieces(self)


@dataclass(frozen=True)
class Pieces:
    """Row groups of a layer.

    Attributes:
        file, group, rows, first: (g,) place in ``paths``, number within the file, rows, and the row it starts with.
        bounds: (g, 4) of the crowns in each.
        geometry, box: names of the columns with the geometries and with their bounds.
        crs: the coordinate system.
        columns: names of all columns.
    """

    file: Ints
    group: Ints
    rows: Ints
    first: Ints
    bounds: Floats
    geometry: str
    box: str
    crs: pyproj.CRS
    columns: tuple[str, ...]


class Rows(NamedTuple):
    """Crowns as they stand in the files.

    Attributes:
        row: (n,) row in the file they came from.
        ids: (n,) their ids.
        bounds: (n, 4) bounds as the file states them; NaN without a geometry.
        wkb: (n,) geometries as well-known binary.
        table: the other columns asked for.
    """

    row: Ints
    ids: Ints
    bounds: Floats
    wkb: pa.ChunkedArray
    table: pd.DataFrame

    def where(self, which: Bools) -> Rows:
        """Those where ``which`` (n,) is True."""
        table = self.table[which].reset_index(drop=True)
        return Rows(
            self.row[which],
            self.ids[which],
            self.bounds[which],
            self.wkb.filter(pa.array(which)),
            table,
        )


@dataclass
class Problems:
    """What was wrong with which crowns, and what was done about it."""

    found: list[pd.DataFrame] = field(default_factory=list)

    def add(self, layer: str, ids: Ints, problem: str, done: str) -> None:
        """Note crowns; nothing is noted for none."""
        if len(ids):
            self.found.append(
                pd.DataFrame({"layer": layer, "id": ids, "problem": problem, "done": done})
            )

    def table(self) -> pd.DataFrame:
        """``layer``, ``id``, ``problem``, ``done``: a row per crown."""
        return pd.concat([_NO_PROBLEM, *self.found], ignore_index=True)


_NO_PROBLEM = pd.DataFrame(
    {
        name: pd.Series(dtype=kind)
        for name, kind in zip(("layer", "id", "problem", "done"), ("O", "i8", "O", "O"))
    }
)
#: What was done about a crown with a problem.
SKIPPED, REPAIRED, CUT = "skipped", "repaired", "cut"
OFF_THE_MAP = "coordinates that are not numbers, or on no map"


def is_ready(path: Path) -> bool:
    """Whether a file is GeoParquet with the bounds of every crown, or a folder of such files."""
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    if not files or any(file.suffix.lower() not in SUFFIXES for file in files):
        return False
    described = [_described(str(file)) for file in files]
    return all(one is not None and one.get("covering", {}).get("bbox") for one in described)


def open_source(path: Path, name: str, id_column: str = "") -> Source:
    """The layer in a file or folder that :func:`is_ready`.

    Raises:
        InputError: for a coordinate system that is missing or not in metres, an id column that is missing, holds
            anything but whole numbers, or the same one twice.
    """
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    changed = tuple(file.stat().st_mtime_ns for file in files)
    source = Source(name, tuple(str(file.resolve()) for file in files), id_column, changed)
    pieces = source.pieces
    if id_column or ROW in pieces.columns:
        _check_ids(source, id_column or ROW)
    return source


def check_metres(crs: pyproj.CRS | None, name: str) -> pyproj.CRS:
    """The coordinate system, which must be one in metres.

    Raises:
        InputError: saying what to do.
    """
    if crs is None:
        raise InputError(
            f"{name}: the file names no coordinate system. If you know it, write a copy that does: "
            "randcrowns partition FILE OUT.parquet --assign-crs EPSG:32617"
        )
    if not in_metres(crs):
        raise InputError(
            f"{name}: the coordinate system {crs.name} is not in metres. Write a copy in metres: "
            "randcrowns partition FILE OUT.parquet --crs EPSG:32617 (without --crs: the UTM zone of its centre)"
        )
    return crs


def check_alike(sources: Sequence[Source]) -> None:
    """Refuse layers in different coordinate systems.

    Raises:
        InputError: naming both.
    """
    first = sources[0]
    for other in sources[1:]:
        if not other.pieces.crs.equals(first.pieces.crs, ignore_axis_order=True):
            crs = first.pieces.crs
            code = crs.to_string() if crs.to_authority() else "the other's system"
            raise InputError(
                f"{other.name} is in {other.pieces.crs.name}, but {first.name} is in {crs.name}. "
                f"Write a copy in one system: randcrowns partition FILE OUT.parquet --crs {code}"
            )


def fingerprint(source: Source) -> dict[str, Any]:
    """What tells whether a layer is still the same: rows, bytes, and a checksum of the files' footers."""
    digest = hashlib.sha256()
    for path in source.paths:
        size = Path(path).stat().st_size
        with Path(path).open("rb") as file:
            file.seek(max(0, size - (1 << 16)))
            digest.update(file.read())
    return {
        "name": source.name,
        "paths": list(source.paths),
        "rows": int(source.pieces.rows.sum()),
        "bytes": sum(Path(path).stat().st_size for path in source.paths),
        "checksum": digest.hexdigest(),
        "crs": source.pieces.crs.to_string(),
        "id_column": source.id_column,
        "original": source.original,
    }


def each_bounds(source: Source) -> Iterator[tuple[Ints, Floats]]:
    """Ids and bounds of all crowns, a few row groups at a time; geometries are not read."""
    pieces = source.pieces
    for some in np.array_split(np.arange(len(pieces.rows)), max(1, len(pieces.rows) // 64)):
        if len(some):
            found = _read_groups(source, some, [], with_geometry=False)
            yield found.ids, found.bounds


def read_box(source: Source, box: Floats, columns: Sequence[str] = ()) -> Rows:
    """The crowns whose bounds meet a box (xmin, ymin, xmax, ymax), in the order of the file.

    Args:
        columns: further columns to read.
    """
    pieces = source.pieces
    meets = (pieces.bounds[:, :2] <= box[2:]).all(axis=1) & (pieces.bounds[:, 2:] >= box[:2]).all(
        axis=1
    )
    found = _read_groups(source, np.flatnonzero(meets), columns)
    inside = (found.bounds[:, :2] <= box[2:]).all(axis=1) & (found.bounds[:, 2:] >= box[:2]).all(
        axis=1
    )
    return found if inside.all() else found.where(inside)


def is_placed(numbers: Floats) -> Bools:
    """(n,) whether all coordinates of each row lie on a map."""
    return np.asarray((np.abs(numbers) <= LARGEST).all(axis=1))


def usable_shapes(rows: Rows, layer: str, problems: Problems) -> Objects:
    """(n,) valid polygons, None where nothing usable is left."""
    shapes: Objects = np.asarray(
        shapely.from_wkb(rows.wkb.to_numpy(), on_invalid="ignore"), dtype=object
    )
    missing = shapely.is_missing(shapes)
    stated = ~np.array(rows.wkb.is_null())
    problems.add(layer, rows.ids[missing & stated], "an outline that cannot be read", SKIPPED)
    problems.add(layer, rows.ids[missing & ~stated], "no geometry", SKIPPED)
    if shapely.has_z(shapes).any():
        shapes = np.asarray(shapely.force_2d(shapes), dtype=object)
    rest = np.flatnonzero(~missing & ~_are_rectangles(shapes))
    if len(rest):
        shapes[rest] = _checked(shapes[rest], rows.ids[rest], layer, problems)
    return shapes


def _are_rectangles(shapes: Objects) -> Bools:
    """(n,) which are polygons of four corners that fill their bounds, on the map: nothing can be wrong with them."""
    four = (shapely.get_type_id(shapes) == shapely.GeometryType.POLYGON) & (
        shapely.get_num_coordinates(shapes) == 5
    )
    found = np.zeros(len(shapes), dtype=bool)
    some = np.flatnonzero(four)
    some = some[is_placed(shapely.bounds(shapes[some]))]
    found[some] = is_box(shapes[some]) & (shapely.area(shapes[some]) > 0)
    return found


def _checked(shapes: Objects, ids: Ints, layer: str, problems: Problems) -> Objects:
    """The shapes, valid ones as they are; None where nothing usable is left."""
    _leave(shapes, shapely.is_empty(shapes), ids, layer, "an empty geometry", problems)
    wrong = ~np.isin(shapely.get_type_id(shapes), _POLYGONAL) & ~shapely.is_missing(shapes)
    _leave(shapes, wrong, ids, layer, "another geometry type than polygon", problems)
    # Bounds pass over vertices that are not numbers.
    xy, owner = shapely.get_coordinates(shapes, return_index=True)
    off = np.zeros(len(shapes), dtype=bool)
    off[owner[~is_placed(xy)]] = True
    _leave(shapes, off, ids, layer, OFF_THE_MAP, problems)
    invalid = ~shapely.is_valid(shapes) & ~shapely.is_missing(shapes)
    shapes[invalid] = shapely.make_valid(shapes[invalid])
    mixed = shapely.get_type_id(shapes) == shapely.GeometryType.GEOMETRYCOLLECTION
    shapes[mixed] = polygonal(shapes[mixed])
    _leave(
        shapes,
        ~shapely.is_missing(shapes) & ~(shapely.area(shapes) > 0),
        ids,
        layer,
        "no area",
        problems,
    )
    problems.add(layer, ids[invalid & ~shapely.is_missing(shapes)], "an invalid outline", REPAIRED)
    return shapes


def crowns_of(rows: Rows, shapes: Objects, source: Source, plot_field: str = "") -> Crowns:
    """The rows with their shapes as core takes them."""
    groups = None
    if plot_field in rows.table:
        stated = rows.table[plot_field]
        groups = np.array(
            [None if missing else _plot(one) for one, missing in zip(stated, pd.isna(stated))],
            dtype=object,
        )
    return Crowns.of_checked(shapes, rows.ids, groups, source.name, source.pieces.crs.to_string())


def _plot(stated: Any) -> str:
    """The name of a plot: whole numbers read alike, whether they are stored as such or not."""
    whole = isinstance(stated, (float, np.floating)) and float(stated).is_integer()
    return str(int(stated)) if whole else str(stated)


def _leave(
    shapes: Objects, which: Bools, ids: Ints, layer: str, problem: str, problems: Problems
) -> None:
    shapes[which] = None
    problems.add(layer, ids[which], problem, SKIPPED)


def _described(path: str) -> dict[str, Any] | None:
    """What a GeoParquet file says of its main geometry column; None for any other file."""
    try:
        stated = (pq.read_schema(path).metadata or {}).get(b"geo")
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(f"{path} cannot be read as Parquet: {error}") from error
    if stated is None:
        return None
    geo = json.loads(stated)
    return {"column": geo["primary_column"], **geo["columns"][geo["primary_column"]]}


@lru_cache(maxsize=32)
def _pieces(source: Source) -> Pieces:
    files, groups, rows, bounds = [], [], [], []
    if not source.paths:
        raise InputError(f"{source.name}: there is no file to read.")
    described = _described(source.paths[0]) or {}
    box = described["covering"]["bbox"]["xmin"][0]
    crs = _stated_crs(described)
    for number, path in enumerate(source.paths):
        other = _described(path) or {}
        if not _same_crs(crs, _stated_crs(other)):
            raise InputError(
                f"{source.name}: its files are in unlike coordinate systems, {_name_of(crs)} in "
                f"{Path(source.paths[0]).name} and {_name_of(_stated_crs(other))} in {Path(path).name}; bring them to "
                "one: randcrowns partition FILES OUT"
            )
        if (other["column"], other["covering"]["bbox"]["xmin"][0]) != (described["column"], box):
            raise InputError(
                f"{source.name}: the columns of geometries and bounds are named {described['column']} and {box} in "
                f"{Path(source.paths[0]).name}, but otherwise in {Path(path).name}; write them as one layer: "
                "randcrowns partition FILES OUT"
            )
        metadata = pq.read_metadata(path)
        places = (
            {metadata.row_group(0).column(k).path_in_schema: k for k in range(metadata.num_columns)}
            if (metadata.num_row_groups)
            else {}
        )
        for group in range(metadata.num_row_groups):
            piece = metadata.row_group(group)
            stated = [piece.column(places[f"{box}.{side}"]).statistics for side in _SIDES]
            known = all(one is not None and one.has_min_max for one in stated)
            files.append(number)
            groups.append(group)
            rows.append(piece.num_rows)
            bounds.append(
                [stated[0].min, stated[1].min, stated[2].max, stated[3].max]
                if known
                else [np.nan] * 4
            )
    return Pieces(
        np.array(files, dtype=np.int64),
        np.array(groups, dtype=np.int64),
        np.array(rows, dtype=np.int64),
        np.cumsum([0, *rows])[:-1].astype(np.int64),
        _unknown_everywhere(np.array(bounds, dtype=np.float64).reshape(-1, 4)),
        described["column"],
        box,
        check_metres(crs, source.name),
        tuple(pq.read_schema(source.paths[0]).names),
    )


def _stated_crs(described: dict[str, Any]) -> pyproj.CRS | None:
    """The coordinate system: without one GeoParquet means longitude and latitude; "null" means that nobody knows."""
    stated = described.get("crs", "OGC:CRS84")
    return None if stated is None else _crs_of(json.dumps(stated))


@lru_cache(maxsize=32)
def _crs_of(stated: str) -> pyproj.CRS:
    return pyproj.CRS.from_user_input(json.loads(stated))


def _same_crs(one: pyproj.CRS | None, other: pyproj.CRS | None) -> bool:
    if one is None or other is None or one is other:
        return one is other
    return bool(one.equals(other, ignore_axis_order=True))


def _name_of(crs: pyproj.CRS | None) -> str:
    return "none" if crs is None else str(crs.name)


def _unknown_everywhere(bounds: Floats) -> Floats:
    """Bounds that the file does not state may be anywhere."""
    return np.where(np.isnan(bounds), [-np.inf, -np.inf, np.inf, np.inf], bounds)


def _check_ids(source: Source, column: str) -> None:
    if column not in source.pieces.columns:
        raise InputError(
            f"{source.name} has no column '{column}'; it has {', '.join(source.pieces.columns)}."
        )
    stated = pa.chunked_array(
        [pq.read_table(path, columns=[column]).column(0).combine_chunks() for path in source.paths]
    )
    if not pa.types.is_integer(stated.type) or stated.null_count:
        raise InputError(
            f"{source.name}: the ids in column '{column}' must be whole numbers, one for each crown."
        )
    ids = np.sort(stated.to_numpy())
    if len(ids) and int(ids[-1]) > np.iinfo(np.int64).max:
        raise InputError(
            f"{source.name}: the id {ids[-1]} in column '{column}' is too large; ids end at {np.iinfo(np.int64).max}."
        )
    twice = np.unique(ids[1:][ids[1:] == ids[:-1]])
    if len(twice):
        named = ", ".join(map(str, twice[:5]))
        raise InputError(
            f"{source.name}: {len(twice):,} ids in column '{column}' name several crowns ({named}); "
            "give each crown an id of its own, or leave the id column out."
        )


def _read_groups(
    source: Source, some: Ints, columns: Sequence[str], with_geometry: bool = True
) -> Rows:
    pieces = source.pieces
    own = [
        name for name in dict.fromkeys([source.id_column, ROW, *columns]) if name in pieces.columns
    ]
    wanted = [*own, pieces.box, *([pieces.geometry] if with_geometry else [])]
    tables, rows = [], []
    for file in np.unique(pieces.file[some]):
        of_file = some[pieces.file[some] == file]
        tables.append(
            _opened(source.paths[file], source.changed[file], get_ident()).read_row_groups(
                pieces.group[of_file].tolist(), columns=wanted
            )
        )
        rows += [np.arange(pieces.first[k], pieces.first[k] + pieces.rows[k]) for k in of_file]
    if not tables:
        tables = [pq.read_schema(source.paths[0]).empty_table().select(wanted)]
    table = pa.concat_tables(tables)
    place = np.concatenate(rows) if rows else np.empty(0, np.int64)
    row = table.column(ROW).to_numpy().astype(np.int64) if ROW in own else place
    ids = table.column(source.id_column).to_numpy().astype(np.int64) if source.id_column else row
    box = table.column(pieces.box).combine_chunks()
    sides = [
        np.asarray(pa.array(_field(box, side)).to_numpy(zero_copy_only=False), dtype=np.float64)
        for side in _SIDES
    ]
    others = table.select([name for name in own if name in columns])
    wkb = table.column(pieces.geometry) if with_geometry else pa.chunked_array([], type=pa.binary())
    return Rows(
        row,
        ids,
        np.stack(sides, axis=1).reshape(-1, 4),
        wkb,
        others.to_pandas(integer_object_nulls=True),
    )


def _field(box: Any, side: str) -> Any:
    if isinstance(box, pa.ChunkedArray):
        return pa.array([], type=pa.float64())
    return box.field(side)


@lru_cache(maxsize=32)
def _opened(path: str, _changed: int, _thread: int) -> pq.ParquetFile:
    """Of each thread its own: two that read one at once disturb each other."""
    return pq.ParquetFile(path, memory_map=True)
