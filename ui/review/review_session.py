"""State of a review: the crowns of a layer, the verdicts on them, and their order in the list."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

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
        #: Rows of :attr:`crowns` that are listed, in the order of the list.
        self.listed_rows: Ints = np.empty(0, dtype=np.int64)
        #: Row of the current crown; -1 for none.
        self.current_row = -1
        #: Number of crowns by kind of change since the earlier run; empty without one.
        self.change_counts: dict[Change, int] = {}
        #: Crowns as read from the layers, without verdicts. The states of crowns that nobody has
        #: judged are unknown.
        self._read = pd.DataFrame()
        #: Identification of the target layer and of the delineation layer; None without layers.
        self._keys: tuple[LayerKey, LayerKey] | None = None
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
        if scored is not None:
            path = verdict_file_path(scored.layer)
            self._file = None if path is None else VerdictFile(path)
            self._keys = scored.layer_keys(delineations)
            drawn = self.delineation_layers[delineations]
            self._read_crowns = scored.crowns_reader(delineations, drawn)
            self._read_states = scored.state_reader(drawn)
            layers = [scored.layer, *([] if drawn is None else [drawn])]
            self.row_count = sum(layer.featureCount() for layer in layers)
        if earlier is not None:
            # If the earlier run has no delineation layer of that name, its first one is used.
            is_known = delineations in earlier.prefixes
            name = delineations if is_known else next(iter(earlier.prefixes))
            self._read_earlier = earlier.crowns_reader(name, None)
        #: Verdicts of all reviewers on crowns of these layers; columns VERDICT_COLUMNS.
        self._verdicts = pd.DataFrame(columns=VERDICT_COLUMNS)
        #: A row per crown: the columns of ``ScoredLayer.crowns_reader``, ``change`` and
        #: ``difference`` (since the earlier run), and after :meth:`update_list` those of the
        #: verdicts.
        self.crowns = self._read
        #: The last result of :meth:`_add_verdicts`, with the verdicts and the reviewer.
        self._judged: tuple[pd.DataFrame, str, pd.DataFrame] | None = None
        #: The random sample that is listed; None if all crowns are.
        self._sample: Sample | None = None

    def read(self) -> None:
        """Read the crowns and the verdicts; call once, on any thread.

        Raises:
            InputError: if the layer lacks a field, or the verdicts cannot be read.
        """
        if self._read_crowns is None:
            return
        self._read = self._read_crowns()
        self._read_verdicts()
        self._compare()
        self.crowns = self._read
        if len(self._read):
            self._add_verdicts()

    def _add_verdicts(self) -> pd.DataFrame:
        """Return the crowns with the verdicts, see :func:`add_verdicts`.

        They are computed again if the verdicts or the reviewer have changed.
        """
        if self._judged is not None:
            verdicts, reviewer, judged = self._judged
            if verdicts is self._verdicts and reviewer == self.reviewer:
                return judged
        self._update_states(_is_about(self._read, self._verdicts) & self._read["outline"].isna())
        judged = add_verdicts(self._read, self._verdicts, self.reviewer)
        self._judged = (self._verdicts, self.reviewer, judged)
        return judged

    def _update_states(self, is_updated: Any) -> None:
        """Read the states of crowns; a state that can no longer be read stays as it was.

        Args:
            is_updated: (n,) mask of the crowns.
        """
        rows = np.flatnonzero(is_updated)
        if self._read_states is None or len(rows) == 0:
            return
        states = self._read_states(self._read.iloc[rows])
        for name in STATE_COLUMNS:
            values = self._read[name].to_numpy(dtype=object, copy=True)
            is_known = states[name].notna().to_numpy()
            values[rows[is_known]] = states[name].to_numpy()[is_known]
            self._read[name] = values

    def _read_verdicts(self) -> None:
        """Read the verdicts on crowns of these layers from the file."""
        if self._file is not None and self._keys is not None:
            self._verdicts = self._select_own_layers(self._file.read())

    def _select_own_layers(self, verdicts: pd.DataFrame) -> pd.DataFrame:
        """Return the verdicts on crowns of the layers of this session."""
        if self._keys is None:
            return verdicts.iloc[:0]
        return select_layer_verdicts(
            verdicts, *self._keys, project_layer_ids=self._project_layer_ids
        )

    def _compare(self) -> None:
        """Add the changes since the earlier run to the crowns, and count them.

        Only targets are compared; the columns of unmatched delineations stay empty.
        """
        if len(self._read) == 0:
            return
        self._read = self._read.assign(change=None, difference=np.nan)
        if self._read_earlier is None:
            return
        earlier_crowns = self._read_earlier()
        old_targets = earlier_crowns[earlier_crowns["side"] == Side.TARGET]
        new_targets = self._read[self._read["side"] == Side.TARGET]
        comparison = compare_scores(old_targets, new_targets)
        self.change_counts = {
            kind: int((comparison["change"] == kind.value).sum()) for kind in Change
        }
        # The targets are the first rows of both tables, in the same order.
        columns = comparison[["change", "difference"]].iloc[: len(new_targets)]
        self._read = self._read.assign(**columns)

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
        return (
            self.crowns.iloc[self.current_row] if 0 <= self.current_row < len(self.crowns) else None
        )

    @property
    def plots(self) -> list[str]:
        """Names of the plots of the crowns, sorted."""
        if len(self._read) == 0:
            return []
        return sorted({str(plot) for plot in self._read["plot"].unique() if plot})

    @property
    def classes(self) -> list[str]:
        """Names of the classes of the crowns, sorted; empty without classes."""
        if "crown_class" not in self._read:
            return []
        names = pd.concat([self._read["crown_class"], self._read["matched_class"]]).dropna()
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
        self.listed_rows = np.empty(0, dtype=np.int64)
        self._sample = sample
        if len(self._read) == 0:
            return
        # The columns are shared: copies of those of a large layer would delay the window.
        self.crowns = self._add_verdicts().copy(deep=False)
        positions = np.full(len(self.crowns), np.inf)
        self.crowns[_SAMPLE_POSITION] = positions
        if sample is not None:
            sampled = random_sample(self._strata(), sample.size, sample.seed)
            positions[sampled] = np.random.default_rng(sample.seed).permutation(len(sampled))
            self.crowns[_SAMPLE_POSITION] = positions
        rows = order_queue(self.crowns, *ORDERS[order], crown_filter)
        if sample is not None:
            rows = rows[np.isfinite(self.crowns[_SAMPLE_POSITION].to_numpy()[rows])]
        self.listed_rows = rows

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
        crown = self.current_crown
        if crown is None or self._file is None:
            return False
        self._update_states(np.arange(len(self._read)) == self.current_row)
        judged = self._read.iloc[self.current_row]
        row = {
            **{name: judged[name] for name in VERDICT_COLUMNS if name in self._read},
            "verdict": Verdict.from_value(verdict).value if verdict else "",
            "comment": comment,
            "reviewer": self.reviewer,
            "time": datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
            "right_class": right_class,
        }
        self._add_new_verdicts(self._file.add(row))
        return True

    def _add_new_verdicts(self, written: pd.DataFrame) -> None:
        """Add new rows of the file to the verdicts, and update the crowns that they are about.

        Args:
            written: Verdicts that are new in the file, on crowns of any layers.
        """
        self._project_layer_ids = _project_layer_ids()
        new_verdicts = self._select_own_layers(written)
        if len(self._verdicts):
            self._verdicts = pd.concat([self._verdicts, new_verdicts], ignore_index=True)
        else:
            self._verdicts = new_verdicts
        is_updated = _is_about(self._read, new_verdicts)
        is_known = _is_about(self._verdicts, new_verdicts)
        self._update_states(is_updated & self._read["outline"].isna())
        updated = add_verdicts(self._read[is_updated], self._verdicts[is_known], self.reviewer)
        columns = {}
        for name in REVIEW_COLUMNS:
            values = self.crowns[name].to_numpy(copy=True)
            values[is_updated] = updated[name].to_numpy()
            columns[name] = values
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
        if crown is None or self._keys is None or other._keys is None:
            return -1
        target_key, _ = self._keys
        other_target_key, _ = other._keys
        if not target_key.is_same(other_target_key):
            return -1
        return self.row_of(crown["feature_id"], crown["side"])

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
        current = self.list_position()
        position = current + offset if current >= 0 else 0
        return int(self.listed_rows[min(max(position, 0), len(self.listed_rows) - 1)])

    def next_unreviewed_row(self) -> int:
        """Return the row of the next listed crown without a valid verdict, or -1."""
        return next_unreviewed(self.crowns, self.listed_rows, self.current_row)

    def list_progress(self) -> ReviewProgress | None:
        """Return the progress of the review of the list; None if there are no crowns."""
        if len(self.crowns) == 0:
            return None
        return review_progress(self.crowns[["verdict", "changed"]].iloc[self.listed_rows])

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
            verdicts = verdicts.merge(self._read[CROWN_COLUMNS], on=CROWN_COLUMNS)
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


def _is_about(crowns: pd.DataFrame, verdicts: pd.DataFrame) -> Bools:
    """Return True for each crown that a verdict is about, (n,).

    Args:
        crowns: Rows with the columns CROWN_COLUMNS.
        verdicts: Verdicts with the columns CROWN_COLUMNS.
    """
    if len(verdicts) == 0:
        return np.zeros(len(crowns), dtype=bool)
    judged = pd.MultiIndex.from_frame(verdicts[CROWN_COLUMNS].drop_duplicates())
    return np.asarray(pd.MultiIndex.from_frame(crowns[CROWN_COLUMNS]).isin(judged), dtype=bool)


def _first_position(mask: Any) -> int:
    """Return the position of the first True in a mask (n,), or -1."""
    positions = np.flatnonzero(mask)
    return int(positions[0]) if len(positions) else -1
