"""Scores of whole layers: pair crowns, score the pairs, tabulate by crown and by plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Array, Bools, Floats, Ints, Objects, first_rows
from randcrowns.core.crowns import (
    Crowns,
    CrownsLike,
    as_crowns,
    extent_polygon,
    label_plots,
)
from randcrowns.core.crs import check_same_crs, common_crs_code
from randcrowns.core.geometry.areas import unless_too_many_pairs
from randcrowns.core.messages import Message
from randcrowns.core.progress import (
    Progress,
    iterate_with_progress,
    no_progress,
    run_in_thread,
    subprogress,
)
from randcrowns.core.scoring.crowded_pairs import (
    MAX_SCORED_PAIRS,
    crowded_pairs_message,
    find_assigned_candidates,
    shared_pairs_message,
)
from randcrowns.core.scoring.pairing import (
    Candidates,
    Pairing,
    find_pair_candidates,
    nearest_target_rows,
    quantize_scores,
    select_assigned,
    separate_classes,
    tie_break_keys,
)
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import (
    SCORE_COLUMNS,
    OffsetTable,
    TargetRegions,
    compute_offset_table,
    compute_scores,
    table_without_copy,
)
from randcrowns.core.statistics import (
    interval_messages,
    mean_interval,
    plot_codes,
    precision_recall_f1,
    ratio,
)
from randcrowns.core.status import ALL_PLOTS, Status, count_statuses, statuses_by_count
from randcrowns.core.thresholds import reaches
from randcrowns.core.validation import validate_arguments

#: Minimum IoU of a crown that counts as found; detection rates are computed for each.
IOU_THRESHOLDS = (0.4, 0.5)
#: Minimum RandCrowns of a crown that counts as found.
RANDCROWNS_THRESHOLD = 0.5
#: Columns of the three scores, which are always shown together.
SCORES = ("randcrowns", "iou", "iou_crowns")
#: Display name of each score.
SCORE_NAMES = dict(zip(SCORES, ("RandCrowns", "IoU", "IoUCrowns")))
#: Columns of a table by name, all of one length.
Columns = Mapping[str, Array]

#: Status of a delineation by whether it serves a target (0 or 1).
_DELINEATION_STATUS = np.array([Status.UNMATCHED.value, Status.MATCHED.value], dtype=object)


class CrownScores(NamedTuple):
    """Tables of the scores of one layer of delineations."""

    #: A row per target: ``target_id``, ``plot`` (its plot), ``delineation_id`` (missing when
    #: unmatched), ``n_delineations``, ``distance`` (m between centroids), ``randcrowns``, ``iou``,
    #: ``iou_crowns``, ``a``, ``b``, ``c``, ``d`` (m⁴), ``tau`` (m), ``area`` (m²), ``status``,
    #: ``best_iou``, ``best_randcrowns`` (the scores of the best of its delineations; they differ
    #: from the scores only if several delineations are averaged).
    targets: pd.DataFrame
    #: A row per delineation: ``delineation_id``, ``plot`` (its plot), ``target_id`` (of the
    #: targets that it serves, the one with the highest score), ``n_targets``, the three scores
    #: against that target, ``area`` (m²), ``status`` (matched or unmatched).
    delineations: pd.DataFrame
    #: A row for everything and one per plot; see :func:`summarise`.
    summary: pd.DataFrame
    #: A row per candidate pair; see :class:`ScoredPairs`.
    pairs: pd.DataFrame
    #: Parameters of the scores; None for scores with other regions (IDTReeS 2020).
    parameters: RandCrownsParameters | None = None
    #: False if ``pairs`` has only the assigned pairs, because many crowns lie in one spot.
    lists_all_pairs: bool = True

    @property
    def assigned_pairs(self) -> pd.DataFrame:
        """Rows of ``pairs`` whose delineation was assigned to the target."""
        return cast("pd.DataFrame", self.pairs[self.pairs["assigned"]])

    def interval_messages(self) -> tuple[Message, ...]:
        """Return messages about the intervals of the mean scores."""
        randcrowns = self.targets["randcrowns"].to_numpy(dtype=float)
        is_scored = ~np.isnan(randcrowns)
        plots = plot_codes(self.targets["plot"].to_numpy()[is_scored])
        return interval_messages(randcrowns[is_scored], plots)

    def pair_messages(self, layer: str) -> list[Message]:
        """Return messages if not all candidate pairs are listed, and about shared delineations.

        Args:
            layer: name of the layer of delineations.
        """
        messages = [] if self.lists_all_pairs else [crowded_pairs_message(layer)]
        shared_by = self.delineations["n_targets"].to_numpy(dtype=np.int64)
        is_shared = shared_by > 1
        if is_shared.any():
            n_targets = int(shared_by[is_shared].sum())
            messages.append(shared_pairs_message(layer, int(is_shared.sum()), n_targets))
        return messages


class ScoredPairs(NamedTuple):
    """Scored candidate pairs, and properties of all T targets, paired or not."""

    #: A row per pair: ``target``, ``delineation`` (rows), ``target_id``, ``delineation_id``,
    #: ``distance`` (m between centroids), the columns of
    #: :func:`randcrowns.core.scoring.score.score_pairs`, and ``assigned`` (bool).
    pairs: pd.DataFrame
    #: (T,) tau, metres.
    tau: Floats
    #: (T,) True where the true positive region is empty.
    is_too_small: Bools
    #: False if only the assigned pairs are listed, because many crowns lie in one spot.
    lists_all_pairs: bool = True


@validate_arguments
def score_crowns(
    targets: CrownsLike,
    delineations: CrownsLike,
    parameters: RandCrownsParameters,
    pairing: str = "nearest",
    extent: Any = None,
    plots: tuple[ArrayLike | None, ArrayLike | None] | ArrayLike | None = None,
    *,
    clipped: Objects | None = None,
    search_radius: float | None = None,
    iou_thresholds: Sequence[float] = IOU_THRESHOLDS,
    randcrowns_threshold: float = RANDCROWNS_THRESHOLD,
    progress: Progress = no_progress,
) -> CrownScores:
    """Score delineations against targets (Stewart et al. 2021, Sections II and IV-B).

    Args:
        targets: crowns to be found: a :class:`randcrowns.core.crowns.Crowns`, an array of polygons
            in metres, or a GeoDataFrame.
        delineations: crowns to be scored, likewise.
        parameters: alpha, omega, gamma and the kind of offsets.
        pairing: name of a :class:`randcrowns.core.scoring.pairing.Pairing`.
        extent: polygon, or xmin, ymin, xmax, ymax; every offset of a target is clipped to it.
        plots: plot of each target, or a pair of the targets' and the delineations' plots, which
            replace those of the crowns. If both sides have plots, only crowns of the same plot are
            paired. If only the targets have plots, a delineation counts to the plot of its nearest
            target.
        clipped: (D,) the delineations clipped to the extent. They are scored in place of the whole
            delineations, which are still used to find the nearest ones.
        search_radius: maximum distance between centroids, metres, for pairings by distance; None
            for half the diagonal of each target's bounds.
        iou_thresholds: minimum values of the IoU of a crown that counts as found.
        randcrowns_threshold: minimum RandCrowns of a crown that counts as found.
        progress: receives the fraction done.

    Returns:
        Tables by target, delineation and plot, and of the pairs.

    Raises:
        InputError: if a crown is not a valid polygon, or a parameter is not valid.

    >>> import shapely
    >>> trees = [shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)]
    >>> scores = score_crowns(trees, trees[:1], RandCrownsParameters(0.7, 1.2, 3))
    >>> scores.targets["status"].tolist(), scores.summary["randcrowns_mean"].tolist()
    (['scored', 'unmatched'], [0.5])
    """
    target_plots, delineation_plots = _split_plots(plots)

    def validate(report: Progress) -> tuple[Crowns, Crowns]:
        crs_code = common_crs_code([targets, delineations])
        target_crowns = as_crowns(targets, "targets", target_plots, crs_code)
        report(0.5)
        return target_crowns, as_crowns(delineations, "delineations", delineation_plots, crs_code)

    target_crowns, delineation_crowns = run_in_thread(validate, subprogress(progress, 0.0, 0.1))
    layer_scores = score_layers(
        target_crowns,
        [delineation_crowns],
        parameters,
        pairing,
        extent,
        clipped=[clipped],
        search_radius=search_radius,
        iou_thresholds=iou_thresholds,
        randcrowns_threshold=randcrowns_threshold,
        progress=subprogress(progress, 0.1, 1.0),
    )
    return layer_scores.scores[0]


class LayerScores(NamedTuple):
    """Scores of several layers of delineations against the same targets."""

    #: Scores of each layer.
    scores: list[CrownScores]
    #: Regions of the targets, or None if they are not requested.
    regions: TargetRegions | None


def score_layers(
    targets: Crowns,
    layers: Sequence[Crowns],
    parameters: RandCrownsParameters,
    pairing: str = "nearest",
    extent: Any = None,
    *,
    clipped: Sequence[Objects | None] | None = None,
    search_radius: float | None = None,
    iou_thresholds: Sequence[float] = IOU_THRESHOLDS,
    randcrowns_threshold: float = RANDCROWNS_THRESHOLD,
    with_regions: bool = False,
    within_classes: bool = False,
    progress: Progress = no_progress,
) -> LayerScores:
    """Score several layers of delineations against the same targets, whose offsets are made once.

    Args:
        targets: crowns to be found.
        layers: crowns to be scored, by layer.
        parameters: alpha, omega, gamma and the kind of offsets.
        pairing: see :func:`score_crowns`.
        extent: see :func:`score_crowns`.
        clipped: ``clipped`` of :func:`score_crowns` for each layer, or None.
        search_radius: see :func:`score_crowns`.
        iou_thresholds: see :func:`score_crowns`.
        randcrowns_threshold: see :func:`score_crowns`.
        with_regions: also return the targets' regions.
        within_classes: True to pair only crowns of the same class. Crowns without a class are
            then paired with none.
        progress: receives the fraction done.

    Returns:
        The scores of each layer, and the regions if requested.

    Raises:
        InputError: if the layers' coordinate reference systems differ, a parameter is not valid,
            or a layer has no classes but crowns are to be paired within classes.

    >>> import shapely
    >>> trees, found = Crowns([shapely.box(0, 0, 5, 5)]), Crowns([shapely.box(0, 0, 5, 4)])
    >>> layers = score_layers(trees, [trees, found], RandCrownsParameters(0.7, 1.2, 3))
    >>> [scores.targets["iou"].tolist() for scores in layers.scores]
    [[1.0], [0.8]]
    """
    check_same_crs(crowns.crs for crowns in (targets, *layers))
    method = Pairing.from_value(pairing, "pairing method")
    scored_layers, regions = score_candidates(
        targets,
        layers,
        parameters,
        method,
        extent,
        clipped=clipped,
        search_radius=search_radius,
        with_regions=with_regions,
        within_classes=within_classes,
        needs_all_pairs=False,
        progress=subprogress(progress, 0.0, 0.8),
    )

    def tabulate(report: Progress) -> list[CrownScores]:
        """Return the tables of each layer."""
        scores = []
        layers_and_pairs = list(zip(layers, scored_layers))
        for (layer, scored), report_layer in iterate_with_progress(layers_and_pairs, report):
            tables = _tabulate_scores(
                targets,
                layer,
                scored,
                pairing=method,
                iou_thresholds=iou_thresholds,
                randcrowns_threshold=randcrowns_threshold,
                progress=report_layer,
            )
            scores.append(tables._replace(parameters=parameters))
        return scores

    layer_scores = run_in_thread(tabulate, subprogress(progress, 0.8, 1.0))
    progress(1.0)
    return LayerScores(layer_scores, regions)


def _tabulate_scores(
    targets: Crowns,
    delineations: Crowns,
    scored: ScoredPairs,
    pairing: Pairing,
    iou_thresholds: Sequence[float],
    randcrowns_threshold: float,
    progress: Progress,
) -> CrownScores:
    """Return the tables of the scores of one layer of delineations.

    Args:
        targets: crowns to be found.
        delineations: crowns of the layer.
        scored: scored candidate pairs of the layer.
        pairing: method that assigned the pairs.
        iou_thresholds: minimum values of the IoU of a crown that counts as found.
        randcrowns_threshold: minimum RandCrowns of a crown that counts as found.
        progress: receives the fraction done.
    """
    assigned = assigned_pairs(scored.pairs)
    per_target = target_table(assigned, scored, targets, pairing)
    progress(0.3)
    per_delineation = delineation_table(assigned, targets, delineations)
    summary = summarise(
        per_target,
        per_delineation,
        iou_thresholds,
        randcrowns_threshold,
        subprogress(progress, 0.6, 1.0),
    )
    return CrownScores(
        targets=per_target,
        delineations=per_delineation,
        summary=summary,
        pairs=scored.pairs,
        lists_all_pairs=scored.lists_all_pairs,
    )


def mark_not_judged(scores: CrownScores) -> CrownScores:
    """Return the scores for targets that are only some of the crowns.

    Unmatched delineations may be right then. Their status becomes "not judged". Their number moves
    from the column ``unmatched_delineations`` of the summary, which becomes NaN, to the column
    ``not_judged``. All values that count them as false (precision, F1, the penalised mean) become
    NaN.

    Args:
        scores: the scores, which are not changed.

    Returns:
        The scores with a new summary and a new table of delineations.

    >>> import shapely
    >>> trees = [shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)]
    >>> scores = score_crowns(trees[:1], trees, RandCrownsParameters(0.7, 1.2, 3))
    >>> mark_not_judged(scores).delineations["status"].tolist()
    ['matched', 'not_judged']
    """
    prefixes = ("precision_", "f1_", "penalised_")
    names = [str(name) for name in scores.summary if str(name).startswith(prefixes)]
    summary = scores.summary.assign(**dict.fromkeys(names, np.nan))
    # Tables of tiles are without a summary.
    if "unmatched_delineations" in summary:
        n_unmatched = summary["unmatched_delineations"]
        position = list(summary.columns).index("unmatched_delineations")
        summary.insert(position, "not_judged", n_unmatched)
        summary["unmatched_delineations"] = np.nan
    new_statuses = {Status.UNMATCHED.value: Status.NOT_JUDGED.value}
    delineations = scores.delineations.replace({"status": new_statuses})
    return scores._replace(summary=summary, delineations=delineations)


def score_candidates(
    targets: Crowns,
    layers: Sequence[Crowns],
    parameters: RandCrownsParameters,
    pairing: Pairing,
    extent: Any = None,
    *,
    clipped: Sequence[Objects | None] | None = None,
    search_radius: float | None = None,
    with_regions: bool = False,
    within_classes: bool = False,
    needs_all_pairs: bool = True,
    progress: Progress = no_progress,
) -> tuple[list[ScoredPairs], TargetRegions | None]:
    """Score all candidate pairs of a pairing method and mark the pairs that it assigns.

    Args:
        targets: crowns to be found.
        layers: crowns to be scored, by layer.
        parameters: alpha, omega, gamma and the kind of offsets.
        pairing: the method.
        extent: see :func:`score_crowns`.
        clipped: ``clipped`` of :func:`score_crowns` for each layer, or None.
        search_radius: see :func:`score_crowns`.
        with_regions: also return the targets' regions.
        within_classes: see :func:`score_layers`.
        needs_all_pairs: False to list only the assigned pairs of a layer if many crowns lie in one
            spot, so that the scores of all pairs do not fit into memory.
        progress: receives the fraction done.

    Returns:
        The scored pairs of each layer, and the regions of the targets or None.

    Raises:
        InputError: if the extent or the search radius is not valid, or too many crowns lie in one
            spot.

    >>> import shapely
    >>> trees = Crowns([shapely.box(0, 0, 5, 5)])
    >>> parameters = RandCrownsParameters(0.7, 1.2, 3)
    >>> (scored,), _ = score_candidates(trees, [trees], parameters, Pairing.NEAREST)
    >>> scored.pairs["assigned"].tolist()
    [True]
    """
    clip_polygon = extent_polygon(extent)
    if not layers and not with_regions:
        return [], None

    layer_geometry = [layer.geometry for layer in layers]
    for number, clipped_geometry in enumerate(clipped or ()):
        if clipped_geometry is not None:
            layer_geometry[number] = clipped_geometry
    rules = _PairingRules(
        pairing=pairing,
        parameters=parameters,
        clip_polygon=clip_polygon,
        search_radius=search_radius,
        within_classes=within_classes,
        needs_all_pairs=needs_all_pairs,
    )
    layer_pairs = run_in_thread(
        partial(_find_layer_candidates, targets, layers, layer_geometry, rules),
        subprogress(progress, 0.0, 0.3),
    )
    pairs_of_layers = [layer.pairs for layer in layer_pairs]
    delineations, target_rows, delineation_rows = _concatenate_pairs(
        layer_geometry, pairs_of_layers
    )
    table = compute_offset_table(
        targets.geometry,
        delineations,
        target_rows,
        delineation_rows,
        parameters,
        extent=clip_polygon,
        progress=subprogress(progress, 0.3, 0.8),
        with_regions=with_regions,
    )

    scored_layers = run_in_thread(
        partial(_score_layer_pairs, targets, layers, layer_pairs, table, pairing),
        subprogress(progress, 0.8, 1.0),
    )
    return scored_layers, table.regions


class _PairingRules(NamedTuple):
    """Rules of the pairing, as the arguments of :func:`score_candidates`."""

    pairing: Pairing
    parameters: RandCrownsParameters
    clip_polygon: Any
    search_radius: float | None
    within_classes: bool
    needs_all_pairs: bool


class _LayerCandidates(NamedTuple):
    """Candidate pairs of a layer."""

    pairs: Candidates
    #: False if only the pairs that the method assigns are listed.
    lists_all_pairs: bool


def _find_layer_candidates(
    targets: Crowns,
    layers: Sequence[Crowns],
    layer_geometry: Sequence[Objects],
    rules: _PairingRules,
    progress: Progress,
) -> list[_LayerCandidates]:
    """Return the candidate pairs of each layer.

    Args:
        targets: crowns to be found.
        layers: crowns to be scored, by layer.
        layer_geometry: delineations of each layer as they are scored, clipped to the extent.
        rules: how crowns are paired.
        progress: receives the fraction done.
    """
    candidates = []
    layers_with_geometry = list(zip(layers, layer_geometry))
    for (layer, geometry), report_layer in iterate_with_progress(layers_with_geometry, progress):
        paired_targets = targets
        paired_layer = layer
        if rules.within_classes:
            # Crowns of different classes get different plots, so that they are not paired.
            paired_targets, paired_layer = separate_classes(targets, layer)
        find_all_pairs = partial(
            find_pair_candidates,
            paired_targets,
            paired_layer,
            rules.pairing,
            search_radius=rules.search_radius,
            progress=report_layer,
            max_pairs=MAX_SCORED_PAIRS,
        )
        pairs = unless_too_many_pairs(find_all_pairs, is_needed=rules.needs_all_pairs)
        lists_all_pairs = pairs is not None
        if pairs is None:
            pairs = find_assigned_candidates(
                paired_targets,
                paired_layer,
                geometry,
                rules.parameters,
                rules.pairing,
                rules.clip_polygon,
                report_layer,
            )
        candidates.append(_LayerCandidates(pairs, lists_all_pairs=lists_all_pairs))
    return candidates


def _score_layer_pairs(
    targets: Crowns,
    layers: Sequence[Crowns],
    layer_pairs: Sequence[_LayerCandidates],
    table: OffsetTable,
    pairing: Pairing,
    progress: Progress,
) -> list[ScoredPairs]:
    """Return the scored pairs of each layer, with the pairs that the pairing method assigns.

    Args:
        targets: crowns to be found.
        layers: crowns to be scored, by layer.
        layer_pairs: candidate pairs of each layer.
        table: offset table of all pairs, layer by layer.
        pairing: the pairing method.
        progress: receives the fraction done.
    """
    all_scores = compute_scores(table)
    is_too_small = table.certain_area == 0
    scored_layers = []
    start = 0
    for (layer, candidates), report_layer in iterate_with_progress(
        list(zip(layers, layer_pairs)), progress
    ):
        # The pairs of this layer are those from ``start`` to ``end`` of the offset table.
        end = start + len(candidates.pairs.target)
        scores = {name: values[start:end] for name, values in all_scores.items()}
        start = end
        scored_pairs = ScoredPairs(
            pairs=_tabulate_pairs(
                targets, layer, candidates.pairs, scores, pairing=pairing, progress=report_layer
            ),
            tau=table.tau,
            is_too_small=is_too_small,
            lists_all_pairs=candidates.lists_all_pairs,
        )
        scored_layers.append(scored_pairs)
    return scored_layers


def _concatenate_pairs(
    layer_geometry: Sequence[Objects], layer_pairs: Sequence[Candidates]
) -> tuple[Objects, Ints, Ints]:
    """Concatenate the delineations and the candidate pairs of several layers.

    Args:
        layer_geometry: delineations of each layer.
        layer_pairs: candidate pairs of each layer.

    Returns:
        (D,) delineations of all layers, and for all P pairs, the (P,) row of the target and the
        (P,) row of the delineation among those of all layers.
    """
    # Empty arrays in front give the results their types if there is no layer.
    target_rows = [np.empty(0, np.int64)]
    delineation_rows = [np.empty(0, np.int64)]
    # Row of the layer's first delineation among those of all layers.
    layer_start = 0
    for pairs, geometry in zip(layer_pairs, layer_geometry):
        target_rows.append(pairs.target)
        delineation_rows.append(pairs.delineation + layer_start)
        layer_start += len(geometry)
    all_geometry = np.concatenate([np.empty(0, dtype=object), *layer_geometry])
    return all_geometry, np.concatenate(target_rows), np.concatenate(delineation_rows)


def _tabulate_pairs(
    targets: Crowns,
    delineations: Crowns,
    pairs: Candidates,
    scores: Mapping[str, Array],
    pairing: Pairing,
    progress: Progress,
) -> pd.DataFrame:
    """Return the table of pairs of :class:`ScoredPairs`.

    Args:
        targets: crowns to be found.
        delineations: crowns of one layer.
        pairs: P candidate pairs of the layer.
        scores: (P,) scores of the pairs by name, as of
            :func:`randcrowns.core.scoring.score.compute_scores`.
        pairing: method that assigns pairs.
        progress: receives the fraction done.
    """
    is_assigned = select_assigned(
        pairs,
        pairing,
        randcrowns=scores["randcrowns"],
        iou=scores["iou"],
        target_ids=targets.ids,
        delineation_ids=delineations.ids,
        progress=progress,
    )
    return table_without_copy(
        {
            "target": pairs.target,
            "delineation": pairs.delineation,
            "target_id": targets.ids[pairs.target],
            "delineation_id": delineations.ids[pairs.delineation],
            "distance": pairs.distance,
            **scores,
            "assigned": is_assigned,
        }
    )


def assigned_pairs(pairs: pd.DataFrame) -> Columns:
    """Return the columns of the assigned pairs.

    Selecting the rows of the table itself would take ten times as long.

    Args:
        pairs: table of :class:`ScoredPairs`.

    >>> pairs = pd.DataFrame({"target": [0, 0], "assigned": [False, True]})
    >>> assigned_pairs(pairs)["target"].tolist()
    [0]
    """
    columns = _columns(pairs)
    rows = np.flatnonzero(columns["assigned"])
    return {name: values[rows] for name, values in columns.items()}


def target_table(
    assigned: Columns, scored: ScoredPairs, targets: Crowns, pairing: Pairing
) -> pd.DataFrame:
    """Return the table of targets of :class:`CrownScores`.

    Args:
        assigned: assigned pairs, as of :func:`assigned_pairs`.
        scored: all candidate pairs.
        targets: T crowns.
        pairing: method that assigned the pairs.

    Returns:
        A row per target with the columns of :attr:`CrownScores.targets`.

    >>> import shapely
    >>> trees = Crowns([shapely.box(0, 0, 5, 5)])
    >>> parameters = RandCrownsParameters(0.7, 1.2, 3)
    >>> (scored,), _ = score_candidates(trees, [trees], parameters, Pairing.NEAREST)
    >>> target_table(assigned_pairs(scored.pairs), scored, trees, Pairing.NEAREST)["iou"].tolist()
    [1.0]
    """
    return table_without_copy(
        target_columns(assigned, scored.tau, scored.is_too_small, targets, pairing)
    )


def target_columns(
    assigned: Columns, tau: Floats, is_too_small: Bools, targets: Crowns, pairing: Pairing
) -> dict[str, Any]:
    """Return the columns of :func:`target_table`.

    Args:
        assigned: assigned pairs, as of :func:`assigned_pairs`.
        tau: (T,) tau of the targets, metres.
        is_too_small: (T,) True where the true positive region is empty.
        targets: T crowns.
        pairing: method that assigned the pairs.

    Returns:
        (T,) arrays by name.

    >>> import shapely
    >>> trees = Crowns([shapely.box(0, 0, 5, 5)])
    >>> parameters = RandCrownsParameters(0.7, 1.2, 3)
    >>> (scored,), _ = score_candidates(trees, [trees], parameters, Pairing.NEAREST)
    >>> pairs, tau, too_small = assigned_pairs(scored.pairs), scored.tau, scored.is_too_small
    >>> target_columns(pairs, tau, too_small, trees, Pairing.NEAREST)["n_delineations"].tolist()
    [1]
    """
    sign = 1 if pairing is Pairing.MIN_SCORE else -1
    best_pair = _best_pairs(assigned, "target", "delineation_id", len(targets), sign)
    n_delineations = np.bincount(assigned["target"], minlength=len(targets))
    scores, status = _scores_of_targets(assigned, best_pair, is_too_small)
    best_iou = scores["iou"].copy()
    best_randcrowns = scores["randcrowns"].copy()
    if pairing is Pairing.MEAN_OVER_COUNT:
        matched_rows = np.flatnonzero(n_delineations)
        n_matches = n_delineations[matched_rows]
        for name in SCORES:
            pair_scores = assigned[name].astype(float)
            totals = np.bincount(assigned["target"], pair_scores, len(targets))
            means = totals[matched_rows] / n_matches
            # A target with several delineations is penalised by their number.
            scores[name][matched_rows] = means / n_matches
    return {
        "target_id": targets.ids.copy(),
        "plot": _plots_of(targets),
        "delineation_id": _ids_at(assigned["delineation_id"], best_pair),
        "n_delineations": n_delineations,
        "distance": _values_at(assigned["distance"], best_pair),
        **scores,
        "tau": tau.copy(),
        "area": targets.areas.copy(),
        "status": status,
        "best_iou": best_iou,
        "best_randcrowns": best_randcrowns,
    }


def _scores_of_targets(
    assigned: Columns, best_pair: Ints, is_too_small: Bools
) -> tuple[dict[str, Floats], Objects]:
    """Return the scores and the status of T targets from the best pair of each.

    Unmatched targets score 0. RandCrowns and IoUCrowns of targets that are too small are NaN.

    Args:
        assigned: columns of the assigned pairs.
        best_pair: (T,) index of each target's pair; -1 for unmatched targets.
        is_too_small: (T,) True where the true positive region is empty.

    Returns:
        (T,) scores and terms by name, and (T,) values of
        :class:`randcrowns.core.status.Status`.
    """
    is_unmatched = best_pair < 0
    names = [name for name in SCORE_COLUMNS if name not in ("tau", "status")]
    scores = {name: _values_at(assigned[name], best_pair) for name in names}
    for name in SCORES:
        scores[name][is_unmatched] = 0.0
    scores["randcrowns"][is_too_small] = np.nan
    scores["iou_crowns"][is_too_small] = np.nan
    scores["iou"][is_too_small & is_unmatched] = np.nan

    # The appended value is the one at index -1.
    status = np.append(assigned["status"], Status.UNMATCHED.value)[best_pair]
    status[is_too_small] = Status.TARGET_TOO_SMALL.value
    return scores, status


def delineation_table(assigned: Columns, targets: Crowns, delineations: Crowns) -> pd.DataFrame:
    """Return the table of delineations of :class:`CrownScores`.

    Args:
        assigned: assigned pairs, as of :func:`assigned_pairs`.
        targets: crowns to be found.
        delineations: D crowns.

    Returns:
        A row per delineation with the columns of :attr:`CrownScores.delineations`.

    >>> import shapely
    >>> trees = Crowns([shapely.box(0, 0, 5, 5)])
    >>> parameters = RandCrownsParameters(0.7, 1.2, 3)
    >>> (scored,), _ = score_candidates(trees, [trees], parameters, Pairing.NEAREST)
    >>> delineation_table(assigned_pairs(scored.pairs), trees, trees)["status"].tolist()
    ['matched']
    """
    plots = _plots_of(delineations)
    if uses_plots_of_nearest(targets, delineations) and len(targets) and len(delineations):
        plots = _plots_of(targets)[nearest_target_rows(targets, delineations)]
    return table_without_copy(delineation_columns(assigned, delineations, plots))


def uses_plots_of_nearest(targets: Crowns, delineations: Crowns) -> bool:
    """Return True if a delineation counts to its nearest target's plot: only targets have plots.

    Args:
        targets: crowns to be found.
        delineations: crowns that are scored.

    >>> import shapely
    >>> square = [shapely.box(0, 0, 5, 5)]
    >>> uses_plots_of_nearest(Crowns(square, plots=["A"]), Crowns(square))
    True
    """
    return targets.plots is not None and delineations.plots is None


def delineation_columns(assigned: Columns, delineations: Crowns, plots: Objects) -> dict[str, Any]:
    """Return the columns of :func:`delineation_table`.

    Args:
        assigned: assigned pairs, as of :func:`assigned_pairs`.
        delineations: D crowns.
        plots: (D,) plots of the delineations.

    Returns:
        (D,) arrays by name.

    >>> import shapely
    >>> trees = Crowns([shapely.box(0, 0, 5, 5)])
    >>> parameters = RandCrownsParameters(0.7, 1.2, 3)
    >>> (scored,), _ = score_candidates(trees, [trees], parameters, Pairing.NEAREST)
    >>> plots = np.array(["A"], dtype=object)
    >>> delineation_columns(assigned_pairs(scored.pairs), trees, plots)["n_targets"].tolist()
    [1]
    """
    best_pair = _best_pairs(assigned, "delineation", "target_id", len(delineations))
    n_targets = np.bincount(assigned["delineation"], minlength=len(delineations))
    scores = {name: _values_at(assigned[name], best_pair) for name in SCORES}
    # The first status is that of delineations without a target.
    status_number = np.minimum(n_targets, 1)
    return {
        "delineation_id": delineations.ids.copy(),
        "plot": plots,
        "target_id": _ids_at(assigned["target_id"], best_pair),
        "n_targets": n_targets,
        **scores,
        "area": delineations.areas.copy(),
        "status": _DELINEATION_STATUS[status_number],
    }


def _columns(table: pd.DataFrame, names: Sequence[str] = ()) -> Columns:
    """Return the named columns of a table as arrays; all columns without names."""
    return {str(name): table[name].to_numpy() for name in names or table.columns}


def _best_pairs(assigned: Columns, member: str, other_id: str, n: int, sign: int = -1) -> Ints:
    """Return the best assigned pair of each crown; ties go to the lowest id of the other crown.

    Args:
        assigned: columns of the assigned pairs.
        member: column with the rows of the crowns.
        other_id: column with the ids of the other crowns of the pairs.
        n: number of crowns.
        sign: -1 for the pair with the highest score, 1 for the one with the lowest.

    Returns:
        (n,) indices of pairs; -1 for crowns without a pair.
    """
    crown_rows = assigned[member]
    scores = quantize_scores(assigned["randcrowns"].astype(float))
    best_pairs = first_rows(tie_break_keys(assigned[other_id]), sign * scores, crown_rows)
    best_pair_of_crown = np.full(n, -1, dtype=np.int64)
    best_pair_of_crown[crown_rows[best_pairs]] = best_pairs
    return best_pair_of_crown


def _values_at(values: Array, rows: Ints) -> Floats:
    """Return the values in the given rows (n,); NaN for row -1."""
    return np.append(values.astype(float), np.nan)[rows]


def _ids_at(ids: Ints, rows: Ints) -> pd.arrays.IntegerArray:
    """Return the ids in the given rows (n,); missing for row -1."""
    return pd.arrays.IntegerArray(np.append(ids, 0)[rows].astype(np.int64), rows < 0)


def _plots_of(crowns: Crowns) -> Objects:
    """Return a copy of the plots (n,) of crowns; None for each crown if they have no plots."""
    if crowns.plots is None:
        return np.full(len(crowns), None, dtype=object)
    return crowns.plots.copy()


def _split_plots(plots: Any) -> tuple[ArrayLike | None, ArrayLike | None]:
    """Split the argument ``plots`` of :func:`score_crowns`.

    Returns:
        The plots of the targets and the plots of the delineations, each None without any.
    """
    is_pair = isinstance(plots, tuple) and len(plots) == 2
    if is_pair and all(side is None or pd.api.types.is_list_like(side) for side in plots):
        return plots[0], plots[1]
    return plots, None


def summarise(
    targets: pd.DataFrame,
    delineations: pd.DataFrame,
    iou_thresholds: Sequence[float] = IOU_THRESHOLDS,
    randcrowns_threshold: float = RANDCROWNS_THRESHOLD,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Summarise scores over everything and by plot.

    Args:
        targets: table of targets of :class:`CrownScores`.
        delineations: table of delineations of :class:`CrownScores`.
        iou_thresholds: minimum values of the IoU of a crown that counts as found.
        randcrowns_threshold: minimum RandCrowns of a crown that counts as found.
        progress: receives the fraction done.

    Returns:
        A row for everything, whose plot is :data:`randcrowns.core.status.ALL_PLOTS`, then one per
        plot:

        - ``plot``, see :func:`randcrowns.core.crowns.label_plots`;
        - counts: ``targets``, ``delineations``, ``matched``, ``missed``, ``unmatched_targets``,
          ``unmatched_delineations``, ``too_small``;
        - of each of the three scores, over the scored targets: ``<score>_mean``, ``<score>_sd``
          (ddof 1), ``<score>_median``, ``<score>_low`` and ``<score>_high`` (95 % interval of the
          mean);
        - ``resampled``: what the intervals resample, "plots" if the targets lie in several plots,
          otherwise "crowns" (see :func:`randcrowns.core.statistics.ratio_interval`);
        - ``penalised_mean``: sum of RandCrowns / (scored targets + unmatched delineations);
        - at each threshold, such as ``iou_0.5``: ``recall_…``, the share of targets found, and
          ``precision_…``, the share of delineations that find a target, with ``…_low`` and
          ``…_high``; and ``f1_…``.

    >>> import shapely
    >>> trees = [shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)]
    >>> scores = score_crowns(trees, trees[:1], RandCrownsParameters(0.7, 1.2, 3))
    >>> summarise(scores.targets, scores.delineations)["recall_iou_0.5"].tolist()
    [0.5]
    """
    delineation_names = ("plot", "status", *SCORES)
    target_names = (*delineation_names, "best_iou", "best_randcrowns")
    all_targets = _columns(targets, target_names)
    all_delineations = _columns(delineations, delineation_names)
    target_rows_by_plot = targets.groupby("plot", sort=False).indices
    delineation_rows_by_plot = delineations.groupby("plot", sort=False).indices
    plots = sorted({*target_rows_by_plot, *delineation_rows_by_plot}, key=str)

    summary_rows: list[dict[str, Any]] = []
    labelled_plots = [(ALL_PLOTS, None), *zip(label_plots(plots), plots)]
    for (label, plot), _ in iterate_with_progress(labelled_plots, progress):
        if plot is None:  # the first row is over everything
            row_targets = all_targets
            row_delineations = all_delineations
        else:
            row_targets = _select_rows(all_targets, target_rows_by_plot.get(plot, []))
            row_delineations = _select_rows(
                all_delineations, delineation_rows_by_plot.get(plot, [])
            )
        values = summary_values(row_targets, row_delineations)
        rates = _detection_rates(
            row_targets, row_delineations, iou_thresholds, randcrowns_threshold
        )
        summary_rows.append({"plot": label, **values, **rates})
    return cast("pd.DataFrame", pd.DataFrame(summary_rows))


