"""Crowns that are added, changed and deleted one after another, and who is nearest to whom among them.

A crown keeps its row while it is there; what is asked of all crowns is asked of whole arrays, which takes a tenth of a
millisecond for 10,000 of them, less than a tree that has to be kept in order.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Array, Bools, Ints, Objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.scoring.pairing import SAME_DISTANCE, by_age, nearest_rows, places_of


class Edits(NamedTuple):
    """Crowns of one layer that were added or changed, or with None for a geometry, deleted."""

    ids: Ints  #: (n,) each once.
    geometry: Objects  #: (n,) valid polygons in metres, or None.
    groups: Objects | None = None  #: (n,) their plots; None where the layer has none.
    cut: Objects | None = None  #: (n,) what of each lies in the extent; None where nothing is cut.


#: No crown was edited.
NO_EDITS = Edits(np.empty(0, dtype=np.int64), np.empty(0, dtype=object))
_NOWHERE = np.array([np.inf, np.inf, -np.inf, -np.inf])


class KeptCrowns:
    """The crowns of one layer in rows; a row without a crown is not ``there``."""

    def __init__(self, crowns: Crowns, cut: Objects | None, codes: dict[Any, int] | None) -> None:
        n = len(crowns)
        self.codes = codes
        self.name, self.crs, self.grouped = crowns.name, crowns.crs, crowns.groups is not None
        self.ids, self.there = crowns.ids.astype(np.int64), np.ones(n, dtype=bool)
        self.geometry, self.cut = (
            crowns.geometry.copy(),
            (crowns.geometry if cut is None else cut).copy(),
        )
        self.groups = (
            np.full(n, None, dtype=object) if crowns.groups is None else crowns.groups.copy()
        )
        self.centroids, self.bounds = (
            crowns.centroids.copy(),
            shapely.bounds(crowns.geometry).reshape(-1, 4),
        )
        self.code = self._code(self.groups)
        self.row = dict(zip(self.ids.tolist(), range(n)))
        self._free: list[int] = []

    def __len__(self) -> int:
        return len(self.ids)

    def put(self, edits: Edits) -> Ints:
        """Take up the edits; rows of the crowns that were there, or are now."""
        there = ~shapely.is_missing(edits.geometry)
        known = np.array([int(number) in self.row for number in edits.ids], dtype=bool)
        self._make_rows(edits.ids[there & ~known])
        some = np.flatnonzero(there | known)
        rows = np.array([self.row[int(number)] for number in edits.ids[some]], dtype=np.int64)
        gone, kept, new = rows[~there[some]], rows[there[some]], some[there[some]]
        self.there[gone], self.centroids[gone], self.bounds[gone] = False, np.inf, _NOWHERE
        self.there[kept], self.geometry[kept] = True, edits.geometry[new]
        self.cut[kept] = (edits.geometry if edits.cut is None else edits.cut)[new]
        self.groups[kept] = None if edits.groups is None else edits.groups[new]
        self.code[kept] = self._code(self.groups[kept])
        self.centroids[kept] = shapely.get_coordinates(shapely.centroid(edits.geometry[new]))
        self.bounds[kept] = shapely.bounds(edits.geometry[new])
        for row in gone.tolist():
            del self.row[int(self.ids[row])]
            self.geometry[row] = self.cut[row] = None
        self._free += gone.tolist()
        return rows

    def some(self, rows: Ints) -> Crowns:
        """The crowns of these rows."""
        groups = self.groups[rows] if self.grouped else None
        return Crowns.of_checked(self.geometry[rows], self.ids[rows], groups, self.name, self.crs)

    def in_order(self) -> Ints:
        """The rows with crowns, by id."""
        rows = np.flatnonzero(self.there)
        return rows[np.argsort(self.ids[rows])]

    def together(self, other: KeptCrowns, row: int) -> Bools:
        """Which of the crowns here are there and of one group with that crown of the other layer."""
        return self.there if self.codes is None else self.there & (self.code == other.code[row])

    def meeting(self, other: KeptCrowns, row: int) -> Ints:
        """Rows of the crowns here, of the same group, that meet that crown of the other layer."""
        xmin, ymin, xmax, ymax = other.bounds[row]
        mine = self.bounds
        near = (
            (mine[:, 0] <= xmax)
            & (mine[:, 2] >= xmin)
            & (mine[:, 1] <= ymax)
            & (mine[:, 3] >= ymin)
        )
        rows = np.flatnonzero(near & self.together(other, row))
        return cast("Ints", rows[shapely.intersects(other.geometry[row], self.geometry[rows])])

    def _make_rows(self, ids: Ints) -> None:
        """Rows for new ids: those that became free before, then new ones."""
        free, self._free = self._free[: len(ids)], self._free[len(ids) :]
        self.ids[free] = ids[: len(free)]
        more = ids[len(free) :]
        rows = [*free, *range(len(self), len(self) + len(more))]
        if len(more):
            nothing = np.full(len(more), None, dtype=object)
            self.ids = np.append(self.ids, more)
            self.there = np.append(self.there, np.zeros(len(more), dtype=bool))
            self.geometry, self.cut = (
                np.append(self.geometry, nothing),
                np.append(self.cut, nothing),
            )
            self.groups, self.code = (
                np.append(self.groups, nothing),
                np.append(self.code, np.zeros_like(more)),
            )
            self.centroids = np.append(self.centroids, np.full((len(more), 2), np.inf), axis=0)
            self.bounds = np.append(self.bounds, np.tile(_NOWHERE, (len(more), 1)), axis=0)
        self.row.update(zip(ids.tolist(), rows))

    def _code(self, groups: Objects) -> Ints:
        """Numbers of the groups, the same on both sides."""
        if self.codes is None:
            return np.zeros(len(groups), dtype=np.int64)
        return np.array(
            [self.codes.setdefault(group, len(self.codes)) for group in groups], dtype=np.int64
        )


class KeptNearest:
    """For each seeker's row the rows of the nearest crowns among those sought, in its group, at any distance."""

    def __init__(self, seekers: KeptCrowns, sought: KeptCrowns) -> None:
        self._seekers, self._sought = seekers, sought
        n = len(seekers)
        self._first, self._distance = np.full(n, -1, dtype=np.int64), np.full(n, np.inf)
        self._several: dict[int, Ints] = {}
        if n and len(sought):
            everyone = [side.some(np.arange(len(side))) for side in (seekers, sought)]
            where, others = places_of(*everyone)
            row, other = nearest_rows(where, others)
            known = seekers.code[row] == sought.code[other]
            self._note(row[known], other[known])

    def of(self, row: int) -> Ints:
        """Rows of the nearest crowns of a seeker: several at the same distance."""
        found = self._several.get(row)
        return (
            self._first[row : row + 1][self._first[row : row + 1] >= 0] if found is None else found
        )

    def lowest(self, rows: Ints) -> Ints:
        """Of the nearest of each of these seekers the one with the lowest id; -1 for none."""
        return self._first[rows]

    def seekers_of(self, row: int) -> Ints:
        """The seekers of which this one is nearest; of several the one with the lowest id is."""
        return np.flatnonzero(self._first == row)

    def follow(self, seekers: Ints, sought: Ints) -> Ints:
        """Look again for all whose nearest may be others since these were edited; rows of the seekers."""
        more = len(self._seekers) - len(self._first)
        self._first = np.append(self._first, np.full(more, -1, dtype=np.int64))
        self._distance = np.append(self._distance, np.full(more, np.inf))
        again = covering(len(self._first), seekers)
        for row in sought.tolist():
            again |= self._first == row
            if self._sought.there[row]:
                apart = np.linalg.norm(
                    self._seekers.centroids - self._sought.centroids[row], axis=1
                )
                again |= (apart <= self._distance * (1 + SAME_DISTANCE)) & self._seekers.together(
                    self._sought, row
                )
        changed = set(sought.tolist())
        again[
            [
                row
                for row, several in self._several.items()
                if not changed.isdisjoint(several.tolist())
            ]
        ] = True
        rows = np.flatnonzero(again)
        for row in rows.tolist():
            self._look(row)
        return rows

    def _look(self, row: int) -> None:
        self._several.pop(row, None)
        self._first[row], self._distance[row] = -1, np.inf
        if not self._seekers.there[row]:
            return
        others = np.flatnonzero(self._sought.together(self._seekers, row))
        if len(others):
            apart = np.linalg.norm(
                self._sought.centroids[others] - self._seekers.centroids[row], axis=1
            )
            near = others[apart <= apart.min() * (1 + SAME_DISTANCE)]
            self._note(np.full(len(near), row), near)

    def _note(self, row: Ints, other: Ints) -> None:
        """Keep pairs, those of a seeker together."""
        self._first[row] = other
        self._distance[row] = np.linalg.norm(
            self._seekers.centroids[row] - self._sought.centroids[other], axis=1
        )
        starts = np.flatnonzero(np.diff(row, prepend=-1))
        for start, end in (
            zip(starts.tolist(), [*starts[1:].tolist(), len(row)]) if len(starts) < len(row) else ()
        ):
            if end - start > 1:
                several = other[start:end]
                self._several[int(row[start])] = several
                self._first[row[start]] = several[np.argmin(by_age(self._sought.ids[several]))]


