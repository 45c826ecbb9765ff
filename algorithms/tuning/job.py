"""The annotators of a variance experiment: taken on the main thread, checked, read in the background."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext, QgsProcessingContext

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.algorithms.checks import layer_problem, layers_of_roles, role_problem
from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.choices import ExtentChoice, extent_of
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress, part_of
from randcrowns.core.status import ALL
from randcrowns.core.tuning.wrong_pairs import warped_annotators
from randcrowns.layers.vector.crs import WorkingCrs
from randcrowns.layers.vector.extent import plot_polygons, run_extent
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.vector.read import CrownLayer, read_crowns
from randcrowns.layers.vector.snapshot import LayerSnapshot
from randcrowns.layers.words import counted, tr

__all__ = ["LabelerJob", "Labelers", "labeler_problem", "nobody_chosen", "read_labelers", "take_labelers"]


@dataclass(frozen=True)
class LabelerJob:
    """Everything that is needed to read the annotators, by name; ``targets`` are the field's, or None."""

    targets: LayerSnapshot | None
    annotators: dict[str, LayerSnapshot]
    extent: ExtentChoice
    group_field: str
    min_iou: float
    warps: int
    warp_amounts: tuple[float, float, float]
    transform_context: QgsCoordinateTransformContext


class Labelers(NamedTuple):
    """The crowns and the extent (a polygon or None) as core takes them, where they were worked on, what was odd."""

    targets: Crowns | None
    annotators: list[Crowns]
    extent: Any
    working: WorkingCrs
    crs: QgsCoordinateReferenceSystem
    sentences: list[str]
    #: Warped copies of the only annotator that stand for others.
    copies: int = 0

    @property
    def origin(self) -> str:
        """How a sentence on warped copies begins; empty where people drew everything."""
        if not self.copies:
            return ""
        number = counted(self.copies, tr("warped copy"), tr("warped copies"))
        return tr("From {copies} of {name} (no measurement): ").format(copies=number, name=self.annotators[0].name)


def take_labelers(algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> LabelerJob:
    """Snapshots and plain values."""
    layers = [layer for layer in algorithm.parameterAsLayerList(parameters, "ANNOTATORS", context) if layer]
    targets = None
    if parameters.get("TARGETS") not in (None, ""):
        targets = algorithm.layer_snapshot(parameters, "TARGETS", context)
    names = unique_names([*([] if targets is None else [targets.name]), *(layer.name() for layer in layers)], [ALL])

    def number(name: str) -> float:
        return float(algorithm.parameterAsDouble(parameters, name, context))

    return LabelerJob(
        targets=targets,
        annotators=dict(zip(names[-len(layers) :], map(LayerSnapshot.of, layers))),
        extent=extent_of(algorithm, parameters, context),
        group_field=algorithm.parameterAsString(parameters, "GROUP_FIELD", context).strip(),
        min_iou=number("MIN_IOU"),
        warps=algorithm.parameterAsInt(parameters, "WARPS", context),
        warp_amounts=(number("WARP_SCALE"), number("WARP_ROTATION"), number("WARP_TRANSLATION")),
        transform_context=context.transformContext(),
    )


def labeler_problem(
    algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext, fewest: int
) -> str:
    """The first thing that is wrong with the annotators; empty when nothing is.

    Args:
        algorithm, parameters, context: of the run.
        fewest: annotators needed without field targets; with them, and for the copies of a single one, one less.
    """
    layers = [layer for layer in algorithm.parameterAsLayerList(parameters, "ANNOTATORS", context) if layer]
    if not layers:
        return nobody_chosen({})
    elsewhere = layers_of_roles(Given(algorithm, parameters, context), "TARGETS", "EXTENT_LAYER")
    problem = next(filter(None, map(layer_problem, [*elsewhere.values(), *layers])), "")
    problem = problem or role_problem(layers, elsewhere)
    if problem:
        return problem
    warps = algorithm.parameterAsInt(parameters, "WARPS", context) if len(layers) == 1 else 0
    needed = fewest - bool(parameters.get("TARGETS"))
    if len(layers) + warps < needed:
        if len(layers) == 1:
            return tr("One annotator needs at least {number} warped copies, or choose more annotators.").format(
                number=needed - 1
            )
        return tr(
            "A variance needs two delineations per target: choose at least three annotators, or two beside targets "
            "drawn in the field, or only one, of which warped copies are made."
        )
    return ""


def nobody_chosen(parameters: dict[str, Any]) -> str:
    """A sentence when there are no annotators at all; else empty."""
    return "" if parameters.get("ANNOTATORS") else tr("Choose the layers of at least one annotator.")


def read_labelers(job: LabelerJob, progress: Progress = no_progress) -> Labelers:
    """Read everything in the coordinate system of the first layer.

    Raises:
        InputError: if a layer's coordinate system is missing or its coordinates do not belong to it, or if the only
            annotator drew nothing.
    """
    working: WorkingCrs | QgsCoordinateTransformContext = job.transform_context
    found: list[CrownLayer] = []
    snapshots = [*([] if job.targets is None else [(job.targets.name, job.targets)]), *job.annotators.items()]
    for number, (name, snapshot) in enumerate(snapshots):
        share = part_of(progress, number / len(snapshots), (number + 1) / len(snapshots))
        layer = read_crowns(snapshot, working, name=name, group_field=job.group_field, progress=share)
        working = layer.working
        found.append(layer)
    plots = None if job.extent.plots is None else plot_polygons(job.extent.plots, found[0].working)
    drawn = np.concatenate([layer.crowns.geometry for layer in found])
    extent = run_extent(job.extent.rectangle, job.extent.crs, plots, found[0].working, drawn)
    sentences = [sentence for layer in found for sentence in layer.report.sentences()]
    if job.extent.rectangle is not None and plots is not None:
        sentences.append(tr("Both an image extent and an extent layer are given: what both share is taken."))
    crowns = [layer.crowns for layer in found]
    targets = crowns.pop(0) if job.targets is not None else None
    if len(crowns) == 1 and not len(crowns[0]):
        raise InputError(
            tr("{name}: there are no crowns in it, of which copies could be made; choose another layer.").format(
                name=crowns[0].name
            )
        )
    copies = job.warps if len(crowns) == 1 else 0
    if copies:
        sentences.append(
            tr("There is only one annotator, '{name}', so others are simulated: {copies} of the drawing.").format(
                name=crowns[0].name, copies=counted(copies, tr("warped copy"), tr("warped copies"))
            )
        )
        scale, rotation, translation = job.warp_amounts
        crowns += warped_annotators(crowns[0], copies, scale=scale, rotation=rotation, translation=translation)
    return Labelers(targets, crowns, extent, found[0].working, snapshots[0][1].crs, sentences, copies)
