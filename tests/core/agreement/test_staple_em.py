from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support.errors import raises
from support.examples import examples
from support.resampling import with_weights

from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.agreement.staple_em import StapleResult, staple, staple_priors
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.errors import Cancelled

# Results of ITK 5.4's STAPLE filter for simulated_scene: sensitivity, specificity, probability
# along a row, and sum of the probabilities.
ITK = {
    2: (
        [0.940272852326, 0.830249095914],
        [0.94776364883, 0.981391664773],
        [0.003353867979] * 4 + [0.995982957435, 0.464677494348, 0.995982957435, 0.995982957435],
        543.499629058,
    ),
    3: (
        [0.939033678578, 0.928800688875, 0.756894605378],
        [0.947499398594, 0.985890423785, 0.955603328414],
        [0.000340475655] * 3
        + [0.022315204546]
        + [0.999827115665] * 2
        + [0.988544996418, 0.999827115665],
        513.278750863,
    ),
    5: (
        [0.802026824075, 0.740014843202, 0.841806673754, 0.904739902514, 0.96439210957],
        [0.964564675806, 0.969048535945, 0.988898749678, 0.991950186685, 0.933661694281],
        [
            8.782474e-06,
            8.782474e-06,
            0.000782054676,
            0.003336581744,
            0.99997402922,
            0.999999945211,
            0.999999945211,
            0.999995117455,
        ],
        515.733630113,
    ),
    13: (
        [
            0.712900960113,
            0.71678187137,
            0.757218169361,
            0.890169840805,
            0.965316308483,
            0.709074388202,
            0.816949854205,
            0.984611495417,
            0.734123330947,
            0.709074845486,
            0.920999353795,
            0.79000207431,
            0.967270899999,
        ],
        [
            0.960776685781,
            0.938936035129,
            0.960216480244,
            0.956855216948,
            0.98430598079,
            0.929412254689,
            0.961336879199,
            0.978151371429,
            0.937255364721,
            0.909804694748,
            0.96245746846,
            0.933894215981,
            0.93109317075,
        ],
        [
            7.8e-11,
            1.63e-10,
            6.5078e-08,
            6.721e-09,
            1.0,
            0.999999999987,
            0.999999999948,
            0.999999999612,
        ],
        518.986322567,
    ),
}


def simulated_scene(n_annotators: int, size: int = 48) -> np.ndarray:
    rng = np.random.default_rng(n_annotators)
    truth = np.zeros((size, size), dtype=bool)
    y, x = np.mgrid[:size, :size]
    for centre_y, centre_x, radius in ((12, 14, 7), (30, 33, 10), (38, 10, 5)):
        truth |= (y - centre_y) ** 2 + (x - centre_x) ** 2 < radius**2
    misses = rng.uniform(0.02, 0.3, n_annotators)[:, None, None]
    extras = rng.uniform(0.005, 0.08, n_annotators)[:, None, None]
    draw = rng.random((n_annotators, size, size))
    return np.where(truth, draw > misses, draw < extras)


