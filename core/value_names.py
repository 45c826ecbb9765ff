"""Names of plots, annotators and classes: values of attributes as texts.

Files store one name as a text, a whole number or a number with decimals: a column of whole numbers
with gaps becomes decimal in many programs, and each column of a CSV file may be text. All layers
name values by the functions here, so that equal names are found equal.
"""

from __future__ import annotations

import datetime
import re
from typing import Any

import numpy as np
import pandas as pd

#: Text of a whole number with a decimal, as programs write whole numbers of a decimal column.
_WHOLE_NUMBER = re.compile(r"(0|-?[1-9][0-9]*)\.0")


def name_of_value(value: Any) -> str | None:
    """Return the name in an attribute value.

    Args:
        value: text, number, date or missing value.

    Returns:
        Text without spaces at both ends. Whole numbers have no decimals, also if they are texts,
        and dates and times are in ISO 8601 format. None for missing values, infinity and blank
        texts. Other texts stay as they are: "01", "1.10" and "1.00" are no other way to write 1.

    >>> [name_of_value(value) for value in (1, 1.0, "1.0", " 1 ", "01", 1.5, "", None)]
    ['1', '1', '1', '1', '01', '1.5', None, None]
    """
    if isinstance(value, (float, np.floating)):
        if not np.isfinite(value):
            return None
        return str(int(value)) if float(value).is_integer() else str(value)
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, (datetime.date, np.datetime64)):
        return _name_of_time(pd.Timestamp(value))
    text = str(value).replace("\0", "").strip()
    whole = _WHOLE_NUMBER.fullmatch(text)
    return (whole[1] if whole else text) or None


def _name_of_time(time: pd.Timestamp) -> str | None:
    """Return a date, or a date and time unless it is midnight, in ISO 8601 format; None for NaT."""
    if pd.isna(time):
        return None
    if time == time.normalize() and time.tzinfo is None:
        return str(time.date().isoformat())
    return str(time.isoformat())
