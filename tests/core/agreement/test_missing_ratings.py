"""Ratings that are missing because an annotator did not look: neither yes nor no."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.errors import assert_message, raises

from randcrowns.core.agreement import measures
from randcrowns.core.agreement.blocks import block_edges
from randcrowns.core.agreement.consensus import (
    CONSENSUS_METHODS,
    compute_ground_truths,
    consensus_at_level,
    leave_one_out,
)
from randcrowns.core.agreement.lsml import level_set
from randcrowns.core.agreement.reviewed_areas import ReviewedAreas
from randcrowns.core.agreement.staple_em import staple
from randcrowns.core.agreement.summary import agreement_summary
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.detectors.bootstrap import bootstrap_ranking
from randcrowns.core.detectors.ranking import rank_detectors

#: Ten units of three annotators; NaN where one did not look.
_NO = np.nan
RATINGS = np.array(
    [
        [1, 1, 0, 0, 1, 0, _NO, 1, 0, 0],
        [1, 0, 0, 0, 1, _NO, 1, 1, 0, _NO],
        [1, 1, 0, 1, _NO, _NO, _NO, 0, 0, _NO],
    ]
)


def table(ratings) -> VoteTable:
    ratings = np.asarray(ratings, dtype=float)
    return VoteTable.from_stack(ratings == 1, missing=np.isnan(ratings))


def random_ratings(seed: int, shape=(4, 500), missing=0.2) -> np.ndarray:
    rng = np.random.default_rng(seed)
    first = (rng.random(shape) < 0.3)[0]
    decisions = (first ^ (rng.random(shape) < 0.15)).astype(float)
    return np.where(rng.random(shape) < missing, np.nan, decisions)


def test_alpha_is_that_of_the_package_krippendorff_with_missing_ratings():
    # Values of krippendorff 0.9.0: alpha(ratings, level_of_measurement="nominal")
    alpha = measures.agreement_coefficients(table(RATINGS)).krippendorff_alpha
    assert alpha == pytest.approx(0.43, abs=1e-12)
    rng = np.random.default_rng(1)
    first = rng.random((4, 500)) < 0.3
    is_missing = rng.random((4, 500)) < 0.2
    ratings = np.where(is_missing, np.nan, (first[0] ^ (rng.random((4, 500)) < 0.15)).astype(float))
    alpha = measures.agreement_coefficients(table(ratings)).krippendorff_alpha
    assert alpha == pytest.approx(0.46744264507422406, abs=1e-12)


def gwet(ratings) -> tuple[float, float, float]:
    """Raw agreement, Fleiss' kappa and AC1 unit by unit, as Gwet 2014 writes them."""
    agreeing, shares = [], []
    for unit in ratings.T:
        given_ratings = unit[~np.isnan(unit)]
        r, h = len(given_ratings), given_ratings.sum()
        if r:
            shares.append(h / r)
        if r >= 2:
            agreeing.append((h * (h - 1) + (r - h) * (r - h - 1)) / (r * (r - 1)))
    raw, p = np.mean(agreeing), np.mean(shares)
    by_kappa, by_ac1 = p**2 + (1 - p) ** 2, 2 * p * (1 - p)
    return raw, (raw - by_kappa) / (1 - by_kappa), (raw - by_ac1) / (1 - by_ac1)


@pytest.mark.parametrize("ratings", [RATINGS, random_ratings(2), random_ratings(3, (6, 90), 0.5)])
def test_raw_agreement_kappa_and_ac1_are_gwets_with_missing_ratings(ratings):
    found = measures.agreement_coefficients(table(ratings))
    raw, kappa, ac1 = gwet(ratings)
    assert found.raw_agreement == pytest.approx(raw, abs=1e-12)
    assert found.fleiss_kappa == pytest.approx(kappa, abs=1e-12)
    assert found.gwet_ac1 == pytest.approx(ac1, abs=1e-12)


