"""Names that tell the images of annotation files apart, whether their files are found or not."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Generic, NamedTuple

from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import Image
from randcrowns.core.exchange.files import AnnotationFile
from randcrowns.core.exchange.formats import FileFormat
from randcrowns.core.exchange.image_finder import AnyImage, FoundImage, ImageFinder
from randcrowns.core.exchange.image_search import has_image_extension
from randcrowns.core.messages import Message, abbreviate, note


@dataclass(frozen=True)
class ImagesOfFile(Generic[AnyImage]):
    """Images that an annotation file names."""

    file: AnnotationFile
    named: Sequence[Image]  #: (n,) images as the file describes them.
    found: Sequence[AnyImage]  #: (n,) images as they were found, in the same order.
    annotated: frozenset[int] = frozenset()  #: numbers of the images with annotations, from 0.


def distinct_image_names(
    files: Sequence[ImagesOfFile[AnyImage]], finder: ImageFinder[AnyImage]
) -> list[tuple[str, ...]]:
    """Return the names of images by file, such that different images have different names.

    An image whose file name occurs once keeps the name that the annotation file gives. Otherwise
    its folders are in front of it, or behind it the id that it has in its file. A name without an
    extension gets that of the image that was found. Of a path that another computer or folder
    would write differently (``C:/a.png``, ``../a.png``), the file name alone is used if it occurs
    once.

    Args:
        files: annotation files with their images.
        finder: finder of these images.
    """
    names_by_file = []
    for file in files:
        names = []
        for named_image, image in zip(file.named, file.found):
            name = finder.folder_name(image) or named_image.name
            names.append(_with_image_extension(name, image))
        names_by_file.append(names)
    names_by_file = _complete_extensions(names_by_file)
    folders_by_name = _folders_by_name(files, names_by_file)
    distinct_names = [
        _names_of_file(file, file_names, folders_by_name)
        for file, file_names in zip(files, names_by_file)
    ]
    return _without_own_paths(distinct_names)


def _without_own_paths(names_by_file: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return names of images without paths that only one computer or folder has.

    LabelMe writes ``../images/a.png`` and other programs ``/home/me/a.png`` for an image that
    predictions name ``a.png``; the crowns of both would be on different plots.

    Args:
        names_by_file: names of the images of each annotation file.
    """
    all_names = set(chain.from_iterable(names_by_file))
    n_of_file_name = Counter(_file_name(name) for name in all_names)
    short_names = {}
    for name in all_names:
        file_name = _file_name(name)
        is_only = n_of_file_name[file_name] == 1
        short_names[name] = file_name if is_only and _is_own_path(name) else name
    return [tuple(short_names[name] for name in names) for names in names_by_file]


def _file_name(name: str) -> str:
    """Return the file name of a path with slashes or backslashes."""
    return PurePosixPath(name.replace("\\", "/")).name


def _is_own_path(name: str) -> bool:
    """Return True for an absolute path, and for one that begins at ``.`` or ``..``.

    >>> [_is_own_path(name) for name in ("/a.png", "C:/a.png", "../b/a.png", "b/a.png")]
    [True, True, True, False]
    """
    parts = name.replace("\\", "/").split("/")
    return parts[0] in (".", "..", "") or PureWindowsPath(name).is_absolute()


def check_exported_names(names: Sequence[str]) -> None:
    """Raise an InputError if images of an export have one name, by which files identify them.

    >>> check_exported_names(["a.tif", "b.tif"])
    """
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise InputError(
            "export.repeated_image_name",
            "Several images have the name {name}, but the files identify images by name. Rename "
            "them.",
            name=repeated[0],
        )


