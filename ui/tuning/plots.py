"""Plots of page Parameters: the map of variances over alpha and omega, and the gallery."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import QgsProject
from qgis.PyQt.QtCore import QSignalBlocker, Qt, pyqtSignal
from qgis.PyQt.QtGui import QPixmap, QResizeEvent
from qgis.PyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.parameter_types import Option
from randcrowns.algorithms.tuning.schema.parameters import EXAMPLES, IMAGE, describe_set
from randcrowns.core.tuning.search import SetAssessment, format_score
from randcrowns.layers.localization import tr
from randcrowns.report.tuning_figures import draw_variances
from randcrowns.ui.services.layer_info import raster_layers
from randcrowns.ui.services.save_dialog import save_with_dialog
from randcrowns.ui.tuning.results import Lengths
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.editors import create_editor
from randcrowns.ui.widgets.parts import fill_layout, make_tool_button, make_wrapped_label
from randcrowns.ui.widgets.plot import PlotWidget
from randcrowns.ui.widgets.table_model import NumberFormat


class VariancePlot(PlotWidget):
    """Plot of the variances of a grid search over alpha and omega, for one gamma.

    Its data are the table of the search, gamma, and the alpha and omega of the selected cell (None
    for no cell).
    """

    #: Emitted with alpha and omega (m) of a cell that was clicked.
    cell_clicked = pyqtSignal(float, float)
    #: Emitted with alpha and omega (m) of the cell under the mouse.
    cell_hovered = pyqtSignal(float, float)
    signal_names = ("cell_clicked", "cell_hovered")
    window_title = tr("Variance of RandCrowns")
    file_name = "randcrowns_variances"
    min_height = 150
    is_scrolled = True

    def __init__(self) -> None:
        super().__init__()
        #: (n,) alphas of the rows of cells, m.
        self._alphas: Any = np.empty(0)
        #: (m,) omegas of the columns of cells, m.
        self._omegas: Any = np.empty(0)

    def draw(self, axes: Any) -> None:
        """Draw the cells and the colour bar.

        The axes of an existing colour bar are used again, so that it does not move.

        Args:
            axes: Matplotlib axes of the cells.
        """
        grid, gamma, selected_cell = self.data
        other_axes = axes.figure.axes[1:]  # those of the colour bar, after the first drawing
        self._alphas, self._omegas = draw_variances(
            axes, grid, gamma, selected_cell, other_axes[0] if other_axes else None
        )
        colour_bar_axes = axes.figure.axes[-1]
        colour_bar_axes.set_ylabel(tr("variance"))  # fits into a plot of minimum height

    def callbacks(self) -> dict[str, Callable[[Any], object]]:
        """Return the callbacks by name of the Matplotlib event."""
        return {**super().callbacks(), "motion_notify_event": self._on_mouse_moved}

    def on_axes_clicked(self, event: Any) -> None:
        """Emit the cell of a Matplotlib mouse event within the axes."""
        self._emit_cell(event, self.cell_clicked)

    def _on_mouse_moved(self, event: Any) -> None:
        """Emit the cell under the mouse."""
        if event.inaxes is self.axes:
            self._emit_cell(event, self.cell_hovered)

    def _emit_cell(self, event: Any, signal: Any) -> None:
        """Emit alpha and omega of the cell of a mouse event; the cells are 1 unit wide and high."""
        row = int(event.ydata)
        column = int(event.xdata)
        if 0 <= row < len(self._alphas) and 0 <= column < len(self._omegas):
            signal.emit(float(self._alphas[row]), float(self._omegas[column]))


#: Number of lines for which the description of the selected set has room.
_SET_LINES = 3


class VarianceMap(QWidget):
    """Plot of the variances with a slider for gamma, and a button that uses the selected set."""

    #: Emitted with alpha, omega and gamma of a set that was selected.
    set_selected = pyqtSignal(float, float, float)
    #: Emitted with alpha, omega and gamma of a set that is to be used for scoring.
    use_requested = pyqtSignal(float, float, float)

    def __init__(self) -> None:
        super().__init__()
        #: Table of the search, a row per set.
        self._grid = pd.DataFrame()
        #: (n,) gammas of the search, sorted.
        self._gammas: Any = np.empty(0)
        #: The selected set; None for none.
        self.selected_set: Lengths | None = None
        #: True if the results are outdated.
        self._is_stale = False
        #: Threshold for the mean score of wrong pairs, 0 to 1; set by :meth:`show_grid`.
        self._threshold = 0.5
        self._create_widgets()
        self._arrange_widgets()
        self.slider.valueChanged.connect(self._update_plot)
        self.plot.cell_clicked.connect(
            lambda alpha, omega: self.select_set(alpha, omega, self.gamma())
        )
        self.plot.cell_hovered.connect(self._show_cell_tooltip)

    def _create_widgets(self) -> None:
        """Create the plot, the slider, the description of the selected set and the button."""
        #: Plot of the variances for one gamma.
        self.plot = VariancePlot()
        self.plot.setToolTip(
            tr(
                "Dark is good: the score hardly depends on who drew the target. Hatched /: wrong "
                "pairs score too high; hatched \\: right pairs score too low; crosses: too many "
                "crowns are too small for alpha; star and dots: the recommended sets. Click a cell "
                "to look at its crowns."
            )
        )
        #: Slider of gamma; its values are indices of the gammas.
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setToolTip(tr("Area ratio (gamma): the map shows one value at a time."))
        self.slider.setAccessibleName(tr("Area ratio (gamma)"))
        #: Label with gamma.
        self.gamma_label = QLabel()
        #: Description of the selected set.
        self.selected_set_label = make_wrapped_label()
        self.selected_set_label.setMinimumHeight(_SET_LINES * self.fontMetrics().height())
        self.selected_set_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        #: Button that uses the selected set for scoring.
        self.use_button = QPushButton(tr("Use these"))
        self.use_button.clicked.connect(self._request_use)

    def _arrange_widgets(self) -> None:
        """Arrange the slider above the plot, and the selected set with its button below."""
        slider_row = fill_layout(
            QHBoxLayout(), self.gamma_label, self.slider, stretched=self.slider
        )
        self.plot.add_button(self.use_button)
        fill_layout(
            QVBoxLayout(self),
            slider_row,
            self.plot,
            self.selected_set_label,
            margins=(0, 4, 0, 0),
            spacing=3,
            stretched=self.plot,
        )

    def show_grid(self, grid: pd.DataFrame, selected_set: Lengths | None, threshold: float) -> None:
        """Show the results of a search.

        Args:
            grid: Table of the search, a row per set.
            selected_set: Set that is selected; None for none.
            threshold: Threshold for the mean score of wrong pairs, 0 to 1.
        """
        self._grid = grid
        self.selected_set = selected_set
        self._threshold = threshold
        self._gammas = np.unique(grid["gamma"].to_numpy(dtype=float))
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, len(self._gammas) - 1)
            self.slider.setEnabled(len(self._gammas) > 1)
            slider_value = 0
            if selected_set is not None:
                _, _, gamma = selected_set
                slider_value = self._nearest_gamma(gamma)
            self.slider.setValue(slider_value)
        self._update_plot()

    def select_set(self, alpha: float, omega: float, gamma: float) -> None:
        """Select a set of the search, as if its cell had been clicked."""
        self.selected_set = (alpha, omega, gamma)
        self.slider.setValue(self._nearest_gamma(gamma))
        self._update_plot()
        self.set_selected.emit(alpha, omega, gamma)

    def set_stale(self, stale: bool) -> None:
        """Disable or enable the use of the selected set.

        Args:
            stale: True if the results are outdated.
        """
        self._is_stale = stale
        self._update_selected_set()

    def gamma(self) -> float:
        """Return the displayed gamma."""
        return float(self._gammas[self.slider.value()])

    def _nearest_gamma(self, gamma: float) -> int:
        """Return the index of the gamma of the search that is nearest to a value."""
        return int(np.argmin(np.abs(self._gammas - gamma)))

    def _update_plot(self, *_: object) -> None:
        """Show the variances for the gamma of the slider, and the selected set."""
        if not len(self._gammas):
            return
        gamma = self.gamma()
        self.gamma_label.setText(tr("Area ratio (gamma) {gamma:g}", gamma=gamma))
        selected_cell = None
        if self.selected_set is not None:
            selected_alpha, selected_omega, selected_gamma = self.selected_set
            if selected_gamma == gamma:
                selected_cell = (selected_alpha, selected_omega)
        self.plot.show_data(self._grid, gamma, selected_cell)
        self._update_selected_set()

    def _update_selected_set(self) -> None:
        """Describe the selected set, and enable the button if the set can be used."""
        if self.selected_set is None:
            self.selected_set_label.setText(tr("Click a cell to look at its crowns."))
            self.use_button.setEnabled(False)
            self.use_button.setToolTip(tr("Select a set first."))
            return
        alpha, omega, gamma = self.selected_set
        row = self._find_set(alpha, omega, gamma)
        description = ""
        tooltip = ""
        is_offered = False
        if row is not None:
            description = _describe_set(row, self._threshold)
            tooltip = str(row["reason"])
            is_offered = row["assessment"] == SetAssessment.OFFERED.value
        if self._is_stale:
            tooltip = tr("These results are outdated. Search again first.")
        elif is_offered:
            tooltip = tr("Score with this set on page Score.")
        self.selected_set_label.setText(description)
        self.use_button.setEnabled(is_offered and not self._is_stale)
        self.use_button.setToolTip(tooltip)

    def _find_set(self, alpha: float, omega: float, gamma: float) -> pd.Series | None:
        """Return the row of a set in the table of the search, or None.

        Args:
            alpha: Alpha of the set, metres; compared with a tolerance.
            omega: Omega of the set, metres; compared with a tolerance.
            gamma: Gamma of the set.
        """
        grid = self._grid
        is_set = (
            np.isclose(grid["alpha"], alpha)
            & np.isclose(grid["omega"], omega)
            & (grid["gamma"] == gamma)
        )
        rows = grid[is_set]
        return rows.iloc[0] if len(rows) else None

    def _show_cell_tooltip(self, alpha: float, omega: float) -> None:
        """Describe the set of a cell in the tooltip of the plot."""
        row = self._find_set(alpha, omega, self.gamma())
        if row is not None:
            self.plot.setToolTip(_describe_set(row, self._threshold))

    def _request_use(self) -> None:
        """Emit :attr:`use_requested` with the selected set."""
        if self.selected_set is not None:
            alpha, omega, gamma = self.selected_set
            self.use_requested.emit(alpha, omega, gamma)


def _describe_set(row: pd.Series, threshold: float) -> str:
    """Return a description of a set of parameters: its statistics, and its rank or the reason.

    Args:
        row: Row of the set in the table of the search.
        threshold: Threshold for the mean score of wrong pairs, 0 to 1.
    """
    wrong_text = tr("n/a")
    if not pd.isna(row["wrong"]):
        wrong_text = format_score(float(row["wrong"]), threshold)
    values: dict[str, Any] = {
        "set": describe_set(row["alpha"], row["omega"], row["gamma"]),
        "variance": NumberFormat(-2)(row["variance"]),
        "mean": NumberFormat(2)(row["mean"]),
        "wrong": wrong_text,
    }
    if pd.isna(row["rank"]):
        return tr(
            "{set}: variance {variance}, mean score {mean}, wrong pairs {wrong}; refused: "
            "{reason}.",
            reason=row["reason"],
            **values,
        )
    return tr(
        "{set}: variance {variance}, mean score {mean}, wrong pairs {wrong}; can be chosen (rank "
        "{rank}).",
        rank=NumberFormat(0)(row["rank"]),
        **values,
    )


#: Width of the scroll area that the gallery does not use, pixels.
_MARGIN = 24
#: Minimum width at which the scores above the small maps can be read, pixels.
_MIN_READABLE_WIDTH = 560


class GalleryView(QWidget):
    """Gallery of example pairs, with its parameters and a button that saves it."""

    #: Emitted when the gallery has to be created.
    requested = pyqtSignal()
    #: Emitted with the path of the file in which the gallery is to be saved.
    save_requested = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__()
        #: The gallery in its full size; null for none.
        self.pixmap = QPixmap()
        self._create_widgets()
        self._arrange_widgets()
        self.image_box.currentIndexChanged.connect(self.requested)
        self.count_box.valueChanged.connect(self.requested)
        self.clear()

    def _create_widgets(self) -> None:
        """Create the fields of the parameters, the button and the scroll area of the gallery."""
        #: Selects the image below the outlines; the keys are layer ids, "" for none.
        self.image_box = OptionBox()
        self.image_box.setToolTip(f"{IMAGE.label}. {IMAGE.help}")
        self.image_box.setAccessibleName(IMAGE.label)
        #: Number of examples of each kind.
        self.count_box = create_editor(EXAMPLES).widget
        #: Button that saves the gallery.
        self.save_button = make_tool_button(
            tr("Save…"), tr("Save the gallery as PNG or SVG."), self.save_with_dialog
        )
        #: Shows the gallery, or a message.
        self.picture_label = make_wrapped_label()
        self.picture_label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        #: Scroll area of the gallery.
        self.scroll_area = QScrollArea()
        self.scroll_area.setWidget(self.picture_label)
        self.scroll_area.setWidgetResizable(True)

    def _arrange_widgets(self) -> None:
        """Arrange the parameters and the button above the gallery."""
        label = make_wrapped_label(EXAMPLES.label)
        label.setBuddy(self.count_box)
        row = fill_layout(QHBoxLayout(), label, self.count_box, self.save_button, stretched=label)
        fill_layout(
            QVBoxLayout(self),
            self.image_box,
            row,
            self.scroll_area,
            margins=(0, 4, 0, 0),
            stretched=self.scroll_area,
        )

    def image_id(self) -> str:
        """Return the id of the selected image; "" if there is none, or if it was removed."""
        layer_id = self.image_box.value()
        return layer_id if QgsProject.instance().mapLayer(layer_id) is not None else ""

    def reload_images(self) -> None:
        """Offer the rasters of the project.

        The first raster is selected by default. If the selected one was removed, no image is
        selected and the gallery is created again.
        """
        options = [Option(layer.id(), layer.name()) for layer in raster_layers()]
        options.append(Option("", tr("no image")))
        selected_id = self.image_box.currentData()  # None before the first options are set
        offered_ids = {option.key for option in options}
        was_removed = selected_id is not None and selected_id not in offered_ids
        self.image_box.set_options(options, lambda key: "" if was_removed else key)
        if was_removed:
            self.clear()
            if self.isVisible():
                self.requested.emit()

    def show_busy(self) -> None:
        """Show a message that the gallery is being created."""
        self.picture_label.setPixmap(QPixmap())
        self.picture_label.setText(tr("Drawing the crowns…"))

    def show_picture(self, path: str) -> None:
        """Show the gallery of an image file."""
        self.pixmap = QPixmap(path)
        self._fit_width()

    def clear(self, message: str = "") -> None:
        """Remove the gallery.

        Args:
            message: Message that is shown in its place.
        """
        self.pixmap = QPixmap()
        self.picture_label.setPixmap(self.pixmap)
        self.picture_label.setText(message)

    @property
    def is_shown(self) -> bool:
        """True if a gallery is shown."""
        return not self.pixmap.isNull()

    def save_with_dialog(self) -> None:
        """Show a file dialog, and emit the path of the selected file."""
        file_types = {".png": tr("Picture"), ".svg": tr("Drawing")}
        save_with_dialog(
            self, tr("Save gallery"), "randcrowns_gallery", file_types, self.save_requested.emit
        )

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fit the gallery into the new width."""
        super().resizeEvent(event)
        self._fit_width()

    def _fit_width(self) -> None:
        """Scale the gallery to the available width, but keep its scores readable."""
        if self.pixmap.isNull():
            return
        device_pixel_ratio = self.devicePixelRatioF()
        available_width = max(self.scroll_area.width() - _MARGIN, _MIN_READABLE_WIDTH)
        width = min(int(device_pixel_ratio * available_width), self.pixmap.width())
        scaled = self.pixmap.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
        scaled.setDevicePixelRatio(device_pixel_ratio)
        self.picture_label.setPixmap(scaled)
