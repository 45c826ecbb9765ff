"""The pictures of page Parameters: the variance over alpha and omega with a slider for gamma, and the gallery."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import QgsProject
from qgis.PyQt.QtCore import Qt, pyqtSignal
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

from randcrowns.algorithms.choice import Option
from randcrowns.algorithms.tuning.choices import IMAGE, LOOKS, set_words
from randcrowns.core.tuning.search import SetVerdict, score_words
from randcrowns.layers.styles.figures import draw_variances
from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_facts import raster_layers
from randcrowns.ui.services.saving import ask_and_save
from randcrowns.ui.tuning.results import Lengths
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.editors import editor_of
from randcrowns.ui.widgets.parts import fill, tool_button, wrapped
from randcrowns.ui.widgets.plot import PlotWidget
from randcrowns.ui.widgets.table_model import as_number


class VariancePlot(PlotWidget):
    """Shows one gamma of the table of a grid search, and the cell (alpha, omega) that is chosen, or None.

    :attr:`cell_clicked` tells the alpha and omega of a cell, :attr:`cell_under` those under the mouse.
    """

    cell_clicked = pyqtSignal(float, float)
    cell_under = pyqtSignal(float, float)
    signals = ("cell_clicked", "cell_under")
    window_title = tr("Variance of RandCrowns")
    file_name = "randcrowns_variances"
    least_height = 190
    scrolled = True

    def __init__(self) -> None:
        super().__init__()
        self._alphas: Any = np.empty(0)
        self._omegas: Any = np.empty(0)

    def draw(self, axes: Any) -> None:
        """The cells; the bar of colours keeps its place."""
        (grid, gamma, chosen), bar = self.data, next(iter(axes.figure.axes[1:]), None)
        self._alphas, self._omegas = draw_variances(axes, grid, gamma, chosen, bar)
        axes.figure.axes[-1].set_ylabel(tr("variance"))  # short enough for the lowest plot

    def listeners(self) -> dict[str, Callable[[Any], object]]:
        return {**super().listeners(), "motion_notify_event": self._moved}

    def clicked(self, event: Any) -> None:
        self._tell(event, self.cell_clicked)

    def _moved(self, event: Any) -> None:
        if event.inaxes is self.axes:
            self._tell(event, self.cell_under)

    def _tell(self, event: Any, signal: Any) -> None:
        row, column = int(event.ydata), int(event.xdata)
        if 0 <= row < len(self._alphas) and 0 <= column < len(self._omegas):
            signal.emit(float(self._alphas[row]), float(self._omegas[column]))


class VarianceMap(QWidget):
    """Emits :attr:`set_chosen` with alpha, omega, gamma, and :attr:`use_asked` likewise."""

    set_chosen = pyqtSignal(float, float, float)
    use_asked = pyqtSignal(float, float, float)

    def __init__(self) -> None:
        super().__init__()
        self.plot = VariancePlot()
        self.plot.setToolTip(
            tr(
                "Dark is good: the score hardly depends on who drew the target. Hatched /: wrong pairs score too high; "
                "hatched \\: right pairs score too low; crosses: too many crowns are too small for alpha; star and "
                "dots: the recommended sets. Click a cell to look at its crowns."
            )
        )
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setToolTip(tr("Area ratio (gamma): the map shows one value at a time."))
        self.slider.setAccessibleName(tr("Area ratio (gamma)"))
        self.gamma_label = QLabel()
        self.about = wrapped()
        self.about.setMinimumHeight(3 * self.fontMetrics().height())
        self.about.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.use_button = QPushButton(tr("Use these"))
        self.use_button.clicked.connect(self._use)
        self._grid = pd.DataFrame()
        self._gammas: Any = np.empty(0)
        self.chosen: Lengths | None = None
        self._stale = False
        self._limit = 0.5
        row = fill(QHBoxLayout(), self.gamma_label, self.slider, wide=self.slider)
        below = fill(QHBoxLayout(), self.about, self.use_button, wide=self.about)
        below.setAlignment(self.use_button, Qt.AlignmentFlag.AlignTop)
        fill(
            QVBoxLayout(self),
            row,
            self.plot,
            below,
            margins=(0, 4, 0, 0),
            spacing=3,
            wide=self.plot,
        )
        self.slider.valueChanged.connect(self._show)
        self.plot.cell_clicked.connect(lambda alpha, omega: self.choose(alpha, omega, self.gamma()))
        self.plot.cell_under.connect(self._hover)

    def show_grid(self, grid: pd.DataFrame, chosen: Lengths | None, limit: float) -> None:
        """Show this grid, at the gamma of the set chosen; ``limit`` is the threshold for wrong pairs."""
        self._grid, self.chosen, self._limit = grid, chosen, limit
        self._gammas = np.unique(grid["gamma"].to_numpy(dtype=float))
        self.slider.blockSignals(True)
        self.slider.setRange(0, len(self._gammas) - 1)
        self.slider.setEnabled(len(self._gammas) > 1)
        near = 0 if chosen is None else int(np.argmin(np.abs(self._gammas - chosen[2])))
        self.slider.setValue(near)
        self.slider.blockSignals(False)
        self._show()

    def choose(self, alpha: float, omega: float, gamma: float) -> None:
        """Choose a set of the grid, as if it had been clicked."""
        self.chosen = (alpha, omega, gamma)
        self.slider.setValue(int(np.argmin(np.abs(self._gammas - gamma))))
        self._show()
        self.set_chosen.emit(alpha, omega, gamma)

    def set_stale(self, stale: bool) -> None:
        """A set of old results cannot be used."""
        self._stale = stale
        self._tell_chosen()

    def gamma(self) -> float:
        """The gamma on show."""
        return float(self._gammas[self.slider.value()])

    def _show(self, *_: object) -> None:
        if not len(self._gammas):
            return
        gamma = self.gamma()
        self.gamma_label.setText(tr("Area ratio (gamma) {gamma:g}", gamma=gamma))
        here = self.chosen is not None and self.chosen[2] == gamma
        self.plot.show_data(
            self._grid, gamma, self.chosen[:2] if here and self.chosen is not None else None
        )
        self._tell_chosen()

    def _tell_chosen(self) -> None:
        if self.chosen is None:
            self.about.setText(tr("Click a cell to look at its crowns."))
            self.use_button.setEnabled(False)
            self.use_button.setToolTip(tr("Choose a set first."))
            return
        row = self._row(*self.chosen)
        offered = row is not None and row["verdict"] == SetVerdict.OFFERED.value
        self.about.setText("" if row is None else _said(row, self._limit))
        self.use_button.setEnabled(offered and not self._stale)
        words = (
            tr("Score with this set on page Score.")
            if offered
            else ""
            if row is None
            else str(row["reason"])
        )
        self.use_button.setToolTip(
            tr("Search again first: these results are old.") if self._stale else words
        )

    def _row(self, alpha: float, omega: float, gamma: float) -> pd.Series | None:
        grid = self._grid
        found = grid[
            np.isclose(grid["alpha"], alpha)
            & np.isclose(grid["omega"], omega)
            & (grid["gamma"] == gamma)
        ]
        return found.iloc[0] if len(found) else None

    def _hover(self, alpha: float, omega: float) -> None:
        row = self._row(alpha, omega, self.gamma())
        if row is not None:
            self.plot.setToolTip(_said(row, self._limit))

    def _use(self) -> None:
        if self.chosen is not None:
            self.use_asked.emit(*self.chosen)


def _said(row: pd.Series, limit: float) -> str:
    said = "{set}: variance {variance}, mean score {mean}, wrong pairs {wrong}; refused: {reason}."
    if pd.notna(row["rank"]):
        said = "{set}: variance {variance}, mean score {mean}, wrong pairs {wrong}; can be chosen (rank {rank})."
    return tr(
        said,
        rank=as_number(0)(row["rank"]),
        reason=row["reason"],
        set=set_words(row["alpha"], row["omega"], row["gamma"]),
        variance=as_number(-2)(row["variance"]),
        mean=as_number(2)(row["mean"]),
        wrong=tr("n/a") if pd.isna(row["wrong"]) else score_words(float(row["wrong"]), limit),
    )


#: Pixels beside the sheet.
_MARGIN = 24
#: Narrower, the scores above the small maps cannot be read.
_READABLE = 560


class GallerySheet(QWidget):
    """Emits :attr:`wanted` when the sheet is to be made, and :attr:`save_asked` with the file it is to be saved as."""

    wanted = pyqtSignal()
    save_asked = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__()
        self.image = OptionBox()
        self.image.setToolTip(f"{IMAGE.label}. {IMAGE.help}")
        self.image.setAccessibleName(IMAGE.label)
        self.number = editor_of(LOOKS).widget
        self.save_button = tool_button(
            tr("Save…"), tr("Save the sheet as PNG or SVG."), self.ask_and_save
        )
        self.picture = wrapped()
        self.picture.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.sheet = QPixmap()
        self.area = QScrollArea()
        self.area.setWidget(self.picture)
        self.area.setWidgetResizable(True)
        label = wrapped(LOOKS.label)
        label.setBuddy(self.number)
        row = fill(QHBoxLayout(), label, self.number, self.save_button, wide=label)
        fill(QVBoxLayout(self), self.image, row, self.area, margins=(0, 4, 0, 0), wide=self.area)
        self.image.currentIndexChanged.connect(self.wanted)
        self.number.valueChanged.connect(self.wanted)
        self.forget()

    def image_id(self) -> str:
        """The id of the image chosen, empty for none."""
        layer_id = self.image.value()
        return layer_id if QgsProject.instance().mapLayer(layer_id) is not None else ""

    def follow_project(self) -> None:
        """Offer the project's rasters, the first at first; once the one chosen is gone, the sheet is made without."""
        offered = [
            *(Option(layer.id(), layer.name()) for layer in raster_layers()),
            Option("", tr("no image")),
        ]
        gone = self.image.currentData() not in (None, *(option.key for option in offered))
        self.image.offer(offered, lambda before: "" if gone else before)
        if gone:
            self.forget()
            if self.isVisible():
                self.wanted.emit()

    def show_busy(self) -> None:
        """The sheet is being made."""
        self.picture.setPixmap(QPixmap())
        self.picture.setText(tr("Drawing the crowns…"))

    def show_picture(self, path: str) -> None:
        """Show the sheet that was made."""
        self.sheet = QPixmap(path)
        self._fit()

    def forget(self, why: str = "") -> None:
        """There is no sheet any more, perhaps with a sentence that says why."""
        self.sheet = QPixmap()
        self.picture.setPixmap(self.sheet)
        self.picture.setText(why)

    @property
    def is_shown(self) -> bool:
        """Whether a sheet is shown."""
        return not self.sheet.isNull()

    def ask_and_save(self) -> None:
        """Ask where, then have it saved."""
        kinds = {".png": tr("Picture"), ".svg": tr("Drawing")}
        ask_and_save(self, tr("Save gallery"), "randcrowns_gallery", kinds, self.save_asked.emit)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """The sheet is as wide as there is room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if not self.sheet.isNull():
            dots = self.devicePixelRatioF()  # of the screen for one pixel of Qt's
            width = min(int(dots * max(self.area.width() - _MARGIN, _READABLE)), self.sheet.width())
            fitted = self.sheet.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
            fitted.setDevicePixelRatio(dots)
            self.picture.setPixmap(fitted)
