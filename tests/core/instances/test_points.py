"""Invalid arguments that pointtree's documentation does not list raise InputError."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from randcrowns.core.errors import InputError
from randcrowns.core.instances import pointtree as point_cloud

XYZ = np.array([[0.0, 0, 0], [0.0, 0, 1], [1.0, 0, 0], [1.0, 0, 2]])
TARGET = np.array([0, 0, 1, 1])
PREDICTION = np.array([0, 0, 0, 1])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"invalid_instance_id": None}, "invalid_instance_id must be a whole number, not None"),
        ({"invalid_instance_id": -1.0}, "invalid_instance_id must be a whole number"),
        ({"invalid_instance_id": 2**70}, "of 64 bits"),
        ({"uncertain_instance_id": "x"}, "uncertain_instance_id must be a whole number"),
        ({"num_partitions": 1.5}, "number of partitions must be a whole number, not 1.5"),
        ({"num_partitions": 10**9}, "at most 10,000, not 1000000000"),
        ({"num_partitions": None}, "must be a whole number"),
    ],
)
def test_evaluation_refuses(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        point_cloud.evaluate_instance_segmentation(XYZ, TARGET, PREDICTION, **options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"invalid_instance_id": None}, "invalid_instance_id must be a whole number"),
        ({"min_tree_height_fp": None}, "min_tree_height_fp must be a number, not None"),
        ({"min_precision_fp": "much"}, "min_precision_fp must be a number"),
        ({"min_precision_fp": float("nan")}, "min_precision_fp must be a number"),
        (
            {"min_precision_fp": 0.5, "labeled_mask": np.full(4, np.nan)},
            "labeled_mask must say of every point",
        ),
        (
            {"min_precision_fp": 0.5, "labeled_mask": ["yes"] * 4},
            "labeled_mask must say of every point",
        ),
    ],
)
def test_matching_refuses(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        point_cloud.match_instances(TARGET, PREDICTION, XYZ, "for_ai_net", **options)


@pytest.mark.parametrize(
    ("of_targets", "of_predictions", "words"),
    [
        ([5, 5], [0, 1], "There is no predicted instance 5, but a target is matched with it"),
        ([0, 1], [0, 7], "There is no target instance 7, but a prediction is matched with it"),
    ],
)
def test_matches_that_are_no_instance_are_not_found(
    of_targets: list[int], of_predictions: list[int], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        point_cloud.instance_detection_metrics(TARGET, PREDICTION, of_targets, of_predictions)
    found = point_cloud.instance_detection_metrics(TARGET, PREDICTION, [0, -1], [0, -2])
    assert (found["TP"], found["FP"], found["FN"]) == (1, 0, 1)


@pytest.mark.parametrize("numbers", [0, None, "01"])
def test_an_aggregate_is_a_list_of_classes(numbers: Any) -> None:
    with pytest.raises(InputError, match="classes of aggregate 'g' must be a list"):
        point_cloud.semantic_segmentation_metrics(TARGET, PREDICTION, {"a": 0}, {"g": numbers})
