"""Outputs of the algorithms that import and export crowns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from qgis.core import QgsMapLayer, QgsVectorLayer

from randcrowns.algorithms.destinations import fit_table_fields
from randcrowns.algorithms.output_types import IMAGES_READ, UNIT, Column, Output, ValueOutput
from randcrowns.core.messages import Message, abbreviate, info
from randcrowns.layers.files.destinations import file_destination
from randcrowns.layers.files.export import LayerFormat, NamedTable, infinite_number_messages
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.roles import style_imported_crowns
from randcrowns.layers.styles.styles import qml_style

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
IMPORTED_CROWNS = Output(
    "CROWNS",
    tr("Imported crowns"),
    tr("All crowns of the files, in the coordinate system of the first image that has one."),
    "polygons",
    optional=False,
    columns=_IMPORT_COLUMNS,
    style=lambda layer, _: style_imported_crowns(layer),
    is_expanded=True,
    is_reusable=True,
)
IMPORTED_POINTS = Output(
    "POINTS",
    tr("Imported points"),
    tr("Points of the files, such as stems. The layer is only made if there are points."),
    "points",
    columns=_IMPORT_COLUMNS,
    is_reusable=True,
)
IMPORTED_IGNORED_AREAS = Output(
    "IGNORED",
    tr("Areas to ignore"),
    tr(
        "COCO's crowds (iscrowd), where predictions are neither right nor wrong. The layer is only "
        "made if there are such areas."
    ),
    "polygons",
    columns=_IMPORT_COLUMNS,
    style=qml_style("target"),
    is_reusable=True,
)
IMPORT_SUMMARY = Output(
    "SUMMARY",
    tr("Import summary"),
    tr("One row per file: its format, what was imported, and what was skipped and why."),
    has_provenance_columns=True,
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
            "reason",
            tr("Why"),
            tr("Reasons why annotations were skipped, with their rows."),
            "text",
        ),
    ),
)
#: Outputs of ``randcrowns:importcrowns``, from top to bottom in the layer tree.
IMPORT_OUTPUTS = (IMPORTED_POINTS, IMPORTED_CROWNS, IMPORTED_IGNORED_AREAS, IMPORT_SUMMARY)
#: Numbers and texts that ``randcrowns:importcrowns`` returns.
IMPORT_VALUES = (
    ValueOutput("READ", tr("Annotations read")),
    ValueOutput("IMPORTED", tr("Crowns imported")),
    ValueOutput("SKIPPED", tr("Annotations skipped")),
    IMAGES_READ,
    UNIT,
)

EXPORT_FOLDER = Output(
    "FOLDER",
    tr("Folder"),
    tr("Folder for the files. Files of an earlier export in this format are replaced."),
    "folder",
    optional=False,
)
#: Numbers that ``randcrowns:exportcrowns`` returns.
EXPORT_VALUES = (ValueOutput("EXPORTED", tr("Crowns exported")),)
#: Numbers that ``randcrowns:exportlayers`` returns.
LAYER_VALUES = (ValueOutput("EXPORTED", tr("Layers and tables exported")),)


def is_imported(layer: QgsMapLayer) -> bool:
    """Return True if a layer has all fields of imported annotations."""
    if not isinstance(layer, QgsVectorLayer):
        return False
    return {column.name for column in _IMPORT_COLUMNS} <= set(layer.fields().names())


def fit_field_names(file_format: LayerFormat, tables: Sequence[NamedTable]) -> list[Message]:
    """Change the fields of tables so that a file format accepts their types and names.

    Args:
        file_format: file format.
        tables: tables to write, whose fields are changed.

    Returns:
        Messages about changed types, renamed fields, and numbers that the format cannot store.
    """
    messages: list[Message] = []
    for table in tables:
        messages += fit_table_fields(table.features, Path(table.name + file_format.suffix))
    return [*messages, *infinite_number_messages(file_format, tables)]


def files_message(folder: str, files: Iterable[str]) -> Message:
    """Return a message that lists the files of an export.

    Args:
        folder: destination of the files. A temporary folder, which has no name yet, is not named.
        files: paths of the files in the folder.
    """
    listed = abbreviate(sorted(files))
    if file_destination(folder) is None:
        return info("export.files", "Written to a temporary folder: {files}.", files=listed)
    return info("export.files", "Written to {folder}: {files}.", folder=folder, files=listed)
