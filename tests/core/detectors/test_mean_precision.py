import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from support.errors import raises
from support.examples import examples

from randcrowns.core.detectors.mean_precision import estimate_skew_limits, p_bar

LIMITS = [
    (0.1, 0.5),
    (0.0, 0.5),
    (0.3, 1.0),
    (0.0, 1.0),
    (0.2, 0.2 + 1e-9),
    (1e-6, 1e-3),
    (0.001, 0.999),
]
rates = st.floats(0, 1, allow_subnormal=False).filter(lambda rate: rate == 0 or rate > 1e-290)


def exact(t: float, f: float, low: float, high: float) -> float:
    """The closed form in 400 digits, where nothing cancels."""
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(400):
        t, f, low, high = (mpmath.mpf(value) for value in (t, f, low, high))
        a, d = t - f, high - low
        if t == 0:
            return 0.0
        if f == 0:
            return 1.0
        if a == 0:
            return float((low + high) / 2)
        if d == 0:
            return float(low * t / (low * t + (1 - low) * f))
        return float(t / a * (1 - f / (a * d) * mpmath.log((f + a * high) / (f + a * low))))


@pytest.mark.parametrize(("low", "high"), LIMITS)
def test_equals_quadrature_over_the_whole_square(low: float, high: float) -> None:
    grid = np.unique(np.concatenate([np.linspace(0, 1, 13)[1:], np.geomspace(1e-4, 1, 7)]))
    close = [1 + sign * 10.0**-k for k in range(1, 13, 2) for sign in (-1, 1)]
    pairs = [(t, f) for t in grid for f in grid] + [
        (t, t * ratio) for t in (1e-3, 0.3, 0.9) for ratio in close
    ]
    worst = 0.0
    for t, f in pairs:
        area, _ = quad(
            lambda pi, t=t, f=f: pi * t / (pi * t + (1 - pi) * f),
            low,
            high,
            epsabs=1e-14 * (high - low),
            epsrel=1e-13,
            limit=200,
        )
        worst = max(worst, abs(p_bar(t, f, low, high) - area / (high - low)))
    assert worst < 1e-12


@given(rates, rates, st.sampled_from(LIMITS))
@example(0.3, 0.3 * (1 - 1e-3), (0.1, 0.5))
@example(0.3, 0.3 * (1 + 1e-3), (0.1, 0.5))
@example(0.3, 0.3 * (1 + 1e-15), (0.1, 0.5))
@example(1e-200, 1.0, (0.0, 1.0))
@example(1.0, 1e-200, (0.0, 1.0))
@example(1.4e-260, 8.9e-261, (0.0, 1.0))
@settings(max_examples=examples(300), deadline=None)
def test_equals_the_closed_form_in_many_digits(
    t: float, f: float, limits: tuple[float, float]
) -> None:
    assert p_bar(t, f, *limits) == pytest.approx(exact(t, f, *limits), abs=1e-12)


def test_around_the_switch_to_the_series_nothing_jumps() -> None:
    f = 0.4
    ratio = np.concatenate([np.linspace(0.2, 5, 4001), 1 + np.geomspace(1e-16, 1e-2, 300)])
    values = p_bar(f * ratio[ratio <= 2.5], f, 0.1, 0.5)
    expected = [exact(f * r, f, 0.1, 0.5) for r in ratio[ratio <= 2.5]]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-14)


def test_known_values() -> None:
    assert p_bar(0.0, 0.0) == 0.0
    assert p_bar(0.0, 0.7) == 0.0
    assert p_bar(1e-12, 0.0) == 1.0
    assert p_bar(0.3, 0.3) == pytest.approx(0.3, abs=1e-15)
    assert p_bar(1.0, 1.0, 0.2, 0.6) == pytest.approx(0.4, abs=1e-15)
    # t = 1, f = 1/2, limits 0 and 1: 2·[1 - ln 2].
    assert p_bar(1.0, 0.5, 0.0, 1.0) == pytest.approx(2 * (1 - np.log(2)), abs=1e-15)
    # Limits close to each other: precision at that balance, 0.25·0.8 / (0.25·0.8 + 0.75·0.4).
    assert p_bar(0.8, 0.4, 0.25, 0.25 + 1e-12) == pytest.approx(0.4, abs=1e-12)


