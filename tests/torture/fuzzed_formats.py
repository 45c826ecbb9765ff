"""Formats of files that are fuzzed: their seeds, and the readers that RandCrowns uses for them."""

from __future__ import annotations

import base64
import io
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

import numpy as np
from osgeo import gdal
from PIL import Image
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext, QgsRasterLayer
from support.clouds import WKT, labelled_cloud, write_cloud
from support.layers import crowns_at, layer_of, save

from randcrowns.core.exchange.exif import read_orientation
from randcrowns.core.exchange.files import find_annotation_files
from randcrowns.core.exchange.formats import FileFormat
from randcrowns.core.exchange.yaml_entries import read_count, read_items
from randcrowns.core.progress import no_progress
from randcrowns.core.review.verdicts import VERDICT_COLUMNS, Side, Verdict
from randcrowns.jobs.images import read_image
from randcrowns.layers.cloud.points import read_cloud
from randcrowns.layers.files.annotations import place_annotation_files, read_annotation_files
from randcrowns.layers.files.verdict_file import VERDICT_TABLE, VerdictFile
from randcrowns.layers.local_files import offline_gdal, open_image
from randcrowns.layers.raster.grid import RasterSnapshot
from randcrowns.layers.raster.images import ImageFinder
from randcrowns.layers.raster.masks import ReferenceMask

__all__ = ["FuzzedFormat", "fuzzed_formats"]

_DATA = Path(__file__).parents[1] / "data"
_SIZE = {"original_width": 200, "original_height": 100}
_PLACES = [(10 * number, 0) for number in range(4)]


@dataclass(frozen=True)
class FuzzedFormat:
    """A format, and files of it that are mutated.

    Attributes:
        name: name of the format.
        read: function that reads a file; it raises RandCrownsError if it cannot.
        seeds: content of the files that are mutated, by file name.
        others: content of unchanged files in the same folder, by file name.
        main: name of the file that is read; "" for the mutated file.
    """

    name: str
    read: Callable[[Path], Any]
    seeds: Mapping[str, bytes]
    others: Mapping[str, bytes] = field(default_factory=dict)
    main: str = ""


def fuzzed_formats(folder: Path) -> list[FuzzedFormat]:
    """Return all formats; ``folder`` receives the files that libraries write."""
    return [
        *_text_formats(),
        *_image_formats(folder),
        *_layer_formats(folder),
        *_cloud_formats(folder),
        *_verdict_formats(folder),
    ]


def _importer(kind: FileFormat | None) -> Callable[[Path], Any]:
    """Return a function that imports a file of a format and places its annotations on the map."""

    def read(path: Path) -> Any:
        files = find_annotation_files(str(path), kind)
        contents = read_annotation_files(files, 0, 0.0, no_progress)
        return place_annotation_files(
            contents,
            ImageFinder(None),
            QgsCoordinateReferenceSystem("EPSG:32617"),
            QgsCoordinateTransformContext(),
            no_progress,
        )

    return read


def _text_formats() -> list[FuzzedFormat]:
    """Return the annotation formats of texts."""
    texts: dict[str, tuple[FileFormat | None, dict[str, str]]] = {
        "DeepForest": (FileFormat.DEEPFOREST, _deepforest_files()),
        "COCO": (FileFormat.COCO, {"coco.json": json.dumps(_coco())}),
        "Pascal VOC": (FileFormat.VOC, {"voc.xml": _voc()}),
        "CVAT": (FileFormat.CVAT, {"cvat.xml": _CVAT}),
        "LabelMe": (FileFormat.LABELME, {"labelme.json": json.dumps(_labelme())}),
        "Label Studio": (FileFormat.LABEL_STUDIO, {"tasks.json": json.dumps(_label_studio())}),
        "VIA": (FileFormat.VIA, _via_files()),
        "recognised": (None, {"a.txt": _YOLO, "a.json": json.dumps(_coco()), "a.xml": _voc()}),
    }
    formats = [
        FuzzedFormat(name, _importer(kind), {key: text.encode() for key, text in files.items()})
        for name, (kind, files) in texts.items()
    ]
    results = json.dumps(_coco_results()).encode()
    truth = {"truth.json": json.dumps(_coco()).encode()}
    formats.append(
        FuzzedFormat("COCO results", _importer(FileFormat.COCO), {"results.json": results}, truth)
    )
    yolo = {"a.txt": _YOLO.encode(), "data.yaml": _YAML, "classes.txt": b"Oak\nAsh\n"}
    formats.append(FuzzedFormat("YOLO", _importer(FileFormat.YOLO), yolo, yolo, "a.txt"))
    formats.append(FuzzedFormat("YAML", _read_yaml, {"data.yaml": _YAML}))
    return formats