def shared_image_messages(files: Sequence[ImagesOfFile[AnyImage]]) -> list[Message]:
    """Return notes if several files were placed on the same image.

    Files that belong to an image each may then be on a wrong image. Other files are perhaps the
    work of several people.

    Args:
        files: annotation files with their images.
    """
    # Pairs of an annotation file and an image.
    pairs_of_single: list[tuple[Path, Path]] = []
    pairs_of_others: list[tuple[Path, Path]] = []
    for file in files:
        if _has_file_per_image(file.file.format):
            image_paths = {image.path for image in file.found if image.path is not None}
            pairs_of_single += [(file.file.path, image_path) for image_path in image_paths]
        else:
            pairs_of_others += _annotated_images(file)

    messages = []
    shared_by_single = _shared_images(pairs_of_single)
    if shared_by_single:
        image, sharing_files = next(iter(shared_by_single.items()))
        message = note(
            "exchange.shared_image",
            "{count:,} images have the crowns of several files each, such as {image} those of "
            "{files}. If the files are of different images, one of the images was not found.",
            one="Image {image} has the crowns of several files: {files}. If the files are of "
            "different images, one of the images was not found.",
            count=len(shared_by_single),
            image=image.name,
            files=abbreviate([f"{path.parent.name}/{path.name}" for path in sharing_files]),
        )
        messages.append(message)
    shared_by_others = _shared_images(pairs_of_others)
    if shared_by_others:
        image, sharing_files = next(iter(shared_by_others.items()))
        message = note(
            "exchange.several_files",
            "{count:,} images have the crowns of several files each, such as {image} those of "
            "{files}. One layer now has all of them. If several people drew them, import the "
            "files separately.",
            one="Image {image} has the crowns of several files: {files}. One layer now has all "
            "of them. If several people drew them, import the files separately.",
            count=len(shared_by_others),
            image=image.name,
            files=abbreviate([path.name for path in sharing_files]),
        )
        messages.append(message)
    return messages


def _annotated_images(file: ImagesOfFile[AnyImage]) -> list[tuple[Path, Path]]:
    """Return the path of a file with that of each image that it annotates.

    The path of a missing image is relative to the folder of the file, because one of the same name
    in another folder may be another image. Images without a name are left out.

    Args:
        file: the annotation file with its images.
    """
    path = file.file.path
    pairs = []
    for number in sorted(file.annotated):
        name = file.named[number].name
        if name:
            # An image that was not found may lie beside its annotation file.
            image_path = file.found[number].path or path.parent / name
            pairs.append((path, image_path))
    return pairs


def _shared_images(pairs: Iterable[tuple[Path, Path]]) -> dict[Path, list[Path]]:
    """Return the files of each image that several files have.

    Args:
        pairs: paths of a file and of one of its images.
    """
    files_by_image: dict[Path, dict[Path, None]] = {}
    for file, image in pairs:
        files_by_image.setdefault(image, {})[file] = None
    return {image: list(files) for image, files in files_by_image.items() if len(files) > 1}


def _with_image_extension(name: str, image: FoundImage) -> str:
    """Return a name of an image, with the extension of its file if the name has none.

    A name such as "plot.1" has no extension although it has a point: the point belongs to the name
    if the file is "plot.1.tif".

    Args:
        name: name of the image in an annotation file, with or without folders.
        image: the image as it was found.
    """
    if image.path is None:
        return name
    named_path = PurePosixPath(name)
    has_own_extension = named_path.suffix.lower() == image.path.suffix.lower()
    lacks_extension = named_path.name == image.path.stem and not has_own_extension
    if lacks_extension:
        return name + image.path.suffix
    return name


