"""Parameter type for several numbers to try, such as the values of alpha in a grid search."""

from __future__ import annotations

import math
import re
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
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note

#: Maximum number of values. A range with more of them is taken for a typing error.
MAX_NUMBERS = 20_000
#: Decimal places to which the values of a range are rounded.
_DIGITS = 9
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)


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
            self.name, self.toolbox_label, default=_range_text(self.default)
        ).create_definition()

    def read(self, given: RunParameters) -> tuple[float, ...]:
        """Return the numbers, in the order written and with ranges expanded.

        Raises:
            InputError: if there are none, if one is not a number or outside the limits, or if the
                text contains commas, which may separate numbers or be decimal signs.
        """
        numbers = tuple(
            number for part in self._parts(given) for number in self._expanded_part(part)
        )
        if not numbers:
            raise self._error(
                "values.none",
                "There are no values of {name} to try. Write some, such as 0.1:1.0:0.1.",
            )
        return numbers

    def describe(self, given: RunParameters) -> str:
        """Return the text of the numbers, with the unit."""
        return f"{' '.join(self._parts(given))} {self.unit}".strip()

    def read_plain(self, given: RunParameters) -> tuple[float, float, float]:
        """Return first number, last number and step of the range.

        A single number is a range with itself as first and last number. Several ranges, or
        several numbers, cannot be shown as one range: the result is then the default.
        """
        parts = self._parts(given)
        default: tuple[float, float, float] = self.default
        if len(parts) != 1:
            return default
        numbers = [self._number(text) for text in parts[0].split(":")]
        if len(numbers) > 2:
            return numbers[0], numbers[1], numbers[2]
        return numbers[0], numbers[0], default[2]

    def unreached_end_messages(self, given: RunParameters) -> list[Message]:
        """Return a message for each range whose last number is not a multiple of the step away."""
        messages = []
        for part in self._parts(given):
            if ":" not in part:
                continue
            reached = self._expanded_part(part)[-1]
            last = float(part.split(":")[1])
            if abs(reached - last) > 10**-_DIGITS * max(1.0, last):
                messages.append(
                    note(
                        "grid.untried",
                        "The range '{range}' of {name} ends at {reached:g}: no step leads to "
                        "{last:g}, so {last:g} is not tried.",
                        range=part,
                        name=self.symbol,
                        reached=reached,
                        last=last,
                    )
                )
        return messages

    def to_processing(self, value: Any) -> dict[str, Any]:
        """Return the Processing value of a range, by the id of the parameter."""
        return {self.ids[0]: _range_text(value)}

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
        first, last, step = value
        return max(0, math.floor((last - first) / step + 1e-6) + 1)

    @property
    def _keys(self) -> tuple[str, ...]:
        """Keys in a project of first number, last number and step."""
        return tuple(f"{self.key}_{end}" for end in ("from", "to", "step"))

    def _parts(self, given: RunParameters) -> list[str]:
        """Return the numbers and ranges of the text, still as texts."""
        entered = given.algorithm.parameterAsString(given.raw_values, self.ids[0], given.context)
        entered = entered.strip()
        if "," in entered:
            raise self._error(
                "values.commas",
                "The values of {name} contain commas: '{text}'. Write decimals with a point and "
                "spaces between numbers, such as 0.5 0.7.",
                entered,
            )
        return [part for part in re.split(r"[\s;]+", entered) if part]

    def _expanded_part(self, part: str) -> list[float]:
        """Return the numbers of a range ``first:last:step``, or the one number of a text."""
        if ":" not in part:
            return [self._number(part)]
        if part.count(":") != 2:
            raise self._error(
                "values.not_a_range",
                "'{text}' is not a range of {name}. Write first:last:step, such as 0.1:1.0:0.1.",
                part,
            )
        first, last, step = map(self._number, part.split(":"))
        if step <= 0 or last < first:
            raise self._error(
                "values.empty_range",
                "The range '{text}' of {name} is empty: the step must be above 0 and the last "
                "number not below the first.",
                part,
            )
        if (last - first) / step > MAX_NUMBERS:
            raise self._error(
                "values.too_many_in_range",
                "The range '{text}' of {name} has more than {many:,} values. Take a larger step.",
                part,
            )
        return [
            round(first + number * step, _DIGITS)
            for number in range(self.count_numbers((first, last, step)))
        ]

    def _number(self, text: str) -> float:
        """Return the number that a text stands for.

        Raises:
            InputError: if it is not a number from 0 to the maximum.
        """
        if not _NUMBER.fullmatch(text):
            raise self._error(
                "values.not_a_number",
                "'{text}' is not a value of {name}. Write numbers, or first:last:step.",
                text,
            )
        if not 0 <= float(text) <= self.maximum:
            raise self._error(
                "values.out_of_range",
                "All values of {name} must be from 0 to {most:,.0f}, but {text} is not.",
                text,
            )
        return float(text)

    def _error(self, key: str, template: str, text: str = "") -> InputError:
        """Return an error with the values that the templates of this class name."""
        return InputError(
            key, template, name=self.symbol, text=text, most=self.maximum, many=MAX_NUMBERS
        )


def _range_text(value: tuple[float, float, float]) -> str:
    """Return a range as the text ``first:last:step``, or as one number if it holds no other."""
    first, last, step = value
    return f"{first:.10g}:{last:.10g}:{step:.10g}" if last > first else f"{first:.10g}"
