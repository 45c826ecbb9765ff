"""Which delineation is scored against which target (Stewart et al. 2021, Section IV-B)."""

from __future__ import annotations

from numbers import Real
from typing import NamedTuple, cast

import numpy as np
import shapely
from scipy.spatial import cKDTree

from randcrowns.core.arrays import Bools, Floats, Ints, first_of_each
from randcrowns.core.crowns import Crowns, group_codes
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import meeting_pairs
from randcrowns.core.progress import Progress, no_progress, processors
from randcrowns.core.statistics import SAME_GAIN, local_total
from randcrowns.core.status import Term

#: Distances that differ by less, relatively, are the same distance.
SAME_DISTANCE = 1e-9


class Pairing(Term):
    """How targets get their delineation."""

    #: The smallest distance between centroids; of several at the same distance the lowest score.
    NEAREST = "nearest"
    #: The highest IoU.
    MAX_IOU = "max_iou"
    #: The highest RandCrowns; one large delineation can serve many targets.
    MAX_SCORE = "max_score"
    #: Every delineation goes to its nearest target, whose score is their mean over their number.
    MEAN_OVER_COUNT = "mean_over_count"
    #: Every delineation goes to its nearest target, whose score is the lowest of theirs.
    MIN_SCORE = "min_score"
    #: One to one, with the largest total RandCrowns.
    HUNGARIAN = "hungarian"

    @property
    def shares_out(self) -> bool:
        """Whether every delineation goes to its nearest target, which may then have several."""
        return self in (Pairing.MEAN_OVER_COUNT, Pairing.MIN_SCORE)

    @property
    def by_distance(self) -> bool:
        """Whether the distance between centroids decides, up to the search radius."""
        return self is Pairing.NEAREST or self.shares_out


class Candidates(NamedTuple):
    """Pairs to score: rows of the targets and of the delineations, and the metres between their centroids."""

    target: Ints
    delineation: Ints
    distance: Floats


