"""Choosing alpha, omega and gamma by the variance between annotators (Stewart et al. 2021, Table III, Fig. 3)."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Floats, Ints, as_words
from randcrowns.core.crowns import CrownsLike, extent_polygon
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import cut_to
from randcrowns.core.given import as_declared
from randcrowns.core.progress import Progress, no_progress, part_of
from randcrowns.core.remarks import Remark, Said, note
from randcrowns.core.scoring.parameters import MOST, RandCrownsParameters
from randcrowns.core.statistics import known_mean, ratio
from randcrowns.core.status import Term
from randcrowns.core.tuning.experiment import MIN_IOU, Experiment, seen_crowns, shared_crowns
from randcrowns.core.tuning.grid import GridPart, GridSpace, GridTotals, grid_parts, grid_totals
from randcrowns.core.tuning.variance import AnnotatorVariance, experiment_variance
from randcrowns.core.tuning.wrong_pairs import WRONG_KINDS, WrongPairs, wrong_pairs

#: The ranges of Table III: 1,050 sets.
ALPHAS = tuple(np.arange(1, 11) / 10)
OMEGAS = tuple(np.arange(1, 16) / 10)
GAMMAS = tuple(np.arange(1.0, 8.0))
#: The most sets to recommend.
_RECOMMENDED = 10


class GridSearch(NamedTuple):
    """What :func:`grid_search` finds.

    Attributes:
        grid: a row per set: ``alpha``, ``omega``, ``gamma``; ``scored`` and ``too_small``, the number of targets;
            ``variance``, Eq. 15 over the scored targets, and ``mean``, their mean score; ``common_variance``, over the
            targets that every set with few enough excluded can score, by which sets are ranked; ``missed_share``, that
            of their right pairs that score 0 because they are missed; ``wrong``, the mean score of wrong pairs, and
            ``wrong_<kind>`` of each kind; ``verdict`` (a :class:`SetVerdict` as text),
            ``reason`` in words; ``rank`` from 1 among the offered sets.
        recommended: the best offered sets, in order.
        best: the first of them; None when no set can be offered.
        direct: the experiment scored again with ``best``, without tables; None like ``best``.
        experiment: the shared crowns, with those excluded.
        nothing: what stands in the way of a choice; None where there is one.
    """

    grid: pd.DataFrame
    recommended: pd.DataFrame
    best: RandCrownsParameters | None
    direct: AnnotatorVariance | None
    experiment: Experiment
    nothing: Remark | None


@as_declared
def grid_search(
    annotators: Sequence[CrownsLike],
    alphas: ArrayLike = ALPHAS,
    omegas: ArrayLike = OMEGAS,
    gammas: ArrayLike = GAMMAS,
    *,
    targets: CrownsLike | None = None,
    extent: Any = None,
    limit: float = 0.5,
    most_excluded: float = 0.05,
    min_iou: float = MIN_IOU,
    offsets: str = "auto",
    progress: Progress = no_progress,
) -> GridSearch:
    """Score every set of a grid of parameters by the variance between annotators, and by what it makes of wrong pairs.

    Low variance alone says nothing: a set that scores everything near one has none (Fig. 3). So a set is offered only
    when deliberately wrong pairs (:mod:`randcrowns.core.tuning.wrong_pairs`) score below ``limit`` on average, each
    kind of them counting the same, when right ones score higher, and when no more than half of the right ones are
    missed: a set that scores everything zero has no variance either.

    A target narrower than twice alpha has no score and is excluded, which could make a large alpha look better than it
    is. So a set that excludes more than ``most_excluded`` of the targets is not offered, and the others are ranked by
    their variance over the same targets: those that the largest alpha among them can score. Sets within 5e-6 of the
    lowest variance are equally good: they come first, in the order of what they make of wrong pairs, the lowest first.
    Then those as good as the lowest variance among the rest, and so on.

    Args:
        annotators: each a :class:`randcrowns.core.crowns.Crowns` or an array of polygons in metres: at least three, or
            two beside ``targets``. For a single drawing, take
            :func:`randcrowns.core.tuning.wrong_pairs.warped_annotators` too.
        alphas, omegas, gammas: the values to combine, metres, metres and ratios; Table III's by default.
        targets: crowns drawn in the field: then these alone are the targets (Section IV-B).
        extent: a polygon, or xmin, ymin, xmax, ymax, that every offset of a target and every delineation, right or
            wrong, is cut to. A crown with a target outside it is excluded.
        limit: mean score of wrong pairs at or above which a set is refused.
        most_excluded: share of the targets that may be too small.
        min_iou: the least IoU of two drawings of the same crown.
        offsets: as in :class:`randcrowns.core.scoring.parameters.RandCrownsParameters`.

    Raises:
        InputError: for annotators that cannot be compared (see
            :func:`randcrowns.core.tuning.variance.annotator_variance`), too few of them, an extent or values that
            cannot be used, or a limit outside 0 to 1.

    >>> import shapely
    >>> layers = [[shapely.box(x, 0, x + 5 + k, 5) for x in (0, 20, 40)] for k in (0, 0.5, 1)]
    >>> grid_search(layers, [0.7], [1.2], [3]).grid["verdict"].tolist()
    ['offered']
    """
    space = GridSpace(
        *(_values(name, v) for name, v in (("alpha", alphas), ("omega", omegas), ("gamma", gammas)))
    )
    _check_limits(limit, most_excluded)
    within = extent_polygon(extent)
    experiment = seen_crowns(
        shared_crowns(annotators, targets, min_iou, part_of(progress, 0.0, 0.05)), within
    )
    n_right = len(experiment.delineation)
    if n_right < 2:
        raise InputError(
            "A variance needs two delineations per target: give at least three annotators, or two beside a layer of "
            "targets, or warped copies of a drawing."
        )
    wrong = wrong_pairs(experiment)
    parts = grid_parts(
        experiment.targets,
        cut_to(within, np.concatenate([experiment.geometry.ravel(), wrong.copies])),
        np.vstack([experiment.delineation, wrong.delineation]),
        space,
        extent=within,
        offsets=offsets,
        progress=part_of(progress, 0.05, 0.8),
    )
    large_enough = _large_enough(parts, len(experiment.targets))
    few_excluded = (~large_enough).mean(axis=1) <= most_excluded
    common = large_enough[few_excluded].all(axis=0) & few_excluded.any()
    totals = grid_totals(parts, space, n_right, common, part_of(progress, 0.8, 0.94))
    missed = _missed(parts, n_right) / n_right
    grid = _table(space, totals, large_enough, few_excluded, common, wrong, missed)
    grid = judged_sets(grid, limit, most_excluded, within is not None)

    recommended = (
        grid[grid["rank"].notna()].sort_values("rank").head(_RECOMMENDED).reset_index(drop=True)
    )
    best, direct = None, None
    if len(recommended):
        alpha, omega, gamma = recommended.loc[0, ["alpha", "omega", "gamma"]].astype(float)
        best = RandCrownsParameters(alpha, omega, gamma, offsets)
        direct = experiment_variance(experiment, best, within, part_of(progress, 0.94, 1.0))
    progress(1.0)
    return GridSearch(
        grid,
        recommended,
        best,
        direct,
        experiment,
        nothing_offered(grid, limit, most_excluded, within is not None),
    )


def _values(name: str, values: ArrayLike) -> Floats:
    """The values of one parameter, growing and without repeats."""
    if np.ma.isMaskedArray(values) and np.ma.getmaskarray(values).any():
        raise InputError("Some values of {name} are masked; give only those to try.", name=name)
    try:
        found = np.unique(np.asarray(values, dtype=float).ravel())
    except (TypeError, ValueError):
        said = "All values of {name} must be numbers, but they are {values}."
        raise InputError(said, name=name, values=repr(values)) from None
    if len(found) == 0:
        raise InputError("There are no values of {name} to try; give at least one.", name=name)
    if not ((found >= 0) & (found <= MOST)).all():
        said = "All values of {name} must be numbers from 0 to {most:,.0f}, but there are {found}."
        raise InputError(said, name=name, most=MOST, found=", ".join(map(str, found)))
    return cast("Floats", found)


def _check_limits(limit: float, most_excluded: float) -> None:
    if not (isinstance(limit, Real) and 0 < limit <= 1):
        raise InputError(
            "The limit for wrong pairs must lie above 0 and not above 1, but it is {limit}.",
            limit=limit,
        )
    if not (isinstance(most_excluded, Real) and 0 <= most_excluded < 1):
        said = "The share of crowns that may be excluded must be from 0 to below 1, but it is {most_excluded}."
        raise InputError(said, most_excluded=most_excluded)


def _large_enough(parts: list[GridPart], n_targets: int) -> Bools:
    """(nA, T) whether each target has a true positive region."""
    found = np.empty((parts[0].grid.certain_area.shape[0], n_targets), dtype=bool)
    for part in parts:
        found[:, part.rows] = part.grid.certain_area > 0
    return found


def _missed(parts: list[GridPart], n_right: int) -> Ints:
    """(nA,) number of right pairs of which the delineation has no part of the target's true positive region."""
    found = np.zeros(parts[0].grid.certain_area.shape[0], dtype=np.int64)
    for part in parts:
        empty = part.grid.certain_shared[:, :n_right] <= 0
        found += (empty & (part.grid.certain_area > 0)[:, None]).sum(axis=(1, 2))
    return found


