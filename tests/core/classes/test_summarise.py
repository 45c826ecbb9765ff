"""Summaries by strata: their number is limited before anything is compared."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from support.errors import assert_message, raises

from randcrowns.core.classes.summarise import (
    MAX_COMPARED_STRATA,
    MAX_STRATA,
    StrataRequest,
    StratumScores,
    SummariseBy,
    check_request,
    summarise_strata,
)
from randcrowns.core.crowns import Crowns


def species(n_strata: int, n_crowns: int) -> StrataRequest:
    """A request by an attribute with a number of values, each of which occurs."""
    values = tuple(f"species {number % n_strata}" for number in range(n_crowns))
    return StrataRequest(SummariseBy.ATTRIBUTE, values=values, name="species")


def summarise(request: StrataRequest, n_crowns: int):
    left = np.arange(n_crowns) * 5.0
    crowns = Crowns(shapely.box(left, 0, left + 4, 4))
    scores = {"iou": np.random.default_rng(4).random(n_crowns)}
    no_crowns = np.zeros(n_crowns, dtype=bool)
    return summarise_strata(request, crowns, crowns, StratumScores(scores, ~no_crowns, no_crowns))


def test_as_many_strata_as_can_be_compared_are():
    n = MAX_COMPARED_STRATA
    summary = summarise(species(n, 4 * n), 4 * n)
    assert len(summary.tests) == n * (n - 1) // 2
    assert_message(summary.messages[0], "strata.not_tested", name="species")


@pytest.mark.parametrize(("shift", "text"), [(0.0034, "0.0034"), (0.25, "0.250")])
def test_a_difference_that_is_claimed_is_not_rounded_to_0(shift, text):
    """The scores differ by ``shift`` and, for every crown, by noise that is a tenth of it."""
    noise = np.tile([-0.1, 0.1], 30) * shift
    scores = {"iou": 0.5 + noise + np.repeat([shift, 0.0], 30)}
    crowns = Crowns(shapely.box(np.arange(60.0), 0, np.arange(60.0) + 1, 1))
    sizes = tuple(np.repeat([2.5, 7.5], 30))
    request = StrataRequest(
        SummariseBy.ATTRIBUTE, breaks=(5.5,), values=sizes, is_numeric=True, name="size"
    )
    none = np.zeros(60, dtype=bool)
    summary = summarise_strata(request, crowns, crowns, StratumScores(scores, ~none, none))
    (message,) = summary.messages
    values = {"lower": "≥ 5.5", "higher": "< 5.5", "difference": text, "count": 1, "pairs": 1}
    assert message.key == "strata.differ"
    assert {name: str(dict(message.values)[name]) for name in values} == {
        name: str(value) for name, value in values.items()
    }


def test_more_strata_are_listed_but_not_compared():
    n = MAX_COMPARED_STRATA + 1
    summary = summarise(species(n, 3 * n), 3 * n)
    assert summary.table["crowns"].tolist()[:n] == [3] * n
    assert len(summary.tests) == 0
    assert {"score", "first", "second", "p_adjusted", "differs"} <= set(summary.tests)
    (message,) = summary.messages
    assert_message(
        message,
        "strata.too_many_to_compare",
        name="species",
        count=n,
        maximum=MAX_COMPARED_STRATA,
    )


@pytest.mark.parametrize(
    "request_",
    [
        species(MAX_STRATA + 1, MAX_STRATA + 1),
        StrataRequest(SummariseBy.AREA, tuple(map(float, range(MAX_STRATA))), name="area"),
    ],
    ids=["values", "breaks"],
)
def test_too_many_strata_are_refused_before_the_scoring_and_after_it(request_):
    wrong = {"name": request_.name, "count": MAX_STRATA + 1, "maximum": MAX_STRATA}
    with raises("strata.too_many", **wrong):
        check_request(request_)
    with raises("strata.too_many", **wrong):
        summarise(request_, MAX_STRATA + 1)


def test_as_many_strata_as_allowed_and_quartiles_pass():
    check_request(species(MAX_STRATA, MAX_STRATA))
    numbers = tuple(range(MAX_STRATA + 1))
    check_request(StrataRequest(SummariseBy.ATTRIBUTE, values=numbers, is_numeric=True))
    check_request(StrataRequest(SummariseBy.AREA))