def slow_staple(
    stack: np.ndarray, g: float, rounds: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Expectation maximisation unit by unit, with plain products."""
    k, n = stack.shape
    w = stack.mean(axis=0)
    for _ in range(rounds):
        p = np.array([sum(w[x] for x in range(n) if stack[j, x]) / w.sum() for j in range(k)])
        q = np.array(
            [sum(1 - w[x] for x in range(n) if not stack[j, x]) / (1 - w).sum() for j in range(k)]
        )
        for x in range(n):
            a, b = g, 1 - g
            for j in range(k):
                a *= p[j] if stack[j, x] else 1 - p[j]
                b *= 1 - q[j] if stack[j, x] else q[j]
            w[x] = a / (a + b)
    return w, p, q


@pytest.mark.parametrize("n_annotators", sorted(ITK))
def test_equal_to_itk(n_annotators: int) -> None:
    sensitivity, specificity, row, total = ITK[n_annotators]
    votes = VoteTable.from_stack(simulated_scene(n_annotators))
    result = staple(votes, prior="mean")
    np.testing.assert_allclose(result.sensitivity, sensitivity, rtol=0, atol=1e-8)
    np.testing.assert_allclose(result.specificity, specificity, rtol=0, atol=1e-8)
    probability = votes.on_map(result.probability)
    np.testing.assert_allclose(probability[30, ::6], row, rtol=0, atol=1e-7)
    assert probability.sum() == pytest.approx(total, abs=1e-4)


@pytest.mark.parametrize("prior", ["mean", "any", 0.2])
def test_equal_to_working_unit_by_unit(prior: str | float) -> None:
    stack = simulated_scene(4, 12).reshape(4, -1)
    votes = VoteTable.from_stack(stack)
    result = staple(votes, prior)
    g = {"mean": stack.mean(), "any": stack.any(axis=0).mean()}.get(prior, prior)  # type: ignore[call-overload]
    assert result.prior == pytest.approx(g)
    w, p, q = slow_staple(stack, g, result.n_rounds)
    np.testing.assert_allclose(votes.on_map(result.probability), w, atol=1e-10)
    np.testing.assert_allclose(result.sensitivity, p, atol=1e-10)
    np.testing.assert_allclose(result.specificity, q, atol=1e-10)


@settings(max_examples=examples(60), deadline=None)
@given(
    st.tuples(st.integers(1, 6), st.integers(1, 40)).flatmap(lambda shape: arrays(bool, shape)),
    st.sampled_from(["mean", "any", 0.01, 0.5, 0.9]),
    st.booleans(),
)
def test_it_gives_probabilities_and_the_likelihood_never_falls(
    stack: np.ndarray, prior: str | float, assign: bool
) -> None:
    votes = VoteTable.from_stack(stack)
    result = staple(votes, prior, assign_consensus=assign)
    for values in (result.probability, result.sensitivity, result.specificity):
        assert ((values >= 0) & (values <= 1)).all()
    rises = np.diff(result.log_likelihood)
    assert (rises >= -1e-9 * np.abs(result.log_likelihood[1:])).all()
    if assign:
        agreed = (votes.n_yes == 0) | (votes.n_yes == len(stack))
        np.testing.assert_array_equal(result.probability[agreed], votes.n_yes[agreed] > 0)


def test_it_stops_at_the_tolerance() -> None:
    votes = VoteTable.from_stack(simulated_scene(5))
    result = staple(votes)
    before = staple(votes, max_iterations=result.n_rounds - 1)
    assert result.converged
    assert not before.converged
    assert AgreementMessage.NOT_CONVERGED in before.messages
    assert AgreementMessage.NOT_CONVERGED not in result.messages
    last = (
        np.abs(result.sensitivity - before.sensitivity).max(),
        np.abs(result.specificity - before.specificity).max(),
    )
    assert max(last) <= 1e-7
    two_before = staple(votes, max_iterations=result.n_rounds - 2)
    assert np.abs(before.sensitivity - two_before.sensitivity).max() > 1e-7
    assert len(result.log_likelihood) == result.n_rounds


def test_the_truth_is_found_from_good_annotators() -> None:
    votes = VoteTable.from_stack(simulated_scene(13))
    found = votes.on_map(staple(votes).marked)
    assert found[12, 14]
    assert found[30, 33]
    assert not found[0, 0]


def test_with_two_annotators_the_prior_decides() -> None:
    votes = VoteTable.from_stack(simulated_scene(2))
    low, high = staple(votes, 0.15), staple(votes, 0.5)
    assert AgreementMessage.STAPLE_TWO_ANNOTATORS in low.messages
    np.testing.assert_array_equal(low.marked, votes.n_yes == 2)
    np.testing.assert_array_equal(high.marked, votes.n_yes > 0)


def test_a_probability_of_one_half_is_marked() -> None:
    nobody = np.empty(0)
    result = StapleResult(np.array([0.49, 0.5, 0.7]), nobody, nobody, 1, 0.5, True, nobody, ())
    np.testing.assert_array_equal(result.marked, [False, True, True])


def test_consensus_units_can_be_set_aside() -> None:
    stack = simulated_scene(5)
    votes = VoteTable.from_stack(stack)
    assigned = staple(votes, 0.3, assign_consensus=True)
    disputed = stack.any(axis=0) & ~stack.all(axis=0)
    alone = VoteTable.from_stack(stack, ~disputed)
    expected = staple(alone, 0.3)
    np.testing.assert_allclose(assigned.sensitivity, expected.sensitivity, atol=1e-12)
    on_map = votes.on_map(assigned.probability)
    np.testing.assert_allclose(
        on_map[disputed], alone.on_map(expected.probability)[disputed], atol=1e-12
    )


def test_swapped_labels_are_told() -> None:
    truth = np.arange(200) < 60
    noise = np.random.default_rng(0).random((4, 200)) < 0.05
    stack = truth ^ noise
    stack[3] = ~stack[3]
    assert AgreementMessage.STAPLE_SWAPPED in staple(VoteTable.from_stack(stack)).messages
    assert AgreementMessage.STAPLE_SWAPPED not in staple(VoteTable.from_stack(stack[:3])).messages


def test_annotators_who_share_nothing_are_told() -> None:
    apart = np.eye(5, 12, dtype=bool)
    assert AgreementMessage.STAPLE_NOTHING_SHARED in staple(VoteTable.from_stack(apart)).messages
    apart[0, 1] = True
    assert (
        AgreementMessage.STAPLE_NOTHING_SHARED not in staple(VoteTable.from_stack(apart)).messages
    )
    assert (
        AgreementMessage.STAPLE_NOTHING_SHARED
        not in staple(VoteTable.from_stack(apart[:1])).messages
    )


@pytest.mark.parametrize("everything", [False, True])
@pytest.mark.parametrize("prior", ["mean", "any", 0.3])
def test_nothing_and_everything_marked(everything: bool, prior: str | float) -> None:
    votes = VoteTable.from_stack(np.full((3, 5), everything))
    result = staple(votes, prior)
    np.testing.assert_array_equal(result.probability, [everything])
    np.testing.assert_array_equal([result.sensitivity, result.specificity], np.ones((2, 3)))
    assert result.n_rounds == 0
    assert AgreementMessage.STAPLE_NOTHING_TO_ESTIMATE in result.messages


def test_no_study_area() -> None:
    result = staple(VoteTable.from_stack(np.ones((2, 3), bool), np.ones(3, bool)))
    assert len(result.probability) == 0
    assert AgreementMessage.STAPLE_NOTHING_TO_ESTIMATE in result.messages
    assert np.isnan(
        staple_priors(VoteTable.from_stack(np.ones((2, 3), bool), np.ones(3, bool)), [0.5]).share[0]
    )


def test_patterns_without_weight_do_no_harm() -> None:
    votes = VoteTable.from_stack(simulated_scene(3, 16))
    weights = votes.weights.copy()
    weights[votes.n_yes == 2] = 0
    result = staple(with_weights(votes, weights))
    kept = weights > 0
    alone = staple(VoteTable(votes.patterns[kept], weights[kept]))
    np.testing.assert_allclose(result.sensitivity, alone.sensitivity)
    assert np.isfinite(result.probability).all()
    assert np.isfinite(result.log_likelihood).all()


def test_one_empty_and_sixty_four_annotators() -> None:
    alone = staple(VoteTable.from_stack(np.array([[True, False, False]])))
    np.testing.assert_array_equal(alone.marked, [False, True])
    assert AgreementMessage.ONE_ANNOTATOR in alone.messages
    with_empty = simulated_scene(4)
    with_empty[2] = False
    votes = VoteTable.from_stack(with_empty)
    result = staple(votes)
    assert result.sensitivity[2] == 0
    assert result.specificity[2] == pytest.approx(1)
    assert np.isfinite(result.probability).all()
    many = VoteTable.from_stack(simulated_scene(64, 24))
    assert staple(many).converged


@pytest.mark.parametrize(
    ("prior", "key"),
    [
        *((prior, "staple.prior_out_of_range") for prior in (0, 1, -0.1, np.nan)),
        ("most", "staple.unknown_prior"),
    ],
)
def test_a_prior_that_is_none_is_refused(prior: str | float, key: str) -> None:
    with raises(key):
        staple(VoteTable.from_stack(simulated_scene(3, 12)), prior)


def test_more_is_marked_with_a_higher_prior() -> None:
    votes = VoteTable.from_stack(simulated_scene(3))
    told: list[float] = []
    table = staple_priors(votes, progress=told.append)
    assert len(table) == 15
    assert table.marked.is_monotonic_increasing
    assert table.marked.iloc[0] < table.marked.iloc[-1]
    assert told[-1] == 1
    one = staple_priors(votes, [0.5])
    assert one.marked[0] == votes.weights[staple(votes, 0.5).marked].sum()
    assert one.share[0] == one.marked[0] / votes.total_weight


def test_the_prior_of_a_consensus_has_a_row_of_its_own() -> None:
    votes = VoteTable.from_stack([[1, 1, 1], [1, 0, 0], [0, 1, 1]])  # all marked by somebody
    table = staple_priors(votes, used_prior="any")
    assert len(table) == 16
    assert table.prior.is_monotonic_increasing
    assert table.prior.iloc[-1] == staple(votes, "any").prior == 1
    assert table.marked.iloc[-1] == votes.weights[staple(votes, "any").marked].sum()
    assert len(staple_priors(votes, used_prior=0.5)) == 15


def test_the_prior_is_tried_with_the_same_treatment_of_what_all_agree_on() -> None:
    votes = VoteTable.from_stack(simulated_scene(3))
    for fixed in (False, True):
        table = staple_priors(votes, [0.001, 0.9], assign_consensus=fixed)
        expected = [
            votes.weights[staple(votes, g, assign_consensus=fixed).marked].sum()
            for g in (0.001, 0.9)
        ]
        assert table.marked.tolist() == expected
    assert not staple_priors(votes, assign_consensus=True).equals(staple_priors(votes))


def test_it_can_be_cancelled() -> None:
    told: list[float] = []

    def cancel(fraction: float) -> None:
        told.append(fraction)
        if len(told) == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        staple(VoteTable.from_stack(simulated_scene(5)), max_iterations=100, progress=cancel)
    assert told == [0, 0.01, 0.02]
