"""Destinations of outputs: checks before a run, and writing of tables and files.

No output overwrites an input or another output. All outputs of a run are written, or none.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Union

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

from randcrowns.algorithms.algorithm_catalogue import RASTER_ENDINGS
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.parameter_types import RunParameters, raise_if_problem
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note
from randcrowns.core.progress import Progress, iterate_with_progress, subprogress
from randcrowns.layers.databases import is_sqlite, write_failure
from randcrowns.layers.files.coordinate_notes import record_shown_coordinates
from randcrowns.layers.files.destinations import (
    Destination,
    create_table_sink,
    file_destination,
    locations_read,
    table_destination,
)
from randcrowns.layers.files.export import FileWriter, count_written_rows
from randcrowns.layers.files.export_folder import LIST_NAME, ExportFolder
from randcrowns.layers.files.geopackage import RESERVED_TABLE_NAMES, store_row_count
from randcrowns.layers.files.recovery import find_interrupted_runs, recover
from randcrowns.layers.files.server_staging import server_error
from randcrowns.layers.files.staging import StagedFiles
from randcrowns.layers.installation import libraries_message
from randcrowns.layers.libraries import EXPLORER, PLOTS, REPORTS
from randcrowns.layers.local_files import file_of_source, quiet_gdal
from randcrowns.layers.localization import tr
from randcrowns.layers.raster.write import RasterOutput, write_raster
from randcrowns.layers.servers import ServerTable
from randcrowns.layers.spreadsheets import escape_table
from randcrowns.layers.vector.field_types import MEMORY, SERVER, fit_field_types
from randcrowns.layers.vector.names import MAX_SHAPEFILE_NAME_LENGTH, to_ascii_name, truncate_names
from randcrowns.layers.vector.tables import FeatureTable

#: Formats that cannot store a table without geometry.
_GEOMETRY_ONLY = (".shp", ".dbf", ".shx", ".fgb", ".mbtiles", ".pdf")
#: Formats that QGIS offers but cannot write with the fields of the outputs, or only under another
#: file name.
_UNSUPPORTED = (".txt", ".gxt", ".dgn", ".dxf", ".gpx", ".sql", ".xtf", ".itf", ".ili", ".000")
#: Formats in which QGIS writes a table without geometry, as a whole file, so that it cannot be
#: opened again.
_UNREADABLE_TABLES = (".sqlite", ".db")

#: Allowed endings of outputs that are files without features, in lower case, by kind of output.
_ENDINGS = {
    "raster": RASTER_ENDINGS,
    "picture": (".png", ".svg"),
    "html": (".html", ".htm"),
    "explorer": (".html", ".htm"),
    "pdf": (".pdf",),
}
#: Messages for other endings, with the values ``name`` and ``file``, by kind of output.
_WRONG_ENDING_MESSAGES = {
    "raster": "'{name}' can only be written as a GeoTIFF; give it a name that ends in .tif.",
    "picture": "'{name}' must end in .png or .svg, but it is {file}.",
    "html": "'{name}' must end in .html, but it is {file}.",
    "explorer": "'{name}' must end in .html, but it is {file}.",
    "pdf": "'{name}' must end in .pdf, but it is {file}.",
}
#: Libraries that outputs require, by kind of output.
_LIBRARIES = {"picture": PLOTS, "html": REPORTS, "explorer": EXPLORER, "pdf": REPORTS}
#: Number of characters up to which an ending, with its dot, may be a part of the file's name.
#: Longer endings of letters only are those of a format.
_MAX_NAME_ENDING = 3
#: Maximum length of field names in formats without a limit.
_NO_LIMIT = 1000
#: Names that do not mean a field in a KML file: the values of such a field would be lost.
_KML_NAMES = (
    "timestamp",
    "begin",
    "end",
    "altitudemode",
    "tessellate",
    "extrude",
    "visibility",
    "draworder",
    "icon",
    "heading",
    "tilt",
    "roll",
    "snippet",
    "fid",
)
#: Field with the row number in a GeoPackage.
_KEY = "fid"


class _FieldNameRules(NamedTuple):
    """Rules of a format for the names of fields."""

    max_length: int = _NO_LIMIT  #: maximum number of characters.
    reserved: Sequence[str] = ()  #: names that no field may have.
    is_ascii_only: bool = False  #: True if only letters of ASCII, digits and ``_`` are allowed.


#: Rules by ending of the file; formats without an entry accept all names.
_FIELD_NAME_RULES = {
    ".shp": _FieldNameRules(MAX_SHAPEFILE_NAME_LENGTH),
    ".gpkg": _FieldNameRules(reserved=("geom", _KEY)),
    ".kml": _FieldNameRules(reserved=_KML_NAMES, is_ascii_only=True),
    ".gml": _FieldNameRules(reserved=("gml_id", "fid"), is_ascii_only=True),
    ".tab": _FieldNameRules(31, is_ascii_only=True),
    ".sqlite": _FieldNameRules(reserved=("geometry", "ogc_fid")),
    ".csv": _FieldNameRules(),
}
#: Messages about renamed fields by ending of the file, with the values ``file`` and ``changed``.
_RENAMED_MESSAGES = {
    ".shp": "Field names in a shapefile have at most 10 characters; in {file}, {changed}.",
    ".gpkg": "Fields were renamed because a GeoPackage reserves their names or ignores their "
    "case; in {file}, {changed}.",
}
#: Message about renamed fields in other formats.
_RENAMED_MESSAGE = "Fields were renamed because of the file's format; in {file}, {changed}."
_RECOVERED = (
    "An earlier run was interrupted while it wrote {files}. Its incomplete files were removed, and "
    "nothing of that run was written."
)
_NOT_RECOVERED = (
    "An earlier run was interrupted while it wrote {files}. The earlier files could not be "
    "restored; they are in the folder {folder}."
)

#: File of a folder: its content, or a function that writes it.
FolderFileContent = Union[bytes, FileWriter]
#: Output that is a file: a raster, the content of a picture, or the files of a folder by name.
FileContent = Union[RasterOutput, bytes, Mapping[str, FolderFileContent]]


def output_destination(run_parameters: RunParameters, output: Output) -> str:
    """Return the destination of an output as text: a file, ``memory:`` or a database table."""
    value = run_parameters.raw_values.get(output.id)
    if isinstance(value, QgsProcessingOutputLayerDefinition):
        value = value.sink
    if isinstance(value, QgsProperty):
        value = run_parameters.property_text(value)
    return "" if value is None else str(value)


def _read_destination(run_parameters: RunParameters, output: Output) -> Destination | None:
    """Return the file or table that an output is written to; None for memory or a temporary file.

    An output that is not requested has none.
    """
    if output not in run_parameters:
        return None
    destination = output_destination(run_parameters, output)
    return table_destination(destination) if output.has_features else file_destination(destination)


def _overwritten_input_error(output: Output, layer_name: str) -> InputError:
    """Return the error for an output whose destination is a layer that the run reads."""
    return InputError(
        "output.overwrites_input",
        "'{output}' would overwrite layer '{layer}', which is read in this run; choose "
        "another file.",
        output=output.label,
        layer=layer_name,
    )


def check_destinations(
    run_parameters: RunParameters, inputs: Iterable[QgsMapLayer], kind: str
) -> None:
    """Raise an InputError if an output would overwrite an input or another output.

    The error is also raised if the file of an output cannot store it.

    Args:
        run_parameters: parameters of the run.
        inputs: layers that the run reads.
        kind: key of the export, for outputs that are folders.
    """
    destinations: dict[Output, Destination] = {}
    for output in run_parameters.algorithm.outputs:
        destination = _read_destination(run_parameters, output)
        if destination is not None:
            destinations[output] = destination.resolved()
    has_server_output = any(destination.file is None for destination in destinations.values())
    sources: list[tuple[Destination, str]] = []  # locations with the name of their layer
    for layer in inputs:
        locations = locations_read(layer, has_server_output)
        sources += [(location, layer.name()) for location in locations]

    checked_destinations: dict[Output, Destination] = {}
    for output, destination in destinations.items():
        _check_server(output, destination)
        export_folder = None
        if destination.file is not None and output.has_features:
            entered_text = output_destination(run_parameters, output)
            _check_format(output, entered_text, destination, destination.file)
        if destination.file is not None and output.kind == "folder":
            _check_no_file_in_path(destination.file)
            export_folder = ExportFolder(destination.file, kind)

        for source, layer_name in sources:
            if _overwrites(destination, export_folder, source):
                raise _overwritten_input_error(output, layer_name)
        _check_no_shared_file(output, destination, checked_destinations)
        checked_destinations[output] = destination


def _check_no_shared_file(
    output: Output, destination: Destination, other_destinations: Mapping[Output, Destination]
) -> None:
    """Raise an InputError if an output would be written to the file or table of another one.

    Args:
        output: the output.
        destination: file or table of the output.
        other_destinations: files or tables of other outputs.
    """
    for other, other_destination in other_destinations.items():
        if destination.overlaps(other_destination):
            raise InputError(
                "output.same_file",
                "'{first}' and '{other}' cannot both be written to {file}.",
                first=other.label,
                other=output.label,
                file=destination.file or destination.table,
            )


def _overwrites(destination: Destination, folder: ExportFolder | None, source: Destination) -> bool:
    """Return True if writing an output changes a source.

    Args:
        destination: file or table of the output.
        folder: the same as a folder, if the output is one.
        source: file or table of an input.
    """
    if destination.overlaps(source):
        return True
    return folder is not None and source.file is not None and folder.may_replace(source.file)


def _check_server(output: Output, destination: Destination) -> None:
    """Raise an InputError if tables cannot be written to a server completely or not at all."""
    table = destination.server_table
    if table is not None and not table.can_be_replaced():
        raise InputError(
            "output.no_server_tables",
            "'{output}' cannot be written to this kind of server ({provider}). Write it to a "
            "GeoPackage, and import that into the database.",
            output=output.label,
            provider=table.provider,
        )


def _check_no_file_in_path(folder: Path) -> None:
    """Raise an InputError if a folder, or one that it lies in, is an existing file."""
    for path in (folder, *folder.parents):
        if path.is_file():
            raise InputError(
                "output.folder_is_file",
                "{file} is a file; choose a folder for the output.",
                file=path,
            )


def _check_format(output: Output, entered_text: str, destination: Destination, file: Path) -> None:
    """Raise an InputError if a file cannot store the rows of an output.

    Args:
        output: output with features.
        entered_text: destination as the user entered it.
        destination: file and table of the output.
        file: the file, to whose name QGIS may have added the ending ``.gpkg``.
    """
    _check_file_name(output, entered_text, destination, file)
    ending = file.suffix.lower()
    if output.has_geometry:
        if ending in _UNSUPPORTED:
            raise InputError(
                "output.wrong_vector_ending",
                "'{output}' cannot be stored in a {ending} file; choose .gpkg, .shp or .geojson.",
                output=output.label,
                ending=file.suffix,
            )
        return
    is_unreadable = not destination.table and ending in _UNREADABLE_TABLES
    if is_unreadable or ending in _GEOMETRY_ONLY or ending in _UNSUPPORTED:
        raise InputError(
            "output.no_table_format",
            "'{output}' is a table without geometry, which QGIS cannot store in a {ending} file; "
            "choose .gpkg, .csv or .xlsx.",
            output=output.label,
            ending=file.suffix,
        )


def _check_file_name(
    output: Output, entered_text: str, destination: Destination, file: Path
) -> None:
    """Raise an InputError for a folder, a reserved table name or an unknown file ending.

    Args:
        output: output with features.
        entered_text: destination as the user entered it.
        destination: file and table of the output.
        file: the file, to whose name QGIS may have added the ending ``.gpkg``.
    """
    entered = file_of_source(entered_text)
    entered_ending = entered.suffix.lower()
    if not destination.table and entered.is_dir():
        raise InputError(
            "output.is_folder",
            "{path} is a folder; give '{name}' the name of a file in it, such as {example}.",
            path=entered,
            name=output.label,
            example=f"{output.id.lower()}.gpkg",
        )
    if RESERVED_TABLE_NAMES.match(destination.table):
        raise InputError(
            "output.reserved_table",
            "'{output}' cannot be written to table {table}: this table name is reserved in "
            "GeoPackage. Choose another name.",
            output=output.label,
            table=destination.table,
        )

    # QGIS keeps the ending of a format that it knows, and adds .gpkg to any other name.
    is_changed = entered_ending != file.suffix.lower()
    is_format_ending = entered_ending[1:].isalpha() and len(entered_ending) > _MAX_NAME_ENDING
    if not destination.table and is_changed and is_format_ending:
        raise InputError(
            "output.unknown_format",
            "'{output}' cannot be written as {asked}: QGIS has no such format here; choose .gpkg "
            "or another.",
            output=output.label,
            asked=entered_ending,
        )


def check_file_outputs(run_parameters: RunParameters) -> None:
    """Raise an InputError for file names, formats and folders that cannot be written.

    The error is also raised if a library that an output requires is missing.
    """
    for output in run_parameters.algorithm.outputs:
        if output not in run_parameters:
            continue
        if output.kind in _LIBRARIES:
            raise_if_problem("libraries.unusable", libraries_message(_LIBRARIES[output.kind]))
        destination = _read_destination(run_parameters, output)
        if destination is None or destination.file is None:
            continue
        _check_name(output, destination.file)
        if output.kind in _ENDINGS:
            _check_file(output, destination.file)


def _check_file(output: Output, file: Path) -> None:
    """Raise an InputError if a file is a folder, or has a wrong ending or no existing folder."""
    if file.is_dir():
        raise InputError(
            "output.is_folder",
            "{path} is a folder; give '{name}' the name of a file.",
            path=file,
            name=output.label,
        )
    if file.suffix.lower() not in _ENDINGS[output.kind]:
        message = _WRONG_ENDING_MESSAGES[output.kind]
        raise InputError("output.wrong_ending", message, name=output.label, file=file.name)
    if not file.parent.is_dir():
        raise InputError(
            "output.no_folder",
            "The folder {folder} of '{name}' does not exist. Create it or choose another folder.",
            folder=file.parent,
            name=output.label,
        )


def _check_name(output: Output, file: Path) -> None:
    """Raise an InputError if a file name is too long, or if a link leads to itself.

    SQLite adds an ending for its journal, so the name with this ending is checked too.
    """
    try:
        for path in (Path(f"{file}-journal"), file):
            with suppress(FileNotFoundError, ValueError):
                path.stat()
    except OSError as error:
        if error.errno in (errno.ENAMETOOLONG, errno.ELOOP):
            raise _write_error(output, error, file) from error


def recover_interrupted_runs(
    outputs: Iterable[Output], run_parameters: RunParameters
) -> list[Message]:
    """Recover files and folders of the outputs that interrupted runs have left incomplete.

    Args:
        outputs: outputs of this run.
        run_parameters: parameters of the run.

    Returns:
        One message per interrupted run.
    """
    files: set[Path] = set()
    for output in outputs:
        destination = _read_destination(run_parameters, output)
        if destination is not None and destination.file is not None:
            files.add(Path(os.path.realpath(destination.file)))
    # Temporary folders are beside the files, or within the folders of an export.
    searched_folders = files | {file.parent for file in files}
    messages = []
    for interrupted_run in find_interrupted_runs(searched_folders):
        is_in_export = interrupted_run.folder.parent in files
        if not is_in_export and files.isdisjoint(interrupted_run.destinations):
            continue
        unrecovered_files = recover(interrupted_run)
        message = note(
            "output.broken_off",
            _NOT_RECOVERED if unrecovered_files else _RECOVERED,
            files=[str(destination) for destination in interrupted_run.destinations],
            folder=str(interrupted_run.folder),
        )
        messages.append(message)
    return messages


def fit_field_names(
    tables: Mapping[Output, FeatureTable], run_parameters: RunParameters
) -> list[Message]:
    """Change fields of tables whose types or names their destinations cannot store.

    Args:
        tables: tables by output, which are changed.
        run_parameters: parameters of the run.

    Returns:
        Messages about changed types and about renamed fields, for each table.
    """
    messages = []
    for output, table in tables.items():
        if output not in run_parameters:
            continue
        destination = table_destination(output_destination(run_parameters, output))
        if destination is None:
            messages += fit_field_types(table, MEMORY, output.label)
        elif destination.file is None:
            messages += fit_field_types(table, SERVER, output.label)
        else:
            messages += fit_table_fields(table, destination.file)
    return messages


def fit_table_fields(table: FeatureTable, file: Path) -> list[Message]:
    """Change fields of a table whose types or names the format of a file cannot store.

    Args:
        table: table, which is changed.
        file: file that the table is written to.

    Returns:
        Messages about changed types and about renamed fields.
    """
    messages = fit_field_types(table, file.suffix, file.name)
    if file.suffix.lower() == ".csv":
        messages += escape_table(table, file.name)
    return [*messages, *fit_table_field_names(table, file)]


def fit_table_field_names(table: FeatureTable, file: Path) -> list[Message]:
    """Rename fields of a table whose names the format of a file does not allow.

    Args:
        table: table, which is changed.
        file: file that the table is written to.

    Returns:
        A message with the new names; empty if no field was renamed.
    """
    ending = file.suffix.lower()
    rules = _FIELD_NAME_RULES.get(ending)
    if rules is None:
        return []
    reserved = list(rules.reserved)
    if _KEY in reserved and table.has_unique_integers(_KEY):
        reserved.remove(_KEY)
    names = [field.name() for field in table.fields]
    allowed_names = names
    if rules.is_ascii_only:
        allowed_names = [to_ascii_name(name) for name in names]
    new_names = truncate_names(allowed_names, rules.max_length, reserved)
    if new_names == names:
        return []
    table.rename_fields(new_names)
    changes = [
        f"{name}: {new_name}" for name, new_name in zip(names, new_names) if name != new_name
    ]
    text = _RENAMED_MESSAGES.get(ending, _RENAMED_MESSAGE)
    return [note("output.renamed", text, file=file.name, changed=changes)]


def write_tables(
    run_parameters: RunParameters,
    tables: Mapping[Output, FeatureTable],
    progress: Progress,
    staged: StagedFiles,
    store_provenance: Callable[[QgsVectorLayer, str], None],
) -> dict[str, str]:
    """Write the requested tables to temporary files, which ``staged`` moves later.

    Tables in memory are written at once.

    Args:
        run_parameters: parameters of the run.
        tables: tables by output.
        progress: called with the fraction of the rows that are written.
        staged: temporary files of the run.
        store_provenance: stores the provenance of a table in its file; called with a layer of the
            written table and the id of the output.

    Returns:
        Sources of the written layers by output id.
    """
    requested_tables = {
        output: table for output, table in tables.items() if output in run_parameters
    }
    # At least 1, because all tables may be empty.
    n_rows = max(sum(map(len, requested_tables.values())), 1)
    n_done = 0
    sources: dict[str, str] = {}
    for output, table in requested_tables.items():
        share = subprogress(progress, n_done / n_rows, (n_done + len(table)) / n_rows)
        sources[output.id] = _write_table(
            run_parameters, output, table, staged, store_provenance, share
        )
        n_done += len(table)
    return sources


def _write_table(
    run_parameters: RunParameters,
    output: Output,
    table: FeatureTable,
    staged: StagedFiles,
    store_provenance: Callable[[QgsVectorLayer, str], None],
    progress: Progress,
) -> str:
    """Write one table and return the source of its layer.

    Args:
        run_parameters: parameters of the run.
        output: output of the table.
        table: rows to write.
        staged: temporary files of the run; a table in a file is written to one of them.
        store_provenance: stores the provenance of a table in its file; called with a layer of the
            written table and the id of the output.
        progress: called with the fraction of the rows that are written.

    Raises:
        InputError: if the table cannot be written completely.
    """
    destination = table_destination(output_destination(run_parameters, output))
    if destination is None:
        sink, source = run_parameters.algorithm.parameterAsSink(
            run_parameters.raw_values,
            output.id,
            run_parameters.context,
            table.fields,
            table.wkb_type,
            table.crs,
        )
        _write_rows([sink], output, table, Path(output.label), progress)
        return str(source)
    if destination.server_table is not None:
        server_table = destination.server_table
        return _write_server_table(run_parameters, output, table, server_table, staged, progress)
    return _write_file_table(
        run_parameters, output, table, destination, staged, store_provenance, progress
    )


def _write_file_table(
    run_parameters: RunParameters,
    output: Output,
    table: FeatureTable,
    destination: Destination,
    staged: StagedFiles,
    store_provenance: Callable[[QgsVectorLayer, str], None],
    progress: Progress,
) -> str:
    """Write a table to a temporary file, and return the source that it will have in its file.

    For the arguments see :func:`_write_table`.

    Raises:
        InputError: if the table cannot be written completely.
    """
    file = destination.file or Path()
    try:
        staged_file = staged.stage_table(file) if destination.table else staged.stage_file(file)
        staged_destination = Destination(staged_file, destination.table)
        sink, staged_source = _open_sink(run_parameters, output, table, staged_destination)
    except (OSError, QgsProcessingException) as error:
        raise _write_error(output, error, file) from error
    sinks = [sink]
    del sink  # so that clearing the list deletes the sink
    _write_in_thread(
        sinks,
        output,
        table,
        name=file,
        count_rows=lambda: count_written_rows(staged_source),
        staged=staged,
        progress=progress,
    )
    try:
        _complete_file(staged_destination, table)
        options = QgsVectorLayer.LayerOptions(loadDefaultStyle=False)
        store_provenance(QgsVectorLayer(staged_source, "written", "ogr", options), output.id)
    except (sqlite3.Error, OSError) as error:
        raise _write_error(output, error, file, str(error)) from error
    source = staged_source.replace(str(staged_file), str(file))
    _load_on_completion(run_parameters, output, source)
    return source


def _complete_file(destination: Destination, table: FeatureTable) -> None:
    """Store in a written file what QGIS does not: the number of rows and shown coordinates.

    Args:
        destination: temporary file, and the table in it.
        table: rows that were written.

    Raises:
        OSError: if the file cannot be written.
        sqlite3.Error: if the database cannot be written.
    """
    file = destination.file or Path()
    if destination.table and is_sqlite(file):
        store_row_count(file, destination.table)
    if file.suffix.lower() == ".gpkg":
        record_shown_coordinates(file, destination.table or file.stem, table)


def _write_server_table(
    run_parameters: RunParameters,
    output: Output,
    table: FeatureTable,
    server_table: ServerTable,
    staged: StagedFiles,
    progress: Progress,
) -> str:
    """Write one table to a server, under a temporary name, and return the source of its layer.

    Args:
        run_parameters: parameters of the run.
        output: output of the table.
        table: rows to write.
        server_table: the table on the server.
        staged: temporary tables of the run.
        progress: called with the fraction of the rows that are written.

    Raises:
        InputError: if the table cannot be written completely.
    """
    name = Path(server_table.textual_table())
    temporary = staged.stage_server_table(server_table)
    try:
        sink, _ = _create_sink(run_parameters, output, table, temporary.destination_text)
    except QgsProcessingException as error:
        raise _write_error(output, error="", file=name, fallback=server_error(error)) from error
    sinks = [sink]
    del sink  # so that clearing the list deletes the sink
    n_written = _write_in_thread(
        sinks,
        output,
        table,
        name=name,
        count_rows=temporary.count,
        staged=staged,
        progress=progress,
    )
    staged.record_server_rows(temporary, n_written)
    _load_on_completion(run_parameters, output, server_table.destination_text)
    return server_table.destination_text


def _write_in_thread(
    sinks: list[QgsFeatureSink | None],
    output: Output,
    table: FeatureTable,
    name: Path,
    count_rows: Callable[[], int],
    staged: StagedFiles,
    progress: Progress,
) -> int:
    """Write the rows of a table to a sink in a thread, and return the number of written rows.

    Args:
        sinks: the only reference to the sink; the list is emptied.
        output: output of the table.
        table: rows to write.
        name: file or table, for errors.
        count_rows: counts the rows in the file or table when the sink is deleted.
        staged: temporary files and tables of the run.
        progress: called with the fraction of the rows that are written.

    Raises:
        InputError: if the table cannot be written completely.
    """

    def write(share: Progress) -> int:
        try:
            _write_rows(sinks, output, table, name, share)
        finally:
            # Deleting the sink closes the file, or sends the last rows to a server. GDAL then
            # creates the spatial index, which takes long, so it must happen in this thread. QGIS
            # requests an index for tables without geometry, too, which GDAL reports as an error.
            with quiet_gdal() if table.geometries is None else nullcontext():
                sinks.clear()
        return count_rows()

    n_written = staged.run_in_thread(write, progress)
    _check_written_rows(output, name, n_written, len(table))
    return n_written


def _check_written_rows(output: Output, file: Path, n_written: int, n_expected: int) -> None:
    """Raise an InputError if rows of a table are missing in its file.

    Args:
        output: output of the table.
        file: destination of the output.
        n_written: number of rows in the written file; -1 if it is unknown.
        n_expected: number of rows of the table.
    """
    is_unknown = n_written == -1
    if is_unknown or n_written == n_expected:
        return
    explanation = ""
    if n_written > 0:
        explanation = tr(
            "only {found} of {expected} rows reached the file. Its format may not support a "
            "value; choose another format.",
            found=n_written,
            expected=n_expected,
        )
    raise _write_error(output, error="", file=file, fallback=explanation)


def _load_on_completion(run_parameters: RunParameters, output: Output, source: str) -> None:
    """Register a written layer to be loaded into a project, if the user has requested that.

    QGIS does it itself for a sink at the final destination, but not for a temporary file.

    Args:
        run_parameters: parameters of the run.
        output: output of the layer.
        source: source that opens the layer at its final destination.
    """
    definition = run_parameters.raw_values[output.id]
    # A plain path has no project to load the layer into.
    project = getattr(definition, "destinationProject", None)
    if definition is None or project is None:
        return
    name = definition.destinationName or output.label
    details = QgsProcessingContext.LayerDetails(
        name, project, output.id, QgsProcessingUtils.LayerHint.Vector
    )
    run_parameters.context.addLayerToLoadOnCompletion(source, details)


def _open_sink(
    run_parameters: RunParameters,
    output: Output,
    table: FeatureTable,
    staged_destination: Destination,
) -> tuple[QgsFeatureSink | None, str]:
    """Create the temporary file or table of an output.

    Args:
        run_parameters: parameters of the run.
        output: output to write.
        table: its rows.
        staged_destination: temporary file, and table in it.

    Returns:
        The sink, None if it cannot be created; and the source that opens the layer.
    """
    if staged_destination.table:
        return create_table_sink(staged_destination, table.fields, table.wkb_type, table.crs)
    return _create_sink(run_parameters, output, table, str(staged_destination.file))


def _create_sink(
    run_parameters: RunParameters, output: Output, table: FeatureTable, destination_text: str
) -> tuple[QgsFeatureSink | None, str]:
    """Create a file or table as Processing does, but at another destination.

    Args:
        run_parameters: parameters of the run.
        output: output to write.
        table: its rows.
        destination_text: the destination as QGIS Processing writes it.

    Returns:
        The sink, None if it cannot be created; and the source that opens the layer.
    """
    requested_value = run_parameters.raw_values[output.id]
    staged_value: Any = destination_text
    if isinstance(requested_value, QgsProcessingOutputLayerDefinition):
        # The copy has the options of the user; the layer is loaded from its final destination.
        staged_value = QgsProcessingOutputLayerDefinition(requested_value)
        staged_value.sink = QgsProperty.fromValue(destination_text)
        staged_value.destinationProject = None
    parameters = {**run_parameters.raw_values, output.id: staged_value}
    sink, source = run_parameters.algorithm.parameterAsSink(
        parameters, output.id, run_parameters.context, table.fields, table.wkb_type, table.crs
    )
    return sink, str(source)


def _write_rows(
    sinks: list[QgsFeatureSink | None],
    output: Output,
    table: FeatureTable,
    file: Path,
    progress: Progress,
) -> None:
    """Write the rows of a table to a sink.

    Args:
        sinks: list with the sink, or with None if it could not be created. No local variable holds
            the sink: the traceback of an exception would keep it, and its file, open.
        output: output that is written.
        table: its rows.
        file: final destination, for messages.
        progress: called with the fraction written.

    Raises:
        InputError: if the rows cannot be written.
    """
    if sinks[0] is None:
        raise _write_error(output, error="", file=file)
    n_done = 0
    for block in table.iterate_blocks():
        if not sinks[0].addFeatures(block, QgsFeatureSink.Flag.FastInsert):
            driver_error = sinks[0].lastError()
            # The error of a database server helps the user. That of a file driver is SQL or empty.
            fallback = "" if file.is_absolute() else server_error(driver_error)
            raise _write_error(output, driver_error, file, fallback)
        n_done += len(block)
        progress(n_done / len(table))


def _write_error(output: Output, error: object, file: Path, fallback: str = "") -> InputError:
    """Return an error with a message that explains why an output cannot be written.

    Args:
        output: output that cannot be written.
        error: exception, or the text of a driver's error.
        file: destination of the output.
        fallback: explanation if neither the error nor the disk has one; "" for a general one.
    """
    examined_file = file
    explanation = tr("the format does not support its content; choose another, such as .gpkg.")
    if file.name.lower().endswith(".gpkg"):
        explanation = tr(
            "the file cannot be opened under this name; choose another name or folder."
        )
    elif output.kind == "folder":
        explanation = tr(
            "its files cannot be opened under this name, or their format does not support their "
            "content; choose another folder or format."
        )
        if not os.path.isdir(file):  # noqa: PTH112 - which raises nothing
            examined_file = file / LIST_NAME
    return InputError(
        "output.not_written",
        "The output '{name}' cannot be written to {where}: {why}",
        name=output.label,
        where=file,
        why=write_failure(error, examined_file) or fallback or explanation,
    )


def requested_pictures(run_parameters: RunParameters) -> dict[Output, Path]:
    """Return the requested pictures and their files."""
    pictures = {}
    for output in run_parameters.algorithm.outputs:
        if output.kind == "picture" and output in run_parameters:
            file = run_parameters.algorithm.parameterAsFileOutput(
                run_parameters.raw_values, output.id, run_parameters.context
            )
            pictures[output] = Path(file)
    return pictures


def write_files(
    run_parameters: RunParameters,
    contents: Mapping[Output, FileContent],
    staged: StagedFiles,
    progress: Progress,
    kind: str,
) -> dict[str, str]:
    """Write the requested files and folders to temporary files, which ``staged`` moves later.

    Args:
        run_parameters: parameters of the run.
        contents: rasters, pictures and folders by output.
        staged: temporary files of the run.
        progress: called with the fraction written.
        kind: key of the export, for outputs that are folders.

    Returns:
        Paths of the destinations by output id.
    """
    paths = {}
    algorithm = run_parameters.algorithm
    requested_outputs = [output for output in contents if output in run_parameters]
    for output, share in iterate_with_progress(requested_outputs, progress):
        content = contents[output]
        if isinstance(content, RasterOutput):
            read_path = algorithm.parameterAsOutputLayer
        else:
            read_path = algorithm.parameterAsFileOutput
        path = Path(read_path(run_parameters.raw_values, output.id, run_parameters.context))
        try:
            if isinstance(content, RasterOutput):
                write_raster(staged.stage_file(path), content, share)
            elif isinstance(content, bytes):
                staged.stage_file(path).write_bytes(content)
            else:
                _write_folder(path, content, staged, share, kind)
        # Before Python 3.13 a link that leads to itself raises a RuntimeError.
        except (OSError, RuntimeError) as error:
            raise _write_error(output, error, path) from error
        paths[output.id] = str(path)
    return paths


def folder_messages(
    contents: Mapping[Output, FileContent], run_parameters: RunParameters, kind: str
) -> list[Message]:
    """Return messages about existing files in the folders that an export writes to.

    Args:
        contents: rasters, pictures and folders by output.
        run_parameters: parameters of the run.
        kind: key of the export.

    Raises:
        InputError: if a file that no export has written would be overwritten.
    """
    messages = []
    for output, files in contents.items():
        if isinstance(files, Mapping) and output in run_parameters:
            folder = ExportFolder(Path(output_destination(run_parameters, output)), kind)
            messages += folder.messages(files)
    return messages


def _write_folder(
    folder: Path,
    files: Mapping[str, FolderFileContent],
    staged: StagedFiles,
    progress: Progress,
    kind: str,
) -> None:
    """Write the files of an export and remove those of the earlier export of the same kind.

    All files are written to temporary files. Folders that are empty at the end are removed.

    Args:
        folder: destination of the export; missing folders are created.
        files: content, or function that writes it, by file name relative to ``folder``.
        staged: temporary files of the run.
        progress: called with the fraction written.
        kind: key of the export.
    """
    export_folder = ExportFolder(folder, kind)
    outdated_names = export_folder.outdated_files(files)
    _prepare_folders(folder, files, outdated_names, staged)
    staged_files: dict[str, Path] = {}
    for name, share in iterate_with_progress(list(files), progress):
        staged_files[name] = staged.stage_file(folder / name)
        staged.run_in_thread(partial(_write_file, files[name], staged_files[name]), share)
    for name in outdated_names:
        staged.stage_removal(folder / name)
    # The list of files is read from the staged files, so it is written last.
    file_list = export_folder.updated_list(staged_files)
    staged.stage_file(folder / LIST_NAME).write_text(file_list, encoding="utf-8")


def _prepare_folders(
    folder: Path, names: Iterable[str], outdated_names: Iterable[str], staged: StagedFiles
) -> None:
    """Create the missing folders of an export, and have empty folders removed at the end.

    Args:
        folder: destination of the export.
        names: file names relative to ``folder`` that are written.
        outdated_names: file names relative to ``folder`` that are removed.
        staged: temporary files of the run, at whose end empty folders are removed.
    """
    changed_folders = set()
    for name in names:
        for parent in (folder / name).parents:
            if not parent.exists():
                changed_folders.add(parent)
    for name in outdated_names:
        parent = (folder / name).parent
        if parent != folder:
            changed_folders.add(parent)
    # Sorted, a folder precedes its subfolders. The callbacks run in the reverse order.
    for subfolder in sorted(changed_folders):
        staged.callback(_remove_if_empty, subfolder)
        subfolder.mkdir(exist_ok=True)


def _write_file(content: FolderFileContent, path: Path, progress: Progress) -> None:
    """Write a file of a folder.

    Args:
        content: bytes of the file, or a function that writes it.
        path: the file.
        progress: passed to the function.
    """
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        content(path, progress)


def _remove_if_empty(folder: Path) -> None:
    """Remove a folder if it is empty."""
    with suppress(OSError):
        folder.rmdir()
