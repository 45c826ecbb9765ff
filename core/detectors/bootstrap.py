"""Certainty of a ranking of detectors, from bootstrap samples of annotators and of tiles or plots.

Annotators and tiles are resampled with replacement. For each resample the ground truth is computed
from the resampled annotators, and the detectors are ranked on the resampled tiles. Tiles are
resampled instead of pixels because neighbouring pixels are not independent. Random numbers are
assigned to annotators by name, and to plots by name or to tiles by place, so that the order of
layers and crowns changes nothing. Rankings by area and by whole crowns have their own functions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import scipy
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.agreement.consensus import ConsensusMethod, majority_consensus
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import (
    Array,
    Bools,
    Floats,
    Ints,
    Objects,
    as_array,
    distinct_values,
    random_generator,
    split_range,
)
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.crown_ranking import ClassMatches, CrownMatches, CrownRanking
from randcrowns.core.detectors.curves import (
    RocPoints,
    integrate_p_bar_curve,
    to_score_array,
    to_weight_array,
    usable_mask,
)
from randcrowns.core.detectors.mean_precision import (
    DEFAULT_MAX_SKEW,
    DEFAULT_MIN_SKEW,
    check_skew_limits,
)
from randcrowns.core.detectors.ranking import TIE_TOLERANCE, NamedArrays, name_arrays, rank_values
from randcrowns.core.detectors.tolerance import Tolerance
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress, subprogress
from randcrowns.core.statistics import DEFAULT_BOOTSTRAP_SAMPLES
from randcrowns.core.validation import validate_arguments

# Largest number of values (detections times resamples) in memory at a time.
_CELLS = 2_000_000
# Approximate number of tiles of the study area.
_N_TILES = 64


@dataclass(frozen=True, eq=False)
class BootstrapRanking:
    """Values of detectors in bootstrap samples of annotators and tiles, and statistics of them.

    A value is the area under the P̄-recall curve (AUCR), or the average precision of whole crowns.

    Attributes:
        estimate: value of each detector with every annotator and every tile once.
        resamples: values, one row per resample and one column per detector; NaN if the ground truth
            of the resample marks nothing or everything. Only resamples with a value of every
            detector are used.
        annotator_counts: (resamples, annotators) how often each annotator is in each resample.
        n_tiles: number of tiles (or plots).
        tile_kind: what the tiles are, ``n_tiles`` or ``plots``.

    >>> estimate = pd.Series({"a": 0.6, "b": 0.5})
    >>> resamples = pd.DataFrame({"a": [0.7, 0.6], "b": [0.5, 0.6]})
    >>> ranks = BootstrapRanking(estimate, resamples, np.ones((2, 1)), n_tiles=9)
    >>> float(ranks.win_probabilities.loc["a", "b"])
    0.75
    """

    estimate: pd.Series
    resamples: pd.DataFrame
    annotator_counts: Floats
    n_tiles: int
    tile_kind: str = "tiles"

    @property
    def n_annotators(self) -> int:
        """Number of annotators."""
        return self.annotator_counts.shape[1]

    @cached_property
    def rank_shares(self) -> pd.DataFrame:
        """Share of the resamples with each rank: one row per detector, one column per rank.

        Rank 1 is best; ties share the better rank. NaN if no resample could be ranked.
        """
        ranks = rank_values(self.resamples.dropna().T).to_numpy()
        n_detectors = self.resamples.shape[1]
        shares = {}
        for rank in range(1, n_detectors + 1):
            shares[rank] = (ranks == rank).mean(axis=1) if ranks.size else np.nan
        return cast("pd.DataFrame", pd.DataFrame(shares, index=self.resamples.columns))

    @cached_property
    def win_probabilities(self) -> pd.DataFrame:
        """Share of the resamples in which the detector of the row beats that of the column.

        Ties count half: values that differ by no more than
        :data:`randcrowns.core.detectors.ranking.TIE_TOLERANCE`. NaN on the diagonal, and if no
        resample could be ranked.
        """
        names = self.resamples.columns
        values = self.resamples.dropna().to_numpy()
        shares = np.full((len(names), len(names)), np.nan)
        if len(values):
            # Axes: resample, detector, other detector.
            leads = zero_ties(values[:, :, np.newaxis] - values[:, np.newaxis, :])
            # The sign is 1 for a win, 0 for a tie and -1 for a loss.
            shares = (1.0 + np.sign(leads).mean(axis=0)) / 2.0
        np.fill_diagonal(shares, np.nan)
        return cast("pd.DataFrame", pd.DataFrame(shares, index=names, columns=names))

    @property
    def order(self) -> list[str]:
        """Detectors with an estimate from the best to the worst; tied ones by name."""
        estimates_by_name = self.estimate.dropna().sort_index()
        ranks = rank_values(estimates_by_name.to_frame()).iloc[:, 0]
        return list(ranks.sort_values(kind="stable").index)

    @property
    def n_used(self) -> int:
        """Number of resamples in which all detectors have a value."""
        return int(self._is_used.sum())

    @property
    def _is_used(self) -> Bools:
        """(resamples,) True for resamples in which all detectors have a value."""
        return np.asarray(self.resamples.notna().all(axis=1))

    def lead_lower_bounds(self, best: str, level: float) -> pd.Series:
        """Compute simultaneous lower bounds of the leads of one detector over all others.

        The lead over another detector is the difference of their estimates. Its variance over the
        resamples has two parts. Part v1 is explained by how often each annotator was drawn (linear
        regression) and has n1 - 1 degrees of freedom for n1 annotators. Part v2 is the rest and has
        n2 - 1 for n2 tiles. Each part is multiplied by n/(n - 1), because resampling n units
        underestimates a variance by that factor. The bound is the lead minus √(Σ tᵢ²·vᵢ), which
        covers at least the required probability for any shares of the two variances (Banerjee
        1961). tᵢ is Student's quantile at 1 - (1 - level)/k for k detectors, of which the best is
        known only afterwards (Bonferroni).

        Args:
            best: name of the detector.
            level: probability with which all bounds hold together, 0 to 1.

        Returns:
            Lower bound of the lead over each other detector with an estimate, by name.

        >>> estimate = pd.Series({"a": 0.6, "b": 0.5})
        >>> resamples = pd.DataFrame({"a": [0.6, 0.6], "b": [0.5, 0.5]})
        >>> ranks = BootstrapRanking(estimate, resamples, np.ones((2, 1)), n_tiles=9)
        >>> round(float(ranks.lead_lower_bounds("a", 0.95)["b"]), 9)
        0.1
        """
        others = [name for name in self.order if name != best]
        values = self.resamples[self._is_used]
        estimated_leads = zero_ties(
            self.estimate[best] - self.estimate[others].to_numpy(dtype=float)
        )
        # One row per used resample.
        resampled_leads = zero_ties(values[[best]].to_numpy() - values[others].to_numpy())
        variance = resampled_leads.var(axis=0, ddof=1)
        by_annotators = self._variance_by_annotators(resampled_leads, variance)

        error = (1 - level) / (len(others) + 1)
        squared_reach = _squared_reach(by_annotators, self.n_annotators, error)
        squared_reach += _squared_reach(variance - by_annotators, self.n_tiles, error)
        # A lead that is the same in all resamples is its own bound, unless the estimate is lower.
        constant_leads = np.minimum(estimated_leads, resampled_leads.mean(axis=0))
        bounds = np.where(variance > 0, estimated_leads - np.sqrt(squared_reach), constant_leads)
        return cast("pd.Series", pd.Series(bounds, index=others))

    def _variance_by_annotators(self, leads: Floats, variance: Floats) -> Floats:
        """Return the part of the variance of leads that the drawn annotators explain.

        Args:
            leads: (used resamples, others) leads over each other detector.
            variance: (others,) their variance.

        Returns:
            (others,) variances, 0 to ``variance``.
        """
        if self.n_tiles == 1:
            return variance
        if min(self.n_annotators, self.n_tiles) <= 1:
            return np.zeros(len(variance))
        counts = self.annotator_counts[self._is_used]
        centred_counts = counts - counts.mean(axis=0)
        centred_leads = leads - leads.mean(axis=0)
        # Linear regression of the leads on the counts.
        coefficients, *_ = np.linalg.lstsq(centred_counts, centred_leads, rcond=None)
        residuals = centred_leads - centred_counts @ coefficients
        degrees_of_freedom = max(len(leads) - self.n_annotators, 1)
        unexplained = np.square(residuals).sum(axis=0) / degrees_of_freedom
        return cast("Floats", np.clip(variance - unexplained, 0.0, variance))


def _squared_reach(variance: Floats, n_units: int, error: float) -> Floats:
    """Return the squared distance of the bounds from the leads by one part of the variance.

    Args:
        variance: (n,) part of the variance of each lead.
        n_units: number of units that were resampled; a single one adds nothing.
        error: probability that a bound does not hold.
    """
    if n_units <= 1:
        return np.zeros_like(variance)
    student_quantile = scipy.special.stdtrit(n_units - 1, 1 - error)
    return cast("Floats", student_quantile**2 * variance * n_units / (n_units - 1))


def zero_ties(differences: ArrayLike) -> Floats:
    """Set differences of tied values to 0.

    Args:
        differences: differences of values, any shape.

    Returns:
        Same shape; 0 where the difference is at most
        :data:`randcrowns.core.detectors.ranking.TIE_TOLERANCE`.

    >>> zero_ties([0.1, 1e-12]).tolist()
    [0.1, 0.0]
    """
    values = np.asarray(differences, dtype=float)
    return np.where(np.abs(values) <= TIE_TOLERANCE, 0.0, values)


def number_square_tiles(shape: tuple[int, int], side: int) -> Ints:
    """Return the number of the square tile of each pixel, counted row by row.

    Args:
        shape: rows and columns of the raster.
        side: side of a tile in pixels. It should exceed the size of the objects, and the distance
            within which pixels are correlated.

    Returns:
        (rows, columns) tile numbers from 0. Tiles at the far edges may be smaller.

    Raises:
        InputError: if the side is below one pixel.

    >>> number_square_tiles((2, 3), 2).tolist()
    [[0, 0, 1], [0, 0, 1]]
    """
    if side < 1:
        raise InputError(
            "tiles.below_pixel",
            "Tiles of {side} pixels are too small. Give a side of at least one pixel.",
            side=side,
        )
    n_rows, n_columns = shape
    tile_row = np.arange(n_rows) // side
    tile_column = np.arange(n_columns) // side
    tiles_per_row = math.ceil(n_columns / side)
    return np.add.outer(tile_row * tiles_per_row, tile_column)


@validate_arguments
def bootstrap_ranking(
    scores: NamedArrays,
    votes: VoteTable,
    tiles: ArrayLike,
    min_skew: float = DEFAULT_MIN_SKEW,
    max_skew: float = DEFAULT_MAX_SKEW,
    *,
    rule: ConsensusMethod = majority_consensus,
    weight: ArrayLike | None = None,
    valid: ArrayLike | None = None,
    tolerance: Tolerance | None = None,
    resamples: int = DEFAULT_BOOTSTRAP_SAMPLES,
    max_thresholds: int = 500,
    seed: int = 0,
    progress: Progress = no_progress,
) -> BootstrapRanking:
    """Rank detectors by AUCR in bootstrap samples of annotators and tiles.

    For speed the scores of a detector are put into at most ``max_thresholds`` groups first. Equal
    scores share a group, and scores with no more distinct values are not grouped. Grouping changes
    the area under the curve far less than resampling does.

    Args:
        scores: scores per unit of each detector, by name or in a sequence. Units where any detector
            has no score are excluded.
        votes: vote table of those units, with its index.
        tiles: number of the tile of each unit, 0 or more; see :func:`number_square_tiles`.
        min_skew: lower limit of the fraction of positives.
        max_skew: upper limit of the fraction of positives.
        rule: computes the ground truth from a vote table of the resampled annotators. An annotator
            who is drawn twice has two votes.
        weight: weight of each unit, such as a face's area; 1 by default.
        valid: units to count; by default the study area of the vote table.
        tolerance: distance that a detection may have from the ground truth; rasters only. Pixels
            nearby are taken from the original scene: a tile is resampled with its surroundings.
        resamples: number of bootstrap samples.
        max_thresholds: maximum number of groups of scores per detector.
        seed: seed of the random numbers; the same seed gives the same result.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        AUCR of the detectors in each bootstrap sample.

    Raises:
        InputError: if there is no detector, shapes differ, the vote table has no index, no unit can
            be used, or the number of resamples is below 1 or needs too much memory.

    >>> votes = VoteTable.from_stack(np.random.default_rng(0).random((3, 8, 8)) < 0.4)
    >>> scores = {"all": votes.on_map(votes.n_yes), "none": np.zeros((8, 8))}
    >>> ranks = bootstrap_ranking(scores, votes, number_square_tiles((8, 8), 2), resamples=20)
    >>> ranks.rank_shares[1].to_dict()
    {'all': 1.0, 'none': 0.0}
    """
    check_skew_limits(min_skew, max_skew)
    _check_counts(resamples, max_thresholds)
    scene = _read_scene(scores, votes, tiles, weight, valid)
    units = _resampled_units(scene, votes, max_thresholds)
    preparation_progress = subprogress(progress, 0.0, 0.2)
    if tolerance is None or not tolerance.distance > 0:
        curves = _exact_curves(scene, units, preparation_progress)
    else:
        curves = _tolerant_curves(scene, units, tolerance, preparation_progress)
    study = _ResampledStudy(
        votes=votes, units=units, detectors=curves, rule=rule, limits=(min_skew, max_skew)
    )
    all_annotators = np.arange(votes.n_annotators)
    each_tile_once = np.ones(units.n_tiles)
    estimate = study.areas_under_curves(all_annotators, each_tile_once)
    samples = _draw_samples(study, resamples, seed, subprogress(progress, 0.2, 1.0))
    names = list(scene.scores)
    return BootstrapRanking(
        estimate=pd.Series(estimate, index=names),
        resamples=pd.DataFrame(samples.values, columns=names),
        annotator_counts=samples.annotator_counts,
        n_tiles=units.n_tiles,
    )


class _Samples(NamedTuple):
    """Values in bootstrap samples of annotators and tiles."""

    values: Floats  #: (resamples, detectors) AUCR.
    annotator_counts: Floats  #: (resamples, annotators) how often each annotator was drawn.


def _draw_samples(
    study: _ResampledStudy, resamples: int, seed: int, progress: Progress
) -> _Samples:
    """Draw bootstrap samples of annotators and tiles, and compute the values of the detectors.

    Args:
        study: annotators, tiles and detectors.
        resamples: number of samples.
        seed: seed of the random numbers.
        progress: receives the fraction done.

    Raises:
        InputError: if the number of resamples needs too much memory.
    """
    n_annotators = len(study.annotator_names)
    n_tiles = study.n_tiles
    rng = random_generator(seed)
    # Random numbers are assigned to annotators by name, so that their order changes nothing.
    annotators_by_name = np.argsort(np.array(study.annotator_names), kind="stable")
    values = _empty_table(resamples, study.n_detectors)
    annotator_counts = np.zeros((resamples, n_annotators))
    for number, _ in iterate_with_progress(range(resamples), progress):
        drawn_annotators = rng.choice(annotators_by_name, n_annotators)
        drawn_tiles = rng.integers(n_tiles, size=n_tiles)
        tile_counts = np.bincount(drawn_tiles, minlength=n_tiles).astype(float)
        values[number] = study.areas_under_curves(np.sort(drawn_annotators), tile_counts)
        annotator_counts[number] = np.bincount(drawn_annotators, minlength=n_annotators)
    return _Samples(values, annotator_counts)


def _check_counts(resamples: int, max_thresholds: int) -> None:
    """Raise InputError unless there is at least one resample and one threshold."""
    if resamples < 1 or max_thresholds < 1:
        message = (
            "There are {resamples} resamples and {thresholds} thresholds. "
            "Give at least one of each."
        )
        raise InputError(
            "ranking.no_resamples_or_thresholds",
            message,
            resamples=resamples,
            thresholds=max_thresholds,
        )


@dataclass(frozen=True, eq=False)
class _Scene:
    """Arrays of a ranking, all in the shape of the vote table's index."""

    scores: dict[str, Floats]  #: scores by detector.
    patterns: Ints  #: number of the pattern of votes of each unit.
    tiles: Array  #: number of the tile of each unit.
    weights: Floats | None  #: weights of the units; None for 1.
    #: True per unit of the study area with a score of every detector.
    area: Bools


