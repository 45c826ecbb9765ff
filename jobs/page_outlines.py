"""Outlines of a result in the coordinates of a page: metres on the ground, or pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from randcrowns.core.arrays import Floats, Objects
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
        tables = [table for _, table in outlined_tables(result)]
        tables_with_rows = [table for table in tables if len(table)]
        first_table = tables_with_rows[0] if tables_with_rows else tables[0]
        self.working = _working_crs(result, first_table)
        self._name = result.job
        # The outlines in working coordinates determine the origin of the page.
        self.origin = (0.0, 0.0)
        self.origin = page_origin(self.shapes(first_table))

    def shapes(self, frame: geopandas.GeoDataFrame) -> Objects:
        """Return the outlines (n,) of a table in coordinates of the page; None without one."""
        origin = np.array(self.origin)

        def to_page(vertices: Floats) -> Floats:
            return self.working.to_working(frame.crs, vertices, self._name) - origin

        flat_shapes = shapely.force_2d(np.asarray(frame.geometry.to_numpy(), dtype=object))
        page_shapes: Objects = shapely.transform(flat_shapes, to_page)
        page_shapes[shapely.is_empty(page_shapes)] = None
        return page_shapes


def _working_crs(result: JobTables, frame: geopandas.GeoDataFrame) -> WorkingCrs:
    """Return the coordinate system of a page: that in which the job computed."""
    if result.unit == "px":
        return WorkingCrs(None, 1.0, "px", in_pixels=True)
    if result.ground_resolution:
        return WorkingCrs(None, result.ground_resolution, "m", in_pixels=True)
    if frame.crs is None:
        return WorkingCrs()
    return find_working_crs(result.job, frame.total_bounds, frame.crs)
