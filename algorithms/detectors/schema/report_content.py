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
    ReportAnswer,
    ReportContent,
    ReportTable,
    RunOutputs,
    single_figure,
)
from randcrowns.layers.localization import format_value, tr
from randcrowns.layers.styles.plots import P_BAR_CURVE, PRECISION_CURVE, draw_curves
from randcrowns.layers.styles.print_layout import AtlasPages
from randcrowns.report.content import Figure, Part
from randcrowns.report.detector_content import (
    ranking_answer,
    ranking_details,
    rows_with_value,
)


def _answer(run: RunOutputs) -> ReportAnswer:
    """Return which detector is the best, with a table that replaces the numbers."""
    answer = ranking_answer(
        run.record.headline, run.table(outputs.AUCR), run.table(outputs.CERTAINTY_TABLE)
    )
    return ReportAnswer(answer.sentences, answer.table, has_conclusion=False)


def _details(run: RunOutputs) -> list[Part]:
    """Return the part on the certainty of the ranking."""
    return ranking_details(run.record.headline)


def _curve_plots(run: RunOutputs) -> list[Figure]:
    """Return the plots of the curves: whole crowns and areas, as far as the run has them."""
    curves = run.table(outputs.CURVES)
    if not len(curves):
        return []
    plots = []
    by_crowns = curves[(curves["counted"] == CROWNS) & curves[PRECISION_CURVE].notna()]
    if len(by_crowns):
        caption = tr(
            "{detectors} detectors, {annotators} annotators. A line per detector and annotator: "
            "each point counts the crowns above a score. Curves further up and right are better.",
            detectors=by_crowns["detector"].nunique(),
            annotators=by_crowns["truth"].nunique(),
        )
        title = tr("Precision and recall of whole crowns")
        plots.append(_curve_plot(title, by_crowns, PRECISION_CURVE, caption))
    by_area = curves[(curves["counted"] == AREAS) & curves[P_BAR_CURVE].notna()]
    if len(by_area):
        caption = tr(
            "{detectors} detectors, {truths} ground truths. Lines: medians over the ground truths; "
            "bands: lowest to highest value. P̄ is the precision, averaged over shares of the area "
            "that crowns may cover. Curves further up and right are better.",
            detectors=by_area["detector"].nunique(),
            truths=by_area["truth"].nunique(),
        )
        title = tr("P̄ and recall of areas, under all ground truths")
        plots.append(_curve_plot(title, by_area, P_BAR_CURVE, caption))
    return plots


def _curve_plot(title: str, curves: pd.DataFrame, column: str, caption: str) -> Figure:
    """Return a plot of curves over recall.

    Args:
        title: title of the figure.
        curves: rows of the curves.
        column: column of the vertical axis.
        caption: caption of the figure.
    """
    detectors = list(dict.fromkeys(curves["detector"]))
    return single_figure(
        title,
        lambda axes: draw_curves(axes, curves, detectors, column, ""),
        caption,
        _describe_curves(curves, column),
        (5.2, 3.4),
    )


def _describe_curves(curves: pd.DataFrame, column: str) -> str:
    """Return the mean of the curves of each detector as a text, for readers who cannot see them."""
    means = curves.astype({column: float}).groupby("detector", sort=False)[column].mean()
    texts = tuple(f"{name} {format_value(float(mean), 2)}" for name, mean in means.items())
    return tr("Mean precision along the curves: {numbers}", numbers=texts)


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
                "crown_recall_iou",
                "reason",
            ),
            select_rows=rows_with_value,
        ),
        ReportTable(outputs.RANKINGS),
        ReportTable(outputs.CERTAINTY_TABLE),
        ReportTable(outputs.CORRELATIONS),
        ReportTable(outputs.COCO),
        ReportTable(outputs.LOOK_AGAIN),
    ),
    map=(outputs.TRUTH_POLYGONS,),
    extra_outputs=(outputs.CURVES, outputs.TRUTH_POLYGONS),
    answer=_answer,
    plots=_curve_plots,
    further=_details,
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
