"""Preview of annotation files before their import: crowns, images, and examples of crowns."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsRectangle,
)

from randcrowns.core.errors import InputError, RandCrownsError
from randcrowns.core.exchange.file_groups import (
    FileSummary,
    describe_group,
    group_files,
    has_scores,
    separate_coco_results,
)
from randcrowns.core.exchange.files import AnnotationFile, is_result_list
from randcrowns.core.exchange.formats import FileFormat
from randcrowns.core.exchange.image_search import has_image_extension
from randcrowns.core.progress import Progress
from randcrowns.layers.cloud.header import CLOUD_EXTENSIONS, read_header
from randcrowns.layers.files.annotations import (
    LAYER_SEPARATOR,
    AnnotationFileContent,
    PlacedFile,
    find_annotation_files,
    place_annotation_files,
    read_annotation_files,
)
from randcrowns.layers.files.label_raster import may_hold_labels
from randcrowns.layers.raster.images import ImageFinder
from randcrowns.layers.raster.images_beside import ImageBeside, find_images_beside

#: Maximum number of rasters of a folder that are opened in search of crowns.
_MAX_RASTERS = 50
#: Key of the message about COCO results without a ground truth, which name their images.
_NAMED_RESULTS = "coco.images_of_results"
#: Number of crowns that a preview shows.
_N_EXAMPLES = 3


@dataclass(frozen=True)
class ExampleCrown:
    """A crown that a preview shows on its image."""

    outline: shapely.Geometry  #: Polygon in the coordinates of the map.
    image: Path  #: File of the image.


@dataclass(frozen=True)
class ImportPreview:
    """Content of an annotation file, or of a folder of such files, as an import reads it."""

    n_crowns: int = 0  #: Number of crowns, without points and areas to ignore.
    n_skipped: int = 0  #: Number of annotations that cannot be used.
    has_scores: bool = False  #: True if a crown has a detector's score.
    #: Images with annotations that were found, each once. If no file names an image, the images of
    #: the folder that show the crowns.
    images: tuple[Path, ...] = ()
    #: Names of the images with annotations that were not found.
    missing_images: tuple[str, ...] = ()
    #: CRS of the outlines; invalid for pixel coordinates.
    crs: QgsCoordinateReferenceSystem = field(default_factory=QgsCoordinateReferenceSystem)
    examples: tuple[ExampleCrown, ...] = ()  #: Up to three crowns whose image was found.
    #: Texts that specify the files of a folder which belong into layers of their own, such as
    #: targets and predictions, or the layers of a file; empty if all crowns belong into one layer.
    #: The other attributes are then not set.
    parts: tuple[str, ...] = ()
    #: Ground truth of COCO, from which results take the names of their images; None without one.
    coco_truth: Path | None = None
    #: True for a folder of point clouds with a tree each, which are one cloud. The other attributes
    #: are then not set.
    is_cloud: bool = False
    #: True for results of COCO that name their images, but whose ground truth was not found.
    lacks_coco_truth: bool = False


def read_import_preview(
    path: str,
    image_folder: str,
    context: QgsCoordinateTransformContext,
    truth: Path | None,
    progress: Progress,
) -> ImportPreview:
    """Read the preview of a file or a folder; call in a worker thread.

    Args:
        path: path of an annotation file or of a folder of such files.
        image_folder: folder that is searched for the images; "" for none.
        context: datum transformations of the project.
        truth: ground truth of COCO results; None to search for it in their folder.
        progress: receives the fraction done; may raise to cancel.

    Raises:
        InputError: if a file does not exist or cannot be read.
    """
    is_folder = os.path.isdir(path)  # Path.is_dir raises errors.
    try:
        found_files = find_annotation_files(path, None)
    except InputError as error:
        is_without = is_folder and error.key == "import.no_annotation_file"
        parts = _find_labels_and_clouds(path) if is_without else ()
        if not parts:
            raise
        if _are_trees(parts):
            return ImportPreview(is_cloud=True)
        return ImportPreview(parts=parts)
    if is_folder:
        parts = _describe_groups(separate_coco_results(found_files), found_files)
        if parts:
            return ImportPreview(parts=parts)

    try:
        contents = read_annotation_files(found_files, 0, 0.0, progress, truth)
    except InputError as error:
        if is_folder or error.key != "import.several_layers":
            raise
        return ImportPreview(parts=_layers_of_file(path, error.values["layers"]))
    finder = ImageFinder(Path(image_folder) if image_folder else None)
    files, crs, _ = place_annotation_files(
        contents, finder, QgsCoordinateReferenceSystem(), context, progress
    )
    paths_by_file = [_image_paths(file, finder) for file in files]
    if len(found_files) > 1:
        summaries = [
            _summarise(content, file, paths)
            for content, file, paths in zip(contents, files, paths_by_file)
            if content.file.format
        ]
        all_files = found_files if is_folder else _files_around(found_files)
        parts = _describe_groups(group_files(summaries), all_files)
        if parts:
            return ImportPreview(parts=parts)

    images: dict[Path, None] = {}  # the keys, in order
    missing: list[str] = []
    crowns: list[ExampleCrown] = []
    for file, paths in zip(files, paths_by_file):
        images.update(dict.fromkeys(path for path in paths.values() if path is not None))
        missing += _missing_images(file, paths)
        crowns += _crowns_on_images(file, paths)
    if not (images or missing):
        images_beside = _images_beside(files, image_folder, crs, context)
        images.update(dict.fromkeys(image.path for image in images_beside))
        crowns = [crown for file in files for crown in _crowns_beside(file, images_beside)]
    return ImportPreview(
        n_crowns=sum(int(file.masks_by_kind["crowns"].sum()) for file in files),
        n_skipped=sum(map(_count_skipped, files)),
        has_scores=any(has_scores(content.annotations) for content in contents),
        images=tuple(images),
        missing_images=tuple(dict.fromkeys(missing)),
        crs=crs,
        examples=_choose_examples(crowns),
        coco_truth=_find_coco_truth(found_files),
        lacks_coco_truth=any(
            message.key == _NAMED_RESULTS
            for content in contents
            for message in content.annotations.messages
        ),
    )


def _files_around(files: Sequence[AnnotationFile]) -> list[AnnotationFile]:
    """Return all annotation files in the common folder of files, which may hold others too."""
    folder = os.path.commonpath([file.path.parent for file in files])
    return find_annotation_files(folder, None)


def _are_trees(paths: Sequence[str]) -> bool:
    """Return True for several point clouds without attributes of their own, such as ids of trees.

    Each of them is a tree; page Instances reads their folder as one cloud.

    Args:
        paths: paths of rasters and point clouds.
    """
    if len(paths) < 2 or not all(path.lower().endswith(CLOUD_EXTENSIONS) for path in paths):
        return False
    try:
        headers = [read_header(Path(path)) for path in paths]
    except RandCrownsError:
        return False  # The page reports the problem of the cloud that is evaluated.
    return not any(attribute.is_extra for header in headers for attribute in header.attributes)


def _layers_of_file(path: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the texts that specify layers of a file, such as a GeoPackage.

    Args:
        path: path of the file.
        names: names of the layers.
    """
    return tuple(f"{path}{LAYER_SEPARATOR}{name}" for name in names)


