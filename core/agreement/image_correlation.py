"""Correlation of annotator agreement with what the image shows.

Lampert, Stumpf and Gançarski 2016, Sec. III-B and Eq. 4: Pearson correlation of the number of votes
h with the intensity, with each band, and with the Michelson contrast in a window. The contrast is
correlated with the largest h in the same window. Intervals and p-values count blocks of the image:
neighbouring pixels are alike, so that p-values that count pixels would be meaningless.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from randcrowns.core.agreement.blocks import block_labels
from randcrowns.core.arrays import Array, Bools, Floats, Ints, as_float_array
from randcrowns.core.errors import InputError
from randcrowns.core.messages import TranslatableText
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress
from randcrowns.core.statistics import CONFIDENCE_LEVEL
from randcrowns.core.validation import validate_arguments

# Luminance of the sRGB primaries under D65, and the two constants of CIELAB (CIE 15:2004).
_LUMINANCE = (0.2126729, 0.7151522, 0.0721750)
_CIE_EPSILON = 216 / 24389
_CIE_KAPPA = 24389 / 27
# Minimum number of effective blocks for an interval or a p-value.
_MIN_EFFECTIVE_BLOCKS = 5
# Relative spread of values that are constant except for rounding.
_ROUNDING = 1e-12
# Weights of a block and its eight neighbours in the variance with adjacent blocks.
_NEIGHBOUR_WEIGHTS = np.outer([0.5, 1.0, 0.5], [0.5, 1.0, 0.5])


class _ImageProperty(NamedTuple):
    """Property of the image with the votes that it is correlated with."""

    name: str  #: name in the table of correlations.
    pixels: Floats  #: (rows, columns) value of the property at each pixel.
    votes: Floats  #: (rows, columns) number of votes, or the largest number in the window.


@validate_arguments
def image_correlations(
    votes: ArrayLike,
    image: ArrayLike,
    *,
    rgb: Sequence[int] | None = None,
    white: float | None = None,
    window: int = 7,
    block_side: float | None = None,
    blocks: ArrayLike | None = None,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Correlate the number of votes with properties of the image.

    Args:
        votes: (rows, columns) number of annotators who marked each pixel. Pixels that are NaN or
            infinite here or in any band are excluded.
        image: (bands, rows, columns) or (rows, columns) pixel values.
        rgb: indices of the red, green and blue band. By default the first three bands, or the first
            band as grey if there are fewer than three.
        white: value of a white pixel, for the lightness. By default the maximum of an integer type,
            1 for floats up to 1, and otherwise the largest value of the image.
        window: side of the window for the contrast in pixels, an odd number.
        block_side: side of the square blocks in pixels; an eighth of the longer side by default.
        blocks: (rows, columns) block number of each pixel, counted row by row, which replaces the
            square blocks.
        progress: called with the fraction of the work done.

    Returns:
        Table indexed by ``property`` with the columns of
        :class:`randcrowns.core.agreement.image_correlation.BlockCorrelation`. The rows are
        ``intensity``, ``band 1``, ``band 2``, … and ``contrast``. The contrast of a colour image is
        that of the CIELAB lightness, and a row ``contrast of grey`` has the contrast of the
        intensity.

    Raises:
        InputError: if the shapes or bands do not match, or if the window is not odd.

    >>> votes = np.random.default_rng(0).integers(0, 4, (40, 40))
    >>> image_correlations(votes, 10.0 * votes)["correlation"].round(3).to_dict()
    {'intensity': 1.0, 'band 1': 1.0, 'contrast': nan}
    """
    bands = _read_bands(image)
    vote_counts = as_float_array(votes, "The raster of votes")
    if vote_counts.shape != bands.shape[1:]:
        raise InputError(
            "contrast.different_shapes",
            "The votes have the shape {shape}, the image {other_shape}; bring them to one grid.",
            shape=str(vote_counts.shape),
            other_shape=str(bands.shape[1:]),
        )
    is_valid = np.isfinite(vote_counts) & np.isfinite(bands).all(axis=0)
    colours = _select_colours(bands, rgb)
    if white is None:
        white = _default_white(np.asarray(image), bands, is_valid)
    properties = _image_properties(bands, colours, vote_counts, float(white), window, is_valid)

    labels = block_labels(vote_counts.shape, block_side) if blocks is None else np.asarray(blocks)
    # Blocks are counted row by row, so the first row of pixels holds the first row of blocks.
    block_columns = int(labels[:1].max(initial=0)) + 1
    block_rows = int(labels.max(initial=0)) // block_columns + 1
    correlations = []
    for image_property, _ in iterate_with_progress(properties, progress):
        correlation = block_correlation(
            x=image_property.pixels[is_valid],
            y=image_property.votes[is_valid],
            labels=labels[is_valid],
            shape=(block_rows, block_columns),
        )
        correlations.append(correlation)
    names = [image_property.name for image_property in properties]
    index = pd.Index(names, name="property")
    table = pd.DataFrame(correlations, columns=list(BlockCorrelation._fields), index=index)
    return cast("pd.DataFrame", table)


