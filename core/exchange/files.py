"""Annotation files: search for files in folders and patterns, and reading of their annotations."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import Annotations, SkipReason
from randcrowns.core.exchange.coco import read_coco, read_named_results
from randcrowns.core.exchange.deepforest import read_deepforest
from randcrowns.core.exchange.formats import (
    ANNOTATION_FORMATS,
    FileFormat,
    detect_format,
    extensions_of,
)
from randcrowns.core.exchange.image_search import is_file
from randcrowns.core.exchange.own_results import is_own_result
from randcrowns.core.exchange.recognition import (
    begins_like_coco_results,
    has_json_lines,
    name_other_program,
    read_beginning,
)
from randcrowns.core.exchange.values import file_extension, read_text
from randcrowns.core.exchange.voc import read_voc
from randcrowns.core.exchange.yolo import (
    CLASS_LIST_NAMES,
    find_class_names,
    read_yolo,
    recognise_folders,
    similar_line_error,
)
from randcrowns.core.messages import Message, TranslatableText, abbreviate, info, note
from randcrowns.core.progress import Progress, no_progress

#: Separator of several paths in a text.
SEPARATOR = ";"
#: Text between the path of a vector file and the name of one of its layers, as QGIS writes it.
LAYER_SEPARATOR = "|layername="
#: Ends of the names of side files of images, which contain no annotations.
_SIDE_FILES = (".aux.xml", ".qpj.xml")
#: Ends of the names of further files that belong to a layer or an image.
_OTHER_SIDE_FILES = (
    *(".dbf", ".prj", ".shx", ".cpg", ".qpj", ".qix", ".sbn", ".sbx", ".shp.xml", ".qmd", ".qml"),
    *(".gpkg-wal", ".gpkg-shm", ".tfw", ".pgw", ".jgw", ".wld", ".ovr"),
)
#: Maximum length of the first line of a file in an error.
_MAX_SHOWN = 120
#: Readers with default options of the formats that GDAL does not read.
_READERS = {kind: kind.definition.read for kind in FileFormat if kind.definition.read is not None}


@dataclass(frozen=True)
class AnnotationFile:
    """A file and its format."""

    path: Path
    format: FileFormat | None  #: the format; None if it is not recognised.
    layer: str = ""  #: name of the layer to import from the file; "" for all layers.


def find_annotation_files(input_paths: str, kind: FileFormat | None) -> list[AnnotationFile]:
    """Find the annotation files that a text specifies.

    Args:
        input_paths: path of a file, path of a folder, or a pattern such as ``*.csv``;
            several of them are separated by :data:`SEPARATOR`. Folders are searched with their
            subfolders, without the results of RandCrowns. The name of a layer follows its file
            after :data:`LAYER_SEPARATOR`.
        kind: format of the files; by default it is recognised by their content.

    Returns:
        The files, each once. Files of a folder or a pattern may have the kind None.

    Raises:
        InputError: if a path does not exist, a named file is empty or not recognised, or no file
            is recognised.
    """
    if os.path.exists(input_paths):  # noqa: PTH110  # Path.exists raises errors.
        parts = [input_paths]
    else:
        parts = [part.strip() for part in input_paths.split(SEPARATOR) if part.strip()]

    files: dict[tuple[Path, str], AnnotationFile] = {}  # by resolved path and name of the layer
    for text in parts:
        part, _, layer = text.partition(LAYER_SEPARATOR)
        path = Path(part).expanduser()
        is_single_file = is_file(path)
        listed_paths = [path] if is_single_file else _list_files(path, part, kind)
        for file_path in listed_paths:
            is_class_list = file_path.name.lower() in CLASS_LIST_NAMES
            found_kind = None if is_class_list else detect_format(file_path)
            file = AnnotationFile(file_path, kind or found_kind, layer)
            if is_single_file and file.format is None:
                raise _unrecognised_error(path)
            files.setdefault((file_path.resolve(), layer), file)
    _recognise_empty_yolo(files)
    if not any(file.format for file in files.values()):
        raise _no_annotations_error(input_paths, list(files.values()))
    return list(files.values())


def _no_annotations_error(input_paths: str, files: Sequence[AnnotationFile]) -> InputError:
    """Return the error that no file is recognised: why one is refused, if that is known.

    Args:
        input_paths: the text that specifies the files.
        files: the files, none of which has a format.
    """
    for file in files:
        cause = _refusal_cause(file.path)
        if cause is not None:
            return cause
    return InputError(
        "import.no_annotation_file",
        "There is no annotation file in {given}; choose a file, a folder or a pattern such as "
        "*.csv.",
        given=input_paths,
    )


def is_side_file(name: str) -> bool:
    """Return True if a file belongs to a layer or an image and contains no crowns itself.

    >>> is_side_file("plot.tif.aux.xml"), is_side_file("crowns.DBF"), is_side_file("crowns.shp")
    (True, True, False)
    """
    return name.lower().endswith((*_SIDE_FILES, *_OTHER_SIDE_FILES))


def files_without_truth(
    files: Sequence[AnnotationFile], truth: Path | None
) -> list[AnnotationFile]:
    """Return the files without the ground truth from which only names of images are read.

    Args:
        files: files of an import.
        truth: ground truth of results; None without one.

    Raises:
        InputError: if no other file remains.
    """
    if truth is None:
        return list(files)
    others = [file for file in files if file.path.resolve() != truth.resolve()]
    if not others:
        raise InputError(
            "import.only_images_of",
            "{file} is chosen both as the file to import and as 'Images of'; choose the "
            "results as the file, or leave 'Images of' empty.",
            file=truth.name,
        )
    return others


def format_messages(files: Sequence[AnnotationFile]) -> list[Message]:
    """Return messages about files without a known format, and about the files of each format."""
    messages: list[Message] = []
    unrecognised = [file.path.name for file in files if file.format is None]
    if unrecognised:
        messages.append(
            note(
                "exchange.not_recognised",
                "These files have no known annotation format and were skipped: {files}.",
                files=abbreviate(unrecognised),
            )
        )
    for kind in FileFormat:
        count = sum(file.format is kind for file in files)
        if count:
            messages.append(
                info(
                    "exchange.taken_for",
                    "{count:,} files were read as {kind}.",
                    one="1 file was read as {kind}.",
                    count=count,
                    kind=kind.definition.name,
                )
            )
    return messages


def distinct_file_names(paths: Sequence[Path]) -> list[str]:
    """Return file names or, if some are equal, paths relative to the common parent folder.

    >>> distinct_file_names([Path("north/a.csv"), Path("north/b.csv")])
    ['a.csv', 'b.csv']
    """
    if len({path.name for path in paths}) == len(paths):
        return [path.name for path in paths]
    common_folder = os.path.commonpath([path.parent for path in paths])
    return [str(path.relative_to(common_folder)) for path in paths]


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
    cause = _refusal_cause(path)
    if cause is not None:
        return cause
    if file_extension(path) == ".csv":
        return InputError(
            "import.unknown_columns",
            "{file} is no table of crowns: its first line is '{line}'. It needs a column "
            "image_path, and xmin, ymin, xmax, ymax, or geometry, or x, y.",
            file=path.name,
            line=_first_line(read_beginning(path)),
        )
    return InputError(
        "import.not_recognised",
        "The format of {file} is not recognised. These formats can be imported: {formats}. If the "
        "file has one of them, choose that format.",
        file=path.name,
        formats=[_describe_format(kind) for kind in (*ANNOTATION_FORMATS, FileFormat.LAYER)],
    )


def _refusal_cause(path: Path) -> InputError | None:
    """Return the error that names why a file is not recognised; None if there is no known cause."""
    beginning = read_beginning(path)
    program = name_other_program(beginning)
    if program:
        return InputError(
            "import.other_program",
            "{file} is a file of {program}, which cannot be imported; export it there as COCO, "
            "Pascal VOC or YOLO.",
            file=path.name,
            program=program,
        )
    extension = file_extension(path)
    if extension in FileFormat.COCO.definition.extensions and has_json_lines(beginning):
        return InputError(
            "import.json_lines",
            "{file} has a JSON object per line, which are no annotations of COCO. They need "
            "image_id, and bbox or segmentation. The first line is '{line}'.",
            file=path.name,
            line=_first_line(beginning),
        )
    return similar_line_error(path) if extension == ".txt" else None


def _first_line(beginning: str) -> str:
    """Return the first line of a text that is not blank, shortened for an error."""
    first_line = next((line for line in beginning.splitlines() if line.strip()), "")
    return first_line.strip()[:_MAX_SHOWN]


def _describe_format(kind: FileFormat) -> TranslatableText:
    """Return the name and the file extensions of a format."""
    return TranslatableText(
        "{name} ({extensions})",
        name=kind.definition.name,
        extensions=kind.definition.extensions,
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
            path.suffix.lower() in FileFormat.YOLO.definition.extensions
            and path.parent in yolo_folders
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
    is_folder = os.path.isdir(path)  # noqa: PTH112  # Path.is_dir raises errors.
    if is_folder:
        candidates = list(path.rglob("*"))
    else:
        # Path.glob does not accept absolute patterns.
        matches = glob.glob(pattern, recursive=True)  # noqa: PTH207
        candidates = [Path(match) for match in matches]
    formats = (*ANNOTATION_FORMATS, FileFormat.LAYER) if kind is None else (kind,)
    suffixes = extensions_of(formats)
    paths = []
    for candidate in candidates:
        name = candidate.name.lower()
        is_other_file = name.startswith(".") or name.endswith(_SIDE_FILES)
        if is_other_file or name in CLASS_LIST_NAMES:
            continue
        if not candidate.is_file() or file_extension(candidate) not in suffixes:
            continue
        if not (is_folder and is_own_result(candidate)):
            paths.append(candidate)
    if not paths and not is_folder:
        raise InputError(
            "import.no_match",
            "{pattern} does not exist; choose a file, a folder or a pattern such as *.csv.",
            pattern=pattern,
        )
    return sorted(paths)


class AnnotationReader:
    """Reader of the annotation files of one import, apart from layers and label rasters.

    Args:
        files: all files of the import.
        first_pixel: number of an image's first pixel in Pascal VOC files, 0 or 1.
        minimum_score: minimum score of an annotation; annotations without a score are included.
        truth: COCO ground truth from which results take the names and sizes of their images and the
            names of classes. By default it is searched for in the same folder.
        image_folder: folder of the images that the user selected; None without one. Files of YOLO
            without names of classes take those near it.

    Raises:
        InputError: if there are both results and ground truths of COCO, which would be mixed.
    """

    def __init__(
        self,
        files: Sequence[AnnotationFile],
        first_pixel: int = 0,
        minimum_score: float = 0.0,
        truth: Path | None = None,
        image_folder: Path | None = None,
    ) -> None:
        _check_not_mixed(files)
        self._first_pixel = first_pixel
        self._minimum_score = minimum_score
        self._truth = truth
        self._image_folder = image_folder
        #: Messages about names of classes that a file has.
        self._reported: list[Message] = []
        self._yolo_columns = recognise_folders(
            [file.path for file in files if file.format is FileFormat.YOLO]
        )

    def read(self, file: AnnotationFile, progress: Progress = no_progress) -> Annotations:
        """Return the annotations of a file; none for a file that is not recognised.

        Args:
            file: the file, which is neither a layer nor a label raster.
            progress: receives the fraction done; may raise to cancel.

        Raises:
            InputError: if the file cannot be read.
        """
        if file.format is None:
            return Annotations.from_shapes([], [])
        if file.format is FileFormat.DEEPFOREST:
            return read_deepforest(file.path, self._minimum_score, progress)
        if file.format is FileFormat.COCO:
            return _read_coco(file.path, self._truth)
        if file.format is FileFormat.VOC:
            return read_voc(file.path, self._first_pixel)
        if file.format is FileFormat.YOLO:
            return self._read_yolo(file.path)
        return _READERS[file.format](file.path)

    def _read_yolo(self, path: Path) -> Annotations:
        """Read a YOLO file; a message about its folder is added to the first file only."""
        columns = self._yolo_columns[path.parent]
        self._yolo_columns[path.parent] = replace(columns, messages=())
        names, name_messages = find_class_names(path, self._image_folder)
        new_messages = [message for message in name_messages if message not in self._reported]
        self._reported += new_messages
        return read_yolo(path, names, [*new_messages, *columns.messages], columns)


def is_result_list(path: Path) -> bool:
    """Return True if a JSON file contains COCO's results: a list of them, or one per line."""
    return begins_like_coco_results(read_beginning(path))


