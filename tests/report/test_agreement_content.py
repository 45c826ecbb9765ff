"""The answer on annotators and on a consensus: a sentence per question, and a table of numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as MatplotlibFigure

from randcrowns.report.agreement_content import (
    ConsensusSource,
    CrownCounts,
    agreement_answer,
    agreement_plot_parts,
    consensus_answer,
    consensus_caveats,
    further_statistics,
    kappa_sentence,
    pairs_figure,
    vote_parts,
)

SUMMARY = pd.DataFrame(
    [
        ("study_area", 1550.6, np.nan, np.nan),
        ("mean_f1", 0.9083, 0.8776, 0.9320),
        ("min_f1", 0.8583, np.nan, np.nan),
        ("max_f1", 0.9680, np.nan, np.nan),
        ("fleiss_kappa", 0.1369, 0.0748, 0.1980),
        ("smyth_bound", 0.0892, 0.0686, 0.1154),
        ("mean_f1", 0.5, 0.4, 0.6),  # of one of several images
    ],
    columns=["statistic", "value", "low", "high"],
)
STAPLE = ConsensusSource("STAPLE", ["ann", "ben"], "RandCrowns 1.0")
ROWS = [
    ["Mean pairwise F1", "0.908 (0.878–0.932)"],
    ["Lowest pairwise F1", "0.858"],
    ["Highest pairwise F1", "0.968"],
    ["Fleiss' kappa", "0.137 (0.075–0.198)"],
    ["Smyth's lower bound on the mean error", "0.089 (0.069–0.115)"],
]


def annotators(**columns):
    return pd.DataFrame({"annotator": ["ann", "ben", "cem"], **columns})


def test_numbers_of_the_agreement_are_in_a_table():
    answer = agreement_answer(SUMMARY, annotators())
    assert answer.sentences == [
        "The 3 annotators agree with a mean F1 by area of 0.908 (0.878–0.932)."
    ]
    assert answer.table.cells.rows == ROWS
    assert answer.table.note == "In brackets: 95 % interval."
    without = agreement_answer(SUMMARY.assign(low=np.nan, high=np.nan), annotators())
    assert without.table.note == ""


def plots_summary(n_plots, **columns):
    """Statistics of all plots together and of each plot."""
    names = ["all images", *(f"plot {number}" for number in range(1, n_plots + 1))]
    rows = [
        (statistic, value + number / (1 if unit else 1000), unit, name)
        for number, name in enumerate(names)
        for statistic, value, unit in (
            ("annotators", 3, ""),
            ("marked_by_any", 150.0, "m²"),
            ("mean_f1", 0.5, ""),
            ("min_f1", 0.4, ""),
            ("fleiss_kappa", 0.3, ""),
            ("smyth_bound", 0.2, ""),
        )
    ]
    table = pd.DataFrame(rows, columns=["statistic", "value", "unit", "image"])
    return table.assign(low=np.nan, high=np.nan, **columns)


def test_missing_intervals_have_a_reason():
    note = agreement_answer(plots_summary(5, marked_blocks=5), annotators()).table.note
    assert note == "There are no intervals for all plots together: 5 plots are fewer than 10."
    without_plots = plots_summary(0, marked_blocks=7)
    note = agreement_answer(without_plots, annotators()).table.note
    assert note.startswith("Fewer than ten blocks contain anything marked")
    note = agreement_answer(plots_summary(12, marked_blocks=12), annotators()).table.note
    assert note.startswith("Numbers that are defined in fewer than 100 bootstrap samples")


def test_each_plot_has_a_row():
    (part,) = agreement_plot_parts(plots_summary(3))
    (table,) = part.tables
    assert table.cells.titles[:3] == ["Plot", "Area marked by anybody (m²)", "Mean pairwise F1"]
    assert [row[0] for row in table.cells.rows] == ["plot 1", "plot 2", "plot 3"]
    assert table.cells.rows[1] == ["plot 2", "152.0", "0.502", "0.402", "0.302", "0.202"]
    assert agreement_plot_parts(plots_summary(0)) == []
    assert agreement_plot_parts(plots_summary(0).drop(columns="image")) == []


def test_of_many_plots_those_that_agree_least_have_a_row():
    (part,) = agreement_plot_parts(plots_summary(50))
    (table,) = part.tables
    assert [row[0] for row in table.cells.rows] == [f"plot {number}" for number in range(1, 21)]
    assert table.left_out == 30
    assert table.note == "The plots with the lowest mean pairwise F1 are shown."


def test_a_low_kappa_stands_with_the_agreement_by_chance():
    # Three of four places are marked by both, one by one of two: raw 0.75, mean decision 7/8,
    # by chance (7/8)² + (1/8)² = 50/64, kappa (48 - 50) / (64 - 50) = -1/7.
    assert kappa_sentence(-1 / 7, 0.75) == (
        "Fleiss' kappa is -0.143: two annotators decide alike on 75.0 % of the area, by chance on "
        "78.1 %."
    )
    raw = pd.DataFrame([("raw_agreement", 0.75, np.nan, np.nan)], columns=SUMMARY.columns)
    answer = agreement_answer(pd.concat([raw, SUMMARY]), annotators())
    assert answer.sentences[1].startswith("Fleiss' kappa is 0.137: two annotators decide alike on")
    # Without a study area, everything that is counted was marked by somebody.
    assert "means little" not in answer.sentences[1]
    for marked, has_note in ((1550.6, True), (1500.0, False)):
        any_mark = pd.DataFrame(
            [("marked_by_any", marked, np.nan, np.nan)], columns=SUMMARY.columns
        )
        noted = agreement_answer(pd.concat([raw, any_mark, SUMMARY]), annotators()).sentences[1]
        assert noted.endswith("only what somebody marked is counted.") == has_note
    assert kappa_sentence(0.1, 0.7, is_short=True, in_marked_area=True) == (
        "Fleiss' kappa in the marked area 0.100 (70.0 % alike, 66.7 % by chance)."
    )
    assert kappa_sentence(1.0, 1.0) == kappa_sentence(np.nan, 0.5) == ""


def test_the_answer_names_who_is_unlike_the_others():
    named = agreement_answer(SUMMARY, annotators(unlike=[0, 1, 0])).sentences[1]
    assert named == "Unlike the others, beyond chance (5 %, adjusted for all annotators): ben."
    nobody = agreement_answer(SUMMARY, annotators(unlike=[0, 0, 0])).sentences[1]
    assert nobody.startswith("No annotator is unlike the others beyond chance")
    untested = agreement_answer(SUMMARY, annotators(unlike=[np.nan] * 3))
    assert len(untested.sentences) == 1


def test_statistics_of_the_answer_are_not_repeated():
    counted = pd.DataFrame([("annotators", 3.0, np.nan, np.nan)], columns=SUMMARY.columns)
    summary = pd.concat([counted, SUMMARY])
    assert further_statistics(summary)["statistic"].tolist() == ["annotators", "study_area"]
    # The summary alone, without the table of annotators, has the same answer.
    assert agreement_answer(summary, pd.DataFrame()).table.cells.rows == ROWS
    counted["value"] = 1.0
    alone = further_statistics(pd.concat([counted, SUMMARY]))
    assert alone["statistic"].tolist() == ["annotators", *SUMMARY["statistic"].iloc[:-1]]


def test_a_single_annotator_has_no_answer():
    assert agreement_answer(SUMMARY, annotators().head(1)) == ([], None, ())
    assert agreement_answer(SUMMARY.head(1), annotators()) == ([], None, ())


def test_the_area_of_a_consensus_is_in_a_table():
    answer = consensus_answer(STAPLE, 1501.21, 0.0, "m")
    assert answer.sentences[0] == "The consensus has an area of 1,501.2 m²."
    assert answer.table.cells.rows == [
        ["Method", "STAPLE"],
        ["Area of the consensus", "1,501.2 m²"],
        ["Part of this area that nobody marked", "0.0 m²"],
    ]
    assert consensus_answer(STAPLE, float("nan"), float("nan"), "m") == ([], None, ())


def test_a_consensus_names_its_method_and_annotators_and_how_to_quote_it():
    performance = pd.DataFrame({"annotator": ["ann", "ben", "cem"], "kept": [1, 0, 1]})
    source = ConsensusSource.with_performance(
        "SIMPLE", ["one layer"], "RandCrowns 1.0", performance
    )
    assert consensus_answer(source, 10.0, 0.0, "m").sentences[1:] == [
        "It combines the delineations of ann, ben, cem by the method 'SIMPLE'.",
        "The method discarded: ben.",
        "To quote it: consensus of ann, ben, cem, SIMPLE, made with RandCrowns 1.0. Cite the works "
        "that the methods of the report name.",
    ]
    # Without a table of the annotators, the layers are named.
    layers = ConsensusSource.with_performance("STAPLE", ["ann", "ben"], "1.0", pd.DataFrame())
    assert layers.annotators == ["ann", "ben"]
    assert len(layers.sentences()) == 2
    assert ConsensusSource("STAPLE", [], "1.0").sentences() == ["Method: STAPLE."]


def test_the_raw_agreement_of_the_table_is_the_percentage_of_the_answer():
    raw = pd.DataFrame([("raw_agreement", 0.7512, 0.7, 0.8)], columns=SUMMARY.columns)
    summary = pd.concat([raw, SUMMARY]).assign(unit="")
    sentence = agreement_answer(summary, annotators()).sentences[1]
    assert "decide alike on 75.1 % of the area" in sentence
    row = further_statistics(summary).set_index("statistic").loc["raw_agreement"]
    assert row[["value", "low", "high"]].tolist() == [75.12, 70.0, 80.0]
    assert row["unit"] == "%"
    assert further_statistics(summary).set_index("statistic")["value"]["study_area"] == 1550.6


def test_a_consensus_of_crowns_has_their_numbers():
    table = consensus_answer(STAPLE, 10.0, 0.0, "m", CrownCounts(3, 1)).table
    assert table.note == ""
    areas = consensus_answer(STAPLE, 10.0, 0.0, "m").table
    assert areas.note == "Crowns that touch form one polygon."
    assert table.cells.rows[1:3] == [["Crowns", "3"], ["Trees that too few annotators drew", "1"]]


def test_crowns_are_counted_by_votes():
    crowns = pd.DataFrame(
        {"votes": [2, 3, 3], "area": [4.0, 10.0, 11.5], "mean_iou": [0.5, 0.7, 0.9]}
    )
    (part,) = vote_parts(crowns, "m")
    # Of the two crowns with three votes: 10 + 11.5 m², and a mean of 0.7 and 0.9.
    assert part.tables[0].cells.rows == [["3", "2", "21.5", "0.800"], ["2", "1", "4.0", "0.500"]]
    assert part.tables[0].cells.titles[2] == "Area (m²)"
    assert vote_parts(crowns.drop(columns="votes"), "m") == []
    assert vote_parts(pd.DataFrame(), "m") == []


def test_the_answer_explains_outliers_that_the_test_does_not_confirm():
    table = annotators(unlike=[0, 1, 0], outlier=[1, 1, 0])
    names = table["annotator"].tolist()
    sentence = agreement_answer(SUMMARY, table).sentences[2]
    assert "the rule of Lampert et al. (2016)" in sentence
    assert f"standard deviation: {names[0]}. " in sentence
    confirmed = agreement_answer(SUMMARY, annotators(unlike=[0, 1, 0], outlier=[0, 1, 0]))
    assert not any("Lampert" in one for one in confirmed.sentences)


def test_measures_of_the_answer_are_explained():
    cells = agreement_answer(SUMMARY, annotators(unlike=[0, 0, 0])).table.cells
    titles = {row[0] for row in cells.rows}
    explained = dict(cells.meanings)
    assert set(explained) <= titles
    assert {"Mean pairwise F1", "Fleiss' kappa"} & titles <= set(explained)


def test_numbers_of_a_larger_matrix_are_larger():
    names = [f"annotator_{number:02}" for number in range(12)]
    pairs = pd.DataFrame({"f1": np.linspace(0, 1, 66)})
    panel = pairs_figure(pd.DataFrame({"annotator": names}), pairs).panels[0]
    axes = MatplotlibFigure(figsize=(panel.width, panel.height)).subplots()
    panel.draw(axes)
    assert min(text.get_fontsize() for text in axes.texts) > 7


def test_a_consensus_of_all_that_anybody_marked_is_a_warning():
    rows = pd.DataFrame({"annotator": ["ann", "ben"], "specificity": [0.0, 1.0]})
    (caveat,) = consensus_caveats(rows)
    assert "gives ann a specificity of 0" in caveat
    assert consensus_caveats(rows.assign(specificity=[0.9, 1.0])) == []
    assert consensus_caveats(rows.drop(columns="specificity")) == []
    assert consensus_caveats(pd.DataFrame()) == []
