from __future__ import annotations

import numpy as np
import pytest
from support.errors import raises

from randcrowns.core.instances.metrics import semantic_segmentation_metrics

TARGET = np.array([0, 0, 0, 1, 1, 2, 9])
PREDICTION = np.array([0, 0, 1, 1, 2, 2, 2])


def test_by_hand() -> None:
    found = semantic_segmentation_metrics(
        TARGET, PREDICTION, {"a": 0, "b": 1, "c": 2}, {"bc": [1, 2]}
    )
    assert (found["aIoU"], found["aPrecision"], found["aRecall"]) == (2 / 3, 1.0, 2 / 3)
    assert (found["bIoU"], found["bPrecision"], found["bRecall"]) == (1 / 3, 1 / 2, 1 / 2)
    assert (found["cIoU"], found["cPrecision"], found["cRecall"]) == (1 / 3, 1 / 3, 1.0)
    assert (found["bcIoU"], found["bcPrecision"], found["bcRecall"]) == (3 / 5, 3 / 5, 1.0)
    assert found["bcIoUAggregated"] == found["bcIoU"]
    assert found["MeanIoU"] == pytest.approx((2 / 3 + 1 / 3 + 1 / 3) / 3)
    assert found["MeanIoUAggregated"] == pytest.approx((2 / 3 + 3 / 5) / 2)
    assert found["MeanRecallAggregated"] == pytest.approx((2 / 3 + 1) / 2)


def test_a_class_that_is_nowhere_is_nan() -> None:
    found = semantic_segmentation_metrics(TARGET, PREDICTION, {"a": 0, "none": 77})
    assert np.isnan(found["noneIoU"])
    assert np.isnan(found["MeanIoU"])
    assert semantic_segmentation_metrics(TARGET, PREDICTION, {"nine": 9})["nineRecall"] == 0


def test_no_points_and_no_classes() -> None:
    nothing = np.empty(0, dtype=int)
    assert np.isnan(semantic_segmentation_metrics(nothing, nothing, {"a": 0})["aIoU"])
    assert np.isnan(semantic_segmentation_metrics(TARGET, PREDICTION, {})["MeanIoU"])


def test_refuses() -> None:
    with raises("labels.different_count", targets=7, predictions=6):
        semantic_segmentation_metrics(TARGET, PREDICTION[:6], {"a": 0})
    with raises("labels.not_integers"):
        semantic_segmentation_metrics(TARGET * 1.0, PREDICTION, {"a": 0})
