"""Search for the images that annotation files name, by their paths and names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath, PurePosixPath

from randcrowns.core.errors import InputError

#: File name extensions of images, for annotation files that omit them.
_EXTENSIONS = (".tif", ".tiff", ".png", ".jpg", ".jpeg", ".jp2", ".vrt", ".bmp", ".webp")
#: Names of folders with annotations, in lower case, next to which a folder "images" is expected.
_ANNOTATION_FOLDERS = ("labels", "annotations")


def is_file(path: Path) -> bool:
    r"""Return True if a path is that of a file; a path that the system refuses is that of none.

    Names in files may be longer than the system permits, or contain characters that no path has.

    >>> is_file(Path("a" * 300 + ".tif")), is_file(Path("a\0.tif"))
    (False, False)
    """
    return os.path.isfile(path)  # noqa: PTH113  # Path.is_file raises errors.


class ImageSearch:
    """Search for the images that annotation files name.

    The search uses the first file that exists: the path in the annotations, then the folder of the
    annotation file and its folders of images, then the folder that the user selected. If the
    selected folder has several images with the same name, the search uses the image whose folders
    are those of the path or of the annotation file.

    Args:
        folder: folder that the user selected, which is searched with its subfolders; None without
            one.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._files_by_name: dict[str, list[Path]] | None = None

    def folder_name(self, path: Path | None) -> str:
        """Return the name of an image with its folders, if its file name does not identify it.

        Args:
            path: file of the image; None if it is not found.

        Returns:
            Path relative to the selected folder, with slashes; empty if the image is not there or
            no other one there has its file name.
        """
        if self._folder is None or path is None:
            return ""
        if len(self._list_images(self._folder).get(path.name.lower(), ())) < 2:
            return ""
        try:
            return path.resolve().relative_to(self._folder.resolve()).as_posix()
        except ValueError:
            return ""

    def find_path(self, name: str, file: Path, named_path: str) -> Path | None:
        """Return the file of an image; None if there is none.

        Args:
            name: name of the image in the annotations, with or without folders and extension.
            file: the annotation file.
            named_path: path of the image in the annotations, if there is one besides the name.

        Raises:
            InputError: if several images of the selected folder fit.
        """
        if not name:
            return None
        # The path first: it is more specific than the name.
        stated_paths = [_parse_path(text, file) for text in (named_path, name) if text]
        for candidate in _near_candidates(stated_paths, file):
            if is_file(candidate):
                return candidate
        if self._folder is None:
            return None
        for stated_path in stated_paths:
            exact = self._folder / stated_path
            if len(stated_path.parts) > 1 and is_file(exact):
                return exact
        return self._find_in_folder(self._folder, stated_paths, file)

    def _find_in_folder(
        self, folder: Path, stated_paths: Sequence[PurePosixPath], file: Path
    ) -> Path | None:
        """Return the image of the selected folder whose folders agree best with the annotations.

        Args:
            folder: the selected folder.
            stated_paths: path and name of the image in the annotations.
            file: the annotation file.

        Raises:
            InputError: if several images agree equally well.
        """
        files_by_name = self._list_images(folder)
        for base_name in _file_names(stated_paths[-1]):
            same_name = files_by_name.get(base_name.lower(), [])
            same_case = [path for path in same_name if path.name == base_name]
            candidates = same_case or same_name
            if not candidates:
                continue
            agreements = {path: _folder_agreement(path, stated_paths, file) for path in candidates}
            best_agreement = max(agreements.values())
            fitting = [path for path in candidates if agreements[path] == best_agreement]
            if len(fitting) == 1:
                return fitting[0]
            outermost = folder / base_name
            if outermost in fitting:
                return outermost  # the name is a path in the selected folder
            raise InputError(
                "image.several_fit",
                "{file}: image '{image}' may be one of several in the image folder: {images}. "
                "Choose the folder of the right one, or import the files of each folder "
                "separately.",
                file=file.name,
                image=str(stated_paths[-1]),
                images=[path.relative_to(folder).as_posix() for path in fitting],
            )
        return None

    def _list_images(self, folder: Path) -> dict[str, list[Path]]:
        """Return the images in a folder and its subfolders by file name in lower case, cached."""
        if self._files_by_name is None:
            self._files_by_name = {}
            is_folder = os.path.isdir(folder)  # noqa: PTH112  # Path.is_dir raises errors.
            for path in sorted(folder.rglob("*")) if is_folder else ():
                if path.suffix.lower() in _EXTENSIONS:
                    self._files_by_name.setdefault(path.name.lower(), []).append(path)
        return self._files_by_name


