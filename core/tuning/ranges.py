"""Numbers to try in a grid search, written as text: single numbers and ranges."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note

#: Maximum number of values. A range with more of them is taken for a typing error.
MAX_NUMBERS = 20_000
#: Decimal places to which the values of a range are rounded.
_DIGITS = 9
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class NumberRanges:
    """Numbers of one parameter, written as numbers and ranges ``first:last:step``.

    Attributes:
        name: name of the numbers in messages, such as ``alpha``.
        maximum: maximum of a number; the minimum is 0.

    >>> NumberRanges("alpha", 10.0).parse("0.5 1:2:0.5")
    (0.5, 1.0, 1.5, 2.0)
    """

    name: str
    maximum: float

    def parse(self, text: str) -> tuple[float, ...]:
        """Return the numbers in a text, in the order written and with ranges expanded.

        Args:
            text: numbers and ranges, separated by spaces or semicolons.

        Raises:
            InputError: if there are none, if one is not a number or outside the limits, or if the
                text contains commas, which may separate numbers or be decimal signs.
        """
        numbers: list[float] = []
        for part in self.split(text):
            numbers += self.expand(part)
        if not numbers:
            raise self._error(
                "values.none",
                "There are no values of {name} to try. Write some, such as 0.1:1.0:0.1.",
            )
        return tuple(numbers)

    def split(self, text: str) -> list[str]:
        """Return the numbers and ranges in a text, still as texts."""
        entered = text.strip()
        if "," in entered:
            raise self._error(
                "values.commas",
                "The values of {name} contain commas: '{text}'. Write decimals with a point and "
                "spaces between numbers, such as 0.5 0.7.",
                entered,
            )
        return [part for part in re.split(r"[\s;]+", entered) if part]

    def expand(self, part: str) -> list[float]:
        """Return the numbers of a range ``first:last:step``, or the one number of a text."""
        if ":" not in part:
            return [self.number(part)]
        if part.count(":") != 2:
            raise self._error(
                "values.not_a_range",
                "'{text}' is not a range of {name}. Write first:last:step, such as 0.1:1.0:0.1.",
                part,
            )
        first, last, step = [self.number(text) for text in part.split(":")]
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
        n_numbers = count_numbers((first, last, step))
        return [round(first + number * step, _DIGITS) for number in range(n_numbers)]

    def unreached_end_messages(self, text: str) -> list[Message]:
        """Return a message for each range whose last number is not a multiple of the step away."""
        messages = []
        for part in self.split(text):
            if ":" not in part:
                continue
            reached = self.expand(part)[-1]
            last = float(part.split(":")[1])
            if abs(reached - last) > 10**-_DIGITS * max(1.0, last):
                messages.append(
                    note(
                        "grid.untried",
                        "The range '{range}' of {name} ends at {reached:g}: no step leads to "
                        "{last:g}, so {last:g} is not tried.",
                        range=part,
                        name=self.name,
                        reached=reached,
                        last=last,
                    )
                )
        return messages

    def number(self, text: str) -> float:
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
            key, template, name=self.name, text=text, most=self.maximum, many=MAX_NUMBERS
        )


def count_numbers(limits: Sequence[float]) -> int:
    """Return the number of values in a range of first number, last number and step.

    >>> count_numbers((0.1, 1.0, 0.1))
    10
    """
    first, last, step = limits
    return max(0, math.floor((last - first) / step + 1e-6) + 1)


def range_text(limits: Sequence[float]) -> str:
    """Return a range as the text ``first:last:step``, or as one number if it holds no other.

    >>> range_text((0.1, 1.0, 0.1)), range_text((2.0, 2.0, 1.0))
    ('0.1:1:0.1', '2')
    """
    first, last, step = limits
    return f"{first:.10g}:{last:.10g}:{step:.10g}" if last > first else f"{first:.10g}"
