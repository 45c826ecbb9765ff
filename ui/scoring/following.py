"""How page Score shows what is scored while crowns are drawn: at once what is asked for, the rest after a pause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import QModelIndex, QObject, QSignalBlocker, QTimer

from randcrowns.algorithms.choices import TARGETS
from randcrowns.algorithms.scoring.live import Change
from randcrowns.ui.scoring.live import LiveScoring
from randcrowns.ui.scoring.results import ScoreResults
from randcrowns.ui.services.layer_watch import after
from randcrowns.ui.shell.history import AGAIN
from randcrowns.ui.widgets.table_model import FrameModel

#: Milliseconds without an edit after which summary and plot follow.
_PAUSE = 400


class Following(QObject):
    """Joins :class:`LiveScoring` with the results of page Score and with its map."""

    def __init__(self, page: Any) -> None:
        super().__init__(page)
        self._page, self._results = page, page.results
        self.live = LiveScoring(page.messages, page.parameters, self)
        self.pause = after(_PAUSE, self._show_rest, self)
        self._results.live_switch.toggled.connect(self.switch)
        self.live.switched.connect(self._show_switch)
        self.live.told.connect(self._results.tell_live)
        self.live.told.connect(page.show_staleness)
        self.live.read.connect(self._take_all)
        self.live.scored.connect(self._take)

    def switch(self, on: bool) -> None:
        """Follow the layers of the results on show, or nothing."""
        if on and self._results.results is not None:
            self.live.begin(self._results.results)
        else:
            self.live.stop()
        self._page.show_staleness()

    def _show_switch(self, on: bool) -> None:
        with QSignalBlocker(self._results.live_switch):
            self._results.live_switch.setChecked(on)
        if not on:
            self.pause.stop()
        self._page.show_staleness()

    def _take_all(self, changes: list[Change]) -> None:
        """From now on edits are noticed, also those since a run that was shown again."""
        self._results.tell_remarks(
            remark for remark in self._results.remarks if remark.key != AGAIN
        )
        self._results.show_all(changes)
        self._page.highlight.clear()  # no row is chosen any more, and the layers are what is drawn on
        self.pause.start()

    def _take(self, changes: list[Change], edited: dict[str, list[int]]) -> None:
        """Table and headline say at once what was scored; then the map shows the crown, and the rest follows."""
        for number, change in enumerate(changes):
            self._results.show_change(number, change)
        self.pause.start()
        QTimer.singleShot(0, partial(self._show_edited, edited))

    def _show_edited(self, edited: dict[str, list[int]]) -> None:
        """The crown that was edited is chosen in the table and drawn on the map, which stays where it is."""
        results, scores, page = self._results.results, self._results.scores(), self._page
        if results is None or scores is None or not page.highlight.is_on_show:
            return
        columns = {results.settings[TARGETS]: "target_id", scores.layer_id: "delineation_id"}
        crowns = [
            (columns[layer_id], one)
            for layer_id, ids in edited.items()
            for one in ids
            if layer_id in columns
        ]
        rows = (
            self._results.crowns.select_ids(crowns[0][0], [crowns[0][1]], keep=True)
            if len(crowns) == 1
            else []
        )
        page.highlight.clear()
        if len(rows) == 1:
            with page.messages.telling():
                view = page.view(results.settings, scores, self._results.rows.frame.iloc[rows[0]])
                if view is not None:
                    page.highlight.show(
                        view.target, view.delineation, view.regions, alone=False, veil=0
                    )

    def _show_rest(self) -> None:
        rest = self.live.rest(self._results.remarks)
        if rest is not None:
            self._results.show_rest(*rest)


def follow_change(
    results: ScoreResults, number: int, change: Change, crowns: pd.DataFrame | None = None
) -> None:
    """Have the results of one delineation layer say what the change says; ``crowns`` is its table where it has it."""
    scores = results.layers[number]
    overall: dict[Any, Any] = {**scores.overall.to_dict(), **change.overall}
    if crowns is None:
        crowns = with_rows(scores.crowns, "target_id", change.rows, change.gone)
    results.layers[number] = replace(
        scores, crowns=crowns, unmatched=change.unmatched, overall=pd.Series(overall)
    )


def with_rows(
    frame: pd.DataFrame, key: str, rows: Mapping[str, Any], gone: Sequence[int] = ()
) -> pd.DataFrame:
    """The table with these rows in place of those of the same ``key``, without the ``gone``, by ``key``.

    >>> table = pd.DataFrame({"id": [1, 2, 3], "score": [0.1, 0.2, 0.3]})
    >>> with_rows(table, "id", {"id": [2], "score": [0.9]}, [3])["score"].tolist()
    [0.1, 0.9]
    """
    kept = frame[~frame[key].isin([*gone, *rows[key]])]
    new = pd.DataFrame(rows).reindex(columns=frame.columns).astype(frame.dtypes)
    return pd.concat([kept, new] if len(kept) else [new]).sort_values(key, ignore_index=True)


class EditedModel(FrameModel):
    """A model that keeps its order, filter and selection when rows change, come and go."""

    def put_rows(self, key: str, rows: Mapping[str, Any], gone: Sequence[int] = ()) -> pd.DataFrame:
        """Change the rows whose ``key`` is that of these, add the others below, take the ``gone`` away.

        The order and the filter stay as they are. Returns the whole table.
        """
        for number in np.flatnonzero(np.isin(self._frame[key], list(gone)))[::-1].tolist():
            self._take_away(number)
        known = self._frame[key].to_numpy()
        for values in zip(*(np.asarray(column, dtype=object).tolist() for column in rows.values())):
            record = dict(zip(rows, values))
            found = np.flatnonzero(known == record[key])
            if len(found):
                self._change(int(found[0]), record)
            else:
                self._add(record)
        self._texts = {}
        return self._frame

    def _change(self, number: int, record: Mapping[Any, Any]) -> None:
        known = {column.name: values[number] for column, values in zip(self.columns, self._values)}
        others = {
            name for name in record if name not in known or not _is_same(known[name], record[name])
        }
        if not others:
            return
        for place, name in enumerate(self._frame.columns):
            if name in others:
                self._frame.iat[number, place] = record[name]  # noqa: PD009 - ten times as fast
        for column, values in zip(self.columns, self._values):
            if column.name in others:
                values[number] = record[column.name]
        for row in self.shown_rows([number]):
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(self.columns) - 1))

    def _add(self, record: Mapping[Any, Any]) -> None:
        number, at = len(self._frame), len(self._shown)
        self.beginInsertRows(QModelIndex(), at, at)
        new = pd.DataFrame([{name: record.get(name) for name in self._frame.columns}])
        self._frame = pd.concat([self._frame, new.astype(self._frame.dtypes)], ignore_index=True)
        for column, values in zip(self.columns, self._values):
            values.append(self._frame[column.name].iloc[number])
        for shades in self._shades:
            if shades is not None:
                shades.append("")
        self._order = np.append(self._order, number) if self._order is not None else None
        self._shown = np.append(self._shown, number)
        self.endInsertRows()

    def _take_away(self, number: int) -> None:
        for row in self.shown_rows([number]):
            self.beginRemoveRows(QModelIndex(), row, row)
            self._shown = np.delete(self._shown, row)
            self.endRemoveRows()
        self._frame = self._frame.drop(index=number).reset_index(drop=True)
        for values in (*self._values, *filter(None, self._shades)):
            del values[number]
        self._order = None
        self._shown = np.where(self._shown > number, self._shown - 1, self._shown)


def _is_same(one: Any, other: Any) -> bool:
    return one is other or (type(one) is type(other) and bool(one == other))
