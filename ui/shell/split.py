"""Layout of the pages that run algorithms: a form with a run bar above, results below."""

from __future__ import annotations

from typing import Generic, TypeVar

from qgis.PyQt.QtCore import QCoreApplication, QEvent, Qt
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from randcrowns.ui.services.layer_watch import after
from randcrowns.ui.shell.page import DockPage
from randcrowns.ui.widgets.choice_form import ChoiceForm
from randcrowns.ui.widgets.layer_checklist import share_room
from randcrowns.ui.widgets.parts import TabbedResults, fill, in_scroll_area
from randcrowns.ui.widgets.run_bar import EmptyState, RunBar

#: Height that form and run bar need in addition to their own, pixels.
_PADDING = 8

F = TypeVar("F", bound=ChoiceForm)
R = TypeVar("R", bound=TabbedResults)


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
        self.empty = EmptyState(empty)
        self._room_timer = after(0, self.make_room, self)
        #: True if the user has moved the splitter since a group of the form was last folded.
        self._has_user_sizes = False

        self.scrolled = in_scroll_area(self.form)
        bar = QWidget()
        fill(QVBoxLayout(bar), self.run_bar, margins=(8, 0, 8, 2))
        upper = QWidget()
        fill(QVBoxLayout(upper), self.scrolled, bar, spacing=0, wide=self.scrolled)
        self.results.setContentsMargins(8, 2, 8, 6)
        self.results.hide()

        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self.results)
        self.splitter.splitterMoved.connect(self._on_splitter_moved)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.splitter)
        self.stack.addWidget(self.empty)
        fill(QVBoxLayout(self), self.stack)
        self.form.folded.connect(self._on_form_folded)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Distribute the height again."""
        super().resizeEvent(event)
        self.make_room_soon()

    def press_run(self) -> None:
        """Start a run if the Run button is enabled."""
        self.run_bar.ask()

    def make_room_soon(self) -> None:
        """Call :meth:`make_room` once, in the next iteration of the event loop."""
        self._room_timer.start()

    def make_room(self) -> None:
        """Distribute the height of the page between form and results.

        The results get the height that the form does not need, but at least half of the page.
        Lists in the form get the height that its other rows do not need. Sizes that the user has
        set with the splitter stay until a group of the form is folded or unfolded.
        """
        # Lay out widgets that were folded or shown, so that their size hints are up to date.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        share_room(self.form, self.scrolled.viewport().height())
        if self._has_user_sizes or self.results.isHidden():
            return
        height = self.splitter.height()
        needed_height = self.form.sizeHint().height() + self.run_bar.sizeHint().height() + _PADDING
        upper_height = min(needed_height, height // 2)
        self.splitter.setSizes([upper_height, height - upper_height])

    def _on_splitter_moved(self, *_: object) -> None:
        self._has_user_sizes = True

    def _on_form_folded(self) -> None:
        self._has_user_sizes = False
        self.make_room_soon()
