"""Lines of one pixel: what annotators marked and detectors found, thinned, as for edges and fissures.

Thinning is that of Lam, Lee and Suen 1992 (MATLAB's ``bwmorph(…, 'thin', inf)``, which Lampert et al. 2016, IV-C, thin
ground truths with). A detector's scores are thinned at one threshold after the other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress, steps

#: Distance within which a detected line is right, as a share of the diagonal of the scene: that of the Berkeley
#: benchmark, which the source takes.
TOLERANCE_SHARE = 0.0075
#: Scores are thinned at so many thresholds at most.
STEPS = 25
# Neighbours from the east on, against the clock: rows down, columns right.
_AROUND = ((0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1))


def _deletable() -> tuple[Bools, Bools]:
    """(256,) neighbourhoods, bit k for the neighbour k of ``_AROUND``, whose pixel either half of a round removes."""
    bit = (np.arange(256)[:, None] >> np.arange(8)) & 1
    one, two, three, four, five, six, seven, eight = (bit[:, k].astype(bool) for k in range(8))
    crossings = sum(
        (~a & (b | c)).astype(int)
        for a, b, c in (
            (one, two, three),
            (three, four, five),
            (five, six, seven),
            (seven, eight, one),
        )
    )
    first = sum(
        (a | b).astype(int) for a, b in ((one, two), (three, four), (five, six), (seven, eight))
    )
    second = sum(
        (a | b).astype(int) for a, b in ((two, three), (four, five), (six, seven), (eight, one))
    )
    fewest = np.minimum(first, second)
    simple = (crossings == 1) & (fewest >= 2) & (fewest <= 3)
    return simple & ~((two | three | ~eight) & one), simple & ~((six | seven | ~four) & five)


_REMOVED = _deletable()


def thinned(marked: ArrayLike, progress: Progress = no_progress) -> Bools:
    """(rows, columns) what is marked, thinned to lines of one pixel; single pixels and the ends of lines stay.

    Raises:
        InputError: unless there are rows and columns.

    >>> thinned(np.ones((3, 7), dtype=bool)).astype(int).tolist()[1]
    [0, 1, 1, 1, 1, 1, 0]
    """
    return _peeled(_grid(marked).astype(bool), progress)


def thinned_scores(scores: ArrayLike, progress: Progress = no_progress) -> Floats:
    """(rows, columns) the highest threshold at which a pixel is on the lines of the detections; off them -inf.

    At each of at most :data:`STEPS` thresholds, as many pixels apart, the detections are :func:`thinned`. NaN stays.

    >>> thinned_scores(np.ones((3, 5)))[1].tolist()
    [-inf, 1.0, 1.0, 1.0, -inf]
    """
    values = _grid(scores).astype(float)
    thresholds = np.unique(values[values > -np.inf])
    if len(thresholds) > STEPS:
        thresholds = np.unique(
            np.quantile(values[values > -np.inf], np.linspace(0, 1, STEPS), method="lower")
        )
    lines = np.full(values.shape, -np.inf)
    for threshold, told in steps(thresholds.tolist(), progress):
        lines[thinned(values >= threshold, told)] = threshold
    return np.where(np.isnan(values), np.nan, lines)


def _peeled(marked: Bools, progress: Progress) -> Bools:
    """What is left when pixels are removed from the edges of what is marked."""
    wide = marked.shape[1] + 2
    left = np.zeros((marked.shape[0] + 2, wide), dtype=bool)
    left[1:-1, 1:-1] = marked
    flat = left.ravel()
    around = np.array([down * wide + right for down, right in _AROUND])
    power = 1 << np.arange(8)
    places = np.flatnonzero(flat)
    edge = places[~flat[places[:, None] + around].all(axis=1)]
    # Of either half of a round: whose neighbours changed since it was last looked at there.
    waiting, half = [edge, edge], 0
    while len(waiting[0]) or len(waiting[1]):
        progress(0.0)
        look, waiting[half] = waiting[half], np.empty(0, dtype=np.int64)
        gone = look[_REMOVED[half][(flat[look[:, None] + around] * power).sum(axis=1)]]
        flat[gone] = False
        near = np.unique(gone[:, None] + around)
        near = near[flat[near]]
        waiting = [np.union1d(others[flat[others]], near) for others in waiting]
        half = 1 - half
    return left[1:-1, 1:-1].copy()


def _grid(array: ArrayLike) -> Array:
    grid = np.asarray(array)
    if grid.ndim != 2:
        raise InputError(
            "Thinning needs a raster (rows and columns), not {ndim} dimensions.", ndim=grid.ndim
        )
    return grid
