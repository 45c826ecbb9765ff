"""Reading of annotation files as other programs write them."""

from __future__ import annotations

import base64
import csv
import io
import json
import random
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.data import real_data
from support.errors import ExpectedError, raises
from support.examples import examples
from support.masks import pixels_in

from randcrowns.core.errors import InputError
from randcrowns.core.exchange import (
    Annotations,
    CoordinateUnit,
    DoubtReason,
    FileFormat,
    Image,
    SkipReason,
    detect_format,
    read_coco,
    read_deepforest,
    read_labelme,
    read_via,
    read_voc,
    read_yolo,
)
from randcrowns.core.exchange import values as limits
from randcrowns.core.exchange.files import AnnotationFile, AnnotationReader
from randcrowns.core.exchange.rle import RleMask
from randcrowns.core.exchange.xml_files import detect_encoding
from randcrowns.core.exchange.yolo import find_class_names

_DEEPFOREST = real_data("deepforest")
_NEON = real_data("neon")


def boxes(found: Annotations) -> list[list[float]]:
    return shapely.bounds(found.shapes).tolist()


def saved(folder: Path, name: str, held: Any) -> Path:
    path = folder / name
    path.write_text(held if isinstance(held, str) else json.dumps(held), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["OSBS_029.csv", "example.csv", "testfile_multi.csv"])
def test_real_boxes_of_deepforest(name: str) -> None:
    found = read_deepforest(_DEEPFOREST / name)
    with (_DEEPFOREST / name).open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert found.n_read == len(found) == len(rows)
    assert boxes(found) == [
        [float(row[side]) for side in ("xmin", "ymin", "xmax", "ymax")] for row in rows
    ]
    assert [found.images[place].name for place in found.image_index] == [
        row["image_path"] for row in rows
    ]
    assert found.label.tolist() == [row["label"] for row in rows]
    assert found.source_row.tolist() == list(range(2, len(rows) + 2))
    assert not found.skipped_rows


def test_columns_go_by_name_and_scores_may_be_called_scores() -> None:
    truth = read_deepforest(_DEEPFOREST / "2018_SJER_3_252000_4107000_image_477_truth.csv")
    assert boxes(truth)[0] == [1.0, 103.0, 82.0, 235.0]
    found = read_deepforest(_DEEPFOREST / "2018_SJER_3_252000_4107000_image_477.csv")
    assert found.score[0] == 0.61497575
    assert boxes(found)[0] == pytest.approx([313.02652, 208.67921, 394.21036, 283.95688], abs=0)


def test_an_image_without_crowns_is_not_lost() -> None:
    found = read_deepforest(_DEEPFOREST / "blank_annotations.csv")
    assert len(found) == 0
    assert not found.skipped_rows
    assert found.empty_images == ["OSBS_029.tif"]


def test_version_two_of_deepforest_has_outlines_and_points() -> None:
    polygons = read_deepforest(_DEEPFOREST / "2019_BLAN_3_751000_4330000_image_crop_polygon.csv")
    assert polygons.unit is CoordinateUnit.UNKNOWN
    assert shapely.get_coordinates(polygons.shapes[0])[0].tolist() == [788.0, 714.5]
    points = read_deepforest(_DEEPFOREST / "2019_BLAN_3_751000_4330000_image_crop_keypoints.csv")
    assert (shapely.get_type_id(points.shapes) == shapely.GeometryType.POINT).all()
    both = read_deepforest(_DEEPFOREST / "2019_BLAN_3_751000_4330000_image_crop_bbox.csv")
    assert boxes(both)[0] == [737.0, 630.0, 817.0, 714.0]


@pytest.mark.parametrize("name", ["OSBS_029", "SJER_052"])
def test_real_files_of_voc(name: str) -> None:
    found = read_voc(_NEON / f"{name}.xml")
    objects = ElementTree.parse(_NEON / f"{name}.xml").getroot().findall("object")
    sides = ("xmin", "ymin", "xmax", "ymax")
    expected = [
        [float(one.findtext(f"bndbox/{side}") or "nan") for side in sides] for one in objects
    ]
    assert boxes(found) == expected
    assert found.images[0][:3] == (f"{name}.tif", 400, 400)
    shifted = np.array(expected) - [1, 1, 0, 0]
    assert boxes(read_voc(_NEON / f"{name}.xml", first_pixel=1)) == shifted.tolist()


def test_a_real_file_of_coco() -> None:
    path = _DEEPFOREST / "coco_sample_file.json"
    found, held = read_coco(path), json.loads(path.read_text(encoding="utf-8"))
    assert len(found) == len(held["annotations"]) == 6
    for shape, one in zip(found.shapes, held["annotations"]):
        drawn = shapely.Polygon(np.reshape(one["segmentation"][0], (-1, 2)))
        assert shapely.equals_exact(shape, drawn, 0)
    assert set(found.label) == {"tree"}
    assert {one.name for one in found.images} == {one["file_name"] for one in held["images"]}


