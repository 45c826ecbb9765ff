"""How layers look on the map."""

from __future__ import annotations

import randcrowns.core  # noqa: F401 - before anything that imports shapely, see core/geos.py

#: Fixed distinct colours for one series each, for any colour vision (Okabe and Ito).
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
#: Of a target's outline, and of a delineation's.
TARGET, DELINEATION = "#d7191c", "#000000"
