"""RandCrowns against IoU, one point per crown, linked to the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import QEvent, pyqtSignal
from qgis.PyQt.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from randcrowns.ui.memory import preference, set_preference
from randcrowns.ui.words import tr

__all__ = ["ScatterPlot"]

_POINT, _CHOSEN = "#0072b2", "#d55e00"
_NEAR = 8.0


class ScatterPlot(QWidget):
    """Made of matplotlib when first shown. :attr:`row_chosen` tells the row of the table that was clicked."""

    row_chosen = pyqtSignal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._frame = pd.DataFrame({"randcrowns": [], "iou": []})
        self._title = ""
        self._chosen = -1
        self._canvas: Any = None
        self._axes: Any = None
        self._window: QDialog | None = None
        self._window_plot: ScatterPlot | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        self.open_button = QPushButton(tr("Own window"))
        self.open_button.clicked.connect(self.open_window)
        self.save_button = QPushButton(tr("Save…"))
        self.save_button.setToolTip(tr("Save the plot as PNG or SVG."))
        self.save_button.clicked.connect(self.ask_and_save)
        row.addStretch(1)
        row.addWidget(self.open_button)
        row.addWidget(self.save_button)
        self._column.addLayout(row)

    def set_frame(self, frame: pd.DataFrame, title: str) -> None:
        """Plot these rows (columns ``randcrowns`` and ``iou``)."""
        self._frame, self._title, self._chosen = frame, title, -1
        self._draw()
        if self._window_plot is not None:
            self._window_plot.set_frame(frame, title)

    def choose(self, row: int) -> None:
        """Mark the point of this row; -1 marks none."""
        if row == self._chosen:
            return
        self._chosen = row
        self._draw()
        if self._window_plot is not None:
            self._window_plot.choose(row)

    def save(self, path: str) -> None:
        """Save the plot; the ending of the name says as what."""
        self._make()
        if self._axes is not None:
            self._axes.figure.savefig(path, dpi=200)

    def ask_and_save(self) -> None:
        """Ask where, then save."""
        start = Path(preference("folder", str(Path.home()))) / "randcrowns_scores.png"
        kinds = tr("Picture (*.png);;Drawing (*.svg)")
        path, kind = QFileDialog.getSaveFileName(self, tr("Save plot"), str(start), kinds)
        if path:
            set_preference("folder", str(Path(path).parent))
            ending = ".svg" if "svg" in kind else ".png"
            self.save(path if Path(path).suffix in (".png", ".svg") else path + ending)

    def open_window(self) -> None:
        """Show the plot large, in a window of its own, linked to the same table."""
        if self._window is None:
            self._window = QDialog(self.window())
            self._window.setWindowTitle(tr("RandCrowns and IoU"))
            self._window_plot = ScatterPlot(self._window)
            self._window_plot.open_button.hide()
            self._window_plot.row_chosen.connect(self.row_chosen)
            column = QVBoxLayout(self._window)
            column.addWidget(self._window_plot)
            self._window.resize(800, 700)
        if self._window_plot is not None:
            self._window_plot.set_frame(self._frame, self._title)
            self._window_plot.choose(self._chosen)
        self._window.show()
        self._window.raise_()

    def close_window(self) -> None:
        """Close the window of its own."""
        if self._window is not None:
            self._window.close()

    def showEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._make()

    def _make(self) -> None:
        if self._canvas is not None:
            return
        try:
            from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg
            from matplotlib.figure import Figure
        except ImportError:
            self._canvas = QLabel(tr("Plots need matplotlib: python3 -m pip install --user matplotlib"))
            self._canvas.setWordWrap(True)
            self._column.insertWidget(0, self._canvas, 1)
            return
        figure = Figure(figsize=(4, 4), layout="constrained")
        self._axes = figure.add_subplot()
        self._canvas = FigureCanvasQTAgg(figure)
        self._canvas.setMinimumSize(200, 180)
        self._canvas.mpl_connect("button_press_event", self._click)
        self._column.insertWidget(0, self._canvas, 1)
        self._draw()

    def _draw(self) -> None:
        if self._axes is None:
            return
        axes = self._axes
        axes.clear()
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
        self._canvas.draw_idle()

    def _click(self, event: Any) -> None:
        if event.inaxes is not self._axes or not len(self._frame):
            return
        points = self._frame[["iou", "randcrowns"]].to_numpy(dtype=float)
        pixels = self._axes.transData.transform(points)
        away = np.hypot(*(pixels - (event.x, event.y)).T)
        if np.isfinite(away).any() and np.nanmin(away) <= _NEAR:
            self.row_chosen.emit(int(np.nanargmin(away)))
