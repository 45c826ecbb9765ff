"""Heights above the terrain, and the predictions that are uncertain instead of false.

The terrain below a point cloud is interpolated between ground points, which the cloth simulation
filter finds (Zhang et al. 2016).
"""

from __future__ import annotations

from typing import cast

import numpy as np
import scipy
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, split_range
from randcrowns.core.errors import InputError
from randcrowns.core.instances.cloth_simulation import CLOTH_RESOLUTION, classify_ground
from randcrowns.core.instances.labelled_points import LabelledPoints
from randcrowns.core.instances.overlap import OverlapTable, points_by_instance
from randcrowns.core.progress import Progress, no_progress, run_in_thread, subprogress

#: Distance between neighbouring nodes of the terrain grid, metres.
GRID_SPACING = 0.25

#: Side of the voxels to which the ground points are thinned, metres.
_VOXEL = 0.05
#: Number of ground points that determine the height of a node.
_N_NEIGHBOURS = 400
#: Number of nodes that are interpolated between two progress reports, a fraction of a second.
_NODES_AT_ONCE = 1 << 10
#: Number of points whose heights are interpolated at a time.
_POINTS_PER_CHUNK = 1 << 18
#: Distance around the requested points up to which the cloud is used, metres.
_MARGIN = 10.0
#: Maximum number of nodes of a cloth, unless the number of points allows more.
_MAX_NODES = 1 << 22
#: Maximum number of nodes of a cloth per point of the cloud.
_MAX_NODES_PER_POINT = 8


def height_above_terrain(xyz: Floats, rows: Ints, progress: Progress = no_progress) -> Floats:
    """Compute the heights of points above the terrain below them.

    Only the part of the cloud within 10 m of the requested points is used. Points far away do not
    change the terrain there, and filtering them would take long.

    Args:
        xyz: (N, 3) coordinates of the cloud, metres.
        rows: (n,) indices of the requested points.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        (n,) heights, metres.

    Raises:
        InputError: if a coordinate is not finite, the points extend too far for their number, or
            no ground is found.

    >>> x, y = np.meshgrid(np.arange(0.0, 5.0, 0.5), np.arange(0.0, 5.0, 0.5))
    >>> ground = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    >>> cloud = np.append(ground, [[2.5, 2.5, 8.0]], axis=0)
    >>> height_above_terrain(cloud, np.array([len(ground)])).tolist()
    [8.0]
    """
    if not np.isfinite(xyz).all():
        raise InputError(
            "terrain.not_finite", "The terrain needs finite coordinates; some points have none."
        )
    if len(rows) == 0:
        return np.empty(0)
    points = xyz[rows].astype(np.float64)
    lower = points[:, :2].min(axis=0) - _MARGIN
    upper = points[:, :2].max(axis=0) + _MARGIN
    is_near = np.all((xyz[:, :2] >= lower) & (xyz[:, :2] <= upper), axis=1)
    cloud = xyz[is_near]
    _check_extent(cloud)
    ground = cloud[classify_ground(cloud, subprogress(progress, 0, 0.2))].astype(np.float64)
    if len(ground) == 0:
        raise InputError(
            "terrain.no_ground",
            "The cloth simulation filter found no ground in the cloud, "
            "so there are no tree heights.",
        )

    def interpolate(report_progress: Progress) -> Floats:
        return interpolate_terrain(ground, points[:, :2], report_progress)

    return points[:, 2] - run_in_thread(interpolate, subprogress(progress, 0.2, 1))


