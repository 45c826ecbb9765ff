"""Crowns drawn by all annotators, and which drawings are scored against which.

The paper (Stewart et al. 2021, Section IV) excluded the crowns that not all annotators drew, by
eye. Here the rule is: two drawings match if each is the other's best by IoU and that IoU is at
least ``min_iou``. A crown is shared

- in the cross-validation of Section IV-A, if every annotator has a drawing of it and any two of
  these drawings match;
- against a layer of targets (Section IV-B), if the target has a match with every annotator.

Equal IoUs go to the lowest id. The result does not depend on the order of the annotators.

An annotator is the author of one layer; the person who drew the targets counts as one.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, first_rows
from randcrowns.core.crowns import Crowns, CrownsLike, as_crowns, label_plots, unique_name
from randcrowns.core.crs import check_same_crs, common_crs_code
from randcrowns.core.errors import InputError
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.messages import TranslatableText
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress, run_in_thread
from randcrowns.core.status import ALL_PLOTS
from randcrowns.core.thresholds import falls_below, reaches

#: Default minimum IoU of two drawings of the same crown.
MIN_IOU = 0.1
#: Number of decimals to which IoUs are compared.
_DECIMALS = 12


class Experiment(NamedTuple):
    """Drawings of K shared crowns by N annotators, and which of them are targets."""

    #: (N,) names of the annotators; the first ``n_targets`` are the target in turn.
    annotators: tuple[str, ...]
    #: (N, K) drawing of each shared crown by each annotator, polygons in metres.
    geometry: Objects
    #: (N, K) ids of the drawings in their layers.
    ids: Ints
    #: Number of annotators that are targets: N in a cross-validation, 1 with a layer of targets.
    n_targets: int
    #: A row per excluded crown: ``annotator``, ``crown_id``, ``reason`` (text). With a layer of
    #: targets, only targets are listed.
    excluded: pd.DataFrame
    #: (K,) plot of each crown in the first layer that has plots; None without plots.
    plots: Objects | None = None
    #: Number of rows at the end of ``excluded`` for crowns with a target outside the image.
    n_excluded_outside: int = 0

    @property
    def n_crowns(self) -> int:
        """Number of shared crowns, K."""
        return self.geometry.shape[1]

    @property
    def targets(self) -> Objects:
        """(n_targets · K,) target polygons, one annotator after the other."""
        return self.geometry[: self.n_targets].ravel()

    @property
    def delineation_index(self) -> Ints:
        """(Z, n_targets · K) indices in the flattened ``geometry`` of each target's delineations.

        Each of the Z = N - 1 rows holds the drawing by one of the other annotators.
        """
        annotators = np.arange(len(self.annotators))
        # (Z, n_targets) the annotators other than that of each layer of targets.
        others_of_targets = [np.delete(annotators, target) for target in range(self.n_targets)]
        others = np.column_stack(others_of_targets)
        first_drawings = others * self.n_crowns
        index = first_drawings[:, :, np.newaxis] + np.arange(self.n_crowns)
        return index.reshape(len(others), -1)


class _Matches(NamedTuple):
    """Best crown of another annotator for each of an annotator's n crowns."""

    #: (n,) row of the best crown; -1 if no crown overlaps.
    row: Ints
    #: (n,) IoU with the best crown; 0 without one.
    iou: Floats
    #: (n,) True if both crowns are each other's best.
    is_mutual: Bools
    #: (n,) True if the best crown has another best crown of the same IoU.
    is_tied: Bools

    def accepted(self, min_iou: float) -> Ints:
        """Return the row (n,) of the match of each crown, or -1."""
        return np.where(self.is_mutual & reaches(self.iou, min_iou), self.row, -1)


