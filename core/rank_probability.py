"""How sure a ranking is: ranks when annotators and tiles are drawn again.

Another scene of the same kind, drawn by other people of the same kind, would give other areas under the curve.
How different is estimated by drawing annotators and tiles with replacement, making the ground truth of the
drawn annotators, and ranking the detectors on the drawn tiles. Tiles, not pixels, are drawn because neighbouring
pixels say the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

import numpy as np
import pandas as pd
import scipy.sparse
from numpy.typing import ArrayLike, NDArray

from randcrowns.core.consensus import half
from randcrowns.core.curves import area_under_p_bar
from randcrowns.core.detector_ranking import Named, named
from randcrowns.core.errors import InputError
from randcrowns.core.p_bar import DEFAULT_HIGH, DEFAULT_LOW, check_skew_limits
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.ranking import ranks_of
from randcrowns.core.roc import RocPoints, as_score, as_weight, usable_units
from randcrowns.core.votes import VoteTable

__all__ = ["RankProbabilities", "rank_probabilities", "square_tiles"]

#: A ground truth from a vote table: yes or no per pattern.
Rule = Callable[[VoteTable], NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class RankProbabilities:
    """Areas under the P̄-recall curve and ranks over many draws of annotators and tiles.

    Attributes:
        estimate: (detector) AUCR with every annotator and tile once.
        draws: one row per draw and one column per detector: AUCR; NaN where the drawn ground truth marks
            nothing or everything.
        probabilities: one row per detector and one column per rank (1 is best): share of the draws. Tied
            detectors share the better rank.
        better: share of the draws in which the detector of the row beats that of the column, ties counting
            half; NaN on the diagonal.
        annotators: how many annotators were drawn from.
        tiles: how many tiles were drawn from.
    """

    estimate: pd.Series
    draws: pd.DataFrame
    probabilities: pd.DataFrame
    better: pd.DataFrame
    annotators: int
    tiles: int

    @property
    def used(self) -> int:
        """Number of draws that could be ranked."""
        return int(self.draws.notna().all(axis=1).sum())


def square_tiles(shape: tuple[int, int], side: int) -> NDArray[np.int64]:
    """(rows, columns) number of the square tile each pixel lies in; those at the far edges may be smaller.

    Args:
        shape: rows and columns.
        side: side of a tile in pixels; wider than the objects and the distance over which neighbours resemble.

    Raises:
        InputError: for a side below one pixel.
    """
    if side < 1:
        raise InputError(f"Tiles of {side} pixels cannot be made; give a side of at least one pixel.")
    rows, columns = (np.arange(size) // side for size in shape)
    per_row = -(-shape[1] // side)
    return rows[:, None] * per_row + columns[None, :]


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
    draws: int = 1000,
    thresholds: int = 500,
    seed: int = 0,
    progress: Progress = no_progress,
) -> RankProbabilities:
    """Rank the detectors again and again on annotators and tiles drawn with replacement.

    Scores are put into at most ``thresholds`` groups beforehand (equal scores stay together, and fewer distinct
    scores stay as they are), which moves an area under the curve by far less than the draws do.

    Args:
        scores: a score per unit for each detector, by name or in a row. Units where any detector has none are left out.
        votes: vote table of those units, with its index.
        tiles: number of the tile of each unit, 0 or more; see :func:`square_tiles`.
        low: lower limit of the fraction of positives.
        high: upper limit.
        rule: makes the ground truth of the drawn annotators (an annotator drawn twice has two votes).
        weight: weight of each unit, such as a face's area; 1 when left out.
        valid: where to look; everywhere inside the vote table's study area when left out.
        draws: number of draws.
        thresholds: most thresholds per detector.
        seed: of the random numbers; the same seed gives the same answer.
        progress: told how far the draws are; may raise to cancel.

    Raises:
        InputError: no detectors, shapes that differ, no index, no unit left, no draws.
    """
    check_skew_limits(low, high)
    if votes.index is None:
        raise InputError("A vote table merged from tiles has no map: rank the detectors on one that has.")
    if draws < 1 or thresholds < 1:
        raise InputError(f"{draws} draws with {thresholds} thresholds cannot be made; give at least one of each.")
    values = {name: as_score(score, name) for name, score in named(scores, "Detector").items()}
    if not values:
        raise InputError("Ranking needs at least one detector; pick one.")
    shape = votes.index.shape
    tile = np.asarray(tiles)
    for name, array in {**values, "The tile number": tile}.items():
        if array.shape != shape:
            raise InputError(f"{name} has shape {array.shape}, the vote table {shape}: give both the same grid.")
    area = usable_units(shape, *named(scores, "").values(), valid=valid) & (votes.index < len(votes.patterns))
    if not area.any():
        raise InputError("No unit of the study area has a score from every detector, so nothing can be ranked.")
    heavy = np.ones(int(area.sum())) if weight is None else as_weight(weight, shape)[area]
    tile_of = np.unique(tile[area], return_inverse=True)[1].ravel()
    n_tiles = int(tile_of.max()) + 1
    pattern = votes.index[area].astype(np.int64)
    per_tile = _sums(tile_of, pattern, heavy, (n_tiles, len(votes.patterns)))
    voted = votes.yes_votes[pattern] > 0
    cells = []
    for score in values.values():
        progress(0.0)
        group = _groups(score[area], voted, thresholds)
        cells.append(_Cells.of(group, pattern, tile_of, heavy, per_tile.shape))

    def areas(annotators: NDArray[np.int64], times: NDArray[np.float64]) -> list[float]:
        drawn = VoteTable(votes.patterns[:, annotators], per_tile.T @ times)
        truth = rule(drawn)
        return [area_under_p_bar(cell.points(truth, times).segments, low, high) for cell in cells]

    rng = np.random.default_rng(seed)
    everyone = np.arange(votes.n_annotators)
    estimate = pd.Series(areas(everyone, np.ones(n_tiles)), index=list(values))
    table = np.empty((draws, len(values)))
    for draw in range(draws):
        annotators = rng.choice(everyone, everyone.size)
        times = np.bincount(rng.integers(n_tiles, size=n_tiles), minlength=n_tiles).astype(float)
        table[draw] = areas(np.sort(annotators), times)
        progress((draw + 1) / draws)
    drawn = pd.DataFrame(table, columns=list(values))
    return RankProbabilities(estimate, drawn, _rank_shares(drawn), _win_shares(drawn), votes.n_annotators, n_tiles)


@dataclass(frozen=True, eq=False)
class _Cells:
    """Weight of each tile in every (group of scores, pattern) cell of one detector, highest scores first."""

    per_tile: scipy.sparse.csr_matrix
    pattern: NDArray[np.int64]
    starts: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        group: NDArray[np.int64],
        pattern: NDArray[np.int64],
        tile: NDArray[np.int64],
        weight: NDArray[np.float64],
        shape: tuple[int, int],
    ) -> _Cells:
        n_tiles, n_patterns = shape
        cell, cell_of = np.unique(group * n_patterns + pattern, return_inverse=True)
        starts = np.flatnonzero(np.diff(cell // n_patterns, prepend=-1))
        return cls(_sums(cell_of.ravel(), tile, weight, (cell.size, n_tiles)), cell % n_patterns, starts)

    def points(self, truth: NDArray[np.bool_], times: NDArray[np.float64]) -> RocPoints:
        """The ROC points when each tile was drawn so many times."""
        size = self.per_tile @ times
        marked = truth[self.pattern]
        found, false = (
            np.cumsum(np.add.reduceat(np.where(which, size, 0.0), self.starts)) for which in (marked, ~marked)
        )
        return RocPoints(-self.starts.astype(np.float64), found, false)


def _groups(score: NDArray[np.float64], voted: NDArray[np.bool_], most: int) -> NDArray[np.int64]:
    """Number of each unit's group of scores, 0 for the highest; at most ``most`` groups, equal scores together.

    Each group gets about the same sum of two shares: of what anyone marked, and of what nobody did. The curve is
    then resolved evenly along both of its axes however rare the object is.
    """
    distinct, place = np.unique(score, return_inverse=True)
    place = distinct.size - 1 - place.ravel()
    if distinct.size <= most:
        return np.asarray(place, dtype=np.int64)
    marked = np.bincount(place[voted], minlength=distinct.size)
    share = marked / max(marked.sum(), 1)
    share += (np.bincount(place) - marked) / max((~voted).sum(), 1)
    above = np.cumsum(share) - share
    return np.minimum((above * (most / share.sum())).astype(np.int64), most - 1)[place]


def _sums(
    row: NDArray[np.int64], column: NDArray[np.int64], weight: NDArray[np.float64], shape: tuple[int, int]
) -> scipy.sparse.csr_matrix:
    return scipy.sparse.coo_matrix((weight, (row, column)), shape).tocsr()


def _rank_shares(draws: pd.DataFrame) -> pd.DataFrame:
    ranks = ranks_of(draws.dropna().T).to_numpy()
    places = range(1, draws.shape[1] + 1)
    shares = {place: (ranks == place).mean(axis=1) if ranks.size else np.nan for place in places}
    return pd.DataFrame(shares, index=draws.columns)


def _win_shares(draws: pd.DataFrame) -> pd.DataFrame:
    areas = draws.dropna().to_numpy()
    wins = np.sign(areas[:, :, None] - areas[:, None, :])
    shares = (1.0 + wins.mean(axis=0)) / 2.0 if len(areas) else np.full((draws.shape[1],) * 2, np.nan)
    np.fill_diagonal(shares, np.nan)
    return pd.DataFrame(shares, index=draws.columns, columns=draws.columns)
