"""Outlines of a result in the coordinates of a page: metres on the ground, or pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from randcrowns.core.arrays import Objects
from randcrowns.jobs.outlines import outlined_tables
from randcrowns.jobs.sites import WorkingCrs, find_working_crs
from randcrowns.jobs.tables import JobTables
from randcrowns.report.explore.core_runs import page_origin

if TYPE_CHECKING:
    import geopandas


class PageOutlines:
    """Coordinates of a page: metres on the ground, or pixels, relative to an origin.

    Args:
        result: result with at least one table with outlines.
    """

    def __init__(self, result: JobTables) -> None:
        frames = [table for _, table in outlined_tables(result)]
        first = next((frame for frame in frames if len(frame)), frames[0])
        self.working = _working_crs(result, first)
        self._name = result.job
        self.origin = (0.0, 0.0)
        self.origin = page_origin(self.shapes(first))

    def shapes(self, frame: geopandas.GeoDataFrame) -> Objects:
        """Return the outlines (n,) of a table in coordinates of the page; None without one."""
        origin = np.array(self.origin)
        flat = shapely.force_2d(np.asarray(frame.geometry.to_numpy(), dtype=object))
        converted: Objects = shapely.transform(
            flat, lambda vertices: self.working.to_working(frame.crs, vertices, self._name) - origin
        )
        converted[shapely.is_empty(converted)] = None
        return converted


def _working_crs(result: JobTables, frame: geopandas.GeoDataFrame) -> WorkingCrs:
    """Return the coordinate system of a page: that in which the job computed."""
    if result.unit == "px":
        return WorkingCrs(None, 1.0, "px", in_pixels=True)
    if result.ground_resolution:
        return WorkingCrs(None, result.ground_resolution, "m", in_pixels=True)
    if frame.crs is None:
        return WorkingCrs()
    return find_working_crs(result.job, frame.total_bounds, frame.crs)