def _table(
    space: GridSpace,
    totals: GridTotals,
    large_enough: Bools,
    few_excluded: Bools,
    common: Bools,
    wrong_drawn: WrongPairs,
    missed: Floats,
) -> pd.DataFrame:
    alpha, omega, gamma = (values.ravel() for values in np.meshgrid(*space, indexing="ij"))
    scored = large_enough.sum(axis=1)
    of_kind = wrong_drawn.kind[:, None] == np.arange(len(WRONG_KINDS))
    wrong_scored = (large_enough[:, None] & (wrong_drawn.delineation >= 0)).sum(axis=2) @ of_kind
    n_common = np.where(few_excluded, common.sum(), 0)
    variance, mean = (
        ratio(total, scored[:, None, None]) for total in (totals.variance, totals.score)
    )
    common_variance = ratio(totals.common_variance, n_common[:, None, None])
    missed = ratio(missed, scored)
    wrong = ratio(totals.wrong @ of_kind, wrong_scored[:, None, None])
    per_alpha = len(space.omegas) * len(space.gammas)
    kinds = wrong.reshape(-1, len(WRONG_KINDS))
    return cast(
        "pd.DataFrame",
        pd.DataFrame(
            {
                "alpha": alpha,
                "omega": omega,
                "gamma": gamma,
                "scored": np.repeat(scored, per_alpha),
                "too_small": np.repeat(large_enough.shape[1] - scored, per_alpha),
                "missed_share": np.repeat(missed, per_alpha),
                "mean": mean.ravel(),
                "variance": variance.ravel(),
                "common_variance": common_variance.ravel(),
                "wrong": known_mean(kinds, axis=1),
                **{f"wrong_{kind}": kinds[:, i] for i, kind in enumerate(WRONG_KINDS)},
            }
        ),
    )


