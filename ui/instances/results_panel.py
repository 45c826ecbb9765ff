"""Results of page Instances: the answer, the tables of crowns, summary, and partitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QVBoxLayout, QWidget

from randcrowns.algorithms.instances.schema import outputs
from randcrowns.algorithms.output_types import Column, interval_sentence
from randcrowns.algorithms.parameter_types import Option
from randcrowns.core.instances.matching import MatchStatus
from randcrowns.core.instances.summary import INTERVAL_METRICS
from randcrowns.layers.localization import message_texts, tr
from randcrowns.report.result_figures import draw_partitions
from randcrowns.report.words import detected, false_detection, not_detected
from randcrowns.ui.instances.results import (
    FEATURE_COLUMN,
    PREDICTIONS,
    TARGETS,
    InstanceResults,
    add_interval_texts,
    all_columns,
    iou_labels,
    matched_columns,
    summary_columns,
)
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.class_panel import ClassResultsPanel
from randcrowns.ui.widgets.class_tab import CellCrowns
from randcrowns.ui.widgets.crown_list import ChangesTab, CrownTable, PairLegend
from randcrowns.ui.widgets.parts import fill_layout
from randcrowns.ui.widgets.plot import PlotWidget
from randcrowns.ui.widgets.run_widgets import AnswerView, CrownCount, format_unbroken
from randcrowns.ui.widgets.table_model import NumberFormat, TableColumn, format_text, table_columns
from randcrowns.ui.widgets.table_view import TO_CROWNS_TOOLTIP, TableWithExport

#: Metrics of polygon layers that the answer contains if they are defined.
_POLYGON_METRICS = ("ap", "ap50", "point_recall")


class _StatusCount(NamedTuple):
    """A count of crowns of one status in the answer."""

    #: Side of the crowns, :data:`TARGETS` or :data:`PREDICTIONS`.
    side: str
    #: Status of the crowns.
    status: MatchStatus
    #: Column of the summary with the count.
    column: str
    #: Label after the count.
    label: str
    #: Tooltip of the count.
    meaning: str


class _CellRows(NamedTuple):
    """Crowns of a cell of the confusion matrix as rows of a table."""

    #: Side of the crowns, :data:`TARGETS` or :data:`PREDICTIONS`.
    side: str
    #: Rows of the crowns in the frame of the side.
    rows: list[int]


class PartitionPlot(PlotWidget):
    """Plot with one line per metric over the partitions along an axis.

    The data are a row per partition and axis, and the axis, ``xy`` or ``z``.
    """

    window_title = outputs.PARTITIONS.label
    file_name = "randcrowns_partitions"

    def draw(self, axes: Any) -> None:
        """Draw the lines, with gaps where a mean is undefined."""
        labels = {column.name: column.label for column in outputs.PARTITIONS.columns}
        partitions, axis = self.data
        draw_partitions(axes, partitions, axis, labels)


class InstanceResultsPanel(ClassResultsPanel):
    """Widget with the results of an evaluation.

    It emits signals for what the map has to show, and does not draw on the map itself.
    """

    #: Emitted with :data:`TARGETS` or :data:`PREDICTIONS`, and a row of its frame; -1 for none.
    row_chosen = pyqtSignal(str, int)
    #: Emitted with :data:`TARGETS` or :data:`PREDICTIONS`, and the status of a clicked count.
    count_clicked = pyqtSignal(str, str)
    #: Emitted with :data:`TARGETS` or :data:`PREDICTIONS`, and the rows of the crowns of a clicked
    #: cell of the confusion matrix.
    cell_clicked = pyqtSignal(str, object)

    def __init__(self) -> None:
        super().__init__("randcrowns_numbers_per_class")
        #: The displayed results; None if there are none.
        self.results: InstanceResults | None = None
        #: Crowns of the clicked cell of the confusion matrix.
        self._cell_rows = _CellRows(TARGETS, [])
        #: Metrics and counts.
        self.answer_view = AnswerView()
        self._create_tables()
        self._create_partition_plot()
        self.changes_tab = ChangesTab(self.tabs, "randcrowns_changes")
        self._arrange_widgets()
        self._connect()

    def _create_tables(self) -> None:
        """Create the tables of the tabs."""
        #: Legends of the target table and of the prediction table.
        self._legends = (PairLegend(), PairLegend())
        self.target_table = CrownTable("randcrowns_matched_targets", self._legends[0])
        self.prediction_table = CrownTable("randcrowns_matched_predictions", self._legends[1])
        self.summary_table = TableWithExport("randcrowns_instances")
        #: Metrics per threshold of IoU, for polygon layers.
        self.threshold_table = TableWithExport("randcrowns_thresholds")
        #: Metrics per class, for point clouds.
        self.class_table = TableWithExport("randcrowns_classes")
        #: Time and memory per step, for point clouds.
        self.performance_table = TableWithExport("randcrowns_time_and_memory")

    def _create_partition_plot(self) -> None:
        """Create the plot of the partitions of point clouds, and the box that selects its axis."""
        self.plot = PartitionPlot()
        #: Selected axis of the plot.
        self.axis_box = OptionBox(
            (
                Option(
                    "xy",
                    tr("By distance to the trunk"),
                    tr("From the trunk outwards, seen from above."),
                ),
                Option("z", tr("By height"), tr("From the lowest point of each tree upwards.")),
            )
        )

    def _connect(self) -> None:
        """Connect the signals of the widgets."""
        self.answer_view.count_clicked.connect(self._on_count_clicked)
        self.axis_box.currentIndexChanged.connect(self._show_partitions)
        self.summary_table.row_activated.connect(self._show_crowns_of_plot)
        self.class_tab.cell_chosen.connect(self._on_cell_chosen)
        self.class_tab.crown_chosen.connect(self._on_cell_crown_chosen)
        self.target_table.row_chosen.connect(lambda row: self.row_chosen.emit(TARGETS, row))
        self.prediction_table.row_chosen.connect(lambda row: self.row_chosen.emit(PREDICTIONS, row))

    def show_results(self, results: InstanceResults) -> None:
        """Show the results of an evaluation in all tables and the plot.

        Goes to the tab of classes if only classes were compared.
        """
        self.results = results
        self.changes_tab.remove_tab()
        for table, frame, output in (
            (self.target_table, results.targets, outputs.MATCHED_TARGETS),
            (self.prediction_table, results.predictions, outputs.MATCHED_PREDICTIONS),
        ):
            declared = output.with_unit(results.unit)
            columns = matched_columns(declared, frame.columns, results.are_points)
            table.show_frame(frame, columns)
        summary = add_interval_texts(results.summary)
        columns = summary_columns(summary.columns, results.are_points)
        self.summary_table.show_frame(summary, columns)
        self._show_optional_tables(results)
        self.show_classes(results)
        has_crowns = len(results.targets) > 0 or len(results.predictions) > 0
        if len(results.classes) and not has_crowns:
            self.tabs.setCurrentWidget(self.class_table)
        overall_row = summary.iloc[0]
        self._show_answer(results, overall_row)
        self._show_partitions()

    def _show_optional_tables(self, results: InstanceResults) -> None:
        """Show the tables that only polygon layers or only point clouds have.

        The tabs of empty tables are disabled.

        Args:
            results: The results.
        """
        self._show_table_if_any(
            self.threshold_table, results.thresholds, all_columns(outputs.THRESHOLDS)
        )
        self._show_table_if_any(self.class_table, results.classes, all_columns(outputs.CLASSES))
        performance_columns = table_columns(outputs.PERFORMANCE, *outputs.PERFORMANCE.field_names)
        self._show_table_if_any(self.performance_table, results.performance, performance_columns)
        self.enable_tab(self._partition_tab, len(results.partitions) > 0)

    def show_prediction_colour(self, colour: str) -> None:
        """Show in the legends the colour in which the map draws predictions, ``#rrggbb``."""
        for legend in self._legends:
            legend.show_colour(colour)

    def selected_target_id(self) -> int | None:
        """Return the id of the first target selected in the table, or None."""
        selected_rows = self.target_table.view.selected_rows()
        if not selected_rows or self.results is None:
            return None
        frame_row = self.target_table.model.frame_row(selected_rows[0])
        return int(self.results.targets["target_id"].iloc[frame_row])

    def table_of_side(self, side: str) -> CrownTable:
        """Return the table of the targets or of the predictions."""
        return self.target_table if side == TARGETS else self.prediction_table

    def select_rows(self, side: str, column: str, ids: Sequence[int]) -> list[int]:
        """Select crowns in the table of a side and show them.

        Args:
            side: :data:`TARGETS` or :data:`PREDICTIONS`.
            column: Column of the table with the ids.
            ids: Ids of the crowns.

        Returns:
            Rows of the frame with the ids; empty without results.
        """
        if self.results is None:
            return []
        self.clear_selection()
        if ids:
            self.tabs.setCurrentWidget(self.table_of_side(side))
        return self.table_of_side(side).select_ids(column, ids)

    def feature_ids_of(self, side: str, status: str) -> list[int]:
        """Return the ids of the features of a side that have a status."""
        frame = self.table_of_side(side).model.frame
        has_status = frame["status"] == status
        return [int(feature_id) for feature_id in frame.loc[has_status, FEATURE_COLUMN]]

    def clear_selection(self) -> None:
        """Clear the selection in the tables of crowns and of changes."""
        for table in (self.target_table, self.prediction_table, self.changes_tab):
            table.clear_selection()

    def _show_table_if_any(
        self, table: TableWithExport, frame: pd.DataFrame, columns: Sequence[TableColumn]
    ) -> None:
        """Show a frame in a table, or disable the table's tab if the frame is empty.

        Args:
            table: Table in a tab of its own.
            frame: Rows to show.
            columns: Columns to show.
        """
        if len(frame):
            table.show_frame(frame, columns)
        self.enable_tab(table, len(frame) > 0)

    def _on_cell_chosen(self, crowns: CellCrowns) -> None:
        """Name the crowns of a cell that was clicked, and emit :attr:`cell_clicked`."""
        side = PREDICTIONS if crowns.are_predictions else TARGETS
        rows = crowns.rows_of(self.table_of_side(side).model.frame)
        self._cell_rows = _CellRows(side, rows)
        self.class_tab.show_crowns(crowns, len(rows))
        self.cell_clicked.emit(side, rows)

    def _on_cell_crown_chosen(self, position: int) -> None:
        """Emit :attr:`row_chosen` for the crown at a position of the clicked cell."""
        self.row_chosen.emit(self._cell_rows.side, self._cell_rows.rows[position])

    def _show_answer(self, results: InstanceResults, row: pd.Series) -> None:
        """Show the metrics and counts of all crowns.

        Args:
            results: The results.
            row: First row of the summary, see :func:`add_interval_texts`.
        """
        labels = iou_labels(results.are_points)
        metrics = [
            replace(metric, label=labels.get(metric.name, metric.label))
            for metric in _metrics_of_answer(row)
        ]
        format_metric = NumberFormat(2)
        metric_texts = [
            format_unbroken(metric.label, format_metric(row[metric.name])) for metric in metrics
        ]
        explanation = [_explain_metric(metric, row) for metric in metrics]
        explanation.append(interval_sentence(str(row["resampled"])))
        explanation += message_texts((*results.height_messages, *results.score_messages))
        counts = [
            CrownCount(
                f"{count.side}/{count.status.value}",
                int(row[count.column]),
                count.label,
                count.meaning,
            )
            for count in _status_counts(row)
        ]
        self.answer_view.show_answer(
            "&nbsp; ".join(metric_texts),
            explanation,
            counts,
            tr("nothing to match"),
            results.settings_sentences,
        )

    def _show_partitions(self, *_: object) -> None:
        """Plot the metrics over the partitions along the selected axis, if there are any."""
        if self.results is not None and len(self.results.partitions):
            self.plot.show_data(self.results.partitions, str(self.axis_box.currentData()))

    def _show_crowns_of_plot(self, row: int) -> None:
        """Show only the crowns of the plot in a row of the summary."""
        plot = str(self.summary_table.model.frame["plot"].iloc[row])
        for table in (self.target_table, self.prediction_table):
            table.filter_plot(plot)
        self.tabs.setCurrentWidget(self.target_table)

    def _on_count_clicked(self, key: str) -> None:
        """Show the table of a side and emit :attr:`count_clicked`.

        Args:
            key: Side and status, separated by a slash.
        """
        side, status = key.split("/")
        self.tabs.setCurrentWidget(self.table_of_side(side))
        self.count_clicked.emit(side, status)

    def _add_tabs(self) -> None:
        """Add a tab for each table, and one for the plot of partitions."""
        self.add_tab(
            self.target_table,
            tr("Targets"),
            tr("A row shows its target (red) and the prediction (in its layer's colour)."),
        )
        self.add_tab(
            self.prediction_table,
            tr("Predictions"),
            tr("A row shows its prediction (in its layer's colour) and the target (red)."),
        )
        self.add_class_tab()
        summary_tooltip = tr("Metrics with intervals, for all and per plot.")
        self.add_tab(self.summary_table, tr("Summary"), f"{summary_tooltip}\n{TO_CROWNS_TOOLTIP}")
        self.add_strata_tab()
        self.add_tab(
            self.threshold_table,
            tr("Thresholds"),
            tr("Polygon layers: {what}", what=outputs.THRESHOLDS.help),
        )
        self._add_cloud_tabs()

    def _add_cloud_tabs(self) -> None:
        """Add the tabs that only point clouds have: classes, partitions, and time and memory."""
        #: Tab with the plot of partitions.
        self._partition_tab = QWidget()
        fill_layout(
            QVBoxLayout(self._partition_tab),
            self.axis_box,
            self.plot,
            margins=(0, 4, 0, 0),
            stretched=self.plot,
        )
        self.add_tab(
            self.class_table, tr("Classes"), tr("Point clouds: {what}", what=outputs.CLASSES.help)
        )
        self.add_tab(
            self._partition_tab,
            tr("Partitions"),
            tr("Point clouds: {what}", what=outputs.PARTITIONS.help),
        )
        self.add_tab(
            self.performance_table, tr("Time"), tr("Point clouds: time and memory of each step.")
        )

    def _arrange_widgets(self) -> None:
        """Add the tabs and lay out the panel."""
        self.answer_view.add_button(self.review_button)
        self._add_tabs()
        fill_layout(
            QVBoxLayout(self),
            self.stale_label,
            self.answer_view,
            self.notes,
            self.tabs,
            spacing=3,
            stretched=self.tabs,
        )


