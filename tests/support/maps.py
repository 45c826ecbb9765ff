"""Maps of layers as pictures."""

from __future__ import annotations

from collections.abc import Sequence

from qgis.core import (
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsMapLayer,
    QgsMapRendererCustomPainterJob,
    QgsMapSettings,
    QgsProject,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor, QImage, QPainter

__all__ = ["map_picture"]


def map_picture(layers: Sequence[QgsMapLayer], extent: QgsRectangle, scale: int) -> QImage:
    """Return a picture of layers on white, with the variables of the project.

    Args:
        layers: the layers, the uppermost first.
        extent: extent of the map.
        scale: pixels per unit of the map.
    """
    settings = QgsMapSettings()
    settings.setLayers(list(layers))
    settings.setExtent(extent)
    size = QSize(round(scale * extent.width()), round(scale * extent.height()))
    settings.setOutputSize(size)
    context = QgsExpressionContext()
    context.appendScope(QgsExpressionContextUtils.projectScope(QgsProject.instance()))
    settings.setExpressionContext(context)
    image = QImage(size, QImage.Format.Format_ARGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    job = QgsMapRendererCustomPainterJob(settings, painter)
    job.renderSynchronously()
    painter.end()
    return image
