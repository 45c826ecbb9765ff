"""The results of page Annotators: the answer in a line, a consensus, then tables and plots with what to know."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
from qgis.PyQt.QtCore import QSize, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.choice import Number
from randcrowns.core.agreement.notes import Note
from randcrowns.core.remarks import Remark
from randcrowns.layers.words import counted, sentences, tr
from randcrowns.ui.agreement.columns import agreement_columns, annotator_columns, disagreement_columns, image_columns
from randcrowns.ui.agreement.consensus import ConsensusBar
from randcrowns.ui.agreement.plots import DendrogramPlot, PairHeatmap, PriorPlot, RatioPlot
from randcrowns.ui.agreement.results import AnnotatorResults, answer_text, answer_tooltip, verdict_text, verdict_tooltip
from randcrowns.ui.widgets.colours import MISSED, SHARED, WARN, annotator_colours, coloured
from randcrowns.ui.widgets.editors import editor_of
from randcrowns.ui.widgets.run_bar import StaleLabel
from randcrowns.ui.widgets.table_view import Noted, TableWithExport

#: Of Smyth's bound; the lowest until the user says what is acceptable.
LIMIT = Number(
    "limit",
    tr("Acceptable mean error"),
    tr(
        "How large a mean error of the annotators you accept, 0 to 0.5 (a share of the study area); there is no usual "
        "one, so set your own."
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
        """As high as its pages need to be, or a little more."""
        least = self.minimumSizeHint()
        return QSize(least.width(), max(least.height(), _LEAST_TABS))

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        """The sentences on a page break, but do not decide the height."""
        return False


class AnnotatorPanel(QWidget):
    """Shows an :class:`AnnotatorResults`. Emits what the user goes to; draws nothing on the map itself."""

    pair_chosen = pyqtSignal(int, int)
    annotator_chosen = pyqtSignal(int)
    place_chosen = pyqtSignal(int)
    #: The user turned to something else: what is drawn on the map has had its time.
    left = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.results: AnnotatorResults | None = None
        self.stale = StaleLabel()
        self.answer = QLabel()
        self.answer.setWordWrap(True)
        self.verdict = QLabel()
        self.verdict.setWordWrap(True)
        self.limit = editor_of(LIMIT).widget
        self.warned = QLabel()
        self.warned.setWordWrap(True)
        self.warned.setStyleSheet(f"color: {WARN};")
        self.consensus = ConsensusBar()
        self.annotators = TableWithExport("randcrowns_annotators")
        self.drawn = QLabel()
        self.drawn.setTextFormat(Qt.TextFormat.RichText)
        self.drawn.setWordWrap(True)
        self.annotators.layout().insertWidget(1, self.drawn)
        self.heatmap, self.tree, self.ratio = PairHeatmap(), DendrogramPlot(), RatioPlot()
        self.prior = PriorPlot()
        self.disagreements = DisagreementSteps()
        self.summary = TableWithExport("randcrowns_agreement", wrapped=True)
        self.image = TableWithExport("randcrowns_agreement_and_image")
        self.tabs = _Tabs()
        self.tabs.setDocumentMode(True)
        self._pages: dict[str, Noted] = {}
        self._build()
        self.limit.valueChanged.connect(self._show_verdict)
        self.heatmap.pair_chosen.connect(self.pair_chosen)
        self.heatmap.pair_left.connect(self.left)
        self.tabs.currentChanged.connect(lambda _: self.forget_row())
        self.tabs.currentChanged.connect(lambda _: self.left.emit())
        self.annotators.view.selectionModel().selectionChanged.connect(self._choose_row)
        self.disagreements.place_chosen.connect(self.place_chosen)

    def show_results(self, results: AnnotatorResults) -> None:
        """Show these."""
        self.results = results
        self.consensus.say("")
        self.forget_row()
        colours = annotator_colours(results.names)
        table = results.annotators.assign(swatch="", colour=[colours[name] for name in results.names])
        self.annotators.show_frame(table, annotator_columns())
        for plot in (self.heatmap, self.tree, self.ratio):
            plot.show_results(results, colours)
        self.disagreements.show_frame(results.disagreements, results.names)
        self.summary.show_frame(_with_units(results.summary), agreement_columns())
        self.tabs.setTabEnabled(self.tabs.indexOf(self._pages["prior"]), False)
        self.tabs.setTabEnabled(self.tabs.indexOf(self._pages["image"]), not results.image.empty)
        if not results.image.empty:
            self.image.show_frame(results.image, image_columns())
        self.answer.setText(answer_text(results))
        self.answer.setToolTip(answer_tooltip(results))
        self._show_verdict()
        self._show_notes(results)

    def show_priors(self, priors: pd.DataFrame, used: float) -> None:
        """Show what STAPLE's prior does and which was used, beside its warning."""
        anybody = math.nan if self.results is None else self.results.value("marked_by_any")
        self.prior.show_priors(priors, used, anybody)
        self._pages["prior"].tell(sentences([Note.STAPLE_PRIOR]))
        self.tabs.setTabEnabled(self.tabs.indexOf(self._pages["prior"]), True)
        self.tabs.setCurrentWidget(self._pages["prior"])

    @property
    def said_above(self) -> tuple[Remark, ...]:
        """What already stands beside the answer."""
        return () if self.results is None else tuple(note for note in self.results.notes if note in _OF_HEADLINE)

    def set_stale(self, why: str) -> None:
        """Mark the results as old, with the reason; an empty reason takes the mark away."""
        self.stale.tell(why)
        self.consensus.set_outdated(why)

    @property
    def is_stale(self) -> bool:
        """Whether the results are marked as old."""
        return not self.stale.isHidden()

    def forget_row(self) -> None:
        """Choose no annotator."""
        self.annotators.view.select_frame_rows([])
        self.drawn.setText(tr("Choose a row to see that annotator against the consensus on the map."))

    def _choose_row(self, *_: object) -> None:
        rows = self.annotators.view.selected_rows()
        if len(rows) != 1 or self.results is None:
            self.left.emit()
            return
        row = self.annotators.model.frame_row(rows[0])
        name = self.results.names[row]
        parts = (
            (tr("only {name}").format(name=name), annotator_colours([name])[name]),
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
        self.warned.setText("\n".join(sentences([*results.outside, *self.said_above])))
        self.warned.setVisible(bool(self.warned.text()))
        for key, own in (("table", _OF_TABLE), ("pairs", _OF_PAIRS), ("tree", _OF_TREE), ("ratio", _OF_RATIO)):
            outside = results.outside if key in ("table", "pairs") else ()
            self._pages[key].tell(sentences([*outside, *(note for note in results.notes if note in own)]))
        self._pages["image"].tell(sentences([*results.of_image, Note.BLOCK_CORRELATION]))
        elsewhere = {*_OF_TABLE, *_OF_PAIRS, *_OF_TREE, *_OF_HEADLINE}
        self._pages["summary"].tell(
            sentences(note for note in results.notes if note not in elsewhere or note in _OF_SUMMARY)
        )

    def _build(self) -> None:
        row = QHBoxLayout()
        row.addWidget(self.verdict, 1)
        row.addWidget(self.limit)
        for key, widget, title, tooltip in (
            ("table", self.annotators, tr("Annotators"), tr("Each annotator against what half of them marked.")),
            ("pairs", self.heatmap, tr("Pairs"), tr("F1 of every two annotators; click a cell to see them.")),
            ("tree", self.tree, tr("Likeness"), tr("Dendrogram: who is like whom.")),
            ("places", self.disagreements, tr("Disagreements"), tr("Places where they differ, to step through.")),
            ("ratio", self.ratio, tr("Ratio"), tr("How much so many annotators marked.")),
            ("summary", self.summary, tr("Summary"), tr("All numbers with 95 % intervals.")),
            ("image", self.image, tr("Image"), tr("Correlations with the image; choose one under More.")),
            ("prior", self.prior, tr("Prior"), tr("How much STAPLE marks along its prior; make a consensus by it.")),
        ):
            self._pages[key] = Noted(widget)
            self.tabs.setTabToolTip(self.tabs.addTab(self._pages[key], title), tooltip)
        inside = QWidget()
        scroll = QScrollArea()
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumHeight(_LEAST)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.addWidget(scroll)
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addWidget(self.stale)
        column.addWidget(self.answer)
        column.addLayout(row)
        column.addWidget(self.warned)
        column.addWidget(self.consensus)
        column.addWidget(self.tabs, 1)


def _with_units(summary: pd.DataFrame) -> pd.DataFrame:
    """The summary with each unit behind what the number means."""
    united = summary["meaning"] + " (" + summary["unit"].fillna("") + ")"
    return summary.assign(meaning=united.where(summary["unit"].fillna("") != "", summary["meaning"]))


_MOST_NAMES = 4


class DisagreementSteps(QWidget):
    """Emits :attr:`place_chosen` with the rank of the place the user went to."""

    place_chosen = pyqtSignal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.told = QLabel()
        self.told.setWordWrap(True)
        self.table = TableWithExport("randcrowns_disagreements")
        self.previous = QToolButton()
        self.previous.setText(tr("◀ Previous"))
        self.previous.setToolTip(tr("The place above in the table (also the up key there)."))
        self.next = QToolButton()
        self.next.setText(tr("Next ▶"))
        self.next.setToolTip(tr("The place below in the table (also the down key there)."))
        self.table.row.insertWidget(0, self.previous)
        self.table.row.insertWidget(1, self.next)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.told)
        column.addWidget(self.table, 1)
        self._row = -1
        self._names: Sequence[str] = ()
        self.previous.clicked.connect(lambda: self._step(-1))
        self.next.clicked.connect(lambda: self._step(1))
        self.table.view.row_chosen.connect(self._choose)
        self.table.model.layoutChanged.connect(self._show_ready)

    def show_frame(self, frame: pd.DataFrame, names: Sequence[str]) -> None:
        """Show these places, on which these annotators differ."""
        self._row, self._names = -1, names
        self.table.show_frame(frame, disagreement_columns())
        total = float(frame["area"].sum()) if len(frame) else 0.0
        self.told.setText(
            tr("{places} where annotators differ, together {area:,.1f} m².").format(
                places=counted(len(frame), tr("place"), tr("places")), area=total
            )
            if len(frame)
            else tr("There is no place where the annotators differ.")
        )
        self._show_ready()

    def go_to(self, row: int) -> None:
        """Go to the place of this row, counted by area from 0."""
        self.table.view.choose_frame_row(row)

    def _step(self, by: int) -> None:
        """Go so many rows down from here in the order shown."""
        self.go_to(self.table.model.frame_row(self._place() + by))

    def _place(self) -> int:
        """In which row the place gone to is shown; -1 before the first."""
        return next(iter(self.table.model.shown_rows([self._row])), -1)

    def _choose(self, row: int) -> None:
        if row < 0:
            return
        self._row = row
        place = self.table.model.frame.iloc[row]
        votes = list(zip(self._names, place["votes"]))
        self.told.setText(
            tr("{rank:,} of {all:,}: {area:,.2f} m²\n{yes} yes: {who_yes}\n{no} no: {who_no}").format(
                rank=int(place["rank"]),
                all=len(self.table.model.frame),
                area=float(place["area"]),
                yes=int(place["n_yes"]),
                no=int(place["n_no"]),
                who_yes=_some([name for name, vote in votes if vote == "1"]),
                who_no=_some([name for name, vote in votes if vote == "0"]),
            )
        )
        self.told.setToolTip(tr("yes: {yes}\nno: {no}").format(yes=place["yes"], no=place["no"]))
        self._show_ready()
        self.place_chosen.emit(int(place["rank"]))

    def _show_ready(self, *_: object) -> None:
        place = self._place()
        self.previous.setEnabled(place > 0)
        self.next.setEnabled(place + 1 < self.table.model.rowCount())


def _some(names: Sequence[str]) -> str:
    """The first names; how many there are is said beside them."""
    return ", ".join([*names[:_MOST_NAMES], *(["…"] if len(names) > _MOST_NAMES else [])])