def _read_yaml(path: Path) -> Any:
    """Read names and number of the classes of a YAML file."""
    text = path.read_bytes().decode("utf-8", "replace")
    return read_items(text, "names"), read_count(text, "nc")


def _deepforest_files() -> dict[str, str]:
    """Return DeepForest's files of boxes and of polygons."""
    boxes = [f"a.tif,{number},2,{number + 5},8,Tree,0.{number}" for number in range(1, 5)]
    polygon = '"POLYGON ((0 0, 4 0, 4 4, 0 0))"'
    corners = '"[[0, 0], [2, 0], [2, 2]]"'
    return {
        "boxes.csv": "\n".join(["image_path,xmin,ymin,xmax,ymax,label,score", *boxes]),
        "polygons.csv": f"image_path,polygon,label\na.png,{polygon},Oak\na.png,{corners},Oak\n",
    }


def _coco() -> dict[str, Any]:
    """Return a COCO ground truth with polygons, boxes and masks."""
    segmentations: list[Any] = [
        [[1, 2, 6, 2, 1, 8]],
        {"size": [30, 40], "counts": [31, 5, 25, 5, 1134]},
        {"size": [30, 40], "counts": "o0576Td00"},
        [],
    ]
    annotations = [
        {
            "id": number,
            "image_id": 1,
            "category_id": 1,
            "bbox": [number, 2, 5, 6],
            "area": 30,
            "iscrowd": number % 2,
            "segmentation": segmentation,
        }
        for number, segmentation in enumerate(segmentations, 1)
    ]
    return {
        "images": [{"id": 1, "file_name": "a.tif", "width": 40, "height": 30}],
        "categories": [{"id": 1, "name": "Tree"}],
        "annotations": annotations,
    }


def _coco_results() -> list[dict[str, Any]]:
    """Return COCO results with boxes and masks."""
    return [{**annotation, "score": 0.5, "id": None} for annotation in _coco()["annotations"]]


def _voc() -> str:
    """Return a file of Pascal VOC."""
    objects = "".join(
        f"<object><name>Tree</name><bndbox><xmin>{number}</xmin><ymin>2</ymin>"
        f"<xmax>{number + 5}</xmax><ymax>8</ymax></bndbox></object>"
        for number in range(1, 4)
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?><annotation><filename>a.tif</filename><size>'
        f"<width>40</width><height>30</height></size>{objects}</annotation>"
    )


_CVAT = """<?xml version="1.0" encoding="utf-8"?><annotations><version>1.1</version>
<image id="0" name="site/a.png" width="40" height="30">
<polygon label="Oak" points="0.0,0.0;4.0,0.0;4.0,4.0" occluded="0" z_order="0">
<attribute name="vigour">good</attribute></polygon>
<box label="Ash" xtl="10" ytl="10" xbr="14" ybr="12" rotation="90.0"/>
<ellipse label="Ash" cx="5" cy="5" rx="4" ry="2"/>
<mask label="Ash" rle="1, 2, 3" left="20" top="10" width="3" height="2"/>
<points label="Stem" points="7.5,8.5"/><polyline label="Path" points="0,0;1,1"/>
<box label="Fir" xtl="0" ytl="20" xbr="2" ybr="22" group_id="3"/>
</image><image id="1" name="b.png" width="40" height="30"/></annotations>"""
_YOLO = "0 0.5 0.5 0.2 0.4 0.91 1\n1 0.1 0.1 0.3 0.1 0.3 0.3 0.9 4\n0 0.2 0.2 0.2 0.2\n"
_YAML = b"nc: 2 # two\nnames:\n  0: Oak\n  1: 'Dead \"tree\"'\nkpt_shape: [1, 3]\n" + (
    b"names: [Oak, \"Ash\", 'Fir'] # three\n"
)


def _png() -> str:
    """Return a PNG of a mask in base64."""
    content = io.BytesIO()
    Image.fromarray(np.eye(6, dtype=np.uint8) * 255).save(content, "PNG")
    return base64.b64encode(content.getvalue()).decode()


def _labelme() -> dict[str, Any]:
    """Return a LabelMe file with shapes of every kind."""
    points = {
        "rectangle": [[1, 2], [6, 8]],
        "polygon": [[0, 0], [4, 0], [4, 4]],
        "circle": [[5, 5], [8, 5]],
        "point": [[3, 3]],
        "mask": [[10, 10], [15, 15]],
    }
    shapes = [
        {"label": "Tree", "points": corners, "shape_type": kind, "flags": {}, "group_id": 1}
        for kind, corners in points.items()
    ]
    shapes[-1]["mask"] = _png()
    return {"imagePath": "a.tif", "imageWidth": 40, "imageHeight": 30, "shapes": shapes}


