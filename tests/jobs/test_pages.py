"""Reports of jobs: the answer, tables in the words of the toolbox, and numbers read back."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import geopandas
import html5lib
import numpy as np
import pandas as pd
import pytest
import shapely
from support.errors import raises
from support.score_tables import crowns_of, run_of

import randcrowns as rc
from randcrowns.core.messages import info
from randcrowns.jobs import page_tables
from randcrowns.jobs.crown_pictures import crown_pictures
from randcrowns.jobs.explored import explored_run
from randcrowns.jobs.page_tables import parameter_texts, result_tables, value_text
from randcrowns.jobs.pages import _scored_layers as scored_layers_of
from randcrowns.jobs.pages import report_page
from randcrowns.jobs.parameters import (
    JobDescription,
    JobParameter,
    OutputDescription,
    describe_jobs,
)
from randcrowns.jobs.records import read_record
from randcrowns.jobs.results import JobResult
from randcrowns.jobs.tables import InputLayer, JobTables
from randcrowns.report.content import Report, Section, Table, TableContent, map_notes
from randcrowns.report.crown_drawings import is_map_legible
from randcrowns.report.render import render_html

CRS = "EPSG:32617"
EAST, NORTH = 404_000, 3_285_000
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?")


def crowns(seed: int, shift: float = 0.0) -> geopandas.GeoDataFrame:
    """Thirty crowns in three plots, moved at random."""
    random = np.random.default_rng(seed)
    moves = shift * random.standard_normal((30, 2))
    radius = 3 + 0.4 * random.random(30)
    shapes = [
        shapely.Point(EAST + 9 * (row % 6) + x, NORTH + 9 * (row // 6) + y).buffer(r)
        for row, (x, y), r in zip(range(30), moves, radius)
    ]
    columns = {
        "plot": [f"p{row // 10}" for row in range(30)],
        "species": random.choice(["oak", "ash"], 30),
        "score": random.random(30),
    }
    return geopandas.GeoDataFrame(columns, geometry=shapes, crs=CRS)


TARGETS = crowns(1)
ANNOTATORS = {"anna": TARGETS, "ben": crowns(2, 0.4), "cleo": crowns(3, 0.6)}
DETECTORS = {"near": crowns(4, 0.2), "far": crowns(5, 1.5)}


@pytest.fixture(scope="module")
def results() -> dict[str, JobResult]:
    """A result of each job, of random crowns."""
    return {
        "single": rc.score(TARGETS, {"boxes": DETECTORS["far"]}, class_field="species"),
        "several": rc.score(TARGETS, DETECTORS, plot_field="plot", class_field="species"),
        "evaluate": rc.evaluate(TARGETS, DETECTORS["far"], class_field="species"),
        "agree": rc.compare_annotators(ANNOTATORS, bootstrap_samples=20),
        "consensus": rc.consensus(ANNOTATORS, method="crowns"),
        "rank": rc.rank_detectors(DETECTORS, ANNOTATORS, bootstrap_samples=20),
        "variance": rc.variance(ANNOTATORS),
        "tune": rc.tune(ANNOTATORS, alphas="0.3 0.5", omegas="1", gammas="2"),
    }


KINDS = ("single", "several", "evaluate", "agree", "consensus", "rank", "variance", "tune")


def parsed(result) -> object:
    """The report on a result as a tree; an error for HTML that is not valid."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(
        report_page([result])
    )


def answer_of(result) -> list[str]:
    """Sentences of the answer on the page."""
    (box,) = [part for part in parsed(result).iter("div") if part.get("class") == "answer"]
    return ["".join(sentence.itertext()) for sentence in box.iter("p")]


def written(result: JobResult, folder: Path):
    """A result that was written and read again."""
    result.write(folder / "result.json")
    return read_record(folder / "result.json")


@pytest.mark.parametrize("kind", KINDS)
def test_the_answer_of_a_written_result_is_that_of_the_run(results, kind, tmp_path) -> None:
    result = results[kind]
    read_again = written(result, tmp_path)
    answer = answer_of(result)
    assert answer
    again = answer_of(read_again)
    # A written result has no outlines, from which the most frequent problem is known, and no
    # scores of crowns, which a test of layers requires.
    if kind == "several":
        assert again.pop(1).endswith("these results do not contain the scores of the crowns.")
        answer.pop(1)
    assert again == [sentence for sentence in answer if "most frequent problem" not in sentence]


def test_a_single_layer_has_the_counts_of_the_conclusion_of_its_run(results) -> None:
    result = results["single"]
    scores, counts, classes, problem = answer_of(result)
    assert result.conclusion.endswith(f"{counts} {classes}")
    row = result.summary.iloc[0]
    assert scores == (
        f"boxes has a mean RandCrowns of {row.randcrowns_mean:.3f}, over {row.targets} of "
        f"{row.targets} targets."
    )
    assert classes.startswith("boxes: the class of ")
    assert problem.startswith("The most frequent problem is ")


@pytest.mark.parametrize(("layers", "n_too_small"), [("a", 0), ("ab", 0), ("a", 2)])
def test_the_means_by_plot_have_no_columns_of_one_value(layers, n_too_small) -> None:
    """Equal numbers are below the table, and a single layer is in the answer."""
    plots = np.repeat(["p", "q"], 20)
    scores = np.linspace(0.5, 0.9, 40)
    summary = run_of({name: crowns_of(scores, plots) for name in layers}).summary
    summary["too_small"] = n_too_small
    result = JobTables("score", summary, {"summary": summary})
    table = next(table for table in result_tables(result) if table.title == "Mean scores by plot")
    assert ("Layer" in table.cells.titles) == (layers == "ab")
    assert "Plot" in table.cells.titles
    assert "Too small" not in table.cells.titles
    assert "In all rows: Targets 20, " in table.note
    assert f"Too small {n_too_small}." in table.note


def test_the_tests_of_several_layers_are_in_the_methods(results) -> None:
    method = "compared with each other layer by paired t-tests"
    assert method in report_page([results["several"]])
    assert "Holm" in report_page([results["several"]])
    assert method not in report_page([results["single"]])


