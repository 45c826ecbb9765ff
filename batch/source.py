"""Layers of crowns as GeoParquet files, of which the crowns in a box can be read.

The files state the bounds of every crown and of every row group, so that reading a box touches only
the row groups that meet it.
"""

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

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects
from randcrowns.core.class_names import class_values
from randcrowns.core.crowns import POLYGONAL_TYPES, Crowns, is_box, plot_names
from randcrowns.core.crs import has_ground_metres, is_in_metres, utm_zone_code
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import extract_polygons
from randcrowns.core.outlines import make_usable
from randcrowns.jobs.vector_files import PARQUET_SUFFIXES

#: Column of a partitioned file with the row that a crown had in its original file.
ROW_COLUMN = "crown_row"
_SIDES = ("xmin", "ymin", "xmax", "ymax")
#: Largest absolute value of a coordinate on a map, metres: more than twice around the Earth.
MAXIMUM_COORDINATE = 1e8
# Row groups that are read at a time when only ids and bounds are needed.
_GROUPS_PER_CHUNK = 64
# Bytes at the end of a file that enter its fingerprint. They contain the Parquet footer.
_FOOTER_BYTES = 1 << 16


@dataclass(frozen=True)
class Source:
    """Layer of crowns in one GeoParquet file, or in all files of a folder.

    Attributes:
        name: name of the layer.
        paths: paths of its files.
        id_column: column of whole numbers that identify the crowns; empty if the row in the
            original file is the id.
        modification_times: modification time of each file, nanoseconds. As part of the key of
            caches, it makes them ignore what they hold of a file that was written again.
        original_checksum: checksum of the file that was copied; empty if ``paths`` are the input
            itself.
        original_crs: name of the CRS from which the copy was transformed; empty if it was not.
        notes: sentences that say what was assumed about the input.
    """

    name: str
    paths: tuple[str, ...]
    id_column: str = ""
    modification_times: tuple[int, ...] = ()
    original_checksum: str = ""
    original_crs: str = ""
    notes: tuple[str, ...] = ()

    @property
    def row_groups(self) -> RowGroups:
        """Row groups of all files."""
        return _read_row_groups(self)

    def has_field(self, name: str) -> bool:
        """Return True if the crowns have a column of this name."""
        return name in self.row_groups.columns

    def has_numbers(self, column: str) -> bool:
        """Return True if a column contains numbers."""
        kind = pq.read_schema(self.paths[0]).field(column).type
        return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


@dataclass(frozen=True)
class RowGroups:
    """Row groups of the files of a layer.

    Attributes:
        file_numbers: (g,) position of each row group's file in ``Source.paths``.
        group_numbers: (g,) number of each row group within its file.
        rows: (g,) number of rows.
        first_rows: (g,) number of the first row, counted over all files.
        bounds: (g, 4) bounds of the crowns, metres; infinite on all sides if the file does not
            state them.
        geometry_column: name of the column with the geometries.
        bounds_column: name of the column with the bounds of each crown.
        crs: the coordinate reference system.
        columns: names of all columns.
    """

    file_numbers: Ints
    group_numbers: Ints
    rows: Ints
    first_rows: Ints
    bounds: Floats
    geometry_column: str
    bounds_column: str
    crs: pyproj.CRS
    columns: tuple[str, ...]


class StoredCrowns(NamedTuple):
    """Crowns as they are stored in the files of a layer.

    Attributes:
        original_rows: (n,) rows in the original file.
        ids: (n,) ids.
        bounds: (n, 4) bounds that the file states, metres; NaN without a geometry.
        wkb: (n,) geometries as well-known binary.
        attributes: (n rows) the other requested columns.
    """

    original_rows: Ints
    ids: Ints
    bounds: Floats
    wkb: pa.ChunkedArray
    attributes: pd.DataFrame

    def select(self, mask: Bools) -> StoredCrowns:
        """Return the crowns for which ``mask`` (n,) is True."""
        return StoredCrowns(
            original_rows=self.original_rows[mask],
            ids=self.ids[mask],
            bounds=self.bounds[mask],
            wkb=self.wkb.filter(pa.array(mask)),
            attributes=self.attributes[mask].reset_index(drop=True),
        )


