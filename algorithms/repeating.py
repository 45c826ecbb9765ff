"""The parameters of a run as plain values, so that it can be done again: here, in another project, by a command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsMapLayer,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingUtils,
    QgsProject,
    QgsProperty,
    QgsRectangle,
    QgsReferencedRectangle,
)

from randcrowns.algorithms.choice import Given

#: Providers whose layers are opened by their source alone.
_BY_SOURCE = ("ogr", "gdal")
#: A password in a source, or who logs in at a server before its name.
_SECRET = re.compile(
    r"\b(?:password|pwd)\s*=\s*(?:'(?:[^'\\]|\\.)*'|[^\s;|&]*)|(?<=://)[^/@\s]+:[^/@\s]+@", re.IGNORECASE
)
#: Key of a layer of which only some features were read, in a parameter; the others stand beside it.
_LAYER = "layer"
_MOST = 2**31


@dataclass(frozen=True)
class Input:
    """A layer that a run read: its name, and the source that opens it, empty for one in memory."""

    name: str
    source: str


def inputs_of(given: Given) -> dict[str, Input]:
    """The layers that a run reads, by their id."""
    return {layer.id(): Input(layer.name(), source_of(layer)) for layer in given.inputs()}


def source_of(layer: QgsMapLayer) -> str:
    """What opens a layer again, without a password; empty for one in memory."""
    provider, source = layer.providerType(), _SECRET.sub("", layer.source())
    if provider in ("memory", "virtual"):
        return ""
    return source if provider in _BY_SOURCE else str(QgsProcessingUtils.encodeProviderKeyAndUri(provider, source))


def plain_parameters(given: Given) -> dict[str, Any]:
    """What was given, without outputs, as numbers, texts and lists; a layer by its id."""
    found = {}
    for definition in given.algorithm.parameterDefinitions():
        name = definition.name()
        if given.has(name) and not definition.isDestination():
            found[name] = _plain(given, name, str(definition.type()))
    return found


def _plain(given: Given, name: str, kind: str) -> Any:
    value = given.parameters[name]
    if kind in ("source", "vector"):
        return _features(given, name, value)
    if kind == "multilayer":
        return [layer.id() for layer in given.algorithm.parameterAsLayerList(given.parameters, name, given.context)]
    if kind in ("layer", "raster", "mesh", "pointcloud"):
        layer = given.algorithm.parameterAsLayer(given.parameters, name, given.context)
        return "" if layer is None else layer.id()
    if isinstance(value, QgsProperty):
        value = value.valueAsString(given.context.expressionContext())[0]
    if isinstance(value, QgsRectangle):  # one with a system is such a rectangle too
        corners = ",".join(repr(end) for end in _corners(value))
        return f"{corners} [{_system(value.crs())}]" if isinstance(value, QgsReferencedRectangle) else corners
    if isinstance(value, QgsCoordinateReferenceSystem):
        return _system(value)
    if isinstance(value, (list, tuple)):
        return [one if isinstance(one, (bool, int, float)) else str(one) for one in value]
    return value if isinstance(value, (bool, int, float)) else str(value)


def _features(given: Given, name: str, value: Any) -> Any:
    layer, selected_only = given.source(name)
    if layer is None:
        return ""
    expression = str(getattr(value, "filterExpression", "") or "")
    most = int(getattr(value, "featureLimit", -1))
    if not selected_only and not expression and most < 0:
        return layer.id()
    return {_LAYER: layer.id(), "selected": selected_only, "expression": expression, "most": most}


def _corners(box: QgsRectangle) -> tuple[float, float, float, float]:
    return box.xMinimum(), box.xMaximum(), box.yMinimum(), box.yMaximum()


def _system(crs: QgsCoordinateReferenceSystem) -> str:
    return str(crs.authid() or crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED))


def layers_again(inputs: Mapping[str, Input], project: QgsProject) -> dict[str, str]:
    """Id of an input -> id of the layer that the project has of it: that of the same id, else of the same source."""
    there = project.mapLayers()
    by_source = {source: id_ for id_, layer in there.items() for source in [source_of(layer)] if source}
    found = {name: name if name in there else by_source.get(one.source, "") for name, one in inputs.items()}
    return {name: layer for name, layer in found.items() if layer}


def parameters_again(parameters: Mapping[str, Any], inputs: Mapping[str, Input], project: QgsProject) -> dict[str, Any]:
    """The parameters with the layers that this project has: those of the same id, else of the same source."""
    there = layers_again(inputs, project)
    found = {name: there.get(name, one.source or name) for name, one in inputs.items()}

    def again(value: Any) -> Any:
        if isinstance(value, list):
            return [again(one) for one in value]
        if isinstance(value, dict):
            some = QgsProcessingFeatureSourceDefinition(str(again(value.get(_LAYER))), value.get("selected") is True)
            some.filterExpression, most = str(value.get("expression") or ""), value.get("most")
            some.featureLimit = most if type(most) is int and abs(most) < _MOST else -1
            return some
        return found.get(value, value) if isinstance(value, str) else value

    return {str(name): again(value) for name, value in parameters.items()}


def repeating_command(
    algorithm: str, parameters: Mapping[str, Any], inputs: Mapping[str, Input], outputs: Mapping[str, str]
) -> str:
    """The command for a terminal that does a run again, with what it makes in the files ``outputs``, by id."""
    told = [
        f"{name}={_word(one, inputs)}"
        for name, value in parameters.items()
        for one in (value if isinstance(value, list) else [value])
    ]
    made = [f"{name}={file}" for name, file in outputs.items()]
    return shlex.join(["qgis_process", "run", algorithm, "--", *told, *made])


def _word(value: Any, inputs: Mapping[str, Input]) -> str:
    if isinstance(value, dict):
        value = value.get(_LAYER)
    if isinstance(value, str) and value in inputs:
        return inputs[value].source or inputs[value].name
    return str(value)


def why_not_repeated(parameters: Mapping[str, Any], inputs: Mapping[str, Input]) -> list[str]:
    """Names of the layers that a command cannot read as the run did: in memory, or of which only some were read."""
    partly = [value.get(_LAYER) for value in parameters.values() if isinstance(value, dict)]
    return [one.name for name, one in inputs.items() if not one.source or name in partly]
