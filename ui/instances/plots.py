"""Mean metrics of the trees' parts: by distance to the trunk, and by height."""

from __future__ import annotations

from typing import Any

import pandas as pd
from qgis.PyQt.QtWidgets import QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.widgets.plot import PlotWidget

#: Colours that people with any colour vision tell apart, and markers for print.
_LINES = (
    ("mean_iou", "IoU", "#0072b2", "o"),
    ("mean_precision", "precision", "#d55e00", "s"),
    ("mean_recall", "recall", "#009e73", "^"),
)


class PartitionPlot(PlotWidget):
    """One line per metric over the partitions of one axis."""

    file_name = "randcrowns_partitions"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.window_title = tr("Metrics per partition")
        self._frame = pd.DataFrame()
        self._axis = "xy"

    def show_partitions(self, frame: pd.DataFrame, axis: str) -> None:
        """Plot the partitions of an axis, ``xy`` or ``z``."""
        self._frame = frame[frame["axis"] == axis] if len(frame) else frame
        self._axis = axis
        self.redraw()

    def twin(self, parent: QWidget) -> PlotWidget:
        """The same kind of plot."""
        return PartitionPlot(parent)

    def show_in(self, twin: PartitionPlot) -> None:
        """The same lines."""
        twin.show_partitions(self._frame, self._axis)

    def draw(self, axes: Any) -> None:
        """The lines, with gaps where nothing can be computed."""
        along = tr("share of the tree's radius") if self._axis == "xy" else tr("share of the tree's height")
        axes.set(xlim=(0, 1), ylim=(-0.02, 1.02), xlabel=along, ylabel=tr("mean of the targets"))
        axes.grid(True, color="#e6e6e6", linewidth=0.6)
        axes.set_axisbelow(True)
        if not len(self._frame):
            return
        middle = (self._frame["begin"] + self._frame["end"]) / 2
        for column, words, colour, marker in _LINES:
            axes.plot(middle, self._frame[column], color=colour, marker=marker, markersize=4, label=words)
        axes.legend(loc="lower left", fontsize=8, frameon=False)
