"""Texts of annotation files that hold targets, predictions and areas to ignore."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from randcrowns.core.crowns import is_box
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import Annotations, SkipReason
from randcrowns.core.exchange.coco_writing import (
    category_names,
    write_coco_results,
    write_coco_truth,
)
from randcrowns.core.exchange.deepforest import write_deepforest
from randcrowns.core.exchange.voc import write_voc
from randcrowns.core.messages import Message, note

#: Names of the layers in names of files.
TARGETS = "targets"
PREDICTIONS = "predictions"
IGNORED = "ignored"
#: Names of COCO's files.
_COCO_TRUTH = "ground_truth.json"
_COCO_RESULTS = "results.json"
#: Tolerance with which an outline counts as a box, in pixels.
_BOX_TOLERANCE = 1e-9


class AnnotationTexts(NamedTuple):
    """Content of annotation files."""

    files: dict[str, str]  #: text by path in the folder.
    messages: list[Message]  #: messages about what the format cannot store.


def _coco(layers: Mapping[str, Annotations]) -> AnnotationTexts:
    """Return COCO's ground truth and, if there are predictions, results.

    Args:
        layers: annotations of the targets and, if present, of predictions and ignored areas.

    Raises:
        InputError: if no prediction has a score.
    """
    truth_layers = [layers[name] for name in (TARGETS, IGNORED) if name in layers]
    truth = Annotations.concatenate(truth_layers, layers[TARGETS].images)
    categories = category_names(truth, layers.get(PREDICTIONS))
    files = {_COCO_TRUTH: write_coco_truth(truth, categories)}
    messages = []
    if len(categories) > 1:
        messages.append(
            note(
                "export.categories",
                "Each of the {count} classes is a category of its own. For the average precision "
                "without classes, set useCats = 0 in pycocotools.",
                count=len(categories),
            )
        )
    if PREDICTIONS in layers:
        files[_COCO_RESULTS], score_messages = _coco_results(layers[PREDICTIONS], categories)
        messages += score_messages
    n_outlines = _count_outlines(layers)
    if n_outlines:
        messages.append(
            note(
                "export.no_boxes",
                "{count:,} crowns are not boxes: pycocotools compares their boxes or pixels, but "
                "RandCrowns their outlines.",
                one="1 crown is not a box: pycocotools compares its box or pixels, but RandCrowns "
                "its outline.",
                count=n_outlines,
            )
        )
    return AnnotationTexts(files, messages)


def _coco_results(predictions: Annotations, categories: Sequence[str]) -> tuple[str, list[Message]]:
    """Return the text of COCO's results file, and a message about predictions left out of it.

    Args:
        predictions: annotations to write; those without a score are left out.
        categories: names of the categories in the file of the ground truth.

    Raises:
        InputError: if no prediction has a score.
    """
    lacks_score = ~np.isfinite(predictions.score)
    if lacks_score.all() and len(predictions):
        raise InputError(
            "export.coco_without_score",
            "COCO's results require a score for each prediction. Choose the score field.",
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
    scored_predictions = predictions.with_problem(SkipReason.NOT_NUMBERS, lacks_score)
    return write_coco_results(scored_predictions, categories), messages


def _deepforest(layers: Mapping[str, Annotations]) -> AnnotationTexts:
    """Return a table per layer in the format of DeepForest."""
    files = {
        f"{name}.csv": write_deepforest(layer) for name, layer in _without_ignored(layers).items()
    }
    return AnnotationTexts(files, _ignored_messages(layers))


def _voc(layers: Mapping[str, Annotations]) -> AnnotationTexts:
    """Return a file per layer and image in the format of Pascal VOC."""
    crowns = _without_ignored(layers)
    files = {}
    for name, layer in crowns.items():
        for image_name, text in write_voc(layer).items():
            files[f"{name}/{image_name}.xml"] = text
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
    return AnnotationTexts(files, messages)


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
    "coco": _coco,
    "deepforest": _deepforest,
    "voc": _voc,
}
