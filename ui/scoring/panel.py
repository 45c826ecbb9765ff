"""The results of page Score: the answer in one line, then table, summary and plot of the same rows."""

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

#: Key of the count of delineations that were given to no target.
UNMATCHED_DELINEATIONS = "unmatched_delineations"
#: Pixels.
_WIDEST_CAUSE = 220
#: Of the dock alone: whether the results of a first run are followed at once.
LIVE = Flag(
    "live",
    tr("Score while drawing"),
    tr(
        "Crowns of the run's layers are scored as they are added, changed and deleted, undo and redo too."
    ),
)


class ScorePanel(TabbedResults):
    """Shows a :class:`ScoreResults`. Emits what the user goes to; draws nothing on the map itself."""

    #: A row of the crown table of the layer on show, or -1.
    row_chosen = pyqtSignal(int)
    #: The key of a count that was clicked: a status, or UNMATCHED_DELINEATIONS.
    count_clicked = pyqtSignal(str)
    #: The crowns on show are to be reviewed.
    review_asked = pyqtSignal()
    #: Another delineation layer is on show.
    layer_switched = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.results: ScoreResults | None = None
        self.layer_choice = OptionBox()
        self.layer_choice.setAccessibleName(tr("Delineations"))
        self.layer_choice.setToolTip(
            tr("Which delineation layer the line, the table and the plot are about.")
        )
        self.headline = Headline()
        self.rows = EditedModel()
        self.crowns = CrownList("randcrowns_crowns", sentence="rc_cause", model=self.rows)
        self.live_switch = QCheckBox(LIVE.label)
        self.live_told = wrapped(tone=QUIET)
        self.tell_live("")
        self.summary = TableWithExport("randcrowns_summary")
        self.plot = ScatterPlot()
        self.changes = ChangesTab(self.tabs, "randcrowns_changes")
        for widget, title, tooltip in (
            (self.crowns, tr("Crowns"), tr("A row shows its crown on the map.")),
            (self.summary, tr("Summary"), TO_CROWNS),
            (self.plot, tr("Scatter"), ""),
        ):
            self.add_tab(widget, title, tooltip)
        told = tr(
            "Goes through these crowns on page Review, from the row chosen on, with a verdict on each."
        )
        self.review_button = tool_button(tr("Review…"), told, lambda: self.review_asked.emit())
        live = (fill(QHBoxLayout(), self.live_switch, 1, self.review_button), self.live_told)
        parts = (self.stale, self.layer_choice, self.headline, *live, self.notes, self.tabs)
        fill(QVBoxLayout(self), *parts, spacing=3, wide=self.tabs)
        self.layer_choice.currentIndexChanged.connect(self._switch)
        self.headline.count_clicked.connect(self.count_clicked)
        self.crowns.row_chosen.connect(self._choose)
        self.plot.row_chosen.connect(self.crowns.choose)
        self.summary.row_activated.connect(self._go_to_plot)

    def show_results(self, results: ScoreResults) -> None:
        """Show these; the delineation layer looked at stays in view where it is among them."""
        self.results = results
        self.set_stale("")
        self.changes.put_away()
        self.summary.show_frame(_with_intervals(results.summary), _summary_columns(results))
        self.layer_choice.offer(Option(scores.layer_id, scores.name) for scores in results.layers)
        self.layer_choice.setVisible(len(results.layers) > 1)
        self._show_layer()

    def allow_live(self, why_not: str) -> None:
        """Whether crowns can be scored while they are drawn; ``why_not`` says why they cannot."""
        self.live_switch.setEnabled(not why_not)
        self.live_switch.setToolTip(plain(why_not or LIVE.help))

    def tell_live(self, said: str) -> None:
        """Say what scoring while drawing does."""
        tell(self.live_told, said)

    def show_change(self, number: int, change: Change) -> None:
        """Take up changed rows of a delineation layer; table and headline follow where it is on show."""
        if self.results is None:
            return
        if number != self.layer_choice.currentIndex():
            follow_change(self.results, number, change)
            return
        follow_change(
            self.results, number, change, self.rows.put_rows("target_id", change.rows, change.gone)
        )
        self._show_headline()

    def show_all(self, changes: Sequence[Change]) -> None:
        """Take up all rows of all delineation layers."""
        if self.results is not None:
            for number, change in enumerate(changes):
                follow_change(
                    self.results,
                    number,
                    replace(change, gone=self.results.layers[number].target_ids),
                )
            self._show_layer()

    def show_rest(self, summary: pd.DataFrame, remarks: Iterable[Remark]) -> None:
        """Have the summary, the scatter plot and the notes follow too."""
        self.tell_remarks(remarks)
        scores = self.scores()
        if self.results is not None and scores is not None:
            self.results.summary = summary
            self.summary.show_frame(_with_intervals(summary), _summary_columns(self.results))
            self.plot.set_frame(scores.crowns, scores.name)

    def forget_choice(self) -> None:
        self.crowns.forget_choice()
        self.changes.forget_choice()

    def scores(self) -> LayerScores | None:
        """The delineation layer on show."""
        number = self.layer_choice.currentIndex()
        if self.results is None or not 0 <= number < len(self.results.layers):
            return None
        return self.results.layers[number]

    def _go_to_plot(self, row: int) -> None:
        """The crowns of a row of the summary: of its layer and plot."""
        asked = self.summary.model.frame.iloc[row]
        layers = [] if self.results is None else [one.name for one in self.results.layers]
        self.layer_choice.setCurrentIndex(layers.index(asked["layer"]))
        self.tabs.setCurrentWidget(self.crowns)
        self.crowns.show_plot(str(asked["group"]))

    def _switch(self, *_: object) -> None:
        self._show_layer()
        self.layer_switched.emit()

    def _show_layer(self) -> None:
        scores = self.scores()
        if scores is None or self.results is None:
            return
        self._show_headline()
        named = scores.crowns.copy(deep=False)  # the model copies it
        named["name"] = named["target_id"].map(self.results.names)
        self.crowns.show_frame(named, _crown_columns(scores.crowns.columns))
        self.plot.set_frame(scores.crowns, scores.name)

    def _show_headline(self) -> None:
        scores = self.scores()
        if scores is not None and self.results is not None:
            none = tr("every crown has a score")
            self.headline.show_answer(
                *_answer(scores.overall), _counts(scores), none, self.results.decided
            )

    def _choose(self, row: int) -> None:
        self.plot.choose(row)
        self.row_chosen.emit(row)