def test_every_real_file_is_known_by_its_look() -> None:
    kinds = {path.name: detect_format(path) for path in sorted(_DEEPFOREST.iterdir())}
    assert all(
        kind is FileFormat.DEEPFOREST for name, kind in kinds.items() if name.endswith(".csv")
    )
    assert kinds["coco_sample_file.json"] is FileFormat.COCO
    assert kinds["LICENSE"] is None
    assert detect_format(_NEON / "SJER_052.xml") is FileFormat.VOC
    assert detect_format(real_data("osbs") / "OSBS_ground.csv") is None


def voc_of(name: str, declared: str, encoding: str) -> bytes:
    """Return a VOC file with one box on an image of that name."""
    box = "<bndbox><xmin>1</xmin><ymin>2</ymin><xmax>5</xmax><ymax>6</ymax></bndbox>"
    tree = f"<object><name>Bäume</name>{box}</object>"
    text = f"<annotation><filename>{name}</filename>{tree}</annotation>"
    return (f'<?xml version="1.0"{declared}?>\n' + text).encode(encoding)


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        (' encoding="ISO-8859-1"', "latin-1"),
        (" encoding='windows-1252' standalone='yes'", "cp1252"),
        (' encoding="UTF-8"', "utf-8"),
        (' encoding="utf8"', "utf-8-sig"),
        ("", "utf-8"),
    ],
)
def test_a_file_of_voc_is_read_in_the_encoding_that_it_names(
    declared: str, encoding: str, tmp_path: Path
) -> None:
    path = tmp_path / "plot.xml"
    path.write_bytes(voc_of("Wälder.tif", declared, encoding))
    assert detect_format(path) is FileFormat.VOC
    found = read_voc(path)
    assert (found.images[0].name, found.label.tolist(), boxes(found)) == (
        "Wälder.tif",
        ["Bäume"],
        [[1, 2, 5, 6]],
    )


@pytest.mark.parametrize(
    ("declared", "encoding", "expected"),
    [
        (
            ' encoding="klingon"',
            "utf-8",
            raises("file.unknown_encoding", path="plot.xml", encoding="klingon"),
        ),
        (
            ' encoding="base64"',
            "utf-8",
            raises("file.unknown_encoding", path="plot.xml", encoding="base64"),
        ),
        ("", "latin-1", raises("file.wrong_encoding", path="plot.xml", encoding="UTF-8")),
        (
            ' encoding="ascii"',
            "utf-8",
            raises("file.wrong_encoding", path="plot.xml", encoding="ascii"),
        ),
    ],
)
def test_a_file_of_voc_in_another_encoding_than_it_names_is_refused(
    declared: str, encoding: str, expected: ExpectedError, tmp_path: Path
) -> None:
    path = tmp_path / "plot.xml"
    path.write_bytes(voc_of("Wälder.tif", declared, encoding))
    with expected:
        read_voc(path)


def test_yolo_boxes_polygons_scores_and_names(tmp_path: Path) -> None:
    labels = tmp_path / "labels" / "train"
    labels.mkdir(parents=True)
    saved(tmp_path, "data.yaml", "nc: 2\nnames:\n  - Alive  # yes\n  - 'Dead'\n")
    lines = (
        "0 0.5 0.5 0.2 0.4\n1 0.5 0.5 0.2 0.4 0.75\n0 0.1 0.1 0.3 0.1 0.3 0.3\n\n"
        "1 0.1 0.1 0.3 0.1 0.3 0.3 0.5\n"
    )
    path = saved(labels, "plot_7.txt", lines)
    assert detect_format(path) is FileFormat.YOLO
    found = read_yolo(path, *find_class_names(path))
    assert found.unit is CoordinateUnit.SHARES
    assert boxes(found)[0] == pytest.approx([0.4, 0.3, 0.6, 0.7])
    assert found.label.tolist() == ["Alive", "Dead", "Alive", "Dead"]
    assert found.score.tolist()[1::2] == [0.75, 0.5]
    assert found.source_row.tolist() == [1, 2, 3, 5]
    assert found.images[0].name == "plot_7"
    with raises("yolo.not_yolo", path="plot_8.txt", row=2, line="0 hello"):
        read_yolo(saved(labels, "plot_8.txt", "0 0.5 0.5 0.2 0.4\n0 hello\n"))


