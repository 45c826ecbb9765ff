"""Tables with outlines among the tables of a result, and how changes of outlines are recognised."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.review.verdicts import outline_hashes
from randcrowns.jobs.tables import JobTables

if TYPE_CHECKING:
    import geopandas

#: Name of the table, and of its column, with the record of a run in a GeoPackage of results.
RECORD_LAYER = "record"


def outlined_tables(result: JobTables) -> Iterator[tuple[str, geopandas.GeoDataFrame]]:
    """Yield name and rows of each table of a result that has polygons."""
    for name, table in result.tables.items():
        if "geometry" not in table:
            continue
        shapes = np.asarray(table["geometry"], dtype=object)
        has_area = shapely.get_dimensions(shapes) == 2
        if has_area.any() or not len(table):
            yield name, table


def fingerprint_outlines(table: pd.DataFrame) -> str:
    """Return a text that changes with any vertex of the outlines of a table, or with their order.

    >>> shapes = [shapely.box(0, 0, 1, 1), None]
    >>> len(fingerprint_outlines(pd.DataFrame({"geometry": shapes})))
    64
    """
    hashes = outline_hashes(np.asarray(table["geometry"], dtype=object))
    return hashlib.sha256("\n".join(hashes).encode()).hexdigest()
