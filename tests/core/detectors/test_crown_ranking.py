"""Detectors ranked over whole crowns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import shapely
from support.errors import raises

from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.crown_ranking import (
    average_precision,
    compute_crown_curve,
    is_in_area,
    rank_crown_detectors,
)
from randcrowns.core.errors import Cancelled
from randcrowns.core.scoring.parameters import PRESETS

LENGTHS = PRESETS["image_boxes"]


def boxes(*corners, side=4.0):
    return Crowns(
        np.array([shapely.box(x, y, x + side, y + side) for x, y in corners], dtype=object)
    )


PLACES = [(0.0, 0.0), (10.0, 0.0), (20.0, 0.0), (30.0, 0.0)]


def test_hand_worked_average_precision():
    # By falling confidence: right, wrong, right; two crowns of four are never found.
    # Precision is 1 up to recall 1/4, then 2/3.
    found = boxes((0, 0), (50, 50), (10, 0))
    ranking = rank_crown_detectors(
        {"a": boxes(*PLACES)}, {"d": (found, np.array([0.9, 0.8, 0.7]))}, LENGTHS
    )
    assert ranking.average_precision.loc["d", "a"] == pytest.approx(0.25 + 0.25 * 2 / 3)
    assert ranking.curves["recall"].tolist() == [0.25, 0.25, 0.5]
    assert ranking.counts.iloc[0].tolist() == ["d", "a", 4, 3, 0, 0.5, 0.5]


def test_every_detector_meets_every_annotator():
    people = {"all": boxes(*PLACES), "some": boxes(*PLACES[:2])}
    good, bad = boxes(*PLACES), boxes(*[(x + 2.0, y) for x, y in PLACES])
    score = np.array([0.9, 0.8, 0.7, 0.6])
    ranking = rank_crown_detectors(people, {"bad": (bad, score), "good": (good, score)}, LENGTHS)
    assert ranking.ranks.loc["good"].tolist() == [1, 1]
    (only,) = ranking.rankings
    assert only.order == ("good", "bad")
    assert only.truths == ("all", "some")
    assert ranking.kendall_tau.loc["all", "some"] == pytest.approx(1.0)
    assert set(map(tuple, ranking.curves[["detector", "truth"]].drop_duplicates().to_numpy())) == {
        (detector, truth) for detector in ("bad", "good") for truth in people
    }


def test_missing_scores_are_no_value_and_finding_nothing_is_0():
    none = boxes(), np.empty(0)
    found = {"found": (boxes(*PLACES), np.full(4, 0.5)), "nothing": none, "scoreless": none}
    ranking = rank_crown_detectors({"a": boxes(*PLACES)}, found, LENGTHS, scoreless=["scoreless"])
    assert ranking.average_precision["a"].tolist()[:2] == [1.0, 0.0]
    assert np.isnan(ranking.average_precision.loc["scoreless", "a"])
    assert ranking.ranks["a"].tolist()[:2] == [1, 2]
    assert {name: str(why) for name, why in ranking.reasons.items()} == {
        "scoreless": "None of its crowns has a score."
    }
    assert ranking.rankings[0].order == ("found", "nothing")


def test_a_randcrowns_threshold_leaves_out_what_is_too_small():
    targets = Crowns(np.append(boxes(*PLACES).geometry, shapely.box(40, 0, 41, 1)))
    score = np.full(4, 0.5)
    shifted = boxes(*[(x + 1.0, y) for x, y in PLACES])
    by_iou = rank_crown_detectors({"a": targets}, {"d": (shifted, score)}, LENGTHS, 0.7)
    by_score = rank_crown_detectors(
        {"a": targets}, {"d": (shifted, score)}, LENGTHS, 0.7, "randcrowns"
    )
    assert by_iou.average_precision.loc["d", "a"] == 0
    assert by_score.average_precision.loc["d", "a"] == pytest.approx(1.0)
    assert by_score.counts["targets"].tolist() == [4]
    assert by_iou.counts["targets"].tolist() == [5]


def test_recall_by_randcrowns_has_recall_by_iou_beside_it():
    """Boxes of side 4 that are shifted by 1 have an IoU of 12/20; by 2, of 8/24."""
    targets = Crowns(np.append(boxes(*PLACES).geometry, shapely.box(40, 0, 41, 1)))
    shifted = boxes((1.0, 0.0), (11.0, 0.0), (22.0, 0.0), (32.0, 0.0))
    ranking = rank_crown_detectors(
        {"a": targets}, {"d": (shifted, np.full(4, 0.5))}, LENGTHS, 0.3, "randcrowns"
    )
    (counts,) = ranking.counts.to_dict("records")
    assert (counts["targets"], counts["recall"]) == (4, 1.0)
    assert counts["iou_recall"] == 2 / 5


def test_random_scenes_agree_with_a_plain_table_of_pairs():
    rng = np.random.default_rng(7)
    for _ in range(10):
        targets, found = (boxes(*rng.uniform(0, 30, (12, 2))) for _ in range(2))
        score = rng.random(12).round(1)
        pairs = pd.DataFrame(
            [
                (
                    t,
                    d,
                    shapely.area(shapely.intersection(one, other))
                    / shapely.area(shapely.union(one, other)),
                )
                for t, one in enumerate(targets.geometry)
                for d, other in enumerate(found.geometry)
            ],
            columns=["target", "delineation", "iou"],
        )
        expected = average_precision(compute_crown_curve(pairs, score, 12, 0.2))
        ranking = rank_crown_detectors({"a": targets}, {"d": (found, score)}, LENGTHS, 0.2)
        assert ranking.average_precision.loc["d", "a"] == pytest.approx(expected, abs=1e-12)


def test_a_detection_outside_counts_under_those_whose_crowns_it_covers():
    near, far = boxes(*PLACES[:2]), boxes((-4, 0), *PLACES[1:2])
    found = boxes((0, 0), (10, 0), (-2, 0), (4, 0))
    detectors = {"d": (found, np.array([0.6, 0.5, 0.9, 0.8]))}
    inside = {"d": np.array([True, True, False, False])}

    def column(annotators, name):
        ranking = rank_crown_detectors(annotators, detectors, LENGTHS, inside=inside)
        return ranking.average_precision.loc["d", name], *ranking.counts.set_index("truth").loc[
            name
        ].tolist()

    # The third covers half of a crown of each; the last only touches one.
    # Its IoU with them is 1/3, so that it matches none.
    assert column({"near": near}, "near") == (pytest.approx(2 / 3), "d", 2, 3, 0, 1.0, 1.0)
    assert column({"near": near.subset(np.array([1]))}, "near")[0] == pytest.approx(0.5)
    for name in ("near", "far"):
        together = column({"far": far, "more": boxes((-3, 1), (3, 0)), "near": near}, name)
        assert together == column({name: {"near": near, "far": far}[name]}, name)


def test_crowns_meet_only_within_their_plot_and_those_of_plots_without_detections_are_missed():
    plots = np.array(["a", "a", "b", None], dtype=object)
    targets = Crowns(boxes(*PLACES).geometry, plots=plots)
    # Right, the place of another plot's crown twice, right; nothing in the unnamed plot.
    found = Crowns(
        boxes(*PLACES[:2], PLACES[0], PLACES[2]).geometry, plots=np.array(["a", "b", "b", "b"])
    )
    score = np.array([0.6, 0.9, 0.8, 0.5])
    ranking = rank_crown_detectors({"p": targets}, {"d": (found, score)}, LENGTHS)
    assert ranking.curves["precision"].tolist() == [0.0, 0.0, pytest.approx(1 / 3), 0.5]
    assert ranking.average_precision.loc["d", "p"] == pytest.approx(0.5 * 0.5)
    assert ranking.counts["targets"].tolist() == [4]
    # It is the same where another detector found something there.
    other = Crowns(boxes(PLACES[3]).geometry, plots=np.array([None], dtype=object))
    both = rank_crown_detectors(
        {"p": targets}, {"d": (found, score), "e": (other, np.ones(1))}, LENGTHS
    )
    assert both.counts["targets"].tolist() == [4, 4]
    assert both.average_precision["p"].tolist() == [pytest.approx(0.5 * 0.5), pytest.approx(0.25)]
    # Without plots on one side the place alone counts.
    anywhere = rank_crown_detectors({"p": boxes(*PLACES)}, {"d": (found, score)}, LENGTHS)
    assert anywhere.counts["targets"].tolist() == [4]
    elsewhere = rank_crown_detectors(
        {"p": targets}, {"d": (replace(found, plots=np.array(["x"] * 4)), score)}, LENGTHS
    )
    assert elsewhere.average_precision.loc["d", "p"] == 0


def test_no_targets_is_no_value_and_a_reason_and_no_detections_is_0():
    nothing = Crowns(np.empty(0, dtype=object))
    ranking = rank_crown_detectors({"empty": nothing}, {"d": (boxes(*PLACES), np.ones(4))}, LENGTHS)
    assert np.isnan(ranking.average_precision.loc["d", "empty"])
    assert ranking.reasons["empty"]
    assert ranking.rankings == ()
    blind = rank_crown_detectors({"a": boxes(*PLACES)}, {"d": (nothing, np.empty(0))}, LENGTHS)
    assert blind.average_precision.loc["d", "a"] == 0


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({"threshold": 0.0}, raises("matching.invalid_threshold", threshold=0.0)),
        ({"threshold": np.nan}, raises("matching.invalid_threshold")),
        ({"score": "f1"}, raises("matching.unknown_score", score="f1")),
    ],
)
def test_bad_choices_are_refused(choice, expected):
    with expected:
        rank_crown_detectors(
            {"a": boxes(*PLACES)}, {"d": (boxes(*PLACES), np.ones(4))}, LENGTHS, **choice
        )
    with raises("ranking.no_annotator_or_detector"):
        rank_crown_detectors({}, {}, LENGTHS)


def test_a_threshold_of_1_asks_for_the_very_crown():
    found = boxes(*PLACES[:3], (30.0, 0.1))
    ranking = rank_crown_detectors(
        {"a": boxes(*PLACES)}, {"d": (found, np.arange(4.0, 0.0, -1.0))}, LENGTHS, 1.0
    )
    assert ranking.average_precision.loc["d", "a"] == pytest.approx(0.75)


def test_it_can_be_cancelled():
    def stop(_fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        rank_crown_detectors(
            {"a": boxes(*PLACES)}, {"d": (boxes(*PLACES), np.ones(4))}, LENGTHS, progress=stop
        )


def test_a_crown_belongs_where_its_middle_lies():
    crowns = boxes(*PLACES)
    assert is_in_area(crowns, shapely.box(0, 0, 13, 4)).tolist() == [True, True, False, False]
    assert is_in_area(crowns, None).all()
    # The middle of a horseshoe lies between its arms, so a point of the crown itself decides.
    horseshoe = shapely.difference(shapely.box(0, 0, 9, 9), shapely.box(1, 1, 9, 8))
    between = shapely.box(2, 3, 9, 6)
    assert shapely.contains(between, shapely.centroid(horseshoe))
    assert is_in_area(Crowns(np.array([horseshoe])), between).tolist() == [False]
