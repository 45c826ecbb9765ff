"""CVAT's XML files "CVAT for images": shapes on many images."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import shapely

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import (
    AnnotationCollector,
    Annotations,
    SkipReason,
    parse_polygon,
)
from randcrowns.core.exchange.pixel_masks import outline_of_pixels
from randcrowns.core.exchange.shapes import GroupedShapes, ellipse_polygon, turned_box
from randcrowns.core.exchange.values import parse_number, parse_pixels
from randcrowns.core.exchange.xml_files import XmlTag, read_xml

#: Tags of shapes; the others of an image, such as its own label, are no annotations.
_SHAPES = ("box", "polygon", "mask", "ellipse", "points", "polyline", "cuboid", "skeleton")
#: Maximum number of pixels of a mask.
_MAX_PIXELS = 1 << 26


def read_cvat(path: Path) -> Annotations:
    """Read the shapes in a file "CVAT for images".

    Shapes of one group and label on an image are parts of one crown. Lines, cuboids and skeletons
    are skipped. Attributes of shapes become fields.

    Args:
        path: the XML file.

    Returns:
        The annotations, in pixels.

    Raises:
        InputError: naming the file, if it cannot be read or is not such a file.

    >>> import tempfile
    >>> box = '<box label="Oak" xtl="0" ytl="0" xbr="4" ybr="2"/>'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "annotations.xml"
    ...     image = f'<image name="plot.tif" width="9" height="9">{box}</image>'
    ...     _ = path.write_text(f"<annotations>{image}</annotations>")
    ...     annotations = read_cvat(path)
    >>> annotations.shapes[0].area, annotations.label.tolist(), annotations.images[0].width
    (8.0, ['Oak'], 9)
    """
    root = read_xml(path)
    _check_root(path, root)
    collected = AnnotationCollector(path.name)
    grouped = GroupedShapes(collected)
    row = 0
    for number, image_tag in enumerate(root.all("image")):
        attributes = image_tag.attributes
        identity = attributes.get("id") or str(number)
        image = collected.index_image(
            attributes.get("name") or identity,
            parse_pixels(attributes.get("width")),
            parse_pixels(attributes.get("height")),
            identity=identity,
        )
        for tag in image_tag.children:
            if tag.name not in _SHAPES:
                continue
            row += 1
            fields = {}
            for field in tag.all("attribute"):
                fields[field.attributes.get("name", "")] = "".join(field.texts)
            score = fields.pop("score", None)
            group = tag.attributes.get("group_id")
            grouped.add(
                _read_shape(tag),
                image,
                row,
                tag.attributes.get("label"),
                score,
                None if group == "0" else group,  # 0 stands for no group
                fields,
            )
    return collected.build(messages=grouped.finish())


def _check_root(path: Path, root: XmlTag) -> None:
    """Raise an InputError if the root of an XML file is not that of "CVAT for images".

    Args:
        path: path of the file, for messages.
        root: its root element.
    """
    if root.name != "annotations":
        raise InputError(
            "cvat.not_cvat",
            "{path} is not a file of CVAT: its root is '{tag}', not 'annotations'.",
            path=path.name,
            tag=root.name,
        )
    if root.all("track") and not root.all("image"):
        raise InputError(
            "cvat.video",
            "{path} is a file 'CVAT for video', which cannot be imported; export it from CVAT as "
            "'CVAT for images' or COCO.",
            path=path.name,
        )


def _read_shape(tag: XmlTag) -> Any:
    """Return the geometry of a shape, or the reason to skip it."""
    if tag.name == "polygon":
        return parse_polygon(_coordinates(tag))
    if tag.name == "box":
        xmin, ymin, xmax, ymax = _numbers(tag, "xtl", "ytl", "xbr", "ybr")
        centre = ((xmin + xmax) / 2, (ymin + ymax) / 2)
        return turned_box((xmin, ymin, xmax, ymax), _rotation(tag), centre)
    if tag.name == "ellipse":
        return ellipse_polygon(*_numbers(tag, "cx", "cy", "rx", "ry"), _rotation(tag))
    if tag.name == "mask":
        return _read_mask(tag)
    if tag.name != "points":
        return SkipReason.NO_CROWN
    coordinates = _coordinates(tag)
    if len(coordinates) != 2:
        return SkipReason.NO_CROWN
    x = parse_number(coordinates[0])
    y = parse_number(coordinates[1])
    is_finite = np.isfinite(x) and np.isfinite(y)
    return shapely.Point(x, y) if is_finite else SkipReason.NOT_NUMBERS


def _read_mask(tag: XmlTag) -> Any:
    """Return the outline of a mask, whose pixels are run lengths by row within its own box."""
    left, top, width, height = _numbers(tag, "left", "top", "width", "height")
    has_size = np.isfinite([left, top, width, height]).all() and width > 0 and height > 0
    if not has_size or width * height > _MAX_PIXELS:
        return SkipReason.BAD_COUNTS
    texts = tag.attributes.get("rle", "").split(",")
    counts = np.array([parse_number(text) for text in texts], dtype=float)
    are_counts = np.isfinite(counts).all() and (counts >= 0).all()
    if not are_counts or counts.sum() != width * height:
        return SkipReason.BAD_COUNTS
    # Runs outside the mask and inside it alternate; the first one is outside.
    is_inside_run = np.arange(len(counts)) % 2 == 1
    mask = np.repeat(is_inside_run, counts.astype(int)).reshape(int(height), int(width))
    if not mask.any():
        return SkipReason.EMPTY_MASK
    return outline_of_pixels(mask, left, top)


def _coordinates(tag: XmlTag) -> list[str]:
    """Return the texts of the coordinates x1, y1, x2, y2, … of a shape."""
    return tag.attributes.get("points", "").replace(";", ",").split(",")


def _numbers(tag: XmlTag, *names: str) -> tuple[float, float, float, float]:
    """Return four attributes as numbers; NaN for those that are none."""
    first, second, third, fourth = (parse_number(tag.attributes.get(name)) for name in names)
    return first, second, third, fourth


def _rotation(tag: XmlTag) -> float:
    """Return the rotation of a shape in degrees clockwise."""
    return parse_number(tag.attributes.get("rotation", "0"))
