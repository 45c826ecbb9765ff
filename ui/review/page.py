"""Page Review: crowns in an order, a verdict on each, and what the verdicts show together."""

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
    """Page that shows the crowns of a scored layer and saves verdicts on them.

    The verdicts are saved in the GeoPackage of the results.

    Args:
        iface: The interface of the QGIS window.
    """

    key = "review"

    def __init__(self, iface: Any) -> None:
        super().__init__()
        self.iface = iface
        self.messages = Messages(iface)
        #: Drawings on the map.
        self.highlight = MapHighlight(iface.mapCanvas(), self)
        #: State of the review.
        self.session = ReviewSession()
        #: Selects the layer, the order and the filter.
        self.choosing = Choosing()
        #: Buttons for verdicts, and the comment.
        self.bar = VerdictBar(iface)
        #: Progress of the review and accepted share.
        self.progress = wrapped()
        #: Description of the current crown.
        self.sentence = wrapped(form=Qt.TextFormat.PlainText)
        #: Reason why verdicts cannot be saved.
        self.why_not = wrapped(tone=WARN)
        #: Agreement of the reviewers.
        self.agreement = wrapped(tone=QUIET, form=Qt.TextFormat.PlainText)
        #: Legend of the drawings on the map.
        self.legend = Legend()
        #: List of crowns.
        self.list = CrownList("randcrowns_review", with_regions=False)
        read_out_as(self.list, tr("Crowns"))
        #: Name of the reviewer.
        self.reviewer = QLineEdit(preference(REVIEWER, "") or getuser())
        self.reviewer.setToolTip(tr("Your name, saved with every verdict."))
        #: Button that adds the verdicts of another file.
        self.merge_button = tool_button(
            tr("Add verdicts…"),
            tr("Add the verdicts from another reviewer's GeoPackage."),
            self._select_file_to_merge,
        )
        #: Window with small maps; None until it is opened.
        self.beside: SideBySide | None = None
        #: Button that opens the window with small maps.
        self.beside_button = tool_button(
            tr("Side by side"),
            tr("Show the crown of up to four delineation layers in small maps."),
            self.show_beside,
        )
        #: Buttons that copy or report the run.
        self.quotes = QuoteRow()
        #: Message while no layer can be reviewed.
        self.empty = EmptyState(
            tr(
                "There are no scored crowns in this project. On page Score, score crowns or show "
                "an earlier run (Runs)."
            )
        )
        self._build()
        self._connect()
        self.restore()

    def _build(self) -> None:
        """Arrange the widgets."""
        reviewer_row = fill(
            QHBoxLayout(),
            label_of(tr("Reviewer"), self.reviewer.toolTip(), self.reviewer),
            self.reviewer,
            wide=self.reviewer,
        )
        button_row = fill(QHBoxLayout(), 1, self.beside_button, self.merge_button)
        self.list.setMinimumHeight(160)
        # Widgets of variable height are below the buttons, so that the buttons do not move under
        # the mouse from crown to crown.
        parts = (
            self.choosing,
            self.bar,
            self.progress,
            self.sentence,
            self.legend,
            self.why_not,
            self.list,
            self.agreement,
            reviewer_row,
            button_row,
            self.quotes,
        )
        content = QWidget()
        fill(QVBoxLayout(content), *parts, margins=(8, 4, 8, 6), spacing=4, wide=self.list)
        #: Scroll area with the review; hidden while no layer can be reviewed.
        self.body = in_scroll_area(content)
        fill(QVBoxLayout(self), self.body, self.empty)

    def _connect(self) -> None:
        """Connect the signals of the widgets."""
        self.highlight.settling.timeout.connect(self._show_crown)
        self.project_layers.changed.connect(self._follow_project)
        self.choosing.layer_changed.connect(self._read_layer)
        self.choosing.changed.connect(self._rearrange)
        self.bar.given.connect(self.judge)
        self.bar.step_asked.connect(lambda step: self.go_to(self.session.beside(step)))
        self.bar.comment.returnPressed.connect(self._finish_comment)
        self.list.row_chosen.connect(self._go_to_list_row)
        self.reviewer.editingFinished.connect(self._on_reviewer_edited)
        self.quotes.report_asked.connect(lambda *run: self.page_asked.emit("report", {SHOWN: run}))
        self.empty.import_asked.connect(lambda: show_dialog(self.iface, IMPORT_CROWNS))
        self.empty.sample_asked.connect(lambda: load_sample_plot(self.iface))

    # Methods that the dock calls

    def restore(self) -> None:
        """Show the layer, order and filter stored in the project."""
        self.highlight.settle()
        self.choosing.show_kept(recall(self.key))
        self._follow_project()

    def keep(self, *_: object) -> None:
        """Save the comment; store layer, order, filter and current crown in the project."""
        self._save_comment()
        if self.session.scored is None:
            return
        values = self.choosing.to_kept()
        crown = self.session.crown
        if crown is not None:
            values["crown"] = int(crown["feature_id"])
            values["side"] = str(crown["side"])
        remember(self.key, values)

    def take_over(self, choices: dict[str, Any]) -> None:
        """Show the layer and the crown that another page has sent.

        Args:
            choices: Values of :class:`Choosing` by key, and ``crown`` (id of a target).
        """
        self._follow_project()
        self.choosing.show_kept({**self.choosing.to_kept(), **choices})
        if "crown" in choices:
            self.go_to(self.session.row_of(choices["crown"]))

    def leave(self) -> None:
        """Save the comment; remove the drawings and hide the small maps."""
        self._save_comment()
        self.highlight.clear()
        if self.beside is not None:
            self.beside.hide()

    def close_down(self) -> None:
        """Save the comment; remove windows, shortcuts, signal connections and drawings."""
        self._save_comment(show=False)
        if self.beside is not None:
            self.beside.close_down()
            self.beside = None
        self.project_layers.close()
        self.bar.close_down()
        self.highlight.clear()

    # The list and the current crown

    def _follow_project(self) -> None:
        """Update the offered layers; read the layers again if the session is outdated.

        A warning is shown if the reviewed layer was removed and another one takes its place.
        """
        previous = self.session
        self.choosing.follow_project()
        current = self.choosing.scored()
        self.body.setVisible(current is not None)
        self.empty.setVisible(current is None)
        was_removed = (
            bool(previous.layer_id) and self.choosing.layer.findData(previous.layer_id) < 0
        )
        if current is not None and was_removed:
            text = tr(
                "'{gone}' is no longer in the project; now under review: '{now}'.",
                gone=previous.title,
                now=current.title,
            )
            self.messages.warning(text)
        # Following the project may have started another session.
        if self.session is previous and previous.is_outdated():
            self._read_layer()

    def _read_layer(self) -> None:
        """Read the crowns of the selected layer and the verdicts on them.

        The current crown stays the same if the layer has it; else it is the one stored in the
        project for this layer.
        """
        self._save_comment(show=False)  # the list may belong to a removed layer
        self.highlight.clear()
        previous = self.session
        self.session = ReviewSession()
        with self.messages.telling():
            self.session = ReviewSession(
                self.choosing.scored(),
                self.choosing.delineations.value(),
                self.choosing.compared_with(),
            )
        self.choosing.offer_plots(self.session.plots)
        self.session.at = self.session.row_as(previous)
        stored = recall(self.key)
        if self.session.at < 0 and stored.get("layer") == self.choosing.layer.value():
            side = str(stored.get("side", Side.TARGET.value))
            self.session.at = self.session.row_of(stored.get("crown"), side)
        self._arrange()

    def _rearrange(self) -> None:
        """List the crowns again, unless the comment cannot be saved."""
        if self._save_comment():
            self._arrange()

    def _arrange(self) -> None:
        """List the crowns in their order; the current crown stays the same."""
        self.session.reviewer = self._reviewer_name()
        with self.messages.telling():
            self.session.arrange(
                self.choosing.order.value(), self.choosing.filter(), self.choosing.sample()
            )
        self._show_list()
        self._show_crown()

    def go_to(self, row: int) -> None:
        """Show another crown, unless the comment on the current one cannot be saved.

        Args:
            row: Row of :attr:`.ReviewSession.crowns`; -1 for no crown.
        """
        if not self._save_comment():
            return
        self.session.at = row
        self._show_crown()

    def _go_to_list_row(self, position: int) -> None:
        """Show the crown at a position of the list; -1 for no crown."""
        self.go_to(int(self.session.rows[position]) if position >= 0 else -1)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the current crown on the map."""
        super().showEvent(event)
        self._save_comment(show=False)
        self._show_crown()

    def _show_crown(self) -> None:
        """Draw the current crown on the map while the page is visible; select and describe it."""
        crown = self.session.crown
        scored = self.session.scored
        self.highlight.clear()
        self.legend.setVisible(False)
        if crown is not None and scored is not None and self.highlight.is_on_show:
            with self.messages.telling():
                map_crs = self.highlight.map_crs()
                self._draw(scored, scored.outlines(crown, map_crs, self.session.drawn))
        elif crown is None and self.beside is not None:
            self.beside.hide()
        self._update_crown_widgets()

    def _draw(self, scored: ScoredLayer, outlines: dict[str, QgsGeometry]) -> None:
        """Draw a crown on the map and in the small maps, and show the legend.

        The target is dotted, the delineations have the colours of their layers, and the rest of
        the map is covered by a veil. Only the images are visible below, if there are any.

        Args:
            scored: The scored layer.
            outlines: Outlines of the crown, see :meth:`.ScoredLayer.outlines`.
        """
        canvas = self.iface.mapCanvas()
        images = self.highlight.images()
        colours = scored.colours()
        if images:
            self.highlight.show_only(images)
        extent = extent_of(outlines.values())
        bring_into_view(canvas, extent)
        surroundings = scored.near(extent, self.highlight.map_crs(), self.session.drawn)
        draw_outlines(self.highlight, outlines, colours, surroundings)
        self.legend.show_entries(*legend_entries(outlines, colours))
        self.legend.setVisible(True)
        if self.beside is not None and self.beside.isVisible():
            self.beside.show_crown(outlines, colours, canvas, images)

    def show_beside(self, *_: object) -> None:
        """Open the small maps with the current crown, or else with the first one of the list."""
        if self.beside is None:
            self.beside = SideBySide(self)
        self.beside.show()
        has_crown = self.session.crown is not None
        self.go_to(self.session.at if has_crown else self.session.beside(0))

    # Verdicts

    def judge(self, verdict: str) -> None:
        """Save a verdict on the current crown, and go to the next one without a verdict.

        Errors are shown in the message bar, and the current crown stays the same.

        Args:
            verdict: A :class:`.Verdict` as text.
        """
        is_saved = False
        self.session.reviewer = self._reviewer_name()
        with self.messages.telling():
            is_saved = self.session.keep(verdict, self.bar.comment.text())
        if not is_saved:
            return
        next_row = self.session.following()
        self._show_list()
        self.go_to(next_row if next_row >= 0 else self.session.at)
        if next_row < 0:
            self.messages.success(tr("Every crown of the list has a verdict."))

    def _save_comment(self, show: bool = True) -> bool:
        """Save the comment on the current crown if it was changed.

        Errors are shown in the message bar.

        Args:
            show: True to update the list.

        Returns:
            False if the comment could not be saved.
        """
        with self.messages.telling():
            if self.session.keep_comment(self.bar.comment.text()) and show:
                self._show_list()
            return True
        return False

    def _finish_comment(self) -> None:
        """Move the focus to the list, and save the comment if the crown has a verdict.

        Without a verdict, the comment is saved with the next one. The focus leaves the comment so
        that its keys are shortcuts again.
        """
        self.list.view.setFocus()
        crown = self.session.crown
        if crown is not None and not pd.isna(crown["verdict"]) and self._save_comment():
            self._update_crown_widgets()

    def _reviewer_name(self) -> str:
        """Return the name of the reviewer, by default that of the user account."""
        return self.reviewer.text().strip() or getuser()

    def _on_reviewer_edited(self) -> None:
        """List the crowns again for another reviewer, unless the comment cannot be saved."""
        if self._reviewer_name() != self.session.reviewer and self._save_comment():
            set_preference(REVIEWER, self.reviewer.text().strip())
            self._arrange()

    def _select_file_to_merge(self) -> None:
        """Show a file dialog, and add the verdicts of the selected GeoPackage."""
        folder = str(Path(QgsProject.instance().absoluteFilePath()).parent)
        path, _ = QFileDialog.getOpenFileName(
            self, tr("Verdicts of another reviewer"), folder, "GeoPackage (*.gpkg)"
        )
        if path:
            self.merge(Path(path))

    def merge(self, path: Path) -> None:
        """Add the verdicts of another file; errors are shown in the message bar.

        Args:
            path: GeoPackage with verdicts.
        """
        with self.messages.telling():
            self._save_comment()
            added_count = self.session.merge(path)
            self._arrange()
            self.messages.success(
                tr("{count:,} verdicts added.", one="1 verdict added.", count=added_count)
            )

    # Texts and widgets

    def _show_list(self) -> None:
        """Show the list, the progress and the agreement of the reviewers."""
        session = self.session
        crowns = listed(session)
        self.list.show_frame(crowns, review_columns(crowns, bool(session.change_counts)))
        progress_lines = progress_told(session)
        agreement_lines = agreement_words(session.agreement())
        tell(self.progress, "\n".join(progress_lines))
        tell(self.agreement, "\n".join(agreement_lines))

        record = None if session.scored is None else session.scored.record
        self.quotes.setVisible(record is not None)
        if record is not None and session.scored is not None:
            text = "\n".join([*progress_lines, *agreement_lines])
            self.quotes.show_run(record, [session.scored.layer], text)
        needs_file = session.scored is not None and not session.can_keep
        tell(self.why_not, no_file() if needs_file else "")

    def _update_crown_widgets(self) -> None:
        """Select the current crown in the list, describe it, and enable the buttons."""
        crown = self.session.crown
        position = self.session.place()
        can_judge = crown is not None and self.session.can_keep
        self.bar.allow(len(self.session.rows) > 0, can_judge)
        self.list.view.select_frame_rows([position] if position >= 0 else [])
        tell(self.sentence, "" if crown is None else crown_told(crown))
        self.bar.comment.setText("" if crown is None else as_text(crown["comment"]))
