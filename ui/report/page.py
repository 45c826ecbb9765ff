"""Page Report: select runs and parts, preview the report, and save it as HTML or PDF."""

from __future__ import annotations

import tempfile
import textwrap
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from qgis.PyQt.QtCore import QCoreApplication, QEvent, Qt, QUrl
from qgis.PyQt.QtGui import QDesktopServices, QResizeEvent, QShowEvent, QTextOption
from qgis.PyQt.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.algorithm_catalogue import EXPLORE, REPORT
from randcrowns.algorithms.report.pages import MAP_HEIGHT
from randcrowns.algorithms.report.schema.explore_parameters import EXPLORE_PARAMETERS, EXPLORER
from randcrowns.algorithms.report.schema.parameters import (
    CROWNS,
    HTML,
    IMAGE,
    PAGE_SIZE,
    PARTS,
    PDF,
    REPORT_CHOICES,
    RUNS,
    TEMPLATE,
    TITLE,
)
from randcrowns.layers import libraries
from randcrowns.layers.localization import keep_numbers_whole, tr
from randcrowns.ui.report.run_list import RunList
from randcrowns.ui.services.layer_watch import single_shot_timer
from randcrowns.ui.services.libraries_dialog import LibrariesDialog, offer_libraries
from randcrowns.ui.services.message_bar import MessageBar
from randcrowns.ui.services.run_outcome import Failed, Outcome, Succeeded
from randcrowns.ui.services.runner import PageRuns
from randcrowns.ui.services.settings import Settings, write_parameters
from randcrowns.ui.shell.page import DockPage
from randcrowns.ui.widgets.colours import LINK_TONE, SECONDARY_TONE
from randcrowns.ui.widgets.form_splitter import FormSplitter
from randcrowns.ui.widgets.parameter_form import FormGroup, ParameterForm, ParameterRow
from randcrowns.ui.widgets.parts import (
    fill_layout,
    make_scrollable,
    make_wrapped_label,
    set_text_or_hide,
)
from randcrowns.ui.widgets.progress import RunProgressBar
from randcrowns.ui.widgets.run_widgets import SHOWN_RUN
from randcrowns.ui.widgets.table_view import save_with_dialog

_ALGORITHM = f"randcrowns:{REPORT.key}"
_EXPLORE_ALGORITHM = f"randcrowns:{EXPLORE.key}"
#: Key of the run that creates the preview.
_PREVIEW = "preview"
#: Template of the preview: the one of A4 pages, with the width available for pictures and the
#: maximum height of the map, pixels.
_PREVIEW_TEMPLATE = (
    "{{% set room = {width} %}}{{% set map_height = {map_height} %}}"
    '{{% include "report_paper.html" %}}'
)
#: Style of the preview: in the narrow panel, the title of a page would fill the preview. Qt
#: enlarges a heading unless its size is a word.
_PREVIEW_STYLE = "<style>body h1 { font-size: large; }</style>"
#: Time without a change of a parameter after which the preview is updated, milliseconds.
_PREVIEW_DELAY = 400
#: Height that the form needs in addition to its own, for the frames of some themes, pixels.
_FORM_PADDING = 8
#: Total margin of a picture in the preview, and minimum width of a picture, pixels.
_PICTURE_MARGIN = 16
_MIN_PICTURE_WIDTH = 100
#: Output -> extension and description of its file.
_FILE_TYPES = {
    HTML: (".html", tr("Web page")),
    PDF: (".pdf", tr("Pages")),
    EXPLORER: (".html", tr("Page to explore")),
}
#: Parameters that the project stores.
_STORED_PARAMETERS = tuple(parameter for parameter in REPORT_CHOICES if parameter is not RUNS)
#: Maximum length of the title in a suggested file name.
_MAX_FILE_NAME_TITLE = 40


