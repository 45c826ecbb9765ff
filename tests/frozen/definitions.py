"""All that programs can depend on in what the algorithms declare, as plain values; labels and
help are free.
"""

from __future__ import annotations

from typing import Any

from qgis.core import (
    QgsProcessingAlgorithm,
    QgsProcessingOutputDefinition,
    QgsProcessingParameterDefinition,
)
from qgis.PyQt.QtCore import QVariant

__all__ = ["definitions"]

_FLAGS = {"advanced": "FlagAdvanced", "hidden": "FlagHidden", "optional": "FlagOptional"}
#: What parameters of one kind or another say of themselves; those that have no such method leave it
#: out.
_FACTS = (
    *(
        "minimum",
        "maximum",
        "dataType",
        "dataTypes",
        "allowMultiple",
        "usesStaticStrings",
        "multiLine",
    ),
    *(
        "parentLayerParameterName",
        "defaultToAllFields",
        "layerType",
        "minimumNumberInputs",
        "geometryTypes",
    ),
    *(
        "createByDefault",
        "supportsNonFileBasedOutput",
        "isDestination",
        "hasGeometry",
        "defaultFileExtension",
    ),
    *("extension", "behavior"),
)


def definitions(provider: Any) -> dict[str, Any]:
    """Per algorithm its parameters and outputs, in order, without words."""
    return {algorithm.name(): _algorithm(algorithm) for algorithm in provider.algorithms()}


def _algorithm(algorithm: QgsProcessingAlgorithm) -> dict[str, Any]:
    parameters, outputs = algorithm.parameterDefinitions(), algorithm.outputDefinitions()
    return {
        "": {
            "group_id": algorithm.groupId(),
            "parameters": [parameter.name() for parameter in parameters],
            "outputs": [output.name() for output in outputs],
        },
        **{parameter.name(): _parameter(parameter) for parameter in parameters},
        **{f"output {output.name()}": _output(output) for output in outputs},
    }


def _parameter(parameter: QgsProcessingParameterDefinition) -> dict[str, Any]:
    kind = QgsProcessingParameterDefinition.Flag
    found = {
        "class": type(parameter).__name__,
        "type": parameter.type(),
        "default": _plain(parameter.defaultValue()),
        **{name: bool(parameter.flags() & getattr(kind, flag)) for name, flag in _FLAGS.items()},
        **{fact: _plain(getattr(parameter, fact)()) for fact in _FACTS if hasattr(parameter, fact)},
    }
    if hasattr(parameter, "options"):
        found["number of options"] = len(parameter.options())
        if parameter.usesStaticStrings():
            found["options"] = list(parameter.options())
    return found


def _output(output: QgsProcessingOutputDefinition) -> dict[str, Any]:
    facts = {"class": type(output).__name__, "type": output.type()}
    if hasattr(output, "dataType"):
        facts["dataType"] = _plain(output.dataType())
    return facts


def _plain(value: Any) -> Any:
    """A number, a text or a list of them; members of enumerations as their number."""
    if value is None or (isinstance(value, QVariant) and value.isNull()):
        return None
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    value = getattr(value, "value", value)
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, float):
        return repr(value)
    return int(value) if isinstance(value, int) else str(value)
