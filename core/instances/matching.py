"""Matching of target and predicted instances with the methods of the literature and of packages.

Sources: Kirillov et al. 2019 (panoptic_segmentation); Xiang et al. 2024 (for_ai_net and
for_ai_net_coverage); Wielgosz et al. 2023 (point2tree); Puliti et al. 2023 (for_instance);
Henrich et al. 2024 (tree_learn); Weinstein et al. 2020 (deepforest, as ``evaluate_boxes`` of
DeepForest 2.1.0); Weigert et al. 2020 (stardist, as ``stardist.matching`` of StarDist 0.9.2).

All methods work on an :class:`~randcrowns.core.instances.overlap.OverlapTable`. Areas are compared
with the tolerance of :mod:`randcrowns.core.thresholds`, numbers of points exactly. Of several
predictions with the same IoU the one with the lowest rank is taken. A prediction that is the
match of several targets belongs to the one with the highest IoU, then with the lowest rank. The
rank of a crown is that of its place, see :mod:`randcrowns.core.tie_ranks`, so that the
order of the crowns changes nothing. The rank of labelled points is their label's.

The methods assume that the instances of one set do not overlap. This holds for labelled points, and
then an IoU above 1/2 is one-to-one by itself. Polygons of one set may overlap. Counts of polygons
therefore use :func:`match_one_to_one`, which matches each instance at most once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Callable, NamedTuple

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, first_rows
from randcrowns.core.instances.matching_inputs import MatchingInputs, as_matching_inputs
from randcrowns.core.instances.overlap import OverlapTable
from randcrowns.core.progress import Progress, no_progress, run_in_thread
from randcrowns.core.statistics import (
    assign_max_gain,
    is_solved_as_table,
    occurs_once,
    select_greedily,
)
from randcrowns.core.status import TextEnum
from randcrowns.core.thresholds import exceeds, rank_equal_scores, reaches
from randcrowns.core.validation import validate_arguments

#: Index of an instance without a match.
NO_MATCH = -1

#: Maximum share of a gain by which equal totals are separated; far above rounding errors.
_TIE_SHARE = 1e-5


class MatchingMethod(TextEnum):
    """A matching method."""

    #: Match each target with its best prediction if their IoU is above 1/2.
    PANOPTIC_SEGMENTATION = "panoptic_segmentation"
    #: Match each target, the tallest first, with its best unmatched prediction, at any overlap.
    POINT2TREE = "point2tree"
    #: As point2tree, if the IoU is at least 1/2.
    FOR_INSTANCE = "for_instance"
    #: Match each target with its best prediction if their IoU is at least 1/2.
    FOR_AI_NET = "for_ai_net"
    #: Match each target with its best prediction at any overlap; targets may share a prediction.
    FOR_AI_NET_COVERAGE = "for_ai_net_coverage"
    #: Take the one-to-one assignment with the largest total IoU, then keep pairs above 1/2.
    TREE_LEARN = "tree_learn"
    #: Take the one-to-one assignment with the largest shared size, then keep pairs above 0.4.
    DEEPFOREST = "deepforest"
    #: Take the one-to-one assignment with the most pairs of at least 1/2, then the largest total.
    STARDIST = "stardist"

    @property
    def definition(self) -> MethodDefinition:
        """Definition of the method."""
        return _DEFINITIONS[self]

    @property
    def uses_heights(self) -> bool:
        """True if the method processes the targets in order of falling height."""
        return self.definition.uses_heights


class Matching(NamedTuple):
    """A matching of T targets and P predictions.

    Attributes:
        prediction: (T,) int64 prediction of each target; :data:`NO_MATCH` without one.
        target: (P,) int64 target of each prediction; :data:`NO_MATCH` without one.
        shared: (T,) float64 size that each target shares with its prediction; 0 without one.
    """

    prediction: Ints
    target: Ints
    shared: Floats


def matched_ids(ids: Ints, match_index: Ints) -> Any:
    """Return the ids of matched instances as a nullable integer array.

    Args:
        ids: (m,) ids of the instances that can be matched.
        match_index: (n,) indices into ``ids``; :data:`NO_MATCH` for no match.

    Returns:
        (n,) pandas ``IntegerArray``; ``pd.NA`` where there is no match.

    >>> matched_ids(np.array([7, 8]), np.array([1, NO_MATCH])).tolist()
    [8, <NA>]
    """
    return pd.arrays.IntegerArray(np.append(ids, 0)[match_index], match_index == NO_MATCH)


@validate_arguments
def match_instances(
    table: OverlapTable,
    method: MatchingMethod | str,
    inputs: MatchingInputs | ArrayLike | None = None,
    progress: Progress = no_progress,
) -> Matching:
    """Match targets with predictions as the method defines it.

    Args:
        table: overlap table of T targets and P predictions.
        method: a :class:`MatchingMethod` or its name.
        inputs: measures that some methods require, see :class:`MatchingInputs`; an array is the
            (T,) heights of the targets. The methods that process the tallest target first require
            heights; targets of equal height are processed in the order of their ranks.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The matching. With overlapping polygons several targets may have the same prediction.

    Raises:
        InputError: if the method is unknown, or required heights are missing, too few or NaN.

    >>> table = OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 1, 1])
    >>> match_instances(table, "panoptic_segmentation").prediction.tolist()
    [0, -1]
    """
    return _match(table, method, inputs, progress, one_to_one=False)


@validate_arguments
def match_one_to_one(
    table: OverlapTable,
    method: MatchingMethod | str,
    inputs: MatchingInputs | ArrayLike | None = None,
    progress: Progress = no_progress,
) -> Matching:
    """Match targets with predictions for counting: each instance at most once.

    The pairs that satisfy the method's rule are taken in order of falling IoU, then of the lowest
    ranks, as panoptic quality (Kirillov et al. 2019) and COCO define it. Labelled points do not
    overlap within one set; for them the result is that of :func:`match_instances`.

    Args:
        table: overlap table of T targets and P predictions.
        method: a :class:`MatchingMethod` or its name.
        inputs: measures that some methods require, see :func:`match_instances`.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The matching.

    Raises:
        InputError: if the method is unknown, or required heights are missing, too few or NaN.

    >>> size, shared = np.array([10.0, 10.0]), np.array([9.0, 8.0])
    >>> table = OverlapTable(np.array([0, 1]), np.array([0, 0]), shared, size, size[:1])
    >>> match_instances(table, "for_ai_net").prediction.tolist()
    [0, 0]
    >>> match_one_to_one(table, "for_ai_net").prediction.tolist()
    [0, -1]
    """
    return _match(table, method, inputs, progress, one_to_one=not table.counts_points)


def _match(
    table: OverlapTable,
    method: MatchingMethod | str,
    inputs: MatchingInputs | ArrayLike | None,
    progress: Progress,
    one_to_one: bool,
) -> Matching:
    """Match targets and predictions.

    Args:
        table: overlap table of T targets and P predictions.
        method: the matching method or its name.
        inputs: measures that some methods require, or the (T,) heights of the targets.
        progress: receives the fraction done; may raise to cancel.
        one_to_one: True to match each instance at most once.

    Raises:
        InputError: if the method is unknown, or a required measure is missing.
    """
    definition = MatchingMethod.from_value(method, "matching method").definition
    measures = as_matching_inputs(inputs)
    if definition.uses_heights:
        measures = replace(measures, heights=measures.target_heights(len(table.target_size)))
    if one_to_one and not definition.is_assignment:
        match = partial(_match_contested, table, definition, measures)
    else:
        match = partial(_match_by_rank, table, definition, measures, one_to_one=one_to_one)
    # Pairs are sorted several times, which takes seconds for millions of them.
    return run_in_thread(match, progress)


def _match_contested(
    table: OverlapTable,
    definition: MethodDefinition,
    inputs: MatchingInputs,
    progress: Progress,
) -> Matching:
    """Match each instance at most once; only pairs that exclude one another are ranked.

    A pair at the threshold, whose instances are in no other such pair, is a match in any order.

    Args:
        table: overlap table of T targets and P predictions.
        definition: the matching method, which takes pairs one after another.
        inputs: measures that some methods require.
        progress: receives the fraction done; may raise to cancel.
    """
    is_reaching = _reaches_threshold(definition, table.iou_for_threshold, table.counts_points)
    reaching_pairs = np.flatnonzero(is_reaching)
    is_free = occurs_once(table.target[reaching_pairs])
    is_free &= occurs_once(table.prediction[reaching_pairs])
    free_pairs = reaching_pairs[is_free]
    n_targets = len(table.target_size)
    n_predictions = len(table.prediction_size)
    matching = Matching(
        prediction=np.full(n_targets, NO_MATCH, dtype=np.int64),
        target=np.full(n_predictions, NO_MATCH, dtype=np.int64),
        shared=np.zeros(n_targets),
    )
    free_targets = table.target[free_pairs]
    free_predictions = table.prediction[free_pairs]
    matching.prediction[free_targets] = free_predictions
    matching.target[free_predictions] = free_targets
    matching.shared[free_targets] = table.shared[free_pairs]

    contested = table.select_pairs(reaching_pairs[~is_free])
    target_rows = np.unique(contested.target)
    prediction_rows = np.unique(contested.prediction)
    contested_matching = _match_by_rank(
        contested.select_instances(target_rows, prediction_rows),
        definition,
        _inputs_of_targets(inputs, definition, table, target_rows),
        progress,
        one_to_one=True,
    )
    _write_matching(matching, contested_matching, target_rows, prediction_rows)
    return matching


def _inputs_of_targets(
    inputs: MatchingInputs, definition: MethodDefinition, table: OverlapTable, target_rows: Ints
) -> MatchingInputs:
    """Return the measures of the targets in ``target_rows``, in that order.

    Args:
        inputs: measures of all targets.
        definition: the matching method; without heights the measures are returned unchanged.
        table: overlap table of all targets.
        target_rows: rows of the targets.
    """
    if not definition.uses_heights:
        return inputs
    heights = inputs.target_heights(len(table.target_size))
    return replace(inputs, heights=heights[target_rows])


def _write_matching(
    matching: Matching, part: Matching, target_rows: Ints, prediction_rows: Ints
) -> None:
    """Write the matches of some instances, renumbered from 0, into a matching of all instances.

    Args:
        matching: matching of all instances, which is changed in place.
        part: matching of t targets and p predictions.
        target_rows: (t,) rows of these targets among all targets.
        prediction_rows: (p,) rows of these predictions among all predictions.
    """
    # The index NO_MATCH reads the appended last entry.
    matching.prediction[target_rows] = np.append(prediction_rows, NO_MATCH)[part.prediction]
    matching.target[prediction_rows] = np.append(target_rows, NO_MATCH)[part.target]
    matching.shared[target_rows] = part.shared


def _match_by_rank(
    table: OverlapTable,
    definition: MethodDefinition,
    inputs: MatchingInputs,
    progress: Progress,
    one_to_one: bool,
) -> Matching:
    """Match targets and predictions; the lowest rank breaks ties. See :func:`_match`.

    Args:
        table: overlap table of T targets and P predictions; without ranks the index breaks ties.
        definition: the matching method.
        inputs: measures that some methods require.
        progress: receives the fraction done; may raise to cancel.
        one_to_one: True to match each instance at most once.
    """
    if table.target_rank is None or table.prediction_rank is None:
        return _match_by_index(table, definition, inputs, progress, one_to_one)
    target_rows = np.argsort(table.target_rank)
    prediction_rows = np.argsort(table.prediction_rank)
    ranked_matching = _match_by_index(
        table.select_instances(target_rows, prediction_rows),
        definition,
        _inputs_of_targets(inputs, definition, table, target_rows),
        progress,
        one_to_one=one_to_one,
    )
    matching = Matching(
        prediction=np.empty_like(ranked_matching.prediction),
        target=np.empty_like(ranked_matching.target),
        shared=np.empty_like(ranked_matching.shared),
    )
    _write_matching(matching, ranked_matching, target_rows, prediction_rows)
    return matching


def _match_by_index(
    table: OverlapTable,
    definition: MethodDefinition,
    inputs: MatchingInputs,
    progress: Progress,
    one_to_one: bool,
) -> Matching:
    """Match targets and predictions; the lowest index breaks ties. See :func:`_match`.

    Args:
        table: overlap table of T targets and P predictions.
        definition: the matching method.
        inputs: measures that some methods require.
        progress: receives the fraction done; may raise to cancel.
        one_to_one: True to match each instance at most once.
    """
    iou = table.iou_for_threshold
    candidates = _Candidates(
        table=table,
        definition=definition,
        inputs=inputs,
        iou=iou,
        # Counted points have no rounding errors to ignore.
        iou_rank=-iou if table.counts_points else rank_equal_scores(iou),
        reaches_threshold=_reaches_threshold(definition, iou, table.counts_points),
        one_to_one=one_to_one,
        progress=progress,
    )
    return _to_matching(table, definition.select(candidates), candidates.iou_rank)


@dataclass(frozen=True, eq=False)
class _Candidates:
    """The n pairs of an overlap table, from which a method selects the matches.

    Attributes:
        table: overlap table of n pairs.
        definition: definition of the method.
        inputs: measures that some methods require.
        iou: (n,) IoU of the pairs.
        iou_rank: (n,) rank of the IoU, the highest IoU first; equal for equal IoU.
        reaches_threshold: (n,) True for pairs that reach the method's threshold.
        one_to_one: True to match each instance at most once.
        progress: receives the fraction done; may raise to cancel.
    """

    table: OverlapTable
    definition: MethodDefinition
    inputs: MatchingInputs
    iou: Floats
    iou_rank: Ints | Floats
    reaches_threshold: Bools
    one_to_one: bool
    progress: Progress

    def select_in_order(self, rows: Ints) -> Ints:
        """Return the rows of matches if pairs are taken in the order of ``rows``.

        A pair is a match if it reaches the threshold, and if no pair before it has the same target
        or prediction.
        """
        reaching = self.drop_below_threshold(rows)
        targets = self.table.target[reaching]
        predictions = self.table.prediction[reaching]
        return reaching[select_greedily(targets, predictions)]

    def drop_below_threshold(self, rows: Ints) -> Ints:
        """Return the rows of the pairs that reach the threshold, in their order."""
        reaching: Ints = rows[self.reaches_threshold[rows]]
        return reaching


@dataclass(frozen=True)
class MethodDefinition:
    """Definition of a matching method.

    Attributes:
        select: function that returns the rows of the matches among the candidate pairs.
        threshold: IoU that a match requires; 0 for any overlap.
        is_exclusive: True if the IoU must be above the threshold, False if it may be equal.
        uses_heights: True if the method requires the heights of the targets.
        is_assignment: True if the method weighs all pairs, also those below the threshold.
    """

    select: Callable[[_Candidates], Ints]
    threshold: float = 0.0
    is_exclusive: bool = False
    uses_heights: bool = False
    is_assignment: bool = False


def _reaches_threshold(definition: MethodDefinition, iou: Floats, counts_points: bool) -> Bools:
    """Return the mask (n,) of the pairs that reach the method's threshold.

    Args:
        definition: definition of the method.
        iou: (n,) IoU of the pairs.
        counts_points: True if the IoU is that of counted points.
    """
    threshold = definition.threshold
    if threshold == 0:
        return np.ones(len(iou), dtype=bool)
    # Points are compared without a tolerance if single precision, the type of their IoU,
    # represents the threshold exactly, as 1/2.
    is_exact = counts_points and float(np.float32(threshold)) == threshold
    is_reached: Bools
    if definition.is_exclusive:
        is_reached = iou > threshold if is_exact else exceeds(iou, threshold)
    else:
        is_reached = iou >= threshold if is_exact else reaches(iou, threshold)
    return is_reached


def _select_best(candidates: _Candidates) -> Ints:
    """Return the rows of the best pair of each target; for one to one, take the best pair first."""
    table = candidates.table
    if candidates.one_to_one:
        rows = np.flatnonzero(candidates.reaches_threshold)
        keys = (table.target, table.prediction, candidates.iou_rank)
        order = np.lexsort([key[rows] for key in keys])
        return candidates.select_in_order(rows[order])
    return candidates.drop_below_threshold(
        first_rows(table.prediction, candidates.iou_rank, table.target)
    )


def _select_tallest_first(candidates: _Candidates) -> Ints:
    """Return the rows of the best unmatched pair of each target, the tallest target first."""
    table = candidates.table
    falling_height = -candidates.inputs.target_heights(len(table.target_size))[table.target]
    order = np.lexsort((table.prediction, candidates.iou_rank, table.target, falling_height))
    return candidates.select_in_order(order)


def _assign_by_iou(candidates: _Candidates) -> Ints:
    """Return the rows of the assignment with the largest total IoU, as TreeLearn's."""
    return _assign_all(candidates, candidates.iou, has_prediction_rows=True)


