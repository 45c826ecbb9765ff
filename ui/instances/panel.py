"""The results of page Instances: the answer in one line, then targets, predictions, summary and partitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QVBoxLayout, QWidget

from randcrowns.algorithms.choice import Option
from randcrowns.algorithms.instances import outputs
from randcrowns.algorithms.output import intervals_over
from randcrowns.core.instances.matching import MatchStatus
from randcrowns.core.instances.summary import INTERVALS
from randcrowns.layers.styles.plots import draw_partitions
from randcrowns.layers.words import sentences, tr
from randcrowns.ui.instances.results import (
    FEATURE,
    PREDICTIONS,
    TARGETS,
    InstanceResults,
    columns_of_all,
    matched_columns,
    summary_columns,
    with_intervals,
)
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.crown_list import ChangesTab, CrownList
from randcrowns.ui.widgets.parts import TabbedResults, fill
from randcrowns.ui.widgets.plot import PlotWidget
from randcrowns.ui.widgets.run_bar import Count, Headline, unbroken
from randcrowns.ui.widgets.table_model import as_number, as_text, columns_of
from randcrowns.ui.widgets.table_view import TO_CROWNS, TableWithExport

#: Metrics of polygons that stand beside those of every evaluation.
_BESIDE = ("ap", "ap50", "point_recall")


class PartitionPlot(PlotWidget):
    """One line per metric over the partitions of one axis: a frame, and ``xy`` or ``z``."""

    window_title = outputs.PARTITIONS.label
    file_name = "randcrowns_partitions"

    def draw(self, axes: Any) -> None:
        """The lines, with gaps where a mean is undefined."""
        labels = {column.name: column.label for column in outputs.PARTITIONS.columns}
        partitions, axis = self.data
        draw_partitions(axes, partitions, axis, labels)


class InstancePanel(TabbedResults):
    """Shows an :class:`InstanceResults`. Emits what the user goes to; draws nothing on the map itself."""

    #: TARGETS or PREDICTIONS, and a row of its table or -1.
    row_chosen = pyqtSignal(str, int)
    #: TARGETS or PREDICTIONS, and a status whose count was clicked.
    count_clicked = pyqtSignal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.results: InstanceResults | None = None
        self.headline = Headline()
        self.targets = CrownList("randcrowns_matched_targets", with_regions=False)
        self.predictions = CrownList("randcrowns_matched_predictions", with_regions=False)
        self.summary = TableWithExport("randcrowns_instances")
        self.thresholds = TableWithExport("randcrowns_thresholds")
        self.classes = TableWithExport("randcrowns_classes")
        self.performance = TableWithExport("randcrowns_time_and_memory")
        self.plot = PartitionPlot()
        self.axis = OptionBox(
            (
                Option(
                    "xy",
                    tr("By distance to the trunk"),
                    tr("From the trunk outwards, seen from above."),
                ),
                Option("z", tr("By height"), tr("From the lowest point of each tree upwards.")),
            )
        )
        self.changes = ChangesTab(self.tabs, "randcrowns_changes")
        self._build()
        self.headline.count_clicked.connect(self._click)
        self.axis.currentIndexChanged.connect(self._show_partitions)
        self.summary.row_activated.connect(self._go_to_plot)
        self.targets.row_chosen.connect(lambda row: self.row_chosen.emit(TARGETS, row))
        self.predictions.row_chosen.connect(lambda row: self.row_chosen.emit(PREDICTIONS, row))

    def show_results(self, results: InstanceResults) -> None:
        """Show these."""
        self.results = results
        self.changes.put_away()
        for crowns, frame, output in (
            (self.targets, results.targets, outputs.MATCHED_TARGETS),
            (self.predictions, results.predictions, outputs.MATCHED_PREDICTIONS),
        ):
            crowns.show_frame(frame, matched_columns(output.in_unit(results.unit), frame.columns))
        summary = with_intervals(results.summary)
        self.summary.show_frame(summary, summary_columns(summary.columns))
        for table, frame, output in (
            (self.thresholds, results.thresholds, outputs.THRESHOLDS),
            (self.classes, results.classes, outputs.CLASSES),
        ):
            if len(frame):
                table.show_frame(frame, columns_of_all(output))
            self.enable_tab(table, len(frame) > 0)
        if len(results.performance):
            columns = columns_of(outputs.PERFORMANCE, *outputs.PERFORMANCE.names)
            self.performance.show_frame(results.performance, columns)
        self.enable_tab(self._partitions, len(results.partitions) > 0)
        self.enable_tab(self.performance, len(results.performance) > 0)
        if len(results.classes) and not len(results.targets) + len(results.predictions):
            self.tabs.setCurrentWidget(self.classes)
        self._show_answer(summary.iloc[0])
        self._show_partitions()

    def crowns(self, side: str) -> CrownList:
        """The table of the targets or of the predictions."""
        return self.targets if side == TARGETS else self.predictions

    def select_rows(self, side: str, column: str, ids: Sequence[int]) -> list[int]:
        """Select the rows of one side that hold these ids in that column, show them and return them."""
        if self.results is None:
            return []
        self.forget_choice()
        if ids:
            self.tabs.setCurrentWidget(self.crowns(side))
        return self.crowns(side).select_ids(column, ids)

    def features_of(self, side: str, status: str) -> list[int]:
        """Ids of the features of that status."""
        frame = self.crowns(side).model.frame
        return [int(number) for number in frame.loc[frame["status"] == status, FEATURE]]

    def forget_choice(self) -> None:
        for crowns in (self.targets, self.predictions, self.changes):
            crowns.forget_choice()

    def _show_answer(self, row: pd.Series) -> None:
        metrics = [column for column in outputs.SUMMARY.columns if column.name in INTERVALS]
        metrics += [
            one
            for one in outputs.SUMMARY.columns
            if one.name in _BESIDE and pd.notna(row.get(one.name))
        ]
        parts = [unbroken(one.label, as_number(2)(row[one.name])) for one in metrics]
        lines = []
        for one in metrics:
            number, ends = as_number(3)(row[one.name]), row.get(f"{one.name}_between", "")
            value = f"{number} ({as_text(ends)})" if ends and pd.notna(row[one.name]) else number
            lines.append(
                tr("{name} {value}. {meaning}", name=one.label, value=value, meaning=one.help)
            )
        lines.append(intervals_over(str(row["resampled"])))
        lines += (
            [] if self.results is None else sentences((*self.results.height, *self.results.scores))
        )
        false = tr("false positive") if row["fp"] == 1 else tr("false positives")
        counts = [
            Count(f"{side}/{status.value}", int(row[column]), words, meaning)
            for side, status, column, words, meaning in (
                (
                    TARGETS,
                    MatchStatus.TRUE_POSITIVE,
                    "tp",
                    tr("found"),
                    tr("targets with a prediction"),
                ),
                (
                    TARGETS,
                    MatchStatus.FALSE_NEGATIVE,
                    "fn",
                    tr("not found"),
                    tr("targets without a prediction"),
                ),
                (PREDICTIONS, MatchStatus.FALSE_POSITIVE, "fp", false, tr("unmatched predictions")),
                (
                    PREDICTIONS,
                    MatchStatus.UNCERTAIN,
                    "uncertain",
                    tr("uncertain"),
                    tr("they do not count"),
                ),
                (
                    PREDICTIONS,
                    MatchStatus.NOT_JUDGED,
                    "not_judged",
                    tr("not judged"),
                    tr("only some crowns were drawn"),
                ),
            )
            if column in row
        ]
        decided = () if self.results is None else self.results.decided
        self.headline.show_answer(
            "&nbsp; ".join(parts), lines, counts, tr("nothing to match"), decided
        )

    def _show_partitions(self, *_: object) -> None:
        if self.results is not None and len(self.results.partitions):
            self.plot.show_data(self.results.partitions, str(self.axis.currentData()))

    def _go_to_plot(self, row: int) -> None:
        """The crowns of a row of the summary."""
        for side in (self.targets, self.predictions):
            side.show_plot(str(self.summary.model.frame["group"].iloc[row]))
        self.tabs.setCurrentWidget(self.targets)

    def _click(self, key: str) -> None:
        side, status = key.split("/")
        self.tabs.setCurrentWidget(self.crowns(side))
        self.count_clicked.emit(side, status)

    def _build(self) -> None:
        self._partitions = QWidget()
        fill(
            QVBoxLayout(self._partitions),
            self.axis,
            self.plot,
            margins=(0, 4, 0, 0),
            wide=self.plot,
        )
        for widget, title, tooltip in (
            (
                self.targets,
                tr("Targets"),
                tr("A row shows its target on the map (red) and the prediction (black)."),
            ),
            (
                self.predictions,
                tr("Predictions"),
                tr("A row shows its prediction (black) and the target (red)."),
            ),
            (
                self.summary,
                tr("Summary"),
                f"{tr('Metrics with intervals, for all and per plot.')}\n{TO_CROWNS}",
            ),
            (
                self.thresholds,
                tr("Thresholds"),
                tr("Polygon layers: {what}", what=outputs.THRESHOLDS.help),
            ),
            (self.classes, tr("Classes"), tr("Point clouds: {what}", what=outputs.CLASSES.help)),
            (
                self._partitions,
                tr("Partitions"),
                tr("Point clouds: {what}", what=outputs.PARTITIONS.help),
            ),
            (self.performance, tr("Time"), tr("Point clouds: time and memory of each step.")),
        ):
            self.add_tab(widget, title, tooltip)
        fill(
            QVBoxLayout(self),
            self.stale,
            self.headline,
            self.notes,
            self.tabs,
            spacing=3,
            wide=self.tabs,
        )