@given(rates.filter(bool), rates, rates)
@settings(max_examples=examples(100), deadline=None)
def test_rises_with_hits_and_falls_with_false_alarms(t: float, f: float, more: float) -> None:
    assert p_bar(max(t, more), f) >= p_bar(min(t, more) or t, f) - 1e-13
    assert p_bar(t, max(f, more)) <= p_bar(t, min(f, more)) + 1e-13
    assert 0.0 <= p_bar(t, f) <= 1.0


def test_arrays_broadcast_and_nan_stays_nan() -> None:
    grid = p_bar(np.array([[0.0], [0.5], [np.nan]]), np.array([0.0, 0.5]))
    np.testing.assert_allclose(grid, [[0, 0], [1, 0.3], [np.nan, np.nan]], atol=1e-15)
    assert np.isnan(p_bar(0.5, np.nan))
    assert isinstance(p_bar(0.5, 0.1), float)
    assert p_bar(np.empty(0), np.empty(0)).shape == (0,)


@pytest.mark.parametrize(
    ("low", "high"),
    [(0.5, 0.1), (-0.1, 0.5), (0.1, 1.1), (0.0, 0.0), (0.3, 0.3), (np.nan, 0.5), (0.1, np.nan)],
)
def test_limits_that_cannot_be_used(low: float, high: float) -> None:
    with raises("skew.invalid_limits"):
        p_bar(0.5, 0.1, low, high)


@pytest.mark.parametrize(("t", "f"), [(1.5, 0.1), (-0.1, 0.1), (0.5, 2.0), (0.5, -1e-9)])
def test_rates_outside_0_to_1(t: float, f: float) -> None:
    with raises("ranking.invalid_rate"):
        p_bar(t, f)


def test_skew_limits() -> None:
    low, high = estimate_skew_limits([0.1, 0.2, 0.3, 0.0, np.nan])
    assert (low, high) == (pytest.approx(0.1), pytest.approx(0.3))
    for same in ([0.2], [0.2, 0.2, np.nan]):
        with raises("skew.equal_limits"):
            estimate_skew_limits(same)
    assert estimate_skew_limits([0.01, 0.9])[0] == 0.0
    with raises("skew.no_positives"):
        estimate_skew_limits([0.0, np.nan])


def test_masked_rates_have_no_value():
    masked = np.ma.masked_array([0.1, 0.2], [True, False])
    for found in (p_bar(masked, 0.1), p_bar(0.1, masked)):
        assert np.isnan(found).tolist() == [True, False]
    assert p_bar(masked, 0.1)[1] == p_bar(0.2, 0.1)


@pytest.mark.parametrize(
    ("rates", "expected"),
    [
        ((["a"], 0.1), raises("array.not_numeric")),
        (
            (0.1, None),
            raises("argument.wrong_type", name="p_bar: f", expected="an array", value="None"),
        ),
        ((1j, 0.1), raises("array.not_numeric")),
        (([[1.0], [0.1, 0.2]], 0.1), raises("array.ragged")),
        (
            ([0.1, 0.2], [0.1, 0.2, 0.3]),
            raises("ranking.different_rate_shapes", shape="(2,)", other_shape="(3,)"),
        ),
        ((0.1, 0.1, None, 0.5), raises("argument.wrong_type", expected="a number", value="None")),
        ((0.1, 0.1, "a", 0.5), raises("argument.wrong_type", expected="a number", value="'a'")),
        (
            (0.1, 0.1, 0.1, [0.2, 0.5]),
            raises("argument.wrong_type", expected="a number", value="a list"),
        ),
    ],
)
def test_what_is_no_rate_and_no_limit_gets_a_sentence(rates, expected):
    with expected:
        p_bar(*rates)
