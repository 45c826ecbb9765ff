"""Results of page Detectors: the conclusion, tables, and curves."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from html import escape
from typing import Any

import pandas as pd
from qgis.PyQt.QtCore import QEvent, QModelIndex, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QHBoxLayout, QHeaderView, QStyle, QVBoxLayout, QWidget

from randcrowns.algorithms.detectors.schema.outputs import (
    AREAS,
    CLASS_PRECISION,
    COCO,
    LOOK_AGAIN,
)
from randcrowns.algorithms.detectors.schema.parameters import COUNTED_UNITS
from randcrowns.algorithms.parameter_types import Option
from randcrowns.core.messages import Message
from randcrowns.layers.localization import escape_rich_text, tr
from randcrowns.layers.styles import DELINEATION_COLOUR, TARGET_COLOUR
from randcrowns.report.result_figures import P_BAR_CURVE, PRECISION_CURVE, ROC_CURVE, draw_curves
from randcrowns.ui.detectors.results import (
    DetectorResults,
    coco_columns,
    correlation_columns,
    make_certainty_table,
    make_class_table,
    make_score_table,
    make_threshold_table,
    place_columns,
    ranking_columns,
)
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.colours import SECONDARY_TONE, coloured_name
from randcrowns.ui.widgets.folded_text import ElidedLabel
from randcrowns.ui.widgets.parts import (
    ResultsPanel,
    fill_layout,
    make_wrapped_label,
    set_text_or_hide,
)
from randcrowns.ui.widgets.plot import PlotWidget
from randcrowns.ui.widgets.table_view import TableWithExport, WidgetWithNotes

_CORRELATIONS_TOOLTIP = tr("Correlation of the scores with the number of annotators.")
#: Maximum width of a column whose text is wrapped, in pixels.
_MAX_WRAPPED_WIDTH = 140
#: Width that columns of scores shrink to if not all columns fit, in pixels.
_NARROW_SCORE_WIDTH = 62
#: Minimum width of the column of names, in pixels.
_MIN_NAME_WIDTH = 90
#: Minimum width of the boxes above the curves, in characters.
_MIN_BOX_LENGTH = 5
#: Width of the frames around the cells of a table, in pixels.
_FRAME_WIDTH = 12


class CurvePlot(PlotWidget):
    """Plot of the curves of detectors, under one ground truth or under all.

    Under all ground truths, a band contains all curves of a detector and a line is their median.

    The data are: the curves (of areas, with values at the same recalls; or of crowns, with a row
    per score of the detector); the detectors in the order of their colours; the kind of curve,
    ``P_BAR_CURVE``, ``PRECISION_CURVE`` or ``ROC_CURVE``; and the name of a ground truth, "" for
    all.
    """

    window_title = tr("Detectors under every ground truth")
    file_name = "randcrowns_detectors"
    # The free area in which the legend is placed depends on the size.
    follows_size = True

    def draw(self, axes: Any) -> None:
        """Draw the curves with a legend."""
        curves, detectors, kind, truth = self.data
        draw_curves(axes, curves, detectors, kind, truth)


class DetectorResultsPanel(ResultsPanel):
    """Widget with the results of a ranking of detectors.

    It emits a signal for what the map has to show, and does not draw on the map itself.
    """

    #: Emitted with the names of the detector and the ground truth of the selected cell; "" for
    #: none.
    cell_selected = pyqtSignal(str, str)
    #: Emitted with the number of the selected place that no annotator marked.
    place_selected = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        #: The displayed results; None if there are none.
        self.results: DetectorResults | None = None
        self._create_labels()
        self._create_tables()
        self._create_plot()
        self._arrange_widgets()
        self._connect()

    def _create_labels(self) -> None:
        """Create the conclusion, the other texts, and the box that selects the unit."""
        #: Conclusion about the ranking.
        self.conclusion_label = make_wrapped_label(text_format=Qt.TextFormat.RichText)
        self.conclusion_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        #: Names of what the map shows.
        self.map_label = make_wrapped_label(text_format=Qt.TextFormat.RichText)
        #: Settings that the conclusion depends on.
        self.settings_label = ElidedLabel(SECONDARY_TONE)
        #: Selected unit: areas or whole crowns.
        self.unit_box = OptionBox()
        self.unit_box.setAccessibleName(COUNTED_UNITS.label)
        self.unit_box.setToolTip(
            tr("Whether the tables and curves are about areas or about whole crowns.")
        )

    def _create_tables(self) -> None:
        """Create the tables of the tabs."""
        self.score_table = TableWithExport("randcrowns_detector_scores")
        self.ranking_table = TableWithExport("randcrowns_rankings")
        self.certainty_table = TableWithExport("randcrowns_certainty")
        self.correlation_table = TableWithExport("randcrowns_correlations")
        self.coco_table = TableWithExport("randcrowns_coco")
        self.class_table = TableWithExport("randcrowns_class_precision")
        self.threshold_table = TableWithExport("randcrowns_thresholds")
        #: Table of the places that several detectors mark and no annotator does.
        self.place_table = TableWithExport("randcrowns_look_again")
        self._tables = (
            self.score_table,
            self.ranking_table,
            self.certainty_table,
            self.correlation_table,
            self.coco_table,
            self.class_table,
            self.threshold_table,
        )
        #: Full conclusion, above the table of certainty.
        self.full_conclusion_label = make_wrapped_label()
        #: Tab of certainty with its messages.
        self.certainty_tab = WidgetWithNotes(self.certainty_table)
        self.certainty_tab.layout().insertWidget(0, self.full_conclusion_label)

    def _create_plot(self) -> None:
        """Create the plot of the curves, and the boxes that select them."""
        self.plot = CurvePlot()
        #: Selected kind of curve.
        self.curve_box = OptionBox(_curve_options())
        #: Selected ground truth; "" for all.
        self.truth_box = OptionBox()
        self.truth_box.setToolTip(
            tr("One ground truth, or the band that all of them span with its median.")
        )

    def _connect(self) -> None:
        """Connect the signals of the widgets."""
        self.unit_box.currentIndexChanged.connect(self._show_unit)
        self.curve_box.currentIndexChanged.connect(self._show_curves)
        self.truth_box.currentIndexChanged.connect(self._show_curves)
        for table in self._tables:
            selection = table.view.selectionModel()
            selection.currentChanged.connect(partial(self._on_cell_changed, table))
        self.place_table.view.row_chosen.connect(self._choose_place)
        self.tabs.currentChanged.connect(self.clear_selection)

    def show_results(self, results: DetectorResults) -> None:
        """Show the results of a ranking; the selected unit stays if the results have it."""
        self.results = results
        self.unit_box.set_options(
            Option(unit, _unit_label(unit, results.is_partial)) for unit in results.units
        )
        self.unit_box.setVisible(len(results.units) > 1)
        self._show_tables(results)
        set_text_or_hide(self.settings_label, " ".join(results.settings_sentences))
        self.show_map_label("", "")
        self._show_unit()

    def _show_tables(self, results: DetectorResults) -> None:
        """Show the tables that do not depend on the unit; disable the tabs of empty ones."""
        self.correlation_table.show_frame(
            results.correlations, correlation_columns(results.correlations)
        )
        has_coco = len(results.coco) > 0
        if has_coco:
            self.coco_table.show_frame(results.coco, coco_columns(results.coco))
            thresholds, threshold_columns = make_threshold_table(
                results.thresholds, results.detectors, results.is_partial
            )
            self.threshold_table.show_frame(thresholds, threshold_columns)
        self.enable_tab(self.coco_table, has_coco)
        self.enable_tab(self.threshold_table, has_coco)
        classes, class_columns = make_class_table(results.classes)
        self.class_table.show_frame(classes, class_columns)
        self.enable_tab(self.class_table, len(results.classes) > 0)
        self.place_table.show_frame(results.unmarked_places, place_columns())
        self.enable_tab(self.place_table, len(results.unmarked_places) > 0)

    def show_map_label(self, detector: str, truth: str, is_raster: bool = False) -> None:
        """Show the names of the detector and the ground truth on the map, in their colours.

        If both names are empty, the text explains that a click on a cell shows them.

        Args:
            detector: Name of the detector; "" for none.
            truth: Name of the ground truth; "" for none.
            is_raster: True if the detector is a raster, which lies above all other layers.
        """
        if not (detector or truth):
            self.map_label.setText(
                tr(
                    "Click a cell to see on the map: {detector} {truth}",
                    detector=coloured_name(tr("detector"), DELINEATION_COLOUR),
                    truth=coloured_name(tr("ground truth"), TARGET_COLOUR, is_whole=True),
                )
            )
            return
        detector_text = ""
        truth_text = ""
        if detector and is_raster:
            detector_text = tr("{name} (the raster above all layers)", name=escape(detector))
        elif detector:
            detector_text = coloured_name(detector, DELINEATION_COLOUR)
        if truth:
            truth_text = coloured_name(truth, TARGET_COLOUR)
        self.map_label.setText(
            tr("On the map: {detector} {truth}", detector=detector_text, truth=truth_text)
        )

    def clear_selection(self, *_: object) -> None:
        """Clear the selection in all tables, so that a click on any cell emits a signal again."""
        for table in (*self._tables, self.place_table):
            table.view.clearSelection()
            table.view.setCurrentIndex(QModelIndex())
        self.cell_selected.emit("", "")

    def is_shown_beside_answer(self, message: Message) -> bool:
        """Return True if a message is shown next to the conclusion.

        Messages about areas only or about crowns only are shown if this unit is selected.
        """
        shows_areas = self.unit_box.value() == AREAS
        if message.topic in ("crowns", "plots"):
            return super().is_shown_beside_answer(message) and not shows_areas
        if message.topic in ("areas", "ranking") and self.results is not None:
            return shows_areas or AREAS not in self.results.units
        return super().is_shown_beside_answer(message)

    def resizeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Fit the tables to the new width."""
        super().resizeEvent(event)
        self._fit_tables()

    def _show_unit(self, *_: object) -> None:
        """Show tables, conclusion and curves of the unit that is selected: areas or crowns.

        Emits :attr:`cell_selected` with empty names, since the tables lose their selections.
        """
        results = self.results
        if results is None or not self.unit_box.count():
            return
        self.cell_selected.emit("", "")
        unit = self.unit_box.value()
        certainty, certainty_columns = make_certainty_table(results.certainty, unit)
        self.certainty_table.show_frame(certainty, certainty_columns)
        self._show_certainty_note(results, unit)
        self._show_conclusion(results, unit)
        scores, score_columns = make_score_table(
            results.scores_by_image,
            unit,
            results.detectors,
            is_partial=results.is_partial,
            has_iou_recall=results.is_matched_by_randcrowns,
        )
        self.score_table.show_frame(scores, score_columns)
        self._show_rankings(results, unit)
        self._offer_curves(results, unit)
        self._fit_tables()
        self._show_curves()

    def _offer_curves(self, results: DetectorResults, unit: str) -> None:
        """Offer the ground truths and the kinds of curves of a unit; disable the tab without any.

        Args:
            results: The displayed results.
            unit: "areas" or "crowns".
        """
        # Without all crowns of the annotators, the precision of crowns is unknown.
        self.enable_tab(self.curve_tab, unit == AREAS or not results.is_partial)
        truth_options = [Option(truth, truth) for truth in results.truths_of(unit)]
        self.truth_box.set_options([Option("", tr("All ground truths")), *truth_options])
        self.curve_box.setVisible(unit == AREAS)

    def _show_rankings(self, results: DetectorResults, unit: str) -> None:
        """Show the distinct rankings by a unit; disable their tab if there are none."""
        rankings = results.rankings
        if len(rankings):
            rankings = rankings[rankings["counted"] == unit]
        self.ranking_table.show_frame(rankings, ranking_columns(rankings))
        self.enable_tab(self.ranking_table, len(rankings) > 0)
        self.ranking_table.view.fit_columns(_MAX_WRAPPED_WIDTH)

    def _show_certainty_note(self, results: DetectorResults, unit: str) -> None:
        """Show that LSML is not resampled, if the run made a ground truth with it."""
        has_samples = unit == AREAS and self.certainty_table.model.rowCount() > 0
        notes = []
        if has_samples and "LSML" in results.truths_of(AREAS):
            notes.append(tr("LSML is not in the bootstrap samples: its contour takes too long."))
        self.certainty_tab.show_notes(notes)

    def _show_conclusion(self, results: DetectorResults, unit: str) -> None:
        """Show the conclusion about a unit; disable the tabs that are about the other unit."""
        shows_areas = unit == AREAS
        sentences = results.sentences_of("crown_verdict")
        # With one detector, the conclusion about areas contains the one about crowns.
        if shows_areas or len(results.detectors) == 1:
            sentences = results.sentences_of("verdict") or sentences
        self._set_conclusion_texts(results.sentences_of("headline"), sentences)
        resampling_text = tr(
            "Annotators and tiles (plots or images, where several are counted) are resampled with "
            "replacement, and the detectors are ranked in each bootstrap sample: a stand-in for "
            "other scenes and other annotators."
        )
        tooltip_lines = [*results.sentences_of("first_places"), resampling_text]
        self.conclusion_label.setToolTip(escape_rich_text("\n".join(tooltip_lines)))
        self.update_notes()

        self.enable_tab(self.certainty_tab, self.certainty_table.model.rowCount() > 0)
        self.enable_tab(
            self.correlation_table, shows_areas and self.correlation_table.model.rowCount() > 0
        )
        tooltip = _CORRELATIONS_TOOLTIP
        if not shows_areas:
            tooltip = tr("This tab is about areas: select areas above to see it.")
        self.tabs.setTabToolTip(self.tabs.indexOf(self.correlation_table), tooltip)

    def _set_conclusion_texts(self, headlines: list[str], sentences: list[str]) -> None:
        """Show the headlines in bold above the conclusion, or else its first sentence in bold.

        Args:
            headlines: Headlines in plain text; empty for none.
            sentences: Sentences of the conclusion in plain text.
        """
        html_sentences = [escape(sentence, quote=False) for sentence in sentences]
        text = ""
        text_below = ""
        if headlines:
            bold_headlines = [f"<b>{escape(headline, quote=False)}</b>" for headline in headlines]
            text = "<br>".join(bold_headlines)
            text_below = " ".join(html_sentences)
        elif html_sentences:
            first_sentence, *other_sentences = html_sentences
            text = f"<b>{first_sentence}</b> {' '.join(other_sentences)}"
        self.conclusion_label.setText(text)
        set_text_or_hide(self.full_conclusion_label, text_below)

    def _show_curves(self, *_: object) -> None:
        """Plot the curves of the selected unit, kind and ground truth."""
        if self.results is None:
            return
        unit = self.unit_box.value()
        all_curves = self.results.curves
        curves = all_curves[all_curves["counted"] == unit]
        drawn_names = set(curves["detector"])
        detectors = [name for name in self.results.detectors if name in drawn_names]
        kind = self.curve_box.value() if unit == AREAS else PRECISION_CURVE
        self.plot.show_data(curves, detectors, kind, self.truth_box.value())

    def _fit_tables(self) -> None:
        """Fit the columns of the tables to the width of the panel."""
        scroll_bar_width = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        available_width = self.width() - scroll_bar_width - _FRAME_WIDTH
        for table in (self.score_table, self.certainty_table, self.correlation_table):
            if table.model.columns:
                _fit_table(table, available_width)

    def _on_cell_changed(self, table: TableWithExport, current: QModelIndex, *_: object) -> None:
        """Emit :attr:`cell_selected` with the detector and the ground truth of the current cell.

        Args:
            table: Table with the cell.
            current: Current cell; both names are "" if it is invalid.
        """
        detector = truth = ""
        if self.results is not None and current.isValid():
            model = table.model
            row = model.frame.iloc[model.frame_row(current.row())]
            column_name = model.columns[current.column()].name
            detector, truth = self._names_in_cell(self.results, table, row, column_name)
        self.cell_selected.emit(detector, truth)

    def _choose_place(self, row: int) -> None:
        """Emit the number of the place in a row of its table; -1 emits nothing."""
        if row >= 0:
            place_numbers = self.place_table.model.frame["place"]
            self.place_selected.emit(int(place_numbers.iloc[row]))

    def _names_in_cell(
        self, results: DetectorResults, table: TableWithExport, row: pd.Series, column: str
    ) -> tuple[str, str]:
        """Return the detector and the ground truth that a cell is about; "" for none.

        Args:
            results: The displayed results.
            table: Table with the cell.
            row: Row of the cell in the table's data frame.
            column: Name of the cell's column.
        """
        if table is self.score_table:
            return _numbered_detector(results, column, "value_"), row["truth"]
        if table is self.ranking_table:
            return results.find_in_ranking(self.unit_box.value(), str(row["position"]), column)
        if table is self.threshold_table:
            return _numbered_detector(results, column, "ap_"), ""
        if table is self.coco_table:
            return row["detector"], row["truth"]
        return row["detector"], ""

    def _set_up_tables(self) -> None:
        """Elide long names in the middle; wrap the lines of the unsorted table of rankings."""
        tables_with_names = (
            self.score_table,
            self.certainty_table,
            self.correlation_table,
            self.coco_table,
            self.place_table,
        )
        for table in tables_with_names:
            table.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        ranking_view = self.ranking_table.view
        ranking_view.setWordWrap(True)
        ranking_view.setSortingEnabled(False)
        ranking_view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def _make_curve_tab(self) -> QWidget:
        """Return the tab with the plot of curves, below the boxes that select the curves."""
        curve_tab = QWidget()
        box_row = QHBoxLayout()
        for box in (self.curve_box, self.truth_box):
            box.setMinimumContentsLength(_MIN_BOX_LENGTH)
            box_row.addWidget(box, 1)
        fill_layout(
            QVBoxLayout(curve_tab), box_row, self.plot, margins=(0, 4, 0, 0), stretched=self.plot
        )
        return curve_tab

    def _arrange_widgets(self) -> None:
        """Add the tabs and lay out the panel: answer and messages, tabs, and what the map shows."""
        self._set_up_tables()
        #: Tab with the plot of the curves.
        self.curve_tab = self._make_curve_tab()
        self._add_tabs()
        fill_layout(
            QVBoxLayout(self),
            self.stale_label,
            self.conclusion_label,
            self.settings_label,
            self.notes,
            self.unit_box,
            self.tabs,
            self.map_label,
            spacing=3,
            stretched=self.tabs,
        )

    def _add_tabs(self) -> None:
        """Add the tabs with their titles and tooltips, from left to right."""
        self.add_tab(
            self.score_table,
            tr("Scores"),
            tr("Every detector under every ground truth, shaded by rank."),
        )
        self.add_tab(
            self.curve_tab, tr("Curves"), tr("Curves and the band that the ground truths span.")
        )
        self.add_tab(
            self.ranking_table,
            tr("Rankings"),
            tr("The distinct rankings, and the ground truths that give each."),
        )
        self.add_tab(
            self.certainty_tab,
            tr("Certainty"),
            tr("How likely each rank is for other annotators and places."),
        )
        self.add_tab(self.correlation_table, tr("Agreement"), _CORRELATIONS_TOOLTIP)
        self.add_tab(self.coco_table, "COCO", COCO.help)
        self.add_tab(self.class_table, tr("Classes"), CLASS_PRECISION.help)
        self.add_tab(
            self.threshold_table,
            tr("Thresholds"),
            tr("Average precision by the IoU that a match requires."),
        )
        self.add_tab(self.place_table, tr("Look again"), LOOK_AGAIN.help)


