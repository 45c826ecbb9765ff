"""What importing and exporting crowns gives."""

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

_FIELDS = (
    Column("label", tr("Label"), tr("Class of the crown, as the file has it."), "text"),
    Column("score", tr("Score"), tr("The detector's score; none in a ground truth.")),
    Column(
        "image", tr("Image"), tr("The image that the crown is on, as the file names it."), "text"
    ),
    Column("source", tr("Source"), tr("The file."), "text"),
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
    tr("Every crown of the files, in the coordinate system of the first image that has one."),
    "polygons",
    optional=False,
    columns=_FIELDS,
    style=from_qml("delineation"),
    unfolded=True,
    reusable=True,
)
POINTS = Output(
    "POINTS",
    tr("Imported points"),
    tr("Points of the files, as of stems; none is made where there are no points."),
    "points",
    columns=_FIELDS,
    reusable=True,
)
IGNORED = Output(
    "IGNORED",
    tr("Areas to ignore"),
    tr(
        "Crowds of COCO (iscrowd): predictions there are neither right nor wrong. None is made where there are none."
    ),
    "polygons",
    columns=_FIELDS,
    style=from_qml("target"),
    reusable=True,
)
IMPORT_SUMMARY = Output(
    "SUMMARY",
    tr("Import summary"),
    tr("A row per file: what it was taken for, what was read, and what was skipped and why."),
    summary=True,
    columns=(
        Column("file", tr("File"), tr("Below the folder that was chosen."), "text"),
        Column("format", tr("Format"), tr("What it was taken for."), "text"),
        Column("images", tr("Images"), tr("Images that it names."), "integer"),
        Column("empty_images", tr("Empty images"), tr("Images without crowns."), "integer"),
        Column("read", tr("Read"), tr("Annotations in the file."), "integer"),
        Column("crowns", tr("Crowns"), tr("Of these, imported as crowns."), "integer"),
        Column("points", tr("Points"), tr("Of these, imported as points."), "integer"),
        Column(
            "ignored",
            tr("Areas to ignore"),
            tr("Of these, imported as areas to ignore."),
            "integer",
        ),
        Column("skipped", tr("Skipped"), tr("Of these, not imported."), "integer"),
        Column("why", tr("Why"), tr("Why annotations were skipped, with their rows."), "text"),
    ),
)


def is_imported(layer: QgsMapLayer) -> bool:
    """Whether a layer came from files of annotations, as its fields tell."""
    return isinstance(layer, QgsVectorLayer) and {one.name for one in _FIELDS} <= set(
        layer.fields().names()
    )


#: Of randcrowns:importcrowns, from top to bottom in the layer tree.
IMPORT_OUTPUTS = (POINTS, CROWNS, IGNORED, IMPORT_SUMMARY)
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
    tr("The files are written into it, in place of those of an earlier export in this format."),
    "folder",
    optional=False,
)
EXPORT_VALUES = (Value("EXPORTED", tr("Crowns exported")),)
LAYER_VALUES = (Value("EXPORTED", tr("Layers and tables exported")),)


def fit_tables(form: LayerFormat, tables: Sequence[NamedTable]) -> list[Remark]:
    """Give the fields of tables names that fit a format; remarks on these, and on numbers that it does not hold."""
    told = [
        remark
        for one in tables
        for remark in fit_fields(one.features, Path(one.name + form.ending))
    ]
    return [*told, *lost_numbers(form, tables)]


def written_to(folder: str, files: Iterable[str]) -> Remark:
    """Which files an export wrote, and where; a temporary folder has no name yet."""
    if file_place(folder) is None:
        return info(
            "export.files", "Written to a temporary folder: {files}.", files=some(sorted(files))
        )
    return info(
        "export.files", "Written to {folder}: {files}.", folder=folder, files=some(sorted(files))
    )
