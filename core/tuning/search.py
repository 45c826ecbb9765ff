"""Selection of alpha, omega and gamma by the variance between annotators.

The sets of a grid of parameters are ranked by the variance of RandCrowns between annotators
(Stewart et al. 2021, Table III). Sets that do not tell wrong pairs from right ones are refused
(Fig. 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Floats, Ints, number_text
from randcrowns.core.crowns import CrownsLike, extent_polygon
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import clip_geometries
from randcrowns.core.messages import Message, TranslatableText, note
from randcrowns.core.progress import Progress, no_progress, subprogress
from randcrowns.core.scoring.parameters import MAXIMUM, RandCrownsParameters
from randcrowns.core.scoring.score import find_missed
from randcrowns.core.statistics import nan_mean, ratio
from randcrowns.core.status import TextEnum
from randcrowns.core.thresholds import exceeds, falls_below, reaches
from randcrowns.core.tuning.experiment import (
    MIN_IOU,
    Experiment,
    exclude_unseen_crowns,
    find_shared_crowns,
)
from randcrowns.core.tuning.grid import (
    ParameterGrid,
    PartialGrid,
    ScoreSums,
    compute_areas,
    sum_scores,
)
from randcrowns.core.tuning.variance import AnnotatorVariance, score_experiment
from randcrowns.core.tuning.wrong_pairs import WRONG_KINDS, WrongPairs, make_wrong_pairs
from randcrowns.core.validation import validate_arguments

#: Default alphas, metres (Table III). The default grid has 1,050 sets.
DEFAULT_ALPHAS = tuple(np.arange(1, 11) / 10)
#: Default omegas, metres (Table III).
DEFAULT_OMEGAS = tuple(np.arange(1, 16) / 10)
#: Default gammas (Table III).
DEFAULT_GAMMAS = tuple(np.arange(1.0, 8.0))
#: Maximum number of recommended sets.
_MAX_RECOMMENDED = 10


class GridSearchResult(NamedTuple):
    """Scores and assessments of all sets of a grid of parameters."""

    #: A row per set. Columns:
    #:
    #: - ``alpha``, ``omega`` (metres) and ``gamma``;
    #: - ``scored``, ``too_small``: number of targets that alpha leaves large enough to be scored,
    #:   and of the others;
    #: - ``missed_share``: share of right pairs of scored targets that are missed and score 0;
    #: - ``mean``: mean score of right pairs over the scored targets;
    #: - ``variance``: average variance between annotators (Eq. 15) over the scored targets;
    #: - ``common_variance``: the same over the common targets, by which sets are ranked. Common
    #:   targets can be scored by all sets that exclude few enough targets;
    #: - ``wrong``, ``wrong_<kind>``: mean score of wrong pairs, over all kinds and by kind;
    #: - ``assessment``: a :class:`SetAssessment` as text;
    #: - ``reason``: why the set is refused, "" if it is offered;
    #: - ``rank``: from 1 among the offered sets; missing for the others.
    grid: pd.DataFrame
    #: Rows of the best offered sets, in order of rank.
    recommended: pd.DataFrame
    #: The best set; None if no set is offered.
    best: RandCrownsParameters | None
    #: Variance with the best set, scored exactly instead of interpolated; None if ``best`` is.
    best_variance: AnnotatorVariance | None
    #: The shared crowns, and those excluded.
    experiment: Experiment
    #: Message that explains why no set is offered; None if one is.
    no_choice_message: Message | None


@validate_arguments
def search_grid(
    annotators: Sequence[CrownsLike],
    alphas: ArrayLike = DEFAULT_ALPHAS,
    omegas: ArrayLike = DEFAULT_OMEGAS,
    gammas: ArrayLike = DEFAULT_GAMMAS,
    *,
    targets: CrownsLike | None = None,
    extent: Any = None,
    max_wrong_score: float = 0.5,
    max_excluded: float = 0.05,
    min_iou: float = MIN_IOU,
    offsets: str = "auto",
    progress: Progress = no_progress,
) -> GridSearchResult:
    """Rank the sets of a grid of parameters by the variance of scores between annotators.

    A low variance alone is no merit: a set that gives every pair a score near 1 has none (Fig. 3),
    nor has a set that gives every pair 0. A set is therefore offered only if

    - the mean score of wrong pairs (:mod:`randcrowns.core.tuning.wrong_pairs`), in which all
      kinds of wrong pairs have the same weight, is below ``max_wrong_score``;
    - the mean score of right pairs is higher;
    - at most half of the right pairs are missed;
    - at most ``max_excluded`` of the targets are too small. Targets narrower than twice alpha have
      no score and are excluded, which could make a large alpha look better than it is.

    Offered sets are ranked by their variance over the same targets: those that the largest alpha
    among the sets with few enough excluded targets can score. Sets within 5e-6 of the lowest
    variance count as equally good and are ordered by their mean score of wrong pairs, the lowest
    first. The sets within 5e-6 of the lowest variance among the rest follow, and so on.

    Args:
        annotators: layers of crowns, one per annotator, as
            :class:`randcrowns.core.crowns.Crowns` or arrays of polygons in metres: at least three,
            or two if ``targets`` are passed. For a single drawing, add copies by
            :func:`randcrowns.core.tuning.wrong_pairs.simulate_annotators`.
        alphas: values of alpha, metres.
        omegas: values of omega, metres.
        gammas: values of gamma.
        targets: layer of crowns drawn in the field, which are then the only targets
            (Section IV-B).
        extent: polygon, or xmin, ymin, xmax, ymax, that all offsets of targets and all
            delineations, right and wrong, are clipped to. Crowns with a target outside it are
            excluded.
        max_wrong_score: mean score of wrong pairs from which a set is refused, above 0 and up to 1.
        max_excluded: maximum share of targets that are too small, from 0 to below 1.
        min_iou: minimum IoU of two drawings of the same crown.
        offsets: kind of offsets, as in
            :class:`randcrowns.core.scoring.parameters.RandCrownsParameters`.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The sets with their assessments, and the best set scored exactly.

    Raises:
        InputError: if the annotators cannot be compared (see
            :func:`randcrowns.core.tuning.variance.annotator_variance`) or are too few, or if the
            extent, a value or a limit is invalid.

    >>> import shapely
    >>> layers = [[shapely.box(x, 0, x + 5 + k, 5) for x in (0, 20, 40)] for k in (0, 0.5, 1)]
    >>> search_grid(layers, [0.7], [1.2], [3]).grid["assessment"].tolist()
    ['offered']
    """
    parameter_sets = ParameterGrid(
        _validate_grid_values("alpha", alphas),
        _validate_grid_values("omega", omegas),
        _validate_grid_values("gamma", gammas),
    )
    _check_limits(max_wrong_score, max_excluded)
    image = extent_polygon(extent)
    shared_crowns = find_shared_crowns(
        annotators, targets, min_iou, subprogress(progress, 0.0, 0.05)
    )
    experiment = exclude_unseen_crowns(shared_crowns, image)
    n_right = len(experiment.delineation_index)
    if n_right < 2:
        raise InputError(
            "tuning.too_few_delineations",
            "A variance requires two delineations per target: choose at least three annotators, or "
            "two and a layer of targets, or add warped copies of a drawing.",
        )

    wrong_pairs = make_wrong_pairs(experiment)
    all_delineations = np.concatenate([experiment.geometry.ravel(), wrong_pairs.copies])
    # Slots of right delineations, then of wrong ones.
    slots = np.vstack([experiment.delineation_index, wrong_pairs.delineation_index])
    parts = compute_areas(
        experiment.targets,
        clip_geometries(image, all_delineations),
        slots,
        parameter_sets,
        extent=image,
        offsets=offsets,
        progress=subprogress(progress, 0.05, 0.8),
    )
    scorable = _find_scorable_targets(parts, len(experiment.targets), max_excluded)
    totals = sum_scores(
        parts, parameter_sets, n_right, scorable.is_common, subprogress(progress, 0.8, 0.94)
    )
    n_missed = _count_missed(parts, n_right)
    scored_sets = _tabulate_sets(
        parameter_sets, totals, scorable, wrong_pairs, n_missed=n_missed / n_right
    )
    grid = assess_sets(scored_sets, max_wrong_score, max_excluded, has_extent=image is not None)

    offered = grid[grid["rank"].notna()].sort_values("rank")
    recommended = offered.head(_MAX_RECOMMENDED).reset_index(drop=True)
    best = None
    best_variance = None
    if len(recommended):
        alpha, omega, gamma = recommended.loc[0, ["alpha", "omega", "gamma"]].astype(float)
        best = RandCrownsParameters(alpha, omega, gamma, offsets)
        best_variance = score_experiment(experiment, best, image, subprogress(progress, 0.94, 1.0))
    progress(1.0)
    return GridSearchResult(
        grid=grid,
        recommended=recommended,
        best=best,
        best_variance=best_variance,
        experiment=experiment,
        no_choice_message=no_choice_message(
            grid, max_wrong_score, max_excluded, has_extent=image is not None
        ),
    )


def _validate_grid_values(name: str, values: ArrayLike) -> Floats:
    """Return the distinct values of a parameter in rising order.

    Args:
        name: name of the parameter in errors.
        values: numbers of any shape.

    Raises:
        InputError: if there are no values, or some are masked, no numbers or out of range.
    """
    if np.ma.isMaskedArray(values) and np.ma.getmaskarray(values).any():
        raise InputError(
            "tuning.masked_values",
            "Some values of {name} are masked. Pass only the values to try.",
            name=name,
        )
    try:
        distinct = np.unique(np.asarray(values, dtype=float).ravel())
    except (TypeError, ValueError):
        raise InputError(
            "tuning.value_not_a_number",
            "All values of {name} must be numbers, but they are {values}.",
            name=name,
            values=repr(values),
        ) from None
    if len(distinct) == 0:
        raise InputError(
            "tuning.no_values",
            "There are no values of {name} to try; give at least one.",
            name=name,
        )
    if not ((distinct >= 0) & (distinct <= MAXIMUM)).all():
        raise InputError(
            "tuning.value_out_of_range",
            "All values of {name} must be numbers from 0 to {most:,.0f}, but there are {found}.",
            name=name,
            most=MAXIMUM,
            found=", ".join(map(str, distinct)),
        )
    return cast("Floats", distinct)


def _check_limits(max_wrong_score: float, max_excluded: float) -> None:
    """Raise InputError if a limit of :func:`search_grid` is out of range."""
    if not (isinstance(max_wrong_score, Real) and 0 < max_wrong_score <= 1):
        raise InputError(
            "tuning.invalid_wrong_pairs",
            "The limit for wrong pairs must be above 0 and at most 1, but it is {limit}.",
            limit=max_wrong_score,
        )
    if not (isinstance(max_excluded, Real) and 0 <= max_excluded < 1):
        raise InputError(
            "tuning.invalid_excluded_share",
            "The share of crowns that may be excluded must be at least 0 and below 1, but it is "
            "{most_excluded}.",
            most_excluded=max_excluded,
        )


class _ScorableTargets(NamedTuple):
    """Which of T targets are large enough to be scored with each of nA alphas."""

    #: (nA, T) True if the target has a true positive region.
    is_scorable: Bools
    #: (nA,) True if few enough targets are excluded.
    has_few_excluded: Bools
    #: (T,) True if the target can be scored with all alphas that have few enough excluded targets.
    is_common: Bools


def _find_scorable_targets(
    parts: list[PartialGrid], n_targets: int, max_excluded: float
) -> _ScorableTargets:
    """Return which targets can be scored, from the areas of the true positive regions.

    Args:
        parts: areas of all targets, in parts.
        n_targets: number of all targets.
        max_excluded: maximum share of targets that a set may exclude.
    """
    n_alphas = len(parts[0].areas.certain_area)
    is_scorable = np.empty((n_alphas, n_targets), dtype=bool)
    for part in parts:
        is_scorable[:, part.rows] = part.areas.certain_area > 0
    has_few_excluded = (~is_scorable).mean(axis=1) <= max_excluded
    is_common = is_scorable[has_few_excluded].all(axis=0) & has_few_excluded.any()
    return _ScorableTargets(is_scorable, has_few_excluded, is_common)


def _count_missed(parts: list[PartialGrid], n_right: int) -> Ints:
    """Return the number (nA,) of missed right pairs of targets that are large enough.

    See :func:`randcrowns.core.scoring.score.find_missed` for the definition.

    Args:
        parts: areas of all targets; the first ``n_right`` slots hold right delineations.
        n_right: number of right delineations per target.
    """
    n_missed = np.zeros(len(parts[0].areas.certain_area), dtype=np.int64)
    for part in parts:
        certain_shared = part.areas.certain_shared[:, :n_right]
        is_missed = find_missed(part.areas.certain_area[:, None], certain_shared)
        n_missed += is_missed.sum(axis=(1, 2))
    return n_missed


def _tabulate_sets(
    parameter_sets: ParameterGrid,
    totals: ScoreSums,
    scorable: _ScorableTargets,
    wrong_pairs: WrongPairs,
    n_missed: Floats,
) -> pd.DataFrame:
    """Return the table ``grid`` of :class:`GridSearchResult` without assessments.

    Args:
        parameter_sets: the grid.
        totals: sums of scores and variances over targets.
        scorable: which targets are large enough.
        wrong_pairs: the wrong pairs.
        n_missed: (nA,) number of missed right pairs per right delineation.
    """
    alpha, omega, gamma = np.meshgrid(*parameter_sets, indexing="ij")
    n_scored = scorable.is_scorable.sum(axis=1)
    n_too_small = scorable.is_scorable.shape[1] - n_scored
    n_common = np.where(scorable.has_few_excluded, scorable.is_common.sum(), 0)
    variance = ratio(totals.variance, n_scored[:, None, None])
    mean = ratio(totals.score, n_scored[:, None, None])
    common_variance = ratio(totals.common_variance, n_common[:, None, None])

    # (J, kinds) True for the kind of each slot of wrong pairs; products with it sum by kind.
    is_of_kind = wrong_pairs.kind_index[:, None] == np.arange(len(WRONG_KINDS))
    is_wrong_scored = scorable.is_scorable[:, None] & (wrong_pairs.delineation_index >= 0)
    n_wrong = is_wrong_scored.sum(axis=2) @ is_of_kind
    wrong_means = ratio(totals.wrong @ is_of_kind, n_wrong[:, None, None])
    # A row per set.
    wrong_by_kind = wrong_means.reshape(-1, len(WRONG_KINDS))

    sets_per_alpha = len(parameter_sets.omegas) * len(parameter_sets.gammas)
    columns = {
        "alpha": alpha.ravel(),
        "omega": omega.ravel(),
        "gamma": gamma.ravel(),
        "scored": np.repeat(n_scored, sets_per_alpha),
        "too_small": np.repeat(n_too_small, sets_per_alpha),
        "missed_share": np.repeat(ratio(n_missed, n_scored), sets_per_alpha),
        "mean": mean.ravel(),
        "variance": variance.ravel(),
        "common_variance": common_variance.ravel(),
        "wrong": nan_mean(wrong_by_kind, axis=1),
    }
    for kind_number, kind in enumerate(WRONG_KINDS):
        columns[f"wrong_{kind}"] = wrong_by_kind[:, kind_number]
    return cast("pd.DataFrame", pd.DataFrame(columns))


#: Maximum share of missed right pairs of a set that is offered.
_MAX_MISSED = 0.5
#: Difference up to which variances count as equal: the largest error observed from interpolation.
SAME_VARIANCE = 5e-6
#: Mean score of wrong pairs from which all pairs, right or wrong, count as scoring high.
_ALL_HIGH = 0.7


class SetAssessment(TextEnum):
    """Assessment of a set of parameters."""

    #: The set can be chosen.
    OFFERED = "offered"
    #: The mean score of wrong pairs reaches the limit.
    WRONG_PAIRS_TOO_HIGH = "wrong_pairs_too_high"
    #: The same, and the variance is below that of all offered sets, as if all scores are high
    #: (Fig. 3).
    DEGENERATE = "degenerate"
    #: The mean score of right pairs is not above that of wrong pairs, or most right pairs are
    #: missed.
    RIGHT_PAIRS_TOO_LOW = "right_pairs_too_low"
    #: Too many targets are narrower than twice alpha.
    TOO_MANY_EXCLUDED = "too_many_excluded"


def assess_sets(
    grid: pd.DataFrame, max_wrong_score: float, max_excluded: float, has_extent: bool
) -> pd.DataFrame:
    """Judge the sets of a grid, and rank those that can be chosen.

    Args:
        grid: table with the columns ``scored``, ``too_small``, ``missed_share``, ``mean``,
            ``common_variance`` and ``wrong`` of :class:`GridSearchResult`; not changed.
        max_wrong_score: mean score of wrong pairs from which a set is refused.
        max_excluded: maximum share of targets that are too small.
        has_extent: True if targets were clipped to an extent.

    Returns:
        The table with the columns ``assessment``, ``reason`` and ``rank``.

    >>> columns = {"scored": 9, "too_small": 0, "missed_share": 0.0, "common_variance": 0.1}
    >>> grid = pd.DataFrame({"mean": [0.9, 0.9], "wrong": [0.4, 0.6], **columns})
    >>> assess_sets(grid, 0.5, 0.05, False)["reason"].tolist()
    ['', 'wrong pairs score 0.60 on average, and the threshold is 0.5']
    """
    assessments = _assess_each_set(grid, max_wrong_score, max_excluded)
    reasons = np.full(len(grid), "", dtype=object)
    # Equal reasons are one object, because a grid has hundreds of them.
    known_reasons: dict[str, str] = {}
    for row_number, set_row in enumerate(grid.itertuples()):
        text = _refusal_reason(
            assessments[row_number], set_row, max_wrong_score, max_excluded, has_extent
        )
        reasons[row_number] = known_reasons.setdefault(text, text)

    variance = grid["common_variance"].to_numpy()
    wrong_mean = grid["wrong"].to_numpy()
    offered = np.flatnonzero(assessments == SetAssessment.OFFERED.value)
    best_first = offered[_rank_order(variance[offered], wrong_mean[offered])]
    rank = pd.array([pd.NA] * len(grid), dtype="Int64")
    rank[best_first] = np.arange(1, len(best_first) + 1)
    return cast("pd.DataFrame", grid.assign(assessment=assessments, reason=reasons, rank=rank))


def _assess_each_set(grid: pd.DataFrame, max_wrong_score: float, max_excluded: float) -> Any:
    """Return the assessment on each set, a :class:`SetAssessment` as text, in an object array.

    Args:
        grid: a row per set, with the numbers that :func:`assess_sets` describes.
        max_wrong_score: score of wrong pairs from which a set is refused.
        max_excluded: maximum share of targets that a set may exclude.
    """
    variance = grid["common_variance"].to_numpy()
    wrong_mean = grid["wrong"].to_numpy()
    too_small = grid["too_small"].to_numpy()
    n_targets = too_small + grid["scored"].to_numpy()
    missed_share = grid["missed_share"].to_numpy()

    has_many_excluded = too_small / n_targets > max_excluded
    is_right_low = (missed_share > _MAX_MISSED) | (grid["mean"].to_numpy() <= wrong_mean)
    # A set is refused if no wrong pair can be scored (NaN), because it cannot be judged.
    is_wrong_high = ~falls_below(wrong_mean, max_wrong_score)
    is_offered = ~has_many_excluded & ~is_right_low & ~is_wrong_high
    lowest_variance = variance[is_offered].min(initial=np.inf)
    is_degenerate = is_wrong_high & (variance < lowest_variance - SAME_VARIANCE) & is_offered.any()

    # Of several assessments on a set the last one stays.
    assessment = np.full(len(grid), SetAssessment.OFFERED.value, dtype=object)
    assessment[is_wrong_high] = SetAssessment.WRONG_PAIRS_TOO_HIGH.value
    assessment[is_degenerate] = SetAssessment.DEGENERATE.value
    assessment[is_right_low] = SetAssessment.RIGHT_PAIRS_TOO_LOW.value
    assessment[has_many_excluded] = SetAssessment.TOO_MANY_EXCLUDED.value
    return assessment


def _refusal_reason(
    assessment: str, row: Any, max_wrong_score: float, max_excluded: float, has_extent: bool
) -> str:
    """Return the reason for an assessment as translatable text, "" for an offered set.

    Args:
        assessment: a :class:`SetAssessment` as text.
        row: the set's row of the grid, as a named tuple.
        max_wrong_score: as in :func:`assess_sets`.
        max_excluded: as in :func:`assess_sets`.
        has_extent: as in :func:`assess_sets`.
    """
    if assessment == SetAssessment.TOO_MANY_EXCLUDED:
        return _excluded_reason(row, max_excluded, has_extent)
    if assessment == SetAssessment.RIGHT_PAIRS_TOO_LOW:
        return _right_low_reason(row)
    if assessment == SetAssessment.DEGENERATE:
        return _degenerate_reason(row, max_wrong_score)
    if assessment == SetAssessment.WRONG_PAIRS_TOO_HIGH:
        return _wrong_high_reason(row, max_wrong_score)
    return ""


def _excluded_reason(row: Any, max_excluded: float, has_extent: bool) -> TranslatableText:
    """Return the reason for a set that excludes too many targets.

    Args:
        row: row of the set, with the numbers ``too_small`` and ``scored`` of targets.
        max_excluded: maximum share of targets that a set may exclude.
        has_extent: True if targets are clipped to an image extent.
    """
    n_targets = row.too_small + row.scored
    if has_extent:
        template = (
            "{number} of {all} targets ({share}) are narrower than twice alpha, or have only their "
            "edge within the image extent, and have no score"
        )
    else:
        template = (
            "{number} of {all} targets ({share}) are narrower than twice alpha and have no score"
        )
    share = _percent(row.too_small / n_targets, max_excluded)
    return TranslatableText(template, number=row.too_small, all=n_targets, share=share)


def _right_low_reason(row: Any) -> TranslatableText:
    """Return the reason for a set that scores right pairs too low."""
    if row.missed_share > _MAX_MISSED:
        return TranslatableText(
            "in {share} of the right pairs the delineation does not reach the certain crown (true "
            "positive region), and the score is 0",
            share=_percent(row.missed_share, _MAX_MISSED),
        )
    return TranslatableText(
        "right pairs score {right:.2f} on average, no more than wrong ones ({score:.2f})",
        right=row.mean,
        score=row.wrong,
    )


def _degenerate_reason(row: Any, max_wrong_score: float) -> TranslatableText:
    """Return the reason for a set whose variance is low because wrong pairs score high.

    Args:
        row: row of the set, with the columns of :class:`GridSearchResult`.
        max_wrong_score: mean score of wrong pairs from which a set is refused.
    """
    if row.wrong >= _ALL_HIGH:
        return TranslatableText(
            "the variance is low ({variance:.1e}) only because everything scores high: wrong pairs "
            "{score:.2f} on average, right ones {right:.2f}",
            variance=row.common_variance,
            score=row.wrong,
            right=row.mean,
        )
    return TranslatableText(
        "the variance ({variance:.1e}) is below that of every set that can be chosen, but wrong "
        "pairs score {score} on average, and the threshold is {limit:g}",
        variance=row.common_variance,
        score=format_score(row.wrong, max_wrong_score),
        limit=max_wrong_score,
    )


def _wrong_high_reason(row: Any, max_wrong_score: float) -> TranslatableText:
    """Return the reason for a set that scores wrong pairs too high, or not at all.

    Args:
        row: row of the set, with the columns of :class:`GridSearchResult`.
        max_wrong_score: mean score of wrong pairs from which a set is refused.
    """
    if reaches(row.wrong, max_wrong_score):
        return TranslatableText(
            "wrong pairs score {score} on average, and the threshold is {limit:g}",
            score=format_score(row.wrong, max_wrong_score),
            limit=max_wrong_score,
        )
    return TranslatableText(
        "all targets of wrong pairs are too small to be scored, so the set cannot be judged"
    )


def _rank_order(variances: Floats, wrong_means: Floats) -> Ints:
    """Return the indices (n,) of sets from the best to the worst.

    Sets whose variance is within SAME_VARIANCE of the lowest are ordered by their score of wrong
    pairs and come first; the same applies to the sets that remain.

    Args:
        variances: (n,) variance of each set.
        wrong_means: (n,) mean score of wrong pairs of each set.
    """
    by_variance = np.argsort(variances, kind="stable")
    sorted_variances = variances[by_variance]
    tiers = np.empty(len(variances), dtype=np.int64)
    start = 0
    while start < len(sorted_variances):
        end = int(
            np.searchsorted(sorted_variances, sorted_variances[start] + SAME_VARIANCE, "right")
        )
        tiers[by_variance[start:end]] = start
        start = end
    return cast("Ints", np.lexsort((variances, wrong_means, tiers)))


def no_choice_message(
    grid: pd.DataFrame, max_wrong_score: float, max_excluded: float, has_extent: bool
) -> Message | None:
    """Return a message that explains why no set can be chosen, or None if one can.

    Args:
        grid: table returned by :func:`assess_sets`.
        max_wrong_score: as in :func:`assess_sets`.
        max_excluded: as in :func:`assess_sets`.
        has_extent: as in :func:`assess_sets`.

    >>> grid = pd.DataFrame({"assessment": ["wrong_pairs_too_high"], "wrong": [0.6]})
    >>> no_choice_message(grid, 0.5, 0.05, False).key
    'finding.wrong_pairs_too_high'
    """
    assessment = grid["assessment"]
    if (assessment == SetAssessment.OFFERED).any():
        return None
    if (assessment == SetAssessment.TOO_MANY_EXCLUDED).all():
        if has_extent:
            template = (
                "Every alpha of the grid excludes more than {most:g} % of the targets. They are "
                "narrower than twice alpha, or have only their edge within the image extent. Try "
                "smaller values of alpha."
            )
        else:
            template = (
                "Every alpha of the grid excludes more than {most:g} % of the targets, because "
                "they are narrower than twice alpha. Try smaller values of alpha."
            )
        return note("finding.too_many_excluded", template, most=100 * max_excluded)
    if (assessment == SetAssessment.RIGHT_PAIRS_TOO_LOW).any():
        return note(
            "finding.right_pairs_too_low",
            "No set of the grid can be chosen: those that keep wrong pairs below {limit:g} miss "
            "most of the right pairs, or score them no higher than wrong ones. Try smaller values "
            "of alpha, and check that the layers show the same crowns.",
            limit=max_wrong_score,
        )
    lowest = grid.loc[assessment != SetAssessment.TOO_MANY_EXCLUDED, "wrong"].min()
    return note(
        "finding.wrong_pairs_too_high",
        "No set of the grid keeps wrong pairs below {limit:g}: the lowest mean is {lowest}. Try "
        "smaller values of gamma or omega, or raise the threshold.",
        limit=max_wrong_score,
        lowest=format_score(lowest, max_wrong_score),
    )


def _percent(share: float, limit: float) -> TranslatableText:
    """Return a share (0 to 1) in percent, with decimals only to distinguish it from the limit."""
    decimals = _distinguishing_decimals(100 * share, 100 * limit, 0)
    return TranslatableText(
        "{number}\N{NO-BREAK SPACE}%", number=number_text(100 * share, decimals)
    )


def format_score(score: float, limit: float) -> TranslatableText:
    """Return a mean score as text with two decimals, or more to distinguish it from the limit.

    Args:
        score: the mean score.
        limit: limit that the score is compared with.

    >>> format_score(0.5001, 0.5), format_score(0.512, 0.5)
    ('0.5001', '0.51')
    """
    return number_text(score, _distinguishing_decimals(score, limit, 2))


def _distinguishing_decimals(value: float, limit: float, minimum: int) -> int:
    """Return how many decimals (``minimum`` to 9) show on which side of the limit a value is.

    Args:
        value: the value.
        limit: limit that it is compared with.
        minimum: minimum number of decimals.
    """
    for decimals in range(minimum, 9):
        rounded = round(value, decimals)
        is_above = exceeds(value, limit)
        is_below = falls_below(value, limit)
        if (rounded > limit, rounded < limit) == (is_above, is_below):
            return decimals
    return 9
