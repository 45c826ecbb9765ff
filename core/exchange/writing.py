"""Texts of annotation files that hold targets, predictions and areas to ignore."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Objects
from randcrowns.core.class_names import check_spelling, class_values
from randcrowns.core.crowns import is_box
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import DEFAULT_LABEL, Annotations, SkipReason
from randcrowns.core.exchange.coco_writing import (
    category_names,
    write_coco_results,
    write_coco_truth,
)
from randcrowns.core.exchange.deepforest import write_deepforest
from randcrowns.core.exchange.voc import write_voc
from randcrowns.core.exchange.yolo_writing import (
    has_boxes_only,
    write_yolo,
    write_yolo_data,
    yolo_class_names,
)
from randcrowns.core.messages import Message, note
from randcrowns.core.tie_ranks import rank_places

#: Names of the layers in names of files.
TARGETS = "targets"
PREDICTIONS = "predictions"
IGNORED = "ignored"
#: Keys of the formats that store all fields of the crowns.
FORMATS_WITH_FIELDS = ("deepforest",)
#: Key of the format COCO, which alone stores areas to ignore.
_COCO = "coco"
#: Names of COCO's files.
_COCO_TRUTH = "ground_truth.json"
_COCO_RESULTS = "results.json"
#: File with the names of YOLO's classes.
_YOLO_DATA = "data.yaml"
#: Folders of YOLO's files by name of the layer. YOLO expects the targets in ``labels``.
_YOLO_FOLDERS = {TARGETS: "labels", PREDICTIONS: PREDICTIONS}
#: Maximum length of the name of a file, bytes.
_MAX_FILE_NAME = 255
#: Tolerance with which an outline counts as a box, in pixels.
_BOX_TOLERANCE = 1e-9


class AnnotationTexts(NamedTuple):
    """Content of annotation files."""

    files: dict[str, str]  #: text by path in the folder.
    n_crowns: dict[str, int]  #: number of crowns in each file, by path in the folder.
    messages: list[Message]  #: messages about what the format cannot store.
    no_class_label: str = DEFAULT_LABEL  #: class that is written for crowns without one.


def write_annotations(
    format_key: str, layers: Mapping[str, Annotations], classed: Mapping[str, str]
) -> AnnotationTexts:
    """Return the files of an annotation format, with messages about the classes.

    Args:
        format_key: key of the format in :data:`WRITERS`.
        layers: annotations of the targets and, if present, of predictions and ignored areas. Their
            labels are those of :func:`randcrowns.core.class_names.class_labels`.
        classed: name in messages of each of the layers whose crowns have classes.

    Raises:
        InputError: if the format cannot store the annotations.
    """
    layers = _with_common_labels(layers)
    texts = WRITERS[format_key](layers)
    written = layers if format_key == _COCO else _without_ignored(layers)
    messages = list(texts.messages)
    for key, layer in written.items():
        n_missing = sum(label is None for label in layer.label)
        if key in classed and n_missing:
            message = note(
                "export.no_class",
                "Layer '{layer}': {count:,} crowns have no class. They were written with the "
                "class '{label}'.",
                one="Layer '{layer}': 1 crown has no class. It was written with the class "
                "'{label}'.",
                layer=classed[key],
                count=n_missing,
                label=texts.no_class_label,
            )
            messages.append(message)
    messages += check_spelling(_labels_of_layers(written))
    return texts._replace(messages=messages)


def _labels_of_layers(layers: Mapping[str, Annotations]) -> Objects:
    """Return the labels (n,) of the annotations of all layers."""
    no_labels = np.empty(0, dtype=object)
    return np.concatenate([no_labels, *[layer.label for layer in layers.values()]])


def _with_common_labels(layers: Mapping[str, Annotations]) -> dict[str, Annotations]:
    """Return annotations in which equal classes have equal labels.

    A class keeps its label, such as "1.0". If labels of one class differ, such as "1.0" and "1",
    all of its crowns get the name of the class.
    """
    labels = pd.unique(_labels_of_layers(layers))
    class_names = class_values(labels)
    n_labels_of_class = Counter(class_names.tolist())
    new_labels = {
        label: class_name
        for label, class_name in zip(labels, class_names)
        if n_labels_of_class[class_name] > 1
    }
    if not new_labels:
        return dict(layers)
    renamed_layers = {}
    for key, layer in layers.items():
        renamed = [new_labels.get(label, label) for label in layer.label]
        renamed_layers[key] = replace(layer, label=np.array(renamed, dtype=object))
    return renamed_layers


def _coco(layers: Mapping[str, Annotations]) -> AnnotationTexts:
    """Return COCO's ground truth and, if there are predictions, results.

    Args:
        layers: annotations of the targets and, if present, of predictions and ignored areas.

    Raises:
        InputError: if no prediction has a score.
    """
    if PREDICTIONS in layers:
        # pycocotools orders equal scores and equal IoU by the rows of the files.
        layers = {name: _by_place(layer) for name, layer in layers.items()}
    truth_layers = [layers[name] for name in (TARGETS, IGNORED) if name in layers]
    truth = Annotations.concatenate(truth_layers, layers[TARGETS].images)
    categories = category_names(truth, layers.get(PREDICTIONS))
    files = {_COCO_TRUTH: write_coco_truth(truth, categories)}
    n_crowns = {_COCO_TRUTH: len(truth)}
    messages = []
    if len(categories) > 1:
        several_categories = note(
            "export.categories",
            "Each of the {count} classes is a category of its own. For the average precision "
            "without classes, set useCats = 0 in pycocotools.",
            count=len(categories),
        )
        messages.append(several_categories)
    if PREDICTIONS in layers:
        scored, score_messages = _scored_predictions(layers[PREDICTIONS])
        files[_COCO_RESULTS] = write_coco_results(scored, categories)
        n_crowns[_COCO_RESULTS] = len(scored)
        messages += score_messages
    n_outlines = _count_outlines(layers)
    if n_outlines:
        not_boxes = note(
            "export.no_boxes",
            "{count:,} crowns are not boxes: pycocotools compares their boxes or pixels, but "
            "RandCrowns their outlines.",
            one="1 crown is not a box: pycocotools compares its box or pixels, but RandCrowns "
            "its outline.",
            count=n_outlines,
        )
        messages.append(not_boxes)
    no_class_label = DEFAULT_LABEL if DEFAULT_LABEL in categories else categories[0]
    return AnnotationTexts(files, n_crowns, messages, no_class_label)


def _by_place(layer: Annotations) -> Annotations:
    """Return annotations in the order in which crowns with equal scores count, by their place.

    See :func:`randcrowns.core.tie_ranks.rank_places`. The y axis of pixels points south.
    """
    xmin, ymin, xmax, ymax = shapely.bounds(layer.shapes).T
    bounds = np.stack([xmin, -ymax, xmax, -ymin], axis=1)
    ranks = rank_places(bounds, shapely.area(layer.shapes), layer.source_row, [layer.label])
    return layer.select(np.argsort(ranks))


def _scored_predictions(predictions: Annotations) -> tuple[Annotations, list[Message]]:
    """Return the predictions with a score, and a message about the others.

    Raises:
        InputError: if no prediction has a score.
    """
    lacks_score = ~np.isfinite(predictions.score)
    if lacks_score.all() and len(predictions):
        raise InputError(
            "export.coco_without_score",
            "COCO's results require a score for each prediction. Choose the score field. Without "
            "scores, export the targets alone.",
        )

    messages = []
    if lacks_score.any():
        messages.append(
            note(
                "export.no_score",
                "{count:,} predictions without a score were not exported because COCO's "
                "results require one.",
                one="1 prediction without a score was not exported because COCO's results "
                "require one.",
                count=int(lacks_score.sum()),
            )
        )
    return predictions.with_problem(SkipReason.NOT_NUMBERS, lacks_score), messages


def _deepforest(layers: Mapping[str, Annotations]) -> AnnotationTexts:
    """Return a table per layer in the format of DeepForest."""
    crowns = _without_ignored(layers)
    files = {f"{name}.csv": write_deepforest(layer) for name, layer in crowns.items()}
    n_crowns = {f"{name}.csv": len(layer) for name, layer in crowns.items()}
    return AnnotationTexts(files, n_crowns, _ignored_messages(layers))


def _voc(layers: Mapping[str, Annotations]) -> AnnotationTexts:
    """Return a file per layer and image in the format of Pascal VOC."""
    crowns = _without_ignored(layers)
    files = {}
    n_crowns = {}
    for name, layer in crowns.items():
        n_on_image = np.bincount(layer.image_index, minlength=len(layer.images))
        for (image_name, text), count in zip(write_voc(layer).items(), n_on_image.tolist()):
            path = f"{name}/{image_name}.xml"
            files[path] = text
            n_crowns[path] = count
    _check_file_names(files)
    messages = _ignored_messages(layers)
    n_outlines = _count_outlines(crowns)
    if n_outlines:
        messages.append(
            note(
                "export.boxes_only",
                "Pascal VOC stores boxes only: {count:,} crowns were written as their boxes.",
                one="Pascal VOC stores boxes only: 1 crown was written as its box.",
                count=n_outlines,
            )
        )
    return AnnotationTexts(files, n_crowns, messages)


def _yolo(layers: Mapping[str, Annotations]) -> AnnotationTexts:
    """Return a file per layer and image in the format of YOLO, and the names of the classes."""
    crowns = _without_ignored(layers)
    messages = _ignored_messages(layers)
    if PREDICTIONS in crowns:
        crowns[PREDICTIONS], score_messages = _with_scores_or_none(crowns[PREDICTIONS])
        messages += score_messages
    names = yolo_class_names(list(crowns.values()))
    as_boxes = has_boxes_only(list(crowns.values()))
    files = {_YOLO_DATA: write_yolo_data(names)}
    n_crowns = {_YOLO_DATA: 0}
    n_clipped = n_simplified = n_outside = 0
    for name, layer in crowns.items():
        written = write_yolo(layer, names, as_boxes=as_boxes)
        for stem, text in written.texts.items():
            path = f"{_YOLO_FOLDERS[name]}/{stem}.txt"
            files[path] = text
            n_crowns[path] = written.n_crowns[stem]
        n_clipped += written.n_clipped
        n_simplified += written.n_simplified
        n_outside += written.n_outside
    _check_file_names(files)
    messages += _yolo_messages(n_clipped, n_simplified, n_outside)
    return AnnotationTexts(files, n_crowns, messages)


def _check_file_names(files: Iterable[str]) -> None:
    """Raise an InputError if a file of an image would have a longer name than systems allow.

    Args:
        files: paths of the files in the folder.
    """
    for path in map(PurePosixPath, files):
        if any(len(part.encode("utf-8", "replace")) > _MAX_FILE_NAME for part in path.parts):
            raise InputError(
                "export.long_image_name",
                "The file for image '{image}' would have a name of more than {limit} bytes, which "
                "no system can store. Rename the image, or export as COCO, which stores all images "
                "in one file.",
                image=path.stem,
                limit=_MAX_FILE_NAME,
            )


def _with_scores_or_none(predictions: Annotations) -> tuple[Annotations, list[Message]]:
    """Return predictions that all have a score, or none of them, and a message about others."""
    lacks_score = ~np.isfinite(predictions.score)
    if lacks_score.all() or not lacks_score.any():
        return predictions, []
    message = note(
        "export.yolo_no_score",
        "{count:,} predictions without a score were not exported, because the others have one.",
        one="1 prediction without a score was not exported, because the others have one.",
        count=int(lacks_score.sum()),
    )
    return predictions.with_problem(SkipReason.NOT_NUMBERS, lacks_score), [message]


def _yolo_messages(n_clipped: int, n_simplified: int, n_outside: int) -> list[Message]:
    """Return messages about crowns that YOLO cannot store as they are.

    Args:
        n_clipped: number of crowns that were clipped to their image.
        n_simplified: number of crowns that lost holes or parts.
        n_outside: number of crowns outside their image.
    """
    messages = []
    if n_clipped:
        messages.append(
            note(
                "export.yolo_clipped",
                "{count:,} crowns were clipped to their image, because YOLO stores nothing beyond "
                "it.",
                one="1 crown was clipped to its image, because YOLO stores nothing beyond it.",
                count=n_clipped,
            )
        )
    if n_simplified:
        messages.append(
            note(
                "export.yolo_simplified",
                "{count:,} crowns have holes or several parts, and were written as the outer "
                "outline of their largest part.",
                one="1 crown has holes or several parts, and was written as the outer outline of "
                "its largest part.",
                count=n_simplified,
            )
        )
    if n_outside:
        messages.append(
            note(
                "export.yolo_outside",
                "{count:,} crowns lie outside their image and were not exported.",
                one="1 crown lies outside its image and was not exported.",
                count=n_outside,
            )
        )
    return messages


def _without_ignored(layers: Mapping[str, Annotations]) -> dict[str, Annotations]:
    """Return the layers except the areas to ignore."""
    return {name: layer for name, layer in layers.items() if name != IGNORED}


def _ignored_messages(layers: Mapping[str, Annotations]) -> list[Message]:
    """Return a message that the areas to ignore are not exported; [] if there are none."""
    if IGNORED not in layers:
        return []
    return [
        note(
            "export.no_ignored",
            "The areas to ignore were not exported because only COCO can store them.",
        )
    ]


def _count_outlines(layers: Mapping[str, Annotations]) -> int:
    """Return the number of annotations that are not boxes."""
    return sum(int((~is_box(layer.shapes, _BOX_TOLERANCE)).sum()) for layer in layers.values())


#: Functions that return the files of an annotation format, by key of the format.
WRITERS: dict[str, Callable[[Mapping[str, Annotations]], AnnotationTexts]] = {
    _COCO: _coco,
    "deepforest": _deepforest,
    "voc": _voc,
    "yolo": _yolo,
}
