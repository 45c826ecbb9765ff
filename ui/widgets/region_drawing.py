"""A little drawing of the regions around one crown, true to scale, that follows the parameters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from qgis.PyQt.QtCore import QPointF, QSize, Qt
from qgis.PyQt.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from qgis.PyQt.QtWidgets import QSizePolicy, QWidget

from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.layers.styles.sketch import sketch_regions
from randcrowns.layers.words import tr
from randcrowns.ui.colours import REGIONS, TARGET

__all__ = ["RegionDrawing"]

Rings = list[NDArray[np.float64]]
_MARGIN = 4
_UNJUDGED = "#efefef"


class RegionDrawing(QWidget):
    """Yellow: surely crown. Grey: not judged. Mint: surely not crown. Red: the target's outline."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._regions: dict[str, Rings] = {}
        self._too_small = False

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(150, 110)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(70, 84)

    def set_parameters(self, alpha: float, omega: float, gamma: float) -> None:
        """Draw the regions for these."""
        self._regions = sketch_regions(RandCrownsParameters(alpha, omega, gamma))
        self._too_small = not self._regions["a"]
        words = tr(
            "A crown of about 6 x 5 m. Yellow: surely crown. Grey: not judged, outlines may differ here. "
            "Mint: surely not crown. Red: the target's outline."
        )
        if self._too_small:
            words += " " + tr("With these values nothing of it is surely crown: it would be too small to score.")
        self.setToolTip(words)
        self.setAccessibleDescription(words)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        layers = (("e", REGIONS["b"]), ("o", _UNJUDGED), ("a", REGIONS["a"]))
        for name, colour in layers:
            painter.setPen(QPen(QColor(colour).darker(130), 1))
            painter.setBrush(QColor(colour))
            painter.drawPath(self._path(name))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(TARGET), 1.6))
        painter.drawPath(self._path("target"))
        painter.end()

    def _path(self, name: str) -> QPainterPath:
        everything = np.concatenate([ring for rings in self._regions.values() for ring in rings] or [np.zeros((1, 2))])
        low, high = everything.min(axis=0), everything.max(axis=0)
        room = np.array([self.width(), self.height()]) - 2.0 * _MARGIN
        scale = float(np.min(room / np.maximum(high - low, 1e-9)))
        middle = (low + high) / 2
        path = QPainterPath()
        for ring in self._regions.get(name, []):
            x = self.width() / 2 + (ring[:, 0] - middle[0]) * scale
            y = self.height() / 2 - (ring[:, 1] - middle[1]) * scale
            path.addPolygon(QPolygonF([QPointF(a, b) for a, b in zip(x.tolist(), y.tolist())]))
            path.closeSubpath()
        return path
