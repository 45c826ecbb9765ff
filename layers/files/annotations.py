"""Annotation files: search for files, reading, and placement of their crowns on the map."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath, PurePosixPath
from typing import NamedTuple

import numpy as np
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext, QgsCsException

from randcrowns.core.arrays import Bools, Floats, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.exchange import (
    read_coco,
    read_cvat,
    read_deepforest,
    read_label_studio,
    read_labelme,
    read_via,
    read_voc,
    read_yolo,
)
from randcrowns.core.exchange.annotations import (
    Annotations,
    CoordinateUnit,
    DoubtReason,
    Image,
    SkipReason,
)
from randcrowns.core.exchange.exif import UPRIGHT, is_on_its_side
from randcrowns.core.exchange.formats import (
    EXTENSIONS,
    LABEL_RASTERS,
    FileFormat,
    detect_format,
    name_other_program,
    read_beginning,
)
from randcrowns.core.exchange.values import read_text
from randcrowns.core.exchange.yolo import (
    CLASS_LIST_NAMES,
    find_class_names,
    recognise_folders,
)
from randcrowns.core.exchange.yolo_columns import YoloColumns
from randcrowns.core.messages import Message, abbreviate, info, note, warning
from randcrowns.core.progress import Progress, iterate_with_progress, subprogress
from randcrowns.layers.crs import (
    create_transform,
    crs_name,
    has_datum_or_code,
    transform_coordinates,
)
from randcrowns.layers.files.label_raster import read_label_raster
from randcrowns.layers.files.vector_files import read_vector_file
from randcrowns.layers.local_files import is_file
from randcrowns.layers.raster.images import (
    AnnotatedImage,
    ImageFinder,
    has_image_extension,
    mask_outline,
)

#: Separator of several paths in a text.
SEPARATOR = ";"
#: Text between the path of a vector file and the name of one of its layers, as QGIS writes it.
LAYER_SEPARATOR = "|layername="
#: Ends of the names of side files of images, which contain no annotations.
_SIDE_FILES = (".aux.xml", ".qpj.xml")
#: Readers of the formats that need nothing but the file.
_READERS = {
    FileFormat.LABELME: read_labelme,
    FileFormat.CVAT: read_cvat,
    FileFormat.VIA: read_via,
    FileFormat.LABEL_STUDIO: read_label_studio,
}
#: Formats with an annotation file per image.
_FILE_PER_IMAGE = (FileFormat.VOC, FileFormat.YOLO, FileFormat.LABELME)
#: Folder of images that are not found and that no file beside them names.
_UNKNOWN_FOLDER = PurePath("/")
#: Coordinates below this number may be pixels of an image that is not found.
_MAX_IMAGE_SIZE = 200_000


@dataclass(frozen=True)
class AnnotationFile:
    """A file and its format."""

    path: Path
    format: FileFormat | None  #: the format; None if it is not recognised.
    layer: str = ""  #: name of the layer to import from the file; "" for all layers.


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
        is_point: Bools = shapely.get_type_id(self.shapes) == shapely.GeometryType.POINT
        return {
            "points": is_point,
            "ignored": self.annotations.is_ignored & ~is_point,
            "crowns": ~(is_point | self.annotations.is_ignored),
        }


class _LocatedFile(NamedTuple):
    """Content of a file with the images that it names."""

    file: AnnotationFileContent
    shapes: Objects  #: (n,) polygons and points in the coordinates of each image's map.
    images: list[AnnotatedImage]  #: in the order of the annotations' images.


def find_annotation_files(input_paths: str, kind: FileFormat | None) -> list[AnnotationFile]:
    """Find the annotation files that a text specifies.

    Args:
        input_paths: path of a file, path of a folder, or a pattern such as ``*.csv``;
            several of them are separated by :data:`SEPARATOR`. Folders are searched with their
            subfolders. The name of a layer follows its file after :data:`LAYER_SEPARATOR`.
        kind: format of the files; by default it is recognised by their content.

    Returns:
        The files, each once. Files of a folder or a pattern may have the kind None.

    Raises:
        InputError: if a path does not exist, a named file is empty or not recognised, or no file
            is recognised.
    """
    if os.path.exists(input_paths):
        parts = [input_paths]
    else:
        parts = [part.strip() for part in input_paths.split(SEPARATOR) if part.strip()]

    files: dict[tuple[Path, str], AnnotationFile] = {}  # by resolved path and name of the layer
    for text in parts:
        part, _, layer = text.partition(LAYER_SEPARATOR)
        path = Path(part).expanduser()
        is_single_file = is_file(path)
        for file_path in [path] if is_single_file else _list_files(path, part, kind):
            is_class_list = file_path.name.lower() in CLASS_LIST_NAMES
            found_kind = None if is_class_list else detect_format(file_path)
            file = AnnotationFile(file_path, kind or found_kind, layer)
            if is_single_file and file.format is None:
                raise _unrecognised_error(path)
            files.setdefault((file_path.resolve(), layer), file)
    _recognise_empty_yolo(files)
    if not any(file.format for file in files.values()):
        for file in files.values():
            if name_other_program(read_beginning(file.path)):
                raise _unrecognised_error(file.path)
        raise InputError(
            "import.no_annotation_file",
            "There is no annotation file in {given}; choose a file, a folder or a pattern such as "
            "*.csv.",
            given=input_paths,
        )
    return list(files.values())


def _unrecognised_error(path: Path) -> InputError:
    """Return the error for a file that is empty, or whose format is not recognised."""
    if not path.stat().st_size:
        return InputError(
            "import.empty_file", "{file} is empty; choose another file.", file=path.name
        )
    if path.name.lower() in CLASS_LIST_NAMES:
        return InputError(
            "import.class_list",
            "{file} is a list of class names, without crowns; choose the folder with the files of "
            "crowns.",
            file=path.name,
        )
    program = name_other_program(read_beginning(path))
    if program:
        return InputError(
            "import.other_program",
            "{file} is a file of {program}, which cannot be imported; export it there as COCO, "
            "Pascal VOC or YOLO.",
            file=path.name,
            program=program,
        )
    return InputError(
        "import.not_recognised",
        "{file} is not recognised as a file that can be imported: DeepForest (.csv), Pascal VOC "
        "or CVAT (.xml), COCO, LabelMe, Label Studio or VIA (.json), YOLO (.txt), shapefile, "
        "GeoPackage or GeoJSON. If it is such a file, choose its format.",
        file=path.name,
    )


def _recognise_empty_yolo(files: dict[tuple[Path, str], AnnotationFile]) -> None:
    """Set the kind of blank text files in folders with YOLO files to YOLO.

    Such a file belongs to an image without crowns.

    Args:
        files: the files by resolved path and name of the layer; it is modified.
    """
    yolo_folders = {file.path.parent for file in files.values() if file.format is FileFormat.YOLO}
    for key, file in files.items():
        path = file.path
        may_be_yolo = (
            path.suffix.lower() in EXTENSIONS[FileFormat.YOLO] and path.parent in yolo_folders
        )
        if file.format is None and may_be_yolo and not read_text(path).strip():
            files[key] = AnnotationFile(path, FileFormat.YOLO)


def _list_files(path: Path, pattern: str, kind: FileFormat | None) -> list[Path]:
    """Return the files of a folder or a pattern whose suffix may be that of annotations, sorted.

    Args:
        path: the folder.
        pattern: the pattern; it is used if ``path`` is no folder.
        kind: format of the files; None for all formats.

    Raises:
        InputError: if ``path`` is no folder and no file matches the pattern.
    """
    candidates: Iterable[Path] = (
        path.rglob("*") if os.path.isdir(path) else map(Path, glob.glob(pattern, recursive=True))
    )
    if kind is not None:
        suffixes = set(EXTENSIONS[kind])
    else:
        suffixes = {suffix for endings in EXTENSIONS.values() for suffix in endings}
        suffixes -= set(LABEL_RASTERS)
    paths = sorted(
        candidate
        for candidate in candidates
        if candidate.is_file()
        and candidate.suffix.lower() in suffixes
        and not candidate.name.startswith(".")
        and not candidate.name.lower().endswith(_SIDE_FILES)
        and candidate.name.lower() not in CLASS_LIST_NAMES
    )
    if not paths and not os.path.isdir(path):
        raise InputError(
            "import.no_match",
            "{pattern} does not exist; choose a file, a folder or a pattern such as *.csv.",
            pattern=pattern,
        )
    return paths


def read_annotation_files(
    files: Sequence[AnnotationFile],
    first_pixel: int,
    minimum_score: float,
    progress: Progress,
    truth: Path | None = None,
) -> list[AnnotationFileContent]:
    """Read annotation files.

    Args:
        files: the files.
        first_pixel: number of an image's first pixel in Pascal VOC files, 0 or 1.
        minimum_score: minimum score of an annotation; annotations without a score are included.
        progress: receives the fraction done; may raise to cancel.
        truth: COCO ground truth from which results take the names and sizes of their images and the
            names of classes; it is not imported. By default it is looked for beside the results.

    Raises:
        InputError: if a file cannot be read, or if there are results and a ground truth, which
            would be mixed.
    """
    if truth is not None:
        files = [file for file in files if file.path.resolve() != truth.resolve()]
        if not files:
            raise InputError(
                "import.only_images_of",
                "{file} is chosen both as the file to import and as 'Images of'; choose the "
                "results as the file, or leave 'Images of' empty.",
                file=truth.name,
            )
    _check_not_mixed(files)
    yolo_columns = recognise_folders(
        [file.path for file in files if file.format is FileFormat.YOLO]
    )
    contents = []
    for file, file_progress in iterate_with_progress(files, progress):
        crs = QgsCoordinateReferenceSystem()  # only layers name their CRS
        has_record = False
        if file.format is None:
            annotations = Annotations.from_shapes([], [])
        elif file.format is FileFormat.LAYER:
            annotations, crs, has_record = read_vector_file(file.path, file_progress, file.layer)
        elif file.format is FileFormat.LABEL_RASTER:
            annotations, crs = read_label_raster(file.path)
        elif file.format is FileFormat.DEEPFOREST:
            annotations = read_deepforest(file.path, minimum_score, file_progress)
        elif file.format is FileFormat.COCO:
            annotations = _read_coco(file.path, truth)
        elif file.format is FileFormat.VOC:
            annotations = read_voc(file.path, first_pixel)
        elif file.format is FileFormat.YOLO:
            annotations = _read_yolo(file.path, yolo_columns)
        else:
            annotations = _READERS[file.format](file.path)
        contents.append(
            AnnotationFileContent(file, annotations.drop_low_scores(minimum_score), crs, has_record)
        )
    return contents


def _read_yolo(path: Path, columns_by_folder: dict[Path, YoloColumns]) -> Annotations:
    """Read a YOLO file; only the first file of a folder says what was assumed about the folder.

    Args:
        path: the file.
        columns_by_folder: what the values are, by folder; the messages of this file's folder are
            removed.
    """
    columns = columns_by_folder[path.parent]
    columns_by_folder[path.parent] = replace(columns, messages=())
    names, messages = find_class_names(path)
    return read_yolo(path, names, [*messages, *columns.messages], columns)


def _is_result_list(path: Path) -> bool:
    """Return True if a JSON file contains a list, which is the form of COCO's results."""
    return read_beginning(path).lstrip().startswith("[")


