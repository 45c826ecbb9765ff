"""Pairs of crowns that are wrong on purpose, and simulated annotators.

Parameters are useful only if they give wrong pairs lower scores than right ones. The wrong pairs
depend on the positions of the crowns alone: not on random numbers, the order of annotators or
crowns, or the last digits of coordinates.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
import shapely

from randcrowns.core.arrays import Floats, Ints, Objects, random_generator
from randcrowns.core.crowns import Crowns, is_box
from randcrowns.core.errors import InputError
from randcrowns.core.messages import TranslatableText
from randcrowns.core.tuning.experiment import Experiment, order_west_to_east, round_to_millimetres
from randcrowns.core.validation import validate_arguments

#: Kinds of wrong delineations, in the order of the rows of :class:`WrongPairs`.
WRONG_KINDS = ("neighbours", "shifted", "shrunk", "grown")
#: (4, 2) directions of the shifted copies: east, north, west and south.
_DIRECTIONS = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
#: Default maximum number of targets: their mean score of wrong pairs is known to about 0.02.
MAX_WRONG_TARGETS = 80
#: Number of neighbours per target and annotator.
N_NEIGHBOURS = 4
#: Number of nearest crowns among which neighbours are chosen, because several can be equally near.
_N_CANDIDATES = 16
# On simulated plots, wrong pairs with these shifts and factors score 0.39 to 0.47 on average with
# the parameters that the paper chose (alpha 0.7, omega 1.2, gamma 3), and 0.74 to 0.80 with those
# that it warns of (0.1, 0.3, 7).
#: Distance by which a target is shifted, relative to its width or height; boxes keep an IoU of
#: 0.05.
SHIFT = 0.9
#: Length of a shrunk copy relative to the target's.
SHRINK_FACTOR = 1 / 3
#: Length of a grown copy relative to the target's.
GROW_FACTOR = 2.0


class WrongPairs(NamedTuple):
    """Wrong delineations of the T targets of an experiment, at most J per target."""

    #: (c,) polygons of the shifted, shrunk and grown copies. Their indices follow those of the
    #: experiment's flattened ``geometry``.
    copies: Objects
    #: (J, T) index of each wrong delineation in the flattened ``geometry`` followed by
    #: ``copies``;
    #: -1 if there is none, because crowns are few or the target was not selected. The rows hold
    #: the neighbours, the copies shifted east, north, west and south, the shrunk and the grown one.
    delineation_index: Ints
    #: (J,) index of each row's kind in ``WRONG_KINDS``.
    kind_index: Ints


def make_wrong_pairs(experiment: Experiment, max_targets: int = MAX_WRONG_TARGETS) -> WrongPairs:
    """Pair the targets of an experiment with delineations that are wrong on purpose.

    The neighbours are, for each other annotator, the four drawings of other crowns whose centroids
    are nearest to the target's; fewer if fewer crowns are shared.

    Args:
        experiment: the shared crowns.
        max_targets: maximum number of targets that get wrong delineations. If there are more,
            targets are selected evenly from west to east.

    Returns:
        The wrong delineations.

    >>> from randcrowns.core.tuning.experiment import find_shared_crowns
    >>> trees = [shapely.box(x, 0, x + 5, 5) for x in (0, 9)]
    >>> wrong = make_wrong_pairs(find_shared_crowns([trees, trees]))
    >>> wrong.delineation_index[0].tolist(), [WRONG_KINDS[kind] for kind in wrong.kind_index]
    ([3, 2, 1, 0], ['neighbours', 'shifted', 'shifted', 'shifted', 'shifted', 'shrunk', 'grown'])
    """
    order = order_west_to_east(experiment)
    n_targets = len(experiment.targets)
    selected = order[order < n_targets]
    if n_targets > max_targets:
        evenly_spaced = np.arange(max_targets) * n_targets // max_targets
        selected = selected[evenly_spaced]

    polygons = experiment.targets[selected]
    xmin, ymin, xmax, ymax = shapely.bounds(polygons).T
    size = np.column_stack([xmax - xmin, ymax - ymin])
    copies = [warp_polygons(polygons, shift=SHIFT * direction * size) for direction in _DIRECTIONS]
    copies.append(warp_polygons(polygons, scale_factors=SHRINK_FACTOR))
    copies.append(warp_polygons(polygons, scale_factors=GROW_FACTOR))

    neighbour_rows = _find_neighbours(experiment, selected, order)
    # Copies are numbered kind by kind, after all drawings of the experiment.
    n_copies = len(copies) * len(polygons)
    copy_numbers = experiment.geometry.size + np.arange(n_copies)
    copy_rows = copy_numbers.reshape(len(copies), len(polygons))
    n_slots = len(neighbour_rows) + len(copies)
    delineation_index = np.full((n_slots, n_targets), -1)
    delineation_index[:, selected] = np.vstack([neighbour_rows, copy_rows])
    slots_per_kind = [len(neighbour_rows), len(_DIRECTIONS), 1, 1]
    return WrongPairs(
        copies=np.concatenate(copies),
        delineation_index=delineation_index,
        kind_index=np.repeat(np.arange(len(WRONG_KINDS)), slots_per_kind),
    )


def _find_neighbours(experiment: Experiment, targets: Ints, order: Ints) -> Ints:
    """Find the nearest drawings of other crowns by each of the other annotators.

    Args:
        experiment: drawings of K crowns by N annotators.
        targets: (t,) indices of targets in the flattened ``geometry``.
        order: (N · K,) indices that sort the drawings from west to east; of equally near drawings
            the first in this order counts as nearer.

    Returns:
        (J, t) indices in the flattened ``geometry``, with J = (N - 1) · min(4, K - 1).
    """
    n_crowns = experiment.n_crowns
    n_annotators = len(experiment.annotators)
    n_neighbours = min(N_NEIGHBOURS, n_crowns - 1)
    neighbours = np.full((n_annotators - 1, n_neighbours, len(targets)), -1)
    if n_neighbours == 0:
        return neighbours.reshape(-1, len(targets))

    rank_from_west = np.argsort(order)
    centres = shapely.get_coordinates(shapely.centroid(experiment.geometry.ravel()))
    target_annotators, target_crowns = np.divmod(targets, n_crowns)
    # A list of numbers makes the results two-dimensional, even for one candidate.
    candidate_numbers = np.arange(1, min(_N_CANDIDATES, n_crowns) + 1)
    for annotator in range(n_annotators):
        # Columns of the targets that other annotators drew.
        columns = np.flatnonzero(target_annotators != annotator)
        first_drawing = annotator * n_crowns
        tree = scipy.spatial.cKDTree(centres[first_drawing : first_drawing + n_crowns])
        target_centres = centres[targets[columns]]
        distances, candidate_crowns = tree.query(target_centres, k=candidate_numbers)
        candidates = first_drawing + candidate_crowns
        # Drawings of the target's own crown come last, so they are never among the neighbours.
        is_own_crown = candidate_crowns == target_crowns[columns, np.newaxis]
        keys = (rank_from_west[candidates], round_to_millimetres(distances), is_own_crown)
        nearest = np.lexsort(keys)[:, :n_neighbours]
        # Number of the annotator among those other than the target's.
        other_number = annotator - (target_annotators[columns] < annotator)
        neighbours[other_number, :, columns] = np.take_along_axis(candidates, nearest, axis=1)
    return neighbours.reshape(-1, len(targets))


#: Maximum scale factor of a warped copy; its inverse is the minimum.
_MAX_SCALE = 3.0


@validate_arguments
def simulate_annotators(
    drawing: Crowns,
    n_copies: int = 3,
    *,
    scale_sd: float = 0.1,
    rotation_sd: float = 10.0,
    shift_sd: float = 0.4,
    seed: int = 0,
) -> list[Crowns]:
    """Simulate annotators by random small changes of one drawing.

    Each crown is stretched along x and along y, rotated about its centroid and shifted, each by a
    normal deviate of its own. Axis-aligned boxes are not rotated, because people who draw
    boxes keep them parallel to the image.

    Args:
        drawing: crowns of one annotator.
        n_copies: number of warped copies of the drawing, at least 1.
        scale_sd: standard deviation of the logarithm of the two scale factors; 0.1 is about 10 %.
        rotation_sd: standard deviation of the angle, degrees.
        shift_sd: standard deviation of the shift along x and along y, metres.
        seed: seed of the random numbers; the same seed gives the same copies.

    Returns:
        Crowns of each copy, with the ids and plots of the drawing.

    Raises:
        InputError: if a standard deviation is negative or not finite, the number of copies is
            below 1, or the seed is negative.

    >>> tree = Crowns([shapely.box(0, 0, 5, 5)], name="ann")
    >>> [copy.name for copy in simulate_annotators(tree, n_copies=2)]
    ['ann, warp 1', 'ann, warp 2']
    """
    _check_warp(n_copies, scale_sd, rotation_sd, shift_sd)
    n = len(drawing)
    is_rectangle = is_box(drawing.geometry)
    max_log_scale = np.log(_MAX_SCALE)
    rng = random_generator(seed)
    copies = []
    for copy_number in range(1, int(n_copies) + 1):
        # The order of the three draws must stay, so that a seed gives the same copies.
        log_scales = rng.normal(0, scale_sd, (n, 2))
        degrees = rng.normal(0, rotation_sd, n)
        shifts = rng.normal(0, shift_sd, (n, 2))
        warped_polygons = warp_polygons(
            drawing.geometry,
            scale_factors=np.exp(np.clip(log_scales, -max_log_scale, max_log_scale)),
            angle=np.where(is_rectangle, 0.0, np.radians(degrees)),
            shift=shifts,
        )
        warped_crowns = Crowns(
            geometry=warped_polygons,
            ids=drawing.ids,
            plots=drawing.plots,
            name=f"{drawing.name}, warp {copy_number}",
            crs=drawing.crs,
        )
        copies.append(warped_crowns)
    return copies


def _check_warp(number: int, scale: float, rotation: float, translation: float) -> None:
    """Raise InputError if the parameters of warped copies are out of range.

    Args:
        number: number of copies, at least 1.
        scale: amount of the random scale, at least 0.
        rotation: amount of the random rotation, at least 0.
        translation: amount of the random shift, at least 0.
    """
    if int(number) != number or number < 1:
        raise InputError(
            "tuning.invalid_copy_count",
            "The number of warped copies must be a whole number of at least 1, not {number}.",
            number=number,
        )
    amounts = {
        TranslatableText("Warped copies: scale"): scale,
        TranslatableText("Warped copies: rotation"): rotation,
        TranslatableText("Warped copies: shift"): translation,
    }
    for name, amount in amounts.items():
        if not (np.isfinite(amount) and amount >= 0):
            raise InputError(
                "tuning.invalid_amount",
                "'{name}' must be a number of at least 0, not {amount}.",
                name=name,
                amount=amount,
            )


def warp_polygons(
    polygons: Objects,
    scale_factors: Floats | float = 1.0,
    angle: Floats | float = 0.0,
    shift: Floats | float = 0.0,
) -> Objects:
    """Return scaled, rotated and shifted copies of polygons.

    Args:
        polygons: (n,) polygons in metres.
        scale_factors: (n, 2) scale factors along x and y about the centroid; or one for all.
        angle: (n,) counterclockwise rotation about the centroid after scaling, radians; or one for
            all.
        shift: (n, 2) shift along x and y, metres; or one for all.

    Returns:
        (n,) new polygons.

    >>> warp_polygons(np.array([shapely.box(0, 0, 4, 4)]), scale_factors=0.5, shift=1.0)[0].bounds
    (2.0, 2.0, 4.0, 4.0)
    """
    if len(polygons) == 0:
        return np.empty(0, dtype=object)
    centres = shapely.get_coordinates(shapely.centroid(polygons))
    # One value per polygon, also where the same one is passed for all.
    polygon_scales = np.broadcast_to(scale_factors, centres.shape)
    polygon_angles = np.broadcast_to(angle, len(polygons))
    new_centres = centres + shift

    vertices, polygon_rows = shapely.get_coordinates(polygons, return_index=True)
    scaled = (vertices - centres[polygon_rows]) * polygon_scales[polygon_rows]
    x = scaled[:, 0]
    y = scaled[:, 1]
    cosine = np.cos(polygon_angles[polygon_rows])
    sine = np.sin(polygon_angles[polygon_rows])
    rotated = np.column_stack([cosine * x - sine * y, sine * x + cosine * y])
    new_vertices = rotated + new_centres[polygon_rows]
    return np.asarray(shapely.set_coordinates(polygons.copy(), new_vertices), dtype=object)
