"""Intervals for statistics of a map, by resampling whole blocks of it.

Neighbouring pixels are alike, so a bootstrap over pixels would claim far too much. Here the study area is cut into
square blocks, or comes in tiles or plots already, and the blocks are resampled with replacement (Efron and Tibshirani
1993, ch. 8). Intervals are percentiles of the statistic over the resamples.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import scipy.sparse
import shapely

from randcrowns.core.agreement.notes import Note
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Floats, Ints, generator, slices
from randcrowns.core.errors import InputError
from randcrowns.core.remarks import Remark
from randcrowns.core.statistics import LEAST_UNITS, LEVEL

#: The longer side of the study area is cut into so many blocks unless a block's side is given.
BLOCKS_PER_SIDE = 8
#: Fewer resamples with a value than this make no interval: its ends would be those of the resamples themselves.
LEAST_RESAMPLES = 100
#: More blocks than this are refused: every one of them is in every resample.
MOST_BLOCKS = 10_000
# Faces in hand at a time.
_FACES = 100_000
# Numbers in hand at a time while blocks are resampled.
_MOST_IN_HAND = 1 << 22


def block_weights(votes: VoteTable, block_side: float | None = None) -> Any:
    """(T, M) sparse weight of each pattern in each block that holds anything."""
    if votes.blocks is not None:
        blocks = votes.blocks
    elif votes.faces is not None:
        blocks = _face_blocks(votes, block_side)
    elif votes.index is not None and votes.index.ndim == 2:
        blocks = _pixel_blocks(votes, block_side)
    else:
        raise InputError(
            "Intervals need tiles, polygons or a grid of pixels; this vote table has no places."
        )
    filled = np.asarray(blocks.sum(axis=1)).ravel() > 0
    return scipy.sparse.csr_matrix(blocks)[filled]


def check_blocks(side: float, width: float, height: float, unit: str = "m") -> None:
    """Refuse blocks without a size, and more of them than can be resampled, before anything is made for them.

    The side of a block, and the width and height of the study area, are in one ``unit``.
    """
    if not side > 0:
        raise InputError("The side of a block must be positive, not {side:g}.", side=side)
    count = max(float(width) / float(side), 1.0) * max(float(height) / float(side), 1.0)
    if not count <= MOST_BLOCKS:
        said = (
            "Blocks with a side of {side:g} {unit} are too small for this study area: there would be about "
            "{count:.3g} of them, more than {most:,}; choose larger ones."
        )
        raise InputError(said, side=side, unit=unit, count=count, most=MOST_BLOCKS)


def block_labels(shape: tuple[int, ...], block_side: float | None = None) -> Ints:
    """(rows, columns) number of the square block that each pixel's centre lies in, blocks counted row by row.

    The side of a block is in pixels, whole or not; an eighth of the longer side by default.
    """
    rows, columns = shape
    longer = max(rows, columns, 1)
    side: float = math.ceil(longer / BLOCKS_PER_SIDE)
    if block_side is not None:
        if not block_side >= 1:
            said = (
                "The side of a block must be at least one pixel, but it is {block_side:g} pixels."
            )
            raise InputError(said, block_side=block_side)
        side = min(block_side, longer)
        check_blocks(side, columns, rows, "pixels")
    across = block_numbers(columns, side)
    return cast("Ints", block_numbers(rows, side)[:, None] * (across.max(initial=0) + 1) + across)


def block_numbers(length: int, side: float) -> Ints:
    """(length,) in which block of ``side`` pixels, whole or not, the centre of each pixel of a row lies."""
    return ((np.arange(length) + 0.5) / side).astype(np.int64)


def block_borders(bounds: Floats, block_side: float | None = None) -> tuple[Floats, Floats]:
    """Where square blocks over ``bounds`` have their left and lower borders, and where the last ones end.

    The side of a block is in metres; an eighth of the longer side by default.

    >>> block_borders(np.array([0.0, 0.0, 4.0, 1.0]), 2.0)
    (array([0., 2., 4.]), array([0., 2.]))
    """
    left, bottom, right, top = bounds
    longer = max(right - left, top - bottom)
    side = min(longer / BLOCKS_PER_SIDE if block_side is None else block_side, longer)
    check_blocks(side, right - left, top - bottom)
    # The small allowance keeps rounding from opening a row of empty blocks.
    columns, rows = (
        max(int(np.ceil(extent / side - 1e-9)), 1) for extent in (right - left, top - bottom)
    )
    return left + np.arange(columns + 1) * side, bottom + np.arange(rows + 1) * side


def block_resamples(n_blocks: int, resamples: int, seed: int, numbers: int = 0) -> Iterator[Floats]:
    """How often each block is in a resample, (r, n_blocks) for a few at a time; none of fewer than two blocks.

    Few enough come at a time for the ``numbers`` made of each, which does not change the random numbers.
    """
    rng, at_once = generator(seed), max(1, _MOST_IN_HAND // max(n_blocks, numbers, 1))
    for first in range(0, resamples if n_blocks > 1 else 0, at_once):
        times = rng.multinomial(
            n_blocks, np.full(n_blocks, 1 / n_blocks), min(at_once, resamples - first)
        )
        yield times.astype(np.float64)


def block_interval(
    estimate: Floats, values: Floats, n_blocks: int
) -> tuple[Floats, Floats, tuple[Remark, ...]]:
    """The percentile interval of statistics, where there are blocks and resamples enough.

    Args:
        estimate: the statistics of the whole study area.
        values: (resamples, …) of each resample; NaN where it has none.
        n_blocks: blocks that hold marks; the others say nothing about where annotators differ.

    Returns:
        The ends of the interval, NaN for fewer than ten blocks, or when fewer than 100 resamples gave a number; and
        what to tell the user.
    """
    low, high = np.full(estimate.shape, np.nan), np.full(estimate.shape, np.nan)
    if n_blocks < LEAST_UNITS:
        return low, high, (Note.BLOCK_RESAMPLING, Note.TOO_FEW_BLOCKS)
    enough = np.count_nonzero(~np.isnan(values), axis=0) >= LEAST_RESAMPLES
    known = enough & ~np.isnan(estimate)
    if known.any():
        low[known], high[known] = np.nanquantile(
            values[:, known], [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0
        )
    few = len(values) > 0 and (~enough & ~np.isnan(estimate)).any()
    return low, high, (Note.BLOCK_RESAMPLING, Note.FEW_DRAWS) if few else (Note.BLOCK_RESAMPLING,)


def _pixel_blocks(votes: VoteTable, block_side: float | None) -> Any:
    index = votes.index
    n_patterns = len(votes.patterns)
    if index is None or n_patterns == 0:
        return scipy.sparse.csr_matrix((0, n_patterns))
    label = block_labels(index.shape, block_side)
    rows, columns, counts = [], [], []
    for band in np.split(np.arange(len(index)), np.flatnonzero(np.diff(label[:, 0])) + 1):
        place = label[band] * (n_patterns + 1) + index[band]
        found, count = np.unique(place, return_counts=True)
        row, column = np.divmod(found, n_patterns + 1)
        studied = column < n_patterns
        rows.append(row[studied])
        columns.append(column[studied])
        counts.append(count[studied])
    every = np.concatenate(counts)
    pixel = votes.total / every.sum()
    places = (np.concatenate(rows), np.concatenate(columns))
    return scipy.sparse.csr_matrix((every * pixel, places), (int(label.max()) + 1, n_patterns))


def _face_blocks(votes: VoteTable, block_side: float | None) -> Any:
    """Faces that reach into several blocks are cut exactly."""
    faces, index = votes.faces, votes.index
    n_patterns = len(votes.patterns)
    if faces is None or index is None or len(faces) == 0:
        return scipy.sparse.csr_matrix((0, n_patterns))
    some = list(slices(len(faces), _FACES))
    bounds = np.array([shapely.total_bounds(faces[rows]) for rows in some])
    x, y = block_borders(
        np.append(bounds[:, :2].min(axis=0), bounds[:, 2:].max(axis=0)), block_side
    )
    squares = shapely.box(x[None, :-1], y[:-1, None], x[None, 1:], y[1:, None]).ravel()
    tree, blocks = shapely.STRtree(squares), scipy.sparse.csr_matrix((len(squares), n_patterns))
    for rows in some:
        near = faces[rows].copy()
        crossing = np.flatnonzero(
            ~shapely.is_valid(near)
        )  # by rounding; what GEOS cuts of such is anything
        near[crossing] = shapely.make_valid(near[crossing])
        face, block = tree.query(near, predicate="intersects")
        several = np.bincount(face, minlength=len(near))[face] > 1
        area = shapely.area(near)[face]
        area[several] = shapely.area(
            shapely.intersection(near[face[several]], squares[block[several]])
        )
        blocks += scipy.sparse.csr_matrix(
            (area, (block, index[rows][face].astype(np.int64))), blocks.shape
        )
    return blocks
