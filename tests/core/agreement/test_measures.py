from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support.errors import raises
from support.examples import examples
from support.resampling import mean_pairwise_f1

from randcrowns.core.agreement import measures as agreement
from randcrowns.core.agreement.agreement_messages import AgreementMessage, consensus_messages
from randcrowns.core.agreement.consensus import leave_one_out
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.messages import Message

stacks = st.tuples(st.integers(2, 6), st.integers(1, 40)).flatmap(lambda shape: arrays(bool, shape))


def table(*rows: str, names: str = "") -> VoteTable:
    """One annotator per row, "1" for yes, "." for no."""
    return VoteTable.from_stack(
        np.array([[letter == "1" for letter in row] for row in rows]), names=list(names)
    )


def lance_williams_ward(distance: np.ndarray) -> list[tuple[float, int]] | None:
    """Return heights and sizes of Ward clusters by the update formula; None if two pairs tie."""
    clusters = {k: {k} for k in range(len(distance))}
    d = {frozenset(pair): distance[pair] for pair in combinations(range(len(distance)), 2)}
    merges = []
    while len(clusters) > 1:
        pair, *others = sorted(
            (frozenset(p) for p in combinations(clusters, 2)), key=lambda p: d[p]
        )
        if others and d[others[0]] - d[pair] < 1e-9:
            return None
        a, b = sorted(pair)
        height, new = d[pair], max(clusters) + 1
        for c in clusters.keys() - pair:
            n_a, n_b, n_c = len(clusters[a]), len(clusters[b]), len(clusters[c])
            squared = (n_a + n_c) * d[frozenset((a, c))] ** 2 + (n_b + n_c) * d[
                frozenset((b, c))
            ] ** 2
            squared -= n_c * height**2
            d[frozenset((new, c))] = np.sqrt(squared / (n_a + n_b + n_c))
        clusters[new] = clusters.pop(a) | clusters.pop(b)
        merges.append((height, len(clusters[new])))
    return merges


def test_hand_worked_scene() -> None:
    # h is 3 3 2 1 0 0 0 0.
    votes = table("1111....", "111.....", "11......")
    np.testing.assert_array_equal(agreement.vote_histogram(votes), [4, 1, 1, 2])
    assert agreement.smyth_bound(votes) == pytest.approx(2 / 24)
    np.testing.assert_allclose(agreement.agreement_ratio(votes), [1, 3 / 4, 2 / 4])
    np.testing.assert_array_equal(votes.shared_weights, [[4, 3, 2], [3, 3, 2], [2, 2, 2]])
    f1 = [[1, 6 / 7, 4 / 6], [6 / 7, 1, 4 / 5], [4 / 6, 4 / 5, 1]]
    np.testing.assert_allclose(agreement.pairwise_f1(votes), f1)
    assert mean_pairwise_f1(votes) == pytest.approx((6 / 7 + 4 / 6 + 4 / 5) / 3)


def test_smyth_bound_is_largest_where_votes_are_even() -> None:
    assert agreement.smyth_bound(table("1", "1", ".", ".")) == 0.5
    assert agreement.smyth_bound(table("1", "1", ".", ".", ".")) == 2 / 5
    assert (
        agreement.smyth_bound(table("1.1.", "1..1")) == 0.25
    )  # half of the half on which they differ


def test_weights_are_areas_with_polygons() -> None:
    votes = VoteTable.from_polygons(
        [[shapely.box(0, 0, 4, 4)], [shapely.box(2, 0, 6, 4)]], shapely.box(0, 0, 8, 8)
    )
    assert agreement.smyth_bound(votes) == pytest.approx(16 / 128)
    assert agreement.pairwise_f1(votes)[0, 1] == pytest.approx(0.5)


