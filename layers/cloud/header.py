"""Headers of LAS, LAZ and COPC files: attributes, CRS, height unit, and checks for damage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from osgeo import gdal, osr
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.core.errors import InputError, MissingLibraryError
from randcrowns.core.instances.cloud_values import CloudAttribute, find_attribute
from randcrowns.core.instances.las_files import (
    UNIT_LENGTHS,
    VERTICAL_CRS_KEY,
    VERTICAL_UNIT_KEY,
    check_chunks,
    check_header,
    check_length,
    epsg_code,
    geo_keys,
    las_attributes,
    name_messages,
    open_las,
    projection_records,
    report_damage,
    wkt_of,
)
from randcrowns.core.instances.point_tables import (
    LAS_EXTENSIONS,
    PointTable,
    check_is_cloud,
    is_folder,
    is_point_table,
    table_attributes,
    tree_files,
)
from randcrowns.core.messages import Message
from randcrowns.layers.cloud.point_tables import read_point_table
from randcrowns.layers.crs import crs_definition_text, crs_from_definition, has_datum_or_code
from randcrowns.layers.installation import libraries_message
from randcrowns.layers.libraries import CLOUDS

#: File name extensions of point clouds.
CLOUD_EXTENSIONS = (*LAS_EXTENSIONS, ".ply", ".npy", ".npz")


@dataclass(frozen=True)
class CloudHeader:
    """Content of the header of a point cloud file."""

    #: The file.
    path: Path
    #: Number of points.
    n_points: int
    #: Attributes with one number per point.
    attributes: tuple[CloudAttribute, ...]
    #: CRS of the file; invalid if it has none, or an undefined one.
    crs: QgsCoordinateReferenceSystem
    #: Metres per unit of z; None if the file does not specify it.
    z_unit: float | None
    #: Messages about unusual attributes.
    messages: tuple[Message, ...] = ()

    def find_attribute(self, name: str) -> CloudAttribute:
        """Return the attribute with a name.

        Raises:
            InputError: if there is no such attribute; the message lists the existing ones.
        """
        return find_attribute(self.path.name, self.attributes, name)

    def resolve_crs(
        self, chosen: QgsCoordinateReferenceSystem | None
    ) -> QgsCoordinateReferenceSystem:
        """Return the CRS of the file, or the selected one if the file has none.

        Args:
            chosen: CRS that the user selected; None or invalid without one.

        Raises:
            InputError: if there is neither.
        """
        if self.crs.isValid():
            return self.crs
        if chosen is not None and chosen.isValid():
            return chosen
        raise InputError(
            "cloud.no_crs",
            "{file} does not say its coordinate system; choose the system of its coordinates. For "
            "local coordinates in metres any system in metres will do.",
            file=self.path.name,
        )

    def height_unit(self, crs: QgsCoordinateReferenceSystem) -> float | None:
        """Return the metres per unit of z from the file, otherwise from a CRS.

        Args:
            crs: CRS of the coordinates.

        Returns:
            Length of the unit; None if neither specifies it.
        """
        return vertical_unit_of_crs(crs) if self.z_unit is None else self.z_unit


def find_cloud_file(source: str) -> Path:
    """Return the LAS, LAZ or COPC file of a source.

    Args:
        source: path of a file, or source of a point cloud layer. For an EPT index that QGIS
            created, the file that it was created from is returned.

    Raises:
        InputError: if the source is no such file, or the file does not exist.
    """
    without_schemes = source.removeprefix("pdal://").removeprefix("copc://").removeprefix("file://")
    path = Path(without_schemes.partition("|")[0])
    if path.name.lower() == "ept.json":
        path = _find_indexed_file(path) or path
    if not source:
        raise InputError(
            "cloud.not_chosen", "No point cloud is selected; choose a LAS, LAZ or COPC file."
        )
    if source and is_folder(path):
        tree_files(path)  # It raises an error if there are none.
        return path
    check_is_cloud(path, source)
    try:
        exists = path.is_file()
    except (OSError, ValueError):  # The name is too long or invalid.
        exists = False
    if not exists:
        raise InputError(
            "cloud.no_file", "There is no file {path}; choose a LAS, LAZ or COPC file.", path=path
        )
    return path


def _find_indexed_file(index: Path) -> Path | None:
    """Return the file next to QGIS's index folder ``ept_<name>``; None if it does not exist."""
    folder = index.parent
    if not folder.name.startswith("ept_"):
        return None
    for extension in LAS_EXTENSIONS:
        file = folder.with_name(folder.name.removeprefix("ept_") + extension)
        if file.exists():
            return file
    return None


