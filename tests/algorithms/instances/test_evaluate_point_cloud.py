from __future__ import annotations

import threading

import laspy
import numpy as np
import pytest
from qgis.core import QgsPointXY, QgsVectorLayer
from sample import simulate_cloud
from support.clouds import NAMES, OUTPUTS, WKT, labelled_cloud, write_cloud
from support.matching import METHOD_POSITIONS
from support.processing import Listener, run_algorithm
from support.provider import provider
from support.shown import shows

from randcrowns.core.instances.pointtree import evaluate_instance_segmentation


def labelled_file(folder, name):
    xyz, target, prediction = labelled_cloud()
    return write_cloud(folder / name, xyz, {"tree": target, "found": prediction})


@pytest.fixture
def cloud(tmp_path):
    return labelled_file(tmp_path, "cloud.laz")


@pytest.fixture(params=["cloud.las", "cloud.laz", "cloud.copc.laz"])
def any_cloud(request, tmp_path):
    return labelled_file(tmp_path, request.param)


@pytest.fixture(scope="module")
def usual(qgis_app, tmp_path_factory):
    """A run with all defaults."""
    provider()
    path = labelled_file(tmp_path_factory.mktemp("usual"), "cloud.laz")
    return run_algorithm("evaluatepointcloud", {"INPUT": str(path), **NAMES}, outputs=OUTPUTS)


def test_trees_are_found_cut_and_missed(evaluate, any_cloud):
    done = evaluate(any_cloud)
    assert done.ok, done.error
    assert done.results["WARNING"] == ""
    targets, predictions = done.table("MATCHED_TARGETS"), done.table("MATCHED_PREDICTIONS")
    assert targets["status"].tolist() == ["true_positive", "false_negative", "false_negative"]
    assert targets["segmentation_match_id"].tolist()[:2] == [0, 1]
    assert targets["iou"].tolist() == [1.0, 0.5, 0.0]
    assert targets["points"].tolist() == [40, 40, 40]
    assert predictions["status"].tolist() == ["true_positive"] + ["false_positive"] * 3
    assert predictions["match_id"].iloc[0] == 0
    assert done.results["RECALL"] == pytest.approx(1 / 3)
    assert done.results["PRECISION"] == pytest.approx(1 / 4)
    assert done.table("PERFORMANCE")["step"].tolist()[-1] == "Whole run but writing"
    memory = done.table("PERFORMANCE")["memory_gb"]
    assert (
        memory.max() < 1.5 * memory.iloc[-1]
    )  # what is in use at the end of a step is no sum of two


def test_crowns_lie_where_their_points_do(evaluate, any_cloud):
    done = evaluate(any_cloud)
    layer = done.layer("MATCHED_TARGETS")
    assert layer.crs().authid() == "EPSG:32617"
    for feature in layer.getFeatures():
        assert feature.geometry().isGeosValid()
        middle = feature.geometry().centroid().asPoint()
        assert middle.distance(QgsPointXY(500001.5 + 10 * feature["target_id"], 3000001.5)) < 1
        assert 4 < feature.geometry().area() <= 9
        assert feature["area"] == pytest.approx(feature.geometry().area(), rel=1e-6)


def test_metrics_are_those_of_the_document(evaluate, tmp_path):
    made = simulate_cloud(6_000, 12, seed=3)
    path = write_cloud(
        tmp_path / "sample.laz", made.xyz, {"tree": made.target, "found": made.prediction}
    )
    done = evaluate(path)
    xyz = laspy.read(str(path)).xyz
    expected = evaluate_instance_segmentation(xyz, made.target, made.prediction)
    metrics = done.table("METRICS").iloc[0]
    for name, value in expected[0].iloc[0].items():
        assert metrics[name] == pytest.approx(value, nan_ok=True), name
    partitions = done.table("PARTITIONS")
    for axis, means in (("xy", expected[2]), ("z", expected[4])):
        mine = partitions[partitions["axis"] == axis]
        np.testing.assert_allclose(mine["mean_iou"], means["MeanIoU"], atol=1e-9)
        np.testing.assert_allclose(mine["mean_recall"], means["MeanRecall"], atol=1e-9)


def test_a_mean_over_the_targets_agrees_with_the_table(usual):
    assert usual.results["MEAN_IOU"] == pytest.approx(usual.table("MATCHED_TARGETS")["iou"].mean())


