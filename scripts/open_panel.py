"""Open the RandCrowns panel in a running QGIS; ``make run`` passes this file to ``qgis --code``."""

from __future__ import annotations

import qgis.utils

if "randcrowns" in qgis.utils.plugins:
    qgis.utils.plugins["randcrowns"].toggle_panel()
