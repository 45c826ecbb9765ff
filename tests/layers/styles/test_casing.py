"""Outlines are visible on a dark canopy and on bright sand, and fills leave the image visible."""

from __future__ import annotations

import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsFillSymbol,
    QgsMapRendererSequentialJob,
    QgsMapSettings,
    QgsRectangle,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QSize, Qt
from qgis.PyQt.QtGui import QColor
from support.layers import crowns_at, layer_of

from randcrowns.layers.styles.casing import (
    add_casings,
    fill_opacity,
    is_casing,
    main_outline,
    set_fill_opacity,
)
from randcrowns.layers.styles.styles import load_style, style_matched_predictions
from randcrowns.report.colours import relative_luminance
from randcrowns.report.problems import PROBLEM_COLOURS

#: A dark canopy and bright sand, as in images.
DARK, BRIGHT = "#26301f", "#d9c9a5"
#: Minimum contrast of graphical objects (WCAG 2.1, success criterion 1.4.11).
MIN_CONTRAST = 3.0


def contrast(first: QColor, second: QColor) -> float:
    """Contrast ratio of WCAG 2.1."""
    darker, lighter = sorted(
        relative_luminance(one.redF(), one.greenF(), one.blueF()) for one in (first, second)
    )
    return (lighter + 0.05) / (darker + 0.05)


def outlined(colour: str, width: str = "0.7") -> QgsVectorLayer:
    """A layer with one crown, drawn as an outline of a colour."""
    layer = layer_of("crowns", crowns_at([(0, 0)]), kind="Polygon")
    symbol = QgsFillSymbol.createSimple(
        {"style": "no", "outline_color": colour, "outline_width": width}
    )
    layer.setRenderer(QgsSingleSymbolRenderer(symbol))
    return layer


def drawn_colours(
    layer: QgsVectorLayer, background: str, scale: float = 0, map_crs: str | None = None
) -> set[str]:
    """The colours of a map of a layer: of its extent, or at a scale of 1:``scale`` in metres."""
    settings = QgsMapSettings()
    settings.setLayers([layer])
    crs = layer.crs() if map_crs is None else QgsCoordinateReferenceSystem(map_crs)
    settings.setDestinationCrs(crs)
    extent = layer.extent().buffered(1)
    if scale:
        width = scale * 120 / 200 * 0.0254  # 120 pixels of 200 per inch
        extent = QgsRectangle.fromCenterAndSize(extent.center(), width, width)
    settings.setExtent(extent)
    settings.setOutputSize(QSize(120, 120))
    settings.setOutputDpi(200)
    settings.setBackgroundColor(QColor(background))
    context = QgsExpressionContext()
    context.appendScope(QgsExpressionContextUtils.mapSettingsScope(settings))
    settings.setExpressionContext(context)
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage()
    return {image.pixelColor(x, y).name() for x in range(120) for y in range(120)}


@pytest.mark.parametrize("ground", [DARK, BRIGHT])
@pytest.mark.parametrize("colour", sorted({*PROBLEM_COLOURS.values(), "#d7191c", "#000000"}))
def test_a_cased_line_is_visible_on_every_ground(qgis_app, colour, ground):
    layer = outlined(colour)
    add_casings(layer)
    background = QColor(ground)
    best = max(contrast(QColor(name), background) for name in drawn_colours(layer, ground))
    assert best >= MIN_CONTRAST


@pytest.mark.parametrize(
    ("crs", "map_crs", "scale", "has_casing"),
    [
        ("EPSG:32633", "EPSG:32633", 1000, True),
        ("EPSG:32633", "EPSG:32633", 20_000, False),
        ("", "", 20_000, True),
        ("", "EPSG:4326", 20_000, True),  # QGIS takes pixels for degrees
    ],
)
def test_casings_are_left_out_in_overviews_but_not_of_crowns_in_pixels(
    qgis_app, crs, map_crs, scale, has_casing
):
    layer = outlined("#000000")
    layer.setCrs(QgsCoordinateReferenceSystem(crs))
    add_casings(layer)
    names = drawn_colours(layer, "#808080", scale, map_crs)
    colours = [QColor(name).lightnessF() for name in names]
    assert (max(colours) > 0.6) == has_casing
    assert min(colours) < 0.1, "the line itself is drawn"


