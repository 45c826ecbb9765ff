"""Large work in a QGIS process of its own, whose memory is measured."""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import shapely
from osgeo import ogr, osr
from support.own_process import Begun
from support.processing import run_algorithm

__all__ = ["Used", "run_large"]

_PIXEL = 0.1
#: The file in which the process says what it used.
_USED = "used"
_EAST, _NORTH = 500000.0, 3000000.0


class Used(NamedTuple):
    """Largest memory that the process held, GB; seconds gone by, and of processor time."""

    memory: float
    wall: float
    processor: float


def run_large(name: str, size: int, folder: Path) -> Used:
    """Do it, and wait for its end: score so many ``boxes`` against as many, or count the
    ``votes`` of five people on so
    many pixels a side."""
    began = time.monotonic()
    process = Begun(_work, name, size, folder)
    (said,) = process.communicate()
    assert process.returncode == 0, f"{name} ended with {process.returncode}: {said}"
    memory, processor = (folder / _USED).read_text(encoding="ascii").split()
    return Used(float(memory), time.monotonic() - began, float(processor))


def _largest() -> float:
    """Memory that this process held at most, GB; what the system says of it after its end
    counts its parent's too.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (held,) = [
            line.split()[1]
            for line in status.read_text(encoding="ascii").splitlines()
            if "VmHWM" in line
        ]
        return float(held) / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        1e9 if sys.platform == "darwin" else 1e6
    )


def _crowns(number: int, seed: int, spacing: float = 6.5) -> Any:
    rng = np.random.default_rng(seed)
    side = int(np.ceil(np.sqrt(number)))
    centre = spacing * (np.stack(np.divmod(np.arange(number), side), axis=1) + 0.5) + rng.normal(
        0, 0.5, (number, 2)
    )
    half = spacing * rng.uniform(0.35, 0.52, (number, 2))
    low, high = centre - half + [_EAST, _NORTH], centre + half + [_EAST, _NORTH]
    return shapely.box(*low.T, *high.T)


def _layer(file: Path, name: str, crowns: Any) -> str:
    """Keep boxes as a table of a GeoPackage; a piece at a time, as memory is what is measured."""
    system = osr.SpatialReference()
    system.ImportFromEPSG(32617)
    driver = ogr.GetDriverByName("GPKG")
    database = driver.Open(str(file), 1) if file.exists() else driver.CreateDataSource(str(file))
    layer = database.CreateLayer(name, system, ogr.wkbPolygon)
    layer.StartTransaction()
    for crown in crowns:
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetGeometryDirectly(ogr.CreateGeometryFromWkb(shapely.to_wkb(crown)))
        layer.CreateFeature(feature)
    layer.CommitTransaction()
    del layer, database
    return f"{file}|layername={name}"


def _work(name: str, size: int, folder: Path) -> bool:
    file, out = folder / "in.gpkg", folder / "out.gpkg"
    place = "ogr:dbname='{}' table=\"{}\"{}".format
    if name == "boxes":
        one, other = (_layer(file, f"p{seed}", _crowns(size, seed)) for seed in (1, 2))
        outputs = {
            key: place(out, key.lower(), " (geom)")
            for key in ("SCORED_TARGETS", "SCORED_DELINEATIONS", "PAIRS")
        }
        given: dict[str, Any] = {
            "TARGETS": one,
            "DELINEATIONS": [other],
            **outputs,
            "SUMMARY": place(out, "summary", ""),
        }
        done = run_algorithm("scorecrowns", given, outputs=())
    else:
        across = size * _PIXEL
        number, spacing = int(across // 6.5) ** 2, across / int(across // 6.5)
        people = [_layer(file, f"p{seed}", _crowns(number, seed, spacing)) for seed in range(5)]
        extent = f"{_EAST},{_EAST + across},{_NORTH},{_NORTH + across} [EPSG:32617]"
        given = {
            "ANNOTATORS": people,
            "RESOLUTION": _PIXEL,
            "EXTENT": extent,
            "SUMMARY": place(out, "summary", ""),
        }
        given["AGREEMENT_RASTER"] = str(folder / "agreement.tif")
        done = run_algorithm("compareannotators", given, outputs=())
    print(done.refused, done.error, done.results.get("INPUT_PROBLEMS"))
    used = os.times()
    (folder / _USED).write_text(f"{_largest()} {used.user + used.system}", encoding="ascii")
    return done.ok
