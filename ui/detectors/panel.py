"""The results of page Detectors: one sentence, then scores, curves, rankings, certainty and correlations."""

from __future__ import annotations

from html import escape
from typing import Any, Callable

from qgis.PyQt.QtCore import QEvent, QModelIndex, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QHBoxLayout, QHeaderView, QStyle, QVBoxLayout, QWidget

from randcrowns.algorithms.choice import Option
from randcrowns.algorithms.detectors.choices import UNITS
from randcrowns.algorithms.detectors.outputs import COCO
from randcrowns.algorithms.detectors.tables import AREAS
from randcrowns.core.remarks import Remark
from randcrowns.layers.styles import DELINEATION, TARGET
from randcrowns.layers.styles.plots import P_BAR, PRECISION, ROC, draw_curves
from randcrowns.layers.words import plain, tr
from randcrowns.ui.detectors.results import (
    DetectorResults,
    certainty_rows,
    coco_columns,
    correlation_columns,
    ranking_columns,
    score_matrix,
    thresholds_of,
)
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.colours import QUIET, coloured
from randcrowns.ui.widgets.parts import TabbedResults, fill, tell, wrapped
from randcrowns.ui.widgets.plot import PlotWidget
from randcrowns.ui.widgets.table_view import Noted, TableWithExport

_ABOUT_CORRELATIONS = tr("Correlation of the scores with the number of annotators.")
#: Widest column of a table whose text is wrapped.
_WRAPPED = 140
#: Widest column of scores whose cells need no more, and narrowest of names, where not all columns have room, pixels.
_NARROW, _NAME = 62, 90
#: Around a table's cells, pixels.
_FRAMES = 12


class CurvePlot(PlotWidget):
    """Draws one kind of curve, under all ground truths (a band with its median) or under one.

    Its data are the curves (of areas, with values at the same recalls, or of crowns, with a row per score of the
    detector), the detectors in the order of their colours, ``P_BAR``, ``PRECISION`` or ``ROC``, and one ground truth,
    empty for all.
    """

    window_title = tr("Detectors under every ground truth")
    file_name = "randcrowns_detectors"
    follows_size = True  # the legend is where room is

    def draw(self, axes: Any) -> None:
        draw_curves(axes, *self.data)


