"""What cannot work, found before a run begins, each told in a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qgis.core import QgsMapLayer, QgsVectorLayer

from randcrowns.algorithms.choice import Given
from randcrowns.core.errors import RandCrownsError
from randcrowns.layers.compat import is_polygon_layer
from randcrowns.layers.vector.crs import check_crs
from randcrowns.layers.words import tr


def layer_problem(layer: Any) -> str:
    """Why crowns cannot be read from the layer."""
    if layer is None:
        return ""
    if not isinstance(layer, QgsVectorLayer) or not layer.isValid() or not is_polygon_layer(layer):
        return tr("Layer '{name}' holds no polygons that can be read; crowns must be polygons.").format(
            name=layer.name()
        )
    try:
        check_crs(layer.name(), layer.crs())
    except RandCrownsError as error:
        return str(error)
    return ""


def layers_of_roles(given: Given, *names: str) -> dict[str, QgsMapLayer | None]:
    """The layers of these parameters where they are given, by what the user calls the parameter."""
    algorithm = given.algorithm
    return {
        algorithm.parameterDefinition(name).description(): algorithm.layer_of(given.parameters, name, given.context)[0]
        for name in names
        if given.parameters.get(name) not in (None, "")
    }


def role_problem(annotators: Sequence[QgsMapLayer], elsewhere: Mapping[str, QgsMapLayer | None]) -> str:
    """Which layer stands twice, in a sentence; empty when none does.

    Args:
        annotators: the annotators' layers.
        elsewhere: layers with another role, by its name as the user reads it.
    """
    for number, layer in enumerate(annotators):
        for other in annotators[:number]:
            if _same(layer, other):
                names = f"'{other.name()}'" if layer.name() == other.name() else f"'{other.name()}', '{layer.name()}'"
                return tr("The same layer stands twice among the annotators ({names}); choose it once.").format(
                    names=names
                )
        for role, other_layer in elsewhere.items():
            if other_layer is not None and _same(layer, other_layer):
                return tr(
                    "Layer '{name}' is chosen as an annotator and as '{role}', and can only be one of them: take it "
                    "off the annotators, or choose another layer there."
                ).format(name=layer.name(), role=role)
    return ""


def _same(one: QgsMapLayer, other: QgsMapLayer) -> bool:
    """Whether both show the same rows of the same table; layers in memory have no source to go by."""
    if one.id() == other.id():
        return True
    return one.providerType() != "memory" and (one.providerType(), one.source()) == (
        other.providerType(),
        other.source(),
    )
