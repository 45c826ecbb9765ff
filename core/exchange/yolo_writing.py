"""Writing of YOLO text files: one per image, with a line per crown, and the names of the classes.

Lengths are shares of the image's width and height.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.crowns import is_box
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import DEFAULT_LABEL, Annotations, Image

#: Tolerance with which an outline counts as a box, in pixels.
_BOX_TOLERANCE = 1e-9


class YoloFiles(NamedTuple):
    """Files of the crowns of one layer, and the crowns that YOLO cannot store as they are."""

    #: Text by the name of the image without its folder and ending; "" for an image without crowns.
    texts: dict[str, str]
    n_crowns: dict[str, int]  #: number of crowns in each text, by the same name.
    n_clipped: int  #: number of crowns that were clipped to their image.
    n_simplified: int  #: number of crowns that lost holes or all parts but the largest.
    n_outside: int  #: number of crowns outside their image, which are left out.


class _Outlines(NamedTuple):
    """Outlines that a line of YOLO can store."""

    shapes: Objects  #: (n,) polygons without holes in their image, pixels.
    is_clipped: Bools  #: (n,) True for crowns that lay in part outside their image.
    is_simplified: Bools  #: (n,) True for crowns with holes or several parts.


def yolo_class_names(layers: Sequence[Annotations]) -> list[str]:
    """Return the names of the classes in the order of their numbers, sorted.

    Crowns without a label are in the class "Tree".

    >>> boxes, images = [shapely.box(0, 0, 4, 2)] * 2, [Image("plot.tif", 100, 100)]
    >>> yolo_class_names([Annotations.from_shapes(boxes, images, label=["Oak", None])])
    ['Oak', 'Tree']
    """
    return sorted({_class_name(label) for layer in layers for label in layer.label})


def has_boxes_only(layers: Sequence[Annotations]) -> bool:
    """Return True if all crowns are boxes. YOLO reads the lines of all files in one form."""
    return all(bool(is_box(layer.shapes, _BOX_TOLERANCE).all()) for layer in layers)


def write_yolo_data(names: Sequence[str]) -> str:
    """Return the text of the file ``data.yaml`` with the names of the classes.

    >>> print(write_yolo_data(["Ash", "Oak"]))
    path: .
    train: images
    val: images
    nc: 2
    names:
      0: "Ash"
      1: "Oak"
    <BLANKLINE>
    """
    lines = ["path: .", "train: images", "val: images", f"nc: {len(names)}", "names:"]
    lines += [f"  {number}: {_quote(name)}" for number, name in enumerate(names)]
    return "\n".join([*lines, ""])


def write_yolo(annotations: Annotations, names: Sequence[str], *, as_boxes: bool) -> YoloFiles:
    r"""Return annotations as YOLO files, one per image.

    A line is ``class cx cy w h`` for boxes, or ``class x1 y1 x2 y2 …``, followed by the score if
    the crowns have scores. Crowns are clipped to their image, because YOLO rejects shares beyond
    0 and 1. Of several parts the largest is written, without its holes.

    Args:
        annotations: annotations in pixels, without masks; all or none of them with a score.
        names: names of the classes in the order of their numbers, see :func:`yolo_class_names`.
        as_boxes: True to write boxes, False to write polygons.

    Raises:
        InputError: if the size of an image is unknown, or if images differ in their ending only.

    >>> images = [Image("plot.tif", 100, 100)]
    >>> annotations = Annotations.from_shapes([shapely.box(0, 0, 4, 2)], images, label=["Oak"])
    >>> write_yolo(annotations, ["Ash", "Oak"], as_boxes=True).texts
    {'plot': '1 0.02 0.01 0.04 0.02\n'}
    """
    _check_sizes(annotations.images)
    stems = _distinct_stems(annotations.images)
    outlines = _storable_outlines(annotations)
    is_inside = ~shapely.is_empty(outlines.shapes)
    lines = _format_lines(annotations, outlines.shapes, names, as_boxes=as_boxes)
    texts = {}
    n_crowns = {}
    for image_index, stem in enumerate(stems):
        is_on_image = annotations.image_index == image_index
        image_lines = [lines[row] for row in np.flatnonzero(is_on_image & is_inside)]
        texts[stem] = "".join(f"{line}\n" for line in image_lines)
        n_crowns[stem] = len(image_lines)
    return YoloFiles(
        texts=texts,
        n_crowns=n_crowns,
        n_clipped=int((outlines.is_clipped & is_inside).sum()),
        n_simplified=int((outlines.is_simplified & is_inside).sum()),
        n_outside=int((~is_inside).sum()),
    )


def _quote(name: str) -> str:
    """Return a name as a quoted string of YAML, in which invisible characters are escaped."""
    # A string of JSON is one of YAML if all of its characters are printable.
    text = json.dumps(name, ensure_ascii=False)
    return "".join(letter if letter.isprintable() else f"\\U{ord(letter):08x}" for letter in text)


def _class_name(label: str | None) -> str:
    """Return the name of the class of a crown with a label."""
    return str(label or DEFAULT_LABEL)


def _check_sizes(images: Sequence[Image]) -> None:
    """Raise an InputError if the size of an image is unknown."""
    for image in images:
        if not (image.width and image.height):
            raise InputError(
                "export.yolo_without_size",
                "YOLO stores shares of the image's size, but the size of image '{image}' is "
                "unknown.",
                image=image.name,
            )


def _distinct_stems(images: Sequence[Image]) -> list[str]:
    """Return the names of images without folder and ending, after which text files are named.

    Raises:
        InputError: if names differ at most in upper and lower case, in which file names need not
            differ.
    """
    stems = [PurePosixPath(image.name.replace("\\", "/")).stem for image in images]
    counts = Counter(stem.lower() for stem in stems)
    repeated = [stem for stem, count in counts.items() if count > 1]
    if repeated:
        raise InputError(
            "export.yolo_repeated_name",
            "Several images are named '{name}' but for their folder or ending, which YOLO's files "
            "do not name. Rename them.",
            name=repeated[0],
        )
    return stems


def _storable_outlines(annotations: Annotations) -> _Outlines:
    """Return the outlines as polygons without holes that lie in their image.

    The outline of a crown outside its image is empty.
    """
    sizes = _sizes_of_images(annotations, np.arange(len(annotations)))
    bounds = shapely.bounds(annotations.shapes)
    is_beyond_image = (bounds[:, :2] < 0).any(axis=1) | (bounds[:, 2:] > sizes).any(axis=1)
    shapes = annotations.shapes.copy()
    frames = shapely.box(0, 0, sizes[is_beyond_image, 0], sizes[is_beyond_image, 1])
    shapes[is_beyond_image] = shapely.intersection(shapes[is_beyond_image], frames)
    main_parts = _largest_parts(shapes)
    is_simplified = shapely.area(main_parts) != shapely.area(shapes)
    return _Outlines(main_parts, is_clipped=is_beyond_image, is_simplified=is_simplified)


def _largest_parts(shapes: Objects) -> Objects:
    """Return the largest part (n,) of each polygon, without its holes."""
    parts, shape_of_part = shapely.get_parts(shapes, return_index=True)
    by_area = np.argsort(shapely.area(parts), kind="stable")
    # Of the parts of a shape the largest is assigned last and stays.
    largest = np.full(len(shapes), shapely.Polygon(), dtype=object)
    largest[shape_of_part[by_area]] = parts[by_area]
    polygons: Objects = shapely.polygons(shapely.get_exterior_ring(largest))
    return polygons


def _format_lines(
    annotations: Annotations, shapes: Objects, names: Sequence[str], *, as_boxes: bool
) -> list[str]:
    """Return the line of each crown: class, coordinates as shares, and the score if it has one.

    Args:
        annotations: n annotations with labels and scores.
        shapes: (n,) polygons without holes, pixels.
        names: names of the classes in the order of their numbers.
        as_boxes: True to write boxes, False to write polygons.
    """
    number_of_name: Mapping[str, int] = {name: number for number, name in enumerate(names)}
    if as_boxes:
        coordinates = _box_values(annotations, shapes)
    else:
        coordinates = _ring_values(annotations, shapes)
    scores = annotations.score.tolist()
    lines = []
    for label, shares, score in zip(annotations.label, coordinates, scores):
        class_number = number_of_name[_class_name(label)]
        values = shares.tolist()
        if np.isfinite(score):
            values.append(score)
        value_texts = [repr(value) for value in values]
        lines.append(" ".join([str(class_number), *value_texts]))
    return lines


def _sizes_of_images(annotations: Annotations, rows: Ints) -> Floats:
    """Return width and height (m, 2) of the images of crowns, pixels.

    Args:
        annotations: annotations with the sizes of their images.
        rows: (m,) indices of the crowns.
    """
    image_sizes = [(image.width, image.height) for image in annotations.images]
    sizes = np.array(image_sizes, dtype=float).reshape(-1, 2)  # also without images
    return cast("Floats", sizes[annotations.image_index[rows]])


def _box_values(annotations: Annotations, shapes: Objects) -> list[Floats]:
    """Return the values of the boxes of n crowns as shares of the size of their image.

    Args:
        annotations: n annotations.
        shapes: (n,) their outlines, pixels.

    Returns:
        n arrays (4,): centre x, centre y, width, height.
    """
    bounds = shapely.bounds(shapes)
    upper_left, lower_right = bounds[:, :2], bounds[:, 2:]
    image_sizes = _sizes_of_images(annotations, np.arange(len(shapes)))
    centres = (upper_left + lower_right) / 2 / image_sizes
    box_sizes = (lower_right - upper_left) / image_sizes
    return list(np.hstack([centres, box_sizes]))


def _ring_values(annotations: Annotations, shapes: Objects) -> list[Floats]:
    """Return the points of the outlines of n crowns as shares of the size of their image.

    Args:
        annotations: n annotations.
        shapes: (n,) their polygons without holes, pixels.

    Returns:
        n arrays x1, y1, x2, y2, … without the last point of a ring, which repeats the first.
    """
    points, row_of_point = shapely.get_coordinates(shapes, return_index=True)
    shares = np.clip(points / _sizes_of_images(annotations, row_of_point), 0.0, 1.0)
    n_points = np.bincount(row_of_point, minlength=len(shapes))
    ends = np.cumsum(n_points)
    starts = ends - n_points
    # An empty polygon has no points, and no last one.
    return [shares[start : max(end - 1, start)].ravel() for start, end in zip(starts, ends)]