@dataclass
class ProblemLog:
    """Log of crowns that were skipped, repaired or clipped.

    Attributes:
        tables: tables with the columns of :meth:`table`.
    """

    tables: list[pd.DataFrame] = field(default_factory=list)

    def add(self, layer: str, ids: Ints, problem: str, treatment: str) -> None:
        """Record crowns with the same problem; do nothing if there are none.

        Args:
            layer: name of the layer.
            ids: (n,) ids of the crowns.
            problem: description of the problem.
            treatment: :data:`SKIPPED`, :data:`REPAIRED` or :data:`CLIPPED`.
        """
        if len(ids):
            self.tables.append(
                pd.DataFrame({"layer": layer, "id": ids, "problem": problem, "done": treatment})
            )

    def table(self) -> pd.DataFrame:
        """Return a row per crown and problem: ``layer``, ``id``, ``problem`` and ``done``."""
        return pd.concat([_NO_PROBLEMS, *self.tables], ignore_index=True)


_NO_PROBLEMS = pd.DataFrame(
    {
        name: pd.Series(dtype=kind)
        for name, kind in (("layer", "O"), ("id", "i8"), ("problem", "O"), ("done", "O"))
    }
)
#: Treatment of a crown with a problem.
SKIPPED = "skipped"
REPAIRED = "repaired"
CLIPPED = "cut"
#: Description of a problem: the outline crosses itself too often to be repaired.
TOO_COMPLEX_PROBLEM = "an outline that crosses itself too often to be repaired"
#: Description of a problem: the repair of the outline changes the area.
AREA_CHANGED_PROBLEM = "an invalid outline; the repair changes its area by more than 1 %"
#: Description of a problem: the outline has cracks below the working precision.
CRACK_PROBLEM = "cracks or specks narrower than 0.001 mm"
#: Problem of a crown of which only the polygons are used.
MIXED_PROBLEM = "lines or points beside its polygons"
#: Description of a problem: a coordinate is not finite or exceeds :data:`MAXIMUM_COORDINATE`.
OFF_MAP_PROBLEM = "coordinates that are not numbers, or on no map"


def is_partitioned(path: Path) -> bool:
    """Return True if crowns in a box can be read from a file, or from the files of a folder.

    This requires GeoParquet that states the bounds of every crown.

    Raises:
        InputError: if a file with the suffix of Parquet cannot be read as Parquet.
    """
    files = _files_of(path)
    if not files or any(file.suffix.lower() not in PARQUET_SUFFIXES for file in files):
        return False
    all_metadata = [_geometry_metadata(str(file)) for file in files]
    # The entry "covering" names the columns that hold the bounds.
    return all(
        metadata is not None and metadata.get("covering", {}).get("bbox")
        for metadata in all_metadata
    )


def open_source(path: Path, name: str, id_column: str = "") -> Source:
    """Return the layer in a file or folder for which :func:`is_partitioned` is True.

    Args:
        path: file or folder.
        name: name of the layer.
        id_column: column of whole numbers that identify the crowns; empty for the row.

    Raises:
        InputError: if the CRS is missing or not in metres, or if the id column is missing, contains
            a value that is no whole number, or contains a number twice.
    """
    files = _files_of(path)
    paths = tuple(str(file.resolve()) for file in files)
    times_of_change = tuple(file.stat().st_mtime_ns for file in files)
    source = Source(name, paths, id_column, times_of_change)
    if id_column:
        _check_ids(source, id_column)
    elif ROW_COLUMN in source.row_groups.columns:
        _check_ids(source, ROW_COLUMN)
    return source


def _files_of(path: Path) -> list[Path]:
    """Return the Parquet files of a folder in the order of their names, or the file itself."""
    return sorted(path.glob("*.parquet")) if path.is_dir() else [path]


