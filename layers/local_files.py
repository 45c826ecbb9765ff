"""Local files opened with GDAL: only with the drivers of their format, and without the network.

GDAL identifies a file by its content and tries all drivers. A virtual dataset (VRT) that is named
``crowns.gpkg`` reads other files, databases and addresses; so may the mask and the overviews beside
an image, and the coordinate system of a GeoJSON file may be an address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from osgeo import gdal

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.image_search import is_file
from randcrowns.core.exchange.xml_files import XmlTag, read_xml

#: Separator of the file and the name of a layer in sources of QGIS.
_PART_SEPARATOR = "|"
#: GDAL's drivers of images and of rasters in files that contain their pixels themselves.
_RASTER_DRIVERS = (
    "GTiff",
    "PNG",
    "JPEG",
    "JPEGXL",
    "JP2OpenJPEG",
    "JP2KAK",
    "JP2ECW",
    "JP2MrSID",
    "JP2Lura",
    "ECW",
    "MrSID",
    "BMP",
    "WEBP",
    "HEIF",
    "GIF",
    "BIGGIF",
    "HFA",
    "ENVI",
    "EHdr",
    "AAIGrid",
    "GRASSASCIIGrid",
    "PCIDSK",
    "PCRaster",
    "RRASTER",
    "RST",
    "SAGA",
    "GSBG",
    "GS7BG",
    "PNM",
    "BSB",
    "GPKG",
    "MBTiles",
)
#: Extensions of images that contain their pixels themselves, in lower case.
_IMAGE_SUFFIXES = (".tif", ".tiff", ".png", ".jpg", ".jpeg", ".jp2", ".bmp", ".webp", ".gif")
#: Driver of virtual rasters, and the extension that their files must have.
_VIRTUAL_DRIVER = "VRT"
_VIRTUAL_SUFFIX = ".vrt"
#: Endings of the files beside an image that GDAL opens as rasters of their own.
_SIDE_RASTERS = (".msk", ".MSK", ".ovr", ".OVR", ".msk.ovr", ".ovr.msk")
#: Maximum depth of virtual rasters that are sources of virtual rasters.
_MAX_DEPTH = 8
#: Tags of a virtual raster that name files.
_FILE_TAG = re.compile("file|dataset$", re.IGNORECASE)
#: A path that begins with a drive of Windows, and the beginning of a name that only a driver reads.
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_PREFIX = re.compile(r"\w+:")
#: GDAL's options for the thread that reads: a proxy that nobody listens on, and no file name that
#: may be requested from a server.
_OFFLINE = {
    "GDAL_HTTP_PROXY": "http://127.0.0.1:9",
    "GDAL_HTTPS_PROXY": "http://127.0.0.1:9",
    "GDAL_HTTP_MAX_RETRY": "0",
    "CPL_VSIL_CURL_ALLOWED_EXTENSIONS": ".no-network",
    "GDAL_VRT_ENABLE_PYTHON": "NO",
    "GML_DOWNLOAD_SCHEMA": "NO",
    "OGR_SQLITE_STATIC_VIRTUAL_OGR": "NO",
}


def file_of_source(source: str) -> Path:
    """Return the file of a layer's source, without the name of the layer that may follow it.

    >>> file_of_source("trees.gpkg|layername=crowns").name
    'trees.gpkg'
    """
    return Path(source.partition(_PART_SEPARATOR)[0])


@contextmanager
def quiet_gdal() -> Iterator[None]:
    """Clear GDAL's last error, and suppress GDAL's messages in the context.

    The plugin reports unreadable files itself.
    """
    gdal.ErrorReset()
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        yield
    finally:
        gdal.PopErrorHandler()


@contextmanager
def offline_gdal() -> Iterator[None]:
    """Suppress GDAL's messages, and keep this thread from the network, in the context.

    Other threads of QGIS, which may show web layers, keep their options.
    """
    earlier_options = {name: gdal.GetThreadLocalConfigOption(name, None) for name in _OFFLINE}
    for name, value in _OFFLINE.items():
        gdal.SetThreadLocalConfigOption(name, value)
    try:
        with quiet_gdal():
            yield
    finally:
        for name, value in earlier_options.items():
            gdal.SetThreadLocalConfigOption(name, value)


def open_image(path: Path) -> gdal.Dataset | None:
    """Open a raster file; call it in :func:`offline_gdal`, and read the raster there.

    Args:
        path: the file. A virtual raster must be named ``.vrt``, and all files that it names must
            be local rasters.

    Returns:
        The dataset; None if GDAL cannot read it as a raster of these formats, or if a file beside
        it, such as its mask, is of another format.
    """
    if not _is_local_raster(path):
        return None
    drivers = [*_RASTER_DRIVERS]
    if path.suffix.lower() == _VIRTUAL_SUFFIX:
        drivers.append(_VIRTUAL_DRIVER)
    try:
        return gdal.OpenEx(str(path), gdal.OF_RASTER, allowed_drivers=drivers)
    except RuntimeError:  # raised if GDAL's exceptions are switched on
        return None


def _is_local_raster(path: Path, depth: int = 0) -> bool:
    """Return True if a raster, the files beside it and the files that it names are local rasters.

    Args:
        path: the file.
        depth: number of virtual rasters through which the file was found.
    """
    if depth > _MAX_DEPTH or not is_file(path):
        return False
    side_files = [path.with_name(path.name + ending) for ending in _SIDE_RASTERS]
    sides_are_rasters = all(
        _identify_file(side) in _RASTER_DRIVERS for side in side_files if is_file(side)
    )
    driver = _identify_file(path)
    if driver == _VIRTUAL_DRIVER and path.suffix.lower() == _VIRTUAL_SUFFIX:
        return sides_are_rasters and _has_local_sources(path, depth)
    return sides_are_rasters and driver in _RASTER_DRIVERS


def _has_local_sources(path: Path, depth: int) -> bool:
    """Return True if all files that a virtual raster names are local rasters.

    Args:
        path: the virtual raster.
        depth: number of virtual rasters through which it was found.
    """
    try:
        root = read_xml(path)
    except InputError:
        return False
    names = set()
    for tag in _list_descendants(root):
        if _FILE_TAG.search(tag.name) and not tag.children:
            names.add("".join(tag.texts).strip())

    def is_local(name: str) -> bool:
        """Return True if a name in the virtual raster is that of a local raster."""
        return _is_plain_path(name) and _is_local_raster(path.parent / name, depth + 1)

    return all(is_local(name) for name in names)


def _list_descendants(tag: XmlTag) -> Iterator[XmlTag]:
    """Yield all elements below an XML element."""
    pending = [*tag.children]
    while pending:
        child = pending.pop()
        yield child
        pending += child.children


def _is_plain_path(name: str) -> bool:
    """Return True if a name is a path of the file system, not a name that only a driver reads.

    >>> _is_plain_path("tiles/a.tif"), _is_plain_path("C:/a.tif")
    (True, True)
    >>> _is_plain_path("/vsicurl/http://a.org/a.tif"), _is_plain_path("PG:host=a.org")
    (False, False)
    """
    has_prefix = _PREFIX.match(name) is not None and _DRIVE.match(name) is None
    return bool(name) and not has_prefix and not name.startswith(("/vsi", "<", "{", "//", "\\\\"))


def _identify_file(path: Path) -> str:
    """Return the name of the first of GDAL's drivers that recognises a file; "" if none does."""
    try:
        driver = gdal.IdentifyDriver(str(path))
    except RuntimeError:  # raised if GDAL's exceptions are switched on
        return ""
    return "" if driver is None else str(driver.ShortName)