def _assign_by_shared_size(candidates: _Candidates) -> Ints:
    """Return the rows of the assignment with the largest total shared size, as DeepForest's."""
    # Division by a power of two changes no digit, so that equal totals stay equal.
    shared = candidates.table.shared
    _, exponent = np.frexp(shared.max(initial=1.0))
    return _assign_all(candidates, np.ldexp(shared, -exponent))


def _assign_by_count(candidates: _Candidates) -> Ints:
    """Return the rows of the assignment with the most pairs at the threshold, as StarDist's.

    Of several such assignments, the one with the largest total IoU is taken. The gain of a pair is
    (count + IoU / 2m) / 2, in which m is the largest possible number of pairs, so that the IoU of
    all pairs together weighs less than one pair.
    """
    table = candidates.table
    shape = (len(table.target_size), len(table.prediction_size))
    max_pairs = min(shape)
    if not is_solved_as_table(shape):
        # Clusters are solved with rounded gains; a small m keeps the digits of the IoU.
        max_pairs = _max_pairs_of_cluster(table)
    count = candidates.reaches_threshold.astype(np.float64)
    # As in stardist, IoU in single precision is divided in single precision.
    iou_share = candidates.iou / (2 * max(max_pairs, 1))
    return _assign_all(candidates, gain=(count + iou_share) / 2)


