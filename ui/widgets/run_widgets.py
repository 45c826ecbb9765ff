"""Widgets that every page has at the same place: Run button, progress, answer, copy buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from qgis.core import QgsMapLayer
from qgis.PyQt.QtCore import Qt, pyqtBoundSignal, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.provenance import Provenance
from randcrowns.layers.localization import escape_rich_text, format_value, tr
from randcrowns.layers.markup import escape_markup
from randcrowns.ui.services.layer_watch import single_shot_timer
from randcrowns.ui.services.waiting import BUSY_DELAY
from randcrowns.ui.widgets.colours import LINK_TONE, SECONDARY_TONE, WARNING_TONE, load_icon
from randcrowns.ui.widgets.folded_text import ElidedLabel
from randcrowns.ui.widgets.folding_row import FoldingRow
from randcrowns.ui.widgets.parts import (
    FREE_SPACE,
    fill_layout,
    make_copy_actions,
    make_copy_button,
    make_tool_button,
    make_wrapped_label,
    set_text_or_hide,
)
from randcrowns.ui.widgets.progress import RunProgressBar

#: Time after a run during which the Run button stays disabled if the mouse is over Cancel,
#: milliseconds. The user needs this time to notice that Run has replaced Cancel.
_RUN_DELAY = 700


class RunBar(QWidget):
    """Run button with a progress bar, a Cancel button and the button of earlier runs."""

    #: Emitted when the user starts a run.
    run_requested = pyqtSignal()
    #: Emitted when the user cancels the run.
    cancel_requested = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        #: Label of the Run button while no run is in progress; "" for "Run".
        self._run_label = ""
        #: Reason why the Run button is disabled; "" if it is enabled.
        self._problem = ""
        self._run_delay_timer = single_shot_timer(_RUN_DELAY, self._update_button, self)
        self._reading_timer = single_shot_timer(BUSY_DELAY, self._show_reading, self)
        self._create_widgets()
        run_row = fill_layout(
            QHBoxLayout(),
            self.run_button,
            self.progress,
            self.cancel_button,
            stretched=self.progress,
        )
        self._controls = fill_layout(QHBoxLayout(), FREE_SPACE, self.runs_button)
        row = FoldingRow(run_row, self._controls)
        self._column = fill_layout(
            QVBoxLayout(self), self.problem_label, row, margins=(0, 2, 0, 2), spacing=2
        )
        self.stop()

    def _create_widgets(self) -> None:
        """Create the buttons, the progress bar and the label."""
        self.run_button = QPushButton(tr("Run"))
        self.run_button.setObjectName("run")
        self.run_button.clicked.connect(self.request_run)
        self.cancel_button = QPushButton(tr("Cancel"))
        self.cancel_button.setObjectName("cancel")
        self.cancel_button.clicked.connect(self._cancel)
        self.progress = RunProgressBar()
        self.progress.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        #: Button with a menu of earlier runs.
        self.runs_button = make_tool_button(
            tr("Runs"), tr("Show an earlier run again, or compare two runs.")
        )
        self.runs_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.runs_button.hide()
        #: Label with the reason why the Run button is disabled.
        self.problem_label = make_wrapped_label(tone=WARNING_TONE)

    @property
    def is_running(self) -> bool:
        """True if a run is in progress."""
        return not self.cancel_button.isHidden()

    def show_problem_above(self) -> None:
        """Show the reason why the Run button is disabled above the button, as at first.

        Other layouts can take the label, see :class:`randcrowns.ui.shell.split_page.SplitPage`.
        """
        self._column.insertWidget(0, self.problem_label)

    def add_control(self, control: QWidget) -> None:
        """Add a control at the right end, such as a button for the map."""
        self._controls.addWidget(control)

    def set_run_state(self, label: str, problem: str = "") -> None:
        """Set the label of the Run button, and whether it is enabled.

        Args:
            label: label of the button; "" for "Run".
            problem: reason why the button is disabled; "" to enable it.
        """
        self._run_label = label
        self._problem = problem
        self._update_button()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Update the height of the reason for the new width."""
        super().resizeEvent(event)
        self._update_height()

    def start(self) -> None:
        """Show that a run is in progress."""
        self.end_reading()
        self.progress.start()
        self.progress.setVisible(True)
        self.cancel_button.setEnabled(True)
        self.cancel_button.setText(tr("Cancel"))
        self.cancel_button.setVisible(True)
        self._update_button()

    def set_progress(self, percent: float) -> None:
        """Show the progress of the run, 0 to 100."""
        if self.is_running:
            self.progress.show_percent(percent)

    def begin_reading(self) -> None:
        """Show that results are read in the background, unless they are read very soon."""
        self._reading_timer.start()

    def end_reading(self) -> None:
        """Show that no results are read any more."""
        self._reading_timer.stop()
        if not self.is_running:
            self.progress.setVisible(False)

    def _show_reading(self) -> None:
        """Show a progress bar without an end."""
        if not self.is_running:
            self.progress.setRange(0, 0)
            self.progress.setVisible(True)
            self.progress.setToolTip(tr("Reading results"))

    def stop(self) -> None:
        """Show that no run is in progress.

        If the mouse is over Cancel, the Run button stays disabled for a moment, so that a late
        click on Cancel does not start another run.
        """
        if self.cancel_button.underMouse():
            self._run_delay_timer.start()
        self.progress.stop()
        self.progress.setVisible(False)
        self.cancel_button.setVisible(False)
        self._update_button()

    def _update_button(self) -> None:
        """Update the Run button and the reason why it is disabled."""
        is_running = self.is_running
        # During a run the label is short to leave room for the progress bar.
        label = "" if is_running else self._run_label
        self.run_button.setText(label or tr("Run"))
        is_delayed = self._run_delay_timer.isActive()
        self.run_button.setEnabled(not self._problem and not is_running and not is_delayed)
        self.run_button.setToolTip(escape_rich_text(self._problem) or tr("Ctrl+Return"))
        self.problem_label.setText(self._problem)
        self.problem_label.setVisible(bool(self._problem) and not is_running)
        self._update_height()

    def _update_height(self) -> None:
        """Set the height of the reason; a layout in a splitter ignores that of wrapped text."""
        height = self.problem_label.heightForWidth(self.width()) if self._problem else 0
        self.problem_label.setMinimumHeight(height)

    def request_run(self, *_: object) -> None:
        """Emit :attr:`run_requested` if the Run button is enabled."""
        if self.run_button.isEnabled():
            self.run_requested.emit()

    def _cancel(self) -> None:
        """Disable the Cancel button and emit :attr:`cancel_requested`."""
        self.cancel_button.setEnabled(False)
        self.cancel_button.setText(tr("Cancelling…"))
        self.cancel_requested.emit()


