"""From layers to what core ranks: units with scores and decisions, as pixels or exact faces, and crowns."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from qgis.core import QgsProcessingFeedback

from randcrowns.algorithms.base import tr
from randcrowns.algorithms.detector_job import DetectorJob
from randcrowns.algorithms.detector_notes import known_to_all, pixel_notes, what_is_left_out
from randcrowns.core.crown_ranking import belongs_to_area
from randcrowns.core.crowns import Crowns
from randcrowns.core.detector_faces import detector_faces
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, part_of
from randcrowns.core.rank_probability import square_tiles
from randcrowns.core.tolerance import Tolerance
from randcrowns.core.votes import VoteTable
from randcrowns.layers.compat import is_null
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.extent import plot_polygons, run_extent
from randcrowns.layers.raster import MOST_PIXELS, Grid, RasterSnapshot, read_band
from randcrowns.layers.rasterise import highest_value, inside_polygons
from randcrowns.layers.read import CrownLayer, read_crowns
from randcrowns.layers.snapshot import LayerSnapshot

__all__ = ["DetectorInput", "Units", "exact_units", "pixel_units", "read_detector_input"]

_LOWEST = -sys.float_info.max
#: The study area is cut into about so many tiles.
_TILES = 64
_NOTHING_LEFT = "Nothing is left of the study area outside the training areas; choose a larger one."


@dataclass(frozen=True, eq=False)
class Units:
    """Pixels, or faces of the overlaid polygons.

    Attributes:
        votes: decisions of the annotators.
        scores: per detector a score per unit; minus infinity where nothing was detected, NaN where not known.
        valid: where to look.
        tiles: number of the tile of each unit.
        weight: area of each face; None for pixels.
        stack: decisions on the grid; None for faces.
        tolerance: how far a detection may lie from the truth.
        tile_side: metres.
        what: the units in words.
    """

    votes: VoteTable
    scores: dict[str, NDArray[np.float64]]
    valid: NDArray[np.bool_]
    tiles: NDArray[np.int64]
    weight: NDArray[np.float64] | None
    stack: list[NDArray[np.bool_]] | None
    tolerance: Tolerance | None
    tile_side: float
    what: str


@dataclass(frozen=True, eq=False)
class DetectorInput:
    """The layers that were read, in working metres.

    Attributes:
        annotators: crowns of each, by name.
        detections: crowns and their scores of each polygon detector, by name.
        area: the study area without training areas, or None for wherever there are data.
        training: training areas, or None.
        grid: pixels, when there is a raster or a pixel size.
        working: their coordinate system.
        sentences: what was odd, and what was decided.
        notes: those of them that change what all values are about.
    """

    annotators: dict[str, Crowns]
    detections: dict[str, tuple[Crowns, NDArray[np.float64]]]
    area: shapely.Geometry | None
    training: shapely.Geometry | None
    grid: Grid | None
    working: WorkingCrs
    sentences: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def note(self, sentence: str) -> None:
        """Say this among the sentences, and on the page."""
        self.sentences.append(sentence)
        self.notes.append(sentence)

    def holds(self, crowns: Crowns) -> NDArray[np.bool_]:
        """(n,) which crowns lie in the study area and outside the training areas."""
        inside = belongs_to_area(crowns, self.area)
        return inside if self.training is None else inside & ~belongs_to_area(crowns, self.training)


def read_detector_input(job: DetectorJob, feedback: QgsProcessingFeedback, progress: Progress) -> DetectorInput:
    """Read all polygon layers, and find the grid."""
    sentences: list[str] = []
    notes: list[str] = []
    working: Any = job.transform_context
    grid = None
    if job.rasters:
        first, raster = next(iter(job.rasters.items()))
        grid = Grid.of_raster(raster, job.transform_context)
        working = grid.working
        if job.resolution > 0:
            grid = Grid.covering(grid.bounds, job.resolution, working)
        notes += pixel_notes(job, grid, first)
        sentences += notes
    layers: dict[str, CrownLayer] = {}
    count = len(job.annotators) + len(job.polygons)
    for number, (name, snapshot) in enumerate({**job.annotators, **job.polygons}.items()):
        scored = name in job.polygons
        layers[name] = read_crowns(
            snapshot,
            working,
            name=name,
            group_field="" if job.units == "areas" else job.group_field,
            score_field=job.score_field if scored else "",
            score_threshold=_LOWEST,
            progress=part_of(progress, number / count, (number + 1) / count),
        )
        working = layers[name].working
        sentences += layers[name].report.sentences()
    judged = [layer.crowns.geometry for layer in layers.values()]
    if grid is not None:
        judged.append(np.array([shapely.box(*grid.bounds)], dtype=object))
    area, training = _places(job, working, np.concatenate(judged), sentences)
    annotators = {name: layers[name].crowns for name in job.annotators}
    detections = {name: (layers[name].crowns, _scores(layers[name], job, name)) for name in job.polygons}
    if not any(len(crowns) for crowns in annotators.values()):
        raise InputError(tr("None of the annotators' layers has a polygon that can be used."))
    if area is None and not job.rasters:
        bounds = np.array([shapely.total_bounds(crowns.geometry) for crowns in annotators.values() if len(crowns)])
        area = shapely.box(*bounds[:, :2].min(axis=0), *bounds[:, 2:].max(axis=0))
        if job.units != "crowns":
            sentences.append(
                tr("No study area was chosen: the rectangle around everything the annotators drew was taken.")
            )
        else:
            area = None
    if grid is None and job.resolution > 0 and area is not None:
        grid = Grid.covering(area.bounds, job.resolution, working)
    elif grid is not None and area is not None:
        grid = grid.within(area.bounds)
    for sentence in sentences:
        feedback.pushWarning(sentence)
    return DetectorInput(annotators, detections, area, training, grid, working, sentences, notes)


def pixel_units(job: DetectorJob, read: DetectorInput, grid: Grid, progress: Progress) -> Units:
    """Every layer on one grid."""
    number = len(job.annotators) + len(job.detectors) + 2
    if grid.rows * grid.columns * len(job.detectors) > MOST_PIXELS:
        raise InputError(
            tr("{count} detectors on {rows:,} x {columns:,} pixels take too much memory; choose larger pixels.").format(
                count=len(job.detectors), rows=grid.rows, columns=grid.columns
            )
        )
    steps = (part_of(progress, step / number, (step + 1) / number) for step in range(number))
    valid = np.ones(grid.shape, dtype=bool) if read.area is None else inside_polygons([read.area], grid, next(steps))
    if not valid.any():
        raise InputError(tr("No pixel's centre lies inside the study area; choose smaller pixels or a larger area."))
    if read.training is not None:
        valid &= ~inside_polygons([read.training], grid, next(steps))
    stack = [inside_polygons(crowns.geometry, grid, next(steps)) for crowns in read.annotators.values()]
    scores = {}
    for name, snapshot in job.detectors.items():
        if isinstance(snapshot, RasterSnapshot):
            scores[name] = read_band(snapshot, job.band, grid, next(steps))
        else:
            crowns, score = read.detections[name]
            scores[name] = highest_value(crowns.geometry, score, grid, next(steps))
    seen = int(valid.sum())
    if not seen:
        raise InputError(tr(_NOTHING_LEFT))
    left_out = what_is_left_out(valid, scores)
    known = known_to_all(valid, scores)
    counted = int(known.sum())
    valid = known if counted else valid
    if left_out:
        read.note(left_out)
    votes = VoteTable.from_stack(stack, ~valid, names=list(read.annotators))
    side = _tile_side(job, read, valid.sum() * grid.pixel_width * grid.pixel_height)
    pixel = math.sqrt(grid.pixel_width * grid.pixel_height)
    return Units(
        votes=votes,
        scores=scores,
        valid=valid,
        tiles=square_tiles(grid.shape, max(1, round(side / pixel))),
        weight=None,
        stack=stack,
        tolerance=Tolerance(job.tolerance, grid.pixel_height, grid.pixel_width) if job.tolerance > 0 else None,
        tile_side=side,
        what=tr("{count:,} pixels of {width:g} x {height:g} m").format(
            count=counted, width=round(grid.pixel_width, 4), height=round(grid.pixel_height, 4)
        ),
    )


def exact_units(job: DetectorJob, read: DetectorInput, progress: Progress) -> Units:
    """The faces of all polygons overlaid."""
    area = _without(read.area, read.training)
    if area is None or area.is_empty:
        raise InputError(tr(_NOTHING_LEFT))
    side = _tile_side(job, read, area.area)
    faces = detector_faces(
        {name: crowns.geometry for name, crowns in read.annotators.items()},
        {name: (crowns.geometry, scores) for name, (crowns, scores) in read.detections.items()},
        area,
        side if job.draws else None,
        progress,
    )
    return Units(
        votes=faces.votes,
        scores=faces.scores,
        valid=np.ones(len(faces.areas), dtype=bool),
        tiles=faces.tiles,
        weight=faces.areas,
        stack=None,
        tolerance=None,
        tile_side=side,
        what=tr("{area:,.0f} m², overlaid exactly").format(area=float(area.area)),
    )


def _places(
    job: DetectorJob, working: WorkingCrs, judged: NDArray[np.object_], sentences: list[str]
) -> tuple[shapely.Geometry | None, shapely.Geometry | None]:
    """The study area, of a nearly world-wide one what lies around what is judged, and the training areas."""
    plots = None
    if job.extent.plots is not None:
        plots = plot_polygons(job.extent.plots, working)
        sentences += plots.report.sentences()
    area = run_extent(job.extent.rectangle, job.extent.crs, plots, working, judged)
    if job.training is None:
        return area, None
    training = read_crowns(job.training, working)
    sentences += training.report.sentences()
    if len(training.crowns) == 0:
        sentences.append(tr("Layer '{name}' has no training areas that can be used.").format(name=job.training.name))
        return area, None
    return area, shapely.union_all(training.crowns.geometry)


def _scores(layer: CrownLayer, job: DetectorJob, name: str) -> NDArray[np.float64]:
    snapshot = job.detectors[name]
    if not isinstance(snapshot, LayerSnapshot):
        return np.empty(0)
    place = snapshot.fields.lookupField(job.score_field)
    values = [layer.features[row].attribute(place) for row in layer.rows]
    return np.array([math.nan if is_null(value) else float(value) for value in values], dtype=float)


def _tile_side(job: DetectorJob, read: DetectorInput, area: float) -> float:
    """Metres: as asked for; or an eighth of a square as large as the area, and at least a crown's diameter."""
    if job.tile_side > 0:
        return job.tile_side
    crowns = np.concatenate([crowns.geometry for crowns in read.annotators.values()])
    diameter = math.sqrt(4 * float(np.median(shapely.area(crowns))) / math.pi)
    return float(max(math.sqrt(float(area) / _TILES), diameter))


def _without(area: shapely.Geometry | None, training: shapely.Geometry | None) -> shapely.Geometry | None:
    if area is None or training is None:
        return area
    return shapely.difference(area, training)
