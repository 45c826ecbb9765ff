"""Page Review: crowns in an order, a verdict on each, and what the verdicts show together."""

from __future__ import annotations

from functools import partial
from getpass import getuser
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from qgis.core import QgsCoordinateReferenceSystem, QgsGeometry, QgsMapLayer, QgsRectangle
from qgis.PyQt.QtCore import QSize, Qt
from qgis.PyQt.QtGui import QResizeEvent, QShowEvent
from qgis.PyQt.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.review_texts import agreement_texts
from randcrowns.core.classes.evaluation import ClassResult
from randcrowns.core.errors import InputError
from randcrowns.core.review.verdicts import Side, Verdict
from randcrowns.layers.files.project_results import project_geopackage
from randcrowns.layers.files.verdict_file import storage_problem
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.tree import combined_extent, extent_in_map_crs
from randcrowns.ui.review.queue_form import QueueForm
from randcrowns.ui.review.review_list import (
    describe_crown,
    join_sentences,
    judged_subject,
    listed_crowns,
    progress_summary,
    read_list,
    review_columns,
)
from randcrowns.ui.review.review_session import ReviewSession
from randcrowns.ui.review.scored_layer import ScoredLayer
from randcrowns.ui.review.side_by_side import SideBySideWindow, draw_outlines, legend_entries
from randcrowns.ui.review.verdict_bar import VerdictBar
from randcrowns.ui.services.background import BackgroundTask, run_read
from randcrowns.ui.services.message_bar import MessageBar, add_sample_plot
from randcrowns.ui.services.overlapping_images import show_image
from randcrowns.ui.services.save_dialog import save_new_project, show_verdict_file
from randcrowns.ui.services.settings import (
    REVIEWER_PREFERENCE,
    preference,
    read_parameters,
    set_preference,
    write_parameters,
)
from randcrowns.ui.shell.import_dialog import open_import_dialog
from randcrowns.ui.shell.page import DockPage
from randcrowns.ui.widgets.colours import SECONDARY_TONE, WARNING_TONE
from randcrowns.ui.widgets.crown_list import CrownTable, Legend
from randcrowns.ui.widgets.editors import make_label
from randcrowns.ui.widgets.folding_row import FoldingRow
from randcrowns.ui.widgets.map_highlight import MapHighlight, centre_on
from randcrowns.ui.widgets.parts import (
    FREE_SPACE,
    fill_layout,
    hold_height,
    make_scrollable,
    make_tool_button,
    make_wrapped_label,
    retain_size_when_hidden,
    set_accessible_name,
    set_text_or_hide,
)
from randcrowns.ui.widgets.run_widgets import SHOWN_RUN, SHOWN_TAB, CopyRow, EmptyState
from randcrowns.ui.widgets.table_model import format_text

#: Number of lines for which the description of a crown reserves room, and that on a low page.
_CROWN_TEXT_LINES = 4
_LOW_CROWN_TEXT_LINES = 2
#: Height of a page below which it is low, pixels: that of a window of 720 pixels.
_LOW_HEIGHT = 530
#: Minimum height of the list of crowns, pixels.
_MIN_LIST_HEIGHT = 140
#: Margins of the content of the page (left, top, right, bottom), pixels.
_CONTENT_MARGINS = (8, 4, 8, 6)


