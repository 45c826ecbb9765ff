"""What a report shows of runs that measured annotators' variance, or chose parameters by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from randcrowns.algorithms.record import Record
from randcrowns.algorithms.showing import (
    CrownSheet,
    Plot,
    Printed,
    RunTables,
    Showing,
    ShownCrown,
    ShownTable,
)
from randcrowns.algorithms.tuning.outputs import (
    BEST_VARIANCE,
    CROWNS,
    DRAWINGS,
    GRID,
    LEFT_OUT,
    RECOMMENDED,
    VARIANCE,
)
from randcrowns.core.scoring.layer import SCORE_NAMES, SCORES
from randcrowns.layers.styles import SERIES, TARGET
from randcrowns.layers.styles.figures import draw_scatter, draw_variances
from randcrowns.layers.styles.print_layout import Pages
from randcrowns.layers.words import tr, written

_LOOKS = {"worst": tr("Worst crowns"), "typical": tr("Typical crowns")}


def _scatter(run: RunTables) -> list[Plot]:
    drawings = run.table(DRAWINGS)
    if not len(drawings):
        return []
    return [
        Plot(
            tr("RandCrowns and IoU of every pair"),
            lambda axes: draw_scatter(axes, drawings),
            7.0,
            5.0,
        )
    ]


def _variances(run: RunTables) -> list[Plot]:
    grid, recommended = run.table(GRID), run.table(RECOMMENDED)
    if not len(grid):
        return []
    best = recommended.iloc[0] if len(recommended) else grid.iloc[0]
    chosen = (float(best["alpha"]), float(best["omega"])) if len(recommended) else None
    gamma = float(best["gamma"])

    def draw(axes: Any) -> None:
        draw_variances(axes, grid, gamma, chosen)

    return [Plot(tr("Variance of RandCrowns at the gamma of the best set"), draw, 6.0, 4.5)]


def _sheets(run: RunTables, number: int) -> list[CrownSheet]:
    crowns, sheets = run.table(CROWNS), []
    if not len(crowns):
        return []
    colours = tr("Red: the target; other colours: its delineations.")
    for look, title in _LOOKS.items():
        chosen = crowns.assign(row=np.arange(len(crowns)))[crowns["look"] == look].sort_values(
            "place"
        )
        shown = [_crown(run, crown) for _, crown in chosen.head(number).iterrows()]
        sheets += [CrownSheet(title, colours, shown)] if shown else []
    return sheets


def _crown(run: RunTables, crown: pd.Series) -> ShownCrown:
    drawings = run.table(DRAWINGS)
    rows = np.flatnonzero(drawings["target"] == crown["target"]).tolist() if len(drawings) else []
    outlines = [
        (run.shapes[DRAWINGS.id][row], SERIES[place % len(SERIES)])
        for place, row in enumerate(rows)
    ]
    numbers = [
        *((name, written(float(crown[f"{score}_mean"]), 2)) for score, name in SCORE_NAMES.items()),
        (tr("variance"), written(float(crown["randcrowns_variance"]), -2)),
    ]
    outlines.append((run.shapes[CROWNS.id][int(crown["row"])], TARGET))
    name = f"{crown['target_annotator']} {crown['target_id']}"
    return ShownCrown(name, numbers, "", "", outlines, run.systems[CROWNS.id])


#: Of randcrowns:annotatorvariance.
VARIANCE_SHOWN = Showing(
    tables=(ShownTable(VARIANCE), ShownTable(LEFT_OUT, ("annotator", "crown_id", "reason"))),
    map=(CROWNS,),
    read=(CROWNS, DRAWINGS),
    plots=_scatter,
    crowns=_sheets,
)
#: Of randcrowns:tuneparameters.
SEARCH_SHOWN = Showing(
    tables=(ShownTable(RECOMMENDED), ShownTable(BEST_VARIANCE)), read=(GRID,), plots=_variances
)


def _pages(_record: Record, _names: Sequence[str], _shown: str) -> Pages:
    scores = [f"{score}_{end}" for score in SCORES[:2] for end in ("mean", "variance")]
    columns = (
        "target_annotator",
        "crowns",
        "missed",
        *(f"{score}_variance" for score in SCORE_NAMES),
    )
    fields = ("target_id", "target_annotator", *scores)
    return Pages(
        tr("Target {name}"),
        "target_id",
        "randcrowns_variance",
        fields,
        largest=True,
        columns=columns,
    )


#: Of randcrowns:annotatorvariance.
PRINTED = Printed(tr("worst crowns"), CROWNS, VARIANCE, _pages, plots=False)
