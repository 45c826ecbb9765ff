"""Outputs of the algorithms that score crowns and draw their regions, and the fields of these."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import QgsVectorLayer

from randcrowns.algorithms.classes.outputs import CLASS_OUTPUTS, CROWN_COLUMNS, style_with_classes
from randcrowns.algorithms.common_parameters import TARGETS
from randcrowns.algorithms.output_types import (
    INTERVAL_HELP,
    RESAMPLED_UNITS,
    STATUS,
    STATUS_TEXTS,
    Column,
    Output,
    ValueOutput,
    with_interval_columns,
)
from randcrowns.algorithms.provenance import Provenance
from randcrowns.algorithms.scoring.schema.parameters import DELINEATIONS
from randcrowns.core.review.problems import Problem
from randcrowns.core.review.verdicts import LayerKey
from randcrowns.core.scoring.layer import SCORE_NAMES
from randcrowns.core.status import ALL_PLOTS, Status
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.styles import add_problem_style, qml_style, style_scored_targets
from randcrowns.report.problems import problem_label
from randcrowns.report.words import (
    SCORE_ABBREVIATIONS,
    detected_meaning,
    false_detection_meaning,
    not_judged_meaning,
    score_meanings,
)

#: Names of the two styles of scored targets in the layer's menu.
SCORE_STYLE = tr("Score")
PROBLEM_STYLE = tr("Problem")
#: Label and description of each problem.
PROBLEM_TEXTS = {
    Problem.MISSING: (
        problem_label(Problem.MISSING),
        tr("No delineation, or none that touches the certain crown."),
    ),
    Problem.EXTRA: (problem_label(Problem.EXTRA), tr("A delineation without a target.")),
    Problem.NOT_JUDGED: (
        problem_label(Problem.NOT_JUDGED),
        tr("A delineation without a target, if only some crowns were drawn."),
    ),
    Problem.MERGED: (
        problem_label(Problem.MERGED),
        tr("The delineation covers much of another target."),
    ),
    Problem.SPLIT: (problem_label(Problem.SPLIT), tr("Several delineations lie in the target.")),
    Problem.SHIFTED: (
        problem_label(Problem.SHIFTED),
        tr("The delineation has the target's size, but lies elsewhere."),
    ),
    Problem.TOO_LARGE: (
        problem_label(Problem.TOO_LARGE),
        tr("The delineation is much larger than the target."),
    ),
    Problem.TOO_SMALL: (
        problem_label(Problem.TOO_SMALL),
        tr("The delineation is much smaller than the target."),
    ),
    Problem.LOW_OVERLAP: (
        problem_label(Problem.LOW_OVERLAP),
        tr("The score is below the threshold, but no other problem applies."),
    ),
    Problem.NONE: (problem_label(Problem.NONE), tr("No problem.")),
}
_LAYER = Column("layer", tr("Layer"), tr("Delineation layer."), "text")
_GROUP = Column(
    "plot",
    tr("Plot"),
    tr("Value of the plot field; all: every target."),
    "text",
    display_texts={ALL_PLOTS: tr("all plots")},
)
_TARGET = Column("target_id", tr("Target"), tr("Feature id in the target layer."), "integer")
_DELINEATION = Column(
    "delineation_id", tr("Match"), tr("Feature id in the delineation layer."), "integer"
)
_DISTANCE = Column(
    "distance", tr("Distance"), tr("Distance between the centroids."), unit="m", digits=2
)
_AREA = Column("area", tr("Area"), tr("Area in the coordinate system."), unit="m²", digits=2)
_SCORES = tuple(
    Column(score, SCORE_ABBREVIATIONS[score], meaning, digits=2)
    for score, meaning in score_meanings().items()
)
_PROBLEM = Column(
    "rc_problem",
    tr("Problem"),
    tr("First problem that applies to the crown, or none."),
    "text",
    display_texts={problem.value: label for problem, (label, _) in PROBLEM_TEXTS.items()},
)
_CAUSE = Column("rc_cause", tr("Cause"), tr("Cause of the problem, in a sentence."), "text")

#: Endings of the fields of a delineation layer, by column of the core's table of targets.
_FIELD_ENDINGS = {
    "randcrowns": "rc",
    "iou": "iou",
    "iou_crowns": "iouc",
    "status": "status",
    "delineation_id": "match",
    "distance": "dist",
    "rc_problem": "rc_problem",
    "rc_cause": "rc_cause",
}
#: Fields of the scored targets for a delineation layer, by column of the core's table of targets.
#: They have the placeholders ``prefix`` and ``layer``.
SCORE_FIELDS = {
    column.name: replace(
        column,
        name=f"{{prefix}}_{_FIELD_ENDINGS[column.name]}",
        label=f"{{layer}}: {column.label}",
    )
    for column in (*_SCORES, STATUS, _DELINEATION, _DISTANCE, _PROBLEM, _CAUSE)
}
#: Field of the scored targets with their class, in runs with a class field.
TARGET_CLASS = replace(CROWN_COLUMNS[0], name="target_class", help=tr("Class of the target."))
#: Fields of the scored targets for a delineation layer in runs with a class field, by column of
#: :attr:`randcrowns.core.classes.evaluation.ClassEvaluation.targets`, like :data:`SCORE_FIELDS`.
CLASS_FIELDS = {
    column.name: replace(column, name=f"{{prefix}}_{ending}", label=f"{{layer}}: {column.label}")
    for column, ending in zip(CROWN_COLUMNS[1:], ("class", "class_result"))
}
#: Field of the scored targets for a delineation layer in runs with the spread of outlines.
OWN_SPREAD_FIELD = Column(
    "{prefix}_rc_own",
    f"{{layer}}: {tr('RC, own spread')}",
    tr("RandCrowns with alpha and omega from the spread of the target's own outlines, 0 to 1."),
    digits=2,
)
#: Field of the scored targets with their alpha and omega, in runs with the spread of outlines.
OWN_LENGTH = Column(
    "own_length",
    tr("Own alpha and omega"),
    tr("Alpha and omega of the target: 2.06 times the spread of its outlines."),
    unit="m",
    digits=2,
)
#: Columns for the spread of a score over delineation layers, by statistic. They have the
#: placeholders ``end`` and ``score``.
_SPREAD_COLUMNS = {
    "mean": Column(
        "{end}_mean",
        tr("Mean {score}"),
        tr("Mean {score} of the crown over all delineation layers, 0 to 1."),
        digits=2,
    ),
    "variance": Column(
        "{end}_var",
        tr("Variance {score}"),
        tr(
            "Variance of the crown's {score} over all delineation layers (Stewart et al. 2021, "
            "Eq. 15)."
        ),
        digits=4,
    ),
}
#: Fields of the scored targets if there are several delineation layers, by score and statistic,
#: such as ``iou_variance``.
SPREAD_FIELDS = {
    f"{score.name}_{statistic}": column.format(end=_FIELD_ENDINGS[score.name], score=score.label)
    for score in _SCORES
    for statistic, column in _SPREAD_COLUMNS.items()
}
#: Parts of field names after the prefix, such as ``_rc``, in the order of :data:`SCORE_FIELDS`.
FIELD_ENDINGS = tuple(column.name.format(prefix="") for column in SCORE_FIELDS.values())
#: Part of the name of the field with the target's own spread after the prefix.
OWN_SPREAD_ENDING = OWN_SPREAD_FIELD.name.format(prefix="")
#: Parts of the names of class fields after the prefix, in the order of :data:`CLASS_FIELDS`.
CLASS_ENDINGS = tuple(column.name.format(prefix="") for column in CLASS_FIELDS.values())


def _style_targets(layer: QgsVectorLayer, others: Mapping[str, Any]) -> None:
    """Style a layer of scored targets and set the aliases of its score fields.

    Args:
        layer: layer, which is changed.
        others: outputs of the run that are numbers or texts, by id.
    """
    first_prefix = ""
    prefixes = read_prefixes(others)
    if prefixes:
        _, first_prefix = prefixes[0]
    for layer_name, prefix in prefixes:
        for column in (*SCORE_FIELDS.values(), *CLASS_FIELDS.values(), OWN_SPREAD_FIELD):
            column.format(layer=layer_name, prefix=prefix).apply_to_layer(layer)
    style_scored_targets(layer, first_prefix)
    labels = {problem: label for problem, (label, _) in PROBLEM_TEXTS.items()}
    add_problem_style(layer, PROBLEM_STYLE, SCORE_STYLE, labels)


SCORED_TARGETS = Output(
    "SCORED_TARGETS",
    tr("Scored targets"),
    tr(
        "The targets with their own fields, and with three scores, status and match for each "
        "delineation layer."
    ),
    "polygons",
    columns=(_TARGET, TARGET_CLASS, OWN_LENGTH, *SPREAD_FIELDS.values()),
    style=style_with_classes(_style_targets, CLASS_ENDINGS[-1]),
    is_expanded=True,
)
SCORED_DELINEATIONS = Output(
    "SCORED_DELINEATIONS",
    tr("Scored delineations"),
    tr("All delineations, each with the target that it fits best, or none."),
    "polygons",
    columns=(
        _LAYER,
        replace(_DELINEATION, label=tr("Delineation")),
        replace(_GROUP, display_texts={}),
        replace(_TARGET, help=tr("Feature id of the target that it fits best.")),
        Column("n_targets", tr("Targets"), tr("Number of targets that it belongs to."), "integer"),
        *_SCORES,
        _AREA,
        replace(
            STATUS,
            help=tr(
                "detected: it belongs to a target; false detection, not judged: it belongs to none."
            ),
        ),
        replace(
            _PROBLEM,
            help=tr("Problem of a delineation without a target: false detection, or not judged."),
        ),
        _CAUSE,
        *CROWN_COLUMNS,
    ),
    style=style_with_classes(qml_style("scored_delineations")),
    is_expanded=True,
)
PAIRS = Output(
    "PAIRS",
    tr("Pairs"),
    tr("All scored pairs with their four terms, as lines between the centroids."),
    "lines",
    is_written_by_default=False,
    columns=(
        _LAYER,
        _TARGET,
        _DELINEATION,
        _DISTANCE,
        *_SCORES,
        Column("a", tr("True positive pairs (a)"), tr("Eq. 10."), unit="m⁴", digits=1),
        Column("b", tr("True negative pairs (b)"), tr("Eq. 11."), unit="m⁴", digits=1),
        Column("c", tr("False positive pairs (c)"), tr("Eq. 12."), unit="m⁴", digits=1),
        Column("d", tr("False negative pairs (d)"), tr("Eq. 13."), unit="m⁴", digits=1),
        Column("tau", "tau", tr("Width of the true negative region."), unit="m"),
        STATUS,
        Column(
            "assigned",
            tr("Assigned"),
            tr("1 if the pairing assigned the delineation to the target, else 0."),
            "integer",
        ),
    ),
    style=qml_style("pairs"),
    is_visible=False,
)
REGIONS = Output(
    "REGIONS",
    tr("Regions"),
    tr(
        "Regions of each target: a: surely crown, o: up to where it may reach, e: outer edge, b: "
        "surely not crown."
    ),
    "polygons",
    columns=(
        _TARGET,
        Column(
            "region",
            tr("Region"),
            tr("a, o, e or b."),
            "text",
            display_texts={
                "a": tr("a: surely crown"),
                "o": tr("o: up to where it may reach"),
                "e": tr("e: outer edge"),
                "b": tr("b: surely not crown"),
            },
        ),
        Column("tau", "tau", tr("Width of region b."), unit="m"),
        _AREA,
        replace(STATUS, help=tr("Shows if the target can be scored.")),
    ),
    style=qml_style("regions"),
    is_visible=False,
)


#: Columns for each score, over the targets that can be scored.
_STATISTICS = (
    Column("{name}_mean", tr("Mean {score}"), tr("Mean {score} of the targets, 0 to 1.")),
    Column("{name}_sd", tr("SD {score}"), tr("Standard deviation of {score} (n - 1).")),
    Column("{name}_median", tr("Median {score}"), tr("Median {score} of the targets, 0 to 1.")),
    Column("{name}_low", tr("{score} from"), INTERVAL_HELP),
    Column("{name}_high", tr("{score} to"), INTERVAL_HELP),
)
#: Columns for RandCrowns and IoU at each threshold.
_DETECTION = (
    *with_interval_columns(
        Column(
            "recall_{name}_#",
            tr("Recall at {score} #"),
            tr("Share of the targets with at least this {score}."),
        )
    ),
    *with_interval_columns(
        Column(
            "precision_{name}_#",
            tr("Precision at {score} #"),
            tr("Share of the delineations that have at least this {score} with a target."),
        )
    ),
    Column("f1_{name}_#", tr("F1 at {score} #"), tr("Harmonic mean of precision and recall.")),
)
SUMMARY = Output(
    "SUMMARY",
    tr("Summary"),
    tr("Counts, means and intervals per delineation layer and plot."),
    has_provenance_columns=True,
    columns=(
        _LAYER,
        _GROUP,
        Column("targets", tr("Targets"), tr("Target crowns."), "integer"),
        Column("delineations", tr("Delineations"), tr("Delineated crowns."), "integer"),
        Column("matched", tr("Detected"), detected_meaning(), "integer"),
        Column(
            "missed",
            tr("Not detected (not reached)"),
            STATUS_TEXTS[Status.MISSED][1],
            "integer",
        ),
        Column(
            "unmatched_targets",
            tr("Not detected (no pair)"),
            STATUS_TEXTS[Status.UNMATCHED][1],
            "integer",
        ),
        Column(
            "not_judged",
            tr("Not judged"),
            not_judged_meaning(),
            "integer",
        ),
        Column(
            "unmatched_delineations",
            tr("False detections"),
            false_detection_meaning(),
            "integer",
        ),
        Column("too_small", tr("Too small"), STATUS_TEXTS[Status.TARGET_TOO_SMALL][1], "integer"),
        *(
            column.format(name=score.name, score=score.label)
            for score in _SCORES
            for column in _STATISTICS
        ),
        RESAMPLED_UNITS,
        Column(
            "penalised_mean",
            tr("Penalised mean"),
            tr(
                "Sum of RandCrowns, divided by the number of scored targets plus false detections. "
                "Each false detection lowers it."
            ),
        ),
        *(
            column.format(name=score.name, score=score.label)
            for score in _SCORES[:2]
            for column in _DETECTION
        ),
    ),
)
WARPED_SCORES = Output(
    "WARPED_SCORES",
    tr("Scores against warped targets"),
    tr("Mean and standard deviation of the scores against each target and its warped copies."),
    is_written_by_default=False,
    columns=(
        _LAYER,
        _TARGET,
        _DELINEATION,
        Column(
            "n_scored",
            tr("Scored targets"),
            tr("Number of copies with a score, the target included."),
            "integer",
        ),
        *(
            Column(f"{score}_{statistic}", label, help_text)
            for score, name in SCORE_NAMES.items()
            for statistic, label, help_text in (
                ("mean", tr("{name} mean", name=name), tr("Mean over the scored targets, 0 to 1.")),
                ("sd", tr("{name} SD", name=name), tr("Standard deviation with n - 1.")),
            )
        ),
    ),
)
#: Outputs of ``randcrowns:scorecrowns``, from top to bottom in the layer tree.
SCORE_OUTPUTS = (
    SCORED_TARGETS,
    SCORED_DELINEATIONS,
    PAIRS,
    REGIONS,
    SUMMARY,
    *CLASS_OUTPUTS,
    WARPED_SCORES,
)
#: Outputs of ``randcrowns:targetregions``.
REGION_OUTPUTS = (replace(REGIONS, optional=False, is_visible=True),)
_PREFIXES = "PREFIXES"
#: Numbers and texts that ``randcrowns:scorecrowns`` returns.
SCORE_VALUES = (
    ValueOutput("MEAN_RANDCROWNS", tr("Mean RandCrowns of the first delineation layer")),
    ValueOutput("MEAN_IOU", tr("Mean IoU of the first delineation layer")),
    ValueOutput("MEAN_IOU_CROWNS", tr("Mean IoUCrowns of the first delineation layer")),
    ValueOutput(_PREFIXES, tr("Field prefix of each delineation layer (JSON)"), is_text=True),
)


def target_id_field(fields: Sequence[str], prefix: str) -> str:
    """Return the name of the field with the ids of the scored targets.

    The field is the one before the scores of the first delineation layer. Its name differs from
    ``target_id`` if the target layer has such a field itself, or in a shapefile.

    Args:
        fields: field names of the layer, in order.
        prefix: field prefix of the first delineation layer.

    Returns:
        The name; ``target_id`` if no such field precedes the scores.
    """
    first_score_field = prefix + FIELD_ENDINGS[0]
    previous_field = ""
    if first_score_field in fields[1:]:
        previous_field = fields[fields.index(first_score_field) - 1]
    return previous_field if _is_name_of(previous_field, _TARGET) else _TARGET.name


def target_class_field(fields: Sequence[str], last_prefix: str) -> str:
    """Return the name of the field with the classes of the scored targets.

    The field follows the fields of the last delineation layer. Its name differs from
    ``target_class`` if the target layer has such a field itself.

    Args:
        fields: field names of the layer, in order.
        last_prefix: field prefix of the last delineation layer.

    Returns:
        The name; "" for scored targets without classes.
    """
    last_fields = {f"{last_prefix}{ending}" for ending in (*FIELD_ENDINGS, *CLASS_ENDINGS)}
    next_field = ""
    for position, name in enumerate(fields):
        if name in last_fields:
            next_field = fields[position + 1] if position + 1 < len(fields) else ""
    if next_field and _is_name_of(next_field, TARGET_CLASS):
        return next_field
    return ""


def _is_name_of(field: str, column: Column) -> bool:
    """Return True if a field may be a column, whose name a file may have changed.

    Names in shapefiles are shortened to 10 characters, of which the last two may be a number.
    """
    return field.startswith(column.name[:8])


def prefixes_output(prefixes: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the output with the field prefixes as JSON, by id.

    Args:
        prefixes: name and field prefix of each delineation layer.
    """
    layers = [{"layer": layer, "prefix": prefix} for layer, prefix in prefixes]
    return {_PREFIXES: json.dumps(layers)}


