"""Destinations of outputs and sources of layers, compared so that no output replaces an input."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsDataProvider,
    QgsDataSourceUri,
    QgsFeatureSink,
    QgsFields,
    QgsMapLayer,
    QgsProcessingUtils,
    QgsProject,
    QgsProviderRegistry,
    QgsVectorFileWriter,
    QgsVectorLayer,
    QgsVectorLayerExporter,
    QgsVirtualLayerDefinition,
)
from qgis.PyQt.QtCore import QUrl

from randcrowns.layers.databases import (
    are_same_table,
    decode_source,
    layer_file,
    select_rows,
    source_parts,
    table_source,
    tables_read,
)
from randcrowns.layers.local_files import quiet_gdal
from randcrowns.layers.servers import (
    POSTGRES,
    SERVER_PROVIDERS,
    ServerTable,
    database_identity,
    ogr_server_table,
    resolve_table,
    server_tables_read,
)

#: Provider and source as older versions of QGIS Processing write them.
_PROVIDER_AND_SOURCE = re.compile(r"(.{3,}?):(.*)$", re.DOTALL)
#: Current names of providers by old names.
_OLD_PROVIDERS = {"postgis": POSTGRES}
#: Sources of GDAL that begin with the name of a driver, such as ``GPKG:trees.gpkg:crowns``.
_DRIVER_SOURCE = re.compile(r"[A-Za-z0-9_]{2,}:(?!//)")
#: Suffix of files that contain the sources of other files.
_VRT_SUFFIX = ".vrt"
_DATABASE_SUFFIXES = (".gpkg", ".sqlite", ".db")
_SHAPEFILE_SUFFIXES = (".shp", ".dbf", ".shx")
_VIRTUAL = "virtual"
#: Texts in an expression of QGIS.
_TEXT = re.compile(r"'((?:[^']|'')*)'")


@dataclass(frozen=True)
class Destination:
    """Location of a layer or an output: a file, a table of a file, or a table on a server."""

    file: Path | None  #: the file; None on a server.
    table: str = ""  #: name of the table; empty for the whole file or database.
    server: str = ""  #: server and database; empty for files.
    #: The table on a server; None for files.
    server_table: ServerTable | None = field(default=None, compare=False, repr=False)

    def overlaps(self, other: Destination) -> bool:
        """Return True if writing to one of two locations changes the other.

        Both are the same table, or one of them is the whole file or database that contains the
        other. Names of tables are compared as their store compares them.
        """
        has_whole_location = not self.table or not other.table
        if self.file is None or other.file is None:
            are_on_servers = self.file is None and other.file is None
            is_same_database = are_on_servers and self.server == other.server
            return is_same_database and (has_whole_location or self.table == other.table)
        if not _is_same_file(self.file, other.file):
            return False
        if has_whole_location:
            return True
        if self.file.suffix.lower() in _DATABASE_SUFFIXES:
            return are_same_table(self.table, other.table)
        return self.table.casefold() == other.table.casefold()

    def resolved(self) -> Destination:
        """Return the location with the names by which a server knows its database and table.

        The server is asked. Locations in files are returned unchanged.
        """
        if self.server_table is None:
            return self
        return replace(
            self,
            table=resolve_table(self.server_table),
            server=database_identity(self.server_table),
        )


def table_destination(destination: str) -> Destination | None:
    """Return the location that an output of features is written to.

    A file whose suffix belongs to no vector format gets the suffix ``.gpkg``, as in QGIS.

    Args:
        destination: the destination as QGIS Processing writes it.

    Returns:
        The location; None for a temporary output.
    """
    text = destination.strip()
    is_temporary = not text or text == "TEMPORARY_OUTPUT" or text.startswith("memory:")
    if is_temporary:
        return None
    provider, source = _get_provider_and_source(text)
    if provider not in ("", "ogr"):
        return _locate_source(provider, source)

    uri = QgsDataSourceUri(source)
    if provider and uri.database() and ogr_server_table(source, "") is None:
        return Destination(Path(uri.database()), uri.table())
    parts = decode_source("ogr", source)
    table = parts.get("layerName") or ""
    server_table = ogr_server_table(str(parts.get("path") or ""), table)
    if server_table is not None:
        return _locate_server_table(server_table)
    file_name = source.partition("|")[0]
    file = Path(file_name)
    if not QgsVectorFileWriter.driverForExtension(file.suffix.lstrip(".")):
        file = Path(f"{file_name}.gpkg")
    return Destination(file, table)


def _get_provider_and_source(text: str) -> tuple[str, str]:
    """Return the provider and the source of a destination; "" and the text for a plain path.

    Args:
        text: the destination as QGIS Processing writes it, such as ``ogr:dbname='x.gpkg' ...``.
    """
    is_decoded, key, source = QgsProcessingUtils.decodeProviderKeyAndUri(text)
    if not is_decoded:
        match = _PROVIDER_AND_SOURCE.match(text)
        if match is None:
            return "", text
        key, source = match.groups()
    lower_key = key.lower()
    lower_key = _OLD_PROVIDERS.get(lower_key, lower_key)
    provider_names = {name.lower(): name for name in QgsProviderRegistry.instance().providerList()}
    provider_names |= {name: name for name in SERVER_PROVIDERS}
    if lower_key not in provider_names:
        # The text is a path that contains a colon.
        return "", text
    return provider_names[lower_key], source


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
    """Return the location that a layer is read from; None for a layer in memory.

    See :func:`locations_read` for all locations of layers that read several.
    """
    location = _locate_source(layer.providerType(), layer.source())
    if location is None or location.file is None or location.table:
        return location
    return replace(location, table=_find_unnamed_table(layer, location.file))


def locations_read(layer: QgsMapLayer, on_servers: bool = True) -> list[Destination]:
    """Return all locations that a layer reads: its own, and those of joins, queries and views.

    Tables that a query reads are determined by its database. Where this fails, the location is the
    whole file or database.

    Args:
        layer: the layer; call this on the layer's thread only.
        on_servers: False to omit locations on servers, which are then not asked.
    """
    locations: list[Destination] = []
    pending = [layer]
    seen_ids: set[str] = set()
    while pending:
        current = pending.pop()
        if current.id() in seen_ids:
            continue
        seen_ids.add(current.id())
        provider = current.providerType()
        if provider == _VIRTUAL:
            for source_provider, source in _list_virtual_sources(current.source()):
                locations += _list_locations(
                    source_provider, source, layer=None, on_servers=on_servers
                )
        else:
            locations += _list_locations(provider, current.source(), current, on_servers)
        pending += _find_referenced_layers(current)
    return locations


def _locate_source(provider: str, source: str) -> Destination | None:
    """Return the location that a source names; None for layers in memory and of web services."""
    parts = decode_source(provider, source)
    path = str(parts.get("path") or "")
    table = str(parts.get("layerName") or "")
    server_table = ogr_server_table(path, table)
    if server_table is not None:
        return _locate_server_table(server_table)
    if path:
        return Destination(Path(path), table)
    uri = QgsDataSourceUri(source)
    if provider == "spatialite" and uri.database():
        return Destination(Path(uri.database()), uri.table())
    if not uri.table():
        return None
    return _locate_server_table(ServerTable(provider, source))


def _locate_server_table(table: ServerTable) -> Destination:
    """Return the location of a table on a server, as its source names it."""
    return Destination(None, table.textual_table(), table.textual_database(), table)


def _list_locations(
    provider: str, source: str, layer: QgsMapLayer | None, on_servers: bool
) -> list[Destination]:
    """Return the locations that a source reads, without those of joined layers.

    Args:
        provider: name of the provider.
        source: source of the layer.
        layer: the layer, by which the table of a source that names none is determined; or None.
        on_servers: False to omit locations on servers.
    """
    location = _locate_source(provider, source)
    if location is None:
        return []
    if location.server_table is not None:
        return _list_server_locations(location.server_table) if on_servers else []
    file = location.file or Path()
    other_files = _list_dataset_files(file)
    if other_files:
        return [Destination(other) for other in other_files]
    subset = decode_source(provider, source).get("subset")
    if file.suffix.lower() not in _DATABASE_SUFFIXES:
        if _is_query(subset):
            return [Destination(file)]
        return [location]

    table = location.table
    if not table and layer is not None:
        table = _find_unnamed_table(layer, file)
    if provider == "spatialite":
        subset = QgsDataSourceUri(source).sql()
    tables = _list_database_tables(file, table, str(subset or ""))
    return [Destination(file, name) for name in tables]


def _list_server_locations(table: ServerTable) -> list[Destination]:
    """Return the tables on a server that a layer reads; the database if they are unknown."""
    server = database_identity(table)
    names = server_tables_read(table)
    return [Destination(None, name, server) for name in sorted(names or {""})]


def _list_database_tables(file: Path, table: str, subset: str) -> list[str]:
    """Return the tables of a database file that a layer reads; an empty name if unknown.

    Args:
        file: the database.
        table: table of the layer; "" if unknown.
        subset: filter of the layer: a condition, or a whole query.
    """
    if _is_query(subset):
        names = tables_read(file, subset)
        if names is None:
            return [""]
        return sorted(names | {table}) if table else sorted(names)
    if not table:
        return [""]
    names = tables_read(file, select_rows(table, subset))
    if names is not None:
        return sorted(names | {table})
    may_read_other_tables = "select" in subset.lower()
    return [""] if may_read_other_tables else [table]


def _is_query(subset: object) -> bool:
    """Return True if the filter of a layer is a whole query instead of a condition."""
    return str(subset or "").lstrip().lower().startswith(("select", "with"))


def _list_dataset_files(path: Path) -> list[Path]:
    """Return the files that GDAL reads for a source that is no file, or that names other files."""
    is_driver_source = _DRIVER_SOURCE.match(str(path)) is not None and not path.exists()
    if not is_driver_source and path.suffix.lower() != _VRT_SUFFIX:
        return []
    with quiet_gdal():
        try:
            dataset = gdal.OpenEx(str(path))
        except RuntimeError:  # raised if GDAL's exceptions are switched on
            return []
    if dataset is None:
        return []
    names = dataset.GetFileList() or []
    return [Path(name) for name in names]


def _list_virtual_sources(source: str) -> Iterator[tuple[str, str]]:
    """Yield provider and source of the layers that a virtual layer contains, also in each other."""
    definition = QgsVirtualLayerDefinition.fromUrl(QUrl.fromEncoded(source.encode()))
    if definition.filePath():
        yield "ogr", definition.filePath()
    for contained in definition.sourceLayers():
        if contained.isReferenced():
            continue
        if contained.provider() == _VIRTUAL:
            yield from _list_virtual_sources(contained.source())
        else:
            yield contained.provider(), contained.source()


def _find_referenced_layers(layer: QgsMapLayer) -> list[QgsMapLayer]:
    """Return the layers of the project that a layer reads besides its own source."""
    if not isinstance(layer, QgsVectorLayer):
        return []
    ids = {join.joinLayerId() for join in layer.vectorJoins()}
    if layer.providerType() == _VIRTUAL:
        ids |= _list_ids_in_virtual_layer(layer)
    # The texts in virtual fields may be ids or names of layers.
    texts = _list_virtual_field_texts(layer)
    ids.update(texts)

    project_layers = QgsProject.instance().mapLayers().values()
    return [other for other in project_layers if other.id() in ids or other.name() in texts]


def _list_ids_in_virtual_layer(layer: QgsVectorLayer) -> set[str]:
    """Return the ids of the project's layers on which a virtual layer depends."""
    definition = QgsVirtualLayerDefinition.fromUrl(QUrl.fromEncoded(layer.source().encode()))
    ids = {source.reference() for source in definition.sourceLayers() if source.isReferenced()}
    if layer.dataProvider() is not None:
        ids |= {dependency.layerId() for dependency in layer.dataProvider().dependencies()}
    return ids


