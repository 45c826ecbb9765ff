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
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Objects

#: Text of a whole number with a decimal, as programs write whole numbers of a decimal column.
_WHOLE_NUMBER = re.compile(r"(0|-?[1-9][0-9]*)\.0")
#: End of the text of a date and time that stands for a date: midnight.
_MIDNIGHT = "T00:00:00"


def value_objects(values: ArrayLike) -> Objects:
    """Return values (n,) as objects: numbers and texts as they are, times as times of pandas.

    numpy would make numbers of nanoseconds of times.

    >>> [str(value) for value in value_objects(np.array(["2024-05-01"], "datetime64[ns]"))]
    ['2024-05-01 00:00:00']
    """
    is_of_times = getattr(getattr(values, "dtype", None), "kind", "") == "M"
    if is_of_times and np.ndim(values) == 1:
        return np.asarray(pd.Series(values).astype(object).to_numpy(), dtype=object)
    return np.asarray(values, dtype=object)


def name_of_value(value: Any) -> str | None:
    """Return the name in an attribute value.

    Args:
        value: text, number, date or missing value.

    Returns:
        Text without spaces at both ends. Whole numbers have no decimals, also if they are texts.
        Dates and times are in ISO 8601 format without a time zone. None for missing values,
        infinity and blank texts. Other texts stay as they are: "01", "1.10" and "1.00" are no other
        way to write 1.

    >>> [name_of_value(value) for value in (1, 1.0, "1.0", " 1 ", "01", 1.5, "", None)]
    ['1', '1', '1', '1', '01', '1.5', None, None]
    """
    if isinstance(value, (float, np.floating)):
        if not np.isfinite(value):
            return None
        return str(int(value)) if float(value).is_integer() else str(value)
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, (datetime.date, datetime.time, np.datetime64)):
        return _name_of_time(value)
    text = str(value).replace("\0", "").strip()
    whole = _WHOLE_NUMBER.fullmatch(text)
    name = whole[1] if whole else text
    return name or None


def _name_of_time(value: datetime.date | datetime.time | np.datetime64) -> str | None:
    """Return a date, time, or both in ISO 8601 format; None for NaT.

    The time zone has no part in the name, because QGIS does not read it from most files. Midnight
    of a date and time stands for the date.
    """
    time: Any = pd.Timestamp(value) if isinstance(value, np.datetime64) else value
    if time is pd.NaT:
        return None
    has_zone = getattr(time, "tzinfo", None) is not None
    local_time = time.replace(tzinfo=None) if has_zone else time
    name = str(local_time.isoformat())
    return name[: -len(_MIDNIGHT)] if name.endswith(_MIDNIGHT) else name