def _find_labels_and_clouds(folder: str) -> tuple[str, ...]:
    """Return the paths of a folder's rasters with whole numbers and point clouds, by name.

    Args:
        folder: folder without annotation files; its subfolders are not searched.
    """
    names = sorted(os.listdir(folder))  # the names are text
    rasters = [name for name in names if has_image_extension(name)][:_MAX_RASTERS]
    clouds = [name for name in names if name.lower().endswith(CLOUD_EXTENSIONS)]
    labels = [name for name in rasters if may_hold_labels(Path(folder) / name)]
    return tuple(str(Path(folder) / name) for name in (*labels, *clouds))


def _describe_groups(
    groups: Sequence[Sequence[Path]], files: Sequence[AnnotationFile]
) -> tuple[str, ...]:
    """Return the texts that specify groups of files; () if there is one group only.

    Args:
        groups: Paths per group.
        files: All files of the folder.
    """
    if len(groups) < 2:
        return ()
    all_paths = [file.path for file in files if file.format]
    texts = tuple(describe_group(group, all_paths) for group in groups)
    return texts if all(texts) else ()


def _summarise(
    content: AnnotationFileContent, file: PlacedFile, paths: dict[int, Path | None]
) -> FileSummary:
    """Return what decides about the layer of a file.

    Args:
        content: Content of the file, with annotations whose image was not found.
        file: The same file, placed.
        paths: Result of :func:`_image_paths`.
    """
    crowns = file.shapes[file.masks_by_kind["crowns"]]
    extent = None
    if content.file.format is FileFormat.LAYER and len(crowns):
        xmin, ymin, xmax, ymax = map(float, shapely.total_bounds(crowns))
        extent = (xmin, ymin, xmax, ymax)
    return FileSummary(
        content.file.path,
        has_crowns=bool(len(content.annotations)),
        has_scores=has_scores(content.annotations),
        images=tuple(path for path in paths.values() if path is not None),
        extent=extent,
        missing_images=tuple(_missing_images(file, paths)),
    )


