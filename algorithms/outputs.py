"""Where layers, rasters and pictures go: never over an input or another output, and whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Union

from qgis.core import (
    QgsFeatureSink,
    QgsMapLayer,
    QgsProcessingContext,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingUtils,
    QgsProperty,
    QgsVectorLayer,
)

from randcrowns.algorithms.choice import Given, refusal, refuse
from randcrowns.algorithms.output import Output
from randcrowns.core.progress import Progress, part_of, steps
from randcrowns.core.remarks import Remark, note
from randcrowns.layers.files.places import (
    FileGuard,
    OutputPlace,
    file_place,
    layer_place,
    left_behind,
    needs_own_sink,
    opened_again,
    table_place,
    table_sink,
)
from randcrowns.layers.raster.output import RasterTable, write_raster
from randcrowns.layers.vector.names import SHAPEFILE_NAME, fitted_names
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

#: Formats that hold no table without geometry.
_GEOMETRY_ONLY = (".shp", ".dbf", ".shx", ".fgb", ".mbtiles", ".pdf")
#: Formats that QGIS offers but cannot write with the fields of ours, or only under another name.
_UNFIT = (".txt", ".gxt", ".dgn", ".dxf", ".gpx", ".sql", ".xtf", ".itf", ".ili", ".000")
#: Formats in which QGIS writes such a table as a whole file so that it cannot be opened again.
_NOT_READ_AGAIN = (".sqlite", ".db")
#: Formats that hold every value of a raster as it is, and say where it lies.
RASTER_ENDINGS = (".tif", ".tiff")
#: What files without features may end in, and what is said of others.
_FILES = {
    "raster": (RASTER_ENDINGS, "'{name}' can only be written as a GeoTIFF; give it a name that ends in .tif."),
    "picture": ((".png", ".svg"), "'{name}' must end in .png or .svg, but it is {file}."),
}
# What belongs to a raster that is replaced, and would be wrong beside the new one.
_SIDE_FILES = (".aux.xml", ".ovr", ".msk")
#: Ending -> most characters of a field's name, names that are taken, and what is said where fields were renamed.
_FITTING = {
    ".shp": (SHAPEFILE_NAME, [], "Field names in a shapefile have at most 10 characters"),
    ".gpkg": (1000, ["geom"], "Fields that a GeoPackage cannot hold beside others were renamed"),
}
_LONGEST_REASON = 200
_CANNOT_WRITE = "The output '{name}' cannot be written to {where}; choose another place."

#: A raster, or a picture as the bytes of its file.
MadeFile = Union[RasterTable, bytes]


def destination_of(given: Given, output: Output) -> str:
    """Where an output goes, as text: a file, ``memory:``, a database table."""
    value = given.parameters.get(output.id)
    if isinstance(value, QgsProcessingOutputLayerDefinition):
        value = value.sink
    if isinstance(value, QgsProperty):
        value = value.valueAsString(given.context.expressionContext())[0]
    return "" if value is None else str(value)


def check_places(given: Given, inputs: Iterable[QgsMapLayer]) -> None:
    """Refuse an output that would replace an input or another output, or that its file cannot hold."""
    sources = [(layer_place(layer), layer.name()) for layer in inputs]
    taken: list[tuple[OutputPlace, str]] = []
    for output in given.algorithm.outputs:
        destination = destination_of(given, output) if output in given else ""
        place = table_place(destination) if output.holds_features else file_place(destination)
        if place is None:
            continue
        if output.holds_features and place.file is not None:
            _check_holds(output, destination, place, place.file)
        for source, name in sources:
            if source is not None and place.meets(source):
                said = "'{output}' would overwrite layer '{layer}', which is read in this run; choose another file."
                raise refusal(said, output=output.label, layer=name)
        for other, label in taken:
            if place.meets(other):
                said = "'{one}' and '{other}' cannot both be written to {file}."
                raise refusal(said, one=label, other=output.label, file=place.file or place.table)
        taken.append((place, output.label))


def _check_holds(output: Output, destination: str, place: OutputPlace, file: Path) -> None:
    """Refuse a folder, and a format that cannot hold the rows."""
    given, ending = Path(destination.partition("|")[0]), file.suffix.lower()
    if not place.table and given.is_dir():
        said = "{path} is a folder; give '{name}' the name of a file in it, such as {example}."
        raise refusal(said, path=given, name=output.label, example=f"{output.id.lower()}.gpkg")
    if output.has_geometry and ending in _UNFIT:
        said = "'{output}' cannot be kept in a {ending} file; choose .gpkg, .shp or .geojson."
        raise refusal(said, output=output.label, ending=file.suffix)
    if not output.has_geometry and ending in (*_GEOMETRY_ONLY, *_UNFIT, *(() if place.table else _NOT_READ_AGAIN)):
        said = (
            "'{output}' is a table without geometry, which QGIS cannot keep in a {ending} file; choose .gpkg, .csv "
            "or .xlsx."
        )
        raise refusal(said, output=output.label, ending=file.suffix)


def check_files(given: Given) -> None:
    """Refuse rasters and pictures that cannot be written as asked."""
    for output in given.algorithm.outputs:
        if output.kind not in _FILES or output not in given:
            continue
        if output.kind == "picture":
            from randcrowns.layers.styles.figures import why_no_figures

            refuse(why_no_figures())
        place = file_place(destination_of(given, output))
        if place is None or place.file is None:
            continue
        path, name, (endings, said) = place.file, output.label, _FILES[output.kind]
        if path.is_dir():
            raise refusal("{path} is a folder; give '{name}' the name of a file.", path=path, name=name)
        if path.suffix.lower() not in endings:
            raise refusal(said, name=name, file=path.name)
        if not path.parent.is_dir():
            said = "The folder {folder} for '{name}' is not there; make it or choose another."
            raise refusal(said, folder=path.parent, name=name)


def broken_off(tables: Mapping[Output, FeatureTable], given: Given) -> list[Remark]:
    """Where the rows are that stood in an output before a run that was killed."""
    places = [table_place(destination_of(given, output)) for output in tables]
    said = (
        "A run was broken off, or another is busy, while it wrote {file}; what stood there before is kept in the "
        "folder {folder}, which you may delete."
    )
    return [
        note("output.broken_off", said, file=str(place.file), folder=str(folder))
        for place in dict.fromkeys(places)
        if place is not None and place.file is not None
        for folder in left_behind(place.file)
    ]


def fit_names(tables: Mapping[Output, FeatureTable], given: Given) -> list[Remark]:
    """Give the fields of shapefiles and GeoPackages names that fit; remarks say which."""
    told = []
    for output, table in tables.items():
        place = table_place(destination_of(given, output))
        file = None if place is None else place.file
        ending = "" if file is None else file.suffix.lower()
        names = [field.name() for field in table.fields]
        longest, taken, said = _FITTING.get(ending, (0, [], ""))
        fitting = fitted_names(names, longest, taken) if longest else names
        if file is not None and fitting != names:
            table.rename(fitting)
            changed = [f"{name}: {other}" for name, other in zip(names, fitting) if name != other]
            told.append(note("output.renamed", f"{said}; in {{file}}, {{changed}}.", file=file.name, changed=changed))
    return told


def write_tables(
    given: Given,
    tables: Mapping[Output, FeatureTable],
    progress: Progress,
    finish: Callable[[], None],
    plain: frozenset[Path],
    keep: Callable[[str], None],
) -> dict[str, str]:
    """Write the tables that are wanted, all or none; returns where they are, by id of the output.

    ``finish`` is a last step; where it fails, nothing is written either. The files ``plain`` are open as layers by
    their plain path, and ``keep`` has a file keep, at the place of a table, how it was made.
    """
    wanted = {output: table for output, table in tables.items() if output in given}
    places = {output: table_place(destination_of(given, output)) for output in wanted}
    written: dict[str, str] = {}
    rows = sum(map(len, wanted.values())) or 1
    done = 0
    guarded = [place for place in places.values() if place is not None]
    with FileGuard(guarded, lambda: progress(0.0)) as guard:
        opened = opened_again(guarded, plain)
        for output, table in wanted.items():
            told = part_of(progress, done / rows, (done + len(table)) / rows) if guard.holds else None
            written[output.id] = _write_one(given, output, table, told)
            place = places[output]
            if place is not None and place.file is not None:
                _check_count(written[output.id], len(table), place.file)
                keep(written[output.id])
            done += len(table)
        if guard.holds:
            progress(1.0)
        finish()
        del opened
    return written


def _write_one(given: Given, output: Output, table: FeatureTable, progress: Progress | None) -> str:
    sink, destination = _sink(given, output, table)
    if sink is None:
        raise refusal(_CANNOT_WRITE, name=output.label, where=destination_of(given, output))
    done = 0
    try:
        for block in table.blocks():
            if not sink.addFeatures(block, QgsFeatureSink.Flag.FastInsert):
                why = sink.lastError()[:_LONGEST_REASON] or tr("no reason given; is the disk full?")
                raise refusal("Writing the output '{name}' failed: {why}", name=output.label, why=why)
            done += len(block)
            if progress is not None:
                progress(done / len(table))
    finally:
        del sink
    return destination


def _sink(given: Given, output: Output, table: FeatureTable) -> tuple[QgsFeatureSink | None, str]:
    destination, described = destination_of(given, output), (table.fields, table.wkb_type, table.crs)
    place = table_place(destination)
    if place is None or not needs_own_sink(destination, place):
        sink, written = given.algorithm.parameterAsSink(given.parameters, output.id, given.context, *described)
        return sink, str(written)
    sink, written = table_sink(place, *described)
    value = given.parameters[output.id]
    project = getattr(value, "destinationProject", None)
    if project is not None:
        called = value.destinationName or output.label
        details = QgsProcessingContext.LayerDetails(called, project, output.id, QgsProcessingUtils.LayerHint.Vector)
        given.context.addLayerToLoadOnCompletion(written, details)
    return sink, written


def _check_count(destination: str, expected: int, file: Path) -> None:
    found = found_rows(destination)
    if 0 <= found != expected:
        said = "Only {found} of {expected} rows reached {file}; is the disk full?"
        raise refusal(said, found=found, expected=expected, file=file)


def found_rows(destination: str) -> int:
    """Number of rows that stand in a file that was written, -1 when the file cannot tell."""
    layer = QgsVectorLayer(destination, "written", "ogr")
    return int(layer.featureCount()) if layer.isValid() else 0


def pictures_asked_for(given: Given) -> dict[Output, Path]:
    """The pictures that are wanted, and where."""
    outputs = [output for output in given.algorithm.outputs if output.kind == "picture" and output in given]
    return {output: _picture_place(given, output) for output in outputs}


def _picture_place(given: Given, output: Output) -> Path:
    return Path(given.algorithm.parameterAsFileOutput(given.parameters, output.id, given.context))


def make_files(given: Given, made: Mapping[Output, MadeFile], files: WholeFiles, progress: Progress) -> dict[str, str]:
    """Make the files that are wanted, beside their places until ``files`` moves them; id of the output -> place."""
    places = {}
    for output, share in steps([output for output in made if output in given], progress):
        file = made[output]
        if isinstance(file, RasterTable):
            place = Path(given.algorithm.parameterAsOutputLayer(given.parameters, output.id, given.context))
            write_raster(files.beside(place, output.label, _SIDE_FILES), file, share)
        else:
            place = _picture_place(given, output)
            beside = files.beside(place, output.label)
            try:
                beside.write_bytes(file)
            except OSError as error:
                why = error.strerror
                raise refusal("The picture cannot be written to {file}: {why}", file=place, why=why) from error
        places[output.id] = str(place)
    return places


class WholeFiles(ExitStack):
    """Use as ``with WholeFiles() as files:``; files are made in folders beside their places until :meth:`move`."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[tuple[Path, Path]] = []
        self._beside: list[Path] = []

    def beside(self, path: Path, described: str, side_files: tuple[str, ...] = ()) -> Path:
        """Where to make a file that is going to be at ``path``, or where a link there leads.

        ``described`` is what the user calls the output. Files with the endings ``side_files`` belong to a file that is
        replaced, and go with it.
        """
        try:
            place = path.resolve()
            if place.is_symlink():
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            folder = tempfile.TemporaryDirectory(prefix="randcrowns_", dir=place.parent)
        except (OSError, RuntimeError) as error:  # a link that leads to itself is the latter before Python 3.13
            raise refusal(_CANNOT_WRITE, name=described, where=path) from error
        made = Path(self.enter_context(folder)) / place.name
        self._waiting.append((made, place))
        self._beside += [place.with_name(place.name + ending) for ending in side_files]
        return made

    def move(self) -> None:
        """Put every file in its place; where one cannot be, all others are as before."""
        with ExitStack() as undo:
            for made, place in self._waiting:
                before = made.with_name(f"before_{made.name}")
                try:
                    if place.is_file():
                        os.replace(place, before)
                        undo.callback(os.replace, before, place)
                    os.replace(made, place)
                    undo.callback(os.replace, place, made)
                except OSError as error:
                    said = "The file {path} cannot be replaced; is it open in another program?"
                    raise refusal(said, path=place) from error
            undo.pop_all()
        for left in self._beside:
            left.unlink(missing_ok=True)
