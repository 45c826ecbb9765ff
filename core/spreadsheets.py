"""Texts in CSV that a spreadsheet would take for formulas.

A spreadsheet computes a cell that begins with ``=``, ``+``, ``-`` or ``@``, also in a CSV file. A
formula in a name from another person's file can run commands and send data. An apostrophe before
the text prevents this (OWASP, "CSV Injection").
"""

from __future__ import annotations

import re
from typing import Any, cast

import pandas as pd

__all__ = ["escape_formula", "escape_formulas", "is_formula"]

#: First characters of a formula, also in the full width of East Asian keyboards. A spreadsheet
#: skips a tab or a line break before it.
_FIRST_CHARACTERS = (
    *("=", "+", "-", "@", "\t", "\r", "\n"),
    *("\uff1d", "\uff0b", "\uff0d", "\uff20"),
)
#: Number with a sign, which a spreadsheet reads as a number.
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?\s?%?", re.IGNORECASE)


def is_formula(cell: str) -> bool:
    """Return True if a spreadsheet would take the text of a cell for a formula.

    >>> is_formula("=1+1"), is_formula("-oak"), is_formula("-0.5"), is_formula("oak")
    (True, True, False, False)
    """
    return cell.startswith(_FIRST_CHARACTERS) and not _NUMBER.fullmatch(cell)


def escape_formula(value: Any) -> Any:
    """Return a text that stays a text in a spreadsheet; any other value unchanged.

    >>> escape_formula("=1+1"), escape_formula("oak"), escape_formula(-1)
    ("'=1+1", 'oak', -1)
    """
    return f"'{value}" if isinstance(value, str) and is_formula(value) else value


def escape_formulas(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a copy of a table whose texts and column names stay texts in a spreadsheet.

    >>> escape_formulas(pd.DataFrame({"name": ["@oak", None], "score": [-1.0, 2.0]}))["name"][0]
    "'@oak"
    """
    if frame.shape[1] == 0:
        return cast("pd.DataFrame", frame.copy())
    escaped_columns = []
    # Columns are read by position, because names can occur twice.
    for position in range(frame.shape[1]):
        column = frame.iloc[:, position]
        if not pd.api.types.is_numeric_dtype(column):
            column = column.map(escape_formula)
        escaped_columns.append(column)
    escaped: pd.DataFrame = pd.concat(escaped_columns, axis=1)
    escaped.columns = pd.Index([escape_formula(name) for name in frame.columns])
    return escaped
