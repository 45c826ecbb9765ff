"""Page to explore crowns that were scored: a view for each delineation layer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.review.problems import Problem
from randcrowns.core.review.verdicts import LayerKey, Side, crowns_to_review
from randcrowns.core.scoring.layer import IOU_THRESHOLDS, RANDCROWNS_THRESHOLD, SCORE_NAMES, SCORES
from randcrowns.core.status import EXCLUDED_STATUSES, Status
from randcrowns.report.colours import DELINEATION_COLOUR, OUTLINE_COLOURS, TARGET_COLOUR
from randcrowns.report.crown_drawings import StatusLine, score_lines
from randcrowns.report.explore.columns import attribute_columns, crown_columns, join_attributes
from randcrowns.report.explore.content import (
    ColumnKind,
    ColumnRole,
    ExploreColumn,
    OutlineLayer,
    OutlineReferences,
    ReviewedCrowns,
    ThresholdSlider,
    View,
)
from randcrowns.report.language import tr
from randcrowns.report.problems import PROBLEM_COLOURS, problem_label
from randcrowns.report.words import status_labels

#: Colour of each status without a line of its own.
_STATUS_COLOURS = {
    Status.SCORED.value: "#2b8cbe",
    Status.EXTENT_LIMITED.value: "#009e73",
}
#: Colours of the delineations of several layers: all that no class of scores resembles.
_LAYER_COLOURS = tuple(colour for colour in OUTLINE_COLOURS if colour not in ("#56b4e9", "#0072b2"))
#: Lengths of the parts of the lines of delineations, pixels. Each is used for as many layers as
#: there are colours.
_LAYER_DASHES = ((), (10.0, 4.0), (10.0, 3.0, 2.0, 3.0))
#: Statuses of targets that no summary counts.
_EXCLUDED_STATUSES = [status.value for status in EXCLUDED_STATUSES]


@dataclass(frozen=True)
class ExploredTargets:
    """Targets of a run that scored crowns.

    Attributes:
        name: name of the layer.
        crowns: (n,) rows: ``target_id``, ``name`` (display name), ``plot`` (text or missing),
            ``class`` (text or missing; the column is absent without classes) and ``outline`` (hash,
            see :func:`randcrowns.core.review.verdicts.outline_hashes`).
        shapes: (n,) outlines in coordinates of the page.
        attributes: (n,) further attributes of the targets, by their names.
    """

    name: str
    crowns: pd.DataFrame
    shapes: Objects
    attributes: pd.DataFrame


@dataclass(frozen=True)
class ExploredScores:
    """Scores for a delineation layer.

    Attributes:
        name: name of the delineation layer.
        keys: identities of the target layer and of the delineation layer.
        targets: (n,) a row per target: ``randcrowns``, ``iou``, ``iou_crowns``, ``status``,
            ``problem``, ``cause``, ``delineation_id`` (missing without a match).
        delineations: (d,) a row per delineation: ``delineation_id``, ``name``, ``plot``,
            ``randcrowns``, ``iou``, ``iou_crowns``, ``status``, ``problem``, ``cause``,
            ``outline``.
        shapes: (d,) outlines in coordinates of the page.
        is_averaged: True if a target's scores are means over several delineations. Precision and
            recall cannot be computed from them.
    """

    name: str
    keys: tuple[LayerKey, LayerKey]
    targets: pd.DataFrame
    delineations: pd.DataFrame
    shapes: Objects
    is_averaged: bool = False


def score_views(
    targets: ExploredTargets,
    scores: Sequence[ExploredScores],
) -> tuple[list[OutlineLayer], list[View]]:
    """Return the outlines and the views of a run that scored crowns.

    Args:
        targets: the targets.
        scores: scores for each delineation layer, at least one.

    Returns:
        The targets and the delineation layers as layers of outlines, and a view for each
        delineation layer.
    """
    layers = [OutlineLayer(targets.name, TARGET_COLOUR, targets.shapes)]
    views = []
    for number, layer_scores in enumerate(scores):
        colour = DELINEATION_COLOUR
        if len(scores) > 1:
            colour = _LAYER_COLOURS[number % len(_LAYER_COLOURS)]
        outline_layer = OutlineLayer(
            layer_scores.name,
            colour,
            layer_scores.shapes,
            is_shown=number == 0,
            dashes=_LAYER_DASHES[number // len(_LAYER_COLOURS) % len(_LAYER_DASHES)],
        )
        layers.append(outline_layer)
        views.append(_score_view(targets, layer_scores, number + 1))
    return layers, views


def _score_view(
    targets: ExploredTargets,
    scores: ExploredScores,
    match_layer: int,
) -> View:
    """Return the view of a delineation layer.

    Args:
        targets: the targets.
        scores: scores of the delineation layer.
        match_layer: index of the delineation layer among the layers of outlines.
    """
    delineations = scores.delineations
    extra_rows = np.flatnonzero(_is_unmatched(delineations))
    target_rows = targets.crowns.drop(columns="outline").join(scores.targets)
    rows = pd.concat([target_rows, delineations.iloc[extra_rows]], ignore_index=True)
    rows = join_attributes(rows, targets.attributes)
    rows["kind"] = np.repeat(
        [Side.TARGET.value, Side.DELINEATION.value], [len(target_rows), len(extra_rows)]
    )
    is_extra = rows["kind"] == Side.DELINEATION.value
    # Scores are those of targets: without a match, a target is not detected and has the score 0,
    # but a delineation is a false detection, without a score.
    is_false = is_extra & (rows["problem"].astype(object) == Problem.EXTRA.value)
    rows[list(SCORES)] = rows[list(SCORES)].mask(is_extra)
    rows["status"] = rows["status"].astype(object).mask(is_false, Problem.EXTRA.value)

    lines = _status_lines()
    match_ids = scores.targets["delineation_id"]
    outlines = OutlineReferences.for_targets(
        match_layer, match_ids, delineations["delineation_id"], extra_rows
    )
    return View(
        name=scores.name,
        rows=rows,
        columns=_score_columns(rows, targets.attributes),
        outlines=outlines,
        false_detections=np.flatnonzero(is_false),
        order=SCORES[0],
        review=_reviewed_crowns(targets, scores, rows),
        sliders=[] if scores.is_averaged else _score_sliders(scores, len(rows)),
        state_lines={
            "missed": lines[Status.MISSED.value],
            "false": lines[Problem.EXTRA.value],
            "notJudged": lines[Status.NOT_JUDGED.value],
        },
    )


def _status_lines() -> dict[str, StatusLine]:
    """Return the lines around targets and unmatched delineations by their status in the rows."""
    lines = score_lines()
    return {
        **lines.targets,
        Problem.EXTRA.value: lines.others[Status.UNMATCHED.value],
        Status.NOT_JUDGED.value: lines.others[Status.NOT_JUDGED.value],
    }


def _is_unmatched(delineations: pd.DataFrame) -> pd.Series:
    """Return a mask of the delineations that serve no target."""
    extras = [Problem.EXTRA.value, Problem.NOT_JUDGED.value]
    return delineations["problem"].astype(object).isin(extras)


def _score_columns(rows: pd.DataFrame, attributes: pd.DataFrame) -> list[ExploreColumn]:
    """Return the columns of a view of scored crowns.

    Args:
        rows: rows of the view.
        attributes: further attributes of the targets.
    """
    problem_colours = {problem.value: colour for problem, colour in PROBLEM_COLOURS.items()}
    columns = crown_columns(rows)
    lines = _status_lines()
    columns += [
        ExploreColumn(score, label, ColumnKind.SCORE) for score, label in SCORE_NAMES.items()
    ]
    columns.append(
        ExploreColumn(
            "problem",
            tr("Problem"),
            ColumnKind.CATEGORY,
            role=ColumnRole.PROBLEM,
            labels={problem.value: problem_label(problem) for problem in Problem},
            colours=problem_colours,
            # Their colours are also those of other problems.
            lines={
                Problem.EXTRA.value: lines[Problem.EXTRA.value]._replace(
                    colour=PROBLEM_COLOURS[Problem.EXTRA]
                ),
                Problem.NOT_JUDGED.value: lines[Status.NOT_JUDGED.value],
            },
        )
    )
    columns.append(
        ExploreColumn(
            "status",
            tr("Status"),
            ColumnKind.CATEGORY,
            role=ColumnRole.STATUS,
            labels={
                **{status.value: label for status, label in status_labels().items()},
                Problem.EXTRA.value: problem_label(Problem.EXTRA),
            },
            colours=_STATUS_COLOURS,
            lines=lines,
        )
    )
    if "class" in rows:
        columns.append(
            ExploreColumn("class", tr("Class"), ColumnKind.CATEGORY, role=ColumnRole.CLASS)
        )
    columns.append(ExploreColumn("cause", tr("Cause"), role=ColumnRole.CAUSE, is_listed=False))
    return [*columns, *attribute_columns(attributes)]


def _reviewed_crowns(
    targets: ExploredTargets, scores: ExploredScores, rows: pd.DataFrame
) -> ReviewedCrowns:
    """Return the identity and the state of the crowns of a view, as page Review has them.

    Args:
        targets: the targets.
        scores: scores of the delineation layer.
        rows: rows of the view: all targets, then the unmatched delineations.
    """
    crowns = pd.DataFrame(
        {
            "feature_id": targets.crowns["target_id"],
            "outline": targets.crowns["outline"],
            "delineation_id": scores.targets["delineation_id"],
            "problem": scores.targets["problem"],
        }
    )
    reviewed = crowns_to_review(crowns, scores.delineations[_REVIEWED_COLUMNS])
    keys = rows.assign(
        side=rows["kind"],
        feature_id=rows["target_id"].where(
            rows["kind"] == Side.TARGET.value, rows["delineation_id"]
        ),
    )[["side", "feature_id", "problem"]]
    keys = keys.astype({"feature_id": np.int64})
    state = reviewed[["side", "feature_id", "outline", "match"]]
    state = state.drop_duplicates(["side", "feature_id"])
    merged = keys.merge(state, how="left", on=["side", "feature_id"])
    # Delineations that are not judged are shown, but they are no crowns to review.
    is_delineation = merged["side"] == Side.DELINEATION.value
    merged["outline"] = merged["outline"].where(~is_delineation, rows["outline"])
    # Targets without an outline are no crowns to review either.
    merged["outline"] = merged["outline"].fillna("")
    merged["match"] = merged["match"].where(~is_delineation, "")
    merged["score"] = rows[SCORES[0]].mask(is_delineation, 0.0).to_numpy()
    return ReviewedCrowns(*scores.keys, crowns=cast("pd.DataFrame", merged))


#: Columns of the delineations that identify them in a review.
_REVIEWED_COLUMNS = ["delineation_id", "outline", "problem"]


def _score_sliders(scores: ExploredScores, n_rows: int) -> list[ThresholdSlider]:
    """Return a slider for RandCrowns and one for IoU.

    Targets and delineations count as in :func:`randcrowns.core.scoring.layer.summarise`.

    Args:
        scores: scores of the delineation layer.
        n_rows: number of rows of the view.
    """
    starts = {"randcrowns": RANDCROWNS_THRESHOLD, "iou": IOU_THRESHOLDS[0]}
    is_excluded = scores.targets["status"].astype(object).isin(_EXCLUDED_STATUSES).to_numpy()
    delineations = scores.delineations
    is_judged = not (delineations["problem"].astype(object) == Problem.NOT_JUDGED.value).any()
    sliders = []
    for score, start in starts.items():
        values = scores.targets[score].to_numpy(dtype=float)
        is_counted = ~is_excluded
        if score == "randcrowns":
            is_counted &= ~np.isnan(values)
        # If only some crowns were drawn, wrong delineations are unknown.
        delineation_scores = delineations[score].to_numpy(dtype=float) if is_judged else np.empty(0)
        sliders.append(
            ThresholdSlider(
                label=SCORE_NAMES[score],
                targets=values[is_counted],
                predictions=delineation_scores,
                row_values=pad_with_nan(values, n_rows),
                start=float(start),
                judges_unmatched=is_judged,
            )
        )
    return sliders


def pad_with_nan(values: Floats, size: int) -> Floats:
    """Return values followed by NaN up to a size.

    >>> pad_with_nan(np.array([1.0]), 2).tolist()
    [1.0, nan]
    """
    padded = np.full(size, np.nan)
    padded[: len(values)] = values
    return padded
