import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.errors import ExpectedError, raises
from support.examples import examples

from randcrowns.core.detectors.tolerance import Tolerance


def distances(
    shape: tuple[int, int], row: int, column: int, height: float, width: float
) -> NDArray:
    rows, columns = np.indices(shape)
    return np.hypot((rows - row) * height, (columns - column) * width)


tolerances = st.builds(
    Tolerance,
    st.sampled_from([0.0, 0.3, 1.0, 2.5, 100.0]),
    st.sampled_from([0.5, 1.0]),
    st.sampled_from([0.5, 0.7]),
)


@given(st.integers(0, 2**32 - 1), tolerances, st.tuples(st.integers(1, 7), st.integers(1, 7)))
@settings(max_examples=examples(60), deadline=None)
def test_equals_looking_around_every_pixel(
    seed: int, tolerance: Tolerance, shape: tuple[int, int]
) -> None:
    rng = np.random.default_rng(seed)
    score = rng.normal(size=shape)
    score[rng.random(shape) < 0.1] = np.nan
    truth = rng.random(shape) < 0.2
    highest, near = tolerance.highest_score_nearby(score), tolerance.nearby_mask(truth)
    for row, column in np.ndindex(*shape):
        away = distances(shape, row, column, tolerance.pixel_height, tolerance.pixel_width)
        disc = away <= tolerance.distance + 1e-9
        assert highest[row, column] == np.where(np.isnan(score), -np.inf, score)[disc].max()
        assert near[row, column] == truth[disc].any()


@given(st.integers(0, 2**32 - 1), tolerances, st.sampled_from([1, 5, 64, 70, 130]))
@settings(max_examples=examples(40), deadline=None)
def test_kinds_nearby_serve_every_ground_truth(seed: int, tolerance: Tolerance, kinds: int) -> None:
    rng = np.random.default_rng(seed)
    kind = rng.integers(-1, kinds + 1, size=(6, 9))
    found, sets = tolerance.find_kinds_nearby(kind, kinds)
    assert sets.shape == (found.max() + 1, kinds)
    for _ in range(3):
        chosen = rng.random(kinds) < 0.3
        truth = np.isin(kind, np.flatnonzero(chosen))
        np.testing.assert_array_equal(
            (sets @ chosen.astype(int) > 0)[found], tolerance.nearby_mask(truth)
        )


def test_the_limit_itself_is_within() -> None:
    truth = np.zeros((1, 9), dtype=bool)
    truth[0, 0] = True
    near = Tolerance(0.3, 0.1, 0.1).nearby_mask(truth)
    np.testing.assert_array_equal(near, [[True] * 4 + [False] * 5])
    score = truth.astype(float)
    np.testing.assert_array_equal(Tolerance(0.3, 0.1, 0.1).highest_score_nearby(score), near)
    np.testing.assert_array_equal(
        Tolerance(0.2999, 0.1, 0.1).highest_score_nearby(score), [[1, 1, 1] + [0] * 6]
    )


def test_what_is_judged() -> None:
    truth = np.array([[True, False, False, True, True, False]])
    np.testing.assert_array_equal(
        Tolerance(1.0).counted_mask(truth), [[True, False, False, True, True, False]]
    )
    np.testing.assert_array_equal(Tolerance(0.5).counted_mask(truth), [[True] * 6])
    assert Tolerance(3.0).counted_mask(np.zeros((5, 6), dtype=bool)).all()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((-1.0,), raises("tolerance.negative", distance=-1.0)),
        ((np.nan,), raises("tolerance.negative")),
        ((np.inf,), raises("tolerance.negative", distance=np.inf)),
        ((1.0, 0.0), raises("tolerance.invalid_pixel", pixel_height=0.0)),
        ((1.0, 1.0, -2.0), raises("tolerance.invalid_pixel", pixel_width=-2.0)),
        ((1.0, np.nan), raises("tolerance.invalid_pixel")),
    ],
)
def test_bad_tolerances_get_a_sentence(
    arguments: tuple[float, ...], expected: ExpectedError
) -> None:
    with expected:
        Tolerance(*arguments)


def test_only_rasters() -> None:
    with raises("tolerance.not_a_raster"):
        Tolerance(1.0).nearby_mask(np.zeros(5, dtype=bool))
    with raises("tolerance.not_a_raster"):
        Tolerance(1.0).highest_score_nearby(np.zeros(5))
