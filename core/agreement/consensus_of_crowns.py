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
from randcrowns.core.arrays import Bools, Floats, Ints, Objects, decimal_text
from randcrowns.core.crowns import Crowns, as_crowns
from randcrowns.core.crs import check_same_crs, common_crs_code
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import extract_polygons
from randcrowns.core.instances.overlap import pair_overlap, polygon_overlap
from randcrowns.core.messages import Message, note, warning
from randcrowns.core.outlines import check_outlines, close_cracks, repair_outlines
from randcrowns.core.progress import Progress, no_progress, subprogress
from randcrowns.core.statistics import compute_iou
from randcrowns.core.status import TextEnum
from randcrowns.core.thresholds import falls_below
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


#: Share of an outline from which a crown of the consensus represents its tree.
_MIN_KEPT_SHARE = 0.5


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
            their crowns), ``kept_share`` (share of the outline that other crowns of the consensus
            leave to it), ``mean_iou`` (mean IoU of the outline and the members) and ``spread``
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
    used_options = options or CrownConsensusOptions()
    rule = VoteRule.from_value(used_options.rule, "rule of votes")
    code = common_crs_code(list(layers.values()))
    crowns = {name: as_crowns(layer, name, crs_code=code) for name, layer in layers.items()}
    check_same_crs([layer.crs for layer in crowns.values()])
    reviews = ReviewedAreas.from_layers(sorted(crowns), reviewed)

    drawings = _collect_drawings(crowns, unite_area(area), reviews)
    clusters = cluster_crowns(
        drawings.geometry,
        drawings.annotator,
        used_options.match_iou,
        subprogress(progress, 0.0, 0.4),
    )
    n_reviewers = _count_reviewers(drawings, clusters, reviews)
    n_needed = rule.needed(n_reviewers)
    has_enough_votes = clusters.sizes >= n_needed
    outlines = _make_outlines(
        drawings, clusters, has_enough_votes, used_options, subprogress(progress, 0.4, 1.0)
    )
    counts = pd.DataFrame(
        {
            "votes": clusters.sizes,
            "looked": n_reviewers,
            "members": _member_texts(drawings, clusters),
            "needed": n_needed,
        }
    )
    return _build_consensus(drawings, clusters, outlines, counts)


