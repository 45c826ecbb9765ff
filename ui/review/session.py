"""A review under way: the crowns of one layer, the verdicts on them, and the list in its order."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import QgsProject
from qgis.PyQt import sip

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
from randcrowns.core.review.sampling import (
    AcceptedShare,
    accepted_share,
    random_sample,
    score_classes,
)
from randcrowns.core.review.verdicts import (
    CROWN,
    VERDICT_COLUMNS,
    Side,
    Verdict,
    of_layers,
    reviewer_agreement,
)
from randcrowns.layers.files.verdicts import VerdictFile
from randcrowns.layers.words import tr
from randcrowns.ui.review.choosing import ORDERS, Sample
from randcrowns.ui.review.scored import ScoredLayer
from randcrowns.ui.widgets.table_model import as_text

#: Place of a crown in the order in which a sample was drawn; infinite for those that were not.
_DRAWN = "drawn"


class ReviewSession:
    """What page Review works on; without a layer it is empty."""

    def __init__(
        self,
        scored: ScoredLayer | None = None,
        delineations: str = "",
        earlier: ScoredLayer | None = None,
    ) -> None:
        self.scored = scored
        self.reviewer = ""  #: whose verdicts count.
        #: What has the delineations of each name, None where that is gone.
        self.drawn = {} if scored is None else scored.drawn()
        #: Of the layer, which may be gone by now.
        self.layer_id, self.title = (
            "" if scored is None else str(scored.layer.id()),
            scored.title if scored else "",
        )
        self.rows: Ints = np.empty(
            0, dtype=np.int64
        )  #: rows of ``crowns`` that are listed, in their order.
        self.at = -1  #: row of the crown at hand; -1 for none.
        #: How many crowns became what since the earlier run; empty without one.
        self.change_counts: dict[Change, int] = {}
        path = scored.file() if scored is not None else None
        self._file = VerdictFile(path) if path is not None else None
        self._keys = None if scored is None else scored.keys(delineations)
        self._read = (
            pd.DataFrame()
            if scored is None
            else scored.crowns(delineations, self.drawn[delineations])
        )
        self._verdicts = pd.DataFrame(columns=VERDICT_COLUMNS)
        self._read_verdicts()
        self._compare(delineations, earlier)
        #: A row per crown, see :meth:`randcrowns.ui.review.scored.ScoredLayer.crowns`, with the last verdict.
        self.crowns = self._read
        self._sample: Sample | None = None

    def _read_verdicts(self) -> None:
        """Those on crowns of these layers."""
        if self._file is not None and self._keys is not None:
            self._verdicts = of_layers(
                self._file.read(), *self._keys, here=QgsProject.instance().mapLayers()
            )

    def _compare(self, delineations: str, earlier: ScoredLayer | None) -> None:
        """How every crown changed since an earlier run; without one the columns are empty."""
        if len(self._read) == 0:
            return
        self._read = self._read.assign(change=None, difference=np.nan)
        if earlier is not None:
            name = (
                delineations if delineations in earlier.prefixes else next(iter(earlier.prefixes))
            )
            before, now = (
                table[table["side"] == Side.TARGET]
                for table in (earlier.crowns(name, None), self._read)
            )
            found = changes(before, now)
            self.change_counts = {
                kind: int((found["change"] == kind.value).sum()) for kind in Change
            }
            self._read = self._read.assign(
                **found[["change", "difference"]].iloc[: len(now)]
            )  # targets stand first

    def is_outdated(self) -> bool:
        """Whether a layer with delineations came or went (a run's come one by one), or verdicts have a file now."""
        if any(layer is not None and sip.isdeleted(layer) for layer in self.drawn.values()):
            return True
        if self.scored is None or sip.isdeleted(self.scored.layer):
            return False
        now, kept = self.scored.made_delineations(), self.can_keep or self.scored.file() is None
        return not kept or (now is not None and now not in self.drawn.values())

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
        self.crowns = with_verdicts(self._read, self._verdicts, self.reviewer).assign(
            **{_DRAWN: np.inf}
        )
        if sample is not None:
            chosen = random_sample(self._strata(), sample.size, sample.seed)
            self.crowns.loc[chosen, _DRAWN] = np.random.default_rng(sample.seed).permutation(
                len(chosen)
            )
        rows = queue(self.crowns, *ORDERS[order], listed)
        self.rows = (
            rows if sample is None else rows[np.isfinite(self.crowns[_DRAWN].to_numpy()[rows])]
        )

    def keep(self, verdict: str, comment: str) -> bool:
        """Keep a verdict on the crown at hand, or with an empty one a comment alone; whether there is anything to keep.

        Raises:
            InputError: if it cannot be written; nothing is changed then.
        """
        crown = self.crown
        if crown is None or self._file is None:
            return False
        given = {
            **{name: crown[name] for name in VERDICT_COLUMNS if name in self._read},
            **{
                "verdict": verdict and Verdict.named(verdict).value,
                "comment": comment,
                "reviewer": self.reviewer,
            },
            "time": datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
        }
        self._file.add(given)
        self._read_verdicts()
        known = with_verdicts(self._read, self._verdicts, self.reviewer)
        self.crowns = self.crowns.assign(**{name: known[name] for name in REVIEW_COLUMNS})
        return True

    def keep_comment(self, comment: str) -> bool:
        """Keep another comment on the crown at hand, with the verdict that there is; whether it is another.

        Raises:
            InputError: if it cannot be written; nothing is changed then.
        """
        crown = self.crown
        if crown is None or comment == as_text(crown["comment"]):
            return False
        return self.keep("" if unreviewed(self.crowns)[self.at] else str(crown["verdict"]), comment)

    def merge(self, path: Path) -> int:
        """Take in the verdicts of another file; how many were new.

        Raises:
            InputError: if there are none, or they cannot be kept.
        """
        if self._file is None:
            raise InputError(no_file())
        new = self._file.merge(path)
        self._read_verdicts()
        return new

    def row_of(self, feature_id: Any, side: Any = Side.TARGET) -> int:
        """The row of a crown by its id in its layer; -1 where there is none."""
        if len(self.crowns) == 0:
            return -1
        found = np.flatnonzero(
            (self.crowns["feature_id"] == feature_id) & (self.crowns["side"] == side)
        )
        return int(found[0]) if len(found) else -1

    def row_as(self, other: ReviewSession) -> int:
        """The row of the crown that another session of the same targets has at hand; -1 for none."""
        crown, mine, theirs = other.crown, self._keys, other._keys
        if crown is None or mine is None or theirs is None or not mine[0].is_same(theirs[0]):
            return -1
        return self.row_of(crown["feature_id"], crown["side"])

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
        """What a sample, up to its first crown without a verdict, says of the whole layer; None without a sample."""
        if self._sample is None or len(self.crowns) == 0:
            return None
        # What is judged out of turn was picked, as the lowest score for one, and not by chance.
        drawn = self.crowns[_DRAWN].to_numpy()
        judged = drawn < np.min(drawn[unreviewed(self.crowns)], initial=np.inf)
        return accepted_share(
            self._strata(), judged, (self.crowns["verdict"] == Verdict.ACCEPTED.value).to_numpy()
        )

    def agreement(self) -> pd.DataFrame:
        """How far reviewers agree, see :func:`randcrowns.core.review.verdicts.reviewer_agreement`."""
        own = (
            self._verdicts.merge(self._read[CROWN], on=CROWN)
            if len(self._verdicts)
            else self._verdicts
        )
        return reviewer_agreement(own)

    def _strata(self) -> Any:
        strata = self._sample.strata if self._sample is not None else ""
        if strata == "classes":
            return score_classes(self.crowns["score"])
        return (
            self.crowns["plot"].fillna("").to_numpy()
            if strata == "plot"
            else np.zeros(len(self.crowns))
        )


def no_file() -> str:
    """Why no verdict can be kept, in a sentence."""
    return tr("Save the project first: verdicts are kept in the GeoPackage beside it.")
