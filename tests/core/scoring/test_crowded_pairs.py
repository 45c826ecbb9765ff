"""Layers with many crowns in one spot are scored in blocks, with the scores of all pairs at once."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import shapely
from support.errors import assert_message, raises

from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import Cancelled
from randcrowns.core.geometry import areas
from randcrowns.core.scoring import crowded_pairs, layer
from randcrowns.core.scoring.crowded_pairs import find_assigned_candidates
from randcrowns.core.scoring.layer import CrownScores, score_candidates, score_layers
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.scoring.parameters import RandCrownsParameters

PARAMETERS = RandCrownsParameters(0.7, 1.2, 3)
PAIRINGS = ("max_iou", "max_score", "hungarian")


def crowns_in_one_spot(seed: int, name: str, n: int = 30) -> Crowns:
    """Return circles around one point and copies of some of them, of two plots and two classes."""
    rng = np.random.default_rng(seed)
    centres = shapely.points(rng.normal(0, 1.5, (n, 2)))
    circles = shapely.buffer(centres, rng.uniform(1, 4, n), quad_segs=3)
    circles[n // 2 : n // 2 + 5] = circles[:5]
    plots = rng.choice(["north", "south"], n)
    classes = rng.choice(["oak", "ash"], n)
    return Crowns(circles, rng.permutation(n), plots, name=name, classes=classes)


def score_all(pairing: str, **options: object) -> CrownScores:
    targets, drawn = crowns_in_one_spot(1, "targets"), crowns_in_one_spot(2, "drawn")
    scores = score_layers(targets, [drawn], PARAMETERS, pairing, (-3, -3, 3, 2), **options)
    return scores.scores[0]


def allow_few_pairs(monkeypatch: pytest.MonkeyPatch, n_pairs: int = 60) -> None:
    """Let layers be crowded from a few pairs on, which are scored in blocks of two targets."""
    monkeypatch.setattr(layer, "MAX_SCORED_PAIRS", n_pairs)
    monkeypatch.setattr(areas, "MAX_PAIRS_PER_POLYGON", 0)
    monkeypatch.setattr(crowded_pairs, "_BLOCK_PAIRS", 60)


@pytest.mark.parametrize("within_classes", [False, True])
@pytest.mark.parametrize("pairing", PAIRINGS)
def test_scores_in_blocks_are_those_of_all_pairs(
    monkeypatch: pytest.MonkeyPatch, pairing: str, within_classes: bool
) -> None:
    expected = score_all(pairing, within_classes=within_classes)
    assert expected.lists_all_pairs
    assert "pairs.only_assigned" not in [one.key for one in expected.pair_messages("drawn")]
    allow_few_pairs(monkeypatch)
    found = score_all(pairing, within_classes=within_classes)
    assert not found.lists_all_pairs
    pd.testing.assert_frame_equal(found.targets, expected.targets)
    pd.testing.assert_frame_equal(found.delineations, expected.delineations)
    pd.testing.assert_frame_equal(found.summary, expected.summary)
    pd.testing.assert_frame_equal(found.pairs, expected.assigned_pairs.reset_index(drop=True))
    assert_message(found.pair_messages("drawn")[0], "pairs.only_assigned", layer="drawn")


def test_who_needs_all_pairs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    targets = crowns_in_one_spot(1, "targets")
    allow_few_pairs(monkeypatch)
    with raises("crowns.too_many_pairs", limit=60):
        score_candidates(targets, [targets], PARAMETERS, Pairing.MAX_IOU)


def test_one_to_one_is_refused_if_it_has_too_many_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_few_pairs(monkeypatch)
    monkeypatch.setattr(crowded_pairs, "MAX_PAIRS", 100)
    with raises("crowns.too_many_pairs", limit=100):
        score_all("hungarian")


def test_a_cancel_ends_the_first_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowded_pairs, "_BLOCK_PAIRS", 60)
    crowns = crowns_in_one_spot(1, "crowns")
    begun = []
    score_block = crowded_pairs._score_block

    def counted(*arguments: object) -> object:
        begun.append(arguments)
        return score_block(*arguments)

    def cancel(fraction: float) -> None:
        raise Cancelled

    monkeypatch.setattr(crowded_pairs, "_score_block", counted)
    with pytest.raises(Cancelled):
        find_assigned_candidates(
            crowns, crowns, crowns.geometry, PARAMETERS, Pairing.MAX_IOU, None, cancel
        )
    assert len(begun) == 1


@pytest.mark.parametrize(("pairing", "is_shared"), [("nearest", True), ("hungarian", False)])
def test_a_delineation_of_two_targets_is_named_once(pairing: str, is_shared: bool) -> None:
    targets = Crowns([shapely.box(0, 0, 10, 10), shapely.box(2, 0, 12, 10)])
    drawn = Crowns([shapely.box(1, 0, 11, 10)])
    scores = score_layers(targets, [drawn], PARAMETERS, pairing).scores[0]
    messages = scores.pair_messages("drawn")
    assert len(messages) == is_shared
    if is_shared:
        assert_message(messages[0], "pairs.shared", layer="drawn", count=1, targets=2)
