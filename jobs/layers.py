"""Layers of a job: GeoDataFrames, arrays of polygons, and files of every format that is read."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.crowns import Crowns, unique_name
from randcrowns.core.crs import parse_crs, utm_zone_code
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.files import LAYER_SEPARATOR, SEPARATOR
from randcrowns.core.exchange.formats import is_layer_file
from randcrowns.core.messages import Message, note
from randcrowns.jobs.annotation_layers import ImportOptions, read_annotation_layers
from randcrowns.jobs.parameters import plain_crs
from randcrowns.jobs.tables import InputLayer
from randcrowns.jobs.vector_files import (
    PARQUET_SUFFIXES,
    import_geopandas,
    plain_frame,
    read_vector_layer,
)
from randcrowns.jobs.written_files import path_of

if TYPE_CHECKING:
    import geopandas

#: What a layer may be: the path of a file or folder, a pattern, a GeoDataFrame, a GeoSeries,
#: crowns, or polygons in metres.
LayerSource = Union[str, Path, "geopandas.GeoDataFrame", "geopandas.GeoSeries", Crowns, Objects]

#: Maximum coordinate of a layer without a CRS whose coordinates may be pixels of an image.
_MAX_PIXEL_COORDINATE = 100_000
#: Name of the field with the image of each crown.
_IMAGE_FIELD = "image"
#: Characters of patterns of file names.
_PATTERN_CHARACTERS = "*?["
#: Parts of a pattern that stand for other characters.
_WILDCARDS = re.compile(r"\[[^\]]*\]|[*?]")


@dataclass(frozen=True)
class InputOptions:
    """Options with which the layers of a job are read.

    Attributes:
        images: folder with the images of annotation files; "" without one.
        assign_crs: CRS of layers that name none, or in whose own CRS the coordinates are no place
            on earth, such as ``EPSG:32617``, its number, or a CRS of pyproj; "" for none.
        ground_resolution: metres per pixel, for crowns in pixels of images; 0 if unknown.
    """

    images: str = ""
    assign_crs: str = ""
    ground_resolution: float = 0.0

    @classmethod
    def split(cls, parameters: Mapping[str, Any]) -> tuple[InputOptions, dict[str, Any]]:
        """Return the options among the parameters of a job, and the other parameters.

        >>> InputOptions.split({"ground_resolution": 0.1, "alpha": 2})
        (InputOptions(images='', assign_crs='', ground_resolution=0.1), {'alpha': 2})
        """
        option_names = [item.name for item in fields(cls)]
        given_options = {}
        for name in option_names:
            value = _plain_option(name, parameters.get(name))
            if value:
                given_options[name] = value
        others = {name: value for name, value in parameters.items() if name not in option_names}
        return cls(**given_options), others


def _plain_option(name: str, value: Any) -> Any:
    """Return the value of an option of :class:`InputOptions`: text, or a number of metres.

    Raises:
        InputError: if the value is of another type, or no length.
    """
    if value is None:
        return None
    if name == "ground_resolution":
        expected = "a length in metres"
        is_number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
        if is_number and np.isfinite(value) and value >= 0:
            return value
    else:
        expected = "text"
        if name == "assign_crs":
            value = plain_crs(value)
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        if isinstance(value, str):
            return value
    shown_value = repr(value) if np.isscalar(value) else f"of type {type(value).__name__}"
    raise InputError(
        "jobs.invalid_option",
        "'{name}' cannot be {value}: {expected} is expected.",
        name=name,
        value=shown_value,
        expected=expected,
    )


@dataclass(frozen=True, eq=False)
class Layer:
    """Features of a layer with their attributes.

    Attributes:
        name: name of the layer.
        frame: the features; the index holds their ids.
        in_pixels: True if the coordinates are pixels of images, x from the left edge and y from the
            upper edge upwards, so that y is negative.
        messages: messages about the file.
        source: path that the layer was read from; "" for data in memory.
        assumes_metres: True if polygons without a CRS are taken as metres, as in the core.
    """

    name: str
    frame: geopandas.GeoDataFrame
    in_pixels: bool = False
    messages: tuple[Message, ...] = ()
    source: str = ""
    assumes_metres: bool = False

    @property
    def ids(self) -> Ints:
        """(n,) ids of the features."""
        return self.frame.index.to_numpy(dtype=np.int64)

    @property
    def shapes(self) -> Objects:
        """(n,) geometries of the features."""
        shapes: Objects = np.asarray(self.frame.geometry.to_numpy(), dtype=object)
        return shapes

    def as_input(self, parameter: str) -> InputLayer:
        """Return the record of the layer as the input of a parameter."""
        return InputLayer(parameter, self.name, self.source)

    def as_pixels(self) -> Layer:
        """Return the layer in pixels, if it has no CRS and its coordinates may be pixels."""
        may_be_pixels = not self.assumes_metres and _may_be_pixels(self.frame)
        return replace(self, in_pixels=True) if may_be_pixels else self

    def has_field(self, name: str) -> bool:
        """Return True if the features have a field of this name."""
        return name in self.frame.columns

    def numbers(self, field: str) -> Floats:
        """Return the values (n,) of a field as numbers; NaN for other values."""
        values: Floats = pd.to_numeric(self.frame[field], errors="coerce").to_numpy(dtype=float)
        return values


_DEFAULT_OPTIONS = InputOptions()


def read_layer(
    source: LayerSource, name: str = "", options: InputOptions = _DEFAULT_OPTIONS
) -> Layer:
    """Return the features of a layer.

    Args:
        source: see :data:`LayerSource`. A path may be followed by ``|layername=NAME``.
        name: name of the layer; "" for that of the file, or "crowns" for data in memory.
        options: options of the job.

    Raises:
        InputError: if the source cannot be read or is no layer, or the CRS to assign is unknown.
    """
    if isinstance(source, (str, Path)):
        layer = _read_path(str(source), options.images)
    else:
        layer = _from_memory(source)
    if options.assign_crs and not layer.in_pixels:
        layer = _with_crs(layer, options.assign_crs)
    return replace(layer, name=name) if name else layer


def _with_crs(layer: Layer, assigned: str) -> Layer:
    """Return a layer in the CRS to assign, if its own is missing or cannot be right.

    A GeoJSON file without a CRS is in degrees by its definition, but many hold metres.

    Args:
        layer: the layer.
        assigned: code, name or definition of the CRS to assign.

    Raises:
        InputError: if there is no such CRS.
    """
    own_crs = layer.frame.crs
    if own_crs is not None:
        bounds = layer.frame.total_bounds
        has_coordinates = np.isfinite(bounds).all()
        if utm_zone_code(own_crs, bounds) or not has_coordinates:
            return layer
    crs = parse_crs(assigned, layer.name)
    frame = layer.frame.set_crs(crs, allow_override=True)
    if own_crs is None:
        return replace(layer, frame=frame)
    message = note(
        "jobs.crs_replaced",
        "Layer '{layer}': its coordinates are no place on earth in {own}, so they are taken to be "
        "in {assigned}, as given.",
        layer=layer.name,
        own=own_crs.name,
        assigned=assigned,
    )
    return replace(layer, frame=frame, messages=(*layer.messages, message))


def read_named_layers(
    sources: Any, options: InputOptions, other_names: Sequence[str] = ()
) -> dict[str, Layer]:
    """Return several layers by unique names.

    Args:
        sources: one source or a sequence of them; or a dictionary of sources by name. A pattern
            such as ``plots/*.gpkg`` stands for all files of its format in one layer.
        options: options of the job.
        other_names: names that no layer must have.

    Raises:
        InputError: if there is no layer, or one cannot be read.
    """
    if isinstance(sources, dict):
        named_sources = list(sources.items())
    else:
        named_sources = [("", source) for source in _list_sources(sources)]
    layers: dict[str, Layer] = {}
    for given_name, source in named_sources:
        layer = read_layer(source, given_name, options)
        taken_names = {*other_names, *layers}
        name = unique_name(layer.name, taken_names.__contains__)
        layers[name] = replace(layer, name=name)
    return layers


def files_of(source: str) -> list[Path]:
    """Return the files that a path, a pattern or several of them name.

    >>> [str(file) for file in files_of("crowns.gpkg|layername=north")]
    ['crowns.gpkg']
    """
    files: list[Path] = []
    for part in source.split(SEPARATOR):
        name_or_pattern, _, _ = part.strip().partition(LAYER_SEPARATOR)
        text = os.path.expanduser(name_or_pattern)  # noqa: PTH111
        matching_paths: list[str] = []
        if _is_pattern(text):
            matching_paths = glob.glob(text, recursive=True)  # noqa: PTH207 - absolute patterns
        # A pattern without a file, and a path, stand for themselves.
        files += [Path(name) for name in matching_paths or [text]]
    return files


def _list_sources(sources: Any) -> list[Any]:
    """Return the sources in a sequence; a single source, or a list of polygons, as a list."""
    if sources is None:
        return []
    if isinstance(sources, (Iterator, ValuesView)):
        return list(sources)
    if not isinstance(sources, (list, tuple)):
        return [sources]
    are_polygons = bool(sources) and all(isinstance(item, shapely.Geometry) for item in sources)
    return [sources] if are_polygons else list(sources)


def _read_path(text: str, images: str) -> Layer:
    """Return the layer of a file, a folder, a pattern, or several of them.

    Raises:
        InputError: if there is no such file, or it cannot be read.
    """
    file, _, layer = text.partition(LAYER_SEPARATOR)
    path = path_of(file)
    if _is_vector_file(path):
        content = read_vector_layer(path, layer)
        frame = _with_integer_index(content.frame).sort_index()
        return Layer(
            name=layer or path.stem,
            frame=frame,
            in_pixels=_are_pixels_of_images(frame),
            messages=tuple(content.messages),
            source=str(path),
        )
    vector_files = _vector_parts(path, str(path))
    if vector_files:
        name = _layer_name(path) if _is_pattern(path.name) else path.name
        return _join_files(vector_files, name)
    source = str(path)
    if layer:
        source += LAYER_SEPARATOR + layer
    annotations = read_annotation_layers(source, ImportOptions(images=images))
    return Layer(
        name=_layer_name(path),
        frame=annotations.crowns,
        in_pixels=annotations.in_pixels,
        messages=tuple(annotations.messages),
        source=source,
    )


def _layer_name(path: Path) -> str:
    """Return the name of the layer of a file, a folder or a pattern.

    A pattern is named by the characters that all of its files share, or else by its folder.

    >>> [_layer_name(Path(text)) for text in ("a/ben.gpkg", "a/ben_*.xml", "a/*.xml")]
    ['ben', 'ben', 'a']
    """
    stem = path.stem if path.suffix else path.name
    if not _is_pattern(stem):
        return stem
    shared = _WILDCARDS.sub("", stem).strip("-_. ")
    if shared:
        return shared
    for folder in reversed(path.absolute().parent.parts):
        if not _is_pattern(folder):
            return folder
    return stem


def _is_pattern(text: str) -> bool:
    """Return True if a path, or a part of it, is a pattern of file names."""
    return any(character in text for character in _PATTERN_CHARACTERS)


def _is_vector_file(path: Path) -> bool:
    """Return True if GDAL or geopandas reads a file as a layer."""
    return path.is_file() and is_layer_file(path)


def _vector_parts(path: Path, text: str) -> list[Path]:
    """Return the vector files of a folder of GeoParquet, or of a pattern or list of vector files.

    The list is empty if there are other files among them, which are annotation files.
    """
    if path.is_dir():
        return sorted(file for file in path.iterdir() if file.suffix.lower() in PARQUET_SUFFIXES)
    files: list[Path] = []
    for part in text.split(SEPARATOR):
        name = part.strip()
        if _is_pattern(name):
            matching_paths = sorted(glob.glob(name, recursive=True))  # noqa: PTH207 - absolute patterns
            files += map(Path, matching_paths)
        else:
            files.append(Path(name))
    if not all(_is_vector_file(file) for file in files):
        return []
    return files


def _join_files(paths: Sequence[Path], name: str) -> Layer:
    """Return one layer with the features of several files, numbered from 0.

    The field ``source`` contains the name of the file. All are transformed to the CRS of the first.
    """
    library = import_geopandas()
    frames: list[geopandas.GeoDataFrame] = []
    messages: list[Message] = []
    for path in paths:
        content = read_vector_layer(path)
        messages += content.messages
        frame = _with_integer_index(content.frame).sort_index()
        if frames and frame.crs is not None and frame.crs != frames[0].crs:
            frame = frame.to_crs(frames[0].crs)
        if "source" not in frame:
            frame = frame.assign(source=path.name)
        frames.append(frame)
    first_frame = frames[0]
    joined = library.GeoDataFrame(
        pd.concat(frames, ignore_index=True),
        geometry=first_frame.geometry.name,
        crs=first_frame.crs,
    )
    return Layer(
        name=name,
        frame=joined,
        in_pixels=_are_pixels_of_images(joined),
        messages=tuple(messages),
        source=str(paths[0].parent),
    )


def _are_pixels_of_images(frame: geopandas.GeoDataFrame) -> bool:
    """Return True if a layer without a CRS names images and its coordinates may be their pixels."""
    return _IMAGE_FIELD in frame.columns and _may_be_pixels(frame)


def _may_be_pixels(frame: geopandas.GeoDataFrame) -> bool:
    """Return True if a layer has no CRS and its coordinates may be pixels of an image."""
    if frame.crs is not None:
        return False
    bounds = np.asarray(frame.total_bounds, dtype=float)
    return bool(np.isnan(bounds).all() or np.abs(bounds).max() <= _MAX_PIXEL_COORDINATE)


def _from_memory(source: Any) -> Layer:
    """Return the layer of data in memory.

    Raises:
        InputError: if the data are no polygons.
    """
    geopandas = import_geopandas()
    if isinstance(source, Layer):
        return source
    if isinstance(source, Crowns):
        frame = geopandas.GeoDataFrame(
            geometry=source.geometry, index=source.ids, crs=source.crs or None
        )
        if source.plots is not None:
            frame["plot"] = source.plots
        return Layer(source.name, frame, assumes_metres=not source.crs)
    if isinstance(source, geopandas.GeoDataFrame):
        frame = plain_frame(source, "crowns")
        return Layer("crowns", _with_integer_index(frame), _are_pixels_of_images(frame))
    if isinstance(source, geopandas.GeoSeries):
        frame = plain_frame(source.to_frame("geometry"), "crowns")
        return Layer("crowns", _with_integer_index(frame))
    shapes = np.asarray(source, dtype=object)
    if shapes.ndim != 1 or not np.all(shapely.is_geometry(shapes) | shapely.is_missing(shapes)):
        raise InputError(
            "jobs.no_layer",
            "A layer must be a path, a GeoDataFrame or polygons, but it is of type {type}.",
            type=type(source).__name__,
        )
    return Layer("crowns", geopandas.GeoDataFrame(geometry=shapes), assumes_metres=True)


def _with_integer_index(frame: geopandas.GeoDataFrame) -> geopandas.GeoDataFrame:
    """Return a frame whose index holds distinct whole numbers, those of its own index if it can."""
    index = frame.index
    is_usable = isinstance(index, pd.Index) and index.nlevels == 1
    if is_usable and pd.api.types.is_integer_dtype(index) and index.is_unique:
        return frame
    return frame.reset_index(drop=True)
