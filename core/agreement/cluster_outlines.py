"""One outline of each cluster of crowns: majority, signed distances, STAPLE or the medoid."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import shapely

from randcrowns.core.agreement.consensus import EstimationOptions, marked_polygons
from randcrowns.core.agreement.crown_clusters import CrownClusters
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Floats, Ints, Objects, split_array
from randcrowns.core.geometry.areas import extract_polygons
from randcrowns.core.geometry.star_levels import star_levels
from randcrowns.core.progress import Progress, map_in_threads, no_progress
from randcrowns.core.status import TextEnum

#: Number of clusters whose outlines are made between two progress reports.
_BATCH = 50
#: Number of cells along the longer side of a cluster, in which signed distances are computed.
_CELLS = 64


class OutlineMethod(TextEnum):
    """Method that makes one outline of the crowns of a cluster."""

    #: Area that at least half of the crowns cover; ties are covered.
    MAJORITY = "majority"
    #: Area with a median of the signed distances to the outlines of 0 or less (after the
    #: shape-based averaging of Rohlfing and Maurer 2007).
    MEDIAN = "median"
    #: Area that STAPLE (Warfield et al. 2004) estimates in the bounding box of the cluster.
    STAPLE = "staple"
    #: The crown with the largest mean IoU with all others; the larger one of two.
    MEDOID = "medoid"


def cluster_outlines(
    crowns: Objects,
    clusters: CrownClusters,
    method: OutlineMethod | str = OutlineMethod.MAJORITY,
    estimation: EstimationOptions | None = None,
    progress: Progress = no_progress,
) -> Objects:
    """Make one outline of each cluster.

    Args:
        crowns: (N,) valid polygons, metres.
        clusters: clusters of these crowns.
        method: an :class:`OutlineMethod` or its name.
        estimation: options of STAPLE.
        progress: called with the fraction done; may raise to cancel.

    Returns:
        (n_clusters,) polygons and multipolygons. The only crown of a cluster is its outline.

    Raises:
        InputError: if the method is unknown.

    >>> from randcrowns.core.agreement.crown_clusters import cluster_crowns
    >>> crowns = shapely.box([0, 1, 1], 0, [4, 4, 5], 4)
    >>> clusters = cluster_crowns(crowns, np.arange(3))
    >>> [outline.bounds for outline in cluster_outlines(crowns, clusters)]
    [(1.0, 0.0, 4.0, 4.0)]
    """
    rule = OutlineMethod.from_value(method, "outline method")
    if rule is OutlineMethod.MEDOID:
        return crowns[medoids(crowns, clusters)]
    compute_areas: Callable[[Objects], Objects]
    if rule is OutlineMethod.MAJORITY:
        compute_areas = majority_areas
    elif rule is OutlineMethod.MEDIAN:
        compute_areas = median_areas
    else:
        compute_areas = partial(staple_areas, estimation=estimation or EstimationOptions())
    outlines = np.empty(clusters.n_clusters, dtype=object)

    def compute_batch(members: Ints) -> None:
        """Compute the outlines of clusters whose crowns are the rows ``members`` (n, k)."""
        cluster_numbers = clusters.cluster[members[:, 0]]
        outlines[cluster_numbers] = compute_areas(crowns[members])

    batches = _batches_of_equal_size(clusters)
    # The batches have no results of their own.
    for _ in map_in_threads(compute_batch, batches, progress):
        pass
    return outlines


def _batches_of_equal_size(clusters: CrownClusters) -> list[Ints]:
    """Return the rows (n, k) of the crowns of clusters, in batches of clusters of one size k."""
    rows_by_cluster = np.argsort(clusters.cluster, kind="stable")
    sizes = clusters.sizes
    starts = np.cumsum(sizes) - sizes
    batches = []
    for size in np.unique(sizes).tolist():
        starts_of_size = starts[sizes == size]
        positions = starts_of_size[:, np.newaxis] + np.arange(size)
        batches += split_array(rows_by_cluster[positions], _BATCH)
    return batches


def medoids(crowns: Objects, clusters: CrownClusters) -> Ints:
    """Return the row of the crown of each cluster that is most similar to all others.

    Args:
        crowns: (N,) polygons.
        clusters: clusters of these crowns.

    Returns:
        (n_clusters,) row of the crown with the largest mean IoU; of several the larger crown, then
        the lower row.

    >>> from randcrowns.core.agreement.crown_clusters import cluster_crowns
    >>> crowns = shapely.box([0, 1, 1], 0, [4, 4, 5], 4)
    >>> medoids(crowns, cluster_crowns(crowns, np.arange(3))).tolist()
    [1]
    """
    # Sums of the same IoU in another order must tie.
    similarity = np.round(clusters.similarity(), 8)
    # numpy sorts by the last key first.
    order = np.lexsort((-shapely.area(crowns), -similarity, clusters.cluster))
    _, first_positions = np.unique(clusters.cluster[order], return_index=True)
    return np.asarray(order[first_positions])


def majority_areas(members: Objects) -> Objects:
    """Return the area of each cluster that at least half of its crowns cover; ties are covered.

    Args:
        members: (n, k) crowns of n clusters.

    Returns:
        (n,) polygons and multipolygons; empty where no area is covered often enough.

    >>> members = np.array([shapely.box([0, 1, 1], 0, [4, 4, 5], 4)])
    >>> majority_areas(members)[0].bounds
    (1.0, 0.0, 4.0, 4.0)
    """
    return covered_at_least(members, (members.shape[1] + 1) // 2)


def covered_at_least(members: Objects, count: int) -> Objects:
    """Return the area of each cluster that at least a number of its crowns cover.

    Args:
        members: (n, k) crowns of n clusters.
        count: minimum number of crowns, 1 to k.

    Returns:
        (n,) polygons and multipolygons; empty where no area is covered often enough.

    >>> members = np.array([shapely.box([0, 1, 2], 0, [4, 5, 6], 4)])
    >>> [covered_at_least(members, count)[0].bounds[::2] for count in (1, 2, 3)]
    [(0.0, 6.0), (1.0, 5.0), (2.0, 4.0)]
    """
    if members.shape[1] == 1:
        return np.asarray(members[:, 0])
    # Most clusters are seen whole from their centre, which takes a twentieth of the time.
    levels = star_levels(members, count)
    others = np.flatnonzero(~levels.is_star_shaped)
    if len(others):
        levels.areas[others] = _overlay_levels(members[others], count)
    return levels.areas


def _overlay_levels(members: Objects, count: int) -> Objects:
    """Return the area (n,) that at least ``count`` of the crowns (n, k) of each cluster cover.

    The area that j of the first i crowns cover is the area that j of the first i - 1 cover,
    together with the part of the i-th crown that j - 1 of them cover.
    """
    n_members = members.shape[1]
    # Level j is the area that at least j of the crowns so far cover.
    levels: dict[int, Objects] = {1: members[:, 0]}
    for number in range(2, n_members + 1):
        crown = members[:, number - 1]
        # Lower levels can no longer reach the count with the crowns that follow.
        lowest = max(1, count - (n_members - number))
        new_levels: dict[int, Objects] = {}
        for level in range(lowest, min(number, count) + 1):
            added = crown
            if level > 1:
                added = extract_polygons(shapely.intersection(levels[level - 1], crown))
            if level in levels:
                added = shapely.union(levels[level], added)
            new_levels[level] = extract_polygons(added)
        levels = new_levels
    return levels[count]


def staple_areas(members: Objects, estimation: EstimationOptions) -> Objects:
    """Return the area of each cluster that STAPLE estimates from its crowns.

    The study area of each estimation is the bounding box of the cluster.

    Args:
        members: (n, k) crowns of n clusters.
        estimation: options of STAPLE.

    Returns:
        (n,) polygons and multipolygons.

    >>> members = np.array([shapely.box([0, 1, 1], 0, [4, 4, 4], 4)])
    >>> staple_areas(members, EstimationOptions(prior="mean"))[0].bounds
    (1.0, 0.0, 4.0, 4.0)
    """
    if members.shape[1] == 1:
        return np.asarray(members[:, 0])
    areas = np.empty(len(members), dtype=object)
    for row, crowns in enumerate(members):
        # Each crown is the layer of an annotator.
        layers = [crowns[[number]] for number in range(len(crowns))]
        bounding_box = shapely.box(*shapely.total_bounds(crowns))
        votes = VoteTable.from_polygons(layers, bounding_box)
        # An outline never reaches beyond the crowns that it is made from.
        is_marked = estimation.staple(votes).marked & (votes.n_yes > 0)
        areas[row] = shapely.union_all(marked_polygons(votes, is_marked))
    return areas


def median_areas(members: Objects) -> Objects:
    """Return the area of each cluster whose median signed distance to its crowns is 0 or less.

    The distance to an outline is negative inside the outline. If a cluster has an odd number of
    crowns, the median is negative exactly where more than half of the crowns cover the area. If it
    has an even number, the median is the mean of the two middle distances. This mean is computed at
    the nodes of a grid and is interpolated between the nodes.

    Args:
        members: (n, k) crowns of n clusters.

    Returns:
        (n,) polygons and multipolygons.

    >>> members = np.array([shapely.box(0, 0, [4, 6], 4)])
    >>> round(median_areas(members)[0].bounds[2], 6)
    5.0
    """
    n_members = members.shape[1]
    if n_members % 2:
        return covered_at_least(members, (n_members + 1) // 2)
    areas = np.empty(len(members), dtype=object)
    for row, crowns in enumerate(members):
        areas[row] = _median_area(crowns)
    return areas


def _median_area(crowns: Objects) -> shapely.Geometry:
    """Return the area whose median signed distance to crowns (k,) is 0 or less."""
    xmin, ymin, xmax, ymax = shapely.total_bounds(crowns)
    cell = max(xmax - xmin, ymax - ymin) / _CELLS
    # The outer nodes lie outside of all crowns, so that all outlines are closed.
    x = np.arange(xmin - cell, xmax + 2 * cell, cell)
    y = np.arange(ymin - cell, ymax + 2 * cell, cell)
    nodes = np.stack(np.meshgrid(x, y), axis=-1)
    distances = np.stack([_signed_distances(crown, nodes) for crown in crowns])
    return negative_area(nodes, np.median(distances, axis=0))


def _signed_distances(crown: shapely.Geometry, nodes: Floats) -> Floats:
    """Return the distances (rows, columns) of nodes to an outline, negative inside of it.

    Args:
        crown: the polygon.
        nodes: (rows, columns, 2) coordinates.
    """
    rings = shapely.get_rings(shapely.get_parts(crown))
    points, ring_of_point = shapely.get_coordinates(rings, return_index=True)
    # Each point and the next one form an edge, unless the next one begins another ring.
    is_edge = ring_of_point[1:] == ring_of_point[:-1]
    start = points[:-1][is_edge]
    step = points[1:][is_edge] - start
    squared_length = np.maximum((step**2).sum(axis=1), np.finfo(float).tiny)
    squared_distances = np.full(nodes.shape[:2], np.inf)
    # A row of nodes at a time needs little memory.
    for row, row_nodes in enumerate(nodes):
        offset = row_nodes[:, np.newaxis, :] - start
        # Position of the nearest point of each edge, from 0 at its start to 1 at its end.
        position = np.clip((offset * step).sum(axis=2) / squared_length, 0.0, 1.0)
        to_nearest = offset - position[:, :, np.newaxis] * step
        squared_distances[row] = (to_nearest**2).sum(axis=2).min(axis=1)
    is_inside = shapely.contains_xy(crown, nodes[..., 0], nodes[..., 1])
    signs = np.where(is_inside, -1.0, 1.0)
    return np.asarray(signs * np.sqrt(squared_distances))


def negative_area(nodes: Floats, values: Floats) -> shapely.Geometry:
    """Return the area in which values at the nodes of a grid are negative.

    Each cell is cut into two triangles, in which the values are interpolated linearly.

    Args:
        nodes: (rows, columns, 2) coordinates of the nodes.
        values: (rows, columns) values, positive along the edge of the grid. A value of 0 counts as
            positive.

    >>> nodes = np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), axis=-1)
    >>> values = np.abs(nodes[..., 0] - 2) - 1.5
    >>> values[[0, -1]] = 1.0
    >>> negative_area(nodes, values).bounds[::2]
    (0.5, 3.5)
    """
    triangles = _triangle_nodes(values.shape)
    corner_values = values.reshape(-1)[triangles]
    has_negative = (corner_values < 0).any(axis=1)
    has_positive = (corner_values >= 0).any(axis=1)
    is_crossed = has_negative & has_positive
    corners = triangles[is_crossed]
    is_negative = corner_values[is_crossed] < 0
    # One corner has another sign than the two others; the outline crosses its two sides.
    is_lone_negative = is_negative.sum(axis=1) == 1
    has_lone_sign = is_negative == is_lone_negative[:, np.newaxis]
    lone = has_lone_sign.argmax(axis=1)
    triangle_rows = np.arange(len(corners))
    lone_nodes = corners[triangle_rows, lone]
    next_nodes = corners[triangle_rows, (lone + 1) % 3]
    last_nodes = corners[triangle_rows, (lone + 2) % 3]
    starts = _crossing_points(nodes, values, lone_nodes, next_nodes)
    ends = _crossing_points(nodes, values, lone_nodes, last_nodes)
    has_length = (starts != ends).any(axis=1)
    if not has_length.any():
        return shapely.Polygon()
    segments = np.stack([starts, ends], axis=1)[has_length]
    outlines = shapely.multilinestrings(shapely.linestrings(segments))
    area = np.array([shapely.build_area(outlines)], dtype=object)
    return extract_polygons(area)[0]


def _triangle_nodes(shape: tuple[int, ...]) -> Ints:
    """Return the numbers (n, 3) of the nodes of the two triangles of each cell of a grid."""
    number = np.arange(np.prod(shape)).reshape(shape)
    lower_left = number[:-1, :-1].reshape(-1)
    lower_right = number[:-1, 1:].reshape(-1)
    upper_left = number[1:, :-1].reshape(-1)
    upper_right = number[1:, 1:].reshape(-1)
    lower = np.stack([lower_left, lower_right, upper_right], axis=1)
    upper = np.stack([lower_left, upper_right, upper_left], axis=1)
    return np.concatenate([lower, upper])


def _crossing_points(nodes: Floats, values: Floats, first: Ints, second: Ints) -> Floats:
    """Return the points (n, 2) between pairs of nodes at which interpolated values are 0.

    The point of a side is the same whichever triangle it is computed for.

    Args:
        nodes: (rows, columns, 2) coordinates of the nodes.
        values: (rows, columns) values.
        first: (n,) number of a node of each pair.
        second: (n,) number of the other node, whose value has the other sign.
    """
    low_node = np.minimum(first, second)
    high_node = np.maximum(first, second)
    points = nodes.reshape(-1, 2)
    node_values = values.reshape(-1)
    start = points[low_node]
    end = points[high_node]
    start_value = node_values[low_node]
    end_value = node_values[high_node]
    share = start_value / (start_value - end_value)
    return np.asarray(start + share[:, np.newaxis] * (end - start))
