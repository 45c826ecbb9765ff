"""COCO's files: a ground truth with images and annotations, and results, a bare list that names images by number."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import (
    Annotations,
    Collected,
    Doubt,
    Flaw,
    Image,
    box_of,
    polygon_of,
)
from randcrowns.core.exchange.masks import Mask, counts_in
from randcrowns.core.exchange.values import json_in, number_of, pixels_of

#: What crowns without a label are called, and their category where they have several.
_TREE = "Tree"
_CATEGORY = 1


def read_coco(path: Path, truth: Path | None = None) -> Annotations:
    """The annotations in a ground truth or in results.

    Args:
        truth: a ground truth with the images and categories that results name by number.

    Raises:
        InputError: naming the file, when it is no such file, breaks off, or holds results without a ground truth.
    """
    held = json_in(path)
    if isinstance(held, list):
        if truth is None:
            raise InputError(
                "{path} holds results only, which name images by number; choose it together with its ground truth: "
                "both files, or the folder with both.",
                path=path.name,
            )
        return _read(path, held, json_in(truth))
    if not holds_truth(held):
        raise InputError(
            "{path} is no file of COCO: it needs the lists images and annotations.", path=path.name
        )
    return _read(path, held["annotations"], held)


def holds_truth(held: Any) -> bool:
    """Whether this is a ground truth: with the lists of images and annotations."""
    return isinstance(held, dict) and all(
        isinstance(held.get(name), list) for name in ("images", "annotations")
    )


def write_coco_truth(found: Annotations) -> str:
    """A ground truth; images, annotations and the category are numbered from 1.

    Outlines are lists of points. One with holes, which those cannot hold, becomes a mask of the image's pixels.
    """
    annotations = [
        {"id": place + 1, **record, "area": float(shapely.area(shape)), "iscrowd": int(ignored)}
        for place, (record, shape, ignored) in enumerate(
            zip(_records(found), found.shapes, found.ignored)
        )
    ]
    images = [
        {"id": place + 1, "file_name": one.name, "width": one.width, "height": one.height}
        for place, one in enumerate(found.images)
    ]
    category = {"id": _CATEGORY, "name": category_name(found), "supercategory": ""}
    lists = {"images": images, "annotations": annotations, "categories": [category]}
    return "{" + ", ".join(f'"{name}": {_written(rows)}' for name, rows in lists.items()) + "}"


def write_coco_results(found: Annotations) -> str:
    """Results for the ground truth of the same images; every annotation needs a score."""
    return _written(
        [{**record, "score": float(score)} for record, score in zip(_records(found), found.score)]
    )


def category_name(found: Annotations) -> str:
    """The label that all crowns share, or else ``Tree``: evaluation makes no difference between labels."""
    labels = {label or _TREE for label in found.label}
    return str(labels.pop()) if len(labels) == 1 else _TREE


def _written(rows: Sequence[Any]) -> str:
    """Row by row: in a single call no other thread could run, as that which hears a Cancel."""
    return (
        "[" + ", ".join(json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows) + "]"
    )


def _records(found: Annotations) -> list[dict[str, Any]]:
    records, name = [], category_name(found)
    rows = zip(found.shapes, found.image, found.label, shapely.bounds(found.shapes).tolist())
    for shape, place, label, (x1, y1, x2, y2) in rows:
        own = {} if (label or _TREE) == name else {"label": label or _TREE}
        records.append(
            {
                "image_id": int(place) + 1,
                "category_id": _CATEGORY,
                "bbox": [x1, y1, x2 - x1, y2 - y1],
                "segmentation": _segmentation(shape, found.images[place]),
                **own,
            }
        )
    return records


def _segmentation(shape: Any, image: Image) -> Any:
    parts = shapely.get_parts(shape)
    if any(len(part.interiors) for part in parts) and image.width and image.height:
        mask = Mask.of_polygon(shape, image.height, image.width)
        return {"size": [mask.rows, mask.columns], "counts": mask.counts.tolist()}
    return [shapely.get_coordinates(part.exterior)[:-1].ravel().tolist() for part in parts]


def _read(path: Path, annotations: Sequence[Any], truth: Mapping[str, Any]) -> Annotations:
    if not holds_truth(truth):
        raise InputError(
            "{path} needs a ground truth with the lists images and annotations.", path=path.name
        )
    found = Collected(path.name)
    places: dict[Any, int] = {}
    for number, image in enumerate(truth["images"], 1):
        name = image.get("file_name") if isinstance(image, dict) else None
        if not isinstance(name, str) or not name or not _is_key(image.get("id")):
            said = "{path}: image {number} of the list has no file_name or no id."
            raise InputError(said, path=path.name, number=number)
        places[image["id"]] = found.image(
            name, *(pixels_of(image.get(side)) for side in ("width", "height"))
        )
    categories = truth.get("categories")
    labels = {
        one.get("id"): str(one.get("name"))
        for one in (categories if isinstance(categories, list) else [])
        if isinstance(one, dict) and _is_key(one.get("id"))
    }
    for row, one in enumerate(annotations, 1):
        if not isinstance(one, dict):
            found.flaw(Flaw.BAD_GEOMETRY, row)
            continue
        image_id, category = one.get("image_id"), one.get("category_id")
        if not _is_key(image_id) or image_id not in places:
            found.flaw(Flaw.UNKNOWN_IMAGE, row)
            continue
        label = one.get("label") or (labels.get(category) if _is_key(category) else None)
        if label is None and category is not None:
            found.flaw(Doubt.NO_NAME, row)
        found.add(
            _shape(one),
            places[image_id],
            row,
            None if label is None else str(label),
            one.get("score"),
            bool(one.get("iscrowd")),
        )
    return found.done()


def _is_key(value: Any) -> bool:
    """Whether a value can number an image or a category; some programs write 1.0."""
    return isinstance(value, (int, str, float)) and not isinstance(value, bool) and value == value


def _shape(one: Mapping[str, Any]) -> Any:
    """The outline, a mask, the box where there is neither, or what is wrong."""
    outline = one.get("segmentation")
    if isinstance(outline, dict) and outline:
        return _mask(outline)
    if isinstance(outline, list) and any(part != [] for part in outline):
        if all(isinstance(value, (int, float)) for value in outline):
            outline = [outline]
        parts = [polygon_of(part) for part in outline]
        wrong = next((part for part in parts if isinstance(part, Flaw)), None)
        return wrong or (parts[0] if len(parts) == 1 else shapely.multipolygons(parts))
    box = one.get("bbox")
    if not isinstance(box, (list, tuple)) or len(box) != 4:
        return Flaw.NOT_NUMBERS
    x, y, width, height = map(number_of, box)
    return box_of([x, y, x + width, y + height])


def _mask(held: Mapping[str, Any]) -> Mask | Flaw:
    size, counts = held.get("size"), held.get("counts")
    if (
        not isinstance(size, list)
        or len(size) != 2
        or not all(type(side) is int and side > 0 for side in size)
    ):
        return Flaw.BAD_COUNTS
    try:
        if isinstance(counts, str):
            runs = counts_in(counts)
        elif isinstance(counts, list) and all(type(count) is int for count in counts):
            runs = np.array(counts, dtype=np.int64)
        else:
            return Flaw.BAD_COUNTS
    except (InputError, OverflowError):
        return Flaw.BAD_COUNTS
    mask = Mask(size[0], size[1], runs)
    if not mask.is_whole:
        return Flaw.BAD_COUNTS
    return mask if runs[1::2].sum() else Flaw.EMPTY_MASK
