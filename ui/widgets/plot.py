"""Plots that can be saved and opened in a separate window.

Matplotlib is imported only when a plot is shown for the first time, because that takes long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import QEvent, pyqtSignal
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from randcrowns.layers.installation import libraries_message
from randcrowns.layers.libraries import PLOTS
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.figures import new_figure
from randcrowns.report.score_figures import draw_scatter
from randcrowns.report.theme import encode_figure, recolour, save_with_provenance
from randcrowns.ui.services.layer_watch import single_shot_timer
from randcrowns.ui.services.libraries_dialog import InstallButton
from randcrowns.ui.services.save_dialog import save_with_dialog
from randcrowns.ui.widgets.colours import PLOT_TONE, background_of, is_dark, may_change_background
from randcrowns.ui.widgets.folding_row import FoldingRow
from randcrowns.ui.widgets.parts import FREE_SPACE, fill_layout, make_scrollable
from randcrowns.ui.widgets.wheel_guard import WheelGuard

#: Width and height of the separate window of a plot, pixels.
_WINDOW_SIZE = (800, 700)
#: Width and height of a plot before its size is known, inches.
_FIRST_FIGURE_SIZE = (4, 4)
#: Minimum width of a plot, pixels.
_MIN_PLOT_WIDTH = 200


class PlotWidget(QWidget):
    """Base class of plots with buttons to save them and to open them in a separate window.

    A subclass implements :meth:`draw`, which reads :attr:`data`.
    """

    #: Title of the separate window.
    window_title = ""
    #: Default name of a saved plot, without extension.
    file_name = "randcrowns_plot"
    #: Width and height of a saved plot in inches; None for the size at which it is shown.
    saved_size: tuple[float, float] | None = None
    #: Names of the plot's signals, which the plot in the separate window emits as well.
    signal_names: tuple[str, ...] = ()
    #: True if the content depends on the size of the plot, so that it is redrawn on resizing.
    follows_size = False
    #: Minimum height in pixels at which the plot is readable.
    min_height = 180
    #: True to scroll the plot vertically if there is less room than the minimum height.
    is_scrolled = False

    def __init__(self) -> None:
        super().__init__()
        #: Arguments of the last :meth:`show_data`; empty while there is nothing to draw.
        self.data: tuple[Any, ...] = ()
        #: Provenance of the plotted results, written below a saved plot.
        self.provenance = ""
        #: Canvas of matplotlib; None until the plot is first shown.
        self.canvas: Any = None
        #: Axes of matplotlib; None until the plot is first shown.
        self.axes: Any = None
        self._redraw_timer = single_shot_timer(0, self.redraw_embedded, self)
        #: True if the data changed while the plot was hidden.
        self._is_outdated = False
        #: Button that is shown in place of the plot if matplotlib is not installed.
        self.install_button: InstallButton | None = None
        #: Separate window; None until it is first opened.
        self.separate_window: QDialog | None = None
        #: Plot in the separate window; None until it is first opened.
        self.window_plot: Any = None
        self.open_button = QPushButton(tr("Own window"))
        self.open_button.clicked.connect(self.open_window)
        self.save_button = QPushButton(tr("Save…"))
        self.save_button.setToolTip(tr("Save the plot as PNG or SVG."))
        self.save_button.clicked.connect(self.ask_and_save)
        #: Buttons at the beginning of the row of buttons, see :meth:`add_button`.
        self._first_buttons = QHBoxLayout()
        buttons = fill_layout(QHBoxLayout(), FREE_SPACE, self.open_button, self.save_button)
        button_row = FoldingRow(self._first_buttons, buttons, stretched=1)
        self._column = fill_layout(QVBoxLayout(self), button_row)

    def add_button(self, button: QPushButton) -> None:
        """Add a button at the beginning of the row of buttons below the plot."""
        self._first_buttons.addWidget(button)

    def draw(self, axes: Any) -> None:
        """Draw :attr:`data` on empty axes of matplotlib."""
        raise NotImplementedError

    def show_data(self, *data: Any) -> None:
        """Store data in :attr:`data` and draw them."""
        self.data = data
        self.redraw()

    def on_axes_clicked(self, event: Any) -> None:
        """Handle a mouse press within the axes; the default does nothing.

        Args:
            event: mouse event of matplotlib.
        """

    def on_mouse_pressed(self, event: Any) -> None:
        """Handle a mouse press anywhere in the plot.

        Args:
            event: mouse event of matplotlib.
        """
        if event.inaxes is self.axes:
            self.on_axes_clicked(event)

    def callbacks(self) -> dict[str, Callable[[Any], object]]:
        """Return the callback of each event of matplotlib by the name of the event."""
        callbacks: dict[str, Callable[[Any], object]] = {
            "button_press_event": self.on_mouse_pressed
        }
        if self.follows_size:
            callbacks["resize_event"] = lambda _: self.redraw_embedded()
        return callbacks

    def redraw(self) -> None:
        """Redraw the plot and the plot in the separate window."""
        self.redraw_embedded()
        if self.window_plot is not None:
            self.window_plot.show_data(*self.data)

    def redraw_embedded(self) -> None:
        """Redraw the plot, but not the one in the separate window.

        A hidden plot is redrawn when it is shown.
        """
        self._is_outdated = not self.isVisible()
        if self.axes is not None and not self._is_outdated:
            self.axes.clear()
            if self.data:
                self.draw(self.axes)
            self._apply_theme()

    def _apply_theme(self) -> None:
        """Set the plot's colours: the window's background if it is dark, and else white."""
        window_colour = background_of(self)
        background = window_colour if is_dark(window_colour) else QColor("#ffffff")
        recolour(self.axes.figure, background.name(), PLOT_TONE.readable_on(background))
        self.canvas.draw_idle()

    def event(self, event: QEvent) -> bool:
        """Redraw the plot after an event that may change the background."""
        is_handled = super().event(event)
        if may_change_background(event) and self.canvas is not None:
            # QGIS changes the palette only after the style.
            self._redraw_timer.start()
        return bool(is_handled)

    def save(self, path: str) -> None:
        """Save the plot; do nothing if matplotlib is not installed.

        Args:
            path: path of the file, whose extension determines the format.
        """
        self._create_canvas()
        if self.axes is None:
            return
        width, height = self.saved_size or self.axes.figure.get_size_inches()
        figure = new_figure(width, height)
        if self.data:
            self.draw(figure.add_subplot())
        save_with_provenance(figure, path, self.provenance)

    def to_png(self, width: float, height: float) -> bytes:
        """Return the plot as PNG.

        Args:
            width: width in inches.
            height: height in inches.

        Returns:
            Content of the PNG file; empty if there are no data or matplotlib is not installed.
        """
        self._create_canvas()
        if self.axes is None or not self.data:
            return b""
        figure = new_figure(width, height)
        self.draw(figure.add_subplot())
        return encode_figure(figure, "png")

    def ask_and_save(self) -> None:
        """Ask the user for a file and save the plot."""
        kinds = {".png": tr("Picture"), ".svg": tr("Drawing")}
        save_with_dialog(
            self, tr("Save plot"), self.file_name, kinds, self.save, tr("Plot saved as {file}.")
        )

    def open_window(self) -> None:
        """Show the plot in a separate window, which is created when it is first opened."""
        if self.separate_window is None:
            self.window_plot = self._create_window_plot()
            self.separate_window = QDialog(self.window())
            self.separate_window.setWindowTitle(self.window_title)
            QVBoxLayout(self.separate_window).addWidget(self.window_plot)
            self.separate_window.resize(*_WINDOW_SIZE)
            WheelGuard(self.separate_window)
        self.window_plot.provenance = self.provenance
        self.window_plot.show_data(*self.data)
        self.separate_window.show()
        self.separate_window.raise_()

    def _create_window_plot(self) -> PlotWidget:
        """Return a plot of the same kind, whose signals this plot emits as well."""
        window_plot = type(self)()
        for name in self.signal_names:
            getattr(window_plot, name).connect(getattr(self, name))
        window_plot.open_button.hide()
        return window_plot

    def close_window(self) -> None:
        """Close the separate window."""
        if self.separate_window is not None:
            self.separate_window.close()

    def showEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Create the plot when it is first shown, and redraw it if the data changed since."""
        super().showEvent(event)
        self._create_canvas()
        if self._is_outdated:
            self.redraw_embedded()

    def _create_canvas(self) -> None:
        """Create :attr:`canvas` and :attr:`axes` once; offer to install a missing matplotlib."""
        if self.canvas is not None:
            return
        if libraries_message(PLOTS):
            self._offer_installation()
            return
        if self.install_button is not None:
            self.install_button.hide()
        from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg

        figure = new_figure(*_FIRST_FIGURE_SIZE)
        self.axes = figure.add_subplot()
        self.canvas = FigureCanvasQTAgg(figure)
        self.canvas.setMinimumSize(_MIN_PLOT_WIDTH, self.min_height)
        self.canvas.mpl_connect("resize_event", lambda _: self._fill_canvas())
        for event, listener in self.callbacks().items():
            self.canvas.mpl_connect(event, listener)
        content = make_scrollable(self.canvas) if self.is_scrolled else self.canvas
        self._column.insertWidget(0, content, 1)
        self.redraw()

    def _offer_installation(self) -> None:
        """Show the button that installs matplotlib, in place of the plot."""
        if self.install_button is None:
            self.install_button = InstallButton(PLOTS)
            self.install_button.installed.connect(self._create_canvas)
            self._column.insertWidget(0, self.install_button)

    def _fill_canvas(self) -> None:
        """Make the figure as wide and high as the canvas in whole pixels.

        Matplotlib converts pixels into inches and back and cuts decimals off, which makes some
        figures a pixel too small. The last column or row of pixels then has random colours.
        """
        figure = self.canvas.figure
        pixels = np.round(figure.get_size_inches() * figure.dpi)
        figure.set_size_inches((pixels + _PIXEL_SHARE) / figure.dpi, forward=False)


