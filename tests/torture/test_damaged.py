"""Damaged files are read, or refused with a message, soon."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from osgeo import gdal
from qgis.core import QgsCoordinateTransformContext
from support.clouds import labelled_cloud, write_cloud
from support.layers import crowns_at, layer_of, save
from support.processing import run_algorithm
from torture.mutations import damage_bytes

from randcrowns.core.errors import InputError
from randcrowns.layers.cloud.points import read_cloud

pytestmark = pytest.mark.usefixtures("run")

_DATA = Path(__file__).parents[1] / "data"
#: What no sentence of ours stands for.
_UNFORESEEN = "Unexpected error"
_PLACES = [(10 * number, 0) for number in range(8)]
_COCO = {
    "images": [{"id": 1, "file_name": "a.tif", "width": 40, "height": 30}],
    "categories": [{"id": 1, "name": "Tree"}],
    "annotations": [
        {
            "id": n,
            "image_id": 1,
            "category_id": 1,
            "bbox": [n, 2, 5, 6],
            "segmentation": [[n, 2, n + 5, 2, n, 8]],
        }
        for n in range(1, 9)
    ],
}
_LABELME = {
    "imagePath": "a.tif",
    "imageWidth": 40,
    "imageHeight": 30,
    "shapes": [
        {"label": "Tree", "points": [[n, 2], [n + 5, 8]], "shape_type": "rectangle"}
        for n in range(8)
    ],
}
_VOC = "<annotation><filename>a.tif</filename><size><width>40</width><height>30</height></size>{}</annotation>"
_OBJECT = "<object><name>Tree</name><bndbox><xmin>{0}</xmin><ymin>2</ymin><xmax>{1}</xmax><ymax>8</ymax></bndbox></object>"
_TEXTS = {
    "boxes.csv": "image_path,xmin,ymin,xmax,ymax,label\n"
    + "".join(f"a.tif,{n},2,{n + 5},8,Tree\n" for n in range(8)),
    "coco.json": json.dumps(_COCO),
    "labelme.json": json.dumps(_LABELME),
    "voc.xml": _VOC.format("".join(_OBJECT.format(n, n + 5) for n in range(8))),
    "a.txt": "".join(f"0 0.{n}1 0.2 0.1 0.1 0.9\n" for n in range(8)),
}


def test_clouds(promise, folders):
    folder = next(folders)
    folder.mkdir()
    xyz, target, prediction = labelled_cloud()
    columns = {"tree": target, "found": prediction}
    wholes = {
        f"plot.{kind}": write_cloud(folder / f"plot.{kind}", xyz, columns).read_bytes()
        for kind in ("las", "laz")
    }
    wholes["labelled.copc.laz"] = (_DATA / "labelled.copc.laz").read_bytes()

    def attempt(rng):
        name = str(rng.choice(list(wholes)))
        path, began = folder / name, time.process_time()
        path.write_bytes(damage_bytes(rng, wholes[name]))
        with suppress(InputError):
            read_cloud(path, "tree", "found", QgsCoordinateTransformContext())
        took = time.process_time() - began
        assert took < 5
        return took

    promise.keep(
        "a damaged point cloud is read, or refused with a message, within 5 s",
        attempt,
        few=60,
        many=4000,
        seconds=90,
        worst="{:.2f} s of processor time",
        conditions="LAS, LAZ and COPC with bytes changed, lost, put in or cut off",
    )


def test_files(promise, folders):
    folder = next(folders)
    folder.mkdir()
    crowns = layer_of("crowns", crowns_at(_PLACES), kind="Polygon")
    for name, driver in (
        ("crowns.gpkg", "GPKG"),
        ("crowns.geojson", "GeoJSON"),
        ("crowns.shp", "ESRI Shapefile"),
    ):
        save(crowns, folder / name, driver)
    raster = gdal.GetDriverByName("GTiff").Create(
        str(folder / "marks.tif"), 40, 30, 1, gdal.GDT_Byte
    )
    raster.SetGeoTransform((500000.0, 1.0, 0.0, 3000030.0, 0.0, -1.0))
    raster.GetRasterBand(1).WriteArray(np.eye(30, 40, dtype=np.uint8))
    del raster
    for name, text in _TEXTS.items():
        (folder / name).write_text(text)
    wholes = {path.name: path.read_bytes() for path in folder.iterdir()}
    kinds = [name for name in wholes if name.startswith(("crowns.", "marks.")) or name in _TEXTS]

    def attempt(rng):
        place, name = next(folders), str(rng.choice(kinds))
        place.mkdir()
        stem = name.partition(".")[0]
        for other in wholes:
            if other.partition(".")[0] == stem:
                (place / other).write_bytes(wholes[other])
        (place / name).write_bytes(damage_bytes(rng, wholes[name]))
        main = place / ("crowns.shp" if name.endswith((".dbf", ".shx", ".prj", ".cpg")) else name)
        began = time.process_time()
        if name in _TEXTS:
            done = run_algorithm("importcrowns", {"INPUT": str(main)}, outputs=("CROWNS",))
        elif name == "marks.tif":
            done = run_algorithm(
                "compareannotators", {"ANNOTATORS": [str(main), str(main)]}, outputs=("SUMMARY",)
            )
        else:
            done = run_algorithm("scorecrowns", {"TARGETS": str(main), "DELINEATIONS": [crowns]})
        took = time.process_time() - began
        said = done.refused or done.error
        assert done.ok or said, name
        assert _UNFORESEEN not in said, (name, said)
        assert took < 20
        return took

    promise.keep(
        "a damaged layer, raster or file of annotations is read, or refused with a message, within 20 s",
        attempt,
        few=15,
        many=1500,
        seconds=120,
        worst="{:.2f} s of processor time",
        conditions="GeoPackage, GeoJSON, Shapefile, GeoTIFF, DeepForest, COCO, VOC, YOLO, LabelMe; damaged as above",
    )
