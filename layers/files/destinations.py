"""Destinations of outputs and sources of layers, compared so that no output replaces an input."""

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

#: Source of a layer on a database server: the provider, a colon and the connection.
_SERVER_SOURCE = re.compile(
    r"^(postgis|postgres|mssql|oracle|spatialite|hana|WFS):(.*)$", re.IGNORECASE | re.DOTALL
)
_SHAPEFILE_SUFFIXES = (".shp", ".dbf", ".shx")


@dataclass(frozen=True)
class Destination:
    """Location of a layer or an output: a file, a table of a file, or a table on a server."""

    file: Path | None  #: the file; None on a server.
    table: str = ""  #: name of the table; empty for the whole file.
    server: str = ""  #: connection, database and schema on a server; empty for files.

    def overlaps(self, other: Destination) -> bool:
        """Return True if writing to one of two locations changes the other.

        Both are the same table, or one of them is the whole file that contains the other.
        """
        if self.file is None or other.file is None:
            same_server = self.file is None and other.file is None and self.server == other.server
            return same_server and bool(self.table) and self.table == other.table
        if not _same_file(self.file, other.file):
            return False
        return not self.table or not other.table or self.table.lower() == other.table.lower()


def table_destination(destination: str) -> Destination | None:
    """Return the location that an output of features is written to.

    A file whose suffix belongs to no vector format gets the suffix ``.gpkg``, as in QGIS.

    Args:
        destination: the destination as QGIS Processing writes it.

    Returns:
        The location; None for a temporary output.
    """
    text = destination.strip()
    if not text or text == "TEMPORARY_OUTPUT" or text.startswith("memory:"):
        return None
    if text[:4].lower() == "ogr:":
        uri = QgsDataSourceUri(text[4:])
        if uri.database():
            return Destination(Path(uri.database()), uri.table())
        text = text[4:]
    server = _SERVER_SOURCE.match(text)
    if server:
        return _server_place(server.group(2))

    name, _, options = text.partition("|")
    table = re.search(r"(?:^|\|)layername=([^|]+)", options, re.IGNORECASE)
    has_known_suffix = QgsVectorFileWriter.driverForExtension(Path(name).suffix.lstrip("."))
    file = Path(name) if has_known_suffix else Path(f"{name}.gpkg")
    return Destination(file, table.group(1) if table else "")


def file_destination(destination: str) -> Destination | None:
    """Return the location that an output without features is written to, such as a raster.

    Args:
        destination: the destination as QGIS Processing writes it.

    Returns:
        The location; None for a temporary output.
    """
    text = destination.strip()
    return None if not text or text == "TEMPORARY_OUTPUT" else Destination(Path(text))


def layer_location(layer: QgsMapLayer) -> Destination | None:
    """Return the location that a layer is read from; None for a layer in memory."""
    parts = source_parts(layer)
    path = parts.get("path")
    if path:
        return Destination(Path(path), parts.get("layerName") or _first_table(layer, Path(path)))
    uri = QgsDataSourceUri(layer.source())
    return _server_place(layer.source()) if uri.table() else None


def project_geopackage() -> str:
    """Return the GeoPackage next to the project file that contains the project's results.

    Returns:
        The path, whose file may be missing; empty if the project has not been saved yet, or if the
        path contains a quotation mark, which the sources of QGIS layers cannot contain.
    """
    project = Path(QgsProject.instance().absoluteFilePath())
    if project.suffix.lower() not in (".qgs", ".qgz") or not project.parent.is_dir():
        return ""
    path = str(project.with_name(f"{project.stem}_randcrowns.gpkg"))
    return "" if "'" in path else path


def _server_place(uri: str) -> Destination:
    """Return the location of a table on a server, or in a database file, from its source."""
    source = QgsDataSourceUri(uri)
    if source.database() and os.path.exists(source.database()):
        return Destination(Path(source.database()), source.table())
    server = (
        source.service() or source.host(),
        source.port(),
        source.database(),
        source.schema(),
    )
    return Destination(None, source.table(), "/".join(server))


def _first_table(layer: QgsMapLayer, path: Path) -> str:
    """Return the table that is read if a source names none; empty if the file has no tables."""
    if path.suffix.lower() not in (".gpkg", ".sqlite", ".db") or layer.dataProvider() is None:
        return ""
    tables = layer.dataProvider().subLayers()
    return tables[0].split(QgsDataProvider.sublayerSeparator())[1] if tables else ""


def _same_file(first: Path, second: Path) -> bool:
    """Return True if two paths lead to one file, also through links or different spellings."""
    main_files = (_main_file(first), _main_file(second))
    with suppress(OSError):
        return os.path.samefile(*main_files)
    first_path, second_path = (os.path.normcase(os.path.realpath(file)) for file in main_files)
    return first_path == second_path


def _main_file(path: Path) -> Path:
    """Return the ``.shp`` file of any file of a shapefile; other paths unchanged."""
    return path.with_suffix(".shp") if path.suffix.lower() in _SHAPEFILE_SUFFIXES else path


def reload_layers(layers: Iterable[QgsMapLayer], files: Iterable[Path]) -> None:
    """Reload the layers of files that were written; call this on the main thread only.

    There are two reasons. For a layer whose source names no table, QGIS 3.22 knows only the tables
    that the file had when it was opened. And QGIS reads without locks: a map that is drawn while
    tables are replaced may open half of the old file and half of the new one. All layers of the
    file would then have no rows or values until one of them is reloaded.

    Args:
        layers: layers, of which those with unsaved edits are not reloaded.
        files: the files that were written.
    """
    written_files = {file.resolve() for file in files}
    reloaded_files: set[Path] = set()
    for layer in layers:
        if not isinstance(layer, QgsVectorLayer) or layer.providerType() != "ogr":
            continue
        file = layer_file(layer)
        if file is None or layer.isEditable():
            continue
        file = file.resolve()
        if file not in written_files:
            continue
        names_no_table = "|" not in layer.source()
        if names_no_table or file not in reloaded_files:
            layer.dataProvider().reloadData()
            reloaded_files.add(file)


def create_table_sink(
    destination: Destination, fields: QgsFields, wkb_type: object, crs: QgsCoordinateReferenceSystem
) -> tuple[QgsFeatureSink, str]:
    """Create a new table in a file, which replaces a table with the same name.

    Args:
        destination: the file and the table.
        fields: fields of the table.
        wkb_type: geometry type of the features, a QgsWkbTypes.Type.
        crs: CRS of the features.

    Returns:
        A sink for the features, and the source of a layer that reads the table.

    Raises:
        OSError: if the table cannot be created.
    """
    suffix = destination.file.suffix[1:] if destination.file else ""
    driver = str(QgsVectorFileWriter.driverForExtension(suffix)) if suffix else ""
    options = {"driverName": driver, "update": True}
    if destination.table:
        options["layerName"] = destination.table
    sink = QgsVectorLayerExporter(
        str(destination.file), "ogr", fields, wkb_type, crs, True, options
    )
    if sink.errorCode() != 0:
        raise OSError(sink.errorMessage())
    source = (
        f"{destination.file}|layername={destination.table}"
        if destination.table
        else str(destination.file)
    )
    return sink, source
