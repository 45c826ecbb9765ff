"""Clusters of crowns: the outlines that several annotators drew of one tree.

A cluster contains at most one crown of each annotator. It is found by agglomerative clustering with
average linkage (UPGMA, Sokal and Michener 1958) under cannot-link constraints (Davidson and Ravi
2005): the two clusters with the largest mean IoU between their crowns are joined first. Clusters
are joined only if this mean reaches the threshold and no annotator has a crown in both.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np
import scipy
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, split_range
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import (
    MAX_PAIRS,
    MAX_PAIRS_PER_POLYGON,
    too_many_pairs_error,
)
from randcrowns.core.instances.overlap import pair_overlap
from randcrowns.core.progress import (
    Progress,
    even_slices,
    iterate_with_progress,
    no_progress,
    subprogress,
)
from randcrowns.core.statistics import compute_iou
from randcrowns.core.thresholds import SCORE_TOLERANCE, reaches

#: Default IoU from which crowns of two annotators can be the same tree.
DEFAULT_MATCH_IOU = 0.5
#: Number of crowns whose neighbours are found between two progress reports. Where thousands of
#: crowns lie in one spot, each of them has thousands of neighbours.
_BATCH = 64
#: Number of pairs whose bounding boxes are compared at a time.
_PAIRS_PER_BLOCK = 1_000_000
#: Number of pairs of one component that is allowed in an agglomeration. A pair takes about 450
#: bytes in it.
_MAX_OPEN_PAIRS = 1_500_000
#: Number of pairs of smaller components that are agglomerated together.
_OPEN_PAIRS_PER_BLOCK = 200_000
#: Number of joins, and of thousands of links, between two progress reports.
_STEPS_PER_REPORT = 100


class CrownPairs(NamedTuple):
    """Pairs of crowns of different annotators, with the lower row first.

    Attributes:
        first: (n,) row of one crown, ascending.
        second: (n,) row of the other crown.
        iou: (n,) their intersection over union.
    """

    first: Ints
    second: Ints
    iou: Floats

    def select(self, is_selected: Bools | Ints | slice) -> CrownPairs:
        """Return the pairs of a mask (n,), of rows or of a slice."""
        return CrownPairs(self.first[is_selected], self.second[is_selected], self.iou[is_selected])


@dataclass(frozen=True, eq=False)
class CrownClusters:
    """Clusters of N crowns.

    Attributes:
        cluster: (N,) number of the cluster of each crown, from 0, in order of their first crowns.
        pairs: pairs of crowns of the same cluster; pairs that share no area are not listed.
    """

    cluster: Ints
    pairs: CrownPairs

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return int(self.cluster.max(initial=-1)) + 1

    @property
    def sizes(self) -> Ints:
        """(n_clusters,) number of crowns of each cluster."""
        return np.bincount(self.cluster, minlength=self.n_clusters)

    def similarity(self) -> Floats:
        """Return the mean IoU (N,) of each crown with the others of its cluster; 1 if alone."""
        n_crowns = len(self.cluster)
        n_others = self.sizes[self.cluster] - 1
        # Each pair counts for both of its crowns.
        total = np.bincount(self.pairs.first, self.pairs.iou, n_crowns)
        total += np.bincount(self.pairs.second, self.pairs.iou, n_crowns)
        return np.where(n_others > 0, total / np.maximum(n_others, 1), 1.0)


def cluster_crowns(
    crowns: Objects,
    annotator: Ints,
    threshold: float = DEFAULT_MATCH_IOU,
    progress: Progress = no_progress,
) -> CrownClusters:
    """Cluster the crowns of several annotators, at most one crown of each annotator in a cluster.

    Of several joins with the same mean IoU, that of the lowest rows is done first. For a result
    that does not depend on the order of layers, pass the crowns in an order of their own.

    Args:
        crowns: (N,) valid polygons of all annotators, metres.
        annotator: (N,) number of the annotator of each crown, from 0.
        threshold: mean IoU from which clusters are joined, above 0 and at most 1.
        progress: called with the fraction done; may raise to cancel.

    Raises:
        InputError: if the threshold is invalid, or too many crowns lie in one spot.

    >>> crowns = shapely.box([0, 0.5, 9], 0, [4, 4.5, 12], 4)
    >>> cluster_crowns(crowns, np.array([0, 1, 1])).cluster.tolist()
    [0, 0, 1]
    """
    _check_threshold(threshold)
    candidates = _find_candidates(crowns, annotator, subprogress(progress, 0.0, 0.2))
    can_match = _can_reach(crowns, candidates, threshold, subprogress(progress, 0.2, 0.3))
    near_pairs = _measure(crowns, candidates[:, can_match], subprogress(progress, 0.3, 0.7))
    links = near_pairs.select(reaches(near_pairs.iou, threshold))

    # Every mean between two components is below the threshold, because every pair is. The other
    # candidates are needed only within components that are not clusters as they are.
    component = _components(links, len(crowns))
    is_settled = _are_settled(links, component, annotator)
    other_candidates = candidates[:, ~can_match]
    first_component, second_component = component[other_candidates]
    is_needed = (first_component == second_component) & ~is_settled[first_component]
    far_pairs = _measure(crowns, other_candidates[:, is_needed], subprogress(progress, 0.7, 0.8))
    pairs = _join_pairs(near_pairs, far_pairs)
    return cluster_pairs(pairs, annotator, threshold, subprogress(progress, 0.8, 1.0))


def cluster_pairs(
    pairs: CrownPairs,
    annotator: Ints,
    threshold: float = DEFAULT_MATCH_IOU,
    progress: Progress = no_progress,
) -> CrownClusters:
    """Cluster crowns as :func:`cluster_crowns` does, from the IoU of their pairs alone.

    Args:
        pairs: all pairs of crowns of different annotators that share an area, in ascending order.
            Pairs that cannot influence the clusters may be absent.
        annotator: (N,) number of the annotator of each crown, from 0.
        threshold: mean IoU from which clusters are joined, above 0 and at most 1.
        progress: called with the fraction done; may raise to cancel.

    Raises:
        InputError: if the threshold is invalid, or too many crowns lie in one spot.

    >>> pairs = CrownPairs(np.array([0, 1]), np.array([1, 2]), np.array([0.7, 0.4]))
    >>> cluster_pairs(pairs, np.array([0, 1, 2])).cluster.tolist()
    [0, 0, 1]
    """
    _check_threshold(threshold)
    links = pairs.select(reaches(pairs.iou, threshold))
    component = _components(links, len(annotator))
    is_settled = _are_settled(links, component, annotator)
    is_open = ~is_settled[component]
    is_in_component = component[pairs.first] == component[pairs.second]
    open_pairs = pairs.select(is_open[pairs.first] & is_in_component)
    open_rows = np.flatnonzero(is_open)
    # Each cluster is known by its lowest row.
    lowest_row = _first_rows(component)
    lowest_row[open_rows] = _agglomerate(
        open_rows, open_pairs, component, annotator, threshold, progress
    )
    _, cluster_numbers = np.unique(lowest_row, return_inverse=True)
    cluster = cluster_numbers.reshape(-1)  # its shape differs between versions of numpy
    progress(1.0)
    is_in_cluster = cluster[pairs.first] == cluster[pairs.second]
    return CrownClusters(cluster, pairs.select(is_in_cluster))


def _check_threshold(threshold: float) -> None:
    """Raise an InputError if an IoU is not above 0 and at most 1."""
    if not 0 < threshold <= 1:
        raise InputError(
            "consensus.invalid_match_iou",
            "The IoU of crowns that are the same tree must be above 0 and at most 1, not "
            "{threshold:g}.",
            threshold=threshold,
        )


def _find_candidates(crowns: Objects, annotator: Ints, progress: Progress) -> Ints:
    """Find the pairs of crowns of different annotators whose bounding boxes overlap.

    Args:
        crowns: (N,) polygons.
        annotator: (N,) annotator of each crown.
        progress: called with the fraction done.

    Returns:
        (2, n) rows of the two crowns of each pair, the lower one first, in ascending order.

    Raises:
        InputError: if there are too many pairs.
    """
    bounds = shapely.bounds(crowns)
    # The tree gets a copy, because shapely 2.0.0 makes the array of its tree read-only.
    tree = shapely.STRtree(crowns.copy())
    candidate_blocks = [np.empty((2, 0), dtype=np.int64)]
    n_pairs = 0
    limit = max(MAX_PAIRS, MAX_PAIRS_PER_POLYGON * len(crowns))
    for rows in split_range(len(crowns), _BATCH):
        xmin, ymin, xmax, ymax = bounds[rows].T
        batch_rows, second = tree.query(shapely.box(xmin, ymin, xmax, ymax))
        first = batch_rows + rows.start
        # Each pair is found from both of its crowns.
        is_pair = (first < second) & (annotator[first] != annotator[second])
        block = np.stack([first[is_pair], second[is_pair]])
        order = np.lexsort((block[1], block[0]))
        candidate_blocks.append(block[:, order])
        n_pairs += len(order)
        if n_pairs > limit:
            raise too_many_pairs_error(limit)
        progress(rows.stop / len(crowns))
    return np.concatenate(candidate_blocks, axis=1)


def _can_reach(crowns: Objects, candidates: Ints, threshold: float, progress: Progress) -> Bools:
    """Return a mask (n,) of the pairs whose IoU may reach the threshold.

    Args:
        crowns: (N,) polygons.
        candidates: (2, n) rows of the two crowns of each pair.
        threshold: IoU to be reached.
        progress: called with the fraction done.
    """
    n_candidates = candidates.shape[1]
    can_reach = np.empty(n_candidates, dtype=bool)
    blocks = list(split_range(n_candidates, _PAIRS_PER_BLOCK))
    for block, _ in iterate_with_progress(blocks, progress):
        largest_iou = _largest_possible_iou(crowns, candidates[:, block])
        can_reach[block] = reaches(largest_iou, threshold)
    return can_reach


def _largest_possible_iou(crowns: Objects, candidates: Ints) -> Floats:
    """Return an upper bound (n,) of the IoU of pairs, from their areas and bounding boxes.

    Args:
        crowns: (N,) polygons.
        candidates: (2, n) rows of the two crowns of each pair.
    """
    first_rows, second_rows = candidates
    boxes = shapely.bounds(crowns)
    first_box = boxes[first_rows]
    second_box = boxes[second_rows]
    # Width and height of the common part of both boxes.
    upper_right = np.minimum(first_box[:, 2:], second_box[:, 2:])
    lower_left = np.maximum(first_box[:, :2], second_box[:, :2])
    common_area = np.maximum(upper_right - lower_left, 0.0).prod(axis=1)
    areas = shapely.area(crowns)
    first_area = areas[first_rows]
    second_area = areas[second_rows]
    shared = np.minimum(common_area, np.minimum(first_area, second_area))
    return compute_iou(shared, first_area, second_area)


def _measure(crowns: Objects, candidates: Ints, progress: Progress) -> CrownPairs:
    """Return the candidate pairs (2, n) that share an area, with their IoU."""
    layer = Crowns.from_validated(crowns, np.arange(len(crowns)))
    table = pair_overlap(layer, layer, candidates[0], candidates[1], progress)
    return CrownPairs(table.target, table.prediction, table.iou)


def _join_pairs(one: CrownPairs, other: CrownPairs) -> CrownPairs:
    """Return the pairs of both lists, in ascending order."""
    first = np.concatenate([one.first, other.first])
    second = np.concatenate([one.second, other.second])
    iou = np.concatenate([one.iou, other.iou])
    order = np.lexsort((second, first))
    return CrownPairs(first=first[order], second=second[order], iou=iou[order])


def _components(links: CrownPairs, n_crowns: int) -> Ints:
    """Return the number (n_crowns,) of the component of linked crowns that each crown is in."""
    weights = np.ones(len(links.first))
    graph = scipy.sparse.coo_matrix(
        (weights, (links.first, links.second)), shape=(n_crowns, n_crowns)
    )
    return np.asarray(
        scipy.sparse.csgraph.connected_components(graph, directed=False)[1], dtype=np.int64
    )


def _are_settled(links: CrownPairs, component: Ints, annotator: Ints) -> Bools:
    """Return a mask (C,) of the components that are clusters as they are.

    Each annotator has at most one crown in them, and all pairs of their crowns are linked.

    Args:
        links: pairs of crowns that reach the threshold.
        component: (N,) component of each crown.
        annotator: (N,) annotator of each crown.
    """
    size = np.bincount(component)
    n_links = np.bincount(component[links.first], minlength=len(size))
    n_possible_links = size * (size - 1) // 2
    is_complete = n_links == n_possible_links
    # Each annotator of a component once: as many as crowns if none has several.
    component_of_annotator, _ = np.unique(np.stack([component, annotator]), axis=1)
    n_annotators = np.bincount(component_of_annotator, minlength=len(size))
    return np.asarray(is_complete & (n_annotators == size))


def _first_rows(component: Ints) -> Ints:
    """Return the lowest row (N,) of the component of each crown."""
    return np.unique(component, return_index=True)[1][component]


def _agglomerate(
    rows: Ints,
    pairs: CrownPairs,
    component: Ints,
    annotator: Ints,
    threshold: float,
    progress: Progress,
) -> Ints:
    """Cluster crowns by average linkage under the constraint of one crown per annotator.

    Components are independent of each other. They are clustered in blocks, so that memory grows
    with the largest component only.

    Args:
        rows: (n,) rows of the crowns, ascending.
        pairs: all pairs of these crowns that share an area, in ascending order.
        component: (N,) component of each crown.
        annotator: (N,) annotator of each crown.
        threshold: mean IoU from which clusters are joined.
        progress: called with the fraction done.

    Returns:
        (n,) lowest row in the cluster of each crown.

    Raises:
        InputError: if a component has too many pairs.
    """
    sorted_pairs, load = _sort_by_component(pairs, component)
    row_order = np.argsort(component[rows], kind="stable")
    component_of_row = component[rows[row_order]]
    lowest = rows.copy()
    blocks = even_slices(load, _OPEN_PAIRS_PER_BLOCK)
    for block, block_progress in iterate_with_progress(blocks, progress):
        block_pairs = sorted_pairs.select(block)
        first_component = component[block_pairs.first[0]]
        last_component = component[block_pairs.first[-1]]
        start = np.searchsorted(component_of_row, first_component)
        stop = np.searchsorted(component_of_row, last_component, side="right")
        # Clusters are known by their lowest row, so the rows of each block are in order.
        members = np.sort(row_order[start:stop])
        clusters = _OpenClusters(rows[members], annotator, threshold)
        clusters.add_links(block_pairs, subprogress(block_progress, 0.0, 0.4))
        clusters.join_all(subprogress(block_progress, 0.4, 1.0))
        lowest[members] = clusters.lowest_rows(rows[members])
    return lowest


def _sort_by_component(pairs: CrownPairs, component: Ints) -> tuple[CrownPairs, Ints]:
    """Return the pairs sorted by component, and the number (n,) of pairs up to each component.

    Raises:
        InputError: if a component has too many pairs.
    """
    component_of_pair = component[pairs.first]
    n_pairs = np.bincount(component_of_pair)
    if n_pairs.max(initial=0) > _MAX_OPEN_PAIRS:
        raise too_many_pairs_error(_MAX_OPEN_PAIRS)
    order = np.argsort(component_of_pair, kind="stable")
    pairs_up_to_component = np.cumsum(n_pairs)
    return pairs.select(order), pairs_up_to_component[component_of_pair[order]]


class _OpenClusters:
    """Clusters that are joined pair by pair; each is known by its lowest row.

    Args:
        rows: (n,) rows of the crowns; each crown is a cluster at first.
        annotator: (N,) annotator of each crown.
        threshold: mean IoU from which clusters are joined.
    """

    def __init__(self, rows: Ints, annotator: Ints, threshold: float) -> None:
        self._threshold = threshold
        keys = rows.tolist()
        self._members = {key: [key] for key in keys}
        #: Bit of each annotator with a crown in the cluster.
        self._annotators = {key: 1 << int(annotator[key]) for key in keys}
        #: Sum of the IoU of all pairs of crowns of two clusters.
        self._links: dict[int, dict[int, float]] = {key: {} for key in keys}
        #: Possible joins (priority, first, second, number of crowns in both); the number is out of
        #: date after one of the clusters was joined with another.
        self._queue: list[tuple[int, int, int, int]] = []

    def add_link(self, first: int, second: int, total_iou: float) -> None:
        """Link two clusters of different annotators, and queue them if they can be joined."""
        have_common_annotator = self._annotators[first] & self._annotators[second]
        if have_common_annotator:
            return
        self._links[first][second] = total_iou
        self._links[second][first] = total_iou
        n_pairs = len(self._members[first]) * len(self._members[second])
        mean_iou = total_iou / n_pairs
        if reaches(mean_iou, self._threshold):
            # The lowest priority comes first. Means that differ by rounding have one priority.
            priority = -round(mean_iou / SCORE_TOLERANCE)
            low, high = sorted((first, second))
            heapq.heappush(self._queue, (priority, low, high, self._joined_size(low, high)))

    def add_links(self, pairs: CrownPairs, progress: Progress) -> None:
        """Link the crowns of all pairs."""
        for block in split_range(len(pairs.first), 1000 * _STEPS_PER_REPORT):
            for first, second, iou in zip(*(column[block].tolist() for column in pairs)):
                self.add_link(first, second, iou)
            progress(block.stop / len(pairs.first))

    def join_all(self, progress: Progress) -> None:
        """Join clusters, the largest mean IoU first, until no mean reaches the threshold."""
        n_clusters = len(self._members)
        for step in count():
            if step % _STEPS_PER_REPORT == 0:
                progress(1 - len(self._members) / n_clusters)
            if not self._queue:
                break
            _, first, second, size = heapq.heappop(self._queue)
            if second not in self._links.get(first, {}):
                continue
            if self._joined_size(first, second) == size:
                self._join(first, second)

    def lowest_rows(self, rows: Ints) -> Ints:
        """Return the lowest row (n,) in the cluster of each of the crowns ``rows``."""
        lowest = np.empty(len(rows), dtype=np.int64)
        for key, members in self._members.items():
            lowest[np.searchsorted(rows, members)] = key
        return lowest

    def _joined_size(self, first: int, second: int) -> int:
        """Return the number of crowns of two clusters."""
        return len(self._members[first]) + len(self._members[second])

    def _join(self, first: int, second: int) -> None:
        """Join a cluster with a second one of a higher row, and renew the links of both."""
        totals = self._links.pop(first)
        for neighbour, total_iou in self._links.pop(second).items():
            totals[neighbour] = totals.get(neighbour, 0.0) + total_iou
        del totals[first], totals[second]
        self._members[first] += self._members.pop(second)
        self._annotators[first] |= self._annotators.pop(second)
        self._links[first] = {}
        for neighbour, total_iou in sorted(totals.items()):
            self._links[neighbour].pop(first, None)
            self._links[neighbour].pop(second, None)
            self.add_link(first, neighbour, total_iou)
