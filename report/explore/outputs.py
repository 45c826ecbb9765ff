"""Views of a page to explore: a table of areas or crowns with outlines, and curves of detectors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Objects
from randcrowns.core.scoring.layer import SCORES
from randcrowns.report.colour_classes import variance_classes
from randcrowns.report.colours import OUTLINE_COLOURS, TARGET_COLOUR
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
#: Columns with the variance of a score.
_VARIANCES = tuple(f"{score}_variance" for score in SCORES)
#: Column with a digit per annotator, and the columns that name the annotators instead.
_VOTE_DIGITS = "votes"
_NAMES_OF_VOTERS = ("yes", "no")
#: Columns with the annotator and the number of a crown, which name the rows of a table: the first
#: two that it has.
_NAMES_OF_CROWNS = (
    ("delineation_annotator", "delineation_id"),
    ("target_annotator", "target_id"),
    ("annotator", "crown_id"),
)
#: Columns with numbers by which tables of a variance refer to each other, which mean nothing to
#: readers.
_INTERNAL_NUMBERS = ("pair", "target", "crown")
#: Columns of these tables that only the panel of a crown shows, so that the table has those of the
#: crowns in the report.
_DETAILS = (
    "iou_variance",
    "iou_crowns_variance",
    "example",
    "place",
    "target_area",
    "delineation_area",
    "series",
)
#: Columns that identify a curve.
#: Columns with the method of a consensus and its parameters, for programs.
_METHOD_OF_CONSENSUS = frozenset({"method", "parameters"})
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
        colour = TARGET_COLOUR if number == 0 else OUTLINE_COLOURS[number % len(OUTLINE_COLOURS)]
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
    rows, names = _name_rows(table)
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
        [*names, *_readable_columns(table.columns)],
        outlines,
        _VARIANCE if has_variance else table.order,
        has_variance or table.is_descending,
        _VARIANCE if has_variance and not table.colour else table.colour,
        # Crowns of several annotators overlap, and so may rows that are coloured by a score.
        is_filled=not _columns_of_names(list(table.rows)) and not set(SCORES) & set(table.rows),
    )


def _name_rows(table: OutlinedTable) -> tuple[pd.DataFrame, list[ExploreColumn]]:
    """Return the rows of a table with a column of their names, and this column.

    Crowns of annotators are named as in the report, by annotator and number; other rows have their
    number.
    """
    columns = _columns_of_names(list(table.rows))
    if columns:
        annotators, numbers = (table.rows[column] for column in columns)
        # Numbers that a file stores as decimals are whole all the same.
        whole = pd.Series(numbers).convert_dtypes()
        names = annotators.astype(str) + " " + whole.astype(str)
        crown = ExploreColumn(_NUMBER, tr("Crown"), role=ColumnRole.NAME)
        return table.rows.assign(**{_NUMBER: names}), [crown]
    number = ExploreColumn(
        _NUMBER, table.label, ColumnKind.NUMBER, ColumnRole.NAME, digits=0, is_listed=False
    )
    return table.rows.assign(**{_NUMBER: np.arange(1, len(table.rows) + 1)}), [number]


def _columns_of_names(names: Collection[Any]) -> tuple[str, ...]:
    """Return the columns with the annotator and the number of a crown; () if there are none."""
    return next((pair for pair in _NAMES_OF_CROWNS if set(pair) <= set(names)), ())


def _readable_columns(columns: Sequence[ExploreColumn]) -> list[ExploreColumn]:
    """Return the columns that mean something to readers, in their order.

    The digits of votes are left out if other columns name the annotators, and so are the parts of
    the names of crowns. The method of a consensus, which is that of all rows, is in
    its answer. Of crowns of annotators, the table has the scores and their variance.
    """
    names = {column.name for column in columns}
    parts_of_name = _columns_of_names(names)
    left_out = {_VOTE_DIGITS} if names.issuperset(_NAMES_OF_VOTERS) else set()
    if names.issuperset(_METHOD_OF_CONSENSUS):
        left_out.update(_METHOD_OF_CONSENSUS)
    if not parts_of_name:
        return [column for column in columns if column.name not in left_out]
    left_out.update(parts_of_name, _INTERNAL_NUMBERS)
    return [
        replace(
            column,
            is_listed=column.is_listed and column.name not in _DETAILS,
            classes=variance_classes() if column.name in _VARIANCES else column.classes,
        )
        for column in columns
        if column.name not in left_out
    ]


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
