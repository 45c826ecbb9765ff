"""Units on which detectors are ranked by area, with all values that belong to them.

Units are pixels of a grid, or faces of the overlaid polygons. The decisions of the annotators, the
scores of the detectors, the weights and the tiles of the units are one object, from which rankings
and their bootstrap samples are computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from randcrowns.core.agreement.consensus import (
    GROUND_TRUTH_NAMES,
    EstimationOptions,
    GroundTruths,
    consensus_method,
)
from randcrowns.core.agreement.image_stack import ImageStack
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats, Ints
from randcrowns.core.detectors.bootstrap import BootstrapRanking, bootstrap_ranking
from randcrowns.core.detectors.faces import DetectorFaces
from randcrowns.core.detectors.ranking import DetectorRanking, rank_detectors
from randcrowns.core.detectors.tolerance import Tolerance
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress


@dataclass(frozen=True, eq=False)
class RankedUnits:
    """Units that are ranked: (rows, columns) pixels of a grid, or (F,) faces of an overlay.

    Arrays "per unit" have one of these shapes. Several images or plots are laid out in one array.

    Attributes:
        votes: decisions of the annotators on the units.
        scores: score per unit by detector; minus infinity without a detection, NaN where unknown.
        is_valid: True per unit that is counted.
        tiles: number of the tile per unit, for resampling.
        face_areas: (F,) area of each face, m²; None for pixels, which all have the same weight.
        tolerance: distance from the ground truth within which detections are right; None for none.
        windows: slices of the units of each of several images or plots, by name; empty for a single
            one.
    """

    votes: VoteTable
    scores: dict[str, Floats]
    is_valid: Bools
    tiles: Ints
    face_areas: Floats | None = None
    tolerance: Tolerance | None = None
    windows: dict[str, tuple[slice, ...]] = field(default_factory=dict)

    @classmethod
    def of_faces(cls, faces_by_plot: Mapping[str, DetectorFaces]) -> RankedUnits:
        """Return the faces of all plots, one plot after the other.

        With several plots, each plot is a tile for resampling.

        Args:
            faces_by_plot: faces of the same annotators and detectors by the name of the plot.

        >>> import shapely
        >>> from randcrowns.core.detectors.faces import overlay_detectors
        >>> left, right = shapely.box(0, 0, 2, 1), shapely.box(1, 0, 3, 1)
        >>> faces = overlay_detectors({"ann": [left]}, {"net": ([right], [0.7])}, left)
        >>> units = RankedUnits.of_faces({"a": faces, "b": faces})
        >>> units.tiles.tolist(), units.windows["b"]
        ([0, 0, 1, 1], (slice(2, 4, None),))
        """
        plots = list(faces_by_plot.values())
        first_plot = plots[0]
        if len(plots) == 1:
            return cls(
                votes=first_plot.votes,
                scores=first_plot.scores,
                is_valid=np.ones(len(first_plot.areas), dtype=bool),
                tiles=first_plot.tiles,
                face_areas=first_plot.areas,
            )
        layout = ImageStack(tuple(plot.areas.shape for plot in plots))
        scores = {}
        for name in first_plot.scores:
            scores[name] = np.concatenate([plot.scores[name] for plot in plots])
        face_counts = [len(plot.areas) for plot in plots]
        return cls(
            votes=VoteTable.merge([plot.votes for plot in plots]),
            scores=scores,
            is_valid=np.ones(layout.shape, dtype=bool),
            tiles=np.repeat(np.arange(len(plots)), face_counts),
            face_areas=np.concatenate([plot.areas for plot in plots]),
            windows=dict(zip(faces_by_plot, layout.windows)),
        )

    def in_window(self, window: tuple[slice, ...]) -> RankedUnits:
        """Return the scores and weights of the units of one image or plot; the votes stay.

        Args:
            window: slices of the units, one of :attr:`windows`.
        """
        face_areas = None if self.face_areas is None else self.face_areas[window]
        return replace(
            self,
            scores={name: score[window] for name, score in self.scores.items()},
            is_valid=self.is_valid[window],
            tiles=self.tiles[window],
            face_areas=face_areas,
            windows={},
        )

    @property
    def weights(self) -> Floats:
        """Weight per unit: the area of a face; 1 for a pixel that is counted, otherwise 0."""
        return self.is_valid.astype(float) if self.face_areas is None else self.face_areas


def rank_units(
    units: RankedUnits,
    truths: GroundTruths,
    limits: tuple[float, float],
    progress: Progress = no_progress,
) -> DetectorRanking:
    """Return the ranking by area, see :func:`randcrowns.core.detectors.ranking.rank_detectors`.

    Args:
        units: units that are ranked.
        truths: ground truths on these units.
        limits: lower and upper skew limit.
        progress: called with the fraction done.
    """
    min_skew, max_skew = limits
    return rank_detectors(
        units.scores,
        truths,
        min_skew,
        max_skew,
        weight=units.face_areas,
        valid=units.is_valid,
        tolerance=units.tolerance,
        progress=progress,
    )


def rank_windows(
    units: RankedUnits,
    truths: GroundTruths,
    limits: tuple[float, float],
    progress: Progress = no_progress,
) -> dict[str, DetectorRanking]:
    """Return the ranking on each of several images or plots, by name.

    Args:
        units: units of all images.
        truths: ground truths on these units, made from all images.
        limits: lower and upper skew limit.
        progress: called with the fraction done.
    """
    rankings = {}
    windows = list(units.windows.items())
    for (name, window), window_progress in iterate_with_progress(windows, progress):
        rankings[name] = rank_units(
            units.in_window(window), truths.in_window(window), limits, window_progress
        )
    return rankings


@dataclass(frozen=True)
class Resampling:
    """Number and method of the bootstrap samples of a ranking by area.

    Attributes:
        samples: number of bootstrap samples; 0 for none.
        method: consensus method that makes the ground truth of a sample, a key of
            ``GROUND_TRUTH_NAMES``.
        estimation: options of the method.
    """

    samples: int
    method: str
    estimation: EstimationOptions


def resampled_truth_name(method: str, annotators: Sequence[str]) -> str:
    """Return the name of the ground truth that is resampled.

    The drawing of a single annotator is the ground truth, whatever the method.

    Args:
        method: consensus method, a key of ``GROUND_TRUTH_NAMES``.
        annotators: names of the annotators.

    >>> resampled_truth_name("0.5", ["ann", "ben"]), resampled_truth_name("0.5", ["ann"])
    ('0.5-GT', 'ann')
    """
    return annotators[0] if len(annotators) == 1 else GROUND_TRUTH_NAMES[method]


def resample_units(
    units: RankedUnits,
    ranking: DetectorRanking,
    truth: str,
    resampling: Resampling,
    limits: tuple[float, float],
    progress: Progress = no_progress,
) -> BootstrapRanking | None:
    """Return bootstrap samples of a ranking by area, of the detectors that have values.

    Args:
        units: units that are ranked.
        ranking: ranking of the detectors on these units.
        truth: name of the ground truth that is resampled; its values are the estimates.
        resampling: number of samples, and how the ground truth of a sample is made.
        limits: lower and upper skew limit.
        progress: called with the fraction done.

    Returns:
        The bootstrap samples; None if none are requested, or no detector has values.
    """
    scores = {name: score for name, score in units.scores.items() if name not in ranking.reasons}
    if not resampling.samples or not scores:
        return None
    method = resampling.method
    if units.votes.n_annotators == 1:
        # The votes of a single annotator are the ground truth.
        method = "0.5"
    min_skew, max_skew = limits
    resampled = bootstrap_ranking(
        scores,
        units.votes,
        units.tiles,
        min_skew,
        max_skew,
        rule=consensus_method(method, resampling.estimation),
        weight=units.face_areas,
        valid=units.is_valid,
        tolerance=units.tolerance,
        resamples=resampling.samples,
        progress=progress,
    )
    estimate = resampled.estimate
    if truth in ranking.aucr:
        estimate = ranking.aucr.loc[list(scores), truth]
    tile_kind = "plots" if units.windows else "tiles"
    return replace(resampled, estimate=estimate, tile_kind=tile_kind)
