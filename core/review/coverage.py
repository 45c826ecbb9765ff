"""Which delineation covers a target, and how: the facts that the problems of crowns follow from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, first_rows
from randcrowns.core.crowns import Crowns
from randcrowns.core.geometry.areas import bounds_centre, translate_to_origin
from randcrowns.core.instances.overlap import OverlapTable, pair_overlap
from randcrowns.core.scoring.offsets import drop_contact_areas, split_by_offsets
from randcrowns.core.scoring.pairing import tie_break_keys
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import find_missed
from randcrowns.core.statistics import compute_iou
from randcrowns.core.thresholds import exceeds, falls_below, rank_equal_scores, reaches

#: IoU above which a delineation is one of the target's own.
OWN_IOU = 0.5
#: Minimum share of a target that the other parts of a split target cover.
_SPLIT_SHARE = 0.05
#: Share of the smaller one of two delineations below which they lie next to each other.
_NEIGHBOUR_SHARE = 0.5


class ScoredPairs(NamedTuple):
    """Pairs of a target and a delineation whose status is known."""

    target: Ints  #: (k,) row of the target of each pair.
    delineation: Ints  #: (k,) row of the delineation; -1 for one that is not among the others.
    is_missed: Bools  #: (k,) True if the delineation does not reach the certain part.


class Match(NamedTuple):
    """Pairs of T targets and D delineations that a pairing method has assigned."""

    row: Ints  #: (T,) row of each target's delineation; -1 without one.
    is_reached: Bools  #: (T,) True if there is one and it reaches the certain part.
    served: pd.arrays.IntegerArray  #: (D,) id of the target of each delineation; or missing.


@dataclass(frozen=True)
class Coverage:
    """Overlaps of T targets and D delineations, and the delineation that counts for each target.

    The delineation of a target is the one it is paired with. If it has none, or if this one does
    not reach the certain part of the target, it is the one that covers most of the target, among
    those that reach the certain part.

    Attributes:
        targets: T targets, in metres.
        delineations: D delineations, in metres.
        overlap: overlap table of the targets and delineations, with P pairs.
        match: pairs that the pairing method has assigned.
        delineation: (T,) row of each target's delineation; -1 if none reaches its certain part.
        pair: (T,) row in ``overlap`` of the target and its delineation; -1 if they do not overlap.
    """

    targets: Crowns
    delineations: Crowns
    overlap: OverlapTable
    match: Match
    delineation: Ints
    pair: Ints

    @cached_property
    def iou(self) -> Floats:
        """(P,) IoU of each pair."""
        return self.overlap.iou

    @cached_property
    def target_share(self) -> Floats:
        """(P,) shared area of each pair over the area of its target."""
        return self.overlap.shared / self.overlap.target_size[self.overlap.target]

    @cached_property
    def delineation_share(self) -> Floats:
        """(P,) shared area of each pair over the area of its delineation."""
        return self.overlap.shared / self.overlap.prediction_size[self.overlap.prediction]

    def at_pair(self, values: Floats) -> Floats:
        """Return the values (P,) of the pairs of the targets and their delineations.

        Returns:
            (T,) values; 0 where the two do not overlap.
        """
        return np.append(values, 0.0)[self.pair]


def find_coverage(
    targets: Crowns,
    delineations: Crowns,
    overlap: OverlapTable,
    match: Match,
    scored: ScoredPairs,
    parameters: RandCrownsParameters | None,
    covered: float,
    is_requested: Bools | None = None,
) -> Coverage:
    """Find the delineation that counts for each target.

    Args:
        targets: T targets, in metres.
        delineations: D delineations, in metres.
        overlap: overlap table of the targets and delineations.
        match: pairs that the pairing method has assigned.
        scored: pairs whose status is known; that of other pairs is computed.
        parameters: parameters of the scores, which define the certain part; None if there is no
            such part, so that each delineation that overlaps a target reaches it.
        covered: minimum share of the area of a target that a delineation covers.
        is_requested: (T,) targets whose delineation is needed; None for all.

    >>> trees, drawn = Crowns([shapely.box(0, 0, 5, 5)]), Crowns([shapely.box(4, 0, 9, 5)])
    >>> from randcrowns.core.instances.overlap import polygon_overlap
    >>> overlap = polygon_overlap(trees, drawn)
    >>> served = pd.arrays.IntegerArray(np.array([0]), np.array([True]))
    >>> match = Match(np.array([-1]), np.array([False]), served)
    >>> scored = ScoredPairs(np.array([0]), np.array([0]), np.array([False]))
    >>> coverage = find_coverage(trees, drawn, overlap, match, scored, None, 0.5)
    >>> coverage.delineation.tolist(), coverage.target_share.tolist()
    ([0], [0.2])
    """
    delineation = np.where(match.is_reached, match.row, -1)
    # A pair that does not reach the certain part within the extent can reach it outside.
    is_searched = ~match.is_reached[overlap.target]
    is_searched &= overlap.prediction != match.row[overlap.target]
    if is_requested is not None:
        is_searched &= is_requested[overlap.target]
    pairs = np.flatnonzero(is_searched)
    if len(pairs):
        if parameters is not None:
            pairs = pairs[_reaching(targets, delineations, overlap, pairs, scored, parameters)]
        best = _best_pairs(targets, delineations, overlap, match, pairs, covered)
        delineation[overlap.target[best]] = overlap.prediction[best]
    pair = _pair_rows(overlap, np.arange(len(delineation)), delineation)
    return Coverage(
        targets=targets,
        delineations=delineations,
        overlap=overlap,
        match=match,
        delineation=delineation,
        pair=pair,
    )


def _reaching(
    targets: Crowns,
    delineations: Crowns,
    overlap: OverlapTable,
    pairs: Ints,
    scored: ScoredPairs,
    parameters: RandCrownsParameters,
) -> Bools:
    """Return which pairs (p,) have a delineation that reaches the certain part of the target.

    Args:
        targets: T targets.
        delineations: D delineations.
        overlap: overlap table of the targets and delineations.
        pairs: (p,) rows of the pairs in ``overlap``.
        scored: pairs whose status is known.
        parameters: parameters of the scores.
    """
    target = overlap.target[pairs]
    delineation = overlap.prediction[pairs]
    known_pairs = np.flatnonzero(scored.delineation >= 0)
    known_keys = scored.target[known_pairs] * len(delineations) + scored.delineation[known_pairs]
    order = np.argsort(known_keys)
    keys = target * len(delineations) + delineation
    position = np.searchsorted(known_keys, keys, sorter=order)
    found_pair = (
        known_pairs[np.append(order, -1)[position]] if len(known_pairs) else np.zeros_like(position)
    )
    is_known = np.append(known_keys[order], -1)[position] == keys
    is_reaching = np.ones(len(pairs), dtype=bool)
    is_reaching[is_known] = ~scored.is_missed[found_pair[is_known]]

    unknown_pairs = np.flatnonzero(~is_known)
    if len(unknown_pairs):
        is_missed = _compute_missed(
            targets.geometry,
            delineations.geometry,
            target[unknown_pairs],
            delineation[unknown_pairs],
            parameters,
        )
        is_reaching[unknown_pairs] = ~is_missed
    return is_reaching


def _compute_missed(
    targets: Objects,
    delineations: Objects,
    target: Ints,
    delineation: Ints,
    parameters: RandCrownsParameters,
) -> Bools:
    """Return which pairs (p,) have a delineation that misses the certain part of the target.

    Args:
        targets: (T,) polygons, metres.
        delineations: (D,) polygons, metres.
        target: (p,) row of the target of each pair.
        delineation: (p,) row of the delineation of each pair.
        parameters: parameters of the scores.
    """
    used_targets, target = np.unique(target, return_inverse=True)
    used_delineations, delineation = np.unique(delineation, return_inverse=True)
    targets = targets[used_targets]
    origin = bounds_centre(targets)
    target_area = shapely.area(targets)
    certain = np.empty(len(targets), dtype=object)
    for rows, offsets in split_by_offsets(targets, parameters, extent=None, origin=origin):
        certain[rows] = offsets.polygons(offsets.shapes_at(-parameters.alpha))
    certain_area = drop_contact_areas(shapely.area(certain), target_area)

    certain_shared = np.zeros(len(target))
    pairs = np.flatnonzero(certain_area[target] > 0)
    local = translate_to_origin(delineations[used_delineations], origin)
    certain_shared[pairs] = _shared_areas(
        Crowns.from_validated(certain, used_targets),
        Crowns.from_validated(local, used_delineations),
        target[pairs],
        delineation[pairs],
    )
    certain_shared = drop_contact_areas(certain_shared, target_area[target])
    return find_missed(certain_area[target], certain_shared)


def _best_pairs(
    targets: Crowns,
    delineations: Crowns,
    overlap: OverlapTable,
    match: Match,
    pairs: Ints,
    covered: float,
) -> Ints:
    """Return the pair of each target whose delineation counts for it.

    This is a delineation of another target that covers enough of the target, if there is one.
    Otherwise the largest covered share decides, then the id of the delineation.

    Args:
        targets: T targets.
        delineations: D delineations.
        overlap: overlap table of the targets and delineations.
        match: pairs that the pairing method has assigned.
        pairs: (p,) rows of the pairs in ``overlap``.
        covered: minimum share of the area of a target that a delineation covers.

    Returns:
        Rows of the pairs in ``overlap``, one per target.
    """
    target = overlap.target[pairs]
    delineation = overlap.prediction[pairs]
    share = overlap.shared[pairs] / overlap.target_size[target]
    is_of_other = _serves_other(targets, match, target, delineation) & reaches(share, covered)
    best = first_rows(
        tie_break_keys(delineations.ids)[delineation],
        rank_equal_scores(share),
        ~is_of_other,
        target,
    )
    return pairs[best]


def _serves_other(targets: Crowns, match: Match, target: Ints, delineation: Ints) -> Bools:
    """Return which pairs (p,) have a delineation that is paired with another target.

    Args:
        targets: T targets.
        match: pairs that the pairing method has assigned.
        target: (p,) row of the target of each pair.
        delineation: (p,) row of the delineation of each pair.
    """
    served = match.served[delineation]
    is_served = ~served.isna()
    served_ids = served.to_numpy(dtype=np.int64, na_value=0)
    return cast("Bools", is_served & (served_ids != targets.ids[target]))


def _pair_rows(overlap: OverlapTable, target: Ints, delineation: Ints) -> Ints:
    """Return the row (n,) of each target and a delineation in the overlap table, or -1.

    Args:
        overlap: overlap table of targets and delineations.
        target: (n,) row of the target.
        delineation: (n,) row of the delineation; -1 for none.
    """
    n_delineations = len(overlap.prediction_size)
    keys = overlap.target * n_delineations + overlap.prediction  # ascending
    sought = np.where(delineation < 0, -1, target * n_delineations + delineation)
    rows = np.searchsorted(keys, sought)
    is_found = np.append(keys, -2)[rows] == sought
    return np.where(is_found, rows, -1)


class Merged(NamedTuple):
    """Other target that the delineation of each of T targets covers, too."""

    is_merged: Bools  #: (T,) True if the delineation merges the target with others.
    other: Ints  #: (T,) row of the other target that is covered most; -1 if unknown.
    share: Floats  #: (T,) covered share of this target's area; NaN if unknown.

    @classmethod
    def none(cls, n: int) -> Merged:
        """Return a value for n targets without another target."""
        return cls(np.zeros(n, dtype=bool), np.full(n, -1, dtype=np.int64), np.full(n, np.nan))


def find_merged(coverage: Coverage, covered: float) -> Merged:
    """Find the targets that share their delineation with another target.

    A delineation merges the targets that it covers enough of, without those that have another
    delineation of their own, if there are at least two. It also merges a target without a pair that
    it covers enough of with the target that it is paired with.

    Args:
        coverage: overlaps of T targets and their delineations.
        covered: minimum share of a target's area.
    """
    overlap = coverage.overlap
    is_own = exceeds(coverage.iou, OWN_IOU)
    n_own = np.bincount(overlap.target[is_own], minlength=len(coverage.pair))
    has_other = n_own[overlap.target] > is_own
    is_covered = reaches(coverage.target_share, covered)
    counted = np.flatnonzero(is_covered & ~has_other)
    n_counted = np.bincount(overlap.prediction[counted], minlength=len(overlap.prediction_size))
    is_counted = np.zeros(len(overlap.target) + 1, dtype=bool)
    is_counted[counted] = True
    is_merged = is_counted[coverage.pair] & (np.append(n_counted, 0)[coverage.delineation] >= 2)
    other = _most_covered_other(coverage, np.flatnonzero(is_merged), counted)

    unpaired = np.flatnonzero(
        ~coverage.match.is_reached & np.append(is_covered, False)[coverage.pair]
    )
    is_elsewhere = _serves_other(
        coverage.targets, coverage.match, unpaired, coverage.delineation[unpaired]
    )
    is_merged[unpaired[is_elsewhere]] = True
    return Merged(is_merged, other, _share_of(coverage, other))


def find_owner(coverage: Coverage, rows: Ints) -> Merged:
    """Find the other target that the delineation of each target fits.

    Args:
        coverage: overlaps of T targets and their delineations.
        rows: rows of the targets to search for; the others have none.

    Returns:
        The target of which the delineation is an own one, if there is such a target.
    """
    fitting = np.flatnonzero(exceeds(coverage.iou, OWN_IOU))
    other = _most_covered_other(coverage, rows, fitting)
    return Merged(other >= 0, other, _share_of(coverage, other))


def _most_covered_other(coverage: Coverage, rows: Ints, pairs: Ints) -> Ints:
    """Return the other target that each target's delineation covers most of.

    Of several targets with equal shares the one with the lowest id is returned.

    Args:
        coverage: overlaps of T targets and their delineations.
        rows: rows of the targets.
        pairs: pairs of ``coverage.overlap`` to choose from.

    Returns:
        (T,) row of the other target; -1 for other targets and if there is none.
    """
    overlap = coverage.overlap
    other = np.full(len(coverage.pair), -1, dtype=np.int64)
    sought = coverage.delineation[rows]
    is_sought = np.zeros(len(overlap.prediction_size), dtype=bool)
    is_sought[sought] = True
    pairs = pairs[is_sought[overlap.prediction[pairs]]]
    target = overlap.target[pairs]
    delineation = overlap.prediction[pairs]
    rank = rank_equal_scores(overlap.shared[pairs] / overlap.target_size[target])
    order = np.lexsort((tie_break_keys(coverage.targets.ids)[target], rank, delineation))
    target = target[order]
    delineation = delineation[order]

    # Pairs are sorted by delineation, the best first. The best or the second best of a delineation
    # is another target than its own; the second is tried before, so that the best replaces it.
    best_pair = np.searchsorted(delineation, sought)
    for pair in (best_pair + 1, best_pair):
        exists = np.flatnonzero(pair < len(delineation))
        with_pair = exists[delineation[pair[exists]] == sought[exists]]
        with_other = with_pair[target[pair[with_pair]] != rows[with_pair]]
        other[rows[with_other]] = target[pair[with_other]]
    return other


def _share_of(coverage: Coverage, other: Ints) -> Floats:
    """Return the share of another target (T,) that each target's delineation covers, or NaN.

    Args:
        coverage: overlaps of T targets and their delineations.
        other: (T,) row of the other target; -1 for none.
    """
    share = np.full(len(other), np.nan)
    rows = np.flatnonzero(other >= 0)
    pair = _pair_rows(coverage.overlap, other[rows], coverage.delineation[rows])
    share[rows] = coverage.target_share[pair]
    return share


def count_parts(coverage: Coverage, inside: float) -> Ints:
    """Count the delineations that lie mostly in each target.

    Args:
        coverage: overlaps of T targets with the delineations.
        inside: minimum share of the area of a delineation that lies in the target, 0 to 1.

    Returns:
        (T,) number of these delineations for each target.
    """
    is_part = reaches(coverage.delineation_share, inside)
    return np.bincount(coverage.overlap.target[is_part], minlength=len(coverage.pair))


def find_split(coverage: Coverage, inside: float, rows: Ints) -> Bools:
    """Find the targets that consist of several delineations.

    The target's delineation and others lie in the target. The others must lie next to the target's
    delineation, so that they are not duplicates, and cover more than a speck of the target.

    Args:
        coverage: overlaps of T targets and their delineations.
        inside: minimum share of the area of a delineation that lies in a target.
        rows: rows of the targets to check.

    Returns:
        (T,) mask; False for targets that are not checked.
    """
    overlap = coverage.overlap
    is_part = reaches(coverage.delineation_share, inside)
    is_checked = np.zeros(len(coverage.pair), dtype=bool)
    is_checked[rows] = True
    is_checked &= np.append(is_part, False)[coverage.pair]
    own_delineation = coverage.delineation[overlap.target]
    others = np.flatnonzero(
        is_part & is_checked[overlap.target] & (overlap.prediction != own_delineation)
    )
    if len(others) == 0:
        return np.zeros(len(coverage.pair), dtype=bool)

    is_neighbour = _are_neighbours(coverage, own_delineation[others], overlap.prediction[others])
    neighbours = others[is_neighbour]
    share = np.bincount(
        overlap.target[neighbours], coverage.target_share[neighbours], minlength=len(coverage.pair)
    )
    return cast("Bools", reaches(share, _SPLIT_SHARE))


def _are_neighbours(coverage: Coverage, first: Ints, second: Ints) -> Bools:
    """Return which pairs (p,) of two delineations share less than half of the smaller one.

    Args:
        coverage: overlaps with the delineations.
        first: (p,) row of one delineation of each pair.
        second: (p,) row of the other one.
    """
    delineations = coverage.delineations
    size = coverage.overlap.prediction_size
    shared = _shared_areas(delineations, delineations, first, second)
    smaller = np.minimum(size[first], size[second])
    return cast("Bools", falls_below(shared / smaller, _NEIGHBOUR_SHARE))


def _shared_areas(targets: Crowns, others: Crowns, target: Ints, other: Ints) -> Floats:
    """Return the shared areas (p,) of pairs of crowns, m²; 0 where they do not overlap.

    Args:
        targets: crowns.
        others: crowns.
        target: (p,) row of the first crown of each pair.
        other: (p,) row of the second one.
    """
    n_others = len(others)
    keys, row = np.unique(target * n_others + other, return_inverse=True)
    overlap = pair_overlap(targets, others, keys // n_others, keys % n_others)
    shared = np.zeros(len(keys))
    position = np.searchsorted(keys, overlap.target * n_others + overlap.prediction)
    shared[position] = overlap.shared
    return shared[row]


def find_moved(coverage: Coverage, distance: Floats, rows: Ints) -> Bools:
    """Find the targets whose delineation differs in position more than in shape.

    Moved onto the target's centroid, such a delineation would lose at least half of what it lacks
    to an IoU of 1.

    Args:
        coverage: overlaps of T targets and their delineations.
        distance: (T, 2) way from the delineation's centroid to the target's, metres.
        rows: rows of the targets to check; each has a delineation.

    Returns:
        (T,) mask; False for targets that are not checked.
    """
    is_moved = np.zeros(len(coverage.pair), dtype=bool)
    if len(rows) == 0:
        return is_moved
    own_outlines = coverage.delineations.geometry[coverage.delineation[rows]]
    counts = shapely.get_num_coordinates(own_outlines)
    coordinates = shapely.get_coordinates(own_outlines) + np.repeat(distance[rows], counts, axis=0)
    moved = shapely.set_coordinates(own_outlines, coordinates)  # own is a copy
    numbers = np.arange(len(rows))
    targets = coverage.targets.geometry[rows]
    shared = _shared_areas(
        Crowns.from_validated(targets, numbers),
        Crowns.from_validated(moved, numbers),
        numbers,
        numbers,
    )
    moved_iou = compute_iou(shared, shapely.area(targets), shapely.area(moved))
    lack = 1 - coverage.at_pair(coverage.iou)[rows]
    is_moved[rows] = ~exceeds(1 - moved_iou, lack / 2)
    return is_moved


def find_duplicates(coverage: Coverage) -> Ints:
    """Find the target of which each delineation is one of several own ones.

    Args:
        coverage: overlaps of T targets and D delineations.

    Returns:
        (D,) row of the target, the one with the highest IoU; -1 if there is none.
    """
    overlap = coverage.overlap
    iou = coverage.iou
    own_rows = np.flatnonzero(exceeds(iou, OWN_IOU))
    n_own = np.bincount(overlap.target[own_rows], minlength=len(coverage.pair))
    pairs = own_rows[n_own[overlap.target[own_rows]] >= 2]
    best = first_rows(
        tie_break_keys(coverage.targets.ids)[overlap.target[pairs]],
        rank_equal_scores(iou[pairs]),
        overlap.prediction[pairs],
    )
    duplicates = np.full(len(overlap.prediction_size), -1, dtype=np.int64)
    duplicates[overlap.prediction[pairs[best]]] = overlap.target[pairs[best]]
    return duplicates
