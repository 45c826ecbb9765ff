"""Table of the areas where annotators differ, with buttons to go from one to the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QKeySequence
from qgis.PyQt.QtWidgets import QAction, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from randcrowns.algorithms.agreement.schema.outputs import DISAGREEMENTS
from randcrowns.algorithms.review_texts import PLACE_VERDICT_LABELS, place_verdict_label
from randcrowns.core.review.verdicts import Verdict
from randcrowns.layers.localization import escape_rich_text, tr
from randcrowns.layers.vector.tables import check_fields
from randcrowns.report.names import abbreviate_names
from randcrowns.ui.widgets.colours import WARNING_TONE
from randcrowns.ui.widgets.parts import (
    FREE_SPACE,
    fill_layout,
    make_tool_button,
    make_wrapped_label,
    set_text_or_hide,
)
from randcrowns.ui.widgets.table_model import (
    MAX_FULL_NAME_LENGTH,
    MAX_NAME_LENGTH,
    MAX_NAME_WIDTH,
    TableColumn,
    format_text,
    table_columns,
)
from randcrowns.ui.widgets.table_view import TableWithExport

#: Tooltip of each verdict.
VERDICT_TOOLTIPS = {
    Verdict.ACCEPTED: tr("The place belongs to a crown"),
    Verdict.REJECTED: tr("The place belongs to no crown"),
    Verdict.UNSURE: tr("The image does not show it clearly"),
}
#: Key of each verdict, as on page Review.
_VERDICT_KEYS = ((Verdict.ACCEPTED, "1"), (Verdict.REJECTED, "2"), (Verdict.UNSURE, "4"))
#: Fields of the disagreements that the table and its description show.
_REQUIRED_FIELDS = ("rank", "area", "n_yes", "n_no", "yes", "no", "votes")
#: Maximum number of annotators that the sentence about an area names.
_MAX_LISTED_NAMES = 4


#: Column with the verdicts.
_VERDICT_COLUMN = TableColumn(
    "verdict",
    tr("Verdict"),
    tr("Last verdict of a reviewer: does the place belong to a crown?"),
    place_verdict_label,
    align_right=False,
    format_full=place_verdict_label,
)


class DisagreementTable(QWidget):
    """Table of the disagreements of annotators, with buttons to step through it."""

    #: Emitted with the rank of the disagreement that the user selects.
    disagreement_chosen = pyqtSignal(int)
    #: Emitted with the rank of the selected disagreement and the user's :class:`Verdict` as text.
    verdict_given = pyqtSignal(int, str)

    def __init__(self) -> None:
        super().__init__()
        #: Summary of all disagreements, or description of the selected one.
        self.description_label = make_wrapped_label()
        #: Why verdicts cannot be saved yet.
        self.problem_label = make_wrapped_label(tone=WARNING_TONE)
        self.problem_label.hide()
        self.table = TableWithExport("randcrowns_disagreements")
        self.previous_button = make_tool_button(
            "◀", tr("Previous place (up key in the table)."), lambda: self._step(-1)
        )
        self.next_button = make_tool_button(
            "▶", tr("Next place (down key in the table)."), lambda: self._step(1)
        )
        #: Button of each verdict.
        self.verdict_buttons = {
            verdict: self._make_verdict_button(verdict, key) for verdict, key in _VERDICT_KEYS
        }
        #: Verdict as text by the rank of the disagreement.
        self._verdicts: dict[int, str] = {}
        #: Row of the frame that is selected; -1 for none.
        self._frame_row = -1
        #: Names of the annotators in the order of the votes.
        self._names: Sequence[str] = ()
        #: Unit of lengths.
        self._unit = "m"
        self._arrange_widgets()
        self.table.view.row_chosen.connect(self._select_frame_row)
        self.table.model.layoutChanged.connect(self._update_buttons)

    def _arrange_widgets(self) -> None:
        """Arrange the verdicts above the table, and the buttons for steps below it."""
        self.table.button_row.insertWidget(0, self.previous_button)
        self.table.button_row.insertWidget(1, self.next_button)
        verdict_row = fill_layout(
            QHBoxLayout(), *self.verdict_buttons.values(), FREE_SPACE, spacing=2
        )
        fill_layout(
            QVBoxLayout(self),
            verdict_row,  # above the texts, whose number of lines differs from place to place
            self.problem_label,
            self.description_label,
            self.table,
            stretched=self.table,
        )

    def show_problem(self, problem: str) -> None:
        """Show why verdicts cannot be saved yet; "" if they can."""
        set_text_or_hide(self.problem_label, problem)

    def show_frame(
        self,
        frame: pd.DataFrame,
        names: Sequence[str],
        unit: str,
        verdicts: Mapping[int, str] | None = None,
    ) -> None:
        """Show the disagreements of a comparison.

        Args:
            frame: One row per disagreement, largest first, with the columns of
                :data:`DISAGREEMENTS`. ``area`` is in ``unit``²; ``votes`` contains one character
                per annotator, "1" for yes and "0" for no.
            names: Names of the annotators in the order of the votes.
            unit: Unit of lengths, such as "m".
            verdicts: Verdict as text by the rank of the disagreement.

        Raises:
            InputError: if the results have lost a field.
        """
        if len(frame):
            check_fields(frame.columns, _REQUIRED_FIELDS)
        self._frame_row = -1
        self._names = names
        self._unit = unit
        self._verdicts = dict(verdicts or {})
        self._fill_table(frame)

        summary = tr("There is no place where the annotators differ.")
        if len(frame):
            summary = tr(
                "{places} where annotators differ, together {area:,.1f} {unit}².",
                unit=unit,
                places=tr("{count:,} places", one="1 place", count=len(frame)),
                area=float(frame["area"].sum()),
            )
        self.description_label.setText(summary)
        self._update_buttons()

    def show_verdict(self, rank: int, verdict: str) -> None:
        """Show a verdict that was saved, and select the next place without one.

        Args:
            rank: Rank of the disagreement.
            verdict: A :class:`Verdict` as text.
        """
        self._verdicts[rank] = verdict
        frame = self.table.model.frame
        self._fill_table(frame)
        self.select_open_place()

    def select_open_place(self) -> None:
        """Select the next place without a verdict; if all have one, the selected or first place."""
        open_row = self._next_open_row(self._frame_row)
        self.select_frame_row(max(self._frame_row, 0) if open_row < 0 else open_row)

    def _next_open_row(self, frame_row: int) -> int:
        """Return the frame row of the next displayed place without a verdict; -1 if all have one.

        Args:
            frame_row: Row of the frame after which the search begins; it ends there.
        """
        model = self.table.model
        displayed_rows = [model.frame_row(row) for row in range(model.rowCount())]
        start = 0
        if frame_row in displayed_rows:
            start = displayed_rows.index(frame_row) + 1
        ranks = model.frame["rank"]
        # To the end first, then from the beginning.
        for candidate in displayed_rows[start:] + displayed_rows[:start]:
            if int(ranks.iloc[candidate]) not in self._verdicts:
                return candidate
        return -1

    def _fill_table(self, frame: pd.DataFrame) -> None:
        """Fill the table with the disagreements and their verdicts.

        Args:
            frame: One row per disagreement, see :meth:`show_frame`.
        """
        output = DISAGREEMENTS.with_unit(self._unit)
        # The dock has no room for the titles of the fields.
        vote_titles = {"n_yes": {"title": tr("Yes")}, "n_no": {"title": tr("No")}}
        columns = table_columns(output, "rank", "area")
        columns.append(_VERDICT_COLUMN)
        columns += table_columns(output, "n_yes", "n_no", **vote_titles)
        columns += [
            with_short_names(column, self._names) for column in table_columns(output, "yes", "no")
        ]
        verdicts = [self._verdicts.get(int(rank), "") for rank in frame["rank"]]
        self.table.show_frame(frame.assign(verdict=verdicts), columns)

    def _make_verdict_button(self, verdict: Verdict, key: str) -> QToolButton:
        """Return the button of a verdict, with a key that works while the table has the focus.

        Args:
            verdict: The verdict.
            key: The key.
        """
        tooltip = f"{VERDICT_TOOLTIPS[verdict]} ({key})"
        button = make_tool_button(
            PLACE_VERDICT_LABELS[verdict], tooltip, lambda *_: self._give_verdict(verdict)
        )
        action = QAction(PLACE_VERDICT_LABELS[verdict], self)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(lambda *_: button.click())
        self.addAction(action)
        return button

    def _give_verdict(self, verdict: Verdict) -> None:
        """Emit a verdict on the selected disagreement."""
        if self._frame_row >= 0:
            rank = int(self.table.model.frame["rank"].iloc[self._frame_row])
            self.verdict_given.emit(rank, verdict.value)

    def select_frame_row(self, row: int) -> None:
        """Select the disagreement in a row of the frame, counted from 0."""
        self.table.view.go_to_frame_row(row)

    def _step(self, offset: int) -> None:
        """Select the disagreement ``offset`` rows below the selected one, in displayed order."""
        self.select_frame_row(self.table.model.frame_row(self._displayed_row() + offset))

    def _displayed_row(self) -> int:
        """Return the displayed row of the selected disagreement, or -1 if none is displayed."""
        displayed_rows = self.table.model.shown_rows([self._frame_row])
        return displayed_rows[0] if displayed_rows else -1

    def _select_frame_row(self, row: int) -> None:
        """Describe a disagreement and emit :attr:`disagreement_chosen`.

        Args:
            row: Row of the disagreement in the data frame; nothing happens for -1.
        """
        if row < 0:
            return
        self._frame_row = row
        disagreement = self.table.model.frame.iloc[row]
        self.description_label.setText(self._describe(disagreement))
        tooltip = tr("yes: {yes}\nno: {no}", yes=disagreement["yes"], no=disagreement["no"])
        self.description_label.setToolTip(escape_rich_text(tooltip))
        self._update_buttons()
        self.disagreement_chosen.emit(int(disagreement["rank"]))

    def _describe(self, disagreement: pd.Series) -> str:
        """Return the rank and area of a disagreement, and who marked it and who did not.

        Args:
            disagreement: Row of the frame.
        """
        # The votes are a text with "1" (yes) or "0" (no) per annotator.
        names_by_vote: dict[str, list[str]] = {"1": [], "0": []}
        for name, vote in zip(self._names, disagreement["votes"]):
            names_by_vote.setdefault(vote, []).append(name)
        return tr(
            "{rank:,} of {all:,}: {area:,.2f} {unit}²\n{yes} yes: {who_yes}\n{no} no: {who_no}",
            unit=self._unit,
            rank=int(disagreement["rank"]),
            all=len(self.table.model.frame),
            area=float(disagreement["area"]),
            yes=int(disagreement["n_yes"]),
            no=int(disagreement["n_no"]),
            who_yes=_join_first_names(names_by_vote["1"]),
            who_no=_join_first_names(names_by_vote["0"]),
        )

    def _update_buttons(self, *_: object) -> None:
        """Enable the buttons that have a row to go to."""
        row = self._displayed_row()
        self.previous_button.setEnabled(row > 0)
        self.next_button.setEnabled(row + 1 < self.table.model.rowCount())
        for button in self.verdict_buttons.values():
            button.setEnabled(row >= 0)


def _join_first_names(names: Sequence[str]) -> str:
    """Join the first names with commas; an ellipsis stands for the names that are omitted."""
    listed_names = list(names[:_MAX_LISTED_NAMES])
    if len(names) > _MAX_LISTED_NAMES:
        listed_names.append("…")
    return ", ".join(listed_names)


def with_short_names(column: TableColumn, names: Iterable[str]) -> TableColumn:
    """Return a copy of a column that displays shortened names.

    Args:
        column: Column whose cells contain names separated by ", ".
        names: All names that occur; the words that all of them share are omitted.
    """
    short_by_name = abbreviate_names(names, MAX_FULL_NAME_LENGTH, MAX_NAME_LENGTH)

    def shorten_names(cell: Any) -> str:
        """Return the names of a cell in their short forms."""
        full_names = format_text(cell).split(", ")
        return ", ".join(short_by_name.get(name, name) for name in full_names)

    return replace(column, format_value=shorten_names, max_width=MAX_NAME_WIDTH)
