"""Read vector layers into tables of the core, and write tables as vector layers."""

from __future__ import annotations

import randcrowns.core  # noqa: F401 - import before anything that imports shapely, see core/geos.py
