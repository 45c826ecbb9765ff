"""Reads the annotators' polygons from their layers, with remarks on them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import numpy as np
import shapely

from randcrowns.algorithms.agreement.choices import ANNOTATOR_FIELD, LEFT_OUT, STUDY_AREA, AnnotatorJob
from randcrowns.core.agreement.votes import MOST_ANNOTATORS
from randcrowns.core.arrays import Bools, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress
from randcrowns.core.remarks import Remark, note
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.vector.place import Place, read_place
from randcrowns.layers.vector.read import LayerRequest
from randcrowns.layers.words import tr

# An annotator who drew farther from everybody else than this hardly drew the same place; metres.
_FAR = 50_000.0


@dataclass(frozen=True, eq=False)
class Drawings(Place):
    """The place with what was drawn: polygons of each annotator, by name."""

    annotators: dict[str, Objects] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """Of the annotators."""
        return list(self.annotators)


def read_drawings(job: AnnotatorJob, progress: Progress) -> Drawings:
    """Read all layers.

    Raises:
        InputError: if there is nothing to compare, or too many annotators.
    """
    named_by = job[ANNOTATOR_FIELD]
    requests = [
        LayerRequest(snapshot, name=name, group_field=named_by, unnamed_left_out=True)
        for name, snapshot in job.layers.items()
    ]
    context = job.transform_context
    start = context if job.image is None else Grid.of_raster(job.image, context)
    place = read_place(requests, start, job[STUDY_AREA], job[LEFT_OUT], progress)
    annotators = {layer.crowns.name: layer.crowns.geometry for layer in place.layers}
    if named_by:
        annotators = _by_field(place, named_by)
        said = "{name}: no polygon that can be used, so this annotator marked nothing."
        none = [name for name, polygons in annotators.items() if len(polygons) == 0]
        place.decided.extend(note("annotators.none", said, name=name) for name in none)
    if len(annotators) > MOST_ANNOTATORS:
        raise InputError(
            tr("At most {most} annotators can be compared, but field '{field}' names {count}.").format(
                most=MOST_ANNOTATORS, field=named_by, count=len(annotators)
            )
        )
    if place.area is None and place.grid is not None:
        place = replace(place, area=shapely.box(*place.grid.bounds))
        said = "No study area was chosen: the image's rectangle was taken."
        place.decided.append(note("input.image_extent", said))
    drawn = sum(map(len, annotators.values()))
    if place.area is None and not drawn:
        raise InputError(tr("None of the annotators' layers has a polygon that can be used."))
    drawings = Drawings(**vars(place), annotators=annotators)
    outside = _outside(drawings)
    if drawn and len(outside) == sum(len(polygons) > 0 for polygons in annotators.values()):
        raise InputError(_nothing_inside(drawings))
    drawings.decided.extend([*outside, *_far(annotators)])
    return drawings


def _by_field(place: Place, field_name: str) -> dict[str, Objects]:
    """Polygons by the field's values, numbers before words; an annotator without a usable polygon marked nothing.

    Raises:
        InputError: if it says nothing anywhere.
    """
    names = frozenset[str]().union(*(layer.groups for layer in place.layers))
    if not names:
        raise InputError(
            tr("No polygon has anything in field '{field}', so there is no annotator.").format(field=field_name)
        )
    named = np.concatenate([np.asarray(layer.crowns.groups, dtype=object) for layer in place.layers])
    return {name: place.everything[named == name] for name in sorted(names, key=_by_number)}


def _by_number(name: str) -> tuple[bool, float, str]:
    """Sorts 2 before 10, and numbers before words."""
    try:
        number = float(name)
    except ValueError:
        number = math.nan
    return (False, number, name) if math.isfinite(number) else (True, 0.0, name)


def _far(annotators: dict[str, Objects]) -> list[Remark]:
    """Remarks on annotators far from all others."""
    drew = {
        name: shapely.box(*shapely.total_bounds(polygons)) for name, polygons in annotators.items() if len(polygons)
    }
    boxes = np.array(list(drew.values()), dtype=object)
    apart = shapely.distance(boxes[:, None], boxes[None, :])
    np.fill_diagonal(apart, np.inf)
    said = "{name} lies {distance:,.0f} km away from all other annotators; check the layers' coordinate systems."
    return [
        note("annotators.far", said, name=name, distance=nearest / 1000)
        for name, nearest in zip(drew, apart.min(axis=1, initial=np.inf))
        if _FAR < nearest < np.inf
    ]


class _Where(Enum):
    """Where polygons lie that do not count, in words."""

    OUTSIDE = "outside the study area"
    EXCLUDED = "in the excluded areas"
    EITHER = "outside the study area or in the excluded areas"


def _outside(drawings: Drawings) -> list[Remark]:
    """Remarks on annotators without polygons inside the study area; they count as having marked nothing."""
    region = drawings.region
    told = []
    for name, polygons in drawings.annotators.items() if region is not None else ():
        if len(polygons) and not _reaching(polygons, region).any():
            where = _where_not(drawings, polygons)
            nothing = f"{where.value}, so none counts."
            told.append(
                note(
                    f"outside.{where.name.lower()}",
                    f"{{name}}: all {{count:,}} polygons lie {nothing}",
                    one=f"{{name}}: the one polygon lies {where.value}, so it does not count.",
                    name=name,
                    count=len(polygons),
                )
            )
    return told


def _reaching(polygons: Objects, region: Any) -> Bools:
    """(n,) which polygons share more than their edge with the region."""
    shapely.prepare(region)
    return np.asarray(shapely.intersects(region, polygons) & ~shapely.touches(region, polygons))


def _where_not(drawings: Drawings, polygons: Objects) -> _Where:
    inside = np.ones(len(polygons), dtype=bool)
    if drawings.area is not None:
        inside = _reaching(polygons, drawings.area)
    if not inside.any():
        return _Where.OUTSIDE
    return _Where.EXCLUDED if inside.all() else _Where.EITHER


def _nothing_inside(drawings: Drawings) -> str:
    """Why nothing can be compared."""
    drawn = np.concatenate(list(drawings.annotators.values()))
    where, one = _where_not(drawings, drawn), len(drawn) == 1
    if where is not _Where.OUTSIDE:
        what = tr("The one polygon lies") if one else tr("All {count:,} polygons lie").format(count=len(drawn))
        return tr("{what} {where}, so nothing can be compared; exclude less of it.").format(
            what=what, where=tr(where.value)
        )
    what = tr("The one polygon does not reach") if one else tr("None of the {count:,} polygons reaches")
    return tr(
        "{what} into the study area, so nothing can be compared; choose another study area, or check the layers' "
        "coordinate systems."
    ).format(what=what.format(count=len(drawn)))
