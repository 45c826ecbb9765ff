"""The answer, the tables and the figures of scoring runs."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.text import Text
from support.score_tables import crowns_of, run_of

from randcrowns.core.messages import info
from randcrowns.core.review.problems import ProblemLimits
from randcrowns.core.scoring.layer import SCORE_NAMES, SCORES
from randcrowns.report.crown_sheets import score_texts
from randcrowns.report.score_content import (
    answer_sentences,
    answer_table,
    problem_figures,
    score_figures,
    score_run_answer,
)
from randcrowns.report.theme import encode_panel, new_figure

NOISE = np.random.default_rng(1).normal(0, 0.05, 40)
BASE = np.linspace(0.5, 0.9, 40)
SVG = "{http://www.w3.org/2000/svg}"


def texts_of(panel):
    """Texts of a diagram."""
    drawing = ElementTree.fromstring(encode_panel(panel, "svg"))
    return ["".join(text.itertext()).strip() for text in drawing.iter(f"{SVG}text")]


def test_a_layer_that_differs_from_all_others_is_called_better():
    run = run_of({"low": crowns_of(BASE - 0.2 + NOISE), "high": crowns_of(BASE)})
    first, test = answer_sentences(run)
    mean = f"{BASE.mean():.3f}"
    assert first == (
        f"high is better than all others: it has the highest mean RandCrowns, {mean}, and differs "
        "from low."
    )
    assert "paired tests over the crowns" in test


def test_long_names_are_short_in_the_sentence_and_in_the_table():
    names = [f"crowns_of_the_inventory_{'north_' * 16}{letter}" for letter in "ab"]
    run = run_of(dict(zip(names, (crowns_of(BASE - 0.2 + NOISE), crowns_of(BASE)))))
    sentence = answer_sentences(run)[0]
    assert len(sentence) < 200
    best, worse = sentence.split(" is better")[0], sentence.split("differs from ")[1]
    assert best.endswith("b")
    assert worse.endswith("a.")
    assert [row[0] for row in answer_table(run).cells.rows] == [best, worse.removesuffix(".")]


def test_layers_that_differ_by_chance_only_are_not_ranked():
    run = run_of({"a": crowns_of(BASE + NOISE), "b": crowns_of(BASE)})
    best, other = ("a", "b") if NOISE.mean() > 0 else ("b", "a")
    means = {"a": (BASE + NOISE).mean(), "b": BASE.mean()}
    first, second, _ = answer_sentences(run)
    assert first == "No layer can be called better than the others."
    assert second == (
        f"{best} has the highest mean RandCrowns, {means[best]:.3f}; {other} has the lowest, "
        f"{means[other]:.3f}."
    )


def test_the_best_of_three_may_be_better_than_one_only():
    layers = {"a": BASE, "b": BASE - 0.001 + NOISE - NOISE.mean(), "c": BASE - 0.3 + NOISE}
    sentences = answer_sentences(run_of({name: crowns_of(v) for name, v in layers.items()}))
    assert sentences[0] == f"a has the highest mean RandCrowns, {BASE.mean():.3f}."
    assert sentences[1] == "It is better than c, but cannot be told apart from b."


def test_the_pairs_of_a_test_are_the_targets():
    """A difference of 0.01 for every target is certain, however much the targets differ."""
    wide = np.linspace(0.0, 0.9, 40)
    steady = np.where(np.arange(40) % 2, 0.008, 0.012)
    run = run_of({"a": crowns_of(wide + steady), "b": crowns_of(wide)})
    assert answer_sentences(run)[0].startswith("a is better than all others")


def test_few_plots_allow_no_test():
    plots = np.repeat(["p", "q"], 20)
    run = run_of({"a": crowns_of(BASE, plots), "b": crowns_of(BASE - 0.2, plots)})
    sentences = answer_sentences(run)
    assert sentences[1].startswith("Whether it is better than the others cannot be tested")


def test_a_summary_alone_allows_no_test():
    run = run_of({"a": crowns_of(BASE), "b": crowns_of(BASE - 0.2)})
    sentences = answer_sentences(replace(run, crowns={}))
    assert sentences[1].endswith("these results do not contain the scores of the crowns.")


def test_plots_are_the_units_of_a_test():
    plots = np.repeat([f"plot {number}" for number in range(8)], 5)
    run = run_of({"a": crowns_of(BASE, plots), "b": crowns_of(BASE - 0.2 + NOISE, plots)})
    sentences = answer_sentences(run)
    assert sentences[0].startswith("a is better")
    assert "paired tests over the plots" in sentences[-1]


#: Conclusion of a run, and what it says about classes.
HEADLINE = [
    info("headline.scores", "{layer}: RandCrowns 0.70.", layer="boxes"),
    info("headline.counts", "Counts: false detections: {number}.", number=2),
    info("classes.none_confused", "{layer}: all classes are right.", layer="boxes"),
]


def test_a_single_layer_has_a_short_sentence_for_each_question():
    problems = ["too large"] * 3 + ["shifted"] * 2 + ["none"] * 35
    run = run_of({"boxes": crowns_of(BASE, problems=problems)}, unmatched=2)
    overall = run.overall.loc["boxes"]
    low, high = overall["randcrowns_low"], overall["randcrowns_high"]
    mean = f"{BASE.mean():.3f} ({low:.3f}–{high:.3f})"
    answer = score_run_answer(run, HEADLINE)
    assert answer.sentences == [
        f"boxes has a mean RandCrowns of {BASE.mean():.3f}, over 40 of 40 targets.",
        "Counts: false detections: 2.",
        "boxes: all classes are right.",
        "The most frequent problem is 'too large' (3 crowns).",
    ]
    assert answer.table.cells.rows[0][:2] == ["boxes", mean]
    assert answer_sentences(run) == []


def test_the_conclusion_of_an_earlier_version_is_the_whole_answer_of_a_single_layer():
    run = run_of({"boxes": crowns_of(BASE)})
    old = [message for message in HEADLINE if message.key != "headline.counts"]
    sentences = ["boxes: RandCrowns 0.70.", "boxes: all classes are right."]
    assert score_run_answer(run, old).sentences == sentences


def test_a_single_layer_says_over_how_many_targets_its_mean_is():
    run = run_of({"boxes": crowns_of(BASE)})
    run.summary["too_small"] = 3
    run.summary["targets"] += 3
    assert "over 40 of 43 targets." in score_run_answer(run, HEADLINE).sentences[0]


def test_targets_in_plots_without_delineations_are_stated_with_the_mean():
    plots = np.repeat(["p", "q"], [36, 4])
    run = run_of({"boxes": crowns_of(np.repeat([1.0, 0.0], [36, 4]), plots)})
    assert "plots without" not in score_run_answer(run, HEADLINE).sentences[0]
    run.summary.loc[run.summary["plot"] == "q", "delineations"] = 0
    assert score_run_answer(run, HEADLINE).sentences[0] == (
        "boxes has a mean RandCrowns of 0.900, over 40 of 40 targets; 4 targets are in plots "
        "without any delineation (1) and lower it, because each counts as 0."
    )
    both = run_of(dict.fromkeys(("a", "b"), run.crowns["boxes"]))
    both.summary.loc[
        (both.summary["plot"] == "q") & (both.summary["layer"] == "b"), "delineations"
    ] = 0
    assert answer_table(both).note.endswith("count as 0: b: 4.")


def test_the_name_of_a_single_layer_is_short_in_its_sentence():
    name = "crowns of the inventory " + "of the north " * 8
    sentence = score_run_answer(run_of({name: crowns_of(BASE)}), HEADLINE).sentences[0]
    assert len(sentence) < 105


def test_a_single_layer_without_scores_says_so():
    run = run_of({"boxes": crowns_of(np.full(3, np.nan))})
    assert score_run_answer(run, HEADLINE).sentences[0] == "No target has a score with boxes."


def test_several_layers_have_their_comparison_and_the_sentences_on_classes():
    run = run_of({"low": crowns_of(BASE - 0.2 + NOISE), "high": crowns_of(BASE)})
    sentences = score_run_answer(run, HEADLINE).sentences
    assert sentences == [*answer_sentences(run), "boxes: all classes are right."]


def test_delineations_that_are_not_judged_are_no_false_detections():
    """Only some crowns were drawn: the recall comes first, and there are no false detections."""
    run = run_of({"boxes": crowns_of(BASE, problems=["shifted"] * 2 + ["none"] * 38)}, unmatched=7)
    judged = problem_figures(run)
    assert "false detection 7" in judged[0].panels[0].description
    run = replace(
        run,
        summary=run.summary.assign(
            not_judged=run.summary["unmatched_delineations"],
            unmatched_delineations=np.nan,
            recall_randcrowns_0_5=0.75,
            recall_randcrowns_0_5_low=0.6,
            recall_randcrowns_0_5_high=0.875,
        ),
    )
    table = answer_table(run).cells
    assert list(table.titles[:3]) == ["Layer", "Recall", "RandCrowns"]
    assert list(table.titles[-3:]) == ["Detected", "Not detected", "Not judged"]
    assert table.rows[0][1] == "0.750 (0.600–0.875)"
    assert table.rows[0][-1] == "7 of 47"
    sentences = score_run_answer(run, HEADLINE).sentences
    assert sentences[0] == (
        "boxes has a recall of 0.750 (0.600–0.875): the share of the targets with a RandCrowns of "
        "at least 0.5."
    )
    assert sentences[-1] == "The most frequent problem is 'shifted' (2 crowns)."
    assert "false detection" not in problem_figures(run)[0].panels[0].description


def test_the_means_of_a_single_layer_are_in_the_table_of_the_answer_only():
    run = run_of({"boxes": crowns_of(BASE)})
    titles = [figure.title for figure in score_figures(run)]
    assert titles == ["Distribution of the scores", "RandCrowns and IoU of every target"]


def test_the_table_of_the_answer_counts_targets_that_are_too_small_if_there_are_any():
    run = run_of({"boxes": crowns_of(BASE)})
    titles = answer_table(run).cells.titles
    assert titles[-3:] == ["Detected", "Not detected", "False detections"]
    run.summary["too_small"] = 3
    table = answer_table(run)
    assert (table.cells.titles[-1], table.cells.rows[0][-1]) == ("Too small", "3")
    # Targets that their pair does not reach are part of those that were not detected.
    run.summary["missed"] = 2
    run.summary["unmatched_targets"] = 3
    table = answer_table(run)
    assert (table.cells.titles[5], table.cells.rows[0][5]) == ("Not detected", "5")


def test_a_layer_without_scores_has_no_answer():
    assert answer_sentences(run_of({"boxes": crowns_of(np.full(3, np.nan))})) == []


def test_the_table_of_the_answer_has_the_numbers_of_the_summary_and_the_best_layer_on_top():
    run = run_of({"low": crowns_of(BASE - 0.2), "high": crowns_of(BASE)}, unmatched=7)
    table = answer_table(run)
    assert [row[0] for row in table.cells.rows] == ["high", "low"]
    overall = run.overall.loc["high"]
    numbers = [
        f"{overall[f'{score}_mean']:.3f} ({overall[f'{score}_low']:.3f}–{overall[f'{score}_high']:.3f})"
        for score in SCORES
    ]
    assert table.cells.rows[0] == ["high", *numbers, "40 of 40", "0", "7 of 47"]


def test_the_texts_of_the_figures_are_the_numbers_of_the_summary():
    plots = np.repeat([f"plot {number}" for number in range(8)], 5)
    layers = {"a": crowns_of(BASE, plots), "b": crowns_of(BASE - 0.2, plots)}
    run = run_of(layers)
    means, distribution, scatter, by_plot = score_figures(run)
    for score, panel in zip(SCORES, means.panels):
        texts = texts_of(panel)
        assert SCORE_NAMES[score] in texts
        for layer in layers:
            row = run.overall.loc[layer]
            low, high = row[f"{score}_low"], row[f"{score}_high"]
            number = f"{row[f'{score}_mean']:.3f} ({low:.3f}–{high:.3f})"
            assert number in texts
            assert f"{layer} {number}" in panel.description
    assert all(texts_of(panel).count("40 crowns each") == 1 for panel in distribution.panels)
    assert {"0", "1", "2"} <= set(texts_of(scatter.panels[0]))  # ids of the worst targets
    for layer, panel in zip(layers, by_plot.panels):
        rows = run.plots[run.plots["layer"] == layer].sort_values("randcrowns_mean")
        texts = texts_of(panel)
        shown = [text for text in texts if text.startswith("plot ")]
        assert shown == rows["plot"].tolist()
        assert [f"{mean:.3f}" for mean in rows["randcrowns_mean"]] == [
            text for text in texts if re.fullmatch(r"\d\.\d{3}", text)
        ]


def test_means_are_sorted_for_each_score():
    frame = crowns_of(BASE)
    run = run_of({"a": frame, "b": frame.assign(randcrowns=BASE - 0.1, iou=BASE + 0.05)})
    orders = [
        [text for text in texts_of(panel) if text in ("a", "b")]
        for panel in score_figures(run)[0].panels
    ]
    assert orders[:2] == [["a", "b"], ["b", "a"]]


@pytest.mark.parametrize("n_crowns", [3, 200, 201, 6000])
def test_many_crowns_have_few_marks(n_crowns):
    values = np.random.default_rng(2).beta(5, 2, n_crowns)
    run = run_of({"a": crowns_of(values)})
    distribution, scatter = score_figures(run)
    drawings = [encode_panel(panel, "svg") for panel in (*distribution.panels, *scatter.panels)]
    assert max(map(len, drawings)) < 600_000
    assert (b"<image" in drawings[-1]) == (n_crowns > 5000)


def test_the_worst_plots_of_many_are_shown_and_the_caption_says_how_many_there_are():
    plots = np.repeat([f"plot {number:03d}" for number in range(100)], 2)
    values = np.repeat(np.linspace(0.1, 0.9, 100), 2)
    run = run_of({"a": crowns_of(values, plots)})
    figure = score_figures(run)[-1]
    shown = [text for text in texts_of(figure.panels[0]) if text.startswith("plot ")]
    assert shown == [f"plot {number:03d}" for number in range(40)]
    assert "The 40 worst of 100 plots" in figure.caption


def test_bars_of_problems_count_targets_and_unmatched_delineations():
    problems = ["too large"] * 3 + ["shifted"] * 2 + ["none"] * 35
    run = run_of({"boxes": crowns_of(BASE, problems=problems)}, unmatched=4)
    (figure,) = problem_figures(run)
    texts = texts_of(figure.panels[0])
    assert (
        figure.panels[0].description
        == "Problems of boxes: false detection 4, too large 3, shifted 2"
    )
    assert {"false detection", "too large", "shifted", "4", "3", "2"} <= set(texts)
    assert problem_figures(run_of({"boxes": crowns_of(BASE)})) == []


def test_scores_that_are_missing_are_left_out_of_figures():
    values = BASE.copy()
    values[:5] = np.nan
    run = run_of({"a": crowns_of(values), "b": crowns_of(np.full(40, np.nan))})
    figures = score_figures(run)
    texts = texts_of(figures[1].panels[0])
    assert {"35 crowns", "0 crowns"} <= set(texts)
    assert "n/a" in texts_of(figures[0].panels[0])


def test_the_first_of_equally_bad_crowns_are_named():
    crowns = crowns_of(np.zeros(5)).assign(area=[2.0, 9.0, 4.0, 1.0, 6.0])
    scatter = score_figures(run_of({"a": crowns}))[-1].panels[0]
    assert scatter.description.endswith("the worst targets: 0, 1, 2")


def test_names_of_the_worst_crowns_stay_inside_the_diagram():
    """All 40 targets have nearly the highest score, so that the names lie below each other."""
    run = run_of({"a": crowns_of(np.full(40, 0.999))})
    scatter = score_figures(run)[-1].panels[0]
    axes = new_figure(scatter.width, scatter.height).add_subplot()
    scatter.draw(axes)
    heights = sorted(text.xyann[1] for text in axes.texts)
    assert len(heights) == 3
    assert 0 < heights[0] < heights[-1] < 1
    # A name has a height of 0.065 of the axes.
    places = [text.xyann for text in axes.texts]
    for number, (x, y) in enumerate(places):
        assert all(
            abs(y - other_y) > 0.06 or abs(x - other_x) > 0.02
            for other_x, other_y in places[:number]
        )


def test_names_of_the_worst_crowns_cover_no_points():
    """The 20 targets with a score of 0 lie in a row along the axis, next to the named ones."""
    values = np.concatenate([np.zeros(20), np.linspace(0.5, 1, 20)])
    crowns = crowns_of(values).assign(iou=np.concatenate([np.linspace(0, 0.6, 20), values[20:]]))
    scatter = score_figures(run_of({"a": crowns}))[-1].panels[0]
    figure = new_figure(scatter.width, scatter.height)
    axes = figure.add_subplot()
    scatter.draw(axes)
    figure.draw_without_rendering()
    points = axes.transData.transform(crowns[["iou", "randcrowns"]].to_numpy())
    assert len(axes.texts) == 3
    for text in axes.texts:
        # The box of the letters alone, without the line to the point.
        text.arrow_patch.set_visible(False)
        box = Text.get_window_extent(text)
        assert not [point for point in points if box.contains(*point)]


def test_the_caption_of_means_says_up_to_only_if_the_numbers_differ():
    equal = score_figures(run_of({"a": crowns_of(BASE), "b": crowns_of(BASE)}))[0]
    assert equal.caption.startswith("Points: means of 40 targets.")
    run = run_of({"a": crowns_of(BASE), "b": crowns_of(BASE)})
    run.summary.loc[run.summary["layer"] == "a", "targets"] = 39
    assert score_figures(run)[0].caption.startswith("Points: means of up to 40 targets.")


def test_only_intervals_that_there_are_are_explained():
    """A layer of few crowns has none: neither brackets in the table nor bars in the figure."""
    run = run_of({"a": crowns_of(BASE), "b": crowns_of(BASE)})
    assert answer_table(run).note.startswith("Means of the targets; in brackets: 95 % interval.")
    ends = [f"{score}_{end}" for score in SCORES for end in ("low", "high")]
    run.summary[ends] = np.nan
    table = answer_table(run)
    assert not any("(" in cell for row in table.cells.rows for cell in row)
    assert table.note.startswith("Means of the targets.")
    caption = score_figures(run)[0].caption
    assert caption == "Points: means of 40 targets. The highest mean is on top."


def test_short_titles_of_the_answer_have_a_meaning():
    run = run_of({"a": crowns_of(BASE)})
    table = answer_table(run)
    meanings = dict(table.cells.meanings)
    assert "1 is the same within the tolerance" in meanings["RC"]
    assert meanings["IoUC"].startswith("IoUCrowns: ")
    assert "certain part of the crown" in meanings["Not detected"]


def test_a_delineation_of_two_targets_has_a_note():
    run = run_of({"a": crowns_of(BASE), "b": crowns_of(BASE)})
    assert "pair of several targets" not in answer_table(run).note
    run.crowns["b"]["delineation_id"] = range(40)
    run.crowns["b"]["status"] = "scored"
    assert "pair of several targets" not in answer_table(run).note
    run.crowns["b"].loc[1, "delineation_id"] = 0
    assert "pair of several targets" in answer_table(run).note
    # A target whose pair does not reach it is not detected.
    run.crowns["b"].loc[1, "status"] = "missed"
    assert "pair of several targets" not in answer_table(run).note


def test_more_detected_targets_than_paired_delineations_have_a_note():
    run = run_of({"a": crowns_of(BASE)})
    # 40 of 40 targets are detected by 45 - 6 delineations.
    summary = run.summary.assign(matched=40, delineations=45, unmatched_delineations=6)
    assert "pair of several targets" in answer_table(replace(run, summary=summary)).note
    summary["unmatched_delineations"] = 5
    assert "pair of several targets" not in answer_table(replace(run, summary=summary)).note


def test_the_problems_of_a_figure_are_defined():
    crowns = crowns_of(BASE)
    crowns["rc_problem"] = ["too large"] * 3 + ["split"] + [None] * 36
    (figure,) = problem_figures(run_of({"a": crowns}))
    assert "more than 1.5 times the target's, even if the score is 1" in figure.caption
    assert "A box is larger by nature than the crown that it encloses" in figure.caption
    assert "Split: several" in figure.caption
    assert "Merged" not in figure.caption
    assert "No delineation" not in figure.caption
    assert "Dark parts" not in figure.caption
    crowns["rc_problem"] = ["too large"] * 3 + ["missing"] * 2 + ["merged"] * 35
    run = replace(run_of({"a": crowns}), limits=ProblemLimits(larger=2.5))
    (figure,) = problem_figures(run)
    assert "more than 2.5 times the target's" in figure.caption
    # Targets without a delineation of their own are in several bars.
    assert "not detected can have another problem, such as 'merged'" in figure.caption


def test_the_dark_parts_of_the_problems_are_the_targets_not_detected_of_the_table():
    crowns = crowns_of(BASE)
    crowns["rc_problem"] = ["too large"] * 3 + ["missing"] + ["merged"] * 4 + [None] * 32
    crowns["status"] = ["scored"] * 3 + ["unmatched"] * 2 + ["missed"] + ["scored"] * 34
    run = run_of({"a": crowns})
    run.summary["missed"] = 1
    run.summary["unmatched_targets"] = 2
    (figure,) = problem_figures(run)
    assert "Dark parts of the bars: targets that were not detected" in figure.caption
    panel = figure.panels[0]
    axes = new_figure(panel.width, panel.height).add_subplot()
    panel.draw(axes)
    bars, dark = (
        {label.get_text(): bar.get_width() for label, bar in zip(axes.get_yticklabels(), container)}
        for container in axes.containers
    )
    assert bars == {"merged": 4, "too large": 3, "no delineation": 1}
    assert {label: width for label, width in dark.items() if width} == {
        "no delineation": 1,
        "merged": 2,
    }
    table = answer_table(run)
    column = table.cells.titles.index("Not detected")
    assert table.cells.rows[0][column] == str(int(sum(dark.values())))


def test_few_plots_are_named_if_layers_cannot_be_told_apart():
    # The layers differ in the first plot only.
    differences = np.repeat([0.4, 0.0], [8, 32])

    def sentences(n_plots, scores):
        plots = np.repeat([f"plot {number}" for number in range(n_plots)], 40 // n_plots)
        layers = {"a": crowns_of(BASE, plots), "b": crowns_of(scores, plots)}
        return " ".join(answer_sentences(run_of(layers)))

    few = sentences(5, BASE - differences)
    assert few.startswith("5 plots are too few to compare two layers: neither can be called better")
    assert "Tests of 5 plots find only large differences" in few
    assert "interval is for one layer alone" in few
    for enough in (sentences(5, BASE - 0.3), sentences(20, BASE - differences)):
        assert "too few" not in enough
        assert "interval is for one layer alone" not in enough


def test_few_plots_are_the_first_thing_to_know_of_many_layers():
    """Twelve layers, of which the last is far worse in two of five plots."""
    plots = np.repeat([f"plot {number}" for number in range(5)], 8)
    random = np.random.default_rng(8)
    names = [f"layer {number:02d}" for number in range(1, 13)]
    layers = {}
    for number, name in enumerate(names):
        plot_losses = np.zeros(5)
        plot_losses[random.integers(5)] = 0.05 * number
        if number == 11:
            plot_losses = np.array([0.0, 0.7, 0.1, 0.9, 0.0])
        loss = np.repeat(plot_losses, 8)
        layers[name] = crowns_of(np.clip(0.99 - loss, 0, 1), plots)
    sentences = answer_sentences(run_of(layers))
    assert sentences[0] == (
        "5 plots are too few to compare 66 pairs of layers: no layer can be called better than "
        "the others, but they may differ."
    )
    assert sentences[1].startswith("layer 01 has the highest mean RandCrowns, 0.990;")
    assert sentences[1].endswith("; layer 12 has the lowest, 0.650.")


def test_of_many_layers_the_last_one_is_named_too():
    """The layers are in the order of their means, whatever the order of the run."""
    layers = {f"layer {number}": BASE - 0.1 * number + NOISE for number in (7, 2, 4, 5, 6, 3, 8)}
    run = run_of({"best": crowns_of(BASE), **{n: crowns_of(v) for n, v in layers.items()}})
    named = "layer 2, layer 3, layer 4, layer 5, layer 6 and 2 more down to layer 8."
    assert answer_sentences(run)[0].endswith(f"differs from {named}")


def test_a_mean_without_an_interval_has_a_reason():
    run = run_of({"a": crowns_of(np.ones(40)), "b": crowns_of(BASE)})
    assert "A mean of exactly 0 or 1 has no interval" in answer_table(run).note
    assert "Means of fewer than" not in answer_table(run).note
    run = run_of({"a": crowns_of(BASE[:5]), "b": crowns_of(BASE)})
    assert "Means of fewer than 10 targets" in answer_table(run).note
    run = run_of({"a": crowns_of(BASE)})
    assert "no interval" not in answer_table(run).note


def test_a_long_name_has_one_short_form_that_fits_above_every_diagram():
    long = "Kronenkarte_Hinterzarten_Abteilung_17_Luftbild_RGB_10cm_DeepForest_v2_nachbearbeitet"
    plots = np.repeat([f"plot {number}" for number in range(8)], 5)
    problems = ["false detection of a crown"] * 4 + ["too large"] * 36
    layers = {name: crowns_of(BASE, plots, problems) for name in (long, "b")}
    run = run_of(layers)
    short = run.display_names[long]
    assert len(short) <= 30
    assert answer_table(run).cells.rows[0][0] == short
    assert any(short in sentence for sentence in answer_sentences(run))
    for figure in [*score_figures(run), *problem_figures(run)]:
        texts = set()
        for panel in figure.panels:
            drawn = new_figure(panel.width, panel.height)
            axes = drawn.add_subplot()
            panel.draw(axes)
            drawn.draw_without_rendering()
            texts |= {text.get_text() for text in drawn.findobj(Text)}
            title = axes.title.get_window_extent()
            assert title.x0 >= 0
            assert title.x1 <= drawn.bbox.x1
        assert any(text.removesuffix(": RandCrowns") == short for text in texts)


def test_the_diagrams_of_layers_are_in_the_order_of_the_table():
    plots = np.repeat([f"plot {number}" for number in range(8)], 5)
    layers = {
        name: crowns_of(BASE - low, plots, "too large")
        for name, low in (("a", 0.2), ("b", 0.0), ("c", 0.1))
    }
    run = run_of(layers)
    order = [row[0] for row in answer_table(run).cells.rows]
    assert order == ["b", "c", "a"]
    *_, scatter, by_plot = score_figures(run)
    (problems,) = problem_figures(run)
    for figure in (scatter, by_plot, problems):
        described = [panel.description for panel in figure.panels]
        assert [re.search(r"(?:of|,) ([abc])[:,]", text)[1] for text in described] == order


def test_the_name_of_a_point_is_not_beside_another_point():
    """The name of a target at 0 was once drawn at the point of another target."""
    scores = np.r_[np.zeros(3), 0.01, np.linspace(0.6, 1, 30)]
    crowns = crowns_of(scores)
    crowns["iou"] = np.r_[np.zeros(3), 0.13, np.linspace(0.4, 0.8, 30)]
    scatter = score_figures(run_of({"a": crowns}))[-1].panels[0]
    axes = new_figure(scatter.width, scatter.height).add_subplot()
    scatter.draw(axes)
    assert len(axes.texts) == 3
    others = crowns.loc[3:, ["iou", "randcrowns"]].to_numpy()
    for text in axes.texts:
        x, y = text.xyann
        own = np.hypot(*(np.array(text.xyann) - text.xy))
        assert own < np.hypot(*(others - [x, y]).T).min()


def test_targets_with_a_perfect_score_are_not_named_as_the_worst():
    scores = np.append(np.ones(9), 0.4)
    scatter = score_figures(run_of({"boxes": crowns_of(scores)}))[-1].panels[0]
    assert scatter.description.endswith("the worst targets: 9")
    perfect = score_figures(run_of({"boxes": crowns_of(np.ones(9))}))[-1].panels[0]
    assert perfect.description == "RandCrowns against IoU of boxes, 9 targets"


def test_the_tag_of_a_target_that_was_not_detected_says_so():
    crown = crowns_of([0.0], problems=["too large"]).iloc[0]
    crown["rc_cause"] = ""
    assert score_texts(crown).problem == "too large"
    crown["status"] = "unmatched"
    assert score_texts(crown).problem == "not detected: too large"
    crown["rc_problem"] = "missing"
    assert score_texts(crown).problem == "no delineation"


def test_a_tag_does_not_repeat_the_cause():
    """The cause names the problem at its end."""
    crown = crowns_of([0.0], problems=["too large"]).iloc[0]
    crown["rc_cause"] = "Delineation 2.1 times the crown: too large"
    assert score_texts(crown).problem == ""
    crown["status"] = "unmatched"
    texts = score_texts(crown)
    assert (texts.problem, texts.cause) == ("not detected", crown["rc_cause"])


def test_plots_of_a_perfect_layer_are_not_listed_and_many_worst_ones_are_counted():
    plots = np.repeat([f"plot {number:02}" for number in range(20)], 2)
    scores = np.repeat([0.0, 0.7], [36, 4])
    layers = {"good": crowns_of(np.ones(40), plots), "bad": crowns_of(scores, plots)}
    figure = score_figures(run_of(layers))[-1]
    assert figure.title == "Plots, the worst first"
    assert [panel.description[:27] for panel in figure.panels] == ["Mean RandCrowns, bad: plot "]
    assert "good: every plot has a mean of 1." in figure.caption
    assert "bad: 18 plots have the lowest mean, 0.000, and are not shown" in figure.caption
    assert "plot 18 0.700" in figure.panels[0].description
    assert "plot 17" not in figure.panels[0].description
    assert "plots with a mean of 1" not in figure.caption
    scores[:6] = 1.0
    partly = score_figures(run_of({"bad": crowns_of(scores, plots)}))[-1]
    assert "bad: 3 plots with a mean of 1 are not shown." in partly.caption
    perfect = score_figures(run_of({"good": layers["good"]}))
    assert "Plots, the worst first" not in [figure.title for figure in perfect]
