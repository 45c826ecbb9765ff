"""Point clouds of every kind, read without QGIS as in QGIS.

The right answer is counted by hand: of three trees of 40 points, one is found whole, one is cut in
half and one is missed, so that one of three targets is found by one of four predictions.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import laspy
import numpy as np
import pandas as pd
import pytest
import shapely
from support.clouds import (
    WKT,
    declare_no_data,
    labelled_cloud,
    rename_in_record,
    write_chunks_of_size_zero,
    write_cloud,
)
from support.errors import find_message, raises

import randcrowns as rc

XYZ, TARGET, PREDICTION = labelled_cloud()
#: Height of the targets, metres: highest point above the lowest.
HEIGHTS = [np.ptp(XYZ[tree == TARGET, 2]) for tree in range(3)]


def evaluate(path: Path, target: str = "tree", prediction: str = "found", **more: Any) -> Any:
    """Return the result of a cloud, after comparing it with the right answer."""
    names = {"target_attribute": target, "prediction_attribute": prediction}
    result = rc.evaluate_cloud(path, **names, **more)
    counts = result.summary[["targets", "predictions", "tp"]].iloc[0].tolist()
    assert counts == [3, 4, 1]
    return result


def write_pair(folder: Path, rows: Any = slice(None), shift: float = 0.0) -> dict[str, Path]:
    """Write the targets, and some of the predictions to a file of their own."""
    return {
        "path": write_cloud(folder / "a.las", XYZ, {"tree": TARGET}),
        "prediction_input": write_cloud(
            folder / "b.las", XYZ[rows] + shift, {"found": PREDICTION[rows]}
        ),
    }


def write(path: Path, xyz: Any = XYZ, **attributes: Any) -> Path:
    """Write a LAS or LAZ file with the trees as attributes."""
    wkt = attributes.pop("wkt", WKT)
    return write_cloud(path, xyz, {"tree": TARGET, "found": PREDICTION, **attributes}, wkt=wkt)


@pytest.mark.parametrize("ending", ["las", "laz"])
def test_declared_no_data_is_no_tree(tmp_path: Path, ending: str) -> None:
    labels = {
        name: np.where(own < 0, 9999, own).astype("i4")
        for name, own in {"tree": TARGET, "found": PREDICTION}.items()
    }
    path = write(tmp_path / f"a.{ending}", **labels)
    for name in labels:
        declare_no_data(path, name, "<q", 9999)
    messages = [own for own in evaluate(path).messages if own.key == "cloud.no_data"]
    n_missing = [int((own < 0).sum()) for own in (TARGET, PREDICTION)]
    find_message(messages[:1], "cloud.no_data", name="tree", count=n_missing[0])
    find_message(messages[1:], "cloud.no_data", name="found", count=n_missing[1])


def test_attributes_with_one_name_are_told_apart(tmp_path: Path) -> None:
    path = write_cloud(tmp_path / "a.las", XYZ, {"tree": TARGET, "other": PREDICTION})
    rename_in_record(path, "other", "tree")
    find_message(evaluate(path, prediction="tree_2").messages, "cloud.same_name", other="tree_2")


def test_chunks_of_size_zero_are_read(tmp_path: Path) -> None:
    pytest.importorskip("lazrs")
    attributes = {"tree": TARGET, "found": PREDICTION}
    evaluate(write_chunks_of_size_zero(tmp_path, XYZ, attributes))


def test_scaled_ids_that_are_off_by_rounding_are_read(tmp_path: Path) -> None:
    header = laspy.LasHeader(version="1.4", point_format=6)
    scaled = {"scales": np.array([0.1]), "offsets": np.array([0.7])}
    header.add_extra_dims(
        [laspy.ExtraBytesParams(name, "int32", **scaled) for name in ("tree", "found")]
    )
    cloud = laspy.LasData(header)
    cloud.xyz = XYZ
    for name, own in (("tree", TARGET), ("found", PREDICTION)):
        cloud.points.array[name] = own * 10 - 7
    cloud.write(str(tmp_path / "a.las"))
    evaluate(tmp_path / "a.las")


def test_feet_are_converted_to_metres(tmp_path: Path) -> None:
    pytest.importorskip("pyproj")
    foot = 0.3048
    wkt = WKT.replace('UNIT["metre",1]', f'UNIT["foot",{foot}]')
    result = evaluate(write(tmp_path / "a.las", XYZ / foot, wkt=wkt))
    assert result.tables["targets"]["height"].tolist() == pytest.approx(HEIGHTS, abs=1e-3)
    find_message(result.messages, "cloud.height_units_taken", file="a.las")


def test_withheld_points_are_noted_and_can_be_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "a.las", withheld=(np.arange(200) % 5 == 0).astype("u1"))
    find_message(evaluate(path).messages, "cloud.withheld", count=40, share=0.2)
    messages = evaluate(path, excluded_points="withheld=1").messages
    keys = [message.key for message in messages]
    assert "cloud.left_out" in keys
    assert "cloud.withheld" not in keys


def test_tables_of_every_kind_are_read(tmp_path: Path) -> None:
    columns = {**dict(zip("xyz", XYZ.T)), "tree": TARGET, "found": PREDICTION}
    table = pd.DataFrame(columns)
    table.to_csv(tmp_path / "spaces.txt", sep=" ", index=False)
    table.to_csv(tmp_path / "decimal.csv", sep=";", decimal=",", index=False)
    rows = (tmp_path / "spaces.txt").read_text().splitlines()[1:]
    cloud_compare = "\n".join(["//X Y Z tree found", str(len(rows)), *rows])
    (tmp_path / "compare.txt").write_text(cloud_compare)
    np.save(tmp_path / "fields.npy", table.to_records(index=False))
    np.savez(tmp_path / "arrays.npz", points=XYZ, tree=TARGET, found=PREDICTION)
    for name in ("spaces.txt", "decimal.csv", "compare.txt", "fields.npy", "arrays.npz"):
        heights = evaluate(tmp_path / name).tables["targets"]["height"]
        assert heights.tolist() == pytest.approx(HEIGHTS, abs=1e-3)
    np.save(tmp_path / "rows.npy", np.column_stack([XYZ, TARGET, PREDICTION]))
    evaluate(tmp_path / "rows.npy", "column_4", "column_5")


def test_a_file_of_cloudcompare_is_read(tmp_path: Path) -> None:
    plyfile = pytest.importorskip("plyfile")
    table = pd.DataFrame(
        {**dict(zip("xyz", XYZ.T)), "scalar_tree": TARGET, "scalar_found": PREDICTION}
    )
    vertices = plyfile.PlyElement.describe(table.to_records(index=False), "vertex")
    plyfile.PlyData([vertices]).write(str(tmp_path / "a.ply"))
    evaluate(tmp_path / "a.ply")


def test_a_folder_with_one_file_per_tree_is_read(tmp_path: Path) -> None:
    for tree in range(3):
        is_tree = tree == TARGET
        write_cloud(tmp_path / f"tree_{tree}.las", XYZ[is_tree], {"found": PREDICTION[is_tree]})
    is_ground = TARGET < 0
    write_cloud(tmp_path / "ground.las", XYZ[is_ground], {"found": PREDICTION[is_ground]})
    write_cloud(tmp_path / "noise.las", XYZ[:0], {"found": PREDICTION[:0]})
    result = evaluate(tmp_path, "tree_of_file")
    find_message(result.messages, "cloud.folder", files=3)


def test_a_file_that_ends_early_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.las")
    path.write_bytes(path.read_bytes()[:-500])
    with raises("cloud.ends_early", file="a.las", expected=200):
        evaluate(path)


def test_names_of_attributes_may_differ_in_case(tmp_path: Path) -> None:
    evaluate(write(tmp_path / "a.las"), "Tree", "FOUND")
    with raises("cloud.no_attribute", file="a.las", name="stem"):
        evaluate(tmp_path / "a.las", "stem")


@pytest.mark.parametrize("name", ["plot.pcd", "plot.e57", "plot"])
def test_files_of_other_formats_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("# .PCD v.7 - Point Cloud Data file format")
    with raises("cloud.not_a_cloud", source=str(tmp_path / name)):
        evaluate(tmp_path / name)


def test_points_without_a_partner_are_told_with_their_share(tmp_path: Path) -> None:
    files = write_pair(tmp_path, np.arange(10, 200))
    messages = evaluate(**files, max_partner_distance=0.0011).messages
    find_message(messages, "cloud.partners", reference="a.las", file="b.las", count=10, share=0.05)


def test_predictions_elsewhere_are_refused(tmp_path: Path) -> None:
    with raises("cloud.no_partners", reference="a.las", file="b.las", distance=0.5):
        evaluate(**write_pair(tmp_path, shift=500.0))


def test_targets_without_a_system_have_that_of_the_predictions(tmp_path: Path) -> None:
    # Both in US survey feet, of which only the file of the predictions says so: a point is 0.3 m
    # from its partner. If feet were taken for metres, it would be a foot away and more than 0.5.
    pytest.importorskip("pyproj")
    foot = 1200 / 3937
    wkt = WKT.replace('UNIT["metre",1]', f'UNIT["US survey foot",{foot!r}]')
    shifted = XYZ + np.array([0.3, 0, 0])
    files = {
        "path": write_cloud(tmp_path / "a.las", XYZ / foot, {"tree": TARGET}, wkt=""),
        "prediction_input": write_cloud(
            tmp_path / "b.las", shifted / foot, {"found": PREDICTION}, wkt=wkt
        ),
    }
    names = {"target_attribute": "tree", "prediction_attribute": "found"}
    result = rc.evaluate_cloud(files["path"], **names, prediction_input=files["prediction_input"])
    find_message(result.messages, "cloud.partners", count=0)
    assert result.tables["targets"]["height"].tolist() == pytest.approx(HEIGHTS, abs=1e-3)


def test_attributes_that_cannot_be_compared_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.las")
    for names, key in (
        ({}, "cloud.attributes_not_chosen"),
        ({"target_attribute": "tree"}, "cloud.one_tree_attribute"),
        ({"target_class_attribute": "tree"}, "cloud.one_class_attribute"),
        ({"target_attribute": "tree", "prediction_attribute": "tree"}, "cloud.same_attribute"),
    ):
        with raises(key):
            rc.evaluate_cloud(path, **names)
    with raises("cloud.class_without_number", part="wood=5+6"):
        evaluate(path, class_names="wood=5+6")


def test_points_without_a_true_class_are_left_out_and_told(tmp_path: Path) -> None:
    true_class = np.where(np.arange(200) < 60, np.nan, 5.0)
    guess = np.where(np.arange(200) < 130, 5.0, np.nan)
    path = write(tmp_path / "a.las", true=true_class, guess=guess)
    classes = {"target_class_attribute": "true", "prediction_class_attribute": "guess"}
    result = evaluate(path, **classes)
    find_message(result.messages, "cloud.without_class", file="a.las", name="true", count=60)
    # Of 140 points with a class, 70 have a predicted one, which is right.
    table = result.tables["classes"]
    assert table["class"].tolist() == ["5", "all classes"]
    assert table[["iou", "precision", "recall"]].to_numpy().tolist() == [[0.5, 1.0, 0.5]] * 2


def test_ids_of_predictions_are_checked_by_the_name_of_their_file(tmp_path: Path) -> None:
    files = write_pair(tmp_path)
    found = np.where(PREDICTION == 3, 9, PREDICTION)
    files["prediction_input"] = write_cloud(tmp_path / "b.las", XYZ, {"found": found})
    messages = evaluate(**files).messages
    find_message(messages, "cloud.gaps", file="b.las", name="found", missing=6)


def test_coordinates_without_a_system_are_told(tmp_path: Path) -> None:
    pytest.importorskip("pyproj")
    path = write(tmp_path / "a.las", wkt="")
    find_message(evaluate(path).messages, "jobs.cloud_without_crs", file="a.las")
    keys = [own.key for own in evaluate(path, crs="EPSG:32617").messages]
    assert "jobs.cloud_without_crs" not in keys


def test_a_system_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyproj")
    with raises("crs.unknown_text", crs="EPSG:99999999"):
        evaluate(write(tmp_path / "a.las"), crs="EPSG:99999999")


def test_outlines_are_drawn_in_the_system_of_the_file(tmp_path: Path) -> None:
    # A square of 10 US survey feet (1200/3937 m), and a line of 3 points, which becomes as wide as
    # a cell.
    x = 600_000 + np.array([0.0, 10.0, 10.0, 0.0, 40.0, 50.0, 60.0])
    y = 300_000 + np.array([0.0, 0.0, 10.0, 10.0, 0.0, 0.0, 0.0])
    tree = [1, 1, 1, 1, 2, 2, 2]
    cloud = pd.DataFrame({"x": x, "y": y, "z": 0.0, "tree": tree, "found": tree})
    cloud.to_csv(tmp_path / "a.csv", index=False)
    names = {"target_attribute": "tree", "prediction_attribute": "found"}
    foot = 1200 / 3937
    result = rc.evaluate_cloud(tmp_path / "a.csv", **names, crs="EPSG:2236", cell_size=2 * foot)
    for trees in (result.targets, result.predictions):
        assert trees.crs == "EPSG:2236"
        square, line = trees.geometry
        corners = shapely.box(600_000, 300_000, 600_010, 300_010)
        assert square.equals_exact(corners, 1e-6, normalize=True)
        assert line.bounds == pytest.approx((600_039, 299_999, 600_061, 300_001), abs=1e-6)
        assert trees["area"][0] == pytest.approx((10 * foot) ** 2)
    assert result.parameters["cell_size"] == 2 * foot


def test_outlines_in_degrees_are_where_the_points_are(tmp_path: Path) -> None:
    # At the equator, on the central meridian of a zone: 0.0001 degrees are 11 m.
    x, y = np.array([[9.0, 9.0001, 9.0001, 9.0], [0.0, 0.0, 0.0001, 0.0001]])
    cloud = pd.DataFrame({"x": x, "y": y, "z": 0.0, "tree": 1, "found": 1})
    cloud.to_csv(tmp_path / "a.csv", index=False)
    names = {"target_attribute": "tree", "prediction_attribute": "found"}
    result = rc.evaluate_cloud(tmp_path / "a.csv", **names, crs="EPSG:4326", cell_size=3)
    (outline,) = result.targets.geometry
    assert outline.equals_exact(shapely.box(9, 0, 9.0001, 0.0001), 1e-9, normalize=True)
    # 111,320 m x 110,574 m per degree on the ellipsoid, and the scale 0.9996 of the zone.
    assert result.targets["area"][0] == pytest.approx(11.132 * 11.0574 * 0.9996**2, rel=1e-4)
