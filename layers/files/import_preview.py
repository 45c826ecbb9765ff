"""Preview of annotation files before their import: crowns, images, and examples of crowns."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsRectangle,
)

from randcrowns.core.arrays import Objects
from randcrowns.core.errors import InputError, RandCrownsError
from randcrowns.core.exchange.coco import IMAGES_OF_RESULTS
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
from randcrowns.core.exchange.own_results import find_own_results
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
from randcrowns.layers.vector.study_areas import OutlineSample

#: Maximum number of rasters of a folder that are opened in search of crowns.
_MAX_RASTERS = 50
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
    #: Outlines of the crowns; None if they were not read.
    outlines: OutlineSample | None = None
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
    #: Results of RandCrowns in a folder, which are no crowns to import; also set with ``parts``.
    own_results: tuple[Path, ...] = ()


@dataclass(frozen=True, eq=False)
class _PreviewedFile:
    """Annotation file with the images that it names."""

    content: AnnotationFileContent  #: content, with annotations whose image was not found.
    placed: PlacedFile  #: the same file, placed on the map.
    #: File of each image with annotations by the number of the image; None if it is missing.
    image_paths: dict[int, Path | None]

    @property
    def crown_shapes(self) -> Objects:
        """(n,) outlines of the crowns in the coordinates of the map."""
        return self.placed.shapes[self.placed.masks_by_kind["crowns"]]

    @property
    def found_images(self) -> list[Path]:
        """Files of the images with annotations that were found."""
        return [path for path in self.image_paths.values() if path is not None]


def read_import_preview(
    path: str,
    image_folder: str,
    context: QgsCoordinateTransformContext,
    truth: Path | None,
    progress: Progress,
) -> ImportPreview:
    """Read the preview of a file or a folder; see :func:`_read_preview`."""
    preview = _read_preview(path, image_folder, context, truth, progress)
    return replace(preview, own_results=tuple(find_own_results(path)))


def _read_preview(
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

    Returns:
        The preview. If the files of a folder belong into several layers, it has only ``parts``.

    Raises:
        InputError: if a file does not exist or cannot be read.
    """
    is_folder = os.path.isdir(path)  # Path.is_dir raises errors.
    try:
        annotation_files = find_annotation_files(path, None)
    except InputError as error:
        if not is_folder or error.key != "import.no_annotation_file":
            raise
        preview = _preview_labels_and_clouds(path)
        if preview is None:
            raise
        return preview
    if is_folder:
        parts = _describe_groups(separate_coco_results(annotation_files), annotation_files)
        if parts:
            return ImportPreview(parts=parts)

    folder = Path(image_folder) if image_folder else None
    try:
        contents = read_annotation_files(
            annotation_files,
            first_pixel=0,
            minimum_score=0.0,
            progress=progress,
            truth=truth,
            image_folder=folder,
        )
    except InputError as error:
        if is_folder or error.key != "import.several_layers":
            raise
        return ImportPreview(parts=_layers_of_file(path, error.values["layers"]))
    finder = ImageFinder(folder)
    placed_files, crs, _ = place_annotation_files(
        contents, finder, QgsCoordinateReferenceSystem(), context, progress
    )
    files = []
    for content, placed in zip(contents, placed_files):
        files.append(_PreviewedFile(content, placed, _find_images(placed, finder)))

    if len(annotation_files) > 1:
        all_files = annotation_files if is_folder else _files_around(annotation_files)
        parts = _describe_groups(_group_previewed_files(files), all_files)
        if parts:
            return ImportPreview(parts=parts)
    preview = _preview_crowns(files, image_folder, crs, context)
    return replace(preview, coco_truth=_find_coco_truth(annotation_files))


def _preview_labels_and_clouds(folder: str) -> ImportPreview | None:
    """Return the preview of a folder with label rasters or point clouds; None without any.

    Args:
        folder: folder without annotation files.
    """
    paths = _find_labels_and_clouds(folder)
    if not paths:
        return None
    if _are_trees(paths):
        return ImportPreview(is_cloud=True)
    return ImportPreview(parts=paths)


def _group_previewed_files(files: Sequence[_PreviewedFile]) -> list[list[Path]]:
    """Return the paths of the files that belong into the same layer, per layer.

    Args:
        files: several files; those without a known format are in no group.
    """
    summaries = [_summarise_file(file) for file in files if file.content.file.format]
    return group_files(summaries)


def _preview_crowns(
    files: Sequence[_PreviewedFile],
    image_folder: str,
    crs: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
) -> ImportPreview:
    """Return the preview of the crowns of files that belong into one layer.

    Args:
        files: the files.
        image_folder: folder that is searched for the images; "" for none.
        crs: CRS of the crowns; invalid for pixel coordinates.
        context: datum transformations of the project.
    """
    images: list[Path] = []
    missing_names: list[str] = []
    crowns: list[ExampleCrown] = []
    for file in files:
        images += file.found_images
        missing_names += _list_missing_images(file)
        crowns += _find_crowns_on_images(file)
    names_images = bool(images or missing_names)
    if not names_images:
        images_beside = _find_images_of_crowns(files, image_folder, crs, context)
        images = [image.path for image in images_beside]
        for file in files:
            crowns += _find_crowns_beside(file, images_beside)
    shapes = np.concatenate([np.empty(0, dtype=object), *(file.crown_shapes for file in files)])
    return ImportPreview(
        n_crowns=len(shapes),
        outlines=OutlineSample.of_shapes(shapes, crs),
        n_skipped=sum(_count_skipped(file.placed) for file in files),
        has_scores=any(has_scores(file.content.annotations) for file in files),
        # dict.fromkeys drops repeated values and keeps the order.
        images=tuple(dict.fromkeys(images)),
        missing_images=tuple(dict.fromkeys(missing_names)),
        crs=crs,
        examples=_choose_examples(crowns),
        lacks_coco_truth=any(_lacks_coco_truth(file) for file in files),
    )


