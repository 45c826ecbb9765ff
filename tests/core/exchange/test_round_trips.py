"""Written annotations are read back unchanged, in every format."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.masks import pixels_in

from randcrowns.core.exchange import (
    Annotations,
    Image,
    read_coco,
    read_deepforest,
    read_voc,
    write_coco_results,
    write_coco_truth,
    write_deepforest,
    write_voc,
)
from randcrowns.core.exchange.rle import RleMask, decode_counts

_IMAGES = (
    Image("plot_1.tif", 400, 300),
    Image('mit Ümlaut & <tags>, "quoted".png', 50, 60),
    Image("empty.tif", 9, 9),
    Image("site 1/plot.tif", 400, 300),
    Image("site 2/plot.tif", 500, 400),
)
_LABELS = [
    "Tree",
    'Dead, "broken"',
    "Bäume & <b>",
    "cr\rx",
    "two\nlines",
    str(2**63 - 1),
    "007",
    None,
]
_BOXED = ("voc",)


@st.composite
def annotations(draw: Any) -> Annotations:
    seed, n = draw(st.integers(0, 10**6)), draw(st.integers(0, 12))
    rng = np.random.default_rng(seed)
    corner, size = rng.uniform(-5, 350, (n, 2)), rng.uniform(1e-3, 60, (n, 2))
    shapes: list[Any] = list(shapely.box(*corner.T, *(corner + size).T, ccw=False))
    for place in range(0, n, 3):
        shapes[place] = shapely.Point(*corner[place]).buffer(size[place, 0], quad_segs=2)
    for place in range(1, n, 4):
        shapes[place] = shapely.MultiPolygon(
            [shapely.box(0, 0, 1.5, 2), shapely.box(3, 3, 4, 5.25)]
        )
    labels = [draw(st.sampled_from(_LABELS)) for _ in range(n)]
    image, score = rng.choice([0, 1, 3, 4], n), rng.uniform(0, 1, n)
    return Annotations.from_shapes(shapes, _IMAGES, image, labels, score)


def written(kind: str, found: Annotations, folder: Path) -> list[Annotations]:
    """Write annotations in a format and read them back."""
    if kind == "deepforest":
        (folder / "a.csv").write_text(write_deepforest(found), encoding="utf-8")
        return [read_deepforest(folder / "a.csv")]
    if kind == "voc":
        files = write_voc(found)
        for name, text in files.items():
            (folder / f"{name.replace('/', '_')}.xml").write_text(text, encoding="utf-8")
        return [read_voc(folder / f"{name.replace('/', '_')}.xml") for name in files]
    (folder / "truth.json").write_text(write_coco_truth(found), encoding="utf-8")
    if kind == "coco":
        return [read_coco(folder / "truth.json")]
    (folder / "results.json").write_text(write_coco_results(found), encoding="utf-8")
    return [read_coco(folder / "results.json", folder / "truth.json")]


@pytest.mark.parametrize("kind", ["deepforest", "voc", "coco", "results"])
@given(found=annotations())
@settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_written_and_read_is_the_same(kind: str, found: Annotations, tmp_path: Path) -> None:
    parts = written(kind, found, tmp_path)
    names = {place.name for part in parts for place in part.images}
    assert names == {one.name for one in found.images}
    assert sum(len(part) for part in parts) == len(found)
    assert sum(part.n_read for part in parts) == len(found)
    for place, image in enumerate(found.images):
        rows = np.flatnonzero(found.image_index == place)
        back = next(part for part in parts if image.name in {one.name for one in part.images})
        there = [one.name for one in back.images].index(image.name)
        own = np.flatnonzero(back.image_index == there)
        assert len(own) == len(rows)
        assert (image.name in back.empty_images) == (len(rows) == 0)
        if kind in _BOXED:
            assert shapely.bounds(back.shapes[own]) == pytest.approx(
                shapely.bounds(found.shapes[rows]), abs=1e-9
            )
        else:
            assert shapely.equals_exact(
                shapely.normalize(back.shapes[own]), shapely.normalize(found.shapes[rows]), 1e-9
            ).all()
        labels = [label or "Tree" for label in found.label[rows]]
        assert [label or "Tree" for label in back.label[own]] == labels
        if kind != "coco":
            assert back.score[own] == pytest.approx(found.score[rows], abs=0)


@pytest.mark.parametrize("kind", ["deepforest", "coco", "results"])
@given(
    width=st.integers(4, 30),
    height=st.integers(4, 30),
    x=st.integers(0, 60),
    y=st.integers(0, 60),
    has_island=st.booleans(),
    label=st.sampled_from(["oak", "ash"]),
)
@settings(
    max_examples=examples(20),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_holes_come_back(
    kind: str,
    width: int,
    height: int,
    x: int,
    y: int,
    has_island: bool,
    label: str,
    tmp_path: Path,
) -> None:
    box, hole = shapely.box(x, y, x + width, y + height), shapely.box(x + 1, y + 1, x + 3, y + 3)
    crown = box.difference(hole)
    if has_island:
        crown = crown.union(shapely.box(x + width + 2, y, x + width + 4, y + 2))
    images = [Image("a/plot.tif", 100, 95), Image("b/plot.tif", 100, 95)]
    labels = [label, "elm"]
    found = Annotations.from_shapes([crown, box], images, [1, 0], labels, [0.25, 0.5])
    back = written(kind, found, tmp_path)[0]
    own = [back.images[index].name for index in back.image_index].index("b/plot.tif")
    assert sorted(back.label) == sorted(labels)
    assert (back.label[own], back.score[own] if kind != "coco" else 0.25) == (label, 0.25)
    if kind == "deepforest":
        assert back.shapes[own].equals(crown)
        return
    # Outlines with holes are masks. Every side lies on pixels, so that the pixels are the crown.
    pixels = pixels_in(back.masks[own])
    centres = np.meshgrid(np.arange(100) + 0.5, np.arange(95) + 0.5)
    assert (pixels == shapely.contains_xy(crown, *centres)).all()
    assert pixels.sum() == crown.area


def test_an_outline_with_a_hole_is_kept_to_the_pixel_in_coco(tmp_path: Path) -> None:
    ring = shapely.box(2, 3, 20, 15).difference(shapely.box(5, 5, 9, 11))
    found = Annotations.from_shapes([ring], [Image("plot.tif", 40, 30)], score=[0.5])
    for kind in ("coco", "results"):
        back = written(kind, found, tmp_path)[0]
        assert back.shapes[0] is None
        pixels = pixels_in(back.masks[0])
        assert pixels.shape == (30, 40)
        expected = np.zeros((30, 40), dtype=bool)
        expected[3:15, 2:20] = True
        expected[5:11, 5:9] = False
        assert (pixels == expected).all()


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 10**6), st.floats(0, 1))
@settings(max_examples=examples(80), deadline=None)
def test_masks_are_what_pycocotools_makes_of_them(
    rows: int, columns: int, seed: int, share: float
) -> None:
    encoding = pytest.importorskip("pycocotools.mask")
    pixels = np.random.default_rng(seed).uniform(size=(rows, columns)) < share
    theirs = encoding.encode(np.asfortranarray(pixels.astype(np.uint8)))
    counts = decode_counts(theirs["counts"].decode())
    mask = RleMask(rows, columns, counts)
    assert mask.is_valid
    assert (pixels_in(mask) == pixels).all()
    assert RleMask.from_pixels(pixels).run_lengths.tolist() == counts.tolist()
    ours = encoding.frPyObjects({"size": [rows, columns], "counts": counts.tolist()}, rows, columns)
    assert (encoding.decode(ours).astype(bool) == pixels).all()


def test_voc_has_a_file_for_each_of_the_images_that_differ_in_their_ending_only(
    tmp_path: Path,
) -> None:
    box = shapely.box(0, 0, 2, 2)
    images = [Image("plot.tif", 9, 9), Image("Plot.png", 9, 9), Image("other.tif", 9, 9)]
    found = Annotations.from_shapes(
        [box, box, box], images, [0, 1, 2], label=["a\x0bb", "cr\rx", "Tree"]
    )
    assert sorted(write_voc(found)) == ["Plot.png", "other.tif", "plot.tif"]
    parts = written("voc", found, tmp_path)
    assert {part.images[0].name: part.label.tolist() for part in parts} == {
        "plot.tif": ["a\ufffdb"],
        "Plot.png": ["cr\rx"],
        "other.tif": ["Tree"],
    }


def test_scores_that_are_missing_stay_missing(tmp_path: Path) -> None:
    box = shapely.box(0, 0, 2, 2)
    found = Annotations.from_shapes([box, box], [Image("a.png", 9, 9)], score=[0.25, math.nan])
    back = written("deepforest", found, tmp_path)[0]
    assert back.score.tolist()[0] == 0.25
    assert math.isnan(back.score[1])


def test_a_mask_without_marks_has_no_window() -> None:
    row, column, marks = RleMask.from_pixels(np.zeros((3, 4), dtype=bool)).decode_window()
    assert (row, column, marks.shape) == (0, 0, (0, 0))


@settings(max_examples=examples(50), deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_the_union_of_masks_is_that_of_their_pixels(
    rows: int, columns: int, n: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    pixels = rng.random((n, rows, columns)) < rng.random((n, 1, 1))
    union = RleMask.union([RleMask.from_pixels(one) for one in pixels])
    expected = RleMask.from_pixels(pixels.any(axis=0))
    assert union.run_lengths.tolist() == expected.run_lengths.tolist()
