"""What a ranking of detectors reads: the polygons in working metres, the study area and the pixels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely

from randcrowns.algorithms.detectors.choices import (
    GROUP_FIELD,
    RESOLUTION,
    SCORE_FIELD,
    STUDY_AREA,
    TRAINING,
    DetectorJob,
)
from randcrowns.algorithms.detectors.remarks import beyond_the_raster, merged_scores, pixel_remarks
from randcrowns.core.arrays import Bools, Floats
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.crowns import belongs_to_area
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress
from randcrowns.core.remarks import note
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.vector.place import Place, read_place
from randcrowns.layers.vector.read import LayerRequest
from randcrowns.layers.vector.report import Oddity
from randcrowns.layers.words import tr


@dataclass(frozen=True, eq=False)
class DetectorInput(Place):
    """The place with its pixels, when there is a raster or a pixel size.

    Attributes:
        annotators: crowns of each, by name.
        detections: crowns and their scores of each polygon detector, by name.
        scoreless: polygon detectors whose scores are all missing: nothing is known of what they found.
    """

    annotators: dict[str, Crowns] = field(default_factory=dict)
    detections: dict[str, tuple[Crowns, Floats]] = field(default_factory=dict)
    scoreless: frozenset[str] = frozenset()

    def holds(self, crowns: Crowns) -> Bools:
        """(n,) which crowns lie in the study area and outside the training areas."""
        inside = belongs_to_area(crowns, self.area)
        return inside if self.mask is None else inside & ~belongs_to_area(crowns, self.mask)


def read_detector_input(job: DetectorJob, progress: Progress) -> DetectorInput:
    """Read all polygon layers, and find the grid.

    Raises:
        InputError: if no annotator drew anything.
    """
    first, told = next(iter(job.rasters), ""), []
    start: Any = job.transform_context
    if first:
        start = Grid.of_raster(job.rasters[first], job.transform_context)
        if job[RESOLUTION] > 0:
            start = Grid.covering(start.bounds, job[RESOLUTION], start.working)
        told += pixel_remarks(job, start, first)
    plot = job[GROUP_FIELD] if job.crowns else ""
    requests = [LayerRequest(snapshot, name=name, group_field=plot) for name, snapshot in job.annotators.items()]
    requests += [
        LayerRequest(snapshot, name=name, group_field=plot, score_field=job[SCORE_FIELD])
        for name, snapshot in job.polygons.items()
    ]
    place = read_place(requests, start, job[STUDY_AREA], job[TRAINING], progress)
    layers = {layer.crowns.name: layer for layer in place.layers}
    annotators = {name: layers[name].crowns for name in job.annotators}
    detections = {}
    for name in job.polygons:
        told += merged_scores(name, layers[name].values(job[SCORE_FIELD]))
        detections[name] = (layers[name].crowns, layers[name].numbers(job[SCORE_FIELD]))
    if not any(len(crowns) for crowns in annotators.values()):
        raise InputError(tr("None of the annotators' layers has a polygon that can be used."))
    area, grid = place.area, place.grid
    if area is None and not job.rasters and job.areas:
        area = shapely.box(*shapely.total_bounds(np.concatenate([one.geometry for one in annotators.values()])))
        said = "No study area was chosen: the rectangle around all annotators' polygons is used."
        told.append(note("areas.around_drawings", said))
    if grid is None and job[RESOLUTION] > 0 and area is not None:
        grid = Grid.covering(area.bounds, job[RESOLUTION], place.working)
    elif grid is not None and area is not None:
        told += beyond_the_raster(area, grid, first)
        grid = grid.within(area.bounds)
    scoreless = frozenset(
        name for name in job.polygons if not len(layers[name].crowns) and layers[name].report.ids(Oddity.NO_SCORE)
    )
    found = {**vars(place), "area": area, "grid": grid, "decided": [*place.decided, *told]}
    return DetectorInput(**found, annotators=annotators, detections=detections, scoreless=scoreless)
