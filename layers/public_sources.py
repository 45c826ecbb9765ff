"""Sources of layers without secrets, as results may contain them.

The source of a layer may contain passwords, tokens, signed addresses and headers, in more spellings
than a list could name. Everything is therefore omitted, except for values that are known to be
public: provider, host, port, database, schema, table, names of columns, path, and the filter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlencode

from qgis.core import (
    QgsDataSourceUri,
    QgsExpression,
    QgsMapLayer,
    QgsProcessingUtils,
    QgsProviderRegistry,
    QgsVectorLayer,
)

#: Providers whose layers are opened by their source alone, without the name of the provider.
PROVIDERS_BY_SOURCE = ("ogr", "gdal")
#: Providers whose layers exist in the project only.
_IN_MEMORY = ("memory", "virtual", "mesh_memory")
#: Providers whose source is a :class:`QgsDataSourceUri` with a table.
_DATABASES = ("postgres", "postgresraster", "spatialite", "mssql", "oracle", "hana", "DB2")
#: Providers whose source is a :class:`QgsDataSourceUri` with an address, and the parameters of the
#: source that are public.
_SERVICES: Mapping[str, tuple[str, ...]] = {
    "WFS": ("typename", "version", "srsname"),
    "OAPIF": ("typename", "version", "srsname"),
    "arcgisfeatureserver": ("crs",),
    "arcgismapserver": ("layer", "crs", "format"),
    "vectortile": ("type", "zmin", "zmax"),
}
#: Providers whose source is the query part of an address, and its public parameters.
_QUERIES: Mapping[str, tuple[str, ...]] = {
    "wms": ("type", "layers", "styles", "crs", "format", "tileMatrixSet", "zmin", "zmax"),
    "wcs": ("identifier", "crs", "format"),
    "vectortile": ("type", "zmin", "zmax"),
}
#: Providers whose source is a path with a query part, and its public parameters.
_PATHS_WITH_QUERY: Mapping[str, tuple[str, ...]] = {
    "delimitedtext": (
        *("type", "delimiter", "quote", "escape", "xField", "yField", "zField", "mField"),
        *("xyDms", "wktField", "geomType", "crs", "skipLines", "useHeader", "decimalPoint"),
        *("trimFields", "detectTypes", "skipEmptyFields", "maxFields", "encoding"),
        *("spatialIndex", "subsetIndex", "watchFile"),
    ),
    "gpx": ("type",),
}
#: Providers whose source is a path or an address, beside GDAL's.
_FILES = ("mdal", "pdal", "ept", "copc")
#: Options after the path of a source of OGR that are public.
_OGR_OPTIONS = ("layername", "layerid", "geometrytype")
#: Drivers of GDAL for files, which may precede a path, such as ``GPKG:trees.gpkg:crowns``.
_FILE_DRIVERS = ("GPKG", "SQLITE", "NETCDF", "HDF4", "HDF5", "GTIFF_DIR", "ZARR", "DXF", "CSV")
#: Drivers of GDAL for services, which may precede an address.
_SERVICE_DRIVERS = ("WFS", "OAPIF", "WMS", "WMTS", "WCS")
#: Drivers of GDAL for databases, the separator between the parameters, and the public parameters.
_DATABASE_DRIVERS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "PG": (" ", ("dbname", "host", "port", "service", "schemas", "active_schema", "tables")),
    "PGB": (" ", ("dbname", "host", "port", "service", "schemas", "active_schema", "tables")),
    "MYSQL": (",", ("dbname", "host", "port", "tables")),
    "MSSQL": (";", ("server", "database", "tables")),
}
#: Separator in front of an option of a source of OGR. Any other "|" belongs to the path.
_OGR_SEPARATOR = re.compile(
    r"\|(?=(?:layername|layerid|geometrytype|uniqueGeometryType|subset|authcfg)=|option:|credential:)"
)
_DRIVER = re.compile(r"([A-Za-z0-9_]{2,}):(?!//)")
#: A handler of GDAL's virtual file systems without options, such as ``/vsizip/``.
_HANDLER = re.compile(r"/vsi[a-z0-9_]+/")
#: Handlers of files within archives, after which a path of this machine stands.
_ARCHIVES = ("/vsizip/", "/vsitar/", "/vsigzip/", "/vsi7z/", "/vsirar/")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
#: Name or number of a host, and a port.
_HOST_AND_PORT = re.compile(r"[\w.-]*(?::\d*)?|\[[0-9A-Fa-f:.]+\](?::\d*)?")
#: Characters that a part of a path hardly has, but a secret may have.
_UNUSUAL_IN_PATH = re.compile(r"""[{}'"<> |]""")
#: An equals sign in an address, which may be encoded several times.
_EQUALS = re.compile(r"=|%(?:25)*3d", re.IGNORECASE)
#: User and password in front of a host on a network, such as ``//user:password@host/share``.
_PASSWORD_OF_HOST = re.compile(r"(?:\\\\|//)[^\\/]*:[^\\/]*@")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
#: A parameter of the source of a database: the value is quoted, in braces, or one word.
_PARAMETER = re.compile(
    r"\s*(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|\{([^}]*)\}|([^\s,;'\"{}]*))"
)
#: A name of a host, a database, a service or a column: no quotes, and none of ``@ = ? & { }``.
_NAME = re.compile(r"[\w.,:+~ \\/\[\]()-]*")
#: A name of a database on a server, which cannot contain an address with a password.
_DATABASE = re.compile(r"[\w.+~ -]*")
#: Columns that layers have beside their fields, in lower case.
_ROW_IDS = ("fid", "ogc_fid", "rowid", "ctid")
_COMMENTS = ("--", "/*", "#")


class PublicSource(NamedTuple):
    """Source of a layer without secrets.

    Attributes:
        text: the source, with the provider if QGIS needs it; empty for a layer in memory.
        is_complete: True if the source opens the same features for a user who has the same access;
            False if a part that may select other features was omitted.
    """

    text: str
    is_complete: bool


class _Reduced(NamedTuple):
    """Public part of a source within its provider.

    Attributes:
        text: the public part; empty if nothing in it is known to be public.
        is_complete: see :class:`PublicSource`.
    """

    text: str
    is_complete: bool


def public_source(layer: QgsMapLayer) -> PublicSource:
    """Return the source of a layer without secrets."""
    columns: list[str] = []
    if isinstance(layer, QgsVectorLayer):
        columns = [*layer.fields().names(), *_ROW_IDS]
    return reduce_source(layer.providerType(), layer.source(), columns)


def reduce_source(provider: str, source: str, columns: Iterable[str] | None = None) -> PublicSource:
    """Return a source without secrets.

    Reducing a reduced source again changes nothing.

    Args:
        provider: key of the provider.
        source: the source.
        columns: columns that a filter may use, in any case. A filter that uses others is omitted,
            since it may be another part of the source; None for any columns.
    """
    if provider in _IN_MEMORY:
        return PublicSource("", is_complete=True)
    names = None if columns is None else {name.lower() for name in columns}
    reduced = _reduce_within_provider(provider, source, names)
    if provider in PROVIDERS_BY_SOURCE and reduced.text:
        return PublicSource(reduced.text, reduced.is_complete)
    text = str(QgsProcessingUtils.encodeProviderKeyAndUri(provider, reduced.text))
    return PublicSource(text, reduced.is_complete)


def reduce_stored_source(stored: str) -> str:
    """Return a source that an older version has stored, without secrets."""
    if not stored:
        return ""
    provider, mark, source = stored.partition("://")
    # The provider may be missing in this installation.
    providers = {*_DATABASES, *_SERVICES, *_QUERIES, *QgsProviderRegistry.instance().providerList()}
    if not mark or provider not in providers:
        provider = "ogr"
        source = stored
    return reduce_source(provider, source).text


def public_paths(joined_paths: str) -> str:
    """Return paths or addresses, separated by ``;``, without secrets.

    The paths of files of this machine stay as they are.
    """
    paths = joined_paths.split(";")
    public_path_texts = [_reduce_path(path).text for path in paths]
    return ";".join(
        path if path.strip() == public else public for path, public in zip(paths, public_path_texts)
    )


def public_name(layer: QgsMapLayer) -> str:
    """Return the name of a layer.

    A name that QGIS derived from a secret part of the source is replaced by the provider.
    """
    name = str(layer.name())
    if not name or layer.providerType() in _IN_MEMORY:
        return name
    source = layer.source()
    if isinstance(layer, QgsVectorLayer) and layer.subsetString():
        source = source.replace(layer.subsetString(), "")
    is_from_source = name in source or name in unquote(source)
    if not is_from_source or name in unquote(public_source(layer).text):
        return name
    return str(layer.providerType())


def public_id(layer: QgsMapLayer) -> str:
    """Return the id of a layer, or a digest of it if its name is not public.

    QGIS makes the id of a layer from its name and a random number.
    """
    layer_id = str(layer.id())
    if public_name(layer) == layer.name():
        return layer_id
    return f"{layer.providerType()}_{sha256(layer_id.encode('utf-8')).hexdigest()[:16]}"


def _reduce_within_provider(provider: str, source: str, columns: set[str] | None) -> _Reduced:
    """Return the public part of a source; see :func:`reduce_source`.

    Args:
        provider: name of the provider.
        source: source of the layer.
        columns: columns that a public filter may name; None if they are unknown.
    """
    if provider in _DATABASES:
        return _reduce_database(provider, source, columns)
    if provider in _PATHS_WITH_QUERY:
        return _reduce_path_with_query(source, _PATHS_WITH_QUERY[provider])
    is_query = provider in _QUERIES and not QgsDataSourceUri(source).param("url")
    if provider in _SERVICES and not is_query:
        return _reduce_service(source, _SERVICES[provider], columns)
    if is_query:
        return _reduce_query(source, _QUERIES[provider])
    if provider in PROVIDERS_BY_SOURCE:
        return _reduce_ogr(provider, source, columns)
    if provider in _FILES:
        return _reduce_path(source)
    return _Reduced(source if _exists(source) else "", is_complete=_exists(source))


def _reduce_database(provider: str, source: str, columns: set[str] | None) -> _Reduced:
    """Return host, database, table, columns and filter of a source of a database.

    Args:
        provider: name of the provider.
        source: source of the layer.
        columns: columns that a public filter may name; None if they are unknown.
    """
    uri = QgsDataSourceUri(source)
    public_uri = QgsDataSourceUri()
    is_complete = _copy_connection(uri, public_uri, provider)
    schema = uri.schema()
    table = uri.table()
    # In place of the name of a table, a query may contain anything.
    is_query = table.lstrip().startswith("(")
    if is_query or not _is_plain(table) or not _is_plain(schema):
        return _Reduced(public_uri.uri(False), is_complete=False)
    condition = uri.sql()
    public_condition = _reduce_filter(condition, columns)
    geometry_column = _normalise_name(uri.geometryColumn())
    key_column = _normalise_name(uri.keyColumn())
    public_uri.setDataSource(schema, table, geometry_column, public_condition, key_column)
    public_uri.setWkbType(uri.wkbType())
    if uri.srid().isdigit():
        public_uri.setSrid(uri.srid())
    return _Reduced(public_uri.uri(False), is_complete and public_condition == condition)


def _copy_connection(uri: QgsDataSourceUri, public: QgsDataSourceUri, provider: str) -> bool:
    """Copy host, port, service and database to a public source, without what is not plain.

    Args:
        uri: the source.
        public: source that is changed.
        provider: name of the provider.

    Returns:
        True if all of them could be copied.
    """
    database = uri.database()
    if provider == "spatialite":
        reduced = _reduce_path(database)
        public_database = reduced.text
        is_complete = reduced.is_complete
    else:
        is_complete = _DATABASE.fullmatch(database) is not None
        public_database = database if is_complete else ""
    host = _normalise_name(uri.host())
    port = _normalise_name(uri.port())
    service = _normalise_name(uri.service())
    if service:
        public.setConnection(service, public_database, "", "")
    elif host or port:
        public.setConnection(host, port, public_database, "", "")
    else:
        public.setDatabase(public_database)
    return is_complete and (host, port, service) == (uri.host(), uri.port(), uri.service())


def _normalise_name(name: str) -> str:
    """Return a name; an empty text if it may hold more than a name."""
    return name if _NAME.fullmatch(name) else ""


def _reduce_service(source: str, parameters: tuple[str, ...], columns: set[str] | None) -> _Reduced:
    """Return address and layer of a source of a web service.

    Args:
        source: source of the layer.
        parameters: names of the public parameters.
        columns: columns that a public filter may name; None if they are unknown.
    """
    uri = QgsDataSourceUri(source)
    address = _reduce_address(uri.param("url"))
    public_uri = QgsDataSourceUri()
    if address.text:
        public_uri.setParam("url", address.text)
    for name in parameters:
        value = uri.param(name)
        if value and _NAME.fullmatch(value):
            public_uri.setParam(name, value)
    condition = _reduce_filter(uri.sql(), columns)
    public_uri.setSql(condition)
    is_complete = address.is_complete and condition == uri.sql() and not uri.param("filter")
    return _Reduced(public_uri.uri(False), is_complete)


def _reduce_query(source: str, parameters: tuple[str, ...]) -> _Reduced:
    """Return address and layers of a source that is the query part of an address."""
    stored = parse_qsl(source, keep_blank_values=True)
    address = _Reduced("", is_complete=False)
    # A password with "&" is cut in two, so that a part of it may look like a host.
    may_have_password = "@" in unquote(source)
    pairs = []
    for name, value in stored:
        if name == "url" and not may_have_password:
            address = _reduce_address(value)
            pairs.append((name, address.text))
        elif name in parameters and _NAME.fullmatch(value):
            pairs.append((name, value))
    return _Reduced(urlencode(pairs, safe=":/,"), address.is_complete)


def _reduce_path_with_query(source: str, parameters: tuple[str, ...]) -> _Reduced:
    """Return path and public parameters of a source such as ``file:///a.csv?xField=x``.

    Args:
        source: source of a delimited text layer.
        parameters: names of the public parameters.
    """
    # A question mark may be a part of a password.
    if _PASSWORD_OF_HOST.match(source.removeprefix("file:")):
        return _Reduced("", is_complete=False)
    path, _, query = source.partition("?")
    items = query.split("&") if query else []
    has_filter = any(item.startswith("subset=") for item in items)
    reduced_path = _reduce_path(path)
    is_complete = reduced_path.is_complete and not has_filter
    if not reduced_path.text:
        return _Reduced("", is_complete)
    public_items = [item for item in items if item.partition("=")[0] in parameters]
    if not public_items:
        return _Reduced(reduced_path.text, is_complete)
    return _Reduced(f"{reduced_path.text}?{'&'.join(public_items)}", is_complete)


def _reduce_ogr(provider: str, source: str, columns: set[str] | None) -> _Reduced:
    """Return path, layer and filter of a source of GDAL.

    Args:
        provider: name of the provider.
        source: source of the layer.
        columns: columns that a public filter may name; None if they are unknown.
    """
    path, *options = _OGR_SEPARATOR.split(source)
    reduced = _reduce_path(path)
    if not reduced.text:
        return reduced
    texts = [reduced.text]
    is_complete = reduced.is_complete
    for option in options:
        name, _, value = option.partition("=")
        if name in _OGR_OPTIONS and _is_plain(value):
            texts.append(option)
        elif name in _OGR_OPTIONS or name.startswith("option:"):
            is_complete = False
    parts = QgsProviderRegistry.instance().decodeUri(provider, source)
    stored_filter = str(parts.get("subset") or "")
    condition = _reduce_filter(stored_filter, columns)
    if condition:
        texts.append(f"subset={condition}")
    return _Reduced("|".join(texts), is_complete and condition == stored_filter)


def _reduce_path(path: str) -> _Reduced:
    """Return the public part of a path, an address, or a driver of GDAL with one of both."""
    remaining_path = path.strip()
    handlers = ""
    while match := _HANDLER.match(remaining_path):
        handlers += match.group()
        remaining_path = remaining_path[match.end() :]
    if handlers:
        return _reduce_path_with_handlers(handlers, remaining_path)
    if remaining_path.startswith("/vsi"):
        return _reduce_handler_with_options(remaining_path)
    if _ADDRESS.match(remaining_path):
        return _reduce_address(remaining_path)
    driver = _DRIVER.match(remaining_path)
    has_drive = _DRIVE.match(remaining_path) is not None
    if driver is not None and not has_drive:
        return _reduce_driver(driver.group(1), remaining_path[driver.end() :])
    if remaining_path.startswith(("<", "{", "[", "(")):
        # A description in XML or JSON, or a query, may contain anything.
        return _Reduced("", is_complete=False)
    return _cut_query(remaining_path)


def _reduce_path_with_handlers(handlers: str, remaining_path: str) -> _Reduced:
    """Return the public part of a path that virtual file systems of GDAL read.

    Args:
        handlers: prefixes of the file systems, such as ``/vsizip/``.
        remaining_path: path or address after them.
    """
    if _ADDRESS.match(remaining_path):
        reduced = _reduce_address(remaining_path)
    elif "@" in remaining_path and not handlers.endswith(_ARCHIVES):
        return _Reduced("", is_complete=False)
    else:
        reduced = _cut_query(remaining_path)
    if not reduced.text:
        return reduced
    return _Reduced(handlers + reduced.text, reduced.is_complete)


def _cut_query(path: str) -> _Reduced:
    """Return a path without what follows a question mark, unless a file has this name."""
    if _PASSWORD_OF_HOST.match(path):
        return _Reduced("", is_complete=False)
    public, mark, _ = path.partition("?")
    is_unusual = any(character in public for character in "{}=|\n\r\0") or "://" in public
    # Only unusual paths are looked up: a disk on a network may not answer.
    if (not mark and not is_unusual) or _exists(path):
        return _Reduced(path, is_complete=True)
    return _Reduced("" if is_unusual else public, is_complete=False)


def _exists(path: str) -> bool:
    """Return True if a file or folder exists."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def _reduce_handler_with_options(path: str) -> _Reduced:
    """Return the address in a path such as ``/vsicurl?header.Authorization=…&url=…``."""
    handler, _, query = path.partition("?")
    address = dict(parse_qsl(query)).get("url", "")
    if not address or not re.fullmatch(r"/vsi[a-z0-9_]+", handler):
        return _Reduced("", is_complete=False)
    reduced = _reduce_address(address)
    return _Reduced(f"{handler}/{reduced.text}" if reduced.text else "", is_complete=False)


def _reduce_address(address: str) -> _Reduced:
    """Return scheme, host, port and path of an address, without user, query and fragment.

    Args:
        address: address such as ``https://host:80/path?token=1``; user and password may stand
            in front of the host.

    Returns:
        The public part; empty if a part of it may be secret.
    """
    full_address = address.strip()
    if not _ADDRESS.match(full_address):
        return _Reduced("", is_complete=False)
    scheme, _, server_and_path = full_address.partition("://")
    if scheme.lower() == "file":
        return _reduce_file_address(scheme, server_and_path)
    server_path = re.split("[?#]", server_and_path, maxsplit=1)[0]
    query = server_and_path[len(server_path) :]
    # Only in front of the host, "@" ends a user and a password. Elsewhere it may end them too, if
    # the password contains "/" or "?".
    user_and_host, slash, path = server_path.partition("/")
    if "@" in path or "@" in query:
        return _Reduced("", is_complete=False)
    host = user_and_host.rpartition("@")[2]
    if not _HOST_AND_PORT.fullmatch(host):
        return _Reduced("", is_complete=False)
    # A parameter in a path, as in "/a;token=…", is no part of the name of a file.
    parts = [part.partition(";")[0] for part in path.split("/")]
    if any(_EQUALS.search(part) or _UNUSUAL_IN_PATH.search(part) for part in parts):
        return _Reduced(f"{scheme}://{host}", is_complete=False)
    public_path = "/".join(parts)
    is_complete = not query and public_path == path
    return _Reduced(f"{scheme}://{host}{slash}{public_path}", is_complete)


def _reduce_file_address(scheme: str, host_and_path: str) -> _Reduced:
    """Return the public part of the address of a file, such as ``file:///a.csv``.

    Args:
        scheme: scheme as it is written.
        host_and_path: the address after ``://``. With a user, nothing of it is public.
    """
    host = host_and_path.partition("/")[0]
    if "@" in host:
        return _Reduced("", is_complete=False)
    reduced_path = _cut_query(host_and_path)
    text = f"{scheme}://{reduced_path.text}" if reduced_path.text else ""
    return _Reduced(text, reduced_path.is_complete)


def _reduce_driver(driver: str, rest: str) -> _Reduced:
    """Return the public part of a source that begins with the name of a driver of GDAL.

    Args:
        driver: name of the driver.
        rest: the source after the colon.
    """
    name = driver.upper()
    if name in _DATABASE_DRIVERS:
        separator, public_names = _DATABASE_DRIVERS[name]
        return _reduce_driver_parameters(driver, rest, separator, public_names)
    if name in _SERVICE_DRIVERS:
        address = _reduce_address(rest)
        if not address.text:
            return address
        return _Reduced(f"{driver}:{address.text}", address.is_complete)
    is_plain_file = _is_plain(rest.replace('"', "")) and "?" not in rest
    if name in _FILE_DRIVERS and is_plain_file:
        return _Reduced(f"{driver}:{rest}", is_complete=True)
    return _Reduced("", is_complete=False)


def _reduce_driver_parameters(
    driver: str, rest: str, separator: str, public_names: tuple[str, ...]
) -> _Reduced:
    """Return the public parameters of a source such as ``PG:dbname=trees host=h``.

    Reading ends at the first character that belongs to no parameter: what follows may be a part of
    a value.

    Args:
        driver: name of the driver.
        rest: the parameters.
        separator: separator between parameters.
        public_names: names of public parameters.
    """
    items: list[str] = []
    position = 0
    if separator == ",":
        # The first parameter of MySQL is the name of the database alone.
        database = rest.partition(",")[0]
        if not _DATABASE.fullmatch(database):
            return _Reduced("", is_complete=False)
        items.append(database)
        position = len(database) + 1
    while match := _PARAMETER.match(rest, position):
        name = match.group(1).lower()
        # One group matches the value, depending on how it is quoted.
        values = [group for group in match.groups()[1:] if group is not None]
        value = values[0] if values else ""
        value_pattern = _DATABASE if name in ("dbname", "database") else _NAME
        if name in public_names and value_pattern.fullmatch(value):
            quoted_value = f"'{value}'" if separator == " " else value
            items.append(f"{name}={quoted_value}")
        position = match.end()
        if not rest.startswith(separator, position):
            break
        position += len(separator)
    is_complete = position >= len(rest.rstrip())
    if not items:
        return _Reduced("", is_complete)
    return _Reduced(f"{driver}:{separator.join(items)}", is_complete)


def _is_plain(name: str) -> bool:
    """Return True if a name of a table or path cannot contain parameters or an address."""
    return not any(mark in name for mark in ("=", "://", "\n", "\r", "\0", "{", "}", "@"))


def _reduce_filter(condition: str, columns: set[str] | None) -> str:
    """Return a filter if it is an expression of columns without comments, else "".

    Args:
        condition: the filter.
        columns: names of the columns, in lower case; None for any.
    """
    if not condition or any(mark in condition for mark in _COMMENTS):
        return ""
    expression = QgsExpression(condition)
    if expression.hasParserError():
        return ""
    used = {name.lower() for name in expression.referencedColumns()}
    if not used or (columns is not None and not used <= columns):
        return ""
    return condition


__all__ = [
    "PROVIDERS_BY_SOURCE",
    "PublicSource",
    "public_id",
    "public_name",
    "public_paths",
    "public_source",
    "reduce_source",
    "reduce_stored_source",
]
