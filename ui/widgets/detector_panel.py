"""The results of page Detectors: one sentence, then scores, curves, rankings, certainty and correlations."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.detector_tables import AREAS
from randcrowns.ui.detector_columns import certainty_columns, correlation_columns, ranking_columns, score_matrix
from randcrowns.ui.detector_results import DetectorResults
from randcrowns.ui.tables import Column, FrameModel
from randcrowns.ui.widgets.choices import choice_box
from randcrowns.ui.widgets.curve_plot import P_BAR, PRECISION, ROC, CurvePlot
from randcrowns.ui.widgets.stale_label import StaleLabel
from randcrowns.ui.widgets.table_view import TableView
from randcrowns.ui.words import tr

__all__ = ["DetectorPanel"]

#: Widest column of a table whose text is wrapped.
_WRAPPED = 140


class DetectorPanel(QWidget):
    """Shows a :class:`DetectorResults`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.results: DetectorResults | None = None
        self.stale = StaleLabel()
        self.verdict = QLabel()
        self.verdict.setWordWrap(True)
        self.verdict.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._how_sure = tr(
            "Annotators and tiles are drawn with replacement, a ground truth is made of each draw and the "
            "detectors are ranked: a stand-in for other scenes drawn by other people."
        )
        self.counted = QComboBox()
        self.counted.setToolTip(tr("Whether the tables and curves are about areas or about whole crowns."))
        self.scores = _Table("randcrowns_detector_scores")
        self.rankings = _Table("randcrowns_rankings", wrapped=True)
        self.certainty = _Table("randcrowns_certainty")
        self.correlations = _Table("randcrowns_correlations")
        self.plot = CurvePlot()
        self.kind = choice_box(
            (
                (P_BAR, tr("P̄ and recall"), tr("Precision averaged over the skew limits, along recall (Eq. 7).")),
                (PRECISION, tr("Precision and recall"), tr("At the scene's own balance of crown and other.")),
                (ROC, tr("ROC"), tr("Recall along the false positive rate.")),
            )
        )
        self.truth = QComboBox()
        self.truth.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.truth.setMinimumContentsLength(10)
        self.truth.setToolTip(tr("One ground truth, or the band that all of them span with its median."))
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self._build()
        self.counted.currentIndexChanged.connect(self._show_counted)
        self.kind.currentIndexChanged.connect(self._show_curves)
        self.truth.currentIndexChanged.connect(self._show_curves)

    def show_results(self, results: DetectorResults) -> None:
        """Show these, areas first."""
        self.results = results
        answer, colon, why = _escaped(results.verdict).partition(":")
        self.verdict.setText(f"<b>{answer}</b>{colon}{why}")
        self.verdict.setToolTip(f"{results.first_places}\n{self._how_sure}".strip())
        words = {AREAS: tr("Areas: AUCR")}
        self.counted.blockSignals(True)
        self.counted.clear()
        for counted in results.counted:
            self.counted.addItem(words.get(counted, tr("Whole crowns: average precision")), counted)
        self.counted.blockSignals(False)
        self.counted.setVisible(len(results.counted) > 1)
        self.certainty.show_frame(results.certainty, certainty_columns(results.certainty))
        self.correlations.show_frame(results.correlations, correlation_columns())
        for table in (self.certainty, self.correlations):
            self.tabs.setTabEnabled(self.tabs.indexOf(table), table.model.rowCount() > 0)
        self._show_counted()

    def set_stale(self, why: str) -> None:
        """Mark the results as old, with the reason; an empty reason takes the mark away."""
        self.stale.tell(why)

    @property
    def is_stale(self) -> bool:
        """Whether the results are marked as old."""
        return not self.stale.isHidden()

    def _show_counted(self, *_: object) -> None:
        if self.results is None or not self.counted.count():
            return
        counted = str(self.counted.currentData())
        frame, columns = score_matrix(self.results.scores, counted, self.results.detectors)
        self.scores.show_frame(frame, columns)
        rankings = self.results.rankings
        rankings = rankings[rankings["counted"] == counted] if len(rankings) else rankings
        self.rankings.show_frame(rankings, ranking_columns(rankings))
        self.truth.blockSignals(True)
        self.truth.clear()
        self.truth.addItem(tr("All ground truths"), "")
        for truth in self.results.truths(counted):
            self.truth.addItem(truth, truth)
        self.truth.blockSignals(False)
        self.kind.setVisible(counted == AREAS)
        self._show_curves()

    def _show_curves(self, *_: object) -> None:
        if self.results is None:
            return
        counted = str(self.counted.currentData())
        curves = self.results.curves[self.results.curves["counted"] == counted]
        detectors = [name for name in self.results.detectors if (curves["detector"] == name).any()]
        kind = str(self.kind.currentData()) if counted == AREAS else PRECISION
        self.plot.show_curves(curves, detectors, kind, str(self.truth.currentData() or ""))

    def _build(self) -> None:
        curves = QWidget()
        column = QVBoxLayout(curves)
        column.setContentsMargins(0, 4, 0, 0)
        row = QHBoxLayout()
        row.addWidget(self.kind, 1)
        row.addWidget(self.truth, 1)
        column.addLayout(row)
        column.addWidget(self.plot, 1)
        for widget, title, tooltip in (
            (self.scores, tr("Scores"), tr("Every detector under every ground truth, shaded by rank.")),
            (curves, tr("Curves"), tr("Curves and the band that the ground truths span.")),
            (self.rankings, tr("Rankings"), tr("The distinct orders, and the ground truths that give each.")),
            (self.certainty, tr("Certainty"), tr("How likely each rank is for other annotators and places.")),
            (self.correlations, tr("Agreement"), tr("How the scores go with the number of annotators.")),
        ):
            self.tabs.setTabToolTip(self.tabs.addTab(widget, title), tooltip)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        for part in (self.stale, self.verdict, self.counted):
            layout.addWidget(part)
        layout.addWidget(self.tabs, 1)


class _Table(QWidget):
    """A table with the button that saves it."""

    def __init__(self, file_name: str, wrapped: bool = False) -> None:
        super().__init__()
        self._wrapped = wrapped
        self.model = FrameModel([], self)
        self.view = TableView(self.model, file_name)
        if wrapped:
            self.view.setWordWrap(True)
            self.view.setSortingEnabled(False)
            self.view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        export = QToolButton()
        export.setText(tr("CSV…"))
        export.setToolTip(tr("Save the table as a CSV file (Ctrl+C copies the rows selected)."))
        export.clicked.connect(self.view.ask_and_export)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.addWidget(self.view, 1)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(export)
        column.addLayout(row)

    def show_frame(self, frame: pd.DataFrame, columns: Sequence[Column]) -> None:
        """Show these rows."""
        self.model.set_frame(frame, columns)
        if self._wrapped:
            self.view.fit_columns(_WRAPPED)
        else:
            self.view.fit_columns()


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
