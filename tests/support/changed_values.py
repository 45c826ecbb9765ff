"""Values of parameters that are not their defaults."""

from __future__ import annotations

from typing import Any

from randcrowns.algorithms.layer_parameters import AreaParameter, AreaValue
from randcrowns.algorithms.parameter_types import (
    BooleanParameter,
    NumericParameter,
    OptionParameter,
    Parameter,
)

__all__ = ["changed_value"]


def changed_value(parameter: Parameter[Any]) -> Any:
    """Return a plain value of a parameter that is not its default; "plot" for a text or field."""
    if isinstance(parameter, BooleanParameter):
        return not parameter.default
    if isinstance(parameter, OptionParameter):
        return next(key for key in parameter.keys if key != parameter.default)
    if isinstance(parameter, NumericParameter):
        return (parameter.default + min(parameter.maximum, parameter.default + 2)) / 2
    if isinstance(parameter, AreaParameter):
        return AreaValue("layer", layer="plots_1")
    return "plot"
