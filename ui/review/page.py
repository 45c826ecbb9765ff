"""Page Review: crowns one after another, a verdict on each, and what the verdicts say."""

from __future__ import annotations

from getpass import getuser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import QgsGeometry, QgsProject
from qgis.PyQt.QtCore import Qt, QTimer
from qgis.PyQt.QtGui import QShowEvent
from qgis.PyQt.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from randcrowns.algorithms.catalogue import IMPORT_CROWNS
from randcrowns.algorithms.scoring.reviewed import agreement_words, progress_words
from randcrowns.layers.styles import TARGET
from randcrowns.layers.styles.tree import extent_of
from randcrowns.layers.words import tr
from randcrowns.ui.review.choosing import Choosing
from randcrowns.ui.review.scored import ScoredLayer
from randcrowns.ui.review.session import ReviewSession, no_file
from randcrowns.ui.review.side_by_side import SideBySide, draw_outlines
from randcrowns.ui.review.table import NONE, last_verdict, review_columns
from randcrowns.ui.review.verdict_bar import VerdictBar
from randcrowns.ui.services.layer_watch import ProjectLayers
from randcrowns.ui.services.messages import Messages, load_sample_plot
from randcrowns.ui.services.settings import REVIEWER, preference, recall, remember, set_preference
from randcrowns.ui.shell.importing import show_dialog
from randcrowns.ui.shell.page import DockPage
from randcrowns.ui.widgets.colours import QUIET, WARN
from randcrowns.ui.widgets.crown_list import CrownList, Legend, counts_in_words
from randcrowns.ui.widgets.editors import label_of_widget
from randcrowns.ui.widgets.map_highlight import MapHighlight, bring_into_view
from randcrowns.ui.widgets.parts import fill, in_scroll_area, read_out_as, tell, tool_button, wrapped
from randcrowns.ui.widgets.run_bar import SHOWN, EmptyState, QuoteRow
from randcrowns.ui.widgets.table_model import as_number, as_text


