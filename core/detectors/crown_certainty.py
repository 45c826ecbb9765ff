"""How sure a ranking over whole crowns is: ranks over bootstrap samples of annotators and plots, or square tiles."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import scipy.sparse
import shapely

from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.certainty import RankProbabilities
from randcrowns.core.detectors.crowns import CrownRanking, Judged
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress, steps


def crown_units(sides: Mapping[str, Crowns], side: float) -> tuple[dict[str, Ints], bool]:
    """The plot of each crown, or the square tile that its middle lies in where plots are not known everywhere.

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
    plots = all(group is not None for group in groups)
    if plots:
        names = ["" if plot is None else str(plot) for group in groups if group is not None for plot in group]
        number = pd.factorize(np.array(names, dtype=object))[0]
    else:
        bounds = shapely.bounds(np.concatenate([crowns.geometry for crowns in sides.values()])).reshape(-1, 4)
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
        resamples: number of resamples.
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
        raise InputError(f"There are {resamples} resamples; give at least one.")
    table = ranking.average_precision.dropna(axis=0, how="all").dropna(axis=1, how="all")
    detectors, annotators = list(table.index), list(table.columns)
    judged = [one for one in ranking.judged if one.detector in detectors and one.truth in annotators]
    counted = [units[one.truth][one.targets] for one in judged] + [units[one.detector][one.strays] for one in judged]
    unit = np.unique(np.concatenate(counted)) if counted else np.zeros(0, np.int64)
    rng = np.random.default_rng(seed)
    times, drawn = (_drawn(number, resamples, rng) for number in (unit.size, len(annotators)))
    values = np.full((len(detectors), resamples, len(annotators)), np.nan)
    for one, _ in steps(judged, progress):
        place = {name: np.searchsorted(unit, units[name]) for name in (one.truth, one.detector)}
        values[detectors.index(one.detector), :, annotators.index(one.truth)] = _average_precisions(one, place, times.T)
    known = ~np.isnan(values)
    weight = np.where(known, drawn, 0.0).sum(axis=2)
    with np.errstate(invalid="ignore"):
        means = np.where(known, values * drawn, 0.0).sum(axis=2) / weight
    found = pd.DataFrame(means.T, columns=detectors)
    kind = "plots" if plots else "tiles"
    return RankProbabilities.of(table.mean(axis=1), found, drawn, int(unit.size), kind)


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
    everything = np.ones(hit.shape, dtype=bool)
    right, every = (
        np.cumsum(_sums(level[some], where[some], shape) @ times, axis=0)[:-1] for some in (hit, everything)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(every > 0, right / every, 0.0)
        best = np.maximum.accumulate(precision[::-1], axis=0)[::-1]
        return (best * np.diff(right, axis=0, prepend=0.0)).sum(axis=0) / positives


def _sums(row: Ints, column: Ints, shape: tuple[int, int]) -> scipy.sparse.csr_matrix:
    return scipy.sparse.coo_matrix((np.ones(row.size), (row, column)), shape).tocsr()
