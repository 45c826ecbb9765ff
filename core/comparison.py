"""What makes a comparison misleading: roles the wrong way round, plots that are not told apart, crowns nobody drew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Bools, Floats
from randcrowns.core.crowns import Crowns
from randcrowns.core.remarks import Remark, info, note, some, warning

#: More predictions per target than this, and only some crowns were drawn; more targets per prediction, and the two
#: layers stand in each other's place.
MANY_TIMES = 5
#: With a smaller share of the predictions in the plots of the targets, only some crowns were drawn.
LEAST_INSIDE = 1 / 3


def why_partial(n_targets: int, n_predictions: int, inside: float = 1.0) -> Remark | None:
    """What shows that only some of the crowns were drawn; None where nothing does.

    Args:
        n_targets, n_predictions: how many crowns each side has; a side without any says nothing.
        inside: share of the predictions in the plots of the targets, see :func:`share_in_plots`; where it is 0, the
            two lie apart.

    >>> print(why_partial(106, 4746))
    The layer compared with the targets has 45 times as many crowns
    >>> why_partial(100, 120)
    """
    if min(n_targets, n_predictions) < 1:
        return None
    if n_predictions > MANY_TIMES * n_targets:
        times = n_predictions / n_targets
        return info(
            "drawn.many",
            "The layer compared with the targets has {times:,.0f} times as many crowns",
            times=times,
        )
    if 0 < inside < LEAST_INSIDE:
        return info(
            "drawn.outside",
            "The targets' plots hold only {inside:.0%} of the crowns compared with them",
            inside=inside,
        )
    return None


def share_in_plots(targets: Floats, plots: Sequence[Any] | None, predictions: Floats) -> float:
    """Share of the predictions whose middle lies within the bounds of the targets of any one plot; 1 without any.

    Args:
        targets: (T, 4) xmin, ymin, xmax, ymax of each target.
        plots: (T,) plot of each target, None for a plot of its own; one plot by default.
        predictions: (P, 4) of each prediction.

    >>> share_in_plots(np.array([[0, 0, 4, 4]]), None, np.array([[1, 1, 2, 2], [1, 1, 20, 20]]))
    0.5
    """
    if len(targets) == 0 or len(predictions) == 0:
        return 1.0
    names = pd.Series([None] * len(targets) if plots is None else plots, dtype=object)
    around = _around(targets, pd.factorize(names, use_na_sentinel=False)[0])
    middles = shapely.points((predictions[:, :2] + predictions[:, 2:]) / 2)
    found = shapely.STRtree(shapely.box(*around.to_numpy().T)).query(
        middles, predicate="intersects"
    )[0]
    return len(np.unique(found)) / len(predictions)


def _around(bounds: Floats, plots: Any) -> pd.DataFrame:
    """xmin, ymin, xmax, ymax of the crowns of each plot; of crowns without one, nothing."""
    found: pd.DataFrame = (
        pd.DataFrame(bounds).groupby(plots).agg({0: "min", 1: "min", 2: "max", 3: "max"})
    )
    return found


def crowns_partial(targets: Crowns, predictions: Crowns) -> Remark | None:
    """What shows that only some of the crowns were drawn as targets, whose groups are their plots."""
    sides = [shapely.bounds(crowns.geometry) for crowns in (targets, predictions)]
    plots = None if targets.groups is None else targets.groups.tolist()
    return why_partial(len(targets), len(predictions), share_in_plots(sides[0], plots, sides[1]))


def doubtful_roles(
    target: str, score_field: str, n_targets: int, n_predictions: int
) -> list[Remark]:
    """Warnings where the targets look like what a detector made; none where nothing is odd.

    Args:
        target: name of the target layer.
        score_field: its field with a detector's scores, empty without.
        n_targets, n_predictions: how many crowns each side has.
    """
    remarks = []
    if score_field:
        said = (
            "Target layer '{layer}' has a detector's scores (field '{field}'); targets are the crowns taken as true. "
            "Swap the layers if it is the detector."
        )
        remarks.append(warning("roles.scores", said, layer=target, field=score_field))
    if n_predictions > 0 and n_targets > MANY_TIMES * n_predictions:
        said = (
            "There are {times:,.0f} times as many targets as crowns compared with them; targets are the crowns taken "
            "as true. Swap the layers if '{layer}' is the detector."
        )
        remarks.append(
            warning("roles.more_targets", said, layer=target, times=n_targets / n_predictions)
        )
    return remarks


def plots_apart(targets: Sequence[Crowns], others: Sequence[Crowns]) -> list[Remark]:
    """Remarks on plots that only one side names and on crowns without one; a warning where no plot is on both sides,
    or most lie elsewhere.

    Crowns meet only within their plot, so those of such a plot count as not found, or as unmatched.

    Args:
        targets, others: the layers of each side, with groups or without; a layer without groups meets every plot.

    >>> east, west = (Crowns([shapely.box(0, 0, 1, 1)], groups=[plot], name=plot) for plot in ("east", "west"))
    >>> plots_apart([east], [east]), plots_apart([east], [east, west])[0].values["where"].values["plots"]
    ([], ('west',))
    """
    sides = [[crowns for crowns in side if len(crowns)] for side in (targets, others)]
    if not all(sides) or any(crowns.groups is None for side in sides for crowns in side):
        return []
    named = [pd.concat([_named_plots(crowns) for crowns in side]) for side in sides]
    alone: list[Remark] = []
    empty: list[Remark] = []
    for side, elsewhere in zip(sides, named[::-1]):
        for crowns in side:
            own = _named_plots(crowns)
            apart = own[~own.isin(elsewhere)]
            plots, count = some(sorted(set(apart.dropna())), 3), int(apart.count())
            if count:
                said = "'{layer}' alone has {plots} ({count:,} crowns)"
                one = "'{layer}' alone has {plots} (1 crown)"
                alone.append(
                    info("plots.alone", said, one=one, layer=crowns.name, plots=plots, count=count)
                )
            if count < len(apart):
                said, one = (
                    "{count:,} crowns of '{layer}' have no plot",
                    "1 crown of '{layer}' has no plot",
                )
                empty.append(
                    info("plots.empty", said, one=one, layer=crowns.name, count=len(apart) - count)
                )
    what = (
        "{where}: not found, or unmatched. Where only the spelling differs, make the plots' names alike, or leave the "
        "field empty."
    )
    why = "{where}: not found, or unmatched, since only crowns of one plot are compared. Enter the plot."
    if not named[0].isin(named[1]).any():
        return [
            warning(
                "plots.none_shared",
                f"No plot is on both sides: {what}",
                where=_listed([*alone, *empty]),
            )
        ]
    some_apart = note(
        "plots.some_apart", f"Some plots are on one side only: {what}", where=_listed(alone)
    )
    not_entered = note("plots.not_entered", why, where=_listed(empty))
    return [*[some_apart] * bool(alone), *[not_entered] * bool(empty), *_elsewhere(sides, named)]


def _elsewhere(sides: Sequence[Sequence[Crowns]], named: Sequence[pd.Series]) -> list[Remark]:
    """A warning where the crowns of most plots that both sides name lie apart."""
    bounds = [
        np.concatenate([shapely.bounds(crowns.geometry) for crowns in side]) for side in sides
    ]
    around = [_around(box, plots.to_numpy()) for box, plots in zip(bounds, named)]
    one, other = around[0].align(around[1], join="inner", axis=0)
    gaps = np.maximum(
        one[[0, 1]].to_numpy() - other[[2, 3]], other[[0, 1]].to_numpy() - one[[2, 3]]
    )
    apart = one.index[(gaps > 0).any(axis=1)]
    if 2 * len(apart) <= len(one):
        return []
    said = (
        "The crowns of {plots} lie elsewhere on the two sides, but only crowns of one plot are compared. Choose a "
        "field that names the plots alike, or leave it empty."
    )
    return [warning("plots.elsewhere", said, plots=some(apart.tolist(), 3))]


def _listed(parts: list[Remark]) -> Any:
    return parts[0] if len(parts) == 1 else tuple(parts)


def _named_plots(crowns: Crowns) -> pd.Series:
    """What the plot of each crown is called; None without one."""
    plots = [] if crowns.groups is None else crowns.groups.tolist()
    return pd.Series([None if plot is None else str(plot) for plot in plots], dtype=object)


def unused_plots(layer: str, field: str, across: Bools, plots: int) -> Remark | None:
    """What is to be said of a field that tells plots apart and was not chosen; None where there is one plot.

    Args:
        layer: name of the layer that was compared with the targets.
        field: the field with the plot that both have.
        across: (n,) for each pair of crowns that were compared whether their plots differ; where any do, it matters.
        plots: how many the targets name.
    """
    count = int(np.count_nonzero(across))
    if not count:
        said = (
            "The layers name {plots:,} plots in field '{field}', which is not chosen as the plot: nothing is counted "
            "or resampled by plot."
        )
        return note("plots.known", said, field=field, plots=plots) if plots > 1 else None
    said = (
        "'{layer}' and the targets name the plot in field '{field}', which is not chosen: {count:,} of {all:,} pairs "
        "that were compared are of two plots. Choose it as the plot, so that only crowns of one plot are compared."
    )
    return warning("plots.unused", said, layer=layer, field=field, count=count, all=len(across))


def partly_drawn(
    all_drawn: bool, partial: Remark | None, option: str, undefined: str
) -> Remark | None:
    """What is to be said of crowns nobody drew: which numbers are undefined, or doubtful; None where nothing is.

    Args:
        all_drawn: what the user chose.
        partial: what shows that only some were drawn, see :func:`why_partial`.
        option: label of the choice.
        undefined: the metrics that count false positives.
    """
    if not all_drawn:
        said = "'{option}' is off: crowns that match no target are not judged, and {undefined} are n/a."
        if partial is None:
            return note("drawn.some", said, option=option, undefined=undefined)
        said = "{why}; '{option}' is off: crowns that match no target are not judged, and {undefined} are n/a."
        return note("drawn.some", said, why=partial, option=option, undefined=undefined)
    if partial is None:
        return None
    said = (
        "{why}. Where only some crowns were drawn, those that match no target may be right: switch '{option}' off, "
        "since {undefined} count them as false."
    )
    return warning("drawn.doubtful", said, why=partial, option=option, undefined=undefined)
