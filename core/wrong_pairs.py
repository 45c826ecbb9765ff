"""Delineations that are wrong on purpose, to see whether a set of parameters tells them from right ones.

Zero variance is easy to have: parameters that score everything near one (Stewart et al. 2021, Fig. 3). So each target
also gets delineations that nobody should call right: the neighbouring trees as everybody else drew them, and spoiled
copies of itself. Which they are depends on where the crowns lie alone: not on chance, nor on the order of annotators or
crowns, nor on coordinates' last digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from randcrowns.core.errors import InputError
from randcrowns.core.experiment import Experiment, in_millimetres, west_to_east
from randcrowns.core.warps import resized, shifted

__all__ = ["MOST_TARGETS", "WRONG_KINDS", "Spoiling", "WrongPairs", "wrong_pairs"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: The kinds of wrong delineations, in the order of the rows of :class:`WrongPairs`.
WRONG_KINDS = ("neighbours", "shifted", "shrunk", "grown")
#: East, north, west and south.
_DIRECTIONS = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
#: With so many targets the mean score of wrong pairs is known to about 0.02.
MOST_TARGETS = 80
#: So many of the nearest crowns are neighbours; chosen among so many, for several can be equally near.
_NEIGHBOURS, _NEAR = 4, 16


@dataclass(frozen=True)
class Spoiling:
    """How far the spoiled copies are off.

    With these amounts, on simulated plots, the set that the paper chose (alpha 0.7, omega 1.2, gamma 3) scores wrong
    pairs below 0.5 on average (0.39 to 0.47), and the one it warns of (0.1, 0.3, 7) far above it (0.74 to 0.80).

    Attributes:
        shift: share of the target's width (or height) that it is moved by; 0.9 leaves boxes an IoU of 0.05.
        shrink: lengths of the shrunk copy over the target's; a third leaves an IoU of 0.11.
        grow: lengths of the grown copy over the target's; 2 leaves an IoU of 0.25.

    Raises:
        InputError: for a shift that is not above 0, a shrink not between 0 and 1, a grow not above 1.
    """

    shift: float = 0.9
    shrink: float = 1 / 3
    grow: float = 2.0

    def __post_init__(self) -> None:
        if not (0 < self.shift < np.inf and 0 < self.shrink < 1 < self.grow < np.inf):
            raise InputError(
                "Wrong copies need a shift above 0, a shrink between 0 and 1 and a grow above 1, but they are "
                f"{self.shift}, {self.shrink} and {self.grow}."
            )


class WrongPairs(NamedTuple):
    """The wrong delineations of each target, J of them at most.

    Attributes:
        copies: polygons that are new; they follow the experiment's flattened geometry.
        delineation: (J, T) positions in the geometry so continued: the neighbours, copies moved east, north, west and
            south, a shrunk and a grown one; -1 where there is none (few crowns, or a target that was not chosen).
        kind: (J,) the position of each row's kind in ``WRONG_KINDS``.
    """

    copies: NDArray[np.object_]
    delineation: Ints
    kind: Ints


def wrong_pairs(
    experiment: Experiment, spoiling: Spoiling | None = None, most_targets: int = MOST_TARGETS
) -> WrongPairs:
    """Wrong delineations of every target, or of as many targets, evenly spread from west to east, as make a mean.

    The neighbours are, of each other labeler, the four drawings of other crowns that lie nearest to the target by
    centroids: fewer where fewer crowns are shared.

    Args:
        experiment: who is scored against whom.
        spoiling: how far the copies are off.
        most_targets: the largest number of targets that get wrong delineations.
    """
    amount = Spoiling() if spoiling is None else spoiling
    order = west_to_east(experiment)
    n = len(experiment.targets)
    targets = order[order < n]
    if n > most_targets:
        targets = targets[np.arange(most_targets) * n // most_targets]
    chosen = experiment.targets[targets]
    xmin, ymin, xmax, ymax = shapely.bounds(chosen).T
    size = np.column_stack([xmax - xmin, ymax - ymin])
    copies = [
        *(shifted(chosen, amount.shift * direction * size) for direction in _DIRECTIONS),
        resized(chosen, amount.shrink),
        resized(chosen, amount.grow),
    ]
    first = experiment.geometry.size + np.arange(len(copies))[:, None] * len(chosen)
    neighbours = _neighbours(experiment, targets, order)
    delineation = np.full((len(neighbours) + len(copies), n), -1)
    delineation[:, targets] = np.vstack([neighbours, first + np.arange(len(chosen))])
    kind = np.repeat(np.arange(len(WRONG_KINDS)), [len(neighbours), len(_DIRECTIONS), 1, 1])
    return WrongPairs(np.concatenate(copies), delineation, kind)


def _neighbours(experiment: Experiment, targets: Ints, order: Ints) -> Ints:
    """(J, t) positions of the nearest drawings of other crowns by each of the other labelers.

    Args:
        experiment: who is scored against whom.
        targets: (t,) positions of the targets.
        order: all drawings from west to east: of two as near, the first is the nearer.
    """
    n_crowns = experiment.n_crowns
    n_near = min(_NEIGHBOURS, n_crowns - 1)
    place = np.argsort(order)
    centre = shapely.get_coordinates(shapely.centroid(experiment.geometry.ravel()))
    owner, target_crown = np.divmod(targets, n_crowns)
    n_labelers = len(experiment.names)
    found = np.full((n_labelers - 1, n_near, len(targets)), -1)
    for labeler in range(n_labelers if n_near else 0):
        asked = np.flatnonzero(owner != labeler)
        distance, crown = cKDTree(centre[labeler * n_crowns : (labeler + 1) * n_crowns]).query(
            centre[targets[asked]], k=np.arange(1, min(_NEAR, n_crowns) + 1)
        )
        near = labeler * n_crowns + crown
        itself = crown == target_crown[asked, None]
        nearest = np.lexsort((place[near], in_millimetres(distance), itself))[:, :n_near]
        row = labeler - (owner[asked] < labeler)
        found[row, :, asked] = np.take_along_axis(near, nearest, axis=1)
    return found.reshape(-1, len(targets))
