"""How much a score depends on who drew the target (Stewart et al. 2021, Section IV, Eq. 15, Tables II and IV)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.parameters import RandCrownsParameters
from randcrowns.core.progress import Progress, no_progress, part_of
from randcrowns.core.randcrowns import score_pairs
from randcrowns.core.shared_crowns import MIN_IOU, CrownsLike, Experiment, against_targets, cross_validation
from randcrowns.core.status import Status
from randcrowns.core.summary import ALL, SCORES, mean_interval

__all__ = ["AnnotatorVariance", "annotator_variance", "experiment_variance", "field_variance"]

_ONE_DELINEATION = (
    "there is only one delineation per target, and a variance needs two: three annotators, or two beside a layer of "
    "targets"
)
_NOTHING_SCORED = "every target is narrower than twice alpha; choose a smaller alpha"


class AnnotatorVariance(NamedTuple):
    """What :func:`annotator_variance` and :func:`field_variance` find.

    Attributes:
        summary: a row per target annotator, then one for "all": ``target_annotator``; ``crowns``, ``too_small``
            (left out of all three scores), ``missed``, the number of targets and of pairs; ``<score>_mean``;
            ``<score>_variance`` (Eq. 15) with ``_low`` and ``_high``, its 95 % bootstrap interval over crowns;
            ``reason``, why a variance is missing, or empty.
        crowns: a row per target: ``crown`` (number of the shared crown), ``target_annotator``, ``target_id``,
            ``<score>_mean``, ``<score>_variance`` over its delineations; NaN where the target is too small.
        scores: a row per pair, for the scatter of Fig. 2: ``crown``, ``target_annotator``, ``target_id``,
            ``delineation_annotator``, ``delineation_id``, the three scores, ``target_area``, ``delineation_area``
            (m²), ``status``.
        left_out: the crowns that are not shared: ``annotator``, ``crown_id``, ``reason``.
        experiment: the shared crowns themselves.
    """

    summary: pd.DataFrame
    crowns: pd.DataFrame
    scores: pd.DataFrame
    left_out: pd.DataFrame
    experiment: Experiment


def annotator_variance(
    annotators: Sequence[CrownsLike],
    parameters: RandCrownsParameters,
    extent: Any = None,
    *,
    min_iou: float = MIN_IOU,
    seed: int = 0,
    progress: Progress = no_progress,
) -> AnnotatorVariance:
    """The cross-validation of Section IV-A: each annotator in turn the target, the others delineations (Table II).

    A crown takes part when every annotator drew it: any two of its drawings are each other's best by IoU, with an IoU
    of at least ``min_iou``. All others are listed in ``left_out`` with the reason. For such crowns the pairing by
    highest IoU of the paper and this rule give the same pairs.

    Args:
        annotators: each a :class:`randcrowns.core.crowns.Crowns` or an array of polygons in metres; at least three
            for a variance, with two the scores alone are found.
        parameters: alpha, omega, gamma and the kind of offsets.
        extent: a polygon, or xmin, ymin, xmax, ymax, that every offset of a target is cut to.
        min_iou: the least IoU of two drawings of the same crown.
        seed: of the bootstrap intervals.
        progress: told the fraction done.

    Raises:
        InputError: for fewer than two annotators, one who drew nothing, different coordinate systems, or no crown
            that all drew.
    """
    return experiment_variance(
        cross_validation(annotators, min_iou), parameters, extent, seed=seed, progress=part_of(progress, 0.1, 1.0)
    )


def field_variance(
    targets: CrownsLike,
    annotators: Sequence[CrownsLike],
    parameters: RandCrownsParameters,
    extent: Any = None,
    *,
    min_iou: float = MIN_IOU,
    seed: int = 0,
    progress: Progress = no_progress,
) -> AnnotatorVariance:
    """The experiment of Section IV-B: field polygons as targets, two or more image annotators as delineations.

    A target takes part when it and some delineation of every annotator are each other's best by IoU, with an IoU of at
    least ``min_iou``; the other targets are listed in ``left_out``.

    Args:
        targets: the crowns drawn in the field: a :class:`randcrowns.core.crowns.Crowns` or an array of polygons in
            metres.
        annotators: the delineations of each annotator, likewise.
        parameters, extent, min_iou, seed, progress: as in :func:`annotator_variance`.

    Raises:
        InputError: without annotators, for a layer without crowns, or no target that everyone drew.
    """
    return experiment_variance(
        against_targets(targets, annotators, min_iou),
        parameters,
        extent,
        seed=seed,
        progress=part_of(progress, 0.1, 1.0),
    )


def experiment_variance(
    experiment: Experiment,
    parameters: RandCrownsParameters,
    extent: Any = None,
    *,
    seed: int = 0,
    progress: Progress = no_progress,
) -> AnnotatorVariance:
    """Scores and variances of an experiment whose crowns are known; see :func:`annotator_variance`."""
    scores = _pair_scores(experiment, parameters, extent, progress)
    crowns = _crown_variances(experiment, scores)
    summary = _summary(experiment, crowns, scores, seed)
    progress(1.0)
    return AnnotatorVariance(summary, crowns, scores, experiment.left_out, experiment)


def _pair_scores(
    experiment: Experiment, parameters: RandCrownsParameters, extent: Any, progress: Progress
) -> pd.DataFrame:
    """Every target with each of its delineations; the delineations of one target stand together."""
    geometry, ids = experiment.geometry.ravel(), experiment.ids.ravel()
    names = np.array(experiment.names, dtype=object)
    n_delineations = len(experiment.delineation)
    target = np.repeat(np.arange(experiment.n_targets * experiment.n_crowns), n_delineations)
    drawn = experiment.delineation.T.ravel()
    scored = score_pairs(geometry[target], geometry[drawn], parameters, extent, progress=progress)
    area = shapely.area(geometry)
    return pd.DataFrame(
        {
            "crown": target % experiment.n_crowns,
            "target_annotator": names[target // experiment.n_crowns],
            "target_id": ids[target],
            "delineation_annotator": names[drawn // experiment.n_crowns],
            "delineation_id": ids[drawn],
            **{name: scored[name].to_numpy() for name in SCORES},
            "target_area": area[target],
            "delineation_area": area[drawn],
            "status": scored["status"].to_numpy(),
        }
    )


def _crown_variances(experiment: Experiment, scores: pd.DataFrame) -> pd.DataFrame:
    n_delineations = len(experiment.delineation)
    crowns = scores.loc[::n_delineations, ["crown", "target_annotator", "target_id"]].reset_index(drop=True)
    too_small = (scores["status"] == Status.TARGET_TOO_SMALL).to_numpy()[::n_delineations]
    for name in SCORES:
        values = scores[name].to_numpy(dtype=float).reshape(-1, n_delineations).copy()
        values[too_small] = np.nan
        crowns[f"{name}_mean"] = values.mean(axis=1)
        crowns[f"{name}_variance"] = values.var(axis=1, ddof=1) if n_delineations > 1 else np.nan
    return crowns


def _summary(experiment: Experiment, crowns: pd.DataFrame, scores: pd.DataFrame, seed: int) -> pd.DataFrame:
    several = len(experiment.delineation) > 1
    rows = []
    targets = experiment.names[: experiment.n_targets]
    for name in [*targets, ALL]:
        some, pairs = crowns, scores
        if name is not ALL:
            some = crowns[crowns["target_annotator"] == name]
            pairs = scores[scores["target_annotator"] == name]
        scored = some[some["randcrowns_mean"].notna()]
        row: dict[str, Any] = {
            "target_annotator": name,
            "crowns": len(some),
            "too_small": len(some) - len(scored),
            "missed": int((pairs["status"] == Status.MISSED).sum()),
        }
        for score in SCORES:
            row[f"{score}_mean"] = scored[f"{score}_mean"].mean()
            row.update(_variance_row(scored, score, seed))
        row["reason"] = "" if several and len(scored) else _ONE_DELINEATION if not several else _NOTHING_SCORED
        rows.append(row)
    return pd.DataFrame(rows)


def _variance_row(scored: pd.DataFrame, score: str, seed: int) -> dict[str, float]:
    """Eq. 15 with its interval: whole crowns are drawn, with all annotators' targets of each."""
    column = f"{score}_variance"
    of_crown = scored.groupby("crown")[column].mean().to_numpy(dtype=float)
    low, high = (np.nan, np.nan) if np.isnan(of_crown).any() else mean_interval(of_crown, seed)
    return {column: scored[column].mean(), f"{column}_low": low, f"{column}_high": high}