@pytest.mark.parametrize("kind", ["score", "agree", "rank", "variance", "consensus"])
def test_a_long_name_is_short_except_in_the_list_of_layers_and_the_parameters(kind) -> None:
    long = f"{'crowns of the protected area, flight of August 2025, ' * 2}A"
    annotators = {long: ANNOTATORS["anna"], "ben": ANNOTATORS["ben"], "cleo": ANNOTATORS["cleo"]}
    jobs = {
        "score": lambda: rc.score(TARGETS, annotators, plot_field="plot"),
        "agree": lambda: rc.compare_annotators(annotators, bootstrap_samples=20),
        "rank": lambda: rc.rank_detectors(annotators, ANNOTATORS, bootstrap_samples=20),
        "variance": lambda: rc.variance(annotators),
        "consensus": lambda: rc.consensus(annotators, method="crowns"),
    }
    page = report_page([jobs[kind]()])
    titles = ("What was compared", "Methods", "All parameters")
    compared, methods, parameters = (page.index(f">{title}</h2>") for title in titles)
    described = page.find(">References</h2>")
    assert compared < methods < parameters
    assert long not in page[:compared]
    assert long in page[compared:methods]
    assert long not in page[methods:parameters]
    assert described == -1 or long not in page[described:]
    assert page.count("Long names are shortened; see What was compared.") == 1


def test_several_layers_are_compared_and_keep_their_sentences_on_classes(results) -> None:
    sentences = answer_of(results["several"])
    assert "near" in sentences[0]
    assert "RandCrowns" in sentences[0]
    page = report_page([results["several"]])
    assert page.count("far: the class of ") == 1


def test_a_ranking_names_the_definition_of_its_ap(results) -> None:
    """AP over all points stands beside COCO's AP at the same IoU, which differs."""
    titles = [table.title for table in result_tables(results["rank"])]
    assert titles[:2] == ["Detector scores: AUCR", "Detector scores: AP, all points"]


def test_scores_of_areas_and_crowns_have_only_columns_with_numbers(results) -> None:
    tables = {table.title: table.cells for table in result_tables(results["rank"])}
    areas = tables["Detector scores: AUCR"]
    crowns = tables["Detector scores: AP, all points"]
    assert list(areas.titles) == ["Detector", "Ground truth", "Value", "Rank", "Skew (%)"]
    # Crowns are matched at an IoU of 0.5, so the recall at this IoU is the same.
    assert list(crowns.titles) == ["Detector", "Ground truth", "Value", "Rank", "Recall"]
    assert all(all(row) for cells in (areas, crowns) for row in cells.rows)
    # On a telephone, they stay tables.
    assert areas.fits_phone
    assert crowns.fits_phone
    page = report_page([results["rank"]])
    assert '<div role="group" class="scrolled narrow" tabindex="0" aria-label="Detector' in page


def test_a_missing_number_is_empty_unless_its_row_has_the_reason() -> None:
    row = {"detector": "net", "truth": "anna", "rank": 1.0, "value": 0.5}
    for reason, shown in (("", ""), ("no crowns", "n/a")):
        rows = [row, {**row, "rank": None, "reason": reason}]
        summary = pd.DataFrame(rows)
        (table,) = result_tables(JobTables("rank", summary, {"summary": summary}))
        place = list(table.cells.titles).index("Rank")
        assert [cells[place] for cells in table.cells.rows] == ["1", shown]


def test_parameters_without_the_input_that_they_are_about_are_no_parameters_of_a_run() -> None:
    scored = rc.score(TARGETS, {"boxes": DETECTORS["near"]})
    by_score = rc.score(TARGETS, {"boxes": DETECTORS["near"]}, score_field="score")
    assert "Score threshold" not in report_page([scored])
    assert "Score threshold" in report_page([by_score])
    compared = report_page([rc.compare_annotators(ANNOTATORS, bootstrap_samples=20)])
    for label in ("Window for the contrast", "Values of rasters"):
        assert label not in compared
    single, several = (rc.variance(layers) for layers in ({"anna": TARGETS}, ANNOTATORS))
    assert "Warped copies: scale" in report_page([single])
    assert "Warped copies" not in report_page([several])


def test_of_many_plots_the_worst_are_in_every_table() -> None:
    """The row of all plots is no plot: both tables have as many plots."""
    names = [f"p{number:03}" for number in range(100)]
    scores = np.linspace(1.0, 0.0, 200)
    summary = run_of({"boxes": crowns_of(scores, np.repeat(names, 2))}).summary
    (table,) = result_tables(JobTables("score", summary, {"summary": summary}))[:1]
    assert [row[0] for row in table.cells.rows] == names[:79:-1]
    assert table.left_out == 80
    assert "The plots with the lowest mean RandCrowns are shown." in table.note
    # Two targets in each plot, all detected.
    assert "Targets" not in table.cells.titles
    assert "In all rows: Targets 2, " in table.note

    rows = pd.DataFrame({"plot": ["all", *names], "f1": np.linspace(1, 0, 101), "tp": range(101)})
    for shown in result_tables(JobTables("evaluate", rows, {"summary": rows})):
        assert [row[0] for row in shown.cells.rows] == names[:79:-1], shown.title
        assert shown.left_out == 80


def test_of_excluded_crowns_ten_are_listed_and_the_others_counted(results) -> None:
    excluded = pd.DataFrame({"annotator": "anna", "crown_id": range(25), "reason": "too far"})
    tables = {"summary": results["variance"].summary, "excluded": excluded}
    shown = result_tables(JobTables("variance", tables["summary"], tables))
    (table,) = (one for one in shown if one.title == "Excluded crowns")
    assert (len(table.cells.rows), table.left_out) == (10, 15)


@pytest.mark.parametrize(("plots", "titles"), [(1, False), (2, True)])
def test_the_only_plot_does_not_repeat_the_row_of_all_plots(results, plots, titles) -> None:
    """Two annotators with one plot have two rows, with two plots three rows each."""
    rows = [
        {"annotator": name, "plot": plot, "drawn": 7, "shared": 5}
        for name in ("anna", "ben")
        for plot in [*("north", "south")[:plots], "all"]
    ]
    summary = results["variance"].summary
    tables = {"summary": summary, "drawn": pd.DataFrame(rows)}
    (table,) = (
        table
        for table in result_tables(JobTables("variance", summary, tables))
        if table.title == "Crowns by annotator"
    )
    assert ("Plot" in table.cells.titles) == titles
    assert len(table.cells.rows) == (6 if titles else 2)


def caveats_of(result) -> list[str]:
    """Sentences of the warnings before the answer on the page."""
    page = report_page([result])
    before = page[page.index("<main>") : page.index('<div class="answer">')]
    return re.findall(r'<p class="warning">(.*?)</p>', before)


