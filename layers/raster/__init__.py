"""Read rasters onto grids, and write grids as rasters."""

from __future__ import annotations

import randcrowns.core  # noqa: F401 - import before anything that imports shapely, see core/geos.py
