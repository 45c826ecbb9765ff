"""Pairing: which delineation is scored against which target (Stewart et al. 2021, Section IV-B)."""

from __future__ import annotations

from numbers import Real
from typing import NamedTuple, cast

import numpy as np
import scipy
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, first_rows
from randcrowns.core.class_names import class_codes
from randcrowns.core.crowns import Crowns, plot_codes_of_both, required_classes
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import intersecting_pairs
from randcrowns.core.progress import Progress, no_progress, thread_count
from randcrowns.core.statistics import GAIN_TOLERANCE, assign_by_cluster
from randcrowns.core.status import TextEnum
from randcrowns.core.thresholds import rank_equal_scores

#: Relative difference below which two distances are equal.
DISTANCE_TOLERANCE = 1e-9


class Pairing(TextEnum):
    """Method that assigns delineations to targets."""

    #: Each target gets the delineation with the nearest centroid; of several at the same distance,
    #: the one with the lowest score.
    NEAREST = "nearest"
    #: Each target gets the delineation with the highest IoU.
    MAX_IOU = "max_iou"
    #: Each target gets the delineation with the highest RandCrowns; one large delineation can serve
    #: many targets.
    MAX_SCORE = "max_score"
    #: Each delineation goes to its nearest target; the target's score is the mean score of its
    #: delineations divided by their number.
    MEAN_OVER_COUNT = "mean_over_count"
    #: Each delineation goes to its nearest target; the target's score is the lowest score of its
    #: delineations.
    MIN_SCORE = "min_score"
    #: One-to-one assignment with the largest total RandCrowns.
    HUNGARIAN = "hungarian"

    @property
    def is_many_to_one(self) -> bool:
        """True if each delineation goes to its nearest target, which may get several."""
        return self in (Pairing.MEAN_OVER_COUNT, Pairing.MIN_SCORE)

    @property
    def uses_distance(self) -> bool:
        """True if the distance between centroids decides, up to the search radius."""
        return self is Pairing.NEAREST or self.is_many_to_one


class Candidates(NamedTuple):
    """P candidate pairs of a target and a delineation."""

    #: (P,) rows of the targets.
    target: Ints
    #: (P,) rows of the delineations.
    delineation: Ints
    #: (P,) distances between the centroids, metres.
    distance: Floats


def find_pair_candidates(
    targets: Crowns,
    delineations: Crowns,
    pairing: Pairing,
    search_radius: float | None = None,
    progress: Progress = no_progress,
    max_pairs: int | None = None,
) -> Candidates:
    """Find the pairs that a pairing method chooses from.

    Args:
        targets: crowns to be found. If both sides have plots, only crowns of the same plot are
            paired.
        delineations: crowns to be scored.
        pairing: the method.
        search_radius: maximum distance between centroids, metres, for methods that use the
            distance; None for half the diagonal of each target's bounds.
        progress: receives the fraction done.
        max_pairs: number of overlapping pairs that is allowed for layers of any size, see
            :func:`randcrowns.core.geometry.areas.intersecting_pairs`.

    Returns:
        The pairs, sorted by target, then by delineation.

    Raises:
        InputError: if the search radius is not a number above 0, or too many crowns lie in one
            spot for a method that compares overlapping pairs.

    >>> tree, drawn = shapely.box(0, 0, 5, 5), shapely.box(0, 0, 5, 3)
    >>> find_pair_candidates(Crowns([tree]), Crowns([drawn]), Pairing.NEAREST).distance.tolist()
    [1.0]
    """
    is_valid = search_radius is None or (isinstance(search_radius, Real) and search_radius > 0)
    if not is_valid:
        text = "The search radius must be a number of metres above 0, not {search_radius}."
        raise InputError("pairing.invalid_search_radius", text, search_radius=search_radius)
    if len(targets) == 0 or len(delineations) == 0:
        no_rows = np.empty(0, np.int64)
        return Candidates(no_rows, no_rows, np.empty(0))
    target_plot, drawn_plot = plot_codes_of_both(targets, delineations)
    target_points, drawn_points = plot_separated_centroids(targets, delineations)
    progress(0.3)
    if pairing is Pairing.NEAREST:
        target_rows, drawn_rows = find_nearest(target_points, drawn_points)
    elif pairing.is_many_to_one:
        target_rows = _nearest_lowest_id(drawn_points, target_points, targets.ids)
        drawn_rows = np.arange(len(drawn_points))
    else:
        drawn_rows, target_rows = intersecting_pairs(
            delineations.geometry,
            targets.geometry,
            max_pairs=max_pairs,
            plots=(drawn_plot, target_plot),
        )
    progress(0.7)

    distances = np.linalg.norm(target_points[target_rows] - drawn_points[drawn_rows], axis=1)
    # Crowns of different plots may be nearer to each other than the search radius.
    is_candidate = target_plot[target_rows] == drawn_plot[drawn_rows]
    if pairing.uses_distance:
        radii = search_radii(targets, search_radius)[target_rows]
        is_candidate &= distances <= radii * (1 + DISTANCE_TOLERANCE)
    pairs = np.flatnonzero(is_candidate)
    by_target = np.lexsort((drawn_rows[pairs], target_rows[pairs]))
    sorted_pairs = pairs[by_target]
    return Candidates(target_rows[sorted_pairs], drawn_rows[sorted_pairs], distances[sorted_pairs])


