"""Page to explore a ranking of detectors: curves over the scores, ground truths, tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from randcrowns.algorithms.detectors.schema import outputs
from randcrowns.algorithms.explore_content import output_views, small_table
from randcrowns.algorithms.output_types import length_unit
from randcrowns.algorithms.report_content import RunOutputs
from randcrowns.core.arrays import Objects
from randcrowns.report.explore.outputs import ExploreParts, detection_curves


def explore_ranking(run: RunOutputs, shapes: Mapping[str, Objects]) -> ExploreParts:
    """Return the curves, ground truths and tables of a ranking of detectors.

    Args:
        run: outputs of the run.
        shapes: outlines in coordinates of the page by the id of their output.
    """
    unit = length_unit(run.record.results)
    parts = output_views([outputs.TRUTH_POLYGONS], run.frames, shapes, unit)
    tables = []
    for output in (outputs.AUCR, outputs.RANKINGS):
        rows = run.table(output)
        if len(rows):
            tables.append(small_table(output.label, output.columns, rows, unit))
    counted = next(column for column in outputs.CURVES.columns if column.name == "counted")
    curves = detection_curves(run.table(outputs.CURVES), counted.display_text)
    return replace(parts, curves=curves, tables=tables)
