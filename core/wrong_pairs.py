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
from randcrowns.core.experiment import Experiment
from randcrowns.core.warps import resized, shifted

__all__ = ["MOST_TARGETS", "WRONG_KINDS", "Spoiling", "WrongPairs", "wrong_pairs"]

Ints = NDArray[np.int64]

#: The kinds of wrong delineations, in the order of the rows of :class:`WrongPairs`.
WRONG_KINDS = ("neighbours", "shifted", "shrunk", "grown")
#: With so many targets the mean score of wrong pairs is known to about 0.01.
MOST_TARGETS = 200
#: A neighbour is one of so many nearest crowns.
_NEIGHBOURS = 4


@dataclass(frozen=True)
class Spoiling:
    """How far the spoiled copies are off.

    With these amounts, on simulated plots, the set that the paper chose (alpha 0.7, omega 1.2, gamma 3) scores wrong
    pairs below 0.5 on average (0.38 to 0.47), and the one it warns of (0.1, 0.3, 7) far above it (0.75 to 0.81).

    Attributes:
        shift: shares of the target's width (or height) that it is moved by; 0.9 leaves boxes an IoU of 0.05.
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
    """Up to four wrong delineations of each target.

    Attributes:
        copies: polygons that are new; they follow the experiment's flattened geometry.
        delineation: (4, T) positions in the geometry so continued, a row per kind of ``WRONG_KINDS``; -1 where there
            is none (no neighbour, or a target that was not drawn).
    """

    copies: NDArray[np.object_]
    delineation: Ints


def wrong_pairs(
    experiment: Experiment, spoiling: Spoiling | None = None, seed: int = 0, most_targets: int = MOST_TARGETS
) -> WrongPairs:
    """Wrong delineations of every target, or of as many targets drawn by chance as are enough for a mean.

    The neighbour is one of the four other crowns nearest to the target, by centroids, as one of the other labelers drew
    it. The shifted copy is moved east, north, west or south. All choices are made by chance, from the seed.

    Args:
        experiment: who is scored against whom.
        spoiling: how far the copies are off.
        seed: of the choices.
        most_targets: the largest number of targets that get wrong delineations.
    """
    amount = Spoiling() if spoiling is None else spoiling
    targets = experiment.targets
    n = len(targets)
    xmin, ymin, xmax, ymax = shapely.bounds(targets).T
    rng = np.random.default_rng(seed)
    direction = rng.integers(4, size=n)
    step = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])[direction]
    movement = amount.shift * step * np.column_stack([xmax - xmin, ymax - ymin])
    copies = np.concatenate(
        [shifted(targets, movement), resized(targets, amount.shrink), resized(targets, amount.grow)]
    )
    first = experiment.geometry.size + np.arange(3)[:, None] * n
    delineation = np.vstack([_neighbours(experiment, rng), first + np.arange(n)])
    delineation[:, rng.permutation(n)[most_targets:]] = -1
    return WrongPairs(copies, delineation)


def _neighbours(experiment: Experiment, rng: np.random.Generator) -> Ints:
    """(T,) position of a neighbouring crown's drawing by another labeler; -1 where there is no other crown."""
    n_crowns, n_labelers = experiment.n_crowns, len(experiment.names)
    n = experiment.n_targets * n_crowns
    neighbour = np.full(n, -1)
    count = min(_NEIGHBOURS, n_crowns - 1)
    if count < 1:
        return neighbour
    centre = shapely.get_coordinates(shapely.centroid(experiment.geometry.ravel()))
    own, crown = np.divmod(np.arange(n), n_crowns)
    labeler = (own + rng.integers(1, n_labelers, size=n)) % n_labelers
    choice = rng.integers(count, size=n)
    for drawn_by in range(n_labelers):
        asked = np.flatnonzero(labeler == drawn_by)
        tree = cKDTree(centre[drawn_by * n_crowns : (drawn_by + 1) * n_crowns])
        _, near = tree.query(centre[asked], k=count + 1)
        same = near == crown[asked, None]
        # The target's own crown is passed over, wherever it stands in the row.
        passed = np.maximum.accumulate(same, axis=1)[np.arange(len(asked)), choice[asked]]
        neighbour[asked] = near[np.arange(len(asked)), choice[asked] + passed] + drawn_by * n_crowns
    return neighbour
