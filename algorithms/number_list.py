"""Parameter type for several numbers to try, such as the values of alpha in a grid search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qgis.core import QgsProcessingParameterDefinition

from randcrowns.algorithms.parameter_types import (
    Parameter,
    RunParameters,
    TextParameter,
    append_in_brackets,
    restore_number,
)
from randcrowns.core.messages import Message
from randcrowns.core.tuning.ranges import MAX_NUMBERS, NumberRanges, count_numbers, range_text
from randcrowns.report.language import append_unit


@dataclass(frozen=True, eq=False)
class NumberListParameter(Parameter["tuple[float, ...]"]):
    """Parameter with several numbers.

    In the toolbox the numbers are a text: numbers separated by spaces or semicolons, and
    ``first:last:step`` for a range. The plain value, which a form shows and a project stores, is
    one range: a tuple of first number, last number and step.
    """

    symbol: str = ""  #: name of the numbers in messages, such as ``alpha``.
    maximum: float = 1e6  #: maximum of a number; the minimum is 0.
    unit: str = ""  #: unit of the numbers, such as ``m``; empty for a ratio.
    decimals: int = 2  #: decimal places in the dock.
    step: float = 0.1  #: step of the spin box in the dock.

    @property
    def toolbox_label(self) -> str:
        """Label in the toolbox, with the unit."""
        return append_in_brackets(self.label, self.unit)

    @property
    def minimums(self) -> tuple[float, float, float]:
        """Minimum of the first number, of the last number and of the step."""
        return 0.0, 0.0, 10**-self.decimals

    def create_definition(self) -> QgsProcessingParameterDefinition:
        """Return the Processing parameter, a text."""
        return TextParameter(
            self.name, self.toolbox_label, default=range_text(self.default)
        ).create_definition()

    def read(self, run_parameters: RunParameters) -> tuple[float, ...]:
        """Return the numbers, in the order written and with ranges expanded.

        Raises:
            InputError: if there are none, if one is not a number or outside the limits, or if the
                text contains commas, which may separate numbers or be decimal signs.
        """
        return self._ranges.parse(self._format_numbers(run_parameters))

    def describe_value(self, run_parameters: RunParameters) -> str:
        """Return the text of the numbers, with the unit."""
        numbers = self._ranges.split(self._format_numbers(run_parameters))
        return append_unit(" ".join(numbers), self.unit)

    def read_plain(self, run_parameters: RunParameters) -> tuple[float, float, float]:
        """Return first number, last number and step of the range.

        A single number is a range with itself as first and last number. Several ranges, or
        several numbers, cannot be shown as one range: the result is then the default.
        """
        parts = self._ranges.split(self._format_numbers(run_parameters))
        default: tuple[float, float, float] = self.default
        if len(parts) != 1:
            return default
        numbers = [self._ranges.number(text) for text in parts[0].split(":")]
        if len(numbers) > 2:
            return numbers[0], numbers[1], numbers[2]
        return numbers[0], numbers[0], default[2]

    def unreached_end_messages(self, run_parameters: RunParameters) -> list[Message]:
        """Return a message for each range whose last number is not a multiple of the step away."""
        return self._ranges.unreached_end_messages(self._format_numbers(run_parameters))

    def to_processing(self, value: Any) -> dict[str, Any]:
        """Return the Processing value of a range, by the id of the parameter."""
        return {self.id: range_text(value)}

    def to_project(self, value: Any) -> dict[str, Any]:
        """Return first number, last number and step of a range, by their keys in a project."""
        return dict(zip(self._keys, value))

    def from_project(self, stored: Mapping[str, Any]) -> Any:
        """Return the range that a project stores; its numbers are limited to what is allowed."""
        return tuple(
            restore_number(stored.get(key), default, least, self.maximum)
            for key, default, least in zip(self._keys, self.default, self.minimums)
        )

    @staticmethod
    def count_numbers(value: tuple[float, float, float]) -> int:
        """Return the number of values in a range of first number, last number and step."""
        return count_numbers(value)

    @property
    def _keys(self) -> tuple[str, ...]:
        """Keys in a project of first number, last number and step."""
        return tuple(f"{self.key}_{end}" for end in ("from", "to", "step"))

    @property
    def _ranges(self) -> NumberRanges:
        """Reader of the text with the numbers."""
        return NumberRanges(self.symbol, self.maximum)

    def _format_numbers(self, run_parameters: RunParameters) -> str:
        """Return the text with the numbers."""
        return str(
            run_parameters.algorithm.parameterAsString(
                run_parameters.raw_values, self.id, run_parameters.context
            )
        )


__all__ = ["MAX_NUMBERS", "NumberListParameter"]