def test_a_casing_is_added_once_and_below_the_line(qgis_app):
    layer = outlined("#d7191c")
    add_casings(layer)
    add_casings(layer)
    symbol = layer.renderer().symbol()
    parts = [symbol.symbolLayer(number) for number in range(symbol.symbolLayerCount())]
    assert [is_casing(part) for part in parts] == [True, False]
    assert parts[0].strokeWidth() > parts[1].strokeWidth()
    assert main_outline(symbol).strokeColor().name() == "#d7191c"


@pytest.mark.parametrize(
    "properties",
    [
        {"outline_width": "0.2", "outline_color": "#000000"},  # a detail of a crown
        {"outline_style": "no"},
        {"outline_color": "0,0,0,0", "outline_width": "0.7"},
    ],
)
def test_thin_and_invisible_outlines_get_no_casing(qgis_app, properties):
    layer = outlined("#000000")
    layer.setRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple(properties)))
    add_casings(layer)
    assert layer.renderer().symbol().symbolLayerCount() == 1


def test_a_casing_survives_saving_a_style(qgis_app, tmp_path):
    layer = outlined("#d7191c")
    add_casings(layer)
    path = str(tmp_path / "style.qml")
    layer.saveNamedStyle(path)
    loaded = outlined("#000000")
    loaded.loadNamedStyle(path)
    add_casings(loaded)
    assert loaded.renderer().symbol().symbolLayerCount() == 2


def test_scored_targets_are_cased_outlines_with_a_light_fill(qgis_app):
    fields = "&field=a_rc:double&field=a_status:string"
    layer = layer_of(
        "crowns", crowns_at([(0, 0)]), kind="Polygon", fields=fields, rows=[[0.95, "scored"]]
    )
    load_style(layer, "scored_targets")
    assert fill_opacity(layer) == pytest.approx(0.25, abs=0.01)
    for category in layer.renderer().categories():
        outline = main_outline(category.symbol())
        assert outline.strokeStyle() != Qt.PenStyle.NoPen


def test_the_opacity_of_fills_can_be_changed_and_leaves_outlines_and_hatches_alone(qgis_app):
    fields = "&field=a_rc:double&field=a_status:string"
    layer = layer_of(
        "crowns", crowns_at([(0, 0)]), kind="Polygon", fields=fields, rows=[[0.95, "scored"]]
    )
    load_style(layer, "scored_targets")
    hatch_before = _fill_of(layer, "missed")
    set_fill_opacity(layer, 0.8)
    assert fill_opacity(layer) == pytest.approx(0.8, abs=0.01)
    best = _symbol_of(layer, "c5")
    assert main_outline(best).strokeColor().alpha() == 255
    assert _fill_of(layer, "missed") == hatch_before


def test_a_layer_without_fills_has_no_opacity(qgis_app):
    assert fill_opacity(outlined("#d7191c")) is None
    assert fill_opacity(QgsVectorLayer("None?field=a:int", "table", "memory")) is None


def _symbol_of(layer: QgsVectorLayer, value: str) -> QgsFillSymbol:
    """Copy of the symbol of a category, which is freed together with the list of categories."""
    categories = layer.renderer().categories()
    return next(one.symbol().clone() for one in categories if one.value() == value)


def _fill_of(layer: QgsVectorLayer, value: str) -> str:
    """Fill colour of a category with its opacity."""
    symbol = _symbol_of(layer, value)
    return str(main_outline(symbol).fillColor().name(QColor.NameFormat.HexArgb))


def test_predictions_have_dashed_outlines_and_targets_solid_ones():
    """A target and a prediction that lie on one another have the same colour."""
    targets, predictions = (
        layer_of(
            name, crowns_at([(0, 0)]), kind="Polygon", fields="&field=status:string", rows=[["x"]]
        )
        for name in ("targets", "predictions")
    )
    load_style(targets, "matched_instances")
    style_matched_predictions(predictions, {})
    for target, prediction in zip(
        targets.renderer().legendSymbolItems(), predictions.renderer().legendSymbolItems()
    ):
        assert target.label() == prediction.label()
        solid, dashed = main_outline(target.symbol()), main_outline(prediction.symbol())
        assert solid.strokeColor() == dashed.strokeColor()
        assert dashed.strokeStyle() != Qt.PenStyle.SolidLine
        casings = [part for part in prediction.symbol().symbolLayers() if is_casing(part)]
        assert [part.strokeStyle() for part in casings] == [Qt.PenStyle.SolidLine]
    detected = targets.renderer().categories()[0]
    assert main_outline(detected.symbol()).strokeStyle() == Qt.PenStyle.SolidLine
