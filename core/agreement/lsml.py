"""LSML: a contour that moves to where the annotators' decisions make the truth most likely.

Level set with maximum likelihood, Li et al. 2011, with the numerical scheme of common region-based active contours: a
narrow band moves by at most half a pixel a round, then one step of Sussman, Smereka and Osher 1994 brings the level
function back towards a distance. The inside is where it is at most 0.

A value depends on lower ones only (upwind), so that nothing comes back to the contour from farther away: on a large
image the level function is kept near the contour, and left as it is beyond.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike
from scipy.ndimage import distance_transform_edt

from randcrowns.core.agreement.notes import Note
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Array, Bools, Floats, Ints, slices
from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared
from randcrowns.core.progress import Progress, no_progress, processors
from randcrowns.core.remarks import Remark

#: Half width of the band that moves, pixels.
BAND = 1.2
#: Largest step of the contour and step of the redistancing.
STEP = 0.5
_EPS = np.finfo(float).eps
#: Pixels of an image up to which the level function is kept everywhere.
SMALL = 100_000
# Pixels from the contour within which it is kept on larger ones, and how many nearer one at the rim may come before
# those beyond are taken up.
_REACH, _APPROACH = 4.0, 1.0
# Pixels worked on at a time: what is in hand stays in the processor's cache.
_CHUNK = 1 << 15


@dataclass(frozen=True, eq=False)
class LevelSet:
    """What the contour encloses.

    Attributes:
        marked: (rows, columns) the ground truth; only what somebody marked, when clipped.
        phi: (rows, columns) level function, at most 0 inside (never clipped); farther than 3 pixels from the contour
            of an image of more than ``SMALL`` pixels it is not kept up to date.
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


@as_declared
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
    outside_votes = votes.opposite()
    count = np.bincount(votes.index[inside], minlength=len(votes.patterns)).astype(float)
    performance = _performance(votes, outside_votes, count)
    if performance is None:
        unknown = np.full(votes.n_annotators, np.nan)
        return LevelSet(
            inside, phi, unknown, unknown.copy(), 0, True, (Note.LEVEL_SET_NOTHING_TO_MOVE,)
        )

    notes = [Note.LEVEL_SET_START] if clipped else [Note.LEVEL_SET_START, Note.LEVEL_SET_DRIFT]
    with ThreadPoolExecutor(
        processors()
    ) as threads:  # for all rounds: new ones in each would cost what they win
        shell = _Shell(phi, np.arange(phi.size), votes, threads)
        done, still = 0, 0
        while done < rounds and not 0 < stable_rounds <= still:
            progress(done / rounds)
            shell = shell.moved_on()
            change = _force(votes, performance)
            moved = shell.moved(change, curvature)
            entered, left = (0, 0) if moved is None else shell.crossed(moved)
            moved_performance = (
                None
                if moved is None
                else _performance(votes, outside_votes, count + entered - left)
            )
            if moved is None or moved_performance is None:
                shell.keep(shell.value)  # as before the round
                notes.append(Note.LEVEL_SET_STOPPED)
                break
            still = 0 if np.any(entered) or np.any(left) else still + 1
            shell.keep(moved)
            count, performance = count + entered - left, moved_performance
            done += 1
    stable = 0 < stable_rounds <= still
    if done == rounds and not stable:
        notes.append(Note.NOT_CONVERGED)
    inside = (phi <= 0) & valid
    marked = inside & votes.on_map(votes.yes_votes > 0) if clipped else inside
    return LevelSet(marked, phi, *performance, done, stable, tuple(notes))


def _signed_distance(truth: Bools) -> Floats:
    """Distance to the inside minus distance to the outside, plus [inside] - 1/2; ±1/2 at the contour."""
    if truth.all() or not truth.any():
        return np.where(truth, -np.inf, np.inf)
    to_inside: Floats = distance_transform_edt(~truth)
    return cast("Floats", to_inside - distance_transform_edt(truth) + truth - 0.5)


def _performance(
    votes: VoteTable, opposite: VoteTable, count: Floats
) -> tuple[Floats, Floats] | None:
    """Sensitivity and specificity of everybody against an inside with so many of each pattern; None when all or nothing
    is inside."""
    inside, outside = count.sum(), votes.total - count.sum()
    if inside == 0 or outside == 0:
        return None
    return votes.yes_sums(count) / inside, opposite.yes_sums(votes.weights - count) / outside


def _force(votes: VoteTable, performance: tuple[Floats, Floats]) -> Floats:
    """(M,) by how much each pattern speaks against the inside."""
    if_false, if_true = np.ones(len(votes.patterns)), np.ones(len(votes.patterns))
    for marked, sensitivity, specificity in zip(votes.patterns.T, *performance):
        if_false *= np.where(marked, 1 - specificity, specificity)
        if_true *= np.where(marked, sensitivity, 1 - sensitivity)
    return cast("Floats", np.log(if_false + _EPS) - np.log(if_true + _EPS))


