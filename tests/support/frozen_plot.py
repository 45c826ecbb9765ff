"""The small layers that the saved projects show: crowns, drawings, detectors, areas, images and
point clouds.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from osgeo import gdal
from qgis.core import QgsMapLayer, QgsRasterLayer, QgsVectorLayer
from support.clouds import labelled_cloud, write_cloud
from support.layers import EAST, NORTH, crowns_at, layer_of, save
from support.rasters import write_raster

__all__ = ["open_plot", "write_plot_files"]

_PLACES = [(14 * column, 14 * row) for row in range(3) for column in range(4)]
_PACKAGE = "plot.gpkg"
_IMAGES = ("image", "probability")
_BLOCK = "POLYGON(({0} {1}, {2} {1}, {2} {3}, {0} {3}, {0} {1}))"


def write_plot_files(folder: Path) -> None:
    """Write the files that the projects read."""
    folder.mkdir(parents=True, exist_ok=True)
    for layer in _polygons():
        save(layer, folder / _PACKAGE, name=layer.name())
    rng = np.random.default_rng(3)
    bands = rng.integers(0, 255, (4, 44, 58))
    write_raster(folder / "image.tif", bands, west=EAST - 8, north=NORTH + 36)
    raster = gdal.Open(str(folder / "image.tif"), gdal.GA_Update)
    for number, colour in enumerate(
        (gdal.GCI_RedBand, gdal.GCI_GreenBand, gdal.GCI_BlueBand), start=1
    ):
        raster.GetRasterBand(number).SetColorInterpretation(colour)
    del raster
    write_raster(
        folder / "probability.tif", rng.uniform(0, 1, (2, 22, 29)), 2.0, EAST - 8, NORTH + 36
    )
    xyz, target, prediction = labelled_cloud()
    write_cloud(folder / "cloud.las", xyz, {"tree": target, "found": prediction})
    write_cloud(folder / "without_crs.las", xyz, {"tree": target, "found": prediction}, wkt="")


def open_plot(folder: Path) -> list[QgsMapLayer]:
    """The layers of those files."""
    vectors = [
        QgsVectorLayer(f"{folder / _PACKAGE}|layername={one.name()}", one.name(), "ogr")
        for one in _polygons()
    ]
    return [*vectors, *(QgsRasterLayer(str(folder / f"{name}.tif"), name) for name in _IMAGES)]


def _polygons() -> list[QgsVectorLayer]:
    number = len(_PLACES)
    plots = ["north" if row == 2 else "south" for row in range(3) for _ in range(4)]
    heights = np.linspace(8.0, 20.0, number).tolist()
    scores = np.linspace(0.95, 0.4, number).tolist()
    rows = list(zip(plots, heights))
    drawn = [
        layer_of(
            f"annotator_{person}",
            crowns_at(_PLACES, seed=person),
            fields="&field=plot:string&field=height:double&field=annotator:string",
            rows=[(*row, f"person {person}") for row in rows],
        )
        for person in (1, 2, 3)
    ]
    everybody = layer_of(
        "everybody",
        [*crowns_at(_PLACES, seed=1), *crowns_at(_PLACES, seed=2)],
        fields="&field=plot:string&field=annotator:string",
        rows=[(plot, person) for person in ("Anna", "Ben") for plot in plots],
    )
    detected = "&field=plot:string&field=score:double&field=confidence:double"
    detectors = [
        layer_of(
            name,
            crowns_at(_PLACES, 3.3, seed=seed),
            fields=detected,
            rows=list(zip(plots, scores, scores[::-1])),
        )
        for name, seed in (("detector", 8), ("detector_2", 9))
    ]
    fields = "&field=plot:string&field=height:double"
    crowns = layer_of("crowns", crowns_at(_PLACES, seed=7), fields=fields, rows=rows)
    area = layer_of("area", [_BLOCK.format(EAST - 6, NORTH - 6, EAST + 48, NORTH + 34)])
    clouds = layer_of("clouds", [_BLOCK.format(EAST + 40, NORTH + 25, EAST + 46, NORTH + 32)])
    return [crowns, *drawn, everybody, *detectors, area, clouds]
