"""Writing of COCO files: a ground truth, and results that refer to it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import shapely

from randcrowns.core.arrays import Floats
from randcrowns.core.exchange.annotations import DEFAULT_LABEL, Annotations, Image
from randcrowns.core.exchange.rle import RleMask
from randcrowns.core.exchange.values import paused_collection


def write_coco_truth(annotations: Annotations, categories: Sequence[str] | None = None) -> str:
    """Return annotations as a COCO ground truth.

    Images, annotations and categories are numbered from 1. Outlines are lists of points; an outline
    with holes, which COCO's polygons cannot represent, becomes a mask of the pixels if the size of
    the image is known.

    Args:
        annotations: annotations in pixels, without masks.
        categories: names of the categories; by default those of :func:`category_names`. A label
            that is no category is written as the field ``label``.

    Returns:
        The JSON text.

    >>> box = shapely.box(0, 0, 4, 2)
    >>> text = write_coco_truth(Annotations.from_shapes([box], [Image("plot.tif", 100, 100)]))
    >>> json.loads(text)["annotations"][0]["bbox"]
    [0.0, 0.0, 4.0, 2.0]
    """
    names = category_names(annotations) if categories is None else list(categories)
    images = [
        {"id": number, "file_name": image.name, "width": image.width, "height": image.height}
        for number, image in enumerate(annotations.images, 1)
    ]
    category_rows = [
        {"id": number, "name": name, "supercategory": ""} for number, name in enumerate(names, 1)
    ]
    with paused_collection():
        encoded_fields = _encode_fields(annotations, names)
        areas = shapely.area(annotations.shapes).tolist()
        ignored_flags = annotations.is_ignored.astype(int).tolist()
        numbers = range(1, len(areas) + 1)
        records = [
            f'{{"id": {number}, {fields}, "area": {area}, "iscrowd": {ignored_flag}}}'
            for number, fields, area, ignored_flag in zip(
                numbers, encoded_fields, areas, ignored_flags
            )
        ]
        return (
            f'{{"images": {_to_json(images)}, "annotations": [{", ".join(records)}], '
            f'"categories": {_to_json(category_rows)}}}'
        )


def write_coco_results(annotations: Annotations, categories: Sequence[str] | None = None) -> str:
    """Return annotations as COCO results, which refer to the ground truth of the same images.

    Args:
        annotations: annotations in pixels, without masks, each with a score.
        categories: names of the categories of the ground truth, in its order; by default those of
            :func:`category_names`.

    Returns:
        The JSON text.

    >>> box = shapely.box(0, 0, 4, 2)
    >>> images = [Image("plot.tif", 100, 100)]
    >>> annotations = Annotations.from_shapes([box], images, score=[0.5])
    >>> json.loads(write_coco_results(annotations))[0]["score"]
    0.5
    """
    names = category_names(annotations) if categories is None else list(categories)
    _check_finite(annotations.score)
    with paused_collection():
        rows = zip(_encode_fields(annotations, names), annotations.score.tolist())
        records = [f'{{{fields}, "score": {score}}}' for fields, score in rows]
        return f"[{', '.join(records)}]"


def category_names(truth: Annotations, predictions: Annotations | None = None) -> list[str]:
    """Return the names of the categories in which crowns are written, sorted.

    Each class is a category of its own. All crowns are in one category if predictions or areas to
    ignore would have no effect in several: predictions of a single class or of none of the classes
    of the targets, and areas to ignore whose class is none of the targets.

    Args:
        truth: targets and areas to ignore.
        predictions: predictions that refer to them.

    >>> boxes, image = [shapely.box(0, 0, 4, 2)] * 2, Image("plot.tif")
    >>> targets = Annotations.from_shapes(boxes, [image], label=["Oak", "Ash"])
    >>> category_names(targets)
    ['Ash', 'Oak']
    >>> category_names(targets, Annotations.from_shapes(boxes, [image]))
    ['Tree']
    """
    labels = set(truth.label[~truth.is_ignored]) or set(truth.label)
    names = _names_of_labels(labels)
    ignored_have_own_class = not _names_of_labels(truth.label) <= names
    if ignored_have_own_class:
        return [DEFAULT_LABEL]
    predicted = set() if predictions is None else set(predictions.label)
    no_class = {None, ""}
    is_used = predictions is None or _shares_classes(labels - no_class, predicted - no_class)
    if is_used:
        return sorted(names | _names_of_labels(predicted)) or [DEFAULT_LABEL]
    return sorted(names) if len(names) == 1 else [DEFAULT_LABEL]


def _names_of_labels(labels: Iterable[Any]) -> set[str]:
    """Return the names of categories of labels; crowns without a label are in the default one."""
    return {str(label or DEFAULT_LABEL) for label in labels}


def _shares_classes(labels: set[str], predicted: set[str]) -> bool:
    """Return True if targets and predictions have several classes, and some in common."""
    return len(labels) > 1 and len(predicted) > 1 and not labels.isdisjoint(predicted)


def _to_json(value: Any) -> str:
    """Encode a value as JSON."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _check_finite(values: Floats) -> None:
    """Raise a ValueError if a number is infinite or NaN, which JSON cannot store."""
    if not np.isfinite(values).all():
        raise ValueError("JSON stores finite numbers only.")


