"""Results of page Annotators: the answer, a consensus, and tables and plots with messages."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd
from qgis.PyQt.QtCore import QSize, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtWidgets import QHBoxLayout, QTabWidget, QVBoxLayout, QWidget

from randcrowns.algorithms.agreement.schema.outputs import (
    ANNOTATOR_TABLE,
    CLASS_AGREEMENT,
    IMAGE_TABLE,
    SUMMARY,
)
from randcrowns.algorithms.agreement.schema.parameters import METHOD
from randcrowns.algorithms.parameter_types import FloatParameter
from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.classes.area_classes import AREA_COLUMNS
from randcrowns.core.messages import Message
from randcrowns.layers.localization import message_texts, tr
from randcrowns.ui.agreement.consensus_form import ConsensusForm
from randcrowns.ui.agreement.disagreement_table import DisagreementTable
from randcrowns.ui.agreement.plots import DendrogramPlot, PairHeatmap, PriorPlot, RatioPlot
from randcrowns.ui.agreement.results import (
    AnnotatorResults,
    answer_text,
    answer_tooltip,
    bound_text,
    bound_tooltip,
)
from randcrowns.ui.widgets.colours import MISSED, SHARED, annotator_colours, coloured_name
from randcrowns.ui.widgets.editors import create_editor
from randcrowns.ui.widgets.parts import (
    ResultsPanel,
    fill_layout,
    hold_height,
    make_scrollable,
    make_tool_button,
    make_wrapped_label,
    set_collapsed,
    set_guide_section,
)
from randcrowns.ui.widgets.summary_box import SummaryBox
from randcrowns.ui.widgets.table_model import TableColumn, format_text, name_column, table_columns
from randcrowns.ui.widgets.table_view import SwatchDelegate, TableWithExport, WidgetWithNotes

#: Limit of Smyth's bound; the minimum means that the user has set no limit.
ERROR_LIMIT = FloatParameter(
    "limit",
    tr("Acceptable mean error"),
    tr(
        "Largest mean error of the annotators that you accept, 0 to 0.5 (a share of the study "
        "area). There is no common limit."
    ),
    default=-0.005,
    minimum=-0.005,
    maximum=0.5,
    minimum_label=tr("no limit"),
    decimals=3,
    step=0.005,
)

#: Messages about the agreement that are shown with the table of annotators.
_TABLE_NOTES = (
    AgreementMessage.OUTLIER_MEANING,
    AgreementMessage.TOO_FEW_FOR_OUTLIERS,
    AgreementMessage.TWO_ANNOTATORS_CONSENSUS,
    AgreementMessage.TWO_ANNOTATORS_PPV,
    AgreementMessage.EMPTY_ANNOTATOR,
    AgreementMessage.EMPTY_CONSENSUS,
    AgreementMessage.FULL_CONSENSUS,
    AgreementMessage.NOTHING_MARKED,
    AgreementMessage.EVERYTHING_MARKED,
)
#: Messages that are shown with the heatmap of pairs.
_PAIR_NOTES = (
    AgreementMessage.ONE_ANNOTATOR,
    AgreementMessage.EMPTY_ANNOTATOR,
    AgreementMessage.NOTHING_MARKED,
)
#: Messages that are shown with the dendrogram.
_TREE_NOTES = (
    AgreementMessage.OUTLIER_MEANING,
    AgreementMessage.TOO_FEW_FOR_OUTLIERS,
    AgreementMessage.NOTHING_MARKED,
)
#: Messages that are shown with the summary, even if they are shown elsewhere as well.
_SUMMARY_NOTES = (
    AgreementMessage.ONE_ANNOTATOR,
    AgreementMessage.NOTHING_MARKED,
    AgreementMessage.EVERYTHING_MARKED,
)
#: Messages that are shown with the agreement ratio.
_RATIO_NOTES = (AgreementMessage.NOTHING_MARKED,)
#: Messages that are shown next to the answer.
_ANSWER_NOTES = (
    AgreementMessage.ONE_ANNOTATOR,
    AgreementMessage.TWO_ANNOTATORS_BOUND,
    AgreementMessage.NOTHING_MARKED,
    AgreementMessage.EVERYTHING_MARKED,
    AgreementMessage.NO_STUDY_AREA,
)


class _TabTexts(NamedTuple):
    """Texts of a tab."""

    title: str
    tooltip: str


#: Key of a tab -> its texts.
_TAB_TEXTS = {
    "annotators": _TabTexts(
        tr("Annotators"), tr("Each compared with the consensus of half or more.")
    ),
    "pairs": _TabTexts(
        tr("Pairs"), tr("F1 of every two; click a cell to show the two on the map.")
    ),
    "dendrogram": _TabTexts(tr("Dendrogram"), tr("Ward's clustering of the annotators on 1 - F1.")),
    "disagreements": _TabTexts(
        tr("Disagreements"), tr("Where annotators differ, the largest first.")
    ),
    "ratio": _TabTexts(tr("Ratio"), tr("Area marked by at least a given number of annotators.")),
    "summary": _TabTexts(tr("Summary"), tr("All numbers with 95 % intervals.")),
    "image": _TabTexts(
        tr("Image"), tr("Correlations with the image; choose an image under Advanced.")
    ),
    "classes": _TabTexts(
        tr("Classes"),
        tr(
            "Agreement on the classes of crowns and areas; choose a class field above. Rasters "
            "of classes need none."
        ),
    ),
    "prior": _TabTexts(
        tr("Prior"),
        tr("Area that STAPLE marks along its prior; make a STAPLE consensus to see it."),
    ),
}
#: Position of the column with the colours in the table of annotators.
_SWATCH_POSITION = 0
#: Minimum height of the panel in pixels.
_MIN_HEIGHT = 320
#: Minimum height of the tabs in pixels; the panel scrolls if there is less room.
_MIN_TABS_HEIGHT = 250


class _Tabs(QTabWidget):
    """Tabs that take the available height, whatever height their pages prefer."""

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the minimum size, with at least the minimum height of the tabs."""
        return self.minimumSizeHint().expandedTo(QSize(0, _MIN_TABS_HEIGHT))

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        """Return False: wrapped labels on a page do not determine the height."""
        return False