def compute_intensity(bands: ArrayLike) -> Floats:
    """Compute the brightness 0.2989 R + 0.5870 G + 0.1140 B of a colour image.

    Args:
        bands: (3, …) red, green and blue values, or (1, …) grey values.

    Returns:
        (…) brightness in the unit of the bands; a single band is returned as it is.

    >>> compute_intensity([[100.0], [100.0], [0.0]]).round(2).tolist()
    [88.59]
    """
    bands = np.asarray(bands, dtype=float)
    if len(bands) == 1:
        return cast("Floats", bands[0])
    return np.asarray(0.2989 * bands[0] + 0.5870 * bands[1] + 0.1140 * bands[2])


def compute_lightness(rgb: ArrayLike, white: float = 255.0) -> Floats:
    """Compute the CIELAB lightness L* of sRGB values under D65 (CIE 15:2004).

    Args:
        rgb: (3, …) red, green and blue values from 0 to ``white``; others are clipped.
        white: value of a white pixel.

    Returns:
        (…) lightness from 0 to 100.

    >>> compute_lightness([255.0, 0.0, 0.0]).round(2).item()
    53.24
    """
    # sRGB to linear light (IEC 61966-2-1).
    encoded = np.clip(np.asarray(rgb, dtype=float) / white, 0.0, 1.0)
    dark = encoded / 12.92
    bright = ((encoded + 0.055) / 1.055) ** 2.4
    linear = np.where(encoded <= 0.04045, dark, bright)
    luminance = np.tensordot(_LUMINANCE, linear, axes=1)
    # CIELAB has a straight line for dark colours, and a cube root for the others.
    lightness_of_bright = 116 * np.cbrt(luminance) - 16
    lightness_of_dark = _CIE_KAPPA * luminance
    return np.where(luminance > _CIE_EPSILON, lightness_of_bright, lightness_of_dark)


def michelson_contrast(tone: ArrayLike, window: int = 7, valid: ArrayLike | None = None) -> Floats:
    """Compute the Michelson contrast (max - min)/(max + min) around each pixel (Eq. 4).

    Args:
        tone: (rows, columns) grey values or lightness, not negative.
        window: side of the window in pixels, an odd number. The window is cut off at the edges.
        valid: (rows, columns) mask of the pixels that count; all by default.

    Returns:
        (rows, columns) contrast from 0 to 1; 0 where max + min is 0 or no pixel is valid.

    Raises:
        InputError: if the window is not odd.

    >>> michelson_contrast([[1.0, 3.0, 3.0]], window=3).tolist()
    [[0.5, 0.5, 0.0]]
    """
    tone = np.asarray(tone, dtype=float)
    highest = window_maximum(tone, window, valid)
    lowest = -window_maximum(-tone, window, valid)
    is_empty = np.isneginf(highest)
    highest[is_empty] = 0.0
    lowest[is_empty] = 0.0
    total = highest + lowest
    return np.divide(highest - lowest, total, out=np.zeros_like(tone), where=total > 0)


def window_maximum(values: ArrayLike, window: int = 7, valid: ArrayLike | None = None) -> Floats:
    """Compute the largest value in a window around each pixel.

    Args:
        values: (rows, columns) values.
        window: side of the window in pixels, an odd number. The window is cut off at the edges.
        valid: (rows, columns) mask of the pixels that count; all by default.

    Returns:
        (rows, columns) maxima; -inf where no pixel of the window is valid.

    Raises:
        InputError: if the window is not odd.

    >>> window_maximum([[1.0, 9.0, 1.0, 4.0]], 3, [[True, False, True, True]]).tolist()
    [[1.0, 1.0, 4.0, 4.0]]
    """
    if window < 1 or window % 2 == 0:
        raise InputError(
            "contrast.even_window",
            "The window must be an odd number of pixels, such as 7, not {window}.",
            window=window,
        )
    filled = np.array(values, dtype=float)
    if valid is not None:
        filled[~np.asarray(valid, dtype=bool)] = -np.inf
    # A window of twice the length of an axis already covers the whole axis from every pixel.
    sizes = [min(window, 2 * length + 1) for length in filled.shape]
    return np.asarray(
        scipy.ndimage.maximum_filter(filled, size=sizes, mode="constant", cval=-np.inf)
    )


