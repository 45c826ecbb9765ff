"""Page Review: crowns one after another, a verdict on each, and what the verdicts say."""

from __future__ import annotations

from getpass import getuser
from pathlib import Path
from typing import Any

import pandas as pd
from qgis.core import QgsGeometry, QgsProject
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QShowEvent
from qgis.PyQt.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from randcrowns.algorithms.catalogue import IMPORT_CROWNS
from randcrowns.algorithms.scoring.reviewed import agreement_words
from randcrowns.core.review.verdicts import Side
from randcrowns.layers.styles.tree import extent_of
from randcrowns.layers.words import tr
from randcrowns.ui.review.choosing import Choosing
from randcrowns.ui.review.scored import ScoredLayer
from randcrowns.ui.review.session import ReviewSession, no_file
from randcrowns.ui.review.side_by_side import SideBySide, draw_outlines, legend_entries
from randcrowns.ui.review.table import crown_told, listed, progress_told, review_columns
from randcrowns.ui.review.verdict_bar import VerdictBar
from randcrowns.ui.services.messages import Messages, load_sample_plot
from randcrowns.ui.services.settings import REVIEWER, preference, recall, remember, set_preference
from randcrowns.ui.shell.importing import show_dialog
from randcrowns.ui.shell.page import DockPage
from randcrowns.ui.widgets.colours import QUIET, WARN
from randcrowns.ui.widgets.crown_list import CrownList, Legend
from randcrowns.ui.widgets.editors import label_of
from randcrowns.ui.widgets.map_highlight import MapHighlight, bring_into_view
from randcrowns.ui.widgets.parts import (
    fill,
    in_scroll_area,
    read_out_as,
    tell,
    tool_button,
    wrapped,
)
from randcrowns.ui.widgets.run_bar import SHOWN, EmptyState, QuoteRow
from randcrowns.ui.widgets.table_model import as_text