@pytest.mark.parametrize("method", METHOD_POSITIONS)
def test_every_method_runs(evaluate, cloud, method):
    done = evaluate(cloud, DETECTION_METHOD=method, SEGMENTATION_METHOD=method)
    assert done.ok, done.error
    # The first tree is found whatever the method; targets and predictions are three and four.
    targets, counts = done.table("MATCHED_TARGETS"), done.table("SUMMARY").iloc[0]
    assert targets["status"][0] == "true_positive"
    assert targets[["iou", "precision", "recall"]].loc[0].tolist() == [1, 1, 1]
    assert (counts["tp"] + counts["fn"], counts["targets"], counts["predictions"]) == (3, 3, 4)


def test_unlabelled_ground_makes_uncertain(evaluate, cloud):
    done = evaluate(cloud, MIN_PRECISION_FP=0.5)
    assert done.table("MATCHED_PREDICTIONS")["status"].tolist()[3] == "uncertain"
    assert done.table("SUMMARY")["uncertain"].iloc[0] == 1


def test_low_predictions_are_uncertain(evaluate, cloud):
    done = evaluate(cloud, MIN_HEIGHT_FP=100.0)
    assert done.ok, done.error
    assert set(done.table("MATCHED_PREDICTIONS")["status"]) == {"true_positive", "uncertain"}


def test_no_partitions(evaluate, cloud):
    done = evaluate(cloud, NUM_PARTITIONS=0)
    assert done.ok, done.error
    assert len(done.table("PARTITIONS")) == 0


def test_partitions_can_reach_the_farthest_point(evaluate, cloud, usual):
    farther = evaluate(cloud, PARTITION_END=1).table("TREE_PARTITIONS")
    assert not farther.equals(usual.table("TREE_PARTITIONS"))


def test_outputs_that_are_not_wanted_are_not_made(evaluate, cloud):
    done = evaluate(cloud, PARTITIONS="", MATCHED_PREDICTIONS=None)
    assert done.ok
    assert "PARTITIONS" not in done.results


def test_written_to_a_geopackage(evaluate, cloud, tmp_path):
    place = str(tmp_path / "out.gpkg")
    assert evaluate(cloud, MATCHED_TARGETS=place).ok
    assert QgsVectorLayer(place, "x", "ogr").featureCount() == 3


# Odd clouds


def test_an_empty_cloud(evaluate, tmp_path):
    empty = np.empty(0, dtype=np.int32)
    for ending in ("las", "laz"):
        done = evaluate(
            write_cloud(
                tmp_path / f"empty.{ending}", np.empty((0, 3)), {"tree": empty, "found": empty}
            )
        )
        assert done.ok, done.error
        assert len(done.table("MATCHED_TARGETS")) == 0
        assert np.isnan(done.results["F1"])
        assert done.results["WARNING"] == f"empty.{ending} has no points."
        assert done.results["INPUT_PROBLEMS"] == done.results["WARNING"]


def test_one_tree_of_one_point(evaluate, tmp_path):
    path = write_cloud(
        tmp_path / "one.laz", [[1.0, 1.0, 2.0]], {"tree": np.array([0]), "found": np.array([0])}
    )
    done = evaluate(path)
    assert done.ok, done.error
    row = done.table("MATCHED_TARGETS").iloc[0]
    assert row["status"] == "true_positive"
    assert row["height"] == 0
    assert row["area"] > 0


def test_no_prediction_and_no_target(evaluate, tmp_path):
    xyz, target, _ = labelled_cloud()
    none = np.full(len(target), -1, dtype=np.int32)
    done = evaluate(write_cloud(tmp_path / "none.laz", xyz, {"tree": target, "found": none}))
    assert set(done.table("MATCHED_TARGETS")["status"]) == {"false_negative"}
    assert done.results["RECALL"] == 0
    assert (
        done.results["WARNING"]
        == "none.laz: attribute 'found' has no tree: no point has the id of a tree."
    )
    done = evaluate(write_cloud(tmp_path / "none.las", xyz, {"tree": none, "found": target}))
    assert set(done.table("MATCHED_PREDICTIONS")["status"]) == {"false_positive"}
    assert np.isnan(done.results["RECALL"])


def test_ids_with_gaps_are_told_and_do_no_harm(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    with_gaps = np.where(target >= 0, np.array([7, 9, 2007])[target], -1)
    done = evaluate(
        write_cloud(tmp_path / "gaps.laz", xyz, {"tree": with_gaps, "found": prediction})
    )
    assert done.ok, done.error
    assert done.table("MATCHED_TARGETS")["target_id"].tolist() == [7, 9, 2007]
    assert done.table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]
    assert shows(done.warnings, "cloud.gaps", missing=1998, examples="8, 10, 11")


