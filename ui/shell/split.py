"""How a page is laid out that runs algorithms: the form with the run bar above, the results below."""

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

#: Pixels around form and bar.
_AROUND = 8

F = TypeVar("F", bound=ChoiceForm)
R = TypeVar("R", bound=TabbedResults)


class SplitPage(DockPage, Generic[F, R]):
    """A form and a run bar above, results below, which share the height; or what says that there is nothing to run."""

    def __init__(self, form: F, results: R, empty: str) -> None:
        super().__init__()
        self.form, self.results = form, results
        self.run_bar, self.empty = RunBar(), EmptyState(empty)
        self._soon = after(0, self.make_room, self)
        #: Whether the user gave form and results their shares since a part of the form folded last.
        self._shared = False
        upper, bar = QWidget(), QWidget()
        self.scrolled = scrolled = in_scroll_area(self.form)
        fill(QVBoxLayout(bar), self.run_bar, margins=(8, 0, 8, 2))
        fill(QVBoxLayout(upper), scrolled, bar, spacing=0, wide=scrolled)
        self.results.setContentsMargins(8, 2, 8, 6)
        self.results.hide()
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self.results)
        self.splitter.splitterMoved.connect(lambda *_: setattr(self, "_shared", True))
        self.stack = QStackedWidget()
        self.stack.addWidget(self.splitter)
        self.stack.addWidget(self.empty)
        fill(QVBoxLayout(self), self.stack)
        self.form.folded.connect(lambda: setattr(self, "_shared", False))
        self.form.folded.connect(self.make_room_soon)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.make_room_soon()

    def press_run(self) -> None:
        self.run_bar.ask()

    def make_room_soon(self) -> None:
        """Make room once all within has its new size, once however often it is asked for till then."""
        self._soon.start()

    def make_room(self) -> None:
        """Results have all the room that the form does not need, and half of it at least; lists have what is left.

        Shares that the user gave are kept until a part of the form folds or unfolds.
        """
        QCoreApplication.sendPostedEvents(
            None, QEvent.Type.LayoutRequest
        )  # what was folded or shown has its new size
        share_room(self.form, self.scrolled.viewport().height())
        if not (self._shared or self.results.isHidden()):
            height = self.splitter.height()
            upper = min(
                self.form.sizeHint().height() + self.run_bar.sizeHint().height() + _AROUND,
                height // 2,
            )
            self.splitter.setSizes([upper, height - upper])