class AnnotatorResultsPanel(ResultsPanel):
    """Widget with the results of a comparison of annotators.

    It emits signals for what the map has to show, and does not draw on the map itself.
    """

    #: Emitted with the positions of two annotators in the order of the run.
    pair_chosen = pyqtSignal(int, int)
    #: Emitted with the position of an annotator.
    annotator_chosen = pyqtSignal(int)
    #: Emitted with the rank of a disagreement.
    disagreement_chosen = pyqtSignal(int)
    #: Emitted with the rank of a disagreement and the verdict on it as text.
    verdict_given = pyqtSignal(int, str)
    #: Emitted when nothing is selected any more, so that drawings on the map are out of date.
    selection_cleared = pyqtSignal()

    def __init__(self) -> None:
        super().__init__(_Tabs())
        #: The displayed results; None if there are none.
        self.results: AnnotatorResults | None = None
        self._create_answer_widgets()
        self._create_tables_and_plots()
        #: Tabs with their messages, by key.
        self.tabs_by_key: dict[str, WidgetWithNotes] = {}
        self._arrange_widgets()
        self._connect()

    def _create_answer_widgets(self) -> None:
        """Create the answer, Smyth's bound with its limit, and the form of the consensus."""
        self.answer_label = make_wrapped_label(text_format=Qt.TextFormat.RichText)
        #: Button that opens the disagreements.
        self.review_button = make_tool_button(
            tr("Review…"),
            tr("Review the places where annotators differ, the largest first."),
            self._review_disagreements,
        )
        self.bound_label = make_wrapped_label(text_format=Qt.TextFormat.RichText)
        self.limit_field = create_editor(ERROR_LIMIT).widget
        self.consensus_form = ConsensusForm()
        #: Group with the form, folded at first to leave room for the results.
        self.consensus_box = SummaryBox(tr("Consensus"))

    def _create_tables_and_plots(self) -> None:
        """Create the tables and the plots of the tabs."""
        #: Legend of the colours that the map shows for the selected annotator, above the table: the
        #: panel scrolls in a low window, and the end of the table is then not visible.
        self.legend_label = make_wrapped_label(text_format=Qt.TextFormat.RichText)
        self.annotator_table = TableWithExport("randcrowns_annotators", above=self.legend_label)
        self.annotator_table.view.setItemDelegateForColumn(
            _SWATCH_POSITION, SwatchDelegate(self.annotator_table.view)
        )
        self.heatmap = PairHeatmap()
        self.dendrogram = DendrogramPlot()
        self.ratio_plot = RatioPlot()
        self.prior_plot = PriorPlot()
        self.disagreement_table = DisagreementTable()
        self.summary_table = TableWithExport("randcrowns_agreement", wrapped=True)
        self.image_table = TableWithExport("randcrowns_agreement_and_image")
        self.class_table = TableWithExport("randcrowns_agreement_on_classes")

    def _connect(self) -> None:
        """Connect the signals of the widgets."""
        self.limit_field.valueChanged.connect(self._show_bound)
        self.heatmap.pair_chosen.connect(self.pair_chosen)
        self.heatmap.pair_left.connect(self.selection_cleared)
        self.tabs.currentChanged.connect(self.clear_selection)
        self.tabs.currentChanged.connect(lambda _: self.selection_cleared.emit())
        self.annotator_table.view.selectionModel().selectionChanged.connect(
            self._on_selection_changed
        )
        self.disagreement_table.disagreement_chosen.connect(self.disagreement_chosen)
        self.disagreement_table.verdict_given.connect(self.verdict_given)

    def show_results(
        self, results: AnnotatorResults, verdicts: Mapping[int, str] | None = None
    ) -> None:
        """Show the results of a comparison in all tables and plots.

        Args:
            results: The results.
            verdicts: Verdict as text by the rank of the disagreement.
        """
        self.results = results
        self.consensus_form.show_description("")
        self.clear_selection()
        self._show_annotators(results)
        self.disagreement_table.show_frame(
            results.disagreements, results.names, results.unit, verdicts
        )
        self._show_summary(results)
        self.enable_tab(self.tabs_by_key["prior"], enabled=False)
        self._show_image_table(results.image_correlations)
        self._show_class_table(results.class_agreement)
        self.review_button.setVisible(not results.disagreements.empty)
        self.answer_label.setText(answer_text(results))
        self.answer_label.setToolTip(answer_tooltip(results))
        has_several = len(results.names) > 1
        self.bound_label.setVisible(has_several)
        self.limit_field.setVisible(has_several)
        self._show_bound()
        self._show_notes(results)

    def _show_annotators(self, results: AnnotatorResults) -> None:
        """Show the table of annotators and the plots, in the colours of the annotators."""
        colours = annotator_colours(results.names)
        annotators = results.annotators.assign(
            swatch="", colour=[colours[name] for name in results.names]
        )
        self.annotator_table.show_frame(annotators, _annotator_columns(results))
        for plot in (self.heatmap, self.dendrogram, self.ratio_plot):
            plot.show_data(results, colours)

    def _show_summary(self, results: AnnotatorResults) -> None:
        """Show the summary; numbers that are undefined for a single annotator are omitted."""
        summary = results.summary_by_image
        if len(results.names) == 1:
            summary = summary.dropna(subset=["value"])
        self.summary_table.show_frame(_with_units(summary), _summary_columns("image" in summary))

    def show_priors(self, priors: pd.DataFrame, used_prior: float, unit: str) -> None:
        """Show the effect of STAPLE's prior and go to its tab.

        Args:
            priors: One row per prior, with the area that STAPLE marks.
            used_prior: Prior that was used.
            unit: Unit of lengths.
        """
        marked_by_any = self.results.value("marked_by_any") if self.results else math.nan
        self.prior_plot.show_data(priors, used_prior, marked_by_any, unit)
        self.tabs_by_key["prior"].show_notes(message_texts([AgreementMessage.STAPLE_PRIOR]))
        self.enable_tab(self.tabs_by_key["prior"], enabled=True)
        self.tabs.setCurrentWidget(self.tabs_by_key["prior"])
        # The position of the tabs is known only after the labels above them are laid out.
        QTimer.singleShot(0, self._scroll_to_tabs)

    def is_shown_beside_answer(self, message: Message) -> bool:
        """Return True if a message is shown next to the answer.

        Messages about the image are shown in its tab.
        """
        if message in _ANSWER_NOTES:
            return True
        return super().is_shown_beside_answer(message) and message.topic != "image"

    def set_stale(self, why: str) -> None:
        """Mark the results as out of date, and disable the consensus.

        Args:
            why: Reason why the results are out of date; "" if they are current.
        """
        super().set_stale(why)
        self.consensus_form.set_outdated(why)

    def clear_selection(self, *_: object) -> None:
        """Clear the selection in the table of annotators and in the heatmap."""
        self.annotator_table.view.select_frame_rows([])
        self.heatmap.selected_cell = None
        self.heatmap.show_cell_description()
        self.legend_label.setMinimumHeight(0)
        self.legend_label.setText(
            tr("Choose a row to show the annotator and the consensus on the map.")
        )

    def _show_image_table(self, image: pd.DataFrame) -> None:
        """Show the correlations with the image; disable their tab if there are none."""
        self.enable_tab(self.tabs_by_key["image"], not image.empty)
        if image.empty:
            return
        names = ["property", "correlation", "low", "high", "p_value", "n_effective"]
        if "image" in image:
            names.insert(0, "image")
        self.image_table.show_frame(image, table_columns(IMAGE_TABLE, *names))

    def _show_class_table(self, agreement: pd.DataFrame) -> None:
        """Show the agreement on classes; disable its tab if classes were not compared."""
        self.enable_tab(self.tabs_by_key["classes"], not agreement.empty)
        if agreement.empty:
            return
        # The row about all annotators has no names.
        named_agreement = agreement.assign(
            first=agreement["first"].fillna(tr("all annotators")),
            second=agreement["second"].fillna(""),
        )
        names = ("first", "second", "compared", "agreement", "kappa", "alpha", *AREA_COLUMNS)
        self.class_table.show_frame(named_agreement, table_columns(CLASS_AGREEMENT, *names))

    def _review_disagreements(self) -> None:
        """Show the disagreements, with the largest one without a verdict selected."""
        self.tabs.setCurrentWidget(self.tabs_by_key["disagreements"])
        self.disagreement_table.select_open_place()
        self._scroll_to_tabs()

    def _scroll_to_tabs(self) -> None:
        """Scroll the panel until the tabs are visible."""
        self._scroll_area.ensureWidgetVisible(self.tabs)

    def _on_selection_changed(self, *_: object) -> None:
        """Show the legend of the selected annotator and emit :attr:`annotator_chosen`.

        Emits :attr:`selection_cleared` if not exactly one annotator is selected.
        """
        selected_rows = self.annotator_table.view.selected_rows()
        if len(selected_rows) != 1 or self.results is None:
            self.selection_cleared.emit()
            return
        position = self.annotator_table.model.frame_row(selected_rows[0])
        name = self.results.names[position]
        legend_entries = (
            coloured_name(tr("only {name}", name=name), annotator_colours([name])[name]),
            coloured_name(tr("only the consensus"), MISSED),
            coloured_name(tr("both"), SHARED),
        )
        hold_height(self.legend_label)  # the table below it does not move under the mouse
        self.legend_label.setText(", ".join(legend_entries))
        self.annotator_chosen.emit(position)

    def _show_bound(self, *_: object) -> None:
        """Compare Smyth's bound with the limit that the user has set."""
        if self.results is not None:
            self.bound_label.setText(bound_text(self.results, self.limit_field.value()))
            self.bound_label.setToolTip(bound_tooltip(self.results))

    def _show_notes(self, results: AnnotatorResults) -> None:
        """Show the messages of the run in the tabs that they belong to."""
        input_notes = list(results.input_messages)
        outlier_notes = list(results.outlier_messages)
        table_notes = list(_select_notes(results, _TABLE_NOTES))
        pair_notes = list(_select_notes(results, _PAIR_NOTES))
        tree_notes = list(_select_notes(results, _TREE_NOTES))
        shown_elsewhere = {*_TABLE_NOTES, *_PAIR_NOTES, *_TREE_NOTES, *_ANSWER_NOTES}
        not_in_summary = shown_elsewhere.difference(_SUMMARY_NOTES)
        summary_notes = [note for note in results.agreement_messages if note not in not_in_summary]
        notes_by_tab = {
            "annotators": input_notes + outlier_notes + table_notes,
            "pairs": input_notes + pair_notes,
            "dendrogram": outlier_notes + tree_notes,
            "ratio": _select_notes(results, _RATIO_NOTES),
            "image": [*results.image_messages, AgreementMessage.BLOCK_CORRELATION],
            "classes": results.class_messages,
            "summary": summary_notes,
        }
        for tab, notes in notes_by_tab.items():
            self._show_tab_notes(tab, notes)

    def _show_tab_notes(self, key: str, messages: Iterable[Message]) -> None:
        """Show messages in a tab."""
        self.tabs_by_key[key].show_notes(message_texts(messages))

    def _add_tabs(self) -> None:
        """Add a tab for each table and plot, with a label for messages."""
        contents = {
            "annotators": self.annotator_table,
            "pairs": self.heatmap,
            "dendrogram": self.dendrogram,
            "disagreements": self.disagreement_table,
            "ratio": self.ratio_plot,
            "summary": self.summary_table,
            "image": self.image_table,
            "classes": self.class_table,
            "prior": self.prior_plot,
        }
        for key, content in contents.items():
            title, tooltip = _TAB_TEXTS[key]
            self.tabs_by_key[key] = WidgetWithNotes(content)
            self.add_tab(self.tabs_by_key[key], title, tooltip)

    def _arrange_widgets(self) -> None:
        """Add the tabs and lay out the panel, which scrolls if the dock is low."""
        self._add_tabs()
        content = QWidget()
        self._scroll_area = make_scrollable(content)
        self.setMinimumHeight(_MIN_HEIGHT)
        fill_layout(QVBoxLayout(self), self._scroll_area)
        answer_row = fill_layout(
            QHBoxLayout(), self.answer_label, self.review_button, stretched=self.answer_label
        )
        answer_row.setAlignment(self.review_button, Qt.AlignmentFlag.AlignTop)
        bound_row = fill_layout(
            QHBoxLayout(), self.bound_label, self.limit_field, stretched=self.bound_label
        )
        fill_layout(QVBoxLayout(self.consensus_box), self.consensus_form)
        set_collapsed(self.consensus_box, collapsed=True)
        self.consensus_form.changed.connect(self.summarise_consensus)
        self.summarise_consensus()
        fill_layout(
            QVBoxLayout(content),
            answer_row,
            bound_row,
            self.notes,
            self.consensus_box,
            self.tabs,
            spacing=3,
            stretched=self.tabs,
        )
        set_guide_section("a-consensus", self.consensus_box)
        set_guide_section("intervals", self.summary_table)
        set_guide_section("correlations-with-the-image", self.image_table)

    def summarise_consensus(self) -> None:
        """Show the selected method in the title of the folded consensus group."""
        self.consensus_box.set_summary(METHOD.label_of(self.consensus_form.settings()[METHOD]))


