"""What a report shows of a run that ranked detectors."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from randcrowns.algorithms.detectors import outputs
from randcrowns.algorithms.detectors.tables import AREAS, CROWNS
from randcrowns.algorithms.output import IMAGE
from randcrowns.algorithms.record import Record
from randcrowns.algorithms.showing import Plot, Printed, RunTables, Showing, ShownTable
from randcrowns.layers.styles.plots import P_BAR, PRECISION, draw_curves
from randcrowns.layers.styles.print_layout import Pages
from randcrowns.layers.words import tr


def _plots(run: RunTables) -> list[Plot]:
    curves, plots = run.table(outputs.CURVES), []
    for counted, kind, title in (
        (CROWNS, PRECISION, tr("Precision and recall of whole crowns")),
        (AREAS, P_BAR, tr("P̄ and recall of areas, under all ground truths")),
    ):
        some = (
            curves[(curves["counted"] == counted) & curves[kind].notna()] if len(curves) else curves
        )
        if len(some):
            plots.append(_plot(title, some, kind))
    return plots


def _plot(title: str, curves: pd.DataFrame, kind: str) -> Plot:
    detectors = list(dict.fromkeys(curves["detector"]))
    return Plot(title, lambda axes: draw_curves(axes, curves, detectors, kind, ""), 7.5, 4.5)


#: Of randcrowns:rankdetectors.
SHOWING = Showing(
    tables=(
        ShownTable(
            outputs.AUCR,
            (
                "counted",
                "measure",
                "detector",
                "truth",
                "value",
                "rank",
                "skew",
                "crown_recall",
                "reason",
            ),
        ),
        ShownTable(outputs.RANKINGS),
        ShownTable(outputs.CERTAINTY_TABLE),
        ShownTable(outputs.CORRELATIONS),
        ShownTable(outputs.COCO),
    ),
    map=(outputs.TRUTH_POLYGONS,),
    read=(outputs.CURVES, outputs.TRUTH_POLYGONS),
    plots=_plots,
)


def _pages(_record: Record, names: Sequence[str], _shown: str) -> Pages:
    plot = IMAGE.name if IMAGE.name in names else ""
    columns = ("counted", "detector", "truth", "value", "rank", "skew")
    return Pages("{name}", "truth", "area", ("truth", "area", plot), True, 50, plot, columns)


#: Of randcrowns:rankdetectors.
PRINTED = Printed(tr("ground truths"), outputs.TRUTH_POLYGONS, outputs.AUCR, _pages)
