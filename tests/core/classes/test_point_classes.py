"""Classes of points; the metrics are compared with those of sets of points."""

from __future__ import annotations

import numpy as np
from support.errors import find_message

from randcrowns.core.classes.point_classes import class_metrics, compare_classes


def test_metrics_are_shares_of_the_sets_of_points() -> None:
    rng = np.random.default_rng(4)
    target = rng.choice([2, 5, 18], 500)
    prediction = np.where(rng.random(500) < 0.7, target, rng.choice([2, 5, 18], 500))
    table = class_metrics(target, prediction, {}, {})
    assert table["class"].tolist() == ["2", "5", "18", "all classes"]
    expected = []
    for number in (2, 5, 18):
        own, found = (
            set(np.flatnonzero(target == number)),
            set(np.flatnonzero(prediction == number)),
        )
        n_right = len(own & found)
        expected.append([n_right / len(own | found), n_right / len(found), n_right / len(own)])
    expected.append(np.mean(expected, axis=0).tolist())
    rates = table[["iou", "precision", "recall"]].to_numpy()
    np.testing.assert_allclose(rates, expected, rtol=1e-14)


def test_points_without_a_true_class_count_nowhere_and_are_told() -> None:
    target = np.array([5.0, 5, np.nan, 2])
    prediction = np.array([5, np.nan, 5, 2])
    classes = compare_classes("a.las", "kind", target, prediction)
    find_message(classes.messages, "cloud.without_class", file="a.las", name="kind", count=1)
    table = class_metrics(classes.target, classes.prediction, {}, {})
    # Of class 2 the only point is right; of class 5 one of two, and nothing else is predicted.
    assert table["class"].tolist() == ["2", "5", "all classes"]
    assert table["iou"].tolist() == [1.0, 0.5, 0.75]
    assert table["precision"].tolist() == [1.0, 1.0, 1.0]


def test_class_minus_one_of_a_file_is_a_class() -> None:
    classes = compare_classes("a.las", "kind", np.array([-1, 2]), np.array([-1, -1]))
    assert classes.messages == []
    table = class_metrics(classes.target, classes.prediction, {}, {})
    assert table["iou"].tolist() == [0.5, 0.0, 0.25]
