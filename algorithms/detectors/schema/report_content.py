"""Report content of runs that ranked detectors."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from randcrowns.algorithms.detectors.schema import outputs
from randcrowns.algorithms.detectors.schema.explore_content import explore_ranking
from randcrowns.algorithms.detectors.schema.outputs import AREAS, CROWNS
from randcrowns.algorithms.output_types import IMAGE
from randcrowns.algorithms.provenance import Provenance
from randcrowns.algorithms.report_content import (
    PrintContent,
    ReportContent,
    ReportTable,
    RunOutputs,
    single_figure,
)
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.plots import P_BAR_CURVE, PRECISION_CURVE, draw_curves
from randcrowns.layers.styles.print_layout import AtlasPages
from randcrowns.report.content import Figure


def _curve_plots(run: RunOutputs) -> list[Figure]:
    """Return the plots of the curves: whole crowns and areas, as far as the run has them."""
    curves = run.table(outputs.CURVES)
    if not len(curves):
        return []
    plots = []
    for counted, column, title in (
        (CROWNS, PRECISION_CURVE, tr("Precision and recall of whole crowns")),
        (AREAS, P_BAR_CURVE, tr("P̄ and recall of areas, under all ground truths")),
    ):
        rows = curves[(curves["counted"] == counted) & curves[column].notna()]
        if len(rows):
            plots.append(_curve_plot(title, rows, column))
    return plots


def _curve_plot(title: str, curves: pd.DataFrame, column: str) -> Figure:
    """Return a plot of curves over recall; ``column`` is that of the vertical axis."""
    detectors = list(dict.fromkeys(curves["detector"]))
    return single_figure(
        title, lambda axes: draw_curves(axes, curves, detectors, column, ""), 7.5, 4.5
    )


#: Report content of randcrowns:rankdetectors.
RANKING_REPORT = ReportContent(
    tables=(
        ReportTable(
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
        ReportTable(outputs.RANKINGS),
        ReportTable(outputs.CERTAINTY_TABLE),
        ReportTable(outputs.CORRELATIONS),
        ReportTable(outputs.COCO),
    ),
    map=(outputs.TRUTH_POLYGONS,),
    extra_outputs=(outputs.CURVES, outputs.TRUTH_POLYGONS),
    plots=_curve_plots,
    explore=explore_ranking,
)


def _truth_pages(_record: Provenance, names: Sequence[str], _shown: str) -> AtlasPages:
    """Return the print pages of the ground truths; ``names`` are the fields of the layer."""
    plot_field = IMAGE.name if IMAGE.name in names else ""
    fields = ("truth", "area", plot_field)
    columns = ("counted", "detector", "truth", "value", "rank", "skew")
    return AtlasPages("{name}", "truth", "area", fields, True, 50, plot_field, columns)


#: Print layout of randcrowns:rankdetectors.
RANKING_PRINT = PrintContent(
    tr("ground truths"), outputs.TRUTH_POLYGONS, outputs.AUCR, _truth_pages
)
