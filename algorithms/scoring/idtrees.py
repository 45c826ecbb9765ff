"""The IDTReeS 2020 preset over plots: which crowns belong to which plot, and the tables of a run."""

from __future__ import annotations

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress
from randcrowns.core.scoring.idtrees import idtrees_scores
from randcrowns.core.scoring.layer import SCORES, CrownScores, summarise
from randcrowns.core.status import Status

_PIXELS_PER_METRE = 10
_SIDE = 20.0
_TERMS = ("a", "b", "c", "d", "tau")


def unlike_images(plots: Floats) -> Ints:
    """Rows of the plots that are not 20 x 20 m, as the competition's images are."""
    sides = plots[:, 2:] - plots[:, :2]
    return np.flatnonzero((np.abs(sides - _SIDE) > 0.5 / _PIXELS_PER_METRE).any(axis=1))


def plot_of_targets(targets: Crowns, plots: Floats) -> Ints:
    """(n,) row of the plot of each target, -1 for none: the one that most of the target's group lies in, or without
    groups most of the target itself.

    Args:
        targets: the crowns.
        plots: (p, 4) xmin, ymin, xmax, ymax of the images.
    """
    boxes = shapely.box(*plots.T)
    target, plot = shapely.STRtree(boxes).query(targets.geometry, predicate="intersects")
    shared = shapely.area(shapely.intersection(targets.geometry[target], boxes[plot]))
    keys = np.arange(len(targets))
    if targets.groups is not None:
        keys = pd.factorize(pd.Series(targets.groups, dtype=object), use_na_sentinel=False)[0]
    by_key = pd.DataFrame({"key": keys[target], "plot": plot, "shared": shared})
    sums = by_key.groupby(["key", "plot"], as_index=False)["shared"].sum()
    best = sums.sort_values(["key", "shared", "plot"], ascending=[True, False, True]).drop_duplicates("key")
    plot_of_key = pd.Series(best["plot"].to_numpy(), index=best["key"].to_numpy())
    found = plot_of_key.reindex(keys).fillna(-1).to_numpy(dtype=np.int64)
    met = pd.MultiIndex.from_arrays([target, plot])
    inside = pd.MultiIndex.from_arrays([np.arange(len(targets)), found]).isin(met)
    return np.where(inside, found, -1)


def score_plots(
    targets: Crowns,
    delineations: Crowns,
    plots: Floats,
    plot_of: Ints,
    *,
    randcrowns_threshold: float,
    progress: Progress,
) -> CrownScores:
    """Score every plot as the toolbox does.

    Args:
        targets: crowns that belong to a plot.
        delineations: what was submitted, for all plots together.
        plots: (p, 4) xmin, ymin, xmax, ymax.
        plot_of: (n,) row of each target's plot.
        randcrowns_threshold: from where on a crown counts as found.
        progress: told the fraction done.

    Returns:
        The tables of :func:`randcrowns.core.scoring.layer.score_crowns`; the pairs are those matched by RandCrowns.
        ``iou`` comes of a matching of its own, so it may belong to another delineation; IoUCrowns, the terms and
        tau have no place in the toolbox and are NaN.
    """
    if (plot_of < 0).any():
        raise InputError("Every target must lie in a plot.")
    n = len(targets)
    scores = np.zeros((2, n))
    match = np.full(n, -1, dtype=np.int64)
    used = np.unique(plot_of)
    for done, plot in enumerate(used):
        progress(done / len(used))
        some = np.flatnonzero(plot_of == plot)
        drawn = _submitted(targets, delineations, some)
        size = round(float(np.max(plots[plot, 2:] - plots[plot, :2])) * _PIXELS_PER_METRE)
        table = idtrees_scores(targets.geometry[some], delineations.geometry[drawn], plots[plot], image_size=size)
        scores[:, some] = table[["randcrowns", "iou"]].to_numpy().T
        row = table["submission"].to_numpy()
        match[some[row >= 0]] = drawn[row[row >= 0]]
    per_target = _target_table(targets, delineations, scores, match)
    per_delineation = _delineation_table(per_target, targets, delineations, match)
    summary = summarise(per_target, per_delineation, randcrowns_threshold=randcrowns_threshold)
    paired = per_target.loc[
        match >= 0, ["target_id", "delineation_id", "distance", "randcrowns", "iou", "iou_crowns", *_TERMS, "status"]
    ].copy()
    paired.insert(0, "delineation", match[match >= 0])
    paired.insert(0, "target", np.flatnonzero(match >= 0))
    paired["assigned"] = True
    return CrownScores(per_target, per_delineation, summary, paired.reset_index(drop=True))


def _submitted(targets: Crowns, delineations: Crowns, some: Ints) -> Ints:
    """Rows of the delineations that may belong to the plot of these targets; those off the image are dropped later."""
    if targets.groups is None or delineations.groups is None:
        return np.arange(len(delineations))
    wanted = set(targets.groups[some])
    return np.flatnonzero([group in wanted for group in delineations.groups])


def _target_table(targets: Crowns, delineations: Crowns, scores: Floats, match: Ints) -> pd.DataFrame:
    matched = match >= 0
    distance = np.full(len(targets), np.nan)
    distance[matched] = shapely.distance(
        shapely.centroid(targets.geometry[matched]), shapely.centroid(delineations.geometry[match[matched]])
    )
    ids = pd.array([pd.NA] * len(targets), dtype="Int64")
    ids[matched] = delineations.ids[match[matched]]
    return pd.DataFrame(
        {
            "target_id": targets.ids,
            "group": np.full(len(targets), None) if targets.groups is None else targets.groups,
            "delineation_id": ids,
            "n_delineations": matched.astype(np.int64),
            "distance": distance,
            "randcrowns": scores[0],
            "iou": scores[1],
            "iou_crowns": np.nan,
            **dict.fromkeys(_TERMS, np.nan),
            "area": shapely.area(targets.geometry),
            "status": np.where(matched, Status.SCORED.value, Status.UNMATCHED.value).astype(object),
            "best_iou": scores[1],
            "best_randcrowns": scores[0],
        }
    )


def _delineation_table(per_target: pd.DataFrame, targets: Crowns, delineations: Crowns, match: Ints) -> pd.DataFrame:
    served = np.full(len(delineations), -1, dtype=np.int64)
    served[match[match >= 0]] = np.flatnonzero(match >= 0)
    matched = served >= 0
    ids = pd.array([pd.NA] * len(delineations), dtype="Int64")
    ids[matched] = targets.ids[served[matched]]
    scores = per_target[list(SCORES)].reindex(served).reset_index(drop=True)
    return pd.DataFrame(
        {
            "delineation_id": delineations.ids,
            "group": np.full(len(delineations), None) if delineations.groups is None else delineations.groups,
            "target_id": ids,
            "n_targets": matched.astype(np.int64),
            **{name: scores[name] for name in SCORES},
            "area": shapely.area(delineations.geometry),
            "status": np.where(matched, Status.MATCHED.value, Status.UNMATCHED.value).astype(object),
        }
    )