def find_shared_crowns(
    annotators: Sequence[CrownsLike],
    targets: CrownsLike | None = None,
    min_iou: float = MIN_IOU,
    progress: Progress = no_progress,
) -> Experiment:
    """Find the crowns that all annotators drew, and pair targets with delineations.

    Args:
        annotators: layers of crowns, one per annotator, as
            :class:`randcrowns.core.crowns.Crowns` or arrays of polygons in metres.
        targets: layer of crowns drawn in the field, which are the only targets (Section IV-B).
            None makes each annotator in turn the target (Section IV-A).
        min_iou: minimum IoU of two drawings of the same crown.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        The experiment, with the excluded crowns.

    Raises:
        InputError: if there are too few layers, a layer is empty, the coordinate systems differ,
            ``min_iou`` is not between 0 and 1, or no crown is shared.

    >>> first = [shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)]
    >>> second = [shapely.box(1, 0, 6, 5)]
    >>> experiment = find_shared_crowns([first, second])
    >>> experiment.ids.tolist(), experiment.excluded["crown_id"].tolist()
    ([[0], [0]], [1])
    """
    if targets is None:
        layers = name_layers(annotators)
    else:
        layers = name_layers([targets, *annotators], first_name="targets")
    _check_layers(layers, targets is not None, min_iou)

    names = tuple(layer.name for layer in layers)
    n_targets = len(layers) if targets is None else 1
    matches = _all_matches(layers, n_targets, progress)
    shared_rows = _find_shared_rows(len(layers[0]), len(layers), matches, min_iou)
    if len(shared_rows) == 0:
        raise InputError(
            "tuning.no_shared_crowns",
            "No crown was drawn by all of {names}: no drawings are each other's best match with "
            "an IoU of at least {min_iou:g}. Check that the layers show the same area, or lower "
            "the minimum IoU.",
            names=", ".join(names),
            min_iou=min_iou,
        )

    # Each layer's drawings of the shared crowns, in the same order.
    shared_layers = [layer.subset(shared_rows[:, number]) for number, layer in enumerate(layers)]
    known_plots = [layer.plots for layer in shared_layers if layer.plots is not None]
    excluded = [
        _tabulate_excluded(layers, number, matches, shared_rows[:, number], min_iou)
        for number in range(n_targets)
    ]
    return Experiment(
        annotators=names,
        geometry=np.stack([layer.geometry for layer in shared_layers]),
        ids=np.stack([layer.ids for layer in shared_layers]),
        n_targets=n_targets,
        excluded=pd.concat(excluded, ignore_index=True),
        plots=known_plots[0] if known_plots else None,
    )


def count_crowns(layers: Sequence[CrownsLike], experiment: Experiment) -> pd.DataFrame:
    """Count the crowns that each annotator drew, by plot (Stewart et al. 2021, Table I).

    Args:
        layers: layers that the experiment was made of; targets drawn in the field come first.
        experiment: the shared crowns of these layers.

    Returns:
        A row per annotator and plot, in the order of the layers and of the names of the plots,
        followed by a row with plot ``ALL_PLOTS``: ``annotator``, ``plot``, ``drawn`` (number of
        crowns) and ``shared`` (number of them that all annotators drew). A layer without plots
        has the last row only.

    >>> from randcrowns.core.crowns import Crowns
    >>> trees = [shapely.box(x, 0, x + 5, 5) for x in (0, 9)]
    >>> first = Crowns(trees, plots=["p", "q"], name="ann")
    >>> second = Crowns(trees[:1], plots=["p"], name="ben")
    >>> counts = count_crowns([first, second], find_shared_crowns([first, second]))
    >>> counts.to_numpy().tolist()[:3]
    [['ann', 'p', 1, 1], ['ann', 'q', 1, 0], ['ann', 'all', 2, 1]]
    """
    rows: list[dict[str, Any]] = []
    for name, layer, shared_ids in zip(experiment.annotators, name_layers(layers), experiment.ids):
        is_shared = np.isin(layer.ids, shared_ids)
        masks: dict[str, Bools] = {}
        if layer.plots is not None:
            plots = sorted(set(layer.plots), key=str)
            for plot, label in zip(plots, label_plots(plots)):
                masks[label] = layer.plots == plot
        masks[ALL_PLOTS] = np.ones(len(layer), dtype=bool)
        for label, is_in_plot in masks.items():
            row = {
                "annotator": name,
                "plot": label,
                "drawn": int(is_in_plot.sum()),
                "shared": int((is_in_plot & is_shared).sum()),
            }
            rows.append(row)
    columns = ["annotator", "plot", "drawn", "shared"]
    return cast("pd.DataFrame", pd.DataFrame(rows, columns=columns))


