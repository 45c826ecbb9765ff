"""Results of two matchings of targets and predictions, as tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Bools, Ints
from randcrowns.core.instances.matching import (
    Matching,
    matched_ids,
    prediction_status,
    target_status,
)
from randcrowns.core.instances.metrics import (
    count_detections,
    detection_metrics,
    matched_rates,
    segmentation_means,
    segmentation_table,
)
from randcrowns.core.instances.overlap import OverlapTable
from randcrowns.core.statistics import overlap_rates


@dataclass(frozen=True)
class InstanceMatches:
    """Two matchings of the same T targets and P predictions."""

    table: OverlapTable  #: sizes of the instances, and the sizes that pairs share.
    detection: Matching  #: matching for detection.
    segmentation: Matching  #: matching for segmentation.
    target_ids: Ints  #: (T,) ids of the targets.
    prediction_ids: Ints  #: (P,) ids of the predictions.
    #: (P,) mask of predictions that are uncertain if they are unmatched; None for none of them.
    uncertain: Bools | None = None
    all_drawn: bool = True  #: False if unmatched predictions are not judged.


def target_results(matches: InstanceMatches) -> pd.DataFrame:
    """Return the results of the targets.

    Returns:
        One row per target: ``target_id``, ``status``, ``match_id`` (prediction in the matching for
        detection), ``segmentation_match_id`` (prediction in the matching for segmentation), and
        the ``iou``, ``precision`` and ``recall`` with the latter.
    """
    detection = matches.detection
    segmentation = matches.segmentation
    iou, precision, recall = matched_rates(matches.table, segmentation)
    columns = {
        "target_id": matches.target_ids,
        "status": target_status(detection),
        "match_id": matched_ids(matches.prediction_ids, detection.prediction),
        "segmentation_match_id": matched_ids(matches.prediction_ids, segmentation.prediction),
        "iou": iou,
        "precision": precision,
        "recall": recall,
    }
    return cast("pd.DataFrame", pd.DataFrame(columns))


def prediction_results(matches: InstanceMatches) -> pd.DataFrame:
    """Return the results of the predictions.

    Returns:
        One row per prediction: ``prediction_id``, ``status``, ``match_id`` (target in the matching
        for detection), and the ``iou``, ``precision`` and ``recall`` with that target.
    """
    matching = matches.detection
    table = matches.table
    # A prediction without a target has the index NONE, -1, and takes the 0 that is appended.
    shared = np.append(matching.shared, 0.0)[matching.target]
    target_size = np.append(table.target_size, 0.0)[matching.target]
    iou, precision, recall = overlap_rates(shared, target_size, table.prediction_size)
    columns = {
        "prediction_id": matches.prediction_ids,
        "status": prediction_status(matching, matches.uncertain, matches.all_drawn),
        "match_id": matched_ids(matches.target_ids, matching.target),
        "iou": iou,
        "precision": precision,
        "recall": recall,
    }
    return cast("pd.DataFrame", pd.DataFrame(columns))


def pointtree_metrics(
    matches: InstanceMatches, missing_id: int, include_unmatched: bool
) -> pd.DataFrame:
    """Return the metrics under the names of pointtree, in one row.

    Args:
        matches: matchings of targets and predictions.
        missing_id: id that stands for the prediction of an unmatched target.
        include_unmatched: True to include unmatched targets in the means, with IoU 0.

    Returns:
        One row; names begin with ``Detection`` and ``Segmentation``.
    """
    prediction_ids = np.append(matches.prediction_ids, missing_id)
    segmentation = segmentation_table(
        matches.table,
        matches.segmentation,
        matches.target_ids,
        prediction_ids[matches.segmentation.prediction],
        include_unmatched,
    )
    counts = count_detections(matches.detection, matches.uncertain)
    row = {f"Detection{name}": value for name, value in detection_metrics(counts).items()}
    for name, value in segmentation_means(segmentation).items():
        row[f"Segmentation{name}"] = value
    return cast("pd.DataFrame", pd.DataFrame([row]))
