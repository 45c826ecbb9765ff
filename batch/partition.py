"""Conversion of layers to GeoParquet of which the crowns in a box can be read.

The crowns are sorted along a Hilbert curve, so that a row group covers a small part of the map, and
the files state the bounds of every crown.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pyogrio
import pyproj
import shapely

from randcrowns.batch.claims import (
    claim_beside,
    hold_claim,
    publish_new,
    temporary_sibling,
)
from randcrowns.batch.paths import checked_path, gdal_path
from randcrowns.batch.source import ROW_COLUMN
from randcrowns.core.arrays import Ints, Objects
from randcrowns.core.crs import MAX_DISTORTION, has_ground_metres, is_in_metres, utm_zone_code
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.files import LAYER_SEPARATOR
from randcrowns.core.exchange.formats import is_layer_file
from randcrowns.jobs.layers import read_layer
from randcrowns.jobs.vector_files import (
    PARQUET_SUFFIXES,
    crown_layer,
    local_file,
    no_geometries_error,
    unreadable_error,
    without_invented_crs,
)

#: Number of crowns in a row group, the smallest part of a file that is read.
ROW_GROUP = 5000
# Endings of files that make a folder a layer of GDAL: shapefiles, and tables of a file geodatabase.
_FOLDER_LAYERS = (".shp", ".gdbtable", *PARQUET_SUFFIXES)
# Name of a file in a folder of several sources.
_PART_NAME = re.compile(r"\d{5,}\.parquet")


def partition(
    sources: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    crs: str | None = None,
    assign_crs: str | None = None,
    reproject: bool = True,
    overwrite: bool = False,
) -> int:
    """Write layers as GeoParquet 1.1 in metres, sorted, with the bounds of every crown.

    Each source is held in memory while it is written, so very large layers should be split into
    several files. The output is written next to ``out`` and gets its name when it is complete;
    until then, an ``out`` that exists stays as it is. Files in a folder that this function did not
    write are kept.

    Args:
        sources: one file, or a list of files, in any format that pyogrio reads, with
            ``|layername=…`` after the path if a file contains several layers. All fields are kept.
            The column ``crown_row`` is added with the row of each crown, counted over all files.
        out: a file that ends in ``.parquet`` for one source; a folder for a list of sources.
        crs: coordinate reference system (CRS) of the output, in metres. By default a CRS in metres
            is kept. Any other is replaced by the UTM zone of the layer's centre; so is a CRS in
            which a metre on the map is not a metre on the ground, such as Web Mercator.
        assign_crs: actual CRS of the coordinates, if a file names none or a wrong one.
        reproject: False to keep the CRS even if it is not in metres; ``crs`` then applies only to
            layers in which a metre on the map is not a metre on the ground.
        overwrite: True to replace ``out`` if it exists.

    Returns:
        The number of crowns.

    Raises:
        InputError: if a file cannot be read or its CRS is unknown, ``crs`` is not in metres,
            ``out`` exists, is being written by another run or cannot be written, ``out`` is a file
            for a list of sources or a folder for one source, or a folder to be replaced contains
            Parquet files of other programs.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> trees = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 5, 5)], crs="EPSG:32617")
    >>> trees.to_file(f"{folder}/trees.gpkg")
    >>> partition(f"{folder}/trees.gpkg", f"{folder}/trees.parquet")
    1
    """
    target = checked_path(out)
    is_single = isinstance(sources, (str, Path))
    _check_target(target, is_single, overwrite)
    converter = _CrsConverter(crs, assign_crs, reproject)
    with hold_claim(claim_beside(target), target):
        # Another run may have written the output before this one had the claim.
        _check_target(target, is_single, overwrite)
        if isinstance(sources, (str, Path)):
            return _write_file(str(sources), target, converter, overwrite)
        return _write_folder([str(source) for source in sources], target, converter)


def _write_file(source: str, target: Path, converter: _CrsConverter, overwrite: bool) -> int:
    """Write one layer to a temporary file that replaces its file; return the number of crowns.

    Args:
        source: path of the layer.
        target: the file.
        converter: converts the layer to the CRS of the output.
        overwrite: True to replace a file.

    Raises:
        InputError: if the layer cannot be read or the file cannot be written.
    """
    partial = temporary_sibling(target)
    try:
        n_crowns = _write_partitioned(source, partial, 0, converter)
        if overwrite:
            partial.replace(target)
        else:
            publish_new(partial, target)
    except OSError as error:
        raise _not_written_error(target, error) from error
    finally:
        partial.unlink(missing_ok=True)
    return n_crowns


def _write_folder(sources: Sequence[str], target: Path, converter: _CrsConverter) -> int:
    """Write layers to a temporary folder that replaces theirs; return the number of crowns.

    Args:
        sources: paths of the layers.
        target: the folder; a folder of this name is replaced.
        converter: converts the layers to the CRS of the output.

    Raises:
        InputError: if a layer cannot be read or the folder cannot be written.
    """
    partial = temporary_sibling(target)
    n_crowns = 0
    try:
        partial.mkdir(parents=True)
        for number, source in enumerate(sources):
            file = partial / f"{number:05}.parquet"
            n_crowns += _write_partitioned(source, file, n_crowns, converter)
        _replace_folder(partial, target)
    except OSError as error:
        raise _not_written_error(target, error) from error
    finally:
        _delete_parts(partial)
    return n_crowns


def _replace_folder(partial: Path, target: Path) -> None:
    """Give a complete folder its name, and move foreign files of an old folder into it.

    Args:
        partial: the complete folder.
        target: its name. If it exists, its parts are deleted and its other files stay.

    Raises:
        InputError: if the old folder contains Parquet files of other programs.
        OSError: if a folder cannot be renamed; the old folder is then as before.
    """
    if not target.exists():
        partial.rename(target)
        return
    _check_no_foreign_parts(target)
    old = temporary_sibling(target)
    target.rename(old)
    try:
        partial.rename(target)
    except BaseException:
        old.rename(target)
        raise
    for path in old.iterdir():
        if not _is_part(path):
            path.rename(target / path.name)
    _delete_parts(old)


def _delete_parts(folder: Path) -> None:
    """Delete the parts in a folder, and the folder if nothing else is in it."""
    if folder.is_dir():
        for path in folder.iterdir():
            if _PART_NAME.fullmatch(path.name):
                path.unlink(missing_ok=True)
        with suppress(OSError):
            folder.rmdir()


def _is_part(path: Path) -> bool:
    """Return True if a file is a part that :func:`partition` has written."""
    if not _PART_NAME.fullmatch(path.name) or not path.is_file():
        return False
    try:
        return ROW_COLUMN in pq.read_schema(path).names
    except (OSError, pa.ArrowException):
        return False


def _check_no_foreign_parts(folder: Path) -> None:
    """Check that all Parquet files in a folder are parts that :func:`partition` has written.

    Other Parquet files would be read as further parts of the layer.

    Raises:
        InputError: if there is another Parquet file; the message names it.
    """
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in PARQUET_SUFFIXES and not _is_part(path):
            raise InputError(
                "batch.foreign_part",
                "{folder} cannot be replaced: randcrowns partition has not written {file} in it. "
                "Name another folder.",
                folder=folder,
                file=path.name,
            )


def _not_written_error(target: Path, error: OSError) -> InputError:
    """Return the error that an output cannot be written."""
    return InputError(
        "file.not_written",
        "{target} cannot be written: {why}",
        target=target,
        why=error.strerror or error,
    )


def _check_target(target: Path, is_single: bool, overwrite: bool) -> None:
    """Check that layers can be written to a path.

    Args:
        target: the path to write to.
        is_single: True for one source, which becomes a file; several become a folder.
        overwrite: True if the path may exist.

    Raises:
        InputError: if the path is a folder for one source or a file for several, if it exists, or
            if a folder to be replaced contains Parquet files of other programs.
    """
    is_file_name = target.suffix.lower() in PARQUET_SUFFIXES
    if is_single and not is_file_name:
        raise InputError(
            "batch.not_a_file",
            "{target} cannot be written: one source becomes a file, NAME.parquet.",
            target=target,
        )
    if is_file_name and not is_single:
        raise InputError(
            "batch.not_a_folder",
            "{target} cannot be written: several sources become a folder.",
            target=target,
        )
    if target.exists() and not overwrite:
        raise InputError(
            "file.exists",
            "{target} exists already; name another.",
            target=target,
        )
    if not is_single and target.exists():
        if not target.is_dir():
            raise InputError(
                "folder.is_file",
                "{folder} is a file; name a folder for the results.",
                folder=target,
            )
        _check_no_foreign_parts(target)


class _CrsConverter:
    """Converter of layers to one CRS in metres.

    Args:
        crs: CRS of the output; None to derive it from the first layer with crowns.
        assigned: actual CRS of the coordinates; None to use the one that the files name.
        reproject: False to keep the CRS of every layer.

    Raises:
        InputError: if a CRS is unknown, or ``crs`` is not in metres.
    """

    def __init__(self, crs: str | None, assigned: str | None, reproject: bool) -> None:
        self._target = None if crs is None else _parse_crs(crs)
        if self._target is not None and not is_in_metres(self._target):
            raise InputError(
                "crs.not_metres",
                "Crowns are measured in metres, and {crs} is not; name another system.",
                crs=self._target.name,
            )
        self._assigned = None if assigned is None else _parse_crs(assigned)
        self._reproject = reproject

    def convert(self, frame: geopandas.GeoDataFrame, source: str) -> geopandas.GeoDataFrame:
        """Return a layer in the CRS of the output, which the first layer may determine.

        Args:
            frame: the layer.
            source: path of the layer, for the message of an error.

        Raises:
            InputError: if the layer has no CRS.
        """
        if self._assigned is not None:
            frame = frame.set_crs(self._assigned, allow_override=True)
        bounds = frame.total_bounds
        if not self._reproject:
            # Only metres that are no metres on the ground are converted.
            is_distorted = (
                frame.crs is not None
                and is_in_metres(frame.crs)
                and not has_ground_metres(frame.crs, bounds)
            )
            if not is_distorted:
                return frame
        if frame.crs is None:
            raise InputError(
                "crs.missing",
                "{source} names no coordinate system. If you know it, name it: "
                "--assign-crs EPSG:CODE",
                source=source,
            )
        if self._target is None:
            # An empty layer has no centre, so no UTM zone.
            keeps_crs = has_ground_metres(frame.crs, bounds) or not np.isfinite(bounds).all()
            self._target = frame.crs if keeps_crs else self._zone(frame, source)
        converted = frame if frame.crs == self._target else frame.to_crs(self._target)
        if not has_ground_metres(converted.crs, converted.total_bounds, MAX_DISTORTION):
            raise InputError(
                "batch.distorted_target_crs",
                "{source}: in the coordinate system {crs}, a metre on the map is not a metre on "
                "the ground. Name another one, such as {zone}.",
                source=source,
                crs=converted.crs.name,
                zone=utm_zone_code(converted.crs, converted.total_bounds),
            )
        return converted

    def _zone(self, frame: geopandas.GeoDataFrame, source: str) -> pyproj.CRS:
        """Return the UTM zone of a layer's centre; raise InputError if that is not on earth."""
        code = utm_zone_code(frame.crs, frame.total_bounds)
        if not code:
            raise InputError(
                "batch.outside_crs",
                "{source}: the coordinates are no place on earth in {crs}. If they are in another "
                "coordinate system, name it: --assign-crs EPSG:CODE",
                source=source,
                crs=frame.crs.name,
            )
        return pyproj.CRS(code)


