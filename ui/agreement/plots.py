"""The plots of page Annotators: heatmap of pairs, dendrogram, agreement ratio."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import Qt, pyqtSignal

from randcrowns.layers.styles.figures import set_up
from randcrowns.layers.vector.names import short_names
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.colours import SERIES, SHARED, coloured
from randcrowns.ui.widgets.parts import wrapped
from randcrowns.ui.widgets.plot import PlotWidget

_MOST_NAMES = 40
#: Least side of a cell with a number, and least height of a row with a name, pixels.
_LEAST_CELL, _LEAST_ROW = 15, 9
_LONGEST_NAME = 16
#: Lines below the heatmap.
_LINES_TOLD = 4


def _axis_names(names: Sequence[str]) -> list[str]:
    """The names for the narrow space beside a plot."""
    return list(short_names(names, fits=0, longest=_LONGEST_NAME).values())


def _room(axes: Any) -> float:
    """What is left of the plot's shorter side beside titles and names, pixels, roughly."""
    return float(0.65 * min(axes.figure.get_size_inches()) * axes.figure.dpi)


class _AgreementPlot(PlotWidget):
    """Draws something of an :class:`AnnotatorResults`; its data are the results, and the annotators' colours."""

    saved_size = (7.0, 6.0)
    follows_size = True


class PairHeatmap(_AgreementPlot):
    """F1 of every two annotators. Pointing at a cell tells it in words, a click :attr:`pair_chosen`.

    A click beside the cells tells :attr:`pair_left`.
    """

    pair_chosen = pyqtSignal(int, int)
    pair_left = pyqtSignal()
    signals = ("pair_chosen", "pair_left")
    window_title = tr("F1 of every two annotators")
    file_name = "randcrowns_pairwise_f1"

    def __init__(self) -> None:
        super().__init__()
        self.told = wrapped(self._usual_words(), form=Qt.TextFormat.RichText)
        self.told.setToolTip(
            tr("F1 and the shared area count area; panoptic quality (PQ) asks whether the same polygons were drawn.")
        )
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop)
        # Of one height whatever it says, or the cells would move under the mouse.
        self.told.setFixedHeight(_LINES_TOLD * self.told.fontMetrics().lineSpacing() + 4)
        self._column.insertWidget(0, self.told)

    def draw(self, axes: Any) -> None:
        """Cells from dark (0) to bright (1)."""
        f1, names = self.data[0].f1(), self.data[0].names
        axes.imshow(f1, vmin=0, vmax=1, cmap="viridis", interpolation="nearest")
        axes.set_title(tr("pairwise F1, dark 0 to bright 1"), fontsize=10)
        short = _axis_names(names)
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
        results, colours = self.data
        written = short_names(results.names, _LONGEST_NAME, _LONGEST_NAME)
        coloured_names = [coloured(written[name], colours[name]) for name in results.names]
        if row == column:
            area = results.shared()[row, row]
            return tr("{name} marked {area:,.1f} {unit}²", name=coloured_names[row], area=area, unit=results.unit)
        pair = results.pair(row, column)
        return tr(
            "{one}, {other}, {both}<br>F1 {f1:.3f}, {shared:,.1f} {unit}² shared, PQ {pq}",
            unit=results.unit,
            one=coloured_names[row],
            other=coloured_names[column],
            both=coloured(tr("both"), SHARED),
            f1=pair["f1"],
            shared=pair["shared"],
            pq=tr("n/a") if pd.isna(pair["pq"]) else f"{pair['pq']:.3f}",
        )

    def clicked(self, event: Any) -> None:
        """Tell the pair, or that the click was beside the cells."""
        cell = self._cell(event)
        if cell is None:
            self.pair_left.emit()
        else:
            self.told.setText(self.words(*cell))
            self.pair_chosen.emit(*cell)

    def pressed(self, event: Any) -> None:
        """A click beside the axes counts as well."""
        self.clicked(event)

    def point_at(self, event: Any) -> None:
        """Say what the cell under the mouse is."""
        cell = self._cell(event)
        self.told.setText(self._usual_words() if cell is None else self.words(*cell))

    def listeners(self) -> dict[str, Callable[[Any], object]]:
        """The mouse over the cells."""
        return {
            **super().listeners(),
            "motion_notify_event": self.point_at,
            "figure_leave_event": lambda _: self.told.setText(self._usual_words()),
        }

    def _cell(self, event: Any) -> tuple[int, int] | None:
        if not self.data or event.inaxes is not self.axes or event.xdata is None:
            return None
        row, column = round(event.ydata), round(event.xdata)
        count = len(self.data[0].names)
        return (row, column) if 0 <= row < count and 0 <= column < count else None

    def _usual_words(self) -> str:
        return tr("Point at a cell for its value; click it to see the two on the map.")


