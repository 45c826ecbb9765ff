"""Report content of runs that compared annotators or made a consensus."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
from qgis.core import QgsGeometry

from randcrowns.algorithms.agreement import outputs
from randcrowns.algorithms.output import IMAGE, UNIT
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
from randcrowns.layers.styles import SERIES, TARGET
from randcrowns.layers.styles.plots import (
    draw_dendrogram,
    draw_pairs,
    draw_priors,
    draw_ratio,
    matrix_of_pairs,
)
from randcrowns.layers.styles.print_layout import Pages
from randcrowns.layers.words import tr, written


def _comparison_plots(run: RunTables) -> list[Plot]:
    """Return the plots of a comparison: pairwise F1, dendrogram and agreement ratio.

    A plot is omitted if the run lacks its table, or if there are too few annotators.
    """
    annotators = run.table(outputs.ANNOTATOR_TABLE)
    ratio = run.table(outputs.RATIO)
    plots = [
        _pairs_plot(annotators, run.table(outputs.ANNOTATOR_PAIRS)),
        _dendrogram_plot(annotators, run.table(outputs.LINKAGE)),
    ]
    if len(ratio):
        plots.append(Plot(tr("Agreement ratio"), lambda axes: draw_ratio(axes, ratio), 5.5, 3.5))
    return [plot for plot in plots if plot is not None]


def _pairs_plot(annotators: pd.DataFrame, pairs: pd.DataFrame) -> Plot | None:
    """Return the plot of the pairwise F1; None if not every pair has a row."""
    names = list(annotators.get("annotator", ()))
    n_pairs = len(names) * (len(names) - 1) // 2
    if len(names) < 2 or len(pairs) != n_pairs:
        return None
    f1 = matrix_of_pairs(pairs["f1"].to_numpy(dtype=float), len(names), 1.0)
    title = tr("F1 of every two annotators")
    return Plot(title, lambda axes: draw_pairs(axes, f1, names), 5.5, 5.0)


def _dendrogram_plot(annotators: pd.DataFrame, linkage: pd.DataFrame) -> Plot | None:
    """Return the plot of Ward's clustering; None for fewer than three annotators."""
    names = list(annotators.get("annotator", ()))
    if len(names) < 3 or not len(linkage):
        return None
    colours = {name: SERIES[position % len(SERIES)] for position, name in enumerate(names)}
    is_outlier = annotators["outlier"].to_numpy(dtype=float) == 1
    return Plot(
        tr("Clusters of annotators"),
        lambda axes: draw_dendrogram(axes, linkage, names, colours, is_outlier),
    )


def _disagreement_sheets(run: RunTables, max_areas: int) -> list[CrownSheet]:
    """Return a sheet with the largest disagreements, at most ``max_areas``; none without any."""
    disagreements = run.table(outputs.DISAGREEMENTS)
    outlines = run.shapes.get(outputs.DISAGREEMENTS.id, ())
    unit = _length_unit(run)
    items = []
    for row in range(min(max_areas, len(disagreements))):
        disagreement = disagreements.iloc[row]
        area = f"{written(float(disagreement['area']), 1)} {unit}²"
        description = tr(
            "Marked by {yes}; not by {no}.",
            yes=disagreement["yes"] or tr("nobody"),
            no=disagreement["no"] or tr("nobody"),
        )
        item = ShownCrown(
            name=tr("Area {rank}", rank=disagreement["rank"]),
            numbers=[(tr("area"), area)],
            problem="",
            cause=description,
            outlines=[(QgsGeometry(outlines[row]), TARGET)],
            system=run.systems[outputs.DISAGREEMENTS.id],
        )
        items.append(item)
    if not items:
        return []
    description = tr("Areas where annotators differ, the largest first.")
    return [CrownSheet(tr("Largest disagreements"), description, items)]


def _length_unit(run: RunTables) -> str:
    """Return the unit of lengths of a run, ``m`` or ``px``."""
    return str(run.record.results.get(UNIT.id) or "m")


def _rows_of_all_images(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the first row of each statistic, which is for all images together."""
    return summary.drop_duplicates("statistic", ignore_index=True)


#: Report content of randcrowns:compareannotators.
COMPARED = Showing(
    tables=(
        ShownTable(
            outputs.SUMMARY, ("meaning", "value", "unit"), tr("Agreement"), _rows_of_all_images
        ),
        ShownTable(outputs.ANNOTATOR_TABLE),
        ShownTable(outputs.ANNOTATOR_PAIRS, ("first", "second", "f1", "shared", "pq", "matched")),
        ShownTable(outputs.IMAGE_TABLE),
    ),
    map=(outputs.AGREEMENT,),
    read=(outputs.AGREEMENT, outputs.RATIO, outputs.LINKAGE, outputs.DISAGREEMENTS),
    plots=_comparison_plots,
    crowns=_disagreement_sheets,
)


def _disagreement_pages(_record: Record, names: Sequence[str], _shown: str) -> Pages:
    """Return the print pages of the disagreements; ``names`` are the fields of the layer."""
    fields = ("rank", "area", "yes", "no")
    columns = ("meaning", "value", "low", "high", "unit")
    plot_field = IMAGE.name if IMAGE.name in names else ""
    return Pages(
        tr("Area {name}"), "rank", "area", fields, largest=True, plot=plot_field, columns=columns
    )


#: Print layout of randcrowns:compareannotators.
PRINTED = Printed(
    tr("largest disagreements"), outputs.DISAGREEMENTS, outputs.SUMMARY, _disagreement_pages
)


def _prior_plots(run: RunTables) -> list[Plot]:
    """Return the plot of the marked area by STAPLE's prior; none if the run has no such table."""
    priors = run.table(outputs.PRIORS)
    if not len(priors):
        return []
    result = run.record.results.get("PRIOR_USED")
    used_prior = float(result) if isinstance(result, (int, float)) else math.nan
    unit = _length_unit(run)
    return [
        Plot(
            tr("Effect of STAPLE's prior"),
            lambda axes: draw_priors(axes, priors, used_prior, math.nan, unit),
        )
    ]


#: Report content of randcrowns:consensus.
CONSENSUS_MADE = Showing(
    tables=(ShownTable(outputs.PERFORMANCE), ShownTable(outputs.PRIORS)),
    map=(replace(outputs.CONSENSUS, shown=True),),
    read=(outputs.CONSENSUS,),
    plots=_prior_plots,
)
