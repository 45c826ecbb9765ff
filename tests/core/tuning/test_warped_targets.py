"""Scores against several targets per crown."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import shapely
from support.errors import raises

from randcrowns.core.crowns import Crowns
from randcrowns.core.scoring.layer import score_crowns
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import score_pairs
from randcrowns.core.tuning.warped_targets import score_warped_targets
from randcrowns.core.tuning.wrong_pairs import simulate_annotators

PARAMETERS = RandCrownsParameters(0.7, 1.2, 3)
#: The last target has no delineation, the third is too small to be scored.
TARGETS = Crowns(
    [shapely.box(x, 0, x + side, side) for x, side in ((0, 9), (20, 6), (40, 1), (60, 8))],
    ids=[7, 3, 5, 9],
)
DRAWN = Crowns(
    [shapely.box(20, 0, 27, 6), shapely.box(0, 1, 9, 10), shapely.box(40, 0, 41, 1)], ids=[2, 8, 4]
)


def scored(**options):
    scores = score_crowns(TARGETS, DRAWN, PARAMETERS, "max_iou", options.get("extent"))
    return score_warped_targets(TARGETS, DRAWN, scores, PARAMETERS, 6, seed=3, **options)


def test_mean_and_deviation_are_those_of_a_loop_over_the_copies() -> None:
    table = scored().set_index("target_id")
    layers = [TARGETS, *simulate_annotators(TARGETS, 6, seed=3)]
    for target_id, target_row, drawn_row in ((7, 0, 1), (3, 1, 0)):
        values = [
            score_pairs([layer.geometry[target_row]], [DRAWN.geometry[drawn_row]], PARAMETERS).iloc[
                0
            ]
            for layer in layers
        ]
        found = table.loc[target_id]
        assert found["delineation_id"] == DRAWN.ids[drawn_row]
        assert found["n_scored"] == 7
        for name in ("randcrowns", "iou", "iou_crowns"):
            numbers = [float(value[name]) for value in values]
            assert found[f"{name}_mean"] == pytest.approx(np.mean(numbers))
            assert found[f"{name}_sd"] == pytest.approx(np.std(numbers, ddof=1))
            assert found[f"{name}_sd"] > 0


def test_targets_without_a_delineation_score_0_and_small_ones_nothing() -> None:
    table = scored().set_index("target_id")
    assert table.loc[9, ["n_scored", "randcrowns_mean", "randcrowns_sd"]].tolist() == [7, 0, 0]
    assert pd.isna(table.loc[9, "delineation_id"])
    assert table.loc[5, "n_scored"] == 0
    assert table.loc[5, ["randcrowns_mean", "randcrowns_sd"]].isna().all()


def test_copies_without_a_change_have_the_score_and_no_deviation() -> None:
    scores = score_crowns(TARGETS, DRAWN, PARAMETERS, "max_iou")
    table = score_warped_targets(
        TARGETS, DRAWN, scores, PARAMETERS, 2, scale_sd=0, rotation_sd=0, shift_sd=0
    )
    for name in ("randcrowns", "iou", "iou_crowns"):
        assert table[f"{name}_mean"].to_numpy()[[0, 1]] == pytest.approx(
            scores.targets[name].to_numpy()[[0, 1]]
        )
        assert table[f"{name}_sd"].to_numpy()[[0, 1]] == pytest.approx([0, 0], abs=1e-12)


def test_an_extent_clips_targets_and_delineations() -> None:
    extent = (-5, -5, 23, 20)
    scores = score_crowns(
        TARGETS.subset([0, 1]),
        DRAWN.subset([0, 1]),
        PARAMETERS,
        "max_iou",
        extent,
        clipped=shapely.intersection(DRAWN.geometry[:2], shapely.box(*extent)),
    )
    table = score_warped_targets(
        TARGETS,
        DRAWN,
        scores,
        PARAMETERS,
        1,
        extent=extent,
        scale_sd=0,
        rotation_sd=0,
        shift_sd=0,
    )
    for name in ("randcrowns", "iou", "iou_crowns"):
        assert table[f"{name}_mean"].tolist() == pytest.approx(scores.targets[name].tolist())


def test_invalid_copies_are_refused() -> None:
    scores = score_crowns(TARGETS, DRAWN, PARAMETERS)
    with raises("tuning.invalid_copy_count"):
        score_warped_targets(TARGETS, DRAWN, scores, PARAMETERS, 0)
