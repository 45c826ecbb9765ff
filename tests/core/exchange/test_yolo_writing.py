"""YOLO files of crowns: read back, read by PyYAML, and in the form that Ultralytics documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.errors import raises
from support.examples import examples

from randcrowns.core.exchange.annotations import Annotations, Image
from randcrowns.core.exchange.files import AnnotationReader, find_annotation_files
from randcrowns.core.exchange.formats import FileFormat
from randcrowns.core.exchange.writing import IGNORED, PREDICTIONS, TARGETS, WRITERS
from randcrowns.core.exchange.yolo_writing import write_yolo, write_yolo_data

IMAGES = (Image("plot_1.tif", 400, 300), Image("site/Ümlaut.png", 50, 60), Image("empty.tif", 9, 9))
LABELS = ["Tree", 'Dead, "broken"', "Bäume & <b>: #1", "two\nlines", "\u2028\x7f🌲", "007", None]


def write(folder: Path, layers: dict[str, Annotations]) -> list[str]:
    """Write layers as YOLO, and return the keys of the messages."""
    texts = WRITERS["yolo"](layers)
    for name, text in texts.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return [message.key for message in texts.messages]


def read(folder: Path, name: str = "labels") -> dict[str, Annotations]:
    """Return the annotations of each image by its name without the ending."""
    files = find_annotation_files(str(folder / name), FileFormat.YOLO)
    reader = AnnotationReader(files)
    return {file.path.stem: reader.read(file) for file in files}


@st.composite
def scenes(draw: Any) -> Annotations:
    seed, n = draw(st.integers(0, 10**6)), draw(st.integers(1, 12))
    rng = np.random.default_rng(seed)
    image = rng.choice([0, 1], n)
    sides = np.array([(400, 300), (50, 60)])[image]
    corner = rng.uniform(0, 0.8, (n, 2)) * sides
    size = rng.uniform(0.01, 0.2, (n, 2)) * sides
    shapes = shapely.box(*corner.T, *(corner + size).T)
    if draw(st.booleans()):
        shapes = shapely.buffer(shapely.points(corner + size / 2), size.min(axis=1) / 2)
    labels = [draw(st.sampled_from(LABELS)) for _ in range(n)]
    return Annotations.from_shapes(shapes, IMAGES, image, labels, rng.uniform(0, 1, n))


@given(found=scenes())
@settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_written_and_read_is_the_same(found: Annotations, tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.mktemp("yolo")
    assert write(folder, {TARGETS: found}) == []
    parts = read(folder)
    assert set(parts) == {"plot_1", "Ümlaut", "empty"}
    for number, name in enumerate(("plot_1", "Ümlaut")):
        rows = np.flatnonzero(found.image_index == number)
        scale = (IMAGES[number].width, IMAGES[number].height)
        back = shapely.transform(parts[name].shapes, lambda xy, scale=scale: xy * scale)
        own = found.shapes[rows]
        assert len(back) == len(rows)
        assert (shapely.hausdorff_distance(back, own) < 1e-9).all()
        assert parts[name].label.tolist() == [label or "Tree" for label in found.label[rows]]
        assert parts[name].score == pytest.approx(found.score[rows], abs=0)
    assert len(parts["empty"]) == 0


@pytest.mark.parametrize("label", [label for label in LABELS if label])
def test_pyyaml_reads_the_names_of_the_classes(label: str) -> None:
    yaml = pytest.importorskip("yaml")
    data = yaml.safe_load(write_yolo_data([label, "Oak"]))
    assert data["names"] == {0: label, 1: "Oak"}
    assert (data["nc"], data["train"]) == (2, "images")


def test_boxes_have_four_shares_and_a_score() -> None:
    boxes = shapely.box([0, 10], [0, 20], [4, 30], [2, 50])
    found = Annotations.from_shapes(
        boxes, [Image("plot.tif", 100, 200)], label=["Oak", "Ash"], score=[0.5, 0.25]
    )
    texts = write_yolo(found, ["Ash", "Oak"], as_boxes=True).texts
    assert texts == {"plot": "1 0.02 0.005 0.04 0.01 0.5\n0 0.2 0.175 0.2 0.15 0.25\n"}


def test_outlines_are_written_as_polygons_in_all_files(tmp_path: Path) -> None:
    triangle = shapely.Polygon([(0, 0), (10, 0), (0, 10)])
    images = [Image("plot.tif", 100, 100)]
    layers = {
        TARGETS: Annotations.from_shapes([shapely.box(0, 0, 4, 2)], images, label=["Oak"]),
        PREDICTIONS: Annotations.from_shapes([triangle], images, label=["Ash"], score=[0.5]),
        IGNORED: Annotations.from_shapes([triangle], images, ignored=True),
    }
    assert write(tmp_path, layers) == ["export.no_ignored"]
    target = (tmp_path / "labels" / "plot.txt").read_text().split()
    assert target[0] == "1"
    assert len(target) == 1 + 2 * 4
    predicted = (tmp_path / "predictions" / "plot.txt").read_text().split()
    assert predicted[0] == "0"
    assert sorted(predicted[1:-1]) == sorted(["0.0", "0.0", "0.1", "0.0", "0.0", "0.1"])
    assert predicted[-1] == "0.5"
    assert read(tmp_path, "predictions")["plot"].label.tolist() == ["Ash"]


def test_crowns_that_yolo_cannot_store_are_changed_and_counted(tmp_path: Path) -> None:
    ring = shapely.box(10, 10, 30, 30).difference(shapely.box(15, 15, 20, 20))
    islands = shapely.union(shapely.box(40, 40, 50, 50), shapely.box(60, 60, 62, 62))
    beyond = shapely.box(90, 90, 120, 110)
    outside = shapely.box(200, 200, 210, 210)
    found = Annotations.from_shapes(
        [ring, islands, beyond, outside], [Image("plot.tif", 100, 100)], score=[0.1, 0.2, 0.3, 0.4]
    )
    assert write(tmp_path, {TARGETS: found}) == [
        "export.yolo_clipped",
        "export.yolo_simplified",
        "export.yolo_outside",
    ]
    back = shapely.transform(read(tmp_path)["plot"].shapes, lambda xy: xy * 100)
    expected = [
        shapely.box(10, 10, 30, 30),
        shapely.box(40, 40, 50, 50),
        shapely.box(90, 90, 100, 100),
    ]
    assert len(back) == 3
    assert (shapely.hausdorff_distance(back, np.array(expected)) < 1e-9).all()


def test_predictions_without_a_score_among_others_are_left_out_and_counted(tmp_path: Path) -> None:
    boxes = shapely.box([0, 10], 0, [4, 30], 2)
    images = [Image("plot.tif", 100, 100)]
    targets = Annotations.from_shapes(boxes, images)
    some = Annotations.from_shapes(boxes, images, score=[0.5, np.nan])
    assert write(tmp_path, {TARGETS: targets, PREDICTIONS: some}) == ["export.yolo_no_score"]
    assert read(tmp_path, "predictions")["plot"].score.tolist() == [0.5]
    assert write(tmp_path, {TARGETS: targets, PREDICTIONS: targets}) == []
    assert len(read(tmp_path, "predictions")["plot"]) == 2


@pytest.mark.parametrize(
    ("images", "key"),
    [
        ([Image("plot.tif")], "export.yolo_without_size"),
        ([Image("a/plot.tif", 9, 9), Image("Plot.png", 9, 9)], "export.yolo_repeated_name"),
    ],
)
def test_images_that_yolo_cannot_name_are_refused(images: list[Image], key: str) -> None:
    found = Annotations.from_shapes([shapely.box(0, 0, 4, 2)], images)
    with raises(key):
        write_yolo(found, ["Tree"], as_boxes=True)
