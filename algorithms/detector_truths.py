"""The ground truths that annotators make together, as polygons."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.algorithms.annotator_tables import polygon_table
from randcrowns.core.agreement.ground_truths import GroundTruths
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.geometry.overlay import dissolved
from randcrowns.core.progress import Progress, part_of
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.raster.output import grid_polygons
from randcrowns.layers.vector.crs import WorkingCrs
from randcrowns.layers.vector.tables import FeatureTable

__all__ = ["TruthShapes", "truth_shapes", "truths_table"]


class TruthShapes(NamedTuple):
    """A multipolygon in working metres for each ground truth that is no annotator's own drawing."""

    names: list[str]
    shapes: NDArray[np.object_]


def truth_shapes(votes: VoteTable, made: GroundTruths, grid: Grid | None, progress: Progress) -> TruthShapes:
    """Outlines of the ground truths: faces joined, or along the edges of the pixels of ``grid``."""
    names = [name for name in made.truths if name not in votes.names]
    shapes = np.empty(len(names), dtype=object)
    for done, name in enumerate(names):
        told = part_of(progress, done / len(names), (done + 1) / len(names))
        marked = made.truths[name]
        if grid is not None:
            parts, _ = grid_polygons(marked.view(np.uint8), marked, grid, told)
        else:
            parts = dissolved(votes.faces[marked], told)  # type: ignore[index]
        shapes[done] = shapely.multipolygons(shapely.get_parts(parts))
    return TruthShapes(names, shapes)


def truths_table(found: TruthShapes, working: WorkingCrs, crs: QgsCoordinateReferenceSystem) -> FeatureTable:
    """A row per ground truth."""
    table = polygon_table(found.shapes, working, crs)
    table.add("truth", found.names, "Ground truth", "text")
    table.add("area", shapely.area(found.shapes), "Square metres", "real")
    return table