def test_recommended_sets_state_their_ties_and_what_they_do_not_reveal(results) -> None:
    (table,) = (one for one in result_tables(results["tune"]) if one.title == "Recommended sets")
    assert "differ by at most 5\xa0×\xa010⁻⁶ are ties" in table.note
    sets = results["tune"].summary
    hidden = replace(results["tune"], tables={"summary": sets.assign(wrong_shrunk=1.5)})
    hidden = replace(hidden, summary=hidden.tables["summary"])
    (caveat,) = caveats_of(hidden)
    assert "score 1.50 with the recommended parameters" in caveat
    assert "do not show that crowns are drawn too small." in caveat
    revealed = sets.assign(wrong_shrunk=0.0, wrong_grown=0.0, wrong_shifted=0.0)
    assert caveats_of(replace(hidden, summary=revealed.assign(wrong_neighbours=0.0))) == []


def test_simulated_annotators_are_a_warning_before_the_answer() -> None:
    result = rc.variance({"anna": TARGETS}, warps=3)
    (caveat,) = caveats_of(result)
    assert "only one annotator" in caveat
    assert "3 warped copies" in caveat
    assert report_page([result]).count(caveat) == 1


def test_warnings_of_a_run_are_before_the_answer() -> None:
    few = rc.variance({name: drawn.head(2) for name, drawn in ANNOTATORS.items()})
    (warning,) = caveats_of(few)
    assert warning.startswith("Only 2 shared crowns:")
    many = rc.evaluate(TARGETS.head(4).drop(columns="score"), DETECTORS["near"])
    (warning,) = map(html.unescape, caveats_of(many))
    assert warning.startswith("The layer compared with the targets has 8 times as many crowns.")
    label = "All crowns in the area were drawn as targets"
    assert warning.endswith(f"Then switch '{label}' off.")
    for result in (few, many):
        assert report_page([result]).count('<p class="warning">') == 1


def test_skews_beyond_the_limits_are_a_note_and_a_warning_before_the_answer(results) -> None:
    narrow = rc.rank_detectors(DETECTORS, ANNOTATORS, bootstrap_samples=20, max_skew=0.2)
    (caveat,) = caveats_of(narrow)
    assert "crowns cover 10.0 to 20.0\N{NO-BREAK SPACE}%, but the ground truths" in caveat
    notes = [str(message) for message in narrow.messages]
    assert sum("but the ground truths cover" in text for text in notes) == 1
    assert caveats_of(results["rank"]) == []


def test_the_methods_name_targets_only_if_there_were_some(results) -> None:
    text = " ".join(texts_below(results["variance"], "Methods"))
    assert "against each annotator's crown in turn. The variance" in text
    assert "field" not in text
    targets = InputLayer("targets", "stems", "stems.gpkg")
    result = replace(results["variance"], inputs=[targets, *results["variance"].inputs])
    text = " ".join(texts_below(result, "Methods"))
    assert "were scored against the targets (stems)." in text
    assert "in turn" not in text


def test_the_methods_of_annotators_explain_intervals_and_wrong_pairs(results) -> None:
    """Stewart et al. (2021) use wrong pairs; their kinds are those of the plugin."""
    variance = " ".join(texts_below(results["variance"], "Methods"))
    tune = " ".join(texts_below(results["tune"], "Methods"))
    for text in (variance, tune):
        assert "from a weighted jackknife over the crowns (Hinkley 1977)" in text
        assert "All targets of a crown that several annotators drew are one unit." in text
    assert "wrong pairs" not in variance.lower()
    assert "the 4 nearest crowns of every other annotator" in tune
    assert "shifted by 0.9 of the width or height to the east, north, west and south" in tune
    assert "shrunk to 0.33 of the length, or enlarged to 2 times the length" in tune
    assert "below 0.5 and that of right pairs is higher" in tune
    assert "at most 5\N{NO-BREAK SPACE}% of the targets may be too small" in tune
    assert "Hinkley" in " ".join(texts_below(results["tune"], "References"))


@pytest.mark.parametrize(
    ("method", "rule"),
    [
        ("0.5", "Everything that at least half of the annotators marked; ties are marked."),
        ("excl-0.5", "outliers among the annotators are excluded."),
        ("unanimous", "Everything that all annotators marked."),
    ],
)
def test_the_methods_of_a_consensus_have_its_rule(method, rule) -> None:
    methods = " ".join(texts_below(rc.consensus(ANNOTATORS, method=method), "Methods"))
    assert rule in methods
    assert "Marked areas that touch form one polygon." in methods


@pytest.mark.parametrize("all_drawn", [True, False])
def test_the_methods_say_that_predictions_were_not_judged(all_drawn) -> None:
    result = rc.evaluate(TARGETS, DETECTORS["far"], class_field="species", all_drawn=all_drawn)
    methods = " ".join(texts_below(result, "Methods"))
    assert ("predictions without a target were not judged" in methods) != all_drawn


def test_each_sentence_of_a_conclusion_is_a_paragraph_of_the_answer(results) -> None:
    sentences = [str(message) for message in results["tune"].headline]
    assert len(sentences) > 1
    answer = [
        sentence.replace("\N{NO-BREAK SPACE}", " ") for sentence in answer_of(results["tune"])
    ]
    assert answer == [sentence.replace("\N{NO-BREAK SPACE}", " ") for sentence in sentences]


def test_a_ranking_has_one_sentence_and_its_certainty_is_a_part(results, tmp_path) -> None:
    for result in (results["rank"], written(results["rank"], tmp_path)):
        (sentence,) = answer_of(result)
        assert "near" in sentence
        assert "by whole crowns" in sentence
        assert "bootstrap samples" not in sentence
        titles = ["".join(title.itertext()) for title in parsed(result).iter("h2")]
        assert "Differences between the detectors" in titles


def test_the_page_of_a_ranking_describes_only_ground_truths_that_were_made(results) -> None:
    page = report_page([results["rank"]])
    methods = " ".join(texts_below(results["rank"], "Methods"))
    # Areas of polygons have no pixels for LSML.
    assert "No LSML" in page
    assert "STAPLE estimates the truth" in methods
    assert "LSML" not in methods
    assert not any(name in page for name in ("(Li et al.", "LSML: maximum number of rounds"))
    assert "RandCrowns preset" not in page  # crowns were matched by IoU
    by_crowns = rc.rank_detectors(
        DETECTORS, ANNOTATORS, counted_units="crowns", bootstrap_samples=20
    )
    methods = " ".join(texts_below(by_crowns, "Methods"))
    assert "average precision over all points" in methods
    assert not any(word in methods for word in ("AUCR", "STAPLE", "Any-GT"))
    labels = [label for label, _ in parameter_texts(by_crowns)]
    page = report_page([by_crowns])
    assert "Skew limits" in labels
    assert "Skew limits" not in page


