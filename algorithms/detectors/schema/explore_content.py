"""Page to explore a ranking of detectors: curves over the scores, ground truths, tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from randcrowns.algorithms.detectors.schema import outputs
from randcrowns.algorithms.explore_content import (
    ExploreParts,
    output_views,
    small_table,
)
from randcrowns.algorithms.output_types import length_unit
from randcrowns.algorithms.report_content import RunOutputs
from randcrowns.core.arrays import Objects
from randcrowns.layers.localization import tr
from randcrowns.report.explore.content import DetectionCurve

#: Columns that identify a curve.
_CURVE_COLUMNS = ["counted", "detector", "truth"]


def explore_ranking(run: RunOutputs, shapes: Mapping[str, Objects]) -> ExploreParts:
    """Return the curves, ground truths and tables of a ranking of detectors.

    Args:
        run: outputs of the run.
        shapes: outlines in coordinates of the page by the id of their output.
    """
    unit = length_unit(run.record.results)
    parts = output_views([outputs.TRUTH_POLYGONS], run.frames, shapes, unit)
    tables = [
        small_table(output.label, output.columns, run.table(output), unit)
        for output in (outputs.AUCR, outputs.RANKINGS)
        if len(run.table(output))
    ]
    curves = _detection_curves(run.table(outputs.CURVES))
    return replace(parts, curves=curves, tables=tables)


def _detection_curves(curves: pd.DataFrame) -> list[DetectionCurve]:
    """Return the curve of each detector and ground truth.

    Args:
        curves: rows of the output CURVES; empty if the run has none.
    """
    if not len(curves):
        return []
    counted = next(column for column in outputs.CURVES.columns if column.name == "counted")
    result = []
    for (kind, detector, truth), rows in curves.groupby(_CURVE_COLUMNS, sort=False, dropna=False):
        rows = rows.dropna(subset=["threshold"]).sort_values("threshold", ascending=False)
        label = tr(
            "{detector}, {truth} ({counted})",
            detector=detector,
            truth=truth,
            counted=counted.display_text(str(kind)),
        )
        if len(rows):
            numbers = (rows[name].to_numpy(float) for name in ("threshold", "precision", "recall"))
            result.append(DetectionCurve(label, *numbers))
    return result
