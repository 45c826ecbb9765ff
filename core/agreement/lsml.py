"""LSML: a contour that moves to where the annotators' decisions make the truth most likely.

Level set with maximum likelihood, Li et al. 2011, with the numerical scheme of common region-based active contours: a
narrow band moves by at most half a pixel a round, then one step of Sussman, Smereka and Osher 1994 brings the level
function back towards a distance. The inside is where it is at most 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.ndimage import distance_transform_edt

from randcrowns.core.agreement.notes import Note
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Ints
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.remarks import Remark

#: Half width of the band that moves, pixels.
BAND = 1.2
#: Largest step of the contour and step of the redistancing.
STEP = 0.5
_EPS = np.finfo(float).eps
# Rows worked on at a time: what is in hand stays in the processor's cache.
_ROWS = 32


@dataclass(frozen=True, eq=False)
class LevelSet:
    """What the contour encloses.

    Attributes:
        marked: (rows, columns) the ground truth; only what somebody marked, when clipped.
        phi: (rows, columns) level function, at most 0 inside (never clipped).
        sensitivity, specificity: (K,) of each annotator against the inside.
        rounds: number of rounds done.
        stable: whether the inside stood still before the largest number of rounds.
        notes: what to tell the user.
    """

    marked: Bools
    phi: Floats
    sensitivity: Floats
    specificity: Floats
    rounds: int
    stable: bool
    notes: tuple[Remark, ...]


def level_set(
    stack: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    clipped: bool = True,
    rounds: int = 1000,
    stable_rounds: int = 10,
    curvature: float = 0.0,
    progress: Progress = no_progress,
) -> LevelSet:
    """Estimate the truth on the pixel grid, starting from what half of the annotators marked.

    Args:
        stack: K x rows x columns decisions, as for :meth:`VoteTable.from_stack`.
        mask: (rows, columns) pixels to exclude (True); they count for nothing and are never marked.
        clipped: keep only what somebody marked; the published method can drift outside of that.
        rounds: largest number of rounds, 1,000 as published.
        stable_rounds: stop when the inside has not changed for so many rounds; 0 never stops before ``rounds``.
        curvature: weight of the contour's curvature, 0 as published.

    Raises:
        InputError: when the decisions have no rows and columns.

    >>> marks = np.zeros((3, 6, 6), dtype=bool)
    >>> marks[:, 1:4, 1:4] = True
    >>> int(level_set(marks).marked.sum())
    9
    """
    votes = VoteTable.from_stack(stack, mask)
    if votes.index is None or votes.index.ndim != 2:
        raise InputError("LSML needs decisions on a pixel grid: annotators x rows x columns.")
    valid = votes.index < len(votes.patterns)
    inside = votes.on_map(2 * votes.yes_votes >= votes.n_annotators)
    phi = _signed_distance(inside)
    performance = _performance(votes, inside)
    if performance is None:
        unknown = np.full(votes.n_annotators, np.nan)
        return LevelSet(inside, phi, unknown, unknown.copy(), 0, True, (Note.LEVEL_SET_NOTHING_TO_MOVE,))

    notes = [Note.LEVEL_SET_START] if clipped else [Note.LEVEL_SET_START, Note.LEVEL_SET_DRIFT]
    done, still = 0, 0
    while done < rounds and not 0 < stable_rounds <= still:
        progress(done / rounds)
        step = _band_step(votes, performance, phi, valid, curvature)
        moved = None if step is None else _redistanced(phi + step)
        moved_inside = inside if moved is None else (moved <= 0) & valid
        moved_performance = None if moved is None else _performance(votes, moved_inside)
        if moved is None or moved_performance is None or np.isnan(moved).any():
            notes.append(Note.LEVEL_SET_STOPPED)
            break
        still = still + 1 if np.array_equal(inside, moved_inside) else 0
        phi, inside, performance = moved, moved_inside, moved_performance
        done += 1
    stable = 0 < stable_rounds <= still
    if done == rounds and not stable:
        notes.append(Note.NOT_CONVERGED)
    marked = inside & votes.on_map(votes.yes_votes > 0) if clipped else inside
    return LevelSet(marked, phi, *performance, done, stable, tuple(notes))


def _signed_distance(truth: Bools) -> Floats:
    """Distance to the inside minus distance to the outside, plus [inside] - 1/2; ±1/2 at the contour."""
    if truth.all() or not truth.any():
        return np.where(truth, -np.inf, np.inf)
    to_inside: Floats = distance_transform_edt(~truth)
    return to_inside - distance_transform_edt(truth) + truth - 0.5


def _performance(votes: VoteTable, truth: Bools) -> tuple[Floats, Floats] | None:
    """Sensitivity and specificity of everybody against the inside; None when all or nothing is inside."""
    count = np.bincount(votes.index[truth], minlength=len(votes.patterns)).astype(float)  # type: ignore[index]
    inside, outside = count.sum(), votes.total - count.sum()
    if inside == 0 or outside == 0:
        return None
    return votes.yes_sums(count) / inside, votes.opposite().yes_sums(votes.weights - count) / outside


def _band_step(
    votes: VoteTable, performance: tuple[Floats, Floats], phi: Floats, valid: Bools, curvature: float
) -> Floats | None:
    """(rows, columns) how far each pixel moves, 0 outside of the band; None without a band or a force."""
    band = np.flatnonzero((np.abs(phi) <= BAND) & valid)
    if len(band) == 0:
        return None
    sensitivity, specificity = performance
    if_false = np.where(votes.patterns, 1 - specificity, specificity).prod(axis=1)
    if_true = np.where(votes.patterns, sensitivity, 1 - sensitivity).prod(axis=1)
    force = (np.log(if_false + _EPS) - np.log(if_true + _EPS))[votes.index.ravel()[band]]  # type: ignore[union-attr]
    strongest = np.abs(force).max()
    if not strongest > 0:
        return None
    velocity = force / strongest
    if curvature:
        velocity += curvature * _curvature(phi, band)
    fastest = velocity.max()
    # Where everything moves outwards there is no positive velocity to measure the step by.
    limit = fastest if fastest > 0 else np.abs(velocity).max()
    step = np.zeros(phi.shape)
    step.ravel()[band] = velocity * (STEP / (limit + _EPS))
    return step


def _curvature(phi: Floats, band: Ints) -> Floats:
    """Curvature of the contours of phi times their gradient, by central differences; edges are replicated."""
    padded = np.pad(phi, 1, mode="edge")
    row, column = np.unravel_index(band, phi.shape)

    def at(down: int, right: int) -> Floats:
        return padded[row + 1 + down, column + 1 + right]

    here = at(0, 0)
    x, y = (at(0, 1) - at(0, -1)) / 2, (at(1, 0) - at(-1, 0)) / 2
    xx, yy = at(0, 1) - 2 * here + at(0, -1), at(1, 0) - 2 * here + at(-1, 0)
    xy = (at(1, 1) + at(-1, -1) - at(1, -1) - at(-1, 1)) / 4
    return (x**2 * yy + y**2 * xx - 2 * x * y * xy) / (x**2 + y**2 + _EPS)


def _redistanced(phi: Floats) -> Floats:
    """One step towards a distance: phi - 1/2·sign(phi)·(|gradient| - 1), Godunov upwind, replicated edges.

    Where phi is positive the upwind difference along one axis is max(phi - lower neighbour, 0), where it is negative
    max(higher neighbour - phi, 0).
    """
    rows, columns = phi.shape
    result = np.empty_like(phi)
    padded = np.empty((min(_ROWS, rows) + 2, columns + 2))
    for start in range(0, rows, _ROWS):
        end = min(start + _ROWS, rows)
        window = padded[: end - start + 2]
        window[1:-1, 1:-1] = phi[start:end]
        window[0, 1:-1] = phi[max(start - 1, 0)]
        window[-1, 1:-1] = phi[min(end, rows - 1)]
        window[:, 0], window[:, -1] = window[:, 1], window[:, -2]
        here = window[1:-1, 1:-1]
        sign = np.sign(here)
        gradient = _upwind(here, sign, window[1:-1, :-2], window[1:-1, 2:])
        gradient += _upwind(here, sign, window[:-2, 1:-1], window[2:, 1:-1])
        np.sqrt(gradient, out=gradient)
        gradient -= 1
        slope = here * here
        slope += 1
        np.sqrt(slope, out=slope)
        gradient *= here
        gradient /= slope
        gradient *= STEP
        np.subtract(here, gradient, out=result[start:end])
    return result


def _upwind(here: Floats, sign: Floats, before: Floats, after: Floats) -> Floats:
    """Square of the upwind difference along one axis."""
    one = here - before
    one *= sign
    other = here - after
    other *= sign
    np.maximum(one, other, out=one)
    np.maximum(one, 0.0, out=one)
    one *= one
    return one
