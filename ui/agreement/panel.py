"""Results of page Annotators: the answer, a consensus, and tables and plots with messages."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable
from dataclasses import replace
from typing import Any

import pandas as pd
from qgis.PyQt.QtCore import QSize, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtWidgets import QHBoxLayout, QTabWidget, QVBoxLayout, QWidget

from randcrowns.algorithms.agreement.outputs import ANNOTATOR_TABLE, IMAGE_TABLE, SUMMARY
from randcrowns.algorithms.choice import Number
from randcrowns.core.agreement.notes import Note
from randcrowns.core.remarks import Remark
from randcrowns.layers.words import sentences, tr
from randcrowns.ui.agreement.consensus import ConsensusBar
from randcrowns.ui.agreement.disagreements import DisagreementSteps
from randcrowns.ui.agreement.plots import DendrogramPlot, PairHeatmap, PriorPlot, RatioPlot
from randcrowns.ui.agreement.results import (
    AnnotatorResults,
    answer_text,
    answer_tooltip,
    verdict_text,
    verdict_tooltip,
)
from randcrowns.ui.widgets.colours import MISSED, SHARED, annotator_colours, coloured
from randcrowns.ui.widgets.editors import editor_of
from randcrowns.ui.widgets.parts import TabbedResults, fill, in_scroll_area, wrapped
from randcrowns.ui.widgets.table_model import TableColumn, as_text, columns_of, names_column
from randcrowns.ui.widgets.table_view import Noted, TableWithExport

#: Limit of Smyth's bound; the minimum means that the user has set no limit.
LIMIT = Number(
    "limit",
    tr("Acceptable mean error"),
    tr(
        "Largest mean error of the annotators that you accept, 0 to 0.5 (a share of the study "
        "area). There is no common limit."
    ),
    default=-0.005,
    least=-0.005,
    most=0.5,
    zero=tr("no limit"),
    digits=3,
    step=0.005,
)

#: Messages about the agreement that are shown with the table of annotators.
_TABLE_NOTES = (
    Note.OUTLIER_MEANING,
    Note.TOO_FEW_FOR_OUTLIERS,
    Note.TWO_ANNOTATORS_CONSENSUS,
    Note.TWO_ANNOTATORS_PPV,
    Note.EMPTY_ANNOTATOR,
    Note.EMPTY_CONSENSUS,
    Note.FULL_CONSENSUS,
    Note.NOTHING_MARKED,
    Note.EVERYTHING_MARKED,
)
#: Messages that are shown with the heatmap of pairs.
_PAIR_NOTES = (Note.ONE_ANNOTATOR, Note.EMPTY_ANNOTATOR, Note.NOTHING_MARKED)
#: Messages that are shown with the dendrogram.
_TREE_NOTES = (Note.OUTLIER_MEANING, Note.TOO_FEW_FOR_OUTLIERS, Note.NOTHING_MARKED)
#: Messages that are shown with the summary, even if they are shown elsewhere as well.
_SUMMARY_NOTES = (Note.ONE_ANNOTATOR, Note.NOTHING_MARKED, Note.EVERYTHING_MARKED)
#: Messages that are shown with the agreement ratio.
_RATIO_NOTES = (Note.NOTHING_MARKED,)
#: Messages that are shown next to the answer.
_ANSWER_NOTES = (
    Note.ONE_ANNOTATOR,
    Note.TWO_ANNOTATORS_BOUND,
    Note.NOTHING_MARKED,
    Note.EVERYTHING_MARKED,
    Note.NO_STUDY_AREA,
)
#: Minimum height of the panel in pixels.
_MIN_HEIGHT = 320
#: Minimum height of the tabs in pixels; the panel scrolls if there is less room.
_MIN_TABS_HEIGHT = 300


class _Tabs(QTabWidget):
    """Tabs that take the available height, whatever height their pages prefer."""

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the minimum size, with at least the minimum height of the tabs."""
        return self.minimumSizeHint().expandedTo(QSize(0, _MIN_TABS_HEIGHT))

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        """Return False: wrapped labels on a page do not determine the height."""
        return False


