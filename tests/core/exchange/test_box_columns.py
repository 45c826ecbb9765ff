"""Tables of boxes with the columns of other programs.

The expected corners are calculated by hand: a box of 4 by 2 px from (2, 3) to (6, 5).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely
from support.errors import raises

from randcrowns.core.exchange import (
    FileFormat,
    detect_format,
    read_deepforest,
)
from randcrowns.core.exchange.annotations import Annotations, SkipReason
from randcrowns.core.exchange.files import find_annotation_files

BOX = [2.0, 3.0, 6.0, 5.0]


def read(folder: Path, content: str) -> Annotations:
    path = folder / "a.csv"
    path.write_text(content, encoding="utf-8")
    assert detect_format(path) is FileFormat.DEEPFOREST
    return read_deepforest(path)


@pytest.mark.parametrize(
    ("columns", "values", "key"),
    [
        ("image_path,xmin,ymin,xmax,ymax,label", "a.png,2,3,6,5,oak", ""),
        ("filename,x1,y1,x2,y2,class", "a.png,2,3,6,5,oak", "corner"),
        ("img_path,X_min,Y_min,X_max,Y_max,class_name", "a.png,2,3,6,5,oak", "corner"),
        ("image,label,xtl,ytl,xbr,ybr", "a.png,oak,2,3,6,5", "corner"),
        ("file_name,label,left,top,right,bottom", "a.png,oak,2,3,6,5", "corner"),
        ("image,label,xmax,ymax,xmin,ymin", "a.png,oak,6,5,2,3", ""),
        ("image,xmin,ymin,width,height,label", "a.png,2,3,4,2,oak", "size"),
        ("image,left,top,w,h,label", "a.png,2,3,4,2,oak", "size"),
        ("filename,col_x,row_y,width,height,label", "a.png,2,3,4,2,oak", "size"),
        (
            "label_name,bbox_x,bbox_y,bbox_width,bbox_height,image_name,image_width,image_height",
            "oak,2,3,4,2,a.png,20,10",
            "size",
        ),
        ("image,x_center,y_center,width,height,label", "a.png,4,4,4,2,oak", "centre"),
        ("image,cx,cy,w,h,label", "a.png,4,4,4,2,oak", "centre"),
        # The width and height beside the sides are those of the image.
        ("filename,width,height,class,xmin,ymin,xmax,ymax", "a.png,20,10,oak,2,3,6,5", ""),
        # As corners, the box would have no width: 4 is less than 200.
        ("image_id,width,height,bbox,label", 'a.png,1024,1024,"[2, 3, 4.0, 2]",oak', "size"),
        ("image,bbox_xyxy,label", "a.png,(2 3 6 5),oak", "corner"),
        ("image,bbox_xywh,label", 'a.png,"2,3,4,2",oak', "size"),
    ],
)
def test_columns_of_other_programs(tmp_path: Path, columns: str, values: str, key: str) -> None:
    others = values.replace("2, 3, 4.0, 2", "2e1, 3e1, 4, 2")
    found = read(tmp_path, f"{columns}\n{values}\n{others}\n{others}\n")
    if "[" not in values:
        assert shapely.bounds(found.shapes).tolist() == [BOX] * 3
    else:
        assert shapely.bounds(found.shapes).tolist() == [BOX, [20, 30, 24, 32], [20, 30, 24, 32]]
    assert found.label.tolist() == ["oak"] * 3
    assert [image.name for image in found.images] == ["a.png"]
    assert [message.key for message in found.messages] == [f"deepforest.{key}_columns"] * bool(key)


def test_lists_that_are_corners_in_their_image(tmp_path: Path) -> None:
    # As corner and size, the second box would end at 90 + 96 = 186 of 100 px.
    found = read(
        tmp_path,
        'image_id,width,height,bbox\na,100,100,"[2, 3, 6, 5]"\na,100,100,"[90, 80, 96, 95]"\n',
    )
    assert shapely.bounds(found.shapes).tolist() == [BOX, [90, 80, 96, 95]]


@pytest.mark.parametrize(
    "rows",
    [
        ["[2, 3, 6, 5]", "[9, 8, 16, 15]"],  # corners, or large boxes that overlap
        ["[2, 3, 6, 5]", "[9, 8, 6, 5]", "[9, 8, 16, 15]"],  # neither fits most of the rows
    ],
)
def test_ambiguous_lists_are_refused_with_the_first(tmp_path: Path, rows: list[str]) -> None:
    content = "\n".join(["image,bbox", *(f'a.png,"{row}"' for row in rows)])
    with raises("deepforest.ambiguous_boxes", path="a.csv", column="bbox", line=rows[0]):
        read(tmp_path, content)


def test_values_that_are_no_list_are_skipped(tmp_path: Path) -> None:
    found = read(tmp_path, 'image,bbox_xyxy\na.png,"[2, 3, 6, 5]"\na.png,none\na.png,1 2 3\n')
    assert shapely.bounds(found.shapes).tolist() == [BOX]
    assert found.problem_rows == {SkipReason.NOT_NUMBERS: [3, 4]}


def test_an_image_without_boxes_has_a_list_of_zeros(tmp_path: Path) -> None:
    found = read(tmp_path, 'image,bbox_xywh\na.png,"[0, 0, 0, 0]"\nb.png,"[2, 3, 4, 2]"\n')
    assert found.empty_images == ["a.png"]
    assert shapely.bounds(found.shapes).tolist() == [BOX]


@pytest.mark.parametrize("size", ["0", "-4"])
def test_boxes_without_a_size_are_skipped(tmp_path: Path, size: str) -> None:
    found = read(tmp_path, f"image,cx,cy,w,h\na.png,4,4,{size},2\n")
    assert found.problem_rows == {SkipReason.NO_SIZE: [2]}


def test_other_columns_beside_outlines_are_fields(tmp_path: Path) -> None:
    outline = shapely.box(*BOX).wkt
    found = read(
        tmp_path, f'image,cx,cy,w,h,geometry\na.png,40,40,2,2,"{outline}"\na.png,1,2,3,4,\n'
    )
    assert shapely.bounds(found.shapes).tolist() == [BOX]
    np.testing.assert_array_equal(found.fields["cx"], [40])


def test_boxes_without_an_image_are_refused_with_the_heading(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x1,y1,x2,y2,label\n2,3,6,5,oak\n", encoding="utf-8")
    with raises("import.unknown_columns", file="a.csv", line="x1,y1,x2,y2,label"):
        find_annotation_files(str(path), None)
