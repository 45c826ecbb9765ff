"""Columns that the pages to explore have in common: name, plot and attributes of crowns."""

from __future__ import annotations

import pandas as pd

from randcrowns.report.explore.content import ColumnKind, ColumnRole, ExploreColumn
from randcrowns.report.language import tr

#: Beginning of the columns with attributes, which may have the name of another column.
_ATTRIBUTE_PREFIX = "attribute "


def crown_columns(rows: pd.DataFrame) -> list[ExploreColumn]:
    """Return the column with the names of the crowns, and that of the plots if there are plots.

    Args:
        rows: rows of a view with the column ``name``, and with ``plot`` if plots are known.
    """
    columns = [ExploreColumn("name", tr("Crown"), role=ColumnRole.NAME)]
    if "plot" in rows and rows["plot"].notna().any():
        columns.append(ExploreColumn("plot", tr("Plot"), ColumnKind.CATEGORY, role=ColumnRole.PLOT))
    return columns


def join_attributes(rows: pd.DataFrame, attributes: pd.DataFrame) -> pd.DataFrame:
    """Return rows with the attributes of a layer; see :func:`attribute_columns`.

    Args:
        rows: rows of a view.
        attributes: attributes of its first rows, by their names.
    """
    return rows.join(attributes.add_prefix(_ATTRIBUTE_PREFIX))


def attribute_columns(attributes: pd.DataFrame) -> list[ExploreColumn]:
    """Return the columns of attributes that :func:`join_attributes` added to the rows of a view.

    >>> attribute_columns(pd.DataFrame({"height": [7.5]}))[0].name
    'attribute height'
    """
    return [
        attribute_column(f"{_ATTRIBUTE_PREFIX}{name}", str(name), attributes[name])
        for name in attributes
    ]


def attribute_column(name: str, label: str, values: pd.Series) -> ExploreColumn:
    """Return the column of an attribute, which only the panel of a crown shows.

    Args:
        name: name of the column in the rows of the view.
        label: heading.
        values: values of the attribute.
    """
    is_number = pd.api.types.is_float_dtype(values)
    kind = ColumnKind.NUMBER if is_number else ColumnKind.TEXT
    return ExploreColumn(name, label, kind, digits=None, is_listed=False)