def test_pairs_are_compared_where_both_looked():
    ratings = random_ratings(4)
    f1 = measures.pairwise_f1(table(ratings))
    for first, second in combinations(range(4), 2):
        both = ~np.isnan(ratings[first]) & ~np.isnan(ratings[second])
        a, b = ratings[first, both] == 1, ratings[second, both] == 1
        assert f1[first, second] == pytest.approx(2 * (a & b).sum() / (a.sum() + b.sum()))
    apart = measures.pairwise_f1(table([[1, 0, _NO, _NO], [_NO, _NO, 1, 0], [1, 0, 1, 0]]))
    assert np.isnan(apart[0, 1])
    assert apart[0, 2] == apart[1, 2] == 1
    assert len(measures.dendrogram(table([[1, _NO], [_NO, 1], [1, 1]]))) == 0


def test_an_annotator_is_compared_with_the_consensus_where_somebody_else_looked_too():
    ratings = np.array([[1, 1, 0, 0, 1], [1, 0, 0, _NO, _NO], [1, 1, 0, 1, _NO]])
    rows = measures.annotator_statistics(table(ratings))
    # By hand: 0.5-GT is 1 1 0 1 where two looked (1 of 2 is half); unit 5 was looked at by one.
    assert rows["sensitivity"].tolist() == pytest.approx([2 / 3, 1 / 2, 1.0])
    assert rows["specificity"].tolist() == [1.0, 1.0, 1.0]
    assert rows["share"].tolist() == pytest.approx([3 / 5, 1 / 3, 3 / 4])
    alone = measures.annotator_statistics(table(ratings), leave_one_out(table(ratings)))
    assert alone["sensitivity"].tolist() == pytest.approx([2 / 3, 1 / 2, 1.0])


def test_levels_are_over_those_who_looked():
    votes = table(RATINGS)
    looked = (~np.isnan(RATINGS)).sum(axis=0)
    marked = np.nansum(RATINGS, axis=0)
    for share in (0.0, 0.34, 0.5, 0.75, 1.0):
        expected = marked >= np.maximum(np.ceil(share * looked - 1e-9), 1)
        assert votes.on_map(consensus_at_level(votes, share)).tolist() == expected.tolist()


def plain_staple(ratings, prior, rounds=400):
    """STAPLE unit by unit; a missing rating has no factor."""
    looked, yes = ~np.isnan(ratings), ratings == 1
    w = yes.sum(axis=0) / looked.sum(axis=0)
    for _ in range(rounds):
        p = np.array([(w[m] * d[m]).sum() / w[m].sum() for d, m in zip(yes, looked)])
        q = np.array([((1 - w[m]) * ~d[m]).sum() / (1 - w[m]).sum() for d, m in zip(yes, looked)])
        if_true, if_false = np.full(w.shape, prior), np.full(w.shape, 1 - prior)
        for d, m, sensitivity, specificity in zip(yes, looked, p, q):
            if_true *= np.where(m, np.where(d, sensitivity, 1 - sensitivity), 1)
            if_false *= np.where(m, np.where(d, 1 - specificity, specificity), 1)
        w = if_true / (if_true + if_false)
    return w, p, q


def test_staple_gives_missing_ratings_no_factor():
    ratings = random_ratings(5)
    ratings = ratings[:, ~np.isnan(ratings).all(axis=0)]
    votes = table(ratings)
    found = staple(votes, 0.3)
    w, p, q = plain_staple(ratings, 0.3)
    np.testing.assert_allclose(found.sensitivity, p, atol=1e-5)
    np.testing.assert_allclose(found.specificity, q, atol=1e-5)
    np.testing.assert_allclose(votes.on_map(found.probability), w, atol=1e-5)
    assert (np.diff(found.log_likelihood) > -1e-6).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([2, 3, 4, 5, 36]))