def _curve_options() -> tuple[Option, ...]:
    """Return the kinds of curves that can be selected."""
    return (
        Option(
            P_BAR_CURVE,
            tr("P̄ and recall"),
            tr("Precision averaged over the skew limits, along recall (Eq. 7)."),
        ),
        Option(
            PRECISION_CURVE,
            tr("Precision and recall"),
            tr("Precision for the share of crowns that this scene has."),
        ),
        Option(ROC_CURVE, tr("ROC"), tr("Recall along the false positive rate.")),
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
    return tr("Whole crowns: AP, all points")


def _numbered_detector(results: DetectorResults, column: str, prefix: str) -> str:
    """Return the detector whose number follows a prefix in the name of a column, or "".

    Args:
        results: Results with the detectors in the order of their numbers, from 0.
        column: Name of the column, such as "value_2".
        prefix: Prefix of the columns with a number, such as "value_".
    """
    number_text = column.removeprefix(prefix)
    return results.detectors[int(number_text)] if number_text.isdigit() else ""


def _narrow_scores(table: TableWithExport, number_columns: Iterable[int]) -> None:
    """Reduce the widths of the scores to what their numbers and abbreviated titles need.

    Args:
        table: Table whose columns of scores are shaded.
        number_columns: Positions of the columns with numbers.
    """
    view = table.view
    columns = table.model.columns
    score_columns = [number for number in number_columns if columns[number].shade_column]
    for number in score_columns:
        content_width = view.sizeHintForColumn(number)
        title_width = view.titles.two_line_width(number)
        narrow_width = max(_NARROW_SCORE_WIDTH, content_width, title_width)
        view.setColumnWidth(number, min(view.columnWidth(number), narrow_width))


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
    number_columns = range(1, len(columns) - 1 if has_reasons else len(columns))

    def numbers_width() -> int:
        """Return the width of all columns with numbers, pixels."""
        return sum(view.columnWidth(column) for column in number_columns)

    if view.columnWidth(0) + numbers_width() > available_width:
        _narrow_scores(table, number_columns)
        name_width = max(_MIN_NAME_WIDTH, available_width - numbers_width())
        view.setColumnWidth(0, min(view.columnWidth(0), name_width))
    header.setStretchLastSection(True)
    view.fit_titles()
