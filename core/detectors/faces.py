"""Exact overlay of scored detector polygons with annotators' polygons.

The faces of the overlay are the units in which detectors are ranked by area; no pixel size is
involved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.agreement.reviewed_areas import ReviewedAreas
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Floats, Ints, Objects, free_objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.crs import geometry_array
from randcrowns.core.detectors.checks import nothing_left_error
from randcrowns.core.detectors.curves import to_score_array
from randcrowns.core.errors import InputError
from randcrowns.core.geometry import overlay
from randcrowns.core.geometry.areas import translate_to_origin
from randcrowns.core.geometry.overlay import (
    Rectangle,
    RectangleCut,
    split_into_polygons,
    unite_study_area,
)
from randcrowns.core.geometry.polygon_file import PolygonFile
from randcrowns.core.progress import Progress, map_in_threads, no_progress
from randcrowns.core.validation import validate_arguments

_MAX_TILES = 100_000
# Maximum number of threads that build faces.
_MAX_THREADS = 4


@dataclass(frozen=True, eq=False)
class DetectorFaces:
    """Faces into which annotators and detectors divide the study area.

    Attributes:
        votes: annotators' decisions on each face; ``pattern_index`` has one entry per face,
            ``faces`` holds the polygons.
        scores: per detector, (F,) highest score of its polygons on each face; minus infinity where
            it has none.
        areas: (F,) areas of the faces, m²; the weights of the units.
        tiles: (F,) number of the square tile of each face, for resampling; all 0 without tiles.
        tiles_per_row: number of tiles in a row.
        n_repaired: number of polygons that were repaired.
        n_without_score: per detector, number of polygons excluded because their score is missing.
    """

    votes: VoteTable
    scores: dict[str, Floats]
    areas: Floats
    tiles: Ints
    tiles_per_row: int
    n_repaired: int
    n_without_score: dict[str, int]


def remove_uncounted_areas(
    area: Any, ignored: Crowns | None, annotators: Sequence[str], reviewed: Mapping[str, Any] | None
) -> Any:
    """Return the part of a study area in which faces are counted.

    Args:
        area: study area, one (multi)polygon.
        ignored: areas in which a detection is neither right nor wrong; None for none.
        annotators: names of the annotators.
        reviewed: polygons that an annotator has reviewed, by name; the others have reviewed
            everything. None for nobody.

    Returns:
        The (multi)polygon without the ignored areas and without parts that nobody has reviewed.

    Raises:
        InputError: if nothing is left of the study area, or a reviewed area is of no annotator.

    >>> ignored = Crowns([shapely.box(0, 0, 1, 1)])
    >>> remove_uncounted_areas(shapely.box(0, 0, 4, 1), ignored, ["ann"], None).area
    3.0
    """
    if ignored is not None:
        area = shapely.difference(area, shapely.union_all(ignored.geometry))
    counted_area = ReviewedAreas.from_layers(annotators, reviewed).limit(area, [])
    if counted_area.is_empty:
        raise nothing_left_error()
    return counted_area


@validate_arguments
def overlay_detectors(
    annotators: Mapping[str, Any],
    detectors: Mapping[str, tuple[ArrayLike, ArrayLike]],
    area: Any,
    tile_side: float | None = None,
    progress: Progress = no_progress,
    *,
    reviewed: Mapping[str, Any] | None = None,
) -> DetectorFaces:
    """Overlay annotators' polygons and detectors' scored polygons within a study area.

    Args:
        annotators: polygons of each annotator by name.
        detectors: polygons of each detector (n), and their scores (n,), by name. Polygons whose
            score is NaN are excluded.
        area: study area, one polygon or several; parts of it that nobody marked count as unmarked.
        tile_side: side of the square tiles at which faces are divided, m; None for no tiles.
        progress: receives the fraction done; may raise to cancel.
        reviewed: polygons that an annotator has reviewed, by name; see
            :meth:`randcrowns.core.agreement.votes.VoteTable.from_polygons`.

    Returns:
        The faces.

    Raises:
        InputError: if there are no annotators or detectors, geometries are not polygonal, a
            detector has another number of scores than polygons, the study area is empty, or tiles
            have no side or are too many.

    >>> left, right = shapely.box(0, 0, 2, 1), shapely.box(1, 0, 3, 1)
    >>> area = shapely.box(0, 0, 4, 1)
    >>> faces = overlay_detectors({"ann": [left]}, {"net": ([right], [0.7])}, area)
    >>> faces.areas.tolist(), faces.scores["net"].tolist()
    ([1.0, 1.0, 1.0, 1.0], [0.7, 0.7, -inf, -inf])
    """
    if not annotators or not detectors:
        raise InputError(
            "ranking.no_annotator_or_detector",
            "Ranking needs at least one annotator and one detector. Choose both.",
        )
    reviews = ReviewedAreas.from_layers(tuple(annotators), reviewed)
    limited_area = reviews.limit(area, list(annotators.values()))
    region, n_repaired_areas = unite_study_area(limited_area)
    layers = _split_all_layers(annotators, detectors, reviews.areas)
    n_annotators = len(annotators)
    n_crown_layers = n_annotators + len(detectors)

    # Coordinates near (0, 0) keep the precision of areas.
    origin = np.round(np.asarray(region.centroid.coords)[0])
    area_parts = translate_to_origin(shapely.get_parts(region), origin)
    bounds = shapely.total_bounds(area_parts)
    lower_left = bounds[:2]
    grid = _tile_grid(bounds, tile_side)
    scene = _scene_of_region(layers, region, area_parts, origin, grid.squares)
    faces, layer_scores, points = scene.build_faces(origin, progress)

    # Polygons of annotators and reviewed areas have the score 0.
    is_marked = layer_scores[:, :n_annotators] == 0
    is_missing = reviews.missing(layer_scores[:, n_crown_layers:] == 0)
    detector_scores = layer_scores[:, n_annotators:n_crown_layers]
    n_without_score = {}
    for name, layer in zip(detectors, layers[n_annotators:n_crown_layers]):
        n_without_score[name] = layer.n_without_score
    return DetectorFaces(
        votes=VoteTable.from_faces(is_marked, faces, faces.areas, tuple(annotators), is_missing),
        scores=dict(zip(detectors, detector_scores.T.copy())),
        areas=faces.areas,
        tiles=_tiles_of_points(points - lower_left, tile_side, grid.n_columns),
        tiles_per_row=grid.n_columns,
        n_repaired=n_repaired_areas + sum(layer.n_repaired for layer in layers),
        n_without_score=n_without_score,
    )


def _scene_of_region(
    layers: list[_ScoredPolygons],
    region: Any,
    area_parts: Objects,
    origin: Floats,
    squares: Objects,
) -> _Scene:
    """Return the scene of the polygons that intersect the study area.

    Args:
        layers: polygons of each layer with their scores.
        region: study area.
        area_parts: polygons of the study area, near the origin.
        origin: (2,) position of the scene's (0, 0).
        squares: (n,) square tiles, near the origin.
    """
    polygons = []
    scores = []
    for layer in layers:
        is_in_region = shapely.intersects(layer.polygons, region)
        polygons_in_region = layer.polygons[is_in_region]
        polygons.append(translate_to_origin(polygons_in_region, origin))
        scores.append(layer.scores[is_in_region])
    # The study area is the last layer.
    polygons.append(area_parts)
    scores.append(np.zeros(len(area_parts)))
    return _Scene(layers=polygons, scores=np.concatenate(scores), squares=squares)


def _tiles_of_points(points: Floats, side: float | None, n_columns: int) -> Ints:
    """Return the (F,) number of the square tile of each point; all 0 without tiles.

    Args:
        points: (F, 2) points relative to the lower left corner of the first tile, m.
        side: side of a tile, m; None for no tiles.
        n_columns: number of tiles in a row.
    """
    if side is None:
        return np.zeros(len(points), dtype=np.int64)
    columns = points[:, 0] // side
    rows = points[:, 1] // side
    return cast("Ints", (rows * n_columns + columns).astype(np.int64))


class _RectangleFaces(NamedTuple):
    """F faces within one rectangle and the study area."""

    polygons: Objects  #: (F,) polygons.
    scores: Floats  #: (F, layers) highest score of each layer; minus infinity where it has none.
    points: Floats  #: (F, 2) a point inside each face, m.


class _Scene:
    """All polygons with their scores, and their outlines divided into rectangles.

    Args:
        layers: polygons of each layer, near the origin; the last layer is the study area.
        scores: score of each polygon, layer by layer; 0 for the study area.
        squares: (n,) square tiles, whose outlines divide the faces too.

    Attributes:
        polygons: polygons of all layers.
        outlines: their outlines and those of the squares.
        cut: the outlines in rectangles.
    """

    def __init__(self, layers: list[Objects], scores: Floats, squares: Objects) -> None:
        self.polygons = np.concatenate(layers)
        self.outlines = shapely.boundary(np.append(self.polygons, squares))
        self.cut = RectangleCut(self.outlines, 0.0, overlay.MAX_SEGMENTS)
        self._scores = scores
        self._layer = np.repeat(np.arange(len(layers)), [len(layer) for layer in layers])
        self._n_layers = len(layers)
        self._tree = shapely.STRtree(self.polygons.copy())

    def build_faces(self, origin: Floats, progress: Progress) -> tuple[PolygonFile, Floats, Floats]:
        """Build the faces of all rectangles in worker threads, then free the scene's polygons.

        Args:
            origin: (2,) position of the scene's (0, 0), added to the coordinates of the faces.
            progress: receives the fraction done.

        Returns:
            The F faces; (F, layers) highest score of each layer on each face; and (F, 2) a point
            inside each face, relative to the origin.
        """
        scores = []
        points = []

        def yield_polygons() -> Iterator[Objects]:
            """Yield the faces of each rectangle, and collect their scores and points."""
            for faces in map_in_threads(
                self.faces_in, self.cut.rectangles, progress, max_threads=_MAX_THREADS
            ):
                scores.append(faces.scores)
                points.append(faces.points)
                yield faces.polygons

        face_file = PolygonFile(yield_polygons(), origin)
        free_objects(self.polygons, self.outlines)
        return face_file, np.concatenate(scores), np.concatenate(points)

    def faces_in(self, rectangle: Rectangle) -> _RectangleFaces:
        """Return the faces within a rectangle that lie in the study area.

        Args:
            rectangle: one of the rectangles of ``cut``.
        """
        polygons = self.cut.build_faces(rectangle).polygons
        points = shapely.point_on_surface(polygons)
        point_tree = shapely.STRtree(points.copy())
        nearby_rows = self._tree.query(shapely.box(*rectangle[0]))
        # Pairs of a face and a polygon that covers it.
        positions, face_rows = point_tree.query(self.polygons[nearby_rows], "contains")
        covering_rows = nearby_rows[positions]
        layers = self._layer[covering_rows]
        scores = np.full((len(points), self._n_layers), -np.inf)
        np.maximum.at(scores, (face_rows, layers), self._scores[covering_rows])
        # The last layer is the study area, which has the score 0.
        rows_in_area = np.flatnonzero(scores[:, -1] == 0)
        return _RectangleFaces(
            polygons=polygons[rows_in_area],
            scores=scores[rows_in_area, :-1],
            points=shapely.get_coordinates(points[rows_in_area]),
        )


class _ScoredPolygons(NamedTuple):
    """P valid single polygons of a layer, with scores."""

    polygons: Objects  #: (P,) polygons.
    scores: Floats  #: (P,) score of the geometry that each polygon is a part of.
    n_repaired: int  #: number of geometries that were repaired.
    n_without_score: int  #: number of geometries excluded because their score is missing.


def _split_all_layers(
    annotators: Mapping[str, Any],
    detectors: Mapping[str, tuple[ArrayLike, ArrayLike]],
    areas: Sequence[Any],
) -> list[_ScoredPolygons]:
    """Split the geometries of all layers into single polygons with scores.

    Args:
        annotators: polygons of each annotator by name; their scores are 0.
        detectors: polygons of each detector and their scores, by name.
        areas: reviewed areas; their scores are 0.

    Returns:
        The layers of the annotators, then of the detectors, then of the areas.

    Raises:
        InputError: if geometries are not polygonal, or scores are not one number per geometry.
    """
    layers = [
        _split_scored_layer(polygons, score=None, name=name)
        for name, polygons in annotators.items()
    ]
    layers += [
        _split_scored_layer(polygons, score, name) for name, (polygons, score) in detectors.items()
    ]
    layers += [_split_scored_layer(area, score=None, name="reviewed area") for area in areas]
    return layers


def _split_scored_layer(layer: Any, score: ArrayLike | None, name: str) -> _ScoredPolygons:
    """Split the geometries of a layer into single polygons with scores.

    Args:
        layer: n geometries.
        score: (n,) scores; None for 0.
        name: name of the layer in error messages.

    Raises:
        InputError: if geometries are not polygonal, or scores are not numbers or not n.
    """
    geometry = geometry_array(layer, name)
    if score is None:
        score = np.zeros(geometry.size)
    scores = to_score_array(score, f"The score of {name}").astype(np.float64).ravel()
    if scores.size != geometry.size:
        raise InputError(
            "faces.wrong_score_count",
            "{name} has {polygons} polygons but {scores} scores. Give one score each.",
            name=name,
            polygons=geometry.size,
            scores=scores.size,
        )
    has_score = ~np.isnan(scores)
    polygons, n_repaired, geometry_rows = split_into_polygons(geometry[has_score], name)
    known_scores = scores[has_score]
    return _ScoredPolygons(
        polygons=polygons,
        scores=known_scores[geometry_rows],
        n_repaired=n_repaired,
        n_without_score=int(np.count_nonzero(~has_score)),
    )


class _TileGrid(NamedTuple):
    """Square tiles over the study area."""

    squares: Objects  #: (n,) tiles, row by row from the lower left corner; none without tiles.
    n_columns: int  #: number of tiles in a row; 1 without tiles.


def _tile_grid(bounds: Floats, side: float | None) -> _TileGrid:
    """Return the square tiles that cover bounds.

    Args:
        bounds: (4,) xmin, ymin, xmax, ymax, m.
        side: side of a tile, m; None for no tiles.

    Raises:
        InputError: if the side is not above 0, or there are more than ``_MAX_TILES`` tiles.
    """
    if side is None:
        return _TileGrid(squares=np.empty(0, dtype=object), n_columns=1)
    xmin, ymin, xmax, ymax = bounds
    error = InputError(
        "faces.invalid_tile_side",
        "Tiles of {side:g} m cannot be made here. Give a side for at most {most:,} tiles.",
        side=side,
        most=_MAX_TILES,
    )
    if not side > 0:
        raise error
    # Not yet whole numbers, because they can be infinite for a very small side.
    column_count = np.ceil((xmax - xmin) / side)
    row_count = np.ceil((ymax - ymin) / side)
    if column_count * row_count > _MAX_TILES:
        raise error
    n_columns = int(column_count)
    n_rows = int(row_count)
    left = xmin + np.tile(np.arange(n_columns), n_rows) * side
    bottom = ymin + np.repeat(np.arange(n_rows), n_columns) * side
    squares = shapely.box(left, bottom, left + side, bottom + side)
    return _TileGrid(squares=squares, n_columns=n_columns)