def test_annotators_against_half_of_them() -> None:
    # What two of the three marked: the first three units.
    statistics = agreement.annotator_statistics(
        table("11111...", "111.....", "11......", names="abc")
    )
    assert list(statistics.index) == ["a", "b", "c"]
    a, b, c = (statistics.loc[name] for name in "abc")
    assert (a.sensitivity, a.specificity, a.ppv, a.npv) == (1, 3 / 5, 3 / 5, 1)
    assert a.kappa == pytest.approx((6 / 8 - 30 / 64) / (1 - 30 / 64))
    assert (b.sensitivity, b.specificity, b.ppv, b.npv, b.kappa) == (1, 1, 1, 1, 1)
    assert (c.sensitivity, c.specificity, c.ppv) == (2 / 3, 1, 1)
    assert c.npv == pytest.approx(5 / 6)
    np.testing.assert_array_equal(statistics.marked, [5, 3, 2])
    np.testing.assert_array_equal(statistics.share, [5 / 8, 3 / 8, 2 / 8])


def test_annotators_against_a_consensus_of_their_own() -> None:
    votes = table("1111....", "11......", "111.....")
    rest = np.stack([votes.without(k).n_yes >= 1 for k in range(3)])
    statistics = agreement.annotator_statistics(votes, rest)
    for k in range(3):
        alone = agreement.annotator_statistics(votes, rest[k]).iloc[k]
        np.testing.assert_array_equal(statistics.iloc[k].to_numpy(float), alone.to_numpy(float))
    with raises("consensus.wrong_shape"):
        agreement.annotator_statistics(votes, np.ones(2, bool))


def test_two_annotators_are_specific_by_construction() -> None:
    votes = table("1.1.", "11..")
    statistics = agreement.annotator_statistics(votes)
    assert (statistics.specificity == 1).all()
    assert (statistics.ppv == 1).all()
    assert AgreementMessage.TWO_ANNOTATORS_BOUND in agreement.agreement_messages(votes)
    assert consensus_messages(statistics) == (AgreementMessage.TWO_ANNOTATORS_CONSENSUS,)
    of_the_other = agreement.annotator_statistics(votes, leave_one_out(votes))
    assert (of_the_other.ppv < 1).all()
    assert consensus_messages(of_the_other, left_one_out=True) == ()
    full = agreement.annotator_statistics(table("1.", "11"))
    assert consensus_messages(full) == (
        AgreementMessage.TWO_ANNOTATORS_PPV,
        AgreementMessage.FULL_CONSENSUS,
    )
    assert consensus_messages(agreement.annotator_statistics(table("..", ".."))) == (
        AgreementMessage.EMPTY_CONSENSUS,
    )
    assert not agreement.outliers(votes).any()
    assert np.isnan(agreement.outlier_limit(votes))
    assert agreement.dendrogram(votes).shape == (0, 4)


def test_one_annotator_has_nobody_to_agree_with() -> None:
    votes = table("11..")
    assert np.isnan(agreement.smyth_bound(votes))
    assert np.isnan(mean_pairwise_f1(votes))
    assert np.isnan(agreement.mean_distances(votes)).all()
    assert np.isnan(agreement.agreement_coefficients(votes)).all()
    assert not agreement.outliers(votes).any()
    assert AgreementMessage.ONE_ANNOTATOR in agreement.agreement_messages(votes)
    np.testing.assert_array_equal(agreement.pairwise_f1(votes), [[1]])
    alone = agreement.annotator_statistics(votes)
    against = ["sensitivity", "specificity", "ppv", "npv", "kappa"]
    assert alone[[*against, "mean_f1"]].isna().all(axis=None)
    assert alone.loc[:, ["marked", "share"]].to_numpy().tolist() == [[2, 0.5]]
    assert consensus_messages(alone) == ()
    assert agreement.annotator_statistics(
        votes, np.ones(len(votes.patterns), bool)
    ).sensitivity.tolist() == [0.5]


def test_nothing_marked_is_not_a_number_and_says_so() -> None:
    votes = table("....", "....", "....")
    assert agreement.smyth_bound(votes) == 0
    assert np.isnan(agreement.agreement_ratio(votes)).all()
    assert (agreement.pairwise_f1(votes) == 1).all()
    assert not agreement.outliers(votes).any()
    coefficients = agreement.agreement_coefficients(votes)
    assert coefficients.raw_agreement == 1
    assert np.isnan([coefficients.fleiss_kappa, coefficients.krippendorff_alpha]).all()
    statistics = agreement.annotator_statistics(votes)
    assert np.isnan(statistics[["sensitivity", "ppv", "kappa"]].to_numpy()).all()
    assert (statistics.specificity == 1).all()
    assert AgreementMessage.NOTHING_MARKED in agreement.agreement_messages(votes)


