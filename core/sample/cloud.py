"""A simulated point cloud of a forest plot with a prediction that has the faults real ones have."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from randcrowns.core.arrays import Bools, Floats, Ints, generator
from randcrowns.core.errors import InputError

#: Classes of points, numbered as in the LAS format.
GROUND, UNDERSTOREY, TREE = 2, 3, 5

_NO_INSTANCE = -1
_SPACING = 5.0
_TREE_SHARE, _UNDERSTOREY_SHARE = 0.72, 0.13
_TRUNK_SHARE = 0.15
_SPLIT, _MERGED, _MISSED = 0.08, 0.08, 0.06


class SampleCloud(NamedTuple):
    """A simulated plot of N points."""

    xyz: Floats  #: (N, 3) float64 coordinates, metres, in no particular order.
    target: Ints  #: (N,) int64 tree of each point, 0 to T - 1; -1 for ground and understorey.
    prediction: Ints  #: (N,) int64 predicted tree, 0 to P - 1; -1 for none.
    classification: Ints  #: (N,) uint8, :data:`GROUND`, :data:`UNDERSTOREY` or :data:`TREE`.
    scores: Floats  #: (P,) how sure the simulated method is of each predicted tree, 0 to 1.


class _Trees(NamedTuple):
    xy: Floats
    height: Floats
    crown_radius: Floats


def sample_cloud(n_points: int = 100_000, n_trees: int = 50, *, seed: int = 0) -> SampleCloud:
    """Simulate a plot of ``n_trees`` trees about five metres apart, seen by ``n_points`` points.

    The prediction splits some trees, merges some with their nearest neighbour, misses some, gives points at the rim of
    a crown to the neighbour, lets trees reach into the understorey, and takes bushes for trees.

    Raises:
        InputError: for fewer points than trees, or no tree.
    """
    if n_trees < 1 or n_points < 10 * n_trees:
        said = "A sample cloud needs a tree and ten points for each, not {n_trees} trees and {n_points} points."
        raise InputError(said, n_trees=n_trees, n_points=n_points)
    rng = generator(seed)
    trees = _plant(n_trees, rng)
    n_tree_points = round(_TREE_SHARE * n_points)
    n_low_points = round(_UNDERSTOREY_SHARE * n_points)
    target = np.full(n_points, _NO_INSTANCE)
    target[:n_tree_points] = _tree_of_points(trees, n_tree_points, rng)
    classification = np.full(n_points, GROUND, dtype=np.uint8)
    classification[:n_tree_points] = TREE
    classification[n_tree_points : n_tree_points + n_low_points] = UNDERSTOREY

    xyz = np.empty((n_points, 3))
    rim = np.zeros(n_points, dtype=bool)
    xyz[:n_tree_points], rim[:n_tree_points] = _tree_points(trees, target[:n_tree_points], rng)
    low, bush = _understorey(trees, n_low_points, rng)
    xyz[n_tree_points : n_tree_points + n_low_points] = low
    ground = xyz[n_tree_points + n_low_points :]
    ground[:, :2] = rng.uniform(*_extent(trees), (len(ground), 2))
    ground[:, 2] = rng.normal(0.0, 0.02, len(ground))
    # The ground is a gentle slope with waves.
    xyz[:, 2] += 0.04 * xyz[:, 0] + 0.6 * np.sin(xyz[:, 0] / 11) * np.cos(xyz[:, 1] / 13)

    prediction = np.full(n_points, _NO_INSTANCE)
    prediction[:n_tree_points] = _predicted(
        trees, xyz[:n_tree_points], target[:n_tree_points], rim[:n_tree_points], rng
    )
    found = bush >= 0
    prediction[n_tree_points : n_tree_points + n_low_points][found] = 2 * n_trees + bush[found]
    # One low point in fifty goes to a tree.
    low_rows = n_tree_points + np.flatnonzero(rng.random(n_low_points) < 0.02)
    prediction[low_rows] = prediction[rng.integers(0, n_tree_points, len(low_rows))]
    prediction, n_predicted = _numbered_in_a_row(prediction)

    order = rng.permutation(n_points)
    return SampleCloud(
        xyz[order],
        target[order],
        prediction[order],
        classification[order],
        rng.uniform(0.3, 1.0, n_predicted),
    )


def _plant(n_trees: int, rng: np.random.Generator) -> _Trees:
    """Trees on a jittered grid."""
    columns = int(np.ceil(np.sqrt(n_trees)))
    cell = np.arange(n_trees)
    xy = _SPACING * (
        np.stack([cell % columns, cell // columns], axis=1) + rng.uniform(0.2, 0.8, (n_trees, 2))
    )
    height = rng.uniform(9.0, 28.0, n_trees)
    return _Trees(xy, height, 0.09 * height + rng.uniform(1.2, 2.4, n_trees))


def _tree_of_points(trees: _Trees, n_points: int, rng: np.random.Generator) -> Ints:
    """Each tree gets ten points and a share of the rest that grows with its height."""
    n_trees = len(trees.height)
    count = np.full(n_trees, min(10, n_points // n_trees))
    count += rng.multinomial(n_points - count.sum(), trees.height / trees.height.sum())
    return np.repeat(np.arange(n_trees), count)


def _tree_points(trees: _Trees, tree: Ints, rng: np.random.Generator) -> tuple[Floats, Bools]:
    """Points of trunks and crowns above level ground, and which of them lie at the rim of a crown."""
    n = len(tree)
    height, radius = trees.height[tree], trees.crown_radius[tree]
    in_trunk = rng.random(n) < _TRUNK_SHARE
    angle = rng.uniform(0.0, 2 * np.pi, n)
    sine = rng.uniform(-1.0, 1.0, n)
    depth = rng.uniform(0.25, 1.0, n) ** (1 / 3)
    reach = np.where(in_trunk, 0.012 * height, depth * radius * np.sqrt(1 - sine**2))
    points = np.empty((n, 3))
    points[:, 0] = trees.xy[tree, 0] + reach * np.cos(angle)
    points[:, 1] = trees.xy[tree, 1] + reach * np.sin(angle)
    points[:, 2] = np.where(
        in_trunk, rng.uniform(0.0, 0.9, n) * height, height * (0.66 + 0.34 * depth * sine)
    )
    return points, ~in_trunk & (reach > 0.75 * radius)


def _understorey(trees: _Trees, n_points: int, rng: np.random.Generator) -> tuple[Floats, Ints]:
    """Low plants everywhere and some bushes: points, and the bush of each point or -1."""
    points = np.empty((n_points, 3))
    points[:, :2] = rng.uniform(*_extent(trees), (n_points, 2))
    points[:, 2] = rng.exponential(0.3, n_points)
    n_bushes = 1 + len(trees.height) // 20
    bush = np.where(rng.random(n_points) < 0.2, rng.integers(0, n_bushes, n_points), -1)
    inside = bush >= 0
    place = rng.uniform(*_extent(trees), (n_bushes, 2))
    points[inside, :2] = place[bush[inside]] + rng.normal(0.0, 0.5, (int(inside.sum()), 2))
    points[inside, 2] *= 4
    return points, bush


def _predicted(
    trees: _Trees, xyz: Floats, tree: Ints, rim: Bools, rng: np.random.Generator
) -> Ints:
    """Predicted tree of the trees' points: below T a tree, from T on the second part of one that is split."""
    n_trees = len(trees.height)
    neighbour = np.arange(n_trees)
    if n_trees > 1:
        neighbour = cKDTree(trees.xy).query(trees.xy, k=2)[1][:, 1].astype(np.int64)
    fate = rng.permutation(n_trees)
    ends = np.cumsum([int(np.ceil(share * n_trees)) for share in (_SPLIT, _MERGED, _MISSED)])
    split, merged, missed = fate[: ends[0]], fate[ends[0] : ends[1]], fate[ends[1] : ends[2]]
    predicted = np.arange(n_trees)
    predicted[merged] = neighbour[merged]
    predicted[missed] = _NO_INSTANCE
    is_split = np.zeros(n_trees, dtype=bool)
    is_split[split] = True

    strays = rim & (rng.random(len(tree)) < 0.3)
    drawn = predicted[np.where(strays, neighbour[tree], tree)]
    side = xyz[:, 0] - trees.xy[tree, 0] > 0.2 * trees.crown_radius[tree]
    second = is_split[tree] & side & ~strays
    return np.where(second, n_trees + tree, drawn)


def _numbered_in_a_row(labels: Ints) -> tuple[Ints, int]:
    """The labels (-1 for none) without gaps, and how many there are."""
    present = np.bincount(labels + 1)[1:] > 0
    number = np.append(np.cumsum(present) - 1, _NO_INSTANCE)
    return number[labels], int(present.sum())


def _extent(trees: _Trees) -> tuple[float, Floats]:
    """Lower and upper corner of the plot."""
    return 0.0, trees.xy.max(axis=0) + 0.5 * _SPACING