class _Shell:
    """The pixels near the contour, where the level function is kept.

    Args:
        phi: (rows, columns) level function; :meth:`keep` writes into it.
        among: numbers of the pixels that may be near.
        threads: share the work of a round.
    """

    def __init__(
        self, phi: Floats, among: Ints, votes: VoteTable, threads: ThreadPoolExecutor
    ) -> None:
        self._phi, self._votes, self._threads = phi, votes, threads
        rows, columns = phi.shape
        self._all = phi.ravel()
        self._reach = np.inf if phi.size <= SMALL else _REACH
        near = among[np.abs(self._all[among]) <= self._reach]
        taken = np.zeros(phi.shape, dtype=bool)
        taken.ravel()[near] = True
        core = taken.copy()
        taken[1:] |= core[:-1]
        taken[:-1] |= core[1:]
        taken[:, 1:] |= core[:, :-1]
        taken[:, :-1] |= core[:, 1:]
        self.pixel = np.flatnonzero(taken)
        self._rim = np.flatnonzero(~core.ravel()[self.pixel])
        row = self.pixel // columns
        column = self.pixel - row * columns  # np.divmod takes several times as long
        # Beyond an edge lies what lies at it.
        self._sides = (self.pixel - (column > 0), self.pixel + (column < columns - 1))
        self._ends = (self.pixel - columns * (row > 0), self.pixel + columns * (row < rows - 1))
        index: Array = votes.index  # type: ignore[assignment]
        self._pattern = index.ravel()[self.pixel].astype(np.intp)
        whole = bool((self._pattern < len(votes.patterns)).all())
        self._valid: Bools | None = None if whole else self._pattern < len(votes.patterns)
        self.value = self._all[self.pixel]

    def moved_on(self) -> _Shell:
        """The shell around the contour as it lies now: this one as long as no pixel of the rim has come near it."""
        rim = self.value[self._rim]
        if not rim.size or np.abs(rim).min() > self._reach - _APPROACH:
            return self
        return _Shell(self._phi, self.pixel, self._votes, self._threads)

    def moved(self, force: Floats, curvature: float) -> Floats | None:
        """The level function of the shell's pixels after a round, to be kept; None without a band or a force."""
        near = np.abs(self.value) <= BAND
        band = np.flatnonzero(near if self._valid is None else near & self._valid)
        if len(band) == 0:
            return None
        velocity = force[self._pattern[band]]
        strongest = np.abs(velocity).max()
        if not strongest > 0:
            return None
        velocity /= strongest
        if curvature:
            velocity += curvature * _curvature(self._phi, self.pixel[band])
        fastest = velocity.max()
        # Where everything moves outwards there is no positive velocity to measure the step by.
        limit = fastest if fastest > 0 else np.abs(velocity).max()
        velocity *= STEP / (limit + _EPS)
        velocity += self.value[band]
        if np.isnan(velocity).any():
            return None
        stepped = self.value.copy()
        stepped[band] = self._all[self.pixel[band]] = velocity
        return self._redistanced(stepped)

    def crossed(self, moved: Floats) -> tuple[Floats, Floats]:
        """(M,) how many pixels of each pattern come inside and go outside."""
        changed = (moved <= 0) != (self.value <= 0)
        crossing = np.flatnonzero(changed if self._valid is None else changed & self._valid)
        comes = moved[crossing] <= 0
        entered, left = (
            np.bincount(self._pattern[some], minlength=len(self._votes.patterns)).astype(float)
            for some in (crossing[comes], crossing[~comes])
        )
        return entered, left

    def keep(self, moved: Floats) -> None:
        """Write what a round made."""
        self.value = moved
        self._all[self.pixel] = moved

    def _redistanced(self, here: Floats) -> Floats:
        """One step towards a distance: phi - 1/2·sign(phi)·(|gradient| - 1), Godunov upwind, replicated edges.

        Where phi is positive the upwind difference along one axis is max(phi - lower neighbour, 0), where it is
        negative max(higher neighbour - phi, 0).
        """
        result = np.empty_like(here)

        def step(some: slice) -> None:
            own = here[some]
            sign, one, other, gradient = np.empty((4, own.size))
            np.sign(own, out=sign)
            self._upwind(own, sign, self._sides, some, gradient, other)
            self._upwind(own, sign, self._ends, some, one, other)
            gradient += one
            np.sqrt(gradient, out=gradient)
            gradient -= 1
            slope = np.multiply(own, own, out=sign)
            slope += 1
            np.sqrt(slope, out=slope)
            gradient *= own
            gradient /= slope
            gradient *= STEP
            np.subtract(own, gradient, out=result[some])

        list(self._threads.map(step, slices(here.size, _CHUNK)))
        return result

    def _upwind(
        self,
        here: Floats,
        sign: Floats,
        sides: tuple[Ints, Ints],
        some: slice,
        found: Floats,
        space: Floats,
    ) -> None:
        """Square of the upwind difference along one axis, into ``found``."""
        for side, difference in zip(sides, (found, space)):
            np.take(self._all, side[some], out=difference, mode="clip")
            np.subtract(here, difference, out=difference)
            difference *= sign
        np.maximum(found, space, out=found)
        np.maximum(found, 0.0, out=found)
        found *= found


def _curvature(phi: Floats, band: Ints) -> Floats:
    """Curvature of the contours of phi times their gradient, by central differences; edges are replicated."""
    padded = np.pad(phi, 1, mode="edge")
    row, column = np.unravel_index(band, phi.shape)

    def at(down: int, right: int) -> Floats:
        return cast("Floats", padded[row + 1 + down, column + 1 + right])

    here = at(0, 0)
    x, y = (at(0, 1) - at(0, -1)) / 2, (at(1, 0) - at(-1, 0)) / 2
    xx, yy = at(0, 1) - 2 * here + at(0, -1), at(1, 0) - 2 * here + at(-1, 0)
    xy = (at(1, 1) + at(-1, -1) - at(1, -1) - at(-1, 1)) / 4
    return cast("Floats", (x**2 * yy + y**2 * xx - 2 * x * y * xy) / (x**2 + y**2 + _EPS))
