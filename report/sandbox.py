"""Sandbox of the templates of reports, in which no expression can take much memory or time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from jinja2.exceptions import SecurityError
from jinja2.filters import FILTERS
from jinja2.sandbox import SandboxedEnvironment

#: Maximum length of a text or list that an operation makes, and of the ranges of a template.
MAX_LENGTH = 1_000_000
#: Maximum number of bits of a power.
_MAX_BITS = 10_000
#: Methods of texts whose result may be far longer than the text.
_LENGTHENING_METHODS = frozenset(
    ("center", "ljust", "rjust", "zfill", "expandtabs", "format", "format_map")
)
#: Filters with a width or number of items as first argument.
_FILTERS_WITH_WIDTH = ("center", "batch", "slice", "indent")
#: Width in a format, such as %10d, of at least five digits or from an argument.
_LARGE_WIDTH = re.compile(r"\d{5}|\*")


class TemplateSandbox(SandboxedEnvironment):
    """Environment of Jinja2 whose templates cannot reach Python or make huge values.

    Args:
        **options: options of the environment of Jinja2.
    """

    intercepted_binops = frozenset(("*", "**", "%"))

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._range_length = 0
        self.globals["range"] = self._limited_range
        del self.globals["lipsum"]
        for name in _FILTERS_WITH_WIDTH:
            self.filters[name] = _limit_width(name)
        self.filters["format"] = _limited_format

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute of an object; undefined if a template may not read it."""
        if isinstance(obj, str) and attribute in _LENGTHENING_METHODS:
            return self.unsafe_undefined(obj, attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return an item or attribute of an object; undefined if a template may not read it."""
        if isinstance(obj, str) and argument in _LENGTHENING_METHODS:
            return self.unsafe_undefined(obj, argument)
        return super().getitem(obj, argument)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Return the result of an operation; raise SecurityError if it would be huge."""
        if operator == "*":
            _check_length(_product_length(left, right))
        elif operator == "**" and isinstance(left, int) and isinstance(right, int):
            _check_length(left.bit_length() * abs(right) // _MAX_BITS * MAX_LENGTH)
        elif operator == "%" and isinstance(left, str):
            return _limited_format(left, right)
        return super().call_binop(context, operator, left, right)

    def _limited_range(self, *arguments: int) -> range:
        """Return a range; all ranges of a template together are limited."""
        numbers = range(*arguments)
        self._range_length += min(len(numbers), MAX_LENGTH + 1)
        _check_length(self._range_length)
        return numbers


def _product_length(left: Any, right: Any) -> int:
    """Return the length of the product of a text or list with a number; 0 for two numbers."""
    for sequence, number in ((left, right), (right, left)):
        if isinstance(sequence, (str, bytes, list, tuple)) and isinstance(number, int):
            return len(sequence) * number
    return 0


def _limit_width(name: str) -> Any:
    """Return a filter of Jinja2 that refuses large widths."""
    filter_function = FILTERS[name]

    def limited(value: Any, width: int = 4, *arguments: Any, **options: Any) -> Any:
        if isinstance(width, int):
            _check_length(width)
        return filter_function(value, width, *arguments, **options)

    return limited


def _limited_format(text: str, *values: Any, **named_values: Any) -> str:
    """Return a text with values, as the operator ``%`` of Python inserts them.

    Raises:
        SecurityError: if the text has a large width, or one from a value.
    """
    if _LARGE_WIDTH.search(text):
        _check_length(MAX_LENGTH + 1)
    if named_values:
        return text % named_values
    is_single = len(values) == 1 and isinstance(values[0], (tuple, Mapping))
    return text % (values[0] if is_single else values)


def _check_length(length: int) -> None:
    """Raise SecurityError if a text, list or loop of a template would be too long."""
    if length > MAX_LENGTH:
        raise SecurityError(f"a text, list or loop is longer than {MAX_LENGTH:,}")
