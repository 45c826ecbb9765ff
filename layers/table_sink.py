"""Tables of a GeoPackage whose name has more dots than QGIS itself writes to."""

from __future__ import annotations

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeatureSink,
    QgsFields,
    QgsVectorFileWriter,
    QgsVectorLayerExporter,
)
from qgis.PyQt.QtCore import QFileInfo

from randcrowns.core.errors import InputError
from randcrowns.layers.places import Place

__all__ = ["needs_own_sink", "table_sink"]


def needs_own_sink(destination: str, place: Place | None) -> bool:
    """Whether QGIS would not know the format: of ``plot_v1.2.gpkg`` it takes ``2.gpkg`` for the ending."""
    if place is None or place.file is None or not destination.strip().lower().startswith("ogr:"):
        return False
    taken = QFileInfo(str(place.file)).completeSuffix()
    return not _driver(taken) and bool(_driver(place.file.suffix[1:]))


def table_sink(
    place: Place, fields: QgsFields, wkb_type: object, crs: QgsCoordinateReferenceSystem
) -> tuple[QgsFeatureSink, str]:
    """A new table of a file, which replaces one of that name, and the source that opens it.

    Raises:
        InputError: if it cannot be made.
    """
    options = {"driverName": _driver(place.file.suffix[1:] if place.file else ""), "update": True}
    if place.table:
        options["layerName"] = place.table
    sink = QgsVectorLayerExporter(str(place.file), "ogr", fields, wkb_type, crs, True, options)
    if sink.errorCode() != 0:
        raise InputError(f"No table can be written into {place.file} ({sink.errorMessage()}); choose another file.")
    return sink, f"{place.file}|layername={place.table}" if place.table else str(place.file)


def _driver(ending: str) -> str:
    return str(QgsVectorFileWriter.driverForExtension(ending)) if ending else ""