def covering(length: int, *rows: Ints) -> Bools:
    """(length,) a mask of these rows.

    >>> covering(3, np.array([0]), np.array([2])).tolist()
    [True, False, True]
    """
    found = np.zeros(length, dtype=bool)
    for some in rows:
        found[some] = True
    return found


class RowTable:
    """Pairs of a target's and a delineation's row, with columns: taken out and put in by rows."""

    def __init__(self, columns: dict[str, Array]) -> None:
        self.columns = columns

    def __getitem__(self, name: str) -> Array:
        return self.columns[name]

    def of(self, side: str, rows: Ints, length: int) -> Ints:
        """Where the pairs of these targets, or delineations, stand; ``length`` is the number of rows there are."""
        return np.flatnonzero(covering(length, rows)[self.columns[side]])

    def some(self, where: Ints) -> dict[str, Array]:
        """These pairs."""
        return {name: values[where] for name, values in self.columns.items()}

    def replace(self, where: Ints, new: dict[str, Array]) -> None:
        """Put new pairs in the place of these."""
        if len(where) == len(new["target"]):
            for name, values in self.columns.items():
                values[where] = new[name]
            return
        keep = ~covering(len(self.columns["target"]), where)
        self.columns = {
            name: np.concatenate([values[keep], new[name]]) for name, values in self.columns.items()
        }