def _check_not_mixed(files: Sequence[AnnotationFile]) -> None:
    """Raise an InputError if there are both results and ground truths of COCO among the files."""
    paths = [file.path for file in files if file.format is FileFormat.COCO]
    results = [path for path in paths if _is_result_list(path)]
    truths = [path for path in paths if path not in results]
    if results and truths:
        raise InputError(
            "coco.truth_and_results",
            "{results} holds results and {truth} a ground truth; in one layer, predictions would "
            "be mixed with targets. Import them one after the other. For the results, choose the "
            "ground truth as 'Images of'.",
            results=results[0].name,
            truth=truths[0].name,
        )


def _read_coco(path: Path, truth: Path | None) -> Annotations:
    """Read a COCO file: a ground truth, or results with the images of their ground truth.

    Args:
        path: the file.
        truth: ground truth of results; None for the one in the folder of ``path`` that has all of
            their images.

    Raises:
        InputError: if the file cannot be read, or if not exactly one ground truth can be used.
    """
    try:
        return read_coco(path)
    except InputError as error:
        if error.key != "coco.results_only":
            raise
        if truth is not None:
            return _with_truth_message(read_coco(path, truth), path, truth)
        truths = _find_truths(path)
        if not truths:
            raise

    return _read_coco_results(path, truths)