def interpolate_terrain(
    ground: Floats, positions: Floats, progress: Progress = no_progress
) -> Floats:
    """Interpolate the height of the terrain at given positions.

    The terrain is a grid of 0.25 m. The height of a grid node is the mean of the 400 nearest ground
    points, weighted by the inverse distance; a ground point exactly at the node determines it
    alone. The ground points are first thinned to one per voxel of 0.05 m. Heights between four
    nodes are bilinear, and heights beyond the grid are those of its nearest edge. Only the nodes
    around the requested positions are computed.

    Args:
        ground: (G, 3) coordinates of the ground points, metres; G is at least 1.
        positions: (n, 2) positions x, y, metres.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        (n,) heights of the terrain, metres.

    >>> ground = np.array([[0.0, 0.0, 3.0], [1.0, 0.0, 3.0]])
    >>> interpolate_terrain(ground, np.array([[0.6, 0.0]])).tolist()
    [3.0]
    """
    points = _thin(ground)
    first_node = np.floor(points[:, :2].min(axis=0) / GRID_SPACING)
    last_node = np.floor(points[:, :2].max(axis=0) / GRID_SPACING) - first_node
    # One column more than there are nodes, so that the last node of a row has no neighbour in the
    # next row.
    n_columns = int(last_node[0]) + 2

    def locate(xy: Floats) -> tuple[Ints, Floats]:
        """Return the (n,) key of each position's lower left node and the (n, 2) offset from it."""
        node = np.clip(xy / GRID_SPACING - first_node, 0, last_node)
        lower_left = np.floor(node)
        key = (lower_left[:, 1] * n_columns + lower_left[:, 0]).astype(np.int64)
        return key, node - lower_left

    # Nodes are known by a key, row by row. These are the keys of the four nodes around a position,
    # relative to the lower left one.
    corner_keys = np.array([0, 1, n_columns, n_columns + 1])
    lower_left_keys = np.unique(locate(positions)[0])
    keys = np.unique(lower_left_keys[:, None] + corner_keys)
    column_and_row = np.stack([keys % n_columns, keys // n_columns], axis=1)
    nodes = (first_node + column_and_row) * GRID_SPACING
    node_heights = _weighted_heights(points, nodes, progress)

    heights = np.empty(len(positions))
    for rows in split_range(len(positions), _POINTS_PER_CHUNK):
        lower_left_key, offset = locate(positions[rows])
        x = offset[:, 0]
        y = offset[:, 1]
        # Rows and heights (4, n) of the nodes around each position.
        node_rows = np.searchsorted(keys, lower_left_key + corner_keys[:, None])
        corner_heights = node_heights[node_rows]
        lower_left, lower_right, upper_left, upper_right = corner_heights
        lower = lower_left * (1 - x) + lower_right * x
        upper = upper_left * (1 - x) + upper_right * x
        heights[rows] = lower * (1 - y) + upper * y
    return heights


def _weighted_heights(points: Floats, nodes: Floats, progress: Progress) -> Floats:
    """Compute mean heights of the nearest points, weighted by the inverse distance.

    Args:
        points: (G, 3) coordinates of the ground points, metres.
        nodes: (n, 2) x, y at which heights are computed, metres.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        (n,) heights, metres. A point exactly at a node determines its height alone.
    """
    tree = scipy.spatial.cKDTree(points[:, :2])
    nearest = np.arange(1, min(_N_NEIGHBOURS, len(points)) + 1)
    heights = np.empty(len(nodes))
    for rows in split_range(len(nodes), _NODES_AT_ONCE):
        distance, index = tree.query(nodes[rows], k=nearest)
        is_at_node = distance == 0
        with np.errstate(divide="ignore"):
            weight = np.where(is_at_node.any(axis=1, keepdims=True), is_at_node, 1 / distance)
        heights[rows] = (points[index, 2] * weight).sum(axis=1) / weight.sum(axis=1)
        progress(rows.stop / len(nodes))
    return heights


def _check_extent(xyz: Floats) -> None:
    """Raise InputError if a cloth over the points would have far more nodes than points."""
    width, height = np.ptp(xyz[:, :2].astype(np.float64), axis=0)
    n_nodes = (width / CLOTH_RESOLUTION) * (height / CLOTH_RESOLUTION)
    if n_nodes > max(_MAX_NODES, _MAX_NODES_PER_POINT * len(xyz)):
        raise InputError(
            "terrain.too_wide",
            "The predicted trees lie up to {distance:,.1f} km apart, too far for heights above "
            "the terrain from {points:,} points; remove points that lie far from the others, cut "
            "the cloud into plots, or leave the smallest tree height at 0.",
            distance=max(width, height) / 1000,
            points=len(xyz),
        )


def _thin(points: Floats) -> Floats:
    """Return for each voxel the point of (n, 3) points that is nearest to the voxel's centre."""
    voxel = np.floor(points / _VOXEL)
    distance = (((points / _VOXEL) - voxel - 0.5) ** 2).sum(axis=1)
    order = np.lexsort((distance, *voxel.T))
    is_first = np.any(np.diff(voxel[order], axis=0, prepend=np.nan) != 0, axis=1)
    return cast("Floats", points[order[is_first]])


def uncertain_predictions(
    points: LabelledPoints,
    xyz: Floats,
    min_height: float,
    min_share: float,
    is_labelled: ArrayLike | None = None,
    progress: Progress = no_progress,
) -> Bools:
    """Return the predictions of a cloud that are uncertain instead of false if they are unmatched.

    Args:
        points: the instances of N points, with P predictions.
        xyz: (N, 3) coordinates, metres.
        min_height: predictions whose highest point is lower than this above the terrain are
            uncertain, metres; 0 skips this test and the computation of the terrain.
        min_share: predictions with a smaller share of labelled points are uncertain.
        is_labelled: (N,) mask of the labelled points; by default the points of the targets.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        (P,) mask of the uncertain predictions.

    Raises:
        InputError: if the mask does not have one value per point, or the terrain cannot be found.

    >>> points = LabelledPoints.from_labels([0, 0, -1, -1], [0, 0, 1, 1])
    >>> uncertain_predictions(points, np.zeros((4, 3)), 0.0, 0.5).tolist()
    [False, True]
    """
    predictions = points.predictions
    is_uncertain = np.zeros(len(predictions.ids), dtype=bool)
    if len(is_uncertain) and min_share > 0:
        is_uncertain |= labelled_shares(points, is_labelled) < min_share
    if len(is_uncertain) and min_height > 0:
        rows, ends = points_by_instance(predictions)
        heights = height_above_terrain(xyz, rows[: ends[-1]], progress)
        is_uncertain |= np.maximum.reduceat(heights, ends[:-1]) < min_height
    return is_uncertain


def labelled_shares(points: LabelledPoints, is_labelled: ArrayLike | None = None) -> Floats:
    """Compute the share of each prediction's points that are labelled.

    Args:
        points: the instances of N points, with P predictions.
        is_labelled: (N,) mask of the labelled points; by default the points of the targets.

    Returns:
        (P,) shares, 0 to 1.

    Raises:
        InputError: if the mask does not have one true or false value per point.

    >>> points = LabelledPoints.from_labels([0, 0, -1, -1], [0, 0, 0, 0])
    >>> labelled_shares(points).tolist(), labelled_shares(points, [1, 1, 1, 0]).tolist()
    ([0.5], [0.75])
    """
    predictions = points.predictions
    n = len(predictions.ids)
    if is_labelled is None:
        n_in_targets = np.bincount(points.table.prediction, points.table.shared, n)
        return n_in_targets / predictions.n_points
    values = np.asarray(is_labelled)
    if values.shape != predictions.labels.shape:
        raise InputError(
            "labels.wrong_mask_length",
            "labeled_mask must have one value per point ({points}); it has {values}.",
            points=len(predictions.labels),
            values=values.size,
        )
    has_nan = values.dtype.kind == "f" and np.isnan(values).any()
    if values.dtype.kind not in "biuf" or has_nan:
        raise InputError(
            "labels.mask_not_boolean",
            "labeled_mask must say of every point whether it is labelled: true or false, 1 or 0.",
        )
    labelled_mask = values.astype(bool, copy=False)
    # Instance n collects the labelled points of no prediction.
    n_labelled = np.bincount(predictions.instance_at(labelled_mask), minlength=n)[:n]
    return n_labelled / predictions.n_points


def uncertain_polygons(
    targets: Objects,
    predictions: Objects,
    table: OverlapTable,
    min_share: float,
    heights: Floats,
    min_height: float,
) -> Bools:
    """Return the predicted polygons that are uncertain instead of false if they are unmatched.

    Args:
        targets: (T,) polygons.
        predictions: (P,) polygons.
        table: their overlap table.
        min_share: predictions of which a smaller share lies on targets are uncertain. Where
            several targets overlap, their common area counts once.
        heights: (P,) heights of the predictions; a NaN height is never too low.
        min_height: lower predictions are uncertain, in the unit of the heights.

    Returns:
        (P,) mask of the uncertain predictions.

    >>> targets = np.array([shapely.box(0, 0, 2, 1)])
    >>> predictions = np.array([shapely.box(1, 0, 3, 1)])
    >>> size = np.array([2.0])
    >>> table = OverlapTable(np.array([0]), np.array([0]), np.array([1.0]), size, size)
    >>> uncertain_polygons(targets, predictions, table, 0.6, np.array([5.0]), 0.0).tolist()
    [True]
    """
    n = len(predictions)
    covered = np.bincount(table.prediction, table.shared, n)
    overlaps_several = np.bincount(table.prediction, minlength=n) > 1
    for prediction in np.flatnonzero(overlaps_several).tolist():
        union = shapely.union_all(targets[table.target[table.prediction == prediction]])
        covered[prediction] = shapely.area(shapely.intersection(union, predictions[prediction]))
    share = covered / table.prediction_size
    # With the tolerance, rounding does not make a share that equals the minimum uncertain.
    return (share < min_share * (1 - 1e-12)) | (heights < min_height)
