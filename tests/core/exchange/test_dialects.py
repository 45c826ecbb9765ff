"""Dialects of annotation files, as trackers and tools of annotation write them.

Expected values are calculated by hand or with shapely, as each test says.
"""

from __future__ import annotations

import base64
import gzip
import json
import math
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from support.errors import find_message, raises

from randcrowns.core.exchange import (
    Annotations,
    CoordinateUnit,
    DoubtReason,
    FileFormat,
    SkipReason,
    detect_format,
    read_coco,
    read_cvat,
    read_deepforest,
    read_label_studio,
    read_labelme,
    read_via,
    read_voc,
    read_yolo,
    values,
)
from randcrowns.core.exchange.files import find_annotation_files, is_result_list
from randcrowns.core.exchange.recognition import name_other_program
from randcrowns.core.exchange.yolo import find_class_names, find_key_points, recognise_folders
from randcrowns.core.exchange.yolo_columns import YoloLine, recognise_columns


def saved(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


def bounds(found: Annotations) -> list[list[float]]:
    return np.round(shapely.bounds(found.shapes), 9).tolist()


# Box 0.5 0.5 0.2 0.4 has the corners 0.4, 0.3 and 0.6, 0.7; box 0.2 0.2 0.2 0.2 those 0.1, 0.1 and
# 0.3, 0.3.
_FIRST, _SECOND = [0.4, 0.3, 0.6, 0.7], [0.1, 0.1, 0.3, 0.3]


@pytest.mark.parametrize(
    ("tails", "scores", "ids"),
    [
        (["0.91 1", "0.85 2"], [0.91, 0.85], [1, 2]),  # tracked, with the confidence
        (["7", "12"], [math.nan, math.nan], [7, 12]),  # tracked, without it
        (["0.91", "0.85"], [0.91, 0.85], None),  # not tracked
        (["0.91 3", "0.85"], [0.91, 0.85], [3, None]),  # one not yet tracked
    ],
)
def test_boxes_of_a_tracker_keep_scores_and_numbers(
    tails: list[str], scores: list[float], ids: list[int] | None, tmp_path: Path
) -> None:
    text = f"0 0.5 0.5 0.2 0.4 {tails[0]}\n0 0.2 0.2 0.2 0.2 {tails[1]}\n"
    found = read_yolo(saved(tmp_path, "a.txt", text))
    assert bounds(found) == [_FIRST, _SECOND]
    assert np.array_equal(found.score, scores, equal_nan=True)
    assert (found.fields["object_id"].tolist() if "object_id" in found.fields else None) == ids
    if ids:
        find_message(found.messages, "yolo.ids", file="a.txt")


def test_polygons_of_a_tracker_keep_scores_and_numbers(tmp_path: Path) -> None:
    triangle, square = "0.1 0.1 0.3 0.1 0.3 0.3", "0.5 0.5 0.7 0.5 0.7 0.7 0.5 0.7"
    text = f"0 {triangle} 0.9 4\n0 {square} 0.8 5\n"
    found = read_yolo(saved(tmp_path, "a.txt", text))
    assert shapely.area(found.shapes).tolist() == pytest.approx([0.02, 0.04])  # half and whole
    assert (found.score.tolist(), found.fields["object_id"].tolist()) == ([0.9, 0.8], [4, 5])
    found = read_yolo(saved(tmp_path, "b.txt", f"0 {triangle} 4\n0 {square} 5\n"))
    assert np.isnan(found.score).all()
    assert found.fields["object_id"].tolist() == [4, 5]


@pytest.mark.parametrize(
    ("lines", "declared"),
    [
        (["0 0.5 0.5 0.2 0.4 0.5 0.55 2"], ""),
        (["0 0.5 0.5 0.2 0.4 0.5 0.55 2 0.45 0.4 1"], ""),
        (["0 0.5 0.5 0.2 0.4 0.5 0.55 0 0.45 0.4 1 0.75"], ""),  # with a score
        (["0 0.5 0.5 0.2 0.4 0.5 0.55"], "kpt_shape: [1, 2]\n"),
        (["0 0.5 0.5 0.2 0.4 0.5 0.55 0.87"], "kpt_shape: [1, 3]  # predicted\n"),
    ],
)
def test_key_points_are_left_out(lines: list[str], declared: str, tmp_path: Path) -> None:
    path = saved(tmp_path, "a.txt", "\n".join(lines))
    saved(tmp_path, "data.yaml", declared + "names: [Tree]\n")
    columns = recognise_folders([path])[tmp_path]
    found = read_yolo(path, columns=columns, messages=columns.messages)
    assert bounds(found) == [_FIRST]
    assert find_key_points(path) == ((int(declared[12]), int(declared[15])) if declared else (0, 0))
    find_message(found.messages, "yolo.key_points", file="a.txt")


def test_pixels_and_corners_are_read_and_said(tmp_path: Path) -> None:
    # The second box reaches the left edge only as a centre: 10 - 20 / 2 = 0; 10 > 20 is false, so
    # that the first line, with 60 > 20, cannot be corners.
    found = read_yolo(saved(tmp_path, "a.txt", "0 60 40 20 10\n0 10 40 20 10\n"))
    assert found.unit is CoordinateUnit.PIXELS
    assert bounds(found) == [[50, 35, 70, 45], [0, 35, 20, 45]]
    find_message(found.messages, "yolo.pixels", file="a.txt")
    # As centre and size the first box would begin at 10 - 50 / 2 = -15.
    found = read_yolo(saved(tmp_path, "b.txt", "0 10 10 50 40\n0 60 60 70 80\n"))
    assert (found.unit, bounds(found)) == (
        CoordinateUnit.PIXELS,
        [[10, 10, 50, 40], [60, 60, 70, 80]],
    )
    find_message(found.messages, "yolo.corners", file="b.txt")
    # In shares, the second box would end at 0.8 + 0.9 / 2 = 1.25.
    found = read_yolo(saved(tmp_path, "c.txt", "0 0.1 0.1 0.2 0.2\n0 0.8 0.8 0.9 0.9\n"))
    assert bounds(found) == [[0.1, 0.1, 0.2, 0.2], [0.8, 0.8, 0.9, 0.9]]
    polygon = read_yolo(
        saved(tmp_path, "d.txt", "0 10 10 20 10 20 20\n0 30 10 40 10 40 20 30 20\n")
    )
    assert shapely.area(polygon.shapes).tolist() == [50, 100]


@pytest.mark.parametrize(
    "text",
    [
        "0 0.5 0.5 0.2 0.25 0.91 1",  # a triangle, or a score and a number
        "0 60 60 70 80",  # two corners, or centre and size
        "0 0.5 0.5 0.2 0.4 -0.7\n0 0.5 0.5 0.2 0.4 0.3",  # an angle, or a score
        "0 0.5 0.5 0.2 0.4 1.57",  # an angle, or a score
        "0 0.5 0.5 0.2 0.4 45.5\n0 0.5 0.5 0.2 0.4 -30.5",  # angles in degrees
        "0 0.5 0.5 0.2 0.4 -30\n0 0.5 0.5 0.2 0.4 45",  # whole degrees, or numbers
        "0 0.5 0.5 0.2 0.4 135.5",  # an angle; no percentage is above 100
        "0 60 40 20 10\n0 0.5 0.5 0.2 0.4",  # pixels and shares
        # A box with points that a model predicted: the lines between them cross.
        "0 0.5 0.5 0.2 0.4 0.45 0.4 0.9 0.55 0.4 0.8 0.42 0.6 0.7 0.58 0.6 0.9",
        "0 0.1 0.1 0.3 0.1 0.3 0.3 1\n0 0.5 0.5 0.7 0.5 0.7 0.7 0.5 0.7 0",  # score or number
    ],
)
def test_what_cannot_be_told_is_refused_with_its_line(text: str, tmp_path: Path) -> None:
    first = text.splitlines()[0]
    with raises("yolo.ambiguous", path="a.txt", row=1, line=first):
        read_yolo(saved(tmp_path, "a.txt", text))


def test_files_of_a_folder_are_recognised_together(tmp_path: Path) -> None:
    # Alone, the first file may hold a triangle; the second one shows that the last value counts.
    first = saved(tmp_path, "a.txt", "0 0.5 0.5 0.2 0.4 0.91 1\n")
    second = saved(tmp_path, "b.txt", "0 0.2 0.2 0.2 0.2 0.85 2\n")
    columns = recognise_folders([first, second])[tmp_path]
    assert bounds(read_yolo(first, columns=columns)) == [_FIRST]
    assert read_yolo(second, columns=columns).fields["object_id"].tolist() == [2]


_SHARE = st.floats(0.2, 0.8).map(lambda value: round(value, 6))


@given(
    st.lists(st.tuples(_SHARE, _SHARE, st.floats(0.01, 0.39)), min_size=1, max_size=20),
    st.integers(2, 1 << 40),
)
def test_boxes_stay_boxes_with_any_numbers(
    boxes: list[tuple[float, float, float]], first_id: int
) -> None:
    texts = [
        f"0 {x} {y} {size:.6f} {size:.6f} 0.5 {first_id + number}"
        for number, (x, y, size) in enumerate(boxes)
    ]
    columns = recognise_columns([YoloLine.parse("a.txt", 1, text) for text in texts])
    for number, text in enumerate(texts):
        values, score, object_id = columns.split(YoloLine.parse("a.txt", 1, text).values)
        assert (len(values), score, object_id) == (4, 0.5, first_id + number)


def test_classes_below_0_and_with_a_point(tmp_path: Path) -> None:
    path = saved(tmp_path, "a.txt", "0.0 0.5 0.5 0.2 0.4\n-1 0.2 0.2 0.2 0.2\n")
    assert detect_format(path) is FileFormat.YOLO
    found = read_yolo(path, {0: "Oak"})
    assert found.label.tolist() == ["Oak", None]
    assert found.problem_rows == {DoubtReason.NO_NAME: [2]}


def test_class_names_of_label_studio(tmp_path: Path) -> None:
    path = saved(tmp_path, "labels/a.txt", "1 0.5 0.5 0.2 0.4\n")
    saved(tmp_path, "classes.txt", "Oak\nPine\n")
    assert find_class_names(path) == ({0: "Oak", 1: "Pine"}, [])
    notes = {"categories": [{"id": 1, "name": "Fir"}, {"id": 0, "name": "Ash"}], "info": {}}
    saved(tmp_path, "notes.json", notes)
    assert find_class_names(path) == ({0: "Ash", 1: "Fir"}, [])


def labelme(path: Path, *shapes: dict[str, Any]) -> Annotations:
    return read_labelme(saved(path, "a.json", {"shapes": list(shapes), "imagePath": "a.png"}))


def test_shapes_of_a_group_are_one_crown(tmp_path: Path) -> None:
    def box(x: float, group: int | None, label: str = "tree") -> dict[str, Any]:
        points = [[x, 0], [x + 4, 0], [x + 4, 5], [x, 5]]
        return {"label": label, "group_id": group, "points": points, "shape_type": "polygon"}

    # Parts 0 to 4 and 2 to 6 overlap: together 6 by 5. The other label is another crown.
    found = labelme(tmp_path, box(0, 1), box(20, None), box(2, 1), box(2, 1, "vine"), box(30, 2))
    assert shapely.area(found.shapes).tolist() == [30, 20, 20, 20]
    assert found.source_row.tolist() == [1, 2, 4, 5]
    find_message(found.messages, "exchange.groups", file="a.json", count=2)


def png(mask: np.ndarray, kind: int) -> str:
    """Return a PNG of one byte per pixel whose rows have a filter: 0 none, 1 left, 2 above."""
    values = mask.astype(np.uint8) * 255
    rows = b""
    for number, row in enumerate(values):
        above = values[number - 1] if number else np.zeros_like(row)
        left = np.concatenate([[0], row[:-1]]).astype(np.uint8)
        packed = row - {0: np.zeros_like(row), 1: left, 2: above}[kind]
        rows += bytes([kind]) + packed.tobytes()
    parts = {
        b"IHDR": struct.pack(">IIBBBBB", mask.shape[1], mask.shape[0], 8, 0, 0, 0, 0),
        b"IDAT": zlib.compress(rows),
        b"IEND": b"",
    }
    content = b"\x89PNG\r\n\x1a\n"
    for name, data in parts.items():
        content += struct.pack(">I", len(data)) + name + data
        content += struct.pack(">I", zlib.crc32(name + data))
    return base64.b64encode(content).decode()


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_circles_turned_boxes_and_masks_of_labelme(kind: int, tmp_path: Path) -> None:
    mask = np.array([[1, 1, 0], [1, 1, 1]], dtype=bool)
    found = labelme(
        tmp_path,
        {"label": "t", "shape_type": "circle", "points": [[10, 10], [13, 14]]},
        {"label": "t", "shape_type": "rotation", "points": [[2, 0], [4, 2], [2, 4], [0, 2]]},
        {"label": "t", "shape_type": "mask", "points": [[5, 7], [8, 9]], "mask": png(mask, kind)},
        {"label": "t", "shape_type": "linestrip", "points": [[0, 0], [4, 0], [4, 4], [0, 0]]},
        {"label": "t", "shape_type": "line", "points": [[0, 0], [4, 0]]},
    )
    # pi 5²; a diamond with diagonals of 4; five pixels; half of 4 by 4.
    assert shapely.area(found.shapes).tolist() == pytest.approx([25 * math.pi, 8, 5, 8])
    assert found.shapes[2].bounds == (5, 7, 8, 9)
    assert found.skipped_rows == {SkipReason.NO_CROWN: [5]}


_BOX = "<bndbox><xmin>1</xmin><ymin>2</ymin><xmax>5</xmax><ymax>6</ymax></bndbox>"
_VOC = f"<annotation><object><name>Frêne</name>{_BOX}</object></annotation>"


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("UTF-16", "utf-16"),
        ("UTF-16", "utf-16-le"),
        ("UTF-16", "utf-16-be"),
        ("utf-16", "utf-8"),  # as .NET writes it
        ("Unicode", "utf-8-sig"),
        ("UTF-32", "utf-32"),
    ],
)
def test_voc_in_wide_encodings(declared: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(f'<?xml version="1.0" encoding="{declared}"?>{_VOC}'.encode(encoding))
    assert detect_format(path) is FileFormat.VOC
    found = read_voc(path)
    assert (found.label.tolist(), bounds(found)) == (["Frêne"], [[1, 2, 5, 6]])


def test_voc_with_a_document_type_and_a_namespace(tmp_path: Path) -> None:
    doctype = '<!DOCTYPE annotation SYSTEM "http://invalid.example/voc.dtd">'
    found = read_voc(saved(tmp_path, "a.xml", doctype + _VOC.replace("ê", "&ecirc;")))
    assert (found.label.tolist(), bounds(found)) == (["Frêne"], [[1, 2, 5, 6]])
    text = _VOC.replace("<", "<v:").replace("<v:/", "</v:")
    path = saved(tmp_path, "b.xml", text.replace("<v:annotation", '<v:annotation xmlns:v="urn:v"'))
    assert detect_format(path) is FileFormat.VOC
    assert bounds(read_voc(path)) == [[1, 2, 5, 6]]
    secret = saved(tmp_path, "secret.txt", "secret")
    entity = f'<!DOCTYPE annotation [<!ENTITY e SYSTEM "{secret.as_uri()}">]>'
    with raises("voc.entities", path="c.xml"):
        read_voc(saved(tmp_path, "c.xml", entity + _VOC.replace("Frêne", "&e;")))


def test_cvat_for_images(tmp_path: Path) -> None:
    text = """<?xml version="1.0" encoding="utf-8"?><annotations><version>1.1</version>
      <image id="0" name="site/a.png" width="40" height="30">
        <polygon label="Oak" points="0.0,0.0;4.0,0.0;4.0,4.0" occluded="0" z_order="0">
          <attribute name="vigour">good</attribute></polygon>
        <box label="Ash" xtl="10" ytl="10" xbr="14" ybr="12" rotation="90.0"/>
        <ellipse label="Ash" cx="5" cy="5" rx="4" ry="2"/>
        <mask label="Ash" rle="1, 2, 3" left="20" top="10" width="3" height="2"/>
        <points label="Stem" points="7.5,8.5"/><polyline label="Path" points="0,0;1,1"/>
        <box label="Fir" xtl="0" ytl="20" xbr="2" ybr="22" group_id="3"/>
        <box label="Fir" xtl="4" ytl="20" xbr="6" ybr="22" group_id="3"/>
      </image><image id="1" name="b.png" width="40" height="30"/></annotations>"""
    path = saved(tmp_path, "annotations.xml", text)
    assert detect_format(path) is FileFormat.CVAT
    found = read_cvat(path)
    # 4 by 2 turned about 12, 11; the mask's counts: 1 without, 2 with, 3 without.
    assert shapely.area(found.shapes).tolist() == pytest.approx([8, 8, 8 * math.pi, 2, 0, 8])
    assert bounds(found)[1] == [11, 9, 13, 13]
    assert bounds(found)[3] == [21, 10, 23, 11]
    assert found.label.tolist() == ["Oak", "Ash", "Ash", "Ash", "Stem", "Fir"]
    assert found.fields["vigour"].tolist() == ["good", *[None] * 5]
    assert [image.name for image in found.images] == ["site/a.png", "b.png"]
    assert found.empty_images == ["b.png"]
    assert found.skipped_rows == {SkipReason.NO_CROWN: [6]}
    video = '<annotations><track id="0" label="car"><box frame="0"/></track></annotations>'
    with raises("cvat.video", path="video.xml"):
        read_cvat(saved(tmp_path, "video.xml", video))


_VIA_SHAPES = [
    {"name": "rect", "x": 1, "y": 2, "width": 4, "height": 3},
    {"name": "polygon", "all_points_x": [0, 4, 4], "all_points_y": [0, 0, 4]},
    {"name": "circle", "cx": 10, "cy": 10, "r": 2},
    {"name": "ellipse", "cx": 10, "cy": 10, "rx": 4, "ry": 1, "theta": math.pi / 2},
    {"name": "polyline", "all_points_x": [0, 4], "all_points_y": [0, 0]},
]


def check_via(found: Annotations) -> None:
    areas = [12, 8, 4 * math.pi, 4 * math.pi]  # by hand
    assert shapely.area(found.shapes).tolist() == pytest.approx(areas)
    assert found.label.tolist() == ["Oak"] * 4
    assert found.fields["health"].tolist() == ["good"] * 4
    assert len(found.skipped_rows[SkipReason.NO_CROWN]) == 1
    assert found.empty_images == ["b.png"]
    width, height = np.diff(np.reshape(shapely.bounds(found.shapes[3]), (2, 2)), axis=0)[0]
    assert height > 3.9 * width  # turned by a right angle


@pytest.mark.parametrize("form", ["project", "list", "version 1"])
def test_via_json(form: str, tmp_path: Path) -> None:
    attributes = {"species": "Oak", "health": {"good": True, "poor": False}}
    regions: Any = [{"shape_attributes": s, "region_attributes": attributes} for s in _VIA_SHAPES]
    if form == "version 1":
        regions = {str(number): region for number, region in enumerate(regions)}
    images = {
        "a.png99": {"filename": "a.png", "size": 99, "regions": regions},
        "b.png9": {"filename": "b.png", "size": 9, "regions": []},
    }
    content = {"_via_settings": {}, "_via_img_metadata": images} if form == "project" else images
    path = saved(tmp_path, "via.json", content)
    assert detect_format(path) is FileFormat.VIA
    check_via(read_via(path))


def test_via_csv(tmp_path: Path) -> None:
    def quoted(value: Any) -> str:
        return '"' + json.dumps(value).replace('"', '""') + '"'

    heading = (
        "filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,"
        "region_attributes\n"
    )
    attributes = quoted({"species": "Oak", "health": "good"})
    rows = [
        f'a.png,99,"{{}}",5,{number},{quoted(shape)},{attributes}\n'
        for number, shape in enumerate(_VIA_SHAPES)
    ]
    path = saved(tmp_path, "via.csv", heading + "".join(rows) + 'b.png,9,"{}",0,0,"{}","{}"\n')
    assert detect_format(path) is FileFormat.VIA
    check_via(read_via(path))


def test_label_studio_json(tmp_path: Path) -> None:
    size = {"original_width": 200, "original_height": 100}
    values = [
        ("rectanglelabels", {"x": 10, "y": 20, "width": 20, "height": 10, "rotation": 90}),
        ("polygonlabels", {"points": [[0, 0], [10, 0], [10, 10]]}),
        ("ellipselabels", {"x": 50, "y": 50, "radiusX": 5, "radiusY": 20, "rotation": 0}),
        ("keypointlabels", {"x": 50, "y": 50, "width": 0.5}),
        ("brushlabels", {"format": "rle", "rle": [0, 1]}),
    ]
    result = [{**size, "type": kind, "value": {**value, kind: ["Oak"]}} for kind, value in values]
    result.append({"type": "choices", "value": {"choices": ["sunny"]}})
    address = "/data/upload/3/1f2e3d4c-plot_1.png"
    task = {"id": 1, "data": {"image": address}, "annotations": [{"result": result}]}
    prediction = {"score": 0.5, "result": result[:1]}
    other = {"id": 2, "data": {"image": "/data/local-files/?d=site/plot_2.png"}}
    tasks = [task, {**other, "annotations": [], "predictions": [prediction]}]
    path = saved(tmp_path, "tasks.json", tasks)
    assert detect_format(path) is FileFormat.LABEL_STUDIO
    found = read_label_studio(path)
    # 20 % of 200 by 10 % of 100 is 40 by 10, turned about 20, 20 to 10, 20 and 20, 60; a triangle
    # of 20 by 10; radii of 10 and 20.
    assert bounds(found)[0] == [10, 20, 20, 60]
    areas = [400, 100, 200 * math.pi, 0, 400]
    assert shapely.area(found.shapes).tolist() == pytest.approx(areas)
    assert found.label.tolist() == ["Oak"] * 5
    assert found.score.tolist()[4] == 0.5
    assert [image.name for image in found.images] == ["plot_1.png", "plot_2.png"]
    assert found.skipped_rows == {SkipReason.NO_CROWN: [5]}


@pytest.mark.parametrize(
    ("addresses", "paths"),
    [
        (
            ["/data/local-files/?d=n/t.png", "/data/local-files/?d=s%5Ct.png"],
            ["n/t.png", "s/t.png"],
        ),
        (["s3://bucket/n/t.png", "https://a.org/s/t.png"], ["n/t.png", "s/t.png"]),
        (["/data/upload/1/1f2e3d4c-t.png", "/data/upload/1/5a6b7c8d-t.png"], ["", ""]),
    ],
)
def test_images_of_one_name_in_label_studio_stay_two(
    tmp_path: Path, addresses: list[str], paths: list[str]
) -> None:
    value = {"x": 0, "y": 0, "width": 10, "height": 10, "rectanglelabels": ["Oak"]}
    region = {"type": "rectanglelabels", "original_width": 100, "original_height": 100}
    answer = {"result": [{**region, "value": value}]}
    tasks = [{"data": {"image": address}, "annotations": [answer]} for address in addresses]
    # A task that occurs twice has one image.
    found = read_label_studio(saved(tmp_path, "tasks.json", [*tasks, tasks[0]]))
    assert [image.name for image in found.images] == ["t.png"] * 2
    assert [image.path for image in found.images] == paths
    assert found.image_index.tolist() == [0, 1, 0]


def test_deepforest_without_a_heading_and_with_a_column_polygon(tmp_path: Path) -> None:
    path = saved(tmp_path, "a.csv", "a.png,0,0,4,2,Tree\na.png,1,1,3,3,Tree\nb.png,,,,,\n")
    assert detect_format(path) is FileFormat.DEEPFOREST
    found = read_deepforest(path)
    assert (bounds(found), found.source_row.tolist()) == ([[0, 0, 4, 2], [1, 1, 3, 3]], [1, 2])
    assert found.empty_images == ["b.png"]
    find_message(found.messages, "deepforest.no_heading", file="a.csv")
    text = 'image_path,polygon,label\na.png,"POLYGON ((0 0, 4 0, 4 4, 0 0))",Oak\n'
    path = saved(tmp_path, "b.csv", text + 'a.png,"[[0, 0], [2, 0], [2, 2]]",Oak\n')
    assert detect_format(path) is FileFormat.DEEPFOREST
    assert shapely.area(read_deepforest(path).shapes).tolist() == [8, 2]


@pytest.mark.parametrize(
    ("name", "text", "program"),
    [
        ("a.xml", '<annotations><track id="0" label="car"/></annotations>', "CVAT (for video)"),
        ("a.json", '{"objects": [{"classTitle": "Tree"}]}', "Supervisely"),
        ("a.json", '[{"data_row": {"id": 1}}]', "Labelbox"),
        ("a.json", '{"schema_ref": "https://darwin.v7labs.com"}', "V7 Darwin"),
        ("a.json", '{"project": {"vid_list": ["1"]}}', "VIA 3"),
        ("a.json", '[{"annotations": [{"coordinates": {"y": 1, "x": 2}}]}]', "Apple CreateML"),
        ("a.txt", "Tree 0.00 0 -1.57 1 2 3 4 1 2 3 4 5 6 7", "KITTI"),
        ("a.txt", "imagesource:GoogleEarth\ngsd:0.1\n1 1 3 1 3 3 1 3 tree 0", "DOTA"),
        ("a.txt", "1.0 1.0 3.0 1.0 3.0 3.0 1.0 3.0 tree 0", "DOTA"),
        (
            "a.json",
            '{"images": [], "categories": [], "annotations": [{"segments_info": []}]}',
            "COCO (panoptic)",
        ),
    ],
)
def test_files_of_other_programs_are_named(
    name: str, text: str, program: str, tmp_path: Path
) -> None:
    path = saved(tmp_path, name, text)
    assert name_other_program(text) == program
    assert detect_format(path) in (None, FileFormat.CVAT)


BOX_COLUMNS = "image_path,xmin,ymin,xmax,ymax,label"


@pytest.mark.parametrize("separator", [";", "\t"])
def test_tables_with_decimal_commas(tmp_path: Path, separator: str) -> None:
    rows = [
        ["image_path", "xmin", "ymin", "xmax", "ymax", "label", "score"],
        ["a.png", "0,5", "1", "10,25", "11,125", "Tree", "0,75"],
        ["a.png", "2", "3", "4", "5", "Tree", ""],
    ]
    content = "\n".join(map(separator.join, rows))
    found = read_deepforest(saved(tmp_path, "a.csv", content))
    assert bounds(found) == [[0.5, 1, 10.25, 11.125], [2, 3, 4, 5]]
    np.testing.assert_array_equal(found.score, [0.75, np.nan])
    assert not found.problem_rows


def test_commas_that_may_divide_thousands_are_not_read(tmp_path: Path) -> None:
    content = "image_path;xmin;ymin;xmax;ymax\na.png;1,234;1;2,345;11\na.png;2;3;4;5\n"
    found = read_deepforest(saved(tmp_path, "a.csv", content))
    assert bounds(found) == [[2, 3, 4, 5]]
    assert found.problem_rows == {SkipReason.NOT_NUMBERS: [2]}


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_tables_with_commas_semicolons_and_tabs(tmp_path: Path, separator: str) -> None:
    rows = [BOX_COLUMNS, " a.png ,1,2,5,4, oak ", "a.png,3,4,5,6,oak"]
    path = saved(tmp_path, "a.csv", "\n".join(rows).replace(",", separator))
    assert detect_format(path) is FileFormat.DEEPFOREST
    found = read_deepforest(path)
    assert bounds(found) == [[1, 2, 5, 4], [3, 4, 5, 6]]
    # Spaces around names are no part of them.
    assert [image.name for image in found.images] == ["a.png"]
    assert found.label.tolist() == ["oak", "oak"]


def test_polygons_of_a_collection_in_a_table_are_read(tmp_path: Path) -> None:
    polygon, point = "POLYGON ((0 0, 4 0, 4 4, 0 0))", "POINT (1 1)"
    outlines = [f"{polygon}, {point}", f"{polygon}", f"{point}, LINESTRING (0 0, 1 1)"]
    rows = [f'a.png,"GEOMETRYCOLLECTION ({outline})"' for outline in outlines]
    found = read_deepforest(saved(tmp_path, "a.csv", "\n".join(["image_path,geometry", *rows])))
    # By hand: half of a square of 4 x 4 px.
    assert shapely.area(found.shapes).tolist() == [8.0, 8.0]
    assert found.problem_rows == {SkipReason.NO_CROWN: [4], DoubtReason.ONLY_POLYGONS: [2]}


@pytest.mark.parametrize(
    ("columns", "is_reported"),
    [
        ("image_path,x,y,width,height", True),
        ("image_path,x,y,w,h", True),
        ("image_path,x,y,height,crown", False),
        ("filename,width,height,xmin,ymin,xmax,ymax", False),
    ],
)
def test_a_width_and_height_that_are_not_read_are_reported(
    tmp_path: Path, columns: str, is_reported: bool
) -> None:
    values = ["a.png", *map(str, range(1, columns.count(",") + 1))]
    found = read_deepforest(saved(tmp_path, "a.csv", f"{columns}\n{','.join(values)}\n"))
    assert [message.key for message in found.messages] == ["deepforest.size_not_read"] * is_reported
    assert shapely.get_type_id(found.shapes[0]) == (3 if "xmin" in columns else 0)


@pytest.mark.parametrize(
    ("row", "is_reported"),
    [
        ("0.1,0.2,0.5,0.4", True),
        ("0,0,0.5,1", True),
        ("0,0,1,1", False),
        ("0.1,0.2,1.5,0.4", False),
    ],
)
def test_coordinates_that_may_be_shares_are_reported(
    tmp_path: Path, row: str, is_reported: bool
) -> None:
    path = saved(tmp_path, "a.csv", f"{BOX_COLUMNS}\na.png,{row},oak\n")
    keys = [message.key for message in read_deepforest(path).collect_messages("a.csv")]
    assert keys == ["exchange.may_be_shares"] * is_reported
    # Shares of YOLO are no pixels.
    yolo = read_yolo(saved(tmp_path, "a.txt", "0 0.5 0.5 0.2 0.4\n"))
    assert yolo.collect_messages("a.txt") == []


def test_flags_and_attributes_of_labelme_are_fields(tmp_path: Path) -> None:
    shape = {"label": "oak", "points": [[0, 0], [4, 0], [4, 4]]}
    shapes = [
        {**shape, "flags": {"dead": True}, "description": "leaning"},
        {**shape, "attributes": {"dbh": 30, "parts": [1]}, "description": ""},
    ]
    found = read_labelme(saved(tmp_path, "a.json", {"shapes": shapes}))
    fields = {name: values.tolist() for name, values in found.fields.items()}
    assert fields == {
        "dead": [True, None],
        "description": ["leaning", None],
        "dbh": [None, 30],
    }


def test_difficult_objects_of_voc_are_read_and_reported(tmp_path: Path) -> None:
    sides = "<xmin>0</xmin><ymin>0</ymin><xmax>4</xmax><ymax>2</ymax>"
    objects = [
        f"<object><difficult>{flag}</difficult><bndbox>{sides}</bndbox></object>"
        for flag in ("1", "0", "Unspecified")
    ]
    found = read_voc(saved(tmp_path, "a.xml", f"<annotation>{''.join(objects)}</annotation>"))
    assert len(found) == 3
    assert found.problem_rows == {DoubtReason.DIFFICULT: [1]}


def test_images_that_were_turned_in_label_studio_are_reported(tmp_path: Path) -> None:
    value = {"x": 10, "y": 10, "width": 20, "height": 50, "rectanglelabels": ["Oak"]}
    regions = [
        {"original_width": 100, "original_height": 100, "image_rotation": turn, "value": value}
        for turn in (0, 90, 360)
    ]
    task = {"data": {"image": "plot.png"}, "annotations": [{"result": regions}]}
    found = read_label_studio(saved(tmp_path, "tasks.json", [task]))
    assert len(found) == 3
    assert found.problem_rows == {DoubtReason.IMAGE_TURNED: [2]}


@pytest.mark.parametrize(
    "shape", ["<robndbox><cx>5</cx></robndbox>", "<polygon><x1>0</x1></polygon>"]
)
def test_other_shapes_of_voc_are_skipped_with_the_reason(tmp_path: Path, shape: str) -> None:
    text = f"<annotation><object>{shape}</object><object/></annotation>"
    found = read_voc(saved(tmp_path, "a.xml", text))
    assert found.skipped_rows == {SkipReason.NO_CROWN: [1], SkipReason.NOT_NUMBERS: [2]}


def test_yolo_scores_in_front_of_the_boxes(tmp_path: Path) -> None:
    """By hand: 20 x 20 % and 10 x 10 % of the image, which as (score, x, y, w) lie outside it."""
    path = tmp_path / "a.txt"
    path.write_text("0 0.93 0.5 0.5 0.2 0.2\n0 0.81 0.2 0.3 0.1 0.1\n")
    found = read_yolo(path)
    assert found.score.tolist() == [0.93, 0.81]
    assert shapely.bounds(found.shapes) == pytest.approx(
        np.array([[0.4, 0.4, 0.6, 0.6], [0.15, 0.25, 0.25, 0.35]])
    )
    assert "yolo.score_first" in [message.key for message in found.collect_messages("a.txt")]
    path.write_text("0 0.5 0.5 0.2 0.2 0.93\n0 0.2 0.3 0.1 0.1 0.81\n")
    assert read_yolo(path).score.tolist() == [0.93, 0.81]


def test_voc_boxes_with_an_outline_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(
        "<annotation><filename>a.png</filename><object><name>t</name>"
        "<polygon><x1>1</x1><y1>1</y1><x2>5</x2><y2>1</y2><x3>5</x3><y3>5</y3></polygon>"
        "<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>5</xmax><ymax>5</ymax></bndbox>"
        "</object></annotation>"
    )
    found = read_voc(path)
    assert shapely.area(found.shapes).tolist() == [16.0]
    assert [m.key for m in found.collect_messages("a.xml")] == ["exchange.outline_not_read"]


def test_a_score_of_via_is_no_label(tmp_path: Path) -> None:
    shape = {"name": "rect", "x": 1, "y": 1, "width": 4, "height": 4}
    regions = [
        {"shape_attributes": shape, "region_attributes": {"confidence": "0.8"}},
        {"shape_attributes": shape, "region_attributes": {"score": 0.7, "kind": "oak"}},
    ]
    path = tmp_path / "via.json"
    path.write_text(json.dumps({"a": {"filename": "a.png", "regions": regions}}))
    found = read_via(path)
    assert found.label.tolist() == [None, "oak"]
    assert found.score.tolist() == [0.8, 0.7]


@pytest.mark.parametrize(
    "line",
    ["0,0.5,0.5,0.2,0.4", "0, 0.5, 0.5, 0.2, 0.4", "0 0,5 0,5 0,2 0,4", "1;0.5;0.5;0.2;0.4"],
)
def test_yolo_with_commas_is_refused_with_the_line(tmp_path: Path, line: str) -> None:
    path = saved(tmp_path, "a.txt", f"\n{line}\n")
    for source in (path, tmp_path):
        with raises("yolo.commas", path="a.txt", row=2, line=line):
            find_annotation_files(str(source), None)
    with raises("yolo.commas", path="a.txt", row=2, line=line):
        read_yolo(path)


def test_yolo_with_names_of_classes_is_refused_with_the_line(tmp_path: Path) -> None:
    line = "Type_III 0.419921875 0.5048828125 0.078125 0.896484375"
    with raises("yolo.not_yolo", path="a.txt", row=1, line=line):
        read_yolo(saved(tmp_path, "a.txt", line))
    with raises("yolo.not_yolo", path="a.txt", row=1, line=line):
        find_annotation_files(str(tmp_path / "a.txt"), None)


COCO_TRUTH = {
    "images": [{"id": 7, "file_name": "a.png", "width": 20, "height": 10}],
    "annotations": [{"id": 1, "image_id": 7, "category_id": 1, "bbox": [2, 3, 4, 2]}],
    "categories": [{"id": 1, "name": "oak"}],
}


def zipped(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    path.write_bytes(gzip.compress(saved(folder, "unzipped.tmp", content).read_bytes()))
    return path


def test_compressed_coco_is_read(tmp_path: Path) -> None:
    path = zipped(tmp_path, "truth.JSON.gz", COCO_TRUTH)
    assert [file.format for file in find_annotation_files(str(tmp_path), None)] == [FileFormat.COCO]
    found = read_coco(path)
    assert bounds(found) == [[2, 3, 6, 5]]  # by hand: 2 + 4, 3 + 2
    assert found.label.tolist() == ["oak"]


@pytest.mark.parametrize("kept", [5, 40, -6])
def test_damaged_compressed_files_are_refused(tmp_path: Path, kept: int) -> None:
    path = zipped(tmp_path, "truth.json.gz", COCO_TRUTH)
    path.write_bytes(path.read_bytes()[:kept])
    with raises("file.unreadable", path=path):
        read_coco(path)


def test_compressed_files_are_limited_by_their_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = zipped(tmp_path, "truth.json.gz", {"images": [], "annotations": [], "info": "x" * 9000})
    assert path.stat().st_size < 200
    monkeypatch.setattr(values, "MAX_BYTES", 5000)
    with raises("file.too_large", path="truth.json.gz"):
        read_coco(path)


@pytest.mark.parametrize("name", ["results.jsonl", "results.ndjson", "results.json"])
@pytest.mark.parametrize("n_results", [1, 2])
def test_coco_results_with_an_object_per_line(tmp_path: Path, name: str, n_results: int) -> None:
    truth = saved(tmp_path, "truth.json", COCO_TRUTH)
    lines = [
        {"image_id": 7, "category_id": 1, "bbox": [2, 3, 4, 2], "score": 0.9},
        {"image_id": 7, "category_id": 1, "bbox": [0, 0, 3, 1], "score": 0.5},
    ][:n_results]
    path = saved(tmp_path, name, "\n".join(map(json.dumps, lines)) + "\n\n")
    assert detect_format(path) is FileFormat.COCO
    assert is_result_list(path)
    found = read_coco(path, truth)
    assert bounds(found) == [[2, 3, 6, 5], [0, 0, 3, 1]][:n_results]
    assert found.score.tolist() == [0.9, 0.5][:n_results]
    assert found.label.tolist() == ["oak"] * n_results
    with raises("coco.results_only", path=name):
        read_coco(path)


def test_other_objects_per_line_are_refused_with_the_first(tmp_path: Path) -> None:
    lines = ['{"image_url": "a.png", "label": [{"topX": 0.1}]}', '{"image_url": "b.png"}']
    path = saved(tmp_path, "train.jsonl", "\n".join(lines))
    with raises("import.json_lines", file="train.jsonl", line=lines[0]):
        find_annotation_files(str(path), None)
