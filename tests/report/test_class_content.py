"""Parts of a report about classes and strata: numbers read back from figures and tables."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
import shapely
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from randcrowns.core.classes import StrataRequest, SummariseBy
from randcrowns.core.classes.evaluation import ClassInputs, evaluate_classes
from randcrowns.core.classes.matrix import arrange_matrix
from randcrowns.core.classes.summarise import StratumScores, strata_messages, summarise_strata
from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.matching import Matching
from randcrowns.report.class_content import (
    class_parts,
    draw_confusion,
    strata_parts,
    unit_of_strata,
)
from randcrowns.report.colours import relative_luminance
from randcrowns.report.language import Language, use_language
from randcrowns.report.theme import encode_panel

SVG = "{http://www.w3.org/2000/svg}"


def texts_of(panel):
    """Texts of a diagram."""
    drawing = ElementTree.fromstring(encode_panel(panel, "svg"))
    return ["".join(text.itertext()).strip() for text in drawing.iter(f"{SVG}text")]


def evaluation(reference, predicted):
    """The comparison of crowns that are all matched."""
    rows = np.arange(len(reference))
    sides = (np.array(reference, dtype=object), np.array(predicted, dtype=object))
    return evaluate_classes(ClassInputs(*sides, Matching(rows, rows, np.zeros(len(rows)))))


def parts_of(**layers):
    tables = [
        [getattr(found, name).assign(layer=layer) for layer, found in layers.items()]
        for name in ("cells", "classes", "summary")
    ]
    return class_parts(*(pd.concat(parts, ignore_index=True) for parts in tables))


@pytest.mark.parametrize("n_right", range(0, 21, 4))
def test_counts_contrast_with_their_cells(n_right):
    """WCAG 2.2, 1.4.3: at least 4.5 to 1, by the relative luminances of text and ground."""
    found = evaluation(["oak"] * 20 + ["ash"], ["oak"] * n_right + ["ash"] * (21 - n_right))
    matrix = arrange_matrix(found.cells)
    axes = Figure().subplots()
    draw_confusion(axes, matrix)
    assert len(axes.texts) == len(axes.patches) > 0
    # A dark page replaces black and white, but not the colours of the cells.
    assert not {"#000000", "#ffffff"}.intersection(text.get_color() for text in axes.texts)
    for cell, text in zip(axes.patches, axes.texts):
        pair = [
            relative_luminance(*to_rgb(one)) for one in (cell.get_facecolor(), text.get_color())
        ]
        assert (max(pair) + 0.05) / (min(pair) + 0.05) >= 4.5


@pytest.mark.parametrize(("all_drawn", "label"), [(True, "false detection"), (False, "not judged")])
def test_predictions_without_a_target_are_false_only_if_all_crowns_were_drawn(all_drawn, label):
    sides = (np.array(["oak"], dtype=object), np.array(["oak", "ash"], dtype=object))
    matching = Matching(np.array([0]), np.array([0, -1]), np.zeros(1))
    found = evaluate_classes(ClassInputs(*sides, matching, all_drawn=all_drawn))
    (part,) = parts_of(found=found)
    texts = texts_of(part.figures[0].panels[0])
    assert set(texts).intersection(["false detection", "not judged"]) == {label}
    table = next(one for one in part.tables if one.title == "Numbers per class")
    numbers = [dict(zip(table.cells.titles, row)) for row in table.cells.rows]
    not_judged = {row["Class"]: row.get("Not judged") for row in numbers}
    assert not_judged == ({"oak": None, "ash": None} if all_drawn else {"oak": "0", "ash": "1"})
    assert {row["Class"]: row["Predictions"] for row in numbers} == {"oak": "1", "ash": "1"}


def test_the_figure_shows_the_numbers_of_the_matrix():
    found = evaluation(["oak"] * 7 + ["ash"] * 5, ["oak"] * 4 + ["ash"] * 8)
    (part,) = parts_of(found=found)
    (figure,) = part.figures
    texts = texts_of(figure.panels[0])
    assert [text for text in texts if text.isdigit()] == ["5", "3", "4"]
    assert texts.count("oak") == texts.count("ash") == 2
    assert "oak taken as ash: 3" in figure.panels[0].description
    assert "12 targets and predictions without a target" in figure.caption
    summary, confusions, numbers = part.tables
    low, high = found.summary.set_index("metric").loc["accuracy", ["low", "high"]]
    assert summary.cells.rows[0] == ["Accuracy of matched pairs", f"0.750 ({low:.3f}–{high:.3f})"]
    assert summary.cells.titles == ["Measure", "Value"]
    # Every measure is explained; both F1 say what they count.
    assert [title for title, _ in summary.cells.meanings] == [row[0] for row in summary.cells.rows]
    assert "among matched pairs" in dict(summary.cells.meanings)["F1, mean of classes"]
    rates = dict(numbers.cells.meanings)
    assert [*rates] == ["Producer's accuracy", "User's accuracy", "F1 of match and class"]
    assert "a match of the right class" in rates["F1 of match and class"]
    assert confusions.cells.rows == [["oak", "ash", "3", "43"]]
    assert [row[:5] for row in numbers.cells.rows] == [
        ["ash", "5", "8", "5", "5"],
        ["oak", "7", "4", "7", "4"],
    ]
    assert part.sentences == []  # no paragraph of numbers


def test_right_predictions_are_counted_if_one_is_the_match_of_several_targets():
    found = evaluation(["oak"] * 7 + ["ash"] * 5, ["oak"] * 4 + ["ash"] * 8)
    is_oak = found.classes["class"] == "oak"
    shared = found.classes.assign(
        user_accuracy=found.classes["user_accuracy"].mask(is_oak, 0.75), layer="boxes"
    )
    tables = (found.cells.assign(layer="boxes"), shared, found.summary.assign(layer="boxes"))
    (part,) = class_parts(*tables)
    assert part.tables[-1].note.endswith("Right predictions: oak: 3 of 4.")
    (single,) = parts_of(found=found)
    assert "Right predictions" not in single.tables[-1].note


def test_long_names_are_short_in_the_titles_of_parts():
    found = evaluation(["oak"] * 7 + ["ash"] * 5, ["oak"] * 4 + ["ash"] * 8)
    for part in parts_of(**{"crowns_" * 17 + letter: found for letter in "ab"}):
        assert len(part.title) < 45


def test_the_colours_of_the_matrix_have_a_legend_of_those_that_occur():
    (part,) = parts_of(found=evaluation(["oak"] * 7 + ["ash"] * 5, ["oak"] * 4 + ["ash"] * 8))
    texts = texts_of(part.figures[0].panels[0])
    assert {"right class", "wrong class"} <= set(texts)
    assert "not detected" not in " ".join(texts)


def test_numbers_of_the_tables_are_in_the_language_in_use():
    found = evaluation(["oak"] * 7 + ["ash"] * 5, ["oak"] * 4 + ["ash"] * 8)
    before = use_language(Language(localize_number=lambda number: number.replace(".", ",")))
    try:
        (part,) = parts_of(found=found)
    finally:
        use_language(before)
    summary, _, numbers = part.tables
    assert summary.cells.rows[0][1].startswith("0,750 (0,")
    assert numbers.cells.rows[0][-1] == "0,769"  # 2 * 5 / (5 + 8)
    assert not any(
        "." in text for table in (summary, numbers) for row in table.cells.rows for text in row
    )


def test_limits_of_strata_are_in_the_language_in_use():
    score = np.linspace(0.2, 0.4, 40)
    crowns = Crowns([shapely.box(9 * x, 0, 9 * x + 4, 4) for x in range(40)])
    request = StrataRequest(SummariseBy.AREA, name="area", breaks=(7.25, 20.5))
    none = np.zeros(40, dtype=bool)
    found = summarise_strata(request, crowns, crowns, StratumScores({"iou": score}, ~none, none))

    def translate(template, one="", **values):
        texts = {
            name: str(value).replace(".", ",") if isinstance(value, float) else value
            for name, value in values.items()
        }
        return template.format(**texts)

    before = use_language(Language(translate, lambda number: number.replace(".", ",")))
    try:
        (part,) = strata_parts(found.table.assign(layer="a"), pd.DataFrame(), "area", "m²")
    finally:
        use_language(before)
    (table,) = part.tables
    assert [row[0] for row in table.cells.rows] == ["< 7,25", "7,25 to < 20,5", "≥ 20,5"]
    assert "7,25 to < 20,5 (40)" in texts_of(part.figures[0].panels[0])


def test_each_layer_has_its_part():
    right, wrong = evaluation(["oak"], ["oak"]), evaluation(["oak"], ["ash"])
    first, second = parts_of(first=right, second=wrong)
    assert ("first" in first.title, "second" in second.title) == (True, True)
    assert len(first.tables) == 2  # nothing is confused
    assert class_parts(pd.DataFrame(), pd.DataFrame(), pd.DataFrame()) == []


def test_a_matrix_of_many_classes_shows_the_most_confused_ones():
    names = [f"class {number}" for number in range(40)]
    (part,) = parts_of(found=evaluation(names * 2, [*names, names[1], names[0], *names[2:]]))
    texts = texts_of(part.figures[0].panels[0])
    assert {"class 0", "class 1"} <= set(texts)
    assert len([text for text in texts if text.startswith("class")]) == 2 * 30


@pytest.mark.parametrize(("shift", "key"), [(0.0, "cannot be told apart"), (0.5, "is lower than")])
def test_strata_have_a_sentence_a_figure_and_a_table(shift, key):
    score = np.tile(np.linspace(0.2, 0.4, 20), 2) + np.repeat([0.0, shift], 20)
    crowns = Crowns([shapely.box(9 * x, 0, 9 * x + 4, 4) for x in range(40)])
    request = StrataRequest(
        SummariseBy.ATTRIBUTE, values=np.repeat(["ash", "oak"], 20), name="species"
    )
    results = StratumScores({"iou": score}, np.ones(40, bool), np.zeros(40, bool))
    summary = summarise_strata(request, crowns, crowns, results)
    (part,) = strata_parts(
        summary.table.assign(layer="found"), summary.tests.assign(layer="found"), "species"
    )
    assert part.sentences[0].startswith("IoU by species: ")
    assert key in part.sentences[0]
    assert "ash (20)" in texts_of(part.figures[0].panels[0])
    (table,) = part.tables
    names, crowns, found = zip(*(row[:3] for row in table.cells.rows))
    assert names == ("ash", "oak", "predictions without a target")
    assert crowns == ("20", "20", "")
    assert found == ("1.000", "1.000", "")
    assert table.cells.rows[0][3].startswith("0.300 (")
    assert table.note == "In brackets: 95 % interval."
    assert "Bars: " in part.figures[0].caption


@pytest.mark.parametrize(
    ("by", "unit", "expected"),
    [
        ("area", "m", " (m²)"),
        ("area", "px", " (px²)"),
        ("edge", "m", " (m)"),
        ("crowding", "m", ""),
    ],
)
def test_limits_of_strata_have_their_unit_in_the_title_and_in_the_table(by, unit, expected):
    crowns = Crowns([shapely.box(9 * x, 0, 9 * x + 4, 4) for x in range(4)])
    request = StrataRequest(SummariseBy.AREA, breaks=(9.0, 20.0), name=by)
    results = StratumScores({"iou": np.ones(4)}, np.ones(4, bool), np.zeros(4, bool))
    summary = summarise_strata(request, crowns, crowns, results)
    (part,) = strata_parts(
        summary.table.assign(layer="found"),
        summary.tests.assign(layer="found"),
        by,
        unit_of_strata(by, unit),
    )
    assert part.title == f"Strata by {by}{expected}"
    assert part.tables[0].cells.titles[0] == f"Stratum{expected}"


def test_the_table_of_strata_has_crowns_without_a_value_and_without_a_target():
    """Three ashes, an oak and two crowns without a species; one of four predictions is false."""
    species = np.array(["ash", "ash", "ash", "oak", None, None], dtype=object)
    targets = Crowns([shapely.box(9 * x, 0, 9 * x + 4, 4) for x in range(6)])
    predictions = Crowns([shapely.box(9 * x, 0, 9 * x + 4, 4) for x in range(4)])
    request = StrataRequest(SummariseBy.ATTRIBUTE, values=species, name="species")
    results = StratumScores(
        {"iou": np.array([0.5, 0.5, 0.5, 0.25, 0.75, 0.25])},
        np.array([True, True, True, False, True, False]),
        np.array([False, False, False, True]),
    )
    summary = summarise_strata(request, targets, predictions, results)
    (part,) = strata_parts(
        summary.table.assign(layer="found"), summary.tests.assign(layer="found"), "species"
    )
    (table,) = part.tables
    titles = ["Stratum", "Crowns", "Detected, share", "IoU", "Predictions without a target"]
    assert table.cells.titles == titles
    assert [row[:2] + row[-1:] for row in table.cells.rows] == [
        ["ash", "3", ""],
        ["oak", "1", ""],
        ["no value", "2", ""],
        ["predictions without a target", "", "1"],
    ]
    assert table.cells.rows[2][2:4] == ["0.500", "0.500"]
    assert table.cells.rows[3][2:4] == ["", ""]
    figure_texts = texts_of(part.figures[0].panels[0])
    assert {"ash (3)", "oak (1)"} <= set(figure_texts)
    assert "no value (2)" not in figure_texts
    # One oak has no interval, nor have three ashes.
    assert not table.note
    assert "Bars: " not in part.figures[0].caption


def test_scores_with_the_same_result_of_the_test_share_a_sentence():
    tests = pd.DataFrame(
        {
            "layer": "found",
            "score": ["randcrowns", "iou", "iou_crowns"],
            "differs": False,
            "p": [np.nan, 0.5, np.nan],
        }
    )
    assert [str(message) for message in strata_messages("area", tests, 3)] == [
        "IoU by area: the strata cannot be told apart.",
        "RandCrowns, IoUCrowns by area: there are too few crowns or plots to compare the strata.",
    ]
