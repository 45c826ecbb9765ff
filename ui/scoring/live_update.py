"""Live update of page Score: the table at once, summary and plot after a pause in the edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import QModelIndex, QObject, QSignalBlocker, QTimer

from randcrowns.algorithms.common_parameters import TARGETS
from randcrowns.algorithms.scoring.live_run import LayerChange
from randcrowns.layers.localization import message_texts
from randcrowns.ui.scoring.live_scoring import LiveScoring
from randcrowns.ui.scoring.results import ScoreResults
from randcrowns.ui.services.layer_watch import single_shot_timer
from randcrowns.ui.shell.run_history import READ_BACK_KEY
from randcrowns.ui.widgets.table_model import FrameModel, TableColumn

#: Time without an edit after which summary and plot are updated, milliseconds.
_PAUSE = 400


class LiveUpdater(QObject):
    """Connects :class:`LiveScoring` with the results of page Score and with the map.

    Args:
        page: The page Score; also the Qt parent.
    """

    def __init__(self, page: Any) -> None:
        super().__init__(page)
        self._page = page
        self._results = page.results
        #: Scores the edited crowns.
        self.live = LiveScoring(page.messages, page.parameters, self)
        #: Timer that updates summary and plot after a pause in the edits.
        self.pause_timer = single_shot_timer(_PAUSE, self._show_summary, self)
        self._results.live_switch.toggled.connect(self.set_live)
        self.live.switched.connect(self._show_switch)
        self.live.state_changed.connect(self._results.show_live_message)
        self.live.state_changed.connect(page.show_staleness)
        self.live.layers_read.connect(self._show_all)
        self.live.edits_scored.connect(self._show_changes)

    def set_live(self, on: bool) -> None:
        """Start or stop scoring the edits of the layers whose results are shown.

        Args:
            on: True to start; without results nothing is started.
        """
        if on and self._results.results is not None:
            self.live.start(self._results.results)
        else:
            self.live.stop()
        self._page.show_staleness()

    def _show_switch(self, on: bool) -> None:
        """Set the check box to the state of the live scoring, without toggling it again.

        Headline and staleness are updated, since they depend on the state.

        Args:
            on: True if the live scoring is on.
        """
        with QSignalBlocker(self._results.live_switch):
            self._results.live_switch.setChecked(on)
        if not on:
            self.pause_timer.stop()
        self._results.show_headline()
        self._page.show_staleness()

    def _show_all(self, changes: list[LayerChange]) -> None:
        """Show all rows as they are now, after the layers were read.

        The message that the results are those of an earlier run is removed: edits since that run
        are now included. No row is selected and drawn any more, so that the map is free to be drawn
        on.

        Args:
            changes: A change with all rows per delineation layer, in the order of the results;
                empty if the table shows these rows.
        """
        messages = self._results.messages
        self._results.show_messages(message for message in messages if message.key != READ_BACK_KEY)
        if changes:
            self._results.replace_all_rows(changes)
        else:
            self._results.clear_selection()
        self._page.highlight.clear()
        self.pause_timer.start()

    def _show_changes(self, changes: list[LayerChange], edited: dict[str, list[int]]) -> None:
        """Update table and headline at once; schedule the map, the summary and the plot.

        Args:
            changes: Changes per delineation layer, in the order of the results.
            edited: Layer id -> ids of the edited features.
        """
        for number, change in enumerate(changes):
            self._results.apply_change(number, change)
        self.pause_timer.start()
        QTimer.singleShot(0, partial(self._show_edited, edited))

    def _show_edited(self, edited: dict[str, list[int]]) -> None:
        """Select the edited crown in the table and draw it on the map, without moving the map.

        Nothing is drawn unless exactly one crown of the displayed layers was edited and it has
        exactly one row.

        Args:
            edited: Layer id -> ids of the edited features.
        """
        results = self._results.results
        scores = self._results.displayed_scores()
        page = self._page
        if results is None or scores is None or not page.highlight.can_draw:
            return
        rows = self._select_edited_crown(edited, results.settings[TARGETS], scores.layer_id)
        page.highlight.clear()
        if len(rows) != 1:
            return
        crown = self._results.crown_model.frame.iloc[rows[0]]
        with page.messages.show_errors():
            view = page.view(results.settings, scores, crown)
            if view is not None:
                page.highlight.show_crown(
                    view.target, view.delineation, view.regions, hide_layers=False, veil=0
                )

    def _select_edited_crown(
        self, edited: dict[str, list[int]], target_layer_id: str, delineation_layer_id: str
    ) -> list[int]:
        """Select the rows of the edited crown in the table, if only one crown was edited.

        Args:
            edited: Layer id -> ids of the edited features.
            target_layer_id: Id of the target layer.
            delineation_layer_id: Id of the displayed delineation layer.

        Returns:
            The selected frame rows; empty if several crowns or none were edited.
        """
        target_ids = edited.get(target_layer_id, [])
        delineation_ids = edited.get(delineation_layer_id, [])
        if len(target_ids) + len(delineation_ids) != 1:
            return []
        id_column = "target_id" if target_ids else "delineation_id"
        edited_ids = target_ids or delineation_ids
        return self._results.crown_table.select_ids(id_column, edited_ids, keep_selected=True)

    def _show_summary(self) -> None:
        """Update summary, plot and messages if the live scoring is ready, and the copied answer."""
        summary_and_messages = self.live.current_summary(self._results.messages)
        if summary_and_messages is not None:
            summary, messages = summary_and_messages
            self._results.show_summary(summary, messages)
        results = self._results.results
        if results is not None:
            answers = [message for scores in results.layers for message in scores.answer.messages()]
            self._page.quote_row.set_answer(" ".join(message_texts(answers)))


def apply_change(
    results: ScoreResults, number: int, change: LayerChange, crowns: pd.DataFrame | None = None
) -> None:
    """Apply a change to the results of one delineation layer.

    Args:
        results: The results; ``results.layers[number]`` is replaced.
        number: Position of the delineation layer in the results.
        change: The changed rows, deleted targets, unmatched delineations and overall values.
        crowns: Table of the layer's crowns after the change; None to compute it.
    """
    scores = results.layers[number]
    if crowns is None:
        crowns = replace_rows(scores.crowns, "target_id", change.rows, change.deleted_ids)
    unmatched_classes: list[str] = []
    if scores.unmatched_classes:
        # The classes of delineations that are unmatched since an edit are not read again.
        class_by_id = dict(zip(scores.unmatched_ids, scores.unmatched_classes))
        unmatched_classes = [class_by_id.get(crown_id, "") for crown_id in change.unmatched_ids]
    results.has_edits = True
    results.layers[number] = replace(
        scores,
        crowns=crowns,
        status_counts=change.status_counts,
        unmatched_ids=change.unmatched_ids,
        unmatched_classes=tuple(unmatched_classes),
        overall=pd.Series(change.overall),
    )


def replace_rows(
    frame: pd.DataFrame, key: str, rows: Mapping[str, Any], deleted_keys: Sequence[int] = ()
) -> pd.DataFrame:
    """Return a table with rows replaced, added and deleted, sorted by their key.

    Args:
        frame: The table.
        key: Name of the column that identifies a row.
        rows: New values by column, one value per row. A row replaces the row with the same key,
            or is added. Columns of ``frame`` that are missing here become NaN.
        deleted_keys: Keys of the rows to delete.

    Returns:
        A new table with the columns and dtypes of ``frame`` and a new index.

    >>> table = pd.DataFrame({"id": [1, 2, 3], "score": [0.1, 0.2, 0.3]})
    >>> replace_rows(table, "id", {"id": [2], "score": [0.9]}, [3])["score"].tolist()
    [0.1, 0.9]
    """
    is_changed = frame[key].isin([*deleted_keys, *rows[key]])
    unchanged_rows = frame[~is_changed]
    new_rows = pd.DataFrame(rows).reindex(columns=frame.columns).astype(frame.dtypes)
    # Concatenating an empty table could change the dtypes.
    tables = [unchanged_rows, new_rows] if len(unchanged_rows) else [new_rows]
    return pd.concat(tables).sort_values(key, ignore_index=True)


class EditableFrameModel(FrameModel):
    """Table model whose rows can change, without losing order, filter and selection."""

    def set_frame(self, frame: pd.DataFrame, columns: Sequence[TableColumn]) -> None:
        """Show a copy of a data frame, whose cells can change.

        Args:
            frame: data frame with the names of the columns and of their shades.
            columns: columns to show from left to right.
        """
        super().set_frame(frame.copy(), columns)

    def update_rows(
        self, key: str, rows: Mapping[str, Any], deleted_keys: Sequence[int] = ()
    ) -> pd.DataFrame:
        """Change, add and delete rows; the order and the filter of the others stay as they are.

        Args:
            key: Name of the column that identifies a row.
            rows: New values by column, one value per row. A row with a known key is changed; any
                other row is added below.
            deleted_keys: Keys of the rows to delete.

        Returns:
            The whole table after the change.
        """
        if len(deleted_keys):
            deleted_rows = np.flatnonzero(np.isin(self._frame[key], list(deleted_keys)))
            for deleted_row in reversed(deleted_rows.tolist()):  # the rows before it stay in place
                self._delete_row(deleted_row)
        known_keys = self._frame[key].to_numpy()
        columns = [np.asarray(column, dtype=object).tolist() for column in rows.values()]
        changed_rows: list[int] = []
        for values in zip(*columns):
            record = dict(zip(rows, values))
            matching_rows = np.flatnonzero(known_keys == record[key])
            if not len(matching_rows):
                self._append_row(record)
            elif self._change_row(int(matching_rows[0]), record):
                changed_rows.append(int(matching_rows[0]))
        self._texts = {}
        last_column = len(self.columns) - 1
        for row in self.shown_rows(changed_rows):
            self.dataChanged.emit(self.index(row, 0), self.index(row, last_column))
        return self._frame

    def _change_row(self, frame_row: int, record: Mapping[Any, Any]) -> bool:
        """Set the values of a row that differ.

        Args:
            frame_row: Row of the data frame.
            record: New values by column. Values of columns that are not displayed are always set.

        Returns:
            True if a value was set, so that the row is to be repainted.
        """
        displayed_values = {
            column.name: values[frame_row] for column, values in zip(self.columns, self._values)
        }
        changed_names = set()
        for name, value in record.items():
            is_displayed = name in displayed_values
            if not is_displayed or not _is_same(displayed_values[name], value):
                changed_names.add(name)
        for position, name in enumerate(self._frame.columns):
            if name in changed_names:
                self._frame.iat[frame_row, position] = record[name]  # noqa: PD009 - 10 times faster
        # The displayed values are copies of the data frame's.
        for column, values in zip(self.columns, self._values):
            if column.name in changed_names:
                values[frame_row] = record[column.name]
        return bool(changed_names)

    def _append_row(self, record: Mapping[Any, Any]) -> None:
        """Add a row below all others, visible whatever the filter is.

        Args:
            record: Values by column; missing columns are empty.
        """
        frame_row = len(self._frame)
        visible_row = len(self._visible_frame_rows)
        self.beginInsertRows(QModelIndex(), visible_row, visible_row)
        new_row = pd.DataFrame([{name: record.get(name) for name in self._frame.columns}])
        new_row = new_row.astype(self._frame.dtypes)
        self._frame = pd.concat([self._frame, new_row], ignore_index=True)
        for column, values in zip(self.columns, self._values):
            values.append(self._frame[column.name].iloc[frame_row])
        for shades in self._shades:
            if shades is not None:
                shades.append("")
        if self._sorted_order is not None:
            self._sorted_order = np.append(self._sorted_order, frame_row)
        self._visible_frame_rows = np.append(self._visible_frame_rows, frame_row)
        self.endInsertRows()

    def _delete_row(self, frame_row: int) -> None:
        """Delete a row of the table, and its visible row if it has one.

        The order of the sorted rows is computed again when it is needed.

        Args:
            frame_row: Row of the data frame; the rows after it move up by one.
        """
        for row in self.shown_rows([frame_row]):
            self.beginRemoveRows(QModelIndex(), row, row)
            self._visible_frame_rows = np.delete(self._visible_frame_rows, row)
            self.endRemoveRows()
        self._frame = self._frame.drop(index=frame_row).reset_index(drop=True)
        for values in self._values:
            del values[frame_row]
        for shades in self._shades:
            if shades:
                del shades[frame_row]
        self._sorted_order = None
        is_below = self._visible_frame_rows > frame_row
        self._visible_frame_rows = self._visible_frame_rows - is_below


def _is_same(value: Any, other: Any) -> bool:
    """Return True if two values are identical, or equal and of the same type."""
    return value is other or (type(value) is type(other) and bool(value == other))
