"""To which plot predictions belong that do not say so themselves, and plots that only one side names."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from randcrowns.core.crowns import Crowns, list_some
from randcrowns.core.overlap import OverlapTable

__all__ = ["plots_apart", "plots_of_predictions"]


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


def plots_apart(targets: Crowns, predictions: Crowns) -> tuple[str, bool]:
    """A sentence on plots that only one side names, empty without any; and whether the two have no plot in common.

    Args:
        targets, predictions: with groups or without; crowns meet only within their plot.
    """
    named = [crowns.groups for crowns in (targets, predictions) if crowns.groups is not None and len(crowns)]
    if len(named) < 2:
        return "", False
    sides = [{"(empty)" if plot is None else str(plot) for plot in plots.tolist()} for plots in named]
    alone = [sorted(sides[0] - sides[1]), sorted(sides[1] - sides[0])]
    if not alone[0] and not alone[1]:
        return "", False
    where = "; ".join(
        f"layer '{crowns.name}' alone has {list_some(plots)}"
        for crowns, plots in zip((targets, predictions), alone)
        if plots
    )
    none_shared = sides[0].isdisjoint(sides[1])
    beginning = "No plot is in both layers" if none_shared else "Some plots are in one of the layers only"
    return (
        f"{beginning}: {where}. Crowns meet only within their plot, so those of these plots find nothing; where it is "
        "the spelling that differs, make the plots' names alike, or leave the field empty."
    ), none_shared
