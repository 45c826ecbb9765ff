"""Places that several detectors mark and no annotator does, also if annotators are rasters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely

from randcrowns.algorithms.detectors.ranking_units import RankingSite
from randcrowns.core.arrays import Bools, Objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.unmarked_places import UnmarkedPlaces, find_unmarked_places
from randcrowns.core.messages import Message, info
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.raster.write import polygonise_grid


def find_places(
    site: RankingSite, grids: Sequence[Grid | None], *, all_drawn: bool
) -> UnmarkedPlaces:
    """Return the places that several polygon detectors mark and no annotator does.

    The marks of a raster are polygons along the edges of its marked pixels. Where a raster has no
    data, its annotator did not look.

    Args:
        site: annotators and detectors; of several images those of the first.
        grids: pixels of each image; None for exact areas. Empty if areas are not counted.
        all_drawn: False if the annotators drew only some of the crowns.
    """
    crowns_by_annotator = dict(site.annotators)
    reviewed_areas = dict(site.reviewed_areas)
    raster_names = [name for name in site.annotator_names if name not in crowns_by_annotator]
    if raster_names:
        # Several images have no common grid.
        grid = grids[0] if len(grids) == 1 else None
        if grid is None:
            return UnmarkedPlaces.without_places(_raster_message())
        for name in raster_names:
            is_marked = site.marks_by_name[name].read_on_grid(grid)
            crowns_by_annotator[name] = Crowns(_mark_polygons(is_marked, grid))
            reviewed_areas[name] = _compute_searched_area(site, name, grid)
    return find_unmarked_places(
        crowns_by_annotator,
        site.detections,
        inside=site.counted_detections,
        on_ignored=site.shares_on_ignored,
        reviewed=reviewed_areas,
        all_drawn=all_drawn,
    )


def _mark_polygons(is_marked: Bools, grid: Grid) -> Objects:
    """Return polygons along the edges of marked pixels (rows, columns)."""
    polygons, _ = polygonise_grid(is_marked.astype(np.uint8), is_marked, grid)
    return shapely.get_parts(polygons)


def _compute_searched_area(site: RankingSite, name: str, grid: Grid) -> Any:
    """Return the (multi)polygon in which the annotator of a raster looked."""
    is_known = ~site.marks_by_name[name].read_missing(grid)
    area = shapely.union_all(_mark_polygons(is_known, grid))
    if name in site.reviewed_areas:
        area = shapely.intersection(area, site.reviewed_areas[name])
    return area


def _raster_message() -> Message:
    """Return the reason why there are no places with a raster among the annotators."""
    return info(
        "crowns.unmarked_rasters",
        "Places that no annotator marked are not listed: with a raster among the annotators, the "
        "list requires areas that are counted in pixels, of one image.",
    )
