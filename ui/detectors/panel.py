"""Results of page Detectors: the conclusion, tables, and curves."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import Any

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

_CORRELATIONS_TOOLTIP = tr("Correlation of the scores with the number of annotators.")
#: Maximum width of a column whose text is wrapped, in pixels.
_MAX_WRAPPED_WIDTH = 140
#: Width that columns of scores shrink to if not all columns fit, in pixels.
_NARROW_SCORE_WIDTH = 62
#: Minimum width of the column of names, in pixels.
_MIN_NAME_WIDTH = 90
#: Width of the frames around the cells of a table, in pixels.
_FRAME_WIDTH = 12


class CurvePlot(PlotWidget):
    """Plot of the curves of detectors, under one ground truth or under all.

    Under all ground truths, a band contains all curves of a detector and a line is their median.

    The data are: the curves (of areas, with values at the same recalls; or of crowns, with a row
    per score of the detector); the detectors in the order of their colours; the kind of curve,
    ``P_BAR``, ``PRECISION`` or ``ROC``; and the name of a ground truth, "" for all.
    """

    window_title = tr("Detectors under every ground truth")
    file_name = "randcrowns_detectors"
    # The free area in which the legend is placed depends on the size.
    follows_size = True

    def draw(self, axes: Any) -> None:
        """Draw the curves with a legend."""
        draw_curves(axes, *self.data)


class DetectorPanel(TabbedResults):
    """Widget with the results of a ranking of detectors.

    It emits a signal for what the map has to show, and does not draw on the map itself.
    """

    #: Emitted with the names of the detector and the ground truth of the selected cell; "" for
    #: none.
    chosen = pyqtSignal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.results: DetectorResults | None = None
        #: Conclusion about the ranking.
        self.verdict = wrapped(form=Qt.TextFormat.RichText)
        self.verdict.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        #: Names of what the map shows.
        self.on_map = wrapped(form=Qt.TextFormat.RichText)
        #: Settings that the conclusion depends on.
        self.decided = wrapped(tone=QUIET)
        #: Selected unit: areas or whole crowns.
        self.counted = OptionBox()
        self.counted.setAccessibleName(UNITS.label)
        self.counted.setToolTip(
            tr("Whether the tables and curves are about areas or about whole crowns.")
        )
        self.scores = TableWithExport("randcrowns_detector_scores")
        self.rankings = TableWithExport("randcrowns_rankings")
        self.certainty = TableWithExport("randcrowns_certainty")
        self.correlations = TableWithExport("randcrowns_correlations")
        self.coco = TableWithExport("randcrowns_coco")
        self.thresholds = TableWithExport("randcrowns_thresholds")
        self._tables = (
            self.scores,
            self.rankings,
            self.certainty,
            self.correlations,
            self.coco,
            self.thresholds,
        )
        #: Full conclusion, above the table of certainty.
        self.certain = wrapped()
        #: Tab of certainty with its messages.
        self.noted = Noted(self.certainty)
        self.noted.layout().insertWidget(0, self.certain)
        self.plot = CurvePlot()
        #: Selected kind of curve.
        self.kind = OptionBox(_curve_options())
        #: Selected ground truth; "" for all.
        self.truth = OptionBox()
        self.truth.setToolTip(
            tr("One ground truth, or the band that all of them span with its median.")
        )
        self._build()
        self.counted.currentIndexChanged.connect(self._show_counted)
        self.kind.currentIndexChanged.connect(self._show_curves)
        self.truth.currentIndexChanged.connect(self._show_curves)
        for table in self._tables:
            selection = table.view.selectionModel()
            selection.currentChanged.connect(partial(self._on_cell_changed, table))
        self.tabs.currentChanged.connect(self.forget_choice)

    def show_results(self, results: DetectorResults) -> None:
        """Show the results of a ranking; the selected unit stays if the results have it."""
        self.results = results
        self.counted.offer(
            Option(unit, _unit_label(unit, results.partly)) for unit in results.counted
        )
        self.counted.setVisible(len(results.counted) > 1)
        self.correlations.show_frame(
            results.correlations, correlation_columns(results.correlations)
        )
        has_coco = len(results.coco) > 0
        if has_coco:
            self.coco.show_frame(results.coco, coco_columns(results.coco))
            self.thresholds.show_frame(
                *thresholds_of(results.thresholds, results.detectors, results.partly)
            )
        for table in (self.coco, self.thresholds):
            self.enable_tab(table, has_coco)
        tell(self.decided, " ".join(results.decided))
        self.tell_drawn("", "")
        self._show_counted()

    def tell_drawn(self, detector: str, truth: str, raster: bool = False) -> None:
        """Show the names of the detector and the ground truth on the map, in their colours.

        If both names are empty, the text explains that a click on a cell shows them.

        Args:
            detector: Name of the detector; "" for none.
            truth: Name of the ground truth; "" for none.
            raster: True if the detector is a raster, which lies above all other layers.
        """
        if not (detector or truth):
            self.on_map.setText(
                tr(
                    "Click a cell to see on the map: {detector} {truth}",
                    detector=coloured(tr("detector"), DELINEATION),
                    truth=coloured(tr("ground truth"), TARGET),
                )
            )
            return
        if not detector:
            detector_text = ""
        elif raster:
            detector_text = tr("{name} (the raster above all layers)", name=escape(detector))
        else:
            detector_text = coloured(detector, DELINEATION)
        self.on_map.setText(
            tr(
                "On the map: {detector} {truth}",
                detector=detector_text,
                truth=coloured(truth, TARGET) if truth else "",
            )
        )

    def forget_choice(self, *_: object) -> None:
        """Clear the selection in all tables, so that a click on any cell emits a signal again."""
        for table in self._tables:
            table.view.clearSelection()
            table.view.setCurrentIndex(QModelIndex())
        self.chosen.emit("", "")

    def stands_beside(self, remark: Remark) -> bool:
        """Return True if a message is shown next to the conclusion.

        Messages about areas only or about crowns only are shown if this unit is selected.
        """
        shows_areas = self.counted.value() == AREAS
        if remark.topic in ("crowns", "plots"):
            return super().stands_beside(remark) and not shows_areas
        if remark.topic in ("areas", "ranking") and self.results is not None:
            return shows_areas or AREAS not in self.results.counted
        return super().stands_beside(remark)

    def resizeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Fit the tables to the new width."""
        super().resizeEvent(event)
        self._fit_tables()

    def _show_counted(self, *_: object) -> None:
        """Show the results for the selected unit."""
        results = self.results
        if results is None or not self.counted.count():
            return
        self.chosen.emit("", "")
        counted = self.counted.value()
        self.certainty.show_frame(*certainty_rows(results.certainty, counted))
        self._show_certainty_note(results, counted)
        self._show_conclusion(results, counted)
        self.scores.show_frame(
            *score_matrix(results.by_image, counted, results.detectors, results.partly)
        )
        self.enable_tab(self.curves, counted == AREAS or not results.partly)

        rankings = results.rankings
        if len(rankings):
            rankings = rankings[rankings["counted"] == counted]
        self.rankings.show_frame(rankings, ranking_columns(rankings))
        self.enable_tab(self.rankings, len(rankings) > 0)
        self.rankings.view.fit_columns(_MAX_WRAPPED_WIDTH)

        truth_options = [Option(truth, truth) for truth in results.truths(counted)]
        self.truth.offer([Option("", tr("All ground truths")), *truth_options])
        self.kind.setVisible(counted == AREAS)
        self._fit_tables()
        self._show_curves()

    def _show_certainty_note(self, results: DetectorResults, counted: str) -> None:
        """Show that LSML is not resampled, if the run made a ground truth with it."""
        has_samples = counted == AREAS and self.certainty.model.rowCount() > 0
        notes = []
        if has_samples and "LSML" in results.truths(AREAS):
            notes.append(tr("LSML is not in the bootstrap samples: its contour takes too long."))
        self.noted.tell(notes)

    def _show_conclusion(self, results: DetectorResults, counted: str) -> None:
        """Show the conclusion about a unit; disable the tabs that are about the other unit."""
        shows_areas = counted == AREAS
        # With one detector, the conclusion about areas contains the one about crowns.
        use_verdict = shows_areas or len(results.detectors) == 1
        verdict = results.said("verdict") if use_verdict else []
        conclusion = [
            escape(sentence, quote=False) for sentence in verdict or results.said("crown_verdict")
        ]
        headlines = [escape(sentence, quote=False) for sentence in results.said("headline")]
        if headlines:
            self.verdict.setText("<br>".join(f"<b>{headline}</b>" for headline in headlines))
            tell(self.certain, " ".join(conclusion))
        else:
            text = f"<b>{conclusion[0]}</b> {' '.join(conclusion[1:])}" if conclusion else ""
            self.verdict.setText(text)
            tell(self.certain, "")
        resampling = tr(
            "Annotators and tiles (plots or images, where several are counted) are resampled with "
            "replacement, and the detectors are ranked in each bootstrap sample: a stand-in for "
            "other scenes and other annotators."
        )
        self.verdict.setToolTip(plain("\n".join([*results.said("first_places"), resampling])))
        self.show_notes()

        self.enable_tab(self.noted, self.certainty.model.rowCount() > 0)
        self.enable_tab(self.correlations, shows_areas and self.correlations.model.rowCount() > 0)
        tooltip = _CORRELATIONS_TOOLTIP
        if not shows_areas:
            tooltip = tr("This tab is about areas: select areas above to see it.")
        self.tabs.setTabToolTip(self.tabs.indexOf(self.correlations), tooltip)

    def _show_curves(self, *_: object) -> None:
        """Plot the curves of the selected unit, kind and ground truth."""
        if self.results is None:
            return
        counted = self.counted.value()
        curves = self.results.curves[self.results.curves["counted"] == counted]
        detectors = [name for name in self.results.detectors if (curves["detector"] == name).any()]
        kind = self.kind.value() if counted == AREAS else PRECISION
        self.plot.show_data(curves, detectors, kind, self.truth.value())

    def _fit_tables(self) -> None:
        """Fit the columns of the tables to the width of the panel."""
        scroll_bar_width = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        available_width = self.width() - scroll_bar_width - _FRAME_WIDTH
        for table in (self.scores, self.certainty, self.correlations):
            if table.model.columns:
                _fit_table(table, available_width)

    def _on_cell_changed(self, table: TableWithExport, current: QModelIndex, *_: object) -> None:
        """Emit :attr:`chosen` for the current cell of a table."""
        if self.results is None or not current.isValid():
            self.chosen.emit("", "")
            return
        row = table.model.frame.iloc[table.model.frame_row(current.row())]
        column = table.model.columns[current.column()].name
        if table is self.scores:
            self.chosen.emit(_numbered_detector(self.results, column, "value_"), row["truth"])
        elif table is self.rankings:
            position = str(row["position"])
            self.chosen.emit(*self.results.in_ranking(self.counted.value(), position, column))
        elif table is self.thresholds:
            self.chosen.emit(_numbered_detector(self.results, column, "ap_"), "")
        elif table is self.coco:
            self.chosen.emit(row["detector"], row["truth"])
        else:
            self.chosen.emit(row["detector"], "")

    def _build(self) -> None:
        """Add the tabs and lay out the panel."""
        for table in (self.scores, self.certainty, self.correlations, self.coco):
            table.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.rankings.view.setWordWrap(True)
        self.rankings.view.setSortingEnabled(False)
        self.rankings.view.verticalHeader().setSectionResizeMode(
            QHeaderView.ResizeMode.ResizeToContents
        )
        self.curves = QWidget()
        box_row = QHBoxLayout()
        for box in (self.kind, self.truth):
            box.setMinimumContentsLength(5)
            box_row.addWidget(box, 1)
        fill(QVBoxLayout(self.curves), box_row, self.plot, margins=(0, 4, 0, 0), wide=self.plot)

        self.add_tab(
            self.scores,
            tr("Scores"),
            tr("Every detector under every ground truth, shaded by rank."),
        )
        self.add_tab(
            self.curves, tr("Curves"), tr("Curves and the band that the ground truths span.")
        )
        self.add_tab(
            self.rankings,
            tr("Rankings"),
            tr("The distinct rankings, and the ground truths that give each."),
        )
        self.add_tab(
            self.noted,
            tr("Certainty"),
            tr("How likely each rank is for other annotators and places."),
        )
        self.add_tab(self.correlations, tr("Agreement"), _CORRELATIONS_TOOLTIP)
        self.add_tab(self.coco, "COCO", COCO.help)
        self.add_tab(
            self.thresholds,
            tr("Thresholds"),
            tr("Average precision by the IoU that a match requires."),
        )
        rows = (
            self.stale,
            self.verdict,
            self.decided,
            self.notes,
            self.counted,
            self.tabs,
            self.on_map,
        )
        fill(QVBoxLayout(self), *rows, spacing=3, wide=self.tabs)