def _select_rows(columns: Columns, rows: Any) -> Columns:
    """Return the values of all columns in the given rows, an array or a list of indices."""
    return {name: values[rows] for name, values in columns.items()}


def summary_values(targets: Any, delineations: Any) -> dict[str, Any]:
    """Return counts, means and intervals over all targets and delineations.

    Args:
        targets: table or columns of targets; ``plot``, ``status`` and the scores are read.
        delineations: table or columns of delineations; ``status`` is read.

    Returns:
        The values of :func:`summarise` by name, without ``plot`` and the detection rates.

    >>> import shapely
    >>> trees = [shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)]
    >>> scores = score_crowns(trees, trees[:1], RandCrownsParameters(0.7, 1.2, 3))
    >>> summary_values(scores.targets, scores.delineations)["unmatched_targets"]
    1
    """
    counts = summary_counts(
        count_statuses(targets["status"]), count_statuses(delineations["status"])
    )
    randcrowns = np.asarray(targets["randcrowns"], dtype=float)
    is_scored = ~np.isnan(randcrowns)
    scores = {name: np.asarray(targets[name], dtype=float)[is_scored] for name in SCORES}
    plots = plot_codes(np.asarray(targets["plot"])[is_scored])
    n_scored = int(is_scored.sum())
    statistics: dict[str, Any] = {}
    means = mean_values(scores, plots)
    for name, values in scores.items():
        statistics[f"{name}_mean"] = means[f"{name}_mean"]
        statistics[f"{name}_sd"] = values.std(ddof=1) if n_scored > 1 else np.nan
        statistics[f"{name}_median"] = float(np.median(values)) if n_scored else np.nan
        statistics[f"{name}_low"] = means[f"{name}_low"]
        statistics[f"{name}_high"] = means[f"{name}_high"]
    statistics["resampled"] = means["resampled"]
    # Every unmatched delineation counts as a score of 0.
    total = float(scores["randcrowns"].sum())
    n_units = n_scored + counts["unmatched_delineations"]
    return {**counts, **statistics, "penalised_mean": ratio(total, n_units)}


