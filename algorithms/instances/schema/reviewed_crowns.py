"""Crowns of an evaluation of instances for reviewers: their layers, problems and states."""

from __future__ import annotations

import numpy as np
import pandas as pd

from randcrowns.algorithms.instances.schema.outputs import MATCHED_PREDICTIONS, MATCHED_TARGETS
from randcrowns.algorithms.instances.schema.parameters import (
    CLOUD,
    PREDICTION_ATTRIBUTE,
    PREDICTION_INPUT,
    PREDICTIONS,
    TARGET_ATTRIBUTE,
    TARGETS,
)
from randcrowns.algorithms.provenance import Provenance
from randcrowns.algorithms.report_content import RunOutputs
from randcrowns.algorithms.review_texts import ReviewedLayer
from randcrowns.core.instances.matching import MatchStatus
from randcrowns.core.review.problems import Problem
from randcrowns.core.review.verdicts import LayerKey, crowns_to_review
from randcrowns.layers.files.verdict_file import geometry_hashes


def prediction_name(record: Provenance) -> str:
    """Return the name of the predictions of a run; "" if its record does not contain it."""
    names = [key.name for key in record.input_layers_of(PREDICTIONS.id)]
    if names:
        return names[0]
    return record.display_text_of(PREDICTION_ATTRIBUTE.name) if _cloud_of(record) else ""


def layer_keys_of_run(record: Provenance, name: str) -> tuple[LayerKey, LayerKey]:
    """Return the keys of the targets and of the predictions of a run.

    Trees of a point cloud are identified by its file and the attribute with their ids.

    Args:
        record: provenance of the run.
        name: name of the predictions, if the record does not contain their layer.
    """
    cloud = _cloud_of(record)
    if cloud:
        predicted_cloud = str(record.parameters.get(PREDICTION_INPUT.id) or cloud)
        trees = record.display_text_of(TARGET_ATTRIBUTE.name)
        predicted_trees = record.display_text_of(PREDICTION_ATTRIBUTE.name)
        return (
            LayerKey("", f"{cloud} {trees}", trees),
            LayerKey("", f"{predicted_cloud} {predicted_trees}", predicted_trees),
        )
    keys = []
    for parameter in (TARGETS, PREDICTIONS):
        input_layers = record.input_layers_of(parameter.id)
        keys.append(input_layers[0] if input_layers else LayerKey("", "", name))
    return keys[0], keys[1]


def _cloud_of(record: Provenance) -> str:
    """Return the point cloud of a run; "" for a run with polygon layers."""
    return str(record.parameters.get(CLOUD.id) or "")


def compared_ids(targets: pd.DataFrame) -> pd.Series:
    """Return the id of the prediction that each target is compared with; missing without one.

    Args:
        targets: (n,) rows of the matched targets.
    """
    ids: pd.Series = targets["match_id"].fillna(targets["segmentation_match_id"])
    return ids


def target_problems(status: pd.Series, iou: pd.Series) -> list[str | None]:
    """Return the problem of each target; None if it was not evaluated.

    Args:
        status: (n,) status of the targets.
        iou: (n,) IoU with the prediction that they are compared with.
    """
    problem_by_status = {
        MatchStatus.TRUE_POSITIVE.value: Problem.NONE.value,
        MatchStatus.FALSE_NEGATIVE.value: Problem.MISSING.value,
    }
    problems = [problem_by_status.get(value) for value in status]
    is_low_overlap = (status == MatchStatus.FALSE_NEGATIVE.value) & (iou > 0)
    return [
        Problem.LOW_OVERLAP.value if is_low else problem
        for problem, is_low in zip(problems, is_low_overlap)
    ]


def list_reviewed_crowns(run: RunOutputs) -> list[ReviewedLayer]:
    """Return the crowns of an evaluation of instances that reviewers may have judged."""
    target_rows = run.table(MATCHED_TARGETS)
    if not len(target_rows):
        return []
    targets = pd.DataFrame(
        {
            "feature_id": target_rows["target_id"].astype(np.int64),
            "outline": geometry_hashes(run.geometries[MATCHED_TARGETS.id]),
            "delineation_id": compared_ids(target_rows),
            "problem": target_problems(target_rows["status"], target_rows["iou"]),
            "plot": target_rows.get("plot"),
        }
    )
    columns = ["prediction_id", "status", "plot"]
    prediction_rows = run.table(MATCHED_PREDICTIONS).reindex(columns=columns)
    is_extra = prediction_rows["status"] == MatchStatus.FALSE_POSITIVE.value
    predictions = pd.DataFrame(
        {
            "delineation_id": prediction_rows["prediction_id"],
            "outline": geometry_hashes(run.geometries.get(MATCHED_PREDICTIONS.id, ())),
            "problem": is_extra.map({True: Problem.EXTRA.value, False: None}),
            "plot": prediction_rows["plot"],
        }
    )
    name = prediction_name(run.record)
    keys = layer_keys_of_run(run.record, name)
    layer = ReviewedLayer(name, keys, crowns_to_review(targets, predictions))
    return [layer]
