"""Page to explore instances that were matched: targets, predictions and their IoU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Ints, Objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.average_precision import matched_iou
from randcrowns.core.instances.matching import MatchStatus
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.thresholds import reaches
from randcrowns.report.colours import DELINEATION_COLOUR, TARGET_COLOUR
from randcrowns.report.crown_drawings import match_lines
from randcrowns.report.explore.columns import attribute_columns, crown_columns, join_attributes
from randcrowns.report.explore.content import (
    ColumnKind,
    ColumnRole,
    ExploreColumn,
    OutlineLayer,
    OutlineReferences,
    ThresholdSlider,
    View,
)
from randcrowns.report.language import tr
from randcrowns.report.words import detected, false_detection, not_detected

#: Columns of the tables of an evaluation -> columns of a view of matched instances.
INSTANCE_COLUMNS = {
    "target_id": "id",
    "prediction_id": "id",
    "match_id": "match_id",
    "status": "status",
    "iou": "iou",
    "precision": "precision",
    "recall": "recall",
    "plot": "plot",
    "crown_class": "class",
}
#: Colour of each status without a line of its own.
_STATUS_COLOURS = {
    MatchStatus.TRUE_POSITIVE.value: "#009e73",
}
#: Minimum IoU of a match when the page is opened.
_START = 0.5


def match_labels() -> dict[str, str]:
    """Return the label of each status of a matched target or prediction, by its stored text.

    >>> match_labels()["false_positive"]
    'false detection'
    """
    labels = {
        MatchStatus.TRUE_POSITIVE: detected().one,
        MatchStatus.FALSE_NEGATIVE: not_detected().one,
        MatchStatus.FALSE_POSITIVE: false_detection().one,
        MatchStatus.UNCERTAIN: tr("uncertain"),
        MatchStatus.NOT_JUDGED: tr("not judged"),
        MatchStatus.NO_GEOMETRY: tr("no outline"),
    }
    return {status.value: label for status, label in labels.items()}


@dataclass(frozen=True)
class ExploredInstances:
    """Targets or predictions of an evaluation of instances.

    Attributes:
        name: name of the layer.
        rows: (n,) rows: ``id``, ``match_id`` (missing without a match), ``status``, ``iou``,
            ``precision``, ``recall``, and ``plot`` and ``class`` where there are any.
        shapes: (n,) outlines in coordinates of the page; None where there is no outline.
        attributes: (n,) further attributes, by their names.
    """

    name: str
    rows: pd.DataFrame
    shapes: Objects
    attributes: pd.DataFrame


def match_views(
    targets: ExploredInstances,
    predictions: ExploredInstances,
    has_areas: bool = True,
) -> tuple[list[OutlineLayer], list[View]]:
    """Return the outlines and the view of an evaluation of instances.

    Args:
        targets: the targets.
        predictions: the predictions.
        has_areas: True if the instances are areas, whose IoU follows from the outlines; False for
            sets of points.
    """
    layers = [
        OutlineLayer(targets.name, TARGET_COLOUR, targets.shapes),
        OutlineLayer(predictions.name, DELINEATION_COLOUR, predictions.shapes),
    ]
    extra_rows = np.flatnonzero(predictions.rows["match_id"].isna())
    target_names = [tr("Target {id}", id=number) for number in targets.rows["id"]]
    extras = predictions.rows.iloc[extra_rows]
    extra_names = [tr("Prediction {id}", id=number) for number in extras["id"]]
    rows = pd.concat(
        [targets.rows.assign(name=target_names), extras.assign(name=extra_names)],
        ignore_index=True,
    )
    rows = join_attributes(rows, targets.attributes)
    rows.loc[len(targets.rows) :, ["iou", "precision", "recall"]] = np.nan
    is_false = rows["status"].astype(object) == MatchStatus.FALSE_POSITIVE.value
    outlines = OutlineReferences.for_targets(
        1, targets.rows["match_id"], predictions.rows["id"], extra_rows
    )
    sliders = _iou_sliders(targets, predictions, extra_rows) if has_areas else []
    columns = _match_columns(rows, targets.attributes)
    lines = match_lines()
    return layers, [
        View(
            name=predictions.name,
            rows=rows,
            columns=columns,
            outlines=outlines,
            false_detections=np.flatnonzero(is_false),
            order="iou",
            sliders=sliders,
            state_lines={
                "missed": lines.targets[MatchStatus.FALSE_NEGATIVE.value],
                "false": lines.others[MatchStatus.FALSE_POSITIVE.value],
                "notJudged": lines.others[MatchStatus.NOT_JUDGED.value],
            },
        )
    ]


def _match_columns(rows: pd.DataFrame, attributes: pd.DataFrame) -> list[ExploreColumn]:
    """Return the columns of the view that have values.

    Args:
        rows: rows of the view.
        attributes: further attributes of the targets.
    """
    columns = crown_columns(rows)
    lines = match_lines()
    columns.append(
        ExploreColumn(
            "status",
            tr("Status"),
            ColumnKind.CATEGORY,
            role=ColumnRole.STATUS,
            labels=match_labels(),
            colours=_STATUS_COLOURS,
            lines={**lines.targets, **lines.others},
        )
    )
    about_iou = tr(
        "IoU of a target with the prediction that the run compares it with. Predictions without a "
        "target have none."
    )
    columns += [
        ExploreColumn("iou", "IoU", ColumnKind.SCORE, help=about_iou),
        ExploreColumn("precision", tr("Precision"), ColumnKind.SCORE),
        ExploreColumn("recall", tr("Recall"), ColumnKind.SCORE),
    ]
    if "class" in rows and rows["class"].notna().any():
        columns.append(
            ExploreColumn("class", tr("Class"), ColumnKind.CATEGORY, role=ColumnRole.CLASS)
        )
    return [*columns, *attribute_columns(attributes)]


def _iou_sliders(
    targets: ExploredInstances, predictions: ExploredInstances, extra_rows: Ints
) -> Sequence[ThresholdSlider]:
    """Return the slider of the minimum IoU of a match.

    The pairs are those of :func:`randcrowns.core.instances.average_precision.threshold_table`.
    There is no slider if predictions on ignored regions do not count, since the shares of these
    regions are not part of the results.

    Args:
        targets: the targets.
        predictions: the predictions.
        extra_rows: (e,) rows of the predictions that follow the targets in the view.
    """
    n_rows = len(targets.shapes) + len(extra_rows)
    statuses = set(predictions.rows["status"].dropna())
    if MatchStatus.UNCERTAIN.value in statuses:
        return []
    overlap = polygon_overlap(_crowns_with_outlines(targets), _crowns_with_outlines(predictions))
    target_iou, prediction_iou = matched_iou(overlap)
    row_values = np.full(n_rows, np.nan)
    row_values[: len(targets.shapes)][~shapely.is_missing(targets.shapes)] = target_iou
    # A prediction without a target may be matched at a lower threshold.
    iou_of_predictions = np.full(len(predictions.shapes), np.nan)
    iou_of_predictions[~shapely.is_missing(predictions.shapes)] = prediction_iou
    row_values[len(targets.shapes) :] = iou_of_predictions[extra_rows]
    is_judged = MatchStatus.NOT_JUDGED.value not in statuses
    note = ""
    n_detected = np.count_nonzero(targets.rows["status"] == MatchStatus.TRUE_POSITIVE.value)
    if np.count_nonzero(reaches(target_iou, _START)) != n_detected:
        note = tr(
            "Matched by the IoU alone, each crown at most once. The sentences at the top use the "
            "rule of the run, so their counts differ."
        )
    return [
        ThresholdSlider(
            label="IoU",
            targets=target_iou,
            predictions=prediction_iou if is_judged else np.empty(0),
            row_values=row_values,
            start=_START,
            judges_unmatched=is_judged,
            is_rule=True,
            note=note,
        )
    ]


def _crowns_with_outlines(instances: ExploredInstances) -> Crowns:
    """Return the instances with an outline."""
    has_outline = ~shapely.is_missing(instances.shapes)
    plots = None
    if "plot" in instances.rows:
        plots = instances.rows["plot"].to_numpy(dtype=object)[has_outline]
    return Crowns(instances.shapes[has_outline], plots=plots)
