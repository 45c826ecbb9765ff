"""Files of a folder that belong into layers of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import shapely

from randcrowns.core.exchange.annotations import Annotations, Image
from randcrowns.core.exchange.file_groups import (
    FileSummary,
    describe_group,
    group_files,
    mixed_score_messages,
    name_input,
    separate_coco_results,
)
from randcrowns.core.exchange.files import find_annotation_files


def summary(path, *images, scores=False, crowns=True, extent=None):
    return FileSummary(Path(path), crowns, scores, tuple(map(Path, images)), extent)


def groups_of(*files):
    return [[path.as_posix() for path in group] for group in group_files(files)]


def test_files_with_scores_are_a_layer_of_their_own():
    truth = [summary("d/labels/val/a.txt"), summary("d/labels/val/b.txt", crowns=False)]
    found = [
        summary("d/predict/a.txt", scores=True),
        summary("d/predict/b.txt", crowns=False),
    ]
    assert groups_of(*found, *truth) == [
        ["d/labels/val/a.txt", "d/labels/val/b.txt"],
        # A file without crowns belongs to the predictions of its folder.
        ["d/predict/a.txt", "d/predict/b.txt"],
    ]


def test_files_of_one_folder_on_the_same_image_are_the_work_of_several_people():
    files = [
        summary("d/anna_1.json", "d/a.png"),
        summary("d/anna_2.json", "d/b.png"),
        summary("d/ben_1.json", "d/a.png"),
        summary("d/ben_2.json", "d/b.png", "d/c.png"),
    ]
    assert groups_of(*files) == [
        ["d/anna_1.json", "d/anna_2.json"],
        ["d/ben_1.json", "d/ben_2.json"],
    ]


def test_a_missing_image_of_two_files_is_one_image_in_one_folder_only():
    def missing(path):
        return FileSummary(Path(path), True, False, missing_images=("a.png",))

    first, second = missing("d/anna.json"), missing("d/ben.json")
    assert groups_of(first, second) == [["d/anna.json"], ["d/ben.json"]]
    other = missing("e/ben.json")
    assert groups_of(first, other) == [["d/anna.json", "e/ben.json"]]


def test_map_layers_of_the_same_ground_are_the_work_of_several_people():
    anna = summary("d/anna.gpkg", extent=(0.0, 0.0, 60.0, 60.0))
    ben = summary("d/ben.gpkg", extent=(5.0, 4.0, 58.0, 61.0))
    assert groups_of(anna, ben) == [["d/anna.gpkg"], ["d/ben.gpkg"]]
    points = summary("d/stems.gpkg", crowns=False)
    assert groups_of(anna, ben, points)[:2] == [["d/anna.gpkg"], ["d/ben.gpkg"]]


def test_map_layers_side_by_side_are_tiles_of_one_layer():
    # The tiles have 10 m of 60 m in common: a sixth of each.
    tiles = [
        summary(f"d/{n}.gpkg", extent=(50.0 * n, 0.0, 50.0 * n + 60.0, 60.0)) for n in range(3)
    ]
    points = summary("d/stems.gpkg", crowns=False)
    assert groups_of(*tiles, points) == [[f"d/{n}.gpkg" for n in (0, 1, 2)] + ["d/stems.gpkg"]]


def test_a_map_layer_is_separated_from_annotations_of_images():
    field = summary("d/field.shp", extent=(0.0, 0.0, 60.0, 60.0))
    boxes = summary("d/tile.txt", "d/tile.tif")
    assert groups_of(boxes, field) == [["d/field.shp"], ["d/tile.txt"]]


def test_files_without_crowns_are_no_layer():
    files = [summary("d/p/a.txt", scores=True), summary("d/q/b.txt", crowns=False)]
    assert groups_of(*files) == [["d/p/a.txt", "d/q/b.txt"]]


def test_tiles_of_one_name_are_one_layer_and_copies_of_one_image_are_two(tmp_path):
    for folder, content in {"anna": b"same", "ben": b"same", "site": b"else"}.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "tile.tif").write_bytes(content)
    anna, ben, site = (
        summary(tmp_path / name / "a.xml", tmp_path / name / "tile.tif")
        for name in ("anna", "ben", "site")
    )
    assert group_files([anna, ben]) == [[anna.path], [ben.path]]
    assert group_files([anna, site]) == [[anna.path, site.path]]


def test_people_who_drew_on_one_image_are_separated_at_the_uppermost_folder():
    files = [
        summary("d/anna/x/1.xml", "images/1.tif"),
        summary("d/anna/y/2.xml", "images/2.tif"),
        summary("d/ben/x/1.xml", "images/1.tif"),
    ]
    assert groups_of(*files) == [["d/anna/x/1.xml", "d/anna/y/2.xml"], ["d/ben/x/1.xml"]]


def test_results_of_coco_are_separated_from_ground_truths(tmp_path):
    truth = {"images": [], "annotations": [], "categories": []}
    (tmp_path / "train.json").write_text(json.dumps(truth))
    (tmp_path / "val.json").write_text(json.dumps(truth))
    (tmp_path / "found.json").write_text(json.dumps([{"image_id": 1, "bbox": [0, 0, 1, 1]}]))
    files = find_annotation_files(str(tmp_path), None)
    groups = separate_coco_results(files)
    assert [[path.name for path in group] for group in groups] == [
        ["train.json", "val.json"],
        ["found.json"],
    ]
    assert len(separate_coco_results(files[1:])) == 1


def boxes_of(*scores):
    shapes = [shapely.box(0, 0, 4, 4)] * len(scores)
    return Annotations.from_shapes(shapes, [Image("a.png", 10, 10)], score=scores)


def test_files_with_and_without_scores_in_one_layer_are_noted():
    names = paths("d/field.xml", "d/found.csv", "d/empty.txt")
    nan = float("nan")
    contents = [boxes_of(nan, nan), boxes_of(0.5, nan), boxes_of()]
    (message,) = mixed_score_messages(names, contents)
    assert message.key == "exchange.mixed_scores"
    assert message.values == {"scored": ("found.csv",), "others": ("field.xml",)}
    assert message.is_notice
    assert mixed_score_messages(names[1:], contents[1:]) == []
    assert mixed_score_messages(names[::2], contents[::2]) == []


def paths(*names):
    return [Path(name) for name in names]


def test_a_group_is_a_folder_a_pattern_or_a_list_of_files():
    files = paths("d/a.xml", "d/b.xml", "d/c.csv", "d/p/a.txt", "d/p/b.txt")
    assert describe_group(files[3:], files) == "d/p"
    assert describe_group(files[:2], files) == "d/*.xml"
    assert describe_group(files[2:3], files) == "d/c.csv"
    assert describe_group(files[1:3], files) == "d/b.xml;d/c.csv"
    # The folder tells files of the same name apart.
    people = paths("d/anna/plot.json", "d/ben/plot.json", "d/ben/plot2.json")
    assert describe_group(people[:1], people) == "d/anna"
    assert describe_group(people[1:2], people) == "d/ben/plot.json"
    assert describe_group(paths("d;e/a.xml", "d;e/c.csv"), paths("d;e/a.xml", "d;e/b.xml")) == ""


@pytest.mark.parametrize(
    ("given", "in_use", "name"),
    [
        ("b/labels/val", (), "b/labels/val"),
        ("b/predict/labels", (), "predict/labels"),
        ("x/anna/plot.json", ("plot.json",), "anna/plot.json"),
        ("d/*.xml", (), "d"),
        ("d/b.xml;d/c.csv", (), "d"),
        ("labels", (), "labels"),
        ("d/all.gpkg|layername=field", (), "field"),
        ("d/all.gpkg|layername=field", ("field",), "all.gpkg/field"),
    ],
)
def test_names_tell_files_apart(given, in_use, name):
    assert name_input(given, in_use) == name


def test_the_text_of_a_group_finds_its_files(tmp_path):
    folder = tmp_path / "plot [1]"
    folder.mkdir()
    box = "<annotation><filename>a.tif</filename></annotation>"
    names = ("a.xml", "b.xml", "c.csv")
    for name in names:
        (folder / name).write_text(box if name.endswith("xml") else "image_path,xmin\n")
    all_paths = [folder / name for name in names]
    text = describe_group(all_paths[:2], all_paths)
    assert [file.path for file in find_annotation_files(text, None)] == all_paths[:2]