def test_everything_marked() -> None:
    votes = table("11", "11", "11")
    assert np.isnan(agreement.agreement_coefficients(votes).fleiss_kappa)
    assert np.isnan(
        agreement.annotator_statistics(votes)[["specificity", "npv", "kappa"]].to_numpy()
    ).all()
    assert AgreementMessage.EVERYTHING_MARKED in agreement.agreement_messages(votes)


def test_a_consensus_that_is_empty_or_everything_is_told() -> None:
    def notes(*drawn):
        return consensus_messages(agreement.annotator_statistics(table(*drawn)))

    assert notes("1...", ".1..", "..1.") == (AgreementMessage.EMPTY_CONSENSUS,)
    assert notes("11.", "1.1", ".11") == (AgreementMessage.FULL_CONSENSUS,)
    assert notes("1...", "1...", "..1.") == ()


def test_an_empty_annotator_shares_nothing() -> None:
    votes = table("11..", "1...", "....")
    np.testing.assert_allclose(agreement.pairwise_f1(votes)[2], [0, 0, 1])
    assert np.isnan(agreement.annotator_statistics(votes).ppv.iloc[2])
    assert AgreementMessage.EMPTY_ANNOTATOR in agreement.agreement_messages(votes)


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        (("11......", "1.1.....", "11......"), ()),
        (("1.........", "1.........", "1........."), ()),
        (
            ("1...........", "............", "1..........."),
            (AgreementMessage.EMPTY_ANNOTATOR, AgreementMessage.SPARSE),
        ),
        (("1...........", "1...........", "1..........."), (AgreementMessage.SPARSE,)),
        (("....", "....", "...."), (AgreementMessage.NOTHING_MARKED,)),
        (("1111", "1111", "1111"), (AgreementMessage.EVERYTHING_MARKED,)),
        (("11111111111.", "111111111111", "111111111111"), (AgreementMessage.MOSTLY_MARKED,)),
        (
            ("11..", "1.1."),
            (AgreementMessage.TWO_ANNOTATORS_BOUND, AgreementMessage.TOO_FEW_FOR_OUTLIERS),
        ),
        (("11..",), (AgreementMessage.ONE_ANNOTATOR, AgreementMessage.TOO_FEW_FOR_OUTLIERS)),
    ],
)
def test_each_note_is_there_where_it_applies_and_nowhere_else(
    drawn: tuple[str, ...], expected: tuple[AgreementMessage, ...]
) -> None:
    votes = table(*drawn)
    told = [
        note
        for note in agreement.agreement_messages(votes)
        if note is not AgreementMessage.OUTLIER_MEANING
    ]
    assert tuple(told) == expected
    assert (AgreementMessage.OUTLIER_MEANING in agreement.agreement_messages(votes)) == bool(
        agreement.outliers(votes).any()
    )


def test_no_study_area_at_all() -> None:
    votes = VoteTable.from_stack(np.ones((3, 2), bool), np.ones(2, bool))
    assert np.isnan(agreement.smyth_bound(votes))
    assert np.isnan(agreement.agreement_coefficients(votes)).all()
    assert np.isnan(
        agreement.annotator_statistics(votes)[["sensitivity", "specificity", "kappa"]].to_numpy()
    ).all()
    assert isinstance(agreement.agreement_messages(votes), tuple)


def test_identical_and_disjoint_annotators() -> None:
    same = table("11..", "11..", "11..")
    assert (agreement.pairwise_f1(same) == 1).all()
    assert agreement.smyth_bound(same) == 0
    assert agreement.agreement_coefficients(same).fleiss_kappa == 1
    assert agreement.agreement_coefficients(same).krippendorff_alpha == 1
    assert agreement.agreement_coefficients(same).gwet_ac1 == 1
    assert not agreement.outliers(same).any()
    apart = table("1...", ".1..", "..1.")
    np.testing.assert_array_equal(agreement.pairwise_f1(apart), np.eye(3))
    assert not agreement.outliers(apart).any()