def test_numbers_below_that_of_no_tree_are_refused(evaluate, cloud):
    done = evaluate(cloud, NO_TREE_ID=1)
    assert not done.ok
    assert shows(done.error, "cloud.id_below_no_tree", name="tree", first="-1", invalid=1)
    assert shows(done.error, "cloud.id_below_no_tree", first="-1", invalid=1)


def test_each_attribute_can_have_its_own_number_for_no_tree(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    path = write_cloud(tmp_path / "both.laz", xyz, {"tree": target + 1, "found": prediction})
    done = evaluate(path, NO_TREE_ID=0, PREDICTION_NO_TREE_ID=-1)
    assert done.ok, done.error
    assert done.warnings == ""
    assert done.table("MATCHED_TARGETS")["target_id"].tolist() == [1, 2, 3]
    assert done.table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]
    assert done.table("MATCHED_PREDICTIONS")["prediction_id"].tolist() == [0, 1, 2, 3]
    missed = done.table("TREE_PARTITIONS").query("target_id == 3")
    assert set(missed["prediction_id"]) == {-1}


@pytest.mark.parametrize("wrong", ["tree", "found"])
def test_a_side_in_which_every_point_has_a_tree_is_told(evaluate, tmp_path, wrong):
    xyz, target, prediction = labelled_cloud()
    columns = {"tree": target, "found": prediction}
    columns[wrong] = columns[wrong] + 1
    path = write_cloud(tmp_path / "one.laz", xyz, columns)
    done = evaluate(path, FURTHER_NO_TREE_IDS="-1")
    assert done.warnings.count("every point has a tree") == 1
    share = (columns[wrong] == 0).mean()
    assert f"in attribute '{wrong}'. Check that -1 is its id" in done.warnings
    assert f"Most points have 0 ({100 * share:.0f}\N{NO-BREAK SPACE}%)" in done.warnings


@pytest.mark.parametrize("wrong", ["tree", "found"])
@pytest.mark.parametrize("some_at_minus_one", [False, True])
def test_ground_taken_for_a_tree_makes_a_warning(evaluate, tmp_path, wrong, some_at_minus_one):
    """The number for no tree is 0 where -1 was set; with stray points at -1, too."""
    xyz, target, prediction = labelled_cloud()
    ground = np.tile(xyz[target < 0], (6, 1))
    columns = {"tree": target + 1, "found": prediction + 1}
    columns = {
        name: np.concatenate([values, np.zeros(len(ground), int)])
        for name, values in columns.items()
    }
    if some_at_minus_one:
        columns[wrong][:3] = -1
    right = next(name for name in columns if name != wrong)
    columns[right] = columns[right] - 1
    path = write_cloud(tmp_path / "ground.laz", np.vstack([xyz, ground]), columns)
    if not some_at_minus_one:
        warning = evaluate(path, FURTHER_NO_TREE_IDS="-1").results["WARNING"]
        assert shows(warning, "cloud.all_in_trees", file="ground.laz", name=wrong, common=0)
        assert f"'{right}'" not in warning
    done = evaluate(path)
    assert done.results["WARNING"] == ""
    share = (columns[wrong] == 0).mean()
    assert shows(done.warnings, "cloud.further_no_tree", name=wrong, number=0, share=share)
    assert len(done.table("MATCHED_TARGETS")) == 3
    assert len(done.table("MATCHED_PREDICTIONS")) == 4


def test_few_points_at_zero_where_every_point_has_a_tree_make_a_warning(evaluate, tmp_path):
    xyz, target, _ = labelled_cloud()
    few = np.r_[np.flatnonzero(target >= 0), np.flatnonzero(target < 0)[:12]]
    columns = {"tree": target[few] + 1, "found": np.where(target[few] < 0, 3, target[few]) + 1}
    done = evaluate(write_cloud(tmp_path / "few.laz", xyz[few], columns))
    warning = done.results["WARNING"]
    assert shows(warning, "cloud.all_in_trees", name="tree")
    assert f"{1200 / len(few):.0f}\N{NO-BREAK SPACE}% have 0." in warning
    assert (
        "'found'" not in warning
    )  # numbered from 1 on, with every point in a tree: told, but nothing is wrong
    assert shows(done.results["INPUT_PROBLEMS"], "cloud.all_in_trees", name="found")


