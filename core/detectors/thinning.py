"""Thinning of marked pixels and of scores to lines one pixel wide, as for edges and fissures.

The algorithm is that of Lam, Lee and Suen (1992), MATLAB's ``bwmorph(..., 'thin', inf)``, which
Lampert et al. (2016, IV-C) apply to ground truths. Pixels are removed from the edges in rounds of
two halves. A detector's scores are thinned at one threshold after the other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress

#: Tolerance for lines, as a share of the diagonal of the scene: that of the Berkeley benchmark,
#: which Lampert et al. (2016) use.
TOLERANCE_SHARE = 0.0075
#: Largest number of thresholds at which scores are thinned.
MAX_THRESHOLDS = 25
# Offsets (rows down, columns right) of the eight neighbours, counter-clockwise from the east.
_NEIGHBOURS = ((0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1))


def _removable_patterns() -> tuple[Bools, Bools]:
    """Return which neighbourhoods have their centre removed, in either half of a round.

    With x1, ..., x8 the neighbours in the order of ``_NEIGHBOURS`` (x9 is x1), a marked pixel is
    removed if

    * the number of i in 1..4 with not x(2i-1) and (x(2i) or x(2i+1)) is 1 (the crossing number),
    * 2 <= min(n1, n2) <= 3, where n1 counts the i in 1..4 with x(2i-1) or x(2i), and n2 those with
      x(2i) or x(2i+1),
    * in the first half of a round, not ((x2 or x3 or not x8) and x1); in the second half,
      not ((x6 or x7 or not x4) and x5).

    Returns:
        Two masks (256,) over neighbourhoods; bit k of the index stands for neighbour k of
        ``_NEIGHBOURS``.
    """
    # (256, 8) whether each neighbour is marked, in each neighbourhood.
    is_marked = ((np.arange(256)[:, np.newaxis] >> np.arange(8)) & 1).astype(bool)
    x1, x2, x3, x4, x5, x6, x7, x8 = is_marked.T
    crossing_number = np.zeros(256, dtype=int)
    n1 = np.zeros(256, dtype=int)
    n2 = np.zeros(256, dtype=int)
    # For i in 1..4: x(2i-1), x(2i) and x(2i+1).
    for before, corner, after in ((x1, x2, x3), (x3, x4, x5), (x5, x6, x7), (x7, x8, x1)):
        crossing_number += ~before & (corner | after)
        n1 += before | corner
        n2 += corner | after
    n_min = np.minimum(n1, n2)
    is_simple = (crossing_number == 1) & (n_min >= 2) & (n_min <= 3)
    first_half = is_simple & ~((x2 | x3 | ~x8) & x1)
    second_half = is_simple & ~((x6 | x7 | ~x4) & x5)
    return first_half, second_half


_REMOVABLE = _removable_patterns()


def thin(marked: ArrayLike, progress: Progress = no_progress) -> Bools:
    """Thin marked pixels to lines one pixel wide.

    Single pixels and the ends of lines are not removed.

    Args:
        marked: (rows, columns) marked pixels, anything but 0.
        progress: called in every round; may raise to cancel.

    Returns:
        (rows, columns) pixels of the lines.

    Raises:
        InputError: if ``marked`` does not have two dimensions.

    >>> thin(np.ones((3, 7), dtype=bool)).astype(int).tolist()[1]
    [0, 1, 1, 1, 1, 1, 0]
    """
    return _peel_edges(_raster(marked).astype(bool), progress)


def thin_scores(scores: ArrayLike, progress: Progress = no_progress) -> Floats:
    """Return the highest threshold at which each pixel is on the thinned lines of the detections.

    The detections are thinned (see :func:`thin`) at every distinct score, or at the
    :data:`MAX_THRESHOLDS` quantiles if there are more scores.

    Args:
        scores: (rows, columns) scores, minus infinity where nothing is detected.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        (rows, columns) thresholds; minus infinity off the lines, NaN where the score is NaN.

    Raises:
        InputError: if ``scores`` does not have two dimensions.

    >>> thin_scores(np.ones((3, 5)))[1].tolist()
    [-inf, 1.0, 1.0, 1.0, -inf]
    """
    values = _raster(scores).astype(float)
    detected_scores = values[values > -np.inf]
    thresholds = np.unique(detected_scores)
    if len(thresholds) > MAX_THRESHOLDS:
        shares = np.linspace(0, 1, MAX_THRESHOLDS)
        thresholds = np.unique(np.quantile(detected_scores, shares, method="lower"))
    highest_thresholds = np.full(values.shape, -np.inf)
    # The thresholds rise, so that the last one at which a pixel is on a line is the highest.
    for threshold, threshold_progress in iterate_with_progress(thresholds.tolist(), progress):
        lines = thin(values >= threshold, threshold_progress)
        highest_thresholds[lines] = threshold
    return np.where(np.isnan(values), np.nan, highest_thresholds)


def _peel_edges(marked: Bools, progress: Progress) -> Bools:
    """Remove pixels from the edges until nothing more can be removed.

    Pixels are numbered in a raster that is padded by one pixel, so that all of them have eight
    neighbours.

    Args:
        marked: (rows, columns) mask of the marked pixels.
        progress: called in each round, so that it can cancel; the fraction done is unknown.

    Returns:
        (rows, columns) mask of the remaining pixels.
    """
    n_rows, n_columns = marked.shape
    width = n_columns + 2
    padded = np.zeros((n_rows + 2, width), dtype=bool)
    padded[1:-1, 1:-1] = marked
    is_marked = padded.ravel()  # a view: pixels removed from it are removed from `padded`
    neighbour_offsets = np.array([down * width + right for down, right in _NEIGHBOURS])
    bit_values = 1 << np.arange(8)

    pixels = np.flatnonzero(is_marked)
    is_interior = is_marked[pixels[:, np.newaxis] + neighbour_offsets].all(axis=1)
    edge = pixels[~is_interior]
    # For either half of a round: pixels with neighbours that changed since that half last ran.
    pending = [edge, edge]
    half = 0
    while len(pending[0]) or len(pending[1]):
        progress(0.0)
        candidates = pending[half]
        pending[half] = np.empty(0, dtype=np.int64)
        is_neighbour_marked = is_marked[candidates[:, np.newaxis] + neighbour_offsets]
        patterns = (is_neighbour_marked * bit_values).sum(axis=1)
        removed = candidates[_REMOVABLE[half][patterns]]
        is_marked[removed] = False

        # The marked neighbours of removed pixels are examined again, in both halves.
        neighbours = np.unique(removed[:, np.newaxis] + neighbour_offsets)
        affected = neighbours[is_marked[neighbours]]
        for number, waiting in enumerate(pending):
            still_marked = waiting[is_marked[waiting]]
            pending[number] = np.union1d(still_marked, affected)
        half = 1 - half
    return padded[1:-1, 1:-1].copy()


def _raster(array: ArrayLike) -> Array:
    """Return an array of two dimensions; raise InputError for another number of dimensions."""
    raster = np.asarray(array)
    if raster.ndim != 2:
        raise InputError(
            "thinning.not_a_raster",
            "Thinning needs a raster (rows and columns), not {ndim} dimensions.",
            ndim=raster.ndim,
        )
    return raster