def read_header(path: Path) -> CloudHeader:
    """Read the header of a point cloud file.

    Args:
        path: the file.

    Raises:
        InputError: if the file is damaged or no point cloud.
        MissingLibraryError: if laspy or lazrs is not installed.
    """
    if is_point_table(path):
        return table_header(path, read_point_table(path, read_las_table))
    laspy = require_laspy()
    with report_damage(path, laspy):
        check_header(path)
        with open_las(path, laspy) as reader:
            check_length(path, reader.header)
            return _read_cloud_head(path, reader.header)


def table_header(path: Path, table: PointTable) -> CloudHeader:
    """Return the header of points that were read from another file than LAS.

    Args:
        path: the file or folder.
        table: its points.
    """
    n_points = len(table.columns["x"])
    crs = crs_from_definition(table.crs)
    return CloudHeader(
        path=path,
        n_points=n_points,
        attributes=table_attributes(table),
        crs=crs,
        z_unit=table.z_unit,
        messages=table.messages,
    )


def read_las_table(path: Path) -> PointTable:
    """Read all points of a LAS file with the attributes that are not in the LAS standard.

    Args:
        path: the file.

    Raises:
        InputError: if the file is damaged or no point cloud.
        MissingLibraryError: if laspy or lazrs is not installed.
    """
    head = read_header(path)
    laspy = require_laspy()
    with report_damage(path, laspy):
        check_chunks(path)
        with open_las(path, laspy) as reader:
            points = reader.read()
    columns = {axis: getattr(points, axis).copy() for axis in "xyz"}
    for attribute in head.attributes:
        if attribute.is_extra:
            columns[attribute.name] = points[attribute.name].copy()
    return PointTable(columns, crs_definition_text(head.crs), head.z_unit, head.messages)


def require_laspy() -> Any:
    """Return the module laspy, which reads and writes point clouds.

    Raises:
        MissingLibraryError: if laspy or lazrs is not installed.
    """
    message = libraries_message(CLOUDS)
    if message:
        raise MissingLibraryError("libraries.unusable", message)
    import laspy

    return laspy


def _read_cloud_head(path: Path, header: Any) -> CloudHeader:
    """Return the content of laspy's header."""
    records = projection_records(header)
    crs = _read_crs(records)
    if not has_datum_or_code(crs):
        crs = QgsCoordinateReferenceSystem()
    return CloudHeader(
        path=path,
        n_points=int(header.point_count),
        attributes=las_attributes(header),
        crs=crs,
        z_unit=vertical_unit_of_records(records),
        messages=name_messages(path, require_laspy()),
    )


def _read_crs(records: Sequence[Any]) -> QgsCoordinateReferenceSystem:
    """Return the CRS of LASF_Projection records, from well-known text or an EPSG code."""
    wkt = wkt_of(records)
    if wkt:
        return QgsCoordinateReferenceSystem.fromWkt(wkt)
    code = epsg_code(records)
    return QgsCoordinateReferenceSystem(f"EPSG:{code}" if code is not None else "")


def vertical_unit_of_records(records: Sequence[Any]) -> float | None:
    """Return the metres per unit of z that a file specifies.

    Args:
        records: LASF_Projection records of the file, as laspy reads them.

    Returns:
        Length of the unit; None if the records do not specify it.
    """
    wkt = wkt_of(records)
    if wkt:
        return _read_vertical_unit(osr.SpatialReference.ImportFromWkt, wkt)
    keys = geo_keys(records)
    unit = keys.get(VERTICAL_UNIT_KEY)
    if unit in UNIT_LENGTHS:
        return UNIT_LENGTHS[unit]
    if VERTICAL_CRS_KEY in keys:
        return _read_vertical_unit(osr.SpatialReference.ImportFromEPSG, keys[VERTICAL_CRS_KEY])
    return None


def vertical_unit_of_crs(crs: QgsCoordinateReferenceSystem) -> float | None:
    """Return the metres per unit of the vertical axis of a CRS; None without such an axis."""
    if not crs.isValid():
        return None
    wkt = crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED)
    return _read_vertical_unit(osr.SpatialReference.ImportFromWkt, wkt)


def _read_vertical_unit(
    import_crs: Callable[[osr.SpatialReference, Any], int], definition: Any
) -> float | None:
    """Return the metres per unit of the vertical axis of a CRS.

    Args:
        import_crs: method of SpatialReference that imports the definition.
        definition: well-known text or EPSG code.

    Returns:
        Length of the unit; None without a vertical axis, or if the definition is invalid.
    """
    crs = osr.SpatialReference()
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        if import_crs(crs, definition) != 0:
            return None
    except (RuntimeError, TypeError):  # The definition is invalid, or contains invalid characters.
        return None
    finally:
        gdal.PopErrorHandler()
    if crs.IsVertical():
        return float(crs.GetTargetLinearUnits("VERT_CS"))
    # Ellipsoidal heights are always in metres in the EPSG register.
    return 1.0 if crs.IsGeographic() and crs.GetAxesCount() == 3 else None
