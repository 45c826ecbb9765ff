"""Scores that follow edits: after each only what it changed is computed, with the numbers of a whole run."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects
from randcrowns.core.crowns import Crowns, extent_polygon
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.scoring.kept import (
    NO_EDITS,
    Edits,
    KeptCrowns,
    KeptNearest,
    RowTable,
    covering,
)
from randcrowns.core.scoring.layer import (
    SCORES,
    answer,
    delineation_columns,
    groups_of_nearest,
    score_candidates,
    target_columns,
)
from randcrowns.core.scoring.pairing import SAME_DISTANCE, Candidates, Pairing, assign, search_radii
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import KnownTarget

#: Targets whose offsets are kept, those used last.
_MOST_KNOWN = 2000


class Touched(NamedTuple):
    """What edits changed, in rows of targets and of delineations; those of deleted crowns are among them."""

    #: targets, delineations: whose scores may be others.
    targets: Ints
    delineations: Ints
    #: moved, drawn: targets and delineations that were edited.
    moved: Ints
    drawn: Ints


class LiveScores:
    """The scores of one layer of delineations, kept while crowns are added, changed and deleted.

    Args:
        targets, delineations, parameters, pairing, extent, cut, search_radius: as for
            :func:`randcrowns.core.scoring.layer.score_crowns`.
        beside: those of another layer against the same targets, with the same edits: offsets are made once.

    >>> import shapely
    >>> tree, drawn = shapely.box(0, 0, 5, 5), shapely.box(0, 0, 5, 4)
    >>> live = LiveScores(Crowns([tree]), Crowns([drawn]), RandCrownsParameters(0.7, 1.2, 3))
    >>> touched = live.change(delineations=Edits(np.array([0]), np.array([tree])))
    >>> live.tables()[0]["iou"].tolist()
    [1.0]
    """

    def __init__(
        self,
        targets: Crowns,
        delineations: Crowns,
        parameters: RandCrownsParameters,
        pairing: str = "nearest",
        extent: Any = None,
        *,
        cut: Objects | None = None,
        search_radius: float | None = None,
        beside: LiveScores | None = None,
        progress: Progress = no_progress,
    ) -> None:
        self._parameters, self._radius = parameters, search_radius
        self._pairing, self._extent = (
            Pairing.named(pairing, "pairing method"),
            extent_polygon(extent),
        )
        both: dict[Any, int] | None = {}
        if targets.groups is None or delineations.groups is None:
            both = None
        #: targets, delineations: the crowns there are.
        self.targets, self.delineations = (
            KeptCrowns(targets, None, both),
            KeptCrowns(delineations, cut, both),
        )
        (scored,), _ = score_candidates(
            targets,
            [delineations],
            parameters,
            self._pairing,
            self._extent,
            cuts=[cut],
            search_radius=search_radius,
            progress=progress,
        )
        columns = {str(name): scored.pairs[name].to_numpy().copy() for name in scored.pairs.columns}
        self._pairs = RowTable(columns)
        self._tau, self._too_small = scored.tau.copy(), scored.too_small.copy()
        self._solved = np.ones(len(targets), dtype=bool)
        self._known: dict[int, KnownTarget] = {} if beside is None else beside._known  # noqa: SLF001 - of this class
        self._nearest: KeptNearest | None = None
        self._home: KeptNearest | None = None
        self._in_plots_of_targets = groups_of_nearest(targets, delineations)
        if self._pairing is Pairing.NEAREST:
            self._nearest = KeptNearest(self.targets, self.delineations)
        if self._pairing.shares_out or self._in_plots_of_targets:
            self._home = KeptNearest(self.delineations, self.targets)
        #: (rows of targets,) the row of each one's delineation; -1 for none, whatever for a deleted target.
        self.match = np.full(len(targets), -1, dtype=np.int64)
        #: of_targets, of_delineations: the columns of that function's tables, by row.
        self.of_targets: dict[str, Array] = {}
        self.of_delineations: dict[str, Array] = {}
        self._tabulate(np.arange(len(targets)), np.arange(len(delineations)))

    def change(self, targets: Edits = NO_EDITS, delineations: Edits = NO_EDITS) -> Touched:
        """Take up edits, and score what they changed."""
        moved, drawn = self.targets.put(targets), self.delineations.put(delineations)
        self._make_room()
        self._solved[moved] = False
        n, m = len(self.targets), len(self.delineations)
        before = np.union1d(
            self._pairs.of("target", moved, n), self._pairs.of("delineation", drawn, m)
        )
        look = covering(n, moved, self._pairs["target"][before])
        homeless = np.empty(0, dtype=np.int64)
        if self._nearest is not None:
            look[self._nearest.follow(moved, drawn)] = True
        if self._home is not None:
            homeless = self._home.follow(drawn, moved)
        if self._pairing.shares_out and self._home is not None:
            look[self._pairs["target"][self._pairs.of("delineation", homeless, m)]] = True
            found = self._home.lowest(homeless)
            look[found[found >= 0]] = True
        elif not self._pairing.by_distance:
            for row in drawn[self.delineations.there[drawn]].tolist():
                look[self.targets.meeting(self.delineations, row)] = True
        rescored, others = self._rescore(
            np.flatnonzero(look), covering(n, moved), covering(m, drawn)
        )
        rows = np.union1d(others, np.union1d(drawn, homeless))
        self._tabulate(rescored, rows)
        return Touched(rescored, rows, moved, drawn)

    def answer(self) -> dict[str, Any]:
        """Counts, means and intervals, see :func:`randcrowns.core.scoring.layer.answer`."""
        sides = (
            (self.of_targets, self.targets, ("group", "status", *SCORES)),
            (self.of_delineations, self.delineations, ("status",)),
        )
        one, other = ({name: of[name][side.there] for name in names} for of, side, names in sides)
        return answer(one, other)

    def tables(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The tables of targets and of delineations, as a whole run makes them, by id."""
        sides = ((self.of_targets, self.targets), (self.of_delineations, self.delineations))
        one, other = (
            pd.DataFrame({name: of[name][side.in_order()] for name in of}) for of, side in sides
        )
        return one, other

    def _make_room(self) -> None:
        more = len(self.targets) - len(self._tau)
        if more > 0:
            self._tau = np.append(self._tau, np.full(more, np.nan))
            self._too_small = np.append(self._too_small, np.zeros(more, dtype=bool))
            self._solved = np.append(self._solved, np.zeros(more, dtype=bool))
            self.match = np.append(self.match, np.full(more, -1, dtype=np.int64))

    def _rescore(self, look: Ints, moved: Bools, drawn: Bools) -> tuple[Ints, Ints]:
        """Find the pairs of these targets again and score the new ones; ``moved`` and ``drawn`` were edited.

        Rows of the targets and delineations that are in pairs, or were.
        """
        old = self._pairs.of("target", look, len(self.targets))
        before = self._pairs.some(old)
        kept_where = ~(moved[before["target"]] | drawn[before["delineation"]])
        members = (before[side][kept_where].tolist() for side in ("target", "delineation"))
        known = dict(zip(zip(*members), old[kept_where].tolist()))
        kept: list[int] = []
        new: list[dict[str, Array]] = []
        for row in look[self.targets.there[look]].tolist():
            if moved[row]:
                target = self._target(row)
                self._tau[row], self._too_small[row] = (
                    target.regions.tau[0],
                    target.regions.certain_area[0] == 0,
                )
                self._solved[row] = True
            rows, distance = self._candidates(row)
            places = [known.get((row, other), -1) for other in rows.tolist()]
            kept += [place for place in places if place >= 0]
            fresh = np.array([place < 0 for place in places], dtype=bool)
            if fresh.any():
                new.append(self._scored(row, rows[fresh], distance[fresh]))
        parts = [self._pairs.some(np.array(kept, dtype=np.int64)), *new]
        self._pairs.replace(
            old, {name: np.concatenate([part[name] for part in parts]) for name in before}
        )
        touched = self._assign(look, np.unique(before["delineation"]))
        now = self._pairs["delineation"][self._pairs.of("target", touched, len(self.targets))]
        return touched, np.union1d(before["delineation"], now)

    def _candidates(self, row: int) -> tuple[Ints, Floats]:
        """Rows of the delineations that the pairing looks at for a target, and the metres between the centroids."""
        if self._nearest is not None:
            rows = self._nearest.of(row)
        elif self._pairing.shares_out and self._home is not None:
            rows = self._home.seekers_of(row)
        else:
            rows = self.delineations.meeting(self.targets, row)
        rows = np.sort(rows)
        distance = np.linalg.norm(
            self.targets.centroids[row] - self.delineations.centroids[rows], axis=1
        )
        if self._pairing.by_distance:
            radius = search_radii(self.targets.some(np.array([row])), self._radius)[0]
            near = distance <= radius * (1 + SAME_DISTANCE)
            rows, distance = rows[near], distance[near]
        return rows, distance

    def _scored(self, row: int, rows: Ints, distance: Floats) -> dict[str, Array]:
        columns = self._target(row).score(self.delineations.cut[rows])
        ids = {
            "target_id": np.full(len(rows), self.targets.ids[row]),
            "delineation_id": self.delineations.ids[rows],
        }
        where = {"target": np.full(len(rows), row), "delineation": rows}
        return {
            **where,
            **ids,
            "distance": distance,
            **columns,
            "assigned": np.zeros(len(rows), dtype=bool),
        }

    def _target(self, row: int) -> KnownTarget:
        """The offsets of a target, kept; tau is known of those that were not edited."""
        found, target = self._known.pop(row, None), self.targets.geometry[row]
        if found is None or found.target is not target:
            before = float(self._tau[row]) if self._extent is None else np.nan
            tau = before if self._extent is None and self._solved[row] else None
            found = KnownTarget.of(target, self._parameters, self._extent, tau, before)
        self._known[row] = found
        if len(self._known) > _MOST_KNOWN:
            del self._known[next(iter(self._known))]
        return found

    def _assign(self, look: Ints, given_up: Ints) -> Ints:
        """Have the pairing choose among the pairs again; rows of the targets for which it did."""
        n, m = len(self.targets), len(self.delineations)
        target, drawn = self._pairs["target"], self._pairs["delineation"]
        where, rows = self._pairs.of("target", look, n), look
        if self._pairing is Pairing.HUNGARIAN:  # whoever is connected with them
            gains = self._pairs["randcrowns"].astype(float) > 0
            mine, theirs = covering(n, look), covering(m, given_up)
            found = -1
            while found < (connected := gains & (mine[target] | theirs[drawn])).sum():
                found = int(connected.sum())
                mine[target[connected]] = theirs[drawn[connected]] = True
            rows = np.flatnonzero(mine)
            where = self._pairs.of("target", rows, n)
        some = self._pairs.some(where)
        pairs = Candidates(some["target"], some["delineation"], some["distance"])
        scores = (some["randcrowns"].astype(float), some["iou"].astype(float))
        self._pairs["assigned"][where] = assign(
            pairs, self._pairing, *scores, self.targets.ids, self.delineations.ids
        )
        return rows

    def _tabulate(self, targets: Ints, delineations: Ints) -> None:
        """Fill in the columns of these targets and delineations from the pairs they were given."""
        n, m = len(self.targets), len(self.delineations)
        targets, delineations = (
            targets[self.targets.there[targets]],
            delineations[self.delineations.there[delineations]],
        )
        mine = self._given("target", targets, n)
        crowns = self.targets.some(targets)
        found = target_columns(
            mine, self._tau[targets], self._too_small[targets], crowns, self._pairing
        )
        put_columns(self.of_targets, found, targets, n)
        ids = found["delineation_id"]
        self.match[targets] = [
            -1 if one is pd.NA else self.delineations.row[one]
            for one in ids.astype(object).tolist()
        ]
        crowns = self.delineations.some(delineations)
        groups = self.delineations.groups[delineations]
        if self._in_plots_of_targets and self._home is not None:
            home = self._home.lowest(delineations)
            groups = np.full(len(home), None, dtype=object)
            groups[home >= 0] = self.targets.groups[home[home >= 0]]
        found = delineation_columns(self._given("delineation", delineations, m), crowns, groups)
        put_columns(self.of_delineations, found, delineations, m)

    def _given(self, side: str, rows: Ints, length: int) -> dict[str, Array]:
        """The pairs that these crowns were given, numbered among them."""
        where = self._pairs.of(side, rows, length)
        some = self._pairs.some(where[self._pairs["assigned"][where]])
        place = np.full(length, -1, dtype=np.int64)
        place[rows] = np.arange(len(rows))
        return {**some, side: place[some[side]]}


def put_columns(columns: dict[str, Array], new: dict[str, Any], rows: Ints, length: int) -> None:
    """Put values into these rows of columns, which grow to that length."""
    for name, values in new.items():
        old = columns.get(name)
        if old is None:
            old = values if len(values) == length else values[:0]
        if len(old) < length:
            old = _longer(old, length)
        old[rows] = values
        columns[name] = old


def _longer(values: Any, length: int) -> Any:
    """The values with more rows that hold nothing yet."""
    if isinstance(values, pd.arrays.IntegerArray):
        return values.take([*range(len(values)), *[-1] * (length - len(values))], allow_fill=True)
    return np.append(values, np.empty(length - len(values), dtype=values.dtype))