def _check_not_mixed(files: Sequence[AnnotationFile]) -> None:
    """Raise an InputError if there are both results and ground truths of COCO among the files."""
    paths = [file.path for file in files if file.format is FileFormat.COCO]
    results = [path for path in paths if is_result_list(path)]
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
            their images. Without one, the results must name their images.

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

    return _read_coco_results(path, truths) if truths else read_named_results(path)


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

    # Ground truths with the images of all results are preferred.
    complete_candidates = {
        truth: annotations
        for truth, annotations in candidates.items()
        if SkipReason.UNKNOWN_IMAGE not in annotations.skipped_rows
    }
    fitting = complete_candidates or candidates
    fitting_truths = list(fitting)
    if len(fitting) > 1 and not _have_same_images(list(fitting.values())):
        raise InputError(
            "coco.several_ground_truths",
            "{path} holds results only, and several ground truths in its folder fit: {truths}. "
            "Choose the one of the results as 'Images of'.",
            path=path.name,
            truths=[truth.name for truth in fitting_truths],
        )
    first_truth = fitting_truths[0]
    return _with_truth_message(fitting[first_truth], path, first_truth)


def _find_truths(path: Path) -> list[Path]:
    """Return the other COCO files in the folder of a file that are no lists of results."""
    return [
        other
        for other in sorted(path.parent.iterdir())
        if other != path
        and file_extension(other) in FileFormat.COCO.definition.extensions
        and detect_format(other) is FileFormat.COCO
        and not is_result_list(other)
    ]


def _have_same_images(contents: Sequence[Annotations]) -> bool:
    """Return True if several readings of one file give the same images and labels."""
    first, *others = contents
    return all(
        other.images == first.images and np.array_equal(other.label, first.label)
        for other in others
    )


def _with_truth_message(annotations: Annotations, path: Path, truth: Path) -> Annotations:
    """Return results with a message that tells where the names of their images are from.

    Args:
        annotations: annotations of the results.
        path: file of the results.
        truth: ground truth with their images.
    """
    message = info(
        "exchange.images_of",
        "{file}: the names and sizes of its images are those of {truth}.",
        file=path.name,
        truth=truth.name,
    )
    return replace(annotations, messages=(*annotations.messages, message))