def _assign_all(candidates: _Candidates, gain: Floats, has_prediction_rows: bool = False) -> Ints:
    """Return the rows of the one-to-one assignment with the largest total gain.

    Pairs below the threshold are excluded after the assignment. Of several assignments with the
    same total, small tables of counted points give that of the original package, which solves a
    table of the same orientation.

    Args:
        candidates: the n pairs.
        gain: (n,) gains of the pairs.
        has_prediction_rows: True if the rows of the original package's table are predictions.
    """
    table = candidates.table
    distinct_gain = gain
    if not table.counts_points:
        distinct_gain = _separate_ties(gain, table.target, table.prediction)
    n_targets = len(table.target_size)
    n_predictions = len(table.prediction_size)
    if has_prediction_rows:
        sides = (table.prediction, table.target)
        shape = (n_predictions, n_targets)
    else:
        sides = (table.target, table.prediction)
        shape = (n_targets, n_predictions)
    pairs = assign_max_gain(*sides, distinct_gain, shape, candidates.progress)
    return candidates.drop_below_threshold(pairs)


def _separate_ties(gain: Floats, target: Ints, prediction: Ints) -> Floats:
    """Return gains (n,) of pairs without equal totals, so that rounding errors decide nothing.

    Coordinates of polygons are rounded, so that totals that are equal on one map differ by rounding
    errors on another one. Each gain becomes smaller by a share of up to :data:`_TIE_SHARE`, which
    depends on the numbers of its target and prediction.

    Args:
        gain: (n,) gains above 0.
        target: (n,) number of the target of each pair.
        prediction: (n,) number of the prediction of each pair.
    """
    # Products with large primes, mixed bit by bit, have no pattern that cancels in a sum.
    pair_codes = (target * 73_856_093) ^ (prediction * 19_349_663)
    mixed_codes = pair_codes * 2_654_435_761
    # The middle 16 bits become a number from 0 to below 1.
    middle_bits = (mixed_codes >> 16) & 0xFFFF
    return gain * (1 - _TIE_SHARE * middle_bits / 0x10000)


