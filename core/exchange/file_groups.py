"""Groups of annotation files in a folder that belong into layers of their own.

A folder may contain targets and predictions, or the crowns of several people. In one layer they
could not be compared with each other.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from randcrowns.core.exchange.annotations import Annotations
from randcrowns.core.exchange.files import (
    LAYER_SEPARATOR,
    SEPARATOR,
    AnnotationFile,
    is_result_list,
)
from randcrowns.core.exchange.formats import FileFormat
from randcrowns.core.messages import Message, abbreviate, note

#: Number of bytes at the beginning of two images that are compared.
_COMPARED_BYTES = 1_000_000
#: Share of the smaller extent from which two map layers cover the same ground, not tiles of it.
_SAME_GROUND = 0.5
#: Names of folders in the layouts of annotation programs, which do not tell layers apart.
_COMMON_FOLDER_NAMES = (
    *("labels", "label", "annotations", "annotation", "images", "data"),
    *("train", "val", "valid", "validation", "test"),
)


@dataclass(frozen=True)
class FileSummary:
    """Content of an annotation file that decides about its layer."""

    path: Path
    has_crowns: bool  #: True if the file contains an annotation.
    has_scores: bool  #: True if an annotation has the score of a detector.
    images: tuple[Path, ...] = ()  #: Files of its images that were found.
    #: Extent (xmin, ymin, xmax, ymax) of the crowns of a map layer, in the coordinates of all map
    #: layers; None for annotations of images and without crowns.
    extent: tuple[float, float, float, float] | None = None
    missing_images: tuple[str, ...] = ()  #: Names of its images that were not found.


def has_scores(annotations: Annotations) -> bool:
    """Return True if an annotation other than an area to ignore has the score of a detector."""
    return bool(np.isfinite(annotations.score[~annotations.is_ignored]).any())


def mixed_score_messages(paths: Sequence[Path], contents: Sequence[Annotations]) -> list[Message]:
    """Return a note if files with and without scores are imported into one layer.

    Args:
        paths: Paths of n files.
        contents: Annotations of the n files; files without annotations count as neither.
    """
    filled = [(path, content) for path, content in zip(paths, contents) if len(content)]
    scored = [path.name for path, content in filled if has_scores(content)]
    others = [path.name for path, content in filled if not has_scores(content)]
    if not scored or not others:
        return []
    template = (
        "The crowns of {scored} have scores, and those of {others} have none. One layer now has "
        "both. If these are predictions and targets, import them separately."
    )
    return [
        note(
            "exchange.mixed_scores", template, scored=abbreviate(scored), others=abbreviate(others)
        )
    ]


def separate_coco_results(files: Sequence[AnnotationFile]) -> list[list[Path]]:
    """Return files in groups, so that no results of COCO are in a group with other files.

    Args:
        files: Files of a folder.

    Returns:
        Paths per group: first the files that are no results, then each file of results. A single
        group if there are only results, or none.
    """
    results: list[Path] = []
    others: list[Path] = []
    for file in files:
        if file.format is FileFormat.COCO and is_result_list(file.path):
            results.append(file.path)
        elif file.format:
            others.append(file.path)
    if not results or not others:
        return [[file.path for file in files]]
    result_groups = [[path] for path in results]
    return [others, *result_groups]


def group_files(files: Sequence[FileSummary]) -> list[list[Path]]:
    """Return the paths of annotation files in groups that belong into layers of their own.

    Files with scores are predictions and are separated from files without scores. Subfolders whose
    files annotate the same image are the work of several people or detectors, and are separated
    too. So are files of a folder that annotate the same image, map layers of the same ground, and
    map layers from annotations of images. Map layers side by side are tiles, and stay together.

    Args:
        files: Files of a folder.

    Returns:
        Paths per group; groups without scores come first.

    >>> field = FileSummary(Path("plot/field.xml"), has_crowns=True, has_scores=False)
    >>> found = FileSummary(Path("plot/found.csv"), has_crowns=True, has_scores=True)
    >>> [[path.name for path in group] for group in group_files([found, field])]
    [['field.xml'], ['found.csv']]
    """
    scored_folders = {file.path.parent for file in files if file.has_scores}
    unscored: list[FileSummary] = []
    scored: list[FileSummary] = []
    for file in files:
        is_empty_prediction = not file.has_crowns and file.path.parent in scored_folders
        is_scored = file.has_scores or is_empty_prediction
        if is_scored:
            scored.append(file)
        else:
            unscored.append(file)
    if not any(file.has_crowns for file in unscored):
        return _split_by_work(files)
    return [*_split_by_work(unscored), *_split_by_work(scored)]


def _split_by_work(files: Sequence[FileSummary]) -> list[list[Path]]:
    """Return the paths of files by the person or detector whose work they are.

    Args:
        files: Files with the same role; may be empty.

    Returns:
        Paths per group, map layers first; [] without files.
    """
    layer_paths = []
    extents = []
    others = []
    for file in files:
        if file.extent is None:
            others.append(file)
        else:
            layer_paths.append(file.path)
            extents.append(file.extent)
    if any(_cover_same_ground(extent, other) for extent, other in combinations(extents, 2)):
        layer_groups = [[path] for path in layer_paths]
        return [*layer_groups, *_split_by_subfolder(others)]
    if not any(file.has_crowns for file in others):
        # Files without crowns, such as points, belong to the only map layer.
        return _split_by_subfolder(files)
    # Layers side by side are tiles.
    groups = [layer_paths] if layer_paths else []
    return [*groups, *_split_by_subfolder(others)]


def _cover_same_ground(first: tuple[float, ...], second: tuple[float, ...]) -> bool:
    """Return True if two extents have most of the smaller one in common."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    if width <= 0 or height <= 0:
        return False
    smaller = min((box[2] - box[0]) * (box[3] - box[1]) for box in (first, second))
    return width * height >= _SAME_GROUND * smaller


