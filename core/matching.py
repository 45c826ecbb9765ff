"""Which predicted instance is which target: the six matching methods of the literature, on the overlap table.

Sources: Kirillov et al. 2019 (panoptic_segmentation); Xiang et al. 2024 (for_ai_net, for_ai_net_coverage); Wielgosz et
al. 2023 (point2tree); Puliti et al. 2023 (for_instance); Henrich et al. 2024 (tree_learn).

Everywhere, of several predictions with the same IoU the one with the lowest index is taken, and a prediction that
several targets claim belongs to the target with the highest IoU, then the lowest index.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from randcrowns.core.errors import InputError
from randcrowns.core.overlap import OverlapTable

__all__ = ["NONE", "Matching", "Method", "match"]

Ints = NDArray[np.int64]

#: In place of an index: matched with nothing.
NONE = -1

_HALF = 0.5
# Above this many cells the assignment is solved without a table of all pairs.
_MOST_CELLS = 1 << 22


class Method(str, Enum):
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

    @classmethod
    def named(cls, name: str) -> Method:
        """The method of that name.

        Raises:
            InputError: listing the names there are.
        """
        try:
            return cls(name)
        except ValueError:
            names = ", ".join(method.value for method in cls)
            raise InputError(f"There is no matching method '{name}'; choose one of {names}.") from None


class Matching(NamedTuple):
    """Who was matched with whom, by index.

    Attributes:
        prediction: (T,) int64 prediction of each target, :data:`NONE` where it has none.
        target: (P,) int64 target of each prediction, :data:`NONE` where it has none.
        shared: (T,) float64 size that each target shares with its prediction, 0 without one.
    """

    prediction: Ints
    target: Ints
    shared: NDArray[np.float64]


def match(table: OverlapTable, method: Method | str, heights: ArrayLike | None = None) -> Matching:
    """Match targets with predictions.

    Args:
        table: what they share.
        method: one of :class:`Method`, or its name.
        heights: (T,) heights of the targets, for the two methods that take the tallest target first; targets of one
            height go in the order of their index.

    Raises:
        InputError: for an unknown method, or heights that are needed but missing, too few or NaN.
    """
    method = Method.named(method)
    iou = table.compared_iou
    if method.by_height:
        allowed = iou >= _HALF if method is Method.FOR_INSTANCE else np.ones(len(iou), dtype=bool)
        rows = np.flatnonzero(allowed)
        rows = _first_free(table, rows, iou, _checked_heights(heights, len(table.target_size)))
    elif method is Method.TREE_LEARN:
        rows = _largest_total(table, iou)
        rows = rows[iou[rows] > _HALF]
    else:
        rows = _best_of_each_target(table, iou)
        if method is Method.PANOPTIC_SEGMENTATION:
            rows = rows[iou[rows] > _HALF]
        elif method is Method.FOR_AI_NET:
            rows = rows[iou[rows] >= _HALF]
    return _matching(table, rows, iou)


def _checked_heights(heights: ArrayLike | None, n_targets: int) -> NDArray[np.floating]:
    if heights is None:
        raise InputError("This matching method takes the tallest target first, so it needs the targets' heights.")
    values = np.asarray(heights)
    if not np.issubdtype(values.dtype, np.floating):
        values = values.astype(np.float64)
    if values.shape != (n_targets,):
        raise InputError(f"There must be one height per target ({n_targets}); there are {values.size}.")
    if np.isnan(values).any():
        first = int(np.flatnonzero(np.isnan(values))[0])
        raise InputError(f"Every target needs a height; that of target number {first + 1} is missing.")
    return values


def _best_of_each_target(table: OverlapTable, iou: NDArray[np.floating]) -> Ints:
    """Row of the best prediction of each target that overlaps any."""
    order = np.lexsort((table.prediction, -iou, table.target))
    target = table.target[order]
    return order[np.flatnonzero(np.diff(target, prepend=-1))]


def _first_free(table: OverlapTable, rows: Ints, iou: NDArray[np.floating], heights: NDArray[np.floating]) -> Ints:
    """The rows that are taken when the tallest target chooses first, then the next, among predictions still free."""
    place = np.empty(len(heights), dtype=np.int64)
    place[np.argsort(-heights, kind="stable")] = np.arange(len(heights))
    rows = rows[np.lexsort((table.prediction[rows], -iou[rows], place[table.target[rows]]))]
    served: set[int] = set()
    given: set[int] = set()
    taken = []
    for row, target, prediction in zip(rows.tolist(), table.target[rows].tolist(), table.prediction[rows].tolist()):
        if target not in served and prediction not in given:
            served.add(target)
            given.add(prediction)
            taken.append(row)
    return np.array(taken, dtype=np.int64)


def _largest_total(table: OverlapTable, iou: NDArray[np.floating]) -> Ints:
    """Rows of the one-to-one assignment with the largest total IoU."""
    n_targets, n_predictions = len(table.target_size), len(table.prediction_size)
    if n_targets * n_predictions > _MOST_CELLS:
        return _largest_total_sparse(table, iou)
    gain = np.zeros((n_predictions, n_targets), dtype=iou.dtype)
    gain[table.prediction, table.target] = iou
    row = np.full(gain.shape, NONE, dtype=np.int64)
    row[table.prediction, table.target] = np.arange(len(iou))
    chosen = row[linear_sum_assignment(gain, maximize=True)]
    return np.sort(chosen[chosen != NONE])


def _largest_total_sparse(table: OverlapTable, iou: NDArray[np.floating]) -> Ints:
    """The same from the pairs that overlap; each target may also have a prediction of its own that adds nothing."""
    n_targets, n_predictions = len(table.target_size), len(table.prediction_size)
    targets = np.arange(n_targets)
    # Every target is in one pair, so that one more for every pair changes nothing; a gain of 0 would be no pair.
    gain = coo_matrix(
        (
            np.concatenate([1 + iou.astype(np.float64), np.ones(n_targets)]),
            (np.append(table.target, targets), np.append(table.prediction, n_predictions + targets)),
        ),
        shape=(n_targets, n_predictions + n_targets),
    ).tocsr()
    target, prediction = min_weight_full_bipartite_matching(gain, maximize=True)
    wanted = np.full(n_targets, NONE, dtype=np.int64)
    wanted[target] = prediction
    return np.flatnonzero(wanted[table.target] == table.prediction)


def _matching(table: OverlapTable, rows: Ints, iou: NDArray[np.floating]) -> Matching:
    """The matching in which every target of ``rows`` has the prediction of that row."""
    prediction = np.full(len(table.target_size), NONE, dtype=np.int64)
    prediction[table.target[rows]] = table.prediction[rows]
    shared = np.zeros(len(table.target_size))
    shared[table.target[rows]] = table.shared[rows]
    target = np.full(len(table.prediction_size), NONE, dtype=np.int64)
    best_last = rows[np.lexsort((-table.target[rows], iou[rows]))]
    target[table.prediction[best_last]] = table.target[best_last]
    return Matching(prediction, target, shared)
