"""Placement of annotations on the map, or on the canvas where their images have no georeference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Generic

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats, Objects
from randcrowns.core.exchange.annotations import (
    Annotations,
    CoordinateUnit,
    DoubtReason,
    Image,
    SkipReason,
)
from randcrowns.core.exchange.exif import is_on_its_side
from randcrowns.core.exchange.image_finder import AnyImage, FoundImage, ImageFinder
from randcrowns.core.exchange.image_search import other_images_of_stem
from randcrowns.core.exchange.pixel_frame import PixelFrame
from randcrowns.core.exchange.rle import RleMask
from randcrowns.core.messages import Message, abbreviate, info, note
from randcrowns.core.progress import Progress, no_progress

#: Pixels by which an annotation may extend beyond its image by rounding.
_MAX_ROUNDING = 1.0
#: Coordinates below this number may be pixels of an image that is not found.
_MAX_IMAGE_SIZE = 200_000


@dataclass(frozen=True, eq=False)
class LocatedAnnotations(Generic[AnyImage]):
    """Annotations of a file with the images that it names."""

    annotations: Annotations  #: n annotations; those that cannot be used are skipped.
    shapes: Objects  #: (n,) polygons and points in the coordinates of each image's map.
    images: list[AnyImage]  #: in the order of the annotations' images.
    messages: list[Message]  #: messages about a unit that was guessed, and names of two images.


def locate_annotations(
    annotations: Annotations,
    file: Path,
    finder: ImageFinder[AnyImage],
    outline_of_mask: Callable[[RleMask], shapely.Geometry],
    progress: Progress = no_progress,
) -> LocatedAnnotations[AnyImage]:
    """Find the images of a file, and compute the shapes of its annotations there.

    Args:
        annotations: annotations of the file.
        file: the file.
        finder: finds the images.
        outline_of_mask: returns the outline of a mask in pixels.
        progress: receives the fraction done; may raise to cancel.

    Raises:
        InputError: if several images fit a name.
    """
    stored_images = []
    messages: list[Message] = []
    for named_image in annotations.images:
        image = finder.find(named_image.name, file, named_image.path)
        messages += _choice_messages(file.name, named_image.name, image.path)
        if image.path is None:
            image = replace(image, width=named_image.width, height=named_image.height)
        stored_images.append(image)
    orientations = [finder.orientation(image) for image in stored_images]
    is_stored = _counts_stored_pixels(annotations, stored_images, orientations)
    images = []
    for image, orientation, is_as_stored in zip(stored_images, orientations, is_stored):
        images.append(image if is_as_stored else image.turn(orientation))
    messages += _stored_pixels_messages(file.name, annotations, is_stored)

    if annotations.unit is CoordinateUnit.UNKNOWN:
        unit, message = guess_unit(file.name, annotations, images)
        annotations = replace(annotations, unit=unit)
        messages.append(message)
    if annotations.unit is CoordinateUnit.SHARES:
        has_no_size = np.array([image.width == 0 for image in images], dtype=bool)
        annotations = annotations.with_problem(
            SkipReason.NO_SIZE_KNOWN, has_no_size[annotations.image_index]
        )
    annotations = check_image_sizes(annotations, images)
    shapes = map_shapes(annotations, images, outline_of_mask, progress)
    return LocatedAnnotations(annotations, shapes, images, messages)


def _choice_messages(file: str, name: str, path: Path | None) -> list[Message]:
    """Return a note if a name without an extension may mean several images in a folder.

    Args:
        file: name of the annotation file.
        name: name of the image in the annotations.
        path: the image that was taken; None without one.
    """
    others = [] if path is None else other_images_of_stem(name, path)
    if path is None or not others:
        return []
    return [
        note(
            "exchange.several_extensions",
            "{file}: image '{image}' may be {taken} or {others}; {taken} was taken.",
            file=file,
            image=name,
            taken=path.name,
            others=[other.name for other in others],
        )
    ]


def skip_off_map(
    annotations: Annotations, shapes: Objects, images: Sequence[FoundImage], is_off_map: Bools
) -> tuple[Annotations, Objects]:
    """Skip the annotations on images that cannot be placed on the map.

    Args:
        annotations: n annotations of a file.
        shapes: (n,) shapes of the annotations.
        images: images of the annotations.
        is_off_map: mask of the images that cannot be placed.

    Returns:
        The other annotations, and their shapes.
    """
    if not images:
        return annotations, shapes
    is_missing = is_off_map & np.array([image.path is None for image in images], dtype=bool)
    placed_shapes = shapes[~is_off_map[annotations.image_index]]
    annotations = annotations.with_problem(
        SkipReason.MISSING_IMAGE, is_missing[annotations.image_index]
    )
    annotations = annotations.with_problem(
        SkipReason.OFF_THE_MAP, is_off_map[annotations.image_index]
    )
    return annotations, placed_shapes


def kinds_of_annotations(shapes: Objects, is_ignored: Bools) -> Objects:
    """Return the kind (n,) of each annotation: ``points``, ``ignored`` or ``crowns``.

    Args:
        shapes: (n,) polygons and points.
        is_ignored: (n,) mask of the areas to ignore; a point is never one.

    >>> shapes = np.array([shapely.Point(0, 0), shapely.box(0, 0, 1, 1)])
    >>> kinds_of_annotations(shapes, np.array([True, False])).tolist()
    ['points', 'crowns']
    """
    kinds = np.where(is_ignored, "ignored", "crowns").astype(object)
    kinds[shapely.get_type_id(shapes) == shapely.GeometryType.POINT] = "points"
    return kinds


def _counts_stored_pixels(
    annotations: Annotations, images: Sequence[PixelFrame], orientations: Sequence[int]
) -> list[bool]:
    """Return for each image whether its annotations count pixels as its file stores them.

    Annotation tools show a photo upright. Only a width and height that are those of the file on its
    side mean that the annotations are in pixels of the file. Some programs write these although
    they count upright pixels: annotations beyond the file's edges that fit into the upright photo
    reveal it, for all images of the annotation file.

    Args:
        annotations: annotations of the file.
        images: its images, in pixels as their files store them.
        orientations: EXIF orientation, 1 to 8, of each image.
    """
    is_stored = [
        _has_stored_size(image, named, orientation)
        for image, named, orientation in zip(images, annotations.images, orientations)
    ]
    if not any(is_stored) or annotations.unit is not CoordinateUnit.PIXELS:
        return is_stored
    # From here on an array has a value or row per annotation.
    image_sizes = np.array([(image.width, image.height) for image in images])
    stored_sizes = image_sizes[annotations.image_index]
    upright_sizes = stored_sizes[:, ::-1]
    upper_ends = shapely.bounds(annotations.shapes)[:, 2:]
    is_beyond_file = (upper_ends > stored_sizes + _MAX_ROUNDING).any(axis=1)
    fits_upright = (upper_ends <= upright_sizes + _MAX_ROUNDING).all(axis=1)
    is_on_stored_image = np.array(is_stored)[annotations.image_index]
    is_upright = is_beyond_file & fits_upright & is_on_stored_image
    return [False] * len(images) if is_upright.any() else is_stored


def _has_stored_size(image: PixelFrame, named: Image, orientation: int) -> bool:
    """Return True if an annotation file gives an image the size that it has on its side.

    Args:
        image: the image in pixels of its file.
        named: the image as the annotation file describes it.
        orientation: EXIF orientation of the image, 1 to 8.
    """
    is_square = image.width == image.height
    has_size_of_file = (named.width, named.height) == (image.width, image.height)
    is_decisive = has_size_of_file and not is_square and not named.is_upright
    return is_on_its_side(orientation) and is_decisive


def _stored_pixels_messages(
    file: str, annotations: Annotations, is_stored: Sequence[bool]
) -> list[Message]:
    """Return a note about images whose annotations were taken for pixels as stored.

    Args:
        file: name of the annotation file.
        annotations: annotations of the file.
        is_stored: True for each image with such annotations.
    """
    names = [image.name for image, stored in zip(annotations.images, is_stored) if stored]
    if not names:
        return []
    template = (
        "{file}: {images} are stored on their side (EXIF orientation), and the file gives their "
        "stored size. The crowns were taken for stored pixels. If they lie beside the trees, "
        "remove the sizes from the file."
    )
    one = (
        "{file}: {images} is stored on its side (EXIF orientation), and the file gives its stored "
        "size. The crowns were taken for stored pixels. If they lie beside the trees, remove the "
        "size from the file."
    )
    return [
        note(
            "exchange.stored_pixels",
            template,
            one=one,
            file=file,
            images=abbreviate(names),
            count=len(names),
        )
    ]


def check_image_sizes(annotations: Annotations, images: Sequence[PixelFrame]) -> Annotations:
    """Skip masks of another size than their image; mark annotations beyond it as doubtful.

    Args:
        annotations: annotations in pixels or in shares of their images.
        images: images of the annotations.

    Returns:
        The annotations with their problems; unchanged if they are in map coordinates.
    """
    if annotations.unit is CoordinateUnit.MAP or not len(annotations):
        return annotations
    sizes = np.array([(image.width or np.inf, image.height or np.inf) for image in images])
    has_other_size = np.zeros(len(annotations), dtype=bool)
    for number, mask in annotations.masks.items():
        size = sizes[annotations.image_index[number]]
        is_known = np.isfinite(size).all()
        has_other_size[number] = is_known and (mask.n_columns, mask.n_rows) != tuple(size)
    annotations = annotations.with_problem(SkipReason.OTHER_SIZE, has_other_size)

    bounds = shapely.bounds(annotations.shapes)
    upper = 1.0 if annotations.unit is CoordinateUnit.SHARES else sizes[annotations.image_index]
    is_outside = ((bounds[:, 2:] < 0) | (bounds[:, :2] > upper)).any(axis=1)
    # Of images of unknown size, shares have no pixels, and are skipped.
    tolerance = _MAX_ROUNDING / sizes[annotations.image_index]
    if annotations.unit is CoordinateUnit.PIXELS:
        tolerance = np.full_like(tolerance, _MAX_ROUNDING)
    extends = (bounds[:, :2] < -tolerance) | (bounds[:, 2:] > upper + tolerance)
    annotations = annotations.with_problem(DoubtReason.OUTSIDE, is_outside)
    return annotations.with_problem(DoubtReason.BEYOND, extends.any(axis=1) & ~is_outside)


def guess_unit(
    name: str, annotations: Annotations, images: Sequence[PixelFrame]
) -> tuple[CoordinateUnit, Message]:
    """Return whether coordinates are pixels or map coordinates, with a message.

    Map coordinates on an image without a georeference are those at which QGIS shows it, as
    exports of crowns in pixels contain them: y points upwards. The frame in which more centres of
    annotations lie within their images is chosen. If an image is not found, small positive
    coordinates are taken for pixels.

    Args:
        name: name of the file for the message.
        annotations: annotations of the file.
        images: images of the annotations.

    Returns:
        The unit of the coordinates, and the message that states it.
    """
    centres = _centres(annotations.shapes)
    n_pixels = 0
    n_map = 0
    for number, image in enumerate(images):
        image_centres = centres[annotations.image_index == number]
        if image.width:
            n_pixels += int(image.contains(image_centres).sum())
            n_map += int(image.contains(image.to_pixels(image_centres)).sum())
        else:
            may_be_pixels = ((image_centres >= 0) & (image_centres < _MAX_IMAGE_SIZE)).all(axis=1)
            n_pixels += int(may_be_pixels.sum())
            n_map += int((~may_be_pixels).sum())

    if n_map > n_pixels:
        template = (
            "{file}: its outlines were taken for map coordinates, because they lie on the images "
            "there."
        )
        return CoordinateUnit.MAP, info("exchange.in_map", template, file=name)
    template = "{file}: its outlines were taken for pixels of its images."
    return CoordinateUnit.PIXELS, info("exchange.in_pixels", template, file=name)


def map_shapes(
    annotations: Annotations,
    images: Sequence[PixelFrame],
    outline_of_mask: Callable[[RleMask], shapely.Geometry],
    progress: Progress = no_progress,
) -> Objects:
    """Return the shapes (n,) of annotations in map coordinates of their images.

    Masks become outlines. On an image without a georeference, coordinates are those in which QGIS
    displays it.

    Args:
        annotations: annotations of a file.
        images: images of the annotations, in their order.
        outline_of_mask: returns the outline of a mask in pixels.
        progress: receives the fraction done; may raise to cancel.
    """
    shapes = annotations.shapes.copy()
    for n_done, (number, mask) in enumerate(annotations.masks.items()):
        shapes[number] = outline_of_mask(mask)
        progress(n_done / len(annotations.masks))
    if annotations.unit is CoordinateUnit.MAP:
        return shapes
    for number, image in enumerate(images):
        rows = np.flatnonzero(annotations.image_index == number)
        if not len(rows):
            continue
        if annotations.unit is CoordinateUnit.SHARES:
            pixels_per_unit = np.array([image.width, image.height])
        else:
            pixels_per_unit = np.ones(2)
        shapes[rows] = shapely.transform(
            shapes[rows], partial(_to_map_coordinates, image, pixels_per_unit)
        )
    return shapes


def _to_map_coordinates(image: PixelFrame, pixels_per_unit: Floats, xy: Floats) -> Floats:
    """Return (n, 2) map coordinates; ``pixels_per_unit`` (2,) converts ``xy`` (n, 2) to pixels."""
    return image.to_map(xy * pixels_per_unit)


def _centres(shapes: Objects) -> Floats:
    """Return the centres (n, 2) of the bounding boxes of shapes (n,)."""
    bounds = shapely.bounds(shapes)
    centres: Floats = (bounds[:, :2] + bounds[:, 2:]) / 2
    return centres
