"""Results of jobs: tables, files, pages and figures."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path

import geopandas
import matplotlib as mpl
import numpy as np
import pandas as pd
import pyogrio
import pytest
import shapely
from support.errors import raises

import randcrowns as rc
from randcrowns import plotting
from randcrowns.jobs.explored import explored_run
from randcrowns.jobs.parameters import read_parameter_file, read_values
from randcrowns.jobs.results import JobResult

mpl.use("Agg")

CRS = "EPSG:32617"
EAST, NORTH = 404_000, 3_285_000


def _crowns(shift: float, **columns) -> geopandas.GeoDataFrame:
    shapes = [
        shapely.Point(EAST + x + shift, NORTH + y).buffer(3 + shift)
        for x in range(0, 40, 8)
        for y in range(0, 24, 8)
    ]
    return geopandas.GeoDataFrame(
        {"species": ["oak", "ash", "elm"] * 5, **columns}, geometry=shapes, crs=CRS
    )


LAYERS = {"anna": _crowns(0), "ben": _crowns(0.3), "cleo": _crowns(0.6)}
DETECTOR = _crowns(0.4, score=[number / 15 for number in range(15)])


@pytest.fixture(scope="module")
def results() -> dict[str, JobResult]:
    others = {name: LAYERS[name] for name in ("ben", "cleo")}
    return {
        "score": rc.score(LAYERS["anna"], others, class_field="species", summarise_by="area"),
        "evaluate": rc.evaluate(LAYERS["anna"], DETECTOR),
        "agree": rc.compare_annotators(LAYERS, bootstrap_samples=20),
        "consensus": rc.consensus(LAYERS, method="crowns"),
        "rank": rc.rank_detectors({"net": DETECTOR}, LAYERS, bootstrap_samples=20),
        "variance": rc.variance(LAYERS),
        "tune": rc.tune(LAYERS, alphas="0.3 0.5", omegas="1", gammas="2"),
    }


JOBS = ("score", "evaluate", "agree", "consensus", "rank", "variance", "tune")


@pytest.mark.parametrize("job", JOBS)
class TestEveryJob:
    def test_tables_are_attributes_and_completed_by_tab(self, results, job: str) -> None:
        result = results[job]
        assert result.summary is result.tables["summary"]
        for name, table in result.tables.items():
            assert getattr(result, name) is table
            assert name in dir(result)
            if isinstance(table, geopandas.GeoDataFrame):
                assert table.crs == CRS
        with pytest.raises(AttributeError, match="has no table 'crowns_of_mars'"):
            _ = result.crowns_of_mars

    def test_a_notebook_shows_the_conclusion_and_the_summary(self, results, job: str) -> None:
        text = results[job]._repr_html_()
        assert "<table" in text
        assert text.count("<table") == text.count("</table>")
        assert repr(results[job])

    def test_the_record_repeats_the_run(self, results, job: str, tmp_path: Path) -> None:
        file = tmp_path / "run.json"
        results[job].write(file)
        written = json.loads(file.read_text(encoding="utf-8"))
        assert written["job"] == job
        assert written["conclusion"] == results[job].conclusion
        assert read_values(job, read_parameter_file(file)).given

    def test_all_tables_are_layers_of_a_geopackage(self, results, job: str, tmp_path: Path) -> None:
        file = tmp_path / "run.gpkg"
        results[job].write(file)
        names = {name for name, _ in pyogrio.list_layers(file)}
        filled = {name for name, table in results[job].tables.items() if len(table)}
        assert filled <= names

    def test_a_table_is_written_as_csv(self, results, job: str, tmp_path: Path) -> None:
        results[job].write(tmp_path / "run.csv")
        assert len(pd.read_csv(tmp_path / "run.csv")) == len(results[job].summary)

    def test_a_report_is_one_page(self, results, job: str, tmp_path: Path) -> None:
        results[job].report(tmp_path / "r.html", title="Trees of & all")
        text = (tmp_path / "r.html").read_text(encoding="utf-8")
        assert "<title>Trees of &amp; all</title>" in text
        assert 'src="http' not in text

    def test_the_figure_is_drawn(self, results, job: str) -> None:
        axes = results[job].plot()
        assert axes.figure is not None


@pytest.mark.parametrize(
    ("job", "answer"),
    [
        ("score", "Layers compared"),
        ("evaluate", "Panoptic quality (PQ)"),
        ("agree", "Mean pairwise F1"),
        ("rank", "AP, all points"),
    ],
)
def test_a_report_has_a_table_with_the_answer(results, job: str, answer: str, tmp_path) -> None:
    results[job].report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    first_part = page[page.index('class="answer"') : page.index("<h2")]
    assert answer in first_part
    # The answer has the numbers of the summary of scores, whose columns are no words for readers.
    assert "unmatched_delineations" not in page


def test_the_page_to_explore_has_the_problems_of_the_tables() -> None:
    drawn = geopandas.GeoDataFrame(
        geometry=[
            *LAYERS["anna"].geometry.scale(1.1, 1.1),
            shapely.Point(EAST - 20, NORTH).buffer(1),
        ],
        crs=CRS,
    )
    result = rc.score(LAYERS["anna"], drawn, all_drawn=False, too_large_from=1.2)
    rows = explored_run(result).views[0].rows
    assert rows["problem"].tolist() == ["too large"] * 15 + ["not judged"]
    assert result.targets["problem"].tolist() == ["too large"] * 15


def test_crowns_are_explored_on_a_page(results, tmp_path: Path) -> None:
    results["score"].explore(tmp_path / "e.html")
    assert (tmp_path / "e.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    with raises("jobs.nothing_to_explore", job="score"):
        explored_run(replace(results["score"], tables={"summary": results["score"].summary}))


def test_other_endings_and_folders_that_are_missing_are_refused(results, tmp_path: Path) -> None:
    with raises("jobs.unknown_ending", file="run.doc"):
        results["score"].write(tmp_path / "run.doc")
    for name in ("run.json", "run.csv", "run.gpkg"):
        with raises("file.not_written"):
            results["score"].write(tmp_path / "missing" / name)
    with raises("file.not_written"):
        results["score"].report(tmp_path / "missing" / "r.html")


def test_the_pairs_join_centroids(results) -> None:
    pairs = results["score"].pairs
    assert set(pairs.geometry.geom_type) == {"LineString"}
    assert {"target_id", "delineation_id", "iou", "randcrowns"} <= set(pairs)


def test_every_figure_of_a_score_is_drawn(results) -> None:
    for draw in (plotting.means, plotting.distributions, plotting.scatter):
        assert draw(results["score"]).get_figure()
    target, drawn = LAYERS["anna"].geometry[0], LAYERS["ben"].geometry[0]
    axes = plotting.crown(target, drawn)
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels[0] == "certainly no crown"


def test_a_figure_refuses_results_of_other_jobs(results) -> None:
    with raises("jobs.other_figure", figure="means", jobs=["score"], job="agree"):
        plotting.means(results["agree"])
    with raises("jobs.other_figure", figure="thresholds", job="rank"):
        plotting.thresholds(results["rank"])
    with raises("jobs.other_figure", figure="scatter", job="DataFrame"):
        plotting.scatter(results["score"].summary)
    with raises("plotting.no_layer", layer="dan"):
        plotting.scatter(results["score"], "dan")


def test_the_confusion_has_the_numbers_of_its_table() -> None:
    """All five oaks, ashes and elms are found: two elms are called ash, the rest is right."""
    called = ["oak", "ash", "elm"] * 3 + ["oak", "ash", "ash"] * 2
    drawn = LAYERS["anna"].assign(species=called)
    result = rc.score(LAYERS["anna"], drawn, class_field="species")
    axes = plotting.confusion(result)
    assert sorted(text.get_text() for text in axes.texts) == ["2", "3", "5", "5"]
    with raises("plotting.no_classes"):
        plotting.confusion(rc.score(LAYERS["anna"], drawn))


def test_the_dendrogram_joins_the_annotators_who_are_most_alike(results) -> None:
    """The F1 of the circles is that of their radii: anna and ben, ben and cleo differ least.

    Ward's distance of the first step is the smallest distance 1 - F1 itself.
    """
    axes = plotting.dendrogram(results["agree"])
    pairs = results["agree"].pairs
    corners = np.concatenate([segment[:, 0] for segment in axes.collections[0].get_segments()])
    assert np.min(corners[corners > 0]) == pytest.approx(1 - pairs["f1"].max())
    names = {label.get_text().strip(" *") for label in axes.get_yticklabels()}
    assert names == set(LAYERS)
    two = rc.compare_annotators({name: LAYERS[name] for name in ("anna", "ben")})
    with raises("plotting.no_dendrogram"):
        plotting.dendrogram(two)


@pytest.mark.parametrize(("method", "labels"), [("0.5", ["consensus"]), ("crowns", ["3 votes"])])
def test_a_consensus_is_drawn_with_its_votes(method: str, labels: list[str]) -> None:
    axes = rc.consensus(LAYERS, method=method).plot()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == labels


def test_the_partitions_of_a_cloud_are_drawn(tmp_path: Path) -> None:
    """Both trees are found whole, so that every mean of the partitions is 1."""
    tree = np.repeat([1, 2], 40)
    cloud = pd.DataFrame({"x": tree * 5 + np.tile([0, 1], 40), "y": np.arange(80) % 7, "z": 5.0})
    cloud.assign(tree=tree, found=tree).to_csv(tmp_path / "plot.csv", index=False)
    names = {"target_attribute": "tree", "prediction_attribute": "found"}
    axes = rc.evaluate_cloud(tmp_path / "plot.csv", **names).plot()
    assert [line.get_label() for line in axes.lines] == [
        "mean IoU",
        "mean precision",
        "mean recall",
    ]
    drawn = np.concatenate([line.get_ydata() for line in axes.lines])
    assert drawn[np.isfinite(drawn)].tolist() == [1.0] * np.isfinite(drawn).sum()


def test_figures_require_matplotlib(results, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with raises("jobs.no_matplotlib"):
        results["score"].report(tmp_path / "r.html")
    with raises("jobs.no_matplotlib"):
        results["score"].plot()


def test_the_package_shows_what_it_has() -> None:
    names = dir(rc)
    for name in ("score", "evaluate", "consensus", "tune", "plotting", "InputError"):
        assert name in names
        assert getattr(rc, name)
    # No module that the package imports itself.
    assert {name for name in names if not name.startswith("_")} == set(rc.__all__)
    assert "score_crowns" in dir(rc.core)
    with pytest.raises(AttributeError):
        _ = rc.scores


def test_crowns_in_pixels_are_written_without_a_warning(tmp_path: Path) -> None:
    table = "image_path,xmin,ymin,xmax,ymax,label\na.png,1,2,5,4,oak\n"
    (tmp_path / "boxes.csv").write_text(table)
    result = rc.read_annotations(tmp_path / "boxes.csv")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result.write(tmp_path / "crowns.gpkg")
    read = geopandas.read_file(tmp_path / "crowns.gpkg", layer="crowns")
    assert read.geometry.area.tolist() == [8.0]


@pytest.mark.parametrize(
    ("units", "conclusion"),
    [
        (
            "both",
            "net has an AP (all points) of 1.000 under anna (whole crowns). net has an AUCR of "
            "{aucr} under anna. There is no other detector to compare it with.",
        ),
        (
            "areas",
            "net has an AUCR of {aucr} under anna. There is no other detector to compare it with.",
        ),
        (
            "crowns",
            "net has an AP (all points) of 1.000 under anna (whole crowns). No other detector has "
            "crowns to count, so there is nothing to rank.",
        ),
    ],
)
def test_the_conclusion_of_a_single_detector_is_its_values(
    units: str, conclusion: str, tmp_path: Path
) -> None:
    """As in the toolbox, tests/algorithms/detectors/test_rank_messages.py. It finds every crown."""
    result = rc.rank_detectors(
        {"net": DETECTOR}, {"anna": LAYERS["anna"]}, counted_units=units, bootstrap_samples=20
    )
    values = result.summary.dropna(subset=["value"]).set_index("measure")["value"]
    aucr = f"{values.get('AUCR', float('nan')):.3f}"
    assert result.conclusion == conclusion.format(aucr=aucr)
    # The report has the values in these sentences, and not in a table below them too.
    result.report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "There is only one detector" not in page
    assert "1 is best." not in page


@pytest.mark.parametrize(
    ("units", "conclusion"),
    [
        (
            "both",
            "Whole crowns: recall net 1.000 (IoU of at least 0.5). Only some crowns were drawn, so "
            "average precision is n/a and areas say little.",
        ),
        (
            "crowns",
            "Whole crowns: recall net 1.000 (IoU of at least 0.5). Only some crowns were drawn, so "
            "average precision is n/a.",
        ),
    ],
)
def test_the_conclusion_if_only_some_crowns_were_drawn_is_the_recall(
    units: str, conclusion: str
) -> None:
    """As in the toolbox. The detector finds every crown."""
    one = {"anna": LAYERS["anna"]}
    options = {"counted_units": units, "all_drawn": False, "bootstrap_samples": 20}
    assert rc.rank_detectors({"net": DETECTOR}, one, **options).conclusion == conclusion
    two = rc.rank_detectors({"net": DETECTOR, "again": DETECTOR}, one, **options)
    assert two.conclusion.startswith(conclusion.replace("net 1.000", "net 1.000, again 1.000"))
