"""Editable sets of crowns, with their nearest neighbours and pairs kept up to date.

A crown keeps its row as long as it exists, and a pair its index. Spatial queries run over whole
arrays: for 50,000 crowns that takes a tenth of a millisecond, less than keeping a spatial tree up
to date.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.scoring.pairing import (
    DISTANCE_TOLERANCE,
    find_nearest,
    plot_separated_centroids,
    tie_break_keys,
)


class Edits(NamedTuple):
    """n crowns of one layer that were added, changed or deleted."""

    #: (n,) ids, unique.
    ids: Ints
    #: (n,) valid polygons, metres; None for a deleted crown.
    geometry: Objects
    #: (n,) plots of the crowns; None if the layer has none.
    plots: Objects | None = None
    #: (n,) parts of the crowns within the extent; None if nothing is clipped.
    clipped: Objects | None = None

    def select(self, mask: Bools) -> Edits:
        """Return the edits of the crowns in a mask (n,)."""
        return Edits(
            ids=self.ids[mask],
            geometry=self.geometry[mask],
            plots=None if self.plots is None else self.plots[mask],
            clipped=None if self.clipped is None else self.clipped[mask],
        )


#: Edits of no crown.
NO_EDITS = Edits(np.empty(0, dtype=np.int64), np.empty(0, dtype=object))
#: Bounds of a row without a crown, which intersect no others.
_NO_BOUNDS = np.array([np.inf, np.inf, -np.inf, -np.inf])


class EditableCrowns:
    """Crowns of one layer in n rows that can be edited.

    Args:
        crowns: crowns to begin with.
        clipped: parts of the crowns within the extent; None if nothing is clipped.
        plot_codes: number of each plot, which is extended by new plots. Layers that are paired
            share it. None if crowns are paired regardless of plots.

    Attributes:
        name: name of the layer.
        crs: coordinate reference system of the layer.
        has_plots: True if the crowns have plots.
        ids: (n,) ids.
        exists: (n,) True for a row with a crown; a deleted crown leaves its row free.
        geometry: (n,) polygons, metres.
        clipped: (n,) parts of the polygons within the extent.
        plots: (n,) plots; None without one.
        centroids: (n, 2) centroids, metres; infinite in a row without a crown.
        bounds: (n, 4) xmin, ymin, xmax, ymax, metres; inverted in a row without a crown.
        plot_code: (n,) numbers of the plots.
        plot_codes: the argument.
        row_of_id: row of each id.
    """

    def __init__(
        self, crowns: Crowns, clipped: Objects | None, plot_codes: dict[Any, int] | None
    ) -> None:
        n = len(crowns)
        self.plot_codes = plot_codes
        self.name = crowns.name
        self.crs = crowns.crs
        self.has_plots = crowns.plots is not None
        self.ids = crowns.ids.astype(np.int64)
        self.exists = np.ones(n, dtype=bool)
        self.geometry = crowns.geometry.copy()
        clipped_geometry = crowns.geometry if clipped is None else clipped
        self.clipped = clipped_geometry.copy()
        if crowns.plots is None:
            self.plots = np.full(n, None, dtype=object)
        else:
            self.plots = crowns.plots.copy()
        self.centroids = crowns.centroids.copy()
        self.bounds = shapely.bounds(crowns.geometry).reshape(-1, 4)
        self.plot_code = self._plot_codes(self.plots)
        self.row_of_id = dict(zip(self.ids.tolist(), range(n)))
        self._free_rows: list[int] = []

    def __len__(self) -> int:
        return len(self.ids)

    def apply(self, edits: Edits) -> Ints:
        """Apply edits.

        Args:
            edits: crowns added, changed or deleted; deleted ones that do not exist are ignored.

        Returns:
            Rows of the edited crowns, including the rows of deleted ones, which are free now.
        """
        has_geometry = ~shapely.is_missing(edits.geometry)
        is_known = np.array([crown_id in self.row_of_id for crown_id in edits.ids.tolist()], bool)
        is_new = has_geometry & ~is_known
        self._add_rows(edits.ids[is_new])

        applied = edits.select(has_geometry | is_known)
        rows = np.array([self.row_of_id[crown_id] for crown_id in applied.ids.tolist()], np.int64)
        is_present = ~shapely.is_missing(applied.geometry)
        self._overwrite_rows(rows[is_present], applied.select(is_present))
        self._delete_rows(rows[~is_present])
        return rows

    def _overwrite_rows(self, rows: Ints, edits: Edits) -> None:
        """Overwrite rows with edited crowns; their ids are in the rows already.

        Args:
            rows: (n,) rows to overwrite.
            edits: n crowns that were added or changed, one per row.
        """
        self.exists[rows] = True
        self.geometry[rows] = edits.geometry
        self.clipped[rows] = edits.geometry if edits.clipped is None else edits.clipped
        self.plots[rows] = edits.plots  # None in all rows if the layer has no plots
        self.plot_code[rows] = self._plot_codes(self.plots[rows])
        self.centroids[rows] = shapely.get_coordinates(shapely.centroid(edits.geometry))
        self.bounds[rows] = shapely.bounds(edits.geometry)

    def _delete_rows(self, rows: Ints) -> None:
        """Delete the crowns in ``rows``, which become free for new crowns."""
        self.exists[rows] = False
        self.centroids[rows] = np.inf
        self.bounds[rows] = _NO_BOUNDS
        for row in rows.tolist():
            del self.row_of_id[int(self.ids[row])]
            self.geometry[row] = None
            self.clipped[row] = None
        self._free_rows += rows.tolist()

    def select(self, rows: Ints) -> Crowns:
        """Return the crowns in the given rows, which must all have a crown."""
        plots = self.plots[rows] if self.has_plots else None
        return Crowns.from_validated(
            self.geometry[rows], self.ids[rows], plots, self.name, self.crs
        )

    def rows_by_id(self) -> Ints:
        """Return the rows with crowns, sorted by id."""
        rows = np.flatnonzero(self.exists)
        return rows[np.argsort(self.ids[rows])]

    def is_same_plot(self, other: EditableCrowns, row: int) -> Bools:
        """Return which crowns are in the same plot as a crown of another layer.

        Args:
            other: the other layer.
            row: row of its crown.

        Returns:
            (n,) mask of the crowns that exist; without plots, all of these.
        """
        if self.plot_codes is None:
            return self.exists
        return cast("Bools", self.exists & (self.plot_code == other.plot_code[row]))

    def intersecting(self, other: EditableCrowns, row: int) -> Ints:
        """Return the crowns that intersect a crown of another layer in the same plot.

        Args:
            other: the other layer.
            row: row of its crown.

        Returns:
            Rows of the crowns, ascending.
        """
        xmin, ymin, xmax, ymax = other.bounds[row]
        is_in_column = (self.bounds[:, 0] <= xmax) & (self.bounds[:, 2] >= xmin)
        rows_in_column = np.flatnonzero(is_in_column & self.is_same_plot(other, row))
        bounds = self.bounds[rows_in_column]
        near_rows = rows_in_column[(bounds[:, 1] <= ymax) & (bounds[:, 3] >= ymin)]
        intersects = shapely.intersects(other.geometry[row], self.geometry[near_rows])
        return cast("Ints", near_rows[intersects])

    def _add_rows(self, ids: Ints) -> None:
        """Assign rows to new ids (m,): free rows first, then rows appended to all arrays."""
        reused_rows = self._free_rows[: len(ids)]
        self._free_rows = self._free_rows[len(ids) :]
        self.ids[reused_rows] = ids[: len(reused_rows)]
        appended_ids = ids[len(reused_rows) :]
        n_before = len(self)
        n_appended = len(appended_ids)
        if n_appended:
            no_objects = np.full(n_appended, None, dtype=object)
            self.ids = np.append(self.ids, appended_ids)
            self.exists = np.append(self.exists, np.zeros(n_appended, dtype=bool))
            self.geometry = np.append(self.geometry, no_objects)
            self.clipped = np.append(self.clipped, no_objects)
            self.plots = np.append(self.plots, no_objects)
            self.plot_code = np.append(self.plot_code, np.zeros_like(appended_ids))
            self.centroids = np.append(self.centroids, np.full((n_appended, 2), np.inf), axis=0)
            self.bounds = np.append(self.bounds, np.tile(_NO_BOUNDS, (n_appended, 1)), axis=0)
        rows = [*reused_rows, *range(n_before, n_before + n_appended)]
        self.row_of_id.update(zip(ids.tolist(), rows))

    def _plot_codes(self, plots: Objects) -> Ints:
        """Return the numbers (m,) of plots (m,), the same in both layers; new plots are added."""
        if self.plot_codes is None:
            return np.zeros(len(plots), dtype=np.int64)
        codes = [self.plot_codes.setdefault(group, len(self.plot_codes)) for group in plots]
        return np.array(codes, dtype=np.int64)


class NearestIndex:
    """Nearest crowns of one layer for each crown of another one, in its plot, at any distance.

    Args:
        seekers: crowns whose nearest crowns are found.
        sought: crowns to choose from.
    """

    def __init__(self, seekers: EditableCrowns, sought: EditableCrowns) -> None:
        self._seekers = seekers
        self._sought = sought
        n = len(seekers)
        #: (n,) row of each seeker's nearest crown; ties go to the lowest id; -1 without one.
        self._lowest = np.full(n, -1, dtype=np.int64)
        #: (n,) distance of the centroids, metres; infinite without a nearest crown.
        self._distance = np.full(n, np.inf)
        #: Rows of all nearest crowns, for seekers with several at the same distance.
        self._ties: dict[int, Ints] = {}
        if n and len(sought):
            all_seekers = seekers.select(np.arange(n))
            all_sought = sought.select(np.arange(len(sought)))
            seeker_points, sought_points = plot_separated_centroids(all_seekers, all_sought)
            seeker_rows, nearest_rows = find_nearest(seeker_points, sought_points)
            is_same_plot = seekers.plot_code[seeker_rows] == sought.plot_code[nearest_rows]
            self._store_nearest(seeker_rows[is_same_plot], nearest_rows[is_same_plot])

    def nearest(self, row: int) -> Ints:
        """Return the rows of a seeker's nearest crowns; several at the same distance, or none."""
        ties = self._ties.get(row)
        if ties is not None:
            return ties
        lowest = self._lowest[row : row + 1]
        return lowest[lowest >= 0]

    def nearest_lowest_id(self, rows: Ints) -> Ints:
        """Return, per seeker, the row of its nearest crown with the lowest id, or -1."""
        return self._lowest[rows]

    def seekers_of(self, row: int) -> Ints:
        """Return the rows of the seekers for which ``lowest`` is the crown in the given row."""
        return np.flatnonzero(self._lowest == row)

    def update(self, seekers: Ints, sought: Ints) -> Ints:
        """Update the nearest crowns after edits.

        Args:
            seekers: rows of the seekers that were edited.
            sought: rows of the crowns to choose from that were edited.

        Returns:
            Rows of the seekers whose nearest crowns may have changed.
        """
        n_added = len(self._seekers) - len(self._lowest)
        self._lowest = np.append(self._lowest, np.full(n_added, -1, dtype=np.int64))
        self._distance = np.append(self._distance, np.full(n_added, np.inf))
        is_affected = rows_to_mask(len(self._lowest), seekers)
        for sought_row in sought.tolist():
            is_affected |= self._lowest == sought_row
            if self._sought.exists[sought_row]:
                distances = _distances(self._seekers.centroids, self._sought.centroids[sought_row])
                is_near = distances <= self._distance * (1 + DISTANCE_TOLERANCE)
                is_affected |= is_near & self._seekers.is_same_plot(self._sought, sought_row)
        # Seekers that have an edited crown among several nearest ones.
        edited_rows = set(sought.tolist())
        for seeker_row, tied_rows in self._ties.items():
            if not edited_rows.isdisjoint(tied_rows.tolist()):
                is_affected[seeker_row] = True
        affected_rows = np.flatnonzero(is_affected)
        for seeker_row in affected_rows.tolist():
            self._update_seeker(seeker_row)
        return affected_rows

    def _update_seeker(self, row: int) -> None:
        """Find the nearest crowns of the seeker in ``row`` again and store them."""
        self._ties.pop(row, None)
        self._lowest[row] = -1
        self._distance[row] = np.inf
        if not self._seekers.exists[row]:
            return
        distances = _distances(self._sought.centroids, self._seekers.centroids[row])
        distances[~self._sought.is_same_plot(self._seekers, row)] = np.inf
        shortest = distances.min(initial=np.inf)
        if shortest < np.inf:
            nearest_rows = np.flatnonzero(distances <= shortest * (1 + DISTANCE_TOLERANCE))
            self._store_nearest(np.full(len(nearest_rows), row), nearest_rows)

    def _store_nearest(self, seeker_rows: Ints, nearest_rows: Ints) -> None:
        """Store the nearest crowns of some seekers, and their distances.

        Args:
            seeker_rows: (p,) rows of seekers; a seeker with several nearest crowns is repeated in
                adjacent items.
            nearest_rows: (p,) row of a nearest crown of each seeker.
        """
        self._lowest[seeker_rows] = nearest_rows
        self._distance[seeker_rows] = np.linalg.norm(
            self._seekers.centroids[seeker_rows] - self._sought.centroids[nearest_rows], axis=1
        )
        starts = np.flatnonzero(np.diff(seeker_rows, prepend=-1))
        if len(starts) == len(seeker_rows):
            return
        ends = np.append(starts[1:], len(seeker_rows))
        for start, end in zip(starts.tolist(), ends.tolist()):
            if end - start > 1:
                tied_rows = nearest_rows[start:end]
                lowest = np.argmin(tie_break_keys(self._sought.ids[tied_rows]))
                self._ties[int(seeker_rows[start])] = tied_rows
                self._lowest[seeker_rows[start]] = tied_rows[lowest]