def _encode_fields(annotations: Annotations, categories: Sequence[str]) -> Iterator[str]:
    """Encode the fields that annotations have both in a ground truth and in results.

    Python writes lists of finite numbers as JSON does, and far faster than the module json.

    Args:
        annotations: the annotations.
        categories: names of the categories.

    Returns:
        For each annotation the JSON of ``image_id``, ``category_id``, ``bbox`` (x, y, width,
        height), ``segmentation``, and of ``label`` if it is not the name of the category.
    """
    number_of_name = {name: number for number, name in enumerate(categories, 1)}
    labels = [str(label or DEFAULT_LABEL) for label in annotations.label]
    category_numbers = [number_of_name.get(label, 1) for label in labels]
    label_fields = {label: f', "label": {_to_json(label)}' for label in set(labels)}
    label_fields.update(dict.fromkeys(number_of_name, ""))  # the category says the label
    image_numbers = (annotations.image_index + 1).tolist()
    boxes = shapely.bounds(annotations.shapes)
    boxes[:, 2:] -= boxes[:, :2]  # COCO's boxes end with width and height
    _check_finite(boxes)
    outlines = _encode_outlines(annotations)
    return (
        f'"image_id": {image}, "category_id": {category}, "bbox": {box}, '
        f'"segmentation": {outline}{label_fields[label]}'
        for image, category, box, outline, label in zip(
            image_numbers, category_numbers, boxes.tolist(), outlines, labels
        )
    )


def _encode_outlines(annotations: Annotations) -> list[str]:
    """Encode COCO's ``segmentation`` of annotations.

    Returns:
        For each annotation the JSON of the coordinates x1, y1, x2, y2, … of each of its parts,
        without the last point of a ring; or of an RLE mask for a polygon with holes.
    """
    shapes = annotations.shapes
    parts, rows = shapely.get_parts(shapes, return_index=True)
    has_holes = shapely.get_num_interior_rings(parts) > 0
    rings = parts.copy()
    rings[has_holes] = shapely.get_exterior_ring(parts[has_holes])
    n_values = 2 * shapely.get_num_coordinates(rings).astype(np.int64)
    ends = np.cumsum(n_values)
    starts = (ends - n_values).tolist()
    ends_without_last_point = (ends - 2).tolist()
    # Lists are cut out of one list, because conversion per ring is slow.
    values = shapely.get_coordinates(rings).ravel().tolist()
    texts = [str(values[start:end]) for start, end in zip(starts, ends_without_last_point)]
    if len(texts) == len(shapes):
        outlines = [f"[{text}]" for text in texts]
    else:
        # The parts of shape i are texts[first_parts[i]:first_parts[i + 1]].
        first_parts = np.searchsorted(rows, np.arange(len(shapes) + 1)).tolist()
        outlines = []
        for start, end in zip(first_parts[:-1], first_parts[1:]):
            joined_texts = ", ".join(texts[start:end])
            outlines.append(f"[{joined_texts}]")
    for row in np.unique(rows[has_holes]).tolist():
        image: Image = annotations.images[annotations.image_index[row]]
        if image.width and image.height:
            mask = RleMask.from_polygon(shapes[row], image.height, image.width)
            counts = mask.run_lengths.tolist()
            outlines[row] = _to_json({"size": [mask.n_rows, mask.n_columns], "counts": counts})
    return outlines
