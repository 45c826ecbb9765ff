"""Annotation files read without QGIS: how their images are distinguished and checked."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import geopandas
import pandas as pd
import pytest
import shapely
from PIL import Image, TiffImagePlugin, TiffTags
from support.errors import find_message, raises

import randcrowns as rc
from randcrowns.jobs.images import read_image

BOX = {"bbox": [1, 1, 4, 2], "category_id": 1}


def write_truth(path: Path, images: Sequence[dict[str, Any]]) -> Path:
    """Write a COCO ground truth with a box on each image, and return its path."""
    records = [{**BOX, "id": number, "image_id": one["id"]} for number, one in enumerate(images)]
    truth = {"images": images, "annotations": records, "categories": [{"id": 1, "name": "oak"}]}
    path.write_text(json.dumps(truth), encoding="utf-8")
    return path


def write_png_header(path: Path, width: int, height: int) -> None:
    """Write a PNG file of any size with a single compressed row, of which only the header counts."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    with path.open("wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in ((b"IHDR", header), (b"IDAT", zlib.compress(b"\0"))):
            file.write(struct.pack(">I", len(data)) + kind + data)
            file.write(struct.pack(">I", zlib.crc32(kind + data)))


def test_two_ids_with_one_name_are_two_images(tmp_path: Path) -> None:
    images = [{"id": number, "file_name": "a.png", "width": 9, "height": 9} for number in (1, 2)]
    path = write_truth(tmp_path / "truth.json", images)
    result = rc.read_annotations(path)
    assert result.tables["crowns"]["image"].tolist() == ["a.png (1)", "a.png (2)"]
    find_message(result.messages, "jobs.missing_images", images=["a.png"])


def test_tables_of_two_folders_name_two_images(tmp_path: Path) -> None:
    for site in ("site1", "site2"):
        (tmp_path / site).mkdir()
        (tmp_path / site / "boxes.csv").write_text("image_path,xmin,ymin,xmax,ymax\na.png,0,0,4,2")
    result = rc.read_annotations(tmp_path)
    assert result.tables["crowns"]["image"].tolist() == ["site1/a.png", "site2/a.png"]


def test_further_columns_of_a_table_are_columns_of_the_layer(tmp_path: Path) -> None:
    text = "image_path,xmin,ymin,xmax,ymax,dbh,code,fid\na.tif,0,0,4,4,31,007,9\n"
    (tmp_path / "a.csv").write_text(text)
    result = rc.read_annotations(tmp_path / "a.csv")
    row = result.tables["crowns"].iloc[0]
    assert row[["dbh", "code", "fid_2"]].tolist() == [31, "007", 9]
    find_message(result.messages, "exchange.fields_renamed", file="a.csv")