def summary_counts(targets: Mapping[str, int], delineations: Mapping[str, int]) -> dict[str, int]:
    """Return the counts of :func:`summarise` by name.

    Args:
        targets: number of targets by status.
        delineations: number of delineations by status.

    >>> summary_counts({"scored": 2, "missed": 1}, {"matched": 2, "unmatched": 1})["matched"]
    2
    """
    counts = {}
    for name, statuses in statuses_by_count().items():
        counts[name] = sum(targets.get(status.value, 0) for status in statuses)
    return {
        "targets": sum(targets.values()),
        "delineations": sum(delineations.values()),
        "matched": counts["matched"],
        "missed": counts["missed"],
        "unmatched_targets": counts["unmatched_targets"],
        "unmatched_delineations": delineations.get(Status.UNMATCHED.value, 0),
        "too_small": counts["too_small"],
    }


def mean_values(scores: Columns, plots: Ints | None) -> dict[str, Any]:
    """Return the means of :func:`summarise` with their intervals, by name.

    Args:
        scores: (n,) values of each of the three scores over the targets with a score.
        plots: (n,) number of each target's plot, at least 0; None if all are in one plot.

    >>> mean_values(dict.fromkeys(SCORES, np.array([0.5, 1.0])), None)["iou_mean"]
    0.75
    """
    values_by_name: dict[str, Any] = {}
    for name in SCORES:
        values = scores[name]
        low, high = mean_interval(values, plots)
        values_by_name[f"{name}_mean"] = float(values.mean()) if len(values) else np.nan
        values_by_name[f"{name}_low"] = low
        values_by_name[f"{name}_high"] = high
    values_by_name["resampled"] = "crowns" if plots is None else "plots"
    return values_by_name


