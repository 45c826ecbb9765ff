"""Tests of the transformation of outlines and extents to the CRS of the map."""

from __future__ import annotations

import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsGeometry, QgsVectorLayer
from support.errors import raises
from support.layers import TARGET_BOXES, box_layer

from randcrowns.layers.styles.tree import extent_in_map_crs, transform_to_map

#: The half of the earth on which the boxes are not.
OTHER_SIDE = "+proj=ortho +lat_0=-40 +lon_0=97 +ellps=WGS84"


@pytest.fixture
def layer(qgis_app):
    return box_layer("crowns", TARGET_BOXES)


def outline(layer):
    return next(layer.getFeatures()).geometry()


def test_there_and_back(layer):
    web = QgsCoordinateReferenceSystem("EPSG:3857")
    moved = transform_to_map(outline(layer), layer, web)
    assert extent_in_map_crs(layer, web).contains(moved.boundingBox())
    assert not moved.boundingBox().intersects(outline(layer).boundingBox())
    assert transform_to_map(outline(layer), layer, layer.crs()).equals(outline(layer))
    assert transform_to_map(QgsGeometry(), layer, web).isEmpty()


def test_an_empty_layer_is_nowhere(qgis_app):
    empty = QgsVectorLayer("Polygon?crs=EPSG:32617", "empty", "memory")
    assert extent_in_map_crs(empty, QgsCoordinateReferenceSystem("EPSG:4326")).isNull()


def test_a_map_without_the_place_is_told(layer):
    crs = QgsCoordinateReferenceSystem.fromProj(OTHER_SIDE)
    for ask in (
        lambda: transform_to_map(outline(layer), layer, crs),
        lambda: extent_in_map_crs(layer, crs),
    ):
        with raises("crs.no_place_on_map", layer="crowns"):
            ask()
