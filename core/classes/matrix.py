"""Confusion matrix arranged for display: the classes that are confused most often come first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.classes.evaluation import ClassResult

#: Results of predictions without a match.
UNMATCHED_RESULTS = (ClassResult.NO_REFERENCE, ClassResult.NOT_JUDGED)


class MatrixSide(NamedTuple):
    """Row or column of a confusion matrix."""

    #: Name of the class; "" for crowns without a class, or without a match.
    label: str
    #: None for a class; NO_CLASS, one of :data:`UNMATCHED_RESULTS` (rows) or NOT_FOUND (columns)
    #: for other crowns.
    result: ClassResult | None = None


class ArrangedMatrix(NamedTuple):
    """Confusion matrix with R rows of reference classes and C columns of predicted classes."""

    rows: tuple[MatrixSide, ...]  #: (R,) the classes, then no class and no reference if needed.
    columns: tuple[MatrixSide, ...]  #: (C,) the classes, then no class and not found if needed.
    counts: Ints  #: (R, C) numbers of crowns.

    @property
    def shares(self) -> Floats:
        """(R, C) share of each row's crowns, 0 to 1; NaN in a row without crowns."""
        totals = self.counts.sum(axis=1, keepdims=True).astype(float)
        totals[totals == 0] = np.nan
        return cast("Floats", self.counts / totals)

    def result_at(self, row: int, column: int) -> ClassResult:
        """Return the result of the crowns in a cell."""
        row_result = self.rows[row].result
        if row_result in UNMATCHED_RESULTS:
            return row_result
        if self.columns[column].result is ClassResult.NOT_FOUND:
            return ClassResult.NOT_FOUND
        if row_result is not None or self.columns[column].result is not None:
            return ClassResult.NO_CLASS
        is_right = self.rows[row].label == self.columns[column].label
        return ClassResult.RIGHT if is_right else ClassResult.WRONG


def arrange_matrix(cells: pd.DataFrame) -> ArrangedMatrix:
    """Arrange the cells of a confusion matrix, the most confused classes first.

    Args:
        cells: cells of one layer, see
            :attr:`randcrowns.core.classes.evaluation.ClassEvaluation.cells`.

    >>> cells = pd.DataFrame(
    ...     {
    ...         "reference": ["ash", "elm", "oak", "elm"],
    ...         "predicted": ["ash", "oak", "oak", None],
    ...         "kind": ["right", "wrong", "right", "not found"],
    ...         "crowns": [9, 2, 5, 1],
    ...     }
    ... )
    >>> matrix = arrange_matrix(cells)
    >>> [side.label for side in matrix.rows], matrix.counts.tolist()
    (['elm', 'oak', 'ash'], [[0, 2, 0, 1], [0, 5, 0, 0], [0, 0, 9, 0]])
    """
    kinds = cells["kind"].to_numpy(dtype=object)
    counts = cells["crowns"].to_numpy(dtype=np.int64)
    row_of_cell = _sides(cells["reference"], kinds, UNMATCHED_RESULTS)
    column_of_cell = _sides(cells["predicted"], kinds, (ClassResult.NOT_FOUND,))
    classes = _order_classes(row_of_cell, column_of_cell, kinds, counts)
    row_sides = tuple(classes + _further_sides(row_of_cell, counts))
    column_sides = tuple(classes + _further_sides(column_of_cell, counts))

    row_numbers = {side: number for number, side in enumerate(row_sides)}
    column_numbers = {side: number for number, side in enumerate(column_sides)}
    matrix = np.zeros((len(row_sides), len(column_sides)), dtype=np.int64)
    for row_side, column_side, count in zip(row_of_cell, column_of_cell, counts):
        # Further sides without crowns are not shown.
        if row_side in row_numbers and column_side in column_numbers:
            matrix[row_numbers[row_side], column_numbers[column_side]] += count
    return ArrangedMatrix(rows=row_sides, columns=column_sides, counts=matrix)


def _sides(labels: pd.Series, kinds: Objects, unmatched: Sequence[ClassResult]) -> list[MatrixSide]:
    """Return the row or column of each cell.

    Args:
        labels: (n,) class of each cell; missing without one.
        kinds: (n,) :class:`ClassResult` of each cell, as text.
        unmatched: results of crowns without a match, which have a row or column of their own.
    """
    unmatched_by_kind = {result.value: result for result in unmatched}
    sides = []
    for label, kind in zip(labels, kinds):
        if kind in unmatched_by_kind:
            sides.append(MatrixSide("", unmatched_by_kind[kind]))
        elif pd.isna(label):
            sides.append(MatrixSide("", ClassResult.NO_CLASS))
        else:
            sides.append(MatrixSide(str(label)))
    return sides


def _order_classes(
    rows: list[MatrixSide], columns: list[MatrixSide], kinds: Objects, counts: Ints
) -> list[MatrixSide]:
    """Return the classes by falling number of crowns in their largest confusion, then by name.

    Args:
        rows: (n,) row of each pair of a row and a column.
        columns: (n,) column of each pair.
        kinds: (n,) :class:`ClassResult` of each pair, as text.
        counts: (n,) number of crowns of each pair.
    """
    largest: dict[MatrixSide, int] = {}
    for row, column, kind, count in zip(rows, columns, kinds, counts):
        for side in (row, column):
            if side.result is None:
                confused = int(count) if kind == ClassResult.WRONG.value else 0
                largest[side] = max(largest.get(side, 0), confused)
    return sorted(largest, key=lambda side: (-largest[side], side.label))


def _further_sides(sides: list[MatrixSide], counts: Ints) -> list[MatrixSide]:
    """Return the rows or columns that are no class and have crowns, no class first."""
    occurring = {
        side for side, count in zip(sides, counts) if side.result is not None and count > 0
    }
    return sorted(occurring, key=lambda side: side.result is not ClassResult.NO_CLASS)