def test_the_page_of_a_consensus_has_a_map_of_votes(results) -> None:
    pictures = crown_pictures(results["consensus"], None)
    labels = [entry.label for entry in pictures.legend]
    votes = sorted(set(results["consensus"].consensus["votes"]))
    assert labels[0] == "Crowns of the consensus by votes"
    assert labels[1 : 1 + len(votes)] == [str(number) for number in votes]
    n_drawn = pictures.map.data.count(b'stroke-width="3.2"')
    assert n_drawn >= len(votes)
    area = crown_pictures(rc.consensus(ANNOTATORS, method="any"), None)
    assert [entry.label for entry in area.legend] == ["Consensus", "marked area"]
    assert area.map is not None


def test_the_pictures_of_a_variance_have_a_colour_per_annotator(results) -> None:
    sheets = crown_pictures(results["variance"], None).sheets
    for sheet in sheets:
        assert [name for _, name in sheet.colours] == ["anna", "ben", "cleo"]
        colours = {name: colour for colour, name in sheet.colours}
        for crown in sheet.crowns:
            drawing = crown.picture.data.decode()
            others = [name for name in colours if not crown.name.startswith(f"{name}:")]
            shown = [name for name, colour in colours.items() if colour in drawing]
            assert shown == others
    # Targets of several annotators lie on one another, so that fills would hide them.
    drawing = crown_pictures(results["variance"], None).map.data.decode()
    fills = set(re.findall(r'<path[^>]*fill="([^"]*)"', drawing))
    assert fills == {"none"}
    page = report_page([results["variance"]])
    assert page.count("&#9632;") == 3 * len(sheets)


def test_equal_ground_truths_are_named(results) -> None:
    messages = [
        message for message in results["rank"].messages if message.key == "truths.identical"
    ]
    assert messages
    summary = results["rank"].summary
    by_area = summary[summary["counted"] == "areas"].set_index(["truth", "detector"])["value"]
    for message in messages:
        names = message.values["names"]  # noqa: PD011 - the values of a message
        assert len(names) > 1
        for name in names[1:]:
            assert by_area[name].equals(by_area[names[0]])


def test_the_page_of_annotators_describes_only_what_it_shows(results) -> None:
    result = results["agree"]
    with_intervals = replace(
        result, tables={**result.tables, "summary": result.summary.assign(low=0.1, high=0.9)}
    )
    methods = " ".join(texts_below(with_intervals, "Methods"))
    assert "bootstrap samples of blocks" in methods
    assert "Ward" not in methods
    assert "agreement ratio" not in methods
    without = replace(
        result,
        tables={**result.tables, "summary": result.summary.assign(low=np.nan, high=np.nan)},
    )
    assert "bootstrap samples" not in " ".join(texts_below(without, "Methods"))


def test_a_consensus_has_a_table_of_areas_and_its_methods() -> None:
    # Anna and ben share 6 of the 9 m² that either drew; anna alone drew a second tree.
    drawings = {
        "anna": [shapely.box(0, 0, 3, 3), shapely.box(9, 0, 11, 2)],
        "ben": [shapely.box(0, 0, 3, 2)],
    }
    crowns = rc.consensus(drawings, method="crowns", outline="medoid", vote_rule="all")
    assert crowns.summary[["marked_by_nobody", "doubtful"]].to_numpy().tolist() == [[0.0, 1]]
    page = report_page([crowns])
    assert "Crown by crown" in page
    assert "Trees that too few annotators drew" in page
    assert page.count(">Crowns by votes</h") == 1
    assert "STAPLE: prior" not in page
    for work in ("Sokal", "Davidson"):
        assert page.count(work) == 3  # in the methods, in the list of references, as BibTeX
    assert "Lampert" not in page
    area = report_page([rc.consensus(drawings, method="any")])
    assert "Part of this area that nobody marked" in area
    assert "Crowns by votes" not in area
    # A consensus has no such statistics.
    assert "Smyth" not in area
    assert "only what somebody marked is counted" in area


def test_a_ranking_names_its_ground_truths_and_explains_them(results) -> None:
    keys = [message.key for message in results["rank"].headline]
    assert keys.count("verdict.truth") == keys.count("crown_verdict.truth") == 1
    page = report_page([results["rank"]])
    assert "Ground truth of the AUCR: 0.5-GT." in page
    assert "AP, all points: mean over 3 annotators." in page
    (truths,) = [
        text for text in parsed(results["rank"]).iter("p") if "Any-GT" in (text.text or "")
    ]
    for name in ("0.5-GT", "Excl-0.5-GT", "STAPLE", "Warfield", "SIMPLE", "Langerak"):
        assert name in truths.text


def test_a_result_of_an_earlier_version_has_its_conclusion(results, tmp_path) -> None:
    content = results["single"].to_dict()
    del content["headline"]
    (tmp_path / "old.json").write_text(json.dumps(content), encoding="utf-8")
    assert answer_of(read_record(tmp_path / "old.json")) == [results["single"].conclusion]


@pytest.mark.parametrize(
    "headline",
    ["text", [1], [{"key": "a"}], [{"key": "a", "text": "b", "values": {"c": 1}}]],
)
def test_a_headline_of_another_kind_is_no_result(results, headline, tmp_path) -> None:
    content = {**results["single"].to_dict(), "headline": headline}
    (tmp_path / "wrong.json").write_text(json.dumps(content), encoding="utf-8")
    with raises("jobs.no_record"):
        read_record(tmp_path / "wrong.json")


@pytest.mark.parametrize("job", ["evaluate", "score"])
def test_crowns_of_several_images_in_pixels_name_their_image(job) -> None:
    """The crowns of the images lie on one another, and the map shows those of the first image."""
    shapes = [shapely.box(x, -40, x + 20, -20) for x in (10, 10, 300)]
    columns = {"image": ["a.jpg", "b.jpg", "b.jpg"]}
    targets = geopandas.GeoDataFrame(columns, geometry=shapes)
    if job == "evaluate":
        result = rc.evaluate(targets, targets)
    else:
        result = rc.score(targets, {"boxes": targets}, ground_resolution=0.1)
    pictures = crown_pictures(result, scored_layers_of(result) if job == "score" else None)
    assert pictures.map_notes[-1].startswith("The map shows only image a.jpg;")
    # A single square crown is on the map.
    assert pictures.map.width == pictures.map.height
    names = {crown.name for sheet in pictures.sheets for crown in sheet.crowns}
    assert {name.partition(", ")[2] for name in names} == {"a.jpg", "b.jpg"}