def _distances(points: Floats, point: Floats) -> Floats:
    """Return the distances (n,) of points (n, 2) from a point (2,)."""
    # The same as np.linalg.norm, in a fifth of its time.
    dx = points[:, 0] - point[0]
    dy = points[:, 1] - point[1]
    return cast("Floats", np.sqrt(dx * dx + dy * dy))


def rows_to_mask(length: int, *rows: Ints) -> Bools:
    """Return a mask of rows.

    Args:
        length: length of the mask.
        rows: rows that are True, in one or several arrays.

    Returns:
        (length,) mask.

    >>> rows_to_mask(3, np.array([0]), np.array([2])).tolist()
    [True, False, True]
    """
    mask = np.zeros(length, dtype=bool)
    for part in rows:
        mask[part] = True
    return mask


#: Members of the pairs, which are the sides of a pair table.
_SIDES = ("target", "delineation")
#: Number of rows up to which their pairs are found one by one.
_FEW_ROWS = 64
#: Row of the members in a free index of a pair table.
_NO_ROW = -1


class PairTable:
    """Pairs of a target and a delineation, which can be replaced by the rows of their members.

    A pair keeps its index. The index of a removed pair is free until a new pair takes it, so that
    an edit takes the same time among any number of pairs.

    Args:
        columns: arrays (P,) by name, among them ``target`` and ``delineation``, the rows of the
            members. They are changed in place.
    """

    def __init__(self, columns: dict[str, Array]) -> None:
        self._columns = columns
        self._free: list[int] = []
        #: Pairs by the rows of their members on each side, as the table began.
        self._first_pairs = {side: _PairsByMember.from_members(columns[side]) for side in _SIDES}
        #: Indices that were written since, by side and by row of the member.
        self._written: dict[str, dict[int, set[int]]] = {side: {} for side in _SIDES}

    def __getitem__(self, name: str) -> Array:
        """Return a column by index; undefined at free indices, see :meth:`indices`."""
        return self._columns[name]

    def indices(self) -> Ints:
        """Return the indices of all pairs, ascending."""
        return np.flatnonzero(self._columns["target"] != _NO_ROW)

    def find(self, side: str, rows: Ints) -> Ints:
        """Find the pairs of some members.

        Args:
            side: ``"target"`` or ``"delineation"``.
            rows: rows of the members.

        Returns:
            Indices of the pairs, ascending.
        """
        first_pairs = self._first_pairs[side]
        written = self._written[side]
        members = self._columns[side]
        if len(rows) > _FEW_ROWS:
            later_pairs = [index for row in rows.tolist() for index in written.get(row, ())]
            indices = np.append(first_pairs.of_rows(rows), np.array(later_pairs, dtype=np.int64))
            # Pairs of other members may have taken the indices.
            unique_indices: Ints = np.unique(indices[np.isin(members[indices], rows)])
            return unique_indices
        # Array operations on the pairs of a few rows would take four times as long.
        present_pairs = {
            index
            for row in rows.tolist()
            for index in (*first_pairs.of_row(row), *written.get(row, ()))
            if members[index] == row
        }
        return np.array(sorted(present_pairs), dtype=np.int64)

    def select(self, where: Ints) -> dict[str, Array]:
        """Return the columns of the pairs with the given indices."""
        return {name: values[where] for name, values in self._columns.items()}

    def replace(self, where: Ints, new: dict[str, Array]) -> None:
        """Replace pairs by others.

        Args:
            where: indices of the pairs to remove.
            new: columns of the new pairs, any number of them.
        """
        for side in _SIDES:
            self._columns[side][where] = _NO_ROW
        self._free += where.tolist()
        n_new = len(new["target"])
        if n_new > len(self._free):
            self._add_free_indices(n_new - len(self._free))
        n_left = len(self._free) - n_new
        indices = self._free[n_left:]
        del self._free[n_left:]
        for name, values in self._columns.items():
            values[indices] = new[name]
        for side in _SIDES:
            written = self._written[side]
            for row, index in zip(new[side].tolist(), indices):
                written.setdefault(row, set()).add(index)

    def _add_free_indices(self, n_needed: int) -> None:
        """Extend the columns by at least a number of free indices."""
        n_before = len(self._columns["target"])
        n_added = n_needed + n_before // 16
        for name, values in self._columns.items():
            self._columns[name] = np.append(values, np.empty(n_added, dtype=values.dtype))
        for side in _SIDES:
            self._columns[side][n_before:] = _NO_ROW
        self._free += range(n_before, n_before + n_added)


