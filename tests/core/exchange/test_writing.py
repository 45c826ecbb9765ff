"""Files of an export have names that every system can store."""

from __future__ import annotations

import pytest
import shapely
from support.errors import raises

from randcrowns.core.exchange.annotations import Annotations, Image
from randcrowns.core.exchange.writing import TARGETS, WRITERS


def _layers(name: str) -> dict[str, Annotations]:
    """Return a crown on an image of a name."""
    return {TARGETS: Annotations.from_shapes([shapely.box(0, 0, 4, 2)], [Image(name, 9, 9)])}


@pytest.mark.parametrize("kind", ["voc", "yolo"])
@pytest.mark.parametrize("letter", ["a", "\u00e4"])  # of one and of two bytes
def test_a_name_that_no_file_can_have_is_refused(kind: str, letter: str) -> None:
    n_letters = 251 // len(letter.encode())
    files = WRITERS[kind](_layers(letter * n_letters)).files
    assert any(letter * n_letters in path for path in files)
    with raises("export.long_image_name", image=letter * (n_letters + 1), limit=255):
        WRITERS[kind](_layers(letter * (n_letters + 1)))


@pytest.mark.parametrize("kind", ["coco", "deepforest"])
def test_formats_of_one_file_store_any_name(kind: str) -> None:
    assert any("a" * 300 in text for text in WRITERS[kind](_layers("a" * 300)).files.values())
