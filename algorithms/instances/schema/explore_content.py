"""Page to explore a run that evaluated instances: its targets, predictions and their IoU."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from randcrowns.algorithms.instances.schema import outputs
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.report_content import RunOutputs
from randcrowns.core.arrays import Objects
from randcrowns.report.explore.matched import (
    INSTANCE_COLUMNS,
    ExploredInstances,
    match_views,
)
from randcrowns.report.explore.outputs import ExploreParts


def explore_matches(run: RunOutputs, shapes: Mapping[str, Objects]) -> ExploreParts:
    """Return the outlines and the view of a run that evaluated crowns.

    Args:
        run: outputs of the run.
        shapes: outlines in coordinates of the page by the id of their output.

    Returns:
        The view; no views without the targets and the predictions.
    """
    both = (outputs.MATCHED_TARGETS, outputs.MATCHED_PREDICTIONS)
    if not all(output.id in shapes and len(run.table(output)) for output in both):
        return ExploreParts()
    targets, predictions = (_explore_instances(run, output, shapes[output.id]) for output in both)
    has_areas = run.record.algorithm.rpartition(":")[2] == "evaluateinstances"
    layers, views = match_views(targets, predictions, has_areas)
    return ExploreParts(layers, views)


def _explore_instances(run: RunOutputs, output: Output, shapes: Objects) -> ExploredInstances:
    """Return the targets or the predictions of a run.

    Args:
        run: outputs of the run.
        output: matched targets or matched predictions.
        shapes: their outlines in coordinates of the page.
    """
    rows = run.table(output)
    new_names = {name: new_name for name, new_name in INSTANCE_COLUMNS.items() if name in rows}
    table = rows[list(new_names)].rename(columns=new_names)
    if "plot" in table:
        table["plot"] = table["plot"].astype(object).where(table["plot"].notna(), None)

    result_names = {column.name for column in output.columns}
    result_names.update(INSTANCE_COLUMNS)
    own_names = [name for name in rows if name not in result_names]
    attributes: pd.DataFrame = rows[own_names]
    return ExploredInstances(output.label, table, shapes, attributes)
