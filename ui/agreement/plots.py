"""The plots of page Annotators: heatmap of pairs, dendrogram, agreement ratio."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QLabel, QWidget

from randcrowns.layers.styles.figures import new_figure
from randcrowns.layers.words import tr
from randcrowns.ui.agreement.results import AnnotatorResults
from randcrowns.ui.widgets.colours import SERIES, SHARED, coloured
from randcrowns.ui.widgets.plot import PlotWidget

_MOST_NAMES = 40
#: Least side of a cell with a number, and least height of a row with a name, pixels.
_LEAST_CELL, _LEAST_ROW = 15, 9
#: Width and height of a saved plot, inches.
_SAVED = (7.0, 6.0)
_LONGEST_NAME = 16
#: Lines below the heatmap.
_LINES_TOLD = 3


def axis_names(names: Sequence[str]) -> list[str]:
    """The names without the words that all begin with, for the narrow space beside a plot."""
    same = [len(set(letters)) == 1 for letters in zip(*names)]
    common = names[0][: same.index(False)] if False in same else ""
    begin = max(common.rfind(mark) for mark in " _-.") + 1
    short = [name[begin:] for name in names]
    if not all(short):
        short = list(names)
    return [_cut(name) for name in short]


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _room(axes: Any) -> float:
    """What is left of the plot's shorter side beside titles and names, pixels, roughly."""
    return float(0.65 * min(axes.figure.get_size_inches()) * axes.figure.dpi)


