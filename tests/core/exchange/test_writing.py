"""Files of an export: their names, which every system can store, and their numbers of crowns."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from support.errors import raises

from randcrowns.core.exchange.annotations import Annotations, Image
from randcrowns.core.exchange.writing import IGNORED, PREDICTIONS, TARGETS, WRITERS


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


@pytest.mark.parametrize(
    ("kind", "n_crowns"),
    [
        ("coco", {"ground_truth.json": 4, "results.json": 1}),
        ("deepforest", {"targets.csv": 3, "predictions.csv": 2}),
        (
            "voc",
            {
                "targets/a.xml": 2,
                "targets/b.xml": 1,
                "predictions/a.xml": 0,
                "predictions/b.xml": 2,
            },
        ),
        (
            "yolo",
            {
                "data.yaml": 0,
                "labels/a.txt": 2,
                "labels/b.txt": 1,
                "predictions/a.txt": 0,
                "predictions/b.txt": 1,
            },
        ),
    ],
)
def test_each_file_states_its_own_crowns(kind: str, n_crowns: dict[str, int]) -> None:
    # Only one prediction has a score, which COCO and YOLO require; only COCO stores ignored areas.
    images = [Image("a.tif", 40, 40), Image("b.tif", 40, 40)]
    box = shapely.box(0, 0, 4, 2)
    layers = {
        TARGETS: Annotations.from_shapes([box] * 3, images, np.array([0, 0, 1])),
        PREDICTIONS: Annotations.from_shapes(
            [box] * 2, images, np.array([1, 1]), score=np.array([0.5, np.nan])
        ),
        IGNORED: Annotations.from_shapes([box], images, np.array([0]), ignored=True),
    }
    texts = WRITERS[kind](layers)
    assert texts.n_crowns == n_crowns
    assert list(texts.files) == list(n_crowns)