def _read_scene(
    scores: NamedArrays,
    votes: VoteTable,
    tiles: ArrayLike,
    weight: ArrayLike | None,
    valid: ArrayLike | None,
) -> _Scene:
    """Return the checked arrays of a ranking; for the arguments see :func:`bootstrap_ranking`.

    Raises:
        InputError: if there is no detector, shapes differ, the vote table has no index, or no unit
            can be used.
    """
    pattern_index = votes.pattern_index
    if pattern_index is None:
        raise InputError(
            "ranking.no_map",
            "A vote table merged from tiles has no map. Rank the detectors on one that has.",
        )
    named_scores = name_arrays(scores, "Detector")
    if not named_scores:
        raise InputError("detectors.none", "Ranking needs at least one detector. Choose one.")
    score_arrays = {name: to_score_array(score, name) for name, score in named_scores.items()}
    tile_numbers = as_array(tiles, "The tile numbers")
    shape = pattern_index.shape
    _check_shapes({**score_arrays, "The tile number": tile_numbers}, shape)

    has_scores = usable_mask(shape, *named_scores.values(), valid=valid)
    has_pattern = pattern_index < len(votes.patterns)
    area = has_scores & has_pattern
    if not area.any():
        raise InputError(
            "ranking.no_common_unit",
            "No unit of the study area has a score from every detector, so nothing can be ranked.",
        )
    return _Scene(
        scores=score_arrays,
        patterns=pattern_index,
        tiles=tile_numbers,
        weights=None if weight is None else to_weight_array(weight, shape),
        area=area,
    )


