"""Plots of page Annotators: pairwise F1, dendrogram, agreement ratio, and STAPLE's prior."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qgis.PyQt.QtCore import Qt, pyqtSignal

from randcrowns.layers.localization import tr
from randcrowns.report.names import abbreviate_names
from randcrowns.report.result_figures import (
    draw_agreement_ratio,
    draw_dendrogram,
    draw_pairwise_f1,
    draw_prior_effect,
)
from randcrowns.ui.widgets.colours import SHARED, coloured_name
from randcrowns.ui.widgets.parts import make_wrapped_label
from randcrowns.ui.widgets.plot import PlotWidget
from randcrowns.ui.widgets.table_model import NumberFormat

#: Maximum number of characters of an annotator's name below the heatmap.
_MAX_NAME_LENGTH = 16
#: Number of lines of text above the heatmap.
_TEXT_LINES = 4
#: Space below the text above the heatmap, pixels.
_TEXT_MARGIN = 4


class _AgreementPlot(PlotWidget):
    """Base class of plots of a comparison.

    The data are the ``AnnotatorResults``, and the annotators' colours by name.
    """

    saved_size = (7.0, 6.0)
    follows_size = True


class PairHeatmap(_AgreementPlot):
    """Heatmap of the F1 of every pair of annotators.

    A text describes the cell under the mouse or, while there is none, the cell shown on the map.
    """

    #: Emitted with row and column of a cell when it is clicked.
    pair_chosen = pyqtSignal(int, int)
    #: Emitted when the user clicks outside the cells.
    pair_left = pyqtSignal()
    signal_names = ("pair_chosen", "pair_left")
    window_title = tr("F1 of every two annotators")
    file_name = "randcrowns_pairwise_f1"

    def __init__(self) -> None:
        super().__init__()
        #: Row and column of the cell that the map shows; None for none.
        self.selected_cell: tuple[int, int] | None = None
        self.cell_label = make_wrapped_label(
            self._instruction(), text_format=Qt.TextFormat.RichText
        )
        self.cell_label.setToolTip(
            tr(
                "F1 and the shared area compare areas; panoptic quality (PQ) compares single "
                "polygons."
            )
        )
        self.cell_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        # A height that depends on the text would move the cells under the mouse.
        text_height = _TEXT_LINES * self.cell_label.fontMetrics().lineSpacing()
        self.cell_label.setFixedHeight(text_height + _TEXT_MARGIN)
        self._column.insertWidget(0, self.cell_label)

    def draw(self, axes: Any) -> None:
        """Draw a cell per pair of annotators, from dark (0) to bright (1)."""
        results, _ = self.data
        draw_pairwise_f1(axes, results.f1_matrix(), results.names)

    def describe_cell(self, row: int, column: int) -> str:
        """Return a description of a cell, as rich text with the annotators' colours.

        Args:
            row: Position of an annotator in the order of the run.
            column: Position of another annotator, or the same.

        Returns:
            F1, shared area and panoptic quality of two annotators; for a cell on the diagonal, the
            area that the annotator marked.
        """
        results, _ = self.data
        row_name = self._coloured_name_of(row)
        if row == column:
            return tr(
                "{name} marked {area:,.1f} {unit}²",
                name=row_name,
                area=results.shared_area_matrix()[row, row],
                unit=results.unit,
            )
        pair = results.find_pair(row, column)
        return tr(
            "{first}, {other}, {both}<br>F1 {f1:.3f}, {shared:,.1f} {unit}² shared, PQ {pq}",
            unit=results.unit,
            first=row_name,
            other=self._coloured_name_of(column),
            both=coloured_name(tr("both"), SHARED),
            f1=pair["f1"],
            shared=pair["shared"],
            pq=NumberFormat(3)(pair["pq"]),
        )

    def _coloured_name_of(self, position: int) -> str:
        """Return the short name of an annotator in the annotator's colour, as rich text.

        Args:
            position: Position of the annotator in the order of the run.
        """
        results, colours = self.data
        name = results.names[position]
        short_by_name = abbreviate_names(results.names, _MAX_NAME_LENGTH, _MAX_NAME_LENGTH)
        return coloured_name(short_by_name[name], colours[name])

    def on_axes_clicked(self, event: Any) -> None:
        """Select the clicked cell, or none, and emit a signal.

        Args:
            event: Mouse event of matplotlib.
        """
        self.selected_cell = self._cell_at(event)
        self.show_cell_description(event)
        if self.selected_cell is None:
            self.pair_left.emit()
        else:
            self.pair_chosen.emit(*self.selected_cell)

    def on_mouse_pressed(self, event: Any) -> None:
        """Handle a click anywhere in the plot like a click on the axes."""
        self.on_axes_clicked(event)

    def show_cell_description(self, event: Any = None) -> None:
        """Describe the cell under the mouse or, if there is none, the selected cell.

        Args:
            event: Mouse event of matplotlib; None if the mouse has left the plot.
        """
        cell = None if event is None else self._cell_at(event)
        if cell is None:
            cell = self.selected_cell
        text = self._instruction() if cell is None else self.describe_cell(*cell)
        self.cell_label.setText(text)

    def callbacks(self) -> dict[str, Callable[[Any], object]]:
        """Return the callback of each matplotlib event by the name of the event."""
        return {
            **super().callbacks(),
            "motion_notify_event": self.show_cell_description,
            "figure_leave_event": lambda _: self.show_cell_description(),
        }

    def _cell_at(self, event: Any) -> tuple[int, int] | None:
        """Return row and column of the cell at a mouse event, or None outside the cells."""
        if not self.data or event.inaxes is not self.axes or event.xdata is None:
            return None
        row = round(event.ydata)
        column = round(event.xdata)
        results, _ = self.data
        count = len(results.names)
        if 0 <= row < count and 0 <= column < count:
            return row, column
        return None

    def _instruction(self) -> str:
        """Return the text that is shown while there is no cell to describe."""
        return tr("Point at a cell for its value; click it to see the two on the map.")


class DendrogramPlot(_AgreementPlot):
    """Dendrogram of Ward's clustering of the annotators on the distance 1 - F1."""

    window_title = tr("Dendrogram of the annotators")
    file_name = "randcrowns_dendrogram"

    def draw(self, axes: Any) -> None:
        """Draw one bracket per step of the clustering, with leaves in the annotators' colours."""
        results, colours = self.data
        is_unlike = results.annotators["unlike"].to_numpy(dtype=float) == 1
        draw_dendrogram(axes, results.linkage, results.names, colours, is_unlike)


class RatioPlot(_AgreementPlot):
    """Agreement ratio: area marked by at least n annotators, relative to that marked by any."""

    window_title = tr("Agreement ratio")
    file_name = "randcrowns_agreement_ratio"

    def draw(self, axes: Any) -> None:
        """Draw a curve with one point per number of annotators."""
        results, _ = self.data
        draw_agreement_ratio(axes, results.ratio)


class PriorPlot(PlotWidget):
    """Area that STAPLE marks as a function of its prior.

    The data are the table of priors, the prior that was used, the area marked by any annotator
    and its unit; NaN for unknown numbers.
    """

    window_title = tr("Effect of STAPLE's prior")
    file_name = "randcrowns_staple_prior"

    def draw(self, axes: Any) -> None:
        """Draw the marked area, with the axis of the prior stretched near 0 and 1."""
        priors, used_prior, marked_by_any, unit = self.data
        draw_prior_effect(axes, priors, used_prior, marked_by_any, unit)
