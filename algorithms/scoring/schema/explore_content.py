"""Page to explore a run that scored crowns: its targets, delineations, scores and problems."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from randcrowns.algorithms.report_content import RunOutputs
from randcrowns.algorithms.scoring.schema import outputs
from randcrowns.algorithms.scoring.schema.parameters import PLOT_FIELD
from randcrowns.core.arrays import Objects
from randcrowns.layers.files.verdict_file import geometry_hashes
from randcrowns.layers.localization import tr
from randcrowns.report.explore.outputs import ExploreParts
from randcrowns.report.explore.scored import ExploredScores, ExploredTargets, score_views

#: Columns of the scored delineations -> columns of the page.
_DELINEATION_COLUMNS = {"rc_problem": "problem", "rc_cause": "cause"}


def explore_scores(run: RunOutputs, shapes: Mapping[str, Objects]) -> ExploreParts:
    """Return the outlines and views of a run that scored crowns.

    Args:
        run: outputs of the run.
        shapes: outlines in coordinates of the page by the id of their output.

    Returns:
        A view for each delineation layer; no views without scored targets.
    """
    target_shapes = shapes.get(outputs.SCORED_TARGETS.id)
    crowns = outputs.scored_crowns(run.table(outputs.SCORED_TARGETS), run.record.results)
    if target_shapes is None or not crowns:
        return ExploreParts()
    first_crowns = next(iter(crowns.values()))
    targets = _explore_targets(run, first_crowns, target_shapes)
    delineations = _explore_delineations(run)
    delineation_shapes = shapes.get(outputs.SCORED_DELINEATIONS.id, np.empty(0, dtype=object))

    scores = []
    for layer, target_rows in crowns.items():
        is_of_layer = (delineations["layer"] == layer).to_numpy()
        layer_delineations = delineations[is_of_layer].reset_index(drop=True)
        names = _list_delineations(layer_delineations)
        layer_targets = target_rows.rename(columns=_DELINEATION_COLUMNS)
        explored_scores = ExploredScores(
            name=layer,
            keys=outputs.layer_keys_of_run(run.record, layer),
            targets=layer_targets.drop(columns=["row", "target_id"]),
            delineations=layer_delineations.assign(name=names),
            shapes=delineation_shapes[is_of_layer],
        )
        scores.append(explored_scores)
    layers, views = score_views(targets, scores)
    return ExploreParts(layers, views, has_regions=True)


def _explore_delineations(run: RunOutputs) -> pd.DataFrame:
    """Return the delineations of all layers with the columns of the page.

    Args:
        run: outputs of the run.

    Returns:
        A row per delineation. Columns that the run has not stored are empty; ``outline`` is a hash
        of the outline.
    """
    hashes = geometry_hashes(run.geometries.get(outputs.SCORED_DELINEATIONS.id, ()))
    delineations = run.table(outputs.SCORED_DELINEATIONS).rename(columns=_DELINEATION_COLUMNS)
    columns = [
        "layer",
        "delineation_id",
        "plot",
        "randcrowns",
        "iou",
        "iou_crowns",
        "status",
        "problem",
        "cause",
    ]
    return delineations.reindex(columns=columns).assign(outline=hashes)


def _explore_targets(
    run: RunOutputs, crowns: pd.DataFrame, target_shapes: Objects
) -> ExploredTargets:
    """Return the targets of a run.

    Args:
        run: outputs of the run.
        crowns: scores of the targets for one of the delineation layers.
        target_shapes: outlines of the targets in coordinates of the page.
    """
    rows = run.table(outputs.SCORED_TARGETS)
    plot_field = str(run.record.parameters.get(PLOT_FIELD.id) or "")
    plots = rows[plot_field].astype(object) if plot_field in rows else None
    table = pd.DataFrame(
        {
            "target_id": crowns["target_id"].to_numpy(),
            "name": [tr("Target {id}", id=target_id) for target_id in crowns["target_id"]],
            "plot": plots,
            "outline": geometry_hashes(run.geometries[outputs.SCORED_TARGETS.id]),
        }
    )
    if outputs.TARGET_CLASS.name in rows:
        table["class"] = rows[outputs.TARGET_CLASS.name].to_numpy()
    target_key, _ = outputs.layer_keys_of_run(run.record, "")
    return ExploredTargets(target_key.name, table, target_shapes, _select_own_attributes(run, rows))


def _select_own_attributes(run: RunOutputs, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the fields of the scored targets that the target layer has itself."""
    _, first_prefix = outputs.read_prefixes(run.record.results)[0]
    score_field = first_prefix + outputs.FIELD_ENDINGS[0]
    names = list(rows.columns)
    id_field = outputs.target_id_field(names, first_prefix)
    # The fields of the run follow the own fields of the layer.
    n_own_fields = min(names.index(name) for name in (id_field, score_field) if name in names)
    return rows[names[:n_own_fields]]


def _list_delineations(delineations: pd.DataFrame) -> list[str]:
    """Return the display names of delineations."""
    return [tr("Delineation {id}", id=number) for number in delineations["delineation_id"]]
