"""The page of the dock that suits imported layers, by the roles that the user gave them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qgis.core import QgsVectorLayer

from randcrowns.algorithms.agreement.schema.parameters import ANNOTATORS
from randcrowns.algorithms.common_parameters import TARGETS
from randcrowns.algorithms.instances.schema.parameters import PREDICTIONS
from randcrowns.algorithms.instances.schema.parameters import TARGETS as INSTANCE_TARGETS
from randcrowns.algorithms.scoring.schema.parameters import DELINEATIONS
from randcrowns.layers.localization import tr
from randcrowns.layers.raster.grid import is_in_pixel_coordinates
from randcrowns.layers.vector.guesses import (
    LayerRole,
    crown_layers,
    guess_target,
    imported_role,
    is_study_area,
)


@dataclass(frozen=True)
class NextPage:
    """A page of the dock with the layers that it selects."""

    key: str  #: Key of the page.
    button_text: str  #: Label of the button that shows the page and starts its run.
    values: dict[str, Any]  #: Values of the page's parameters by key.


def next_page(imported: Sequence[QgsVectorLayer]) -> NextPage | None:
    """Return the page for imported layers; None if a second layer is missing.

    Crowns are scored against imported targets, or else against the targets of the project. Crowns
    of several annotators are compared if the project has nothing else. Crowns in pixels are
    evaluated, because only page Instances has measures without lengths in metres. Study areas are
    not compared; pages with a study area preset it themselves.

    Args:
        imported: Imported layers.
    """
    crowns = [layer for layer in imported if not is_study_area(layer)]
    if not crowns:
        return None
    others = [layer for layer in crowns if imported_role(layer) is not LayerRole.TARGETS]
    targets = _find_targets(crowns, [layer.id() for layer in others])
    if targets is not None:
        if not others:
            others = [layer for layer in crown_layers() if layer.id() != targets.id()]
        return _scoring_of(targets, others) if others else None
    if len(others) < 2:  # a comparison needs two layers
        return None
    if is_in_pixel_coordinates(others[0]):
        return _evaluation_of(targets=others[0], predictions=others[1])
    annotator_ids = [layer.id() for layer in others]
    return NextPage("annotators", tr("Compare these"), {ANNOTATORS.key: annotator_ids})


def _scoring_of(targets: QgsVectorLayer, others: Sequence[QgsVectorLayer]) -> NextPage:
    """Return the page that scores crowns: page Score, or page Instances for crowns in pixels.

    Args:
        targets: The layer of targets.
        others: The layers that are compared with them, at least one; page Instances takes the
            first one.
    """
    if is_in_pixel_coordinates(targets):
        return _evaluation_of(targets, predictions=others[0])
    other_ids = [layer.id() for layer in others]
    values = {TARGETS.key: targets.id(), DELINEATIONS.key: other_ids}
    return NextPage("score", tr("Score these"), values)


def _evaluation_of(targets: QgsVectorLayer, predictions: QgsVectorLayer) -> NextPage:
    """Return page Instances with two layers of crowns.

    Args:
        targets: The layer of targets.
        predictions: The layer that is compared with them.
    """
    values = {INSTANCE_TARGETS.key: targets.id(), PREDICTIONS.key: predictions.id()}
    return NextPage("instances", tr("Evaluate these"), values)


def _find_targets(
    imported: Sequence[QgsVectorLayer], other_ids: Sequence[str]
) -> QgsVectorLayer | None:
    """Return the imported targets, or the targets of the project, or None.

    Args:
        imported: Imported layers.
        other_ids: Ids of imported layers that are no targets.
    """
    for layer in imported:
        if imported_role(layer) is LayerRole.TARGETS:
            return layer
    return guess_target([layer for layer in crown_layers() if layer.id() not in other_ids])
