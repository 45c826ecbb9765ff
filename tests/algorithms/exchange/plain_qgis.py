"""A look into a GeoPackage with a QGIS that has a fresh profile and not this plugin.

Run as ``python plain_qgis.py RESULT_FILE``: prints, as JSON, what it finds of every table.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

_WIDTH, _HEIGHT = 300, 200


def _drawn(layer: Any) -> list[Any]:
    from qgis.core import (
        QgsExpressionContextUtils,
        QgsMapRendererCustomPainterJob,
        QgsMapSettings,
        QgsRenderContext,
    )
    from qgis.PyQt.QtCore import QSize
    from qgis.PyQt.QtGui import QColor, QImage, QPainter

    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setDestinationCrs(layer.crs())
    settings.setExtent(layer.extent().buffered(2))
    settings.setOutputSize(QSize(_WIDTH, _HEIGHT))
    picture = QImage(_WIDTH, _HEIGHT, QImage.Format.Format_ARGB32)
    picture.fill(QColor("white"))
    painter = QPainter(picture)
    QgsMapRendererCustomPainterJob(settings, painter).renderSynchronously()
    painter.end()
    colours = {picture.pixel(x, y) for x in range(_WIDTH) for y in range(_HEIGHT)}
    context = QgsRenderContext()
    context.expressionContext().appendScopes(
        QgsExpressionContextUtils.globalProjectLayerScopes(layer)
    )
    layer.renderer().startRender(context, layer.fields())
    shown = 0
    for feature in layer.getFeatures():
        context.expressionContext().setFeature(feature)
        shown += layer.renderer().symbolForFeature(feature, context) is not None
    layer.renderer().stopRender(context)
    return [layer.renderer().type(), len(colours), shown, layer.featureCount()]


def _main(file: str) -> None:
    from qgis.core import QgsApplication, QgsProviderRegistry, QgsVectorLayer

    application = QgsApplication([], True)
    application.initQgis()
    found = {}
    for part in QgsProviderRegistry.instance().querySublayers(file):
        layer = QgsVectorLayer(part.uri(), part.name(), "ogr")
        count, _, names, _, _ = layer.listStylesInDatabase()
        kind = _drawn(layer) if layer.isSpatial() else "table"
        found[part.name()] = [kind, names[: max(count, 0)], layer.mapTipTemplate() != ""]
    assert "randcrowns" not in sys.modules
    print(json.dumps(found), flush=True)
    os._exit(0)


if __name__ == "__main__":
    _main(sys.argv[1])
