"""A scoring run, step by step, and what it needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import shapely
from qgis.core import QgsCoordinateTransformContext, QgsProcessingContext

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.algorithms.checks import layer_problem
from randcrowns.algorithms.choices import IDTREES, PRESET_KEYS, lengths_of
from randcrowns.algorithms.scoring.idtrees import plot_of_targets, score_plots, unlike_images
from randcrowns.algorithms.scoring.tables import ScoredLayer
from randcrowns.core.arrays import Floats
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, part_of
from randcrowns.core.remarks import Remark, note
from randcrowns.core.scoring.layer import CrownScores, score_candidates, tabulate_scores
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.layers.compat import chosen_fields
from randcrowns.layers.vector.extent import ExtentChoice
from randcrowns.layers.vector.place import AtExtent, LayerRequest, Place, read_place
from randcrowns.layers.vector.read import CrownLayer
from randcrowns.layers.vector.report import Oddity
from randcrowns.layers.vector.snapshot import LayerSnapshot
from randcrowns.layers.words import tr

__all__ = ["ScoreJob", "plots_needed", "read_scene", "score_layers", "score_problem"]


@dataclass(frozen=True)
class ScoreJob:
    """Everything a run needs, taken on the main thread."""

    targets: LayerSnapshot
    delineations: list[LayerSnapshot]
    names: list[str]
    preset: str
    parameters: RandCrownsParameters
    pairing: str
    search_radius: float | None
    randcrowns_threshold: float
    group_field: str
    score_field: str
    score_threshold: float
    extent: ExtentChoice
    outputs: frozenset[str]
    transform_context: QgsCoordinateTransformContext
    remarks: list[Remark]


def read_scene(job: ScoreJob, progress: Progress) -> Place:
    """The targets in the extent, or for IDTReeS in a plot, then every delineation layer.

    Raises:
        InputError: if the preset needs plots and there are none.
    """
    idtrees = job.preset == IDTREES
    targets = LayerRequest(
        job.targets,
        group_field=job.group_field,
        all_attributes=True,
        at_extent=AtExtent.STAY if idtrees else AtExtent.INSIDE,
    )
    delineations = [
        LayerRequest(
            snapshot,
            name=name,
            group_field=job.group_field,
            score_field=job.score_field,
            score_threshold=job.score_threshold,
            at_extent=AtExtent.STAY if idtrees else AtExtent.CUT,
        )
        for snapshot, name in zip(job.delineations, job.names)
    ]
    place = read_place([targets, *delineations], job.transform_context, job.extent, progress=progress)
    return _in_plots(place) if idtrees else place


def score_layers(job: ScoreJob, place: Place, prefixes: list[str], progress: Progress) -> list[ScoredLayer]:
    """The scores of every delineation layer."""
    results, layers = [], place.layers[1:]
    for number, (layer, snapshot, prefix) in enumerate(zip(layers, job.delineations, prefixes)):
        share = part_of(progress, number / len(layers), (number + 1) / len(layers))
        scores, pairs = (_in_idtrees if job.preset == IDTREES else _in_metres)(job, place, layer, share)
        results.append(ScoredLayer(prefix, layer, snapshot.crs, scores, pairs))
    return results


def _in_metres(job: ScoreJob, place: Place, layer: CrownLayer, progress: Progress) -> tuple[CrownScores, pd.DataFrame]:
    pairing, targets = Pairing(job.pairing), place.layers[0].crowns
    scored = score_candidates(
        targets,
        layer.crowns,
        job.parameters,
        pairing,
        place.area,
        cut=layer.cut,
        search_radius=job.search_radius,
        progress=progress,
    )
    threshold = job.randcrowns_threshold
    return tabulate_scores(scored, targets, layer.crowns, pairing, randcrowns_threshold=threshold), scored.pairs


def _in_idtrees(job: ScoreJob, place: Place, layer: CrownLayer, progress: Progress) -> tuple[CrownScores, pd.DataFrame]:
    targets, plots = place.layers[0].crowns, _plot_bounds(place)
    return score_plots(
        targets,
        layer.crowns,
        plots,
        plot_of_targets(targets, plots),
        randcrowns_threshold=job.randcrowns_threshold,
        progress=progress,
    )


def _plot_bounds(place: Place) -> Floats:
    """(p, 4) of every plot, or of the one extent."""
    if place.plots is not None:
        return np.asarray(shapely.bounds(place.plots.crowns.geometry))
    return np.empty((0, 4)) if place.area is None else np.atleast_2d(shapely.bounds(place.area))


def _in_plots(place: Place) -> Place:
    """The place with those targets only that lie in a plot."""
    bounds = _plot_bounds(place)
    if len(bounds) == 0:
        raise InputError(plots_needed())
    targets, *layers = place.layers
    inside = plot_of_targets(targets.crowns, bounds) >= 0
    targets.report.add(Oddity.OUTSIDE, targets.crowns.ids[~inside])
    odd = len(unlike_images(bounds))
    if odd:
        said = "{odd} of {all} plots are not 20 x 20 m, as the images of IDTReeS 2020 are."
        place.decided.append(note("idtrees.plots", said, odd=odd, all=len(bounds)))
    return replace(place, layers=(targets.kept(inside), *layers))


def plots_needed() -> str:
    """What the IDTReeS preset misses, in a sentence."""
    return tr(
        "The IDTReeS 2020 preset needs the bounds of each plot's image (20 x 20 m): choose the image as 'Image "
        "extent', or a layer with one polygon per plot as 'Extent layer'."
    )


def score_problem(algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
    """The first thing that is wrong with the parameters of a scoring run; empty when nothing is."""
    target, _ = algorithm.layer_of(parameters, "TARGETS", context)
    delineations = algorithm.parameterAsLayerList(parameters, "DELINEATIONS", context)
    if not delineations:
        return tr("Choose at least one layer of delineations.")
    layers = [target, *delineations]
    return (
        next(filter(None, map(layer_problem, layers)), "")
        or _field_problem(algorithm, parameters, context, layers)
        or _plot_problem(algorithm, parameters, context)
    )


def _field_problem(
    algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext, layers: list[Any]
) -> str:
    target, *delineations = layers
    groups = chosen_fields(algorithm, parameters, "GROUP_FIELD", context)
    if groups and target is not None and target.fields().lookupField(groups[0]) < 0:
        return tr("Layer '{name}' has no field '{field}' to group by.").format(name=target.name(), field=groups[0])
    score = algorithm.parameterAsString(parameters, "SCORE_FIELD", context).strip()
    if not score:
        return ""
    if not any(layer.fields().lookupField(score) >= 0 for layer in delineations):
        return tr("None of the delineation layers has a field '{field}' with scores.").format(field=score)
    return ""


def _plot_problem(algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
    preset, _ = lengths_of(algorithm, parameters, context, PRESET_KEYS)
    extents = (parameters.get("EXTENT"), parameters.get("EXTENT_LAYER"))
    if preset == IDTREES and all(extent in (None, "") for extent in extents):
        return plots_needed()
    return ""