def test_yolo_without_names_takes_those_near_the_images(tmp_path: Path) -> None:
    images = tmp_path / "data" / "images" / "val"
    images.mkdir(parents=True)
    saved(tmp_path / "data", "data.yaml", "names: [oak, pine]\n")
    predicted = tmp_path / "runs" / "segment" / "predict" / "labels"
    predicted.mkdir(parents=True)
    path = saved(predicted, "plot_7.txt", "1 0.5 0.5 0.2 0.4 0.9\n")
    other = saved(predicted, "plot_8.txt", "0 0.5 0.5 0.2 0.4 0.8\n")
    files = [AnnotationFile(file, FileFormat.YOLO) for file in (path, other)]
    reader = AnnotationReader(files, image_folder=images)
    found = [reader.read(file) for file in files]
    assert [annotations.label.tolist() for annotations in found] == [["pine"], ["oak"]]
    # The first file alone says from where the names are.
    keys = [[message.key for message in annotations.messages] for annotations in found]
    assert keys == [["yolo.names_of_images"], []]
    # Names beside the crowns come first.
    saved(predicted, "classes.txt", "ash\nbirch\n")
    assert find_class_names(path, images) == ({0: "ash", 1: "birch"}, [])


def test_a_yolo_file_that_begins_with_no_number_is_known_and_tells_its_line(tmp_path: Path) -> None:
    path = saved(tmp_path, "plot.txt", "0 nan 0.5 0.2 0.4\n0 0.5 -INF 0.2 0.4\n0 0.5 0.5 0.2 0.4\n")
    assert detect_format(path) is FileFormat.YOLO
    found = read_yolo(path)
    assert found.skipped_rows == {SkipReason.NOT_NUMBERS: [1, 2]}
    assert found.source_row.tolist() == [3]


def test_labelme_polygons_rectangles_points_and_the_rest(tmp_path: Path) -> None:
    shapes = [
        {"label": "oak", "points": [[0, 0], [4, 0], [4, 4]], "shape_type": "polygon"},
        {"label": "ash", "points": [[9, 8], [5, 6]], "shape_type": "rectangle"},
        {"label": "stem", "points": [[1, 2]], "shape_type": "point"},
        {"label": "lake", "points": [[1, 2], [3, 4]], "shape_type": "line"},
        {"label": "bad", "points": [[1, 2], [3, 4]], "shape_type": "polygon"},
    ]
    held = {
        "shapes": shapes,
        "imagePath": "../images/a.png",
        "imageWidth": 30,
        "imageHeight": 20,
        "imageData": None,
    }
    path = saved(tmp_path, "a.json", held)
    assert detect_format(path) is FileFormat.LABELME
    found = read_labelme(path)
    assert found.images[0][:3] == ("../images/a.png", 30, 20)
    assert boxes(found)[1] == [5, 6, 9, 8]
    assert found.label.tolist() == ["oak", "ash", "stem"]
    assert found.skipped_rows == {SkipReason.NO_CROWN: [4], SkipReason.FEW_POINTS: [5]}
    assert found.n_read == 5


TRUTH = {
    "images": [
        {"id": 7, "file_name": "a.tif", "width": 4, "height": 3},
        {"id": 8, "file_name": "b.tif"},
    ],
    "categories": [{"id": 1, "name": "tree"}],
    "annotations": [
        {"id": 1, "image_id": 7, "category_id": 1, "bbox": [0, 0, 2, 1]},
        {
            "id": 2,
            "image_id": 7,
            "category_id": 1,
            "segmentation": {"size": [3, 4], "counts": [4, 1, 7]},
            "iscrowd": 1,
        },
        {
            "id": 3,
            "image_id": 7,
            "category_id": 1,
            "segmentation": {"size": [3, 4], "counts": [4, 1, 8]},
        },
        {
            "id": 4,
            "image_id": 7,
            "category_id": 1,
            "segmentation": {"size": [3, 4], "counts": "\x01"},
        },
        {"id": 5, "image_id": 7, "category_id": 1, "bbox": [0, 0, -2, 1]},
        {"id": 6, "image_id": 7, "category_id": 1, "bbox": [0, float("nan"), 2, 1]},
        {"id": 7, "image_id": 9, "category_id": 1, "bbox": [0, 0, 2, 1]},
        {"id": 8, "image_id": 7, "category_id": 1, "segmentation": [[0, 0, 1, 1]]},
        {
            "id": 9,
            "image_id": 7,
            "category_id": 5,
            "segmentation": [[0, 0, 1, 1, 1, 0], [2, 2, 3, 3, 3, 2]],
        },
        "nothing",
        {
            "id": 10,
            "image_id": 7,
            "category_id": 1,
            "segmentation": {"size": [3, 4], "counts": [12]},
        },
        {"id": 11, "image_id": 7, "category_id": 1},
    ],
}


