"""A plot that can be saved and opened in a window of its own; matplotlib is imported when one is first shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import QEvent, pyqtSignal
from qgis.PyQt.QtWidgets import QDialog, QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from randcrowns.layers.styles.figures import draw_scatter, new_figure
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.table_view import ask_and_save


class PlotWidget(QWidget):
    """What is drawn is said by :meth:`draw`; a subclass keeps its data and calls :meth:`redraw` when they change."""

    #: Title of the window of its own, and name of the file it is saved as.
    window_title = ""
    file_name = "randcrowns_plot"
    #: Pixels below which the plot cannot be read; where there is less room it is scrolled, if it may be.
    least_height = 180
    scrolled = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        #: Of matplotlib; made when the plot is first shown.
        self.canvas: Any = None
        self.axes: Any = None
        self._window: QDialog | None = None
        self._window_plot: Any = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.buttons = QHBoxLayout()
        self.open_button = QPushButton(tr("Own window"))
        self.open_button.clicked.connect(self.open_window)
        self.save_button = QPushButton(tr("Save…"))
        self.save_button.setToolTip(tr("Save the plot as PNG or SVG."))
        self.save_button.clicked.connect(self.ask_and_save)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.open_button)
        self.buttons.addWidget(self.save_button)
        self._column.addLayout(self.buttons)

    def draw(self, axes: Any) -> None:
        """Draw everything on the empty axes."""
        raise NotImplementedError

    def clicked(self, event: Any) -> None:
        """The mouse was pressed within the axes."""

    def twin(self, parent: QWidget) -> PlotWidget:
        """A plot for the window of its own."""
        raise NotImplementedError

    def show_in(self, twin: Any) -> None:
        """Show in the twin what this plot shows."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw anew, here and in the window."""
        self.redraw_here()
        if self._window_plot is not None:
            self.show_in(self._window_plot)

    def redraw_here(self) -> None:
        """Draw anew, not in the window of its own."""
        if self.axes is not None:
            self.axes.clear()
            self.draw(self.axes)
            self.canvas.draw_idle()

    def save(self, path: str) -> None:
        """Save the plot; the ending of the name says as what."""
        self._make()
        if self.axes is not None:
            self.axes.figure.savefig(path, dpi=200)

    def ask_and_save(self) -> None:
        """Ask where, then save."""
        kinds = {".png": tr("Picture"), ".svg": tr("Drawing")}
        ask_and_save(self, tr("Save plot"), self.file_name, kinds, self.save, tr("Plot saved as {file}."))

    def open_window(self) -> None:
        """Show the plot large, in a window of its own."""
        if self._window is None:
            self._window = QDialog(self.window())
            self._window.setWindowTitle(self.window_title)
            self._window_plot = self.twin(self._window)
            self._window_plot.open_button.hide()
            column = QVBoxLayout(self._window)
            column.addWidget(self._window_plot)
            self._window.resize(800, 700)
        self.show_in(self._window_plot)
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
        if self.canvas is not None:
            return
        try:
            from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg
        except ImportError:
            self.canvas = QLabel(tr("Plots need matplotlib: python3 -m pip install --user matplotlib"))
            self.canvas.setWordWrap(True)
            self._column.insertWidget(0, self.canvas, 1)
            return
        figure = new_figure(4, 4)
        self.axes = figure.add_subplot()
        self.canvas = FigureCanvasQTAgg(figure)
        self.canvas.setMinimumSize(200, self.least_height)
        self.canvas.mpl_connect("button_press_event", self._press)
        self._column.insertWidget(0, _in_scroll_area(self.canvas) if self.scrolled else self.canvas, 1)
        self.redraw()

    def _press(self, event: Any) -> None:
        if event.inaxes is self.axes:
            self.clicked(event)


def _in_scroll_area(canvas: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidget(canvas)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    return area


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
