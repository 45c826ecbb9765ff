"""Views of a page to explore: a table of areas or crowns with outlines, and curves of detectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Objects
from randcrowns.report.colours import SERIES_COLOURS, TARGET_COLOUR
from randcrowns.report.explore.content import (
    ColumnKind,
    ColumnRole,
    DetectionCurve,
    ExploreColumn,
    OutlineLayer,
    OutlineReferences,
    PairTable,
    View,
)
from randcrowns.report.language import tr

#: Column with the number of a row. Fields of layers do not begin with a space.
_NUMBER = " number"
#: Column by which a table that has it is sorted and coloured, the highest value first.
_VARIANCE = "randcrowns_variance"
#: Column with a digit per annotator, and the columns that name the annotators instead.
_VOTE_DIGITS = "votes"
_NAMES_OF_VOTERS = ("yes", "no")
#: Columns that identify a curve.
_CURVE_COLUMNS = ["counted", "detector", "truth"]


@dataclass(frozen=True)
class ExploreParts:
    """Outlines, views and tables of a page to explore a run."""

    layers: Sequence[OutlineLayer] = ()  #: outlines, the topmost first.
    views: Sequence[View] = ()  #: tables of crowns or areas.
    curves: Sequence[DetectionCurve] = ()  #: curves of detectors.
    tables: Sequence[PairTable] = ()  #: further small tables.
    has_regions: bool = False  #: True if the page draws the regions of the selected crown.


@dataclass(frozen=True)
class OutlinedTable:
    """A table of areas or crowns with outlines."""

    label: str  #: title of the table.
    rows: pd.DataFrame  #: (n,) rows.
    shapes: Objects  #: (n,) outlines in coordinates of the page; None where there is no outline.
    columns: Sequence[ExploreColumn]  #: columns of the rows that are shown.
    order: str = ""  #: column by which the rows are sorted at first; "" to choose it.
    is_descending: bool = False  #: True to sort by the highest value first.
    colour: str = ""  #: column by which the map is coloured at first; "" to choose it.


def table_views(tables: Sequence[OutlinedTable]) -> ExploreParts:
    """Return a view for each table; the first one is shown when the page is opened.

    >>> rows = pd.DataFrame({"area": [4.0]})
    >>> column = ExploreColumn("area", "Area (m²)", ColumnKind.NUMBER)
    >>> shapes = np.array([shapely.box(0, 0, 2, 2)])
    >>> parts = table_views([OutlinedTable("Places", rows, shapes, [column])])
    >>> [view.name for view in parts.views], [layer.name for layer in parts.layers]
    (['Places'], ['Places'])
    """
    layers = []
    views = []
    for number, table in enumerate(tables):
        colour = TARGET_COLOUR if number == 0 else SERIES_COLOURS[number % len(SERIES_COLOURS)]
        layers.append(OutlineLayer(table.label, colour, table.shapes, is_shown=number == 0))
        views.append(_table_view(table, number))
    return ExploreParts(layers, views)


def _table_view(table: OutlinedTable, layer: int) -> View:
    """Return the view of a table, whose rows have its outlines.

    Args:
        table: the table.
        layer: index of its layer of outlines.
    """
    n_rows = len(table.rows)
    rows = table.rows.assign(**{_NUMBER: np.arange(1, n_rows + 1)})
    name = ExploreColumn(
        _NUMBER, table.label, ColumnKind.NUMBER, ColumnRole.NAME, digits=0, is_listed=False
    )
    has_outline = ~shapely.is_missing(table.shapes)
    outlines = OutlineReferences(
        layer=np.full(n_rows, layer),
        outline=np.where(has_outline, np.arange(n_rows), -1),
        match_layer=-1,
        matches=np.full(n_rows, -1),
    )
    has_variance = not table.order and _VARIANCE in rows
    return View(
        table.label,
        rows,
        [name, *_readable_columns(table.columns)],
        outlines,
        _VARIANCE if has_variance else table.order,
        has_variance or table.is_descending,
        _VARIANCE if has_variance and not table.colour else table.colour,
    )


def _readable_columns(columns: Sequence[ExploreColumn]) -> list[ExploreColumn]:
    """Return the columns without the digits of votes if other columns name the annotators."""
    names = {column.name for column in columns}
    left_out = {_VOTE_DIGITS} if names.issuperset(_NAMES_OF_VOTERS) else set()
    return [column for column in columns if column.name not in left_out]


def detection_curves(
    curves: pd.DataFrame, label_of_units: Callable[[str], str]
) -> list[DetectionCurve]:
    """Return the curve of each detector and ground truth.

    Args:
        curves: rows with the columns ``counted``, ``detector``, ``truth``, ``threshold``,
            ``precision`` and ``recall``; empty if the run has none.
        label_of_units: function that returns the display text of a value of ``counted``.
    """
    if not len(curves):
        return []
    result = []
    for (counted, detector, truth), rows in curves.groupby(
        _CURVE_COLUMNS, sort=False, dropna=False
    ):
        rows = rows.dropna(subset=["threshold"]).sort_values("threshold", ascending=False)
        label = tr(
            "{detector}, {truth} ({counted})",
            detector=detector,
            truth=truth,
            counted=label_of_units(str(counted)),
        )
        if len(rows):
            numbers = (rows[name].to_numpy(float) for name in ("threshold", "precision", "recall"))
            result.append(DetectionCurve(label, *numbers))
    return result