def _write_partitioned(source: str, target: Path, first_row: int, converter: _CrsConverter) -> int:
    """Write one layer, and return the number of its crowns.

    Args:
        source: path of the layer.
        target: file to write.
        first_row: value of ``crown_row`` for the first crown.
        converter: converts the layer to the CRS of the output.

    Raises:
        InputError: if the layer cannot be read.
        OSError: if the file cannot be written.
    """
    frame = converter.convert(read_frame(source), source)
    frame[ROW_COLUMN] = np.arange(first_row, first_row + len(frame), dtype=np.int64)
    frame = frame.iloc[_hilbert_order(frame.geometry.to_numpy())]
    frame.to_parquet(
        target,
        index=False,
        compression="zstd",
        schema_version="1.1.0",
        write_covering_bbox=True,
        row_group_size=ROW_GROUP,
    )
    return len(frame)


def read_frame(source: str) -> geopandas.GeoDataFrame:
    """Read a layer with all its fields.

    Args:
        source: path of the file, with ``|layername=…`` if it contains several layers. It may be an
            annotation file or a folder of them.

    Raises:
        InputError: if the file does not exist or cannot be read, contains several layers and none
            is named, contains no geometries, or contains crowns in pixels. A layer of polygons
            among others needs no name.
    """
    file, _, layer = source.partition(LAYER_SEPARATOR)
    if not checked_path(file).exists():
        raise InputError(
            "file.missing",
            "There is no file {file}.",
            file=file,
        )
    try:
        if Path(file).suffix.lower() in PARQUET_SUFFIXES:
            return without_invented_crs(_read_geoparquet(file))
        if holds_annotations(Path(file)):
            return _read_annotations(source)
        frame = _read_with_pyogrio(file, layer)
    except InputError:
        raise
    except (OSError, ValueError, RuntimeError) as error:
        raise unreadable_error(source, error) from error
    if not isinstance(frame, geopandas.GeoDataFrame):
        raise no_geometries_error(source)
    return without_invented_crs(frame)


