"""Page to explore a ranking of detectors: curves over the scores, ground truths, tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from randcrowns.algorithms.detectors.schema import outputs
from randcrowns.algorithms.explore_content import output_views, small_table
from randcrowns.algorithms.output_types import length_unit
from randcrowns.algorithms.report_content import RunOutputs
from randcrowns.core.arrays import Objects
from randcrowns.report.content import split_rows
from randcrowns.report.detector_content import rows_with_value
from randcrowns.report.explore.content import PairTable
from randcrowns.report.explore.outputs import ExploreParts, detection_curves

#: Columns of the scores of detectors that pages and reports show.
SCORE_COLUMNS = (
    "measure",
    "detector",
    "truth",
    "value",
    "rank",
    "skew",
    "crown_recall",
    "crown_recall_iou",
    "reason",
)


def explore_ranking(run: RunOutputs, shapes: Mapping[str, Objects]) -> ExploreParts:
    """Return the curves, ground truths and tables of a ranking of detectors.

    Args:
        run: outputs of the run.
        shapes: outlines in coordinates of the page by the id of their output.
    """
    unit = length_unit(run.record.results)
    parts = output_views([outputs.TRUTH_POLYGONS], run.frames, shapes, unit, colour="truth")
    tables = _score_tables(run.table(outputs.AUCR), unit)
    rankings = run.table(outputs.RANKINGS)
    if len(rankings):
        columns = outputs.RANKINGS.columns
        tables.append(small_table(outputs.RANKINGS.label, columns, rankings, unit))
    counted = next(column for column in outputs.CURVES.columns if column.name == "counted")
    curves = detection_curves(run.table(outputs.CURVES), counted.display_text)
    return replace(parts, curves=curves, tables=tables)


def _score_tables(scores: pd.DataFrame, unit: str) -> list[PairTable]:
    """Return the table of the scores of each measure, as in the report.

    Args:
        scores: rows of the scores; may be empty.
        unit: unit of lengths of the run, ``m`` or ``px``.
    """
    if not len(scores):
        return []
    declared = {column.name: column for column in outputs.AUCR.columns}
    columns = [declared[name] for name in SCORE_COLUMNS]
    text_of = declared["measure"].display_text
    parts = split_rows(outputs.AUCR.label, rows_with_value(scores), "measure", text_of)
    return [small_table(title, columns, rows, unit) for title, rows in parts]
