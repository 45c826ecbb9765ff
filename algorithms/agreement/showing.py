"""What a report shows of runs that compared annotators, or made their consensus."""

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


def _plots(run: RunTables) -> list[Plot]:
    people, pairs, ratio, links = (
        run.table(one)
        for one in (
            outputs.ANNOTATOR_TABLE,
            outputs.ANNOTATOR_PAIRS,
            outputs.RATIO,
            outputs.LINKAGE,
        )
    )
    names = list(people.get("annotator", ()))
    plots = []
    if len(names) > 1 and len(pairs) == len(names) * (len(names) - 1) // 2:
        f1 = matrix_of_pairs(pairs["f1"].to_numpy(dtype=float), len(names), 1.0)
        plots.append(
            Plot(
                tr("F1 of every two annotators"), lambda axes: draw_pairs(axes, f1, names), 5.5, 5.0
            )
        )
    if len(names) > 2 and len(links):
        colours = {name: SERIES[place % len(SERIES)] for place, name in enumerate(names)}
        outlier = people["outlier"].to_numpy(dtype=float) == 1
        plots.append(
            Plot(
                tr("Clusters of annotators"),
                lambda axes: draw_dendrogram(axes, links, names, colours, outlier),
            )
        )
    if len(ratio):
        plots.append(Plot(tr("Agreement ratio"), lambda axes: draw_ratio(axes, ratio), 5.5, 3.5))
    return plots


def _places(run: RunTables, number: int) -> list[CrownSheet]:
    places, shapes = run.table(outputs.DISAGREEMENTS), run.shapes.get(outputs.DISAGREEMENTS.id, ())
    unit = str(run.record.results.get(UNIT.id) or "m")
    shown = []
    for row in range(min(number, len(places))):
        place, outline = places.iloc[row], QgsGeometry(shapes[row])
        area = f"{written(float(place['area']), 1)} {unit}²"
        said = tr(
            "Marked by {yes}; not by {no}.",
            yes=place["yes"] or tr("nobody"),
            no=place["no"] or tr("nobody"),
        )
        name = tr("Place {rank}", rank=place["rank"])
        shown.append(
            ShownCrown(
                name,
                [(tr("area"), area)],
                "",
                said,
                [(outline, TARGET)],
                run.systems[outputs.DISAGREEMENTS.id],
            )
        )
    about = tr("Places where annotators differ, the largest first.")
    return [CrownSheet(tr("Largest disagreements"), about, shown)] if shown else []


def _first_of_each(summary: pd.DataFrame) -> pd.DataFrame:
    """Of several images the rows of all images."""
    return summary.drop_duplicates("statistic", ignore_index=True)


#: Of randcrowns:compareannotators.
COMPARED = Showing(
    tables=(
        ShownTable(outputs.SUMMARY, ("meaning", "value", "unit"), tr("Agreement"), _first_of_each),
        ShownTable(outputs.ANNOTATOR_TABLE),
        ShownTable(outputs.ANNOTATOR_PAIRS, ("first", "second", "f1", "shared", "pq", "matched")),
        ShownTable(outputs.IMAGE_TABLE),
    ),
    map=(outputs.AGREEMENT,),
    read=(outputs.AGREEMENT, outputs.RATIO, outputs.LINKAGE, outputs.DISAGREEMENTS),
    plots=_plots,
    crowns=_places,
)


def _pages(_record: Record, names: Sequence[str], _shown: str) -> Pages:
    fields, columns = ("rank", "area", "yes", "no"), ("meaning", "value", "low", "high", "unit")
    plot = IMAGE.name if IMAGE.name in names else ""
    return Pages(
        tr("Place {name}"), "rank", "area", fields, largest=True, plot=plot, columns=columns
    )


#: Of randcrowns:compareannotators.
PRINTED = Printed(tr("largest disagreements"), outputs.DISAGREEMENTS, outputs.SUMMARY, _pages)


def _prior_plot(run: RunTables) -> list[Plot]:
    priors, used = run.table(outputs.PRIORS), run.record.results.get("PRIOR_USED")
    known = float(used) if isinstance(used, (int, float)) else math.nan
    unit = str(run.record.results.get(UNIT.id) or "m")
    title = tr("Effect of STAPLE's prior")
    return (
        [Plot(title, lambda axes: draw_priors(axes, priors, known, math.nan, unit))]
        if len(priors)
        else []
    )


#: Of randcrowns:consensus.
CONSENSUS_MADE = Showing(
    tables=(ShownTable(outputs.PERFORMANCE), ShownTable(outputs.PRIORS)),
    map=(replace(outputs.CONSENSUS, shown=True),),
    read=(outputs.CONSENSUS,),
    plots=_prior_plot,
)
