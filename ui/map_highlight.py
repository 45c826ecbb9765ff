"""Rubber bands that show one crown and its regions on the map, and leave no trace."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsGeometry, QgsWkbTypes
from qgis.gui import QgsMapCanvas, QgsRubberBand
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QColor

from randcrowns.ui.colours import DELINEATION, REGIONS, TARGET, VEIL
from randcrowns.ui.connections import safely

__all__ = ["MapHighlight"]

#: Region fills let the image show through; a veil quietens everything else.
_FILL_ALPHA = 150
_VEIL_ALPHA = 130
_VEIL_REACH = 40.0
_DRAWN = ("b", "a", "d", "c")


class MapHighlight:
    """The drawings of one page on one map canvas. Geometries are in the map's coordinates."""

    def __init__(self, canvas: QgsMapCanvas) -> None:
        self._canvas = canvas
        self._bands: list[QgsRubberBand] = []

    @property
    def bands(self) -> list[QgsRubberBand]:
        """What is drawn now."""
        return list(self._bands)

    def show(
        self, target: QgsGeometry | None, delineation: QgsGeometry | None, regions: dict[str, QgsGeometry]
    ) -> None:
        """Draw the regions, then the delineation (black) and the target (red) above them."""
        self.clear()
        shown = target if target is not None else delineation
        if shown is None:
            return
        around = shown.boundingBox()
        around.scale(_VEIL_REACH)
        self._draw(QgsGeometry.fromRect(around), VEIL, alpha=_VEIL_ALPHA, width=0)
        for name in _DRAWN:
            if name in regions and not regions[name].isEmpty():
                self._draw(regions[name], REGIONS[name], alpha=_FILL_ALPHA, width=1)
        if delineation is not None and not delineation.isEmpty():
            self._draw(delineation, DELINEATION, alpha=0, width=2)
        if target is not None:
            self._draw(target, TARGET, alpha=0, width=2)

    def clear(self) -> None:
        """Take every drawing off the map."""
        bands, self._bands = self._bands, []
        for band in bands:
            safely(self._remove, band)

    def _remove(self, band: QgsRubberBand) -> None:
        band.reset(QgsWkbTypes.GeometryType.PolygonGeometry)
        scene: Any = self._canvas.scene()
        scene.removeItem(band)

    def _draw(self, geometry: QgsGeometry, colour: str, alpha: int, width: int) -> None:
        band = QgsRubberBand(self._canvas, QgsWkbTypes.GeometryType.PolygonGeometry)
        band.setToGeometry(geometry, None)
        inside = QColor(colour)
        inside.setAlpha(alpha)
        band.setFillColor(inside)
        band.setStrokeColor(QColor(colour))
        band.setWidth(width)
        if not width:
            band.setLineStyle(Qt.PenStyle.NoPen)
        self._bands.append(band)
