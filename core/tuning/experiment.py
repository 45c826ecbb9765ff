"""Crowns that several annotators all drew, and who is scored against whom (Stewart et al. 2021, Section IV).

The paper left crowns out that not all annotators drew, by eye. The rule here: two drawings are matches when each is
the other's best by IoU and that IoU is at least ``min_iou``. For the cross-validation of Section IV-A a crown is
shared when every annotator has a drawing of it and any two of these are matches; against a layer of targets (Section
IV-B) when the target has a match with every annotator. Equal IoUs go to the lowest id. The result does not depend on
the order of the annotators.
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

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, first_of_each
from randcrowns.core.crowns import Crowns, CrownsLike, as_crowns, first_free
from randcrowns.core.errors import InputError
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.progress import Progress, aside, no_progress, steps
from randcrowns.core.remarks import Said
from randcrowns.core.systems import check_one_system

#: Below this IoU two drawings are not taken for the same tree, by default.
MIN_IOU = 0.1
#: IoUs are compared to so many decimals.
_DECIMALS = 12


class _Matches(NamedTuple):
    """For each crown of one labeler the best by another: its row, the IoU, whether both are each other's best, and
    whether they would be, were it not for another crown that the best fits as well."""

    row: Ints
    iou: Floats
    mutual: Bools
    tied: Bools

    def accepted(self, min_iou: float) -> Ints:
        """(n,) row of the match, or -1."""
        return np.where(self.mutual & (self.iou >= min_iou), self.row, -1)


def shared_crowns(
    annotators: Sequence[CrownsLike],
    targets: CrownsLike | None = None,
    min_iou: float = MIN_IOU,
    progress: Progress = no_progress,
) -> Experiment:
    """The crowns that every annotator drew, and who is scored against whom.

    Each annotator in turn is the target, the others are delineations (Section IV-A); where there are targets, drawn in
    the field, these alone are (Section IV-B).
    """
    layers = (
        named_crowns(annotators)
        if targets is None
        else named_crowns([targets, *annotators], first="targets")
    )
    n = len(layers)
    if n < 2 and targets is not None:
        raise InputError(
            "There is no annotator to compare with the targets; add at least one layer of delineations."
        )
    if n < 2:
        raise InputError(
            "Comparing annotators needs at least two of them, but there are {n}; for one drawing, make warped copies "
            "of it first.",
            n=n,
        )
    _check(layers, min_iou)
    n_targets = n if targets is None else 1
    pairs = [(i, j) for j in range(1, n) for i in range(min(j, n_targets))]
    matches: dict[tuple[int, int], _Matches] = {}
    for (i, j), share in steps(pairs, progress):
        matches[i, j], matches[j, i] = aside(partial(_matches, layers[i], layers[j]), share)
    found = {pair: match.accepted(min_iou) for pair, match in matches.items()}
    rows = np.column_stack([np.arange(len(layers[0])), *(found[0, j] for j in range(1, n))])
    rows = rows[(rows >= 0).all(axis=1)]
    for i, j in pairs:
        rows = rows[found[i, j][rows[:, i]] == rows[:, j]]
    names = tuple(layer.name for layer in layers)
    if len(rows) == 0:
        said = (
            "No crown was drawn by all of {names} (matches of IoU at least {min_iou:g} that are each other's best). "
            "Check that the layers show the same place, or lower the least IoU."
        )
        raise InputError(said, names=", ".join(names), min_iou=min_iou)
    excluded = [_excluded(layers, i, matches, rows[:, i], min_iou) for i in range(n_targets)]
    geometry = np.stack([layer.geometry[rows[:, i]] for i, layer in enumerate(layers)])
    ids = np.stack([layer.ids[rows[:, i]] for i, layer in enumerate(layers)])
    in_plots = [
        (layer.groups, rows[:, i]) for i, layer in enumerate(layers) if layer.groups is not None
    ]
    plots = in_plots[0][0][in_plots[0][1]] if in_plots else None
    return Experiment(
        names, geometry, ids, n_targets, pd.concat(excluded, ignore_index=True), plots
    )


def named_crowns(annotators: Sequence[CrownsLike], first: str = "annotator 1") -> list[Crowns]:
    """The annotators as crowns, each with a name of its own; arrays are called annotator 1, annotator 2, …"""
    crowns: dict[str, Crowns] = {}
    for number, drawn in enumerate(annotators):
        default = first if number == 0 else f"annotator {number + (first == 'annotator 1')}"
        layer = as_crowns(drawn, default)
        name = first_free(layer.name, crowns.__contains__)
        crowns[name] = layer if name == layer.name else replace(layer, name=name)
    return list(crowns.values())


def _check(layers: list[Crowns], min_iou: float) -> None:
    if not isinstance(min_iou, (int, float, np.number)) or not 0 <= min_iou <= 1:
        raise InputError(
            "The least IoU of a match must lie between 0 and 1, but it is {min_iou}.",
            min_iou=min_iou,
        )
    for layer in layers:
        if len(layer) == 0:
            said = "{layer}: there are no crowns in it; leave it out or choose another layer."
            raise InputError(said, layer=layer.name)
    check_one_system(layer.crs for layer in layers)


def _matches(
    first: Crowns, second: Crowns, progress: Progress = no_progress
) -> tuple[_Matches, _Matches]:
    """The best of ``second`` for each crown of ``first``, and the other way round."""
    table = polygon_overlap(first, second, progress)
    iou = np.round(table.iou, _DECIMALS)
    best, best_iou = _best(table.target, table.prediction, iou, second.ids, len(first))
    other, other_iou = _best(table.prediction, table.target, iou, first.ids, len(second))
    return _both_ways(best, best_iou, other, other_iou), _both_ways(
        other, other_iou, best, best_iou
    )


def _both_ways(best: Ints, iou: Floats, back: Ints, back_iou: Floats) -> _Matches:
    mutual = (best >= 0) & (back[best] == np.arange(len(best)))
    return _Matches(best, iou, mutual, (best >= 0) & ~mutual & (back_iou[best] == iou))


def _best(crown: Ints, other: Ints, iou: Floats, ids: Ints, n: int) -> tuple[Ints, Floats]:
    """(n,) row of the other of highest IoU, -1 where nothing is shared, and that IoU."""
    some = np.flatnonzero(iou > 0)
    some = some[first_of_each(ids[other[some]], -iou[some], crown[some])]
    best, best_iou = np.full(n, -1), np.zeros(n)
    best[crown[some]], best_iou[crown[some]] = other[some], iou[some]
    return best, best_iou


def _excluded(
    layers: list[Crowns],
    i: int,
    matches: dict[tuple[int, int], _Matches],
    shared: Ints,
    min_iou: float,
) -> pd.DataFrame:
    """The crowns of labeler ``i`` that are not shared, and why: the first of the others that has no match for it."""
    layer = layers[i]
    reason = np.empty(len(layer), dtype=object)
    reason[:] = [Said("the others' delineations of it are not each other's best match")] * len(
        layer
    )
    for j in reversed([j for j in range(len(layers)) if j != i]):
        match, name = matches[i, j], layers[j].name
        reason[~match.mutual] = Said(
            "its best match by {name} fits another crown better", name=name
        )
        reason[match.tied] = Said(
            "its best match by {name} fits another crown just as well", name=name
        )
        low = match.iou < min_iou
        reason[low] = [
            Said("its best match by {name} has an IoU of only {iou:.2f}", name=name, iou=iou)
            for iou in np.floor(100 * match.iou[low]) / 100
        ]
        reason[match.row < 0] = Said("{name} has no crown there", name=name)
    left = np.setdiff1d(np.arange(len(layer)), shared)
    return cast(
        "pd.DataFrame",
        pd.DataFrame(
            {"annotator": layer.name, "crown_id": layer.ids[left], "reason": reason[left]}
        ),
    )


class Experiment(NamedTuple):
    """K shared crowns of N labelers, and which of them are targets."""

    names: tuple[str, ...]  #: (N,) the labelers; the first ``n_targets`` are in turn the target.
    geometry: Objects  #: (N, K) every labeler's drawing of every shared crown.
    ids: Ints  #: (N, K) their ids.
    n_targets: int  #: N for the cross-validation, 1 against a layer of targets.
    #: A row per crown that takes no part: ``annotator``, ``crown_id``, ``reason``; against a layer of targets only the
    #: targets.
    excluded: pd.DataFrame
    #: (K,) plot of each crown, as the first labeler has it whose crowns have plots; or None.
    plots: Objects | None = None
    #: How many of these rows, the last ones, are of crowns of which a target lies outside the image.
    n_outside: int = 0

    @property
    def n_crowns(self) -> int:
        """Number of shared crowns, K."""
        return self.geometry.shape[1]

    @property
    def targets(self) -> Objects:
        """(n_targets · K,) the targets, one labeler after the other."""
        return self.geometry[: self.n_targets].ravel()

    @property
    def delineation(self) -> Ints:
        """(Z, n_targets · K) what is scored against each target: positions in the flattened ``geometry``."""
        labelers = np.arange(len(self.names))
        others = np.stack([np.delete(labelers, target) for target in range(self.n_targets)], axis=1)
        return (others[:, :, None] * self.n_crowns + np.arange(self.n_crowns)).reshape(
            len(others), -1
        )


def seen_crowns(experiment: Experiment, extent: Any) -> Experiment:
    """The experiment without the crowns of which some target lies outside the image, where nobody could have drawn it.

    The extent is a valid polygon, or None; InputError when no crown is left.
    """
    if extent is None:
        return experiment
    names = experiment.names[: experiment.n_targets]
    shapely.prepare(extent)
    targets = experiment.geometry[: experiment.n_targets]
    outside = ~shapely.intersects(extent, targets) | shapely.touches(extent, targets)
    left = outside.any(axis=0)
    if not left.any():
        return experiment
    if left.all():
        raise InputError(
            "Every crown that all drew lies outside the image extent. Choose the extent of the image on which these "
            "crowns were drawn, or none."
        )
    reason = np.empty(outside.shape, dtype=object)
    by = np.empty(len(names), dtype=object)
    by[:] = [
        Said("its delineation by {name} is outside the image extent", name=name) for name in names
    ]
    reason[:] = by[outside.argmax(axis=0)]
    reason[outside] = Said("outside the image extent")
    unseen = pd.DataFrame(
        {
            "annotator": np.repeat(np.array(names, dtype=object), left.sum()),
            "crown_id": experiment.ids[: experiment.n_targets, left].ravel(),
            "reason": reason[:, left].ravel(),
        }
    )
    return experiment._replace(
        geometry=experiment.geometry[:, ~left],
        ids=experiment.ids[:, ~left],
        excluded=pd.concat([experiment.excluded, unseen], ignore_index=True),
        plots=None if experiment.plots is None else experiment.plots[~left],
        n_outside=len(unseen),
    )


def west_to_east(experiment: Experiment) -> Ints:
    """All drawings by where they lie, whatever order they come in; the same outlines by the names of their labelers."""
    drawings = experiment.geometry.ravel()
    centre = shapely.get_coordinates(shapely.centroid(drawings))
    name = np.repeat(np.argsort(np.argsort(experiment.names)), experiment.n_crowns)
    return cast(
        "Ints",
        np.lexsort(
            (name, *in_millimetres(np.column_stack([shapely.bounds(drawings), centre[:, ::-1]])).T)
        ),
    )


def in_millimetres(metres: Floats) -> Floats:
    """Whole millimetres; their halves, where centres of whole ones lie, are rounded alike whatever the last digits."""
    return cast("Floats", np.rint(1000 * metres + 0.25))


def same_drawings(experiment: Experiment) -> list[tuple[str, str]]:
    """The pairs of labelers who drew every shared crown exactly alike."""
    outlines = shapely.normalize(experiment.geometry)
    return [
        (experiment.names[i], experiment.names[j])
        for i, j in itertools.combinations(range(len(outlines)), 2)
        if shapely.equals_exact(outlines[i], outlines[j]).all()
    ]