class AnnotatorPanel(TabbedResults):
    """Widget with the results of a comparison of annotators.

    It emits signals for what the map has to show, and does not draw on the map itself.
    """

    #: Emitted with the positions of two annotators in the order of the run.
    pair_chosen = pyqtSignal(int, int)
    #: Emitted with the position of an annotator.
    annotator_chosen = pyqtSignal(int)
    #: Emitted with the rank of a disagreement.
    place_chosen = pyqtSignal(int)
    #: Emitted when nothing is selected any more, so that drawings on the map are out of date.
    left = pyqtSignal()

    def __init__(self) -> None:
        super().__init__(_Tabs())
        self.results: AnnotatorResults | None = None
        self.answer = wrapped(form=Qt.TextFormat.RichText)
        self.verdict = wrapped(form=Qt.TextFormat.RichText)
        self.limit = editor_of(LIMIT).widget
        self.consensus = ConsensusBar()
        self.annotators = TableWithExport("randcrowns_annotators")
        #: Legend of the colours that the map shows for the selected annotator.
        self.drawn = wrapped(form=Qt.TextFormat.RichText)
        self.annotators.layout().insertWidget(1, self.drawn)
        self.heatmap = PairHeatmap()
        self.tree = DendrogramPlot()
        self.ratio = RatioPlot()
        self.prior = PriorPlot()
        self.disagreements = DisagreementSteps()
        self.summary = TableWithExport("randcrowns_agreement", wrapped=True)
        self.image = TableWithExport("randcrowns_agreement_and_image")
        #: Tabs with their messages, by key.
        self.pages: dict[str, Noted] = {}
        self._build()
        self.limit.valueChanged.connect(self._show_verdict)
        self.heatmap.pair_chosen.connect(self.pair_chosen)
        self.heatmap.pair_left.connect(self.left)
        self.tabs.currentChanged.connect(self.forget_choice)
        self.tabs.currentChanged.connect(lambda _: self.left.emit())
        self.annotators.view.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.disagreements.place_chosen.connect(self.place_chosen)

    def show_results(self, results: AnnotatorResults) -> None:
        """Show the results of a comparison in all tables and plots."""
        self.results = results
        self.consensus.say("")
        self.forget_choice()
        is_single = len(results.names) == 1
        colours = annotator_colours(results.names)
        annotators = results.annotators.assign(
            swatch="", colour=[colours[name] for name in results.names]
        )
        self.annotators.show_frame(annotators, _annotator_columns(results))
        for plot in (self.heatmap, self.tree, self.ratio):
            plot.show_data(results, colours)
        self.disagreements.show_frame(results.disagreements, results.names, results.unit)

        summary = results.by_image.dropna(subset=["value"]) if is_single else results.by_image
        self.summary.show_frame(_with_units(summary), _summary_columns("image" in summary))
        self.enable_tab(self.pages["prior"], False)
        self._show_image_table(results.image)

        self.answer.setText(answer_text(results))
        self.answer.setToolTip(answer_tooltip(results))
        self.verdict.setVisible(not is_single)
        self.limit.setVisible(not is_single)
        self._show_verdict()
        self._show_notes(results)

    def show_priors(self, priors: pd.DataFrame, used: float, unit: str) -> None:
        """Show the effect of STAPLE's prior and go to its tab.

        Args:
            priors: One row per prior, with the area that STAPLE marks.
            used: Prior that was used.
            unit: Unit of lengths.
        """
        marked_by_any = self.results.value("marked_by_any") if self.results else math.nan
        self.prior.show_data(priors, used, marked_by_any, unit)
        self.pages["prior"].tell(sentences([Note.STAPLE_PRIOR]))
        self.enable_tab(self.pages["prior"], True)
        self.tabs.setCurrentWidget(self.pages["prior"])
        # The position of the tabs is known only after the labels above them are laid out.
        QTimer.singleShot(0, self._scroll_to_tabs)

    def stands_beside(self, remark: Remark) -> bool:
        """Return True if a message is shown next to the answer.

        Messages about the image are shown in its tab.
        """
        if remark in _ANSWER_NOTES:
            return True
        return super().stands_beside(remark) and remark.topic != "image"

    def set_stale(self, why: str) -> None:
        """Mark the results as out of date, and disable the consensus.

        Args:
            why: Reason why the results are out of date; "" if they are current.
        """
        super().set_stale(why)
        self.consensus.set_outdated(why)

    def forget_choice(self, *_: object) -> None:
        """Clear the selection in the table of annotators and in the heatmap."""
        self.annotators.view.select_frame_rows([])
        self.heatmap.chosen = None
        self.heatmap.point_at()
        self.drawn.setText(tr("Choose a row to show the annotator and the consensus on the map."))

    def _show_image_table(self, image: pd.DataFrame) -> None:
        """Show the correlations with the image; disable their tab if there are none."""
        self.enable_tab(self.pages["image"], not image.empty)
        if image.empty:
            return
        names = ["property", "correlation", "low", "high", "p_value", "n_effective"]
        if "image" in image:
            names.insert(0, "image")
        self.image.show_frame(image, columns_of(IMAGE_TABLE, *names))

    def _scroll_to_tabs(self) -> None:
        """Scroll the panel until the tabs are visible."""
        self._scroll_area.ensureWidgetVisible(self.tabs)

    def _on_selection_changed(self, *_: object) -> None:
        """Show the legend of the selected annotator and emit :attr:`annotator_chosen`.

        Emits :attr:`left` if not exactly one annotator is selected.
        """
        rows = self.annotators.view.selected_rows()
        if len(rows) != 1 or self.results is None:
            self.left.emit()
            return
        annotator = self.annotators.model.frame_row(rows[0])
        name = self.results.names[annotator]
        legend = (
            coloured(tr("only {name}", name=name), annotator_colours([name])[name]),
            coloured(tr("only the consensus"), MISSED),
            coloured(tr("both"), SHARED),
        )
        self.drawn.setText(", ".join(legend))
        self.annotator_chosen.emit(annotator)

    def _show_verdict(self, *_: object) -> None:
        """Compare Smyth's bound with the limit that the user has set."""
        if self.results is not None:
            self.verdict.setText(verdict_text(self.results, self.limit.value()))
            self.verdict.setToolTip(verdict_tooltip(self.results))

    def _show_notes(self, results: AnnotatorResults) -> None:
        """Show the messages of the run in the tabs that they belong to."""
        outside = results.outside
        self._show_tab_notes("table", [*outside, *_select_notes(results, _TABLE_NOTES)])
        self._show_tab_notes("pairs", [*outside, *_select_notes(results, _PAIR_NOTES)])
        self._show_tab_notes("tree", _select_notes(results, _TREE_NOTES))
        self._show_tab_notes("ratio", _select_notes(results, _RATIO_NOTES))
        self._show_tab_notes("image", [*results.of_image, Note.BLOCK_CORRELATION])
        shown_elsewhere = {*_TABLE_NOTES, *_PAIR_NOTES, *_TREE_NOTES, *_ANSWER_NOTES}
        summary_notes = [
            note for note in results.notes if note not in shown_elsewhere or note in _SUMMARY_NOTES
        ]
        self._show_tab_notes("summary", summary_notes)

    def _show_tab_notes(self, key: str, messages: Iterable[Remark]) -> None:
        """Show messages in a tab."""
        self.pages[key].tell(sentences(messages))

    def _build(self) -> None:
        """Add the tabs and lay out the panel."""
        self._add_page(
            "table",
            self.annotators,
            tr("Annotators"),
            tr("Each compared with the consensus of half or more."),
        )
        self._add_page(
            "pairs",
            self.heatmap,
            tr("Pairs"),
            tr("F1 of every two; click a cell to show the two on the map."),
        )
        self._add_page(
            "tree",
            self.tree,
            tr("Dendrogram"),
            tr("Ward's clustering of the annotators on 1 - F1."),
        )
        self._add_page(
            "places",
            self.disagreements,
            tr("Disagreements"),
            tr("Where annotators differ, the largest first."),
        )
        self._add_page(
            "ratio",
            self.ratio,
            tr("Ratio"),
            tr("Area marked by at least a given number of annotators."),
        )
        self._add_page(
            "summary", self.summary, tr("Summary"), tr("All numbers with 95 % intervals.")
        )
        self._add_page(
            "image",
            self.image,
            tr("Image"),
            tr("Correlations with the image; choose an image under Advanced."),
        )
        self._add_page(
            "prior",
            self.prior,
            tr("Prior"),
            tr("Area that STAPLE marks along its prior; make a STAPLE consensus to see it."),
        )

        content = QWidget()
        self._scroll_area = in_scroll_area(content)
        self.setMinimumHeight(_MIN_HEIGHT)
        fill(QVBoxLayout(self), self._scroll_area)
        verdict = fill(QHBoxLayout(), self.verdict, self.limit, wide=self.verdict)
        rows = (self.stale, self.answer, verdict, self.notes, self.consensus, self.tabs)
        fill(QVBoxLayout(content), *rows, spacing=3, wide=self.tabs)

    def _add_page(self, key: str, content: QWidget, title: str, tooltip: str) -> None:
        """Add a tab with a widget and a label for messages."""
        page = Noted(content)
        self.pages[key] = page
        self.add_tab(page, title, tooltip)


