"""Job ``evaluate``: match predicted crowns with target crowns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd
import shapely

from randcrowns.core.classes.evaluation import ClassEvaluation, class_conclusion
from randcrowns.core.classes.results import classes_of_evaluation, strata_of_evaluation
from randcrowns.core.classes.summarise import StrataSummary
from randcrowns.core.comparison import check_drawing, check_partial_drawing, check_roles
from randcrowns.core.errors import InputError
from randcrowns.core.instances.evaluation import (
    CrownAttributes,
    CrownEvaluation,
    EvaluationOptions,
    evaluate_crowns,
    with_point_recall,
)
from randcrowns.core.instances.results import (
    pointtree_metrics,
    prediction_results,
    target_results,
)
from randcrowns.core.instances.summary import instances_headline
from randcrowns.core.messages import Message
from randcrowns.jobs.annotation_layers import plots_of_images
from randcrowns.jobs.classes import (
    class_tables,
    group_classes_of_site,
    read_class_fields,
    strata_request,
    strata_tables,
)
from randcrowns.jobs.layers import InputOptions, Layer, LayerSource, read_layer
from randcrowns.jobs.parameters import JobValues, read_values
from randcrowns.jobs.results import JobResult, crown_table, ordered_columns
from randcrowns.jobs.signatures import with_parameters
from randcrowns.jobs.sites import (
    CrownLayer,
    LayerRequest,
    Site,
    guess_score_field,
    guess_unused_plot_field,
    read_areas,
    read_points,
    read_site,
    unused_plots_messages,
)

#: What cannot be computed if only some of the crowns were drawn.
_UNDEFINED = "precision, F1, PQ and AP"
#: Name of each metric in the conclusion.
_METRIC_NAMES = {
    "precision": "Precision",
    "recall": "Recall",
    "f1": "F1",
    "pq": "PQ",
    "mean_iou": "Mean IoU",
}


@with_parameters("evaluate", InputOptions)
def evaluate(
    targets: LayerSource,
    predictions: LayerSource,
    *,
    ignored: LayerSource | None = None,
    points: LayerSource | None = None,
    **parameters: Any,
) -> JobResult:
    """Match predicted crowns with target crowns: precision, recall, F1, PQ, IoU and AP.

    Args:
        targets: crowns that are taken as true: a path, a GeoDataFrame, or polygons in metres.
        predictions: crowns that a method predicted, likewise.
        ignored: areas in which an unmatched prediction is neither right nor wrong.
        points: points measured in the field, for the point recall.
        **parameters: parameters of the toolbox in lower case, such as ``detection_method``,
            ``plot_field`` (or ``plot``), ``height_field``, ``score_field``, ``all_drawn``;
            and the options of :class:`randcrowns.jobs.layers.InputOptions`: ``images``,
            ``assign_crs``, ``ground_resolution``.

    Returns:
        The result with the tables ``summary``, ``targets``, ``predictions``, ``pairs``,
        ``thresholds`` and ``metrics``; with classes also ``confusion``, ``class_metrics`` and
        ``class_summary``, and with strata ``strata`` and ``strata_tests``.

    Raises:
        InputError: if a layer cannot be read, or a parameter is invalid.

    >>> trees = [shapely.box(0, 0, 4, 4), shapely.box(9, 0, 13, 4)]
    >>> evaluate(trees, trees[:1]).summary[["tp", "fp", "fn"]].values.tolist()
    [[1, 0, 1]]
    """
    options, own_parameters = InputOptions.split(parameters)
    values = read_values("evaluate", own_parameters)
    target_layer = _named(read_layer(targets, options=options), "targets")
    prediction_layer = _named(read_layer(predictions, options=options), "predictions")
    plot_field = values["plot_field"]
    if not plot_field and target_layer.in_pixels:
        plot_field = plots_of_images(target_layer.frame)
    _check_fields(values, target_layer, prediction_layer, plot_field)

    site = _read_crowns(values, target_layer, prediction_layer, plot_field, options)
    areas = []
    if ignored is not None:
        areas.append(read_areas(ignored, site.working_crs, plot_field, values["class_field"]))
    site, areas = group_classes_of_site(values, site, areas)
    ignored_layer = areas[0] if areas else None
    findings = _evaluate_site(
        values, site, ignored_layer, points, is_same_layer=targets is predictions
    )

    unused_plot_field = ""
    if not plot_field:
        unused_plot_field = guess_unused_plot_field(target_layer, [prediction_layer])
    messages = list(site.all_messages)
    if ignored_layer is not None:
        messages += ignored_layer.messages
    messages += _comparison_messages(values, site, findings.evaluation, unused_plot_field)
    messages += findings.point_messages
    messages += findings.evaluation.uncertain_messages
    if findings.classes is not None:
        messages += findings.classes.messages
    if findings.strata is not None:
        messages += findings.strata.messages
    return _make_result(values, site, findings, messages)


class _Findings(NamedTuple):
    """Results of a run."""

    evaluation: CrownEvaluation  #: matches and metrics.
    summary: pd.DataFrame  #: the summary, with the point recall if there are points.
    classes: ClassEvaluation | None  #: comparison of classes; None without classes.
    strata: StrataSummary | None  #: IoU by strata; None without strata.
    point_messages: Sequence[Message]  #: messages about the point recall; empty without points.


def _evaluate_site(
    values: JobValues,
    site: Site,
    ignored: CrownLayer | None,
    points: LayerSource | None,
    *,
    is_same_layer: bool,
) -> _Findings:
    """Return the results of a run: matches, point recall, classes and strata.

    Args:
        values: values of the job.
        site: targets and predictions.
        ignored: layer of the areas to ignore; None for none.
        points: points measured in the field; None for none.
        is_same_layer: True if targets and predictions are the same layer.

    Raises:
        InputError: if attributes, strata or points cannot be read.
    """
    targets, predictions = (layer.crowns for layer in site.layers)
    attributes = _read_attributes(values, site, ignored)
    methods = _evaluation_options(values)
    request = strata_request(values, site)
    evaluation = evaluate_crowns(
        targets, predictions, methods, attributes, is_same_layer=is_same_layer
    )
    summary = evaluation.summary
    point_messages: list[Message] = []
    if points is not None:
        point_layer, shapes = read_points(points, site.working_crs)
        summary, message = with_point_recall(evaluation, shapes, predictions, point_layer.name)
        point_messages = [*point_layer.messages, message]
    classes = classes_of_evaluation(targets, predictions, evaluation, methods, attributes)
    strata = None
    if request is not None:
        strata = strata_of_evaluation(request, targets, predictions, evaluation)
    return _Findings(evaluation, summary, classes, strata, point_messages)


def _read_crowns(
    values: JobValues, targets: Layer, predictions: Layer, plot_field: str, options: InputOptions
) -> Site:
    """Read the crowns of both layers in one coordinate system.

    Args:
        values: values of the job.
        targets: layer of the targets.
        predictions: layer of the predictions.
        plot_field: field of the plot in both layers; "" for none.
        options: options of the input.
    """
    class_fields = read_class_fields(values, "prediction_class_field", targets, [predictions])
    requests = [
        LayerRequest(layer, plot_field, class_field=class_field, is_required=True)
        for layer, class_field in zip((targets, predictions), class_fields)
    ]
    return read_site(requests, options, uses_lengths=False)


def _named(layer: Layer, role: str) -> Layer:
    """Return a layer, with the name of its role if it is in memory and has no name."""
    has_name = layer.source or layer.name != "crowns"
    return layer if has_name else read_layer(layer, role)


def _check_fields(values: JobValues, targets: Layer, predictions: Layer, plot_field: str) -> None:
    """Raise an InputError if a layer lacks a field, or heights are no numbers.

    Args:
        values: values of the job.
        targets: layer of the targets.
        predictions: layer of the predictions.
        plot_field: field of the plot; "" for none.
    """
    score_field = values["score_field"]
    if score_field and not predictions.has_field(score_field):
        raise InputError(
            "predictions.no_field",
            "The layer of predictions has no field '{field}'.",
            field=score_field,
        )
    for name in filter(None, (values["height_field"], plot_field)):
        if not targets.has_field(name):
            raise InputError(
                "targets.no_field", "The target layer has no field '{field}'.", field=name
            )
    height_field = values["height_field"]
    if height_field and targets.frame[height_field].dtype.kind not in "iufb":
        raise InputError(
            "height.not_numeric",
            "Field '{field}' contains no numbers, so it cannot be the height field.",
            field=height_field,
        )


def _evaluation_options(values: JobValues) -> EvaluationOptions:
    """Return the methods and limits of a run."""
    return EvaluationOptions(
        detection_method=values["detection_method"],
        segmentation_method=values["segmentation_method"],
        all_drawn=values["all_drawn"],
        min_share=values["min_precision_fp"],
        min_height=values["min_height_fp"],
        within_classes=values["within_classes"],
    )


def _read_attributes(values: JobValues, site: Site, ignored: CrownLayer | None) -> CrownAttributes:
    """Return heights and scores of the crowns, and the areas to ignore.

    Args:
        values: values of the job.
        site: targets and predictions.
        ignored: layer of the areas to ignore; None for none.
    """
    targets, predictions = site.layers
    height_field = values["height_field"]
    target_heights = None
    prediction_heights = None
    if height_field:
        target_heights = targets.numbers(height_field)
        if predictions.layer.has_field(height_field):
            prediction_heights = predictions.numbers(height_field)
    score_field = values["score_field"] or guess_score_field(predictions.layer)
    scores = None
    if score_field:
        scores = predictions.numbers(score_field)
    ignored_crowns = None
    if ignored is not None:
        ignored_crowns = ignored.crowns
    return CrownAttributes(
        height_field=height_field,
        target_heights=target_heights,
        prediction_heights=prediction_heights,
        score_field=score_field,
        scores=scores,
        ignored=ignored_crowns,
    )


def _comparison_messages(
    values: JobValues, site: Site, evaluation: CrownEvaluation, unused_plot_field: str
) -> list[Message]:
    """Return messages about roles, plots, crowns that were not drawn, and the metrics.

    Args:
        values: values of the job.
        site: targets and predictions.
        evaluation: matches and metrics.
        unused_plot_field: field of the layers that looks like the plot; "" for none.
    """
    targets, predictions = site.layers
    messages = check_roles(
        targets.crowns.name,
        guess_score_field(targets.layer),
        len(targets.layer.frame),
        len(predictions.layer.frame),
    )
    messages += evaluation.comparison_messages
    pairs = evaluation.matches.table
    messages += unused_plots_messages(
        unused_plot_field, targets, predictions, pairs.target, pairs.prediction
    )
    partial_drawing = check_partial_drawing(targets.crowns, predictions.crowns)
    all_drawn_label = values.job.parameters["all_drawn"].label
    drawing_message = check_drawing(
        values["all_drawn"], partial_drawing, all_drawn_label, _UNDEFINED
    )
    if drawing_message is not None:
        messages.append(drawing_message)
    messages += evaluation.metric_messages
    return messages


def _make_result(
    values: JobValues,
    site: Site,
    findings: _Findings,
    messages: list[Message],
) -> JobResult:
    """Return the tables, messages and conclusion of a run.

    Args:
        values: values of the job.
        site: targets and predictions.
        findings: results of the run.
        messages: messages about the input and the results.
    """
    targets, predictions = site.layers
    evaluation = findings.evaluation
    summary = ordered_columns(findings.summary, values.job.columns["SUMMARY"])
    name = predictions.crowns.name
    conclusion = [conclude(summary.iloc[0])]
    if findings.classes is not None:
        conclusion.append(class_conclusion(findings.classes, name))
    target_rows, prediction_rows = _crown_results(site, findings)
    tables = {
        "summary": summary,
        "targets": crown_table(targets, target_rows),
        "predictions": crown_table(predictions, prediction_rows),
        "pairs": _pair_table(evaluation),
        "thresholds": evaluation.thresholds,
        # -1: all partitions.
        "metrics": pointtree_metrics(evaluation.matches, -1, values["include_unmatched"]),
    }
    tables |= class_tables(values, [(name, findings.classes)])
    tables |= strata_tables(values, [(name, findings.strata)])
    return JobResult.of_run(
        values,
        tables,
        messages,
        conclusion=" ".join(map(str, conclusion)),
        working=site.working_crs,
        headline=conclusion,
        inputs=[targets.layer.as_input("targets"), predictions.layer.as_input("predictions")],
    )


def _crown_results(site: Site, findings: _Findings) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the results of each target and of each prediction.

    Args:
        site: targets and predictions.
        findings: results of the run.

    Returns:
        A row per target and a row per prediction: match, area, and the height, classes and plot if
        the run has them.
    """
    targets, predictions = site.layers
    evaluation = findings.evaluation
    target_rows = target_results(evaluation.matches)
    prediction_rows = prediction_results(evaluation.matches)
    target_rows["area"] = shapely.area(targets.crowns.geometry)
    prediction_rows["area"] = shapely.area(predictions.crowns.geometry)
    if evaluation.heights is not None:
        target_rows["height"] = evaluation.heights
    if findings.classes is not None:
        _add_columns(target_rows, findings.classes.targets)
        _add_columns(prediction_rows, findings.classes.predictions)
    if evaluation.plots.targets is not None:
        target_rows["plot"] = evaluation.plots.targets
    if evaluation.plots.predictions is not None:
        prediction_rows["plot"] = evaluation.plots.predictions
    return target_rows, prediction_rows


def _add_columns(table: pd.DataFrame, columns: pd.DataFrame) -> None:
    """Add the columns of a table to another one in place; a concatenation would copy all of them.

    Args:
        table: table with n rows; changed in place.
        columns: table with n rows in the same order.
    """
    for name in columns:
        table[name] = columns[name].to_numpy()


def _pair_table(evaluation: CrownEvaluation) -> pd.DataFrame:
    """Return a row per overlapping pair: ids, shared area, IoU, and if it is matched."""
    matches = evaluation.matches
    table = matches.table
    target_sizes = table.target_size[table.target]
    prediction_sizes = table.prediction_size[table.prediction]
    return pd.DataFrame(
        {
            "target_id": matches.target_ids[table.target],
            "prediction_id": matches.prediction_ids[table.prediction],
            "shared": table.shared,
            "iou": table.shared / (target_sizes + prediction_sizes - table.shared),
            "matched": matches.detection.prediction[table.target] == table.prediction,
        }
    )


def conclude(overall: Mapping[str, Any] | pd.Series) -> Message:
    """Return the message with the counts and metrics over all crowns or trees.

    Args:
        overall: first row of a summary.
    """
    return instances_headline(overall, _METRIC_NAMES)