def name_layers(annotators: Sequence[CrownsLike], first_name: str = "annotator 1") -> list[Crowns]:
    """Return layers as crowns with distinct names.

    Args:
        annotators: layers of crowns, or arrays of polygons.
        first_name: default name of the first layer; the others are "annotator 1", "annotator 2" and
            so on by default.

    Returns:
        The layers in the same order. A name that occurs twice gets a number.

    >>> tree = [shapely.box(0, 0, 5, 5)]
    >>> [layer.name for layer in name_layers([tree, tree], first_name="targets")]
    ['targets', 'annotator 1']
    """
    # Annotators are counted from 1, whether or not the first layer is one.
    first_number = 1 if first_name == "annotator 1" else 0
    named_layers: dict[str, Crowns] = {}
    crs_code = common_crs_code(annotators)
    for position, annotator in enumerate(annotators):
        default_name = first_name
        if position > 0:
            default_name = f"annotator {position + first_number}"
        layer = as_crowns(annotator, default_name, crs_code=crs_code)
        name = unique_name(layer.name, named_layers.__contains__)
        if name != layer.name:
            layer = replace(layer, name=name)
        named_layers[name] = layer
    return list(named_layers.values())


def _check_layers(layers: list[Crowns], has_targets: bool, min_iou: float) -> None:
    """Raise InputError if layers cannot be compared.

    Args:
        layers: at least two layers with crowns, in one coordinate reference system.
        has_targets: True if the first layer holds the targets, for the message.
        min_iou: minimum IoU of a match, a number from 0 to 1.
    """
    if len(layers) < 2 and has_targets:
        raise InputError(
            "tuning.no_annotator",
            "There is no annotator to compare with the targets; add at least one layer of "
            "delineations.",
        )
    if len(layers) < 2:
        raise InputError(
            "tuning.too_few_annotators",
            "Comparing annotators needs at least two of them, but there are {n}; for one drawing, "
            "make warped copies of it first.",
            n=len(layers),
        )
    if not isinstance(min_iou, (int, float, np.number)) or not 0 <= min_iou <= 1:
        raise InputError(
            "tuning.invalid_minimum_iou",
            "The minimum IoU of a match must lie between 0 and 1, but it is {min_iou}.",
            min_iou=min_iou,
        )
    for layer in layers:
        if len(layer) == 0:
            raise InputError(
                "tuning.empty_layer",
                "{layer}: there are no crowns in it. Remove this layer or choose another one.",
                layer=layer.name,
            )
    check_same_crs(layer.crs for layer in layers)


def _all_matches(
    layers: list[Crowns], n_targets: int, progress: Progress
) -> dict[tuple[int, int], _Matches]:
    """Match the crowns of each pair of layers with at least one layer of targets.

    Args:
        layers: the layers; those of targets come first.
        n_targets: number of layers of targets.
        progress: receives the fraction done.

    Returns:
        By (i, j), the matches of the crowns of layer i in layer j.
    """
    pairs = []
    for i, j in itertools.combinations(range(len(layers)), 2):
        if i < n_targets:
            pairs.append((i, j))
    matches: dict[tuple[int, int], _Matches] = {}
    for (i, j), pair_progress in iterate_with_progress(pairs, progress):
        match_pair = partial(_match, layers[i], layers[j])
        matches[i, j], matches[j, i] = run_in_thread(match_pair, pair_progress)
    return matches