def _max_pairs_of_cluster(table: OverlapTable) -> int:
    """Return the largest possible number of matched pairs within one cluster of overlaps."""
    # The nodes of the graph are the targets, then the predictions.
    n_targets = len(table.target_size)
    n_nodes = n_targets + len(table.prediction_size)
    links = (table.target, n_targets + table.prediction)
    graph = scipy.sparse.coo_matrix(
        (np.ones(len(table.target), np.int8), links), (n_nodes, n_nodes)
    )
    n_clusters, cluster_of_node = scipy.sparse.csgraph.connected_components(graph, directed=False)
    n_targets_per_cluster = np.bincount(cluster_of_node[:n_targets], minlength=n_clusters)
    n_predictions_per_cluster = np.bincount(cluster_of_node[n_targets:], minlength=n_clusters)
    return int(np.minimum(n_targets_per_cluster, n_predictions_per_cluster).max(initial=0))


#: Definition of each matching method.
_DEFINITIONS: Mapping[MatchingMethod, MethodDefinition] = {
    MatchingMethod.PANOPTIC_SEGMENTATION: MethodDefinition(
        _select_best, threshold=0.5, is_exclusive=True
    ),
    MatchingMethod.POINT2TREE: MethodDefinition(_select_tallest_first, uses_heights=True),
    MatchingMethod.FOR_INSTANCE: MethodDefinition(
        _select_tallest_first, threshold=0.5, uses_heights=True
    ),
    MatchingMethod.FOR_AI_NET: MethodDefinition(_select_best, threshold=0.5),
    MatchingMethod.FOR_AI_NET_COVERAGE: MethodDefinition(_select_best),
    MatchingMethod.TREE_LEARN: MethodDefinition(
        _assign_by_iou, threshold=0.5, is_exclusive=True, is_assignment=True
    ),
    # The threshold is the default of DeepForest's ``evaluate_boxes``.
    MatchingMethod.DEEPFOREST: MethodDefinition(
        _assign_by_shared_size, threshold=0.4, is_exclusive=True, is_assignment=True
    ),
    MatchingMethod.STARDIST: MethodDefinition(_assign_by_count, threshold=0.5, is_assignment=True),
}


