"""randcrowns:importcrowns - crowns from the files of DeepForest, COCO, Pascal VOC, YOLO and LabelMe."""

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

#: More images than these are not added to the map.
_MOST_IMAGES = 50


@dataclass(frozen=True)
class ReadFiles:
    """What the files hold, and what is to be said of them."""

    files: list[ReadFile]
    remarks: list[Remark]


@dataclass(frozen=True)
class Placed:
    """The crowns of each file in one coordinate system: its definition, empty for pixels."""

    files: list[PlacedFile]
    system: str
    remarks: list[Remark] = field(default_factory=list)


class ImportCrowns(CrownAlgorithm):
    entry = IMPORT_CROWNS
    help = (
        tr(
            "Files of annotations hold crowns in pixels of an image. They come to the map by the georeference of that "
            "image. Where no image has one, crowns are in pixels, and lie on the image as QGIS shows it."
        ),
        *(choices.INPUT, choices.FORMAT, choices.IMAGES, choices.CRS, choices.FIRST_PIXEL),
        tr(
            "A file that is broken is refused with its name, and nothing is imported. Single annotations that cannot "
            "be used are skipped; the summary counts them and says why. Results of COCO need their ground truth."
        ),
    )
    shares = (0.5, 0.8)
    parties = (choices.INPUT,)
    choices, outputs, values = choices.IMPORT_CHOICES, outputs.IMPORT_OUTPUTS, outputs.IMPORT_VALUES

    def __init__(self) -> None:
        super().__init__()
        self._name = ""

    def check(self, given: Given) -> None:
        folder = given[choices.IMAGES]
        if folder and not Path(folder).is_dir():
            raise InputError("There is no folder {folder} for the images.", folder=folder)
        files_of(given[choices.INPUT], _kind(given[choices.FORMAT]))

    def read(self, job: Job, progress: Progress) -> ReadFiles:
        return aside(lambda told: _read(job, told), progress)

    def compute(self, job: Job, read: ReadFiles, progress: Progress) -> Placed:
        finder = ImageFinder(Path(job[choices.IMAGES]) if job[choices.IMAGES] else None)
        files, crs, remarks = place_files(
            read.files, finder, job[choices.CRS], job.transform_context, progress
        )
        return Placed(files, definition_of(crs), remarks)

    def tables(self, job: Job, read: ReadFiles, found: Placed, progress: Progress) -> Made:
        names = _short_names([file.file.path for file in found.files])
        summary = _summary(found.files, names)
        given = Path(job[choices.INPUT])
        self._name = (
            given.stem if given.exists() else ""
        )  # of a pattern, or several files, the output's own
        made = {outputs.IMPORT_SUMMARY: outputs.IMPORT_SUMMARY.table(summary)}
        sides = {"points": outputs.POINTS, "crowns": outputs.CROWNS, "ignored": outputs.IGNORED}
        for kind, output in sides.items():
            if output is outputs.CROWNS or summary[kind].sum():
                made[output] = _features(output, found, names, kind)
        n_read, n_made, n_skipped = (
            int(summary[name].sum()) for name in ("read", "crowns", "skipped")
        )
        unit = "m" if found.system else "px"
        values = {"READ": n_read, "IMPORTED": n_made, "SKIPPED": n_skipped, UNIT.id: unit}
        images = dict.fromkeys(str(path) for file in found.files for path in file.images)
        values[IMAGES_READ.id] = "\n".join(images) if len(images) <= _MOST_IMAGES else ""
        told = [
            remark for file, name in zip(found.files, names) for remark in file.found.remarks(name)
        ]
        if not summary[list(sides)].to_numpy().sum():
            told.append(warning("exchange.nothing", "The files hold no crowns that can be used."))
        said, one = (
            "{count:,} crowns imported, {left:,} skipped.",
            "1 crown imported, {left:,} skipped.",
        )
        if len(images) > _MOST_IMAGES:
            said = (
                "The {count:,} images that the crowns are on are too many to be added to the map."
            )
            told.append(info("exchange.many_images", said, count=len(images)))
        answer = info("headline.import", said, one=one, count=n_made, left=n_skipped)
        return Made(made, values, remarks=told, headline=[answer])

    def loaded(
        self, output: str, details: QgsProcessingContext.LayerDetails, others: dict[str, Any]
    ) -> None:
        """The crowns are called as their file is: by that pages tell layers apart."""
        if output == outputs.CROWNS.id:
            details.name = self._name or details.name
        super().loaded(output, details, others)


def _kind(key: str) -> Kind | None:
    return None if key == choices.AUTO else Kind(key)


def _read(job: Job, progress: Progress) -> ReadFiles:
    files = files_of(job[choices.INPUT], _kind(job[choices.FORMAT]))
    read = read_files(files, job[choices.FIRST_PIXEL], job[choices.SCORE_THRESHOLD], progress)
    total = sum(len(file.found) for file in read)
    too_many_in_all(total)
    strange = [file.path.name for file in files if file.kind is None]
    said = "Not recognised as files of annotations, and passed over: {files}."
    told = [note("exchange.not_recognised", said, files=some(strange))] if strange else []
    for kind in Kind:
        count = sum(file.kind is kind for file in files)
        if count:
            said, one = "{count:,} files were taken for {kind}.", "1 file was taken for {kind}."
            told.append(info("exchange.taken_for", said, one=one, count=count, kind=NAMES[kind]))
    return ReadFiles(read, told)


def _short_names(paths: Sequence[Path]) -> list[str]:
    """The files' names, with the folders in which they differ."""
    if len({path.name for path in paths}) == len(paths):
        return [path.name for path in paths]
    top = os.path.commonpath([path.parent for path in paths])
    return [str(path.relative_to(top)) for path in paths]


def _summary(files: Sequence[PlacedFile], names: Sequence[str]) -> pd.DataFrame:
    rows = []
    for file, name in zip(files, names):
        found, kind = file.found, file.file.kind
        rows.append(
            {
                "file": name,
                "format": tr("not recognised") if kind is None else NAMES[kind],
                "images": len([one for one in found.images if one.name]),
                "empty_images": len(found.empty_images),
                "read": found.read,
                **{name: int(rows.sum()) for name, rows in file.kinds.items()},
                "skipped": sum(map(len, found.skipped.values())),
                "why": " ".join(sentences(found.remarks(name))),
            }
        )
    return pd.DataFrame(rows, columns=outputs.IMPORT_SUMMARY.names)


def _features(output: Output, found: Placed, names: Sequence[str], kind: str) -> FeatureTable:
    """The annotations of this kind of all files."""
    parts, rows = [], [file.kinds[kind] for file in found.files]
    for file, name, some_of in zip(found.files, names, rows):
        held = file.found
        images = np.array([one.name for one in held.images], dtype=object)
        parts.append(
            pd.DataFrame(
                {
                    "label": held.label[some_of],
                    "score": held.score[some_of],
                    "image": images[held.image[some_of]] if len(images) else held.label[some_of],
                    "source": np.full(int(some_of.sum()), name, dtype=object),
                    "row": held.row[some_of],
                }
            )
        )
    shapes = np.concatenate([file.shapes[some_of] for file, some_of in zip(found.files, rows)])
    return output.table(
        pd.concat(parts, ignore_index=True), to_qgs_geometries(shapes), system_from(found.system)
    )