def _curve_options() -> tuple[Option, ...]:
    """Return the kinds of curves that can be selected."""
    return (
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


def _unit_label(unit: str, is_partial: bool) -> str:
    """Return the label of a unit with its score.

    Args:
        unit: "areas" or "crowns".
        is_partial: True if only some crowns were drawn.
    """
    if unit == AREAS:
        return tr("Areas: AUCR")
    if is_partial:
        return tr("Whole crowns: recall")
    return tr("Whole crowns: average precision")


def _numbered_detector(results: DetectorResults, column: str, prefix: str) -> str:
    """Return the detector whose number follows a prefix in the name of a column, or ""."""
    number = column.rpartition(prefix)[2]
    return results.detectors[int(number)] if number.isdigit() else ""


def _fit_table(table: TableWithExport, available_width: int) -> None:
    """Fit the columns of a table to the available width.

    If the columns do not fit, the scores become narrow and long names lose their middle, so that
    all numbers remain visible.

    Args:
        table: Table with names in the first column and numbers in the others; the last column may
            be one of reasons.
        available_width: Width in pixels.
    """
    view = table.view
    columns = table.model.columns
    header = view.horizontalHeader()
    view.fit_columns()
    # A stretched last column would be as wide as the view, not as wide as its content.
    header.setStretchLastSection(False)
    has_reasons = columns[-1].name == "reason"
    number_columns = range(1, len(columns) - has_reasons)
    total_width = view.columnWidth(0) + sum(map(view.columnWidth, number_columns))
    if total_width > available_width:
        for column in number_columns:
            if columns[column].shade:
                content_width = view.sizeHintForColumn(column)
                title_width = view.titles.least(column)
                narrow_width = max(_NARROW_SCORE_WIDTH, content_width, title_width)
                view.setColumnWidth(column, min(view.columnWidth(column), narrow_width))
        numbers_width = sum(map(view.columnWidth, number_columns))
        name_width = max(_MIN_NAME_WIDTH, available_width - numbers_width)
        view.setColumnWidth(0, min(view.columnWidth(0), name_width))
    header.setStretchLastSection(True)
    view.fit_titles()