def test_trees_that_share_no_point_make_a_warning(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    apart = np.where(target < 0, np.maximum(prediction, 0), -1)
    done = evaluate(write_cloud(tmp_path / "apart.laz", xyz, {"tree": target, "found": apart}))
    assert shows(done.results["WARNING"], "cloud.no_overlap", file="apart.laz")


def test_the_same_attribute_twice_is_refused(evaluate, cloud):
    assert (
        "are the same attribute, 'tree'; choose another"
        in evaluate(cloud, PREDICTION_ATTRIBUTE="tree").refused
    )


def test_numbers_too_large_name_file_and_attribute(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    stored = np.where(target >= 0, target.astype(np.uint64) + np.uint64(2**63 + 5), np.uint64(0))
    path = write_cloud(tmp_path / "large.laz", xyz, {"tree": stored, "found": prediction})
    n_threads = threading.active_count()
    done = evaluate(path, NO_TREE_ID=0, PREDICTION_NO_TREE_ID=-1)
    assert shows(
        done.error, "cloud.number_too_large", name="tree", file="large.laz", highest=2**63 + 7
    )
    # Nothing goes on measuring the memory of the run that failed.
    assert threading.active_count() <= n_threads


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.uint64])
@pytest.mark.parametrize("number", [-1, 0])
def test_minus_one_stored_without_a_sign_is_no_tree(evaluate, tmp_path, kind, number):
    xyz, target, prediction = labelled_cloud()
    stored = np.where(target >= 0, target + 1, -1).astype(kind)
    path = write_cloud(tmp_path / "cast.laz", xyz, {"tree": stored, "found": prediction})
    done = evaluate(path, NO_TREE_ID=number, PREDICTION_NO_TREE_ID=-1)
    assert done.ok, done.error
    assert done.table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]
    assert f"80 points have {np.iinfo(kind).max} in attribute 'tree', which is -1" in done.warnings


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.uint64])
def test_zero_is_no_tree_where_there_is_no_minus_one(evaluate, tmp_path, kind):
    xyz, target, prediction = labelled_cloud()
    path = write_cloud(
        tmp_path / "zero.laz", xyz, {"tree": (target + 1).astype(kind), "found": prediction}
    )
    done = evaluate(path)
    assert done.table("MATCHED_TARGETS")["target_id"].tolist() == [1, 2, 3]
    assert done.table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]
    assert done.warnings == (
        "zero.laz: 80 points have 0 in attribute 'tree', where numbers cannot be negative; "
        "they are taken to belong to no instance."
    )
    assert done.results["WARNING"] == ""


@pytest.mark.parametrize("number", [-1, 0])
@pytest.mark.parametrize("labelled", ["every point", "most points"])
def test_a_tree_taken_for_no_tree_makes_a_warning(evaluate, tmp_path, number, labelled):
    xyz, target, prediction = labelled_cloud()
    cut = target >= 0 if labelled == "every point" else np.full(len(target), True)
    stored = np.where(target < 0, np.iinfo(np.uint16).max, target).astype(np.uint16)[cut]
    path = write_cloud(tmp_path / "tree.laz", xyz[cut], {"tree": stored, "found": prediction[cut]})
    dropped = evaluate(path, NO_TREE_ID=number, PREDICTION_NO_TREE_ID=-1)
    kept = evaluate(path, NO_TREE_ID=-2, PREDICTION_NO_TREE_ID=-1)
    assert kept.table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]
    if labelled == "most points" and number == -1:
        assert dropped.results["WARNING"] == ""
        assert dropped.table("MATCHED_TARGETS")["target_id"].tolist() == [0, 1, 2]
        return
    assert dropped.table("MATCHED_TARGETS")["target_id"].tolist() == [1, 2]
    assert shows(
        dropped.results["WARNING"], "cloud.zero_no_tree", name="tree", points=40, least=40, most=40
    )
    assert shows(dropped.results["WARNING"], "cloud.zero_no_tree", name="tree", other="-2")


@pytest.mark.parametrize(("kind", "limit"), [(np.float32, 2**24), (np.float64, 2**53)])
def test_numbers_that_decimals_cannot_tell_apart_make_a_warning(evaluate, tmp_path, kind, limit):
    xyz, target, prediction = labelled_cloud()
    for first, told in ((limit - 3, False), (limit - 2, True), (limit + 2**30, True)):
        numbers = np.where(target < 0, -1, first + target.astype(np.int64)).astype(kind)
        done = evaluate(
            write_cloud(tmp_path / "far.laz", xyz, {"tree": numbers, "found": prediction})
        )
        assert done.ok, done.error
        warning = done.results["WARNING"]
        assert (
            f"attribute 'tree' cannot tell {max(limit, first)} from the next number" in warning
        ) is told
        assert (warning == "") is not told
        assert warning in done.results["INPUT_PROBLEMS"]
    numbers = np.where(target < 0, -1, 2.0**63).astype(kind)
    done = evaluate(write_cloud(tmp_path / "far.laz", xyz, {"tree": numbers, "found": prediction}))
    assert shows(done.error, "cloud.not_whole", value=9.22337e18)


