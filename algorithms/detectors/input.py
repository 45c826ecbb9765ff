"""What a ranking of detectors reads: the polygons in working metres, the study area and the pixels."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from qgis.core import QgsProcessingFeedback

from randcrowns.algorithms.detectors.choices import (
    GROUP_FIELD,
    RESOLUTION,
    SCORE_FIELD,
    STUDY_AREA,
    TRAINING,
    DetectorJob,
)
from randcrowns.algorithms.detectors.sentences import Told, beyond_the_raster, merged_scores, pixel_notes
from randcrowns.core.arrays import Bools, Floats, Objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.crowns import belongs_to_area
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, part_of
from randcrowns.layers.compat import is_null
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.vector.crs import WorkingCrs
from randcrowns.layers.vector.extent import run_extent
from randcrowns.layers.vector.read import CrownLayer, read_crowns
from randcrowns.layers.vector.report import Oddity
from randcrowns.layers.vector.snapshot import LayerSnapshot
from randcrowns.layers.words import tr

_LOWEST = -sys.float_info.max


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
        scoreless: polygon detectors whose scores are all missing: nothing is known of what they found.
        told: what was odd, what was decided, and which of it changes what all values are about.
    """

    annotators: dict[str, Crowns]
    detections: dict[str, tuple[Crowns, Floats]]
    area: shapely.Geometry | None
    training: shapely.Geometry | None
    grid: Grid | None
    working: WorkingCrs
    scoreless: frozenset[str]
    told: Told

    def holds(self, crowns: Crowns) -> Bools:
        """(n,) which crowns lie in the study area and outside the training areas."""
        inside = belongs_to_area(crowns, self.area)
        return inside if self.training is None else inside & ~belongs_to_area(crowns, self.training)


def read_detector_input(job: DetectorJob, feedback: QgsProcessingFeedback, progress: Progress) -> DetectorInput:
    """Read all polygon layers, and find the grid."""
    told = Told()
    working: Any = job.transform_context
    grid, first = None, next(iter(job.rasters), "")
    if first:
        grid = Grid.of_raster(job.rasters[first], job.transform_context)
        working = grid.working
        if job[RESOLUTION] > 0:
            grid = Grid.covering(grid.bounds, job[RESOLUTION], working)
        told.say(str(working.note or ""))
        told.note(*pixel_notes(job, grid, first))
    layers = _read_layers(job, working, told, progress)
    working = next(iter(layers.values())).working
    judged = [layer.crowns.geometry for layer in layers.values()]
    if grid is not None:
        judged.append(np.array([shapely.box(*grid.bounds)], dtype=object))
    area, training = _places(job, working, np.concatenate(judged), told)
    annotators = {name: layers[name].crowns for name in job.annotators}
    detections = {name: (layers[name].crowns, _scores(layers[name], job, name, told)) for name in job.polygons}
    if not any(len(crowns) for crowns in annotators.values()):
        raise InputError(tr("None of the annotators' layers has a polygon that can be used."))
    if area is None and not job.rasters and job.areas:
        area = shapely.box(*shapely.total_bounds(np.concatenate([one.geometry for one in annotators.values()])))
        told.note(tr("No study area was chosen: the rectangle around everything the annotators drew was taken."))
    if grid is None and job[RESOLUTION] > 0 and area is not None:
        grid = Grid.covering(area.bounds, job[RESOLUTION], working)
    elif grid is not None and area is not None:
        told.note(beyond_the_raster(area, grid, first))
        grid = grid.within(area.bounds)
    for sentence in told.sentences:
        feedback.pushWarning(sentence)
    scoreless = frozenset(
        name for name in job.polygons if not len(layers[name].crowns) and layers[name].report.ids(Oddity.NO_SCORE)
    )
    return DetectorInput(annotators, detections, area, training, grid, working, scoreless, told)


def _read_layers(job: DetectorJob, working: Any, told: Told, progress: Progress) -> dict[str, CrownLayer]:
    """Annotators and polygon detectors by name, all in the working metres of the first or those given."""
    layers: dict[str, CrownLayer] = {}
    count = len(job.annotators) + len(job.polygons)
    for number, (name, snapshot) in enumerate({**job.annotators, **job.polygons}.items()):
        layers[name] = read_crowns(
            snapshot,
            working,
            name=name,
            group_field=job[GROUP_FIELD] if job.crowns else "",
            score_field=job[SCORE_FIELD] if name in job.polygons else "",
            score_threshold=_LOWEST,
            progress=part_of(progress, number / count, (number + 1) / count),
        )
        working = layers[name].working
        told.say(*layers[name].report.sentences())
    return layers


def _places(
    job: DetectorJob, working: WorkingCrs, judged: Objects, told: Told
) -> tuple[shapely.Geometry | None, shapely.Geometry | None]:
    """The study area, of a nearly world-wide one what lies around what is judged, and the training areas."""
    plots, extent, training = None, job[STUDY_AREA], job[TRAINING]
    if extent.plots is not None:
        plots = read_crowns(extent.plots, working)
        told.say(*plots.report.sentences())
    area = run_extent(extent.rectangle, extent.crs, plots, working, judged)
    if training is None:
        return area, None
    found = read_crowns(training, working)
    told.say(*found.report.sentences())
    if len(found.crowns) == 0:
        told.say(tr("Layer '{name}' has no training areas that can be used.").format(name=training.name))
        return area, None
    return area, shapely.union_all(found.crowns.geometry)


def _scores(layer: CrownLayer, job: DetectorJob, name: str, told: Told) -> Floats:
    snapshot = job.detectors[name]
    if not isinstance(snapshot, LayerSnapshot):
        return np.empty(0)
    place = snapshot.fields.lookupField(job[SCORE_FIELD])
    values = [layer.features[row].attribute(place) for row in layer.rows]
    told.say(merged_scores(name, values))
    return np.array([math.nan if is_null(value) else float(value) for value in values], dtype=float)
