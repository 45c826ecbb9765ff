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
    AreaRatings,
    RatedOverlay,
    can_be_overlaid,
    classed_layers,
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
        layers_with_classes = [layer for crowns in drawings for layer in classed_layers(crowns)]
        return _undivided(areas, [too_many_message(layers_with_classes)])
    overlays: list[RatedOverlay | None] = []
    images = list(zip(areas, drawings, reviewed_areas))
    overlay_progress = subprogress(progress, 0.0, 0.6)
    for image, image_progress in iterate_with_progress(images, overlay_progress):
        polygons, crowns, reviewed_of_image = image
        overlay = None
        if len(polygons):
            overlay = rate_overlay(
                crowns,
                polygons,
                names,
                reviewed=reviewed_of_image,
                with_faces=True,
                progress=image_progress,
            )
        overlays.append(overlay)

    ratings = [
        AreaRatings(overlay.ratings, overlay.votes.weights)
        for overlay in overlays
        if overlay is not None
    ]
    if not ratings:
        return _undivided(areas, messages=[])
    joint = rate_together(ratings, names, rule, subprogress(progress, 0.6, 0.8))
    pattern_rows = iter(joint.rows)
    parts = []
    for polygons, overlay in zip(areas, overlays):
        if overlay is None:
            parts.append(_without_classes(polygons))
        else:
            parts.append(_divide(overlay, joint, next(pattern_rows)))
    return AreaClassConsensus(parts, joint.confusion, messages=[])


class JointClasses(NamedTuple):
    """Classes of the M distinct patterns of ratings of several images."""

    #: Values (M,) by column: ``class_share``, and by STAPLE ``class_probability``.
    measures: dict[str, Floats]
    group: Ints  #: (M,) number of the class, or of the set of tied classes, of each pattern.
    #: A row per group: ``crown_class`` and ``tied_classes``.
    groups: pd.DataFrame
    #: For each image, the pattern of each of its patterns.
    rows: list[Ints]
    confusion: pd.DataFrame  #: see :class:`AreaClassConsensus`.

    def table(self, groups: Ints, means: Mapping[str, Floats]) -> pd.DataFrame:
        """Return the rows of :attr:`ClassedAreas.table`.

        Args:
            groups: (P,) group of each polygon.
            means: (P,) mean of each measure in each polygon, by name.
        """
        classes_of_polygons = self.groups.iloc[groups].reset_index(drop=True)
        table = classes_of_polygons.assign(**means)
        names = ["crown_class", "class_share", "tied_classes", "class_probability"]
        present_names = [name for name in names if name in table]
        return cast("pd.DataFrame", table[present_names])


def rate_together(
    images: Sequence[AreaRatings],
    names: Sequence[str],
    rule: ClassRule,
    progress: Progress = no_progress,
) -> JointClasses:
    """Return the classes of the ground of several images, which is rated together.

    Args:
        images: ratings of the ground of each image by R annotators.
        names: (R,) names of the annotators.
        rule: rule by which the ground gets its class.
        progress: receives the fraction done; may raise to cancel.

    >>> rated = AreaRatings(np.array([["oak", "oak"], ["oak", "ash"]], dtype=object), np.ones(2))
    >>> joint = rate_together([rated], ["ann", "ben"], ClassRule.PLURALITY)
    >>> joint.groups.iloc[joint.group[joint.rows[0]]].values.tolist()
    [['oak', ''], [None, 'ash = oak']]
    """
    ratings = ClassRatings.from_ratings(
        np.concatenate([image.ratings for image in images]),
        np.concatenate([image.areas for image in images]),
    )
    columns, confusion = class_columns_of_ratings(ratings, names, rule, progress)
    labels = pd.DataFrame(
        {"crown_class": columns.pop("crown_class"), "tied_classes": columns.pop("tied_classes")}
    )
    # Ground without a class is one group for each set of tied classes; "" is no class.
    by_group = labels.fillna("").groupby(["crown_class", "tied_classes"], sort=True)
    group_of_pattern = by_group.ngroup().to_numpy(dtype=np.int64)
    _, first_patterns = np.unique(group_of_pattern, return_index=True)
    image_ends = np.cumsum([len(image.ratings) for image in images])
    return JointClasses(
        measures=columns,
        group=group_of_pattern,
        groups=labels.iloc[first_patterns].reset_index(drop=True),
        rows=np.split(np.asarray(ratings.pattern_index), image_ends[:-1]),
        confusion=confusion,
    )


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


def _undivided(areas: Sequence[Objects], messages: list[Message]) -> AreaClassConsensus:
    """Return a consensus whose areas have no classes.

    Args:
        areas: (P,) polygons of each image.
        messages: reason, if it is not that there are no classes.
    """
    return AreaClassConsensus(
        parts=[_without_classes(polygons) for polygons in areas],
        confusion=pd.DataFrame(),
        messages=messages,
    )


def _divide(overlay: RatedOverlay, joint: JointClasses, rows: Ints) -> ClassedAreas:
    """Return the faces of an overlay joined by class.

    Args:
        overlay: overlay inside the areas of the consensus.
        joint: classes of the ratings of all images.
        rows: (M,) pattern of ratings of each pattern of the overlay.
    """
    faces = cast("Objects", overlay.votes.faces)
    pattern_of_face = rows[np.asarray(overlay.votes.pattern_index)]
    group_of_face = joint.group[pattern_of_face]
    # The empty array and table give the result its columns if there is no face.
    polygons = [np.empty(0, dtype=object)]
    tables = [joint.table(np.empty(0, np.int64), {})]
    for group in np.unique(group_of_face).tolist():
        face_rows = np.flatnonzero(group_of_face == group)
        group_faces = faces[face_rows]
        group_patterns = pattern_of_face[face_rows]
        joined = dissolve_faces(group_faces)
        means = {}
        for name, values in joint.measures.items():
            means[name] = _means_by_polygon(joined, group_faces, values[group_patterns])
        polygons.append(joined)
        tables.append(joint.table(np.full(len(joined), group), means))
    return ClassedAreas(np.concatenate(polygons), pd.concat(tables, ignore_index=True))


def _means_by_polygon(polygons: Objects, faces: Objects, values: Floats) -> Floats:
    """Return the mean value of the faces in each polygon, weighted by their areas.

    Args:
        polygons: (P,) unions of faces.
        faces: (F,) faces, each in one polygon at most.
        values: (F,) value of each face; NaN for one that does not count.

    Returns:
        (P,) means; NaN for a polygon without a face that counts.
    """
    # Each face in a polygon, and this polygon.
    inner_faces, outer_polygons = shapely.STRtree(polygons).query(
        shapely.point_on_surface(faces), predicate="within"
    )
    areas = shapely.area(faces)[inner_faces]
    face_values = values[inner_faces]
    is_known = ~np.isnan(face_values)
    weighted_values = np.where(is_known, areas * np.nan_to_num(face_values), 0.0)
    n_polygons = len(polygons)
    value_sums = np.bincount(outer_polygons, weighted_values, n_polygons)
    known_areas = np.bincount(outer_polygons, areas * is_known, n_polygons)
    means: Floats = ratio(value_sums, known_areas)
    return means
