"""Layers turned into crowns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from qgis.core import QgsCoordinateTransformContext, QgsFeature
from qgis.PyQt.QtCore import QDate, QDateTime, Qt, QTime

from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress, part_of
from randcrowns.core.remarks import note
from randcrowns.layers.compat import is_null
from randcrowns.layers.vector.crs import WorkingCrs, check_crs
from randcrowns.layers.vector.geometry import LARGEST, plain_polygons, usable_polygons
from randcrowns.layers.vector.report import Oddity, ReadReport
from randcrowns.layers.vector.snapshot import LayerSnapshot

__all__ = ["CrownLayer", "group_names", "read_crowns"]


@dataclass(frozen=True)
class CrownLayer:
    """A layer that was read.

    Attributes:
        crowns: the usable crowns, in working coordinates.
        rows: (n,) which feature each crown is.
        features: every feature, by id, as it came.
        working: the working coordinate system.
        report: what was odd.
    """

    crowns: Crowns
    rows: Ints
    features: list[QgsFeature]
    working: WorkingCrs
    report: ReadReport


def read_crowns(
    snapshot: LayerSnapshot,
    working: WorkingCrs | QgsCoordinateTransformContext,
    *,
    name: str | None = None,
    group_field: str = "",
    score_field: str = "",
    score_threshold: float = 0.0,
    all_attributes: bool = False,
    progress: Progress = no_progress,
) -> CrownLayer:
    """Read a layer, repair what can be repaired, and say what was odd.

    Args:
        snapshot: the layer.
        working: where to compute; a transform context stands for the layer's own choice.
        name: what the crowns are called, unless the layer's name.
        group_field: field with the plot; a layer without it has no groups.
        score_field: field with a detector's confidence; a layer without it keeps every crown.
        score_threshold: crowns below it are left out, and crowns without a score.
        all_attributes: keep every attribute with the features.
        progress: told the fraction done.

    Raises:
        InputError: if the layer's coordinate system is missing or its coordinates do not belong to it.
    """
    called = name or snapshot.name
    report = ReadReport(called)
    check_crs(called, snapshot.crs)
    wanted = [field for field in (group_field, score_field) if field and snapshot.fields.lookupField(field) >= 0]
    features = snapshot.features(None if all_attributes else wanted, part_of(progress, 0.0, 0.4))
    report.read = len(features)
    changed = snapshot.changed_since(called, len(features))
    ids = np.array([feature.id() for feature in features], dtype=np.int64)
    shapes = plain_polygons(features, ids, report)
    progress(0.6)
    if not isinstance(working, WorkingCrs):
        working = WorkingCrs.for_layer(called, snapshot.crs, _centre(shapes), working)
        apart = working.too_far_apart(called, snapshot.crs, _outermost(shapes))
        found_out = [changed, working.note, apart]
    else:
        brought = note(
            "input.brought",
            "Layer '{layer}' is in {crs}; it was brought to {working}.",
            layer=called,
            crs=snapshot.crs.authid(),
            working=working.name,
        )
        found_out = [changed, None if snapshot.crs == working.crs else brought]
    report.notes += filter(None, found_out)
    place = working
    found = usable_polygons(
        shapes,
        ids,
        report,
        lambda xy: place.metres_from(snapshot.crs, xy, called),
        part_of(progress, 0.6, 0.94),
    )
    if score_field:
        _leave_low_scores(found, features, ids, snapshot, score_field, score_threshold, report)
    rows = np.flatnonzero(~shapely.is_missing(found))
    groups = _groups(features, rows, snapshot, group_field, report)
    crowns = Crowns(found[rows], ids[rows], groups, called, working.name)
    progress(1.0)
    return CrownLayer(crowns, rows, features, working, report)


def group_names(layer: CrownLayer, snapshot: LayerSnapshot, group_field: str) -> set[str]:
    """What the field says in any feature, those without a usable crown too."""
    place = snapshot.fields.lookupField(group_field)
    if place < 0:
        return set()
    return {name for feature in layer.features if (name := _text(feature.attribute(place)))}


def _centre(shapes: Objects) -> tuple[float, float]:
    """Middle of the bounds of all that lie on a map; the origin where none does."""
    bounds = _usable_bounds(shapes)
    if len(bounds) == 0:
        return 0.0, 0.0
    (xmin, ymin), (xmax, ymax) = bounds[:, :2].min(axis=0), bounds[:, 2:].max(axis=0)
    return float(xmin + xmax) / 2, float(ymin + ymax) / 2


def _outermost(shapes: Objects) -> Floats:
    """(n, 2) centres of the crowns farthest west, south, east and north, n at most 4."""
    bounds = _usable_bounds(shapes)
    if len(bounds) == 0:
        return np.empty((0, 2))
    centres = (bounds[:, :2] + bounds[:, 2:]) / 2
    rows = {*centres.argmin(axis=0).tolist(), *centres.argmax(axis=0).tolist()}
    found: Floats = centres[sorted(rows)]
    return found


def _usable_bounds(shapes: Objects) -> Floats:
    bounds = shapely.bounds(shapes)
    with np.errstate(invalid="ignore"):
        found: Floats = bounds[(np.abs(bounds) < LARGEST).all(axis=1)]
    return found


def _leave_low_scores(
    shapes: Objects,
    features: list[QgsFeature],
    ids: Ints,
    snapshot: LayerSnapshot,
    score_field: str,
    threshold: float,
    report: ReadReport,
) -> None:
    """Make None of the shapes whose score is below the threshold or missing; minus infinity is no score."""
    place = snapshot.fields.lookupField(score_field)
    if place < 0:
        said = "Layer '{layer}' has no field '{field}'; all its crowns were kept."
        report.notes.append(note("input.no_score_field", said, layer=report.layer, field=score_field))
        return
    if not math.isfinite(threshold):
        raise InputError(f"The score threshold must be a number, but it is {threshold}.")
    scores = np.array([_number(feature.attribute(place)) for feature in features], dtype=float)
    present = ~shapely.is_missing(shapes)
    scores[np.isneginf(scores)] = math.nan
    without, low = present & np.isnan(scores), present & (scores < threshold)
    report.add(Oddity.NO_SCORE, ids[without])
    report.add(Oddity.LOW_SCORE, ids[low])
    shapes[without | low] = None


def _groups(
    features: list[QgsFeature],
    rows: Ints,
    snapshot: LayerSnapshot,
    group_field: str,
    report: ReadReport,
) -> Objects | None:
    """The group of each crown as text, so that layers with unlike field types agree; None without the field."""
    if not group_field:
        return None
    place = snapshot.fields.lookupField(group_field)
    if place < 0:
        report.notes.append(
            note(
                "input.no_group_field",
                "Layer '{layer}' has no field '{field}'; its crowns count to the group of the nearest target.",
                layer=report.layer,
                field=group_field,
            )
        )
        return None
    groups = np.empty(len(rows), dtype=object)
    groups[:] = [_text(features[row].attribute(place)) for row in rows]
    missing = sum(group is None for group in groups)
    if missing:
        a_group = "they are a group of their own, left out of the groups' rows of the summary."
        report.notes.append(
            note(
                "input.no_group",
                f"Layer '{{layer}}': {{count:,}} crowns have nothing in field '{{field}}'; {a_group}",
                one=f"Layer '{{layer}}': 1 crown has nothing in field '{{field}}'; {a_group}",
                layer=report.layer,
                count=missing,
                field=group_field,
            )
        )
    return groups


def _number(value: Any) -> float:
    if is_null(value):
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


def _text(value: Any) -> str | None:
    """A group's name; dates as ISO 8601 writes them. None for what has no value, or only blanks."""
    if is_null(value):
        return None
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return str(int(value)) if value.is_integer() else str(value)
    if isinstance(value, (QDate, QDateTime, QTime)):
        return str(value.toString(Qt.DateFormat.ISODate)) if value.isValid() else None
    return str(value).strip() or None
