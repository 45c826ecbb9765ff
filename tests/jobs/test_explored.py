"""Pages to explore results: at the run and from a GeoPackage that was read again."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import replace
from datetime import date
from pathlib import Path

import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from support.clouds import labelled_cloud, write_cloud
from support.errors import raises

import randcrowns as rc
from randcrowns.core.messages import note, warning
from randcrowns.core.review.verdicts import outline_hashes
from randcrowns.core.scoring.layer import SCORES
from randcrowns.jobs.crown_pictures import crown_pictures
from randcrowns.jobs.explored import explored_run, run_id
from randcrowns.jobs.page_tables import result_tables
from randcrowns.jobs.pages import explore_page, report_page
from randcrowns.jobs.records import read_record
from randcrowns.report.colour_classes import variance_classes

CRS = "EPSG:32617"
EAST, NORTH = 404_000, 3_285_000


def _crowns(shift: float, crs: str = CRS, **columns) -> geopandas.GeoDataFrame:
    """Six squares of 25 m² in two plots, moved to the east."""
    shapes = [
        shapely.box(EAST + x + shift, NORTH + y, EAST + x + shift + 5, NORTH + y + 5)
        for x in (0, 9, 18)
        for y in (0, 9)
    ]
    data = {"plot": ["p1", "p1", "p2"] * 2, "height": np.arange(6) + 0.5, **columns}
    return geopandas.GeoDataFrame(data, geometry=shapes, crs=CRS).to_crs(crs)


TARGETS = _crowns(0)
LAYERS = {"anna": TARGETS, "ben": _crowns(1), "cleo": _crowns(0.5)}
DETECTOR = _crowns(0.4, score=[number / 6 for number in range(6)])


@pytest.fixture(scope="module")
def results():
    return {
        "score": rc.score(TARGETS, {"ben": LAYERS["ben"], "cleo": LAYERS["cleo"]}),
        "evaluate": rc.evaluate(TARGETS, DETECTOR),
        "agree": rc.compare_annotators(LAYERS, bootstrap_samples=20),
        "consensus": rc.consensus(LAYERS, method="crowns"),
        "rank": rc.rank_detectors({"net": DETECTOR}, LAYERS, bootstrap_samples=20),
        "variance": rc.variance(LAYERS),
        "tune": rc.tune(LAYERS, alphas="0.3 0.5", omegas="1", gammas="2"),
    }


#: Beginnings of the titles of the pages, by job.
TITLES = {
    "score": "Scores of tree crown delineations: ",
    "variance": "Variance between annotators: ",
    "tune": "Choice of the parameters: ",
    "agree": "Agreement of annotators: ",
    "consensus": "Consensus of annotators: ",
}
JOBS = ("score", "evaluate", "agree", "consensus", "rank", "variance", "tune")


@pytest.mark.parametrize(("job", "beginning"), TITLES.items())
def test_the_title_of_a_page_says_what_it_shows(results, job, beginning) -> None:
    assert f"<title>{beginning}" in explore_page(results[job])


def without_minute(page: str) -> str:
    """A page without the time at which it was made."""
    return re.sub(r"\d\d:\d\d with", "with", page)


@pytest.mark.parametrize("job", JOBS)
def test_a_result_that_is_read_again_has_the_page_of_the_run(results, job, tmp_path) -> None:
    result = results[job]
    result.write(tmp_path / "run.gpkg")
    read_again = read_record(tmp_path / "run.gpkg")
    assert without_minute(explore_page(read_again)) == without_minute(explore_page(result))
    assert run_id(read_again) == run_id(result)


def test_the_views_are_those_of_each_job(results) -> None:
    views = {job: [view.name for view in explored_run(results[job]).views] for job in JOBS}
    assert views["score"] == ["ben", "cleo"]
    assert views["evaluate"] == ["predictions"]
    assert views["agree"] == ["Disagreements", "Agreement map"]
    # A curve of whole crowns for each annotator; those of areas have no thresholds.
    assert len(explored_run(results["rank"]).curves) == 3
    assert [view.name for view in explored_run(results["tune"]).views] == [
        "Targets with variance",
        "Delineations with scores",
    ]


def test_scores_outlines_and_attributes_are_those_of_the_tables(results) -> None:
    result = results["score"]
    run = explored_run(result)
    assert str(date.today().year) in run.provenance
    targets = result.targets[result.targets["layer"] == "ben"]
    rows = run.views[0].rows
    assert rows["randcrowns"].tolist() == targets["randcrowns"].tolist()
    assert rows["attribute height"].tolist() == TARGETS["height"].tolist()
    assert run.views[0].review.crowns["outline"].tolist() == outline_hashes(TARGETS.geometry)
    # The lower left corner of the first square is the origin.
    assert run.origin == (EAST, NORTH)
    assert run.layers[0].shapes[0].bounds == (0, 0, 5, 5)
    # Image boxes of Stewart et al. (2021), Table III.
    assert (run.regions.alpha, run.regions.omega, run.regions.gamma) == (0.7, 1.2, 3)


def test_outlines_in_degrees_are_shown_in_metres_and_keep_their_hashes() -> None:
    targets, drawn = _crowns(0, "EPSG:4326"), _crowns(0.5, "EPSG:4326")
    run = explored_run(rc.score(targets, {"drawn": drawn}))
    assert shapely.area(run.layers[0].shapes) == pytest.approx(25, rel=1e-3)
    # Page Review recognises crowns by the outlines of the layer, which are in degrees.
    assert run.views[0].review.crowns["outline"].tolist() == outline_hashes(targets.geometry)


def test_the_identity_of_a_run_depends_on_parameters_and_outlines(results) -> None:
    other_parameter = rc.score(TARGETS, {"ben": LAYERS["ben"], "cleo": LAYERS["cleo"]}, alpha=0.5)
    moved = rc.score(TARGETS, {"ben": _crowns(1.01), "cleo": LAYERS["cleo"]})
    assert len({run_id(results["score"]), run_id(other_parameter), run_id(moved)}) == 3


def test_the_lengths_of_a_preset_are_recorded() -> None:
    result = rc.score(TARGETS, {"ben": LAYERS["ben"]}, preset="field_polygons")
    # Field polygons of Stewart et al. (2021), Table III.
    assert [result.parameters[name] for name in ("alpha", "omega", "gamma")] == [0.6, 3.0, 3.0]
    own = rc.score(TARGETS, {"ben": LAYERS["ben"]}, alpha=0.5)
    assert (own.parameters["preset"], own.parameters["alpha"]) == ("own", 0.5)


def test_outlines_that_were_changed_are_refused(results, tmp_path: Path) -> None:
    file = tmp_path / "run.gpkg"
    results["consensus"].write(file)
    frame = geopandas.read_file(file, layer="consensus")
    moved = frame.set_geometry(frame.geometry.translate(1))
    moved.to_file(file, layer="consensus", driver="GPKG")
    with raises("jobs.results_changed", table="consensus"):
        read_record(file)


def test_a_missing_summary_is_refused(results, tmp_path: Path) -> None:
    file = tmp_path / "run.gpkg"
    results["consensus"].write(file)
    with sqlite3.connect(file) as database:
        database.execute("DELETE FROM gpkg_contents WHERE table_name = 'summary'")
    with raises("jobs.results_changed", table="summary"):
        read_record(file)


def test_a_result_without_outlines_cannot_be_explored(results, tmp_path: Path) -> None:
    results["score"].write(tmp_path / "run.json")
    with raises("jobs.nothing_to_explore", job="score"):
        explore_page(read_record(tmp_path / "run.json"))


def test_the_outlines_of_one_side_are_explored_without_the_other() -> None:
    """The run has the outlines of six crowns, and nothing to match them with."""
    none = TARGETS.iloc[:0]
    for result, name in (
        (rc.evaluate(TARGETS, none), "Matched targets"),
        (rc.evaluate(none, DETECTOR), "Matched predictions"),
        (rc.score(none, {"ben": LAYERS["ben"]}), "Delineations"),
    ):
        page = explored_run(result)
        assert [view.name for view in page.views] == [name]
        assert [len(layer.shapes) for layer in page.layers] == [6]


@pytest.fixture(scope="module")
def cloud(tmp_path_factory):
    """Result of a cloud of three trees: one is found, one is cut in half, one is missed."""
    xyz, trees, found = labelled_cloud()
    path = tmp_path_factory.mktemp("cloud") / "plot.las"
    write_cloud(path, xyz, {"tree": trees, "found": found})
    return rc.evaluate_cloud(path, target_attribute="tree", prediction_attribute="found")


def test_trees_of_a_point_cloud_are_explored(cloud, tmp_path: Path) -> None:
    page = explored_run(cloud)
    assert page.title == "plot"
    assert [layer.name for layer in page.layers] == ["Matched targets", "Matched predictions"]
    (view,) = page.views
    # Matched by hand: tree 0 with prediction 0; both halves of tree 1 have an IoU of 0.5 at most.
    assert (
        view.rows["status"].tolist()
        == ["true_positive", *["false_negative"] * 2] + ["false_positive"] * 3
    )
    # The IoU of the points does not follow from the outlines.
    assert not view.sliders
    corner = np.array([500_000.0, 3_000_000.0])
    bounds = shapely.bounds(page.layers[0].shapes) + np.tile(page.origin - corner, 2)
    for number, (left, bottom, right, top) in enumerate(bounds):
        assert 10 * number <= left < right <= 10 * number + 3
        assert 0 <= bottom < top <= 3
    cloud.write(tmp_path / "run.gpkg")
    assert explore_page(read_record(tmp_path / "run.gpkg")) == explore_page(cloud)


def test_a_report_on_a_point_cloud_draws_its_trees(cloud) -> None:
    pictures = crown_pictures(cloud, None)
    drawn = {crown.name for sheet in pictures.sheets for crown in sheet.crowns}
    assert drawn == {"Target 0", "Target 1", "Target 2"}
    assert pictures.map is not None


def test_older_results_of_a_point_cloud_cannot_be_explored(cloud, tmp_path: Path) -> None:
    plain = {
        name: pd.DataFrame(table).drop(columns=["geometry", "area"], errors="ignore")
        for name, table in cloud.tables.items()
    }
    replace(cloud, tables=plain).write(tmp_path / "old.gpkg")
    with raises("jobs.cloud_not_explored"):
        explore_page(read_record(tmp_path / "old.gpkg"))


def test_trees_of_a_point_cloud_are_in_json_without_their_outlines(cloud, tmp_path: Path) -> None:
    cloud.write(tmp_path / "run.json")
    result = read_record(tmp_path / "run.json")
    expected = cloud.targets.drop(columns="geometry").to_dict("list")
    found = result.tables["targets"].to_dict("list")
    assert found["points"] == expected["points"]
    assert found["area"] == expected["area"]
    assert set(found) == set(expected)
    with raises("jobs.cloud_not_explored"):
        explore_page(result)
    (matches,) = (one for one in result_tables(result) if one.title == "Matched targets")
    # Few rows with many columns are exchanged with them.
    (statuses,) = (row[1:] for row in matches.cells.rows if row[0] == "Status")
    assert set(statuses) == {"detected", "not detected"}


def test_crowns_are_coloured_and_sorted_by_their_variance(results) -> None:
    views = {view.name: view for view in explored_run(results["variance"]).views}
    crowns = views["Targets with variance"]
    assert (crowns.order, crowns.is_descending) == ("randcrowns_variance", True)
    assert crowns.colour == "randcrowns_variance"
    classes = {column.name: column.classes for column in crowns.columns if column.classes}
    assert classes == {f"{score}_variance": variance_classes() for score in SCORES}
    labels = [column.label for column in crowns.columns if column.is_listed]
    assert labels == [
        "Crown",
        "RandCrowns mean",
        "RandCrowns variance",
        "IoU mean",
        "IoUCrowns mean",
    ]


def test_tables_of_a_ranking_are_those_of_its_report(results) -> None:
    """Measures have a table each, so that no column is empty."""
    tables = {table.title: table for table in explored_run(results["rank"]).tables}
    reported = {table.title: table.cells for table in result_tables(results["rank"])}
    assert len(tables) >= 2
    assert set(tables) <= set(reported)
    for title, table in tables.items():
        assert len(table.cells) == len(reported[title].rows)
        assert all(any(column) for column in zip(*table.cells)), title


def test_the_page_has_the_warnings_of_the_run_as_its_report(results, tmp_path) -> None:
    """Warnings are shown, and notes are not: the report has both in different places."""
    messages = [warning("input.few", "Few crowns."), note("input.some", "Some crowns.")]
    result = replace(results["score"], messages=messages)
    assert explored_run(result).warnings == ["Few crowns."]
    assert 'class="warning">Few crowns.<' in report_page([result])
    assert "Few crowns." in explore_page(result)
    assert "Some crowns." not in explore_page(result)


def test_positions_in_arrays_are_not_shown(results) -> None:
    for view in explored_run(results["agree"]).views:
        assert not {column.label for column in view.columns} & {"Face", "Pattern"}


def test_layers_are_recorded_with_their_sources(tmp_path: Path) -> None:
    paths = {}
    for name in ("trees", "boxes"):
        paths[name] = str(tmp_path / f"{name}.gpkg")
        TARGETS.to_file(paths[name])
    result = rc.score(paths["trees"], [paths["boxes"]])
    result.write(tmp_path / "run.json")
    inputs = [("targets", "trees", paths["trees"]), ("delineations", "boxes", paths["boxes"])]
    assert [tuple(layer) for layer in read_record(tmp_path / "run.json").inputs] == inputs
