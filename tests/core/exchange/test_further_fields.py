"""Further columns of tables as fields of annotations, with their types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from randcrowns.core.exchange import deepforest, read_deepforest, read_via, write_deepforest

BOXES = (
    "image_path,xmin,ymin,xmax,ymax,label,score,name,dbh,height,checked,code,\n"
    "a.tif,0,0,5,5,oak,0.5,T1,31,4.5,True,007,0\n"
    "b.tif,9,9,14,14,ash,0.25,,,12,False,1.5,1\n"
)
FIELDS = {
    "name": ["T1", None],
    "dbh": [31, None],
    "height": [4.5, 12.0],
    "checked": [True, False],
    "code": ["007", "1.5"],
}


def saved(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def lists(fields: dict[str, Any]) -> dict[str, list[Any]]:
    return {name: values.tolist() for name, values in fields.items()}


def types_of(fields: dict[str, list[Any]]) -> dict[str, list[type]]:
    return {name: [type(value) for value in values] for name, values in fields.items()}


def test_further_columns_are_fields_with_their_types(tmp_path: Path) -> None:
    found = read_deepforest(saved(tmp_path, "boxes.csv", BOXES))
    assert lists(found.fields) == FIELDS
    assert types_of(lists(found.fields)) == types_of(FIELDS)
    again = read_deepforest(saved(tmp_path, "again.csv", write_deepforest(found)))
    assert lists(again.fields) == FIELDS
    assert types_of(lists(again.fields)) == types_of(FIELDS)
    assert again.score.tolist() == [0.5, 0.25]


def test_types_follow_from_all_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first rows that are read together have whole numbers, the last one has a text."""
    monkeypatch.setattr(deepforest, "_ROWS_PER_CHUNK", 2)
    rows = [f"a.tif,{x},0,{x + 5},5,{x},{x}" for x in range(4)]
    text = "\n".join(["image_path,xmin,ymin,xmax,ymax,tag,number", *rows, "a.tif,9,9,14,14,x9,"])
    found = read_deepforest(saved(tmp_path, "a.csv", text))
    assert lists(found.fields) == {
        "tag": ["0", "1", "2", "3", "x9"],
        "number": [0, 1, 2, 3, None],
    }


def test_decimal_commas_and_skipped_rows(tmp_path: Path) -> None:
    text = (
        "image_path;xmin;ymin;xmax;ymax;height\n"
        "a.tif;0;0;5;5;3,5\n"
        "a.tif;7;7;7;9;1,5\n"
        "a.tif;9;9;14;14;12\n"
    )
    found = read_deepforest(saved(tmp_path, "a.csv", text))
    assert lists(found.fields) == {"height": [3.5, 12.0]}


def test_points_and_outlines_keep_columns_that_are_not_their_shape(tmp_path: Path) -> None:
    points = read_deepforest(saved(tmp_path, "p.csv", "image,x,y,id\na.tif,3,4,12\n"))
    assert lists(points.fields) == {"id": [12]}
    outline = '"POLYGON((0 0,4 0,4 4,0 0))"'
    text = f"image,geometry,x,y,class,name\na.tif,{outline},2.5,1,oak,T1\n"
    outlines = read_deepforest(saved(tmp_path, "o.csv", text))
    assert lists(outlines.fields) == {"x": [2.5], "y": [1], "name": ["T1"]}


def test_names_that_are_taken_are_said(tmp_path: Path) -> None:
    text = "image_path,xmin,ymin,xmax,ymax,row,fid,source\na.tif,0,0,5,5,77,8,drone\n"
    found = read_deepforest(saved(tmp_path, "a.csv", text))
    (message,) = found.collect_messages("a.csv")
    assert message.key == "exchange.fields_renamed"
    assert "row_2, fid_2 and source_2" in str(message) or "row_2, fid_2, source_2" in str(message)


def test_further_columns_of_a_table_of_via(tmp_path: Path) -> None:
    heading = "filename,file_size,region_shape_attributes,region_attributes,dbh,species\n"
    shape = '"{""name"":""rect"",""x"":1,""y"":1,""width"":4,""height"":4}"'
    rows = f'a.png,12,{shape},"{{""species"":""oak""}}",31,5\nb.png,12,{shape},"{{}}",,6\n'
    found = read_via(saved(tmp_path, "via.csv", heading + rows))
    assert lists(found.fields) == {
        "species": ["oak", None],
        "dbh": [31, None],
        "species_2": [5, 6],
    }
    assert found.label.tolist() == ["oak", None]
