"""Which predicted instance is which target: the six matching methods of the literature, on the overlap table.

Sources: Kirillov et al. 2019 (panoptic_segmentation); Xiang et al. 2024 (for_ai_net, for_ai_net_coverage); Wielgosz et
al. 2023 (point2tree); Puliti et al. 2023 (for_instance); Henrich et al. 2024 (tree_learn).

Everywhere, of several predictions with the same IoU the one with the lowest index is taken, and a prediction that
several targets claim belongs to the target with the highest IoU, then the lowest index.

The methods assume that instances of one set do not overlap, as labelled points do not: an IoU above 1/2 is then one to
one by itself. Polygons of one set do overlap, so what counts them (:func:`match_once`) takes each of them once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, first_of_each
from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared
from randcrowns.core.instances.overlap import OverlapTable
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.statistics import first_come, largest_total
from randcrowns.core.status import Term

#: In place of an index: matched with nothing.
NONE = -1

_HALF = 0.5


class Method(Term):
    """How targets get their prediction."""

    #: Each target's best prediction, if their IoU is above 1/2.
    PANOPTIC_SEGMENTATION = "panoptic_segmentation"
    #: The tallest target first takes the best prediction that is still free, at any overlap.
    POINT2TREE = "point2tree"
    #: As point2tree, if the IoU is at least 1/2.
    FOR_INSTANCE = "for_instance"
    #: Each target's best prediction, if their IoU is at least 1/2.
    FOR_AI_NET = "for_ai_net"
    #: Each target's best prediction at any overlap; one prediction may serve several targets.
    FOR_AI_NET_COVERAGE = "for_ai_net_coverage"
    #: The one-to-one assignment with the largest total IoU, of which pairs above 1/2 are kept.
    TREE_LEARN = "tree_learn"

    @property
    def by_height(self) -> bool:
        """Whether the targets' heights decide."""
        return self in (Method.POINT2TREE, Method.FOR_INSTANCE)


class Matching(NamedTuple):
    """Who was matched with whom, by index.

    Attributes:
        prediction: (T,) int64 prediction of each target, :data:`NONE` where it has none.
        target: (P,) int64 target of each prediction, :data:`NONE` where it has none.
        shared: (T,) float64 size that each target shares with its prediction, 0 without one.
    """

    prediction: Ints
    target: Ints
    shared: Floats


def matched_ids(ids: Ints, match: Ints) -> Any:
    """(n,) ids of what was matched, missing where ``match``, (n,) indices into ``ids``, is :data:`NONE`.

    >>> matched_ids(np.array([7, 8]), np.array([1, NONE])).tolist()
    [8, <NA>]
    """
    return pd.arrays.IntegerArray(np.append(ids, 0)[match], match == NONE)


@as_declared
def match(
    table: OverlapTable,
    method: Method | str,
    heights: ArrayLike | None = None,
    progress: Progress = no_progress,
) -> Matching:
    """Match targets with predictions.

    Args:
        method: one of :class:`Method`, or its name.
        heights: (T,) heights of the targets, for the two methods that take the tallest target first; targets of one
            height go in the order of their index.

    Raises:
        InputError: for an unknown method, or heights that are needed but missing, too few or NaN.

    >>> table = OverlapTable.from_labels([0, 0, 0, 1], [0, 0, 1, 1])
    >>> match(table, "panoptic_segmentation").prediction.tolist()
    [0, -1]
    """
    return _matched(table, method, heights, progress, once=False)


@as_declared
def match_once(
    table: OverlapTable,
    method: Method | str,
    heights: ArrayLike | None = None,
    progress: Progress = no_progress,
) -> Matching:
    """Match targets with predictions for counting them: every instance at most once, polygons too.

    Of the pairs that satisfy the method's rule those of the highest IoU come first, then those of the lowest index, as
    panoptic quality (Kirillov et al. 2019) and COCO mean it. Of points it is :func:`match`, whose arguments it has.

    >>> shared, size = np.array([9.0, 8.0]), np.array([10.0, 10.0])
    >>> table = OverlapTable(np.array([0, 1]), np.array([0, 0]), shared, size, size[:1])
    >>> match(table, "for_ai_net").prediction.tolist(), match_once(table, "for_ai_net").prediction.tolist()
    ([0, 0], [0, -1])
    """
    return _matched(table, method, heights, progress, once=not table.in_points)


