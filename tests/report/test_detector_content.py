"""The answer of runs that ranked detectors: one sentence, and a table with a row per detector."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from randcrowns.core.detectors.bootstrap import BootstrapRanking
from randcrowns.core.detectors.conclusion import BY_AREA, BY_CROWNS, conclude_ranking
from randcrowns.core.detectors.tables import AREAS, CROWNS, certainty_rows
from randcrowns.core.messages import info
from randcrowns.report.detector_content import (
    SkewLimits,
    ranking_answer,
    ranking_details,
    ranking_figures,
    rows_of_several,
    rows_with_value,
    skew_note,
)

#: Values of two detectors in bootstrap samples: the first always wins, or wins half of them.
SURE = {"first": np.full(40, 0.7), "second": np.full(40, 0.5)}
UNSURE = {"first": np.tile([0.7, 0.4], 20), "second": np.full(40, 0.5)}


def ranking(names, is_sure):
    """Bootstrap samples of two detectors, of which the first has the higher estimate."""
    resamples = pd.DataFrame(dict(zip(names, (SURE if is_sure else UNSURE).values())))
    return BootstrapRanking(pd.Series([0.7, 0.5], names), resamples, np.ones((40, 2)), 9)


def headline(crowns=None, areas=None):
    """Conclusion of a run by whole crowns and by area; arguments of :func:`ranking`."""
    messages = []
    if crowns is not None:
        by_crowns = partial(conclude_ranking, measure=BY_CROWNS, topic="crown_verdict")
        messages += by_crowns(ranking(*crowns)).messages
        messages.append(info("crown_verdict.truth", "Annotator: {name}.", name="ann"))
    if areas is not None:
        messages += conclude_ranking(ranking(*areas), measure=BY_AREA).messages
        messages.append(info("verdict.truth", "Ground truth: {truth}.", truth="0.5-GT"))
    return messages


def values_of(counted, truth, **values):
    """Rows of the table of values under one ground truth."""
    columns = {"counted": counted, "truth": truth}
    return pd.DataFrame(
        [{**columns, "detector": name, "value": value} for name, value in values.items()]
    )


def test_rows_without_a_value_are_left_to_the_notes():
    scores = values_of(AREAS, "any", a=0.5, b=np.nan)
    assert rows_with_value(scores)["detector"].tolist() == ["a"]
    with_recall = scores.assign(crown_recall=[np.nan, 0.25])
    assert rows_with_value(with_recall)["detector"].tolist() == ["a", "b"]
    without_any = values_of(AREAS, "LSML", a=np.nan, b=np.nan)
    assert rows_with_value(without_any)["detector"].tolist() == ["a", "b"]


def table_of(*arguments):
    """Titles and rows of the table of an answer."""
    cells = ranking_answer(*arguments).table.cells
    return cells.titles, cells.rows


@pytest.mark.parametrize(
    ("crowns", "areas", "sentence"),
    [
        ((["a", "b"], True), None, "By whole crowns, a is better than all other detectors."),
        (
            (["a", "b"], False),
            None,
            "By whole crowns, a comes first, but cannot be called better than the others.",
        ),
        (None, (["b", "a"], True), "By area, b is better than all other detectors."),
        (
            None,
            (["b", "a"], False),
            "By area, b comes first, but cannot be called better than the others.",
        ),
        (
            (["a", "b"], True),
            (["a", "b"], True),
            "a is better than all other detectors, by whole crowns and by area.",
        ),
        (
            (["a", "b"], True),
            (["a", "b"], False),
            "a comes first by whole crowns and by area. Only by whole crowns can it be called "
            "better than the others.",
        ),
        (
            (["a", "b"], False),
            (["a", "b"], True),
            "a comes first by whole crowns and by area. Only by area can it be called better than "
            "the others.",
        ),
        (
            (["a", "b"], False),
            (["a", "b"], False),
            "a comes first by whole crowns and by area, but cannot be called better than the "
            "others.",
        ),
        (
            (["a", "b"], True),
            (["b", "a"], True),
            "a is better than all other detectors by whole crowns, b by area.",
        ),
        (
            (["a", "b"], True),
            (["b", "a"], False),
            "a is better than all other detectors by whole crowns. b comes first by area, but "
            "cannot be called better.",
        ),
        (
            (["a", "b"], False),
            (["b", "a"], True),
            "b is better than all other detectors by area. a comes first by whole crowns, but "
            "cannot be called better.",
        ),
        (
            (["a", "b"], False),
            (["b", "a"], False),
            "No detector can be called the best: a comes first by whole crowns and b by area, but "
            "neither can be called better than the others.",
        ),
    ],
)
def test_the_answer_is_one_sentence_on_the_best_detector(crowns, areas, sentence):
    answer = ranking_answer(headline(crowns, areas), pd.DataFrame(), pd.DataFrame())
    assert answer.sentences == [sentence]
    assert answer.table is None


def test_the_table_has_a_row_per_detector_and_the_best_by_whole_crowns_on_top():
    """Average precision is the mean over the annotators, AUCR that of one ground truth."""
    scores = pd.concat(
        [
            values_of(AREAS, "ann", a=0.1, b=0.1),
            values_of(AREAS, "0.5-GT", a=0.75, b=0.5),
            values_of(CROWNS, "ann", a=0.25, b=0.5),
            values_of(CROWNS, "bob", a=0.25, b=0.75),
        ]
    )
    crowns, areas = (["b", "a"], False), (["a", "b"], True)
    (titles, rows) = table_of(headline(crowns, areas), scores, pd.DataFrame())
    assert titles == ["Detector", "AP, all points", "AUCR"]
    assert rows == [["b", "0.625", "0.500"], ["a", "0.250", "0.750"]]

    # The values that the certainty rests on take precedence.
    certainty = pd.concat(
        [certainty_rows(CROWNS, ranking(*crowns)), certainty_rows(AREAS, ranking(*areas))]
    )
    table = ranking_answer(headline(crowns, areas), scores, certainty).table
    assert table.cells.titles == [
        "Detector",
        "AP, all points",
        "First by whole crowns (%)",
        "AUCR",
        "First by area (%)",
    ]
    assert table.cells.rows == [
        ["b", "0.700", "50.0", "0.500", "0.0"],
        ["a", "0.500", "50.0", "0.700", "100.0"],
    ]
    assert "Annotator: ann. Ground truth of the AUCR: 0.5-GT." in table.note
    assert table.note.count("bootstrap samples") == 1
    without_shares = ranking_answer(headline(crowns, areas), scores, pd.DataFrame()).table
    assert "bootstrap samples" not in without_shares.note


def test_of_several_images_the_rows_of_all_together_count():
    scores = pd.concat(
        [
            values_of(AREAS, "ann", a=0.5).assign(image="all images"),
            values_of(AREAS, "ann", a=0.25).assign(image="north"),
        ]
    )
    table = ranking_answer([], scores, pd.DataFrame()).table
    assert table.cells.rows == [["a", "0.500"]]
    # The note explains the measures of the table alone.
    assert table.note.startswith("AUCR: ")
    assert "AP: " not in table.note


def test_without_a_best_detector_the_answer_is_the_conclusion_of_the_run():
    only = info("verdict.one", "{name} has an AUCR of {low} under {who}.", name="a", low=1, who="x")
    scores = values_of(AREAS, "x", a=1.0)
    answer = ranking_answer([only], scores, pd.DataFrame())
    assert answer.sentences == ["a has an AUCR of 1 under x."]
    assert answer.table is None  # it would repeat the value
    assert ranking_details([only]) == []
    unknown = info("verdict.unknown", "It is unknown which detector is better.")
    assert ranking_answer([unknown], scores, pd.DataFrame()).table.cells.rows == [["a", "1.000"]]


def test_what_is_unknown_by_area_follows_the_sentence_on_whole_crowns():
    unknown = info("verdict.unknown", "It is unknown whether one detector is better than another.")
    messages = [*headline((["a", "b"], True)), unknown]
    assert ranking_answer(messages, pd.DataFrame(), pd.DataFrame()).sentences == [
        "By whole crowns, a is better than all other detectors.",
        "It is unknown whether one detector is better than another.",
    ]


def test_the_differences_between_the_detectors_are_a_part_of_their_own():
    (part,) = ranking_details(headline((["a", "b"], False), (["a", "b"], True)))
    assert part.title == "Differences between the detectors"
    assert len(part.sentences) == 4
    assert (
        part.sentences[0]
        == "By whole crowns, a came out ahead of b in 50.0 % of the bootstrap samples."
    )
    assert part.sentences[3].startswith("The AUCR of a is 0.200 higher than that of b")


def test_the_recall_stands_before_the_order_by_area():
    """If only some crowns were drawn, the recall is the result, and areas say little."""
    recall = info("headline.recall", "Whole crowns: recall {each}.", each="a 0.500, b 0.250")
    partly = info("headline.partly", "Only some crowns were drawn.")
    messages = [recall, partly, *headline(areas=(["a", "b"], False))]
    assert ranking_answer(messages, pd.DataFrame(), pd.DataFrame()).sentences == [
        "Whole crowns: recall a 0.500, b 0.250.",
        "Only some crowns were drawn.",
        "By area, a comes first, but cannot be called better than the others.",
    ]


def crown_curves(truths):
    """Return curves of crowns of three detectors under ground truths."""
    rows = [
        {
            "counted": CROWNS,
            "detector": detector,
            "truth": truth,
            "recall": recall,
            "precision": precision,
            "threshold": 1 - recall,
        }
        for detector in ("a", "b", "c")
        for number, truth in enumerate(truths)
        for recall, precision in ((0.25, 0.5), (0.5 + number / 8, 0.75 - number / 8))
    ]
    return pd.DataFrame(rows)


def test_curves_under_several_ground_truths_have_a_diagram_per_detector():
    """Fifteen lines in one diagram, of three detectors under five ground truths, look alike."""
    (figure,) = ranking_figures(crown_curves(["v", "w", "x", "y", "z"]))
    assert len(figure.panels) == 3
    assert "A diagram per detector" in figure.caption
    assert "0 beyond the end of a curve" in figure.caption
    for panel, name in zip(figure.panels, "abc"):
        axes = Figure().subplots()
        panel.draw(axes)
        assert axes.get_title() == name
        (band,) = axes.collections
        *others, median = axes.get_lines()
        assert [line.get_color() for line in others] == ["#999999"] * 2
        assert tuple(to_rgb(median.get_color())) == tuple(band.get_facecolor()[0][:3])
        assert name in panel.description


def test_curves_under_one_ground_truth_are_in_one_diagram():
    (figure,) = ranking_figures(crown_curves(["only"]))
    (panel,) = figure.panels
    axes = Figure().subplots()
    panel.draw(axes)
    assert [line.get_label() for line in axes.get_lines()] == ["a", "b", "c"]
    assert "falls vertically" in figure.caption


def test_ground_truths_beyond_the_skew_limits_are_a_warning():
    scores = pd.DataFrame(
        {"counted": AREAS, "detector": "a", "truth": ["x", "y"], "value": 0.5, "skew": [0.746, 0.9]}
    )
    limits = SkewLimits(0.1, 0.5)
    answer = ranking_answer([], scores, pd.DataFrame(), limits)
    assert len(answer.caveats) == 1
    assert "10.0 to 50.0 %" in answer.caveats[0]
    assert "74.6 to 90.0 %" in answer.caveats[0]
    assert "10.0 to 50.0 %" in answer.table.note
    assert "P̄" not in answer.table.note
    assert ranking_answer([], scores, pd.DataFrame(), SkewLimits(0.7, 0.95)).caveats == []
    assert ranking_answer([], scores, pd.DataFrame()).caveats == []

    curves = pd.DataFrame(
        {
            "counted": AREAS,
            "detector": "a",
            "truth": ["x", "x"],
            "recall": [0.5, 1.0],
            "p_bar": [0.9, 0.8],
            "precision": [0.9, 0.8],
        }
    )
    (figure,) = ranking_figures(curves)
    assert figure.caption.count("P̄") == 1


def test_a_single_detector_has_no_shares_of_ranks():
    scores = pd.DataFrame(
        {"counted": AREAS, "detector": "a", "truth": ["x", "y"], "value": [0.5, 0.6]}
    )
    certainty = pd.DataFrame({"counted": [AREAS], "detector": "a", "value": 0.5, "rank_1": 1.0})
    table = ranking_answer([], scores, certainty).table
    assert table.cells.titles == ["Detector", "AUCR"]
    assert not len(rows_of_several(certainty))
    several = pd.concat([certainty, certainty.assign(detector="b")])
    assert len(rows_of_several(several)) == 2
    assert len(rows_of_several(pd.DataFrame({"position": ["1", "2", "Ground truths"]}))) == 3


def test_a_table_with_skews_explains_them():
    assert "Skew: share" in skew_note(pd.DataFrame({"skew": [0.5]}))
    assert not skew_note(pd.DataFrame({"skew": [np.nan]}))
    assert not skew_note(pd.DataFrame({"crown_recall": [0.5]}))
