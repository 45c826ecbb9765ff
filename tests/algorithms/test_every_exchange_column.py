"""Every column of what is imported, and all that is exported, once, worked out by hand."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from support.by_hand import (
    areas_of,
    check_nothing_is_left_out,
    noting,
    worked,
    worked_files,
    worked_values,
)
from support.layers import box_layer
from support.rasters import write_raster

from randcrowns.algorithms.exchange.schema.parameters import EXPORT_FORMAT, LAYER_FORMAT

#: Notes and warnings that a test's runs tell; all others would be wrong there.
NOTES = {
    "test_import_crowns": [
        "coco.crowds",
        "exchange.empty_image",
        "exchange.missing_image",
        "exchange.no_georeference",
        "exchange.no_size",
    ],
    "test_import_points": ["exchange.missing_image", "exchange.no_georeference"],
    "test_export_coco": ["export.no_class"],
    "test_export_deepforest": ["export.no_class"],
    "test_export_voc": ["export.no_class"],
}


@pytest.fixture
def run(run, request):
    yield from noting(run, NOTES.get(request.node.originalname, ()))


@pytest.fixture(scope="module", autouse=True)
def nothing_left_out(request):
    """A new output, column or number must be worked out here."""
    yield
    check_nothing_is_left_out(request, ["importcrowns", "exportcrowns", "exportlayers"])


def test_import_crowns(run, tmp_path) -> None:
    """One crown, one place to ignore, and one of no size, in pixels from the upper left corner."""
    boxes = {1: [10, 20, 30, 40], 2: [50, 20, 10, 10], 3: [5, 5, 0, 10]}
    marked = [
        {
            "id": number,
            "image_id": 1,
            "category_id": 1,
            "bbox": box,
            "iscrowd": int(number == 2),
            "segmentation": [],
        }
        for number, box in boxes.items()
    ]
    marked[0]["score"] = 0.5
    images = [
        {"id": number, "file_name": f"{number}.tif", "width": 100, "height": 100}
        for number in (1, 2)
    ]
    told = {"images": images, "categories": [{"id": 1, "name": "tree"}], "annotations": marked}
    path = tmp_path / "crowns.json"
    path.write_text(json.dumps(told), encoding="utf-8")
    done = run("importcrowns", {"INPUT": str(path)}, outputs=("CROWNS", "IGNORED", "SUMMARY"))
    assert done.ok, done.error
    of = {"image": ["1.tif"], "source": ["crowns.json"]}
    worked(done, "CROWNS", {"label": ["tree"], "score": [0.5], **of, "row": [1]})
    worked(done, "IGNORED", {"label": ["tree"], "score": [None], **of, "row": [2]})
    assert (areas_of(done, "CROWNS"), areas_of(done, "IGNORED")) == ([30 * 40], [10 * 10])
    counts = {
        "images": [2],
        "empty_images": [1],
        "read": [3],
        "crowns": [1],
        "points": [0],
        "ignored": [1],
        "skipped": [1],
    }
    worked_values(done, READ=3, IMPORTED=1, SKIPPED=1, IMAGES_READ="")
    worked(
        done, "SUMMARY", {"file": ["crowns.json"], "format": ["COCO"], **counts, "reason": [...]}
    )
    assert done.table("SUMMARY")["reason"][0]


def test_import_points(run, tmp_path) -> None:
    """A stem and a crown in a file of LabelMe."""
    shapes = [
        {"label": "stem", "shape_type": "point", "points": [[12.5, 40]]},
        {"label": "tree", "shape_type": "rectangle", "points": [[10, 20], [40, 60]]},
    ]
    path = tmp_path / "a.json"
    told = {"imagePath": "a.tif", "imageWidth": 100, "imageHeight": 100, "shapes": shapes}
    path.write_text(json.dumps(told), encoding="utf-8")
    done = run("importcrowns", {"INPUT": str(path)}, outputs=("POINTS", "CROWNS", "SUMMARY"))
    assert done.ok, done.error
    of = {"image": ["a.tif"], "source": ["a.json"]}
    worked(done, "POINTS", {"label": ["stem"], "score": [None], **of, "row": [1]})
    worked(done, "CROWNS", {"label": ["tree"], "score": [None], **of, "row": [2]})
    (point,) = (feature.geometry().asPoint() for feature in done.layer("POINTS").getFeatures())
    assert (point.x(), point.y()) == (12.5, -40)
    counts = {
        "images": [1],
        "empty_images": [0],
        "read": [2],
        "crowns": [1],
        "points": [1],
        "ignored": [0],
        "skipped": [0],
    }
    worked(done, "SUMMARY", {"file": ["a.json"], "format": ["LabelMe"], **counts, "reason": [None]})


#: On an image of 40 x 20 pixels, 1 m each: a tree, and what was found there and beside it.
LABEL, SCORED = "&field=label:string", "&field=label:string&field=score:double"


@pytest.fixture
def export(run, tmp_path):
    """Runs randcrowns:exportcrowns in a format, and gives the run and its folder."""
    image = write_raster(tmp_path / "plot.tif", np.zeros((20, 40)))

    def export_as(key, **more):
        asked = {
            "TARGETS": box_layer("trees", [(2, 3, 12, 11)], fields=LABEL, rows=[["oak"]]),
            "PREDICTIONS": box_layer(
                "found", [(3, 3, 12, 11), (20, 5, 30, 15)], fields=SCORED, rows=FOUND
            ),
            "FORMAT": EXPORT_FORMAT.keys.index(key),
            "FOLDER": str(tmp_path / "out"),
        }
        done = run("exportcrowns", {**asked, "IMAGE": [str(image)], **more}, outputs=())
        assert done.ok, done.refused or done.error
        return done

    return export_as


FOUND = [["oak", 0.75], ["", 0.5]]


def test_export_coco(export) -> None:
    ignored = box_layer("crowd", [(30, 0, 40, 5)])
    done = export("coco", IGNORED=ignored)
    files = worked_files(done, ["ground_truth.json", "results.json"])
    box = {"category_id": 1, "image_id": 1}
    oak = {
        "bbox": [2.0, 9.0, 10.0, 8.0],
        "segmentation": [[2.0, 9.0, 12.0, 9.0, 12.0, 17.0, 2.0, 17.0]],
    }
    crowd = {
        "bbox": [30.0, 15.0, 10.0, 5.0],
        "segmentation": [[30.0, 15.0, 40.0, 15.0, 40.0, 20.0, 30.0, 20.0]],
    }
    truth = json.loads(files["ground_truth.json"])
    assert truth["images"] == [{"id": 1, "file_name": "plot.tif", "width": 40, "height": 20}]
    assert truth["categories"] == [{"id": 1, "name": "Tree", "supercategory": ""}]
    assert [same_ring(one) for one in truth["annotations"]] == [
        same_ring({"id": 1, **box, **oak, "label": "oak", "area": 80.0, "iscrowd": 0}),
        same_ring({"id": 2, **box, **crowd, "area": 50.0, "iscrowd": 1}),
    ]
    found = json.loads(files["results.json"])
    assert [(one["score"], one["bbox"], one["image_id"], one["category_id"]) for one in found] == [
        (0.75, [3.0, 9.0, 9.0, 8.0], 1, 1),
        (0.5, [20.0, 5.0, 10.0, 10.0], 1, 1),
    ]
    worked_values(done, EXPORTED=4)


def same_ring(annotation: dict) -> dict:
    """An annotation, the corners of its outline as a set."""
    (ring,) = annotation["segmentation"]
    return {**annotation, "segmentation": sorted(zip(ring[::2], ring[1::2]))}


def test_export_deepforest(export) -> None:
    done = export("deepforest")
    files = worked_files(done, ["predictions.csv", "targets.csv"])
    lines = [line.split(',"')[0] for line in files["predictions.csv"].splitlines()]
    assert lines == [
        "image_path,xmin,ymin,xmax,ymax,label,score,geometry",
        "plot.tif,3.0,9.0,12.0,17.0,oak,0.75",
        "plot.tif,20.0,5.0,30.0,15.0,Tree,0.5",
    ]
    worked_values(done, EXPORTED=3)


def test_export_voc(export) -> None:
    done = export("voc")
    files = worked_files(done, ["predictions/plot.xml", "targets/plot.xml"])
    read = ElementTree.fromstring(files["predictions/plot.xml"])
    assert [(one.tag, (one.text or "").strip()) for one in read.iter() if len(one) == 0] == [
        ("filename", "plot.tif"),
        *(("width", "40"), ("height", "20")),
        *(
            ("name", "oak"),
            ("score", "0.75"),
            ("xmin", "3.0"),
            ("ymin", "9.0"),
            ("xmax", "12.0"),
            ("ymax", "17.0"),
        ),
        *(
            ("name", "Tree"),
            ("score", "0.5"),
            ("xmin", "20.0"),
            ("ymin", "5.0"),
            ("xmax", "30.0"),
            ("ymax", "15.0"),
        ),
    ]


def test_export_tables(export, run, tmp_path) -> None:
    """A table of each layer with its fields as they are."""
    done = export("csv")
    files = worked_files(done, ["predictions.csv", "targets.csv"])
    assert files["predictions.csv"].splitlines() == ["label,score", "oak,0.75", ",0.5"]
    heading = r"label,?\n"  # older GDAL ends a heading of one field with a comma
    assert re.fullmatch(heading + "oak\n", files["targets.csv"].replace("\r\n", "\n"))
    layer = box_layer("trees", [(2, 3, 12, 11)], fields=LABEL, rows=[["oak"]])
    place = LAYER_FORMAT.keys.index("csv")
    again = run(
        "exportlayers",
        {"LAYERS": [layer], "FORMAT": place, "FOLDER": str(tmp_path / "run")},
        outputs=(),
    )
    assert again.ok, again.refused or again.error
    found = worked_files(again, ["trees.csv"])["trees.csv"]
    assert re.fullmatch(heading + "oak\n", found.replace("\r\n", "\n"))
    worked_values(again, EXPORTED=1)
