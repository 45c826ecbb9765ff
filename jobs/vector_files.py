"""Layers of vector files: GeoPackage, shapefile, GeoJSON, GeoParquet and others that GDAL reads."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from randcrowns.core.errors import InputError, MissingLibraryError
from randcrowns.core.messages import Message, note

if TYPE_CHECKING:
    import geopandas

#: Endings of the names of GeoParquet files.
PARQUET_SUFFIXES = (".parquet", ".geoparquet")
#: Types of geometries that are no crowns, as parts of GDAL's names.
_OTHER_TYPES = ("Point", "Line", "CircularString")


class VectorLayer(NamedTuple):
    """A layer of a vector file."""

    frame: geopandas.GeoDataFrame  #: features; the index holds their ids.
    name: str  #: name of the layer within the file; "" for the only one.
    messages: list[Message]  #: message if one of several layers was taken.


def import_geopandas() -> Any:
    """Return the module geopandas.

    Raises:
        MissingLibraryError: if it is not installed.
    """
    try:
        import geopandas
    except ImportError as error:
        raise MissingLibraryError(
            "jobs.no_geopandas",
            "Layers are read and returned with geopandas, which is not installed. Install it: "
            "pip install geopandas pyogrio",
        ) from error
    return geopandas


def no_geometries_error(source: str) -> InputError:
    """Return the error for a table without geometries; ``source`` is its path or name."""
    return InputError(
        "batch.no_geometries",
        "{source} holds no geometries, so there are no crowns in it.",
        source=source,
    )


def read_vector_layer(path: Path, layer: str = "") -> VectorLayer:
    """Read a layer with all its fields.

    Args:
        path: the file.
        layer: name of the layer; "" for the only one, or the only one with polygons.

    Raises:
        InputError: if the file cannot be read, has no such layer, contains several layers of
            polygons and none is named, or contains no geometries.
    """
    geopandas = import_geopandas()
    messages: list[Message] = []
    try:
        if path.suffix.lower() in PARQUET_SUFFIXES:
            _check_no_layer(path, layer)
            frame = geopandas.read_parquet(path)
        else:
            name = layer or _crown_layer(path, messages)
            frame = _read_with_gdal(path, name)
    except (InputError, MissingLibraryError):
        raise
    except (ImportError, OSError, ValueError, RuntimeError) as error:
        raise InputError(
            "file.unreadable", "{path} cannot be read: {why}", path=str(path), why=error
        ) from error
    if not isinstance(frame, geopandas.GeoDataFrame):
        raise no_geometries_error(str(path))
    return VectorLayer(plain_frame(frame, str(path)), layer, messages)


def _check_no_layer(path: Path, layer: str) -> None:
    """Raise an InputError if a layer of a GeoParquet file is named: there are none."""
    if layer:
        raise InputError(
            "jobs.no_layers_in_file",
            '{file} has no layers with names. Name the file without "|layername={layer}".',
            file=str(path),
            layer=layer,
        )


def plain_frame(frame: geopandas.GeoDataFrame, name: str) -> geopandas.GeoDataFrame:
    """Return a frame that can be written: names are text, and further geometries are WKT.

    Args:
        frame: the frame.
        name: name of the layer, for messages.

    Raises:
        InputError: if the frame has no geometries, or several fields of one name.
    """
    try:
        geometry = str(frame.geometry.name)
    except AttributeError as error:
        # geopandas raises it if no column holds the geometries.
        raise no_geometries_error(name) from error
    names = [str(column) for column in frame.columns]
    repeated = sorted({text for text in names if names.count(text) > 1})
    if repeated:
        raise InputError(
            "jobs.repeated_fields",
            "Layer '{layer}' has several fields of the name {fields}. Rename all but one.",
            layer=name,
            fields=repeated,
        )
    plain = frame.set_axis(names, axis="columns").set_geometry(geometry)
    further = [column for column in plain.select_dtypes("geometry") if column != geometry]
    return plain.assign(**{column: plain[column].to_wkt() for column in further})


def _read_with_gdal(path: Path, layer: str) -> Any:
    """Return the rows of a layer with the ids of its features as index."""
    import pyogrio

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pyogrio.read_dataframe(
            path.absolute(), layer=layer or None, on_invalid="ignore", fid_as_index=True
        )


def crown_layer(path: Path) -> str:
    """Return the name of the layer with crowns: the only one, or the only one of polygons.

    Args:
        path: path of any file that pyogrio reads.

    Returns:
        The name; "" if no layer has geometries.

    Raises:
        InputError: if several layers may hold crowns; the message names them.
    """
    types = _layer_types(path)
    polygons = [
        name for name, kind in types.items() if not any(other in kind for other in _OTHER_TYPES)
    ]
    candidates = polygons or list(types)
    if len(candidates) > 1:
        raise InputError(
            "batch.several_layers",
            '{file} holds the layers {layers}; put "|layername=…" after its path.',
            file=str(path),
            layers=candidates,
        )
    return candidates[0] if candidates else ""


def _layer_types(path: Path) -> dict[str, str]:
    """Return the type of the geometries of each layer by its name; without tables."""
    import pyogrio

    # SQLite cannot resolve a relative path in a very long working directory.
    return {str(name): kind for name, kind in pyogrio.list_layers(path.absolute()) if kind}


def _crown_layer(path: Path, messages: list[Message]) -> str:
    """Return the name of the layer with crowns, and append a message if others are left out.

    Raises:
        InputError: if several layers may hold crowns; the message names them.
    """
    layer = crown_layer(path)
    if layer and len(_layer_types(path)) > 1:
        messages.append(
            note(
                "input.layer_taken",
                "Layer '{layer}' of {file} was taken: no other layer of the file holds polygons.",
                layer=layer,
                file=path.name,
            )
        )
    return layer
