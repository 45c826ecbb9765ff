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

from randcrowns.core.arrays import Ints
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
                "coco.results_only",
                "{path} holds results only, which name images by number; choose it together with "
                "its ground truth: both files, or the folder with both.",
                path=path.name,
            )
        return _read_annotations(path, content, read_json(truth))
    if not is_ground_truth(content):
        raise InputError(
            "coco.not_coco",
            "{path} is not a COCO file: it needs the lists images and annotations.",
            path=path.name,
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


def _to_records(annotations: Annotations) -> list[dict[str, Any]]:
    """Return the fields that annotations have both in a ground truth and in results.

    Returns:
        For each annotation ``image_id``, ``category_id``, ``bbox`` (x, y, width, height),
        ``segmentation``, and ``label`` if it differs from the name of the category.
    """
    records: list[dict[str, Any]] = []
    category = category_name(annotations)
    bounds = shapely.bounds(annotations.shapes).tolist()
    for row, (xmin, ymin, xmax, ymax) in enumerate(bounds):
        image_index = int(annotations.image_index[row])
        image = annotations.images[image_index]
        record: dict[str, Any] = {
            "image_id": image_index + 1,
            "category_id": _CATEGORY,
            "bbox": [xmin, ymin, xmax - xmin, ymax - ymin],
            "segmentation": _encode_outline(annotations.shapes[row], image),
        }
        label = annotations.label[row] or _TREE
        if label != category:
            record["label"] = label
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
            "coco.no_ground_truth",
            "{path} needs a ground truth with the lists images and annotations.",
            path=path.name,
        )
    collected = AnnotationCollector(path.name)
    image_index = _read_images(path, truth["images"], collected)
    category_names = _read_categories(truth.get("categories"))
    for row, record in enumerate(annotations, 1):
        if not isinstance(record, dict):
            collected.add_problem(SkipReason.BAD_GEOMETRY, row)
            continue
        image_id = record.get("image_id")
        if not _is_id(image_id) or image_id not in image_index:
            collected.add_problem(SkipReason.UNKNOWN_IMAGE, row)
            continue
        label = _read_label(record, category_names)
        if label is None and record.get("category_id") is not None:
            collected.add_problem(DoubtReason.NO_NAME, row)
        collected.add(
            _read_shape(record),
            image_index[image_id],
            row,
            label,
            record.get("score"),
            bool(record.get("iscrowd")),
        )
    return collected.build()


def _read_label(record: Mapping[str, Any], category_names: Mapping[Any, str]) -> str | None:
    """Return the label of an annotation, or else the name of its category; None without any.

    Args:
        record: decoded annotation.
        category_names: names of the categories by id.
    """
    label = record.get("label")
    if label:
        return str(label)
    category = record.get("category_id")
    return category_names.get(category) if _is_id(category) else None


def _read_images(
    path: Path, images: Sequence[Any], collected: AnnotationCollector
) -> dict[Any, int]:
    """Add the images of a ground truth to ``collected`` and return their indices by id.

    Args:
        path: file that errors name.
        images: decoded list of images.
        collected: collector to add the images to.

    Raises:
        InputError: if an image has no file name or no id.
    """
    image_index: dict[Any, int] = {}
    for number, image in enumerate(images, 1):
        name = image.get("file_name") if isinstance(image, dict) else None
        if not isinstance(name, str) or not name or not _is_id(image.get("id")):
            raise InputError(
                "coco.image_without_name",
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


def _read_shape(record: Mapping[str, Any]) -> shapely.Geometry | RleMask | SkipReason:
    """Return the geometry of an annotation.

    Args:
        record: decoded annotation with ``segmentation`` or ``bbox``.

    Returns:
        The outline or mask, or else the box; the reason to skip the annotation if it is invalid.
    """
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


def _read_polygons(outline: list[Any]) -> shapely.Geometry | SkipReason:
    """Return the polygon or multipolygon of an annotation's outline.

    Args:
        outline: coordinates x1, y1, x2, y2, … of one part, or a list of them for each part.

    Returns:
        The geometry, or the reason to skip it if a part is invalid.
    """
    is_single = all(isinstance(value, (int, float)) for value in outline)
    coordinates_of_parts = [outline] if is_single else outline
    parts: list[shapely.Polygon] = []
    for coordinates in coordinates_of_parts:
        part = parse_polygon(coordinates)
        if isinstance(part, SkipReason):
            return part
        parts.append(part)
    return parts[0] if len(parts) == 1 else shapely.multipolygons(parts)


def _read_mask(encoded: Mapping[str, Any]) -> RleMask | SkipReason:
    """Return the mask of a plain or compressed run-length encoding.

    Args:
        encoded: ``size`` (rows, columns) and ``counts`` (list of run lengths, or text).

    Returns:
        The mask, or the reason to skip it if it is invalid or empty.
    """
    size = encoded.get("size")
    if not isinstance(size, list) or len(size) != 2:
        return SkipReason.BAD_COUNTS
    if not all(type(side) is int and side > 0 for side in size):
        return SkipReason.BAD_COUNTS
    runs = _read_counts(encoded.get("counts"))
    if runs is None:
        return SkipReason.BAD_COUNTS
    mask = RleMask(size[0], size[1], runs)
    if not mask.is_valid:
        return SkipReason.BAD_COUNTS
    n_pixels = runs[1::2].sum()
    return mask if n_pixels else SkipReason.EMPTY_MASK


def _read_counts(counts: Any) -> Ints | None:
    """Return the run lengths (n,) of a mask; None if they are invalid.

    Args:
        counts: list of whole numbers, or COCO's compressed text.
    """
    try:
        if isinstance(counts, str):
            return decode_counts(counts)
        if isinstance(counts, list) and all(type(count) is int for count in counts):
            return np.array(counts, dtype=np.int64)
    except (InputError, OverflowError):
        pass
    return None