@pytest.mark.parametrize("kind", KINDS)
def test_headings_are_those_of_the_toolbox(results, kind) -> None:
    for table in result_tables(results[kind]):
        assert not [title for title in table.cells.titles if "_" in title], table.title
        assert "_" not in table.title


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_of_a_table_is_a_value_of_the_run(results, kind, tmp_path) -> None:
    """Read from the page, where each row must contain the values of one row of the run."""
    for result in (results[kind], written(results[kind], tmp_path)):
        tables = result_tables(result)
        shown = [list(table.iter("tr"))[1:] for table in parsed(result).iter("table")]
        # The first table is that of the answer, if there is one; class tables come before.
        shown = shown[len(shown) - len(tables) :]
        frames = [frame for frame in result.tables.values() if "geometry" not in frame]
        rows = [
            np.array([value for value in row if isinstance(value, (int, float))], dtype=float)
            for frame in frames
            for row in frame.drop(columns="geometry", errors="ignore").itertuples(index=False)
        ]
        for table, table_rows in zip(tables, shown):
            texts = [["".join(cell.itertext()) for cell in row] for row in table_rows]
            titles = table.cells.titles
            if not titles[0]:
                # A table with few rows has rows and columns exchanged, and then no first title.
                titles, *texts = zip(*texts)
            for cells in texts:
                numbers = [
                    (number, _scale(result.job, title, cells))
                    for title, cell in zip(titles, cells)
                    if re.fullmatch(r"[-\d.,e() –]+", cell)
                    for number in NUMBER.findall(cell)
                ]
                assert any(_contains(values, numbers) for values in rows), cells


def _scale(job: str, title: str, cells: Sequence[str]) -> float:
    """Return the factor of the numbers of a column in a row: 100 for shares, otherwise 1.

    Args:
        job: name of the job.
        title: title of the column.
        cells: texts of the row; "%" is the unit of a row of a table that has a unit per row.
    """
    columns = [
        column
        for output in describe_jobs()[job].outputs.values()
        for column in output.columns.values()
    ]
    is_share = any(
        column.scale == 100.0
        and re.fullmatch(re.escape(column.heading).replace(r"\#", r"[\d.]+"), title)
        for column in columns
    )
    return 100.0 if is_share or "%" in cells else 1.0


def _contains(values: np.ndarray, numbers: list[tuple[str, float]]) -> bool:
    """Return True if each number is one of the values, rounded to the digits of the number.

    Args:
        values: values of a row of the run.
        numbers: shown numbers, and the factor by which the values were multiplied.
    """
    for number, scale in numbers:
        shown = float(number.replace(",", ""))
        decimals = len(number.partition(".")[2])
        tolerance = 0.5 * 10.0**-decimals + 1e-12
        if "e" in number:
            tolerance = 0.1 * abs(shown)
        if not (np.abs(scale * values - shown) <= tolerance).any():
            return False
    return True


def test_only_shares_may_be_shown_in_percent() -> None:
    values = np.array([0.512, 3.0])
    assert _contains(values, [("51.2", 100.0), ("3", 1.0)])
    assert not _contains(values, [("51.2", 1.0)])
    assert not _contains(values, [("0.512", 100.0)])


def test_tables_that_the_toolbox_does_not_report_are_left_out(results) -> None:
    shown = {
        kind: {table.title: table.cells for table in result_tables(results[kind])}
        for kind in ("tune", "rank", "variance")
    }
    assert "Excluded crowns" not in shown["tune"]
    assert "Thresholds side by side" not in shown["rank"]
    assert "Crowns by annotator" in shown["variance"]
    sets = shown["tune"]["Recommended sets"]
    titles = {*sets.titles, *(row[0] for row in sets.rows)}
    assert "Variance" in titles
    assert "Assessment" not in titles


def test_parameters_are_shown_as_in_the_toolbox(results) -> None:
    shown = dict(parameter_texts(results["single"]))
    assert shown["Preset"] == "Image boxes (0.7 m, 1.2 m, 3)"
    assert shown["Search radius"] == "automatic"
    assert shown["True positive boundary (alpha)"] == "0.7 m"
    assert shown["Match within classes only"] == "no"
    assert "STAPLE, SIMPLE" in dict(parameter_texts(results["rank"]))["Ground truths"]


def test_a_column_without_any_text_is_left_out() -> None:
    row = {"counted": "crowns", "measure": "AP", "detector": "net", "truth": "anna", "value": 0.5}
    for reason in ("", "no crowns"):
        summary = pd.DataFrame([{**row, "reason": ""}, {**row, "reason": reason}])
        (table,) = result_tables(JobTables("rank", summary, {"summary": summary}))
        assert ("Why n/a" in table.cells.titles) == bool(reason)
        assert {len(cells) for cells in table.cells.rows} == {len(table.cells.titles)}


def test_a_truth_value_is_a_word_and_a_count_has_no_decimals(results) -> None:
    tables = {table.title: table.cells for table in result_tables(results["agree"])}
    statistics = {row[0]: row[1] for row in tables["Further measures of agreement"].rows}
    assert statistics["Number of annotators"] == "3"


@pytest.fixture
def declared(monkeypatch) -> None:
    """Columns of a ranking as `make parameters` describes them."""
    columns = [
        {"name": "detector", "label": "Detector", "unit": "", "help": "Name."},
        {"name": "value", "label": "IoU", "unit": "", "help": "Minimum IoU.", "digits": 2},
        {"name": "variance", "label": "Variance", "unit": "", "help": "", "digits": -3},
        {"name": "alpha", "label": "Alpha", "unit": "m", "help": "Boundary.", "digits": -6},
        {"name": "area", "label": "Area", "unit": "m²", "help": "Size.", "digits": 1},
        {
            "name": "outlier",
            "label": "Outlier",
            "unit": "",
            "help": "1 for an outlier.",
            "digits": 0,
            "texts": {"1": "outlier", "0": ""},
        },
    ]
    output = OutputDescription.from_json({"label": "Values", "columns": columns})
    job = JobDescription("rank", "rankdetectors", "", {}, outputs={"AUCR": output})
    monkeypatch.setattr(page_tables, "describe_jobs", lambda: {"rank": job})


def ranked(**values) -> Table:
    """The table of a ranking with two rows of values by column."""
    summary = pd.DataFrame({"detector": ["a", "b"], **values})
    (table,) = result_tables(JobTables("rank", summary, {"summary": summary}))
    return table


def test_decimals_are_those_of_the_declared_column(declared) -> None:
    numbers = {
        "value": [0.5, 0.55],
        "variance": [0.019, 7.2e-4],
        "alpha": [1.0, 0.9],
        "area": [1454.141, 1550.0],
    }
    assert [row[1:] for row in ranked(**numbers).cells.rows] == [
        ["0.50", "0.0190", "1", "1,454.1"],
        ["0.55", "0.000720", "0.9", "1,550.0"],
    ]


