"""Outputs of a run from which reports are made."""

from __future__ import annotations

import pandas as pd

from randcrowns.algorithms.output_types import RESAMPLED_UNITS
from randcrowns.algorithms.report_content import RunOutputs


def test_tables_without_rows_name_no_units_of_intervals():
    # QGIS stores temporary tables without their rows.
    empty = pd.DataFrame({RESAMPLED_UNITS.name: []})
    filled = pd.DataFrame({RESAMPLED_UNITS.name: ["crowns"]})
    assert RunOutputs(None, {"SUMMARY": empty}).interval_units == ""
    assert (
        RunOutputs(None, {"A": empty, "B": filled}).interval_units
        == RunOutputs(None, {"B": filled}).interval_units
    )
