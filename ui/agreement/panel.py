"""The results of page Annotators: the answer in a line, a consensus, tables and plots with their remarks."""

from __future__ import annotations

import math
from dataclasses import replace

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

#: Of Smyth's bound; the lowest until the user says what is acceptable.
LIMIT = Number(
    "limit",
    tr("Acceptable mean error"),
    tr(
        "Largest mean error of the annotators that you accept, 0 to 0.5 (a share of the study area). There is no "
        "common limit."
    ),
    default=-0.005,
    least=-0.005,
    most=0.5,
    zero=tr("no limit"),
    digits=3,
    step=0.005,
)

_OF_TABLE = (
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
_OF_PAIRS = (Note.ONE_ANNOTATOR, Note.EMPTY_ANNOTATOR, Note.NOTHING_MARKED)
_OF_TREE = (Note.OUTLIER_MEANING, Note.TOO_FEW_FOR_OUTLIERS, Note.NOTHING_MARKED)
_OF_SUMMARY = (Note.ONE_ANNOTATOR, Note.NOTHING_MARKED, Note.EVERYTHING_MARKED)
_OF_RATIO = (Note.NOTHING_MARKED,)
#: Beside the answer in one line; the rest stands with the summary.
_OF_HEADLINE = (
    Note.ONE_ANNOTATOR,
    Note.TWO_ANNOTATORS_BOUND,
    Note.NOTHING_MARKED,
    Note.EVERYTHING_MARKED,
    Note.NO_STUDY_AREA,
)
#: Least height of the panel, and of the tables and plots in it, below which it scrolls, pixels.
_LEAST, _LEAST_TABS = 320, 300


class _Tabs(QTabWidget):
    """Takes the height there is, however high its pages would like to be."""

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self.minimumSizeHint().expandedTo(QSize(0, _LEAST_TABS))

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        """The sentences on a page break, but do not decide the height."""
        return False


class AnnotatorPanel(TabbedResults):
    """Shows an :class:`AnnotatorResults`. Emits what the user goes to; draws nothing on the map itself."""

    pair_chosen = pyqtSignal(int, int)
    annotator_chosen = pyqtSignal(int)
    place_chosen = pyqtSignal(int)
    #: The user turned to something else: what is drawn on the map has had its time.
    left = pyqtSignal()

    def __init__(self) -> None:
        super().__init__(_Tabs())
        self.results: AnnotatorResults | None = None
        self.answer, self.verdict = (wrapped(form=Qt.TextFormat.RichText) for _ in range(2))
        self.limit = editor_of(LIMIT).widget
        self.consensus = ConsensusBar()
        self.annotators = TableWithExport("randcrowns_annotators")
        self.drawn = wrapped(form=Qt.TextFormat.RichText)
        self.annotators.layout().insertWidget(1, self.drawn)
        self.heatmap, self.tree, self.ratio = PairHeatmap(), DendrogramPlot(), RatioPlot()
        self.prior = PriorPlot()
        self.disagreements = DisagreementSteps()
        self.summary = TableWithExport("randcrowns_agreement", wrapped=True)
        self.image = TableWithExport("randcrowns_agreement_and_image")
        self.pages: dict[str, Noted] = {}
        self._build()
        self.limit.valueChanged.connect(self._show_verdict)
        self.heatmap.pair_chosen.connect(self.pair_chosen)
        self.heatmap.pair_left.connect(self.left)
        self.tabs.currentChanged.connect(self.forget_choice)
        self.tabs.currentChanged.connect(lambda _: self.left.emit())
        self.annotators.view.selectionModel().selectionChanged.connect(self._choose_row)
        self.disagreements.place_chosen.connect(self.place_chosen)

    def show_results(self, results: AnnotatorResults) -> None:
        """Show these."""
        self.results = results
        self.consensus.say("")
        self.forget_choice()
        colours = annotator_colours(results.names)
        table = results.annotators.assign(
            swatch="", colour=[colours[name] for name in results.names]
        )
        self.annotators.show_frame(table, _annotator_columns(results))
        for plot in (self.heatmap, self.tree, self.ratio):
            plot.show_data(results, colours)
        self.disagreements.show_frame(results.disagreements, results.names, results.unit)
        alone = len(results.names) == 1
        summary = results.by_image.dropna(subset=["value"]) if alone else results.by_image
        self.summary.show_frame(_with_units(summary), _summary_columns("image" in summary))
        self.verdict.setVisible(not alone)
        self.limit.setVisible(not alone)
        self.enable_tab(self.pages["prior"], False)
        self.enable_tab(self.pages["image"], not results.image.empty)
        if not results.image.empty:
            several = ("image",) if "image" in results.image else ()
            names = (*several, "property", "correlation", "low", "high", "p_value", "n_effective")
            self.image.show_frame(results.image, columns_of(IMAGE_TABLE, *names))
        self.answer.setText(answer_text(results))
        self.answer.setToolTip(answer_tooltip(results))
        self._show_verdict()
        self._show_notes(results)

    def show_priors(self, priors: pd.DataFrame, used: float, unit: str) -> None:
        """Show what STAPLE's prior does and which was used, beside its warning."""
        self.prior.show_data(
            priors, used, self.results.value("marked_by_any") if self.results else math.nan, unit
        )
        self.pages["prior"].tell(sentences([Note.STAPLE_PRIOR]))
        self.enable_tab(self.pages["prior"], True)
        self.tabs.setCurrentWidget(self.pages["prior"])
        QTimer.singleShot(0, self._show_tabs)  # when what is said above them has its place

    def _show_tabs(self) -> None:
        self._area.ensureWidgetVisible(self.tabs)

    def stands_beside(self, remark: Remark) -> bool:
        """What is said of the image stands in its tab."""
        return (super().stands_beside(remark) and remark.topic != "image") or remark in _OF_HEADLINE

    def set_stale(self, why: str) -> None:
        super().set_stale(why)
        self.consensus.set_outdated(why)

    def forget_choice(self, *_: object) -> None:
        self.annotators.view.select_frame_rows([])
        self.heatmap.chosen = None
        self.heatmap.point_at()
        self.drawn.setText(tr("Choose a row to show the annotator and the consensus on the map."))

    def _choose_row(self, *_: object) -> None:
        rows = self.annotators.view.selected_rows()
        if len(rows) != 1 or self.results is None:
            self.left.emit()
            return
        row = self.annotators.model.frame_row(rows[0])
        name = self.results.names[row]
        parts = (
            (tr("only {name}", name=name), annotator_colours([name])[name]),
            (tr("only the consensus"), MISSED),
            (tr("both"), SHARED),
        )
        self.drawn.setText(", ".join(coloured(*part) for part in parts))
        self.annotator_chosen.emit(row)

    def _show_verdict(self, *_: object) -> None:
        if self.results is not None:
            self.verdict.setText(verdict_text(self.results, self.limit.value()))
            self.verdict.setToolTip(verdict_tooltip(self.results))

    def _show_notes(self, results: AnnotatorResults) -> None:
        for key, own in (
            ("table", _OF_TABLE),
            ("pairs", _OF_PAIRS),
            ("tree", _OF_TREE),
            ("ratio", _OF_RATIO),
        ):
            outside = results.outside if key in ("table", "pairs") else ()
            self.pages[key].tell(
                sentences([*outside, *(note for note in results.notes if note in own)])
            )
        self.pages["image"].tell(sentences([*results.of_image, Note.BLOCK_CORRELATION]))
        elsewhere = {*_OF_TABLE, *_OF_PAIRS, *_OF_TREE, *_OF_HEADLINE}
        self.pages["summary"].tell(
            sentences(
                note for note in results.notes if note not in elsewhere or note in _OF_SUMMARY
            )
        )

    def _build(self) -> None:
        prior = tr("Area that STAPLE marks along its prior; make a STAPLE consensus to see it.")
        for key, widget, title, tooltip in (
            (
                "table",
                self.annotators,
                tr("Annotators"),
                tr("Each compared with the consensus of half or more."),
            ),
            (
                "pairs",
                self.heatmap,
                tr("Pairs"),
                tr("F1 of every two; click a cell to show the two on the map."),
            ),
            (
                "tree",
                self.tree,
                tr("Dendrogram"),
                tr("Ward's clustering of the annotators on 1 - F1."),
            ),
            (
                "places",
                self.disagreements,
                tr("Disagreements"),
                tr("Where annotators differ, the largest first."),
            ),
            ("ratio", self.ratio, tr("Ratio"), tr("Area marked by at least so many annotators.")),
            ("summary", self.summary, tr("Summary"), tr("All numbers with 95 % intervals.")),
            (
                "image",
                self.image,
                tr("Image"),
                tr("Correlations with the image; choose an image under More."),
            ),
            ("prior", self.prior, tr("Prior"), prior),
        ):
            self.pages[key] = Noted(widget)
            self.add_tab(self.pages[key], title, tooltip)
        self._area = in_scroll_area(inside := QWidget())
        self.setMinimumHeight(_LEAST)
        fill(QVBoxLayout(self), self._area)
        verdict = fill(QHBoxLayout(), self.verdict, self.limit, wide=self.verdict)
        parts = (self.stale, self.answer, verdict, self.notes, self.consensus, self.tabs)
        fill(QVBoxLayout(inside), *parts, spacing=3, wide=self.tabs)


def _annotator_columns(results: AnnotatorResults) -> list[TableColumn]:
    """A row per annotator, with the colour first; what one alone does not have is not shown."""
    scores = ("mean_f1", "marked", "share", "sensitivity", "specificity", "ppv", "npv", "kappa")
    some = [
        name for name in scores if len(results.names) > 1 or results.annotators[name].notna().any()
    ]
    return [
        TableColumn(
            "swatch",
            "",
            tr("The annotator's colour in every plot and on the map."),
            as_text,
            shade="colour",
        ),
        names_column(ANNOTATOR_TABLE, "annotator", results.names),
        *columns_of(ANNOTATOR_TABLE.in_unit(results.unit), "outlier", *some),
    ]


def _summary_columns(several: bool) -> list[TableColumn]:
    """The headline numbers; what a number is stands first, with its unit, and of several images the image before it."""
    meaning, value, *ends = columns_of(SUMMARY, "meaning", "value", "low", "high")
    ends = [replace(end, text=lambda at: "" if pd.isna(at) else value.text(at)) for end in ends]
    return [*(columns_of(SUMMARY, "image") if several else []), meaning, value, *ends]


def _with_units(summary: pd.DataFrame) -> pd.DataFrame:
    """The summary with each unit behind what the number means."""
    united = summary["meaning"] + " (" + summary["unit"].fillna("") + ")"
    return summary.assign(
        meaning=united.where(summary["unit"].fillna("") != "", summary["meaning"])
    )
