"""Does agreement follow what the image shows? Correlations of the number of votes with the image.

Lampert, Stumpf and Gançarski 2016, Sec. III-B and Eq. 4: Pearson correlation of h with intensity, with each band, and
with Michelson contrast in a window, the last against the largest h in the same window. Intervals and p-values count
blocks of the image: neighbouring pixels are alike, p-values that count them would mean nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.ndimage import convolve, maximum_filter
from scipy.special import stdtr, stdtrit

from randcrowns.core.agreement.blocks import block_labels
from randcrowns.core.arrays import Array, Bools, Floats, Ints, float_array
from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared
from randcrowns.core.progress import Progress, no_progress, steps
from randcrowns.core.remarks import Said
from randcrowns.core.statistics import LEVEL

# Luminance of the sRGB primaries under D65, and the two constants of CIELAB (CIE 15:2004).
_LUMINANCE = (0.2126729, 0.7151522, 0.0721750)
_CIE_EPSILON = 216 / 24389
_CIE_KAPPA = 24389 / 27
# Fewer effective blocks than this make neither interval nor p-value.
_LEAST_BLOCKS = 5


@as_declared
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
    """Correlation of the votes with the image, with intervals.

    Args:
        votes: (rows, columns) number of annotators who marked each pixel, h. Pixels that are no number here or in any
            band are excluded.
        image: (bands, rows, columns) or (rows, columns).
        rgb: places of the red, green and blue band; the first three by default, and grey when there are fewer.
        white: value of a white pixel, for the lightness; the largest of an integer type, or 1 for floats up to 1,
            otherwise the image's largest value.
        window: side of the window for the contrast, odd, pixels.
        block_side: side of the blocks, pixels.
        blocks: (rows, columns) number of the block of each pixel, counted row by row, in place of square ones.

    Returns:
        A row for ``intensity``, each of ``band 1``, ``band 2``, …, ``contrast`` and, of a colour image, whose contrast
        is that of CIELAB lightness, ``contrast of grey``, that of the intensity (index ``property``); the columns of
        :class:`randcrowns.core.agreement.image.BlockCorrelation`.

    Raises:
        InputError: for shapes or bands that do not fit, or a window that is not odd.

    >>> votes = np.random.default_rng(0).integers(0, 4, (40, 40))
    >>> image_correlations(votes, 10.0 * votes)["correlation"].round(3).to_dict()
    {'intensity': 1.0, 'band 1': 1.0, 'contrast': nan}
    """
    bands = _bands(image)
    h = float_array(votes, "The raster of votes")
    if h.shape != bands.shape[1:]:
        said = "The votes have the shape {shape}, the image {other_shape}; bring them to one grid."
        raise InputError(said, shape=str(h.shape), other_shape=str(bands.shape[1:]))
    valid = np.isfinite(h) & np.isfinite(bands).all(axis=0)
    colours = _colours(bands, rgb)
    white = _white(np.asarray(image), bands, valid) if white is None else float(white)
    grey, most = intensity(colours), window_maximum(h, window, valid)
    tones = (
        {"contrast": lightness(colours, white), "contrast of grey": grey}
        if len(colours) == 3
        else {"contrast": grey}
    )
    pairs = [
        ("intensity", grey, h),
        *((f"band {number}", band, h) for number, band in enumerate(bands, start=1)),
        *((name, michelson_contrast(tone, window, valid), most) for name, tone in tones.items()),
    ]
    labels = block_labels(h.shape, block_side) if blocks is None else np.asarray(blocks)
    across = int(labels[:1].max(initial=0)) + 1
    shape = (int(labels.max(initial=0)) // across + 1, across)
    rows = []
    for (_, values, against), _ in steps(pairs, progress):
        rows.append(block_correlation(values[valid], against[valid], labels[valid], shape))
    index = pd.Index([name for name, _, _ in pairs], name="property")
    return cast(
        "pd.DataFrame", pd.DataFrame(rows, columns=list(BlockCorrelation._fields), index=index)
    )


def intensity(bands: ArrayLike) -> Floats:
    """Brightness of (3, …) red, green and blue, 0.2989 R + 0.5870 G + 0.1140 B, or the one band itself."""
    bands = np.asarray(bands, dtype=float)
    if len(bands) == 1:
        return cast("Floats", bands[0])
    return np.asarray(0.2989 * bands[0] + 0.5870 * bands[1] + 0.1140 * bands[2])


def lightness(rgb: ArrayLike, white: float = 255.0) -> Floats:
    """CIELAB lightness L*, 0 to 100, of (3, …) sRGB values from 0 to ``white``."""
    encoded = np.clip(np.asarray(rgb, dtype=float) / white, 0.0, 1.0)
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    luminance = np.tensordot(_LUMINANCE, linear, axes=1)
    return np.where(luminance > _CIE_EPSILON, 116 * np.cbrt(luminance) - 16, _CIE_KAPPA * luminance)


def michelson_contrast(tone: ArrayLike, window: int = 7, valid: ArrayLike | None = None) -> Floats:
    """(max - min)/(max + min) of a tone that is not negative, in a window around each pixel (Eq. 4); 0/0 is 0.

    At the edges the window is cut off; pixels that are not ``valid`` do not count.
    """
    tone = np.asarray(tone, dtype=float)
    highest = window_maximum(tone, window, valid)
    lowest = -window_maximum(-tone, window, valid)
    nothing_in_sight = np.isneginf(highest)
    highest[nothing_in_sight] = lowest[nothing_in_sight] = 0.0
    both = highest + lowest
    return np.divide(highest - lowest, both, out=np.zeros_like(tone), where=both > 0)


def window_maximum(values: ArrayLike, window: int = 7, valid: ArrayLike | None = None) -> Floats:
    """Largest value in a window around each pixel; -inf where none is valid."""
    if window < 1 or window % 2 == 0:
        raise InputError(
            "The window must be an odd number of pixels, such as 7, not {window}.", window=window
        )
    filled = np.array(values, dtype=float)
    if valid is not None:
        filled[~np.asarray(valid, dtype=bool)] = -np.inf
    # A window that reaches beyond both ends of the image sees all of it already.
    sizes = [min(window, 2 * length + 1) for length in filled.shape]
    return np.asarray(maximum_filter(filled, size=sizes, mode="constant", cval=-np.inf))


def _bands(image: ArrayLike) -> Floats:
    bands = float_array(image, "The image")
    if bands.ndim == 2:
        bands = bands[None]
    if bands.ndim != 3:
        raise InputError(
            "The image must have rows and columns, and bands before them; its shape is {shape}.",
            shape=str(bands.shape),
        )
    return bands


def _colours(bands: Floats, rgb: Sequence[int] | None) -> Floats:
    """The three colour bands, or the one grey band."""
    if rgb is None:
        return bands[:3] if len(bands) >= 3 else bands[:1]
    if len(rgb) != 3 or not all(0 <= band < len(bands) for band in rgb):
        said = "Choose three of the image's {bands} bands for red, green and blue, not {rgb}."
        raise InputError(said, bands=len(bands), rgb=str(list(rgb)))
    return bands[list(rgb)]


def _white(given: Array, bands: Floats, valid: Bools) -> float:
    if given.dtype.kind in "iu":
        return float(np.iinfo(given.dtype).max)
    largest = float(bands[:, valid].max(initial=0.0))
    return largest if largest > 1 else 1.0


_ROUNDING = 1e-12
_REACH = np.outer([0.5, 1.0, 0.5], [0.5, 1.0, 0.5])


class BlockCorrelation(NamedTuple):
    """A correlation."""

    correlation: float  #: Pearson's; NaN where there is none.
    #: low, high: the interval; NaN with too few blocks.
    low: float
    high: float
    p_value: float  #: two-sided, of no correlation; NaN with too few blocks.
    n_blocks: int  #: blocks that hold pixels.
    n_effective: (
        float  #: how many blocks the votes vary in, those in which they vary more counting more.
    )
    #: The p-value that an image would have that follows the votes exactly; none can be much smaller, as the correlation
    #: and what it may vary come of the same few blocks.
    least_p: float
    reason: str  #: why there is no correlation, or no interval; else empty.


def block_correlation(
    x: Floats,
    y: Floats,
    labels: Ints,
    shape: tuple[int, int],
    weight: Floats | None = None,
    level: float = LEVEL,
) -> BlockCorrelation:
    """Correlation of an image x (n,) with votes y (n,); blocks are numbered by ``labels`` (n,), row by row.

    Args:
        shape: rows and columns of blocks.
        weight: (n,) of each place; 1 by default.
        level: probability with which the interval holds.
    """
    held = int(np.count_nonzero(np.bincount(labels)))
    reason = (
        _constant(x, y) if len(x) else Said("no pixel in the study area has data in every band")
    )
    if reason:
        return BlockCorrelation(np.nan, np.nan, np.nan, np.nan, held, np.nan, np.nan, reason)
    x, y = x - np.average(x, weights=weight), y - np.average(y, weights=weight)
    of_place: Any = 1.0 if weight is None else weight
    xx, yy, xy = (_sums(of_place * product, labels, shape) for product in (x * x, y * y, x * y))
    # The correlation is the sum of these; what each takes off for a correlation of rho is rho times its weight.
    part = xy / np.sqrt(xx.sum() * yy.sum())
    weight = (xx / xx.sum() + yy / yy.sum()) / 2
    correlation = float(np.clip(part.sum(), -1.0, 1.0))
    effective = float(yy.sum() ** 2 / (yy * yy).sum())
    if effective < _LEAST_BLOCKS:
        reason = Said(
            "the number of annotators varies in too few blocks (as if in {effective:.1f} alike; at least {least} are "
            "needed)",
            effective=effective,
            least=_LEAST_BLOCKS,
        )
        return BlockCorrelation(
            correlation, np.nan, np.nan, np.nan, held, effective, np.nan, reason
        )
    freedom = effective - 1
    of_votes = yy / yy.sum()
    least_p = _p_value(of_votes, freedom)
    limit = float(stdtrit(freedom, (1 + level) / 2))
    if limit**2 * max(map(_largest_variance, (of_votes, weight))) >= 1:
        reason = Said(
            "the number of annotators or the image varies in too few blocks (the number of annotators as if in "
            "{effective:.1f} alike) to tell even a correlation of 1 from none",
            effective=effective,
        )
        return BlockCorrelation(
            correlation, np.nan, np.nan, np.nan, held, effective, least_p, reason
        )
    ends = [_accepted(part, weight, limit, reach) for reach in (False, True)]
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    return BlockCorrelation(
        correlation, low, high, _p_value(part, freedom), held, effective, least_p, ""
    )


def _p_value(part: Floats, freedom: float) -> float:
    """Two-sided, of no correlation, from the blocks' contributions."""
    return float(2 * stdtr(freedom, -abs(part.sum()) / np.sqrt(_largest_variance(part))))