def test_the_meaning_of_declared_numbers_is_told_once(declared) -> None:
    table = ranked(value=[0.5, 0.6], alpha=[1.0, 2.0], variance=[0.1, 0.2])
    assert table.cells.meanings == [("IoU", "Minimum IoU."), ("Alpha (m)", "Boundary.")]
    section = Section("run", tables=[table, table])
    assert section.meanings == table.cells.meanings
    page = render_html(Report("title", "made", [section], []))
    assert page.count("Minimum IoU.") == 1
    assert ">Meaning of the numbers</h2>" in page


def test_a_title_with_several_meanings_names_its_table() -> None:
    def table(title: str, meanings: list[tuple[str, str]]) -> Table:
        return Table(title, TableContent(["Recall"], [True], [["0.5"]], meanings))

    recalls = [("Recall", "Share that is found."), ("F1", "Mean of both.")]
    answer = table("", [("Recall", "Share of the targets.")])
    tables = [table("Detectors", recalls), table("Sites", recalls)]
    assert Section("run", answer_table=answer, tables=tables).meanings == [
        ("Recall", "Share of the targets."),
        ("Recall (Detectors), Recall (Sites)", "Share that is found."),
        ("F1", "Mean of both."),
    ]


@pytest.mark.parametrize("values", [[True, False], [1, 0], [1.0, 0.0]])
def test_keys_have_their_texts(declared, values) -> None:
    cells = ranked(outlier=values).cells
    assert [row[1] for row in cells.rows] == ["outlier", ""]
    assert cells.is_right_aligned == [False, False]


def test_columns_without_declaration_have_words_for_truth_values(declared) -> None:
    assert [row[1] for row in ranked(known=[True, False]).cells.rows] == ["yes", "no"]


def test_lists_of_numbers_have_no_zeros_and_angles_no_space() -> None:
    alphas = JobParameter("ALPHAS", "numbers", "Alpha", unit="m")
    assert value_text(alphas, [0.5, 1.0]) == "0.5, 1 m"
    assert value_text(JobParameter("TURN", "number", "Rotation", unit="°"), 10.0) == "10°"


def test_the_title_names_the_layers_and_the_first_of_many(results) -> None:
    (title,) = parsed(results["several"]).iter("h1")
    assert title.text == "Scores of tree crown delineations: near, far compared with targets"
    many = rc.score(TARGETS, {f"{'long ' * 12}{row}": DETECTORS["near"] for row in range(6)})
    (title,) = parsed(many).iter("h1")
    assert " and 2 more compared with targets" in title.text
    assert max(len(name) for name in title.text.split(", ")) < 100


@pytest.mark.parametrize(("method", "label"), [("crowns", "Crown by crown"), ("staple", "STAPLE")])
def test_the_headline_of_a_consensus_names_its_method(method, label) -> None:
    result = rc.consensus(ANNOTATORS, method=method)
    assert f"Consensus of 3 annotators by '{label}': " in result.conclusion
    view = explored_run(result).views[0]
    assert {"method", "parameters"}.isdisjoint(column.name for column in view.columns)


def test_a_consensus_has_its_numbers_in_the_answer_only(results) -> None:
    titles = [table.title for table in result_tables(results["consensus"])]
    assert "Summary" not in titles


@pytest.mark.parametrize(
    ("plots", "expected"),
    [
        (["all"], ["Average precision"]),
        (["all", "north", "south"], ["Metrics by plot", "Counts by plot", "Average precision"]),
    ],
)
def test_an_evaluation_has_the_tables_of_the_toolbox(plots, expected) -> None:
    """The answer contains the numbers of all plots, so that only plots have tables of them."""
    columns = {"targets": 35, "tp": 19, "precision": 0.514, "precision_low": 0.349, "ap": 0.195}
    summary = pd.DataFrame({"plot": plots, **columns, "precision_high": 0.675})
    metrics = pd.DataFrame({"DetectionTP": [19]})
    tables = result_tables(JobTables("evaluate", summary, {"summary": summary, "metrics": metrics}))
    assert [table.title for table in tables] == expected
    shown = tables[-1].cells
    assert shown.titles == ["AP, COCO"] if len(plots) == 1 else ["Plot", "AP, COCO"]
    assert [row[-1] for row in shown.rows] == ["0.195"] * len(plots)
    if len(plots) > 1:
        assert tables[0].cells.rows == [[name, "0.514 (0.349–0.675)"] for name in plots[1:]]
        assert tables[1].cells.rows == [[name, "35", "19"] for name in plots[1:]]


def test_parts_of_trees_are_drawn_instead_of_listed() -> None:
    """Two parts along the radius: the limits are 0, 0.5 and 1, as in the toolbox."""
    means = {"MeanIoU": [0.5, 0.25], "MeanPrecision": [0.75, 0.5], "MeanRecall": [0.6, 0.4]}
    partitions = pd.DataFrame({"Partition": [0, 1], **means, "axis": "xy"})
    counts = {"targets": 9, "predictions": 9, "tp": 7, "fp": 2, "fn": 2}
    summary = pd.DataFrame({"plot": ["all"], **counts})
    tables = {"summary": summary, "partitions": partitions}
    result = JobTables("evaluate-cloud", summary, tables)
    assert result_tables(result) == []
    numbers = "Mean IoU 0.50, 0.25; Mean precision 0.75, 0.50; Mean recall 0.60, 0.40"
    assert labels_of_drawings(result)[-1] == f"Metrics by distance to the trunk: {numbers}"


def test_columns_without_a_declaration_have_headings_too(results) -> None:
    for kind in KINDS:
        for table in result_tables(results[kind]):
            titles = table.cells.titles
            if not titles[0]:  # exchanged with the rows
                titles = [row[0] for row in table.cells.rows]
            assert [title for title in titles if title[:1].islower() and title[1:2].isalpha()] == []


def texts_below(result, heading: str) -> list[str]:
    """Texts of the paragraphs between a heading of the page and the next one."""
    tags = ("h2", "h3", "p", "li", "dt", "dd")
    texts = []
    is_below = False
    for element in parsed(result).iter():
        if element.tag not in tags:
            continue
        text = "".join(element.itertext())
        if element.tag in ("h2", "h3"):
            is_below = text == heading
        elif is_below:
            texts.append(text)
    return texts


@pytest.mark.parametrize("kind", KINDS)
def test_methods_name_the_layers_also_when_read_again(results, kind, tmp_path) -> None:
    methods = " ".join(texts_below(results[kind], "Methods"))
    for layer in results[kind].inputs:
        assert layer.name in methods
    assert "The analysis was made with randcrowns" in methods
    assert not re.search(r"\(\)|  |None|nan", methods)
    assert " ".join(texts_below(written(results[kind], tmp_path), "Methods")) == methods


