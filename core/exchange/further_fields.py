"""Further fields of annotations: values of tables with their types, and names that are taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Objects
from randcrowns.core.messages import Message, abbreviate, note
from randcrowns.core.names import unused_name

#: Columns of all imported annotations, in front of the fields of their files.
IMPORTED_COLUMNS = ("label", "score", "image", "source", "row")
#: Names of fields that GeoPackages and GeoDataFrames need for themselves.
_RESERVED_FIELDS = ("fid", "ogc_fid", "geom", "geometry")
#: Whole numbers and numbers as programs write them; codes such as 007 are texts.
_INTEGER = r"[-+]?(?:0|[1-9]\d{0,17})"
_NUMBER = r"[-+]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
_FLAGS = {"True": True, "False": False}
#: Numbers with a comma as decimal sign.
_DECIMAL_COMMA = r"[-+]?\d*,\d+"


def typed_values(contents: Objects, has_decimal_commas: bool = False) -> Objects:
    """Return the values of a column of a table, with the type that fits all of them.

    Args:
        contents: (n,) contents of a column; anything that is no text is missing.
        has_decimal_commas: True if the table may have commas as decimal signs.

    Returns:
        (n,) whole numbers, numbers, flags or texts; None where missing.

    >>> typed_values(np.array(["3", None, "5"], dtype=object)).tolist()
    [3, None, 5]
    >>> typed_values(np.array(["007", "3.5"], dtype=object)).tolist()
    ['007', '3.5']
    """
    series = pd.Series(contents, dtype=object)
    is_known = np.array(
        [isinstance(content, str) and content.strip() != "" for content in contents], bool
    )
    known = series[is_known].astype(str)
    stripped = known.str.strip()
    if has_decimal_commas and stripped.str.fullmatch(_DECIMAL_COMMA).any():
        with_points = stripped.str.replace(",", ".", regex=False)
        if with_points.str.fullmatch(_NUMBER).all():
            stripped = with_points
    values: list[Any] = known.tolist()
    if stripped.str.fullmatch(_INTEGER).all():
        values = [int(text) for text in stripped]
    elif stripped.str.fullmatch(_NUMBER).all():
        values = [float(text) for text in stripped]
    elif stripped.isin(_FLAGS).all():
        values = [_FLAGS[text] for text in stripped]
    result = np.full(len(contents), None, dtype=object)
    result[is_known] = values
    return result


def name_fields(columns: Mapping[str, Any], fields: Mapping[str, Objects]) -> dict[str, Objects]:
    """Return further fields with names that are not taken.

    A field that a column holds already is left out. One of the same name with other values, and one
    with a name that is reserved, gets a number after its name.

    Args:
        columns: (n,) values of the columns of n annotations, by name.
        fields: (n,) values of the further fields, by name.

    >>> fields = {"FID": np.array([7], dtype=object), "Label": np.array(["oak"], dtype=object)}
    >>> list(name_fields({"label": ["oak"]}, fields))
    ['FID_2']
    """
    named: dict[str, Objects] = {}
    for name, values in fields.items():
        existing_column = columns.get(name.lower())
        if existing_column is not None and _are_equal(existing_column, values):
            continue
        names_in_use = [*columns, *named, *_RESERVED_FIELDS]
        named[unused_name(name, names_in_use)] = values
    return named


def renamed_messages(
    file: str, columns: Mapping[str, Any], fields: Mapping[str, Objects]
) -> list[Message]:
    """Return a note about fields of a file whose names are taken.

    Args:
        file: name of the file.
        columns: (n,) values of the columns of n annotations, by name.
        fields: (n,) values of the further fields, by name.
    """
    renamed = [name for name in name_fields(columns, fields) if name not in fields]
    if not renamed:
        return []
    return [
        note(
            "exchange.fields_renamed",
            "{file}: the names of some fields are taken, so a number was appended to them: "
            "{names}.",
            file=file,
            names=abbreviate(renamed),
        )
    ]


def _are_equal(column: Any, values: Objects) -> bool:
    """Return True if a column holds the same values as a field, apart from their type."""
    own_values = pd.Series(column, dtype=object).replace("", None)
    for own_value, value in zip(own_values, values):
        own_text = None if pd.isna(own_value) else str(own_value)
        text = None if value in (None, "") else str(value)
        if own_text != text:
            return False
    return True
