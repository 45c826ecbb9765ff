"""randcrowns:rankdetectors on layers and choices that are odd, and what it says of them."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsProject
from support.layers import crowns_at, layer_of
from support.processing import run_algorithm

OUTPUTS = ("AUCR", "CURVES", "RANKINGS", "TAU", "CORRELATIONS", "CERTAINTY_TABLE", "TRUTH_POLYGONS")
PLACES = [(x, y) for x in range(4, 40, 8) for y in range(4, 40, 8)]


def person(name, seed=1, crs="EPSG:32617"):
    """Wobbly crowns; of the same seed the same ones in any coordinate system."""
    layer = layer_of(name, crowns_at(PLACES, seed=seed))
    if crs == "EPSG:32617":
        return layer
    into = QgsCoordinateTransform(layer.crs(), QgsCoordinateReferenceSystem(crs), QgsProject.instance())
    shapes = []
    for feature in layer.getFeatures():
        shape = feature.geometry()
        shape.transform(into)
        shapes.append(shapely.from_wkb(bytes(shape.asWkb())))
    return layer_of(name, shapes, crs)


def detector(name, seed, scores=None, field="double"):
    shapes = crowns_at(PLACES, seed=seed)
    scores = np.random.default_rng(seed).random(len(shapes)).tolist() if scores is None else scores
    return layer_of(name, shapes, fields=f"&field=score:{field}", rows=[(score,) for score in scores])


@pytest.fixture
def rank(run):
    def ranked(detectors, annotators, **parameters):
        given = {"DETECTORS": detectors, "ANNOTATORS": annotators, "DRAWS": 0, "UNITS": 1, **parameters}
        return run_algorithm("rankdetectors", given, None, OUTPUTS)

    return ranked


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:32618"])
def test_an_annotator_in_another_coordinate_system_leaves_no_lines_among_the_polygons(rank, crs):
    """Brought back, outlines differ by rounding, and the faces between them have next to no area."""
    ran = rank([detector("d", 3)], [person("one"), person("same", crs=crs), person("two", 2)])
    assert ran.ok, ran.error
    kinds = {feature.geometry().type() for feature in ran.layer("TRUTH_POLYGONS").getFeatures()}
    assert kinds == {ran.layer("TRUTH_POLYGONS").geometryType()}