def _label_studio() -> list[dict[str, Any]]:
    """Return an export of Label Studio with shapes of every kind."""
    values: list[tuple[str, dict[str, Any]]] = [
        ("rectanglelabels", {"x": 10, "y": 20, "width": 20, "height": 10, "rotation": 90}),
        ("polygonlabels", {"points": [[0, 0], [10, 0], [10, 10]]}),
        ("ellipselabels", {"x": 50, "y": 50, "radiusX": 5, "radiusY": 20, "rotation": 0}),
        ("keypointlabels", {"x": 50, "y": 50, "width": 0.5}),
        ("brushlabels", {"format": "rle", "rle": [0, 1, 7, 9, 200, 3, 4]}),
    ]
    result = [{**_SIZE, "type": kind, "value": {**value, kind: ["Oak"]}} for kind, value in values]
    address = "/data/upload/3/1f2e3d4c-plot_1.png"
    return [{"id": 1, "data": {"image": address}, "annotations": [{"result": result}]}]


def _via_files() -> dict[str, str]:
    """Return VIA's files as JSON and as CSV."""
    shapes: list[dict[str, Any]] = [
        {"name": "rect", "x": 1, "y": 2, "width": 4, "height": 2},
        {"name": "polygon", "all_points_x": [0, 4, 4], "all_points_y": [0, 0, 4]},
        {"name": "circle", "cx": 5, "cy": 5, "r": 2},
        {"name": "ellipse", "cx": 5, "cy": 5, "rx": 2, "ry": 1, "theta": 0.5},
        {"name": "point", "cx": 5, "cy": 5},
    ]
    regions = [{"shape_attributes": shape, "region_attributes": {"a": "b"}} for shape in shapes]
    image = {"filename": "a.png", "size": 99, "regions": regions}
    quoted = [json.dumps(shape).replace('"', '""') for shape in shapes]
    rows = [f'a.png,99,"{{}}",5,{number},"{text}","{{}}"' for number, text in enumerate(quoted)]
    heading = "filename,file_size,file_attributes,region_count,region_id,"
    heading += "region_shape_attributes,region_attributes"
    return {
        "via.json": json.dumps({"_via_settings": {}, "_via_img_metadata": {"a.png99": image}}),
        "via.csv": "\n".join([heading, *rows]),
    }


def _image_formats(folder: Path) -> list[FuzzedFormat]:
    """Return images: as label rasters, as masks of a layer, with world files and with EXIF."""
    values = np.zeros((30, 40), dtype=np.uint8)
    values[3:9, 4:12], values[15:20, 20:30] = 1, 2
    dataset = gdal.GetDriverByName("GTiff").Create(
        str(folder / "labels.tif"), 40, 30, 1, gdal.GDT_Byte, ["COMPRESS=DEFLATE"]
    )
    dataset.SetGeoTransform((500000.0, 1.0, 0.0, 3000030.0, 0.0, -1.0))
    dataset.SetProjection(WKT)
    dataset.GetRasterBand(1).WriteArray(values)
    dataset = None
    seeds = {"labels.tif": (folder / "labels.tif").read_bytes()}
    picture = Image.fromarray(values * 100)
    for name in ("labels.png", "labels.jpg", "labels.webp"):
        content = io.BytesIO()
        exif = Image.Exif()
        exif[274] = 6
        picture.save(content, {"jpg": "JPEG"}.get(name[7:], name[7:].upper()), exif=exif)
        seeds[name] = content.getvalue()
    rasters = {name: seeds[name] for name in ("labels.tif", "labels.png")}
    world = {"labels.pgw": b"1.0\n0.0\n0.0\n-1.0\n500000.5\n3000029.5\n"}
    vrt = (
        '<VRTDataset rasterXSize="40" rasterYSize="30"><VRTRasterBand dataType="Byte" band="1">'
        '<SimpleSource><SourceFilename relativeToVRT="1">labels.tif</SourceFilename>'
        "<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>"
    )
    return [
        FuzzedFormat("label raster", _importer(FileFormat.LABEL_RASTER), rasters),
        FuzzedFormat("mask of a layer", _read_mask, {"labels.tif": seeds["labels.tif"]}),
        FuzzedFormat("virtual raster", _open_image, {"labels.vrt": vrt.encode()}, rasters),
        FuzzedFormat("image", _read_images, seeds),
        FuzzedFormat("world file", _read_images, world, rasters, "labels.png"),
    ]


def _open_image(path: Path) -> Any:
    """Open an image and read its first band."""
    with offline_gdal():
        dataset = open_image(path)
        return dataset and dataset.GetRasterBand(1).ReadAsArray(0, 0, 1, 1)


def _read_images(path: Path) -> Any:
    """Read size, georeference and orientation of an image, with and without GDAL."""
    return read_image(path), read_orientation(path), _open_image(path)