def _answer(overall: pd.Series) -> tuple[str, list[str]]:
    """The means in one line, and a line for each that explains it."""
    scores = columns_of(PAIRS, *SCORES)
    crowns = tr("{count:,} crowns", one="1 crown", count=int(overall["targets"]))
    means = [unbroken(score.title, score.text(overall[f"{score.name}_mean"])) for score in scores]
    lines = []
    for score in scores:
        ends = {
            end: as_number(3)(overall[f"{score.name}_{end}"]) for end in ("mean", "low", "high")
        }
        said = "{score} {mean}, 95 % interval {low} to {high}. {help}"
        lines.append(tr(said, score=score.title, help=score.tooltip, **ends))
    lines.append(intervals_over(str(overall["resampled"])))
    lines.append(
        tr(
            "Means over the targets: missed and unmatched ones are 0; those without a score are excluded and counted."
        )
    )
    return "&nbsp; ".join([unbroken("", crowns), *means]), lines


def _crown_columns(names: Iterable[str]) -> list[TableColumn]:
    """Columns of the crown table; ``names`` are those it has, with means over several layers where there are any."""
    target, match, *scores, status = columns_of(
        PAIRS, "target_id", "delineation_id", *SCORES, "status"
    )
    plot = [
        replace(column, text=as_text)
        for column in columns_of(SUMMARY, "group")
        if "group" in set(names)
    ]
    ids = [replace(target, title=tr("Id"), text=as_text), replace(match, text=as_text)]
    spread = [
        column_of(replace(column, name=name))
        for name, column in SPREAD_FIELDS.items()
        if name in set(names)
    ]
    problem, cause = columns_of(SCORED_DELINEATIONS, "rc_problem", "rc_cause")
    problem = replace(problem, tooltip=tr("What is wrong with the crown, the first that applies."))
    cause = replace(cause, text=as_text, widest=_WIDEST_CAUSE)
    return [*ids, *scores, status, problem, *plot, *spread, cause]


def _summary_columns(results: ScoreResults) -> list[TableColumn]:
    """Columns of the summary: the layer where there are several, each mean with its interval, counts, statistics."""
    layer, plot, *declared = columns_of(SUMMARY, *results.summary.columns)
    several = len(results.layers) > 1
    layers = (
        [names_column(SUMMARY, layer.name, (one.name for one in results.layers))] if several else []
    )
    told = tr("Mean over the targets, 0 to 1; in brackets: {interval}", interval=INTERVAL)
    means = [
        TableColumn(f"{score.name}_shown", score.title, told, as_text)
        for score in columns_of(PAIRS, *SCORES)
    ]
    return [*layers, plot, *means, *declared]


def _with_intervals(summary: pd.DataFrame) -> pd.DataFrame:
    """The summary with a text per score that holds the mean and its interval: ``0.85 (0.74–0.94)``."""
    means = {
        name: summary[[f"{name}_{what}" for what in ("mean", "low", "high")]].to_numpy(float)
        for name in SCORES
    }
    return summary.assign(
        **{f"{name}_shown": [with_interval(*row) for row in rows] for name, rows in means.items()}
    )


def _counts(scores: LayerScores) -> list[Count]:
    """Every status but the usual, and the delineations that were given to no target."""
    counts = scores.counts()
    numbers = {status: counts[status.value] for status in STATUSES if status is not Status.SCORED}
    of_targets = (
        tr("unmatched target") if numbers[Status.UNMATCHED] == 1 else tr("unmatched targets")
    )
    told = {**STATUSES, Status.UNMATCHED: (of_targets, STATUSES[Status.UNMATCHED][1])}
    unmatched = len(scores.unmatched)
    words = tr("unmatched delineation") if unmatched == 1 else tr("unmatched delineations")
    meaning = tr("Delineations given to no target.")
    if not scores.judged:
        words = tr("delineation not judged") if unmatched == 1 else tr("delineations not judged")
        meaning = tr("Delineations given to no target, where only some crowns were drawn.")
    return [
        *(Count(status.value, number, *told[status]) for status, number in numbers.items()),
        Count(UNMATCHED_DELINEATIONS, unmatched, words, meaning),
    ]