def _split_by_subfolder(files: Sequence[FileSummary]) -> list[list[Path]]:
    """Return the paths of files per subfolder if two subfolders have an image in common.

    Within a subfolder, or in all of them, files with an image in common are separated.

    Args:
        files: Files with the same role; may be empty.

    Returns:
        Paths per subfolder, or all paths in one group, or several groups; [] without files.
    """
    if not files:
        return []
    root = Path(os.path.commonpath([file.path.parent for file in files]))
    files_by_subfolder: dict[str, list[FileSummary]] = {}
    for file in files:
        subfolders = file.path.parent.relative_to(root).parts
        outermost = subfolders[0] if subfolders else ""
        files_by_subfolder.setdefault(outermost, []).append(file)
    folder_groups = list(files_by_subfolder.values())
    if not any(_share_image(group, other) for group, other in combinations(folder_groups, 2)):
        folder_groups = [list(files)]
    path_groups = []
    for folder_files in folder_groups:
        path_groups += _split_by_image(folder_files)
    return path_groups


def _split_by_image(files: Sequence[FileSummary]) -> list[list[Path]]:
    """Return the paths of files in groups in which each image has the crowns of one file.

    Args:
        files: Files with the same role.
    """
    groups: list[list[Path]] = []
    images_of_group: list[set[Path]] = []
    for file in files:
        # A missing image of that name in another folder may be another image.
        missing_images = [file.path.parent / name for name in file.missing_images]
        images = {*file.images, *missing_images}
        for group, group_images in zip(groups, images_of_group):
            if images.isdisjoint(group_images):
                group.append(file.path)
                group_images.update(images)
                break
        else:
            groups.append([file.path])
            images_of_group.append(images)
    return groups


