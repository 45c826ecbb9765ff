"""Table of the areas where annotators differ, with buttons to go from one to the next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QVBoxLayout, QWidget

from randcrowns.algorithms.agreement.schema.outputs import DISAGREEMENTS
from randcrowns.layers.localization import escape_rich_text, tr
from randcrowns.report.names import abbreviate_names
from randcrowns.ui.widgets.parts import fill_layout, make_tool_button, make_wrapped_label
from randcrowns.ui.widgets.table_model import (
    MAX_FULL_NAME_LENGTH,
    MAX_NAME_LENGTH,
    MAX_NAME_WIDTH,
    TableColumn,
    format_text,
    table_columns,
)
from randcrowns.ui.widgets.table_view import TableWithExport

#: Maximum number of annotators that the sentence about an area names.
_MAX_LISTED_NAMES = 4


class DisagreementTable(QWidget):
    """Table of the disagreements of annotators, with buttons to step through it."""

    #: Emitted with the rank of the disagreement that the user selects.
    disagreement_chosen = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        #: Summary of all disagreements, or description of the selected one.
        self.description_label = make_wrapped_label()
        self.table = TableWithExport("randcrowns_disagreements")
        self.previous_button = make_tool_button(
            "◀", tr("Previous place (up key in the table)."), lambda: self._step(-1)
        )
        self.next_button = make_tool_button(
            "▶", tr("Next place (down key in the table)."), lambda: self._step(1)
        )
        self.table.button_row.insertWidget(0, self.previous_button)
        self.table.button_row.insertWidget(1, self.next_button)
        fill_layout(QVBoxLayout(self), self.description_label, self.table, stretched=self.table)
        #: Row of the frame that is selected; -1 for none.
        self._frame_row = -1
        self._names: Sequence[str] = ()
        self._unit = "m"
        self.table.view.row_chosen.connect(self._select_frame_row)
        self.table.model.layoutChanged.connect(self._update_buttons)

    def show_frame(self, frame: pd.DataFrame, names: Sequence[str], unit: str) -> None:
        """Show the disagreements of a comparison.

        Args:
            frame: One row per disagreement, largest first, with the columns of
                :data:`DISAGREEMENTS`. ``area`` is in ``unit``²; ``votes`` contains one character
                per annotator, "1" for yes and "0" for no.
            names: Names of the annotators in the order of the votes.
            unit: Unit of lengths, such as "m".
        """
        self._frame_row = -1
        self._names = names
        self._unit = unit

        output = DISAGREEMENTS.with_unit(unit)
        number_columns = table_columns(output, "rank", "area", "n_yes", "n_no")
        name_columns = [
            with_short_names(column, names) for column in table_columns(output, "yes", "no")
        ]
        self.table.show_frame(frame, [*number_columns, *name_columns])

        if len(frame):
            text = tr(
                "{places} where annotators differ, together {area:,.1f} {unit}².",
                unit=unit,
                places=tr("{count:,} places", one="1 place", count=len(frame)),
                area=float(frame["area"].sum()),
            )
        else:
            text = tr("There is no place where the annotators differ.")
        self.description_label.setText(text)
        self._update_buttons()

    def select_frame_row(self, row: int) -> None:
        """Select the disagreement in a row of the frame, counted from 0."""
        self.table.view.go_to_frame_row(row)

    def _step(self, offset: int) -> None:
        """Select the disagreement ``offset`` rows below the selected one, in displayed order."""
        self.select_frame_row(self.table.model.frame_row(self._displayed_row() + offset))

    def _displayed_row(self) -> int:
        """Return the displayed row of the selected disagreement, or -1 if none is displayed."""
        return next(iter(self.table.model.shown_rows([self._frame_row])), -1)

    def _select_frame_row(self, row: int) -> None:
        """Describe a disagreement and emit :attr:`disagreement_chosen`.

        Args:
            row: Row of the disagreement in the data frame; nothing happens for -1.
        """
        if row < 0:
            return
        self._frame_row = row
        disagreement = self.table.model.frame.iloc[row]
        # The votes are a text with "1" (yes) or "0" (no) per annotator.
        votes_by_name = list(zip(self._names, disagreement["votes"]))
        yes_names = [name for name, vote in votes_by_name if vote == "1"]
        no_names = [name for name, vote in votes_by_name if vote == "0"]
        self.description_label.setText(
            tr(
                "{rank:,} of {all:,}: {area:,.2f} {unit}²\n{yes} yes: {who_yes}\n{no} no: {who_no}",
                unit=self._unit,
                rank=int(disagreement["rank"]),
                all=len(self.table.model.frame),
                area=float(disagreement["area"]),
                yes=int(disagreement["n_yes"]),
                no=int(disagreement["n_no"]),
                who_yes=_join_first_names(yes_names),
                who_no=_join_first_names(no_names),
            )
        )
        tooltip = tr("yes: {yes}\nno: {no}", yes=disagreement["yes"], no=disagreement["no"])
        self.description_label.setToolTip(escape_rich_text(tooltip))
        self._update_buttons()
        self.disagreement_chosen.emit(int(disagreement["rank"]))

    def _update_buttons(self, *_: object) -> None:
        """Enable the buttons that have a row to go to."""
        row = self._displayed_row()
        self.previous_button.setEnabled(row > 0)
        self.next_button.setEnabled(row + 1 < self.table.model.rowCount())


def _join_first_names(names: Sequence[str]) -> str:
    """Join the first names with commas; an ellipsis stands for the names that are omitted."""
    listed = list(names[:_MAX_LISTED_NAMES])
    if len(names) > _MAX_LISTED_NAMES:
        listed.append("…")
    return ", ".join(listed)


def with_short_names(column: TableColumn, names: Iterable[str]) -> TableColumn:
    """Return a copy of a column that displays shortened names.

    Args:
        column: Column whose cells contain names separated by ", ".
        names: All names that occur; the words that all of them share are omitted.
    """
    short_by_name = abbreviate_names(names, MAX_FULL_NAME_LENGTH, MAX_NAME_LENGTH)

    def shorten(cell: Any) -> str:
        return ", ".join(short_by_name.get(name, name) for name in format_text(cell).split(", "))

    return replace(column, format_value=shorten, max_width=MAX_NAME_WIDTH)
