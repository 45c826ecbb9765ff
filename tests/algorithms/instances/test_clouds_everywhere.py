"""Clouds with predictions of their own file, points left out and classes: one result everywhere.

The toolbox, Python and the command evaluate the same files. The right counts of each case are
worked out by hand from four columns of 40 points, of which the first is found, the second is cut in
half, the third is missed and the fourth is predicted only.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
import shapely
from support.clouds import labelled_cloud, write_cloud
from support.elsewhere import assert_same, run_elsewhere

from randcrowns.jobs.parameters import describe_jobs

XYZ, TARGET, PREDICTION = labelled_cloud()
#: Corner that :func:`write_cloud` adds to the coordinates.
CORNER = np.array([500_000.0, 3_000_000.0, 0.0])
#: Class of each point: trees 5, ground 2; the predicted class of the ground's second half is 5.
TRUE_CLASS = np.where(np.arange(200) < 160, 5, 2).astype("u1")
PREDICTED_CLASS = np.where(np.arange(200) < 180, 5, 2).astype("u1")


class Case(NamedTuple):
    """Files and parameters, and the right answer."""

    files: dict[str, Path]  #: file by the name of the argument.
    parameters: dict[str, Any]
    counts: list[int]  #: targets, predictions and true positives.
    class_iou: list[float]  #: IoU of the rows of table Classes.


def _write(path: Path, rows: Any = slice(None), xyz: Any = XYZ, **attributes: Any) -> Path:
    """Write some points with attributes to a LAS file."""
    return write_cloud(
        path, xyz[rows], {name: np.asarray(values)[rows] for name, values in attributes.items()}
    )


def _write_table(path: Path, rows: Any, **attributes: Any) -> Path:
    """Write some points as a text file, which has no CRS."""
    xyz = np.round(XYZ, 3) + CORNER
    columns = {**dict(zip("xyz", xyz.T)), **attributes}
    pd.DataFrame(columns).iloc[rows].to_csv(path, index=False)
    return path


#: Parameters with the names of the trees' attributes.
TREES = {"target_attribute": "tree", "prediction_attribute": "found"}
CLASSES = {"target_class_attribute": "kind", "prediction_class_attribute": "kind"}
#: IoU of classes 2 and 5 and their mean: 20 of 40 points, and 160 of 180.
CLASS_IOU = [1 / 2, 8 / 9, (1 / 2 + 8 / 9) / 2]


def _another_order(folder: Path) -> Case:
    rows = np.random.default_rng(3).permutation(200)
    files = {
        "input": _write(folder / "a.las", tree=TARGET, kind=TRUE_CLASS),
        "prediction_input": _write(folder / "b.laz", rows, found=PREDICTION, kind=PREDICTED_CLASS),
    }
    return Case(files, {**TREES, **CLASSES}, [3, 4, 1], CLASS_IOU)


def _thinned(folder: Path) -> Case:
    # The first ten points of the tree that is found have no partner: its IoU is 3/4.
    files = {
        "input": _write(folder / "a.las", tree=TARGET),
        "prediction_input": _write(folder / "b.las", slice(10, 200), found=PREDICTION),
    }
    return Case(files, {**TREES, "max_partner_distance": 0.0011}, [3, 4, 1], [])


def _voxelled(folder: Path) -> Case:
    # The voxels of 1 m of each predicted tree, at their mean; no voxel has points of two trees.
    keys = np.column_stack([np.floor(XYZ), PREDICTION])
    _, voxel = np.unique(keys, axis=0, return_inverse=True)
    voxel = voxel.ravel()
    means = np.stack([np.bincount(voxel, XYZ[:, axis]) for axis in range(3)], axis=1)
    means /= np.bincount(voxel)[:, None]
    first = np.unique(voxel, return_index=True)[1]
    files = {
        "input": _write(folder / "a.las", tree=TARGET),
        "prediction_input": _write(folder / "b.las", xyz=means, found=PREDICTION[first]),
    }
    return Case(files, {**TREES, "max_partner_distance": 2.0, "num_partitions": 3}, [], [])


def _table_without_crs(folder: Path) -> Case:
    files = {
        "input": _write(folder / "a.las", tree=TARGET),
        "prediction_input": _write_table(folder / "b.csv", slice(None, None, -1), tree=PREDICTION),
    }
    parameters = {"target_attribute": "tree", "prediction_attribute": "tree"}
    return Case(files, parameters, [3, 4, 1], [])


def _tables_with_a_named_crs(folder: Path) -> Case:
    files = {
        "input": _write_table(folder / "a.txt", slice(None), tree=TARGET),
        "prediction_input": _write_table(folder / "b.csv", slice(5, None), found=PREDICTION),
    }
    return Case(files, {**TREES, "crs": "EPSG:32617"}, [3, 4, 1], [])


def _folder_and_arrays(folder: Path) -> Case:
    # A file per tree, and the predictions as arrays.
    trees = folder / "trees"
    trees.mkdir()
    for name, tree in (("ground", -1), ("tree_0", 0), ("tree_1", 1), ("tree_2", 2)):
        _write(trees / f"{name}.las", tree == TARGET, kind=TRUE_CLASS)
    np.savez(
        folder / "b.npz",
        xyz=np.round(XYZ, 3) + CORNER,
        found=PREDICTION.astype("f8"),
        kind=PREDICTED_CLASS,
    )
    files = {"input": trees, "prediction_input": folder / "b.npz"}
    names = {"target_attribute": "tree_of_file", "prediction_attribute": "found"}
    return Case(files, {**names, **CLASSES}, [3, 4, 1], CLASS_IOU)


def _points_left_out(folder: Path) -> Case:
    # By class, by flag and by value: the first tree, half of the cut one, the missed one.
    classes = np.where(np.arange(200) < 40, 18, 5).astype("u1")
    withheld = (np.arange(200) // 20 == 3).astype("u1")
    height = np.where(TARGET == 2, 0.5, 1.5)
    path = _write(
        folder / "a.las",
        tree=TARGET,
        found=PREDICTION,
        classification=classes,
        withheld=withheld,
        weight=height,
    )
    parameters = {**TREES, "excluded_points": "classification=7+18 withheld=1 weight=0.5"}
    return Case({"input": path}, parameters, [1, 2, 1], [])


def _left_out_in_both_files(folder: Path) -> Case:
    # The predictions of the cut tree's second half are noise in their own file; no point is near.
    noise = (np.arange(200) // 20 == 3).astype("u1")
    files = {
        "input": _write(folder / "a.las", tree=TARGET, edge=(TARGET == 2).astype("u1")),
        "prediction_input": _write(folder / "b.las", found=PREDICTION, noise=noise, edge=noise),
    }
    parameters = {**TREES, "excluded_points": "edge=1", "max_partner_distance": 0.0011}
    return Case(files, parameters, [2, 3, 1], [])


def _classes_alone(folder: Path) -> Case:
    # Of the ground, the first 20 points have no predicted class: 20 of 40 are right. Ten points of
    # trees have no true class, and count nowhere.
    true_class = np.where(np.arange(200) < 10, np.nan, TRUE_CLASS)
    predicted_class = np.where(PREDICTED_CLASS == 2, 2.0, np.where(TRUE_CLASS == 5, 5, np.nan))
    path = _write(folder / "a.las", true=true_class, guess=predicted_class)
    parameters = {"target_class_attribute": "true", "prediction_class_attribute": "guess"}
    return Case({"input": path}, parameters, [0, 0, 0], [1 / 2, 1, 3 / 4])


def _named_classes(folder: Path) -> Case:
    path = _write(
        folder / "a.las", tree=TARGET, found=PREDICTION, kind=TRUE_CLASS, guess=PREDICTED_CLASS
    )
    parameters = {
        **TREES,
        "target_class_attribute": "kind",
        "prediction_class_attribute": "guess",
        "class_names": "wood=5",
        "class_aggregates": "all=2+5",
        "labelled_attribute": "kind",
        "min_precision_fp": 0.5,
    }
    return Case({"input": path}, parameters, [3, 4, 1], [8 / 9, 1.0, 8 / 9, 1.0])


def _values_for_no_tree_that_nobody_lists(folder: Path) -> Case:
    # As TreeLearn (0 beside -1) and others (9999 beside -100) write; no value is a parameter.
    is_even = np.arange(200) % 2 == 0
    path = _write(
        folder / "a.las",
        tree=np.where(TARGET < 0, np.where(is_even, 0, -1), TARGET + 1).astype("i4"),
        found=np.where(PREDICTION < 0, np.where(is_even, 9999, -100), PREDICTION + 1).astype("i4"),
    )
    return Case({"input": path}, TREES, [3, 4, 1], [])


CASES = {
    case.__name__.strip("_"): case
    for case in (
        _another_order,
        _thinned,
        _voxelled,
        _table_without_crs,
        _tables_with_a_named_crs,
        _folder_and_arrays,
        _points_left_out,
        _left_out_in_both_files,
        _classes_alone,
        _named_classes,
        _values_for_no_tree_that_nobody_lists,
    )
}


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    """The cases by name, with files of their own."""
    return {name: case(tmp_path_factory.mktemp(name)) for name, case in CASES.items()}


@pytest.fixture(scope="module")
def elsewhere(cases: dict[str, Case]) -> dict[str, Any]:
    """The tables of all cases by Python and by the command, from a process without QGIS."""
    requests = {}
    for name, case in cases.items():
        files = {argument: str(path) for argument, path in case.files.items()}
        options = {**case.parameters, **files}
        arguments = ["evaluate-cloud", options.pop("input")]
        for option, value in options.items():
            arguments += [f"--{option.replace('_', '-')}", str(value)]
        requests[name] = {
            "job": "evaluate-cloud",
            "inputs": files,
            "parameters": case.parameters,
            "arguments": arguments,
        }
    return run_elsewhere(requests)


@pytest.mark.parametrize("name", CASES)
def test_a_cloud_has_the_same_numbers_everywhere(run, cases, elsewhere, name: str) -> None:
    case, found = cases[name], elsewhere[name]
    parameters = describe_jobs()["evaluate-cloud"].parameters
    values = {parameters[given].id: value for given, value in case.parameters.items()}
    values |= {argument.upper(): str(path) for argument, path in case.files.items()}
    if "crs" not in case.parameters:
        values["CRS"] = "EPSG:32617"
    outputs = ("SUMMARY", "METRICS", "CLASSES", "MATCHED_TARGETS", "MATCHED_PREDICTIONS")
    done = run("evaluatepointcloud", values, outputs=outputs)
    assert done.ok, done.refused or done.error
    summary = done.table("SUMMARY")
    if case.counts:
        assert summary[["targets", "predictions", "tp"]].iloc[0].tolist() == case.counts
    assert done.table("CLASSES")["iou"].tolist() == pytest.approx(case.class_iou)

    assert found["command"] == found["python"]
    assert_same(summary, found["python"], 5)
    tables = found["tables"]
    assert_same(done.table("METRICS"), tables["metrics"], 5)
    for output, name in (("MATCHED_TARGETS", "targets"), ("MATCHED_PREDICTIONS", "predictions")):
        trees = done.table(output)
        assert len(trees) == len(tables[name])
        if len(trees):  # JSON has no columns without rows.
            assert_same(trees, tables[name], 9)
        # The outlines are the same to the last digit.
        expected = [
            shapely.from_wkb(bytes(feature.geometry().asWkb()))
            for feature in done.layer(output).getFeatures()
        ]
        outlines = shapely.from_wkb([row["outline"] for row in tables[f"{name}_outlines"]])
        assert len(expected) == len(outlines)
        for own, other in zip(expected, outlines):
            assert shapely.get_parts(own).tolist() == shapely.get_parts(other).tolist()
    if case.class_iou:
        assert_same(done.table("CLASSES"), tables["classes"], 5)
    else:
        assert "classes" not in tables
