"""Symbols, map tips, figures and print layouts of the plugin's layers and results."""

from __future__ import annotations

import randcrowns.core  # noqa: F401 - before anything that imports shapely, see core/geos.py

#: Colours of series in a fixed order, distinguishable with any colour vision (Okabe and Ito).
SERIES_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
#: Colour of target outlines.
TARGET_COLOUR = "#d7191c"
#: Colour of delineation outlines.
DELINEATION_COLOUR = "#000000"