def make_sample_button(clicked: Callable[..., Any] | pyqtBoundSignal) -> QPushButton:
    """Return a button that loads the sample data.

    Args:
        clicked: function or signal that a click calls.
    """
    button = QPushButton(load_icon("sample"), tr("Load sample data"))
    button.setToolTip(
        tr("Adds a simulated plot: an image, its crowns drawn by several people, a detector.")
    )
    button.clicked.connect(clicked)
    return button


def make_import_button(clicked: Callable[..., Any] | pyqtBoundSignal) -> QPushButton:
    """Return a button that imports crowns from files.

    Args:
        clicked: function or signal that a click calls.
    """
    button = QPushButton(load_icon("import"), tr("Import crowns…"))
    button.setToolTip(
        tr(
            "Import crowns from annotation files, such as COCO, DeepForest or CVAT files. You can "
            "also drop files here."
        )
    )
    button.clicked.connect(clicked)
    return button


#: Side of the picture of an empty page, pixels.
_PICTURE_SIDE = 64
#: Additional space above the text and above the buttons of an empty page, pixels.
_EMPTY_STATE_SPACING = 8


class EmptyState(QWidget):
    """Content of a page without layers: a sentence, and buttons to import crowns or sample data.

    Args:
        sentence: text above the buttons.
    """

    #: Emitted when the user clicks the button that imports crowns.
    import_requested = pyqtSignal()
    #: Emitted when the user clicks the button that loads the sample data.
    sample_requested = pyqtSignal()

    def __init__(self, sentence: str) -> None:
        super().__init__()
        picture = QLabel()
        picture.setPixmap(load_icon("randcrowns").pixmap(_PICTURE_SIDE, _PICTURE_SIDE))
        picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        label = make_wrapped_label(sentence)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        #: Button that loads the sample data.
        self.sample_button = make_sample_button(self.sample_requested)
        self.import_button = make_import_button(self.import_requested)
        self._buttons = fill_layout(QVBoxLayout(), self.import_button, self.sample_button)
        row = fill_layout(QHBoxLayout(), FREE_SPACE, self._buttons, FREE_SPACE)
        column = fill_layout(
            QVBoxLayout(self),
            FREE_SPACE,
            picture,
            label,
            row,
            2 * FREE_SPACE,
            margins=(24, 24, 24, 24),
        )
        # From bottom to top: an inserted space changes the positions of the items below it.
        column.insertSpacing(column.indexOf(row), _EMPTY_STATE_SPACING)
        column.insertSpacing(column.indexOf(label), _EMPTY_STATE_SPACING)

    def add_button(self, text: str, tooltip: str) -> QPushButton:
        """Add a button above the others.

        Args:
            text: text of the button.
            tooltip: tooltip of the button.

        Returns:
            The new button.
        """
        button = QPushButton(text)
        button.setToolTip(tooltip)
        self._buttons.insertWidget(0, button)
        return button