class _AgreementPlot(PlotWidget):
    """Draws something of an :class:`AnnotatorResults`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.results: AnnotatorResults | None = None
        self.colours: dict[str, str] = {}

    def show_results(self, results: AnnotatorResults, colours: dict[str, str]) -> None:
        """Draw these, annotators in their colours."""
        self.results, self.colours = results, colours
        self.redraw()

    def twin(self, parent: QWidget) -> PlotWidget:
        """Another of the kind."""
        return type(self)(parent)

    def show_in(self, twin: Any) -> None:
        """The same results."""
        if self.results is not None:
            twin.show_results(self.results, self.colours)

    def save(self, path: str) -> None:
        """Save it with room for all that can be written, however small it is shown."""
        self._make()
        if self.axes is None:
            return
        figure = new_figure(*_SAVED)
        self.draw(figure.add_subplot())
        figure.savefig(path, dpi=200)

    def _make(self) -> None:
        """How much is written depends on the room there is."""
        first = self.canvas is None
        super()._make()
        if first and self.axes is not None:
            self.canvas.mpl_connect("resize_event", lambda _: self.redraw_here())


class PairHeatmap(_AgreementPlot):
    """F1 of every two annotators. Pointing at a cell tells it in words, a click :attr:`pair_chosen`.

    A click beside the cells tells :attr:`pair_left`.
    """

    pair_chosen = pyqtSignal(int, int)
    pair_left = pyqtSignal()
    file_name = "randcrowns_pairwise_f1"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.window_title = tr("F1 of every two annotators")
        self.told = QLabel(self._usual_words())
        self.told.setTextFormat(Qt.TextFormat.RichText)
        self.told.setWordWrap(True)
        self.told.setToolTip(
            tr("F1 and the shared area count area; panoptic quality (PQ) asks whether the same polygons were drawn.")
        )
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop)
        # Of one height whatever it says, or the cells would move under the mouse.
        self.told.setFixedHeight(_LINES_TOLD * self.told.fontMetrics().lineSpacing() + 4)
        self._column.insertWidget(0, self.told)

    def twin(self, parent: QWidget) -> PlotWidget:
        """A click in the window of its own counts as well."""
        made = PairHeatmap(parent)
        made.pair_chosen.connect(self.pair_chosen)
        made.pair_left.connect(self.pair_left)
        return made

    def draw(self, axes: Any) -> None:
        """Cells from dark (0) to bright (1)."""
        if self.results is None:
            return
        f1, names = self.results.f1(), self.results.names
        axes.imshow(f1, vmin=0, vmax=1, cmap="viridis", interpolation="nearest")
        axes.set_title(tr("pairwise F1, dark 0 to bright 1"), fontsize=10)
        short = axis_names(names)
        if len(names) <= _MOST_NAMES:
            upright = max(map(len, short)) <= 3
            axes.set_xticks(range(len(names)), short, rotation=0 if upright else 90, fontsize=7)
            axes.set_yticks(range(len(names)), short, fontsize=7)
        if _room(axes) / len(names) >= _LEAST_CELL:
            for row, column in np.ndindex(*f1.shape):
                ink = "black" if f1[row, column] > 0.6 else "white"
                text = f"{f1[row, column]:.2f}".lstrip("0")
                axes.text(column, row, text, ha="center", va="center", fontsize=6, color=ink)

    def words(self, row: int, column: int) -> str:
        """A cell in words, as rich text: who in which colour, value and shared area."""
        if self.results is None:
            return ""
        names = self.results.names
        if row == column:
            marked = self.results.shared()[row, row]
            return tr("{name} marked {area:,.1f} m²").format(name=self._in_colour(names[row]), area=marked)
        pair = self.results.pair(row, column)
        return tr("{one}, {other}, {both}<br>F1 {f1:.3f}, {shared:,.1f} m² shared, PQ {pq}").format(
            one=self._in_colour(names[row]),
            other=self._in_colour(names[column]),
            both=coloured(tr("both"), SHARED),
            f1=pair["f1"],
            shared=pair["shared"],
            pq=tr("n/a") if pd.isna(pair["pq"]) else f"{pair['pq']:.3f}",
        )

    def _in_colour(self, name: str) -> str:
        return coloured(_cut(name), self.colours[name])

    def clicked(self, event: Any) -> None:
        """Tell the pair."""
        cell = self._cell(event)
        if cell is not None:
            self.told.setText(self.words(*cell))
            self.pair_chosen.emit(*cell)

    def press_at(self, event: Any) -> None:
        """Tell a click beside the cells."""
        if self._cell(event) is None:
            self.pair_left.emit()

    def point_at(self, event: Any) -> None:
        """Say what the cell under the mouse is."""
        cell = self._cell(event)
        self.told.setText(self._usual_words() if cell is None else self.words(*cell))

    def _cell(self, event: Any) -> tuple[int, int] | None:
        if self.results is None or event.inaxes is not self.axes or event.xdata is None:
            return None
        row, column = round(event.ydata), round(event.xdata)
        count = len(self.results.names)
        return (row, column) if 0 <= row < count and 0 <= column < count else None

    def _usual_words(self) -> str:
        return tr("Point at a cell for its value; click it to see the two on the map.")

    def _make(self) -> None:
        first = self.canvas is None
        super()._make()
        if first and self.axes is not None:
            self.canvas.mpl_connect("motion_notify_event", self.point_at)
            self.canvas.mpl_connect("figure_leave_event", lambda _: self.told.setText(self._usual_words()))
            self.canvas.mpl_connect("button_press_event", self.press_at)


class DendrogramPlot(_AgreementPlot):
    """Who is like whom: Ward's clustering on 1 - F1."""

    file_name = "randcrowns_dendrogram"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.window_title = tr("Who is like whom")

    def draw(self, axes: Any) -> None:
        """One bracket per step; the leaves in the annotators' colours."""
        if self.results is None:
            return
        links, names = self.results.linkage, self.results.names
        axes.set_xlabel(tr("Ward's distance on 1 - F1"))
        axes.set_title(tr("who is like whom"), fontsize=10)
        if links.empty:
            axes.text(0.5, 0.5, tr("needs at least three annotators"), ha="center", transform=axes.transAxes)
            axes.set_yticks([])
            return
        place = np.zeros(len(names))
        for _, step in links.iterrows():
            x = [step["first_height"], step["distance"], step["distance"], step["second_height"]]
            y = [step["first_place"]] * 2 + [step["second_place"]] * 2
            axes.plot(x, y, color="#444444", linewidth=1.2)
            for side in ("first", "second"):
                if step[side] < len(names):
                    place[int(step[side])] = step[f"{side}_place"]
        axes.scatter(np.zeros(len(names)), place, c=[self.colours[name] for name in names], s=30, zorder=3)
        outlier = self.results.annotators["outlier"].to_numpy(dtype=float) == 1
        labels = [f"{name} *" if odd else name for name, odd in zip(axis_names(names), outlier)]
        readable = _room(axes) / len(names) >= _LEAST_ROW
        axes.set_yticks(place, labels if readable else [""] * len(names), fontsize=8)
        if outlier.any():
            axes.set_title(tr("who is like whom (* unlike the others)"), fontsize=10)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)


