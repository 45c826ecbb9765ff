"""Results of page Score: a headline with the mean scores, then table, summary and plot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pandas as pd
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtGui import QTextDocumentFragment
from qgis.PyQt.QtWidgets import QCheckBox, QSizePolicy, QVBoxLayout

from randcrowns.algorithms.classes.outputs import CROWN_COLUMNS
from randcrowns.algorithms.output_types import INTERVAL_HELP, STATUS_TEXTS, interval_sentence
from randcrowns.algorithms.parameter_types import Option
from randcrowns.algorithms.scoring.answer import ScoreAnswer
from randcrowns.algorithms.scoring.live_run import LayerChange
from randcrowns.algorithms.scoring.schema.outputs import (
    PAIRS,
    SCORED_DELINEATIONS,
    SPREAD_FIELDS,
    SUMMARY,
)
from randcrowns.core.arrays import number_with_interval_text
from randcrowns.core.messages import Message
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.status import Status
from randcrowns.layers.localization import escape_rich_text, tr
from randcrowns.report.words import false_detection
from randcrowns.ui.scoring.form import LIVE_SCORING
from randcrowns.ui.scoring.layer_table import LayerTable
from randcrowns.ui.scoring.live_update import EditableFrameModel, apply_change
from randcrowns.ui.scoring.results import DrawnSoFar, LayerScores, ScoreResults
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.class_panel import ClassResultsPanel
from randcrowns.ui.widgets.colours import SECONDARY_TONE
from randcrowns.ui.widgets.crown_list import ChangesTab, CrownTable, RegionLegend
from randcrowns.ui.widgets.folding_row import FoldingRow
from randcrowns.ui.widgets.parts import (
    fill_layout,
    make_wrapped_label,
    set_guide_section,
    set_text_or_hide,
)
from randcrowns.ui.widgets.plot import ScatterPlot
from randcrowns.ui.widgets.run_widgets import AnswerView, CrownCount, format_unbroken
from randcrowns.ui.widgets.table_model import (
    NumberFormat,
    TableColumn,
    find_table_column,
    format_feature_id,
    format_text,
    name_column,
    table_columns,
)
from randcrowns.ui.widgets.table_view import TO_CROWNS_TOOLTIP, TableWithExport

#: Key of the count of delineations that match no target.
UNMATCHED_DELINEATIONS = "unmatched_delineations"
#: Number of letters of the colours that are visible in a narrow dock: those of "RandCrowns".
_MIN_COLOUR_LENGTH = 10
#: Maximum width of the column with causes, pixels.
_MAX_CAUSE_WIDTH = 220


class ScorePanel(ClassResultsPanel):
    """Results of page Score; the page draws the selected crowns on the map."""

    #: Emitted with the selected row of :attr:`LayerScores.crowns`, or -1.
    row_chosen = pyqtSignal(int)
    #: Emitted with the key of a count that was clicked: a status, or UNMATCHED_DELINEATIONS.
    count_clicked = pyqtSignal(str)
    #: Emitted after another delineation layer was selected.
    layer_switched = pyqtSignal()
    #: Emitted after other colours of the map were selected.
    colouring_changed = pyqtSignal()
    #: Emitted with the :class:`randcrowns.ui.widgets.class_tab.CellCrowns` of a clicked cell of the
    #: confusion matrix.
    cell_clicked = pyqtSignal(object)
    #: Emitted with the position of a crown among those of the clicked cell.
    cell_crown_chosen = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__("randcrowns_classes")
        #: The displayed results; None if there are none.
        self.results: ScoreResults | None = None
        self._create_answer_widgets()
        self._create_result_widgets()
        self._arrange_widgets()
        self.layer_box.setParent(self)
        self._connect()

    def _create_answer_widgets(self) -> None:
        """Create the widgets above the tabs: layers, answer, colours and live scoring."""
        #: Displayed delineation layer, which the user selects in :attr:`layer_table`.
        self.layer_box = OptionBox()
        self.layer_box.setAccessibleName(tr("Delineations"))
        self.layer_box.hide()
        #: Mean scores of several delineation layers; hidden if there is only one.
        self.layer_table = LayerTable()
        #: Mean scores and counts.
        self.answer_view = AnswerView()
        #: Selects what the colours of the map show.
        self.colour_box = OptionBox()
        self.colour_box.setAccessibleName(tr("Colours of the map"))
        self.colour_box.setMinimumContentsLength(_MIN_COLOUR_LENGTH)
        self.colour_box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.colour_box.setToolTip(
            tr(
                "What the colours of the targets on the map show. Targets with a RandCrowns or IoU "
                "below 0.5 have a dashed line in all colours."
            )
        )
        self.colour_box.currentIndexChanged.connect(lambda _: self.colouring_changed.emit())
        #: Check box that turns live scoring on.
        self.live_switch = QCheckBox(LIVE_SCORING.label)
        #: Message about live scoring.
        self.live_label = make_wrapped_label(tone=SECONDARY_TONE)
        self.show_live_message("")

    def _create_result_widgets(self) -> None:
        """Create the tables and the plot of the tabs."""
        #: Model of the crown table.
        self.crown_model = EditableFrameModel()
        #: Crown table.
        self.crown_table = CrownTable(
            "randcrowns_crowns",
            RegionLegend(compact=True),
            sentence="rc_cause",
            model=self.crown_model,
        )
        #: Summary table: a row per delineation layer and plot.
        self.summary_table = TableWithExport("randcrowns_summary")
        #: Scatter plot of the scores.
        self.plot = ScatterPlot()
        #: Tab with the comparison of two runs.
        self.changes_tab = ChangesTab(self.tabs, "randcrowns_changes")

    def _connect(self) -> None:
        """Connect the signals of the widgets."""
        self.layer_box.currentIndexChanged.connect(self._switch_layer)
        self.layer_table.layer_selected.connect(self.layer_box.setCurrentIndex)
        self.answer_view.count_clicked.connect(self.count_clicked)
        self.crown_table.row_chosen.connect(self._choose_row)
        self.plot.row_chosen.connect(self.crown_table.choose_frame_row)
        self.summary_table.row_activated.connect(self._go_to_crowns)
        self.class_tab.cell_chosen.connect(self.cell_clicked)
        self.class_tab.crown_chosen.connect(self.cell_crown_chosen)

    def _arrange_widgets(self) -> None:
        """Add the tabs and arrange the widgets."""
        self.add_tab(
            self.crown_table, tr("Crowns"), tr("Select a row to show its crown on the map.")
        )
        self.add_tab(self.summary_table, tr("Summary"), TO_CROWNS_TOOLTIP)
        self.add_tab(self.plot, tr("Scatter"), tooltip="")
        self.add_class_tab()
        self.add_strata_tab()
        parts = (
            self.stale_label,
            self.layer_table,
            self.answer_view,
            FoldingRow(self.live_switch, self.colour_box),
            self.live_label,
            self.notes,
            self.tabs,
        )
        self.answer_view.add_button(self.review_button, has_short_answer=True)
        fill_layout(QVBoxLayout(self), *parts, spacing=3, stretched=self.tabs)
        set_guide_section("intervals", self.layer_table, self.answer_view)
        set_guide_section("the-summary", self.summary_table)
        set_guide_section("score-while-drawing", self.live_switch)

    def show_results(self, results: ScoreResults) -> None:
        """Show the results of a run; the selected delineation layer stays selected if possible."""
        self.results = results
        self.set_stale("")
        self.changes_tab.remove_tab()
        self.summary_table.show_frame(_with_intervals(results.summary), _summary_columns(results))
        self.layer_box.set_options(
            Option(scores.layer_id, scores.name) for scores in results.layers
        )
        self._show_layer()

    def set_live_problem(self, problem: str) -> None:
        """Enable or disable live scoring.

        Args:
            problem: Reason why live scoring is not possible; "" if it is.
        """
        self.live_switch.setEnabled(not problem)
        self.live_switch.setToolTip(escape_rich_text(problem or LIVE_SCORING.help))

    def show_live_message(self, message: str) -> None:
        """Show a message about live scoring; "" to show none."""
        set_text_or_hide(self.live_label, message)

    def apply_change(self, number: int, change: LayerChange) -> None:
        """Apply a change to the results; update table and headline if its layer is displayed.

        Args:
            number: Position of the delineation layer in the results.
            change: The changed rows, deleted targets and overall values.
        """
        if self.results is None:
            return
        if number != self.layer_box.currentIndex():
            apply_change(self.results, number, change)
            return
        crowns = self.crown_model.update_rows("target_id", change.rows, change.deleted_ids)
        apply_change(self.results, number, change, crowns)
        self.class_tab.show_outdated(is_outdated=True)
        self.show_headline()

    def replace_all_rows(self, changes: Sequence[LayerChange]) -> None:
        """Replace all rows of all delineation layers.

        Args:
            changes: Changes that contain all rows, in the order of the delineation layers.
        """
        if self.results is None:
            return
        for number, change in enumerate(changes):
            previous_ids = self.results.layers[number].target_ids
            apply_change(self.results, number, replace(change, deleted_ids=previous_ids))
        self._show_layer()

    def show_summary(self, summary: pd.DataFrame, messages: Iterable[Message]) -> None:
        """Show what is updated after a pause in the edits.

        Args:
            summary: Summary table, see :attr:`ScoreResults.summary`.
            messages: Messages about the results.
        """
        self.show_messages(messages)
        scores = self.displayed_scores()
        if self.results is not None and scores is not None:
            self.results.summary = summary
            self.summary_table.show_frame(_with_intervals(summary), _summary_columns(self.results))
            self.plot.set_frame(scores.crowns, scores.name)

    def clear_selection(self) -> None:
        """Clear the selection of the tables."""
        self.crown_table.clear_selection()
        self.changes_tab.clear_selection()

    def displayed_scores(self) -> LayerScores | None:
        """Return the scores of the displayed delineation layer, or None."""
        number = self.layer_box.currentIndex()
        if self.results is None or not 0 <= number < len(self.results.layers):
            return None
        return self.results.layers[number]

    def _go_to_crowns(self, row: int) -> None:
        """Show the crowns of the layer and the plot of a row of the summary.

        Args:
            row: Row of the summary.
        """
        layer_and_plot = self.summary_table.model.frame.iloc[row]
        if self.results is not None:
            layer_names = [scores.name for scores in self.results.layers]
            self.layer_box.setCurrentIndex(layer_names.index(layer_and_plot["layer"]))
        self.tabs.setCurrentWidget(self.crown_table)
        self.crown_table.filter_plot(str(layer_and_plot["plot"]))

    def _switch_layer(self, *_: object) -> None:
        """Show the delineation layer that was selected."""
        self._show_layer()
        self.layer_switched.emit()

    def _show_layer(self) -> None:
        """Show headline, crown table and plot of the displayed delineation layer."""
        scores = self.displayed_scores()
        if scores is None or self.results is None:
            return
        self.show_headline()
        crowns = scores.crowns.copy(deep=False)  # the model makes a deep copy
        crowns["name"] = crowns["target_id"].map(self.results.names)
        self.crown_table.show_frame(crowns, _crown_columns(scores.crowns.columns))
        self.plot.set_frame(scores.crowns, scores.name)
        self.show_classes(scores)

    def show_headline(self) -> None:
        """Show the mean scores and the counts of the displayed delineation layer.

        While crowns are scored as they are drawn, the means are those of the crowns drawn so far.
        """
        scores = self.displayed_scores()
        if scores is None or self.results is None:
            return
        answer = scores.answer
        columns = table_columns(PAIRS, *SCORES)
        headline = _means_line(answer, columns)
        explanation = _means_explanation(answer, columns, str(scores.overall["resampled"]))
        if self.live_switch.isChecked() and answer.target_counts[Status.UNMATCHED]:
            explanation = _drawn_explanation(headline, explanation)
            headline = _drawn_line(scores.drawn_so_far, columns)
        self.answer_view.show_answer(
            headline,
            explanation,
            _crown_counts(answer),
            tr("every crown has a score"),
            self.results.settings_labels,
        )
        self.layer_table.show_layers(self.results.layers, self.layer_box.currentIndex())

    def _choose_row(self, row: int) -> None:
        """Mark a crown in the plot and emit its row."""
        self.plot.mark_row(row)
        self.row_chosen.emit(row)


def _means_line(answer: ScoreAnswer, columns: Iterable[TableColumn]) -> str:
    """Return the number of crowns and the mean scores as one line of rich text."""
    if answer.n_scored == answer.n_targets:
        count_text = tr("{count:,} crowns", one="1 crown", count=answer.n_targets)
    else:
        count_text = tr(
            "{scored:,} of {targets:,} crowns", scored=answer.n_scored, targets=answer.n_targets
        )
    parts = [format_unbroken("", count_text)]
    for score in columns:
        mean = answer.means[score.name].mean
        parts.append(format_unbroken(score.title, score.format_value(mean)))
    return "&nbsp; ".join(parts)


def _drawn_line(drawn: DrawnSoFar, columns: Iterable[TableColumn]) -> str:
    """Return the mean scores of the crowns drawn so far as one line of rich text."""
    count_text = tr("{count:,} drawn:", one="1 drawn:", count=drawn.n_drawn)
    unmatched_text = tr(
        "{count:,} targets still without",
        one="1 target still without",
        count=drawn.n_targets_left,
    )
    parts = [format_unbroken("", count_text)]
    for score in columns:
        mean = drawn.means[score.name]
        parts.append(format_unbroken(score.title, score.format_value(mean)))
    parts.append(f"· {unmatched_text}")
    return "&nbsp; ".join(parts)


def _drawn_explanation(headline: str, explanation: Sequence[str]) -> list[str]:
    """Return sentences that explain the mean scores of the crowns drawn so far.

    Args:
        headline: Mean scores over all targets, rich text.
        explanation: Sentences that explain them.
    """
    plain_headline = QTextDocumentFragment.fromHtml(headline).toPlainText()
    return [
        tr("Means over the targets that have a delineation so far."),
        tr("Over all targets: {means}", means=plain_headline),
        *explanation,
    ]


def _means_explanation(
    answer: ScoreAnswer, columns: Iterable[TableColumn], resampled: str
) -> list[str]:
    """Return sentences that explain the mean scores: their intervals, and what they include.

    Args:
        answer: Answer of a delineation layer.
        columns: Columns of the scores.
        resampled: Units that the intervals resample: ``crowns`` or ``plots``.
    """
    format_number = NumberFormat(3)
    lines = []
    for score in columns:
        mean = answer.means[score.name]
        line = tr(
            "{score} {mean}, 95 % interval {low} to {high}. {help}",
            score=score.title,
            help=score.tooltip,
            mean=format_number(mean.mean),
            low=format_number(mean.low),
            high=format_number(mean.high),
        )
        lines.append(line)
    lines.append(interval_sentence(resampled))
    lines.append(
        tr(
            "Means over the targets: those that were not detected are 0; those without a score are "
            "excluded and counted."
        )
    )
    return lines


def _crown_columns(names: Iterable[str]) -> list[TableColumn]:
    """Return the columns of the crown table.

    Args:
        names: Columns of :attr:`LayerScores.crowns`. A plot, and means and variances over several
            layers, are shown if they are among them.
    """
    available = set(names)
    target, match, *scores, status = table_columns(
        PAIRS, "target_id", "delineation_id", *SCORES, "status"
    )
    problem, cause = table_columns(SCORED_DELINEATIONS, "rc_problem", "rc_cause")
    columns = [
        replace(target, title=tr("Id"), format_value=format_feature_id),
        replace(match, format_value=format_feature_id),
        *scores,
        # The wide column of the status, which the score implies, is the one that is cut.
        replace(problem, tooltip=tr("Problem of the crown, the first that applies.")),
        status,
    ]
    if "plot" in available:
        plot_column = table_columns(SUMMARY, "plot")[0]
        columns.append(replace(plot_column, format_value=format_text))
    columns += [find_table_column(column) for column in CROWN_COLUMNS if column.name in available]
    for name, spread_column in SPREAD_FIELDS.items():
        if name in available:
            columns.append(find_table_column(replace(spread_column, name=name)))
    columns.append(replace(cause, format_value=format_text, max_width=_MAX_CAUSE_WIDTH))
    return columns


def _summary_columns(results: ScoreResults) -> list[TableColumn]:
    """Return the columns of the summary table.

    These are the layer if there are several, the plot, each mean score with its interval, then
    the counts and statistics.
    """
    layer, plot, *statistics = table_columns(SUMMARY, *results.summary.columns)
    columns = []
    if len(results.layers) > 1:
        layer_names = [scores.name for scores in results.layers]
        columns.append(name_column(SUMMARY, layer.name, layer_names))
    columns.append(plot)
    tooltip = tr("Mean over the targets, 0 to 1; in brackets: {interval}", interval=INTERVAL_HELP)
    # These columns contain a mean and its interval as one text.
    columns += [
        TableColumn(f"{score.name}_shown", score.title, tooltip, format_text)
        for score in table_columns(PAIRS, *SCORES)
    ]
    return columns + statistics


def _with_intervals(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the summary with a text per score of its mean and interval: ``0.85 (0.74–0.94)``.

    Args:
        summary: Table with columns ``<score>_mean``, ``<score>_low`` and ``<score>_high``.

    Returns:
        The table with the added columns ``<score>_shown``.
    """
    texts = {}
    for name in SCORES:
        means_and_limits = summary[[f"{name}_mean", f"{name}_low", f"{name}_high"]].to_numpy(float)
        texts[f"{name}_shown"] = [
            number_with_interval_text(mean, low, high) for mean, low, high in means_and_limits
        ]
    return summary.assign(**texts)


def _crown_counts(answer: ScoreAnswer) -> list[CrownCount]:
    """Return the counts of targets by status, except scored ones, and of unmatched delineations."""
    target_counts = []
    for status, (label, meaning) in STATUS_TEXTS.items():
        if status is Status.SCORED:
            continue
        number = answer.target_counts[status]
        target_counts.append(CrownCount(status.value, number, label, meaning))
    return [*target_counts, _unmatched_count(answer)]


def _unmatched_count(answer: ScoreAnswer) -> CrownCount:
    """Return the count of delineations that match no target."""
    number = answer.n_unmatched
    if answer.judges_unmatched:
        word = false_detection()
        label = word.one if number == 1 else word.many
        meaning = tr("Delineations that match no target. {sources}", sources=word.sources)
    else:
        label = tr("delineation not judged") if number == 1 else tr("delineations not judged")
        meaning = tr("Delineations that match no target, where only some crowns were drawn.")
    return CrownCount(UNMATCHED_DELINEATIONS, number, label, meaning)
