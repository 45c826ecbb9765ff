"""LSML: level set with maximum likelihood (Li et al. 2011).

A contour moves to where the annotators' decisions make the truth most likely. The numerical scheme
is that of common region-based active contours: in each round a narrow band around the contour moves
by at most half a pixel, and one redistancing step (Sussman, Smereka and Osher 1994) brings the
level function phi back towards a signed distance. The inside of the contour is where phi is at
most 0.

The redistancing is upwind: a value depends on lower values only, so that values far from the
contour never influence it. On a large image the level function is therefore updated near the
contour only, and left unchanged elsewhere.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

import numpy as np
import scipy

from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Array, Bools, Floats, Ints, split_range
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message
from randcrowns.core.progress import Progress, no_progress, thread_count
from randcrowns.core.statistics import ratio
from randcrowns.core.validation import validate_arguments

#: Half width of the band that moves, pixels.
BAND_HALF_WIDTH = 1.2
#: Largest step of the contour in a round, pixels, and step size of the redistancing.
STEP_SIZE = 0.5
_EPS = np.finfo(float).eps
#: Maximum size of an image, pixels, on which the level function is updated everywhere.
MAX_SMALL_PIXELS = 100_000
# Distance from the contour, pixels, within which the level function of larger images is updated.
_REGION_WIDTH = 4.0
# How far, pixels, the contour may approach the rim of this region before the region is rebuilt.
_APPROACH = 1.0
# Pixels processed at a time, few enough to stay in the processor's cache.
_CHUNK = 1 << 15


@dataclass(frozen=True, eq=False)
class LevelSet:
    """Ground truth enclosed by the LSML contour.

    Attributes:
        marked: (rows, columns) the ground truth. When clipped, it contains only pixels that an
            annotator marked.
        phi: (rows, columns) level function, at most 0 inside (never clipped). In an image of more
            than ``MAX_SMALL_PIXELS`` pixels it is not up to date farther than 3 pixels from the
            contour.
        sensitivity: (K,) sensitivity of each annotator against the inside.
        specificity: (K,) specificity of each annotator against the inside.
        n_rounds: number of rounds done.
        is_stable: True if the inside stopped changing before the maximum number of rounds.
        messages: messages for the user.
    """

    marked: Bools
    phi: Floats
    sensitivity: Floats
    specificity: Floats
    n_rounds: int
    is_stable: bool
    messages: tuple[Message, ...]


class _Performance(NamedTuple):
    """Performance of each annotator against the inside of the contour."""

    sensitivity: Floats  #: (K,) share of the inside that each annotator marked.
    specificity: Floats  #: (K,) share of the outside that each annotator did not mark.


@validate_arguments
def level_set(
    votes: VoteTable,
    *,
    clip: bool = True,
    max_iterations: int = 1000,
    stable_rounds: int = 10,
    curvature: float = 0.0,
    progress: Progress = no_progress,
) -> LevelSet:
    """Estimate the truth on a pixel grid with LSML.

    The contour starts around the pixels that at least half of the annotators marked. Pixels outside
    of the study area are not counted and never marked. Missing ratings move nothing.

    Args:
        votes: vote table with an index of (rows, columns) pixels, as from
            :meth:`VoteTable.from_stack`.
        clip: True to mark only pixels that an annotator marked; the published method can drift
            outside of them.
        max_iterations: maximum number of rounds, 1,000 as published.
        stable_rounds: number of rounds without a change of the inside after which the contour is
            stable; 0 to do all ``max_iterations``.
        curvature: weight of the contour's curvature, 0 as published.
        progress: called with the fraction of the rounds done.

    Returns:
        The ground truth, the level function and the performance of each annotator.

    Raises:
        InputError: if the units of the vote table are not pixels in rows and columns.

    >>> marks = np.zeros((3, 6, 6), dtype=bool)
    >>> marks[:, 1:4, 1:4] = True
    >>> int(level_set(VoteTable.from_stack(marks)).marked.sum())
    9
    """
    if votes.pattern_index is None or not votes.has_pixels:
        raise InputError(
            "lsml.no_grid", "LSML needs decisions on a pixel grid: annotators x rows x columns."
        )
    pixels = _pixel_votes(votes)
    start = pixels.on_map(pixels.is_half_marked)
    phi = _signed_distance(start)
    n_marked = pixels.count_units(start).astype(float)
    performance = _performance(pixels, pixels.inverted(), n_marked)
    if performance is None:
        unknown = np.full(pixels.n_annotators, np.nan)
        return LevelSet(
            marked=start,
            phi=phi,
            sensitivity=unknown,
            specificity=unknown.copy(),
            n_rounds=0,
            is_stable=True,
            messages=(AgreementMessage.LEVEL_SET_NOTHING_TO_MOVE,),
        )

    # The level function ``phi`` is changed in place.
    course = _move_in_rounds(
        phi,
        pixels,
        _Contour(n_marked, performance, has_moved=True),
        _Limits(max_iterations, stable_rounds),
        curvature,
        progress,
    )
    is_candidate = np.ones(len(pixels.patterns), dtype=bool)
    if clip:
        is_candidate = pixels.n_yes > 0
    return LevelSet(
        marked=(phi <= 0) & pixels.on_map(is_candidate),
        phi=phi,
        sensitivity=course.contour.performance.sensitivity,
        specificity=course.contour.performance.specificity,
        n_rounds=course.n_rounds,
        is_stable=course.is_stable,
        messages=_course_messages(course, clip, max_iterations),
    )


class _Limits(NamedTuple):
    """Numbers of rounds at which the contour is no longer moved."""

    max_rounds: int  #: maximum number of rounds.
    stable_rounds: int  #: rounds without a change after which the contour is stable; 0 for never.


class _Course(NamedTuple):
    """Result of moving the contour in rounds."""

    contour: _Contour  #: state after the last round.
    n_rounds: int  #: number of rounds done.
    is_stable: bool  #: True if the inside stopped changing.
    is_stuck: bool  #: True if a further round was not possible.


def _course_messages(course: _Course, clip: bool, max_rounds: int) -> tuple[Message, ...]:
    """Return messages about the movement of the contour.

    Args:
        course: result of the movement.
        clip: True if only pixels that an annotator marked can be marked.
        max_rounds: maximum number of rounds.
    """
    messages: list[Message] = [AgreementMessage.LEVEL_SET_START]
    if not clip:
        messages.append(AgreementMessage.LEVEL_SET_DRIFT)
    if course.is_stuck:
        messages.append(AgreementMessage.LEVEL_SET_STOPPED)
    if course.n_rounds == max_rounds and not course.is_stable:
        messages.append(AgreementMessage.NOT_CONVERGED)
    return tuple(messages)


def _move_in_rounds(
    phi: Floats,
    votes: VoteTable,
    contour: _Contour,
    limits: _Limits,
    curvature: float,
    progress: Progress,
) -> _Course:
    """Move the contour until it is stable, or cannot move, or the maximum number of rounds is done.

    Args:
        phi: (rows, columns) level function; changed by this function.
        votes: votes on the pixels.
        contour: state before the first round.
        limits: numbers of rounds at which the contour is no longer moved.
        curvature: weight of the contour's curvature.
        progress: called with the fraction of the rounds done.
    """
    opposite = votes.inverted()
    n_rounds = 0
    n_unchanged = 0
    is_stable = False
    # One pool serves all rounds: starting threads in each round would cost the time they save.
    with ThreadPoolExecutor(thread_count()) as threads:
        # The region writes the level function of each round into `phi`.
        region = _Region(phi, np.arange(phi.size), votes, threads)
        while n_rounds < limits.max_rounds and not is_stable:
            progress(n_rounds / limits.max_rounds)
            region = region.follow_contour()
            next_contour = _move_contour(region, votes, opposite, contour, curvature)
            if next_contour is None:
                return _Course(contour, n_rounds, is_stable, is_stuck=True)
            contour = next_contour
            n_rounds += 1
            n_unchanged = 0 if contour.has_moved else n_unchanged + 1
            is_stable = 0 < limits.stable_rounds <= n_unchanged
    return _Course(contour, n_rounds, is_stable, is_stuck=False)


def _pixel_votes(votes: VoteTable) -> VoteTable:
    """Return the votes with numbers of pixels as weights, where at least one annotator looked."""
    counted = replace(votes, weights=votes.count_units().astype(float), unit_weight=1.0)
    return counted.where_rated()


class _Contour(NamedTuple):
    """State of the contour after a round."""

    pattern_counts: Floats  #: (M,) number of pixels inside the contour with each pattern.
    performance: _Performance  #: performance of the annotators against the inside.
    has_moved: bool  #: True if the round moved the contour across any pixel.


def _move_contour(
    region: _Region, votes: VoteTable, opposite: VoteTable, contour: _Contour, curvature: float
) -> _Contour | None:
    """Move the contour by one round and store the new level function in the region.

    Args:
        region: pixels around the contour; changed by this function.
        votes: vote table with M patterns.
        opposite: the vote table with all decisions inverted.
        contour: state after the last round.
        curvature: weight of the contour's curvature.

    Returns:
        The new state; None if the contour cannot move, or if all or no pixels would be inside. The
        level function is then that of the last round.
    """
    values = region.evolve(_force(votes, contour.performance), curvature)
    if values is not None:
        change = region.count_crossings(values)
        pattern_counts = contour.pattern_counts + change.entered - change.left
        performance = _performance(votes, opposite, pattern_counts)
        if performance is not None:
            region.store(values)
            has_moved = bool(change.entered.any() or change.left.any())
            return _Contour(pattern_counts, performance, has_moved)
    # `evolve` has already written to the level function; restore it.
    region.store(region.values)
    return None


def _signed_distance(inside: Bools) -> Floats:
    """Return the distance to the inside minus the distance to the outside, plus inside - 1/2.

    The pixels on both sides of the contour have the values -1/2 and 1/2. All values are infinite
    if there is no contour.
    """
    if inside.all() or not inside.any():
        return np.where(inside, -np.inf, np.inf)
    to_inside: Floats = scipy.ndimage.distance_transform_edt(~inside)
    to_outside: Floats = scipy.ndimage.distance_transform_edt(inside)
    return to_inside - to_outside + inside - 0.5


def _performance(votes: VoteTable, opposite: VoteTable, count: Floats) -> _Performance | None:
    """Return the performance of all annotators, or None if all or no pixels are inside.

    Args:
        votes: vote table with M patterns.
        opposite: the vote table with all decisions inverted.
        count: (M,) number of pixels inside the contour with each pattern.
    """
    n_inside = count.sum()
    n_outside = votes.total_weight - n_inside
    if n_inside == 0 or n_outside == 0:
        return None
    outside = votes.weights - count
    yes_inside = votes.yes_sums(count)
    no_outside = opposite.yes_sums(outside)
    if votes.is_complete:
        return _Performance(sensitivity=yes_inside / n_inside, specificity=no_outside / n_outside)
    # The shares are of the pixels at which the annotator looked.
    return _Performance(
        sensitivity=ratio(yes_inside, votes.ratings.yes_sums(count)),
        specificity=ratio(no_outside, votes.ratings.yes_sums(outside)),
    )


def _force(votes: VoteTable, performance: _Performance) -> Floats:
    """Return the (M,) log-likelihood ratio of each pattern: positive values favour the outside."""
    n_patterns = len(votes.patterns)
    # Probability of each pattern outside and inside the contour: a factor per annotator.
    if_false = np.ones(n_patterns)
    if_true = np.ones(n_patterns)
    for k in range(votes.n_annotators):
        sensitivity = performance.sensitivity[k]
        specificity = performance.specificity[k]
        is_marked = votes.patterns[:, k]
        factor_if_false = np.where(is_marked, 1 - specificity, specificity)
        factor_if_true = np.where(is_marked, sensitivity, 1 - sensitivity)
        if votes.is_rated is None:
            if_false *= factor_if_false
            if_true *= factor_if_true
        elif np.isfinite(sensitivity) and np.isfinite(specificity):
            # A missing rating has no factor.
            is_rated = votes.is_rated[:, k]
            if_false *= np.where(is_rated, factor_if_false, 1.0)
            if_true *= np.where(is_rated, factor_if_true, 1.0)
    return cast("Floats", np.log(if_false + _EPS) - np.log(if_true + _EPS))


class _Crossings(NamedTuple):
    """Pixels that a round moves across the contour."""

    entered: Floats  #: (M,) number of pixels of each pattern that come inside.
    left: Floats  #: (M,) number of pixels of each pattern that go outside.


class _Region:
    """The pixels near the contour, on which the level function is updated.

    The region contains the pixels within ``_REGION_WIDTH`` of the contour and their four
    neighbours, which form its rim. On a small image it contains all pixels.

    Args:
        phi: (rows, columns) level function. :meth:`store` writes to it.
        candidates: flat indices of the pixels that can belong to the region.
        votes: vote table with a map of the same rows and columns.
        threads: pool that shares the work of a round.
    """

    def __init__(
        self, phi: Floats, candidates: Ints, votes: VoteTable, threads: ThreadPoolExecutor
    ) -> None:
        self._phi = phi
        self._votes = votes
        self._threads = threads
        self._flat_phi = phi.ravel()
        self._width = np.inf if phi.size <= MAX_SMALL_PIXELS else _REGION_WIDTH

        is_near = np.abs(self._flat_phi[candidates]) <= self._width
        is_core = np.zeros(phi.shape, dtype=bool)
        is_core.ravel()[candidates[is_near]] = True
        in_region = is_core.copy()
        in_region[1:] |= is_core[:-1]
        in_region[:-1] |= is_core[1:]
        in_region[:, 1:] |= is_core[:, :-1]
        in_region[:, :-1] |= is_core[:, 1:]
        #: (n,) flat indices of the pixels of the region, ascending.
        self.pixels = np.flatnonzero(in_region)
        is_rim = ~is_core.ravel()[self.pixels]
        self._rim = np.flatnonzero(is_rim)

        # The edges of the image are replicated: a pixel at an edge is its own neighbour there.
        n_rows, n_columns = phi.shape
        row = self.pixels // n_columns
        column = self.pixels - row * n_columns  # np.divmod takes several times as long
        left = self.pixels - (column > 0)
        right = self.pixels + (column < n_columns - 1)
        above = self.pixels - n_columns * (row > 0)
        below = self.pixels + n_columns * (row < n_rows - 1)
        self._left_right = (left, right)
        self._above_below = (above, below)

        index: Array = votes.pattern_index  # type: ignore[assignment]
        self._patterns = index.ravel()[self.pixels].astype(np.intp)
        is_valid = self._patterns < len(votes.patterns)
        self._valid: Bools | None = None if is_valid.all() else is_valid
        #: (n,) level function of the pixels of the region at the end of the last round.
        self.values = self._flat_phi[self.pixels]

    def follow_contour(self) -> _Region:
        """Return a region around the present contour; itself while the rim is far enough."""
        rim = self.values[self._rim]
        if not rim.size or np.abs(rim).min() > self._width - _APPROACH:
            return self
        return _Region(self._phi, self.pixels, self._votes, self._threads)

    def evolve(self, force: Floats, curvature: float) -> Floats | None:
        """Compute the level function of the next round.

        The moved band is written to the level function, where the redistancing reads it; call
        :meth:`store` afterwards to write the result, or to undo the round.

        Args:
            force: (M,) force of each pattern.
            curvature: weight of the contour's curvature.

        Returns:
            (n,) new values of the pixels of the region; None if no pixel is in the band, or if
            the force is 0 or undefined.
        """
        in_band = np.abs(self.values) <= BAND_HALF_WIDTH
        band = np.flatnonzero(in_band if self._valid is None else in_band & self._valid)
        if len(band) == 0:
            return None
        velocity = force[self._patterns[band]]
        strongest = np.abs(velocity).max()
        if not strongest > 0:
            return None
        velocity /= strongest
        if curvature:
            velocity += curvature * _curvature(self._phi, self.pixels[band])
        fastest = velocity.max()
        # Where everything moves outwards no velocity is positive to scale the step by.
        limit = fastest if fastest > 0 else np.abs(velocity).max()
        velocity *= STEP_SIZE / (limit + _EPS)
        moved = np.add(velocity, self.values[band], out=velocity)
        if np.isnan(moved).any():
            return None
        stepped = self.values.copy()
        stepped[band] = moved
        self._flat_phi[self.pixels[band]] = moved
        return self._redistance(stepped)

    def count_crossings(self, new_values: Floats) -> _Crossings:
        """Count the pixels that come inside and go outside with the (n,) new values."""
        is_inside = new_values <= 0
        has_crossed = is_inside != (self.values <= 0)
        if self._valid is not None:
            has_crossed &= self._valid
        crossed = np.flatnonzero(has_crossed)
        comes_inside = is_inside[crossed]
        return _Crossings(
            entered=self._count_patterns(crossed[comes_inside]),
            left=self._count_patterns(crossed[~comes_inside]),
        )

    def store(self, values: Floats) -> None:
        """Write the (n,) values of the region to the level function."""
        self.values = values
        self._flat_phi[self.pixels] = values

    def _count_patterns(self, members: Ints) -> Floats:
        """Return the (M,) number of these members of the region with each pattern."""
        counts = np.bincount(self._patterns[members], minlength=len(self._votes.patterns))
        return counts.astype(float)

    def _redistance(self, values: Floats) -> Floats:
        """Do one step towards a distance: phi - 1/2·S(phi)·(|gradient| - 1), Godunov upwind.

        S is the smoothed sign phi/sqrt(phi² + 1). Where phi is positive, the upwind difference
        along one axis is max(phi - lower neighbour, 0); where it is negative, it is
        max(higher neighbour - phi, 0).

        Args:
            values: (n,) values of the pixels of the region, equal to those of the level function.

        Returns:
            (n,) new values.
        """

        def redistance_chunk(chunk: slice) -> Floats:
            """Return the new values of a range of pixels."""
            phi = values[chunk]
            sign = np.sign(phi)
            horizontal = self._upwind_difference(phi, sign, self._left_right, chunk)
            vertical = self._upwind_difference(phi, sign, self._above_below, chunk)
            gradient = np.sqrt(horizontal**2 + vertical**2)
            change = (gradient - 1) * phi / np.sqrt(phi**2 + 1)
            return cast("Floats", phi - change * STEP_SIZE)

        # Chunks that fit into the cache of a processor core are computed in several threads.
        chunks = split_range(values.size, _CHUNK)
        return np.concatenate(list(self._threads.map(redistance_chunk, chunks)))

    def _upwind_difference(
        self, phi: Floats, sign: Floats, neighbours: tuple[Ints, Ints], chunk: slice
    ) -> Floats:
        """Return the upwind differences of the level function along one axis, 0 or more.

        Args:
            phi: (c,) level function of the pixels of the chunk.
            sign: (c,) sign of phi.
            neighbours: (n,) flat indices of the first and of the second neighbour of each pixel of
                the region along the axis.
            chunk: rows of the region that are processed.

        Returns:
            (c,) differences between neighbouring pixels.
        """
        first_pixels, second_pixels = neighbours
        # The mode "clip" is the fastest one; all indices are valid.
        first = np.take(self._flat_phi, first_pixels[chunk], mode="clip")
        second = np.take(self._flat_phi, second_pixels[chunk], mode="clip")
        difference = np.maximum((phi - first) * sign, (phi - second) * sign)
        return cast("Floats", np.maximum(difference, 0.0, out=difference))


def _curvature(phi: Floats, pixels: Ints) -> Floats:
    """Return the curvature of the contours of phi times their gradient, by central differences.

    Args:
        phi: (rows, columns) level function; its edges are replicated.
        pixels: (n,) flat indices of the pixels.

    Returns:
        (n,) curvature times gradient.
    """
    padded = np.pad(phi, 1, mode="edge")
    row, column = np.unravel_index(pixels, phi.shape)

    def neighbour(rows_down: int, columns_right: int) -> Floats:
        """Return the values (n,) of the pixels at a distance from the given ones."""
        return cast("Floats", padded[row + 1 + rows_down, column + 1 + columns_right])

    centre = neighbour(0, 0)
    left = neighbour(0, -1)
    right = neighbour(0, 1)
    above = neighbour(-1, 0)
    below = neighbour(1, 0)
    # First and second derivatives.
    x = (right - left) / 2
    y = (below - above) / 2
    xx = right - 2 * centre + left
    yy = below - 2 * centre + above
    xy = (neighbour(1, 1) + neighbour(-1, -1) - neighbour(1, -1) - neighbour(-1, 1)) / 4
    curvature = x**2 * yy + y**2 * xx - 2 * x * y * xy
    return cast("Floats", curvature / (x**2 + y**2 + _EPS))
