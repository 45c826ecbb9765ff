"""Maps of a report as images: layers rendered in any thread, with outlines and a scale bar."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsCsException,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsFeatureRequest,
    QgsGeometry,
    QgsMapLayer,
    QgsMapRendererCustomPainterJob,
    QgsMapSettings,
    QgsPointXY,
    QgsRectangle,
    QgsRenderContext,
    QgsSymbol,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QBuffer, QIODevice, QPointF, QRectF, QSize, Qt, QThread
from qgis.PyQt.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from randcrowns.core.progress import Progress, no_progress, stop_on_cancel
from randcrowns.layers.crs import WorkingCrs, create_transform, has_datum_or_code, metres_per_unit
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.casing import filled_symbol, widen_edge
from randcrowns.report.content import LegendEntry, Picture
from randcrowns.report.crown_pictures import scale_bar_length

_JPEG_QUALITY = 80
#: Margin on each side of a map around crowns, as a share of their size.
_CROWN_MARGIN = 0.35
#: Margin on each side of a map of an extent, as a share of its longer side.
_EXTENT_MARGIN = 0.03
#: Maximum number of legend entries per layer.
_MAX_LEGEND_ENTRIES = 12
#: Maximum number of features that are examined for the classes that a layer contains.
_MAX_CLASSIFIED_FEATURES = 20_000
#: Side of a legend swatch, pixels.
_SWATCH_SIZE = 18
#: Colour of the line below an outline or a scale bar.
_HALO_COLOUR = "#ffffff"
_SCALE_BAR_COLOUR = "#000000"
#: Height of the text of a scale bar, and widths of a crown's outline and of the light line below
#: it, pixels of the design.
_SCALE_BAR_TEXT = 12
#: Distances of the scale bar from the left and the lower edge, and margin around it, pixels of the
#: design.
_SCALE_BAR_LEFT = 10
_SCALE_BAR_BOTTOM = 12
_SCALE_BAR_MARGIN = 5
#: Translucent white, through which the map remains visible.
_SCALE_BAR_BACKGROUND = QColor(255, 255, 255, 190)
_LINE_WIDTH = 2.8
_HALO_WIDTH = 5.6
#: Width of a thin line, and of its halo, as a share of the common width.
_THIN_SHARE = 0.4
#: Widths of the uppermost of several lines and of those below it, as shares of the common width.
_UPPER_SHARE = 0.65
_LOWER_SHARE = 1.5
#: Resolution of maps for which lines and labels are designed, dots per inch.
DESIGN_DPI = 96.0
#: Side of the picture of a crown for which lines and labels are designed, pixels.
_CROWN_DESIGN_SIDE = 240
#: Minimum side of a map, map units; a crown may be as small as a point.
_MIN_SIDE = 1.0
#: Maximum ratio of the maximum width of a map to its width, and of the heights.
_MAX_NARROWING = 3


class Outline(NamedTuple):
    """Outline of a crown that is drawn on a map."""

    #: Polygon or multipolygon in ``crs``.
    geometry: QgsGeometry
    #: Colour of the line, ``#rrggbb``.
    colour: str
    #: CRS of the polygon, which may differ from that of the other outlines of a map.
    crs: QgsCoordinateReferenceSystem
    #: True for a thin line, which the map need not contain: an outline that is not the crown's.
    is_thin: bool = False
    #: Lengths of the dashes and gaps of the line, in its widths; empty for a solid line.
    dashes: Sequence[float] = ()


@dataclass(frozen=True)
class MapLayers:
    """Copies of layers that can be rendered in another thread than the project's."""

    #: Copies, the topmost first; they belong to no thread except during rendering.
    layers: Sequence[QgsMapLayer]
    #: Datum transformations of the project.
    transform_context: QgsCoordinateTransformContext
    #: Unit of lengths in the scale bar, ``m`` or ``px``.
    unit: str = "m"

    @classmethod
    def copy_of(
        cls, layers: Iterable[QgsMapLayer], context: QgsCoordinateTransformContext, unit: str = "m"
    ) -> MapLayers:
        """Copy layers; call on the main thread only.

        Args:
            layers: layers of the project, the topmost first; invalid copies are dropped.
            context: datum transformations of the project.
            unit: unit of lengths in the scale bar, ``m`` or ``px``.
        """
        clones = [layer.clone() for layer in layers]
        copies = [clone for clone in clones if clone is not None and clone.isValid()]
        for copy in copies:
            copy.moveToThread(None)
        return cls(copies, context, unit)

    def __del__(self) -> None:
        # Qt never deletes an object that belongs to no thread, and only the current thread can
        # take it over; so the copies go to the current thread first and then to the main thread.
        for layer in self.layers:
            layer.moveToThread(QThread.currentThread())
            layer.moveToThread(QgsApplication.instance().thread())

    def render(
        self,
        extent: QgsRectangle,
        map_crs: QgsCoordinateReferenceSystem,
        size: QSize,
        progress: Progress = no_progress,
        resolution: float = DESIGN_DPI,
        is_transparent: bool = False,
    ) -> QImage:
        """Render the layers in the current thread.

        Args:
            extent: extent of the map in ``map_crs``.
            map_crs: CRS of the map.
            size: size of the image, pixels.
            progress: callback that is checked for a cancel.
            resolution: resolution of lines and labels, dots per inch.
            is_transparent: True for a transparent ground and colours premultiplied by their
                opacity, False for a white ground.

        Raises:
            Cancelled: if ``progress`` raises it.
        """
        settings = QgsMapSettings()
        for layer in self.layers:
            layer.moveToThread(QThread.currentThread())
        settings.setLayers(list(self.layers))
        settings.setDestinationCrs(map_crs)
        settings.setTransformContext(self.transform_context)
        settings.setExtent(extent)
        settings.setOutputSize(size)
        settings.setOutputDpi(resolution)
        image = QImage(size, QImage.Format.Format_RGB32)
        if is_transparent:
            image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
            image.fill(Qt.GlobalColor.transparent)
            settings.setBackgroundColor(QColor(0, 0, 0, 0))
        painter = QPainter(image)
        job = QgsMapRendererCustomPainterJob(settings, painter)
        try:
            with stop_on_cancel(job.cancelWithoutBlocking, progress):
                job.renderSynchronously()
        finally:
            painter.end()
            for layer in self.layers:
                layer.moveToThread(None)
        return image

    def render_map(
        self,
        extent: QgsRectangle,
        map_crs: QgsCoordinateReferenceSystem,
        max_size: QSize,
        description: str,
        progress: Progress = no_progress,
        resolution: float = DESIGN_DPI,
    ) -> Picture:
        """Render a map of an extent with a scale bar.

        Args:
            extent: extent in ``map_crs``; the map has a margin around it.
            map_crs: CRS of the map.
            max_size: maximum size of the image, pixels. Its width and height are at least a third
                of the maximum.
            description: description of the image.
            progress: callback that is checked for a cancel.
            resolution: resolution of lines and labels, dots per inch.

        Raises:
            Cancelled: if ``progress`` raises it.
        """
        shown_extent = QgsRectangle(extent)
        longer_side = max(extent.width(), extent.height(), _MIN_SIDE)
        shown_extent.grow(_EXTENT_MARGIN * longer_side)
        width = shown_extent.width()
        height = shown_extent.height()
        units_per_pixel = max(width / max_size.width(), height / max_size.height())
        # A very narrow map is widened, so that it has room for the scale bar.
        columns = max(round(width / units_per_pixel), max_size.width() // _MAX_NARROWING)
        rows = max(round(height / units_per_pixel), max_size.height() // _MAX_NARROWING)
        map_extent = QgsRectangle.fromCenterAndSize(
            shown_extent.center(), units_per_pixel * columns, units_per_pixel * rows
        )
        image = self.render(map_extent, map_crs, QSize(columns, rows), progress, resolution)
        self._draw_scale_bar(image, units_per_pixel, map_crs, resolution / DESIGN_DPI)
        return encode_image(image, description)

    def crown_width(
        self, outlines: Sequence[Outline], map_crs: QgsCoordinateReferenceSystem
    ) -> float:
        """Return the width of a map around outlines with its margins, map units.

        Thin outlines do not widen the map.
        """
        box = _compute_bounding_box(self._transform_outlines(outlines, map_crs))
        return (1 + 2 * _CROWN_MARGIN) * max(box.width(), box.height(), _MIN_SIDE)

    def render_crown(
        self,
        outlines: Sequence[Outline],
        map_crs: QgsCoordinateReferenceSystem,
        side: int,
        description: str,
        progress: Progress = no_progress,
        width: float = 0.0,
    ) -> Picture:
        """Render a map around outlines with a scale bar.

        The map is square. The uppermost of several outlines is narrow, so that the outline below
        it is visible where both coincide.

        Args:
            outlines: outlines, the lowest first; empty ones, and those that cannot be transformed
                to ``map_crs``, are not drawn.
            map_crs: CRS of the map.
            side: side of the image, pixels.
            description: description of the image.
            progress: callback that is checked for a cancel.
            width: width of the map, map units; 0 for that of :meth:`crown_width`.

        Raises:
            Cancelled: if ``progress`` raises it.
        """
        drawn_outlines = self._transform_outlines(outlines, map_crs)
        centre = _compute_bounding_box(drawn_outlines).center()
        map_width = width or self.crown_width(outlines, map_crs)
        map_extent = QgsRectangle.fromCenterAndSize(centre, map_width, map_width)
        image = self.render(map_extent, map_crs, QSize(side, side), progress)
        # Halos below all lines hide none of them.
        for outline in drawn_outlines:
            share = _THIN_SHARE if outline.is_thin else 1.0
            halo = outline._replace(dashes=())
            _draw_line(image, halo, map_extent, _HALO_COLOUR, share * _HALO_WIDTH)
        thick_outlines = [outline for outline in drawn_outlines if not outline.is_thin]
        for outline in drawn_outlines:
            share = _THIN_SHARE if outline.is_thin else 1.0
            if len(thick_outlines) > 1 and not outline.is_thin:
                share = _UPPER_SHARE if outline is thick_outlines[-1] else _LOWER_SHARE
            _draw_line(image, outline, map_extent, outline.colour, share * _LINE_WIDTH)
        self._draw_scale_bar(image, map_width / side, map_crs, side / _CROWN_DESIGN_SIDE)
        return encode_image(image, description)

    def _transform_outlines(
        self, outlines: Sequence[Outline], map_crs: QgsCoordinateReferenceSystem
    ) -> list[Outline]:
        """Return the outlines in the CRS of the map, without empty ones."""
        transformed_outlines = []
        for outline in outlines:
            geometry = _transform(outline.geometry, outline.crs, map_crs, self.transform_context)
            # A geometry that cannot be transformed is empty.
            if not geometry.isEmpty():
                transformed_outlines.append(outline._replace(geometry=geometry, crs=map_crs))
        return transformed_outlines

    def _draw_scale_bar(
        self,
        image: QImage,
        units_per_pixel: float,
        map_crs: QgsCoordinateReferenceSystem,
        enlargement: float,
    ) -> None:
        """Draw a scale bar in metres or pixels, whatever the unit of the map's CRS is.

        Args:
            image: image of a map to draw on.
            units_per_pixel: map units per pixel of the image.
            map_crs: projected CRS of the map; an invalid one for pixels.
            enlargement: pixels of the image per pixel of the design.
        """
        is_in_metres = self.unit == "m" and map_crs.isValid()
        unit_length = metres_per_unit(map_crs) if is_in_metres else 1.0
        _draw_scale_bar(image, units_per_pixel * unit_length, self.unit, enlargement)


def _compute_bounding_box(outlines: Sequence[Outline]) -> QgsRectangle:
    """Return the bounding box of outlines except thin ones; empty without any."""
    box = QgsRectangle()
    for outline in outlines:
        if not outline.is_thin:
            box.combineExtentWith(outline.geometry.boundingBox())
    return box


def choose_map_crs(
    layer_crs: QgsCoordinateReferenceSystem,
    extent: QgsRectangle,
    context: QgsCoordinateTransformContext,
) -> QgsCoordinateReferenceSystem:
    """Return the projected CRS for a map of a layer, in which lengths are true.

    It is the CRS in which a run computes: the layer's own one, or the UTM zone of its centre if the
    layer is in degrees or its own CRS distorts lengths, as Web Mercator does.

    Args:
        layer_crs: CRS of the layer; an invalid one is returned unchanged.
        extent: extent of the layer in ``layer_crs``.
        context: datum transformations of the project.

    Raises:
        InputError: if the centre has no UTM zone.
    """
    if not layer_crs.isValid() or not has_datum_or_code(layer_crs):
        return layer_crs
    centre = extent.center()
    return WorkingCrs.for_layer("map", layer_crs, (centre.x(), centre.y()), context).crs


def transform_extent(
    extent: QgsRectangle,
    source_crs: QgsCoordinateReferenceSystem,
    target_crs: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
) -> QgsRectangle:
    """Transform an extent from one CRS to another; a null rectangle if that is impossible.

    Args:
        extent: the extent in ``source_crs``.
        source_crs: CRS of the extent.
        target_crs: CRS of the result.
        context: datum transformations of the project.
    """
    return _transform(QgsGeometry.fromRect(extent), source_crs, target_crs, context).boundingBox()


def legend_entries(layer: QgsMapLayer, name: str) -> list[LegendEntry]:
    """Return the legend of a layer; call on the main thread only.

    Args:
        layer: layer; only vector layers have a legend here.
        name: name of the layer in the legend.

    Returns:
        A heading with the name and an entry per class that the layer contains, at most 12; for a
        single class only its entry, with the name as label if it has none, and nothing for a layer
        of which nothing is drawn. The symbols of several classes are filled with their colours,
        unless the map shows only outlines.
    """
    if not isinstance(layer, QgsVectorLayer) or layer.renderer() is None:
        return []
    items = [item for item in layer.renderer().legendSymbolItems() if item.symbol() is not None]
    if len(items) > 1:
        rule_keys = {item.ruleKey() for item in items}
        used_keys = _list_used_legend_keys(layer, rule_keys)
        items = [item for item in items if item.ruleKey() in used_keys]
    if not items:
        return []
    if len(items) == 1:
        only_item = items[0]
        return [swatch_entry(only_item.symbol(), only_item.label() or name)]

    entries = [LegendEntry(None, name)]
    for item in items[:_MAX_LEGEND_ENTRIES]:
        symbol = filled_symbol(item.symbol())
        entries.append(swatch_entry(symbol, item.label() or name))
    return entries


def swatch_entry(symbol: QgsSymbol, label: str) -> LegendEntry:
    """Return a line of a legend with a picture of a symbol; call on the main thread only.

    A pale fill has a wide edge in the colour of the line, which is what the map shows most.
    """
    shown_symbol = symbol.clone()
    widen_edge(shown_symbol)
    image = shown_symbol.asImage(QSize(_SWATCH_SIZE, _SWATCH_SIZE))
    return LegendEntry(encode_image(image, description="", file_format="PNG"), label)


def _list_used_legend_keys(layer: QgsVectorLayer, keys: set[str]) -> set[str]:
    """Return the keys of the legend's classes to which a feature of the layer belongs.

    Args:
        layer: layer with a renderer of several classes.
        keys: keys of all classes. They are returned for layers with too many features to examine.
    """
    if not 0 <= layer.featureCount() <= _MAX_CLASSIFIED_FEATURES:
        return keys
    context = QgsRenderContext()
    scopes = QgsExpressionContextUtils.globalProjectLayerScopes(layer)
    context.setExpressionContext(QgsExpressionContext(scopes))
    renderer = layer.renderer().clone()
    renderer.startRender(context, layer.fields())
    request = QgsFeatureRequest().setFlags(QgsFeatureRequest.Flag.NoGeometry)
    used_keys: set[str] = set()
    for feature in layer.getFeatures(request):
        context.expressionContext().setFeature(feature)
        used_keys |= renderer.legendKeysForFeature(feature, context)
        if used_keys >= keys:
            break
    renderer.stopRender(context)
    return used_keys


def encode_image(image: QImage, description: str, file_format: str = "JPG") -> Picture:
    """Encode an image as a file.

    Args:
        image: image to encode.
        description: description of the image.
        file_format: ``JPG`` or ``PNG``. An installation of Qt without JPEG support writes PNG
            instead.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    is_jpeg = file_format != "PNG" and image.save(buffer, file_format, _JPEG_QUALITY)
    if not is_jpeg:
        image.save(buffer, "PNG")
    mime_type = "image/jpeg" if is_jpeg else "image/png"
    return Picture(
        data=bytes(buffer.data()),
        mime_type=mime_type,
        width=image.width(),
        height=image.height(),
        description=description,
    )


def _transform(
    geometry: QgsGeometry,
    source_crs: QgsCoordinateReferenceSystem,
    target_crs: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
) -> QgsGeometry:
    """Return a transformed copy of a geometry; an empty geometry if that is impossible.

    The coordinates stay unchanged if one CRS is invalid, as for layers without a CRS.

    Args:
        geometry: the geometry in ``source_crs``; it is not changed.
        source_crs: CRS of the geometry.
        target_crs: CRS of the result.
        context: datum transformations of the project.
    """
    transformed = QgsGeometry(geometry)
    if source_crs.isValid() and target_crs.isValid() and source_crs != target_crs:
        try:
            transformed.transform(create_transform(source_crs, target_crs, context))
        except QgsCsException:
            return QgsGeometry()
    return transformed


def _draw_line(
    image: QImage, outline: Outline, extent: QgsRectangle, colour: str, width: float
) -> None:
    """Draw the rings of a polygon on an image.

    Args:
        image: image to draw on, of a map of ``extent``.
        outline: outline in the CRS of the map.
        extent: extent of the map.
        colour: colour of the line.
        width: width of the line, pixels of the design.
    """
    units_per_pixel = extent.width() / image.width()

    def to_pixels(point: QgsPointXY) -> QPointF:
        """Return the position of a point on the image, pixels from its upper left corner."""
        return QPointF(
            (point.x() - extent.xMinimum()) / units_per_pixel,
            (extent.yMaximum() - point.y()) / units_per_pixel,
        )

    path = QPainterPath()
    shape = outline.geometry
    polygons = shape.asMultiPolygon() if shape.isMultipart() else [shape.asPolygon()]
    for polygon in polygons:
        for ring in polygon:
            path.addPolygon(QPolygonF([to_pixels(point) for point in ring]))

    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    enlargement = image.width() / _CROWN_DESIGN_SIDE
    pen = QPen(QColor(colour), width * enlargement)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if outline.dashes:
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern(list(outline.dashes))
    painter.strokePath(path, pen)
    painter.end()


def _draw_scale_bar(
    image: QImage, units_per_pixel: float, unit: str, enlargement: float = 1.0
) -> None:
    """Draw a scale bar with its length at the bottom left of an image.

    Its length is 1, 2 or 5 times a power of ten, and at most a quarter of the map.

    Args:
        image: image of a map to draw on.
        units_per_pixel: map units per pixel.
        unit: unit of the length.
        enlargement: pixels of the image per pixel of the design.
    """
    length = scale_bar_length(units_per_pixel * image.width())
    # From here all lengths are pixels of the design, which the painter enlarges.
    bar_width = length / units_per_pixel / enlargement
    left = _SCALE_BAR_LEFT
    bar_y = image.height() / enlargement - _SCALE_BAR_BOTTOM

    painter = QPainter(image)
    painter.scale(enlargement, enlargement)
    font = painter.font()
    font.setPixelSize(_SCALE_BAR_TEXT)
    painter.setFont(font)
    label = tr("{length:g} {unit}", length=length, unit=unit)
    label_box = painter.fontMetrics().boundingRect(label)
    # The background surrounds the label, and the bar below it, with a margin.
    margin = _SCALE_BAR_MARGIN
    background = QRectF(
        left - margin,
        bar_y - margin - label_box.height() - 1,
        max(bar_width, label_box.width()) + 2 * margin,
        label_box.height() + 2 * margin + 4,
    )
    painter.fillRect(background, _SCALE_BAR_BACKGROUND)
    light_edge = (_HALO_COLOUR, 5)
    dark_line = (_SCALE_BAR_COLOUR, 2)
    for colour, line_width in (light_edge, dark_line):
        pen = QPen(QColor(colour), line_width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLine(QPointF(left, bar_y), QPointF(left + bar_width, bar_y))
    painter.setPen(QColor(_SCALE_BAR_COLOUR))
    painter.drawText(QPointF(left, bar_y - margin), label)
    painter.end()
