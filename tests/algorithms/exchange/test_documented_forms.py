"""Each row of docs/exchange.md's table of programs and forms is read, or refused, as it says."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import shapely
from support.code import ROOT
from support.shown import shows

OUTPUTS = ("CROWNS", "POINTS", "IGNORED", "SUMMARY")
#: A box of 4 by 2 px, of which most samples are made, in an image of 20 by 10 px.
BOX = shapely.box(2, 3, 6, 5)
CORNERS = [[2, 3], [6, 3], [6, 5], [2, 5]]
FLAT = [number for point in CORNERS for number in point]


class Sample(NamedTuple):
    """Files of a program, and what becomes of them."""

    files: dict[str, str]  #: content by name of the file.
    shapes: Sequence[shapely.Geometry] = ()  #: crowns in pixels, y downwards.
    n_skipped: int = 0
    program: str = ""  #: program that the refusal must name.
    key: str = "import.other_program"  #: key of the refusal.


def as_json(content: object) -> str:
    return json.dumps(content)


def coco(*records: dict, **lists: object) -> str:
    content = {
        "images": [{"id": 1, "file_name": "a.png", "width": 20, "height": 10}],
        "categories": [{"id": 1, "name": "tree"}],
        "annotations": [{"image_id": 1, "category_id": 1, **record} for record in records],
    }
    return as_json({**content, **lists})


def labelme(**shape: object) -> str:
    shapes = [{"label": "tree", "points": CORNERS, "shape_type": "polygon", **shape}]
    return as_json({"imagePath": "a.png", "imageWidth": 20, "imageHeight": 10, "shapes": shapes})


def studio(kind: str, value: dict) -> str:
    result = {"type": kind, "original_width": 20, "original_height": 10, "value": value}
    box = {
        "type": "rectanglelabels",
        "original_width": 20,
        "original_height": 10,
        "value": {"x": 10, "y": 30, "width": 20, "height": 20, "rectanglelabels": ["tree"]},
    }
    task = {"data": {"image": "a.png"}, "annotations": [{"result": [box, result]}]}
    return as_json([task])


VOC = (
    "<annotation><filename>a.png</filename><size><width>20</width><height>10</height></size>"
    "<object><name>tree</name><bndbox><xmin>2</xmin><ymin>3</ymin><xmax>6</xmax><ymax>5</ymax>"
    "</bndbox></object></annotation>"
)
CVAT = (
    '<annotations><image id="0" name="a.png" width="20" height="10">'
    '<polygon label="tree" points="2,3;6,3;6,5;2,5"/>{}</image></annotations>'
)
VIA = {
    "a.png1": {
        "filename": "a.png",
        "size": 1,
        "file_attributes": {},
        "regions": [
            {
                "shape_attributes": {"name": "rect", "x": 2, "y": 3, "width": 4, "height": 2},
                "region_attributes": {"label": "tree"},
            }
        ],
    }
}
VIA_CSV = (
    "filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,"
    "region_attributes\n"
    'a.png,1,{},1,0,"{""name"":""rect"",""x"":2,""y"":3,""width"":4,""height"":2}",{}\n'
)
VIA_1 = {
    "a.png1": {
        "filename": "a.png",
        "regions": {
            "0": {
                "shape_attributes": {
                    "name": "polygon",
                    "all_points_x": [2, 6, 6, 2],
                    "all_points_y": [3, 3, 5, 5],
                },
                "region_attributes": {},
            }
        },
    }
}
#: Corners of a box that is turned by a quarter of a right angle, in shares of 20 by 10 px.
OBB = "0 0.3 0.3 0.4 0.4 0.3 0.5 0.2 0.4"
TURNED = shapely.Polygon([(6, 3), (8, 4), (6, 5), (4, 4)])
YOLO_BOX = "0 0.2 0.4 0.2 0.2"

#: Samples by the first cell of a row of the table.
SAMPLES: dict[str, list[Sample]] = {
    "DeepForest 1 and 2, keras-retinanet (.csv)": [
        Sample({"a.csv": "image_path,xmin,ymin,xmax,ymax,label\na.png,2,3,6,5,Tree\n"}, [BOX]),
        Sample({"a.csv": 'image_path,label,geometry\na.png,Tree,"' + BOX.wkt + '"\n'}, [BOX]),
        Sample({"a.csv": "a.png,2,3,6,5,Tree\n"}, [BOX]),
    ],
    "COCO ground truth and results": [
        Sample({"a.json": coco({"bbox": [2, 3, 4, 2]})}, [BOX]),
        Sample({"a.json": coco({"segmentation": [FLAT]})}, [BOX]),
    ],
    "YOLO with commas, or names in place of class numbers": [
        Sample({"a.txt": YOLO_BOX.replace(" ", ",")}, program="0,0.2,0.4", key="yolo.commas"),
        Sample({"a.txt": f"tree{YOLO_BOX}"}, program=f"tree{YOLO_BOX}", key="yolo.not_yolo"),
    ],
    "tables with columns x1, y1, x2, y2 and the like": [
        Sample({"a.csv": "filename,x1,y1,x2,y2,class\na.png,2,3,6,5,Tree\n"}, [BOX]),
        Sample({"a.csv": "filename,cx,cy,w,h,class\na.png,4,4,4,2,Tree\n"}, [BOX]),
    ],
    "tables with a column bbox": [
        # As corners, the second box would have no size.
        Sample(
            {
                "a.csv": 'image,bbox\na.png,"[2, 3, 4, 2]"\na.png,"[9, 3, 4, 2]"\n'
                'a.png,"[14, 3, 4, 2]"\n'
            },
            [BOX, shapely.box(9, 3, 13, 5), shapely.box(14, 3, 18, 5)],
        ),
        Sample(
            {"a.csv": 'image,bbox\na.png,"[2, 3, 6, 5]"\n'},
            program="[2, 3, 6, 5]",
            key="deepforest.ambiguous_boxes",
        ),
    ],
    "COCO compressed, or with a result per line": [
        Sample({"a.json.gz": coco({"bbox": [2, 3, 4, 2]})}, [BOX]),
    ],
    "predictions of Detectree2 (a list per tile) and of Ultralytics (predictions.json)": [
        Sample({"a.json": json.dumps([{"image_id": "t/a.png", "bbox": [2, 3, 4, 2]}])}, [BOX]),
        Sample(
            {"a.json": json.dumps([{"image_id": 7, "file_name": "a.png", "bbox": [2, 3, 4, 2]}])},
            [BOX],
        ),
    ],
    "other JSON with an object per line": [
        Sample(
            {"a.jsonl": '{"image_url": "a.png"}\n{"image_url": "b.png"}\n'},
            program='{"image_url": "a.png"}',
            key="import.json_lines",
        )
    ],
    "Pascal VOC": [Sample({"a.xml": VOC}, [BOX])],
    "YOLO boxes, polygons, corners of rotated boxes (OBB), with score, object number or both": [
        Sample({"a.txt": YOLO_BOX}, [BOX]),
        Sample({"a.txt": OBB}, [TURNED]),
        Sample({"a.txt": f"{OBB} 0.9"}, [TURNED]),
        Sample({"a.txt": f"{OBB} 0.9 7\n{OBB} 0.8 9"}, [TURNED, TURNED]),
    ],
    "YOLO pose": [
        Sample(
            {"a.txt": f"{YOLO_BOX} 0.25 0.4 2", "data.yaml": "kpt_shape: [1, 3]\nnames: [tree]\n"},
            [BOX],
        )
    ],
    "YOLO lines in pixels, or boxes as two corners": [
        Sample({"a.txt": "0 4 4 4 2\n0 12 8 16 2\n"}, [BOX, shapely.box(4, 7, 20, 9)]),
        # As centre and size the first box would begin at 10 - 50 / 2 = -15.
        Sample(
            {"a.txt": "0 10 10 50 40\n0 60 60 70 80\n"},
            [shapely.box(10, 10, 50, 40), shapely.box(60, 60, 70, 80)],
        ),
    ],
    "YOLO boxes with an angle, in radians or degrees": [
        Sample(
            {"a.txt": f"{YOLO_BOX} -0.7\n{YOLO_BOX} 0.3"},
            program=f"{YOLO_BOX} -0.7",
            key="yolo.ambiguous",
        ),
        Sample(
            {"a.txt": f"{YOLO_BOX} 45.5\n{YOLO_BOX} -30.5"},
            program=f"{YOLO_BOX} 45.5",
            key="yolo.ambiguous",
        ),
    ],
    "LabelMe, CVAT for images, VIA 1 and 2, Label Studio JSON and YOLO": [
        Sample({"a.json": labelme()}, [BOX]),
        Sample({"a.xml": CVAT.format("")}, [BOX]),
        Sample({"a.json": as_json(VIA)}, [BOX]),
        Sample({"a.json": as_json(VIA_1)}, [BOX]),
        Sample({"a.csv": VIA_CSV}, [BOX]),
        Sample({"a.json": studio("keypointlabels", {"x": 1, "y": 1, "width": 1})}, [BOX]),
        Sample({"a.txt": YOLO_BOX, "classes.txt": "tree\n", "notes.json": "{}"}, [BOX]),
    ],
    "Pascal VOC with rotated boxes (robndbox of roLabelImg) or outlines alone": [
        Sample(
            {
                "a.xml": VOC.replace(
                    "</annotation>",
                    "<object><robndbox><cx>5</cx></robndbox></object>"
                    "<object><polygon><x1>0</x1></polygon></object></annotation>",
                )
            },
            [BOX],
            2,
        )
    ],
    "Label Studio brush strokes; lines, cuboids and skeletons": [
        Sample({"a.json": studio("brushlabels", {"format": "rle", "rle": [1, 2]})}, [BOX], 1),
        Sample({"a.json": labelme(shape_type="linestrip")}, [], 1),
        Sample(
            {
                "a.xml": CVAT.format(
                    '<polyline label="x" points="1,1;2,2"/>'
                    '<cuboid label="x" xtl1="1" ytl1="1"/><skeleton label="x"/>'
                )
            },
            [BOX],
            3,
        ),
    ],
    "CVAT for video, VIA 3, Supervisely, Labelbox, V7 Darwin, Apple CreateML, KITTI, Datumaro, "
    "Open Images, DOTA, panoptic COCO": [
        Sample(
            {
                "a.xml": '<annotations><track id="0" label="tree"><box frame="0"/></track></annotations>'
            },
            program="CVAT for video",
            key="cvat.video",
        ),
        Sample({"a.json": '{"project": {"vid_list": ["1"]}, "file": {}}'}, program="VIA 3"),
        Sample(
            {"a.json": as_json({"size": {}, "objects": [{"classTitle": "Tree"}]})},
            program="Supervisely",
        ),
        Sample({"a.json": as_json([{"data_row": {"id": "c"}}])}, program="Labelbox"),
        Sample(
            {"a.json": as_json({"version": "2.0", "schema_ref": "https://darwin", "item": {}})},
            program="V7 Darwin",
        ),
        Sample(
            {
                "a.json": as_json(
                    [{"image": "a.png", "annotations": [{"coordinates": {"x": 4, "y": 4}}]}]
                )
            },
            program="Apple CreateML",
        ),
        Sample(
            {"a.txt": "Tree 0.00 0 -1.5 2.0 3.0 6.0 5.0 1.5 1.6 3.9 1.8 1.5 8.4 1.6\n"},
            program="KITTI",
        ),
        Sample(
            {
                "a.json": as_json(
                    {"dm_format_version": "1.0", "info": {}, "categories": {}, "items": []}
                )
            },
            program="Datumaro",
        ),
        Sample(
            {
                "a.csv": "ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax\n"
                "a,xclick,/m/07j7r,1,0.1,0.3,0.3,0.5\n"
            },
            program="Open Images",
        ),
        Sample(
            {
                "a.csv": "ImageID,LabelName,Conf,XMin,XMax,YMin,YMax\na,/m/07j7r,0.9,0.1,0.3,0.3,0.5\n"
            },
            program="Open Images",
        ),
        Sample({"a.txt": "imagesource:GoogleEarth\n1 1 3 1 3 3 1 3 tree 0\n"}, program="DOTA"),
        Sample(
            {
                "a.json": as_json(
                    {"images": [], "annotations": [{"segments_info": []}], "categories": []}
                )
            },
            program="COCO (panoptic)",
        ),
    ],
}


def table_rows() -> list[str]:
    """Return the first cell of each row of the table."""
    text = (ROOT / "docs" / "exchange.md").read_text(encoding="utf-8")
    lines = text.split("### Programs and forms\n")[1].splitlines()
    rows = [line for line in lines[: lines.index("")] if line.startswith("|")]
    return [row.split("|")[1].strip() for row in rows[2:]]


def test_each_row_of_the_table_has_samples() -> None:
    assert sorted(table_rows()) == sorted(SAMPLES), "SAMPLES has the rows of docs/exchange.md"


@pytest.mark.parametrize(
    "sample",
    [
        pytest.param(sample, id=f"{row.split(',')[0]}-{number}")
        for row, samples in SAMPLES.items()
        for number, sample in enumerate(samples)
    ],
)
def test_a_form_is_read_or_refused_as_the_table_says(run, tmp_path: Path, sample: Sample) -> None:
    for name, content in sample.files.items():
        data = content.encode()
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    write_image(tmp_path / "a.png")
    (first, *others) = sample.files
    path = tmp_path if others else tmp_path / first
    ran = run("importcrowns", {"INPUT": str(path)}, outputs=OUTPUTS)
    if sample.program:
        refusal = ran.refused or ran.error
        assert sample.program in refusal
        assert shows(refusal, sample.key)
        return

    assert ran.ok, ran.refused or ran.error
    assert ran.results["SKIPPED"] == sample.n_skipped
    found = [
        shapely.from_wkb(bytes(feature.geometry().asWkb()))
        for feature in ran.layer("CROWNS").getFeatures()
    ]
    # QGIS shows an image without a georeference with y upwards.
    downwards = [shapely.transform(shape, lambda xy: xy * np.array([1, -1])) for shape in found]
    assert len(downwards) == len(sample.shapes)
    for shape, expected in zip(downwards, sample.shapes):
        assert shape.symmetric_difference(expected).area < 1e-9


def write_image(path: Path) -> None:
    from osgeo import gdal

    memory = gdal.GetDriverByName("MEM").Create("", 20, 10, 1)
    gdal.GetDriverByName("PNG").CreateCopy(str(path), memory)
    path.with_suffix(".png.aux.xml").unlink(missing_ok=True)
