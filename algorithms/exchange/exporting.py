"""randcrowns:exportcrowns - targets and predictions as files of other programs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath
from typing import Any

import numpy as np
import pandas as pd
import shapely
from qgis.core import QgsCsException, QgsFeature

from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.catalogue import EXPORT_CROWNS
from randcrowns.algorithms.choice import Given, Job
from randcrowns.algorithms.choices import check_layers
from randcrowns.algorithms.exchange import choices
from randcrowns.algorithms.exchange.cutting import FOLDER_OF_IMAGES, Located, Part, cut_around
from randcrowns.algorithms.exchange.outputs import EXPORT_VALUES, FOLDER, fit_tables, written_to
from randcrowns.algorithms.outputs import FolderFile, destination_of
from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.crowns import is_box
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import Annotations, Flaw, Image
from randcrowns.core.exchange.coco import write_coco_results, write_coco_truth
from randcrowns.core.exchange.deepforest import (
    IMAGE_NAMES,
    LABEL_NAMES,
    column_called,
    write_deepforest,
)
from randcrowns.core.exchange.values import number_of
from randcrowns.core.exchange.voc import write_voc
from randcrowns.core.progress import Progress, aside, part_of, steps
from randcrowns.core.remarks import Remark, info, note, some
from randcrowns.layers.compat import is_null
from randcrowns.layers.crs import check_crs, system_of, transform_between, transform_coordinates
from randcrowns.layers.files.export import (
    LAYER_FORMATS,
    NamedTable,
    Styles,
    check_form,
    files_of_tables,
    styles_of,
)
from randcrowns.layers.raster.images import PlacedImage, cut_out
from randcrowns.layers.vector.geometry import ReadReport, plain_polygons
from randcrowns.layers.vector.read import LayerSnapshot, text_of
from randcrowns.layers.vector.tables import attribute_values, copied
from randcrowns.layers.words import tr

#: Names of the two sides' files and tables, and of COCO's.
_TARGETS, _PREDICTIONS, _IGNORED = "targets", "predictions", "ignored"
_TRUTH, _RESULTS = "ground_truth.json", "results.json"
_LAYERS = {_TARGETS: choices.TARGETS, _PREDICTIONS: choices.PREDICTIONS, _IGNORED: choices.IGNORED}
_ROUNDING = 1e-9


@dataclass(frozen=True)
class ExportJob(Job):
    """What a run needs besides."""

    images: list[PlacedImage] = field(default_factory=list)  #: the rasters.
    #: Snapshot and styles of the targets and, where there are any, the predictions and the areas to ignore, by the name
    #: of their file.
    sides: dict[str, tuple[LayerSnapshot, Styles]] = field(default_factory=dict)
    folder: str = ""  #: where the files go.


@dataclass(frozen=True, eq=False)
class Side:
    """Crowns of one layer."""

    table: NamedTable  #: its features with all attributes.
    #: shapes, label, score: (n,) of those that have an outline, in the layer's system; and their own.
    shapes: Objects
    label: Objects
    score: Floats
    plots: Objects | None  #: (n,) their plots, or None.
    image: Objects | None  #: (n,) names of their images, or None.
    remarks: list[Remark]


class ExportCrowns(CrownAlgorithm):
    entry = EXPORT_CROWNS
    help = (
        tr(
            "COCO, DeepForest and Pascal VOC hold crowns in pixels of images, so they need the images; each crown goes "
            "to the image that its middle lies on. The files name the images; those that are cut out stand beside them."
        ),
        *(
            choices.EXPORT_FORMAT,
            choices.IMAGE,
            choices.SCORE_FIELD,
            choices.IGNORED,
            choices.CUT,
            choices.PLOT_FIELD,
        ),
        tr(
            "COCO's ground truth and results give pycocotools the average precision that pages Detectors and Instances "
            "show, where every crown is a box. Of other outlines pycocotools compares the boxes, or pixels."
        ),
    )
    parties, told_apart_by = (choices.TARGETS, choices.PREDICTIONS), (choices.EXPORT_FORMAT,)
    choices, outputs, values = choices.EXPORT_CHOICES, (FOLDER,), EXPORT_VALUES
    takes_pixels = True

    def check(self, given: Given) -> None:
        key = given[choices.EXPORT_FORMAT]
        anywhere = key in LAYER_FORMATS and not LAYER_FORMATS[key].in_degrees
        in_pixels = anywhere or (key not in LAYER_FORMATS and given.in_pixels)
        sides = [*map(given.layer, _LAYERS.values())]
        if key in LAYER_FORMATS:
            check_form(LAYER_FORMATS[key], sides)
        check_layers(*sides, in_pixels=in_pixels)
        for layer in given[choices.IMAGE]:
            if layer.crs().isValid():  # an image without a system is in pixels
                check_crs(layer.name(), system_of(layer))
        if key not in LAYER_FORMATS and not given[choices.IMAGE]:
            said = "{format} holds crowns in pixels; choose the image or images that they are on."
            raise InputError(said, format=choices.EXPORT_FORMAT.label_of(key))
        field = given[choices.SCORE_FIELD]
        layer = given.layer(choices.PREDICTIONS)
        if field and layer is not None and layer.fields().lookupField(field) < 0:
            raise InputError("The predictions have no field '{field}'.", field=field)
        plot, targets = given[choices.PLOT_FIELD], given.layer(choices.TARGETS)
        if plot and targets is not None and targets.fields().lookupField(plot) < 0:
            raise InputError("The target layer has no field '{field}'.", field=plot)
        if given[choices.CUT] and key in LAYER_FORMATS:
            said = "{format} names no images, so none are cut out; choose COCO, DeepForest or Pascal VOC."
            raise InputError(said, format=choices.EXPORT_FORMAT.label_of(key))

    def take(self, given: Given) -> ExportJob:
        sides = {}
        for name, choice in _LAYERS.items():
            layer = given.layer(choice)
            if choice in given and layer is not None:
                sides[name] = given.snapshot(choice.ids[0]), styles_of(layer)
        images = []
        for layer in given[choices.IMAGE]:
            found = PlacedImage.opened(Path(layer.source()).name, Path(layer.source()))
            if found.path is None:
                said = "Image '{name}' is not read from a file; save it as a GeoTIFF and use that."
                raise InputError(said, name=layer.name())
            images.append(replace(found, crs=layer.crs() if found.place else found.crs))
        twice = [name for name, number in Counter(one.name for one in images).items() if number > 1]
        if twice and given[choices.EXPORT_FORMAT] not in LAYER_FORMATS:
            said = "Several of the images are called {name}, by which the files could not tell them apart; rename them."
            raise InputError(said, name=twice[0])
        images.sort(
            key=lambda image: image.name
        )  # as plots are, for pycocotools takes equal scores image by image
        return ExportJob.of(given, images=images, sides=sides, folder=destination_of(given, FOLDER))

    def read(self, job: ExportJob, progress: Progress) -> dict[str, Side]:
        read = {}
        for name, told in steps(list(job.sides), progress):
            snapshot, styles = job.sides[name]
            score = job[choices.SCORE_FIELD] if name == _PREDICTIONS else ""
            read[name] = _read_side(name, snapshot, styles, score, job[choices.PLOT_FIELD], told)
        return read

    def compute(self, job: ExportJob, read: dict[str, Side], progress: Progress) -> _Placed:
        """The crowns on the images, where the format asks for it."""
        told = [remark for side in read.values() for remark in side.remarks]
        if job[choices.EXPORT_FORMAT] in LAYER_FORMATS:
            return _Placed({}, told)
        located: dict[str, Located] = {}
        for name, share in steps(list(read), progress):
            located[name], remarks = _on_images(
                job.sides[name][0], read[name], job.images, name == _IGNORED
            )
            told += remarks
            share(1.0)
        if not job[choices.CUT]:
            return _Placed({name: one.found for name, one in located.items()}, told)
        others = located.get(_PREDICTIONS), located.get(_IGNORED)
        cut, parts, remarks = cut_around(
            located[_TARGETS], *others, job.images, job[choices.MARGIN]
        )
        found = {name: side for name, side in zip(_LAYERS, cut) if side is not None}
        return _Placed(found, [*told, *remarks], parts)

    def tables(
        self, job: ExportJob, read: dict[str, Side], found: _Placed, progress: Progress
    ) -> Made:
        key = job[choices.EXPORT_FORMAT]
        if key in LAYER_FORMATS:
            tables = [side.table for side in read.values()]
            told = fit_tables(LAYER_FORMATS[key], tables)
            files: dict[str, FolderFile] = {
                **files_of_tables("crowns", LAYER_FORMATS[key], tables, job.transform_context)
            }
            count = sum(len(table.features) for table in tables)
        else:
            texts, told = _WRITERS[key](found.sides)
            files = {name: text.encode() for name, text in texts.items()}
            files |= {
                f"{FOLDER_OF_IMAGES}/{part.name}": partial(_cut, part) for part in found.parts
            }
            count = sum(map(len, found.sides.values()))
        progress(1.0)
        return Made({}, {"EXPORTED": count}, {FOLDER: files}, told, [written_to(job.folder, files)])


def _cut(part: Part, path: Path, _told: Progress) -> None:
    cut_out(part.image, part.window, path)


@dataclass(frozen=True, eq=False)
class _Placed:
    """The crowns of the sides on the images, or on the parts that are cut out of them."""

    sides: dict[str, Annotations]
    remarks: list[Remark]
    parts: Sequence[Part] = ()


def _read_side(
    name: str, snapshot: LayerSnapshot, styles: Styles, score: str, plot: str, progress: Progress
) -> Side:
    """All features of a layer, and the outlines of those that have one."""
    features = snapshot.features(progress=part_of(progress, 0.0, 0.5))
    share = part_of(progress, 0.5, 1.0)
    return aside(lambda _told: _side_of(name, snapshot, features, styles, score, plot), share)


def _side_of(
    name: str,
    snapshot: LayerSnapshot,
    features: list[QgsFeature],
    styles: Styles,
    score: str,
    plot: str,
) -> Side:
    report = ReadReport(snapshot.name)
    ids = np.array([feature.id() for feature in features], dtype=np.int64)
    shapes = plain_polygons(features, ids, report)
    bounds = shapely.bounds(shapes)
    there = ~shapely.is_missing(shapes) & np.isfinite(bounds).all(axis=1)
    table = copied(features, snapshot.fields, snapshot.crs, snapshot.wkb_type)

    def values(field: str, words: Callable[[Any], str | None] = text_of) -> Objects | None:
        """What a field says of the crowns, None where it says nothing; or no such field."""
        place = snapshot.fields.lookupField(field) if field else -1
        said = [words(one.attribute(place)) for one in features] if place >= 0 else []
        return np.array(said, dtype=object)[there] if place >= 0 else None

    labels = column_called(LABEL_NAMES, snapshot.fields.names())
    label = values(labels, lambda value: None if is_null(value) else str(value))  # with its blanks
    plots = values(plot)
    image = values(IMAGE_NAMES[1], lambda value: re.split(r"[/\\]", str(value))[-1])
    place = snapshot.fields.lookupField(score) if score else -1
    told = [] if place < 0 else [info("export.score", "Score: field {field}.", field=score)]
    numbers = attribute_values(
        [np.nan if place < 0 else one.attribute(place) for one in features], "real"
    )
    return Side(
        NamedTable(name, table, styles),
        shapes[there],
        np.full(int(there.sum()), None, dtype=object) if label is None else label,
        np.array([number_of(value) for value in numbers], dtype=np.float64)[there],
        None if plots is None else np.where(pd.isna(plots), "", plots),
        image,
        [
            *filter(None, [snapshot.changed_since(snapshot.name, len(features))]),
            *report.remarks(),
            *told,
        ],
    )


def _on_images(
    snapshot: LayerSnapshot, side: Side, images: Sequence[PlacedImage], ignored: bool
) -> tuple[Located, list[Remark]]:
    """The crowns in pixels of the first image that their middle lies on; remarks on those that lie on none.

    Images without a georeference lie on one another: of several, each crown is on that which it names.
    """
    bare = [image.name for image in images if image.place is None]
    if len(bare) > 1 and side.image is None:
        raise InputError(
            "Images {images} have no georeference and lie on one another, but layer '{layer}' has no field 'image'.",
            images=some(bare),
            layer=snapshot.name,
        )
    bounds = shapely.bounds(side.shapes)
    corners = np.stack([bounds[:, [0, 0, 2, 2]], bounds[:, [1, 3, 1, 3]]], axis=-1)
    shapes, on = side.shapes.copy(), np.full(len(side.shapes), -1)
    for place, image in enumerate(images):
        is_named = (side.image == image.name) | (side.image == PurePath(image.name).stem)
        left = np.flatnonzero(
            (on < 0) & (is_named if len(bare) > 1 and image.place is None else True)
        )
        at = image.to_pixels(_moved(corners[left].reshape(-1, 2), snapshot, image)).reshape(
            -1, 4, 2
        )
        near = left[
            ((at.max(axis=1) >= 0) & (at.min(axis=1) <= (image.width, image.height))).all(axis=1)
        ]
        moved = shapely.transform(
            side.shapes[near], lambda xy, one=image: one.to_pixels(_moved(xy, snapshot, one))
        )
        box = shapely.bounds(moved)
        held = image.holds(
            (box[:, :2] + box[:, 2:]) / 2
        )  # not that of the layer, which may lie turned to the image
        on[near[held]], shapes[near[held]] = place, moved[held]
    kept = on >= 0
    names = [Image(image.name, image.width, image.height) for image in images]
    annotations = Annotations.of(
        shapes[kept], names, on[kept], side.label[kept], side.score[kept], ignored=ignored
    )
    found = Located(annotations, None if side.plots is None else side.plots[kept])
    if kept.all():
        return found, []
    said = (
        "Layer '{layer}': {count:,} crowns were not exported, since they lie on none of the images."
    )
    one = "Layer '{layer}': 1 crown was not exported, since it lies on none of the images."
    return found, [
        note("export.off_images", said, one=one, layer=snapshot.name, count=int((~kept).sum()))
    ]


def _moved(xy: Floats, snapshot: LayerSnapshot, image: PlacedImage) -> Floats:
    """Coordinates of a layer in the system of an image; as they are where one of them has none."""
    if not snapshot.crs.isValid() or not image.crs.isValid() or snapshot.crs == image.crs:
        return xy
    try:
        return transform_coordinates(xy, transform_between(snapshot.crs, image.crs))
    except QgsCsException as error:
        said = "The crowns of layer '{layer}' have no place in the coordinate system of image '{image}'."
        raise InputError(said, layer=snapshot.name, image=image.name) from error


def _coco(sides: dict[str, Annotations]) -> tuple[dict[str, str], list[Remark]]:
    truth = Annotations.joined(
        [sides[name] for name in (_TARGETS, _IGNORED) if name in sides], sides[_TARGETS].images
    )
    files, told = {_TRUTH: write_coco_truth(truth)}, []
    if _PREDICTIONS in sides:
        found = sides[_PREDICTIONS]
        scoreless = ~np.isfinite(found.score)
        if scoreless.all() and len(found):
            raise InputError(
                "COCO's results need a score for each prediction; choose the score field."
            )
        if scoreless.any():
            said = (
                "{count:,} predictions without a score were not exported; COCO's results need one."
            )
            one = "1 prediction without a score was not exported; COCO's results need one."
            told.append(note("export.no_score", said, one=one, count=int(scoreless.sum())))
        files[_RESULTS] = write_coco_results(found.flawed(Flaw.NOT_NUMBERS, scoreless))
    odd = sum(int((~is_box(side.shapes, _ROUNDING)).sum()) for side in sides.values())
    if odd:
        said = "{count:,} crowns are no boxes: pycocotools compares boxes or pixels of them, RandCrowns their outlines."
        one = "1 crown is no box: pycocotools compares the box or the pixels of it, RandCrowns its outline."
        told.append(note("export.no_boxes", said, one=one, count=odd))
    return files, told


def _crowns_of(sides: dict[str, Annotations]) -> tuple[dict[str, Annotations], list[Remark]]:
    """The sides but for the areas to ignore, which only COCO has a word for, and that these are not written."""
    crowns = {name: side for name, side in sides.items() if name != _IGNORED}
    said = "The areas to ignore were not exported: of these formats only COCO has a word for them."
    return crowns, [] if len(crowns) == len(sides) else [note("export.no_ignored", said)]


def _deepforest(sides: dict[str, Annotations]) -> tuple[dict[str, str], list[Remark]]:
    crowns, told = _crowns_of(sides)
    return {f"{name}.csv": write_deepforest(found) for name, found in crowns.items()}, told


def _voc(sides: dict[str, Annotations]) -> tuple[dict[str, str], list[Remark]]:
    crowns, told = _crowns_of(sides)
    files = {
        f"{name}/{image}.xml": text
        for name, found in crowns.items()
        for image, text in write_voc(found).items()
    }
    odd = sum(int((~is_box(side.shapes, _ROUNDING)).sum()) for side in crowns.values())
    said = "Pascal VOC holds boxes only: {count:,} crowns were written as their boxes."
    one = "Pascal VOC holds boxes only: 1 crown was written as its box."
    return files, [*told, *([note("export.boxes_only", said, one=one, count=odd)] if odd else [])]


_WRITERS = {"coco": _coco, "deepforest": _deepforest, "voc": _voc}
