"""Notes below tables and figures on the intervals in them."""

from __future__ import annotations

import pandas as pd

from randcrowns.core.statistics import MIN_UNITS
from randcrowns.core.status import ALL_PLOTS
from randcrowns.report.language import tr


def interval_note(has_intervals: bool, rows: pd.DataFrame | None = None) -> str:
    """Return what brackets after numbers are; "" if no number has an interval.

    Args:
        has_intervals: True if a number has an interval.
        rows: rows of the table; those of single plots have intervals over crowns. None for a table
            without a row per plot.
    """
    if not has_intervals:
        return ""
    note = tr("In brackets: 95 % interval.")
    is_by_plot = rows is not None and "plot" in rows and (~rows["plot"].isin(["", ALL_PLOTS])).any()
    return f"{note} {plot_interval_note()}" if is_by_plot else note


def plot_interval_note() -> str:
    """Return what the intervals of a single plot are over, and when there are none."""
    return tr(
        "The interval of a single plot is over its crowns; none for fewer than {least} crowns, or "
        "if the values of all of them are 0 or 1.",
        least=MIN_UNITS,
    )