class DendrogramPlot(_AgreementPlot):
    """Ward's clustering of the annotators on 1 - F1."""

    window_title = tr("Dendrogram of the annotators")
    file_name = "randcrowns_dendrogram"

    def draw(self, axes: Any) -> None:
        """One bracket per step; the leaves in the annotators' colours."""
        results, colours = self.data
        links, names = results.linkage, results.names
        axes.set_xlabel(tr("Ward's distance on 1 - F1"))
        axes.set_title(tr("clusters of annotators"), fontsize=10)
        if links.empty:
            axes.text(0.5, 0.5, tr("requires at least three annotators"), ha="center", transform=axes.transAxes)
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
        axes.scatter(np.zeros(len(names)), place, c=[colours[name] for name in names], s=30, zorder=3)
        outlier = results.annotators["outlier"].to_numpy(dtype=float) == 1
        labels = [f"{name} *" if odd else name for name, odd in zip(_axis_names(names), outlier)]
        readable = _room(axes) / len(names) >= _LEAST_ROW
        axes.set_yticks(place, labels if readable else [""] * len(names), fontsize=8)
        if outlier.any():
            axes.set_title(tr("clusters of annotators (* outlier)"), fontsize=10)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)


class RatioPlot(_AgreementPlot):
    """Share of the area marked by anybody that so many annotators marked."""

    window_title = tr("Agreement ratio")
    file_name = "randcrowns_agreement_ratio"

    def draw(self, axes: Any) -> None:
        """The curve, a point per number of annotators."""
        ratio = self.data[0].ratio
        axes.plot(ratio["annotators"], ratio["ratio"], marker="o", color=SERIES[0], markersize=4)
        x, y = tr("at least so many annotators"), tr("share of the marked area")
        set_up(axes, tr("agreement ratio (Eq. 3)"), xlabel=x, ylabel=y, ylim=(-0.02, 1.02))
        axes.xaxis.get_major_locator().set_params(integer=True)
        if ratio["ratio"].isna().all():
            axes.text(0.5, 0.5, tr("nobody marked anything"), ha="center", transform=axes.transAxes)


_PRIORS = (0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999)
#: How far the axis of areas goes, of what anybody marked.
_HEADROOM = 1.15
_USED = "#444444"
_SMALL: dict[str, Any] = {"fontsize": 8, "va": "bottom"}


class PriorPlot(PlotWidget):
    """Area that STAPLE marks along its prior.

    Its data are the table of priors, the prior used, the area marked by anybody and its unit; NaN where not known.
    """

    window_title = tr("Effect of STAPLE's prior")
    file_name = "randcrowns_staple_prior"

    def draw(self, axes: Any) -> None:
        """The marked area; the axis of the prior is stretched towards 0 and 1."""
        priors, used, anybody, unit = self.data
        axes.set_xscale("logit")
        axes.plot(priors["prior"], priors["marked"], marker="o", color=SERIES[0], markersize=4)
        x, y = tr("prior (expected share)"), tr("marked ({unit}²)", unit=unit)
        set_up(axes, tr("effect of STAPLE's prior"), xlabel=x, ylabel=y)
        axes.set_ylim(bottom=0)
        if anybody > 0:
            # Above the line STAPLE marks what nobody did, often the whole study area: that flattens the rest.
            axes.axhline(anybody, color=SERIES[1], linewidth=1, linestyle="--")
            axes.set_ylim(top=_HEADROOM * anybody)
            axes.text(
                0.02, 1.01 / _HEADROOM, tr("marked by anybody"), color=SERIES[1], transform=axes.transAxes, **_SMALL
            )
        if 0 < used < 1:
            axes.axvline(used, color=_USED, linewidth=1, linestyle=":")
            beside = axes.get_xaxis_transform()
            axes.text(used, 0.04, tr("prior used "), color=_USED, rotation=90, ha="right", transform=beside, **_SMALL)
        axes.set_xticks(_PRIORS, [f"{prior:g}" for prior in _PRIORS], fontsize=7)
        axes.minorticks_off()
