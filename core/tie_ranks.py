"""Ranks of crowns by their place, so that ties do not depend on the order of the crowns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.crowns import Crowns

#: Difference up to which coordinates (m) and areas (m²) are equal. Rounding changes them by less,
#: see :mod:`randcrowns.core.thresholds`.
_TOLERANCE = 1e-6


def rank_crowns(crowns: Crowns) -> Ints:
    """Return the rank (n,) of each crown by its place, see :func:`rank_places`.

    >>> import shapely
    >>> west, east = shapely.box(0, 0, 1, 1), shapely.box(5, 0, 6, 1)
    >>> rank_crowns(Crowns([east, west])).tolist()
    [1, 0]
    """
    return rank_places(crowns.bounds, crowns.areas, crowns.ids, [crowns.plots, crowns.classes])


def rank_places(bounds: Floats, areas: Floats, ids: Ints, names: Sequence[Objects | None]) -> Ints:
    """Rank crowns from west to east, then from south to north.

    Crowns of the same bounds are ranked by their areas, names and ids. If a layer is moved, or its
    crowns are stored in another order, the ranks stay with the crowns.

    Args:
        bounds: (n, 4) smallest x and y, largest x and y of each crown, m.
        areas: (n,) areas, m².
        ids: (n,) unique ids.
        names: (n,) texts or None for missing values, such as plots and classes; None instead of
            the array if the crowns have no such names.

    Returns:
        (n,) unique ranks from 0.

    >>> bounds = np.array([[4.0, 0, 5, 1], [0, 3, 1, 4], [1e-9, 2, 1, 3]])
    >>> rank_places(bounds, np.ones(3), np.arange(3), [None]).tolist()
    [2, 1, 0]
    """
    # The most important key first.
    keys = [_rank_measures(column) for column in bounds.T]
    keys.append(_rank_measures(areas))
    keys += [rank_names(column) for column in names if column is not None]
    keys.append(ids)
    # numpy sorts by the last key first.
    order = np.lexsort(keys[::-1])
    ranks = np.empty(len(ids), dtype=np.int64)
    ranks[order] = np.arange(len(ids))
    return ranks


def _rank_measures(values: Floats) -> Ints:
    """Return ranks (n,) of coordinates or areas; those that differ by rounding have one rank."""
    order = np.argsort(values)
    in_order = values[order]
    is_larger = np.diff(in_order, prepend=in_order[:1]) > _TOLERANCE
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[order] = np.cumsum(is_larger)
    return ranks


def rank_names(names: Objects) -> Ints:
    """Return ranks (n,) of names in alphabetical order; -1 for a missing one.

    >>> rank_names(np.array(["oak", None, "ash"], dtype=object)).tolist()
    [1, -1, 0]
    """
    codes, distinct_names = pd.factorize(names)
    alphabetical_order = np.argsort(distinct_names.astype(str))
    rank_of_code = np.argsort(alphabetical_order)
    # The code of a missing name is -1, that of the last rank.
    ranks: Ints = np.append(rank_of_code, -1)[codes]
    return ranks
