"""How sure a ranking is, by area or over whole crowns: ranks over bootstrap samples of annotators and tiles, or plots.

Annotators and tiles are resampled with replacement; each time the ground truth is made of the resampled annotators, and
the detectors are ranked on the resampled tiles. Tiles, not pixels, since neighbouring pixels say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
import pandas as pd
import scipy.sparse
import shapely
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from randcrowns.core.agreement.consensus import Rule, half
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import (
    Bools,
    Floats,
    Ints,
    distinct_values,
    generator,
    plain_array,
    slices,
)
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.crowns import CrownRanking, Judged
from randcrowns.core.detectors.curves import (
    RocPoints,
    area_under_p_bar,
    as_score,
    as_weight,
    usable_units,
)
from randcrowns.core.detectors.mean_precision import DEFAULT_HIGH, DEFAULT_LOW, check_skew_limits
from randcrowns.core.detectors.ranking import TIE, Named, named, ranks_of
from randcrowns.core.detectors.tolerance import Tolerance
from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared
from randcrowns.core.progress import Progress, no_progress, part_of, steps

#: Numbers at a time, of detections in resamples.
_CELLS = 2_000_000


@dataclass(frozen=True, eq=False)
class RankProbabilities:
    """Areas under the P̄-recall curve and ranks over many resamples of annotators and tiles.

    Attributes:
        estimate: (detector) AUCR with every annotator and tile once.
        resamples: one row per resample and one column per detector: AUCR; NaN where its ground truth marks nothing
            or everything. Those without a value of every detector do not count.
        drawn: (resamples, annotators) how often each annotator is in each resample.
        tiles: how many there are.
        kind: what tiles are called: ``tiles``, or ``plots``.
    """

    estimate: pd.Series
    resamples: pd.DataFrame
    drawn: Floats
    tiles: int
    kind: str = "tiles"

    @property
    def annotators(self) -> int:
        """How many there are."""
        return self.drawn.shape[1]

    @cached_property
    def probabilities(self) -> pd.DataFrame:
        """Share of the resamples, a row per detector and a column per rank (1 is best, ties share the better rank)."""
        ranks = ranks_of(self.resamples.dropna().T).to_numpy()
        places = range(1, self.resamples.shape[1] + 1)
        shares = {
            place: (ranks == place).mean(axis=1) if ranks.size else np.nan for place in places
        }
        return cast("pd.DataFrame", pd.DataFrame(shares, index=self.resamples.columns))

    @cached_property
    def better(self) -> pd.DataFrame:
        """Share of the resamples in which the detector of the row beats that of the column, ties counting half; NaN on
        the diagonal. What lies no further apart than :data:`randcrowns.core.detectors.ranking.TIE` ties."""
        areas, names = self.resamples.dropna().to_numpy(), self.resamples.columns
        wins = np.sign(untied(areas[:, :, None] - areas[:, None, :]))
        shares = (
            (1.0 + wins.mean(axis=0)) / 2.0 if len(areas) else np.full((len(names),) * 2, np.nan)
        )
        np.fill_diagonal(shares, np.nan)
        return cast("pd.DataFrame", pd.DataFrame(shares, index=names, columns=names))

    @property
    def order(self) -> list[str]:
        """The detectors that have an estimate from the best to the worst, tied ones as they were given."""
        return list(
            ranks_of(self.estimate.dropna().to_frame()).iloc[:, 0].sort_values(kind="stable").index
        )

    @property
    def used(self) -> int:
        """Number of resamples that could be ranked."""
        return int(self.resamples.notna().all(axis=1).sum())

    def least_leads(self, best: str, level: float) -> pd.Series:
        """How far one detector leads each of the others at least; all of these hold together with this probability.

        A lead less √(Σ tᵢ²·vᵢ), which no shares of the variances vᵢ make too short (Banerjee 1961). v is the spread of
        the lead over the resamples: what of it follows from how often each annotator was drawn, with as many degrees of
        freedom as there are annotators, less one, and the rest, with as many as there are tiles, less one; each is made
        larger by n/(n - 1), since resampling n units shows that much too little. t is that of (1 - level) / k for k
        detectors, the best of which is known only afterwards (Bonferroni).
        """
        others = [name for name in self.order if name != best]
        used = self.resamples.notna().all(axis=1).to_numpy()
        drawn = self.resamples[used]
        lead = untied(self.estimate[best] - self.estimate[others].to_numpy(dtype=float))
        ahead = untied(drawn[[best]].to_numpy() - drawn[others].to_numpy())
        variance = ahead.var(axis=0, ddof=1)
        of_annotators = variance if self.tiles == 1 else np.zeros(len(others))
        if self.annotators > 1 and self.tiles > 1:
            times = self.drawn[used] - self.drawn[used].mean(axis=0)
            about = ahead - ahead.mean(axis=0)
            rest = about - times @ np.linalg.lstsq(times, about, rcond=None)[0]
            left = max(len(ahead) - self.annotators, 1)
            of_annotators = np.clip(variance - np.square(rest).sum(axis=0) / left, 0.0, variance)
        parts = [(of_annotators, self.annotators), (variance - of_annotators, self.tiles)]
        error = (1 - level) / (len(others) + 1)
        reach = sum(
            stdtrit(number - 1, 1 - error) ** 2 * part * number / (number - 1)
            for part, number in parts
            if number > 1
        )
        least = np.where(variance > 0, lead - np.sqrt(reach), np.minimum(lead, ahead.mean(axis=0)))
        return cast("pd.Series", pd.Series(least, index=others))


def untied(differences: ArrayLike) -> Floats:
    """The differences, 0 where they are no more than rounding."""
    found = np.asarray(differences, dtype=float)
    return np.where(np.abs(found) <= TIE, 0.0, found)


def square_tiles(shape: tuple[int, int], side: int) -> Ints:
    """(rows, columns) number of the square tile each pixel lies in; those at the far edges may be smaller.

    Args:
        shape: rows and columns.
        side: side of a tile in pixels; wider than the objects and the distance over which neighbours resemble.

    Raises:
        InputError: for a side below one pixel.
    """
    if side < 1:
        raise InputError(
            "Tiles of {side} pixels cannot be made; give a side of at least one pixel.", side=side
        )
    rows, columns = (np.arange(size) // side for size in shape)
    per_row = -(-shape[1] // side)
    return rows[:, None] * per_row + columns[None, :]


@as_declared
def rank_probabilities(
    scores: Named,
    votes: VoteTable,
    tiles: ArrayLike,
    low: float = DEFAULT_LOW,
    high: float = DEFAULT_HIGH,
    *,
    rule: Rule = half,
    weight: ArrayLike | None = None,
    valid: ArrayLike | None = None,
    tolerance: Tolerance | None = None,
    resamples: int = 1000,
    thresholds: int = 500,
    seed: int = 0,
    progress: Progress = no_progress,
) -> RankProbabilities:
    """Rank the detectors on bootstrap samples of annotators and tiles.

    Scores are put into at most ``thresholds`` groups beforehand (equal scores stay together, and fewer distinct
    scores stay as they are), which moves an area under the curve by far less than resampling does.

    Args:
        scores: a score per unit for each detector, by name or in a row. Units where any detector has none are excluded.
        votes: vote table of those units, with its index.
        tiles: number of the tile of each unit, 0 or more; see :func:`square_tiles`.
        low, high: limits of the fraction of positives.
        rule: makes the ground truth of the resampled annotators (one who is in it twice has two votes).
        weight: weight of each unit, such as a face's area; 1 by default.
        valid: where to look; everywhere inside the vote table's study area by default.
        tolerance: how far a detection may lie from the ground truth; rasters only. What lies near a pixel is looked up
            in the scene as it is: a tile is resampled with its surroundings.
        thresholds: most thresholds per detector.
        seed: of the random numbers; the same seed gives the same answer.

    Raises:
        InputError: no detectors, shapes that differ, no index, no unit left, no resamples or too many.

    >>> votes = VoteTable.from_stack(np.random.default_rng(0).random((3, 8, 8)) < 0.4)
    >>> scores = {"all": votes.on_map(votes.yes_votes), "none": np.zeros((8, 8))}
    >>> rank_probabilities(scores, votes, square_tiles((8, 8), 2), resamples=20).probabilities[1].to_dict()
    {'all': 1.0, 'none': 0.0}
    """
    check_skew_limits(low, high)
    tolerance = tolerance if tolerance is not None and tolerance.distance > 0 else None
    if votes.index is None:
        raise InputError(
            "A vote table merged from tiles has no map: rank the detectors on one that has."
        )
    if resamples < 1 or thresholds < 1:
        said = "There are {resamples} resamples and {thresholds} thresholds; give at least one of each."
        raise InputError(said, resamples=resamples, thresholds=thresholds)
    values = {name: as_score(score, name) for name, score in named(scores, "Detector").items()}
    if not values:
        raise InputError("Ranking needs at least one detector; pick one.")
    shape = votes.index.shape
    tile = plain_array(tiles, "The tile numbers")
    for name, array in {**values, "The tile number": tile}.items():
        if array.shape != shape:
            said = (
                "{name} has shape {shape}, the vote table {other_shape}: give both the same grid."
            )
            raise InputError(said, name=name, shape=str(array.shape), other_shape=str(shape))
    area = usable_units(shape, *named(scores, "").values(), valid=valid) & (
        votes.index < len(votes.patterns)
    )
    if not area.any():
        raise InputError(
            "No unit of the study area has a score from every detector, so nothing can be ranked."
        )
    heavy = np.ones(int(area.sum())) if weight is None else as_weight(weight, shape)[area]
    tile_of = distinct_values(tile[area]).place
    n_tiles = int(tile_of.max()) + 1
    pattern = votes.index[area].astype(np.int64)
    per_tile = _sums(tile_of, pattern, heavy, (n_tiles, len(votes.patterns)))
    units = _Units(pattern, votes.yes_votes[pattern] > 0, tile_of, heavy, n_tiles, thresholds)
    told, progress = part_of(progress, 0.0, 0.2), part_of(progress, 0.2, 1.0)
    near, sets = pattern, scipy.sparse.identity(len(votes.patterns), dtype=np.int32, format="csr")
    if tolerance is not None:
        kind = np.where(area, votes.index.astype(np.int64), -1)
        sets_of, sets = tolerance.kinds_nearby(kind, len(votes.patterns), part_of(told, 0.0, 0.5))
        near = sets_of[area]
    curves = []
    for score, _ in steps(list(values.values()), part_of(told, 0.5, 1.0)):
        if tolerance is None:
            curves.append(units.curve(score[area]))
        else:
            highest = tolerance.highest_nearby(np.where(area, score, -np.inf))
            curves.append(units.forgiving_curve(score[area], highest[area], near))

    def areas(annotators: Ints, times: Floats) -> list[float]:
        truth = rule(VoteTable(votes.patterns[:, annotators], per_tile.T @ times))
        counted = sets @ truth.astype(np.int32) == 0
        return [
            area_under_p_bar(curve.points(truth, counted, times).segments, low, high)
            for curve in curves
        ]

    rng = generator(seed)
    everyone = np.arange(votes.n_annotators)
    estimate = pd.Series(areas(everyone, np.ones(n_tiles)), index=list(values))
    table, drawn = _table(resamples, len(values)), np.zeros((resamples, everyone.size))
    for number, _ in steps(range(resamples), progress):
        annotators = rng.choice(everyone, everyone.size)
        times = np.bincount(rng.integers(n_tiles, size=n_tiles), minlength=n_tiles).astype(float)
        table[number] = areas(np.sort(annotators), times)
        drawn[number] = np.bincount(annotators, minlength=everyone.size)
    found = pd.DataFrame(table, columns=list(values))
    return RankProbabilities(estimate, found, drawn, n_tiles)


@dataclass(frozen=True, eq=False)
class _Cells:
    """Weight of each tile in every (group of scores, kind of unit) cell of one detector."""

    per_tile: scipy.sparse.csr_matrix
    group: Ints
    kind: Ints


@dataclass(frozen=True, eq=False)
class _Curve:
    """What one detector finds where a unit is marked, and where it is not; the same cells without a tolerance."""

    marked: _Cells
    others: _Cells
    groups: int

    def points(self, truth: Bools, counted: Bools, times: Floats) -> RocPoints:
        """The ROC points when each tile counts so many times: ``truth`` kinds are right, ``counted`` ones false."""
        size = self.marked.per_tile @ times
        other_size = size if self.others is self.marked else self.others.per_tile @ times
        found, false = (
            np.cumsum(
                np.bincount(cells.group, np.where(wanted[cells.kind], sizes, 0.0), self.groups)
            )
            for cells, sizes, wanted in (
                (self.marked, size, truth),
                (self.others, other_size, counted),
            )
        )
        return RocPoints(-np.arange(self.groups, dtype=float), found, false)


@dataclass(frozen=True, eq=False)
class _Units:
    """The units: their pattern, whether anyone marked them, their tile and weight."""

    pattern: Ints
    voted: Bools
    tile: Ints
    weight: Floats
    n_tiles: int
    groups: int

    def curve(self, score: Floats) -> _Curve:
        cells = self._cells(_groups(score, self.voted, self.groups), self.pattern)
        return _Curve(cells, cells, self.groups)

    def forgiving_curve(self, own: Floats, highest: Floats, near: Ints) -> _Curve:
        """Marked units have the highest score nearby, the others their own, unless anything near them is marked."""
        group = _groups(np.concatenate([highest, own]), np.tile(self.voted, 2), self.groups)
        marked, others = np.split(group, 2)
        return _Curve(self._cells(marked, self.pattern), self._cells(others, near), self.groups)

    def _cells(self, group: Ints, kind: Ints) -> _Cells:
        kinds = int(kind.max()) + 1
        cell, cell_of = distinct_values(group * kinds + kind)[:2]
        per_tile = _sums(cell_of, self.tile, self.weight, (cell.size, self.n_tiles))
        return _Cells(per_tile, cell // kinds, cell % kinds)


def _groups(score: Floats, voted: Bools, most: int) -> Ints:
    """Number of each unit's group of scores, 0 for the highest; at most ``most`` groups, equal scores together.

    Each group gets about the same sum of two shares: of what anyone marked, and of what nobody did. The curve is
    then resolved evenly along both of its axes however rare the object is.
    """
    distinct, place, order, first = distinct_values(score)
    if distinct.size <= most:
        return distinct.size - 1 - place
    # Whole numbers as they are: added up while they are converted they would hold Python's lock.
    marked = np.add.reduceat(voted[order].astype(np.int64), first)
    others = np.diff(first, append=score.size) - marked
    del distinct, order, first
    share = (marked / max(marked.sum(), 1) + others / max((~voted).sum(), 1))[::-1]
    above = np.cumsum(share) - share
    return cast(
        "Ints", np.minimum((above * (most / share.sum())).astype(np.int64), most - 1)[::-1][place]
    )


def _sums(
    row: Ints, column: Ints, weight: Floats, shape: tuple[int, int]
) -> scipy.sparse.csr_matrix:
    return scipy.sparse.coo_matrix((weight, (row, column)), shape).tocsr()


def _table(resamples: int, detectors: int) -> Floats:
    try:
        return np.empty((resamples, detectors))
    except (MemoryError, ValueError) as error:
        raise InputError(
            "The memory does not suffice for {resamples:,} resamples; take fewer, such as 1,000.",
            resamples=resamples,
        ) from error


def crown_units(sides: Mapping[str, Crowns], side: float) -> tuple[dict[str, Ints], bool]:
    """The plot of each crown; or, where some have none known or all have the same, the square tile of its middle.

    Args:
        sides: crowns of the annotators and of the detectors by name.
        side: of a tile, metres; wider than a crown.

    Returns:
        Number of the unit of each crown by name, and whether units are plots.

    >>> crowns = Crowns([shapely.box(0, 0, 4, 4), shapely.box(30, 0, 34, 4), shapely.box(32, 4, 36, 8)])
    >>> units, plots = crown_units({"ann": crowns, "found": crowns.subset([1])}, 10)
    >>> units["ann"].tolist(), units["found"].tolist(), plots
    ([0, 1, 1], [1], False)
    """
    ends = np.cumsum([len(crowns) for crowns in sides.values()])[:-1]
    groups = [crowns.groups for crowns in sides.values()]
    names = pd.Series(
        [plot for group in groups if group is not None for plot in group], dtype=object
    )
    number = pd.factorize(names, use_na_sentinel=False)[0]
    plots = len(names.dropna().unique()) > 1 and all(group is not None for group in groups)
    if not plots:
        bounds = shapely.bounds(
            np.concatenate([crowns.geometry for crowns in sides.values()])
        ).reshape(-1, 4)
        tiles = np.floor((bounds[:, :2] + bounds[:, 2:]) / (2 * side))
        number = np.unique(tiles, axis=0, return_inverse=True)[1].ravel()
    return dict(zip(sides, np.split(number.astype(np.int64), ends))), plots


def crown_rank_probabilities(
    ranking: CrownRanking,
    units: Mapping[str, Ints],
    *,
    plots: bool = False,
    resamples: int = 1000,
    seed: int = 0,
    progress: Progress = no_progress,
) -> RankProbabilities:
    """Rank detectors by their average precision in bootstrap samples of annotators and units.

    A detector's value is the mean of its average precision over the annotators of the sample. Crowns are matched once,
    in the scene as it is: a crown found counts where its target lies, a stray one where it lies itself. An annotator
    without a target in the sample has no part in its mean.

    Args:
        ranking: see :func:`randcrowns.core.detectors.crowns.rank_crown_detectors`.
        units: number of the plot or tile of each crown, by name; see :func:`crown_units`.
        plots: whether units are plots, for words.
        seed: of the random numbers; the same seed gives the same answer.

    Raises:
        InputError: without any resample.

    >>> from randcrowns.core import RandCrownsParameters
    >>> from randcrowns.core.detectors.crowns import rank_crown_detectors
    >>> trees = Crowns(shapely.box(np.arange(9) * 9, 0, np.arange(9) * 9 + 5, 5))
    >>> found = {"all": (trees, np.full(9, 0.5)), "few": (trees.subset([0, 3]), np.full(2, 0.5))}
    >>> ranked = rank_crown_detectors({"ann": trees}, found, RandCrownsParameters(0.7, 1.2, 3))
    >>> units, _ = crown_units({"ann": trees, **{name: crowns for name, (crowns, _) in found.items()}}, 9)
    >>> crown_rank_probabilities(ranked, units, resamples=50).probabilities[1].to_dict()
    {'all': 1.0, 'few': 0.0}
    """
    if resamples < 1:
        raise InputError("There are {resamples} resamples; give at least one.", resamples=resamples)
    table = ranking.average_precision.dropna(axis=0, how="all").dropna(axis=1, how="all")
    detectors, annotators = list(table.index), list(table.columns)
    judged = [
        one for one in ranking.judged if one.detector in detectors and one.truth in annotators
    ]
    counted = [units[one.truth][one.targets] for one in judged] + [
        units[one.detector][one.strays] for one in judged
    ]
    unit = np.unique(np.concatenate(counted)) if counted else np.zeros(0, np.int64)
    rng = generator(seed)
    times, drawn = (_drawn(number, resamples, rng) for number in (unit.size, len(annotators)))
    values = np.full((len(detectors), resamples, len(annotators)), np.nan)
    for one, told in steps(judged, progress):
        place = {name: np.searchsorted(unit, units[name]) for name in (one.truth, one.detector)}
        found_by = values[detectors.index(one.detector), :, annotators.index(one.truth)]
        for some in slices(resamples, max(1, _CELLS // (len(one.detections) + 1))):
            found_by[some] = _average_precisions(one, place, times[some].T)
            told(some.stop / resamples)
    known = ~np.isnan(values)
    weight = np.where(known, drawn, 0.0).sum(axis=2)
    with np.errstate(invalid="ignore"):
        means = np.where(known, values * drawn, 0.0).sum(axis=2) / weight
    found = pd.DataFrame(means.T, columns=detectors)
    kind = "plots" if plots else "tiles"
    return RankProbabilities(table.mean(axis=1), found, drawn, int(unit.size), kind)


def _drawn(number: int, resamples: int, rng: np.random.Generator) -> Floats:
    """(resamples, number) how often each of so many is in a resample of as many."""
    most = max(number, 1)
    return rng.multinomial(number, np.full(most, 1 / most), resamples).astype(float)[:, :number]


def _average_precisions(one: Judged, place: Mapping[str, Ints], times: Floats) -> Floats:
    """(resamples,) average precision where each unit (row of ``times``) counts so many times; NaN without a target.

    Only at scores at which a target is found does the recall grow; what is stray in between joins the next of them.
    """
    targets, strays = place[one.truth], place[one.detector]
    positives = np.bincount(targets[one.targets], minlength=len(times)) @ times
    hit = one.found >= 0
    if not hit.any():
        return np.where(positives > 0, 0.0, np.nan)
    where = np.where(hit, targets[one.found], strays[one.detections])
    levels = np.unique(-one.confidence[hit])
    level = np.searchsorted(levels, -one.confidence)
    shape = (levels.size + 1, len(times))
    right, every = (
        np.cumsum(_sums(level, where, counted, shape) @ times, axis=0)[:-1]
        for counted in (hit.astype(float), np.ones(hit.size))
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(every > 0, right / every, 0.0)
        best = np.maximum.accumulate(precision[::-1], axis=0)[::-1]
        return cast("Floats", (best * np.diff(right, axis=0, prepend=0.0)).sum(axis=0) / positives)
