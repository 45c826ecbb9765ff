"""Confidence intervals for map statistics by resampling whole blocks of the study area.

Neighbouring pixels are alike, so that a bootstrap over pixels would give far too narrow intervals.
The study area is therefore cut into square blocks, or is made of tiles or plots already, and the
blocks are resampled with replacement (Efron and Tibshirani 1993, ch. 8). Adjacent blocks of a map
share the crowns on their border. Overlapping windows of 2 x 2 blocks, which continue at the
opposite edge of the map, are therefore resampled as a whole (circular block bootstrap, Politis and
Romano 1992). Tiles and plots that form no grid are resampled singly. The standard error of a
statistic is its standard deviation over the resamples. The interval uses it with Student's t on a
scale without ends, because percentiles of the resamples cover too little with few blocks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import numpy as np
import scipy
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Ints, Objects, random_generator, split_range
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message
from randcrowns.core.outlines import repair_outlines
from randcrowns.core.statistics import (
    CONFIDENCE_LEVEL,
    MIN_PLOTS,
    MIN_UNITS,
    too_few_plots_message,
)

#: Default number of blocks along the longer side of the study area.
BLOCKS_PER_SIDE = 8
#: Minimum number of resamples with a value: the ends of an interval of fewer resamples would be
#: single resamples.
MIN_RESAMPLES = 100
#: Number of blocks along one side of a window of adjacent blocks.
WINDOW_SIDE = 2
#: Maximum number of blocks: every resample holds a count for each block.
MAX_BLOCKS = 10_000
# Part of a block by which a length may exceed a whole number of blocks, so that rounding adds no
# row of empty blocks.
_COUNT_TOLERANCE = 1e-9
# Standard deviation up to which a statistic counts as constant.
_ROUNDING = 1e-12
# Number of faces processed at a time.
_FACES_PER_CHUNK = 100_000
# Number of values that the resamples of one chunk need at most.
_VALUES_PER_CHUNK = 1 << 22


class BlockGrid(NamedTuple):
    """Blocks of a study area, including empty ones."""

    weights: Any  #: (T, M) sparse weight of M patterns in T blocks.
    #: Number of columns of the grid, whose blocks are numbered row by row; 0 for tiles, plots or
    #: images that are no grid.
    columns: int
    are_plots: bool = False  #: True if each block is a plot or an image.

    @property
    def is_filled(self) -> Bools:
        """(T,) True for blocks that contain a part of the study area."""
        return np.asarray(self.weights.sum(axis=1)).ravel() > 0

    def windows(self, n_marked_blocks: int) -> BlockWindows:
        """Return the windows of adjacent blocks that are resampled as a whole.

        They are single blocks if the blocks form no grid, or if fewer than ``MIN_PLOTS`` windows
        without common blocks would contain marks. Windows of empty blocks alone are excluded.

        Args:
            n_marked_blocks: number of blocks that contain marks.

        >>> BlockGrid(scipy.sparse.csr_matrix(np.ones((25, 1))), columns=5).windows(25).size
        4
        """
        n_blocks = self.weights.shape[0]
        n_rows = n_blocks // self.columns if self.columns else 0
        height = min(WINDOW_SIDE, n_rows)
        width = min(WINDOW_SIDE, self.columns)
        size = height * width
        if not n_rows or n_marked_blocks < MIN_PLOTS * size:
            single_blocks = scipy.sparse.identity(n_blocks, format="csr")
            return BlockWindows(membership=single_blocks[self.is_filled], size=1)

        # A window begins at each block. At the end of the grid it continues at the beginning.
        window_numbers = np.arange(n_blocks)
        first_rows, first_columns = np.divmod(window_numbers, self.columns)
        members = []
        for down in range(height):
            for right in range(width):
                rows = (first_rows + down) % n_rows
                columns = (first_columns + right) % self.columns
                members.append(rows * self.columns + columns)
        entries = (np.tile(window_numbers, size), np.concatenate(members))
        membership = scipy.sparse.csr_matrix(
            (np.ones(size * n_blocks), entries), (n_blocks, n_blocks)
        )
        is_window_filled = membership @ self.is_filled.astype(float) > 0
        return BlockWindows(membership=membership[is_window_filled], size=size)

    def coarsen(self) -> BlockGrid:
        """Return the grid with every 2 x 2 blocks as one; without a grid, every two blocks.

        >>> BlockGrid(scipy.sparse.csr_matrix(np.ones((6, 1))), columns=3).coarsen().columns
        2
        """
        numbers = np.arange(self.weights.shape[0])
        n_coarse_columns = (self.columns + 1) // 2
        if self.columns:
            rows, columns = np.divmod(numbers, self.columns)
            coarse_numbers = rows // 2 * n_coarse_columns + columns // 2
        else:
            coarse_numbers = numbers // 2
        n_coarse = int(coarse_numbers.max(initial=-1)) + 1
        membership = scipy.sparse.csr_matrix(
            (np.ones(len(numbers)), (coarse_numbers, numbers)), (n_coarse, len(numbers))
        )
        coarse_weights = scipy.sparse.csr_matrix(membership @ self.weights)
        return BlockGrid(coarse_weights, n_coarse_columns)


class BlockWindows(NamedTuple):
    """Windows of adjacent blocks; at most one begins at each of T blocks."""

    membership: Any  #: (W, T) sparse; 1 where one of W windows contains a block.
    size: int  #: number of blocks in a window; 1 if blocks are resampled singly.


def block_grid(votes: VoteTable, block_side: float | None = None) -> BlockGrid:
    """Compute the weight of each pattern of decisions in each block, including empty blocks.

    Args:
        votes: vote table with blocks, or with an index of faces or (rows, columns) pixels.
        block_side: side of a block in m for faces, in pixels for pixels; an eighth of the longer
            side of the study area by default. It is not used if the table has blocks.

    Returns:
        The weights of the patterns in each block, and the number of columns of blocks.

    Raises:
        InputError: if the vote table has neither tiles nor a map, or if the blocks are too small.

    >>> votes = VoteTable.from_stack([[[1, 1, 0, 0]], [[1, 1, 1, 0]]])
    >>> grid = block_grid(votes, 2)
    >>> grid.weights.toarray().tolist()
    [[0.0, 0.0, 2.0], [1.0, 1.0, 0.0]]
    >>> grid.columns
    2
    """
    if votes.blocks is not None:
        weights = scipy.sparse.csr_matrix(votes.blocks)
        return BlockGrid(weights, votes.block_columns, votes.are_blocks_plots)
    if votes.faces is not None:
        return _face_blocks(votes, block_side)
    if votes.has_pixels:
        return _pixel_blocks(votes, block_side)
    raise InputError(
        "blocks.no_units",
        "Intervals need tiles, polygons or a grid of pixels; this vote table has none of them.",
    )


def validate_block_side(
    side: float, width: float, height: float, is_in_pixels: bool = False
) -> None:
    """Raise an error if blocks have no size, or if there would be more than can be resampled.

    Args:
        side: side of a block.
        width: width of the study area.
        height: height of the study area.
        is_in_pixels: True if all three lengths are in pixels, False if they are in metres.

    Raises:
        InputError: unless ``side`` is positive and gives at most ``MAX_BLOCKS`` blocks.

    >>> validate_block_side(10.0, 200.0, 100.0)
    >>> validate_block_side(0.0, 200.0, 100.0)
    Traceback (most recent call last):
    ...
    randcrowns.core.errors.InputError: The side of a block must be positive, not 0.
    """
    if not side > 0:
        raise InputError(
            "blocks.side_not_positive",
            "The side of a block must be positive, not {side:g}.",
            side=side,
        )
    count = max(float(width) / float(side), 1.0) * max(float(height) / float(side), 1.0)
    if count <= MAX_BLOCKS:
        return
    if is_in_pixels:
        raise InputError(
            "blocks.too_many_of_pixels",
            "Blocks with a side of {side:g} pixels are too small for this study area: there would "
            "be about {count:.3g} of them, more than {most:,}; choose larger ones.",
            side=side,
            count=count,
            most=MAX_BLOCKS,
        )
    raise InputError(
        "blocks.too_many",
        "Blocks with a side of {side:g} m are too small for this study area: there would be about "
        "{count:.3g} of them, more than {most:,}; choose larger ones.",
        side=side,
        count=count,
        most=MAX_BLOCKS,
    )


def block_labels(shape: tuple[int, ...], block_side: float | None = None) -> Ints:
    """Return the number of the square block that the centre of each pixel lies in.

    Args:
        shape: rows and columns of the image.
        block_side: side of a block in pixels, which need not be a whole number; an eighth of the
            longer side of the image, rounded up, by default.

    Returns:
        (rows, columns) block numbers from 0; blocks are counted row by row.

    Raises:
        InputError: if the side is below one pixel or gives too many blocks.

    >>> block_labels((2, 4), 2).tolist()
    [[0, 0, 1, 1], [0, 0, 1, 1]]
    """
    rows, columns = shape
    longer_side = max(rows, columns, 1)
    side: float
    if block_side is None:
        side = math.ceil(longer_side / BLOCKS_PER_SIDE)
    elif block_side >= 1:
        side = min(block_side, longer_side)
        validate_block_side(side, columns, rows, is_in_pixels=True)
    else:
        raise InputError(
            "blocks.below_pixel",
            "The side of a block must be at least one pixel, but it is {block_side:g} pixels.",
            block_side=block_side,
        )
    block_column = block_numbers_along_axis(columns, side)
    block_row = block_numbers_along_axis(rows, side)
    blocks_per_row = block_column.max(initial=0) + 1
    return cast("Ints", block_row[:, np.newaxis] * blocks_per_row + block_column)


def block_numbers_along_axis(length: int, side: float) -> Ints:
    """Return the block that the centre of each pixel lies in, along one axis of an image.

    Args:
        length: number of pixels along the axis.
        side: side of a block in pixels, which need not be a whole number.

    Returns:
        (length,) block numbers from 0, ascending.

    >>> block_numbers_along_axis(5, 2.5).tolist()
    [0, 0, 1, 1, 1]
    """
    return ((np.arange(length) + 0.5) / side).astype(np.int64)


def block_edges(bounds: Floats, block_side: float | None = None) -> tuple[Floats, Floats]:
    """Return the coordinates of the borders of square blocks that cover an extent.

    Args:
        bounds: (4,) extent: xmin, ymin, xmax, ymax in metres.
        block_side: side of a block in metres; an eighth of the longer side by default.

    Returns:
        x: (columns + 1,) left borders of the block columns, and the right border of the last one.
        y: (rows + 1,) lower borders of the block rows, and the upper border of the last one.

    Raises:
        InputError: if the side is not positive or gives too many blocks.

    >>> block_edges(np.array([0.0, 0.0, 4.0, 1.0]), 2.0)
    (array([0., 2., 4.]), array([0., 2.]))
    """
    left, bottom, right, top = bounds
    width = right - left
    height = top - bottom
    longer_side = max(width, height)
    if block_side is None:
        block_side = longer_side / BLOCKS_PER_SIDE
    side = min(block_side, longer_side)
    validate_block_side(side, width, height)

    n_columns = max(int(np.ceil(width / side - _COUNT_TOLERANCE)), 1)
    n_rows = max(int(np.ceil(height / side - _COUNT_TOLERANCE)), 1)
    x = left + np.arange(n_columns + 1) * side
    y = bottom + np.arange(n_rows + 1) * side
    return x, y


def iterate_block_resamples(
    n_blocks: int,
    n_resamples: int,
    seed: int,
    values_per_resample: int = 0,
    window_size: int = 1,
) -> Iterator[Floats]:
    """Yield how often each block or window is contained in each bootstrap resample, in chunks.

    Args:
        n_blocks: number of blocks, or of windows of blocks.
        n_resamples: total number of resamples.
        seed: seed of the random numbers, 0 or more.
        values_per_resample: number of values that the caller computes for each resample. It limits
            the size of a chunk, but does not change the random numbers.
        window_size: number of blocks of a window. A resample has as many windows as together have
            ``n_blocks`` blocks, rounded.

    Yields:
        (r, n_blocks) counts of r resamples, as floats; nothing for fewer than two blocks.

    >>> [counts.sum(axis=1).tolist() for counts in iterate_block_resamples(4, 2, seed=0)]
    [[4.0, 4.0]]
    """
    rng = random_generator(seed)
    if n_blocks < 2:
        return
    chunk_size = max(1, _VALUES_PER_CHUNK // max(n_blocks, values_per_resample))
    n_drawn = round(n_blocks / window_size)
    probabilities = np.full(n_blocks, 1 / n_blocks)
    for chunk in split_range(n_resamples, chunk_size):
        counts = rng.multinomial(n_drawn, probabilities, chunk.stop - chunk.start)
        yield counts.astype(np.float64)


class BlockInterval(NamedTuple):
    """Intervals of statistics from resampled blocks."""

    low: Floats  #: lower ends, in the shape of the statistics; NaN where there is no interval.
    high: Floats  #: upper ends, likewise.
    messages: tuple[Message, ...]  #: messages about the intervals for the user.


def block_interval(
    estimate: Floats,
    resampled_values: Floats,
    n_marked_blocks: int,
    can_be_negative: ArrayLike = False,
    window_size: int = 1,
    *,
    are_plots: bool = False,
) -> BlockInterval:
    """Compute intervals of statistics from their values in resamples of n blocks.

    With windows, n is the number of marked blocks divided by the blocks of a window.

    With the standard deviation s of a statistic x over the resamples, the standard error is
    s·√(n/(n - 1)), because resampling n units underestimates a variance by that factor. The ends
    lie t standard errors around logit x for values from 0 to 1, and around artanh x for values from
    -1 to 1. Student's t has n - 1 degrees of freedom.

    Args:
        estimate: statistics of the whole study area, of any shape.
        resampled_values: (resamples, *estimate.shape) statistics of each resample; NaN where
            undefined.
        n_marked_blocks: number of blocks that contain marks; blocks without marks contain no
            information on where annotators differ.
        can_be_negative: (in the shape of the statistics) True for statistics from -1 to 1.
        window_size: number of blocks of a resampled window.
        are_plots: True if each block is a plot or an image.

    Returns:
        The intervals, and messages for the user. The ends are NaN if there are fewer than ten
        blocks, or fewer than ``MIN_RESAMPLES`` resamples in which a statistic is defined.

    >>> shares = np.linspace(0.4, 0.6, 201)
    >>> interval = block_interval(np.array(0.5), shares, n_marked_blocks=10)
    >>> round(float(interval.low), 3), round(float(interval.high), 3)
    (0.365, 0.635)
    """
    low = np.full(estimate.shape, np.nan)
    high = np.full(estimate.shape, np.nan)
    reason = missing_interval_message(n_marked_blocks, are_plots=are_plots)
    messages: list[Message] = [AgreementMessage.BLOCK_RESAMPLING]
    if are_plots:
        messages = [] if reason else [AgreementMessage.PLOT_RESAMPLING]
    if reason is not None:
        return BlockInterval(low, high, (*messages, reason))

    is_defined = ~np.isnan(estimate)
    n_values = np.count_nonzero(~np.isnan(resampled_values), axis=0)
    has_resamples = n_values >= MIN_RESAMPLES
    has_interval = has_resamples & is_defined
    if has_interval.any():
        are_signed = np.broadcast_to(can_be_negative, estimate.shape)
        low[has_interval], high[has_interval] = _student_ends(
            estimate[has_interval],
            deviation=np.nanstd(resampled_values[:, has_interval], axis=0, ddof=1),
            n_blocks=n_marked_blocks / window_size,
            can_be_negative=are_signed[has_interval],
        )
    if len(resampled_values) > 0 and (~has_resamples & is_defined).any():
        messages.append(AgreementMessage.FEW_RESAMPLES)
    return BlockInterval(low, high, tuple(messages))


def missing_interval_message(n_marked_blocks: int, *, are_plots: bool) -> Message | None:
    """Return the message that there are too few blocks for intervals; None if there are enough.

    Args:
        n_marked_blocks: number of blocks that contain marks.
        are_plots: True if each block is a plot or an image.

    >>> print(missing_interval_message(5, are_plots=True))
    There are no intervals for all plots together: 5 plots are fewer than 10.
    """
    if n_marked_blocks >= MIN_UNITS:
        return None
    if are_plots:
        return too_few_plots_message(n_marked_blocks, MIN_UNITS)
    return AgreementMessage.TOO_FEW_BLOCKS


def _student_ends(
    estimate: Floats, deviation: Floats, n_blocks: float, can_be_negative: Bools
) -> tuple[Floats, Floats]:
    """Return the ends of :func:`block_interval`; the estimate itself where nothing deviates.

    Args:
        estimate: (S,) statistics.
        deviation: (S,) standard deviations over the resamples.
        n_blocks: number n of blocks or of separate windows with marks.
        can_be_negative: (S,) True for statistics from -1 to 1.
    """
    t_limit = float(scipy.special.stdtrit(n_blocks - 1, (1 + CONFIDENCE_LEVEL) / 2))
    half_width = t_limit * deviation * math.sqrt(n_blocks / (n_blocks - 1))
    # Statistics from -1 to 1 are shares of their range: artanh x is half the logit of the share.
    share = np.where(can_be_negative, (1 + estimate) / 2, estimate)
    share_half_width = np.where(can_be_negative, half_width / 2, half_width)
    with np.errstate(divide="ignore", invalid="ignore"):
        # The derivative of logit x is 1 / (x (1 - x)).
        logit_half_width = share_half_width / (share * (1 - share))
        share_ends = scipy.special.expit(
            scipy.special.logit(share) + np.outer([-1.0, 1.0], logit_half_width)
        )
    ends = np.where(can_be_negative, 2 * share_ends - 1, share_ends)
    is_varying = deviation > _ROUNDING
    low, high = np.where(is_varying, ends, estimate)
    return low, high


def _pixel_blocks(votes: VoteTable, block_side: float | None) -> BlockGrid:
    """Return the weight of each pattern in each block of a pixel grid.

    Args:
        votes: vote table with M patterns, with an index of rows and columns.
        block_side: side of the square blocks, pixels; None for the default side.
    """
    pattern_map = votes.pattern_index
    n_patterns = len(votes.patterns)
    if pattern_map is None or n_patterns == 0:
        return BlockGrid(scipy.sparse.csr_matrix((0, n_patterns)), 0)

    labels = block_labels(pattern_map.shape, block_side)
    # Each row of blocks is counted separately: a row needs little memory.
    first_pixel_rows = np.flatnonzero(np.diff(labels[:, 0])) + 1
    pixel_rows_of_bands = np.split(np.arange(len(pattern_map)), first_pixel_rows)
    pairs_of_bands: list[Ints] = []
    counts_of_bands: list[Ints] = []
    for pixel_rows in pixel_rows_of_bands:
        # One number stands for a block and a pattern; pattern M means excluded.
        pairs = labels[pixel_rows] * (n_patterns + 1) + pattern_map[pixel_rows]
        distinct_pairs, counts = np.unique(pairs, return_counts=True)
        pairs_of_bands.append(distinct_pairs)
        counts_of_bands.append(counts)
    blocks, patterns = np.divmod(np.concatenate(pairs_of_bands), n_patterns + 1)
    n_pixels = np.concatenate(counts_of_bands)

    is_studied = patterns < n_patterns
    studied_pixels = n_pixels[is_studied]
    pixel_area = votes.total_weight / studied_pixels.sum()
    n_blocks = int(labels.max()) + 1
    weights = scipy.sparse.csr_matrix(
        (studied_pixels * pixel_area, (blocks[is_studied], patterns[is_studied])),
        (n_blocks, n_patterns),
    )
    return BlockGrid(weights, columns=int(labels[0].max()) + 1)


def _face_blocks(votes: VoteTable, block_side: float | None) -> BlockGrid:
    """Return the area of each pattern in each block of a polygon overlay.

    Args:
        votes: vote table with M patterns, with faces.
        block_side: side of the square blocks, m; None for the default side.

    Returns:
        Areas, m². Faces that reach into several blocks are cut exactly. T is 0 without faces.
    """
    faces = votes.faces
    pattern_of_face = votes.pattern_index
    n_patterns = len(votes.patterns)
    if faces is None or pattern_of_face is None or len(faces) == 0:
        return BlockGrid(scipy.sparse.csr_matrix((0, n_patterns)), 0)

    chunks = list(split_range(len(faces), _FACES_PER_CHUNK))
    chunk_bounds = np.array([shapely.total_bounds(faces[chunk]) for chunk in chunks])
    lower_left = chunk_bounds[:, :2].min(axis=0)
    upper_right = chunk_bounds[:, 2:].max(axis=0)
    x, y = block_edges(np.append(lower_left, upper_right), block_side)
    left, lower = np.meshgrid(x[:-1], y[:-1])
    right, upper = np.meshgrid(x[1:], y[1:])
    squares = shapely.box(left, lower, right, upper).ravel()
    tree = shapely.STRtree(squares)
    weights = scipy.sparse.csr_matrix((len(squares), n_patterns))
    for chunk in chunks:
        pieces = _divide_faces(faces[chunk], squares, tree)
        patterns = pattern_of_face[chunk][pieces.face].astype(np.int64)
        weights += scipy.sparse.csr_matrix((pieces.area, (pieces.block, patterns)), weights.shape)
    return BlockGrid(weights, columns=len(x) - 1)


class _Pieces(NamedTuple):
    """Parts of faces in blocks."""

    face: Ints  #: (n,) number of the face of each part.
    block: Ints  #: (n,) number of the block of each part.
    area: Floats  #: (n,) area of each part, m².


def _divide_faces(faces: Objects, squares: Objects, tree: shapely.STRtree) -> _Pieces:
    """Divide faces by blocks.

    Args:
        faces: (F,) polygons, which are not changed.
        squares: (T,) blocks, which cover the faces.
        tree: spatial index of the blocks.
    """
    polygons = faces.copy()
    # Rounding can make edges cross, and GEOS intersects invalid polygons wrongly.
    invalid_rows = np.flatnonzero(~shapely.is_valid(polygons))
    polygons[invalid_rows] = repair_outlines(polygons[invalid_rows])
    # Each pair of a face and a block that it intersects.
    face_rows, block_rows = tree.query(polygons, predicate="intersects")
    areas = shapely.area(polygons)[face_rows]
    # Only faces that reach into several blocks have to be cut.
    n_blocks_of_face = np.bincount(face_rows, minlength=len(polygons))
    is_divided = n_blocks_of_face[face_rows] > 1
    parts = shapely.intersection(polygons[face_rows[is_divided]], squares[block_rows[is_divided]])
    areas[is_divided] = shapely.area(parts)
    return _Pieces(face=face_rows, block=block_rows, area=areas)
