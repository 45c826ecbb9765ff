"""Processing algorithms of RandCrowns.

An algorithm reads layers, computes in :mod:`randcrowns.core` and writes layers, tables and files.
"""

from __future__ import annotations

import randcrowns.core  # noqa: F401 - before anything that imports shapely, see core/geos.py
