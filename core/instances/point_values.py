"""Values of points that are written as text: those that mean no tree, and points to leave out."""

from __future__ import annotations

import re

from randcrowns.core.errors import InputError
from randcrowns.core.instances.no_tree_values import NoTreeValues


def parse_no_tree_values(number: int, text: str) -> NoTreeValues:
    """Return a number and the integers in a text, each once and in ascending order.

    Without a text, further values are found from the points.

    Args:
        number: value that means no tree.
        text: further values that mean no tree, separated by spaces, commas or semicolons.

    Raises:
        InputError: if a part of the text is no integer.

    >>> parse_no_tree_values(0, "9999, -1")
    NoTreeValues(values=(-1, 0, 9999), finds_further=False)
    """
    parts = _split(text)
    values = {number}
    for part in parts:
        try:
            values.add(int(part))
        except ValueError:
            raise InputError(
                "cloud.no_tree_value_not_integer",
                "'{part}' is not a value that can mean no tree. Write whole numbers, such as 0 "
                "9999.",
                part=part,
            ) from None
    return NoTreeValues(tuple(sorted(values)), finds_further=not parts)


def parse_no_tree_values_of_both(
    numbers: tuple[int, int], texts: tuple[str, str]
) -> tuple[NoTreeValues, NoTreeValues]:
    """Return all values that mean no tree, of the targets and of the predictions.

    Args:
        numbers: value that means no target, and value that means no predicted tree.
        texts: further values of both; that of the predictions is the targets' if it is empty.

    Returns:
        Values of each side.

    Raises:
        InputError: if a further value is no integer.

    >>> parse_no_tree_values_of_both((-1, 0), ("9999", ""))[1].values
    (0, 9999)
    """
    target_text, prediction_text = texts
    return (
        parse_no_tree_values(numbers[0], target_text),
        parse_no_tree_values(numbers[1], prediction_text or target_text),
    )


def parse_left_out(text: str) -> dict[str, list[float]]:
    """Return the values of points to leave out, by attribute.

    Args:
        text: attributes and values such as ``classification=7+18 withheld=1``.

    Raises:
        InputError: if a part of the text is not an attribute with values.

    >>> parse_left_out("classification=7+18 withheld=1")
    {'classification': [7.0, 18.0], 'withheld': [1.0]}
    """
    values_of: dict[str, list[float]] = {}
    for part in _split(text):
        name, _, values = part.rpartition("=")
        try:
            numbers = [float(value) for value in values.split("+")]
        except ValueError:
            numbers = []
        if not name or not numbers:
            raise InputError(
                "cloud.left_out_without_values",
                "'{part}' does not say which points to leave out. Write an attribute and values, "
                "such as classification=7+18.",
                part=part,
            )
        values_of.setdefault(name, []).extend(numbers)
    return values_of


def _split(text: str) -> list[str]:
    """Return the parts of a text between spaces, commas and semicolons."""
    return re.findall(r"[^\s,;]+", text)