def test_coco_with_masks_crowds_and_what_is_wrong_with_rows(tmp_path: Path) -> None:
    found = read_coco(saved(tmp_path, "truth.json", TRUTH))
    assert found.source_row.tolist() == [1, 2, 9]
    assert found.is_ignored.tolist() == [False, True, False]
    assert pixels_in(found.masks[1]).astype(int).tolist() == [
        [0, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 0, 0],
    ]
    assert shapely.get_num_geometries(found.shapes[2]) == 2
    assert found.label.tolist() == ["tree", "tree", "5"]
    assert found.empty_images == ["b.tif"]
    assert found.skipped_rows == {
        SkipReason.BAD_COUNTS: [3, 4],
        SkipReason.NO_SIZE: [5],
        SkipReason.NOT_NUMBERS: [6, 12],
        SkipReason.UNKNOWN_IMAGE: [7],
        SkipReason.FEW_POINTS: [8],
        SkipReason.BAD_GEOMETRY: [10],
        SkipReason.EMPTY_MASK: [11],
    }
    assert found.n_read == len(found) + sum(map(len, found.skipped_rows.values())) == 12
    crowds, skipped, *_ = found.collect_messages("truth.json")
    assert crowds.key == "coco.crowds"
    assert "truth.json: 2 annotations were skipped" in str(skipped)
    assert "(rows 3, 4)" in str(skipped)


def test_a_mask_too_large_for_memory_is_skipped_before_it_is_decoded(tmp_path: Path) -> None:
    side = 46_340
    masks = [
        {"size": [side, side], "counts": [0, side**2]},
        {"size": [side, side], "counts": [side + 1, 1, side**2 - side - 2]},
    ]
    held = {
        "images": [{"id": 1, "file_name": "a.tif", "width": side, "height": side}],
        "annotations": [
            {"id": number, "image_id": 1, "category_id": 1, "segmentation": mask}
            for number, mask in enumerate([*masks, masks])
        ],
    }
    found = read_coco(saved(tmp_path, "truth.json", held))
    assert found.skipped_rows == {SkipReason.LARGE_MASK: [1, 3]}
    assert found.masks[0].run_lengths.tolist() == masks[1]["counts"]


def test_coco_with_numbers_written_as_decimals_and_outlines_that_are_empty(tmp_path: Path) -> None:
    held = {
        "images": [{"id": 7.0, "file_name": "a.tif"}],
        "categories": [{"id": 1.0, "name": "oak"}],
        "annotations": [
            {"image_id": 7, "category_id": 1.0, "bbox": [0, 0, 2, 1], "segmentation": outline}
            for outline in ([[]], {})
        ],
    }
    found = read_coco(saved(tmp_path, "truth.json", held))
    assert boxes(found) == [[0, 0, 2, 1]] * 2
    assert found.label.tolist() == ["oak", "oak"]


def test_results_need_their_ground_truth(tmp_path: Path) -> None:
    truth = saved(tmp_path, "truth.json", TRUTH)
    one = {"image_id": 8, "category_id": 1, "bbox": [1, 2, 3, 4], "score": 0.5}
    results = saved(tmp_path, "results.json", [one])
    assert detect_format(results) is FileFormat.COCO
    with raises("coco.results_only"):
        read_coco(results)
    found = read_coco(results, truth)
    assert boxes(found) == [[1, 2, 4, 6]]
    assert found.images[found.image_index[0]].name == "b.tif"
    assert found.score.tolist() == [0.5]


BAD_ROWS = """image_path,xmin,ymin,xmax,ymax,label,score
a.tif,0,0,5,5,Tree,0.9
a.tif,nan,0,5,5,Tree,0.9
a.tif,5,0,5,5,Tree,0.9
a.tif,6,0,5,5,Tree,0.9
b.tif,0,0,0,0,Tree,
c.tif,,,,,,
,1,1,2,2,Tree,0.9
a.tif,1,1,inf,2,Tree,0.9
a.tif,0,0,5,7,Tree,0.1
a.tif,one,0,5,7,Tree,0.1
"""


def test_rows_of_a_table_that_cannot_be_used(tmp_path: Path) -> None:
    path = saved(tmp_path, "rows.csv", BAD_ROWS)
    found = read_deepforest(path)
    assert found.source_row.tolist() == [2, 10]
    assert found.skipped_rows == {
        SkipReason.NO_IMAGE: [8],
        SkipReason.NOT_NUMBERS: [3, 9, 11],
        SkipReason.NO_SIZE: [4, 5],
    }
    assert found.empty_images == ["b.tif", "c.tif"]
    sure = read_deepforest(path, min_score=0.5)
    assert sure.source_row.tolist() == [2]
    assert sure.skipped_rows[SkipReason.LOW_SCORE] == [10]
    assert sure.empty_images == ["b.tif", "c.tif"]


