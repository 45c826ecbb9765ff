"""Layers of vector files: GeoPackage, shapefile, GeoJSON, GeoParquet and others that GDAL reads."""

from __future__ import annotations

import codecs
import importlib.util
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from randcrowns.core.arrays import Objects
from randcrowns.core.crs import is_on_earth
from randcrowns.core.errors import InputError, MissingLibraryError
from randcrowns.core.messages import Message, note

if TYPE_CHECKING:
    import geopandas

#: Endings of the names of GeoParquet files.
PARQUET_SUFFIXES = (".parquet", ".geoparquet")
#: Formats by the bytes with which their files begin.
_FORMATS = {
    b"SQLite format 3\0": "GeoPackage",
    b"\x00\x00\x27\x0a": "ESRI Shapefile",
    b"fgb": "FlatGeobuf",
    b"{": "GeoJSON",
    b"<": "XML",
}
#: Formats by the ending of the name of their files.
_FORMAT_OF_SUFFIX = {
    ".gpkg": "GeoPackage",
    ".shp": "ESRI Shapefile",
    ".fgb": "FlatGeobuf",
    ".geojson": "GeoJSON",
    ".json": "GeoJSON",
}
#: Texts by which GDAL recognises files that only name other files, addresses and programs.
_VIRTUAL_MARKS = (
    b"<OGRVRTDataSource",
    b"<VRTDataset",
    b"<OGRWFSDataSource",
    b"<OGRCSWDataSource",
    b"<GDAL_W",
    b"gdal_streamed_alg",
)
#: Name of the format of such files, and ending of the names of those that may be read.
_VIRTUAL_FORMAT = "VRT"
_VIRTUAL_SUFFIX = ".vrt"
#: Number of bytes at the beginning of a file in which GDAL searches for the marks.
_BEGINNING = 1 << 16
#: GDAL's options while files are read: a proxy that nobody listens on.
_OFFLINE = {
    "GDAL_HTTP_PROXY": "http://127.0.0.1:9",
    "GDAL_HTTPS_PROXY": "http://127.0.0.1:9",
    "GDAL_HTTP_MAX_RETRY": "0",
    "CPL_VSIL_CURL_ALLOWED_EXTENSIONS": ".no-network",
    "GML_DOWNLOAD_SCHEMA": "NO",
    "OGR_SQLITE_STATIC_VIRTUAL_OGR": "NO",
}
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


def require_pyarrow(path: Path) -> None:
    """Raise a MissingLibraryError if there is no pyarrow, which reads and writes GeoParquet.

    Args:
        path: the file.
    """
    if importlib.util.find_spec("pyarrow") is None:
        raise MissingLibraryError(
            "jobs.no_pyarrow",
            "{file}: GeoParquet files require pyarrow, which is not installed. Install it: pip "
            "install pyarrow",
            file=path.name,
        )


def no_geometries_error(source: str) -> InputError:
    """Return the error for a table without geometries; ``source`` is its path or name."""
    return InputError(
        "batch.no_geometries",
        "{source} holds no geometries, so there are no crowns in it.",
        source=source,
    )


def unreadable_error(path: str, error: Exception) -> InputError:
    """Return the error for a file that cannot be read, with what to do.

    Args:
        path: path of the file.
        error: exception of the library that reads it.
    """
    if isinstance(error, ImportError):
        return InputError("file.unreadable", "{path} cannot be read: {why}", path=path, why=error)
    from pyogrio.errors import DataSourceError

    if isinstance(error, DataSourceError):
        return InputError(
            "file.unreadable",
            "{path} cannot be opened: it is damaged, or GDAL in this Python has no driver for its "
            "format. Save it as a GeoPackage in QGIS, or as GeoJSON. Annotation files need no "
            "driver: randcrowns import.",
            path=path,
        )
    return InputError("file.unreadable", "{path} cannot be read: {why}", path=path, why=error)


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
            require_pyarrow(path)
            frame = geopandas.read_parquet(path)
        else:
            layer_name = layer
            if not layer_name:
                layer_name = crown_layer(path)
                messages = _choice_messages(path, layer_name)
            frame = _read_with_gdal(path, layer_name)
    except (InputError, MissingLibraryError):
        raise
    except (ImportError, OSError, ValueError, RuntimeError) as error:
        raise unreadable_error(str(path), error) from error
    if not isinstance(frame, geopandas.GeoDataFrame):
        raise no_geometries_error(str(path))
    return VectorLayer(plain_frame(frame, str(path)), layer, messages)


def has_shown_coordinates(path: Path, layer: str = "") -> bool:
    """Return True if a GeoPackage has a record that its coordinates are those that QGIS shows.

    The plugin writes the record for crowns in pixels, whose y axis points upwards.

    Args:
        path: the file.
        layer: name of the layer; "" for the only one, or the only one with polygons.
    """
    if path.suffix.lower() != ".gpkg":
        return False
    import pyogrio

    with local_file(path):
        info = pyogrio.read_info(path.absolute(), layer=layer or crown_layer(path))
    return (info["layer_metadata"] or {}).get("RANDCROWNS_COORDINATES") == "map"


