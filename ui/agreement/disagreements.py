"""The places where annotators differ: a table, and steps through it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QVBoxLayout, QWidget

from randcrowns.algorithms.agreement.outputs import DISAGREEMENTS
from randcrowns.layers.vector.names import short_names
from randcrowns.layers.words import plain, tr
from randcrowns.ui.widgets.parts import fill, tool_button, wrapped
from randcrowns.ui.widgets.table_model import (
    LONG,
    SHORT,
    WIDEST_NAMES,
    TableColumn,
    as_text,
    columns_of,
)
from randcrowns.ui.widgets.table_view import TableWithExport

_MOST_NAMES = 4


class DisagreementSteps(QWidget):
    """Emits :attr:`place_chosen` with the rank of the place the user went to."""

    place_chosen = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self.told = wrapped()
        self.table = TableWithExport("randcrowns_disagreements")
        above, below = (
            tr("Previous place (up key in the table)."),
            tr("Next place (down key in the table)."),
        )
        self.previous = tool_button("◀", above, lambda: self._step(-1))
        self.next = tool_button("▶", below, lambda: self._step(1))
        self.table.row.insertWidget(0, self.previous)
        self.table.row.insertWidget(1, self.next)
        fill(QVBoxLayout(self), self.told, self.table, wide=self.table)
        self._row = -1
        self._names: Sequence[str] = ()
        self._unit = "m"
        self.table.view.row_chosen.connect(self._choose)
        self.table.model.layoutChanged.connect(self._show_ready)

    def show_frame(self, frame: pd.DataFrame, names: Sequence[str], unit: str) -> None:
        """Show these places, on which these annotators differ, with lengths in this unit."""
        self._row, self._names, self._unit = -1, names, unit
        *numbers, yes, no = columns_of(
            DISAGREEMENTS.in_unit(unit), "rank", "area", "n_yes", "n_no", "yes", "no"
        )
        self.table.show_frame(
            frame, [*numbers, *(with_short_names(column, names) for column in (yes, no))]
        )
        total = float(frame["area"].sum()) if len(frame) else 0.0
        self.told.setText(
            tr(
                "{places} where annotators differ, together {area:,.1f} {unit}².",
                unit=unit,
                places=tr("{count:,} places", one="1 place", count=len(frame)),
                area=total,
            )
            if len(frame)
            else tr("There is no place where the annotators differ.")
        )
        self._show_ready()

    def go_to(self, row: int) -> None:
        """Go to the place of this row, counted by area from 0."""
        self.table.view.choose_frame_row(row)

    def _step(self, by: int) -> None:
        """Go so many rows down from here in the order shown."""
        self.go_to(self.table.model.frame_row(self._place() + by))

    def _place(self) -> int:
        """In which row the place gone to is shown; -1 before the first."""
        return next(iter(self.table.model.shown_rows([self._row])), -1)

    def _choose(self, row: int) -> None:
        if row < 0:
            return
        self._row = row
        place = self.table.model.frame.iloc[row]
        votes = list(zip(self._names, place["votes"]))
        self.told.setText(
            tr(
                "{rank:,} of {all:,}: {area:,.2f} {unit}²\n{yes} yes: {who_yes}\n{no} no: {who_no}",
                unit=self._unit,
                rank=int(place["rank"]),
                all=len(self.table.model.frame),
                area=float(place["area"]),
                yes=int(place["n_yes"]),
                no=int(place["n_no"]),
                who_yes=_some([name for name, vote in votes if vote == "1"]),
                who_no=_some([name for name, vote in votes if vote == "0"]),
            )
        )
        self.told.setToolTip(plain(tr("yes: {yes}\nno: {no}", yes=place["yes"], no=place["no"])))
        self._show_ready()
        self.place_chosen.emit(int(place["rank"]))

    def _show_ready(self, *_: object) -> None:
        place = self._place()
        self.previous.setEnabled(place > 0)
        self.next.setEnabled(place + 1 < self.table.model.rowCount())


def _some(names: Sequence[str]) -> str:
    """The first names; how many there are is said beside them."""
    return ", ".join([*names[:_MOST_NAMES], *(["…"] if len(names) > _MOST_NAMES else [])])


def with_short_names(column: TableColumn, names: Iterable[str]) -> TableColumn:
    """A column of lists of names with commas between them: each name without what all of them share."""
    written = short_names(names, SHORT, LONG)

    def shortened(listed: Any) -> str:
        return ", ".join(written.get(name, name) for name in as_text(listed).split(", "))

    return replace(column, text=shortened, widest=WIDEST_NAMES)