def _resampled_units(scene: _Scene, votes: VoteTable, max_groups: int) -> _Units:
    """Return the units of the study area that all detectors share.

    Args:
        scene: arrays of the ranking.
        votes: vote table of the units.
        max_groups: maximum number of groups of scores per detector.
    """
    n_units = int(scene.area.sum())
    weight_of_unit = np.ones(n_units) if scene.weights is None else scene.weights[scene.area]
    tile_of_unit = distinct_values(scene.tiles[scene.area]).inverse
    pattern_of_unit = scene.patterns[scene.area].astype(np.int64)
    is_voted = votes.n_yes > 0
    return _Units(
        pattern=pattern_of_unit,
        voted=is_voted[pattern_of_unit],
        tile=tile_of_unit,
        weight=weight_of_unit,
        n_patterns=len(votes.patterns),
        n_tiles=int(tile_of_unit.max()) + 1,
        n_groups=max_groups,
    )


@dataclass(frozen=True, eq=False)
class _DetectorCurves:
    """ROC curves of all detectors, for any ground truth and any resample of tiles.

    Attributes:
        curves: curve of each detector.
        kind_patterns: (kinds, patterns) sparse; not 0 where a unit of this kind has a unit with
            this pattern within the tolerance. Without a tolerance a kind is a pattern.
    """

    curves: list[_ResampledCurve]
    kind_patterns: scipy.sparse.csr_matrix

    def find_counted_kinds(self, is_marked: Bools) -> Bools:
        """Return a mask of the kinds whose unmarked units count as false positives.

        These are the kinds without a marked unit nearby, that is, within the tolerance.

        Args:
            is_marked: (patterns,) True for patterns that the ground truth marks or does not know.

        Returns:
            (kinds,) mask.
        """
        # The product counts, per kind, the marked patterns nearby.
        n_marked_nearby = self.kind_patterns @ is_marked.astype(np.int32)
        return np.asarray(n_marked_nearby == 0)


