"""Delineations that are wrong on purpose, to see whether a set of parameters tells them from right ones.

Zero variance is easy to have: parameters that score everything near one (Stewart et al. 2021, Fig. 3). So each target
also gets delineations that nobody should call right: a neighbouring tree as somebody drew it, and spoiled copies of
itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from randcrowns.core.errors import InputError
from randcrowns.core.shared_crowns import Experiment
from randcrowns.core.warps import resized, shifted

__all__ = ["WRONG_KINDS", "Spoiling", "WrongPairs", "wrong_pairs"]

Ints = NDArray[np.int64]

#: The kinds of wrong delineations, in the order of the rows of :class:`WrongPairs`.
WRONG_KINDS = ("neighbours", "shifted", "shrunk", "grown")


@dataclass(frozen=True)
class Spoiling:
    """How far the spoiled copies are off.

    Attributes:
        shift: shares of the target's width (or height) that it is moved by. 0.75 leaves an IoU of 0.14 with boxes.
        shrink: lengths of the shrunk copy over the target's; 0.5 leaves an IoU of 0.25.
        grow: lengths of the grown copy over the target's; 2 leaves an IoU of 0.25.

    Raises:
        InputError: for a shift that is not above 0, a shrink not between 0 and 1, a grow not above 1.
    """

    shift: float = 0.75
    shrink: float = 0.5
    grow: float = 2.0

    def __post_init__(self) -> None:
        if not (0 < self.shift < np.inf and 0 < self.shrink < 1 < self.grow < np.inf):
            raise InputError(
                "Wrong copies need a shift above 0, a shrink between 0 and 1 and a grow above 1, but they are "
                f"{self.shift}, {self.shrink} and {self.grow}."
            )


class WrongPairs(NamedTuple):
    """Four wrong delineations of each target.

    Attributes:
        copies: polygons that are new; they follow the experiment's flattened geometry.
        delineation: (4, T) positions in the geometry so continued, a row per kind of ``WRONG_KINDS``; -1 where there
            is none (no neighbour).
    """

    copies: NDArray[np.object_]
    delineation: Ints


def wrong_pairs(experiment: Experiment, spoiling: Spoiling | None = None, seed: int = 0) -> WrongPairs:
    """Wrong delineations of every target.

    The neighbour is the crown nearest to the target, by centroids, among all other shared crowns as the target's
    other labelers drew them. The shifted copy is moved east, north, west or south, drawn by chance.

    Args:
        experiment: who is scored against whom.
        spoiling: how far the copies are off.
        seed: of the directions.
    """
    amount = Spoiling() if spoiling is None else spoiling
    targets = experiment.targets
    n = len(targets)
    xmin, ymin, xmax, ymax = shapely.bounds(targets).T
    direction = np.random.default_rng(seed).integers(4, size=n)
    step = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])[direction]
    movement = amount.shift * step * np.column_stack([xmax - xmin, ymax - ymin])
    copies = np.concatenate(
        [shifted(targets, movement), resized(targets, amount.shrink), resized(targets, amount.grow)]
    )
    first = experiment.geometry.size + np.arange(3)[:, None] * n
    return WrongPairs(copies, np.vstack([_neighbours(experiment), first + np.arange(n)]))


def _neighbours(experiment: Experiment) -> Ints:
    """(T,) position of the nearest drawing of another crown by another labeler; -1 where there is none."""
    n_crowns = experiment.n_crowns
    n = experiment.n_targets * n_crowns
    if n_crowns < 2:
        return np.full(n, -1)
    centre = shapely.get_coordinates(shapely.centroid(experiment.geometry.ravel()))
    crown = np.arange(n) % n_crowns
    nearest, best = np.full(n, -1), np.full(n, np.inf)
    n_labelers = len(experiment.names)
    for labeler in range(n_labelers):
        theirs = slice(labeler * n_crowns, (labeler + 1) * n_crowns)
        asked = np.flatnonzero(np.arange(n) // n_crowns != labeler)
        distance, other = cKDTree(centre[theirs]).query(centre[asked], k=2)
        column = (other[:, 0] == crown[asked]).astype(np.int64)
        row = np.arange(len(asked))
        distance, other = distance[row, column], other[row, column] + labeler * n_crowns
        closer = distance < best[asked]
        nearest[asked[closer]], best[asked[closer]] = other[closer], distance[closer]
    return nearest