class ReviewPage(DockPage):
    """Shows the crowns of a scored layer in an order, and keeps a verdict on each in the results' GeoPackage."""

    key = "review"

    def __init__(self, iface: Any) -> None:
        super().__init__()
        self.iface, self.messages = iface, Messages(iface)
        self.highlight = MapHighlight(iface.mapCanvas(), self)
        self.session = ReviewSession()
        self.choosing, self.bar = Choosing(), VerdictBar(iface)
        self.progress, self.sentence = wrapped(), wrapped(form=Qt.TextFormat.PlainText)
        self.why_not, self.agreement = wrapped(tone=WARN), wrapped(tone=QUIET, form=Qt.TextFormat.PlainText)
        self.legend = Legend()
        self.list = CrownList("randcrowns_review", with_regions=False)
        read_out_as(self.list, tr("Crowns"))
        self.reviewer = QLineEdit(preference(REVIEWER, "") or getuser())
        self.reviewer.setToolTip(tr("Your name, kept with every verdict."))
        self.merge_button = tool_button(
            tr("Add verdicts…"), tr("Takes in the verdicts of another reviewer's GeoPackage."), self._ask_merge
        )
        self.beside: SideBySide | None = None
        self.beside_button = tool_button(
            tr("Side by side"),
            tr("The crown as up to four delineation layers have it, in small maps."),
            self.show_beside,
        )
        self.quotes = QuoteRow()
        self.quotes.report_asked.connect(lambda *run: self.page_asked.emit("report", {SHOWN: run}))
        self.empty = EmptyState(tr("Nothing is scored yet. Score crowns on page Score, then review them here."))
        self._build()
        self._project = ProjectLayers(self)
        self._project.changed.connect(self._follow_project)
        self.choosing.layer_changed.connect(self._take_layer)
        self.choosing.changed.connect(self._arrange)
        self.bar.given.connect(self.judge)
        self.bar.step_asked.connect(lambda by: self._go(self.session.beside(by)))
        self.bar.comment.returnPressed.connect(self._keep_comment)
        self.list.row_chosen.connect(lambda row: self._go(int(self.session.rows[row]) if row >= 0 else -1))
        self.reviewer.editingFinished.connect(lambda: set_preference(REVIEWER, self.reviewer.text().strip()))
        self.empty.import_asked.connect(lambda: show_dialog(self.iface, IMPORT_CROWNS))
        self.empty.sample_asked.connect(lambda: load_sample_plot(self.iface))
        self.restore()

    # What the dock asks

    def restore(self) -> None:
        self.choosing.show_kept(recall(self.key))
        self._follow_project()
        QTimer.singleShot(0, self._show_crown)  # the map of a project that is opened has its layers only then

    def keep(self, *_: object) -> None:
        crown = self.session.crown
        if self.session.scored is not None:
            remember(self.key, {**self.choosing.to_kept(), "crown": -1 if crown is None else int(crown["feature_id"])})

    def take_over(self, choices: dict[str, Any]) -> None:
        self._follow_project()
        self.choosing.show_kept({**self.choosing.to_kept(), **choices})
        if "crown" in choices:
            self._go(self.session.row_of(choices["crown"]))

    def leave(self) -> None:
        self.highlight.clear()
        if self.beside is not None:
            self.beside.hide()

    def close_down(self) -> None:
        if self.beside is not None:
            self.beside.close_down()
            self.beside = None
        self._project.close()
        self.bar.close_down()
        self.highlight.clear()

    # The crowns

    def _follow_project(self) -> None:
        self.choosing.follow_project()
        there = self.choosing.scored() is not None
        self.body.setVisible(there)
        self.empty.setVisible(not there)

    def _take_layer(self) -> None:
        """Read the crowns of the layer picked and the verdicts on them; the last one looked at is at hand again."""
        self.highlight.clear()
        self.session = ReviewSession()
        with self.messages.telling():
            layers = self.choosing.scored(), self.choosing.delineations.value(), self.choosing.compared_with()
            self.session = ReviewSession(*layers)
        self.choosing.offer_plots(self.session.plots)
        self.session.at = self.session.row_of(recall(self.key).get("crown"))
        self._arrange()

    def _arrange(self) -> None:
        """The list in its order; the crown at hand stays."""
        with self.messages.telling():
            self.session.arrange(self.choosing.order.value(), self.choosing.filter(), self.choosing.sample())
        self._show_list()
        self._show_crown()

    def _go(self, row: int) -> None:
        self.session.at = row
        self._show_crown()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._show_crown()

    def _show_crown(self) -> None:
        """The crown at hand on the map while the page is on show, in the list and in words."""
        crown, scored = self.session.crown, self.session.scored
        self.highlight.clear()
        self.legend.setVisible(False)
        if crown is not None and scored is not None and self.highlight.is_on_show:
            with self.messages.telling():
                self._draw(scored, scored.outlines(int(crown["feature"]), self.highlight.map_crs()))
        self._tell_crown()

    def _draw(self, scored: ScoredLayer, outlines: dict[str, QgsGeometry]) -> None:
        """The reference dotted, the delineations in their colours; on the image, where there is one, and all else
        behind a veil."""
        canvas, images, colours = self.iface.mapCanvas(), self.highlight.images(), scored.colours()
        if images:
            self.highlight.show_only(images)
        extent = extent_of(outlines.values())
        bring_into_view(canvas, extent)
        draw_outlines(self.highlight, outlines, colours, scored.near(extent, self.highlight.map_crs()))
        words = {name: name if name in outlines else tr("{name} (no match)", name=name) for name in scored.prefixes}
        entries = ((colours[name], "■", said) for name, said in words.items())
        self.legend.show_entries((TARGET, "┅", tr("target")), *entries)
        self.legend.setVisible(True)
        if self.beside is not None and self.beside.isVisible():
            self.beside.show_crown(outlines, colours, canvas, images)

    def show_beside(self, *_: object) -> None:
        """Open the small maps, with the crown at hand, or the first of the list."""
        if self.beside is None:
            self.beside = SideBySide(self)
        self.beside.show()
        self._go(self.session.at if self.session.crown is not None else self.session.beside(0))

    # Verdicts

    def judge(self, verdict: str) -> None:
        """Keep a verdict on the crown at hand and go to the next one without; nothing is lost after that."""
        if self._keep_verdict(verdict):
            after = self.session.following()
            self._show_list()
            self._go(after if after >= 0 else self.session.at)
            if after < 0:
                self.messages.success(tr("Every crown of the list has a verdict."))

    def _keep_verdict(self, verdict: str) -> bool:
        if self.session.crown is None or not self.session.can_keep:
            return False
        with self.messages.telling():
            self.session.keep(verdict, self.bar.comment.text(), self.reviewer.text().strip() or getuser())
            return True
        return False

    def _keep_comment(self) -> None:
        """Enter keeps a changed comment with the verdict that there is; the keys are verdicts again."""
        self.list.view.setFocus()
        crown = self.session.crown
        if crown is not None and not pd.isna(crown["verdict"]) and self._keep_verdict(str(crown["verdict"])):
            self._show_list()

    def _ask_merge(self) -> None:
        folder = str(Path(QgsProject.instance().absoluteFilePath()).parent)
        path, _ = QFileDialog.getOpenFileName(self, tr("Verdicts of another reviewer"), folder, "GeoPackage (*.gpkg)")
        if path:
            self.merge(Path(path))

    def merge(self, path: Path) -> None:
        """Take in the verdicts of another file."""
        with self.messages.telling():
            new = self.session.merge(path)
            self._arrange()
            self.messages.success(tr("{count:,} verdicts taken in.", one="1 verdict taken in.", count=new))

    # What is shown

    def _show_list(self) -> None:
        session = self.session
        self.list.show_frame(
            session.crowns.iloc[session.rows] if len(session.rows) else NONE,
            review_columns(bool(session.change_counts)),
        )
        told = list(filter(None, (self._progress_words(), self._share_words())))
        between = agreement_words(session.agreement())
        tell(self.progress, "\n".join(told))
        tell(self.agreement, "\n".join(between))
        record = None if session.scored is None else session.scored.record
        self.quotes.setVisible(record is not None)
        if record is not None and session.scored is not None:
            self.quotes.show_run(record, [session.scored.layer], "\n".join([*told, *between]))
        tell(self.why_not, no_file() if session.scored is not None and not session.can_keep else "")

    def _tell_crown(self) -> None:
        crown, place, number = self.session.crown, self.session.place(), as_number(2)
        self.bar.allow(len(self.session.rows) > 0, crown is not None and self.session.can_keep)
        self.list.view.select_frame_rows([place] if place >= 0 else [])
        if crown is None:
            tell(self.sentence, "")
            self.bar.comment.clear()
            return
        names = {"score": "RandCrowns", "iou": "IoU", "iou_crowns": "IoUCrowns"}
        scores = ", ".join(f"{name} {number(crown[column])}" for column, name in names.items())
        said = tr("Crown {number}: {scores}.", number=crown["feature_id"], scores=scores)
        tell(self.sentence, "\n".join(filter(None, [said, crown["cause"] or tr("No problem."), last_verdict(crown)])))
        self.bar.comment.setText(as_text(crown["comment"]))

    def _progress_words(self) -> str:
        told = self.session.progress()
        if told is None:
            return ""
        return ", ".join([*progress_words(told), *counts_in_words(self.session.change_counts)])

    def _share_words(self) -> str:
        found = self.session.share()
        if found is None:
            return ""
        if np.isnan(found.share):
            return tr("The accepted share of the layer is known once a crown of each score class or plot is judged.")
        said = "Of the whole layer {share:.0%} would be accepted (95 % interval {low:.0%} to {high:.0%})."
        return tr(said, share=found.share, low=found.low, high=found.high)

    def _build(self) -> None:
        inside = QWidget()
        who = fill(
            QHBoxLayout(),
            label_of_widget(tr("Reviewer"), self.reviewer.toolTip(), self.reviewer),
            self.reviewer,
            wide=self.reviewer,
        )
        more = fill(QHBoxLayout(), 1, self.beside_button, self.merge_button)
        self.list.setMinimumHeight(120)
        above = (self.choosing, self.progress, self.sentence, self.legend, self.bar, self.why_not)
        parts = (*above, self.list, self.agreement, who, more, self.quotes)
        fill(QVBoxLayout(inside), *parts, margins=(8, 4, 8, 6), spacing=4, wide=self.list)
        self.body = in_scroll_area(inside)
        fill(QVBoxLayout(self), self.body, self.empty)
