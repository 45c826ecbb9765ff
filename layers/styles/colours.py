"""Colours that plots, reports and pages share; they need no library."""

from __future__ import annotations

#: Fixed distinct colours for one series each, for any colour vision (Okabe and Ito).
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
#: Of a target's outline, and of a delineation's.
TARGET, DELINEATION = "#d7191c", "#000000"
