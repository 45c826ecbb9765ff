"""The plots of page Annotators: heatmap of pairs, dendrogram, agreement ratio."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qgis.PyQt.QtCore import Qt, pyqtSignal

from randcrowns.layers.styles.plots import draw_dendrogram, draw_pairs, draw_priors, draw_ratio
from randcrowns.layers.vector.names import short_names
from randcrowns.layers.words import tr
from randcrowns.ui.widgets.colours import SHARED, coloured
from randcrowns.ui.widgets.parts import wrapped
from randcrowns.ui.widgets.plot import PlotWidget
from randcrowns.ui.widgets.table_model import as_number

_LONGEST_NAME = 16
#: Lines below the heatmap.
_LINES_TOLD = 4


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
        #: The cell that is on the map: what is told while the mouse points at none.
        self.chosen: tuple[int, int] | None = None
        self.told = wrapped(self._usual_words(), form=Qt.TextFormat.RichText)
        self.told.setToolTip(
            tr(
                "F1 and the shared area count area; panoptic quality (PQ) asks whether the same polygons were drawn."
            )
        )
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop)
        # Of one height whatever it says, or the cells would move under the mouse.
        self.told.setFixedHeight(_LINES_TOLD * self.told.fontMetrics().lineSpacing() + 4)
        self._column.insertWidget(0, self.told)

    def draw(self, axes: Any) -> None:
        """Cells from dark (0) to bright (1)."""
        draw_pairs(axes, self.data[0].f1(), self.data[0].names)

    def words(self, row: int, column: int) -> str:
        """A cell in words, as rich text: who in which colour, value and shared area."""
        results, colours = self.data
        written = short_names(results.names, _LONGEST_NAME, _LONGEST_NAME)
        coloured_names = [coloured(written[name], colours[name]) for name in results.names]
        if row == column:
            area = results.shared()[row, row]
            return tr(
                "{name} marked {area:,.1f} {unit}²",
                name=coloured_names[row],
                area=area,
                unit=results.unit,
            )
        pair = results.pair(row, column)
        return tr(
            "{first}, {other}, {both}<br>F1 {f1:.3f}, {shared:,.1f} {unit}² shared, PQ {pq}",
            unit=results.unit,
            first=coloured_names[row],
            other=coloured_names[column],
            both=coloured(tr("both"), SHARED),
            f1=pair["f1"],
            shared=pair["shared"],
            pq=as_number(3)(pair["pq"]),
        )

    def clicked(self, event: Any) -> None:
        """Tell the pair, or that the click was beside the cells."""
        self.chosen = self._cell(event)
        self.point_at(event)
        if self.chosen is None:
            self.pair_left.emit()
        else:
            self.pair_chosen.emit(*self.chosen)

    def pressed(self, event: Any) -> None:
        """A click beside the axes counts as well."""
        self.clicked(event)

    def point_at(self, event: Any = None) -> None:
        """Say what the cell under the mouse is, else the one on the map."""
        cell = (event and self._cell(event)) or self.chosen
        self.told.setText(self._usual_words() if cell is None else self.words(*cell))

    def listeners(self) -> dict[str, Callable[[Any], object]]:
        return {
            **super().listeners(),
            "motion_notify_event": self.point_at,
            "figure_leave_event": lambda _: self.point_at(),
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
        outlier = results.annotators["outlier"].to_numpy(dtype=float) == 1
        draw_dendrogram(axes, results.linkage, results.names, colours, outlier)


class RatioPlot(_AgreementPlot):
    """Share of the area marked by anybody that so many annotators marked."""

    window_title = tr("Agreement ratio")
    file_name = "randcrowns_agreement_ratio"

    def draw(self, axes: Any) -> None:
        """The curve, a point per number of annotators."""
        draw_ratio(axes, self.data[0].ratio)


class PriorPlot(PlotWidget):
    """Area that STAPLE marks along its prior.

    Its data are the table of priors, the prior used, the area marked by anybody and its unit; NaN where not known.
    """

    window_title = tr("Effect of STAPLE's prior")
    file_name = "randcrowns_staple_prior"

    def draw(self, axes: Any) -> None:
        """The marked area; the axis of the prior is stretched towards 0 and 1."""
        draw_priors(axes, *self.data)
