"""A scoring run, step by step, and what it needs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import shapely
from qgis.core import QgsCoordinateTransformContext

from randcrowns.algorithms.choice import Chosen
from randcrowns.algorithms.choices import IDTREES, IMAGE_EXTENT
from randcrowns.algorithms.scoring.choices import (
    GROUP_FIELD,
    PAIRING,
    RANDCROWNS_THRESHOLD,
    SCORE_FIELD,
    SCORE_THRESHOLD,
    SEARCH_RADIUS,
    plots_needed,
)
from randcrowns.algorithms.scoring.idtrees import plot_of_targets, score_plots, unlike_images
from randcrowns.algorithms.scoring.tables import ScoredLayer
from randcrowns.core.arrays import Floats
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, part_of
from randcrowns.core.remarks import Remark, note
from randcrowns.core.scoring.layer import CrownScores, score_crowns
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.layers.vector.place import AtExtent, LayerRequest, Place, read_place
from randcrowns.layers.vector.read import CrownLayer
from randcrowns.layers.vector.report import Oddity
from randcrowns.layers.vector.snapshot import LayerSnapshot


@dataclass(frozen=True)
class ScoreJob:
    """Everything a run needs, taken on the main thread.

    Attributes:
        targets: the layer scored against.
        delineations: the layers scored.
        names: what these are called, no two alike.
        preset: its key.
        parameters: to score with.
        chosen: pairing and search radius, thresholds, fields, and the image extent.
        wants_pairs, wants_regions: whether these outputs are made.
        transform_context: the project's choices of datum transformations.
        remarks: on what was given.
    """

    targets: LayerSnapshot
    delineations: list[LayerSnapshot]
    names: list[str]
    preset: str
    parameters: RandCrownsParameters
    chosen: Chosen
    wants_pairs: bool
    wants_regions: bool
    transform_context: QgsCoordinateTransformContext
    remarks: list[Remark]


def read_scene(job: ScoreJob, progress: Progress) -> Place:
    """The targets in the extent, or for IDTReeS in a plot, then every delineation layer.

    Raises:
        InputError: if the preset needs plots and there are none.
    """
    idtrees, chosen = job.preset == IDTREES, job.chosen
    targets = LayerRequest(
        job.targets,
        group_field=chosen[GROUP_FIELD],
        all_attributes=True,
        at_extent=AtExtent.STAY if idtrees else AtExtent.INSIDE,
    )
    delineations = [
        LayerRequest(
            snapshot,
            name=name,
            group_field=chosen[GROUP_FIELD],
            score_field=chosen[SCORE_FIELD],
            score_threshold=chosen[SCORE_THRESHOLD],
            at_extent=AtExtent.STAY if idtrees else AtExtent.CUT,
        )
        for snapshot, name in zip(job.delineations, job.names)
    ]
    place = read_place([targets, *delineations], job.transform_context, chosen[IMAGE_EXTENT], progress=progress)
    return _in_plots(place) if idtrees else place


def score_layers(job: ScoreJob, place: Place, prefixes: list[str], progress: Progress) -> list[ScoredLayer]:
    """The scores of every delineation layer."""
    results, layers = [], place.layers[1:]
    for number, (layer, snapshot, prefix) in enumerate(zip(layers, job.delineations, prefixes)):
        share = part_of(progress, number / len(layers), (number + 1) / len(layers))
        scores = (_in_idtrees if job.preset == IDTREES else _in_metres)(job, place, layer, share)
        results.append(ScoredLayer(prefix, layer, snapshot.crs, scores))
    return results


def _in_metres(job: ScoreJob, place: Place, layer: CrownLayer, progress: Progress) -> CrownScores:
    return score_crowns(
        place.layers[0].crowns,
        layer.crowns,
        job.parameters,
        job.chosen[PAIRING],
        place.area,
        cut=layer.cut,
        search_radius=job.chosen[SEARCH_RADIUS] or None,
        randcrowns_threshold=job.chosen[RANDCROWNS_THRESHOLD],
        progress=progress,
    )


def _in_idtrees(job: ScoreJob, place: Place, layer: CrownLayer, progress: Progress) -> CrownScores:
    targets, plots = place.layers[0].crowns, _plot_bounds(place)
    return score_plots(
        targets,
        layer.crowns,
        plots,
        plot_of_targets(targets, plots),
        randcrowns_threshold=job.chosen[RANDCROWNS_THRESHOLD],
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
