"""Where layers, rasters and pictures go: never over an input or another output, and whole or not at all."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Union

from qgis.core import (
    QgsFeatureSink,
    QgsMapLayer,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingUtils,
    QgsProperty,
    QgsVectorLayer,
)

from randcrowns.algorithms.catalogue import RASTER_ENDINGS
from randcrowns.algorithms.choice import Given, refuse
from randcrowns.algorithms.output import Output
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, part_of, steps
from randcrowns.core.remarks import Remark, note
from randcrowns.layers.databases import cause_of, is_sqlite
from randcrowns.layers.files.export import FileWriter, rows_kept
from randcrowns.layers.files.folder import LIST, ExportFolder
from randcrowns.layers.files.geopackage import KEPT_TABLES, keep_count
from randcrowns.layers.files.leftovers import leftovers, put_right
from randcrowns.layers.files.places import (
    OutputPlace,
    file_place,
    layer_place,
    table_place,
    table_sink,
)
from randcrowns.layers.files.staged import Staged
from randcrowns.layers.installing import trouble
from randcrowns.layers.libraries import PLOTS, REPORTS
from randcrowns.layers.raster.output import RasterTable, write_raster
from randcrowns.layers.vector.names import SHAPEFILE_NAME, fitted_names, plain_name
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

#: Formats that hold no table without geometry.
_GEOMETRY_ONLY = (".shp", ".dbf", ".shx", ".fgb", ".mbtiles", ".pdf")
#: Formats that QGIS offers but cannot write with the fields of ours, or only under another name.
_UNFIT = (".txt", ".gxt", ".dgn", ".dxf", ".gpx", ".sql", ".xtf", ".itf", ".ili", ".000")
#: Formats in which QGIS writes such a table as a whole file so that it cannot be opened again.
_NOT_READ_AGAIN = (".sqlite", ".db")
#: What files without features may end in, and what is said of others.
_FILES = {
    "raster": (
        RASTER_ENDINGS,
        "'{name}' can only be written as a GeoTIFF; give it a name that ends in .tif.",
    ),
    "picture": ((".png", ".svg"), "'{name}' must end in .png or .svg, but it is {file}."),
    "html": ((".html", ".htm"), "'{name}' must end in .html, but it is {file}."),
    "pdf": ((".pdf",), "'{name}' must end in .pdf, but it is {file}."),
}
#: Kind of a file -> the libraries that make it.
_NEEDS = {"picture": PLOTS, "html": REPORTS, "pdf": REPORTS}
#: Longer endings, of letters only, are those of formats, not parts of names.
_SHORT = 3
_LONG = 1000
#: Names by which a KML file means something else than a field: their values would be lost.
_OF_KML = (
    *(
        "timestamp",
        "begin",
        "end",
        "altitudemode",
        "tessellate",
        "extrude",
        "visibility",
        "draworder",
        "icon",
    ),
    *("heading", "tilt", "roll", "snippet", "fid"),
)
#: The field by which a GeoPackage numbers its rows.
_KEY = "fid"
_RENAMED = "Fields whose names the format cannot hold were renamed; in {file}, {changed}."
#: Ending -> most characters of a field's name, names that are taken, whether names are of plain letters and digits, and
#: what is said where fields were renamed.
_FITTING: dict[str, tuple[int, Sequence[str], bool, str]] = {
    ".shp": (
        SHAPEFILE_NAME,
        (),
        False,
        "Field names in a shapefile have at most 10 characters; in {file}, {changed}.",
    ),
    ".gpkg": (
        _LONG,
        ("geom", _KEY),
        False,
        "Fields that a GeoPackage cannot hold beside others were renamed; in {file}, {changed}.",
    ),
    ".kml": (_LONG, _OF_KML, True, _RENAMED),
    ".gml": (_LONG, ("gml_id", "fid"), True, _RENAMED),
    ".tab": (31, (), True, _RENAMED),
    ".sqlite": (_LONG, ("geometry", "ogc_fid"), False, _RENAMED),
    ".csv": (_LONG, (), False, _RENAMED),
}
_BROKEN_OFF = "An earlier run was broken off while it wrote {files}; what it left was removed, and nothing of it is there."
_KEPT = (
    "An earlier run was broken off while it wrote {files}; what stood there before could not be put back, and is kept "
    "in the folder {folder}."
)

#: A file of a folder: its bytes, or what writes it.
FolderFile = Union[bytes, FileWriter]
#: A raster, a picture as the bytes of its file, or the files of a folder by their names.
MadeFile = Union[RasterTable, bytes, Mapping[str, FolderFile]]


def destination_of(given: Given, output: Output) -> str:
    """Where an output goes, as text: a file, ``memory:``, a database table."""
    value = given.parameters.get(output.id)
    if isinstance(value, QgsProcessingOutputLayerDefinition):
        value = value.sink
    if isinstance(value, QgsProperty):
        value = value.valueAsString(given.context.expressionContext())[0]
    return "" if value is None else str(value)


def check_places(given: Given, inputs: Iterable[QgsMapLayer], kind: str) -> None:
    """Refuse an output that would replace an input or another output, or that its file cannot hold.

    ``kind`` is that of an export into a folder.
    """
    sources = [(layer_place(layer), layer.name()) for layer in inputs]
    taken: list[tuple[OutputPlace, str]] = []
    for output in given.algorithm.outputs:
        destination = destination_of(given, output) if output in given else ""
        place = table_place(destination) if output.holds_features else file_place(destination)
        if place is None:
            continue
        if output.holds_features and place.file is not None:
            _check_holds(output, destination, place, place.file)
        if output.kind == "folder" and place.file is not None:
            file = next(filter(Path.is_file, (place.file, *place.file.parents)), None)
            refuse(
                ""
                if file is None
                else tr("{file} is a file; choose a folder for the output.", file=file)
            )
        in_folder = (
            ExportFolder(place.file, kind)
            if output.kind == "folder" and place.file is not None
            else None
        )
        for source, name in sources:
            if source is None:
                continue
            if place.meets(source) or (
                in_folder is not None and source.file and in_folder.replaces(source.file)
            ):
                said = "'{output}' would overwrite layer '{layer}', which is read in this run; choose another file."
                raise InputError(said, output=output.label, layer=name)
        for other, label in taken:
            if place.meets(other):
                said = "'{first}' and '{other}' cannot both be written to {file}."
                raise InputError(
                    said, first=label, other=output.label, file=place.file or place.table
                )
        taken.append((place, output.label))


def _check_holds(output: Output, destination: str, place: OutputPlace, file: Path) -> None:
    """Refuse a folder, a table that its file keeps for itself, and a format that cannot hold the rows."""
    given, ending = Path(destination.partition("|")[0]), file.suffix.lower()
    if not place.table and given.is_dir():
        said = "{path} is a folder; give '{name}' the name of a file in it, such as {example}."
        raise InputError(said, path=given, name=output.label, example=f"{output.id.lower()}.gpkg")
    if KEPT_TABLES.match(place.table):
        said = "'{output}' cannot go into table {table}: GeoPackages keep such names for themselves; name it otherwise."
        raise InputError(said, output=output.label, table=place.table)
    asked = given.suffix.lower()
    if not place.table and asked != ending and asked[1:].isalpha() and len(asked) > _SHORT:
        said = "'{output}' cannot be written as {asked}: QGIS has no such format here; choose .gpkg or another."
        raise InputError(said, output=output.label, asked=asked)
    if output.has_geometry and ending in _UNFIT:
        said = "'{output}' cannot be kept in a {ending} file; choose .gpkg, .shp or .geojson."
        raise InputError(said, output=output.label, ending=file.suffix)
    if not output.has_geometry and ending in (
        *_GEOMETRY_ONLY,
        *_UNFIT,
        *(() if place.table else _NOT_READ_AGAIN),
    ):
        said = (
            "'{output}' is a table without geometry, which QGIS cannot keep in a {ending} file; choose .gpkg, .csv "
            "or .xlsx."
        )
        raise InputError(said, output=output.label, ending=file.suffix)


def check_files(given: Given) -> None:
    """Refuse files that cannot be, and rasters and pictures that cannot be written as asked."""
    for output in filter(given.__contains__, given.algorithm.outputs):
        if output.kind in _NEEDS:
            refuse(trouble(_NEEDS[output.kind]))
        place = (table_place if output.holds_features else file_place)(
            destination_of(given, output)
        )
        if place is None or place.file is None:
            continue
        _check_name(output, place.file)
        if output.kind not in _FILES:
            continue
        path, name, (endings, said) = place.file, output.label, _FILES[output.kind]
        if path.is_dir():
            raise InputError(
                "{path} is a folder; give '{name}' the name of a file.", path=path, name=name
            )
        if path.suffix.lower() not in endings:
            raise InputError(said, name=name, file=path.name)
        if not path.parent.is_dir():
            said = "The folder {folder} for '{name}' is not there; make it or choose another."
            raise InputError(said, folder=path.parent, name=name)


def _check_name(output: Output, file: Path) -> None:
    """Refuse a name that is too long, also with what SQLite puts behind it, and a link that leads to itself."""
    try:
        for path in (Path(f"{file}-journal"), file):
            with suppress(FileNotFoundError, ValueError):
                path.stat()
    except OSError as error:
        if error.errno in (errno.ENAMETOOLONG, errno.ELOOP):
            raise _why_not(output, error, file) from error


def broken_off(made: Iterable[Output], given: Given) -> list[Remark]:
    """Put right what runs that were killed left beside the outputs, or in their folders; what became of it."""
    places = [
        (file_place if output.kind in (*_FILES, "folder") else table_place)(
            destination_of(given, output)
        )
        for output in made
        if output in given
    ]
    files = {
        Path(os.path.realpath(place.file))
        for place in places
        if place is not None and place.file is not None
    }
    told = []
    for left in leftovers({*(file.parent for file in files), *files}):
        if left.folder.parent in files or not files.isdisjoint(left.places):
            said = _KEPT if put_right(left) else _BROKEN_OFF
            told.append(
                note(
                    "output.broken_off",
                    said,
                    files=list(map(str, left.places)),
                    folder=str(left.folder),
                )
            )
    return told


def fit_names(tables: Mapping[Output, FeatureTable], given: Given) -> list[Remark]:
    """Give fields names that fit the formats of their files; remarks say which."""
    places = {output: table_place(destination_of(given, output)) for output in tables}
    files = {
        output: place.file
        for output, place in places.items()
        if place is not None and place.file is not None
    }
    return [told for output, file in files.items() for told in fit_fields(tables[output], file)]


def fit_fields(table: FeatureTable, file: Path) -> list[Remark]:
    """Give the fields of a table names that fit the format of a file; a remark says which."""
    names = [field.name() for field in table.fields]
    longest, taken, letters, said = _FITTING.get(file.suffix.lower(), (0, (), False, ""))
    if _KEY in taken and table.numbers_rows(_KEY):
        taken = [other for other in taken if other != _KEY]
    wanted = list(map(plain_name, names)) if letters else names
    fitting = fitted_names(wanted, longest, taken) if longest else names
    if fitting == names:
        return []
    table.rename(fitting)
    changed = [f"{name}: {other}" for name, other in zip(names, fitting) if name != other]
    return [note("output.renamed", said, file=file.name, changed=changed)]


def write_tables(
    given: Given,
    tables: Mapping[Output, FeatureTable],
    progress: Progress,
    staged: Staged,
    keep: Callable[[QgsVectorLayer, str], None],
) -> dict[str, str]:
    """Write the tables that are wanted, beside their places until ``staged`` moves them; id of the output -> place.

    ``keep`` has a file keep, at the place of a table, how it was made, and which output it is.
    """
    wanted = {output: table for output, table in tables.items() if output in given}
    written: dict[str, str] = {}
    rows = sum(map(len, wanted.values())) or 1
    done = 0
    for output, table in wanted.items():
        told = part_of(progress, done / rows, (done + len(table)) / rows)
        written[output.id] = _write_one(given, output, table, staged, keep, told)
        done += len(table)
    return written


def _write_one(
    given: Given,
    output: Output,
    table: FeatureTable,
    staged: Staged,
    keep: Callable[[QgsVectorLayer, str], None],
    progress: Progress,
) -> str:
    destination = destination_of(given, output)
    place = table_place(destination)
    if place is None or place.file is None:
        described = (table.fields, table.wkb_type, table.crs)
        sink, written = given.algorithm.parameterAsSink(
            given.parameters, output.id, given.context, *described
        )
        _fill([sink], output, table, Path(destination), progress)
        return str(written)
    try:
        made = staged.table(place.file) if place.table else staged.file(place.file)
        sink, written = _sink(given, output, table, OutputPlace(made, place.table))
    except (OSError, QgsProcessingException) as error:
        raise _why_not(output, error, place.file) from error
    held, file = [sink], place.file
    del sink

    def write(told: Progress) -> int:
        try:
            _fill(held, output, table, file, told)
        finally:
            held.clear()  # closes the file, where GDAL makes its spatial index, which takes long
        return rows_kept(written)

    found = staged.aside(write, progress)
    if found not in (-1, len(table)):
        said = "only {found} of {expected} rows reached it; its format may not take a value; choose another."
        some = tr(said, found=found, expected=len(table)) if found else ""
        raise _why_not(output, "", place.file, some)
    try:
        if place.table and is_sqlite(made):
            keep_count(made, place.table)
        bare = QgsVectorLayer.LayerOptions(loadDefaultStyle=False)
        keep(QgsVectorLayer(written, "written", "ogr", bare), output.id)
    except sqlite3.Error as error:
        raise _why_not(output, error, place.file, str(error)) from error
    written = written.replace(str(made), str(place.file))
    value = given.parameters[output.id]
    project = getattr(value, "destinationProject", None)
    if project is not None:
        called = value.destinationName or output.label
        details = QgsProcessingContext.LayerDetails(
            called, project, output.id, QgsProcessingUtils.LayerHint.Vector
        )
        given.context.addLayerToLoadOnCompletion(written, details)
    return written


def _sink(
    given: Given, output: Output, table: FeatureTable, made: OutputPlace
) -> tuple[QgsFeatureSink | None, str]:
    """What takes the rows to a file that is made, and the source that opens it there."""
    described = (table.fields, table.wkb_type, table.crs)
    if made.table:
        return table_sink(made, *described)
    value = given.parameters[output.id]
    if isinstance(value, QgsProcessingOutputLayerDefinition):
        value = QgsProcessingOutputLayerDefinition(value)
        value.sink, value.destinationProject = QgsProperty.fromValue(str(made.file)), None
    else:
        value = str(made.file)
    parameters = {**given.parameters, output.id: value}
    sink, written = given.algorithm.parameterAsSink(
        parameters, output.id, given.context, *described
    )
    return sink, str(written)


def _fill(
    held: list[QgsFeatureSink | None],
    output: Output,
    table: FeatureTable,
    place: Path,
    progress: Progress,
) -> None:
    """Write the rows to what is ``held`` there, and nowhere else: an error in flight holds the names of a function."""
    if held[0] is None:
        raise _why_not(output, "", place)
    done = 0
    for block in table.blocks():
        if not held[0].addFeatures(block, QgsFeatureSink.Flag.FastInsert):
            said = held[0].lastError()
            # What a server says is told; what a driver says of a file is SQL, or nothing.
            raise _why_not(output, said, place, "" if place.parent.is_dir() else said)
        done += len(block)
        progress(done / len(table))


def _why_not(output: Output, error: object, place: Path, otherwise: str = "") -> InputError:
    """What kept an output from being written, in a sentence; ``otherwise`` where neither error nor disk tell."""
    refused, file = (
        tr("its format does not take what is in it; choose another, such as .gpkg."),
        place,
    )
    if place.name.lower().endswith(".gpkg"):
        refused = tr("the file cannot be opened under this name; choose another name or folder.")
    elif output.kind == "folder":
        refused = tr(
            "its files cannot be opened under this name, or do not take what is in them; choose another."
        )
        file = place if os.path.isdir(place) else place / LIST  # noqa: PTH112 - which raises nothing
    why = cause_of(error, file) or otherwise or refused
    return InputError(
        "The output '{name}' cannot be written to {where}: {why}",
        name=output.label,
        where=place,
        why=why,
    )


def pictures_asked_for(given: Given) -> dict[Output, Path]:
    """The pictures that are wanted, and where."""
    outputs = [
        output for output in given.algorithm.outputs if output.kind == "picture" and output in given
    ]
    place = given.algorithm.parameterAsFileOutput
    return {output: Path(place(given.parameters, output.id, given.context)) for output in outputs}


def make_files(
    given: Given, made: Mapping[Output, MadeFile], staged: Staged, progress: Progress, kind: str
) -> dict[str, str]:
    """Make the files that are wanted, beside their places until ``staged`` moves them; id of the output -> place.

    ``kind`` is that of an export into a folder.
    """
    places = {}
    for output, share in steps([output for output in made if output in given], progress):
        file = made[output]
        raster = isinstance(file, RasterTable)
        read = (
            given.algorithm.parameterAsOutputLayer
            if raster
            else given.algorithm.parameterAsFileOutput
        )
        place = Path(read(given.parameters, output.id, given.context))
        try:
            if isinstance(file, RasterTable):
                write_raster(staged.file(place), file, share)
            elif isinstance(file, bytes):
                staged.file(place).write_bytes(file)
            else:
                _make_folder(place, file, staged, share, kind)
        except (
            OSError,
            RuntimeError,
        ) as error:  # a link that leads to itself is the latter before Python 3.13
            raise _why_not(output, error, place) from error
        places[output.id] = str(place)
    return places


def folders_told(made: Mapping[Output, MadeFile], given: Given, kind: str) -> list[Remark]:
    """What becomes of what is in the folders that an export of this kind writes into; refused where it is not ours."""
    folders = {
        output: files
        for output, files in made.items()
        if isinstance(files, Mapping) and output in given
    }
    places = {output: Path(destination_of(given, output)) for output in folders}
    return [
        told
        for output in folders
        for told in ExportFolder(places[output], kind).remarks(folders[output])
    ]


def _make_folder(
    folder: Path, made: Mapping[str, FolderFile], staged: Staged, progress: Progress, kind: str
) -> None:
    """Make the files of a folder in place of those of the export before; folders stay only where files do."""
    there, at = ExportFolder(folder, kind), dict[str, Path]()
    gone = there.stale(made)
    new = {parent for name in made for parent in (folder / name).parents if not parent.exists()}
    for parent in sorted(new | {(folder / name).parent for name in gone} - {folder}):
        staged.callback(_remove_if_empty, parent)
        parent.mkdir(exist_ok=True)
    for name, share in steps(list(made), progress):
        at[name] = staged.file(folder / name)
        staged.aside(partial(_make_file, made[name], at[name]), share)
    for name in gone:
        staged.remove(folder / name)
    staged.file(folder / LIST).write_text(there.list_of(at), encoding="utf-8")


def _make_file(made: FolderFile, path: Path, progress: Progress) -> None:
    if isinstance(made, bytes):
        path.write_bytes(made)
    else:
        made(path, progress)


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()