class RatioPlot(_AgreementPlot):
    """How much of what anybody marked so many marked."""

    file_name = "randcrowns_agreement_ratio"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.window_title = tr("Agreement ratio")

    def draw(self, axes: Any) -> None:
        """The curve, a point per number of annotators."""
        if self.results is None:
            return
        ratio = self.results.ratio
        axes.plot(ratio["annotators"], ratio["ratio"], marker="o", color=SERIES[0], markersize=4)
        axes.set(
            xlabel=tr("at least so many annotators"),
            ylabel=tr("share"),
            ylim=(-0.02, 1.02),
        )
        axes.set_title(tr("share of what anybody marked (Eq. 3)"), fontsize=10)
        axes.grid(True, color="#e6e6e6", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.xaxis.get_major_locator().set_params(integer=True)
        if ratio["ratio"].isna().all():
            axes.text(0.5, 0.5, tr("nobody marked anything"), ha="center", transform=axes.transAxes)


_PRIORS = (0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999)
#: How far the axis of areas goes, of what anybody marked.
_HEADROOM = 1.15
_USED = "#444444"
_SMALL: dict[str, Any] = {"fontsize": 8, "va": "bottom"}


class PriorPlot(PlotWidget):
    """How much STAPLE marks along its prior, from nearly 0 to nearly 1."""

    file_name = "randcrowns_staple_prior"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.window_title = tr("What STAPLE's prior does")
        self.priors = pd.DataFrame(columns=["prior", "marked"])
        self.used, self.anybody = math.nan, math.nan

    def show_priors(self, priors: pd.DataFrame, used: float = math.nan, anybody: float = math.nan) -> None:
        """Draw these, with the prior that was used and the area that anybody marked (m²) where they are known."""
        self.priors, self.used, self.anybody = priors, used, anybody
        self.redraw()

    def twin(self, parent: QWidget) -> PlotWidget:
        """Another of the kind."""
        return PriorPlot(parent)

    def show_in(self, twin: Any) -> None:
        """The same priors."""
        twin.show_priors(self.priors, self.used, self.anybody)

    def draw(self, axes: Any) -> None:
        """The marked area; the axis of the prior is stretched towards 0 and 1."""
        axes.set_xscale("logit")
        axes.plot(self.priors["prior"], self.priors["marked"], marker="o", color=SERIES[0], markersize=4)
        axes.set(xlabel=tr("prior: share expected to be marked"), ylabel=tr("marked (m²)"))
        axes.set_ylim(bottom=0)
        if self.anybody > 0:
            # Above the line STAPLE marks what nobody did, often the whole study area: that would flatten the rest.
            axes.axhline(self.anybody, color=SERIES[1], linewidth=1, linestyle="--")
            axes.set_ylim(top=_HEADROOM * self.anybody)
            axes.text(
                0.02, 1.01 / _HEADROOM, tr("marked by anybody"), color=SERIES[1], transform=axes.transAxes, **_SMALL
            )
        if 0 < self.used < 1:
            axes.axvline(self.used, color=_USED, linewidth=1, linestyle=":")
            beside = axes.get_xaxis_transform()
            axes.text(
                self.used, 0.04, tr("prior used "), color=_USED, rotation=90, ha="right", transform=beside, **_SMALL
            )
        axes.set_title(tr("what STAPLE's prior does"), fontsize=10)
        axes.grid(True, color="#e6e6e6", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_xticks(_PRIORS, [f"{prior:g}" for prior in _PRIORS], fontsize=8)
        axes.minorticks_off()