def _read_bands(image: ArrayLike) -> Floats:
    """Return the image as (bands, rows, columns) floats; raise InputError for other shapes."""
    bands = as_float_array(image, "The image")
    if bands.ndim == 2:
        bands = bands[None]
    if bands.ndim != 3:
        raise InputError(
            "image.invalid_shape",
            "The image must have rows and columns, and bands before them; its shape is {shape}.",
            shape=str(bands.shape),
        )
    return bands


def _select_colours(bands: Floats, rgb: Sequence[int] | None) -> Floats:
    """Return (3, rows, columns) red, green and blue, or (1, rows, columns) grey."""
    if rgb is None:
        n_colours = 3 if len(bands) >= 3 else 1
        return bands[:n_colours]
    are_bands = all(0 <= band < len(bands) for band in rgb)
    if len(rgb) != 3 or not are_bands:
        raise InputError(
            "image.invalid_rgb",
            "Choose three of the image's {bands} bands for red, green and blue, not {rgb}.",
            bands=len(bands),
            rgb=str(list(rgb)),
        )
    return bands[list(rgb)]


def _default_white(image: Array, bands: Floats, is_valid: Bools) -> float:
    """Return the value of a white pixel, from the data type and the values of the image."""
    if image.dtype.kind in "iu":
        return float(np.iinfo(image.dtype).max)
    largest = float(bands[:, is_valid].max(initial=0.0))
    return largest if largest > 1 else 1.0


def _image_properties(
    bands: Floats, colours: Floats, votes: Floats, white: float, window: int, is_valid: Bools
) -> list[_ImageProperty]:
    """Return the intensity, the bands and the contrasts of the image, each with its votes.

    Args:
        bands: (bands, rows, columns) all bands.
        colours: (3, rows, columns) red, green and blue, or (1, rows, columns) grey.
        votes: (rows, columns) number of votes.
        white: value of a white pixel.
        window: side of the window for the contrast, pixels.
        is_valid: (rows, columns) mask of the pixels in the study area with data in all bands.
    """
    grey = compute_intensity(colours)
    # The contrast belongs to a window, so it is compared with the most votes in that window.
    most_votes = window_maximum(votes, window, is_valid)
    properties = [_ImageProperty("intensity", grey, votes)]
    for number, band in enumerate(bands, start=1):
        properties.append(_ImageProperty(f"band {number}", band, votes))
    if len(colours) == 3:
        tones = {"contrast": compute_lightness(colours, white), "contrast of grey": grey}
    else:
        tones = {"contrast": grey}
    for name, tone in tones.items():
        contrast = michelson_contrast(tone, window, is_valid)
        properties.append(_ImageProperty(name, contrast, most_votes))
    return properties


class BlockCorrelation(NamedTuple):
    """Pearson correlation of the image with the votes, tested on blocks."""

    correlation: float  #: Pearson's coefficient; NaN where it is undefined.
    low: float  #: lower end of the confidence interval; NaN with too few blocks.
    high: float  #: upper end of the confidence interval; NaN with too few blocks.
    p_value: float  #: two-sided p-value of no correlation; NaN with too few blocks.
    n_blocks: int  #: number of blocks that contain pixels.
    #: Effective number of blocks (sum s)² / sum s², where s is the sum of squares of the votes in
    #: each block: blocks in which the votes vary more count more.
    n_effective: float
    #: p-value of an image that equals the votes. No p-value can be much smaller, since the
    #: correlation and its variance come from the same few blocks.
    min_p_value: float
    reason: str  #: reason why there is no correlation or no interval; otherwise empty.


class _BlockTerms(NamedTuple):
    """Terms of a correlation on a grid of blocks."""

    #: (rows, columns) contribution of each block; their sum is the correlation.
    contributions: Floats
    #: (rows, columns) share of each block in the variation of the image and of the votes. Under a
    #: true correlation rho, a block is expected to contribute rho times its share.
    shares: Floats
    #: (rows, columns) share of each block in the variation of the votes.
    vote_shares: Floats
    n_effective: float  #: effective number of blocks, see `BlockCorrelation`.


