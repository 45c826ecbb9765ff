"""Bringing a place of the map into view, and drawing the eye to it."""

from __future__ import annotations

from qgis.core import QgsGeometry, QgsRectangle
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtGui import QColor

__all__ = ["bring_into_view", "flash"]

_ROOM = 1.5
_FAR = 5.0
_FLASH = (QColor(255, 255, 255, 220), QColor(255, 255, 255, 0))


def bring_into_view(canvas: QgsMapCanvas, extent: QgsRectangle) -> None:
    """Move the map there, unless it shows the place already and is near enough."""
    if extent.isEmpty():
        return
    wanted = QgsRectangle(extent)
    wanted.scale(_ROOM)
    shown = canvas.extent()
    near_enough = shown.width() < _FAR * wanted.width() and shown.height() < _FAR * wanted.height()
    if not (near_enough and shown.contains(wanted)):
        wanted.scale(_ROOM)
        canvas.setExtent(wanted)
        canvas.refresh()


def flash(canvas: QgsMapCanvas, geometry: QgsGeometry) -> None:
    """Flash a geometry, in the coordinates of the map."""
    canvas.flashGeometries([geometry], canvas.mapSettings().destinationCrs(), *_FLASH, flashes=2, duration=250)
