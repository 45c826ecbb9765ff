"""Polygons of features made usable, with a report on the features that are unusual."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, split_array, split_range
from randcrowns.core.comparison import check_score_range
from randcrowns.core.crowns import MAX_COORDINATE
from randcrowns.core.geometry.areas import extract_polygons
from randcrowns.core.messages import Message, abbreviate, info, note
from randcrowns.core.outlines import make_usable
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress, subprogress

#: Function that transforms an array (m, 2) of coordinates.
CoordinateTransform = Callable[[Floats], Floats]

#: Number of shapes per call of shapely. Shapely holds Python's global lock during a call, and the
#: main window freezes for that time.
_BLOCK_SIZE = 2000
#: Type code of a geometry collection.
_COLLECTION = shapely.GeometryType.GEOMETRYCOLLECTION


class FeatureIssue(Enum):
    """Issue of a feature that is read, and what is done about it.

    The value holds the two English templates: for many crowns and for one crown. Features that are
    "skipped" or "excluded" yield no crown.
    """

    NULL = ("{count:,} crowns without geometry are skipped", "1 crown without geometry is skipped")
    EMPTY = (
        "{count:,} crowns with an empty geometry are skipped",
        "1 crown with an empty geometry is skipped",
    )
    NOT_A_POLYGON = (
        "{count:,} crowns of another geometry type than polygon are skipped",
        "1 crown of another geometry type than polygon is skipped",
    )
    NOT_NUMBERS = (
        "{count:,} crowns with coordinates that are not numbers are skipped",
        "1 crown with coordinates that are not numbers is skipped",
    )
    TOO_LARGE = (
        "{count:,} crowns with coordinates too large for any map are skipped",
        "1 crown with coordinates too large for any map is skipped",
    )
    UNREADABLE = (
        "{count:,} crowns with an outline that cannot be read are skipped",
        "1 crown with an outline that cannot be read is skipped",
    )
    NO_AREA = ("{count:,} crowns without an area are skipped", "1 crown without an area is skipped")
    NO_SCORE = (
        "{count:,} crowns without a score are excluded",
        "1 crown without a score is excluded",
    )
    LOW_SCORE = (
        "{count:,} crowns with a score below the threshold are excluded",
        "1 crown with a score below the threshold is excluded",
    )
    NO_NAME = (
        "{count:,} crowns without an annotator's name are excluded",
        "1 crown without an annotator's name is excluded",
    )
    OUTSIDE = (
        "{count:,} crowns outside the extent are excluded",
        "1 crown outside the extent is excluded",
    )
    CUT = (
        "{count:,} crowns partly outside the extent are clipped to it",
        "1 crown partly outside the extent is clipped to it",
    )
    REPAIRED = (
        "{count:,} crowns with an invalid geometry are repaired",
        "1 crown with an invalid geometry is repaired",
    )
    AREA_CHANGED = (
        "the repair changes the area of {count:,} crowns by more than 1 %",
        "the repair changes the area of 1 crown by more than 1 %",
    )
    CLOSED = (
        "{count:,} crowns with cracks or specks narrower than 0.001 mm are smoothed there",
        "1 crown with cracks or specks narrower than 0.001 mm is smoothed there",
    )
    TOO_COMPLEX = (
        "{count:,} crowns whose outlines cross themselves too often to be repaired are skipped",
        "1 crown whose outline crosses itself too often to be repaired is skipped",
    )
    MIXED = (
        "{count:,} crowns of mixed geometry are reduced to polygons",
        "1 crown of mixed geometry is reduced to polygons",
    )
    CURVED = (
        "{count:,} crowns with curved edges are approximated by straight edges",
        "1 crown with curved edges is approximated by straight edges",
    )
    FLATTENED = (
        "{count:,} crowns with Z or M values are reduced to two dimensions",
        "1 crown with Z or M values is reduced to two dimensions",
    )
    MULTIPART = (
        "{count:,} crowns with several parts are counted once",
        "1 crown with several parts is counted once",
    )

    def message_clause(self, count: int) -> Message:
        """Return the clause about features with this issue, without a layer.

        For example ``3 crowns with an invalid geometry are repaired``.

        Args:
            count: number of features with the issue.
        """
        plural, singular = self.value
        return info(f"clause.{self.name.lower()}", plural, one=singular, count=count)

    def message(self, layer: str, ids: list[int]) -> Message:
        """Return the message about the features of a layer with this issue.

        For example ``Layer 'A': 3 crowns with an invalid geometry are repaired (features 4, 8,
        15).``

        Args:
            layer: name of the layer.
            ids: ids of the features with the issue.
        """
        return note(
            f"input.{self.name.lower()}",
            "Layer '{layer}': {what} (features {ids}).",
            one="Layer '{layer}': {what} (feature {ids}).",
            layer=layer,
            count=len(ids),
            what=self.message_clause(len(ids)),
            ids=abbreviate(ids, 10),
        )


@dataclass
class ReadReport:
    """Issues found while a layer was read."""

    #: Name of the layer.
    layer: str
    #: Ids of the features with each issue.
    issues: dict[FeatureIssue, list[int]] = field(default_factory=dict)
    #: Messages about the layer as a whole.
    layer_messages: list[Message] = field(default_factory=list)

    def add(self, issue: FeatureIssue, ids: Iterable[int]) -> None:
        """Record features with an issue; do nothing if there are no ids.

        Args:
            issue: the issue.
            ids: ids of the features with the issue.
        """
        new_ids = [int(feature_id) for feature_id in ids]
        if new_ids:
            self.issues.setdefault(issue, []).extend(new_ids)

    def feature_ids(self, issue: FeatureIssue) -> list[int]:
        """Return the ids of the features with an issue."""
        return self.issues.get(issue, [])

    def messages(self) -> list[Message]:
        """Return the messages about the layer as a whole, then one message per issue."""
        issue_messages = [oddity.message(self.layer, ids) for oddity, ids in self.issues.items()]
        return [*self.layer_messages, *issue_messages]


def repair_polygons(
    shapes: Objects,
    ids: Ints,
    report: ReadReport,
    transform: CoordinateTransform,
    progress: Progress = no_progress,
) -> Objects:
    """Transform polygons to working coordinates and make them usable.

    Invalid polygons are repaired, and cracks and specks are closed, see
    :func:`randcrowns.core.outlines.make_usable`.

    Args:
        shapes: (n,) geometries from the layer's features, or None; they are not changed.
        ids: (n,) feature ids for the report.
        report: report to which issues of the features are added.
        transform: function that transforms coordinates (m, 2) of the layer to working coordinates.
        progress: callback that receives the completed fraction.

    Returns:
        Array (n,) of valid polygons or multipolygons with a positive area; None for geometries that
        cannot be used.
    """
    polygons = shapes.copy()
    report.add(FeatureIssue.EMPTY, _set_to_none(polygons, ids, shapely.is_empty(polygons)))
    not_finite = _has_coordinate(polygons, lambda xy: ~np.isfinite(xy))
    report.add(FeatureIssue.NOT_NUMBERS, _set_to_none(polygons, ids, not_finite))
    too_large = _has_coordinate(polygons, lambda xy: np.abs(xy) > MAX_COORDINATE)
    report.add(FeatureIssue.TOO_LARGE, _set_to_none(polygons, ids, too_large))

    _transform_in_place(polygons, transform, subprogress(progress, 0.0, 0.5))
    is_collection = shapely.get_type_id(polygons) == _COLLECTION
    polygons[is_collection] = extract_polygons(polygons[is_collection])
    outlines = make_usable(polygons, subprogress(progress, 0.5, 1.0))

    usable = outlines.polygons
    has_area = shapely.area(usable) > 0
    no_area = ~shapely.is_missing(usable) & ~has_area
    report.add(FeatureIssue.NO_AREA, _set_to_none(usable, ids, no_area))
    report.add(FeatureIssue.TOO_COMPLEX, ids[outlines.is_too_complex])
    report.add(FeatureIssue.REPAIRED, ids[outlines.is_repaired & ~no_area])
    report.add(FeatureIssue.AREA_CHANGED, ids[outlines.is_area_changed & ~no_area])
    report.add(FeatureIssue.CLOSED, ids[outlines.is_closed & ~no_area])
    report.add(FeatureIssue.MULTIPART, ids[shapely.get_num_geometries(usable) > 1])
    return usable


def _transform_in_place(
    polygons: Objects, transform: CoordinateTransform, progress: Progress
) -> None:
    """Transform the coordinates of geometries, block by block.

    Args:
        polygons: (n,) geometries or None; replaced in place.
        transform: function that transforms coordinates (m, 2). It may return the same array.
        progress: receives the completed fraction.
    """
    present_rows = np.flatnonzero(~shapely.is_missing(polygons))
    blocks = split_array(present_rows, _BLOCK_SIZE)
    for block, _ in iterate_with_progress(blocks, progress):
        coordinates = shapely.get_coordinates(polygons[block])
        transformed = transform(coordinates)
        if transformed is not coordinates:
            polygons[block] = shapely.set_coordinates(polygons[block], transformed)


@dataclass(frozen=True, eq=False)
class FeatureScores:
    """Scores of n features, and the minimum score.

    Attributes:
        field: field with the scores.
        values: (n,) scores; NaN and minus infinity stand for a missing score.
        threshold: minimum score; features with a lower score or without one are excluded.
    """

    field: str
    values: Floats
    threshold: float


def exclude_low_scores(
    polygons: Objects, scores: FeatureScores, ids: Ints, report: ReadReport
) -> None:
    """Set polygons with a low or missing score to None in place, and report them.

    Args:
        polygons: (n,) polygons, or None.
        scores: scores of the features, and the minimum.
        ids: (n,) feature ids for the report.
        report: report to which the excluded features are added.

    >>> polygons, report = shapely.box(0, 0, [1, 2], 1), ReadReport("trees")
    >>> scores = FeatureScores("score", np.array([0.2, 0.9]), 0.5)
    >>> exclude_low_scores(polygons, scores, np.array([1, 2]), report)
    >>> report.feature_ids(FeatureIssue.LOW_SCORE)
    [1]
    """
    values = np.where(np.isneginf(scores.values), np.nan, scores.values)
    is_present = ~shapely.is_missing(polygons)
    report.layer_messages += check_score_range(report.layer, scores.field, values[is_present])
    has_no_score = is_present & np.isnan(values)
    has_low_score = is_present & (values < scores.threshold)
    report.add(FeatureIssue.NO_SCORE, ids[has_no_score])
    report.add(FeatureIssue.LOW_SCORE, ids[has_low_score])
    polygons[has_no_score | has_low_score] = None


def _set_to_none(shapes: Objects, ids: Ints, mask: Bools) -> Ints:
    """Set the shapes of a mask (n,) to None in place; return their ids."""
    shapes[mask] = None
    return ids[mask]


def _has_coordinate(shapes: Objects, predicate: Callable[[Floats], Bools]) -> Bools:
    """Return a mask (n,) of shapes with a coordinate for which the predicate is true.

    The predicate maps coordinates (m, 2) to a mask (m, 2).
    """
    mask = np.zeros(len(shapes), dtype=bool)
    for block in split_range(len(shapes), _BLOCK_SIZE):
        coordinates, owners = shapely.get_coordinates(shapes[block], return_index=True)
        mask[block][owners[predicate(coordinates).any(axis=1)]] = True
    return mask
