"""Outputs of a run from which reports are made."""

from __future__ import annotations

import pandas as pd
from qgis.core import QgsPalLayerSettings, QgsVectorLayerSimpleLabeling
from shapely import box
from support.layers import EAST, NORTH, layer_of

from randcrowns.algorithms.output_types import RESAMPLED_UNITS
from randcrowns.algorithms.report_content import RunOutputs, show_outlines


def test_tables_without_rows_name_no_units_of_intervals():
    # QGIS stores temporary tables without their rows.
    empty = pd.DataFrame({RESAMPLED_UNITS.name: []})
    filled = pd.DataFrame({RESAMPLED_UNITS.name: ["crowns"]})
    assert RunOutputs(None, {"SUMMARY": empty}).interval_units == []
    assert (
        RunOutputs(None, {"A": empty, "B": filled}).interval_units
        == RunOutputs(None, {"B": filled}).interval_units
    )


def test_the_map_of_a_report_has_no_labels_that_are_too_small_to_read(qgis_app):
    layer = layer_of("crowns", [box(EAST, NORTH, EAST + 5, NORTH + 5)])
    settings = QgsPalLayerSettings()
    settings.fieldName = "fid"
    layer.setLabeling(QgsVectorLayerSimpleLabeling(settings))
    layer.setLabelsEnabled(True)
    show_outlines(layer)
    assert not layer.labelsEnabled()