def _read_coco_results(path: Path, truths: Sequence[Path]) -> Annotations:
    """Read COCO results with the images of the one ground truth that fits.

    Args:
        path: the file of the results.
        truths: possible ground truths. Those with all images of the results are preferred.

    Raises:
        InputError: if no ground truth can be used, or if several give different images or labels.
    """
    candidates = {}  # annotations by the path of their ground truth
    last_error = None
    for truth in truths:
        try:
            candidates[truth] = read_coco(path, truth)
        except InputError as error:
            last_error = error
    if not candidates:
        raise InputError(
            "coco.unusable_ground_truth",
            "{path} contains results only, and its ground truth cannot be used: {why}",
            path=path.name,
            why=last_error,
        )

    complete_candidates = {
        truth: annotations
        for truth, annotations in candidates.items()
        if SkipReason.UNKNOWN_IMAGE not in annotations.skipped_rows
    }
    candidates = complete_candidates or candidates
    if len(candidates) > 1 and not _have_same_images(list(candidates.values())):
        raise InputError(
            "coco.several_ground_truths",
            "{path} holds results only, and several ground truths beside it fit: {truths}. Choose "
            "the one of the results as 'Images of'.",
            path=path.name,
            truths=[truth.name for truth in candidates],
        )
    first_truth, annotations = next(iter(candidates.items()))
    return _with_truth_message(annotations, path, first_truth)