def _select_notes(results: AnnotatorResults, notes: Container[Remark]) -> list[Remark]:
    """Return the messages about the agreement that are among ``notes``."""
    return [note for note in results.notes if note in notes]


def _annotator_columns(results: AnnotatorResults) -> list[TableColumn]:
    """Return the columns of the table of annotators: colour, name, outlier and scores.

    Scores that are undefined for a single annotator are omitted.
    """
    scores = ["mean_f1", "marked", "share", "sensitivity", "specificity", "ppv", "npv", "kappa"]
    if len(results.names) < 2:
        scores = [name for name in scores if results.annotators[name].notna().any()]
    colour_column = TableColumn(
        "swatch",
        "",
        tr("The annotator's colour in every plot and on the map."),
        as_text,
        shade="colour",
    )
    return [
        colour_column,
        names_column(ANNOTATOR_TABLE, "annotator", results.names),
        *columns_of(ANNOTATOR_TABLE.in_unit(results.unit), "outlier", *scores),
    ]


def _summary_columns(has_images: bool) -> list[TableColumn]:
    """Return the columns of the summary: meaning, value and the ends of its interval.

    Args:
        has_images: True to put the name of the image first.
    """
    image_columns = columns_of(SUMMARY, "image") if has_images else []
    meaning, value, *ends = columns_of(SUMMARY, "meaning", "value", "low", "high")

    def format_end(number: Any) -> str:
        return "" if pd.isna(number) else value.text(number)

    return [*image_columns, meaning, value, *(replace(end, text=format_end) for end in ends)]


def _with_units(summary: pd.DataFrame) -> pd.DataFrame:
    """Return a copy of the summary with the unit in parentheses after each meaning."""
    units = summary["unit"].fillna("")
    meanings_with_units = summary["meaning"] + " (" + units + ")"
    return summary.assign(meaning=meanings_with_units.where(units != "", summary["meaning"]))
