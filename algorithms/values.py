"""A choice of several numbers to try; see :mod:`randcrowns.algorithms.choice`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qgis.core import QgsProcessingParameterDefinition

from randcrowns.algorithms.choice import Choice, Given, Text, in_brackets, number_in
from randcrowns.core.errors import InputError
from randcrowns.core.remarks import Remark, note

#: More values than this are surely a slip of the finger.
MOST_VALUES = 20_000
#: Decimal places to which the values of a range are rounded.
_DIGITS = 9
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, eq=False)
class Values(Choice["tuple[float, ...]"]):
    """Several numbers. The plain value is one range: its first and last number, and the step.

    In the toolbox they are a text: numbers between blanks or semicolons, and ``first:last:step`` for a range.
    """

    symbol: str = ""  #: what sentences call them, as ``alpha``.
    most: float = 1e6  #: the largest number; the smallest is 0.
    unit: str = ""  #: of the numbers, as ``m``; nothing for a ratio.
    digits: int = 2  #: decimal places in the dock.
    step: float = 0.1  #: of the arrows in the dock.

    @property
    def described(self) -> str:
        return in_brackets(self.label, self.unit)

    @property
    def least(self) -> tuple[float, float, float]:
        """Smallest first number, last number and step."""
        return 0.0, 0.0, 10**-self.digits

    def definition(self) -> QgsProcessingParameterDefinition:
        return Text(self.name, self.described, default=_written(self.default)).definition()

    def read(self, given: Given) -> tuple[float, ...]:
        """The numbers; commas, which some write between numbers and others within, are refused."""
        found = tuple(value for part in self._parts(given) for value in self._values(part))
        if not found:
            raise self._error(
                "There are no values of {name} to try; write some, such as 0.1:1.0:0.1."
            )
        return found

    def words(self, given: Given) -> str:
        return f"{' '.join(self._parts(given))} {self.unit}".strip()

    def plain(self, given: Given) -> tuple[float, float, float]:
        """The one range; the default of several, and of numbers one by one."""
        parts = self._parts(given)
        default: tuple[float, float, float] = self.default
        if len(parts) != 1:
            return default
        first, *others = map(self._number, parts[0].split(":"))
        return (first, others[0], others[1]) if len(others) > 1 else (first, first, default[2])

    def untried(self, given: Given) -> list[Remark]:
        """A remark on each range whose last number no step leads to."""
        said = "The range '{range}' of {name} ends at {reached:g}: no step leads to {last:g}, so it is not tried."
        told = []
        for part in self._parts(given):
            if ":" in part:
                reached, last = self._values(part)[-1], float(part.split(":")[1])
                if abs(reached - last) > 10**-_DIGITS * max(1.0, last):
                    told.append(
                        note(
                            "grid.untried",
                            said,
                            range=part,
                            name=self.symbol,
                            reached=reached,
                            last=last,
                        )
                    )
        return told

    def to_parameters(self, value: Any) -> dict[str, Any]:
        return {self.ids[0]: _written(value)}

    def to_kept(self, value: Any) -> dict[str, Any]:
        return dict(zip(self._keys, value))

    def taken_up(self, kept: Mapping[str, Any]) -> Any:
        return tuple(
            number_in(kept.get(key), default, least, self.most)
            for key, default, least in zip(self._keys, self.default, self.least)
        )

    @staticmethod
    def count(value: tuple[float, float, float]) -> int:
        """How many numbers a range has."""
        first, last, step = value
        return max(0, math.floor((last - first) / step + 1e-6) + 1)

    @property
    def _keys(self) -> tuple[str, ...]:
        return tuple(f"{self.key}_{end}" for end in ("from", "to", "step"))

    def _parts(self, given: Given) -> list[str]:
        text = given.algorithm.parameterAsString(
            given.parameters, self.ids[0], given.context
        ).strip()
        if "," in text:
            said = (
                "The values of {name} have commas: '{text}'. Write decimals with a point and spaces between numbers, "
                "such as 0.5 0.7."
            )
            raise self._error(said, text)
        return [part for part in re.split(r"[\s;]+", text) if part]

    def _values(self, part: str) -> list[float]:
        if ":" not in part:
            return [self._number(part)]
        if part.count(":") != 2:
            raise self._error(
                "'{text}' is no range of {name}; write first:last:step, such as 0.1:1.0:0.1.", part
            )
        first, last, step = map(self._number, part.split(":"))
        if step <= 0 or last < first:
            said = "The range '{text}' of {name} leads nowhere: the step must be above 0 and the last not below the first."
            raise self._error(said, part)
        if (last - first) / step > MOST_VALUES:
            said = "The range '{text}' of {name} has more than {many:,} values; take a larger step."
            raise self._error(said, part)
        return [
            round(first + number * step, _DIGITS)
            for number in range(self.count((first, last, step)))
        ]

    def _number(self, text: str) -> float:
        if not _NUMBER.fullmatch(text):
            raise self._error(
                "'{text}' is no value of {name}; write numbers, or first:last:step.", text
            )
        if not 0 <= float(text) <= self.most:
            raise self._error(
                "All values of {name} must be from 0 to {most:,.0f}, but there is {text}.", text
            )
        return float(text)

    def _error(self, said: str, text: str = "") -> InputError:
        return InputError(said, name=self.symbol, text=text, most=self.most, many=MOST_VALUES)


def _written(value: tuple[float, float, float]) -> str:
    first, last, step = value
    return f"{first:.10g}:{last:.10g}:{step:.10g}" if last > first else f"{first:.10g}"
