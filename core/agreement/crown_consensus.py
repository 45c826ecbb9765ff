"""Consensus of several annotators crown by crown: one outline per tree that enough of them drew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.agreement.cluster_outlines import OutlineMethod, cluster_outlines
from randcrowns.core.agreement.consensus import EstimationOptions
from randcrowns.core.agreement.crown_clusters import (
    DEFAULT_MATCH_IOU,
    CrownClusters,
    cluster_crowns,
)
from randcrowns.core.agreement.reviewed_areas import ReviewedAreas, lie_inside, unite_area
from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.crowns import Crowns, as_crowns
from randcrowns.core.crs import check_same_crs, common_crs_code
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import extract_polygons
from randcrowns.core.instances.overlap import pair_overlap, polygon_overlap
from randcrowns.core.messages import Message, note
from randcrowns.core.outlines import check_outlines, close_cracks, repair_outlines
from randcrowns.core.progress import Progress, no_progress, subprogress
from randcrowns.core.statistics import compute_iou
from randcrowns.core.status import TextEnum
from randcrowns.core.tie_ranks import rank_names
from randcrowns.core.validation import validate_arguments


class VoteRule(TextEnum):
    """Share of the annotators who reviewed the area of a tree that must have drawn the tree."""

    #: At least half.
    HALF = "half"
    #: At least two thirds.
    TWO_THIRDS = "two_thirds"
    #: All of them.
    ALL = "all"
    #: At least one annotator.
    ANY = "any"

    def needed(self, looked: Ints) -> Ints:
        """Return the number of votes (n,) that a tree needs.

        Args:
            looked: (n,) number of annotators who reviewed the area of each tree.

        >>> VoteRule.TWO_THIRDS.needed(np.array([1, 2, 3, 4])).tolist()
        [1, 2, 2, 3]
        """
        numerator, denominator = _RULE_SHARES[self]
        return np.maximum(-(-looked * numerator // denominator), 1)


#: Numerator and denominator of the share of each rule.
_RULE_SHARES = {
    VoteRule.HALF: (1, 2),
    VoteRule.TWO_THIRDS: (2, 3),
    VoteRule.ALL: (1, 1),
    VoteRule.ANY: (0, 1),
}


class DoubtReason(TextEnum):
    """Reason why a cluster of crowns gives no crown of the consensus."""

    #: Fewer annotators drew it than the rule requires.
    TOO_FEW_VOTES = "too_few_votes"
    #: Crowns with more votes cover all of its outline.
    COVERED = "covered"


@dataclass(frozen=True)
class CrownConsensusOptions:
    """Options of a consensus crown by crown.

    Attributes:
        match_iou: mean IoU from which crowns of several annotators are the same tree.
        rule: a :class:`VoteRule` or its name.
        outline: an :class:`~randcrowns.core.agreement.cluster_outlines.OutlineMethod` or its name.
        estimation: options of STAPLE, for the outline of this name.
    """

    match_iou: float = DEFAULT_MATCH_IOU
    rule: VoteRule | str = VoteRule.HALF
    outline: OutlineMethod | str = OutlineMethod.MAJORITY
    estimation: EstimationOptions = field(default_factory=EstimationOptions)


@dataclass(frozen=True, eq=False)
class CrownConsensus:
    """Consensus of several annotators crown by crown.

    Attributes:
        crowns: (C,) outlines, which do not overlap.
        table: a row per outline with ``votes`` (number of annotators who drew the tree), ``looked``
            (number of annotators who reviewed its area), ``members`` (annotator and id of each of
            their crowns), ``mean_iou`` (mean IoU of the outline and these crowns) and ``spread``
            (mean distance of their outlines from it, m; NaN for one crown).
        doubtful: (D,) union of the crowns of each cluster without an outline.
        doubtful_table: a row per such cluster with ``votes``, ``looked``, ``needed`` (votes that
            the rule requires), ``members`` and ``reason`` (a :class:`DoubtReason`).
        crown_of_drawing: (n,) row of the outline that each crown of an annotator is a member of, by
            the annotator's name; -1 for none.
        messages: messages about crowns that are not used.
    """

    crowns: Objects
    table: pd.DataFrame
    doubtful: Objects
    doubtful_table: pd.DataFrame
    crown_of_drawing: dict[str, Ints]
    messages: tuple[Message, ...] = ()


@validate_arguments
def crown_consensus(
    layers: Mapping[str, Any],
    options: CrownConsensusOptions | None = None,
    area: Any = None,
    *,
    reviewed: Mapping[str, Any] | None = None,
    progress: Progress = no_progress,
) -> CrownConsensus:
    """Make a consensus of several annotators crown by crown.

    Crowns of different annotators are clustered, see
    :func:`randcrowns.core.agreement.crown_clusters.cluster_crowns`. A cluster becomes one outline
    if enough of the annotators who reviewed its area drew it. Where outlines overlap, the area
    belongs to the crown with more votes, then to that whose crowns agree better. The order of
    layers and crowns has no influence.

    Args:
        layers: crowns of each annotator by name: :class:`~randcrowns.core.crowns.Crowns` or (n,)
            polygons in metres.
        options: options of the consensus.
        area: study area, one polygon or several; None for everywhere. Crowns that lie in it by
            less than half are not used. Crowns are not clipped.
        reviewed: polygons that an annotator has reviewed, by name; the others have reviewed
            everything. The area of a cluster is reviewed by an annotator if the annotator's polygon
            contains at least half of it, or if a crown of the annotator belongs to the cluster.
        progress: called with the fraction done; may raise to cancel.

    Raises:
        InputError: if there is no annotator, a layer cannot be used, or an option is invalid.

    >>> layers = {
    ...     "ann": [shapely.box(0, 0, 4, 4), shapely.box(9, 0, 12, 3)],
    ...     "ben": [shapely.box(0, 0, 4, 5)],
    ...     "eve": [shapely.box(0, 0, 5, 4)],
    ... }
    >>> consensus = crown_consensus(layers)
    >>> round(consensus.crowns[0].area, 6), consensus.table["members"].tolist()
    (16.0, ['ann:0; ben:0; eve:0'])
    >>> consensus.doubtful_table[["votes", "needed", "members"]].to_numpy().tolist()
    [[1, 2, 'ann:1']]
    """
    if not layers:
        raise InputError("annotators.none_given", "There are no annotators to make a consensus of.")
    used = options or CrownConsensusOptions()
    rule = VoteRule.from_value(used.rule, "rule of votes")
    code = common_crs_code(list(layers.values()))
    crowns = {name: as_crowns(layer, name, crs_code=code) for name, layer in layers.items()}
    check_same_crs([layer.crs for layer in crowns.values()])
    reviews = ReviewedAreas.from_layers(sorted(crowns), reviewed)

    drawings = _collect_drawings(crowns, unite_area(area), reviews)
    clusters = cluster_crowns(
        drawings.geometry, drawings.annotator, used.match_iou, subprogress(progress, 0.0, 0.4)
    )
    looked = _count_reviewers(drawings, clusters, reviews)
    outlines = _make_outlines(
        drawings,
        clusters,
        clusters.sizes >= rule.needed(looked),
        used,
        subprogress(progress, 0.4, 1),
    )
    members = _member_texts(drawings, clusters)
    counts = pd.DataFrame({"votes": clusters.sizes, "looked": looked, "members": members})
    return _build_consensus(drawings, clusters, outlines, counts.assign(needed=rule.needed(looked)))


class _Outlines(NamedTuple):
    """Outlines of the clusters with enough votes."""

    cluster: Ints  #: (C,) number of the cluster of each outline.
    geometry: Objects  #: (C,) outlines, which do not overlap.


def _make_outlines(
    drawings: _Drawings,
    clusters: CrownClusters,
    is_enough: Bools,
    options: CrownConsensusOptions,
    progress: Progress,
) -> _Outlines:
    """Make the outlines of clusters, without those that others cover.

    Args:
        drawings: crowns of all annotators.
        clusters: clusters of these crowns.
        is_enough: (n_clusters,) True for clusters with enough votes.
        options: options of the consensus.
        progress: called with the fraction done.
    """
    drawn_clusters = _select_clusters(clusters, is_enough)
    outlines = cluster_outlines(
        drawings.geometry[drawn_clusters.rows],
        drawn_clusters.clusters,
        options.outline,
        options.estimation,
        subprogress(progress, 0.0, 0.7),
    )
    separate = _without_overlaps(
        outlines,
        drawn_clusters.clusters.sizes,
        _agreement(drawn_clusters.clusters),
        subprogress(progress, 0.7, 1.0),
    )
    has_area = shapely.area(separate) > 0
    return _Outlines(np.flatnonzero(is_enough)[has_area], separate[has_area])


def _build_consensus(
    drawings: _Drawings, clusters: CrownClusters, outlines: _Outlines, counts: pd.DataFrame
) -> CrownConsensus:
    """Return the consensus with its tables.

    Args:
        drawings: crowns of all annotators.
        clusters: clusters of these crowns.
        outlines: outlines of clusters.
        counts: a row per cluster with ``votes``, ``looked``, ``members`` and ``needed``.
    """
    doubtful = np.setdiff1d(np.arange(clusters.n_clusters), outlines.cluster)
    row_of_cluster = np.full(clusters.n_clusters, -1)
    row_of_cluster[outlines.cluster] = np.arange(len(outlines.cluster))
    crown_row = row_of_cluster[clusters.cluster]

    table = counts.iloc[outlines.cluster].reset_index(drop=True).drop(columns="needed")
    doubts = counts.iloc[doubtful].reset_index(drop=True)
    is_covered = doubts["votes"] >= doubts["needed"]
    reasons = np.where(is_covered, str(DoubtReason.COVERED), str(DoubtReason.TOO_FEW_VOTES))
    doubts = doubts.assign(reason=reasons.astype(object))
    return CrownConsensus(
        crowns=outlines.geometry,
        table=table.assign(**_measure_members(drawings, crown_row, outlines.geometry)),
        doubtful=_cluster_unions(drawings.geometry, clusters, doubtful),
        doubtful_table=doubts[["votes", "looked", "needed", "members", "reason"]],
        crown_of_drawing=drawings.by_annotator(crown_row),
        messages=drawings.messages,
    )


@dataclass(frozen=True, eq=False)
class _Drawings:
    """Used crowns of all annotators, in an order that depends on the crowns only.

    Attributes:
        geometry: (N,) polygons.
        annotator: (N,) number of the annotator in ``names``.
        row: (N,) row of each crown in the layer of its annotator.
        ids: (N,) id of each crown.
        names: names of the annotators in alphabetical order.
        layer_sizes: number of crowns of each annotator, with those that are not used.
        messages: messages about crowns that are not used.
    """

    geometry: Objects
    annotator: Ints
    row: Ints
    ids: Ints
    names: tuple[str, ...]
    layer_sizes: tuple[int, ...]
    messages: tuple[Message, ...]

    def by_annotator(self, values: Ints) -> dict[str, Ints]:
        """Return values (N,) by the name of the annotator, in the rows of the layer.

        Crowns that are not used have the value -1.
        """
        by_name = {}
        for number, (name, size) in enumerate(zip(self.names, self.layer_sizes)):
            is_own = self.annotator == number
            own_values = np.full(size, -1)
            own_values[self.row[is_own]] = values[is_own]
            by_name[name] = own_values
        return by_name


def _collect_drawings(layers: Mapping[str, Crowns], area: Any, reviews: ReviewedAreas) -> _Drawings:
    """Return the crowns of all annotators that lie in the study and the reviewed area.

    Args:
        layers: crowns by the name of the annotator.
        area: polygon of the study area; None for everywhere.
        reviews: reviewed areas of the annotators in alphabetical order.
    """
    names = sorted(layers)
    geometry = np.concatenate([layers[name].geometry for name in names])
    sizes = [len(layers[name]) for name in names]
    annotator = np.repeat(np.arange(len(names)), sizes)
    row = np.concatenate([np.arange(size) for size in sizes])
    ids = np.concatenate([layers[name].ids for name in names])

    is_used = np.ones(len(geometry), dtype=bool)
    if area is not None:
        is_used &= lie_inside(geometry, area)
    for number in range(len(names)):
        own_rows = np.flatnonzero(annotator == number)
        is_used[own_rows] &= reviews.are_reviewed(geometry[own_rows], number)

    order = order_drawings(geometry, annotator, [layers[name] for name in names])
    order = order[is_used[order]]
    return _Drawings(
        geometry=geometry[order],
        annotator=annotator[order],
        row=row[order],
        ids=ids[order],
        names=tuple(names),
        layer_sizes=tuple(sizes),
        messages=_unused_messages(int((~is_used).sum())),
    )


def order_drawings(geometry: Objects, annotator: Ints, layers: Sequence[Crowns]) -> Ints:
    """Return the order of crowns by their place, then by annotator, class and id.

    Clusters with equal means depend on the order of the crowns, so that it must not be that of the
    layers and rows.

    Args:
        geometry: (N,) crowns of all annotators.
        annotator: (N,) number of the annotator of each crown.
        layers: layers of the annotators, whose crowns follow each other in ``geometry``.

    >>> west, east = shapely.box(0, 0, 1, 1), shapely.box(5, 0, 6, 1)
    >>> layer = Crowns([east, west, west, west], classes=["oak", None, "oak", "ash"])
    >>> order_drawings(layer.geometry, np.zeros(4, int), [layer]).tolist()
    [3, 2, 1, 0]
    """
    classes = [
        np.full(len(layer), None, dtype=object) if layer.classes is None else layer.classes
        for layer in layers
    ]
    return order_places(
        shapely.bounds(geometry),
        shapely.area(geometry),
        annotator,
        np.concatenate(classes),
        np.concatenate([layer.ids for layer in layers]),
    )


def order_places(
    bounds: Floats, areas: Floats, annotator: Ints, classes: Objects, ids: Ints
) -> Ints:
    """Return the order of :func:`order_drawings` without the outlines.

    Args:
        bounds: (N, 4) bounds of the crowns, metres.
        areas: (N,) their areas, m².
        annotator: (N,) number of the annotator of each crown.
        classes: (N,) class of each crown; None for a crown without one.
        ids: (N,) ids of the crowns.

    >>> bounds = np.array([[5, 0, 6, 1], [0, 0, 1, 1], [0, 0, 1, 1]])
    >>> classes = np.array(["oak", None, "ash"], dtype=object)
    >>> order_places(bounds, np.ones(3), np.zeros(3, int), classes, np.arange(3)).tolist()
    [2, 1, 0]
    """
    class_ranks = rank_names(classes)
    # A crown with a class has precedence over the same one without.
    class_ranks[class_ranks < 0] = len(areas)
    order: Ints = np.lexsort((ids, class_ranks, annotator, areas, *bounds.T))
    return order


def _unused_messages(count: int) -> tuple[Message, ...]:
    """Return a message about the number of crowns that are not used; none for 0."""
    if not count:
        return ()
    return (
        note(
            "consensus.crowns_outside",
            "{count:,} crowns are not used: less than half of each lies in the study area and in "
            "the area that its annotator reviewed.",
            one="1 crown is not used: less than half of it lies in the study area and in the area "
            "that its annotator reviewed.",
            count=count,
        ),
    )


def _count_reviewers(drawings: _Drawings, clusters: CrownClusters, reviews: ReviewedAreas) -> Ints:
    """Return the number (n_clusters,) of annotators who reviewed the area of each cluster.

    Args:
        drawings: crowns of all annotators.
        clusters: clusters of these crowns.
        reviews: reviewed areas of the annotators.
    """
    n_clusters = clusters.n_clusters
    if not reviews.areas:
        return np.full(n_clusters, len(drawings.names))
    regions = _cluster_unions(drawings.geometry, clusters, np.arange(n_clusters))
    n_annotators = len(drawings.names)
    by_annotator = [reviews.are_reviewed(regions, number) for number in range(n_annotators)]
    has_reviewed = np.stack(by_annotator, axis=1)
    has_reviewed[clusters.cluster, drawings.annotator] = True
    return np.asarray(has_reviewed.sum(axis=1))


class _SelectedClusters(NamedTuple):
    """Some of the clusters, numbered again."""

    rows: Ints  #: (n,) rows of their crowns in those of all clusters.
    clusters: CrownClusters  #: the clusters of these n crowns.


def _select_clusters(clusters: CrownClusters, is_selected: Bools) -> _SelectedClusters:
    """Return the clusters of a mask (n_clusters,), with new numbers in the same order."""
    is_member = is_selected[clusters.cluster]
    new_number = np.cumsum(is_selected) - 1
    new_row = np.cumsum(is_member) - 1
    pairs = clusters.pairs.select(is_member[clusters.pairs.first])
    renumbered = pairs._replace(first=new_row[pairs.first], second=new_row[pairs.second])
    rows = np.flatnonzero(is_member)
    return _SelectedClusters(rows, CrownClusters(new_number[clusters.cluster[rows]], renumbered))


def _agreement(clusters: CrownClusters) -> Floats:
    """Return the mean IoU (n_clusters,) of the crowns of each cluster; 1 for a single crown."""
    totals = np.bincount(clusters.cluster, clusters.similarity(), clusters.n_clusters)
    return np.asarray(totals / np.maximum(clusters.sizes, 1))


def _without_overlaps(
    outlines: Objects, votes: Ints, agreement: Floats, progress: Progress
) -> Objects:
    """Return outlines of which every point belongs to one only.

    Args:
        outlines: (n,) polygons.
        votes: (n,) number of annotators who drew each crown. The crown with more votes keeps a
            shared area.
        agreement: (n,) mean IoU of the drawings of each crown, which decides among equal votes,
            before the order of the outlines.
        progress: called with the fraction done.

    Returns:
        (n,) polygons and multipolygons without cracks and specks; empty if nothing is left.
    """
    layer = Crowns.from_validated(outlines, np.arange(len(outlines)))
    overlap = polygon_overlap(layer, layer, subprogress(progress, 0.0, 0.5))
    # Agreements that differ by rounding are equal.
    order = np.lexsort((np.arange(len(outlines)), -np.round(agreement, 8), -votes))
    rank = np.empty(len(outlines), dtype=np.int64)
    rank[order] = np.arange(len(outlines))
    is_loss = rank[overlap.target] > rank[overlap.prediction]
    loser = overlap.target[is_loss]
    winner = overlap.prediction[is_loss]

    # Pairs are sorted by loser. Each round removes the next winner of every loser.
    separate = outlines.copy()
    losers, first_pair, n_winners = np.unique(loser, return_index=True, return_counts=True)
    for number in range(n_winners.max(initial=0)):
        has_winner = n_winners > number
        rows = losers[has_winner]
        removed = outlines[winner[first_pair[has_winner] + number]]
        separate[rows] = extract_polygons(shapely.difference(separate[rows], removed))
    separate = repair_outlines(separate)
    checks = check_outlines(separate)
    return close_cracks(separate, checks.is_suspicious, subprogress(progress, 0.5, 1.0))[0]


def _measure_members(drawings: _Drawings, crown_row: Ints, outlines: Objects) -> dict[str, Floats]:
    """Compare the outlines of the consensus with the crowns that they are made from.

    The area between two outlines, divided by the length of one of them, is their mean distance.

    Args:
        drawings: N crowns of all annotators.
        crown_row: (N,) row of the outline of each crown; -1 for none.
        outlines: (C,) polygons.

    Returns:
        ``mean_iou`` (C,) and ``spread`` (C,), m; the spread of a single crown is NaN.
    """
    members = np.argsort(crown_row, kind="stable")
    members = members[crown_row[members] >= 0]
    member_outline = crown_row[members]
    outline_layer = Crowns.from_validated(outlines, np.arange(len(outlines)))
    member_layer = Crowns.from_validated(drawings.geometry[members], np.arange(len(members)))
    table = pair_overlap(outline_layer, member_layer, member_outline, np.arange(len(members)))
    shared = np.zeros(len(members))
    shared[table.prediction] = table.shared

    outline_area = shapely.area(outlines)[member_outline]
    member_area = member_layer.areas
    between = outline_area + member_area - 2 * shared
    distance = np.maximum(between, 0.0) / shapely.length(outlines)[member_outline]
    n_members = np.bincount(member_outline, minlength=len(outlines))
    iou = compute_iou(shared, outline_area, member_area)
    spread = np.bincount(member_outline, distance, len(outlines)) / n_members
    return {
        "mean_iou": np.bincount(member_outline, iou, len(outlines)) / n_members,
        "spread": np.where(n_members > 1, spread, np.nan),
    }


def _member_texts(drawings: _Drawings, clusters: CrownClusters) -> Objects:
    """Return the members (n_clusters,) of each cluster as text, such as ``ann:3; ben:7``."""
    order = np.lexsort((drawings.annotator, clusters.cluster))
    names = np.array(drawings.names, dtype=object)[drawings.annotator[order]]
    texts = [f"{name}:{number}" for name, number in zip(names, drawings.ids[order].tolist())]
    ends = np.cumsum(clusters.sizes)
    members = np.empty(clusters.n_clusters, dtype=object)
    members[:] = ["; ".join(texts[end - size : end]) for end, size in zip(ends, clusters.sizes)]
    return members


def _cluster_unions(crowns: Objects, clusters: CrownClusters, numbers: Ints) -> Objects:
    """Return the union of the crowns of each of some clusters.

    Args:
        crowns: (N,) crowns.
        clusters: clusters of the crowns.
        numbers: (n,) numbers of the clusters.

    Returns:
        (n,) polygons or multipolygons.
    """
    by_cluster = np.argsort(clusters.cluster, kind="stable")
    ends = np.cumsum(clusters.sizes)
    starts = ends - clusters.sizes
    unions = np.empty(len(numbers), dtype=object)
    unions[:] = [
        shapely.union_all(crowns[by_cluster[starts[number] : ends[number]]])
        for number in numbers.tolist()
    ]
    return extract_polygons(unions)
