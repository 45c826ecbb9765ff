from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.ndimage import gaussian_filter
from support.errors import ExpectedError, raises
from support.examples import examples

from randcrowns.core.agreement.image_correlation import (
    compute_intensity,
    compute_lightness,
    image_correlations,
    michelson_contrast,
    window_maximum,
)


def smooth(seed: int, size: int = 64) -> np.ndarray:
    field = gaussian_filter(np.random.default_rng(seed).standard_normal((size, size)), 4)
    return (field - field.min()) / (field.max() - field.min())


def test_intensity_of_colours_and_of_grey() -> None:
    assert compute_intensity(np.array([100.0, 50.0, 10.0])) == pytest.approx(29.89 + 29.35 + 1.14)
    np.testing.assert_array_equal(compute_intensity(np.array([[7.0, 8.0]])), [7, 8])


@pytest.mark.parametrize(
    ("rgb", "expected"),
    # Known CIELAB lightness under D65.
    [
        ((255, 255, 255), 100.0),
        ((0, 0, 0), 0.0),
        ((255, 0, 0), 53.2408),
        ((0, 255, 0), 87.7347),
        ((0, 0, 255), 32.2970),
        ((119, 119, 119), 50.0344),
        ((3, 3, 3), 0.8225),
    ],
)
def test_lightness(rgb: tuple[int, int, int], expected: float) -> None:
    assert compute_lightness(np.array(rgb)) == pytest.approx(expected, abs=2e-3)


@settings(max_examples=examples(30), deadline=None)
@given(arrays(float, (6, 9), elements=st.integers(0, 9).map(float)), st.sampled_from([1, 3, 5]))
def test_contrast_against_looking_at_every_window(tone: np.ndarray, window: int) -> None:
    reach = window // 2
    expected = np.zeros_like(tone)
    for row, column in np.ndindex(*tone.shape):
        part = tone[
            max(row - reach, 0) : row + reach + 1, max(column - reach, 0) : column + reach + 1
        ]
        both = part.max() + part.min()
        expected[row, column] = (part.max() - part.min()) / both if both else 0
    np.testing.assert_allclose(michelson_contrast(tone, window), expected)


def test_windows_see_only_valid_pixels() -> None:
    tone = np.array([[1.0, 9.0, 1.0, 4.0]])
    valid = np.array([[True, False, True, True]])
    np.testing.assert_array_equal(window_maximum(tone, 3, valid), [[1, 1, 4, 4]])
    np.testing.assert_allclose(michelson_contrast(tone, 3, valid), [[0, 0, 3 / 5, 3 / 5]])
    assert (michelson_contrast(tone, 1, np.zeros((1, 4), bool)) == 0).all()


def test_correlations_are_pearson() -> None:
    h = np.round(3 * smooth(0))
    image = np.stack([smooth(1), smooth(0) + 0.3 * smooth(2), smooth(3)])
    mask = np.zeros(h.shape, dtype=bool)
    mask[:5] = True
    table = image_correlations(np.where(mask, np.nan, h), image, white=1.3)
    assert list(table.index) == [
        "intensity",
        "band 1",
        "band 2",
        "band 3",
        "contrast",
        "contrast of grey",
    ]
    inside = ~mask
    for band in range(3):
        expected = np.corrcoef(image[band][inside], h[inside])[0, 1]
        assert table.correlation[f"band {band + 1}"] == pytest.approx(expected)
    assert table.correlation["intensity"] == pytest.approx(
        np.corrcoef(compute_intensity(image)[inside], h[inside])[0, 1]
    )
    contrast = michelson_contrast(compute_lightness(image, 1.3), 7, inside)
    expected = np.corrcoef(contrast[inside], window_maximum(h, 7, inside)[inside])[0, 1]
    assert table.correlation["contrast"] == pytest.approx(expected)
    grey = michelson_contrast(0.2989 * image[0] + 0.5870 * image[1] + 0.1140 * image[2], 7, inside)
    expected = np.corrcoef(grey[inside], window_maximum(h, 7, inside)[inside])[0, 1]
    assert table.correlation["contrast of grey"] == pytest.approx(expected)
    assert table.correlation["contrast of grey"] != pytest.approx(
        table.correlation["contrast"], abs=1e-6
    )
    assert (table.low <= table.correlation).all()
    assert (table.correlation <= table.high).all()
    assert table.p_value["band 2"] < 0.001
    assert (table.n_blocks == 60).all() | (table.n_blocks == 64).all()