#: Damaged files: the reader, the content, and the expected error.
BROKEN = {
    "truncated.json": (
        read_coco,
        '{"images": [{"id": 1, "file_na',
        raises("json.incomplete", line=1),
    ),
    "other.json": (read_coco, '{"images": 3, "annotations": []}', raises("coco.not_coco")),
    "nameless.json": (
        read_coco,
        '{"images": [{"id": 1}], "annotations": []}',
        raises("coco.image_without_name", number=1),
    ),
    "truncated.xml": (
        read_voc,
        "<annotation><object><name>Tree</na",
        raises("voc.incomplete", line=1),
    ),
    "other.xml": (read_voc, "<kml></kml>", raises("voc.not_voc", tag="kml")),
    "bomb.xml": (
        read_voc,
        '<!DOCTYPE a [<!ENTITY b "c">]><annotation/>',
        raises("voc.entities"),
    ),
    "other.csv": (
        read_deepforest,
        "a,b,c\n1,2,3\n",
        raises("deepforest.not_deepforest", columns="a, b, c"),
    ),
    "nameless.csv": (read_deepforest, ",,\n1,2,3\n", raises("deepforest.nameless_columns")),
    "ragged.csv": (
        read_deepforest,
        "image_path,xmin,ymin,xmax,ymax\na.tif,0,0,1,1\na.tif,0,0,1,1,2,3,4\n",
        raises("deepforest.incomplete"),
    ),
    "wide.csv": (
        read_deepforest,
        "image_path,xmin,ymin,xmax,ymax,label\na.tif,0,0,1,1,Tree, big\n",
        raises("deepforest.too_many_values", name="wide.csv"),
    ),
    "quote.csv": (
        read_deepforest,
        'image_path,xmin,ymin,xmax,ymax\n"a.tif,0,0,1,1\n',
        raises("deepforest.incomplete"),
    ),
    "binary.csv": (read_deepforest, None, raises("file.not_utf8")),
    "shapes.json": (read_labelme, '{"shapes": 4}', raises("labelme.not_labelme")),
}


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_a_broken_file_is_refused_with_its_name(name: str, tmp_path: Path) -> None:
    reader, text, expected = BROKEN[name]
    path = tmp_path / name
    path.write_bytes(b"\x80\xfe\x00image_path,geometry\n\x80" if text is None else text.encode())
    with expected as caught:
        reader(path)
    assert name in str(caught.value)
    with raises("file.unreadable"):
        reader(tmp_path / f"absent{path.suffix}")


def test_xml_is_read_with_its_comments_references_and_tags_by_any_way(tmp_path: Path) -> None:
    text = (
        "<!-- <!DOCTYPE no.dtd> --><annotation><filename>a&amp;<!-- and -->&#98;.tif</filename>"
        "<size/><size><width>40</width><height>30</height></size><object><bndbox><xmin>1<b/>9</xmin>"
        "<ymin>2</ymin><xmax>3</xmax><ymax>4</ymax></bndbox></object></annotation>"
    )
    found = read_voc(saved(tmp_path, "a.xml", text))
    assert found.images[0][:3] == ("a&b.tif", 40, 30)
    assert boxes(found) == [[1.0, 2.0, 3.0, 4.0]]


def test_too_many_rows_are_refused_unless_the_threshold_leaves_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "".join(f"a.tif,0,0,5,5,Tree,{0.9 if row % 10 == 0 else 0.1}\n" for row in range(1000))
    path = saved(tmp_path, "many.csv", "image_path,xmin,ymin,xmax,ymax,label,score\n" + rows)
    from randcrowns.core.exchange import deepforest

    monkeypatch.setattr(deepforest, "MAX_ANNOTATIONS", 200)
    with raises("annotations.too_many_in_file", file="many.csv", row=202):
        read_deepforest(path)
    assert len(read_deepforest(path, min_score=0.5)) == 100
    monkeypatch.setattr(limits, "MAX_BYTES", 10)
    with raises("file.too_large", path="truth.json"):
        read_coco(saved(tmp_path, "truth.json", TRUTH))


def test_numbers_that_no_float_holds_are_no_coordinates(tmp_path: Path) -> None:
    # In text beside them pandas' own conversion ends the process.
    wild = ["1e2147483648", "1e4294967296", "9" * 400, "1e-2147483648", "true"]
    rows = "".join(f"a.tif,0,0,{number},5\n" for number in wild)
    found = read_deepforest(
        saved(tmp_path, "wild.csv", f"image_path,xmin,ymin,xmax,ymax\na.tif,0,x,5,5\n{rows}")
    )
    assert len(found) == 0
    assert sorted(row for some in found.skipped_rows.values() for row in some) == [2, 3, 4, 5, 6, 7]
    text = '{"imagePath": "a.png", "imageWidth": 1e400, "imageHeight": -5, "shapes": []}'
    assert read_labelme(saved(tmp_path, "wild.json", text)).images == (Image("a.png", 0, 0),)


