"""Measure all five outputs of 100,000 drawn crowns through QGIS, next to raw OGR and pyogrio.

The peers write the rows of the five files again: OGR feature by feature in Python, and pyogrio from
data frames. They do not read or score anything::

    QT_QPA_PLATFORM=offscreen python benchmarks/bench_outputs.py [crowns]
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import geopandas
import pyogrio
from bench_qgis import OUTPUTS, run, write_geopackage
from osgeo import ogr
from qgis.core import QgsApplication
from scenes import forest_scene
from table import Row, Time, measure_memory, measure_time, report_rows

import randcrowns.core  # noqa: F401 - must be imported before shapely
from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.core import PRESETS, score_crowns

N_CROWNS = 100_000


def rows(n_crowns: int) -> Iterator[Row]:
    """Yield the rows of the run next to the core, and of both peers."""
    scene = forest_scene(side=round(n_crowns**0.5), annotators=1)
    n_targets = len(scene.targets)
    core_time = measure_time(
        lambda: score_crowns(scene.targets, scene.delineations, PRESETS["image_boxes"])
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        inputs = {"TARGETS": folder / "targets.gpkg", "DELINEATIONS": folder / "drawn.gpkg"}
        write_geopackage(scene.targets, inputs["TARGETS"])
        write_geopackage(scene.delineations, inputs["DELINEATIONS"])
        files = {output: str(folder / f"{output}.gpkg") for output in OUTPUTS}
        parameters: dict[str, Any] = {
            "TARGETS": str(inputs["TARGETS"]),
            "DELINEATIONS": [str(inputs["DELINEATIONS"])],
        }
        times: list[Time] = []
        peak = measure_memory(lambda: times.append(measure_time(lambda: run(parameters | files))))
        paths = [Path(path) for path in files.values()]
        size = sum(path.stat().st_size for path in paths)
        yield Row(
            "five outputs through QGIS",
            times[0],
            "our core alone, in memory",
            core_time,
            memory=peak,
            conditions=f"{n_targets:,} drawn targets and delineations, GeoPackages of "
            f"{size / 1e6:.0f} MB; {1000 * peak / n_targets:.1f} kB a target",
        )
        for peer, copy in (("OGR in Python", _copy_with_ogr), ("pyogrio", _copy_with_pyogrio)):
            copies = folder / "copies"
            copies.mkdir()
            peer_time = measure_time(lambda copy=copy, copies=copies: copy(paths, copies))
            shutil.rmtree(copies)
            yield Row(
                "five outputs through QGIS",
                times[0],
                f"{peer}: reading and writing the same files again",
                peer_time,
                conditions=f"{n_targets:,} drawn targets and delineations; ours reads, scores "
                "and writes",
            )


def _copy_with_ogr(paths: list[Path], folder: Path) -> None:
    """Copy vector files into a folder with OGR, feature by feature."""
    driver = ogr.GetDriverByName("GPKG")
    for path in paths:
        source = ogr.Open(str(path))
        target = driver.CreateDataSource(str(folder / path.name))
        for number in range(source.GetLayerCount()):
            layer = source.GetLayer(number)
            copy = target.CreateLayer(
                layer.GetName(), layer.GetSpatialRef(), geom_type=layer.GetGeomType()
            )
            definition = layer.GetLayerDefn()
            for index in range(definition.GetFieldCount()):
                copy.CreateField(definition.GetFieldDefn(index))
            copy.StartTransaction()
            for feature in layer:
                new_feature = ogr.Feature(copy.GetLayerDefn())
                new_feature.SetFrom(feature)
                copy.CreateFeature(new_feature)
            copy.CommitTransaction()
        del target


def _copy_with_pyogrio(paths: list[Path], folder: Path) -> None:
    """Copy vector files into a folder with pyogrio, as data frames."""
    for path in paths:
        for layer, _ in pyogrio.list_layers(path):
            frame = pyogrio.read_dataframe(path, layer=layer)
            if isinstance(frame, geopandas.GeoDataFrame):
                pyogrio.write_dataframe(frame, folder / path.name, layer=layer, append=False)
            else:
                pyogrio.write_dataframe(frame, folder / path.name, layer=layer, driver="GPKG")


if __name__ == "__main__":
    application = QgsApplication([], False)
    application.initQgis()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    report_rows(rows(int(sys.argv[1]) if len(sys.argv) > 1 else N_CROWNS))
    sys.stdout.flush()
    os._exit(0)  # The end of QGIS is not measured.
