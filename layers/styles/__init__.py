"""Symbols, map tips, figures and print layouts of the plugin's layers and results."""

from __future__ import annotations

import randcrowns.core  # noqa: F401 - before anything that imports shapely, see core/geos.py
from randcrowns.report import colours
from randcrowns.report.colours import DELINEATION_COLOUR, TARGET_COLOUR

__all__ = ["DELINEATION_COLOUR", "OUTLINE_COLOURS", "SERIES_COLOURS", "TARGET_COLOUR"]

#: Colours of series in a fixed order, distinguishable with any colour vision (Okabe and Ito).
SERIES_COLOURS = (*colours.SERIES_COLOURS, colours.INK)
#: The same colours in the order for outlines of people and detectors.
OUTLINE_COLOURS = (*colours.OUTLINE_COLOURS, colours.INK)