def _match(
    first: Crowns, second: Crowns, progress: Progress = no_progress
) -> tuple[_Matches, _Matches]:
    """Return the matches of the first layer in the second, and of the second in the first.

    Args:
        first: crowns of the first layer.
        second: crowns of the second layer.
        progress: receives the fraction done.
    """
    table = polygon_overlap(first, second, progress)
    iou = np.round(table.iou, _DECIMALS)
    # Best crown of the second layer for each of the first, then the reverse.
    best_second, iou_of_first = _best_partners(
        table.target, table.prediction, iou, second.ids, len(first)
    )
    best_first, iou_of_second = _best_partners(
        table.prediction, table.target, iou, first.ids, len(second)
    )
    matches_of_first = _compare_best(best_second, iou_of_first, best_first, iou_of_second)
    matches_of_second = _compare_best(best_first, iou_of_second, best_second, iou_of_first)
    return matches_of_first, matches_of_second


def _best_partners(
    crown_rows: Ints, other_rows: Ints, iou: Floats, other_ids: Ints, n_crowns: int
) -> tuple[Ints, Floats]:
    """Find the best of the other annotator's m crowns for each crown.

    Args:
        crown_rows: (p,) row of the crown in each overlapping pair.
        other_rows: (p,) row of the other annotator's crown.
        iou: (p,) IoU of the pair.
        other_ids: (m,) ids of the other annotator's crowns; of equal IoUs the lowest id is best.
        n_crowns: number of crowns.

    Returns:
        (n_crowns,) row of the best crown, -1 if nothing is shared, and its IoU, 0 without one.
    """
    overlapping = np.flatnonzero(iou > 0)
    ids = other_ids[other_rows[overlapping]]
    falling_iou = -iou[overlapping]
    # For each crown the first pair in the order of falling IoU, then rising id.
    first_pairs = first_rows(ids, falling_iou, crown_rows[overlapping])
    best_pairs = overlapping[first_pairs]
    best_row = np.full(n_crowns, -1)
    best_iou = np.zeros(n_crowns)
    matched_crowns = crown_rows[best_pairs]
    best_row[matched_crowns] = other_rows[best_pairs]
    best_iou[matched_crowns] = iou[best_pairs]
    return best_row, best_iou


def _compare_best(row: Ints, iou: Floats, other_row: Ints, other_iou: Floats) -> _Matches:
    """Return the matches of n crowns from the best rows and IoUs in both directions.

    Args:
        row: (n,) best row of each crown in the other layer, or -1.
        iou: (n,) its IoU.
        other_row: (m,) best row of each crown of the other layer in this one, or -1.
        other_iou: (m,) its IoU.
    """
    has_best = row >= 0
    # A crown without a best one has the row -1, the last crown, which does not count.
    is_mutual = has_best & (other_row[row] == np.arange(len(row)))
    is_tied = has_best & ~is_mutual & (other_iou[row] == iou)
    return _Matches(row=row, iou=iou, is_mutual=is_mutual, is_tied=is_tied)


def _find_shared_rows(
    n_first: int, n_layers: int, matches: dict[tuple[int, int], _Matches], min_iou: float
) -> Ints:
    """Return the rows (K, n_layers) of the shared crowns in each layer.

    Args:
        n_first: number of crowns of the first layer.
        n_layers: number of layers.
        matches: matches of pairs of layers; all of them have to agree.
        min_iou: minimum IoU of a match.
    """
    accepted_rows = {pair: match.accepted(min_iou) for pair, match in matches.items()}
    # Each crown of the first layer with its matches in the others; -1 without a match.
    matches_of_first = [accepted_rows[0, number] for number in range(1, n_layers)]
    candidates: Ints = np.column_stack([np.arange(n_first), *matches_of_first])
    shared_rows: Ints = candidates[(candidates >= 0).all(axis=1)]
    # The drawings in every two layers must match each other, too.
    for (i, j), matched_rows in accepted_rows.items():
        if i < j:
            is_match = matched_rows[shared_rows[:, i]] == shared_rows[:, j]
            shared_rows = shared_rows[is_match]
    return shared_rows


