"""RandCrowns against IoU, one point per crown, linked to the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QWidget

from randcrowns.ui.widgets.plot import PlotWidget
from randcrowns.ui.words import tr

__all__ = ["ScatterPlot"]

_POINT, _CHOSEN = "#0072b2", "#d55e00"
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

    def set_frame(self, frame: pd.DataFrame, title: str) -> None:
        """Plot these rows (columns ``randcrowns`` and ``iou``)."""
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
        """One point per crown."""
        axes.set(
            xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="IoU", ylabel="RandCrowns", title=self._title, aspect="equal"
        )
        axes.title.set_fontsize(10)
        axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8, linestyle=":")
        axes.grid(True, color="#e6e6e6", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.scatter(
            self._frame["iou"], self._frame["randcrowns"], s=16, color=_POINT, alpha=0.6, linewidths=0, picker=True
        )
        if 0 <= self._chosen < len(self._frame):
            row = self._frame.iloc[self._chosen]
            axes.scatter([row["iou"]], [row["randcrowns"]], s=70, facecolors="none", edgecolors=_CHOSEN, linewidths=2)

    def clicked(self, event: Any) -> None:
        """Choose the nearest crown."""
        if not len(self._frame):
            return
        points = self._frame[["iou", "randcrowns"]].to_numpy(dtype=float)
        pixels = self._axes.transData.transform(points)
        away = np.hypot(*(pixels - (event.x, event.y)).T)
        if np.isfinite(away).any() and np.nanmin(away) <= _NEAR:
            self.row_chosen.emit(int(np.nanargmin(away)))
