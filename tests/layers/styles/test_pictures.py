"""Tests of the maps of a report."""

from __future__ import annotations

import time
from threading import Thread, current_thread, main_thread

import numpy as np
import pytest
from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCoordinateTransformContext,
    QgsExpression,
    QgsExpressionFunction,
    QgsFillSymbol,
    QgsGeometry,
    QgsProject,
    QgsProperty,
    QgsRectangle,
    QgsRendererCategory,
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
from randcrowns.layers.styles.pictures import (
    MapLayers,
    Outline,
    choose_map_crs,
    legend_entries,
    swatch_entry,
)


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
        ("EPSG:3857", 1100000, 6100000, "EPSG:32632"),
        ("EPSG:32632", 500000, 5300000, "EPSG:32632"),
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
            [Outline(shape, "#ff0000", block.crs()) for shape in shapes], block.crs(), 60, ""
        ).data

    assert drawn(QgsGeometry(), whole, QgsGeometry.fromWkt("Polygon EMPTY")) == drawn(whole)
    assert drawn(QgsGeometry())


def picture_of_crown(outlines, side=240, unit="m"):
    """Image of a crown over nothing, in the system that a report takes for its first outline."""
    first = outlines[0]
    context = QgsCoordinateTransformContext()
    map_crs = choose_map_crs(first.crs, first.geometry.boundingBox(), context)
    maps = MapLayers.copy_of([], context, unit)
    return QImage.fromData(maps.render_crown(outlines, map_crs, side, "").data)


def test_both_of_two_equal_outlines_are_visible_in_equal_frames(qgis_app):
    zone = QgsCoordinateReferenceSystem("EPSG:32617")
    for width, height in ((30, 6), (6, 30)):
        area = QgsGeometry.fromRect(QgsRectangle(EAST, NORTH, EAST + width, NORTH + height))
        outlines = [Outline(area, "#ff0000", zone), Outline(area, "#000000", zone)]
        image = picture_of_crown(outlines, side=400)
        assert (image.width(), image.height()) == (400, 400)
        row = [image.pixelColor(x, 200) for x in range(400)]
        n_red = sum(is_red(*pixel.getRgb()[:3]) for pixel in row)
        n_black = sum(pixel.value() < 110 for pixel in row)
        assert n_red >= 2
        assert n_black >= 2


def coloured_columns(image, is_wanted):
    """Columns of an image with a pixel of a wanted colour (red, green, blue)."""
    pixels = [
        [is_wanted(*image.pixelColor(x, y).getRgb()[:3]) for x in range(image.width())]
        for y in range(image.height())
    ]
    return np.flatnonzero(np.array(pixels).any(axis=0))


def test_a_picture_of_a_given_width_shows_the_crown_smaller(qgis_app):
    zone = QgsCoordinateReferenceSystem("EPSG:32617")
    square = QgsGeometry.fromRect(QgsRectangle(EAST, NORTH, EAST + 20, NORTH + 20))
    outlines = [Outline(square, "#ff0000", zone)]
    maps = MapLayers.copy_of([], QgsCoordinateTransformContext())
    assert maps.crown_width(outlines, zone) == pytest.approx(20 * 1.7)
    image = QImage.fromData(maps.render_crown(outlines, zone, 240, "", width=80.0).data)
    red = coloured_columns(image, is_red)
    assert red[-1] - red[0] == pytest.approx(240 * 20 / 80, abs=4)
    assert (red[-1] + red[0]) / 2 == pytest.approx(120, abs=2)


def test_a_thin_outline_does_not_widen_the_map(qgis_app):
    """Its left edge goes through the middle of the crown, which stays that of the picture."""
    zone = QgsCoordinateReferenceSystem("EPSG:32617")
    square = QgsGeometry.fromRect(QgsRectangle(EAST, NORTH, EAST + 20, NORTH + 20))
    other = QgsGeometry.fromRect(QgsRectangle(EAST + 10, NORTH - 60, EAST + 90, NORTH + 80))
    outlines = [Outline(square, "#ff0000", zone), Outline(other, "#000000", zone, is_thin=True)]
    maps = MapLayers.copy_of([], QgsCoordinateTransformContext())
    assert maps.crown_width(outlines, zone) == pytest.approx(20 * 1.7)
    image = QImage.fromData(maps.render_crown(outlines, zone, 240, "").data)
    dark = [x for x in range(image.width()) if image.pixelColor(x, 100).value() < 140]
    assert np.mean(dark) == pytest.approx(120, abs=1.5)
    assert len(dark) <= 3


def test_a_dashed_outline_has_gaps(qgis_app):
    """Lines of more annotators than colours differ in their dashes."""
    zone = QgsCoordinateReferenceSystem("EPSG:32617")
    square = QgsGeometry.fromRect(QgsRectangle(EAST, NORTH, EAST + 20, NORTH + 20))
    maps = MapLayers.copy_of([], QgsCoordinateTransformContext())
    n_red = {}
    for dashes in ((), (3.0, 3.0)):
        outlines = [Outline(square, "#ff0000", zone, dashes=dashes)]
        image = QImage.fromData(maps.render_crown(outlines, zone, 240, "").data)
        columns, rows = range(image.width()), range(image.height())
        colours = [image.pixelColor(x, y).getRgb()[:3] for x in columns for y in rows]
        n_red[dashes] = sum(is_red(*colour) for colour in colours)
    assert 0.3 < n_red[3.0, 3.0] / n_red[()] < 0.7


def is_red(red, green, blue):
    return red > 180 and green < 110 and blue < 110


