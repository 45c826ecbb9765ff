"""Where outputs are written to and inputs are read from, so that the one never replaces the other."""

from __future__ import annotations

import glob
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
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
    QgsProviderRegistry,
    QgsVectorFileWriter,
    QgsVectorLayer,
    QgsVectorLayerExporter,
)
from qgis.PyQt.QtCore import QFileInfo

from randcrowns.core.errors import InputError
from randcrowns.layers.files.geopackage import copy_database, is_sqlite, put_back_tables, table_names, wait_for_lock

_SERVERS = re.compile(r"^(postgis|postgres|mssql|oracle|spatialite|hana|WFS):(.*)$", re.IGNORECASE | re.DOTALL)
_SHAPEFILE = (".shp", ".dbf", ".shx")


@dataclass(frozen=True)
class OutputPlace:
    """A file, a table of a file, or a table of a database on a server.

    Attributes:
        file: the file; None on a server.
        table: name of the table; empty for the whole file.
        server: what tells the database and the schema apart; empty for files.
    """

    file: Path | None
    table: str = ""
    server: str = ""

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
    return OutputPlace(Path(name) if known else Path(f"{name}.gpkg"), table.group(1) if table else "")


def file_place(destination: str) -> OutputPlace | None:
    """Where an output that holds no features is written to: a raster, a picture; None for a temporary one."""
    text = destination.strip()
    return None if not text or text == "TEMPORARY_OUTPUT" else OutputPlace(Path(text))


def layer_place(layer: QgsMapLayer) -> OutputPlace | None:
    """Where a layer is read from; None for one in memory."""
    parts = QgsProviderRegistry.instance().decodeUri(layer.providerType(), layer.source())
    path = parts.get("path")
    if path:
        return OutputPlace(Path(path), parts.get("layerName") or _first_table(layer, Path(path)))
    uri = QgsDataSourceUri(layer.source())
    return _server_place(layer.source()) if uri.table() else None


def _server_place(uri: str) -> OutputPlace:
    described = QgsDataSourceUri(uri)
    if described.database() and os.path.exists(described.database()):
        return OutputPlace(Path(described.database()), described.table())
    where = (described.service() or described.host(), described.port(), described.database(), described.schema())
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


def needs_own_sink(destination: str, place: OutputPlace | None) -> bool:
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


def opened_again(places: Iterable[OutputPlace | None], plain: frozenset[Path]) -> list[QgsVectorLayer]:
    """The files that get another table and are ``plain`` open, to be kept open until they have it.

    Of a file that is a layer by its plain path QGIS 3.22 knows only the tables it had then, and cannot read one that
    it makes; once the file is open a second time it can. A file that nobody has open must stay so: opened here, its
    new tables could not be read either.
    """
    files = dict.fromkeys(place.file for place in places if place is not None and place.file and place.table)
    return [QgsVectorLayer(str(file), file.stem, "ogr") for file in files if file.resolve() in plain]


def table_sink(
    place: OutputPlace, fields: QgsFields, wkb_type: object, crs: QgsCoordinateReferenceSystem
) -> tuple[QgsFeatureSink, str]:
    """A new table of a file, which replaces one of that name, and the source that opens it."""
    options = {"driverName": _driver(place.file.suffix[1:] if place.file else ""), "update": True}
    if place.table:
        options["layerName"] = place.table
    sink = QgsVectorLayerExporter(str(place.file), "ogr", fields, wkb_type, crs, True, options)
    if sink.errorCode() != 0:
        raise InputError(f"No table can be written into {place.file} ({sink.errorMessage()}); choose another file.")
    return sink, f"{place.file}|layername={place.table}" if place.table else str(place.file)


def _driver(ending: str) -> str:
    return str(QgsVectorFileWriter.driverForExtension(ending)) if ending else ""