def _complete_extensions(names_by_file: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return names of images, of which those without an extension get that of another file.

    Some programs omit the extension: the image 'plot1' of one file is 'plot1.png' of another, even
    if neither is found. Names with several possible extensions stay.

    Args:
        names_by_file: names of the images of each annotation file.
    """
    # Names with an extension by the name without it.
    full_names: dict[str, set[str]] = {}
    for name in chain.from_iterable(names_by_file):
        if has_image_extension(name):
            full_names.setdefault(PurePosixPath(name).stem, set()).add(name)

    complete_names: dict[str, str] = {}
    for stem, candidates in full_names.items():
        if len(candidates) == 1 and not has_image_extension(stem):
            complete_names[stem] = next(iter(candidates))
    return [[complete_names.get(name, name) for name in names] for names in names_by_file]


class _FoldersOfName(NamedTuple):
    """Folders in which images of one name lie, or would lie if they were found."""

    of_found: set[PurePath]  #: folders of images that were found.
    of_single: set[PurePath]  #: folders of files of a missing image each, as in YOLO.
    of_tables: set[PurePath]  #: folders of files of several images each, of which one is missing.

    @property
    def folders(self) -> set[PurePath]:
        """Folders of different images."""
        return self.of_found | self.of_single | self.of_tables

    @property
    def is_one_image(self) -> bool:
        """True if all files mean the same image.

        A table may lie in another folder than the file of the image's own annotations. Two tables
        in two folders have an image each, since names are relative to the folder of the table.
        """
        if self.of_found:
            return len(self.folders) == 1
        return len(self.of_single) <= 1 and len(self.of_tables) <= 1


def _folders_by_name(
    files: Sequence[ImagesOfFile[AnyImage]], names_by_file: Sequence[Sequence[str]]
) -> dict[str, _FoldersOfName]:
    """Return the folders of the images of all files by the names of the images.

    Args:
        files: annotation files with their images.
        names_by_file: names of the images of each file.
    """
    folders_by_name: dict[str, _FoldersOfName] = {}
    for file, names in zip(files, names_by_file):
        for name, image in zip(names, file.found):
            no_folders = _FoldersOfName(of_found=set(), of_single=set(), of_tables=set())
            folders = folders_by_name.setdefault(name, no_folders)
            folder = _image_folder(file.file.path, name, image)
            if image.path is not None:
                folders.of_found.add(folder)
            elif _has_file_per_image(file.file.format):
                folders.of_single.add(folder)
            else:
                folders.of_tables.add(folder)
    return folders_by_name


def _has_file_per_image(kind: FileFormat | None) -> bool:
    """Return True if each file of a format belongs to one image; False for an unknown format."""
    return kind is not None and kind.definition.has_file_per_image


def _image_folder(file: Path, name: str, image: FoundImage) -> PurePath:
    """Return the folder of an image; of a missing one, that to which its name refers.

    Args:
        file: the annotation file, to whose folder relative names refer.
        name: name of the image, with or without folders.
        image: the image.
    """
    if image.path is not None:
        return image.path.resolve().parent
    named_folder = PurePosixPath(name.replace("\\", "/")).parent
    if named_folder.is_absolute() or PureWindowsPath(name).is_absolute():
        return named_folder
    return file.resolve().parent / named_folder


def _names_of_file(
    file: ImagesOfFile[AnyImage],
    names: Sequence[str],
    folders_by_name: Mapping[str, _FoldersOfName],
) -> tuple[str, ...]:
    """Return the names of the images of one annotation file, with folders and ids where needed.

    Args:
        file: the annotation file with its images.
        names: name of each image; images in different folders may share it.
        folders_by_name: folders of the images of all annotation files, by their names.
    """
    names_with_folders = []
    for name, image in zip(names, file.found):
        folders_of_name = folders_by_name[name]
        if not name or folders_of_name.is_one_image:
            names_with_folders.append(name)
        else:
            folder = _image_folder(file.file.path, name, image)
            path = image.path or PurePosixPath(name.replace("\\", "/"))
            relative_folder = _below_common_folder(folder, folders_of_name.folders)
            names_with_folders.append((relative_folder / path.name).as_posix())

    # The ids tell images apart that still have the same name.
    counts = Counter(names_with_folders)
    return tuple(
        f"{name} ({named_image.id})" if named_image.id and counts[name] > 1 else name
        for name, named_image in zip(names_with_folders, file.named)
    )


def _below_common_folder(folder: PurePath, folders: Iterable[PurePath]) -> PurePath:
    """Return a folder relative to the common parent of folders; unchanged on several drives.

    >>> _below_common_folder(Path("a/b"), [Path("a/b"), Path("a/c")]).as_posix()
    'b'
    """
    try:
        return folder.relative_to(os.path.commonpath(list(folders)))
    except ValueError:
        return folder
