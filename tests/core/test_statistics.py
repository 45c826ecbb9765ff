"""Ratios of counts, including counts of 0."""

from __future__ import annotations

import numpy as np
import pytest

from randcrowns.core.statistics import compute_iou, overlap_rates, precision_recall_f1, ratio


@pytest.mark.parametrize(
    ("found", "targets", "right", "predictions", "expected"),
    [
        (3, 4, 3, 6, (0.5, 0.75, 0.6)),
        (0, 3, 0, 3, (0, 0, 0)),
        (0, 3, 0, 0, (np.nan, 0, 0)),
        (0, 0, 0, 3, (0, np.nan, 0)),
        (0, 0, 0, 0, (np.nan, np.nan, np.nan)),
        (2, 4, 3, 4, (0.75, 0.5, 0.6)),
    ],
)
def test_precision_recall_and_f1(
    found: int, targets: int, right: int, predictions: int, expected: tuple
) -> None:
    assert precision_recall_f1(found, targets, right, predictions) == pytest.approx(
        expected, nan_ok=True
    )
    several = precision_recall_f1(*(np.array([n, n]) for n in (found, targets, right, predictions)))
    for value, one in zip(several, expected):
        assert value == pytest.approx(np.array([one, one]), nan_ok=True)


def test_ratios_with_denominator_zero_are_undefined() -> None:
    assert np.isnan(ratio(0, 0))
    assert ratio(np.array([1.0, 2.0, 3.0]), np.array([4.0, 0.0, 1.0])) == pytest.approx(
        [0.25, np.nan, 3], nan_ok=True
    )
    assert overlap_rates(0, 0, 2) == pytest.approx((0, 0, np.nan), nan_ok=True)
    assert overlap_rates(1, 2, 4) == (1 / 5, 1 / 4, 1 / 2)


def test_iou_is_never_above_1() -> None:
    size, more = 1000.1, np.nextafter(1000.1, 2000)
    assert compute_iou(np.array([more]), np.array([size]), np.array([size])).tolist() == [1.0]