def _exact_curves(scene: _Scene, units: _Units, progress: Progress) -> _DetectorCurves:
    """Return the curves of all detectors without a tolerance.

    The kind of a unit is its pattern of votes.

    Args:
        scene: arrays of the ranking.
        units: units of the study area.
        progress: called with the fraction done.
    """
    curves = []
    summing_progress = subprogress(progress, 0.5, 1.0)
    for score_map, _ in iterate_with_progress(list(scene.scores.values()), summing_progress):
        curves.append(units.curve(score_map[scene.area]))
    own_pattern = scipy.sparse.identity(units.n_patterns, dtype=np.int32, format="csr")
    return _DetectorCurves(curves=curves, kind_patterns=own_pattern)


def _tolerant_curves(
    scene: _Scene, units: _Units, tolerance: Tolerance, progress: Progress
) -> _DetectorCurves:
    """Return the curves of all detectors with a tolerance.

    The kind of a unit is the set of the patterns within the tolerance.

    Args:
        scene: rasters of the ranking.
        units: units of the study area.
        tolerance: distance that a detection may have from the ground truth.
        progress: called with the fraction done.
    """
    pattern_map = np.where(scene.area, scene.patterns.astype(np.int64), -1)
    kind_map, kind_patterns = tolerance.find_kinds_nearby(
        pattern_map, units.n_patterns, subprogress(progress, 0.0, 0.5)
    )
    kind_of_unit = kind_map[scene.area]
    curves = []
    summing_progress = subprogress(progress, 0.5, 1.0)
    for score_map, _ in iterate_with_progress(list(scene.scores.values()), summing_progress):
        score_in_area = np.where(scene.area, score_map, -np.inf)
        highest_map = tolerance.highest_score_nearby(score_in_area)
        curve = units.tolerant_curve(
            unit_scores=score_map[scene.area],
            scores_nearby=highest_map[scene.area],
            kind_of_unit=kind_of_unit,
        )
        curves.append(curve)
    return _DetectorCurves(curves=curves, kind_patterns=kind_patterns)


class _ResampledStudy:
    """Annotators, tiles and detectors that are resampled.

    Args:
        votes: vote table of the units.
        units: units of the study area.
        detectors: curves of the detectors.
        rule: makes the ground truth of the drawn annotators.
        limits: lower and upper limit of the fraction of positives.

    Attributes:
        annotator_names: names of all annotators.
        n_detectors: number of detectors.
        n_tiles: number of tiles.
    """

    def __init__(
        self,
        votes: VoteTable,
        units: _Units,
        detectors: _DetectorCurves,
        rule: ConsensusMethod,
        limits: tuple[float, float],
    ) -> None:
        self.annotator_names = votes.names
        self.n_detectors = len(detectors.curves)
        self.n_tiles = units.n_tiles
        self._votes = votes
        self._detectors = detectors
        self._rule = rule
        self._limits = limits
        shape = (units.n_tiles, units.n_patterns)
        tile_weights = sum_weights(units.tile, units.pattern, units.weight, shape)
        #: (patterns, tiles) sparse weights.
        self._pattern_weights = tile_weights.T

    def areas_under_curves(self, annotators: Ints, tile_counts: Floats) -> list[float]:
        """Return the AUCR of each detector in one resample.

        Args:
            annotators: indices of the drawn annotators; one who is drawn twice has two votes.
            tile_counts: (tiles,) how often each tile was drawn.
        """
        is_rated = None if self._votes.is_rated is None else self._votes.is_rated[:, annotators]
        drawn_votes = VoteTable(
            self._votes.patterns[:, annotators],
            self._pattern_weights @ tile_counts,
            is_rated=is_rated,
        )
        truth = self._rule(drawn_votes)
        # Where none of the drawn annotators looked, the ground truth is unknown.
        is_marked_or_unknown = truth | (drawn_votes.n_rated == 0)
        is_counted = self._detectors.find_counted_kinds(is_marked_or_unknown)
        min_skew, max_skew = self._limits
        areas = []
        for curve in self._detectors.curves:
            points = curve.points(truth, is_counted, tile_counts)
            areas.append(integrate_p_bar_curve(points.segments, min_skew, max_skew))
        return areas