def _share_image(first: Sequence[FileSummary], second: Sequence[FileSummary]) -> bool:
    """Return True if files of two groups annotate the same image.

    The image may be one file, or a copy of it with the same name. Only the first image with a
    common name is compared.
    """
    images_by_name = {image.name: image for file in first for image in file.images}
    for file in second:
        for image in file.images:
            other = images_by_name.get(image.name)
            if other is not None:
                return other == image or _begin_equally(other, image)
    return False


def _begin_equally(first: Path, second: Path) -> bool:
    """Return True if two files have the same size and the same beginning."""
    if first.stat().st_size != second.stat().st_size:
        return False
    with first.open("rb") as first_file, second.open("rb") as second_file:
        return first_file.read(_COMPARED_BYTES) == second_file.read(_COMPARED_BYTES)


def describe_group(group: Sequence[Path], all_files: Collection[Path]) -> str:
    """Return the text that specifies the files of a group as the input of an import.

    Args:
        group: Paths of the files of the group, at least one.
        all_files: Paths of all annotation files in the folder.

    Returns:
        The path of the file, the path of a folder, a pattern, or all paths; "" if a path contains
        the separator of paths.

    >>> files = [Path("plot/a.xml"), Path("plot/b.xml"), Path("plot/found.csv")]
    >>> describe_group(files[:2], files), describe_group(files[2:], files)
    ('plot/*.xml', 'plot/found.csv')
    """
    if len(group) == 1:
        return str(_folder_or_file(group[0], all_files))
    folder = Path(os.path.commonpath([path.parent for path in group]))
    members = set(group)
    if members == {path for path in all_files if folder in path.parents}:
        return str(folder)

    # A pattern, if it matches these files only.
    suffix = group[0].suffix
    matching_files = {path for path in all_files if path.parent == folder and path.suffix == suffix}
    pattern = f"{glob.escape(str(folder))}/*{suffix}"
    if members == matching_files and SEPARATOR not in pattern:
        return pattern

    paths = [str(path) for path in group]
    if any(SEPARATOR in path for path in paths):
        return ""
    return SEPARATOR.join(paths)


def _folder_or_file(path: Path, all_files: Collection[Path]) -> Path:
    """Return the folder of a file if only the folder tells it from a file of the same name.

    Args:
        path: Path of the file.
        all_files: Paths of all annotation files in the folder of an import.
    """
    has_namesake = any(other.name == path.name and other != path for other in all_files)
    is_alone = not any(other != path and path.parent in other.parents for other in all_files)
    return path.parent if has_namesake and is_alone else path


def name_input(input_paths: str, names_in_use: Collection[str] = ()) -> str:
    """Return a short name for the files that a text specifies.

    The name is that of the file, of the layer in it, or of the folder. Names of folders above it
    precede it if it is in use, or is common in the layouts of annotation programs, such as
    ``labels``.

    Args:
        input_paths: Path of a file or a folder, a pattern, or several paths.
        names_in_use: Names that are not returned.

    >>> name_input("runs/predict/labels"), name_input("plot/*.xml"), name_input("plot/a.xml")
    ('predict/labels', 'plot', 'a.xml')
    """
    path_text, _, layer = input_paths.partition(LAYER_SEPARATOR)
    parts = list(_named_path(path_text).parts)
    if layer:
        parts.append(layer)
    # The last part, then the last two parts, and so on.
    for start in reversed(range(len(parts))):
        name = "/".join(parts[start:])
        is_common = parts[start].lower() in _COMMON_FOLDER_NAMES
        if not is_common and name not in names_in_use:
            return name
    return "/".join(parts)


def _named_path(input_paths: str) -> Path:
    """Return the file or the folder after which the files that a text specifies are named."""
    if os.path.exists(input_paths):  # noqa: PTH110  # Path.exists raises errors.
        return Path(input_paths)
    paths = [Path(part.strip()) for part in input_paths.split(SEPARATOR) if part.strip()]
    if len(paths) > 1:
        return Path(os.path.commonpath([path.parent for path in paths]))
    path = Path(input_paths)
    return path.parent if "*" in path.name else path