def _find_truths(path: Path) -> list[Path]:
    """Return the other COCO files in the folder of a file that are no lists of results."""
    return [
        other
        for other in sorted(path.parent.glob("*.json"))
        if other != path and detect_format(other) is FileFormat.COCO and not _is_result_list(other)
    ]


def _have_same_images(contents: Sequence[Annotations]) -> bool:
    """Return True if several readings of one file give the same images and labels."""
    first, *others = contents
    return all(
        other.images == first.images and np.array_equal(other.label, first.label)
        for other in others
    )


def _with_truth_message(annotations: Annotations, path: Path, truth: Path) -> Annotations:
    """Return results with a message that tells where the names of their images are from."""
    message = info(
        "exchange.images_of",
        "{file}: the names and sizes of its images are those of {truth}.",
        file=path.name,
        truth=truth.name,
    )
    return replace(annotations, messages=(*annotations.messages, message))


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
        located, message = _locate(file, finder, file_progress)
        located_files.append(located)
        if message is not None:
            messages.append(message)

    names_by_file = _distinct_names(located_files, finder)
    messages += _shared_image_messages(located_files)
    systems_by_file = [_image_systems(located, crs) for located in located_files]
    all_systems = [
        system for systems in systems_by_file for system in systems if system is not None
    ]
    target = next((system for system in all_systems if system.isValid()), None)
    on_map = bool(all_systems)

    placed_files = []
    overlapping_images: dict[str, None] = {}  # names of images without a georeference, in order
    for located, systems, names in zip(located_files, systems_by_file, names_by_file):
        annotated_images = [
            image
            for number, image in enumerate(located.images)
            if number in located.file.annotations.annotated_images
        ]
        placed = _place_file(located, annotated_images, systems, target, context, on_map=on_map)
        placed_files.append(replace(placed, image_names=names))
        if not on_map:
            overlapping_images.update(dict.fromkeys(image.name for image in annotated_images))
        messages += _image_messages(located.file, located.images, annotated_images, on_map)
    messages += _crs_messages(all_systems, target, len(overlapping_images))
    progress(1.0)
    return placed_files, target or QgsCoordinateReferenceSystem(), messages