def select_assigned(
    pairs: Candidates,
    pairing: Pairing,
    randcrowns: Floats,
    iou: Floats,
    target_ids: Ints,
    delineation_ids: Ints,
    progress: Progress = no_progress,
) -> Bools:
    """Select the candidate pairs that a pairing method assigns.

    Scores that differ by rounding errors are equal, see :mod:`randcrowns.core.thresholds`. Ties go
    to the lowest delineation id, in the order of :func:`tie_break_keys`.

    Args:
        pairs: P candidate pairs.
        pairing: the method.
        randcrowns: (P,) RandCrowns of the pairs; NaN where a target cannot be scored.
        iou: (P,) IoU of the pairs; NaN where a target cannot be scored.
        target_ids: ids of all targets.
        delineation_ids: ids of all delineations.
        progress: receives the fraction done.

    Returns:
        (P,) mask of the assigned pairs.

    >>> pairs = Candidates(np.array([0, 0]), np.array([0, 1]), np.array([1.0, 2.0]))
    >>> scores, ids = np.array([0.5, 0.9]), np.array([1, 2])
    >>> select_assigned(pairs, Pairing.MAX_SCORE, scores, scores, ids, ids).tolist()
    [False, True]
    """
    is_assigned = np.zeros(len(pairs.target), dtype=bool)
    if pairing.is_many_to_one:
        is_assigned[:] = True
        return is_assigned

    scores = np.nan_to_num(randcrowns, nan=0.0)
    delineation_keys = tie_break_keys(delineation_ids)[pairs.delineation]
    if pairing is Pairing.HUNGARIAN:
        possible_pairs = np.flatnonzero(scores > 0)
        target_keys = tie_break_keys(target_ids)[pairs.target[possible_pairs]]
        chosen = assign_by_cluster(
            target_keys, delineation_keys[possible_pairs], scores[possible_pairs], progress
        )
        is_assigned[possible_pairs[chosen]] = True
        return is_assigned

    if pairing is Pairing.NEAREST:
        # Several pairs of a target are at the same distance; the lowest score counts.
        possible_pairs = np.arange(len(is_assigned))
        ranks = -rank_equal_scores(scores)
    else:
        possible_pairs = np.flatnonzero(iou > 0)
        ranks = rank_equal_scores(
            iou[possible_pairs] if pairing is Pairing.MAX_IOU else scores[possible_pairs]
        )
    best_pairs = first_rows(delineation_keys[possible_pairs], ranks, pairs.target[possible_pairs])
    is_assigned[possible_pairs[best_pairs]] = True
    return is_assigned


