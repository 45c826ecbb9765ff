"""Invalid arguments that pointtree's documentation does not list raise InputError."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.errors import ExpectedError, raises

from randcrowns.core.instances import pointtree as point_cloud

XYZ = np.array([[0.0, 0, 0], [0.0, 0, 1], [1.0, 0, 0], [1.0, 0, 2]])
TARGET = np.array([0, 0, 1, 1])
PREDICTION = np.array([0, 0, 0, 1])


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            {"invalid_instance_id": None},
            raises("number.not_integer", name="invalid_instance_id", value="None"),
        ),
        ({"invalid_instance_id": -1.0}, raises("number.not_integer", name="invalid_instance_id")),
        ({"invalid_instance_id": 2**70}, raises("number.not_64_bits")),
        ({"num_partitions": 1.5}, raises("number.not_integer", value="1.5")),
        (
            {"num_partitions": 10**9},
            raises("partitions.wrong_number", most=10000, n_partitions=1000000000),
        ),
        ({"num_partitions": None}, raises("number.not_integer")),
    ],
)
def test_evaluation_refuses(options: dict[str, Any], expected: ExpectedError) -> None:
    with expected:
        point_cloud.evaluate_instance_segmentation(XYZ, TARGET, PREDICTION, **options)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"invalid_instance_id": None}, raises("number.not_integer", name="invalid_instance_id")),
        (
            {"min_tree_height_fp": None},
            raises("number.not_a_number", name="min_tree_height_fp", value="None"),
        ),
        ({"min_precision_fp": "much"}, raises("number.not_a_number", name="min_precision_fp")),
        (
            {"min_precision_fp": float("nan")},
            raises("number.not_a_number", name="min_precision_fp"),
        ),
        (
            {"min_precision_fp": 0.5, "labeled_mask": np.full(4, np.nan)},
            raises("labels.mask_not_boolean"),
        ),
        (
            {"min_precision_fp": 0.5, "labeled_mask": ["yes"] * 4},
            raises("labels.mask_not_boolean"),
        ),
    ],
)
def test_matching_refuses(options: dict[str, Any], expected: ExpectedError) -> None:
    with expected:
        point_cloud.match_instances(TARGET, PREDICTION, XYZ, "for_ai_net", **options)


@pytest.mark.parametrize(
    ("of_targets", "of_predictions", "expected"),
    [
        (
            [5, 5],
            [0, 1],
            raises("matching.unknown_instance", side="predicted", id=5, of="a target"),
        ),
        (
            [0, 1],
            [0, 7],
            raises("matching.unknown_instance", side="target", id=7, of="a prediction"),
        ),
    ],
)
def test_matches_that_are_no_instance_are_not_found(
    of_targets: list[int], of_predictions: list[int], expected: ExpectedError
) -> None:
    with expected:
        point_cloud.instance_detection_metrics(TARGET, PREDICTION, of_targets, of_predictions)
    found = point_cloud.instance_detection_metrics(TARGET, PREDICTION, [0, -1], [0, -2])
    assert (found["TP"], found["FP"], found["FN"]) == (1, 0, 1)


@pytest.mark.parametrize("numbers", [0, None, "01"])
def test_an_aggregate_is_a_list_of_classes(numbers: Any) -> None:
    with raises("metrics.invalid_classes", name="g"):
        point_cloud.semantic_segmentation_metrics(TARGET, PREDICTION, {"a": 0}, {"g": numbers})
