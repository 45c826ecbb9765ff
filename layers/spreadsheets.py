"""The user's option that texts in CSV are no formulas, and its effect on tables."""

from __future__ import annotations

import pandas as pd
from qgis.core import QgsSettings

from randcrowns.core.messages import Message, note
from randcrowns.core.spreadsheets import escape_formula, escape_formulas
from randcrowns.layers.vector.tables import FeatureTable

#: Name of the option in the user's profile.
_OPTION = "RandCrowns/escape_formulas"


def escapes_formulas() -> bool:
    """Return True if texts that look like formulas are escaped in CSV; this is the default."""
    # A profile may contain anything, and stores False as a text; only that switches it off.
    return QgsSettings().value(_OPTION, True) not in (False, "false")


def set_escapes_formulas(is_on: bool) -> None:
    """Set whether texts that look like formulas are escaped in CSV."""
    QgsSettings().setValue(_OPTION, is_on)


def frame_for_csv(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table to be written as CSV or copied to a spreadsheet."""
    return escape_formulas(frame) if escapes_formulas() else frame


def escape_table(table: FeatureTable, name: str) -> list[Message]:
    """Escape the texts of a table that is written as CSV, if the user's option says so.

    Args:
        table: table, which is changed.
        name: name of the file, for the message.

    Returns:
        A message with the number of the changed texts; empty if there are none.
    """
    if not escapes_formulas():
        return []
    count = 0
    for position, values in enumerate(table.columns):
        if table.fields.at(position).isNumeric():
            continue
        texts = [escape_formula(value) for value in values]
        n_formulas = sum(text is not value for text, value in zip(texts, values))
        if n_formulas:
            table.replace_field(position, table.fields.at(position), texts)
            count += n_formulas
    if not count:
        return []
    return [
        note(
            "output.escaped_formulas",
            "{name}: {count:,} texts have an apostrophe in front, because a spreadsheet would take "
            "them for formulas. You can switch this off in the options of RandCrowns.",
            one="{name}: 1 text has an apostrophe in front, because a spreadsheet would take it "
            "for a formula. You can switch this off in the options of RandCrowns.",
            count=count,
            name=name,
        )
    ]