def holds_annotations(path: Path) -> bool:
    """Return True for an annotation file, and for a folder without a layer of GDAL in it.

    An annotation file may be damaged: then its reader says so.
    """
    if path.is_dir():
        return not any(
            child.suffix.lower() in _FOLDER_LAYERS for child in path.iterdir() if child.is_file()
        )
    return not is_layer_file(path)


def _read_annotations(source: str) -> geopandas.GeoDataFrame:
    """Return the crowns of an annotation file or a folder of them, placed on the map.

    Raises:
        InputError: if they cannot be read, or are in pixels of images that are not on the map.
    """
    layer = read_layer(source)
    if layer.in_pixels:
        raise InputError(
            "batch.in_pixels",
            "The crowns of {source} are in pixels, because the coordinates of their images are not "
            "known. Tile by tile, crowns must be on the map. Write to a file instead of a folder.",
            source=source,
        )
    return layer.frame


def _read_geoparquet(file: str) -> geopandas.GeoDataFrame:
    """Read a GeoParquet file; raise InputError if it is Parquet without geometries."""
    if b"geo" not in (pq.read_schema(file).metadata or {}):
        raise InputError(
            "batch.not_geoparquet",
            "{file} is Parquet without geometries (no GeoParquet); write it with geometries.",
            file=file,
        )
    return geopandas.read_parquet(file)