def _check_shapes(arrays: Mapping[str, Array], shape: tuple[int, ...]) -> None:
    """Raise InputError unless all arrays (by name) have the shape of the vote table."""
    for name, array in arrays.items():
        if array.shape != shape:
            message = (
                "{name} has shape {shape}, the vote table {other_shape}. Give both the same grid."
            )
            raise InputError(
                "ranking.different_shapes",
                message,
                name=name,
                shape=str(array.shape),
                other_shape=str(shape),
            )


class _Cells(NamedTuple):
    """Weights of the units of one detector, summed by group of scores and kind of unit."""

    per_tile: scipy.sparse.csr_matrix  #: (cells, tiles) weights.
    group: Ints  #: (cells,) group of scores, 0 for the highest scores.
    kind: Ints  #: (cells,) kind of unit: its pattern of votes, or set of patterns nearby.


@dataclass(frozen=True, eq=False)
class _ResampledCurve:
    """ROC curve of one detector for any ground truth and any resample of tiles.

    Attributes:
        marked: weights of units, by the group that counts where the ground truth marks a unit, and
            by pattern.
        others: weights of units, by the group that counts elsewhere, and by pattern or set of
            patterns; the same object as ``marked`` without a tolerance.
        n_groups: number of groups of scores.
    """

    marked: _Cells
    others: _Cells
    n_groups: int

    def points(self, truth: Bools, counted: Bools, times: Floats) -> RocPoints:
        """Return the ROC points of a resample.

        Args:
            truth: (patterns,) True for patterns that the ground truth marks.
            counted: (kinds,) True for kinds of unmarked units that count as false positives.
            times: (tiles,) how often each tile was drawn.
        """
        marked_weight = self.marked.per_tile @ times
        other_weight = marked_weight
        # Without a tolerance both are one object, whose product is computed once.
        if self.others is not self.marked:
            other_weight = self.others.per_tile @ times
        # The threshold falls from group to group; its value does not matter.
        thresholds = -np.arange(self.n_groups, dtype=float)
        return RocPoints(
            thresholds,
            self._cumulate(self.marked, marked_weight, truth),
            self._cumulate(self.others, other_weight, counted),
        )

    def _cumulate(self, cells: _Cells, weight: Floats, is_selected: Bools) -> Floats:
        """Return the running sum (groups,) of the weights (cells,) of the selected kinds."""
        selected_weight = np.where(is_selected[cells.kind], weight, 0.0)
        return np.cumsum(np.bincount(cells.group, selected_weight, self.n_groups))


@dataclass(frozen=True, eq=False)
class _Units:
    """Units of the study area that all detectors share."""

    pattern: Ints  #: (n,) number of the pattern of votes.
    voted: Bools  #: (n,) True if any annotator marked the unit.
    tile: Ints  #: (n,) number of the tile.
    weight: Floats  #: (n,) weights.
    n_patterns: int  #: number of patterns of votes.
    n_tiles: int  #: number of tiles.
    n_groups: int  #: maximum number of groups of scores.

    def curve(self, score: Floats) -> _ResampledCurve:
        """Return the curve of a detector from its scores (n,)."""
        group = _score_groups(score, self.voted, self.n_groups)
        cells = self._sum_cells(group, self.pattern)
        return _ResampledCurve(cells, cells, self.n_groups)

    def tolerant_curve(
        self, unit_scores: Floats, scores_nearby: Floats, kind_of_unit: Ints
    ) -> _ResampledCurve:
        """Return the curve of a detector with a tolerance.

        Marked units have the highest score nearby. The others have their own score, and count only
        if no unit nearby is marked. Both kinds of scores share the groups, so that the two running
        sums of the curve have the same thresholds.

        Args:
            unit_scores: (n,) scores of the units.
            scores_nearby: (n,) highest score within the tolerance of each unit.
            kind_of_unit: (n,) number of the set of patterns within the tolerance of each unit.
        """
        all_scores = np.concatenate([scores_nearby, unit_scores])
        is_voted = np.concatenate([self.voted, self.voted])
        groups = _score_groups(all_scores, is_voted, self.n_groups)
        n_units = len(unit_scores)
        return _ResampledCurve(
            marked=self._sum_cells(groups[:n_units], self.pattern),
            others=self._sum_cells(groups[n_units:], kind_of_unit),
            n_groups=self.n_groups,
        )

    def _sum_cells(self, group: Ints, kind: Ints) -> _Cells:
        """Sum the weights of the units by group (n,), kind (n,) and tile."""
        n_kinds = int(kind.max()) + 1
        # Each pair of a group and a kind has a code of its own.
        distinct_codes, cell_of_unit, _, _ = distinct_values(group * n_kinds + kind)
        shape = (distinct_codes.size, self.n_tiles)
        per_tile = sum_weights(cell_of_unit, self.tile, self.weight, shape)
        cell_group, cell_kind = np.divmod(distinct_codes, n_kinds)
        return _Cells(per_tile=per_tile, group=cell_group, kind=cell_kind)