#: A set that misses a larger share of the right pairs is of no use.
_MOST_MISSED = 0.5
#: Variances closer than this are equal: more than the tables have been seen to misread one by.
_SAME_VARIANCE = 5e-6
#: At or above this, a mean score of wrong pairs means that everything scores high, right or wrong.
_EVERYTHING_HIGH = 0.7


class SetVerdict(Term):
    """What is to be said of a set of parameters."""

    #: Can be chosen.
    OFFERED = "offered"
    #: Wrong pairs score at or above the threshold.
    WRONG_PAIRS_TOO_HIGH = "wrong_pairs_too_high"
    #: The same, and its variance is below that of every set offered, as where nothing scores low (Fig. 3).
    DEGENERATE = "degenerate"
    #: Right pairs score no higher than wrong ones, or most of them are missed: robust, and useless.
    RIGHT_PAIRS_TOO_LOW = "right_pairs_too_low"
    #: Too many crowns are narrower than twice alpha.
    TOO_MANY_LEFT_OUT = "too_many_left_out"


def judged_sets(
    grid: pd.DataFrame, limit: float, most_excluded: float, in_image: bool
) -> pd.DataFrame:
    """The grid of :class:`GridSearch` with the columns verdict, reason and rank; limits as in :func:`grid_search`.

    Where targets were cut to an extent, they are ``in_image``.
    """
    variance, wrong, mean, missed, too_small = (
        grid[name].to_numpy()
        for name in ("common_variance", "wrong", "mean", "missed_share", "too_small")
    )
    n_targets = too_small + grid["scored"].to_numpy()
    many = too_small / n_targets > most_excluded
    low = ~many & ((missed > _MOST_MISSED) | (mean <= wrong))
    # Where no wrong pair can be scored, nothing speaks for a set.
    high = ~many & ~low & ~(wrong < limit)
    offered = ~many & ~low & ~high
    best = variance[offered].min(initial=np.inf)
    degenerate = high & (variance < best - _SAME_VARIANCE) & offered.any()

    verdict = np.full(len(grid), SetVerdict.OFFERED.value, dtype=object)
    verdict[high] = SetVerdict.WRONG_PAIRS_TOO_HIGH.value
    verdict[degenerate] = SetVerdict.DEGENERATE.value
    verdict[low] = SetVerdict.RIGHT_PAIRS_TOO_LOW.value
    verdict[many] = SetVerdict.TOO_MANY_LEFT_OUT.value
    reason = np.full(len(grid), "", dtype=object)
    narrow = "{number} of {all} targets ({share}) are narrower than twice alpha and have no score"
    if in_image:
        narrow = (
            "{number} of {all} targets ({share}) are narrower than twice alpha, or have no more than their edge within "
            "the image extent and have no score"
        )
    reason[many] = [
        Said(narrow, number=number, all=total, share=_percent(number / total, most_excluded))
        for number, total in zip(too_small[many], n_targets[many])
    ]
    # Hundreds of sets have the same reason: it is made once.
    alone_high = "wrong pairs score {score} on average, and the threshold is {limit:g}"
    shown = [
        score_words(score, limit) if score >= limit else None for score in wrong[high].tolist()
    ]
    told = {
        score: Said(
            "all targets of wrong pairs are too small, so nothing is known of what the set makes of them"
        )
        if score is None
        else Said(alone_high, score=score, limit=limit)
        for score in set(shown)
    }
    reason[high] = [told[score] for score in shown]
    all_high = (
        "the variance is low ({variance:.1e}) only because everything scores high: wrong pairs {score:.2f} on "
        "average, right ones {right:.2f}"
    )
    below_all = (
        "the variance ({variance:.1e}) is below that of every set that can be chosen, but wrong pairs score "
        "{score} on average, and the threshold is {limit:g}"
    )
    reason[degenerate] = [
        Said(all_high, variance=low, score=score, right=right)
        if score >= _EVERYTHING_HIGH
        else Said(below_all, variance=low, score=score_words(score, limit), limit=limit)
        for low, score, right in zip(variance[degenerate], wrong[degenerate], mean[degenerate])
    ]
    reason[low] = [
        Said(
            "{share} of the right pairs are missed: they share nothing that is surely crown, and score 0",
            share=_percent(share, _MOST_MISSED),
        )
        if share > _MOST_MISSED
        else Said(
            "right pairs score {right:.2f} on average, no more than wrong ones ({score:.2f})",
            right=right,
            score=score,
        )
        for share, right, score in zip(missed[low], mean[low], wrong[low])
    ]
    choice = np.flatnonzero(offered)
    order = choice[_order(variance[choice], wrong[choice])]
    rank = pd.array([pd.NA] * len(grid), dtype="Int64")
    rank[order] = np.arange(1, len(order) + 1)
    return cast("pd.DataFrame", grid.assign(verdict=verdict, reason=reason, rank=rank))