def test_an_image_of_another_size_and_one_on_its_side_are_reported(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    exif = image.Exif()
    exif[274] = 6
    image.new("L", (48, 32)).save(tmp_path / "turned.jpg", exif=exif.tobytes())
    image.new("L", (48, 32)).save(tmp_path / "small.png")
    names = ("turned.jpg", "small.png")
    images = [
        {"id": number, "file_name": name, "width": 32, "height": 48}
        for number, name in enumerate(names)
    ]
    result = rc.read_annotations(write_truth(tmp_path / "truth.json", images))
    find_message(result.messages, "exchange.turned_image", images=["turned.jpg"])
    find_message(result.messages, "exchange.size_of_image", images=["small.png"])


@pytest.mark.parametrize(
    ("orientation", "bounds"),
    # Stored turned by 90 degrees, mirrored: x and y change places, from the first or last edge.
    [
        (5, [20, -40, 35, -10]),
        (6, [20, -110, 35, -80]),
        (7, [45, -110, 60, -80]),
        (8, [45, -40, 60, -10]),
    ],
)
@pytest.mark.parametrize("extension", ["jpg", "png", "tif"])
def test_a_box_on_an_image_that_is_stored_on_its_side(
    tmp_path: Path, extension: str, orientation: int, bounds: list[int]
) -> None:
    # Pillow exchanges the sides of such a TIFF image, but not of other images.
    image = pytest.importorskip("PIL.Image")
    exif = image.Exif()
    exif[274] = orientation
    image.new("RGB", (80, 120)).save(tmp_path / f"a.{extension}", exif=exif)
    size = "<size><width>120</width><height>80</height></size>"
    box = "<xmin>10</xmin><ymin>20</ymin><xmax>40</xmax><ymax>35</ymax>"
    (tmp_path / "a.xml").write_text(
        f"<annotation><filename>a.{extension}</filename>{size}"
        f"<object><name>t</name><bndbox>{box}</bndbox></object></annotation>"
    )
    crowns = rc.read_annotations(tmp_path / "a.xml").tables["crowns"]
    assert crowns.total_bounds.tolist() == pytest.approx(bounds, abs=1e-9)


def test_an_image_of_many_pixels_is_found(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    limit = image.MAX_IMAGE_PIXELS
    write_png_header(tmp_path / "mosaic.png", 30_000, 20_000)
    (tmp_path / "mosaic.pgw").write_text("0.5\n0\n0\n-0.5\n500000.25\n3899999.75\n")
    truth = write_truth(tmp_path / "truth.json", [{"id": 1, "file_name": "mosaic.png"}])
    crowns = rc.read_annotations(truth, crs="EPSG:32617").tables["crowns"]
    # By hand: the box from (1, 1) to (5, 3) px, 0.5 m each.
    assert crowns.total_bounds.tolist() == [500000.5, 3899998.5, 500002.5, 3899999.5]
    assert limit == image.MAX_IMAGE_PIXELS


def test_a_name_that_two_images_of_a_folder_have_is_reported(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    for ending in ("png", "jpg"):
        image.new("L", (40, 30)).save(tmp_path / f"plot.{ending}")
    table = tmp_path / "boxes.csv"
    for name, is_reported in (("plot", True), ("plot.jpg", False)):
        table.write_text(f"image_path,xmin,ymin,xmax,ymax\n{name},0,0,4,2\n")
        result = rc.read_annotations(table)
        keys = [message.key for message in result.messages]
        assert ("exchange.several_extensions" in keys) == is_reported
        if is_reported:
            find_message(
                result.messages,
                "exchange.several_extensions",
                image="plot",
                taken="plot.png",
                others=["plot.jpg"],
            )


def test_a_truth_that_is_also_the_file_to_import_is_refused(tmp_path: Path) -> None:
    truth = write_truth(tmp_path / "truth.json", [{"id": 1, "file_name": "a.png"}])
    with raises("import.only_images_of", file="truth.json"):
        rc.read_annotations(truth, images_of=truth)


#: Damaged tags of a GeoTIFF file: of one number, of a text, without a limit, and with too few.
_TIE_POINT, _SCALE, _KEYS = 33922, 33550, 34735
_DAMAGED_TAGS = {
    "one number": {_TIE_POINT: 5.0, _SCALE: 2.0, _KEYS: 1},
    "a text": {_TIE_POINT: "here", _SCALE: "large", _KEYS: "none"},
    "infinite": {_TIE_POINT: (0.0, 0.0, 0.0, float("inf"), 9.0, 0.0), _SCALE: (1.0, 1.0, 0.0)},
    "no size of a pixel": {_TIE_POINT: (0.0, 0.0, 0.0, 5.0, 9.0, 0.0), _SCALE: (0.0, 0.0, 0.0)},
    "too few": {_TIE_POINT: (0.0, 0.0), _SCALE: (1.0,), _KEYS: (1, 1)},
}


@pytest.mark.parametrize("name", _DAMAGED_TAGS)
def test_an_image_with_damaged_tags_has_no_georeference(tmp_path: Path, name: str) -> None:
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    kinds = {float: TiffTags.DOUBLE, str: TiffTags.ASCII, int: TiffTags.SHORT}
    for tag, value in _DAMAGED_TAGS[name].items():
        first = value[0] if isinstance(value, tuple) else value
        tags.tagtype[tag] = kinds[type(first)]
        tags[tag] = value
    path = tmp_path / "a.tif"
    Image.new("L", (4, 3)).save(path, tiffinfo=tags)
    image = read_image(path)
    assert (image.width, image.height, image.geotransform, image.crs) == (4, 3, None, "")


@pytest.mark.parametrize("orientation", [2, 3, 4, 5, 6])
def test_pixels_of_an_export_are_those_of_the_upright_image(
    tmp_path: Path, orientation: int
) -> None:
    image = pytest.importorskip("PIL.Image")
    exif = image.Exif()
    exif[274] = orientation
    size = (120, 80) if orientation < 5 else (80, 120)
    image.new("RGB", size).save(tmp_path / "a.jpg", exif=exif)
    (tmp_path / "a.csv").write_text("image_path,xmin,ymin,xmax,ymax\na.jpg,10,20,40,35\n")
    crowns = rc.read_annotations(tmp_path / "a.csv").tables["crowns"]
    rc.export_crowns(crowns, tmp_path / "out", image=tmp_path / "a.jpg", format="deepforest")
    table = pd.read_csv(tmp_path / "out" / "targets.csv")
    exported = table[["xmin", "ymin", "xmax", "ymax"]].to_numpy()[0].tolist()
    assert exported == pytest.approx([10, 20, 40, 35], abs=1e-6)


def test_images_of_one_name_are_not_merged_by_an_export(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    for site in ("north", "south"):
        (tmp_path / site).mkdir()
        image.new("L", (40, 30)).save(tmp_path / site / "t.png")
    images = [tmp_path / site / "t.png" for site in ("north", "south")]
    trees = [shapely.box(1, -3, 5, -1)]
    for name in ("coco", "deepforest", "voc", "yolo"):
        with raises("export.repeated_image_name", name="t.png"):
            rc.export_crowns(trees, tmp_path / "out", image=images, format=name)


def test_fields_of_a_layer_come_back_from_an_export_as_deepforest(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    image.new("L", (40, 30)).save(tmp_path / "t.png")
    trees = geopandas.GeoDataFrame(
        {"species": ["oak", None], "dbh": [31, 28], "code": ["007", "8"], "xmin": [1.5, None]},
        geometry=[shapely.box(1, -3, 5, -1), shapely.box(6, -3, 9, -1)],
    )
    for key in ("deepforest", "coco"):
        rc.export_crowns(trees, tmp_path / key, image=tmp_path / "t.png", format=key)
    crowns = rc.read_annotations(tmp_path / "deepforest", images=tmp_path).crowns
    assert crowns["label"].tolist() == ["oak", "Tree"]
    assert crowns["dbh"].tolist() == [31, 28]
    assert crowns["code"].tolist() == ["007", "8"]
    assert crowns["species"].fillna("").tolist() == ["oak", ""]
    assert crowns["xmin_2"].fillna(0).tolist() == [1.5, 0]
    assert "dbh" not in rc.read_annotations(tmp_path / "coco", images=tmp_path).crowns


def write_turned_photo(path: Path) -> None:
    """Write a photo of 80 x 60 stored pixels that is 60 x 80 upright (turn it to the right)."""
    image = pytest.importorskip("PIL.Image")
    exif = image.Exif()
    exif[274] = 6
    image.new("RGB", (80, 60)).save(path, exif=exif)


def write_boxes_on(path: Path, boxes: Sequence[Sequence[int]], **more: Any) -> Path:
    """Write a COCO ground truth that gives photo.jpg its stored size, and return its path."""
    truth = {
        "images": [{"id": 1, "file_name": "photo.jpg", "width": 80, "height": 60}],
        "annotations": [
            {"id": number, "image_id": 1, "category_id": 1, "bbox": list(box)}
            for number, box in enumerate(boxes, 1)
        ],
        "categories": [{"id": 1, "name": "oak"}],
        **more,
    }
    path.write_text(json.dumps(truth), encoding="utf-8")
    return path


def test_boxes_in_upright_pixels_beside_the_stored_size(tmp_path: Path) -> None:
    # The second box is below the 60 rows that are stored, but on the 80 rows of the upright photo.
    # Upright x, y are the stored pixels y, 60 - x: 50 to 75 and 60 - 30 to 60 - 10.
    write_turned_photo(tmp_path / "photo.jpg")
    path = write_boxes_on(tmp_path / "truth.json", [[0, 0, 10, 20], [10, 50, 20, 25]])
    result = rc.read_annotations(path)
    crowns = result.tables["crowns"]
    assert crowns.geometry.iloc[0].bounds == (0, -60, 20, -50)
    assert crowns.geometry.iloc[1].bounds == (50, -50, 75, -30)
    find_message(result.messages, "exchange.turned_image", images=["photo.jpg"])
    assert "exchange.size_of_image" not in [message.key for message in result.messages]


def test_label_studio_counts_upright_pixels_whatever_size_it_writes(tmp_path: Path) -> None:
    write_turned_photo(tmp_path / "photo.jpg")
    about = {"contributor": "Label Studio"}
    path = write_boxes_on(tmp_path / "result.json", [[0, 0, 10, 20]], info=about)
    crowns = rc.read_annotations(path).tables["crowns"]
    assert crowns.geometry.iloc[0].bounds == (0, -60, 20, -50)


def test_boxes_taken_for_stored_pixels_are_reported(tmp_path: Path) -> None:
    write_turned_photo(tmp_path / "photo.jpg")
    # The first box fits into the photo both ways; the second one only into the stored pixels.
    for boxes in ([[0, 0, 10, 20]], [[0, 0, 10, 20], [65, 0, 10, 20]]):
        result = rc.read_annotations(write_boxes_on(tmp_path / "truth.json", boxes))
        assert result.tables["crowns"].geometry.iloc[0].bounds == (0, -20, 10, 0)
        find_message(result.messages, "exchange.stored_pixels", images=["photo.jpg"])


def test_files_of_one_image_are_reported(tmp_path: Path) -> None:
    image = {"id": 1, "file_name": "a.png"}
    other = {"id": 2, "file_name": "b.png"}
    for name, images in (("anna", [image]), ("ben", [image]), ("cleo", [other])):
        write_truth(tmp_path / f"{name}.json", images)
    result = rc.read_annotations(tmp_path)
    files = ["anna.json", "ben.json"]
    find_message(result.messages, "exchange.several_files", count=1, image="a.png", files=files)


def test_an_outline_that_pandas_wrote_as_nan_is_missing(tmp_path: Path) -> None:
    lines = [
        "image_path,xmin,ymin,xmax,ymax,geometry",
        "a.png,0,0,4,2,nan",
        'a.png,5,0,9,2,"POLYGON ((5 0, 7 0, 7 2, 5 0))"',
        "a.png,10,0,14,2,",
    ]
    (tmp_path / "a.csv").write_text("\n".join(lines))
    result = rc.read_annotations(tmp_path / "a.csv")
    assert result.tables["crowns"].area.tolist() == [8, 2, 8]
