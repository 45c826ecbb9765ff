from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.ndimage import gaussian_filter

from randcrowns.core.errors import InputError
from randcrowns.core.image_agreement import (
    image_correlations,
    intensity,
    lightness,
    michelson_contrast,
    window_maximum,
)


def smooth(seed: int, size: int = 64) -> np.ndarray:
    field = gaussian_filter(np.random.default_rng(seed).standard_normal((size, size)), 4)
    return (field - field.min()) / (field.max() - field.min())


def test_intensity_of_colours_and_of_grey() -> None:
    assert intensity(np.array([100.0, 50.0, 10.0])) == pytest.approx(29.89 + 29.35 + 1.14)
    np.testing.assert_array_equal(intensity(np.array([[7.0, 8.0]])), [7, 8])


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
    assert lightness(np.array(rgb)) == pytest.approx(expected, abs=2e-3)


@settings(max_examples=30, deadline=None)
@given(arrays(float, (6, 9), elements=st.integers(0, 9).map(float)), st.sampled_from([1, 3, 5]))
def test_contrast_against_looking_at_every_window(tone: np.ndarray, window: int) -> None:
    reach = window // 2
    expected = np.zeros_like(tone)
    for row, column in np.ndindex(*tone.shape):
        part = tone[max(row - reach, 0) : row + reach + 1, max(column - reach, 0) : column + reach + 1]
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
    table = image_correlations(h, image, mask, n_draws=100, white=1.3)
    assert list(table.index) == ["intensity", "band 1", "band 2", "band 3", "contrast"]
    inside = ~mask
    for band in range(3):
        expected = np.corrcoef(image[band][inside], h[inside])[0, 1]
        assert table.correlation[f"band {band + 1}"] == pytest.approx(expected)
    assert table.correlation["intensity"] == pytest.approx(np.corrcoef(intensity(image)[inside], h[inside])[0, 1])
    contrast = michelson_contrast(lightness(image, 1.3), 7, inside)
    expected = np.corrcoef(contrast[inside], window_maximum(h, 7, inside)[inside])[0, 1]
    assert table.correlation["contrast"] == pytest.approx(expected)
    assert (table.low <= table.correlation).all()
    assert (table.correlation <= table.high).all()
    assert table.p_value["band 2"] == pytest.approx(2 / 101)


def test_unrelated_smooth_fields_are_not_called_significant() -> None:
    p_values = [
        image_correlations(smooth(seed), smooth(seed + 1000), n_draws=200, seed=seed).p_value["band 1"]
        for seed in range(20)
    ]
    # Pixel by pixel nearly all of these would have p < 0.001.
    assert np.mean(np.array(p_values) < 0.05) <= 0.35


def test_grey_images_and_named_bands() -> None:
    table = image_correlations(smooth(0), smooth(0), band_names=["height"], n_draws=20)
    assert list(table.index) == ["intensity", "height", "contrast"]
    assert table.correlation["height"] == pytest.approx(1)
    four = np.stack([smooth(k) for k in range(4)])
    chosen = image_correlations(smooth(9), four, rgb=[3, 2, 1], n_draws=5)
    assert chosen.correlation["intensity"] == pytest.approx(
        np.corrcoef(intensity(four[[3, 2, 1]]).ravel(), smooth(9).ravel())[0, 1]
    )


def test_the_white_of_integers_is_their_largest() -> None:
    image = (255 * np.stack([smooth(k) for k in range(3)])).astype(np.uint8)
    by_type = image_correlations(smooth(5), image, n_draws=5)
    given_white = image_correlations(smooth(5), image.astype(float), n_draws=5, white=255)
    assert by_type.correlation["contrast"] == given_white.correlation["contrast"]


def test_constant_or_missing_values_are_not_numbers() -> None:
    constant = image_correlations(smooth(0), np.full((64, 64), 0.1), n_draws=20)
    assert np.isnan(constant.loc["band 1", ["correlation", "low", "high", "p_value"]].to_numpy(float)).all()
    nothing = image_correlations(np.zeros((64, 64)), smooth(0), n_draws=20)
    assert np.isnan(nothing.correlation).all()
    missing = smooth(1)
    missing[:, :10] = np.nan
    table = image_correlations(smooth(0), missing, n_draws=20)
    assert table.correlation["band 1"] == pytest.approx(
        np.corrcoef(smooth(0)[:, 10:].ravel(), missing[:, 10:].ravel())[0, 1]
    )
    masked = image_correlations(smooth(0), smooth(1), np.ones((64, 64), bool), n_draws=20)
    assert np.isnan(masked.correlation).all()
    assert (masked.n_blocks == 0).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"votes": np.zeros((3, 3))}, "votes have the shape"),
        ({"image": np.zeros(4)}, "rows and columns"),
        ({"mask": np.zeros((2, 2), bool)}, "mask has the shape"),
        ({"window": 4}, "odd number"),
        ({"rgb": [0, 1, 9]}, "three of the image's"),
        ({"band_names": ["a", "b"]}, "2 names were given"),
    ],
)
def test_what_does_not_fit_is_refused(arguments: dict[str, object], words: str) -> None:
    usual = {"votes": smooth(0), "image": smooth(1), "n_draws": 2}
    with pytest.raises(InputError, match=words):
        image_correlations(**{**usual, **arguments})  # type: ignore[arg-type]