def _read_mask(path: Path) -> Any:
    """Read the marked pixels of a raster layer."""
    layer = QgsRasterLayer(str(path), "mask")
    return ReferenceMask(RasterSnapshot.from_layer(layer)).facts


def _layer_formats(folder: Path) -> list[FuzzedFormat]:
    """Return formats of vector layers that are imported."""
    crowns = layer_of("crowns", crowns_at(_PLACES), kind="Polygon")
    for name, driver in (
        ("crowns.gpkg", "GPKG"),
        ("crowns.geojson", "GeoJSON"),
        ("crowns.fgb", "FlatGeobuf"),
        ("crowns.shp", "ESRI Shapefile"),
    ):
        save(crowns, folder / name, driver)
    content = {path.name: path.read_bytes() for path in folder.glob("crowns.*")}
    read = _importer(FileFormat.LAYER)
    parts = {f"crowns.{end}": content[f"crowns.{end}"] for end in ("shp", "dbf", "shx", "prj")}
    single = {
        "GeoPackage": "crowns.gpkg",
        "GeoJSON": "crowns.geojson",
        "FlatGeobuf": "crowns.fgb",
    }
    return [
        *(FuzzedFormat(name, read, {file: content[file]}) for name, file in single.items()),
        FuzzedFormat("Shapefile", read, parts, parts, "crowns.shp"),
    ]


def _cloud_formats(folder: Path) -> list[FuzzedFormat]:
    """Return formats of point clouds."""
    xyz, target, prediction = labelled_cloud()
    columns = {"tree": target, "found": prediction}
    las = {
        name: write_cloud(folder / name, xyz, columns).read_bytes()
        for name in ("cloud.las", "cloud.laz")
    }
    copc = {"cloud.copc.laz": (_DATA / "labelled.copc.laz").read_bytes()}
    values = np.column_stack([xyz, target, prediction])[::8]
    rows = "\n".join(" ".join(f"{value:g}" for value in row) for row in values)
    header = "".join(f"property float {name}\n" for name in ("x", "y", "z", "tree", "found"))
    ply = f"ply\nformat ascii 1.0\nelement vertex {len(values)}\n{header}end_header\n{rows}\n"
    numpy_files = {}
    for name in ("cloud.npy", "cloud.npz"):
        content = io.BytesIO()
        dtype = np.dtype([(column, float) for column in ("x", "y", "z", "tree", "found")])
        table = np.array([tuple(row) for row in values], dtype=dtype)
        if name.endswith("npy"):
            np.save(content, table)
        else:
            np.savez(content, points=values[:, :3], tree=values[:, 3], found=values[:, 4])
        numpy_files[name] = content.getvalue()
    texts = {
        "cloud.txt": f"x y z tree found\n{rows}\n".encode(),
        "cloud.csv": f"x,y,z,tree,found\n{rows}\n".replace(" ", ",").encode(),
    }
    return [
        FuzzedFormat("LAS", _read_cloud, {"cloud.las": las["cloud.las"]}),
        FuzzedFormat("LAZ", _read_cloud, {"cloud.laz": las["cloud.laz"]}),
        FuzzedFormat("COPC", _read_cloud, copc),
        FuzzedFormat("PLY", _read_cloud, {"cloud.ply": ply.encode()}),
        FuzzedFormat("numpy", _read_cloud, numpy_files),
        FuzzedFormat("points as text", _read_cloud, texts),
    ]


def _read_cloud(path: Path) -> Any:
    """Read a point cloud with its labels."""
    system = QgsCoordinateReferenceSystem("EPSG:32617")
    return read_cloud(path, "tree", "found", QgsCoordinateTransformContext(), crs=system)


def _verdict_formats(folder: Path) -> list[FuzzedFormat]:
    """Return the files of verdicts."""
    verdict: dict[str, Any] = dict.fromkeys(VERDICT_COLUMNS, "a")
    verdict.update(feature_id=3, score=0.5, side=Side.TARGET.value, match=None)
    verdict.update(verdict=next(iter(Verdict)).value)
    verdict.update(time="2026-01-02T03:04:05Z", right_class="")
    saved = {"format": "randcrowns verdicts", "version": 1, "verdicts": [verdict]}
    path = folder / "verdicts.gpkg"
    VerdictFile(path).add(verdict)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute(f'SELECT count(*) FROM "{VERDICT_TABLE}"').fetchone() == (1,)
    return [
        FuzzedFormat("verdicts of a page", _read_verdicts, {"a.json": json.dumps(saved).encode()}),
        FuzzedFormat(
            "verdicts", lambda file: VerdictFile(file).read(), {"verdicts.gpkg": path.read_bytes()}
        ),
    ]


def _read_verdicts(path: Path) -> Any:
    """Read the verdicts that a page to explore has saved."""
    return VerdictFile(path.with_name("new.gpkg")).merge(path)
