"""The ground below a point cloud, from the cloth simulation filter (Zhang et al. 2016)."""

from __future__ import annotations

from typing import cast

import numpy as np
import shapely
from numpy.typing import ArrayLike
from scipy.spatial import cKDTree

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, slices
from randcrowns.core.errors import InputError
from randcrowns.core.instances.cloth import MESH, filter_ground
from randcrowns.core.instances.overlap import OverlapTable, rows_by_instance
from randcrowns.core.instances.points import LabelledPoints
from randcrowns.core.progress import Progress, aside, no_progress, part_of

#: Distance between the heights of the terrain grid, metres.
GRID = 0.25

_VOXEL = 0.05
_NEIGHBOURS = 400
#: A fraction of a second's work.
_NODES_AT_ONCE = 1 << 10
_PLACES_AT_ONCE = 1 << 18
#: Metres around the points asked for in which the ground is looked for.
_MARGIN = 10.0
#: A cloth may have so many nodes, or so many per point.
_MOST_NODES, _NODES_PER_POINT = 1 << 22, 8


def height_above_terrain(xyz: Floats, rows: Ints, progress: Progress = no_progress) -> Floats:
    """(n,) height of the points in ``rows`` of an (N, 3) cloud above the terrain below them, metres.

    Only what lies within 10 m of these points is looked at: points far away do not matter, and would take long.
    """
    if not np.isfinite(xyz).all():
        raise InputError("The terrain needs finite coordinates; some points have none.")
    if len(rows) == 0:
        return np.empty(0)
    asked = xyz[rows].astype(np.float64)
    low, high = asked[:, :2].min(axis=0) - _MARGIN, asked[:, :2].max(axis=0) + _MARGIN
    around = xyz[np.all((xyz[:, :2] >= low) & (xyz[:, :2] <= high), axis=1)]
    _check_extent(around)
    ground = around[filter_ground(around, part_of(progress, 0, 0.2))].astype(np.float64)
    if len(ground) == 0:
        raise InputError(
            "The cloth simulation filter found no ground in the cloud, so there are no tree heights."
        )
    return aside(
        lambda tell: asked[:, 2] - terrain_at(ground, asked[:, :2], tell), part_of(progress, 0.2, 1)
    )