def _lacks_coco_truth(file: _PreviewedFile) -> bool:
    """Return True for COCO results that were read without a ground truth."""
    return any(message.key == IMAGES_OF_RESULTS for message in file.content.annotations.messages)


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
    are_clouds = all(path.lower().endswith(CLOUD_EXTENSIONS) for path in paths)
    if len(paths) < 2 or not are_clouds:
        return False
    try:
        headers = [read_header(Path(path)) for path in paths]
    except RandCrownsError:
        return False  # The page reports the problem of the cloud that is evaluated.
    attributes = [attribute for header in headers for attribute in header.attributes]
    return not any(attribute.is_extra for attribute in attributes)


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
    names = sorted(os.listdir(folder))  # os.listdir: a path given as text yields names as text
    raster_names = [name for name in names if has_image_extension(name)][:_MAX_RASTERS]
    label_names = [name for name in raster_names if may_hold_labels(Path(folder) / name)]
    cloud_names = [name for name in names if name.lower().endswith(CLOUD_EXTENSIONS)]
    return tuple(str(Path(folder) / name) for name in (*label_names, *cloud_names))


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


def _summarise_file(file: _PreviewedFile) -> FileSummary:
    """Return the properties of a file by which files are grouped into layers."""
    annotation_file = file.content.file
    crowns = file.crown_shapes
    extent = None
    if annotation_file.format is FileFormat.LAYER and len(crowns):
        xmin, ymin, xmax, ymax = map(float, shapely.total_bounds(crowns))
        extent = (xmin, ymin, xmax, ymax)
    return FileSummary(
        annotation_file.path,
        has_crowns=bool(len(file.content.annotations)),
        has_scores=has_scores(file.content.annotations),
        images=tuple(file.found_images),
        extent=extent,
        missing_images=tuple(_list_missing_images(file)),
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


def _find_images(file: PlacedFile, finder: ImageFinder) -> dict[int, Path | None]:
    """Return the file of each image with annotations, by its number; None if it is missing."""
    paths = {}
    for number in sorted(file.annotations.annotated_images):
        image = file.annotations.images[number]
        paths[number] = finder.find(image.name, file.file.path, image.path).path
    return paths


def _list_missing_images(file: _PreviewedFile) -> list[str]:
    """Return the names of the images with annotations that were not found, without empty names."""
    images = file.placed.annotations.images
    missing_numbers = [number for number, path in file.image_paths.items() if path is None]
    return [images[number].name for number in missing_numbers if images[number].name]


def _find_crowns_on_images(file: _PreviewedFile) -> list[ExampleCrown]:
    """Return the crowns of a file whose image was found."""
    crowns = []
    for row in np.flatnonzero(file.placed.masks_by_kind["crowns"]):
        image_number = int(file.placed.annotations.image_index[row])
        image = file.image_paths.get(image_number)
        if image is not None:
            crowns.append(ExampleCrown(file.placed.shapes[row], image))
    return crowns


def _find_images_of_crowns(
    files: Sequence[_PreviewedFile],
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
    crowns = [shape for file in files for shape in file.crown_shapes]
    if not crs.isValid() or not crowns:
        return []
    bounds = shapely.total_bounds(crowns)
    if np.isnan(bounds).any():
        return []
    extent = QgsRectangle(*map(float, bounds))
    folders = [file.content.file.path.parent for file in files]
    if image_folder:
        folders.append(Path(image_folder))
    image_by_path: dict[Path, ImageBeside] = {}
    for folder in dict.fromkeys(folders):
        for image in find_images_beside(folder, extent, crs, context):
            image_by_path[image.path] = image
    return list(image_by_path.values())


def _find_crowns_beside(file: _PreviewedFile, images: Sequence[ImageBeside]) -> list[ExampleCrown]:
    """Return the crowns of a file that lie on an image, each with the first such image.

    Args:
        file: file that names no images.
        images: result of :func:`_find_images_of_crowns`.
    """
    crowns = []
    for shape in file.crown_shapes:
        extent = QgsRectangle(*map(float, shape.bounds))
        for image in images:
            if image.bounds.contains(extent):
                crowns.append(ExampleCrown(shape, image.path))
                break
    return crowns


def _choose_examples(crowns: list[ExampleCrown]) -> tuple[ExampleCrown, ...]:
    """Return up to three crowns from the beginning, the middle and the end of a list."""
    n_examples = min(_N_EXAMPLES, len(crowns))
    positions = np.linspace(0, len(crowns) - 1, n_examples)
    return tuple(crowns[round(position)] for position in positions)
