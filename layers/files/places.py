"""Where outputs are written to and inputs are read from, so that the one never replaces the other."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsDataProvider,
    QgsDataSourceUri,
    QgsFeatureSink,
    QgsFields,
    QgsMapLayer,
    QgsProject,
    QgsVectorFileWriter,
    QgsVectorLayer,
    QgsVectorLayerExporter,
)

from randcrowns.layers.databases import layer_file, source_parts

_SERVERS = re.compile(
    r"^(postgis|postgres|mssql|oracle|spatialite|hana|WFS):(.*)$", re.IGNORECASE | re.DOTALL
)
_SHAPEFILE = (".shp", ".dbf", ".shx")


@dataclass(frozen=True)
class OutputPlace:
    """A file, a table of a file, or a table of a database on a server."""

    file: Path | None  #: the file; None on a server.
    table: str = ""  #: name of the table; empty for the whole file.
    server: str = ""  #: what tells the database and the schema apart; empty for files.

    def meets(self, other: OutputPlace) -> bool:
        """Whether writing to the one changes the other: the same table, or a whole file with it."""
        if self.file is None or other.file is None:
            same = self.file is None and other.file is None and self.server == other.server
            return same and bool(self.table) and self.table == other.table
        if not _same_file(self.file, other.file):
            return False
        return not self.table or not other.table or self.table.lower() == other.table.lower()


def table_place(destination: str) -> OutputPlace | None:
    """Where an output of features is written to; None for memory.

    A file whose ending names no format of layers gets ``.gpkg`` after it, as QGIS itself does.
    """
    text = destination.strip()
    if not text or text == "TEMPORARY_OUTPUT" or text.startswith("memory:"):
        return None
    if text[:4].lower() == "ogr:":
        uri = QgsDataSourceUri(text[4:])
        if uri.database():
            return OutputPlace(Path(uri.database()), uri.table())
        text = text[4:]
    server = _SERVERS.match(text)
    if server:
        return _server_place(server.group(2))
    name, _, options = text.partition("|")
    table = re.search(r"(?:^|\|)layername=([^|]+)", options, re.IGNORECASE)
    known = QgsVectorFileWriter.driverForExtension(Path(name).suffix.lstrip("."))
    return OutputPlace(
        Path(name) if known else Path(f"{name}.gpkg"), table.group(1) if table else ""
    )


def file_place(destination: str) -> OutputPlace | None:
    """Where an output that holds no features is written to: a raster, a picture; None for a temporary one."""
    text = destination.strip()
    return None if not text or text == "TEMPORARY_OUTPUT" else OutputPlace(Path(text))


def layer_place(layer: QgsMapLayer) -> OutputPlace | None:
    """Where a layer is read from; None for one in memory."""
    parts = source_parts(layer)
    path = parts.get("path")
    if path:
        return OutputPlace(Path(path), parts.get("layerName") or _first_table(layer, Path(path)))
    uri = QgsDataSourceUri(layer.source())
    return _server_place(layer.source()) if uri.table() else None


def project_file() -> str:
    """The GeoPackage beside the project that keeps its results; empty while the project itself has no file."""
    project = Path(QgsProject.instance().absoluteFilePath())
    if project.suffix.lower() not in (".qgs", ".qgz") or not project.parent.is_dir():
        return ""
    path = str(project.with_name(f"{project.stem}_randcrowns.gpkg"))
    return "" if "'" in path else path


def _server_place(uri: str) -> OutputPlace:
    described = QgsDataSourceUri(uri)
    if described.database() and os.path.exists(described.database()):
        return OutputPlace(Path(described.database()), described.table())
    where = (
        described.service() or described.host(),
        described.port(),
        described.database(),
        described.schema(),
    )
    return OutputPlace(None, described.table(), "/".join(where))


def _first_table(layer: QgsMapLayer, path: Path) -> str:
    """The table that is read where the source names none; empty where the file holds nothing else."""
    if path.suffix.lower() not in (".gpkg", ".sqlite", ".db") or layer.dataProvider() is None:
        return ""
    tables = layer.dataProvider().subLayers()
    return tables[0].split(QgsDataProvider.sublayerSeparator())[1] if tables else ""


def _same_file(one: Path, other: Path) -> bool:
    """Whether both paths lead to one file, through links or another spelling too."""
    one, other = _main_file(one), _main_file(other)
    with suppress(OSError):
        return os.path.samefile(one, other)
    return os.path.normcase(os.path.realpath(one)) == os.path.normcase(os.path.realpath(other))


def _main_file(path: Path) -> Path:
    return path.with_suffix(".shp") if path.suffix.lower() in _SHAPEFILE else path


def look_again(layers: Iterable[QgsMapLayer], files: Iterable[Path]) -> None:
    """Have QGIS see the files as they are now, on the main thread.

    Of a file that is a layer by its plain path QGIS 3.22 knows only the tables that it had then. And it reads without
    locks: a map drawn while tables were put in may have opened half of the old file and half of the new, which all
    layers of the file go on reading, without rows or values, until one of them is opened anew.
    """
    changed, again = {file.resolve() for file in files}, set()
    for layer in layers:
        file = (
            layer_file(layer)
            if isinstance(layer, QgsVectorLayer) and layer.providerType() == "ogr"
            else None
        )
        if file is None or layer.isEditable() or (file := file.resolve()) not in changed:
            continue
        if file not in again or "|" not in layer.source():
            layer.dataProvider().reloadData()
            again.add(file)


def table_sink(
    place: OutputPlace, fields: QgsFields, wkb_type: object, crs: QgsCoordinateReferenceSystem
) -> tuple[QgsFeatureSink, str]:
    """A new table of a file, which replaces one of that name, and the source that opens it.

    Raises:
        OSError: if the format, or the disk, takes no such table.
    """
    ending = place.file.suffix[1:] if place.file else ""
    driver = str(QgsVectorFileWriter.driverForExtension(ending)) if ending else ""
    options = {"driverName": driver, "update": True}
    if place.table:
        options["layerName"] = place.table
    sink = QgsVectorLayerExporter(str(place.file), "ogr", fields, wkb_type, crs, True, options)
    if sink.errorCode() != 0:
        raise OSError(sink.errorMessage())
    return sink, f"{place.file}|layername={place.table}" if place.table else str(place.file)
