"""Report content of runs that ranked detectors."""

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


def _curve_plots(run: RunTables) -> list[Plot]:
    """Return the plots of the curves: whole crowns and areas, as far as the run has them."""
    curves = run.table(outputs.CURVES)
    if not len(curves):
        return []
    plots = []
    for counted, column, title in (
        (CROWNS, PRECISION, tr("Precision and recall of whole crowns")),
        (AREAS, P_BAR, tr("P̄ and recall of areas, under all ground truths")),
    ):
        rows = curves[(curves["counted"] == counted) & curves[column].notna()]
        if len(rows):
            plots.append(_curve_plot(title, rows, column))
    return plots


def _curve_plot(title: str, curves: pd.DataFrame, column: str) -> Plot:
    """Return a plot of curves over recall; ``column`` is that of the vertical axis."""
    detectors = list(dict.fromkeys(curves["detector"]))
    return Plot(title, lambda axes: draw_curves(axes, curves, detectors, column, ""), 7.5, 4.5)


#: Report content of randcrowns:rankdetectors.
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
    plots=_curve_plots,
)


def _truth_pages(_record: Record, names: Sequence[str], _shown: str) -> Pages:
    """Return the print pages of the ground truths; ``names`` are the fields of the layer."""
    plot_field = IMAGE.name if IMAGE.name in names else ""
    fields = ("truth", "area", plot_field)
    columns = ("counted", "detector", "truth", "value", "rank", "skew")
    return Pages("{name}", "truth", "area", fields, True, 50, plot_field, columns)


#: Print layout of randcrowns:rankdetectors.
PRINTED = Printed(tr("ground truths"), outputs.TRUTH_POLYGONS, outputs.AUCR, _truth_pages)