def test_an_outlier_is_unlike_the_others() -> None:
    votes = table("1111....", "1111....", "1111....", "111.....", ".....111", names="abcde")
    distance = 1 - agreement.pairwise_f1(votes)
    mean = distance.sum(axis=1) / 4
    np.testing.assert_allclose(agreement.mean_distances(votes), mean)
    assert agreement.outlier_limit(votes) == pytest.approx(mean.mean() + np.std(mean, ddof=1))
    np.testing.assert_array_equal(agreement.outliers(votes), [False, False, False, False, True])
    assert list(agreement.annotator_statistics(votes).query("outlier").index) == ["e"]
    assert AgreementMessage.OUTLIER_MEANING in agreement.agreement_messages(votes)


def test_the_deviation_has_n_minus_one() -> None:
    # Mean distances 0.576, 0.678 and 0.436: with n in the denominator the limit would be 0.663.
    votes = table(".1..1..1.11.", ".111.11.1...", ".11.1.1..111")
    mean = agreement.mean_distances(votes)
    assert mean.mean() + mean.std(ddof=0) < mean[1] < mean.mean() + mean.std(ddof=1)
    assert not agreement.outliers(votes).any()


def test_sparse_marks_come_with_a_warning() -> None:
    assert AgreementMessage.SPARSE in agreement.agreement_messages(
        table("1" + "." * 29, "1" + "." * 29)
    )
    assert AgreementMessage.MOSTLY_MARKED not in agreement.agreement_messages(
        table("1" + "." * 29, "1" + "." * 29)
    )
    assert not {AgreementMessage.SPARSE, AgreementMessage.MOSTLY_MARKED} & set(
        agreement.agreement_messages(table("1..", "1.."))
    )
    most = agreement.agreement_messages(table("." + "1" * 29, "." + "1" * 29))
    assert AgreementMessage.MOSTLY_MARKED in most
    assert AgreementMessage.SPARSE not in most
    # Anybody marked more than a tenth, but each of them less.
    assert AgreementMessage.SPARSE in agreement.agreement_messages(
        table("1" + "." * 11, "." * 11 + "1")
    )


@settings(max_examples=examples(60), deadline=None)
@given(stacks)
def test_dendrogram_follows_the_update_formula(stack: np.ndarray) -> None:
    votes = VoteTable.from_stack(stack)
    if votes.n_annotators < 3:
        return
    expected = lance_williams_ward(1 - agreement.pairwise_f1(votes))
    if expected is None:
        return  # ties may be merged in any order
    heights = [height for height, _ in expected]
    np.testing.assert_allclose(agreement.dendrogram(votes)[:, 2], heights, atol=1e-9)


@settings(max_examples=examples(60), deadline=None)
@given(stacks)
def test_coefficients_against_counting_pairs(stack: np.ndarray) -> None:
    k, n = stack.shape
    alike = [stack[i, x] == stack[j, x] for x in range(n) for i, j in combinations(range(k), 2)]
    p = stack.mean()
    raw = np.mean(alike)
    found = agreement.agreement_coefficients(VoteTable.from_stack(stack))
    assert found.raw_agreement == pytest.approx(raw)
    by_marginals = p**2 + (1 - p) ** 2
    if by_marginals == 1:
        assert np.isnan([found.fleiss_kappa, found.krippendorff_alpha]).all()
        return
    assert found.fleiss_kappa == pytest.approx((raw - by_marginals) / (1 - by_marginals))
    assert found.gwet_ac1 == pytest.approx((raw - 2 * p * (1 - p)) / (1 - 2 * p * (1 - p)))
    # Krippendorff's coincidence matrix: every ordered pair within a unit counts 1/(k - 1).
    coincidence = np.zeros((2, 2))
    for x in range(n):
        for i in range(k):
            for j in range(k):
                if i != j:
                    coincidence[int(stack[i, x]), int(stack[j, x])] += 1 / (k - 1)
    total = coincidence.sum()
    by_value = coincidence.sum(axis=0)
    alpha = 1 - (total - 1) * coincidence[0, 1] / (by_value[0] * by_value[1])
    assert found.krippendorff_alpha == pytest.approx(alpha)