def _largest_variance(part: Floats) -> float:
    return max(_variance(part, part, reach) for reach in (False, True))


def _accepted(part: Floats, weight: Floats, limit: float, reach: bool) -> tuple[float, float]:
    """The correlations rho with (r - rho)² <= limit² · variance(part - rho · weight), where they have an end."""
    r, factor = part.sum(), limit**2
    square = 1 - factor * _variance(weight, weight, reach)
    half = r - factor * _variance(part, weight, reach)
    constant = r * r - factor * _variance(part, part, reach)
    root = np.sqrt(max(half * half - square * constant, 0.0))
    low, high = np.clip([(half - root) / square, (half + root) / square], -1.0, 1.0)
    return float(low), float(high)


def _variance(one: Floats, other: Floats, reach: bool) -> float:
    """Sum of products of the blocks' contributions, with ``reach`` of adjoining blocks too."""
    return float((one * (convolve(other, _REACH, mode="constant") if reach else other)).sum())


def _sums(values: Floats, labels: Ints, shape: tuple[int, int]) -> Floats:
    """(down, across) sum of each block."""
    return np.bincount(labels, values, shape[0] * shape[1]).astype(float).reshape(shape)


def _constant(x: Floats, y: Floats) -> str:
    """Why there is no correlation; empty where there is one."""
    if np.ptp(x) <= _ROUNDING * np.abs(x).max():
        return Said("the image is the same everywhere in the study area")
    if np.ptp(y) <= _ROUNDING * np.abs(y).max():
        return Said("the number of annotators is the same everywhere in the study area")
    return ""
