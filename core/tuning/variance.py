"""Variance of scores between annotators, and selections of pairs and crowns to display.

The variance (Stewart et al. 2021, Section IV, Eq. 15) measures how much a score depends on who drew
the target. The selections show pairs on which RandCrowns and IoU disagree most or agree (Figs. 4 to
8), and targets on which annotators disagree most.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.crowns import CrownsLike, extent_polygon
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import clip_geometries
from randcrowns.core.messages import TranslatableText
from randcrowns.core.progress import Progress, no_progress, subprogress
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import compute_offset_table, scores_to_table
from randcrowns.core.statistics import nan_mean, plot_codes, ratio_interval
from randcrowns.core.status import ALL_PLOTS, Status, TextEnum
from randcrowns.core.thresholds import falls_below, reaches
from randcrowns.core.tuning.experiment import (
    MIN_IOU,
    Experiment,
    exclude_unseen_crowns,
    find_shared_crowns,
)
from randcrowns.core.validation import validate_arguments


class AnnotatorVariance(NamedTuple):
    """Scores of shared crowns and their variance between annotators.

    ``<score>`` stands for each of ``randcrowns``, ``iou`` and ``iou_crowns``.
    """

    #: A row per target annotator, then one for all of them. Columns:
    #:
    #: - ``target_annotator``: name, "all" in the last row;
    #: - ``crowns``: number of targets;
    #: - ``too_small``: number of targets that are too small for alpha and excluded from all scores;
    #: - ``missed``: number of pairs with the status "missed";
    #: - ``<score>_mean``, ``<score>_variance``: mean score, and average variance (Eq. 15);
    #: - ``<score>_variance_low``, ``<score>_variance_high``: 95 % interval of the variance, see
    #:   :func:`randcrowns.core.statistics.ratio_interval`;
    #: - ``resampled``: unit of the intervals, "plots" if the crowns lie in several plots, else
    #:   "crowns";
    #: - ``reason``: why the variance is missing, "" if it is not.
    summary: pd.DataFrame
    #: A row per target: ``crown`` (index of the shared crown), ``target_annotator``, ``target_id``,
    #: ``<score>_mean`` and ``<score>_variance`` over its delineations; NaN if it is too small.
    crowns: pd.DataFrame
    #: A row per pair: ``crown``, ``target_annotator``, ``target_id``, ``delineation_annotator``,
    #: ``delineation_id``, the three scores, ``target_area`` and ``delineation_area`` (m²),
    #: ``status``; for a scatter plot as in Fig. 2.
    scores: pd.DataFrame
    #: The shared crowns, and those excluded.
    experiment: Experiment

    @property
    def overall(self) -> pd.Series:
        """Row of ``summary`` for all target annotators."""
        return self.summary.iloc[-1]


@validate_arguments
def annotator_variance(
    annotators: Sequence[CrownsLike],
    parameters: RandCrownsParameters,
    extent: Any = None,
    *,
    targets: CrownsLike | None = None,
    min_iou: float = MIN_IOU,
    progress: Progress = no_progress,
) -> AnnotatorVariance:
    """Compute the average variance of scores between annotators (Stewart et al. 2021, Eq. 15).

    For K crowns with Z delineations each, the average variance of a score x is

        S² = 1/K · sum_k sum_z (x(D_zk, T_k) - mean_k)² / (Z - 1),

    where D_zk is the z-th delineation of the target T_k and mean_k the mean over z. Each annotator
    is the target in turn and the others are delineations (Section IV-A, Table II). If ``targets``
    are passed, they are the only targets (Section IV-B, Table IV).

    Only crowns that all annotators drew are scored, see :mod:`randcrowns.core.tuning.experiment`.
    For these crowns, the pairing by highest IoU of the paper gives the same pairs.

    Args:
        annotators: layers of crowns, one per annotator, as
            :class:`randcrowns.core.crowns.Crowns` or arrays of polygons in metres. A variance
            needs at least three, or two if ``targets`` are passed; with fewer, variances are NaN.
        parameters: alpha, omega, gamma and the kind of offsets.
        extent: polygon, or xmin, ymin, xmax, ymax, that all offsets of targets and all
            delineations are clipped to. Crowns with a target outside it are excluded.
        targets: layer of crowns drawn in the field.
        min_iou: minimum IoU of two drawings of the same crown.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        Scores per pair, per target and per annotator.

    Raises:
        InputError: if there are too few annotators, a layer is empty, the coordinate systems
            differ, no crown is shared, or no shared crown lies within the extent.

    >>> layers = [
    ...     [shapely.box(0, 0, 5 + k, 5), shapely.box(20, 0, 25, 5 + k)] for k in (0, 0.5, 1)
    ... ]
    >>> variance = annotator_variance(layers, RandCrownsParameters(0.7, 1.2, 3))
    >>> float(variance.overall["iou_variance"].round(4))
    0.0021
    """
    experiment = find_shared_crowns(annotators, targets, min_iou, subprogress(progress, 0.0, 0.2))
    return score_experiment(experiment, parameters, extent, subprogress(progress, 0.2, 1.0))


def score_experiment(
    experiment: Experiment,
    parameters: RandCrownsParameters,
    extent: Any = None,
    progress: Progress = no_progress,
) -> AnnotatorVariance:
    """Compute scores and variances of an experiment; see :func:`annotator_variance`.

    Args:
        experiment: the shared crowns.
        parameters: alpha, omega, gamma and the kind of offsets.
        extent: as in :func:`annotator_variance`.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        Scores per pair, per target and per annotator.

    Raises:
        InputError: if no shared crown lies within the extent.

    >>> trees = [[shapely.box(0, 0, 5 + k, 5)] for k in (0, 0.5, 1)]
    >>> parameters = RandCrownsParameters(0.7, 1.2, 3)
    >>> len(score_experiment(find_shared_crowns(trees), parameters).scores)
    6
    """
    image = extent_polygon(extent)
    seen = exclude_unseen_crowns(experiment, image)
    scores = _pair_scores(seen, parameters, image, subprogress(progress, 0.0, 0.94))
    crowns = _crown_variances(seen, scores)
    summary = _summarise_layers(seen, crowns, scores)
    is_missing = summary["randcrowns_variance"].isna()
    reason = _missing_variance_reason(seen, image)
    summary["reason"] = [reason if missing else "" for missing in is_missing]
    progress(1.0)
    return AnnotatorVariance(summary=summary, crowns=crowns, scores=scores, experiment=seen)


def _pair_scores(
    experiment: Experiment, parameters: RandCrownsParameters, image: Any, progress: Progress
) -> pd.DataFrame:
    """Score all targets with each of their delineations.

    Args:
        experiment: the shared crowns.
        parameters: parameters of the scores.
        image: polygon of the extent, or None.
        progress: receives the fraction done.

    Returns:
        The table ``scores`` of :class:`AnnotatorVariance`; the rows of a target are consecutive.
    """
    # Drawings are numbered annotator by annotator; the first ones are the targets.
    geometry = experiment.geometry.ravel()
    ids = experiment.ids.ravel()
    names = np.array(experiment.annotators, dtype=object)
    n_delineations = len(experiment.delineation_index)
    n_targets = experiment.n_targets * experiment.n_crowns
    target_rows = np.repeat(np.arange(n_targets), n_delineations)
    delineation_rows = experiment.delineation_index.T.ravel()
    offset_table = compute_offset_table(
        geometry,
        clip_geometries(image, geometry),
        target_rows,
        delineation_rows,
        parameters,
        extent=image,
        progress=progress,
    )
    pair_scores = scores_to_table(offset_table)
    target_annotators, crown_numbers = np.divmod(target_rows, experiment.n_crowns)
    delineation_annotators = delineation_rows // experiment.n_crowns
    areas = shapely.area(geometry)
    columns = {
        "crown": crown_numbers,
        "target_annotator": names[target_annotators],
        "target_id": ids[target_rows],
        "delineation_annotator": names[delineation_annotators],
        "delineation_id": ids[delineation_rows],
    }
    for score in SCORES:
        columns[score] = pair_scores[score].to_numpy()
    columns["target_area"] = areas[target_rows]
    columns["delineation_area"] = areas[delineation_rows]
    columns["status"] = pair_scores["status"].to_numpy()
    return cast("pd.DataFrame", pd.DataFrame(columns))


def _crown_variances(experiment: Experiment, scores: pd.DataFrame) -> pd.DataFrame:
    """Return the table ``crowns`` of :class:`AnnotatorVariance` from its table ``scores``.

    Args:
        experiment: the shared crowns.
        scores: a row per pair; the rows of a target are consecutive.
    """
    n_delineations = len(experiment.delineation_index)
    # The rows of a target are consecutive, and its columns are the same in all of them.
    target_rows = scores.iloc[::n_delineations]
    is_too_small = (target_rows["status"] == Status.TARGET_TOO_SMALL).to_numpy()
    columns = {}
    for name in ("crown", "target_annotator", "target_id"):
        columns[name] = target_rows[name].to_numpy()
    for score in SCORES:
        values = np.array(scores[score], dtype=float).reshape(-1, n_delineations)
        values[is_too_small] = np.nan
        variances = np.full(len(values), np.nan)
        if n_delineations > 1:
            variances = values.var(axis=1, ddof=1)
        columns[f"{score}_mean"] = values.mean(axis=1)
        columns[f"{score}_variance"] = variances
    return cast("pd.DataFrame", pd.DataFrame(columns))


def _summarise_layers(
    experiment: Experiment, crowns: pd.DataFrame, scores: pd.DataFrame
) -> pd.DataFrame:
    """Return the table ``summary`` of :class:`AnnotatorVariance`, without ``reason``.

    Args:
        experiment: the shared crowns.
        crowns: table ``crowns`` with the mean and the variance of the scores of each target.
        scores: table ``scores`` with the scores of each target and delineation.

    Returns:
        A row per layer of targets, and a last row over all of them.
    """
    n_layers = experiment.n_targets
    # The rows of both tables are sorted by layer of targets, each with as many rows.
    by_layer = (n_layers, -1)
    is_too_small = crowns["randcrowns_mean"].isna().to_numpy().reshape(by_layer)
    is_missed = (scores["status"] == Status.MISSED).to_numpy().reshape(by_layer)
    n_too_small = is_too_small.sum(axis=1)
    n_missed = is_missed.sum(axis=1)
    n_crowns = np.full(n_layers, experiment.n_crowns)
    columns: dict[str, Any] = {
        "target_annotator": [*experiment.annotators[:n_layers], ALL_PLOTS],
        "crowns": np.append(n_crowns, n_crowns.sum()),
        "too_small": np.append(n_too_small, n_too_small.sum()),
        "missed": np.append(n_missed, n_missed.sum()),
    }
    plots = plot_codes(experiment.plots)
    for score in SCORES:
        means = crowns[f"{score}_mean"].to_numpy().reshape(by_layer)
        variances = crowns[f"{score}_variance"].to_numpy().reshape(by_layer)
        low, high = _variance_intervals(variances, plots)
        columns[f"{score}_mean"] = np.append(nan_mean(means, axis=1), nan_mean(means))
        columns[f"{score}_variance"] = np.append(nan_mean(variances, axis=1), nan_mean(variances))
        columns[f"{score}_variance_low"] = low
        columns[f"{score}_variance_high"] = high
    columns["resampled"] = "crowns" if plots is None else "plots"
    return cast("pd.DataFrame", pd.DataFrame(columns))


def _variance_intervals(variances: Floats, plots: Ints | None) -> tuple[Floats, Floats]:
    """Return the intervals of the average variance of each layer of targets, then of all.

    Args:
        variances: (L, K) variance of each of K shared crowns in L layers of targets; NaN for a
            target that is too small.
        plots: (K,) plot of each shared crown; None to resample crowns.

    Returns:
        (L + 1,) lower and (L + 1,) upper ends of the 95 % intervals.
    """
    is_known = ~np.isnan(variances)
    known_variances = np.where(is_known, variances, 0.0)
    # The targets of all layers for a shared crown are one unit of the overall interval, because
    # they depend on each other.
    sums = np.vstack([known_variances, known_variances.sum(axis=0)])
    counts = np.vstack([is_known, is_known.sum(axis=0)])
    return ratio_interval(sums.T, counts.T, plots)


def _missing_variance_reason(experiment: Experiment, image: Any) -> str:
    """Return the reason for a missing variance, as translatable text.

    Args:
        experiment: the shared crowns.
        image: polygon of the extent, or None.
    """
    if len(experiment.delineation_index) < 2:
        return TranslatableText(
            "each target has only one delineation, but a variance requires two: choose at least "
            "three annotators, or two and a layer of targets"
        )
    if image is None:
        return TranslatableText("every target is narrower than twice alpha; choose a smaller alpha")
    return TranslatableText(
        "every target is narrower than twice alpha, or only its edge lies within the image extent; "
        "choose a smaller alpha"
    )


def numbered_pairs(result: AnnotatorVariance) -> pd.DataFrame:
    """Return the scores with the numbers of pairs and targets, and the names of annotators.

    The columns ``pair`` and ``target`` are added in front, both counted from 1. The column
    ``series`` is added with the names of both annotators, in the order of the run.

    >>> trees = [[shapely.box(0, 0, 5 + k, 5)] for k in (0, 0.5, 1)]
    >>> pairs = numbered_pairs(annotator_variance(trees, RandCrownsParameters(0.7, 1.2, 3)))
    >>> pairs["target"].tolist()
    [1, 1, 2, 2, 3, 3]
    """
    pairs: pd.DataFrame = result.scores.copy()
    pairs_per_target = len(result.experiment.delineation_index)
    pair_positions = np.arange(len(pairs))
    pairs.insert(0, "pair", pair_positions + 1)
    pairs.insert(1, "target", pair_positions // max(pairs_per_target, 1) + 1)

    annotators = list(result.experiment.annotators)
    series = []
    for both_names in zip(pairs["target_annotator"], pairs["delineation_annotator"]):
        sorted_names = sorted(both_names, key=annotators.index)
        series.append(" – ".join(sorted_names))
    pairs["series"] = series
    return pairs


def numbered_targets(result: AnnotatorVariance, n_examples: int = 4) -> pd.DataFrame:
    """Return the targets with their number and, for examples, kind and rank.

    Args:
        result: the variances.
        n_examples: maximum number of examples of each kind.

    Returns:
        A row per target with the columns ``target``, from 1, ``example`` and ``place``; the last
        two are missing for targets that are no example.
    """
    targets = result.crowns.copy()
    targets.insert(0, "target", np.arange(1, len(targets) + 1))
    examples = select_crowns(targets, n_examples)[["target", "example", "place"]]
    return cast("pd.DataFrame", targets.merge(examples, how="left", on="target"))


def pair_delineations(experiment: Experiment) -> Objects:
    """Return the delineation (p,) of each pair, in the order of the scores."""
    delineations: Objects = experiment.geometry.ravel()[experiment.delineation_index.T.ravel()]
    return delineations


#: IoU below which a delineation counts as a false positive by the common threshold (Fig. 4).
_LOW_IOU = 0.5
#: RandCrowns from which a score counts as high (Fig. 4).
_HIGH_RANDCROWNS = 0.9
#: RandCrowns and IoU below which both agree that a delineation is poor (Fig. 6).
_BOTH_LOW = 0.4

#: Columns that :func:`select_pairs` needs.
_SCORE_COLUMNS = ("randcrowns", "iou", "target_area", "delineation_area")


class PairKind(TextEnum):
    """Reason why a pair is selected for display."""

    #: High RandCrowns, low IoU, and the delineation is larger than the target (Fig. 4a-d, Fig. 8).
    FORGIVEN_LARGER = "forgiven_larger"
    #: High RandCrowns, low IoU, and the delineation is smaller than the target (Fig. 4e-h).
    FORGIVEN_SMALLER = "forgiven_smaller"
    #: Both scores are high (Fig. 5).
    BOTH_HIGH = "both_high"
    #: Both scores are low (Fig. 6).
    BOTH_LOW = "both_low"
    #: RandCrowns is lower than IoU (Fig. 7).
    RANDCROWNS_LOWER = "randcrowns_lower"


class _Criterion(NamedTuple):
    """Rule that selects the pairs of one kind."""

    #: Boolean series, True for pairs of the kind.
    is_member: pd.Series
    #: Series of numbers; the clearest case has the lowest.
    order: pd.Series


#: Number of decimals to which distances from the median variance are compared.
_DECIMALS = 9


class CrownKind(TextEnum):
    """Reason why a target is selected for display."""

    #: Its RandCrowns varies most between delineations.
    WORST = "worst"
    #: Its variance is nearest to the median of all targets.
    TYPICAL = "typical"


@validate_arguments
def select_pairs(scores: pd.DataFrame, max_per_kind: int = 4) -> pd.DataFrame:
    """Select the pairs that best show how RandCrowns and IoU differ and agree.

    Args:
        scores: table ``scores`` of :class:`AnnotatorVariance`, or any table with ``randcrowns``,
            ``iou``, ``target_area`` and ``delineation_area``. Pairs without a score are ignored.
        max_per_kind: maximum number of pairs of each kind; the paper shows four.

    Returns:
        The selected rows, kind by kind, with two columns in front: ``kind``, a :class:`PairKind` as
        text, and ``place``, 1 for the clearest case of the kind. If there is a column ``crown``,
        each crown occurs at most once per kind. Pairs with equal scores keep the order of the
        table.

    Raises:
        InputError: if a column is missing, or the number is not a whole number of at least 1.

    >>> areas = {"target_area": 9, "delineation_area": 12}
    >>> scores = pd.DataFrame({"randcrowns": [0.95, 0.2], "iou": [0.4, 0.1], **areas})
    >>> select_pairs(scores)["kind"].tolist()
    ['forgiven_larger', 'both_low']
    """
    _check_selection(scores, _SCORE_COLUMNS, max_per_kind)
    scored = scores[scores["randcrowns"].notna() & scores["iou"].notna()]
    selected = {}
    for kind, criterion in _pair_criteria(scored).items():
        order = criterion.order[criterion.is_member].sort_values(kind="stable")
        rows = scored.loc[order.index]
        if "crown" in rows:
            rows = rows.drop_duplicates("crown")
        selected[kind.value] = rows.head(max_per_kind)
    return _concat_kinds(selected, "kind")


def _pair_criteria(scored: pd.DataFrame) -> dict[PairKind, _Criterion]:
    """Return the rule of each kind of pairs for a table of pairs with scores.

    Args:
        scored: a row per pair, with the columns of ``_SCORE_COLUMNS`` and without missing scores.
    """
    randcrowns = scored["randcrowns"]
    iou = scored["iou"]
    is_high = reaches(randcrowns, _HIGH_RANDCROWNS)
    is_forgiven = is_high & falls_below(iou, _LOW_IOU)
    is_low = falls_below(randcrowns, _BOTH_LOW) & falls_below(iou, _BOTH_LOW)
    is_larger = scored["delineation_area"] >= scored["target_area"]
    difference = iou - randcrowns
    lower = scored[["randcrowns", "iou"]].min(axis=1)
    higher = scored[["randcrowns", "iou"]].max(axis=1)
    return {
        PairKind.FORGIVEN_LARGER: _Criterion(is_forgiven & is_larger, difference),
        PairKind.FORGIVEN_SMALLER: _Criterion(is_forgiven & ~is_larger, difference),
        PairKind.BOTH_HIGH: _Criterion(is_high & reaches(iou, _LOW_IOU), -lower),
        PairKind.BOTH_LOW: _Criterion(is_low & (randcrowns >= iou), higher),
        PairKind.RANDCROWNS_LOWER: _Criterion(randcrowns < iou, randcrowns - iou),
    }


@validate_arguments
def select_crowns(crowns: pd.DataFrame, max_per_kind: int = 4) -> pd.DataFrame:
    """Select the targets whose RandCrowns varies most between annotators, and typical ones.

    Args:
        crowns: table ``crowns`` of :class:`AnnotatorVariance`, or any table with
            ``randcrowns_variance``. Targets without a variance are ignored.
        max_per_kind: maximum number of targets of each kind.

    Returns:
        The selected rows, kind by kind, with two columns in front: ``example``, a
        :class:`CrownKind` as text, and ``place``, 1 for the first of the kind. No target occurs
        twice. Targets with equal variances keep the order of the table.

    Raises:
        InputError: if the column is missing, or the number is not a whole number of at least 1.

    >>> crowns = pd.DataFrame({"randcrowns_variance": [0.1, 0.3, 0.2]})
    >>> select_crowns(crowns, max_per_kind=1)["example"].tolist()
    ['worst', 'typical']
    """
    _check_selection(crowns, ("randcrowns_variance",), max_per_kind)
    scored = crowns[crowns["randcrowns_variance"].notna()]
    variance = scored["randcrowns_variance"]
    worst = scored.loc[(-variance).sort_values(kind="stable").index].head(max_per_kind)
    others = variance.drop(worst.index)
    median = variance.median()
    # The two middle values of an even number of targets are equally far from the median, except
    # for rounding errors.
    distance = ((others - median).abs() / (median or 1.0)).round(_DECIMALS)
    typical = scored.loc[distance.sort_values(kind="stable").index].head(max_per_kind)
    return _concat_kinds(
        {CrownKind.WORST.value: worst, CrownKind.TYPICAL.value: typical}, "example"
    )


def _concat_kinds(rows_by_kind: dict[str, pd.DataFrame], column: str) -> pd.DataFrame:
    """Concatenate the rows of all kinds, with the kind and ``place`` (from 1) in front.

    Args:
        rows_by_kind: selected rows of each kind, in order.
        column: name of the column for the kind.
    """
    by_kind = pd.concat(rows_by_kind, names=[column])
    rows = by_kind.reset_index(column).reset_index(drop=True)
    place_in_kind = rows.groupby(column, sort=False).cumcount() + 1
    rows.insert(1, "place", place_in_kind)
    return cast("pd.DataFrame", rows)


def _check_selection(table: pd.DataFrame, columns: tuple[str, ...], number: int) -> None:
    """Raise InputError if a column is missing or the number is not a positive whole number.

    Args:
        table: table of crowns.
        columns: names of the columns that it needs.
        number: number of crowns to pick.
    """
    missing = [name for name in columns if name not in table]
    if missing:
        raise InputError(
            "tuning.no_column",
            "The table has no column {missing}. Use a table returned by annotator_variance.",
            missing=", ".join(missing),
        )
    if int(number) != number or number < 1:
        raise InputError(
            "tuning.invalid_crown_count",
            "The number of crowns to pick must be a whole number of at least 1, not {number}.",
            number=number,
        )