def _metrics_of_answer(row: pd.Series) -> list[Column]:
    """Return the metrics that the answer contains, as columns of the summary.

    Args:
        row: Row of the summary. Metrics of polygon layers that it lacks are omitted.
    """
    columns = outputs.SUMMARY.columns
    metrics = [column for column in columns if column.name in INTERVAL_METRICS]
    metrics += [
        column
        for column in columns
        if column.name in _POLYGON_METRICS and pd.notna(row.get(column.name))
    ]
    return metrics


def _explain_metric(metric: Column, row: pd.Series) -> str:
    """Return name, value, interval if there is one, and meaning of a metric.

    Args:
        metric: Column of the summary with the metric.
        row: Row of the summary, see :func:`add_interval_texts`.
    """
    value_text = NumberFormat(3)(row[metric.name])
    interval = row.get(f"{metric.name}_between", "")
    if interval and pd.notna(row[metric.name]):
        value_text = f"{value_text} ({format_text(interval)})"
    return tr("{name} {value}. {meaning}", name=metric.label, value=value_text, meaning=metric.help)


def _status_counts(row: pd.Series) -> list[_StatusCount]:
    """Return the counts of the answer; those without a number in the row are omitted.

    Args:
        row: Row of the summary.
    """
    counts = (*_target_counts(), *_prediction_counts(is_one_false=row["fp"] == 1))
    return [count for count in counts if pd.notna(row.get(count.column))]