class ReportPage(DockPage):
    """Page that edits the parameters of the report algorithm and shows a preview.

    Args:
        iface: The interface of the QGIS window.
    """

    key = "report"

    def __init__(self, iface: Any) -> None:
        super().__init__()
        self.iface = iface
        self.messages = MessageBar(iface)
        #: Runs of the report algorithm: the preview, and the file that is saved.
        self.runs = PageRuns(
            self.messages, tr("The report was cancelled; no file was changed."), self
        )
        #: Dialog that offers the libraries of a page to explore; None before it is needed.
        self.libraries_dialog: LibrariesDialog | None = None
        self._room_timer = single_shot_timer(0, self._fit_form, self)
        self._preview_timer = single_shot_timer(_PREVIEW_DELAY, self._update_preview, self)
        #: True if the preview does not show the current parameters.
        self._is_preview_outdated = True
        #: Temporary files of the preview.
        self._folder = tempfile.TemporaryDirectory(prefix="randcrowns")
        self._create_form()
        self._create_save_widgets()
        self._create_preview()
        self._arrange_widgets()
        self._show_busy(busy=False)
        self._connect()
        self.load_parameters()

    def _create_form(self) -> None:
        """Create the list of runs, and the form with the list and the other parameters."""
        #: List of the runs to report.
        self.run_list = RunList()
        #: Message while there are no runs.
        self.no_runs_label = make_wrapped_label(
            tr("This project has no runs yet. Run something on another page first."), SECONDARY_TONE
        )
        parts_row = ParameterRow(PARTS, wide=True, labelled=False)
        advanced_parameters = [TITLE, CROWNS, IMAGE, PAGE_SIZE, TEMPLATE]
        #: Form with the parameters.
        self.form = ParameterForm(
            (
                FormGroup(tr("Runs"), [self.no_runs_label, self.run_list]),
                FormGroup(tr("Parts"), [parts_row], collapsed=True),
                FormGroup(tr("Advanced"), advanced_parameters, collapsed=True),
            )
        )

    def _create_save_widgets(self) -> None:
        """Create the buttons that save the report, the progress, and the link to the file."""
        #: Output -> button that saves it.
        self.save_buttons = {output: QPushButton(f"{output.id}…") for output in (HTML, PDF)}
        self.save_buttons[EXPLORER] = QPushButton(tr("Explore…"))
        self.save_buttons[HTML].setToolTip(tr("Save as one file for a browser."))
        self.save_buttons[PDF].setToolTip(tr("Save as pages."))
        self.save_buttons[EXPLORER].setToolTip(
            tr(
                "Save one run as a file with map, table and verdicts, for people without QGIS. "
                "Page Review adds their verdicts."
            )
        )
        #: Progress of saving.
        self.progress_bar = RunProgressBar()
        #: Button that cancels saving.
        self.cancel_button = QPushButton(tr("Cancel"))
        #: Message with a link to the saved file.
        self.saved_label = make_wrapped_label(text_format=Qt.TextFormat.RichText)
        self.saved_label.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.saved_label.hide()

    def _create_preview(self) -> None:
        """Create the preview, which is white like the pages of a report."""
        #: Preview of the report.
        self.preview = QTextBrowser()
        self.preview.setAccessibleName(tr("Preview"))
        self._show_preview_busy(busy=False)
        self.preview.setOpenLinks(False)
        # A scroll bar that comes and goes would change the width of the pictures.
        self.preview.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        # Paths have no spaces at which a line could be wrapped.
        self.preview.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        # Pictures and colours are made for white paper, so the preview is white in dark themes.
        self.preview.setStyleSheet("QTextBrowser { background: #ffffff; color: #000000; }")

    def _arrange_widgets(self) -> None:
        """Arrange the form above, and the buttons and the preview below."""
        upper_half = QWidget()
        self.form_area = make_scrollable(self.form)
        fill_layout(QVBoxLayout(upper_half), self.form_area, stretched=self.form_area)
        lower_half = QWidget()
        button_row = fill_layout(
            QHBoxLayout(), *self.save_buttons.values(), self.progress_bar, self.cancel_button
        )
        fill_layout(
            QVBoxLayout(lower_half),
            button_row,
            self.saved_label,
            self.preview,
            margins=(8, 2, 8, 6),
            spacing=3,
            stretched=self.preview,
        )
        self.splitter = FormSplitter(upper_half, lower_half)
        self.splitter.setStretchFactor(1, 1)
        fill_layout(QVBoxLayout(self), self.splitter)

    def _connect(self) -> None:
        """Connect the signals of the widgets."""
        self.run_list.changed.connect(self._request_preview)
        self.form.changed.connect(self._request_preview)
        self.form.collapsed_changed.connect(self._on_form_folded)
        self.project_layers.changed.connect(self._follow_project)
        self.runs.busy_changed.connect(self._show_busy)
        self.runs.progressed.connect(self.progress_bar.show_percent)
        self.cancel_button.clicked.connect(self.runs.cancel)
        self.saved_label.linkActivated.connect(lambda link: QDesktopServices.openUrl(QUrl(link)))
        for output, button in self.save_buttons.items():
            button.clicked.connect(lambda *_, output=output: self.save_with_dialog(output))

    # Methods that the dock calls

    def load_parameters(self) -> None:
        """Show the parameters stored in the project, and its runs."""
        self.runs.stop(_PREVIEW)
        # The report of the previous project must not stay until that of this one is made.
        self.preview.clear()
        self._show_preview_busy(busy=False)
        self.runs.cancel()
        self.run_list.discard_choices()
        set_text_or_hide(self.saved_label, "")
        self.show_stored_parameters(self.form, partial(Settings.from_stored, _STORED_PARAMETERS))
        self._follow_project()
        self._request_preview()

    def store_parameters(self, *_: object) -> None:
        """Store the parameters in the project if it has runs."""
        if self.run_list.count():
            write_parameters(self.key, self.settings().to_stored())

    def show_parameters(self, stored_values: dict[str, Any]) -> None:
        """Check the run that another page has sent.

        Args:
            stored_values: Provenance and layers of the run under the key SHOWN_RUN.
        """
        if SHOWN_RUN in stored_values:
            record, layers = stored_values[SHOWN_RUN]
            self.run_list.check_displayed_run(record, layers)

    def adapt_to_previous(self, page: DockPage) -> None:
        """Check the run that the previous page showed, or else the last run, and show the top."""
        self.form_area.verticalScrollBar().setValue(0)
        quote_row = getattr(page, "quote_row", None)  # pages without runs have none
        self.run_list.adapt_to_previous(None if quote_row is None else quote_row.shown)

    def leave(self) -> None:
        """Do nothing: this page draws nothing on the map."""

    def close_down(self) -> None:
        """Stop all work, disconnect from the project and delete the temporary files."""
        self._room_timer.stop()
        self._preview_timer.stop()
        self.runs.close()
        self.project_layers.close()
        self.form.check.close()
        self._folder.cleanup()

    # Saving

    def settings(self) -> Settings:
        """Return the settings of the form, without the runs."""
        return self.form.settings()

    def parameters(self) -> dict[str, Any]:
        """Return the Processing parameters of the report, without its destination."""
        parameters = self.settings().to_parameters(_STORED_PARAMETERS)
        return {**parameters, RUNS.id: self.run_list.parameter()}

    def save_with_dialog(self, output: Any) -> None:
        """Show a file dialog, and save the report if a file is selected.

        The libraries of a page to explore are offered for installation first if they are missing.

        Args:
            output: HTML, PDF or EXPLORER.
        """
        if output is EXPLORER:
            self.libraries_dialog = offer_libraries(
                libraries.EXPLORER, self.window(), partial(self._select_file, output)
            )
        else:
            self._select_file(output)

    def _select_file(self, output: Any) -> None:
        """Show a file dialog, and save the report if a file is selected."""
        extension, description = _FILE_TYPES[output]
        set_text_or_hide(self.saved_label, "")  # the link leads to an earlier report
        save_with_dialog(
            self,
            tr("Save report"),
            self._suggested_file_name(),
            {extension: description},
            partial(self.save, output),
        )

    def _suggested_file_name(self) -> str:
        """Return a file name without extension: the title or the runs, and the date.

        At least one run is checked.
        """
        runs = self.run_list.checked_runs()
        title = self.settings()[TITLE] or " ".join(run.title_without_time for run in runs)
        letters_and_digits = [character if character.isalnum() else " " for character in title]
        # Cut between two words, unless the first word is too long.
        lines = textwrap.wrap("".join(letters_and_digits), _MAX_FILE_NAME_TITLE)
        words = ["report"]
        if lines:
            words = lines[0].split()
        return "_".join([*words, runs[0].date])

    def save(self, output: Any, path: str) -> None:
        """Save the report in the background, and show a link to it at the end.

        Args:
            output: HTML, PDF or EXPLORER.
            path: Path of the file.
        """
        self.store_parameters()
        set_text_or_hide(self.saved_label, "")
        algorithm = _ALGORITHM
        parameters = self.parameters()
        if output is EXPLORER:
            algorithm = _EXPLORE_ALGORITHM
            known_ids: set[str] = set()
            for parameter in EXPLORE_PARAMETERS:
                known_ids.update(parameter.ids)
            parameters = {name: value for name, value in parameters.items() if name in known_ids}
        parameters = {**parameters, output.id: path}
        self.runs.start(algorithm, parameters, lambda outcome: self._show_saved(outcome, path))

    def _show_saved(self, outcome: Outcome, path: str) -> None:
        """Show a link to the saved report, if it was saved.

        Args:
            outcome: Outcome of the run.
            path: Path of the file.
        """
        if not isinstance(outcome, Succeeded):
            return
        url = escape(QUrl.fromLocalFile(path).toString())
        name = escape(Path(path).name)
        link = f'<a href="{url}" style="color:{LINK_TONE}">{name}</a>'
        folder = escape(str(Path(path).parent))
        set_text_or_hide(
            self.saved_label, tr("Written: {link} in {folder}", link=link, folder=folder)
        )

    def _show_busy(self, busy: bool) -> None:
        """Show the progress instead of the buttons while a report is saved."""
        self.progress_bar.setVisible(busy)
        self.cancel_button.setVisible(busy)
        if busy:
            self.progress_bar.start()
        else:
            self.progress_bar.stop()
        for button in self.save_buttons.values():
            button.setVisible(not busy)
            button.setEnabled(bool(self.run_list.checked_keys()))

    # Preview

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Update the preview if its width has changed, and the height of the form."""
        super().resizeEvent(event)
        self._room_timer.start()
        if event.size().width() != event.oldSize().width():
            self._request_preview()

    def _fit_form(self) -> None:
        """Give the form the height that it needs, and the rest to the preview."""
        # Texts of the form change their size hints with the width.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        self.splitter.fit(self.form.sizeHint().height() + _FORM_PADDING)

    def _on_form_folded(self) -> None:
        self.splitter.forget_user_sizes()
        self._room_timer.start()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """List the current runs and update the preview."""
        super().showEvent(event)
        self.run_list.refresh()
        self._request_preview()

    def _follow_project(self) -> None:
        """Update the layers of the form and the runs, after the project's layers changed."""
        self.form.reload_layers()
        self.run_list.refresh()

    def _request_preview(self, *_: object) -> None:
        """Update the buttons at once, and the preview after a pause if the page is visible."""
        can_save = bool(self.run_list.checked_keys()) and self.runs.main_run is None
        for button in self.save_buttons.values():
            button.setEnabled(can_save)
        has_runs = self.run_list.count() > 0
        self.no_runs_label.setVisible(not has_runs)
        self.run_list.setVisible(has_runs)
        self._room_timer.start()
        self._is_preview_outdated = True
        if self.isVisible():
            self._show_preview_busy(busy=bool(self.run_list.checked_keys()))
            self._preview_timer.start()

    def _update_preview(self) -> None:
        """Start to create the preview in the background, if it is outdated and visible."""
        if not self._is_preview_outdated or not self.isVisible():
            return
        self._is_preview_outdated = False
        self.runs.stop(_PREVIEW)
        if not self.run_list.checked_keys():
            self._show_preview_busy(busy=False)
            self.preview.clear()
            return
        folder = Path(self._folder.name)
        preview_path = folder / "preview.html"
        template_path = folder / "template.html"
        width = max(_MIN_PICTURE_WIDTH, self.preview.viewport().width() - _PICTURE_MARGIN)
        template = _PREVIEW_TEMPLATE.format(width=width, map_height=MAP_HEIGHT)
        template_path.write_text(template, encoding="utf-8")
        parameters = {
            **self.parameters(),
            TEMPLATE.id: str(template_path),
            HTML.id: str(preview_path),
        }
        self._show_preview_busy(busy=True)
        self.runs.start(
            _ALGORITHM,
            parameters,
            lambda outcome: self._show_preview(outcome, preview_path),
            key=_PREVIEW,
        )

    def _show_preview_busy(self, busy: bool) -> None:
        """Show by the cursor, and by a text in an empty preview, that the preview is being made."""
        text = tr("The preview of the report appears here.")
        if busy:
            text = tr("The preview of the report is being made…")
            self.preview.viewport().setCursor(Qt.CursorShape.BusyCursor)
        else:
            self.preview.viewport().unsetCursor()
        self.preview.setPlaceholderText(text)

    def _show_preview(self, outcome: Outcome, path: Path) -> None:
        """Show the preview at the same scroll position, or the error message.

        Args:
            outcome: Outcome of the run; the preview is cleared if it was cancelled.
            path: Path of the preview.
        """
        self._show_preview_busy(busy=False)
        if isinstance(outcome, Succeeded):
            scroll_bar = self.preview.verticalScrollBar()
            scroll_position = scroll_bar.value()
            html = path.read_text(encoding="utf-8")
            html = html.replace("</head>", f"{_PREVIEW_STYLE}</head>", 1)
            self.preview.setHtml(keep_numbers_whole(html))
            scroll_bar.setValue(scroll_position)
        elif isinstance(outcome, Failed):
            self.preview.setPlainText(outcome.message)
        else:
            self.preview.clear()