def _block_terms(
    x: Floats, y: Floats, labels: Ints, shape: tuple[int, int], weight: Floats | None
) -> _BlockTerms:
    """Compute the contribution of each block to the correlation of an image with votes.

    Args:
        x: (n,) values of the image, which vary.
        y: (n,) number of votes, which vary.
        labels: (n,) block number of each pixel; blocks are counted row by row.
        shape: numbers of rows and columns of blocks.
        weight: (n,) weight of each pixel; None for 1.
    """
    x_deviation = x - np.average(x, weights=weight)
    y_deviation = y - np.average(y, weights=weight)
    pixel_weight: Any = 1.0 if weight is None else weight
    # Sums of squares and products of the deviations in each block, (rows, columns) of blocks.
    xx = _block_sums(pixel_weight * (x_deviation * x_deviation), labels, shape)
    yy = _block_sums(pixel_weight * (y_deviation * y_deviation), labels, shape)
    xy = _block_sums(pixel_weight * (x_deviation * y_deviation), labels, shape)
    xx_total = xx.sum()
    yy_total = yy.sum()
    x_shares = xx / xx_total
    y_shares = yy / yy_total
    return _BlockTerms(
        contributions=xy / np.sqrt(xx_total * yy_total),
        shares=(x_shares + y_shares) / 2,
        vote_shares=y_shares,
        n_effective=float(yy_total**2 / (yy * yy).sum()),
    )


def block_correlation(
    x: Floats,
    y: Floats,
    labels: Ints,
    shape: tuple[int, int],
    weight: Floats | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
) -> BlockCorrelation:
    """Correlate the image with the votes; test the correlation on blocks instead of pixels.

    The correlation is a sum of one contribution per block. Its variance is the sum of squares of
    these contributions, with or without the products of adjacent blocks, whichever is larger. The
    degrees of freedom are the effective number of blocks minus 1.

    Args:
        x: (n,) values of the image.
        y: (n,) number of votes.
        labels: (n,) block number of each pixel; blocks are counted row by row.
        shape: numbers of rows and columns of blocks.
        weight: (n,) weight of each pixel; 1 by default.
        confidence_level: confidence level of the interval.

    Returns:
        The correlation with its interval and p-value, and the reason for values that are NaN.

    >>> x = np.random.default_rng(0).random(100)
    >>> result = block_correlation(x, x + 0.1, np.arange(100) // 4, (5, 5))
    >>> round(result.correlation, 3), result.n_blocks, result.reason
    (1.0, 25, '')
    """
    result = BlockCorrelation(
        correlation=np.nan,
        low=np.nan,
        high=np.nan,
        p_value=np.nan,
        n_blocks=int(np.count_nonzero(np.bincount(labels))),
        n_effective=np.nan,
        min_p_value=np.nan,
        reason="",
    )
    undefined_reason = _undefined_reason(x, y)
    if undefined_reason:
        return result._replace(reason=undefined_reason)

    terms = _block_terms(x, y, labels, shape, weight)
    n_effective = terms.n_effective
    correlation = float(np.clip(terms.contributions.sum(), -1.0, 1.0))
    result = result._replace(correlation=correlation, n_effective=n_effective)
    if n_effective < _MIN_EFFECTIVE_BLOCKS:
        return result._replace(reason=_few_blocks_reason(n_effective))

    degrees_of_freedom = n_effective - 1
    result = result._replace(min_p_value=_p_value(terms.vote_shares, degrees_of_freedom))
    t_limit = float(scipy.special.stdtrit(degrees_of_freedom, (1 + confidence_level) / 2))
    variance_of_1 = max(_largest_variance(terms.vote_shares), _largest_variance(terms.shares))
    if t_limit**2 * variance_of_1 >= 1:
        return result._replace(reason=_chance_reason(n_effective))

    # The interval contains those without and with the products of adjacent blocks.
    low, high = _solve_interval(terms.contributions, terms.shares, t_limit, with_adjacent=False)
    other_low, other_high = _solve_interval(
        terms.contributions, terms.shares, t_limit, with_adjacent=True
    )
    return result._replace(
        low=min(low, other_low),
        high=max(high, other_high),
        p_value=_p_value(terms.contributions, degrees_of_freedom),
    )