def format_unbroken(name: str, value: str) -> str:
    """Return a value in bold after its name, as rich text that does not wrap.

    Args:
        name: name of the value as rich text; "" for none.
        value: formatted value.
    """
    # A word joiner after the slash keeps "n/a" on one line.
    unbreakable_value = value.replace("/", "/\u2060")
    bold_value = f"<b>{unbreakable_value}</b>"
    text = f"{name} {bold_value}" if name else bold_value
    return f'<span style="white-space:nowrap">{text}</span>'


@dataclass(frozen=True)
class CrownCount:
    """Number of crowns, which can be selected by a click on the number."""

    #: Key that identifies the count.
    key: str
    #: Number of crowns.
    number: int
    #: Label after the number.
    label: str
    #: Meaning of the label.
    tooltip: str


class AnswerView(QWidget):
    """Answer of a run, with numbers of crowns and the settings that the answer depends on."""

    #: Emitted with the key of a :class:`CrownCount` when the user clicks its number.
    count_clicked = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__()
        self.answer = make_wrapped_label(text_format=Qt.TextFormat.RichText)
        #: Numbers of crowns as links.
        self.counts = make_wrapped_label(text_format=Qt.TextFormat.RichText)
        self.counts.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.counts.linkActivated.connect(self.count_clicked)
        #: Settings that the answer depends on.
        self.settings_label = ElidedLabel(SECONDARY_TONE)
        self._answer_row = fill_layout(QHBoxLayout(), self.answer, stretched=self.answer)
        self._counts_row = fill_layout(QHBoxLayout(), self.counts, stretched=self.counts)
        fill_layout(
            QVBoxLayout(self),
            self._answer_row,
            self._counts_row,
            self.settings_label,
            spacing=1,
        )

    def add_button(self, button: QWidget, has_short_answer: bool = False) -> None:
        """Add a button for the counted crowns at the right end of their numbers.

        Args:
            button: The button.
            has_short_answer: True if the answer is shorter than the numbers of crowns, so that the
                button stands at its right end instead.
        """
        row = self._answer_row if has_short_answer else self._counts_row
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)

    def show_answer(
        self,
        answer: str,
        explanation: list[str],
        counts: list[CrownCount],
        empty_text: str,
        settings: Sequence[str] = (),
    ) -> None:
        """Show the answer of a run.

        Args:
            answer: answer as rich text.
            explanation: lines of the answer's tooltip.
            counts: numbers of crowns; counts of 0 are not shown.
            empty_text: text that replaces the counts if all are 0.
            settings: settings that the answer depends on and that may be defaults, such as the plot
                field.
        """
        set_text_or_hide(self.settings_label, " · ".join(settings))
        self.answer.setText(answer)
        self.answer.setToolTip(escape_rich_text("\n".join(explanation)))
        links = []
        tooltip_lines = []
        for count in counts:
            if count.number:
                links.append(_count_link(count))
                tooltip_lines.append(f"{count.label}: {count.tooltip}")
        tooltip_lines.append(tr("Click a number to select those crowns."))
        self.counts.setText("&nbsp; ".join(links) or empty_text)
        self.counts.setToolTip(escape_rich_text("\n".join(tooltip_lines)))


