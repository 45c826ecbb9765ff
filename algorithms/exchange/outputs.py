"""Outputs of the algorithms that import and export crowns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from qgis.core import QgsMapLayer, QgsVectorLayer

from randcrowns.algorithms.output import IMAGES_READ, UNIT, Column, Output, Value
from randcrowns.algorithms.outputs import fit_fields
from randcrowns.core.remarks import Remark, info, some
from randcrowns.layers.files.export import LayerFormat, NamedTable, lost_numbers
from randcrowns.layers.files.places import file_place
from randcrowns.layers.styles.styles import from_qml
from randcrowns.layers.words import tr

#: Fields of all imported layers.
_IMPORT_COLUMNS = (
    Column("label", tr("Label"), tr("Class of the crown, as written in the file."), "text"),
    Column("score", tr("Score"), tr("Score that the detector gave; empty for manual annotations.")),
    Column(
        "image",
        tr("Image"),
        tr("Image on which the crown lies, as written in the file."),
        "text",
    ),
    Column("source", tr("Source"), tr("Annotation file."), "text"),
    Column(
        "row",
        tr("Row"),
        tr("Line of a table, or number of the annotation in its file, from 1."),
        "integer",
    ),
)
CROWNS = Output(
    "CROWNS",
    tr("Imported crowns"),
    tr("All crowns of the files, in the coordinate system of the first image that has one."),
    "polygons",
    optional=False,
    columns=_IMPORT_COLUMNS,
    style=from_qml("delineation"),
    unfolded=True,
    reusable=True,
)
POINTS = Output(
    "POINTS",
    tr("Imported points"),
    tr("Points of the files, such as stems. The layer is only made if there are points."),
    "points",
    columns=_IMPORT_COLUMNS,
    reusable=True,
)
IGNORED = Output(
    "IGNORED",
    tr("Areas to ignore"),
    tr(
        "COCO's crowds (iscrowd), where predictions are neither right nor wrong. The layer is only "
        "made if there are such areas."
    ),
    "polygons",
    columns=_IMPORT_COLUMNS,
    style=from_qml("target"),
    reusable=True,
)
IMPORT_SUMMARY = Output(
    "SUMMARY",
    tr("Import summary"),
    tr("One row per file: its format, what was imported, and what was skipped and why."),
    summary=True,
    columns=(
        Column("file", tr("File"), tr("Path of the file below the chosen folder."), "text"),
        Column("format", tr("Format"), tr("Format as which the file was read."), "text"),
        Column("images", tr("Images"), tr("Number of images that the file names."), "integer"),
        Column(
            "empty_images", tr("Empty images"), tr("Number of images without crowns."), "integer"
        ),
        Column("read", tr("Read"), tr("Number of annotations in the file."), "integer"),
        Column("crowns", tr("Crowns"), tr("Number of annotations imported as crowns."), "integer"),
        Column("points", tr("Points"), tr("Number of annotations imported as points."), "integer"),
        Column(
            "ignored",
            tr("Areas to ignore"),
            tr("Number of annotations imported as areas to ignore."),
            "integer",
        ),
        Column(
            "skipped", tr("Skipped"), tr("Number of annotations that were not imported."), "integer"
        ),
        Column(
            "why", tr("Why"), tr("Reasons why annotations were skipped, with their rows."), "text"
        ),
    ),
)
#: Outputs of ``randcrowns:importcrowns``, from top to bottom in the layer tree.
IMPORT_OUTPUTS = (POINTS, CROWNS, IGNORED, IMPORT_SUMMARY)
#: Numbers and texts that ``randcrowns:importcrowns`` returns.
IMPORT_VALUES = (
    Value("READ", tr("Annotations read")),
    Value("IMPORTED", tr("Crowns imported")),
    Value("SKIPPED", tr("Annotations skipped")),
    IMAGES_READ,
    UNIT,
)

FOLDER = Output(
    "FOLDER",
    tr("Folder"),
    tr("Folder for the files. Files of an earlier export in this format are replaced."),
    "folder",
    optional=False,
)
#: Numbers that ``randcrowns:exportcrowns`` returns.
EXPORT_VALUES = (Value("EXPORTED", tr("Crowns exported")),)
#: Numbers that ``randcrowns:exportlayers`` returns.
LAYER_VALUES = (Value("EXPORTED", tr("Layers and tables exported")),)


def is_imported(layer: QgsMapLayer) -> bool:
    """Return True if a layer has all fields of imported annotations."""
    if not isinstance(layer, QgsVectorLayer):
        return False
    return {column.name for column in _IMPORT_COLUMNS} <= set(layer.fields().names())


def fit_tables(form: LayerFormat, tables: Sequence[NamedTable]) -> list[Remark]:
    """Rename the fields of tables so that a file format accepts their names.

    Args:
        form: file format.
        tables: tables to write, whose fields are changed.

    Returns:
        Messages about renamed fields, and about numbers that the format cannot store.
    """
    messages: list[Remark] = []
    for table in tables:
        messages += fit_fields(table.features, Path(table.name + form.ending))
    return [*messages, *lost_numbers(form, tables)]


def files_message(folder: str, files: Iterable[str]) -> Remark:
    """Return a message that lists the files of an export.

    Args:
        folder: destination of the files. A temporary folder, which has no name yet, is not named.
        files: paths of the files in the folder.
    """
    listed = some(sorted(files))
    if file_place(folder) is None:
        return info("export.files", "Written to a temporary folder: {files}.", files=listed)
    return info("export.files", "Written to {folder}: {files}.", folder=folder, files=listed)