def drawn_crowns(rng: np.random.Generator, n_crowns: int) -> np.ndarray:
    """(160, 160) number of four annotators who drew round crowns, each a little differently."""
    centres, radii = rng.integers(0, 160, (n_crowns, 2)), rng.integers(5, 11, n_crowns)
    votes = np.zeros((160, 160))
    for _ in range(4):
        own = centres + rng.normal(0, 2, centres.shape)
        reach = radii + rng.normal(size=n_crowns)
        places = np.floor(own).astype(int)[:, :, None] + np.arange(
            -16, 18
        )  # crown, row or column, nearby
        apart = (places - own[:, :, None]) ** 2
        crown, i, j = np.nonzero(
            apart[:, 0, :, None] + apart[:, 1, None] < reach[:, None, None] ** 2
        )
        rows, columns = places[crown, 0, i], places[crown, 1, j]
        seen = (np.minimum(rows, columns) >= 0) & (np.maximum(rows, columns) < 160)
        inside = np.zeros(votes.shape)
        inside[rows[seen], columns[seen]] = 1
        votes += inside
    return votes


@pytest.mark.parametrize("n_crowns", [8, 12, 20, 60])
@pytest.mark.parametrize("smoothness", [0, 4])
def test_noise_is_called_significant_about_as_often_as_it_says(
    n_crowns: int, smoothness: float
) -> None:
    rng = np.random.default_rng(n_crowns)
    called, given = 0, 0
    for _ in range(60):
        image = gaussian_filter(rng.standard_normal((160, 160)), smoothness)
        image = (image - image.min()) / (image.max() - image.min())
        table = image_correlations(drawn_crowns(rng, n_crowns), image).loc[
            ["intensity", "contrast"]
        ]
        known = table[table.p_value.notna()]
        given += len(known)
        called += (known.p_value < 0.05).sum()
        # An interval and its p-value are one test.
        np.testing.assert_array_equal(known.p_value < 0.05, (known.low > 0) | (known.high < 0))
    assert given >= 30
    assert called <= 0.05 * given + 3 * np.sqrt(0.05 * 0.95 * given)


def test_a_real_relation_is_found_and_covered() -> None:
    rng = np.random.default_rng(0)
    votes = drawn_crowns(rng, 30)
    image = 0.2 * votes + rng.standard_normal(votes.shape)
    row = image_correlations(votes, image - image.min(), white=9.0).loc["band 1"]
    assert row.p_value < 0.001
    assert 0 < row.low < row.correlation < row.high < 0.5


@pytest.mark.parametrize("n_crowns", [6, 8, 10, 12])
def test_an_image_that_all_but_shows_the_votes_is_significant_or_has_no_p_value(
    n_crowns: int,
) -> None:
    rng = np.random.default_rng(n_crowns)
    given = 0
    for _ in range(15):
        votes = drawn_crowns(rng, n_crowns)
        image = votes + rng.normal(0, 0.3, votes.shape)
        row = image_correlations(votes, image - image.min(), white=9.0).loc["band 1"]
        assert row.correlation > 0.8
        if np.isnan(row.p_value):
            assert np.isnan([row.low, row.high]).all()
            assert "varies in too few blocks" in row.reason
            continue
        given += 1
        assert row.p_value < 0.05
        assert 0 < row.low < row.correlation < row.high < 1
        assert row.p_value == pytest.approx(row.min_p_value, rel=0.1)
    assert given >= {6: 3, 8: 8}.get(n_crowns, 13)


