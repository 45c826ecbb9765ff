"""Tables of benchmarks: CSV files, and folders of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import EXACT_NUMBERS, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.messages import abbreviate


def read_table(path: Path) -> pd.DataFrame:
    """Return a CSV file as a table.

    Raises:
        InputError: if there is no such file, or it is no table.
    """
    if not path.is_file():
        raise InputError("file.missing", "There is no file {file}.", file=str(path))
    try:
        return pd.read_csv(path, encoding="utf-8-sig", **EXACT_NUMBERS)
    except (OSError, ValueError) as error:
        raise InputError(
            "file.unreadable", "{path} cannot be read: {why}", path=str(path), why=error
        ) from error


def required_columns(table: pd.DataFrame, names: Sequence[str], file: str) -> None:
    """Raise an InputError if a table lacks one of the columns.

    Args:
        table: the table.
        names: columns that it needs.
        file: name of its file, for the error.
    """
    missing = [name for name in names if name not in table]
    if missing:
        raise InputError(
            "benchmark.no_column",
            "{file} has no column {names}; its columns are {columns}.",
            file=file,
            names=missing,
            columns=abbreviate([str(name) for name in table.columns]),
        )


def read_wkt(table: pd.DataFrame, file: str) -> Objects:
    """Return the polygons (n,) of the column ``WKT`` of a table.

    Raises:
        InputError: if a text is no polygon.
    """
    required_columns(table, ("WKT",), file)
    shapes: Objects = shapely.from_wkt(table["WKT"].astype(str).to_numpy(), on_invalid="ignore")
    is_wrong = shapely.is_missing(shapes) | (shapely.area(shapes) == 0)
    if is_wrong.any():
        # The first line is the heading, and lines count from 1.
        lines = np.flatnonzero(is_wrong) + 2
        raise InputError(
            "benchmark.no_polygon",
            "{file}: no polygons in lines {lines}.",
            file=file,
            lines=abbreviate(lines),
        )
    return shapes
