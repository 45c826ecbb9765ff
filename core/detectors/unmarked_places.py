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
    needed = max(2, math.ceil(len(detections) / 2))
    if not all_drawn:
        return UnmarkedPlaces.without_places(_partly_drawn_message())
    if len(detections) < needed or not annotators:
        return UnmarkedPlaces.without_places()
    candidates = _collect_candidates(detections, inside, on_ignored)
    if not len(candidates.geometry):
        return UnmarkedPlaces.without_places()
    cluster = _cluster_within_plots(candidates, match_iou, subprogress(progress, 0.0, 0.8))
    rows_of_place = _group_rows(cluster, needed)
    polygons = _unite(candidates.geometry, rows_of_place)
    marked_share = _marked_shares(polygons, annotators)
    looked = _count_reviewers(polygons, tuple(annotators), reviewed)
    is_unmarked = ~exceeds(marked_share, MAX_MARKED_SHARE) & (looked > 0)
    progress(1.0)

    rows_of_place = [rows for rows, is_kept in zip(rows_of_place, is_unmarked) if is_kept]
    table = pd.DataFrame(
        {
            "votes": [len(rows) for rows in rows_of_place],
            "detectors": len(detections),
            "confidence": [candidates.confidence[rows].mean() for rows in rows_of_place],
            "looked": looked[is_unmarked],
            "area": shapely.area(polygons[is_unmarked]),
            "marked_share": marked_share[is_unmarked],
            "members": [candidates.describe(rows) for rows in rows_of_place],
        },
        columns=list(PLACE_COLUMNS),
    )
    return _sort_places(table, polygons[is_unmarked], needed)


def _sort_places(table: pd.DataFrame, polygons: Objects, needed: int) -> UnmarkedPlaces:
    """Return the places, those of most detectors first, then of the highest confidence.

    Args:
        table: a row per place.
        polygons: (n,) outline of each place.
        needed: minimum number of detectors, for the message.
    """
    if not len(table):
        return UnmarkedPlaces.without_places()
    # Rounded, so that equal confidences that differ by rounding keep the order of the places.
    confidence = table["confidence"].to_numpy(float).round(9)
    order = np.lexsort((-confidence, -table["votes"].to_numpy()))
    sorted_table = table.iloc[order].reset_index(drop=True)
    sorted_table["place"] = np.arange(1, len(table) + 1)
    return UnmarkedPlaces(sorted_table, polygons[order], _count_message(len(table), needed))


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
        ordered = rows[np.argsort(self.detector[rows], kind="stable")]
        return "; ".join(f"{self.names[self.detector[row]]}:{self.ids[row]}" for row in ordered)


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
    geometry = []
    ids = []
    plots = []
    confidence = []
    sizes = []
    for name in names:
        crowns, scores = detections[name]
        is_counted = ~np.isnan(scores)
        if inside is not None:
            is_counted &= inside[name]
        if on_ignored is not None:
            is_counted &= falls_below(on_ignored[name], _IGNORED_SHARE)
        counted = crowns.subset(is_counted)
        geometry.append(counted.geometry)
        ids.append(counted.ids)
        no_plots = np.full(len(counted), None)
        plots.append(no_plots if counted.plots is None else counted.plots)
        confidence.append(_shares_at_most(scores[is_counted]))
        sizes.append(len(counted))
    detector = np.repeat(np.arange(len(names)), sizes)
    all_crowns = np.concatenate(geometry)
    order = np.lexsort((detector, shapely.area(all_crowns), *shapely.bounds(all_crowns).T))
    return _Candidates(
        all_crowns[order],
        detector[order],
        np.concatenate(ids)[order],
        np.concatenate(plots)[order],
        np.concatenate(confidence)[order],
        names,
    )


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
    plots, plot_number = np.unique(plot_labels, return_inverse=True)
    place = np.empty(len(candidates.geometry), dtype=np.int64)
    n_places = 0
    for number in range(len(plots)):
        rows = np.flatnonzero(plot_number == number)
        share = subprogress(progress, number / len(plots), (number + 1) / len(plots))
        clusters = cluster_crowns(
            candidates.geometry[rows], candidates.detector[rows], match_iou, share
        )
        place[rows] = clusters.cluster + n_places
        n_places += clusters.n_clusters
    return place


def _group_rows(place: Ints, needed: int) -> list[Ints]:
    """Return the rows of the crowns at each place with at least ``needed`` crowns.

    Args:
        place: (N,) number of the place of each crown.
        needed: minimum number of crowns, each of another detector.
    """
    order = np.argsort(place, kind="stable")
    ends = np.cumsum(np.bincount(place))[:-1]
    return [rows for rows in np.split(order, ends) if len(rows) >= needed]


def _unite(geometry: Objects, rows_of_place: list[Ints]) -> Objects:
    """Return the union of the crowns at each place."""
    unions = np.empty(len(rows_of_place), dtype=object)
    unions[:] = [shapely.union_all(geometry[rows]) for rows in rows_of_place]
    return extract_polygons(unions)


def _marked_shares(polygons: Objects, annotators: Mapping[str, Crowns]) -> Floats:
    """Return the share (n,) of polygons that any annotator marked.

    Args:
        polygons: (n,) polygons.
        annotators: each annotator's crowns by name.
    """
    marks = np.concatenate([crowns.geometry for crowns in annotators.values()])
    tree = shapely.STRtree(marks.copy())
    place, mark = tree.query(polygons, predicate="intersects")
    order = np.argsort(place, kind="stable")
    ends = np.cumsum(np.bincount(place, minlength=len(polygons)))[:-1]
    marked_area = [
        shapely.area(shapely.intersection(polygon, shapely.union_all(marks[rows])))
        for polygon, rows in zip(polygons, np.split(mark[order], ends))
    ]
    return np.asarray(np.array(marked_area, dtype=float) / shapely.area(polygons))


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
    looked = np.zeros(len(polygons), dtype=np.int64)
    for area_number in reviews.area_of_annotator.tolist():
        if area_number < 0:
            looked += 1
        else:
            looked += shapely.intersects(reviews.areas[area_number], points)
    return looked


def _partly_drawn_message() -> Message:
    """Return the reason why there are no places if only some crowns were drawn."""
    return info(
        "crowns.unmarked_partly",
        "Only some crowns were drawn, so places that no annotator marked are not listed.",
    )


def _count_message(count: int, needed: int) -> Message:
    """Return a message with the number of places."""
    return note(
        "crowns.unmarked_places",
        "At {count:,} places, at least {needed:,} detectors found a crown and no annotator drew "
        "one. Look at them again; see 'Look again here'.",
        one="At 1 place, at least {needed:,} detectors found a crown and no annotator drew one. "
        "Look at it again; see 'Look again here'.",
        count=count,
        needed=needed,
    )