class ReviewTable(CrownTable):
    """List of crowns that takes the height that the rest of the page leaves.

    The page scrolls only if this is less than the minimum height of the list.
    """

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the minimum height; a layout with wrapped texts adds up only size hints."""
        return QSize(super().sizeHint().width(), _MIN_LIST_HEIGHT)


class _GivenVerdict(NamedTuple):
    """A verdict of the reviewer, and the session whose current crown it is on."""

    #: A ``Verdict`` as text.
    verdict: str
    comment: str
    #: Right class of the crown; "" for other verdicts than "wrong class".
    right_class: str
    session: ReviewSession


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
        self.messages = MessageBar(iface)
        #: Drawings on the map.
        self.highlight = MapHighlight(iface.mapCanvas(), self)
        #: State of the review.
        self.session = ReviewSession()
        #: The session before the one that is being read; its current crown is shown again.
        self._last_session = self.session
        #: Background task that reads the crowns; None if there is none.
        self._reading: BackgroundTask | None = None
        #: Id of the target to show when its layer is read; None for none.
        self._requested_crown: Any = None
        #: Verdict to save when the crowns are read again after the project was saved; None for
        #: none.
        self._waiting_verdict: _GivenVerdict | None = None
        self._create_review_widgets()
        self._create_other_widgets()
        self._arrange_widgets()
        self._connect()
        self.load_parameters()

    def _create_review_widgets(self) -> None:
        """Create the widgets that select a crown, describe it and take the verdict on it."""
        #: Selects the layer, the order and the filter.
        self.queue_form = QueueForm()
        #: Buttons for verdicts, and the comment.
        self.verdict_bar = VerdictBar(self.iface)
        #: Progress of the review and accepted share.
        self.progress_label = make_wrapped_label()
        #: Description of the current crown.
        self.crown_label = make_wrapped_label(text_format=Qt.TextFormat.PlainText)
        self.crown_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        #: Message that no image shows the current crown.
        self.no_image_label = make_wrapped_label(
            tr("No image of the project shows this crown."), WARNING_TONE
        )
        self.no_image_label.hide()
        #: Reason why verdicts cannot be saved.
        self.storage_problem_label = make_wrapped_label(tone=WARNING_TONE)
        #: Agreement of the reviewers.
        self.agreement_label = make_wrapped_label(
            tone=SECONDARY_TONE, text_format=Qt.TextFormat.PlainText
        )
        #: Legend of the drawings on the map.
        self.legend = Legend()
        #: List of crowns.
        self.crown_table = ReviewTable("randcrowns_review")
        self.crown_table.view.select_one_row_at_a_time()
        set_accessible_name(self.crown_table, tr("Crowns"))

    def _create_other_widgets(self) -> None:
        """Create the widgets about the reviewers, the small maps, the run and the empty page."""
        #: Name of the reviewer.
        self.reviewer_field = QLineEdit(preference(REVIEWER_PREFERENCE, "") or getuser())
        self.reviewer_field.setToolTip(tr("Your name, saved with every verdict."))
        #: Button that adds the verdicts of another file.
        self.merge_button = make_tool_button(
            tr("Add verdicts…"),
            tr(
                "Add the verdicts from another reviewer's GeoPackage, or from the file that a page "
                "to explore has saved."
            ),
            self._select_file_to_merge,
        )
        #: Window with small maps; None until it is opened.
        self.side_by_side: SideBySideWindow | None = None
        #: Button that opens the window with small maps.
        self.side_by_side_button = make_tool_button(
            tr("Side by side"),
            tr("Show the crown of up to four delineation layers in small maps."),
            self.show_side_by_side,
        )
        #: Buttons that copy or report the run.
        self.quote_row = CopyRow()
        #: Message while no layer can be reviewed.
        self.empty_state = EmptyState(
            tr(
                "There are no scored crowns in this project. On page Score, score crowns or show "
                "an earlier run (Runs). Crowns in pixels and point clouds are evaluated on "
                "page Instances. Verdicts on places where annotators differ are given on page "
                "Annotators, tab Disagreements."
            )
        )
        #: Button of the empty page that opens the disagreements on page Annotators.
        self.disagreements_button = self.empty_state.add_button(
            tr("Go to Disagreements"),
            tr("Open page Annotators at the places where annotators differ."),
        )
        #: Button of the empty page that opens page Score.
        self.score_button = self.empty_state.add_button(
            tr("Go to Score"), tr("Open page Score, which scores crowns and shows earlier runs.")
        )

    def _arrange_widgets(self) -> None:
        """Arrange the widgets from top to bottom in a scroll area, and the message without a layer.

        Widgets of variable height are below the buttons, so that the buttons do not move under the
        mouse from crown to crown. Those above the list do not become lower again.
        """
        # Beside "Add verdicts…", the field would be as short as a few letters in a narrow dock.
        reviewer_row = FoldingRow(
            fill_layout(
                QHBoxLayout(),
                make_label(tr("Reviewer"), self.reviewer_field.toolTip(), self.reviewer_field),
                self.reviewer_field,
                stretched=self.reviewer_field,
            ),
            fill_layout(QHBoxLayout(), FREE_SPACE, self.side_by_side_button),
        )
        run_row = FoldingRow(
            fill_layout(QHBoxLayout(), self.merge_button, FREE_SPACE), self.quote_row
        )
        self.crown_table.setMinimumHeight(_MIN_LIST_HEIGHT)
        self.crown_table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        retain_size_when_hidden(self.crown_label)
        retain_size_when_hidden(self.legend)
        content = QWidget()
        fill_layout(
            QVBoxLayout(content),
            self.queue_form,
            self.verdict_bar,
            self.progress_label,
            self.crown_label,
            self.legend,
            self.no_image_label,
            self.storage_problem_label,
            self.crown_table,
            self.agreement_label,
            reviewer_row,
            run_row,
            margins=_CONTENT_MARGINS,
            spacing=4,
            stretched=self.crown_table,
        )
        #: Scroll area with the review; hidden while no layer can be reviewed.
        self.body = make_scrollable(content)
        fill_layout(QVBoxLayout(self), self.body, self.empty_state)

    def _connect(self) -> None:
        """Connect the signals of the widgets."""
        self.highlight.settling_timer.timeout.connect(self._show_crown)
        self.project_layers.changed.connect(self._follow_project)
        self.queue_form.layer_changed.connect(self._read_layer)
        self.queue_form.changed.connect(self._list_crowns_again)
        self.verdict_bar.verdict_given.connect(self.save_verdict)
        self.verdict_bar.step_requested.connect(
            lambda step: self.go_to(self.session.neighbour(step))
        )
        self.verdict_bar.comment_field.returnPressed.connect(self._finish_comment)
        self.crown_table.row_chosen.connect(self._go_to_list_row)
        self.reviewer_field.editingFinished.connect(self._on_reviewer_edited)
        self.quote_row.report_requested.connect(
            lambda *run: self.page_requested.emit("report", {SHOWN_RUN: run})
        )
        self.score_button.clicked.connect(lambda *_: self.page_requested.emit("score", {}))
        self.disagreements_button.clicked.connect(
            lambda *_: self.page_requested.emit("annotators", {SHOWN_TAB: "disagreements"})
        )
        self.empty_state.import_requested.connect(
            lambda: open_import_dialog(self.iface, self.page_requested.emit)
        )
        self.empty_state.sample_requested.connect(lambda: add_sample_plot(self.iface))

    # Methods that the dock calls

    def load_parameters(self) -> None:
        """Show the layer, order and filter stored in the project."""
        self.highlight.wait_for_layers()
        self.queue_form.set_stored(read_parameters(self.key))
        self._follow_project()

    def store_parameters(self, *_: object) -> None:
        """Save the comment; store layer, order, filter and current crown in the project."""
        self._save_comment()
        if self.session.scored_layer is None:
            return
        values = self.queue_form.to_stored()
        crown = self.session.current_crown
        if crown is not None:
            values["crown"] = int(crown["feature_id"])
            values["side"] = str(crown["side"])
        write_parameters(self.key, values)

    def show_parameters(self, stored_values: dict[str, Any]) -> None:
        """Show the layer and the crown that another page has sent.

        Args:
            stored_values: Values of :class:`QueueForm` by key, and ``crown`` (id of a target).
        """
        self._follow_project()
        self.queue_form.set_stored({**self.queue_form.to_stored(), **stored_values})
        if "crown" not in stored_values:
            return
        if self._reading is None:
            self.go_to(self.session.row_of(stored_values["crown"]))
        else:
            self._requested_crown = stored_values["crown"]

    def leave(self) -> None:
        """Save the comment; remove the drawings and hide the small maps."""
        self._save_comment()
        self.highlight.clear()
        if self.side_by_side is not None:
            self.side_by_side.hide()

    def close_down(self) -> None:
        """Save the comment; remove windows, shortcuts, signal connections and drawings."""
        self._save_comment(show=False)
        if self.side_by_side is not None:
            self.side_by_side.close_down()
            self.side_by_side = None
        if self._reading is not None:
            self._reading.stop()
            self._reading = None
        self.project_layers.close()
        self.verdict_bar.close_down()
        self.highlight.clear()

    # The list and the current crown

    def _follow_project(self) -> None:
        """Update the offered layers; read the layers again if the session is outdated.

        A warning is shown if the reviewed layer was removed and another one takes its place.
        """
        previous = self.session
        self.queue_form.reload_layers()
        current = self.queue_form.selected_layer()
        self.body.setVisible(current is not None)
        self.empty_state.setVisible(current is None)
        was_removed = (
            bool(previous.layer_id) and self.queue_form.layer_box.findData(previous.layer_id) < 0
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
        if self._reading is None:
            self._last_session = self.session
        else:
            # The session is empty while another one is being read.
            self._reading.stop()
            self._reading = None
        self.session = ReviewSession()
        session = ReviewSession()
        with self.messages.show_errors():
            session = ReviewSession(
                self.queue_form.selected_layer(),
                self.queue_form.delineation_box.value(),
                self.queue_form.earlier_layer(),
                self._reviewer_name(),
            )
        order = self.queue_form.order_box.value()
        read = partial(
            read_list, session, order, self.queue_form.queue_filter(), self.queue_form.sample()
        )
        self._reading = run_read(session.row_count, read, partial(self._on_read, session))
        if self._reading is not None:
            self._show_list()
            self._show_crown()
            set_text_or_hide(self.progress_label, tr("Reading the layers…"))

    def _on_read(self, session: ReviewSession, outcome: Any) -> None:
        """Show a session after its crowns were read.

        Args:
            session: The session.
            outcome: None, or the exception that was raised; an empty session is shown then.
        """
        if self._reading is not None and session.is_outdated():
            self._read_layer()
            return
        self._reading = None
        with self.messages.show_errors():
            if isinstance(outcome, Exception):
                raise outcome
            self.session = session
        self.queue_form.set_plots(self.session.plots)
        self.queue_form.set_classes(self.session.classes)
        self.verdict_bar.set_classes(self.session.classes)
        self.session.current_row = self._row_to_show()
        self._list_crowns()
        if self._waiting_verdict is not None:
            judgement, self._waiting_verdict = self._waiting_verdict, None
            self._write_verdict(judgement, is_project_new=True)

    def _row_to_show(self) -> int:
        """Return the row of the crown to show after the session was read; -1 for any.

        This is the crown that another page has requested, else the current crown of the session
        before, else the one stored in the project. The request is removed.
        """
        row = -1
        if self._requested_crown is not None:
            row = self.session.row_of(self._requested_crown)
            self._requested_crown = None
        if row < 0:
            row = self.session.row_of_current_in(self._last_session)
        stored = read_parameters(self.key)
        if row < 0 and stored.get("layer") == self.queue_form.layer_box.value():
            side = str(stored.get("side", Side.TARGET.value))
            row = self.session.row_of(stored.get("crown"), side)
        return row

    def _list_crowns_again(self) -> None:
        """List the crowns again, unless the comment cannot be saved."""
        if self._save_comment():
            self._list_crowns()

    def _list_crowns(self) -> None:
        """List the crowns in their order; the current crown, or else the first one, is shown."""
        self.session.reviewer = self._reviewer_name()
        with self.messages.show_errors():
            self.session.update_list(
                self.queue_form.order_box.value(),
                self.queue_form.queue_filter(),
                self.queue_form.sample(),
            )
        if self.session.current_crown is None:
            self.session.current_row = self.session.neighbour(0)
        self._show_list()
        self._show_crown()

    def go_to(self, row: int) -> None:
        """Show another crown, unless the comment on the current one cannot be saved.

        Args:
            row: Row of ``ReviewSession.crowns``; -1 for no crown.
        """
        if not self._save_comment():
            return
        self.session.current_row = row
        self._show_crown()

    def _go_to_list_row(self, position: int) -> None:
        """Show the crown at a position of the list; -1 for no crown."""
        self.go_to(int(self.session.listed_rows[position]) if position >= 0 else -1)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the current crown on the map."""
        super().showEvent(event)
        self._save_comment(show=False)
        self._show_crown()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Adapt the texts above the list to the new size."""
        super().resizeEvent(event)
        line_count = _LOW_CROWN_TEXT_LINES if self._is_low() else _CROWN_TEXT_LINES
        self.crown_label.setMinimumHeight(line_count * self.fontMetrics().lineSpacing())
        self._describe_crown()
        self.legend.setMinimumHeight(0)
        hold_height(self.crown_label)
        hold_height(self.legend)

    def _is_low(self) -> bool:
        """Return True if the page is low."""
        return bool(self.height() < _LOW_HEIGHT)

    def _describe_crown(self) -> None:
        """Describe the current crown in lines; on a low page the sentences share the lines."""
        crown = self.session.current_crown
        lines = [] if crown is None else describe_crown(crown, self.session.has_randcrowns)
        text = join_sentences(lines) if self._is_low() else "\n".join(lines)
        set_text_or_hide(self.crown_label, text)

    def _show_crown(self) -> None:
        """Draw the current crown on the map while the page is visible; select and describe it.

        Without a current crown, the drawings are removed and the small maps are hidden.
        """
        self.highlight.clear()
        self.legend.setVisible(False)
        self.no_image_label.hide()
        if self.session.current_crown is not None:
            self._draw_crown(self.session.current_crown)
        elif self.side_by_side is not None:
            self.side_by_side.hide()
        self._update_crown_widgets()

    def _draw_crown(self, crown: pd.Series) -> None:
        """Draw a crown if the map can be drawn on; errors are shown in the message bar.

        Args:
            crown: Row of ``ReviewSession.crowns``.
        """
        scored_layer = self.session.scored_layer
        if scored_layer is None or not self.highlight.can_draw:
            return
        with self.messages.show_errors():
            outlines = scored_layer.read_outlines(
                crown, self.highlight.map_crs(), self.session.delineation_layers
            )
            image = scored_layer.image_of(crown, self.session.crowns)
            self._draw_outlines(scored_layer, outlines, image)

    def _draw_outlines(
        self, scored_layer: ScoredLayer, outlines: dict[str, QgsGeometry], image: str
    ) -> None:
        """Draw a crown on the map and in the small maps, and show the legend.

        The target is dotted, the delineations have the colours of their layers, and the rest of
        the map is covered by a veil. Only the images are visible below, if there are any. If
        several images in pixels lie on one another, only that of the crown and its outlines are.

        Args:
            scored_layer: The scored layer.
            outlines: Outlines of the crown, see ``ScoredLayer.read_outlines``.
            image: Image of the crown, see ``ScoredLayer.image_of``.
        """
        canvas = self.iface.mapCanvas()
        images = self.highlight.images()
        if image:
            all_image_names = self.session.crowns["plot"].dropna().astype(str).unique()
            images = show_image(image, all_image_names) or images
        colours = scored_layer.choose_colours()
        if images or image:
            self.highlight.show_only(images)
        extent = combined_extent(outlines.values())
        centre_on(canvas, extent)
        map_crs = self.highlight.map_crs()
        shows_crown = any(_may_show(layer, extent, map_crs) for layer in images)
        self.no_image_label.setVisible(bool(images) and not shows_crown)
        surroundings = scored_layer.read_surroundings(
            extent, self.highlight.map_crs(), self.session.delineation_layers, image
        )
        draw_outlines(self.highlight, outlines, colours, surroundings)
        self.legend.show_entries(*legend_entries(outlines, colours))
        self.legend.setVisible(True)
        if self.side_by_side is not None and self.side_by_side.isVisible():
            self.side_by_side.show_crown(outlines, colours, canvas, images)

    def show_side_by_side(self, *_: object) -> None:
        """Open the small maps with the current crown, or else with the first one of the list."""
        if self.side_by_side is None:
            self.side_by_side = SideBySideWindow(self)
        self.side_by_side.show()
        has_crown = self.session.current_crown is not None
        self.go_to(self.session.current_row if has_crown else self.session.neighbour(0))

    # Verdicts

    def save_verdict(self, verdict: str) -> None:
        """Save a verdict on the current crown, and go to the next one without a verdict.

        If the project is not saved yet, QGIS's dialog to save it is opened first. The verdict is
        saved after the layers were read again, if saving the project requires this. Errors are
        shown in the message bar, and the current crown stays the same.

        Nothing is saved if the verdict is "wrong class" and no right class is chosen; a warning
        says so.

        Args:
            verdict: A ``Verdict`` as text.
        """
        is_wrong_class = verdict == Verdict.WRONG_CLASS.value
        right_class = self.verdict_bar.right_class if is_wrong_class else ""
        if is_wrong_class and not right_class:
            self.messages.warning(tr("Choose the right class of the crown first."))
            self.verdict_bar.class_box.setFocus()
            return
        self.crown_table.view.finish_press()  # the verdict is on the selected row
        comment = self.verdict_bar.comment_field.text()
        judgement = _GivenVerdict(verdict, comment, right_class, self.session)
        is_project_new = not self.session.can_save and save_new_project(self.iface)
        if self._reading is not None:
            # Large layers are read again in the background once verdicts can be saved.
            self._waiting_verdict = judgement
        else:
            self._write_verdict(judgement, is_project_new)

    def _write_verdict(self, judgement: _GivenVerdict, is_project_new: bool) -> None:
        """Save a verdict, and go to the next crown without one; show a message if it is not saved.

        Args:
            judgement: The verdict. The current session may be a later one of the same layers.
            is_project_new: True if the verdict has saved the project for the first time.
        """
        session = self.session
        if session is not judgement.session:
            session.current_row = session.row_of_judged_in(judgement.session)
            self._show_crown()
            self.verdict_bar.comment_field.setText(judgement.comment)
        if not session.can_save or session.current_crown is None:
            self.messages.info(
                tr("The verdict was not saved. Save the project, then give it again.")
            )
            return
        is_saved = False
        session.reviewer = self._reviewer_name()
        with self.messages.show_errors():
            is_saved = session.save_verdict(
                judgement.verdict, judgement.comment, judgement.right_class
            )
        if not is_saved:
            return
        next_row = session.next_unreviewed_row()
        self._show_list()
        self.go_to(next_row if next_row >= 0 else session.current_row)
        if is_project_new:
            show_verdict_file(self.messages)
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
        with self.messages.show_errors():
            if self.session.save_comment(self.verdict_bar.comment_field.text()) and show:
                self._show_list()
            return True
        return False

    def _finish_comment(self) -> None:
        """Move the focus to the list, and save the comment if the crown has a verdict.

        Without a verdict, the comment is saved with the next one. The focus leaves the comment so
        that its keys are shortcuts again.
        """
        self.crown_table.view.setFocus()
        crown = self.session.current_crown
        if crown is not None and not pd.isna(crown["verdict"]) and self._save_comment():
            self._update_crown_widgets()

    def _reviewer_name(self) -> str:
        """Return the name of the reviewer, by default that of the user account."""
        return self.reviewer_field.text().strip() or getuser()

    def _on_reviewer_edited(self) -> None:
        """List the crowns again for another reviewer, unless the comment cannot be saved."""
        if self._reviewer_name() != self.session.reviewer and self._save_comment():
            set_preference(REVIEWER_PREFERENCE, self.reviewer_field.text().strip())
            self._list_crowns()

    def _select_file_to_merge(self) -> None:
        """Show a file dialog, and add the verdicts of the selected file."""
        folder = str(Path(project_geopackage()).parent)
        path, _ = QFileDialog.getOpenFileName(
            self,
            tr("Verdicts of another reviewer"),
            folder,
            tr("Verdicts (*.gpkg *.json)"),
        )
        if path:
            self.merge_verdicts(Path(path))

    def merge_verdicts(self, path: Path) -> None:
        """Add the verdicts of another file; errors are shown in the message bar.

        Args:
            path: GeoPackage with verdicts.
        """
        with self.messages.show_errors():
            self._save_comment()
            added_count = self.session.merge_verdicts(path)
            self._list_crowns()
            self.messages.success(
                tr("{count:,} verdicts added.", one="1 verdict added.", count=added_count)
            )

    # Texts and widgets

    def _show_list(self) -> None:
        """Show the list, the progress, the agreement of the reviewers and the buttons of the run.

        A text says why verdicts cannot be saved, if they cannot.
        """
        session = self.session
        if session.shown_crowns is None:
            session.shown_crowns = listed_crowns(session)
        crowns = session.shown_crowns
        columns = review_columns(crowns, bool(session.change_counts), session.has_randcrowns)
        self.crown_table.show_frame(crowns, columns)
        progress_lines = progress_summary(session)
        agreement_lines = agreement_texts(session.agreement())
        set_text_or_hide(self.progress_label, "\n".join(progress_lines))
        set_text_or_hide(self.agreement_label, "\n".join(agreement_lines))

        scored_layer = session.scored_layer
        record = None if scored_layer is None else scored_layer.provenance
        self.quote_row.setVisible(record is not None)
        if scored_layer is not None and record is not None:
            text = "\n".join([*progress_lines, *agreement_lines])
            self.quote_row.show_run(record, [scored_layer.layer], text)
        needs_file = scored_layer is not None and not session.can_save
        set_text_or_hide(self.storage_problem_label, storage_problem() if needs_file else "")

    def _update_crown_widgets(self) -> None:
        """Select the current crown in the list, describe it, and enable the buttons."""
        crown = self.session.current_crown
        comment = right_class = ""
        subject = None
        if crown is not None:
            subject = judged_subject(crown)
            comment = format_text(crown["comment"])
            right_class = _likely_right_class(crown)
        self._describe_crown()
        hold_height(self.crown_label)
        hold_height(self.legend)
        self.verdict_bar.comment_field.setText(comment)
        self.verdict_bar.show_right_class(right_class)
        self.verdict_bar.set_subject(subject)
        self.verdict_bar.set_enabled_commands(
            has_crowns=len(self.session.listed_rows) > 0, can_judge=crown is not None
        )
        position = self.session.list_position()
        self.crown_table.view.select_frame_rows([position] if position >= 0 else [])


def _may_show(
    image: QgsMapLayer, extent: QgsRectangle, map_crs: QgsCoordinateReferenceSystem
) -> bool:
    """Return True if an image may show an extent; also if the place of the image is unknown.

    Args:
        image: The image.
        extent: Extent in map coordinates.
        map_crs: CRS of the map.
    """
    try:
        image_extent = extent_in_map_crs(image, map_crs)
    except InputError:
        return True
    return bool(image_extent.intersects(extent))


def _likely_right_class(crown: pd.Series) -> str:
    """Return the right class to show for a crown; "" for none.

    It is that of the verdict. Without one, it is the class of the target if the class of its
    delineation differs.

    Args:
        crown: Row of ``ReviewSession.crowns``.
    """
    if not pd.isna(crown["right_class"]) and crown["right_class"]:
        return str(crown["right_class"])
    is_wrong = crown.get("class_result") == ClassResult.WRONG.value
    return str(crown["crown_class"]) if is_wrong else ""