def _find_coco_truth(files: Sequence[AnnotationFile]) -> Path | None:
    """Return the ground truth of COCO if it is the only file; else None."""
    if len(files) != 1 or files[0].format is not FileFormat.COCO:
        return None
    path = files[0].path
    return None if is_result_list(path) else path


def _count_skipped(file: PlacedFile) -> int:
    """Return the number of annotations of a file that cannot be used."""
    return sum(len(rows) for rows in file.annotations.skipped_rows.values())


def _image_paths(file: PlacedFile, finder: ImageFinder) -> dict[int, Path | None]:
    """Return the file of each image with annotations, by its number; None if it is missing."""
    paths = {}
    for number in sorted(file.annotations.annotated_images):
        image = file.annotations.images[number]
        paths[number] = finder.find(image.name, file.file.path, image.path).path
    return paths


def _missing_images(file: PlacedFile, paths: dict[int, Path | None]) -> list[str]:
    """Return the names of the images of a file that were not found.

    Args:
        file: the annotation file.
        paths: result of :func:`_image_paths`.
    """
    names = (file.annotations.images[number].name for number, path in paths.items() if not path)
    return [name for name in names if name]


def _crowns_on_images(file: PlacedFile, paths: dict[int, Path | None]) -> list[ExampleCrown]:
    """Return the crowns of a file whose image was found.

    Args:
        file: the annotation file.
        paths: result of :func:`_image_paths`.
    """
    crowns = []
    for row in np.flatnonzero(file.masks_by_kind["crowns"]):
        image = paths.get(int(file.annotations.image_index[row]))
        if image is not None:
            crowns.append(ExampleCrown(file.shapes[row], image))
    return crowns


def _images_beside(
    files: Sequence[PlacedFile],
    image_folder: str,
    crs: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
) -> list[ImageBeside]:
    """Return the images in the folders of files that show their crowns; [] for pixels.

    Args:
        files: files that name no images.
        image_folder: folder that the user selected for the images; "" for none.
        crs: CRS of the crowns; invalid for pixel coordinates.
        context: datum transformations of the project.
    """
    shapes = [file.shapes[file.masks_by_kind["crowns"]] for file in files]
    bounds = shapely.total_bounds(np.concatenate([[], *shapes]).astype(object))
    if not crs.isValid() or np.isnan(bounds).any():
        return []
    folders = dict.fromkeys(file.file.path.parent for file in files)
    if image_folder:
        folders[Path(image_folder)] = None
    extent = QgsRectangle(*map(float, bounds))
    image_paths = [
        image for folder in folders for image in find_images_beside(folder, extent, crs, context)
    ]
    return list({image.path: image for image in image_paths}.values())


def _crowns_beside(file: PlacedFile, images: Sequence[ImageBeside]) -> list[ExampleCrown]:
    """Return the crowns of a file that lie on an image of :func:`_images_beside`."""
    crowns = []
    for shape in file.shapes[file.masks_by_kind["crowns"]]:
        extent = QgsRectangle(*map(float, shape.bounds))
        paths = (image.path for image in images if image.bounds.contains(extent))
        path = next(paths, None)
        if path is not None:
            crowns.append(ExampleCrown(shape, path))
    return crowns


def _choose_examples(crowns: list[ExampleCrown]) -> tuple[ExampleCrown, ...]:
    """Return up to three crowns from the beginning, the middle and the end of a list."""
    positions = np.linspace(0, len(crowns) - 1, min(_N_EXAMPLES, len(crowns)))
    return tuple(crowns[round(position)] for position in positions)
