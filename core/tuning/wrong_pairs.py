"""Delineations that are wrong on purpose, to see whether a set of parameters tells them from right ones.

Which they are depends on where the crowns lie alone: not on chance, nor on the order of annotators or crowns, nor on
coordinates' last digits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import shapely
from scipy.spatial import cKDTree

from randcrowns.core.arrays import Floats, Ints, Objects, generator
from randcrowns.core.crowns import Crowns, is_box
from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared
from randcrowns.core.remarks import Said
from randcrowns.core.tuning.experiment import Experiment, in_millimetres, west_to_east

#: The kinds of wrong delineations, in the order of the rows of :class:`WrongPairs`.
WRONG_KINDS = ("neighbours", "shifted", "shrunk", "grown")
#: East, north, west and south.
_DIRECTIONS = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
#: With so many targets the mean score of wrong pairs is known to about 0.02.
MOST_TARGETS = 80
#: So many of the nearest crowns are neighbours; chosen among so many, for several can be equally near.
_NEIGHBOURS, _NEAR = 4, 16
#: Share of its size that a target is moved by, which leaves boxes an IoU of 0.05; lengths of the shrunk and the grown
#: copy over the target's. On simulated plots such pairs score 0.39 to 0.47 on average with the set that the paper chose
#: (alpha 0.7, omega 1.2, gamma 3), and 0.74 to 0.80 with the one it warns of (0.1, 0.3, 7).
_SHIFT, _SHRINK, _GROW = 0.9, 1 / 3, 2.0


class WrongPairs(NamedTuple):
    """The wrong delineations of each target, J of them at most."""

    copies: Objects  #: polygons that are new; they follow the experiment's flattened geometry.
    #: (J, T) positions in the geometry so continued: the neighbours, copies moved east, north, west and south, a shrunk
    #: and a grown one; -1 where there is none (few crowns, or a target that was not chosen).
    delineation: Ints
    kind: Ints  #: (J,) the position of each row's kind in ``WRONG_KINDS``.


def wrong_pairs(experiment: Experiment, most_targets: int = MOST_TARGETS) -> WrongPairs:
    """Wrong delineations of every target, or of as many targets, evenly spread from west to east, as make a mean.

    The neighbours are, of each other labeler, the four drawings of other crowns that lie nearest to the target by
    centroids: fewer where fewer crowns are shared.

    Args:
        most_targets: the largest number of targets that get wrong delineations.
    """
    order = west_to_east(experiment)
    n = len(experiment.targets)
    targets = order[order < n]
    if n > most_targets:
        targets = targets[np.arange(most_targets) * n // most_targets]
    chosen = experiment.targets[targets]
    xmin, ymin, xmax, ymax = shapely.bounds(chosen).T
    size = np.column_stack([xmax - xmin, ymax - ymin])
    copies = [
        *(warped(chosen, movement=_SHIFT * direction * size) for direction in _DIRECTIONS),
        *(warped(chosen, factors=factor) for factor in (_SHRINK, _GROW)),
    ]
    first = experiment.geometry.size + np.arange(len(copies))[:, None] * len(chosen)
    neighbours = _neighbours(experiment, targets, order)
    delineation = np.full((len(neighbours) + len(copies), n), -1)
    delineation[:, targets] = np.vstack([neighbours, first + np.arange(len(chosen))])
    kind = np.repeat(np.arange(len(WRONG_KINDS)), [len(neighbours), len(_DIRECTIONS), 1, 1])
    return WrongPairs(np.concatenate(copies), delineation, kind)


def _neighbours(experiment: Experiment, targets: Ints, order: Ints) -> Ints:
    """(J, t) positions of the drawings of other crowns nearest to the targets (t,) by each of the other labelers.

    Of two as near the first in ``order``, all drawings from west to east, is the nearer.
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


#: Scale factors stay within this and its inverse.
_MOST_SCALE = 3.0


@as_declared
def warped_annotators(
    drawing: Crowns,
    number: int = 3,
    *,
    scale: float = 0.1,
    rotation: float = 10.0,
    translation: float = 0.4,
    seed: int = 0,
) -> list[Crowns]:
    """Simulated annotators, each of whom draws every crown of one drawing again, a little differently.

    Every crown is stretched along x and along y, turned about its centroid and moved, each by a normal deviate of
    its own. Axis-aligned boxes are not turned: whoever draws boxes keeps to the sides of the image.

    Args:
        drawing: the one annotator's crowns.
        number: how many copies of the whole drawing to make.
        scale: standard deviation of the logarithm of the two scale factors: 0.1 is about 10 %.
        rotation: standard deviation of the angle, degrees.
        translation: standard deviation of the movement along x and along y, metres.
        seed: of the random numbers: the same seed gives the same copies.

    Returns:
        One :class:`randcrowns.core.crowns.Crowns` per copy, with the ids and groups of the drawing.

    Raises:
        InputError: for a negative or endless amount, or a number of copies below 1.

    >>> [copy.name for copy in warped_annotators(Crowns([shapely.box(0, 0, 5, 5)], name="ann"), number=2)]
    ['ann, warp 1', 'ann, warp 2']
    """
    if int(number) != number or number < 1:
        said = "The number of warped copies must be a whole number of at least 1, not {number}."
        raise InputError(said, number=number)
    shift = Said("Warped copies: shift")
    amounts = {
        Said("Warped copies: scale"): scale,
        Said("Warped copies: rotation"): rotation,
        shift: translation,
    }
    for name, amount in amounts.items():
        if not (np.isfinite(amount) and amount >= 0):
            said = "'{name}' must be a number of at least 0, not {amount}."
            raise InputError(said, name=name, amount=amount)
    n = len(drawing)
    boxes = is_box(drawing.geometry)
    rng = generator(seed)
    copies = []
    for copy in range(1, int(number) + 1):
        limit = np.log(_MOST_SCALE)
        factors = np.exp(np.clip(rng.normal(0, scale, (n, 2)), -limit, limit))
        angle = np.where(boxes, 0.0, np.radians(rng.normal(0, rotation, n)))
        polygons = warped(drawing.geometry, factors, angle, rng.normal(0, translation, (n, 2)))
        copies.append(
            Crowns(
                polygons, drawing.ids, drawing.groups, f"{drawing.name}, warp {copy}", drawing.crs
            )
        )
    return copies


def warped(
    polygons: Objects,
    factors: Floats | float = 1.0,
    angle: Floats | float = 0.0,
    movement: Floats | float = 0.0,
) -> Objects:
    """Scaled by (n, 2) factors, turned by (n,) radians about the centroid, moved by (n, 2) metres."""
    if len(polygons) == 0:
        return np.empty(0, dtype=object)
    centre = shapely.get_coordinates(shapely.centroid(polygons))
    coordinates, row = shapely.get_coordinates(polygons, return_index=True)
    x, y = ((coordinates - centre[row]) * np.broadcast_to(factors, centre.shape)[row]).T
    turn = np.broadcast_to(angle, len(polygons))[row]
    cosine, sine = np.cos(turn), np.sin(turn)
    turned = np.column_stack([cosine * x - sine * y, sine * x + cosine * y])
    return np.asarray(
        shapely.set_coordinates(polygons.copy(), turned + (centre + movement)[row]), dtype=object
    )