def _few_blocks_reason(n_effective: float) -> TranslatableText:
    """Return the reason why there is neither an interval nor a p-value: too few blocks."""
    return TranslatableText(
        "the number of annotators varies in too few blocks (effectively in {effective:.1f}; at "
        "least {least} are needed)",
        effective=n_effective,
        least=_MIN_EFFECTIVE_BLOCKS,
    )


def _chance_reason(n_effective: float) -> TranslatableText:
    """Return the reason why there is no interval: even a correlation of 1 could be chance."""
    return TranslatableText(
        "the number of annotators, or the image, varies in too few blocks: even a correlation of 1 "
        "could be chance (the number of annotators varies effectively in {effective:.1f} blocks)",
        effective=n_effective,
    )


def _p_value(contributions: Floats, degrees_of_freedom: float) -> float:
    """Return the two-sided p-value of no correlation from the blocks' contributions to it."""
    t = -abs(contributions.sum()) / np.sqrt(_largest_variance(contributions))
    return float(2 * scipy.special.stdtr(degrees_of_freedom, t))


def _largest_variance(contributions: Floats) -> float:
    """Return the larger variance of a sum over blocks, without and with adjacent blocks."""
    return max(
        _covariance(contributions, contributions, with_adjacent=False),
        _covariance(contributions, contributions, with_adjacent=True),
    )


def _solve_interval(
    contributions: Floats, shares: Floats, t_limit: float, *, with_adjacent: bool
) -> tuple[float, float]:
    """Return the interval of correlations that the test does not reject, between -1 and 1.

    It holds the rho with (r - rho)² <= t_limit² · variance(contributions - rho · shares), where r
    is the sum of the contributions. Its ends solve a quadratic equation
    a · rho² - 2 · b · rho + c = 0; the caller makes sure that a is positive.

    Args:
        contributions: (rows, columns) contribution of each block to the correlation.
        shares: (rows, columns) share of each block, which add up to 1.
        t_limit: critical value of Student's t.
        with_adjacent: True to take adjacent blocks as dependent.

    Returns:
        The lower and the upper end.
    """
    r = contributions.sum()
    factor = t_limit**2
    a = 1 - factor * _covariance(shares, shares, with_adjacent=with_adjacent)
    b = r - factor * _covariance(contributions, shares, with_adjacent=with_adjacent)
    c = r * r - factor * _covariance(contributions, contributions, with_adjacent=with_adjacent)
    root = np.sqrt(max(b * b - a * c, 0.0))
    low = np.clip((b - root) / a, -1.0, 1.0)
    high = np.clip((b + root) / a, -1.0, 1.0)
    return float(low), float(high)


def _covariance(first: Floats, second: Floats, *, with_adjacent: bool) -> float:
    """Return the covariance of two sums over blocks.

    It is the sum of the products within each block; with adjacent blocks also the weighted products
    of neighbouring blocks.

    Args:
        first: (rows, columns) contribution of each block to the first sum.
        second: (rows, columns) contributions to the second sum.
        with_adjacent: True to add the products of neighbouring blocks.
    """
    if with_adjacent:
        second = scipy.ndimage.convolve(second, _NEIGHBOUR_WEIGHTS, mode="constant")
    return float((first * second).sum())


def _block_sums(values: Floats, labels: Ints, shape: tuple[int, int]) -> Floats:
    """Return the (rows, columns) sum of the values in each block.

    Args:
        values: (n,) values of pixels.
        labels: (n,) block number of each pixel; blocks are counted row by row.
        shape: numbers of rows and columns of blocks.
    """
    rows, columns = shape
    sums = np.bincount(labels, weights=values, minlength=rows * columns)
    return cast("Floats", sums.astype(float).reshape(shape))


def _undefined_reason(x: Floats, y: Floats) -> str:
    """Return the reason why the correlation is undefined, or an empty text.

    Args:
        x: (n,) values of the image.
        y: (n,) number of votes.
    """
    if len(x) == 0:
        return TranslatableText("no pixel in the study area has data in every band")
    x_range = np.ptp(x)
    if x_range <= _ROUNDING * np.abs(x).max():
        return TranslatableText("the image is the same everywhere in the study area")
    y_range = np.ptp(y)
    if y_range <= _ROUNDING * np.abs(y).max():
        return TranslatableText("the number of annotators is the same everywhere in the study area")
    return ""
