"""Do annotators see the same crowns? Agreement crown by crown, where the vote table counts area only.

Panoptic quality is that of Kirillov et al. 2019. A split is a crown of one annotator in which another drew several, a
merge the other way around.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import cut_to, polygonal
from randcrowns.core.geometry.overlay import single_polygons
from randcrowns.core.instances.metrics import merges, panoptic_quality, splits
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.progress import Progress, no_progress

#: Columns of the table of annotator pairs.
COLUMNS = ("first", "second", "pq", "sq", "rq", "matched", "only_first", "only_second", "splits", "merges")


def annotator_instances(
    layers: Sequence[Any] | Mapping[str, Any],
    area: Any = None,
    *,
    names: Sequence[str] = (),
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Compare the crowns of every two annotators.

    Args:
        layers: crowns of each annotator as in :meth:`randcrowns.core.agreement.votes.VoteTable.from_polygons`; here
            each geometry is one crown.
        area: study area, one polygon or several; crowns are cut by it, and those outside are excluded.
        names: names of the annotators.
        progress: receives the fraction of pairs done.

    Returns:
        A row per pair: names ``first`` and ``second``, ``pq``, ``sq``, ``rq``, ``matched``, ``only_first``,
        ``only_second``, ``splits`` (crowns of the first in which the second drew several) and ``merges`` (crowns of the
        second in which the first drew several).

    >>> layers = {"ann": [shapely.box(0, 0, 2, 2)], "ben": [shapely.box(0, 0, 2, 1.5)]}
    >>> annotator_instances(layers)[["pq", "matched"]].to_numpy().tolist()
    [[0.75, 1.0]]
    """
    if isinstance(layers, Mapping):
        names = names or [str(name) for name in layers]
        layers = list(layers.values())
    names = [str(name) for name in names] or [str(k + 1) for k in range(len(layers))]
    if len(names) != len(layers):
        raise InputError(f"There are {len(layers)} annotators but {len(names)} names.")
    study = None if area is None else shapely.union_all(single_polygons(area, "The study area")[0])
    crowns = [_crowns(layer, name, study) for layer, name in zip(layers, names)]
    pairs = [(i, j) for i in range(len(crowns)) for j in range(i + 1, len(crowns))]
    rows = []
    for number, (i, j) in enumerate(pairs):
        table = polygon_overlap(crowns[i], crowns[j])
        quality = panoptic_quality(table)
        n_splits, n_merges = int((splits(table) > 1).sum()), int((merges(table) > 1).sum())
        rows.append((names[i], names[j], *quality, n_splits, n_merges))
        progress((number + 1) / len(pairs))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _crowns(layer: Any, name: str, area: Any) -> Crowns:
    """Valid polygons and multipolygons with an area, cut by the study area."""
    given = np.atleast_1d(np.asarray(getattr(layer, "geometry", layer), dtype=object)).ravel()
    if not np.all(shapely.is_geometry(given) | shapely.is_missing(given)):
        raise InputError(f"Annotator {name}: every item must be a shapely geometry or None.")
    crowns = given[~shapely.is_missing(given)]
    crowns = np.where(shapely.is_valid(crowns), crowns, shapely.make_valid(crowns))
    crowns = polygonal(cut_to(area, crowns))
    return Crowns(crowns[shapely.area(crowns) > 0], name=f"Annotator {name}")
