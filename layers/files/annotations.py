"""Annotation files: search for files, reading, and placement of their crowns on the map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext, QgsCsException

from randcrowns.core.arrays import Bools, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import Annotations, CoordinateUnit
from randcrowns.core.exchange.crs_messages import no_system_message, several_systems_message
from randcrowns.core.exchange.files import (
    LAYER_SEPARATOR,
    SEPARATOR,
    AnnotationFile,
    AnnotationReader,
    files_without_truth,
    find_annotation_files,
)
from randcrowns.core.exchange.formats import FileFormat
from randcrowns.core.exchange.image_messages import doubtful_image_messages
from randcrowns.core.exchange.image_names import (
    ImagesOfFile,
    distinct_image_names,
    shared_image_messages,
)
from randcrowns.core.exchange.placement import (
    kinds_of_annotations,
    locate_annotations,
    skip_off_map,
)
from randcrowns.core.messages import Message, abbreviate, note, warning
from randcrowns.core.progress import Progress, iterate_with_progress, subprogress
from randcrowns.layers.crs import (
    create_transform,
    crs_name,
    has_datum_or_code,
    is_transform_needed,
    transform_coordinates,
)
from randcrowns.layers.files.label_raster import read_label_raster
from randcrowns.layers.files.vector_files import read_vector_file
from randcrowns.layers.raster.images import (
    AnnotatedImage,
    ImageFinder,
    mask_outline,
)


@dataclass(frozen=True, eq=False)
class AnnotationFileContent:
    """Content of an annotation file."""

    file: AnnotationFile
    annotations: Annotations  #: its annotations.
    #: CRS of annotations in map coordinates; invalid if it is unknown.
    crs: QgsCoordinateReferenceSystem = field(default_factory=QgsCoordinateReferenceSystem)
    #: True if the file has no CRS, but a record that QGIS shows its coordinates.
    has_shown_coordinates: bool = False


@dataclass(frozen=True, eq=False)
class PlacedFile(AnnotationFileContent):
    """Content of an annotation file, placed on the map."""

    #: (n,) polygons and points in the common CRS of all files.
    shapes: Objects = field(default_factory=lambda: np.empty(0, dtype=object))
    images: tuple[Path, ...] = ()  #: files of the images that have annotations.
    #: Names that tell the annotations' images apart, in the order of the images.
    image_names: tuple[str, ...] = ()

    @property
    def masks_by_kind(self) -> dict[str, Bools]:
        """Masks (n,) of the points, the areas to ignore (``ignored``) and the crowns, by name."""
        kinds = kinds_of_annotations(self.shapes, self.annotations.is_ignored)
        return {kind: kinds == kind for kind in ("points", "ignored", "crowns")}


class _LocatedFile(NamedTuple):
    """Content of a file with the images that it names."""

    file: AnnotationFileContent
    shapes: Objects  #: (n,) polygons and points in the coordinates of each image's map.
    images: list[AnnotatedImage]  #: in the order of the annotations' images.

    @property
    def annotated_images(self) -> list[AnnotatedImage]:
        """Images that have annotations, in the same order."""
        annotated_numbers = self.file.annotations.annotated_images
        return [image for number, image in enumerate(self.images) if number in annotated_numbers]


def read_annotation_files(
    files: Sequence[AnnotationFile],
    first_pixel: int,
    minimum_score: float,
    progress: Progress,
    truth: Path | None = None,
    image_folder: Path | None = None,
) -> list[AnnotationFileContent]:
    """Read annotation files.

    Args:
        files: the files.
        first_pixel: number of an image's first pixel in Pascal VOC files, 0 or 1.
        minimum_score: minimum score of an annotation; annotations without a score are included.
        progress: receives the fraction done; may raise to cancel.
        truth: COCO ground truth from which results take the names and sizes of their images and the
            names of classes; it is not imported. By default it is searched for in the same folder.
        image_folder: folder of the images that the user selected, near which YOLO's names of
            classes are searched, too; None without one.

    Raises:
        InputError: if a file cannot be read, or if there are results and a ground truth, which
            would be mixed.
    """
    imported_files = files_without_truth(files, truth)
    reader = AnnotationReader(imported_files, first_pixel, minimum_score, truth, image_folder)
    contents = []
    for file, file_progress in iterate_with_progress(imported_files, progress):
        crs = QgsCoordinateReferenceSystem()  # only layers and rasters name their CRS
        has_shown_coordinates = False
        if file.format is FileFormat.LAYER:
            annotations, crs, has_shown_coordinates = read_vector_file(
                file.path, file_progress, file.layer
            )
        elif file.format is FileFormat.LABEL_RASTER:
            annotations, crs = read_label_raster(file.path)
        else:
            annotations = reader.read(file, file_progress)
        content = AnnotationFileContent(
            file,
            annotations.drop_low_scores(minimum_score),
            crs=crs,
            has_shown_coordinates=has_shown_coordinates,
        )
        contents.append(content)
    return contents


def place_annotation_files(
    files: Sequence[AnnotationFileContent],
    finder: ImageFinder,
    crs: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
    progress: Progress,
) -> tuple[list[PlacedFile], QgsCoordinateReferenceSystem, list[Message]]:
    """Place the annotations of all files on the map, in a common CRS.

    The common CRS is the first one that an image or a file has. If no image has a georeference,
    crowns are in pixel coordinates, as QGIS displays such images.

    Args:
        files: contents of the files.
        finder: finds the images that the files name.
        crs: CRS of images and files that have none; may be invalid.
        context: datum transformations of the project.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The placed files; the common CRS, invalid for pixel coordinates; messages about frames,
        images and CRS.

    Raises:
        InputError: if the coordinates of a file cannot be transformed.
    """
    messages: list[Message] = []
    located_files: list[_LocatedFile] = []
    for file, file_progress in iterate_with_progress(files, subprogress(progress, 0.0, 0.7)):
        located, unit_messages = _locate(file, finder, file_progress)
        located_files.append(located)
        messages += unit_messages

    named_images = []
    for located in located_files:
        annotations = located.file.annotations
        named_images.append(
            ImagesOfFile(
                located.file.file,
                annotations.images,
                located.images,
                annotations.annotated_images,
            )
        )
    names_by_file = distinct_image_names(named_images, finder)
    messages += shared_image_messages(named_images)

    systems_by_file = [_list_image_systems(located, crs) for located in located_files]
    known_systems: list[QgsCoordinateReferenceSystem] = []
    for systems in systems_by_file:
        known_systems += [system for system in systems if system is not None]
    on_map = bool(known_systems)
    target = next((system for system in known_systems if system.isValid()), None)

    placed_files = []
    annotated_names: list[str] = []
    for located, systems, names in zip(located_files, systems_by_file, names_by_file):
        annotated_images = located.annotated_images
        placed = _place_file(located, annotated_images, systems, target, context, on_map=on_map)
        placed_files.append(replace(placed, image_names=names))
        annotated_names += [image.name for image in annotated_images]
        messages += _image_messages(located.file, located.images, annotated_images, on_map)
    # Images without a georeference all lie at the same pixel coordinates.
    n_overlapping = 0 if on_map else len(set(annotated_names))
    messages += _crs_messages(known_systems, target, n_overlapping)
    progress(1.0)
    common_crs = QgsCoordinateReferenceSystem() if target is None else target
    return placed_files, common_crs, messages


def _locate(
    file: AnnotationFileContent, finder: ImageFinder, progress: Progress
) -> tuple[_LocatedFile, list[Message]]:
    """Find the images of a file and compute the shapes of its annotations there.

    Args:
        file: content of the file.
        finder: finds the images that the file names.
        progress: receives the fraction done.

    Returns:
        The file, in which unusable annotations are skipped; a message if its unit was guessed.
    """
    located = locate_annotations(file.annotations, file.file.path, finder, mask_outline, progress)
    located_file = replace(file, annotations=located.annotations)
    return _LocatedFile(located_file, located.shapes, located.images), located.messages


def _place_file(
    located: _LocatedFile,
    annotated_images: Sequence[AnnotatedImage],
    systems: Sequence[QgsCoordinateReferenceSystem | None],
    target: QgsCoordinateReferenceSystem | None,
    context: QgsCoordinateTransformContext,
    *,
    on_map: bool,
) -> PlacedFile:
    """Transform the annotations of a file to the common CRS; skip those that have none.

    Args:
        located: the file with its images.
        annotated_images: the images that have annotations.
        systems: CRS of each image's annotations, see :func:`_list_image_systems`.
        target: the common CRS; None if no CRS is known.
        context: datum transformations of the project.
        on_map: True if any image of any file has a georeference.
    """
    file = located.file
    # Annotations on an image without a position, or in an unknown CRS, cannot be placed among the
    # others.
    cannot_be_placed = [
        system is None or (target is not None and not system.isValid()) for system in systems
    ]
    is_off_map = on_map & np.array(cannot_be_placed, dtype=bool)
    annotations, shapes = skip_off_map(file.annotations, located.shapes, located.images, is_off_map)
    for number, system in enumerate(systems):
        if system is None or target is None:
            continue
        is_on_image = annotations.image_index == number
        if is_on_image.any() and is_transform_needed(system, target):
            shapes[is_on_image] = _transform_shapes(
                shapes[is_on_image], system, target, context, file.file.path.name
            )
    image_paths = tuple(image.path for image in annotated_images if image.path)
    return PlacedFile(
        file=file.file,
        annotations=annotations,
        crs=file.crs,
        has_shown_coordinates=file.has_shown_coordinates,
        shapes=shapes,
        images=image_paths,
    )


def _list_image_systems(
    located: _LocatedFile, crs: QgsCoordinateReferenceSystem
) -> list[QgsCoordinateReferenceSystem | None]:
    """Return the CRS of the annotations on each image of a file.

    Args:
        located: the file with its images.
        crs: CRS of images and files that have none.

    Returns:
        A CRS per image, invalid if it is unknown; None for pixels of an image without a
        georeference, and for recorded coordinates as QGIS shows such an image.
    """
    file = located.file
    systems: list[QgsCoordinateReferenceSystem | None] = []
    for image in located.images:
        if file.annotations.unit is CoordinateUnit.MAP:
            systems.append(_find_map_system(file, image, crs))
        elif image.geotransform is None:
            systems.append(None)
        elif image.crs.isValid():
            systems.append(image.crs)
        else:
            systems.append(crs)
    return systems


def _find_map_system(
    file: AnnotationFileContent, image: AnnotatedImage, crs: QgsCoordinateReferenceSystem
) -> QgsCoordinateReferenceSystem | None:
    """Return the CRS of annotations in map coordinates: that of the file, image or run.

    Args:
        file: content of the file, in map coordinates.
        image: image of the annotations.
        crs: CRS of images and files that have none.

    Returns:
        The first valid CRS; else an invalid one, or None for coordinates as QGIS shows an image
        without a georeference.
    """
    for system in (file.crs, image.crs, crs):
        if system.isValid():
            return system
    is_image_without_georeference = image.path is not None and image.geotransform is None
    if file.has_shown_coordinates or is_image_without_georeference:
        return None
    return crs


def _transform_shapes(
    shapes: Objects,
    source: QgsCoordinateReferenceSystem,
    target: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
    file_name: str,
) -> Objects:
    """Return shapes (n,) transformed from one CRS to another.

    Args:
        shapes: (n,) shapes in ``source``.
        source: CRS of the shapes.
        target: CRS of the result.
        context: datum transformations of the project.
        file_name: name of the file, for the error.

    Raises:
        InputError: if a coordinate cannot be transformed.
    """
    transform = create_transform(source, target, context)
    try:
        transformed: Objects = shapely.transform(
            shapes, lambda xy: transform_coordinates(xy, transform)
        )
    except QgsCsException:
        transformed = np.array([None], dtype=object)
    if not np.isfinite(shapely.total_bounds(transformed)).all():
        raise InputError(
            "import.not_transformed",
            "The crowns of {file} cannot be transformed from {crs} to {to}; import it separately.",
            file=file_name,
            crs=crs_name(source),
            to=crs_name(target),
        )
    return transformed


def _crs_messages(
    systems: Sequence[QgsCoordinateReferenceSystem],
    target: QgsCoordinateReferenceSystem | None,
    n_overlapping_images: int,
) -> list[Message]:
    """Return messages about the CRS of all annotations, and about images that overlap.

    Args:
        systems: all CRS of annotations on the map, with repetitions; may contain invalid ones.
        target: the common CRS; None if no CRS is known.
        n_overlapping_images: number of images without a georeference, if no image has one.
    """
    messages = []
    if n_overlapping_images > 1:
        template = (
            "Crowns of {count:,} images without a georeference lie on one another. With the field "
            "'image' as plot field, only crowns of the same image are compared."
        )
        messages.append(note("exchange.several_images", template, count=n_overlapping_images))
    if target is None:
        if systems:
            messages.append(no_system_message())
        return messages

    target_name = crs_name(target)
    if not has_datum_or_code(target):
        template = "The coordinate system '{crs}' is not defined."
        messages.append(warning("exchange.undefined_system", template, crs=target_name))
    all_names = [crs_name(system) for system in systems if system.isValid()]
    distinct_names = list(dict.fromkeys(all_names))
    if len(distinct_names) > 1:
        messages.append(several_systems_message(distinct_names, target_name))
    return messages


def _image_messages(
    file: AnnotationFileContent,
    images: Sequence[AnnotatedImage],
    annotated_images: Sequence[AnnotatedImage],
    on_map: bool,
) -> list[Message]:
    """Return messages about images that are missing, unreadable, unplaced or without crowns.

    Args:
        file: content of the file.
        images: the images in the order of the annotations' images.
        annotated_images: the images that have annotations.
        on_map: True if any image of any file has a georeference.
    """
    annotations = file.annotations
    name = file.file.path.name
    messages = []
    if annotations.unit is not CoordinateUnit.MAP:
        messages += _unusable_image_messages(file, images, annotated_images)
        unplaced = [image.name for image in annotated_images if image.geotransform is None]
        if unplaced and not on_map:
            message = note(
                "exchange.no_georeference",
                "{file}: {images} have no georeference. Their crowns are in pixels, and lie on "
                "them in QGIS.",
                one="{file}: {images} has no georeference. Its crowns are in pixels, and lie on it "
                "in QGIS.",
                file=name,
                count=len(unplaced),
                images=abbreviate(unplaced),
            )
            messages.append(message)
    empty_images = annotations.empty_images
    if empty_images:
        message = note(
            "exchange.empty_image",
            "{file}: {count:,} images are without crowns: {images}.",
            one="{file}: 1 image is without crowns: {images}.",
            file=name,
            count=len(empty_images),
            images=abbreviate(empty_images),
        )
        messages.append(message)
    return messages


def _unusable_image_messages(
    file: AnnotationFileContent,
    images: Sequence[AnnotatedImage],
    annotated_images: Sequence[AnnotatedImage],
) -> list[Message]:
    """Return messages about images that are missing, unreadable, turned or of another size.

    Args:
        file: content of the annotation file.
        images: image of each image name of the file, whether found or not.
        annotated_images: the images with annotations.
    """
    file_name = file.file.path.name
    unreadable_names = []
    missing_names = []
    for image in annotated_images:
        if image.is_unreadable:
            unreadable_names.append(image.name)
        elif image.path is None:
            missing_names.append(image.name)

    messages = []
    if missing_names:
        template = (
            "{file}: images not found beside the file or in the folder of the images: {images}. "
            "Choose the images' folder."
        )
        names = abbreviate(missing_names)
        messages.append(warning("exchange.missing_image", template, file=file_name, images=names))
    if unreadable_names:
        template = (
            "{file}: files that cannot be read as images: {images}. They may be damaged, or of "
            "another format."
        )
        names = abbreviate(unreadable_names)
        messages.append(warning("exchange.broken_image", template, file=file_name, images=names))
    messages += doubtful_image_messages(
        file_name, file.annotations.images, images, annotated_images
    )
    return messages


__all__ = [
    "LAYER_SEPARATOR",
    "SEPARATOR",
    "AnnotationFile",
    "AnnotationFileContent",
    "PlacedFile",
    "find_annotation_files",
    "place_annotation_files",
    "read_annotation_files",
]