def _select_notes(results: AnnotatorResults, notes: Container[Message]) -> list[Message]:
    """Return the messages about the agreement that are among ``notes``."""
    return [note for note in results.agreement_messages if note in notes]


def _annotator_columns(results: AnnotatorResults) -> list[TableColumn]:
    """Return the columns of the table of annotators: colour, name, whether unlike, and scores.

    The outliers of Lampert et al. stand last: their rule names somebody among alike annotators
    too, which a note beside the table says. Scores that are undefined for a single annotator are
    omitted.
    """
    scores = ["mean_f1", "marked", "share", "sensitivity", "specificity", "ppv", "npv", "kappa"]
    if len(results.names) < 2:
        scores = [name for name in scores if results.annotators[name].notna().any()]
    colour_column = TableColumn(
        "swatch",
        title="",
        tooltip=tr("The annotator's colour in every plot and on the map."),
        format_value=format_text,
        shade_column="colour",
    )
    columns = [colour_column, name_column(ANNOTATOR_TABLE, "annotator", results.names)]
    output = ANNOTATOR_TABLE.with_unit(results.unit)
    columns += table_columns(output, "unlike", *scores, "outlier")
    return columns


def _summary_columns(has_images: bool) -> list[TableColumn]:
    """Return the columns of the summary: meaning, value and the ends of its interval.

    Args:
        has_images: True to put the name of the image first.
    """
    meaning, value, low, high = table_columns(SUMMARY, "meaning", "value", "low", "high")

    def format_limit(limit: Any) -> str:
        """Return a limit as the value is displayed; "" for none."""
        return "" if pd.isna(limit) else value.format_value(limit)

    columns = table_columns(SUMMARY, "image") if has_images else []
    columns += [meaning, value]
    columns.append(replace(low, format_value=format_limit))
    columns.append(replace(high, format_value=format_limit))
    return columns


def _with_units(summary: pd.DataFrame) -> pd.DataFrame:
    """Return a copy of the summary with the unit in parentheses after each meaning."""
    units = summary["unit"].fillna("")
    meanings_with_units = summary["meaning"] + " (" + units + ")"
    return summary.assign(meaning=meanings_with_units.where(units != "", summary["meaning"]))