@pytest.mark.parametrize(("side", "too_few"), [(8, False), (54, True)])
def test_the_least_p_value_is_that_of_the_votes_themselves(side: int, too_few: bool) -> None:
    votes = drawn_crowns(np.random.default_rng(2), 20)
    table = image_correlations(votes, votes, block_side=side)
    assert table.correlation["band 1"] == pytest.approx(1)
    assert table.n_effective["band 1"] >= 5
    np.testing.assert_allclose(
        table.p_value["band 1"], np.nan if too_few else table.min_p_value["band 1"]
    )
    noise = image_correlations(votes, np.random.default_rng(0).random(votes.shape), block_side=side)
    assert noise.min_p_value["band 1"] == pytest.approx(table.min_p_value["band 1"])
    assert (noise.min_p_value["band 1"] > 0.05) == too_few


def test_one_crown_has_a_correlation_but_no_p_value() -> None:
    votes = np.zeros((160, 160))
    votes[44:56, 44:56] = 3
    table = image_correlations(votes, np.random.default_rng(0).random((160, 160)))
    assert table.correlation.notna().all()
    assert table[["low", "high", "p_value"]].isna().all(axis=None)
    assert table.n_effective["intensity"] == pytest.approx(1, abs=0.1)
    assert table.reason.str.contains("varies in too few blocks").all()


def test_grey_images_and_chosen_bands() -> None:
    table = image_correlations(smooth(0), smooth(0))
    assert list(table.index) == ["intensity", "band 1", "contrast"]
    assert table.correlation["band 1"] == pytest.approx(1)
    four = np.stack([smooth(k) for k in range(4)])
    chosen = image_correlations(smooth(9), four, rgb=[3, 2, 1])
    assert chosen.correlation["intensity"] == pytest.approx(
        np.corrcoef(compute_intensity(four[[3, 2, 1]]).ravel(), smooth(9).ravel())[0, 1]
    )


def test_the_white_of_integers_is_their_largest() -> None:
    image = (255 * np.stack([smooth(k) for k in range(3)])).astype(np.uint8)
    by_type = image_correlations(smooth(5), image)
    given_white = image_correlations(smooth(5), image.astype(float), white=255)
    assert by_type.correlation["contrast"] == given_white.correlation["contrast"]


def test_constant_or_missing_values_are_not_numbers() -> None:
    constant = image_correlations(smooth(0), np.full((64, 64), 0.1))
    assert np.isnan(
        constant.loc["band 1", ["correlation", "low", "high", "p_value"]].to_numpy(float)
    ).all()
    nothing = image_correlations(np.zeros((64, 64)), smooth(0))
    assert np.isnan(nothing.correlation).all()
    missing = smooth(1)
    missing[:, :10] = np.nan
    table = image_correlations(smooth(0), missing)
    assert table.correlation["band 1"] == pytest.approx(
        np.corrcoef(smooth(0)[:, 10:].ravel(), missing[:, 10:].ravel())[0, 1]
    )
    masked = image_correlations(np.full((64, 64), np.nan), smooth(1))
    assert np.isnan(masked.correlation).all()
    assert (masked.n_blocks == 0).all()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"votes": np.zeros((3, 3))}, raises("contrast.different_shapes")),
        ({"image": np.zeros(4)}, raises("image.invalid_shape")),
        ({"window": 4}, raises("contrast.even_window")),
        ({"rgb": [0, 1, 9]}, raises("image.invalid_rgb")),
    ],
)
def test_what_does_not_fit_is_refused(
    arguments: dict[str, object], expected: ExpectedError
) -> None:
    usual = {"votes": smooth(0), "image": smooth(1)}
    with expected:
        image_correlations(**{**usual, **arguments})  # type: ignore[arg-type]
