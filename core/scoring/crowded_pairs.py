"""Candidate pairs of layers with many crowns in one spot, where each crown overlaps all others.

The scores of all candidate pairs of such layers do not fit into memory. The pairs are therefore
scored in blocks of targets, and only those that the pairing method can assign are kept. The scores
are the same as those of all pairs at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from randcrowns.core.arrays import Floats, Ints, Objects, split_range
from randcrowns.core.crowns import Crowns
from randcrowns.core.geometry.areas import MAX_PAIRS, too_many_pairs_error
from randcrowns.core.messages import Message, note
from randcrowns.core.progress import Progress, iterate_with_progress, subprogress
from randcrowns.core.scoring.pairing import (
    Candidates,
    Pairing,
    find_pair_candidates,
    select_assigned,
)
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import compute_offset_table, compute_scores

#: Number of candidate pairs of a layer whose scores are computed at once. The scores of a pair
#: take about 400 bytes.
MAX_SCORED_PAIRS = 2_500_000
#: Maximum number of candidate pairs in a block of targets.
_BLOCK_PAIRS = 500_000


class _ScoredCandidates(NamedTuple):
    """P candidate pairs and the scores that a pairing method compares."""

    pairs: Candidates
    randcrowns: Floats  #: (P,) NaN where a target cannot be scored.
    iou: Floats  #: (P,) NaN where a target cannot be scored.

    def select(self, rows: Ints) -> _ScoredCandidates:
        """Return the pairs in ``rows``."""
        target, delineation, distance = self.pairs
        pairs = Candidates(target[rows], delineation[rows], distance[rows])
        return _ScoredCandidates(pairs, self.randcrowns[rows], self.iou[rows])


def find_assigned_candidates(
    targets: Crowns,
    delineations: Crowns,
    scored_geometry: Objects,
    parameters: RandCrownsParameters,
    pairing: Pairing,
    extent: Any,
    progress: Progress,
) -> Candidates:
    """Return the candidate pairs that a pairing method assigns, working in blocks of targets.

    Args:
        targets: crowns to be found.
        delineations: crowns to be scored.
        scored_geometry: (D,) delineations as they are scored, clipped to the extent.
        parameters: alpha, omega, gamma and the kind of offsets.
        pairing: method whose candidates are the overlapping pairs.
        extent: polygon that every offset is clipped to, or None.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The assigned pairs, sorted by target, then by delineation.

    Raises:
        InputError: if the method compares all pairs at once, and there are too many of them.
    """
    block_length = max(1, _BLOCK_PAIRS // max(1, len(delineations)))
    blocks = list(split_range(len(targets), block_length))
    parts = []
    n_pairs = 0
    for rows, share in iterate_with_progress(blocks, progress):
        part = _score_block(
            targets, rows, delineations, scored_geometry, parameters, pairing, extent, share
        )
        if pairing is Pairing.HUNGARIAN:
            part = part.select(np.flatnonzero(part.randcrowns > 0))
            n_pairs += len(part.iou)
            if n_pairs > MAX_PAIRS:
                raise too_many_pairs_error(MAX_PAIRS)
        else:
            part = _select_pairs(part, pairing, targets, delineations, share)
        parts.append(part)
    candidates = _concatenate_candidates(parts)
    if pairing is Pairing.HUNGARIAN:
        candidates = _select_pairs(candidates, pairing, targets, delineations, progress)
    return candidates.pairs


def _score_block(
    targets: Crowns,
    rows: slice,
    delineations: Crowns,
    scored_geometry: Objects,
    parameters: RandCrownsParameters,
    pairing: Pairing,
    extent: Any,
    progress: Progress,
) -> _ScoredCandidates:
    """Return the scores of all candidate pairs of the targets in ``rows``.

    Args:
        targets: T crowns to be found.
        rows: rows of the targets of the block.
        delineations: D crowns to be scored.
        scored_geometry: (D,) the delineations as they are scored, clipped to the extent.
        parameters: alpha, omega, gamma and the kind of offsets.
        pairing: the pairing method.
        extent: polygon that every offset is clipped to, or None.
        progress: receives the fraction done.

    Returns:
        The pairs, with rows of all targets, and their scores.
    """
    block = targets.subset(np.arange(rows.start, rows.stop))
    pairs = find_pair_candidates(
        block, delineations, pairing, progress=subprogress(progress, 0.0, 0.1)
    )
    table = compute_offset_table(
        block.geometry,
        scored_geometry,
        target=pairs.target,
        delineation=pairs.delineation,
        parameters=parameters,
        extent=extent,
        progress=subprogress(progress, 0.1, 0.9),
    )
    scores = compute_scores(table)
    in_layer = pairs._replace(target=pairs.target + rows.start)
    return _ScoredCandidates(in_layer, scores["randcrowns"], scores["iou"])


def _select_pairs(
    candidates: _ScoredCandidates,
    pairing: Pairing,
    targets: Crowns,
    delineations: Crowns,
    progress: Progress,
) -> _ScoredCandidates:
    """Return the candidate pairs that a pairing method assigns.

    Args:
        candidates: scored pairs to choose from.
        pairing: the pairing method.
        targets: crowns to be found.
        delineations: crowns to be scored.
        progress: receives the fraction done.
    """
    is_assigned = select_assigned(
        candidates.pairs,
        pairing,
        randcrowns=candidates.randcrowns,
        iou=candidates.iou,
        target_ids=targets.ids,
        delineation_ids=delineations.ids,
        progress=progress,
    )
    return candidates.select(np.flatnonzero(is_assigned))


def _concatenate_candidates(parts: Sequence[_ScoredCandidates]) -> _ScoredCandidates:
    """Return the pairs of all parts, one after another."""
    pairs = Candidates(
        np.concatenate([part.pairs.target for part in parts]),
        np.concatenate([part.pairs.delineation for part in parts]),
        np.concatenate([part.pairs.distance for part in parts]),
    )
    randcrowns = np.concatenate([part.randcrowns for part in parts])
    iou = np.concatenate([part.iou for part in parts])
    return _ScoredCandidates(pairs, randcrowns, iou)


def crowded_pairs_message(layer: str) -> Message:
    """Return the message that only assigned pairs of a layer are listed.

    Args:
        layer: name of the layer of delineations.
    """
    return note(
        "pairs.only_assigned",
        "Many crowns lie in one spot: more than {limit:,} pairs of targets and delineations of "
        "layer '{layer}' overlap. The scores are not affected, but only the assigned pairs are "
        "listed. Check the layers for duplicates.",
        limit=MAX_SCORED_PAIRS,
        layer=layer,
    )


def shared_pairs_message(layer: str, count: int, targets: int) -> Message:
    """Return the message that delineations are the pairs of several targets each.

    Args:
        layer: name of the layer of delineations.
        count: number of these delineations.
        targets: number of targets whose pairs they are.
    """
    return note(
        "pairs.shared",
        "{count:,} delineations of layer '{layer}' are each the pair of several targets, "
        "{targets:,} targets in all. The pairing permits this; 'One to one' does not.",
        one="1 delineation of layer '{layer}' is the pair of {targets:,} targets. The pairing "
        "permits this; 'One to one' does not.",
        layer=layer,
        count=count,
        targets=targets,
    )