def test_alpha_does_not_depend_on_the_unit_of_the_weights() -> None:
    stack = np.random.default_rng(3).random((3, 5, 5)) < 0.4
    alone = agreement.agreement_coefficients(VoteTable.from_stack(stack)).krippendorff_alpha
    assert agreement.agreement_coefficients(
        VoteTable.from_stack(stack, pixel_area=0.01)
    ).krippendorff_alpha == pytest.approx(alone)
    tiles = VoteTable.from_tiles([stack[:, :2], stack[:, 2:]], pixel_area=0.01)
    assert agreement.agreement_coefficients(tiles).krippendorff_alpha == pytest.approx(alone)
    drawn = [np.array([shapely.box(0, 0, 2, 2)]), np.array([shapely.box(1, 0, 3, 2)])]
    area = shapely.box(0, 0, 4, 2)
    small = VoteTable.from_polygons(
        [shapely.transform(d, lambda c: c / 100) for d in drawn], shapely.box(0, 0, 0.04, 0.02)
    )
    exact = agreement.agreement_coefficients(VoteTable.from_polygons(drawn, area))
    assert agreement.agreement_coefficients(small).krippendorff_alpha == pytest.approx(
        exact.krippendorff_alpha
    )
    assert exact.krippendorff_alpha == pytest.approx(exact.fleiss_kappa)


@settings(max_examples=examples(60), deadline=None)
@given(stacks)
def test_statistics_do_not_depend_on_the_order_of_annotators(stack: np.ndarray) -> None:
    forward, backward = VoteTable.from_stack(stack), VoteTable.from_stack(stack[::-1])
    assert agreement.smyth_bound(forward) == pytest.approx(agreement.smyth_bound(backward))
    np.testing.assert_allclose(
        agreement.pairwise_f1(forward), agreement.pairwise_f1(backward)[::-1, ::-1]
    )
    np.testing.assert_array_equal(agreement.outliers(forward), agreement.outliers(backward)[::-1])
    left, right = agreement.annotator_statistics(forward), agreement.annotator_statistics(backward)
    np.testing.assert_allclose(left.kappa, right.kappa[::-1])


def test_sixty_four_annotators() -> None:
    stack = np.random.default_rng(0).random((64, 500)) < np.linspace(0.1, 0.6, 64)[:, None]
    votes = VoteTable.from_stack(stack)
    h = stack.sum(axis=0)
    assert agreement.smyth_bound(votes) == pytest.approx(np.minimum(h, 64 - h).sum() / (64 * 500))
    both = stack.astype(int) @ stack.T.astype(int)
    size = stack.sum(axis=1)
    np.testing.assert_allclose(agreement.pairwise_f1(votes), 2 * both / (size[:, None] + size))
    assert agreement.dendrogram(votes).shape == (63, 4)


def test_every_note_is_a_sentence() -> None:
    notes = [note for note in vars(AgreementMessage).values() if isinstance(note, Message)]
    assert len({note.key for note in notes}) == len(notes) > 30
    for note in notes:
        assert str(note)[0].isupper()
        assert str(note).endswith(".")


@pytest.mark.parametrize("k", range(3, 20))
def test_annotators_who_are_all_alike_in_distance_are_no_outliers(k: int) -> None:
    # Each annotator marks the shared unit and a separate one. All distances are equal except for
    # the order of summation.
    for shared in range(1, 12):
        stack = np.hstack([np.ones((k, shared), dtype=bool), np.eye(k, dtype=bool)])
        assert not agreement.outliers(VoteTable.from_stack(stack)).any()


@pytest.mark.parametrize("value", [0.2, np.nan, 1])
def test_a_consensus_of_anything_but_yes_and_no_is_refused(value: float) -> None:
    votes = VoteTable.from_stack(np.array([[True, False], [True, True]]))
    with raises("consensus.not_boolean"):
        agreement.annotator_statistics(votes, np.full(len(votes.patterns), value))