class _Outlines(NamedTuple):
    """Outlines of the clusters with enough votes."""

    cluster: Ints  #: (C,) number of the cluster of each outline.
    geometry: Objects  #: (C,) outlines, which do not overlap.
    kept_share: Floats  #: (C,) area of each outline divided by its area with the overlaps.


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
    separate_outlines = _without_overlaps(
        outlines,
        votes=drawn_clusters.clusters.sizes,
        agreement=_agreement(drawn_clusters.clusters),
        progress=subprogress(progress, 0.7, 1.0),
    )
    remaining_area = shapely.area(separate_outlines)
    has_area = remaining_area > 0
    cluster_numbers = np.flatnonzero(is_enough)
    whole_area = shapely.area(outlines[has_area])
    return _Outlines(
        cluster=cluster_numbers[has_area],
        geometry=separate_outlines[has_area],
        # Outlines without overlaps are cleaned, too, which may change an area by rounding.
        kept_share=np.minimum(remaining_area[has_area] / whole_area, 1.0),
    )


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
    row_of_cluster = np.full(clusters.n_clusters, -1)
    row_of_cluster[outlines.cluster] = np.arange(len(outlines.cluster))
    row_of_crown = row_of_cluster[clusters.cluster]
    measures = _measure_members(drawings, row_of_crown, outlines.geometry)
    table = counts.iloc[outlines.cluster].reset_index(drop=True).drop(columns="needed")
    table = table.assign(kept_share=outlines.kept_share)

    doubtful_clusters = np.flatnonzero(row_of_cluster < 0)
    doubts = counts.iloc[doubtful_clusters].reset_index(drop=True)
    is_covered = doubts["votes"] >= doubts["needed"]
    reasons = np.where(is_covered, str(DoubtReason.COVERED), str(DoubtReason.TOO_FEW_VOTES))
    doubts["reason"] = reasons.astype(object)
    return CrownConsensus(
        crowns=outlines.geometry,
        table=table.assign(**measures),
        doubtful=_cluster_unions(drawings.geometry, clusters, doubtful_clusters),
        doubtful_table=doubts[["votes", "looked", "needed", "members", "reason"]],
        crown_of_drawing=drawings.by_annotator(row_of_crown),
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
    names = tuple(sorted(layers))
    sorted_layers = [layers[name] for name in names]
    sizes = tuple(len(layer) for layer in sorted_layers)
    geometry = np.concatenate([layer.geometry for layer in sorted_layers])
    ids = np.concatenate([layer.ids for layer in sorted_layers])
    row_in_layer = np.concatenate([np.arange(size) for size in sizes])
    annotator = np.repeat(np.arange(len(names)), sizes)

    is_used = np.ones(len(geometry), dtype=bool)
    if area is not None:
        is_used &= lie_inside(geometry, area)
    for number in range(len(names)):
        own_rows = np.flatnonzero(annotator == number)
        is_used[own_rows] &= reviews.are_reviewed(geometry[own_rows], number)

    order = order_drawings(geometry, annotator, sorted_layers)
    used_rows = order[is_used[order]]
    return _Drawings(
        geometry=geometry[used_rows],
        annotator=annotator[used_rows],
        row=row_in_layer[used_rows],
        ids=ids[used_rows],
        names=names,
        layer_sizes=sizes,
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
    classes = []
    for layer in layers:
        if layer.classes is None:
            classes.append(np.full(len(layer), None, dtype=object))
        else:
            classes.append(layer.classes)
    return order_places(
        bounds=shapely.bounds(geometry),
        areas=shapely.area(geometry),
        annotator=annotator,
        classes=np.concatenate(classes),
        ids=np.concatenate([layer.ids for layer in layers]),
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
    xmin, ymin, xmax, ymax = bounds.T
    # numpy sorts by the last key first.
    order: Ints = np.lexsort((ids, class_ranks, annotator, areas, xmin, ymin, xmax, ymax))
    return order


def _unused_messages(count: int) -> tuple[Message, ...]:
    """Return a message about the number of crowns that are not used; none for 0."""
    if not count:
        return ()
    message = note(
        "consensus.crowns_outside",
        "{count:,} crowns are not used: less than half of each lies in the study area and in "
        "the area that its annotator reviewed.",
        one="1 crown is not used: less than half of it lies in the study area and in the area "
        "that its annotator reviewed.",
        count=count,
    )
    return (message,)


def remainder_messages(tables: Sequence[pd.DataFrame]) -> tuple[Message, ...]:
    """Return a warning about crowns that lost most of their outline to overlapping crowns.

    Args:
        tables: tables of the crowns of one or several :class:`CrownConsensus`.

    Returns:
        The warning; none if every crown has at least half of its outline.

    >>> table = pd.DataFrame({"kept_share": [1.0, 0.2], "mean_iou": [0.8, 0.1]})
    >>> remainder_messages([table])[0].values["count"]
    1
    """
    shares = np.concatenate([table["kept_share"].to_numpy(dtype=float) for table in tables])
    mean_iou = np.concatenate([table["mean_iou"].to_numpy(dtype=float) for table in tables])
    is_remainder = falls_below(shares, _MIN_KEPT_SHARE)
    count = int(is_remainder.sum())
    if not count:
        return ()
    message = warning(
        "consensus.remainders",
        "{count:,} crowns of the consensus have less than half of their outline. The remaining "
        "area overlapped crowns with more votes, or with better agreement, and belongs to them. "
        "The mean IoU of these {count:,} crowns with their drawings is therefore only {iou}. See "
        "the column 'Share of its outline'.",
        one="1 crown of the consensus has less than half of its outline. The remaining area "
        "overlapped crowns with more votes, or with better agreement, and belongs to them. The "
        "mean IoU of this crown with its drawings is therefore only {iou}. See the column "
        "'Share of its outline'.",
        count=count,
        iou=decimal_text(float(mean_iou[is_remainder].mean())),
    )
    return (message,)


def _count_reviewers(drawings: _Drawings, clusters: CrownClusters, reviews: ReviewedAreas) -> Ints:
    """Return the number (n_clusters,) of annotators who reviewed the area of each cluster.

    Args:
        drawings: crowns of all annotators.
        clusters: clusters of these crowns.
        reviews: reviewed areas of the annotators.
    """
    n_annotators = len(drawings.names)
    if not reviews.areas:
        return np.full(clusters.n_clusters, n_annotators)
    regions = _cluster_unions(drawings.geometry, clusters, np.arange(clusters.n_clusters))
    has_reviewed = np.empty((clusters.n_clusters, n_annotators), dtype=bool)
    for number in range(n_annotators):
        has_reviewed[:, number] = reviews.are_reviewed(regions, number)
    # Whoever drew a crown has looked there.
    has_reviewed[clusters.cluster, drawings.annotator] = True
    return np.asarray(has_reviewed.sum(axis=1))


class _SelectedClusters(NamedTuple):
    """Some of the clusters, numbered again."""

    rows: Ints  #: (n,) rows of their crowns in those of all clusters.
    clusters: CrownClusters  #: the clusters of these n crowns.


def _select_clusters(clusters: CrownClusters, is_selected: Bools) -> _SelectedClusters:
    """Return the clusters of a mask (n_clusters,), with new numbers in the same order."""
    is_member = is_selected[clusters.cluster]
    rows = np.flatnonzero(is_member)
    # New numbers of the selected clusters, and new rows of their crowns.
    new_number = np.cumsum(is_selected) - 1
    new_row = np.cumsum(is_member) - 1
    # Both crowns of a pair are in one cluster.
    pairs = clusters.pairs.select(is_member[clusters.pairs.first])
    new_pairs = pairs._replace(first=new_row[pairs.first], second=new_row[pairs.second])
    new_clusters = CrownClusters(new_number[clusters.cluster[rows]], new_pairs)
    return _SelectedClusters(rows=rows, clusters=new_clusters)


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
    n_outlines = len(outlines)
    layer = Crowns.from_validated(outlines, np.arange(n_outlines))
    overlap = polygon_overlap(layer, layer, subprogress(progress, 0.0, 0.5))
    # Agreements that differ by rounding are equal. numpy sorts by the last key first.
    best_first = np.lexsort((np.arange(n_outlines), -np.round(agreement, 8), -votes))
    rank = np.empty(n_outlines, dtype=np.int64)
    rank[best_first] = np.arange(n_outlines)
    is_loss = rank[overlap.target] > rank[overlap.prediction]
    loser_of_pair = overlap.target[is_loss]
    winner_of_pair = overlap.prediction[is_loss]

    # Pairs are sorted by loser. Each round removes the next winner of every loser.
    separate = outlines.copy()
    losers, first_pairs, n_winners = np.unique(loser_of_pair, return_index=True, return_counts=True)
    for round_number in range(n_winners.max(initial=0)):
        has_winner = n_winners > round_number
        rows = losers[has_winner]
        pairs = first_pairs[has_winner] + round_number
        winning_outlines = outlines[winner_of_pair[pairs]]
        remaining = shapely.difference(separate[rows], winning_outlines)
        separate[rows] = extract_polygons(remaining)
    repaired = repair_outlines(separate)
    checks = check_outlines(repaired)
    closed, *_ = close_cracks(repaired, checks.is_suspicious, subprogress(progress, 0.5, 1.0))
    return closed


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
    n_outlines = len(outlines)
    by_outline = np.argsort(crown_row, kind="stable")
    member_rows = by_outline[crown_row[by_outline] >= 0]
    n_members = len(member_rows)
    outline_of_member = crown_row[member_rows]
    outline_layer = Crowns.from_validated(outlines, np.arange(n_outlines))
    member_layer = Crowns.from_validated(drawings.geometry[member_rows], np.arange(n_members))
    overlap = pair_overlap(outline_layer, member_layer, outline_of_member, np.arange(n_members))
    shared = np.zeros(n_members)
    shared[overlap.prediction] = overlap.shared

    outline_area = shapely.area(outlines)[outline_of_member]
    outline_length = shapely.length(outlines)[outline_of_member]
    member_area = member_layer.areas
    area_between = np.maximum(outline_area + member_area - 2 * shared, 0.0)
    distance = area_between / outline_length
    iou = compute_iou(shared, outline_area, member_area)
    counts = np.bincount(outline_of_member, minlength=n_outlines)
    mean_iou = np.bincount(outline_of_member, iou, n_outlines) / counts
    mean_distance = np.bincount(outline_of_member, distance, n_outlines) / counts
    return {"mean_iou": mean_iou, "spread": np.where(counts > 1, mean_distance, np.nan)}


def _member_texts(drawings: _Drawings, clusters: CrownClusters) -> Objects:
    """Return the members (n_clusters,) of each cluster as text, such as ``ann:3; ben:7``."""
    rows = np.lexsort((drawings.annotator, clusters.cluster))
    names = np.array(drawings.names, dtype=object)[drawings.annotator[rows]]
    texts = [f"{name}:{number}" for name, number in zip(names, drawings.ids[rows].tolist())]
    members = np.empty(clusters.n_clusters, dtype=object)
    start = 0
    for number, size in enumerate(clusters.sizes.tolist()):
        members[number] = "; ".join(texts[start : start + size])
        start += size
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
    rows_by_cluster = np.argsort(clusters.cluster, kind="stable")
    ends = np.cumsum(clusters.sizes)
    starts = ends - clusters.sizes
    unions = np.empty(len(numbers), dtype=object)
    for position, number in enumerate(numbers.tolist()):
        rows = rows_by_cluster[starts[number] : ends[number]]
        unions[position] = shapely.union_all(crowns[rows])
    return extract_polygons(unions)
