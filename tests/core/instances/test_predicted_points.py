"""Predictions of a cloud of their own; the right partner is found by comparing all points."""

from __future__ import annotations

import numpy as np
from support.errors import find_message, raises

from randcrowns.core.instances.predicted_points import PredictedPoints, transfer_predictions


def cloud(xyz: np.ndarray, labels: np.ndarray, **attributes: np.ndarray) -> PredictedPoints:
    """Return a cloud with predictions, where 0 means no tree."""
    return PredictedPoints("b.las", xyz, labels, 0, attributes)


def test_labels_and_attributes_are_those_of_the_nearest_point() -> None:
    rng = np.random.default_rng(6)
    xyz, other_xyz = rng.uniform(0, 5, (300, 3)), rng.uniform(0, 5, (80, 3))
    labels, kinds = rng.integers(1, 9, 80), rng.integers(2, 6, 80)
    found = transfer_predictions("a.las", xyz, cloud(other_xyz, labels, kind=kinds), 0.9)
    distances = np.linalg.norm(xyz[:, None] - other_xyz[None], axis=2)
    nearest = distances.argmin(axis=1)
    is_near = distances.min(axis=1) <= 0.9
    assert 0 < is_near.sum() < 300
    assert found.labels.tolist() == np.where(is_near, labels[nearest], 0).tolist()
    np.testing.assert_array_equal(
        found.attributes["kind"], np.where(is_near, kinds[nearest], np.nan)
    )
    n_without = int((~is_near).sum())
    message = find_message(found.messages, "cloud.partners", count=n_without)
    assert message.is_warning


def test_predicted_trees_that_no_point_takes_are_told() -> None:
    other = cloud(np.array([[0.0, 0, 0], [9, 9, 9], [9, 9, 8]]), np.array([3, 4, 0]))
    found = transfer_predictions("a.las", np.zeros((2, 3)), other, 1.0)
    assert found.labels.tolist() == [3, 3]
    find_message(found.messages, "cloud.trees_without_partner", count=1, file="b.las")


def test_clouds_apart_are_refused() -> None:
    other = cloud(np.full((2, 3), 100.0), np.array([1, 2]))
    with raises("cloud.no_partners", reference="a.las", file="b.las", distance=0.5):
        transfer_predictions("a.las", np.zeros((2, 3)), other, 0.5)


def test_clouds_without_points_have_no_partners() -> None:
    empty = cloud(np.empty((0, 3)), np.empty(0, dtype=int))
    assert transfer_predictions("a.las", np.zeros((2, 3)), empty, 0.5).labels.tolist() == [0, 0]
    other = cloud(np.zeros((1, 3)), np.array([1]))
    assert transfer_predictions("a.las", np.empty((0, 3)), other, 0.5).labels.tolist() == []


def test_points_of_overlapping_tiles_with_two_trees_are_told() -> None:
    xyz = np.array([[0.0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 0, 0], [2, 0, 0]])
    found = transfer_predictions("a.las", xyz, cloud(xyz, np.array([3, 4, 5, 5, 6])), 0.5)
    find_message(found.messages, "cloud.contradictory_points", file="b.las", count=2)
    same = transfer_predictions("a.las", xyz, cloud(xyz, np.array([3, 3, 5, 5, 6])), 0.5)
    assert [message.key for message in same.messages] == ["cloud.partners"]