def test_the_largest_number_is_a_tree_where_it_follows_the_others(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    stored = np.where(target >= 0, target + 253, 0).astype(np.uint8)
    path = write_cloud(tmp_path / "full.laz", xyz, {"tree": stored, "found": prediction})
    done = evaluate(path, NO_TREE_ID=0, PREDICTION_NO_TREE_ID=-1)
    assert done.table("MATCHED_TARGETS")["target_id"].tolist() == [253, 254, 255]


def test_an_attribute_that_is_not_there_names_the_others(evaluate, cloud):
    done = evaluate(cloud, TARGET_ATTRIBUTE="treeID")
    assert shows(done.refused, "cloud.no_attribute", name="treeID")
    assert "tree, found" in done.refused


def test_attributes_of_the_wrong_type(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    path = write_cloud(
        tmp_path / "types.laz",
        xyz,
        {
            "tree": target.astype(np.float32),
            "found": prediction,
            "share": np.full(len(target), 0.5),
            "normal": np.zeros((len(target), 3), np.float32),
        },
    )
    assert evaluate(path).table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]
    assert shows(evaluate(path, TARGET_ATTRIBUTE="share").error, "cloud.not_whole", value=0.5)
    assert shows(
        evaluate(path, TARGET_ATTRIBUTE="normal").refused, "cloud.no_attribute", name="normal"
    )


def test_no_number_is_no_tree(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    numbers = np.where(target < 0, np.nan, target)
    done = evaluate(write_cloud(tmp_path / "nan.laz", xyz, {"tree": numbers, "found": prediction}))
    assert done.table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]
    assert shows(done.warnings, "cloud.no_number", count=80, name="tree")


def test_standard_attributes_can_hold_trees(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    for number, format_ in enumerate((1, 6)):
        path = write_cloud(
            tmp_path / f"standard_{number}.laz",
            xyz,
            {"point_source_id": target + 1, "user_data": prediction + 1},
            wkt="" if format_ == 1 else WKT,
            point_format=format_,
        )
        system = {"CRS": "EPSG:32617"} if format_ == 1 else {}
        done = evaluate(
            path,
            TARGET_ATTRIBUTE="point_source_id",
            PREDICTION_ATTRIBUTE="user_data",
            NO_TREE_ID=0,
            **system,
        )
        assert done.table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]


def test_coordinates_that_are_not_numbers(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    path = write_cloud(tmp_path / "cloud.las", xyz, {"tree": target, "found": prediction})
    damaged = bytearray(path.read_bytes())
    damaged[131:139] = np.array([np.nan]).tobytes()
    path.write_bytes(bytes(damaged))
    done = evaluate(path)
    assert not done.ok
    assert shows(done.error, "cloud.not_finite")


@pytest.mark.parametrize("keep", [0, 100, 300, 500, 2000, -7])
def test_truncated_files(evaluate, any_cloud, keep):
    any_cloud.write_bytes(any_cloud.read_bytes()[:keep])
    done = evaluate(any_cloud)
    assert not done.ok
    assert any_cloud.name in done.refused + done.error
    assert "again" in done.refused + done.error


def test_what_is_no_point_cloud(evaluate, tmp_path):
    text = tmp_path / "notes.laz"
    text.write_text("no cloud " * 100)
    assert shows(evaluate(text).refused, "cloud.unreadable")
    assert "choose a LAS, LAZ or COPC file" in evaluate(tmp_path / "cloud.ply").refused
    assert shows(evaluate(tmp_path / "gone.laz").refused, "cloud.no_file")
    assert "choose a LAS, LAZ or COPC file" in evaluate("").refused


def test_missing_library_is_told(evaluate, any_cloud, monkeypatch):
    import sys

    monkeypatch.setattr("randcrowns.layers.libraries._usable", set())
    monkeypatch.setitem(sys.modules, "lazrs", None)
    assert "lazrs 0.5 or later (not installed)" in evaluate(any_cloud).refused


def test_cancelled_runs_write_nothing(run, tmp_path):
    made = simulate_cloud(30_000, 20)
    path = write_cloud(
        tmp_path / "large.laz", made.xyz, {"tree": made.target, "found": made.prediction}
    )
    for percent in (1, 30, 60, 83):
        done = run(
            "evaluatepointcloud",
            {"INPUT": str(path), **NAMES, "MATCHED_TARGETS": str(tmp_path / "out.gpkg")},
            Listener(cancel_at=percent),
            OUTPUTS,
        )
        assert done.results == {}
        assert not (tmp_path / "out.gpkg").exists()


def test_labelled_points_may_be_an_attribute(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    for share, expected in ((0, "uncertain"), (1, "false_positive")):
        mask = np.full(len(xyz), share, dtype=np.uint8)
        path = write_cloud(
            tmp_path / f"mask{share}.laz", xyz, {"tree": target, "found": prediction, "seen": mask}
        )
        done = evaluate(path, MIN_PRECISION_FP=0.5, LABELLED_ATTRIBUTE="seen")
        assert done.ok, done.error
        assert done.table("MATCHED_PREDICTIONS")["status"].tolist()[1:] == [expected] * 3


def test_classes_have_the_metrics_of_the_document(run, tmp_path):
    xyz, target, prediction = labelled_cloud()
    rng = np.random.default_rng(0)
    true, guess = (rng.integers(2, 6, len(xyz)).astype(np.uint8) for _ in range(2))
    columns = {"tree": target, "found": prediction, "is": true, "said": guess}
    path = write_cloud(tmp_path / "classes.laz", xyz, columns)
    given = {
        "INPUT": str(path),
        **NAMES,
        "TARGET_CLASS_ATTRIBUTE": "is",
        "PREDICTION_CLASS_ATTRIBUTE": "said",
    }
    given |= {"CLASS_NAMES": "ground=2, low=3 high=5", "CLASS_AGGREGATES": "green=3+5"}
    wanted = ("MATCHED_TARGETS", "CLASSES")
    done = run("evaluatepointcloud", given, outputs=wanted)
    assert done.ok, done.error
    table = done.table("CLASSES").set_index(["class", "kind"])

    def rates(numbers):
        one, other = np.isin(true, numbers), np.isin(guess, numbers)
        both = (one & other).sum()
        return [both / (one | other).sum(), both / other.sum(), both / one.sum()]

    expected = {
        ("ground", "class"): rates([2]),
        ("low", "class"): rates([3]),
        ("high", "class"): rates([5]),
    }
    expected["all classes", "mean"] = np.mean(list(expected.values()), axis=0)
    expected["green", "aggregate"] = rates([3, 5])
    expected["all classes", "mean with aggregates"] = np.mean([rates([2]), rates([3, 5])], axis=0)
    assert set(table.index) == set(expected)
    for place, values in expected.items():
        np.testing.assert_allclose(
            table.loc[place, ["iou", "precision", "recall"]].astype(float), values
        )
    every = run(
        "evaluatepointcloud", {**given, "CLASS_NAMES": "", "CLASS_AGGREGATES": ""}, outputs=wanted
    )
    assert every.table("CLASSES")["class"].tolist() == ["2", "3", "4", "5", "all classes"]
    plain = write_cloud(tmp_path / "plain.laz", xyz, {"is": true, "said": guess})
    alone = run(
        "evaluatepointcloud", {**given, "INPUT": str(plain), **dict.fromkeys(NAMES)}, outputs=wanted
    )
    assert alone.ok, alone.refused or alone.error
    assert alone.table("CLASSES").equals(done.table("CLASSES"))
    assert alone.layer("MATCHED_TARGETS").featureCount() == 0
    assert alone.results["WARNING"] == ""


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"TARGET_CLASS_ATTRIBUTE": "tree"}, "two attributes"),
        ({"CLASS_NAMES": "tree=five"}, "'tree=five' is not a class"),
        ({"CLASS_NAMES": "tree=5+6"}, "'tree=5+6' is not a class"),
        ({"LABELLED_ATTRIBUTE": "gone"}, "gone"),
    ],
)
def test_classes_that_cannot_be_read_are_refused(run, tmp_path, given, why):
    xyz, target, prediction = labelled_cloud()
    path = write_cloud(tmp_path / "cloud.laz", xyz, {"tree": target, "found": prediction})
    done = run(
        "evaluatepointcloud", {"INPUT": str(path), **NAMES, **given}, outputs=("MATCHED_TARGETS",)
    )
    assert why in (done.refused or done.error)
