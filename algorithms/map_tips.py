"""Map tips of output layers: HTML with QGIS expressions of the declared columns.

``scripts/map_tips.py`` writes the map tips into the QML files of the styles.
"""

from __future__ import annotations

from collections.abc import Mapping

from randcrowns.algorithms.output_types import Column
from randcrowns.layers.styles.score_fields import SELECTED_PREFIX

__all__ = ["number", "prefixed", "read_field", "score_table", "show", "words"]


def show(expression: str) -> str:
    """Return the part of a map tip that shows the value of a QGIS expression."""
    return f"[% {expression} %]"


def read_field(column: Column) -> str:
    """Return the QGIS expression of the value of a column."""
    return f'"{column.name}"'


def number(value: str, digits: int) -> str:
    """Return the QGIS expression of a number as text, ``n/a`` if it is NULL.

    Args:
        value: expression of the number.
        digits: number of decimal places.
    """
    return f"coalesce(format_number({value}, {digits}), 'n/a')"


def words(key: str) -> str:
    """Return the QGIS expression of a key as words, such as ``not judged`` for ``not_judged``."""
    return f"replace({key}, '_', ' ')"


def prefixed(expression: str) -> str:
    """Return a QGIS expression in which ``@p`` is the prefix of a delineation layer's fields.

    Args:
        expression: expression of fields such as ``@p || '_rc'``.
    """
    return f"with_variable('p', {SELECTED_PREFIX}, {expression})"


def score_table(scores: Mapping[str, str]) -> str:
    """Return the part of a map tip with a table of scores.

    Args:
        scores: QGIS expression of each score, by its name.
    """
    rows = (
        f"<tr><td>{name}</td><td>&nbsp;<b>{show(value)}</b></td></tr>"
        for name, value in scores.items()
    )
    return f"<table>{''.join(rows)}</table>"
