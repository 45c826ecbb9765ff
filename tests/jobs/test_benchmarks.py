"""Published benchmarks: the tables that their authors print.

The boxes in data/neon_submissions are those of weecology/NeonTreeEvaluation_analysis on plot
SJER_052, the files in data/idtrees_task1 those of NIST-NEON-DSE/idtrees_competition_evaluation;
their licences lie beside them.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from scipy.optimize import linear_sum_assignment
from support.clouds import write_cloud
from support.data import real_data
from support.errors import find_message, raises
from support.geotiff import write_geotiff

import randcrowns as rc
from randcrowns.command.main import main
from randcrowns.command.parser import BENCHMARK_LAYOUTS
from randcrowns.jobs.benchmarks.benchmark import LAYOUTS
from randcrowns.jobs.images import read_image
from randcrowns.jobs.records import read_record

DATA = Path(__file__).parent / "data"
SUBMISSIONS = DATA / "neon_submissions"
TASK_1 = DATA / "idtrees_task1"
TASK_2 = DATA.parents[1] / "core" / "classes" / "data" / "idtrees_task2"
#: Corner of image MLBS_4.tif of the competition, as gdalinfo prints it.
MLBS_CORNER = (542164.0, 4136422.0)


@pytest.fixture
def competition(tmp_path: Path) -> dict[str, str]:
    """Folders of IDTReeS task 1 as the toolbox has them."""
    folders = {name: tmp_path / name for name in ("truth", "images", "team")}
    for folder in folders.values():
        folder.mkdir()
    osbs = real_data("osbs")
    shutil.copy(TASK_1 / "MLBS_ground.csv", folders["truth"])
    shutil.copy(osbs / "OSBS_ground.csv", folders["truth"])
    shutil.copy(TASK_1 / "MLBS_submission.csv", folders["team"])
    shutil.copy(osbs / "OSBS_submission.csv", folders["team"])
    shutil.copy(osbs / "OSBS_24.tif", folders["images"])
    write_geotiff(folders["images"] / "MLBS_4.tif", MLBS_CORNER, 0.1, (200, 200))
    return {name: str(folder) for name, folder in folders.items()}


def _authors_counts(targets: np.ndarray, predictions: np.ndarray) -> int:
    """Pairs of the R package: the assignment with the largest shared area, IoU above 0.4."""
    shared = shapely.area(shapely.intersection(targets[:, None], predictions[None]))
    row, column = linear_sum_assignment(-shared)
    pair = shared[row, column]
    union = shapely.area(targets)[row] + shapely.area(predictions)[column] - pair
    return int((pair / union > 0.4).sum())


def _read_annotated() -> np.ndarray:
    """Boxes of SJER_052 as the annotators drew them."""
    text = (real_data("neon") / "SJER_052.xml").read_text(encoding="utf-8")
    sides = [
        [int(part.partition("<")[0]) for part in text.split(f"<{name}>")[1:]]
        for name in ("xmin", "ymin", "xmax", "ymax")
    ]
    return shapely.box(*np.array(sides, dtype=float))


def _rows(result: rc.JobResult, level: str) -> pd.DataFrame:
    table = result.table[result.table["level"] == level]
    return table.set_index("entry")[["precision", "recall", "submission", "ground_truth"]]


def test_annotated_crowns_give_the_published_row(tmp_path: Path) -> None:
    """The package's README prints precision 1 and recall 0.778 for 7 boxes and 9 crowns.

    The boxes of the package are not public as text. Those of the same detector in the data
    repository are these 7 and one with a low score.
    """
    boxes = pd.read_csv(SUBMISSIONS / "Weinstein_unpublished.csv")
    boxes[boxes["score"] > 0.35].to_csv(tmp_path / "deepforest.csv", index=False)
    result = rc.benchmark(
        "neon-image", tmp_path / "deepforest.csv", truth=real_data("neon") / "SJER_052.xml"
    )
    assert _rows(result, "overall").to_numpy().tolist() == [[1.0, 0.778, 7, 9]]
    site = result.table[result.table["level"] == "site"].iloc[0]
    assert (site["name"], site["precision"], site["recall"]) == ("SJER", 1.0, 0.778)


def test_submissions_in_pixels_and_on_the_map_have_the_counts_of_the_authors_rules() -> None:
    neon = real_data("neon")
    paths = sorted(SUBMISSIONS.glob("*.csv"))
    result = rc.benchmark("neon-image", paths, truth=neon / "SJER_052.xml", images=neon)
    found = _rows(result, "plot")
    targets = _read_annotated()
    # Upper left corner of SJER_052.tif, as gdalinfo prints it, and its pixels of 0.1 m.
    corner = np.array([257957.637, 4110508.8])
    for path in paths:
        table = pd.read_csv(path)
        predictions = shapely.box(*table[["xmin", "ymin", "xmax", "ymax"]].to_numpy().T)
        if table["xmax"].max() > 1000:
            predictions = shapely.transform(
                predictions, lambda xy: (xy - corner) * np.array([10.0, -10.0])
            )
        matched = _authors_counts(targets, predictions)
        expected = [round(matched / len(table), 3), round(matched / 9, 3), len(table), 9]
        assert found.loc[path.stem].tolist() == expected, path.stem
    assert result.conclusion.startswith("No submission can be called better")
    assert result.summary[["precision_low", "recall_low"]].isna().all(axis=None)


def test_field_crowns_have_the_recall_of_the_authors_package() -> None:
    """The package prints precision 0.029 and recall 1 for plot OSBS_95: 34 boxes, 1 crown."""
    folder = real_data("field_osbs")
    crowns, boxes = folder / "field_crowns.gpkg", folder / "deepforest_boxes.gpkg"
    result = rc.benchmark("neon-field", {"DeepForest": boxes}, truth=crowns)
    table = result.table.set_index("name")
    published = ["precision", "recall", "submission", "ground_truth"]
    assert table.loc["OSBS_95", published].tolist() == [0.029, 1.0, 34, 1]

    truth, predicted = geopandas.read_file(crowns), geopandas.read_file(boxes)
    matched, recalls = 0, []
    for plot, rows in predicted.groupby("plotID"):
        own = truth.geometry[truth["plotID"] == plot].make_valid().to_numpy()
        n = _authors_counts(own, rows.geometry.to_numpy())
        matched += n
        recalls.append(round(n / len(own), 3))
    row = result.summary.iloc[0]
    assert (row["plots"], row["matched"]) == (len(recalls), matched)
    assert row["recall"] == pytest.approx(np.mean(recalls), abs=1e-12)
    assert row["crown_recall"] == pytest.approx(matched / row["targets"], abs=1e-12)
    assert row["recall_low"] < row["recall"] < row["recall_high"]
    find_message(result.messages, "benchmark.missing_plots", name="deepforest_boxes.gpkg")


def test_boxes_in_pixels_are_placed_on_field_crowns(tmp_path: Path) -> None:
    write_geotiff(tmp_path / "P_1_competition.tif", (100.0, 200.0), 0.1, (400, 400))
    frame = geopandas.GeoDataFrame(
        {"plotID": ["P_1"]}, geometry=[shapely.box(101, 195, 103, 199)], crs="EPSG:32617"
    )
    frame.to_file(tmp_path / "crowns.gpkg")
    # Columns 10 to 30 are 101 to 103 m, lines 10 to 50 are 199 to 195 m.
    boxes = "plot_name,xmin,ymin,xmax,ymax\nP_1_competition,10,10,30,50\nelsewhere,1,1,2,2\n"
    (tmp_path / "boxes.csv").write_text(boxes, encoding="utf-8")
    arguments = ("neon-field", tmp_path / "boxes.csv")
    result = rc.benchmark(*arguments, truth=tmp_path / "crowns.gpkg", images=tmp_path)
    assert result.summary.loc[0, ["precision", "recall", "matched"]].tolist() == [1, 1, 1]
    with raises("benchmark.no_image", plot="P_1_competition"):
        rc.benchmark(*arguments, truth=tmp_path / "crowns.gpkg")


def test_task_1_gives_all_published_rows(competition: dict[str, str]) -> None:
    truth, images = competition["truth"], competition["images"]
    result = rc.benchmark("idtrees-task1", competition["team"], truth=truth, images=images)
    expected = pd.read_csv(TASK_1 / "task1_evaluation.csv", index_col=0)
    found = result.table.drop(columns="entry")
    assert len(found) == 38
    pd.testing.assert_frame_equal(found, expected, rtol=0, atol=1e-12)


def test_targets_without_an_image_are_reported(competition: dict[str, str]) -> None:
    """Plot MLBS_4 has 17 of the 38 targets."""
    (Path(competition["images"]) / "MLBS_4.tif").unlink()
    submissions = dict.fromkeys(("a", "b"), competition["team"])
    result = rc.benchmark(
        "idtrees-task1", submissions, truth=competition["truth"], images=competition["images"]
    )
    key = "benchmark.targets_without_image"
    find_message(result.messages, key, count=17, total=38, sites=["MLBS"])
    assert result.summary["targets"].tolist() == [21, 21]


def test_task_2_gives_the_published_table() -> None:
    result = rc.benchmark(
        "idtrees-task2", TASK_2 / "task2_submission.csv", truth=TASK_2 / "task2_ground.csv"
    )
    expected = pd.read_csv(TASK_2 / "task2_evaluation.csv", index_col=0)
    found = result.table.drop(columns="entry").set_index("class")
    np.testing.assert_allclose(found.loc[expected.index], expected, rtol=0, atol=1e-12)
    # 21 of 26 crowns have the right species.
    assert result.summary.loc[0, "accuracy"] == pytest.approx(21 / 26)


def _write_forest(path: Path, found: list[int]) -> None:
    """Write a cloud of three trees of ten points, of which ``found`` are the predicted ids."""
    xyz = np.column_stack([np.repeat([0.0, 20.0, 40.0], 10), np.arange(30), np.arange(30) % 10])
    attributes = {
        "treeID": np.repeat([1, 2, 3], 10).astype(np.int32),
        "found": np.repeat(found, 10).astype(np.int32),
    }
    path.parent.mkdir(exist_ok=True)
    write_cloud(path, xyz, attributes)


def test_clouds_are_evaluated_by_site(tmp_path: Path) -> None:
    _write_forest(tmp_path / "CULS" / "plot_1.las", [7, 8, 0])
    _write_forest(tmp_path / "NIBIO" / "plot_1.las", [7, 8, 9])
    result = rc.benchmark("for-instance", tmp_path, prediction_attribute="found")
    table = result.table.set_index("site")
    assert table.loc["CULS", ["trees", "completeness", "omission", "commission"]].tolist() == [
        *(3, pytest.approx(2 / 3), pytest.approx(1 / 3)),
        0,
    ]
    # 5 of 6 trees are found, without a wrong one: F1 = 10 / 11.
    assert table.loc["all", "f1"] == pytest.approx(10 / 11)
    assert result.summary.loc[0, ["clouds", "targets", "predictions"]].tolist() == [2, 6, 5]


def test_only_the_test_split_of_for_instance_is_evaluated(tmp_path: Path) -> None:
    _write_forest(tmp_path / "CULS" / "plot_1.las", [7, 8, 0])
    _write_forest(tmp_path / "CULS" / "plot_2.las", [7, 8, 9])
    table = tmp_path / "data_split_metadata.csv"
    table.write_text("path,folder,split\nCULS/plot_1.las,CULS,dev\nCULS/plot_2.las,CULS,test\n")
    result = rc.benchmark("for-instance", tmp_path, prediction_attribute="found")
    # All three trees of plot 2 are found.
    assert result.summary.loc[0, ["clouds", "recall"]].tolist() == [1, 1.0]
    find_message(result.messages, "benchmark.test_plots", count=1)
    table.write_text("path,split\nCULS/plot_1.las,dev\n")
    with raises("benchmark.no_test_plots"):
        rc.benchmark("for-instance", tmp_path, prediction_attribute="found")


def test_pointtree_prints_its_metrics(tmp_path: Path) -> None:
    _write_forest(tmp_path / "forest" / "a.las", [7, 8, -1])
    attributes = {"target_attribute": "treeID", "prediction_attribute": "found"}
    result = rc.benchmark("pointtree", tmp_path / "forest" / "*.las", **attributes)
    row = result.table.iloc[0]
    assert row["DetectionRecall"] == pytest.approx(2 / 3)
    assert row["DetectionPrecision"] == 1.0
    with raises("benchmark.no_attributes"):
        rc.benchmark("pointtree", tmp_path / "forest", target_attribute="treeID")


def _write_plots(folder: Path, name: str, n_found: int) -> Path:
    """Write boxes of twelve plots with five crowns each, of which some are found."""
    rows = [
        f"plot_{plot},{20 * crown},0,{20 * crown + 10 - plot % 3},10"
        for plot in range(12)
        for crown in range(5)
        if crown < n_found
    ]
    path = folder / f"{name}.csv"
    path.write_text("\n".join(["plot_name,xmin,ymin,xmax,ymax", *rows]), encoding="utf-8")
    return path


@pytest.fixture
def plots(tmp_path: Path) -> str:
    """Annotated crowns of twelve plots, as a table of DeepForest."""
    rows = [
        f"plot_{plot}.tif,{20 * crown},0,{20 * crown + 10},10,Tree"
        for plot in range(12)
        for crown in range(5)
    ]
    path = tmp_path / "truth.csv"
    heading = "image_path,xmin,ymin,xmax,ymax,label"
    path.write_text("\n".join([heading, *rows]), encoding="utf-8")
    return str(path)


def test_a_clearly_better_submission_is_named(plots: str, tmp_path: Path) -> None:
    good, poor = _write_plots(tmp_path, "good", 4), _write_plots(tmp_path, "poor", 2)
    result = rc.benchmark("neon-image", [poor, good], truth=plots)
    # 4 and 2 of 5 crowns, all predictions right.
    assert result.summary["recall"].tolist() == pytest.approx([0.4, 0.8])
    assert result.summary["precision"].tolist() == [1.0, 1.0]
    # The names of these plots have no site.
    assert set(result.table["level"]) == {"overall", "plot"}
    assert "'good' can be called better" in result.conclusion


def test_equal_submissions_cannot_be_called_better(plots: str, tmp_path: Path) -> None:
    paths = [_write_plots(tmp_path, name, 3) for name in ("one", "two")]
    result = rc.benchmark("neon-image", paths, truth=plots)
    assert result.conclusion.startswith("No submission can be called better")
    assert len(result.plot().get_yticklabels()) == 2


def test_a_plot_without_boxes_is_left_out_and_noted(plots: str, tmp_path: Path) -> None:
    path = _write_plots(tmp_path, "some", 4)
    lines = path.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.startswith("plot_3,")]
    path.write_text("\n".join([*kept, "nowhere,0,0,5,5"]), encoding="utf-8")
    result = rc.benchmark("neon-image", path, truth=plots)
    assert result.summary.loc[0, ["plots", "recall"]].tolist() == [11, pytest.approx(0.8)]
    find_message(result.messages, "benchmark.missing_plots", count=1)
    find_message(result.messages, "benchmark.unknown_plots", count=1)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("plot_name,xmin,ymin,xmax\nplot_1,0,0,5", "benchmark.no_column"),
        ("plot_name,xmin,ymin,xmax,ymax\nplot_1,5,0,0,5", "benchmark.box_without_area"),
        ("plot_name,xmin,ymin,xmax,ymax\nplot_1,a,0,0,5", "benchmark.box_without_area"),
        ("plot_name,xmin,ymin,xmax,ymax\nelsewhere,0,0,5,5", "benchmark.no_common_plot"),
        ("plot_name,xmin,ymin,xmax,ymax\nplot_1,3e5,4e6,300005,4000005", "benchmark.no_image"),
        ("", "file.unreadable"),
    ],
)
def test_unclear_submissions_are_refused(plots: str, tmp_path: Path, text: str, key: str) -> None:
    path = tmp_path / "boxes.csv"
    path.write_text(text, encoding="utf-8")
    with raises(key):
        rc.benchmark("neon-image", path, truth=plots)


def test_unclear_requests_are_refused(competition: dict[str, str], tmp_path: Path) -> None:
    team, truth = competition["team"], competition["truth"]
    for key, layout, submissions, options in (
        ("benchmark.unknown_layout", "neon", team, {}),
        ("benchmark.no_truth", "idtrees-task1", team, {}),
        ("benchmark.no_plots", "idtrees-task1", team, {"truth": truth}),
        ("benchmark.no_submissions", "idtrees-task1", [], {"truth": truth}),
        ("benchmark.no_clouds", "for-instance", tmp_path / "truth", {"prediction_attribute": "a"}),
    ):
        with raises(key):
            rc.benchmark(layout, submissions, **options)


def test_the_command_writes_the_table_of_the_authors(
    plots: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _write_plots(tmp_path, "good", 4)
    written = {name: tmp_path / name for name in ("table.csv", "r.json", "r.html")}
    arguments = ["benchmark", "neon-image", "--truth", plots, "--submissions", str(path)]
    outputs = ["--table", "table.csv", "--out", "r.json", "--html", "r.html"]
    paths = [str(written.get(text, text)) for text in outputs]
    assert main([*arguments, *paths]) == 0
    assert "good" in capsys.readouterr().out
    table = pd.read_csv(written["table.csv"])
    assert table.loc[0, ["entry", "level"]].tolist() == ["good", "overall"]
    assert table.loc[0, "recall"] == pytest.approx(0.8)
    assert json.loads(written["r.json"].read_text(encoding="utf-8"))["job"] == "benchmark"
    assert read_record(written["r.json"]).summary.loc[0, "submission"] == "good"
    assert "Submissions to a benchmark" in written["r.html"].read_text(encoding="utf-8")
    assert main([*arguments, "--table", str(path)]) == 1
    assert main([*arguments, "--out", str(tmp_path / "folder")]) == 1


def test_the_command_has_all_layouts() -> None:
    assert tuple(LAYOUTS) == BENCHMARK_LAYOUTS


def test_images_of_decimal_numbers_have_a_georeference() -> None:
    """Pillow does not read these pixels; gdalinfo prints these numbers."""
    image = read_image(real_data("osbs") / "OSBS_24.tif")
    assert (image.width, image.height, image.crs) == (200, 200, "EPSG:32617")
    assert image.geotransform == pytest.approx((403583.0, 0.1, 0.0, 3285179.0, 0.0, -0.1))
