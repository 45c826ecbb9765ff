"""A simulated point cloud of a forest plot, and a prediction with realistic errors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from randcrowns.core.arrays import Bools, Floats, Ints, random_generator
from randcrowns.core.errors import InputError

#: Class of ground points in the LAS format.
GROUND = 2
#: Class of points of low vegetation in the LAS format.
UNDERSTOREY = 3
#: Class of points of trees (high vegetation) in the LAS format.
TREE = 5

_NO_INSTANCE = -1
# Mean distance of neighbouring trees, m.
_SPACING = 5.0
# Minimum number of points of a tree.
_MIN_POINTS_PER_TREE = 10
# Shares of the points; the rest is ground.
_TREE_SHARE = 0.72
_UNDERSTOREY_SHARE = 0.13
# Share of the points of a tree that lie on its trunk.
_TRUNK_SHARE = 0.15
# Shares of the trees that the prediction splits, merges with a neighbour, or misses.
_SPLIT_SHARE = 0.08
_MERGED_SHARE = 0.08
_MISSED_SHARE = 0.06
# Share of the points of low vegetation that the prediction assigns to trees.
_LOW_POINT_ERROR_SHARE = 0.02
# Share of the points at the rim of a crown that the prediction assigns to the neighbour.
_STRAY_SHARE = 0.3


class SampleCloud(NamedTuple):
    """A simulated point cloud of N points, T trees and P predicted trees."""

    xyz: Floats  #: (N, 3) float64 coordinates, m, in random order.
    target: Ints  #: (N,) int64 tree of each point, 0 to T - 1; -1 for ground and understorey.
    prediction: Ints  #: (N,) int64 predicted tree, 0 to P - 1; -1 for none.
    classification: Ints  #: (N,) uint8, :data:`GROUND`, :data:`UNDERSTOREY` or :data:`TREE`.
    scores: Floats  #: (P,) confidence of each predicted tree, 0 to 1.


class _Trees(NamedTuple):
    """T trees of the plot."""

    xy: Floats  #: (T, 2) positions of the stems, m.
    height: Floats  #: (T,) heights, m.
    crown_radius: Floats  #: (T,) radii of the crowns, m.


def simulate_cloud(n_points: int = 100_000, n_trees: int = 50, *, seed: int = 0) -> SampleCloud:
    """Simulate the point cloud of a plot, with trees about five metres apart.

    The prediction splits some trees, merges some with their nearest neighbour and misses some. It
    assigns some points at the rim of a crown to the neighbour, extends trees into the understorey,
    and predicts bushes as trees.

    Args:
        n_points: number of points, at least ten per tree.
        n_trees: number of trees, at least one.
        seed: seed of the random numbers; the same seed gives the same result.

    Returns:
        The point cloud.

    Raises:
        InputError: if there is no tree, or fewer than ten points per tree.

    >>> cloud = simulate_cloud(1000, 9)
    >>> cloud.xyz.shape, int(cloud.target.max())
    ((1000, 3), 8)
    """
    if n_trees < 1 or n_points < _MIN_POINTS_PER_TREE * n_trees:
        message = (
            "A sample cloud needs at least one tree, and ten points per tree, "
            "not {n_trees} trees and {n_points} points."
        )
        raise InputError("sample.too_few_points", message, n_trees=n_trees, n_points=n_points)
    rng = random_generator(seed)
    trees = _plant(n_trees, rng)
    n_tree_points = round(_TREE_SHARE * n_points)
    n_low_points = round(_UNDERSTOREY_SHARE * n_points)
    # Order of the points before they are shuffled: trees, understorey, ground.
    of_trees = slice(0, n_tree_points)
    of_understorey = slice(n_tree_points, n_tree_points + n_low_points)
    of_ground = slice(n_tree_points + n_low_points, n_points)

    target = np.full(n_points, _NO_INSTANCE)
    target[of_trees] = _tree_of_points(trees, n_tree_points, rng)
    classification = np.full(n_points, GROUND, dtype=np.uint8)
    classification[of_trees] = TREE
    classification[of_understorey] = UNDERSTOREY

    xyz = np.empty((n_points, 3))
    xyz[of_trees], at_rim = _tree_points(trees, target[of_trees], rng)
    xyz[of_understorey], bush = _understorey_points(trees, n_low_points, rng)
    ground = xyz[of_ground]
    ground[:, :2] = rng.uniform(*_extent(trees), (len(ground), 2))
    ground[:, 2] = rng.normal(0.0, 0.02, len(ground))
    # The ground is a gentle slope with waves.
    xyz[:, 2] += 0.04 * xyz[:, 0] + 0.6 * np.sin(xyz[:, 0] / 11) * np.cos(xyz[:, 1] / 13)

    prediction = np.full(n_points, _NO_INSTANCE)
    prediction[of_trees] = _predict(trees, xyz[of_trees], target[of_trees], at_rim, rng)
    # Numbers below 2T are taken by the trees and the second parts of split trees.
    is_bush = bush >= 0
    prediction[of_understorey][is_bush] = 2 * n_trees + bush[is_bush]
    is_error = rng.random(n_low_points) < _LOW_POINT_ERROR_SHARE
    error_rows = n_tree_points + np.flatnonzero(is_error)
    prediction[error_rows] = prediction[rng.integers(0, n_tree_points, len(error_rows))]
    prediction, n_predicted = _renumber(prediction)

    order = rng.permutation(n_points)
    return SampleCloud(
        xyz[order],
        target[order],
        prediction[order],
        classification[order],
        rng.uniform(0.3, 1.0, n_predicted),
    )


def _plant(n_trees: int, rng: np.random.Generator) -> _Trees:
    """Return trees on a jittered square grid."""
    columns = int(np.ceil(np.sqrt(n_trees)))
    cell = np.arange(n_trees)
    xy = _SPACING * (
        np.stack([cell % columns, cell // columns], axis=1) + rng.uniform(0.2, 0.8, (n_trees, 2))
    )
    height = rng.uniform(9.0, 28.0, n_trees)
    return _Trees(xy, height, 0.09 * height + rng.uniform(1.2, 2.4, n_trees))


def _tree_of_points(trees: _Trees, n_points: int, rng: np.random.Generator) -> Ints:
    """Return the tree of each point (n_points,), ascending.

    Each tree gets ten points, and a random share of the rest in proportion to its height.

    Args:
        trees: the trees.
        n_points: number of points of all trees.
        rng: source of random numbers.
    """
    n_trees = len(trees.height)
    count = np.full(n_trees, min(_MIN_POINTS_PER_TREE, n_points // n_trees))
    count += rng.multinomial(n_points - count.sum(), trees.height / trees.height.sum())
    return np.repeat(np.arange(n_trees), count)


def _tree_points(trees: _Trees, tree: Ints, rng: np.random.Generator) -> tuple[Floats, Bools]:
    """Return points of trunks and crowns above level ground.

    Args:
        trees: the trees.
        tree: (n,) tree of each point.
        rng: source of random numbers.

    Returns:
        (n, 3) coordinates, m; and a mask (n,) of the points at the rim of a crown.
    """
    n = len(tree)
    height = trees.height[tree]
    radius = trees.crown_radius[tree]
    in_trunk = rng.random(n) < _TRUNK_SHARE
    angle = rng.uniform(0.0, 2 * np.pi, n)
    sine = rng.uniform(-1.0, 1.0, n)
    depth = rng.uniform(0.25, 1.0, n) ** (1 / 3)
    distance = np.where(in_trunk, 0.012 * height, depth * radius * np.sqrt(1 - sine**2))
    points = np.empty((n, 3))
    points[:, 0] = trees.xy[tree, 0] + distance * np.cos(angle)
    points[:, 1] = trees.xy[tree, 1] + distance * np.sin(angle)
    points[:, 2] = np.where(
        in_trunk, rng.uniform(0.0, 0.9, n) * height, height * (0.66 + 0.34 * depth * sine)
    )
    return points, ~in_trunk & (distance > 0.75 * radius)


def _understorey_points(
    trees: _Trees, n_points: int, rng: np.random.Generator
) -> tuple[Floats, Ints]:
    """Return points of low plants and of bushes above level ground.

    Args:
        trees: trees of the plot; there is a bush per 20 trees.
        n_points: number of points.
        rng: source of random numbers.

    Returns:
        (n_points, 3) coordinates, m; and the bush of each point (n_points,), -1 for none.
    """
    low, high = _extent(trees)
    points = np.empty((n_points, 3))
    points[:, :2] = rng.uniform(low, high, (n_points, 2))
    # Mean height 0.3 m.
    points[:, 2] = rng.exponential(0.3, n_points)

    # A fifth of the points belong to a random bush.
    n_bushes = 1 + len(trees.height) // 20
    bush = np.where(rng.random(n_points) < 0.2, rng.integers(0, n_bushes, n_points), -1)
    is_in_bush = bush >= 0
    n_in_bush = int(is_in_bush.sum())

    # They lie around its centre and are four times as high as low plants.
    centre = rng.uniform(low, high, (n_bushes, 2))
    scatter = rng.normal(0.0, 0.5, (n_in_bush, 2))
    points[is_in_bush, :2] = centre[bush[is_in_bush]] + scatter
    points[is_in_bush, 2] *= 4
    return points, bush


def _predict(
    trees: _Trees, xyz: Floats, tree: Ints, at_rim: Bools, rng: np.random.Generator
) -> Ints:
    """Return the predicted tree of the trees' points.

    Args:
        trees: T trees.
        xyz: (n, 3) coordinates, m.
        tree: (n,) true tree of each point.
        at_rim: (n,) True for points at the rim of a crown.
        rng: source of random numbers.

    Returns:
        (n,) numbers: below T a tree, T + i the second part of tree i that is split, -1 for none.
    """
    n_trees = len(trees.height)
    neighbour = np.arange(n_trees)
    if n_trees > 1:
        neighbour = cKDTree(trees.xy).query(trees.xy, k=2)[1][:, 1].astype(np.int64)
    # Trees with each kind of error, drawn without replacement.
    error_shares = np.array([_SPLIT_SHARE, _MERGED_SHARE, _MISSED_SHARE])
    n_of_errors = np.ceil(error_shares * n_trees).astype(int)
    split, merged, missed, _ = np.split(rng.permutation(n_trees), np.cumsum(n_of_errors))
    predicted_tree = np.arange(n_trees)
    predicted_tree[merged] = neighbour[merged]
    predicted_tree[missed] = _NO_INSTANCE
    is_split = np.zeros(n_trees, dtype=bool)
    is_split[split] = True

    is_stray = at_rim & (rng.random(len(tree)) < _STRAY_SHARE)
    predicted = predicted_tree[np.where(is_stray, neighbour[tree], tree)]
    on_far_side = xyz[:, 0] - trees.xy[tree, 0] > 0.2 * trees.crown_radius[tree]
    is_second_part = is_split[tree] & on_far_side & ~is_stray
    return np.where(is_second_part, n_trees + tree, predicted)


def _renumber(labels: Ints) -> tuple[Ints, int]:
    """Return labels (n,) without gaps from 0 (-1 for none), and the number of distinct labels."""
    is_present = np.bincount(labels + 1)[1:] > 0
    number = np.append(np.cumsum(is_present) - 1, _NO_INSTANCE)
    return number[labels], int(is_present.sum())


def _extent(trees: _Trees) -> tuple[float, Floats]:
    """Return the lower corner (0 for both axes) and the upper corner (2,) of the plot, m."""
    return 0.0, trees.xy.max(axis=0) + 0.5 * _SPACING
