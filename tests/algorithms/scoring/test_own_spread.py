"""randcrowns:scorecrowns with alpha and omega from the spread of each target's outlines."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from support.layers import crowns_at, layer_of
from support.shown import shows

from randcrowns.core.arrays import number_with_interval_text
from randcrowns.core.crowns import Crowns
from randcrowns.core.scoring.layer import score_crowns
from randcrowns.core.scoring.own_spread import score_with_own_spread
from randcrowns.core.scoring.parameters import PRESETS
from randcrowns.core.statistics import mean_interval

PLACES = [(20 * column, 20 * row) for row in range(3) for column in range(4)]
TARGETS = crowns_at(PLACES, seed=1)
DRAWN = shapely.transform(crowns_at(PLACES[:-1], seed=2), lambda xy: xy + np.array([1.4, -0.9]))
SPREAD = [*np.linspace(0.05, 0.5, 11).tolist(), None]


@pytest.fixture
def score(run, qgis_app):
    def scored(spread=SPREAD, **more):
        targets = layer_of(
            "targets",
            TARGETS,
            kind="Polygon",
            fields="&field=spread:double",
            rows=[[value] for value in spread],
        )
        drawn = layer_of("anna", DRAWN, kind="Polygon")
        return run("scorecrowns", {"TARGETS": targets, "DELINEATIONS": [drawn], **more})

    return scored


def test_the_scores_with_own_spread_stand_beside_the_result(score):
    done = score(SPREAD_FIELD="spread")
    assert done.ok, done.error
    parameters = PRESETS["image_boxes"]
    scores = score_crowns(TARGETS, DRAWN, parameters)
    pairs = scores.pairs[scores.pairs["assigned"]]
    spread = np.array(SPREAD, dtype=float)
    own = score_with_own_spread(Crowns(TARGETS), DRAWN, pairs, spread, parameters)
    table = done.table("SCORED_TARGETS")
    np.testing.assert_allclose(table["anna_rc_own"].astype(float), own.randcrowns, atol=1e-9)
    np.testing.assert_allclose(table["own_length"].astype(float), own.lengths, atol=1e-12)
    assert np.isnan(own.randcrowns[-1])
    own_scores = own.randcrowns[:-1]
    assert shows(
        done.said("scoring.own_spread"),
        "scoring.own_spread",
        layer="anna",
        count=11,
        own=str(number_with_interval_text(own_scores.mean(), *mean_interval(own_scores))),
        common=f"{scores.targets['randcrowns'][:-1].mean():.2f}",
    )


def test_the_result_itself_is_that_without_a_spread(score):
    done, without = score(SPREAD_FIELD="spread"), score()
    columns = without.table("SCORED_TARGETS").columns
    assert done.table("SCORED_TARGETS")[columns].equals(without.table("SCORED_TARGETS"))
    assert done.table("SUMMARY").equals(without.table("SUMMARY"))
    assert "anna_rc_own" not in columns
    assert not without.said("scoring.own_spread")


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ({"SPREAD_FIELD": "width"}, "scoring.no_spread_field"),
        ({"SPREAD_FIELD": "spread", "PRESET": 2}, "idtrees.with_spread"),
    ],
)
def test_a_spread_that_cannot_be_used_is_refused(score, more, key):
    assert shows(score(**more).refused, key)


def test_targets_without_any_spread_end_the_run_with_the_reason(score):
    done = score([None] * 12, SPREAD_FIELD="spread")
    assert not done.ok
    assert shows(done.error, "spread.none")
