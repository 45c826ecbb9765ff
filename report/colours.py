"""Colours of figures, maps and pages; all are distinguishable with any colour vision."""

from __future__ import annotations

#: Colours of series of points and lines (Okabe and Ito).
SERIES_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
#: Colour of target outlines.
TARGET_COLOUR = "#d7191c"
#: Colour of delineation outlines.
DELINEATION_COLOUR = "#000000"
#: Colour of texts, frames and marks.
INK = "#000000"
#: Colour of lines and texts that are less important than the data.
QUIET_COLOUR = "#555555"
#: Colour of grid lines.
GRID_COLOUR = "#e6e6e6"
#: Six equidistant colours of the viridis ramp, whose order is visible with any colour vision.
RAMP = ("#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725")
