"""Page Report: tick runs and parts, look at the preview, save as HTML or PDF."""

from __future__ import annotations

import tempfile
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from qgis.PyQt.QtCore import Qt, QUrl
from qgis.PyQt.QtGui import QDesktopServices, QResizeEvent, QShowEvent, QTextOption
from qgis.PyQt.QtWidgets import (
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSplitter,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.catalogue import REPORT
from randcrowns.algorithms.report.choices import (
    CROWNS,
    HTML,
    IMAGE,
    PARTS,
    PDF,
    REPORT_CHOICES,
    RUNS,
    TEMPLATE,
    TITLE,
)
from randcrowns.layers.words import tr
from randcrowns.ui.report.run_list import RunList
from randcrowns.ui.services.layer_watch import after
from randcrowns.ui.services.messages import Messages
from randcrowns.ui.services.result_file import Failed, Outcome, Succeeded
from randcrowns.ui.services.runner import Runs
from randcrowns.ui.services.settings import Settings, remember
from randcrowns.ui.shell.page import DockPage
from randcrowns.ui.widgets.choice_form import ChoiceForm, Part, Row
from randcrowns.ui.widgets.colours import LINK, QUIET
from randcrowns.ui.widgets.parts import fill, in_scroll_area, tell, wrapped
from randcrowns.ui.widgets.run_bar import SHOWN
from randcrowns.ui.widgets.table_view import ask_and_save

_ALGORITHM = f"randcrowns:{REPORT.key}"
_PREVIEW = "preview"
#: Template of the preview: that of pages, in the room that there is.
_TEMPLATE = '{{% set room = {room} %}}{{% include "report_paper.html" %}}'
#: Milliseconds without another choice after which the preview is made anew.
_PATIENCE = 400
#: Pixels beside a picture in the preview, and of the narrowest.
_AROUND, _NARROWEST = 16, 100
#: Output -> ending of its file, and what such a file is.
_FILES = {HTML: (".html", tr("Web page")), PDF: (".pdf", tr("Pages"))}
_KEPT = tuple(choice for choice in REPORT_CHOICES if choice is not RUNS)


class ReportPage(DockPage):
    """Fills in the parameters of the report algorithm, and shows its preview."""

    key = "report"

    def __init__(self, iface: Any) -> None:
        super().__init__()
        self.iface, self.messages = iface, Messages(iface)
        self.runs = Runs(self.messages, tr("The report was cancelled; no file was changed."), self)
        self.list = RunList()
        self.none = wrapped(
            tr("No run of this project is known yet: run something on another page."), QUIET
        )
        self.form = ChoiceForm(
            (
                Part(tr("Runs"), [self.none, self.list]),
                Part(tr("Parts"), [Row(PARTS, wide=True, labelled=False)], folded=True),
                Part(tr("More"), [TITLE, CROWNS, IMAGE, TEMPLATE], folded=True),
            )
        )
        self.buttons = {output: QPushButton(f"{output.id}…") for output in _FILES}
        self.progress, self.cancel = QProgressBar(), QPushButton(tr("Cancel"))
        self.went, self.preview = wrapped(form=Qt.TextFormat.RichText), QTextBrowser()
        self._timer = after(_PATIENCE, self._make_preview, self)
        self._stale = True
        self._folder = tempfile.TemporaryDirectory(prefix="randcrowns")
        self._build()
        self._connect()
        self.restore()

    # What the dock asks

    def restore(self) -> None:
        """Take up the choices kept in the project; the runs are its own."""
        self.runs.stop(_PREVIEW)
        self.runs.cancel()
        self.list.forget()
        tell(self.went, "")
        self.show_kept(self.form, partial(Settings.of, _KEPT))
        self._follow()

    def keep(self, *_: object) -> None:
        if self.list.count():
            remember(self.key, self.settings().to_kept())

    def take_over(self, choices: dict[str, Any]) -> None:
        """Tick the run that another page shows."""
        if SHOWN in choices:
            self.list.take(*choices[SHOWN])

    def come_from(self, page: DockPage) -> None:
        """Tick what that page shows, else the last run."""
        quotes = getattr(page, "quotes", None)
        self.list.follow(None if quotes is None else quotes.shown)

    def leave(self) -> None:
        """Nothing is drawn on the map."""

    def close_down(self) -> None:
        self._timer.stop()
        self.runs.close()
        self.project_layers.close()
        self.form.check.close()
        self._folder.cleanup()

    # Reports

    def settings(self) -> Settings:
        """All that is chosen on the page but the runs."""
        return self.form.settings()

    def parameters(self) -> dict[str, Any]:
        """Of the algorithm, without where the report goes."""
        return {**self.settings().to_parameters(_KEPT), RUNS.ids[0]: self.list.parameter()}

    def ask(self, output: Any) -> None:
        """Ask where, then make the report."""
        ending, words = _FILES[output]
        runs = self.list.chosen()
        title = self.settings()[TITLE] or " ".join(run.about for run in runs)
        named = "_".join("".join(one if one.isalnum() else " " for one in title).split())[:60]
        name = f"{named or 'report'}_{runs[0].day}"
        ask_and_save(self, tr("Save report"), name, {ending: words}, partial(self.save, output))

    def save(self, output: Any, path: str) -> None:
        """Make the report as a file; the link says where it went."""
        self.keep()
        tell(self.went, "")
        given = {**self.parameters(), output.id: path}
        self.runs.begin(_ALGORITHM, given, lambda outcome: self._saved(outcome, path))

    def _saved(self, outcome: Outcome, path: str) -> None:
        if isinstance(outcome, Succeeded):
            url = escape(QUrl.fromLocalFile(path).toString())
            name = escape(Path(path).name)
            link = f'<a href="{url}" style="color:{LINK}">{name}</a>'
            tell(
                self.went,
                tr("Written: {link} in {folder}", link=link, folder=escape(str(Path(path).parent))),
            )

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """The preview is as wide as there is room."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._ask_preview()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self.list.refresh()
        self._ask_preview()

    def _follow(self) -> None:
        """The project has other layers: other runs may be known."""
        self.form.follow_project()
        self.list.refresh()

    def _ask_preview(self, *_: object) -> None:
        ready = bool(self.list.value())
        for button in self.buttons.values():
            button.setEnabled(ready and self.runs.shown is None)
        self.none.setVisible(not self.list.count())
        self.list.setVisible(bool(self.list.count()))
        self._stale = True
        if self.isVisible():
            self._timer.start()

    def _make_preview(self) -> None:
        if not self._stale or not self.isVisible():
            return
        self._stale = False
        self.runs.stop(_PREVIEW)
        if not self.list.value():
            self.preview.clear()
            return
        path, template = (
            str(Path(self._folder.name) / name) for name in ("preview.html", "template.html")
        )
        room = max(_NARROWEST, self.preview.viewport().width() - _AROUND)
        Path(template).write_text(_TEMPLATE.format(room=room), encoding="utf-8")
        given = {**self.parameters(), TEMPLATE.ids[0]: template, HTML.id: path}
        self.runs.begin(
            _ALGORITHM, given, lambda outcome: self._show_preview(outcome, path), makes=_PREVIEW
        )

    def _show_preview(self, outcome: Outcome, path: str) -> None:
        if isinstance(outcome, Succeeded):
            place = self.preview.verticalScrollBar().value()
            self.preview.setHtml(Path(path).read_text(encoding="utf-8"))
            self.preview.verticalScrollBar().setValue(place)
        else:
            self.preview.setPlainText(outcome.message if isinstance(outcome, Failed) else "")

    def _show_busy(self, busy: bool) -> None:
        for widget in (self.progress, self.cancel):
            widget.setVisible(busy)
        self.progress.setValue(0)
        for button in self.buttons.values():
            button.setVisible(not busy)
            button.setEnabled(bool(self.list.value()))

    def _connect(self) -> None:
        self.list.changed.connect(self._ask_preview)
        self.form.changed.connect(self._ask_preview)
        self.project_layers.changed.connect(self._follow)
        self.runs.busy_changed.connect(self._show_busy)
        self.runs.progressed.connect(lambda percent: self.progress.setValue(round(percent)))
        self.cancel.clicked.connect(self.runs.cancel)
        self.went.linkActivated.connect(lambda link: QDesktopServices.openUrl(QUrl(link)))
        for output, button in self.buttons.items():
            button.clicked.connect(lambda *_, output=output: self.ask(output))

    def _build(self) -> None:
        told = {HTML: tr("Save as one file for a browser."), PDF: tr("Save as A4 pages.")}
        for output, button in self.buttons.items():
            button.setToolTip(told[output])
        self.went.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.went.hide()
        self.preview.setAccessibleName(tr("Preview"))
        self.preview.setOpenLinks(False)
        self.preview.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAlwaysOn
        )  # its room is known beforehand
        self.preview.setWordWrapMode(
            QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
        )  # paths have no spaces
        # Its pictures and colours are those of paper, also in a dark window.
        self.preview.setStyleSheet("QTextBrowser { background: #ffffff; color: #000000; }")
        row = fill(QHBoxLayout(), *self.buttons.values(), self.progress, self.cancel)
        upper = QWidget()
        form = in_scroll_area(self.form)
        fill(QVBoxLayout(upper), form, wide=form)
        lower = QWidget()
        fill(
            QVBoxLayout(lower),
            row,
            self.went,
            self.preview,
            margins=(8, 2, 8, 6),
            spacing=3,
            wide=self.preview,
        )
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        for part in (upper, lower):
            splitter.addWidget(part)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([225, 400])
        fill(QVBoxLayout(self), splitter)
        self._show_busy(False)
