"""Every detector's crowns under every annotator's as COCO judges them, and at several thresholds of IoU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.crowns import CrownRanking
from randcrowns.core.instances.average_precision import (
    COCO_METRICS,
    coco_metrics,
    thresholds_side_by_side,
)
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.progress import Progress, no_progress, steps


class CocoRanking(NamedTuple):
    """COCO's numbers of detectors."""

    #: Columns detector, truth and :data:`randcrowns.core.instances.average_precision.COCO_METRICS`; NaN where the
    #: ranking has no value.
    metrics: pd.DataFrame
    #: Columns detector, truth and those of :func:`randcrowns.core.instances.average_precision.thresholds_side_by_side`.
    thresholds: pd.DataFrame
    #: By detector, the most detections that come after the 100th of their plot, under any annotator.
    beyond: dict[str, int]


def coco_ranking(
    ranking: CrownRanking,
    targets: Mapping[str, Crowns],
    detections: Mapping[str, tuple[Crowns, Floats]],
    *,
    all_drawn: bool = True,
    on_ignored: Mapping[str, Floats] | None = None,
    progress: Progress = no_progress,
) -> CocoRanking:
    """COCO's numbers of what a ranking judged.

    Args:
        ranking: of :func:`randcrowns.core.detectors.crowns.rank_crown_detectors`, with the same arguments. What it does
            not judge does not count here, but for what lies on areas to ignore, which COCO judges at each IoU anew;
            plots stand for images.

    >>> import shapely
    >>> from randcrowns.core.detectors.crowns import rank_crown_detectors
    >>> from randcrowns.core.scoring.parameters import RandCrownsParameters
    >>> trees = {"ann": Crowns([shapely.box(0, 0, 5, 5)])}
    >>> found = {"all": (trees["ann"], np.array([0.9]))}
    >>> ranking = rank_crown_detectors(trees, found, RandCrownsParameters(0.7, 1.2, 3))
    >>> float(round(coco_ranking(ranking, trees, found).metrics.loc[0, "ap"], 9))
    1.0
    """
    rows, tables = [], []
    beyond: dict[str, int] = {}
    recall = ranking.counts.set_index(["detector", "truth"])["recall"]
    for judged, share in steps(ranking.judged, progress):
        crowns, confidence = detections[judged.detector]
        wanted = targets[judged.truth].subset(judged.targets)
        places = np.sort(np.concatenate([judged.detections, judged.ignored]))
        found, sure = crowns.subset(places), confidence[places]
        table, plots = polygon_overlap(wanted, found, share), _plots(wanted, found)
        lying = None if on_ignored is None else on_ignored[judged.detector][places]
        metrics = coco_metrics(table, sure, plots=plots, on_ignored=lying, all_drawn=all_drawn)
        side_by_side = thresholds_side_by_side(
            table, sure, plots=plots, on_ignored=lying, all_drawn=all_drawn
        )
        values = [getattr(metrics, name) for name in COCO_METRICS]
        if np.isnan(recall[judged.detector, judged.truth]):
            values, side_by_side = [np.nan] * len(values), side_by_side.assign(ap=np.nan)
        rows.append([judged.detector, judged.truth, *values])
        tables.append(side_by_side.assign(detector=judged.detector, truth=judged.truth))
        beyond[judged.detector] = max(beyond.get(judged.detector, 0), metrics.beyond)
    names = ["detector", "truth"]
    thresholds = pd.concat(tables, ignore_index=True)
    return CocoRanking(
        pd.DataFrame(rows, columns=[*names, *COCO_METRICS]),
        thresholds[[*names, *thresholds.columns.difference(names, sort=False)]],
        {name: count for name, count in beyond.items() if count},
    )


def _plots(targets: Crowns, detections: Crowns) -> tuple[Ints, Ints] | None:
    """Numbers of the plots of both sides, in the order of their names; None where a side has none."""
    if targets.groups is None or detections.groups is None:
        return None
    codes = pd.factorize(
        np.concatenate([targets.groups, detections.groups]).astype(str), sort=True
    )[0]
    return codes[: len(targets)], codes[len(targets) :]
