"""Run, progress and Cancel, the answer, and what it can be quoted with: the same at the same place on every page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from qgis.core import QgsMapLayer
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.record import Record
from randcrowns.layers.quoting import quoted
from randcrowns.layers.words import plain, tr, written
from randcrowns.ui.services.layer_watch import after
from randcrowns.ui.widgets.colours import LINK, QUIET, WARN, icon
from randcrowns.ui.widgets.parts import copy_actions, copy_button, fill, tell, tool_button, wrapped

#: Milliseconds that somebody takes to see that Cancel is gone, and the button that runs in its place.
_LATE = 700


class RunBar(QWidget):
    """Emits :attr:`run_asked` and :attr:`cancel_asked`; a page tells it what happens."""

    run_asked = pyqtSignal()
    cancel_asked = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.run_button = QPushButton(tr("Run"))
        self.run_button.setObjectName("run")
        self.run_button.clicked.connect(self.ask)
        self.cancel_button = QPushButton(tr("Cancel"))
        self.cancel_button.setObjectName("cancel")
        self.cancel_button.clicked.connect(self._cancel)
        self.progress = QProgressBar()
        self.progress.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.runs_button = tool_button(
            tr("Runs"), tr("Show an earlier run again, or compare two runs.")
        )
        self.runs_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.runs_button.hide()
        self._what = ""
        self._why_not = ""
        self._late = after(_LATE, self._show_ready, self)
        self.why_not = wrapped(tone=WARN)
        buttons = (self.run_button, self.progress, self.cancel_button, self.runs_button)
        row = fill(QHBoxLayout(), *buttons, wide=self.progress)
        fill(QVBoxLayout(self), row, self.why_not, margins=(0, 2, 0, 2), spacing=2)
        self.stop()

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return not self.cancel_button.isHidden()

    def set_ready(self, what: str, why_not: str = "") -> None:
        """Say on the button what it will do; with ``why_not`` it cannot be pressed and says why."""
        self._what, self._why_not = what, why_not
        self._show_ready()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._make_room()

    def start(self) -> None:
        """Show that work is under way."""
        self.progress.setRange(0, 0)
        self.progress.setVisible(True)
        self.cancel_button.setEnabled(True)
        self.cancel_button.setText(tr("Cancel"))
        self.cancel_button.setVisible(True)
        self._show_ready()

    def set_progress(self, percent: float) -> None:
        """Show how far the work is (0 to 100)."""
        if self.running:
            self.progress.setRange(0, 100)
            self.progress.setValue(round(percent))

    def stop(self) -> None:
        """Show that no work is under way; a click that was meant for Cancel starts nothing."""
        if self.cancel_button.underMouse():
            self._late.start()
        self.progress.setVisible(False)
        self.cancel_button.setVisible(False)
        self._show_ready()

    def _show_ready(self) -> None:
        self.run_button.setText(
            (not self.running and self._what) or tr("Run")
        )  # what runs leaves its room to how far
        self.run_button.setEnabled(
            not self._why_not and not self.running and not self._late.isActive()
        )
        self.run_button.setToolTip(plain(self._why_not) or tr("Ctrl+Return"))
        self.why_not.setText(self._why_not)
        self.why_not.setVisible(bool(self._why_not) and not self.running)
        self._make_room()

    def _make_room(self) -> None:
        """Nothing of the reason is cut off: a layout in a splitter does not ask what wrapped words need."""
        self.why_not.setMinimumHeight(
            self.why_not.heightForWidth(self.width()) if self._why_not else 0
        )

    def ask(self, *_: object) -> None:
        """Do what the button says, where it can be pressed."""
        if self.run_button.isEnabled():
            self.run_asked.emit()

    def _cancel(self) -> None:
        self.cancel_button.setEnabled(False)
        self.cancel_button.setText(tr("Cancelling…"))
        self.cancel_asked.emit()


class EmptyState(QWidget):
    """A sentence and buttons that import crowns and load the sample data."""

    import_asked = pyqtSignal()
    sample_asked = pyqtSignal()

    def __init__(self, sentence: str) -> None:
        super().__init__()
        picture = QLabel()
        picture.setPixmap(icon("randcrowns").pixmap(64, 64))
        picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        words = wrapped(sentence)
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = QPushButton(icon("sample"), tr("Load sample data"))
        self.button.setToolTip(
            tr("Adds a simulated plot: an image, its crowns drawn by several people, a detector.")
        )
        self.button.clicked.connect(self.sample_asked)
        self.import_button = QPushButton(icon("import"), tr("Import crowns…"))
        self.import_button.setToolTip(
            tr(
                "From files of DeepForest, COCO, Pascal VOC, YOLO or LabelMe; they can be dropped here as well."
            )
        )
        self.import_button.clicked.connect(self.import_asked)
        self._buttons = fill(QVBoxLayout(), self.import_button, self.button)
        row = fill(QHBoxLayout(), 1, self._buttons, 1)
        column = fill(QVBoxLayout(self), 1, picture, words, row, 2, margins=(24, 24, 24, 24))
        for place in (2, 4):
            column.insertSpacing(place, 8)

    def add_button(self, words: str, tooltip: str) -> QPushButton:
        """Another way in, above the sample data."""
        button = QPushButton(words)
        button.setToolTip(tooltip)
        self._buttons.insertWidget(0, button)
        return button


def unbroken(name: str, value: str) -> str:
    """A number with its name before it, as rich text that stands in one line."""
    number = value.replace("/", "/\u2060")  # n/a with a word joiner
    words = " ".join(filter(None, [name, f"<b>{number}</b>"]))
    return f'<span style="white-space:nowrap">{words}</span>'


@dataclass(frozen=True)
class Count:
    """A number of crowns that can be selected: key, how many, words, and what it means."""

    key: str
    number: int
    words: str
    tooltip: str


class Headline(QWidget):
    """Emits :attr:`count_clicked` with the key of a count."""

    count_clicked = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__()
        self.answer, self.counts = (
            wrapped(form=Qt.TextFormat.RichText),
            wrapped(form=Qt.TextFormat.RichText),
        )
        self.counts.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.counts.linkActivated.connect(self.count_clicked)
        self.decided = wrapped(tone=QUIET)
        fill(
            QVBoxLayout(self),
            self.answer,
            self.counts,
            self.decided,
            margins=(0, 2, 0, 2),
            spacing=2,
        )

    def show_answer(
        self,
        answer: str,
        explained: list[str],
        counts: list[Count],
        none: str,
        decided: Sequence[str] = (),
    ) -> None:
        """Show an answer, lines that explain it, and numbers of crowns; ``none`` says that there is nothing to count.

        In ``decided`` stands what the numbers depend on and a default may have decided, as the plot field.
        """
        tell(self.decided, " · ".join(decided))
        self.answer.setText(answer)
        self.answer.setToolTip(plain("\n".join(explained)))
        self.counts.setText(
            "&nbsp; ".join(
                f'<a href="{count.key}" style="color:{LINK}">'
                f"{written(count.number, 0)}&nbsp;{count.words.replace(' ', '&nbsp;')}</a>"
                for count in counts
                if count.number
            )
            or none
        )
        meanings = [f"{count.words}: {count.tooltip}" for count in counts if count.number]
        self.counts.setToolTip(
            plain("\n".join([*meanings, tr("Click a number to select those crowns.")]))
        )


#: Key of the run that a page shows, with its layers, among the choices that page Report takes over.
SHOWN = "shown"


class QuoteRow(QWidget):
    """Copies the answer of the run that a page shows. Emits :attr:`report_asked` with the run and its layers."""

    report_asked = pyqtSignal(object, object)  # whose layers may be gone

    def __init__(self) -> None:
        super().__init__()
        self._record: Record | None = None
        self._layers: list[QgsMapLayer] = []
        self._answer = ""
        self.copy = copy_button("", copy_actions(self, lambda form: quoted(self._answer, form)))
        self.copy.setText(tr("Copy answer"))
        told = tr(
            "Make a report of this run, as HTML or PDF: answer, methods, tables, plots, map, crowns."
        )
        self.report = tool_button(tr("Report…"), told, self._ask)
        self.report.setIcon(icon("report"))
        self.report.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        fill(QHBoxLayout(self), 1, self.copy, self.report, margins=(0, 2, 0, 0))

    @property
    def shown(self) -> tuple[Record, list[QgsMapLayer]] | None:
        """The run with its layers; None before one."""
        return None if self._record is None else (self._record, self._layers)

    def show_run(
        self, record: Record, layers: Iterable[QgsMapLayer], answer: str | None = None
    ) -> None:
        """Offer this run, with the answer of a page that is not the run's."""
        self._record, self._layers = record, list(layers)
        self._answer = record.answer if answer is None else answer
        self.copy.setEnabled(bool(self._answer))
        self.copy.setToolTip(plain(tr("Copy: {answer}", answer=self._answer)))

    def forget(self) -> None:
        """There is no run any more."""
        self._record, self._layers, self._answer = None, [], ""

    def _ask(self) -> None:
        if self.shown is not None:
            self.report_asked.emit(*self.shown)