def _tabulate_excluded(
    layers: list[Crowns],
    number: int,
    matches: dict[tuple[int, int], _Matches],
    shared_rows: Ints,
    min_iou: float,
) -> pd.DataFrame:
    """Return the crowns of a layer that are not shared, with the reason.

    The reason names the first of the other layers that has no match for the crown.

    Args:
        layers: all layers.
        number: index of the layer.
        matches: matches of the crowns of two layers, by the indices of both layers.
        shared_rows: (K,) rows of the shared crowns in the layer.
        min_iou: minimum IoU of a match.

    Returns:
        A row per excluded crown: ``annotator``, ``crown_id``, ``reason``.
    """
    layer = layers[number]
    reasons = np.empty(len(layer), dtype=object)
    reasons[:] = TranslatableText("the others' delineations of it are not each other's best match")
    # Later assignments overwrite earlier ones: the layers are visited backwards so that the first
    # layer without a match is named.
    for other_number in reversed(range(len(layers))):
        if other_number != number:
            match = matches[number, other_number]
            _write_match_reasons(reasons, match, layers[other_number].name, min_iou)
    excluded_rows = np.setdiff1d(np.arange(len(layer)), shared_rows)
    columns = {
        "annotator": layer.name,
        "crown_id": layer.ids[excluded_rows],
        "reason": reasons[excluded_rows],
    }
    return cast("pd.DataFrame", pd.DataFrame(columns))


def _write_match_reasons(reasons: Objects, match: _Matches, name: str, min_iou: float) -> None:
    """Write why crowns have no accepted match in one of the other layers.

    Args:
        reasons: (n,) reason of each crown; those of crowns with a match are not changed.
        match: best crowns of the other layer.
        name: name of the other layer.
        min_iou: minimum IoU of a match.
    """
    # Of several reasons for a crown, the last one stays.
    reasons[~match.is_mutual] = TranslatableText(
        "its best match by {name} fits another crown better", name=name
    )
    reasons[match.is_tied] = TranslatableText(
        "its best match by {name} fits another crown just as well", name=name
    )
    for row in np.flatnonzero(falls_below(match.iou, min_iou)):
        # Rounded down, so that the IoU looks smaller than the minimum.
        shown_iou = np.floor(100 * match.iou[row]) / 100
        reasons[row] = TranslatableText(
            "its best match by {name} has an IoU of only {iou:.2f}", name=name, iou=shown_iou
        )
    reasons[match.row < 0] = TranslatableText("{name} has no crown there", name=name)


def exclude_unseen_crowns(experiment: Experiment, extent: Any) -> Experiment:
    """Exclude the crowns with a target outside the image, where nobody could have drawn it.

    Args:
        experiment: the experiment; not changed.
        extent: valid polygon of the image, or None for no limit.

    Returns:
        The experiment without these crowns. Its table ``excluded`` lists them at the end.

    Raises:
        InputError: if no crown is left.

    >>> trees = [shapely.box(0, 0, 5, 5), shapely.box(90, 0, 95, 5)]
    >>> exclude_unseen_crowns(find_shared_crowns([trees, trees]), shapely.box(0, 0, 9, 9)).n_crowns
    1
    """
    if extent is None:
        return experiment
    shapely.prepare(extent)
    targets = experiment.geometry[: experiment.n_targets]
    is_outside = ~shapely.intersects(extent, targets) | shapely.touches(extent, targets)
    is_excluded = is_outside.any(axis=0)
    if not is_excluded.any():
        return experiment
    if is_excluded.all():
        raise InputError(
            "tuning.outside_extent",
            "All shared crowns lie outside the image extent. Choose the extent of the image on "
            "which the crowns were drawn, or no extent.",
        )
    unseen = _tabulate_unseen(experiment, is_outside)
    return experiment._replace(
        geometry=experiment.geometry[:, ~is_excluded],
        ids=experiment.ids[:, ~is_excluded],
        excluded=pd.concat([experiment.excluded, unseen], ignore_index=True),
        plots=None if experiment.plots is None else experiment.plots[~is_excluded],
        n_excluded_outside=len(unseen),
    )


