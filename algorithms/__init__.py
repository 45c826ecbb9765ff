"""Processing algorithms: one file per job, each reads layers, computes in the core, writes layers."""

from __future__ import annotations

import randcrowns.core  # noqa: F401 - before anything that imports shapely, see core/geos.py
