"""Tables of files that QGIS alone would not write: a name with more dots, a file that is open as a layer."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeatureSink,
    QgsFields,
    QgsProject,
    QgsVectorFileWriter,
    QgsVectorLayer,
    QgsVectorLayerExporter,
)
from qgis.PyQt.QtCore import QFileInfo

from randcrowns.core.errors import InputError
from randcrowns.layers.files.places import Place

__all__ = ["needs_own_sink", "opened_again", "plainly_open", "table_sink"]


def needs_own_sink(destination: str, place: Place | None) -> bool:
    """Whether QGIS would not know the format: of ``plot_v1.2.gpkg`` it takes ``2.gpkg`` for the ending."""
    if place is None or place.file is None or not destination.strip().lower().startswith("ogr:"):
        return False
    taken = QFileInfo(str(place.file)).completeSuffix()
    return not _driver(taken) and bool(_driver(place.file.suffix[1:]))


def plainly_open(project: QgsProject | None) -> frozenset[Path]:
    """The files of layers that name no table; to be asked on the main thread."""
    layers = [] if project is None else project.mapLayers().values()
    sources = (layer.source() for layer in layers if layer.providerType() == "ogr")
    return frozenset(Path(source).resolve() for source in sources if "|" not in source)


def opened_again(places: Iterable[Place | None], plain: frozenset[Path]) -> list[QgsVectorLayer]:
    """The files that get another table and are ``plain`` open, to be kept open until they have it.

    Of a file that is a layer by its plain path QGIS 3.22 knows only the tables it had then, and cannot read one that
    it makes; once the file is open a second time it can. A file that nobody has open must stay so: opened here, its
    new tables could not be read either.
    """
    files = dict.fromkeys(place.file for place in places if place is not None and place.file and place.table)
    return [QgsVectorLayer(str(file), file.stem, "ogr") for file in files if file.resolve() in plain]


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