def _list_virtual_field_texts(layer: QgsVectorLayer) -> set[str]:
    """Return the texts in the expressions of virtual fields, which may name other layers."""
    fields = layer.fields()
    texts: set[str] = set()
    for index in range(fields.count()):
        if fields.fieldOrigin(index) == QgsFields.FieldOrigin.OriginExpression:
            texts |= {
                text.replace("''", "'") for text in _TEXT.findall(layer.expressionField(index))
            }
    return texts


def table_destination_text(file: str, table: str, geometry_column: str = "") -> str:
    """Return the destination of a table in a file, as QGIS Processing writes it.

    Args:
        file: path of the file, which may contain quotation marks.
        table: name of the table.
        geometry_column: name of its geometry column; "" for a table without geometries.
    """
    uri = QgsDataSourceUri()
    uri.setDatabase(file)
    uri.setDataSource("", table, geometry_column)
    return f"ogr:{uri.uri(False)}"


def _find_unnamed_table(layer: QgsMapLayer, path: Path) -> str:
    """Return the table that is read if a source names none; empty if the file has no tables.

    It is the first one, or the one whose number the source contains.
    """
    if path.suffix.lower() not in _DATABASE_SUFFIXES or layer.dataProvider() is None:
        return ""
    parts = source_parts(layer)
    if _is_query(parts.get("subset")):
        return ""
    requested_number: Any = parts.get("layerId")
    for entry in layer.dataProvider().subLayers():
        # An entry begins with the number and the name of a table.
        number, name = entry.split(QgsDataProvider.sublayerSeparator())[:2]
        if requested_number is None or number == str(requested_number):
            return str(name)
    return ""


