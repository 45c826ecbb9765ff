"""How much a score depends on who drew the target, and which crowns to look at: where RandCrowns and IoU disagree most,
agree at the top or at the bottom, and where annotators do (Stewart et al. 2021, Section IV, Eq. 15, Figs. 4 to 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.crowns import CrownsLike, extent_polygon
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import cut_to
from randcrowns.core.given import as_declared
from randcrowns.core.progress import Progress, no_progress, part_of
from randcrowns.core.remarks import Said
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import offset_table, score_table
from randcrowns.core.statistics import known_mean, plot_codes, ratio_interval
from randcrowns.core.status import ALL, Status, Term
from randcrowns.core.tuning.experiment import MIN_IOU, Experiment, seen_crowns, shared_crowns


class AnnotatorVariance(NamedTuple):
    """What :func:`annotator_variance` finds.

    Attributes:
        summary: a row per target annotator, then one for "all": ``target_annotator``; ``crowns``, ``too_small``
            (excluded from all three scores), ``missed``, the number of targets and of pairs; ``<score>_mean``;
            ``<score>_variance`` (Eq. 15) with ``_low`` and ``_high``, its 95 % interval (see
            :func:`randcrowns.core.statistics.ratio_interval`); ``resampled``, whose interval that is: of "plots" where
            the crowns lie in several, otherwise of "crowns"; ``reason``, why a variance is missing, or empty.
        crowns: a row per target: ``crown`` (number of the shared crown), ``target_annotator``, ``target_id``,
            ``<score>_mean``, ``<score>_variance`` over its delineations; NaN where the target is too small.
        scores: a row per pair, for the scatter of Fig. 2: ``crown``, ``target_annotator``, ``target_id``,
            ``delineation_annotator``, ``delineation_id``, the three scores, ``target_area``, ``delineation_area``
            (m²), ``status``.
        experiment: the crowns that take part, and those that do not.
    """

    summary: pd.DataFrame
    crowns: pd.DataFrame
    scores: pd.DataFrame
    experiment: Experiment

    @property
    def overall(self) -> pd.Series:
        """The row of ``summary`` for all target annotators, whatever they are called."""
        return self.summary.iloc[-1]


@as_declared
def annotator_variance(
    annotators: Sequence[CrownsLike],
    parameters: RandCrownsParameters,
    extent: Any = None,
    *,
    targets: CrownsLike | None = None,
    min_iou: float = MIN_IOU,
    progress: Progress = no_progress,
) -> AnnotatorVariance:
    """The experiments of Section IV: each annotator in turn the target, the others delineations (Table II), or crowns
    drawn in the field as targets (Table IV).

    A crown takes part when every annotator drew it, see :mod:`randcrowns.core.tuning.experiment`; for such crowns the
    pairing by highest IoU of the paper gives the same pairs.

    Args:
        annotators: each a :class:`randcrowns.core.crowns.Crowns` or an array of polygons in metres; at least three
            for a variance, or two beside targets; with fewer the scores alone are found.
        parameters: alpha, omega, gamma and the kind of offsets.
        extent: a polygon, or xmin, ymin, xmax, ymax, that every offset of a target and every delineation is cut to. A
            crown with a target outside it is excluded.
        targets: crowns drawn in the field, likewise: these alone are targets.
        min_iou: the least IoU of two drawings of the same crown.

    Raises:
        InputError: for too few annotators, one who drew nothing, different coordinate systems, no crown that all drew,
            or none within the extent.

    >>> layers = [[shapely.box(0, 0, 5 + k, 5), shapely.box(20, 0, 25, 5 + k)] for k in (0, 0.5, 1)]
    >>> found = annotator_variance(layers, RandCrownsParameters(0.7, 1.2, 3))
    >>> float(found.overall["iou_variance"].round(4))
    0.0021
    """
    experiment = shared_crowns(annotators, targets, min_iou, part_of(progress, 0.0, 0.2))
    return experiment_variance(experiment, parameters, extent, part_of(progress, 0.2, 1.0))


def experiment_variance(
    experiment: Experiment,
    parameters: RandCrownsParameters,
    extent: Any = None,
    progress: Progress = no_progress,
) -> AnnotatorVariance:
    """Scores and variances of an experiment whose crowns are known; see :func:`annotator_variance`."""
    within = extent_polygon(extent)
    experiment = seen_crowns(experiment, within)
    scores = _pair_scores(experiment, parameters, within, part_of(progress, 0.0, 0.94))
    crowns = _crown_variances(experiment, scores)
    summary = _summary(experiment, crowns, scores)
    unknown = summary["randcrowns_variance"].isna()
    why = _no_variance(experiment, within)
    summary["reason"] = [why if one else "" for one in unknown]
    progress(1.0)
    return AnnotatorVariance(summary, crowns, scores, experiment)


def _pair_scores(
    experiment: Experiment, parameters: RandCrownsParameters, extent: Any, progress: Progress
) -> pd.DataFrame:
    """Every target with each of its delineations; the delineations of one target stand together."""
    geometry, ids = experiment.geometry.ravel(), experiment.ids.ravel()
    names = np.array(experiment.names, dtype=object)
    n_delineations = len(experiment.delineation)
    target = np.repeat(np.arange(experiment.n_targets * experiment.n_crowns), n_delineations)
    drawn = experiment.delineation.T.ravel()
    table = offset_table(
        geometry, cut_to(extent, geometry), target, drawn, parameters, extent, progress
    )
    scored = score_table(table)
    area = shapely.area(geometry)
    return cast(
        "pd.DataFrame",
        pd.DataFrame(
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
        ),
    )


def _crown_variances(experiment: Experiment, scores: pd.DataFrame) -> pd.DataFrame:
    n_delineations = len(experiment.delineation)
    too_small = (scores["status"] == Status.TARGET_TOO_SMALL).to_numpy()[::n_delineations]
    columns = {
        name: scores[name].to_numpy()[::n_delineations]
        for name in ("crown", "target_annotator", "target_id")
    }
    for name in SCORES:
        values = np.array(scores[name], dtype=float).reshape(-1, n_delineations)
        values[too_small] = np.nan
        columns[f"{name}_mean"] = values.mean(axis=1)
        several = n_delineations > 1
        columns[f"{name}_variance"] = (
            values.var(axis=1, ddof=1) if several else np.full(len(values), np.nan)
        )
    return cast("pd.DataFrame", pd.DataFrame(columns))


def _summary(experiment: Experiment, crowns: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    n_targets, n_crowns = experiment.n_targets, experiment.n_crowns
    too_small = crowns["randcrowns_mean"].isna().to_numpy().reshape(n_targets, -1).sum(axis=1)
    missed = (scores["status"] == Status.MISSED).to_numpy().reshape(n_targets, -1).sum(axis=1)
    columns: dict[str, Any] = {
        "target_annotator": [*experiment.names[:n_targets], ALL],
        "crowns": [*[n_crowns] * n_targets, len(crowns)],
        "too_small": [*too_small, too_small.sum()],
        "missed": [*missed, missed.sum()],
    }
    plots = plot_codes(experiment.plots)
    for score in SCORES:
        means = crowns[f"{score}_mean"].to_numpy().reshape(n_targets, -1)
        variances = crowns[f"{score}_variance"].to_numpy().reshape(n_targets, -1)
        columns[f"{score}_mean"] = [*known_mean(means, axis=1), known_mean(means)]
        columns[f"{score}_variance"] = [*known_mean(variances, axis=1), known_mean(variances)]
        known = ~np.isnan(variances)
        added = np.stack([np.where(known, variances, 0.0), known], axis=-1)
        # Of a shared crown all annotators' targets count together.
        part, whole = np.concatenate([added, added.sum(axis=0, keepdims=True)]).transpose(2, 1, 0)
        columns[f"{score}_variance_low"], columns[f"{score}_variance_high"] = ratio_interval(
            part, whole, plots
        )
    columns["resampled"] = "crowns" if plots is None else "plots"
    return cast("pd.DataFrame", pd.DataFrame(columns))


def _no_variance(experiment: Experiment, extent: Any) -> str:
    """Why a variance is missing."""
    if len(experiment.delineation) < 2:
        return Said(
            "there is only one delineation per target, and a variance needs two: three annotators, or two beside a "
            "layer of targets"
        )
    if extent is None:
        return Said("every target is narrower than twice alpha; choose a smaller alpha")
    return Said(
        "every target is narrower than twice alpha, or no more than its edge lies within the image extent; choose a "
        "smaller alpha"
    )


#: An IoU below this is a false positive by the usual threshold; a RandCrowns above that is a high one (Fig. 4).
_LOW_IOU, _HIGH_RANDCROWNS = 0.5, 0.9
#: Both scores below this agree on a poor delineation (Fig. 6).
_BOTH_LOW = 0.4

_SCORE_COLUMNS = ("randcrowns", "iou", "target_area", "delineation_area")


class Pick(Term):
    """Why a pair is worth looking at."""

    #: High RandCrowns, low IoU, and the delineation is the larger of the two (Fig. 4a-d, Fig. 8).
    FORGIVEN_LARGER = "forgiven_larger"
    #: High RandCrowns, low IoU, and the delineation is the smaller (Fig. 4e-h).
    FORGIVEN_SMALLER = "forgiven_smaller"
    #: Both scores are highest (Fig. 5).
    BOTH_HIGH = "both_high"
    #: Both scores are low (Fig. 6).
    BOTH_LOW = "both_low"
    #: RandCrowns is lower than IoU (Fig. 7).
    RANDCROWNS_LOWER = "randcrowns_lower"


# Digits of a variance beside the median that are more than rounding.
_DIGITS = 9


class Look(Term):
    """Why a target is worth looking at."""

    #: Its RandCrowns differs most between delineations.
    WORST = "worst"
    #: Its variance is nearest to the median of all targets.
    TYPICAL = "typical"


@as_declared
def gallery_picks(scores: pd.DataFrame, number: int = 4) -> pd.DataFrame:
    """The pairs that show best what the two scores make of a delineation.

    Args:
        scores: the table ``scores`` of :func:`annotator_variance`, or any with ``randcrowns``, ``iou``,
            ``target_area`` and ``delineation_area``. Pairs without a score are passed over.
        number: the most pairs of each kind; the paper shows four.

    Returns:
        The rows picked, with ``pick`` (a :class:`Pick` as text) and ``place`` (1 for the clearest case) in front, kind
        by kind. A shared crown stands at most once in a kind. Pairs with equal scores keep the order of the table.

    Raises:
        InputError: when a column is missing, or the number is not a whole number from 1.

    >>> areas = {"target_area": 9, "delineation_area": 12}
    >>> scores = pd.DataFrame({"randcrowns": [0.95, 0.2], "iou": [0.4, 0.1], **areas})
    >>> gallery_picks(scores)["pick"].tolist()
    ['forgiven_larger', 'both_low']
    """
    _check(scores, _SCORE_COLUMNS, number)
    known = scores[scores["randcrowns"].notna() & scores["iou"].notna()]
    randcrowns, iou = known["randcrowns"], known["iou"]
    forgiven = (randcrowns >= _HIGH_RANDCROWNS) & (iou < _LOW_IOU)
    larger = known["delineation_area"] >= known["target_area"]
    chosen = {
        Pick.FORGIVEN_LARGER: (forgiven & larger, iou - randcrowns),
        Pick.FORGIVEN_SMALLER: (forgiven & ~larger, iou - randcrowns),
        Pick.BOTH_HIGH: (
            (randcrowns >= _HIGH_RANDCROWNS) & (iou >= _LOW_IOU),
            -np.minimum(randcrowns, iou),
        ),
        Pick.BOTH_LOW: (
            (randcrowns < _BOTH_LOW) & (iou < _BOTH_LOW) & (randcrowns >= iou),
            np.maximum(randcrowns, iou),
        ),
        Pick.RANDCROWNS_LOWER: (randcrowns < iou, randcrowns - iou),
    }
    picks = {}
    for pick, (wanted, order) in chosen.items():
        rows = known.loc[order[wanted].sort_values(kind="stable").index]
        if "crown" in rows:
            rows = rows.drop_duplicates("crown")
        picks[pick.value] = rows.head(number)
    return _placed(picks, "pick")


@as_declared
def crown_looks(crowns: pd.DataFrame, number: int = 4) -> pd.DataFrame:
    """The targets on which the annotators' RandCrowns differ most, and those that are like most others.

    Args:
        crowns: the table ``crowns`` of :func:`annotator_variance`. Targets without a variance are passed over.
        number: the most targets of each kind.

    Returns:
        The rows picked, with ``look`` (a :class:`Look` as text) and ``place`` in front; no target twice. Equal ones
        keep the order of the table.

    Raises:
        InputError: when a column is missing, or the number is not a whole number from 1.

    >>> crown_looks(pd.DataFrame({"randcrowns_variance": [0.1, 0.3, 0.2]}), number=1)["look"].tolist()
    ['worst', 'typical']
    """
    _check(crowns, ("randcrowns_variance",), number)
    known = crowns[crowns["randcrowns_variance"].notna()]
    variance = known["randcrowns_variance"]
    worst = known.loc[(-variance).sort_values(kind="stable").index].head(number)
    others = variance.drop(worst.index)
    middle = variance.median()
    # Of an even number of targets the two in the middle are equally far from it, but for rounding.
    distance = ((others - middle).abs() / (middle or 1.0)).round(_DIGITS)
    typical = known.loc[distance.sort_values(kind="stable").index].head(number)
    return _placed({Look.WORST.value: worst, Look.TYPICAL.value: typical}, "look")


def _placed(rows_of_kinds: dict[str, pd.DataFrame], column: str) -> pd.DataFrame:
    """The rows of all kinds, with the kind and the place within it in front."""
    rows = pd.concat(rows_of_kinds, names=[column]).reset_index(column).reset_index(drop=True)
    rows.insert(1, "place", rows.groupby(column, sort=False).cumcount() + 1)
    return cast("pd.DataFrame", rows)


def _check(table: pd.DataFrame, columns: tuple[str, ...], number: int) -> None:
    missing = [name for name in columns if name not in table]
    if missing:
        said = "The table has no column {missing}; take one that annotator_variance made."
        raise InputError(said, missing=", ".join(missing))
    if int(number) != number or number < 1:
        said = "The number of crowns to pick must be a whole number of at least 1, not {number}."
        raise InputError(said, number=number)
