"""Delineations that are wrong on purpose, to see whether a set of parameters tells them from right ones.

Zero variance is easy to have: parameters that score everything near one (Stewart et al. 2021, Fig. 3). So each target
also gets delineations that nobody should call right: a neighbouring tree as somebody drew it, and spoiled copies of
itself. Which of them are taken depends on where the crowns lie, and not on the order of annotators or crowns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from randcrowns.core.errors import InputError
from randcrowns.core.experiment import Experiment
from randcrowns.core.warps import resized, shifted

__all__ = ["FIRST_OF_KIND", "MOST_TARGETS", "WRONG_KINDS", "Spoiling", "WrongPairs", "wrong_pairs"]

Ints = NDArray[np.int64]

#: The kinds of wrong delineations, in the order of the rows of :class:`WrongPairs`, and the first row of each.
WRONG_KINDS = ("neighbours", "shifted", "shrunk", "grown")
FIRST_OF_KIND = (0, 1, 5, 6)
#: East, north, west and south.
_DIRECTIONS = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
#: With so many targets the mean score of wrong pairs is known to about 0.01.
MOST_TARGETS = 120
#: A neighbour is one of so many nearest crowns.
_NEIGHBOURS = 4


@dataclass(frozen=True)
class Spoiling:
    """How far the spoiled copies are off.

    With these amounts, on simulated plots, the set that the paper chose (alpha 0.7, omega 1.2, gamma 3) scores wrong
    pairs below 0.5 on average (0.38 to 0.46), and the one it warns of (0.1, 0.3, 7) far above it (0.72 to 0.81).

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
    """Up to seven wrong delineations of each target.

    Attributes:
        copies: polygons that are new; they follow the experiment's flattened geometry.
        delineation: (7, T) positions in the geometry so continued: a neighbour, copies moved east, north, west and
            south, a shrunk and a grown one; -1 where there is none (no neighbour, or a target that was not drawn).
    """

    copies: NDArray[np.object_]
    delineation: Ints


def wrong_pairs(
    experiment: Experiment, spoiling: Spoiling | None = None, seed: int = 0, most_targets: int = MOST_TARGETS
) -> WrongPairs:
    """Wrong delineations of every target, or of as many targets drawn by chance as are enough for a mean.

    The neighbour is one of the other crowns nearest to the target, by centroids, as one of the other labelers drew it.
    Which one, and which targets, is drawn by chance for the targets as they lie from west to east.

    Args:
        experiment: who is scored against whom.
        spoiling: how far the copies are off.
        seed: of what is drawn by chance.
        most_targets: the largest number of targets that get wrong delineations.
    """
    amount = Spoiling() if spoiling is None else spoiling
    targets = experiment.targets
    n = len(targets)
    rng = np.random.default_rng(seed)
    xmin, ymin, xmax, ymax = shapely.bounds(targets).T
    size = np.column_stack([xmax - xmin, ymax - ymin])
    copies = np.concatenate(
        [
            *(shifted(targets, amount.shift * direction * size) for direction in _DIRECTIONS),
            resized(targets, amount.shrink),
            resized(targets, amount.grow),
        ]
    )
    first = experiment.geometry.size + np.arange(len(copies) // n)[:, None] * n
    order = _west_to_east(targets)
    delineation = np.vstack([_neighbours(experiment, order, rng), first + np.arange(n)])
    delineation[:, order[rng.permutation(n)[most_targets:]]] = -1
    return WrongPairs(copies, delineation)


def _neighbours(experiment: Experiment, order: Ints, rng: np.random.Generator) -> Ints:
    """(T,) position of a neighbouring crown's drawing by another labeler; -1 where there is no other crown.

    Args:
        experiment: who is scored against whom.
        order: (T,) the targets in the order in which chance is asked.
        rng: the chance.
    """
    n_crowns, n_others = experiment.n_crowns, len(experiment.names) - 1
    neighbour = np.full(len(order), -1)
    n_near = min(_NEIGHBOURS, n_crowns - 1)
    if n_near < 1:
        return neighbour
    choice = np.empty(len(order), dtype=np.int64)
    choice[order] = rng.integers(n_near * n_others, size=len(order))
    drawings = experiment.geometry.ravel()
    centre = shapely.get_coordinates(shapely.centroid(drawings))
    drawn = _west_to_east(drawings)
    labeler, crown = np.divmod(np.arange(len(drawings)), n_crowns)
    for own in range(experiment.n_targets):
        others = drawn[labeler[drawn] != own]
        asked = own * n_crowns + np.arange(n_crowns)
        _, near = cKDTree(centre[others]).query(centre[asked], k=(n_near + 1) * n_others)
        near = others[near]
        # The others' drawings of the target itself are passed over, wherever they stand in the row.
        neighbours = np.argsort(crown[near] == crown[asked, None], axis=1, kind="stable")
        neighbour[asked] = near[np.arange(n_crowns), neighbours[np.arange(n_crowns), choice[asked]]]
    return neighbour


def _west_to_east(polygons: NDArray[np.object_]) -> Ints:
    """(n,) the polygons by where they lie, whatever order they come in; only the same outlines stand as they come."""
    centre = shapely.get_coordinates(shapely.centroid(polygons))
    return np.lexsort((*shapely.bounds(polygons).T, shapely.area(polygons), *centre.T[::-1]))
