"""To which plot a prediction belongs that does not say so itself."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from randcrowns.core.crowns import Crowns
from randcrowns.core.overlap import OverlapTable

__all__ = ["plots_of_predictions"]


def plots_of_predictions(targets: Crowns, predictions: Crowns, table: OverlapTable) -> NDArray[np.object_]:
    """(P,) plot of the target that each prediction shares most with, or that is nearest; None without any target.

    Args:
        targets: with groups.
        predictions: without.
        table: what they share.
    """
    plots = np.full(len(predictions), None, dtype=object)
    if targets.groups is None or len(targets) == 0 or len(predictions) == 0:
        return plots
    alone = np.ones(len(predictions), dtype=bool)
    best_last = np.lexsort((-table.target, table.shared))
    plots[table.prediction[best_last]] = targets.groups[table.target[best_last]]
    alone[table.prediction] = False
    apart = np.flatnonzero(alone)
    if len(apart):
        nearest = shapely.STRtree(targets.geometry.copy()).nearest(predictions.geometry[apart])
        plots[apart] = targets.groups[nearest]
    return plots