#: Larger files are not copied first; their outputs are then written in one go, without a look at Cancel.
MOST_BYTES = 256 * 2**20
_DATABASES = (".gpkg", ".sqlite", ".db")
_SIDECARS = (
    *(".shx", ".dbf", ".prj", ".cpg", ".qpj", ".qix", ".sbn", ".sbx", ".shp.xml", ".idm", ".ind"),
    *(".dat", ".map", ".id", ".mid", ".mif", ".csvt", ".xsd", ".gfs", ".qmd"),
    *(".gpkg-wal", ".gpkg-shm", ".gpkg-journal"),
)


class FileGuard(ExitStack):
    """Use as ``with FileGuard(places) as guard:``; when the block is left by an exception every place is as before.

    Of a GeoPackage that was there already only the tables that the run writes are brought back: what others saved in
    the file meanwhile stays. The copies lie beside the files, so that a run that is killed loses nothing:
    :func:`left_behind` finds them.

    Attributes:
        holds: whether every place can be brought back; when not, do not stop half-way.
    """

    def __init__(self, places: Iterable[OutputPlace], look: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self._files: dict[Path, set[str]] = {}
        for place in places:
            if place.file is not None:
                self._files.setdefault(Path(os.path.abspath(place.file)), set()).add(place.table)
        self._look = look
        self._saved: dict[Path, Path] = {}
        self._tables: dict[Path, Path | None] = {}
        self.holds = True

    def __enter__(self) -> FileGuard:
        try:
            for path, tables in self._files.items():
                self._save(path, tables)
        except BaseException:
            self.close()
            raise
        self.push(self._restore)
        return self

    def _save(self, path: Path, tables: set[str]) -> None:
        if path.is_dir():
            raise InputError(f"{path} is a folder; give the output the name of a file.")
        if not path.exists():
            return
        database = is_sqlite(path)
        if database:
            wait_for_lock(path, self._look)
        if database and "" not in tables:
            there = table_names(path)
            if "gpkg_contents" in there:
                self._tables[path] = None
                if there.isdisjoint(table.lower() for table in tables):
                    return
        if path.stat().st_size > MOST_BYTES:
            self.holds = False
            return
        folder = Path(self.enter_context(_folder_beside(path)))
        for file in _files_of(path):
            copy = folder / file.name
            self._copy(file, copy)
            if path in self._tables:
                self._tables[path] = copy
            else:
                self._saved[file] = copy

    def _restore(self, kind: object, *_: object) -> None:
        if kind is None or not self.holds:
            return
        for path in self._files:
            if path in self._tables:
                put_back_tables(path, self._files[path], self._tables[path])
                continue
            for file in _files_of(path):
                if file not in self._saved:
                    file.unlink(missing_ok=True)
        self._look = lambda: None
        for file, copy in self._saved.items():
            self._copy(copy, file)

    def _copy(self, source: Path, to: Path) -> None:
        """Copy a file; a database through its own means, so that others may have it open."""
        if is_sqlite(source):
            if to.exists() and not is_sqlite(to):
                to.unlink()
            copy_database(source, to, self._look)
        else:
            shutil.copy2(source, to)


def left_behind(file: Path) -> list[Path]:
    """Folders with what stood in a file before runs that were killed while they wrote it."""
    return sorted(file.parent.glob(f"{glob.escape(_copy_prefix(file))}*"))


def _copy_prefix(path: Path) -> str:
    return f".{path.name}.before_"


def _folder_beside(path: Path) -> tempfile.TemporaryDirectory[str]:
    try:
        return tempfile.TemporaryDirectory(prefix=_copy_prefix(path), dir=path.parent)
    except OSError:  # the file may be written but not its folder
        return tempfile.TemporaryDirectory(prefix=_copy_prefix(path))


def _files_of(path: Path) -> list[Path]:
    """The file and those that belong to it, as far as they exist; a database's own journals are left to it."""
    found = [path] if path.exists() else []
    if path.suffix.lower() in _DATABASES and found:
        return found
    others = [path.with_suffix(ending) for ending in _SIDECARS]
    return found + [other for other in others if other != path and other.exists()]
