"""The overlap table of two sets of crown polygons."""

from __future__ import annotations

import numpy as np
import shapely

from randcrowns.core.areas import pair_edges, polygon_edges, shared_areas
from randcrowns.core.crowns import Crowns
from randcrowns.core.offsets import centre_of
from randcrowns.core.overlap import OverlapTable
from randcrowns.core.pairing import group_codes
from randcrowns.core.progress import Progress, no_progress

__all__ = ["polygon_overlap"]

_TARGETS_AT_ONCE = 512
#: Areas this small beside the crowns' own are rounding, not overlap.
_ROUNDING = 1e-12


def polygon_overlap(targets: Crowns, predictions: Crowns, progress: Progress = no_progress) -> OverlapTable:
    """Shared areas (m²) of all targets and predictions, exact.

    Args:
        targets, predictions: crowns in one coordinate system. Where both have groups, only crowns of one
            group (plot) are compared.
        progress: told the fraction of the targets done.
    """
    sizes = shapely.area(targets.geometry), shapely.area(predictions.geometry)
    if len(targets) == 0 or len(predictions) == 0:
        nothing = np.empty(0, dtype=np.int64)
        return OverlapTable(nothing, nothing, np.empty(0), *sizes)
    target, prediction = shapely.STRtree(predictions.geometry.copy()).query(targets.geometry, predicate="intersects")
    target_code, prediction_code, _ = group_codes(targets, predictions)
    together = target_code[target] == prediction_code[prediction]
    target, prediction = target[together], prediction[together]
    order = np.lexsort((prediction, target))
    target, prediction = target[order], prediction[order]

    origin = centre_of(targets.geometry)
    shared = np.empty(len(target))
    for first in range(0, len(targets), _TARGETS_AT_ONCE):
        last = min(first + _TARGETS_AT_ONCE, len(targets))
        rows = slice(*np.searchsorted(target, [first, last]))
        drawn, polygon = np.unique(prediction[rows], return_inverse=True)
        edges = polygon_edges(predictions.geometry[drawn], origin)
        paired = pair_edges(edges, len(drawn), polygon, target[rows] - first)
        regions = polygon_edges(targets.geometry[first:last], origin)
        shared[rows] = shared_areas(regions, paired, last - first)
        progress(last / len(targets))
    # Summed edge by edge, the area of equal crowns may come out a rounding above their own.
    np.minimum(shared, np.minimum(sizes[0][target], sizes[1][prediction]), out=shared)
    real = shared > _ROUNDING * (sizes[0][target] + sizes[1][prediction])
    return OverlapTable(target[real], prediction[real], shared[real], *sizes)
