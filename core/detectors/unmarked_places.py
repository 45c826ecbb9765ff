"""Places that several detectors mark and no annotator does: crowns that may have been missed.

Lampert et al. 2016 (Section V-A) propose to give such places back to the annotators: a detector can
find objects that the annotators overlooked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.agreement.crown_clusters import DEFAULT_MATCH_IOU, cluster_crowns
from randcrowns.core.agreement.reviewed_areas import ReviewedAreas
from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.geometry.areas import extract_polygons
from randcrowns.core.messages import Message, info, note
from randcrowns.core.progress import Progress, no_progress, subprogress
from randcrowns.core.thresholds import exceeds, falls_below
from randcrowns.core.validation import validate_arguments

#: Maximum share of a place that annotators may have marked, as the edge of a neighbour's crown.
MAX_MARKED_SHARE = 0.1
#: Share of a detection on an ignored area from which it does not count.
_IGNORED_SHARE = 0.5
#: Columns of the table of places.
PLACE_COLUMNS = (
    "place",
    "votes",
    "detectors",
    "confidence",
    "looked",
    "area",
    "marked_share",
    "members",
)


@dataclass(frozen=True, eq=False)
class UnmarkedPlaces:
    """Places that several detectors mark and no annotator does.

    Attributes:
        table: a row per place, those of most detectors first, then of the highest confidence:
            ``place`` (its number, from 1), ``votes`` (number of detectors that mark it),
            ``detectors`` (number of all detectors), ``confidence`` (mean over these detectors of
            the share of their crowns that have at most the score of the crown at the place),
            ``looked`` (number of annotators who reviewed it), ``area`` (m²), ``marked_share``
            (share of the area that any annotator marked) and ``members`` (detector and id of each
            crown, as ``net:3; lidar:7``).
        polygons: (n,) union of the detectors' crowns at each place.
        message: number of places, or the reason why there are none; None without any place.
    """

    table: pd.DataFrame
    polygons: Objects
    message: Message | None = None

    @classmethod
    def without_places(cls, message: Message | None = None) -> UnmarkedPlaces:
        """Return a result without places.

        Args:
            message: reason why there are none; None if none was found.
        """
        return cls(pd.DataFrame(columns=list(PLACE_COLUMNS)), np.empty(0, dtype=object), message)


@validate_arguments
def find_unmarked_places(
    annotators: Mapping[str, Crowns],
    detections: Mapping[str, tuple[Crowns, Floats]],
    *,
    inside: Mapping[str, Bools] | None = None,
    on_ignored: Mapping[str, Floats] | None = None,
    reviewed: Mapping[str, Any] | None = None,
    all_drawn: bool = True,
    match_iou: float = DEFAULT_MATCH_IOU,
    progress: Progress = no_progress,
) -> UnmarkedPlaces:
    """Find the places that at least half of the detectors, and two of them, mark and nobody else.

    Crowns of several detectors are one place if their mean IoU is at least ``match_iou``; see
    :func:`randcrowns.core.agreement.crown_clusters.cluster_crowns`. Annotators may have marked at
    most a tenth of a place, and at least one of them has reviewed it.

    Args:
        annotators: each annotator's crowns by name.
        detections: each detector's crowns (n) and their scores (n,) by name. Crowns without a score
            do not count.
        inside: by detector, mask (n,) of its crowns in the study area; all by default.
        on_ignored: by detector, (n,) largest share of each crown that lies on one ignored area.
            Crowns with a share of at least a half do not count.
        reviewed: polygon that an annotator has reviewed, by name; everywhere by default.
        all_drawn: False if the annotators drew only some of the crowns; then there is no place.
        match_iou: minimum mean IoU of crowns of one place, above 0 and at most 1.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The places.

    >>> trees = Crowns(shapely.box([0, 20], 0, [5, 25], 5))
    >>> scores = np.array([0.9, 0.8])
    >>> detections = {"net": (trees, scores), "lidar": (trees, scores)}
    >>> places = find_unmarked_places({"ann": trees.subset([0])}, detections)
    >>> places.table[["votes", "members"]].to_numpy().tolist()
    [[2, 'lidar:1; net:1']]
    """
    min_detectors = max(2, math.ceil(len(detections) / 2))
    if not all_drawn:
        return UnmarkedPlaces.without_places(_partly_drawn_message())
    if len(detections) < min_detectors or not annotators:
        return UnmarkedPlaces.without_places()
    candidates = _collect_candidates(detections, inside, on_ignored)
    if not len(candidates.geometry):
        return UnmarkedPlaces.without_places()
    place_of_crown = _cluster_within_plots(candidates, match_iou, subprogress(progress, 0.0, 0.8))
    rows_of_places = _group_rows(place_of_crown, min_detectors)
    polygons = _unite_crowns(candidates.geometry, rows_of_places)
    marked_shares = _marked_shares(polygons, annotators)
    n_reviewers = _count_reviewers(polygons, tuple(annotators), reviewed)
    is_unmarked = ~exceeds(marked_shares, MAX_MARKED_SHARE) & (n_reviewers > 0)
    progress(1.0)

    votes = []
    confidences = []
    members = []
    for place in np.flatnonzero(is_unmarked):
        rows = rows_of_places[place]
        votes.append(len(rows))
        confidences.append(candidates.confidence[rows].mean())
        members.append(candidates.describe(rows))
    unmarked_polygons = polygons[is_unmarked]
    table = pd.DataFrame(
        {
            "votes": votes,
            "detectors": len(detections),
            "confidence": confidences,
            "looked": n_reviewers[is_unmarked],
            "area": shapely.area(unmarked_polygons),
            "marked_share": marked_shares[is_unmarked],
            "members": members,
        },
        columns=list(PLACE_COLUMNS),
    )
    return _sort_places(table, unmarked_polygons, min_detectors)


def _sort_places(table: pd.DataFrame, polygons: Objects, min_detectors: int) -> UnmarkedPlaces:
    """Return the places, those of most detectors first, then of the highest confidence.

    Args:
        table: a row per place.
        polygons: (n,) outline of each place.
        min_detectors: minimum number of detectors, for the message.
    """
    if not len(table):
        return UnmarkedPlaces.without_places()
    # Rounded, so that equal confidences that differ by rounding keep the order of the places.
    confidence = table["confidence"].to_numpy(float).round(9)
    order = np.lexsort((-confidence, -table["votes"].to_numpy()))
    sorted_table = table.iloc[order].reset_index(drop=True)
    sorted_table["place"] = np.arange(1, len(table) + 1)
    return UnmarkedPlaces(sorted_table, polygons[order], _count_message(len(table), min_detectors))


class _Candidates(NamedTuple):
    """Counted crowns of all detectors, in an order that depends on the crowns only."""

    geometry: Objects  #: (N,) polygons.
    detector: Ints  #: (N,) number of the detector in ``names``.
    ids: Ints  #: (N,) id of each crown in its layer.
    plots: Objects  #: (N,) plot of each crown; None for none.
    confidence: Floats  #: (N,) share of the detector's crowns that have at most this score.
    names: tuple[str, ...]  #: names of the detectors in alphabetical order.

    def describe(self, rows: Ints) -> str:
        """Return detector and id of the crowns in rows, such as ``lidar:7; net:3``."""
        sorted_rows = rows[np.argsort(self.detector[rows], kind="stable")]
        texts = []
        for row in sorted_rows:
            detector = self.names[self.detector[row]]
            texts.append(f"{detector}:{self.ids[row]}")
        return "; ".join(texts)


def _collect_candidates(
    detections: Mapping[str, tuple[Crowns, Floats]],
    inside: Mapping[str, Bools] | None,
    on_ignored: Mapping[str, Floats] | None,
) -> _Candidates:
    """Return the crowns of all detectors that count: with a score, in the study area.

    Args:
        detections: each detector's crowns and their scores by name.
        inside: by detector, mask of its crowns in the study area; None for all.
        on_ignored: by detector, share of each crown on an ignored area; None for 0.
    """
    names = tuple(sorted(detections))
    layer_tables = []
    for number, name in enumerate(names):
        crowns, scores = detections[name]
        is_counted = ~np.isnan(scores)
        if inside is not None:
            is_counted &= inside[name]
        if on_ignored is not None:
            is_counted &= falls_below(on_ignored[name], _IGNORED_SHARE)
        counted_crowns = crowns.subset(is_counted)
        layer_tables.append(_tabulate_candidates(number, counted_crowns, scores[is_counted]))
    table = _sort_by_place(pd.concat(layer_tables, ignore_index=True))
    return _Candidates(
        geometry=table["geometry"].to_numpy(),
        detector=table["detector"].to_numpy(),
        ids=table["id"].to_numpy(),
        plots=table["plot"].to_numpy(),
        confidence=table["confidence"].to_numpy(),
        names=names,
    )


def _tabulate_candidates(number: int, crowns: Crowns, scores: Floats) -> pd.DataFrame:
    """Return a row per counted crown of one detector, with the columns of :class:`_Candidates`.

    Args:
        number: number of the detector.
        crowns: its n counted crowns.
        scores: (n,) their scores.

    Returns:
        The columns ``geometry``, ``detector``, ``id``, ``plot`` and ``confidence``.
    """
    n = len(crowns)
    table: pd.DataFrame = pd.DataFrame(
        {
            "geometry": crowns.geometry,
            "detector": np.full(n, number),
            "id": crowns.ids,
            "plot": np.full(n, None) if crowns.plots is None else crowns.plots,
            "confidence": _shares_at_most(scores),
        }
    )
    return table


def _sort_by_place(table: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates sorted by bounds, then by area, then by detector.

    The order does not depend on the order of the crowns in their layers.

    Args:
        table: a row per candidate, see :func:`_tabulate_candidates`.
    """
    geometry = table["geometry"].to_numpy()
    xmin, ymin, xmax, ymax = shapely.bounds(geometry).T
    # np.lexsort sorts by its last key first.
    keys = (table["detector"], shapely.area(geometry), xmin, ymin, xmax, ymax)
    sorted_table: pd.DataFrame = table.iloc[np.lexsort(keys)]
    return sorted_table