def check_metres(crs: pyproj.CRS | None, name: str, bounds: Floats) -> pyproj.CRS:
    """Return the CRS of a layer if its coordinates are metres on the ground.

    Args:
        crs: the CRS, or None if the file names none.
        name: name of the layer.
        bounds: (4,) bounds of the layer in ``crs``; not finite if they are unknown.

    Raises:
        InputError: if the CRS is None or not in metres, or if a metre on its map is not a metre on
            the ground; the message says how to convert the file.
    """
    if crs is None:
        raise InputError(
            "crs.missing",
            "{name}: the file names no coordinate system. If you know it, write a copy "
            "that does: randcrowns partition FILE OUT.parquet --assign-crs EPSG:CODE",
            name=name,
        )
    if has_ground_metres(crs, bounds):
        return crs

    zone = utm_zone_code(crs, bounds)
    option = f" --crs {zone}" if zone else ""
    if not is_in_metres(crs):
        raise InputError(
            "crs.not_metres",
            "{name}: the coordinate system {crs} is not in metres. Write a copy in metres: "
            "randcrowns partition FILE OUT.parquet{option}",
            name=name,
            crs=crs.name,
            option=option,
        )
    raise InputError(
        "batch.distorted_crs",
        "{name}: in the coordinate system {crs}, a metre on the map is not a metre on the ground. "
        "Write a copy in metres: randcrowns partition FILE OUT.parquet{option}",
        name=name,
        crs=crs.name,
        option=option,
    )


def check_same_crs(sources: Sequence[Source]) -> None:
    """Check that all layers have the same CRS.

    Raises:
        InputError: if two layers differ; the message names both.
    """
    first = sources[0]
    for other in sources[1:]:
        if not other.row_groups.crs.equals(first.row_groups.crs, ignore_axis_order=True):
            crs = first.row_groups.crs
            code = crs.to_string() if crs.to_authority() else "the other's system"
            raise InputError(
                "crs.different",
                "{name} is in {other_crs}, but {first} is in {crs}. Write a copy in one "
                "system: randcrowns partition FILE OUT.parquet --crs {code}",
                name=other.name,
                other_crs=other.row_groups.crs.name,
                first=first.name,
                crs=crs.name,
                code=code,
            )


def changed_input_error(path: str | Path) -> InputError:
    """Return the error that a file was changed or removed while a run read it."""
    return InputError(
        "batch.input_changed",
        "{path} was changed or removed while the run read it. Its results are discarded. Run the "
        "command again when no other program writes to the file.",
        path=path,
    )


def check_unchanged(sources: Sequence[Source]) -> None:
    """Check that all files of layers are as they were when the layers were opened.

    Raises:
        InputError: if a file is missing or was written since.
    """
    for source in sources:
        for path, modification_time in zip(source.paths, source.modification_times):
            _check_file_unchanged(path, modification_time)


def _check_file_unchanged(path: str, modification_time: int) -> None:
    """Raise InputError if a file is missing, or has another modification time (nanoseconds)."""
    try:
        is_unchanged = Path(path).stat().st_mtime_ns == modification_time
    except OSError:
        is_unchanged = False
    if not is_unchanged:
        raise changed_input_error(path)


def fingerprint(source: Source) -> dict[str, Any]:
    """Return values that change when the files of a layer change.

    Returns:
        ``name``, ``paths``, ``rows``, ``bytes``, ``checksum`` (SHA-256 of the ends of the files,
        where Parquet stores its footer), ``crs``, ``id_column``, ``original`` and, if there are
        any, ``notes``.
    """
    digest = hashlib.sha256()
    n_bytes = 0
    for path in source.paths:
        size = Path(path).stat().st_size
        n_bytes += size
        with Path(path).open("rb") as file:
            file.seek(max(0, size - _FOOTER_BYTES))
            digest.update(file.read())
    values = {
        "name": source.name,
        "paths": list(source.paths),
        "rows": int(source.row_groups.rows.sum()),
        "bytes": n_bytes,
        "checksum": digest.hexdigest(),
        "crs": source.row_groups.crs.to_string(),
        "id_column": source.id_column,
        "original": source.original_checksum,
    }
    if source.notes:
        values["notes"] = list(source.notes)
    return values


