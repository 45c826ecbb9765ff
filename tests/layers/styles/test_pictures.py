"""Maps drawn as pictures."""

from __future__ import annotations

import numpy as np
import pytest
from qgis.core import QgsCoordinateTransformContext, QgsFillSymbol, QgsSingleSymbolRenderer, QgsVectorLayer
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QImage
from shapely import box
from support.layers import EAST, NORTH, layer_of

from randcrowns.layers.styles.pictures import MapLayers


@pytest.fixture
def block(qgis_app) -> QgsVectorLayer:
    """200 m by 100 m of red."""
    layer = layer_of("block", [box(EAST, NORTH, EAST + 200, NORTH + 100)], kind="Polygon")
    red = QgsFillSymbol.createSimple({"color": "#ff0000", "outline_style": "no"})
    layer.setRenderer(QgsSingleSymbolRenderer(red))
    return layer


def test_a_map_shows_its_extent_in_the_middle_with_a_little_around_it(block: QgsVectorLayer) -> None:
    maps = MapLayers.of([block], QgsCoordinateTransformContext())
    made = maps.map(block.extent(), block.crs(), QSize(424, 424), "a red block")
    assert (made.width, made.height, made.words) == (424, 224, "a red block")
    image = QImage.fromData(made.data)
    assert (image.width(), image.height()) == (424, 224)
    colours = np.array([[image.pixelColor(x, y).getRgb()[:2] for x in range(424)] for y in range(224)])
    red = (colours[..., 0] > 200) & (colours[..., 1] < 100)
    rows, columns = np.flatnonzero(red.any(axis=1)), np.flatnonzero(red.any(axis=0))
    # 3 % of 200 m on every side: 212 m on 424 pixels.
    assert (columns[0], columns[-1]) == (pytest.approx(12, abs=1), pytest.approx(411, abs=1))
    assert (rows[0], rows[-1]) == (pytest.approx(12, abs=1), pytest.approx(211, abs=1))


def test_a_long_map_is_at_least_a_third_as_high(block: QgsVectorLayer) -> None:
    strip = block.extent()
    strip.setYMaximum(strip.yMinimum() + 1)
    made = MapLayers.of([block], QgsCoordinateTransformContext()).map(strip, block.crs(), QSize(300, 240), "a strip")
    assert (made.width, made.height) == (300, 80)