def open_vector(name: str, drivers: Sequence[str]) -> gdal.Dataset | None:
    """Open a vector file with some drivers; call it in :func:`offline_gdal`, and read it there.

    Args:
        name: path of the file, or the text of a GeoJSON file.
        drivers: GDAL's names of the drivers that may open it.

    Returns:
        The dataset; None if none of the drivers can read it.
    """
    try:
        return gdal.OpenEx(name, gdal.OF_VECTOR, allowed_drivers=[*drivers])
    except RuntimeError:  # raised if GDAL's exceptions are switched on
        return None


def name_other_format(path: Path, drivers: Sequence[str]) -> str:
    """Return GDAL's name of the format of a vector file, if another driver recognises it.

    Args:
        path: the file.
        drivers: names of the drivers of the expected format.

    Returns:
        The name; "" if one of the expected drivers recognises the file, or none does.
    """
    try:
        if gdal.IdentifyDriverEx(str(path), gdal.OF_VECTOR, allowed_drivers=[*drivers]) is not None:
            return ""
        driver = gdal.IdentifyDriverEx(str(path), gdal.OF_VECTOR)
    except RuntimeError:  # raised if GDAL's exceptions are switched on
        driver = None
    return "" if driver is None else str(driver.LongName)


def name_format_beyond_images(path: Path) -> str:
    """Return GDAL's name of the format of a file that only has the extension of an image.

    Such a file may be a virtual raster, which names other files and addresses.

    Args:
        path: the file.

    Returns:
        The name; "" if the file is an image, has another extension or is of no known format.
    """
    if path.suffix.lower() not in _IMAGE_SUFFIXES:
        return ""
    driver = _identify_file(path)
    return "" if driver in _RASTER_DRIVERS else driver
