"""The annotators of a variance experiment: taken on the main thread, checked, read in the background."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext

from randcrowns.algorithms.checks import layer_problem, layers_of_roles, role_problem
from randcrowns.algorithms.choice import Choice, Chosen, Given
from randcrowns.algorithms.choices import ANNOTATORS
from randcrowns.algorithms.tuning.choices import (
    EXTENT,
    FIELD_TARGETS,
    GROUP_FIELD,
    IMAGE,
    WARP_ROTATION,
    WARP_SCALE,
    WARP_TRANSLATION,
    WARPS,
)
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.remarks import Remark, info, note
from randcrowns.core.status import ALL
from randcrowns.core.tuning.wrong_pairs import warped_annotators
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.vector.place import Place, read_place
from randcrowns.layers.vector.read import LayerRequest
from randcrowns.layers.vector.snapshot import LayerSnapshot
from randcrowns.layers.words import tr


@dataclass(frozen=True)
class ExperimentJob:
    """What an experiment needs, taken on the main thread.

    Attributes:
        annotators: their layers, by the names they are shown with.
        chosen: values of all choices but those of annotators and image.
        transform_context: the project's choices of datum transformations.
        remarks: on the choices.
    """

    annotators: dict[str, LayerSnapshot]
    chosen: Chosen
    transform_context: QgsCoordinateTransformContext
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True)
class ReadAnnotators:
    """The crowns in metres.

    Attributes:
        targets: drawn in the field, or None.
        annotators: crowns of each, warped copies included.
        place: they were read from.
        crs: coordinate system of the first layer.
        remarks: on the layers.
        origin: how a finding on warped copies begins.
    """

    targets: Crowns | None
    annotators: list[Crowns]
    place: Place
    crs: QgsCoordinateReferenceSystem
    remarks: list[Remark]
    origin: tuple[Remark, ...] = ()


def take_job(given: Given, choices: Iterable[Choice[Any]], remarks: Iterable[Remark] = ()) -> ExperimentJob:
    """Snapshots and plain values."""
    layers, targets = given[ANNOTATORS], given[FIELD_TARGETS]
    names = unique_names([*([] if targets is None else [targets.name]), *(layer.name() for layer in layers)], [ALL])
    return ExperimentJob(
        annotators=dict(zip(names[-len(layers) :], map(LayerSnapshot.of, layers))),
        chosen=given.chosen(choice for choice in choices if choice not in (ANNOTATORS, IMAGE)),
        transform_context=given.context.transformContext(),
        remarks=tuple(remarks),
    )


def annotator_problem(given: Given, fewest: int) -> str:
    """The first thing that is wrong with the annotators; empty when nothing is.

    Args:
        given: of the run.
        fewest: annotators needed without field targets; with them, and for the copies of a single one, one less.
    """
    layers = given[ANNOTATORS]
    if not layers:
        return nobody_chosen()
    elsewhere = layers_of_roles(given, *FIELD_TARGETS.ids, EXTENT.ids[1])
    problem = next(filter(None, map(layer_problem, [*elsewhere.values(), *layers])), "")
    problem = problem or role_problem(layers, elsewhere)
    if problem:
        return problem
    needed = fewest - (FIELD_TARGETS in given)
    if len(layers) == 1 and 1 + given[WARPS] < needed:
        return tr("One annotator requires at least {number} warped copies, or choose more annotators.").format(
            number=needed - 1
        )
    if 1 < len(layers) < needed:
        return tr(
            "A variance requires two delineations per target: choose at least three annotators, or two and targets "
            "drawn in the field, or only one, of which warped copies are made."
        )
    return ""


def nobody_chosen() -> str:
    """What is said where no annotator is chosen."""
    return tr("Choose the layers of at least one annotator.")


def read_annotators(job: ExperimentJob, progress: Progress = no_progress) -> ReadAnnotators:
    """The crowns of all layers in one system in metres; of a single annotator also the warped copies.

    Raises:
        InputError: if a layer's coordinate system is missing or its coordinates do not belong to it, or if the only
            annotator drew nothing.
    """
    chosen, targets = job.chosen, job.chosen[FIELD_TARGETS]
    snapshots = [*([] if targets is None else [(targets.name, targets)]), *job.annotators.items()]
    requests = [LayerRequest(snapshot, name=name, group_field=chosen[GROUP_FIELD]) for name, snapshot in snapshots]
    place = read_place(requests, job.transform_context, chosen[EXTENT], progress=progress)
    crowns = [layer.crowns for layer in place.layers]
    field = None if targets is None else crowns.pop(0)
    drawn, copies, crs = crowns[0], chosen[WARPS], snapshots[0][1].crs
    if len(crowns) == 1 and not len(drawn):
        raise InputError(
            tr("{name}: there are no crowns in it, of which copies could be made; choose another layer.").format(
                name=drawn.name
            )
        )
    if len(crowns) > 1 or not copies:
        return ReadAnnotators(field, crowns, place, crs, place.remarks)
    crowns += warped_annotators(
        drawn,
        copies,
        scale=chosen[WARP_SCALE],
        rotation=chosen[WARP_ROTATION],
        translation=chosen[WARP_TRANSLATION],
    )
    alone = "There is only one annotator, '{name}', so others are simulated: "
    told = note(
        "annotators.simulated",
        f"{alone}{{count:,}} warped copies of the delineations.",
        one=f"{alone}1 warped copy of the delineations.",
        name=drawn.name,
        count=copies,
    )
    origin = info(
        "finding.origin",
        "From {count:,} warped copies of {name} (no measurement):",
        one="From 1 warped copy of {name} (no measurement):",
        name=drawn.name,
        count=copies,
    )
    return ReadAnnotators(field, crowns, place, crs, [*place.remarks, told], (origin,))
