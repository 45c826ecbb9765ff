"""Bringing a place of the map into view, and drawing the eye to it."""

from __future__ import annotations

from qgis.core import QgsGeometry, QgsRectangle
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtGui import QColor

__all__ = ["bring_into_view", "flash"]

#: Share of the map that a crown takes once it is gone to, and the shares at which the scale is left alone.
_SHARE = 0.4
_FITTING = (0.25, 0.6)
_MARGIN = 1.2
_FLASH = (QColor(255, 255, 255, 220), QColor(255, 255, 255, 0))


def bring_into_view(canvas: QgsMapCanvas, extent: QgsRectangle) -> None:
    """Show the place at a size at which it can be judged; where it has one already the map moves only if it must."""
    if extent.isEmpty():
        return
    shown = canvas.extent()
    share = max(extent.width() / shown.width(), extent.height() / shown.height()) if not shown.isEmpty() else 0.0
    wanted = QgsRectangle(extent)
    if not _FITTING[0] <= share <= _FITTING[1]:
        wanted.scale(1 / _SHARE)
        canvas.setExtent(wanted)
        canvas.refresh()
        return
    wanted.scale(_MARGIN)
    if not shown.contains(wanted):
        canvas.setCenter(extent.center())
        canvas.refresh()


def flash(canvas: QgsMapCanvas, geometry: QgsGeometry) -> None:
    """Flash a geometry, in the coordinates of the map."""
    canvas.flashGeometries([geometry], canvas.mapSettings().destinationCrs(), *_FLASH, flashes=2, duration=250)
