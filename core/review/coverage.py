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
            pairs = pairs[_find_reaching(targets, delineations, overlap, pairs, scored, parameters)]
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


def _find_reaching(
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
    target_rows = overlap.target[pairs]
    delineation_rows = overlap.prediction[pairs]
    scored_row = _find_scored(scored, target_rows, delineation_rows, len(delineations))
    is_known = scored_row >= 0
    is_missed = np.zeros(len(pairs), dtype=bool)
    is_missed[is_known] = scored.is_missed[scored_row[is_known]]
    unknown = np.flatnonzero(~is_known)
    if len(unknown):
        is_missed[unknown] = _compute_missed(
            targets.geometry,
            delineations.geometry,
            target_rows[unknown],
            delineation_rows[unknown],
            parameters,
        )
    return ~is_missed


def _find_scored(
    scored: ScoredPairs, target_rows: Ints, delineation_rows: Ints, n_delineations: int
) -> Ints:
    """Return the row (p,) of each pair among the pairs whose status is known; -1 if it is unknown.

    Args:
        scored: pairs whose status is known.
        target_rows: (p,) row of the target of each pair.
        delineation_rows: (p,) row of the delineation of each pair.
        n_delineations: number of delineations.
    """
    # A pair is identified by one number. Pairs of delineations that are not here have none.
    usable_rows = np.flatnonzero(scored.delineation >= 0)
    usable_keys = scored.target[usable_rows] * n_delineations + scored.delineation[usable_rows]
    keys = target_rows * n_delineations + delineation_rows
    order = np.argsort(usable_keys)
    position = np.searchsorted(usable_keys[order], keys)
    # The additional last key -1 equals none, for keys beyond the last one.
    is_known = np.append(usable_keys[order], -1)[position] == keys
    return np.where(is_known, np.append(usable_rows[order], -1)[position], -1)


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
    # Only the crowns of these pairs are used. From here on, crowns are numbered among them.
    used_targets, target_of_pair = np.unique(target, return_inverse=True)
    used_delineations, delineation_of_pair = np.unique(delineation, return_inverse=True)
    target_shapes = targets[used_targets]
    origin = bounds_centre(target_shapes)
    target_areas = shapely.area(target_shapes)
    certain_parts = np.empty(len(target_shapes), dtype=object)
    for rows, offsets in split_by_offsets(target_shapes, parameters, extent=None, origin=origin):
        certain_parts[rows] = offsets.polygons(offsets.shapes_at(-parameters.alpha))
    certain_areas = drop_contact_areas(shapely.area(certain_parts), target_areas)
    delineation_shapes = translate_to_origin(delineations[used_delineations], origin)

    shared_areas = np.zeros(len(target_of_pair))
    with_certain_part = np.flatnonzero(certain_areas[target_of_pair] > 0)
    shared_areas[with_certain_part] = _shared_areas(
        Crowns.from_validated(certain_parts, used_targets),
        Crowns.from_validated(delineation_shapes, used_delineations),
        target_of_pair[with_certain_part],
        delineation_of_pair[with_certain_part],
    )
    shared_areas = drop_contact_areas(shared_areas, target_areas[target_of_pair])
    return find_missed(certain_areas[target_of_pair], shared_areas)


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
    """Return the row (n,) of each target and a delineation in the overlap table; -1 without one.

    Args:
        overlap: overlap table of targets and delineations.
        target: (n,) row of the target.
        delineation: (n,) row of the delineation; -1 for none.
    """
    # A pair is identified by one number; -1 for a target without a delineation.
    n_delineations = len(overlap.prediction_size)
    keys = overlap.target * n_delineations + overlap.prediction  # ascending
    sought_keys = np.where(delineation < 0, -1, target * n_delineations + delineation)
    rows = np.searchsorted(keys, sought_keys)
    # The additional last key -2 equals none, for keys beyond the last pair.
    is_found = np.append(keys, -2)[rows] == sought_keys
    return np.where(is_found, rows, -1)


class Merged(NamedTuple):
    """Other target that the delineation of each of T targets covers, too."""

    is_merged: Bools  #: (T,) True if the delineation merges the target with others.
    other: Ints  #: (T,) row of the other target that is covered most; -1 if unknown.
    share: Floats  #: (T,) covered share of this target's area; NaN if unknown.

    @classmethod
    def none(cls, n: int) -> Merged:
        """Return a value for n targets without another target."""
        return cls(
            is_merged=np.zeros(n, dtype=bool),
            other=np.full(n, -1, dtype=np.int64),
            share=np.full(n, np.nan),
        )


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
    has_other_own = n_own[overlap.target] > is_own
    is_covered = reaches(coverage.target_share, covered)
    # Pairs of a delineation with the targets that it may merge, and their number by delineation.
    is_mergeable = is_covered & ~has_other_own
    n_mergeable = np.bincount(
        overlap.prediction[is_mergeable], minlength=len(overlap.prediction_size)
    )
    # The appended values are those of targets without a pair or a delineation, whose row is -1.
    is_own_pair_mergeable = np.append(is_mergeable, False)[coverage.pair]
    has_several = np.append(n_mergeable, 0)[coverage.delineation] >= 2
    is_merged = is_own_pair_mergeable & has_several
    other = _most_covered_other(coverage, np.flatnonzero(is_merged), np.flatnonzero(is_mergeable))

    is_own_pair_covered = np.append(is_covered, False)[coverage.pair]
    unpaired = np.flatnonzero(~coverage.match.is_reached & is_own_pair_covered)
    is_of_other = _serves_other(
        coverage.targets, coverage.match, unpaired, coverage.delineation[unpaired]
    )
    is_merged[unpaired[is_of_other]] = True
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
    own_delineations = coverage.delineation[rows]
    is_own = np.zeros(len(overlap.prediction_size), dtype=bool)
    is_own[own_delineations] = True
    pairs_of_own = pairs[is_own[overlap.prediction[pairs]]]
    # Sort the pairs by delineation, the best first.
    pair_targets = overlap.target[pairs_of_own]
    ranks = rank_equal_scores(overlap.shared[pairs_of_own] / overlap.target_size[pair_targets])
    id_ranks = tie_break_keys(coverage.targets.ids)[pair_targets]
    order = np.lexsort((id_ranks, ranks, overlap.prediction[pairs_of_own]))
    targets = pair_targets[order]
    delineations = overlap.prediction[pairs_of_own[order]]
    # The best or the second best target of a delineation is another one than its own. The second
    # is tried first, so that the best replaces it.
    other = np.full(len(coverage.pair), -1, dtype=np.int64)
    best_pairs = np.searchsorted(delineations, own_delineations)
    for candidates in (best_pairs + 1, best_pairs):
        existing = np.flatnonzero(candidates < len(delineations))
        is_same = delineations[candidates[existing]] == own_delineations[existing]
        with_pair = existing[is_same]
        candidate_targets = targets[candidates[with_pair]]
        is_other = candidate_targets != rows[with_pair]
        other[rows[with_pair[is_other]]] = candidate_targets[is_other]
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
        targets: crowns, the first of each pair.
        others: crowns, the second of each pair.
        target: (p,) row of the first crown of each pair.
        other: (p,) row of the second one.
    """
    # A pair is identified by one number. Repeated pairs are computed once.
    n_others = len(others)
    keys, key_of_pair = np.unique(target * n_others + other, return_inverse=True)
    overlap = pair_overlap(targets, others, keys // n_others, keys % n_others)
    shared = np.zeros(len(keys))
    positions = np.searchsorted(keys, overlap.target * n_others + overlap.prediction)
    shared[positions] = overlap.shared
    return shared[key_of_pair]


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
    coordinates, outline_numbers = shapely.get_coordinates(own_outlines, return_index=True)
    moved_coordinates = coordinates + distance[rows][outline_numbers]
    # set_coordinates changes its argument in place; the outlines were copied by the index.
    moved = shapely.set_coordinates(own_outlines, moved_coordinates)

    # IoU of each target with its moved delineation.
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
    # Pairs of a target and one of its own delineations.
    own_pairs = np.flatnonzero(exceeds(coverage.iou, OWN_IOU))
    own_targets = overlap.target[own_pairs]
    n_own = np.bincount(own_targets, minlength=len(coverage.pair))
    has_several = n_own[own_targets] >= 2

    pairs = own_pairs[has_several]
    target_rows = overlap.target[pairs]
    delineation_rows = overlap.prediction[pairs]
    # The pair with the highest IoU of each delineation; of equal ones, that of the first target.
    best = first_rows(
        tie_break_keys(coverage.targets.ids)[target_rows],
        rank_equal_scores(coverage.iou[pairs]),
        delineation_rows,
    )
    duplicates = np.full(len(overlap.prediction_size), -1, dtype=np.int64)
    duplicates[delineation_rows[best]] = target_rows[best]
    return duplicates