def _read_with_pyogrio(file: str, layer: str) -> Any:
    """Read a layer of any file that pyogrio supports; a DataFrame if it has no geometries.

    Raises:
        InputError: if the file contains several layers of polygons and ``layer`` is empty.
    """
    layer = layer or crown_layer(Path(file))
    with local_file(Path(file)), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pyogrio.read_dataframe(gdal_path(file), layer=layer or None, on_invalid="ignore")


def _parse_crs(text: str) -> pyproj.CRS:
    """Return the CRS with a code or definition; raise InputError if there is none."""
    try:
        return pyproj.CRS.from_user_input(text)
    except pyproj.exceptions.CRSError as error:
        raise InputError(
            "crs.unknown",
            "There is no coordinate system '{text}'; name one by its code, such as EPSG:25832.",
            text=text,
        ) from error


def _hilbert_order(shapes: Objects) -> Ints:
    """Return the rows (n,) sorted along the Hilbert curve through the centres of the bounds.

    Geometries (n,) without finite bounds come last.
    """
    has_bounds = np.isfinite(shapely.bounds(shapes)).all(axis=1)
    if not has_bounds.any():
        return np.arange(len(shapes))
    bounded_rows = np.flatnonzero(has_bounds)
    distances = geopandas.GeoSeries(shapes[bounded_rows]).hilbert_distance()
    order = np.argsort(distances.to_numpy(), kind="stable")
    return np.concatenate([bounded_rows[order], np.flatnonzero(~has_bounds)])
