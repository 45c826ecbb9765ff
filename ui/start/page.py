"""Page Start: a button for each job, with what the project still needs for it."""

from __future__ import annotations

from functools import partial
from typing import Any

from qgis.PyQt.QtCore import QSize, Qt
from qgis.PyQt.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from randcrowns.layers.localization import tr
from randcrowns.ui.services.message_bar import MessageBar, add_sample_plot
from randcrowns.ui.shell.import_dialog import open_import_dialog
from randcrowns.ui.shell.page import DockPage
from randcrowns.ui.start.jobs import JOBS, Job
from randcrowns.ui.widgets.colours import SECONDARY_TONE, WARNING_TONE, load_icon
from randcrowns.ui.widgets.folding_row import FoldingRow
from randcrowns.ui.widgets.parts import (
    FREE_SPACE,
    fill_layout,
    make_scrollable,
    make_wrapped_label,
    set_text_or_hide,
)
from randcrowns.ui.widgets.run_widgets import make_import_button, make_sample_button

#: Size of the icons of the jobs, pixels.
_ICON_SIZE = 24
#: Space between an icon and the text of its button, pixels.
_TEXT_INDENT = 10


class JobRow(QWidget):
    """Button of a job, with its description and what the project still needs below it.

    Args:
        job: The job.
    """

    def __init__(self, job: Job) -> None:
        super().__init__()
        self.job = job
        #: Button that opens the page of the job.
        self.button = QToolButton()
        self.button.setText(job.title)
        self.button.setToolTip(job.description)
        self.button.setIcon(load_icon(job.page_key))
        self.button.setIconSize(QSize(_ICON_SIZE, _ICON_SIZE))
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        # In a narrow dock the title is elided, and no description is cut off.
        self.button.setMinimumWidth(1)
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        font = self.button.font()
        font.setBold(True)
        self.button.setFont(font)
        #: What the project still needs, hidden if it needs nothing.
        self.need_label = make_wrapped_label(tone=WARNING_TONE)
        texts = fill_layout(
            QVBoxLayout(),
            make_wrapped_label(job.description, SECONDARY_TONE),
            self.need_label,
            margins=(_ICON_SIZE + _TEXT_INDENT, 0, 0, 0),
            spacing=0,
        )
        fill_layout(QVBoxLayout(self), self.button, texts, margins=(0, 0, 0, 6), spacing=2)

    def update_need(self) -> None:
        """Show what the project still needs for the job."""
        need = self.job.find_need()
        set_text_or_hide(self.need_label, need)
        self.button.setAccessibleDescription(f"{self.job.description} {need}".strip())


class StartPage(DockPage):
    """Page with the jobs of the plugin, and buttons to bring crowns into the project.

    Args:
        iface: The interface of the QGIS window.
    """

    key = "start"

    def __init__(self, iface: Any) -> None:
        super().__init__()
        self.iface = iface
        self.messages = MessageBar(iface)
        #: Row of each job, from top to bottom.
        self.job_rows = [JobRow(job) for job in JOBS]
        self.import_button = make_import_button(
            lambda *_: open_import_dialog(self.iface, self.page_requested.emit)
        )
        self.sample_button = make_sample_button(lambda *_: add_sample_plot(self.iface))
        #: Button that opens the guide at the drawing of the pages.
        self.guide_button = QPushButton(load_icon("help"), tr("Which page do I need?"))
        self.guide_button.setToolTip(tr("Open the guide at a drawing of all pages."))
        self.guide_button.clicked.connect(lambda *_: self.messages.show_guide(self.key))
        for row in self.job_rows:
            row.button.clicked.connect(partial(self._open_page_of, row.job))
        self.project_layers.changed.connect(self.load_parameters)
        self._arrange_widgets()
        self.load_parameters()

    def load_parameters(self) -> None:
        """Show what the project still needs for each job."""
        for row in self.job_rows:
            row.update_need()

    def store_parameters(self, *_: object) -> None:
        """Do nothing, because the page has no parameters."""

    def show_parameters(self, stored_values: dict[str, Any]) -> None:
        """Do nothing, because the page has no parameters."""

    def adapt_to_previous(self, page: DockPage) -> None:
        """Update the needs, because the previous page may have added results."""
        self.load_parameters()

    def leave(self) -> None:
        """Do nothing, because the page draws nothing on the map."""

    def close_down(self) -> None:
        """Stop following the project's layers."""
        self.project_layers.close()

    def _open_page_of(self, job: Job, *_: object) -> None:
        """Open the page of a job."""
        self.page_requested.emit(job.page_key, {})

    def _arrange_widgets(self) -> None:
        """Arrange the widgets in a column that scrolls in a low dock."""
        heading = make_wrapped_label(tr("What do you want to do?"))
        files_heading = make_wrapped_label(tr("Bring crowns into the project"))
        for label in (heading, files_heading):
            font = label.font()
            font.setBold(True)
            label.setFont(font)
        import_row = fill_layout(QHBoxLayout(), self.import_button, FREE_SPACE)
        sample_row = fill_layout(QHBoxLayout(), self.sample_button, FREE_SPACE)
        files_row = FoldingRow(import_row, sample_row, stretched=1)
        guide_row = fill_layout(QHBoxLayout(), self.guide_button, FREE_SPACE)
        content = QWidget()
        # In the order of the work: without crowns no job can be done.
        fill_layout(
            QVBoxLayout(content),
            files_heading,
            files_row,
            heading,
            *self.job_rows,
            guide_row,
            FREE_SPACE,
            margins=(10, 8, 10, 8),
            spacing=6,
        )
        fill_layout(QVBoxLayout(self), make_scrollable(content))
