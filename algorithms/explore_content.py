"""Content of a page to explore a run, from the run's layers and tables.

An algorithm whose crowns have scores declares a function of its own in its report content. All
other runs get a view for each output with outlines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCoordinateTransformContext,
    QgsGeometry,
    QgsRectangle,
)

from randcrowns.algorithms.output_types import Column, Output
from randcrowns.core.arrays import Objects
from randcrowns.layers.crs import WorkingCrs, create_transform, has_datum_or_code
from randcrowns.layers.localization import format_value
from randcrowns.report.explore.columns import attribute_column
from randcrowns.report.explore.content import (
    ColumnKind,
    ColumnRole,
    ExploreColumn,
    PairTable,
)
from randcrowns.report.explore.core_runs import page_origin
from randcrowns.report.explore.outputs import ExploreParts, OutlinedTable, table_views
from randcrowns.report.language import cell_decimals
from randcrowns.report.render import minus_sign

#: Roles of columns by the names of fields.
_ROLES = {
    "plot": ColumnRole.PLOT,
    "image": ColumnRole.PLOT,
    "status": ColumnRole.STATUS,
    "class": ColumnRole.CLASS,
}


@dataclass(frozen=True)
class PageCoordinates:
    """Coordinates of a page: metres on the ground, or pixels, relative to an origin."""

    working: WorkingCrs  #: CRS in which the run computes.
    origin: tuple[float, float]  #: origin in working coordinates.

    @classmethod
    def for_outlines(
        cls,
        geometries: Mapping[str, Sequence[QgsGeometry]],
        systems: Mapping[str, QgsCoordinateReferenceSystem],
        context: QgsCoordinateTransformContext,
    ) -> PageCoordinates:
        """Return coordinates with the origin at the lower left corner of all outlines.

        Args:
            geometries: outlines by the id of their output.
            systems: CRS of the outlines by the id of their output.
            context: datum transformations of the project.
        """
        outlines: Sequence[QgsGeometry] = ()
        crs = QgsCoordinateReferenceSystem()
        for output_id, candidates in geometries.items():
            if any(not candidate.isNull() for candidate in candidates):
                outlines = candidates
                crs = systems[output_id]
                break
        extent = _compute_bounding_box(outlines)
        if not crs.isValid() or not has_datum_or_code(crs):
            working = WorkingCrs.for_pixels(context)
        else:
            centre = extent.center()
            working = WorkingCrs.for_layer("map", crs, (centre.x(), centre.y()), context)
        # The origin is needed only to keep the numbers small, so that whole metres are enough.
        coordinates = cls(working, (0.0, 0.0))
        return cls(working, page_origin(coordinates.convert(outlines, crs)))

    def convert(
        self, outlines: Sequence[QgsGeometry], crs: QgsCoordinateReferenceSystem
    ) -> Objects:
        """Return outlines (n,) in coordinates of the page; None where there is no outline.

        Args:
            outlines: (n,) outlines.
            crs: CRS of the outlines.
        """
        transform = None
        if crs.isValid() and self.working.crs.isValid() and crs != self.working.crs:
            transform = create_transform(crs, self.working.crs, self.working.transform_context)
        wkbs = [_to_wkb(outline, transform) for outline in outlines]
        shapes = shapely.from_wkb(np.array(wkbs, dtype=object), on_invalid="ignore")
        metres_per_unit = self.working.metres_per_unit
        origin = np.array(self.origin)
        page_shapes: Objects = shapely.transform(
            shapely.force_2d(shapes), lambda vertices: vertices * metres_per_unit - origin
        )
        return page_shapes

    def map_extent(self, left: float, bottom: float, right: float, top: float) -> QgsRectangle:
        """Return an extent of the page in the CRS of the run."""
        metres = self.working.metres_per_unit
        x, y = self.origin
        return QgsRectangle(
            (left + x) / metres, (bottom + y) / metres, (right + x) / metres, (top + y) / metres
        )


def _compute_bounding_box(outlines: Sequence[QgsGeometry]) -> QgsRectangle:
    """Return the bounding box of outlines."""
    box = QgsRectangle()
    for outline in outlines:
        if not outline.isNull():
            box.combineExtentWith(outline.boundingBox())
    return box


def _to_wkb(outline: QgsGeometry, transform: QgsCoordinateTransform | None) -> bytes | None:
    """Return an outline as WKB in another CRS; None for an empty one.

    Args:
        outline: the outline; it is not changed.
        transform: transform to the other CRS; None to leave the coordinates unchanged.
    """
    if outline.isNull() or outline.isEmpty():
        return None
    transformed = QgsGeometry(outline)
    if transform is not None:
        transformed.transform(transform)
    return bytes(transformed.asWkb())


def output_views(
    outputs: Iterable[Output],
    frames: Mapping[str, pd.DataFrame],
    shapes: Mapping[str, Objects],
    unit: str,
    order: str = "",
    colour: str = "",
) -> ExploreParts:
    """Return a view for each output that has rows and outlines.

    Args:
        outputs: outputs of the run; the first one with outlines is shown when the page is opened.
        frames: rows by the id of their output.
        shapes: outlines in coordinates of the page by the id of their output.
        unit: unit of lengths, ``m`` or ``px``.
        order: column by which the rows are sorted at first; "" to choose it.
        colour: column by which the map is coloured at first; "" to choose it.
    """
    return table_views(
        [
            OutlinedTable(
                label=output.label,
                rows=frames[output.id],
                shapes=shapes[output.id],
                columns=explore_columns(output.columns, frames[output.id], unit),
                order=order,
                colour=colour,
            )
            for output in outputs
            if output.id in shapes and len(frames.get(output.id, ()))
        ]
    )


def explore_columns(
    declared: Sequence[Column], rows: pd.DataFrame, unit: str
) -> list[ExploreColumn]:
    """Return the columns of an output that its rows have; other fields are attributes.

    Args:
        declared: declared columns.
        rows: rows of the output.
        unit: unit of lengths of the run, ``m`` or ``px``.
    """
    columns = []
    for name in map(str, rows.columns):
        matches = (column.match_field(name) for column in declared)
        column = next((match for match in matches if match is not None), None)
        if column is None:
            columns.append(attribute_column(name, name, rows[name]))
        else:
            columns.append(_find_declared_column(column.with_unit(unit), rows[name]))
    return columns


def _find_declared_column(column: Column, values: pd.Series) -> ExploreColumn:
    """Return the column of the page for a declared column with these values."""
    role = _ROLES.get(column.name, ColumnRole.OTHER)
    is_share = column.kind == "real" and not column.unit and column.name in _SHARES
    is_named_kind = role is ColumnRole.PLOT or column.name in _CATEGORIES
    if is_named_kind or (column.is_text and column.display_texts):
        kind = ColumnKind.CATEGORY
    elif column.is_text:
        kind = ColumnKind.TEXT
    elif is_share:
        kind = ColumnKind.SCORE
    else:
        kind = ColumnKind.NUMBER

    labels: dict[str, str] = {}
    if column.is_text:
        stored_texts = {str(value) for value in values.dropna().unique()}
        labels = {text: column.display_text(text) for text in stored_texts}
    return ExploreColumn(
        name=column.name,
        label=column.alias,
        kind=kind,
        role=role,
        help=column.help,
        digits=0 if column.kind == "integer" else column.digits,
        labels=labels,
    )


#: Columns of texts with few values, such as the ground truths of a ranking.
_CATEGORIES = {"truth"}
#: Columns with values from 0 to 1.
_SHARES = {"iou", "precision", "recall", "share", "randcrowns", "iou_crowns"}


def small_table(title: str, declared: Sequence[Column], rows: pd.DataFrame, unit: str) -> PairTable:
    """Return a table of an output as displayed texts.

    Args:
        title: title of the table.
        declared: declared columns.
        rows: rows of the output.
        unit: unit of lengths of the run, ``m`` or ``px``.
    """
    # Columns without a value are left out.
    columns = []
    for declared_column in declared:
        matches = (declared_column.match_field(str(name)) for name in rows)
        columns += [
            column.with_unit(unit)
            for column in matches
            if column is not None and rows[column.name].replace("", None).notna().any()
        ]
    shown_rows = rows[[column.name for column in columns]]

    def format_row(values: Sequence[Any]) -> list[str]:
        """Return the cells of a row."""
        return [_format_cell(column, value) for column, value in zip(columns, values)]

    cells = [format_row(values) for values in shown_rows.itertuples(index=False)]
    headings = [column.heading for column in columns]
    return PairTable(title, headings, cells, [column.help for column in columns])


def _format_cell(column: Column, value: Any) -> str:
    """Return a value of a column as displayed text; "" for a missing one."""
    if pd.isna(value):
        return ""
    if column.is_text:
        return column.display_text(str(value))
    declared = 0 if column.kind == "integer" else column.digits
    number = column.scale * float(value)
    return minus_sign(format_value(number, cell_decimals(number, declared)))
