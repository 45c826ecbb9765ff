"""COCO files: ground truths with images and annotations, and results.

Results are a bare list of annotations, which refer to the images of a ground truth by number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import (
    AnnotationCollector,
    Annotations,
    DoubtReason,
    Image,
    SkipReason,
    parse_box,
    parse_polygon,
)
from randcrowns.core.exchange.rle import RleMask, decode_counts
from randcrowns.core.exchange.values import parse_number, parse_pixels, read_json

#: Label of crowns without a label, and name of the category if the labels differ.
_TREE = "Tree"
#: Id of the only category in written files.
_CATEGORY = 1


def read_coco(path: Path, truth: Path | None = None) -> Annotations:
    """Read the annotations in a COCO ground truth or in results.

    Args:
        path: the file to read.
        truth: ground truth with the images and categories of results. Not used for a ground truth.

    Returns:
        The annotations, in pixels.

    Raises:
        InputError: naming the file, if it is not a valid COCO file, or contains results and the
            ground truth is missing.

    >>> import tempfile
    >>> truth = {
    ...     "images": [{"id": 7, "file_name": "plot.tif"}],
    ...     "annotations": [{"image_id": 7, "bbox": [0, 0, 4, 2]}],
    ... }
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "truth.json"
    ...     _ = path.write_text(json.dumps(truth), encoding="utf-8")
    ...     read_coco(path).shapes[0].area
    8.0
    """
    content = read_json(path)
    if isinstance(content, list):
        if truth is None:
            raise InputError(
                "{path} holds results only, which name images by number; choose it together with "
                "its ground truth: both files, or the folder with both.",
                path=path.name,
            )
        return _read_annotations(path, content, read_json(truth))
    if not is_ground_truth(content):
        raise InputError(
            "{path} is not a COCO file: it needs the lists images and annotations.", path=path.name
        )
    return _read_annotations(path, content["annotations"], content)


def is_ground_truth(content: Any) -> bool:
    """Return True if decoded JSON is a ground truth: has lists of images and annotations.

    >>> is_ground_truth({"images": [], "annotations": []}), is_ground_truth([])
    (True, False)
    """
    return isinstance(content, dict) and all(
        isinstance(content.get(name), list) for name in ("images", "annotations")
    )


def write_coco_truth(annotations: Annotations) -> str:
    """Return annotations as a COCO ground truth.

    Images, annotations and the single category are numbered from 1. Outlines are lists of points;
    an outline with holes, which COCO's polygons cannot represent, becomes a mask of the pixels if
    the size of the image is known.

    Args:
        annotations: annotations in pixels, without masks.

    Returns:
        The JSON text.

    >>> box = shapely.box(0, 0, 4, 2)
    >>> text = write_coco_truth(Annotations.from_shapes([box], [Image("plot.tif", 100, 100)]))
    >>> json.loads(text)["annotations"][0]["bbox"]
    [0.0, 0.0, 4.0, 2.0]
    """
    rows = zip(_to_records(annotations), annotations.shapes, annotations.is_ignored)
    records = [
        {"id": number, **record, "area": float(shapely.area(shape)), "iscrowd": int(is_ignored)}
        for number, (record, shape, is_ignored) in enumerate(rows, 1)
    ]
    images = [
        {"id": number, "file_name": image.name, "width": image.width, "height": image.height}
        for number, image in enumerate(annotations.images, 1)
    ]
    category = {"id": _CATEGORY, "name": category_name(annotations), "supercategory": ""}
    lists = {"images": images, "annotations": records, "categories": [category]}
    return "{" + ", ".join(f'"{name}": {_to_json(rows)}' for name, rows in lists.items()) + "}"


def write_coco_results(annotations: Annotations) -> str:
    """Return annotations as COCO results, which refer to the ground truth of the same images.

    Args:
        annotations: annotations in pixels, without masks, each with a score.

    Returns:
        The JSON text.

    >>> box = shapely.box(0, 0, 4, 2)
    >>> images = [Image("plot.tif", 100, 100)]
    >>> annotations = Annotations.from_shapes([box], images, score=[0.5])
    >>> json.loads(write_coco_results(annotations))[0]["score"]
    0.5
    """
    records = _to_records(annotations)
    return _to_json(
        [{**record, "score": float(score)} for record, score in zip(records, annotations.score)]
    )


def category_name(annotations: Annotations) -> str:
    """Return the label that all crowns share, or "Tree" if the labels differ.

    Files are written with a single category, because an evaluation ignores labels.

    >>> box, image = shapely.box(0, 0, 4, 2), Image("plot.tif")
    >>> category_name(Annotations.from_shapes([box], [image], label=["Oak"]))
    'Oak'
    """
    labels = {label or _TREE for label in annotations.label}
    return str(labels.pop()) if len(labels) == 1 else _TREE


def _to_json(rows: Sequence[Any]) -> str:
    """Encode a list as JSON.

    A single call for the whole list would hold Python's lock, and a cancellation would have to
    wait; so each row is encoded by a call of its own.
    """
    encoded = [json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows]
    return "[" + ", ".join(encoded) + "]"


def _to_records(found: Annotations) -> list[dict[str, Any]]:
    """Return the fields that annotations have both in a ground truth and in results."""
    records: list[dict[str, Any]] = []
    category = category_name(found)
    bounds = shapely.bounds(found.shapes).tolist()
    for shape, image, label, (x1, y1, x2, y2) in zip(
        found.shapes, found.image_index, found.label, bounds
    ):
        record: dict[str, Any] = {
            "image_id": int(image) + 1,
            "category_id": _CATEGORY,
            "bbox": [x1, y1, x2 - x1, y2 - y1],
            "segmentation": _encode_outline(shape, found.images[image]),
        }
        if (label or _TREE) != category:
            record["label"] = label or _TREE
        records.append(record)
    return records


def _encode_outline(shape: Any, image: Image) -> Any:
    """Return COCO's ``segmentation``: lists of points, or an RLE mask for a polygon with holes."""
    parts = shapely.get_parts(shape)
    has_holes = any(len(part.interiors) for part in parts)
    if has_holes and image.width and image.height:
        mask = RleMask.from_polygon(shape, image.height, image.width)
        return {"size": [mask.n_rows, mask.n_columns], "counts": mask.run_lengths.tolist()}
    return [shapely.get_coordinates(part.exterior)[:-1].ravel().tolist() for part in parts]


