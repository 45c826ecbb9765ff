"""Scores against several targets per crown, made by warping the drawn one.

Stewart et al. 2021 (Section IV-B) propose validation sets with several targets for each crown, such
as scaled, rotated and shifted copies of one drawing, and to compare delineation methods by the mean
and the standard deviation of their scores.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.crowns import Crowns, extent_polygon
from randcrowns.core.geometry.areas import clip_geometries
from randcrowns.core.messages import Message, note
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress
from randcrowns.core.scoring.layer import SCORES, CrownScores
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import score_pairs
from randcrowns.core.tuning.wrong_pairs import simulate_annotators
from randcrowns.core.validation import validate_arguments


@validate_arguments
def score_warped_targets(
    targets: Crowns,
    delineations: Crowns,
    scores: CrownScores,
    parameters: RandCrownsParameters,
    n_copies: int = 20,
    *,
    extent: Any = None,
    scale_sd: float = 0.1,
    rotation_sd: float = 10.0,
    shift_sd: float = 0.4,
    seed: int = 0,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Score each delineation against its target and against warped copies of the target.

    Each delineation stays with the target that it was paired with. A copy that is too small to be
    scored does not count. A target without a delineation scores 0 against each copy.

    Args:
        targets: crowns that were scored against.
        delineations: crowns that were scored.
        scores: scores of these layers, see :func:`randcrowns.core.scoring.layer.score_crowns`.
        parameters: alpha, omega, gamma and the kind of offsets.
        n_copies: number of warped copies of each target.
        extent: see :func:`randcrowns.core.scoring.layer.score_crowns`.
        scale_sd: see :func:`randcrowns.core.tuning.wrong_pairs.simulate_annotators`.
        rotation_sd: see there, degrees.
        shift_sd: see there, metres.
        seed: seed of the random numbers; the same seed gives the same copies.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        A row per target: ``target_id``, ``delineation_id`` (missing without a delineation),
        ``n_scored`` (number of scored copies, the target included), and for each of ``randcrowns``,
        ``iou`` and ``iou_crowns`` the columns ``<score>_mean`` and ``<score>_sd`` (with n - 1) over
        the target and its copies.

    Raises:
        InputError: if a parameter of the copies is invalid.

    >>> import shapely
    >>> from randcrowns.core.scoring.layer import score_crowns
    >>> tree, drawn = Crowns([shapely.box(0, 0, 9, 9)]), Crowns([shapely.box(0, 0, 9, 8)])
    >>> parameters = RandCrownsParameters(0.7, 1.2, 3)
    >>> scores = score_crowns(tree, drawn, parameters)
    >>> table = score_warped_targets(tree, drawn, scores, parameters, n_copies=5)
    >>> table[["n_scored", "iou_mean"]].round(2).to_numpy().tolist()
    [[6.0, 0.81]]
    """
    copies = simulate_annotators(
        targets,
        n_copies,
        scale_sd=scale_sd,
        rotation_sd=rotation_sd,
        shift_sd=shift_sd,
        seed=seed,
    )
    target_table = scores.targets
    target_ids = target_table["target_id"].to_numpy(float)
    delineation_ids = pd.to_numeric(target_table["delineation_id"]).to_numpy(float)
    is_paired = ~np.isnan(delineation_ids)
    target_rows = _rows_of_ids(targets, target_ids[is_paired])
    delineation_rows = _rows_of_ids(delineations, delineation_ids[is_paired])
    area = extent_polygon(extent)
    drawn_polygons = clip_geometries(area, delineations.geometry[delineation_rows])

    # The targets themselves, then their copies.
    layers = [targets, *copies]
    # (layers, targets, scores); targets without a delineation keep 0.
    values = np.zeros((len(layers), len(target_table), len(SCORES)))
    for (number, layer), _ in iterate_with_progress(list(enumerate(layers)), progress):
        pairs = score_pairs(layer.geometry[target_rows], drawn_polygons, parameters, area)
        values[number, is_paired] = pairs[list(SCORES)].to_numpy(float)
    return _tabulate(target_table, values)


def warped_targets_message(layer: str, table: pd.DataFrame, n_copies: int) -> Message:
    """Return a message with the mean RandCrowns of a layer against warped targets.

    Args:
        layer: name of the layer of delineations.
        table: table of :func:`score_warped_targets`.
        n_copies: number of warped copies of each target.
    """
    return note(
        "warped.mean",
        "Against {copies:,} warped copies of each target and the target itself, the mean "
        "RandCrowns of {layer} is {mean:.3f}. The standard deviation over the copies of a target "
        "is {sd:.3f} on average.",
        one="Against 1 warped copy of each target and the target itself, the mean RandCrowns of "
        "{layer} is {mean:.3f}. The standard deviation of a target is {sd:.3f} on average.",
        count=n_copies,
        copies=n_copies,
        layer=layer,
        mean=float(table["randcrowns_mean"].mean()),
        sd=float(table["randcrowns_sd"].mean()),
    )


def _rows_of_ids(crowns: Crowns, ids: Floats) -> Ints:
    """Return the row (n,) of each id (n,) among crowns."""
    order = np.argsort(crowns.ids, kind="stable")
    sorted_ids = crowns.ids[order]
    positions = np.searchsorted(sorted_ids, ids.astype(np.int64))
    return np.asarray(order[positions])


def _tabulate(rows: pd.DataFrame, values: Floats) -> pd.DataFrame:
    """Return the mean and the standard deviation of each target's scores.

    Args:
        rows: table of the T targets.
        values: (C, T, 3) scores against C targets of each crown; NaN where there is no score.
    """
    table = rows[["target_id", "delineation_id"]].reset_index(drop=True)
    is_scored = ~np.isnan(values)
    n_scored = is_scored.sum(axis=0)
    # A target with one score has no standard deviation.
    freedom = np.where(n_scored > 1, n_scored - 1, np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(is_scored, values, 0.0).sum(axis=0) / n_scored
        squares = np.where(is_scored, (values - means) ** 2, 0.0).sum(axis=0)
        deviations = np.sqrt(squares / freedom)
    # All scores are defined for the same copies.
    table["n_scored"] = n_scored[:, 0]
    for number, name in enumerate(SCORES):
        table[f"{name}_mean"] = means[:, number]
        table[f"{name}_sd"] = deviations[:, number]
    return cast("pd.DataFrame", table)