def _locate(
    file: AnnotationFileContent, finder: ImageFinder, progress: Progress
) -> tuple[_LocatedFile, Message | None]:
    """Find the images of a file and compute the shapes of its annotations there.

    Returns:
        The file, in which unusable annotations are skipped; a message if its frame was guessed.
    """
    images = []
    for named_image in file.annotations.images:
        image = finder.find(named_image.name, file.file.path, named_image.path)
        if image.path is None:
            image = replace(image, width=named_image.width, height=named_image.height)
        images.append(_turn_upright(image, named_image, finder.orientation(image)))

    message = None
    if file.annotations.unit is CoordinateUnit.UNKNOWN:
        frame, message = _guess_frame(file, images)
        file = replace(file, annotations=replace(file.annotations, unit=frame))
    annotations = file.annotations
    if annotations.unit is CoordinateUnit.SHARES:
        has_no_size = np.array([image.width == 0 for image in images], dtype=bool)
        annotations = annotations.with_problem(
            SkipReason.NO_SIZE_KNOWN, has_no_size[annotations.image_index]
        )
    annotations = _check_image_sizes(annotations, images)
    shapes = _map_shapes(annotations, images, progress)
    return _LocatedFile(replace(file, annotations=annotations), shapes, images), message


def _distinct_names(files: Sequence[_LocatedFile], finder: ImageFinder) -> list[tuple[str, ...]]:
    """Return the names of images by file, such that different images have different names.

    An image whose file name occurs once keeps the name that the annotation file gives. Otherwise
    its folders are in front of it, or behind it the id that it has in its file. A name without an
    extension gets that of the image that was found.

    Args:
        files: the files with their images.
        finder: finder of these images.
    """
    names_by_file = [
        [
            _with_image_extension(finder.folder_name(image) or named_image.name, image)
            for named_image, image in zip(located.file.annotations.images, located.images)
        ]
        for located in files
    ]
    names_by_file = _with_other_extensions(names_by_file)
    paths_by_name: dict[str, set[PurePath]] = {}
    for located, file_names in zip(files, names_by_file):
        for name, image in zip(file_names, located.images):
            paths_by_name.setdefault(name, set()).add(_image_place(located, name, image))
    found_paths = {
        image.path.resolve()
        for located in files
        for image in located.images
        if image.path is not None
    }
    paths_by_name = {
        name: paths if paths & found_paths else _join_places(paths)
        for name, paths in paths_by_name.items()
    }
    return [
        _distinct_names_of_file(located, file_names, paths_by_name)
        for located, file_names in zip(files, names_by_file)
    ]