def _score_groups(scores: Floats, is_voted: Bools, n_groups: int) -> Ints:
    """Divide scores into groups of neighbouring values; equal scores share a group.

    Each group has about the same sum of two shares: its share of the units that anyone marked, and
    its share of those that nobody marked. The curve is then resolved evenly along both axes,
    however rare the object is.

    Args:
        scores: (n,) scores.
        is_voted: (n,) True if any annotator marked the unit.
        n_groups: maximum number of groups.

    Returns:
        (n,) number of the group of each score, 0 for the highest.
    """
    distinct, distinct_index, order, first_in_order = distinct_values(scores)
    if distinct.size <= n_groups:
        return distinct.size - 1 - distinct_index
    # Numbers of units with each distinct score, from the lowest to the highest.
    # Converted first: a sum that converts booleans would hold Python's global interpreter lock.
    n_marked = np.add.reduceat(is_voted[order].astype(np.int64), first_in_order)
    n_others = np.diff(first_in_order, append=scores.size) - n_marked
    del distinct, order, first_in_order  # the arrays are large
    shares = n_marked / max(n_marked.sum(), 1) + n_others / max((~is_voted).sum(), 1)
    # A group begins where the sum of the higher scores' shares reaches the next multiple.
    falling_shares = shares[::-1]
    shares_above = np.cumsum(falling_shares) - falling_shares
    groups_per_share = n_groups / falling_shares.sum()
    falling_groups = (shares_above * groups_per_share).astype(np.int64)
    # Rounding may lead beyond the last group.
    falling_groups = np.minimum(falling_groups, n_groups - 1)
    group_of_distinct = falling_groups[::-1]
    return cast("Ints", group_of_distinct[distinct_index])


def sum_weights(
    row: Ints, column: Ints, weight: Floats, shape: tuple[int, int]
) -> scipy.sparse.csr_matrix:
    """Return a sparse matrix of the sums of weights (n,) by row (n,) and column (n,).

    Args:
        row: (n,) rows of the matrix.
        column: (n,) columns of the matrix.
        weight: (n,) weights; those of the same cell are summed.
        shape: numbers of rows and columns.

    >>> sums = sum_weights(np.array([0, 0]), np.array([1, 1]), np.array([2.0, 3.0]), (1, 2))
    >>> sums.toarray().tolist()
    [[0.0, 5.0]]
    """
    return scipy.sparse.coo_matrix((weight, (row, column)), shape).tocsr()


def _empty_table(resamples: int, detectors: int) -> Floats:
    """Return an uninitialized array (resamples, detectors); raise InputError if it is too large."""
    try:
        return np.empty((resamples, detectors))
    except (MemoryError, ValueError) as error:
        raise InputError(
            "ranking.memory",
            "The memory does not suffice for {resamples:,} resamples. Use fewer, such as 1,000.",
            resamples=resamples,
        ) from error


def default_tile_side(area: float, crown_areas: Floats) -> float:
    """Return the default side of the tiles that are resampled.

    It is an eighth of the side of a square as large as the study area, and at least the diameter
    of a circle as large as the median crown.

    Args:
        area: area of the units that are counted, m².
        crown_areas: (n,) areas of the annotators' crowns, m².

    Returns:
        The side, m.

    >>> default_tile_side(6400.0, np.array([np.pi]))
    10.0
    """
    crown_diameter = 0.0
    if len(crown_areas):
        median_area = float(np.median(crown_areas))
        crown_diameter = math.sqrt(4 * median_area / math.pi)
    side_of_share = math.sqrt(float(area) / _N_TILES)
    return float(max(side_of_share, crown_diameter))


def assign_crown_units(
    crowns_by_name: Mapping[str, Crowns], tile_side: float
) -> tuple[dict[str, Ints], bool]:
    """Assign each crown to a unit for resampling: its plot, or else a square tile.

    Tiles are used if some crowns have no plot, or all have the same. A crown belongs to the tile of
    the centre of its bounding box.

    Args:
        crowns_by_name: crowns of the annotators and of the detectors, by name.
        tile_side: side of a tile, m; it should exceed the width of a crown.

    Returns:
        Number of the unit of each crown (n,) by name, and True if units are plots.

    >>> boxes = [shapely.box(0, 0, 4, 4), shapely.box(30, 0, 34, 4), shapely.box(32, 4, 36, 8)]
    >>> crowns = Crowns(boxes)
    >>> units, are_plots = assign_crown_units({"ann": crowns, "net": crowns.subset([1])}, 10)
    >>> units["ann"].tolist(), units["net"].tolist(), are_plots
    ([0, 1, 1], [1], False)
    """
    layers = list(crowns_by_name.values())
    plots = _plots_of_crowns(layers)
    are_plots = plots is not None
    if plots is not None:
        unit_of_crown = _number_names(plots)
    else:
        geometry = np.concatenate([crowns.geometry for crowns in layers])
        unit_of_crown = _number_crown_tiles(geometry, tile_side)
    units = {}
    first = 0
    for name, crowns in crowns_by_name.items():
        last = first + len(crowns)
        units[name] = unit_of_crown[first:last].astype(np.int64)
        first = last
    return units, are_plots


def _plots_of_crowns(layers: Sequence[Crowns]) -> pd.Series | None:
    """Return the plots of the crowns of all layers, one after the other.

    Args:
        layers: crowns of annotators and detectors.

    Returns:
        (n,) plots; None if a layer has no plots, or all crowns have the same.
    """
    plots: list[Any] = []
    for crowns in layers:
        if crowns.plots is None:
            return None
        plots.extend(crowns.plots)
    plot_of_crown: pd.Series = pd.Series(plots, dtype=object)
    if plot_of_crown.nunique() < 2:
        return None
    return plot_of_crown


