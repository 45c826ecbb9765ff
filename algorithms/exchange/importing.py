"""Algorithm ``randcrowns:importcrowns``: read crowns from annotation files.

The formats are those of DeepForest, COCO, Pascal VOC, YOLO and LabelMe.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import QgsProcessingContext

from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.catalogue import IMPORT_CROWNS
from randcrowns.algorithms.choice import Given, Job
from randcrowns.algorithms.exchange import choices, outputs
from randcrowns.algorithms.exchange.choices import IMPORT_CHOICES
from randcrowns.algorithms.exchange.outputs import IMPORT_OUTPUTS, IMPORT_VALUES
from randcrowns.algorithms.output import IMAGES_READ, UNIT, Output
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import too_many_in_all
from randcrowns.core.exchange.sniff import NAMES, Kind
from randcrowns.core.progress import Progress, aside
from randcrowns.core.remarks import Remark, info, note, some, warning
from randcrowns.layers.crs import definition_of, system_from
from randcrowns.layers.files.annotations import (
    PlacedFile,
    ReadFile,
    files_of,
    place_files,
    read_files,
)
from randcrowns.layers.raster.images import ImageFinder
from randcrowns.layers.vector.geometry import to_qgs_geometries
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import sentences, tr

#: Maximum number of images that are added to the map.
_MAX_IMAGES = 50
#: Outputs of the kinds of annotations; the keys are columns of the summary.
_OUTPUTS_BY_KIND = {
    "points": outputs.POINTS,
    "crowns": outputs.CROWNS,
    "ignored": outputs.IGNORED,
}


@dataclass(frozen=True)
class FilesInPixels:
    """Annotations of the files, in pixels of their images."""

    files: list[ReadFile]  #: annotations by file.
    remarks: list[Remark]  #: messages about formats.


@dataclass(frozen=True)
class FilesOnMap:
    """Annotations of the files in one coordinate system."""

    files: list[PlacedFile]  #: annotations by file.
    crs_definition: str  #: definition of the coordinate system; empty for pixels.
    remarks: list[Remark] = field(default_factory=list)  #: messages about images and systems.


class ImportCrowns(CrownAlgorithm):
    """Algorithm that reads crowns from annotation files of other programs."""

    entry = IMPORT_CROWNS
    help = (
        tr(
            "Annotation files store crowns in pixels of an image. The georeference of the image "
            "puts them on the map. If no image has a georeference, the crowns stay in pixels and "
            "lie on the image as QGIS shows it."
        ),
        choices.INPUT,
        choices.FORMAT,
        choices.IMAGES,
        choices.CRS,
        choices.FIRST_PIXEL,
        tr(
            "If a file is damaged, the run stops with its name and nothing is imported. Single "
            "annotations that cannot be used are skipped; the summary counts them with the "
            "reasons. Results of COCO require their ground truth."
        ),
    )
    shares = (0.5, 0.8)
    parties = (choices.INPUT,)
    choices = IMPORT_CHOICES
    outputs = IMPORT_OUTPUTS
    values = IMPORT_VALUES

    def __init__(self) -> None:
        super().__init__()
        #: Name for the layer of crowns; empty for the name of the output.
        self._layer_name = ""

    def check(self, given: Given) -> None:
        """Raise an InputError unless the files and the folder of the images exist."""
        folder = given[choices.IMAGES]
        if folder and not Path(folder).is_dir():
            raise InputError("The image folder {folder} does not exist.", folder=folder)
        files_of(given[choices.INPUT], _chosen_kind(given[choices.FORMAT]))

    def read(self, job: Job, progress: Progress) -> FilesInPixels:
        """Return the annotations in pixels."""
        return aside(lambda report: _read_annotations(job, report), progress)

    def compute(self, job: Job, read: FilesInPixels, progress: Progress) -> FilesOnMap:
        """Return the annotations in one coordinate system."""
        folder = job[choices.IMAGES]
        files, crs, messages = place_files(
            read.files,
            ImageFinder(Path(folder) if folder else None),
            job[choices.CRS],
            job.transform_context,
            progress,
        )
        return FilesOnMap(files, definition_of(crs), messages)

    def tables(self, job: Job, read: FilesInPixels, found: FilesOnMap, progress: Progress) -> Made:
        """Return the layers and the summary."""
        names = _short_names([file.file.path for file in found.files])
        summary = _summarise(found.files, names)
        tables = {outputs.IMPORT_SUMMARY: outputs.IMPORT_SUMMARY.table(summary)}
        for kind, output in _OUTPUTS_BY_KIND.items():
            if output is outputs.CROWNS or summary[kind].sum():
                tables[output] = _feature_table(output, found, names, kind)

        # A pattern or a list of files is not a path; the layer then has the name of the output.
        input_path = Path(job[choices.INPUT])
        self._layer_name = input_path.stem if input_path.exists() else ""

        images = dict.fromkeys(str(path) for file in found.files for path in file.images)
        n_crowns = int(summary["crowns"].sum())
        n_skipped = int(summary["skipped"].sum())
        values = {
            "READ": int(summary["read"].sum()),
            "IMPORTED": n_crowns,
            "SKIPPED": n_skipped,
            UNIT.id: "m" if found.crs_definition else "px",
            IMAGES_READ.id: "\n".join(images) if len(images) <= _MAX_IMAGES else "",
        }
        conclusion = info(
            "headline.import",
            "{count:,} crowns imported, {left:,} skipped.",
            one="1 crown imported, {left:,} skipped.",
            count=n_crowns,
            left=n_skipped,
        )
        messages = _import_messages(found.files, names, summary, len(images))
        return Made(tables, values, remarks=messages, headline=[conclusion])

    def loaded(
        self, output: str, details: QgsProcessingContext.LayerDetails, others: dict[str, Any]
    ) -> None:
        """Name the layer of crowns after its file, so that lists of layers are unambiguous.

        See the base class for the arguments.
        """
        if output == outputs.CROWNS.id:
            details.name = self._layer_name or details.name
        super().loaded(output, details, others)


def _chosen_kind(key: str) -> Kind | None:
    """Return the format of an option, or None to detect the format of each file."""
    return None if key == choices.AUTO else Kind(key)


def _read_annotations(settings: Job, progress: Progress) -> FilesInPixels:
    """Read the annotation files, and report how many have which format.

    Raises:
        InputError: if a file cannot be read, or if there are too many annotations.
    """
    files = files_of(settings[choices.INPUT], _chosen_kind(settings[choices.FORMAT]))
    annotations = read_files(
        files, settings[choices.FIRST_PIXEL], settings[choices.SCORE_THRESHOLD], progress
    )
    too_many_in_all(sum(len(file.found) for file in annotations))

    messages = []
    unrecognised = [file.path.name for file in files if file.kind is None]
    if unrecognised:
        messages.append(
            note(
                "exchange.not_recognised",
                "These files have no known annotation format and were skipped: {files}.",
                files=some(unrecognised),
            )
        )
    for kind in Kind:
        count = sum(file.kind is kind for file in files)
        if count:
            messages.append(
                info(
                    "exchange.taken_for",
                    "{count:,} files were read as {kind}.",
                    one="1 file was read as {kind}.",
                    count=count,
                    kind=NAMES[kind],
                )
            )
    return FilesInPixels(annotations, messages)


def _short_names(paths: Sequence[Path]) -> list[str]:
    """Return the names of files, with as many folders as make them different."""
    if len({path.name for path in paths}) == len(paths):
        return [path.name for path in paths]
    common_folder = os.path.commonpath([path.parent for path in paths])
    return [str(path.relative_to(common_folder)) for path in paths]


def _summarise(files: Sequence[PlacedFile], names: Sequence[str]) -> pd.DataFrame:
    """Return a row per file with the columns of the import summary; ``names`` are its names."""
    rows = []
    for file, name in zip(files, names):
        annotations = file.found
        kind = file.file.kind
        row = {
            "file": name,
            "format": tr("not recognised") if kind is None else NAMES[kind],
            "images": sum(bool(image.name) for image in annotations.images),
            "empty_images": len(annotations.empty_images),
            "read": annotations.read,
            "skipped": sum(len(skipped_rows) for skipped_rows in annotations.skipped.values()),
            "why": " ".join(sentences(annotations.remarks(name))),
        }
        for kind_name, is_of_kind in file.kinds.items():
            row[kind_name] = int(is_of_kind.sum())
        rows.append(row)
    return pd.DataFrame(rows, columns=outputs.IMPORT_SUMMARY.names)


def _import_messages(
    files: Sequence[PlacedFile], names: Sequence[str], summary: pd.DataFrame, n_images: int
) -> list[Remark]:
    """Return messages about skipped annotations, unusable files and too many images.

    Args:
        files: annotations by file.
        names: names of the files in messages.
        summary: import summary, one row per file.
        n_images: number of images with annotations.
    """
    messages: list[Remark] = []
    for file, name in zip(files, names):
        messages += file.found.remarks(name)
    if not summary[list(_OUTPUTS_BY_KIND)].to_numpy().sum():
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


def _feature_table(
    output: Output, found: FilesOnMap, names: Sequence[str], kind: str
) -> FeatureTable:
    """Return the annotations of one kind from all files as features.

    Args:
        output: output of the features.
        found: annotations by file.
        names: names of the files, for the field ``source``.
        kind: ``crowns``, ``points`` or ``ignored``.
    """
    frames = []
    shapes = []
    for file, name in zip(found.files, names):
        is_of_kind = file.kinds[kind]
        annotations = file.found
        labels = annotations.label[is_of_kind]
        image_names = np.array([image.name for image in annotations.images], dtype=object)
        # Without images there are no annotations either, and any empty array will do.
        images = image_names[annotations.image[is_of_kind]] if len(image_names) else labels
        frames.append(
            pd.DataFrame(
                {
                    "label": labels,
                    "score": annotations.score[is_of_kind],
                    "image": images,
                    "source": np.full(int(is_of_kind.sum()), name, dtype=object),
                    "row": annotations.row[is_of_kind],
                }
            )
        )
        shapes.append(file.shapes[is_of_kind])
    return output.table(
        pd.concat(frames, ignore_index=True),
        to_qgs_geometries(np.concatenate(shapes)),
        system_from(found.crs_definition),
    )