def tie_break_keys(ids: Ints) -> Ints:
    """Return keys that order crowns for breaking ties.

    Saved crowns are ordered by id. Unsaved crowns, with negative ids that fall from one to the
    next, follow in the order in which they were drawn; their order does not change when they are
    saved.

    Args:
        ids: (n,) ids.

    Returns:
        (n,) keys.

    >>> np.array([-2, 7, -3, 5])[np.argsort(tie_break_keys(np.array([-2, 7, -3, 5])))].tolist()
    [5, 7, -2, -3]
    """
    return np.where(ids < 0, np.iinfo(np.int64).max // 2 - ids, ids)


def quantize_scores(score: Floats) -> Floats:
    """Round scores (n,) to whole numbers of steps, so that rounding errors do not distinguish them.

    >>> quantize_scores(np.array([0.1 + 0.2])) == quantize_scores(np.array([0.3]))
    array([ True])
    """
    return cast("Floats", np.rint(score / GAIN_TOLERANCE))


def nearest_target_rows(targets: Crowns, delineations: Crowns) -> Ints:
    """Return the target whose centroid is nearest to each delineation's centroid.

    If both sides have plots, targets of the same plot come first. Ties go to the lowest id.

    Args:
        targets: T targets, at least one.
        delineations: D delineations.

    Returns:
        (D,) row of the nearest target of each delineation.

    >>> trees = Crowns([shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)])
    >>> nearest_target_rows(trees, Crowns([shapely.box(8, 0, 13, 5)])).tolist()
    [1]
    """
    target_points, drawn_points = plot_separated_centroids(targets, delineations)
    return _nearest_lowest_id(drawn_points, target_points, targets.ids)


def plot_separated_centroids(targets: Crowns, delineations: Crowns) -> tuple[Floats, Floats]:
    """Return coordinates in which crowns of different plots are farther apart than of the same.

    Args:
        targets: T targets.
        delineations: D delineations.

    Returns:
        Centroids of the targets and of the delineations, metres: (T, 2) and (D, 2), or if both
        sides have plots, (T, 3) and (D, 3) with a coordinate for the plot. The third coordinates of
        two plots differ by more than any two centroids.

    >>> trees = Crowns([shapely.box(0, 0, 5, 5)])
    >>> [points.tolist() for points in plot_separated_centroids(trees, trees)]
    [[[2.5, 2.5]], [[2.5, 2.5]]]
    """
    target_points = targets.centroids
    drawn_points = delineations.centroids
    if targets.plots is None or delineations.plots is None:
        return target_points, drawn_points
    all_points = np.concatenate([target_points, drawn_points])
    diagonal = np.linalg.norm(np.ptp(all_points, axis=0))
    spacing = 4 * diagonal + 1
    target_code, drawn_code = plot_codes_of_both(targets, delineations)
    return (
        np.column_stack([target_points, target_code * spacing]),
        np.column_stack([drawn_points, drawn_code * spacing]),
    )


def separate_classes(targets: Crowns, delineations: Crowns) -> tuple[Crowns, Crowns]:
    """Return crowns whose plots differ if their classes differ, so that only one class is paired.

    Args:
        targets: crowns to be found, with classes.
        delineations: crowns to be scored, with classes.

    Returns:
        The crowns with a number for each plot and class in place of their plots. Each crown
        without a class has a number of its own, so that it is paired with none.

    Raises:
        InputError: if one of the layers has no classes.

    >>> trees = Crowns([shapely.box(0, 0, 5, 5)] * 2, classes=["oak", None])
    >>> [side.plots.tolist() for side in separate_classes(trees, trees)]
    [[0, -1], [0, -3]]
    """
    target_classes, drawn_classes = class_codes(
        required_classes(targets), required_classes(delineations)
    )
    target_plots, drawn_plots = plot_codes_of_both(targets, delineations)
    # Both sides together, so that equal plots and classes have equal numbers.
    classes = np.concatenate([target_classes, drawn_classes])
    plots = np.concatenate([target_plots, drawn_plots])
    n_classes = int(classes.max(initial=-1)) + 1
    # Crowns without a plot have a negative code; the numbers of plots and classes start at 0.
    plots -= int(plots.min(initial=0))
    numbers = plots * n_classes + classes
    target_numbers, drawn_numbers = np.split(numbers, [len(targets)])
    # Negative numbers, of which no two are equal, are for crowns without a class.
    return (
        _with_class_plots(targets, target_numbers, target_classes, first_free=-1),
        _with_class_plots(delineations, drawn_numbers, drawn_classes, first_free=-1 - len(targets)),
    )


def _with_class_plots(crowns: Crowns, numbers: Ints, classes: Ints, first_free: int) -> Crowns:
    """Return crowns with a number for each plot and class in place of their plots.

    Args:
        crowns: n crowns.
        numbers: (n,) numbers of the plots and classes.
        classes: (n,) codes of the classes; negative for a crown without a class, which gets a
            number of its own.
        first_free: first of these numbers; the others are below it.
    """
    has_no_class = classes < 0
    plots = numbers.copy()
    plots[has_no_class] = first_free - np.arange(np.count_nonzero(has_no_class))
    return Crowns.from_validated(
        geometry=crowns.geometry,
        ids=crowns.ids,
        plots=plots.astype(object),
        name=crowns.name,
        crs=crowns.crs,
    )


def search_radii(targets: Crowns, search_radius: float | None) -> Floats:
    """Return the maximum distance (T,) between each target's and a delineation's centroid, metres.

    Args:
        targets: T crowns.
        search_radius: the distance; None for half the diagonal of each target's bounds.

    >>> search_radii(Crowns([shapely.box(0, 0, 3, 4)]), None).tolist()
    [2.5]
    """
    if search_radius is not None:
        return np.full(len(targets), float(search_radius))
    bounds = shapely.bounds(targets.geometry).reshape(-1, 4)
    widths = bounds[:, 2] - bounds[:, 0]
    heights = bounds[:, 3] - bounds[:, 1]
    return cast("Floats", np.hypot(widths, heights) / 2)


def find_nearest(points: Floats, others: Floats) -> tuple[Ints, Ints]:
    """Find all nearest points of each point.

    Args:
        points: (n, d) coordinates of points in d dimensions.
        others: (m, d) points to search, at least one.

    Returns:
        Row in ``points`` and row in ``others`` of each pair; several pairs of a point if several
        others are at the smallest distance, in any order.

    >>> row, other = find_nearest(np.zeros((1, 2)), np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0]]))
    >>> row.tolist(), sorted(other.tolist())
    ([0, 0], [0, 1])
    """
    tree = scipy.spatial.cKDTree(others, balanced_tree=False, compact_nodes=False)
    n_neighbours = min(2, len(others))
    while True:
        ranks = np.arange(1, n_neighbours + 1)
        distances, candidate_rows = tree.query(points, k=ranks, workers=thread_count())
        is_nearest = distances <= distances[:, :1] * (1 + DISTANCE_TOLERANCE)
        # If the farthest neighbour found is still a nearest one, there may be more of them.
        if n_neighbours == len(others) or not is_nearest[:, -1].any():
            point_rows, neighbour_numbers = np.nonzero(is_nearest)
            return point_rows, candidate_rows[point_rows, neighbour_numbers]
        n_neighbours = min(4 * n_neighbours, len(others))


def _nearest_lowest_id(points: Floats, others: Floats, ids: Ints) -> Ints:
    """Return the row (n,) of the nearest other point of each point; ties go to the lowest id.

    Args:
        points: (n, d) coordinates of points in d dimensions.
        others: (m, d) points to search, at least one.
        ids: (m,) ids of the points to search.
    """
    # Pairs of a point and one of its nearest other points.
    point_rows, other_rows = find_nearest(points, others)
    keys = tie_break_keys(ids)[other_rows]
    return other_rows[first_rows(keys, point_rows)]
