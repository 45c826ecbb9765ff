"""What a report shows of a run that scored crowns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from randcrowns.algorithms.record import Record
from randcrowns.algorithms.scoring import outputs
from randcrowns.algorithms.scoring.choices import GROUP_FIELD
from randcrowns.algorithms.scoring.reviewed import review_of
from randcrowns.algorithms.showing import (
    CrownSheet,
    Plot,
    Printed,
    RunTables,
    Showing,
    ShownCrown,
    ShownTable,
)
from randcrowns.core.review.picks import typical_crowns, worst_crowns
from randcrowns.core.review.problems import Problem
from randcrowns.core.review.verdicts import to_review
from randcrowns.core.scoring.layer import SCORE_NAMES, SCORES
from randcrowns.layers.files.verdicts import hashes_of
from randcrowns.layers.styles import DELINEATION, TARGET
from randcrowns.layers.styles.figures import draw_scatter
from randcrowns.layers.styles.print_layout import Pages
from randcrowns.layers.words import tr, written

_COUNTS = (
    "targets",
    "delineations",
    "matched",
    "missed",
    "unmatched_targets",
    "unmatched_delineations",
    "too_small",
)
_MEANS = tuple(f"{score}_mean" for score in SCORES)
_RATES = tuple(
    f"{rate}_{score}_#" for score in SCORES[:2] for rate in ("recall", "precision", "f1")
)


def _crowns(run: RunTables) -> dict[str, pd.DataFrame]:
    """For each delineation layer a row per target that was compared with it: core's names, and ``row`` of the layer."""
    targets, prefixes, found = (
        run.table(outputs.SCORED_TARGETS),
        outputs.prefixes_of(run.record.results),
        {},
    )
    for layer, prefix in prefixes:
        own = {
            prefix + ending: column for ending, column in zip(outputs.ENDINGS, outputs.SCORE_FIELDS)
        }
        ids = outputs.target_id_field(list(targets.columns), prefixes[0][1])
        if {*own, ids} <= set(targets.columns):
            rows = {"row": np.arange(len(targets)), "target_id": targets[ids].to_numpy()}
            found[layer] = targets[list(own)].rename(columns=own).assign(**rows)
    return found


def _plots(run: RunTables) -> list[Plot]:
    crowns = _crowns(run)
    if not crowns:
        return []
    frame = pd.concat(
        [one.assign(series=layer) for layer, one in crowns.items()], ignore_index=True
    )
    title = tr("RandCrowns and IoU of every target")
    return [
        Plot(
            title,
            lambda axes: draw_scatter(axes, frame),
            width=6.0 if len(crowns) == 1 else 8.0,
            height=5.0,
        )
    ]


def _sheets(run: RunTables, number: int) -> list[CrownSheet]:
    worst, typical = (
        tr("The lowest RandCrowns first; red: target, black: delineation."),
        tr(
            "Those whose three scores lie nearest to the medians of all; red: target, black: delineation."
        ),
    )
    sheets, crowns = [], _crowns(run)
    areas = np.array([shape.area() for shape in run.shapes.get(outputs.SCORED_TARGETS.id, ())])
    for layer, frame in crowns.items():
        titles = tr("Worst crowns"), tr("Typical crowns")
        if len(crowns) > 1:
            titles = (
                tr("Worst crowns of {layer}", layer=layer),
                tr("Typical crowns of {layer}", layer=layer),
            )
        frame = frame.assign(area=areas if len(areas) == len(frame) else 0.0)
        for title, about, rows in (
            (titles[0], worst, worst_crowns(frame, SCORES, number, larger="area")),
            (titles[1], typical, typical_crowns(frame, SCORES, number)),
        ):
            shown = [_crown(run, layer, frame.iloc[row]) for row in rows]
            sheets += [CrownSheet(title, about, shown)] if shown else []
    return sheets


def _crown(run: RunTables, layer: str, crown: pd.Series) -> ShownCrown:
    shape = run.shapes[outputs.SCORED_TARGETS.id][int(crown["row"])]
    outlines = [(shape, TARGET)]
    drawn = run.table(outputs.SCORED_DELINEATIONS)
    if len(drawn) and pd.notna(crown["delineation_id"]):
        match = (drawn["layer"] == layer) & (drawn["delineation_id"] == crown["delineation_id"])
        outlines += [
            (run.shapes[outputs.SCORED_DELINEATIONS.id][row], DELINEATION)
            for row in np.flatnonzero(match)
        ]
    problem = "" if pd.isna(crown["rc_problem"]) else str(crown["rc_problem"])
    known = problem in {one.value for one in Problem if one is not Problem.NONE}
    return ShownCrown(
        tr("Target {id}", id=crown["target_id"]),
        [(name, written(float(crown[score]), 2)) for score, name in SCORE_NAMES.items()],
        outputs.PROBLEMS[Problem(problem)][0] if known else "",
        str(crown["rc_cause"] or "") if known else "",
        outlines,
        run.systems[outputs.SCORED_TARGETS.id],
    )


def _review(run: RunTables) -> list[str]:
    names, layers = {"target_id": "feature_id", "rc_problem": "problem"}, {}
    shapes, drawn = (
        run.shapes.get(outputs.SCORED_TARGETS.id, ()),
        run.table(outputs.SCORED_DELINEATIONS),
    )
    drawn = drawn.reindex(columns=["layer", "delineation_id", "rc_problem"]).rename(columns=names)
    drawn = drawn.assign(outline=hashes_of(run.shapes.get(outputs.SCORED_DELINEATIONS.id, ())))
    for layer, crowns in _crowns(run).items():
        mine = crowns[["target_id", "rc_problem", "delineation_id"]].rename(columns=names)
        mine["outline"] = hashes_of(shapes) if len(shapes) == len(mine) else ""
        layers[layer] = to_review(
            mine.astype({"feature_id": np.int64}), drawn[drawn["layer"] == layer]
        )
    return review_of(run.record, layers, run.verdicts)


#: Of randcrowns:scorecrowns.
SHOWING = Showing(
    tables=(
        ShownTable(outputs.SUMMARY, ("layer", "group", *_MEANS, *_COUNTS), tr("Mean scores")),
        ShownTable(
            outputs.SUMMARY,
            ("layer", "group", "penalised_mean", *_RATES),
            tr("Detection at thresholds"),
        ),
    ),
    map=(outputs.SCORED_TARGETS,),
    read=(outputs.SCORED_TARGETS, outputs.SCORED_DELINEATIONS),
    plots=_plots,
    crowns=_sheets,
    review=_review,
)


def _pages(record: Record, names: Sequence[str], shown: str) -> Pages:
    """By the scores of the delineation layer on show, else of the first."""
    prefixes = outputs.prefixes_of(record.results)
    prefix = dict(prefixes).get(shown, prefixes[0][1])
    own = [prefix + ending for ending in ("_rc", "_iou", "_iouc", "_rc_problem")]
    ids = outputs.target_id_field(names, prefixes[0][1])
    name = ids if ids in names else ""  # there is none among the fields of a target
    plot = str(record.parameters.get(GROUP_FIELD.ids[0]) or "")
    columns = ("layer", "group", "targets", "matched", "randcrowns_mean", "iou_mean")
    return Pages(tr("Target {name}"), name, own[0], [name, *own], plot=plot, columns=columns)


#: Of randcrowns:scorecrowns.
PRINTED = Printed(tr("worst crowns"), outputs.SCORED_TARGETS, outputs.SUMMARY, _pages)