def terrain_at(ground: Floats, places: Floats, progress: Progress = no_progress) -> Floats:
    """(n,) height of the terrain at (n, 2) places, metres, read off a grid of 0.25 m over (G, 3) ground points.

    The height of a node of the grid is the mean of the 400 nearest ground points (thinned to one per 0.05 m voxel),
    weighted by one over the distance; a ground point at the very place decides alone. Between four nodes it is
    bilinear, beyond the grid that of its edge.
    """
    points = _thinned(ground)
    low = np.floor(points[:, :2].min(axis=0) / GRID)
    last = np.floor(points[:, :2].max(axis=0) / GRID) - low
    across = int(last[0]) + 2  # one more: beside the last node of a row is none of the next

    def cell_of(some: Floats) -> tuple[Ints, Floats]:
        within = np.clip(some / GRID - low, 0, last)
        cell = np.floor(within)
        return (cell[:, 1] * across + cell[:, 0]).astype(np.int64), within - cell

    corners = np.array([0, 1, across, across + 1])
    cells = np.unique(cell_of(places)[0])
    keys = np.unique(cells[:, None] + corners)
    nodes = (low + np.stack([keys % across, keys // across], axis=1)) * GRID
    of_nodes = _weighted_heights(points, nodes, progress)
    heights = np.empty(len(places))
    for rows in slices(len(places), _PLACES_AT_ONCE):
        cell, part = cell_of(places[rows])
        x, y = part.T
        one, two, three, four = of_nodes[np.searchsorted(keys, cell + corners[:, None])]
        heights[rows] = (one * (1 - x) + two * x) * (1 - y) + (three * (1 - x) + four * x) * y
    return heights


def _weighted_heights(points: Floats, nodes: Floats, progress: Progress) -> Floats:
    tree = cKDTree(points[:, :2])
    nearest = np.arange(1, min(_NEIGHBOURS, len(points)) + 1)
    heights = np.empty(len(nodes))
    for some in slices(len(nodes), _NODES_AT_ONCE):
        distance, index = tree.query(nodes[some], k=nearest)
        at_node = distance == 0
        with np.errstate(divide="ignore"):
            weight = np.where(at_node.any(axis=1, keepdims=True), at_node, 1 / distance)
        heights[some] = (points[index, 2] * weight).sum(axis=1) / weight.sum(axis=1)
        progress(some.stop / len(nodes))
    return heights


def _check_extent(xyz: Floats) -> None:
    """Refuse a cloth that would have far more nodes than there are points."""
    east, north = np.ptp(xyz[:, :2].astype(np.float64), axis=0)
    nodes = (east / MESH) * (north / MESH)
    if nodes > max(_MOST_NODES, _NODES_PER_POINT * len(xyz)):
        said = (
            "The predicted trees lie up to {distance:,.1f} km apart, too far for heights above the terrain from "
            "{points:,} points; remove points that lie far from the others, cut the cloud into plots, or leave the "
            "smallest tree height at 0."
        )
        raise InputError(said, distance=max(east, north) / 1000, points=len(xyz))


def _thinned(points: Floats) -> Floats:
    """One point per voxel: the one nearest to the voxel's centre."""
    voxel = np.floor(points / _VOXEL)
    off_centre = (((points / _VOXEL) - voxel - 0.5) ** 2).sum(axis=1)
    order = np.lexsort((off_centre, *voxel.T))
    new = np.any(np.diff(voxel[order], axis=0, prepend=np.nan) != 0, axis=1)
    return cast("Floats", points[order[new]])


def uncertain_predictions(
    points: LabelledPoints,
    xyz: Floats,
    min_height: float,
    min_share: float,
    labelled: ArrayLike | None = None,
    progress: Progress = no_progress,
) -> Bools:
    """(P,) predictions that, unmatched, would be uncertain.

    Args:
        xyz: (N, 3) coordinates.
        min_height: uncertain if no point is at least this far above the terrain, metres; 0 leaves the terrain out.
        min_share: uncertain if a smaller share of the points is labelled.
        labelled: (N,) which points are labelled; without it those of a target.

    Raises:
        InputError: unless there is one mask value per point; or if the terrain cannot be found.
    """
    predictions = points.predictions
    unsure = np.zeros(len(predictions.ids), dtype=bool)
    if len(unsure) and min_share > 0:
        unsure |= labelled_shares(points, labelled) < min_share
    if len(unsure) and min_height > 0:
        rows, ends = rows_by_instance(predictions)
        heights = height_above_terrain(xyz, rows[: ends[-1]], progress)
        unsure |= np.maximum.reduceat(heights, ends[:-1]) < min_height
    return unsure


def labelled_shares(points: LabelledPoints, labelled: ArrayLike | None = None) -> Floats:
    """(P,) share of each prediction's points that are labelled; without a mask, that belong to a target."""
    predictions = points.predictions
    n = len(predictions.ids)
    if labelled is None:
        return (
            np.bincount(points.table.prediction, weights=points.table.shared, minlength=n)
            / predictions.size
        )
    mask = np.asarray(labelled)
    if mask.shape != predictions.labels.shape:
        said = "labeled_mask must have one value per point ({points}); it has {values}."
        raise InputError(said, points=len(predictions.labels), values=mask.size)
    if mask.dtype.kind not in "biuf" or (mask.dtype.kind == "f" and np.isnan(mask).any()):
        raise InputError(
            "labeled_mask must say of every point whether it is labelled: true or false, 1 or 0."
        )
    mask = mask.astype(bool, copy=False)
    number = np.bincount(predictions.of(mask), minlength=n)
    return number[:n] / predictions.size


def uncertain_polygons(
    targets: Objects,
    predictions: Objects,
    table: OverlapTable,
    min_share: float,
    heights: Floats,
    min_height: float,
) -> Bools:
    """(P,) predicted polygons that, unmatched, would be uncertain.

    Args:
        targets, predictions: (T,) and (P,) polygons.
        table: what they share.
        min_share: uncertain if a smaller share of the area lies on targets; what several cover counts once.
        heights: (P,) height of each prediction; NaN is not low.
        min_height: uncertain if lower, in the unit of the heights.

    >>> one, two = shapely.box(0, 0, 2, 1), shapely.box(1, 0, 3, 1)
    >>> table = OverlapTable(np.array([0]), np.array([0]), np.array([1.0]), np.array([2.0]), np.array([2.0]))
    >>> uncertain_polygons(np.array([one]), np.array([two]), table, 0.6, np.array([5.0]), 0.0).tolist()
    [True]
    """
    n = len(predictions)
    covered = np.bincount(table.prediction, table.shared, n)
    several = np.flatnonzero(np.bincount(table.prediction, minlength=n) > 1)
    for place in several.tolist():
        joint = shapely.union_all(targets[table.target[table.prediction == place]])
        covered[place] = shapely.area(shapely.intersection(joint, predictions[place]))
    share = covered / table.prediction_size
    return (share < min_share * (1 - 1e-12)) | (heights < min_height)
