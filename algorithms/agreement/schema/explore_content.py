"""Page to explore a comparison of annotators: disagreements, votes per area, pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from randcrowns.algorithms.agreement.schema import outputs
from randcrowns.algorithms.explore_content import output_views, small_table
from randcrowns.algorithms.output_types import length_unit
from randcrowns.algorithms.report_content import RunOutputs
from randcrowns.core.arrays import Objects
from randcrowns.report.explore.outputs import ExploreParts

#: Columns of the table of pairs.
_PAIR_COLUMNS = ("first", "second", "f1", "shared", "pq", "sq", "rq", "matched")


def explore_comparison(run: RunOutputs, shapes: Mapping[str, Objects]) -> ExploreParts:
    """Return the outlines, views and tables of a comparison of annotators.

    Args:
        run: outputs of the run.
        shapes: outlines in coordinates of the page by the id of their output.

    Returns:
        A view of the disagreements, the largest first, and one of the votes per area; and the
        tables of annotators and of pairs that the run has.
    """
    unit = length_unit(run.record.results)
    areas = (outputs.DISAGREEMENTS, outputs.AGREEMENT)
    parts = output_views(areas, run.frames, shapes, unit, order="rank", colour="n_yes")
    pair_columns = [
        column for column in outputs.ANNOTATOR_PAIRS.columns if column.name in _PAIR_COLUMNS
    ]
    columns_by_output = {
        outputs.ANNOTATOR_PAIRS: pair_columns,
        outputs.ANNOTATOR_TABLE: list(outputs.ANNOTATOR_TABLE.columns),
    }
    tables = []
    for output, columns in columns_by_output.items():
        rows = run.table(output)
        if len(rows):
            tables.append(small_table(output.label, columns, rows, unit))
    return replace(parts, tables=tables)