def _number_crown_tiles(geometry: Objects, side: float) -> Ints:
    """Return the number of the square tile of each crown; numbers are consecutive.

    Args:
        geometry: (n,) polygons of the crowns.
        side: side of a tile, m.

    Returns:
        (n,) number of the tile that contains the centre of the bounding box.
    """
    bounds = shapely.bounds(geometry).reshape(-1, 4)
    centres = (bounds[:, :2] + bounds[:, 2:]) / 2
    columns_and_rows = np.floor(centres / side)
    _, tile_of_crown = np.unique(columns_and_rows, axis=0, return_inverse=True)
    return np.asarray(tile_of_crown).ravel()


def _number_names(names: pd.Series) -> Ints:
    """Return numbers (n,) of plots in the order of their names; the last one without a plot."""
    codes, distinct_names = pd.factorize(names)
    n_names = len(distinct_names)
    names_in_order = np.argsort(distinct_names.astype(str), kind="stable")
    number_of_code = np.empty(n_names + 1, dtype=np.int64)
    number_of_code[names_in_order] = np.arange(n_names)
    # Crowns without a plot have the code -1, which is the last item.
    number_of_code[-1] = n_names
    return number_of_code[codes]


def bootstrap_crown_ranking(
    ranking: CrownRanking,
    units: Mapping[str, Ints],
    *,
    are_plots: bool = False,
    resamples: int = DEFAULT_BOOTSTRAP_SAMPLES,
    seed: int = 0,
    progress: Progress = no_progress,
) -> BootstrapRanking:
    """Rank detectors by average precision in bootstrap samples of annotators and units.

    The value of a detector is the mean of its average precision over the drawn annotators. Crowns
    are matched once, in the original scene. A match counts in the unit of its target, a false
    positive in its own unit. Annotators without a target in the resample do not contribute to the
    mean.

    Args:
        ranking: see :func:`randcrowns.core.detectors.crown_ranking.rank_crown_detectors`.
        units: number of the plot or tile of each crown, by name; see :func:`assign_crown_units`.
        are_plots: True if units are plots, for messages.
        resamples: number of bootstrap samples.
        seed: seed of the random numbers; the same seed gives the same result.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        Mean average precision of the detectors in each bootstrap sample.

    Raises:
        InputError: if the number of resamples is below 1.

    >>> from randcrowns.core import RandCrownsParameters
    >>> from randcrowns.core.detectors.crown_ranking import rank_crown_detectors
    >>> trees = Crowns(shapely.box(np.arange(9) * 9, 0, np.arange(9) * 9 + 5, 5))
    >>> few_trees = trees.subset([0, 3])
    >>> detections = {"all": (trees, np.full(9, 0.5)), "few": (few_trees, np.full(2, 0.5))}
    >>> parameters = RandCrownsParameters(0.7, 1.2, 3)
    >>> ranking = rank_crown_detectors({"ann": trees}, detections, parameters)
    >>> units, _ = assign_crown_units({"ann": trees, "all": trees, "few": few_trees}, 9)
    >>> ranks = bootstrap_crown_ranking(ranking, units, resamples=50)
    >>> ranks.rank_shares[1].to_dict()
    {'all': 1.0, 'few': 0.0}
    """
    if resamples < 1:
        raise InputError(
            "ranking.no_resamples",
            "There are {resamples} resamples. Give at least one.",
            resamples=resamples,
        )
    table = ranking.average_precision.dropna(axis=0, how="all").dropna(axis=1, how="all")
    detectors = list(table.index)
    annotators = list(table.columns)
    ranked_matches = [
        matches
        for matches in ranking.matches
        if matches.detector in detectors and matches.truth in annotators
    ]
    unit_numbers = counted_units(ranked_matches, units)

    rng = random_generator(seed)
    unit_draws = draw_multiplicities(unit_numbers.size, resamples, rng)
    annotator_draws = draw_annotators(annotators, resamples, rng)
    # Average precision by detector, resample and annotator.
    values = np.full((len(detectors), resamples, len(annotators)), np.nan)
    for matches, pair_progress in iterate_with_progress(ranked_matches, progress):
        detector_row = detectors.index(matches.detector)
        annotator_column = annotators.index(matches.truth)
        values[detector_row, :, annotator_column] = _average_precision_of_pair(
            matches,
            target_unit=np.searchsorted(unit_numbers, units[matches.truth]),
            detection_unit=np.searchsorted(unit_numbers, units[matches.detector]),
            unit_draws=unit_draws,
            progress=pair_progress,
        )

    means = mean_over_annotators(values, annotator_draws)
    return BootstrapRanking(
        estimate=table.mean(axis=1),
        resamples=pd.DataFrame(means.T, columns=detectors),
        annotator_counts=annotator_draws,
        n_tiles=int(unit_numbers.size),
        tile_kind="plots" if are_plots else "tiles",
    )


