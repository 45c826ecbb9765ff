"""Every format of annotation files: recognised, read, and refused if a file is damaged."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import NamedTuple

import pytest
import shapely
from support.errors import raises

from randcrowns.core.errors import InputError
from randcrowns.core.exchange import Annotations
from randcrowns.core.exchange.files import find_annotation_files
from randcrowns.core.exchange.formats import (
    ANNOTATION_FORMATS,
    FileFormat,
    detect_format,
    extensions_of,
    is_layer_file,
)

#: Box of the only crown of all samples, in pixels of an image of 20 by 10.
BOX = (2, 3, 6, 5)


class Sample(NamedTuple):
    """A file of a format with the crown :data:`BOX`."""

    name: str  #: name of the file.
    text: str  #: content of the file.
    bounds: tuple[float, ...] = BOX  #: bounds of the crown as the file states them.


_COCO = {
    "images": [{"id": 1, "file_name": "a.png", "width": 20, "height": 10}],
    "categories": [{"id": 1, "name": "Tree"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [2, 3, 4, 2]}],
}
_LABELME = {
    "imagePath": "a.png",
    "shapes": [{"label": "Tree", "points": [[2, 3], [6, 5]], "shape_type": "rectangle"}],
}
_VIA_REGION = {
    "shape_attributes": {"name": "rect", "x": 2, "y": 3, "width": 4, "height": 2},
    "region_attributes": {"label": "Tree"},
}
_VIA = {"a.png123": {"filename": "a.png", "size": 123, "regions": [_VIA_REGION]}}
#: A region of Label Studio, whose lengths are percent of the image.
_STUDIO_REGION = {
    "original_width": 20,
    "original_height": 10,
    "value": {"x": 10, "y": 30, "width": 20, "height": 20, "rectanglelabels": ["Tree"]},
}
_STUDIO = [{"data": {"image": "a.png"}, "annotations": [{"result": [_STUDIO_REGION]}]}]
#: A sample of each format that the readers of this package read.
SAMPLES = {
    FileFormat.DEEPFOREST: Sample(
        "a.csv", "image_path,xmin,ymin,xmax,ymax,label\na.png,2,3,6,5,Tree\n"
    ),
    FileFormat.VOC: Sample(
        "a.xml",
        "<annotation><filename>a.png</filename><object><name>Tree</name><bndbox><xmin>2</xmin>"
        "<ymin>3</ymin><xmax>6</xmax><ymax>5</ymax></bndbox></object></annotation>",
    ),
    FileFormat.COCO: Sample("a.json", json.dumps(_COCO)),
    # Centre, width and height, as shares of the image.
    FileFormat.YOLO: Sample("a.txt", "0 0.2 0.4 0.2 0.2\n", (0.1, 0.3, 0.3, 0.5)),
    FileFormat.LABELME: Sample("labelme.json", json.dumps(_LABELME)),
    FileFormat.CVAT: Sample(
        "cvat.xml",
        '<annotations><image name="a.png" width="20" height="10">'
        '<box label="Tree" xtl="2" ytl="3" xbr="6" ybr="5"/></image></annotations>',
    ),
    FileFormat.VIA: Sample("via.json", json.dumps(_VIA)),
    FileFormat.LABEL_STUDIO: Sample("tasks.json", json.dumps(_STUDIO)),
}

each_format = pytest.mark.parametrize("kind", ANNOTATION_FORMATS, ids=lambda kind: kind.value)


def read(kind: FileFormat, path: Path) -> Annotations:
    """Read a file with the reader of a format."""
    reader = kind.definition.read
    assert reader is not None
    return reader(path)


def saved_sample(kind: FileFormat, folder: Path) -> Path:
    """Write the sample of a format into a folder and return its path."""
    path = folder / SAMPLES[kind].name
    path.write_text(SAMPLES[kind].text, encoding="utf-8")
    return path


@each_format
def test_a_file_is_recognised_and_read(kind: FileFormat, tmp_path: Path) -> None:
    path = saved_sample(kind, tmp_path)
    assert path.suffix in kind.definition.extensions
    assert detect_format(path) is kind
    annotations = read(kind, path)
    assert shapely.bounds(annotations.shapes).tolist() == [pytest.approx(SAMPLES[kind].bounds)]


def test_a_folder_is_searched_for_files_of_all_formats(tmp_path: Path) -> None:
    for kind in SAMPLES:
        saved_sample(kind, tmp_path)
    (tmp_path / "image.png").write_bytes(b"")
    found = find_annotation_files(str(tmp_path), None)
    assert {file.path.name: file.format for file in found} == {
        sample.name: kind for kind, sample in SAMPLES.items()
    }


@each_format
def test_a_file_without_its_end_is_read_or_refused_with_its_name(
    kind: FileFormat, tmp_path: Path
) -> None:
    path = saved_sample(kind, tmp_path)
    content = path.read_bytes()
    n_crowns: list[int] = []
    refusals: list[str] = []
    for length in range(len(content)):
        path.write_bytes(content[:length])
        try:
            n_crowns.append(len(read(kind, path)))
        except InputError as error:
            refusals.append(str(error))
    assert refusals
    assert all(path.name in refusal for refusal in refusals)
    assert set(n_crowns) <= {0, 1}


@each_format
def test_bytes_that_are_no_text_are_refused_with_the_name_of_the_file(
    kind: FileFormat, tmp_path: Path
) -> None:
    path = tmp_path / SAMPLES[kind].name
    path.write_bytes(b"\x80\xfe\x00" + SAMPLES[kind].text.encode())
    with pytest.raises(InputError, match=path.name):
        read(kind, path)


@each_format
def test_a_missing_file_is_refused(kind: FileFormat, tmp_path: Path) -> None:
    with raises("file.unreadable"):
        read(kind, tmp_path / SAMPLES[kind].name)


@each_format
def test_a_named_file_that_is_empty_is_refused(kind: FileFormat, tmp_path: Path) -> None:
    path = tmp_path / SAMPLES[kind].name
    path.write_bytes(b"")
    with raises("import.empty_file", file=path.name):
        find_annotation_files(str(path), None)


def test_an_unknown_file_is_refused_with_all_formats(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    with raises("import.not_recognised", file="a.json") as caught:
        find_annotation_files(str(path), None)
    sentence = str(caught.value)
    for kind in (*ANNOTATION_FORMATS, FileFormat.LAYER):
        extensions = ", ".join(kind.definition.extensions)
        assert f"{kind.definition.name} ({extensions})" in sentence


@pytest.mark.parametrize("extension", [*extensions_of(ANNOTATION_FORMATS), ".tif", ".png"])
def test_a_damaged_annotation_file_is_no_layer(extension: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{extension}"
    path.write_bytes(gzip.compress(b"damaged") if extension.endswith(".gz") else b"damaged")
    # GDAL reads a table with outlines as text.
    assert is_layer_file(path) is (extension == ".csv")


@pytest.mark.parametrize("name", ["a.gpkg", "a.parquet", "a.geoparquet", "a.kml", "a"])
def test_a_file_of_gdal_is_a_layer(name: str) -> None:
    assert is_layer_file(Path(name))


def test_geojson_is_a_layer_with_any_of_its_extensions(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"type": "FeatureCollection", "features": []}')
    assert is_layer_file(path)
    assert is_layer_file(Path("a.geojson"))