#: Share of a pixel that keeps a size from being rounded down by a whole pixel.
_PIXEL_SHARE = 0.01
#: Maximum distance of a click from a point that it selects, pixels.
_CLICK_TOLERANCE = 8.0


class ScatterPlot(PlotWidget):
    """Scatter plot of RandCrowns against IoU, one point per row of a table."""

    #: Emitted with the row of the table whose point was clicked.
    row_chosen = pyqtSignal(int)
    signal_names = ("row_chosen",)
    window_title = tr("RandCrowns and IoU")
    file_name = "randcrowns_scores"
    # The position of the legend depends on the free room.
    follows_size = True
    # Tabs are as high as the highest one: a low window would scroll the page for this plot.
    is_scrolled = True

    def __init__(self) -> None:
        super().__init__()
        self.set_frame(pd.DataFrame({"randcrowns": [], "iou": []}), "")

    def set_frame(self, frame: pd.DataFrame, title: str) -> None:
        """Plot a table, with no point marked.

        Args:
            frame: table with the columns ``randcrowns`` and ``iou``, and optionally ``series``
                with the name of each row's series.
            title: title of the plot.
        """
        self.show_data(frame, title, -1)

    @property
    def marked_row(self) -> int:
        """Row of the table whose point is marked; -1 for none."""
        _, _, row = self.data
        return int(row)

    def mark_row(self, row: int) -> None:
        """Mark the point of a row of the table; -1 marks none."""
        if row != self.marked_row:
            frame, title, _ = self.data
            self.show_data(frame, title, row)

    def draw(self, axes: Any) -> None:
        """Draw one point per row and one series per value of the column ``series``."""
        frame, title, marked_row = self.data
        draw_scatter(axes, frame, title, marked_row)

    def on_axes_clicked(self, event: Any) -> None:
        """Emit :attr:`row_chosen` for the point nearest to the mouse, if it is near enough."""
        frame, _, _ = self.data
        if not len(frame):
            return
        points = frame[["iou", "randcrowns"]].to_numpy(dtype=float)
        point_pixels = self.axes.transData.transform(points)
        distances = np.linalg.norm(point_pixels - (event.x, event.y), axis=1)  # (n,) pixels
        if np.isfinite(distances).any() and np.nanmin(distances) <= _CLICK_TOLERANCE:
            self.row_chosen.emit(int(np.nanargmin(distances)))