def _tabulate_unseen(experiment: Experiment, is_outside: Bools) -> pd.DataFrame:
    """Return the crowns with a target outside the image, with the reason.

    Args:
        experiment: K shared crowns.
        is_outside: (n_targets, K) mask of the targets outside the image.

    Returns:
        A row per target layer and crown: ``annotator``, ``crown_id``, ``reason``.
    """
    names = experiment.annotators[: experiment.n_targets]
    unseen_crowns = np.flatnonzero(is_outside.any(axis=0))
    rows = []
    for number, name in enumerate(names):
        for crown in unseen_crowns:
            reason = TranslatableText("outside the image extent")
            if not is_outside[number, crown]:
                # The first of the other targets that is outside.
                outside_name = names[is_outside[:, crown].argmax()]
                reason = TranslatableText(
                    "its delineation by {name} is outside the image extent", name=outside_name
                )
            rows.append((name, experiment.ids[number, crown], reason))
    columns = ["annotator", "crown_id", "reason"]
    return cast("pd.DataFrame", pd.DataFrame(rows, columns=columns))


def order_west_to_east(experiment: Experiment) -> Ints:
    """Return the indices (N · K,) that sort all drawings by position, first from west to east.

    The order depends neither on the order of annotators and crowns nor on the last digits of
    coordinates. Equal outlines are sorted by the names of their annotators.

    >>> trees = [shapely.box(9, 0, 14, 5), shapely.box(0, 0, 5, 5)]
    >>> order_west_to_east(find_shared_crowns([trees, trees])).tolist()
    [1, 3, 0, 2]
    """
    drawings = experiment.geometry.ravel()
    xmin, ymin, xmax, ymax = round_to_millimetres(shapely.bounds(drawings)).T
    centres = shapely.get_coordinates(shapely.centroid(drawings))
    centre_x, centre_y = round_to_millimetres(centres).T
    name_rank = np.argsort(np.argsort(experiment.annotators))
    rank_of_drawing = np.repeat(name_rank, experiment.n_crowns)
    # numpy sorts by the last key first.
    keys = (rank_of_drawing, xmin, ymin, xmax, ymax, centre_y, centre_x)
    return cast("Ints", np.lexsort(keys))


def round_to_millimetres(metres: Floats) -> Floats:
    """Round lengths in metres to whole millimetres.

    Half millimetres, as in centres of coordinates in whole millimetres, are always rounded up,
    whatever their last digits.

    >>> round_to_millimetres(np.array([1.0, 0.0015, 0.0025])).tolist()
    [1000.0, 2.0, 3.0]
    """
    return cast("Floats", np.rint(1000 * metres + 0.25))


def identical_annotators(experiment: Experiment) -> list[tuple[str, str]]:
    """Return the pairs of names of annotators whose drawings of all shared crowns are identical.

    >>> trees = [shapely.box(0, 0, 5, 5)]
    >>> identical_annotators(find_shared_crowns([trees, trees]))
    [('annotator 1', 'annotator 2')]
    """
    outlines = shapely.normalize(experiment.geometry)
    pairs = []
    for i, j in itertools.combinations(range(len(outlines)), 2):
        if shapely.equals_exact(outlines[i], outlines[j]).all():
            pairs.append((experiment.annotators[i], experiment.annotators[j]))
    return pairs