def test_the_order_of_annotators_changes_nothing(seed, n_annotators):
    ratings = random_ratings(seed, (n_annotators, 60), 0.3)
    order = np.random.default_rng(seed).permutation(n_annotators)
    one, other = table(ratings), table(ratings[order])
    assert measures.agreement_coefficients(other) == pytest.approx(
        measures.agreement_coefficients(one), nan_ok=True
    )
    assert measures.smyth_bound(other) == pytest.approx(measures.smyth_bound(one))
    np.testing.assert_allclose(
        measures.pairwise_f1(other), measures.pairwise_f1(one)[np.ix_(order, order)]
    )
    for method in ("any", "0.5", "0.75", "unanimous", "excl-0.5", "staple"):
        rule = CONSENSUS_METHODS[method]
        np.testing.assert_array_equal(other.on_map(rule(other)), one.on_map(rule(one)))


def test_complete_ratings_give_what_a_table_without_missing_ones_gives():
    marks = np.random.default_rng(6).random((4, 30, 30)) < 0.3
    complete = VoteTable.from_stack(marks)
    given_none = VoteTable.from_stack(marks, missing=np.zeros_like(marks))
    assert given_none.is_complete
    assert measures.agreement_coefficients(given_none) == measures.agreement_coefficients(complete)
    # The general formulas give the same as those for complete ratings.
    general = measures.coefficients_from_histogram(measures.rating_histogram(complete), 1.0)
    assert general == pytest.approx(measures.agreement_coefficients(complete), abs=1e-12)


def test_tiles_images_and_blocks_keep_missing_ratings():
    ratings = random_ratings(7, (3, 20, 30), 0.3)
    whole = table(ratings)
    halves = [ratings[:, :, :15], ratings[:, :, 15:]]
    tiles = VoteTable.from_tiles((half == 1, None, np.isnan(half)) for half in halves)
    merged = VoteTable.merge([table(half) for half in halves])
    expected = measures.agreement_coefficients(whole)
    for votes in (tiles, merged):
        assert measures.agreement_coefficients(votes) == pytest.approx(expected)
    rows = tiles.pattern_rows(halves[0] == 1, missing=np.isnan(halves[0]))
    assert np.array_equal(np.append(tiles.n_rated, 0)[rows], (~np.isnan(halves[0])).sum(axis=0))
    summary = agreement_summary(whole, 5, n_resamples=200)
    alpha = summary.table.loc["krippendorff_alpha"]
    assert alpha["value"] == pytest.approx(expected.krippendorff_alpha)
    assert alpha["low"] < alpha["value"] < alpha["high"]
    assert_message(
        measures.missing_messages(whole)[0],
        "agreement.missing_ratings",
        names=["1", "2", "3"],
        all=pytest.approx((~np.isnan(ratings)).all(axis=0).sum() / whole.total_weight),
    )


def test_lsml_ignores_who_did_not_look():
    marks = np.zeros((4, 30, 30), dtype=bool)
    marks[:, 8:20, 8:20] = True
    marks[2, 8:20, 18:22] = True
    missing = np.zeros_like(marks)
    missing[3] = True  # the fourth did not look at all
    marks[3] = False
    found = level_set(VoteTable.from_stack(marks, missing=missing), max_iterations=50)
    expected = level_set(VoteTable.from_stack(marks[:3]), max_iterations=50)
    np.testing.assert_array_equal(found.marked, expected.marked)