class DetectorPanel(TabbedResults):
    """Shows a :class:`DetectorResults`. Emits the cell that the user chooses; draws nothing on the map itself."""

    #: A detector and a ground truth, or only one of them, or neither.
    chosen = pyqtSignal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.results: DetectorResults | None = None
        self.verdict = wrapped(form=Qt.TextFormat.RichText)
        self.verdict.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.on_map = wrapped(form=Qt.TextFormat.RichText)
        self.decided = wrapped(tone=QUIET)
        self._certain = tr(
            "Annotators and tiles (plots or images, where several are counted) are resampled with replacement, and the "
            "detectors are ranked in each bootstrap sample: a stand-in for other scenes and other annotators."
        )
        self.counted = OptionBox()
        self.counted.setAccessibleName(UNITS.label)
        self.counted.setToolTip(
            tr("Whether the tables and curves are about areas or about whole crowns.")
        )
        files = ("detector_scores", "rankings", "certainty", "correlations", "coco", "thresholds")
        self.certain = wrapped()
        self._tables = [TableWithExport(f"randcrowns_{name}") for name in files]
        (
            self.scores,
            self.rankings,
            self.certainty,
            self.correlations,
            self.coco,
            self.thresholds,
        ) = self._tables
        self.noted = Noted(self.certainty)
        self.noted.layout().insertWidget(0, self.certain)
        self.plot = CurvePlot()
        self.kind = OptionBox(
            (
                Option(
                    P_BAR,
                    tr("P̄ and recall"),
                    tr("Precision averaged over the skew limits, along recall (Eq. 7)."),
                ),
                Option(
                    PRECISION,
                    tr("Precision and recall"),
                    tr("At the scene's own balance of crown and other."),
                ),
                Option(ROC, tr("ROC"), tr("Recall along the false positive rate.")),
            )
        )
        self.truth = OptionBox()
        self.truth.setToolTip(
            tr("One ground truth, or the band that all of them span with its median.")
        )
        self._build()
        self.counted.currentIndexChanged.connect(self._show_counted)
        self.kind.currentIndexChanged.connect(self._show_curves)
        self.truth.currentIndexChanged.connect(self._show_curves)
        for table in self._tables:
            table.view.selectionModel().currentChanged.connect(self._teller(table))
        self.tabs.currentChanged.connect(self.forget_choice)

    def show_results(self, results: DetectorResults) -> None:
        """Show these; what was looked at stays in view where it is among them."""
        self.results = results
        crowns = (
            tr("Whole crowns: recall") if results.partly else tr("Whole crowns: average precision")
        )
        self.counted.offer(
            Option(counted, tr("Areas: AUCR") if counted == AREAS else crowns)
            for counted in results.counted
        )
        self.counted.setVisible(len(results.counted) > 1)
        self.correlations.show_frame(
            results.correlations, correlation_columns(results.correlations)
        )
        if len(results.coco):
            self.coco.show_frame(results.coco, coco_columns(results.coco))
            self.thresholds.show_frame(
                *thresholds_of(results.thresholds, results.detectors, results.partly)
            )
        for table in (self.coco, self.thresholds):
            self.enable_tab(table, len(results.coco) > 0)
        tell(self.decided, " ".join(results.decided))
        self.tell_drawn("", "")
        self._show_counted()

    def tell_drawn(self, detector: str, truth: str, raster: bool = False) -> None:
        """Say which detector and ground truth the map shows, in which colour; of neither, what a cell would show.

        A detector that is a ``raster`` lies over the other layers.
        """
        said = "On the map: {detector} {truth}"
        if not (detector or truth):
            said = "Click a cell to see on the map: {detector} {truth}"
            detector, truth = tr("detector"), tr("ground truth")
        over = tr("{name} (the raster above all layers)", name=escape(detector))
        detector = (over if raster else coloured(detector, DELINEATION)) if detector else ""
        self.on_map.setText(
            tr(said, detector=detector, truth=coloured(truth, TARGET) if truth else "")
        )

    def forget_choice(self, *_: object) -> None:
        """Go to no cell, so that the next one is news whichever it is."""
        for table in self._tables:
            table.view.clearSelection()
            table.view.setCurrentIndex(QModelIndex())
        self.chosen.emit("", "")

    def _show_counted(self, *_: object) -> None:
        if self.results is None or not self.counted.count():
            return
        self.chosen.emit("", "")
        counted = self.counted.value()
        self.certainty.show_frame(*certainty_rows(self.results.certainty, counted))
        drawn = (
            counted == AREAS
            and self.certainty.model.rowCount() > 0
            and "LSML" in self.results.truths(AREAS)
        )
        self.noted.tell(
            [tr("LSML is not in the bootstrap samples: its contour takes too long.")] * drawn
        )
        self._show_sentence(counted)
        partly = self.results.partly
        self.scores.show_frame(
            *score_matrix(self.results.by_image, counted, self.results.detectors, partly)
        )
        self.enable_tab(self.curves, counted == AREAS or not partly)
        rankings = self.results.rankings
        rankings = rankings[rankings["counted"] == counted] if len(rankings) else rankings
        self.rankings.show_frame(rankings, ranking_columns(rankings))
        self.enable_tab(self.rankings, len(rankings) > 0)
        self.rankings.view.fit_columns(_WRAPPED)
        truths = (Option(truth, truth) for truth in self.results.truths(counted))
        self.truth.offer([Option("", tr("All ground truths")), *truths])
        self.kind.setVisible(counted == AREAS)
        self._fit_tables()
        self._show_curves()

    def _show_sentence(self, counted: str) -> None:
        """The answer on what is counted; tabs that are about areas can be gone to with areas only."""
        if self.results is None:
            return
        of_areas = counted == AREAS
        both = (
            of_areas or len(self.results.detectors) == 1
        )  # of one detector the answer on areas holds crowns too
        told = (self.results.said("verdict") if both else []) or self.results.said("crown_verdict")
        said = [escape(one, quote=False) for one in told]
        first = [escape(one, quote=False) for one in self.results.said("headline")]
        in_full = f"<b>{said[0]}</b> {' '.join(said[1:])}" if said else ""
        self.verdict.setText("<br>".join(f"<b>{one}</b>" for one in first) or in_full)
        tell(self.certain, " ".join(said) if first else "")
        self.verdict.setToolTip(
            plain("\n".join([*self.results.said("first_places"), self._certain]))
        )
        self.show_notes()
        self.enable_tab(self.noted, self.certainty.model.rowCount() > 0)
        self.enable_tab(self.correlations, of_areas and self.correlations.model.rowCount() > 0)
        elsewhere = tr("About areas: choose them above to see it.")
        tooltip = _ABOUT_CORRELATIONS if of_areas else elsewhere
        self.tabs.setTabToolTip(self.tabs.indexOf(self.correlations), tooltip)

    def stands_beside(self, remark: Remark) -> bool:
        """What is said of areas alone, or of whole crowns alone, stands beside the answer on them."""
        of_areas = self.counted.value() == AREAS
        if remark.topic in ("crowns", "plots"):
            return super().stands_beside(remark) and not of_areas
        if self.results is None or remark.topic not in ("areas", "ranking"):
            return super().stands_beside(remark)
        return of_areas or AREAS not in self.results.counted

    def _show_curves(self, *_: object) -> None:
        if self.results is None:
            return
        counted = self.counted.value()
        curves = self.results.curves[self.results.curves["counted"] == counted]
        detectors = [name for name in self.results.detectors if (curves["detector"] == name).any()]
        kind = self.kind.value() if counted == AREAS else PRECISION
        self.plot.show_data(curves, detectors, kind, self.truth.value())

    def resizeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit_tables()

    def _fit_tables(self) -> None:
        """Long names lose their middle where they would push numbers out of sight."""
        room = (
            self.width() - self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent) - _FRAMES
        )
        for table in (self.scores, self.certainty, self.correlations):
            view, columns = table.view, table.model.columns
            if not columns:
                continue
            view.fit_columns()
            # The width of a column that takes what is left says nothing of what it needs.
            view.horizontalHeader().setStretchLastSection(False)
            numbers = range(1, len(columns) - (columns[-1].name == "reason"))
            if view.columnWidth(0) + sum(map(view.columnWidth, numbers)) > room:
                for number in (number for number in numbers if columns[number].shade):
                    narrow = max(_NARROW, view.sizeHintForColumn(number), view.titles.least(number))
                    view.setColumnWidth(number, min(view.columnWidth(number), narrow))
                left = max(_NAME, room - sum(map(view.columnWidth, numbers)))
                view.setColumnWidth(0, min(view.columnWidth(0), left))
            view.horizontalHeader().setStretchLastSection(True)
            view.fit_titles()

    def _teller(self, table: TableWithExport) -> Callable[..., None]:
        """Tells which detector and ground truth stand in the row and column gone to."""

        def tell(current: QModelIndex, *_: object) -> None:
            if self.results is None or not current.isValid():
                self.chosen.emit("", "")
                return
            row = table.model.frame.iloc[table.model.frame_row(current.row())]
            column = table.model.columns[current.column()].name
            if table is self.scores:
                place = column.rpartition("value_")[2]
                detector = self.results.detectors[int(place)] if place.isdigit() else ""
                self.chosen.emit(detector, row["truth"])
            elif table is self.rankings:
                self.chosen.emit(
                    *self.results.in_ranking(self.counted.value(), str(row["position"]), column)
                )
            elif table is self.thresholds:
                place = column.rpartition("ap_")[2]
                self.chosen.emit(self.results.detectors[int(place)] if place.isdigit() else "", "")
            else:
                self.chosen.emit(row["detector"], row["truth"] if table is self.coco else "")

        return tell

    def _build(self) -> None:
        for table in (self.scores, self.certainty, self.correlations, self.coco):
            table.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.rankings.view.setWordWrap(True)
        self.rankings.view.setSortingEnabled(False)
        self.rankings.view.verticalHeader().setSectionResizeMode(
            QHeaderView.ResizeMode.ResizeToContents
        )
        self.curves = QWidget()
        row = QHBoxLayout()
        for box in (self.kind, self.truth):
            box.setMinimumContentsLength(5)
            row.addWidget(box, 1)
        fill(QVBoxLayout(self.curves), row, self.plot, margins=(0, 4, 0, 0), wide=self.plot)
        for widget, title, tooltip in (
            (
                self.scores,
                tr("Scores"),
                tr("Every detector under every ground truth, shaded by rank."),
            ),
            (self.curves, tr("Curves"), tr("Curves and the band that the ground truths span.")),
            (
                self.rankings,
                tr("Rankings"),
                tr("The distinct rankings, and the ground truths that give each."),
            ),
            (
                self.noted,
                tr("Certainty"),
                tr("How likely each rank is for other annotators and places."),
            ),
            (self.correlations, tr("Agreement"), _ABOUT_CORRELATIONS),
            (self.coco, "COCO", COCO.help),
            (
                self.thresholds,
                tr("Thresholds"),
                tr("Average precision where a match needs another IoU."),
            ),
        ):
            self.add_tab(widget, title, tooltip)
        parts = (
            self.stale,
            self.verdict,
            self.decided,
            self.notes,
            self.counted,
            self.tabs,
            self.on_map,
        )
        fill(QVBoxLayout(self), *parts, spacing=3, wide=self.tabs)
