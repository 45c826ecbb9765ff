"""Pictures of maps for a report: layers drawn off the screen, on any thread, with outlines and a bar of scale."""

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

from randcrowns.core.progress import Progress, no_progress, stopping
from randcrowns.layers.crs import in_degrees, transform_between, utm_zone
from randcrowns.layers.words import tr

#: Of a JPEG, and what is drawn around crowns, as a share of their size.
_QUALITY, _AROUND = 85, 0.35
#: Most entries of a legend for one layer.
_MOST_ENTRIES = 12
_SWATCH = 18
#: Colours under a line, and of the bar of scale.
_HALO, _BAR = "#ffffff", "#000000"
#: Degrees of a crown that is as small as a point.
_LEAST_SIDE = 1.0


class Picture(NamedTuple):
    """A picture: the bytes of its file, their type, its size in pixels, and what it shows in words."""

    data: bytes
    kind: str
    width: int
    height: int
    words: str


class LegendEntry(NamedTuple):
    """A line of a legend: a swatch, None for the name of a layer, and words."""

    swatch: Picture | None
    words: str


@dataclass(frozen=True)
class MapLayers:
    """Copies of layers that may be drawn on another thread than the project's, the uppermost first."""

    layers: Sequence[QgsMapLayer]  #: the copies; they belong to no thread until they are drawn.
    transform_context: (
        QgsCoordinateTransformContext  #: the project's choices of datum transformations.
    )
    unit: str = "m"  #: of lengths on the map.

    @classmethod
    def of(
        cls, layers: Iterable[QgsMapLayer], context: QgsCoordinateTransformContext, unit: str = "m"
    ) -> MapLayers:
        """Copy them; call it on the main thread."""
        copies = [
            copy for layer in layers if (copy := layer.clone()) is not None and copy.isValid()
        ]
        for copy in copies:
            copy.moveToThread(None)
        return cls(copies, context, unit)

    def __del__(self) -> None:
        for layer in self.layers:  # Qt deletes nothing that belongs to no thread
            layer.moveToThread(QThread.currentThread())
            layer.moveToThread(QgsApplication.instance().thread())

    def drawn(
        self,
        extent: QgsRectangle,
        crs: QgsCoordinateReferenceSystem,
        size: QSize,
        progress: Progress = no_progress,
    ) -> QImage:
        """The layers on white, in the thread that asks."""
        settings = QgsMapSettings()
        for layer in self.layers:
            layer.moveToThread(QThread.currentThread())
        settings.setLayers(list(self.layers))
        settings.setDestinationCrs(crs)
        settings.setTransformContext(self.transform_context)
        settings.setExtent(extent)
        settings.setOutputSize(size)
        image = QImage(size, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        job = QgsMapRendererCustomPainterJob(settings, painter)
        try:
            with stopping(job.cancelWithoutBlocking, progress):
                job.renderSynchronously()
        finally:
            painter.end()
            for layer in self.layers:
                layer.moveToThread(None)
        return image

    def map(
        self,
        extent: QgsRectangle,
        crs: QgsCoordinateReferenceSystem,
        most: QSize,
        words: str,
        progress: Progress = no_progress,
    ) -> Picture:
        """A map of an extent with a bar of scale, at most so large and at least a third as wide and high."""
        around = QgsRectangle(extent)
        around.grow(0.03 * max(extent.width(), extent.height(), _LEAST_SIDE))
        per_pixel = max(around.width() / most.width(), around.height() / most.height())
        size = QSize(
            max(round(around.width() / per_pixel), most.width() // 3),
            max(round(around.height() / per_pixel), most.height() // 3),
        )
        shown = QgsRectangle.fromCenterAndSize(
            around.center(), per_pixel * size.width(), per_pixel * size.height()
        )
        image = self.drawn(shown, crs, size, progress)
        _draw_scale(image, per_pixel, self.unit)
        return encoded(image, words)

    def crown(
        self,
        outlines: Sequence[tuple[QgsGeometry, str]],
        system: QgsCoordinateReferenceSystem,
        crs: QgsCoordinateReferenceSystem,
        side: int,
        words: str,
        progress: Progress = no_progress,
    ) -> Picture:
        """A square map around outlines, drawn in their colours; those that are empty are left out."""
        placed = (
            (_moved(shape, system, crs, self.transform_context), colour)
            for shape, colour in outlines
        )
        moved = [(shape, colour) for shape, colour in placed if not shape.isEmpty()]
        box = QgsRectangle()
        for shape, _ in moved:
            box.combineExtentWith(shape.boundingBox())
        half = (0.5 + _AROUND) * max(box.width(), box.height(), _LEAST_SIDE)
        shown = QgsRectangle.fromCenterAndSize(box.center(), 2 * half, 2 * half)
        image = self.drawn(shown, crs, QSize(side, side), progress)
        for shape, colour in moved:
            _draw_outline(image, shape, colour, shown)
        _draw_scale(image, 2 * half / side, self.unit)
        return encoded(image, words)


def map_system(
    system: QgsCoordinateReferenceSystem,
    extent: QgsRectangle,
    context: QgsCoordinateTransformContext,
) -> QgsCoordinateReferenceSystem:
    """What a map of a layer is drawn in: the layer's own, or in degrees the UTM zone of its middle."""
    if not system.isValid() or not in_degrees(system):
        return system
    return utm_zone("map", system, (extent.center().x(), extent.center().y()), context)


def extent_in(
    extent: QgsRectangle,
    system: QgsCoordinateReferenceSystem,
    crs: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
) -> QgsRectangle:
    """An extent in another system."""
    return _moved(QgsGeometry.fromRect(extent), system, crs, context).boundingBox()


def legend_of(layer: QgsMapLayer, name: str) -> list[LegendEntry]:
    """The legend of a layer: its name, then a line per class; on the main thread."""
    if not isinstance(layer, QgsVectorLayer) or layer.renderer() is None:
        return []
    entries = []
    for item in layer.renderer().legendSymbolItems()[:_MOST_ENTRIES]:
        if item.symbol() is not None:
            swatch = encoded(item.symbol().asImage(QSize(_SWATCH, _SWATCH)), "", "PNG")
            entries.append(LegendEntry(swatch, item.label() or name))
    return entries if len(entries) == 1 else [LegendEntry(None, name), *entries]


def encoded(image: QImage, words: str, form: str = "JPG") -> Picture:
    """An image as a file; as a PNG where this Qt writes no JPEG."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if form == "PNG" or not image.save(buffer, form, _QUALITY):
        form = "PNG"
        image.save(buffer, form)
    kind = "image/png" if form == "PNG" else "image/jpeg"
    return Picture(bytes(buffer.data()), kind, image.width(), image.height(), words)


def _moved(
    shape: QgsGeometry,
    system: QgsCoordinateReferenceSystem,
    crs: QgsCoordinateReferenceSystem,
    context: QgsCoordinateTransformContext,
) -> QgsGeometry:
    moved = QgsGeometry(shape)
    if system.isValid() and crs.isValid() and system != crs:
        try:
            moved.transform(transform_between(system, crs, context))
        except QgsCsException:
            return QgsGeometry()
    return moved


def _draw_outline(image: QImage, shape: QgsGeometry, colour: str, shown: QgsRectangle) -> None:
    """The rings of an outline, on a light line so that it is seen on any image."""
    per_pixel, path = shown.width() / image.width(), QPainterPath()
    for part in shape.asMultiPolygon() if shape.isMultipart() else [shape.asPolygon()]:
        for ring in part:
            points = [
                QPointF(
                    (p.x() - shown.xMinimum()) / per_pixel, (shown.yMaximum() - p.y()) / per_pixel
                )
                for p in ring
            ]
            path.addPolygon(QPolygonF(points))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for ink, width in ((_HALO, 4.0), (colour, 2.0)):
        painter.strokePath(path, QPen(QColor(ink), width))
    painter.end()


def _draw_scale(image: QImage, per_pixel: float, unit: str) -> None:
    """A bar of 1, 2 or 5 times a power of ten, about a quarter of the map, with its length."""
    about = per_pixel * image.width() / 4
    power = 10.0 ** math.floor(math.log10(about))
    length = max(step * power for step in (1, 2, 5) if step * power <= about)
    long, left, low = length / per_pixel, 10, image.height() - 12
    painter = QPainter(image)
    words = tr("{length:g} {unit}", length=length, unit=unit)
    room = painter.fontMetrics().boundingRect(words)
    box = (
        left - 5,
        low - room.height() - 6,
        round(max(long, room.width())) + 10,
        room.height() + 14,
    )
    painter.fillRect(*box, QColor(255, 255, 255, 190))
    for ink, width in ((_HALO, 5), (_BAR, 2)):
        pen = QPen(QColor(ink), width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLine(QPointF(left, low), QPointF(left + long, low))
    painter.setPen(QColor(_BAR))
    painter.drawText(QPointF(left, low - 5), words)
    painter.end()