def test_a_detector_is_judged_where_the_ground_truth_is_known():
    rng = np.random.default_rng(8)
    truth = rng.random(400) < 0.4
    score = truth + rng.normal(0, 0.6, 400)
    looked = np.arange(400) < 250
    ratings = np.stack([truth.astype(float), np.where(looked, truth, np.nan)])
    votes = table(ratings)
    truths = compute_ground_truths(votes, ["each", "0.5"])
    assert truths.known["2"].tolist() == looked.tolist()
    found = rank_detectors({"d": score}, truths)
    part = rank_detectors({"d": score[looked]}, {"t": truth[looked]})
    assert found.aucr.loc["d", "2"] == pytest.approx(part.aucr.loc["d", "t"], abs=1e-12)
    assert found.skew["2"] == pytest.approx(truth[looked].mean())
    resampled = bootstrap_ranking({"d": score}, votes, np.arange(400) // 50, resamples=5)
    everything = rank_detectors({"d": score}, {"t": truth}).aucr.loc["d", "t"]
    assert resampled.estimate["d"] == pytest.approx(everything, abs=5e-3)


def test_wrong_missing_ratings_are_refused():
    with raises("votes.wrong_missing_shape", shape="(2, 3)", other_shape="(2, 4)"):
        VoteTable.from_stack(np.ones((2, 4), bool), missing=np.ones((2, 3), bool))


@pytest.mark.parametrize("n_annotators", [33, 40, 64])
def test_up_to_64_annotators_may_have_missing_ratings(n_annotators):
    """Decisions and missing ratings of more than 32 annotators do not fit into 64 bits."""
    ratings = random_ratings(n_annotators, (n_annotators, 12, 10), 0.4)
    ratings[:, 0, 0] = np.nan  # nobody looked here
    votes = table(ratings)
    looked, yes = ~np.isnan(ratings), ratings == 1
    assert votes.total_weight == 119
    np.testing.assert_array_equal(votes.on_map(votes.n_yes, 0), yes.sum(axis=0))
    np.testing.assert_array_equal(votes.on_map(votes.n_rated, 0), looked.sum(axis=0))
    found = measures.agreement_coefficients(votes)
    raw, kappa, ac1 = gwet(ratings.reshape(n_annotators, -1))
    assert found.raw_agreement == pytest.approx(raw, abs=1e-12)
    assert found.fleiss_kappa == pytest.approx(kappa, abs=1e-12)
    assert found.gwet_ac1 == pytest.approx(ac1, abs=1e-12)

    # One of the tiles and images has no missing rating.
    halves = [ratings[:, :, :5], np.nan_to_num(ratings[:, :, 5:])]
    tiles = VoteTable.from_tiles((half == 1, None, np.isnan(half)) for half in halves)
    merged = VoteTable.merge([table(half) for half in halves])
    whole = measures.agreement_coefficients(table(np.concatenate(halves, axis=2)))
    for joined in (tiles, merged):
        assert measures.agreement_coefficients(joined) == pytest.approx(whole)
    for half in halves:
        rows = tiles.pattern_rows(half == 1, missing=np.isnan(half))
        np.testing.assert_array_equal(np.append(tiles.n_yes, 0)[rows], (half == 1).sum(axis=0))


def cells(marks: np.ndarray) -> np.ndarray:
    """Return the marked cells of a grid (rows, columns) as squares of 1 m."""
    row, column = np.nonzero(marks)
    return shapely.box(column, row, column + 1, row + 1)


@pytest.mark.parametrize("faces", [True, False])
@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n_reviewed=st.integers(1, 3),
    has_area=st.booleans(),
)
def test_exact_overlays_with_reviewed_areas_equal_counted_cells(faces, seed, n_reviewed, has_area):
    """Squares overlaid exactly have the areas of the cells, counted without an overlay."""
    rng = np.random.default_rng(seed)
    shape = (5, 6)
    drawn = rng.random((3, *shape)) < 0.5
    looked = np.ones((3, *shape), dtype=bool)
    for number in range(n_reviewed):
        looked[number] = rng.random(shape) < 0.7
        looked[number, 0, number] = True
    names = ("ann", "ben", "cleo")
    reviewed = {name: cells(looked[k]) for k, name in enumerate(names[:n_reviewed])}
    area = shapely.box(0, 0, shape[1], shape[0]) if has_area else None
    studied = looked.any(axis=0)
    if not has_area and n_reviewed < 3:
        studied &= drawn.any(axis=0)
    if not studied.any():
        return
    votes = VoteTable.from_polygons(
        {name: cells(drawn[k]) for k, name in enumerate(names)},
        area,
        faces=faces,
        reviewed=reviewed,
    )
    counted = VoteTable.from_stack(drawn, ~studied, missing=~looked, names=names)
    found = dict(zip(map(pattern_of, votes.patterns, ratings_of(votes)), votes.weights))
    found = {pattern: weight for pattern, weight in found.items() if weight > 1e-9}
    expected = dict(zip(map(pattern_of, counted.patterns, ratings_of(counted)), counted.weights))
    assert found == pytest.approx(expected, abs=1e-9)
    assert np.asarray(votes.names).tolist() == list(names)

    # The order of the layers changes nothing.
    order = rng.permutation(3)
    other = VoteTable.from_polygons(
        {names[k]: cells(drawn[k]) for k in order}, area, faces=faces, reviewed=reviewed
    )
    assert measures.agreement_coefficients(other) == pytest.approx(
        measures.agreement_coefficients(votes), nan_ok=True
    )