def candidates(
    targets: Crowns,
    delineations: Crowns,
    pairing: Pairing,
    search_radius: float | None = None,
    progress: Progress = no_progress,
) -> Candidates:
    """The pairs a method chooses from, sorted by target, then delineation.

    Where both sides have groups, only crowns of one group are paired. The methods that go by distance take no
    delineation beyond the search radius (metres between centroids; None: half the diagonal of the target's bounds).
    """
    if search_radius is not None and not (isinstance(search_radius, Real) and search_radius > 0):
        said = "The search radius must be a number of metres above 0, not {search_radius}."
        raise InputError(said, search_radius=search_radius)
    if len(targets) == 0 or len(delineations) == 0:
        return Candidates(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
    where, drawn = places_of(targets, delineations)
    progress(0.3)
    if pairing is Pairing.NEAREST:
        target, delineation = nearest_rows(where, drawn)
    elif pairing.shares_out:
        target, delineation = _nearest_lowest(drawn, where, targets.ids), np.arange(len(drawn))
    else:
        delineation, target = meeting_pairs(delineations.geometry, targets.geometry)
        if where.shape[1] > 2:
            together = where[target, 2] == drawn[delineation, 2]
            target, delineation = target[together], delineation[together]
    progress(0.7)
    distance = np.linalg.norm(where[target] - drawn[delineation], axis=1)
    if pairing.by_distance:
        near = distance <= search_radii(targets, search_radius)[target] * (1 + SAME_DISTANCE)
        target, delineation, distance = target[near], delineation[near], distance[near]
    order = np.lexsort((delineation, target))
    return Candidates(target[order], delineation[order], distance[order])


def assign(
    pairs: Candidates,
    pairing: Pairing,
    randcrowns: Floats,
    iou: Floats,
    target_ids: Ints,
    delineation_ids: Ints,
    progress: Progress = no_progress,
) -> Bools:
    """Which of the candidate pairs a method keeps; ties go to the lowest delineation id, see :func:`by_age`.

    Scores are compared in steps of :data:`randcrowns.core.statistics.SAME_GAIN`.

    Args:
        randcrowns, iou: (n,) scores of the pairs; NaN where a target cannot be scored.
        target_ids, delineation_ids: ids of all targets and of all delineations.
    """
    kept = np.zeros(len(pairs.target), dtype=bool)
    score = np.nan_to_num(randcrowns, nan=0.0)
    ids, target_ids = by_age(delineation_ids)[pairs.delineation], by_age(target_ids)
    if pairing.shares_out:
        kept[:] = True
    elif pairing is Pairing.HUNGARIAN:
        some = np.flatnonzero(score > 0)
        kept[
            some[local_total(target_ids[pairs.target[some]], ids[some], score[some], progress)]
        ] = True
    else:
        rank = in_steps(
            {Pairing.NEAREST: score, Pairing.MAX_IOU: -iou, Pairing.MAX_SCORE: -score}[pairing]
        )
        some = np.arange(len(kept)) if pairing is Pairing.NEAREST else np.flatnonzero(iou > 0)
        kept[some[first_of_each(ids[some], rank[some], pairs.target[some])]] = True
    return kept


def by_age(ids: Ints) -> Ints:
    """(n,) what ties are broken by: ids, those of crowns that are not saved (negative) after all others, as they were
    drawn. Once they are saved, they stand in the same order.

    >>> np.array([-2, 7, -3, 5])[np.argsort(by_age(np.array([-2, 7, -3, 5])))].tolist()
    [5, 7, -2, -3]
    """
    return np.where(ids < 0, np.iinfo(np.int64).max // 2 - ids, ids)


def in_steps(score: Floats) -> Floats:
    """(n,) the scores as numbers of steps: those that differ by rounding alone are equal."""
    return cast("Floats", np.rint(score / SAME_GAIN))


def nearest_target(targets: Crowns, delineations: Crowns) -> Ints:
    """(n,) row of the target whose centroid is nearest to each delineation's."""
    where, drawn = places_of(targets, delineations)
    return _nearest_lowest(drawn, where, targets.ids)


def places_of(targets: Crowns, delineations: Crowns) -> tuple[Floats, Floats]:
    """Centroids; where both sides have groups, with the group as a third coordinate, groups further apart than any two
    crowns of one."""
    one, other = targets.centroids, delineations.centroids
    if targets.groups is None or delineations.groups is None:
        return one, other
    apart = 4 * np.linalg.norm(np.ptp(np.concatenate([one, other]), axis=0)) + 1
    target_code, drawn_code = group_codes(targets, delineations)
    return np.column_stack([one, target_code * apart]), np.column_stack([other, drawn_code * apart])


def search_radii(targets: Crowns, search_radius: float | None) -> Floats:
    """(T,) metres within which each target looks for delineations."""
    if search_radius is not None:
        return np.full(len(targets), float(search_radius))
    xmin, ymin, xmax, ymax = shapely.bounds(targets.geometry).T
    return cast("Floats", np.hypot(xmax - xmin, ymax - ymin) / 2)


def nearest_rows(places: Floats, others: Floats) -> tuple[Ints, Ints]:
    """Rows of ``places`` with all the ``others`` that are nearest to them."""
    tree = cKDTree(others, balanced_tree=False, compact_nodes=False)
    k = min(2, len(others))
    while True:
        distance, other = tree.query(places, k=np.arange(1, k + 1), workers=processors())
        same = distance <= distance[:, :1] * (1 + SAME_DISTANCE)
        if k == len(others) or not same[:, -1].any():
            row, column = np.nonzero(same)
            return row, other[row, column]
        k = min(4 * k, len(others))


def _nearest_lowest(places: Floats, others: Floats, ids: Ints) -> Ints:
    """(n,) of the others nearest to each place the one of the lowest id."""
    row, other = nearest_rows(places, others)
    return other[first_of_each(by_age(ids)[other], row)]
