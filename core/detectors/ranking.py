"""Every detector under every ground truth: areas under the P̄-recall curve, ranks and rankings in one pass.

A detector is sorted once; each ground truth then costs one running sum along that order. Sorting and summing
release Python's lock, so that detectors and ground truths share the processors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Callable, Union, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats
from randcrowns.core.detectors.curves import (
    ScoreOrder,
    Segments,
    area_under_p_bar,
    as_score,
    as_truth,
    as_weight,
    curves_at,
    usable_units,
)
from randcrowns.core.detectors.mean_precision import DEFAULT_HIGH, DEFAULT_LOW, check_skew_limits
from randcrowns.core.detectors.tolerance import Tolerance
from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared, is_row
from randcrowns.core.progress import Progress, in_threads, no_progress, part_of, steps
from randcrowns.core.remarks import Remark, info

#: Arrays by name, or in a row.
Named = Union[Mapping[str, ArrayLike], Sequence[ArrayLike], Array, pd.DataFrame]

_RECALLS = np.linspace(0.0, 1.0, 101)
_ALL_NEAR = info(
    "reason.all_near",
    "Every unmarked pixel is within the tolerance of a marked one, so none is left to judge; make it smaller.",
)
_NO_SCORE = info("reason.no_score", "It has no score inside the study area.")
_NO_COMMON = info("reason.no_common", "No pixel has a score from every detector.")
_PiecesOf = Callable[[str], Segments]


@dataclass(frozen=True, eq=False)
class DetectorRanking:
    """What the ground truths say about the detectors.

    Attributes:
        aucr: area under the P̄-recall curve, a row per detector and a column per ground truth; NaN where it cannot
            be computed.
        ranks: rank of each detector under each ground truth; 1 is best, ties share a rank.
        rankings: the distinct orders with the ground truths that give each, the most frequent first.
        kendall_tau: Kendall's tau between the orders of every two ground truths.
        curves: columns detector, truth, recall (0 to 1 in steps of 0.01), false_positive_rate, precision, p_bar.
        skew: fraction of positives of each ground truth.
        reasons: why a detector or ground truth has no value, by its name.
        used: units that were counted.
        excluded: units excluded: outside the study area, or without a score or a ground truth somewhere.
    """

    aucr: pd.DataFrame
    ranks: pd.DataFrame
    rankings: tuple[Ranking, ...]
    kendall_tau: pd.DataFrame
    curves: pd.DataFrame
    skew: pd.Series
    reasons: dict[str, Remark]
    used: int
    excluded: int

    @property
    def bands(self) -> pd.DataFrame:
        """What the ground truths span at each recall: columns detector, recall, lowest, median, highest P̄."""
        spread = self.curves.groupby(["detector", "recall"], sort=False)["p_bar"]
        return spread.agg(lowest="min", median="median", highest="max").reset_index()


@as_declared
def rank_detectors(
    scores: Named,
    truths: Named,
    low: float = DEFAULT_LOW,
    high: float = DEFAULT_HIGH,
    *,
    weight: ArrayLike | None = None,
    valid: ArrayLike | None = None,
    tolerance: Tolerance | None = None,
    progress: Progress = no_progress,
) -> DetectorRanking:
    """AUCR of every detector under every ground truth, and the rankings that come out.

    Every detector is judged on the same units: those inside ``valid`` where every detector has a score (but for
    detectors without any score, which are reported) and every ground truth a value.

    Args:
        scores: a score per unit for each detector, all of one shape, by name or in a row. Higher means more certain;
            minus infinity where a detector found nothing.
        truths: yes or no per unit for each ground truth, same shape, by name or in a row.
        low, high: limits of the fraction of positives.
        weight: weight of each unit, such as a face's area; 1 by default.
        valid: where to look (study area without training areas); everywhere by default.
        tolerance: how far a detection may lie from the ground truth; rasters only.

    Raises:
        InputError: no detector or ground truth, shapes that differ, values that cannot be used.

    >>> scores = {"good": [0.9, 0.8, 0.2, 0.1], "poor": [0.1, 0.9, 0.8, 0.2]}
    >>> rank_detectors(scores, {"ann": [1, 1, 0, 0]}).ranks["ann"].to_dict()
    {'good': 1.0, 'poor': 2.0}
    """
    check_skew_limits(low, high)
    score_of, truth_of = named(scores, "Detector"), named(truths, "Ground truth")
    if not score_of or not truth_of:
        raise InputError("Ranking needs at least one detector and one ground truth; pick both.")
    values = {name: as_score(score, name) for name, score in score_of.items()}
    shape = next(iter(values.values())).shape
    for name, score in values.items():
        if score.shape != shape:
            said = "{name} has shape {shape}, the first detector {other_shape}: give both the same grid."
            raise InputError(said, name=name, shape=str(score.shape), other_shape=str(shape))
    marked = {name: as_truth(truth, shape, name) for name, truth in truth_of.items()}
    heavy = None if weight is None else as_weight(weight, shape)
    area = usable_units(shape, *truth_of.values(), valid=valid)
    covered = {name: area & usable_units(shape, score) for name, score in score_of.items()}
    reasons = {name: _NO_SCORE for name, cover in covered.items() if not cover.any()}
    for name, cover in covered.items():
        if name not in reasons:
            area &= cover
    if not area.any():
        reasons = {**dict.fromkeys(values, _NO_COMMON), **reasons}
    everywhere = bool(area.all())
    inside = {name: truth.ravel() if everywhere else truth[area] for name, truth in marked.items()}
    within = None if heavy is None else heavy[area]
    counted: dict[str, Bools] = {}
    if tolerance is not None and tolerance.distance > 0:
        looking = steps(list(marked.items()), part_of(progress, 0.0, 0.4))
        counted = {name: tolerance.counted(truth & area)[area] for (name, truth), _ in looking}
        progress = part_of(progress, 0.4, 1.0)

    packed = _Packed.of(inside)

    def pieces_of(detector: str) -> _PiecesOf:
        own = values[detector].ravel() if everywhere else values[detector][area]
        if tolerance is None or not counted:
            order = ScoreOrder(own, within)
            in_order = packed.each(order.in_order)
            return lambda truth: order.segments_of(in_order[truth])
        highest = tolerance.highest_nearby(np.where(area, values[detector], -np.inf))[area]
        return _forgiving(own, highest, inside, counted, within)

    present = [name for name in values if name not in reasons]
    judged = _judge_all(pieces_of, present, list(marked), low, high, progress)
    table = pd.DataFrame(np.nan, index=list(values), columns=list(marked), dtype=float)
    for (detector, truth), (area_under, reason, _) in judged.items():
        table.loc[detector, truth] = area_under
        if reason:
            swallowed = tolerance is not None and inside[truth].any() and not inside[truth].all()
            reasons[truth] = _ALL_NEAR if swallowed else reason
    ranks = ranks_of(table)
    return DetectorRanking(
        aucr=table,
        ranks=ranks,
        rankings=distinct_rankings(ranks),
        kendall_tau=kendall_tau(ranks),
        curves=_one_table({pair: curve for pair, (_, _, curve) in judged.items()}),
        skew=pd.Series(
            {name: skew_of(truth, within) for name, truth in inside.items()}, dtype=float
        ),
        reasons=reasons,
        used=int(area.sum()),
        excluded=int(area.size - area.sum()),
    )


def named(items: Named, kind: str) -> dict[str, ArrayLike]:
    """The items by name; those given in a row are called "<kind> 1", "<kind> 2", ..."""
    if not isinstance(items, (pd.DataFrame, Mapping)):
        if not is_row(items):
            said = "{kind}s must be a dict of arrays, or a list of them, not a {type}."
            raise InputError(said, kind=kind, type=type(items).__name__)
        return {f"{kind} {number}": item for number, item in enumerate(items, start=1)}
    found: dict[str, ArrayLike] = {}
    for name, item in items.items():
        if str(name) in found:
            raise InputError(
                "{kind} '{name}' is there twice; give each a name of its own.", kind=kind, name=name
            )
        found[str(name)] = item.to_numpy() if isinstance(item, pd.Series) else item
    return found


class _Packed:
    """Several ground truths as bits, so that putting them in another order costs little more than for one."""

    def __init__(self, place: dict[str, tuple[int, int]], bits: list[Array]) -> None:
        self._place, self._bits = place, bits

    @classmethod
    def of(cls, truths: Mapping[str, Bools]) -> _Packed:
        """Eight ground truths in a byte of each unit."""
        place = {name: divmod(number, 8) for number, name in enumerate(truths)}
        bits: list[Array] = []
        for name, (byte, bit) in place.items():
            if bit == 0:
                bits.append(np.zeros(truths[name].shape, dtype=np.uint8))
            bits[byte] |= truths[name].view(np.uint8) << np.uint8(bit)
        return cls(place, bits)

    def each(self, work: Callable[[Array], Array]) -> _Packed:
        """The ground truths with their units put in another order."""
        return _Packed(self._place, [work(bits) for bits in self._bits])

    def __getitem__(self, name: str) -> Bools:
        byte, bit = self._place[name]
        return cast("Bools", (self._bits[byte] & np.uint8(1 << bit)) != 0)


def _forgiving(
    own: Floats,
    highest: Floats,
    inside: dict[str, Bools],
    counted: dict[str, Bools],
    weight: Floats | None,
) -> _PiecesOf:
    """Marked units have the highest score nearby, the others their own: two orders, merged for each ground truth."""
    by_highest, by_own = np.argsort(-highest), np.argsort(-own)

    def pieces(truth: str) -> Segments:
        marked = by_highest[inside[truth][by_highest]]
        others = by_own[(counted[truth] & ~inside[truth])[by_own]]
        merged = ScoreOrder(
            np.concatenate([highest[marked], own[others]]),
            None if weight is None else weight[np.concatenate([marked, others])],
            in_runs=True,
        )
        return merged.segments(np.arange(marked.size + others.size) < marked.size)

    return pieces


def _judge_all(
    pieces_of: Callable[[str], _PiecesOf],
    detectors: list[str],
    truths: list[str],
    low: float,
    high: float,
    progress: Progress,
) -> dict[tuple[str, str], tuple[float, Remark | None, pd.DataFrame]]:
    """AUCR, why it is missing, and curve of every detector under every ground truth, detector by detector."""
    prepared = dict(zip(detectors, in_threads(pieces_of, detectors, part_of(progress, 0.0, 0.2))))
    pairs = [(detector, truth) for detector in detectors for truth in truths]

    def judge(pair: tuple[str, str]) -> tuple[float, Remark | None, pd.DataFrame]:
        pieces = prepared[pair[0]](pair[1])
        return (
            area_under_p_bar(pieces, low, high),
            pieces.reason,
            curves_at(pieces, _RECALLS, low, high),
        )

    return dict(zip(pairs, in_threads(judge, pairs, part_of(progress, 0.2, 1.0))))


def _one_table(curves: dict[tuple[str, str], pd.DataFrame]) -> pd.DataFrame:
    columns = ["detector", "truth", "recall", "false_positive_rate", "precision", "p_bar"]
    if not curves:
        return cast("pd.DataFrame", pd.DataFrame(columns=columns))
    return cast(
        "pd.DataFrame",
        pd.concat(curves, names=columns[:2])
        .reset_index(columns[:2])
        .reset_index(drop=True)[columns],
    )


def skew_of(truth: Bools, weight: Floats | None = None) -> float:
    """Fraction of positives of a ground truth, by weight; NaN where nothing has any.

    >>> skew_of(np.array([True, False]), np.array([1.0, 3.0]))
    0.25
    """
    if weight is None:
        return float(np.count_nonzero(truth)) / truth.size if truth.size else float("nan")
    total = float(weight.sum())
    return float((truth * weight).sum()) / total if total > 0 else float("nan")


#: Values that lie no further apart tie: coordinates rounded by a change of system differ by as little.
TIE = 1e-9


@dataclass(frozen=True)
class Ranking:
    """One order of the detectors and the ground truths that lead to it."""

    #: Detectors from the best to the worst; detectors that tie share a place.
    places: tuple[tuple[str, ...], ...]
    truths: tuple[str, ...]  #: the ground truths that give this order.

    @property
    def order(self) -> tuple[str, ...]:
        """The detectors from the best to the worst, tied ones in the order of the table."""
        return tuple(name for place in self.places for name in place)


def ranks_of(aucr: pd.DataFrame) -> pd.DataFrame:
    """Rank of every detector (row) under every ground truth (column): 1 is best, ties share the better rank.

    Neighbouring values no further apart than :data:`TIE` tie. NaN stays NaN.
    """
    values = -aucr.to_numpy(dtype=float)
    order = np.argsort(values, axis=0, kind="stable")
    ordered = np.take_along_axis(values, order, axis=0)
    place = np.arange(1.0, len(values) + 1)[:, None]
    begins = np.ones(values.shape, dtype=bool)
    begins[1:] = ~(np.diff(ordered, axis=0) <= TIE)
    ranks = np.empty_like(values)
    np.put_along_axis(
        ranks, order, np.maximum.accumulate(np.where(begins, place, 0.0), axis=0), axis=0
    )
    ranks[np.isnan(values)] = np.nan
    return cast("pd.DataFrame", pd.DataFrame(ranks, index=aucr.index, columns=aucr.columns))


def distinct_rankings(ranks: pd.DataFrame) -> tuple[Ranking, ...]:
    """The distinct orders in ``ranks``, the one with the most ground truths first (Table IV of the source).

    Detectors without any rank, and ground truths that do not rank all the others, take no part.
    """
    ranked = ranks.dropna(axis=0, how="all").dropna(axis=1, how="any")
    truths_of: dict[tuple[float, ...], list[str]] = {}
    if len(ranked):
        for truth in ranked.columns:
            truths_of.setdefault(tuple(ranked[truth]), []).append(truth)
    rankings = []
    for rank, truths in truths_of.items():
        places = [tuple(ranked.index[np.equal(rank, place)]) for place in sorted(set(rank))]
        rankings.append(Ranking(tuple(places), tuple(truths)))
    return tuple(sorted(rankings, key=lambda ranking: -len(ranking.truths)))


def ranking_table(rankings: tuple[Ranking, ...]) -> pd.DataFrame:
    """The distinct rankings side by side, as in the source's Table IV.

    Returns:
        One row per position and one column per ranking ("Ranking #1", ...). Detectors that tie stand together
        as "A = B" and the positions they take up stay empty. The last row, "Ground truths", names what gives each.
    """
    columns = {}
    for number, ranking in enumerate(rankings, start=1):
        cells: list[str] = []
        for place in ranking.places:
            cells += [" = ".join(place)] + [""] * (len(place) - 1)
        columns[f"Ranking #{number}"] = [*cells, ", ".join(ranking.truths)]
    n_places = len(rankings[0].order) if rankings else 0
    index = pd.Index(
        [*(str(place) for place in range(1, n_places + 1)), "Ground truths"], name="Position"
    )
    return cast("pd.DataFrame", pd.DataFrame(columns, index=index if rankings else None))


@as_declared
def kendall_tau(ranks: pd.DataFrame) -> pd.DataFrame:
    """Kendall's tau-b between the orders that two ground truths give, for all pairs of ground truths.

    1 means the same order, -1 the opposite one. NaN where a ground truth ranks nothing, or all detectors tie.

    Args:
        ranks: see :func:`ranks_of`; detectors without any rank take no part.

    >>> ranks = pd.DataFrame({"ann": [1, 2, 3], "ben": [1, 3, 2]}, index=["a", "b", "c"])
    >>> round(float(kendall_tau(ranks).loc["ann", "ben"]), 3)
    0.333
    """
    ranked = ranks.dropna(axis=0, how="all").to_numpy(dtype=float)
    first, second = np.triu_indices(len(ranked), k=1)
    signs = np.sign(ranked[first] - ranked[second])
    untied = (signs != 0).sum(axis=0, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        tau = (signs.T @ signs) / np.sqrt(np.outer(untied, untied))
    return cast(
        "pd.DataFrame",
        pd.DataFrame(np.clip(tau, -1.0, 1.0), index=ranks.columns, columns=ranks.columns),
    )
