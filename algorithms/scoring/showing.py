"""Report content and print content of runs that scored crowns."""

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
from randcrowns.core.arrays import Ints
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


def _scored_crowns(run: RunTables) -> dict[str, pd.DataFrame]:
    """Return the scored targets by name of the delineation layer.

    Returns:
        A frame per layer whose fields exist, one row per target: the columns of
        :data:`randcrowns.algorithms.scoring.outputs.SCORE_FIELDS`, ``target_id``, and ``row``, the
        position in the layer of scored targets.
    """
    targets = run.table(outputs.SCORED_TARGETS)
    prefixes = outputs.prefixes_of(run.record.results)
    crowns = {}
    for layer, prefix in prefixes:
        column_of_field = {
            prefix + ending: column for ending, column in zip(outputs.ENDINGS, outputs.SCORE_FIELDS)
        }
        id_field = outputs.target_id_field(list(targets.columns), prefixes[0][1])
        if not {*column_of_field, id_field} <= set(targets.columns):
            continue
        scores = targets[list(column_of_field)].rename(columns=column_of_field)
        crowns[layer] = scores.assign(
            row=np.arange(len(targets)), target_id=targets[id_field].to_numpy()
        )
    return crowns


def _plots(run: RunTables) -> list[Plot]:
    """Return the scatter plot of RandCrowns and IoU, if there are scored targets."""
    crowns = _scored_crowns(run)
    if not crowns:
        return []
    series = [frame.assign(series=layer) for layer, frame in crowns.items()]
    points = pd.concat(series, ignore_index=True)
    return [
        Plot(
            tr("RandCrowns and IoU of every target"),
            lambda axes: draw_scatter(axes, points),
            width=6.0 if len(crowns) == 1 else 8.0,
            height=5.0,
        )
    ]


def _sheets(run: RunTables, number: int) -> list[CrownSheet]:
    """Return sheets with the worst and the typical crowns of each delineation layer.

    Args:
        run: outputs of the run.
        number: maximum number of crowns on a sheet.
    """
    crowns = _scored_crowns(run)
    shapes = run.shapes.get(outputs.SCORED_TARGETS.id, ())
    areas = np.array([shape.area() for shape in shapes])
    sheets = []
    for layer, frame in crowns.items():
        if len(crowns) > 1:
            worst_title = tr("Worst crowns of {layer}", layer=layer)
            typical_title = tr("Typical crowns of {layer}", layer=layer)
        else:
            worst_title = tr("Worst crowns")
            typical_title = tr("Typical crowns")
        scored = frame.assign(area=areas if len(areas) == len(frame) else 0.0)
        worst = CrownSheet(
            worst_title,
            tr("The lowest RandCrowns first; red: target, black: delineation."),
            _report_crowns(run, layer, scored, worst_crowns(scored, SCORES, number, larger="area")),
        )
        typical = CrownSheet(
            typical_title,
            tr(
                "Crowns whose three scores are nearest to the medians; red: target, black: "
                "delineation."
            ),
            _report_crowns(run, layer, scored, typical_crowns(scored, SCORES, number)),
        )
        sheets += [sheet for sheet in (worst, typical) if sheet.crowns]
    return sheets


def _report_crowns(
    run: RunTables, layer: str, crowns: pd.DataFrame, rows: Ints
) -> list[ShownCrown]:
    """Return the crowns in these rows with their outlines, scores and problems."""
    return [_report_crown(run, layer, crowns.iloc[row]) for row in rows]


def _report_crown(run: RunTables, layer: str, crown: pd.Series) -> ShownCrown:
    """Return a target with its delineation for a crown sheet.

    Args:
        run: outputs of the run.
        layer: name of the delineation layer.
        crown: row of :func:`_scored_crowns`.
    """
    outlines = [(run.shapes[outputs.SCORED_TARGETS.id][int(crown["row"])], TARGET)]
    delineations = run.table(outputs.SCORED_DELINEATIONS)
    if len(delineations) and pd.notna(crown["delineation_id"]):
        is_match = (delineations["layer"] == layer) & (
            delineations["delineation_id"] == crown["delineation_id"]
        )
        shapes = run.shapes[outputs.SCORED_DELINEATIONS.id]
        outlines += [(shapes[row], DELINEATION) for row in np.flatnonzero(is_match)]
    problem_label = ""
    cause = ""
    problem = "" if pd.isna(crown["rc_problem"]) else str(crown["rc_problem"])
    if problem in {known.value for known in Problem if known is not Problem.NONE}:
        problem_label = outputs.PROBLEMS[Problem(problem)][0]
        cause = str(crown["rc_cause"] or "")
    return ShownCrown(
        name=tr("Target {id}", id=crown["target_id"]),
        numbers=[(name, written(float(crown[score]), 2)) for score, name in SCORE_NAMES.items()],
        problem=problem_label,
        cause=cause,
        outlines=outlines,
        system=run.systems[outputs.SCORED_TARGETS.id],
    )


def _review(run: RunTables) -> list[str]:
    """Return sentences that sum up the reviewers' verdicts on a run."""
    review_names = {"target_id": "feature_id", "rc_problem": "problem"}
    delineations = (
        run.table(outputs.SCORED_DELINEATIONS)
        .reindex(columns=["layer", "delineation_id", "rc_problem"])
        .rename(columns=review_names)
        .assign(outline=hashes_of(run.shapes.get(outputs.SCORED_DELINEATIONS.id, ())))
    )
    target_shapes = run.shapes.get(outputs.SCORED_TARGETS.id, ())
    layers = {}
    for layer, crowns in _scored_crowns(run).items():
        targets = crowns[["target_id", "rc_problem", "delineation_id"]].rename(columns=review_names)
        has_shapes = len(target_shapes) == len(targets)
        targets["outline"] = hashes_of(target_shapes) if has_shapes else ""
        layers[layer] = to_review(
            targets.astype({"feature_id": np.int64}), delineations[delineations["layer"] == layer]
        )
    return review_of(run.record, layers, run.verdicts)


#: Report content of ``randcrowns:scorecrowns``.
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
    """Return the pages of a print layout, sorted by the scores of one delineation layer.

    Args:
        record: provenance of the run.
        names: field names of the layer of scored targets.
        shown: name of the delineation layer; the first one is used if this name is unknown.
    """
    prefixes = outputs.prefixes_of(record.results)
    prefix = dict(prefixes).get(shown, prefixes[0][1])
    fields = [prefix + ending for ending in ("_rc", "_iou", "_iouc", "_rc_problem")]
    id_field = outputs.target_id_field(names, prefixes[0][1])
    if id_field not in names:
        id_field = ""  # scores that were added to the fields of the targets have no ids
    return Pages(
        tr("Target {name}"),
        id_field,
        fields[0],
        [id_field, *fields],
        plot=str(record.parameters.get(GROUP_FIELD.ids[0]) or ""),
        columns=("layer", "group", "targets", "matched", "randcrowns_mean", "iou_mean"),
    )


#: Print content of ``randcrowns:scorecrowns``.
PRINTED = Printed(tr("worst crowns"), outputs.SCORED_TARGETS, outputs.SUMMARY, _pages)
