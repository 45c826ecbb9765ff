"""Confusion matrix of crowns that were matched by geometry: its sums, its names, its symmetry."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.errors import raises
from support.examples import examples

from randcrowns.core.classes.confusion import match_classes, matching_from_scores
from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.matching import Matching, MatchingMethod, match_one_to_one
from randcrowns.core.instances.metrics import count_detections
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.scoring.layer import score_crowns
from randcrowns.core.scoring.parameters import RandCrownsParameters

PARAMETERS = RandCrownsParameters(0.6, 1.2, 3)
CLASSES = np.array(["ash", "oak", "pine", None], dtype=object)


def layers(seed: int, n: int = 25, m: int = 30) -> tuple[Crowns, Crowns]:
    rng = np.random.default_rng(seed)
    corner = rng.uniform(0, 60, (n, 2))
    moved = corner[rng.integers(0, n, m)] + rng.normal(0, 2, (m, 2))
    return tuple(
        Crowns(shapely.box(*at.T, *(at + rng.uniform(3, 6, (len(at), 2))).T))
        for at in (corner, moved)
    )


def by_hand(reference, predicted, matching: Matching, labels) -> np.ndarray:
    """Count crown by crown."""
    names = [*labels, None]
    matrix = np.zeros((len(labels) + 2, len(labels) + 2), int)
    for name, match in zip(reference, matching.prediction):
        column = len(labels) + 1 if match < 0 else names.index(predicted[match])
        matrix[names.index(name), column] += 1
    for name, match in zip(predicted, matching.target):
        if match < 0:
            matrix[-1, names.index(name)] += 1
    return matrix


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 10**6))
def test_sums_equal_the_counts_of_the_matching(seed):
    targets, predictions = layers(seed)
    rng = np.random.default_rng(seed)
    reference, predicted = rng.choice(CLASSES, 25), rng.choice(CLASSES, 30)
    matching = match_one_to_one(polygon_overlap(targets, predictions), MatchingMethod.FOR_AI_NET)
    matched = match_classes(reference, predicted, matching)
    counts = count_detections(matching)
    confusion = matched.confusion
    assert confusion.tolist() == by_hand(reference, predicted, matching, matched.labels).tolist()
    assert confusion[:-1, :-1].sum() == counts[0]
    assert confusion[-1].sum() == counts[1]
    assert confusion[:, -1].sum() == counts[2]


@pytest.mark.parametrize("pairing", ["nearest", "max_iou", "max_score", "hungarian"])
@pytest.mark.parametrize("seed", range(6))
def test_sums_equal_the_counts_of_the_summary(pairing, seed):
    targets, delineations = layers(seed)
    rng = np.random.default_rng(seed)
    scores = score_crowns(targets, delineations, PARAMETERS, pairing)
    matched = match_classes(
        rng.choice(CLASSES, 25), rng.choice(CLASSES, 30), matching_from_scores(scores)
    )
    summary = scores.summary.iloc[0]
    assert summary["too_small"] == 0
    assert matched.confusion[:-1].sum() == summary["targets"]
    assert matched.confusion[:-1, :-1].sum() == summary["matched"]
    assert matched.confusion[:, -1].sum() == summary["missed"] + summary["unmatched_targets"]
    assert matched.confusion[-1].sum() == summary["unmatched_delineations"]


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 10**6))
def test_exchanged_names_exchange_rows_and_columns_and_order_changes_nothing(seed):
    rng = np.random.default_rng(seed)
    reference, predicted = rng.choice(CLASSES, 25), rng.choice(CLASSES, 30)
    # Crowns 0 … 19 are matched.
    prediction = np.append(np.arange(20), np.full(5, -1))
    matching = Matching(prediction, np.append(np.arange(20), np.full(10, -1)), np.zeros(25))
    table = match_classes(reference, predicted, matching).to_table()

    other = {"ash": "oak", "oak": "ash"}
    exchanged = [[other.get(name, name) for name in side] for side in (reference, predicted)]
    swapped = match_classes(*exchanged, matching).to_table()
    names = [other.get(name, name) for name in table.index]
    columns = [other.get(name, name) for name in table.columns]
    assert swapped.loc[names, columns].to_numpy().tolist() == table.to_numpy().tolist()

    order, place = rng.permutation(25), rng.permutation(30)
    new_place = np.append(np.argsort(place), -1)
    new_order = np.append(np.argsort(order), -1)
    moved = Matching(
        new_place[matching.prediction[order]], new_order[matching.target[place]], np.zeros(25)
    )
    again = match_classes(reference[order], predicted[place], moved).to_table()
    assert again.equals(table)


def test_prediction_of_a_missed_target_is_not_judged():
    # The only delineation is near the target but does not touch it.
    target, delineation = Crowns([shapely.box(0, 0, 5, 5)]), Crowns([shapely.box(5.5, 0, 9, 5)])
    scores = score_crowns(target, delineation, PARAMETERS, search_radius=20.0)
    assert scores.summary["missed"].tolist()[0] == 1
    matched = match_classes(["oak"], ["oak"], matching_from_scores(scores))
    assert matched.to_table().to_numpy().tolist() == [[0, 1], [0, 0]]
    assert matched.reference_at.tolist() == [1]


def test_rows_of_no_class_are_listed_only_if_needed():
    matching = Matching(np.array([0]), np.array([0]), np.zeros(1))
    table = match_classes(["oak"], ["oak"], matching).to_table()
    assert table.index.tolist() == ["oak", "no reference"]
    assert table.columns.tolist() == ["oak", "not found"]
    table = match_classes(["oak"], [None], matching).to_table()
    assert table.columns.tolist() == ["oak", "no class", "not found"]
    assert table.loc["oak"].tolist() == [0, 1, 0]


def test_one_class_per_crown_is_required():
    matching = Matching(np.array([0]), np.array([0]), np.zeros(1))
    with raises("classes.wrong_count", side="reference crowns", crowns=1, classes=2):
        match_classes(["oak", "ash"], ["oak"], matching)
