"""Files of an export: their names, which every system can store, and their numbers of crowns."""

from __future__ import annotations

import datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import shapely
from support.errors import raises

from randcrowns.core.class_names import class_labels
from randcrowns.core.exchange.annotations import Annotations, Image
from randcrowns.core.exchange.deepforest import read_deepforest
from randcrowns.core.exchange.writing import (
    IGNORED,
    PREDICTIONS,
    TARGETS,
    WRITERS,
    write_annotations,
)


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


def _labelled(values: list) -> Annotations:
    """Return crowns with classes."""
    boxes = shapely.box(0, 0, 4, np.arange(1, len(values) + 1))
    labels = class_labels(values)
    scores = np.full(len(values), 0.5)
    return Annotations.from_shapes(boxes, [Image("a.png", 9, 9)], label=labels, score=scores)


@pytest.mark.parametrize("key", ["voc", "deepforest", "coco"])
def test_labels_that_are_texts_of_numbers_are_written_as_they_are(key: str) -> None:
    texts = write_annotations(key, {TARGETS: _labelled(["0.0", " 007", "1e5"])}, {}).files
    (content,) = texts.values()
    for label in ("0.0", "007", "1e5"):
        quoted = {"voc": f"<name>{label}</name>", "coco": f'"{label}"', "deepforest": f",{label},"}
        assert quoted[key] in content


def test_labels_of_one_class_are_equal_in_all_files() -> None:
    layers = {TARGETS: _labelled(["1.0", "2.0"]), PREDICTIONS: _labelled([1, 3])}
    files = write_annotations("deepforest", layers, {}).files
    columns = {
        name: [row.split(",")[5] for row in text.splitlines()[1:]] for name, text in files.items()
    }
    # 1 and "1.0" are one class; nothing else is called 2.
    assert columns == {"targets.csv": ["1", "2.0"], "predictions.csv": ["1", "3"]}


def test_further_fields_come_back_from_a_table(tmp_path: Path) -> None:
    values = {
        "dbh": [31, None],
        "note": ["a, b", "007"],
        "alive": [True, False],
        "height": [2.5, float("nan")],
        "day": [datetime.date(2024, 5, 1), None],
        "xmin": [7, 8],
        "label": ["oak", "ash"],
        "raw": [b"\x01", None],
        "parts": [[1, 2], None],
    }
    fields = {name: np.empty(2, dtype=object) for name in values}
    for name, own in values.items():
        fields[name][:] = own
    boxes = shapely.box(0, 0, 4, np.array([1, 2]))
    crowns = Annotations.from_shapes(
        boxes, [Image("a.png", 9, 9)], label=["oak", "ash"], fields=fields
    )
    path = tmp_path / "targets.csv"
    path.write_text(
        write_annotations("deepforest", {TARGETS: crowns}, {}).files[path.name], newline=""
    )
    found = read_deepforest(path)
    assert found.label.tolist() == ["oak", "ash"]
    assert {name: column.tolist() for name, column in found.fields.items()} == {
        "dbh": [31, None],
        "note": ["a, b", "007"],
        "alive": [True, False],
        "height": [2.5, None],
        "day": ["2024-05-01", None],
        "xmin_2": [7, 8],
        "raw": ["01", None],
        "parts": ["[1, 2]", None],
    }
    # DeepForest keeps the further columns of the table that pandas reads.
    assert pd.read_csv(path)["dbh"].tolist()[0] == 31
