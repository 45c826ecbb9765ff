"""One layer, one role: nobody is compared with themselves, and a study area is no annotator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qgis.core import QgsMapLayer, QgsProcessingContext

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.layers.words import tr

__all__ = ["layers_of_roles", "role_problem"]


def layers_of_roles(
    algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext, *names: str
) -> dict[str, QgsMapLayer | None]:
    """The layers of these parameters where they are given, by what the user calls the parameter."""
    return {
        algorithm.parameterDefinition(name).description(): algorithm.layer_of(parameters, name, context)[0]
        for name in names
        if parameters.get(name) not in (None, "")
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