def test_what_is_no_table_is_passed_over_and_lines_may_end_as_on_old_macs(tmp_path: Path) -> None:
    assert detect_format(saved(tmp_path, "binary.csv", "image_path\0\rgeometry\x01\r\n")) is None
    old = tmp_path / "old.csv"
    old.write_bytes(b"image_path,xmin,ymin,xmax,ymax\ra.tif,0,0,5,5\r")
    assert detect_format(old) is FileFormat.DEEPFOREST
    assert len(read_deepforest(old)) == 1


@given(st.integers(0, 10**9))
@settings(max_examples=examples(60), deadline=None)
def test_a_file_with_faults_is_read_or_refused_with_its_name(seed: int) -> None:
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        name, text = rng.choice([("a.csv", BAD_ROWS), ("a.json", json.dumps(TRUTH))])
        for _ in range(rng.randint(1, 3)):
            start, end = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
            end = min(end, start + 12)
            text = (
                text[:start]
                + rng.choice(["", "NaN", "1e999", '"', "null", "[]", "-1", ",", "\n", "é"])
                + text[end:]
            )
        path = saved(Path(folder), name, text)
        detect_format(path)
        found, said = None, ""
        try:
            found = (read_coco if path.suffix == ".json" else read_deepforest)(path)
        except InputError as error:
            said = str(error)
        if found is None:
            assert name in said
            return
        assert len(found) + sum(map(len, found.skipped_rows.values())) == found.n_read
        known = [shape for shape in found.shapes if shape is not None]
        assert np.isfinite(shapely.bounds(np.array(known, dtype=object))).all()


def test_a_column_whose_name_goes_on_behind_a_nul_is_no_column_of_labels(tmp_path: Path) -> None:
    """pandas ends a name at a NUL and would read this column as numbers, named ``label``."""
    path = tmp_path / "a.csv"
    path.write_bytes(b"image_path,xmin,ymin,xmax,ymax,label\0re\na.tif,0,0,4,4,7\n")
    annotations = read_deepforest(path)
    assert boxes(annotations) == [[0, 0, 4, 4]]
    assert annotations.label.tolist() == [None]


def test_names_and_labels_of_digits_stay_as_they_are(tmp_path: Path) -> None:
    text = (
        " image_path ,xmin,ymin,xmax,ymax, label\n007,0,0,5,5,010\n1e3,0,0,5,5,true\n007,0,0,5,5,\n"
    )
    found = read_deepforest(saved(tmp_path, "digits.csv", text))
    assert found.label.tolist() == ["010", "true", None]
    assert [image.name for image in found.images] == ["007", "1e3"]


#: By file: what it holds, what is doubtful in it, and its scores.
_BOX = '{"image_id": 1, "bbox": [0, 0, 1, 1], "score": %s}'
_ONE = '{"images": [{"id": 1, "file_name": "a.tif"}], "annotations": [%s]}'
_OBJECT = (
    "<object><score>%s</score><bndbox><xmin>0</xmin><ymin>0</ymin><xmax>1</xmax><ymax>1</ymax>"
    "</bndbox></object>"
)
_SHAPE = '{"points": [[0, 0], [1, 0], [1, 1]], "score": %s}'
_SHAPES = '{"imagePath": "a.tif", "shapes": [%s]}'
_VALUES = ('"high"', "0.5", "null", "NaN", "Infinity", "-0.25", "87")
_SCORES = ["high", "0.5", "", "nan", "inf", "-0.25", "87"]
_ROWS = "".join(f"a.tif,0,0,1,1,{one}\n" for one in _SCORES)
#: Files with doubtful scores: the reader and the content.
DOUBTFUL = {
    "a.csv": (read_deepforest, f"image_path,xmin,ymin,xmax,ymax,score\n{_ROWS}"),
    "a.json": (read_coco, _ONE % ", ".join(_BOX % one for one in _VALUES)),
    "b.json": (read_labelme, _SHAPES % ", ".join(_SHAPE % one for one in _VALUES)),
    "a.xml": (
        read_voc,
        f"<annotation>{''.join(_OBJECT % one for one in _SCORES)}</annotation>",
    ),
}


@pytest.mark.parametrize("name", sorted(DOUBTFUL))
def test_scores_that_are_none_or_no_shares_are_told_with_their_rows(
    name: str, tmp_path: Path
) -> None:
    reader, text = DOUBTFUL[name]
    found = reader(saved(tmp_path, name, text))
    rows = [row + (name == "a.csv") for row in (1, 4, 5, 6, 7)]
    np.testing.assert_array_equal(found.score, [np.nan, 0.5, np.nan, np.nan, np.nan, -0.25, 87])
    assert found.problem_rows == {DoubtReason.NO_SCORE: rows[:3]}
    assert (found.n_read, len(found)) == (7, 7)
    none, odd = map(str, found.collect_messages(name))
    assert none == (
        f"{name}: 3 annotations were taken, but each is doubtful: "
        f"its score is no finite number and was left empty (rows {', '.join(map(str, rows[:3]))})."
    )
    assert "not between 0 and 1 and was kept" in odd
    assert f"(rows {rows[3]}, {rows[4]})" in odd


