import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau
from support.examples import examples

from randcrowns.core.detectors.ranking import (
    Ranking,
    find_distinct_rankings,
    kendall_tau,
    rank_detectors,
    rank_values,
    tabulate_rankings,
)

# The four detectors of the source's Fissure case study, in the orders of its Table IVb.
FISSURE = pd.DataFrame(
    {
        "A1": [0.9, 0.8, 0.7, 0.1],
        "0.75-GT": [0.9, 0.7, 0.8, 0.1],
        "A2": [0.6, 0.5, 0.4, 0.3],
        "Any-GT": [0.8, 0.7, 0.9, 0.2],
    },
    index=["2D GWLC", "Gauss", "C-S", "Top-Hat"],
)


def test_distinct_rankings_in_the_form_of_the_source() -> None:
    rankings = find_distinct_rankings(rank_values(FISSURE))
    assert rankings == (
        Ranking((("2D GWLC",), ("Gauss",), ("C-S",), ("Top-Hat",)), ("A1", "A2")),
        Ranking((("2D GWLC",), ("C-S",), ("Gauss",), ("Top-Hat",)), ("0.75-GT",)),
        Ranking((("C-S",), ("2D GWLC",), ("Gauss",), ("Top-Hat",)), ("Any-GT",)),
    )
    table = tabulate_rankings(rankings)
    assert table.columns.tolist() == ["Ranking #1", "Ranking #2", "Ranking #3"]
    assert table.index.tolist() == ["1", "2", "3", "4", "Ground truths"]
    assert table["Ranking #2"].tolist() == ["2D GWLC", "C-S", "Gauss", "Top-Hat", "0.75-GT"]
    assert table.loc["Ground truths", "Ranking #1"] == "A1, A2"


def test_ties_share_a_place() -> None:
    aucr = pd.DataFrame({"x": [0.5, 0.7, 0.5]}, index=["a", "b", "c"])
    ranks = rank_values(aucr)
    assert ranks["x"].tolist() == [2, 1, 2]
    rankings = find_distinct_rankings(ranks)
    assert rankings[0].places == (("b",), ("a", "c"))
    assert rankings[0].order == ("b", "a", "c")
    assert tabulate_rankings(rankings)["Ranking #1"].tolist() == ["b", "a = c", "", "x"]


def test_what_rounding_adds_is_no_lead() -> None:
    aucr = pd.DataFrame(
        {"x": [0.5, 0.7, 0.5 + 1e-13, np.nan], "y": [0.5, 0.5 - 1e-8, np.nan, 0.6]}, index=[*"abcd"]
    )
    np.testing.assert_array_equal(rank_values(aucr), [[2, 2], [1, 3], [2, np.nan], [np.nan, 1]])
    random = pd.DataFrame(np.random.default_rng(0).integers(0, 5, (6, 40)) / 4).replace(1.0, np.nan)
    pd.testing.assert_frame_equal(
        rank_values(random), random.rank(axis=0, ascending=False, method="min")
    )


def test_what_cannot_be_ranked_takes_no_part() -> None:
    aucr = FISSURE.assign(empty=np.nan)
    aucr.loc["no score"] = np.nan
    ranks = rank_values(aucr)
    rankings = find_distinct_rankings(ranks)
    assert rankings == find_distinct_rankings(rank_values(FISSURE))
    tau = kendall_tau(ranks)
    assert tau.loc["empty"].isna().all()
    assert tau.loc["A1", "A2"] == 1.0
    assert find_distinct_rankings(ranks[["empty"]]) == ()
    assert tabulate_rankings(()).empty


def test_a_ground_truth_that_ranks_only_some_takes_no_part() -> None:
    aucr = FISSURE.assign(some=FISSURE["A1"])
    aucr.loc[aucr.index[0], "some"] = np.nan
    assert find_distinct_rankings(rank_values(aucr)) == find_distinct_rankings(rank_values(FISSURE))


def test_kendall_tau_by_hand() -> None:
    tau = kendall_tau(rank_values(FISSURE))
    # One of six pairs of detectors swapped: (5 - 1)/6.
    assert tau.loc["A1", "0.75-GT"] == pytest.approx(4 / 6)
    assert tau.loc["A1", "Any-GT"] == pytest.approx(2 / 6)
    upside_down = pd.DataFrame({"up": [1, 2, 3], "down": [3, 2, 1], "flat": [1, 1, 1]})
    tau = kendall_tau(upside_down)
    assert tau.loc["up", "down"] == -1.0
    assert np.isnan(tau.loc["up", "flat"])


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=8))
@settings(max_examples=examples(60), deadline=None)
def test_kendall_tau_equals_scipy(pairs: list[tuple[int, int]]) -> None:
    aucr = pd.DataFrame(pairs, columns=["x", "y"])
    expected = kendalltau(aucr["x"], aucr["y"])[0]
    np.testing.assert_allclose(kendall_tau(rank_values(aucr)).loc["x", "y"], expected, atol=1e-12)


def test_places_that_weigh_nothing_have_no_skew() -> None:
    truth = np.array([True, True, False, False])
    ranking = rank_detectors(
        {"a": np.array([0.9, 0.2, 0.4, 0.1])}, {"t": truth}, weight=np.zeros(4)
    )
    assert np.isnan(ranking.skew["t"])
    assert np.isnan(ranking.aucr.loc["a", "t"])
    weight = np.array([3.0, 1, 2, 2])
    assert rank_detectors({"a": np.arange(4.0)}, {"t": truth}, weight=weight).skew["t"] == 0.5
