"""COCO files as programs write them: shapes, flags, ids and names in every form."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.errors import find_message, raises
from support.examples import examples
from support.masks import pixels_in

from randcrowns.core.exchange import (
    Annotations,
    DoubtReason,
    FileFormat,
    Image,
    SkipReason,
    detect_format,
    read_coco,
    write_coco_results,
    write_coco_truth,
)
from randcrowns.core.exchange.coco import read_named_results
from randcrowns.core.exchange.coco_shapes import read_shapes
from randcrowns.core.exchange.coco_writing import category_names
from randcrowns.core.exchange.files import AnnotationFile, AnnotationReader
from randcrowns.core.exchange.rle import RleMask

SQUARE = [10, 10, 30, 10, 30, 30, 10, 30]
CROWN = {"image_id": 1, "category_id": 1}
IMAGES = ({"id": 1, "file_name": "a.png", "width": 100, "height": 80},)
CATEGORIES = ({"id": 1, "name": "tree"},)


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Annotations]:
    """Return a function that writes annotations to a file and reads them."""

    def write_and_read(*records: Any, **lists: Any) -> Annotations:
        content = {"images": IMAGES, "categories": CATEGORIES, "annotations": records, **lists}
        path = tmp_path / "truth.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        return read_coco(path)

    return write_and_read


def areas(found: Annotations) -> list[float]:
    return shapely.area(found.shapes).tolist()


@given(
    st.lists(
        st.tuples(*[st.integers(0, 20)] * 2, *[st.integers(1, 20)] * 2), min_size=1, max_size=5
    )
)
@settings(max_examples=examples(100), deadline=None)
def test_a_crown_is_the_union_of_its_parts_as_the_mask_of_pycocotools(
    parts: list[tuple[int, int, int, int]],
) -> None:
    masks = pytest.importorskip("pycocotools.mask")
    boxes = [shapely.box(x, y, x + width, y + height) for x, y, width, height in parts]
    outline = [shapely.get_coordinates(box)[:-1].ravel().tolist() for box in boxes]
    expected = masks.area(masks.merge(masks.frPyObjects(outline, 50, 50)))
    found = read_shapes([{"segmentation": outline}])
    assert shapely.area(found.shapes[0]) == pytest.approx(expected, abs=1e-9)
    assert shapely.is_valid(found.shapes[0])
    # By hand: boxes overlap if their areas sum to more than that of the union.
    is_overlapping = sum(box.area for box in boxes) > expected
    assert found.doubts[DoubtReason.JOINED_PARTS].tolist() == [is_overlapping]


def test_parts_that_only_touch_are_one_crown_without_a_message(read: Any) -> None:
    found = read({**CROWN, "segmentation": [SQUARE, [30, 10, 40, 10, 40, 30, 30, 30]]})
    assert areas(found) == [600.0]
    assert found.problem_rows == {}


def test_a_part_without_area_or_that_crosses_itself_adds_what_it_covers(read: Any) -> None:
    line, bow_tie = [50, 50, 60, 60, 70, 70], [50, 10, 60, 20, 60, 10, 50, 20]
    found = read(
        {**CROWN, "segmentation": [SQUARE, line]}, {**CROWN, "segmentation": [SQUARE, bow_tie]}
    )
    assert [shape.geom_type for shape in found.shapes] == ["Polygon", "MultiPolygon"]
    # By hand: the bow tie is two triangles of 10 px x 5 px / 2.
    assert areas(found) == [400.0, 450.0]
    assert found.problem_rows == {}


@pytest.mark.parametrize(
    ("outline", "box", "area", "reason"),
    [
        ([SQUARE, [70, 70, 71, 71]], None, 400, DoubtReason.BAD_PART),
        ([[None, 1, 2, 3, 4, 5], SQUARE], None, 400, DoubtReason.BAD_PART),
        ([SQUARE, "text"], [0, 0, 1, 1], 400, DoubtReason.BAD_PART),
        ([[1, 2, 3]], [10, 10, 4, 5], 20, DoubtReason.BOX_TAKEN),
        ({"size": [80, 100], "counts": [3]}, [10, 10, 4, 5], 20, DoubtReason.BOX_TAKEN),
        ({"size": [2, 2], "counts": [4]}, [10, 10, 4, 5], 20, DoubtReason.BOX_TAKEN),
        (7, [10, 10, 4, 5], 20, DoubtReason.BOX_TAKEN),
        ([[1, 2, 3]], [10, 10, 0, 5], None, SkipReason.NOT_NUMBERS),
        ([[1, 2, 3, 4]], None, None, SkipReason.FEW_POINTS),
        ([[0, 0, 4, 0, 0, 0]], None, None, SkipReason.FEW_POINTS),
        ([[0, 0, 4, 0, 0, 0, 4, 0]], None, None, SkipReason.FEW_POINTS),
        (True, None, None, SkipReason.NOT_NUMBERS),
    ],
)
def test_a_bad_part_does_not_lose_a_crown(
    read: Any, outline: Any, box: Any, area: float | None, reason: Any
) -> None:
    found = read({**CROWN, "segmentation": outline, "bbox": box})
    assert areas(found) == ([] if area is None else [area])
    assert found.problem_rows == {reason: [1]}


@pytest.mark.parametrize(
    "outline",
    [
        [0, 0, 4, 0, 4, 4, 0, 4],
        ["0", "0", "4", "0", "4", "4", "0", "4"],
        [[0, 0], [4, 0], [4, 4], [0, 4]],
        [[[0, 0], [4, 0], [4, 4], [0, 4]]],
        [{"x": 0, "y": 0}, {"x": 4, "y": 0}, {"x": 4, "y": 4}, {"x": 0, "y": 4}],
        [[0, 0, 4, 0, 4, 4, 0, 4, 0, 0]],
        [[], [0, 0, 4, 0, 4, 4, 0, 4]],
        "[[0, 0, 4, 0, 4, 4, 0, 4]]",
    ],
)
def test_an_outline_in_any_list_is_the_same_square(read: Any, outline: Any) -> None:
    found = read({**CROWN, "segmentation": outline})
    assert areas(found) == [16.0]
    assert found.problem_rows == {}


@pytest.mark.parametrize("outline", [None, [], [[]], {}, ""])
def test_a_box_serves_where_the_outline_is_empty(read: Any, outline: Any) -> None:
    found = read({**CROWN, "segmentation": outline, "bbox": ["10", 10.0, "20", 20]})
    assert areas(found) == [400.0]
    assert found.problem_rows == {}


@pytest.mark.parametrize("as_text", [False, True])
def test_masks_with_sizes_and_counts_in_any_form(read: Any, as_text: bool) -> None:
    masks = pytest.importorskip("pycocotools.mask")
    pixels = np.random.default_rng(1).uniform(size=(7, 9)) < 0.4
    encoded = masks.encode(np.asfortranarray(pixels.astype(np.uint8)))["counts"]
    runs = RleMask.from_pixels(pixels).run_lengths.tolist()
    forms = [encoded.decode(), str(encoded), runs, [float(run) for run in runs]]
    size = ["7", "9"] if as_text else [7.0, 9.0]
    found = read(*({**CROWN, "segmentation": {"size": size, "counts": form}} for form in forms))
    assert len(found) == 4
    for mask in found.masks.values():
        assert (pixels_in(mask) == pixels).all()
    assert not read({**CROWN, "segmentation": {"size": [7.5, 9], "counts": runs}})


def test_masks_in_a_list_are_one_crown(read: Any) -> None:
    parts = [{"size": [2, 2], "counts": [1, 1, 2]}, {"size": [2, 2], "counts": [2, 1, 1]}]
    found = read({**CROWN, "segmentation": parts})
    # By hand: the pixels (1, 0) and (0, 1).
    assert pixels_in(found.masks[0]).astype(int).tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("flag", "is_ignored", "is_doubtful"),
    [
        ("0", False, False),
        ("1", True, False),
        (0.0, False, False),
        (1.0, True, False),
        (True, True, False),
        ("false", False, False),
        (" True ", True, False),
        (None, False, False),
        ("", False, False),
        ("perhaps", False, True),
        ([1], False, True),
    ],
)
def test_iscrowd_in_any_form(read: Any, flag: Any, is_ignored: bool, is_doubtful: bool) -> None:
    found = read({**CROWN, "bbox": [0, 0, 2, 1], "iscrowd": flag})
    assert found.is_ignored.tolist() == [is_ignored]
    assert found.problem_rows == ({DoubtReason.NO_FLAG: [1]} if is_doubtful else {})


@pytest.mark.parametrize("truth_id", [7, 7.0, "7", "7.0", " 7"])
@pytest.mark.parametrize("own_id", [7, 7.0, "7", "7.0"])
def test_ids_in_any_form_are_the_same(read: Any, truth_id: Any, own_id: Any) -> None:
    found = read(
        {"image_id": own_id, "category_id": own_id, "bbox": [0, 0, 2, 1]},
        images=[{"id": truth_id, "file_name": "b.png", "width": "40", "height": 30.0}],
        categories=[{"id": truth_id, "name": "oak"}],
    )
    assert found.label.tolist() == ["oak"]
    assert found.images[0][:3] == ("b.png", 40, 30)
    assert found.problem_rows == {}


def test_ids_of_64_bits_and_of_images_with_one_name_stay_apart(read: Any) -> None:
    ids = [2**63 - 1, 2**63 - 2]
    found = read(
        *({"image_id": one, "bbox": [0, 0, 2, 1]} for one in (ids[1], str(ids[0]), ids[1])),
        images=[{"id": one, "file_name": "plot.png"} for one in ids],
    )
    assert found.image_index.tolist() == [1, 0, 1]
    assert [image.name for image in found.images] == ["plot.png", "plot.png"]


def test_one_id_of_two_images_is_refused(read: Any) -> None:
    images = [{"id": 1, "file_name": "a.png"}, {"id": "1", "file_name": "b.png"}]
    with raises("coco.repeated_image_id", first="a.png", second="b.png"):
        read(images=images)
    assert len(read(images=[images[0], images[0]]).images) == 1


def test_one_id_and_name_of_two_sizes_is_refused(read: Any) -> None:
    image = {"id": 1, "file_name": "a.png"}
    large, small = {"width": 90, "height": 60}, {"width": 45, "height": 60}
    with raises("coco.repeated_image_id", first="a.png (90 x 60)", second="a.png (45 x 60)", id=1):
        read(images=[{**image, **large}, {**image, **small}])
    assert len(read(images=[{**image, **large}, image]).images) == 1


def test_one_id_of_two_categories_is_refused(read: Any) -> None:
    names = [{"id": 3, "name": "oak"}, {"id": 3.0, "name": "ash"}]
    with raises("coco.repeated_category_id", path="truth.json", first="oak", second="ash", id=3.0):
        read(categories=names)
    record = {**CROWN, "category_id": 3, "bbox": [0, 0, 2, 1]}
    assert read(record, categories=[names[0], names[0]]).label.tolist() == ["oak"]
    assert read(record, categories=[names[0], {"id": 3}]).label.tolist() == ["oak"]


def test_attributes_are_fields(read: Any) -> None:
    box = {**CROWN, "bbox": [0, 0, 2, 1]}
    found = read({**box, "attributes": {"health": "dead", "dbh": 30, "parts": [1]}}, box)
    fields = {name: values.tolist() for name, values in found.fields.items()}
    assert fields == {"health": ["dead", None], "dbh": [30, None]}


def test_a_flag_ignore_without_iscrowd_is_reported(read: Any) -> None:
    box = {**CROWN, "bbox": [0, 0, 2, 1]}
    found = read({**box, "ignore": 1}, {**box, "ignore": 0}, {**box, "ignore": 1, "iscrowd": 1})
    # pycocotools sets 'ignore' to 'iscrowd' (COCOeval._prepare).
    assert found.is_ignored.tolist() == [False, False, True]
    assert found.problem_rows == {DoubtReason.IGNORE_FLAG: [1]}


def test_annotations_of_one_id_are_all_taken_and_reported(read: Any, tmp_path: Path) -> None:
    box = {**CROWN, "bbox": [0, 0, 2, 1]}
    records = [{**box, "id": number} for number in (7, 8, "7", None, None, 9, 7.0)]
    found = read(*records)
    assert len(found) == 7
    assert found.problem_rows == {DoubtReason.REPEATED_ID: [1, 3, 7]}
    assert read(*records[:2]).problem_rows == {}
    # pycocotools gives the results of a file ids of its own.
    results = tmp_path / "results.json"
    results.write_text(json.dumps(records), encoding="utf-8")
    assert read_coco(results, tmp_path / "truth.json").problem_rows == {}


@pytest.mark.parametrize(
    ("record", "image", "reason"),
    [
        ({"image_id": 1, "file_name": "b.png"}, "x/a.png", DoubtReason.OTHER_IMAGE),
        ({"image_id": 1, "file_name": "y/a.png"}, "x/a.png", DoubtReason.OTHER_IMAGE),
        ({"image_id": 1, "file_name": "a.png"}, "x/a.png", None),
        ({"image_id": 1, "file_name": "C:\\x\\a.png"}, "x/a.png", None),
        ({"image_id": 1, "file_name": "a"}, "x/a.png", None),
        ({"image_id": "b", "file_name": "b.png"}, "b.png", DoubtReason.IMAGE_BY_NAME),
        ({"image_id": "b"}, "b.png", DoubtReason.IMAGE_BY_NAME),
        ({"file_name": "a.png"}, "x/a.png", DoubtReason.IMAGE_BY_NAME),
        ({"image_id": 9}, None, SkipReason.UNKNOWN_IMAGE),
        ({"image_id": [1]}, None, SkipReason.UNKNOWN_IMAGE),
        ({}, None, SkipReason.UNKNOWN_IMAGE),
        ({"file_name": "other.png"}, None, SkipReason.UNKNOWN_IMAGE),
    ],
)
def test_number_and_name_of_the_image(
    read: Any, record: Any, image: str | None, reason: Any
) -> None:
    images = [{"id": 1, "file_name": "x/a.png"}, {"id": 2, "file_name": "b.png"}]
    found = read({**record, "bbox": [0, 0, 2, 1]}, images=images)
    assert [found.images[index].name for index in found.image_index] == [image] * bool(image)
    assert found.problem_rows == ({reason: [1]} if reason else {})


def test_a_crown_without_an_image_is_on_the_only_one(read: Any) -> None:
    found = read({"bbox": [0, 0, 2, 1]})
    assert found.problem_rows == {DoubtReason.ONLY_IMAGE: [1]}


def test_categories_without_names_stay_apart(read: Any) -> None:
    records = [{**CROWN, "category_id": one, "bbox": [0, 0, 2, 1]} for one in (1, "2", 3.0, None)]
    found = read(*records, categories=[{"id": 1, "name": "oak"}, {"id": 2}])
    assert found.label.tolist() == ["oak", "2", "3", None]
    assert found.problem_rows == {DoubtReason.NO_NAME: [2, 3]}
    assert read(*records, categories=None).label.tolist() == ["1", "2", "3", None]
    found = read({**records[2], "category_name": "ash"})  # results of SAHI
    assert found.label.tolist() == ["ash"]
    assert found.problem_rows == {}


def test_boxes_of_two_corners_are_told_by_their_areas_or_mode(read: Any) -> None:
    corners = [{**CROWN, "bbox": [10, 10, 20, 30]}, {**CROWN, "bbox": [50, 10, 60, 30]}]
    # By hand: 10 x 20 px as corners, 20 x 30 and 60 x 30 px as sizes.
    found = read(*({**record, "area": 200} for record in corners))
    assert areas(found) == [200.0, 200.0]
    assert found.problem_rows == {DoubtReason.BOX_OF_CORNERS: [1, 2]}
    assert areas(read(*({**record, "bbox_mode": 0} for record in corners))) == [200.0, 200.0]
    assert areas(read(*({**record, "bbox_mode": 1} for record in corners))) == [600.0, 1800.0]
    found = read({**corners[0], "area": 600}, {**corners[1], "area": 200})
    assert areas(found) == [600.0, 1800.0]
    assert found.problem_rows == {}


def test_boxes_of_cvat_are_turned_clockwise(read: Any) -> None:
    box = {**CROWN, "bbox": [10, 10, 20, 4], "segmentation": []}
    found = read(
        {**box, "attributes": {"rotation": 90.0}}, {**box, "attributes": {"rotation": 0.0}}
    )
    # By hand: the centre is (20, 12); a quarter turn swaps width and height.
    assert shapely.bounds(found.shapes).round(9).tolist() == [[18, 2, 22, 22], [10, 10, 30, 14]]
    assert found.problem_rows == {DoubtReason.BOX_TURNED: [1]}
    found = read({**box, "attributes": {"rotation": 30.0}})
    # The right end (30, 12) moves down, as y points down: y = 12 + 10 sin 30°.
    assert shapely.distance(
        found.shapes[0].exterior, shapely.Point(20 + 10 * 0.75**0.5, 17)
    ) == pytest.approx(0, abs=1e-9)


def test_a_file_of_segment_anything_has_one_image(tmp_path: Path) -> None:
    image = {"image_id": 3, "file_name": "sa_3.jpg", "width": 4, "height": 3}
    mask = {"size": [3, 4], "counts": [4, 1, 7]}
    content = {"image": image, "annotations": [{"segmentation": mask, "predicted_iou": 0.9}]}
    path = tmp_path / "sa_3.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    assert detect_format(path) is FileFormat.COCO
    found = read_coco(path)
    assert found.images[0][:3] == ("sa_3.jpg", 4, 3)
    assert found.score.tolist() == [0.9]
    assert pixels_in(found.masks[0]).sum() == 1


def test_annotations_without_images_are_results(tmp_path: Path) -> None:
    path, truth = tmp_path / "results.json", tmp_path / "truth.json"
    path.write_text(json.dumps({"annotations": [{**CROWN, "bbox": [0, 0, 2, 1]}]}), "utf-8")
    truth.write_text(json.dumps({"images": IMAGES, "annotations": []}), "utf-8")
    with raises("coco.results_only", path="results.json"):
        read_coco(path)
    assert areas(read_coco(path, truth)) == [2.0]


def test_crowds_are_reported_as_areas_to_ignore(read: Callable[..., Annotations]) -> None:
    # CVAT marks every mask as a crowd, so crowns may be lost as areas to ignore.
    crown = {**CROWN, "bbox": [0, 0, 2, 1]}
    crowd = {**CROWN, "bbox": [5, 5, 4, 2], "iscrowd": "1"}
    assert find_message(read(crown, crowd).messages, "coco.crowds", count=1).is_notice
    assert find_message(read(crowd, crowd).messages, "coco.only_crowds").is_warning
    assert not read(crown).messages


def write_results(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


def test_results_that_name_their_images_need_no_ground_truth(tmp_path: Path) -> None:
    # Detectree2: the path of a tile, and a mask with the size of the tile. 2 of the 6 pixels, in
    # columns of 3 pixels: the second and third of the first column.
    tile = {
        "image_id": "tiles/tile_1.png",
        "category_id": 0,
        "score": 0.9,
        "segmentation": {"size": [3, 2], "counts": [1, 2, 3]},
    }
    # Ultralytics: a number, and the name of the file.
    named = {"image_id": 7, "file_name": "b.jpg", "category_id": 2, "bbox": [1, 2, 3, 4]}
    path = write_results(tmp_path / "results.json", tile, named)
    with raises("coco.results_only", path="results.json"):
        read_coco(path)
    found = read_named_results(path)
    assert [image[:3] for image in found.images] == [("tiles/tile_1.png", 2, 3), ("b.jpg", 0, 0)]
    assert found.image_index.tolist() == [0, 1]
    assert found.label.tolist() == ["0", "2"]
    assert pixels_in(found.masks[0]).tolist() == [[0, 0], [1, 0], [1, 0]]
    assert found.shapes[1].bounds == (1, 2, 4, 6)
    find_message(found.messages, "coco.images_of_results", file="results.json")


@pytest.mark.parametrize("image_id", [7, "7", "7.0", None])
def test_results_with_numbers_of_images_do_not_name_them(tmp_path: Path, image_id: Any) -> None:
    record = {"image_id": image_id, "category_id": 1, "bbox": [1, 2, 3, 4]}
    other = {**record, "image_id": "a.png"}
    for number, records in enumerate(([record], [other, record])):
        with raises("coco.results_only"):
            read_named_results(write_results(tmp_path / f"{number}.json", *records))


def test_a_ground_truth_beside_named_results_gives_classes(tmp_path: Path) -> None:
    truth = {"images": IMAGES, "annotations": [], "categories": CATEGORIES}
    record = {"image_id": "a.png", "category_id": 1, "bbox": [1, 2, 3, 4], "score": 0.5}
    path = write_results(tmp_path / "results.json", record)
    file = AnnotationFile(path, FileFormat.COCO)
    assert AnnotationReader([file]).read(file).label.tolist() == ["1"]
    (tmp_path / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    assert AnnotationReader([file]).read(file).label.tolist() == ["tree"]


def layer(labels: list[str | None], **more: Any) -> Annotations:
    boxes = [shapely.box(9 * k, 0, 9 * k + 4, 4) for k in range(len(labels))]
    return Annotations.from_shapes(
        boxes, [Image("a.tif", 99, 9)], label=labels, score=[0.5] * len(labels), **more
    )


def test_classes_are_categories_of_truth_and_results(tmp_path: Path) -> None:
    truth, predictions = layer(["oak", "ash", None]), layer(["ash", "elm"])
    names = category_names(truth, predictions)
    assert names == ["Tree", "ash", "elm", "oak"]
    held = json.loads(write_coco_truth(truth, names))
    assert [one["category_id"] for one in held["annotations"]] == [4, 2, 1]
    results = json.loads(write_coco_results(predictions, names))
    assert [one["category_id"] for one in results] == [2, 3]


@pytest.mark.parametrize(
    ("truth", "predictions", "names"),
    [
        (["oak", "ash"], None, ["ash", "oak"]),
        (["oak", "ash"], ["Tree"], ["Tree"]),
        (["oak", "ash", "Tree"], ["Tree", None], ["Tree"]),
        (["oak", "ash", None], ["oak", "ash"], ["Tree", "ash", "oak"]),
        (["oak", "ash"], ["elm", "fir"], ["Tree"]),
        (["oak"], ["tree"], ["oak"]),
        (["oak"], ["oak", "ash"], ["oak"]),
        ([None], None, ["Tree"]),
        ([], None, ["Tree"]),
    ],
)
def test_one_category_where_several_would_match_nothing(
    truth: list[str | None], predictions: list[str | None] | None, names: list[str]
) -> None:
    predicted = None if predictions is None else layer(predictions)
    assert category_names(layer(truth), predicted) == names


def test_areas_to_ignore_without_a_class_hold_for_all() -> None:
    parts = [layer(["oak", "ash"]), layer([None], ignored=True)]
    assert category_names(Annotations.concatenate(parts, parts[0].images)) == ["Tree"]


def test_flags_of_results_are_those_of_pycocotools(tmp_path: Path) -> None:
    """pycocotools sets the flag of all results to 0: they are predictions."""
    coco = pytest.importorskip("pycocotools.coco")
    truth = {"images": IMAGES, "categories": CATEGORIES, "annotations": []}
    results = [
        {**CROWN, "bbox": [0, 0, 4, 2], "score": 0.9, "iscrowd": flag} for flag in (1, 0, "1")
    ]
    path, truth_path = tmp_path / "results.json", tmp_path / "truth.json"
    path.write_text(json.dumps(results), encoding="utf-8")
    truth_path.write_text(json.dumps(truth), encoding="utf-8")
    loaded = coco.COCO(str(truth_path)).loadRes(str(path))
    expected = [bool(record["iscrowd"]) for record in loaded.loadAnns(loaded.getAnnIds())]
    found = read_coco(path, truth_path)
    assert found.is_ignored.tolist() == expected == [False] * 3
    find_message(found.messages, "coco.flags_in_results", file="results.json", count=2)
    # In a ground truth they are areas to ignore.
    truth_path.write_text(json.dumps({**truth, "annotations": results}), encoding="utf-8")
    assert read_coco(truth_path).is_ignored.tolist() == [True, False, True]
