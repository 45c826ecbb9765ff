"""Detectors that are polygons with a score, overlaid exactly with the annotators' polygons: no pixel size to choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Floats, Ints, Objects, let_go
from randcrowns.core.detectors.curves import as_score
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import to_origin
from randcrowns.core.geometry.overlay import faces_between, faces_within, single_polygons, study_region
from randcrowns.core.given import as_declared
from randcrowns.core.progress import Progress, no_progress, part_of, steps
from randcrowns.core.systems import geometry_array

_MOST_TILES = 100_000


@dataclass(frozen=True, eq=False)
class DetectorFaces:
    """The units that annotators and detectors cut the study area into.

    Attributes:
        votes: who marked which face; its ``index`` has one entry per face and its ``faces`` the polygons.
        scores: per detector, (F,) the highest score that covers each face; minus infinity where there is none.
        areas: (F,) square metres, the weight of each face.
        tiles: (F,) number of the square tile each face lies in, for drawing tiles again; all 0 without tiles.
        across: number of tiles in a row.
        repaired: number of polygons that had to be repaired.
        without_score: per detector, number of polygons excluded because their score is missing.
    """

    votes: VoteTable
    scores: dict[str, Floats]
    areas: Floats
    tiles: Ints
    across: int
    repaired: int
    without_score: dict[str, int]


@as_declared
def detector_faces(
    annotators: Mapping[str, Any],
    detectors: Mapping[str, tuple[ArrayLike, ArrayLike]],
    area: Any,
    tile_side: float | None = None,
    progress: Progress = no_progress,
) -> DetectorFaces:
    """Overlay annotators' polygons and detectors' scored polygons within a study area.

    Args:
        annotators: polygons of each annotator by name.
        detectors: polygons of each detector, with a score each, by name. A polygon whose score is NaN is excluded.
        area: the study area, one polygon or several; what lies in it and is marked by nobody counts as unmarked.
        tile_side: side in metres of the square tiles that faces are cut at; None to cut at none.

    Raises:
        InputError: no annotators or detectors, geometries that are no polygons, as many scores as polygons missing,
            an empty study area, or tiles that have no side or are too many.

    >>> left, right = shapely.box(0, 0, 2, 1), shapely.box(1, 0, 3, 1)
    >>> found = detector_faces({"ann": [left]}, {"net": ([right], [0.7])}, shapely.box(0, 0, 4, 1))
    >>> found.areas.tolist(), found.scores["net"].tolist()
    ([1.0, 1.0, 1.0, 1.0], [0.7, 0.7, -inf, -inf])
    """
    if not annotators or not detectors:
        raise InputError("Ranking needs at least one annotator and one detector; pick both.")
    region, repaired = study_region(area)
    origin = np.round(np.asarray(region.centroid.coords)[0])
    marks, claims, without_score = {}, {}, {}
    for name, layer in annotators.items():
        polygons, n_repaired, _ = single_polygons(layer, name)
        marks[name] = to_origin(polygons[shapely.intersects(polygons, region)], origin)
        repaired += n_repaired
    for name, (layer, score) in detectors.items():
        polygons, values, n_repaired, without_score[name] = _scored_parts(layer, score, name)
        near = shapely.intersects(polygons, region)
        claims[name] = to_origin(polygons[near], origin), values[near]
        repaired += n_repaired
    area_parts = to_origin(shapely.get_parts(region), origin)
    squares, columns = _squares(shapely.total_bounds(area_parts), tile_side)
    everyone = [*marks.values(), *(polygons for polygons, _ in claims.values()), area_parts, squares]
    polygons = faces_between(shapely.boundary(np.concatenate(everyone)), part_of(progress, 0.0, 0.7)).polygons
    inner = shapely.point_on_surface(polygons)
    within = np.zeros(len(polygons), dtype=bool)
    within[shapely.STRtree(inner).query(area_parts, predicate="contains")[1]] = True
    polygons, inner = polygons[within], inner[within]
    tree = shapely.STRtree(inner.copy())
    decisions = np.zeros((len(polygons), len(marks)), dtype=bool)
    for (k, some), _ in steps(list(enumerate(marks.values())), part_of(progress, 0.7, 0.85)):
        for _, face in faces_within(some, tree):
            decisions[face, k] = True
    scores = {name: np.full(len(polygons), -np.inf) for name in claims}
    for (name, (some, values)), _ in steps(list(claims.items()), part_of(progress, 0.85, 1.0)):
        for polygon, face in faces_within(some, tree):
            np.maximum.at(scores[name], face, values[polygon])
    tiles = np.zeros(len(polygons), dtype=np.int64)
    if tile_side is not None:
        column, row = ((shapely.get_coordinates(inner) - shapely.total_bounds(area_parts)[:2]) // tile_side).T
        tiles = (row * columns + column).astype(np.int64)
    areas = shapely.area(polygons)
    votes = VoteTable.from_faces(decisions, to_origin(polygons, -origin), areas, tuple(marks))
    del tree
    let_go(polygons, inner, *everyone)
    return DetectorFaces(votes, scores, areas, tiles, columns, repaired, without_score)


def _scored_parts(layer: Any, score: ArrayLike, name: str) -> tuple[Objects, Floats, int, int]:
    """Valid single polygons with the score of what they are part of; how many were repaired, and had no score."""
    geometry = geometry_array(layer, name)
    values = as_score(score, f"The score of {name}").astype(np.float64).ravel()
    if values.size != geometry.size:
        said = "{name} has {polygons} polygons but {scores} scores; give one score each."
        raise InputError(said, name=name, polygons=geometry.size, scores=values.size)
    scored = ~np.isnan(values)
    polygons, repaired, row = single_polygons(geometry[scored], name)
    return polygons, values[scored][row], repaired, int((~scored).sum())


def _squares(bounds: Floats, side: float | None) -> tuple[Objects, int]:
    """Square tiles over the bounds from their lower left corner on, row by row, and how many make a row."""
    if side is None:
        return np.empty(0, dtype=object), 1
    extent = bounds[2:] - bounds[:2]
    if not side > 0 or (number := np.ceil(extent / side)).prod() > _MOST_TILES:
        said = "Tiles of {side:g} m cannot be made here; give a side that makes at most {most:,}."
        raise InputError(said, side=side, most=_MOST_TILES)
    column, row = (places.ravel() for places in np.meshgrid(np.arange(number[0]), np.arange(number[1])))
    left, bottom = bounds[0] + column * side, bounds[1] + row * side
    return shapely.box(left, bottom, left + side, bottom + side), int(number[0])
