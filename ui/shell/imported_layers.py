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
    evaluated, because only page Instances has measures without lengths in metres.

    Args:
        imported: Imported layers of crowns.
    """
    others = [layer for layer in imported if imported_role(layer) is not LayerRole.TARGETS]
    other_ids = [layer.id() for layer in others]
    targets = _find_targets(imported, other_ids)
    if targets is not None:
        if not others:
            others = [layer for layer in crown_layers() if layer.id() != targets.id()]
            other_ids = [layer.id() for layer in others]
        if not others:
            return None
        if is_in_pixel_coordinates(targets):
            return _evaluation_of(targets, others[0])
        values = {TARGETS.key: targets.id(), DELINEATIONS.key: other_ids}
        return NextPage("score", tr("Score these"), values)
    if len(others) > 1:
        if is_in_pixel_coordinates(others[0]):
            return _evaluation_of(others[0], others[1])
        return NextPage("annotators", tr("Compare these"), {ANNOTATORS.key: other_ids})
    return None


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