def _shares_at_most(scores: Floats) -> Floats:
    """Return the share (n,) of the scores that are at most as high as each score."""
    sorted_scores = np.sort(scores)
    return np.searchsorted(sorted_scores, scores, side="right") / max(len(scores), 1)


def _cluster_within_plots(candidates: _Candidates, match_iou: float, progress: Progress) -> Ints:
    """Return the number (N,) of the place of each crown; crowns of different plots differ.

    Args:
        candidates: counted crowns of all detectors.
        match_iou: minimum mean IoU of crowns of one place.
        progress: receives the fraction done.
    """
    plot_labels = pd.Series(candidates.plots).fillna("").astype(str).to_numpy()
    distinct_plots, plot_of_crown = np.unique(plot_labels, return_inverse=True)
    n_plots = len(distinct_plots)
    place_of_crown = np.empty(len(candidates.geometry), dtype=np.int64)
    n_places = 0
    for plot in range(n_plots):
        rows = np.flatnonzero(plot_of_crown == plot)
        clusters = cluster_crowns(
            candidates.geometry[rows],
            candidates.detector[rows],
            match_iou,
            subprogress(progress, plot / n_plots, (plot + 1) / n_plots),
        )
        place_of_crown[rows] = clusters.cluster + n_places
        n_places += clusters.n_clusters
    return place_of_crown