def test_doubled_columns_are_told_and_a_table_without_rows(tmp_path: Path) -> None:
    text = "image_path,xmin,ymin,xmax,ymax,id,id,Score,score\na.tif,0,0,5,5,1,2,0.25,0.75\n"
    found = read_deepforest(saved(tmp_path, "two.csv", text))
    (told,) = found.collect_messages("two.csv")
    assert str(told) == "two.csv has several columns called score; the first of each was read."
    assert found.score.tolist() == [0.25]
    (told,) = read_deepforest(
        saved(tmp_path, "none.csv", text.splitlines()[0].replace("Score,", ""))
    ).collect_messages("")
    assert str(told) == "none.csv has a heading but no rows."


@pytest.mark.parametrize("repeated", ["height", " height", "height "])
def test_all_columns_of_one_name_keep_their_values(tmp_path: Path, repeated: str) -> None:
    text = f"image_path,xmin,ymin,xmax,ymax,height,{repeated}\na.tif,0,0,5,5,3.5,4\n"
    fields = read_deepforest(saved(tmp_path, "a.csv", text)).fields
    assert {name: values.tolist() for name, values in fields.items()} == {
        "height": [3.5],
        "height (column 7)": [4],
    }


def test_a_table_with_thousands_of_columns_is_refused_at_once(tmp_path: Path) -> None:
    heading = ["image_path", "xmin", "ymin", "xmax", "ymax", *["x"] * 20_000]
    path = saved(tmp_path, "a.csv", ",".join(heading) + "\na.tif,0,0,5,5\n")
    with raises("deepforest.too_many_columns", path="a.csv", count=20_005):
        read_deepforest(path)


@pytest.mark.parametrize(
    ("held", "labels", "told"),
    [
        ("names: [Alive, Dead]", ["Dead", "2"], 0),
        ("nc: 2\nnames: [Alive, Dead]", ["Dead", "2"], 0),
        ("nc: 3\nnames: [Alive, Dead]", ["Dead", "2"], 1),
        ("names: [Alive, Dead", ["1", "2"], 1),
        ("path: here", ["1", "2"], 1),
    ],
)
def test_a_broken_list_of_classes_is_told_and_classes_without_a_name(
    held: str, labels: list[str], told: int, tmp_path: Path
) -> None:
    saved(tmp_path, "data.yaml", held)
    path = saved(tmp_path, "a.txt", "1 0.5 0.5 0.5 0.5\n2 0.5 0.5 0.5 0.5\n")
    found = read_yolo(path, *find_class_names(path))
    assert found.label.tolist() == labels
    assert [message.key for message in found.messages] == ["exchange.class_names"] * told
    assert found.problem_rows == ({DoubtReason.NO_NAME: [2]} if labels[0] == "Dead" else {})


def test_a_category_without_a_name_is_told(tmp_path: Path) -> None:
    held = {**TRUTH, "annotations": [{"image_id": 7, "category_id": 99, "bbox": [0, 0, 1, 1]}]}
    found = read_coco(saved(tmp_path, "truth.json", held))
    assert found.problem_rows == {DoubtReason.NO_NAME: [1]}


def test_outlines_nested_without_end_are_skipped(tmp_path: Path) -> None:
    deep = "[" * 100_000
    text = f'image_path,polygon,label\na.png,"[[0, 0], [2, 0], [2, 2]]",Oak\na.png,"{deep}",Oak\n'
    (tmp_path / "a.csv").write_text(text)
    found = read_deepforest(tmp_path / "a.csv")
    assert shapely.area(found.shapes).tolist() == [2]
    assert found.skipped_rows == {SkipReason.BAD_GEOMETRY: [3]}
    heading = "filename,region_shape_attributes\n"
    (tmp_path / "via.csv").write_text(f'{heading}a.png,"{deep}"\n')
    assert read_via(tmp_path / "via.csv").skipped_rows == {SkipReason.NO_CROWN: [2]}


def test_an_outline_of_via_longer_than_a_field_of_csv_is_read(tmp_path: Path) -> None:
    # Half a circle of radius 1 beside its centre: pi / 2, less what 29,999 chords cut off.
    angles = np.linspace(0, np.pi, 30_000)
    shape = {"name": "polygon", "all_points_x": np.cos(angles).tolist()}
    shape["all_points_y"] = np.sin(angles).tolist()
    quoted = json.dumps(shape).replace('"', '""')
    assert len(quoted) > csv.field_size_limit()
    path = tmp_path / "via.csv"
    path.write_text(f'filename,region_shape_attributes\na.png,"{quoted}"\n')
    assert shapely.area(read_via(path).shapes).tolist() == pytest.approx([np.pi / 2], rel=1e-8)
    assert csv.field_size_limit() == 131_072