@pytest.mark.parametrize(
    ("system", "unit", "metres"),
    [
        ("EPSG:32617", "m", 1.0),
        ("EPSG:2236", "m", 1200 / 3937),  # US survey feet
        ("EPSG:2222", "m", 0.3048),  # international feet
        ("EPSG:4326", "m", None),
        ("EPSG:3857", "m", None),
        ("", "px", 1.0),
    ],
)
def test_the_bar_of_scale_is_as_long_as_it_says_in_any_system(qgis_app, system, unit, metres):
    """A square of 20 m: the bar of 5 m is a quarter as long as its side on the picture."""
    crs = QgsCoordinateReferenceSystem(system)
    if metres is None:
        zone = QgsCoordinateReferenceSystem("EPSG:32617")
        square = QgsGeometry.fromRect(QgsRectangle(EAST, NORTH, EAST + 20, NORTH + 20))
        transform = QgsCoordinateTransform(zone, crs, QgsProject.instance())
        assert square.transform(transform) == 0
    else:
        side = 20 / metres
        x, y = (780000, 1500000) if system in ("EPSG:2236", "EPSG:2222") else (EAST, NORTH)
        square = QgsGeometry.fromRect(QgsRectangle(x, y, x + side, y + side))
    image = picture_of_crown([Outline(square, "#ff0000", crs)], unit=unit)
    outline = coloured_columns(image, is_red)
    pixels_per_metre = (outline[-1] - outline[0] - 1) / 20
    row = image.height() - 12
    bar = [x for x in range(image.width()) if image.pixelColor(x, row).lightness() < 100]
    # A quarter of the picture, which shows 34 m, is 8.5 m.
    assert len(bar) == pytest.approx(5 * pixels_per_metre, abs=2)


def test_outlines_of_two_systems_lie_on_each_other(qgis_app):
    zone = QgsCoordinateReferenceSystem("EPSG:32617")
    degrees = QgsCoordinateReferenceSystem("EPSG:4326")
    square = QgsGeometry.fromRect(QgsRectangle(EAST, NORTH, EAST + 20, NORTH + 20))
    same = QgsGeometry(square)
    assert same.transform(QgsCoordinateTransform(zone, degrees, QgsProject.instance())) == 0
    for outlines in (
        [Outline(square, "#ff0000", zone), Outline(same, "#0000ff", degrees)],
        [Outline(same, "#ff0000", degrees), Outline(square, "#0000ff", zone)],
    ):
        image = picture_of_crown(outlines)
        blue = coloured_columns(image, lambda r, g, b: b > 150 and r < 110 and g < 110)
        # The upper outline hides the lower one: 20 m of 34 m on 240 pixels.
        assert blue[-1] - blue[0] == pytest.approx(240 * 20 / 34, abs=3)
        assert (blue[-1] + blue[0]) / 2 == pytest.approx(120, abs=2)


def test_a_legend_lists_the_classes_that_the_layer_contains(qgis_app):
    shapes = [box(EAST + x, NORTH, EAST + x + 5, NORTH + 5) for x in (0, 10, 20)]
    rows = [["found"], ["found"], ["missed"]]
    layer = layer_of("crowns", shapes, fields="&field=status:string", rows=rows)
    categories = [
        QgsRendererCategory(value, QgsFillSymbol.createSimple({}), f"is {value}")
        for value in ("found", "missed", "false")
    ]
    layer.setRenderer(QgsCategorizedSymbolRenderer("status", categories))
    labels = [entry.label for entry in legend_entries(layer, "Crowns")]
    assert labels == ["Crowns", "is found", "is missed"]


@pytest.mark.parametrize(
    ("fill", "middle_alpha", "edge"), [("4,90,141,0", 0, "#2b8cbe"), ("4,90,141,64", 255, "")]
)
def test_a_legend_of_classes_shows_boxes_as_the_map_shows_crowns(
    qgis_app, fill, middle_alpha, edge
):
    """A map that shows outlines alone has boxes with wide edges; others have filled boxes."""
    shapes = [box(EAST + x, NORTH, EAST + x + 5, NORTH + 5) for x in (0, 10)]
    layer = layer_of("crowns", shapes, fields="&field=status:string", rows=[["a"], ["b"]])
    style = {"color": fill, "outline_color": "43,140,190,255"}
    categories = [
        QgsRendererCategory(value, QgsFillSymbol.createSimple(style), value) for value in "ab"
    ]
    layer.setRenderer(QgsCategorizedSymbolRenderer("status", categories))
    for entry in legend_entries(layer, "Crowns")[1:]:
        image = QImage.fromData(entry.swatch.data)
        middle = image.pixelColor(image.width() // 2, image.height() // 2)
        assert middle.alpha() == middle_alpha
        if edge:
            edge_colours = {image.pixelColor(x, image.height() // 2).name() for x in range(4)}
            assert edge in edge_colours
        else:
            assert middle.name() == "#045a8d"


def test_the_legend_of_a_translucent_fill_has_the_colour_of_its_line(qgis_app):
    """A light blue square stood for the dark blue lines of a consensus."""
    symbol = QgsFillSymbol.createSimple(
        {"color": "86,180,233,70", "outline_color": "0,114,178,255", "outline_width": "0.26"}
    )
    picture = QImage.fromData(swatch_entry(symbol, "Consensus").swatch.data)
    edge = [picture.pixelColor(column, picture.height() // 2) for column in range(2)]
    assert all(colour.getRgb()[:3] == (0, 114, 178) for colour in edge)