class _PairsByMember(NamedTuple):
    """Indices of pairs, sorted by the row of the member on one side."""

    pairs: Ints  #: (P,) indices of the pairs.
    starts: Ints  #: (n + 1,) position in ``pairs`` of the first pair of each row, and their end.

    @classmethod
    def from_members(cls, members: Ints) -> _PairsByMember:
        """Sort pairs by the rows (P,) of their members."""
        n_pairs_of_row = np.bincount(members)
        starts = np.append(0, np.cumsum(n_pairs_of_row))
        return cls(np.argsort(members, kind="stable"), starts)

    def of_row(self, row: int) -> list[int]:
        """Return the indices of the pairs of a row; a row beyond the last one has none."""
        if row >= len(self.starts) - 1:
            return []
        return cast("list[int]", self.pairs[self.starts[row] : self.starts[row + 1]].tolist())

    def of_rows(self, rows: Ints) -> Ints:
        """Return the indices of the pairs of some rows, in any order."""
        known_rows = rows[rows < len(self.starts) - 1]
        starts = self.starts[known_rows]
        counts = self.starts[known_rows + 1] - starts
        # Positions start, start + 1, ... of each row, one row after the other.
        first_positions = np.cumsum(counts) - counts
        positions = np.arange(counts.sum()) + np.repeat(starts - first_positions, counts)
        indices: Ints = self.pairs[positions]
        return indices
