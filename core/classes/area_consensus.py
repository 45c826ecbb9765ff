"""Classes of the areas of a consensus, by the votes of the annotators or by STAPLE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.classes.agreement import ClassRatings
from randcrowns.core.classes.area_classes import (
    RatedOverlay,
    can_be_overlaid,
    rate_overlay,
    too_many_message,
)
from randcrowns.core.classes.consensus import ClassRule, class_columns_of_ratings
from randcrowns.core.crowns import Crowns
from randcrowns.core.geometry.overlay import dissolve_faces
from randcrowns.core.messages import Message
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress, subprogress
from randcrowns.core.statistics import ratio


class ClassedAreas(NamedTuple):
    """Areas of a consensus of one image, divided by class."""

    polygons: Objects  #: (P,) polygons; those of one class are connected areas.
    #: A row per polygon: ``crown_class`` (None for a tie or without a class), ``class_share`` (mean
    #: share of the ratings with the most frequent class, by area), ``tied_classes``, and by STAPLE
    #: ``class_probability`` (mean by area).
    table: pd.DataFrame


class AreaClassConsensus(NamedTuple):
    """Areas of consensuses with their classes."""

    parts: list[ClassedAreas]  #: areas of each image.
    #: How annotators confuse classes, see
    #: :class:`randcrowns.core.classes.consensus.ClassConsensus`.
    confusion: pd.DataFrame
    messages: list[Message]  #: messages about classes that cannot be estimated.


def classes_of_areas(
    areas: Sequence[Objects],
    drawings: Sequence[Mapping[str, Crowns]],
    rule: ClassRule = ClassRule.PLURALITY,
    reviewed: Sequence[Mapping[str, Any]] = (),
    progress: Progress = no_progress,
) -> AreaClassConsensus:
    """Divide the areas of a consensus by the classes that annotators gave to the ground.

    The ground of all images is rated together. An annotator rates the ground that crowns of one
    class cover; ground on which crowns of several classes overlap has no rating by that annotator.

    Args:
        areas: (P,) polygons of the consensus, for each image or plot.
        drawings: for each of them crowns of the annotators, with or without classes, by name.
        rule: rule by which the ground gets its class.
        reviewed: polygon that an annotator has reviewed, by name, for each image; everywhere by
            default.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The areas. Without classes, or with too many to be overlaid, they are not divided.

    >>> ann = Crowns([shapely.box(0, 0, 4, 1)], classes=["oak"])
    >>> ben = Crowns([shapely.box(0, 0, 2, 1), shapely.box(2, 0, 4, 1)], classes=["oak", "ash"])
    >>> made = classes_of_areas([ann.geometry], [{"Ann": ann, "Ben": ben}]).parts[0]
    >>> made.table[["crown_class", "class_share", "tied_classes"]].values.tolist()
    [[None, 0.5, 'ash = oak'], ['oak', 1.0, '']]
    """
    names = list(dict.fromkeys(name for layers in drawings for name in layers))
    reviewed_areas = reviewed or [{}] * len(drawings)
    if not can_be_overlaid(drawings, reviewed_areas):
        parts = [_without_classes(polygons) for polygons in areas]
        return AreaClassConsensus(parts, _no_confusion(), [too_many_message(drawings)])
    overlays: list[RatedOverlay | None] = []
    images = list(zip(areas, drawings, reviewed_areas))
    for (polygons, layers, own), share in iterate_with_progress(
        images, subprogress(progress, 0.0, 0.6)
    ):
        overlay = None
        if len(polygons):
            overlay = rate_overlay(
                layers, polygons, names, reviewed=own, with_faces=True, progress=share
            )
        overlays.append(overlay)
    rated = [overlay for overlay in overlays if overlay is not None]
    if not rated:
        return AreaClassConsensus([_without_classes(own) for own in areas], _no_confusion(), [])
    ratings = ClassRatings.from_ratings(
        np.concatenate([overlay.ratings for overlay in rated]),
        np.concatenate([overlay.votes.weights for overlay in rated]),
    )
    columns, confusion = class_columns_of_ratings(
        ratings, names, rule, subprogress(progress, 0.6, 0.8)
    )
    ends = np.cumsum([len(overlay.ratings) for overlay in rated])[:-1]
    rows_of_rated = iter(np.split(np.asarray(ratings.pattern_index), ends))
    parts = []
    for polygons, overlay in zip(areas, overlays):
        if overlay is None:
            parts.append(_without_classes(polygons))
        else:
            parts.append(_divide(overlay, columns, next(rows_of_rated)))
    return AreaClassConsensus(parts, confusion, [])


def _without_classes(polygons: Objects) -> ClassedAreas:
    """Return areas that have no class."""
    n = len(polygons)
    table = pd.DataFrame(
        {
            "crown_class": np.full(n, None, dtype=object),
            "class_share": np.full(n, np.nan),
            "tied_classes": np.full(n, "", dtype=object),
        }
    )
    return ClassedAreas(polygons, table)


def _no_confusion() -> pd.DataFrame:
    """Return a table of confusions without rows."""
    return cast("pd.DataFrame", pd.DataFrame())


def _divide(overlay: RatedOverlay, columns: Mapping[str, Any], rows: Ints) -> ClassedAreas:
    """Return the faces of an overlay joined by class.

    Args:
        overlay: overlay inside the areas of the consensus.
        columns: values of the patterns of ratings of all images, by name.
        rows: (M,) pattern of ratings of each pattern of the overlay.
    """
    faces = cast("Objects", overlay.votes.faces)
    row_of_face = rows[np.asarray(overlay.votes.pattern_index)]
    labels = pd.DataFrame({name: columns[name] for name in ("crown_class", "tied_classes")})
    # Ground without a class is one group for each set of tied classes; "" is no class.
    keys = labels.fillna("").loc[row_of_face].reset_index(drop=True)
    polygons = [np.empty(0, dtype=object)]
    tables = []
    for _, group in keys.groupby(["crown_class", "tied_classes"], sort=True):
        own_faces = faces[group.index.to_numpy()]
        joined = dissolve_faces(own_faces)
        own_rows = row_of_face[group.index.to_numpy()]
        table = labels.iloc[np.full(len(joined), own_rows[0])].reset_index(drop=True)
        for name in ("class_share", "class_probability"):
            if name in columns:
                table[name] = _means_by_polygon(joined, own_faces, columns[name][own_rows])
        polygons.append(joined)
        tables.append(table)
    rows_of_all = pd.concat(tables, ignore_index=True)
    names = [name for name in columns if name in rows_of_all]
    return ClassedAreas(np.concatenate(polygons), rows_of_all[names])


def _means_by_polygon(polygons: Objects, faces: Objects, values: Floats) -> Floats:
    """Return the mean value (P,) of the faces (F,) in each polygon, weighted by their areas."""
    face, polygon = shapely.STRtree(polygons).query(
        shapely.point_on_surface(faces), predicate="within"
    )
    areas = shapely.area(faces)[face]
    is_known = ~np.isnan(values[face])
    weighted = np.where(is_known, areas * np.nan_to_num(values[face]), 0.0)
    n_polygons = len(polygons)
    totals = np.bincount(polygon, weighted, n_polygons)
    means: Floats = ratio(totals, np.bincount(polygon, areas * is_known, n_polygons))
    return means