def _target_counts() -> tuple[_StatusCount, ...]:
    """Return the counts of targets that were detected, and of those that were not."""
    return (
        _StatusCount(
            side=TARGETS,
            status=MatchStatus.TRUE_POSITIVE,
            column="tp",
            label=detected().one,
            meaning=tr("targets with a prediction. {sources}", sources=detected().sources),
        ),
        _StatusCount(
            side=TARGETS,
            status=MatchStatus.FALSE_NEGATIVE,
            column="fn",
            label=not_detected().one,
            meaning=tr("targets without a prediction. {sources}", sources=not_detected().sources),
        ),
    )


def _prediction_counts(is_one_false: bool) -> tuple[_StatusCount, ...]:
    """Return the counts of predictions without a target, uncertain ones, and unjudged ones.

    Args:
        is_one_false: True if exactly one prediction has no target, for the label.
    """
    false_word = false_detection()
    return (
        _StatusCount(
            side=PREDICTIONS,
            status=MatchStatus.FALSE_POSITIVE,
            column="fp",
            label=false_word.one if is_one_false else false_word.many,
            meaning=tr("predictions without a target. {sources}", sources=false_word.sources),
        ),
        _StatusCount(
            side=PREDICTIONS,
            status=MatchStatus.UNCERTAIN,
            column="uncertain",
            label=tr("uncertain"),
            meaning=tr("they do not count"),
        ),
        _StatusCount(
            side=PREDICTIONS,
            status=MatchStatus.NOT_JUDGED,
            column="not_judged",
            label=tr("not judged"),
            meaning=tr("only some crowns were drawn"),
        ),
    )