class ReviewPage(DockPage):
    """Shows the crowns of a scored layer in an order, and keeps a verdict on each in the results' GeoPackage."""

    key = "review"

    def __init__(self, iface: Any) -> None:
        super().__init__()
        self.iface, self.messages = iface, Messages(iface)
        self.highlight = MapHighlight(iface.mapCanvas(), self)
        self.highlight.settling.timeout.connect(self._show_crown)
        self.session = ReviewSession()
        self.choosing, self.bar = Choosing(), VerdictBar(iface)
        self.progress, self.sentence = wrapped(), wrapped(form=Qt.TextFormat.PlainText)
        self.why_not, self.agreement = (
            wrapped(tone=WARN),
            wrapped(tone=QUIET, form=Qt.TextFormat.PlainText),
        )
        self.legend = Legend()
        self.list = CrownList("randcrowns_review", with_regions=False)
        read_out_as(self.list, tr("Crowns"))
        self.reviewer = QLineEdit(preference(REVIEWER, "") or getuser())
        self.reviewer.setToolTip(tr("Your name, kept with every verdict."))
        self.merge_button = tool_button(
            tr("Add verdicts…"),
            tr("Takes in the verdicts of another reviewer's GeoPackage."),
            self._ask_merge,
        )
        self.beside: SideBySide | None = None
        self.beside_button = tool_button(
            tr("Side by side"),
            tr("The crown as up to four delineation layers have it, in small maps."),
            self.show_beside,
        )
        self.quotes = QuoteRow()
        self.quotes.report_asked.connect(lambda *run: self.page_asked.emit("report", {SHOWN: run}))
        self.empty = EmptyState(
            tr("No scored crowns here: on page Score, score some or show an earlier run (Runs).")
        )
        self._build()
        self.project_layers.changed.connect(self._follow_project)
        self.choosing.layer_changed.connect(self._take_layer)
        self.choosing.changed.connect(self._rearrange)
        self.bar.given.connect(self.judge)
        self.bar.step_asked.connect(lambda by: self.go_to(self.session.beside(by)))
        self.bar.comment.returnPressed.connect(self._take_comment)
        self.list.row_chosen.connect(
            lambda row: self.go_to(int(self.session.rows[row]) if row >= 0 else -1)
        )
        self.empty.import_asked.connect(lambda: show_dialog(self.iface, IMPORT_CROWNS))
        self.reviewer.editingFinished.connect(self._take_reviewer)
        self.empty.sample_asked.connect(lambda: load_sample_plot(self.iface))
        self.restore()

    # What the dock asks

    def restore(self) -> None:
        self.highlight.settle()
        self.choosing.show_kept(recall(self.key))
        self._follow_project()

    def keep(self, *_: object) -> None:
        self._keep_comment()
        crown = self.session.crown
        if self.session.scored is not None:
            at = (
                {}
                if crown is None
                else {"crown": int(crown["feature_id"]), "side": str(crown["side"])}
            )
            remember(self.key, {**self.choosing.to_kept(), **at})

    def take_over(self, choices: dict[str, Any]) -> None:
        self._follow_project()
        self.choosing.show_kept({**self.choosing.to_kept(), **choices})
        if "crown" in choices:
            self.go_to(self.session.row_of(choices["crown"]))

    def leave(self) -> None:
        self._keep_comment()
        self.highlight.clear()
        if self.beside is not None:
            self.beside.hide()

    def close_down(self) -> None:
        self._keep_comment(show=False)
        if self.beside is not None:
            self.beside.close_down()
            self.beside = None
        self.project_layers.close()
        self.bar.close_down()
        self.highlight.clear()

    # The crowns

    def _follow_project(self) -> None:
        before = self.session
        self.choosing.follow_project()
        now = self.choosing.scored()
        self.body.setVisible(now is not None)
        self.empty.setVisible(now is None)
        if (
            now is not None
            and before.layer_id
            and self.choosing.layer.findData(before.layer_id) < 0
        ):
            said = "'{gone}' is no longer in the project; now under review: '{now}'."
            self.messages.warning(tr(said, gone=before.title, now=now.title))
        if self.session is before and before.is_outdated():
            self._take_layer()

    def _take_layer(self) -> None:
        """Read the crowns of the layer picked and the verdicts on them; the last one looked at is at hand again."""
        self._keep_comment(show=False)  # the layer may be gone
        self.highlight.clear()
        before, self.session = self.session, ReviewSession()
        with self.messages.telling():
            layers = (
                self.choosing.scored(),
                self.choosing.delineations.value(),
                self.choosing.compared_with(),
            )
            self.session = ReviewSession(*layers)
        self.choosing.offer_plots(self.session.plots)
        self.session.at, kept = self.session.row_as(before), recall(self.key)
        if self.session.at < 0 and kept.get("layer") == self.choosing.layer.value():
            self.session.at = self.session.row_of(
                kept.get("crown"), str(kept.get("side", Side.TARGET.value))
            )
        self._arrange()

    def _rearrange(self) -> None:
        if self._keep_comment():
            self._arrange()

    def _arrange(self) -> None:
        """The list in its order; the crown at hand stays."""
        self.session.reviewer = self._reviewer()
        with self.messages.telling():
            self.session.arrange(
                self.choosing.order.value(), self.choosing.filter(), self.choosing.sample()
            )
        self._show_list()
        self._show_crown()

    def go_to(self, row: int) -> None:
        """Have another crown at hand; the comment on the one before is kept, or that one stays."""
        if not self._keep_comment():
            return
        self.session.at = row
        self._show_crown()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._keep_comment(show=False)
        self._show_crown()

    def _show_crown(self) -> None:
        """The crown at hand on the map while the page is on show, in the list and in words."""
        crown, scored = self.session.crown, self.session.scored
        self.highlight.clear()
        self.legend.setVisible(False)
        if crown is not None and scored is not None and self.highlight.is_on_show:
            with self.messages.telling():
                self._draw(
                    scored, scored.outlines(crown, self.highlight.map_crs(), self.session.drawn)
                )
        elif crown is None and self.beside is not None:
            self.beside.hide()
        self._tell_crown()

    def _draw(self, scored: ScoredLayer, outlines: dict[str, QgsGeometry]) -> None:
        """The reference dotted, the delineations in their colours; on the image, where there is one, and all else
        behind a veil."""
        canvas, images, colours = self.iface.mapCanvas(), self.highlight.images(), scored.colours()
        if images:
            self.highlight.show_only(images)
        extent = extent_of(outlines.values())
        bring_into_view(canvas, extent)
        draw_outlines(
            self.highlight,
            outlines,
            colours,
            scored.near(extent, self.highlight.map_crs(), self.session.drawn),
        )
        self.legend.show_entries(*legend_entries(outlines, colours))
        self.legend.setVisible(True)
        if self.beside is not None and self.beside.isVisible():
            self.beside.show_crown(outlines, colours, canvas, images)

    def show_beside(self, *_: object) -> None:
        """Open the small maps, with the crown at hand, or the first of the list."""
        if self.beside is None:
            self.beside = SideBySide(self)
        self.beside.show()
        self.go_to(self.session.at if self.session.crown is not None else self.session.beside(0))

    # Verdicts

    def judge(self, verdict: str) -> None:
        """Keep a verdict on the crown at hand and go to the next one without; nothing is lost after that."""
        kept, self.session.reviewer = False, self._reviewer()
        with self.messages.telling():
            kept = self.session.keep(verdict, self.bar.comment.text())
        if kept:
            after = self.session.following()
            self._show_list()
            self.go_to(after if after >= 0 else self.session.at)
            if after < 0:
                self.messages.success(tr("Every crown of the list has a verdict."))

    def _keep_comment(self, show: bool = True) -> bool:
        """Keep a comment that was changed; False where that failed, which is told."""
        with self.messages.telling():
            if self.session.keep_comment(self.bar.comment.text()) and show:
                self._show_list()
            return True
        return False

    def _take_comment(self) -> None:
        """Enter keeps it with the verdict that there is, else it goes with the next; the keys are verdicts again."""
        self.list.view.setFocus()
        crown = self.session.crown
        if crown is not None and not pd.isna(crown["verdict"]) and self._keep_comment():
            self._tell_crown()

    def _reviewer(self) -> str:
        return self.reviewer.text().strip() or getuser()

    def _take_reviewer(self) -> None:
        """Another reviewer has a queue of their own."""
        if self._reviewer() != self.session.reviewer and self._keep_comment():
            set_preference(REVIEWER, self.reviewer.text().strip())
            self._arrange()

    def _ask_merge(self) -> None:
        folder = str(Path(QgsProject.instance().absoluteFilePath()).parent)
        path, _ = QFileDialog.getOpenFileName(
            self, tr("Verdicts of another reviewer"), folder, "GeoPackage (*.gpkg)"
        )
        if path:
            self.merge(Path(path))

    def merge(self, path: Path) -> None:
        """Take in the verdicts of another file."""
        with self.messages.telling():
            self._keep_comment()
            new = self.session.merge(path)
            self._arrange()
            self.messages.success(
                tr("{count:,} verdicts taken in.", one="1 verdict taken in.", count=new)
            )

    # What is shown

    def _show_list(self) -> None:
        session = self.session
        shown = listed(session)
        self.list.show_frame(shown, review_columns(shown, bool(session.change_counts)))
        told, between = progress_told(session), agreement_words(session.agreement())
        tell(self.progress, "\n".join(told))
        tell(self.agreement, "\n".join(between))
        record = None if session.scored is None else session.scored.record
        self.quotes.setVisible(record is not None)
        if record is not None and session.scored is not None:
            self.quotes.show_run(record, [session.scored.layer], "\n".join([*told, *between]))
        tell(self.why_not, no_file() if session.scored is not None and not session.can_keep else "")

    def _tell_crown(self) -> None:
        crown, place = self.session.crown, self.session.place()
        self.bar.allow(len(self.session.rows) > 0, crown is not None and self.session.can_keep)
        self.list.view.select_frame_rows([place] if place >= 0 else [])
        tell(self.sentence, "" if crown is None else crown_told(crown))
        self.bar.comment.setText("" if crown is None else as_text(crown["comment"]))

    def _build(self) -> None:
        inside = QWidget()
        who = fill(
            QHBoxLayout(),
            label_of(tr("Reviewer"), self.reviewer.toolTip(), self.reviewer),
            self.reviewer,
            wide=self.reviewer,
        )
        more = fill(QHBoxLayout(), 1, self.beside_button, self.merge_button)
        self.list.setMinimumHeight(160)
        # What grows and shrinks from crown to crown stands below the buttons, which must not move under the mouse.
        above = (self.choosing, self.bar, self.progress, self.sentence, self.legend, self.why_not)
        parts = (*above, self.list, self.agreement, who, more, self.quotes)
        fill(QVBoxLayout(inside), *parts, margins=(8, 4, 8, 6), spacing=4, wide=self.list)
        self.body = in_scroll_area(inside)
        fill(QVBoxLayout(self), self.body, self.empty)
