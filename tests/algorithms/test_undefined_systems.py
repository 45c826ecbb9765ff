"""A coordinate system that says nothing about the earth is refused by every algorithm, in every
layer it reads."""

from __future__ import annotations

import contextlib
import re
import sqlite3

import numpy as np
import pytest
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsRasterLayer,
    QgsRectangle,
    QgsReferencedRectangle,
    QgsVectorLayer,
)
from support.clouds import labelled_cloud, write_cloud
from support.layers import crowns_at, layer_of, save
from support.rasters import write_raster
from support.shown import shows

PLACES = [(5, 5), (15, 5), (5, 15), (15, 15)]
LAYERS = ("source", "multilayer", "raster")
UNDEFINED = (
    'GEOGCS["Undefined geographic SRS",DATUM["unknown",SPHEROID["unknown",6378137,298.257223563]],'
    'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]'
)


def _crowns(tmp_path, srs_id: int) -> QgsVectorLayer:
    """Crowns in UTM metres, in a GeoPackage that says this about its system."""
    path = tmp_path / f"crowns_{srs_id}.gpkg"
    save(layer_of("crowns", crowns_at(PLACES), fields="&field=score:double"), path)
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE gpkg_contents SET srs_id = ?", (srs_id,))
        database.execute("UPDATE gpkg_geometry_columns SET srs_id = ?", (srs_id,))
    layer = QgsVectorLayer(str(path), "lost", "ogr")
    assert layer.isValid()
    assert layer.crs().isValid()
    return layer


def _raster(tmp_path) -> QgsRasterLayer:
    path = write_raster(tmp_path / "lost.tif", np.ones((20, 20)))
    gdal.Open(str(path), gdal.GA_Update).SetProjection('LOCAL_CS["unnamed",UNIT["metre",1]]')
    return QgsRasterLayer(str(path), "lost")


@pytest.fixture
def lost_in(run, algorithms, tmp_path):
    """What a run says whose layer of one parameter has an undefined system; all others have one."""
    good = [
        layer_of(f"good {n}", crowns_at(PLACES, seed=n), fields="&field=score:double")
        for n in range(1, 6)
    ]

    def run_with(name: str, parameter: str, lost) -> str:
        algorithm = algorithms.algorithm(name)
        given, unused = {}, iter(good[1:])
        for definition in algorithm.parameterDefinitions():
            if definition.name() == parameter:
                given[parameter] = [good[0], lost] if definition.type() == "multilayer" else lost
            elif definition.type() in LAYERS and definition.name() in MORE.get(
                name, () if definition.flags() & definition.FlagOptional else (definition.name(),)
            ):
                several = definition.type() == "multilayer"
                given[definition.name()] = [next(unused), next(unused)] if several else next(unused)
        done = run(
            name, given, outputs=[d.name() for d in algorithm.destinationParameterDefinitions()]
        )
        assert not done.ok
        return done.refused or done.error

    return run_with


#: Layers that a run needs beside the one looked at, though none of them must be given.
MORE = {"rankdetectors": ("DETECTORS", "ANNOTATORS")}


#: These take layers or results over as they are, and measure nothing.
TAKE_OVER = ("exportlayers", "report", "explore")


def measuring(algorithms):
    return [algorithm for algorithm in algorithms.algorithms() if algorithm.name() not in TAKE_OVER]


def test_undefined_systems_of_geopackages_are_refused_by_every_algorithm(
    lost_in, algorithms, tmp_path
):
    seen = 0
    for srs_id in (0, -1):
        layer = _crowns(tmp_path, srs_id)
        for algorithm in measuring(algorithms):
            for definition in algorithm.parameterDefinitions():
                if definition.type() in ("source", "multilayer"):
                    said = lost_in(algorithm.name(), definition.name(), layer)
                    assert re.search("'lost'.* is not defined", said), (
                        algorithm.name(),
                        definition.name(),
                        said,
                    )
                    seen += 1
    assert seen >= 40


def test_undefined_systems_of_rasters_are_refused_by_every_algorithm(lost_in, algorithms, tmp_path):
    raster, seen = _raster(tmp_path), 0
    assert raster.crs().isValid()
    for algorithm in measuring(algorithms):
        for definition in algorithm.parameterDefinitions():
            if definition.type() == "raster" or definition.name() == "DETECTORS":
                said = lost_in(algorithm.name(), definition.name(), raster)
                assert re.search("'lost'.* is not defined", said), (
                    algorithm.name(),
                    definition.name(),
                    said,
                )
                seen += 1
    assert seen >= 3


@pytest.mark.parametrize("text", ['LOCAL_CS["unnamed",UNIT["metre",1]]', UNDEFINED])
def test_a_cloud_with_an_undefined_system_needs_another(evaluate, tmp_path, text):
    xyz, target, prediction = labelled_cloud()
    path = write_cloud(tmp_path / "lost.laz", xyz, {"tree": target, "found": prediction}, wkt=text)
    assert shows(evaluate(path).refused, "cloud.no_crs", file="lost.laz")
    chosen = evaluate(path, CRS=QgsCoordinateReferenceSystem.fromWkt(UNDEFINED))
    assert not chosen.ok
    assert shows(chosen.refused, "crs.undefined") or shows(chosen.error, "crs.undefined")
    assert evaluate(path, CRS="EPSG:32617").ok


@pytest.mark.parametrize("text", ["", UNDEFINED])
def test_an_image_or_map_without_a_system_is_no_extent(run, text):
    crs = QgsCoordinateReferenceSystem.fromWkt(text)
    layer = layer_of("crowns", crowns_at(PLACES))
    around = layer.extent().buffered(10)
    given = {"TARGETS": layer, "DELINEATIONS": [layer]}
    done = run("scorecrowns", {**given, "EXTENT": QgsReferencedRectangle(around, crs)})
    assert not done.ok
    assert shows(done.error, "crs.undefined_for_extent")
    assert run("scorecrowns", {**given, "EXTENT": QgsRectangle(around)}).ok
    corners = around.xMinimum(), around.xMaximum(), around.yMinimum(), around.yMaximum()
    assert run("scorecrowns", {**given, "EXTENT": ",".join(map(str, corners))}).ok


@pytest.mark.parametrize("crs", ["null", '{"type": "name", "properties": {"name": "undefined"}}'])
@pytest.mark.parametrize("first", [True, False])
def test_a_file_that_says_it_has_no_system_is_not_in_degrees(run, tmp_path, crs, first):
    """QGIS takes degrees for it, in which crowns of an image lie thousands of kilometres apart."""
    boxes = ",".join(_feature(x, y) for x, y in PLACES)
    features, system = f'"features": [{boxes}]', f'"crs": {crs}'
    path = tmp_path / "image.geojson"
    inside = ", ".join([system, features] if first else [features, system])
    path.write_text(f'{{"type": "FeatureCollection", {inside}}}', encoding="utf-8")
    layer = QgsVectorLayer(str(path), "image", "ogr")
    assert layer.crs().authid() == "EPSG:4326"
    done = run(
        "scorecrowns", {"TARGETS": layer, "DELINEATIONS": [layer_of("drawn", crowns_at(PLACES))]}
    )
    assert shows(done.refused, "crs.pixel_coordinates", name="image")


def _feature(x: float, y: float) -> str:
    ring = [[x, y], [x + 4, y], [x + 4, y + 4], [x, y + 4], [x, y]]
    geometry = f'{{"type": "Polygon", "coordinates": [{ring}]}}'
    return f'{{"type": "Feature", "properties": {{}}, "geometry": {geometry}}}'
