"""Scoring whole layers: pair, score, and tabulate per target, per delineation and over all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects, first_of_each
from randcrowns.core.crowns import Crowns, CrownsLike, as_crowns, extent_polygon
from randcrowns.core.given import as_declared
from randcrowns.core.progress import Progress, aside, no_progress, part_of, steps
from randcrowns.core.scoring.pairing import (
    Candidates,
    Pairing,
    assign,
    by_age,
    candidates,
    in_steps,
    nearest_target,
)
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import (
    SCORE_COLUMNS,
    TargetRegions,
    as_table,
    offset_table,
    score_columns,
)
from randcrowns.core.statistics import mean_interval, plot_codes, precision_recall_f1, ratio
from randcrowns.core.status import ALL, Status
from randcrowns.core.systems import check_one_system

#: Least scores of a crown that counts as found.
IOU_THRESHOLDS, RANDCROWNS_THRESHOLD = (0.4, 0.5), 0.5
#: The three scores that always stand together.
SCORES = ("randcrowns", "iou", "iou_crowns")
#: What people call them.
SCORE_NAMES = dict(zip(SCORES, ("RandCrowns", "IoU", "IoUCrowns")))
#: Columns of a table by name, all of one length.
Columns = Mapping[str, Array]


class CrownScores(NamedTuple):
    """What :func:`score_crowns` finds."""

    #: A row per target: ``target_id``, ``group``, ``delineation_id`` (missing when unmatched), ``n_delineations``,
    #: ``distance`` (m between centroids), ``randcrowns``, ``iou``, ``iou_crowns``, ``a``, ``b``, ``c``, ``d`` (m⁴),
    #: ``tau`` (m), ``area`` (m²), ``status``, ``best_iou``, ``best_randcrowns`` (of its delineations; they differ from
    #: the scores only where several delineations are averaged).
    targets: pd.DataFrame
    #: A row per delineation: ``delineation_id``, ``group``, ``target_id`` (of the targets it serves the one it scores
    #: best against), ``n_targets``, the three scores against that one, ``area``, ``status`` (matched or unmatched).
    delineations: pd.DataFrame
    summary: pd.DataFrame  #: see :func:`summarise`.
    pairs: (
        pd.DataFrame
    )  #: a row per pair that the pairing method looks at: see :class:`ScoredPairs`.


class ScoredPairs(NamedTuple):
    """Pairs that were scored, and what is known of the targets whether paired or not."""

    #: A row per pair: ``target``, ``delineation`` (rows), ``target_id``, ``delineation_id``, ``distance`` (m), the
    #: columns of :func:`randcrowns.core.scoring.score.score_pairs`, and ``assigned``.
    pairs: pd.DataFrame
    tau: Floats  #: (T,) metres.
    too_small: Bools  #: (T,) True where the true positive region is empty.


@as_declared
def score_crowns(
    targets: CrownsLike,
    delineations: CrownsLike,
    parameters: RandCrownsParameters,
    pairing: str = "nearest",
    extent: Any = None,
    groups: tuple[ArrayLike | None, ArrayLike | None] | ArrayLike | None = None,
    *,
    cut: Objects | None = None,
    search_radius: float | None = None,
    iou_thresholds: Sequence[float] = IOU_THRESHOLDS,
    randcrowns_threshold: float = RANDCROWNS_THRESHOLD,
    progress: Progress = no_progress,
) -> CrownScores:
    """Score delineations against targets (Stewart et al. 2021, Sections II and IV-B).

    Args:
        targets: the crowns to be found: a :class:`Crowns`, an array of polygons in metres, or a GeoDataFrame.
        delineations: the crowns to be scored, likewise.
        parameters: alpha, omega, gamma and the kind of offsets.
        pairing: the name of a :class:`randcrowns.core.scoring.pairing.Pairing`.
        extent: a polygon, or xmin, ymin, xmax, ymax; every offset of a target is cut to it.
        groups: the plot of each target, or a pair with the plots of the targets and of the delineations, for arrays
            that carry none or others. With both, only crowns of one plot are paired; with the targets' alone, a
            delineation counts to the plot of its nearest target.
        cut: (D,) the delineations as far as they lie within the extent, scored in place of the whole ones, which still
            decide who is near whom.
        search_radius: metres between centroids, for the pairings that go by distance; None for half the diagonal
            of each target's bounds.
        iou_thresholds, randcrowns_threshold: least scores of a crown that counts as found.

    Raises:
        InputError: if a crown is not a valid polygon, or a parameter cannot be used.

    >>> import shapely
    >>> trees = [shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)]
    >>> scores = score_crowns(trees, trees[:1], RandCrownsParameters(0.7, 1.2, 3))
    >>> scores.targets["status"].tolist(), scores.summary["randcrowns_mean"].tolist()
    (['scored', 'unmatched'], [0.5])
    """
    target_groups, drawn_groups = _both_groups(groups)

    def checked(tell: Progress) -> tuple[Crowns, Crowns]:
        one = as_crowns(targets, "targets", target_groups)
        tell(0.5)
        return one, as_crowns(delineations, "delineations", drawn_groups)

    targets, delineations = aside(checked, part_of(progress, 0.0, 0.1))
    found = score_layers(
        targets,
        [delineations],
        parameters,
        pairing,
        extent,
        cuts=[cut],
        search_radius=search_radius,
        iou_thresholds=iou_thresholds,
        randcrowns_threshold=randcrowns_threshold,
        progress=part_of(progress, 0.1, 1.0),
    )
    return found.scores[0]


class LayerScores(NamedTuple):
    """What :func:`score_layers` finds."""

    scores: list[CrownScores]  #: those of each layer of delineations.
    regions: TargetRegions | None  #: of the targets, where they are wanted.


def score_layers(
    targets: Crowns,
    layers: Sequence[Crowns],
    parameters: RandCrownsParameters,
    pairing: str = "nearest",
    extent: Any = None,
    *,
    cuts: Sequence[Objects | None] | None = None,
    search_radius: float | None = None,
    iou_thresholds: Sequence[float] = IOU_THRESHOLDS,
    randcrowns_threshold: float = RANDCROWNS_THRESHOLD,
    with_regions: bool = False,
    progress: Progress = no_progress,
) -> LayerScores:
    """Score several layers of delineations against the same targets, whose offsets are made once.

    Args:
        cuts: for each layer ``cut`` of :func:`score_crowns`; the other arguments are also those of that function.
        with_regions: also find the targets' regions.

    >>> import shapely
    >>> trees, found = Crowns([shapely.box(0, 0, 5, 5)]), Crowns([shapely.box(0, 0, 5, 4)])
    >>> layers = score_layers(trees, [trees, found], RandCrownsParameters(0.7, 1.2, 3))
    >>> [scores.targets["iou"].tolist() for scores in layers.scores]
    [[1.0], [0.8]]
    """
    check_one_system(crowns.crs for crowns in (targets, *layers))
    method = Pairing.named(pairing, "pairing method")
    scored, regions = score_candidates(
        targets,
        layers,
        parameters,
        method,
        extent,
        cuts=cuts,
        search_radius=search_radius,
        with_regions=with_regions,
        progress=part_of(progress, 0.0, 0.8),
    )

    def tabulated(tell: Progress) -> list[CrownScores]:
        found = []
        for (delineations, pairs), share in steps(list(zip(layers, scored)), tell):
            assigned = kept_pairs(pairs.pairs)
            per_target = target_table(assigned, pairs, targets, method)
            share(0.3)
            per_delineation = delineation_table(assigned, targets, delineations)
            rest = part_of(share, 0.6, 1.0)
            summary = summarise(
                per_target, per_delineation, iou_thresholds, randcrowns_threshold, rest
            )
            found.append(CrownScores(per_target, per_delineation, summary, pairs.pairs))
        return found

    tables = aside(tabulated, part_of(progress, 0.8, 1.0))
    progress(1.0)
    return LayerScores(tables, regions)


def not_judged(scores: CrownScores) -> CrownScores:
    """The scores where only some of the crowns were drawn as targets: unmatched delineations may be right.

    They are not judged, and what counts them as false (precision, F1, the penalised mean) is NaN.
    """
    names = [
        name for name in scores.summary if str(name).startswith(("precision_", "f1_", "penalised_"))
    ]
    delineations = scores.delineations.replace(
        {"status": {Status.UNMATCHED.value: Status.NOT_JUDGED.value}}
    )
    return scores._replace(
        summary=scores.summary.assign(**dict.fromkeys(map(str, names), np.nan)),
        delineations=delineations,
    )


def score_candidates(
    targets: Crowns,
    layers: Sequence[Crowns],
    parameters: RandCrownsParameters,
    pairing: Pairing,
    extent: Any = None,
    *,
    cuts: Sequence[Objects | None] | None = None,
    search_radius: float | None = None,
    with_regions: bool = False,
    progress: Progress = no_progress,
) -> tuple[list[ScoredPairs], TargetRegions | None]:
    """Score every pair that the pairing method looks at, and mark those it keeps; for each layer of delineations.

    The arguments are those of :func:`score_layers`.
    """
    within = extent_polygon(extent)
    if not layers and not with_regions:
        return [], None

    def looked_at(tell: Progress) -> list[Candidates]:
        return [
            candidates(targets, layer, pairing, search_radius, share)
            for layer, share in steps(layers, tell)
        ]

    chosen = aside(looked_at, part_of(progress, 0.0, 0.3))
    drawn = [
        layer.geometry if cut is None else cut
        for layer, cut in zip(layers, cuts or [None] * len(layers))
    ]
    first = np.cumsum([0, *map(len, drawn)])
    table = offset_table(
        targets.geometry,
        np.concatenate([*drawn, np.empty(0, dtype=object)]),
        np.concatenate([*(some.target for some in chosen), np.empty(0, np.int64)]),
        np.concatenate(
            [
                *(some.delineation + start for some, start in zip(chosen, first)),
                np.empty(0, np.int64),
            ]
        ),
        parameters,
        within,
        part_of(progress, 0.3, 0.8),
        with_regions=with_regions,
    )

    def assigned(tell: Progress) -> list[ScoredPairs]:
        scores = score_columns(table)
        ends = np.cumsum([0, *(len(some.target) for some in chosen)])
        found = []
        for (layer, some, start, end), share in steps(
            list(zip(layers, chosen, ends, ends[1:])), tell
        ):
            own: dict[str, Any] = {name: values[start:end] for name, values in scores.items()}
            kept = assign(
                some, pairing, own["randcrowns"], own["iou"], targets.ids, layer.ids, share
            )
            ids = {
                "target_id": targets.ids[some.target],
                "delineation_id": layer.ids[some.delineation],
            }
            rows = {"target": some.target, "delineation": some.delineation}
            pairs = as_table({**rows, **ids, "distance": some.distance, **own, "assigned": kept})
            found.append(ScoredPairs(pairs, table.tau, table.certain_area == 0))
        return found

    return aside(assigned, part_of(progress, 0.8, 1.0)), table.regions


def kept_pairs(pairs: pd.DataFrame) -> Columns:
    """The columns of the scored pairs that the pairing kept; a table would take ten times as long to choose them."""
    every = _columns(pairs)
    kept = np.flatnonzero(every["assigned"])
    return {name: values[kept] for name, values in every.items()}


def target_table(
    assigned: Columns, scored: ScoredPairs, targets: Crowns, pairing: Pairing
) -> pd.DataFrame:
    """A row per target, see :class:`CrownScores`, from its :func:`kept_pairs`."""
    return as_table(target_columns(assigned, scored.tau, scored.too_small, targets, pairing))


def target_columns(
    assigned: Columns, tau: Floats, too_small: Bools, targets: Crowns, pairing: Pairing
) -> dict[str, Any]:
    """The columns of :func:`target_table`, from those of the pairs; (T,) tau and where there is none."""
    n = len(targets)
    best = _best(assigned, "target", "delineation_id", n, 1 if pairing is Pairing.MIN_SCORE else -1)
    count = np.bincount(assigned["target"], minlength=n)
    unmatched = count == 0
    scores = {
        name: _taken(assigned[name], best)
        for name in SCORE_COLUMNS
        if name not in ("tau", "status")
    }
    status = np.append(assigned["status"], Status.UNMATCHED.value)[best]
    for name in SCORES:
        scores[name][unmatched] = 0.0
    scores["randcrowns"][too_small] = scores["iou_crowns"][too_small] = np.nan
    scores["iou"][too_small & unmatched] = np.nan
    status[too_small] = Status.TARGET_TOO_SMALL.value
    highest = {f"best_{name}": scores[name].copy() for name in ("iou", "randcrowns")}
    if pairing is Pairing.MEAN_OVER_COUNT:
        some = np.flatnonzero(~unmatched)
        for name in SCORES:
            total = np.bincount(assigned["target"], assigned[name].astype(float), n)
            scores[name][some] = total[some] / count[some] / count[some]
    return {
        "target_id": targets.ids.copy(),
        "group": _groups(targets),
        "delineation_id": _known_ids(assigned["delineation_id"], best),
        "n_delineations": count,
        "distance": _taken(assigned["distance"], best),
        **scores,
        "tau": tau.copy(),
        "area": targets.areas.copy(),
        "status": status,
        **highest,
    }


def delineation_table(assigned: Columns, targets: Crowns, delineations: Crowns) -> pd.DataFrame:
    """A row per delineation, see :class:`CrownScores`, from its :func:`kept_pairs`."""
    groups = _groups(delineations)
    if groups_of_nearest(targets, delineations) and len(targets) and len(delineations):
        groups = _groups(targets)[nearest_target(targets, delineations)]
    return as_table(delineation_columns(assigned, delineations, groups))


def groups_of_nearest(targets: Crowns, delineations: Crowns) -> bool:
    """Whether a delineation counts to the group of its nearest target: only the targets have groups."""
    return targets.groups is not None and delineations.groups is None


def delineation_columns(assigned: Columns, delineations: Crowns, groups: Objects) -> dict[str, Any]:
    """The columns of :func:`delineation_table`, from those of the pairs and the (D,) groups."""
    best = _best(assigned, "delineation", "target_id", len(delineations))
    count = np.bincount(assigned["delineation"], minlength=len(delineations))
    return {
        "delineation_id": delineations.ids.copy(),
        "group": groups,
        "target_id": _known_ids(assigned["target_id"], best),
        "n_targets": count,
        **{name: _taken(assigned[name], best) for name in SCORES},
        "area": delineations.areas.copy(),
        "status": _WHETHER_MATCHED[np.minimum(count, 1)],
    }


_WHETHER_MATCHED = np.array([Status.UNMATCHED.value, Status.MATCHED.value], dtype=object)


def _columns(table: pd.DataFrame, names: Sequence[str] = ()) -> Columns:
    return {str(name): table[name].to_numpy() for name in names or table.columns}


def _best(assigned: Columns, member: str, other: str, n: int, sign: int = -1) -> Ints:
    """(n,) row of the pair of the highest score of each member, of equal ones that of the lowest id; -1 without any.

    With a ``sign`` of 1 the pair of the lowest score.
    """
    score = in_steps(assigned["randcrowns"].astype(float))
    rows = first_of_each(by_age(assigned[other]), sign * score, assigned[member])
    best = np.full(n, -1, dtype=np.int64)
    best[assigned[member][rows]] = rows
    return best


def _taken(values: Array, rows: Ints) -> Floats:
    """(n,) the values of these rows; NaN for -1."""
    return np.append(values.astype(float), np.nan)[rows]


def _known_ids(ids: Ints, rows: Ints) -> pd.arrays.IntegerArray:
    """(n,) the ids of these rows; missing for -1."""
    return pd.arrays.IntegerArray(np.append(ids, 0)[rows].astype(np.int64), rows < 0)


def _groups(crowns: Crowns) -> Objects:
    return (
        np.full(len(crowns), None, dtype=object) if crowns.groups is None else crowns.groups.copy()
    )


def _both_groups(groups: Any) -> tuple[ArrayLike | None, ArrayLike | None]:
    """The groups of the targets and of the delineations."""
    pair = isinstance(groups, tuple) and len(groups) == 2
    if pair and all(item is None or pd.api.types.is_list_like(item) for item in groups):
        return groups[0], groups[1]
    return groups, None


def summarise(
    targets: pd.DataFrame,
    delineations: pd.DataFrame,
    iou_thresholds: Sequence[float] = IOU_THRESHOLDS,
    randcrowns_threshold: float = RANDCROWNS_THRESHOLD,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """One row for everything, then one per group.

    Args:
        targets, delineations: the tables of :func:`randcrowns.core.scoring.layer.score_crowns`.
        iou_thresholds, randcrowns_threshold: least scores of a crown that counts as found.

    Returns:
        ``group``; the counts ``targets``, ``delineations``, ``matched``, ``missed``, ``unmatched_targets``,
        ``unmatched_delineations``, ``too_small``; ``<score>_mean``, ``_sd`` (ddof 1), ``_median``, ``_low`` and
        ``_high`` (95 % interval of the mean) of the three scores over the scored targets; ``resampled``, whose
        intervals these are: of "plots" where the targets lie in several, otherwise of "crowns" (see
        :func:`randcrowns.core.statistics.ratio_interval`); and ``penalised_mean``, sum(RandCrowns) / (scored targets +
        unmatched delineations); ``recall_…`` and ``precision_…``, with ``_low`` and ``_high``, and ``f1_…`` at each
        threshold. Recall is the share of targets found, precision the share of delineations that find a target.
    """
    rows_of = [table.groupby("group", sort=False).indices for table in (targets, delineations)]
    groups = sorted({group for rows in rows_of for group in rows}, key=str)
    rows: list[dict[str, Any]] = []
    of_both = ("group", "status", *SCORES)
    sides = (
        _columns(targets, (*of_both, "best_iou", "best_randcrowns")),
        _columns(delineations, of_both),
    )
    for group, _ in steps([ALL, *groups], progress):
        some = list(sides)
        if rows:
            some = [
                {name: side[name][own.get(group, [])] for name in side}
                for side, own in zip(sides, rows_of)
            ]
        found = _detection(some[0], some[1], iou_thresholds, randcrowns_threshold)
        rows.append({"group": group, **answer(*some), **found})
    return cast("pd.DataFrame", pd.DataFrame(rows))


def answer(targets: Any, delineations: Any) -> dict[str, Any]:
    """Counts, means and intervals of :func:`summarise` over all targets and delineations, from columns by name."""
    counts = _counts(targets, delineations)
    return {**counts, **_scores(targets, counts["unmatched_delineations"])}


def _counts(targets: Any, delineations: Any) -> dict[str, int]:
    of_targets, of_drawn = (np.asarray(side["status"]).tolist() for side in (targets, delineations))
    too_small, unmatched, missed = (
        of_targets.count(one.value)
        for one in (Status.TARGET_TOO_SMALL, Status.UNMATCHED, Status.MISSED)
    )
    return {
        "targets": len(of_targets),
        "delineations": len(of_drawn),
        "matched": len(of_targets) - too_small - unmatched - missed,
        "missed": missed,
        "unmatched_targets": unmatched,
        "unmatched_delineations": of_drawn.count(Status.UNMATCHED.value),
        "too_small": too_small,
    }


def _scores(targets: Any, unmatched: int) -> dict[str, Any]:
    every = {name: np.asarray(targets[name], dtype=float) for name in SCORES}
    scored = ~np.isnan(every["randcrowns"])
    plots = plot_codes(np.asarray(targets["group"])[scored])
    found: dict[str, Any] = {}
    for name in SCORES:
        values = every[name][scored]
        found[f"{name}_mean"] = values.mean() if len(values) else np.nan
        found[f"{name}_sd"] = values.std(ddof=1) if len(values) > 1 else np.nan
        found[f"{name}_median"] = float(np.median(values)) if len(values) else np.nan
        found[f"{name}_low"], found[f"{name}_high"] = mean_interval(values, plots)
    found["resampled"] = "crowns" if plots is None else "plots"
    total, number = float(every["randcrowns"][scored].sum()), int(scored.sum())
    return {**found, "penalised_mean": ratio(total, number + unmatched)}


def _detection(
    targets: Columns,
    delineations: Columns,
    iou_thresholds: Sequence[float],
    randcrowns_threshold: float,
) -> dict[str, float]:
    found: dict[str, float] = {}
    groups, in_plots = targets["group"], plot_codes(delineations["group"])
    scored = ~np.isnan(targets["randcrowns"].astype(float))
    tests = [("iou", threshold, slice(None), plot_codes(groups)) for threshold in iou_thresholds]
    tests.append(("randcrowns", randcrowns_threshold, scored, plot_codes(groups[scored])))
    for score, threshold, searched, of_searched in tests:
        hits, right = (
            targets[f"best_{score}"][searched] >= threshold,
            delineations[score] >= threshold,
        )
        precision, recall, f1 = precision_recall_f1(
            int(hits.sum()), len(hits), int(right.sum()), len(right)
        )
        name = f"{score}_{threshold:g}"
        for rate, value, some, plots in (
            ("recall", recall, hits, of_searched),
            ("precision", precision, right, in_plots),
        ):
            low, high = mean_interval(some.astype(float), plots)
            found |= {
                f"{rate}_{name}": value,
                f"{rate}_{name}_low": low,
                f"{rate}_{name}_high": high,
            }
        found[f"f1_{name}"] = f1 if len(hits) and len(right) else np.nan
    return found