@pytest.mark.parametrize("number", ["1" + "0" * 400, "NaN", "1e999"])
def test_outlines_with_numbers_that_are_no_coordinates_are_skipped(
    number: str, tmp_path: Path
) -> None:
    outline = f"[[{number}, 0], [2, 0], [2, 2]]"
    (tmp_path / "a.csv").write_text(f'image_path,polygon,label\na.png,"{outline}",Oak\n')
    found = read_deepforest(tmp_path / "a.csv")
    assert found.skipped_rows == {SkipReason.BAD_GEOMETRY: [2]}


def test_a_heading_without_an_end_is_refused(tmp_path: Path) -> None:
    # The columns after the limit are unknown, so the types of the others would be wrong.
    (tmp_path / "a.csv").write_text("image_path,xmin,ymin,xmax,ymax" + "<a>" * 50_000 + ",label\n")
    with raises("deepforest.endless_heading", path="a.csv"):
        read_deepforest(tmp_path / "a.csv")


def test_masks_of_a_million_runs_are_skipped_and_many_runs_in_one_direction_are_read(
    tmp_path: Path,
) -> None:
    # A board of 1001 x 1001 pixels in two colours has 501,000 runs by rows and by columns; the
    # stripes have 120,000 runs by rows and 2 by columns.
    board = np.add.outer(np.arange(1001), np.arange(1001)) % 2 == 1
    stripes = np.tile([True, False, True, False], (60_000, 1))
    shapes = []
    for mask in (board, stripes):
        content = io.BytesIO()
        PIL.Image.fromarray(mask.astype(np.uint8) * 255).save(content, "PNG")
        png = base64.b64encode(content.getvalue()).decode()
        shapes.append({"label": "T", "points": [[0, 0]], "shape_type": "mask", "mask": png})
    record = {"imagePath": "a.tif", "imageWidth": 9, "imageHeight": 9, "shapes": shapes}
    (tmp_path / "a.json").write_text(json.dumps(record))
    found = read_labelme(tmp_path / "a.json")
    assert found.skipped_rows == {SkipReason.RAGGED_MASK: [1]}
    assert shapely.area(found.shapes).tolist() == [120_000]
    counts = RleMask.from_pixels(board).run_lengths.tolist()
    annotation = {"id": 1, "image_id": 1, "category_id": 1}
    annotation["segmentation"] = {"size": [1001, 1001], "counts": counts}
    content = {"images": [{"id": 1, "file_name": "a.tif"}], "annotations": [annotation]}
    (tmp_path / "coco.json").write_text(json.dumps({**content, "categories": []}))
    found = read_coco(tmp_path / "coco.json")
    assert found.skipped_rows == {SkipReason.RAGGED_MASK: [1]}


@pytest.mark.parametrize("centre", [1e308, 1e13])
def test_a_shape_beyond_all_coordinates_is_skipped(tmp_path: Path, centre: float) -> None:
    # Centre and radius are numbers, but their sum may be infinite.
    shapes = [
        {"label": "Tree", "points": [[centre, 5], [8, 5]], "shape_type": "circle"},
        {"label": "Tree", "points": [[1, 2], [6, 8]], "shape_type": "rectangle"},
    ]
    content = {"imagePath": "a.tif", "imageWidth": 40, "imageHeight": 30, "shapes": shapes}
    found = read_labelme(saved(tmp_path, "far.json", content))
    assert boxes(found) == [[1, 2, 6, 8]]
    assert found.skipped_rows == {SkipReason.NOT_NUMBERS: [1]}
    assert found.n_read == 2


@pytest.mark.parametrize(
    "name", ["stability_score", "predicted_iou", "detection_score", "Confidence_score", "treeConf"]
)
def test_a_score_is_found_by_whole_words(tmp_path, name):
    path = tmp_path / "a.csv"
    path.write_text(
        f"image_path,xmin,ymin,xmax,ymax,label,confirmed,{name}\na.png,1,1,3,4,T,1,0.7\n"
    )
    assert read_deepforest(path).score.tolist() == [0.7]
    path.write_text(
        "image_path,xmin,ymin,xmax,ymax,probe,problem_id,confirmed\na.png,1,1,3,4,1,1,1\n"
    )
    assert np.isnan(read_deepforest(path).score).all()


def test_an_encoding_is_declared_at_the_beginning_of_a_file_only():
    """The search in a whole file of damaged declarations would take seconds."""
    assert detect_encoding(b'<?xml version="1.0" encoding="latin-1"?>') == "latin-1"
    assert detect_encoding(b" " * 300 + b'<?xml encoding="latin-1"?>') == "utf-8-sig"
