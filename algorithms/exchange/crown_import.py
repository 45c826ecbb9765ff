"""Algorithm ``randcrowns:importcrowns``: read crowns from annotation files.

The formats are those of :class:`~randcrowns.core.exchange.formats.FileFormat`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import QgsProcessingContext

from randcrowns.algorithms.algorithm_catalogue import IMPORT_CROWNS
from randcrowns.algorithms.crown_algorithm import CrownAlgorithm, RunResults
from randcrowns.algorithms.exchange.schema import outputs, parameters
from randcrowns.algorithms.exchange.schema.outputs import IMPORT_OUTPUTS, IMPORT_VALUES
from randcrowns.algorithms.exchange.schema.parameters import IMPORT_PARAMETERS
from randcrowns.algorithms.output_types import IMAGES_READ, UNIT, Output
from randcrowns.algorithms.parameter_types import RunParameters, RunSettings
from randcrowns.core.arrays import Bools
from randcrowns.core.class_names import check_spelling
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import check_total
from randcrowns.core.exchange.file_groups import mixed_score_messages
from randcrowns.core.exchange.files import SEPARATOR, distinct_file_names, format_messages
from randcrowns.core.exchange.formats import FileFormat
from randcrowns.core.exchange.further_fields import IMPORTED_COLUMNS, name_fields
from randcrowns.core.exchange.own_results import find_own_results, own_result_messages
from randcrowns.core.messages import Message, info, warning
from randcrowns.core.progress import Progress, run_in_thread
from randcrowns.layers.crs import crs_definition_text, crs_from_definition
from randcrowns.layers.files.annotations import (
    AnnotationFileContent,
    PlacedFile,
    find_annotation_files,
    place_annotation_files,
    read_annotation_files,
)
from randcrowns.layers.localization import message_texts, tr
from randcrowns.layers.raster.images import ImageFinder
from randcrowns.layers.vector.geometry import to_qgs_geometries
from randcrowns.layers.vector.tables import FeatureTable

#: Maximum number of images that are added to the map.
_MAX_IMAGES = 50
#: Outputs of the kinds of annotations; the keys are columns of the summary.
_OUTPUTS_BY_KIND = {
    "points": outputs.IMPORTED_POINTS,
    "crowns": outputs.IMPORTED_CROWNS,
    "ignored": outputs.IMPORTED_IGNORED_AREAS,
}


@dataclass(frozen=True)
class FilesInPixels:
    """Annotations of the files, in pixels of their images."""

    files: list[AnnotationFileContent]  #: annotations by file.
    messages: list[Message]  #: messages about formats.


@dataclass(frozen=True)
class FilesOnMap:
    """Annotations of the files in one coordinate system."""

    files: list[PlacedFile]  #: annotations by file.
    crs_definition: str  #: definition of the coordinate system; empty for pixels.
    messages: list[Message] = field(default_factory=list)  #: messages about images and systems.


class ImportCrowns(CrownAlgorithm):
    """Algorithm that reads crowns from annotation files of other programs."""

    entry = IMPORT_CROWNS
    help = (
        tr(
            "Annotation files store crowns in pixels of an image. The georeference of the image "
            "puts them on the map. If no image has a georeference, the crowns stay in pixels and "
            "lie on the image as QGIS shows it."
        ),
        parameters.INPUT_FILES,
        parameters.FORMAT,
        parameters.IMAGES_OF,
        parameters.IMAGE_FOLDER,
        parameters.CRS,
        parameters.FIRST_PIXEL,
        tr(
            "If a file is damaged, the run stops with its name and nothing is imported. Single "
            "annotations that cannot be used are skipped; the summary counts them with the "
            "reasons."
        ),
    )
    progress_shares = (0.5, 0.8)
    title_layers = (parameters.INPUT_FILES,)
    declared_parameters = IMPORT_PARAMETERS
    outputs = IMPORT_OUTPUTS
    value_outputs = IMPORT_VALUES

    def __init__(self) -> None:
        super().__init__()
        #: Name for the layer of crowns; empty for the name of the output.
        self._layer_name = ""

    def validate(self, run_parameters: RunParameters) -> None:
        """Raise an InputError unless the files and the folder of the images exist."""
        folder = run_parameters[parameters.IMAGE_FOLDER]
        if folder and not Path(folder).is_dir():
            raise InputError(
                "import.no_image_folder", "The image folder {folder} does not exist.", folder=folder
            )
        truth = run_parameters[parameters.IMAGES_OF]
        if truth and not Path(truth).is_file():
            raise InputError(
                "import.no_images_of", "The ground truth {file} does not exist.", file=truth
            )
        find_annotation_files(
            run_parameters[parameters.INPUT_FILES], _choose_kind(run_parameters[parameters.FORMAT])
        )

    def read_layers(self, settings: RunSettings, progress: Progress) -> FilesInPixels:
        """Return the annotations in pixels.

        Args:
            settings: settings of the run.
            progress: called with the fraction done.
        """
        return run_in_thread(lambda report: _read_annotations(settings, report), progress)

    def compute(
        self, settings: RunSettings, inputs: FilesInPixels, progress: Progress
    ) -> FilesOnMap:
        """Return the annotations in one coordinate system.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            progress: called with the fraction done.
        """
        folder = settings[parameters.IMAGE_FOLDER]
        files, crs, messages = place_annotation_files(
            inputs.files,
            ImageFinder(Path(folder) if folder else None),
            settings[parameters.CRS],
            settings.transform_context,
            progress,
        )
        return FilesOnMap(files, crs_definition_text(crs), messages)

    def build_results(
        self, settings: RunSettings, inputs: FilesInPixels, findings: FilesOnMap, progress: Progress
    ) -> RunResults:
        """Return the layers and the summary.

        The name of the layer of crowns is set too, for :meth:`style_when_loaded`.

        Args:
            settings: settings of the run.
            inputs: annotations in pixels; not used.
            findings: annotations in one coordinate system.
            progress: not called, because the features are created when they are written.
        """
        short_names = distinct_file_names([file.file.path for file in findings.files])
        summary = _summarise_files(findings.files, short_names)
        tables = {outputs.IMPORT_SUMMARY: outputs.IMPORT_SUMMARY.create_table(summary)}
        for kind, output in _OUTPUTS_BY_KIND.items():
            if output is outputs.IMPORTED_CROWNS or summary[kind].sum():
                tables[output] = _create_feature_table(output, findings, short_names, kind)

        # A pattern or a list of files is not a path; the layer then has the name of the output.
        input_path = Path(settings[parameters.INPUT_FILES])
        self._layer_name = input_path.stem if input_path.exists() else ""

        images = _list_images(findings.files)
        n_crowns = int(summary["crowns"].sum())
        n_skipped = int(summary["skipped"].sum())
        values = {
            "READ": int(summary["read"].sum()),
            "IMPORTED": n_crowns,
            "SKIPPED": n_skipped,
            UNIT.id: "m" if findings.crs_definition else "px",
            IMAGES_READ.id: "\n".join(images) if len(images) <= _MAX_IMAGES else "",
        }
        conclusion = info(
            "headline.import",
            "{count:,} crowns imported, {left:,} skipped.",
            one="1 crown imported, {left:,} skipped.",
            count=n_crowns,
            left=n_skipped,
        )
        messages = _import_messages(findings.files, short_names, summary, len(images))
        return RunResults(tables, values, messages=messages, headline=[conclusion])

    def style_when_loaded(
        self, output: str, details: QgsProcessingContext.LayerDetails, others: dict[str, Any]
    ) -> None:
        """Name the layer of crowns after its file, so that lists of layers are unambiguous.

        See the base class for the arguments.
        """
        if output == outputs.IMPORTED_CROWNS.id:
            details.name = self._layer_name or details.name
        super().style_when_loaded(output, details, others)


def _choose_kind(key: str) -> FileFormat | None:
    """Return the format of an option, or None to detect the format of each file."""
    return None if key == parameters.AUTOMATIC_FORMAT else FileFormat(key)


def _read_annotations(settings: RunSettings, progress: Progress) -> FilesInPixels:
    """Read the annotation files, and report how many have which format.

    Args:
        settings: settings of the run, with the files and their format.
        progress: receives the fraction done.

    Raises:
        InputError: if a file cannot be read, or if there are too many annotations.
    """
    kind = _choose_kind(settings[parameters.FORMAT])
    files = find_annotation_files(settings[parameters.INPUT_FILES], kind)
    truth = None
    if settings[parameters.IMAGES_OF]:
        truth = Path(settings[parameters.IMAGES_OF])
    image_folder = None
    if settings[parameters.IMAGE_FOLDER]:
        image_folder = Path(settings[parameters.IMAGE_FOLDER])
    contents = read_annotation_files(
        files,
        first_pixel=settings[parameters.FIRST_PIXEL],
        minimum_score=settings[parameters.SCORE_THRESHOLD],
        progress=progress,
        truth=truth,
        image_folder=image_folder,
    )
    check_total(sum(len(content.annotations) for content in contents))
    messages = list(format_messages(files))
    for path in settings[parameters.INPUT_FILES].split(SEPARATOR):
        messages += own_result_messages(find_own_results(path.strip()))
    messages += mixed_score_messages(
        [content.file.path for content in contents],
        [content.annotations for content in contents],
    )
    return FilesInPixels(contents, messages)


def _summarise_files(files: Sequence[PlacedFile], names: Sequence[str]) -> pd.DataFrame:
    """Return a row per file with the columns of the import summary.

    Args:
        files: annotations by file.
        names: names of the files in the summary, in the same order.
    """
    rows = []
    for file, name in zip(files, names):
        annotations = file.annotations
        file_format = file.file.format
        format_name = tr("not recognised")
        if file_format is not None:
            format_name = file_format.definition.name
        row = {
            "file": name,
            "format": format_name,
            "images": sum(bool(image.name) for image in annotations.images),
            "empty_images": len(annotations.empty_images),
            "read": annotations.n_read,
            "skipped": sum(len(skipped_rows) for skipped_rows in annotations.skipped_rows.values()),
            "reason": " ".join(message_texts(annotations.collect_messages(name))),
        }
        # A column per kind: points, ignored and crowns.
        for kind, is_of_kind in file.masks_by_kind.items():
            row[kind] = int(is_of_kind.sum())
        rows.append(row)
    return pd.DataFrame(rows, columns=outputs.IMPORT_SUMMARY.field_names)


def _list_images(files: Sequence[PlacedFile]) -> list[str]:
    """Return the paths of the images of all files, each once; several files may name an image."""
    paths: list[str] = []
    for file in files:
        paths += [str(path) for path in file.images]
    return list(dict.fromkeys(paths))


def _import_messages(
    files: Sequence[PlacedFile], names: Sequence[str], summary: pd.DataFrame, n_images: int
) -> list[Message]:
    """Return messages about skipped annotations, unusable files and too many images.

    Args:
        files: annotations by file.
        names: names of the files in messages.
        summary: import summary, one row per file.
        n_images: number of images with annotations.
    """
    messages: list[Message] = []
    labels: list[Any] = []
    for file, name in zip(files, names):
        messages += file.annotations.collect_messages(name)
        labels += pd.unique(file.annotations.label).tolist()
    messages += check_spelling(np.array(labels, dtype=object))
    n_imported = summary[list(_OUTPUTS_BY_KIND)].to_numpy().sum()
    if not n_imported:
        messages.append(
            warning("exchange.nothing", "The files contain no crowns that can be used.")
        )
    if n_images > _MAX_IMAGES:
        messages.append(
            info(
                "exchange.many_images",
                "The {count:,} images of the crowns are too many to be added to the map.",
                count=n_images,
            )
        )
    return messages


def _create_feature_table(
    output: Output, files_on_map: FilesOnMap, names: Sequence[str], kind: str
) -> FeatureTable:
    """Return the annotations of one kind from all files as features.

    Args:
        output: output of the features.
        files_on_map: annotations by file.
        names: names of the files, for the field ``source``.
        kind: ``crowns``, ``points`` or ``ignored``.
    """
    frames = []
    shapes = []
    for file, name in zip(files_on_map.files, names):
        is_of_kind = file.masks_by_kind[kind]
        frames.append(_tabulate_annotations(file, name, is_of_kind))
        shapes.append(file.shapes[is_of_kind])
    frame = pd.concat(frames, ignore_index=True)
    other_columns = frame.columns[len(IMPORTED_COLUMNS) :]
    for column in other_columns:
        frame[column] = _with_plain_type(frame[column])
    return output.create_table(
        frame,
        to_qgs_geometries(np.concatenate(shapes)),
        crs_from_definition(files_on_map.crs_definition),
    )


def _tabulate_annotations(file: PlacedFile, source: str, is_included: Bools) -> pd.DataFrame:
    """Return a row per annotation with the columns of the layer and the fields of the file.

    Args:
        file: annotations of the file.
        source: name of the file, for the field ``source``.
        is_included: (n,) mask of the annotations to return.
    """
    annotations = file.annotations
    labels = annotations.label[is_included]
    image_names = np.array(file.image_names, dtype=object)
    images = labels  # Without images there are no annotations, and both are empty.
    if len(image_names):
        images = image_names[annotations.image_index[is_included]]
    frame = pd.DataFrame(
        {
            "label": labels,
            "score": annotations.score[is_included],
            "image": images,
            "source": np.full(int(is_included.sum()), source, dtype=object),
            "row": annotations.source_row[is_included],
        }
    )
    fields = {name: values[is_included] for name, values in annotations.fields.items()}
    return frame.assign(**name_fields(frame, fields))


def _with_plain_type(column: pd.Series) -> pd.Series:
    """Return a column of objects as integers or numbers where all of its values are."""
    types = {type(value) for value in column[column.notna()]}
    if types and types <= {int, bool, np.int64}:
        return column.astype("Int64")
    if types and types <= {int, bool, float, np.int64}:
        return column.astype(float)
    return column
