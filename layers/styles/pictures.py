"""Maps of a report as images: layers rendered in any thread, with outlines and a scale bar."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsCsException,
    QgsGeometry,
    QgsMapLayer,
    QgsMapRendererCustomPainterJob,
    QgsMapSettings,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QBuffer, QIODevice, QPointF, QSize, Qt, QThread
from qgis.PyQt.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from randcrowns.core.progress import Progress, no_progress, stop_on_cancel
from randcrowns.layers.crs import create_transform, is_in_degrees, utm_zone
from randcrowns.layers.localization import tr

_JPEG_QUALITY = 85
#: Margin on each side of a map around crowns, as a share of their size.
_CROWN_MARGIN = 0.35
#: Margin on each side of a map of an extent, as a share of its longer side.
_EXTENT_MARGIN = 0.03
#: Maximum number of legend entries per layer.
_MAX_LEGEND_ENTRIES = 12
#: Side of a legend swatch, pixels.
_SWATCH_SIZE = 18
#: Colour of the line below an outline or a scale bar.
_HALO_COLOUR = "#ffffff"
_SCALE_BAR_COLOUR = "#000000"
#: Minimum side of a map, map units; a crown may be as small as a point.
_MIN_SIDE = 1.0


class Picture(NamedTuple):
    """An encoded image with its description."""

    #: Content of the image file.
    data: bytes
    #: MIME type of the file.
    mime_type: str
    #: Width, pixels.
    width: int
    #: Height, pixels.
    height: int
    #: Description of what the image shows, for readers who cannot see it.
    description: str


class LegendEntry(NamedTuple):
    """A line of a legend."""

    #: Image of the symbol; None for the heading with the name of a layer.
    swatch: Picture | None
    #: Label of the symbol, or name of the layer.
    label: str


@dataclass(frozen=True)
class MapLayers:
    """Copies of layers that can be rendered in another thread than the project's."""

    #: Copies, the topmost first; they belong to no thread except during rendering.
    layers: Sequence[QgsMapLayer]
    #: Datum transformations of the project.
    transform_context: QgsCoordinateTransformContext
    #: Unit of lengths on the map, for the scale bar.
    unit: str = "m"

    @classmethod
    def copy_of(
        cls, layers: Iterable[QgsMapLayer], context: QgsCoordinateTransformContext, unit: str = "m"
    ) -> MapLayers:
        """Copy layers; call on the main thread only.

        Args:
            layers: layers of the project, the topmost first; invalid copies are dropped.
            context: datum transformations of the project.
            unit: unit of lengths on the map, for the scale bar.
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
    ) -> QImage:
        """Render the layers on white in the current thread.

        Args:
            extent: extent of the map in ``map_crs``.
            map_crs: CRS of the map.
            size: size of the image, pixels.
            progress: callback that is checked for a cancel.

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
        image = QImage(size, QImage.Format.Format_RGB32)
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
    ) -> Picture:
        """Render a map of an extent with a scale bar.

        Args:
            extent: extent in ``map_crs``; the map has a margin around it.
            map_crs: CRS of the map.
            max_size: maximum size of the image, pixels. Its width and height are at least a third
                of the maximum.
            description: description of the image.
            progress: callback that is checked for a cancel.

        Raises:
            Cancelled: if ``progress`` raises it.
        """
        with_margin = QgsRectangle(extent)
        longer_side = max(extent.width(), extent.height(), _MIN_SIDE)
        with_margin.grow(_EXTENT_MARGIN * longer_side)
        units_per_pixel = max(
            with_margin.width() / max_size.width(), with_margin.height() / max_size.height()
        )
        size = QSize(
            max(round(with_margin.width() / units_per_pixel), max_size.width() // 3),
            max(round(with_margin.height() / units_per_pixel), max_size.height() // 3),
        )
        map_extent = QgsRectangle.fromCenterAndSize(
            with_margin.center(), units_per_pixel * size.width(), units_per_pixel * size.height()
        )
        image = self.render(map_extent, map_crs, size, progress)
        _draw_scale_bar(image, units_per_pixel, self.unit)
        return encode_image(image, description)

    def render_crown(
        self,
        outlines: Sequence[tuple[QgsGeometry, str]],
        outline_crs: QgsCoordinateReferenceSystem,
        map_crs: QgsCoordinateReferenceSystem,
        side: int,
        description: str,
        progress: Progress = no_progress,
    ) -> Picture:
        """Render a square map around outlines with a scale bar.

        Args:
            outlines: polygons in ``outline_crs`` with their colours (``#rrggbb``); empty ones, and
                those that cannot be transformed to ``map_crs``, are not drawn.
            outline_crs: CRS of the outlines.
            map_crs: CRS of the map.
            side: side of the image, pixels.
            description: description of the image.
            progress: callback that is checked for a cancel.

        Raises:
            Cancelled: if ``progress`` raises it.
        """
        transformed = [
            (_transform(outline, outline_crs, map_crs, self.transform_context), colour)
            for outline, colour in outlines
        ]
        drawn_outlines = [
            (outline, colour) for outline, colour in transformed if not outline.isEmpty()
        ]
        box = QgsRectangle()
        for outline, _ in drawn_outlines:
            box.combineExtentWith(outline.boundingBox())
        half_side = (0.5 + _CROWN_MARGIN) * max(box.width(), box.height(), _MIN_SIDE)
        map_extent = QgsRectangle.fromCenterAndSize(box.center(), 2 * half_side, 2 * half_side)
        image = self.render(map_extent, map_crs, QSize(side, side), progress)
        for outline, colour in drawn_outlines:
            _draw_outline(image, outline, colour, map_extent)
        _draw_scale_bar(image, 2 * half_side / side, self.unit)
        return encode_image(image, description)


def choose_map_crs(
    layer_crs: QgsCoordinateReferenceSystem,
    extent: QgsRectangle,
    context: QgsCoordinateTransformContext,
) -> QgsCoordinateReferenceSystem:
    """Return the CRS for a map of a layer: its own, or the UTM zone of its centre if in degrees.

    Args:
        layer_crs: CRS of the layer; an invalid one is returned unchanged.
        extent: extent of the layer in ``layer_crs``.
        context: datum transformations of the project.

    Raises:
        InputError: if the centre has no UTM zone.
    """
    if not layer_crs.isValid() or not is_in_degrees(layer_crs):
        return layer_crs
    centre = extent.center()
    return utm_zone("map", layer_crs, (centre.x(), centre.y()), context)


def transform_extent(
    extent: QgsRectangle,
    source_crs: QgsCoordinateReferenceSystem,
    target_crs: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
) -> QgsRectangle:
    """Transform an extent from one CRS to another; a null rectangle if that is impossible."""
    return _transform(QgsGeometry.fromRect(extent), source_crs, target_crs, context).boundingBox()


def legend_entries(layer: QgsMapLayer, name: str) -> list[LegendEntry]:
    """Return the legend of a layer; call on the main thread only.

    Args:
        layer: layer; only vector layers have a legend here.
        name: name of the layer in the legend.

    Returns:
        A heading with the name and an entry per class, at most 12; for a single class only its
        entry, with the name as label if it has none.
    """
    if not isinstance(layer, QgsVectorLayer) or layer.renderer() is None:
        return []
    entries = []
    for item in layer.renderer().legendSymbolItems()[:_MAX_LEGEND_ENTRIES]:
        if item.symbol() is not None:
            image = item.symbol().asImage(QSize(_SWATCH_SIZE, _SWATCH_SIZE))
            entries.append(LegendEntry(encode_image(image, "", "PNG"), item.label() or name))
    return entries if len(entries) == 1 else [LegendEntry(None, name), *entries]


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
    return Picture(bytes(buffer.data()), mime_type, image.width(), image.height(), description)


def _transform(
    geometry: QgsGeometry,
    source_crs: QgsCoordinateReferenceSystem,
    target_crs: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
) -> QgsGeometry:
    """Return a transformed copy of a geometry; an empty geometry if that is impossible.

    The coordinates stay unchanged if one CRS is invalid, as for layers without a CRS.
    """
    transformed = QgsGeometry(geometry)
    if source_crs.isValid() and target_crs.isValid() and source_crs != target_crs:
        try:
            transformed.transform(create_transform(source_crs, target_crs, context))
        except QgsCsException:
            return QgsGeometry()
    return transformed


def _draw_outline(image: QImage, outline: QgsGeometry, colour: str, extent: QgsRectangle) -> None:
    """Draw the rings of a polygon on an image, on a light line that is visible on any ground.

    Args:
        image: image to draw on, of a map of ``extent``.
        outline: polygon or multipolygon in the CRS of the map.
        colour: colour of the line (``#rrggbb``).
        extent: extent of the map.
    """
    units_per_pixel = extent.width() / image.width()
    path = QPainterPath()
    polygons = outline.asMultiPolygon() if outline.isMultipart() else [outline.asPolygon()]
    for polygon in polygons:
        for ring in polygon:
            points = [
                QPointF(
                    (point.x() - extent.xMinimum()) / units_per_pixel,
                    (extent.yMaximum() - point.y()) / units_per_pixel,
                )
                for point in ring
            ]
            path.addPolygon(QPolygonF(points))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for line_colour, width in ((_HALO_COLOUR, 4.0), (colour, 2.0)):
        painter.strokePath(path, QPen(QColor(line_colour), width))
    painter.end()


def _draw_scale_bar(image: QImage, units_per_pixel: float, unit: str) -> None:
    """Draw a scale bar with its length at the bottom left of an image.

    Its length is 1, 2 or 5 times a power of ten, and at most a quarter of the map.

    Args:
        image: image of a map to draw on.
        units_per_pixel: map units per pixel.
        unit: unit of the length.
    """
    max_length = units_per_pixel * image.width() / 4
    power = 10.0 ** math.floor(math.log10(max_length))
    length = max(step * power for step in (1, 2, 5) if step * power <= max_length)
    bar_width = length / units_per_pixel
    left = 10
    bottom = image.height() - 12

    painter = QPainter(image)
    label = tr("{length:g} {unit}", length=length, unit=unit)
    label_box = painter.fontMetrics().boundingRect(label)
    painter.fillRect(
        left - 5,
        bottom - label_box.height() - 6,
        round(max(bar_width, label_box.width())) + 10,
        label_box.height() + 14,
        QColor(255, 255, 255, 190),
    )
    for colour, width in ((_HALO_COLOUR, 5), (_SCALE_BAR_COLOUR, 2)):
        pen = QPen(QColor(colour), width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLine(QPointF(left, bottom), QPointF(left + bar_width, bottom))
    painter.setPen(QColor(_SCALE_BAR_COLOUR))
    painter.drawText(QPointF(left, bottom - 5), label)
    painter.end()