def _is_same_file(file: Path, other_file: Path) -> bool:
    """Return True if two paths lead to one file, also through links or different spellings."""
    main_file = _get_main_file(file)
    other_main_file = _get_main_file(other_file)
    with suppress(OSError):
        return os.path.samefile(main_file, other_main_file)
    # One of the files does not exist yet, so the paths are compared.
    path = os.path.normcase(os.path.realpath(main_file))
    other_path = os.path.normcase(os.path.realpath(other_main_file))
    return path == other_path


def _get_main_file(path: Path) -> Path:
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
        resolved_file = file.resolve()
        if resolved_file not in written_files:
            continue
        names_no_table = "|" not in layer.source()
        if names_no_table or resolved_file not in reloaded_files:
            layer.dataProvider().reloadData()
            reloaded_files.add(resolved_file)


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
    driver = ""
    if destination.file is not None and destination.file.suffix:
        extension = destination.file.suffix.removeprefix(".")
        driver = str(QgsVectorFileWriter.driverForExtension(extension))
    options = {"driverName": driver, "update": True}
    if destination.table:
        options["layerName"] = destination.table
    overwrite = True  # the table only, because the options say to update the file
    sink = QgsVectorLayerExporter(
        str(destination.file), "ogr", fields, wkb_type, crs, overwrite, options
    )
    if sink.errorCode() != 0:
        raise OSError(sink.errorMessage())
    return sink, table_source(destination.file or Path(), destination.table)