def _suffices(method: Method, iou: Floats) -> Bools:
    """Which IoU the method keeps."""
    if method in (Method.PANOPTIC_SEGMENTATION, Method.TREE_LEARN):
        return iou > _HALF
    return iou >= (_HALF if method in (Method.FOR_INSTANCE, Method.FOR_AI_NET) else 0)


def _matched(
    table: OverlapTable,
    method: Method | str,
    heights: ArrayLike | None,
    progress: Progress,
    once: bool,
) -> Matching:
    """The pairs in the method's order, of these what suffices, and where it goes one by one what is free then."""
    method, iou = Method.named(method, "matching method"), table.compared_iou
    if method is Method.TREE_LEARN:
        n_instances = len(table.prediction_size), len(table.target_size)
        rows = largest_total(table.prediction, table.target, iou, n_instances, progress)
    elif method.by_height:
        tall = _checked_heights(heights, len(table.target_size))
        rows = np.lexsort((table.prediction, -iou, table.target, -tall[table.target]))
    elif once:
        rows = np.lexsort((table.target, table.prediction, -iou))
    else:
        rows = first_of_each(table.prediction, -iou, table.target)
    rows = rows[_suffices(method, iou[rows])]
    if method.by_height or once:
        rows = rows[first_come(table.target[rows], table.prediction[rows])]
    return _matching(table, rows, iou)


def _checked_heights(heights: ArrayLike | None, n_targets: int) -> Floats:
    if heights is None:
        raise InputError(
            "This matching method takes the tallest target first, so it needs the targets' heights."
        )
    values = np.asarray(heights)
    if not np.issubdtype(values.dtype, np.floating):
        values = values.astype(np.float64)
    if values.shape != (n_targets,):
        said = "There must be one height per target ({n_targets}); there are {heights}."
        raise InputError(said, n_targets=n_targets, heights=values.size)
    if np.isnan(values).any():
        first = int(np.flatnonzero(np.isnan(values))[0])
        raise InputError(
            "Every target needs a height; that of target number {number} is missing.",
            number=first + 1,
        )
    return values


def _matching(table: OverlapTable, rows: Ints, iou: Floats) -> Matching:
    """The matching in which every target of ``rows`` has the prediction of that row."""
    prediction = np.full(len(table.target_size), NONE, dtype=np.int64)
    prediction[table.target[rows]] = table.prediction[rows]
    shared = np.zeros(len(table.target_size))
    shared[table.target[rows]] = table.shared[rows]
    target = np.full(len(table.prediction_size), NONE, dtype=np.int64)
    best_last = rows[np.lexsort((-table.target[rows], iou[rows]))]
    target[table.prediction[best_last]] = table.target[best_last]
    return Matching(prediction, target, shared)


class MatchStatus(Term):
    """Of a target or a prediction."""

    #: Matched: a target that was found, a prediction that found one.
    TRUE_POSITIVE = "true_positive"
    #: A target that was not found.
    FALSE_NEGATIVE = "false_negative"
    #: A prediction that found nothing.
    FALSE_POSITIVE = "false_positive"
    #: A prediction that found nothing, where that had better not count.
    UNCERTAIN = "uncertain"
    #: A prediction that found nothing, where only some crowns were drawn as targets.
    NOT_JUDGED = "not_judged"
    #: A feature without a usable outline.
    NO_GEOMETRY = "no_geometry"


def target_status(matching: Matching) -> Objects:
    """(T,) status of each target, as text."""
    return _chosen(matching.prediction != NONE, MatchStatus.FALSE_NEGATIVE)


def prediction_status(
    matching: Matching, uncertain: Bools | None = None, all_drawn: bool = True
) -> Objects:
    """(P,) status of each prediction, as text; of those unmatched, ``uncertain`` (P,) ones are no mistake.

    Unless all crowns were drawn the others are not judged.
    """
    matched = matching.target != NONE
    status = _chosen(matched, MatchStatus.FALSE_POSITIVE if all_drawn else MatchStatus.NOT_JUDGED)
    if uncertain is not None:
        status[uncertain & ~matched] = MatchStatus.UNCERTAIN.value
    return status


def _chosen(matched: Bools, otherwise: MatchStatus) -> Objects:
    return np.where(matched, MatchStatus.TRUE_POSITIVE.value, otherwise.value).astype(object)
