"""Results of page Score: a headline with the mean scores, then table, summary and plot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pandas as pd
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout

from randcrowns.algorithms.choice import Flag, Option
from randcrowns.algorithms.output import INTERVAL, STATUSES, intervals_over
from randcrowns.algorithms.scoring.live import Change
from randcrowns.algorithms.scoring.outputs import PAIRS, SCORED_DELINEATIONS, SPREAD_FIELDS, SUMMARY
from randcrowns.core.arrays import with_interval
from randcrowns.core.remarks import Remark
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.status import Status
from randcrowns.layers.words import plain, tr
from randcrowns.ui.scoring.following import EditedModel, follow_change
from randcrowns.ui.scoring.results import LayerScores, ScoreResults
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.colours import QUIET
from randcrowns.ui.widgets.crown_list import ChangesTab, CrownList
from randcrowns.ui.widgets.parts import TabbedResults, fill, tell, tool_button, wrapped
from randcrowns.ui.widgets.plot import ScatterPlot
from randcrowns.ui.widgets.run_bar import Count, Headline, unbroken
from randcrowns.ui.widgets.table_model import (
    TableColumn,
    as_number,
    as_text,
    column_of,
    columns_of,
    names_column,
)
from randcrowns.ui.widgets.table_view import TO_CROWNS, TableWithExport

#: Key of the count of delineations that match no target.
UNMATCHED_DELINEATIONS = "unmatched_delineations"
#: Maximum width of the column with causes, pixels.
_MAX_CAUSE_WIDTH = 220
#: True to turn live scoring on for the first results. Only the dock has this parameter.
LIVE = Flag(
    "live",
    tr("Score while drawing"),
    tr(
        "Score the crowns of the run's layers as soon as they are added, changed or deleted; this "
        "includes undo and redo."
    ),
)


class ScorePanel(TabbedResults):
    """Results of page Score; the page draws the selected crowns on the map."""

    #: Emitted with the selected row of :attr:`LayerScores.crowns`, or -1.
    row_chosen = pyqtSignal(int)
    #: Emitted with the key of a count that was clicked: a status, or UNMATCHED_DELINEATIONS.
    count_clicked = pyqtSignal(str)
    #: Emitted when the displayed crowns are to be reviewed.
    review_asked = pyqtSignal()
    #: Emitted after another delineation layer was selected.
    layer_switched = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        #: The displayed results; None if there are none.
        self.results: ScoreResults | None = None
        #: Selects the displayed delineation layer; hidden if there is only one.
        self.layer_choice = OptionBox()
        self.layer_choice.setAccessibleName(tr("Delineations"))
        self.layer_choice.setToolTip(
            tr("Delineation layer of the headline, the crown table and the plot.")
        )
        #: Mean scores and counts.
        self.headline = Headline()
        #: Model of the crown table.
        self.rows = EditedModel()
        #: Crown table.
        self.crowns = CrownList("randcrowns_crowns", sentence="rc_cause", model=self.rows)
        #: Check box that turns live scoring on.
        self.live_switch = QCheckBox(LIVE.label)
        #: Message about live scoring.
        self.live_told = wrapped(tone=QUIET)
        self.tell_live("")
        #: Summary table: a row per delineation layer and plot.
        self.summary = TableWithExport("randcrowns_summary")
        #: Scatter plot of the scores.
        self.plot = ScatterPlot()
        #: Tab with the comparison of two runs.
        self.changes = ChangesTab(self.tabs, "randcrowns_changes")
        #: Button that opens page Review.
        self.review_button = tool_button(
            tr("Review…"),
            tr("Review these crowns on page Review, from the selected row on."),
            lambda: self.review_asked.emit(),
        )
        self._build()
        self.layer_choice.currentIndexChanged.connect(self._switch_layer)
        self.headline.count_clicked.connect(self.count_clicked)
        self.crowns.row_chosen.connect(self._choose_row)
        self.plot.row_chosen.connect(self.crowns.choose)
        self.summary.row_activated.connect(self._go_to_crowns)

    def _build(self) -> None:
        """Add the tabs and arrange the widgets."""
        self.add_tab(self.crowns, tr("Crowns"), tr("Select a row to show its crown on the map."))
        self.add_tab(self.summary, tr("Summary"), TO_CROWNS)
        self.add_tab(self.plot, tr("Scatter"), "")
        parts = (
            self.stale,
            self.layer_choice,
            self.headline,
            fill(QHBoxLayout(), self.live_switch, 1, self.review_button),
            self.live_told,
            self.notes,
            self.tabs,
        )
        fill(QVBoxLayout(self), *parts, spacing=3, wide=self.tabs)

    def show_results(self, results: ScoreResults) -> None:
        """Show the results of a run; the selected delineation layer stays selected if possible."""
        self.results = results
        self.set_stale("")
        self.changes.put_away()
        self.summary.show_frame(_with_intervals(results.summary), _summary_columns(results))
        self.layer_choice.offer(Option(scores.layer_id, scores.name) for scores in results.layers)
        self.layer_choice.setVisible(len(results.layers) > 1)
        self._show_layer()

    def allow_live(self, why_not: str) -> None:
        """Enable or disable live scoring.

        Args:
            why_not: Reason why live scoring is not possible; "" if it is.
        """
        self.live_switch.setEnabled(not why_not)
        self.live_switch.setToolTip(plain(why_not or LIVE.help))

    def tell_live(self, said: str) -> None:
        """Show a message about live scoring; "" to show none."""
        tell(self.live_told, said)

    def show_change(self, number: int, change: Change) -> None:
        """Apply a change to the results; update table and headline if its layer is displayed.

        Args:
            number: Position of the delineation layer in the results.
            change: The changed rows, deleted targets and overall values.
        """
        if self.results is None:
            return
        if number != self.layer_choice.currentIndex():
            follow_change(self.results, number, change)
            return
        crowns = self.rows.put_rows("target_id", change.rows, change.gone)
        follow_change(self.results, number, change, crowns)
        self._show_headline()

    def show_all(self, changes: Sequence[Change]) -> None:
        """Replace all rows of all delineation layers.

        Args:
            changes: Changes that contain all rows, in the order of the delineation layers.
        """
        if self.results is None:
            return
        for number, change in enumerate(changes):
            all_replaced = replace(change, gone=self.results.layers[number].target_ids)
            follow_change(self.results, number, all_replaced)
        self._show_layer()

    def show_rest(self, summary: pd.DataFrame, remarks: Iterable[Remark]) -> None:
        """Show what is updated after a pause in the edits.

        Args:
            summary: Summary table, see :attr:`ScoreResults.summary`.
            remarks: Messages about the results.
        """
        self.tell_remarks(remarks)
        scores = self.scores()
        if self.results is not None and scores is not None:
            self.results.summary = summary
            self.summary.show_frame(_with_intervals(summary), _summary_columns(self.results))
            self.plot.set_frame(scores.crowns, scores.name)

    def forget_choice(self) -> None:
        """Clear the selection of the tables."""
        self.crowns.forget_choice()
        self.changes.forget_choice()

    def scores(self) -> LayerScores | None:
        """Return the scores of the displayed delineation layer, or None."""
        number = self.layer_choice.currentIndex()
        if self.results is None or not 0 <= number < len(self.results.layers):
            return None
        return self.results.layers[number]

    def _go_to_crowns(self, row: int) -> None:
        """Show the crowns of the layer and the plot of a row of the summary."""
        summary_row = self.summary.model.frame.iloc[row]
        if self.results is not None:
            layer_names = [scores.name for scores in self.results.layers]
            self.layer_choice.setCurrentIndex(layer_names.index(summary_row["layer"]))
        self.tabs.setCurrentWidget(self.crowns)
        self.crowns.show_plot(str(summary_row["group"]))

    def _switch_layer(self, *_: object) -> None:
        """Show the delineation layer that was selected."""
        self._show_layer()
        self.layer_switched.emit()

    def _show_layer(self) -> None:
        """Show headline, crown table and plot of the displayed delineation layer."""
        scores = self.scores()
        if scores is None or self.results is None:
            return
        self._show_headline()
        crowns = scores.crowns.copy(deep=False)  # the model makes a deep copy
        crowns["name"] = crowns["target_id"].map(self.results.names)
        self.crowns.show_frame(crowns, _crown_columns(scores.crowns.columns))
        self.plot.set_frame(scores.crowns, scores.name)

    def _show_headline(self) -> None:
        """Show the mean scores and the counts of the displayed delineation layer."""
        scores = self.scores()
        if scores is None or self.results is None:
            return
        self.headline.show_answer(
            _means_line(scores.overall),
            _means_explanation(scores.overall),
            _counts(scores),
            tr("every crown has a score"),
            self.results.decided,
        )

    def _choose_row(self, row: int) -> None:
        """Mark a crown in the plot and emit its row."""
        self.plot.choose(row)
        self.row_chosen.emit(row)


def _means_line(overall: pd.Series) -> str:
    """Return the number of crowns and the mean scores as one line of rich text.

    Args:
        overall: Row of the summary over all plots.
    """
    crowns = tr("{count:,} crowns", one="1 crown", count=int(overall["targets"]))
    means = [
        unbroken(score.title, score.text(overall[f"{score.name}_mean"]))
        for score in columns_of(PAIRS, *SCORES)
    ]
    return "&nbsp; ".join([unbroken("", crowns), *means])


def _means_explanation(overall: pd.Series) -> list[str]:
    """Return sentences that explain the mean scores: their intervals, and what they include.

    Args:
        overall: Row of the summary over all plots.
    """
    format_number = as_number(3)
    lines = [
        tr(
            "{score} {mean}, 95 % interval {low} to {high}. {help}",
            score=score.title,
            help=score.tooltip,
            mean=format_number(overall[f"{score.name}_mean"]),
            low=format_number(overall[f"{score.name}_low"]),
            high=format_number(overall[f"{score.name}_high"]),
        )
        for score in columns_of(PAIRS, *SCORES)
    ]
    lines.append(intervals_over(str(overall["resampled"])))
    lines.append(
        tr(
            "Means over the targets: missed and unmatched ones are 0; those without a score are "
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
    target, match, *scores, status = columns_of(
        PAIRS, "target_id", "delineation_id", *SCORES, "status"
    )
    ids = [replace(target, title=tr("Id"), text=as_text), replace(match, text=as_text)]
    plots = []
    if "group" in available:
        plots = [replace(column, text=as_text) for column in columns_of(SUMMARY, "group")]
    spread = [
        column_of(replace(column, name=name))
        for name, column in SPREAD_FIELDS.items()
        if name in available
    ]
    problem, cause = columns_of(SCORED_DELINEATIONS, "rc_problem", "rc_cause")
    problem = replace(problem, tooltip=tr("Problem of the crown, the first that applies."))
    cause = replace(cause, text=as_text, widest=_MAX_CAUSE_WIDTH)
    return [*ids, *scores, status, problem, *plots, *spread, cause]


def _summary_columns(results: ScoreResults) -> list[TableColumn]:
    """Return the columns of the summary table.

    These are the layer if there are several, the plot, each mean score with its interval, then
    the counts and statistics.
    """
    layer, plot, *statistics = columns_of(SUMMARY, *results.summary.columns)
    layers = []
    if len(results.layers) > 1:
        names = (scores.name for scores in results.layers)
        layers = [names_column(SUMMARY, layer.name, names)]
    tooltip = tr("Mean over the targets, 0 to 1; in brackets: {interval}", interval=INTERVAL)
    means = [
        TableColumn(f"{score.name}_shown", score.title, tooltip, as_text)
        for score in columns_of(PAIRS, *SCORES)
    ]
    return [*layers, plot, *means, *statistics]


def _with_intervals(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the summary with a text per score of its mean and interval: ``0.85 (0.74–0.94)``.

    Args:
        summary: Table with columns ``<score>_mean``, ``<score>_low`` and ``<score>_high``.

    Returns:
        The table with the added columns ``<score>_shown``.
    """
    texts = {}
    for name in SCORES:
        values = summary[[f"{name}_mean", f"{name}_low", f"{name}_high"]].to_numpy(float)
        texts[f"{name}_shown"] = [with_interval(*row) for row in values]
    return summary.assign(**texts)


def _counts(scores: LayerScores) -> list[Count]:
    """Return the counts of targets by status, except scored ones, and of unmatched delineations."""
    counts = scores.counts()
    target_counts = []
    for status, (label, meaning) in STATUSES.items():
        if status is Status.SCORED:
            continue
        number = counts[status.value]
        if status is Status.UNMATCHED:
            label = tr("unmatched target") if number == 1 else tr("unmatched targets")
        target_counts.append(Count(status.value, number, label, meaning))
    return [*target_counts, _unmatched_count(scores)]


def _unmatched_count(scores: LayerScores) -> Count:
    """Return the count of delineations that match no target."""
    number = len(scores.unmatched)
    if scores.judged:
        label = tr("unmatched delineation") if number == 1 else tr("unmatched delineations")
        meaning = tr("Delineations that match no target.")
    else:
        label = tr("delineation not judged") if number == 1 else tr("delineations not judged")
        meaning = tr("Delineations that match no target, where only some crowns were drawn.")
    return Count(UNMATCHED_DELINEATIONS, number, label, meaning)