def test_methods_are_those_of_the_toolbox(results) -> None:
    """The sentences of resources/report_methods.html for the default parameters."""
    methods = " ".join(texts_below(results["single"], "Methods"))
    assert "(boxes) were compared with the target crowns (targets) by RandCrowns" in methods
    # Stewart et al. (2021): alpha 0.7 m, omega 1.2 m and gamma 3 for boxes drawn on images.
    assert "more than 0.7\N{NO-BREAK SPACE}m inside the outline" in methods
    assert "begins 1.2\N{NO-BREAK SPACE}m outside the outline" in methods
    assert "paired with the delineation of the nearest centroid" in methods
    assert "in field species, were compared in a confusion matrix" in methods


def test_the_layers_that_were_compared_are_listed(results) -> None:
    texts = " ".join(texts_below(results["rank"], "What was compared"))
    for name in ("anna", "ben", "cleo", "near", "far"):
        assert name in texts
    assert "a layer in memory" in texts


def test_the_study_area_is_listed_with_what_was_compared() -> None:
    layers = {name: crowns(number, 0.5) for number, name in enumerate(["ann", "ben"])}
    extent = (EAST - 10, NORTH - 10, EAST + 60, NORTH + 60)
    result = rc.compare_annotators(layers, extent=extent, bootstrap_samples=20)
    area = f"{extent[0]}, {extent[1]}, {extent[2]}, {extent[3]}: the polygons or the rectangle"
    assert any(
        name == "Study area" and text.startswith(area) for name, text in parameter_texts(result)
    )
    page = report_page([result])
    compared = page[page.index("What was compared") :]
    assert compared.count(area) == 2
    assert "Study area" not in page[: page.index("</h1>")]

    unlimited = rc.compare_annotators(layers, bootstrap_samples=20)
    assert dict(parameter_texts(unlimited))["Study area"].startswith("the area that any annotator")

    scores = rc.score(layers["ann"], layers["ben"], extent=extent)
    assert dict(parameter_texts(scores))["Image extent"].endswith(str(extent[3]))


def test_cited_works_are_those_that_the_methods_name(results) -> None:
    cited = " ".join(texts_below(results["evaluate"], "References"))
    assert "Kirillov" in cited
    assert "Congalton" in cited
    assert "Lampert" not in cited


def pictures_of(result, kind: str) -> list:
    """The pictures of a part of the page, ``map`` or ``crowns``."""
    tag = {"map": "figure", "crowns": "ul"}[kind]
    parts = [part for part in parsed(result).iter(tag) if part.get("class") == kind]
    return [picture for part in parts for picture in part.iter("img")]


@pytest.mark.parametrize(("kind", "score"), [("single", "RandCrowns"), ("evaluate", "IoU")])
def test_the_worst_and_typical_crowns_are_drawn_without_qgis(results, kind, score) -> None:
    result = results[kind]
    pictures = pictures_of(result, "crowns")
    assert all(one.get("src").startswith("data:image/svg+xml;base64,") for one in pictures)
    texts = [one.get("alt") for one in pictures]
    assert len(texts) == 20  # ten of each kind
    worst = [float(re.search(rf"{score} ([\d.]+)", text)[1]) for text in texts[:10]]
    values = result.targets[score.lower()].fillna(0.0)
    assert worst == pytest.approx(sorted(values)[:10], abs=0.0051)
    assert len(pictures_of(result, "map")) == 1


def test_layers_have_a_sheet_each_and_results_without_outlines_none(results, tmp_path) -> None:
    titles = ["".join(one.itertext()) for one in parsed(results["several"]).iter("h3")]
    assert [title for title in titles if "crowns of" in title] == [
        f"{kind} crowns of {layer}" for layer in ("near", "far") for kind in ("Worst", "Typical")
    ]
    for result in (written(results["single"], tmp_path), results["rank"]):
        assert pictures_of(result, "crowns") == pictures_of(result, "map") == []


def test_rankings_and_comparisons_have_their_figures(results, tmp_path) -> None:
    """The drawings describe the numbers of the tables for readers who cannot see them."""
    pairs = results["agree"].tables["pairs"]
    expected = [f"{row.first} – {row.second} {row.f1:.2f}" for row in pairs.itertuples()]
    (label,) = labels_of_drawings(results["agree"])
    assert label == f"F1 of every two annotators: {', '.join(expected)}"
    # A written result has no rows of pairs.
    assert labels_of_drawings(written(results["agree"], tmp_path)) == []
    labels = labels_of_drawings(results["rank"])
    curves = results["rank"].tables["curves"]
    expected = []
    for counted, column in (("crowns", "precision"), ("areas", "p_bar")):
        of_unit = curves[(curves["counted"] == counted) & curves[column].notna()]
        means = of_unit.groupby("detector", sort=False)[column].mean()
        expected += [
            f"Mean precision along the curves: {name} {mean:.2f}" for name, mean in means.items()
        ]
    assert labels == expected


def test_a_variance_and_a_choice_of_parameters_have_the_figures_of_the_toolbox(
    results, tmp_path
) -> None:
    """Medians and variances are those of the tables, also of a file that is read again."""
    variance = results["variance"]
    variance.write(tmp_path / "variance.gpkg")
    medians = ", ".join(
        f"{name} {np.median(variance.pairs[score]):.2f}"
        for score, name in (("randcrowns", "RandCrowns"), ("iou", "IoU"))
    )
    for result in (variance, read_record(tmp_path / "variance.gpkg")):
        assert labels_of_drawings(result) == [f"RandCrowns against IoU; medians: {medians}"]
        texts = [picture.get("alt") for picture in pictures_of(result, "crowns")]
        ranked = variance.crowns.sort_values("randcrowns_variance", ascending=False)
        names = zip(ranked["target_annotator"], ranked["target_id"], ranked["iou_mean"])
        expected = [f"{name}: target {number}, IoU {iou:.2f}" for name, number, iou in names]
        found = [re.sub(r"(?<=, )RandCrowns [^,]*, |, IoUCrowns.*", "", text) for text in texts]
        assert found[:4] == expected[:4]
        assert len(found) == 8
        assert len(pictures_of(result, "map")) == 1
    grid = results["tune"].grid["variance"]
    (label,) = labels_of_drawings(results["tune"])
    digits = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    numbers = label.rpartition(" from ")[2].replace("\xa0×\xa010", "e").split(" to ")
    ends = [float(number.translate(digits)) for number in numbers]
    assert label.startswith("Variance of RandCrowns from ")
    assert ends == pytest.approx([grid.min(), grid.max()], rel=0.005)
    assert labels_of_drawings(written(results["tune"], tmp_path)) == [label]