def iterate_bounds(source: Source) -> Iterator[tuple[Ints, Floats]]:
    """Yield ids (n,) and bounds (n, 4) of all crowns in chunks; geometries are not read."""
    n_groups = len(source.row_groups.rows)
    chunks = np.array_split(np.arange(n_groups), max(1, n_groups // _GROUPS_PER_CHUNK))
    for groups in chunks:
        if len(groups):
            rows = _read_rows(source, groups, [], with_geometry=False)
            yield rows.ids, rows.bounds


def require_column(source: Source, column: str) -> None:
    """Raise an InputError if the crowns of a layer have no column of a name."""
    if not source.has_field(column):
        raise InputError(
            "batch.no_column",
            "{name} has no column '{column}'.",
            name=source.name,
            column=column,
        )


def read_column(source: Source, column: str) -> Objects:
    """Return the values (n,) of a column of all crowns, also of those without a usable outline."""
    groups = np.arange(len(source.row_groups.rows))
    rows = _read_rows(source, groups, [column], with_geometry=False)
    return rows.attributes[column].to_numpy(dtype=object)


def read_crowns_in_box(source: Source, box: Floats, columns: Sequence[str] = ()) -> StoredCrowns:
    """Read the crowns whose bounds meet a box, in the order of the file.

    Args:
        source: the layer.
        box: (4,) xmin, ymin, xmax, ymax, metres.
        columns: names of further columns to read.
    """
    groups = np.flatnonzero(_meets(source.row_groups.bounds, box))
    rows = _read_rows(source, groups, columns)
    in_box = _meets(rows.bounds, box)
    return rows if in_box.all() else rows.select(in_box)


def _meets(bounds: Floats, box: Floats) -> Bools:
    """Return a mask (n,) of the ``bounds`` (n, 4) that meet or touch a ``box`` (4,)."""
    is_before_end = (bounds[:, :2] <= box[2:]).all(axis=1)
    is_after_start = (bounds[:, 2:] >= box[:2]).all(axis=1)
    return np.asarray(is_before_end & is_after_start)


def is_on_map(coordinates: Floats) -> Bools:
    """Return a mask (n,) of the rows of ``coordinates`` (n, k) that lie on a map; NaN does not."""
    return np.asarray((np.abs(coordinates) <= MAXIMUM_COORDINATE).all(axis=1))


def decode_polygons(rows: StoredCrowns, layer: str, problems: ProblemLog) -> Objects:
    """Decode and repair the geometries of crowns.

    Args:
        rows: the crowns.
        layer: name of the layer, for ``problems``.
        problems: receives the crowns that are skipped or repaired.

    Returns:
        (n,) valid polygons in two dimensions; None where nothing usable remains.
    """
    # A geometry that cannot be decoded is None, as one that is missing.
    decoded = shapely.from_wkb(rows.wkb.to_numpy(), on_invalid="ignore")
    shapes: Objects = np.asarray(decoded, dtype=object)
    is_missing = shapely.is_missing(shapes)
    has_wkb = ~np.array(rows.wkb.is_null())
    problems.add(layer, rows.ids[is_missing & has_wkb], "an outline that cannot be read", SKIPPED)
    problems.add(layer, rows.ids[is_missing & ~has_wkb], "no geometry", SKIPPED)
    if shapely.has_z(shapes).any():
        shapes = np.asarray(shapely.force_2d(shapes), dtype=object)
    to_check = np.flatnonzero(~is_missing & ~_are_rectangles(shapes))
    if len(to_check):
        shapes[to_check] = _repair(shapes[to_check], rows.ids[to_check], layer, problems)
    return shapes


def _are_rectangles(shapes: Objects) -> Bools:
    """Return a mask (n,) of the polygons that are boxes on the map with an area.

    Such a polygon needs no further checks, and many layers consist of boxes only.
    """
    has_four_corners = (shapely.get_type_id(shapes) == shapely.GeometryType.POLYGON) & (
        shapely.get_num_coordinates(shapes) == 5
    )
    candidates = np.flatnonzero(has_four_corners)
    candidates = candidates[is_on_map(shapely.bounds(shapes[candidates]))]
    is_rectangle = np.zeros(len(shapes), dtype=bool)
    is_rectangle[candidates] = is_box(shapes[candidates]) & (shapely.area(shapes[candidates]) > 0)
    return is_rectangle


def _repair(shapes: Objects, ids: Ints, layer: str, problems: ProblemLog) -> Objects:
    """Repair invalid polygons, replace unusable geometries by None, and record the problems.

    Args:
        shapes: (n,) geometries; changed in place.
        ids: (n,) ids of the crowns.
        layer: name of the layer.
        problems: receives the problem of each crown that is repaired or skipped.

    Returns:
        ``shapes``: valid polygons and multipolygons with an area, or None.
    """

    def skip(is_unusable: Bools, problem: str) -> None:
        """Replace the geometries in a mask (n,) by None and record their problem."""
        shapes[is_unusable] = None
        problems.add(layer, ids[is_unusable], problem, SKIPPED)

    skip(shapely.is_empty(shapes), "an empty geometry")
    is_polygonal = np.isin(shapely.get_type_id(shapes), POLYGONAL_TYPES)
    skip(~is_polygonal & ~shapely.is_missing(shapes), "another geometry type than polygon")

    # Bounds ignore vertices that are NaN, so every vertex is checked.
    xy, shape_of_vertex = shapely.get_coordinates(shapes, return_index=True)
    is_off_map = np.zeros(len(shapes), dtype=bool)
    is_off_map[shape_of_vertex[~is_on_map(xy)]] = True
    skip(is_off_map, OFF_MAP_PROBLEM)

    is_mixed = shapely.get_type_id(shapes) == shapely.GeometryType.GEOMETRYCOLLECTION
    shapes[is_mixed] = extract_polygons(shapes[is_mixed])
    has_polygon = ~shapely.is_empty(shapes)
    skip(is_mixed & ~has_polygon, "another geometry type than polygon")
    problems.add(layer, ids[is_mixed & has_polygon], MIXED_PROBLEM, REPAIRED)
    outlines = make_usable(shapes)
    shapes[:] = outlines.polygons
    problems.add(layer, ids[outlines.is_too_complex], TOO_COMPLEX_PROBLEM, SKIPPED)
    has_area = shapely.area(shapes) > 0
    skip(~has_area & ~shapely.is_missing(shapes), "no area")
    is_present = ~shapely.is_missing(shapes)
    is_area_changed = outlines.is_area_changed & is_present
    is_area_kept = outlines.is_repaired & ~outlines.is_area_changed & is_present
    problems.add(layer, ids[is_area_kept], "an invalid outline", REPAIRED)
    problems.add(layer, ids[is_area_changed], AREA_CHANGED_PROBLEM, REPAIRED)
    problems.add(layer, ids[outlines.is_closed & is_present], CRACK_PROBLEM, REPAIRED)
    return shapes


def make_crowns(
    rows: StoredCrowns,
    shapes: Objects,
    source: Source,
    plot_field: str = "",
    class_field: str = "",
) -> Crowns:
    """Return crowns with the given polygons.

    Args:
        rows: ids and columns of the crowns.
        shapes: (n,) valid polygons.
        source: the layer, for its name and CRS.
        plot_field: column with the plot; crowns have no plots if it was not read.
        class_field: column with the class; crowns have no classes if it was not read.

    Raises:
        InputError: if a class is a number with decimals or a list.
    """
    plots = None
    if plot_field in rows.attributes:
        plots = plot_names(rows.attributes[plot_field])
    classes = None
    if class_field in rows.attributes:
        classes = class_values(rows.attributes[class_field], source.name)
    crs = source.row_groups.crs.to_string()
    return Crowns.from_validated(
        shapes, rows.ids, plots, name=source.name, crs=crs, classes=classes
    )


def _geometry_metadata(path: str) -> dict[str, Any] | None:
    """Return the metadata of a file's primary geometry column; None if it is no GeoParquet.

    The name of the column is added under the key ``column``.

    Raises:
        InputError: if the file cannot be read as Parquet.
    """
    try:
        encoded = (pq.read_schema(path).metadata or {}).get(b"geo")
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(
            "file.unreadable",
            "{path} cannot be read as Parquet: {why}",
            path=path,
            why=error,
        ) from error
    if encoded is None:
        return None
    geo = json.loads(encoded)
    column = geo["primary_column"]
    return {"column": column, **geo["columns"][column]}


@lru_cache(maxsize=32)
def _read_row_groups(source: Source) -> RowGroups:
    """Read the row groups of a layer from the footers of its files.

    Raises:
        InputError: if there is no file, the files differ in CRS or column names, or the CRS is
            missing or not in metres.
    """
    if not source.paths:
        raise InputError(
            "file.missing",
            "{name}: there is no file to read.",
            name=source.name,
        )
    first_metadata = _geometry_metadata(source.paths[0]) or {}
    geometry_column, bounds_column = _spatial_columns(first_metadata)
    crs = _crs_of(first_metadata)
    # A row per row group: number of the file, number in the file, number of rows.
    counts: list[tuple[int, int, int]] = []
    bounds: list[list[float]] = []
    for file_number, path in enumerate(source.paths):
        _check_same_layout(source, first_metadata, path)
        footer = pq.read_metadata(path)
        for group_number in range(footer.num_row_groups):
            group = footer.row_group(group_number)
            counts.append((file_number, group_number, group.num_rows))
            bounds.append(_stated_bounds(group, bounds_column))
    # Without row groups, the reshaped arrays still have their columns.
    count_table = np.array(counts, dtype=np.int64).reshape(-1, 3)
    stated_bounds = np.array(bounds, dtype=np.float64).reshape(-1, 4)
    rows = count_table[:, 2]
    return RowGroups(
        file_numbers=count_table[:, 0],
        group_numbers=count_table[:, 1],
        rows=rows,
        first_rows=np.cumsum(rows) - rows,
        bounds=_make_unknown_infinite(stated_bounds),
        geometry_column=geometry_column,
        bounds_column=bounds_column,
        crs=check_metres(crs, source.name, _total_bounds(stated_bounds)),
        columns=tuple(pq.read_schema(source.paths[0]).names),
    )


def _total_bounds(bounds: Floats) -> Floats:
    """Return the bounds (4,) of all row groups with known ``bounds`` (g, 4); NaN without any."""
    finite_bounds = bounds[np.isfinite(bounds).all(axis=1)]
    if not len(finite_bounds):
        return np.full(4, np.nan)
    return np.concatenate([finite_bounds[:, :2].min(axis=0), finite_bounds[:, 2:].max(axis=0)])


def read_crs(path: Path) -> pyproj.CRS | None:
    """Return the CRS of a Parquet file; None if it names none."""
    return _crs_of(_geometry_metadata(str(path)) or {"crs": None})


def _spatial_columns(metadata: dict[str, Any]) -> tuple[str, str]:
    """Return the names of the columns with the geometries and with the bounds of the crowns.

    Args:
        metadata: GeoParquet metadata of a geometry column.
    """
    return metadata["column"], metadata["covering"]["bbox"]["xmin"][0]


def _check_same_layout(source: Source, first_metadata: dict[str, Any], path: str) -> None:
    """Check that a file of a layer has the CRS and the column names of the first file.

    Args:
        source: the layer.
        first_metadata: GeoParquet metadata of the geometry column of the layer's first file.
        path: path of the file to check.

    Raises:
        InputError: if it differs.
    """
    metadata = _geometry_metadata(path) or {}
    first_name = Path(source.paths[0]).name
    name = Path(path).name
    first_crs = _crs_of(first_metadata)
    crs = _crs_of(metadata)
    if not _is_same_crs(first_crs, crs):
        raise InputError(
            "batch.files_with_different_crs",
            "{name}: its files are in unlike coordinate systems, {first_crs} in "
            "{first_name} and {crs} in {file}. Write them in one system: randcrowns "
            "partition FILES OUT",
            name=source.name,
            first_crs=_crs_name(first_crs),
            first_name=first_name,
            crs=_crs_name(crs),
            file=name,
        )
    first_columns = _spatial_columns(first_metadata)
    if _spatial_columns(metadata) != first_columns:
        raise InputError(
            "batch.files_with_different_columns",
            "{name}: the columns of geometries and bounds are named {geometry_column} "
            "and {bounds_column} in {first_name}, but otherwise in {file}. Write them "
            "as one layer: randcrowns partition FILES OUT",
            name=source.name,
            geometry_column=first_columns[0],
            bounds_column=first_columns[1],
            first_name=first_name,
            file=name,
        )


def _stated_bounds(group: Any, bounds_column: str) -> list[float]:
    """Return the bounds [xmin, ymin, xmax, ymax] of a row group from its statistics, or NaN."""
    column_of_path = {}
    for number in range(group.num_columns):
        column = group.column(number)
        column_of_path[column.path_in_schema] = column
    statistics = [column_of_path[f"{bounds_column}.{side}"].statistics for side in _SIDES]
    if any(side is None or not side.has_min_max for side in statistics):
        return [np.nan] * 4
    xmin, ymin, xmax, ymax = statistics
    return [xmin.min, ymin.min, xmax.max, ymax.max]


def _crs_of(metadata: dict[str, Any]) -> pyproj.CRS | None:
    """Return the CRS of a geometry column, or None if it is unknown.

    By the GeoParquet specification, a missing entry means longitude and latitude, and ``null`` an
    unknown CRS.
    """
    stated = metadata.get("crs", "OGC:CRS84")
    return None if stated is None else _parse_crs(json.dumps(stated))


@lru_cache(maxsize=32)
def _parse_crs(encoded: str) -> pyproj.CRS:
    """Return the CRS of a PROJJSON object or code, encoded as JSON."""
    return pyproj.CRS.from_user_input(json.loads(encoded))


def _is_same_crs(first: pyproj.CRS | None, second: pyproj.CRS | None) -> bool:
    """Return True if two CRS are equal apart from the order of their axes, or both unknown."""
    if first is None or second is None or first is second:
        return first is second
    return bool(first.equals(second, ignore_axis_order=True))


def _crs_name(crs: pyproj.CRS | None) -> str:
    """Return the name of a CRS for messages; "none" if it is unknown."""
    return "none" if crs is None else str(crs.name)


def _make_unknown_infinite(bounds: Floats) -> Floats:
    """Return bounds (g, 4) with NaN replaced by infinity, so that unknown bounds meet any box."""
    return np.where(np.isnan(bounds), [-np.inf, -np.inf, np.inf, np.inf], bounds)


def _read_whole_numbers(source: Source, column: str) -> Array:
    """Return the whole numbers (n,) in a column of all crowns, of any integer type.

    Raises:
        InputError: if the column is missing or contains a value that is no whole number.
    """
    if column not in source.row_groups.columns:
        raise InputError(
            "batch.no_column",
            "{name} has no column '{column}'; it has {columns}.",
            name=source.name,
            column=column,
            columns=[*source.row_groups.columns],
        )
    file_values = []
    for path in source.paths:
        table = pq.read_table(path, columns=[column])
        file_values.append(table.column(0).combine_chunks())
    values = pa.chunked_array(file_values)
    if not pa.types.is_integer(values.type) or values.null_count:
        raise InputError(
            "ids.not_whole",
            "{name}: the ids in column '{column}' must be whole numbers, one for each crown.",
            name=source.name,
            column=column,
        )
    return values.to_numpy()


def _check_ids(source: Source, column: str) -> None:
    """Check that a column identifies the crowns of a layer.

    Raises:
        InputError: if the column is missing, contains a value that is no whole number or too large,
            or contains a number twice.
    """
    sorted_ids = np.sort(_read_whole_numbers(source, column))
    largest_id = np.iinfo(np.int64).max
    if len(sorted_ids) and int(sorted_ids[-1]) > largest_id:
        raise InputError(
            "ids.too_large",
            "{name}: the id {id} in column '{column}' is too large; ids end at {largest_id}.",
            name=source.name,
            id=sorted_ids[-1],
            column=column,
            largest_id=largest_id,
        )
    is_repetition = sorted_ids[1:] == sorted_ids[:-1]
    repeated = np.unique(sorted_ids[1:][is_repetition])
    if len(repeated):
        examples = ", ".join(map(str, repeated[:5]))
        raise InputError(
            "ids.repeated",
            "{name}: {count:,} ids in column '{column}' name several crowns "
            "({examples}). Give each crown an id of its own, or name no id column.",
            name=source.name,
            count=len(repeated),
            column=column,
            examples=examples,
        )


def _read_rows(
    source: Source, groups: Ints, columns: Sequence[str], with_geometry: bool = True
) -> StoredCrowns:
    """Read row groups of a layer.

    Args:
        source: the layer.
        groups: positions of the row groups in ``source.row_groups``.
        columns: names of further columns; a name that the layer lacks is ignored.
        with_geometry: False to leave ``wkb`` empty.
    """
    row_groups = source.row_groups
    requested_names = dict.fromkeys([source.id_column, ROW_COLUMN, *columns])
    attribute_names = [name for name in requested_names if name in row_groups.columns]
    names = [*attribute_names, row_groups.bounds_column]
    if with_geometry:
        names.append(row_groups.geometry_column)
    table, row_numbers = _read_columns(source, groups, names)

    original_rows = row_numbers
    if ROW_COLUMN in attribute_names:
        original_rows = table.column(ROW_COLUMN).to_numpy().astype(np.int64)
    ids = original_rows
    if source.id_column:
        ids = table.column(source.id_column).to_numpy().astype(np.int64)
    wkb = pa.chunked_array([], type=pa.binary())
    if with_geometry:
        wkb = table.column(row_groups.geometry_column)
    further_columns = table.select([name for name in attribute_names if name in columns])
    return StoredCrowns(
        original_rows=original_rows,
        ids=ids,
        bounds=_bounds_of_column(table.column(row_groups.bounds_column)),
        wkb=wkb,
        attributes=further_columns.to_pandas(integer_object_nulls=True),
    )


def _read_columns(source: Source, groups: Ints, names: list[str]) -> tuple[pa.Table, Ints]:
    """Read columns of row groups.

    Args:
        source: the layer.
        groups: indices of the row groups, counted over all files, ascending.
        names: names of the columns.

    Returns:
        Table of n rows, and the number (n,) of each row, counted over all files.
    """
    row_groups = source.row_groups
    tables = []
    row_numbers = [np.empty(0, np.int64)]
    for file_number in np.unique(row_groups.file_numbers[groups]):
        groups_of_file = groups[row_groups.file_numbers[groups] == file_number]
        path = source.paths[file_number]
        modification_time = source.modification_times[file_number]
        # A file that was truncated in place would end the process that has mapped it.
        _check_file_unchanged(path, modification_time)
        file = _open_file(path, modification_time, get_ident())
        numbers_in_file = row_groups.group_numbers[groups_of_file].tolist()
        tables.append(file.read_row_groups(numbers_in_file, columns=names))
        for group in groups_of_file:
            first_row = row_groups.first_rows[group]
            row_numbers.append(np.arange(first_row, first_row + row_groups.rows[group]))
    if not tables:
        tables = [pq.read_schema(source.paths[0]).empty_table().select(names)]
    return pa.concat_tables(tables), np.concatenate(row_numbers)


def _bounds_of_column(column: pa.ChunkedArray) -> Floats:
    """Return the bounds (n, 4) in a column of structures with the four sides."""
    box = column.combine_chunks()
    if isinstance(box, pa.ChunkedArray):
        # Older pyarrow combines no chunks at all to a chunked array, which has no fields.
        return np.empty((0, 4))
    sides = [
        np.asarray(pa.array(box.field(side)).to_numpy(zero_copy_only=False), dtype=np.float64)
        for side in _SIDES
    ]
    return np.stack(sides, axis=1).reshape(-1, 4)


@lru_cache(maxsize=32)
def _open_file(path: str, _changed: int, _thread: int) -> pq.ParquetFile:
    """Open a Parquet file, once per version of the file and per thread.

    Threads must not share a reader: reads at the same time disturb each other.
    """
    return pq.ParquetFile(path)
