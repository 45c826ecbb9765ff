"""The colours of the paper's Figure 1, and the few the dock needs beside them."""

from __future__ import annotations

__all__ = ["DELINEATION", "MISSED", "QUIET", "REGIONS", "SERIES", "SHARED", "STALE", "TARGET", "VEIL", "WARN"]

#: Term of the score -> colour of its area on the map and in the legend.
REGIONS = {"a": "#f7dc3b", "b": "#98e0c0", "c": "#f58a1f", "d": "#2fc4ea"}
TARGET = "#d7191c"
DELINEATION = "#000000"
#: Laid over the rest of the map while a crown is shown.
VEIL = "#ffffff"
WARN = "#9a5b00"
#: Words of second rank; readable on light and on dark windows.
QUIET = "#7a7a7a"
STALE = "#fff4d6"
#: What two annotators both marked, or what an annotator and the consensus share.
SHARED = "#9a9a9a"
#: What the consensus has and an annotator has not.
MISSED = "#ffd400"
#: Fixed distinct colours for one series each, for any colour vision (Okabe and Ito).
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
