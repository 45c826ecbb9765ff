"""RandCrowns against IoU, one point per crown, linked to the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QWidget

from randcrowns.layers.styles.figures import draw_scatter
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.plot import PlotWidget

_NEAR = 8.0


class ScatterPlot(PlotWidget):
    """:attr:`row_chosen` tells the row of the table that was clicked."""

    row_chosen = pyqtSignal(int)
    file_name = "randcrowns_scores"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.window_title = tr("RandCrowns and IoU")
        self._frame = pd.DataFrame({"randcrowns": [], "iou": []})
        self._title = ""
        self._chosen = -1
        self._following = False

    def set_frame(self, frame: pd.DataFrame, title: str) -> None:
        """Plot these rows (columns ``randcrowns``, ``iou`` and, if wanted, ``series``)."""
        self._frame, self._title, self._chosen = frame, title, -1
        self.redraw()

    def choose(self, row: int) -> None:
        """Mark the point of this row; -1 marks none."""
        if row != self._chosen:
            self._chosen = row
            self.redraw()

    def twin(self, parent: QWidget) -> PlotWidget:
        """Linked to the same table."""
        plot = ScatterPlot(parent)
        plot.row_chosen.connect(self.row_chosen)
        return plot

    def show_in(self, twin: ScatterPlot) -> None:
        """The same rows, the same one chosen."""
        twin.set_frame(self._frame, self._title)
        twin.choose(self._chosen)

    def draw(self, axes: Any) -> None:
        """One point per row; one series per value of the column ``series``, if there is one."""
        draw_scatter(axes, self._frame, self._title, self._chosen)
        if not self._following and axes.figure.canvas is not None:
            self._following = True
            axes.figure.canvas.mpl_connect("resize_event", lambda _: self.redraw_here())  # the legend is where room is

    def clicked(self, event: Any) -> None:
        """Choose the nearest crown."""
        if not len(self._frame):
            return
        points = self._frame[["iou", "randcrowns"]].to_numpy(dtype=float)
        pixels = self.axes.transData.transform(points)
        away = np.hypot(*(pixels - (event.x, event.y)).T)
        if np.isfinite(away).any() and np.nanmin(away) <= _NEAR:
            self.row_chosen.emit(int(np.nanargmin(away)))
