"""A review under way: the crowns of one layer, the verdicts on them, and the list in its order."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Ints
from randcrowns.core.errors import InputError
from randcrowns.core.review.changes import Change, changes
from randcrowns.core.review.queue import (
    REVIEW_COLUMNS,
    Filter,
    Progress,
    next_unreviewed,
    progress_of,
    queue,
    unreviewed,
    with_verdicts,
)
from randcrowns.core.review.sampling import AcceptedShare, accepted_share, random_sample, score_classes
from randcrowns.core.review.verdicts import VERDICT_COLUMNS, Verdict, reviewer_agreement
from randcrowns.layers.files.verdicts import VerdictFile
from randcrowns.layers.words import tr
from randcrowns.ui.review.choosing import ORDERS, Sample
from randcrowns.ui.review.scored import ScoredLayer

#: Place of a crown in the order in which a sample was drawn; infinite for those that were not.
_DRAWN = "drawn"


class ReviewSession:
    """What page Review works on; without a layer it is empty."""

    def __init__(
        self, scored: ScoredLayer | None = None, delineations: str = "", earlier: ScoredLayer | None = None
    ) -> None:
        self.scored = scored
        self.rows: Ints = np.empty(0, dtype=np.int64)  #: rows of ``crowns`` that are listed, in their order.
        self.at = -1  #: row of the crown at hand; -1 for none.
        #: How many crowns became what since the earlier run; empty without one.
        self.change_counts: dict[Change, int] = {}
        path = scored.file() if scored is not None else None
        self._file = VerdictFile(path) if path is not None else None
        self._verdicts = pd.DataFrame(columns=VERDICT_COLUMNS) if self._file is None else self._file.read()
        self._read = pd.DataFrame() if scored is None else scored.crowns(delineations)
        self._compare(delineations, earlier)
        #: A row per crown, see :meth:`randcrowns.ui.review.scored.ScoredLayer.crowns`, with the last verdict.
        self.crowns = self._read
        self._sample: Sample | None = None

    def _compare(self, delineations: str, earlier: ScoredLayer | None) -> None:
        """How every crown changed since an earlier run; without one the columns are empty."""
        if len(self._read) == 0:
            return
        self._read = self._read.assign(change=None, difference=np.nan)
        if earlier is not None:
            name = delineations if delineations in earlier.prefixes else next(iter(earlier.prefixes))
            found = changes(earlier.crowns(name), self._read)
            self.change_counts = {kind: int((found["change"] == kind.value).sum()) for kind in Change}
            own = found.iloc[: len(self._read)]
            self._read = self._read.assign(change=own["change"].to_numpy(), difference=own["difference"].to_numpy())

    @property
    def can_keep(self) -> bool:
        """Whether there is a file that verdicts can be kept in."""
        return self._file is not None

    @property
    def crown(self) -> pd.Series | None:
        """The crown at hand."""
        return self.crowns.iloc[self.at] if 0 <= self.at < len(self.crowns) else None

    @property
    def plots(self) -> list[str]:
        """The plots of the crowns."""
        return sorted({str(plot) for plot in self._read["plot"] if plot}) if len(self._read) else []

    def arrange(self, order: str, listed: Filter, sample: Sample | None) -> None:
        """List the crowns that are asked for.

        Raises:
            InputError: if no such sample can be drawn; the list is empty then.
        """
        self.rows, self._sample = np.empty(0, dtype=np.int64), sample
        if len(self._read) == 0:
            return
        self.crowns = with_verdicts(self._read, self._verdicts).assign(**{_DRAWN: np.inf})
        if sample is not None:
            chosen = random_sample(self._strata(), sample.size, sample.seed)
            self.crowns.loc[chosen, _DRAWN] = np.random.default_rng(sample.seed).permutation(len(chosen))
        rows = queue(self.crowns, *ORDERS[order], listed)
        self.rows = rows if sample is None else rows[np.isfinite(self.crowns[_DRAWN].to_numpy()[rows])]

    def keep(self, verdict: str, comment: str, reviewer: str) -> None:
        """Keep a verdict on the crown at hand.

        Raises:
            InputError: if it cannot be written; nothing is changed then.
        """
        crown = self.crown
        if crown is None or self._file is None:
            return
        given = {
            **{name: crown[name] for name in ("layer", "feature_id", "outline", "score", "problem")},
            **{"verdict": Verdict.named(verdict).value, "comment": comment, "reviewer": reviewer},
            "time": datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
        }
        self._file.add(given)
        self._verdicts = self._file.read()
        known = with_verdicts(self._read, self._verdicts)
        self.crowns = self.crowns.assign(**{name: known[name] for name in REVIEW_COLUMNS})

    def merge(self, path: Path) -> int:
        """Take in the verdicts of another file; how many were new.

        Raises:
            InputError: if there are none, or they cannot be kept.
        """
        if self._file is None:
            raise InputError(no_file())
        new = self._file.merge(path)
        self._verdicts = self._file.read()
        return new

    def row_of(self, feature_id: Any) -> int:
        """The row of a crown by its id in the targets; -1 where there is none."""
        if len(self.crowns) == 0:
            return -1
        found = np.flatnonzero(self.crowns["feature_id"] == feature_id)
        return int(found[0]) if len(found) else -1

    def place(self) -> int:
        """Where in the list the crown at hand stands; -1 where it does not."""
        found = np.flatnonzero(self.rows == self.at)
        return int(found[0]) if len(found) else -1

    def beside(self, by: int) -> int:
        """The row so many places on in the list; the first where the crown at hand is not on it, -1 of an empty one."""
        if len(self.rows) == 0:
            return -1
        place = self.place() + by if self.place() >= 0 else 0
        return int(self.rows[min(max(place, 0), len(self.rows) - 1)])

    def following(self) -> int:
        """The row of the next crown of the list that is to be reviewed; -1 for none."""
        return next_unreviewed(self.crowns, self.rows, self.at)

    def progress(self) -> Progress | None:
        """How far the review of the list is."""
        return progress_of(self.crowns.iloc[self.rows]) if len(self.crowns) else None

    def share(self) -> AcceptedShare | None:
        """What the verdicts on a sample say of the whole layer; None without a sample."""
        if self._sample is None or len(self.crowns) == 0:
            return None
        judged = np.isfinite(self.crowns[_DRAWN].to_numpy()) & ~unreviewed(self.crowns)
        return accepted_share(self._strata(), judged, (self.crowns["verdict"] == Verdict.ACCEPTED.value).to_numpy())

    def agreement(self) -> pd.DataFrame:
        """How far reviewers agree, see :func:`randcrowns.core.review.verdicts.reviewer_agreement`."""
        return reviewer_agreement(self._verdicts) if len(self._verdicts) else pd.DataFrame()

    def _strata(self) -> Any:
        strata = self._sample.strata if self._sample is not None else ""
        if strata == "classes":
            return score_classes(self.crowns["score"])
        return self.crowns["plot"].fillna("").to_numpy() if strata == "plot" else np.zeros(len(self.crowns))


def no_file() -> str:
    """Why no verdict can be kept, in a sentence."""
    return tr("Save the project first: verdicts are kept in the GeoPackage beside it.")