def _read_annotations(
    path: Path, annotations: Sequence[Any], truth: Mapping[str, Any]
) -> Annotations:
    """Read a list of annotations whose images and categories are those of a ground truth.

    Args:
        path: file of the annotations.
        annotations: decoded list of annotations.
        truth: decoded ground truth.

    Raises:
        InputError: if the ground truth or one of its images is invalid.
    """
    if not is_ground_truth(truth):
        raise InputError(
            "{path} needs a ground truth with the lists images and annotations.", path=path.name
        )
    collected = AnnotationCollector(path.name)
    image_index = _read_images(path, truth["images"], collected)
    labels = _read_categories(truth.get("categories"))
    for row, record in enumerate(annotations, 1):
        if not isinstance(record, dict):
            collected.add_problem(SkipReason.BAD_GEOMETRY, row)
            continue
        image_id = record.get("image_id")
        if not _is_id(image_id) or image_id not in image_index:
            collected.add_problem(SkipReason.UNKNOWN_IMAGE, row)
            continue
        category = record.get("category_id")
        label = record.get("label") or (labels.get(category) if _is_id(category) else None)
        if label is None and category is not None:
            collected.add_problem(DoubtReason.NO_NAME, row)
        collected.add(
            _read_shape(record),
            image_index[image_id],
            row,
            None if label is None else str(label),
            record.get("score"),
            bool(record.get("iscrowd")),
        )
    return collected.build()


def _read_images(
    path: Path, images: Sequence[Any], collected: AnnotationCollector
) -> dict[Any, int]:
    """Add the images of a ground truth to ``collected`` and return their indices by id.

    Raises:
        InputError: if an image has no file name or no id.
    """
    image_index: dict[Any, int] = {}
    for number, image in enumerate(images, 1):
        name = image.get("file_name") if isinstance(image, dict) else None
        if not isinstance(name, str) or not name or not _is_id(image.get("id")):
            raise InputError(
                "{path}: image {number} of the list has no file_name or no id.",
                path=path.name,
                number=number,
            )
        width, height = parse_pixels(image.get("width")), parse_pixels(image.get("height"))
        image_index[image["id"]] = collected.index_image(name, width, height)
    return image_index


def _read_categories(categories: Any) -> dict[Any, str]:
    """Return the names of a ground truth's categories by id; invalid categories are skipped."""
    if not isinstance(categories, list):
        return {}
    return {
        category.get("id"): str(category.get("name"))
        for category in categories
        if isinstance(category, dict) and _is_id(category.get("id"))
    }


def _is_id(value: Any) -> bool:
    """Return True if a value can be the id of an image or a category.

    Some programs write integers as 1.0; NaN is not an id.
    """
    is_number_or_text = isinstance(value, (int, str, float)) and not isinstance(value, bool)
    return is_number_or_text and value == value


def _read_shape(record: Mapping[str, Any]) -> Any:
    """Return the outline or mask of an annotation, or else its box; a Flaw if it is invalid."""
    outline = record.get("segmentation")
    if isinstance(outline, dict) and outline:
        return _read_mask(outline)
    if isinstance(outline, list) and any(part != [] for part in outline):
        return _read_polygons(outline)
    box = record.get("bbox")
    if not isinstance(box, (list, tuple)) or len(box) != 4:
        return SkipReason.NOT_NUMBERS
    x, y, width, height = map(parse_number, box)
    return parse_box([x, y, x + width, y + height])


def _read_polygons(outline: list[Any]) -> Any:
    """Return the (multi)polygon of one or several lists of coordinates; a Flaw if invalid."""
    is_single = all(isinstance(value, (int, float)) for value in outline)
    parts = [parse_polygon(part) for part in ([outline] if is_single else outline)]
    for part in parts:
        if isinstance(part, SkipReason):
            return part
    return parts[0] if len(parts) == 1 else shapely.multipolygons(parts)


def _read_mask(encoded: Mapping[str, Any]) -> RleMask | SkipReason:
    """Return the mask of a plain or compressed run-length encoding; a Flaw if it is invalid."""
    size, counts = encoded.get("size"), encoded.get("counts")
    if not isinstance(size, list) or len(size) != 2:
        return SkipReason.BAD_COUNTS
    if not all(type(side) is int and side > 0 for side in size):
        return SkipReason.BAD_COUNTS
    try:
        if isinstance(counts, str):
            runs = decode_counts(counts)
        elif isinstance(counts, list) and all(type(count) is int for count in counts):
            runs = np.array(counts, dtype=np.int64)
        else:
            return SkipReason.BAD_COUNTS
    except (InputError, OverflowError):
        return SkipReason.BAD_COUNTS
    mask = RleMask(size[0], size[1], runs)
    if not mask.is_valid:
        return SkipReason.BAD_COUNTS
    return mask if runs[1::2].sum() else SkipReason.EMPTY_MASK
