"""Detectors that are polygons with a score, overlaid exactly with the annotators' polygons: no pixel size to choose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Floats, Ints, Objects, let_go
from randcrowns.core.detectors.curves import as_score
from randcrowns.core.errors import InputError
from randcrowns.core.geometry import overlay
from randcrowns.core.geometry.areas import to_origin
from randcrowns.core.geometry.overlay import Cut, Rectangle, single_polygons, study_region
from randcrowns.core.geometry.polygon_file import PolygonFile
from randcrowns.core.given import as_declared
from randcrowns.core.progress import Progress, in_threads, no_progress
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
    layers, sure, unscored = [], [], []
    for name, (layer, score) in [
        *((name, (layer, None)) for name, layer in annotators.items()),
        *detectors.items(),
    ]:
        polygons, values, n_repaired, without = _scored_parts(layer, score, name)
        near = shapely.intersects(polygons, region)
        layers.append(to_origin(polygons[near], origin))
        sure.append(values[near])
        unscored.append(without)
        repaired += n_repaired
    layers.append(to_origin(shapely.get_parts(region), origin))
    squares, columns = _squares(bounds := shapely.total_bounds(layers[-1]), tile_side)
    scene, known = _Scene(layers, np.concatenate([*sure, np.zeros(len(layers[-1]))]), squares), []

    def made() -> Iterator[Objects]:
        for polygons, *told in in_threads(scene.units_in, scene.cut.rectangles, progress, most=4):
            known.append(told)
            yield polygons

    faces = PolygonFile(made(), origin)
    scores, inner = map(np.concatenate, zip(*known))
    tiles = np.zeros(len(faces), dtype=np.int64)
    if tile_side is not None:
        column, row = ((inner - bounds[:2]) // tile_side).T
        tiles = (row * columns + column).astype(np.int64)
    k = len(annotators)
    votes = VoteTable.from_faces(scores[:, :k] == 0, faces, faces.areas, tuple(annotators))
    let_go(scene.polygons, scene.outlines)
    of_each, without_score = (
        dict(zip(detectors, scores[:, k:].T.copy())),
        dict(zip(detectors, unscored[k:])),
    )
    return DetectorFaces(votes, of_each, faces.areas, tiles, columns, repaired, without_score)


class _Scene:
    """Polygons near the origin, layer by layer and last the parts of the study area, with their scores; their outlines
    and those of the ``squares`` cut into rectangles."""

    def __init__(self, layers: list[Objects], sure: Floats, squares: Objects) -> None:
        self.polygons, self._sure = np.concatenate(layers), sure
        self.outlines = shapely.boundary(np.append(self.polygons, squares))
        self.cut = Cut(self.outlines, 0.0, overlay.SEGMENTS)
        self._tree = shapely.STRtree(self.polygons.copy())
        self._layer = np.repeat(np.arange(len(layers)), [*map(len, layers)])

    def units_in(self, rectangle: Rectangle) -> tuple[Objects, Floats, Floats]:
        """The faces within a rectangle and the study area, the highest score of each layer there, a point in each."""
        polygons = self.cut.faces_of(rectangle).polygons
        points = shapely.point_on_surface(polygons)
        near = self._tree.query(shapely.box(*rectangle[0]))
        row, face = shapely.STRtree(points.copy()).query(self.polygons[near], predicate="contains")
        scores = np.full((len(points), self._layer[-1] + 1), -np.inf)
        np.maximum.at(scores, (face, self._layer[near[row]]), self._sure[near[row]])
        kept = np.flatnonzero(scores[:, -1] == 0)
        return polygons[kept], scores[kept, :-1], shapely.get_coordinates(points[kept])


def _scored_parts(
    layer: Any, score: ArrayLike | None, name: str
) -> tuple[Objects, Floats, int, int]:
    """Valid single polygons, the score (or 0) of what they are part of; how many were repaired, and had no score."""
    geometry = geometry_array(layer, name)
    given = np.zeros(geometry.size) if score is None else score
    values = as_score(given, f"The score of {name}").astype(np.float64).ravel()
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
    column, row = (
        places.ravel() for places in np.meshgrid(np.arange(number[0]), np.arange(number[1]))
    )
    left, bottom = bounds[0] + column * side, bounds[1] + row * side
    return shapely.box(left, bottom, left + side, bottom + side), int(number[0])