def _check_no_layer(path: Path, layer: str) -> None:
    """Raise an InputError if a layer of a GeoParquet file is named: there are none."""
    if layer:
        raise InputError(
            "jobs.no_layers_in_file",
            '{file} has no layers with names. Name the file without "|layername={layer}".',
            file=str(path),
            layer=layer,
        )


@contextmanager
def local_file(path: Path) -> Iterator[None]:
    """Let GDAL read one file of the format that its name says, and nothing from the network.

    GDAL recognises files by their content. A virtual dataset (VRT) that is named ``crowns.gpkg``
    would read other files and addresses.

    Args:
        path: the file, which is read in the context.

    Raises:
        InputError: if the file is of another format than its name says.
    """
    import pyogrio

    file_format = _find_format(path)
    expected = _FORMAT_OF_SUFFIX.get(path.suffix.lower(), file_format)
    if file_format == _VIRTUAL_FORMAT or (file_format and file_format != expected):
        raise InputError(
            "file.other_format",
            "{path} cannot be read as a file of its extension, and may be of the format "
            "{format}. Give it the extension of its format, or save it as GeoPackage.",
            path=path.name,
            format=file_format,
        )
    earlier = {name: pyogrio.get_gdal_config_option(name) for name in _OFFLINE}
    pyogrio.set_gdal_config_options(_OFFLINE)
    try:
        yield
    finally:
        pyogrio.set_gdal_config_options(earlier)


def _find_format(path: Path) -> str:
    """Return the name of the format of a file from its beginning; "" if it is not recognised.

    A virtual dataset is recognised only if the ending of its name does not say so.
    """
    try:
        with path.open("rb") as file:
            beginning = file.read(_BEGINNING)
    except OSError:
        return ""  # GDAL says why, and reads formats that are folders
    is_virtual = any(mark in beginning for mark in _VIRTUAL_MARKS)
    if is_virtual and path.suffix.lower() != _VIRTUAL_SUFFIX:
        return _VIRTUAL_FORMAT
    content = beginning.removeprefix(codecs.BOM_UTF8).lstrip()
    for start, name in _FORMATS.items():
        if content.startswith(start):
            return name
    return ""


def plain_frame(frame: geopandas.GeoDataFrame, name: str) -> geopandas.GeoDataFrame:
    """Return a frame that can be written: names are text, and further geometries are WKT.

    A CRS that GDAL has invented is removed, see :func:`without_invented_crs`.

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
    repeated_names = sorted({text for text in names if names.count(text) > 1})
    if repeated_names:
        raise InputError(
            "jobs.repeated_fields",
            "Layer '{layer}' has several fields of the name {fields}. Rename all but one.",
            layer=name,
            fields=repeated_names,
        )
    renamed = frame.set_axis(names, axis="columns").set_geometry(geometry)
    plain = without_invented_crs(renamed)
    further_geometries = {}
    for column in plain.select_dtypes("geometry"):
        if column != geometry:
            further_geometries[column] = plain[column].to_wkt()
    return plain.assign(**further_geometries)


def field_values(frame: geopandas.GeoDataFrame) -> dict[str, Objects]:
    """Return the values (n,) of the fields of n features by name; None where missing."""
    values = {}
    for name in frame.columns.drop(frame.geometry.name):
        column = frame[name]
        plain_column = column.astype(object).where(column.notna(), None)
        values[str(name)] = plain_column.to_numpy(dtype=object)
    return values


def without_invented_crs(frame: geopandas.GeoDataFrame) -> geopandas.GeoDataFrame:
    """Return a frame without a CRS if its own does not relate coordinates to the earth.

    GDAL invents such a CRS for files without one, see :func:`is_on_earth`. Pixels would be taken
    for degrees otherwise.
    """
    crs = frame.crs
    if crs is None or is_on_earth(crs.to_wkt(), "id" in crs.to_json_dict()):
        return frame
    return frame.set_crs(None, allow_override=True)


def _read_with_gdal(path: Path, layer: str) -> Any:
    """Return the rows of a layer with the ids of its features as index."""
    import pyogrio

    with local_file(path), warnings.catch_warnings():
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
    type_of_layer = _layer_types(path)
    candidates = []
    for name, type_name in type_of_layer.items():
        # Layers of an unknown type, such as "Geometry", may hold polygons.
        if not any(other_type in type_name for other_type in _OTHER_TYPES):
            candidates.append(name)
    if not candidates:
        # The reader of an only layer refuses points and lines with a reason.
        candidates = list(type_of_layer)
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
    with local_file(path):
        return {str(name): kind for name, kind in pyogrio.list_layers(path.absolute()) if kind}


def _choice_messages(path: Path, layer: str) -> list[Message]:
    """Return a message if a layer was chosen among several of a file.

    Args:
        path: the file.
        layer: name of the chosen layer; "" for none.
    """
    if not layer or len(_layer_types(path)) < 2:
        return []
    return [
        note(
            "input.layer_taken",
            "Layer '{layer}' of {file} was taken: no other layer of the file holds polygons.",
            layer=layer,
            file=path.name,
        )
    ]