def _to_matching(table: OverlapTable, rows: Ints, iou_rank: Ints | Floats) -> Matching:
    """Return the matching of some pairs.

    Args:
        table: overlap table of n pairs.
        rows: (m,) rows of the matched pairs; each target occurs at most once.
        iou_rank: (n,) rank of the IoU of all pairs, the highest IoU first. A prediction of several
            targets gets the one with the highest IoU.
    """
    matched_targets = table.target[rows]
    prediction_of_target = np.full(len(table.target_size), NO_MATCH, dtype=np.int64)
    prediction_of_target[matched_targets] = table.prediction[rows]
    shared = np.zeros(len(table.target_size))
    shared[matched_targets] = table.shared[rows]

    # The last assignment stands, so the best pair of each prediction comes last.
    best_last = rows[np.lexsort((-matched_targets, -iou_rank[rows]))]
    target_of_prediction = np.full(len(table.prediction_size), NO_MATCH, dtype=np.int64)
    target_of_prediction[table.prediction[best_last]] = table.target[best_last]
    return Matching(prediction_of_target, target_of_prediction, shared)


class MatchStatus(TextEnum):
    """The result of matching for one target or prediction."""

    #: A matched target or prediction.
    TRUE_POSITIVE = "true_positive"
    #: An unmatched target.
    FALSE_NEGATIVE = "false_negative"
    #: An unmatched prediction.
    FALSE_POSITIVE = "false_positive"
    #: An unmatched prediction that is too low or has too few labelled points to be judged.
    UNCERTAIN = "uncertain"
    #: An unmatched prediction where only some of the crowns were drawn as targets.
    NOT_JUDGED = "not_judged"
    #: A feature without a usable geometry.
    NO_GEOMETRY = "no_geometry"


