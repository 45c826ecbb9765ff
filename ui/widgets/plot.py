"""A plot that can be saved and opened in a window of its own; matplotlib is imported when one is first shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import QEvent, pyqtSignal
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from randcrowns.layers.installing import trouble
from randcrowns.layers.libraries import PLOTS
from randcrowns.layers.styles.figures import (
    draw_scatter,
    new_figure,
    picture_of,
    put_on,
    save_signed,
)
from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_watch import after
from randcrowns.ui.services.libraries import InstallButton
from randcrowns.ui.services.saving import ask_and_save
from randcrowns.ui.widgets.colours import INK, ground_of, is_dark, may_stand_elsewhere
from randcrowns.ui.widgets.parts import fill, in_scroll_area
from randcrowns.ui.widgets.wheel import WheelGuard


class PlotWidget(QWidget):
    """A subclass draws :attr:`data` in :meth:`draw`, once there are any."""

    #: Title of the window of its own, and name of the file it is saved as.
    window_title = ""
    file_name = "randcrowns_plot"
    #: Inches of a saved plot; without them it is saved as it is shown.
    saved_size: tuple[float, float] | None = None
    #: Names of its signals, which the plot in the window of its own tells as well.
    signals: tuple[str, ...] = ()
    #: Whether its size decides what is written in it.
    follows_size = False
    #: Pixels below which the plot cannot be read; where there is less room it is scrolled, if it may be.
    least_height = 180
    scrolled = False

    def __init__(self) -> None:
        super().__init__()
        self.data: tuple[Any, ...] = ()
        #: How what is shown was made, written below a saved plot.
        self.made = ""
        self.canvas: Any = None
        self._again = after(0, self.redraw_here, self)
        self._due = False
        #: axes, canvas: of matplotlib; None until the plot is first shown.
        self.axes: Any = None
        #: The button that is there instead where plots cannot be drawn.
        self.install: InstallButton | None = None
        #: own_window, window_plot: the window of its own and the plot in it; None until it is first opened.
        self.own_window: QDialog | None = None
        self.window_plot: Any = None
        self.open_button = QPushButton(tr("Own window"))
        self.open_button.clicked.connect(self.open_window)
        self.save_button = QPushButton(tr("Save…"))
        self.save_button.setToolTip(tr("Save the plot as PNG or SVG."))
        self.save_button.clicked.connect(self.ask_and_save)
        self.buttons = fill(QHBoxLayout(), 1, self.open_button, self.save_button)
        self._column = fill(QVBoxLayout(self), self.buttons)

    def draw(self, axes: Any) -> None:
        """Draw everything on the empty axes."""
        raise NotImplementedError

    def show_data(self, *data: Any) -> None:
        """Draw these."""
        self.data = data
        self.redraw()

    def clicked(self, event: Any) -> None:
        """The mouse was pressed within the axes."""

    def pressed(self, event: Any) -> None:
        """The mouse was pressed anywhere in the plot."""
        if event.inaxes is self.axes:
            self.clicked(event)

    def listeners(self) -> dict[str, Callable[[Any], object]]:
        """What is called at which event of matplotlib."""
        follow = {"resize_event": lambda _: self.redraw_here()} if self.follows_size else {}
        return {"button_press_event": self.pressed, **follow}

    def redraw(self) -> None:
        """Draw anew, here and in the window."""
        self.redraw_here()
        if self.window_plot is not None:
            self.window_plot.show_data(*self.data)

    def redraw_here(self) -> None:
        """Draw anew, not in the window of its own; a plot that nobody sees is drawn once it is seen."""
        self._due = not self.isVisible()
        if self.axes is not None and not self._due:
            self.axes.clear()
            if self.data:
                self.draw(self.axes)
            self._colour()

    def _colour(self) -> None:
        """Colour it for what it stands on: white paper in a light window."""
        ground = ground_of(self)
        paper = ground if is_dark(ground) else QColor("#ffffff")
        put_on(self.axes.figure, paper.name(), INK.on(paper))
        self.canvas.draw_idle()

    def event(self, event: QEvent) -> bool:
        """Another theme has other colours."""
        done = super().event(event)
        if may_stand_elsewhere(event) and self.canvas is not None:
            self._again.start()  # QGIS changes the palette after the style
        return bool(done)

    def save(self, path: str) -> None:
        """Save the plot; the ending of the name says as what."""
        self._make()
        if self.axes is None:
            return
        figure = new_figure(*(self.saved_size or self.axes.figure.get_size_inches()))
        if self.data:
            self.draw(figure.add_subplot())
        save_signed(figure, path, self.made)

    def picture(self, width: float, height: float) -> bytes:
        """The plot as PNG of this size, inches; nothing where it cannot be drawn."""
        self._make()
        if self.axes is None or not self.data:
            return b""
        figure = new_figure(width, height)
        self.draw(figure.add_subplot())
        return picture_of(figure, "png")

    def ask_and_save(self) -> None:
        """Ask where, then save."""
        kinds = {".png": tr("Picture"), ".svg": tr("Drawing")}
        ask_and_save(
            self, tr("Save plot"), self.file_name, kinds, self.save, tr("Plot saved as {file}.")
        )

    def open_window(self) -> None:
        """Show the plot large, in a window of its own."""
        if self.own_window is None:
            self.own_window = QDialog(self.window())
            self.own_window.setWindowTitle(self.window_title)
            self.window_plot = type(self)()
            for signal in self.signals:
                getattr(self.window_plot, signal).connect(getattr(self, signal))
            self.window_plot.open_button.hide()
            QVBoxLayout(self.own_window).addWidget(self.window_plot)
            self.own_window.resize(800, 700)
            WheelGuard(self.own_window)
        self.window_plot.made = self.made
        self.window_plot.show_data(*self.data)
        self.own_window.show()
        self.own_window.raise_()

    def close_window(self) -> None:
        """Close the window of its own."""
        if self.own_window is not None:
            self.own_window.close()

    def showEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._make()
        if self._due:
            self.redraw_here()

    def _make(self) -> None:
        if self.canvas is not None:
            return
        if trouble(PLOTS):
            if self.install is None:
                self.install = InstallButton(PLOTS)
                self.install.installed.connect(self._make)
                self._column.insertWidget(0, self.install)
            return
        if self.install is not None:
            self.install.hide()
        from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg

        figure = new_figure(4, 4)
        self.axes = figure.add_subplot()
        self.canvas = FigureCanvasQTAgg(figure)
        self.canvas.setMinimumSize(200, self.least_height)
        for event, listener in self.listeners().items():
            self.canvas.mpl_connect(event, listener)
        self._column.insertWidget(
            0, in_scroll_area(self.canvas) if self.scrolled else self.canvas, 1
        )
        self.redraw()


_NEAR = 8.0


class ScatterPlot(PlotWidget):
    """:attr:`row_chosen` tells the row of the table that was clicked."""

    row_chosen = pyqtSignal(int)
    signals = ("row_chosen",)
    window_title = tr("RandCrowns and IoU")
    file_name = "randcrowns_scores"
    follows_size = True  # the legend is where room is

    def __init__(self) -> None:
        super().__init__()
        self.set_frame(pd.DataFrame({"randcrowns": [], "iou": []}), "")

    def set_frame(self, frame: pd.DataFrame, title: str) -> None:
        """Plot these rows (columns ``randcrowns``, ``iou`` and, if wanted, ``series``)."""
        self.show_data(frame, title, -1)

    @property
    def chosen(self) -> int:
        """The row whose point is marked; -1 for none."""
        return int(self.data[2])

    def choose(self, row: int) -> None:
        """Mark the point of this row; -1 marks none."""
        if row != self.chosen:
            self.show_data(*self.data[:2], row)

    def draw(self, axes: Any) -> None:
        """One point per row; one series per value of the column ``series``, if there is one."""
        draw_scatter(axes, *self.data)

    def clicked(self, event: Any) -> None:
        frame = self.data[0]
        if not len(frame):
            return
        points = frame[["iou", "randcrowns"]].to_numpy(dtype=float)
        pixels = self.axes.transData.transform(points)
        away = np.hypot(*(pixels - (event.x, event.y)).T)
        if np.isfinite(away).any() and np.nanmin(away) <= _NEAR:
            self.row_chosen.emit(int(np.nanargmin(away)))
