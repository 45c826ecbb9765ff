from __future__ import annotations

import importlib.util
import sys
import types
from pathlib import Path
from typing import get_args

import numpy as np
import pandas as pd
import pytest
from support.errors import raises
from support.examples import examples

from randcrowns.core.errors import InputError
from randcrowns.core.instances import pointtree as point_cloud
from randcrowns.core.instances.matching import MatchingMethod

ROOT = Path(__file__).parents[3]
METHODS = [method.value for method in MatchingMethod]


def test_the_type_of_method_names_lists_all_methods() -> None:
    assert list(get_args(point_cloud.MatchingMethodName)) == METHODS


def comparison() -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(
        "compare_pointtree", ROOT / "benchmarks" / "compare_pointtree.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.hypothesis
def test_the_recorded_answers_of_pointtree() -> None:
    """Use all random clouds in ``make explore``, and a part of them in the suite."""
    compare = comparison()
    number = 0
    for cloud, expected in compare.read_recorded_cases(
        ROOT / "tests" / "core" / "instances" / "data" / "pointtree_cases.npz"
    ):
        if number % (compare.RECORDED // examples(compare.RECORDED)) == 0:
            found = compare.flatten_answers(compare.collect_answers(point_cloud, cloud))
            np.testing.assert_allclose(found, expected, rtol=2e-6, atol=0, err_msg=f"case {number}")
        number += 1
    assert number == compare.RECORDED


XYZ = np.array([[0.0, 0, 0], [0.0, 0, 1], [1.0, 0, 0], [1.0, 0, 2]])
TARGET = np.array([0, 0, 1, 1])
PREDICTION = np.array([0, 0, 0, 1])


def test_counts_of_a_target_whose_best_prediction_was_taken() -> None:
    targets, predictions, counts = point_cloud.match_instances(
        np.array([0, 0, 0, 1, 1]),
        np.array([0, 0, 0, 0, 1]),
        np.c_[np.zeros((5, 2)), [0, 1, 3, 0, 1]],
        "point2tree",
    )
    assert predictions.tolist() == [0, 1]
    assert targets.tolist() == [0, 1]
    assert {key: values.tolist() for key, values in counts.items()} == {
        "tp": [3, 1],
        "fp": [1, 0],
        "fn": [0, 1],
    }
    assert all(values.dtype == np.int64 for values in counts.values())


def test_every_array_type_gives_the_same_answer() -> None:
    wide = np.zeros((8, 2), dtype=np.int64)
    wide[::2, 0], wide[::2, 1] = TARGET, PREDICTION
    expected = point_cloud.evaluate_instance_segmentation(XYZ, TARGET, PREDICTION)
    for target, prediction in [
        (TARGET.astype(np.uint8), PREDICTION.astype(np.int16)),
        (wide[::2, 0], wide[::2, 1]),
    ]:
        target.flags.writeable = False
        xyz = np.asfortranarray(XYZ)
        xyz.flags.writeable = False
        for one, other in zip(
            point_cloud.evaluate_instance_segmentation(xyz, target, prediction), expected
        ):
            np.testing.assert_array_equal(one, other)


def test_evaluation_has_the_documented_columns() -> None:
    tables = point_cloud.evaluate_instance_segmentation(XYZ, TARGET, PREDICTION, num_partitions=3)
    assert list(tables[0].columns) == [
        "DetectionTP",
        "DetectionFP",
        "DetectionFN",
        "DetectionPrecision",
        "DetectionCommissionError",
        "DetectionRecall",
        "DetectionOmissionError",
        "DetectionF1Score",
        "SegmentationMeanIoU",
        "SegmentationMeanPrecision",
        "SegmentationMeanRecall",
    ]
    assert tables[0].loc[0, "DetectionTP"] == 1
    assert len(tables[2]) == 3
    assert len(tables[3]) == 6
    bare = point_cloud.evaluate_instance_segmentation(
        XYZ, TARGET, PREDICTION, compute_partition_metrics=False
    )
    assert bare[2:] == (None,) * 4


NONE = np.full(4, -1)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("target", "prediction"),
    [(NONE, PREDICTION), (TARGET, NONE), (NONE, NONE), (np.empty(0, int), np.empty(0, int))],
)
def test_one_side_is_empty(method: str, target: np.ndarray, prediction: np.ndarray) -> None:
    xyz = XYZ[: len(target)]
    _, predictions, counts = point_cloud.match_instances(
        target, prediction, xyz, method, min_precision_fp=0.5
    )
    n_targets = len(set(target.tolist()) - {-1})
    assert predictions.tolist() == [-1] * n_targets
    assert counts["fn"].tolist() == [2] * n_targets
    assert counts["tp"].tolist() == counts["fp"].tolist() == [0] * n_targets
    metrics, rows, xy_means, xy_rows, *_ = point_cloud.evaluate_instance_segmentation(
        xyz, target, prediction, detection_metrics_matching_method=method
    )
    assert metrics.loc[0, "DetectionTP"] == 0
    assert metrics.loc[0, "DetectionFN"] == n_targets
    assert len(rows) == n_targets
    assert xy_means is not None
    assert xy_rows is not None
    assert len(xy_means) == 10
    assert len(xy_rows) == 10 * n_targets
    assert np.isnan(metrics.loc[0, "SegmentationMeanPrecision"])
    assert np.isnan(metrics.loc[0, "SegmentationMeanIoU"]) == (n_targets == 0)


@pytest.mark.parametrize("method", METHODS)
def test_one_tree(method: str) -> None:
    one = np.zeros(4, dtype=int)
    targets, predictions, counts = point_cloud.match_instances(one, one, XYZ, method)
    assert (targets.tolist(), predictions.tolist(), counts["tp"].tolist()) == ([0], [0], [4])


@pytest.mark.parametrize(
    ("target", "prediction", "options", "words"),
    [
        (TARGET, PREDICTION[:3], {}, "4 target labels but 3 predicted"),
        (TARGET, PREDICTION + 1, {}, "lowest ids must be the same"),
        (TARGET * 3, PREDICTION, {}, r"target ids .* 2 between 0 and 3 are missing \(1, 2\)"),
        (TARGET, PREDICTION * 9, {}, r"predicted ids .* 8 between .* \(1, 2, 3, 4, 5, …\)"),
        (TARGET, PREDICTION, {"invalid_instance_id": 1}, "must be below the lowest"),
        (TARGET, PREDICTION, {"method": "nearest"}, "no matching method 'nearest'"),
        (TARGET, PREDICTION, {"xyz": XYZ[:3]}, "3 points but 4 labels"),
        (TARGET, PREDICTION, {"xyz": XYZ[:, :2]}, "three columns"),
        (TARGET, PREDICTION, {"xyz": XYZ.astype(str)}, "must be numbers"),
        (TARGET * 1.0, PREDICTION, {}, "whole numbers"),
        (
            TARGET,
            PREDICTION,
            {"min_precision_fp": 0.5, "labeled_mask": [True]},
            "one value per point",
        ),
        (
            TARGET,
            PREDICTION,
            {"min_precision_fp": 0.5, "uncertain_instance_id": 0},
            "must not be above",
        ),
        (
            TARGET,
            PREDICTION,
            {"xyz": XYZ * np.nan, "method": "point2tree"},
            "target 0 has one that is not a finite",
        ),
    ],
)
def test_matching_refuses(
    target: np.ndarray, prediction: np.ndarray, options: dict, words: str
) -> None:
    arguments = {
        "target": target,
        "prediction": prediction,
        "xyz": XYZ,
        "method": "tree_learn",
        **options,
    }
    with pytest.raises(ValueError, match=words) as error:
        point_cloud.match_instances(**arguments)
    assert isinstance(error.value, InputError)


def test_checks_come_in_the_documented_order() -> None:
    far = PREDICTION * 3 + 5
    with raises("ids.different_start"):
        point_cloud.match_instances(TARGET * 3, far, XYZ, "nearest", invalid_instance_id=99)
    with raises("ids.target_gaps"):
        point_cloud.match_instances(
            TARGET * 3, PREDICTION * 5, XYZ, "nearest", invalid_instance_id=99
        )
    with raises("ids.predicted_gaps", n_missing=8):
        point_cloud.match_instances(TARGET, PREDICTION * 9, XYZ, "nearest", invalid_instance_id=-1)
    with raises("ids.no_instance_too_high"):
        point_cloud.match_instances(TARGET, PREDICTION, XYZ, "nearest", invalid_instance_id=99)
    assert point_cloud.match_instances(TARGET * 3, NONE, XYZ, "nearest")[1].tolist() == [-1, -1]


def test_evaluation_refuses_points_without_coordinates() -> None:
    xyz = XYZ.copy()
    xyz[2, 0] = np.nan
    with raises("points.not_finite", number=1, first=3):
        point_cloud.evaluate_instance_segmentation(xyz, TARGET, PREDICTION)
    with raises("partitions.wrong_number"):
        point_cloud.evaluate_instance_segmentation(XYZ, TARGET, PREDICTION, num_partitions=0)


def test_the_id_of_uncertain_predictions_does_not_affect_the_evaluation() -> None:
    expected = point_cloud.evaluate_instance_segmentation(XYZ, TARGET, PREDICTION)
    found = point_cloud.evaluate_instance_segmentation(
        XYZ, TARGET, PREDICTION, uncertain_instance_id=0
    )
    for table, expected_table in zip(found, expected):
        pd.testing.assert_frame_equal(table, expected_table)


def test_metrics_refuse() -> None:
    one, two = np.array([0]), np.array([0, 1])
    with raises("ids.wrong_count", name="matched_predicted_ids", side="target"):
        point_cloud.instance_detection_metrics(TARGET, PREDICTION, one, two)
    with raises("ids.wrong_count", name="matched_target_ids", side="predicted"):
        point_cloud.instance_detection_metrics(TARGET, PREDICTION, two, one)
    with raises("ids.different_start"):
        point_cloud.instance_detection_metrics(TARGET, PREDICTION + 1, two, two)
    with raises("ids.uncertain_above_no_instance"):
        point_cloud.instance_detection_metrics(
            TARGET, PREDICTION, two, two, uncertain_instance_id=0
        )
    with raises("labels.different_count", targets=4, predictions=1):
        point_cloud.instance_segmentation_metrics(TARGET, one, two)
    with raises("matching.unknown_instance", side="predicted", id=7):
        point_cloud.instance_segmentation_metrics(TARGET, PREDICTION, np.array([0, 7]))
    with raises("partitions.unknown", partition="x"):
        point_cloud.instance_segmentation_metrics_per_partition(XYZ, TARGET, PREDICTION, two, "x")
    with raises("ids.not_integers"):
        point_cloud.instance_segmentation_metrics(TARGET, PREDICTION, two * 1.0)


def test_uncertain_predictions_are_no_mistake() -> None:
    prediction = np.array([0, 0, 1, 2])
    target = np.array([0, 0, -1, -1])
    arguments = (target, prediction, XYZ, "panoptic_segmentation")
    mask = np.array([True, True, True, False])
    assert point_cloud.match_instances(*arguments)[0].tolist() == [0, -1, -1]
    assert point_cloud.match_instances(*arguments, min_precision_fp=0.5)[0].tolist() == [0, -2, -2]
    found = point_cloud.match_instances(*arguments, min_precision_fp=0.5, labeled_mask=mask)
    assert found[0].tolist() == [0, -1, -2]
    metrics = point_cloud.instance_detection_metrics(target, prediction, found[1], found[0])
    assert (metrics["TP"], metrics["FP"], metrics["FN"]) == (1, 1, 0)


def test_a_share_at_the_limit_is_no_excuse() -> None:
    target, prediction = np.array([0, 0, 0, -1]), np.array([0, 0, 1, 1])
    found = point_cloud.match_instances(
        target, prediction, XYZ, "panoptic_segmentation", min_precision_fp=0.5
    )
    assert found[0].tolist() == [0, -1]


def test_a_height_at_the_limit_is_no_excuse(monkeypatch: pytest.MonkeyPatch) -> None:
    from randcrowns.core.instances import ground as uncertain

    monkeypatch.setattr(uncertain, "height_above_terrain", lambda xyz, rows, progress: xyz[rows, 2])
    target, prediction = np.array([0, 0, -1, -1]), np.array([0, 0, 1, 1])
    for least, expected in ((2.0, [0, -1]), (2.1, [0, -2])):
        found = point_cloud.match_instances(
            target, prediction, XYZ, "for_ai_net", min_tree_height_fp=least
        )
        assert found[0].tolist() == expected


def test_matched_ids_may_have_gaps_where_nothing_forbids_it() -> None:
    target, prediction = TARGET * 1000 + 5, PREDICTION * 70 + 5
    means, rows = point_cloud.instance_segmentation_metrics(target, prediction, np.array([5, 75]))
    assert rows["TargetID"].tolist() == [5, 1005]
    assert rows["PredictionID"].tolist() == [5, 75]
    assert rows["IoU"].tolist() == [2 / 3, 1 / 2]
    assert means["MeanIoU"] == pytest.approx(7 / 12)


def test_means_over_matched_targets_only() -> None:
    means, rows = point_cloud.instance_segmentation_metrics(
        TARGET, PREDICTION, np.array([0, -1]), include_unmatched_instances=False
    )
    assert rows["TargetID"].tolist() == [0]
    assert means["MeanRecall"] == 1.0
    both, _ = point_cloud.instance_segmentation_metrics(TARGET, PREDICTION, np.array([0, -1]))
    assert (both["MeanIoU"], both["MeanPrecision"], both["MeanRecall"]) == (1 / 3, 2 / 3, 0.5)
    nothing, empty = point_cloud.instance_segmentation_metrics(
        TARGET, PREDICTION, np.array([-1, -1]), include_unmatched_instances=False
    )
    assert all(np.isnan(value) for value in nothing.values())
    assert len(empty) == 0
