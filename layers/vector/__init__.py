"""Vector layers read into tables of the core, and tables written back."""

from __future__ import annotations

import randcrowns.core  # noqa: F401 - before anything that imports shapely, see core/geos.py