def target_status(matching: Matching) -> Objects:
    """Return the (T,) status of each target as text, see :class:`MatchStatus`.

    >>> matching = Matching(np.array([0, NO_MATCH]), np.array([0]), np.array([2.0, 0.0]))
    >>> target_status(matching).tolist()
    ['true_positive', 'false_negative']
    """
    return _status(matching.prediction != NO_MATCH, MatchStatus.FALSE_NEGATIVE)


def prediction_status(
    matching: Matching, uncertain: Bools | None = None, all_drawn: bool = True
) -> Objects:
    """Return the status of each prediction, see :class:`MatchStatus`.

    Args:
        matching: matching of T targets and P predictions.
        uncertain: (P,) mask of the predictions that are uncertain if they are unmatched.
        all_drawn: False if only some of the crowns were drawn as targets. Unmatched predictions
            are then not judged.

    Returns:
        (P,) values of :class:`MatchStatus`, as text.

    >>> matching = Matching(np.array([0]), np.array([0, NO_MATCH]), np.array([2.0]))
    >>> prediction_status(matching).tolist()
    ['true_positive', 'false_positive']
    """
    is_matched = matching.target != NO_MATCH
    unmatched = MatchStatus.FALSE_POSITIVE if all_drawn else MatchStatus.NOT_JUDGED
    status = _status(is_matched, unmatched)
    if uncertain is not None:
        status[uncertain & ~is_matched] = MatchStatus.UNCERTAIN.value
    return status


def _status(is_matched: Bools, unmatched: MatchStatus) -> Objects:
    """Return (n,) texts: true positive where matched, the status ``unmatched`` elsewhere."""
    return np.where(is_matched, MatchStatus.TRUE_POSITIVE.value, unmatched.value).astype(object)