def _group_rows(place_of_crown: Ints, min_crowns: int) -> list[Ints]:
    """Return the rows of the crowns at each place with at least ``min_crowns`` crowns.

    Args:
        place_of_crown: (N,) number of the place of each crown.
        min_crowns: minimum number of crowns, each of another detector.
    """
    rows_by_place = np.argsort(place_of_crown, kind="stable")
    n_crowns = np.bincount(place_of_crown)
    rows_of_places = np.split(rows_by_place, np.cumsum(n_crowns)[:-1])
    return [rows for rows in rows_of_places if len(rows) >= min_crowns]


def _unite_crowns(geometry: Objects, rows_of_places: list[Ints]) -> Objects:
    """Return the union (n,) of the crowns at each place, without lines and points.

    Args:
        geometry: (N,) polygons of the crowns.
        rows_of_places: rows of the crowns at each of the n places.
    """
    unions = np.empty(len(rows_of_places), dtype=object)
    unions[:] = [shapely.union_all(geometry[rows]) for rows in rows_of_places]
    return extract_polygons(unions)


def _marked_shares(polygons: Objects, annotators: Mapping[str, Crowns]) -> Floats:
    """Return the share (n,) of polygons that any annotator marked.

    Args:
        polygons: (n,) polygons.
        annotators: each annotator's crowns by name.
    """
    marked_crowns = np.concatenate([crowns.geometry for crowns in annotators.values()])
    tree = shapely.STRtree(marked_crowns.copy())
    # Pairs of a polygon and a crown that intersects it.
    pair_polygons, pair_crowns = tree.query(polygons, predicate="intersects")
    marked_areas = np.zeros(len(polygons))
    crowns_by_polygon = pd.Series(pair_crowns).groupby(pair_polygons)
    for number, crown_rows in crowns_by_polygon:
        marked_ground = shapely.union_all(marked_crowns[crown_rows.to_numpy()])
        overlap = shapely.intersection(polygons[number], marked_ground)
        marked_areas[number] = shapely.area(overlap)
    return np.asarray(marked_areas / shapely.area(polygons))


def _count_reviewers(
    polygons: Objects, names: tuple[str, ...], reviewed: Mapping[str, Any] | None
) -> Ints:
    """Return the number (n,) of annotators who reviewed a point inside each polygon.

    Args:
        polygons: (n,) polygons.
        names: names of the annotators.
        reviewed: polygon that an annotator has reviewed, by name; None for everywhere.
    """
    reviews = ReviewedAreas.from_layers(names, reviewed)
    points = shapely.point_on_surface(polygons)
    n_reviewers = np.zeros(len(polygons), dtype=np.int64)
    for area_number in reviews.area_of_annotator.tolist():
        if area_number < 0:
            n_reviewers += 1
        else:
            n_reviewers += shapely.intersects(reviews.areas[area_number], points)
    return n_reviewers


def _partly_drawn_message() -> Message:
    """Return the reason why there are no places if only some crowns were drawn."""
    return info(
        "crowns.unmarked_partly",
        "Only some crowns were drawn, so places that no annotator marked are not listed.",
    )


def _count_message(count: int, min_detectors: int) -> Message:
    """Return a message with the number of places."""
    return note(
        "crowns.unmarked_places",
        "At {count:,} places, at least {needed:,} detectors found a crown and no annotator drew "
        "one. Look at them again; see 'Look again here'.",
        one="At 1 place, at least {needed:,} detectors found a crown and no annotator drew one. "
        "Look at it again; see 'Look again here'.",
        count=count,
        needed=min_detectors,
    )