def _order(variance: Floats, wrong: Floats) -> Ints:
    """Rows from the first to the last: those as good as the lowest variance, by wrong pairs; then those of the rest."""
    by_variance = np.argsort(variance, kind="stable")
    growing = variance[by_variance]
    place = np.empty(len(variance), dtype=np.int64)
    start = 0
    while start < len(growing):
        end = np.searchsorted(growing, growing[start] + _SAME_VARIANCE, "right")
        place[by_variance[start:end]] = start
        start = int(end)
    return cast("Ints", np.lexsort((variance, wrong, place)))


def nothing_offered(
    grid: pd.DataFrame, limit: float, most_excluded: float, in_image: bool
) -> Remark | None:
    """Why there is nothing to choose, None where there is; arguments as in :func:`judged_sets`."""
    verdict = grid["verdict"]
    if (verdict == SetVerdict.OFFERED).any():
        return None
    if (verdict == SetVerdict.TOO_MANY_LEFT_OUT).all():
        return note(
            "finding.too_many_left_out",
            "Every alpha of the grid excludes more than {most:g}% of the targets, which "
            f"{_without_score(in_image)}; try smaller values of alpha.",
            most=100 * most_excluded,
        )
    if (verdict == SetVerdict.RIGHT_PAIRS_TOO_LOW).any():
        return note(
            "finding.right_pairs_too_low",
            "No set of the grid can be chosen: those that keep wrong pairs below {limit:g} miss most of the right "
            "pairs, or score them no higher than wrong ones. Try smaller values of alpha, and check that the layers "
            "lie on each other.",
            limit=limit,
        )
    lowest = grid.loc[verdict != SetVerdict.TOO_MANY_LEFT_OUT, "wrong"].min()
    said = (
        "No set of the grid keeps wrong pairs below {limit:g}: the lowest mean is {lowest}. Try smaller values of "
        "gamma or omega, or raise the threshold."
    )
    return note(
        "finding.wrong_pairs_too_high", said, limit=limit, lowest=score_words(lowest, limit)
    )


def _percent(share: float, limit: float) -> Said:
    return Said("{number}%", number=as_words(100 * share, _decimals(100 * share, 100 * limit, 0)))


def score_words(score: float, limit: float) -> Said:
    """A mean score with two decimals, or as many more as tell on which side of the limit it lies."""
    return as_words(score, _decimals(score, limit, 2))


def _decimals(value: float, limit: float, decimals: int) -> int:
    """As many as it takes to see on which side of the limit the value lies."""
    for number in range(decimals, 9):
        seen = round(value, number)
        if (seen > limit, seen < limit) == (value > limit, value < limit):
            return number
    return 9


def _without_score(in_image: bool) -> str:
    only_edges = ", or have no more than their edge within the image extent" if in_image else ""
    return f"are narrower than twice alpha{only_edges}"
