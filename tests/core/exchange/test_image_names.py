"""Names that tell images of annotation files apart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from randcrowns.core.exchange.annotations import Image
from randcrowns.core.exchange.files import AnnotationFile
from randcrowns.core.exchange.formats import FileFormat
from randcrowns.core.exchange.image_finder import FoundImage, ImageFinder
from randcrowns.core.exchange.image_names import ImagesOfFile, distinct_image_names

TABLE, SINGLE = FileFormat.DEEPFOREST, FileFormat.VOC


@pytest.fixture
def finder(tmp_path: Path) -> ImageFinder[FoundImage]:
    return ImageFinder(tmp_path, FoundImage, FoundImage)


def missing(path: Path, kind: FileFormat, names: Sequence[str]) -> ImagesOfFile[FoundImage]:
    """Return an annotation file that names images that are not found, each with an id."""
    named = [Image(name, id=str(number)) for number, name in enumerate(names, 1)]
    return ImagesOfFile(AnnotationFile(path, kind), named, [FoundImage(name) for name in names])


@pytest.mark.parametrize("kind", [FileFormat.DEEPFOREST, FileFormat.COCO, FileFormat.VOC])
@pytest.mark.parametrize(
    ("folders", "name", "expected"),
    [
        (["site1", "site2"], "a.tif", ["site1/a.tif", "site2/a.tif"]),
        (["site1", "site2"], "img/a.tif", ["site1/img/a.tif", "site2/img/a.tif"]),
        (["site1", "site2"], "img\\a.tif", ["site1/img/a.tif", "site2/img/a.tif"]),
        (["site1", "site1"], "a.tif", ["a.tif", "a.tif"]),
        (["site1", "site2"], "/data/a.tif", ["a.tif", "a.tif"]),
        (["site1", "site2"], "C:\\data\\a.tif", ["a.tif", "a.tif"]),
        (["site1", "site1"], "..\\images\\a.tif", ["a.tif", "a.tif"]),
        (["site1", "site1"], "./a.tif", ["a.tif", "a.tif"]),
        (["site1", "site2"], "", ["", ""]),
        (["", "site2"], "a.tif", ["a.tif", "site2/a.tif"]),
    ],
)
def test_missing_images_of_one_name_in_two_folders_are_two(
    finder: ImageFinder[FoundImage],
    tmp_path: Path,
    kind: FileFormat,
    folders: Sequence[str],
    name: str,
    expected: Sequence[str],
) -> None:
    files = [
        missing(tmp_path / folder / f"{number}.x", kind, [name])
        for number, folder in enumerate(folders)
    ]
    assert distinct_image_names(files, finder) == [(one,) for one in expected]


def test_a_table_and_the_file_of_an_image_name_the_same_missing_image(
    finder: ImageFinder[FoundImage], tmp_path: Path
) -> None:
    files = [
        missing(tmp_path / "boxes.csv", TABLE, ["a.tif", "b.tif"]),
        missing(tmp_path / "labels" / "a.xml", SINGLE, ["a"]),
    ]
    assert distinct_image_names(files, finder) == [("a.tif", "b.tif"), ("a.tif",)]


def test_ids_tell_images_of_one_name_in_a_file_apart(
    finder: ImageFinder[FoundImage], tmp_path: Path
) -> None:
    file = missing(tmp_path / "truth.json", FileFormat.COCO, ["a.tif", "b.tif", "a.tif"])
    assert distinct_image_names([file], finder) == [("a.tif (1)", "b.tif", "a.tif (3)")]


def test_paths_of_images_with_one_file_name_stay(
    finder: ImageFinder[FoundImage], tmp_path: Path
) -> None:
    names = ["/data/site1/a.tif", "/data/site2/a.tif", "/data/site2/b.tif"]
    file = missing(tmp_path / "boxes.csv", TABLE, names)
    assert distinct_image_names([file], finder) == [(*names[:2], "b.tif")]