def read_prefixes(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the name and the field prefix of each delineation layer of a run.

    Args:
        values: outputs of the run that are numbers or texts, by id.

    Returns:
        Pairs of name and prefix in the order of the layers; empty if the output is missing.
    """
    layers = json.loads(values.get(_PREFIXES) or "[]")
    return [(layer["layer"], layer["prefix"]) for layer in layers]


def scored_crowns(targets: pd.DataFrame, values: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Return the scored targets by name of the delineation layer.

    Args:
        targets: rows of the scored targets.
        values: outputs of the run that are numbers or texts, by id.

    Returns:
        A frame per layer whose fields exist, one row per target: the columns of
        :data:`SCORE_FIELDS`, ``target_id``, and ``row``, the position in the layer of scored
        targets.
    """
    prefixes = read_prefixes(values)
    crowns = {}
    for layer, prefix in prefixes:
        column_of_field = {
            prefix + ending: column for ending, column in zip(FIELD_ENDINGS, SCORE_FIELDS)
        }
        id_field = target_id_field(list(targets.columns), prefixes[0][1])
        if not {*column_of_field, id_field} <= set(targets.columns):
            continue
        scores = targets[list(column_of_field)].rename(columns=column_of_field)
        crowns[layer] = scores.assign(
            row=np.arange(len(targets)), target_id=targets[id_field].to_numpy()
        )
    return crowns


def layer_keys_of_run(provenance: Provenance, name: str) -> tuple[LayerKey, LayerKey]:
    """Return the keys of the target layer and of a delineation layer of a run.

    Args:
        provenance: provenance of the run.
        name: name of the delineation layer in the run.

    Returns:
        Keys with empty ids and sources if the provenance does not contain the layers.
    """
    targets = provenance.input_layers_of(TARGETS.id)
    target_key = LayerKey("", "", provenance.display_text_of(TARGETS.name))
    if targets:
        target_key = targets[0]
    names = [layer for layer, _ in read_prefixes(provenance.results)]
    delineations = dict(zip(names, provenance.input_layers_of(DELINEATIONS.id)))
    delineation_key = delineations.get(name, LayerKey("", "", name))
    return target_key, delineation_key._replace(name=name)