def test_a_variance_of_an_earlier_version_has_a_figure_without_annotators(results) -> None:
    """Its pairs have neither the names of both annotators nor outlines, and no target a rank."""
    result = results["variance"]
    tables = {
        **result.tables,
        "pairs": pd.DataFrame(result.pairs).drop(columns=["geometry", "series", "pair"]),
        "crowns": result.crowns.drop(columns=["example", "place"]),
    }
    earlier = replace(result, tables=tables)
    assert labels_of_drawings(earlier) == labels_of_drawings(result)
    assert pictures_of(earlier, "crowns") == []


def labels_of_drawings(result) -> list[str]:
    """The descriptions of the drawings of a page."""
    return [
        part.get("aria-label")
        for part in parsed(result).iter("{http://www.w3.org/2000/svg}svg")
        if part.get("role") == "img"
    ]


def test_a_long_name_is_short_everywhere_but_in_the_list_of_layers() -> None:
    name = "crowns_of_the_inventory_" + "north_" * 16
    summary = run_of({name: crowns_of(np.linspace(0.5, 0.9, 40))}).summary
    headline = [
        info("headline.counts", "Counts: {number}.", number=0),
        info("classes.none_confused", "{layer}: all classes are right.", layer=name),
    ]
    inputs = [InputLayer("delineations", name)]
    result = JobTables("score", summary, {"summary": summary}, headline=headline, inputs=inputs)
    sentences = answer_of(result)
    assert not any(name in sentence for sentence in sentences)
    assert sentences[2].endswith("north_: all classes are right.")
    page = parsed(result)
    short = sentences[2].partition(":")[0]
    assert short in ["".join(cell.itertext()) for cell in page.iter("th")]
    assert [element.tag for element in page.iter() if name in (element.text or "")] == ["dt"]


def test_the_map_names_its_coordinate_system_and_the_layers_that_it_does_not_show(results) -> None:
    page = " ".join("".join(parsed(results["several"]).itertext()).split())
    n_layers = len(set(results["several"].summary["layer"]))
    assert re.search(
        rf"The map shows the first of {n_layers} layers, \S+; the others are not on it\. "
        r"Coordinate system: .+? \(EPSG:\d+\)\.",
        page,
    )
    assert "layers, " not in " ".join(map_notes("EPSG:32633", "anna", 1))


@pytest.mark.parametrize("all_drawn", [True, False])
@pytest.mark.parametrize("job", ["score", "evaluate"])
def test_the_legend_of_the_map_has_the_statuses_of_the_crowns(job, all_drawn) -> None:
    """A target without a delineation, and a delineation without a target."""
    targets = crowns(1)
    drawn = targets.drop(index=3).reset_index(drop=True)
    drawn.loc[0, "geometry"] = shapely.Point(EAST + 200, NORTH).buffer(3)
    targets, drawn = targets.drop(columns="plot"), drawn.drop(columns="plot")
    run = {"score": rc.score, "evaluate": rc.evaluate}[job]
    result = run(targets, drawn, all_drawn=all_drawn)
    scored = scored_layers_of(result) if job == "score" else None
    labels = [entry.label for entry in crown_pictures(result, scored).legend]
    assert "not judged" not in labels if all_drawn else "not judged" in labels
    assert ("false detection" in labels) == all_drawn
    assert any(label.startswith("not detected") for label in labels)


def test_a_map_of_specks_is_replaced_by_a_sentence() -> None:
    near = np.array([[0.0, 0, 5, 5], [100, 0, 105, 5], [np.nan] * 4])
    assert is_map_legible(near)
    far = np.array([[0.0, 0, 5, 5], [9000, 0, 9005, 5]])
    assert not is_map_legible(far)
    assert "smaller than two pixels" in map_notes("", "", 1, is_legible=False)[0]


def test_the_size_of_areas_is_not_that_of_slivers_between_outlines() -> None:
    slivers = [[x, 0.0, x + 0.5, 0.5] for x in range(0, 900, 3)]
    crowns_of_map = [[x, 10.0, x + 6, 16.0] for x in range(0, 900, 60)]
    bounds = np.array([*slivers, *crowns_of_map], dtype=float)
    areas = np.array([0.01] * len(slivers) + [30.0] * len(crowns_of_map))
    assert not is_map_legible(bounds)
    assert is_map_legible(bounds, areas=areas)


def test_a_sentence_refers_to_tables_of_plots_only_if_there_are_any() -> None:
    near, far = (crowns(4), crowns(4))
    far["geometry"] = far.translate(9000, 9000)
    targets = pd.concat([near, far], ignore_index=True)
    for plot_field, has_plots in (("plot", True), ("", False)):
        result = rc.score(targets, {"same": targets}, plot_field=plot_field)
        notes = crown_pictures(result, scored_layers_of(result)).map_notes
        assert notes[0] == "There is no map: most crowns would be smaller than two pixels."
        assert (notes[1:] == ["The tables have the numbers of the plots."]) == has_plots


def test_the_methods_of_a_comparison_by_plot_resample_plots() -> None:
    by_plot = {}
    for name, drawn in ANNOTATORS.items():
        by_plot[name] = drawn.assign(plot=[f"q{row // 2}" for row in range(30)])
    methods = {}
    for plot_field in ("plot", ""):
        result = rc.compare_annotators(by_plot, plot_field=plot_field, bootstrap_samples=200)
        page = report_page([result])
        text = page[page.index(">Methods</h") :]
        methods[plot_field] = text[: text.index("</p>")]
        assert ("Side of a block" in page) == (not plot_field)
        assert ("Agreement by plot" in page) == bool(plot_field)
    assert "200 bootstrap samples of plots (Efron" in methods["plot"]
    assert "permutation test within plots" in methods["plot"]
    assert "block" not in methods["plot"]
    assert "permutation test within blocks" in methods[""]


def test_automatic_sides_are_a_rule_that_the_methods_state_once(results) -> None:
    page = report_page([results["agree"]])
    methods = page[page.index(">Methods</h") :].lower()
    assert methods[: methods.index("</p>")].count("side of a block") == 1
    assert "side of a block: an eighth of the longer side" in methods
    given = rc.compare_annotators(ANNOTATORS, bootstrap_samples=20, block_side=7)
    assert "side of a block: 7" in report_page([given]).lower()


def test_units_of_intervals_are_left_out_without_intervals() -> None:
    layers = {name: rows.head(2) for name, rows in ANNOTATORS.items()}
    page = report_page([rc.variance(layers)])
    assert "Intervals over" not in page
    assert "Intervals over" in report_page([rc.variance(ANNOTATORS)])
