"""Layout of the pages that run algorithms: a form with a run bar above, results below."""

from __future__ import annotations

from typing import Generic, TypeVar

from qgis.PyQt.QtCore import QCoreApplication, QEvent, QObject
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import QVBoxLayout, QWidget

from randcrowns.ui.services.layer_watch import single_shot_timer
from randcrowns.ui.shell.page import DockPage
from randcrowns.ui.widgets.form_splitter import FormSplitter
from randcrowns.ui.widgets.layer_checklist import distribute_height
from randcrowns.ui.widgets.parameter_form import ParameterForm
from randcrowns.ui.widgets.parts import ResultsPanel, fill_layout, make_scrollable
from randcrowns.ui.widgets.run_question import RunQuestionView
from randcrowns.ui.widgets.run_widgets import EmptyState, RunBar
from randcrowns.ui.widgets.stack_layout import StackLayout

#: Height of a page below which a collapsed form has one line, as in a window of 768 pixels.
_LOW_HEIGHT = 640
#: Height that form and run bar need in addition to their own, pixels.
_PADDING = 8
#: Maximum share of the height for the form above results, and after a group was expanded.
_FORM_SHARE = 0.5
_OPENED_FORM_SHARE = 2 / 3
#: Minimum height of a form after a group was expanded: below it, the page scrolls, pixels.
_MIN_OPENED_HEIGHT = 120

F = TypeVar("F", bound=ParameterForm)
R = TypeVar("R", bound=ResultsPanel)


class SplitPage(DockPage, Generic[F, R]):
    """Page with a form and a run bar above the results, separated by a splitter.

    While there is nothing to run, the page shows a message and buttons instead.

    Args:
        form: The form.
        results: The widget with the results, hidden at first.
        empty: Message while there is nothing to run.
    """

    def __init__(self, form: F, results: R, empty: str) -> None:
        super().__init__()
        self.form = form
        self.results = results
        self.run_bar = RunBar()
        #: Question next to the run bar, which is asked before a doubtful run.
        self.run_question = RunQuestionView()
        self.empty_state = EmptyState(empty)
        self._room_timer = single_shot_timer(0, self.distribute_height, self)
        #: True if the user has expanded a group of the form since the results are shown.
        self._is_form_opened = False

        self.form_scroll_area = make_scrollable(self.form)
        self.results.setContentsMargins(8, 2, 8, 6)
        self.results.run_texts = (self.run_bar.problem_label, self.run_question)
        self.results.hide()
        self._arrange_widgets()
        self.form.collapsed_changed.connect(self._on_form_folded)

    def _arrange_widgets(self) -> None:
        """Arrange form, run bar and results in a splitter, and the message in its place."""
        bar = QWidget()
        self._bar_column = fill_layout(
            QVBoxLayout(bar), self.run_question, self.run_bar, margins=(8, 0, 8, 2)
        )
        upper_half = QWidget()
        fill_layout(
            QVBoxLayout(upper_half),
            self.form_scroll_area,
            bar,
            spacing=0,
            stretched=self.form_scroll_area,
        )
        #: Form and run bar above the results.
        self.splitter = FormSplitter(upper_half, self.results)
        #: The splitter, or the message while there is nothing to run.
        self.stack = StackLayout(self)
        self.stack.addWidget(self.splitter)
        self.stack.addWidget(self.empty_state)
        self.results.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Move the texts next to the Run button after the results were shown or hidden."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._is_form_opened = False
            self._place_run_texts()
        return bool(super().eventFilter(watched, event))

    def _place_run_texts(self) -> None:
        """Place the question and the problem of a run where they do not move the Run button.

        Without results, the form is above the button and gives the texts its room. With results,
        the form may be as low as possible, and the results below the button give them theirs.
        """
        if self.results.isHidden():
            self.run_bar.show_problem_above()
            self._bar_column.insertWidget(0, self.run_question)
        else:
            layout = self.results.layout()
            layout.insertWidget(0, self.run_bar.problem_label)
            layout.insertWidget(0, self.run_question)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Distribute the height again."""
        super().resizeEvent(event)
        self.distribute_height_soon()

    def run_from_shortcut(self) -> None:
        """Start a run if the Run button is enabled."""
        self.run_bar.request_run()

    def distribute_height_soon(self) -> None:
        """Call :meth:`distribute_height` once, in the next iteration of the event loop."""
        self._room_timer.start()

    def distribute_height(self) -> None:
        """Distribute the height of the page between form and results.

        The results get the height that the form does not need, but at least half of the page, or a
        third after the user has expanded a group of the form, and never less than their minimum:
        without room for it, the page scrolls. On a low page with results, a collapsed form has one
        line.
        Lists in the form get the height that its other rows do not need. Sizes that the user has
        set with the splitter stay until a group of the form is folded or unfolded.
        """
        is_compact = not self.results.isHidden() and self.height() < _LOW_HEIGHT
        self.form.set_compact(is_compact)
        # Lay out widgets that were folded or shown, so that their size hints are up to date.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        # The common minimum of a scroll area is higher than one line.
        form_height = self.form.sizeHint().height()
        is_line = not self.form.summary_line.isHidden()
        min_height = 0
        if is_line:
            min_height = form_height
        elif self._is_form_opened:
            min_height = min(form_height, _MIN_OPENED_HEIGHT)
        self.form_scroll_area.setMinimumHeight(min_height)
        distribute_height(self.form, self.form_scroll_area.viewport().height())
        if self.results.isHidden():
            return
        bar_height = self.run_bar.sizeHint().height()
        max_share = _OPENED_FORM_SHARE if self._is_form_opened else _FORM_SHARE
        # A line has its exact height: the results must not be able to take a padding later.
        padding = 0 if is_line else _PADDING
        # The user who changes a parameter in the form makes the results out of date.
        reserved_height = self.results.height_for_banner() if self._is_form_opened else 0
        self.splitter.fit(
            self.form.sizeHint().height() + bar_height + padding, max_share, reserved_height
        )
        if self._is_form_opened:
            self._show_expanded_box()

    def _show_expanded_box(self) -> None:
        """Scroll to the group that was expanded last: to its title if it is too high."""
        box = self.form.expanded_box
        if box is None:
            return
        bar = self.form_scroll_area.verticalScrollBar()
        end = box.geometry().bottom() - self.form_scroll_area.viewport().height()
        bar.setValue(min(box.y(), max(bar.value(), end)))
        self.form.expanded_box = None

    def _on_form_folded(self) -> None:
        """Distribute the height again after a group of the form was folded or unfolded."""
        self.splitter.forget_user_sizes()
        self._is_form_opened = self.form.has_expanded_group()
        self.distribute_height_soon()