def _average_precision_of_pair(
    matches: CrownMatches,
    *,
    target_unit: Ints,
    detection_unit: Ints,
    unit_draws: Floats,
    progress: Progress,
) -> Floats:
    """Compute the average precision of a detector under one annotator in all resamples.

    Args:
        matches: matches of the detector's crowns with the annotator's.
        target_unit: unit of each crown of the annotator, a column of ``unit_draws``.
        detection_unit: unit of each crown of the detector, a column of ``unit_draws``.
        unit_draws: (resamples, units) how often each unit was drawn.
        progress: receives the fraction done.

    Returns:
        (resamples,) average precision; NaN for a resample without a target.
    """
    resamples = len(unit_draws)
    values = np.empty(resamples)
    # The memory holds a number per detection and resample.
    resamples_per_part = max(1, _CELLS // (len(matches.detections) + 1))
    for part in split_range(resamples, resamples_per_part):
        values[part] = _resampled_average_precision(
            matches, target_unit, detection_unit, unit_draws[part].T
        )
        progress(part.stop / resamples)
    return values


def counted_units(
    all_matches: Sequence[CrownMatches | ClassMatches], units: Mapping[str, Ints]
) -> Ints:
    """Return the numbers of the units that contain a target or a false positive, ascending.

    Args:
        all_matches: matches of each detector under each annotator, of all classes or of one each.
        units: number of the unit of each crown, by name.
    """
    # An empty array first, because np.concatenate needs at least one.
    counted = [np.zeros(0, dtype=np.int64)]
    for matches in all_matches:
        units_of_annotator = units[matches.truth]
        units_of_detector = units[matches.detector]
        counted.append(units_of_annotator[matches.targets])
        counted.append(units_of_detector[matches.false_positives])
    return np.unique(np.concatenate(counted))


def resample_crown_ranking(
    ranking: CrownRanking,
    crowns_by_name: Mapping[str, Crowns],
    tile_side: float,
    resamples: int,
    progress: Progress = no_progress,
) -> BootstrapRanking | None:
    """Return bootstrap samples of a ranking over whole crowns, in plots or else in square tiles.

    Args:
        ranking: ranking over whole crowns.
        crowns_by_name: crowns of the annotators and of the detectors, by name.
        tile_side: side of the tiles that are resampled, m, if the crowns have no plots.
        resamples: number of bootstrap samples; 0 for none.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The bootstrap samples; None without any, or if fewer than two detectors are ranked.
    """
    n_ranked = ranking.average_precision.notna().any(axis=1).sum()
    if not resamples or n_ranked < 2:
        return None
    units, are_plots = assign_crown_units(crowns_by_name, tile_side)
    return bootstrap_crown_ranking(
        ranking, units, are_plots=are_plots, resamples=resamples, progress=progress
    )


def mean_over_annotators(values: Floats, annotator_draws: Floats) -> Floats:
    """Return means (detectors, resamples) over the drawn annotators with a value; NaN for none.

    Args:
        values: (detectors, resamples, annotators) values; NaN where undefined.
        annotator_draws: (resamples, annotators) number of times that each annotator is drawn.
    """
    has_value = ~np.isnan(values)
    n_drawn = np.where(has_value, annotator_draws, 0.0).sum(axis=2)
    sums = np.where(has_value, values * annotator_draws, 0.0).sum(axis=2)
    # 0/0 is NaN: no drawn annotator has a value.
    with np.errstate(invalid="ignore"):
        means = sums / n_drawn
    return cast("Floats", means)


def draw_multiplicities(number: int, resamples: int, rng: np.random.Generator) -> Floats:
    """Return how often each of n items is drawn when n are drawn with replacement.

    Args:
        number: number n of items, possibly 0.
        resamples: number of resamples.
        rng: source of random numbers.

    Returns:
        (resamples, n) counts as floats.
    """
    n_outcomes = max(number, 1)
    counts = rng.multinomial(number, np.full(n_outcomes, 1 / n_outcomes), resamples)
    return counts.astype(float)[:, :number]


def draw_annotators(annotators: Sequence[str], resamples: int, rng: np.random.Generator) -> Floats:
    """Return how often each annotator is drawn; the order of the annotators changes nothing.

    Args:
        annotators: (n,) distinct names.
        resamples: number of resamples.
        rng: source of random numbers.

    Returns:
        (resamples, n) counts as floats.

    >>> draws = draw_annotators(["ben", "ann"], 9, np.random.default_rng(0))
    >>> other_order = draw_annotators(["ann", "ben"], 9, np.random.default_rng(0))
    >>> bool((draws == other_order[:, ::-1]).all())
    True
    """
    rank_by_name = np.argsort(np.argsort(np.array(annotators, dtype=str)))
    return draw_multiplicities(len(annotators), resamples, rng)[:, rank_by_name]


def _resampled_average_precision(
    matches: CrownMatches, target_unit: Ints, detection_unit: Ints, times: Floats
) -> Floats:
    """Compute the average precision of a detector under one annotator in several resamples.

    Recall rises only at scores at which a target is found. False positives between two such scores
    are added to the lower one, so only these scores need a level.

    Args:
        matches: matches of the detector's crowns with the annotator's.
        target_unit: unit of each crown of the annotator, a row of ``times``.
        detection_unit: unit of each crown of the detector, a row of ``times``.
        times: (units, resamples) how often each unit was drawn.

    Returns:
        (resamples,) average precision; NaN for a resample without a target.
    """
    n_units = len(times)
    n_targets = np.bincount(target_unit[matches.targets], minlength=n_units) @ times
    is_match = matches.target_of_detection >= 0
    if not is_match.any():
        return np.where(n_targets > 0, 0.0, np.nan)
    unit_of_target = target_unit[matches.target_of_detection]
    unit_of_detection = detection_unit[matches.detections]
    counting_unit = np.where(is_match, unit_of_target, unit_of_detection)
    # Levels rise with falling confidence.
    levels = np.unique(-matches.confidence[is_match])
    level_of_detection = np.searchsorted(levels, -matches.confidence)

    # False positives below the last level fall into one more row, which is dropped.
    shape = (levels.size + 1, n_units)
    match_weights = sum_weights(level_of_detection, counting_unit, is_match.astype(float), shape)
    all_weights = sum_weights(level_of_detection, counting_unit, np.ones(is_match.size), shape)
    matches_per_level = match_weights @ times
    detections_per_level = all_weights @ times
    true_positives = np.cumsum(matches_per_level[:-1], axis=0)
    n_detections = np.cumsum(detections_per_level[:-1], axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(n_detections > 0, true_positives / n_detections, 0.0)
        # Interpolated precision: the highest one at this level or any later one.
        best_precision = np.maximum.accumulate(precision[::-1], axis=0)[::-1]
        gained_targets = np.diff(true_positives, axis=0, prepend=0.0)
        return cast("Floats", (best_precision * gained_targets).sum(axis=0) / n_targets)