def ratings_of(votes: VoteTable) -> np.ndarray:
    return np.ones_like(votes.patterns) if votes.is_rated is None else votes.is_rated


def pattern_of(decisions: np.ndarray, is_rated: np.ndarray) -> tuple[str, ...]:
    return tuple("-" if not rated else str(int(yes)) for yes, rated in zip(decisions, is_rated))


def test_blocks_of_exact_overlays_keep_reviewed_areas():
    drawn = {"ann": [shapely.box(0, 0, 60, 50)], "ben": [shapely.box(20, 0, 80, 50)]}
    reviewed = {"ben": shapely.box(0, 0, 50, 50)}
    area = shapely.box(0, 0, 80, 50)
    whole = VoteTable.from_polygons(drawn, area, reviewed=reviewed)
    sums = VoteTable.from_polygons(
        drawn, area, reviewed=reviewed, faces=False, borders=partial(block_edges, block_side=10)
    )
    # By hand: ann alone 20 m, both 30 m, only ann looked: yes 10 m, no 20 m, times 50 m.
    expected = {("1", "0"): 1000, ("1", "1"): 1500, ("1", "-"): 500, ("0", "-"): 1000}
    for votes in (whole, sums):
        found = dict(zip(map(pattern_of, votes.patterns, ratings_of(votes)), votes.weights))
        assert found == pytest.approx(expected)
    assert sums.blocks.shape[0] == 40
    assert np.asarray(sums.blocks.sum(axis=0)).ravel() == pytest.approx(sums.weights)
    summaries = [agreement_summary(votes, 10, n_resamples=50).table for votes in (whole, sums)]
    assert summaries[0]["value"].tolist() == pytest.approx(summaries[1]["value"].tolist())


def test_wrong_reviewed_areas_are_refused():
    box = shapely.box(0, 0, 1, 1)
    with raises("reviewed.unknown_annotator", name="cleo"):
        VoteTable.from_polygons({"ann": [box], "ben": [box]}, reviewed={"cleo": box})
    drawn = {str(number): [box] for number in range(40)}
    reviewed = {name: shapely.box(0, 0, 1 + number, 1) for number, name in enumerate(drawn)}
    with raises("reviewed.too_many", most=64, annotators=40, areas=40):
        VoteTable.from_polygons(drawn, reviewed=reviewed)
    # Equal areas are overlaid once.
    assert VoteTable.from_polygons(drawn, reviewed=dict.fromkeys(drawn, box)).total_weight == 1


def test_ground_that_parts_of_a_reviewed_area_cover_twice_is_reviewed() -> None:
    # The parts share 2 x 3 = 6 m², so that the area is 16 + 16 - 6 = 26 m².
    parts = shapely.MultiPolygon([shapely.box(0, 0, 4, 4), shapely.box(2, 1, 6, 5)])
    reviews = ReviewedAreas.from_layers(["ann"], {"ann": [parts]})
    assert reviews.areas[0].area == pytest.approx(26.0)
    assert reviews.areas[0].contains(shapely.Point(3, 2))