def _with_other_extensions(names_by_file: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return names of images, of which those without an extension get that of another file.

    Some programs omit the extension: the image 'plot1' of one file is 'plot1.png' of another, even
    if neither is found. Names with several possible extensions stay.

    Args:
        names_by_file: names of the images of each annotation file.
    """
    full_names: dict[str, set[str]] = {}
    for names in names_by_file:
        for name in filter(has_image_extension, names):
            full_names.setdefault(PurePosixPath(name).stem, set()).add(name)

    def complete(name: str) -> str:
        candidates = set() if has_image_extension(name) else full_names.get(name, set())
        return next(iter(candidates)) if len(candidates) == 1 else name

    return [[complete(name) for name in names] for names in names_by_file]


def _join_places(places: set[PurePath]) -> set[PurePath]:
    """Return the places of images that are not found; an unknown folder is the only known one.

    Args:
        places: paths that tell images of one name apart, see :func:`_image_place`.
    """
    in_folders = {place for place in places if place.parent != _UNKNOWN_FOLDER}
    return in_folders if len(in_folders) == 1 else places


def _with_image_extension(name: str, image: AnnotatedImage) -> str:
    """Return a name of an image, with the extension of its file if the name has none."""
    if image.path is None:
        return name
    named_path = PurePosixPath(name)
    has_same_extension = named_path.suffix.lower() == image.path.suffix.lower()
    is_stem_of_image = named_path.name == image.path.stem
    return name + image.path.suffix if is_stem_of_image and not has_same_extension else name


def _distinct_names_of_file(
    located: _LocatedFile, names: Sequence[str], paths_by_name: Mapping[str, set[PurePath]]
) -> tuple[str, ...]:
    """Return the names of the images of one annotation file, with folders and ids where needed.

    Args:
        located: the annotation file with its images.
        names: name of each image; images in different folders may share it.
        paths_by_name: paths of the images of all annotation files, by their name.
    """
    named_images = located.file.annotations.images

    # The folders tell images of the same name apart.
    names_with_folders = []
    for name, image in zip(names, located.images):
        paths = paths_by_name[name]
        image_path = _image_place(located, name, image)
        if name and len(paths) > 1 and image_path.parent != _UNKNOWN_FOLDER:
            folders = [path.parent for path in paths if path.parent != _UNKNOWN_FOLDER]
            common_folder = os.path.commonpath(folders)
            if len(folders) == 1:  # the folder's name tells its image from that of no folder
                common_folder = str(folders[0].parent)
            names_with_folders.append(image_path.relative_to(common_folder).as_posix())
        else:
            names_with_folders.append(name)

    # The ids tell images apart that still have the same name.
    counts = Counter(names_with_folders)
    return tuple(
        f"{name} ({named_image.id})" if named_image.id and counts[name] > 1 else name
        for name, named_image in zip(names_with_folders, named_images)
    )


def _shared_image_messages(files: Sequence[_LocatedFile]) -> list[Message]:
    """Return a note if files that belong to an image each were placed on the same image.

    Args:
        files: the files with their images.
    """
    files_by_image: dict[Path, list[Path]] = {}
    for located in files:
        if located.file.file.format in _FILE_PER_IMAGE:
            for path in {image.path for image in located.images if image.path is not None}:
                files_by_image.setdefault(path, []).append(located.file.file.path)
    shared = {path: sharing for path, sharing in files_by_image.items() if len(sharing) > 1}
    if not shared:
        return []
    image, sharing = next(iter(shared.items()))
    return [
        note(
            "exchange.shared_image",
            "{count:,} images have the crowns of several files each, such as {image} those of "
            "{files}. If the files are of different images, one of the images was not found.",
            one="Image {image} has the crowns of several files: {files}. If the files are of "
            "different images, one of the images was not found.",
            count=len(shared),
            image=image.name,
            files=abbreviate([f"{path.parent.name}/{path.name}" for path in sharing]),
        )
    ]


def _image_place(located: _LocatedFile, name: str, image: AnnotatedImage) -> PurePath:
    """Return a path that tells an image apart from others of its name.

    It is the file of the image. Without it, formats with a file per image have an image of its own
    in each folder; other formats name the same image by the same name.

    Args:
        located: the annotation file.
        name: name of the image.
        image: the image.
    """
    if image.path is not None:
        return image.path.resolve()
    has_file_per_image = located.file.file.format in _FILE_PER_IMAGE
    folder = located.file.file.path.resolve().parent if has_file_per_image else _UNKNOWN_FOLDER
    return folder / PurePosixPath(name.replace("\\", "/")).name


def _turn_upright(image: AnnotatedImage, named: Image, orientation: int) -> AnnotatedImage:
    """Return an image whose pixels are those of the annotations.

    Annotation tools show a photo upright. Only a width and height that are those of the file on its
    side mean that the annotations are in pixels of the file.

    Args:
        image: the image in pixels of its file.
        named: the image as the annotation file describes it.
        orientation: EXIF orientation of the file, 1 to 8.
    """
    is_square = image.width == image.height
    is_as_in_file = (named.width, named.height) == (image.width, image.height) and not is_square
    if is_on_its_side(orientation) and is_as_in_file:
        return image
    return image.turn(orientation)


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
        systems: CRS of each image's annotations, see :func:`_image_systems`.
        target: the common CRS; None if no CRS is known.
        context: datum transformations of the project.
        on_map: True if any image of any file has a georeference.
    """
    file = located.file
    annotations = file.annotations
    shapes = located.shapes
    # Annotations on an image without a position, or in an unknown CRS, cannot be placed among the
    # others.
    cannot_be_placed = [
        system is None or (target is not None and not system.isValid()) for system in systems
    ]
    is_off_map = on_map & np.array(cannot_be_placed, dtype=bool)
    is_missing = is_off_map & np.array([image.path is None for image in located.images], dtype=bool)
    if len(systems):
        shapes = shapes[~is_off_map[annotations.image_index]]
        annotations = annotations.with_problem(
            SkipReason.MISSING_IMAGE, is_missing[annotations.image_index]
        )
        annotations = annotations.with_problem(
            SkipReason.OFF_THE_MAP, is_off_map[annotations.image_index]
        )
    for number, system in enumerate(systems):
        rows = np.flatnonzero(annotations.image_index == number)
        if len(rows) and system is not None and target is not None and system != target:
            shapes[rows] = _transform_shapes(
                shapes[rows], system, target, context, file.file.path.name
            )
    image_paths = tuple(image.path for image in annotated_images if image.path)
    return PlacedFile(
        file.file, annotations, file.crs, file.has_shown_coordinates, shapes, image_paths
    )


def _check_image_sizes(annotations: Annotations, images: Sequence[AnnotatedImage]) -> Annotations:
    """Skip masks of another size than their image; mark annotations outside as doubtful."""
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
    return annotations.with_problem(DoubtReason.OUTSIDE, is_outside)


def _guess_frame(
    file: AnnotationFileContent, images: Sequence[AnnotatedImage]
) -> tuple[CoordinateUnit, Message]:
    """Return whether coordinates are pixels or map coordinates, with a message.

    The frame in which more centres of annotations lie within their images is chosen. If an image is
    not found, small positive coordinates are taken for pixels.
    """
    annotations = file.annotations
    centres = _centres(annotations.shapes)
    n_pixels = 0
    n_map = 0
    for number, image in enumerate(images):
        image_centres = centres[annotations.image_index == number]
        if image.width:
            n_pixels += int(image.contains(image_centres).sum())
            if image.geotransform:
                n_map += int(image.contains(image.to_pixels(image_centres)).sum())
        else:
            may_be_pixels = ((image_centres >= 0) & (image_centres < _MAX_IMAGE_SIZE)).all(axis=1)
            n_pixels += int(may_be_pixels.sum())
            n_map += int((~may_be_pixels).sum())

    name = file.file.path.name
    if n_map > n_pixels:
        template = (
            "{file}: its outlines were taken for map coordinates, because they lie on the images "
            "there."
        )
        return CoordinateUnit.MAP, info("exchange.in_map", template, file=name)
    template = "{file}: its outlines were taken for pixels of its images."
    return CoordinateUnit.PIXELS, info("exchange.in_pixels", template, file=name)


def _map_shapes(
    annotations: Annotations, images: Sequence[AnnotatedImage], progress: Progress
) -> Objects:
    """Return the shapes (n,) of annotations in map coordinates of their images.

    Masks become outlines. On an image without a georeference, coordinates are those in which QGIS
    displays it.
    """
    shapes = annotations.shapes.copy()
    for n_done, (number, mask) in enumerate(annotations.masks.items()):
        shapes[number] = mask_outline(mask)
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


def _to_map_coordinates(image: AnnotatedImage, pixels_per_unit: Floats, xy: Floats) -> Floats:
    """Return (n, 2) map coordinates; ``pixels_per_unit`` (2,) converts ``xy`` (n, 2) to pixels."""
    return image.to_map(xy * pixels_per_unit)


def _image_systems(
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
            own_system = file.crs if file.crs.isValid() else image.crs
            system = own_system if own_system.isValid() else crs
            is_shown = file.has_shown_coordinates and not system.isValid()
            systems.append(None if is_shown else system)
        elif image.geotransform is None:
            systems.append(None)
        else:
            systems.append(image.crs if image.crs.isValid() else crs)
    return systems


def _transform_shapes(
    shapes: Objects,
    source: QgsCoordinateReferenceSystem,
    target: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
    file_name: str,
) -> Objects:
    """Return shapes (n,) transformed from one CRS to another.

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
    if systems and target is None:
        template = (
            "The coordinates are imported unchanged, because neither the files nor their images "
            "have a coordinate system. Choose the coordinate system, or set that of the layer."
        )
        messages.append(warning("exchange.no_system", template))
    if target is not None and not has_datum_or_code(target):
        template = "The coordinate system '{crs}' is not defined."
        messages.append(warning("exchange.undefined_system", template, crs=crs_name(target)))
    names = list(dict.fromkeys(crs_name(system) for system in systems if system.isValid()))
    if target is not None and len(names) > 1:
        template = (
            "The imported crowns are in several coordinate systems ({systems}); all of them were "
            "transformed to {crs}."
        )
        messages.append(
            warning("exchange.several_systems", template, systems=names, crs=crs_name(target))
        )
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
    name = file.file.path.name
    messages = []
    missing = [
        image.name for image in annotated_images if image.path is None and not image.is_unreadable
    ]
    if missing:
        template = (
            "{file}: images not found beside the file or in the folder of the images: {images}. "
            "Choose the images' folder."
        )
        messages.append(
            warning("exchange.missing_image", template, file=name, images=abbreviate(missing))
        )

    broken = [image.name for image in annotated_images if image.is_unreadable]
    if broken:
        template = (
            "{file}: files that cannot be read as images: {images}. They may be damaged, or of "
            "another format."
        )
        messages.append(
            warning("exchange.broken_image", template, file=name, images=abbreviate(broken))
        )

    turned = [image.name for image in annotated_images if image.orientation != UPRIGHT]
    if turned:
        template = (
            "{file}: the pixels of {images} do not lie upright (EXIF orientation). The crowns were "
            "taken for pixels of the upright image, as annotation tools show it; QGIS shows the "
            "image as it is stored, with the crowns on it."
        )
        messages.append(
            note("exchange.turned_image", template, file=name, images=abbreviate(turned))
        )

    resized = []
    for named_image, image in zip(file.annotations.images, images):
        specified_size = (named_image.width, named_image.height)
        has_two_sizes = bool(image.path and named_image.width)
        if has_two_sizes and specified_size != (image.width, image.height):
            resized.append(named_image.name)
    if resized:
        template = (
            "{file}: images of another size than the file specifies: {images}. Crowns were taken "
            "as pixels of the image."
        )
        messages.append(
            warning("exchange.size_of_image", template, file=name, images=abbreviate(resized))
        )
    return messages


def _centres(shapes: Objects) -> Floats:
    """Return the centres (n, 2) of the bounding boxes of shapes (n,)."""
    bounds = shapely.bounds(shapes)
    centres: Floats = (bounds[:, :2] + bounds[:, 2:]) / 2
    return centres
