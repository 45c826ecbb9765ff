"""Overlap tables of crowns in one spot, with the largest overlaps of each crown only."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from randcrowns.core.arrays import Bools, Floats, Ints, split_range
from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress

#: Number of overlaps that are kept of each crown.
KEPT_OVERLAPS = 50
#: Maximum number of pairs in a block of targets.
_BLOCK_PAIRS = 500_000
#: Number of pairs from which on those are dropped that are not among the largest.
_MAX_COLLECTED = 4_000_000


def largest_overlaps(
    targets: Crowns,
    predictions: Crowns,
    n_kept: int = KEPT_OVERLAPS,
    progress: Progress = no_progress,
) -> OverlapTable:
    """Return the overlap table with the pairs of the highest IoU of each crown.

    The areas are computed in blocks of targets, so that memory does not depend on the number of
    pairs. A pair is kept if its IoU is among the highest of its target or of its prediction.

    Args:
        targets: T reference crowns.
        predictions: P predicted crowns in the same coordinate system.
        n_kept: number of pairs that are kept of each crown; equal IoU are kept in the order of the
            other crowns.
        progress: receives the fraction done; may raise to cancel.

    >>> import shapely
    >>> squares = Crowns(shapely.box(0, 0, [4, 3, 2], 4))
    >>> largest_overlaps(squares.subset(np.array([0])), squares, n_kept=2).prediction.tolist()
    [0, 1, 2]
    >>> largest_overlaps(squares, squares, n_kept=1).prediction.tolist()
    [0, 1, 2]
    """
    # A block has at least one target, even if that has very many predictions.
    targets_per_block = max(1, _BLOCK_PAIRS // max(1, len(predictions)))
    blocks = list(split_range(len(targets), targets_per_block))
    collected = _no_pairs(targets, predictions)
    for rows, report_progress in iterate_with_progress(blocks, progress):
        block_targets = targets.subset(np.arange(rows.start, rows.stop))
        overlap = polygon_overlap(block_targets, predictions, report_progress)
        collected = replace(
            collected,
            target=np.concatenate([collected.target, overlap.target + rows.start]),
            prediction=np.concatenate([collected.prediction, overlap.prediction]),
            shared=np.concatenate([collected.shared, overlap.shared]),
        )
        if len(collected.target) > _MAX_COLLECTED:
            collected = _keep_largest(collected, n_kept)
    return _keep_largest(collected, n_kept)


def _no_pairs(targets: Crowns, predictions: Crowns) -> OverlapTable:
    """Return an overlap table with all instances and without pairs."""
    no_rows = np.arange(0)
    nothing = polygon_overlap(targets.subset(no_rows), predictions.subset(no_rows))
    return replace(nothing, target_size=targets.areas, prediction_size=predictions.areas)


def _keep_largest(table: OverlapTable, n_kept: int) -> OverlapTable:
    """Return the table with the pairs that are among the best of their target or prediction."""
    is_kept = _are_best(table.target, table.prediction, table.iou, n_kept)
    is_kept |= _are_best(table.prediction, table.target, table.iou, n_kept)
    return table.select_pairs(is_kept)


def _are_best(crown: Ints, other: Ints, iou: Floats, n_kept: int) -> Bools:
    """Return a mask (n,) of the pairs with the highest IoU of each crown.

    Args:
        crown: (n,) crown of each pair.
        other: (n,) the other crown; the lower number comes first if IoU are equal.
        iou: (n,) IoU of the pairs.
        n_kept: number of pairs of each crown.
    """
    order = np.lexsort((other, -iou, crown))
    sorted_crowns = crown[order]
    # Rank of each pair among those of its crown, which begin at the first position.
    first_position = np.searchsorted(sorted_crowns, sorted_crowns)
    rank = np.arange(len(order)) - first_position
    best_pairs = order[rank < n_kept]
    is_best = np.zeros(len(order), dtype=bool)
    is_best[best_pairs] = True
    return is_best
