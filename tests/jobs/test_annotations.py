"""Annotation files read without QGIS: how their images are distinguished and checked."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.errors import find_message, raises

import randcrowns as rc

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
