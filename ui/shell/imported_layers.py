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

#: Key of a page -> label of the button that shows it and starts its run.
_RUN_TEXTS = {
    "score": tr("Score these"),
    "instances": tr("Evaluate these"),
    "annotators": tr("Compare these"),
}
#: Key of a page -> label of the button that imports crowns first.
_IMPORT_TEXTS = {
    "score": tr("Import and score"),
    "instances": tr("Import and evaluate"),
    "annotators": tr("Import and compare"),
}


@dataclass(frozen=True)
class NextPage:
    """A page of the dock with the layers that it selects."""

    key: str  #: Key of the page.
    values: dict[str, Any]  #: Values of the page's parameters by key.

    @property
    def button_text(self) -> str:
        """Label of the button that shows the page and starts its run."""
        return _RUN_TEXTS[self.key]


def import_text(
    roles: Sequence[LayerRole | None], imported: Sequence[QgsVectorLayer], is_in_pixels: bool
) -> str:
    """Return the label of the button that imports crowns and starts a run with them.

    Args:
        roles: Roles of the crowns that are not imported yet.
        imported: Layers that were imported before, which the run takes, too.
        is_in_pixels: True if the crowns are in pixels.

    Returns:
        The label; "" if the crowns cannot be compared with anything after their import.
    """
    all_roles = [*roles, *map(imported_role, imported)]
    has_targets = LayerRole.TARGETS in all_roles
    other_count = sum(role in (LayerRole.ANNOTATOR, LayerRole.DETECTOR) for role in all_roles)
    imported_ids = {layer.id() for layer in imported}
    known_layers = [layer for layer in crown_layers() if layer.id() not in imported_ids]
    if has_targets and not other_count:
        other_count = len(known_layers)
    elif not has_targets and other_count:
        has_targets = guess_target(known_layers) is not None
    key = _page_key(has_targets, other_count, is_in_pixels)
    return "" if key is None else _IMPORT_TEXTS[key]


def _page_key(has_targets: bool, other_count: int, is_in_pixels: bool) -> str | None:
    """Return the key of the page for crowns; None if a second layer is missing.

    Args:
        has_targets: True if there are targets.
        other_count: Number of other layers of crowns.
        is_in_pixels: True if the crowns are in pixels.
    """
    if other_count < (1 if has_targets else 2):
        return None
    if is_in_pixels:
        return "instances"
    return "score" if has_targets else "annotators"


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
    if targets is not None and not others:
        others = [layer for layer in crown_layers() if layer.id() != targets.id()]
    is_in_pixels = is_in_pixel_coordinates(crowns[0] if targets is None else targets)
    key = _page_key(targets is not None, len(others), is_in_pixels)
    if key is None:
        return None
    other_ids = [layer.id() for layer in others]
    if key == "annotators":
        return NextPage(key, {ANNOTATORS.key: other_ids})
    # Page Instances takes two layers; without targets, the first one is taken as true.
    target_id, *prediction_ids = other_ids if targets is None else [targets.id(), *other_ids]
    if key == "score":
        return NextPage(key, {TARGETS.key: target_id, DELINEATIONS.key: prediction_ids})
    values = {INSTANCE_TARGETS.key: target_id, PREDICTIONS.key: prediction_ids[0]}
    return NextPage(key, values)


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