def _detection_rates(
    targets: Columns,
    delineations: Columns,
    iou_thresholds: Sequence[float],
    randcrowns_threshold: float,
) -> dict[str, float]:
    """Return recall, precision and F1 of :func:`summarise` at all thresholds, by name.

    Args:
        targets: columns of T targets; those that cannot be scored count for the IoU only.
        delineations: columns of the delineations.
        iou_thresholds: minimum values of the IoU of a crown that counts as found.
        randcrowns_threshold: minimum RandCrowns of a crown that counts as found.
    """
    all_targets = np.ones(len(targets["plot"]), dtype=bool)
    is_scored = ~np.isnan(targets["randcrowns"].astype(float))
    rates: dict[str, float] = {}
    for threshold in iou_thresholds:
        rates |= _rates_at("iou", threshold, targets, delineations, is_counted=all_targets)
    rates |= _rates_at(
        "randcrowns", randcrowns_threshold, targets, delineations, is_counted=is_scored
    )
    return rates


def _rates_at(
    score: str, threshold: float, targets: Columns, delineations: Columns, is_counted: Bools
) -> dict[str, float]:
    """Return recall, precision and F1 at one threshold, by name.

    Args:
        score: ``"iou"`` or ``"randcrowns"``.
        threshold: minimum score of a crown that counts as found.
        targets: columns of T targets.
        delineations: columns of the delineations.
        is_counted: (T,) True for the targets that are to be found.
    """
    is_found = reaches(targets[f"best_{score}"][is_counted], threshold)
    is_right = reaches(delineations[score], threshold)
    n_targets = len(is_found)
    n_delineations = len(is_right)
    precision, recall, f1 = precision_recall_f1(
        int(is_found.sum()), n_targets, int(is_right.sum()), n_delineations
    )
    has_both_sides = n_targets > 0 and n_delineations > 0
    target_plots = plot_codes(targets["plot"][is_counted])
    delineation_plots = plot_codes(delineations["plot"])
    recall_low, recall_high = mean_interval(is_found.astype(float), target_plots)
    precision_low, precision_high = mean_interval(is_right.astype(float), delineation_plots)
    name = f"{score}_{threshold:g}"
    return {
        f"recall_{name}": recall,
        f"recall_{name}_low": recall_low,
        f"recall_{name}_high": recall_high,
        f"precision_{name}": precision,
        f"precision_{name}_low": precision_low,
        f"precision_{name}_high": precision_high,
        f"f1_{name}": f1 if has_both_sides else np.nan,
    }
