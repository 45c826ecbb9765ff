"""State of a review: the crowns of a layer, the verdicts on them, and their order in the list."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from qgis.core import QgsProject
from qgis.PyQt import sip

from randcrowns.core.arrays import Bools, Ints
from randcrowns.core.errors import InputError
from randcrowns.core.review.changes import Change, compare_scores
from randcrowns.core.review.queue import (
    REVIEW_COLUMNS,
    QueueFilter,
    ReviewProgress,
    add_verdicts,
    next_unreviewed,
    order_queue,
    review_progress,
    unreviewed_mask,
)
from randcrowns.core.review.sampling import (
    AcceptedShare,
    estimate_accepted_share,
    random_sample,
    score_classes,
)
from randcrowns.core.review.verdicts import (
    CROWN_COLUMNS,
    STATE_COLUMNS,
    VERDICT_COLUMNS,
    LayerKey,
    Side,
    Verdict,
    reviewer_agreement,
    select_layer_verdicts,
)
from randcrowns.layers.files.verdict_file import (
    VerdictFile,
    storage_problem,
    verdict_file_path,
)
from randcrowns.ui.review.evaluated_layer import EvaluatedLayer
from randcrowns.ui.review.queue_form import ORDERS, Sample
from randcrowns.ui.review.scored_layer import ScoredLayer
from randcrowns.ui.widgets.table_model import format_text

#: Column with the position of a crown in the random sample; infinite for crowns that are not in
#: it.
_SAMPLE_POSITION = ORDERS["sample"].column


class _JudgedCrowns(NamedTuple):
    """Crowns with verdicts, and what they were computed from."""

    #: Verdicts of all reviewers.
    verdicts: pd.DataFrame
    #: Name of the reviewer.
    reviewer: str
    #: Result of :func:`add_verdicts`, a row per crown.
    crowns: pd.DataFrame


class ReviewSession:
    """State of a review of the crowns of a scored layer.

    The crowns are identified by their rows in :attr:`crowns`.

    Create a session on the main thread, then call :meth:`read` once, on any thread. An empty
    session need not be read.

    Args:
        scored: The scored layer; None for an empty session.
        delineations: Name of one of its delineation layers.
        earlier: Scored layer of an earlier run to compare with; None for none.
        reviewer: Name of the reviewer.
    """

    def __init__(
        self,
        scored: ScoredLayer | None = None,
        delineations: str = "",
        earlier: ScoredLayer | None = None,
        reviewer: str = "",
    ) -> None:
        #: The scored layer; None if the session is empty.
        self.scored_layer = scored
        #: Name of the reviewer.
        self.reviewer = reviewer
        #: Name of a delineation layer -> layer with its outlines, or None if it was removed.
        self.delineation_layers = {} if scored is None else scored.delineation_layers()
        #: Id of the scored layer, which may have been removed from the project; "" for none.
        self.layer_id = "" if scored is None else str(scored.layer.id())
        #: Title of the scored layer; "" for none.
        self.title = "" if scored is None else scored.title
        #: Name of the delineation layer; "" for none.
        self.delineation_name = delineations
        #: Rows of :attr:`crowns` that are listed, in the order of the list.
        self.listed_rows: Ints = np.empty(0, dtype=np.int64)
        #: Row of the current crown; -1 for none.
        self.current_row = -1
        #: Number of crowns by kind of change since the earlier run; empty without one.
        self.change_counts: dict[Change, int] = {}
        #: Crowns as read from the layers, without verdicts. The states of crowns that nobody has
        #: judged are unknown.
        self._layer_crowns = pd.DataFrame()
        #: Identification of the target layer and of the delineation layer; None without layers.
        self._layer_keys: tuple[LayerKey, LayerKey] | None = None
        #: File with the verdicts; None if there is none.
        self._file: VerdictFile | None = None
        #: Ids of the layers of the project when verdicts were last read or written.
        self._project_layer_ids = _project_layer_ids()
        #: Number of features to read.
        self.row_count = 0
        #: Functions that read the crowns, and those of the earlier run; None for no crowns.
        self._read_crowns: Callable[[], pd.DataFrame] | None = None
        self._read_earlier: Callable[[], pd.DataFrame] | None = None
        #: Function that reads the states of crowns; None for no crowns.
        self._read_states: Callable[[pd.DataFrame], pd.DataFrame] | None = None
        #: Verdicts of all reviewers on crowns of these layers; columns VERDICT_COLUMNS.
        self._verdicts = pd.DataFrame(columns=VERDICT_COLUMNS)
        #: A row per crown: the columns of ``ScoredLayer.crowns_reader``, ``change`` and
        #: ``difference`` (since the earlier run), and after :meth:`update_list` those of the
        #: verdicts.
        self.crowns = self._layer_crowns
        #: The last result of :meth:`_crowns_with_verdicts`; None before the first one.
        self._judged: _JudgedCrowns | None = None
        #: The random sample that is listed; None if all crowns are.
        self._sample: Sample | None = None
        #: Crowns of the list as they are shown; None until they are made, and after a change.
        self.shown_crowns: pd.DataFrame | None = None
        #: Order, filter and sample of the list, and the crowns with their verdicts that it was made
        #: of; None before the first list.
        self._list_source: tuple[Any, ...] | None = None
        if scored is not None:
            self._prepare_reading(scored, delineations)
        if earlier is not None:
            # If the earlier run has no delineation layer of that name, its first one is used.
            is_known = delineations in earlier.prefixes
            name = delineations if is_known else next(iter(earlier.prefixes))
            self._read_earlier = earlier.crowns_reader(name, None)

    def _prepare_reading(self, scored: ScoredLayer, delineations: str) -> None:
        """Set the file of the verdicts, the keys of the layers, and the functions that read crowns.

        Args:
            scored: The scored layer.
            delineations: Name of one of its delineation layers.
        """
        path = verdict_file_path(scored.layer)
        self._file = None if path is None else VerdictFile(path)
        self._layer_keys = scored.layer_keys(delineations)
        delineation_layer = self.delineation_layers[delineations]
        self._read_crowns = scored.crowns_reader(delineations, delineation_layer)
        self._read_states = scored.state_reader(delineation_layer)
        self.row_count = scored.layer.featureCount()
        if delineation_layer is not None:
            self.row_count += delineation_layer.featureCount()

    def read(self) -> None:
        """Read the crowns and the verdicts; call once, on any thread.

        Raises:
            InputError: if the layer lacks a field, or the verdicts cannot be read.
        """
        if self._read_crowns is None:
            return
        self._layer_crowns = self._read_crowns()
        self._read_verdicts()
        self._add_changes()
        self.crowns = self._layer_crowns
        if len(self._layer_crowns):
            self._crowns_with_verdicts()

    def _crowns_with_verdicts(self) -> pd.DataFrame:
        """Return the crowns with the verdicts, see :func:`add_verdicts`.

        They are computed again if the verdicts or the reviewer have changed.
        """
        if (
            self._judged is not None
            and self._judged.verdicts is self._verdicts
            and self._judged.reviewer == self.reviewer
        ):
            return self._judged.crowns
        is_judged = _find_judged(self._layer_crowns, self._verdicts)
        self._update_states(is_judged & self._layer_crowns["outline"].isna())
        crowns = add_verdicts(self._layer_crowns, self._verdicts, self.reviewer)
        self._judged = _JudgedCrowns(self._verdicts, self.reviewer, crowns)
        return crowns

    def _update_states(self, is_updated: Any) -> None:
        """Read the states of crowns; a state that can no longer be read stays as it was.

        The columns STATE_COLUMNS of the crowns are replaced.

        Args:
            is_updated: (n,) mask of the crowns whose states are read.
        """
        updated_rows = np.flatnonzero(is_updated)
        if self._read_states is None or len(updated_rows) == 0:
            return
        states = self._read_states(self._layer_crowns.iloc[updated_rows])
        for name in STATE_COLUMNS:
            column = self._layer_crowns[name].to_numpy(dtype=object, copy=True)
            new_values = states[name].to_numpy()
            is_known = states[name].notna().to_numpy()
            column[updated_rows[is_known]] = new_values[is_known]
            self._layer_crowns[name] = column

    def _read_verdicts(self) -> None:
        """Read the verdicts on crowns of these layers from the file."""
        if self._file is not None and self._layer_keys is not None:
            self._verdicts = self._select_own_layers(self._file.read())

    def _select_own_layers(self, verdicts: pd.DataFrame) -> pd.DataFrame:
        """Return the verdicts on crowns of the layers of this session."""
        if self._layer_keys is None:
            return verdicts.iloc[:0]
        return select_layer_verdicts(
            verdicts, *self._layer_keys, project_layer_ids=self._project_layer_ids
        )

    def _add_changes(self) -> None:
        """Add the changes since the earlier run to the crowns, and count them.

        Only targets are compared; the columns of unmatched delineations stay empty.
        """
        if len(self._layer_crowns) == 0:
            return
        self._layer_crowns["change"] = None
        self._layer_crowns["difference"] = np.nan
        if self._read_earlier is None:
            return
        earlier_crowns = self._read_earlier()
        old_targets = earlier_crowns[earlier_crowns["side"] == Side.TARGET]
        new_targets = self._layer_crowns[self._layer_crowns["side"] == Side.TARGET]
        comparison = compare_scores(old_targets, new_targets)
        self.change_counts = {
            kind: int((comparison["change"] == kind.value).sum()) for kind in Change
        }
        # The targets are the first rows of both tables, in the same order.
        columns = comparison[["change", "difference"]].iloc[: len(new_targets)]
        self._layer_crowns = self._layer_crowns.assign(**columns)

    def is_outdated(self) -> bool:
        """Return True if the session has to be created again.

        This is the case if a layer with delineations was removed or added (the layers of a run
        are added one by one), or if verdicts can now be saved.
        """
        delineation_layers = [
            layer for layer in self.delineation_layers.values() if layer is not None
        ]
        if any(sip.isdeleted(layer) for layer in delineation_layers):
            return True
        if self.scored_layer is None or sip.isdeleted(self.scored_layer.layer):
            return False
        if not self.can_save and verdict_file_path(self.scored_layer.layer) is not None:
            return True
        added_layer = self.scored_layer.run_delineations()
        return added_layer is not None and added_layer not in delineation_layers

    @property
    def has_randcrowns(self) -> bool:
        """False if the crowns have only an IoU, because page Instances has evaluated them."""
        return not isinstance(self.scored_layer, EvaluatedLayer)

    @property
    def can_save(self) -> bool:
        """True if there is a file for the verdicts."""
        return self._file is not None

    @property
    def current_crown(self) -> pd.Series | None:
        """The current crown, a row of :attr:`crowns`; None if there is none."""
        has_crown = 0 <= self.current_row < len(self.crowns)
        return self.crowns.iloc[self.current_row] if has_crown else None

    @property
    def plots(self) -> list[str]:
        """Names of the plots of the crowns, sorted."""
        if len(self._layer_crowns) == 0:
            return []
        return sorted({str(plot) for plot in self._layer_crowns["plot"].unique() if plot})

    @property
    def classes(self) -> list[str]:
        """Names of the classes of the crowns, sorted; empty without classes."""
        if "crown_class" not in self._layer_crowns:
            return []
        names = pd.concat(
            [self._layer_crowns["crown_class"], self._layer_crowns["matched_class"]]
        ).dropna()
        return sorted({str(name) for name in names.unique() if name})

    def update_list(self, order: str, crown_filter: QueueFilter, sample: Sample | None) -> None:
        """Select and sort the crowns of the list; the current crown stays the same.

        Args:
            order: Key of the order, see ORDERS.
            crown_filter: Filter of the crowns.
            sample: Random sample to list; None for all crowns.

        Raises:
            InputError: if the sample cannot be drawn; the list is empty then.
        """
        judged_crowns = self._layer_crowns
        if len(self._layer_crowns):
            judged_crowns = self._crowns_with_verdicts()
        if self.shown_crowns is not None and self._list_source is not None:
            *request, listed_crowns = self._list_source
            if request == [order, crown_filter, sample] and listed_crowns is judged_crowns:
                return
        self.shown_crowns = None
        self._list_source = (order, crown_filter, sample, judged_crowns)
        self.listed_rows = np.empty(0, dtype=np.int64)
        self._sample = sample
        if len(self._layer_crowns) == 0:
            return
        # The columns are shared: copies of those of a large layer would delay the window.
        self.crowns = judged_crowns.copy(deep=False)
        sample_positions = np.full(len(self.crowns), np.inf)
        self.crowns[_SAMPLE_POSITION] = sample_positions
        if sample is not None:
            sampled_rows = random_sample(self._strata(), sample.size, sample.seed)
            generator = np.random.default_rng(sample.seed)
            sample_positions[sampled_rows] = generator.permutation(len(sampled_rows))
            self.crowns[_SAMPLE_POSITION] = sample_positions
        column, is_ascending = ORDERS[order]
        self.listed_rows = order_queue(self.crowns, column, is_ascending, crown_filter)
        if sample is not None:
            is_sampled = np.isfinite(sample_positions[self.listed_rows])
            self.listed_rows = self.listed_rows[is_sampled]

    def save_verdict(self, verdict: str, comment: str, right_class: str = "") -> bool:
        """Save a verdict on the current crown, or only a comment.

        The columns of :attr:`crowns` with the verdicts are updated.

        Args:
            verdict: A :class:`Verdict` as text; "" to save only the comment.
            comment: Comment of the reviewer; may be empty.
            right_class: Right class of a crown with the verdict "wrong class".

        Returns:
            False if there is no current crown or no file; nothing is saved then.

        Raises:
            InputError: if the file cannot be written; nothing is changed then.
        """
        if self.current_crown is None or self._file is None:
            return False
        self._update_states(np.arange(len(self._layer_crowns)) == self.current_row)
        crown = self._layer_crowns.iloc[self.current_row]
        new_verdict = {name: crown[name] for name in VERDICT_COLUMNS if name in crown}
        new_verdict |= {
            "verdict": Verdict.from_value(verdict).value if verdict else "",
            "comment": comment,
            "reviewer": self.reviewer,
            "time": datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
            "right_class": right_class,
        }
        self._add_new_verdicts(self._file.add(new_verdict))
        return True

    def _add_new_verdicts(self, written: pd.DataFrame) -> None:
        """Add new rows of the file to the verdicts, and update the crowns that they are about.

        Args:
            written: Verdicts that are new in the file, on crowns of any layers.
        """
        self._project_layer_ids = _project_layer_ids()
        self.shown_crowns = None
        new_verdicts = self._select_own_layers(written)
        if len(self._verdicts):
            self._verdicts = pd.concat([self._verdicts, new_verdicts], ignore_index=True)
        else:
            self._verdicts = new_verdicts
        is_updated = _find_judged(self._layer_crowns, new_verdicts)
        # All verdicts on the updated crowns, not only the new ones.
        is_on_updated = _find_judged(self._verdicts, new_verdicts)
        self._update_states(is_updated & self._layer_crowns["outline"].isna())
        updated_crowns = add_verdicts(
            self._layer_crowns[is_updated], self._verdicts[is_on_updated], self.reviewer
        )
        columns = {}
        for name in REVIEW_COLUMNS:
            column = self.crowns[name].to_numpy(copy=True)
            column[is_updated] = updated_crowns[name].to_numpy()
            columns[name] = column
        self.crowns = self.crowns.assign(**columns)

    def save_comment(self, comment: str) -> bool:
        """Save the comment on the current crown if it has changed, with the verdict it has.

        Args:
            comment: Comment of the reviewer; may be empty.

        Returns:
            True if the comment was saved.

        Raises:
            InputError: if the file cannot be written; nothing is changed then.
        """
        crown = self.current_crown
        if crown is None or comment == format_text(crown["comment"]):
            return False
        is_unreviewed = unreviewed_mask(self.crowns)[self.current_row]
        return self.save_verdict("" if is_unreviewed else str(crown["verdict"]), comment)

    def merge_verdicts(self, path: Path) -> int:
        """Add the verdicts of another file.

        Args:
            path: GeoPackage with verdicts, or the file of a page to explore.

        Returns:
            Number of verdicts that were added.

        Raises:
            InputError: if the file has no verdicts, or they cannot be saved.
        """
        if self._file is None:
            raise InputError("verdicts.no_project_file", storage_problem())
        added_count = self._file.merge(path)
        self._project_layer_ids = _project_layer_ids()
        self._read_verdicts()
        return added_count

    def row_of(self, feature_id: Any, side: Any = Side.TARGET) -> int:
        """Return the row of a crown, or -1 if there is none.

        Args:
            feature_id: Id of the crown in its layer.
            side: Side of the crown: target, or unmatched delineation.
        """
        if len(self.crowns) == 0:
            return -1
        is_crown = (self.crowns["feature_id"] == feature_id) & (self.crowns["side"] == side)
        return _first_position(is_crown.to_numpy())

    def row_of_current_in(self, other: ReviewSession) -> int:
        """Return the row of the current crown of another session of the same targets, or -1."""
        crown = other.current_crown
        if crown is None or self._layer_keys is None or other._layer_keys is None:
            return -1
        target_key, _ = self._layer_keys
        other_target_key, _ = other._layer_keys
        if not target_key.is_same(other_target_key):
            return -1
        return self.row_of(crown["feature_id"], crown["side"])

    def row_of_judged_in(self, other: ReviewSession) -> int:
        """Return the row of another session's current crown if both are of the same layers, or -1.

        A verdict on that crown is a verdict on this row.
        """
        layers = (self.layer_id, self.delineation_name)
        if layers != (other.layer_id, other.delineation_name):
            return -1
        return self.row_of_current_in(other)

    def list_position(self) -> int:
        """Return the position of the current crown in the list, or -1 if it is not listed."""
        return _first_position(self.listed_rows == self.current_row)

    def neighbour(self, offset: int) -> int:
        """Return the row of the crown that is some positions after the current one in the list.

        Args:
            offset: Number of positions; negative for crowns before the current one. The list is not
                left at its ends.

        Returns:
            The row; that of the first crown if the current one is not listed, -1 if the list is
            empty.
        """
        if len(self.listed_rows) == 0:
            return -1
        current_position = self.list_position()
        position = current_position + offset if current_position >= 0 else 0
        last_position = len(self.listed_rows) - 1
        return int(self.listed_rows[np.clip(position, 0, last_position)])

    def next_unreviewed_row(self) -> int:
        """Return the row of the next listed crown without a valid verdict, or -1."""
        return next_unreviewed(self.crowns, self.listed_rows, self.current_row)

    def list_progress(self) -> ReviewProgress | None:
        """Return the progress of the review of the list; None if there are no crowns."""
        if len(self.crowns) == 0:
            return None
        verdicts = self.crowns[["verdict", "changed"]]
        has_all_crowns = len(self.listed_rows) == len(self.crowns)
        return review_progress(verdicts if has_all_crowns else verdicts.iloc[self.listed_rows])

    def accepted_share(self) -> AcceptedShare | None:
        """Return the share of all crowns that would be accepted, estimated from the sample.

        Only the crowns before the first one without a verdict are used. Crowns judged out of
        order were selected by the reviewer, for example by their score, and not at random.

        Returns:
            The share with its interval; None if no sample is listed.
        """
        if self._sample is None or len(self.crowns) == 0:
            return None
        positions = self.crowns[_SAMPLE_POSITION].to_numpy()
        first_unreviewed = np.min(positions[unreviewed_mask(self.crowns)], initial=np.inf)
        is_accepted = (self.crowns["verdict"] == Verdict.ACCEPTED.value).to_numpy()
        return estimate_accepted_share(self._strata(), positions < first_unreviewed, is_accepted)

    def agreement(self) -> pd.DataFrame:
        """Return the agreement of the reviewers on these crowns.

        See :func:`randcrowns.core.review.verdicts.reviewer_agreement` for the columns.
        """
        verdicts = self._verdicts
        if len(verdicts):
            verdicts = verdicts.merge(self._layer_crowns[CROWN_COLUMNS], on=CROWN_COLUMNS)
        return reviewer_agreement(verdicts)

    def _strata(self) -> Any:
        """Return the stratum of each crown, (n,) integers or texts; zeros without strata."""
        strata = "" if self._sample is None else self._sample.strata
        if strata == "classes":
            return score_classes(self.crowns["score"])
        if strata == "plot":
            return self.crowns["plot"].fillna("").to_numpy()
        return np.zeros(len(self.crowns))


def _project_layer_ids() -> frozenset[str]:
    """Return the ids of the layers of the project; call on the main thread only."""
    return frozenset(QgsProject.instance().mapLayers())


def _find_judged(crowns: pd.DataFrame, verdicts: pd.DataFrame) -> Bools:
    """Return a mask (n,) of the crowns that at least one verdict is about.

    Args:
        crowns: (n,) rows that identify crowns by the columns CROWN_COLUMNS.
        verdicts: Verdicts on crowns that are identified by the same columns.
    """
    if len(verdicts) == 0:
        return np.zeros(len(crowns), dtype=bool)
    crown_keys = pd.MultiIndex.from_frame(crowns[CROWN_COLUMNS])
    judged_keys = pd.MultiIndex.from_frame(verdicts[CROWN_COLUMNS].drop_duplicates())
    return np.asarray(crown_keys.isin(judged_keys), dtype=bool)


def _first_position(mask: Any) -> int:
    """Return the position of the first True in a mask (n,), or -1."""
    positions = np.flatnonzero(mask)
    return int(positions[0]) if len(positions) else -1
