"""Records in GeoPackages that the coordinates of a table without a CRS are those that QGIS shows.

The lack of a CRS alone does not tell crowns that lie on an image as QGIS shows it (y upwards) from
pixels of an annotation tool (y downwards). GDAL stores it in different ways, too: as an undefined
geographic CRS up to version 3.8, as no CRS since.
"""

from __future__ import annotations

from pathlib import Path

from osgeo import gdal, ogr

from randcrowns.layers.crs import has_datum_or_code
from randcrowns.layers.vector.tables import FeatureTable

#: Metadata item of a table, and its value for coordinates as QGIS shows them.
_ITEM = "RANDCROWNS_COORDINATES"
_AS_SHOWN = "map"


def record_shown_coordinates(path: Path, name: str, table: FeatureTable) -> None:
    """Record that the coordinates of a table are those that QGIS shows, if it has no CRS.

    Args:
        path: the GeoPackage; it must be a temporary file that no other program reads.
        name: name of the table in the GeoPackage.
        table: the table; nothing is recorded if it has a CRS or no geometries.

    Raises:
        OSError: if the record cannot be written.
    """
    if table.geometries is None or has_datum_or_code(table.crs):
        return
    try:
        dataset = gdal.OpenEx(str(path), gdal.OF_VECTOR | gdal.OF_UPDATE, ["GPKG"])
        layer = None if dataset is None else dataset.GetLayerByName(name)
        is_written = (
            layer is not None and layer.SetMetadataItem(_ITEM, _AS_SHOWN) == ogr.OGRERR_NONE
        )
        # The metadata are written when the last reference to the data set is deleted.
        del layer, dataset
    except RuntimeError as error:  # raised if GDAL's exceptions are switched on
        raise OSError(str(error)) from error
    if not is_written:
        raise OSError(gdal.GetLastErrorMsg())


def has_shown_coordinates(layer: ogr.Layer) -> bool:
    """Return True if a table has a record that its coordinates are those that QGIS shows."""
    return bool(layer.GetMetadataItem(_ITEM) == _AS_SHOWN)