def _count_link(count: CrownCount) -> str:
    """Return a count as a link in rich text that does not wrap."""
    # A language whose adjectives have a plural writes "label: number".
    link = tr("{number} {label}", number=format_value(count.number, 0), label=count.label)
    link = link.replace(" ", "&nbsp;")
    return f'<a href="{count.key}" style="color:{LINK_TONE}">{link}</a>'


#: Key under which page Report receives the run that a page shows, with its layers.
SHOWN_RUN = "shown"
#: Key under which a page receives True if it starts a run with the parameters that it receives.
START_RUN = "start_run"
#: Key under which a page receives the key of the tab of results that it shows.
SHOWN_TAB = "shown_tab"


class CopyRow(FoldingRow):
    """Buttons that copy the answer of the run that a page shows, and that make a report of it."""

    #: Emitted with the record and the layers of the run; the layers may have been deleted.
    report_requested = pyqtSignal(object, object)

    def __init__(self) -> None:
        left_column = QHBoxLayout()
        right_column = QHBoxLayout()
        super().__init__(left_column, right_column, margins=(0, 2, 0, 0))
        self._left = left_column
        self._record: Provenance | None = None
        self._layers: list[QgsMapLayer] = []
        self._answer = ""
        self.copy = make_copy_button(
            "", make_copy_actions(self, lambda form: escape_markup(self._answer, form))
        )
        self.copy.setText(tr("Copy answer"))
        tooltip = tr(
            "Make a report of this run, as HTML or PDF: "
            "answer, methods, tables, plots, map, crowns."
        )
        self.report = make_tool_button(tr("Report…"), tooltip, self._ask_report)
        self.report.setIcon(load_icon("report"))
        self.report.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        fill_layout(right_column, FREE_SPACE, self.copy, self.report)

    @property
    def answer(self) -> str:
        """Answer to copy; "" before a run."""
        return self._answer

    def add_controls(self, controls: QWidget) -> None:
        """Add a widget at the left end of the row."""
        fill_layout(self._left, controls, FREE_SPACE)

    @property
    def shown(self) -> tuple[Provenance, list[QgsMapLayer]] | None:
        """Record and layers of the run that is shown; None before a run."""
        return None if self._record is None else (self._record, self._layers)

    def show_run(
        self, record: Provenance, layers: Iterable[QgsMapLayer], answer: str | None = None
    ) -> None:
        """Set the run to copy and report.

        Args:
            record: record of the run.
            layers: result layers of the run.
            answer: answer to copy; None for that of the run.
        """
        self._record = record
        self._layers = list(layers)
        self.set_answer(record.conclusion if answer is None else answer)

    def set_answer(self, answer: str) -> None:
        """Set the answer to copy."""
        self._answer = answer
        self.copy.setEnabled(bool(self._answer))
        self.copy.setToolTip(escape_rich_text(tr("Copy: {answer}", answer=self._answer)))

    def clear(self) -> None:
        """Remove the run, its layers and its answer."""
        self._record = None
        self._layers = []
        self._answer = ""

    def _ask_report(self) -> None:
        """Emit :attr:`report_requested` if a run is shown."""
        if self.shown is not None:
            self.report_requested.emit(*self.shown)
