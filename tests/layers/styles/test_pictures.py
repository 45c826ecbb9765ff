"""Tests of the maps of a report."""

from __future__ import annotations

import time
from threading import Thread, current_thread, main_thread

import numpy as np
import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsExpression,
    QgsExpressionFunction,
    QgsFillSymbol,
    QgsGeometry,
    QgsProperty,
    QgsRectangle,
    QgsSingleSymbolRenderer,
    QgsSymbolLayer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QSize, Qt
from qgis.PyQt.QtGui import QImage
from shapely import box
from support.layers import EAST, NORTH, layer_of
from support.qt import spin

from randcrowns.core.errors import Cancelled
from randcrowns.layers.styles.pictures import MapLayers, choose_map_crs


@pytest.fixture
def block(qgis_app) -> QgsVectorLayer:
    """Return a layer with a red rectangle of 200 m by 100 m."""
    layer = layer_of("block", [box(EAST, NORTH, EAST + 200, NORTH + 100)], kind="Polygon")
    red = QgsFillSymbol.createSimple({"color": "#ff0000", "outline_style": "no"})
    layer.setRenderer(QgsSingleSymbolRenderer(red))
    return layer


def test_a_map_shows_its_extent_in_the_middle_with_a_little_around_it(
    block: QgsVectorLayer,
) -> None:
    maps = MapLayers.copy_of([block], QgsCoordinateTransformContext())
    made = maps.render_map(block.extent(), block.crs(), QSize(424, 424), "a red block")
    assert (made.width, made.height, made.description) == (424, 224, "a red block")
    image = QImage.fromData(made.data)
    assert (image.width(), image.height()) == (424, 224)
    colours = np.array(
        [[image.pixelColor(x, y).getRgb()[:2] for x in range(424)] for y in range(224)]
    )
    red = (colours[..., 0] > 200) & (colours[..., 1] < 100)
    rows, columns = np.flatnonzero(red.any(axis=1)), np.flatnonzero(red.any(axis=0))
    # 3 % of 200 m on every side: 212 m on 424 pixels.
    assert (columns[0], columns[-1]) == (pytest.approx(12, abs=1), pytest.approx(411, abs=1))
    assert (rows[0], rows[-1]) == (pytest.approx(12, abs=1), pytest.approx(211, abs=1))


def test_a_long_map_is_at_least_a_third_as_high(block: QgsVectorLayer) -> None:
    strip = block.extent()
    strip.setYMaximum(strip.yMinimum() + 1)
    made = MapLayers.copy_of([block], QgsCoordinateTransformContext()).render_map(
        strip, block.crs(), QSize(300, 240), "a strip"
    )
    assert (made.width, made.height) == (300, 80)


def test_a_cancel_ends_the_drawing_of_many_crowns(qgis_app) -> None:
    drawn = []

    class Slow(QgsExpressionFunction):
        def __init__(self) -> None:
            super().__init__("slow", 0, "", "")

        def func(self, *_: object) -> str:
            drawn.append(True)
            time.sleep(0.01)
            return "#ff0000"

    function = Slow()
    assert QgsExpression.registerFunction(function)
    layer = layer_of(
        "crowns",
        [box(EAST + n, NORTH, EAST + n + 1, NORTH + 1) for n in range(2000)],
        kind="Polygon",
    )
    slowly = QgsFillSymbol.createSimple({})
    slowly.symbolLayer(0).setDataDefinedProperty(
        QgsSymbolLayer.PropertyFillColor, QgsProperty.fromExpression("slow()")
    )
    layer.setRenderer(QgsSingleSymbolRenderer(slowly))

    def cancel(_fraction: float) -> None:
        if drawn:
            raise Cancelled

    try:
        maps = MapLayers.copy_of([layer], QgsCoordinateTransformContext())
        with pytest.raises(Cancelled):
            maps.render_map(layer.extent(), layer.crs(), QSize(424, 424), "crowns", cancel)
    finally:
        QgsExpression.unregisterFunction("slow")
    assert 0 < len(drawn) < 1000


@pytest.mark.parametrize(("wide", "bar"), [(60, 10), (100, 20), (200, 50)])
def test_the_bar_of_scale_has_a_round_length_below_a_quarter_of_the_map(
    block: QgsVectorLayer, wide, bar
) -> None:
    around = QgsRectangle(EAST, NORTH, EAST + wide, NORTH + wide)
    image = (
        MapLayers.copy_of([block], QgsCoordinateTransformContext())
        .render_map(around, block.crs(), QSize(424, 424), "")
        .data
    )
    drawn = QImage.fromData(image)
    black = [x for x in range(424) if drawn.pixelColor(x, 412).lightness() < 100]
    assert black[-1] - black[0] + 1 == pytest.approx(bar / (1.06 * wide) * 424, abs=2)


@pytest.mark.parametrize(
    ("system", "x", "y", "drawn"),
    [
        ("EPSG:2236", 780000, 1500000, "EPSG:2236"),
        ("", 0, 0, ""),
        ("EPSG:4326", -82, 29.7, "EPSG:32617"),
    ],
)
def test_a_map_is_drawn_in_the_system_of_its_layer_or_in_metres(
    qgis_app, system, x, y, drawn
) -> None:
    around = QgsRectangle(x - 0.1, y - 0.1, x + 0.1, y + 0.1)
    given = QgsCoordinateReferenceSystem(system)
    assert choose_map_crs(given, around, QgsCoordinateTransformContext()).authid() == drawn


def test_the_copies_drawn_elsewhere_are_deleted_on_the_main_thread(block: QgsVectorLayer) -> None:
    """Copies without a thread would never be deleted and would keep the files of layers open."""
    maps = [MapLayers.copy_of([block], QgsCoordinateTransformContext()) for _ in range(2)]
    copies = [one.layers[0] for one in maps]
    deleted: list[str] = []
    for copy in copies:
        copy.willBeDeleted.connect(
            lambda: deleted.append(current_thread().name), Qt.ConnectionType.DirectConnection
        )
    del copy, copies

    def work() -> None:
        maps.pop().render(block.extent(), block.crs(), QSize(30, 30))
        maps.clear()  # one is never drawn

    drawing = Thread(target=work)
    drawing.start()
    drawing.join()
    spin()
    assert deleted == [main_thread().name] * 2


def test_an_outline_that_is_empty_is_not_drawn_beside_another(block: QgsVectorLayer) -> None:
    layers = MapLayers.copy_of([block], QgsCoordinateTransformContext())
    whole = QgsGeometry.fromRect(QgsRectangle(0, 0, 10, 10))

    def drawn(*shapes: QgsGeometry) -> bytes:
        return layers.render_crown(
            [(shape, "#ff0000") for shape in shapes], block.crs(), block.crs(), 60, ""
        ).data

    assert drawn(QgsGeometry(), whole, QgsGeometry.fromWkt("Polygon EMPTY")) == drawn(whole)
    assert drawn(QgsGeometry())
