"""The annotators of a variance experiment: taken on the main thread, checked, read in the background."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext, QgsProcessingContext

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.algorithms.checks import layer_problem, layers_of_roles, role_problem
from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.choices import extent_of
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.remarks import Remark, info, note
from randcrowns.core.status import ALL
from randcrowns.core.tuning.wrong_pairs import warped_annotators
from randcrowns.layers.vector.extent import ExtentChoice
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.vector.place import LayerRequest, Place, read_place
from randcrowns.layers.vector.snapshot import LayerSnapshot
from randcrowns.layers.words import tr

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


@dataclass(frozen=True)
class Labelers:
    """The crowns as core takes them, the place they were read from, and what was odd."""

    targets: Crowns | None
    annotators: list[Crowns]
    place: Place
    crs: QgsCoordinateReferenceSystem
    remarks: list[Remark]
    #: How a finding on warped copies begins.
    origin: tuple[Remark, ...] = ()


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
    snapshots = [*([] if job.targets is None else [(job.targets.name, job.targets)]), *job.annotators.items()]
    requests = [LayerRequest(snapshot, name=name, group_field=job.group_field) for name, snapshot in snapshots]
    place = read_place(requests, job.transform_context, job.extent, progress=progress)
    crowns = [layer.crowns for layer in place.layers]
    targets = crowns.pop(0) if job.targets is not None else None
    crs = snapshots[0][1].crs
    drawn = crowns[0]
    if len(crowns) == 1 and not len(drawn):
        raise InputError(
            tr("{name}: there are no crowns in it, of which copies could be made; choose another layer.").format(
                name=drawn.name
            )
        )
    if len(crowns) > 1 or not job.warps:
        return Labelers(targets, crowns, place, crs, place.remarks)
    scale, rotation, translation = job.warp_amounts
    crowns += warped_annotators(drawn, job.warps, scale=scale, rotation=rotation, translation=translation)
    values = {"name": drawn.name, "count": job.warps}
    alone = "There is only one annotator, '{name}', so others are simulated: "
    told = note(
        "annotators.simulated",
        f"{alone}{{count:,}} warped copies of the drawing.",
        one=f"{alone}1 warped copy of the drawing.",
        **values,
    )
    origin = info(
        "finding.origin",
        "From {count:,} warped copies of {name} (no measurement):",
        one="From 1 warped copy of {name} (no measurement):",
        **values,
    )
    return Labelers(targets, crowns, place, crs, [*place.remarks, told], (origin,))
