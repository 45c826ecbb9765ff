"""Predictions in a file of their own; the right partner is found by comparing all points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from support.clouds import NAMES, OUTPUTS, labelled_cloud, write_cloud
from support.processing import run_algorithm
from support.provider import provider

from randcrowns.core.instances.labelled_points import nearest_points


@settings(max_examples=60, deadline=None)
@given(
    xyz=hnp.arrays(float, st.tuples(st.integers(0, 8), st.just(3)), elements=st.integers(-5, 5)),
    other=hnp.arrays(float, st.tuples(st.integers(0, 8), st.just(3)), elements=st.integers(-5, 5)),
    # Distances are roots of integers: no distance is within 1 nm of a limit but the equal ones.
    limit=st.integers(0, 24).map(lambda quarters: quarters / 4),
)
def test_the_partner_is_the_nearest_of_all_points(xyz, other, limit):
    partner = nearest_points(xyz, other, limit)
    for point, found in zip(xyz, partner):
        distances = [float(np.linalg.norm(point - candidate)) for candidate in other]
        if not distances or min(distances) > limit:
            assert found == len(other)
        else:
            assert distances[found] == pytest.approx(min(distances))


@pytest.fixture
def evaluate_pair(qgis_app, tmp_path):
    provider()

    def evaluate_pair(rows, shift=0.0, **parameters):
        """Evaluate with the predictions of some rows of the cloud in a file of their own."""
        xyz, target, prediction = labelled_cloud()
        write_cloud(tmp_path / "targets.las", xyz, {"tree": target})
        write_cloud(tmp_path / "found.laz", xyz[rows] + shift, {"found": prediction[rows]})
        given = {
            **{"INPUT": str(tmp_path / "targets.las"), **NAMES},
            **{"PREDICTION_INPUT": str(tmp_path / "found.laz"), **parameters},
        }
        return run_algorithm("evaluatepointcloud", given, outputs=OUTPUTS)

    return evaluate_pair


def test_another_order_gives_the_same_numbers(evaluate_pair):
    done = evaluate_pair(np.random.default_rng(1).permutation(200))
    assert done.ok, done.error
    assert done.table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]
    (message,) = [message for message in done.messages if message.key == "cloud.partners"]
    assert message.values["count"] == 0


def test_points_without_a_partner_have_no_prediction_and_their_share_is_told(evaluate_pair):
    # Without points 0 to 9 of tree 0, 30 of its 40 points are found.
    done = evaluate_pair(np.arange(10, 200), MAX_PARTNER_DISTANCE=0.0011)
    assert done.ok, done.error
    assert done.table("MATCHED_TARGETS")["iou"].tolist() == [0.75, 0.5, 0.0]
    (message,) = [message for message in done.messages if message.key == "cloud.partners"]
    assert (message.values["count"], message.values["share"]) == (10, 0.05)


def test_a_thinned_prediction_is_spread_to_the_nearest_points(evaluate_pair):
    done = evaluate_pair(np.arange(0, 200, 2), MAX_PARTNER_DISTANCE=10)
    assert done.ok, done.error
    assert done.table("MATCHED_TARGETS")["status"].tolist()[0] == "true_positive"
    assert done.table("MATCHED_TARGETS")["points"].tolist() == [40, 40, 40]


def test_points_to_leave_out_may_be_known_in_the_targets_only(qgis_app, tmp_path):
    provider()
    xyz, target, prediction = labelled_cloud()
    noise = (np.arange(200) < 10).astype("u1")
    write_cloud(tmp_path / "a.las", xyz, {"tree": target, "noise": noise})
    write_cloud(tmp_path / "b.las", xyz, {"found": prediction})
    given = {
        **{"INPUT": str(tmp_path / "a.las"), "PREDICTION_INPUT": str(tmp_path / "b.las")},
        **{**NAMES, "EXCLUDED_POINTS": "noise=1"},
    }
    done = run_algorithm("evaluatepointcloud", given, outputs=OUTPUTS)
    assert done.ok, done.error or done.refused
    assert done.table("MATCHED_TARGETS")["points"].tolist() == [30, 40, 40]
    assert done.table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]


def test_predictions_elsewhere_are_refused(evaluate_pair):
    done = evaluate_pair(np.arange(200), shift=500.0)
    assert not done.ok
    assert "found.laz" in done.error


def test_both_attributes_may_have_one_name_in_two_files(qgis_app, tmp_path):
    provider()
    xyz, target, prediction = labelled_cloud()
    write_cloud(tmp_path / "a.las", xyz, {"tree": target})
    write_cloud(tmp_path / "b.las", xyz, {"tree": prediction})
    given = {
        "INPUT": str(tmp_path / "a.las"),
        "PREDICTION_INPUT": str(tmp_path / "b.las"),
        "TARGET_ATTRIBUTE": "tree",
        "PREDICTION_ATTRIBUTE": "tree",
    }
    done = run_algorithm("evaluatepointcloud", given, outputs=OUTPUTS)
    assert done.ok, done.error or done.refused
    assert done.table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]


def test_two_values_and_excluded_points_in_the_toolbox(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    tree = np.where(target < 0, np.where(np.arange(200) % 2, 9999, -100), target + 1)
    found = np.where(prediction < 0, 0, prediction + 1)
    attributes = {"tree": tree, "found": found, "classification": np.full(200, 5, "u1")}
    path = write_cloud(tmp_path / "two.las", xyz, attributes)
    for number, further in ((9999, "-100"), (-100, "9999")):
        done = evaluate(
            path,
            NO_TREE_ID=number,
            FURTHER_NO_TREE_IDS=further,
            PREDICTION_NO_TREE_ID=0,
            PREDICTION_FURTHER_NO_TREE_IDS="0",
            EXCLUDED_POINTS="classification=7+18",
        )
        assert done.ok, done.error
        assert done.table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]
    refused = evaluate(path, FURTHER_NO_TREE_IDS="oak").refused
    assert "'oak'" in refused
    assert "'class'" in evaluate(path, EXCLUDED_POINTS="class").refused
    assert "'nothing'" in evaluate(path, EXCLUDED_POINTS="nothing=1").refused


def test_classes_stored_as_floats_are_compared(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    true_class = np.where(target < 0, 2.0, 5.0)
    predicted_class = np.where(prediction < 0, np.nan, 5.0)
    attributes = {"tc": true_class, "pc": predicted_class}
    path = write_cloud(tmp_path / "classes.las", xyz, attributes)
    from support.processing import run_algorithm as run

    given = {
        "INPUT": str(path),
        "TARGET_CLASS_ATTRIBUTE": "tc",
        "PREDICTION_CLASS_ATTRIBUTE": "pc",
        "CLASS_NAMES": "tree=5",
    }
    done = run("evaluatepointcloud", given, outputs=(*OUTPUTS, "CLASSES"))
    assert done.ok, done.error or done.refused
    shared = ((true_class == 5) & (predicted_class == 5)).sum()
    union = ((true_class == 5) | (predicted_class == 5)).sum()
    assert done.table("CLASSES")["iou"][0] == pytest.approx(shared / union)


def test_zero_that_spreads_over_the_plot_means_no_tree_unless_values_are_listed(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    ground = np.flatnonzero(target < 0)[-40:]
    tree = np.where(target < 0, -1, target + 1)
    tree[ground[::2]] = 0  # as many as half a tree, over 40 m
    path = write_cloud(tmp_path / "wide.las", xyz, {"tree": tree, "found": prediction})
    done = evaluate(path)
    assert done.keys.count("cloud.further_no_tree") == 1
    assert done.table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]
    listed = evaluate(path, FURTHER_NO_TREE_IDS="0", PREDICTION_FURTHER_NO_TREE_IDS="-1")
    assert "cloud.further_no_tree" not in listed.keys
    assert listed.table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]
    kept = evaluate(path, FURTHER_NO_TREE_IDS="-1")
    assert kept.table("MATCHED_TARGETS")["target_id"].tolist() == [0, 1, 2, 3]