def has_image_extension(name: str) -> bool:
    """Return True if a file name has the extension of an image, in any case.

    >>> has_image_extension("plot1.TIF"), has_image_extension("plot1.2")
    (True, False)
    """
    return PurePosixPath(name).suffix.lower() in _EXTENSIONS


def other_images_of_stem(name: str, path: Path) -> list[Path]:
    """Return the other images in the folder of an image that its name may mean.

    Args:
        name: name of the image in the annotations.
        path: file that was found for it.

    Returns:
        Images that differ from ``path`` in the extension only; none if the name has an extension.
    """
    if has_image_extension(name):
        return []
    other_images = []
    for extension in _EXTENSIONS:
        candidate = path.with_suffix(extension)
        if extension != path.suffix.lower() and is_file(candidate):
            other_images.append(candidate)
    return other_images


def _folder_agreement(
    path: Path, stated_paths: Sequence[PurePosixPath], file: Path
) -> tuple[int, int]:
    """Return how well the folders of an image agree with the annotations; larger is better.

    Args:
        path: path of the image.
        stated_paths: path and name of the image in the annotations.
        file: the annotation file.

    Returns:
        Number of folders that agree with those in the annotations, which counts first, and number
        of folders that agree with those of the annotation file.
    """
    n_equal_named = max(_count_equal_folders(path.parent, name.parent) for name in stated_paths)
    return n_equal_named, _count_equal_folders(path.parent, file.parent)


def _file_names(path: PurePosixPath) -> list[str]:
    """Return the possible file names of an image, the likeliest first; it may lack its extension.

    >>> _file_names(PurePosixPath("site1/plot.tif"))
    ['plot.tif']
    """
    names = [path.name] if path.suffix else []
    if path.suffix.lower() not in _EXTENSIONS:
        for extension in _EXTENSIONS:
            names += [path.name + extension, path.name + extension.upper()]
    return names


def _parse_path(text: str, file: Path) -> PurePosixPath:
    """Return the path that an annotation file gives, with slashes.

    A path on a server (``//server/share/…``) is reduced to its name unless the annotation file lies
    on the same share, so that no file makes Windows log on to a server.

    Args:
        text: the path, with slashes or backslashes.
        file: the annotation file.
    """
    path = PurePosixPath(text.replace("\\", "/"))
    is_on_server = path.root == "//"
    if not is_on_server:
        return path
    server_and_folder = path.parts[1:3]
    share = "//" + "/".join(server_and_folder)
    share_of_file = file.drive.replace("\\", "/")
    if share.lower() == share_of_file.lower():
        return path
    return PurePosixPath(path.name)


def _near_candidates(stated_paths: Sequence[PurePosixPath], file: Path) -> Iterator[Path]:
    """Yield the files that a path may name near an annotation file.

    Args:
        stated_paths: path and name of the image in the annotations.
        file: the annotation file.
    """
    for path in stated_paths:
        if path.suffix and len(path.parts) > 1:
            yield file.parent / path  # an absolute path stays as it is
    folders = [
        file.parent,
        *_corresponding_image_folders(file.parent),
        file.parent / "images",
        file.parent.parent / "images",
    ]
    relative_paths = [
        path for path in stated_paths if len(path.parts) > 1 and not path.is_absolute()
    ]
    for folder in folders:
        for path in relative_paths:
            for name in _file_names(path):
                yield folder / path.parent / name
    for folder in folders:
        for name in _file_names(stated_paths[-1]):
            yield folder / name


def _count_equal_folders(first: PurePath, second: PurePath) -> int:
    """Return how many of the last folders of two paths are the same, in any case.

    >>> _count_equal_folders(PurePosixPath("a/site1"), PurePosixPath("b/Site1"))
    1
    """
    count = 0
    for folder, other in zip(reversed(first.parts), reversed(second.parts)):
        if folder.lower() != other.lower():
            break
        count += 1
    return count


def _corresponding_image_folders(folder: Path) -> list[Path]:
    """Return the folders "images" that correspond to a folder of annotations, as in YOLO datasets.

    The folder itself or one of its parents is named "labels" or "annotations". It is replaced, the
    innermost one first.

    >>> [path.as_posix() for path in _corresponding_image_folders(Path("data/labels/train"))]
    ['data/images/train']
    """
    image_folders = []
    for ancestor in (folder, *folder.parents):
        if ancestor.name.lower() in _ANNOTATION_FOLDERS:
            subfolder = folder.relative_to(ancestor)
            image_folders.append(ancestor.with_name("images") / subfolder)
    return image_folders
