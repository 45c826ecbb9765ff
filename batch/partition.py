"""Writing layers so that a box of the map can be read alone: GeoParquet 1.1 in Hilbert order, with bounds."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import pyarrow.parquet as pq
import pyogrio
import pyproj
import shapely

from randcrowns.batch.source import ROW, SUFFIXES
from randcrowns.core.errors import InputError
from randcrowns.core.systems import in_metres

#: Crowns in a row group: what is read at least.
ROW_GROUP = 5000


def partition(
    sources: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    crs: str | None = None,
    assign_crs: str | None = None,
    reproject: bool = True,
    overwrite: bool = False,
) -> int:
    """Write layers as GeoParquet 1.1: Hilbert order, bounds of every crown, row groups of 5,000, metres.

    Each layer is in memory while it is written; a very large one comes in several files.

    Args:
        sources: file or files in any format that pyogrio reads; ``|layername=…`` after the path where one holds
            several layers. All fields are kept; column ``crown_row`` holds each crown's row, counted on from file to
            file.
        out: a file that ends in ``.parquet`` for one source, a folder for a list of them.
        crs: coordinate system to turn the coordinates to, one in metres; by default a system in metres stays, and any
            other becomes the UTM zone of its centre.
        assign_crs: the system that the coordinates are in, where a file names none or a wrong one.
        reproject: whether a system that is not in metres is turned to one that is.
        overwrite: whether ``out`` may exist.

    Returns:
        The number of crowns.

    Raises:
        InputError: for files that cannot be read or whose coordinate system is not known, a system to write that is
            not in metres, or a file named for several sources or a folder for one.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> trees = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 5, 5)], crs="EPSG:32617")
    >>> trees.to_file(f"{folder}/trees.gpkg")
    >>> partition(f"{folder}/trees.gpkg", f"{folder}/trees.parquet")
    1
    """
    alone = isinstance(sources, (str, Path))
    several = [str(one) for one in ([sources] if alone else sources)]  # type: ignore[union-attr]
    target = Path(out)
    if alone != (target.suffix.lower() in SUFFIXES):
        wanted = (
            "one source becomes a file, NAME.parquet"
            if alone
            else "several sources become a folder"
        )
        raise InputError(f"{target} cannot be written: {wanted}.")
    if target.exists() and not overwrite:
        raise InputError(f"{target} exists already; name another.")
    systems = _Systems(crs, assign_crs, reproject)
    if alone:
        return _written(several[0], target, 0, systems)
    try:
        first = 0
        for number, source in enumerate(several):
            first += _written(source, target / f"{number:05}.parquet", first, systems)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise
    return first


class _Systems:
    """The coordinate system of what is written; that of the first layer for all."""

    def __init__(self, crs: str | None, assigned: str | None, reproject: bool) -> None:
        self.wanted = None if crs is None else _system(crs)
        if self.wanted is not None and not in_metres(self.wanted):
            raise InputError(
                f"Crowns are measured in metres, and {self.wanted.name} is not; name another system."
            )
        self.assigned = None if assigned is None else _system(assigned)
        self.reproject = reproject

    def bring(self, frame: geopandas.GeoDataFrame, source: str) -> geopandas.GeoDataFrame:
        """The layer in that system."""
        if self.assigned is not None:
            frame = frame.set_crs(self.assigned, allow_override=True)
        if not self.reproject:
            return frame
        if frame.crs is None:
            raise InputError(
                f"{source} names no coordinate system; if you know it, give it: --assign-crs EPSG:32617"
            )
        if self.wanted is None:
            stays = in_metres(frame.crs) or not len(frame)
            self.wanted = frame.crs if stays else frame.estimate_utm_crs()
        return frame if frame.crs == self.wanted else frame.to_crs(self.wanted)


def _written(source: str, target: Path, first: int, systems: _Systems) -> int:
    """Write one layer; the number of its crowns."""
    frame = systems.bring(read_frame(source), source)
    frame[ROW] = np.arange(first, first + len(frame), dtype=np.int64)
    frame = frame.iloc[_hilbert_order(frame.geometry.to_numpy())]
    partial = target.with_name(f"{target.name}.partial")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        frame.to_parquet(
            partial,
            index=False,
            compression="zstd",
            schema_version="1.1.0",
            write_covering_bbox=True,
            row_group_size=ROW_GROUP,
        )
        partial.replace(target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise InputError(f"{target} cannot be written: {error}") from error
    return len(frame)


def read_frame(source: str) -> geopandas.GeoDataFrame:
    """A layer with its fields.

    Raises:
        InputError: where it cannot be read, or holds no geometries.
    """
    file, _, layer = source.partition("|layername=")
    if not Path(file).exists():
        raise InputError(f"There is no file {file}.")
    try:
        if Path(file).suffix.lower() in SUFFIXES:
            if b"geo" not in (pq.read_schema(file).metadata or {}):
                raise InputError(
                    f"{file} is Parquet without geometries (no GeoParquet); write it with geometries."
                )
            return geopandas.read_parquet(file)
        layers = [name for name, kind in pyogrio.list_layers(file) if kind is not None]
        if not layer and len(layers) > 1:
            raise InputError(
                f'{file} holds the layers {", ".join(layers)}; put "|layername=…" after its path.'
            )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frame: Any = pyogrio.read_dataframe(file, layer=layer or None, on_invalid="ignore")
    except (OSError, ValueError, RuntimeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{source} cannot be read: {error}") from error
    if not isinstance(frame, geopandas.GeoDataFrame):
        raise InputError(f"{source} holds no geometries, so there are no crowns in it.")
    return frame


def _system(text: str) -> pyproj.CRS:
    try:
        return pyproj.CRS.from_user_input(text)
    except pyproj.exceptions.CRSError as error:
        raise InputError(
            f"There is no coordinate system '{text}'; name one as EPSG:32617."
        ) from error


def _hilbert_order(shapes: np.ndarray) -> np.ndarray:
    """Rows in the order of the Hilbert curve through the middles of their bounds; those without bounds last."""
    placed = np.isfinite(shapely.bounds(shapes)).all(axis=1)
    rows = np.flatnonzero(placed)
    if len(rows) == 0:
        return np.arange(len(shapes))
    distance = geopandas.GeoSeries(shapes[rows]).hilbert_distance().to_numpy()
    return np.concatenate([rows[np.argsort(distance, kind="stable")], np.flatnonzero(~placed)])
